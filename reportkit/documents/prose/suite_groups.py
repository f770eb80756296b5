"""Many comparisons over a suite -> at most three lines: which models are better, and which are not
told apart.
"""

from collections.abc import Sequence

from reportkit.analysis.order import best_of
from reportkit.documents.prose.best import best_of_each
from reportkit.documents.prose.words import (
    NAMED,
    by_winner,
    few,
    first_of,
    largest_p,
    named_error,
    settled_worse,
    short_enough,
    signed_range,
    size_range,
)
from reportkit.results import EvalResult, SuiteResult
from reportkit.suites import OverallResult
from reportkit.tables.suite.family import finest, pooled_evals
from reportkit.text.numbers import Units, count, counted, percent_of, units_of

LINES = 3  # comparisons told one by one; of more, groups in so many lines


def single_evals(s: SuiteResult) -> list[str]:
    """Which models may be the best of each eval, in a line for each; of more evals, on how many
    each may be.
    """
    known = [r for r in s.counted if r.best]
    if len(known) <= LINES:
        return [_best_of(r, named=i == 0) for i, r in enumerate(known)]
    sure = all(sum(m.may_be_best != "no" for m in r.means) == 1 for r in known)
    return [best_of_each([r.best for r in known], known[0].level if sure else None)]


def _best_of(r: EvalResult, named: bool) -> str:
    """How sure the best model of one eval is; named: with the standard error by its name."""
    m = r.means[r.models.index(r.best[0])]
    tops = [r.means[i].model for i in best_of([x.mean for x in r.means], r.lower)]
    others = [x for x in r.best if x not in tops]
    mean = (named_error if named else Units.with_error)(units_of(r), m.mean, m.se)
    text = f"{r.eval}: {m.model} has the {r.top} mean, {mean}"
    if len(tops) > 1:
        text = f"{r.eval}: {first_of(tops)} share the {r.top} mean, {units_of(r).number(m.mean)}"
    if len(tops) > 1 and not others:
        return f"{text}; one-sided tests do not tell them apart."
    if not others:
        sure = percent_of(m.level)
        return f"{text}, and is the best model with {sure} confidence."
    return f"{text}; the best may also be {first_of(others, last='or')}."


def suite_groups(s: SuiteResult) -> list[str]:
    """What the comparisons over the evals settle, what they leave open, and which are not made."""
    made = [d for d in s.overall if not d.reason]
    settled = [_from_better(d, s) for d in made if d.p_adjusted < 1.0 - d.level]
    left = [d for d in made if not d.p_adjusted < 1.0 - d.level]
    lines = _settled(settled, s)
    if left:
        lines.append(_left_open(left, s))
    apart = [d for d in s.overall if d.reason]
    if apart:
        lines[-1:] = [" ".join([*lines[-1:], _not_made(apart)])]
    return lines


def _from_better(d: OverallResult, s: SuiteResult) -> OverallResult:
    """The comparison with the better model first."""
    lower = pooled_evals(s)[0].lower
    return d.turned() if (d.difference < 0.0) != lower else d


def _common(s: SuiteResult) -> str:
    """The model that all comparisons are with; empty where there is none."""
    baselines = {d.baseline for d in s.overall}
    return baselines.pop() if len(baselines) == 1 else ""


def _settled(settled: Sequence[OverallResult], s: SuiteResult) -> list[str]:
    """A line for the models that are better than the common one and one for those that are worse;
    else one for all winners.
    """
    common = _common(s)
    above = [d for d in settled if d.baseline == common]
    below = [d for d in settled if d.model == common]
    lines = []
    if above:
        are = "is" if len(above) == 1 else "are"
        names = first_of([d.model for d in above])
        lines.append(f"{names} {are} better than {common} on average, {_sizes(above, s)}.")
    if below:
        others = len(s.models) - 1
        who = first_of([d.baseline for d in below])
        if len(below) == others:
            who = f"all {count(others)} other models"
        elif len(below) > NAMED:
            who = f"{count(len(below))} of the {count(others)} other models"
        lines.append(f"{common} is better than {who} on average, {_sizes(below, s)}.")
    if settled and not common:
        won = by_winner(settled).items()
        parts = [f"{m} than {first_of([d.baseline for d in own])}" for m, own in won]
        short = [f"{m} than {counted(len(own), 'other')}" for m, own in won]
        lines.append(
            short_enough(
                f"Better on average: {'; '.join(parts)}, {_sizes(settled, s)}.",
                f"Better on average: {'; '.join(short)}, {_sizes(settled, s)}.",
            )
        )
    return lines


def over_all_others(s: SuiteResult) -> str:
    """That the common model is better than each other one, where many comparisons all settle that:
    the end of a sentence that names it, else empty.
    """
    own = [_from_better(d, s) for d in s.overall if not d.reason and d.p_adjusted < 1.0 - d.level]
    common = _common(s)
    if not LINES < len(own) == len(s.models) - 1 or {d.model for d in own} != {common}:
        return ""
    return f"it is better than all {count(len(own))} other models, {_sizes(own, s)}"


def _sizes(own: Sequence[OverallResult], s: SuiteResult) -> str:
    """The sizes of some differences as a range, and the largest p."""
    sizes = size_range(units_of(finest(s)), [abs(d.difference) for d in own])
    return f"by {sizes} ({largest_p(own, s.level)})"


def _left_open(left: Sequence[OverallResult], s: SuiteResult) -> str:
    """The comparisons that settle nothing."""
    what = "difference" if len(left) == 1 else "differences"
    range_ = signed_range(units_of(finest(s)), [d.difference for d in left])
    differences = f"mean {what} {range_}"
    common = _common(s)
    if common:
        names = [d.model for d in left]
        who, told = f"{counted(len(names), 'model')} cannot be told from", f": {first_of(names)}"
        if len(names) == 1:
            who, told = f"{names[0]} cannot be told from", ""
        elif few(names) and {*names} == {x.model for x in s.ranks if x.low == 1.0} - {common}:
            others = f"The {count(len(names))} others that may be the best"
            who, told = f"{others} cannot be told from", ""
        return f"{who} {common} on average{told} ({differences}).{_one_sided(left, s)}"
    pairs = first_of([f"{d.model} and {d.baseline}" for d in left])
    text = f"The data do not settle which is better on average: {pairs} ({differences})."
    return f"{text}{_one_sided(left, s)}"


def _one_sided(left: Sequence[OverallResult], s: SuiteResult) -> str:
    """Which of these models cannot be the best though two-sided comparisons settle nothing."""
    settled = settled_worse(s.models, s.overall, pooled_evals(s)[0].lower)
    behind = {x.model for x in s.ranks if x.low > 1.0} - settled
    common = _common(s)
    open_ = dict.fromkeys(m for d in left for m in (d.model, d.baseline) if m != common)
    names = [m for m in open_ if m in behind]
    if not names:
        return ""
    who = first_of(names)
    if common and len(names) == len(open_):
        who = "it" if len(names) == 1 else "them"
    return f" One-sided tests find {who} worse than another model."


def _not_made(apart: Sequence[OverallResult]) -> str:
    d = apart[0]
    alike = sum(x.reason == d.reason for x in apart) - 1
    more = f", and {counted(alike, 'further pair')}," if alike else ""
    are = "are not compared over the evals"
    text = f"{d.model} and {d.baseline}{more} {are}: {d.reason}."
    if others := len(apart) - 1 - alike:
        nor = "Nor is" if others == 1 else "Nor are"
        text = f"{text} {nor} {counted(others, 'pair')} for other reasons."
    return text
