"""Coverage certificates: how often the default interval holds the truth, simulated on evals of the
same shape as one eval.

An eval's own numbers are taken for the truth: its sizes, its mean, its intraclass correlation. Many
evals are drawn from them, and each gets the interval that a report prints. The draws are from a
model; benchmarks/coverage.py simulates other ones.
"""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.coverage.drawing import (
    Draw,
    beta_draws,
    concentration_of,
    count_draws,
    sums_of_draws,
)
from reportkit.stats.coverage.shape import (
    answer_icc_of,
    check_repeats,
    icc_of,
    mean_and_spread,
    reason_undefined,
    rescaled,
    sizes_and_order,
)
from reportkit.stats.coverage.simulated import Ends, coverage_of, effective_of, moments_of
from reportkit.stats.digits import check_squares, floats, pair_of_floats
from reportkit.stats.kinds import kind_of
from reportkit.stats.means.intervals import MeanArrays, mean_ends
from reportkit.stats.means.mean import mean_estimate, satterthwaite_df
from reportkit.stats.means.proportions import counted_ends
from reportkit.stats.pairs.paired import difference_ends
from reportkit.stats.pairs.tango import DifferenceArrays, tango_interval

# A smaller mean square of gains and losses, on 0..1, is rounding: no share of them can vary.
NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Certificate(Record):
    """Simulated coverage of one printed interval; nan, with the reason, where there is nothing to
    certify.
    """

    coverage: float  # share of the printed simulated intervals that hold the assumed mean
    simulation_error: float  # of coverage, one standard error; never 0, see simulation_error()
    # share of the simulated evals that get no interval; they do not count in coverage
    not_printed: float
    repeats: int  # simulated evals
    level: float  # what the interval promises
    mean: float  # assumed true mean or difference, in score units
    # assumed correlation of two questions of a cluster; nan without clusters of several questions
    icc: float
    # assumed correlation of two 0/1 answers to a question; nan where it plays no part
    answer_icc: float
    reason: str  # why coverage is nan; else empty


def _uncertified(mean: float, reason: str, repeats: int, level: float) -> Certificate:
    nan = math.nan
    return Certificate(nan, nan, nan, repeats, level, mean, nan, nan, reason)


# One mean -----------------------------------------------------------------------------------------


def certify_mean(  # noqa: PLR0913 (keyword options of a public statistic)
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    epochs: np.ndarray | None = None,
    *,
    binary: bool | None = None,
    share: bool | None = None,
    low: float | None = None,
    high: float | None = None,
    level: float = 0.95,
    repeats: int = 2000,
    rng: np.random.Generator,
) -> Certificate:
    """Simulated coverage of mean_interval for evals with these clusters, answers, mean and
    correlations.

    scores: shape (n,), question means; clusters: shape (n,) labels or None; epochs: shape (n,),
    answers behind each score (default 1). binary: every answer is 0 or 1. share: scores lie between
    0 and 1. low, high: range of scores in other units (default: their own). Such scores are drawn
    on 0..1, and their t interval is judged. Where neither binary nor share is said, it is seen in
    the scores, as in mean_interval.

    True mean: the observed one; (k + 1/2)/(n + 1) with k = 0 or n where all scores are 0 or all are
    1. Let V be the variance of the scores (divisor n) and ICC that of design_effect, floored at 0
    (0 where undefined). Binary: the means of clusters are Beta with variance ICC V. With repeated
    answers, the means of questions are Beta around them, so that answers to one question correlate
    by between/(between + within) of components. Answers are binomial. Units that are alike are
    drawn together, from the (beta-)binomial distribution of their totals. Otherwise: the scores of
    questions are Beta around Beta means of clusters, with the observed mean, V and ICC.

    Undefined (nan, with the reason): fewer than two questions or clusters; constant scores, unless
    all 0 or all 1 among shares (these are drawn as 0/1). An ICC higher than the correlation of
    answers to one question is lowered to that; `icc` is the one drawn.

    >>> c = certify_mean(np.repeat([0.0, 1.0], [2, 8]), binary=True, rng=np.random.default_rng(0))
    >>> # Wilson's on 6 to 10 of 10: P[Bin(10, 0.8) >= 6]
    >>> c.mean, abs(c.coverage - 0.9672) < 3 * c.simulation_error
    (0.8, True)
    """
    s = floats(scores)
    k = np.ones(s.shape, dtype=int) if epochs is None else np.asarray(epochs).astype(int)
    if k.shape != s.shape or (k < 1).any():
        raise ValueError(
            f"epochs have shape {k.shape} for {len(s)} scores; give a count of at least 1 for "
            "each question"
        )
    check_repeats(repeats)
    check_squares(s)
    kind = kind_of(binary, share, s)
    s, bounded = s / kind.factor, kind.binary or kind.share
    estimate = mean_estimate(s, clusters)
    x, start, width = rescaled(s, bounded, low, high)
    n, constant = len(s), s.min() == s.max()
    all_or_none = bounded and x[0] in (0.0, 1.0)
    reason = reason_undefined(estimate.se, n, constant and not all_or_none)
    if reason:
        return _uncertified(kind.factor * estimate.value, reason, repeats, level)
    mean = float((n * x[0] + 0.5) / (n + 1.0) if constant else x.mean())
    sizes, order = sizes_and_order(clusters, n)
    icc = icc_of(x, clusters)
    answers = k if kind.binary else None
    spread = _spread(x, answers, mean, icc, constant)
    one_answer = kind.binary and int(k.sum()) == n
    if kind.binary and (clusters is None or one_answer):
        units, asked = (np.ones(n), k) if clusters is None else (sizes, sizes)
        of_questions = clusters is None and not one_answer
        concentration = concentration_of(spread.questions if of_questions else spread.groups)
        draw, units, asked = count_draws(rng, units, asked, (mean, 0.0), concentration)
    else:
        draw = _scores_draw(rng, mean, spread, sizes, None if answers is None else answers[order])
        units = asked = sizes
    df = satterthwaite_df(sizes, n)

    def ends(rows: int) -> Ends:
        got, _, alike = draw(rows)
        rate = got / asked
        value, se = moments_of(rate * units, alike, units, n)
        if one_answer and len(sizes) == n:
            return counted_ends(np.rint(value * n) / n, n, level)
        informative = np.minimum(effective_of(rate, alike), effective_of(1.0 - rate, alike))
        of = MeanArrays(value, se, df, n, len(sizes), informative)
        counted = int(k.sum()) if kind.binary else 0
        return mean_ends(of, answers=counted, share=kind.share, level=level)[:2]

    columns = n if len(units) == len(sizes) else len(units)
    coverage = coverage_of(ends, mean, columns, repeats)
    return Certificate(
        *coverage[:3],
        repeats,
        level,
        kind.factor * (start + width * mean),
        math.nan if math.isnan(icc) else spread.groups / spread.observed,
        spread.answer_icc,
        coverage[3],
    )


@dataclass(frozen=True, slots=True)
class _Spread:
    """Variances of scores on 0..1, as shares of mean (1 - mean)."""

    observed: float  # of the scores observed
    questions: float  # of question means
    groups: float  # of cluster means
    answer_icc: float  # nan where it plays no part


def _spread(
    x: np.ndarray, answers: np.ndarray | None, mean: float, icc: float, constant: bool
) -> _Spread:
    """answers: how many answers each 0/1 score is the mean of; None for other scores."""
    answer_icc = math.nan
    if answers is None:
        most = mean * (1.0 - mean)
        observed = questions = 1.0 if constant else min(1.0, float(x.var()) / most)
    elif (answers == 1).all():
        observed = questions = 1.0
    else:
        answer_icc = questions = answer_icc_of(x, answers)
        observed = questions + (1.0 - questions) * float((1.0 / answers).mean())
    groups = 0.0 if math.isnan(icc) else min(max(icc, 0.0) * observed, questions)
    return _Spread(observed, questions, groups, answer_icc)


def _scores_draw(
    rng: np.random.Generator,
    mean: float,
    spread: _Spread,
    sizes: np.ndarray,
    answers: np.ndarray | None,
) -> Draw:
    """Question by question: Beta around Beta cluster means; answers, in the order of the clusters,
    are binomial.
    """
    n, groups = int(sizes.sum()), spread.groups
    codes, starts = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    within = (spread.questions - groups) / (1.0 - groups) if groups < 1.0 else 1.0
    around = concentration_of(within)

    def draw(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        theta = beta_draws(rng, mean, concentration_of(groups), (rows, len(sizes)))
        question = beta_draws(rng, theta[:, codes], around, (rows, n))
        if answers is not None:
            question = rng.binomial(answers, question) / answers
        return np.add.reduceat(question, starts, axis=1), np.zeros(1), np.ones(1)

    return draw


# A difference -------------------------------------------------------------------------------------


def certify_difference(  # noqa: PLR0913 (keyword options of a public statistic)
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool | None = None,
    share: bool | None = None,
    low: float | None = None,
    high: float | None = None,
    level: float = 0.95,
    repeats: int = 2000,
    rng: np.random.Generator,
) -> Certificate:
    """Simulated coverage of difference_interval for pairs of models that differ as these two do.

    a, b: shape (n,), question scores of two models in the same order; clusters: shape (n,) labels
    or None. binary: both are 0/1 with one answer for each question. share, low, high: as in
    certify_mean, of both models' scores.

    Each question is a gain, a loss or a tie, with the observed shares g, l and 1 - g - l. Over
    clusters these shares are Dirichlet, so that differences correlate by the ICC of design_effect(a
    - b, clusters), at least 0 (0 where undefined). A gain is 1 for 0/1 scores. Else its size is
    Beta, with the mean and variance of the observed gains, and independent of all else. Losses are
    drawn in the same way. The true difference is the average of what is drawn, g E[gain] - l
    E[loss]; this is the observed one. Where all differences are 0, g = l = 1/(4(n+1)); where all
    are 1, the share of ties is 1/(2(n+1)) (sizes are then 1).

    Undefined (nan, with the reason): fewer than two questions or clusters; a constant difference,
    unless -1, 0 or 1 among shares. An ICC above what shares of gains and losses can give is
    lowered; `icc` is the one drawn.

    >>> a, b = np.repeat([1.0, 0, 1], [12, 4, 84]), np.repeat([0.0, 1, 1], [12, 4, 84])
    >>> c = certify_difference(a, b, binary=True, rng=np.random.default_rng(0))
    >>> round(c.mean, 4), 0.93 < c.coverage < 0.97
    (0.08, True)
    """
    a, b = pair_of_floats(a, b)
    check_repeats(repeats)
    check_squares(a, b)
    kind = kind_of(binary, share, a, b)
    a, b, bounded = a / kind.factor, b / kind.factor, kind.binary or kind.share
    estimate = mean_estimate(a - b, clusters)
    _, _, width = rescaled(np.concatenate([a, b]), bounded, low, high)
    d = (a - b) / width
    d[np.abs(d) < 1e-12] = 0.0  # means of the same answers may differ by rounding
    n, constant = len(d), d.min() == d.max()
    all_or_none = bounded and d[0] in (-1.0, 0.0, 1.0)
    reason = reason_undefined(estimate.se, n, constant and not all_or_none)
    if reason:
        return _uncertified(kind.factor * estimate.value, reason, repeats, level)
    sizes, _ = sizes_and_order(clusters, n)
    changes = _changes(d, icc_of(d, clusters))
    one, other = changes.gains, changes.losses
    draw, units, _ = count_draws(
        rng, sizes, sizes, changes.shares, concentration_of(changes.rho), together=changes.whole
    )
    df = satterthwaite_df(sizes, n)

    def ends(rows: int) -> Ends:
        up, down, alike = draw(rows)
        if not changes.whole:
            up, down = sums_of_draws(rng, up, one[:2]), sums_of_draws(rng, down, other[:2])
        b, c = (alike * up).sum(axis=1), (alike * down).sum(axis=1)
        if kind.binary and len(sizes) == n:
            return tango_interval(b, c, n, level)
        value, se = moments_of(up - down, alike, units, n)
        informative = effective_of((up + down) / units, alike)
        dfs, questions, groups = (np.array(v) for v in (df, n, len(sizes)))
        of = DifferenceArrays(value, se, dfs, questions, groups, b, c, informative)
        return difference_ends(of, binary=kind.binary, share=kind.share, level=level)[:2]

    coverage = coverage_of(ends, changes.mean, len(units), repeats)
    true = kind.factor * width * changes.mean
    return Certificate(*coverage[:3], repeats, level, true, changes.icc, math.nan, coverage[3])


@dataclass(frozen=True, slots=True)
class _Changes:
    """How two models differ, question by question: as certify_difference draws it."""

    shares: tuple[float, float]  # of questions that are a gain, and a loss
    # mean, concentration of the Beta and mean square of the sizes, as mean_and_spread
    gains: tuple[float, float, float]
    losses: tuple[float, float, float]
    whole: bool  # every gain and loss is 1
    mean: float  # of the difference
    rho: float  # of the Dirichlet shares over clusters
    icc: float  # that they give the differences; nan without clusters of several questions


def _changes(d: np.ndarray, icc: float) -> _Changes:
    n = len(d)
    gains, losses = d[d > 0.0], -d[d < 0.0]
    gain, loss = len(gains) / n, len(losses) / n
    if d.min() == d.max():
        short = 0.5 / (n + 1.0)
        if d[0] == 0.0:
            gain, loss = short / 2.0, short / 2.0
        else:
            gain, loss = gain * (1.0 - short), loss * (1.0 - short)
    one, other = mean_and_spread(gains), mean_and_spread(losses)
    mean = gain * one[0] - loss * other[0]
    variance = gain * one[2] + loss * other[2] - mean**2
    # of it, what shares of gains and losses can make common
    shared = gain * one[0] ** 2 + loss * other[0] ** 2 - mean**2
    rho, realised = 0.0, math.nan
    if not math.isnan(icc):
        realised = 0.0
        if shared > NO_SPREAD:
            rho = min(1.0, max(icc, 0.0) * variance / shared)
            realised = rho * shared / variance
    whole = min(gains.min(initial=1.0), losses.min(initial=1.0)) == 1.0
    return _Changes((gain, loss), one, other, bool(whole), mean, rho, realised)
