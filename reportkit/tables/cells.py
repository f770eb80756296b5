"""What stands in a cell: an estimate as the theme prints it, and the head above it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Protocol, get_args

from reportkit.decisions.choices import Rows, Theme
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.requested import CertificateResult, PosteriorResult
from reportkit.results import DifferenceResult, EvalResult
from reportkit.suites import OverallResult, SuiteDifference
from reportkit.text.numbers import DASH, MINUS, Units, percent_of, units_of

Fields = Mapping[str, Callable[..., float]]
DIFFERENCES = (DifferenceResult, SuiteDifference, OverallResult)
AnyDifference = DifferenceResult | SuiteDifference | OverallResult


class Estimated(Protocol):
    """A record with an estimate, its standard error and its interval."""

    @property
    def mean(self) -> float: ...
    @property
    def se(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...


LONG_HEAD = 24  # characters of a model's name that can head a column


@dataclass(frozen=True, slots=True)
class Style:
    """How a table prints its numbers.

    theme: what stands beside an estimate. digits: decimals of scores; None: as the standard errors
    need them. rows: what stands in the rows of the suite's table; empty: as the numbers of models
    and evals ask. point: what follows a difference of percentages, such as " pp" in the theme of
    that name; empty: the caption or a note says that it is in points.
    """

    theme: Theme = "error-bars"
    digits: int | None = None
    rows: Rows = ""
    point: str = ""

    def __post_init__(self) -> None:
        whole = isinstance(self.digits, Integral) and not isinstance(self.digits, bool)
        if self.digits is not None and not (whole and 0 <= self.digits <= 15):
            raise ScoresError(
                f"digits = {self.digits!r} is no number of decimals: "
                "give a whole number from 0 to 15"
            )

        if self.rows not in get_args(Rows):
            raise UnknownNameError(
                f"no rows {self.rows!r}{did_you_mean(self.rows, get_args(Rows))}"
            )

        if self.theme == "pp" and not self.point:
            object.__setattr__(self, "point", " pp")

    def units(self, r: EvalResult, more: int = 0) -> Units:
        """The units of an eval's scores; more: decimals beyond the usual."""
        units = units_of(r)
        digits = units.digits + more if self.digits is None else self.digits
        return replace(units, digits=digits, point=self.point)

    def signed_units(self, r: EvalResult) -> Units:
        """The units of estimates: themes for the text of a paper leave the percent signs to a
        note.
        """
        units = self.units(r)
        if self.theme in ("error-bars", "stacked", "pp"):
            return units
        return replace(units, unit="")


def estimate_head(what: str, r: EvalResult, style: Style) -> str:
    """The head of a column of estimate_cell, such as Mean (SE)."""
    level = percent_of(r.level)
    beside = {"plain": "", "pm": f" ± {level}", "ci": f" [{level} CI]"}
    return what + beside.get(style.theme, " (SE)")


def estimate_words(what: str, r: EvalResult, style: Style) -> str:
    """What a caption calls an estimate, with what the theme prints beside it."""
    level = percent_of(r.level)
    beside = {
        "plain": "",
        "pm": f" ± half its {level} interval",
        "ci": f" [{level} interval]",
    }
    return what + beside.get(style.theme, " (standard error)")


def estimate_cell(x: Estimated | AnyDifference, r: EvalResult, style: Style) -> str:
    """A mean or a difference as the theme prints it: 65.5% (0.7%), 65.5, 65.5 ± 1.3, 65.5 [64.2,
    66.8], or on two lines.
    """
    return estimate_text(x, style.signed_units(r), style)


def estimate_text(x: Estimated | AnyDifference, units: Units, style: Style) -> str:
    """The same; units: those of the eval, which a table asks for once."""
    sign = isinstance(x, DIFFERENCES)
    value = estimate_of(x)
    number = units.number(value, sign=sign)
    if style.theme == "plain" or number == DASH:
        return number
    if style.theme == "ci":
        interval = units.interval(x.ci_low, x.ci_high, sign=sign)
        if interval == DASH:
            return f"{number} {DASH}"
        return f"{number} [{interval[1:-1]}]"
    beside = units.of_differences if sign else units
    if style.theme == "pm":
        return f"{number} ± {beside.error((x.ci_high - x.ci_low) / 2.0)}"
    between = "\n" if style.theme == "stacked" else " "
    return f"{number}{between}({beside.error(x.se)})"


def estimate_of(x: Estimated | AnyDifference) -> float:
    """The number that a mean or a difference estimates."""
    if isinstance(x, DIFFERENCES):
        return x.difference
    return x.mean


def estimate_fields(what: str, r: EvalResult, style: Style) -> Fields:
    """What a frame holds of an estimate: the number, its SE, and its interval where no column of
    its own has that.
    """
    se = "SE" if what in ("Mean", "Difference") else f"{what} SE"
    fields: dict[str, Callable[..., float]] = {what: estimate_of, se: lambda x: x.se}
    if style.theme == "ci":
        fields |= interval_fields(f"{percent_of(r.level)} CI")
    return fields


def interval_fields(what: str) -> Fields:
    """What a frame holds of an interval: both ends."""
    return {f"{what} low": lambda x: x.ci_low, f"{what} high": lambda x: x.ci_high}


def model_or_pair(x: CertificateResult | PosteriorResult) -> str:
    """What a row is of: a model, or the first minus the second of two."""
    return f"{x.model} {MINUS} {x.baseline}" if x.baseline else x.model
