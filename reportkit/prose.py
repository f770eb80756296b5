"""Records -> sentences: what was found, how, and what to beware of, as Markdown with every name escaped."""

from collections.abc import Sequence
from typing import Any

from reportkit.formatting import Units, count, counted, format_p_value, percent_of, units_of
from reportkit.render import environment
from reportkit.results import DifferenceResult, EvalResult, Warning

SPELLED_OUT = 10  # comparisons told one by one; of more, the summary and the largest
LARGEST = 5
WARNINGS_SHOWN = 12


def findings(r: EvalResult) -> str:
    """What was compared and what was found: direction, size, interval and adjusted p of each difference.

    A difference that is not significant is never called none: it gets its interval and what the eval could detect.
    """
    u = units_of(r)
    settled = [d for d in r.differences if d.p_adjusted < 1.0 - r.level]
    sentences, closing = [], ""
    if len(r.differences) <= SPELLED_OUT:
        sentences = [_sentence(d, u, len(r.differences)) for d in r.differences]
    else:
        rest = len(r.differences) - len(settled)
        closing = (
            f"Of {count(len(r.differences))} comparisons, {count(len(settled))} are significant at the "
            f"{percent_of(1.0 - r.level)} level after Holm's adjustment"
            + (f"; for the other {count(rest)} the data do not settle the direction." if rest else ".")
        )
        largest = sorted(settled, key=lambda d: -abs(d.difference))[:LARGEST]
        sentences = [_sentence(d, u, len(r.differences)) for d in largest]
    if not r.differences:
        m = r.means[0]
        sentences = [f"{m.model} scores {u.with_error(m.mean, m.se)}, {percent_of(m.level)} interval "
                     f"{u.interval(m.ci_low, m.ci_high)}."]  # fmt: skip
    return _template("findings.md.j2", opening=_opening(r), sentences=sentences, closing=closing)


def _opening(r: EvalResult) -> str:
    fewest = min(m.n_answers / max(m.n_questions, 1) for m in r.means)
    most = max(m.n_answers / max(m.n_questions, 1) for m in r.means)
    answers = f"{count(most)} answers" if fewest == most else f"{count(fewest)} to {count(most)} answers"
    repeated = f", with {answers} to each" if most > 1 else ""
    clusters = f" in {counted(r.n_clusters, 'cluster')}" if r.clustered else ""
    fictional = " The models are fictional and their scores generated." if r.fictional else ""
    models = f"{counted(len(r.models), 'model')}" if len(r.models) > 1 else f"One model, {r.models[0]},"
    questions = f"{counted(r.n_questions, 'question')} of {r.eval}{clusters}"
    return f"{models} answered {questions}{repeated} (metric: {r.metric}).{fictional}"


def _sentence(d: DifferenceResult, u: Units, comparisons: int) -> str:
    if not d.n_questions:
        return f"{d.model} and {d.baseline} have no question in common and cannot be compared in pairs."
    p = format_p_value(d.p_adjusted)
    label = "adjusted p" if comparisons > 1 else "p"
    p_text = f"{label} {p}" if p[0] in "<>" else f"{label} = {p}" if d.p_adjusted == d.p_adjusted else "no p-value"
    interval = u.interval(d.ci_low, d.ci_high, sign=True)
    inside = f"{percent_of(d.level)} interval {interval.strip('()').replace(', ', ' to ')}, {p_text}"
    if d.p_adjusted < 1.0 - d.level:
        verb = "higher" if d.difference > 0 else "lower"
        return f"{d.model} scores {verb} than {d.baseline} by {u.points(d.difference)} ({inside})."
    detect = f"; this eval would detect a difference of {u.points(d.mde)}" if d.mde == d.mde else ""
    return (
        f"{d.model} against {d.baseline}: the data do not settle which is better. The difference is "
        f"{u.number(d.difference, sign=True)} ({inside}){detect}."
    )


def methods(r: EvalResult) -> str:
    """The formulas in use and where they come from."""
    return _template(
        "methods.md.j2",
        clustered=r.clustered,
        n_clusters=count(r.n_clusters),
        cluster_field=r.cluster_field,
        repeated=any(m.n_answers > m.n_questions for m in r.means),
        methods={m.method for m in r.means},
        pair_methods={d.method for d in r.differences},
        pairs=len(r.differences),
        level=percent_of(r.level),
        alpha=f"{1.0 - r.level:.4g}",
        power=percent_of(r.power[0].power) if r.power else "",
    )


def warning_list(warnings: Sequence[Warning]) -> str:
    """The warnings as a list; of very many, the first."""
    more = len(warnings) - WARNINGS_SHOWN
    lines = [f"{count(more)} further warnings are in results.json."] if more > 0 else []
    shown = [w.message for w in warnings[:WARNINGS_SHOWN]]
    return _template("warnings.md.j2", warnings=shown, more=lines)


def _template(name: str, **values: Any) -> str:
    return environment("md").get_template(name).render(**values).strip() + "\n"
