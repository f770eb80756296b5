"""Records -> sentences: what was found, how, and what to beware of, as Markdown with every name
escaped.
"""

from collections.abc import Sequence
from typing import Any

from reportkit.analysis.order import best_of
from reportkit.analysis.questioned import not_of_usual, usual
from reportkit.analysis.warnings import of_few_clusters
from reportkit.documents.prose.best import PAIRED, best_mean, is_best, may_be_best
from reportkit.documents.prose.compared import comparisons, over_all_others
from reportkit.documents.prose.words import few, named_error, short_named
from reportkit.results import DifferenceResult, EvalResult, Warning
from reportkit.tables.power import any_detectable
from reportkit.text.environment import environment
from reportkit.text.numbers import count, counted, joined, percent_of, span, units_of

NAMED = 5  # models that a sentence names; of more it tells the number
COUNTED = 4  # models from which on their number is told first, and then their names
WARNINGS_SHOWN = 12


def findings(r: EvalResult) -> str:
    """What was found and what was compared, in a paragraph and at most three lines. The best model
    comes first, or the only comparison, or the only model: who has ten seconds reads that.

    A difference that is not significant is never called none: it gets its interval, or the range of
    the differences, and what the eval could detect.
    """
    r = short_named(r)
    lead, lines = _leader(r), comparisons(r)
    if (over := over_all_others(r)) and over in lead:  # told once
        lines = []
    of_eval = "" if lead else f" of {r.eval}"
    if len(r.models) == 1:
        lead = _alone(r)
    elif not lead and len(lines) == 1:
        lead = lines.pop()
    opening = " ".join(filter(None, [lead, _counts(r, of_eval), _few_clusters(r), _mixed(r)]))
    return from_template("findings.md.j2", opening=opening, sentences=lines)


def _alone(r: EvalResult) -> str:
    """The mean of one model."""
    m, u = r.means[0], units_of(r)
    interval = f"{percent_of(m.level)} interval {span(u.number(m.ci_low), u.number(m.ci_high))}"
    if m.ci_low != m.ci_low:
        interval = "no interval"
    return f"{m.model} scores {named_error(u, m.mean, m.se)}, {interval}."


def _counts(r: EvalResult, of_eval: str) -> str:
    """How many models answered how many questions; of_eval: its name, where none is told before."""
    scored = [m for m in r.means if m.n_questions]
    fewest = min((m.n_answers / m.n_questions for m in scored), default=0.0)
    most = max((m.n_answers / m.n_questions for m in scored), default=0.0)
    answers = f"{span(count(fewest), count(most))} answers"
    repeated = f", with {answers} to each" if most > 1 else ""
    clusters = f" in {counted(r.n_clusters, 'cluster')}" if r.shares_clusters else ""
    fictional = " The models are fictional and their scores generated." if r.fictional else ""
    models = counted(len(r.models), "model") if len(r.models) > 1 else "It"
    lower = "; lower is better" if r.lower else ""
    least = min((m.n_questions for m in scored), default=0)
    of_all = ""
    if 0 < least < r.n_questions:
        of_all = f"{span(count(least), count(max(m.n_questions for m in scored)))} of "
    if of_all and least == max(m.n_questions for m in scored) and r.other_questions:
        models = f"Each of {models}"  # not all the same questions
    questions = f"{of_all}{counted(r.n_questions, 'question')}{of_eval}{clusters}"
    return f"{models} answered {questions}{repeated} (metric: {r.metric}{lower}).{fictional}"


def _leader(r: EvalResult) -> str:
    """Which model has the best mean, and which may be the best; of two models their difference says
    it all.
    """
    scored = [m for m in r.means if m.mean == m.mean]
    if len(r.models) < 3 or len(scored) < 2:
        return ""
    u = units_of(r)
    places = best_of([m.mean for m in scored], r.lower)
    best, tops = scored[places[0]], [scored[i].model for i in places]
    highest = best_mean(r.eval, r.lower)
    held = f"{tops[0]} has {highest}, {named_error(u, best.mean, best.se)}"
    if len(tops) > 1:
        sharing = joined(tops, "and") if len(tops) <= NAMED else f"{count(len(tops))} models"
        held = f"{sharing} share {highest}, {u.number(best.mean)}"
    untold = ""
    if r.untold:
        who = _some(r.untold)
        untold = f" There is too little data to tell whether {who} may be the best."
    return f"{held}{_set_of_best(r, tops)}{untold}"


def _set_of_best(r: EvalResult, tops: Sequence[str]) -> str:
    """How sure it is which model is the best, after the words on the highest mean."""
    level = percent_of(r.level)
    name = f"the {level} confidence set for the best model"
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
        tests = f"{PAIRED} find every other model {_if_known(r)}{r.worse}"
        sure = is_best(r.level)
        if _if_known(r):
            sure = f"and is alone in {name}"
        return f", {sure}: {over_all_others(r) or tests}."
    others = [m for m in r.best if m not in tops]
    these = f"These {count(len(r.best))} models are {name}."
    if not others:
        return f". One-sided paired tests do not tell them apart. {these}"
    who, named = joined(others), ""
    if len(others) >= COUNTED or not few(others):
        who = f"one of {count(len(others))} others"
        named = f" The others are {joined(others, 'and')}." if few(others) else ""
    return f", {may_be_best(who, len(others), PAIRED, r.worse)}. {these}{named}"


def _if_known(r: EvalResult) -> str:
    """What an "every other model" leaves out."""
    if r.untold or any(m.mean != m.mean for m in r.means):
        return "of which enough is known "
    return ""


def _some(names: Sequence[str]) -> str:
    """A few models by name, more by their number and names, many by their number alone."""
    if few(names) and len(names) < COUNTED:
        return joined(names)
    named = f" ({joined(names, 'and')})" if few(names) else ""
    return f"one of {count(len(names))} models{named}"


def _mixed(r: EvalResult) -> str:
    """That some means are of other questions, so that the differences may tell another order."""
    if not r.other_questions or len(r.models) < 2:
        return ""
    said, answered = not_of_usual(r), sum(m.n_questions > 0 for m in r.means)
    if len(r.other_questions) == 1 < answered:
        [o] = r.other_questions
        said = f"The mean of {o.model} is not of {usual(r)}"
        if o.n_more:  # it may be of as many
            own = f"{count(o.n_shared)} of {usual(r)}, and of {counted(o.n_more, 'other')}"
            said = f"The mean of {o.model} is of {own}"
    return f"{said}; differences are of the questions that both models answered."


def _few_clusters(r: EvalResult) -> str:
    """That the standard errors rest on few clusters, of which a warning tells more."""
    few = of_few_clusters(r)
    if not few or all(m.method == "none" for m in r.means):
        return ""
    least = min(m.df for m in few)
    return f"The standard errors rest on few clusters in effect ({least:.1f} degrees of freedom)."


def _favours(d: DifferenceResult, r: EvalResult) -> str:
    ahead = -d.difference if r.lower else d.difference
    if ahead > 0:
        return d.model
    if ahead < 0:
        return d.baseline
    return ""  # neither is ahead


def methods(r: EvalResult) -> str:
    """The formulas in use and where they come from."""
    return from_template(
        "methods.md.j2",
        clustered=r.clustered,
        shares_clusters=r.shares_clusters,
        clusters=counted(r.n_clusters, "cluster"),
        cluster_field=r.cluster_field,
        repeated=any(m.n_answers > m.n_questions for m in r.means),
        methods={m.method for m in r.means},
        pair_methods={d.method for d in r.differences},
        pairs=len(r.power),
        detectable=any_detectable(r),
        tests=count(r.n_tests),
        several_tests=r.n_tests > 1,
        models=len(r.models),
        ranked=any(x.low == x.low for x in r.ranks),
        leader=r.leader,
        among=r.among,
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
    be = "is" if more == 1 else "are"
    lines = [f"{counted(more, 'further warning')} {be} in results.json."] if more > 0 else []
    shown = [w.message for w in warnings[:WARNINGS_SHOWN]]
    return from_template("warnings.md.j2", warnings=shown, more=lines)


def from_template(name: str, **values: Any) -> str:
    """Sentences set by a template, which escapes every name in them."""
    return environment("md").get_template(name).render(**values).strip() + "\n"
