"""A canvas as an SVG whose text is text: it can be searched, selected and edited, and it takes the
same room in any font. As a backend of matplotlib, it is named by its module.
"""

import functools
import io
import math
import re
import struct
import zlib
from typing import Any

from matplotlib import _path
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.colors import rgb2hex
from matplotlib.figure import Figure as Canvas
from matplotlib.font_manager import FontProperties, weight_dict
from matplotlib.textpath import text_to_path

from reportkit.text.figure_width import text_width

PPI = 300  # pixels of a PNG in an inch: what a printer shows
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_POINTS = 72  # in an inch
# What a machine without DejaVu Sans has that is as wide: Verdana on Windows and macOS.
_INSTEAD = ("Verdana", "sans-serif")
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_SIZE = re.compile(r'width="([\d.]+)pt" height="([\d.]+)pt" viewBox="[^"]*"')
_FITTED = re.compile(r' textLength="[^"]*" lengthAdjust="[^"]*"')


def as_svg(canvas: Canvas) -> bytes:
    """The drawing as SVG. Nothing in it asks for a file: a font is the viewer's own, and a text is
    as long in it as in ours (`textLength`).
    """
    file = io.StringIO()
    into: Any = file  # a backend gets what savefig was given
    canvas.savefig(into, format="svg", backend=f"module://{__name__}")
    return file.getvalue().encode()


def for_typst(svg: bytes) -> str:
    """The same for Typst, which has our fonts: right and below larger by the part of a pixel that
    the sheet lacks.

    Typst draws an SVG in whole pixels and then fits these to the size by leaving out a row or a
    column of them, which cut off the lower edge of names.
    """

    def whole(match: re.Match[str]) -> str:
        width, height = (_in_whole_pixels(float(x) / _POINTS) * _POINTS for x in match.groups())
        return f'width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}"'

    return _SIZE.sub(whole, _FITTED.sub("", svg.decode()), count=1)


def with_size(png: bytes) -> bytes:
    """A PNG that says how large it prints: the chunk pHYs (PNG, section 11.3.5.3), in pixels per
    metre, right behind the header.
    """
    said = b"pHYs" + struct.pack(">IIB", *2 * (round(PPI / 0.0254),), 1)
    chunk = struct.pack(">I", 9) + said + struct.pack(">I", zlib.crc32(said))
    header = 33  # bytes: the signature and the chunk IHDR
    return png[:header] + chunk + png[header:]


def _in_whole_pixels(inches: float) -> float:
    """The smallest whole number of pixels that has room for it, in inches; a hundredth of a pixel
    less, as Typst rounds up what its single precision makes of it.
    """
    return (math.ceil(round(inches * PPI, 4)) - 0.01) / PPI


@functools.lru_cache(maxsize=4096)  # a figure is drawn at two widths, and most texts are in both
def _extent(text: str, font: FontProperties, ismath: Any) -> tuple[float, float, float]:
    return text_to_path.get_text_width_height_descent(text, font, ismath)


class FigureCanvas(FigureCanvasSVG):
    """What matplotlib calls to print a figure."""

    def print_svg(self, filename: Any, **_: Any) -> None:  # type: ignore[override]
        dpi = self.figure.dpi
        self.figure.dpi = _POINTS
        width, height = self.figure.get_size_inches()
        svg = _Renderer(
            width * _POINTS, height * _POINTS, filename, image_dpi=dpi, metadata=_NO_METADATA
        )
        renderer: Any = MixedModeRenderer(self.figure, width, height, dpi, svg)
        self.figure.draw(renderer)
        renderer.finalize()


class _Renderer(RendererSVG):
    """Text as text with the font named once, and only the groups that a reader of the file uses."""

    _GROUPS = ("figure", "axes", "legend")

    def open_group(self, s: str, gid: str | None = None) -> None:
        if s in self._GROUPS:
            super().open_group(s, gid)

    def close_group(self, s: str) -> None:
        if s in self._GROUPS:
            super().close_group(s)

    def _convert_path(self, path: Any, transform: Any = None, clip: Any = None,
                      simplify: Any = None, sketch: Any = None) -> str:  # fmt: skip
        """As matplotlib's, to a hundredth of a point: a third of the bytes."""
        within = (0.0, 0.0, self.width, self.height) if clip else None
        codes = [b"M", b"L", b"Q", b"C", b"z"]
        written: Any = _path
        text: bytes = written.convert_to_string(
            path, transform, within, simplify, sketch, 2, codes, False
        )
        return text.decode().replace("\n", " ").strip()

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Any
    ) -> tuple[float, float, float]:
        return _extent(s, prop, ismath)

    def draw_text(  # noqa: PLR0913 (the renderer's own signature)
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        size = prop.get_size()
        look = {"fill": rgb2hex(gc.get_rgb()), "font-size": f"{size:g}"}
        families = ",".join([*(f"'{name}'" for name in prop.get_family()), *_INSTEAD])
        look["font-family"] = families
        if weight_dict.get(prop.get_weight(), prop.get_weight()) != 400:
            look["font-weight"] = str(prop.get_weight())
        if mtext is not None and angle == 0:
            at = mtext.get_transform().transform(mtext.get_unitless_position())
            x = float(at[0])
            look["text-anchor"] = _ANCHORS[mtext.get_ha()]
        look |= {"x": f"{x:.2f}", "y": f"{y:.2f}"}
        if angle:
            look["transform"] = f"rotate({-angle:g} {x:.2f} {y:.2f})"
        look["textLength"] = f"{text_width(s, size) * _POINTS:.2f}"
        look["lengthAdjust"] = "spacingAndGlyphs"
        self.writer.element("text", s, attrib=look)
