"""Every pair of models at once: differences, standard errors, intervals and correlations from
matrix products.
"""

from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes, cluster_means
from reportkit.stats.digits import TINY, floats
from reportkit.stats.evidence import LEAST_UNITS, effective_number
from reportkit.stats.intervals import t_quantile, z_quantile
from reportkit.stats.kinds import kind_of
from reportkit.stats.means.mean import mean_estimate
from reportkit.stats.multiplicity import holm
from reportkit.stats.pairs.evidence import surely_dense, surely_dense_in_clusters
from reportkit.stats.pairs.moments import (
    Moments,
    PairSeKind,
    moments_of_complete,
    moments_of_counts,
    moments_of_incomplete,
)
from reportkit.stats.pairs.paired import difference_ends, paired_difference
from reportkit.stats.pairs.tango import DifferenceArrays, tango_interval

# A difference so small beside the differences of single questions is the rounding of 0: t is below
# 1e-8 for fewer than 1e8 questions, and sums of whole numbers are either 0 or larger.
NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class _Given:
    """What all_pairs was given, checked."""

    scores: np.ndarray  # (n, M)
    codes: np.ndarray | None  # (n,)
    binary: np.ndarray  # (P,), both models of the pair
    share: bool
    se: PairSeKind


@dataclass(frozen=True, slots=True)
class Pairs(Record):
    """All P = M(M-1)/2 pairs of M models, first minus second; every array has shape (P,), in score
    units.
    """

    first: np.ndarray  # column of the first model
    second: np.ndarray
    difference: np.ndarray
    se: np.ndarray  # of the kind asked for; nan where it is undefined
    df: np.ndarray
    low: np.ndarray
    high: np.ndarray
    method: np.ndarray  # of strings: tango, tango-effective, tango-clusters, t, none
    p_value: np.ndarray
    correlation: np.ndarray  # Pearson, on common questions
    n_questions: np.ndarray  # common questions
    n_clusters: np.ndarray
    level: float
    p_adjusted: np.ndarray  # Holm, over all pairs with a p-value
    se_unclustered: np.ndarray  # equation 7 of Miller 2024, clusters ignored
    # mean of |difference| and effective number of clusters that show one; nan where the interval
    # did not need them
    apart: np.ndarray
    shown: np.ndarray


def all_pairs(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: np.ndarray | bool | None = None,
    share: bool | None = None,
    level: float = 0.95,
    se: PairSeKind = "cr2",
) -> Pairs:
    """Paired differences of every pair of models, each pair on its own common questions.

    scores: shape (n, M), question means, nan where a model has none. clusters: shape (n,) labels,
    or None. binary: shape (M,) or one for all: the model's scores are 0/1 with one answer for each
    question. share: all scores lie between 0 and 1. Where neither is said, it is seen in all the
    scores, as in a report. se: "cr2", "cr1", "cr0" or "clt", as in
    paired_difference; intervals and p-values follow it and its df.

    The numbers are those of paired_difference on each pair, to 1e-12 of the spread of the scores;
    the way there is not. With x the centred scores and C their cluster sums, sum (d - mean d)^2 is
    g_ii + g_jj - 2 g_ij for G = x'x, and the CR2 sum is the same in C'WC, W the weights 1/(1 -
    m_c/n): two matrix products, whatever the number of pairs. Missing scores add the products with
    the 0/1 mask, and, with clusters, sums over clusters of each pair's own cluster sizes and
    weights (pairwise_missing). Pairs whose variance is within rounding of 0 are done again by
    paired_difference, so that identical models have an SE of exactly 0; pairs of shares that may
    differ in few clusters are looked at one by one: where no sum of squares shows that they differ
    in enough (pair_evidence).

    Undefined is nan: everything without a common question; SE, interval and p-value with one
    question, or, unless se is "clt", one cluster. p_adjusted is Holm's over all pairs that have a
    p-value.

    >>> p = all_pairs(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    >>> p.difference.tolist(), p.se.round(4).tolist(), p.n_questions.tolist()
    ([0.5], [0.2887], [4])
    """
    if se not in get_args(PairSeKind):
        raise ValueError(f"se={se!r} is not one of {', '.join(get_args(PairSeKind))}")
    s = floats(scores)
    if s.ndim != 2 or len(s) == 0:
        raise ValueError(
            f"scores have shape {s.shape}; all_pairs needs (questions, models) and at least one "
            "question"
        )
    z_quantile(level)  # checks the level
    n, m = s.shape
    codes = cluster_codes(clusters, n)
    i, j = np.triu_indices(m, 1)
    if binary is None:
        kind = kind_of(None, share, s)
        if kind.factor != 1.0:
            said = {"binary": kind.binary, "share": kind.share}
            moved = all_pairs(s / kind.factor, codes, **said, level=level, se=se)
            return _times(moved, kind.factor)
        binary, share = kind.binary, kind.share
    share = bool(share)
    is_binary = np.broadcast_to(np.asarray(binary, dtype=bool), (m,))
    both_binary = is_binary[i] & is_binary[j]
    found = None
    if codes is None and is_binary.all():
        found = moments_of_counts(s, i, j, se)
    if found is None:
        found = _moments(s, codes, i, j, se)
    found.cancelled[found.squares < TINY**2] = True  # their digits are lost, or they are all 0
    with np.errstate(invalid="ignore", divide="ignore"):  # the rounding of two equal means
        nothing = NOTHING * np.sqrt(found.squares / found.n)
    found.difference[np.abs(found.difference) < nothing] = 0.0
    defined = (found.n > 1) & ((found.groups > 1) | (se == "clt"))
    error = np.where(defined, np.sqrt(np.maximum(found.variance, 0.0)), np.nan)
    df = np.where(defined, found.df, np.nan)
    tango = both_binary & (found.groups == found.n)
    enough = both_binary | (found.groups >= LEAST_UNITS)
    low, high, p_value, method = _intervals(found, error, df, tango, enough, level)
    pairs = Pairs(
        i,
        j,
        found.difference,
        error,
        df,
        low,
        high,
        method,
        p_value,
        found.correlation,
        found.n,
        found.groups,
        level,
        np.empty(len(i)),
        _unclustered(found),
        np.where(both_binary, found.squares / found.n.clip(1) + found.difference**2, np.nan),
        np.full(len(i), np.nan),
    )
    given = _Given(s, codes, both_binary, share, se)
    if share or is_binary.any():
        bounded = both_binary | share  # no difference is larger than 1
        np.maximum(low, -1.0, out=low, where=bounded)
        np.minimum(high, 1.0, out=high, where=bounded)
        unsure = bounded & ~tango & ~found.cancelled & (error > 0.0)
        _score_intervals(pairs, _sparse(pairs, unsure, found.squares, given), given)
    # of one question nothing but the difference is defined
    _redo(pairs, np.flatnonzero(found.cancelled & (found.n > 1)), given)
    pairs.p_adjusted[:] = holm(pairs.p_value)
    return pairs


def _times(pairs: Pairs, factor: float) -> Pairs:
    """The pairs in a unit that is 1/factor of the one they were made in."""
    moved = {
        k: factor * getattr(pairs, k)
        for k in ("difference", "se", "low", "high", "apart", "se_unclustered")
    }
    return replace(pairs, **moved)


def _unclustered(found: Moments) -> np.ndarray:
    """SE of each difference, were its questions independent."""
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.maximum(found.squares, 0.0) / (found.n * (found.n - 1.0))
    return np.where(found.n > 1, np.sqrt(variance), np.nan)


def _moments(
    s: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray, se: PairSeKind
) -> Moments:
    """Of any scores, with a product less where no score is missing."""
    complete = moments_of_complete(s, codes, i, j, se)
    if complete is not None:
        return complete
    infinite = int(np.isinf(s).sum())
    if infinite:
        raise ValueError(f"{infinite} of {s.size} scores are infinite; drop them first")
    return moments_of_incomplete(s, codes, i, j, se)


def _intervals(
    found: Moments,
    se: np.ndarray,
    df: np.ndarray,
    tango: np.ndarray,
    enough: np.ndarray,
    level: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Low, high, p-value and method of every pair, shape (P,) each, as difference_interval has them
    for one.

    tango: binary pairs without clusters; enough: others with the units for a t interval. Pairs with
    an SE of 0 are left to _redo, those that may differ in few clusters to _score_intervals.
    """
    difference, n = found.difference, found.n
    low, high, p_value = (np.full(len(se), np.nan) for _ in range(3))
    method = np.full(len(se), "none", dtype="U15")
    t = np.flatnonzero((se > 0.0) & enough & ~tango)
    if len(t):
        d, error, its_df = difference[t], se[t], df[t]
        dfs, which = (
            (its_df[:1], 0)
            if (its_df == its_df[0]).all()
            else np.unique(its_df, return_inverse=True)
        )
        half = t_quantile(level, dfs)[which] * error
        low[t], high[t] = d - half, d + half
        p_value[t] = 2.0 * special.stdtr(its_df, -np.abs(d) / error)
        method[t] = "t"
    b = np.flatnonzero(tango & (n > 1))
    if len(b):
        count = n[b]
        # Of 0/1 scores the sum of d is b - c and that of d^2 is b + c; rint takes off the rounding
        # of the products.
        net = np.rint(difference[b] * count)
        discordant = np.rint(found.squares[b] + net**2 / count)
        low[b], high[b] = tango_interval(
            (discordant + net) / 2.0, (discordant - net) / 2.0, count, level
        )
        p_value[b] = 2.0 * special.ndtr(-np.abs(net) / np.sqrt(np.maximum(discordant, 1.0)))
        method[b] = "tango"
    return low, high, p_value, method


def _sparse(pairs: Pairs, unsure: np.ndarray, squares: np.ndarray, given: _Given) -> np.ndarray:
    """Which of these pairs of shares may differ in few clusters. squares: sum (d - mean d)^2."""
    n, clusters = pairs.n_questions, pairs.n_clusters
    unsure = unsure & ~surely_dense(squares + n * pairs.difference**2, given.codes, clusters, n)
    which = np.flatnonzero(unsure)
    # Products with all models are dear for a few pairs.
    if given.codes is None or len(which) <= given.scores.shape[1]:
        return which
    models = pairs.first[which], pairs.second[which]
    sure = surely_dense_in_clusters(given.scores, given.codes, models, clusters[which], n[which])
    return which[~sure]


def _score_intervals(pairs: Pairs, which: np.ndarray, given: _Given) -> None:
    """Intervals of these pairs by the rule of paired_difference, from their own differences and the
    SE already found.
    """
    gain, loss, informative = (np.empty(len(which)) for _ in range(3))
    of = _columns(pairs, which, given)
    for at, k in enumerate(which):
        d = of[int(pairs.first[k])] - of[int(pairs.second[k])]
        own = given.codes
        if pairs.n_questions[k] < len(d):
            common = ~np.isnan(d)
            d, own = d[common], None if own is None else own[common]
        size = np.abs(d)
        total, net = float(size.sum()), float(d.sum())
        gain[at], loss[at] = (total + net) / 2.0, (total - net) / 2.0
        informative[at] = effective_number(cluster_means(size, own))
    pairs.apart[which], pairs.shown[which] = (gain + loss) / pairs.n_questions[which], informative
    for kind in (True, False):
        here = given.binary[which] == kind
        k = which[here]
        if len(k):
            rows = DifferenceArrays(
                pairs.difference[k],
                pairs.se[k],
                pairs.df[k],
                pairs.n_questions[k],
                pairs.n_clusters[k],
                gain[here],
                loss[here],
                informative[here],
            )
            pairs.low[k], pairs.high[k], pairs.p_value[k], pairs.method[k] = difference_ends(
                rows, binary=kind, share=True, level=pairs.level
            )


def _columns(pairs: Pairs, which: np.ndarray, given: _Given) -> dict[int, np.ndarray]:
    """The scores of every model in these pairs, each in one piece of memory."""
    columns = np.unique(np.concatenate([pairs.first[which], pairs.second[which]]))
    return {int(c): np.ascontiguousarray(given.scores[:, c]) for c in columns}


def _redo(pairs: Pairs, which: np.ndarray, given: _Given) -> None:
    """These pairs from their own differences, by paired_difference itself."""
    of = _columns(pairs, which, given)
    for k in which:
        a, b = of[int(pairs.first[k])], of[int(pairs.second[k])]
        common = ~(np.isnan(a) | np.isnan(b))
        one = paired_difference(
            a[common],
            b[common],
            None if given.codes is None else given.codes[common],
            binary=bool(given.binary[k]),
            share=given.share,
            level=pairs.level,
            se=given.se,
        )
        e, interval = one.estimate, one.interval
        pairs.difference[k], pairs.se[k], pairs.df[k], pairs.p_value[k] = (
            e.value,
            e.se,
            e.df,
            one.p_value,
        )
        pairs.low[k], pairs.high[k], pairs.method[k] = interval.low, interval.high, interval.method
        pairs.correlation[k] = one.correlation
        pairs.se_unclustered[k] = mean_estimate(a[common] - b[common], se="clt").se
