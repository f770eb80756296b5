"""What runs pandoc and Typst: text in one format to text in another, and Typst source to PDF. Both come as wheels."""

import functools
import re
import shutil
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pypandoc
import typst

from reportkit.assets import asset
from reportkit.errors import DocumentError
from reportkit.escaping import typst_string, visible
from reportkit.fonts import fonts_for, uncovered

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
    args = ["--wrap=none", "--mathml", _plain_code(), "--sandbox", f"--lua-filter={asset('templates', 'pandoc.lua')}"]
    try:
        return pypandoc.convert_text(visible(text), _WRITERS[fmt], format=reader, extra_args=args)
    except (RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()[-1]
        raise DocumentError(f"pandoc could not turn the notebook's text into {fmt}: {reason}") from error


def pdf(source: str, folder: Path) -> bytes:
    """Typst source to PDF/UA-1 (tagged, every font embedded); where something of the user's prevents that, to tagged PDF.

    Each character comes from the fonts of `fonts.py`, never from whatever else a machine has, so that every machine
    writes the same bytes. What no font has shows its code point.
    """
    with tempfile.TemporaryDirectory() as aside:
        fonts = [_aside(font, Path(aside), n) for n, font in enumerate(fonts_for(source))]
        known = typst.Fonts(include_system_fonts=False, font_paths=[aside] if fonts else [])
        text = _fonts_in_typst(_families(known, fonts), source) + source
        try:
            return _compile(text, folder, known, ["ua-1"])
        except (RuntimeError, OSError, ValueError) as strict:
            try:
                return _compile(text, folder, known, [])
            except (RuntimeError, OSError, ValueError) as error:
                reason = str(error).strip().splitlines()[0]
                raise DocumentError(f"typst could not make the PDF: {reason}") from strict


def _compile(text: str, folder: Path, fonts: Any, standards: list[Any]) -> bytes:
    source: Any = text.encode()
    return typst.compile(source, root=str(folder), font_paths=fonts, ignore_system_fonts=True, pdf_standards=standards)


def _aside(font: Path, folder: Path, n: int) -> Path:
    """The font alone in a folder: Typst is told folders, and one of the machine's holds many."""
    link = folder / f"{n}{font.suffix}"
    try:
        link.symlink_to(font)
    except OSError:  # Windows, without the right to
        shutil.copyfile(font, link)
    return link


def _families(known: Any, fonts: list[Path]) -> list[str]:
    """The name of each font file's family, as Typst calls it; of a collection's the simplified Chinese."""
    names: dict[Path, list[str]] = {font.resolve(): [] for font in fonts}
    for font in known.fonts():
        if font.path:
            names[Path(font.path).resolve()].append(font.family)
    found = [sorted(families) for families in names.values()]
    return [next((name for name in f if name.endswith(" SC")), f[0]) for f in found if f]


def _fonts_in_typst(families: list[str], source: str) -> str:
    """What a template's `rk-fonts` is; rules that show missing characters as code points, and that keep text running
    from right to left from reordering the numbers beside it."""
    names = ["Libertinus Serif", *families, "DejaVu Sans Mono"]
    text = f"#let rk-fonts = ({', '.join(map(typst_string, names))})\n#set text(font: rk-fonts)\n"
    if missing := uncovered(source):
        chars = "".join(f"\\u{{{ord(c):x}}}" for c in sorted(missing))
        text += '#let rk-hex(n) = { let h = upper(str(n, base: 16)); "0" * calc.max(0, 4 - h.len()) + h }\n'
        text += f'#show regex("[{chars}]"): c => "U+" + rk-hex(c.text.to-unicode())\n'
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in source):
        right = r"[\\p{Hebrew}\\p{Arabic}\\p{Syriac}\\p{Thaana}\\p{Nko}]"
        text += f'#show regex("{right}(?:[\\p{{M}}\\s]*{right})*"): words => "\\u{{2068}}" + words + "\\u{{2069}}"\n'
    return text


def math_environments(text: str, *, fenced: bool = False) -> str:
    r"""Jupyter shows a bare \begin{align}; pandoc wants it between dollars, where only the inner forms may stand, and
    GitHub in a fence, as Markdown would take its \\ for an escape.

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
    r"""Markdown in which GitHub sees every formula as it is: elsewhere than in code it takes \, for an escaped comma.

    >>> print(github_math(r"$t\,s$ and $x$, `$a\,b$`"))
    $`t\,s`$ and $x$, `$a\,b$`
    """
    escaped = r"(?=[^$`]*\\[^A-Za-z\s])"
    pieces = re.split(r"(?ms)(^ {0,3}(`{3,}).*?^ {0,3}\2`*|`[^`\n]+`)", text)
    for i in range(0, len(pieces), 3):  # the others are code, and its fence
        piece = re.sub(rf"(?m)^\$\${escaped}\s*([^$`]+?)\s*\$\$$", r"```math\n\1\n```", pieces[i])
        pieces[i] = re.sub(rf"(?<![\\$\w])\${escaped}(?!\s)([^$`\n]+?)(?<!\s)\$(?![\d$])", r"$`\1`$", piece)
    return "".join(piece for i, piece in enumerate(pieces) if i % 3 < 2 and piece is not None)
