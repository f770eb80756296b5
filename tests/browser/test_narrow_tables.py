"""Tables where the page is narrow: what is read first stands in view."""

from dataclasses import replace

import pytest
from nbformat.v4 import new_notebook
from support.cells import code, table
from support.tables import SMALL

from reportkit.documents.make import make_documents
from reportkit.tables.grid import Column
from reportkit.tables.shortened import summary

pytestmark = pytest.mark.browser
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
