"""report.docx, for Word, Google Docs and LibreOffice: tables that are tables, images in the file,
formulas as equations. pandoc writes it from its own tree of the document.
"""

import functools
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pypandoc

from reportkit.documents.document import Block, Document
from reportkit.documents.docx_archive import changed, stable
from reportkit.documents.docx_code import code_block
from reportkit.documents.docx_figures import CAPTION, FIGURE, LEAD_IN, figures_last
from reportkit.documents.docx_notes import ended
from reportkit.documents.docx_pages import ends_turned, section_of, sections, with_short
from reportkit.documents.docx_parts import is_of_evals
from reportkit.documents.docx_tables import NOTE, laid_out, paragraph, styled
from reportkit.documents.pandoc import READERS, Node, text_of, tree_version, trees
from reportkit.errors import DocumentError
from reportkit.tables.notes import LEFT_OUT
from reportkit.text.assets import asset
from reportkit.text.visible import visible

# A line above a command and a list above such a line, with the styles that keep them on its page.
LEADS, LISTED = "rk-leads", "rk-listed"
KEPT = {LEADS: LEAD_IN, LISTED: "Kept List"}
NAME = 60  # letters of an item of a list that is but a name: it begins no page by itself


def write(document: Document) -> bytes:
    placed = with_short(figures_last(list(ended(list(_apart(_placed(_nodes(document.blocks))))))))
    title = [{"t": "Str", "c": visible(document.title)}]
    return stable(
        _written(
            {
                "pandoc-api-version": tree_version(),
                "meta": {
                    "title": {"t": "MetaInlines", "c": title},
                    "lang": {"t": "MetaString", "c": "en-US"},
                },
                "blocks": list(sections(placed)),
            },
            turned=ends_turned(placed),
        )
    )


def _nodes(blocks: Iterable[Block]) -> list[Node]:
    """The document as pandoc's tree; one pandoc run for each kind of source."""
    blocks = list(blocks)
    found: dict[int, list[Node]] = {}
    for mime, reader in READERS.items():
        where = [i for i, b in enumerate(blocks) if b.kind == mime]
        found |= zip(where, trees([blocks[i].text for i in where], reader), strict=True)
    for i, after in enumerate(blocks[1:]):
        nodes = found.get(i, [])
        if after.kind == "pre" and [node["t"] for node in nodes] == ["Para"]:
            found[i] = [_kept(LEADS, nodes)]
            above = found.get(i - 1, [])
            if [node["t"] for node in above] == ["BulletList"]:
                found[i - 1] = [_kept(LISTED, [_loose(node) for node in above])]
    # The references, or a list's last item, go to the page of "How this was made", which would be
    # alone on the last one. An only item stays: LibreOffice leaves the line that names it behind.
    last = max((i for i, part in found.items() if part and part[0]["t"] == "Header"), default=0)
    above = found.get(last - 1, []) if last and blocks[last - 1].shown else []
    if above and above[-1]["t"] == "Para":
        found[last - 1] = [*above[:-1], _kept(LEADS, above[-1:])]
    items = above[-1]["c"] if above and above[-1]["t"] == "BulletList" else []
    if len(items) > 1 and len(text_of(items[-1])) > NAME:
        found[last - 1] = [*above[:-1], _last_kept(above[-1])]
    own = {i: [_own(n) for n in _plain(b)] for i, b in enumerate(blocks) if not found.get(i)}
    return list(_led([node for i in range(len(blocks)) for node in found.get(i) or own[i]]))


def _led(nodes: list[Node]) -> Iterator[Node]:
    """The blocks; a line that names the list, the quote or the table below it is on its page."""
    for node, below in zip_longest(nodes, nodes[1:]):
        names = node["t"] == "Para" and text_of(node).rstrip().endswith(":")
        led = below is not None and below["t"] not in ("Para", "Header")
        yield _kept(LEADS, [node]) if names and led else node


def _kept(kind: str, nodes: list[Node]) -> Node:
    """What stays on the page of what it leads to."""
    return {"t": "Div", "c": [["", [kind], []], nodes]}


def _last_kept(node: Node) -> Node:
    """A list whose last item stays on the page of what stands below it."""
    *items, last = node["c"]
    return node | {"c": [*items, [styled(KEPT[LISTED], [paragraph(part) for part in last])]]}


def _loose(node: Node) -> Node:
    """A list whose items are paragraphs."""
    return node | {"c": [[paragraph(part) for part in item] for item in node["c"]]}


def _own(node: Node) -> Node:
    """A block whose styles are ours, and stay."""
    return {"t": "Own", "c": node}


def _plain(block: Block) -> Iterator[Node]:
    """What is no source: an image, preformatted text, an error."""
    if block.kind == "image":
        content = [["", [], []], [_word(visible(block.alt))], [block.text, ""]]
        yield _image(content, caption=bool(block.caption))
        if block.caption:
            text = f"Figure {block.number}: {visible(block.caption)}"
            yield styled(CAPTION, [{"t": "Para", "c": [_word(text)]}])
    if block.kind == "error":
        yield {"t": "Para", "c": [{"t": "Strong", "c": [_word("A cell failed:")]}]}
    if block.kind in ("error", "pre"):
        yield code_block(visible(block.text))


def _word(text: str) -> Node:
    return {"t": "Str", "c": text}


def _image(content: Any, caption: bool = False) -> Node:
    """An image in a paragraph of its own, that stays with the caption below it."""
    image = {"t": "Para", "c": [{"t": "Image", "c": content}]}
    return styled(FIGURE if caption else "Figure", [image])


# --- tables and figures


def _placed(nodes: Iterable[Node], turned: bool = False) -> Iterator[tuple[Node, bool]]:
    """The blocks with tables and figures as Word has them, each with whether its page is turned.

    Wrappers go: Word has none, and one of a user's could name a style.
    """
    for node in nodes:
        if node["t"] == "Table":
            placed = laid_out(node)
            yield from ((block, placed.turned) for block in placed.blocks)
        elif node["t"] == "Figure":
            yield from _figure(node)
        elif node["t"] == "Div":
            yield from _div(node, turned)
        else:
            yield (node["c"] if node["t"] == "Own" else node), turned


def _div(node: Node, turned: bool) -> Iterator[tuple[Node, bool]]:
    (_, classes, _), blocks = node["c"]
    if not blocks:  # no notes
        return
    for kind in KEPT.keys() & set(classes):
        yield styled(KEPT[kind], blocks), turned
        return
    if "rk-notes" in classes:
        yield styled(NOTE, _in_one([block for block, _ in _placed(blocks)])), turned
        return
    yield from _placed(blocks, turned)


def _in_one(blocks: list[Node]) -> list[Node]:
    """Paragraphs as one, which stays on one page."""
    if not blocks or {block["t"] for block in blocks} - {"Plain", "Para"}:
        return blocks
    parts = [part for block in blocks for part in ({"t": "Space"}, *block["c"])]
    return [{"t": "Para", "c": parts[1:]}]


def _apart(placed: Iterable[tuple[Node, bool]]) -> Iterator[tuple[Node, bool]]:
    """A paragraph does not touch the list above it, whose items stand close to each other."""
    listed = False
    for node, turned in placed:
        below = listed and node["t"] == "Para"
        yield (styled("After List", [node]) if below else node), turned
        listed = node["t"] in ("BulletList", "OrderedList")


def _figure(node: Node) -> Iterator[tuple[Node, bool]]:
    """A table of ours: its notes are on its page. A figure: the image, and its caption below."""
    (_, _, _), (_, caption), blocks = node["c"]
    turned = False
    if any(map(_leaves_out, blocks)):
        blocks = list(map(_noted, blocks))
    for block in blocks:
        for placed, across in _placed([block], turned):
            turned = turned or across
            image = _only_image(placed)
            yield (_image(image, caption=True) if image else placed), turned
    if caption:
        yield styled(CAPTION, [paragraph(block) for block in caption]), turned


def _leaves_out(node: Node) -> bool:
    """Whether a block holds a table whose parts leave out rows."""
    if node["t"] == "Table":
        return is_of_evals(node) and laid_out(node).left_out
    return node["t"] == "Div" and any(map(_leaves_out, node["c"][1]))


def _noted(node: Node) -> Node:
    """A block of such a table; what holds the notes says that rows are left out."""
    if node["t"] != "Div":
        return node
    attributes, blocks = node["c"]
    said = [{"t": "Para", "c": [_word(LEFT_OUT)]}] if "rk-notes" in attributes[1] else []
    return node | {"c": [attributes, [*map(_noted, blocks), *said]]}


def _only_image(node: Node) -> Any | None:
    if node["t"] in ("Plain", "Para") and [part["t"] for part in node["c"]] == ["Image"]:
        return node["c"][0]["c"]
    return None


# --- the file

_FOOT = "word/footer1.xml"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"
_RELATED = (
    '<Relationship Id="rIdReportkit" Target="footer1.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/footer" />'
)


def _written(tree: dict[str, Any], turned: bool) -> bytes:
    with tempfile.TemporaryDirectory() as aside:
        reference, made = Path(aside, "reference.docx"), Path(aside, "made.docx")
        reference.write_bytes(_reference(turned))
        args = ["--sandbox", f"--reference-doc={reference}"]
        try:
            pypandoc.convert_text(
                json.dumps(tree), "docx", format="json", outputfile=str(made), extra_args=args
            )
        except (RuntimeError, OSError) as error:
            reason = str(error).strip().splitlines()[-1]
            raise DocumentError(f"pandoc could not make the Word document: {reason}") from error
        return made.read_bytes()


@functools.cache
def _reference(turned: bool) -> bytes:
    """pandoc's own reference document with our page and styles (templates/report.docx.xml).
    turned: its last pages are."""
    command = [pypandoc.get_pandoc_path(), "--print-default-data-file", "reference.docx"]
    default = subprocess.run(command, capture_output=True, check=True).stdout
    ours = asset("templates", "report.docx.xml").read_text(encoding="utf-8")

    def change(name: str, text: str) -> str:
        if name == "word/styles.xml":
            return _with_styles(text, ours)
        if name == "word/document.xml":
            return re.sub(r"<w:sectPr>.*?</w:sectPr>", section_of(turned), text, flags=re.DOTALL)
        if name == "[Content_Types].xml":
            part = f'<Override PartName="/{_FOOT}" ContentType="{_KIND}" />'
            return text.replace("</Types>", f"{part}</Types>")
        if name == "word/_rels/document.xml.rels":
            return text.replace("</Relationships>", f"{_RELATED}</Relationships>")
        return text

    footer = asset("templates", "report.docx.footer.xml").read_bytes()
    return changed(default, change, {_FOOT: footer})


def _with_styles(text: str, ours: str) -> str:
    """The styles with ours in the place of those of the same id, and the new ones after them."""
    defaults = re.search(r"<w:docDefaults>.*?</w:docDefaults>", ours, re.DOTALL)
    assert defaults is not None
    text = re.sub(
        r"<w:docDefaults>.*?</w:docDefaults>", lambda _: defaults[0], text, flags=re.DOTALL
    )
    for style in re.findall(r"<w:style .*?</w:style>", ours, re.DOTALL):
        ident = re.search(r'w:styleId="(\w+)"', style)
        assert ident is not None
        old = rf'<w:style\s[^>]*w:styleId="{ident[1]}"[^>]*>.*?</w:style>'
        text = re.sub(old, "", text, flags=re.DOTALL).replace("</w:styles>", style + "</w:styles>")
    return text
