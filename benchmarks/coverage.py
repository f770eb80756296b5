"""Do the intervals keep their promise? Coverage and width of the default intervals and of others,
by simulation.

`python benchmarks/coverage.py [--repeats N] [--only DESIGN]` draws many evals of known mean for
each cell of a grid, makes every interval on each and counts how often the truth is inside. It
writes coverage.csv (every cell), coverage.md (the summary) and coverage.svg beside this file.
Seeded cell by cell: the same numbers whatever the order or number of workers. Single binary means
without clusters are enumerated, so their coverage is exact.

The designs are in coverage_designs.py, the intervals in coverage_methods.py, the page and the
figure in coverage_table.py.
"""

import argparse
import csv
import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from coverage_designs import Cell, cluster_sizes, grid
from coverage_methods import OURS, POSTERIORS, measure
from coverage_table import figure, summary

__all__ = ["OURS", "Cell", "cluster_sizes", "measure", "run"]

HERE = Path(__file__).parent
MOST_SCORES = 1_000_000  # drawn for one model of a cell, if that leaves 500 evals


def run(cell: Cell, repeats: int, posteriors_of: int = POSTERIORS) -> list[dict]:
    repeats = min(repeats, max(500, MOST_SCORES // cell.n))
    return [
        {
            "cell": cell.label,
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
        for name, coverage, width, none, drawn in measure(cell, repeats, posteriors_of)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=2000, help="simulated evals for each cell")
    parser.add_argument(
        "--only", default="", help="designs whose name starts with this, printed and not written"
    )
    parser.add_argument(
        "--posteriors", type=int, default=POSTERIORS, help="evals whose posterior is taken; or 0"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cells = [c for c in grid() if c.design.startswith(options.only)]
    rows: list[dict] = []
    sizes = ([options.repeats] * len(cells), [options.posteriors] * len(cells))
    with ProcessPoolExecutor(options.jobs) as pool:
        for found in pool.map(run, cells, *sizes, chunksize=4):
            rows += found
    designs = list(dict.fromkeys(c.design for c in cells))
    rows.sort(key=lambda r: designs.index(r["design"]))
    text = summary(rows, options.repeats, MOST_SCORES, options.posteriors)
    if options.only:
        print(text)
        return
    with (HERE / "coverage.csv").open("w", newline="") as file:
        names = [k for k in rows[0] if k != "cell"]
        writer = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (HERE / "coverage.md").write_text(text)
    figure(rows, HERE / "coverage.svg")
    print(text)


if __name__ == "__main__":
    main()
