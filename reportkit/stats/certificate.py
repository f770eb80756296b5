"""Coverage certificates: how often the default interval holds the truth on evals of one eval's very
shape, by simulation.

An eval's own numbers (its sizes, mean and intraclass correlation) are taken for the truth, many
evals are drawn from it, and the interval that a report prints is made on each. What is drawn is a
model: coverage elsewhere is benchmarks/coverage.py.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.components import components
from reportkit.stats.design import design_effect
from reportkit.stats.drawing import beta_draws, concentration_of, count_draws, sums_of_draws
from reportkit.stats.intervals import effective_number, mean_ends, wilson_ends
from reportkit.stats.mean import ROUNDING, mean_estimate, satterthwaite_df
from reportkit.stats.paired import difference_ends
from reportkit.stats.tango import tango_interval

DRAWN_AT_ONCE = 1_000_000  # numbers in one array; some ten such arrays live at a time, 80 MB
NONE_PRINTED = "no simulated eval has an interval"
CONSTANT = "the scores do not vary, so no interval is printed"

Ends = tuple[np.ndarray, np.ndarray]


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


def simulation_error(coverage: float, repeats: int) -> float:
    """Standard error of a simulated share, made so that it is not 0 at a share of 0 or 1.

    Half the width of Wilson's interval at z = 1: sqrt(c(1-c)/R + 1/(4R^2)) / (1 + 1/R). It is
    sqrt(c(1-c)/R) to within 1/R, and 1/(2(R+1)) where every simulated interval holds the truth.

    >>> # sqrt(.0475/2000); 1/4002
    >>> round(simulation_error(0.95, 2000), 4), round(simulation_error(1.0, 2000), 5)
    (0.0049, 0.00025)
    """
    return math.sqrt(coverage * (1.0 - coverage) / repeats + 0.25 / repeats**2) / (
        1.0 + 1.0 / repeats
    )


def certify_mean(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    epochs: np.ndarray | None = None,
    *,
    binary: bool = False,
    share: bool = False,
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
    0 and 1. low, high: range of scores in other units (default: their own), which are drawn on 0..1
    and judged by the t interval that they get.

    True mean: the observed one; (k + 1/2)/(n + 1) with k = 0 or n where all scores are 0 or all are
    1. Let V be the variance of the scores (divisor n) and ICC that of design_effect, floored at 0
    (0 where undefined). Binary: cluster means Beta with variance ICC V; with repeated answers,
    question means Beta around them so that answers to one question correlate by between/(between +
    within) of components; answers binomial. Units that are alike are drawn together, from the
    (beta-)binomial distribution of their totals. Otherwise: question scores Beta around Beta
    cluster means, with the observed mean, V and ICC.

    Undefined (nan, with the reason): fewer than two questions or clusters; constant scores, unless
    all 0 or all 1 among shares (these are drawn as 0/1). An ICC above what answers to one question
    have is lowered to it; `icc` is the one drawn.

    >>> c = certify_mean(np.repeat([0.0, 1.0], [2, 8]), binary=True, rng=np.random.default_rng(0))
    >>> # Wilson's on 6 to 10 of 10: P[Bin(10, 0.8) >= 6]
    >>> c.mean, abs(c.coverage - 0.9672) < 3 * c.simulation_error
    (0.8, True)
    """
    s = np.asarray(scores, dtype=float)
    k = np.ones(s.shape, dtype=int) if epochs is None else np.asarray(epochs).astype(int)
    if k.shape != s.shape or (k < 1).any():
        raise ValueError(
            f"epochs have shape {k.shape} for {len(s)} scores; give a count of at least 1 for "
            "each question"
        )
    _check(repeats)
    estimate = mean_estimate(s, clusters)
    x, start, width = _rescaled(s, binary or share, low, high)
    n, constant = len(s), s.min() == s.max()
    undefined = _undefined(
        estimate.se, n, constant and not ((binary or share) and x[0] in (0.0, 1.0))
    )
    if undefined:
        return Certificate(
            math.nan,
            math.nan,
            math.nan,
            repeats,
            level,
            estimate.value,
            math.nan,
            math.nan,
            undefined,
        )
    mean = float((n * x[0] + 0.5) / (n + 1.0) if constant else x.mean())
    sizes, order = _sizes(clusters, n)
    icc = _icc(x, clusters)
    most, answers = mean * (1.0 - mean), int(k.sum()) if binary else 0
    # Variances as shares of mean (1 - mean): of observed scores, of question means, of cluster
    # means.
    questions = answer_icc = math.nan
    if binary and answers == n:
        observed = questions = 1.0
    elif binary:
        answer_icc = questions = _answer_icc(x, k)
        observed = questions + (1.0 - questions) * float((1.0 / k).mean())
    else:
        observed = questions = 1.0 if constant else min(1.0, float(x.var()) / most)
    groups = min(max(icc, 0.0) * observed, questions) if icc == icc else 0.0
    around = concentration_of((questions - groups) / (1.0 - groups) if groups < 1.0 else 1.0)

    if binary and (clusters is None or answers == n):
        units, asked = (np.ones(n), k) if clusters is None else (sizes, sizes)
        spread = concentration_of(questions if clusters is None and answers != n else groups)
        draw, units, asked = count_draws(rng, units, asked, mean, 0.0, spread)
    else:
        codes, starts, repeated = (
            np.repeat(np.arange(len(sizes)), sizes),
            np.cumsum(sizes) - sizes,
            k[order],
        )
        units = asked = sizes

        def draw(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            theta = beta_draws(rng, mean, concentration_of(groups), (rows, len(sizes)))
            question = beta_draws(rng, theta[:, codes], around, (rows, n))
            if binary:
                question = rng.binomial(repeated, question) / repeated
            return np.add.reduceat(question, starts, axis=1), np.zeros(1), np.ones(1)

    df = satterthwaite_df(sizes, n)

    def ends(rows: int) -> Ends:
        got, _, alike = draw(rows)
        rate = got / asked
        value, se = _moments(rate * units, alike, units, n)
        if binary and len(sizes) == n == answers:
            return wilson_ends(np.rint(value * n) / n, n, level, modified=True)
        informative = np.minimum(_effective(rate, alike), _effective(1.0 - rate, alike))
        return mean_ends(
            value, se, df, n, len(sizes), informative, answers=answers, share=share, level=level
        )[:2]

    columns = n if len(units) == len(sizes) else len(units)
    coverage = _coverage(ends, mean, columns, repeats)
    realised = groups / observed if icc == icc else math.nan
    return Certificate(
        *coverage[:3], repeats, level, start + width * mean, realised, answer_icc, coverage[3]
    )


def certify_difference(
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool = False,
    share: bool = False,
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

    Each question is a gain, a loss or a tie, with the observed shares g, l and 1 - g - l; over
    clusters these shares are Dirichlet, so that differences correlate by the ICC of design_effect(a
    - b, clusters), floored at 0 (0 where undefined). The size of a gain is 1 for 0/1 scores, else
    Beta with mean and variance of the observed gains, independent of all else; of a loss likewise.
    True difference: what is drawn on average, g E[gain] - l E[loss], which is the observed one.
    Where all differences are 0, g = l = 1/(4(n+1)); where all are 1, the share of ties is
    1/(2(n+1)) (sizes are then 1).

    Undefined (nan, with the reason): fewer than two questions or clusters; a constant difference,
    unless -1, 0 or 1 among shares. An ICC above what shares of gains and losses can give is
    lowered; `icc` is the one drawn.

    >>> a, b = np.repeat([1.0, 0, 1], [12, 4, 84]), np.repeat([0.0, 1, 1], [12, 4, 84])
    >>> c = certify_difference(a, b, binary=True, rng=np.random.default_rng(0))
    >>> round(c.mean, 4), 0.93 < c.coverage < 0.97
    (0.08, True)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape:
        raise ValueError(
            f"the models answered {len(a)} and {len(b)} questions; give both scores of the "
            "common ones"
        )
    _check(repeats)
    estimate = mean_estimate(a - b, clusters)
    _, _, width = _rescaled(np.concatenate([a, b]), binary or share, low, high)
    d = (a - b) / width
    d[np.abs(d) < 1e-12] = 0.0  # means of the same answers may differ by rounding
    n, constant = len(d), d.min() == d.max()
    undefined = _undefined(
        estimate.se, n, constant and not ((binary or share) and d[0] in (-1.0, 0.0, 1.0))
    )
    if undefined:
        return Certificate(
            math.nan,
            math.nan,
            math.nan,
            repeats,
            level,
            estimate.value,
            math.nan,
            math.nan,
            undefined,
        )
    sizes, _ = _sizes(clusters, n)
    icc = _icc(d, clusters)
    gains, losses = d[d > 0.0], -d[d < 0.0]
    gain, loss = len(gains) / n, len(losses) / n
    if constant:
        short = 0.5 / (n + 1.0)
        gain, loss = (
            (short / 2.0, short / 2.0)
            if d[0] == 0.0
            else (gain * (1.0 - short), loss * (1.0 - short))
        )
    one, other = _size(gains), _size(losses)
    mean = gain * one[0] - loss * other[0]
    variance = gain * one[2] + loss * other[2] - mean**2
    shared = (
        gain * one[0] ** 2 + loss * other[0] ** 2 - mean**2
    )  # of it, what shares of gains and losses can make common
    possible = icc == icc and shared > 1e-12
    rho = min(1.0, max(icc, 0.0) * variance / shared) if possible else 0.0
    whole = (
        gains.size + losses.size == 0 or min(gains.min(initial=1.0), losses.min(initial=1.0)) == 1.0
    )
    draw, units, _ = count_draws(
        rng, sizes, sizes, gain, loss, concentration_of(rho), together=whole
    )
    df = satterthwaite_df(sizes, n)

    def ends(rows: int) -> Ends:
        up, down, alike = draw(rows)
        if not whole:
            up, down = sums_of_draws(rng, up, one[:2]), sums_of_draws(rng, down, other[:2])
        b, c = (alike * up).sum(axis=1), (alike * down).sum(axis=1)
        if binary and len(sizes) == n:
            return tango_interval(b, c, n, level)
        value, se = _moments(up - down, alike, units, n)
        informative = _effective((up + down) / units, alike)
        drawn = (value, se, *(np.array(v) for v in (df, n, len(sizes))), b, c, informative)
        return difference_ends(*drawn, binary=binary, share=share, level=level)[:2]

    coverage = _coverage(ends, mean, len(units), repeats)
    realised = (rho * shared / variance if possible else 0.0) if icc == icc else math.nan
    return Certificate(*coverage[:3], repeats, level, width * mean, realised, math.nan, coverage[3])


# What the eval is like ----------------------------------------------------------------------------


def _rescaled(
    s: np.ndarray, bounded: bool, low: float | None, high: float | None
) -> tuple[np.ndarray, float, float]:
    """Scores on 0..1, and the start and width of their own units."""
    if bounded:
        if s.min() < 0.0 or s.max() > 1.0:
            raise ValueError(
                f"scores run from {s.min():g} to {s.max():g}; binary and share need scores "
                "between 0 and 1"
            )
        return s, 0.0, 1.0
    start, end = float(s.min()) if low is None else low, float(s.max()) if high is None else high
    if not start <= s.min() or not s.max() <= end:
        raise ValueError(
            f"scores run from {s.min():g} to {s.max():g}, beyond {start:g} to {end:g}; give low "
            "and high of all"
        )
    width = end - start if end > start else 1.0
    return (s - start) / width, start, width


def _check(repeats: int) -> None:
    if repeats < 1:
        raise ValueError(
            f"repeats={repeats} simulates nothing; give 1 or more, 2000 for an error of half a "
            "percent"
        )


def _undefined(se: float, n: int, constant: bool) -> str:
    if n < 2:
        return "one question"
    if math.isnan(se):
        return "one cluster"
    return CONSTANT if constant else ""


def _sizes(clusters: np.ndarray | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Questions of each cluster, shape (G,), and the questions in the order of their clusters,
    shape (n,).
    """
    codes = cluster_codes(clusters, n)
    if codes is None:
        return np.ones(n, dtype=int), np.arange(n)
    sizes = np.bincount(codes)
    return sizes[sizes > 0], np.argsort(codes, kind="stable")


def _icc(x: np.ndarray, clusters: np.ndarray | None) -> float:
    """ICC by analysis of variance; 0 where constant scores leave it open, nan where no two
    questions share a cluster.
    """
    if clusters is None or (_sizes(clusters, len(x))[0] == 1).all():
        return math.nan
    icc = design_effect(x, clusters).icc
    return icc if icc == icc else 0.0


def _answer_icc(x: np.ndarray, k: np.ndarray) -> float:
    """Correlation of two 0/1 answers to a question, from question means and counts; 0 where it is
    open.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = components(x, x * (1.0 - x) * k / (k - 1.0), k)
    total = parts.between + parts.within
    return parts.between / total if total > 0.0 else 0.0


def _size(x: np.ndarray) -> tuple[float, float, float]:
    """Mean of gains (or losses), concentration of the Beta that has their variance, and mean
    square; 1 if there are none.
    """
    if not len(x):
        return 1.0, math.inf, 1.0
    mean = float(x.mean())
    most = mean * (1.0 - mean)
    return (
        mean,
        concentration_of(float(x.var()) / most if most > 0.0 else 0.0),
        mean**2 + float(x.var()),
    )


# Drawing ------------------------------------------------------------------------------------------


# What is made of it -------------------------------------------------------------------------------


def _moments(total: np.ndarray, alike: np.ndarray, units: np.ndarray, n: int) -> Ends:
    """Mean and CR2 standard error of each simulated eval, as mean_estimate has them."""
    value = (alike * total).sum(axis=1) / n
    residual = total - units * value[:, None]
    se = np.sqrt((alike * residual**2 / (1.0 - units / n)).sum(axis=1)) / n
    return value, np.where(se < ROUNDING, 0.0, se)


def _effective(rate: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """effective_number where a column stands for several units."""
    if alike.shape == (1,):
        return effective_number(rate)
    total, squares = (alike * rate).sum(axis=1), (alike * rate * rate).sum(axis=1)
    return np.divide(total * total, squares, out=np.zeros_like(squares), where=squares > 0.0)


def _coverage(
    ends: Callable[[int], Ends], truth: float, columns: int, repeats: int
) -> tuple[float, float, float, str]:
    """Coverage, its simulation error, share not printed and the reason if there is no coverage."""
    printed = inside = 0
    rows = max(1, DRAWN_AT_ONCE // columns)
    for start in range(0, repeats, rows):
        low, high = ends(min(rows, repeats - start))
        printed += int((~np.isnan(low)).sum())
        inside += int(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).sum())
    if not printed:
        return math.nan, math.nan, 1.0, NONE_PRINTED
    coverage = inside / printed
    return coverage, simulation_error(coverage, printed), (repeats - printed) / repeats, ""
