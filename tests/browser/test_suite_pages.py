"""A suite's report in a browser: the list of its reports, and what a printer makes of it."""

from dataclasses import replace

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from support.cells import code
from support.suites_made import suite_results

from reportkit import make_table
from reportkit.analysis.suite_decided import decided_suite
from reportkit.decisions import Decisions
from reportkit.documents.make import make_documents
from reportkit.report.shown import show_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (768, 2), (1280, 2)])
def test_the_reports_of_60_evals_are_a_list_in_columns(tmp_path, visit, width, columns):
    """46rem of a text hold two columns of 20rem, which hold names of 37 letters."""
    name = "executable_parallel_multiple_func"
    names = "\n".join(f"- [{name} {k}](../{k}/report.html)" for k in range(60))
    text = f"## Reports of the evals\n\n{names}"
    cells = [new_markdown_cell("# Suite"), new_markdown_cell(text)]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="Suite")
    items = visit(tmp_path / "report.html", width).locator("main li").all()
    boxes = [item.bounding_box() for item in items]
    assert len({box["x"] for box in boxes}) == columns and len(boxes) == 60
    assert width == 390 or max(box["height"] for box in boxes) < 40  # a name is not broken


# Pixels between the margins of turned pages, 12 mm: of A4 less 8 mm, of A3, A2 and A1, 96 an inch.
LARGER = {"rk-turned": 1002, "rk-turned-a3": 1496, "rk-turned-a2": 2154, "rk-turned-a1": 3087}


@pytest.mark.parametrize(
    ("models", "named"),
    [
        (10, "rk-turned"),
        pytest.param(20, "rk-turned", marks=pytest.mark.slow),
        pytest.param(29, "rk-turned-a3", marks=pytest.mark.slow),
        pytest.param(58, "rk-turned-a1", marks=pytest.mark.slow),
    ],
)
def test_in_print_a_suite_of_many_models_is_whole_on_turned_pages(models, named, tmp_path, visit):
    """In type of 7 points and more; heads of more than 12 models stand on end, none is cut."""
    results = suite_results(24 if models == 20 else 6, models, gap=False)
    results = [replace(r, eval=f"Eval {k}") for k, r in enumerate(results)]
    made = show_table(make_table(decided_suite(results, Decisions(), {}), "suite", rows="evals"))
    cells = [new_markdown_cell("# Suite\n\nText."), new_markdown_cell("## Scores")]
    cells.append(code(new_output("display_data", data=made.bundle)))
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="Suite")
    page = visit(tmp_path / "report.html", LARGER[named])
    page.emulate_media(media="print")
    pages = "e => getComputedStyle(e).page"
    found = [page.locator(where).evaluate(pages) for where in ("h2", "figure.rk-table", "h1")]
    assert found == [named, named, "auto"]
    heads = page.locator("thead tr:last-child th")
    right = heads.last.evaluate("e => e.getBoundingClientRect().right")
    assert right <= LARGER[named]
    sizes = "es => es.map(e => parseFloat(getComputedStyle(e).fontSize) * 72 / 96)"
    assert min(page.locator("thead th, tbody th, td").evaluate_all(sizes)) > 6.99
    modes = "es => new Set(es.map(e => getComputedStyle(e).writingMode)).size"
    assert page.locator("thead th[data-model]").evaluate_all(modes) == 1
    mode = heads.last.evaluate("e => getComputedStyle(e).writingMode")
    assert mode == ("horizontal-tb" if models == 10 else "sideways-lr")
    inside = (
        "es => es.every(e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth)"
    )
    assert heads.evaluate_all(inside)
    # A long table begins where it stands, not on the next page.
    inside = "e => getComputedStyle(e).breakInside"
    assert models != 20 or page.locator("figure.rk-table").evaluate(inside) == "auto"


def test_in_print_a_table_of_ten_columns_is_no_larger_than_others(tmp_path, visit):
    """It was of 9.8 points beside 8.5, and heads of 8.6. An error stands beside its score where
    the page has room: A4 upright has 178 mm, 673 pixels. It stood below some scores of a row alone.
    """
    cells = []
    for models in (2, 6):
        results = suite_results(4, models, gap=False)
        results = [replace(r, eval=f"Eval {k}") for k, r in enumerate(results)]
        made = show_table(make_table(decided_suite(results, Decisions(), {}), "suite"))
        cells.append(code(new_output("display_data", data=made.bundle)))
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="Suite")
    page = visit(tmp_path / "report.html", 673)
    page.emulate_media(media="print")
    few, wide = page.locator("table").all()
    assert "rk-wide" in wide.get_attribute("class")
    size = "e => parseFloat(getComputedStyle(e).fontSize) * 72 / 96"
    for table, points in ((few, 8.5), (wide, 8.0)):
        for part in ("thead th", "tbody td"):
            assert abs(table.locator(part).last.evaluate(size) - points) < 0.01, part
        assert table.evaluate("e => e.getBoundingClientRect().right") <= 673
    display = "es => [...new Set(es.map(e => getComputedStyle(e).display))]"
    assert few.locator(".rk-se").evaluate_all(display) == ["inline"]
    assert wide.locator(".rk-se").evaluate_all(display) == ["block"]


@pytest.mark.parametrize(("models", "shown"), [(3, "inline"), (5, "block")])
def test_on_a_tablet_an_error_stands_beside_its_score_where_a_row_has_room(
    tmp_path, visit, models, shown
):
    """Of three models it stood below, with a seventh of the page empty beside the table."""
    results = suite_results(5, models, gap=False)
    results = [replace(r, eval=f"Eval {k}") for k, r in enumerate(results)]
    made = show_table(make_table(decided_suite(results, Decisions(), {}), "suite"))
    cells = [code(new_output("display_data", data=made.bundle))]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="Suite")
    page = visit(tmp_path / "report.html", 768)
    display = "es => [...new Set(es.map(e => getComputedStyle(e).display))]"
    assert page.locator(".rk-se").evaluate_all(display) == [shown]
    assert page.locator(".rk-scroll").evaluate("e => e.scrollWidth - e.clientWidth") == 0
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.locator(".rk-se").evaluate_all(display) == ["block"]
