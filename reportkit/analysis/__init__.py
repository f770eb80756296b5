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
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.inputs.sources import told_apart
from reportkit.results import EvalResult, Scale, Warning
from reportkit.scores.rows import DECIDED, LEFT_OUT, RUNS, SOURCES, UNREAD
from reportkit.scores.select import EvalScores, is_share, select


def analyse(
    scores: pd.DataFrame,
    eval: str = "",
    *,
    models: Sequence[str] = (),
    baseline: str = "",
    metric: str = "",
    cluster: str = "",
    level: float = 0.95,
    power: float = 0.8,
    certificate: bool = False,
    seed: int = 0,
) -> tuple[EvalResult, tuple[Warning, ...]]:
    """Every number of one eval's report, and its warnings.

    scores: a scores frame (readers.read_scores, rows.check_rows). models: names in the order to
    print (all if empty). baseline: compare each model with this one; empty: every pair, the first
    named minus the second. metric, cluster: as in scores.select. level: of the intervals, alpha = 1
    - level. power: of the smallest detectable effects. certificate: also simulate what each printed
    interval covers (stats.certify_mean); seed: of these simulations alone. Raises UnknownNameError
    and ScoresError as select does.
    """
    if not 0.0 < level < 1.0 or not 0.0 < power < 1.0:
        raise ScoresError(
            f"level {level} and power {power} are shares between 0 and 1: write 95% as 0.95"
        )
    if certificate and seed < 0:
        raise ScoresError(f"seed {seed} starts no simulation; give 0 or more")
    if baseline and models and baseline not in models:
        models = [*models, baseline]
    chosen = select(scores, eval, models=models, metric=metric, cluster=cluster)
    if baseline and baseline not in chosen.models:
        raise UnknownNameError(
            f"eval {chosen.eval!r}: no model {baseline!r}{did_you_mean(baseline, chosen.models)}"
        )
    lower = _lower_is_better(scores, chosen)
    parts = [components_of(chosen, column) for column in range(len(chosen.models))]
    means = tuple(
        mean_result(chosen, column, parts[column], level) for column in range(len(chosen.models))
    )
    differences, power_rows, correlations, best = compare(
        chosen, means, parts, baseline, level, power, lower
    )
    answered = chosen.clusters
    decided: dict[str, str] = next(
        (d["options"] for d in scores.attrs.get(DECIDED, ()) if d["eval"] == chosen.eval), {}
    )
    result = EvalResult(
        eval=chosen.eval,
        metric=chosen.metric,
        n_questions=len(chosen.questions),
        n_clusters=len(chosen.questions) if answered is None else len(np.unique(answered)),
        models=chosen.models,
        baseline=baseline,
        means=means,
        differences=differences,
        power=power_rows,
        correlations=correlations,
        ranks=rank_results(chosen, level, lower),
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
        options={k: v for k, v in decided.items() if k != "cluster" or not cluster},
        best=best,
        n_asked=chosen.n_asked,
        lower=lower,
        zeroed=tuple(map(int, chosen.n_zeroed)),
        category=chosen.category,
        shots=chosen.shots,
    )
    if certificate:
        result = replace(result, certificates=certificate_results(chosen, result, level, seed))
    return result, tuple(warnings_of(result))


def _lower_is_better(scores: pd.DataFrame, e: EvalScores) -> bool:
    """As the user has decided for the eval, or as its logs say of the metric."""
    decided = next(
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
