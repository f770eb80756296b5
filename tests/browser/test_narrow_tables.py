"""Tables where the page is narrow: what is read first stands in view."""

from dataclasses import replace

import pytest
from nbformat.v4 import new_notebook
from PIL import Image
from support.cells import code, table
from support.plans import plan
from support.tables import SMALL

from reportkit.documents.make import make_documents
from reportkit.tables.grid import Column
from reportkit.tables.planning import plan_table
from reportkit.tables.shortened import summary
from reportkit.tables.writers.html import MODEL_KEY

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LAST = "e => e.getBoundingClientRect().right"
# How many lines the words of a cell take, without the arrows.
LINES = """e => {
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), lines = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) lines.add(Math.round(box.bottom));
  }
  return lines.size;
}"""

# Where the first letter of a head's words stands.
FIRST = """e => {
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
  range.setStart(walker.nextNode(), 0);
  range.setEnd(range.startContainer, 1);
  return range.getBoundingClientRect();
}"""


@pytest.fixture
def shown(tmp_path, visit):
    def shown(given, width: int):
        notebook = new_notebook(cells=[code(table(given))])
        make_documents(notebook, tmp_path, ["html"], title="x")
        return visit(tmp_path / "report.html", width)

    return shown


def made(heads, *rows):
    """A table whose first columns are text."""
    words = sum(not any(c.isdigit() for c in text) for text in rows[0])
    columns = tuple(Column(h, "l" if k < words else "r", key=f"k{k}") for k, h in enumerate(heads))
    values = tuple(tuple(None if k < words else 1.0 for k in range(len(heads))) for _ in rows)
    return replace(
        SMALL, columns=columns, cells=rows, values=values, notes=(), bold=frozenset(), data=()
    )


def test_two_models_their_difference_and_its_interval_stand_in_view_on_a_phone(demo, visit):
    """Half of the interval was out of view, in the demonstration's table of MGSM."""
    page = visit(demo / "report.html", 390)
    found = page.locator("figure.rk-table", has=page.locator("th", has_text="Baseline")).first
    edge = found.locator(".rk-scroll").evaluate(LAST)
    assert found.locator("thead th", has_text="95% CI").evaluate(LAST) <= edge
    assert "+11.5" in found.inner_text()


@pytest.mark.parametrize("width", [360, 390])
def test_a_date_in_a_name_stays_whole_on_a_phone(shown, width):
    """ "gpt-4.1-nano-2025-04-" ended a line and "14_options" began one."""
    names = ["openai__gpt-4.1-nano-2025-04-14_incl_options", "GPT-5.1 (2025-11-13) (medium)"]
    rows = [("no date", "none", "+0.5", "(0.1, 0.9)"), *((x, x, "+1.5", "(1, 2)") for x in names)]
    given = made(("Model", "Baseline", "Difference (SE)", "95% CI"), *rows)
    dates = shown(given, width).locator("tbody .rk-whole").all()
    assert [date.evaluate(LINES) for date in dates] == [1] * 4


def test_a_table_of_nine_columns_fits_a_tablet(shown):
    """Table 5 of the demonstration's suite: its last column was cut."""
    few, needed = ("as it is", "4× questions", "4× answers"), ("1 point", "2 points", "5 points")
    row = ("5.1", "2.5", "6.3", "59,700 (5,970)", "15,280 (1,528)", "2,620 (262)")
    given = made(
        ("Eval", "Model", "Baseline", *few, *needed), ("HumanEval", "Galleon", "Dreadnought", *row)
    )
    groups = ("",) * 3 + ("Detectable difference",) * 3 + ("Questions needed to detect",) * 3
    columns = tuple(replace(c, group=g) for c, g in zip(given.columns, groups, strict=True))
    room = shown(replace(given, columns=columns), 768).locator(".rk-scroll")
    assert room.evaluate("e => e.scrollWidth - e.clientWidth") == 0


def test_a_table_a_few_pixels_too_wide_is_set_smaller_and_whole(shown):
    """The suite of 12 evals at 768 px: 13,593 questions read "13,59", without a shadow."""
    heads = ("Model", "Difference (SE)", "95% CI", "p", "Adjusted p", "Evals", "Questions")
    row = ("−34.0 (1.6)", "(−39.5, −28.4)", "<0.001", "<0.001", "10", "13,493")
    page = shown(made(heads, ("Meta-Llama-3_1-70B-Instruct", *row)), 768)
    room = page.locator(".rk-scroll")
    over, size = "e => e.scrollWidth - e.clientWidth", "e => getComputedStyle(e).fontSize"
    usual = float(room.locator("table").evaluate(size)[:-2])
    for width in range(768, 640, -4):  # down to the first where it is too wide
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(30)
        small = float(room.locator("table").evaluate(size)[:-2])
        if room.evaluate(over) or small < usual:
            break
    assert room.evaluate(over) == 0 and 0.91 * usual < small < usual
    page.set_viewport_size({"width": 768, "height": 900})
    page.wait_for_function("() => !document.querySelector('.rk-near')")


def test_heads_and_names_that_are_a_few_pixels_too_wide_are_set_smaller_too(shown):
    """The gaps of a pilot at 390 px: the cells were set smaller, the heads and names that need the
    room were not, and 1,639 questions read "1,63".
    """
    heads = ("Model", "The next", "Gap (points)", "Can be shown", "Questions for it")
    names = ("openai__gpt-4.1-nano-2025-04-14_incl_options", "openai__gpt-4.1-nano-2025-04-14")
    given = made(heads, (*names, "57.5", "yes", "78"), (*names, "1.9", "no", "1,639"))
    columns = (replace(c, align="l" if k < 2 else "r") for k, c in enumerate(given.columns))
    page = shown(replace(given, columns=tuple(columns)), 450)
    room = page.locator(".rk-scroll")
    over, size = "e => e.scrollWidth - e.clientWidth", "e => getComputedStyle(e).fontSize"
    head = room.locator("thead th").first
    usual = float(head.evaluate(size)[:-2])
    for width in range(450, 300, -2):  # down to the first where it is too wide
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(30)
        small = float(head.evaluate(size)[:-2])
        if room.evaluate(over) or small < usual:
            break
    assert room.evaluate(over) == 0 and 0.91 * usual < small < usual


def test_what_does_not_scroll_has_no_line_of_a_shadow_at_its_end(shown, tmp_path):
    """In white space, level with the last rule, a grey line of 14 px stood where the height of a
    table is no whole number of pixels.
    """
    page = shown(made(("Model", "Mean"), ("A", "0.5"), ("B", "0.6")), 1280)
    room = page.locator(".rk-scroll")
    for tenths in range(10):
        room.locator("tbody tr").last.evaluate(
            f"e => {{ e.style.height = '{40 + tenths / 10}px' }}"
        )
        room.screenshot(path=tmp_path / "part.png")
        part = Image.open(tmp_path / "part.png").convert("L")
        end = part.crop((part.width - 24, 0, part.width, part.height))
        assert room.locator("table").evaluate(LAST) < room.evaluate(LAST) - 24
        assert end.getextrema() == (255, 255)


def test_in_print_a_mark_stays_beside_its_error(shown):
    """ "‡" stood alone on a third line, in the suite of 12 evals."""
    models = tuple(f"Model-{k}-of-a-long-name" for k in range(6))
    cells = ("mmlu-pro-computer-science", "1,101", "12", "1", *("80.9% (4.4%) ‡",) * 6)
    given = made(("Eval", "Questions", "Clusters", "Answers", *models), cells)
    columns = tuple(replace(c, key=f"{MODEL_KEY}{c.head}") for c in given.columns[4:])
    columns = (*given.columns[:4], *columns)
    page = shown(replace(given, columns=columns, fit=True), 500)
    page.emulate_media(media="print")
    errors = page.locator(".rk-se").all()
    assert len(errors) == 6 and {error.evaluate(LINES) for error in errors} == {1}


@pytest.mark.parametrize(("width", "media"), [(768, "screen"), (1280, "screen"), (768, "print")])
def test_two_groups_of_columns_stand_apart(shown, width, media):
    """ "Detectable difference" ended 7 px before "Questions needed to detect", above one line."""
    given = made(("Model", "as it is", "4×", "1 point", "2"), ("A", "2.4", "1.2", "4,315", "1,154"))
    groups = (
        "",
        "Detectable difference",
        "Detectable difference",
        "Questions needed",
        "Questions needed",
    )
    columns = tuple(replace(c, group=g) for c, g in zip(given.columns, groups, strict=True))
    page = shown(replace(given, columns=columns), width)
    page.emulate_media(media=media)
    lines = page.locator("th[scope=colgroup]").evaluate_all(
        "es => es.map(e => [e, getComputedStyle(e, '::after')].map((s, k) => k ? "
        "parseFloat(s.left) : s.getBoundingClientRect().left))"
    )
    (_, first), (left, second) = lines
    assert (first, second >= 5) == (0, True)  # px from the left of each head to its line
    number = page.locator("td", has_text="4,315")
    assert number.evaluate("e => e.getBoundingClientRect().left") == left
    parts = page.locator("td, thead tr:last-child th").evaluate_all(
        "es => es.map(e => e.classList.contains('rk-part'))"
    )
    assert parts == [False, False, True, False] + [False, False, True, False]


def test_texts_out_of_view_make_no_row_higher_on_a_phone(shown):
    """Public evals of a plan: rows of empty lines, for repositories that only the scroll shows."""
    heads = ("Eval", "Questions", "Models", *"abcde", "Scores", "Repository")
    where = ("next-token probabilities", "naimenz/inverse-scaling-eval-pipeline")
    given = made(heads, ("BoolQ", *"3841209", *where))
    columns = [replace(c, align="l") if c.head in heads[-2:] else c for c in given.columns]
    values = ((None, *(1.0,) * 7, None, None),)
    page = shown(replace(given, columns=tuple(columns), values=values), 390)
    assert [page.locator("td.l", has_text=text).evaluate(LINES) for text in where] == [1, 1]


def test_a_head_of_three_words_takes_two_lines_on_a_phone(shown):
    """Each of its words had a line of its own above a number of one digit."""
    heads = ("Model", "Average (SE)", "Rank", "95% rank set", "may be best", "is worse")
    row = ("Dreadnought", "78.7% (0.6%)", "2", "2 to 3", "5", "3")
    page = shown(made(heads, row, row), 390)
    for head in ("95% rank set", "may be best"):
        assert page.locator("thead th", has_text=head).evaluate(LINES) == 2


@pytest.mark.parametrize("width", [760, 768, 776])
def test_no_line_of_one_word_ends_the_text_of_a_cell(shown, width):
    """ "364 clusters of" stood above "5", in the answers of a plan."""
    answer = "1,820 (1,510 to 2,000) questions, in 364 clusters of 5"
    question = "Questions for each model, where each answers its own, for 5 points"
    given = made(("Question", "Answer"), ("What that costs", "two words"))
    cells = ((question, answer), ("What that costs", "3,770 (3,580 to 5,700)"))
    page = shown(replace(given, cells=cells, values=((None, None),) * 2), width)
    widths = page.locator("tbody td.l").first.evaluate(
        "e => { const r = document.createRange(); r.selectNodeContents(e); "
        "return [...r.getClientRects()].map(box => box.width); }"
    )
    assert len(widths) == 1 or min(widths) > max(widths) / 2


def test_a_summary_has_nothing_to_sort(shown):
    """Its rows are the lowest, median and highest of each column by itself."""
    given = made(("Model", "Ratio"), ("A", "1"), ("B", "2"), ("C", "3"))
    assert shown(given, 1280).locator(".rk-sorts").count() == 2
    assert shown(summary(given), 1280).locator(".rk-sorts").count() == 0


def test_a_number_and_its_unit_stand_in_one_line_of_a_plan_on_a_phone(shown):
    """ "4.0" and "points" stood in two lines, beside words that had room to spare."""
    other = {"design": "unpaired", "other_questions": 1319, "other_se": 0.009}
    planned = plan(difference=0.04, mean=0.71, answers="shares", spread=0.3, **other)
    cells = shown(plan_table(planned, "planning"), 390).locator("tbody td")
    said = {cell.inner_text(): cell.evaluate(LINES) for cell in cells.all()}
    short = {text: lines for text, lines in said.items() if " " in text and len(text) < 13}
    assert any(text.endswith("points") for text in short)
    assert set(short.values()) == {1}


@pytest.mark.parametrize("width", [390, 1280])
def test_the_arrows_of_a_head_stand_in_the_line_of_its_words_and_in_view(shown, width):
    """They stood alone above a word as long as the column, and out of view before the first head
    where its numbers stand at the right.
    """
    given = made(("Difference", "../eval/two_%s|xyzxyzxyz"), ("1", "2"), ("2", "3"))
    page = shown(given, width)
    edge = page.locator(".rk-scroll").bounding_box()["x"]
    for head in page.locator("thead th").all():
        arrows = head.locator(".rk-arrows").bounding_box()
        word = head.evaluate(FIRST)
        assert arrows["x"] >= edge
        assert abs(arrows["y"] + arrows["height"] - word["bottom"]) < 6  # of lines of 20


def test_an_end_of_a_row_out_of_view_makes_it_no_higher_on_a_phone(shown):
    """ "depends on rounding" in the seventh column gave rows an empty second line."""
    heads = ("Eval", "Difference (SE)", "95% CI", "z", "p", "Adjusted p", "Settled")
    ends = ("no", "depends on rounding")
    rows = [("e", "-2.7 (1.27)", "(-5.2, -0.2)", "2.12", "0.034", "0.068", end) for end in ends]
    table = made(heads, *rows)
    columns = (*table.columns[:-1], replace(table.columns[-1], align="l"))
    values = tuple((*row[:-1], None) for row in table.values)
    page = shown(replace(table, columns=columns, values=values), 390)
    low, high = (row.bounding_box()["height"] for row in page.locator("tbody tr").all())
    assert abs(low - high) < 1  # a rule lies half in the first row
