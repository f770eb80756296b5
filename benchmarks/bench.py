"""What the parts cost beside the least that they could: `python benchmarks/bench.py [repeats]`
prints a table.

Each part and its yardstick take turns in one run, and the ratio is that of their medians, so that a
busy machine slows both; memory is the peak of what numpy and Python allocate. BLAS threads are left
as they are. Imports and notebooks run in a process of their own.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# What a report imports on its way to the documents, and nothing else; the empty notebook pays for
# the same.
IMPORTS = """\
import jinja2
import matplotlib.backends.backend_pdf
import matplotlib.backends.backend_svg
import matplotlib.figure
import nbconvert.exporters
import numpy
import pandas
import psutil
import pyarrow
import pypandoc
import scipy.special
import typst
"""


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare(
    what: str,
    part: Callable[[], object],
    beside: str,
    other: Callable[[], object],
    bound: float,
    repeats: int,
) -> bool:
    part(), other()  # first calls load files and start threads
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        times[0].append(seconds(part))
        times[1].append(seconds(other))
    mine, theirs = map(statistics.median, times)
    ratio = mine / theirs
    verdict = "" if ratio <= bound else "  over"
    print(
        f"| {what} | {mine:.3f} s | {beside} | {theirs:.3f} s | {ratio:.2f} | {bound:g}{verdict} |",
        flush=True,
    )
    return ratio <= bound


def pairs(repeats: int) -> Iterator[bool]:
    import numpy as np

    from reportkit import stats

    rng = np.random.default_rng(0)
    n, m, g = 14_000, 200, 2_000
    clusters = np.sort(rng.integers(0, g, n))
    scores = rng.random((n, m))
    binary = (scores < 0.7).astype(float)
    missing = np.where(rng.random((n, m)) < 0.05, np.nan, scores)
    blocks = scores.copy()
    blocks[4_000:7_000, :60], blocks[9_000:9_700, 150:] = np.nan, np.nan
    shared = scores.copy()
    for pattern in range(1, 7):
        shared[np.ix_(rng.random(n) < 0.05, range(pattern, m, 7))] = np.nan
    x = scores - scores.mean(axis=0)
    sums = np.add.reduceat(x, np.flatnonzero(np.diff(clusters, prepend=-1)), axis=0)
    y = binary - binary.mean(axis=0)
    one, both = (
        "the product of questions, complete",
        "the two products, of questions and of clusters, complete",
    )
    of_questions, of_both = (lambda: x.T @ x), (lambda: (x.T @ x, sums.T @ sums))
    cases: list[tuple[str, Callable[[], object], str, Callable[[], object], float]] = [
        (
            f"all pairs of {m} models, 14,000 questions in 2,000 clusters",
            lambda: stats.all_pairs(scores, clusters),
            both,
            of_both,
            2,
        ),
        (
            "the same, binary, no clusters",
            lambda: stats.all_pairs(binary, binary=True),
            one,
            lambda: y.T @ y,
            2,
        ),
        ("5% missing, no clusters", lambda: stats.all_pairs(missing), one, of_questions, 6),
        ("two blocks missing, no clusters", lambda: stats.all_pairs(blocks), one, of_questions, 6),
        ("5% missing, clusters", lambda: stats.all_pairs(missing, clusters), both, of_both, 6),
        (
            "two blocks missing, clusters",
            lambda: stats.all_pairs(blocks, clusters),
            both,
            of_both,
            6,
        ),
        (
            "5% missing in six patterns, clusters",
            lambda: stats.all_pairs(shared, clusters),
            both,
            of_both,
            6,
        ),
    ]
    for what, part, beside, other, bound in cases:
        yield compare(what, part, beside, other, bound, repeats)
    for what, scored in (("complete", scores), ("5% missing", missing)):
        yield memory(
            f"memory of all pairs, {what}, clusters",
            lambda s=scored: stats.all_pairs(s, clusters),
            scores.nbytes,
        )


def memory(what: str, part: Callable[[], object], matrix: int) -> bool:
    """Peak of what the part allocates, beside the score matrix: within 3 times."""
    tracemalloc.start()
    part()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    ratio, bound = peak / matrix, 3
    verdict = "" if ratio <= bound else "  over"
    size = f"{peak / 2**20:.1f} MB | the score matrix | {matrix / 2**20:.1f} MB"
    print(f"| {what} | {size} | {ratio:.2f} | {bound}{verdict} |", flush=True)
    return ratio <= bound


def mean(repeats: int) -> Iterator[bool]:
    import numpy as np

    from reportkit import stats

    rng = np.random.default_rng(0)
    scores, clusters = rng.random(1_000_000), rng.integers(0, 100_000, 1_000_000)
    yield compare(
        "clustered error of 1,000,000 scores in 100,000 clusters",
        lambda: stats.mean_estimate(scores, clusters),
        "np.bincount of them",
        lambda: np.bincount(clusters, weights=scores),
        5,
        repeats,
    )


def inspect_logs(repeats: int) -> Iterator[bool]:
    sys.path.append(str(ROOT / "tests" / "support"))
    from inspect_fresh_logs import large

    from reportkit.inputs.files import File
    from reportkit.readers import inspect

    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder, "large.eval"))
        large(log, 10_000)
        from inspect_ai.log import read_eval_log_sample_summaries

        yield compare(
            "an Inspect log of 10,000 samples, read",
            lambda: inspect.read(File(log)),
            "inspect-ai's read_eval_log_sample_summaries",
            lambda: read_eval_log_sample_summaries(log),
            1.2,
            repeats,
        )


def start(repeats: int) -> Iterator[bool]:
    def imports(name: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", f"import {name}"], check=True)

    yield compare(
        "import reportkit", imports("reportkit"), "import numpy", imports("numpy"), 1.5, repeats
    )


def notebook(repeats: int) -> Iterator[bool]:
    template = ROOT / "notebooks" / "template.ipynb"
    with tempfile.TemporaryDirectory() as folder:
        empty = json.loads(template.read_text(encoding="utf-8"))
        cell = {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": IMPORTS,
            "id": "c",
        }
        empty["cells"] = [cell]
        Path(folder, "empty.ipynb").write_text(json.dumps(empty), encoding="utf-8")

        def papermill(source: Path, *words: str) -> Callable[[], object]:
            # As `papermill template.ipynb out.ipynb` in a terminal; the kernel must be this
            # Python's.
            command = [
                str(Path(sys.executable).with_name("papermill")),
                str(source),
                "out.ipynb",
                *words,
            ]
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
            options = {
                "cwd": folder,
                "env": os.environ | {"PATH": path},
                "capture_output": True,
                "check": True,
            }
            return lambda: subprocess.run(command, **options)

        yield compare(
            "papermill template.ipynb: tables, figures and documents",
            papermill(template, "-p", "out", "report"),
            "papermill of an empty notebook with the same imports",
            papermill(Path(folder, "empty.ipynb")),
            1.5,
            repeats,
        )


def main() -> int:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print(
        "| What | Cost | Beside | Cost | Ratio | Bound |\n| --- | --- | --- | --- | --- | --- |",
        flush=True,
    )
    # Every part runs to its end, and the exit code is 1 if any is over its bound.
    held = [ok for part in (start, notebook, mean, pairs, inspect_logs) for ok in part(repeats)]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
