"""Tables as people have them: other columns, other places, other words, other files."""

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import struct
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pytest

from reportkit import read_scores
from reportkit.errors import ScoresError
from reportkit.inputs.layouts import LayoutError, layout_of, layout_of_words

PLAIN = "model,question_id,score\nA,q1,1\nA,q2,0\nB,q1,1\nB,q2,1\n"
WANTED = [("A", "q1", 1.0), ("A", "q2", 0.0), ("B", "q1", 1.0), ("B", "q2", 1.0)]


def rows(frame: pd.DataFrame, *columns: str) -> list[tuple]:
    wanted = columns or ("model", "question_id", "score")
    return [tuple(r) for r in frame[list(wanted)].itertuples(index=False)]


def written(path: Path, content: "str | bytes") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def read(path: str, **layout) -> pd.DataFrame:
    return read_scores(path, layouts=[layout] if layout else [])


# Places in JSON -----------------------------------------------------------------------------------

RUN = {
    "info": {"agent": {"llm": "gpt"}},
    "simulations": [
        {"task_id": 7, "trial": 0, "reward_info": {"reward": 1.0}, "messages": [{"x": "y"}] * 3},
        {"task_id": 7, "trial": 1, "reward_info": {"reward": 0.0}, "messages": []},
        {"task_id": 9, "trial": 0, "reward_info": None, "messages": []},
    ],
}
COLUMNS = {
    "question_id": "task_id",
    "epoch": "trial",
    "score": "reward_info.reward",
    "model": "$.info.agent.llm",
    "eval": "=tau airline",
}


def test_rows_paths_and_constants(tmp_path):
    path = written(tmp_path / "run.json", json.dumps(RUN, indent=1))
    found = read(path, rows="simulations[*]", columns=COLUMNS)
    assert rows(found, "eval", "model", "question_id", "epoch", "status") == [
        ("tau airline", "gpt", "7", 1, "ok"),
        ("tau airline", "gpt", "7", 2, "ok"),
        ("tau airline", "gpt", "9", 1, "unscored"),
    ]
    assert found["score"].tolist()[:2] == [1.0, 0.0] and pd.isna(found["score"][2])


def test_a_document_whose_rows_nobody_names_is_told_where_they_are(tmp_path):
    path = written(tmp_path / "run.json", json.dumps(RUN, indent=1))
    with pytest.raises(ScoresError, match=r"there are 3 at 'simulations\[\*\]': say --read"):
        read_scores(path)
    with pytest.raises(ScoresError, match=r"no rows at 'simulation\[\*\]'; there are rows at"):
        read(path, rows="simulation[*]", columns=COLUMNS)


def test_objects_by_their_keys_and_values_from_around(tmp_path):
    document = {
        "model": "m",
        "sets": [
            {"name": "s1", "details": {"0": {"correct": True}, "1": {"correct": False}}},
            {"name": "s2", "details": {"0": {"correct": True}}},
        ],
    }
    path = written(tmp_path / "a.json", json.dumps(document))
    columns = {"model": "$.model", "eval": "^^.name", "question_id": "@key", "score": "correct"}
    found = read(path, rows="sets[*].details.*", columns=columns)
    assert rows(found, "eval", "question_id", "score") == [
        ("s1", "0", 1.0), ("s1", "1", 0.0), ("s2", "0", 1.0)
    ]  # fmt: skip


def test_lists_are_epochs_and_an_empty_list_is_a_question_without_a_score(tmp_path):
    document = [
        {"id": "a", "graded": [True, False, True]},
        {"id": "b", "graded": []},
        {"id": "c", "graded": [False]},
    ]
    path = written(tmp_path / "a.json", json.dumps(document))
    found = read(path, columns={"question_id": "id", "score": "graded[*]", "model": "=m"})
    assert rows(found, "question_id", "epoch") == [
        ("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1)
    ]  # fmt: skip
    assert found["score"].fillna(-1).tolist() == [1, 0, 1, -1, 0]
    assert found["status"].tolist() == ["ok", "ok", "ok", "unscored", "ok"]


def test_lists_of_unlike_lengths_are_refused(tmp_path):
    path = written(tmp_path / "a.json", json.dumps([{"id": "a", "s": [1, 0], "m": ["x"]}]))
    with pytest.raises(ScoresError, match="lists of other lengths in 1 rows, the first is row 1"):
        read(path, columns={"question_id": "id", "score": "s[*]", "metric": "m[*]", "model": "=m"})


def test_dotted_paths_in_json_lines_and_a_dot_in_a_name(tmp_path):
    lines = [{"m.x": "A", "q": {"id": k}, "r": {"v1.5": k % 2}} for k in range(3)]
    path = written(tmp_path / "a.jsonl", "\n".join(map(json.dumps, lines)))
    found = read(path, columns={"model": "m.x", "question_id": "q.id", "score": r"r.v1\.5"})
    assert rows(found) == [("A", "0", 0.0), ("A", "1", 1.0), ("A", "2", 0.0)]


def test_structs_of_parquet(tmp_path):
    frame = pd.DataFrame({"m": ["A"] * 2, "q": ["x", "y"], "r": [{"ok": True}, {"ok": False}]})
    frame.to_parquet(tmp_path / "a.parquet")
    found = read(
        str(tmp_path / "a.parquet"), columns={"model": "m", "question_id": "q", "score": "r.ok"}
    )
    assert rows(found) == [("A", "x", 1.0), ("A", "y", 0.0)]


def test_further_fields_can_be_clusters(tmp_path):
    document = [{"q": k, "s": 1, "meta": {"repo": f"r{k % 2}"}} for k in range(4)]
    path = written(tmp_path / "a.json", json.dumps(document))
    columns = {"question_id": "q", "score": "s", "model": "=m", "metadata.repo": "meta.repo"}
    assert read(path, columns=columns)["metadata.repo"].tolist() == ["r0", "r1", "r0", "r1"]


# Names from paths ---------------------------------------------------------------------------------


def test_models_from_the_path(tmp_path):
    for model in ("A", "B b"):
        written(tmp_path / "runs" / model / "results.json", json.dumps([{"q": 1, "s": 1}]))
    written(tmp_path / "runs" / "notes.json", json.dumps([{"q": 1, "s": 1}]))
    skipped: list[tuple[str, str]] = []
    columns = {"model": "{model}/results.json", "question_id": "q", "score": "s"}
    found = read_scores(
        tmp_path, layouts=[{"columns": columns}], skipped=lambda *why: skipped.append(why)
    )
    assert rows(found) == [("A", "1", 1.0), ("B b", "1", 1.0)]
    assert [(Path(p).name, why) for p, why in skipped] == [
        ("notes.json", "its path does not fit '{model}/results.json'")
    ]


def test_several_layouts_by_their_files(tmp_path):
    written(tmp_path / "one" / "a.csv", "llm,q,s\nA,q1,1\n")
    written(tmp_path / "two" / "b.csv", "name,id,ok\nB,q1,yes\n")
    found = read_scores(
        tmp_path,
        layouts=[
            {"files": "one/*", "columns": {"model": "llm", "question_id": "q", "score": "s"}},
            {
                "files": "two/*",
                "columns": {"model": "name", "question_id": "id", "score": "ok"},
                "words": {"yes": 1, "no": 0},
            },
        ],
    )
    assert rows(found, "eval", "model", "score") == [("a", "A", 1.0), ("b", "B", 1.0)]


# Wide tables, words, percent, decimals ------------------------------------------------------------


def test_the_wide_form(tmp_path):
    path = written(tmp_path / "a.csv", "question_id,topic,gpt,ours\nq1,x,1,0\nq2,y,0,\n")
    with pytest.raises(ScoresError, match="--read wide=A,B"):
        read_scores(path)
    found = read(path, wide=["gpt", "ours"])
    assert rows(found, "model", "question_id", "topic", "status") == [
        ("gpt", "q1", "x", "ok"),
        ("gpt", "q2", "y", "ok"),
        ("ours", "q1", "x", "ok"),
        ("ours", "q2", "y", "unscored"),
    ]
    star = read(path, wide="*", columns={"metadata.topic": "topic"})
    assert rows(star)[:3] == rows(found)[:3]


@pytest.mark.parametrize(
    ("words", "texts", "wanted"),
    [
        ({"pass": 1, "fail": 0}, ["PASS", "fail"], [1.0, 0.0]),
        ({"yes": 1, "no": 0}, ["yes", "No"], [1.0, 0.0]),
        ({"C": 1, "I": 0, "P": 0.5, "N": 0}, ["P", "C"], [0.5, 1.0]),
    ],
)
def test_words_for_right_and_wrong(tmp_path, words, texts, wanted):
    content = "model,question_id,score\n" + "".join(f"A,q{k},{t}\n" for k, t in enumerate(texts))
    assert read(written(tmp_path / "a.csv", content), words=words)["score"].tolist() == wanted


def test_a_word_can_be_a_status_and_an_unknown_word_is_refused(tmp_path):
    path = written(
        tmp_path / "a.csv", "model,question_id,score\nA,q1,pass\nA,q2,timeout\nA,q3,odd\n"
    )
    words = {"pass": 1, "timeout": "error"}
    with pytest.raises(ScoresError, match=r"not a number in 1 of 3 rows: 'odd' \(row 3\)"):
        read(path, words=words)
    found = read(path, words={**words, "odd": 0})
    assert found["status"].tolist() == ["ok", "error", "ok"]


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["passed", "failed"], "--read words=passed:1,failed:0"),
        (["87%", "90 %"], "--read percent=true"),
        (["0,5", "1,0"], "--read decimal=,"),
    ],
)
def test_what_scores_are_written_like_is_proposed(tmp_path, cells, told):
    content = "model;question_id;score\n" + "".join(f"A;q{k};{t}\n" for k, t in enumerate(cells))
    with pytest.raises(ScoresError, match=told):
        read_scores(written(tmp_path / "a.csv", content))


def test_percent_decimal_comma_and_comments(tmp_path):
    content = "# made by hand\nmodel;question_id;score;f1\nA;q1;87,5 %;0,25\n# more\nA;q2;50;1,5\n"
    path = written(tmp_path / "a.csv", content)
    found = read(path, percent=True, decimal=",", comment="#")
    assert found["score"].tolist() == [0.875, 0.5] and found["f1"].tolist() == ["0.25", "1.5"]


def test_columns_in_any_case(tmp_path):
    path = written(tmp_path / "a.csv", "Model,Question ID,SCORE,Trial\nA,q1,1,0\nA,q1,0,1\n")
    assert rows(read_scores(path), "model", "question_id", "score", "epoch") == [
        ("A", "q1", 1.0, 1), ("A", "q1", 0.0, 2)
    ]  # fmt: skip


# Formats ------------------------------------------------------------------------------------------


def zipped(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("__", "/").replace("_csv", ".csv"), content)
    return out.getvalue()


def zstd_of(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


PACKED = {
    "a.csv.gz": gzip.compress(PLAIN.encode()),
    "a.csv.xz": lzma.compress(PLAIN.encode()),
    "a.csv.bz2": bz2.compress(PLAIN.encode()),
    "a.csv.zst": zstd_of(PLAIN.encode()),
    "a.zip": zipped(a_csv=PLAIN),
    "a.csv": PLAIN.encode(),
}


@pytest.mark.parametrize("name", PACKED)
def test_packed_tables(tmp_path, name):
    written(tmp_path / name, PACKED[name])
    found = read_scores(tmp_path)
    assert rows(found) == WANTED and found["eval"].unique().tolist() == ["a"]


@pytest.mark.parametrize("name", [n for n in PACKED if n not in ("a.csv", "a.zip")])
def test_a_packed_table_that_is_cut_is_refused(tmp_path, name):
    with pytest.raises(ScoresError, match="copy it again"):
        read_scores(written(tmp_path / name, PACKED[name][:-9]))


def frame_of_plain() -> pd.DataFrame:
    return pd.read_csv(io.StringIO(PLAIN))


def test_rows_that_are_lists_are_named_by_their_places(tmp_path):
    listed = [["A", "q1", 1], ["A", "q2", 0], ["B", "q1", 1], ["B", "q2", 1]]
    columns = {"model": "[0]", "question_id": "[1]", "score": "[2]"}
    inner = written(tmp_path / "inner.json", json.dumps({"data": listed}))
    outer = written(tmp_path / "outer.json", json.dumps(listed))
    assert rows(read(inner, rows="data[*]", columns=columns)) == WANTED
    assert rows(read(outer, rows="[*]", columns=columns)) == WANTED
    for path, layout in ((inner, {"rows": "data[*]"}), (outer, {})):
        with pytest.raises(ScoresError, match=r"--columns 'model=\[0\],question_id=\[1\],score"):
            read(path, **layout)


def test_feather_and_json_arrays(tmp_path):
    feather.write_feather(frame_of_plain(), tmp_path / "a.feather")
    assert rows(read_scores(tmp_path)) == WANTED
    (tmp_path / "a.feather").unlink()
    written(tmp_path / "a.json", frame_of_plain().to_json(orient="records"))
    assert rows(read_scores(tmp_path)) == WANTED


def test_sqlite_by_table(tmp_path):
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as base:
        frame_of_plain().to_sql("scores", base, index=False)
        frame_of_plain().assign(score=0).to_sql('other "x"', base, index=False)
    base.close()
    with pytest.raises(ScoresError, match="2 tables, 'other \"x\"', 'scores'; say which one"):
        read_scores(str(path))
    assert rows(read(str(path), table="scores")) == WANTED
    assert read(str(path), table='other "x"')["score"].sum() == 0
    with pytest.raises(ScoresError, match="no table 'score'; did you mean 'scores'"):
        read(str(path), table="score")
    before = path.read_bytes()
    read(str(path), table="scores")
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_sqlite_that_is_being_written_is_refused_and_wal_mode_is_read(tmp_path):
    path = tmp_path / "a.db"
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=WAL")
    frame_of_plain().to_sql("scores", base, index=False)
    with pytest.raises(ScoresError, match=r"a program is writing to it.*a\.db-wal"):
        read_scores(str(path))
    base.close()
    assert rows(read_scores(str(path))) == WANTED


def test_duckdb_by_table(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as base:
        base.execute("CREATE TABLE scores (model TEXT, question_id TEXT, score DOUBLE)")
        base.executemany("INSERT INTO scores VALUES (?, ?, ?)", WANTED)
        base.execute("CREATE TABLE other AS SELECT 1 AS x")
        base.execute("CREATE VIEW peek AS SELECT * FROM read_csv('/etc/passwd')")
    assert rows(read_scores(path)) == WANTED  # the only one with the columns of scores
    with pytest.raises(ScoresError, match="no table 'peek'"):
        read(path, table="peek")


def test_workbooks_by_sheet(tmp_path):
    pytest.importorskip("python_calamine")
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "first"
    for row in [["model", "question_id", "score"], *WANTED]:
        book.active.append(list(row))
    book.create_sheet("notes").append(["a", "b"])
    book.save(tmp_path / "a.xlsx")
    assert rows(read_scores(tmp_path)) == WANTED


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_encodings_when_declared(tmp_path, encoding):
    content = PLAIN.replace("A", "Modèle É")
    path = written(tmp_path / "a.csv", content.encode(encoding))
    with pytest.raises(ScoresError, match=f"--read encoding={encoding}"):
        read_scores(path)
    found = read(path, encoding=encoding)
    assert found["model"].unique().tolist() == ["Modèle É", "B"]


# Safety -------------------------------------------------------------------------------------------


def test_bombs_are_refused_before_they_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("reportkit.inputs.unpacking.FREE", 2**20)
    big = (PLAIN + "A,q1,1\n" * 2 * 10**5).encode()
    for name, data in {
        "a.csv.gz": gzip.compress(big),
        "a.csv.xz": lzma.compress(big),
        "a.csv.bz2": bz2.compress(big),
        "a.csv.zst": zstd_of(big),
        "a.zip": zipped(a_csv=big.decode()),
    }.items():
        with pytest.raises(ScoresError, match=r"unpacks to more than \d+ MB"):
            read_scores(written(tmp_path / name, data))


def test_a_feather_file_that_claims_to_unpack_to_much_is_refused(tmp_path):
    path = tmp_path / "a.feather"
    feather.write_feather(
        pd.DataFrame({"model": ["A"] * 10**5, "question_id": "q", "score": 1.0}),
        path,
        compression="zstd",
    )
    data = bytearray(path.read_bytes())
    at = data.find(b"\x28\xb5\x2f\xfd", 8)
    data[at - 8 : at] = struct.pack("<q", 10**12)
    with pytest.raises(ScoresError, match=r"unpacks to 953,\d+ MB"):
        read_scores(written(path, bytes(data)))


@pytest.mark.parametrize("name", ["../up.csv", "/etc/up.csv", "a/../../up.csv"])
def test_members_of_a_zip_with_tricks_in_their_names_are_refused(tmp_path, name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(name, PLAIN)
    with pytest.raises(ScoresError, match="names a place outside the zip"):
        read_scores(written(tmp_path / "in" / "a.zip", out.getvalue()))
    assert [p.name for p in tmp_path.rglob("*.csv")] == []


@pytest.mark.parametrize(
    "path", ["__class__.__mro__", "a;import os", "a[-1]", "a[1e3]", "a..b", "a.", "x" * 2000]
)
def test_paths_are_data(tmp_path, path):
    file = written(tmp_path / "a.json", json.dumps([{"q": 1, "s": 1, "a": 1}]))
    with pytest.raises(ScoresError):
        read(file, rows="[*]", columns={"question_id": "q", "score": path, "model": "=m"})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"row": "x"}, "unknown key 'row' of a table; did you mean 'rows'"),
        ({"across": "models"}, "across = 'models' is none of .*did you mean 'model'"),
        ({"encoding": "rot13"}, "no encoding of text"),
        ({"columns": {"model": "{eval}/x"}}, "takes 'eval' from the path, and not 'model'"),
        ({"columns": {"model": "{model}{eval}.csv"}}, "two holes"),
        ({"words": {"pass": "good"}}, "words.pass must be a number, or one of error"),
        ({"percent": "yes"}, "must be true or false"),
    ],
)
def test_mistakes_of_a_layout(said, told):
    with pytest.raises(LayoutError, match=told):
        layout_of(said)


def test_words_of_the_command_line():
    said = ["rows=a[*]", "wide=A,B", "words=pass:1,time out:error", "percent=true", "decimal=,"]
    layout = layout_of_words(said)
    assert layout.wide == ("A", "B") and layout.words == {"pass": 1.0, "time out": "error"}
    assert layout.percent and layout.decimal == "," and layout.rows == "a[*]"
    with pytest.raises(LayoutError, match="did you mean 'rows'"):
        layout_of_words(["row=x"])


def test_one_bad_table_of_many_is_named_and_left_out(tmp_path):
    written(tmp_path / "good.csv", PLAIN)
    written(tmp_path / "bad.csv", "model,question_id,score\nA,q1,oops\n")
    skipped: list[tuple[str, str]] = []
    found = read_scores(tmp_path, skipped=lambda *why: skipped.append(why))
    assert found["eval"].unique().tolist() == ["good"]
    assert [Path(p).name for p, _ in skipped] == ["bad.csv"] and "not a number" in skipped[0][1]
    with pytest.raises(ScoresError, match="not a number"):
        read_scores([str(tmp_path / "good.csv"), str(tmp_path / "bad.csv")])
    with pytest.raises(ScoresError, match="not a number"):
        read_scores(tmp_path, strict=True)


# Numbers that would silently be others ------------------------------------------------------------


def test_words_are_scores_as_they_are_beside_percent(tmp_path):
    path = written(tmp_path / "a.csv", "model,question_id,score\na,1,pass\na,2,50%\na,3,true\n")
    frame = read(path, words={"pass": 1}, percent=True)
    assert frame["score"].tolist() == [1.0, 0.5, 1.0]


@pytest.mark.parametrize("cells", [["0.85", "1", "0"], ["85%", "0.85", "0"]])
def test_shares_are_not_taken_as_percent_once_more(tmp_path, cells):
    lines = "".join(f"a,{k},{cell}\n" for k, cell in enumerate(cells))
    path = written(tmp_path / "a.csv", "model,question_id,score\n" + lines)
    with pytest.raises(ScoresError, match="look like shares already"):
        read(path, percent=True)


def test_percent_of_zeros_and_with_the_sign_below_one_is_read(tmp_path):
    path = written(tmp_path / "a.csv", "model,question_id,score\na,1,0\na,2,0.5%\n")
    assert read(path, percent=True)["score"].tolist() == [0.0, 0.005]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_numbers_are_words_too_in_every_format(tmp_path, suffix):
    """As LiveCodeBench writes -1 and -2 for answers that did not compile."""
    frame = pd.DataFrame({"model": "a", "question_id": ["1", "2", "3"], "score": [1.0, 2.0, -1.0]})
    path = tmp_path / f"a.{suffix}"
    if suffix == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif suffix == "csv":
        frame.astype({"score": int}).to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    found = read(str(path), words={"2": 0, "-1": "error"})
    assert found["status"].tolist() == ["ok", "ok", "error"]
    assert found["score"].tolist()[:2] == [1.0, 0.0] and found["score"].isna()[2]


def test_a_point_beside_decimal_commas_is_refused(tmp_path):
    """1.234 is 1234 where 998,5 is 998.5."""
    path = written(tmp_path / "a.csv", "model;question_id;score\na;1;1.234\na;2;998,5\n")
    with pytest.raises(ScoresError, match=r"not a number in 1 of 2 rows: '1\.234 \(with decimal"):
        read(path, decimal=",")


def test_wide_columns_do_not_replace_a_column_of_models(tmp_path):
    path = written(tmp_path / "a.csv", "model,question_id,acc,f1\nx,1,1,0.5\ny,2,0,0.25\n")
    with pytest.raises(ScoresError, match="a column 'model' is there.*across=metric"):
        read(path, wide=["acc", "f1"])
    found = read(path, wide=["acc", "f1"], across="metric")
    assert rows(found, "model", "metric", "score") == [
        ("x", "acc", 1.0), ("y", "acc", 0.0), ("x", "f1", 0.5), ("y", "f1", 0.25)]  # fmt: skip


def test_lists_within_objects_of_parquet_are_answers(tmp_path):
    path = tmp_path / "a.parquet"
    info = [{"graded": [1, 0]}, {"graded": [1, 1]}]
    pd.DataFrame({"model": "a", "question_id": ["1", "2"], "info": info}).to_parquet(path)
    found = read(str(path), columns={"score": "info.graded[*]"})
    assert rows(found, "question_id", "epoch", "score") == [
        ("1", 1, 1.0), ("1", 2, 0.0), ("2", 1, 1.0), ("2", 2, 1.0)]  # fmt: skip


def test_the_command_line_takes_a_key_of_the_file_back():
    file = layout_of({"percent": True, "decimal": ",", "across": "metric", "rows": "a[*]"})
    back = file.beaten_by(layout_of_words(["percent=false", "decimal=.", "across=model"]))
    assert back.said() == {"rows": "a[*]"}


@pytest.mark.parametrize("kind", ["xlsx", "sqlite"])
def test_of_two_tables_that_can_be_read_none_is_left_out(tmp_path, kind):
    """A head that is read as question_id counts, however it is written."""
    path = tmp_path / f"a.{kind}"
    first = pd.DataFrame({"model": ["a"], "question_id": ["1"], "score": [1.0]})
    second = first.rename(columns={"question_id": "Question ID", "score": "Score"})
    if kind == "xlsx":
        pytest.importorskip("openpyxl")
        with pd.ExcelWriter(path) as book:
            first.to_excel(book, sheet_name="one", index=False)
            second.to_excel(book, sheet_name="two", index=False)
    else:
        with sqlite3.connect(path) as base:
            first.to_sql("one", base, index=False)
            second.to_sql("two", base, index=False)
        base.close()
    with pytest.raises(ScoresError, match="2 tables, 'one', 'two'; say which one"):
        read(str(path))


def test_json_in_a_zip_is_a_table_where_it_holds_an_array(tmp_path):
    row = '{"model": "b", "question_id": "1", "score": 0}'
    for text, tables in ((f"[{row}]", 2), (row, 1)):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
            out.writestr("a.csv", PLAIN)
            out.writestr("b.json", text)
        if tables == 1:
            assert rows(read(str(tmp_path / "a.zip"))) == WANTED
        else:
            with pytest.raises(ScoresError, match="2 tables, 'a.csv', 'b.json'"):
                read(str(tmp_path / "a.zip"))


@pytest.mark.parametrize(
    "cell", ["[0, 1, 1]", "[False, True, True]", "[0. 1. 1.]", "[0 1\n 1]", " [0, true, 1.0] "]
)
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_list_written_as_text_is_answers(tmp_path, cell, suffix):
    """As JSON, Python and numpy write a list; an empty one, and none, are a question unscored."""
    cells = [cell, "[]", None]
    frame = pd.DataFrame({"model": "A", "question_id": ["q1", "q2", "q3"], "graded": cells})
    path = tmp_path / f"a.{suffix}"
    if suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_json(path, orient="records", lines=True)
    found = read(str(path), columns={"score": "graded[*]"})
    told = rows(found.fillna(-1.0), "question_id", "epoch", "score")
    assert told == [("q1", 1, 0), ("q1", 2, 1), ("q1", 3, 1), ("q2", 1, -1), ("q3", 1, -1)]


@pytest.mark.parametrize("cell", ["pass", "1", "[0, 1", "[" * 3000 + "]" * 3000, "[x()]"])
def test_what_is_no_list_is_no_question_without_a_score(tmp_path, cell):
    path = written(tmp_path / "a.csv", f'model,question_id,graded\nA,q1,"[1]"\nA,q2,"{cell}"\n')
    with pytest.raises(ScoresError, match=r"a\.csv: .* is no list, as 'graded\[\*\]' takes it"):
        read(path, columns={"score": "graded[*]"})


def test_a_list_that_nobody_said_to_be_one_is_told_of(tmp_path):
    path = written(tmp_path / "a.csv", 'model,question_id,score\nA,q1,"[0, 1]"\nA,q2,[]\n')
    with pytest.raises(ScoresError, match=r"say --columns 'score=COLUMN\[\*\]'"):
        read(path)


def test_null_can_be_a_word(tmp_path):
    table = [{"model": "A", "question_id": k, "score": s} for k, s in enumerate((True, None))]
    path = written(tmp_path / "a.json", json.dumps(table))
    frame = read(path, words={"null": "error"})
    assert rows(frame.fillna(-1.0), "score", "status") == [(1, "ok"), (-1, "error")]
    assert rows(read(path, words={"null": 0}), "score", "status") == [(1, "ok"), (0, "ok")]


def test_words_of_a_status_do_not_touch_the_scores(tmp_path):
    path = written(tmp_path / "a.csv", "model,question_id,score,why\nA,q1,2,0\nA,q2,0,2\nA,q3,1,\n")
    said = {"columns": {"status": "why"}, "statuses": {"2": "error", "null": "unscored"}}
    told = rows(read(path, **said).fillna(-1.0), "score", "status")
    assert told == [(2, "ok"), (-1, "error"), (-1, "unscored")]
    with pytest.raises(LayoutError, match="statuses.2 must be one of ok, error, unscored"):
        layout_of({"statuses": {"2": "failed"}})
    assert layout_of_words(["statuses=2:error"]).statuses == {"2": "error"}
    with pytest.raises(ScoresError, match="statuses are said, and there is no column 'status'"):
        read(path, statuses={"2": "error"})


def test_columns_and_lists_of_values_are_a_table(tmp_path):
    """As MLflow and W&B write it, with the rows' places, or pandas' index."""
    split = {"columns": ["llm", "v1.score", "n"], "data": [["A", 1.0, 5], ["A", None, 6]]}
    said = {"columns": {"model": "llm", "score": "v1.score", "question_id": "index"}}
    path = written(tmp_path / "a.table.json", json.dumps(split))
    assert rows(read(path, **said).fillna(-1.0)) == [("A", "0", 1), ("A", "1", -1)]
    written(tmp_path / "a.table.json", json.dumps(split | {"index": ["x", "y"]}))
    assert rows(read(str(tmp_path), **said).fillna(-1.0)) == [("A", "x", 1), ("A", "y", -1)]
    written(tmp_path / "a.table.json", json.dumps(split | {"data": [["A", 1.0, 5], ["A"]]}))
    with pytest.raises(ScoresError, match="entry 2 of data is no list of 3 values"):
        read(path, **said)


def test_a_null_on_the_way_is_a_missing_value_and_a_slip_is_none(tmp_path):
    """A document of one row, whose reward was never computed."""
    path = written(tmp_path / "a.json", json.dumps({"id": "q1", "info": None, "m": {"n": "A"}}))
    said = {"question_id": "id", "score": "info.reward", "model": "m.n"}
    assert read(path, rows="$", columns=said)["status"].tolist() == ["unscored"]
    with pytest.raises(ScoresError, match="no column 'm.name' to map"):
        read(path, rows="$", columns=said | {"model": "m.name"})


def test_a_column_that_is_nearly_ours_is_suggested(tmp_path):
    path = written(tmp_path / "a.csv", "Modle,Question ID,Score\nA,q1,1\n")
    with pytest.raises(ScoresError, match="no column 'model'; did you mean 'Modle'"):
        read_scores(path)
