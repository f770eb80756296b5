"""What a printer makes of report.html: pages that are full, figures and tables in their places."""

import base64
import io
from dataclasses import replace

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader
from support.cells import code, shown, table
from support.plans import plan
from support.sweeps import some
from support.tables import SMALL

from reportkit.documents.make import make_documents
from reportkit.tables.planning import plan_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LINE = "A line of text.\n\n"


def drawn(height: int, caption: str) -> str:
    """A figure of ours, `height` points high, that holds no text but its caption."""
    name = "http://www.w3.org/2000/svg"
    svg = (
        f'<svg xmlns="{name}" width="300pt" height="{height}pt"><rect width="9" height="9"/></svg>'
    )
    data = base64.b64encode(svg.encode()).decode()
    image = f'<picture><img src="data:image/svg+xml;base64,{data}" alt="x"></picture>'
    return f'<figure class="rk-figure">{image}<figcaption>{caption}</figcaption></figure>'


def of_rows(n: int, title: str):
    rows = tuple((f"{title}-{k}.", "65.5% (0.7%)", "x") for k in range(n))
    return replace(SMALL, title=title, cells=rows, values=(), bold=frozenset(), data=())


@pytest.fixture
def printed(tmp_path, visit):
    """The text of each page of a report of these cells: Markdown, figures as HTML, tables."""

    def printed(*parts) -> list[str]:
        cells = []
        for part in parts:
            if not isinstance(part, str):
                cells.append(code(table(part)))
            elif part.startswith("<figure"):
                cells.append(code(shown(html=part)))
            else:
                cells.append(new_markdown_cell(part))
        cells.append(code(new_output("stream", text="reportkit build --eval MATH")))
        make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
        pdf = visit(tmp_path / "report.html").pdf(format="A4")
        return [p.extract_text() for p in PdfReader(io.BytesIO(pdf)).pages]

    return printed


def page_of(said: str, pages: list[str]) -> int:
    return next(k for k, text in enumerate(pages) if said in text)


def test_what_follows_a_figure_without_room_moves_up(printed):
    """Half of a page was empty before a large figure. 20 lines are more than half of a page, and
    the figure of 400 points has no room on it: A4 has 740.
    """
    pages = printed(LINE * 20, drawn(400, "Drawn."), "After.", "## Next", of_rows(3, "short"))
    assert page_of("Drawn.", pages) == 1
    for said in ("After.", "Next", "short-0.", "short-2."):
        assert page_of(said, pages) == 0, said


def test_a_long_table_pages_later_leaves_no_page_half_empty(printed):
    """38% of a page of a plan was empty, as no figure before any long table moved."""
    pages = printed(
        LINE * 20, drawn(400, "Drawn."), "After.", "## Next", of_rows(3, "short"),
        *(f"## Part {k}\n\nText." for k in range(4)), of_rows(60, "long"),
    )  # fmt: skip
    assert page_of("Drawn.", pages) == 1
    assert page_of("After.", pages) == page_of("short-2.", pages) == 0


def test_no_figure_stands_within_a_table_that_breaks_in_print(printed):
    """The head of the table stood below the figure, without rows."""
    pages = printed(LINE * 20, drawn(400, "Drawn."), of_rows(60, "long"))
    assert page_of("Drawn.", pages) == page_of("long-0.", pages) == 1


@pytest.mark.parametrize("lines", some(range(15, 25)))
def test_of_a_table_that_breaks_in_print_four_rows_stand_on_each_side(lines, printed):
    """Tables of up to 20 rows were whole, and left up to half of the page before them empty."""
    pages = printed(LINE * lines, of_rows(14, "row"))
    first = page_of("row-0.", pages)
    assert page_of("row-3.", pages) == first
    assert page_of("row-10.", pages) == page_of("row-13.", pages)


@pytest.mark.parametrize("lines", some(range(23, 28), 2))
def test_in_print_no_head_is_without_rows_where_rows_are_several_lines_high(lines, printed):
    """Names of repositories take up to four lines: the head of public evals ended a page."""
    public = plan_table(plan(difference=0.05, mean=0.8), "planning-public")
    pages = printed(LINE * lines, "## Public", public)
    assert page_of(public.title, pages) == page_of("GSM8K", pages)


def test_a_table_of_14_rows_fills_a_page_in_print(printed):
    pages = printed(LINE * 19, of_rows(14, "row"))
    assert (page_of("row-0.", pages), page_of("row-13.", pages)) == (0, 1)


@pytest.mark.parametrize("lines", some(range(14, 30)))
def test_the_last_section_is_whole_in_print_and_not_alone(lines, printed):
    """A command, or "Made by", stood on the last page alone, and so did the section."""
    made = "## How\n\n- Seed: 0\n- Versions: 1\n- Tree: a"
    before = "First words. " + "A text of many words that goes on. " * 12 + "Last words."
    pages = printed(LINE * lines, before, made, "**Made again by:**")
    for said in ("How", "Seed", "Tree", "again", "--eval", "Made by", "Last words."):
        assert page_of(said, pages) == len(pages) - 1, said


def test_in_print_a_figure_as_tall_as_a_page_stands_behind_the_long_table(printed, visit, tmp_path):
    """More than a third of the page before it was empty. On the screen it stays where it was."""
    pages = printed(
        of_rows(58, "one"), drawn(600, "Tall 1."), drawn(600, "Tall 2."), of_rows(50, "two")
    )
    assert page_of("one-57.", pages) == page_of("two-0.", pages)
    assert page_of("two-49.", pages) <= page_of("Tall 1.", pages) < page_of("Tall 2.", pages)
    page = visit(tmp_path / "report.html")
    order = "es => es.map(e => e.textContent.match(/Tall .|one|two/)[0])"
    before = page.locator("main figure").evaluate_all(order)
    page.pdf()
    assert before == ["one", "Tall 1", "Tall 2", "two"]
    assert page.locator("main figure").evaluate_all(order) == before


def test_in_print_the_last_heading_is_as_near_as_others_and_no_line_is_cut(
    printed, visit, tmp_path
):
    """Its margin added to that of the text before. A border on the edge of a page has half its
    width.
    """
    printed("Text.", "## One\n\nText.", "## How\n\nText.", "**Made again by:**")
    page = visit(tmp_path / "report.html", 700)
    page.emulate_media(media="print")
    gaps = page.evaluate(
        "[...document.querySelectorAll('h2')].map(h => { let e = h; "
        "while (!e.previousElementSibling) e = e.parentElement; "
        "return h.getBoundingClientRect().top "
        "- e.previousElementSibling.getBoundingClientRect().bottom; })"
    )
    assert len(gaps) == 2 and abs(gaps[0] - gaps[1]) < 1
    edges = [page.locator(e).bounding_box() for e in ("pre", "main")]
    assert edges[0]["x"] + edges[0]["width"] == edges[1]["x"] + edges[1]["width"] - 1


def test_in_print_the_command_is_no_larger_than_the_lines_before_it(printed, visit, tmp_path):
    """They were of 8.5 points, the command and "Made by" of 10."""
    printed("## How\n\n- Seed: 0", "**Made again by:**")
    page = visit(tmp_path / "report.html")
    page.emulate_media(media="print")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    line = page.locator(".rk-last li").evaluate(size)
    assert page.locator(".rk-last pre").evaluate(size) <= line < 12  # pixels
    assert page.locator("footer").evaluate(size) <= line


@pytest.mark.parametrize("lines", some(range(24, 28), 2))
def test_the_reports_of_twelve_evals_stand_on_one_page_in_print(lines, printed):
    """Two columns went on in two columns of the next page, so that the third part of them had to be
    read before the second.
    """
    items = "".join(f"- [eval-{k}.](e{k}.html)\n" for k in range(12))
    pages = printed(LINE * lines, f"## Reports of the evals\n\n{items}", "## How\n\n- Seed: 0")
    assert len({page_of(f"eval-{k}.", pages) for k in range(12)}) == 1


def test_in_print_the_first_row_stands_apart_from_the_head_on_each_page(tmp_path, printed, visit):
    """It stood as near to the words of the head as to the next row, though a line lies between; on
    a further page, where Chromium repeats the head, nearer.
    """
    printed(of_rows(90, "row"))
    pages = PdfReader(io.BytesIO(visit(tmp_path / "report.html").pdf(format="A4"))).pages
    assert len(pages) == 2
    for page in pages:
        at: list[tuple[str, float]] = []  # the first letters of a text, and points from below

        def seen(text, cm, tm, font, size, at=at):
            at.append((text.strip()[:4], cm[3] * tm[5] + cm[5]))

        page.extract_text(visitor_text=seen)
        [head] = [y for text, y in at if text == "Mode"]
        first, second, *_ = sorted({y for text, y in at if text == "row-"}, reverse=True)
        assert head - first > first - second + 1.5
