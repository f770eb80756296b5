"""The comparisons of an eval -> the lines of its findings: one by one where they are few, else in
groups.
"""

from collections.abc import Sequence

from reportkit.analysis.best import better_one_sided
from reportkit.documents.prose.one_comparison import (
    interval_and_p,
    interval_words,
    on_common,
    sentence,
)
from reportkit.documents.prose.words import (
    NAMED,
    by_winner,
    few,
    first_of,
    largest_p,
    settled_worse,
    short_enough,
    signed,
    signed_range,
    size_range,
)
from reportkit.results import DifferenceResult, EvalResult
from reportkit.text.numbers import (
    count,
    counted,
    joined,
    percent_of,
    units_of,
)

LINES = 3  # at most
IN_FULL = 3  # differences that a line tells with their intervals; of more, their range


def comparisons(r: EvalResult) -> list[str]:
    """What the report's own comparisons settle, and what they leave open; at most LINES lines."""
    known = [d for d in r.differences if d.n_questions]
    apart = [d for d in r.differences if not d.n_questions]
    settled = [d for d in known if _is_settled(d)]
    left = [d for d in known if not _is_settled(d)]
    if len(r.differences) <= LINES and len(left) < 2:
        return [sentence(d, r) for d in r.differences]
    open_lines = []
    if len(left) > 1:
        open_lines.append(_left_open(left, r))
    elif left:
        open_lines.append(sentence(left[0], r))
    if len(settled) + len(open_lines) + bool(apart) <= LINES:
        lines = [*(sentence(d, r) for d in settled), *open_lines]
    elif len({d.baseline for d in r.differences}) > 1:
        lines = [*_settled(settled, r), *open_lines]
    else:  # those next to the baseline first
        lines = [*open_lines, *_settled(settled, r)]
    if apart:
        text = _without_common(apart)
        lines = [*lines, text] if len(lines) < LINES else [*lines[:-1], f"{lines[-1]} {text}"]
    return lines


def _is_settled(d: DifferenceResult) -> bool:
    return d.p_adjusted < 1.0 - d.level


def _without_common(apart: Sequence[DifferenceResult]) -> str:
    d = apart[0]
    if len(apart) == 1:
        return f"{d.model} and {d.baseline} have no question in common and cannot be compared."
    return (
        f"{counted(len(apart), 'pair')} of models, the first {d.model} and {d.baseline}, have no "
        "question in common and cannot be compared."
    )


# Groups -------------------------------------------------------------------------------------------


def _settled(settled: Sequence[DifferenceResult], r: EvalResult) -> list[str]:
    """The settled comparisons: with one baseline, the models above it and those below it; else in
    one line.
    """
    if not settled:
        return []
    baselines = {d.baseline for d in r.differences}
    if len(baselines) > 1:
        higher = [d if d.difference > 0.0 else d.turned() for d in settled]
        return [_winners(higher, r)]
    return _beside(settled, r, baselines.pop())


def over_all_others(r: EvalResult) -> str:
    """That the only model that may be the best is ahead of each other one, where the report's many
    comparisons are with it and settle that: the end of a sentence that names it, else empty.
    """
    own = r.differences
    many = IN_FULL < len(own) == len(r.models) - 1
    with_best = len(r.best) == 1 and {d.baseline for d in own} == {*r.best}
    if not many or not with_best or not all(map(_is_settled, own)):
        return ""
    ahead = all((d.difference > 0.0) == r.lower for d in own)
    [line, *_] = _beside(own, r, "it")
    return line[0].lower() + line[1:].removesuffix(".") if ahead else ""


def _beside(settled: Sequence[DifferenceResult], r: EvalResult, baseline: str) -> list[str]:
    """Settled comparisons with one model, called by this name: those above it, then those below."""
    above = [d for d in settled if d.difference > 0.0]
    below = [d for d in settled if d.difference < 0.0]
    lines = []
    if above:
        score = "scores" if len(above) == 1 else "score"
        texts = (
            f"{_group(above, r, n, 'All')} {score} higher than {baseline}{_sizes(above, r, told)}."
            for n, told in WAYS
        )
        lines.append(short_enough(*texts))
    if below:
        turned = [d.turned() for d in below]
        texts = (
            f"{baseline} scores higher than {_group(below, r, named)}{_sizes(turned, r, told)}."
            for named, told in WAYS
        )
        lines.append(short_enough(*texts))
    return lines


# How many comparisons of a line name their models, and how many tell their intervals.
WAYS = ((IN_FULL, IN_FULL), (IN_FULL, 1), (1, 1))


def _group(own: Sequence[DifferenceResult], r: EvalResult, most: int, every: str = "all") -> str:
    """The models of some comparisons with one baseline: few by name, many by number."""
    names = [d.model for d in own]
    if len(names) <= most:
        return joined(names, "and")
    others = len(r.models) - 1
    if len(names) == others:
        return f"{every} {count(others)} other models"
    return f"{count(len(names))} of the {count(others)} other models"


def _sizes(own: Sequence[DifferenceResult], r: EvalResult, most: int) -> str:
    """The sizes of some positive differences: few with their intervals, many as a range."""
    if len(own) <= most:
        return f"{': ' if len(own) > 1 else ', '}{'; '.join(_size(d, r) for d in own)}"
    return f", {_range(own, r)} ({largest_p(own, r.level)})"


def _size(d: DifferenceResult, r: EvalResult) -> str:
    u = units_of(r)
    return f"by {u.points(d.difference)}{on_common(d, u)} ({interval_and_p(d, r)})"


def _range(own: Sequence[DifferenceResult], r: EvalResult) -> str:
    """From the smallest to the largest of some positive differences."""
    return f"by {size_range(units_of(r), [d.difference for d in own])}"


def _winners(higher: Sequence[DifferenceResult], r: EvalResult) -> str:
    """Which model is settled to score higher than which: few comparisons with their intervals, of
    more the losers of each winner.
    """
    if len(higher) <= IN_FULL:
        parts = [f"{d.model} over {d.baseline} {_size(d, r)}" for d in higher]
        short = [f"{d.model} over {d.baseline} {_range([d], r)}" for d in higher]
        return short_enough(
            f"Settled, the higher score first: {'; '.join(parts)}.",
            f"Settled, the higher score first: {'; '.join(short)} ({largest_p(higher, r.level)}).",
        )
    parts, short = [], []
    for model, won in by_winner(higher).items():
        losers = joined([d.baseline for d in won], "and")
        parts.append(f"{model} over {losers} {_range(won, r)}")
        short.append(f"{model} over {counted(len(won), 'other')}")
    return short_enough(
        f"Settled, the higher score first: {'; '.join(parts)} ({largest_p(higher, r.level)}).",
        f"Settled, the higher score first: {'; '.join(short)} ({largest_p(higher, r.level)}).",
    )


def _left_open(left: Sequence[DifferenceResult], r: EvalResult) -> str:
    """The comparisons that settle nothing, in one line: who, how far apart, and what would be
    found.
    """
    behind = _one_sided(left, r)
    known = {d.model for d in left} <= {*behind, *r.best}  # not so where too little is known
    if r.leader and known and len(r.best) > 1 and len(behind) > IN_FULL:
        return _not_in_the_set([d for d in left if d.model in behind], r)
    range_ = f" The differences are {_apart(left, r)}.{_one_sided_group(left, r)}"
    detectable = _detectable(left, r)
    texts = [
        f"{_names_left(left, r, in_full=False, most=most)}{range_}" for most in (NAMED, 2, 1, 0)
    ]
    if len(left) <= IN_FULL:
        in_full = _names_left(left, r, in_full=True)
        texts.insert(0, f"{in_full}{_one_sided_group(left, r)}")
    # Names come before what would be found.
    versions = [f"{texts[0]}{detectable}", texts[0], f"{texts[1]}{detectable}", *texts[1:]]
    return short_enough(*versions)


def _apart(left: Sequence[DifferenceResult], r: EvalResult) -> str:
    """From the smallest to the largest of some differences, with their signs."""
    return signed_range(units_of(r), [d.difference for d in left])


def _with_which(r: EvalResult, baseline: str) -> str:
    """The one model of the comparisons: by its name, where the data did not choose it."""
    return "the best" if r.leader and not r.among else baseline


def _names_left(
    left: Sequence[DifferenceResult], r: EvalResult, *, in_full: bool, most: int = NAMED
) -> str:
    """What is not settled: pairs of models, or the models that are compared with one; in_full: with
    their differences.
    """
    baselines = {d.baseline for d in r.differences}
    if len(baselines) == 1:
        ranked = sorted(left, key=lambda d: d.difference if r.lower else -d.difference)
        names = [d.model for d in ranked]
        best = _with_which(r, *baselines)
        models, between, last = counted(len(left), "model"), ", ", ""
        who = f"{models} cannot be told from {best}: "
        if _one_sided(left, r):  # which tell some of them
            who = f"Two-sided tests do not tell {models} from {best}: "
    else:
        ranked, names = [*left], [f"{d.model} and {d.baseline}" for d in left]
        between = last = "; of "
        by = "Two-sided tests" if _one_sided(left, r) else "The data"
        who = f"{by} do not settle which is better of "
    if {*names} == {*r.best} - {r.leader} and r.leader in r.best and few(names) and not in_full:
        others = f"The {count(len(names))} other models of the confidence set"
        return f"{others} cannot be told from {best}."
    if not most:
        return f"{who.removesuffix(': ')}." if not last else f"{who}{counted(len(left), 'pair')}."
    if in_full:
        told = [f"{name} ({_told(d, r)})" for name, d in zip(names, ranked, strict=True)]
        return f"{who}{last.join(told) if last else joined(told, 'and')}."
    if not last:
        return f"{who}{first_of(names, most)}."
    more = len(names) - most
    return f"{who}{between.join(names[:most])}{f'; of {count(more)} more pairs' * (more > 0)}."


def _told(d: DifferenceResult, r: EvalResult) -> str:
    """A difference with its interval, between brackets."""
    u = units_of(r)
    return f"{signed(u, d.difference)}{on_common(d, u)}, {interval_words(d, r)}"


def _detectable(left: Sequence[DifferenceResult], r: EvalResult) -> str:
    """How small a true difference these comparisons would find."""
    known = [d.mde for d in left if d.mde == d.mde]
    if not known:
        return ""
    power = percent_of(next((p.power for p in r.power), 0.8))
    by = size_range(units_of(r), known)
    what = "a difference" if len(known) == 1 else "differences"
    some = f" in {count(len(known))} of these comparisons" * (len(known) < len(left))
    return f" With {power} power, each taken alone, this eval would find {what} of {by}{some}."


def _one_sided(left: Sequence[DifferenceResult], r: EvalResult) -> list[str]:
    """Which of these models are not in bold all the same, and no settled comparison says why."""
    found_worse = {m.model for m in r.means if m.may_be_best == "no"} - settled_worse(
        r.models, r.differences, r.lower
    )
    behind = {
        x: None
        for d in left
        for x, other in ((d.model, d.baseline), (d.baseline, d.model))
        if x in found_worse and (other in r.best or not r.best)
    }
    return list(behind)


def _one_sided_group(left: Sequence[DifferenceResult], r: EvalResult) -> str:
    """Why these models are not among those that may be best."""
    names = _one_sided(left, r)
    return f" One-sided tests find {_found(names, r)}." if names else ""


def _found(names: Sequence[str], r: EvalResult) -> str:
    """Than which models the one-sided tests find these worse: than that of the comparisons, or than
    others; in a report of every pair, than those found better than each, if a line holds the names.
    """
    better = better_one_sided(r)
    than = {d.baseline for d in r.differences}
    if len(than) == 1:
        who = _with_which(r, *than)
    else:
        every = [m for m in r.models if all(m in better[x] for x in names)]
        than = {*every} if few([*names, *every]) else set()
        who = joined(every, "and")
    here = [x for x in names if than and than <= better[x]]
    others = [x for x in names if x not in here]
    if not others:
        return f"{_who(here, names)} {r.worse} than {who}"
    than_another = f"{r.worse} than another model"
    if not here:
        return f"{_who(others, names)} {than_another}"
    rest = _who(others, names).removesuffix(OF_THEM)
    return f"{_who(here, names)} {r.worse} than {who} and {rest} {than_another}"


OF_THEM = " of them"


def _who(own: Sequence[str], names: Sequence[str]) -> str:
    """Some of these models: few by name, many by number."""
    if len(names) <= IN_FULL:
        return joined(own, "and")
    return "each" if len(own) == len(names) else f"{count(len(own))}{OF_THEM}"


def _not_in_the_set(left: Sequence[DifferenceResult], r: EvalResult) -> str:
    """Many models that are not among those that may be best, which stand above, though none of
    these comparisons says why.
    """
    than = _with_which(r, left[0].baseline)
    return (
        f"{counted(len(left), 'more model')} are not in the confidence set: two-sided tests leave "
        f"open their difference from {than} ({_apart(left, r)}), but one-sided tests find "
        f"{_found([d.model for d in left], r)}."
    )
