"""A phone gets the figures that were drawn for a column, where there are any."""

import base64

import pytest
from nbformat.v4 import new_notebook
from PIL import Image
from playwright.sync_api import expect
from support.cells import code, shown

from reportkit.documents.make import make_documents

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_figure_that_scrolls_has_a_shadow_where_more_of_it_is(tmp_path, visit, scheme):
    """A matrix of 58 models ended at the edge of a phone as if it were whole. The picture is white:
    what of it is not white at an edge lies in a shadow.
    """
    svg = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="468pt" height="300pt">'
        b'<rect width="100%" height="100%" fill="white"/></svg>'
    )
    data = base64.b64encode(svg).decode()
    picture = f'<picture><img src="data:image/svg+xml;base64,{data}" alt="x"></picture>'
    html = f'<figure class="rk-figure">{picture}<figcaption>Words.</figcaption></figure>'
    make_documents(new_notebook(cells=[code(shown(html=html))]), tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html", 390, color_scheme=scheme)
    scroll, figure = page.locator(".rk-figure .rk-scroll"), page.locator(".rk-figure")
    box = scroll.bounding_box()

    def shadows(left: int) -> list[bool]:
        scroll.evaluate(f"e => {{ e.scrollLeft = {left}; }}")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.screenshot(path=tmp_path / "part.png")
        of = Image.open(tmp_path / "part.png").convert("L")
        y, middle = box["y"] + box["height"] / 2, of.getpixel((195, int(box["y"] + 99)))
        ends = (box["x"] + 2, box["x"] + box["width"] - 2)
        return [of.getpixel((int(x), int(y))) < middle - 20 for x in ends]

    assert shadows(0) == [False, True]
    assert shadows(100) == [True, True]
    assert shadows(9999) == [True, False]
    words = page.locator("figcaption").bounding_box()
    assert words["y"] >= box["y"] + box["height"]
    assert figure.bounding_box()["width"] == box["width"]
    page.set_viewport_size({"width": 1280, "height": 900})
    scroll.evaluate("e => { e.scrollLeft = 0; }")
    expect(scroll).to_have_class("rk-scroll")
