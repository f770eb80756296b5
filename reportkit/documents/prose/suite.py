"""A suite's records -> sentences: what is settled over all evals, what is not, and how it was
found.
"""

import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from reportkit.analysis.order import best_of
from reportkit.documents.prose import from_template
from reportkit.documents.prose.best import (
    OVERALL,
    WORSE,
    best_average,
    is_best,
    may_be_best,
    with_averages,
)
from reportkit.documents.prose.suite_groups import (
    LINES,
    over_all_others,
    single_evals,
    suite_groups,
)
from reportkit.documents.prose.words import (
    NAMED,
    first_of,
    interval_of,
    named_error,
    p_words,
    set_apart,
    settled_worse,
    short_enough,
    signed,
    with_short_models,
)
from reportkit.results import SuiteResult
from reportkit.suites import OverallResult
from reportkit.tables.suite.family import (
    apart_notes,
    finest,
    not_compared,
    pooled_evals,
    untold_average,
)
from reportkit.tables.suite.same import averaged_groups, groups_named
from reportkit.text.numbers import (
    Units,
    count,
    counted,
    percent_of,
    units_of,
)


def findings(s: SuiteResult) -> str:
    """What is settled over all evals, and what is not, in a paragraph that begins with the best
    model, and at most three lines: each overall comparison with its interval and adjusted p, then
    on which evals it is settled; of more than three, groups.
    """
    s = _with_evals_apart(with_short_models(s))
    opening = " ".join(filter(None, [_average(s), _counts(s), _settled(s), *_gaps(s)]))
    if _apart(s):
        lines = single_evals(s)
    elif len(s.overall) <= LINES:
        lines = [
            short_enough(*(f"{_overall(d, s)} {_on_evals(d, s, n)}".strip() for n in (NAMED, 0)))
            for d in s.overall
        ]
    else:
        lines = suite_groups(s)
        if (over := over_all_others(s)) and over in opening:  # told once
            lines = []
    return from_template("findings.md.j2", opening=opening, sentences=lines)


def _with_evals_apart(s: SuiteResult) -> SuiteResult:
    """The suite with the names of evals as sentences write them."""
    names = set_apart([r.eval for r in s.evals] + [*s.left_out])
    return replace(
        s,
        evals=tuple(replace(r, eval=names[r.eval]) for r in s.evals),
        differences=tuple(replace(d, eval=names[d.eval]) for d in s.differences),
        weights={names[e]: weight for e, weight in s.weights.items()},
        apart={names[e]: reason for e, reason in s.apart.items()},
        left_out={names[e]: reason for e, reason in s.left_out.items()},
        shared={names[e]: found for e, found in s.shared.items()},
        same_questions=tuple(tuple(names[e] for e in group) for group in s.same_questions),
    )


def _counts(s: SuiteResult) -> str:
    fictional = " The models are fictional and their scores generated." if s.fictional else ""
    return (
        f"The suite has {counted(len(s.models), 'model')}, {counted(len(s.counted), 'eval')} and "
        f"{counted(s.n_questions, 'question')}.{fictional}"
    )


def _gaps(s: SuiteResult) -> list[str]:
    """What the numbers above are not of: after them, since they are what a reader looks for."""
    gaps = [m for m in s.models if any(m not in r.models for r in s.evals)]
    some = [f"Not run on every eval: {first_of(gaps)}."] if gaps else []
    if len(gaps) == len(s.models):
        some = ["No model was run on every eval."]
    gone = [f"Without numbers: {first_of(list(s.left_out))}."] if s.left_out else []
    twice = [f"{e} is not counted: {found.reason}." for e, found in s.shared.items()]
    again = []
    if s.same_questions:
        named = groups_named(s.same_questions)
        text = (
            f"Some evals ask the same questions, by their ids and scores: {named}. These count once"
        )
        if averaged_groups(s):
            text += (
                "; where a mean is taken over them, its SE allows for how their errors go together"
            )
        again = [f"{text}."]
    return [*some, *gone, *twice, *again]


def _average(s: SuiteResult) -> str:
    """Which average is the best, which models may have the best one, and of which too little is
    known.
    """
    untold = untold_average(s)
    told = _best_average(s)
    if not told or not untold:
        return told
    who = first_of(untold, last="or")
    return f"{told} There is too little data to tell whether {who} may be the best."


def _best_average(s: SuiteResult) -> str:
    """Which average is the best, and which others may be."""
    known = [a for a in s.averages if a.mean == a.mean]
    if len(known) < 2 or len(s.weights) < 2:
        return ""
    lower = pooled_evals(s)[0].lower
    tops = [known[i] for i in best_of([a.mean for a in known], lower)]
    best, names = tops[0], [a.model for a in tops]
    may_be = [x.model for x in s.ranks if x.low == 1.0]
    others = [m for m in may_be if m not in names]
    u = units_of(finest(s))
    average = best_average(len(s.weights)) + with_averages(len(known), len(s.models))
    text = f"{best.model} has {average}, {named_error(u, best.mean, best.se)}"
    if len(tops) > 1:
        text = f"{first_of(names)} share {average}, {u.number(best.mean)}"
    if others:
        who = first_of(others, last="or")
        return f"{text}, {may_be_best(who, len(others), OVERALL, WORSE)}."
    if len(tops) > 1 and {*names} == {*may_be}:
        return f"{text}: one-sided tests do not tell them apart."
    if not any(x.model == best.model and x.low == x.high == 1.0 for x in s.ranks):
        return f"{text}."
    over = over_all_others(s)
    if len(known) < len(s.models):
        sure = is_best(s.level, "of these")
        if over:
            return f"{text}, {sure}. On the evals that both have, {over}."
        return f"{text}, {sure}: one-sided tests find every other of these {WORSE}."
    sure = is_best(s.level, "model on average")
    return f"{text}, {sure}: {over or f'one-sided tests find every other model {WORSE}'}."


def _settled(s: SuiteResult) -> str:
    """How much of the comparisons on single evals is settled."""
    if not s.n_tests:
        return ""
    found = sum(d.p_adjusted < 1.0 - s.level for d in s.differences)
    are = "is" if found == 1 else "are"
    return (
        f"Of {counted(s.n_tests, 'comparison')} on single evals, {count(found)} {are} settled at "
        f"the {percent_of(1.0 - s.level)} level after adjustment over all of them."
    )


def _overall(d: OverallResult, s: SuiteResult) -> str:
    if d.reason:
        return f"{d.model} and {d.baseline} are not compared over the evals: {d.reason}."
    lower = pooled_evals(s)[0].lower
    u = units_of(finest(s))
    if d.p_adjusted < 1.0 - d.level and (d.difference < 0.0) != lower:
        d = d.turned()
    inside = _inside(d, s, u)
    over = "on average"
    if d.n_evals != len(s.weights):
        over += f" over {counted(d.n_evals, 'eval')}"
    if d.p_adjusted < 1.0 - d.level:
        by = u.points(abs(d.difference))
        return f"{d.model} is better than {d.baseline} by {by} {over} ({inside})."
    worse = _one_sided(d, s)
    unsettled = "two-sided tests leave open" if worse else "the data do not settle"
    return (
        f"{d.model} against {d.baseline}: {unsettled} which is better {over}. The mean difference "
        f"is {signed(u, d.difference)} ({inside}).{worse}"
    )


def _one_sided(d: OverallResult, s: SuiteResult) -> str:
    """Why a model cannot be the best though this two-sided comparison settles nothing."""
    low = {x.model: x.low for x in s.ranks}
    behind = [x for x in (d.model, d.baseline) if low.get(x, 1.0) > 1.0]
    settled = settled_worse(s.models, s.overall, pooled_evals(s)[0].lower)
    if len(behind) != 1 or behind[0] in settled:
        return ""
    return f" One-sided tests find {behind[0]} worse than another model."


def _inside(d: OverallResult, s: SuiteResult, u: Units) -> str:
    """Interval and p of an overall comparison."""
    several = sum(x.p_value == x.p_value for x in s.overall) > 1
    excludes = d.ci_low > 0.0 or d.ci_high < 0.0
    alone = several and excludes and d.ci_comparisons == 1 and not d.p_adjusted < 1.0 - d.level
    p = p_words("adjusted p" if several else "p", d.p_adjusted, d.level)
    return f"{'unadjusted ' * alone}{interval_of(d, u)}, {p}"


def _on_evals(d: OverallResult, s: SuiteResult, most: int) -> str:
    """On which evals the comparison is settled for one of the two, and on which it is not; of more
    than so many, on how many.
    """
    own = [x for x in s.differences if {x.model, x.baseline} == {d.model, d.baseline}]
    if len(own) < 2:
        return ""
    lower = {r.eval: r.lower for r in s.evals}
    better: dict[str, list[str]] = {}
    for x in own:
        winner = ""
        if x.p_adjusted < 1.0 - x.level:
            winner = x.model if (x.difference > 0.0) != lower[x.eval] else x.baseline
        better.setdefault(winner, []).append(x.eval)

    def told(names: Sequence[str]) -> str:
        return first_of(names, most) if most else counted(len(names), "eval")

    parts = [f"{m} is better on {told(better[m])}" for m in (d.model, d.baseline) if m in better]
    if "" in better:
        parts.append(f"not settled on {told(better[''])}")
    text = "; ".join(parts)
    return f"Single evals: {text}."


def no_differences(s: SuiteResult) -> str:
    """What stands in the place of a table of differences on single evals that is empty."""
    if s.differences:
        return ""
    if len(s.models) < 2:
        return "There is one model: nothing to compare."
    return (
        f"With {counted(len(s.models), 'model')} and no baseline, single evals are compared in "
        "their own reports; name a baseline to compare every model with it here."
    )


def no_overall(s: SuiteResult) -> str:
    """What stands in the place of mean differences over evals where none can be made."""
    if len(s.models) < 2:
        return ""
    if _one_of_a_kind(s):
        why = " ".join(apart_notes(s))
        return f"No two evals can be averaged, so models are compared on single evals alone. {why}"
    if s.overall and all(d.reason for d in s.overall):
        return " ".join(not_compared(s))
    return ""


def no_ranks(s: SuiteResult) -> str:
    """What stands in the place of ranks over the evals where no model has an average."""
    if len(s.models) < 2:
        return ""
    if _one_of_a_kind(s):
        return "Without averages over evals there are no ranks."
    if not any(a.mean == a.mean for a in s.averages):
        return "No model was run on every eval, so there are no averages and no ranks."
    return ""


INSTEAD = {
    "suite-differences": no_differences,
    "suite-overall": no_overall,
    "suite-ranks": no_ranks,
}


def _one_of_a_kind(s: SuiteResult) -> bool:
    """Whether of several evals at most one is averaged, so that an average would be its mean."""
    return len(s.weights) < 2 <= len(s.evals)


def _apart(s: SuiteResult) -> bool:
    """Whether evals say more one by one than together: no average, and many comparisons or none."""
    if len(s.models) < 2 or len(s.evals) < 2:
        return False
    return _one_of_a_kind(s) or (len(s.overall) > LINES and bool(no_ranks(s)))


def reports(s: SuiteResult, links: Mapping[str, str]) -> str:
    """The evals, each with a link to its own report where there is one; those without numbers, with
    the reason.
    """
    evals = [
        {"name": r.eval, "link": Markup(urllib.parse.quote(links.get(r.eval, "")))} for r in s.evals
    ]
    return from_template("suite_reports.md.j2", evals=evals, left_out=dict(s.left_out))


def methods(s: SuiteResult, *, intervals: bool = True) -> str:
    """What is said of the evals together, and where it comes from.

    intervals: whether a table prints those of averages.
    """
    tests = sum(d.p_value == d.p_value for d in s.overall)
    over = bool(s.overall) and not no_overall(s)
    return from_template(
        "suite_methods.md.j2",
        level=percent_of(s.level),
        alpha=f"{1.0 - s.level:.4g}",
        compared=bool(s.differences),
        tests=count(s.n_tests),
        overall=over,
        overall_tests=count(tests),
        several=over and tests > 1 and not s.leader,  # Holm's family
        leader=s.leader if over else "",
        rivals=count(len(s.models) - 1),
        averaged=len(s.weights) > 1 and not no_ranks(s),
        intervals=intervals,
        weighted=len(set(s.weights.values())) > 1,
        clustered=any(r.clustered for r in s.evals),
        same=groups_named(averaged_groups(s)),
    )
