"""Averages of parts that do not count as their questions do: strata, several evals, weights of
questions and of clusters.

The report says what the groups of an eval are; the data do not show it. Passages or templates are
clusters where others could have been drawn (mean_estimate). Subjects are strata where the report is
about just these (stratified_mean). The choice matters: MMLU's 57 subjects give an SE of .30 points
as strata and of 2.6 points as clusters.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reportkit.stats.clusters import cluster_codes, sizes_and_codes
from reportkit.stats.digits import ROUNDING, check_finite, check_squares, exponent, floats
from reportkit.stats.means.mean import Estimate, SeKind, mean_estimate

# Averages of parts: strata and evals --------------------------------------------------------------


def macro_average(
    estimates: Sequence[Estimate],
    weights: Sequence[float] | np.ndarray | None = None,
    correlations: np.ndarray | None = None,
) -> Estimate:
    """Weighted average of independent estimates: of several evals, or of the strata of one.

    weights: one per estimate, relative, >= 0: divided by their sum (None: all equal). SE = sqrt(sum
    w^2 SE^2) with Welch-Satterthwaite degrees of freedom V^2 / sum((w SE)^4 / df). The weights say
    what is claimed: each eval counts the same, or each question does. They are never taken from the
    SEs, because what is estimated would then change with the noise. Estimates of weight 0 do not
    count.

    correlations: shape (E, E), of the estimates' errors, from 0 to 1, where they are not
    independent, as of evals that share questions: SE = sqrt(sum_ef w_e w_f r_ef SE_e SE_f). With
    T_e = w_e SE_e sum_f w_f r_ef SE_f, V = sum T_e, the degrees of freedom are V^2 / sum T_e T_f /
    sqrt(df_e df_f), summed over e = f and those with r_ef > 0: of equal evals those of one.

    Undefined (nan): se and df, where an SE that counts is undefined. Where all SEs are 0, df is the
    sum of theirs. Differences can be averaged too.

    >>> # MATH, MGSM and HumanEval in Table 5 of Miller 2024
    >>> printed = [(2.5, .678), (-2.7, 1.742), (-3.1, 2.1)]
    >>> e = macro_average([Estimate(*of, 999.0, 1000, 1000) for of in printed])
    >>> round(e.value, 2), round(e.se, 2)
    (-1.1, 0.94)
    """
    found = list(estimates)
    if not found:
        raise ValueError("there are no estimates to average; give at least one")
    w = _relative(np.ones(len(found)) if weights is None else weights, len(found), "estimates")
    used = [(float(share), e) for share, e in zip(w / w.sum(), found, strict=True) if share > 0.0]
    if correlations is not None:
        return _dependent(used, correlations[np.ix_(w > 0.0, w > 0.0)])
    value = math.fsum(share * e.value for share, e in used)
    n, g = sum(e.n_questions for _, e in used), sum(e.n_clusters for _, e in used)
    if len(used) == 1:
        return used[0][1]
    power = exponent(max((e.se for _, e in used if e.se == e.se), default=0.0))
    parts = [((share * math.ldexp(e.se, -power)) ** 2, e.df) for share, e in used]
    variance = (
        math.fsum(v for v, _ in parts) if not any(math.isnan(v) for v, _ in parts) else math.nan
    )
    if math.isnan(variance):
        return Estimate(value, math.nan, math.nan, n, g)
    spread = math.fsum(v**2 / df for v, df in parts if v > 0.0)
    df = variance**2 / spread if spread > 0.0 else math.fsum(df for _, df in parts)
    return Estimate(value, math.ldexp(math.sqrt(variance), power), df, n, g)


def _dependent(used: Sequence[tuple[float, Estimate]], r: np.ndarray) -> Estimate:
    """The average of estimates with correlated errors."""
    value = math.fsum(share * e.value for share, e in used)
    n, g = sum(e.n_questions for _, e in used), sum(e.n_clusters for _, e in used)
    errors = np.array([share * e.se for share, e in used])
    if np.isnan(errors).any():
        return Estimate(value, math.nan, math.nan, n, g)
    dfs = np.array([e.df for _, e in used])
    largest = float(errors.max(initial=0.0))
    if largest == 0.0:
        return Estimate(value, 0.0, float(dfs.sum()), n, g)
    parts = (errors / largest) * (r @ (errors / largest))
    variance = float(parts.sum())
    roots = parts / np.sqrt(dfs)
    df = variance**2 / float(roots @ (r > 0.0) @ roots)
    return Estimate(value, largest * math.sqrt(variance), df, n, g)


def _relative(weights: Any, n: int, what: str) -> np.ndarray:
    w = np.asarray(weights, dtype=float)
    if w.shape != (n,):
        raise ValueError(f"weights have shape {w.shape} for {n} {what}; give one each")
    if not (np.isfinite(w).all() and (w >= 0.0).all() and w.sum() > 0.0):
        raise ValueError(
            f"weights of {what} must be finite and not negative, and one of them above 0"
        )
    return w


def stratified_mean(
    scores: np.ndarray,
    strata: np.ndarray,
    weights: Mapping[Any, float] | None = None,
    clusters: np.ndarray | None = None,
    *,
    se: SeKind = "cr2",
) -> Estimate:
    """Mean over a fixed list of strata, such as subjects, each with questions of its own.

    scores: shape (n,); strata: shape (n,) labels; weights: of each label, relative (None: the share
    of questions, so that the value is the plain mean); clusters: shape (n,) labels within strata,
    or None. mean = sum_h W_h mean_h, SE = sqrt(sum_h W_h^2 SE_h^2), which is sqrt(sum_h W_h^2 s_h^2
    / n_h) without clusters (Cochran 1977, chapter 5), Welch-Satterthwaite degrees of freedom.
    Differences between strata are not noise here, because no other strata were possible. Where the
    strata were drawn, they are clusters: take mean_estimate.

    Undefined (nan): se and df, where a stratum with weight has one question or one cluster, because
    its variance is not known. A label without weight, a weight without questions, or a cluster in
    two strata is a ValueError.

    >>> e = stratified_mean(np.array([1.0, 1, 0, 0, 0, 1]), np.repeat(["a", "b"], 3))
    >>> e.value, round(e.se, 4), round(e.df, 9)   # sqrt(2 * (1/4) * (1/3) / 3)
    (0.5, 0.2357, 4.0)
    """
    s, labels = floats(scores), np.asarray(strata)
    n = len(s)
    cluster_codes(labels, n)  # checks shape and missing labels
    names, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    within = None if clusters is None else sizes_and_codes(clusters, n)[1]
    if within is not None and len(np.unique(within * len(names) + codes)) > int(within.max()) + 1:
        raise ValueError(
            "a cluster has questions in two strata, which are then not independent; nest "
            "clusters in strata"
        )
    share = counts / n
    if weights is not None:
        known = {str(k): v for k, v in weights.items()}
        unknown = sorted(set(known) ^ {str(name) for name in names})
        if unknown:
            raise ValueError(
                f"{len(unknown)} strata have a weight or questions, not both: "
                f"{', '.join(unknown[:5])}"
            )
        share = np.array([known[str(name)] for name in names])
    masks = [codes == h for h in range(len(names))]
    return macro_average(
        [mean_estimate(s[m], None if within is None else within[m], se=se) for m in masks], share
    )


# Weights of questions and of clusters -------------------------------------------------------------


def weighted_mean(
    scores: np.ndarray, weights: np.ndarray, clusters: np.ndarray | None = None
) -> Estimate:
    """Mean of questions that count differently: sum w s / sum w.

    scores, weights: shape (n,), weights relative and >= 0, fixed in advance; clusters: shape (n,)
    labels or None. V = [G/(G-1)] sum_c (sum_{i in c} w_i u_i)^2 / (sum w)^2 with u = s - mean: CR1
    of a weighted regression on a constant (equation 4 of Miller 2024 linearises the same ratio),
    G-1 degrees of freedom. Equal weights and no clusters give equation 1; equal weights and uneven
    clusters give "cr1", not the "cr2" of mean_estimate. Questions of weight 0 do not count.
    Undefined (nan): se and df where fewer than two clusters have weight.

    >>> # u = 1/2, -1/2, -1/2
    >>> e = weighted_mean(np.array([1.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.0]))
    >>> e.value, round(e.se, 4)   # sqrt(3/2 * (1 + 1/4 + 1/4)) / 4
    (0.5, 0.375)
    """
    s = floats(scores)
    check_squares(s)
    w = _relative(weights, len(s), "questions")
    used = w > 0.0
    codes = cluster_codes(clusters, len(s))
    s, w, codes = s[used], w[used], np.arange(int(used.sum())) if codes is None else codes[used]
    check_finite(s)
    value = float(s[0]) if (s == s[0]).all() else float((w * s).sum() / w.sum())
    _, codes = sizes_and_codes(codes, len(s))
    sums = np.bincount(codes, weights=w * (s - value))
    g = len(sums)
    if g < 2:
        return Estimate(value, math.nan, math.nan, len(s), g)
    error = math.sqrt(g / (g - 1) * float((sums**2).sum())) / float(w.sum())
    if error < ROUNDING * float(np.abs(s).max()):
        error = 0.0
    return Estimate(value, error, float(g - 1), len(s), g)


def cluster_weighted_mean(scores: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Mean over clusters of their means, (1/G) sum_c mean_c: every cluster counts the same,
    whatever its size.

    scores: shape (n,); clusters: shape (n,) labels. Equation 1 of Miller 2024 on the G cluster
    means, G-1 degrees of freedom. This is not the mean over questions, and its label must say so.
    The two differ where large clusters are harder or easier. Undefined (nan): se and df with one
    cluster.

    >>> # mean_estimate: 0.75
    >>> cluster_weighted_mean(np.array([1.0, 1.0, 1.0, 0.0]), np.array(["p", "p", "p", "q"]))
    Estimate(value=0.5, se=0.5, df=1.0, n_questions=4, n_clusters=2)
    """
    s = floats(scores)
    sizes, codes = sizes_and_codes(clusters, len(s))
    e = mean_estimate(np.bincount(codes, weights=s) / sizes)
    return Estimate(e.value, e.se, e.df, len(s), e.n_clusters)
