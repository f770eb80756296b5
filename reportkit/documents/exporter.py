"""An executed notebook -> report.html, .md, .tex and .pdf: nbconvert exporters with our own
templates.
"""

import base64
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbconvert.filters import strip_ansi
from nbconvert.preprocessors import TagRemovePreprocessor
from traitlets.config import Config

from reportkit.documents.offline import data_uri, local_file, offline
from reportkit.documents.page import Entry, arrange
from reportkit.documents.pandoc import READERS, github_math, math_environments, pandoc
from reportkit.documents.pdf import pdf
from reportkit.errors import DocumentError
from reportkit.tables.html import content_policy, table_script
from reportkit.tables.render import render_preamble
from reportkit.text.environment import environment
from reportkit.text.escaping import LATEX_DIRECT, latex_char, typst_string, visible

Format = Literal["html", "md", "tex", "pdf"]
FORMATS: tuple[Format, ...] = ("html", "md", "tex", "pdf")
HIDDEN_OUTPUT = {"parameters", "injected-parameters", "remove-output"}

# Which representation of an output each format takes: our objects bring their own, everything else
# is converted.
_IMAGES = {
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpg",
    "application/pdf": "pdf",
}
_OTHERS = ("text/markdown", "text/html", "text/latex", "text/plain")
PRIORITY: dict[str, tuple[str, ...]] = {
    "html": ("text/html", "image/svg+xml", "image/png", "image/jpeg", *_OTHERS),
    "md": (
        "text/markdown",
        "image/svg+xml",
        "image/png",
        "image/jpeg",
        "text/html",
        "text/latex",
        "text/plain",
    ),
    "tex": ("text/latex", "application/pdf", "image/png", "image/jpeg", "image/svg+xml", *_OTHERS),
    "typ": ("text/vnd.typst", "image/svg+xml", "image/png", "image/jpeg", *_OTHERS),
}
_NATIVE = {"html": "text/html", "md": "text/markdown", "tex": "text/latex", "typ": "text/vnd.typst"}


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the document: source in some mime type, preformatted text, or an image below the
    folder.
    """

    kind: str  # a mime type, raw, pre, error or image
    text: str
    alt: str = ""


def make_documents(
    nb: Any, folder: Path, formats: Sequence[str] = FORMATS, title: str = "Report"
) -> list[Path]:
    """Write report.<format> for each format into `folder`, with the figures of user cells in
    figures/.
    """
    folder = Path(folder)
    paths = []
    for fmt in formats:
        if fmt not in FORMATS:
            raise DocumentError(f"no document format {fmt!r}; there are {', '.join(FORMATS)}")
        exporter = ReportExporter(fmt="typ" if fmt == "pdf" else fmt, folder=folder, title=title)
        text, _ = exporter.from_notebook_node(nb)
        path = folder / f"report.{fmt}"
        if fmt == "pdf":
            path.write_bytes(pdf(text, folder))
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
        if fmt == "tex" and not (folder / "reportkit-preamble.tex").exists():
            (folder / "reportkit-preamble.tex").write_text(render_preamble(), encoding="utf-8")
        paths.append(path)
    return paths


class ReportExporter(Exporter):
    """Notebook -> one document without its code, rendered by templates/report.<fmt>.j2."""

    def __init__(self, *, fmt: str, folder: Path, title: str, **kw: Any) -> None:
        hidden = Config(
            {"TagRemovePreprocessor": {"enabled": True, "remove_all_outputs_tags": HIDDEN_OUTPUT}}
        )
        super().__init__(config=hidden, optimistic_validation=True, **kw)
        self.register_preprocessor(TagRemovePreprocessor(parent=self), enabled=True)
        self.fmt, self.folder, self.title = fmt, folder, title

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        blocks = [_stable(b) for n, cell in enumerate(nb.cells, 1) for b in self._cell(n, cell)]
        blocks = _without_title(blocks, self.title)
        outputs = {i for i, b in enumerate(blocks) if b.kind == "text/html"}
        blocks = _converted(blocks, self.fmt)
        contents: list[Entry] = []
        if self.fmt == "html":
            texts = [offline(b.text, self.folder) if b.kind == "raw" else "" for b in blocks]
            texts, contents = arrange(texts, outputs)
            blocks = [
                replace(b, text=t) if b.kind == "raw" else b
                for b, t in zip(blocks, texts, strict=True)
            ]
        if self.fmt == "md":
            blocks = [
                replace(b, text=github_math(b.text)) if b.kind == "raw" else b for b in blocks
            ]
        if self.fmt in _LINKS:
            blocks = _known_links(blocks, self.fmt)
        env = environment(self.fmt)
        text = env.get_template(f"report.{self.fmt}.j2").render(
            title=self.title,
            blocks=[
                {
                    "kind": b.kind,
                    "alt": b.alt,
                    "text": Markup(b.text) if b.kind == "raw" else b.text,
                }
                for b in blocks
            ],
            contents=contents,
            **_HELPERS,
            data_uri=lambda name: data_uri(self.folder / name),
            declare=lambda: _declarations([b.text for b in blocks] + [self.title]),
        )
        return visible(text), resources

    def _cell(self, n: int, cell: Any) -> Iterator[Block]:
        if cell.cell_type == "markdown":
            yield Block("text/markdown", self._images(n, cell))
        elif cell.cell_type == "code":
            for k, output in enumerate(cell.outputs, 1):
                yield from self._output(f"cell-{n}-{k}", output)

    def _output(self, stem: str, output: Any) -> Iterator[Block]:
        if output.output_type == "stream":
            if output.name == "stdout" and output.text.strip():
                yield Block("pre", strip_ansi(output.text).rstrip("\n"))
        elif output.output_type == "error":
            yield Block("error", strip_ansi(f"{output.ename}: {output.evalue}"))
        else:
            mime = next((m for m in PRIORITY[self.fmt] if m in output.data), None)
            if mime is None:
                return
            data = "".join(output.data[mime])
            if mime in _IMAGES:
                alt = (
                    output.metadata.get(mime, {}).get("alt")
                    or output.metadata.get("alt")
                    or "Figure"
                )
                yield Block("image", self._place(stem, _IMAGES[mime], data), alt)
            elif mime == "text/plain":
                yield Block("pre", strip_ansi(data))
            elif (
                mime == "text/latex" and self.fmt != "tex" and re.match(r"\s*(\$|\\begin\{)", data)
            ):
                yield Block("text/markdown", math_environments(data, fenced=self.fmt == "md"))
            elif mime == "text/html" and self.fmt != "html":
                yield Block(mime, self._html_images(stem, data))
            else:
                yield Block(mime, data)

    def _html_images(self, stem: str, source: str) -> str:
        """HTML on its way to another format: its images as files in figures/, remote ones as links."""
        count = itertools.count(1)

        def place(match: re.Match[str]) -> str:
            ext = _IMAGES.get(match[1])
            data = base64.b64decode(match[2])
            return f'src="{self._place(f"{stem}-{next(count)}", ext, data)}"' if ext else 'src=""'

        plain = re.sub(r"(?is)<style\b.*?</style>", "", offline(source, self.folder))
        return re.sub(r'src="data:([\w/+.-]+);base64,([^"]*)"', place, plain)

    def _place(self, stem: str, ext: str, data: str | bytes) -> str:
        """Write an image into figures/, as PDF where LaTeX could not read it; its name relative to
        the folder.
        """
        figures = self.folder / "figures"
        figures.mkdir(parents=True, exist_ok=True)
        if isinstance(data, str):
            data = (
                _stable(Block("image", data)).text.encode()
                if ext == "svg"
                else base64.b64decode(data)
            )
        name = f"figures/{stem}.{ext}"
        (self.folder / name).write_bytes(data)
        if self.fmt == "tex" and ext == "svg":
            page = (
                "#set page(width: auto, height: auto, margin: 0pt)\n#set document(date: "
                f'none)\n#image("/{name}")'
            )
            name = f"figures/{stem}.pdf"
            (self.folder / name).write_bytes(pdf(page, self.folder))
        return name

    def _images(self, n: int, cell: Any) -> str:
        """A markdown cell with attached and local images placed in figures/, and remote ones as
        links.
        """
        attachments = cell.get("attachments", {})

        def place(match: re.Match[str]) -> str:
            alt, url = match[1], unquote(match[2])
            stem = f"cell-{n}-" + (
                re.sub(r"[^A-Za-z0-9]+", "-", Path(url.split(":")[-1]).stem).strip("-") or "image"
            )
            if url.startswith("attachment:"):
                bundle = attachments.get(url.removeprefix("attachment:"), {})
                for mime, ext in _IMAGES.items():
                    if mime in bundle:
                        return f"![{alt}]({self._place(stem, ext, ''.join(bundle[mime]))})"
            elif re.match(r"https?:|//", url):
                return f"[{alt or url}]({url})"
            else:
                path = local_file(url, self.folder.resolve()) or local_file(url, Path.cwd())
                if path and path.suffix.lower().lstrip(".") in {*_IMAGES.values(), "jpeg", "gif"}:
                    readable = self.fmt != "tex" or path.suffix.lower() != ".gif"
                    if (
                        readable
                        and path.is_relative_to(self.folder.resolve())
                        and path.suffix.lower() != ".svg"
                    ):
                        return match[0]
                    if readable:
                        return f"![{alt}]({self._place(stem, path.suffix.lower()[1:], path.read_bytes())})"
            return f"*{alt or 'image'} (image not found)*"

        text = re.sub(r"!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)", place, cell.source)
        return math_environments(text, fenced=self.fmt == "md")


def _stable(block: Block) -> Block:
    """The block without what differs between equal runs: Styler ids, addresses, the date in an SVG."""
    text = re.sub(r"(<[\w.]+[^<>\n]* at )0x[0-9a-f]{6,}(>)", r"\g<1>0x…\2", block.text)
    text = re.sub(r"\s*<dc:date>[^<]*</dc:date>", "", text)
    ids: dict[str, str] = {}
    text = re.sub(
        r"\bT_[0-9a-f]{5}(?=_|\b)", lambda m: ids.setdefault(m[0], f"T_{len(ids):05d}"), text
    )
    return replace(block, text=text)


def _without_title(blocks: list[Block], title: str) -> list[Block]:
    """The document sets its title itself: a first heading that repeats it goes."""
    if blocks and blocks[0].kind == "text/markdown":
        first, _, rest = blocks[0].text.lstrip().partition("\n")
        if first.lstrip("# ").strip().casefold() == title.casefold() and first.startswith("# "):
            return [replace(blocks[0], text=rest), *blocks[1:]]
    return blocks


# --- pandoc and typst


def _converted(blocks: list[Block], fmt: str) -> list[Block]:
    """Every block in another format's source as raw source of this one; one pandoc run for each
    reader.
    """
    done = [replace(b, kind="raw") if b.kind == _NATIVE[fmt] else b for b in blocks]
    for mime, reader in READERS.items():
        where = [i for i, b in enumerate(done) if b.kind == mime]
        for i, text in zip(where, pandoc([done[i].text for i in where], reader, fmt), strict=True):
            done[i] = Block("raw", text)
    return done


_LABELS = {
    "typ": re.compile(r"^<([^<>\s]+)>$", re.MULTILINE),
    "tex": re.compile(r"\\label\{([^{}]+)\}"),
}
_LINKS = {
    "typ": (re.compile(r"#link\(<([^>]+)>\)"), "#"),
    "tex": (re.compile(r"\\hyperref\[([^\]]+)\]"), ""),
}


def _known_links(blocks: list[Block], fmt: str) -> list[Block]:
    """Links to headings that are not there, which Typst refuses, become plain text."""
    labels = {m for b in blocks if b.kind == "raw" for m in _LABELS[fmt].findall(b.text)}
    pattern, instead = _LINKS[fmt]

    def link(match: re.Match[str]) -> str:
        return match[0] if match[1] in labels else instead

    return [replace(b, text=pattern.sub(link, b.text)) if b.kind == "raw" else b for b in blocks]


# --- what the templates call


def _declarations(texts: list[str]) -> list[tuple[Markup, Markup]]:
    """Characters that LaTeX has to be told about, with what prints them."""
    chars = sorted(
        {c for text in texts for c in visible(text) if c > "\x7f" and c not in LATEX_DIRECT}
    )
    math = re.compile(r"^\$(.*)\$$")
    return [
        (Markup(f"{ord(c):04X}"), Markup(math.sub(r"\\ensuremath{\1}", latex_char(c))))
        for c in chars
    ]


def _fence(text: str) -> Markup:
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    return Markup("`" * (longest + 1))


def _latex_lines(text: str) -> list[Markup]:
    """Preformatted text line by line: its spaces stay, and long lines break."""
    escape = environment("tex").finalize
    assert callable(escape)
    lines = [str(escape(line.expandtabs().replace(" ", "\u00a0"))) for line in text.split("\n")]
    return [Markup(line.replace("~", r"\ ") or r"\mbox{}") for line in lines]


_HELPERS: dict[str, Any] = {
    "fence": _fence,
    "typst_string": lambda text: Markup(typst_string(str(text))),
    "latex_lines": _latex_lines,
    "raw": Markup,
    "script": table_script,
    "policy": content_policy,
}
