"""One eval's scores -> labelled records: which statistic each number is, and the warnings its
reader needs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from reportkit.analysis.certificates import certificate_results
from reportkit.analysis.comparisons import compare
from reportkit.analysis.means import components_of, mean_result
from reportkit.analysis.ranks import rank_results
from reportkit.analysis.warnings import warnings_of
from reportkit.decisions import PER_EVAL, Decisions
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.inputs.sources import told_apart
from reportkit.loading.declared import decided_for, decided_scores, differing
from reportkit.results import EvalResult, Scale, Warning
from reportkit.scores.rows import DECIDED, LEFT_OUT, RUNS, SOURCES, UNREAD
from reportkit.scores.select import EvalScores, is_share, select, split_names


def analyse(
    scores: pd.DataFrame, decisions: Decisions | str = "", **said: Any
) -> tuple[EvalResult, tuple[Warning, ...]]:
    """Every number of one eval's report, and its warnings.

    scores: a scores frame (read_scores, rows.check_rows). decisions: a Decisions, or the name of
    the eval alone; said: decisions by their names, such as baseline="A", level=0.9, which come
    before. `runs` is decided when logs are read; all others also hold here. Raises UnknownNameError
    for a name that is not there, a decision's too, and ScoresError as select does.
    """
    given = Decisions(eval=decisions) if isinstance(decisions, str) else decisions
    d = given.beaten_by(said)
    eval = _name_of(scores, d)
    d = decided_for(scores, eval, d)
    rows = decided_scores(scores, eval, d)
    models = split_names(d.models, pd.unique(rows["model"]))
    if d.baseline and models and d.baseline not in models:
        models = [*models, d.baseline]
    chosen = select(rows, eval, models=models, metric=d.metric, cluster=d.cluster)
    if d.baseline and d.baseline not in chosen.models:
        raise UnknownNameError(
            f"eval {chosen.eval!r}: no model {d.baseline!r}"
            f"{did_you_mean(d.baseline, chosen.models)}"
        )
    lower = _lower_is_better(scores, chosen, d.better)
    parts = [components_of(chosen, column) for column in range(len(chosen.models))]
    means = tuple(
        mean_result(chosen, column, parts[column], d.level) for column in range(len(chosen.models))
    )
    compared = compare(chosen, means, parts, d, lower)
    answered = chosen.clusters
    result = EvalResult(
        eval=chosen.eval,
        metric=chosen.metric,
        n_questions=len(chosen.questions),
        n_clusters=len(chosen.questions) if answered is None else len(np.unique(answered)),
        models=chosen.models,
        baseline=d.baseline,
        means=means,
        differences=compared.differences,
        power=compared.power,
        correlations=compared.correlations,
        ranks=rank_results(chosen, d.level, lower),
        scale=Scale(chosen.low, chosen.high, is_share(chosen.low, chosen.high), chosen.binary),
        clustered=answered is not None,
        cluster_field=chosen.cluster_field,
        fictional=chosen.fictional,
        sources=_sources(scores, chosen.eval),
        runs=tuple(
            r
            for m in chosen.models
            for r in scores.attrs.get(RUNS, ())
            if (r["eval"], r["model"]) == (chosen.eval, m)
        ),
        left_out=_left_out(scores, chosen, bool(models)),
        unread=_named(scores.attrs.get(UNREAD, ()), ["file"]),
        options=_options(scores, chosen.eval, d),
        best=compared.best,
        n_asked=chosen.n_asked,
        lower=lower,
        zeroed=tuple(map(int, chosen.n_zeroed)),
        category=chosen.category,
        shots=chosen.shots,
    )
    if d.certificate:
        made = certificate_results(chosen, result, d.level, d.seed)
        result = replace(result, certificates=made)
    return result, tuple(warnings_of(result))


def _name_of(scores: pd.DataFrame, d: Decisions) -> str:
    """The one eval to analyse; of scores of several evals it has to be named."""
    if isinstance(d.eval, tuple) and len(d.eval) > 1:
        raise ScoresError(f"{len(d.eval)} evals are named; analyse takes one at a time")
    name = "".join(d.eval)
    evals = pd.unique(scores["eval"])
    return str(evals[0]) if not name and len(evals) == 1 else name


def _options(scores: pd.DataFrame, eval: str, d: Decisions) -> dict[str, Any]:
    """What was decided of the eval's scores when they were read, or now."""
    read = [r["options"] for r in scores.attrs.get(DECIDED, ()) if r["eval"] == eval]
    found = (read[0] if read else {}) | {k: v for k, v in differing(d).items() if k != "runs"}
    return {k: found[k] for k in (*PER_EVAL, "aliases") if k in found}


def _lower_is_better(scores: pd.DataFrame, e: EvalScores, better: str) -> bool:
    """As the user has decided for the eval, or as its logs say of the metric."""
    decided = better or next(
        (d["options"].get("better") for d in scores.attrs.get(DECIDED, ()) if d["eval"] == e.eval),
        None,
    )
    told = (m.lower_is_better for r in scores.attrs.get(RUNS, ()) if r["eval"] == e.eval
            for m in r["harness_metrics"] if m.metric == e.metric)  # fmt: skip
    return decided == "lower" if decided else any(told)


def _sources(scores: pd.DataFrame, eval: str) -> tuple[Mapping[str, Any], ...]:
    """The files of an eval, by names that tell them apart."""
    found = [s for s in scores.attrs.get(SOURCES, ()) if eval in s.get("evals", (eval,))]
    names = told_apart(s["path"] for s in found if "path" in s)
    return tuple({**s, "file": names.get(s.get("path", ""), s["file"])} for s in found)


def _left_out(scores: pd.DataFrame, e: EvalScores, named: bool) -> tuple[Mapping[str, Any], ...]:
    """Runs of the eval that do not count; where models are named, of these."""
    found = [
        r
        for r in scores.attrs.get(LEFT_OUT, ())
        if e.eval in r["evals"] and (not named or r["model"] in e.models)
    ]
    return _named(found, ["file", "instead"])


def _named(
    records: Iterable[Mapping[str, Any]], keys: Sequence[str]
) -> tuple[Mapping[str, Any], ...]:
    """Records with names of files that tell them apart in place of paths: a report does not say
    where they lay.
    """
    found = list(records)
    names = told_apart(r[k] for r in found for k in keys if r[k]) | {"": ""}
    return tuple({**r, **{k: names[r[k]] for k in keys}} for r in found)
