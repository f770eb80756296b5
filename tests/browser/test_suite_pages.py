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

pytestmark = pytest.mark.browser


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


TURNED = 1002  # pixels between the margins of a turned page of A4, of 265 mm


def test_in_print_a_suite_of_20_models_is_whole_on_turned_pages(tmp_path, visit):
    results = [replace(r, eval=f"Eval {k}") for k, r in enumerate(suite_results(24, 20, gap=False))]
    made = show_table(make_table(decided_suite(results, Decisions(), {}), "suite"))
    cells = [new_markdown_cell("# Suite\n\nText."), new_markdown_cell("## Scores")]
    cells.append(code(new_output("display_data", data=made.bundle)))
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="Suite")
    page = visit(tmp_path / "report.html", TURNED)
    page.emulate_media(media="print")
    pages = "e => getComputedStyle(e).page"
    found = [page.locator(where).evaluate(pages) for where in ("h2", "figure.rk-table", "h1")]
    assert found == ["rk-turned", "rk-turned", "auto"]
    right = page.locator("thead tr:last-child th").last.evaluate(
        "e => e.getBoundingClientRect().right"
    )
    assert right <= TURNED
    # A long table begins where it stands, not on the next page.
    inside = "e => getComputedStyle(e).breakInside"
    assert page.locator("figure.rk-table").evaluate(inside) == "auto"
