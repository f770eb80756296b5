"""The intervals that are compared, on the evals of a cell: coverage and width of each."""

import math
from collections.abc import Callable

import numpy as np
from coverage_designs import Cell, Drawn, cluster_sizes, draw_mean, pair, quantile
from scipy import special, stats

from reportkit.stats.bayes.pairs import paired_posterior, unpaired_posterior
from reportkit.stats.bayes.shares import clustered_posterior
from reportkit.stats.evidence import effective_number, most_answers, rarer_outcome, sparse_df
from reportkit.stats.intervals import Interval, t_quantile, z_quantile
from reportkit.stats.means.intervals import MeanArrays, mean_ends
from reportkit.stats.means.mean import satterthwaite_df
from reportkit.stats.means.proportions import counted_ends, wilson_ends
from reportkit.stats.pairs.paired import difference_ends, mover_ends
from reportkit.stats.pairs.tango import DifferenceArrays, tango_interval

LEVEL = 0.95
Z = z_quantile(LEVEL)
OURS, BOWYER = "reportkit", "posterior (Bowyer)"
POSTERIORS = 100  # evals whose posterior is taken, of some cells: each costs a tenth of a second
RESAMPLES, RESAMPLED = 199, 300  # draws of the bootstrap, and evals that get one
Ends = tuple[np.ndarray, np.ndarray]


class Moments:
    """Mean, CR2 SE and what else the intervals need, of every eval: arrays of shape (repeats,)."""

    def __init__(self, total: np.ndarray, sizes: np.ndarray) -> None:
        m = np.broadcast_to(np.asarray(sizes, dtype=float), total.shape)
        self.n, self.g = m.sum(axis=1), total.shape[1]
        self.value = total.sum(axis=1) / self.n
        self.residual = total - m * self.value[:, None]
        share = 1.0 - m / self.n[:, None]
        squares = self.residual**2
        self.se = np.sqrt((squares / share).sum(axis=1)) / self.n
        self.se[self.se < 1e-13] = 0.0
        self.cr1 = np.sqrt(squares.sum(axis=1) * self.g / (self.g - 1)) / self.n
        self.cr3 = np.sqrt((squares / share**2).sum(axis=1)) / self.n
        rows = np.atleast_2d(sizes)
        self.df = np.array([satterthwaite_df(row, int(row.sum())) for row in rows])
        self.informative = rarer_outcome(total / m)


def around(value: np.ndarray, half: np.ndarray) -> Ends:
    return value - half, value + half


def ours(drawn: Drawn, m: Moments, *, share: bool = True) -> Ends:
    """The default interval; evals whose sizes differ one by one, since answers is one number."""
    if drawn.answers and m.g == drawn.answers:
        return counted_ends(m.value, m.n, LEVEL)
    if drawn.sizes.ndim == 1:
        of = MeanArrays(m.value, m.se, m.df[0], int(m.n[0]), m.g, m.informative)
        return mean_ends(of, answers=drawn.answers, share=share, level=LEVEL)[:2]
    rows = []
    for k, n in enumerate(m.n.astype(int)):
        one = (v[k : k + 1] for v in (m.value, m.se, m.df))
        of = MeanArrays(*one, int(n), m.g, m.informative[k : k + 1])
        rows.append(mean_ends(of, answers=int(n), share=share, level=LEVEL)[:2])
    low, high = zip(*rows, strict=True)
    return np.concatenate(low), np.concatenate(high)


def on_effective(m: Moments, se: np.ndarray, df: np.ndarray | float, most: np.ndarray) -> Ends:
    """Wilson's interval on p(1-p)/SE^2 (z/t)^2 answers, at most `most`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = (Z / t_quantile(LEVEL, df)) ** 2
        n = np.where(se > 0.0, np.minimum(most, m.value * (1 - m.value) / se**2 * factor), m.g)
        return wilson_ends(m.value, n, LEVEL)


def logit_t(m: Moments) -> Ends:
    """t on the scale of log(p / (1-p)), by the delta method."""
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = special.logit(m.value)
        half = t_quantile(LEVEL, m.df) * m.se / (m.value * (1.0 - m.value))
    low, high = (special.expit(e) for e in around(centre, half))
    return np.where(m.se > 0.0, low, np.nan), np.where(m.se > 0.0, high, np.nan)


def hall(m: Moments) -> Ends:
    """t corrected for skewness by Hall's cubic transformation (Hall 1992), with the skewness of the
    clusters' residuals.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        skew = (m.residual**3).sum(axis=1) / (m.residual**2).sum(axis=1) ** 1.5
        t = t_quantile(LEVEL, m.df)

        def inverse(y: np.ndarray) -> np.ndarray:
            cubic = 3.0 / skew * (np.cbrt(1.0 + skew * y - skew**2 / 6.0) - 1.0)
            return np.where(np.abs(skew) < 1e-6, y, cubic)

        low, high = m.value - m.se * inverse(t), m.value + m.se * -inverse(-t)
    return np.where(m.se > 0.0, low, np.nan), np.where(m.se > 0.0, high, np.nan)


def bootstrap_t(drawn: Drawn, m: Moments) -> Ends:
    """Quantiles of (mean* - mean) / SE* over clusters drawn again, by the same draws for all."""
    rng = np.random.default_rng(1)
    picked = rng.integers(0, m.g, (RESAMPLES, m.g))
    rows = slice(None, RESAMPLED)
    total = drawn.total[rows]
    sizes = np.broadcast_to(drawn.sizes, drawn.total.shape)[rows].astype(float)
    t, n = total[:, picked], sizes[:, picked]
    count = n.sum(axis=2)
    value = t.sum(axis=2) / count
    se = np.sqrt(((t - n * value[:, :, None]) ** 2).sum(axis=2) * m.g / (m.g - 1)) / count
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = (value - m.value[rows][:, None]) / se
    deviation[~np.isfinite(deviation)] = 0.0
    lower, upper = np.quantile(deviation, [0.025, 0.975], axis=1)
    low, high = m.value[rows] - upper * m.cr1[rows], m.value[rows] - lower * m.cr1[rows]
    none = ~(m.se[rows] > 0.0)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def of_means(cell: Cell, repeats: int, posteriors_of: int) -> tuple[float, dict[str, Ends]]:
    """The intervals of one mean, for designs without pairs."""
    drawn = draw_mean(cell, repeats)
    m = Moments(drawn.total, drawn.sizes)
    found = {
        OURS: ours(drawn, m),
        "normal (paper)": around(m.value, Z * m.cr1),
        "t, CR2": around(m.value, t_quantile(LEVEL, m.df) * m.se),
    }
    if cell.design == "own units":
        found["reportkit, no range"] = found.pop("t, CR2")
        return drawn.truth, found
    most = m.n if drawn.answers else np.full(len(m.n), np.inf)
    if cell.design == "epochs":
        most = np.full(len(m.n), float(drawn.answers))
    found["Wilson, effective n, z"] = on_effective(m, m.se, np.inf, most)
    found["Wilson, effective n, t"] = on_effective(m, m.se, m.df, most)
    sparse = sparse_df(m.df, m.informative, m.g)
    limit = np.minimum(most, most_answers(m.informative, m.g))
    found["the default on CR3"] = on_effective(m, m.cr3, sparse, limit)
    found["logit, t"] = logit_t(m)
    found["t corrected for skewness (Hall)"] = hall(m)
    if m.g <= 50 and cell.design in ("size tied to difficulty", "clustered five answers"):
        found["bootstrap t"] = bootstrap_t(drawn, m)
    if (
        posteriors_of
        and cell.design == "clustered"
        and (cell["sizes"], cell["size"], cell["icc"]) == ("equal", 5, 0.3)
        and cell.clusters <= 20
    ):
        counts = np.sort(drawn.total[:posteriors_of].astype(int), axis=1)
        found[BOWYER] = posteriors(
            counts, lambda y: clustered_posterior(np.array(y), drawn.sizes, LEVEL).interval
        )
    return drawn.truth, found


def of_unpaired(cell: Cell, repeats: int, posteriors_of: int) -> tuple[float, dict[str, Ends]]:
    rng, n = cell.generator(), cell.n
    sides, moments = [], []
    for p in (cell.share, cell["other"]):
        s = quantile(cell["scores"], p, rng.random((repeats, n)), rng)
        one = Moments(s, np.ones(n, dtype=int))
        value, se, df = one.value, one.se, one.df[0]
        if cell["scores"] == "binary":
            low, high = wilson_ends(value, n, LEVEL, modified=True)
        else:
            of = MeanArrays(value, se, df, n, n, rarer_outcome(s))
            low, high, _ = mean_ends(of, share=True, level=LEVEL)
        sides.append((value, low, high))
        moments.append((value, se, df))
    (a, se_a, df_a), (b, se_b, df_b) = moments
    error = np.hypot(se_a, se_b)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = error**4 / (se_a**4 / df_a + se_b**4 / df_b)
    found = {
        OURS: mover_ends(*sides[0], *sides[1]),
        "normal (paper)": around(a - b, Z * error),
        "Welch t": around(a - b, t_quantile(LEVEL, df) * error),
    }
    if posteriors_of and cell["scores"] == "binary" and 10 <= n <= 100:
        counts = np.rint(np.column_stack([a, b])[:posteriors_of] * n).astype(int)
        found[BOWYER] = posteriors(
            counts, lambda y: unpaired_posterior(y[0], n, y[1], n, LEVEL).difference
        )
    return cell.share - cell["other"], found


def of_pairs(cell: Cell, repeats: int, posteriors_of: int) -> tuple[float, dict[str, Ends]]:
    clustered = cell.design == "paired clustered"
    sizes = (
        cluster_sizes(cell["sizes"], cell.clusters, cell["size"])
        if clustered
        else np.ones(cell.n, dtype=int)
    )
    codes = np.repeat(np.arange(len(sizes)), sizes) if clustered else None
    first, second = pair(cell, repeats, cell.generator(), codes)
    d, both = first - second, (first * second).sum(axis=1)
    gain, loss = np.maximum(d, 0.0).sum(axis=1), np.maximum(-d, 0.0).sum(axis=1)
    starts = np.cumsum(sizes) - sizes
    m = Moments(np.add.reduceat(d, starts, axis=1), sizes)
    value, se, cr1, df = m.value, m.se, m.cr1, m.df[0]
    informative = effective_number(np.add.reduceat(np.abs(d), starts, axis=1) / sizes)
    if cell.design == "paired binary":
        default = tango_interval(gain, loss, cell.n, LEVEL)
    else:
        n, g, dfs = (np.full(repeats, v) for v in (cell.n, len(sizes), df))
        of = DifferenceArrays(value, se, dfs, n, g, gain, loss, informative)
        binary = cell.design == "paired clustered"
        default = difference_ends(of, binary=binary, share=True, level=LEVEL)[:2]
    found = {
        OURS: default,
        "normal (paper)": around(value, Z * cr1),
        "t, CR2": around(value, t_quantile(LEVEL, df) * se),
    }
    if cell.design == "paired binary":
        found["Bonett-Price"] = bonett_price(gain, loss, cell.n)
        if posteriors_of and cell.n in (30, 100) and cell["r"] == 0.5:
            counts = np.column_stack([both, gain, loss])[:posteriors_of].astype(int)
            found[BOWYER] = posteriors(
                counts, lambda y: paired_posterior(*y, cell.n - sum(y), LEVEL).difference
            )
    return cell.share - cell["other"], found


def posteriors(counts: np.ndarray, interval: Callable[[tuple[int, ...]], Interval]) -> Ends:
    """Posterior intervals of rows of counts, each distinct row once."""
    rows, which = np.unique(counts, axis=0, return_inverse=True)
    made = [interval(tuple(int(y) for y in row)) for row in rows]
    return np.array([i.low for i in made])[which.ravel()], np.array([i.high for i in made])[
        which.ravel()
    ]


def bonett_price(b: np.ndarray, c: np.ndarray, n: int) -> Ends:
    """Adjusted Wald interval of Bonett & Price 2012: one answer added to each kind of discord."""
    x, y, m = b + 1.0, c + 1.0, n + 2.0
    return around((x - y) / m, Z * np.sqrt((x + y) / m - ((x - y) / m) ** 2) / math.sqrt(m))


def of_binary(cell: Cell) -> list[tuple[str, float, float, float, int]]:
    """Coverage and width of each interval of k right answers of n, summed over all k: no
    simulation.
    """
    n, p = cell.n, cell.share
    k = np.arange(n + 1.0)
    chance = stats.binom.pmf(k, n, p)
    share = k / n
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(share * (1.0 - share) / max(n - 1, 1))
    exact = (
        np.where(k == 0, 0.0, special.betaincinv(np.maximum(k, 1), n - k + 1, 0.025)),
        np.where(k == n, 1.0, special.betaincinv(k + 1, np.maximum(n - k, 1), 0.975)),
    )
    found = {
        OURS: counted_ends(share, n, LEVEL),
        "normal (paper)": around(share, Z * se),
        "t": around(share, t_quantile(LEVEL, n - 1) * se),
        "Wilson": wilson_ends(share, n, LEVEL),
        "Wilson, ends of 1 to 3 mended": wilson_ends(share, n, LEVEL, modified=True),
        "Beta-Binomial (Bowyer)": (
            special.betaincinv(k + 1, n - k + 1, 0.025),
            special.betaincinv(k + 1, n - k + 1, 0.975),
        ),
        "Jeffreys": (
            np.where(k == 0, 0.0, special.betaincinv(k + 0.5, n - k + 0.5, 0.025)),
            np.where(k == n, 1.0, special.betaincinv(k + 0.5, n - k + 0.5, 0.975)),
        ),
        "Clopper-Pearson": exact,
    }
    rows = []
    for name, (low, high) in found.items():
        inside = (low <= p + 1e-12) & (p - 1e-12 <= high)
        rows.append(
            (name, float(chance[inside].sum()), float((chance * (high - low)).sum()), 0.0, 0)
        )
    return rows


def measure(
    cell: Cell, repeats: int, posteriors_of: int = POSTERIORS
) -> list[tuple[str, float, float, float, int]]:
    """Method, coverage of the intervals it prints, mean width, share of evals for which it prints
    none, evals drawn.
    """
    if cell.design == "binary":
        return of_binary(cell)
    kind: Callable[[Cell, int, int], tuple[float, dict[str, Ends]]] = of_means
    if cell.design == "unpaired":
        kind = of_unpaired
    elif cell.design.startswith("paired"):
        kind = of_pairs
    truth, found = kind(cell, repeats, posteriors_of)
    rows = []
    for name, (low, high) in found.items():
        printed = ~np.isnan(low)
        inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
        coverage = float(inside[printed].mean()) if printed.any() else math.nan
        width = float((high - low)[printed].mean()) if printed.any() else math.nan
        rows.append((name, coverage, width, 1.0 - float(printed.mean()), len(low)))
    return rows
