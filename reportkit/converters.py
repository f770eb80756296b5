"""What runs pandoc and Typst: text in one format to text in another, and Typst source to PDF. Both come as wheels."""

import functools
import re
from pathlib import Path
from typing import Any

import pypandoc
import typst

from reportkit.errors import DocumentError
from reportkit.escaping import visible

READERS = {
    "text/markdown": "gfm+tex_math_dollars-emoji",
    "text/html": "html-auto_identifiers",
    "text/latex": "latex",
}
_WRITERS = {"html": "html", "md": "gfm", "tex": "latex", "typ": "typst"}


def pandoc(texts: list[str], reader: str, fmt: str) -> list[str]:
    """All texts in one run, as a run costs far more than a text; apart when one swallows the marks between."""
    if not texts:
        return []
    mark = "RKMARK"
    while any(mark in t for t in texts):
        mark += "K"
    between = f"\n<p>{mark}</p>\n" if reader.startswith("html") else f"\n\n{mark}\n\n"
    parts = re.split(rf"\s*(?:<p>)?{mark}(?:</p>)?\s*", _run_pandoc(between.join(texts), reader, fmt))
    if len(parts) != len(texts):
        parts = [_run_pandoc(t, reader, fmt) for t in texts]
    return [p.strip("\n") for p in parts]


@functools.cache
def _plain_code() -> str:
    """The option that leaves code uncoloured; pandoc 3.8 renamed it."""
    version = tuple(int(part) for part in pypandoc.get_pandoc_version().split(".")[:2])
    return "--syntax-highlighting=none" if version >= (3, 8) else "--no-highlight"


def _run_pandoc(text: str, reader: str, fmt: str) -> str:
    args = ["--wrap=none", "--mathml", _plain_code(), "--sandbox"]
    if fmt == "html":
        args.append("--shift-heading-level-by=1")  # the page's title is its h1
    try:
        return pypandoc.convert_text(visible(text), _WRITERS[fmt], format=reader, extra_args=args)
    except (RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()[-1]
        raise DocumentError(f"pandoc could not turn the notebook's text into {fmt}: {reason}") from error


def pdf(source: str, folder: Path) -> bytes:
    """Typst source to PDF with the fonts in the wheel alone, so that every machine writes the same bytes."""
    try:
        source_bytes: Any = source.encode()
        return typst.compile(source_bytes, root=str(folder), ignore_system_fonts=True)
    except (RuntimeError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise DocumentError(f"typst could not make the PDF: {reason}") from error


def math_environments(text: str) -> str:
    r"""Jupyter shows a bare \begin{align}; pandoc wants it between dollars, where only the inner forms may stand."""
    env = r"(?P<d>\${1,2}\s*)?\\begin\{(?P<e>align|equation|gather)(?P<s>\*?)\}(?P<b>.*?)"
    env += r"\\end\{(?P=e)(?P=s)\}(?(d)\s*\${1,2})"

    def inner(match: re.Match[str]) -> str:
        name = {"align": "aligned", "gather": "gathered"}.get(match["e"])
        body = match["b"].strip()
        return "$$" + (rf"\begin{{{name}}}{body}\end{{{name}}}" if name else body) + "$$"

    return re.sub(env, inner, text, flags=re.DOTALL)
