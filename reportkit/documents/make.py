"""An executed notebook -> report.html, .md, .tex, .pdf, .docx."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from reportkit.documents import DEFAULT, FORMATS, checked_formats
from reportkit.documents.cells import FIGURES, Cells, without_title
from reportkit.documents.document import Document


def make_documents(
    nb: Any, folder: Path, formats: Sequence[str] = DEFAULT, title: str = "Report"
) -> list[Path]:
    """Write report.<format> for each format into `folder`, with the figures of user cells in
    figures/.

    The formats are written at once: most of their time pandoc and Typst are waited for.
    """
    formats = checked_formats(formats)
    if not formats:
        return []
    folder = Path(folder)
    documents = [document_of(nb, Cells(FORMATS[name], folder), title) for name in formats]
    for name in formats:  # threads that import modules at once can meet half of one
        FORMATS[name].writer()
    with ThreadPoolExecutor(len(formats)) as pool:
        written = list(pool.map(lambda name, doc: FORMATS[name].write(doc), formats, documents))
    paths = [folder / f"report.{name}" for name in formats]
    for path, data in zip(paths, written, strict=True):
        path.write_bytes(data)
    return paths


def document_of(nb: Any, cells: Cells, title: str) -> Document:
    """A notebook as the document of one format, before it is written."""
    blocks = without_title(cells.blocks(nb.cells), title)
    return Document(title, tuple(blocks), cells.folder, cells.figures != FIGURES)
