"""The page and the figure of measured coverage."""

import math
from pathlib import Path

import numpy as np
from coverage_methods import LEVEL, OURS, RESAMPLED
from scipy import stats

GOALS = "from 30 questions or 10 clusters on at least 0.93, below that at least 0.90"
WIDER = 1.15  # no interval is to be so much wider than the narrowest that covers as well


def clustered(row: dict) -> bool:
    return "cluster" in row["design"] or row["design"] == "size tied to difficulty"


def bound(row: dict) -> float:
    """The coverage that the default must reach in this cell."""
    large = row["clusters"] >= 10 if clustered(row) else row["n"] >= 30
    return 0.93 if large else 0.90


def band(row: dict) -> str:
    units = row["clusters"] if clustered(row) else row["n"]
    edges = ((10, "below 10"), (30, "10 to 29"), (100, "30 to 99"))
    return next((name for edge, name in edges if units < edge), "100 and more")


def large(row: dict) -> bool:
    return bound(row) == 0.93


class Method:
    """Cells of one method in a family of designs, beside the default's."""

    def __init__(self, cells: list[dict], ours: dict[str, dict]) -> None:
        shown = [c for c in cells if not math.isnan(c["coverage"])]
        self.coverage = np.array([c["coverage"] for c in shown])
        self.error = np.array([c["simulation_error"] for c in shown])
        widths = [(c["width"], ours[c["cell"]]["width"]) for c in shown]
        ratios = [w / o for w, o in widths if o > 0.0]  # false where the default has none
        self.width = float(np.median(ratios)) if ratios else math.nan
        self.lowest, self.median = float(self.coverage.min()), float(np.median(self.coverage))

    def covers_like(self, ours: "Method") -> bool:
        """Its lowest coverage is no lower than the default's, but for two simulation errors."""
        allowed = 2.0 * float(ours.error[ours.coverage.argmin()])
        return self.lowest >= ours.lowest - allowed


def methods_of(rows: list[dict]) -> dict[str, Method]:
    ours = {r["cell"]: r for r in rows if r["method"] == OURS}
    names = dict.fromkeys(r["method"] for r in rows)
    return {n: Method([r for r in rows if r["method"] == n], ours) for n in names}


def families(rows: list[dict]) -> list[str]:
    """Lowest, median and highest coverage of the default in each family, and the narrowest method
    that covers as well.
    """
    lines = [
        "| Design | Cells | Below 0.93 | Lowest | Median | Highest | Narrowest that covers as well "
        "| Its width |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |",
    ]
    for design in dict.fromkeys(r["design"] for r in rows):
        found = methods_of([r for r in rows if r["design"] == design and large(r)])
        ours = found[OURS]
        as_well = {n: m for n, m in found.items() if m.covers_like(ours)}
        name = min(as_well, key=lambda n: as_well[n].width)
        lines.append(
            f"| {design} | {len(ours.coverage)} | {int((ours.coverage < 0.93).sum())} "
            f"| {ours.lowest:.3f} | {ours.median:.3f} | {ours.coverage.max():.3f} "
            f"| {name} | {as_well[name].width:.2f} |"
        )
    return lines


def by_band(rows: list[dict]) -> list[str]:
    """Every method, family by family and by the number of questions or clusters."""
    lines = [
        "| Design | Units | Interval | Cells | Lowest coverage | Median coverage "
        "| Highest coverage | Mean miss | Width |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in dict.fromkeys(r["design"] for r in rows):
        for units in ("below 10", "10 to 29", "30 to 99", "100 and more"):
            here = [r for r in rows if r["design"] == design and band(r) == units]
            for name, m in methods_of(here).items():
                shown = f"**{name}**" if name == OURS else name
                miss = np.abs(m.coverage - LEVEL).mean()
                lines.append(
                    f"| {design} | {units} | {shown} | {len(m.coverage)} | {m.lowest:.3f} "
                    f"| {m.median:.3f} | {m.coverage.max():.3f} | {miss:.3f} | {m.width:.2f} |"
                )
    return lines


def exceptions(rows: list[dict]) -> list[str]:
    """Cells of the default below its goal, with the best that any method reached."""
    ours = [r for r in rows if r["method"] == OURS and not math.isnan(r["coverage"])]
    below = [r for r in ours if r["coverage"] < bound(r)]
    far = [r for r in below if r["coverage"] + 2 * r["simulation_error"] < bound(r)]
    chance = sum(stats.norm.cdf(-2.0) for r in ours if r["simulation_error"] > 0)
    cells: dict[str, list[dict]] = {}
    for r in rows:
        cells.setdefault(r["cell"], []).append(r)
    lines = [
        f"The goal is {GOALS}. {len(below)} of {len(ours)} cells of the default are below it, "
        f"{len(far)} of them by more than two simulation errors (were every cell exactly at its "
        f"goal, {chance:.0f} would be). The best is the method that came nearest to {LEVEL} from "
        "above in that cell, or else highest, with its width beside the default's.",
        "",
        "| Cell | Coverage | Simulation error | Goal | Best of any method | Its coverage "
        "| Its width |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: |",
    ]
    for r in sorted(below, key=lambda r: r["coverage"] - bound(r)):
        others = [o for o in cells[r["cell"]] if not math.isnan(o["coverage"])]
        reached = [o for o in others if o["coverage"] >= LEVEL]
        if reached:
            best = min(reached, key=lambda o: o["width"])
        else:
            best = max(others, key=lambda o: o["coverage"])
        lines.append(
            f"| {r['cell']} | {r['coverage']:.4f} | {r['simulation_error']:.4f} | {bound(r):.2f} "
            f"| {best['method']} | {best['coverage']:.4f} | {best['width'] / r['width']:.2f} |"
        )
    return lines


def summary(rows: list[dict], repeats: int, most_scores: int, posteriors_of: int) -> str:
    """The page, as Markdown."""
    ours_rows = [r for r in rows if r["method"] == OURS and not math.isnan(r["coverage"])]
    posteriors = "Posteriors are left out of this run"
    if posteriors_of:
        posteriors = f"Posteriors are of {posteriors_of} evals in some cells"
    lines = [
        f"Nominal coverage {LEVEL}; {repeats:,} simulated evals a cell (fewer, at least 500, from "
        f"{most_scores // repeats:,} questions on), so a coverage near 0.95 has a standard error "
        f"of about {math.sqrt(0.95 * 0.05 / repeats):.3f}; single binary means are enumerated. "
        f"{posteriors}, the bootstrap of {RESAMPLED}. Units are clusters where there are any, else "
        "questions. Width is relative to the default's, the median over the cells where both print "
        "one.",
        "",
        "From 30 questions or 10 clusters on. A method covers as well as the default if its "
        "lowest coverage is no lower, but for two simulation errors; the default is meant to be "
        f"no more than {WIDER - 1:.0%} wider than the narrowest of them.",
        "",
        *families(rows),
        "",
        *exceptions(rows),
        "",
        "Every method:",
        "",
        *by_band(rows),
    ]
    for units, what in (("n", "questions"), ("clusters", "units (clusters where there are any)")):
        missed = [LEVEL - r["coverage"] for r in ours_rows if r[units] >= 100]
        under = np.mean([max(m, 0.0) for m in missed])
        lines += [
            "",
            f"From 100 {what} on the default misses {LEVEL} by {np.mean(np.abs(missed)):.4f} on "
            f"average over {len(missed)} cells, {under:.4f} of it below.",
        ]
    return "\n".join([*lines, "", *whole_counts(ours_rows)]) + "\n"


def whole_counts(ours_rows: list[dict]) -> list[str]:
    lines = [
        "Right answers are whole numbers, so not every coverage can be had. For single binary "
        "means of few questions: the nearest coverages of runs of counts around the likeliest "
        "one, below 0.95 and from it on.",
        "",
        "| n | True mean | reportkit | Nearest below | Nearest above |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    for r in ours_rows:
        round_mean = r["mean"] == round(r["mean"], 2)
        off = r["design"] == "binary" and abs(r["coverage"] - LEVEL) > 0.01
        if off and round_mean and r["n"] <= 100:
            below_it, above = attainable(r["n"], r["mean"])
            low = "none" if below_it is None else f"{below_it:.3f}"
            lines.append(f"| {r['n']} | {r['mean']} | {r['coverage']:.3f} | {low} | {above:.3f} |")
    return lines


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
        math.ceil(len(designs) / 3), 3, figsize=(13, 13), sharex=True, layout="constrained"
    )
    for axis, design in zip(axes.flat, designs, strict=False):
        here = [
            r for r in rows if r["design"] == design and large(r) and not math.isnan(r["coverage"])
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
