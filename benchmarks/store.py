"""What one eval of a scores folder costs beside the whole: `python benchmarks/store.py [rows]
[--folder F] [--no-whole]`.

Makes a folder of so many rows (10,000,000 unless told) in 20 evals of 25 models, then loads one
eval, the same files by pyarrow alone (the least it could be), and everything, each in a process of
its own: the median seconds of three calls (of everything: of one), the processor seconds of one,
and the peak of memory above what the imports take. Exit status 1 where the eval takes a second or
more.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

EVALS, MODELS, EPOCHS = 20, 25, 5

MEASURE = """\
import json, resource, sys, time
import pandas, pyarrow.parquet
import reportkit.loading.evals
from reportkit import read_scores
folder, what = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def load():
    if what == "pyarrow":
        import pathlib
        files = sorted(pathlib.Path(folder, "eval=eval-07").glob("*.parquet"))
        columns = ["question_id", "epoch", "metric", "score", "status", "model"]
        tables = [pyarrow.parquet.ParquetFile(f).read(columns) for f in files]
        return pyarrow.concat_tables(tables).unify_dictionaries()
    return read_scores(folder, evals=["eval-07"] if what == "eval" else ())
seconds = []
for _ in range(1 if what == "whole" else 3):
    start = time.perf_counter()
    rows = len(load())
    seconds.append(time.perf_counter() - start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
cpu = time.process_time()
if what != "whole":
    load()
cpu = time.process_time() - cpu
median = sorted(seconds)[len(seconds) // 2]
print(json.dumps({"rows": rows, "seconds": median, "cpu": cpu, "MB": peak / 1024}))
"""


def make(folder: Path, rows: int) -> None:
    import numpy as np
    import pandas as pd

    from reportkit.loading import importing
    from reportkit.scores.run import Run

    rng = np.random.default_rng(0)
    questions = max(1, rows // (EVALS * MODELS * EPOCHS))
    folder.mkdir(parents=True, exist_ok=True)
    importing._begin(folder)
    ids = np.repeat([f"q{i:06d}" for i in range(questions)], EPOCHS)
    passages = np.repeat([f"passage {i // 5}" for i in range(questions)], EPOCHS)
    known = {}
    for m in range(MODELS):
        data = {
            "question_id": ids,
            "epoch": np.tile(np.arange(1, EPOCHS + 1), questions),
            "metric": "match",
            "score": (rng.random(len(ids)) < 0.6).astype(float),
            "status": "ok",
            "metadata.passage_id": passages,
        }
        run = Run(
            "bench",
            "eval-00",
            f"model-{m:02d}",
            pd.DataFrame(data),
            f"/logs/00-{m:02d}.json",
            run_id=f"00-{m:02d}",
        )
        made = importing._stored(run, "", "{}", 0, False, folder, set())
        known[made.source] = [made]
        for e in range(1, EVALS):  # the same answers again: what is loaded is one eval
            name, source = f"eval-{e:02d}", f"/logs/{e:02d}-{m:02d}.json"
            path, beside = (
                p.replace("eval=eval-00", f"eval={name}") for p in (made.path, made.questions)
            )
            for old, new in ((made.path, path), (made.questions, beside)):
                (folder / new).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / old, folder / new)
            told = replace(made.run, eval=name, file=source, run_id=f"{e:02d}-{m:02d}")
            known[source] = [replace(made, source=source, path=path, questions=beside, run=told)]
    importing._commit(folder, known, {})


def measure(folder: Path, what: str) -> dict:
    command = [sys.executable, "-c", MEASURE, str(folder), what]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("rows", nargs="?", type=lambda v: int(float(v)), default=10_000_000)
    options.add_argument("--folder", help="kept, and used again where it exists")
    options.add_argument(
        "--no-whole",
        action="store_true",
        help="leave out loading everything, which needs the memory",
    )
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(given.folder or aside, "scores")
        if not folder.exists():
            make(folder, given.rows)
        size = sum(f.stat().st_size for f in folder.rglob("*.parquet"))
        print(
            f"{size / 2**20:.0f} MB on disk\n\n| What | Rows | Seconds | CPU | Peak memory |\n| "
            "--- | --- | --- | --- | --- |",
            flush=True,
        )
        found = {}
        for what in ("eval", "pyarrow", *([] if given.no_whole else ["whole"])):
            found[what] = r = measure(folder, what)
            print(
                f"| {what} | {r['rows']:,} | {r['seconds']:.2f} | {r['cpu']:.2f} | {r['MB']:.0f} "
                "MB |",
                flush=True,
            )
    if "whole" in found:
        whole, one = found["whole"], found["eval"]
        print(
            f"\nThe whole beside one eval: {whole['seconds'] / one['seconds']:.1f} times the time, "
            f"{whole['MB'] / one['MB']:.1f} times the memory."
        )
    return 0 if found["eval"]["seconds"] < 1.0 else 1


if __name__ == "__main__":
    sys.exit(main())
