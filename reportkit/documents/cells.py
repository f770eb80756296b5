"""The cells of an executed notebook -> the blocks of a document: of each output the representation
that the format takes, its images as files in a folder.
"""

import base64
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from reportkit.documents import ASIDE, Format
from reportkit.documents.captions import numbered, said_of
from reportkit.documents.document import Block
from reportkit.documents.interactive import NEEDS_SCRIPT, screen_width, shows_nothing, stills
from reportkit.documents.offline import data_uri, local_file, offline
from reportkit.documents.pandoc import math_environments
from reportkit.documents.pdf import drawing, pixels

_IMAGES = {
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpg",
    "application/pdf": "pdf",
}
FIGURES = "figures"
HIDDEN = {"parameters", "injected-parameters", "remove-output"}  # tags of cells without outputs
REMOVED = "remove-cell"  # tag of a cell that no document shows
TYPST = "text/vnd.typst"  # what only a report's own outputs have
_FORMULA = re.compile(r"\s*(\$|\\begin\{)")
# What Report.figure shows: the SVG in its HTML, the file's name in the other sources.
_DRAWN = re.compile(
    r'<figure class="rk-figure"><picture>.*?<img src="data:image/svg\+xml;base64,([^"]+)"',
    re.DOTALL,
)
_FILE = re.compile(r"""(?<=[("{])figures/([\w-]+)\.(?:svg|pdf)(?=[)"}])""")
_READABLE = {*_IMAGES.values(), "jpeg", "gif"}


@dataclass(frozen=True, slots=True)
class Cells:
    """What turns cells into blocks of one format.

    folder: the document's. figures: where in it images are put; another place than a report's own
    gets the report's figures too.
    """

    format: Format
    folder: Path
    figures: str = FIGURES

    def blocks(self, cells: list[Any]) -> list[Block]:
        made = [list(self._of_cell(n, cell)) for n, cell in enumerate(cells, 1)]
        idle = idle_headings(cells, [bool(blocks) for blocks in made])
        found = [b for n, blocks in enumerate(made) if n not in idle for b in blocks]
        return numbered([stable(b) for b in found])

    def _of_cell(self, n: int, cell: Any) -> Iterator[Block]:
        tags = set(cell.metadata.get("tags", []))
        if REMOVED in tags:
            return
        if cell.cell_type == "markdown":
            yield Block("text/markdown", self._prose(n, cell))
        elif cell.cell_type == "code" and HIDDEN.isdisjoint(tags):
            about = said_of(cell)
            for k, output in enumerate(cell.outputs, 1):
                for block in self._of_output(f"cell-{n}-{k}", output):
                    if block.kind == "image":  # the first image of a cell has its caption
                        block = replace(block, alt=about.pop("alt", block.alt))
                        block = replace(block, caption=about.pop("caption", ""))
                    yield replace(block, shown=True, ours=TYPST in output.get("data", {}))

    def _of_output(self, stem: str, output: Any) -> Iterator[Block]:
        if output.output_type == "stream":
            if output.name == "stdout" and output.text.strip():
                yield Block("pre", _without_colours(output.text).rstrip("\n"))
        elif output.output_type == "error":
            yield Block("error", _without_colours(f"{output.ename}: {output.evalue}"))
        elif ASIDE not in output.data:
            output = self._still(output)
            mime = next((m for m in self.format.takes if m in output.data), None)
            if mime is not None:
                yield self._of_data(stem, mime, output)

    def _still(self, output: Any) -> Any:
        """The output, with images in the place of an interactive figure, and with a sentence in the
        place of HTML that shows nothing without its scripts.
        """
        if TYPST in output.data:
            return output
        data = stills(output.data)
        if data is None:
            source = "".join(output.data.get("text/html", ""))
            scripted = re.search(r"(?i)<(?:script|iframe)\b", source)
            if not scripted or not shows_nothing(source, offline(source, self.folder)):
                return output
            pictures = {m: d for m, d in output.data.items() if m in _IMAGES}
            data = pictures or {"text/markdown": NEEDS_SCRIPT}
        return type(output)(output_type="display_data", data=data, metadata=output.metadata)

    def _of_data(self, stem: str, mime: str, output: Any) -> Block:
        data = "".join(output.data[mime])
        if mime in _IMAGES:
            own = output.metadata.get(mime, {}).get("alt")
            alt = own or output.metadata.get("alt") or "Figure"
            width = screen_width(data) if mime == "image/png" else 0
            return Block("image", self._place(stem, _IMAGES[mime], data), alt, width=width)
        if mime == "text/plain":
            return Block("pre", _without_colours(data))
        if mime == "text/html" and self.format.name != "html":
            return Block(mime, self._html(stem, data))
        if mime == "text/latex" and self.format.name != "tex" and _FORMULA.match(data):
            return Block("text/markdown", self._math(data))
        return Block(mime, self._with_figure(data, output))

    def _with_figure(self, source: str, output: Any) -> str:
        """Source of a figure of the report, which names a file of the report's folder; away from
        that folder the file is made from the SVG that the notebook holds.
        """
        drawn = _DRAWN.match("".join(output.data.get("text/html", "")))
        if self.figures == FIGURES or drawn is None:
            return source
        svg = base64.b64decode(drawn[1])
        return _FILE.sub(lambda m: self._place(m[1], "svg", svg), source)

    def _math(self, text: str) -> str:
        return math_environments(text, fenced=self.format.name == "md")

    def _html(self, stem: str, source: str) -> str:
        """HTML on its way to another format: its images as files, remote ones as links."""
        count = itertools.count(1)

        def place(match: re.Match[str]) -> str:
            ext = _IMAGES.get(match[1])
            if not ext:
                return 'src=""'
            name = self._place(f"{stem}-{next(count)}", ext, base64.b64decode(match[2]))
            return f'src="{name}"'

        plain = re.sub(r"(?is)<style\b.*?</style>", "", offline(source, self.folder))
        return re.sub(r'src="data:([\w/+.-]+);base64,([^"]*)"', place, plain)

    def _place(self, stem: str, ext: str, data: str | bytes) -> str:
        """Write an image into figures/, an SVG as PDF too where this document could not show it;
        its name relative to the folder, or the image itself where the document holds it.
        """
        if isinstance(data, str) and ext == "svg":
            data = stable(Block("image", data)).text.encode()
        elif isinstance(data, str):
            data = base64.b64decode(data)
        if self.format.embeds:
            if ext == "svg" and ext not in self.format.images:
                ext, data = "png", pixels(data)
            return data_uri(f"{stem}.{ext}", data)
        (self.folder / self.figures).mkdir(parents=True, exist_ok=True)
        name = f"{self.figures}/{stem}.{ext}"
        (self.folder / name).write_bytes(data)
        if ext == "svg" and ext not in self.format.images:
            name = f"{self.figures}/{stem}.pdf"
            (self.folder / name).write_bytes(drawing(data))
        return name

    def _prose(self, n: int, cell: Any) -> str:
        """A text cell: attached and local images as files in figures/, remote ones as links."""
        attachments = cell.get("attachments", {})

        def place(match: re.Match[str]) -> str:
            alt, url = match[1], unquote(match[2])
            name = re.sub(r"[^A-Za-z0-9]+", "-", Path(url.split(":")[-1]).stem).strip("-")
            stem = f"cell-{n}-{name or 'image'}"
            if url.startswith("attachment:"):
                found = self._attached(stem, attachments.get(url.removeprefix("attachment:"), {}))
            elif re.match(r"https?:|//", url):
                return f"[{alt or url}]({url})"
            else:
                found = self._local(stem, url)
            if found is None:
                return f"*{alt or 'image'} (image not found)*"
            return match[0] if found == "" else f"![{alt}]({found})"

        text = re.sub(r"!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)", place, cell.source)
        return self._math(text)

    def _attached(self, stem: str, bundle: Any) -> str | None:
        """The name of an attached image; None of one that is not there."""
        for mime, ext in _IMAGES.items():
            if mime in bundle:
                return self._place(stem, ext, "".join(bundle[mime]))
        return None

    def _local(self, stem: str, url: str) -> str | None:
        """The name of an image file, "" of one that can stay where it is; None of none."""
        folder = self.folder.resolve()
        path = local_file(url, folder) or local_file(url, Path.cwd())
        if path is None:
            return None
        ext = path.suffix.lower()[1:]
        if ext not in _READABLE or (ext != "svg" and ext not in self.format.images):
            return None
        if path.is_relative_to(folder) and ext != "svg" and not self.format.embeds:
            return ""
        return self._place(stem, ext, path.read_bytes())


def idle_headings(cells: list[Any], shown: list[bool]) -> set[int]:
    """The text cells, by their places, that are a heading alone over code cells none of which shows
    anything. A heading over no code at all is the user's own, and stays.

    shown: whether each cell has something in the document.
    """
    heads = [_heading(cell) for cell in cells]
    idle: set[int] = set()
    for n in reversed(range(len(cells))):  # inner headings first
        level, alone = heads[n]
        if not (level and alone):
            continue
        ends = (k for k in range(n + 1, len(cells)) if 0 < heads[k][0] <= level)
        below = range(n + 1, next(ends, len(cells)))
        has_code = any(cells[k].cell_type == "code" for k in below)
        if has_code and not any(shown[k] and k not in idle for k in below):
            idle.add(n)
    return idle


def _heading(cell: Any) -> tuple[int, bool]:
    """The level of the heading that a text cell begins with, 0 without one, and whether the cell
    has nothing else.
    """
    if cell.cell_type != "markdown":
        return 0, False
    first, _, rest = cell.source.strip().partition("\n")
    found = re.fullmatch(r"(#{1,6})[ \t]+\S.*", first)
    return (len(found[1]), not rest.strip()) if found else (0, False)


def stable(block: Block) -> Block:
    """Without what differs between equal runs: Styler ids, addresses, the date in an SVG."""
    text = re.sub(r"(<[\w.]+[^<>\n]* at )0x[0-9a-f]{6,}(>)", r"\g<1>0x…\2", block.text)
    text = re.sub(r"\s*<dc:date>[^<]*</dc:date>", "", text)
    ids: dict[str, str] = {}
    text = re.sub(
        r"\bT_[0-9a-f]{5}(?=_|\b)", lambda m: ids.setdefault(m[0], f"T_{len(ids):05d}"), text
    )
    return replace(block, text=text)


def without_title(blocks: list[Block], title: str) -> list[Block]:
    """The document sets its title itself: a first heading that repeats it goes."""
    if blocks and blocks[0].kind == "text/markdown":
        first, _, rest = blocks[0].text.lstrip().partition("\n")
        if first.lstrip("# ").strip().casefold() == title.casefold() and first.startswith("# "):
            return [replace(blocks[0], text=rest), *blocks[1:]]
    return blocks


def _without_colours(text: str) -> str:
    if "\x1b" not in text:
        return text
    from nbconvert.filters import strip_ansi  # a second of imports, that few reports need

    return strip_ansi(text)
