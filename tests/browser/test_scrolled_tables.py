"""Tables on a phone at the ends of their sideways scroll, and those that just fit."""

from dataclasses import replace

import pytest
from PIL import Image
from playwright.sync_api import expect
from support.plans import plan
from support.suites_made import suite_results
from support.tables import SMALL

from reportkit import demo_scores, make_table
from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import decided_suite
from reportkit.decisions import Decisions
from reportkit.tables.planning import plan_table
from reportkit.tables.renaming import renamed_result
from reportkit.tables.writers.render import render_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]
AT_ITS_END = "e => { e.scrollLeft = e.scrollWidth; }"


def page_of(table, folder, visit, width=390, **options):
    path = folder / "table.html"
    path.write_text(render_table(table, "html", full=True), encoding="utf-8")
    return visit(path, width, **options)


def colours(page, box, folder):
    page.screenshot(path=folder / "part.png", clip=box, full_page=True)
    return len(Image.open(folder / "part.png").convert("RGB").getcolors())


@pytest.fixture
def power(tmp_path, visit):
    return page_of(make_table(demo_scores(["HumanEval"]), "power"), tmp_path, visit)


def test_no_shadow_lies_between_the_names_that_stay_in_view(power, tmp_path):
    """That of the scroll's left end was a grey dash between every two names."""
    scroll = power.locator(".rk-scroll")
    scroll.evaluate(AT_ITS_END)
    assert scroll.evaluate("e => e.scrollLeft") > 0
    power.add_style_tag(content=".rk-table table { color: transparent !important; }")
    names = power.locator("tbody").bounding_box() | {"x": 16, "width": 60}
    names |= {"y": names["y"] + 4, "height": names["height"] - 8}
    assert colours(power, names, tmp_path) == 1


def test_beside_them_is_one_while_numbers_lie_under_them(power):
    scroll, of_a_name = power.locator(".rk-scroll"), "e => getComputedStyle(e, '::after').content"
    names = power.locator("tr:not(thead tr + tr) > th:first-child")
    assert names.evaluate_all(f"es => es.map({of_a_name})") == ["none"] * 4
    scroll.evaluate(AT_ITS_END)
    expect(scroll).to_have_class("rk-scroll rk-scrolled")
    assert names.evaluate_all(f"es => es.map({of_a_name})") == ['""'] * 4
    scroll.evaluate("e => { e.scrollLeft = 0; }")
    expect(scroll).to_have_class("rk-scroll")


def test_no_words_of_a_spanning_head_lie_over_the_names(power):
    """ "etectable difference" stood above "Model"."""
    power.locator(".rk-scroll").evaluate(AT_ITS_END)
    over = power.locator("thead tr:first-child > th:first-child")
    expect(over).to_have_css("position", "sticky")
    assert over.bounding_box()["x"] == 16


def test_numbers_below_a_head_that_stays_in_view_stay_too(tmp_path, visit):
    """Scrolled to its end, a plan's "Difference (points)" stood over the questions."""
    planned = plan(difference=0.05, mean=0.7, cluster_size=5, cost_question=5.0, cost_answer=0.05)
    page = page_of(plan_table(planned, "planning-differences"), tmp_path, visit, 320)
    scroll = page.locator(".rk-scroll")
    scroll.evaluate(AT_ITS_END)
    assert scroll.evaluate("e => e.scrollLeft") > 0
    lefts = "es => es.map((e) => e.getBoundingClientRect().x)"
    first = page.locator("tr > :first-child").evaluate_all(lefts)
    assert len(first) > 3 and set(first) == {16}


FIRST_LINE = """e => { const range = document.createRange(); range.selectNodeContents(e);
    return range.getBoundingClientRect().top - e.closest('thead').getBoundingClientRect().top; }"""


@pytest.mark.parametrize(
    ("kind", "head"), [("variance", "Noise share"), ("suite-ranks", "95% rank set")]
)
def test_heads_of_two_lines_begin_beside_those_of_groups(kind, head, tmp_path, visit):
    """Where the groups lie to the right, what a phone showed of the first row was empty. The first
    line begins where the padding of the head ends, .3 of its letters.
    """
    if kind == "suite-ranks":
        s = decided_suite(suite_results(2, 6, gap=False), Decisions(), {})
        page = page_of(make_table(s, "suite-ranks"), tmp_path, visit)
    else:
        page = page_of(make_table(demo_scores(["HumanEval"]), kind), tmp_path, visit)
    assert page.locator(".rk-scroll").evaluate("e => e.scrollWidth > e.clientWidth")
    assert page.locator("thead td").count() == 0
    assert page.locator("thead th", has_text=head).evaluate(FIRST_LINE) < 10


def test_heads_below_those_of_groups_have_one_line_on_a_phone(tmp_path, visit):
    """ "Detectable / difference" over "4x / questions" were four lines above "Model". A line of the
    head is 1.55 of its letters, which are .72 to .82 of 16 pixels: two are less than 40.6 high.
    """
    results = suite_results(2, 3, gap=False)
    page = page_of(make_table(results[0], "power"), tmp_path, visit)
    below = page.locator("thead tr + tr > th")
    assert "4× questions" in [text.strip() for text in below.all_inner_texts()]
    words = "e => { const r = document.createRange(); r.selectNodeContents(e); return r }"
    heights = below.evaluate_all(f"es => es.map(e => ({words})(e).getBoundingClientRect().height)")
    assert max(heights) < 40.6


def test_below_the_heads_of_groups_each_head_sorts_its_own_column(tmp_path, visit):
    page = page_of(make_table(demo_scores(["HumanEval"]), "variance"), tmp_path, visit, 1280)
    for column, head in enumerate(["Model", "Between", "Within", "Noise share", "as now"]):
        page.get_by_role("button", name=head, exact=True).click()
        cells = page.locator(f"tbody tr > :nth-child({column + 1})")
        shown = cells.all_inner_texts()
        numbers = [float(text.rstrip("%")) if column else text for text in shown]
        down = page.locator("thead th", has_text=head).get_attribute("aria-sort") == "descending"
        assert numbers == sorted(numbers, reverse=down) and down == (column in (1, 2, 3))


def test_as_text_a_copied_head_stands_above_its_own_column(tmp_path, visit):
    """Without the heads that take both rows, those below groups stood above the first columns."""
    page = page_of(make_table(demo_scores(["HumanEval"]), "power"), tmp_path, visit, 1280)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("() => getSelection().selectAllChildren(document.querySelector('figure'))")
    page.keyboard.press("Control+C")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("Model"))
    groups, heads, row = (line.split("\t") for line in lines[start : start + 3])
    assert len(groups) == len(heads) == len(row) == 8
    assert groups[2:6] == ["Detectable difference", "", "", "Questions needed to detect"]
    assert heads[:3] == ["", "", "as it is"] and heads[5] == "1 point"


def test_no_shadow_lies_beside_a_caption_that_is_narrower_than_its_table(tmp_path, visit):
    results = suite_results(2, 25, gap=False)
    table = make_table(decided_suite(results, Decisions(), {}), "suite", rows="evals")
    page = page_of(table, tmp_path, visit, 1280)
    assert page.locator(".rk-scroll").evaluate("e => e.scrollWidth > e.clientWidth")
    room, caption = (page.locator(of).bounding_box() for of in (".rk-scroll", "caption"))
    end = {"x": room["x"] + room["width"] - 20, "y": caption["y"], "width": 20}
    assert colours(page, end | {"height": caption["height"] - 3}, tmp_path) == 1


def test_a_table_that_fits_has_no_trace_of_a_shadow(tmp_path, visit):
    """A line of another white stood at its right."""
    page = page_of(SMALL, tmp_path, visit, 768)
    box = page.locator(".rk-scroll").bounding_box()
    table = page.locator("table").bounding_box()
    assert table["x"] + table["width"] < box["x"] + box["width"] - 30
    end = {"x": box["x"] + box["width"] - 30, "y": box["y"] + 40, "width": 30, "height": 40}
    assert colours(page, end, tmp_path) == 1


def test_a_name_without_a_place_to_break_cuts_no_interval(tmp_path, visit):
    """Its column was as wide as the name, so that the intervals lost their last digits."""
    result = analyse(demo_scores(["MATH"]), "MATH")[0]
    named = renamed_result(result, {"Galleon": '=HYPERLINK("http://x")'})
    page = page_of(make_table(named, "means"), tmp_path, visit)
    expect(page.locator("table")).to_have_class("rk-few")
    assert page.locator(".rk-scroll").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_lines_of_a_name_are_as_long_as_each_other(tmp_path, visit):
    """ "Meta-Llama-3-" stood above "8B"."""
    result = analyse(demo_scores(["MATH"]), "MATH")[0]
    named = renamed_result(result, {"Galleon": "Meta-Llama-3-70-8B"})
    page = page_of(make_table(named, "differences"), tmp_path, visit)
    lines = """e => { const range = document.createRange(); range.selectNodeContents(e);
        return [...range.getClientRects()].map((r) => r.width); }"""
    widths = page.locator("tbody th[scope=row]").first.evaluate(lines)
    assert len(widths) == 2 and min(widths) > 0.5 * max(widths)


def test_a_letter_of_a_head_stands_on_no_line_alone():
    """The p of "Adjusted p" did."""
    columns = (SMALL.columns[0], replace(SMALL.columns[1], head="Adjusted p"), SMALL.columns[2])
    assert 'r rk-short"' in render_table(replace(SMALL, columns=columns), "html")
