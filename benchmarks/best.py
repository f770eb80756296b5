"""How often the truly best model is left out of the bold ones, and how large the set is: by the
rule of the report and by others. `make best` writes best.md and best.csv (every design).

Evals are simulated from designs: models, questions, correlation of two models, true means, scores
of several kinds. Every method gets the same tests, those that the report prints (stats.all_pairs).
The designs by which the rule was chosen are other ones (CHOSEN_ON), with another seed.
"""

import argparse
import csv
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

from reportkit import stats

HERE = Path(__file__).parent
ALPHA, SEED = 0.05, 20
KINDS = (
    "points",
    "0/1",
    "points, clusters",
    "0/1, clusters",
    "points, best model lacks half",
    "points, others lack half",
    "points, best model steady",
)
PATTERNS = ("equal", "one ahead", "two tied", "half tied", "ladder")
MODELS, QUESTIONS, CORRELATIONS = (2, 5, 10, 30), (30, 100, 300, 1000), (0.0, 0.3, 0.9)
CHOSEN_ON = "30 and 200 questions, correlations 0 and 0.6, steps of 0.5, 1, 3, 6 and 12 SE"
CLUSTER, NOISE = 5, 0.6  # questions of a cluster; sd of what a model's answers in one share
STEADY = 0.2  # spread of the best model's scores, where those of the others have 1
JOINT_DRAWS = 400
MISSES = "plain interval misses"
EVERY = 5  # one eval in so many has its intervals made at every level: they take most of the time


@dataclass(frozen=True)
class Design:
    kind: str
    pattern: str
    models: int
    n: int
    correlation: float
    step: float  # in SE of a difference

    @property
    def means(self) -> np.ndarray:
        """True means on the latent scale; model 0 is a best one."""
        se = np.sqrt(2.0 * (1.0 - self.correlation) / self.n)
        if "cluster" in self.kind:
            se *= 1.6
        m = np.zeros(self.models)
        if self.pattern == "one ahead":
            m[1:] = -1.0
        elif self.pattern == "two tied":
            m[2:] = -1.0
        elif self.pattern == "half tied":
            m[max(2, self.models // 2) :] = -1.0
        elif self.pattern == "ladder":
            m = -0.5 * np.arange(self.models)
        return m * se * self.step


def designs() -> Iterator[Design]:
    """Every kind, pattern and number of models; questions, correlations and steps take turns."""
    turns = cycle(product(QUESTIONS, CORRELATIONS, (0.8, 2.0, 4.5)))
    for k, (kind, pattern, m) in enumerate(product(KINDS, PATTERNS, MODELS)):
        if m == 2 and pattern in ("two tied", "half tied"):
            continue
        for _ in range(1 + k % 5):
            turn = next(turns)
        yield Design(kind, pattern, m, *turn)


@dataclass(frozen=True)
class Eval:
    scores: np.ndarray
    clusters: np.ndarray | None
    binary: bool


def draw(d: Design, rng: np.random.Generator) -> Eval:
    n, m, r = d.n, d.models, d.correlation
    x = np.sqrt(r) * rng.normal(size=(n, 1)) + np.sqrt(1.0 - r) * rng.normal(size=(n, m))
    clusters = None
    if "cluster" in d.kind:
        clusters = np.arange(n) // CLUSTER
        x = x + NOISE * np.sqrt(1.0 - r) * rng.normal(size=(clusters[-1] + 1, m))[clusters]
    if "steady" in d.kind:
        x[:, 0] *= STEADY
    x = x + d.means
    if d.kind.startswith("0/1"):
        return Eval((x + ndtri(0.8) > 0.0).astype(float), clusters, True)
    if "lack" in d.kind:
        lacking = np.full(m, 0.0 if "best" in d.kind else 0.5)
        lacking[0] = 0.5 - lacking[-1]
        x[rng.random((n, m)) < lacking] = np.nan
    return Eval(x, clusters, False)


def truth(d: Design) -> np.ndarray:
    """True means in the units of the scores."""
    if d.kind.startswith("0/1"):
        spread = np.sqrt(1.0 + NOISE**2 * (1.0 - d.correlation) * ("cluster" in d.kind))
        return ndtr((d.means + ndtri(0.8)) / spread)
    return d.means


# The methods: which models may be the best, shape (M,) --------------------------------------------


@dataclass(frozen=True)
class Seen:
    """One eval as the methods see it."""

    means: np.ndarray
    p: np.ndarray  # one-sided, row against column; 1 on the diagonal
    pairs: stats.Pairs
    found: np.ndarray  # by Holm over all pairs
    eval: Eval
    rng: np.random.Generator


def seen(e: Eval, rng: np.random.Generator) -> Seen:
    pairs = stats.all_pairs(e.scores, e.clusters, binary=e.binary, share=e.binary)
    m = e.scores.shape[1]
    p = stats.ahead(pairs, m)
    found = np.zeros((m, m), dtype=bool)
    clear = pairs.p_adjusted < ALPHA
    up, down = clear & (pairs.difference > 0.0), clear & (pairs.difference < 0.0)
    found[pairs.first[up], pairs.second[up]] = True
    found[pairs.second[down], pairs.first[down]] = True
    return Seen(np.nanmean(e.scores, axis=0), np.where(np.isnan(p), 1.0, p), pairs, found, e, rng)


def of_report(s: Seen) -> np.ndarray:
    p = np.where(np.eye(len(s.means), dtype=bool), np.nan, s.p)
    b = stats.best_set(s.means, p, 1.0 - ALPHA, found=s.found)
    return b.bold | b.untold


def bonferroni(s: Seen) -> np.ndarray:
    return s.p.min(axis=0) * (len(s.means) - 1) >= ALPHA


def two_steps(s: Seen) -> np.ndarray:
    """A tenth of alpha finds the models that lie clearly below, the others share the rest."""
    m = len(s.means)
    left = m - 1 - (s.p < 0.1 * ALPHA / (m - 1)).sum(axis=1)
    return s.p.min(axis=0) * np.clip(left / 0.9, 1.0, m - 1) >= ALPHA


def holm_with_best(s: Seen) -> np.ndarray:
    best = int(np.argmax(s.means))
    kept = np.ones(len(s.means), dtype=bool)
    others = np.arange(len(s.means)) != best
    kept[others] = stats.holm(s.p[best, others]) >= ALPHA
    return kept


def holm_of_pairs(s: Seen) -> np.ndarray:
    """What main did until now: two-sided, with the highest mean, Holm over every pair."""
    return ~s.found[int(np.argmax(s.means))]


def joint(s: Seen) -> np.ndarray:
    """The joint maximum over each model's comparisons, from a normal with the estimated covariance
    of the means; undefined where scores are missing.
    """
    m = len(s.means)
    v, _ = stats.mean_covariance(s.eval.scores, s.eval.clusters)
    z = s.rng.multivariate_normal(np.zeros(m), v, size=JOINT_DRAWS)
    own = np.diag(v)
    se = np.sqrt(np.maximum(own[:, None] + own - 2.0 * v, 1e-300))
    t = (z[:, :, None] - z[:, None, :]) / se
    t[:, range(m), range(m)] = -np.inf
    area = ndtr(-np.quantile(t.max(axis=1), 1.0 - ALPHA, axis=0))
    return s.p.min(axis=0) >= area


METHODS: dict[str, Callable[[Seen], np.ndarray]] = {
    "the report's": of_report,
    "two steps, 10% of alpha first": two_steps,
    "Bonferroni over M - 1": bonferroni,
    "Holm over those with the best, one-sided": holm_with_best,
    "Holm over all pairs, two-sided (before)": holm_of_pairs,
    "joint maximum, M up to 10": joint,
}


def applies(name: str, d: Design) -> bool:
    return not name.startswith("joint") or (d.models <= 10 and "lack" not in d.kind)


# Counting -----------------------------------------------------------------------------------------


def simulate(d: Design, evals: int, rng: np.random.Generator) -> dict[str, float]:
    """Shares and mean sizes of one design."""
    out: dict[str, float] = {}
    mu = truth(d)
    # The true rank; models that tie share it.
    least = 1 + (mu[None, :] > mu[:, None]).sum(axis=1)

    def add(name: str, value: float) -> None:
        out[name] = out.get(name, 0.0) + value / evals

    for k in range(evals):
        s = seen(draw(d, rng), rng)
        for name, method in METHODS.items():
            if applies(name, d):
                kept = method(s)
                add(f"{name}|out", not kept[0])
                add(f"{name}|size", kept.sum())
        p = np.where(np.eye(d.models, dtype=bool), np.nan, s.p)
        b = stats.best_set(s.means, p, 1.0 - ALPHA, found=s.found)
        add("not bold", not b.bold[0])
        add("marked", b.untold.sum())
        wrong = (b.low > least) | (b.high < least)
        add("rank set wrong", wrong.mean())
        add("rank set of the best wrong", wrong[0])
        if d.models > 4 and k % EVERY == 0:
            for name, value in intervals(s, b, mu).items():
                add(name, value * EVERY)
    return out


def intervals(s: Seen, b: stats.BestSet, mu: np.ndarray) -> dict[str, float]:
    """Share of the rows "X minus the highest mean" whose interval misses, printed and plain, and
    whether any does.
    """
    best = int(np.argmax(s.means))
    p = s.pairs
    rows = np.flatnonzero((p.first == best) | (p.second == best))
    other = np.where(p.first[rows] == best, p.second[rows], p.first[rows])
    true = mu[p.first[rows]] - mu[p.second[rows]]
    low, high = p.low[rows].copy(), p.high[rows].copy()
    plain = (true < low) | (true > high)
    for r in np.unique(b.rivals[other]):
        if r > 1:
            e = s.eval
            q = stats.all_pairs(
                e.scores, e.clusters, binary=e.binary, share=e.binary, level=1.0 - ALPHA / r
            )
            here = b.rivals[other] == r
            low[here], high[here] = q.low[rows[here]], q.high[rows[here]]
    missed = (true < low) | (true > high)
    return {
        "plain interval misses": plain.mean(),
        "printed interval misses": missed.mean(),
        "plain, some misses": plain.any(),
        "printed, some misses": missed.any(),
    }


# All pairs: Holm, or a step-down maximum --------------------------------------------------------

PAIR_DRAWS = 2000
PAIR_DESIGNS = [
    Design(kind, pattern, m, n, r, 3.0)
    for kind, n in (
        ("points", 30),
        ("points", 300),
        ("points, clusters", 30),
        ("points, clusters", 100),
        ("0/1", 30),
        ("0/1", 300),
    )
    for pattern, m, r in (("equal", 5, 0.9), ("equal", 30, 0.3), ("half tied", 10, 0.3))
]


def step_down(s: Seen) -> np.ndarray:
    """Adjusted p of every pair: Westfall & Young's free step-down maximum, with the joint normal of
    the estimated covariance and each pair's own p as a normal quantile.
    """
    v, _ = stats.mean_covariance(s.eval.scores, s.eval.clusters)
    z = s.rng.multivariate_normal(np.zeros(len(v)), v, size=PAIR_DRAWS)
    i, j = s.pairs.first, s.pairs.second
    se = np.sqrt(np.maximum(v[i, i] + v[j, j] - 2.0 * v[i, j], 1e-300))
    drawn = np.abs(z[:, i] - z[:, j]) / se
    seen_z = -ndtri(np.clip(s.pairs.p_value, 1e-300, 1.0) / 2.0)
    order = np.argsort(-seen_z)
    most = np.maximum.accumulate(drawn[:, order[::-1]], axis=1)[:, ::-1]
    p = np.empty(len(i))
    p[order] = np.maximum.accumulate((most >= seen_z[order]).mean(axis=0))
    return p


def simulate_pairs(d: Design, evals: int, rng: np.random.Generator) -> dict[str, float]:
    """Share of evals with a false finding among all pairs, and findings, by Holm and step-down."""
    mu = truth(d)
    out = dict.fromkeys(("Holm false", "step-down false", "Holm found", "step-down found"), 0.0)
    for _ in range(evals):
        s = seen(draw(d, rng), rng)
        null = np.abs(mu[s.pairs.first] - mu[s.pairs.second]) < 1e-9
        for name, p in (("Holm", s.pairs.p_adjusted), ("step-down", step_down(s))):
            out[f"{name} false"] += ((p < ALPHA) & null).any() / evals
            out[f"{name} found"] += ((p < ALPHA) & ~null).sum() / evals
    return out


def pairs_page(evals: int) -> str:
    rng = np.random.default_rng(SEED + 1)
    lines = [
        "",
        "## All pairs: Holm, or a step-down maximum over their joint distribution",
        "",
        f"{evals:,} evals of each design. False: share of evals in which some pair of equal models "
        "is found different (two-sided, 5% is allowed). Found: pairs of unequal models that are "
        "found, of one eval. The step-down maximum is that of Westfall & Young 1993 and Romano & "
        "Wolf 2005, from the normal with the estimated covariance, its statistics made of the "
        "pairs' own p.",
        "",
        "| Scores | true means | models | questions | correlation | false, Holm | step-down "
        "| found, Holm | step-down |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for d in PAIR_DESIGNS:
        f = simulate_pairs(d, evals, rng)
        print(d, f, file=sys.stderr, flush=True)
        lines.append(
            f"| {d.kind} | {d.pattern} | {d.models} | {d.n} | {d.correlation} "
            f"| {f['Holm false']:.3f} | {f['step-down false']:.3f} "
            f"| {f['Holm found']:.2f} | {f['step-down found']:.2f} |"
        )
    return "\n".join(lines) + "\n"


# The page -----------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evals", type=int, default=2000)
    evals = parser.parse_args().evals
    rng, rows, start = np.random.default_rng(SEED), [], time.time()
    for d in designs():
        rows.append((d, simulate(d, evals, rng)))
        print(f"{time.time() - start:5.0f} s  {d}", file=sys.stderr, flush=True)
    with open(HERE / "best.csv", "w", newline="") as file:
        names = list(dict.fromkeys(name for _, found in rows for name in found))
        writer = csv.writer(file)
        writer.writerow([*Design.__annotations__, *names])
        for d, found in rows:
            values = [f"{found[name]:.5f}" if name in found else "" for name in names]
            writer.writerow([*vars(d).values(), *values])
    (HERE / "best.md").write_text(page(rows, evals) + pairs_page(evals))


def page(rows: list[tuple[Design, dict[str, float]]], evals: int) -> str:
    error = np.sqrt(ALPHA * (1.0 - ALPHA) / evals)
    lines = [
        "# The confidence set for the best model",
        "",
        f"`make best` simulates {evals:,} evals of each of {len(rows)} designs: "
        f"{', '.join(map(str, MODELS))} models; {', '.join(map(str, QUESTIONS))} questions; pairs "
        f"correlated {', '.join(map(str, CORRELATIONS))}; true means equal, one ahead, two tied "
        "ahead, half of them tied ahead, a ladder, in steps of 0.8, 2 or 4.5 SE of a difference; "
        f"scores of these kinds: {'; '.join(KINDS)}. Clusters have {CLUSTER} questions. The rule "
        f"was chosen on other designs ({CHOSEN_ON}) and another seed.",
        "",
        "Left out: share of evals in which a truly best model is neither bold nor marked as one of "
        f"which too little is known; 5% is allowed, two simulation errors are {2 * error:.2%}. "
        "Size: models that are kept, over designs of 5 models or more (the mean of the designs).",
        "",
        "| Method | left out, highest | designs above 5% + 2 errors | mean | size, 5 | 10 | 30 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in METHODS:
        out = [f[f"{name}|out"] for _, f in rows if f"{name}|out" in f]
        sizes = [
            _mean([f[f"{name}|size"] for d, f in rows if d.models == m and f"{name}|size" in f])
            for m in (5, 10, 30)
        ]
        over = sum(x > ALPHA + 2 * error for x in out)
        cells = [name, f"{max(out):.3f}", f"{over} of {len(out)}", f"{np.mean(out):.4f}", *sizes]
        lines.append(f"| {' | '.join(cells)} |")
    ours, joint_name = list(METHODS)[0], list(METHODS)[-1]
    same = [(d, f) for d, f in rows if f"{joint_name}|out" in f]
    lines += [
        "",
        "On the designs of the joint maximum the report's sets have "
        + " and ".join(
            f"{_mean([f[f'{ours}|size'] for d, f in same if d.models == m])} of {m}"
            for m in (5, 10)
        )
        + " models. It is not taken: it needs scores without gaps and many degrees of freedom. "
        "Holm's step-down over the comparisons with the highest mean is not taken: where the best "
        "model's scores vary least (spread "
        f"{STEADY} against 1) it leaves that out more often than it may.",
        "",
        "The report's rule by kind of scores; not bold counts the marked models too, whose mean "
        "lies below one that is found worse.",
        "",
        "| Scores | left out, highest | not bold, highest | marked models, mean | rank set wrong, "
        "highest | of the best model |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    of_ours = f"{next(iter(METHODS))}|out"
    for kind in KINDS:
        of = [f for d, f in rows if d.kind == kind]
        lines.append(
            f"| {kind} | {max(f[of_ours] for f in of):.3f} "
            f"| {max(f['not bold'] for f in of):.3f} "
            f"| {np.mean([f['marked'] for f in of]):.3f} "
            f"| {np.nanmax([f['rank set wrong'] for f in of]):.3f} "
            f"| {np.nanmax([f['rank set of the best wrong'] for f in of]):.3f} |"
        )
    lines += [
        "",
        "## The interval of a difference from a best model that the data chose",
        "",
        "Share of rows whose interval misses the true difference, and of evals in which some row "
        "of the table does. Printed: at alpha over the rivals of the row's model, so that each row "
        "holds whichever model is chosen; plain: the interval of one comparison. The rows are not "
        f"promised to hold all together. From one eval in {EVERY}.",
        "",
        "| True means | models | plain, highest | printed, highest | printed, mean "
        "| plain, some row | printed, some row |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for pattern, m in product(PATTERNS, (5, 10, 30)):
        of = [
            f
            for d, f in rows
            if (d.pattern, d.models) == (pattern, m) and f.get(MISSES) is not None
        ]
        values = [
            max(f["plain interval misses"] for f in of),
            max(f["printed interval misses"] for f in of),
            np.mean([f["printed interval misses"] for f in of]),
            max(f["plain, some misses"] for f in of),
            max(f["printed, some misses"] for f in of),
        ]
        lines.append(f"| {pattern} | {m} | {' | '.join(f'{v:.3f}' for v in values)} |")
    return "\n".join(lines) + "\n"


def _mean(values: list[float]) -> str:
    return f"{np.mean(values):.2f}" if values else ""


if __name__ == "__main__":
    main()
