"""Where a table can stand in LaTeX, and one way to set it there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reportkit.tables.grid import Grid

# Points of a line: of a column of two in IEEEtran, of the text of article, of article's page turned
COLUMN, LINE, TURNED = 252.0, 345.0, 550.0
NARROW = 221.0  # points of a column of article on A4; on letter paper it has 229.5, in acmart 241
TURNED_HEAD = 130.0  # points: a turned head that is longer breaks
SURE = 0.98  # of the line is used: kerns and other fonts
# Heights in points: of the text of article, of a turned page, and of a line of a caption.
PAGE, TURNED_PAGE, CAPTION = 520.0, 300.0, 12.0
FLOATS = 12  # parts between which LaTeX has to put out what it holds
LABEL = 150.0  # points of a label beyond which it breaks where the line has little room
# A label up to so many points wide stays in one line where the place has room for it.
ONE_LINE = 260.0
# Before each further line of the name of a row. Classes of the AMS take the room before a ~ away.
SET_IN = "\u2007\u2009"

Standing = Literal["column", "text", "turned", "given"]


@dataclass(frozen=True, slots=True)
class Size:
    """A size of type: points, what text is wider there than at 10 pt (small type is cut wider), and
    the points between two columns.
    """

    points: int
    wider: float
    gap: float

    @property
    def lead(self) -> float:
        return 1.2 * self.points


SIZES = (Size(9, 0.925, 8.0), Size(8, 0.85, 6.0))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table can stand: points of the line, and of the page's height."""

    standing: Standing
    line: float
    page: float = PAGE


IN_COLUMN, IN_TEXT = Place("column", COLUMN), Place("text", LINE)
ON_ITS_SIDE = Place("turned", TURNED, TURNED_PAGE)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to set a table: its lines broken, its columns and rows in parts.

    whole: the table before its lines were broken. widths: points of each column. notes: points of
    the height that the notes take.
    """

    table: Grid
    size: Size
    turned_heads: bool
    place: Place
    widths: tuple[float, ...]
    whole: Grid
    parts: Sequence[Sequence[int]] = ()
    rows: Sequence[range] = ()
    notes: float = 0.0

    @property
    def width(self) -> float:
        """Points of the widest part."""
        return max(self.width_of(part) for part in self.parts)

    @property
    def heading(self) -> float:
        """Points of a line of a heading, in the type of the page. The narrowest part has them: an
        engine that prints a name's letters, and not their codes, sets the wider parts narrower.
        """
        return max(min(self.width_of(part) for part in self.parts) / self.size.wider, LABEL)

    @property
    def fits(self) -> bool:
        """Whether each part has room on the line."""
        return self.width <= SURE * self.place.line

    def width_of(self, columns: Sequence[int]) -> float:
        """What a part takes of the line; a spanning head breaks into lines."""
        return sum(self.widths[j] + self.size.gap for j in columns) - self.size.gap
