"""Documents: one executed notebook in four formats, self-contained, without its code, and the same
bytes each time.
"""

import base64
import hashlib
import re
import shutil

import matplotlib
import pandas as pd
import pypandoc
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader
from support.cells import code, figure, shown, table
from support.engines import latex, pdf_text
from support.sentences import render_prose
from support.tables import CJK, HOSTILE, SMALL, hostile_table

from reportkit.documents import FORMATS
from reportkit.documents.document import Block, Document, converted
from reportkit.documents.make import make_documents
from reportkit.documents.pandoc import READERS, pandoc, trees
from reportkit.errors import DocumentError, UnknownNameError
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.latex import REPORT_LINE
from reportkit.tables.writers.render import render_table

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def notebook():
    frame = pd.DataFrame({"col_a": [1.5, 2.25], "c|d": ["x_y", "<z>"]})
    picture = new_markdown_cell(
        "Attached ![pic](attachment:p.png), remote ![far](https://h.example/z.png), "
        "![gone](no.png) [in](#no)"
    )
    picture["attachments"] = {"p.png": {"image/png": figure("png")}}
    evil = '<div onclick="f()">kept<script src="https://h.example/x.js"></script><img src="https://h.example/x.png">'
    evil += '<link rel="stylesheet" href="https://h.example/x.css"><style>@import "https://h.example/y.css";</style></div>'
    own = "# Example\n\nUser text with $x^2$ and [a link](https://example.org).\n\n"
    own += "\\begin{align}a&=b\\end{align}\n\n- item one\n- item two"
    return new_notebook(
        cells=[
            new_markdown_cell(own),
            code(shown(plain="hidden output"), tags=["parameters"]),
            code(shown(plain="hidden output"), tags=["remove-output"]),
            code(table(hostile_table((*HOSTILE, CJK)))),
            code(table(SMALL)),
            code(
                shown(md=render_prose("## Findings\n\n**{{ m }}** leads.", m=HOSTILE[0]), plain="x")
            ),
            code(shown(html=frame.to_html(), plain=str(frame))),
            code(shown(png=figure("png"), plain="<Figure>"), shown(svg=figure("svg"))),
            code(
                new_output(
                    "stream", name="stdout", text="printed 50% 中 [x]\n  *in* \\end{verbatim} ```\n"
                ),
                new_output("stream", name="stderr", text="noise on stderr"),
                new_output("error", ename="ValueError", evalue="bad_thing {", traceback=[]),
            ),
            code(shown(html=evil, plain="p")),
            code(shown(tex=r"$\displaystyle \frac{1}{2}$", plain="1/2")),
            picture,
        ]
    )


@pytest.fixture(scope="module")
def folder(notebook, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    make_documents(notebook, folder, title="Example")
    return folder


def text_of(folder, fmt: str) -> str:
    """What a reader sees."""
    if fmt == "pdf":
        text = "".join(p.extract_text() for p in PdfReader(folder / "report.pdf").pages)
    else:
        text = (folder / f"report.{fmt}").read_text(encoding="utf-8")
        reader = {"html": "html", "md": "gfm+tex_math_dollars-emoji"}.get(fmt)
        if reader:
            text = pypandoc.convert_text(
                text, "plain", format=reader, extra_args=["--wrap=none", "--columns=9999"]
            )
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("fmt", ["html", "md", "tex", "pdf"])
def test_everything_is_in(folder, fmt):
    text = text_of(folder, fmt)
    for piece in (
        "Usertextwith",
        "alink",
        "itemone",
        "Findings",
        "leads.",
        "col",
        "1.5",
        "2.25",
        "printed",
        "bad",
        "kept",
        "Acellfailed",
    ):
        assert piece in text, piece
    source = (folder / f"report.{fmt}").read_bytes()
    for hidden in (b"secret_code", b"hidden output", b"noise on stderr"):
        assert hidden not in source
    assert "hiddenoutput" not in text and "secret" not in text


@pytest.mark.parametrize("fmt", ["html", "md", "pdf"])
def test_hostile_names_print_as_themselves(folder, fmt):
    text = text_of(folder, fmt)
    for name in HOSTILE:
        assert re.sub(r"\s+", "", name) in text, name
    assert CJK in text


def test_trap_13_captions_stay(folder):
    for fmt in ("html", "md", "tex", "pdf"):
        assert "Meanscoreswithstandarderrors" in text_of(folder, fmt)


def test_trap_15_html_asks_no_host(folder):
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|srcset|data|poster)\s*=\s*["']?(?:https?:)?//""", html)
    assert not re.search(r"<(?:link|iframe|base)\b|@import|url\(|onclick", html)
    assert html.count("<script") == 1  # our own, at the end
    assert (
        html.count('src="data:image/png;base64,') == 2
        and html.count('src="data:image/svg+xml;base64,') == 1
    )
    assert "<math" in html and html.count("<h1") == 1


def test_a_notebook_without_cells_is_a_document_without_blocks(tmp_path):
    """By Jupyter's own exporters too, an empty notebook is an empty page and no error."""
    formats = list(FORMATS)
    paths = make_documents(new_notebook(), tmp_path, formats)
    assert [path.name for path in paths] == [f"report.{f}" for f in formats]
    assert (tmp_path / "report.md").read_text().strip() == "# Report"


def test_html_headings_make_the_contents(tmp_path):
    cells = [
        new_markdown_cell(t)
        for t in ("## One & *two*", "### Part", "## One & *two*", "[up](#part)")
    ]
    make_documents(
        new_notebook(cells=[*cells, code(shown(html="<h1>In a cell</h1>"))]),
        tmp_path,
        ["html"],
        "T",
    )
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r'<(h\d) id="([^"]+)"', html) == [
        # pandoc's ids are GitHub's
        ("h2", "one--two"), ("h3", "part"), ("h2", "one--two-1"), ("h3", "in-a-cell"),
    ]  # fmt: skip
    contents = re.findall(r'<li class="rk-h(\d)"><a href="#([^"]+)">([^<]*)</a>', html)
    assert contents[0] == ("2", "one--two", "One &amp; two") and len(contents) == 4


def test_html_allows_its_own_script_alone(folder):
    html = (folder / "report.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy[1] and "default-src 'none'" in policy[1]


def test_images_of_user_cells_lie_in_figures(folder):
    names = {p.name for p in (folder / "figures").iterdir()}
    assert names >= {"cell-8-1.png", "cell-8-2.svg", "cell-8-2.pdf", "cell-12-p.png"}


def test_trap_18_the_same_bytes_twice(notebook, folder, tmp_path):
    make_documents(notebook, tmp_path, title="Example")
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), (
                path.name
            )


def test_trap_18_styler_ids_and_addresses_do_not_show(tmp_path):
    texts = []
    for n, ident in enumerate(("5f3a1", "0be77")):
        html = f"<style>#T_{ident}_row0 {{color: red}}</style>"
        html += f'<table id="T_{ident}"><tr><td id="T_{ident}_row0">1</td></tr></table>'
        nb = new_notebook(
            cells=[code(shown(html=html)), code(shown(plain=f"<x.Y object at 0x7f{n}aabbcc00>"))]
        )
        make_documents(nb, tmp_path, ["html"])
        texts.append((tmp_path / "report.html").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.latex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_latex_compiles_as_it_stands(folder, engine, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for run in (1, 2):  # references, and the widths of long tables
        latex(engine, tmp_path, "report.tex", settled=run == 2)
    text = re.sub(
        r"\s+", "", "".join(p.extract_text() for p in PdfReader(tmp_path / "report.pdf").pages)
    )
    for piece in ("Usertextwith", "[link](x)", "*star*", "bad_thing{", "中"):
        assert piece in text


@pytest.mark.latex
def test_in_latex_two_tables_of_a_report_stand_where_the_notebook_shows_them(tmp_path):
    """A drop-in kept the paper's table by the name that report.tex gave it: neither ended."""

    def means(name: str) -> Table:
        columns = (Column("Model", "l"), Column("Mean"))
        return Table(name, f"{name.title()}.", columns, (("a", "1"),))

    cells = []
    for name in ("first", "second"):
        tex = render_table(means(name), "tex", width=REPORT_LINE)
        cells += [code(shown(tex=tex)), new_markdown_cell(f"After the {name}.")]
    make_documents(new_notebook(cells=cells), tmp_path, ["tex"], title="T")
    latex("pdflatex", tmp_path, "report.tex")
    text = pdf_text(tmp_path / "report.pdf")
    told = ["Table 1: First.", "After the first.", "Table 2: Second.", "After the second."]
    assert sorted(told, key=text.index) == told


@pytest.mark.latex
def test_in_latex_text_goes_on_below_where_a_figure_has_no_room(tmp_path):
    """Figures of 58 models left pages empty by two thirds."""

    def drawn(name, tall):
        tex = rf"\rule{{1pt}}{{{tall}pt}}\caption{{{name}.}}\label{{fig:{name}}}"
        return shown(tex=rf"\begin{{figure}}[htbp]{tex}\end{{figure}}")

    cells = [
        new_markdown_cell("A text."),
        code(drawn("First", 640)),
        code(drawn("Second", 90)),
        new_markdown_cell("## After\n\n" + "More text.\n\n" * 9),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["tex"], title="T")
    latex("pdflatex", tmp_path, "report.tex")
    texts = [page.extract_text() for page in PdfReader(tmp_path / "report.pdf").pages]
    assert "After" in texts[0] and "More text." in texts[0]
    assert ["First" in t for t in texts] == [False, True, False]
    assert ["Second" in t for t in texts] == [False, False, True]  # in their order


@pytest.mark.latex
def test_a_long_name_of_a_text_breaks_behind_an_underscore(tmp_path):
    """It stood 27 pt in the margin. A bookmark is text alone, without the command that breaks."""
    name = "swebench_verified_bash_only_of_november.csv.gz"
    text = "## Scores of swe_bench\n\n" + f"- Decisions: scores = {name}; " * 9
    make_documents(new_notebook(cells=[new_markdown_cell(text)]), tmp_path, ["tex"], title="T")
    latex("pdflatex", tmp_path, "report.tex", settled=False)
    log = latex("pdflatex", tmp_path, "report.tex")  # bookmarks are those of the run before
    assert "Token not allowed in a PDF string" not in log
    [bookmark] = PdfReader(tmp_path / "report.pdf").outline
    assert bookmark.title == "Scores of swe_bench"


def document(tmp_path, fmt: str, *outputs, **metadata) -> str:
    for output in outputs:
        output.metadata.update(metadata)
    make_documents(new_notebook(cells=[code(*outputs)]), tmp_path, [fmt])
    return (
        (tmp_path / f"report.{fmt}").read_text(encoding="utf-8")
        if fmt != "pdf"
        else text_of(tmp_path, fmt)
    )


@pytest.mark.latex
def test_apostrophes_are_of_type_in_sentences_and_quotes_upright_in_commands(tmp_path):
    """In pdflatex ' is an apostrophe of type, and \textquotesingle one of a typewriter, which
    pandoc asks for everywhere. A command with the first cannot be copied into a shell.
    """
    note = "A model's mean, both models' means, a_b's, 'so' and `it's`."
    command = "reportkit build --eval 'a b' --models café"
    tex = document(tmp_path, "tex", shown(md=note), shown(plain=command))
    for part in ("A model's mean, both models' means", "b's,", r"\texttt{it\textquotesingle{}s}"):
        assert part in tex
    assert r"\textquotesingle{}a\ b\textquotesingle{}" in tex
    latex("pdflatex", tmp_path, "report.tex")
    text = pdf_text(tmp_path / "report.pdf")
    assert "A model’s mean, both models’ means, a_b’s, 'so' and it's." in text
    assert "--eval 'a b' --models café" in text


def test_words_that_are_written_from_the_right_run_from_there_in_latex(tmp_path):
    """Letter by letter they stood in the order of the left, so that the name read backwards. Code
    stays as it is.
    """
    name = "\u0646\u0645\u0648\u0630\u062c \u0639\u0631\u0628\u064a"
    text = f"## On {name}\n\nThe best is “{name}” (2%).\n\n```\nrun {name}\n```\n"
    make_documents(new_notebook(cells=[new_markdown_cell(text)]), tmp_path, ["tex"], title="T")
    written = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert rf"The best is ``\rkrtl{{{name}}}'' (2\%)" in written
    assert rf"On \texorpdfstring{{\rkrtl{{{name}}}}}{{{name}}}}}\label{{" in written
    assert rf"run {name}" in written and written.count(r"\rkrtl{") == 2


def test_trap_08_no_code_is_printed_in_report_mode(tmp_path):
    """papermill's report mode marks cells as hidden, and nbconvert's templates print them all the
    same.
    """
    cell = code(shown(plain="seen"), tags=["injected-parameters"])
    cell.metadata["jupyter"] = {"source_hidden": True}
    make_documents(new_notebook(cells=[cell, code(shown(plain="shown"))]), tmp_path)
    for fmt in ("html", "md", "tex", "pdf"):
        text = text_of(tmp_path, fmt)
        assert "secret" not in text and "seen" not in text and "shown" in text


def test_trap_12_each_format_takes_its_own_representation(tmp_path):
    own = {
        "html": "<p>as html</p>",
        "md": "as markdown",
        "tex": "as latex",
        "typ": "as typst",
        "plain": "as plain",
    }
    found = {fmt: document(tmp_path, fmt, shown(**own)) for fmt in ("html", "md", "tex", "pdf")}
    texts = {"html": "as html", "md": "as markdown", "tex": "as latex", "pdf": "astypst"}
    for fmt, text in found.items():
        assert [f for f, t in texts.items() if t in text or t.replace("as", "as ") in text] == [fmt]


def test_trap_14_a_dataframe_is_a_table_whatever_pandas_would_write(tmp_path):
    frame = pd.DataFrame({"a_b": ["50%", "x&y"]})
    styled = frame.style.format(escape="html").hide(axis="index")
    output = [
        shown(html=frame.to_html(), plain=str(frame)),
        shown(html=styled.to_html(), plain=repr(styled)),
    ]
    tex = document(tmp_path, "tex", *output)
    assert (
        tex.count(r"\toprule") == 2
        and r"50\%" in tex
        and r"x\&y" in tex
        and r"a\_\allowbreak{}b" in tex
        and "Styler" not in tex
    )
    md = document(tmp_path, "md", *output)
    assert md.count("| 50%") == 2 and "style" not in md and "<" not in md


@pytest.mark.parametrize("fmt", ["md", "tex", "pdf"])
def test_a_cell_of_a_table_may_end_in_a_bracket(fmt, tmp_path):
    """As "Mean (SE)" does: in Typst the table itself ends so, and rules were put into the cell."""
    frame = pd.DataFrame({"Mean (SE)": ["0.5 (0.1)", "[x (y)]"], "n": [1, 2]})
    text = document(tmp_path, fmt, shown(html=frame.to_html(index=False)))
    found = "".join(text.split()).replace("\\", "").replace("{", "").replace("}", "")
    assert "Mean(SE)" in found and "0.5(0.1)" in found and "[x(y)]" in found


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_trap_16_every_image_has_an_alternative_text(kind, tmp_path):
    picture = shown(**{kind: figure(kind)})
    assert 'alt="Curve of x"' in document(tmp_path, "html", picture, alt="Curve of x")
    assert "![Curve of x](figures/" in document(tmp_path, "md", picture, alt="Curve of x")
    assert re.search(r'alt="[^"]+"', document(tmp_path, "html", shown(**{kind: figure(kind)})))


@pytest.mark.parametrize("fmt", ["md", "tex", "pdf"])
def test_trap_17_a_table_without_end_tags_stays_a_table(fmt, tmp_path):
    open_ended = "<table><thead><tr><th>H<th>I<tbody><tr><td>aa<td>11<tr><td>cc<td>22</table>"
    text = document(tmp_path, fmt, shown(html=open_ended))
    rows = {
        "md": r"\| aa +\| +11 \|\n\| cc +\| +22 \|",
        "tex": r"aa & 11 \\\\\ncc & 22",
        "pdf": "HIaa11cc22",
    }
    assert re.search(rows[fmt], text)


@pytest.mark.parametrize("fmt", ["md", "tex", "pdf"])
def test_trap_25_a_pipe_in_a_name_breaks_no_table(fmt, tmp_path):
    piped = table(hostile_table(("a|b", "||", "\\|")))
    frame = shown(html=pd.DataFrame({"model": ["c|d"], "score": [0.5]}).to_html())
    document(tmp_path, fmt, piped, frame)
    text = text_of(tmp_path, fmt)
    assert (
        ("a|b65.5%" in text and "c|d0.5" in text)
        if fmt != "tex"
        else text.count(r"\textbar{}") >= 4
    )


def test_formulas_are_written_so_that_github_leaves_their_backslashes(tmp_path):
    prose = (
        "A $t\\,\\mathrm{SE}$ and $x^2$, `$a\\,b$` for $5.\n\n$$\\begin{matrix}a \\\\ "
        "b\\end{matrix}$$\n\n```\n$c\\,d$\n```"
    )
    make_documents(new_notebook(cells=[new_markdown_cell(prose)]), tmp_path, ["md"])
    md = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "A $`t\\,\\mathrm{SE}`$ and $x^2$, `$a\\,b$` for $5." in md
    assert "```math\n\\begin{matrix}a \\\\ b\\end{matrix}\n```" in md and "```\n$c\\,d$\n```" in md
    html = pypandoc.convert_text(md, "html", "gfm+tex_math_dollars", extra_args=["--mathml"])
    assert html.count("<math") == 3 and r"t\,\mathrm" in html  # pandoc reads GitHub's forms too


def test_a_broken_typst_piece_is_one_sentence(tmp_path):
    nb = new_notebook(cells=[code(shown(typ="#nothing-of-this-name", plain="x"))])
    with pytest.raises(
        DocumentError,
        match=r"^typst could not make the PDF: unknown variable: nothing-of-this-name$",
    ):
        make_documents(nb, tmp_path, ["pdf"])


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(UnknownNameError, match="no document format 'odt'; there are 'html', 'md'"):
        make_documents(new_notebook(), tmp_path, ["odt"])


def test_a_new_format_is_any_that_pandoc_writes(tmp_path):
    """A module for a format needs no line in another table: rst is pandoc's own name of it."""
    blocks = (Block("text/markdown", "**two**"), Block("text/html", "<b>three</b>"))
    made = converted(Document("t", blocks, tmp_path), "text/x-rst", "rst")
    assert [b.text for b in made] == ["**two**", "**three**"]


def test_sources_are_read_together_whatever_blocks_they_hold():
    """A rule of Markdown is a block without content in pandoc's tree."""
    first, second = trees(["a\n\n---\n", "b"], "gfm")
    assert [block["t"] for block in first] == ["Para", "HorizontalRule"]
    assert [block["t"] for block in second] == ["Para"]


@pytest.mark.parametrize("fmt", ["md", "tex", "typ", "rst", "tree"])
def test_what_a_page_offers_to_download_is_in_no_other_document(fmt):
    """Our table as HTML, which a new format may take: no link with the whole CSV in it."""
    page = render_table(SMALL, "html")
    assert "data:text/csv" in page
    [text] = pandoc([page], READERS["text/html"], fmt)
    assert "text/csv" not in text and "65.5" in text
