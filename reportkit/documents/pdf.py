"""report.pdf: the document as Typst source -> PDF/UA-1 with its fonts embedded; and SVG
images as PDF or PNG, for formats that cannot show them.
"""

import contextlib
import html
import io
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typst
from markupsafe import Markup
from PIL import Image

from reportkit.documents.document import Block, Document, converted, known_links, rendered
from reportkit.documents.pdf_tags import tagged
from reportkit.errors import DocumentError
from reportkit.text.escaping import typst_string
from reportkit.text.fonts import fonts_for, uncovered, wheel_fonts

_LABEL = re.compile(r"^<([^<>\s]+)>$", re.MULTILINE)
_SVG = re.compile(r'\bimage\("([^"\\]+\.svg)"')
_HEADING = re.compile(r"=+ ")
_TEXT = re.compile(r"<text\b[^>]*>([^<]*)")
_LINK = re.compile(r"#link\(<([^>]+)>\)")
TABLE = 80  # lines of source of a table of some 15 rows
SHORT = 1000  # characters of source that are some eight lines
NO_PROSE = ("#", "- ", "+ ", "= ")  # calls, as of tables and figures; lists, headings
DOTS = 300.0  # per inch of a drawing as PNG: what a printer shows


def write(document: Document) -> bytes:
    blocks = known_links(converted(document, "text/vnd.typst", "typ"), _LABEL, _LINK, "#")
    blocks = _accompanied(blocks)
    source = rendered(
        document, "typ", blocks, typst_string=lambda text: Markup(typst_string(str(text)))
    )
    return pdf(source, document.folder)


def _accompanied(blocks: Sequence[Block]) -> list[Block]:
    """The blocks; the last paragraph that a cell shows above the last heading, where it is short,
    or its list, goes to the page of that heading: "How this was made" stood alone on the last page.
    A section's
    last paragraph is on the page of the one above it, or of the short table: a warning stood alone
    at the head of a page.
    """
    last = max((i for i, b in enumerate(blocks) if _HEADING.match(b.text)), default=0)
    found = list(blocks)
    if last and found[last - 1].shown and found[last - 1].kind == "raw":
        above, gap, tail = found[last - 1].text.rstrip().rpartition("\n\n")
        if tail.startswith("]\n"):  # a line that names the list is kept on its page
            gap, tail = f"{gap}]\n", tail[2:]
        if _short(tail):
            text = f"{above}{gap}#block(sticky: true)[\n{tail}\n]\n"
            found[last - 1] = replace(found[last - 1], text=text)
    for i, (one, other, after) in enumerate(zip(blocks, blocks[1:], blocks[2:], strict=False)):
        if not (_HEADING.match(after.text) and _is_paragraph(other)):
            continue
        if _is_paragraph(one) or _is_short_table(one):
            found[i] = replace(one, text=f"#block(sticky: true)[{one.text.rstrip()}\n]\n")
    return found


def _is_paragraph(block: Block) -> bool:
    """Whether a block is a short and whole paragraph that a cell shows, in Typst.

    >>> _is_paragraph(Block("raw", "There are no warnings.", shown=True))
    True
    >>> texts = ("- a list", "#{table}", "one\\n\\ntwo", "from [0 to 1)")
    >>> [_is_paragraph(Block("raw", text, shown=True)) for text in texts]
    [False, False, False, False]
    """
    text = block.text.strip()
    prose = block.kind == "raw" and block.shown and not text.startswith(NO_PROSE)
    return prose and "\n\n" not in text and _is_whole(text) and len(text) < SHORT


def _is_short_table(block: Block) -> bool:
    """Whether a block is a table of ours of a few rows."""
    return block.ours and "table.header(" in block.text and block.text.count("\n") < TABLE


def _short(tail: str) -> bool:
    """Whether the end of a source is a whole paragraph with a name in front, or a list, and short.

    >>> _short("#strong[References.] Miller 2024."), _short('- #link("a")[A]\\n- A text.')
    (True, True)
    >>> _short("#strong[End of a quote.]\\n]"), _short("A text.")
    (False, False)
    """
    is_list = all(line.startswith("- ") for line in tail.splitlines())
    return (tail.startswith("#strong[") or is_list) and _is_whole(tail) and len(tail) < SHORT


def _is_whole(source: str) -> bool:
    """Whether a source can stand in brackets: it closes each of its own, and has no code."""
    bare = re.sub(r"\\.", "", source)
    return bare.count("[") == bare.count("]") and "`" not in bare


def drawing(svg: bytes) -> bytes:
    """An SVG as PDF of its own size."""
    with _drawn(svg) as (page, folder):
        return pdf(page, folder)


def pixels(svg: bytes) -> bytes:
    """An SVG as PNG, which says how large it is to print."""
    with _drawn(svg) as (page, folder):
        options: dict[str, Any] = {"format": "png", "ppi": DOTS, "ignore_system_fonts": True}
        options["font_paths"] = _known_to_typst(_fonts_of_images(page, folder), folder)
        try:
            drawn = typst.compile(page.encode(), root=str(folder), **options)
        except (RuntimeError, OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise DocumentError(f"typst could not draw an SVG image: {reason}") from error
    out = io.BytesIO()
    Image.open(io.BytesIO(drawn)).save(out, "PNG", dpi=(DOTS, DOTS))
    return out.getvalue()


@contextlib.contextmanager
def _drawn(svg: bytes) -> Iterator[tuple[str, Path]]:
    """Typst source of a page that is the image alone, and the folder it lies in."""
    with tempfile.TemporaryDirectory() as aside:
        (Path(aside) / "image.svg").write_bytes(svg)
        page = "#set page(width: auto, height: auto, margin: 0pt)\n#set document(date: none)\n"
        yield page + '#image("/image.svg")', Path(aside)


def pdf(source: str, folder: Path) -> bytes:
    """Typst source to PDF/UA-1 (tagged, every font embedded); where something of the user's
    prevents that, to tagged PDF.

    Each character comes from the fonts of `fonts.py`, never from whatever else a machine has, so
    that every machine writes the same bytes. What no font has shows its code point.
    """
    with tempfile.TemporaryDirectory() as aside:
        fonts = fonts_for(source)
        drawn = [font for font in _fonts_of_images(source, folder) if font not in fonts]
        known = _known_to_typst([*fonts, *drawn], Path(aside))
        text = _fonts_in_typst(_families(known, fonts), source) + source
        try:
            return _compile(text, folder, known, ["ua-1"])
        except (RuntimeError, OSError, ValueError) as strict:
            try:
                return _compile(text, folder, known, [])
            except (RuntimeError, OSError, ValueError) as error:
                reason = str(error).strip().splitlines()[0]
                raise DocumentError(f"typst could not make the PDF: {reason}") from strict


def _fonts_of_images(source: str, folder: Path) -> list[Path]:
    """The fonts that the text of SVG images needs: the figures' own, and what it lacks."""
    svgs = [folder / name.lstrip("/") for name in _SVG.findall(source)]
    drawn = [path.read_text(encoding="utf-8") for path in svgs if path.is_file()]
    texts = [html.unescape("".join(_TEXT.findall(svg))) for svg in drawn]
    if not any(texts):
        return []
    return list(dict.fromkeys([*wheel_fonts()[:1], *fonts_for("".join(texts))]))


def _known_to_typst(fonts: Sequence[Path], folder: Path) -> Any:
    """Some fonts as Typst knows them, each named in a folder."""
    for n, font in enumerate(fonts):
        _aside(font, folder, n)
    return typst.Fonts(include_system_fonts=False, font_paths=[str(folder)] if fonts else [])


def _compile(text: str, folder: Path, fonts: Any, standards: list[Any]) -> bytes:
    source: Any = text.encode()
    written = typst.compile(
        source,
        root=str(folder),
        font_paths=fonts,
        ignore_system_fonts=True,
        pdf_standards=standards,
    )
    return tagged(written)


def _aside(font: Path, folder: Path, n: int) -> Path:
    """The font alone in a folder: Typst is told folders, and one of the machine's holds many."""
    link = folder / f"{n}{font.suffix}"
    try:
        link.symlink_to(font)
    except OSError:  # Windows, without the right to
        shutil.copyfile(font, link)
    return link


def _families(known: Any, fonts: list[Path]) -> list[str]:
    """The name of each font file's family, as Typst calls it; of a collection's the simplified
    Chinese.
    """
    names: dict[Path, list[str]] = {font.resolve(): [] for font in fonts}
    for font in known.fonts():
        if font.path and Path(font.path).resolve() in names:
            names[Path(font.path).resolve()].append(font.family)
    found = [sorted(families) for families in names.values()]
    return [next((name for name in f if name.endswith(" SC")), f[0]) for f in found if f]


def _fonts_in_typst(families: list[str], source: str) -> str:
    """What a template's `rk-fonts` is; rules that show missing characters as code points, and that
    keep text running from right to left from reordering the numbers beside it.
    """
    names = ["Libertinus Serif", *families, "DejaVu Sans Mono"]
    text = f"#let rk-fonts = ({', '.join(map(typst_string, names))})\n#set text(font: rk-fonts)\n"
    if missing := uncovered(source):
        chars = "".join(f"\\u{{{ord(c):x}}}" for c in sorted(missing))
        text += (
            '#let rk-hex(n) = { let h = upper(str(n, base: 16)); "0" * calc.max(0, 4 - '
            "h.len()) + h }\n"
        )
        text += f'#show regex("[{chars}]"): c => "U+" + rk-hex(c.text.to-unicode())\n'
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in source):
        right = r"[\\p{Hebrew}\\p{Arabic}\\p{Syriac}\\p{Thaana}\\p{Nko}]"
        text += (
            f'#show regex("{right}(?:[\\p{{M}}\\s]*{right})*"): words => "\\u{{2068}}" + '
            f'words + "\\u{{2069}}"\n'
        )
    return text
