"""What stands in a cell: an estimate as the theme prints it, and the head above it."""

from dataclasses import replace

from reportkit.decisions import Theme
from reportkit.results import DifferenceResult, EvalResult, MeanResult
from reportkit.text.numbers import DASH, Units, percent_of, units_of


def units_in(r: EvalResult, theme: Theme) -> Units:
    """Themes for the text of a paper leave the percent signs to a note."""
    return units_of(r) if theme in ("error-bars", "stacked") else replace(units_of(r), unit="")


def estimate_head(what: str, r: EvalResult, theme: Theme) -> str:
    """The head of a column of estimate_cell, such as Mean (SE)."""
    level = percent_of(r.level)
    return what + {"plain": "", "pm": f" ± {level}", "ci": f" [{level} CI]"}.get(theme, " (SE)")


def estimate_words(theme: Theme, what: str, r: EvalResult) -> str:
    """What a caption calls an estimate, with what the theme prints beside it."""
    beside = {
        "plain": "",
        "pm": f" ± half its {percent_of(r.level)} interval",
        "ci": f" [{percent_of(r.level)} interval]",
    }
    return what + beside.get(theme, " (standard error)")


def estimate_cell(x: MeanResult | DifferenceResult, r: EvalResult, theme: Theme) -> str:
    """A mean or a difference as the theme prints it: 65.5% (0.7%), 65.5, 65.5 ± 1.3, 65.5 [64.2,
    66.8], or on two lines.
    """
    u, sign = units_in(r, theme), isinstance(x, DifferenceResult)
    value, se = (x.difference, x.se) if isinstance(x, DifferenceResult) else (x.mean, x.se)
    number = u.number(value, sign=sign)
    if theme == "plain" or number == DASH:
        return number
    if theme == "ci":
        low, high = u.number(x.ci_low, sign=sign), u.number(x.ci_high, sign=sign)
        return f"{number} {DASH}" if DASH in (low, high) else f"{number} [{low}, {high}]"
    if theme == "pm":
        return f"{number} ± {u.error((x.ci_high - x.ci_low) / 2.0)}"
    return number + ("\n" if theme == "stacked" else " ") + f"({u.error(se)})"


LONG_HEAD = 24  # characters of a model's name that can head a column
