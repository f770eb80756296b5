"""The designs of benchmarks/power.py, and evals drawn from them.

A set of designs served to choose the method and its constants; the other was kept aside: other
laws, means and sizes, drawn once the choice was made.
"""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, special

from reportkit.stats.evidence import effective_number
from reportkit.stats.means.mean import satterthwaite_df
from reportkit.stats.pairs.tango import DifferenceArrays
from reportkit.stats.planning.tails import spread_ends

SEED = 20241105
NODES = np.linspace(-8.0, 8.0, 4001)  # of a normal law
WEIGHTS = np.exp(-(NODES**2) / 2.0) / np.exp(-(NODES**2) / 2.0).sum()


@dataclass(frozen=True, slots=True)
class Design:
    """Questions, clusters, and how scores come about: a share right, or a score, by the link of
    the model's ability less the question's difficulty.
    """

    family: str
    sizes: tuple[int, ...]  # questions of each cluster; one number, n, without clusters
    mean: float
    # binary, beta, share, part, half, quarter, zeros, most, thirds, two, tests, rubric, normal,
    # skew
    scores: str
    epochs: int = 1
    shared: float = 1.0  # sd of difficulty: the same for both models
    own: float = 0.0  # sd of each model's own effect on a question
    cluster_shared: float = 0.0
    cluster_own: float = 0.0
    words: str = ""
    kept: bool = False  # kept aside when the method was chosen
    link: str = "logistic"  # or normal
    # or exponential (many like questions and a few far harder ones), or two kinds
    difficulty: str = "normal"
    concentration: float = 4.0  # of a Beta score about its mean

    @property
    def n(self) -> int:
        return sum(self.sizes)

    @property
    def clustered(self) -> bool:
        return len(self.sizes) > 1

    @property
    def clusters(self) -> int:
        return len(self.sizes) if self.clustered else self.n

    @property
    def bounded(self) -> bool:
        return self.scores not in ("normal", "skew")

    @property
    def label(self) -> str:
        units = f", {self.clusters} clusters" if self.clustered else ""
        return f"{self.family}: n {self.n}{units}, mean {self.mean:g}, {self.words}"

    def generator(self, *more: int) -> np.random.Generator:
        return np.random.default_rng([SEED, zlib.crc32(self.label.encode()), *more])


# The grid -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def rasch_spread(mean: float, correlation: float) -> float:
    """The sd of difficulty at which two equal models' 0/1 scores have this correlation."""
    if correlation == 0.0:
        return 0.0

    def excess(sd: float) -> float:
        at = optimize.brentq(lambda t: float(WEIGHTS @ special.expit(t + sd * NODES)) - mean,
                             -400, 400)  # fmt: skip
        p = special.expit(at + sd * NODES)
        return float(WEIGHTS @ (p * p)) - mean**2 - correlation * mean * (1.0 - mean)

    return float(optimize.brentq(excess, 0.01, 60.0))


def pareto(clusters: int, mean: int, index: float = 1.5) -> tuple[int, ...]:
    """Cluster sizes by the quantiles of a Pareto law."""
    quantiles = (np.arange(clusters) + 0.5) / clusters
    raw = (1.0 - quantiles) ** (-1.0 / index)
    return tuple(np.maximum(1, np.rint(raw * mean / raw.mean())).astype(int).tolist())


def lognormal(clusters: int, mean: int, sd: float) -> tuple[int, ...]:
    """Cluster sizes by the quantiles of a lognormal law."""
    raw = np.exp(sd * special.ndtri((np.arange(clusters) + 0.5) / clusters))
    return tuple(np.maximum(1, np.rint(raw * mean / raw.mean())).astype(int).tolist())


def grid() -> Iterator[Design]:
    yield from chosen_on()
    yield from first_kept()
    yield from kept_aside()
    yield from other_shapes()
    yield from more_shapes()


def chosen_on() -> Iterator[Design]:
    """The designs with a view to which the method was chosen."""
    for n in (30, 60, 100, 300, 1000):
        for mean in (0.5, 0.8, 0.9, 0.97):
            for r in (0.0, 0.4, 0.8):
                sd = rasch_spread(mean, r)
                words = f"correlation {r:g}"
                yield Design("0/1", (n,), mean, "binary", 1, sd, words=words)
            yield Design("0/1, 4 answers", (n,), mean, "binary", 4, 2.0, 0.5, words="difficulty 2")
            yield Design("fractional", (n,), mean, "beta", 1, 1.0, 0.5, words="Beta, 4")
        for r in (0.0, 0.6):
            yield Design("own units", (n,), 50.0, "normal", 1, r, words=f"correlation {r:g}")
    for kind, groups in (("even", (8, 12, 20, 50)), ("Pareto", (12, 20, 50))):
        for g in groups:
            sizes = (10,) * g if kind == "even" else pareto(g, 10)
            for mean in (0.5, 0.8, 0.9, 0.97):
                for scores in ("binary", "beta"):
                    name = "0/1" if scores == "binary" else "fractional"
                    for own in (0.3, 0.8):
                        yield Design(
                            f"{name} in clusters", sizes, mean, scores, 1, 1.0, 0.5, 0.8, own,
                            words=f"{kind}, cluster effect {own:g}",
                        )  # fmt: skip
            yield Design(
                "own units in clusters", sizes, 50.0, "normal", 1, 0.5, 0.0, 0.5, 0.5,
                words=kind,
            )  # fmt: skip


def first_kept() -> Iterator[Design]:
    """Other laws, means and sizes: kept aside at first. Three rules were mended after a look at
    them (unlike clusters, the growth of means of answers, the least questions): chosen on, too, as
    are several answers in clusters, for the part that clusters have after more answers.
    """
    for n in (45, 150, 500):
        for mean in (0.6, 0.85, 0.95):
            for own, words in ((1.0, "own luck 1"), (0.3, "own luck 0.3")):
                yield Design("0/1", (n,), mean, "binary", 1, 1.0, own, words=f"probit, {words}",
                             link="normal", difficulty="exponential")  # fmt: skip
            for k in (2, 10):
                yield Design("0/1, 2 or 10 answers", (n,), mean, "binary", k, 1.2, 0.3,
                             words=f"probit, {k} answers", link="normal",
                             difficulty="exponential")  # fmt: skip
            yield Design("fractional", (n,), mean, "beta", 1, 0.8, 0.3, words="Beta, 1.5",
                         concentration=1.5)  # fmt: skip
            yield Design("fractional", (n,), mean, "share", 1, 1.5, 0.7, words="probabilities")
            yield Design("fractional", (n,), mean, "part", 1, 1.0, 0.5, words="right or in part")
        yield Design("own units", (n,), 50.0, "skew", 1, 0.7, words="skewed")
    layouts = [("even", (6,) * 10), ("even", (20,) * 15), ("even", (5,) * 30),
               ("lognormal", lognormal(15, 12, 0.6)), ("lognormal", lognormal(30, 8, 0.8)),
               ("lognormal", lognormal(100, 8, 0.8))]  # fmt: skip
    for kind, sizes in layouts:
        for mean in (0.6, 0.85, 0.95):
            for scores in ("binary", "beta", "part"):
                name = "0/1" if scores == "binary" else "fractional"
                law = "right or in part, " if scores == "part" else ""
                for own in (0.2, 0.5):
                    if scores == "part" and own == 0.2:
                        continue
                    yield Design(
                        f"{name} in clusters", sizes, mean, scores, 1, 0.7, 0.3, 0.5, own,
                        words=f"{law}{kind}, cluster effect {own:g}", link="normal",
                        concentration=2.0,
                    )  # fmt: skip
        yield Design("own units in clusters", sizes, 50.0, "skew", 1, 0.5, 0.0, 0.3, 0.3,
                     words=kind)  # fmt: skip
    for kind, sizes in (("even", (8,) * 25), ("lognormal", lognormal(30, 8, 0.5))):
        for mean in (0.65, 0.88, 0.94):
            yield Design("0/1, 4 answers in clusters", sizes, mean, "binary", 4, 1.0, 0.5, 0.6, 0.4,
                         words=f"{kind}, two kinds",
                         difficulty="two kinds")  # fmt: skip


def kept_aside() -> Iterator[Design]:
    """Yet other laws, means and sizes, drawn once the method was settled."""
    for n in (80, 200, 700):
        for mean in (0.7, 0.92, 0.96):
            two = {"kept": True, "link": "normal", "difficulty": "two kinds"}
            yield Design("0/1", (n,), mean, "binary", 1, 0.8, 0.6, words="two kinds", **two)
            for k in (3, 5):
                yield Design("0/1, 3 or 5 answers", (n,), mean, "binary", k, 0.8, 0.5,
                             words=f"two kinds, {k} answers", **two)  # fmt: skip
            yield Design("fractional", (n,), mean, "beta", 1, 0.6, 0.4, words="Beta, 8, two kinds",
                         concentration=8.0, **two)  # fmt: skip
            yield Design("fractional", (n,), mean, "part", 1, 0.6, 0.4, words="in part, two kinds",
                         **two)  # fmt: skip
        yield Design("own units", (n,), 50.0, "skew", 1, 0.4, words="skewed, 0.4", kept=True)
    for n, k in ((50, 2), (120, 6), (400, 16)):
        for mean in (0.65, 0.88, 0.94):
            yield Design("0/1, 2, 6 or 16 answers", (n,), mean, "binary", k, 1.5, 0.8, kept=True,
                         words=f"two kinds, own luck 0.8, {k} answers",
                         difficulty="two kinds")  # fmt: skip
    for mean in (0.75, 0.9, 0.96):
        yield Design("0/1, 3 answers in clusters", lognormal(40, 6, 0.7), mean, "binary", 3, 0.8,
                     0.5, 0.5, 0.6, words="lognormal, cluster effect 0.6", kept=True,
                     link="normal")  # fmt: skip
    layouts = [("even", (12,) * 9), ("even", (8,) * 25), ("lognormal", lognormal(20, 10, 0.5)),
               ("lognormal", lognormal(60, 6, 0.7))]  # fmt: skip
    for kind, sizes in layouts:
        for mean in (0.7, 0.92, 0.96):
            for scores, law in (("binary", ""), ("beta", "Beta, 3, "), ("part", "in part, ")):
                name = "0/1" if scores == "binary" else "fractional"
                yield Design(
                    f"{name} in clusters", sizes, mean, scores, 1, 0.8, 0.3, 0.6, 0.5,
                    words=f"{law}{kind}, two kinds", kept=True, difficulty="two kinds",
                    concentration=3.0,
                )  # fmt: skip
        yield Design("own units in clusters", sizes, 50.0, "skew", 1, 0.3, 0.0, 0.4, 0.2,
                     words=f"{kind}, skewed", kept=True)  # fmt: skip


def other_shapes() -> Iterator[Design]:
    """Scores with lumps, and rest, of other shapes: kept aside when the growth of scores between
    the ends was chosen by their variance. That it goes by their skewness was found on these.
    """
    high, low = (0.75, 0.9, 0.95), (0.6, 0.75, 0.85)
    shapes = [
        ("half", "right or about half", high), ("zeros", "nothing or nearly all", low),
        ("thirds", "thirds", high), ("tests", "5 tests", high), ("rubric", "0 to 10", high),
    ]  # fmt: skip
    layouts = [("", (60,)), ("", (250,)), ("even, ", (10,) * 12),
               ("lognormal, ", lognormal(40, 7, 0.6))]  # fmt: skip
    for kind, sizes in layouts:
        effects = (0.6, 0.4) if len(sizes) > 1 else (0.0, 0.0)
        name = "fractional in clusters" if len(sizes) > 1 else "fractional"
        for scores, words, means in shapes:
            for mean in means:
                yield Design(f"{name}, other shapes", sizes, mean, scores, 1, 0.9, 0.5, *effects,
                             words=kind + words)  # fmt: skip


def more_shapes() -> Iterator[Design]:
    """Yet other shapes: kept aside when it was chosen that growth goes by skewness."""
    high, low = (0.7, 0.85, 0.95), (0.5, 0.6, 0.7)
    shapes = [("quarter", "right or about a quarter", high), ("two", "two parts", high),
              ("most", "nothing or about three quarters", low)]  # fmt: skip
    for kind, sizes in (("", (100,)), ("", (400,)), ("lognormal, ", lognormal(30, 8, 0.5))):
        effects = (0.5, 0.5) if len(sizes) > 1 else (0.0, 0.0)
        name = "fractional in clusters" if len(sizes) > 1 else "fractional"
        for scores, words, means in shapes:
            for mean in means:
                yield Design(f"{name}, more shapes", sizes, mean, scores, 1, 0.7, 0.7, *effects,
                             words=kind + words, kept=True, difficulty="two kinds")  # fmt: skip


# Evals --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a report takes from each of R evals, shape (R,)."""

    arrays: DifferenceArrays
    mean_a: np.ndarray
    mean_b: np.ndarray
    correlation: np.ndarray
    noise: np.ndarray  # share of n SE^2 that is answer noise
    alone: np.ndarray  # SE^2 without clusters
    ends: np.ndarray  # low and high, between which scores vary


def difficulties(d: Design, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Of questions, with mean 0 and variance 1."""
    if d.difficulty == "two kinds":  # easy and hard
        return np.where(rng.random(shape) < 0.5, 0.8, -0.8) + 0.6 * rng.standard_normal(shape)
    if d.difficulty == "exponential":
        return 1.0 - rng.standard_exponential(shape)
    return rng.standard_normal(shape)


def linked(d: Design, at: np.ndarray) -> np.ndarray:
    return special.expit(at) if d.link == "logistic" else special.ndtr(at)


def abilities(d: Design) -> tuple[np.ndarray, np.ndarray]:
    """Abilities and the mean scores that they have, to be read off between them."""
    total = math.hypot(d.own, d.cluster_shared, d.cluster_own)
    rng = np.random.default_rng([SEED, 7])
    effects = d.shared * difficulties(d, (200_000,), rng) + total * rng.standard_normal(200_000)
    nodes = np.quantile(effects, (np.arange(1000) + 0.5) / 1000)
    reach = 8.0 * math.hypot(d.shared, total) + 12.0
    at = np.concatenate([-np.geomspace(reach, 0.01, 300), [0.0], np.geomspace(0.01, reach, 300)])
    return at, _expected(d, linked(d, at[:, None] + nodes)).mean(axis=1)


def draw(d: Design, difference: np.ndarray | float, repeats: int, rng: np.random.Generator,
         times: float = 1.0, epochs: int = 0) -> Drawn:  # fmt: skip
    """Evals in which the second model is `difference` worse (a number, or one for each eval), with
    so many times the questions.
    """
    sizes, codes = layout(d, times)
    n, k = int(sizes.sum()), epochs or d.epochs
    shape, groups = (repeats, n), (repeats, len(sizes))
    if not d.bounded:
        return reported(d, *_own_units(d, difference, shape, codes, rng), sizes, np.zeros(repeats))
    shared = difficulties(d, shape, rng) * d.shared if d.shared else np.zeros(shape)
    if d.clustered:
        shared += (rng.standard_normal(groups) * d.cluster_shared)[:, codes]
    at, means = abilities(d)
    found, noise = [], np.zeros(repeats)
    lower = np.maximum(d.mean - np.broadcast_to(difference, repeats), 1e-3)
    for mean in (np.full(repeats, d.mean), lower):
        own = shared + np.interp(_of_score(d, mean), means, at)[:, None]
        if d.own:
            own += rng.standard_normal(shape) * d.own
        if d.cluster_own:
            own += (rng.standard_normal(groups) * d.cluster_own)[:, codes]
        s = scores(d, linked(d, own), k, rng)
        found.append(s)
        if k > 1:
            noise += (s * (1.0 - s) / (k - 1)).mean(axis=1)
    return reported(d, found[0], found[1], sizes, noise)


def _own_units(d: Design, difference: np.ndarray | float, shape: tuple[int, int],
               codes: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:  # fmt: skip
    """Scores without bounds, normal or skewed, of variance 1 within clusters."""
    groups = (shape[0], int(codes.max()) + 1)
    shared = rng.standard_normal(shape) * d.shared
    if d.clustered:
        shared += (rng.standard_normal(groups) * d.cluster_shared)[:, codes]
    for lost in (0.0, np.broadcast_to(difference, shape[0])[:, None]):
        rest = rng.standard_exponential(shape) - 1.0 if d.scores == "skew" else (
            rng.standard_normal(shape))  # fmt: skip
        at = shared + rest * math.sqrt(1.0 - d.shared**2)
        if d.cluster_own:
            at += (rng.standard_normal(groups) * d.cluster_own)[:, codes]
        yield d.mean - lost + at


PART = 0.7  # of the answers that are not right, the share that is right in part


def _of_score(d: Design, mean: np.ndarray) -> np.ndarray:
    """The mean of the linked share at which scores have this mean."""
    if d.scores == "part":  # p + (1 - p) PART / 2
        return np.maximum((mean - PART / 2.0) / (1.0 - PART / 2.0), 1e-4)
    if d.scores in OTHERS:  # p + (1 - p) times their mean
        return np.maximum((mean - OTHERS[d.scores]) / (1.0 - OTHERS[d.scores]), 1e-4)
    if d.scores in MOST:
        return np.asarray(mean / MOST[d.scores])
    return mean


OTHERS = {"half": 0.5, "quarter": 0.25}  # mean of the scores that are not 1
MOST = {"zeros": 0.9, "most": 0.75}  # mean of the scores that are not 0
STEPS = (1.0, 0.0, -1.0)  # on the logit, for a third of the score each


def _expected(d: Design, p: np.ndarray) -> np.ndarray:
    """The mean score of a question, but for what _of_score turns."""
    if d.scores == "thirds":
        return np.mean([special.expit(special.logit(p) + step) for step in STEPS], axis=0)
    return p


def scores(d: Design, p: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    if d.scores == "share":
        return p
    if d.scores == "beta":
        p = np.clip(p, 1e-9, 1.0 - 1e-9)
        return rng.beta(d.concentration * p, d.concentration * (1.0 - p))
    if d.scores == "part":  # 1, or a uniform part, or 0
        part = np.maximum(rng.random(p.shape) - (1.0 - PART), 0.0) / PART
        return np.where(rng.random(p.shape) < p, 1.0, part)
    if d.scores == "half":
        return np.where(rng.random(p.shape) < p, 1.0, 0.3 + 0.4 * rng.random(p.shape))
    if d.scores == "quarter":
        return np.where(rng.random(p.shape) < p, 1.0, 0.1 + 0.3 * rng.random(p.shape))
    if d.scores == "zeros":
        most = MOST["zeros"] - 0.1 + 0.2 * rng.random(p.shape)
        return np.where(rng.random(p.shape) < p, most, 0.0)
    if d.scores == "most":
        return np.where(rng.random(p.shape) < p, 0.6 + 0.3 * rng.random(p.shape), 0.0)
    if d.scores == "two":
        return rng.binomial(2, p) / 2.0
    if d.scores == "thirds":  # a question's luck is one for all its steps
        at = special.logit(np.clip(p, 1e-12, 1.0 - 1e-12)) - special.logit(rng.random(p.shape))
        return sum((at + step > 0.0).astype(float) for step in STEPS) / len(STEPS)
    if d.scores in ("tests", "rubric"):
        marks, alike = (5, 1.0) if d.scores == "tests" else (10, 8.0)
        p = np.clip(p, 1e-9, 1.0 - 1e-9)
        return rng.binomial(marks, rng.beta(alike * p, alike * (1.0 - p))) / marks
    if k == 1:
        return (rng.random(p.shape) < p).astype(float)
    return rng.binomial(k, p) / k


def layout(d: Design, times: float) -> tuple[np.ndarray, np.ndarray]:
    """Cluster sizes of so many times the eval, and each question's cluster; a part of the eval has
    clusters of all its sizes.
    """
    if not d.clustered:
        n = round(d.n * times)
        return np.ones(n, dtype=int), np.arange(n)
    count = max(2, round(len(d.sizes) * times))
    whole, part = divmod(count, len(d.sizes))
    spaced = ((np.arange(part) + 0.5) * len(d.sizes) / max(part, 1)).astype(int)
    sizes = np.concatenate([np.tile(d.sizes, whole), np.array(d.sizes)[spaced]]).astype(int)
    return sizes, np.repeat(np.arange(count), sizes)


def reported(d: Design, a: np.ndarray, b: np.ndarray, sizes: np.ndarray,
             noise: np.ndarray) -> Drawn:  # fmt: skip
    """The numbers of a report: CR2, its df, and what the choice of test rests on."""
    gap = a - b
    n, g = gap.shape[1], len(sizes)
    value = gap.mean(axis=1)
    centred = gap - value[:, None]
    size = np.abs(gap)
    alone = np.einsum("ri,ri->r", centred, centred) / (n - 1) / n
    if d.clustered:
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        sums = np.add.reduceat(centred, starts, axis=1)
        se = np.sqrt((sums**2 / (1.0 - sizes / n)).sum(axis=1)) / n
        df = satterthwaite_df(sizes.astype(float), n)
        shown = effective_number(np.add.reduceat(size, starts, axis=1) / sizes)
    else:
        se, df, shown = np.sqrt(alone), float(n - 1), effective_number(size)
    se = np.where(se < 1e-14, 0.0, se)
    total, net = size.sum(axis=1), gap.sum(axis=1)
    x, y = a - a.mean(axis=1)[:, None], b - b.mean(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        xx, yy, xy = (np.einsum("ri,ri->r", *v) for v in ((x, x), (y, y), (x, y)))
        r = xy / np.sqrt(xx * yy)
        share = noise / (n * se**2)
        cubes = [np.einsum("ri,ri,ri->r", v, v, v) / n for v in (x, y)]
        joint = (a.mean(axis=1) + b.mean(axis=1)) / 2.0
        ends = spread_ends(joint, (xx + yy) / (2.0 * (n - 1)), sum(cubes) / 2.0, value)
    ones = np.ones(len(value))
    arrays = DifferenceArrays(
        value, se, df * ones, n * ones, g * ones, (total + net) / 2, (total - net) / 2, shown
    )
    return Drawn(arrays, a.mean(axis=1), b.mean(axis=1), r, share, alone, ends)
