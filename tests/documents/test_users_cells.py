"""A user's own cells, run by a real kernel, come through in all four formats."""

import base64
import io
import re
import shutil
from pathlib import Path

import pypandoc
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image
from pypdf import PdfReader
from support import pdfs
from support.engines import latex
from support.programs import font

from reportkit.documents.make import make_documents

PROSE = r"""# Our own analysis

Inline maths $\hat\mu = \frac{1}{n}\sum_i s_i$, money $5 and $6, a [citation](https://arxiv.org/abs/2411.00640)
[[1]](#references), a footnote[^1], **bold**, *italic*, `code_with_underscore`, ~~struck~~.

$$\mathrm{SE} = \sqrt{\frac{p(1-p)}{n}}$$

\begin{align}
a &= b + c \\
  &= d
\end{align}

- first
  - nested deeper
    1. numbered
- [x] a task that is done

> A quotation of some words.

| Eval | Score |
|:-----|------:|
| pipe \| cell | 65.5 |

```python
x = {"key": 1}  # a code block
```

Emoji 🚀, Chinese 中文, Arabic نموذج, accents é̂ and Łódź.

[^1]: The text of the footnote.

#### A heading three levels down

## References

1. Miller 2024, *Adding Error Bars to Evals*, <https://arxiv.org/abs/2411.00640>.
"""

CODE = {
    "frame": 'import pandas as pd\nframe = pd.DataFrame({"model_a": ["x_1", "50%"], "score": '
    "[0.5, 0.25]})\nframe",
    "multi": "wide = pd.DataFrame([[1.5, 2.5], [3.5, 4.5]], "
    'columns=pd.MultiIndex.from_product([["Group"], ["one", "two"]]),'
    ' index=pd.MultiIndex.from_tuples([("first", "a_1"), ("first", "b&2")]))\nwide',
    "styler": 'frame.style.format(precision=3).set_caption("A styled '
    'table").highlight_max("score")',
    "png": "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2, 3]); "
    'plt.title("png");',
    "svg": '%config InlineBackend.figure_formats = ["svg"]\nplt.plot([3, 2, 1]); plt.title("svg");',
    "image": "from IPython.display import HTML, Image, Latex, Markdown, Math, "
    'display\nImage("own.png", alt="An own image")',
    "markdown": 'Markdown("**Shown** as Markdown with $x^2$ and a\\n\\n| h |\\n|---|\\n| cell of '
    'Markdown |")',
    "html": 'HTML("<p>Shown as <b>HTML</b> &amp; more</p><ul><li>html item</li></ul>")',
    "latex": 'display(Latex(r"\\begin{equation}\\alpha = 1\\end{equation}"), Math(r"\\beta^2"))',
    "stdout": 'print("printed 100% of_it \\\\ {} # $x$ ~ ^ 中文 🚀")',
    "error": "1 / 0",
    "tuple": '("a_tuple", 3)',
}


def png(color: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (60, 30), color).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "own.png").write_bytes(png("navy"))
    attached = new_markdown_cell(
        "Attached: ![the attachment](attachment:a.png) and a file: ![a file of ours](own.png)"
    )
    attached["attachments"] = {"a.png": {"image/png": base64.b64encode(png("teal")).decode()}}
    cells = [new_markdown_cell(PROSE), attached, *map(new_code_cell, CODE.values())]
    nb = new_notebook(
        cells=cells,
        metadata={"kernelspec": {"name": "python3", "display_name": "p", "language": "python"}},
    )
    NotebookClient(
        nb, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    ).execute()
    make_documents(nb, folder, title="Users")
    return folder


SHOWN = (
    "Our own analysis",
    "money $5 and $6",
    "citation",
    "a footnote",
    "The text of the footnote",
    "bold",
    "italic",
    "code_with_underscore",
    "first",
    "nested deeper",
    "numbered",
    "a task that is done",
    "A quotation of some words",
    "pipe | cell",
    "65.5",
    '{"key": 1}',
    "# a code block",
    "Adding Error Bars to Evals",
    "Łódź",
    "A heading three levels down",
    "References",
    "the attachment",
    "x_1",
    "50%",
    "0.25",
    "Group",
    "b&2",
    "4.5",
    "A styled table",
    "0.500",
    "Shown",
    "cell of Markdown",
    "HTML",
    "& more",
    "html item",
    "printed 100% of_it \\ {} # $x$ ~ ^",
    "A cell failed",
    "ZeroDivisionError: division by zero",
    "a_tuple",
)


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069\u0338\u0336\u0335]+", "", text)


def page_text(path: Path) -> str:
    return "\n".join(pdfs.pages(path))


def reads(folder: Path, fmt: str) -> str:
    if fmt == "pdf":
        return page_text(folder / "report.pdf")
    text = (folder / f"report.{fmt}").read_text(encoding="utf-8")
    reader = {"html": "html", "md": "gfm+tex_math_dollars", "tex": "latex"}[fmt]
    return pypandoc.convert_text(text, "plain", reader, extra_args=["--wrap=none", "--columns=999"])


@pytest.mark.parametrize("fmt", ["html", "md", "pdf"])
def test_every_kind_of_cell_comes_through(folder, fmt):
    if fmt == "pdf":  # which shows the code point of what no font has
        font("ColorEmoji")
    text = squeezed(reads(folder, fmt))
    # An image's alternative text is not on the page of a PDF.
    wanted = [s for s in SHOWN if not (fmt == "pdf" and s == "the attachment")]
    assert not [s for s in wanted if squeezed(s) not in text]
    for piece in ("中文", "🚀"):
        assert text.count(piece) >= 2, piece
    assert "نموذج" in text


@pytest.mark.slow
@pytest.mark.latex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_every_kind_of_cell_comes_through_latex(folder, engine, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    for run in (1, 2):
        latex(engine, tmp_path, "report.tex", settled=run == 2)
    text = squeezed(page_text(tmp_path / "report.pdf"))
    assert not [s for s in SHOWN if s != "the attachment" and squeezed(s) not in text]


def test_pictures_of_a_users_cells(folder):
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert (
        len(re.findall(r'<img src="data:image/png', html)) == 4
        and html.count('src="data:image/svg+xml') == 1
    )
    md = (folder / "report.md").read_text(encoding="utf-8")
    files = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", md)
    assert len(files) == 5 and all((folder / name).is_file() for name in files)
    tex = (folder / "report.tex").read_text(encoding="utf-8")
    assert len(re.findall(r"\\includegraphics", tex)) == 5
    # the SVG is drawn
    assert sum(len(page.images) for page in PdfReader(folder / "report.pdf").pages) >= 4


def test_links_are_links(folder):
    links = [
        a.get_object()["/A"].get("/URI")
        for page in PdfReader(folder / "report.pdf").pages
        for a in page.get("/Annots", [])
        if "/A" in a.get_object()
    ]
    assert "https://arxiv.org/abs/2411.00640" in links
    for fmt in ("html", "md", "tex"):
        assert "https://arxiv.org/abs/2411.00640" in (folder / f"report.{fmt}").read_text(
            encoding="utf-8"
        )


def test_maths_is_maths(folder):
    assert (folder / "report.html").read_text(encoding="utf-8").count("<math") >= 6
    md = (folder / "report.md").read_text(encoding="utf-8")
    assert r"$\hat\mu" in md and "$$" in md
    # a fence, in which GitHub takes no backslash for Markdown's
    assert "```math\n\\begin{aligned}" in md
    assert r"\frac" not in reads(folder, "pdf") and r"\begin" not in reads(folder, "pdf")
