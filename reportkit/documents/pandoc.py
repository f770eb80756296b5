"""What runs pandoc, which comes as a wheel: text in one format to text in another, or to pandoc's
own tree.
"""

import functools
import json
import re
import subprocess
from typing import Any

import pypandoc

from reportkit.errors import DocumentError
from reportkit.text.assets import asset
from reportkit.text.visible import visible

READERS = {
    "text/markdown": "gfm+tex_math_dollars-emoji",
    "text/html": "html-auto_identifiers",
    "text/latex": "latex",
}
# pandoc's name of a format, where it is another than ours
_WRITERS = {"html": "html", "md": "gfm", "tex": "latex", "typ": "typst", "tree": "json"}
Node = dict[str, Any]  # of pandoc's tree: its type under "t", its contents under "c"


def pandoc(texts: list[str], reader: str, fmt: str) -> list[str]:
    """All texts in one run, as a run costs far more than a text; apart when one swallows the marks
    between.
    """
    if not texts:
        return []
    mark, joined = _joined(texts, reader)
    parts = re.split(rf"\s*(?:<p>)?{mark}(?:</p>)?\s*", _run_pandoc(joined, reader, fmt))
    if len(parts) != len(texts):
        parts = [_run_pandoc(t, reader, fmt) for t in texts]
    return [p.strip("\n") for p in parts]


def trees(texts: list[str], reader: str) -> list[list[Node]]:
    """The blocks of pandoc's tree for each of the texts; all in one run, as `pandoc` does it.

    >>> trees(["a", "# b"], "gfm")[1][0]["t"]
    'Header'
    """
    if not texts:
        return []
    mark, joined = _joined(texts, reader)
    parts: list[list[Node]] = [[]]
    for block in _tree(joined, reader)["blocks"]:
        if block["t"] in ("Para", "Plain") and block["c"] == [{"t": "Str", "c": mark}]:
            parts.append([])
        else:
            parts[-1].append(block)
    if len(parts) != len(texts):
        parts = [_tree(text, reader)["blocks"] for text in texts]
    return parts


@functools.cache
def tree_version() -> tuple[int, ...]:
    """The version of the tree that this pandoc speaks."""
    return tuple(_tree("", "gfm")["pandoc-api-version"])


def _tree(text: str, reader: str) -> dict[str, Any]:
    return json.loads(_run_pandoc(text, reader, "tree"))


def _joined(texts: list[str], reader: str) -> tuple[str, str]:
    """The texts as one, and the mark that stands between them."""
    mark = "RKMARK"
    while any(mark in t for t in texts):
        mark += "K"
    between = f"\n<p>{mark}</p>\n" if reader.startswith("html") else f"\n\n{mark}\n\n"
    return mark, between.join(texts)


@functools.cache
def _command() -> tuple[str, ...]:
    """pandoc with the options that are the same for every text. Code is left uncoloured: pandoc 3.8
    renamed the option.
    """
    version = tuple(int(part) for part in pypandoc.get_pandoc_version().split(".")[:2])
    plain = "--syntax-highlighting=none" if version >= (3, 8) else "--no-highlight"
    beside = f"--lua-filter={asset('templates', 'pandoc.lua')}"
    return (pypandoc.get_pandoc_path(), "--wrap=none", "--mathml", plain, "--sandbox", beside)


def _run_pandoc(text: str, reader: str, fmt: str) -> str:
    """One run: pypandoc's own function asks pandoc twice before for the formats that it has."""
    try:
        command = [*_command(), f"--from={reader}", f"--to={_WRITERS.get(fmt, fmt)}"]
        done = subprocess.run(command, input=visible(text).encode(), capture_output=True)
        told = done.stderr.decode(errors="replace").strip() or f"status {done.returncode}"
        problem = told if done.returncode else ""
    except OSError as error:
        problem = str(error)
    if problem:
        reason = problem.splitlines()[-1]
        raise DocumentError(f"pandoc could not turn the notebook's text into {fmt}: {reason}")
    return done.stdout.decode()


def math_environments(text: str, *, fenced: bool = False) -> str:
    r"""Jupyter shows a bare \begin{align}; pandoc wants it between dollars, where only the inner
    forms may stand, and GitHub in a fence, as Markdown would take its \\ for an escape.

    >>> print(math_environments(r"\begin{align}a &= b\end{align}", fenced=True))
    ```math
    \begin{aligned}a &= b\end{aligned}
    ```
    """
    env = r"(?P<d>\${1,2}\s*)?\\begin\{(?P<e>align|equation|gather)(?P<s>\*?)\}(?P<b>.*?)"
    env += r"\\end\{(?P=e)(?P=s)\}(?(d)\s*\${1,2})"

    def inner(match: re.Match[str]) -> str:
        name = {"align": "aligned", "gather": "gathered"}.get(match["e"])
        body = match["b"].strip()
        body = rf"\begin{{{name}}}{body}\end{{{name}}}" if name else body
        alone = text[: match.start()][-1:] in ("", "\n")
        return f"```math\n{body}\n```" if fenced and alone else f"$${body}$$"

    return re.sub(env, inner, text, flags=re.DOTALL)


def github_math(text: str) -> str:
    r"""Markdown in which GitHub sees every formula as it is: elsewhere than in code it takes \, for
    an escaped comma.

    >>> print(github_math(r"$t\,s$ and $x$, `$a\,b$`"))
    $`t\,s`$ and $x$, `$a\,b$`
    """
    escaped = r"(?=[^$`]*\\[^A-Za-z\s])"
    pieces = re.split(r"(?ms)(^ {0,3}(`{3,}).*?^ {0,3}\2`*|`[^`\n]+`)", text)
    for i in range(0, len(pieces), 3):  # the others are code, and its fence
        piece = re.sub(rf"(?m)^\$\${escaped}\s*([^$`]+?)\s*\$\$$", r"```math\n\1\n```", pieces[i])
        pieces[i] = re.sub(
            rf"(?<![\\$\w])\${escaped}(?!\s)([^$`\n]+?)(?<!\s)\$(?![\d$])", r"$`\1`$", piece
        )
    return "".join(piece for i, piece in enumerate(pieces) if i % 3 < 2 and piece is not None)


def text_of(node: Any) -> str:
    """The plain text of a part of the tree; a line break stays one."""
    if isinstance(node, list):
        return "".join(map(text_of, node))
    if not isinstance(node, dict):
        return ""
    kind: str = node["t"]
    content: Any = node.get("c")
    if kind in ("Space", "SoftBreak"):
        return " "
    if kind == "LineBreak":
        return "\n"
    if kind == "Str":
        return content
    if kind in ("Code", "Math"):
        return content[1]
    return text_of(content)
