"""The pictures of README.md and the guide, made by the package itself: `make images`.

A table and a figure of the demonstration (fictional models), as a report prints them.
"""

from pathlib import Path
from typing import Any

import typst

import reportkit
from reportkit.figures import draw
from reportkit.tables.writers.render import render_drop_in

HERE = Path(__file__).parent
PAGE = "#set page(width: 17cm, height: auto, margin: 8pt, fill: white)\n#set text(size: 10pt)\n"
RESOLUTION = 144  # dots an inch: sharp at half of the size


def table(result: Any, kind: str) -> bytes:
    """A table of an eval as a PNG, by the same Typst source that the PDF report takes."""
    source: Any = (PAGE + render_drop_in(reportkit.make_table(result, kind), "typ")).encode()
    pages = typst.compile(source, format="png", ppi=RESOLUTION, ignore_system_fonts=True)
    assert isinstance(pages, bytes), "the table is longer than a page"
    return pages


def main() -> None:
    result, _ = reportkit.analyse(reportkit.demo_scores(["MGSM"]), "MGSM")
    for kind in ("means", "differences"):
        (HERE / f"{kind}-table.png").write_bytes(table(result, kind))
    for kind in ("means", "ranks"):
        figure = draw(result, kind)
        assert figure is not None, f"the demonstration has no figure of {kind}"
        (HERE / f"{kind}.png").write_bytes(figure.png)


if __name__ == "__main__":
    main()
