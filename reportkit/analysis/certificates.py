"""How often the printed intervals hold the truth, simulated on data of the same shape."""

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np

from reportkit import stats
from reportkit.results import CertificateResult, DifferenceResult, EvalResult, MeanResult
from reportkit.scores.select import EvalScores, is_share


def certificate_results(
    e: EvalScores, r: EvalResult, level: float, seed: int
) -> tuple[CertificateResult, ...]:
    """A certificate of each printed interval: of the means, then of the differences.

    seed: of the simulations. A model, or a pair, without any answer has none.
    """
    shape: dict[str, Any] = {
        "share": is_share(e.low, e.high),
        "low": e.low,
        "high": e.high,
        "level": level,
    }
    of_means = [_of_mean(e, m, shape, seed) for m in r.means]
    of_differences = [_of_difference(e, d, shape, seed) for d in r.differences]
    return tuple(c for c in (*of_means, *of_differences) if c is not None)


def _of_mean(
    e: EvalScores, m: MeanResult, shape: dict[str, Any], seed: int
) -> CertificateResult | None:
    column = e.models.index(m.model)
    here = e.epochs[:, column] > 0
    if not here.any():
        return None
    found = stats.certify_mean(
        e.means[here, column],
        None if e.clusters is None else e.clusters[here],
        e.epochs[here, column],
        binary=e.binary,
        rng=_stream(seed, e.eval, m.model),
        **shape,
    )
    return _certified(found, m, "", m.n_answers)


def _of_difference(
    e: EvalScores, d: DifferenceResult, shape: dict[str, Any], seed: int
) -> CertificateResult | None:
    # In the order of the names: exchanged models then change the sign and nothing else.
    first, second = sorted((d.model, d.baseline))
    a, b = e.models.index(first), e.models.index(second)
    both = e.both(a, b)
    if not both.any():
        return None
    found = stats.certify_difference(
        e.means[both, a],
        e.means[both, b],
        None if e.clusters is None else e.clusters[both],
        binary=e.binary and e.epochs[:, [a, b]].max() <= 1,
        rng=_stream(seed, e.eval, first, second),
        **shape | {"level": 1.0 - (1.0 - d.level) / d.ci_comparisons},
    )
    if first != d.model:
        found = replace(found, mean=0.0 - found.mean)
    return _certified(found, d, d.baseline, int(e.epochs[both][:, [a, b]].sum()))


def _stream(seed: int, *names: str) -> np.random.Generator:
    """A generator of each row's own, made from its names: other rows, and the order of rows, change
    no number.
    """
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    key = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, 16, 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _certified(
    c: stats.Certificate, row: MeanResult | DifferenceResult, baseline: str, answers: int
) -> CertificateResult:
    return CertificateResult(
        model=row.model,
        baseline=baseline,
        method=row.method,
        n_questions=row.n_questions,
        n_clusters=row.n_clusters,
        n_answers=answers,
        mean=c.mean,
        icc=c.icc,
        answer_icc=c.answer_icc,
        level=c.level,
        coverage=c.coverage,
        simulation_error=c.simulation_error,
        not_printed=c.not_printed,
        repeats=c.repeats,
        reason=c.reason,
    )
