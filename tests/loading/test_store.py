"""Scores folders: what is read back is what the logs say, whatever happened while the folder was
written.

The expected numbers are those of reading the same files directly, which the readers' own tests
check against the harnesses.
"""

import csv
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.helm_logs import helm
from support.places import LOGS, needs

from reportkit import read_scores
from reportkit.analysis import analyse
from reportkit.builds.build import build
from reportkit.cli import commands, main
from reportkit.errors import OutputError, ScoresError, UnknownNameError
from reportkit.inputs.sources import is_store
from reportkit.loading import import_work, store
from reportkit.loading.demo import write_demo
from reportkit.loading.evals import open_scores
from reportkit.loading.importing import import_scores
from reportkit.loading.store import folder as store_folder
from reportkit.loading.store import packs as store_packs
from reportkit.loading.store import rows as store_rows
from reportkit.publishing.aside import STATE
from reportkit.scores.run import Run
from reportkit.scores.scores import facts_of

HOSTILE = [
    "a/b\\c",
    "../..",
    "..",
    "x=y&z%2F",
    'it\'s "quoted"',
    "🙂" * 200,
    "n" * 200,
    "/" * 200,
    " lead",
    "007.",
    "%",
    "<b>$x$",
]


def table(path: Path, eval="e", models=("A", "B"), n=6) -> Path:
    """A plain table with a field that groups the questions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        out = csv.writer(stream)
        out.writerow(["eval", "model", "question_id", "epoch", "score", "topic", "metadata.part"])
        for k in range(n):
            for j, m in enumerate(models):
                out.writerow(
                    [eval, m, f"q{k}", 1, (k * 7 + j * 3) % 5 / 4, f"t{k % 2}", f"part {k % 3}"]
                )
    return path


def numbers(frame: pd.DataFrame, eval: str, **options) -> str:
    """Every number of a report, as text."""
    result, warnings = analyse(frame, eval, **options)
    checks = [c.agrees for r in result.runs for c in r.checks]
    return (
        repr(dataclasses.replace(result, sources=(), runs=(), unread=()))
        + repr(checks)
        + repr(warnings)
    )


def same_reports(sources, folder) -> int:
    direct = read_scores(sources)
    evals = list(direct["eval"].unique())
    assert sorted(open_scores([str(folder)]).evals) == sorted(evals)
    stored = read_scores(folder)
    for name in evals:
        expected = numbers(direct, name)
        assert numbers(read_scores(folder, evals=[name]), name) == expected
        assert numbers(stored, name) == expected
    return len(evals)


def files(folder: Path) -> dict[str, int]:
    return {
        str(p.relative_to(folder)): p.stat().st_mtime_ns
        for p in folder.rglob("*")
        if p.is_file() and STATE not in p.parts
    }


def rows_in(folder: Path) -> int:
    """Rows of all files of answers, as another tool counts them."""
    return sum(pq.read_metadata(p).num_rows for p in folder.glob("eval=*/*.parquet"))


# What is read back --------------------------------------------------------------------------------


@pytest.mark.slow  # builds/test_incremental.py has real logs of every harness
@needs(LOGS)
def test_real_logs_of_every_harness_give_the_same_numbers_from_the_folder(tmp_path):
    sources = [str(LOGS / name) for name in ("helm", "lighteval", "lm_eval", "openai_evals")]
    import_scores(sources, tmp_path / "scores")
    assert same_reports(sources, tmp_path / "scores") >= 10
    direct = {(r.eval, r.model): r for r in facts_of(read_scores(sources)).runs}
    for run in facts_of(read_scores(tmp_path / "scores")).runs:
        one = direct[run.eval, run.model]
        # Rows in another order add up otherwise in the last digit. nan is not itself, so it is
        # compared as printed.
        assert [(c.metric, c.agrees, c.reason) for c in run.checks] == [
            (c.metric, c.agrees, c.reason) for c in one.checks
        ]
        assert repr(dataclasses.replace(run, checks=())) == repr(
            dataclasses.replace(one, checks=())
        )


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_plain_tables_are_imported_too(tmp_path, suffix):
    frame = pd.read_csv(table(tmp_path / "t.csv"))
    if suffix == "jsonl":
        frame.to_json(tmp_path / "logs.jsonl", orient="records", lines=True)
    elif suffix == "parquet":
        frame.to_parquet(tmp_path / "logs.parquet")
    else:
        frame.to_csv(tmp_path / "logs.csv", index=False)
    source = str(tmp_path / f"logs.{suffix}")
    import_scores([source], tmp_path / "scores")
    assert same_reports(source, tmp_path / "scores") == 1
    for field in ("topic", "metadata.part"):  # declared after the import, the logs gone
        direct = numbers(read_scores(source), "e", cluster=field)
        assert numbers(read_scores(tmp_path / "scores"), "e", cluster=field) == direct


def test_texts_that_are_coded_otherwise_in_each_part_of_a_file_and_in_each_file(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(store_packs, "ROW_GROUP", 4)  # a dictionary for each
    parts = [pd.read_csv(table(tmp_path / "csv" / f"{m}.csv", models=(m,), n=11)) for m in "AB"]
    parts[0]["topic"] = [7, 8] * 5 + [7]  # numbers in one, texts in the other
    parts[1] = parts[1].iloc[::-1]
    for part, m in zip(parts, "AB", strict=True):
        part.to_csv(tmp_path / "csv" / f"{m}.csv", index=False)
    import_scores([tmp_path / "csv"], tmp_path / "scores")
    assert same_reports(tmp_path / "csv", tmp_path / "scores") == 1
    direct, stored = read_scores(tmp_path / "csv"), read_scores(tmp_path / "scores")
    known = [
        dict(
            zip(zip(f["model"], f["question_id"], strict=True), f["topic"].astype(str), strict=True)
        )
        for f in (direct, stored)
    ]
    assert known[0] == known[1] and known[0]["A", "q1"] == "8"


@pytest.mark.slow
def test_the_demonstration_keeps_epochs_clusters_and_its_label(tmp_path):
    write_demo(tmp_path / "csv")
    import_scores([tmp_path / "csv"], tmp_path / "scores")
    assert same_reports(tmp_path / "csv", tmp_path / "scores") == 5


@pytest.mark.slow
def test_a_build_and_a_table_from_the_folder_are_those_from_the_logs(tmp_path, warm):
    write_demo(tmp_path / "csv")
    import_scores([tmp_path / "csv"], tmp_path / "scores")
    for name, source in (
        ("direct", tmp_path / "csv" / "MGSM.csv"),
        ("stored", tmp_path / "scores"),
    ):
        assert build([str(source)], eval="MGSM", formats=["md"], out=tmp_path / name).status == 0
    found = [
        json.loads((tmp_path / n / "MGSM" / "results.json").read_text())
        for n in ("direct", "stored")
    ]
    assert found[0]["evals"] == found[1]["evals"]
    inputs = [
        json.loads((tmp_path / n / "MGSM" / "manifest.json").read_text())["inputs"]
        for n in ("direct", "stored")
    ]
    assert inputs[0] == inputs[1]  # the log's name and hash, not the folder's
    told = [
        CliRunner().invoke(commands, ["table", "means", str(tmp_path / n)]).stdout
        for n in ("csv", "scores")
    ]
    assert told[0] == told[1] and "MGSM" in told[0]
    told = [
        CliRunner().invoke(commands, ["check", str(tmp_path / n)]).stdout for n in ("csv", "scores")
    ]
    assert told[0] == told[1]


@pytest.fixture
def three_evals(tmp_path):
    for name in "abc":
        table(tmp_path / f"logs/{name}.csv", eval=name)
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    return tmp_path / "scores"


def test_of_one_eval_nothing_else_is_opened(three_evals, monkeypatch):
    opened = []
    inner = store._read_table
    monkeypatch.setattr(
        store,
        "_read_table",
        lambda folder, path, *rest: (opened.append(path), inner(folder, path, *rest))[1],
    )
    scores = open_scores([str(three_evals)])
    assert (scores.evals, scores.models) == (["a", "b", "c"], ["A", "B"])
    numbers(scores.of("b"), "b")
    assert {p.split("/")[-2] for p in opened if "/" in p} == {"eval=b"}
    with pytest.raises(UnknownNameError, match="no eval 'd'; there are 'a', 'b', 'c'"):
        read_scores(three_evals, evals=["d"])


def test_of_the_runs_of_other_evals_nothing_is_made(three_evals, monkeypatch):
    """Of 10,000 runs that took longer than to read the rows of one eval."""
    made = []
    inner = store.entries_of
    monkeypatch.setattr(store, "entries_of", lambda *a: made.append(inner(*a)) or made[-1])
    read_scores(three_evals, evals=["b"])
    assert [[e.run.eval for e in entries] for entries in made] == [["b", "b"]]


def test_which_run_counts_is_decided_on_reading(tmp_path):
    helm(tmp_path / "logs/1", "m", scores=(1.0, 0.0, 1.0))
    helm(tmp_path / "logs/2", "m", scores=(0.0, 0.0, 1.0))
    helm(tmp_path / "logs/3", "m", scores=(1.0, 0.0))
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    for source in (tmp_path / "logs", tmp_path / "scores"):
        with pytest.raises(ScoresError, match="'m' has 2 full runs"):
            read_scores(source)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_no_paths_and_come_back_as_they_were(tmp_path, name):
    import duckdb
    import polars

    path = table(tmp_path / "logs.csv", eval=name, models=[name, "B"])
    before = {p.name for p in tmp_path.iterdir()}
    import_scores([path], tmp_path / "scores")
    frame = read_scores(tmp_path / "scores", evals=[name])
    assert list(frame["eval"].unique()) == [name] and list(frame["model"].unique()) == [name, "B"]
    assert {p.name for p in tmp_path.iterdir()} == before | {"scores"}
    assert all(
        len(part.encode()) < 255 for p in files(tmp_path / "scores") for part in Path(p).parts
    )
    rows = f"{tmp_path}/scores/eval=*/*.parquet"  # both would take a name of digits for a number
    text = f"read_parquet('{rows}', hive_types_autocast=false)"
    there = duckdb.sql(f"select eval, count(*) from {text} group by 1").fetchall()
    seen = polars.scan_parquet(
        rows,
        hive_partitioning=True,
        try_parse_hive_dates=False,
        hive_schema={"eval": polars.String},
    )
    seen = seen.collect()
    assert len(there) == 1 and there[0][1] == len(seen) == 12
    if len(name) < 100:  # a name too long for a folder is cut there, and whole in runs.parquet
        assert there[0][0] == name == seen["eval"][0]
    assert set(duckdb.sql(f"select eval from '{tmp_path}/scores/runs.parquet'").fetchall()) == {
        (name,)
    }


def test_duckdb_and_polars_query_the_folder_as_it_is(tmp_path):
    import duckdb
    import polars

    for name in "ab":
        table(tmp_path / f"logs/{name}.csv", eval=name)
    helm(tmp_path / "logs/c", eval="c", model="A")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    expected = read_scores(tmp_path / "logs").groupby(["eval", "model"])["score"].mean().to_dict()
    rows = f"'{tmp_path}/scores/eval=*/*.parquet'"
    found = duckdb.sql(
        f"select eval, model, avg(score) from read_parquet({rows}, union_by_name=true) group by all"
    ).fetchall()
    assert {(e, m): s for e, m, s in found} == pytest.approx(expected)
    seen = polars.scan_parquet(
        rows.strip("'"), hive_partitioning=True, missing_columns="insert", extra_columns="ignore"
    )
    seen = seen.group_by("eval", "model").agg(polars.col("score").mean()).collect()
    assert {(e, m): s for e, m, s in seen.rows()} == pytest.approx(expected)
    told = duckdb.sql(
        f"select question_id, metadata from '{tmp_path}/scores/questions/eval=c/*.parquet' order "
        "by 1"
    ).fetchall()
    assert [json.loads(m)["extra_data.passage_id"] for _, m in told] == ["p0", "p0", "p1"]


def test_a_folder_partitioned_by_another_tool_is_read(tmp_path):
    frame = pd.read_csv(table(tmp_path / "t.csv", eval="a/b"))
    frame.to_parquet(tmp_path / "hive", partition_cols=["eval"])
    assert list(read_scores(tmp_path / "hive")["eval"].unique()) == ["a/b"]


def test_a_folder_at_a_url_is_read(tmp_path):
    import fsspec

    helm(tmp_path / "logs/1", "m", eval="x")
    table(tmp_path / "logs/t.csv", eval="y")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path / "scores") + "/", "/here/scores/", recursive=True)
    try:
        for name in ("x", "y"):
            found = numbers(read_scores("memory://here/scores", evals=[name]), name)
            assert found == numbers(read_scores(tmp_path / "logs"), name)
    finally:
        memory.rm("/here", recursive=True)
    with pytest.raises(OutputError, match="of this machine or of an object store"):
        import_scores([tmp_path / "logs"], "https://127.0.0.1/there")


@pytest.mark.parametrize("part", [
    "eval=a%20b", "eval=a%20b/*.parquet", "eval=*", "eval=*/*.parquet", "questions",
    "questions/eval=a%20b", "*.parquet", "runs.parquet", "_reportkit.json",
])  # fmt: skip
def test_a_part_of_the_folder_is_refused_with_what_to_give(tmp_path, monkeypatch, capsys, part):
    """Read as plain Parquet its numbers would differ: the harness's cluster and the choice of runs
    are in runs.parquet.
    """
    import fsspec

    helm(tmp_path / "logs/1", "m", eval="a b")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    monkeypatch.chdir(tmp_path)
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path / "scores") + "/", "/parts/scores/", recursive=True)
    named = " with --eval 'a b'" if "%20" in part else ""
    try:
        for source, folder in (
            (f"scores/{part}", "scores"),
            (str(tmp_path / "scores" / part), str(tmp_path / "scores")),
            (f"memory://parts/scores/{part}", "memory://parts/scores"),
        ):
            for command in (
                ["check", source],
                ["build", source],
                ["import", source, "--to", "other"],
            ):
                with pytest.raises(SystemExit) as stopped:
                    main(command)
                told = capsys.readouterr().err
                assert (
                    stopped.value.code == 2
                    and f"a part of the scores folder {folder}, which is read as a whole" in told
                )
                assert f"give {folder}{named}" in told
    finally:
        memory.rm("/parts", recursive=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["logs", "scores"]
    monkeypatch.chdir(tmp_path / "scores" / "eval=a%20b")
    with pytest.raises(ScoresError, match="give .. with --eval 'a b'"):
        read_scores(".")


def test_a_folder_inside_the_logs_is_not_read_twice(tmp_path):
    table(tmp_path / "t.csv")
    import_scores([tmp_path], tmp_path / "scores")
    assert import_scores([tmp_path], tmp_path / "scores").unchanged == [str(tmp_path / "t.csv")]
    assert len(read_scores(tmp_path)) == 12


def test_half_a_surrogate_pair_is_stored_as_its_escape():
    rows = pd.DataFrame(
        {"question_id": ["1"], "epoch": [1], "metric": ["m"], "score": [1.0], "status": ["ok"]}
    )
    data, _ = store_rows.encode(Run("h", "e", "a\ud800", rows))
    assert data["model"].to_pylist() == ["a\\ud800"]
    assert store_rows.eval_folder("e\ud800") == "eval=e%5Cud800"


# The next import ----------------------------------------------------------------------------------


def test_a_second_import_writes_nothing(tmp_path):
    helm(tmp_path / "logs/1")
    table(tmp_path / "logs/t.csv")
    assert len(import_scores([tmp_path / "logs"], tmp_path / "scores").added) == 2
    before = files(tmp_path / "scores")
    again = import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert len(again.unchanged) == 2 and not again.added and files(tmp_path / "scores") == before
    os.utime(tmp_path / "logs/t.csv", (1, 1))  # touched: read again, and the same
    assert len(import_scores([tmp_path / "logs"], tmp_path / "scores").unchanged) == 2
    after = files(tmp_path / "scores")
    assert {k for k in after if after[k] != before.get(k)} == {"runs.parquet"} and set(
        after
    ) == set(before)


def test_what_changed_replaces_its_run_and_what_is_gone_stays(tmp_path):
    helm(tmp_path / "logs/1", "m", scores=(1.0, 0.0, 1.0))
    helm(tmp_path / "logs/2", "k", scores=(1.0, 1.0, 0.0))
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    changed = helm(tmp_path / "logs/1", "m", scores=(0.0, 0.0, 1.0))
    helm(tmp_path / "logs/3", "new", scores=(0.0, 0.0, 0.0))
    done = import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert done.replaced == [str(changed)] and len(done.added) == len(done.unchanged) == 1
    assert same_reports(tmp_path / "logs", tmp_path / "scores") == 1
    assert rows_in(tmp_path / "scores") == 9  # nothing of the old run is left
    # All three runs asked the same questions, which are stored once.
    assert len(list((tmp_path / "scores").glob("questions/*/*.parquet"))) == 1
    expected = numbers(read_scores(tmp_path / "logs"), "reading", cluster="extra_data.passage_id")
    changed.write_text("[{")
    told = import_scores([tmp_path / "logs"], tmp_path / "scores").skipped[str(changed)]
    assert "what was imported of it before stays" in told
    for path in (tmp_path / "logs").rglob("*.json"):
        path.unlink()
    assert (
        numbers(read_scores(tmp_path / "scores"), "reading", cluster="extra_data.passage_id")
        == expected
    )


def test_a_folder_that_was_moved_is_the_same_source(tmp_path):
    """Its files are known by their bytes, where they are gone from their old place; a copy beside
    the file that is still there is a second source, as before.
    """
    store = tmp_path / "scores"
    for name in ("one", "two"):
        path = tmp_path / "a" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        rows = [f"{m},{name}{q},{q % 2}" for m in "AB" for q in range(4)]
        path.write_text("\n".join(["model,question_id,score", *rows]))
    import_scores([tmp_path / "a"], store)
    (tmp_path / "a").rename(tmp_path / "b")
    done = import_scores([tmp_path / "b"], store)
    assert (done.added, len(done.replaced), done.rows) == ([], 2, 16)
    assert len(read_scores([store])) == 16 and done.gone == []
    again = import_scores([tmp_path / "b"], store)
    assert len(again.unchanged) == 2 and again.rows == 16
    shutil.copytree(tmp_path / "b", tmp_path / "c")
    done = import_scores([tmp_path / "c"], store)
    assert len(done.added) == 2 and done.rows == 32


def test_a_change_in_a_file_beside_the_log_is_noticed(tmp_path):
    helm(tmp_path / "logs/1", passage="p")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    helm(tmp_path / "logs/1", passage="other")  # in scenario_state.json alone
    assert len(import_scores([tmp_path / "logs"], tmp_path / "scores").replaced) == 1
    assert list(read_scores(tmp_path / "scores")["extra_data.passage_id"]) == [
        "other0",
        "other0",
        "other1",
    ]


def test_a_lost_file_is_named_and_the_next_import_brings_it_back(tmp_path):
    table(tmp_path / "t.csv")
    import_scores([tmp_path / "t.csv"], tmp_path / "scores")
    next((tmp_path / "scores").glob("eval=e/*.parquet")).unlink()
    with pytest.raises(ScoresError, match="gone .cannot be read: no such file.*mend it from"):
        read_scores(tmp_path / "scores")
    import_scores([tmp_path / "t.csv"], tmp_path / "scores")
    assert same_reports(tmp_path / "t.csv", tmp_path / "scores") == 1


@pytest.mark.slow
def test_what_could_not_be_read_is_told_with_the_folder_until_it_can(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    helm(Path("logs/1"), "m")
    cut = helm(Path("logs/2"), "k", scores=(1.0, 1.0, 0.0))
    good = cut.read_text()
    cut.write_text(good[: len(good) // 2])
    Path("logs/notes.txt").write_text("words")  # no log at all: nobody misses it
    done = import_scores(["logs"], "scores")
    reason = done.skipped[str(cut)]
    source = str(tmp_path / cut)

    def told() -> dict[str, str]:
        found: dict[str, str] = {}
        read_scores("scores", skipped=lambda path, why: found.update({path: why}))
        return found

    assert told() == {source: reason} and "not JSON" in reason and str(cut) not in reason
    check = CliRunner().invoke(commands, ["check", "scores"]).stdout
    assert f"1 file skipped\n  {reason}:\n    {source}" in check
    built = CliRunner().invoke(commands, ["build", "scores", "--formats", "md"])
    assert built.exit_code == 0 and built.stderr.count(f"skipped {source}: {reason}") == 1
    table_ = CliRunner().invoke(commands, ["table", "means", "scores"])
    assert table_.exit_code == 0 and table_.stderr.count("skipped") == 1
    with pytest.raises(ScoresError, match="2/per_instance_stats.json: not JSON"):
        read_scores("scores", strict=True)
    before = files(Path("scores"))
    import_scores(["logs"], "scores")
    assert files(Path("scores")) == before
    import_scores(["logs"], "again")
    assert Path("again/runs.parquet").read_bytes() == Path("scores/runs.parquet").read_bytes()
    cut.write_text(good)
    import_scores(["logs"], "scores")
    assert told() == {} and list(read_scores("scores")["model"].unique()) == ["m", "k"]
    cut.write_text(good[: len(good) // 2])
    import_scores(["logs"], "scores")
    assert told()[source].endswith("; what was imported of it before stays")
    for path in cut.parent.iterdir():
        path.unlink()
    import_scores(["logs"], "scores", drop_gone=True)
    assert told() == {} and list(read_scores("scores")["model"].unique()) == ["m"]


def test_sources_that_are_gone_are_told_and_dropped_on_request(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for k in "123":
        helm(Path("logs") / k, f"m{k}")
    helm(Path("other/1"), "o")
    import_scores(["logs", "other"], "scores")
    for gone in ("logs/2", "other/1"):
        for path in Path(gone).iterdir():
            path.unlink()
    again = CliRunner().invoke(commands, ["import", "logs", "--to", "scores"])
    assert (
        "1 source of earlier imports is gone, and their runs stay" in again.stdout
        and "--drop-gone" in again.stdout
    )
    assert (
        f"gone {tmp_path}/logs/2/per_instance_stats.json" in again.stdout
        and "holds 4 runs" in again.stdout
    )
    # of no other
    assert (
        CliRunner().invoke(commands, ["import", "logs/1", "--to", "scores"]).stdout.count("gone")
        == 0
    )
    dropped = CliRunner().invoke(commands, ["import", "logs", "--to", "scores", "--drop-gone"])
    assert (
        f"dropped {tmp_path}/logs/2/per_instance_stats.json" in dropped.stdout
        and "holds 3 runs" in dropped.stdout
    )
    assert list(read_scores("scores")["model"].unique()) == ["m1", "m3", "o"]
    assert rows_in(Path("scores")) == 9  # its rows too
    os.rmdir("other/1")
    os.rmdir("other")
    assert CliRunner().invoke(commands, ["import", "other", "--to", "scores"]).exit_code != 0
    assert import_scores(["other"], "scores", drop_gone=True).gone == [
        f"{tmp_path}/other/1/per_instance_stats.json"
    ]
    with pytest.raises(
        ScoresError, match="other: no such file or folder, and scores holds nothing of it"
    ):
        import_scores(["other"], "scores", drop_gone=True)
    assert list(read_scores("scores")["model"].unique()) == ["m1", "m3"]


def test_an_import_that_finds_nothing_leaves_nothing_and_an_empty_folder_says_what_to_do(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    os.mkdir("empty")
    os.mkdir("mine")
    for to in ("scores", "new/and/deep", "mine"):
        assert CliRunner().invoke(commands, ["import", "empty", "--to", to]).exit_code == 2
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*")) == ["empty", "mine"]
    table(Path("logs/t.csv"))
    with pytest.raises(ScoresError, match="no table has a column 'scroe'"):
        import_scores(["logs"], "scores", columns={"scroe": "score"})
    assert not Path("scores").exists()
    home = store_folder.LocalHome(Path("scores"))
    home.prepare()
    with home.turn():
        store_folder.begin(home)  # as a killed import leaves it
    for command in (["check"], ["build"], ["table", "means"]):
        with pytest.raises(SystemExit) as stopped:
            main([*command, "scores"])
        told = capsys.readouterr()
        assert stopped.value.code == 2 and told.out == ""
        assert told.err == (
            "reportkit: scores: this scores folder holds no runs; fill it with reportkit import "
            "LOGS --to scores\n"
        )
    with pytest.raises(SystemExit):
        main(["import", "scores", "--to", "other"])
    assert (
        "scores: a scores folder already" in capsys.readouterr().err and not Path("other").exists()
    )


def test_strict_names_what_is_broken_and_takes_none_of_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    helm(Path("logs/1"), "m")
    helm(Path("logs/2"), "k").write_text("[{")
    with pytest.raises(SystemExit) as stopped:
        main(["import", "logs", "--to", "scores", "--strict"])
    told = capsys.readouterr().err
    assert stopped.value.code == 2 and "logs/2/per_instance_stats.json: not JSON" in told
    assert "1 file could not be read; the others are in scores" in told
    assert list(read_scores("scores")["model"].unique()) == ["m"]
    Path("my.toml").write_text("logs = 'logs'\n[evals.reading]\nerrors = 'zero'\n")
    done = CliRunner().invoke(commands, ["import", "--to", "scores", "--config", "my.toml"])
    assert done.exit_code == 0 and "1 unchanged, 1 skipped" in done.stdout
    # no LOGS, and no file names them
    assert CliRunner().invoke(commands, ["import", "--to", "scores"]).exit_code == 2


# Killed, and two at once --------------------------------------------------------------------------


class Killed(BaseException):
    """As kill -9: nothing of ours handles it."""


def edited(folder: Path, change) -> None:
    """runs.parquet with its first row changed."""
    table = pq.read_table(folder / "runs.parquet")
    rows = table.to_pylist()
    change(rows[0])
    made = pa.Table.from_pylist(
        rows, pa.schema([(n, pa.infer_type([r[n] for r in rows])) for n in table.column_names])
    )
    pq.write_table(made, folder / "runs.parquet")
    # in the format of today the list has a seal, which nobody else can write
    (folder / "_reportkit.json").write_text('{"format": "reportkit/scores@2"}')


@pytest.mark.parametrize("change", [
    {"path": "../outside.parquet"}, {"path": "eval=x/../../y.parquet"},
    {"questions": "/etc/x.parquet"}, {"source": None}, {"eval": None},
    {"harness_metrics": "["}, {"harness_metrics": '[{"x": 1}]'},
    {"notes": "3"}, {"columns": "[]"}, {"n_rows": "many"}, {"position": None},
], ids=str)  # fmt: skip
def test_a_list_of_runs_that_somebody_changed_is_refused_in_a_sentence(tmp_path, change):
    helm(tmp_path / "logs/1", "m")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    edited(tmp_path / "scores", lambda row: row.update(change))
    with pytest.raises(
        ScoresError, match="not as reportkit wrote it .*; make it again from the files with"
    ):
        read_scores(tmp_path / "scores")
    with pytest.raises(ScoresError, match="not as reportkit wrote it"):
        import_scores([tmp_path / "logs"], tmp_path / "scores")


@pytest.mark.parametrize(
    "mark", ["", "[]", "null", "\xff", '{"format": 3}', '{"format": "reportkit/scores@9"}']
)
def test_a_damaged_mark_is_refused_by_reading_and_by_importing(tmp_path, mark):
    helm(tmp_path / "logs/1", "m")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    (tmp_path / "scores/_reportkit.json").write_bytes(mark.encode("latin-1"))
    with pytest.raises(
        ScoresError,
        match="where this version reads reportkit/scores@1, .*, reportkit/scores@3; if the "
        "file is damaged, make it again .*, else import the logs into a new folder",
    ):
        read_scores(tmp_path / "scores")
    with pytest.raises(OutputError, match="into a new folder"):
        import_scores([tmp_path / "logs"], tmp_path / "scores")


@pytest.mark.parametrize("kind", ["eval=*/*.parquet", "questions/eval=*/*.parquet"])
def test_a_file_that_was_cut_off_is_mended_from_its_log_by_the_next_import(tmp_path, kind):
    helm(tmp_path / "logs/1", "m")
    helm(tmp_path / "logs/2", "k")
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    [rows] = (tmp_path / "scores").glob(kind)
    rows.write_bytes(rows.read_bytes()[:-30])
    with pytest.raises(ScoresError, match="damaged or gone .its bytes are not those of its name"):
        read_scores(tmp_path / "scores")
    done = import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert len(done.unchanged) == 2 and rows_in(tmp_path / "scores") == 6
    assert same_reports(tmp_path / "logs", tmp_path / "scores") == 1


def test_killed_at_any_write_the_folder_reads_and_the_next_import_completes_it(
    tmp_path, monkeypatch
):
    for name in "abc":
        helm(tmp_path / f"logs/{name}", eval=name)
    monkeypatch.setattr(import_work, "COMMIT", 0.0)
    direct = read_scores(tmp_path / "logs")
    expected = {name: numbers(direct, name) for name in "abc"}
    moves, real = 0, os.replace
    for last in range(20):
        folder, moves = tmp_path / f"scores{last}", 0

        def move(source, target, last=last):
            nonlocal moves
            moves += 1
            if moves > last:
                raise Killed
            real(source, target)

        monkeypatch.setattr(os, "replace", move)
        try:
            import_scores([tmp_path / "logs"], folder)
            break
        except Killed:
            pass
        finally:
            monkeypatch.setattr(os, "replace", real)
        if is_store(str(folder)) and store.contents(str(folder))[0]:
            for name in open_scores([str(folder)]).evals:
                numbers(read_scores(folder, evals=[name]), name)
        import_scores([tmp_path / "logs"], folder)
        assert sorted(open_scores([str(folder)]).evals) == [*"abc"]
        stored = read_scores(folder)
        assert {name: numbers(stored, name) for name in "abc"} == expected
        assert not list(folder.rglob("part-*")) and len(list(folder.glob("eval=*/*.parquet"))) == 3
    assert last > 8  # mark, list, and for each log its questions, its rows and the list


IMPORT = (
    "import sys\nfrom reportkit.loading.importing import "
    "import_scores\nimport_scores(sys.argv[1:2], sys.argv[2])\nprint('done')"
)


@pytest.mark.slow  # publishing/test_kills.py kills an import in the same way
def test_kill_9_in_the_middle(tmp_path):
    for k in range(60):
        helm(
            tmp_path / f"logs/{k:02d}",
            model=f"m{k}",
            scores=[float(j % (k + 2) > 0) for j in range(50)],
        )
    folder = tmp_path / "scores"
    code = "from reportkit.loading import import_work\nimport_work.COMMIT = 0.0\n" + IMPORT
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "logs"), str(folder)])
    until = time.monotonic() + 120
    while len(list(folder.glob("eval=*/*.parquet"))) < 5 and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    held = len(read_scores(folder)["model"].unique())
    assert 1 <= held < 60
    done = import_scores([tmp_path / "logs"], folder)
    assert len(done.unchanged) == held and len(done.added) == 60 - held
    assert same_reports(tmp_path / "logs", folder) == 1


def test_two_imports_at_once_leave_what_both_read(tmp_path):
    for k in range(12):
        helm(tmp_path / f"{'ab'[k % 2]}/{k:02d}", model=f"m{k}")
    command = [sys.executable, "-c", IMPORT]
    sources = [str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "a")]
    running = [
        subprocess.Popen([*command, s, str(tmp_path / "scores")], stdout=subprocess.PIPE, text=True)
        for s in sources
    ]
    assert [p.communicate()[0] for p in running] == ["done\n"] * 3
    assert len(open_scores([str(tmp_path / "scores")]).models) == 12
    assert rows_in(tmp_path / "scores") == 36
    assert sorted(import_scores(sources, tmp_path / "scores").unchanged) == sorted(
        str(p) for s in sources for p in Path(s).rglob("per_instance_stats.json")
    )


# The command --------------------------------------------------------------------------------------


def test_the_command_says_what_it_did(tmp_path, capsys):
    table(tmp_path / "logs/t.csv")
    (tmp_path / "logs/notes.txt").write_text("words")
    arguments = ["import", str(tmp_path / "logs"), "--to", str(tmp_path / "scores")]
    done = CliRunner().invoke(commands, arguments)
    assert done.exit_code == 0 and f"added {tmp_path}/logs/t.csv" in done.stdout
    assert f"skipped {tmp_path}/logs/notes.txt: neither a log of a known harness" in done.stderr
    assert (
        "1 added, 0 replaced, 0 unchanged, 1 skipped" in done.stdout
        and "holds 2 runs, 12 rows" in done.stdout
    )
    assert "0 added, 0 replaced, 1 unchanged" in CliRunner().invoke(commands, arguments).stdout
    (tmp_path / "logs/t.csv").unlink()
    assert CliRunner().invoke(commands, arguments).exit_code == 2
    for bad, why in ((tmp_path / "gone", "no such file"), (tmp_path / "logs", "no scores folder")):
        with pytest.raises(SystemExit) as stopped:
            main(["import", str(bad), "--to", str(tmp_path / "logs")])
        told = capsys.readouterr()
        assert stopped.value.code == 2 and why in told.err and "Traceback" not in told.err
