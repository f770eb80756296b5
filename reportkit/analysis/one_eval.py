"""The scores of one eval -> records that name each statistic, and the warnings that a reader of the
numbers needs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reportkit.analysis.best import placed
from reportkit.analysis.certificates import certificate_results
from reportkit.analysis.chances import with_chances
from reportkit.analysis.comparisons import compare
from reportkit.analysis.copies import copies
from reportkit.analysis.elsewhere import published_scores
from reportkit.analysis.exact import with_exact
from reportkit.analysis.means import components_of, mean_result
from reportkit.analysis.mixed import mixed_units
from reportkit.analysis.order import in_order, is_sorted
from reportkit.analysis.questions import common_means, other_questions
from reportkit.analysis.requested import Request, joint_ranks, requested
from reportkit.analysis.same_questions import packed_answers
from reportkit.analysis.shared import held, subtasks_of
from reportkit.analysis.units import in_own_units
from reportkit.analysis.usage import usage_of
from reportkit.analysis.warnings import warnings_of
from reportkit.decisions import PER_EVAL, Decisions
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.facts import Facts, LeftOut, MixedUnits, RunFacts, Source, Unread
from reportkit.inputs.sources import told_apart
from reportkit.loading.anything import any_scores
from reportkit.loading.declared import decided_for, decided_scores, differing
from reportkit.loading.read import Paths
from reportkit.results import EvalResult, Scale, Warning
from reportkit.scores.frames import FORMS
from reportkit.scores.scores import Scores
from reportkit.scores.select import EvalScores, is_share, select, split_names


def analyse(
    scores: "pd.DataFrame | Scores | Paths", decisions: Decisions | str = "", **said: Any
) -> tuple[EvalResult, tuple[Warning, ...]]:
    """Every number of one eval's report, and its warnings.

    scores: a DataFrame (of read_scores, or as scores.frames.scores_of takes it), Scores, or paths.
    decisions: a Decisions, or only the name of the eval. said: decisions by their names, such as
    baseline="A", level=0.9; they beat `decisions`. `runs` is decided when logs are read; all other
    decisions hold here too. Raises UnknownNameError for a name that is not there, a decision's too,
    and ScoresError as select does.
    """
    given = Decisions(eval=decisions) if isinstance(decisions, str) else decisions
    d = given.beaten_by(said)
    scores = any_scores(scores, _named(d))
    eval = _name_of(scores, d)
    d = decided_for(scores, eval, d)
    of_eval = decided_scores(scores, eval, d)
    models = split_names(d.models, pd.unique(of_eval.rows["model"]))
    if d.baseline and models and d.baseline not in models:
        models = [*models, d.baseline]
    # From here to in_own_units all numbers are in the analysis's unit: a known range is 0 to 1.
    chosen = select(of_eval, eval, models=models, metric=d.metric, cluster=d.cluster, unit=True)
    chosen = in_order(chosen, d)
    if d.baseline and d.baseline not in chosen.models:
        raise UnknownNameError(
            f"eval {chosen.eval!r}: no model {d.baseline!r}"
            f"{did_you_mean(d.baseline, chosen.models)}"
        )
    facts = scores.facts
    parts = [components_of(chosen, column) for column in range(len(chosen.models))]
    common = common_means(chosen)
    means = tuple(
        replace(mean_result(chosen, column, parts[column], d.level), mean_common=mean)
        for column, mean in enumerate(common.means.tolist())
    )
    compared = compare(chosen, means, parts, d)
    shown = compared.standing
    pairs = compared.pairs
    if len(pairs) == len(shown.differences):  # the report's own comparisons are every pair
        pairs = with_exact(chosen, with_chances(chosen, pairs))
    if is_sorted(chosen, d):  # as the comparisons with the best: the other model minus the better
        pairs = tuple(pair.turned() for pair in pairs)
    answered, own = chosen.clusters, of_eval.of(chosen.eval)
    result = EvalResult(
        eval=chosen.eval,
        metric=chosen.metric,
        n_questions=len(chosen.questions),
        n_clusters=len(chosen.questions) if answered is None else len(np.unique(answered)),
        models=chosen.models,
        baseline=d.baseline,
        means=placed(means, shown),
        differences=with_exact(chosen, with_chances(chosen, shown.differences)),
        pairs=pairs,
        power=shown.power,
        correlations=compared.correlations,
        ranks=shown.ranks,
        scale=_scale(chosen),
        clustered=answered is not None,
        cluster_field=chosen.cluster_field,
        fictional=chosen.fictional,
        sources=_sources(facts, chosen.eval),
        runs=_runs(facts, chosen),
        left_out=_left_out(facts, chosen, bool(models)),
        unread=_unread(facts),
        options=_options(facts, chosen.eval, d),
        best=shown.best,
        untold=shown.untold,
        leader=shown.leader,
        named=bool(d.models),
        n_asked=chosen.n_asked,
        lower=chosen.lower,
        zeroed=tuple(map(int, chosen.n_zeroed)),
        category=chosen.category,
        shots=chosen.shots,
        limits=chosen.limits,
        n_planned=_planned(facts, chosen),
        n_common=common.n,
        copies=copies(chosen),
        other_questions=other_questions(chosen),
        flagged=chosen.flagged,
        mixed=_mixed(chosen),
        subtasks=subtasks_of(own, chosen.questions),
        held=held(own, chosen.eval, chosen.questions).packed(),
        answers=packed_answers(chosen),
    )
    published = published_scores(result, d.published)
    result = replace(result, usage=usage_of(result.models, result.runs, d), published=published)
    if "certificate" in d.asked:
        certificates = certificate_results(chosen, result, d.level, d.seed)
        result = replace(result, certificates=certificates)
    request = Request(chosen, result, d, of_eval)
    made = requested(request)
    if "ranks" in d.asked:
        result = replace(result, ranks=joint_ranks(request))
    result = replace(result, requested=made.requested, refused=made.refused)
    result = in_own_units(result, chosen.unit)
    return result, tuple(warnings_of(result))


def _scale(e: EvalScores) -> Scale:
    low, high = map(e.unit.value, (e.low, e.high))
    return Scale(low, high, is_share(low, high), e.binary, e.unit.known)


def _mixed(e: EvalScores) -> MixedUnits | None:
    """Of scores with a known range nothing is asked."""
    if e.unit.known:
        return None
    return mixed_units(e.unit.low + e.means * e.unit.width, e.models)


def _named(d: Decisions) -> str:
    """The eval that is named, or ""."""
    if isinstance(d.eval, tuple) and len(d.eval) > 1:
        raise ScoresError(f"{len(d.eval)} evals are named; analyse takes one at a time")
    return "".join(d.eval)


def _name_of(scores: Scores, d: Decisions) -> str:
    """The one eval to analyse. Where the scores are of several evals, it must be named."""
    name, evals = _named(d), scores.evals
    return evals[0] if not name and len(evals) == 1 else name


def results_of(scores: "pd.DataFrame | Scores | Paths", *, tables: str = "") -> list[EvalResult]:
    """Every eval of some scores, with every decision at its default but the tables on request."""
    scores = any_scores(scores)
    return [analyse(scores, name, tables=tables)[0] for name in scores.evals]


def results_given(given: Any, what: str, *, tables: str = "") -> tuple[EvalResult, ...]:
    """The results that a table or a figure is made of. Scores are analysed first.

    what: the table or figure, for the message. tables: those on request that scores are analysed
    for. ScoresError where neither results nor scores are given, and for an empty list.
    """
    if isinstance(given, EvalResult):
        return (given,)
    if isinstance(given, pd.DataFrame | Scores):
        return tuple(results_of(given, tables=tables))
    many = isinstance(given, Iterable) and not isinstance(given, Mapping)
    results = tuple(given) if many else (given,)
    if not results:
        raise ScoresError(f"no eval to make a {what} of: it needs one result or more")
    others = [type(r).__name__ for r in results if not isinstance(r, EvalResult)]
    if others and len(others) < len(results):
        raise ScoresError(
            f"a {what.split()[0]} is made of results, and analyse gives two things: "
            "write result, warnings = analyse(...) and give the result"
        )
    if isinstance(given, str | Path):
        raise ScoresError(
            f"a {what.split()[0]} is not made of a path: read the file by read_scores, and give "
            "what it returns"
        )
    if others:
        raise ScoresError(
            f"no {what.split()[0]} of a {others[0]}: give results of analyse; or {FORMS}"
        )
    return results


def _runs(facts: Facts, e: EvalScores) -> tuple[RunFacts, ...]:
    """The runs of the eval, in the order of the models."""
    runs = [r for r in facts.runs if r.eval == e.eval]
    return tuple(r for m in e.models for r in runs if r.model == m)


def _planned(facts: Facts, e: EvalScores) -> tuple[int, ...]:
    """The answers that each model's runs set out to get, as the rows or the facts say."""
    in_rows = e.n_planned or (0,) * len(e.models)
    of_runs = [sum(r.n_planned for r in _runs(facts, e) if r.model == m) for m in e.models]
    return tuple(map(max, in_rows, of_runs))


def _options(facts: Facts, eval: str, d: Decisions) -> dict[str, Any]:
    """What was decided of the eval's scores, when they were read or now."""
    decided = {k: v for k, v in differing(d).items() if k != "runs"}
    options = {**facts.options(eval), **decided}
    return {k: options[k] for k in (*PER_EVAL, "aliases") if k in options}


# A report does not say in which folders its files were: it names them so that they can be told
# apart.


def _sources(facts: Facts, eval: str) -> tuple[Source, ...]:
    """The files of an eval."""
    sources = [s for s in facts.sources if eval in s.evals]
    names = told_apart(s.path for s in sources)
    return tuple(replace(s, file=names[s.path]) for s in sources)


def _left_out(facts: Facts, e: EvalScores, named: bool) -> tuple[LeftOut, ...]:
    """Runs of the eval that do not count. Where models are named, only runs of these."""
    left_out = [
        left
        for left in facts.left_out
        if e.eval in left.evals and (not named or left.run.model in e.models)
    ]
    paths = [p for left in left_out for p in (left.run.file, left.instead)]
    names = told_apart(p for p in paths if p) | {"": ""}
    return tuple(
        replace(left, run=replace(left.run, file=names[left.run.file]), instead=names[left.instead])
        for left in left_out
    )


def _unread(facts: Facts) -> tuple[Unread, ...]:
    names = told_apart(f.file for f in facts.unread if f.file) | {"": ""}
    return tuple(replace(f, file=names[f.file]) for f in facts.unread)
