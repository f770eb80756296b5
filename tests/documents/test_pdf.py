"""The PDF: tagged, with outline, title and language, whole tables, and nothing needed but Python's
own packages.
"""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader
from support import pdfs
from support.pdfs import embedded
from support.places import ROOT
from support.tables import SMALL

from reportkit.documents.make import make_documents
from reportkit.figures import Figure
from reportkit.report.shown import show_figure, show_table
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_table

MODELS = 60
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40">'
    b'<rect width="50" height="20" fill="teal"/></svg>'
)
FIGURE = Figure("f", "A figure.", 'Alternative "text" of it', SVG, b"", b"")


def output(bundle) -> object:
    return new_code_cell("", outputs=[new_output("display_data", data=dict(bundle))])


def table_cell(table: Table) -> object:
    return output({"text/vnd.typst": render_table(table, "typ"), "text/plain": "x"})


def many(rows: int = MODELS, columns: int = 7) -> Table:
    heads = (Column("Model", "l"), *[Column(f"Head-{i}") for i in range(columns)])
    cells = tuple((f"row-{i}", *["65.5% (0.7%)"] * columns) for i in range(rows))
    return Table("many", "Many models.", heads, cells, notes=("The note of the table.",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pdf")
    (folder / "figures").mkdir()
    (folder / "figures" / "f.svg").write_bytes(SVG)
    cells = [
        new_markdown_cell("## Findings\n\nText with $x^2$.\n\n#### Deep\n\n## Scores"),
        output(show_figure(FIGURE, 1).bundle),
        table_cell(many()),
        table_cell(SMALL),
    ]
    make_documents(new_notebook(cells=cells), folder, ["pdf"], title="MATH <1>")
    return folder


def pages(path: Path) -> list[str]:
    return pdfs.pages(path)


def test_it_is_tagged_accessible_pdf_with_title_and_language(folder):
    reader = PdfReader(folder / "report.pdf")
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and root["/StructTreeRoot"] and root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"] and reader.metadata.title == "MATH <1>"
    # PDF/UA-1, which Typst checks as it writes
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert "/ModDate" not in reader.metadata and "/CreationDate" not in reader.metadata


def test_headings_are_the_outline_without_gaps(folder):
    def tree(items, depth=1):
        for item in items:
            if isinstance(item, list):
                yield from tree(item, depth + 1)
            else:
                yield depth, item.title

    outline = list(tree(PdfReader(folder / "report.pdf").outline))
    assert outline == [(1, "MATH <1>"), (2, "Findings"), (3, "Deep"), (2, "Scores")]


def test_figures_and_formulas_have_alternative_texts(folder):
    found, kinds = set(), set()

    def walk(node):
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            for child in node:
                walk(child)
        elif isinstance(node, dict):
            kinds.add(str(node.get("/S", "")))
            if "/Alt" in node:
                found.add(str(node["/Alt"]))
            if "/K" in node:
                walk(node["/K"])

    walk(PdfReader(folder / "report.pdf").trailer["/Root"]["/StructTreeRoot"])
    assert found >= {'Alternative "text" of it', "x^2"}
    assert {"/Table", "/TR", "/TH", "/TD", "/Caption"} <= kinds


def tagged(node, kind: str) -> list:
    """The parts of one kind in a PDF's tree of tags, in order."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return [part for child in node for part in tagged(child, kind)]
    if not isinstance(node, dict):
        return []
    own = [node] if node.get("/S") == kind else []
    return own + tagged(node.get("/K", []), kind)


def tags(path: Path):
    return PdfReader(path).trailer["/Root"]["/StructTreeRoot"]


def test_the_last_rows_of_a_table_are_rows_like_the_others(folder):
    """They share a page with the notes as Typst's foot of the table; tags called them its foot."""
    long, _ = tagged(tags(folder / "report.pdf"), "/Table")
    assert not tagged(long, "/TFoot") and len(tagged(long, "/THead")) == 1
    rows = [row for body in tagged(long, "/TBody") for row in tagged(body, "/TR")]
    assert len(rows) == MODELS + 1  # the notes


def heads_of(cell) -> tuple[str, str, list[str]]:
    """A cell's tag, what it is the head of, and the heads that are listed for it."""
    found = [part for part in cell.get("/A", []) if part["/O"] == "/Table"]
    [table] = [part.get_object() for part in found]
    listed = [str(head) for head in table.get("/Headers", [])]
    return str(cell["/S"]), str(table.get("/Scope", "")), listed


@pytest.mark.parametrize("sections", [(), ((0, "Maths"), (2, "Hard"))])
def test_the_name_of_a_row_is_the_head_of_its_row(tmp_path, sections):
    """It was a cell like the others, of which each listed the heads of its column alone. Past a
    heading between rows heads are not found, so that there the lists stay.
    """
    table = replace(grouped(), sections=sections)
    make_documents(new_notebook(cells=[table_cell(table)]), tmp_path, ["pdf"], title="E")
    [made] = tagged(tags(tmp_path / "report.pdf"), "/Table")
    rows = [row["/K"] for body in tagged(made, "/TBody") for row in tagged(body, "/TR")]
    rows = [[heads_of(cell.get_object()) for cell in row] for row in rows]
    names, numbers = [row[0] for row in rows if len(row) > 1], [row[1] for row in rows if row[1:]]
    assert {name[:2] for name in names} == {("/TH", "/Row")} and len(names) == 4
    assert {number[:2] for number in numbers} == {("/TD", "")}
    assert all(bool(number[2]) == bool(sections) for number in numbers)
    heads = [heads_of(head) for row in tagged(made, "/THead") for head in tagged(row, "/TH")]
    assert {head[:2] for head in heads} == {("/TH", "/Column")}


def test_a_users_table_keeps_the_tags_of_typst(tmp_path):
    """Its first column may be of numbers."""
    cells = [new_markdown_cell("| a | b |\n|---|---|\n| x | 1 |")]
    make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="E")
    [made] = tagged(tags(tmp_path / "report.pdf"), "/Table")
    [first, _] = tagged(made, "/TD")
    assert heads_of(first) == ("/TD", "", ["U1x0y0"])


def grouped() -> Table:
    heads = ("as it is", "4x questions"), ("1 point", "5 points")
    columns = [
        Column(head, group=group)
        for group, part in zip(("Detectable", "Needed"), heads, strict=True)
        for head in part
    ]
    columns = (Column("Model", "l"), *columns, Column("df"))
    cells = tuple((f"row-{i}", *["1.2"] * 5) for i in range(4))
    return Table("grouped", "Groups.", columns, cells)


@pytest.fixture(scope="module")
def of_groups(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("groups")
    make_documents(new_notebook(cells=[table_cell(grouped())]), folder, ["pdf"], title="E")
    return folder / "report.pdf"


def test_no_head_of_a_table_is_empty_beside_those_of_groups(of_groups):
    """Six columns and two groups; the heads of "Model" and "df" are two rows high."""
    [head] = tagged(tags(of_groups), "/THead")
    heads = tagged(head, "/TH")
    assert len(heads) == 8 and all(head["/K"] for head in heads)
    spans = [a.get("/RowSpan", 1) for h in heads for a in h["/A"] if a["/O"] == "/Table"]
    assert spans == [2, 1, 1, 2, 1, 1, 1, 1]


def test_the_lines_below_two_groups_do_not_meet(of_groups):
    """They were one line; each now leaves free the room beside its columns, 4 pt of each side."""
    content = PdfReader(of_groups).pages[0].get_contents().get_data().decode("latin-1")
    number = r"([\d.]+)"
    drawn = re.findall(rf"-1 {number} {number} cm/c0 CS 0 SCN 0\.36 w .*? m {number} 0 l", content)
    (left, up, wide), (right, level, _) = sorted(tuple(map(float, line)) for line in drawn)
    assert up == level and right - (left + wide) == pytest.approx(8, abs=0.01)


def test_every_font_is_embedded(folder):
    assert "LibertinusSerif-Regular-Identity-H" in embedded(folder / "report.pdf")


def test_a_long_table_breaks_with_its_head_and_keeps_its_note(folder):
    text = pages(folder / "report.pdf")
    rows = [set(re.findall(r"row-\d+", page)) for page in text]
    with_rows = [i for i, found in enumerate(rows) if found]
    assert len(with_rows) >= 2 and set.union(*rows) == {f"row-{i}" for i in range(MODELS)}
    assert all("Head-6" in text[i] for i in with_rows)
    last = next(i for i, page in enumerate(text) if "The note of the table." in page)
    assert {f"row-{MODELS - 2}", f"row-{MODELS - 1}"} <= rows[last]


@pytest.mark.parametrize("rows", range(36, 48, 2))
def test_a_note_never_stands_on_a_page_without_rows(rows, tmp_path):
    make_documents(new_notebook(cells=[table_cell(many(rows))]), tmp_path, ["pdf"], title="E")
    text = pages(tmp_path / "report.pdf")
    [last] = [page for page in text if "The note of the table." in page]
    assert f"row-{rows - 1}" in last and f"row-{rows - 2}" in last
    assert "Many models." in next(page for page in text if "row-0" in page)


def test_a_wide_table_goes_on_in_parts_and_no_type_is_below_8_points(tmp_path):
    """Ten columns of 12 letters take more than a line of A4: two parts of eight columns each."""
    make_documents(new_notebook(cells=[table_cell(many(8, 16))]), tmp_path, ["pdf"], title="E")
    text = "".join(pages(tmp_path / "report.pdf"))
    assert all(f"Head-{i}" in text for i in range(16)) and text.count("row-7") == 2
    assert text.count("65.5%") == 8 * 16 and text.count("Many models.") == 1
    assert min(pdfs.type_sizes(tmp_path / "report.pdf")) >= 7.99


@pytest.mark.parametrize("lines", [34, 35, 36])
def test_no_heading_stands_above_the_first_line_of_a_list_alone(lines, tmp_path):
    points = "\n".join(f"- point {k}" for k in range(5))
    cells = [new_markdown_cell("A text.\n\n" * lines + "## Made\n\n" + points)]
    make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="E")
    [page] = [page for page in pages(tmp_path / "report.pdf") if "Made" in page]
    assert all(f"point {k}" in page for k in range(5))


@pytest.mark.parametrize("below", ["> A sentence to quote.", "- An item."])
def test_a_line_that_names_what_is_below_it_is_on_its_page(below, tmp_path):
    """A plan's "To show that a model is not worse:" was the last line of a page, and the sentence
    the first of the next. Of so many lines above, some put it there.
    """
    for lines in range(33, 41):
        cell = new_markdown_cell("A text.\n\n" * lines + f"To copy:\n\n{below}")
        make_documents(new_notebook(cells=[cell]), tmp_path, ["pdf"], title="E")
        [page] = [page for page in pages(tmp_path / "report.pdf") if "To copy:" in page]
        assert below[2:] in page


@pytest.mark.parametrize("above", ["**References:** Miller 2024.", "References:\n\n- Miller\n- Wu"])
@pytest.mark.parametrize("lines", [34, 35, 36, 37])
def test_how_it_was_made_does_not_stand_alone_on_the_last_page(lines, above, tmp_path):
    """The references or the list above it go with it, and nothing else does. It was alone in four
    of the twelve reports that were looked at, and below the list of a checked table.
    """
    shown = "**Means.** Of scores.\n\n" * lines + above
    made = "- a seed\n- a version\n- an input"
    cells = [new_markdown_cell("## Methods"), output({"text/markdown": shown})]
    cells += [new_markdown_cell("## Made"), output({"text/markdown": made})]
    make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="E")
    *before, last = pages(tmp_path / "report.pdf")
    assert "Made" in last and "an input" in last and "References:" in last
    assert "".join(before).count("Means.") == lines


def test_the_end_of_a_users_quote_above_the_last_heading_stays_in_it(tmp_path):
    quote = "> A quote.\n>\n> **Its** end \\["
    cells = [output({"text/markdown": quote}), new_markdown_cell("## Last")]
    make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="E")
    assert "Its end [" in "".join(pages(tmp_path / "report.pdf"))


def test_pages_are_counted_and_named(folder):
    text = pages(folder / "report.pdf")
    for number, page in enumerate(text, 1):
        assert page.rstrip().endswith(f"{number} of {len(text)}")
        assert ("MATH <1>" in page.lstrip().splitlines()[0]) or number == 1


def test_what_accessibility_forbids_still_makes_a_tagged_pdf(tmp_path):
    """A user's own Typst may hold an image without alternative text; PDF/UA does not allow that."""
    (tmp_path / "f.svg").write_bytes(SVG)
    cell = output({"text/vnd.typst": '#image("f.svg")', "text/plain": "x"})
    make_documents(new_notebook(cells=[cell]), tmp_path, ["pdf"], title="E")
    root = PdfReader(tmp_path / "report.pdf").trailer["/Root"]
    assert (
        root["/MarkInfo"]["/Marked"]
        and b"pdfuaid:part" not in root["/Metadata"].get_object().get_data()
    )


@pytest.mark.slow
def test_documents_need_no_program_on_the_path(tmp_path):
    cell = new_markdown_cell("Text $x$ 中文")
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "in.ipynb")
    code = "import sys, nbformat, pathlib\nfrom reportkit.documents.make import make_documents\n"
    code += "make_documents(nbformat.read('in.ipynb', 4), pathlib.Path('out'), title='E')"
    (tmp_path / "out").mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYPANDOC", "TEX"))} | {
        "PATH": str(tmp_path / "none")
    }
    root = str(ROOT)
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=env | {"PYTHONPATH": root},
        check=True,
        timeout=60,
    )
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "中文" in "".join(pages(tmp_path / "out" / "report.pdf"))


ROWS = tuple((f"eval-{k}", "100") for k in range(8))
READ = Table("data", "What was read.", (Column("Eval", "l"), Column("Answers")), ROWS)


@pytest.mark.parametrize(
    ("above", "lines", "beside"),
    [
        ({"text/markdown": "Each model: 5 questions.", "text/plain": "x"}, range(34, 42),
         ("Each model", "Data")),
        (show_table(READ).bundle, range(18, 32), ("eval-7", "What was read")),
    ],
)  # fmt: skip
def test_the_last_line_of_a_section_is_on_the_page_of_what_is_above_it(
    above, lines, beside, tmp_path
):
    """Alone at the head of a page stood, below figures, that there are no warnings, and below a
    suite's data that scores are generated.
    """
    found = set()
    for n in lines:
        cells = [
            new_markdown_cell("A text.\n\n" * n + "## Data"),
            output(above),
            output({"text/markdown": "These are generated.", "text/plain": "x"}),
            new_markdown_cell("## Methods\n\nA text."),
        ]
        make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="t")
        texts = pages(tmp_path / "report.pdf")
        [where] = [i for i, page in enumerate(texts) if "These are generated" in page]
        assert all(text in texts[where] for text in beside)
        found.add(where)
    assert found == {0, 1}


def test_no_line_of_a_command_ends_within_an_option(tmp_path):
    """Typst ends a line behind any hyphen: a command that is copied from it would not run."""
    command = "reportkit build " + " ".join(f"--eval {'e' * k}" for k in range(1, 40))
    cell = output({"text/plain": command})
    make_documents(new_notebook(cells=[cell]), tmp_path, ["pdf"], title="t")
    text = "\n".join(pages(tmp_path / "report.pdf"))
    assert text.count("--eval") == 39
    assert all(re.search(rf"--eval e{{{k}}}(?!e)", text) for k in range(1, 40))


def test_no_line_of_prose_ends_within_an_option(tmp_path):
    """A finding of a checked table ended with "or --", and the next line began with "scores"."""
    text = " ".join(f"{'w' * k} --scores" for k in range(1, 40))
    make_documents(new_notebook(cells=[new_markdown_cell(text)]), tmp_path, ["pdf"], title="t")
    assert "\n".join(pages(tmp_path / "report.pdf")).count("--scores") == 39


def test_no_line_of_a_command_ends_within_a_name_and_it_stays_on_a_page(tmp_path):
    """Its last two lines stood on a page of their own, and "bfcl-" at the end of a line."""
    names = [f"bfcl-executable_{'multiple_' * (k % 3)}function-{k}" for k in range(12)]
    command = "reportkit build suite.csv " + " ".join(f"--eval {name}" for name in names)
    for lines in (31, 32, 33):
        cells = [new_markdown_cell("A text.\n\n" * lines), output({"text/plain": command})]
        make_documents(new_notebook(cells=cells), tmp_path, ["pdf"], title="t")
        [page] = [page for page in pages(tmp_path / "report.pdf") if "bfcl" in page]
        assert all(name in page for name in names)


def drawn(inches: float) -> bytes:
    """An SVG as wide as the figures of a report."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="624" height="{96 * inches}"/>'.encode()


def with_figures(folder: Path, parts: list[float | str]) -> list[str]:
    """The pages of a document of text and figures so many inches high."""
    (folder / "figures").mkdir()
    cells = []
    for k, part in enumerate(parts):
        if isinstance(part, str):
            cells.append(new_markdown_cell(part))
        else:
            figure = Figure(f"f{k}", f"Of {k}.", f"Alternative {k}", drawn(part), b"", b"")
            (folder / "figures" / f"f{k}.svg").write_bytes(figure.svg)
            cells.append(output(show_figure(figure, k).bundle))
    make_documents(new_notebook(cells=cells), folder, ["pdf"], title="E")
    return pages(folder / "report.pdf")


def test_what_follows_a_figure_fills_the_page_that_has_no_room_for_it(tmp_path):
    """Half of the page was empty."""
    first, second = with_figures(
        tmp_path, ["Before.\n\n" * 15, 6.0, "After.\n\n" * 8 + "## Next\n\nMore."]
    )
    assert "Figure" not in first and "After." in first and "More." in first
    assert "Figure\xa01: Of 1." in second and "After." not in second


def test_a_figure_that_fits_stays_where_it_is(tmp_path):
    """It floats to the head of no page, also where that would change what is below it."""
    [page] = with_figures(tmp_path, ["Before.\n\n" * 5, 3.0, "After.\n\n" * 5])
    assert page.index("Before.") < page.index("Figure") < page.index("After.")
    (tmp_path / "b").mkdir()
    first, second = with_figures(
        tmp_path / "b", ["Before.\n\n" * 20, 5.0, "Between.\n\n" * 20, 2.0, "After."]
    )
    order = [second.index(text) for text in ("Of 1.", "Between.", "Of 3.", "After.")]
    assert order == sorted(order) and "Figure" not in first and "Between." in first


def test_a_figure_that_fits_once_others_have_moved_stands_below_its_text(tmp_path):
    """Where the first stands in the text, the page below it has no room for the second."""
    second = with_figures(tmp_path, ["Before.\n\n" * 32, 5.0, "Between.\n\n" * 10, 1.5, "After."])[
        1
    ]
    order = [second.index(text) for text in ("Of 1.", "Between.", "Of 3.", "After.")]
    assert order == sorted(order)


def test_figures_keep_their_order(tmp_path):
    """A small one that the page would have room for waits for a large one before it."""
    parts = ["Before.\n\n" * 15, 6.0, "Between.", 1.0, "After.\n\n" * 60, 6.0, 1.0, "End."]
    text = "".join(with_figures(tmp_path, parts))
    places = [text.index(f"Of {k}.") for k in (1, 3, 5, 6)]
    assert places == sorted(places)


@pytest.mark.parametrize("text", [106.0, 110.0, 117.0, 124.0, 128.0])
def test_a_figure_that_just_fits_moves_no_other(tmp_path, text):
    """With less to spare than the distance to the text below it, of 17.85 points, it went to the
    head of its own page, and took the figure above it there, before the title.
    """
    page = (297 - 46) / 25.4  # inches between the margins
    parts = ["Before.", 3.0, page - 3.0 - text / 72, "After."]
    first = with_figures(tmp_path, parts)[0]
    assert first.startswith("E\nBefore.") and ("Of 2." in first) == (text > 107)


@pytest.mark.parametrize(("names", "rows"), [(4, 4), (5, 2), (12, 4)])
def test_links_to_reports_stand_in_columns(tmp_path, names, rows):
    """They took a line each, and "How this was made" was alone on a last page."""
    items = [f"- [Eval-{k}](../e{k}/report.html)" for k in range(names)]
    text = "## Reports\n\n" + "\n".join(items)
    make_documents(new_notebook(cells=[new_markdown_cell(text)]), tmp_path, ["pdf"], title="E")
    places = {}

    def visit(text, cm, tm, _font, _size):
        if "Eval-" in text:
            places[text.strip()] = (round(cm[4] + tm[4]), round(cm[5] + tm[5]))

    PdfReader(tmp_path / "report.pdf").pages[0].extract_text(visitor_text=visit)
    assert len(places) == names and len({y for _, y in places.values()}) == rows
    assert list(places) == [f"Eval-{k}" for k in range(names)]  # down, then across


def test_a_figure_that_fills_a_page_has_it_for_itself(tmp_path):
    """A line of a table stood below it."""
    text = with_figures(tmp_path, ["Before.\n\n" * 15, 8.0, "After.\n\n" * 40])
    [page] = [page for page in text if "Of 1." in page]
    assert "After." not in page and "After." in text[0]


def test_a_formula_stays_in_one_line(tmp_path):
    """Its first half, "SE =", ended a page."""
    formula = "$\\mathrm{SE} = \\sqrt{x_{12345} + y_{67890}}$"
    words = [f"{'word ' * k}{formula}" for k in range(8, 20)]
    make_documents(new_notebook(cells=[new_markdown_cell("\n\n".join(words))]), tmp_path, ["pdf"])
    assert "".join(pages(tmp_path / "report.pdf")).count("SE = √") == 12  # "SE =√" where it breaks


def test_a_mark_behind_a_number_leaves_the_numbers_in_line(tmp_path):
    cells = (("A", "18.5% (0.9%)"), ("B", "18.5% (0.9%) ‡"), ("C", "—"))
    table = Table("t", "T.", (Column("Model", "l"), Column("Mean (SE)")), cells)
    make_documents(new_notebook(cells=[table_cell(table)]), tmp_path, ["pdf"], title="E")
    places = []

    def visit(text, cm, tm, _font, _size):
        if "18.5" in text:
            places.append(cm[4] + tm[4])

    PdfReader(tmp_path / "report.pdf").pages[0].extract_text(visitor_text=visit)
    assert len(places) == 2 and places[0] == pytest.approx(places[1], abs=0.05)
    assert "18.5%\xa0(0.9%)\xa0‡" in "".join(pages(tmp_path / "report.pdf"))
