"""Documents: one executed notebook in four formats, self-contained, without its code, and the same bytes each time."""

import base64
import io
import re
import shutil

import matplotlib
import pandas as pd
import pypandoc
import pytest
from engines import latex
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader
from test_render import CJK, HOSTILE, SMALL, hostile_table

from reportkit.documents import make_documents
from reportkit.errors import DocumentError
from reportkit.render import render_prose, render_table

matplotlib.use("Agg")


def figure(fmt: str) -> str:
    from matplotlib.figure import Figure

    fig, out = Figure(figsize=(4, 2)), io.BytesIO()
    fig.subplots().plot([1, 2, 3])
    fig.savefig(out, format=fmt)
    return base64.b64encode(out.getvalue()).decode() if fmt == "png" else out.getvalue().decode()


def code(*outputs, tags=()):
    return new_code_cell("secret_code()", metadata={"tags": list(tags)}, outputs=list(outputs))


def shown(**data):
    mimes = {
        "html": "text/html",
        "md": "text/markdown",
        "tex": "text/latex",
        "typ": "text/vnd.typst",
        "plain": "text/plain",
    }
    mimes |= {"png": "image/png", "svg": "image/svg+xml"}
    return new_output("display_data", data={mimes[k]: v for k, v in data.items()})


def table(which):
    return shown(plain="x", **{fmt: render_table(which, fmt) for fmt in ("html", "md", "tex", "typ")})


@pytest.fixture(scope="module")
def notebook():
    frame = pd.DataFrame({"col_a": [1.5, 2.25], "c|d": ["x_y", "<z>"]})
    picture = new_markdown_cell(
        "Attached ![pic](attachment:p.png), remote ![far](https://h.example/z.png), ![gone](no.png) [in](#no)"
    )
    picture["attachments"] = {"p.png": {"image/png": figure("png")}}
    evil = '<div onclick="f()">kept<script src="https://h.example/x.js"></script><img src="https://h.example/x.png">'
    evil += (
        '<link rel="stylesheet" href="https://h.example/x.css"><style>@import "https://h.example/y.css";</style></div>'
    )
    own = "# Example\n\nUser text with $x^2$ and [a link](https://example.org).\n\n"
    own += "\\begin{align}a&=b\\end{align}\n\n- item one\n- item two"
    return new_notebook(
        cells=[
            new_markdown_cell(own),
            code(shown(plain="hidden output"), tags=["parameters"]),
            code(shown(plain="hidden output"), tags=["remove-output"]),
            code(table(hostile_table((*HOSTILE, CJK)))),
            code(table(SMALL)),
            code(shown(md=render_prose("## Findings\n\n**{{ m }}** leads.", m=HOSTILE[0]), plain="x")),
            code(shown(html=frame.to_html(), plain=str(frame))),
            code(shown(png=figure("png"), plain="<Figure>"), shown(svg=figure("svg"))),
            code(
                new_output("stream", name="stdout", text="printed 50% 中 [x]\n  *in* \\end{verbatim} ```\n"),
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
            text = pypandoc.convert_text(text, "plain", format=reader, extra_args=["--wrap=none", "--columns=9999"])
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
    assert (CJK if fmt != "pdf" else "U+4E2DU+6587") in text  # no font in the wheel has it


def test_captions_stay(folder):
    for fmt in ("html", "md", "tex", "pdf"):
        assert "Meanscoreswithstandarderrors" in text_of(folder, fmt)


def test_html_asks_no_host(folder):
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|srcset|data|poster)\s*=\s*["']?(?:https?:)?//""", html)
    assert not re.search(r"<(?:script|link|iframe|base)\b|@import|url\(|onclick", html)
    assert html.count('src="data:image/png;base64,') == 2 and html.count('src="data:image/svg+xml;base64,') == 1
    assert "<math" in html and html.count("<h1") == 1


def test_images_of_user_cells_lie_in_figures(folder):
    names = {p.name for p in (folder / "figures").iterdir()}
    assert names >= {"cell-8-1.png", "cell-8-2.svg", "cell-8-2.pdf", "cell-12-p.png"}


def test_the_same_bytes_twice(notebook, folder, tmp_path):
    make_documents(notebook, tmp_path, title="Example")
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path.name


def test_styler_ids_and_addresses_do_not_show(tmp_path):
    texts = []
    for n, ident in enumerate(("5f3a1", "0be77")):
        html = f"<style>#T_{ident}_row0 {{color: red}}</style>"
        html += f'<table id="T_{ident}"><tr><td id="T_{ident}_row0">1</td></tr></table>'
        nb = new_notebook(cells=[code(shown(html=html)), code(shown(plain=f"<x.Y object at 0x7f{n}aabbcc00>"))])
        make_documents(nb, tmp_path, ["html"])
        texts.append((tmp_path / "report.html").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.latex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_latex_compiles_as_it_stands(folder, engine, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for run in (1, 2):  # references, and the widths of long tables
        latex(engine, tmp_path, "report.tex", settled=run == 2)
    text = re.sub(r"\s+", "", "".join(p.extract_text() for p in PdfReader(tmp_path / "report.pdf").pages))
    for piece in ("Usertextwith", "[link](x)", "*star*", "bad_thing{", "中"):
        assert piece in text


def test_a_broken_typst_piece_is_one_sentence(tmp_path):
    nb = new_notebook(cells=[code(shown(typ="#nothing-of-this-name", plain="x"))])
    with pytest.raises(DocumentError, match=r"^typst could not make the PDF: unknown variable: nothing-of-this-name$"):
        make_documents(nb, tmp_path, ["pdf"])


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(DocumentError, match="no document format 'docx'; there are html, md, tex, pdf"):
        make_documents(new_notebook(), tmp_path, ["docx"])
