"""A document before it has a format: a title, blocks in the order to print, the folder of its
images. And what the formats that are text share.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from reportkit.documents.pandoc import READERS, pandoc
from reportkit.text.environment import environment
from reportkit.text.visible import visible

LISTS = ("- ", r"\begin{itemize}")  # how a list begins in Typst and in LaTeX
LINE = 200  # characters of a paragraph that leads to what stands below it


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the document: source in some mime type, preformatted text, or an image below the
    folder.

    kind: a mime type, raw (source of the document's own format), pre, error or image. caption: of
    an image that is a figure of the document. width: of an image on a screen, in pixels; 0: its
    own. number: of a figure or a table, where the format does not count itself. shown: an output of
    a code cell, not a text cell's own prose. ours: what a report shows, in every format.
    """

    kind: str
    text: str
    alt: str = ""
    caption: str = ""
    width: int = 0
    number: int = 0
    shown: bool = False
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """alone: with no report's folder around it, where its files would lie."""

    title: str
    blocks: tuple[Block, ...]
    folder: Path
    alone: bool = False


def converted(document: Document, native: str, fmt: str) -> list[Block]:
    """Every block in another format's source as raw source of `fmt`, one of ours or of pandoc's
    writers; one pandoc run for each reader. native: the mime type of `fmt`.
    """
    done = [replace(b, kind="raw") if b.kind == native else b for b in document.blocks]
    for mime, reader in READERS.items():
        where = [i for i, b in enumerate(done) if b.kind == mime]
        for i, text in zip(where, pandoc([done[i].text for i in where], reader, fmt), strict=True):
            done[i] = replace(done[i], kind="raw", text=text)
    return done


def changed(blocks: Sequence[Block], change: Any) -> list[Block]:
    """The blocks with the source of each raw one changed."""
    return [replace(b, text=change(b.text)) if b.kind == "raw" else b for b in blocks]


def rendered(document: Document, fmt: str, blocks: Sequence[Block], **values: Any) -> str:
    """templates/report.<fmt>.j2 with the blocks; values: what else the template calls."""
    following = [*(b.kind for b in blocks), ""][1:]
    leads = [
        b.kind == "raw" and after == "pre" and _is_a_line(b.text)
        for b, after in zip(blocks, following, strict=True)
    ]
    shown = [
        {
            "kind": b.kind,
            "leads": lead,
            # a list above such a line: no page begins with the line
            "stays": next_leads and b.kind == "raw" and b.text.lstrip().startswith(LISTS),
            "alt": b.alt,
            "caption": b.caption,
            "number": b.number,
            "width": b.width,
            "text": Markup(b.text) if b.kind == "raw" else b.text,
        }
        for b, lead, next_leads in zip(blocks, leads, [*leads, False][1:], strict=True)
    ]
    template = environment(fmt).get_template(f"report.{fmt}.j2")
    return visible(template.render(title=document.title, blocks=shown, raw=Markup, **values))


def _is_a_line(source: str) -> bool:
    """Whether a source is one short paragraph: it stays on the page of what it leads to."""
    return len(source) < LINE and "\n\n" not in source.strip()


def known_links(
    blocks: Sequence[Block], label: re.Pattern[str], link: re.Pattern[str], instead: str
) -> list[Block]:
    """Links to headings that are not there, which Typst refuses, become plain text."""
    labels = {m for b in blocks if b.kind == "raw" for m in label.findall(b.text)}

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[1] in labels else instead

    return changed(blocks, lambda text: link.sub(kept, text))
