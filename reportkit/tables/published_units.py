"""In which units and with how many digits the numbers of a checked table are printed again."""

from collections.abc import Callable, Collection

from reportkit.published import CheckedTable, Scale
from reportkit.tables.notes import POINTS, Note
from reportkit.text.numbers import DASH, Units, count, span

FROM = {
    "printed": "printed",
    "interval": "its interval",
    "largest": "the largest possible",
    "none": DASH,
}
# of evals of which some have percentages
SOME_POINTS = Note(
    "Differences and their errors are in percentage points where the means are percentages.",
    "points",
)


def points_note(c: CheckedTable, names: Collection[str]) -> Note:
    """What differences of these evals are in, where that is not the units of their means."""
    return points_of({c.scales.get(name, Scale()).percent for name in names})


def points_of(percent: Collection[bool]) -> Note:
    """The same, where it is known of each whether its mean is a percentage."""
    if True not in percent:
        return Note("")
    return SOME_POINTS if False in percent else POINTS


def scale_and_size(c: CheckedTable, names: Collection[str]) -> str:
    """On which scale evals are scored, and how many questions they have, as a caption says it."""
    scales = {c.scales.get(name, Scale()) for name in names}
    means = [m for m in c.means if m.eval in names]
    sizes = sorted({m.n for m in means if m.n == m.n})
    if len(scales) > 1:
        on = "each eval has its own scale"
    elif (scale := next(iter(scales))).known:
        ends = f"{scale.low:g} to {scale.high:g}"
        on = "scores in percent" if scale.percent else f"scores from {ends}"
    else:
        on = "no scale is printed"
    if not sizes:
        size = "no number of questions is known"
    else:
        size = f"{span(count(sizes[0]), count(sizes[-1]))} questions"
        size += " where their number is known" * any(m.n != m.n for m in means)
    return f"{on}; {size}".capitalize()


def eval_units(c: CheckedTable) -> Callable[[str, int], Units]:
    """How the numbers of an eval are printed: with the digits of its own means, and more of them
    where that is asked for.
    """
    digits = _digits(c, "mean")
    scales = c.scales

    def units(name: str, more: int = 0) -> Units:
        return Units(scales.get(name, Scale()).percent, digits.get(name, 1) + more)

    return units


def _digits(c: CheckedTable, name: str) -> dict[str, int]:
    """The most decimals that a number of this name is printed with, by eval."""
    found: dict[str, int] = {}
    for m in c.table.means:
        number = getattr(m, name)
        if number is not None:
            found[m.eval] = max(found.get(m.eval, 0), number.digits)
    return found


def sharper_errors(c: CheckedTable) -> dict[tuple[str, str, str, int], int]:
    """How many decimals each printed error has more than the means of its eval: none is dropped,
    and none is added. By eval, model, table and line.
    """
    means = _digits(c, "mean")
    return {
        (m.eval, m.model, m.place.table, m.place.line): max(0, m.se.digits - means.get(m.eval, 1))
        for m in c.table.means
        if m.se is not None
    }


def in_units(c: CheckedTable, name: str, x: float) -> float:
    """A number of the table as Units print it: of percentages the share."""
    return x / 100.0 if c.scales.get(name, Scale()).percent else x


def standard_error_from(source: str) -> str:
    """What a note says where all standard errors are from one source."""
    if source == FROM["printed"]:
        return "standard error as printed"
    return "no standard error" if source == DASH else f"standard error from {source}"
