"""Upright and turned pages of a Word document: which blocks stand on them, and their sections."""

from collections.abc import Iterator, Sequence

from reportkit.documents.docx_figures import FIGURE, Placed, style_of
from reportkit.documents.docx_tables import A4, MARGIN
from reportkit.documents.pandoc import Node, text_of

TEXT = ("Header", "Para", "Plain", "BulletList", "OrderedList", "Div")
LETTERS = 90  # of a line of text
SHORT = 14  # lines that fill less than a third of an upright page, with the space between blocks

_FOOTER = '<w:footerReference w:type="default" r:id="rIdReportkit" />'


def with_short(placed: Sequence[Placed]) -> list[Placed]:
    """The blocks; a little text before a turned table is turned too. On an upright page by itself
    it left most of that empty.
    """
    found: list[Placed] = []
    upright: list[Node] = []
    for node, turned in placed:
        if not turned:
            upright.append(node)
            continue
        across = _is_short(upright)
        found += [(before, across) for before in upright]
        found.append((node, True))
        upright = []
    return [*found, *((node, False) for node in upright)]


def _is_short(nodes: Sequence[Node]) -> bool:
    if any(node["t"] not in TEXT or style_of(node) in (FIGURE, "Figure") for node in nodes):
        return False
    return sum(2 + len(text_of(node)) // LETTERS for node in nodes) <= SHORT


def sections(placed: Sequence[Placed]) -> Iterator[Node]:
    """The blocks with the ends of sections between upright pages and turned ones. A heading goes
    with the table below it.
    """
    waiting: list[Node] = []  # headings that belong to what follows
    across = bool(placed) and placed[0][1]
    for node, turned in placed:
        if node["t"] == "Header":
            waiting.append(node)
            continue
        if turned != across:
            yield _end_of_section(across)
            across = turned
        yield from waiting
        yield node
        waiting = []
    if across and waiting:
        yield _end_of_section(across)
    yield from waiting


def ends_turned(placed: Sequence[Placed]) -> bool:
    """The last section is the document's own: with the end of another below it, an empty page would
    follow a turned one.
    """
    return bool(placed) and placed[-1][1]


def _end_of_section(turned: bool) -> Node:
    """The end of a section is a property of its last paragraph: an empty one of no height."""
    spacing = '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>'
    text = f"<w:p><w:pPr>{spacing}{section_of(turned)}</w:pPr></w:p>"
    return {"t": "RawBlock", "c": ["openxml", text]}


def section_of(turned: bool) -> str:
    width, height = (round(20 * side) for side in (reversed(A4) if turned else A4))
    orient = ' w:orient="landscape"' if turned else ""
    sides = " ".join(
        f'w:{side}="{round(20 * MARGIN)}"' for side in ("top", "right", "bottom", "left")
    )
    return (
        f'<w:sectPr>{_FOOTER}<w:pgSz w:w="{width}" w:h="{height}"{orient} />'
        f'<w:pgMar {sides} w:header="708" w:footer="708" w:gutter="0" /></w:sectPr>'
    )
