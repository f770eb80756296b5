"""Documents of an executed notebook by nbconvert's own command: no folder of a report beside it."""

import re
import subprocess
import sys

import nbformat
import pytest
from nbconvert.exporters import get_exporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader
from support.cells import code, figure, shown, table
from support.engines import latex
from support.tables import SMALL

from reportkit.documents import FORMATS
from reportkit.documents.exporter import title_of
from reportkit.figures import Figure
from reportkit.report.shown import show_figure

SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40">'
    b'<rect width="50" height="20" fill="teal"/></svg>'
)
NAMES = ("out", "my out (1)")
# `jupyter nbconvert --to ...` for each format, in one process that imports it once.
COMMANDS = f"""
import sys
from nbconvert.nbconvertapp import main
for form in sys.argv[1:]:
    target = f"reportkit.documents.exporter.{{form.capitalize()}}Exporter"
    main(["--to", target, *(f"{{name}}.ipynb" for name in {NAMES})])
    main.__self__.clear_instance()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two notebooks beside each other, with figures of the same name."""
    folder = tmp_path_factory.mktemp("nbconvert")
    for name, color in zip(NAMES, (b"teal", b"navy"), strict=True):
        svg = SVG.replace(b"teal", color)
        drawing = Figure("means", "Means of all.", "A plot of means", svg, b"", b"png")
        drawn = show_figure(drawing, 1).bundle
        parameters = new_code_cell('eval = "E 1"', metadata={"tags": ["parameters"]})
        cells = [
            parameters,
            new_markdown_cell("Prose with $x^2$."),
            code(table(SMALL)),
            code(new_output("display_data", data=drawn)),
            code(shown(png=figure("png"))),
        ]
        nbformat.write(new_notebook(cells=cells), folder / f"{name}.ipynb")
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, *FORMATS],
        cwd=folder, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_each_document_is_beside_the_notebook(folder, name):
    assert {p.suffix[1:] for p in folder.glob(f"{name}.*")} == {*FORMATS, "ipynb"}
    assert not (folder / "figures").exists()
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    assert "<title>E 1</title>" in page and page.count("<img") == 2 and "secret_code" not in page
    text = "".join(p.extract_text() for p in PdfReader(folder / f"{name}.pdf").pages)
    assert "Prose with" in text and "Galleon" in text


@pytest.mark.parametrize("form", ["md", "tex"])
@pytest.mark.parametrize("name", NAMES)
def test_figures_are_beside_it_and_apart_from_another_notebooks(folder, name, form):
    text = (folder / f"{name}.{form}").read_text(encoding="utf-8")
    pattern = {"md": r"!\[[^\]]*\]\(([^)]+)\)", "tex": r"\\includegraphics[^{]*\{([^}]+)\}"}[form]
    files = re.findall(pattern, text)
    assert len(files) == 2 and all((folder / file).is_file() for file in files)
    color = {"out": b"teal", "my out (1)": b"navy"}[name]
    assert color in (folder / files[0]).with_suffix(".svg").read_bytes()


@pytest.mark.latex
@pytest.mark.parametrize("name", NAMES)
def test_the_latex_needs_no_other_file_than_its_figures(folder, name):
    latex("pdflatex", folder, f"{name}.tex", settled=False)
    assert "Galleon" in PdfReader(folder / f"{name}.pdf").pages[0].extract_text()


@pytest.mark.parametrize(
    ("first", "metadata", "title"),
    [
        (new_markdown_cell("# Our *own*\n\ntext"), {}, "Our *own*"),
        (new_markdown_cell("text"), {"title": "Said"}, "Said"),
        (new_code_cell('eval = "A"', metadata={"tags": ["parameters"]}), {}, "A"),
        (new_code_cell('eval: str = "A"', metadata={"tags": ["parameters"]}), {}, "A"),
        (new_code_cell('eval = "A"'), {}, ""),
    ],
)
def test_the_title_is_the_notebooks(first, metadata, title):
    assert title_of(new_notebook(cells=[first], metadata=metadata)) == title


@pytest.mark.parametrize("given", [{}, {"outputs": {}}, {"outputs": {"own.txt": b"1"}}])
def test_files_that_others_have_put_beside_the_document_stay(given):
    notebook = new_notebook(cells=[new_markdown_cell("Text.")])
    _, resources = get_exporter("reportkit.documents.exporter.MdExporter")().from_notebook_node(
        notebook, given
    )
    assert resources["outputs"].items() >= given.get("outputs", {}).items()


def test_a_users_own_configuration_still_counts():
    from traitlets.config import Config

    config = Config({"TagRemovePreprocessor": {"remove_cell_tags": {"gone"}}})
    exporter = get_exporter("reportkit.documents.exporter.HtmlExporter")(config=config)
    cells = [code(shown(plain=text), tags=[text]) for text in ("gone", "parameters", "kept")]
    page, _ = exporter.from_notebook_node(new_notebook(cells=cells))
    assert "kept" in page and "gone" not in page and ">parameters<" not in page
