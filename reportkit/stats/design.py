"""Designs beyond one list of questions: clusters' effect, strata, weights, finite evals, several
evals, crossed clusters.

What the groups of an eval are is a claim of the report, not a property of the data. Passages or
templates of which others might have been drawn are clusters (mean_estimate); subjects that are the
target themselves are strata (stratified_mean). The two differ by a factor: MMLU's 57 subjects taken
as strata or as a draw of subjects give SEs of .30 and 2.6 points.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.mean import ROUNDING, Estimate, SeKind, mean_estimate, satterthwaite_df


@dataclass(frozen=True, slots=True)
class DesignEffect(Record):
    """What clusters do to the variance of a mean. Every field but the counts is nan where it is
    undefined.
    """

    design_effect: (
        # V_clustered / V_unclustered; below 1 when clusters are more alike than chance would have
        # them
        float
    )
    ratio: float  # its root, clustered over unclustered SE: Table 4 of Miller 2024
    n_effective: float  # n / design_effect
    icc: float  # intraclass correlation by analysis of variance; may be negative
    kish: float  # 1 + (m - 1) icc with m = sum m_c^2 / n: what the ICC alone would predict
    n_questions: int
    n_clusters: int


@dataclass(frozen=True, slots=True)
class EffectiveClusters(Record):
    """How many clusters of equal size the SE of a mean is worth: few are a sign that it rests on a
    handful.
    """

    n_clusters: int
    effective: float  # n^2 / sum m_c^2
    effective_worst: float  # (sum m_c^2)^2 / sum m_c^4, were questions of a cluster all alike
    df: float  # Satterthwaite degrees of freedom of CR2; reports warn below 10


@dataclass(frozen=True, slots=True)
class TwoWay(Record):
    """A mean whose questions belong to clusters of two crossed kinds."""

    estimate: Estimate  # n_clusters: of the kind that has fewer
    variance: float  # V_1 + V_2 - V_12, before any repair
    se_first: float  # clustered by the first kind alone
    se_second: float
    se_cells: float  # clustered by their intersection
    negative: bool  # the variance was negative and the SE is that of the larger one-way variance


# Clusters -----------------------------------------------------------------------------------------


def _sizes_and_codes(clusters: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes m_c > 0, shape (G,), and codes 0..G-1 without gaps, shape (n,)."""
    if n == 0:
        raise ValueError("there are no questions; give a score and a label for at least one")
    codes = np.asarray(cluster_codes(clusters, n))
    _, rows, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    return sizes, rows


def design_effect(scores: np.ndarray, clusters: np.ndarray, *, se: SeKind = "cr2") -> DesignEffect:
    """Design effect, effective number of questions and intraclass correlation of one model's
    scores.

    scores: shape (n,); clusters: shape (n,) labels; se: the clustered variance, as in
    mean_estimate. design_effect = V / V_eq1 (Kish 1965). icc = (MSB - MSW) / (MSB + (m0-1) MSW),
    MSB and MSW the mean squares between and within clusters, m0 = (n - sum m_c^2 / n) / (G-1)
    (Donner & Koval 1980). A negative ICC, or an effect below 1, is legitimate: keep the clustered
    SE. The ICC of a difference is design_effect(a - b, clusters).icc.

    Undefined (nan): all with one cluster or constant scores; n_effective where the effect is 0; icc
    and kish where no cluster has two questions (design_effect is then exactly 1).

    >>> # MSB 1/2, MSW 1/6
    >>> d = design_effect(np.array([1.0, 1, 1, 0, 0, 0]), np.array([1, 1, 2, 2, 3, 3]))
    >>> # (1/2) / (3/10)
    >>> round(d.design_effect, 4), round(d.n_effective, 4), round(d.icc, 4), round(d.kish, 4)
    (1.6667, 3.6, 0.5, 1.5)
    """
    s = np.asarray(scores, dtype=float)
    clustered, plain = mean_estimate(s, clusters, se=se), mean_estimate(s, se="clt")
    n, g = plain.n_questions, clustered.n_clusters
    if not plain.se > 0.0 or g < 2:
        return DesignEffect(math.nan, math.nan, math.nan, math.nan, math.nan, n, g)
    effect = (clustered.se / plain.se) ** 2
    icc = kish = math.nan
    if g < n:
        sizes, codes = _sizes_and_codes(clusters, n)
        means = np.bincount(codes, weights=s) / sizes
        msb = float((sizes * (means - plain.value) ** 2).sum()) / (g - 1)
        msw = float(((s - means[codes]) ** 2).sum()) / (n - g)
        m0 = (n - float((sizes**2).sum()) / n) / (g - 1)
        icc = (msb - msw) / (msb + (m0 - 1.0) * msw)
        kish = 1.0 + (float((sizes**2).sum()) / n - 1.0) * icc
    return DesignEffect(
        effect, math.sqrt(effect), n / effect if effect > 0.0 else math.nan, icc, kish, n, g
    )


def effective_clusters(clusters: np.ndarray) -> EffectiveClusters:
    """How many clusters an SE really rests on, from their sizes m_c alone.

    clusters: shape (n,) labels. effective = n^2 / sum m_c^2 = G / (1 + CV^2) is the effective
    number of clusters of Carter, Schnepel & Steigerwald (2017) for a mean of independent questions;
    effective_worst is the same where questions of a cluster are perfectly alike, their conservative
    choice (G*A). Equal sizes give G for both. df is what the report's interval uses; with fewer
    than two clusters it is nan.

    >>> e = effective_clusters(np.repeat(np.arange(16), [100] + [5] * 15))   # 175^2 / 10375
    >>> e.n_clusters, round(e.effective, 2), round(e.effective_worst, 2), round(e.df, 1)
    (16, 2.95, 1.08, 2.8)
    """
    n = len(clusters)
    sizes = _sizes_and_codes(clusters, n)[0].astype(float)
    squares = float((sizes**2).sum())
    return EffectiveClusters(
        len(sizes), n**2 / squares, squares**2 / float((sizes**4).sum()), satterthwaite_df(sizes, n)
    )


# Averages of parts: strata and evals --------------------------------------------------------------


def macro_average(
    estimates: Sequence[Estimate], weights: Sequence[float] | np.ndarray | None = None
) -> Estimate:
    """Weighted average of independent estimates: of several evals, or of the strata of one.

    weights: one per estimate, relative, >= 0: divided by their sum (None: all equal). SE = sqrt(sum
    w^2 SE^2) with Welch-Satterthwaite degrees of freedom V^2 / sum((w SE)^4 / df). The weights say
    what is claimed ("an eval counts as an eval", "a question as a question") and are never taken
    from the SEs: inverse variances would change the estimand with the noise. Evals that share
    questions are not independent. Estimates of weight 0 do not count.

    Undefined (nan): se and df where any SE that counts is. Where all are 0, df is their sum. Works
    on differences too.

    >>> math_eval, mgsm, human_eval = (Estimate(*v, 999.0, 1000, 1000) for v in [(2.5, .678), (-2.7, 1.742), (-3.1, 2.1)])
    >>> e = macro_average([math_eval, mgsm, human_eval])   # Miller 2024, Table 5
    >>> round(e.value, 2), round(e.se, 2)
    (-1.1, 0.94)
    """
    found = list(estimates)
    if not found:
        raise ValueError("there are no estimates to average; give at least one")
    w = _relative(np.ones(len(found)) if weights is None else weights, len(found), "estimates")
    used = [(float(share), e) for share, e in zip(w / w.sum(), found, strict=True) if share > 0.0]
    value = math.fsum(share * e.value for share, e in used)
    n, g = sum(e.n_questions for _, e in used), sum(e.n_clusters for _, e in used)
    if len(used) == 1:
        return used[0][1]
    parts = [((share * e.se) ** 2, e.df) for share, e in used]
    variance = (
        math.fsum(v for v, _ in parts) if not any(math.isnan(v) for v, _ in parts) else math.nan
    )
    if math.isnan(variance):
        return Estimate(value, math.nan, math.nan, n, g)
    spread = math.fsum(v**2 / df for v, df in parts if v > 0.0)
    df = variance**2 / spread if spread > 0.0 else math.fsum(df for _, df in parts)
    return Estimate(value, math.sqrt(variance), df, n, g)


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
    """Mean over strata that are all there is: subjects of a fixed list, each represented by its own
    questions.

    scores: shape (n,); strata: shape (n,) labels; weights: of each label, relative (None: the share
    of questions, so that the value is the plain mean); clusters: shape (n,) labels within strata,
    or None. mean = sum_h W_h mean_h, SE = sqrt(sum_h W_h^2 SE_h^2), which is sqrt(sum_h W_h^2 s_h^2
    / n_h) without clusters (Cochran 1977, chapter 5), Welch-Satterthwaite degrees of freedom. What
    differs between strata is not noise here, as no other strata were possible; where strata are
    themselves a draw, they are clusters, and the SE is that of mean_estimate.

    Undefined (nan): se and df where a stratum with weight has one question or one cluster, whose
    variance nobody can know. A label without weight, a weight without questions, or a cluster in
    two strata is a ValueError.

    >>> e = stratified_mean(np.array([1.0, 1, 0, 0, 0, 1]), np.array(["a", "a", "a", "b", "b", "b"]))
    >>> e.value, round(e.se, 4), round(e.df, 9)   # sqrt(2 * (1/4) * (1/3) / 3)
    (0.5, 0.2357, 4.0)
    """
    s, labels = np.asarray(scores, dtype=float), np.asarray(strata)
    n = len(s)
    cluster_codes(labels, n)  # checks shape and missing labels
    names, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    within = None if clusters is None else _sizes_and_codes(clusters, n)[1]
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
    s = np.asarray(scores, dtype=float)
    w = _relative(weights, len(s), "questions")
    used = w > 0.0
    codes = cluster_codes(clusters, len(s))
    s, w, codes = s[used], w[used], np.arange(int(used.sum())) if codes is None else codes[used]
    if not np.isfinite(s).all():
        raise ValueError(
            f"{int((~np.isfinite(s)).sum())} of {len(s)} scores are missing or infinite; drop "
            "them first"
        )
    value = float(s[0]) if (s == s[0]).all() else float((w * s).sum() / w.sum())
    _, codes = _sizes_and_codes(codes, len(s))
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
    means, G-1 degrees of freedom. It is another estimand than the mean over questions, and must be
    labelled so: the two differ where large clusters are harder or easier. Undefined (nan): se and
    df with one cluster.

    >>> # mean_estimate: 0.75
    >>> cluster_weighted_mean(np.array([1.0, 1.0, 1.0, 0.0]), np.array(["p", "p", "p", "q"]))
    Estimate(value=0.5, se=0.5, df=1.0, n_questions=4, n_clusters=2)
    """
    s = np.asarray(scores, dtype=float)
    sizes, codes = _sizes_and_codes(clusters, len(s))
    e = mean_estimate(np.bincount(codes, weights=s) / sizes)
    return Estimate(e.value, e.se, e.df, len(s), e.n_clusters)


# Part of a finite eval ----------------------------------------------------------------------------


def finite_population(
    estimate: Estimate,
    *,
    questions: int | None = None,
    clusters: int | None = None,
    noise: float = 0.0,
) -> Estimate:
    """The estimate as one of this very eval's full mean, when a random part of its questions was
    asked.

    questions: N, all questions of the eval: SE sqrt(1 - n/N), for a random subset of questions.
    clusters: all clusters, for whole clusters taken at random: SE sqrt(1 - g/G). Give one of them.
    Cochran 1977, chapter 2. noise: the variance that answer noise adds to question means (`noise`
    of Components); asking more questions of the eval does not average it away, so that V = (1 - f)
    SE^2 + f noise / n. At 0 the full mean is that of the answers given, or answers have no noise.

    With f = 1 and no noise the SE is 0: nothing is left to chance, of this list of questions. It
    says nothing of other questions like them, which is what error bars on an eval mostly mean
    (Miller 2024): leave the correction out for that. Undefined (nan) where the SE or the noise is.
    More questions (clusters) than the eval has are a ValueError.

    >>> part = Estimate(0.5, 0.04, 99.0, 100, 100)
    >>> # .04 sqrt(3/4)
    >>> round(finite_population(part, questions=400).se, 5), finite_population(part, questions=100).se
    (0.03464, 0.0)
    """
    if questions is not None and clusters is None:
        part, whole, unit = estimate.n_questions, questions, "questions"
    elif clusters is not None and questions is None:
        part, whole, unit = estimate.n_clusters, clusters, "clusters"
    else:
        raise ValueError(
            "give the number of questions of the whole eval or its number of clusters, one of "
            "the two"
        )
    if part > whole:
        raise ValueError(
            f"the estimate has {part} {unit}, the whole eval {whole}; a part cannot be larger"
        )
    if noise < 0.0:
        raise ValueError(f"noise={noise} is a variance; it cannot be negative")
    share = part / whole
    variance = (1.0 - share) * estimate.se**2 + share * noise / estimate.n_questions
    return Estimate(
        estimate.value, math.sqrt(variance), estimate.df, estimate.n_questions, estimate.n_clusters
    )


# Crossed clusters ---------------------------------------------------------------------------------


def two_way_se(
    scores: np.ndarray, first: np.ndarray, second: np.ndarray, *, se: SeKind = "cr2"
) -> TwoWay:
    """Mean and SE where questions share both kinds of source: a template and a document, a passage
    and a language.

    scores: shape (n,); first, second: shape (n,) labels. V = V_1 + V_2 - V_12, each a one-way
    variance of kind `se` and V_12 by the cells where both labels agree (Cameron, Gelbach & Miller
    2011); degrees of freedom the smaller of the one-way ones. If one kind is nested in the other, V
    is that of the coarser. V can be negative: then the SE is the larger one-way SE and `negative`
    is set, for the report to say so. Undefined (nan) where either kind has one cluster.

    >>> s, row, column = np.array([1.0, 0, 0, 1]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> # rows and columns have no effect: 0 + 0 - 4 (1/4) / 16
    >>> t = two_way_se(s, row, column, se="cr0")
    >>> t.variance, t.negative, t.estimate.se
    (-0.0625, True, 0.0)
    """
    n = len(scores)
    (_, one), (_, other) = _sizes_and_codes(first, n), _sizes_and_codes(second, n)
    cells = _sizes_and_codes(one * (int(other.max()) + 1) + other, n)[1]
    by = [mean_estimate(scores, labels, se=se) for labels in (one, other, cells)]
    parts = [e.se**2 for e in by]
    variance = parts[0] + parts[1] - parts[2]
    if abs(variance) < 1e-14 * sum(parts):  # rounding is neither a variance nor negative
        variance = 0.0
    used = max(parts[0], parts[1]) if variance < 0.0 else variance
    df = math.nan if math.isnan(used) else min(by[0].df, by[1].df)
    estimate = Estimate(
        by[0].value, math.sqrt(used), df, n, min(by[0].n_clusters, by[1].n_clusters)
    )
    return TwoWay(estimate, variance, by[0].se, by[1].se, by[2].se, variance < 0.0)
