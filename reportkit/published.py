"""A table that somebody published, as records: numbers as they are printed, what is odd about them,
and what they allow to conclude. Standard library only.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reportkit.advised import Advised, Line, Option, said
from reportkit.record import Record, plain

FORMAT = "reportkit/check-table@1"
Rounding = Literal["nearest", "cut", "either"]
Severity = Literal["inconsistent", "condition", "note"]
Span = tuple[float, float]  # all values that a printed number may stand for, both ends too

SLACK = 1e-9  # of a unit of the last digit: what binary fractions lose of decimal ones


@dataclass(frozen=True, slots=True)
class Printed(Record):
    """A number as it is printed. step: one unit of its last digit.

    >>> Printed("65.5%", 65.5, 0.1).span("cut")[1] > 65.59
    True
    """

    text: str
    value: float
    step: float

    @property
    def digits(self) -> int:
        """Its decimals.

        >>> Printed("65.5%", 65.5, 0.1).digits, Printed("12k", 12000.0, 1000.0).digits
        (1, 0)
        """
        return max(0, round(-math.log10(self.step)))

    def span(self, how: Rounding = "either") -> Span:
        """What the number may have been before it was printed.

        nearest: half a unit of the last digit to both sides. cut: digits were cut off, so up to a
        whole unit further from 0. either: one or the other.
        """
        half, more = self.step / 2.0, self.step * SLACK
        low, high = self.value - half, self.value + half
        beyond_low = self.value - self.step * (self.value <= 0.0)
        beyond_high = self.value + self.step * (self.value >= 0.0)
        if how == "cut":
            low, high = beyond_low, beyond_high
        elif how == "either":
            low, high = min(low, beyond_low), max(high, beyond_high)
        return low - more, high + more


@dataclass(frozen=True, slots=True)
class Scale(Record):
    """Between which numbers scores lie, in the units that are printed; nan where that is not known.
    percent: 65.5 is printed for a share of 0.655.
    """

    low: float = math.nan
    high: float = math.nan
    percent: bool = False

    @property
    def known(self) -> bool:
        return self.low == self.low

    @property
    def width(self) -> float:
        return self.high - self.low

    def share(self, span: Span) -> Span:
        """A span of scores as shares of the scale, within 0 and 1."""
        low, high = ((x - self.low) / self.width for x in span)
        return min(max(low, 0.0), 1.0), max(min(high, 1.0), 0.0)


PERCENT, SHARE = Scale(0.0, 100.0, True), Scale(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Place(Record):
    """Where a row stands: the table's name, if the file has several, and the file's line."""

    table: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedMean(Record):
    """One mean of a published table, with what is printed beside it; None where nothing is.

    scores: binary (each question has one score, 0 or 1), fractional, or empty: not said. errors:
    what the standard error is, naive (questions as independent), clustered, or empty: not said.
    """

    place: Place
    eval: str
    model: str  # empty: the row names none
    mean: Printed | None = None
    n: Printed | None = None
    clusters: Printed | None = None
    answers: Printed | None = None  # to each question
    se: Printed | None = None
    se_naive: Printed | None = None  # where both kinds are printed
    ratio: Printed | None = None  # of the two
    low: Printed | None = None  # ends of the interval
    high: Printed | None = None
    level: float = math.nan  # of the interval, where the table says it
    scale: Scale = Scale()
    scores: str = ""
    errors: str = ""
    mark: str = ""  # such as †, which the table has behind the model's name
    odd: Printed | None = None  # after ±, and like neither an error nor half of an interval
    several: bool = False  # text beside the table says that means may be of several answers or runs
    # the text beside the table: empty, there is none; text; maybe, it may speak of groups or parts
    beside: str = ""

    @property
    def grouped(self) -> bool:
        """Whether the table says that the error allows for groups of questions."""
        return self.errors == "clustered" or (self.errors == "" and self.clusters is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDifference(Record):
    """One difference of a published table, model minus baseline."""

    place: Place
    eval: str
    model: str
    baseline: str
    difference: Printed | None = None
    se: Printed | None = None
    low: Printed | None = None
    high: Printed | None = None
    correlation: Printed | None = None
    level: float = math.nan
    scale: Scale = Scale()
    mark: str = ""  # such as †, which the table has behind a model's name
    column: str = ""  # beside its means: what its column or row is called
    order: str = ""  # of such a one: "said" where the table says which minus which, else "free"
    beside: str = ""  # as of a mean
    p: Printed | None = None
    p_said: str = ""  # of it, by the text beside the table: adjusted; means (a t or z), or both
    average: bool = False  # of averages over evals

    @property
    def has_error(self) -> bool:
        """Whether an error or an interval stands beside it."""
        return self.se is not None or self.low is not None


@dataclass(frozen=True, slots=True)
class PublishedTable(Record):
    """What a file holds. read_as: what was taken for granted in reading it, a sentence each.
    averages: over the evals of a row, or of a column, which are compared with nothing. of_averages:
    the differences of these.
    """

    file: str
    sha256: str
    means: tuple[PublishedMean, ...]
    differences: tuple[PublishedDifference, ...]
    read_as: tuple[Line, ...] = ()
    averages: tuple[PublishedMean, ...] = ()
    of_averages: tuple[PublishedDifference, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers of each kind were read: those that are none are left out."""
        means = sum(m.mean is not None for m in self.means)
        found = {
            "mean": means, "difference": len(self.differences), "average": len(self.averages)
        }  # fmt: skip
        return {kind: n for kind, n in found.items() if n}


@dataclass(frozen=True, slots=True)
class Finding(Record):
    """Something about one printed number.

    severity: inconsistent, no scores at all can give the printed numbers, as they are described;
    condition, they can only under a condition that the message names; note, what a reader should
    know. message: without the place and the names, which stand in fields of their own. unless: of
    a condition, when the numbers can be right. before: the line of an earlier row that the message
    compares this one with; 0: none. advice: what who runs the check can say; authors are not told
    it.
    """

    code: str
    severity: Severity
    eval: str
    model: str
    baseline: str
    table: str
    line: int
    message: str
    unless: str = ""
    before: int = 0
    advice: tuple[Option, ...] = ()

    @property
    def who(self) -> str:
        """
        >>> Finding("se-maximum", "note", "MATH", "A", "B", "", 3, "").who
        'MATH, A − B'
        """
        pair = f"{self.model} − {self.baseline}" if self.baseline else self.model
        return ", ".join(filter(None, [self.eval, pair]))


@dataclass(frozen=True, slots=True)
class CheckedMean(Record):
    """A mean with the error that is used for it, in the units that are printed."""

    eval: str
    model: str
    mean: float
    n: float
    se: float  # nan where none is printed and none follows
    se_from: str  # printed, interval, largest (the most that scores of this scale allow), or none
    counts: str  # right answers that the mean may stand for, such as 137; empty: none or many
    ci_low: float  # of the count, Wilson's; nan without one
    ci_high: float
    exact_low: float  # Clopper and Pearson's
    exact_high: float
    table: str
    line: int


@dataclass(frozen=True, slots=True)
class CheckedPair(Record):
    """What two printed means allow to conclude, in the units that are printed."""

    eval: str
    model: str
    baseline: str
    difference: float
    se: float  # of different questions: equation 5 of Miller 2024
    ci_low: float
    ci_high: float
    level: float
    z: float  # equation 6
    p_value: float
    p_adjusted: float  # Holm over all pairs of the file
    # yes, no, or rounding: it depends on the digits that are not printed; unknown: no error
    settled: str  # doubted: a mean's printed numbers do not fit together
    # a paired analysis at both ends of the range
    correlation_low: float
    correlation_high: float
    se_paired_low: float  # at the lower correlation
    se_paired_high: float
    p_paired_low: float
    p_paired_high: float
    settled_paired_low: str  # as `settled`, without doubts
    settled_paired_high: str
    correlation_needed: float  # from which on p < 1 - level; nan where none up to 1 will do
    correlation_enough: float  # the same whatever the digits were that are not printed
    fisher_p: float  # of the counts, where both are known; nan else
    pooled_p: float
    odds_ratio: float
    odds_low: float
    odds_high: float
    newcombe_low: float
    newcombe_high: float


@dataclass(frozen=True, slots=True)
class CheckedDifference(Record):
    """A difference that the table prints, held against 0 by its own error, in the units printed."""

    eval: str
    model: str
    baseline: str
    difference: float
    se: float  # printed, or of the printed interval
    ci_low: float
    ci_high: float
    level: float
    z: float
    p_value: float
    settled: str  # as a pair's
    percent: bool  # whether the units are percentages
    digits: int  # decimals that the difference is printed with
    se_digits: int
    table: str
    line: int


@dataclass(frozen=True, slots=True)
class CheckedTable(Record):
    """A published table, checked; the report is made of this alone."""

    table: PublishedTable
    means: tuple[CheckedMean, ...]
    pairs: tuple[CheckedPair, ...]
    findings: tuple[Finding, ...]
    level: float
    correlations: tuple[float, float]
    unchecked: tuple[Line, ...] = ()  # what was left out, and what would help, a sentence each
    options: Mapping[str, str] = field(default_factory=dict)
    differences: tuple[CheckedDifference, ...] = ()

    def of(self, severity: Severity) -> list[Finding]:
        return [f for f in self.findings if f.severity == severity]

    @property
    def with_errors(self) -> int:
        """How many printed differences have an error or an interval."""
        return sum(d.has_error for d in self.table.differences)

    def doubted(self, severity: Severity) -> list[tuple[str, str]]:
        """Model and eval of each mean that is compared though it has such a finding."""
        odd = {(f.model, f.eval) for f in self.of(severity) if not f.baseline}
        compared = [(m, p.eval) for p in self.pairs for m in (p.model, p.baseline)]
        return [one for one in dict.fromkeys(compared) if one in odd]

    @property
    def narrow(self) -> list[str]:
        """Evals that are compared though their errors may not allow for groups of questions."""
        odd = {f.eval for f in self.findings if f.code == "se-narrow"}
        return [name for name in dict.fromkeys(p.eval for p in self.pairs) if name in odd]

    @property
    def scales(self) -> dict[str, Scale]:
        of_differences = {d.eval: d.scale for d in self.table.differences}
        return of_differences | {m.eval: m.scale for m in self.table.means}

    def to_json(self) -> dict[str, object]:
        """What results.json holds."""
        return {
            "format": FORMAT,
            "file": self.table.file,
            "sha256": self.table.sha256,
            "level": self.level,
            "correlations": list(self.correlations),
            "options": dict(self.options),
            "read_as": [*map(said, self.table.read_as)],
            "unchecked": [*map(said, self.unchecked)],
            "findings": [plain(f) | {"advice": Advised("", f.advice).said} for f in self.findings],
            "means": [plain(m) for m in self.means],
            "pairs": [plain(p) for p in self.pairs],
            "differences": [plain(d) for d in self.differences],
        }
