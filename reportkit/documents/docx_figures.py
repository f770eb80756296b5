"""Figures of a Word document that need most of a page. Word moves no text up into the page before
such a figure, which was half empty: all figures stand at the end, as in a manuscript.
"""

import base64
import binascii
import re
import struct
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from reportkit.documents.docx_tables import A4, MARGIN, PORTRAIT, styled
from reportkit.documents.pandoc import Node, text_of

# Of the height of a page: with its caption such a figure leaves a third of its own page at most.
TALL = 0.6
FIGURE, CAPTION = "Captioned Figure", "Image Caption"  # styles of a figure's two paragraphs
LEAD_IN = "Lead In"  # of a paragraph that shares its page with what follows
DPI = 96  # of an image that does not say it, as pandoc takes it
_START = "data:image/png;base64,"
_WORDS = "Some figures need most of a page. Therefore all figures stand at the end."
_ONE = "The figure needs most of a page. Therefore it stands at the end."

Placed = tuple[Node, bool]  # a block, and whether its page is turned


def figures_last(placed: Sequence[Placed]) -> list[Placed]:
    """The blocks with all figures at the end, where one of them is tall; a link to each stands at
    its place.
    """
    pairs = [
        i
        for i, (node, _) in enumerate(placed[:-1])
        if style_of(node) == FIGURE and style_of(placed[i + 1][0]) == CAPTION
    ]
    room = A4[1] - 2 * MARGIN
    if not any(_height(_image(placed[i][0])) > TALL * room for i in pairs):
        return list(placed)
    done: list[Placed] = []
    moved = {i for at in pairs for i in (at, at + 1)}
    for away, group in groupby(range(len(placed)), lambda i: i in moved):
        here = list(group)
        if away:
            links = [_link(i, placed[i + 1][0]) for i in here if i in pairs]
            done.append((_pointer(links), placed[here[0]][1]))
        else:
            done += [placed[i] for i in here]
    head, words = ("Figures", _WORDS) if len(pairs) > 1 else ("Figure", _ONE)
    done.append(({"t": "Header", "c": [1, ["", [], []], [_word(head)]]}, False))
    done.append((styled(LEAD_IN, [{"t": "Para", "c": [_word(words)]}]), False))
    for i in pairs:
        done += [(_marked(i, placed[i][0]), False), (placed[i + 1][0], False)]
    return done


def style_of(node: Node) -> str:
    """The style of a block of ours; "" of any other."""
    if node["t"] != "Div":
        return ""
    return dict(node["c"][0][2]).get("custom-style", "")


def _image(node: Node) -> Any:
    """What the one paragraph of a figure holds."""
    [paragraph] = node["c"][1]
    [image] = paragraph["c"]
    return image


def _height(image: Node) -> float:
    """Points that a PNG takes on the page, where it is as wide as the line at most; 0 of others.

    >>> head = b"\\x89PNG\\r\\n\\x1a\\n" + struct.pack(">I4sII", 13, b"IHDR", 960, 1920) + bytes(9)
    >>> data = _START + base64.b64encode(head).decode()
    >>> _height({"t": "Image", "c": [["", [], []], [], [data, ""]]}) == 2 * PORTRAIT
    True
    """
    source = image["c"][2][0]
    if not source.startswith(_START):
        return 0.0
    try:
        data = base64.b64decode(source.removeprefix(_START))
        wide, high = struct.unpack(">II", data[16:24])
        at = data.find(b"pHYs")
        dots = struct.unpack(">I", data[at + 4 : at + 8])[0] * 0.0254 if at > 0 else DPI
    except (binascii.Error, struct.error):
        return 0.0
    return high * min(72 / dots, PORTRAIT / wide) if wide and dots else 0.0


def _link(at: int, caption: Node) -> Node:
    """The number of a figure, which leads to it."""
    numbered = re.match(r"Figure \d+", text_of(caption["c"][1]))
    name = numbered[0] if numbered else "a figure"
    return {"t": "Link", "c": [["", [], []], [_word(name)], [f"#{_anchor(at)}", ""]]}


def _pointer(links: list[Node]) -> Node:
    """Where the figures are that would stand here."""
    parts = [part for link in links for part in (_word(", "), link)]
    return {"t": "Para", "c": [_word("At the end of this document: "), *parts[1:], _word(".")]}


def _marked(at: int, node: Node) -> Node:
    """The figure as the target of its link."""
    span = {"t": "Span", "c": [[_anchor(at), [], []], [_image(node)]]}
    return styled(FIGURE, [{"t": "Para", "c": [span]}])


def _anchor(at: int) -> str:
    return f"rk-figure-{at}"


def _word(text: str) -> Node:
    return {"t": "Str", "c": text}
