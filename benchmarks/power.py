"""Is a stated power delivered? For each printed cell: the share of new evals in which the printed
test finds the printed difference.

`python benchmarks/power.py [--repeats N] [--only DESIGN] [--set chosen|kept]` draws evals of two
equal models, takes what each would print (the smallest detectable difference, with twice and four
times the questions, four times the answers, and the questions needed for a difference), then draws
evals in which the models differ by just that and counts how often the report's own test is
significant. The power of a cell is the mean over the reports that print it: what is printed is an
estimate, and errs. It writes power.csv (every cell) and power.md (the summary) beside this file.

The designs are in power_designs.py: some served to choose the method, the others were kept aside.
Seeded design by design.
"""

import argparse
import csv
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from power_designs import Design, Drawn, draw, grid
from scipy import stats

from reportkit.stats.pairs.paired import difference_ends
from reportkit.stats.pairs.tango import DifferenceArrays
from reportkit.stats.planning.detectable import (
    PairDesigns,
    Plan,
    detectable_difference,
    times_needed,
    too_few,
)
from reportkit.stats.planning.tails import worth

HERE = Path(__file__).parent
LEVEL, POWER = 0.95, 0.8
PILOTS, POINTS = 600, 6  # reports of a design; sizes at which evals of a needed size are drawn
LOW, HIGH = 0.77, 0.84
STEP = 17
LEAST_PRINTED = 0.05  # a cell that fewer reports print is a dash


def plain(d: Design) -> bool:
    """Whether McNemar's test is printed."""
    return d.scores == "binary" and d.epochs == 1 and not d.clustered


def significant(d: Design, of: DifferenceArrays) -> np.ndarray:
    """Whether the printed p is below alpha."""
    if plain(d):
        z = np.abs(of.gain - of.loss) / np.sqrt(np.maximum(of.gain + of.loss, 1.0))
        return 2.0 * stats.norm.sf(z) < 1.0 - LEVEL
    binary = d.scores == "binary" and d.epochs == 1
    p = difference_ends(of, binary=binary, share=d.bounded, level=LEVEL)[2]
    return p < 1.0 - LEVEL


def designs(d: Design, x: Drawn) -> PairDesigns:
    """The evals as the report hands them to its planning."""
    of = x.arrays
    ones = np.ones(len(of.value))
    binary, bounded = d.scores == "binary" and d.epochs == 1, d.bounded
    if plain(d):
        method = np.full(len(ones), "tango")
    else:
        method = difference_ends(of, binary=binary, share=bounded, level=LEVEL)[3]
    sizes, effect = np.array(d.sizes), of.se**2 / x.alone
    spread = x.mean_a * (1.0 - x.mean_a) + x.mean_b * (1.0 - x.mean_b)
    within = x.noise * of.n * of.se**2 * d.epochs / spread
    return PairDesigns(
        method, of.n, of.clusters, of.se, of.df, ones * bounded > 0, x.mean_a, x.mean_b,
        x.correlation, (of.gain + of.loss) / of.n, of.informative, ones * binary > 0, x.alone,
        ones * (d.scores == "binary") > 0,
        worth(sizes, effect) if d.clustered else None,
        worth(sizes, ones * np.inf) if d.clustered else None,
        within=within if d.epochs > 1 else None,
        answers=ones * d.epochs if d.epochs > 1 else None,
        low=x.ends[0],
        high=x.ends[1],
    )  # fmt: skip


# Cells --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """One kind of cell of one design."""

    design: Design
    cell: str
    printed: float  # median
    dashes: float  # share of reports that print a dash
    power: float  # mean over the reports that print a number


def cells(d: Design, repeats: int) -> Iterator[Found]:
    """Every kind of cell that the reports of a design print."""
    x = draw(d, 0.0, PILOTS, d.generator(0))
    pairs = designs(d, x)
    ways = [("as it is", 1.0), ("2x questions", 2.0), ("4x questions", 4.0)]
    for i, (name, times) in enumerate(ways if d.n * 4 <= 1200 else ways[:1]):
        mde = detectable_difference(pairs, Plan(times, level=LEVEL, power=POWER))
        yield found(d, name, mde, repeats, i, times)
    if d.epochs > 1:
        noise = np.maximum(1.0 - x.noise, 0.0) + 0.25 * x.noise  # as analysis.detectable has it
        mde = detectable_difference(pairs, Plan(1.0, noise, LEVEL, POWER, 4.0))
        yield found(d, "4x answers", mde, repeats, 4, epochs=4 * d.epochs)
    effect = 0.4
    if d.bounded:
        effect = 0.1 if d.mean < 0.95 else 0.05
    times = times_needed(pairs, effect, Plan(level=LEVEL, power=POWER))
    times = np.where(too_few(pairs, times), np.nan, times)
    known = times[np.isfinite(times)]
    if not len(known) or d.n * np.quantile(known, 0.9) < 3000:
        yield found_with(d, effect, times, repeats)


def found(d: Design, name: str, printed: np.ndarray, repeats: int, seed: int, times: float = 1.0,
          epochs: int = 0) -> Found:  # fmt: skip
    """Each report's own cell is true in as many new evals as make `repeats` of all reports."""
    known = printed[np.isfinite(printed)]
    dashes = 1.0 - len(known) / len(printed)
    if len(known) < LEAST_PRINTED * len(printed):
        return Found(d, name, math.nan, dashes, math.nan)
    rng, hits, done = d.generator(1, seed), 0, 0
    given = np.resize(known, max(repeats, len(known)))
    for part in np.array_split(given, math.ceil(len(given) * d.n * times / 2e6)):
        new = draw(d, part, len(part), rng, times, epochs)
        hits, done = hits + int(significant(d, new.arrays).sum()), done + len(part)
    return Found(d, name, float(np.median(known)), dashes, hits / done)


def found_with(d: Design, effect: float, times: np.ndarray, repeats: int) -> Found:
    """The same of sizes, which have their power read off between some of them."""
    name, known = f"questions for {effect:g}", times[np.isfinite(times)]
    dashes = 1.0 - len(known) / len(times)
    if len(known) < LEAST_PRINTED * len(times):
        return Found(d, name, math.nan, dashes, math.nan)
    known = np.ceil(known * d.clusters) / d.clusters  # whole questions, or clusters
    known = np.clip(known, 3.0 / d.clusters, 6000.0 / d.n)  # no more can be drawn
    points = np.unique(np.quantile(known, np.linspace(0.0, 1.0, POINTS)))
    power = [
        significant(d, draw(d, effect, repeats // 3, d.generator(2, i), float(v)).arrays).mean()
        for i, v in enumerate(points)
    ]
    at = np.interp(known, points, power)
    return Found(d, name, float(np.median(known)) * d.n, dashes, float(at.mean()))


# The page -----------------------------------------------------------------------------------------

HEAD = ["set", "family", "n", "clusters", "mean", "design", "cell", "printed", "dashes", "power"]
Row = dict[str, str]


def rows_of(all_found: list[Found]) -> list[Row]:
    return [
        dict(zip(HEAD, [
            "kept" if f.design.kept else "chosen", f.design.family, str(f.design.n),
            str(f.design.clusters) if f.design.clustered else "", f"{f.design.mean:g}",
            f.design.words, f.cell, f"{f.printed:.4g}", f"{f.dashes:.3f}", f"{f.power:.3f}",
        ], strict=True))
        for f in all_found
    ]  # fmt: skip


def page(rows: list[Row], run: str) -> str:
    """Each family's lowest, median and highest power, designs with dashes, and every cell outside
    the bounds.
    """
    lines = [
        "# Is a stated power delivered?",
        "",
        f"`make power` draws {PILOTS} evals of two equal models for each design, takes the cells "
        "that their reports print (the smallest detectable difference at 80% power, the same with "
        "more questions or answers, the questions needed for a difference), and counts how often "
        "the printed test finds the printed difference in new evals. Power is the mean over the "
        "reports that print a number. A dash is no printed cell; its share is over all reports, "
        "and says too how often two models answer alike. " + run,
        "",
        "Designs of the first table served to choose the method and its constants; a part of them "
        "was kept aside at first, and three rules were mended after a look at it. Those of the "
        "second table were kept aside and drawn once the method was settled: other laws "
        "(questions of two kinds, scores in part), means, sizes and clusters. "
        f"Bounds: {LOW} to {HIGH}.",
    ]
    for name, title in (("chosen", "Chosen on"), ("kept", "Kept aside")):
        lines += ["", f"## {title}", "", *_table(
            [r for r in rows if r["set"] == name and r["power"] != "nan"],
            [r for r in rows if r["set"] == name],
        )]  # fmt: skip
    lines += ["", "## Dashes of cells as they are, by design", "", *_dashes(rows)]
    outside = [r for r in rows if r["power"] != "nan" and not LOW <= float(r["power"]) <= HIGH]
    lines += ["", f"## The {len(outside)} cells outside", "", WHY, ""]
    lines += ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
    lines += ["| " + " | ".join(r.values()) + " |" for r in outside]
    return "\n".join(lines) + "\n"


def _table(known: list[Row], rows: list[Row]) -> list[str]:
    lines = [
        "| family | cells | printed | lowest | median | highest | below | above | dashes |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for family in dict.fromkeys(r["family"] for r in rows):
        of = [r for r in rows if r["family"] == family]
        powers = np.array([float(r["power"]) for r in known if r["family"] == family])
        dashes = np.mean([float(r["dashes"]) for r in of])
        if not len(powers):
            continue
        lines.append(
            f"| {family} | {len(of)} | {len(powers)} | {powers.min():.3f} | "
            f"{np.median(powers):.3f} | {powers.max():.3f} | {(powers < LOW).sum()} | "
            f"{(powers > HIGH).sum()} | {dashes:.0%} |"
        )
    return lines


def _dashes(rows: list[Row]) -> list[str]:
    """Designs in which more than one report in a hundred prints a dash."""
    lines = ["| set | family | n | clusters | mean | design | dashes |", "|" + " --- |" * 7]
    for r in rows:
        if r["cell"] == "as it is" and float(r["dashes"]) > 0.01:
            shown = (r[k] for k in ("set", "family", "n", "clusters", "mean", "design"))
            lines.append("| " + " | ".join([*shown, f"{float(r['dashes']):.0%}"]) + " |")
    return lines


WHY = (
    "Above, the printed difference is larger than it need be. Most such cells are of two kinds. "
    "Near an end, only reports that happened to see enough errors print a number (the share of "
    "dashes is high), and what they saw is more than there is: no rule on the data alone can undo "
    "that. And clusters in which a model's own effect is large.\n\n"
    "Below: scores of nothing or a part, near the most that they can have, whose variance grows "
    "faster than their skewness says; four times the answers, in clusters or near an end, where "
    "nearly all of the variance is answer noise, so that what is left is hardly known; questions "
    "needed that are far fewer than the eval has, at a mean far "
    "from the one observed; 8 clusters at 0.9 or more, which differ in a few questions."
)


def key(r: Row) -> tuple[str, ...]:
    return tuple(r[k] for k in ("family", "n", "clusters", "mean", "design"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=2400)
    parser.add_argument("--only", default="", help="part of a design's label")
    parser.add_argument("--set", default="", choices=("", "chosen", "kept"))
    parser.add_argument("--more", action="store_true", help="only designs that power.csv lacks")
    parser.add_argument("--page", action="store_true", help="only write power.md from power.csv")
    given = parser.parse_args()
    file = HERE / "power.csv"
    rows: list[Row] = []
    if given.more or given.page:
        with file.open(newline="", encoding="utf-8") as of:
            rows = list(csv.DictReader(of))
    done = {key(r) for r in rows}
    every = list(grid())
    # Families in turn, so that a part of the run has something of each.
    spread = [d for start in range(STEP) for d in every[start::STEP]]
    for d in [] if given.page else spread:
        blank = key(rows_of([Found(d, "", 0.0, 0.0, 0.0)])[0])
        wanted = given.only in d.label and given.set in ("", "kept" if d.kept else "chosen")
        if not wanted or blank in done:
            continue
        start = time.process_time()
        here = list(cells(d, given.repeats))
        rows += rows_of(here)
        took = f"{time.process_time() - start:.1f}s"
        print(d.label, took, *(f"{f.cell} {f.power:.3f} ({f.dashes:.2f})" for f in here),
              sep=" | ", flush=True)  # fmt: skip
        with file.open("w", newline="", encoding="utf-8") as to:
            writer = csv.DictWriter(to, HEAD)
            writer.writeheader()
            writer.writerows(rows)
    places = {key(rows_of([Found(d, "", 0.0, 0.0, 0.0)])[0]): i for i, d in enumerate(every)}
    rows.sort(key=lambda r: places[key(r)])
    if not (given.only or given.set):
        count = len({key(r) for r in rows})
        run = f"This run: {given.repeats:,} evals for each cell, {count} of {len(every)} designs."
        (HERE / "power.md").write_text(page(rows, run), encoding="utf-8")


if __name__ == "__main__":
    main()
