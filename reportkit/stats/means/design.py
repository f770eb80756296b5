"""Designs beyond one list of independent questions: the effect of clusters, part of a finite eval,
crossed clusters.
"""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import sizes_and_codes
from reportkit.stats.digits import check_squares, floats
from reportkit.stats.means.mean import (
    Estimate,
    SeKind,
    mean_estimate,
    satterthwaite_df,
    unit_spread,
)


@dataclass(frozen=True, slots=True)
class DesignEffect(Record):
    """What clusters do to the variance of a mean. Every field but the counts is nan where it is
    undefined.
    """

    # V_clustered / V_unclustered; below 1 when clusters are more alike than chance would have them
    design_effect: float
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
    s = floats(scores)
    clustered, plain = mean_estimate(s, clusters, se=se), mean_estimate(s, se="clt")
    n, g = plain.n_questions, clustered.n_clusters
    if not plain.se > 0.0 or g < 2:
        return DesignEffect(math.nan, math.nan, math.nan, math.nan, math.nan, n, g)
    effect = (clustered.se / plain.se) ** 2
    icc = cluster_icc(s, clusters)
    sizes = sizes_and_codes(clusters, n)[0]
    kish = 1.0 + (float((sizes**2).sum()) / n - 1.0) * icc
    return DesignEffect(
        effect, math.sqrt(effect), n / effect if effect > 0.0 else math.nan, icc, kish, n, g
    )


def cluster_icc(scores: np.ndarray, clusters: np.ndarray) -> float:
    """The intraclass correlation of design_effect, of scores that vary; nan with one cluster, and
    where no cluster has two questions.

    >>> # MSB 1/2, MSW 1/6
    >>> round(cluster_icc(np.array([1.0, 1, 1, 0, 0, 0]), np.array([1, 1, 2, 2, 3, 3])), 12)
    0.5
    """
    n = len(scores)
    sizes, codes = sizes_and_codes(clusters, n)
    g = len(sizes)
    if not 2 <= g < n:
        return math.nan
    u = unit_spread(scores)
    means = np.bincount(codes, weights=u) / sizes
    msb = float((sizes * means**2).sum()) / (g - 1)
    msw = float(((u - means[codes]) ** 2).sum()) / (n - g)
    m0 = (n - float((sizes**2).sum()) / n) / (g - 1)
    return (msb - msw) / (msb + (m0 - 1.0) * msw)


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
    sizes = sizes_and_codes(clusters, n)[0].astype(float)
    squares = float((sizes**2).sum())
    return EffectiveClusters(
        len(sizes), n**2 / squares, squares**2 / float((sizes**4).sum()), satterthwaite_df(sizes, n)
    )


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
    >>> [round(finite_population(part, questions=n).se, 5) for n in (400, 100)]
    [0.03464, 0.0]
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
    check_squares(np.asarray(scores, dtype=float))
    (_, one), (_, other) = sizes_and_codes(first, n), sizes_and_codes(second, n)
    cells = sizes_and_codes(one * (int(other.max()) + 1) + other, n)[1]
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
