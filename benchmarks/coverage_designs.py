"""The designs whose coverage is measured: cells of a grid, and how their evals are drawn."""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import special

SEED = 20241101
SHARES = (0.5, 0.7, 0.9, 0.97, 0.99)
FINE = tuple(0.5 + (k + 0.5) / 800 for k in range(400))  # below one half it is the mirror image
SIZES = ("equal", "uneven", "pareto", "giant")


@dataclass(frozen=True, slots=True)
class Cell:
    """One design with its sizes and truth; `options` says the rest in words."""

    design: str
    n: int  # questions
    clusters: int
    share: float  # true mean (of the first model)
    options: tuple[tuple[str, float | str], ...]

    def __getitem__(self, name: str):
        return dict(self.options)[name]

    @property
    def label(self) -> str:
        rest = ", ".join(f"{k} {v}" for k, v in self.options)
        return f"{self.design}: n {self.n}, {self.clusters} clusters, mean {self.share:g}" + (
            f", {rest}" if rest else ""
        )

    def generator(self) -> np.random.Generator:
        return np.random.default_rng([SEED, zlib.crc32(self.label.encode())])


# The grid -----------------------------------------------------------------------------------------


def cluster_sizes(kind: str, clusters: int, mean: int) -> np.ndarray:
    """equal; uneven: log-normal, the largest some ten times the median; pareto: a tail of index
    1.5; giant: one cluster with a third of all questions.
    """
    rng = np.random.default_rng([SEED, clusters, mean])
    if kind == "uneven":
        return np.maximum(1, np.rint(mean * rng.lognormal(-0.5, 1.0, clusters))).astype(int)
    if kind == "pareto":
        return np.maximum(1, np.floor(mean / 3.0 * (1.0 + rng.pareto(1.5, clusters)))).astype(int)
    sizes = np.full(clusters, mean)
    if kind == "giant":
        sizes[0] = mean * clusters // 2
    return sizes


TRUTHS = ((0.5, 0.5), (0.7, 0.65), (0.9, 0.9), (0.97, 0.9), (0.97, 0.97), (0.99, 0.99))
QUESTIONS = (5, 10, 20, 30, 50, 100, 300, 1000)


def grid() -> Iterator[Cell]:
    yield from of_questions()
    yield from of_clusters()
    yield from of_models()


def of_questions() -> Iterator[Cell]:
    """Means without clusters."""
    for n in (30, 60, 100):
        for p in FINE:
            yield Cell("binary", n, n, p, ())
    for n in QUESTIONS:
        for p in SHARES:
            yield Cell("binary", n, n, p, ())
            for shape in ("beta 1", "beta 4", "beta 20", "mostly 0 or 1"):
                yield Cell("fractional", n, n, p, (("scores", shape),))
            for shape in ("judge 1 to 10", "0 or 100"):
                yield Cell("own units", n, n, p, (("scores", shape),))
            for epochs in (4, 10):
                for icc in (0.1, 0.5):
                    yield Cell("epochs", n, n, p, (("epochs", epochs), ("icc", icc)))


def of_clusters() -> Iterator[Cell]:
    """Means of clustered questions."""
    for clusters in (5, 10, 20, 50, 200):
        for p in SHARES:
            for kind in SIZES:
                for size in (5, 20):
                    n = int(cluster_sizes(kind, clusters, size).sum())
                    sized = (("sizes", kind), ("size", size))
                    for icc in (0.05, 0.3, 0.7):
                        yield Cell("clustered", n, clusters, p, (*sized, ("icc", icc)))
                        if icc > 0.1:
                            of = (*sized, ("icc", icc))
                            yield Cell("clustered logit-normal", n, clusters, p, of)
                    if p < 0.99:
                        of = (*sized, ("icc", 0.3))
                        yield Cell("clustered fractional", n, clusters, p, of)
                        yield Cell("clustered five answers", n, clusters, p, of)
            for harder in ("large", "small"):
                for strength in (1, 2):
                    if p < 0.97:
                        of = (("harder", harder), ("strength", strength), ("icc", 0.3))
                        yield Cell("size tied to difficulty", 10 * clusters, clusters, p, of)


def of_models() -> Iterator[Cell]:
    """Differences of two models."""
    for n in QUESTIONS:
        for a, b in TRUTHS:
            yield Cell("unpaired", n, n, a, (("other", b), ("scores", "binary")))
            yield Cell("unpaired", n, n, a, (("other", b), ("scores", "beta 4")))
            for r in (0.0, 0.5, 0.9):
                yield Cell("paired binary", n, n, a, (("other", b), ("r", r)))
            for shape in ("beta 1", "beta 20", "mostly 0 or 1", "4 epochs"):
                yield Cell("paired", n, n, a, (("other", b), ("r", 0.7), ("scores", shape)))
    for kind in ("equal", "uneven", "giant"):
        for clusters in (5, 10, 20, 50, 200):
            for size in (5, 20):
                n = int(cluster_sizes(kind, clusters, size).sum())
                for a, b in TRUTHS:
                    for r, icc in ((0.0, 0.3), (0.5, 0.1), (0.5, 0.5), (0.9, 0.3)):
                        of = (("other", b), ("sizes", kind), ("size", size), ("icc", icc), ("r", r))
                        yield Cell("paired clustered", n, clusters, a, of)


# Data ---------------------------------------------------------------------------------------------


def quantile(shape: str, p: float, u: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Scores of mean p from uniform numbers: binary, beta of a concentration, mostly 0 or 1, or
    means of 4 epochs.
    """
    if shape == "binary":
        return (u < p).astype(float)
    if shape == "mostly 0 or 1":  # as F1 scores: some are partly right
        partly = min(0.4, 1.2 * (1.0 - p))
        right = p - partly / 2.0
        return np.where(
            u > 1.0 - right, 1.0, np.clip((u - (1.0 - right - partly)) / partly, 0.0, 1.0)
        )
    nu = 1.0 if shape == "4 epochs" else float(shape.split()[1])
    levels = np.linspace(0.0, 1.0, 4001)
    table = special.betaincinv(p * nu, (1.0 - p) * nu, levels)
    middle = (table[1:] + table[:-1]) / 2.0
    scores = middle[np.minimum((u * 4000).astype(int), 3999)]
    scores = np.clip(scores + (p - middle.mean()), 0.0, 1.0)  # the steps' own mean is p
    return rng.binomial(4, scores) / 4.0 if shape == "4 epochs" else scores


def pair(
    cell: Cell, repeats: int, rng: np.random.Generator, codes: np.ndarray | None
) -> list[np.ndarray]:
    """Scores of two models, shape (repeats, n) each, by a normal copula with correlation r and, if
    clustered, ICC.
    """
    r, icc = cell["r"], cell["icc"] if codes is not None else 0.0
    shape = cell["scores"] if cell.design == "paired" else "binary"

    def normal(count: int) -> np.ndarray:
        return rng.standard_normal((repeats, count))

    common, clusters = normal(cell.n), normal(cell.clusters) if codes is not None else None
    sides = []
    for p in (cell.share, cell["other"]):
        latent = math.sqrt(1.0 - icc) * (
            math.sqrt(r) * common + math.sqrt(1.0 - r) * normal(cell.n)
        )
        if codes is not None and clusters is not None:
            latent += (
                math.sqrt(icc)
                * (math.sqrt(r) * clusters + math.sqrt(1.0 - r) * normal(cell.clusters))
            )[:, codes]
        sides.append(quantile(shape, p, special.ndtr(latent), rng))
    return sides


@dataclass(frozen=True, slots=True)
class Drawn:
    """Evals of one mean, a row each: sums of scores on 0..1 over each cluster (question, without
    clusters) and the questions of each.
    """

    total: np.ndarray  # (repeats, clusters)
    sizes: np.ndarray  # (clusters,), or one row for each eval
    answers: int  # of 0/1 answers, how many in all; 0: other scores
    truth: float


def draw_mean(cell: Cell, repeats: int) -> Drawn:
    rng, p, n = cell.generator(), cell.share, cell.n
    alone = np.ones(n, dtype=int)
    if cell.design == "fractional":
        return Drawn(quantile(cell["scores"], p, rng.random((repeats, n)), rng), alone, 0, p)
    if cell.design == "own units":
        if cell["scores"] == "0 or 100":
            return Drawn((rng.random((repeats, n)) < p).astype(float), alone, n, p)
        skill = rng.beta(4.0 * p, 4.0 * (1.0 - p), (repeats, n))
        return Drawn(rng.binomial(9, skill) / 9.0, alone, 0, p)  # (score - 1) / 9
    if cell.design == "epochs":
        k, a = cell["epochs"], (1.0 - cell["icc"]) / cell["icc"]
        right = rng.binomial(k, rng.beta(p * a, (1.0 - p) * a, (repeats, n)))
        return Drawn(right / k, alone, n * k, p)
    a = (1.0 - cell["icc"]) / cell["icc"]
    theta = rng.beta(p * a, (1.0 - p) * a, (repeats, cell.clusters))
    if cell.design == "size tied to difficulty":
        sizes = np.maximum(1, rng.poisson(expected_size(cell, theta)))
        return Drawn(rng.binomial(sizes, theta).astype(float), sizes, 1, tied_truth(cell))
    sizes = cluster_sizes(cell["sizes"], cell.clusters, cell["size"])
    if cell.design == "clustered logit-normal":
        theta = logit_normal(p, cell["icc"], rng.standard_normal(theta.shape))
    if "fractional" not in cell.design and "five" not in cell.design:
        return Drawn(rng.binomial(sizes, theta).astype(float), sizes, int(sizes.sum()), p)
    spread = np.repeat(theta, sizes, axis=1)
    questions = rng.beta(4.0 * spread + 1e-9, 4.0 * (1.0 - spread) + 1e-9)
    if "five" in cell.design:
        answers = (
            rng.beta(3.0 * questions + 1e-9, 3.0 * (1.0 - questions) + 1e-9) for _ in range(5)
        )
        questions = sum(answers) / 5.0
    return Drawn(np.add.reduceat(questions, np.cumsum(sizes) - sizes, axis=1), sizes, 0, p)


def expected_size(cell: Cell, theta: np.ndarray) -> np.ndarray:
    """Questions of a cluster whose questions are right with chance theta."""
    difficulty = 1.0 - theta if cell["harder"] == "large" else theta
    return 1.0 + 20.0 * difficulty ** cell["strength"]


@cache
def tied_truth(cell: Cell) -> float:
    """The share of right questions of all clusters there could be: E[m theta] / E[m]."""
    a = (1.0 - cell["icc"]) / cell["icc"]
    levels = (np.arange(20_000) + 0.5) / 20_000
    theta = special.betaincinv(cell.share * a, (1.0 - cell.share) * a, levels)
    expected = expected_size(cell, theta)
    size = expected + np.exp(-expected)  # E max(1, Poisson)
    return float((size * theta).sum() / size.sum())


@cache
def logit_normal_of(p: float, icc: float) -> tuple[float, float]:
    """Mean and standard deviation of the normal whose inverse logit has mean p and variance
    icc p (1 - p), by bisection over 8,001 quantiles.
    """
    z = special.ndtri((np.arange(8001) + 0.5) / 8001)

    def centre(sd: float) -> float:
        low, high = -80.0, 80.0
        for _ in range(50):
            mu = (low + high) / 2.0
            low, high = (mu, high) if special.expit(mu + sd * z).mean() < p else (low, mu)
        return (low + high) / 2.0

    low, high = 0.01, 30.0
    for _ in range(40):
        sd = (low + high) / 2.0
        spread = special.expit(centre(sd) + sd * z).var()
        low, high = (sd, high) if spread < icc * p * (1.0 - p) else (low, sd)
    return centre(sd), sd


def logit_normal(p: float, icc: float, z: np.ndarray) -> np.ndarray:
    mu, sd = logit_normal_of(p, icc)
    return special.expit(mu + sd * z)
