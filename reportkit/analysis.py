"""One eval's scores -> labelled records: which statistic each number is, and the warnings its reader needs."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.cautions import warnings_of
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.results import (
    CertificateResult,
    DifferenceResult,
    EvalResult,
    MeanResult,
    PowerResult,
    RankResult,
    Scale,
    Warning,
)
from reportkit.rows import DECIDED, LEFT_OUT, RUNS, SOURCES, UNREAD
from reportkit.scores import EvalScores, is_share, select
from reportkit.sources import told_apart


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

    scores: a scores frame (readers.read_scores, rows.check_rows). models: names in the order to print (all if empty).
    baseline: compare each model with this one; empty: every pair, the first named minus the second. metric, cluster: as
    in scores.select. level: of the intervals, alpha = 1 - level. power: of the smallest detectable effects.
    certificate: also simulate what each printed interval covers (stats.certify_mean); seed: of these simulations alone.
    Raises UnknownNameError and ScoresError as select does.
    """
    if not 0.0 < level < 1.0 or not 0.0 < power < 1.0:
        raise ScoresError(f"level {level} and power {power} are shares between 0 and 1: write 95% as 0.95")
    if certificate and seed < 0:
        raise ScoresError(f"seed {seed} starts no simulation; give 0 or more")
    if baseline and models and baseline not in models:
        models = [*models, baseline]
    chosen = select(scores, eval, models=models, metric=metric, cluster=cluster)
    if baseline and baseline not in chosen.models:
        raise UnknownNameError(f"eval {chosen.eval!r}: no model {baseline!r}{did_you_mean(baseline, chosen.models)}")
    lower = _lower_is_better(scores, chosen)
    parts = [_components(chosen, column) for column in range(len(chosen.models))]
    means = tuple(_mean(chosen, column, parts[column], level) for column in range(len(chosen.models)))
    differences, power_rows, correlations, best = _compare(chosen, means, parts, baseline, level, power, lower)
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
        ranks=_ranks(chosen, level, lower),
        scale=Scale(chosen.low, chosen.high, is_share(chosen.low, chosen.high), chosen.binary),
        clustered=answered is not None,
        cluster_field=chosen.cluster_field,
        fictional=chosen.fictional,
        sources=_sources(scores, chosen.eval),
        runs=tuple(
            r for m in chosen.models for r in scores.attrs.get(RUNS, ()) if (r["eval"], r["model"]) == (chosen.eval, m)
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
        result = replace(result, certificates=_certificates(chosen, result, level, seed))
    return result, tuple(warnings_of(result))


def _lower_is_better(scores: pd.DataFrame, e: EvalScores) -> bool:
    """As the user has decided for the eval, or as its logs say of the metric."""
    decided = next((d["options"].get("better") for d in scores.attrs.get(DECIDED, ()) if d["eval"] == e.eval), None)
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
        r for r in scores.attrs.get(LEFT_OUT, ()) if e.eval in r["evals"] and (not named or r["model"] in e.models)
    ]
    return _named(found, ["file", "instead"])


def _named(records: Iterable[Mapping[str, Any]], keys: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Records with names of files that tell them apart in place of paths: a report does not say where they lay."""
    found = list(records)
    names = told_apart(r[k] for r in found for k in keys if r[k]) | {"": ""}
    return tuple({**r, **{k: names[r[k]] for k in keys}} for r in found)


def _components(e: EvalScores, column: int) -> stats.Components:
    here = e.epochs[:, column] > 0
    return stats.components(e.means[here, column], e.variances[here, column], e.epochs[here, column])


def _mean(e: EvalScores, column: int, parts: stats.Components, level: float) -> MeanResult:
    here = e.epochs[:, column] > 0
    counts = {
        "n_questions": int(here.sum()),
        "n_answers": int(e.epochs[:, column].sum()),
        "n_unscored": int(e.n_unscored[column]),
        "n_errors": int(e.n_errors[column]),
    }
    if not here.any():  # every answer of this model is missing
        nan = math.nan
        return MeanResult(
            e.models[column], nan, nan, nan, nan, nan, level, "none", n_clusters=0, se_unclustered=nan,
            design_effect=nan, variance_between=nan, variance_within=nan, **counts,
        )  # fmt: skip
    scores = e.means[here, column]
    clusters = None if e.clusters is None else e.clusters[here]
    estimate = stats.mean_estimate(scores, clusters)
    plain = estimate if clusters is None else stats.mean_estimate(scores, se="clt")
    interval = stats.mean_interval(
        scores, clusters, binary=e.binary, share=is_share(e.low, e.high), n_answers=counts["n_answers"], level=level
    )
    effect = (estimate.se / plain.se) ** 2 if plain.se > 0.0 else math.nan
    return MeanResult(
        model=e.models[column], mean=estimate.value, se=estimate.se, df=estimate.df, ci_low=interval.low,
        ci_high=interval.high, level=level, method=interval.method, n_clusters=estimate.n_clusters,
        se_unclustered=plain.se, design_effect=effect, variance_between=parts.between, variance_within=parts.within,
        **counts,
    )  # fmt: skip


def _compare(
    e: EvalScores,
    means: tuple[MeanResult, ...],
    parts: list[stats.Components],
    baseline: str,
    level: float,
    power: float,
    lower: bool,
) -> tuple[tuple[DifferenceResult, ...], tuple[PowerResult, ...], tuple[tuple[float, ...], ...], tuple[str, ...]]:
    """All pairs at once, of them the rows that the report shows, and the models that no pair finds below the best."""
    count = len(e.models)
    single = np.array([e.binary and e.epochs[:, m].max(initial=0) <= 1 for m in range(count)])
    pairs = stats.all_pairs(e.means, e.clusters, binary=single, share=is_share(e.low, e.high), level=level)
    matrix = np.full((count, count), math.nan)
    matrix[pairs.first, pairs.second] = matrix[pairs.second, pairs.first] = pairs.correlation
    for m in range(count):
        column = e.means[~np.isnan(e.means[:, m]), m]
        if len(column) > 1 and (column != column[0]).any():
            matrix[m, m] = 1.0
    where = {(int(i), int(j)): k for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True))}
    against = e.models.index(baseline) if baseline else -1
    wanted = [(m, against) for m in range(count) if m != against] if baseline else list(where)
    rows = [(a, b, where[(a, b)], 1.0) if (a, b) in where else (a, b, where[(b, a)], -1.0) for a, b in wanted]
    adjusted = stats.holm(np.array([pairs.p_value[k] for _, _, k, _ in rows]))
    everyone = not np.isnan(e.means).any()
    differences, power_rows = [], []
    for (a, b, k, sign), p_adjusted in zip(rows, adjusted, strict=True):
        n, se = int(pairs.n_questions[k]), float(pairs.se[k])
        # The subtraction of two floats is exact in sign: swapping models flips it and nothing else.
        low, high = (pairs.low[k], pairs.high[k]) if sign > 0 else (-pairs.high[k], -pairs.low[k])
        both = ~np.isnan(e.means[:, a]) & ~np.isnan(e.means[:, b])
        sides = (parts[a], parts[b]) if everyone else (_common(e, a, both), _common(e, b, both))
        omega2, mde = _detectable(se, n, sides, level, power)
        differences.append(
            DifferenceResult(
                model=e.models[a],
                baseline=e.models[b],
                difference=sign * float(pairs.difference[k]) + 0.0,
                se=se,
                df=float(pairs.df[k]),
                ci_low=float(low),
                ci_high=float(high),
                level=level,
                method=str(pairs.method[k]),
                p_value=float(pairs.p_value[k]),
                p_adjusted=float(p_adjusted),
                correlation=float(pairs.correlation[k]),
                n_questions=n,
                n_clusters=int(pairs.n_clusters[k]),
                n_only_model=means[a].n_questions - n,
                n_only_baseline=means[b].n_questions - n,
                se_unpaired=_unpaired_se(e, a, b, both, means),
                mde=mde,
            )  # fmt: skip
        )
        if n:
            power_rows.append(
                PowerResult(
                    e.models[a],
                    e.models[b],
                    omega2,
                    sides[0].within,
                    sides[1].within,
                    sides[0].epochs,
                    sides[1].epochs,
                    n,
                    round(1.0 - level, 12),
                    power,
                    mde,
                )  # fmt: skip
            )
    return (
        tuple(differences),
        tuple(power_rows),
        tuple(tuple(map(float, row)) for row in matrix),
        _best(means, pairs, level, -1.0 if lower else 1.0),
    )


def _best(means: tuple[MeanResult, ...], pairs: stats.Pairs, level: float, sign: float) -> tuple[str, ...]:
    """The model of the best mean, then all that the paired test does not find worse, by their means; sign -1: lower is better.

    Holm over every pair, also where the report shows those with a baseline alone: which model is best was not known
    beforehand. A pair that cannot be tested does not tell the two apart.
    """
    ranked = sorted((i for i, m in enumerate(means) if m.mean == m.mean), key=lambda i: -sign * means[i].mean)
    if len(ranked) < 2:
        return ()
    settled = pairs.p_adjusted < 1.0 - level
    worse = {*pairs.second[settled & (pairs.first == ranked[0]) & (sign * pairs.difference > 0)]}
    worse |= {*pairs.first[settled & (pairs.second == ranked[0]) & (sign * pairs.difference < 0)]}
    return tuple(means[i].model for i in ranked if i not in worse)


def _ranks(e: EvalScores, level: float, lower: bool) -> tuple[RankResult, ...]:
    """Rank sets of all the models, also where the report shows differences from one baseline.

    From the intervals of all pairs by the rule that the report prints, at Bonferroni's level: that needs no simulation
    and no question that all models answered, and for 12 models they are only 3% wider than max-t intervals.
    """
    scored = np.flatnonzero((e.epochs > 0).any(axis=0))
    m = len(scored)
    if len(e.models) < 2:
        return ()
    found = {column: (math.nan, math.nan, math.nan) for column in range(len(e.models))}
    if m > 1:
        scores = e.means[:, scored]
        single = np.array([e.binary and e.epochs[:, column].max() <= 1 for column in scored])
        joint = 1.0 - (1.0 - level) / (m * (m - 1) / 2)
        pairs = stats.all_pairs(scores, e.clusters, binary=single, share=is_share(e.low, e.high), level=joint)
        ends = (-pairs.high, -pairs.low) if lower else (pairs.low, pairs.high)
        sign = -1.0 if lower else 1.0
        sets = stats.rank_sets(sign * np.nanmean(scores, axis=0), *ends, pairs.first, pairs.second)
        difference = np.full((m, m), 0.0)
        difference[pairs.first, pairs.second], difference[pairs.second, pairs.first] = (
            sign * pairs.difference,
            -sign * pairs.difference,
        )
        tie = stats.TIE * np.nanmax(np.abs(scores))
        rank = np.where(np.isnan(difference).any(axis=1), math.nan, 1.0 + (difference < -tie).sum(axis=1))
        for k, column in enumerate(scored):
            found[int(column)] = float(rank[k]), float(sets.best[k]), float(sets.worst[k])
    method = "bonferroni" if m > 1 else "none"
    return tuple(RankResult(e.models[column], *place, level, method) for column, place in found.items())


def _common(e: EvalScores, column: int, both: np.ndarray) -> stats.Components:
    return stats.components(e.means[both, column], e.variances[both, column], e.epochs[both, column])


def _unpaired_se(e: EvalScores, a: int, b: int, both: np.ndarray, means: tuple[MeanResult, ...]) -> float:
    """SE of the difference if the pairing were ignored, on the common questions."""
    n = int(both.sum())
    if n == means[a].n_questions == means[b].n_questions:
        return math.hypot(means[a].se, means[b].se)
    if n < 2:
        return math.nan
    clusters = None if e.clusters is None else e.clusters[both]
    return math.hypot(*(stats.mean_estimate(e.means[both, m], clusters).se for m in (a, b)))


def _certificates(e: EvalScores, r: EvalResult, level: float, seed: int) -> tuple[CertificateResult, ...]:
    """One for each printed interval, of a mean or of a difference."""
    given: dict[str, Any] = {"share": is_share(e.low, e.high), "low": e.low, "high": e.high, "level": level}
    rows = []
    for m in r.means:
        here = e.epochs[:, e.models.index(m.model)] > 0
        if here.any():
            column, clusters = e.models.index(m.model), None if e.clusters is None else e.clusters[here]
            found = stats.certify_mean(
                e.means[here, column], clusters, e.epochs[here, column], binary=e.binary, **given,
                rng=_stream(seed, e.eval, m.model),
            )  # fmt: skip
            rows.append(_certified(found, m, "", m.n_answers))
    for d in r.differences:
        # In the order of the names, so that swapping the models flips the sign and nothing else.
        first, second = sorted((d.model, d.baseline))
        a, b = e.models.index(first), e.models.index(second)
        both = (e.epochs[:, a] > 0) & (e.epochs[:, b] > 0)
        if both.any():
            binary = e.binary and e.epochs[:, [a, b]].max() <= 1
            found = stats.certify_difference(
                e.means[both, a], e.means[both, b], None if e.clusters is None else e.clusters[both], binary=binary,
                **given, rng=_stream(seed, e.eval, first, second),
            )  # fmt: skip
            if first != d.model:
                found = replace(found, mean=0.0 - found.mean)
            rows.append(_certified(found, d, d.baseline, int(e.epochs[both][:, [a, b]].sum())))
    return tuple(rows)


def _stream(seed: int, *names: str) -> np.random.Generator:
    """A generator for each row by its names: what else the report holds, and in which order, changes no number."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    key = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _certified(
    c: stats.Certificate, row: MeanResult | DifferenceResult, baseline: str, answers: int
) -> CertificateResult:
    return CertificateResult(
        model=row.model, baseline=baseline, method=row.method, n_questions=row.n_questions, n_clusters=row.n_clusters,
        n_answers=answers, mean=c.mean, icc=c.icc, answer_icc=c.answer_icc, level=c.level, coverage=c.coverage,
        simulation_error=c.simulation_error, not_printed=c.not_printed, repeats=c.repeats, reason=c.reason,
    )  # fmt: skip


def _detectable(
    se: float, n: int, sides: tuple[stats.Components, stats.Components], level: float, power: float
) -> tuple[float, float]:
    """omega^2, and the smallest difference this eval would detect (equation 10); nan where the SE is undefined or 0."""
    if not se > 0.0:
        return math.nan, math.nan
    a, b = sides
    # One answer for each question cannot be told from its noise: then that side's noise is part of omega^2's total.
    omega2 = stats.omega_squared(se, n, a.noise, b.noise)
    if math.isnan(omega2):
        return math.nan, stats.minimum_detectable_effect(n, n * se**2, level=level, power=power)
    total = max(n * se**2, a.noise + b.noise)
    return omega2, stats.minimum_detectable_effect(n, total, level=level, power=power)
