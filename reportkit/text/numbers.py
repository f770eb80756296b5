"""Numbers as text: percent signs, digits, minus signs and dashes are decided here alone."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reportkit.results import EvalResult

DASH = "—"
MINUS = "−"


def rounded(x: float, digits: int) -> str:
    """The size of a number with so many decimals, as printf of C, R and Python round it.

    A double that lies exactly halfway goes to the even digit; 23 of 80, 28.75%, is a double a hair
    below and goes down. So a reader who prints the numbers of results.json finds the same digits.

    >>> rounded(100 * 0.2875, 1), rounded(6.25, 1), rounded(-6.35, 1)
    ('28.7', '6.2', '6.3')
    """
    return f"{abs(x):.{digits}f}"


def fixed(x: float, digits: int, *, sign: bool = False) -> str:
    """A number with so many decimals, a real minus sign, and a dash for what is undefined.

    What prints as 0 has no minus sign. With `sign` it has one, or a plus; what is far below the
    last digit is the rounding of a 0, and has none.

    >>> [fixed(x, 1) for x in (2.04, -2.06, -0.02, float("nan"))], fixed(0.02, 1, sign=True)
    (['2.0', '−2.1', '0.0', '—'], '+0.0')
    >>> fixed(0.1 + 0.2 - 0.3, 1, sign=True)
    '0.0'
    """
    if not math.isfinite(x):
        return DASH
    text = rounded(x, digits)
    if abs(x) * 10.0**digits < 1e-9:
        return text
    if x < 0 and (sign or float(text)):
        return MINUS + text
    if sign and x > 0:
        return "+" + text
    return text


def format_p_value(p: float, floor: float = 0.001, *, level: float = 0.95) -> str:
    """
    A fourth digit, where three would hide on which side of 1 - level p is.

    >>> [format_p_value(p) for p in (0.25, 0.0004, 0.99996, 1.0, 0.04986, float("nan"))]
    ['0.250', '<0.001', '>0.999', '1.000', '0.0499', '—']
    """
    if p != p:
        return DASH
    if p < floor:
        return f"<{floor:g}"
    alpha = round(1.0 - level, 12)
    if rounded(p, 3) == rounded(alpha, 3) and p != alpha:
        return _near(p, alpha)
    if 0.9995 <= p < 1.0:
        return ">0.999"
    return rounded(p, 3)


def _near(p: float, alpha: float) -> str:
    """A p-value that three digits would round as they do alpha, so that its side is seen."""
    if rounded(p, 4) != rounded(alpha, 4):
        return rounded(p, 4)
    limit = f"{alpha:.3f}" if alpha == round(alpha, 3) else f"{alpha:g}"
    return f"<{limit}" if p < alpha else f">{limit}"


@dataclass(frozen=True, slots=True)
class Units:
    """How the scores of one eval are printed: as percent or in their own units, with how many
    decimals.

    unit: what follows each percentage; empty where a table says once that its numbers are
    percentages. point: what follows a difference of percentages, which is in points; empty where a
    note says so.

    >>> Units(True, 1).number(0.99996), Units(True, 1).number(1.0), Units(True, 1, "").error(0.0004)
    ('99.9%', '100.0%', '<0.1')
    """

    percent: bool
    digits: int
    unit: str = "%"
    point: str = ""

    def number(self, x: float, *, sign: bool = False, side: bool = False) -> str:
        """A score or, with its sign, a difference. Only 1 prints as 100%: what would be rounded up
        to it is cut. What prints as 0 has a sign only as an end of an interval, which says so on
        which side of 0 it lies (side).

        >>> u = Units(True, 1)
        >>> u.number(-0.0002, sign=True), u.interval(-0.0002, 0.02, sign=True)
        ('0.0', '(−0.0, +2.0)')
        """
        shown = 100.0 * x if self.percent else x
        if self.percent and abs(x) < 1.0 and float(rounded(shown, self.digits)) >= 100.0:
            shown = math.copysign(100.0 - 10.0**-self.digits, x)
        is_zero = float(rounded(shown, self.digits)) == 0.0
        text = fixed(shown, self.digits, sign=sign and (side or not is_zero))
        if text == DASH or not self.percent:
            return text
        return text + (self.point if sign else self.unit)

    @property
    def of_differences(self) -> "Units":
        """The units of what has no sign and is in points: errors of differences, and their sizes.

        >>> Units(True, 1).of_differences.error(0.051)
        '5.1'
        """
        return replace(self, unit=self.point)

    def error(self, se: float) -> str:
        """A standard error: no positive one prints as 0."""
        smallest = 10.0**-self.digits
        shown = 100.0 * se if self.percent else se
        if shown > 0.0 and float(rounded(shown, self.digits)) == 0.0:
            unit = self.unit if self.percent else ""
            return f"<{smallest:.{self.digits}f}{unit}"
        return self.number(se)

    def with_error(self, x: float, se: float, *, sign: bool = False) -> str:
        number = self.number(x, sign=sign)
        if math.isnan(x):
            return number
        units = self.of_differences if sign else self
        return f"{number} ({units.error(se)})"

    def interval(self, low: float, high: float, *, sign: bool = False) -> str:
        if math.isnan(low) or math.isnan(high):
            return DASH
        ends = [self.number(x, sign=sign, side=True) for x in (low, high)]
        return f"({', '.join(ends)})"

    def points(self, x: float) -> str:
        """The size of a difference in prose.

        >>> Units(True, 1).points(-0.025), Units(False, 2).points(0.31)
        ('2.5 points', '0.31')
        """
        if math.isnan(x):
            return DASH
        if self.percent:
            return f"{fixed(100.0 * abs(x), self.digits)} points"
        return fixed(abs(x), self.digits)


def units_of(result: EvalResult) -> Units:
    """One decimal of a percent, more where the smallest positive SE needs it to be seen; own units
    follow the SE (see units_for). Without a positive one their means have three digits, at least
    one of them a decimal.
    """
    errors = [*(m.se for m in result.means), *(d.se for d in result.differences)]
    units = units_for(errors, result.scale.percent)
    if units.percent or any(se > 0.0 for se in errors):
        return units
    return replace(units, digits=min(max(digits_for(m.mean for m in result.means), 1), 12))


def units_for(errors: Iterable[float], percent: bool) -> Units:
    """The units of numbers with these standard errors, as units_of has them.

    In own units the smallest SE has two significant digits where it begins with 100 to 354, else
    one: the rule of the Particle Data Group (Review of Particle Physics, Introduction, 5.3).

    >>> units_for([0.004, 0.0], True).digits, units_for([0.004], False).digits
    (1, 3)
    >>> [units_for([se], False).digits for se in (0.7, 0.35, 3.0, 35.0, 400.0)]
    [1, 2, 1, 0, 0]
    """
    smallest = min((se for se in errors if 0.0 < se < math.inf), default=math.nan)
    if not smallest > 0.0:
        return Units(percent, 1)
    if percent:
        return Units(True, min(max(math.ceil(-math.log10(200.0 * smallest)), 1), 3))
    decade = math.floor(math.log10(smallest))
    significant = 2 if smallest < 3.545 * 10.0**decade else 1
    return Units(False, min(max(significant - 1 - decade, 0), 12))


def count(n: float) -> str:
    """
    What is not whole does not print as if it were.

    >>> count(14042), count(10.0), count(4.5), count(3.98), count(float("nan"))
    ('14,042', '10', '4.5', '3.98', '—')
    """
    if not math.isfinite(n):
        return DASH
    if n == int(n):
        return f"{int(n):,}"
    digits = 1
    while digits < 4 and float(rounded(n, digits)).is_integer():
        digits += 1
    return rounded(n, digits)


def counted(n: float, noun: str) -> str:
    """
    >>> counted(1, "question"), counted(2500, "cluster")
    ('1 question', '2,500 clusters')
    """
    return f"{count(n)} {noun}" + ("" if n == 1 else "s")


def listed(names: Iterable[str]) -> str:
    """Names in one line: between semicolons where one of them has a comma of its own.

    >>> listed(["em", "f1"]), listed(["exact_match,strict", "f1"])
    ('em, f1', 'exact_match,strict; f1')
    """
    names = list(names)
    return ("; " if any("," in name for name in names) else ", ").join(names)


def joined(names: Sequence[str], last: str = "or") -> str:
    """Names in a sentence.

    >>> joined(["A"]), joined(["A", "B", "C"]), joined(["A", "B"], "and")
    ('A', 'A, B or C', 'A and B')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def noun_of(printed: str, noun: str) -> str:
    """A count that is printed already, with its noun.

    >>> noun_of("1", "question"), noun_of("2,500", "question")
    ('1 question', '2,500 questions')
    """
    return f"{printed} {noun}" + "s" * (printed != "1")


def plain_number(x: float, significant: int = 3) -> str:
    """A variance or a ratio, with so many significant digits.

    >>> plain_number(0.11083), plain_number(5.4987), plain_number(0.0), plain_number(float("nan"))
    ('0.111', '5.50', '0', '—')
    """
    if not math.isfinite(x):
        return DASH
    if x == 0.0:
        return "0"
    digits = max(0, significant - 1 - math.floor(math.log10(abs(x))))
    if digits > 6:
        return f"{x:.{significant - 1}e}"
    return fixed(x, digits)


def digits_for(values: Iterable[float]) -> int:
    """Decimals with which every number of a column shows three significant digits.

    >>> digits_for([0.226, 0.0415, 0.0, float("nan")]), digits_for([12.5, 3.0])
    (4, 2)
    """
    smallest = min((abs(x) for x in values if math.isfinite(x) and x != 0.0), default=1.0)
    return max(0, 2 - math.floor(math.log10(smallest)))


def percent_of(level: float) -> str:
    """A level or alpha in percent, with all the digits that were given: it never rounds to 100%.

    >>> percent_of(0.95), percent_of(1.0 - 0.95), percent_of(0.9999999)
    ('95%', '5%', '99.99999%')
    """
    return f"{round(100.0 * level, 8):.10g}%"


def share_of(part: float) -> str:
    """A part of a whole, in whole percents; only none and all print as such.

    >>> share_of(0.314), share_of(0.997), share_of(0.0008), share_of(float("nan"))
    ('31%', '>99%', '<1%', '—')
    """
    if not math.isfinite(part):
        return DASH
    if 0.0 < part < 0.01:
        return "<1%"
    if 0.99 < part < 1.0:
        return ">99%"
    return f"{fixed(100.0 * part, 0)}%"


def span(low: str, high: str) -> str:
    """From one to another; once where both print the same.

    >>> span("16", "83"), span("97", "97")
    ('16 to 83', '97')
    """
    return low if low == high else f"{low} to {high}"


def score_range(r: EvalResult) -> str:
    """Between which numbers the scores of an eval lie, and how that is known."""
    low, high = bare(r.scale.low), bare(r.scale.high)
    if r.scale.known == "declared":
        return f"scores may run from {low} to {high}, as was declared"
    if r.scale.known:
        return f"scores are all {low} or {high}, which count as wrong and right"
    if low == high:
        return f"every score is {low}"
    return f"scores seen run from {low} to {high}"


def bare(x: float) -> str:
    """A number as it is, with a real minus sign.

    >>> bare(-0.25), bare(60.0)
    ('−0.25', '60')
    """
    return f"{x:g}".replace("-", MINUS)
