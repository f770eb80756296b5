"""An executed notebook -> its documents: HTML, Markdown, LaTeX, PDF and Word.

To add a format: a module here, named like the format, whose `write(document)` gives its text or
bytes, and a line in FORMATS. nbconvert's entry points are made from FORMATS when reportkit is
built (hatch_build.py), so this module imports the standard library alone.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from reportkit.documents.document import Document

# What a cell says to who runs it, as a mime type of its output: no document shows it.
ASIDE = "application/vnd.reportkit.aside"
_RASTERS = ("image/png", "image/jpeg")
_PICTURES = ("image/svg+xml", *_RASTERS)
_OTHERS = ("text/markdown", "text/html", "text/latex", "text/plain")


@dataclass(frozen=True, slots=True)
class Format:
    """A document format; the module of its name is imported when a document is written.

    name: of the format, and the suffix of its file. takes: mime types of an output, the best first;
    what is not the format's own is converted. images: suffixes of the image files that it can show.
    embeds: the document holds its images. binary: its writer gives bytes. on_request: a build that
    names no formats does not make it.
    """

    name: str
    mime: str
    title: str  # in the menu of JupyterLab
    takes: tuple[str, ...]
    images: tuple[str, ...]
    embeds: bool = False
    binary: bool = False
    on_request: bool = False

    def writer(self) -> "Callable[[Document], str | bytes]":
        module = importlib.import_module(f"reportkit.documents.{self.name}")
        return module.write  # type: ignore[no-any-return]

    def write(self, document: "Document") -> bytes:
        written = self.writer()(document)
        return written.encode() if isinstance(written, str) else written


_RASTER = ("png", "jpg", "jpeg", "gif")
FORMATS: dict[str, Format] = {
    f.name: f
    for f in (
        Format(
            "html", "text/html", "HTML",
            takes=("text/html", *_PICTURES, *_OTHERS), images=("svg", *_RASTER), embeds=True,
        ),
        Format(
            "md", "text/markdown", "Markdown",
            takes=("text/markdown", *_PICTURES, "text/html", "text/latex", "text/plain"),
            images=("svg", "pdf", *_RASTER),
        ),
        Format(
            "tex", "text/x-tex", "LaTeX",
            takes=("text/latex", "application/pdf", *_RASTERS, "image/svg+xml", *_OTHERS),
            images=("pdf", "png", "jpg", "jpeg"),
        ),
        Format(
            "pdf", "application/pdf", "PDF",
            takes=("text/vnd.typst", *_PICTURES, *_OTHERS), images=("svg", "pdf", *_RASTER),
            binary=True,
        ),
        Format(
            "docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "Word",
            takes=("text/html", *_RASTERS, "image/svg+xml", *_OTHERS),
            images=_RASTER, embeds=True, binary=True, on_request=True,
        ),
    )
}  # fmt: skip
DEFAULT: tuple[str, ...] = tuple(f.name for f in FORMATS.values() if not f.on_request)


def entry_points() -> dict[str, str]:
    """nbconvert's entry points, two for each format: with a hyphen for its command, and with an
    underscore for Jupyter Server, whose addresses take no hyphen.

    >>> entry_points()["reportkit-html"], entry_points()["reportkit_html"][-12:]
    ('reportkit.documents.exporter:HtmlCommandExporter', 'HtmlExporter')
    """
    home = "reportkit.documents.exporter"
    for_command = {f"reportkit-{f}": f"{home}:{f.capitalize()}CommandExporter" for f in FORMATS}
    return for_command | {f"reportkit_{f}": f"{home}:{f.capitalize()}Exporter" for f in FORMATS}


def checked_formats(names: Sequence[str]) -> tuple[str, ...]:
    """The formats that are named, each once and in our order, so that the order of a command makes
    no difference. UnknownNameError for a name that none has.

    >>> checked_formats(["docx", "md", "docx"])
    ('md', 'docx')
    """
    for name in names:
        if name not in FORMATS:
            raise UnknownNameError(f"no document format {name!r}{did_you_mean(name, FORMATS)}")
    return tuple(name for name in FORMATS if name in names)
