"""False findings of `reportkit check-table`: honest tables, printed as papers print them, must have
no inconsistency. `make check-table` writes check_table.md.

A table is two to five models on one to four evals: 0/1 scores, several answers each, or fractional
scores; errors naive, clustered or by Bernoulli's formula; intervals by z, t, Wilson, Clopper and
Pearson or the report's own; numbers rounded to nearest or cut off, to 0, 1 or 2 digits of percent.
Differences are paired, with their correlation.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from reportkit.analysis.published import check_published
from reportkit.loading.published import read_published
from reportkit.stats import (
    clopper_pearson_interval,
    counted_interval,
    mean_estimate,
    paired_difference,
    wilson_interval,
)
from reportkit.stats.intervals import normal_interval, t_interval

HEADS = ["eval", "model", "n", "clusters", "answers", "scores", "mean", "se", "95% CI"]
DIFFERENCE = ["eval", "model", "baseline", "difference", "se", "95% CI", "correlation"]


def printed(x: float, digits: int, how: str) -> str:
    """A share as a percentage, rounded or cut off."""
    scaled = 100.0 * x
    if how == "cut":
        scaled = np.trunc(scaled * 10**digits + np.sign(scaled) * 1e-9) / 10**digits
    return f"{scaled:.{digits}f}%"


def scores(rng: np.random.Generator, kind: str, models: int, n: int, size: int) -> np.ndarray:
    """Shape (models, n): one score for each question; questions of a cluster are alike."""
    hard = rng.normal(0.0, rng.uniform(0.3, 2.0), -(-n // size)).repeat(size)[:n]
    hard = hard + rng.normal(0.0, 1.0, n)
    skill = rng.normal(rng.uniform(-1.0, 3.0), 0.5, models)[:, None]
    p = 1.0 / (1.0 + np.exp(-(skill + hard)))
    if kind == "binary":
        return (rng.random((models, n)) < p).astype(float)
    if kind == "answers":
        return rng.binomial(5, p) / 5.0
    return np.clip(np.round(rng.beta(2.0 * p + 0.05, 2.0 * (1.0 - p) + 0.05), 4), 0.0, 1.0)


def interval(rng: np.random.Generator, x: np.ndarray, estimate, kind: str, grouped: bool):
    """Ends of an interval by one of the methods that fit the scores."""
    methods = ["z", "t"] if grouped or kind != "binary" else ["z", "t", "wilson", "cp", "own"]
    method = rng.choice(methods)
    right, n = round(x.sum()), len(x)
    if method == "z":
        return normal_interval(estimate)
    if method == "t":
        return t_interval(estimate)
    by = {"wilson": wilson_interval, "cp": clopper_pearson_interval, "own": counted_interval}
    return by[method](right, n)


def one_table(rng: np.random.Generator) -> str:
    """A honest table as Markdown: means, then differences."""
    digits, how = int(rng.integers(0, 3)), str(rng.choice(["nearest", "cut"]))
    means, differences = [], []
    for e in range(rng.integers(1, 5)):
        kind = str(rng.choice(["binary", "answers", "fractional"]))
        n, size = int(rng.integers(12, 3000)), int(rng.choice([1, 1, 4, 10]))
        grouped = size > 1
        x = scores(rng, kind, int(rng.integers(2, 6)), n, size)
        clusters = np.arange(n) // size if grouped else None
        said = bool(rng.random() < 0.5)
        for m, own in enumerate(x):
            estimate = mean_estimate(own, clusters)
            ends = interval(rng, own, estimate, kind, grouped)
            cells = [f"E{e}", f"M{m}", f"{n:,}", str(estimate.n_clusters) if grouped else ""]
            cells += ["5" if kind == "answers" else "", kind if said and kind != "answers" else ""]
            cells += [printed(own.mean(), digits, how), printed(estimate.se, digits + 1, how)]
            means.append([*cells, _ends(ends, digits, how)])
        a, b = x[0], x[1]
        d = paired_difference(a, b, clusters, binary=False, share=False)
        if d.estimate.se > 0.0:
            cells = [f"E{e}", "M0", "M1", printed(d.estimate.value, digits, how)]
            cells += [printed(d.estimate.se, digits + 1, how)]
            cells += [_ends(t_interval(d.estimate), digits, how), f"{d.correlation:.2f}"]
            differences.append(cells)
    return "\n\n".join(_pipes(h, rows) for h, rows in ((HEADS, means), (DIFFERENCE, differences)))


def _ends(interval, digits: int, how: str) -> str:
    if interval.low != interval.low:
        return ""
    return f"({printed(interval.low, digits, how)}, {printed(interval.high, digits, how)})"


def _pipes(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) if rows else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--out", default="")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = np.random.default_rng(wanted.seed)
    found: Counter[tuple[str, str]] = Counter()
    rows = pairs = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.md")
        for _ in range(wanted.tables):
            text = one_table(rng)
            path.write_text(text)
            checked = check_published(*read_published(path))
            rows, pairs = rows + len(checked.table.means), pairs + len(checked.table.differences)
            found.update({(f.severity, f.code) for f in checked.findings})
            for f in checked.of("inconsistent"):
                print(f.code, f.who, f.message, file=sys.stderr)
                print(text, file=sys.stderr)
    lines = [
        "# False findings of a checked table",
        "",
        f"{wanted.tables:,} honest tables, {rows:,} means and {pairs:,} differences "
        f"(`make check-table`, seed {wanted.seed}): how many tables have a finding.",
        "",
        "| severity | finding | tables |",
        "|:---|:---|---:|",
        *(f"| {s} | {c} | {k:,} |" for (s, c), k in sorted(found.items())),
    ]
    if not any(s == "inconsistent" for s, _ in found):
        lines += ["", "No table has an inconsistency."]
    text = "\n".join(lines) + "\n"
    Path(wanted.out).write_text(text) if wanted.out else print(text)


if __name__ == "__main__":
    main()
