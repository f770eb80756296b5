"""What reading one eval of a scores folder costs, and an import, beside DuckDB and polars doing the
same in the same run: `python benchmarks/store.py [shapes] [--repeats N] [--import ROWS,...]`.

A shape is rows:evals:models. The answers of one eval are made; the files of the others are links
to them, so that a folder of 1e9 rows fits on the disk: what is read is one eval, and what could
make it dear is the list of the others. Each number is of a process of its own, the median of the
repeats:
seconds by the clock, seconds of processor of all threads, and the peak of memory above what the
imports take. Rows go to a table on stdout in Markdown.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

SHAPES = "1e6:20:25,1e7:20:25,1e7:50:200,1e8:20:25,1e9:1000:25"
EPOCHS = 5

READ = """\
import json, resource, sys, time
import pandas, pyarrow.parquet, duckdb, polars
import reportkit.loading.evals
from reportkit import read_scores
folder, what = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def load():
    if what == "reportkit":
        return read_scores(folder, evals=["eval-0001"])
    if what == "DuckDB":
        return duckdb.sql(
            f"select * from read_parquet('{folder}/eval=*/*.parquet', hive_partitioning=true) "
            "where eval = 'eval-0001'").df()
    if what == "DuckDB, the eval's folder":
        return duckdb.sql(f"select * from read_parquet('{folder}/eval=eval-0001/*.parquet')").df()
    if what == "polars, the eval's folder":
        return polars.read_parquet(f"{folder}/eval=eval-0001/*.parquet")
began, cpu = time.perf_counter(), time.process_time()
rows = len(load())
took, cpu = time.perf_counter() - began, time.process_time() - cpu
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(json.dumps({"rows": rows, "seconds": took, "cpu": cpu, "MB": peak}))
"""
READERS = (
    "reportkit", "DuckDB", "DuckDB, the eval's folder", "polars, the eval's folder",
)  # fmt: skip

IMPORT = """\
import json, resource, sys, time
import pandas, pyarrow.parquet, duckdb, polars
from reportkit.loading.importing import import_scores
table, to, what = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began, cpu = time.perf_counter(), time.process_time()
if what == "reportkit":
    rows = import_scores([table], to).rows
elif what == "DuckDB":
    duckdb.sql(f"copy (select * from read_csv('{table}')) to '{to}.parquet' (compression zstd)")
    [(rows,)] = duckdb.sql(f"select count(*) from '{to}.parquet'").fetchall()
else:
    frame = polars.read_csv(table)
    frame.write_parquet(f"{to}.parquet", compression="zstd")
    rows = len(frame)
took, cpu = time.perf_counter() - began, time.process_time() - cpu
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(json.dumps({"rows": rows, "seconds": took, "cpu": cpu, "MB": peak}))
"""
IMPORTERS = ("reportkit", "DuckDB", "polars")


def make(folder: Path, rows: int, evals: int, models: int) -> None:
    """A scores folder as an import of evals x models logs leaves it."""
    import numpy as np
    import pandas as pd

    from reportkit.facts import RunFacts
    from reportkit.loading.store import folder as store_folder
    from reportkit.loading.store.packs import part_of
    from reportkit.loading.store.schema import Entry
    from reportkit.scores.run import Run

    rng = np.random.default_rng(0)
    questions = max(1, rows // (evals * models * EPOCHS))
    ids = np.repeat([f"q{i:07d}" for i in range(questions)], EPOCHS)
    passages = np.repeat([f"passage {i // 5}" for i in range(questions)], EPOCHS)
    home = store_folder.LocalHome(folder)
    home.prepare()
    known = {}
    with home.turn():
        store_folder.begin(home)

        def read():
            for m in range(models):
                data = {
                    "question_id": ids,
                    "epoch": np.tile(np.arange(1, EPOCHS + 1), questions),
                    "metric": "match",
                    "score": (rng.random(len(ids)) < 0.6).astype(float),
                    "status": "ok",
                    "metadata.passage_id": passages,
                }
                source = f"/logs/0000-{m:03d}.json"
                facts = RunFacts("bench", "eval-0000", f"model-{m:03d}", file=source)
                run = Run.of(replace(facts, run_id=f"0000-{m:03d}"), pd.DataFrame(data))
                looked = json.dumps({"rules": "reportkit", "looked at": {source: "1 2"}})
                entry = Entry(
                    source, f"{m:064d}", looked, 0, False, columns=(*run.rows,), run=run.facts()
                )
                yield part_of(entry, run)

        for m, made in enumerate(store_folder.store_parts(read(), home, {})):
            known[made.source] = [made]
            for e in range(1, evals):
                name, source = f"eval-{e:04d}", f"/logs/{e:04d}-{m:03d}.json"
                path, beside = (
                    p.replace("eval=eval-0000", f"eval={name}") for p in (made.path, made.questions)
                )
                for old, new in ((made.path, path), (made.questions, beside)):
                    (folder / new).parent.mkdir(parents=True, exist_ok=True)
                    if not (folder / new).exists():
                        os.link(folder / old, folder / new)
                told = replace(made.run, eval=name, file=source, run_id=f"{e:04d}-{m:03d}")
                known[source] = [
                    replace(made, source=source, path=path, questions=beside, run=told)
                ]
        store_folder.commit(home, known, {})


def write_csv(path: Path, rows: int) -> None:
    """A table of 10 models, 2 evals and 5 repeats, 29 bytes a row or so."""
    import numpy as np
    import polars as pl

    rng, per = np.random.default_rng(0), rows // 100
    question = np.repeat(np.char.add("q", np.arange(per).astype(str)), EPOCHS)
    parts = []
    for e in range(2):
        for m in range(10):
            parts.append(pl.DataFrame({
                "eval": [f"e{e}"] * len(question), "model": [f"model-{m}"] * len(question),
                "question_id": question, "epoch": np.tile(np.arange(1, EPOCHS + 1), per),
                "score": (rng.random(len(question)) < 0.6).astype(int),
            }))  # fmt: skip
    pl.concat(parts).write_csv(path)


def measured(code: str, *arguments: str, repeats: int) -> dict[str, float]:
    """The medians of the repeats."""
    found = []
    for _ in range(repeats):
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))  # DuckDB may show a bar before it
    return {key: sorted(f[key] for f in found)[repeats // 2] for key in found[0]}


def show(what: str, of: str, r: dict[str, float], beside: dict[str, float]) -> None:
    ratios = [f"{beside[k] / max(r[k], 1e-9):.2f}" for k in ("seconds", "cpu", "MB")]
    ratios = ratios if r is not beside else ["", "", ""]
    print(
        f"| {what} | {of} | {r['rows']:,} | {r['seconds']:.2f} | {r['cpu']:.2f} | {r['MB']:.0f} | "
        f"{' | '.join(ratios)} |",
        flush=True,
    )


def head() -> None:
    print(
        "| What | By | Rows read | Seconds | Processor | MB | reportkit beside it: seconds | "
        "processor | memory |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("shapes", nargs="?", default=SHAPES)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--imports", default="1e5,1e6,1e7", help="rows of the tables")
    given = options.parse_args()
    head()
    for shape in filter(None, given.shapes.split(",")):
        rows, evals, models = (int(float(n)) for n in shape.split(":"))
        with tempfile.TemporaryDirectory() as aside:
            folder = Path(aside, "scores")
            make(folder, rows, evals, models)
            what = f"one eval of {rows:.0e} rows, {evals:,} evals, {models} models"
            found = {by: measured(READ, str(folder), by, repeats=given.repeats) for by in READERS}
        for by, r in found.items():
            show(what, by, r, found["reportkit"])
    for rows in (int(float(n)) for n in given.imports.split(",") if n):
        with tempfile.TemporaryDirectory() as aside:
            table = Path(aside, "t.csv")
            write_csv(table, rows)
            what = f"import of a CSV of {rows:.0e} rows, {table.stat().st_size / 2**20:.0f} MB"
            found = {}
            for by in IMPORTERS:
                code, to = IMPORT, str(Path(aside, "to"))
                runs = []
                for _ in range(given.repeats):
                    shutil.rmtree(to, ignore_errors=True)
                    runs.append(measured(code, str(table), to, by, repeats=1))
                middle = sorted(runs, key=lambda r: r["seconds"])[given.repeats // 2]
                found[by] = middle
        for by, r in found.items():
            show(what, by, r, found["reportkit"])


if __name__ == "__main__":
    main()
