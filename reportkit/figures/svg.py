"""A canvas drawn once, as two SVGs: text as outlines, for readers without our fonts, and text as
text, for PDF and PNG. As a backend of matplotlib, it is named by its module.
"""

import io
import math
from typing import Any

import matplotlib
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.figure import Figure as Canvas

PPI = 150  # pixels of a PNG in an inch
_NO_METADATA = {"Date": None, "Creator": None}  # what differs from one build to the next
_POINTS = 72  # in an inch


def outlined_and_plain(canvas: Canvas) -> tuple[bytes, bytes]:
    """The SVG whose text is outlines, and that whose text is text.

    The second is right and below larger by the part of a pixel that the sheet lacks. Typst draws an
    SVG in whole pixels and then fits these to the size by leaving out a row or a column of them,
    which cut off the lower edge of names.
    """
    files = (io.StringIO(), io.StringIO())
    both: Any = files  # a backend gets what savefig was given
    canvas.savefig(both, format="svg", backend=f"module://{__name__}")
    outlined, plain = (file.getvalue().encode() for file in files)
    return outlined, plain


class FigureCanvas(FigureCanvasSVG):
    """What matplotlib calls to print a figure."""

    def print_svg(self, filename: Any, **_: Any) -> None:  # type: ignore[override]
        outlined, plain = filename
        dpi = self.figure.dpi
        self.figure.dpi = _POINTS
        width, height = self.figure.get_size_inches()
        second = RendererSVG(
            _in_whole_pixels(width) * _POINTS, _in_whole_pixels(height) * _POINTS, plain,
            image_dpi=dpi, metadata=_NO_METADATA,
        )  # fmt: skip
        second.height = height * _POINTS  # y is counted from the lower edge of the sheet
        first = _Twice(
            width * _POINTS, height * _POINTS, outlined, image_dpi=dpi, metadata=_NO_METADATA
        )
        first.second = second
        renderer: Any = MixedModeRenderer(self.figure, width, height, dpi, first)
        self.figure.draw(renderer)
        renderer.finalize()
        second.finalize()


def _in_whole_pixels(inches: float) -> float:
    """The smallest whole number of pixels that has room for it, in inches."""
    return math.ceil(round(inches * PPI, 6)) / PPI


class _Twice(RendererSVG):
    """Text as outlines; and all that it draws, drawn by a second one with text as text."""

    second: RendererSVG
    _within = False  # a method that draws with another of its own

    def _both(self, name: str, *args: Any, **kwargs: Any) -> None:
        first = getattr(super(), name)
        if self._within:
            first(*args, **kwargs)
            return
        self._within = True
        try:
            first(*args, **kwargs)
        finally:
            self._within = False
        getattr(self.second, name)(*args, **kwargs)

    def open_group(self, *args: Any, **kwargs: Any) -> None:
        self._both("open_group", *args, **kwargs)

    def close_group(self, *args: Any, **kwargs: Any) -> None:
        self._both("close_group", *args, **kwargs)

    def draw_path(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_path", *args, **kwargs)

    def draw_markers(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_markers", *args, **kwargs)

    def draw_path_collection(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_path_collection", *args, **kwargs)

    def draw_quad_mesh(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_quad_mesh", *args, **kwargs)

    def draw_gouraud_triangles(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_gouraud_triangles", *args, **kwargs)

    def draw_image(self, *args: Any, **kwargs: Any) -> None:
        self._both("draw_image", *args, **kwargs)

    def draw_text(self, *args: Any, **kwargs: Any) -> None:
        super().draw_text(*args, **kwargs)
        as_it_was = matplotlib.rcParams["svg.fonttype"]
        matplotlib.rcParams["svg.fonttype"] = "none"
        try:
            self.second.draw_text(*args, **kwargs)
        finally:
            matplotlib.rcParams["svg.fonttype"] = as_it_was
