"""Records -> sentences: what was found, how, and what to beware of, as Markdown with every name
escaped.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reportkit.analysis.questioned import usual
from reportkit.results import DifferenceResult, EvalResult, Warning
from reportkit.tables.data_notes import subtracts, why_apart
from reportkit.text.environment import environment
from reportkit.text.numbers import (
    Units,
    count,
    counted,
    format_p_value,
    percent_of,
    span,
    units_of,
)

SPELLED_OUT = 10  # comparisons told one by one; of more, the summary and the largest
LARGEST = 5
WARNINGS_SHOWN = 12


def findings(r: EvalResult) -> str:
    """What was compared and what was found: direction, size, interval and adjusted p of each
    difference.

    A difference that is not significant is never called none: it gets its interval and what the
    eval could detect.
    """
    u = units_of(r)
    told, summary, lead = r.differences, "", ""
    if len(r.differences) > SPELLED_OUT:
        settled = [d for d in r.differences if d.p_adjusted < 1.0 - r.level]
        untested = len(r.differences) - r.n_tests
        with_leader = f" with {r.leader}" if r.leader else ""
        summary = (
            f"Of {count(r.n_tests)} comparisons{with_leader}, "
            f"{count(len(settled))} {'is' if len(settled) == 1 else 'are'} significant at the "
            f"{percent_of(1.0 - r.level)} level after adjustment."
            + (f" {counted(untested, 'further comparison')} cannot be tested." if untested else "")
        )
        lead = "The largest differences:"
        known = [d for d in r.differences if d.difference == d.difference]
        told = tuple(sorted(known, key=lambda d: -abs(d.difference))[:LARGEST])
        if r.leader:
            lead = f"{r.leader} and the models that follow:"
            told = _runners_up(r)
    sentences = [_sentence(d, r) for d in told]
    if not r.differences:
        m = r.means[0]
        interval = f"{percent_of(m.level)} interval {u.interval(m.ci_low, m.ci_high)}"
        if m.ci_low != m.ci_low:
            interval = "no interval"
        sentences = [f"{m.model} scores {u.with_error(m.mean, m.se)}, {interval}."]
    opening = " ".join(filter(None, [_opening(r), _leader(r), _mixed(r), summary]))
    return from_template("findings.md.j2", opening=opening, lead=lead, sentences=sentences)


def _runners_up(r: EvalResult) -> tuple[DifferenceResult, ...]:
    """The comparisons with the next means, in their order."""
    ranked = sorted(
        (m for m in r.means if m.mean == m.mean), key=lambda m: m.mean if r.lower else -m.mean
    )
    own = {d.model: d for d in r.differences}
    return tuple(own[m.model] for m in ranked if m.model in own)[:LARGEST]


def _opening(r: EvalResult) -> str:
    scored = [m for m in r.means if m.n_questions]
    fewest = min((m.n_answers / m.n_questions for m in scored), default=0.0)
    most = max((m.n_answers / m.n_questions for m in scored), default=0.0)
    answers = f"{span(count(fewest), count(most))} answers"
    repeated = f", with {answers} to each" if most > 1 else ""
    clusters = f" in {counted(r.n_clusters, 'cluster')}" if r.clustered else ""
    fictional = " The models are fictional and their scores generated." if r.fictional else ""
    models = (
        f"{counted(len(r.models), 'model')}" if len(r.models) > 1 else f"One model, {r.models[0]},"
    )
    lower = "; lower is better" if r.lower else ""
    least = min((m.n_questions for m in scored), default=0)
    of_all = ""
    if 0 < least < r.n_questions:
        of_all = f"{span(count(least), count(max(m.n_questions for m in scored)))} of "
    questions = f"{of_all}{counted(r.n_questions, 'question')} of {r.eval}{clusters}"
    return f"{models} answered {questions}{repeated} (metric: {r.metric}{lower}).{fictional}"


def _leader(r: EvalResult) -> str:
    """Which model has the best mean, and which may be the best; of two models their difference says
    it all.
    """
    scored = [m for m in r.means if m.mean == m.mean]
    if len(r.models) < 3 or len(scored) < 2:
        return ""
    u = units_of(r)
    best = (min if r.lower else max)(scored, key=lambda m: m.mean)
    tops = [m.model for m in scored if m.mean == best.mean]
    held = f"is that of {tops[0]}, {u.with_error(best.mean, best.se)}"
    if len(tops) > 1:
        sharing = listed(tops, "and") if len(tops) <= LARGEST else f"{count(len(tops))} models"
        held = f"is shared by {sharing}, {u.number(best.mean)}"
    highest = f"{r.top} (best)" if r.lower else r.top
    untold = ""
    if r.untold:
        untold = f" There is too little data to tell whether {_some(r.untold)} may be the best."
    return f"The {highest} mean {held}{_set_of_best(r, tops)}{untold}"


def _set_of_best(r: EvalResult, tops: Sequence[str]) -> str:
    """The confidence set for the best model, after the words on the highest mean."""
    name = f"the {percent_of(r.level)} confidence set for the best model"
    if not r.best:
        beaten = [
            f" On the questions that both answered, {_favours(d, r)} is found better than {top}."
            for top in tops
            for d in r.pairs
            if top in (d.model, d.baseline)
            and d.p_adjusted < 1.0 - r.level
            and _favours(d, r) != top
        ]
        return f". No model can be said to be in {name}.{''.join(beaten[:1])}"
    if len(r.best) == 1:
        found = f"find every other model {_if_known(r)}{r.worse}"
        return f"; the paired tests {found}. It alone is in {name} (one-sided tests)."
    others = [m for m in r.best if m not in tops[:1]]
    these = f"These {count(len(r.best))} models are {name} (one-sided tests)."
    return f"; the paired tests do not find {_some(others)} {r.worse}. {these}"


def _if_known(r: EvalResult) -> str:
    """What an "every other model" leaves out."""
    if r.untold or any(m.mean != m.mean for m in r.means):
        return "of which enough is known "
    return ""


def _some(names: Sequence[str], last: str = "or") -> str:
    """A few models by name, many by their number."""
    return listed(names, last) if len(names) <= LARGEST + 1 else f"{count(len(names))} models"


def _mixed(r: EvalResult) -> str:
    """That some means are of other questions, so that the differences may tell another order."""
    if not r.other_questions or len(r.models) < 2:
        return ""
    n = len(r.other_questions)
    means = f"{counted(n, 'mean')} {'is' if n == 1 else 'are'}"
    return f"{means} not of {usual(r)}; differences are of the questions that both models answered."


def _favours(d: DifferenceResult, r: EvalResult) -> str:
    ahead = -d.difference if r.lower else d.difference
    if ahead > 0:
        return d.model
    if ahead < 0:
        return d.baseline
    return ""  # neither is ahead


def listed(names: Sequence[str], last: str = "or") -> str:
    """
    >>> listed(["A"]), listed(["A", "B", "C"]), listed(["A", "B"], "and")
    ('A', 'A, B or C', 'A and B')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _sentence(d: DifferenceResult, r: EvalResult) -> str:
    if not d.n_questions:
        return (
            f"{d.model} and {d.baseline} have no question in common and cannot be compared in "
            "pairs."
        )
    # told from the higher one, so that signs and words agree
    if d.difference < 0.0 and d.p_adjusted < 1.0 - d.level:
        d = d.turned()
    u, power = units_of(r), next((p.power for p in r.power), 0.8)
    p = format_p_value(d.p_adjusted, level=d.level)
    label = "adjusted p" if len(r.differences) > 1 else "p"
    sign, number = (p[0], p[1:]) if p[0] in "<>" else ("=", p)
    p_text = f"{label}\u00a0{sign}\u00a0{number}" if d.p_adjusted == d.p_adjusted else "no p-value"
    bare = replace(u, unit="")  # differences of percentages are points
    ends = bare.interval(d.ci_low, d.ci_high, sign=True).strip("()").split(", ")
    interval = f"{percent_of(d.level)} interval {span(ends[0], ends[-1])}"
    if d.ci_low != d.ci_low:
        interval = "no interval"
    # An interval that excludes 0 beside an adjusted p that settles nothing: one of the two is
    # adjusted, the other is not.
    apart = (
        d.ci_comparisons == 1
        and r.n_tests > 1
        and (d.ci_low > 0.0 or d.ci_high < 0.0)
        and not d.p_adjusted < 1.0 - d.level
    )
    unrounded = "of unrounded means, " * _is_rounded(d, r, u)
    inside = f"{unrounded}{'unadjusted ' * apart}{interval}, {p_text}"
    where = _where(d, u)
    if d.p_adjusted < 1.0 - d.level:
        by = u.points(d.difference)
        return f"{d.model} scores higher than {d.baseline} by {by}{where} ({inside})."
    alone = ", taken alone," if r.n_tests > 1 else ""  # the adjustment asks for more
    detect = (
        f" The smallest difference this eval would detect with {percent_of(power)} "
        f"power{alone} is {u.points(d.mde)}."
    )
    return (
        f"{d.model} against {d.baseline}: the data do not settle which is better. The difference "
        "is "
        f"{bare.number(d.difference, sign=True)}{' points' if u.percent else ''}{where} "
        f"({inside}).{_one_sided(d, r)}{detect if d.mde == d.mde else ''}"
    )


def _where(d: DifferenceResult, u: Units) -> str:
    """The means that a difference compares, where they are not those of the two models' rows."""
    if not (d.n_only_model or d.n_only_baseline):
        return ""
    means = f"{u.number(d.mean_model)} against {u.number(d.mean_baseline)}"
    return f" on the {counted(d.n_questions, 'question')} that both answered, {means}"


def _is_rounded(d: DifferenceResult, r: EvalResult, u: Units) -> bool:
    """Whether the printed difference is not that of the printed means for rounding alone: of the
    means beside it, or of those in the table.
    """
    if d.n_only_model or d.n_only_baseline:
        return not subtracts(d.mean_model, d.mean_baseline, d.difference, u)
    return why_apart(d, r, u) == "rounding"


def _one_sided(d: DifferenceResult, r: EvalResult) -> str:
    """Why a model is not in bold though the two-sided p of this comparison settles nothing."""
    found_worse = {m.model for m in r.means if m.may_be_best == "no"}
    behind = [x for x in (d.model, d.baseline) if x in found_worse]
    if len(behind) != 1 or not {d.model, d.baseline} & {*r.best}:
        return ""
    if len(r.models) == 2:
        alpha = percent_of(1.0 - r.level)
        return f" A one-sided test at the {alpha} level finds {behind[0]} {r.worse}."
    return f" One-sided tests find {behind[0]} {r.worse} than another model, so it is not in bold."


def methods(r: EvalResult) -> str:
    """The formulas in use and where they come from."""
    return from_template(
        "methods.md.j2",
        clustered=r.clustered,
        n_clusters=count(r.n_clusters),
        cluster_field=r.cluster_field,
        repeated=any(m.n_answers > m.n_questions for m in r.means),
        methods={m.method for m in r.means},
        pair_methods={d.method for d in r.differences},
        pairs=len(r.power),
        tests=count(r.n_tests),
        several_tests=r.n_tests > 1,
        models=len(r.models),
        ranked=any(x.low == x.low for x in r.ranks),
        leader=r.leader,
        allowed=count(max((d.ci_comparisons for d in r.differences), default=1)),
        pairs_of_all=count(len(r.pairs)),
        several_families=len(r.differences) < len(r.pairs),
        level=percent_of(r.level),
        alpha=f"{1.0 - r.level:.4g}",
        power=percent_of(r.power[0].power) if r.power else "",
        bounded=any(p.direction for p in r.power),
        exact=any(d.p_exact == d.p_exact for d in r.differences),
        asked=_asked(r),
        made_by=_made_by(r),
        narrow=percent_of(max(0.0, 2.0 * r.level - 1.0)),
        some_missing=any(d.n_only_model or d.n_only_baseline for d in r.pairs),
    )


def _asked(r: EvalResult) -> set[str]:
    """The tables on request that the report has."""
    asked = {name for name, records in r.requested.items() if records}
    asked |= {"certificate"} if r.certificates else set()
    return asked | ({"ranks"} if any(x.joint_low == x.joint_low for x in r.ranks) else set())


def _made_by(r: EvalResult) -> set[str]:
    """The methods of the records of tables on request."""
    records = (x for records in r.requested.values() for x in records)
    return {x.method for x in records if hasattr(x, "method")}


def warning_list(warnings: Sequence[Warning]) -> str:
    """The warnings as a list; of very many, the first."""
    more = len(warnings) - WARNINGS_SHOWN
    lines = [f"{count(more)} further warnings are in results.json."] if more > 0 else []
    shown = [w.message for w in warnings[:WARNINGS_SHOWN]]
    return from_template("warnings.md.j2", warnings=shown, more=lines)


def from_template(name: str, **values: Any) -> str:
    """Sentences set by a template, which escapes every name in them."""
    return environment("md").get_template(name).render(**values).strip() + "\n"
