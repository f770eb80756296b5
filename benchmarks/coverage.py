"""Do the intervals keep their promise? Coverage and width of the default intervals and of others,
by simulation.

`python benchmarks/coverage.py [--repeats N] [--only DESIGN]` draws many evals of known mean for
each cell of a grid, makes every interval on each and counts how often the truth is inside. It
writes coverage.csv (every cell), coverage.md (the summary) and coverage.svg beside this file.
Seeded cell by cell: the same numbers whatever the order or number of workers. Single binary means
without clusters are enumerated, so their coverage is exact.
"""

import argparse
import csv
import math
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import special, stats

from reportkit.stats.bayes import clustered_posterior
from reportkit.stats.bayes_pairs import paired_posterior, unpaired_posterior
from reportkit.stats.evidence import effective_number, rarer_outcome
from reportkit.stats.intervals import Interval, t_quantile, z_quantile
from reportkit.stats.mean import satterthwaite_df
from reportkit.stats.mean_intervals import MeanArrays, mean_ends
from reportkit.stats.paired import difference_ends, mover_ends
from reportkit.stats.proportions import wilson_ends
from reportkit.stats.tango import DifferenceArrays, tango_interval

HERE = Path(__file__).parent
LEVEL, SEED = 0.95, 20241101
Z = z_quantile(LEVEL)
SHARES = (0.5, 0.7, 0.9, 0.97, 0.99)
OURS, BOWYER = "reportkit", "posterior (Bowyer)"
POSTERIORS = 200  # evals whose posterior is taken, of some cells: each costs a tenth of a second
Ends = tuple[np.ndarray, np.ndarray]


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
        return f"{self.design}: n {self.n}, {self.clusters} clusters, mean {self.share}" + (
            f", {rest}" if rest else ""
        )

    def generator(self) -> np.random.Generator:
        return np.random.default_rng([SEED, zlib.crc32(self.label.encode())])


# The grid -----------------------------------------------------------------------------------------


def cluster_sizes(kind: str, clusters: int, mean: int) -> np.ndarray:
    """equal; uneven: log-normal, the largest some ten times the median; giant: one cluster with a
    third of all questions.
    """
    if kind == "uneven":
        drawn = np.random.default_rng([SEED, clusters, mean]).lognormal(-0.5, 1.0, clusters)
        return np.maximum(1, np.rint(mean * drawn)).astype(int)
    sizes = np.full(clusters, mean)
    if kind == "giant":
        sizes[0] = mean * clusters // 2
    return sizes


def grid() -> Iterator[Cell]:
    sizes = (5, 10, 20, 30, 50, 100, 300, 1000, 5000)
    for n in sizes:
        for p in SHARES:
            yield Cell("binary", n, n, p, ())
            for shape in ("beta 1", "beta 4", "beta 20", "mostly 0 or 1"):
                yield Cell("fractional", n, n, p, (("scores", shape),))
            for epochs in (4, 10):
                for icc in (0.1, 0.5):
                    yield Cell("epochs", n, n, p, (("epochs", epochs), ("icc", icc)))
    for kind in ("equal", "uneven", "giant"):
        for clusters in (5, 10, 20, 50, 200):
            for size in (5, 20):
                n = int(cluster_sizes(kind, clusters, size).sum())
                for p in SHARES:
                    for icc in (0.05, 0.3, 0.7):
                        yield Cell(
                            "clustered",
                            n,
                            clusters,
                            p,
                            (("sizes", kind), ("size", size), ("icc", icc)),
                        )
                    yield Cell(
                        "clustered fractional",
                        n,
                        clusters,
                        p,
                        (("sizes", kind), ("size", size), ("icc", 0.3)),
                    )
    truths = ((0.5, 0.5), (0.7, 0.65), (0.9, 0.9), (0.97, 0.9), (0.97, 0.97), (0.99, 0.99))
    for n in sizes:
        for a, b in truths:
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
                for a, b in truths:
                    for r, icc in ((0.0, 0.3), (0.5, 0.1), (0.5, 0.5), (0.9, 0.3)):
                        options = (
                            ("other", b),
                            ("sizes", kind),
                            ("size", size),
                            ("icc", icc),
                            ("r", r),
                        )
                        yield Cell("paired clustered", n, clusters, a, options)


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
    shape = "binary" if cell.design != "paired" else cell["scores"]

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


# Intervals ----------------------------------------------------------------------------------------


def cr2(total: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Mean, CR2 SE, CR1 SE and df from cluster totals, shape (repeats, G)."""
    n, g = int(sizes.sum()), len(sizes)
    value = total.sum(axis=1) / n
    s = total - sizes * value[:, None]
    se = np.sqrt((s * s / (1.0 - sizes / n)).sum(axis=1)) / n
    se[se < 1e-13] = 0.0
    return value, se, np.sqrt((s * s).sum(axis=1) * g / (g - 1)) / n, satterthwaite_df(sizes, n)


def around(value: np.ndarray, half: np.ndarray) -> Ends:
    return value - half, value + half


def of_means(cell: Cell, repeats: int) -> tuple[float, dict[str, Ends]]:
    """The intervals of one mean, for designs without pairs."""
    rng, p, n = cell.generator(), cell.share, cell.n
    binary, answers, sizes = True, n, np.ones(n, dtype=int)
    if cell.design == "fractional":
        binary = False
        total = quantile(cell["scores"], p, rng.random((repeats, n)), rng)
    elif cell.design == "epochs":
        k, a = cell["epochs"], (1.0 - cell["icc"]) / cell["icc"]
        total = rng.binomial(k, rng.beta(p * a, (1.0 - p) * a, (repeats, n))) / k
        answers = n * k
    else:
        sizes = cluster_sizes(cell["sizes"], cell.clusters, cell["size"])
        a = (1.0 - cell["icc"]) / cell["icc"]
        theta = rng.beta(p * a, (1.0 - p) * a, (repeats, cell.clusters))
        if cell.design == "clustered":
            total = rng.binomial(sizes, theta).astype(float)
        else:
            binary = False
            spread = np.repeat(theta, sizes, axis=1)
            questions = rng.beta(4.0 * spread + 1e-9, 4.0 * (1.0 - spread) + 1e-9)
            total = np.add.reduceat(questions, np.cumsum(sizes) - sizes, axis=1)
    value, se, cr1, df = cr2(total, sizes)
    informative = rarer_outcome(total / sizes)
    counted = answers if binary else 0
    of = MeanArrays(value, se, df, n, len(sizes), informative)
    low, high, _ = mean_ends(of, answers=counted, share=True, level=LEVEL)
    found = {
        OURS: (low, high),
        "normal (paper)": around(value, Z * cr1),
        "t, CR2": around(value, t_quantile(LEVEL, df) * se),
    }
    if binary:
        with np.errstate(invalid="ignore", divide="ignore"):
            effective = np.where(
                se > 0.0, np.minimum(answers, value * (1 - value) / se**2), len(sizes)
            )
            found["Wilson, effective n, z"] = wilson_ends(value, effective, LEVEL)
            shortened = np.where(
                se > 0.0,
                np.minimum(answers, value * (1 - value) / se**2 * (Z / t_quantile(LEVEL, df)) ** 2),
                len(sizes),
            )
            found["Wilson, effective n, t"] = wilson_ends(value, shortened, LEVEL)
    if (
        cell.design == "clustered"
        and (cell["sizes"], cell["size"], cell["icc"]) == ("equal", 5, 0.3)
        and cell.clusters <= 20
    ):
        counts = np.sort(total[:POSTERIORS].astype(int), axis=1)
        found[BOWYER] = posteriors(
            counts, lambda y: clustered_posterior(np.array(y), sizes, LEVEL).interval
        )
    return p, found


def of_unpaired(cell: Cell, repeats: int) -> tuple[float, dict[str, Ends]]:
    rng, n = cell.generator(), cell.n
    sides, moments = [], []
    for p in (cell.share, cell["other"]):
        s = quantile(cell["scores"], p, rng.random((repeats, n)), rng)
        value, se, _, df = cr2(s, np.ones(n, dtype=int))
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
    if cell["scores"] == "binary" and 10 <= n <= 100:
        counts = np.rint(np.column_stack([a, b])[:POSTERIORS] * n).astype(int)
        found[BOWYER] = posteriors(
            counts, lambda y: unpaired_posterior(y[0], n, y[1], n, LEVEL).difference
        )
    return cell.share - cell["other"], found


def of_pairs(cell: Cell, repeats: int) -> tuple[float, dict[str, Ends]]:
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
    value, se, cr1, df = cr2(np.add.reduceat(d, starts, axis=1), sizes)
    informative = effective_number(np.add.reduceat(np.abs(d), starts, axis=1) / sizes)
    if cell.design == "paired binary":
        ours = tango_interval(gain, loss, cell.n, LEVEL)
    else:
        n, g, dfs = (np.full(repeats, v) for v in (cell.n, len(sizes), df))
        of = DifferenceArrays(value, se, dfs, n, g, gain, loss, informative)
        binary = cell.design == "paired clustered"
        ours = difference_ends(of, binary=binary, share=True, level=LEVEL)[:2]
    found = {
        OURS: ours,
        "normal (paper)": around(value, Z * cr1),
        "t, CR2": around(value, t_quantile(LEVEL, df) * se),
    }
    if cell.design == "paired binary":
        found["Bonett-Price"] = bonett_price(gain, loss, cell.n)
        if cell.n in (30, 100) and cell["r"] == 0.5:
            counts = np.column_stack([both, gain, loss])[:POSTERIORS].astype(int)
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
        OURS: wilson_ends(share, n, LEVEL, modified=True),
        "normal (paper)": around(share, Z * se),
        "t": around(share, t_quantile(LEVEL, n - 1) * se),
        "Wilson": wilson_ends(share, n, LEVEL),
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


def measure(cell: Cell, repeats: int) -> list[tuple[str, float, float, float, int]]:
    """Method, coverage of the intervals it prints, mean width, share of evals for which it prints
    none, evals drawn.
    """
    if cell.design == "binary":
        return of_binary(cell)
    kind: Callable[[Cell, int], tuple[float, dict[str, Ends]]] = (
        of_unpaired
        if cell.design == "unpaired"
        else of_pairs
        if cell.design.startswith("paired")
        else of_means
    )
    truth, found = kind(cell, repeats)
    rows = []
    for name, (low, high) in found.items():
        printed = ~np.isnan(low)
        inside = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
        coverage = float(inside[printed].mean()) if printed.any() else math.nan
        width = float((high - low)[printed].mean()) if printed.any() else math.nan
        rows.append((name, coverage, width, 1.0 - float(printed.mean()), len(low)))
    return rows


def run(cell: Cell, repeats: int) -> list[dict[str, object]]:
    repeats = min(repeats, max(500, 10_000_000 // cell.n))
    return [
        {
            "design": cell.design,
            "n": cell.n,
            "clusters": cell.clusters,
            "mean": cell.share,
            "options": "; ".join(f"{k} {v}" for k, v in cell.options),
            "method": name,
            "coverage": round(coverage, 5),
            "simulation_error": round(math.sqrt(max(coverage * (1 - coverage), 0.0) / drawn), 5)
            if drawn
            else 0.0,
            "width": round(width, 6),
            "not_printed": round(none, 5),
        }
        for name, coverage, width, none, drawn in measure(cell, repeats)
    ]


# Report -------------------------------------------------------------------------------------------

GOALS = "from 30 questions or 10 clusters on at least 0.93, below that at least 0.90"


def bound(row: dict) -> float:
    """The coverage that the default must reach in this cell."""
    large = row["clusters"] >= 10 if "clustered" in row["design"] else row["n"] >= 30
    return 0.93 if large else 0.90


def band(row: dict) -> str:
    units = row["clusters"] if "clustered" in row["design"] else row["n"]
    edges = ((10, "below 10"), (30, "10 to 29"), (100, "30 to 99"))
    return next((name for edge, name in edges if units < edge), "100 and more")


def summary(rows: list[dict], repeats: int) -> str:
    """The table of the README of this folder, as Markdown."""
    lines = [
        f"Nominal coverage {LEVEL}; {repeats:,} simulated evals a cell (fewer, at least 500, "
        f"from {10_000_000 // repeats:,} "
        "questions on), so a coverage near 0.95 has a standard error of about "
        f"{math.sqrt(0.95 * 0.05 / repeats):.3f}; single binary means are enumerated. Posteriors "
        "are of "
        f"{POSTERIORS} evals in some cells. Units are clusters where there are any, "
        "else questions. Width is relative to the default's, over the cells where both print one.",
        "",
        "| Design | Units | Interval | Cells | Lowest coverage | Mean coverage | Mean miss | "
        "Width |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    groups: dict[tuple[str, str, str], list[dict]] = {}
    for row in rows:
        groups.setdefault((row["design"], band(row), row["method"]), []).append(row)
    bands = ["below 10", "10 to 29", "30 to 99", "100 and more"]
    for design in dict.fromkeys(row["design"] for row in rows):
        for units in bands:
            for (d, u, method), cells in groups.items():
                if (d, u) != (design, units):
                    continue
                ours = {c["cell"]: c for c in groups[design, units, OURS]}
                shown = [c for c in cells if not math.isnan(c["coverage"])]
                coverage = np.array([c["coverage"] for c in shown])
                pairs = [
                    (c["width"], ours[c["cell"]]["width"])
                    for c in shown
                    if not math.isnan(ours[c["cell"]]["width"])
                ]
                width = np.mean([w / o for w, o in pairs if o > 0])
                name = f"**{method}**" if method == OURS else method
                lines.append(
                    f"| {design} | {units} | {name} | {len(cells)} | {coverage.min():.3f} | "
                    f"{coverage.mean():.3f} "
                    f"| {np.abs(coverage - LEVEL).mean():.3f} | {width:.2f} |"
                )
    ours_rows = [r for r in rows if r["method"] == OURS and not math.isnan(r["coverage"])]
    below = [r for r in ours_rows if r["coverage"] < bound(r)]
    far = [r for r in below if r["coverage"] + 2 * r["simulation_error"] < bound(r)]
    lines += [
        "",
        f"The goal is {GOALS}. {len(below)} of {len(ours_rows)} cells of the default are below "
        f"it, {len(far)} of "
        "them by more than two simulation errors:",
        "",
    ]
    lines += ["| Cell | Coverage | Simulation error | Goal |", "| --- | ---: | ---: | ---: |"]
    for r in sorted(below, key=lambda r: r["coverage"] - bound(r)):
        lines.append(
            f"| {r['cell']} | {r['coverage']:.4f} | {r['simulation_error']:.4f} | {bound(r):.2f} |"
        )
    for units, what in (("n", "questions"), ("clusters", "units (clusters where there are any)")):
        large = [r["coverage"] for r in ours_rows if r[units] >= 100]
        miss, under = (
            np.mean([abs(c - LEVEL) for c in large]),
            np.mean([max(LEVEL - c, 0.0) for c in large]),
        )
        lines += [
            "",
            f"From 100 {what} on the default misses {LEVEL} by {miss:.4f} on average over "
            f"{len(large)} cells, "
            f"{under:.4f} of it below.",
        ]
    lines += [
        "",
        "Right answers are whole numbers, so not every coverage can be had. For single binary "
        "means of few questions: the "
        "nearest coverages of runs of counts around the likeliest one, below 0.95 and from it on.",
        "",
        "| n | True mean | reportkit | Nearest below | Nearest above |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    for r in ours_rows:
        if r["design"] == "binary" and r["n"] <= 100 and abs(r["coverage"] - LEVEL) > 0.01:
            below_it, above = attainable(r["n"], r["mean"])
            low = "none" if below_it is None else f"{below_it:.3f}"
            lines.append(f"| {r['n']} | {r['mean']} | {r['coverage']:.3f} | {low} | {above:.3f} |")
    return "\n".join(lines) + "\n"


def attainable(n: int, p: float) -> tuple[float | None, float]:
    """The coverages nearest to the level, below it and not, of sets of neighbouring counts that
    hold the likeliest one.
    """
    cumulative = np.concatenate([[0.0], stats.binom.cdf(np.arange(n + 1), n, p)])
    mode = min(int((n + 1) * p), n)
    sums = (cumulative[mode + 1 :][None, :] - cumulative[: mode + 1][:, None]).ravel()
    below = sums[sums < LEVEL]
    return (float(below.max()) if len(below) else None), float(sums[sums >= LEVEL].min())


def figure(rows: list[dict], path: Path) -> None:
    """One panel for each design: every cell's coverage, method by method."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "reportkit"
    from matplotlib import pyplot as plt

    designs = list(dict.fromkeys(row["design"] for row in rows))
    figure, axes = plt.subplots(
        3, math.ceil(len(designs) / 3), figsize=(11, 8.5), sharex=True, layout="constrained"
    )
    for axis, design in zip(axes.flat, designs, strict=False):
        here = [
            r
            for r in rows
            if r["design"] == design and not math.isnan(r["coverage"]) and bound(r) == 0.93
        ]
        methods = list(dict.fromkeys(r["method"] for r in here))
        for y, method in enumerate(methods):
            values = np.sort([r["coverage"] for r in here if r["method"] == method])
            spread = (np.arange(len(values)) * 0.618034 % 1.0 - 0.5) * 0.6
            axis.plot(
                np.maximum(values, 0.5),
                y + spread,
                ".",
                ms=2.2,
                alpha=0.6,
                color="#0b6e4f" if method == OURS else "#8a8a8a",
                rasterized=True,
            )
            axis.plot([max(values.min(), 0.5)], [y], "|", ms=14, mew=1.6, color="#c1440e")
        axis.axvline(LEVEL, color="black", lw=0.8)
        axis.axvline(0.93, color="black", lw=0.8, ls=":")
        axis.set_yticks(range(len(methods)), methods, fontsize=8)
        axis.set_ylim(len(methods) - 0.5, -0.5)
        axis.set_xlim(0.49, 1.005)
        axis.set_title(design, fontsize=10, loc="left")
        axis.tick_params(axis="x", labelsize=8)
        for side in ("top", "right", "left"):
            axis.spines[side].set_visible(False)
        axis.tick_params(axis="y", length=0)
    for axis in axes.flat[len(designs) :]:
        axis.set_visible(False)
    figure.supxlabel(
        "Coverage of nominal 95% intervals, a dot a cell (n >= 30 or 10 clusters and more); bar: "
        "lowest; dotted: 0.93; "
        "below 0.5 drawn at 0.5",
        fontsize=9,
    )
    figure.savefig(path, metadata={"Date": None}, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=2000, help="simulated evals for each cell")
    parser.add_argument(
        "--only", default="", help="designs whose name starts with this, printed and not written"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cells = [c for c in grid() if c.design.startswith(options.only)]
    rows: list[dict] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for cell, found in zip(
            cells, pool.map(run, cells, [options.repeats] * len(cells), chunksize=4), strict=True
        ):
            rows += [{"cell": cell.label, **row} for row in found]
    rows.sort(key=lambda r: list(dict.fromkeys(c.design for c in cells)).index(r["design"]))
    text = summary(rows, options.repeats)
    if options.only:
        print(text)
        return
    with (HERE / "coverage.csv").open("w", newline="") as file:
        writer = csv.DictWriter(
            file,
            fieldnames=[k for k in rows[0] if k != "cell"],
            extrasaction="ignore",
            lineterminator="\n",
        )
        writer.writeheader()
        writer.writerows(rows)
    (HERE / "coverage.md").write_text(text)
    figure(rows, HERE / "coverage.svg")
    print(text)


if __name__ == "__main__":
    main()
