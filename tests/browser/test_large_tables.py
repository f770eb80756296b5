"""Large tables in a browser: filtered, sorted with the best on top, seen to scroll, on a phone."""

from dataclasses import replace

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import expect
from support.browser_pages import order
from support.nights import frame
from support.scores_made import result_of
from support.suites_made import model_names, suite_results
from support.tables import SMALL

from reportkit import demo_scores, make_table
from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import decided_suite
from reportkit.decisions import Decisions
from reportkit.tables.renaming import renamed_result
from reportkit.tables.shortened import together
from reportkit.tables.table import Column, Table
from reportkit.tables.writers import render
from reportkit.tables.writers.html import first_order
from reportkit.tables.writers.render import render_drop_in, render_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MODELS = model_names(8)


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """12 evals of three categories, four each, by 8 models."""
    results = suite_results(12, 8, gap=False)
    table = make_table(decided_suite(results, Decisions(), {}), "suite")
    path = tmp_path_factory.mktemp("suite") / "suite.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    return path


def evals(page):
    return page.locator("tbody th[scope=row]:visible").all_inner_texts()


def test_a_model_keeps_its_column_and_a_category_its_rows(suite, visit):
    page = visit(suite)
    assert len(evals(page)) == 12
    page.get_by_label("Filter").fill("AQUILA 405b")
    heads = [
        h.split("\n")[0] for h in page.locator("thead th[data-model]:visible").all_inner_texts()
    ]
    assert heads == ["aquila-3.1-405b-instruct-fp8"] and len(evals(page)) == 12
    page.get_by_label("Category").select_option("Code")
    assert evals(page) == ["Eval 3", "Eval 6", "Eval 9", "Eval 12"]
    expect(page.locator(".rk-filter [role=status]")).to_have_text("1 of 8 models, 4 of 12 rows")
    assert page.locator(".rk-section:visible").all_inner_texts() == ["Code"]
    page.get_by_label("Filter").fill("eval 3")
    assert evals(page) == ["Eval 3"] and page.locator("thead th[data-model]:visible").count() == 8
    page.get_by_label("Filter").fill("")
    page.get_by_label("Category").select_option("")
    assert len(evals(page)) == 12 and page.locator(".rk-filter [role=status]").inner_text() == ""


def test_without_script_nothing_is_lost_and_no_dead_control_there(suite, visit):
    page = visit(suite, java_script_enabled=False)
    assert len(evals(page)) == 12 and page.locator("thead th[data-model]:visible").count() == 8
    assert page.locator("input, select, button").count() == 0


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing(suite, visit, scheme, width):
    found = Axe().run(visit(suite, width, color_scheme=scheme))
    assert found.violations_count == 0, found.generate_report()


def test_a_small_table_has_no_filter(tmp_path, visit):
    path = tmp_path / "small.html"
    path.write_text(render_drop_in(SMALL, "html"), encoding="ascii")
    assert visit(path).locator(".rk-filter").count() == 0


# --- sorting


@pytest.mark.parametrize(("first", "filters"), [("Model {}", 1), ("{}", 0)])
def test_a_table_of_numbers_has_no_name_to_filter_by(first, filters, tmp_path, visit):
    """A plan's numbers of answers, the twelve rows from which a table has a filter."""
    cells = tuple((first.format(k), *SMALL.cells[0][1:]) for k in range(12))
    table = replace(SMALL, cells=cells, values=SMALL.values[:1] * 12)
    path = tmp_path / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    assert visit(path).locator(".rk-filter").count() == filters


def test_an_icon_stands_in_a_head_before_the_first_click(tmp_path, visit):
    path = tmp_path / "small.html"
    path.write_text(render_drop_in(SMALL, "html"), encoding="ascii")
    page = visit(path)
    drawn = "a => [getComputedStyle(a, '::before'), getComputedStyle(a, '::after')].map(s => "
    arrows = f"{drawn}[s.visibility, s.borderBottomColor, s.borderTopColor, s.content])"
    none = "rgba(0, 0, 0, 0)"
    button = page.locator("th button").nth(1)
    mark = button.locator(".rk-arrows")
    for shown, side in zip(mark.evaluate(arrows), (1, 2), strict=True):
        assert shown[0] == "visible" and shown[side] != none and shown[3] == '""'
    button.click()  # the largest on top: the arrow down alone
    assert [shown[0] for shown in mark.evaluate(arrows)] == ["hidden", "visible"]


BESIDE = """[...document.querySelectorAll('th button')].filter(b => b.offsetParent).map(b => {
  const words = document.createRange(), icon = b.querySelector('.rk-arrows');
  const mark = icon.getBoundingClientRect();
  words.selectNodeContents(b);
  const all = [...words.getClientRects()];
  const boxes = all.filter(box => box.width > 1 && box.right !== mark.right);
  const near = boxes.map(box => Math.min(
    Math.abs(box.left - mark.right), Math.abs(mark.left - box.right)));
  return Math.min(...near);
})"""


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_an_icon_stands_beside_the_words_of_its_head(suite, visit, width):
    """At most half a letter of 14 pixels away, whatever the width of the column."""
    away = visit(suite, width).evaluate(BESIDE)
    assert len(away) >= 9 and max(away) < 7


def test_a_suite_of_eight_evals_and_six_models_needs_no_scrolling_on_a_tablet(tmp_path, visit):
    results = suite_results(8, 6, gap=False)
    table = make_table(decided_suite(results, Decisions(), {}), "suite")
    path = tmp_path / "suite.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    widths = "e => [e.scrollWidth, e.clientWidth]"
    needed, room = visit(path, 768).locator(".rk-scroll").evaluate(widths)
    assert needed <= room


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_all_heads_of_a_suite_are_of_one_size_and_end_on_one_line(suite, visit, width):
    heads = """heads => heads.filter(h => h.offsetParent).map(h => {
      const range = document.createRange();
      range.selectNodeContents(h);
      const box = [...range.getClientRects()].filter(r => r.width).pop();
      return [getComputedStyle(h).fontSize, Math.round(box.bottom)];
    })"""
    found = visit(suite, width).locator("thead tr:last-child th").evaluate_all(heads)
    assert len(found) >= 9 and len({size for size, _ in found}) == 1, found
    assert max(end for _, end in found) - min(end for _, end in found) <= 1, found


def test_buttons_stand_at_the_left_where_there_is_no_csv(tmp_path, visit, monkeypatch):
    """A large table's CSV is not in the page, so no link holds the place before the message."""
    monkeypatch.setattr(render, "CSV_IN_PAGE", 0)
    path = tmp_path / "table.html"
    path.write_text(render_table(SMALL, "html", full=True), encoding="utf-8")
    page = visit(path, 1280)
    tools = page.locator(".rk-tools > *")
    assert tools.evaluate_all("all => all.map(e => e.tagName)") == ["BUTTON", "BUTTON", "SPAN"]
    assert tools.first.bounding_box()["x"] == page.locator("table").bounding_box()["x"]


@pytest.mark.parametrize("kind", ["means", "differences"])
def test_on_a_phone_a_number_and_its_interval_are_whole(tmp_path, visit, kind):
    """Of 390 pixels a report leaves 358; the interval was cut after its first number."""
    [result] = suite_results(1, 8, gap=False, differences=True)
    table = make_table(result, kind)
    path = tmp_path / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    page = visit(path, 390)
    page.locator("main").evaluate("main => { main.style.padding = 0; main.style.width = '358px' }")
    room = page.locator(".rk-scroll").bounding_box()
    interval = page.locator("thead th").filter(has_text="95% CI").bounding_box()
    assert interval["x"] + interval["width"] <= room["x"] + room["width"] + 1


def test_on_a_phone_two_names_do_not_read_as_one(tmp_path, visit):
    """6 pixels, little more than a space, stood between a model and its baseline."""
    rng = np.random.default_rng(1)
    names = ("Galleon", "Dreadnought", "Frigate")
    right = {name: (rng.random(60) < 0.7).astype(int) for name in names}
    table = make_table(analyse(frame({"MATH": right}))[0], "differences")
    path = tmp_path / "differences.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    ends = """row => [...row.cells].slice(0, 2).map(cell => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return [range.getBoundingClientRect().left, range.getBoundingClientRect().right];
    })"""
    rows = visit(path, 390).locator("tbody tr").all()
    found = [row.evaluate(ends) for row in rows]
    assert min(second[0] - first[1] for first, second in found) > 9
    assert len({second[0] for _, second in found}) == 1


def test_on_a_phone_each_of_20_models_takes_two_lines(tmp_path, visit):
    results = [
        replace(r, eval=f"FrontierMath (public subset, tier {k})")
        for k, r in enumerate(suite_results(2, 20))
    ]
    table = together(make_table(results, "data"))
    path = tmp_path / "data.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    cells = visit(path, 330).locator("tbody td.l").filter(has_text="Each of 20 models")
    assert cells.count() == 1  # the other eval has 19
    assert max(cells.evaluate_all(LINES)) == 2


def test_on_a_phone_the_second_name_of_a_row_is_as_large_as_the_first(tmp_path, visit):
    """Of a comparison the baseline was larger than the model."""
    [result] = suite_results(1, 4, gap=False, differences=True)
    path = tmp_path / "table.html"
    path.write_text(render_table(make_table(result, "differences"), "html", full=True), "utf-8")
    row = visit(path, 390).locator("tbody tr").first
    sizes = row.locator("th, td.l").evaluate_all("x => x.map(e => getComputedStyle(e).fontSize)")
    assert len(sizes) == 2 and len(set(sizes)) == 1


NAMES = ("gpt3-babbage", "Llama-3.2-3B-Instruct", "GPT-5.1 (2025-11-13) (medium reasoning)")
LINES = """rows => rows.map(row => {
  const range = document.createRange();
  range.selectNodeContents(row);
  return new Set([...range.getClientRects()].map(r => Math.round(r.top))).size;
})"""


@pytest.mark.parametrize(
    ("width", "lines"), [(1280, [1, 1, 1]), (768, [1, 1, 2]), (390, [1, 2, 4])]
)
def test_a_name_breaks_only_where_the_page_has_no_room_for_it(width, lines, tmp_path, visit):
    """Of a table that is wider than a tablet heads break first; on a phone, where it scrolls, a
    name has 9.5rem, and a date stays whole.
    """
    heads = [f"A head of many words {k}" for k in range(6)]
    columns = (Column("Model", "l"), *map(Column, heads))
    cells = tuple((name, *["(-12.5, +12.5)"] * 6) for name in NAMES)
    table = Table("t", "T.", columns, cells, tuple((None, *[1.0] * 6) for _ in cells))
    path = tmp_path / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    names = visit(path, width).locator("tbody th[scope=row]")
    found = names.evaluate_all(LINES)
    assert all(a <= b for a, b in zip(found, lines, strict=True)), found


def test_a_caption_is_as_wide_as_the_notes_whatever_the_table_is(tmp_path, visit):
    """46rem, the measure of a text, or the screen; the table is narrower or wider than both."""
    note = "A note that is longer than any line of the page. " * 5
    path = tmp_path / "table.html"
    for columns in (SMALL.columns, SMALL.columns * 9):
        n = len(columns) // len(SMALL.columns)
        cells, values = (tuple(row * n for row in rows) for rows in (SMALL.cells, SMALL.values))
        table = replace(SMALL, columns=columns, cells=cells, values=values, bold=frozenset())
        table = replace(table, title=note, notes=(note,))
        path.write_text(render_table(table, "html", full=True), encoding="utf-8")
        for width, measure in ((1280, 736), (390, 358)):
            page = visit(path, width)
            for part in ("caption > span", ".rk-notes"):
                box = page.locator(part).bounding_box()
                assert box["width"] == pytest.approx(measure, abs=1), (width, part)


def test_the_first_click_on_scores_puts_the_best_on_top_where_lower_is_better(tmp_path, visit):
    """Means 0.2, 0.6, 0.4 of three models, as the scores say; the lowest is the best."""
    scores = [[0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [0, 1, 0, 1, 0]]
    table = make_table(result_of(scores, better="lower"), "means")
    path = tmp_path / "means.html"
    path.write_text(render_drop_in(table, "html"), encoding="ascii")
    page = visit(path)
    page.get_by_role("button", name="Mean").click()
    assert order(page) == ["A", "C", "B"]


def test_small_numbers_come_first_where_small_is_what_one_looks_for():
    # of 5 questions there is no detectable difference, and no column of it
    scores = [[1, 0, 1, 1, 1] * 10, [0, 0, 1, 0, 1] * 10]
    table = make_table(result_of(scores), "differences-all")
    orders = {c.key: first_order(table, c) for c in table.columns}
    small = {key for key, order in orders.items() if order == "ascending"}
    assert {"model", "baseline", "p_value", "mde"} <= small
    assert not {"difference", "ci", "correlation", "questions"} & small


# --- phones


def test_a_table_that_scrolls_sideways_shows_that_it_does(suite, visit, tmp_path):
    """Its right edge is darker than the page, until it is scrolled to its end."""
    page, picture = visit(suite, 390), tmp_path / "edge.png"

    def edge() -> int:
        box = page.locator(".rk-scroll").bounding_box()
        # below the last line, where no text is
        low = box["y"] + box["height"] - 5
        clip = {"x": box["x"] + box["width"] - 6, "y": low, "width": 5, "height": 2}
        page.screenshot(path=picture, clip=clip, full_page=True)
        return min(p for p in Image.open(picture).convert("L").getdata())

    assert edge() < 225
    page.evaluate("document.querySelector('.rk-scroll').scrollTo(9999, 0)")
    page.wait_for_timeout(50)
    assert edge() > 250


def test_a_phone_shows_three_models_and_a_desk_all_eight(suite, visit):
    for width, wanted in ((390, 3), (1280, 8)):
        page = visit(suite, width)
        room = page.locator(".rk-scroll").bounding_box()
        heads = page.locator("thead th[data-model]").all()
        ends = [b["x"] + b["width"] for h in heads if (b := h.bounding_box())]
        assert sum(end <= room["x"] + room["width"] + 1 for end in ends) >= wanted


def test_names_of_underscores_break_there_and_eight_models_fit_a_report(tmp_path, visit):
    """Evals as BFCL calls them, of one metric; a report leaves 1032 pixels of 1280."""
    long = {name: name.replace("-", "_") for name in model_names(8)}
    evals_ = ("executable_parallel_multiple_function", "java")
    results = [
        replace(renamed_result(r, long), eval=name)
        for r, name in zip(suite_results(3, 8, gap=False)[::2], evals_, strict=True)
    ]
    table = make_table(decided_suite(results, Decisions(), {}), "suite", rows="evals")
    path = tmp_path / "suite.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    page = visit(path, 1280)
    page.locator("main").evaluate("main => { main.style.width = main.style.maxWidth = '1072px' }")
    room, need = page.locator(".rk-scroll").evaluate("e => [e.clientWidth, e.scrollWidth]")
    assert need <= room <= 1032
    name = page.locator("tbody th[scope=row]").first
    assert name.inner_text().strip() == evals_[0]  # to copy and to search it is one word
    heads = page.locator("thead th[data-model]").all_text_contents()
    assert sorted(heads) == sorted(long.values())


@pytest.mark.parametrize("width", [390, 1280])
def test_a_name_of_200_letters_leaves_the_scores_on_the_screen(tmp_path, visit, width):
    names, values = ("x" * 200, "b"), ((None, 0.65, None), (None, 0.63, None))
    cells = tuple((n, "65.5% (0.7%)", "[64.2, 66.8]") for n in names)
    path = tmp_path / "long.html"
    table = replace(SMALL, cells=cells, values=values, bold=frozenset())
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    page = visit(path, width)
    score = page.locator("tbody td.r").first.bounding_box()
    assert score["x"] + score["width"] <= width
    # and in a head: 8 models, one of them with such a name
    heads = tuple(
        replace(c, head=c.head if i != 1 else "y" * 200) for i, c in enumerate(SMALL.columns)
    )
    path.write_text(
        render_table(replace(table, columns=heads), "html", full=True), encoding="utf-8"
    )
    page = visit(path, width)
    score = page.locator("tbody td.r").first.bounding_box()
    assert score["x"] + score["width"] <= width


def test_a_search_finds_what_is_printed_and_a_copy_has_single_spaces(visit, tmp_path):
    """Room that aligns numbers is no character of the page."""
    cells = (("A", "(−6.1, +0.7)"), ("B", "(−16.1, +10.7)"))
    path = tmp_path / "t.html"
    columns = (replace(SMALL.columns[0], group=""), replace(SMALL.columns[1], group=""))
    table = replace(SMALL, columns=columns, cells=cells, values=(), bold=frozenset(), data=())
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    page = visit(path)
    assert page.evaluate("window.find('(−6.1, +0.7)')")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('tbody'))")
    assert page.evaluate("getSelection().toString()").split("\n")[:2] == [
        "A\t(−6.1, +0.7)",
        "B\t(−16.1, +10.7)",
    ]


def test_on_a_tablet_no_digit_is_cut_where_the_table_is_hardly_wider(tmp_path, visit):
    """265 questions were shown as 26."""
    table = make_table(demo_scores(["HumanEval"]), "power")
    path = tmp_path / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    room = visit(path, 768).locator(".rk-scroll")
    assert room.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_on_a_phone_no_digit_is_cut_where_the_table_is_hardly_wider(tmp_path, visit):
    """ "5,000" was shown as "5,00", and little told that it scrolls."""
    heads = ("Eval", "Model", "Questions", "Answers")
    columns = tuple(Column(head, "l" if i < 2 else "r") for i, head in enumerate(heads))
    cells = (
        ("HumanEval", "Each of 3 models", "164", "1,640"),
        ("MGSM", "Each of 3 models", "9", "2,500"),
    )
    values = ((None, None, 164.0, 1640.0), (None, None, 9.0, 2500.0))
    table = Table("data", "What was read.", columns, cells, values=values)
    path = tmp_path / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    page = visit(path, 390)
    room = page.locator(".rk-scroll")
    assert room.evaluate("e => e.scrollWidth <= e.clientWidth")
    # Of a table that is 14 pixels wider the page's edge was white.
    page.add_style_tag(content="table { width: calc(100% + 14px) }")
    box, picture = room.bounding_box(), tmp_path / "edge.png"
    # beside the cells: a caption has a ground of its own
    low = box["y"] + box["height"] - 6
    edge = {"x": box["x"] + box["width"] - 12, "y": low, "width": 10, "height": 2}
    page.screenshot(path=picture, clip=edge)
    assert min(p for p in Image.open(picture).convert("L").getdata()) < 235
    page.add_style_tag(content=".rk-scroll { background: none !important }")
    page.screenshot(path=picture, clip=edge)  # no letter and no rule lies there
    assert min(p for p in Image.open(picture).convert("L").getdata()) == 255
