"""Headings over nothing, and lines that lead to what stands below them."""

import re
from pathlib import Path

import docx
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from pypdf import PdfReader
from support.cells import code, shown
from support.engines import latex
from support.sweeps import but_slow

from reportkit.documents.cells import idle_headings
from reportkit.documents.make import make_documents
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.latex import REPORT_LINE
from reportkit.tables.writers.render import render_table


def idle(*cells: tuple[str, bool]) -> set[int]:
    """Cells as their source, "" for code, and whether a document shows something of them."""
    made = [new_markdown_cell(text) if text else new_code_cell("x") for text, _ in cells]
    return idle_headings(made, [shown for _, shown in cells])


def test_a_heading_over_code_that_shows_nothing_goes():
    assert idle(("## A", True), ("", False), ("## B", True), ("", True)) == {0}
    assert idle(("## A", True), ("", False), ("", True)) == set()


def test_a_heading_goes_with_the_headings_below_it():
    cells = ("# A", True), ("## B", True), ("", False), ("## C", True), ("", False)
    assert idle(*cells) == {0, 1, 3}
    assert idle(*cells, ("# D", True), ("", True)) == {0, 1, 3}
    assert idle(*cells, ("", True)) == {1}


def test_a_users_own_headings_and_texts_stay():
    assert idle(("## A", True), ("## B", True)) == set()  # no code below: the user's own
    assert idle(("## A\nwith text", True), ("", False)) == set()
    assert idle(("## A", True), ("", False), ("text", True)) == set()
    assert idle(("#hashtag", True), ("", False)) == set()


COMMAND = "reportkit build --eval MATH"


@pytest.fixture(scope="module")
def led(tmp_path_factory):
    """Pages of a line that leads to a command, after so many lines that they would part."""
    folder = tmp_path_factory.mktemp("led")
    cells = [
        new_markdown_cell("A text.\n\n" * 3),
        code(shown(md="**Made again by:**")),
        code(shown(plain=COMMAND)),
    ]
    make_documents(new_notebook(cells=cells), folder, ["html", "tex", "docx"], title="T")
    return folder


def test_a_line_stays_on_the_page_of_the_command_that_it_leads_to(led):
    tex = (led / "report.tex").read_text(encoding="utf-8")
    assert re.search(r"Made again by:\}\s*\\par\\nopagebreak\s*\{\\ttfamily", tex)
    assert tex.count(r"\nopagebreak") == 1
    html = (led / "report.html").read_text(encoding="utf-8")
    assert re.search(r"Made again by:</strong></p>\s*<pre>reportkit build", html)
    assert "p:has(+ pre) { break-after: avoid; }" in html
    styles = {p.text: p.style.name for p in docx.Document(led / "report.docx").paragraphs}
    assert styles["Made again by:"] == "Lead In" and styles["A text."] != "Lead In"
    keeps = docx.Document(led / "report.docx").styles["Lead In"].paragraph_format.keep_with_next
    assert keeps is True


def test_in_word_the_list_above_them_stays_on_their_page_too(tmp_path):
    """ "Made again by:" and its command stood alone on a last page."""
    cells = [
        new_markdown_cell("- a list\n- of its own"),
        new_markdown_cell("A text."),
        code(shown(md="- **Scores:** generated.\n- **Seed:** 0.")),
        code(shown(md="**Made again by:**")),
        code(shown(plain=COMMAND)),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["docx"], title="T")
    made = docx.Document(tmp_path / "report.docx")
    styles = {p.text: p.style for p in made.paragraphs}
    assert styles["Scores: generated."].name == styles["Seed: 0."].name == "Kept List"
    assert styles["Seed: 0."].paragraph_format.keep_with_next is True
    assert styles["of its own"].name == "Compact"
    numbered = [
        p.text for p in made.paragraphs if p._p.pPr is not None and p._p.pPr.numPr is not None
    ]
    assert numbered == ["a list", "of its own", "Scores: generated.", "Seed: 0."]


@pytest.mark.parametrize(
    ("items", "last"), [(1, "Compact"), (3, "Kept List")], ids=["one", "three"]
)
def test_in_word_the_last_item_above_the_last_heading_stays_with_it(items, last, tmp_path):
    """But an only item stays with the line that names it, which LibreOffice left on its page."""
    item = "word " * 20
    cells = [
        code(shown(md="What was left out:\n\n" + f"- {item}\n" * items)),
        new_markdown_cell("## Made\n\nA text."),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["docx"], title="T")
    made = docx.Document(tmp_path / "report.docx").paragraphs
    styles = [p.style.name for p in made if p.text == item.strip()]
    assert styles == ["Compact"] * (items - 1) + [last]
    assert [p.style.name for p in made if p.text == "What was left out:"] == ["Lead In"]


def typeset(cells: list, folder: Path) -> list[str]:
    """The text of each page of report.tex; LaTeX refuses what is too high for its page."""
    make_documents(new_notebook(cells=cells), folder, ["tex"], title="T")
    latex("pdflatex", folder, "report.tex")
    return [page.extract_text() for page in PdfReader(folder / "report.pdf").pages]


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_the_list_above_them_stays_on_their_page_however_the_page_is_filled(tmp_path):
    """What leads to the command stood with it alone on a last page: a list's end lets a page end
    there, whatever stands behind it.
    """
    pages = set()
    for n in range(26, 33):
        cells = [
            new_markdown_cell("A text.\n\n" * n),
            code(shown(md="- **Scores:** generated.\n- **Seed:** 0.")),
            code(shown(md="**Made again by:**")),
            code(shown(plain=COMMAND)),
        ]
        texts = typeset(cells, tmp_path)
        assert "Seed" in texts[-1] or "Made again" not in texts[-1]
        pages.add(len(texts))
    assert pages == {1, 2}


@pytest.mark.latex
@pytest.mark.parametrize("lines", [34, 35, 36])
def test_what_a_full_page_has_no_room_for_is_not_left_alone_on_the_next(lines, tmp_path):
    """The second heading asks for a new page only where the one before it has begun."""
    cells = [
        new_markdown_cell("A text.\n\n" * lines),
        new_markdown_cell("## First\n\nx\n\n" + "word " * 22),
        new_markdown_cell("## Second\n\n" + "A text.\n\n" * 3),
    ]
    first, second = typeset(cells, tmp_path)
    assert "word" not in first and "word" in second and "Second" in second


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_the_last_heading_does_not_begin_a_page(tmp_path):
    """The list of what a report was made with had a last page for itself."""
    begun = set()
    for n in range(29, 33):
        cells = [
            new_markdown_cell("A text.\n\n" * n + "word " * 60),
            new_markdown_cell("## Made\n\n" + "A list.\n\n" * 9),
        ]
        _, last = typeset(cells, tmp_path)
        begun.add(last.split()[0])
    assert "Made" not in begun and "word" in begun


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_nor_does_it_below_a_list(tmp_path):
    """As the methods of a checked table are."""
    begun = set()
    for n in range(24, 28):
        cells = [
            new_markdown_cell("A text.\n\n" * n),
            code(shown(md="A text.\n\n" + f"- {'word ' * 20}\n" * 3)),
            new_markdown_cell("## Made\n\n" + "A list.\n\n" * 9),
        ]
        _, last = typeset(cells, tmp_path)
        begun.add(last.split()[0])
    assert "Made" not in begun and "•" in begun


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_the_list_and_its_heading_share_a_page_too(tmp_path):
    """One item of five stood below the heading, the others alone on a last page."""
    pages = set()
    for n in range(17, 26):
        cells = [
            new_markdown_cell("A text.\n\n" * n + "word " * 100),
            new_markdown_cell("## Made"),
            code(shown(md="- one\n- two\n- three\n- four\n- five")),
            code(shown(md="**Made again by:**")),
            code(shown(plain=COMMAND)),
        ]
        texts = typeset(cells, tmp_path)
        [on] = [k for k, text in enumerate(texts) if COMMAND in text]
        assert "Made\n" in texts[on] and "one" in texts[on] and "five" in texts[on]
        assert on == 0 or texts[on].startswith("word")
        pages.add(on)
    assert pages == {0, 1}


@pytest.mark.slow
@pytest.mark.latex
@pytest.mark.parametrize("below", but_slow(["> A quote.", "- an item"], "- an item"))
def test_in_latex_a_line_is_on_the_page_of_the_quote_or_the_list_that_it_names(below, tmp_path):
    """A page ended with "For your methods section:"."""
    pages = set()
    for n in range(32, 38):
        cells = [new_markdown_cell("A text.\n\n" * n + f"It says:\n\n{below}\n\nThe end.")]
        texts = typeset(cells, tmp_path)
        [on] = [k for k, text in enumerate(texts) if "It says" in text]
        assert below[2:] in texts[on]
        pages.add(on)
    assert pages == {0, 1}


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_no_figure_parts_a_short_list(tmp_path):
    """Between two warnings stood the figure that had waited for the head of the next page."""
    pages = set()
    for n in range(27, 32):
        cells = [
            new_markdown_cell("A text.\n\n" * 3),
            code(shown(tex=figure(640))),  # of a page of 700 pt, too high for the rest of the first
            new_markdown_cell("A text.\n\n" * n),
            code(shown(md="- the first warning\n- the second warning")),
            new_markdown_cell("The end."),
        ]
        texts = typeset(cells, tmp_path)
        [on] = [k for k, text in enumerate(texts) if "the first" in text]
        assert "the second" in texts[on]
        pages.add(on)
    assert len(pages) == 2


@pytest.mark.slow
@pytest.mark.latex
def test_in_latex_no_page_ends_within_a_command(tmp_path):
    """The last page of a plan was two lines of its command."""
    command = "reportkit build " + " ".join(f"--eval eval-{k}" for k in range(20, 60))
    pages = set()
    for n in range(27, 34):
        cells = [new_markdown_cell("A text.\n\n" * n), code(shown(plain=command))]
        texts = typeset(cells, tmp_path)
        [on] = [k for k, text in enumerate(texts) if "eval-20" in text]
        assert "eval-59" in texts[on]
        pages.add(on)
    assert pages == {0, 1}


def figure(height: int) -> str:
    return rf"\begin{{figure}}\rule{{9pt}}{{{height}pt}}\caption{{A figure.}}\end{{figure}}"


@pytest.mark.latex
@pytest.mark.parametrize(
    ("heights", "rows", "page"),
    [((400,), 10, 2), ((400,), 20, 3), ((220, 220), 4, 2), ((220, 220), 20, 3)],
)
def test_what_a_page_with_figures_has_no_room_for_stands_on_the_next(heights, rows, page, tmp_path):
    """Of 700 pt. Twenty rows below a figure of 400 pt ran over the number of the page. Two figures
    of 220 pt had a page for themselves, whatever came behind.
    """
    table = Table("t", "T.", (Column("Model", "l"), Column("Mean")), (("a", "1"),) * rows)
    cells = [
        new_markdown_cell("A line.\n\n" * 30),
        *(code(shown(tex=figure(height))) for height in heights),
        new_markdown_cell("## Heading"),
        code(shown(tex=render_table(table, "tex", width=REPORT_LINE))),
        new_markdown_cell("The end."),
    ]
    pages = typeset(cells, tmp_path)
    [on] = [k for k, text in enumerate(pages) if "Heading" in text]
    assert on == page - 1 and "A figure." in pages[1]
    assert pages[on].count("a 1") == rows and "The end." in pages[on]


@pytest.mark.slow
@pytest.mark.latex
@pytest.mark.parametrize("long", [False, True])
def test_in_latex_a_heading_asks_for_room_only_above_a_table_that_goes_over_pages(long, tmp_path):
    """Below 27 lines and their gaps, 530 pt, the page of 700 pt has room for a heading and two
    lines, and not for 15 lines of 13.6 pt: a text left the rest of the page empty. The head of a
    longtable with its first rows takes them.
    """
    columns = (Column("Model", "l"), Column("Mean"))
    table = Table("long", "Long.", columns, tuple((f"m-{i}", "1") for i in range(90)))
    below = code(shown(tex=render_table(table, "tex", width=REPORT_LINE)))
    if not long:
        below = new_markdown_cell("The text. " * 20)
    cells = [new_markdown_cell("A line.\n\n" * 27), new_markdown_cell("## Heading"), below]
    make_documents(new_notebook(cells=cells), tmp_path, ["tex"], title="T")
    for run in (1, 2, 3):
        latex("pdflatex", tmp_path, "report.tex", settled=run == 3)
    first = PdfReader(tmp_path / "report.pdf").pages[0].extract_text()
    assert ("Heading" in first, "The text" in first) == (not long, not long)


def test_in_a_pdf_they_share_a_page_however_the_lines_above_fill_it(tmp_path):
    pages = set()
    for n in (18, 19, 20, 21, 22, 23):
        cells = [
            new_markdown_cell("A text.\n\n" * 2 * n),
            code(shown(md="**Made again by:**")),
            code(shown(plain=f"{COMMAND}\n{COMMAND}")),
        ]
        make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="T")
        texts = [page.extract_text() for page in PdfReader(tmp_path / "report.pdf").pages]
        on = [k for k, text in enumerate(texts) if "Made again by" in text]
        assert [k for k, text in enumerate(texts) if COMMAND in text] == on
        pages |= set(on)
    assert len(pages) > 1  # the lines above did fill it


def test_in_a_pdf_the_list_above_them_shares_it_too(tmp_path):
    """A last page of the line and its command alone would be empty but for them."""
    pages = set()
    for lines in range(28, 37):
        cells = [
            new_markdown_cell("A text.\n\n" * lines + "## Made"),
            code(shown(md="- one\n- two\n- three")),
            code(shown(md="**Made again by:**")),
            code(shown(plain=COMMAND)),
        ]
        make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="T")
        texts = [page.extract_text() for page in PdfReader(tmp_path / "report.pdf").pages]
        [on] = [k for k, text in enumerate(texts) if COMMAND in text]
        assert "three" in texts[on] and "Made\n" in texts[on]
        pages.add(on)
    assert pages == {0, 1}
