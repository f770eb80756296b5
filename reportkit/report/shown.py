"""What a cell of a report shows, in every format that a document may take."""

import base64
import importlib.metadata
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reportkit.documents import ASIDE
from reportkit.documents import FORMATS as DOCUMENTS
from reportkit.tables import FORMATS, Table
from reportkit.tables.notes import FICTIONAL, Note
from reportkit.tables.notes import NOTHING as NO_NUMBER
from reportkit.tables.writers.latex import REPORT_LINE
from reportkit.tables.writers.render import render_table
from reportkit.text.escaping import NOTHING, escape, typst_string
from reportkit.text.latex import latex_label
from reportkit.text.latex_words import flowing
from reportkit.text.visible import visible

if TYPE_CHECKING:
    from reportkit.figures import Figure


class Shown:
    """Something a notebook displays: each exporter picks the format that it knows."""

    def __init__(self, bundle: Mapping[str, str]):
        self.bundle = dict(bundle)

    def __repr__(self) -> str:
        """What a script prints of it.

        >>> show_prose("**Table 1: Means.**\\n\\n| a |")
        <Shown: Table 1: Means. A notebook displays it; its texts are in bundle.>
        """
        first = self.bundle["text/plain"].strip().partition("\n")[0].strip("*# ")
        return f"<Shown: {visible(first)} A notebook displays it; its texts are in bundle.>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.bundle


def show_prose(markdown: str) -> Shown:
    return Shown({"text/markdown": markdown, "text/plain": markdown})


def show_notes(table: Table) -> Shown:
    """What stands in place of a table that says nothing. It is no drop-in, so it leaves to the text
    around it that scores are generated. Where it has no number of an eval, the reason alone.
    """
    notes = [n for n in table.notes if n != FICTIONAL]
    why = [n for n in notes if isinstance(n, Note) and n.kind == NO_NUMBER]
    return show_prose(escape(" ".join(why or notes), "md"))


def show_aside(markdown: str) -> Shown:
    """What is said to who runs the notebook, and is no part of its documents."""
    return Shown({ASIDE: markdown, "text/markdown": markdown, "text/plain": markdown})


def how_to_convert() -> str:
    """How documents are made where none was: a script runs no notebook, and a notebook may not know
    its own file.
    """
    shell = sys.modules.get("IPython")
    if shell is None or shell.get_ipython() is None:
        return (
            "No document was made, because documents are made of notebooks, and this is a script. "
            "`reportkit.build(scores)` makes a whole report with its documents."
        )
    names = [f"reportkit-{name}" for name in DOCUMENTS]
    if not importlib.metadata.entry_points(group="nbconvert.exporters", name=names[0]):
        # reportkit is on the path and not installed
        names = [f"reportkit.documents.exporter.{name.capitalize()}Exporter" for name in DOCUMENTS]
    return (
        "No document was made, because a running notebook does not know its own file. Once it is "
        f"saved, `jupyter nbconvert --to {names[0]} NOTEBOOK.ipynb` makes the HTML; "
        f"{', '.join(names[1:])} make the other formats."
    )


def show_table(table: Table) -> Shown:
    texts = {
        f.mime: render_table(table, fmt, width=REPORT_LINE)
        for fmt, f in FORMATS.items()
        if f.in_notebooks
    }
    return Shown(texts | {"text/plain": texts["text/markdown"]})


def show_figure(figure: "Figure", number: int, narrow: bytes = b"", eval: str = "") -> Shown:
    """A figure with its caption; documents other than HTML include the files that save() writes
    beside them. A viewer of notebooks that shows no HTML has the PNG.

    number: for HTML and Markdown; LaTeX and Typst count their figures themselves. narrow: the
    figure at the width of a column, for phones. eval: for LaTeX's label, "" for a suite or a plan.
    """
    name, title, alt = figure.name, figure.title, figure.alt
    numbered = f"Figure {number}: {title}"
    data, small = (
        f"data:image/svg+xml;base64,{base64.b64encode(x).decode()}" for x in (figure.svg, narrow)
    )
    source = f'<source media="(max-width: 40rem)" srcset="{small}">' if narrow else ""
    # A figure of a column keeps its size: stretched to the page its type would be twice as large as
    # the text.
    column = name.endswith("-column")
    tex_width, typ_width = ("", "") if column else ("[width=\\linewidth]", ", width: 100%")
    html = (
        f'<figure class="rk-figure"><picture>{source}<img src="{data}" '
        f'alt="{escape(alt, "html")}"></picture>'
        f"<figcaption>{escape(numbered, 'html')}</figcaption></figure>"
    )
    label = latex_label("fig", eval, name)
    tex = (
        f"\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics{tex_width}{{figures/{name}.pdf}}\n"
        f"\\caption{{{flowing(title)}}}\n\\label{{{label}}}\n\\end{{figure}}"
    )
    typ = (
        f'#figure(image("figures/{name}.svg"{typ_width}, alt: {typst_string(alt)}), caption: '
        f"[{escape(title, 'typ')}])"
    )
    # In an attribute nothing is looked for, and a comment would be read out.
    described = escape(alt, "md").replace(NOTHING, "")
    markdown = f"![{described}](figures/{name}.svg)\n\n*{escape(numbered, 'md')}*"
    return Shown(
        {
            "text/html": html,
            "text/latex": tex,
            "text/markdown": markdown,
            "text/vnd.typst": typ,
            "image/png": base64.b64encode(figure.png).decode(),
            "text/plain": visible(numbered),
        }
    )
