"""Two models on the same questions: difference, interval, p-value, correlation."""

import math
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_means
from reportkit.stats.digits import ROUNDING, floats, pair_of_floats, rounding_of, whole
from reportkit.stats.evidence import (
    FEW_UNITS,
    LEAST_UNITS,
    dense,
    effective_number,
    most_answers,
)
from reportkit.stats.intervals import Interval, no_interval, t_interval, t_quantile
from reportkit.stats.kinds import one_answer_kind
from reportkit.stats.means.intervals import mean_interval
from reportkit.stats.means.mean import (
    Estimate,
    SeKind,
    checked,
    estimate_of,
    mean_estimate,
    unit_spread,
)
from reportkit.stats.means.proportions import wilson_ends
from reportkit.stats.pairs.tango import (
    DifferenceArrays,
    effective_tango,
    mcnemar_p_value,
    tango_interval,
)


@dataclass(frozen=True, slots=True)
class Difference(Record):
    """First model minus second, in score units."""

    estimate: Estimate
    interval: Interval
    p_value: float  # two-sided, of no difference; nan when it cannot be had
    correlation: float  # Pearson, over questions; nan if a side is constant


def constant(scores: np.ndarray) -> np.ndarray:
    """Whether scores, shape (n,) or (n, M) for each model, are all the same, but for the rounding
    of their means.

    >>> constant(np.array([[0.1 + 0.2, 1.0], [0.3, 0.0]])).tolist()
    [True, False]
    """
    low, high = scores.min(axis=0), scores.max(axis=0)
    return high - low <= ROUNDING * np.maximum(-low, high)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson correlation of two models' question scores, shape (n,) each; nan if one of them is
    constant. ValueError where a score is missing.

    >>> correlation(np.array([1.0, 0, 1, 0]), np.array([1.0, 0, 0, 0])).__round__(4)
    0.5774
    """
    a, b = checked(a)[0], checked(b)[0]
    if _flat(a) or _flat(b):
        return math.nan
    x, y = unit_spread(a), unit_spread(b)
    r = float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))
    return min(1.0, max(-1.0, r))


def _flat(s: np.ndarray) -> bool:
    """Whether scores are one constant; whole numbers have no rounding."""
    return bool(constant(s)) and (s.min() == s.max() or not whole(s))


def paired_difference(  # noqa: PLR0913 (keyword options of a public statistic)
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool | None = None,
    share: bool | None = None,
    level: float = 0.95,
    se: SeKind = "cr2",
) -> Difference:
    """Difference of two models on the same questions: equation 7 of Miller 2024, or its clustered
    form.

    a, b: shape (n,), question scores in the same order (means, where a question has several
    answers); clusters: shape (n,) labels or None. binary: both are 0/1 with one answer for each
    question. share: both lie between 0 and 1. Where neither is said, it is seen in the scores, as
    in a report; scores that are all 0 or 100 are right and wrong answers in percent. se: as in
    mean_estimate, on a - b: "clt" is equation 7, "cr0" is equation 8, "paper" the form of
    equation 4.

    Interval and p-value are each other's dual: the interval excludes 0 exactly where p < 1 - level.
    Binary without clusters (or each question its own): Tango's and McNemar's. Otherwise t with the
    degrees of freedom of the SE, for shares cut off at -1 and 1; but where the scores are shares
    and the models differ in few questions or clusters (evidence.dense), effective_tango: there a
    nominal 0.95 by t covers 0.80 to 0.93 (benchmarks/coverage.py). With an SE of 0, shares have
    effective_tango's interval ("tango-clusters") unless the difference is a constant between 0 and
    1; that, and other scores, have none, and p is 1 if the difference is 0. One question: only the
    difference. With fewer than four questions or clusters only binary scores have an interval and a
    p-value.

    Differences, and an SE, below 1e-14 of the largest score are the rounding of the scores, and 0:
    the same answers in another order are no difference. Whole numbers have no rounding; of other
    scores a model's that are that far from 0 are a ValueError.

    A question asked in several wordings is one question with several answers: give the mean over
    its wordings.

    >>> d = paired_difference(np.array([1.0, 1, 1, 0]), np.array([1.0, 0, 0, 0]))   # d = 0 1 1 0
    >>> # sqrt((1/3)/4); McNemar's z = 2/sqrt(2)
    >>> d.estimate.value, round(d.estimate.se, 4), round(d.p_value, 4)
    (0.5, 0.2887, 0.1573)
    """
    a, b = pair_of_floats(a, b)
    kind = one_answer_kind(binary, share, a, b)
    if kind.factor != 1.0:
        a, b, said = a / kind.factor, b / kind.factor, {"binary": kind.binary, "share": kind.share}
        of = paired_difference(a, b, clusters, **said, level=level, se=se)
        return _times(of, kind.factor)
    binary, share = kind.binary, kind.share
    d, estimate = _difference_of(checked(a)[0], checked(b)[0], clusters, se)
    interval, p_value = difference_interval(
        d, estimate, clusters, binary=binary, share=share, level=level
    )
    return Difference(estimate, interval, p_value, correlation(a, b))


def _difference_of(
    a: np.ndarray, b: np.ndarray, clusters: np.ndarray | None, se: SeKind
) -> tuple[np.ndarray, Estimate]:
    """The differences, shape (n,), and their mean; both 0 where they are the rounding of scores."""
    d = a - b
    estimate = estimate_of(d, clusters, se)
    rounding = ROUNDING * max(np.abs(a).max(), np.abs(b).max())
    small = (d != 0.0) & (np.abs(d) < rounding)
    if not (small.any() or estimate.se < rounding):
        return d, estimate
    if whole(a) and whole(b):  # no rounding but that of the sums
        smallest = ROUNDING * float(d.max() - d.min())
        return d, replace(estimate, se=0.0) if estimate.se < smallest else estimate
    for s in (a, b):
        rounding_of(s, float(s.min()), float(s.max()))  # checks that it is rounding
    d[small] = 0.0
    estimate = estimate_of(d, clusters, se)
    if estimate.se < rounding:
        value = estimate.value if abs(estimate.value) >= rounding else 0.0
        estimate = replace(estimate, value=value, se=0.0)
    return d, estimate


def _times(of: Difference, factor: float) -> Difference:
    """The difference in a unit that is 1/factor of the one it was made in."""
    e, i = of.estimate, of.interval
    return replace(
        of,
        estimate=replace(e, value=factor * e.value, se=factor * e.se),
        interval=replace(i, low=factor * i.low, high=factor * i.high),
    )


def difference_ends(
    of: DifferenceArrays, *, binary: bool, share: bool, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Ends, p-values and methods of many differences of one shape, but for those with Tango's plain
    interval.

    The rule itself, see paired_difference.

    >>> of = DifferenceArrays(*map(np.array, (0.1, 0.05, 99.0, 100, 100, 12.0, 2.0, 60.0)))
    >>> ends = difference_ends(of, binary=False, share=True)
    >>> [float(e.round(4)) for e in ends[:3]], ends[3].item()   # t_99 = 1.9842; T_99(-2) = 0.0241
    ([0.0008, 0.1992, 0.0482], 't')
    """
    value, se, df = (np.asarray(v, dtype=float) for v in (of.value, of.se, of.df))
    with np.errstate(invalid="ignore", divide="ignore"):
        half = t_quantile(level, df) * se
        score = np.zeros(value.shape, dtype=bool)
        if binary or share:
            flat = (se == 0.0) & np.isin(value, (-1.0, 0.0, 1.0))
            score = flat | ((se > 0.0) & ~dense(of.informative, of.clusters, of.n))
        t = (se > 0.0) & ~score
        p = np.where(
            t,
            2.0 * special.stdtr(df, -np.abs(value) / se),
            np.where((se == 0.0) & (value == 0.0), 1.0, np.nan),
        )
    if not binary:
        enough = np.asarray(of.clusters) >= LEAST_UNITS
        t, score = t & enough, score & enough
        p = np.where(enough | ((se == 0.0) & (value == 0.0)), p, np.nan)
    low, high = np.where(t, value - half, np.nan), np.where(t, value + half, np.nan)
    if binary or share:
        low, high = np.maximum(low, -1.0), np.minimum(high, 1.0)
    if score.any():
        rows = DifferenceArrays(
            *(np.broadcast_to(getattr(of, f.name), value.shape)[score] for f in fields(of))
        )
        most = rows.n
        if not binary:
            tiny = rows.clusters < FEW_UNITS
            most = np.where(tiny, most_answers(rows.informative, rows.clusters), np.inf)
        low[score], high[score], p[score] = effective_tango(rows, most=most, level=level)
    effective = np.where(se == 0.0, "tango-clusters", "tango-effective")
    return low, high, p, np.where(t, "t", np.where(score, effective, "none"))


def difference_interval(
    d: np.ndarray,
    estimate: Estimate,
    clusters: np.ndarray | None,
    *,
    binary: bool,
    share: bool,
    level: float,
) -> tuple[Interval, float]:
    """Interval and p-value of one paired difference, d shape (n,); the rules that paired_difference
    and all_pairs share.
    """
    if math.isnan(estimate.se):
        return no_interval(level), math.nan
    n = len(d)
    gain, loss = float(d[d > 0.0].sum()), -float(d[d < 0.0].sum())
    if binary and estimate.n_clusters == n:
        low, high = tango_interval(gain, loss, n, level)
        p_value = mcnemar_p_value(round(gain), round(loss))
        return Interval(float(low), float(high), level, "tango"), p_value
    informative = effective_number(cluster_means(np.abs(d), clusters))
    rows = (
        estimate.value,
        estimate.se,
        estimate.df,
        n,
        estimate.n_clusters,
        gain,
        loss,
        informative,
    )
    of = DifferenceArrays(*(np.array([v]) for v in rows))
    low, high, p, method = difference_ends(of, binary=binary, share=share, level=level)
    return Interval(float(low[0]), float(high[0]), level, str(method[0])), float(p[0])


def mover_ends(
    a: np.ndarray,
    low_a: np.ndarray,
    high_a: np.ndarray,
    b: np.ndarray,
    low_b: np.ndarray,
    high_b: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the interval of a - b from the intervals of two independent estimates (arrays of one
    shape).

    a - b - sqrt((a - low_a)^2 + (high_b - b)^2) and a - b + sqrt((high_a - a)^2 + (b - low_b)^2):
    Newcombe 1998, method 10, when both are Wilson's; in general Donner & Zou 2012. nan where one of
    them is.

    >>> low, high = mover_ends(*map(np.array, (0.8, 0.7, 0.9, 0.5, 0.4, 0.6)))   # 0.3 -+ 0.1 sqrt 2
    >>> low.round(4).item(), high.round(4).item()
    (0.1586, 0.4414)
    """
    return a - b - np.hypot(a - low_a, high_b - b), a - b + np.hypot(high_a - a, b - low_b)


def unpaired_difference(  # noqa: PLR0913 (keyword options of a public statistic)
    a: np.ndarray,
    b: np.ndarray,
    clusters_a: np.ndarray | None = None,
    clusters_b: np.ndarray | None = None,
    *,
    binary: bool | None = None,
    share: bool | None = None,
    level: float = 0.95,
    se: SeKind = "cr2",
) -> Difference:
    """Difference of two models on different questions: equations 5 and 6 of Miller 2024.

    a, b: shapes (n_A,) and (n_B,); clusters: labels or None. SE = sqrt(SE_A^2 + SE_B^2) with
    Welch's degrees of freedom; the paper uses z. Where questions are shared, use paired_difference:
    this one ignores what they have in common.

    binary (every score is 0 or 1) or share (between 0 and 1), said or seen as in
    paired_difference: the interval joins the two models' own (mover_ends of mean_interval, method
    "newcombe" for binary scores, which without clusters have Wilson's, modified as in wilson_ends;
    else "mover") and p is
    its dual, the alpha at which it touches 0, but not below 1e-14; both rest on CR2, whatever `se`.
    Undefined (nan, "none") where a model has no interval of its own: the SE of one constant does
    not say how far it could vary. Other scores: t, with the p of the t statistic; undefined where
    either SE is.

    >>> d = unpaired_difference(np.array([1.0, 0, 1, 1]), np.array([0.0, 0, 1, 0]))
    >>> d.estimate.value, round(d.estimate.se, 4), round(d.estimate.df, 9)   # sqrt(0.25^2 + 0.25^2)
    (0.5, 0.3536, 6.0)
    """
    a, b = floats(a), floats(b)
    kind = one_answer_kind(binary, share, a, b)
    if kind.factor != 1.0:
        a, b, said = a / kind.factor, b / kind.factor, {"binary": kind.binary, "share": kind.share}
        of = unpaired_difference(a, b, clusters_a, clusters_b, **said, level=level, se=se)
        return _times(of, kind.factor)
    binary, share = kind.binary, kind.share
    x, y = mean_estimate(a, clusters_a, se=se), mean_estimate(b, clusters_b, se=se)
    error = math.hypot(x.se, y.se)
    df = math.nan
    if error > 0.0:
        df = 1.0 / ((x.se / error) ** 4 / x.df + (y.se / error) ** 4 / y.df)
    estimate = Estimate(
        x.value - y.value, error, df, x.n_questions + y.n_questions, x.n_clusters + y.n_clusters
    )

    def ends(at: float) -> tuple[float, float]:
        own = []
        for scores, clusters, e in ((a, clusters_a, x), (b, clusters_b, y)):
            if binary and e.n_clusters == e.n_questions > 1:
                own.append(wilson_ends(e.value, e.n_questions, at, modified=True))
            else:
                i = mean_interval(scores, clusters, binary=binary, share=share, level=at)
                own.append((np.array(i.low), np.array(i.high)))
        low, high = mover_ends(np.array(x.value), *own[0], np.array(y.value), *own[1])
        return float(low), float(high)

    if not (binary or share):
        p = 2.0 * special.stdtr(df, -abs(estimate.value) / error) if error > 0.0 else math.nan
        return Difference(estimate, t_interval(estimate, level), float(p), math.nan)
    low, high = ends(level)
    if math.isnan(low):
        return Difference(estimate, no_interval(level), math.nan, math.nan)
    # logs of an alpha whose interval holds 0 and of one whose does not
    inside, outside = math.log(1e-14), 0.0
    for _ in range(45 if estimate.value else 0):
        middle = (inside + outside) / 2.0
        at = ends(-math.expm1(middle))
        inside, outside = (middle, outside) if at[0] <= 0.0 <= at[1] else (inside, middle)
    p_value = 1.0 if estimate.value == 0.0 else math.exp((inside + outside) / 2.0)
    interval = Interval(low, high, level, "newcombe" if binary else "mover")
    return Difference(estimate, interval, p_value, math.nan)
