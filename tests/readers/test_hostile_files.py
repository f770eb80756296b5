"""Folders with a file in them that is broken, hostile or merely odd: it is named, the rest is read,
and --strict refuses it.
"""

import gzip
import http.server
import io
import json
import math
import os
import sys
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.lighteval_logs import row
from support.lighteval_logs import write as write_details
from support.lm_eval_logs import STAMP, group_of, line, runs_of
from support.lm_eval_logs import write as write_samples

from reportkit import readers, stats
from reportkit.errors import ScoresError
from reportkit.inputs.files import File
from reportkit.loading.importing import import_scores
from reportkit.loading.read import read_scores
from reportkit.readers import openai_evals, read_file
from reportkit.scores.scores import facts_of
from reportkit.scores.select import validate
from reportkit.scores.selfcheck import check_run

GOOD = "model,question_id,score\na,q1,1\na,q2,0\n"


def beside_good(folder: Path) -> dict[str, str]:
    """The names and reasons of what is left out of a folder that also holds a good table; --strict
    makes each fatal.
    """
    (folder / "good.csv").write_text(GOOD)
    skipped: dict[str, str] = {}
    frame = read_scores(
        folder, skipped=lambda path, why: skipped.update({os.path.basename(path): why})
    )
    assert len(frame[frame["eval"] == "good"]) == 2
    for reason in skipped.values():
        assert "\n" not in reason
    if skipped:
        with pytest.raises(ScoresError):
            read_scores(folder, strict=True)
    imported = import_scores([folder], folder.parent / "imported")
    assert {os.path.basename(path) for path in imported.skipped} == skipped.keys()
    assert len(read_scores(folder.parent / "imported")) == len(frame)
    return skipped


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs"


# Whatever a reader raises -------------------------------------------------------------------------


def read_with(monkeypatch, read) -> None:
    """Record files of OpenAI Evals are read by this function."""
    monkeypatch.setattr(readers, "FORMATS", (replace(openai_evals.READER, read=read),))


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("x"), RecursionError(), MemoryError(), KeyError("k"), OSError(5, "EIO")],
)
def test_any_error_of_a_reader_breaks_one_file_and_not_the_folder(folder, monkeypatch, error):
    (folder / "x.jsonl").write_text('{"spec": {"eval_name": "e"}}\n')

    def broken(file):
        raise error

    read_with(monkeypatch, broken)
    assert list(beside_good(folder)) == ["x.jsonl"]
    with pytest.raises(ScoresError, match=r"x\.jsonl: .*(openai-evals|EIO)"):
        read_scores(folder / "x.jsonl")


def test_who_interrupts_a_reader_interrupts_the_reading(folder, monkeypatch):
    (folder / "x.jsonl").write_text('{"spec": {"eval_name": "e"}}\n')
    read_with(monkeypatch, lambda file: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        read_scores(folder)


def test_a_self_check_that_fails_is_a_note_of_its_run(tmp_path, monkeypatch):
    write_samples(tmp_path, "t", [line(0), line(1, 0.0)])
    monkeypatch.setattr("reportkit.loading.read.check_run", lambda run, own: 1 / 0)
    [run] = facts_of(read_scores(tmp_path)).runs
    assert (
        run.checks == ()
        and "could not be compared (ZeroDivisionError: division by zero)" in run.notes[-1]
    )


def test_a_run_without_an_answer_is_broken(folder, monkeypatch):
    (folder / "x.jsonl").write_text('{"spec": {"eval_name": "e"}}\n{"final_report": {}}\n')
    [run] = runs_of_one_line(folder.parent / "other")
    run = replace(run, rows=run.rows[:0])
    read_with(monkeypatch, lambda file: [run])
    assert beside_good(folder) == {
        "x.jsonl": "no answer to a question in it; if the run ended early, run it again"
    }


def runs_of_one_line(at: Path) -> list:
    at.mkdir()
    return list(read_file(File(str(write_samples(at, "t", [line(0)]))), {}))


# lm-eval ------------------------------------------------------------------------------------------


def test_one_question_in_each_subtask_gives_the_group_no_standard_error(tmp_path):
    # lm-eval run --limit 1: it prints "N/A" for each task and for the group
    number = {"acc,none": 1.0, "acc_stderr,none": "N/A"}
    group_of(tmp_path, {"a": 1, "b": 1}, {"g": number}, group_subtasks={"g": ["a", "b"]})
    [check] = check_run(runs_of(tmp_path)["m", "g"])
    assert (check.mean, check.agrees) == (1.0, True) and math.isnan(check.se)
    assert "no standard error" in check.reason
    assert {*read_scores(tmp_path)["eval"]} == {"a", "b", "g"}


def test_an_empty_samples_file_is_called_empty(folder):
    (folder / f"samples_t_{STAMP}.jsonl").write_text("")
    [reason] = beside_good(folder).values()
    assert reason == "the file is empty; copy it again, or run the eval again"


# Tables -------------------------------------------------------------------------------------------


def test_a_cell_of_any_length_is_a_cell(tmp_path):
    # Python's csv module refuses more than 131,072 characters unless told otherwise.
    (tmp_path / "x.csv").write_text(
        f'model,question_id,score,prompt\na,q1,1,"{"x" * 200_000}"\na,q2,1,b\n'
    )
    assert read_scores(tmp_path)["prompt"].str.len().tolist() == [200_000, 1]


@pytest.mark.parametrize("before", ["\n", "  \n", "\r\n \t\r\n\n"])
def test_blank_lines_before_the_head_and_between_rows_are_no_rows(tmp_path, before):
    (tmp_path / "x.csv").write_text(
        before + 'model,question_id,score\n"a",q1,1\n  \na,q2,0\n', newline=""
    )
    assert read_scores(tmp_path)["score"].tolist() == [1.0, 0.0]


LINES = {
    "deep": ('{"model": ' + "[" * 100_000, "line 1: JSON nested deeper"),
    "a score of 400 digits": (
        '{"model": "m", "question_id": "q", "score": 1' + "0" * 400 + "}",
        "'score': infinite",
    ),
    "a score of 1e300": (
        '{"model": "m", "question_id": "q", "score": 1e300}',
        "'score': beyond 1e+50",
    ),
    "an epoch of 1e300": (
        '{"model": "m", "question_id": "q", "score": 1, "epoch": 1e300}',
        "'epoch': beyond 1e+09",
    ),
}


@pytest.mark.parametrize("kind", LINES)
def test_lines_of_a_table_that_hold_no_score(tmp_path, kind):
    text, reason = LINES[kind]
    (tmp_path / "x.jsonl").write_text(text + "\n")
    with pytest.raises(ScoresError) as caught:
        read_scores(tmp_path / "x.jsonl")
    assert f"{tmp_path / 'x.jsonl'}" in str(caught.value) and reason in str(caught.value)


def test_a_model_that_is_a_number_without_end_has_its_name(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"model": 1e400, "question_id": "q", "score": 1}\n')
    assert read_scores(tmp_path)["model"].tolist() == ["inf"]


def test_lists_and_objects_in_further_columns_are_text(tmp_path):
    rows = [
        {"model": "m", "question_id": q, "score": 1, "content_hash": [q, {"a": 1}]} for q in "ab"
    ]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    pd.DataFrame(rows).assign(model="n", content_hash=[["a"], ["b"]]).to_parquet(
        tmp_path / "y.parquet"
    )
    frame = read_scores(tmp_path)
    assert frame["content_hash"].tolist() == [
        '["a", {"a": 1}]',
        '["b", {"a": 1}]',
        '["a"]',
        '["b"]',
    ]
    assert validate(frame[frame["eval"] == "x"]) == []
    assert import_scores([tmp_path], tmp_path.parent / "to").runs == 2


def test_texts_that_are_no_utf_8_break_a_parquet_file(folder):
    text = pa.array([b"\xff", b"\xfe"]).view(pa.string())
    table = pa.table({"model": text, "question_id": ["a", "b"], "score": [1.0, 0.0], "more": text})
    pq.write_table(table, folder / "x.parquet")
    pq.write_table(table.set_column(0, "model", pa.array(["m", "m"])), folder / "y.parquet")
    told = beside_good(folder)
    assert told.keys() == {"x.parquet", "y.parquet"} and all(
        "not a readable Parquet file" in t for t in told.values()
    )


def test_a_path_that_is_no_utf_8_is_to_be_renamed(folder):
    with open(os.fsencode(folder) + b"/x\xff.csv", "wb") as out:
        out.write(GOOD.encode())
    [reason] = beside_good(folder).values()
    assert reason.endswith(
        "its path holds bytes that are not UTF-8 text; rename the file or its folder"
    )


def test_a_table_with_a_head_and_no_rows_is_left_out(folder):
    (folder / "x.csv").write_text("model,question_id,score\n")
    assert beside_good(folder) == {
        "x.csv": "the table has a head and no rows; there is nothing to report on"
    }


# Numbers beyond all scores ------------------------------------------------------------------------


def test_a_mean_of_numbers_whose_squares_no_double_holds():
    """Of 1, -1, 1, 0 the variance is 2.75 / 3 and the mean's 2.75 / 12."""
    found = stats.mean_estimate(np.array([1e300, -1e300, 1e300, 0.0]))
    assert found.value == 2.5e299
    assert found.se == pytest.approx(1e300 * math.sqrt(2.75 / 12), rel=1e-12)


# lighteval ----------------------------------------------------------------------------------------


def test_details_with_a_column_twice_are_left_out(folder):
    good = write_details(folder, [row(0, {"acc": 1.0})], task="s|t|0")
    table = pq.read_table(good)
    pq.write_table(
        table.append_column("doc", table["doc"]), good.with_name(f"details_s|u|0_{STAMP}.parquet")
    )
    told = beside_good(folder)
    assert told == {
        f"details_s|u|0_{STAMP}.parquet": "column 'doc' occurs twice; run the eval again"
    }


# What would wait or grow without end --------------------------------------------------------------


def test_pipes_devices_and_links_to_nothing_are_left_out_of_a_folder_and_refused_by_name(folder):
    os.mkfifo(folder / "pipe.csv")
    (folder / "zero.csv").symlink_to("/dev/zero")
    (folder / "gone.json").symlink_to(folder / "nowhere")
    (folder / "loop.csv").symlink_to(folder / "loop.csv")
    told = beside_good(folder)
    assert told.keys() == {"pipe.csv", "zero.csv", "gone.json", "loop.csv"}
    for name in ("pipe.csv", "zero.csv"):
        assert told[name].startswith("a pipe, a socket or a device, not a file")
    for name, why in told.items():
        with pytest.raises(ScoresError, match=f"{name}: (a pipe, a socket|cannot be read: )"):
            read_scores(folder / name)
        with pytest.raises(ScoresError, match=name):
            read_scores(f"file://{folder / name}")
        assert why
    assert len(read_scores(f"{folder}/*")) == 2


def test_a_file_that_fails_while_it_is_read_is_left_out(folder):
    # can be opened; reading its beginning is an I/O error
    (folder / "x.csv").symlink_to("/proc/self/mem")
    assert beside_good(folder).keys() == {"x.csv"}


@pytest.mark.parametrize("scheme", ["file", "memory"])
def test_folders_globs_and_files_at_a_url_are_the_same_scores(tmp_path, scheme):
    import fsspec

    fs = fsspec.filesystem(scheme)
    base = str(tmp_path / "at url") if scheme == "file" else "/at url"
    fs.makedirs(f"{base}/in")
    for name in ("a.csv", "in/b.csv"):
        fs.pipe(f"{base}/{name}", GOOD.encode())
    url = f"{scheme}://{base}"
    for sources in (
        url,
        f"{url}/",
        [f"{url}/a.csv", f"{url}/in/b.csv"],
        f"{url}/**/*.csv",
        [f"{url}/*.csv", f"{url}/in"],
    ):
        assert read_scores(sources)["eval"].unique().tolist() == ["a", "b"]
    assert [f.path for f in File(f"{url}/a.csv").siblings("*.csv")] == [f"{url}/a.csv"]


def test_a_gzip_file_that_unpacks_to_gigabytes_is_refused_before_it_has(folder):
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as out:
        for _ in range(30):
            out.write(bytes(10**7))  # 300 MB in 300 KB
    (folder / "x.csv.gz").write_bytes(packed.getvalue())
    [reason] = beside_good(folder).values()
    assert reason.startswith("unpacks to more than 256 MB")


def test_a_parquet_file_of_more_rows_than_its_bytes_could_hold_is_refused_before_it_is_read(folder):
    many = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(3 * 10**6, dtype=np.int8)), pa.array(["m"])
    )
    pq.write_table(
        pa.table({"model": many, "question_id": many, "score": many}), folder / "x.parquet"
    )
    [reason] = beside_good(folder).values()
    assert reason.startswith("3,000,000 rows of 3 columns in ")


def test_a_long_text_that_many_rows_share_is_kept_once(tmp_path):
    # 100 MB
    long = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(100, dtype=np.int8)), pa.array(["x" * 10**6])
    )
    ids = [str(i) for i in range(100)]
    table = pa.table(
        {
            "model": ["m"] * 100,
            "question_id": ids,
            "score": [1.0] * 100,
            "prompt": long.cast(pa.string()),
        }
    )
    pq.write_table(table, tmp_path / "x.parquet")
    frame = read_scores(tmp_path)
    assert isinstance(frame["prompt"].dtype, pd.CategoricalDtype) and not isinstance(
        frame["model"].dtype, pd.CategoricalDtype
    )


def test_lines_that_each_name_a_column_of_their_own_are_no_table(folder):
    rows = ({"model": "a", "question_id": f"q{i}", "score": 1, f"k{i}": 1} for i in range(12_000))
    (folder / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    [reason] = beside_good(folder).values()
    assert "different columns" in reason and "a table has the same ones in every line" in reason


def test_a_field_that_each_question_has_alone_is_no_column(tmp_path):
    write_samples(tmp_path, "t", [line(i, doc={f"k{i}": i, "subject": "s"}) for i in range(3000)])
    frame = read_scores(tmp_path)
    assert [c for c in frame.columns if c.startswith("doc.")] == ["doc.subject"] and len(
        frame
    ) == 3000


def test_a_metric_that_each_question_has_alone_is_none(folder):
    write_samples(folder, "t", [line(i, metrics=[f"m{i}"], **{f"m{i}": 1.0}) for i in range(3000)])
    [reason] = beside_good(folder).values()
    assert "3000 metrics, and 3000 scores for 9000000 answers" in reason


def test_groups_that_hold_one_another_without_end_are_walked_once_or_refused(folder):
    # 400 groups, each of 300 times the next: a walk for each child of each group would take 400 *
    # 300 * 400 * 300 steps
    names = [f"g{i}" for i in range(400)]
    number = {"acc,none": 0.5, "acc_stderr,none": 0.1}
    below = {g: [n] * 300 for g, n in zip(names, [*names[1:], "t"], strict=True)}
    group_of(folder, {"t": 3}, dict.fromkeys(names, number), group_subtasks=below)
    [reason] = set(beside_good(folder).values())
    assert "400 groups hold one another" in reason
    (folder / f"results_{STAMP}.json").unlink()
    group_of(folder, {"t": 3}, dict.fromkeys(names[:30], number), group_subtasks=below)
    assert len(read_scores(folder)["eval"].unique()) == 32


def test_the_beginning_of_a_line_is_told_in_one_walk(folder):
    # a pattern would try each pair of them
    keys = '{"run_id":' + '"event_id":' * 2000 + '"sample_id":' * 2000
    (folder / "x.jsonl").write_text(keys)
    assert beside_good(folder).keys() == {"x.jsonl"}
    assert openai_evals.claims(File(str(folder / "x.jsonl"))) == ""


def test_a_long_id_of_an_instance_is_taken_apart_in_one_walk(tmp_path):
    ids = ["a" + "__b" * 20_000 + "-1" * 20_000 + "x", "a__b-1", "a/b/c:pr-2"]
    (tmp_path / "m.r.json").write_text(
        json.dumps(
            {
                "resolved_ids": ids,
                "unresolved_ids": [],
                "submitted_ids": ids,
                "total_instances": 3,
                "resolved_instances": 3,
            }
        )
    )
    assert read_scores(tmp_path).set_index("question_id")["repository"][ids[1:]].tolist() == [
        "a/b",
        "a/b/c",
    ]


def test_each_folder_is_listed_once_for_all_its_files(tmp_path, monkeypatch):
    for i in range(40):
        write_samples(tmp_path, f"t{i}", [line(0)])
    listed = []
    scandir = os.scandir
    monkeypatch.setattr(
        "reportkit.inputs.files.os.scandir", lambda folder: listed.append(folder) or scandir(folder)
    )
    read_scores(tmp_path)
    assert len(listed) <= 3


def test_a_member_of_a_log_that_is_all_white_space_is_refused_before_it_is_parsed(folder):
    with zipfile.ZipFile(folder / "x.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("summaries.json", "[]")
        archive.writestr("header.json", b"{" + b" " * (90 * 2**20) + b"}")
    [reason] = beside_good(folder).values()
    assert reason.startswith("member 'header.json' unpacks to more than 64 MB")


# Runs of which a part is missing ------------------------------------------------------------------


def test_a_task_without_its_samples_is_told_of_the_folder_and_not_of_another_eval(folder):
    number = {"acc,none": 0.5, "acc_stderr,none": 0.1}
    group_of(folder, {"a": 3, "b": 3}, {"g": number}, group_subtasks={"g": ["a"]})
    (folder / f"samples_b_{STAMP}.jsonl").unlink()
    assert beside_good(folder) == {
        f"results_{STAMP}.json": "no samples file of 'b'; copy the whole folder"
    }
    assert not any("samples file" in n for r in facts_of(read_scores(folder)).runs for n in r.notes)


@pytest.mark.parametrize("damage", ["cut", "empty"])
def test_details_whose_results_are_broken_are_left_out(folder, damage):
    details = write_details(folder, [row("0", {"em": 1.0})])
    results = folder / "results" / "org" / "m" / f"results_{STAMP}.json"
    results.write_text(results.read_text()[:-5] if damage == "cut" else "")
    [reason] = (why for name, why in beside_good(folder).items() if name == details.name)
    assert reason.startswith(f"{results}: ")


def test_a_log_that_needs_a_missing_package_is_left_out_of_a_folder_that_has_more(
    folder, monkeypatch
):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    (folder / "x.json").write_text('{"version": 2, "status": "success", "eval": {}}')
    assert 'pip install -e ".[inspect]"' in beside_good(folder)["x.json"]
    (folder / "good.csv").unlink()
    with pytest.raises(ScoresError, match=r'x\.json: .*pip install -e "\.\[inspect\]"'):
        read_scores(folder)


# Servers ------------------------------------------------------------------------------------------


class Server(http.server.BaseHTTPRequestHandler):
    """One file, whole and whatever is asked for, as a server without ranges and without names gives
    it.
    """

    content = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(self.content)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    """A function of a file's bytes that returns the URL of a server that answers with them."""
    pytest.importorskip("aiohttp")
    started = []

    def start(content: bytes) -> str:
        handler = type("Handler", (Server,), {"content": content})
        started.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=started[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{started[-1].server_port}"

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def test_a_server_that_answers_anything_is_no_scores_folder(serve):
    assert read_scores(f"{serve(GOOD.encode())}/x.csv?a=b")["score"].tolist() == [1.0, 0.0]


def test_packed_logs_of_a_server_without_ranges_are_read_whole(serve, tmp_path):
    from support.inspect_fresh_logs import large
    from support.own_thread import own_thread

    own_thread(large)(str(tmp_path / "x.eval"), 4)
    assert len(read_scores(f"{serve((tmp_path / 'x.eval').read_bytes())}/x.eval")) == 4
    cut = (tmp_path / "x.eval").read_bytes()[:-30]
    with pytest.raises(ScoresError, match=r"http://127\.0\.0\.1:\d+/y\.eval: a damaged zip"):
        read_scores(f"{serve(cut)}/y.eval")
    details = write_details(tmp_path, [row("0", {"em": 1.0})])
    assert len(read_scores(f"{serve(details.read_bytes())}/details.parquet")) == 1


def test_a_table_that_breaks_a_rule_is_left_out_of_a_folder_by_reading_and_by_importing(folder):
    (folder / "x.csv").write_text("model,question_id,score\nm,q,good\n")
    (folder / "good.csv").write_text(GOOD)
    skipped = []
    assert len(read_scores(folder, skipped=lambda path, why: skipped.append(why))) == 2
    done = import_scores([folder], folder.parent / "to")
    for why in (*skipped, *done.skipped.values()):
        assert why.startswith("column 'score': not a number in 1 of 1 rows: 'good' (row 1)")
    with pytest.raises(ScoresError, match=r"x\.csv: column 'score': not a number"):
        import_scores([folder / "x.csv"], folder.parent / "other")
    assert len(read_scores(folder.parent / "to")) == 2


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:ef98\nsize 42807696\n"
ANNEX = "/annex/objects/SHA256E-s42807696--ef98.jsonl\n"


@pytest.mark.parametrize(
    "text, told",
    [
        (
            POINTER,
            "a pointer of Git LFS, and not the file of 42,807,696 bytes; get it with git lfs",
        ),
        (ANNEX, "a pointer of git-annex, and not the file; get it with git annex get"),
    ],
)
def test_a_pointer_in_a_clone_says_what_to_get(tmp_path, text, told):
    """Public repositories keep logs so: csabakecskemeti/lm_eval_results, huggingface/lighteval."""
    for name in ("samples_hellaswag_2025-01-24T19-02-29.392595.jsonl", "run.eval", "d.parquet"):
        (tmp_path / name).write_text(text)
    (tmp_path / "figure.png").write_text(text)
    skipped = []
    with pytest.raises(ScoresError) as error:
        read_scores(tmp_path, skipped=lambda path, why: skipped.append(path[-10:]))
    lines = str(error.value).split("\n")
    assert len(lines) == 3 and all(told in line for line in lines)
    assert skipped == ["figure.png"]


def test_of_many_files_that_cannot_be_read_some_are_named(tmp_path):
    for k in range(50):
        (tmp_path / f"{k}.jsonl").write_text(POINTER)
    with pytest.raises(ScoresError) as error:
        read_scores(tmp_path)
    assert len(str(error.value).split("\n")) == 21 and "and 30 more files" in str(error.value)


@pytest.mark.parametrize("named", [False, True], ids=["a folder", "files"])
def test_files_that_need_one_package_are_one_sentence(tmp_path, monkeypatch, named):
    monkeypatch.setitem(sys.modules, "duckdb", None)  # as where the extra is not installed
    head = b"\0" * 8 + b"DUCK" + b"\0" * 100
    paths = [tmp_path / f"{k}.duckdb" for k in range(30)]
    for path in paths:
        path.write_bytes(head)
    (tmp_path / "other.eval").write_text(POINTER)
    with pytest.raises(ScoresError) as error:
        read_scores([*paths, tmp_path / "other.eval"] if named else tmp_path)
    one, other = str(error.value).split("\n")
    assert one.startswith(f"{paths[0]} and 29 more files: ") and "pip install" in one
    assert other.startswith(f"{tmp_path / 'other.eval'}: ")
