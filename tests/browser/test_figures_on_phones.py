"""A phone gets the figures that were drawn for a column, where there are any."""

import base64

import pytest
from nbformat.v4 import new_notebook
from support.cells import code, shown

from reportkit.documents.make import make_documents

pytestmark = pytest.mark.browser


# points: 3.17 and 6.5 inches
@pytest.mark.parametrize(("width", "wanted"), [(390, 228), (1280, 468)])
def test_each_width_of_page_has_its_figure(demo, visit, width, wanted):
    page = visit(demo / "report.html", width=width)
    shown = page.evaluate(
        "[...document.querySelectorAll('.rk-figure img')].map((i) => i.naturalWidth * 72 / 96)"
    )
    assert len(shown) >= 4 and all(abs(points - wanted) < 2 for points in shown)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_figure_that_no_phone_holds_scrolls_with_its_text_as_large_as_in_others(tmp_path, visit):
    """A figure of a page, 468 points wide, has type of 7 points and more: at 736 pixels of 11."""
    picture = '<picture><img src="data:image/svg+xml;base64,{}" alt="x"></picture>'
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="468pt" height="300pt"/>'
    html = f'<figure class="rk-figure">{picture.format(base64.b64encode(svg).decode())}</figure>'
    notebook = new_notebook(cells=[code(shown(html=html, plain="x"))])
    make_documents(notebook, tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html", 390)
    assert page.locator("img").bounding_box()["width"] == 736
    assert page.evaluate("document.documentElement.scrollWidth") == 390
