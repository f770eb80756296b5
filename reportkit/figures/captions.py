"""The words of the figures: titles and alternative texts, and which records a figure shows."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

from reportkit.analysis.answer_noise import answer_noise
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult, RankResult
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    counted,
    fixed,
    percent_of,
    share_of,
    units_of,
)

Kind = Literal["means", "differences", "correlations", "power", "variance", "ranks"]
KINDS: tuple[Kind, ...] = get_args(Kind)

PAIRS = 6  # power curves that can still be told apart
FULL = 6  # models or pairs that an alternative text names one by one


def caption(results: Sequence[EvalResult], kind: str) -> tuple[str, str]:
    """Title and alternative text of a figure that shows something."""
    if len(results) == 1:
        title, alt = _CAPTIONS[kind](results[0])
    else:
        title, alt = _grouped(results, kind)
    fictional = any(r.fictional for r in results)
    return (
        (f"{title} (fictional data).", f"{alt} The data are fictional.")
        if fictional
        else (f"{title}.", alt)
    )


def value_of(record: MeanResult | DifferenceResult) -> float:
    return record.mean if isinstance(record, MeanResult) else record.difference


def estimate(u: Units, record: MeanResult | DifferenceResult) -> str:
    """A mean or a difference with its interval, in the words of the tables."""
    signed, value = isinstance(record, DifferenceResult), value_of(record)
    if not math.isfinite(value):
        return DASH
    return (
        f"{u.number(value, sign=signed)} {u.interval(record.ci_low, record.ci_high, sign=signed)}"
    )


def alpha_of(result: EvalResult) -> str:
    """The level of significance in print: that of the tables and the prose."""
    return f"{1.0 - result.level:.4g}"


def pairs_with_curves(result: EvalResult) -> tuple[list[PowerResult], str]:
    """The pairs whose power is drawn, and what to say if these are not all."""
    known = [p for p in result.power if math.isfinite(p.mde) and p.mde > 0 and p.n_questions > 0]
    shown = known[:PAIRS]
    note = (
        f"{len(shown)} of {count(len(result.power))} pairs"
        if len(shown) < len(result.power)
        else ""
    )
    return shown, f"the first {note}" if len(shown) < len(known) else note


def pair_names(pairs: Sequence[PowerResult]) -> list[str]:
    return [name for p in pairs for name in (p.model, p.baseline)]


def against_one(result: EvalResult) -> bool:
    """All differences are from one baseline; two models are such a case."""
    return len({d.baseline for d in result.differences}) == 1


def baseline_of(result: EvalResult) -> str:
    return result.differences[0].baseline


def ranked(result: EvalResult) -> list[RankResult]:
    """From the best estimate down; at equal ones, and where there is none, by the best rank, then
    as listed.
    """
    return sorted(
        result.ranks, key=lambda r: (math.isnan(r.low), r.low if math.isnan(r.rank) else r.rank)
    )


def ranks_of(r: RankResult) -> str:
    """
    >>> ranks_of(RankResult("A", 2, 1, 4, 0.95, "bonferroni")), ranks_of(RankResult("A", 1, 1, 1, 0.95, "bonferroni"))
    ('2 (1 to 4)', '1 (1)')
    """
    if math.isnan(r.low):
        return DASH
    return f"{count(r.rank)} ({count(r.low)}{'' if r.low == r.high else f' to {count(r.high)}'})"


# Titles and alternative texts ---------------------------------------------------------------------


def _means(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    known = [m for m in result.means if math.isfinite(m.mean)]
    said = [f"{m.model} {estimate(u, m)}" for m in _ends(known, value_of)]
    title = f"Mean score on {result.eval} with {percent_of(result.level)} confidence intervals"
    return (
        title,
        f"Forest plot of the mean score on {result.eval}, {_told(said, len(known), 'model')}.",
    )


def _differences(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    known = [d for d in result.differences if math.isfinite(d.difference)]
    clear = sum(d.p_adjusted < 1.0 - result.level for d in known)
    said = [f"{d.model} minus {d.baseline} {estimate(u, d)}" for d in _ends(known, value_of)]
    matrix = not against_one(result)
    over = "between every two models" if matrix else f"from {result.differences[0].baseline}"
    return f"Differences in score on {result.eval} {over}", (
        f"{'Matrix' if matrix else 'Forest plot'} of differences on {result.eval}, "
        f"{_told(said, len(known), 'comparison')}; "
        f"{count(clear)} of {count(len(known))} have an adjusted p below {alpha_of(result)}."
    )


def _correlations(result: EvalResult) -> tuple[str, str]:
    pairs = [
        (r, i, j)
        for i, row in enumerate(result.correlations)
        for j, r in enumerate(row[:i])
        if math.isfinite(r)
    ]
    said = [
        f"{result.models[i]} and {result.models[j]} {fixed(r, 2)}"
        for r, i, j in _ends(pairs, lambda p: p[0])
    ]
    order = ", similar models next to each other" if len(result.models) > 2 else ""
    title = f"Correlations of question scores between models on {result.eval}{order}"
    return title, f"Matrix of correlations on {result.eval}, {_told(said, len(pairs), 'pair')}."


def _power(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    pairs, note = pairs_with_curves(result)
    said = [f"{p.model} and {p.baseline} {u.error(p.mde)} at {count(p.n_questions)}" for p in pairs]
    title = (
        f"Smallest detectable difference on {result.eval} by number of questions "
        f"(α = {pairs[0].alpha:.4g}, power {percent_of(pairs[0].power)})"
    )
    return title, (
        "Curves of the detectable difference, falling with the square root of the number of "
        "questions"
        f"{note and f', for {note}'}: {'; '.join(said)} questions."
    )


def _variance(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    known = [(m, a) for m in result.means if math.isfinite((a := answer_noise(m)).share)]
    said = [
        f"{m.model} {share_of(a.share)} within, SE {u.error(a.now)} now, {u.error(a.doubled)} "
        "with twice the answers, "
        f"{u.error(a.unlimited)} with unlimited answers"
        for m, a in _ends(known, lambda x: x[1].share)
    ]
    title = (
        f"Where the squared standard errors on {result.eval} come from, and what more "
        "answers per question would buy"
    )
    return title, (
        f"Stacked bars of the share of the squared standard error on {result.eval} from between "
        "and within questions, "
        f"{_told(said, len(known), 'model')}."
    )


def _ranks(result: EvalResult) -> tuple[str, str]:
    level = percent_of(result.level)
    known = [r for r in ranked(result) if math.isfinite(r.low)]
    shown = known if len(known) <= FULL else [known[0], known[-1]]
    said = [f"{r.model} {ranks_of(r)}" for r in shown]
    title = f"Ranks on {result.eval} with simultaneous {level} confidence sets"
    return title, (
        f"Rank of each model on {result.eval} and the ranks that the data do not rule out, "
        f"{_told(said, len(known), 'model', 'from the best to the worst')}. All the true ranks "
        "are in these sets together "
        f"with {level} confidence."
    )


_CAPTIONS: dict[str, Callable[[EvalResult], tuple[str, str]]] = {
    "means": _means,
    "differences": _differences,
    "correlations": _correlations,
    "power": _power,
    "variance": _variance,
    "ranks": _ranks,
}


def _grouped(results: Sequence[EvalResult], kind: str) -> tuple[str, str]:
    """Means or differences of several evals; of each eval what its own figure would say."""
    shown = [r for r in results if (r.means if kind == "means" else r.differences)]
    level, evals = percent_of(results[0].level), f"{counted(len(shown), 'eval')}"
    if kind == "means":
        title = f"Mean scores on {evals} with {level} confidence intervals"
    else:
        baseline = next(baseline_of(r) for r in results if r.differences)
        title = f"Differences in score from {baseline} on {evals} with {level} confidence intervals"
    said = " ".join(_CAPTIONS[kind](r)[1] for r in shown)
    return title, f"{counted(len(shown), 'forest plot')}, one for each eval. {said}"


def _ends(items: list[Any], key: Callable[[Any], float]) -> list[Any]:
    """All of a few; of many the two ends, which is what a listener can hold."""
    return items if len(items) <= FULL else [max(items, key=key), min(items, key=key)]


def _told(said: list[str], n: int, noun: str, order: str = "from highest to lowest") -> str:
    """
    >>> _told(["A 0.9", "Z 0.1"], 26, "model")
    '26 models, from highest to lowest: A 0.9; Z 0.1'
    """
    how = f", {order}" if len(said) < n else ""
    return f"{count(n)} {noun}{'s' * (n != 1)}{how}: {'; '.join(said)}"
