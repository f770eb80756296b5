"""False findings of `reportkit check-table`: honest tables, printed as papers print them, must have
no inconsistency. `make check-table` writes check_table.md.

A table is two to five models on one to four evals: 0/1 scores, several answers each, or fractional
scores; errors naive, clustered or by Bernoulli's formula; intervals by z, t, Wilson, Clopper and
Pearson or the report's own; numbers rounded to nearest or cut off, to 0, 1 or 2 digits of percent.
Differences are paired, with their correlation.

A third of the tables are lists with a row for each mean. The others are wide: models across and
evals down, or evals across and models down, with a column or a row of differences (alone or with an
error after ±), an average over the evals, errors or intervals in the cells.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from scipy import stats

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
DIFFERENCE = ["eval", "model", "baseline", "difference", "se", "95% CI", "correlation", "p"]
TESTS = ("z", "t", "one-sided", "adjusted", "signs", "ranks")


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
            cells += [p_value(rng, d.estimate, a, b)]
            differences.append(cells)
    return "\n\n".join(_pipes(h, rows) for h, rows in ((HEADS, means), (DIFFERENCE, differences)))


def p_value(rng: np.random.Generator, d, a: np.ndarray, b: np.ndarray) -> str:
    """The p-value of a difference as a table may print it, by one of the usual tests."""
    test = str(rng.choice(TESTS))
    z = abs(d.value) / d.se if d.se > 0.0 else 0.0
    p = float(2.0 * stats.norm.sf(z))
    if test == "t":
        p = float(2.0 * stats.t.sf(z, len(a) - 1))
    elif test == "one-sided":
        p = p / 2.0
    elif test == "adjusted":
        p = min(1.0, 5.0 * p)
    elif np.any(a != b):
        ahead, behind = int(np.sum(a > b)), int(np.sum(a < b))
        p = float(stats.binomtest(ahead, ahead + behind).pvalue)  # McNemar's exact test
        p = p if test == "signs" else float(stats.wilcoxon(a, b).pvalue)
    digits = int(rng.integers(2, 5))
    if p < 10.0**-digits:
        return f"<{10.0**-digits:.{digits}f}"
    return f"{p:.{digits}f}" if rng.integers(0, 2) else f"{p:.2g}"


# Wide tables --------------------------------------------------------------------------------------


class Wide:
    """What the cells of one wide table hold. Every number of it is printed in one way."""

    def __init__(self, rng: np.random.Generator):
        self.digits, self.how = int(rng.integers(0, 3)), str(rng.choice(["nearest", "cut"]))
        self.beside = str(rng.choice(["", "(se)", "±", "[ci]"]))
        kind = str(rng.choice(["binary", "answers", "fractional"]))
        models, evals = int(rng.integers(2, 5)), int(rng.integers(1, 6))
        self.means, self.pairs, self.sizes, self.tests = [], [], [], []
        for _ in range(evals):
            n = int(rng.integers(30, 3000))
            x = scores(rng, kind, models, n, 1)
            means = [mean_estimate(own) for own in x]
            ends = [interval(rng, own, e, kind, False) for own, e in zip(x, means, strict=True)]
            self.means.append(list(zip(means, ends, strict=True)))
            self.pairs.append(paired_difference(x[0], x[1], binary=False, share=False).estimate)
            self.sizes.append(n)
            self.tests.append(p_value(rng, self.pairs[-1], x[0], x[1]))
        self.models = [f"M{m}" for m in range(models)]
        self.swapped = bool(rng.integers(0, 2))  # second minus first
        self.unsigned = bool(rng.random() < 0.2)
        self.error = str(rng.choice(["", "±", "column"]))  # of the differences

    def mean(self, e: int, m: int) -> str:
        estimate, ends = self.means[e][m]
        value, se = self._print(estimate.value), self._print(estimate.se, 1)
        beside = {"(se)": f" ({se})", "±": f" ± {se}", "[ci]": self._interval(ends)}
        return value + beside.get(self.beside, "")

    def _interval(self, ends) -> str:
        told = _ends(ends, self.digits, self.how)
        return f" [{told[1:-1]}]" if told else ""

    def _print(self, x: float, more: int = 0) -> str:
        return printed(x, self.digits + more, self.how)

    @property
    def head(self) -> str:
        """Of the differences: the names of the models, or of two models a word alone."""
        if self.unsigned and len(self.models) == 2:
            return "Δ"
        return "M1 − M0" if self.swapped else "M0 − M1"

    def difference(self, e: int) -> str:
        d = self.pairs[e]
        value = -d.value if self.swapped else d.value
        if self.head == "Δ":
            value = abs(value)
        told = self._print(value)
        return f"{told} ± {self.error_of(e)}" if self.error == "±" else told

    def error_of(self, e: int) -> str:
        return self._print(self.pairs[e].se, 1)

    def of_averages(self) -> str:
        value = float(np.mean([d.value for d in self.pairs]))
        value = -value if self.swapped else value
        return self._print(abs(value) if self.head == "Δ" else value)

    def average(self, m: int) -> str:
        return self._print(float(np.mean([row[m][0].value for row in self.means])))


def wide_table(rng: np.random.Generator) -> tuple[str, int, int, int]:
    """An honest wide table as Markdown; how many means, differences and averages it holds."""
    t = Wide(rng)
    evals, models = range(len(t.sizes)), range(len(t.models))
    names = [f"E{e} (n={n})" for e, n in enumerate(t.sizes)]
    differ, average = rng.random() < 0.7, bool(rng.random() < 0.6) and len(t.sizes) > 1
    word = str(rng.choice(["Average", "Avg.", "Mean", "Overall", "Macro avg"]))
    if rng.integers(0, 2):
        column = differ and t.error == "column"
        heads = ["Eval", *t.models, *[t.head] * differ, *["SE", "p"] * column]
        rows = [[names[e], *(t.mean(e, m) for m in models), *[t.difference(e)] * differ,
                 *[t.error_of(e), t.tests[e]] * column] for e in evals]  # fmt: skip
        rows += [[word, *map(t.average, models), *[t.of_averages()] * differ,
                  *["", ""] * column]] * average  # fmt: skip
    else:
        heads = ["Model", *names, *[word] * average]
        rows = [[name, *(t.mean(e, m) for e in evals), *[t.average(m)] * average]
                for m, name in enumerate(t.models)]  # fmt: skip
        rows += [[t.head, *map(t.difference, evals), *[t.of_averages()] * average]] * differ
    held = len(t.models) * len(t.sizes), len(t.sizes) * bool(differ), len(t.models) * average
    return _pipes(heads, rows), *held


def _ends(interval, digits: int, how: str) -> str:
    if interval.low != interval.low:
        return ""
    return f"({printed(interval.low, digits, how)}, {printed(interval.high, digits, how)})"


def _pipes(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) if rows else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=4500)
    parser.add_argument("--out", default="")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = np.random.default_rng(wanted.seed)
    found: Counter[tuple[str, str]] = Counter()
    rows = pairs = wide = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.md")
        for i in range(wanted.tables):
            held: list[int] = []
            if i % 3:
                text, *held = wide_table(rng)
            else:
                text = one_table(rng)
            path.write_text(text)
            said = {"plus_minus": "se"} if "±" in text else {}
            checked = check_published(*read_published(path, said))
            table = checked.table
            read = [len(table.means), len(table.differences), len(table.averages)]
            rows, pairs = rows + read[0], pairs + read[1]
            wide += bool(held)
            if held and held != read:
                lost += 1
                print("read other than written:", checked.table.read_as, text, file=sys.stderr)
            found.update({(f.severity, f.code) for f in checked.findings})
            for f in checked.of("inconsistent"):
                print(f.code, f.who, f.message, file=sys.stderr)
                print(text, file=sys.stderr)
    lines = [
        "# False findings of a checked table",
        "",
        f"{wanted.tables:,} honest tables, of which {wide:,} are wide, with {rows:,} means and "
        f"{pairs:,} differences (`make check-table`, seed {wanted.seed}): how many tables have a "
        f"finding. {lost:,} of the wide ones were read with more or fewer means, differences "
        "or averages than they hold.",
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
