"""Scores: the same table from every kind of file, names as data, and every mistake in the input
told in one message.

Expected values are worked by hand from the few rows that each test writes; file names, columns and
values in the messages are those the test wrote.
"""

import gzip
import json
import os
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from reportkit.analysis import analyse
from reportkit.cli import commands
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.loading.demo import demo_scores
from reportkit.loading.read import read_scores
from reportkit.scores.rows import EPOCH_NAMES, check_rows, names, numbers
from reportkit.scores.select import select, slug, split_names, validate

HEAD = "model,question_id,score\n"
# Two models, three questions, one score missing. Model A: 1, 0, none; model B: 0.5, 1, 1.
ROWS = [
    ("A", "q1", 1.0),
    ("A", "q2", 0.0),
    ("A", "q3", None),
    ("B", "q1", 0.5),
    ("B", "q2", 1.0),
    ("B", "q3", 1.0),
]


def frame_of(rows, columns=("model", "question_id", "score"), **more):
    return check_rows(pd.DataFrame(rows, columns=list(columns)).assign(**more))


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def refusal(source, **options) -> str:
    with pytest.raises(ScoresError) as caught:
        read_scores(source, **options)
    return str(caught.value)


# The same scores from every kind of file ----------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["t.csv", "t.csv.gz", "t.tsv", "t.jsonl", "t.jsonl.gz", "t.parquet", "bom.csv", "frame"]
)
def test_every_format_gives_the_same_scores(tmp_path, kind):
    table = pd.DataFrame(ROWS, columns=["model", "question_id", "score"]).assign(eval="t")
    path, text = tmp_path / kind, table.to_csv(index=False)
    if kind == "frame":
        frame = check_rows(table)
    else:
        if kind == "t.parquet":
            table.to_parquet(path)
        elif "jsonl" in kind:
            write(path, table.to_json(orient="records", lines=True))
        elif kind == "t.tsv":
            write(path, table.to_csv(index=False, sep="\t"))
        else:
            write(
                path,
                b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
                if kind == "bom.csv"
                else text,
            )
        if kind.endswith(".gz"):
            write(path, gzip.compress(path.read_bytes()))
        frame = read_scores(path)
    assert list(frame["status"]) == ["ok", "ok", "unscored", "ok", "ok", "ok"]
    e = select(frame, "t")
    assert (e.eval, e.metric, e.models, list(e.questions)) == (
        "t",
        "score",
        ("A", "B"),
        ["q1", "q2", "q3"],
    )
    np.testing.assert_array_equal(e.means, [[1.0, 0.5], [0.0, 1.0], [np.nan, 1.0]])
    np.testing.assert_array_equal(e.epochs, [[1, 1], [1, 1], [0, 1]])
    assert (
        e.clusters is None
        and e.n_unscored.tolist() == [1, 0]
        and (e.low, e.high, e.binary) == (0.0, 1.0, False)
    )


def test_the_eval_is_the_name_of_the_file_where_no_column_says_it(tmp_path):
    for name, expected in {
        "MATH.csv": "MATH",
        "a.b.csv": "a.b",
        "a.b.csv.gz": "a.b",
        "v1.5.jsonl": "v1.5",
    }.items():
        data = (
            b'{"model": "A", "question_id": "1", "score": 1}\n'
            if "jsonl" in name
            else (HEAD + "A,1,1\n").encode()
        )
        path = write(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
        assert list(read_scores(path)["eval"]) == [expected]


@pytest.mark.parametrize(
    "name", ["NA", "007", "None", "nan", "null", "1e5", "True", "a|b_%$#{~^\\", "../x", "中文"]
)
def test_names_are_data(tmp_path, name):
    rows = pd.DataFrame({"model": [name, "B"], "question_id": ["007", "7"], "score": [1, 0]})
    rows.to_csv(tmp_path / "x.csv", index=False)
    rows.to_parquet(tmp_path / "x.parquet")
    rows.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    for suffix in ("csv", "parquet", "jsonl"):
        e = select(read_scores(tmp_path / f"x.{suffix}"))
        assert (e.models, list(e.questions)) == ((name, "B"), ["007", "7"])


def test_half_a_character_is_its_escape_and_two_such_names_stay_two(tmp_path):
    halves = ["A\ud800", "B\udbff", "C\ud83d\ude00"]  # the last is whole: an emoji
    rows = [
        {"model": m, "question_id": f"q{k}\ud801", "score": k % 2, "topic\udfff": m}
        for m in halves
        for k in range(4)
    ]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, rows)))
    frame = read_scores(tmp_path)
    # As str.encode(errors="backslashreplace") writes them.
    assert list(frame["model"].unique()) == ["A\\ud800", "B\\udbff", "C\U0001f600"]
    assert frame["question_id"][0] == "q0\\ud801" and "topic\\udfff" in frame
    runner = CliRunner()
    for arguments in (["check"], ["table", "means"], ["import", "--to", str(tmp_path / "scores")]):
        done = runner.invoke(commands, [*arguments, str(tmp_path / "e.jsonl")])
        assert done.exit_code == 0 and not done.exception, done.output


def test_a_path_that_is_no_text_is_named_and_left_out(tmp_path):
    (tmp_path / "good.csv").write_text("model,question_id,score\nA,1,1\nB,1,0\n")
    try:
        os.rename(os.fsencode(tmp_path / "good.csv"), os.fsencode(tmp_path) + b"/bad\xff.csv")
    except OSError:
        pytest.skip("this file system takes no such names")
    with pytest.raises(
        ScoresError, match=r"bad\\udcff\.csv: its path holds bytes that are not UTF-8 text; rename"
    ):
        read_scores(tmp_path)


def test_ids_that_a_missing_cell_turned_into_floats_pair_with_the_whole_ones(tmp_path):
    pd.DataFrame({"model": "A", "question_id": [1, 2], "score": [1, 0]}).to_parquet(
        tmp_path / "a.parquet"
    )
    pd.DataFrame({"model": "B", "question_id": [1.0, 2.0], "score": [True, None]}).to_parquet(
        tmp_path / "b.parquet"
    )
    frame = read_scores([tmp_path / "a.parquet", tmp_path / "b.parquet"]).assign(eval="e")
    e = select(frame)
    assert list(e.questions) == ["1", "2"]
    np.testing.assert_array_equal(e.means, [[1, 1], [0, np.nan]])
    # 2.5 is no whole number, and beyond 2^53 a float no longer says which whole number was meant.
    odd = frame_of([("A", 2.5, 1.0), ("A", 1e20, 1.0), ("A", 3e20, 1.0)])
    assert list(odd["question_id"]) == ["2.5", "1e+20", "3e+20"]


@pytest.mark.parametrize("start", [0, 1, 7])
@pytest.mark.parametrize("column", ["epoch", *EPOCH_NAMES])
def test_repeats_count_from_one_whatever_they_start_from(tmp_path, column, start):
    text = f"model,question_id,score,{column}\n" + "".join(
        f"A,q,{s},{start + k}\n" for k, s in enumerate((1, 0, 0))
    )
    frame = read_scores(write(tmp_path / "x.csv", text))
    assert list(frame["epoch"]) == [1, 2, 3]
    e = select(frame)
    # Mean of 1, 0, 0; variance with divisor 2: (4/9 + 1/9 + 1/9) / 2 = 1/3.
    assert (
        e.means == pytest.approx(1 / 3)
        and e.variances == pytest.approx(1 / 3)
        and e.epochs.tolist() == [[3]]
    )


def test_one_file_for_each_repeat(tmp_path):
    for k, score in enumerate((1, 0)):
        write(tmp_path / f"{k}.csv", f"eval,model,question_id,score,run\ne,A,q,{score},{k}\n")
    e = select(read_scores(tmp_path))
    assert e.means.tolist() == [[0.5]] and e.epochs.tolist() == [[2]]


def test_repeats_may_have_labels(tmp_path):
    path = write(tmp_path / "x.csv", "model,question_id,score,run\nA,q,1,monday\nA,q,0,friday\n")
    assert list(read_scores(path)["epoch"]) == [2, 1]  # in the order of the alphabet


def test_a_missing_score_is_never_zero(tmp_path):
    text = "model,question_id,score,status,epoch\nA,1,1,,1\nA,1,,,2\nA,2,,,1\n"
    text += "A,3,0,error,1\nA,4,0,invalidated,1\nA,5,0,ok,1\n"
    e = select(read_scores(write(tmp_path / "x.csv", text)))
    # Question 1 has one score, 1; questions 2, 3, 4 have none and are not in the eval; question 5
    # has a real 0.
    assert list(e.questions) == ["1", "5"] and e.means.ravel().tolist() == [1.0, 0.0]
    assert e.n_unscored.tolist() == [3] and e.n_errors.tolist() == [1]
    with pytest.raises(ScoresError, match="none of its 2 rows has a score"):
        select(frame_of([("A", "1", None), ("A", "2", None)]))


@pytest.mark.parametrize("text", ["", "nan", "NaN", "null", "None", "NA", "n/a", " "])
def test_words_for_no_score(tmp_path, text):
    frame = read_scores(write(tmp_path / "x.csv", HEAD + f"A,1,{text}\nA,2,1\n"))
    assert list(frame["status"]) == ["unscored", "ok"] and np.isnan(frame["score"][0])


def test_texts_are_the_numbers_and_names_that_they_are_as_objects():
    """A column of texts is looked at once for each text, and not for each row."""
    cells = ["1", " 0.5 ", "true", "False", "", "N/A", None, "x", "1e400", "7.0", "é", "1"] * 3
    objects, texts = (pd.Series(cells, dtype=kind) for kind in (object, "str"))
    for kind in (texts, texts.astype("string")):
        for found, expected in zip(numbers(kind), numbers(objects), strict=True):
            np.testing.assert_array_equal(found, expected)
        assert names(kind).tolist() == names(objects).tolist()
    assert numbers(texts)[1].sum() == 6 and names(texts).isna().sum() == 6  # x and é; "" and None


def test_true_and_false_are_scores(tmp_path):
    assert read_scores(write(tmp_path / "x.csv", HEAD + "A,1,True\nA,2,false\n"))[
        "score"
    ].tolist() == [1.0, 0.0]


# Mistakes -----------------------------------------------------------------------------------------

BAD_FILES = {
    # what the file holds, and what its message must say beside the file's name
    "missing column": (
        "model,question,score\nA,1,1\n",
        ["'question_id'", "did you mean 'question'?", "rename it"],
    ),
    "columns far off": (
        "a,b,c\n1,2,3\n",
        ["'model', 'question_id', 'score'", "there are 'a', 'b', 'c'"],
    ),
    "text score": (
        HEAD + "A,1,1\nA,2,yes\n",
        ["'score'", "'yes' (row 2)", "1 of 2 rows", "leave the cell empty"],
    ),
    "comma decimal": (
        "model;question_id;score\nA;1;0,5\n",
        ["'score'", "'0,5' (row 1)", "write a number"],
    ),
    "infinite score": (HEAD + "A,1,-inf\n", ["'score'", "infinite", "'-inf' (row 1)", "finite"]),
    "NaN id": (
        HEAD + "A,nan,1\nA,,1\n",
        ["'question_id'", "2 of 2", "'nan' (row 1), '' (row 2)", "needs one"],
    ),
    "no model": (HEAD + ",1,1\n", ["'model'", "'' (row 1)", "needs one"]),
    "empty": ("", ["is empty", "model, question_id, score"]),
    "blank lines": ("\n \n", ["is empty"]),
    "head only": (HEAD, ["a head and no rows"]),
    "binary": (b"\x89PNG\r\n\x1a\n\xff", ["not UTF-8", "give CSV, JSON, Parquet"]),
    "nul bytes": (
        b"model,question_id,score\nA\0,1,1\n",
        ["binary data", "give CSV, JSON, Parquet"],
    ),
    "UTF-16": ((HEAD + "A,1,1\n").encode("utf-16"), ["not UTF-8"]),
    "HTML": ("<!DOCTYPE html, 5>\n<html>404</html>\n", ["web page", "<!DOCTYPE html", "give CSV"]),
    "prose": ("Not found\n", ["'Not found'", "give CSV"]),
    "gzip cut off": (
        gzip.compress(HEAD.encode() * 9)[:-9],
        ["not a readable gz file", "copy it again"],
    ),
    "gzip header only": (b"\x1f\x8bgarbage", ["not a readable gz file", "copy it again"]),
    "broken parquet": (b"PAR1garbagePAR1", ["not a readable Parquet file"]),
    "more cells than the head": (HEAD + "A,1,1\nA,2,1,5\n", ["line 3", "saw 4", "quote the cells"]),
    "more cells throughout": (
        HEAD + "A,1,1,5\nA,2,1,5\n",
        ["more cells than the head", "quote the cells"],
    ),
    "fewer cells": (HEAD + "A,1,1\nA,2\n", ["1 of 2 rows", "row 2", "copy it again"]),
    "open quote": (HEAD + '"A,1,1\n', ["quote"]),
    "column twice": (
        "model,question_id,score,score\nA,1,1,0\n",
        ["'score' occurs twice", "keep one"],
    ),
    "half an epoch": (
        "model,question_id,score,epoch\nA,1,1,1.5\n",
        ["'epoch'", "'1.5' (row 1)", "number the repeats"],
    ),
    "epoch blank": (
        "model,question_id,score,epoch\nA,1,1,1\nA,1,1,\n",
        ["'epoch'", "'' (row 2)", "number the repeats"],
    ),
    "status": (
        "model,question_id,score,status\nA,1,1,fine\n",
        ["'status'", "'fine'", "ok, error, unscored, invalidated"],
    ),
    "not JSON": ('{"model": "A"\n', ["line 1", "not JSON", "one object"]),
    "JSON list": ('{"model": "A", "question_id": "1", "score": 1}\n[1]\n', ["line 2", "list"]),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_says_what_is_wrong_where_and_what_to_do(tmp_path, kind):
    data, parts = BAD_FILES[kind]
    path = write(tmp_path / "bad.csv", data)
    message = refusal(path)
    assert path in message
    assert [p for p in parts if p not in message] == [], message
    assert "Traceback" not in message and "C error" not in message


def test_all_that_is_wrong_is_said_at_once(tmp_path):
    write(tmp_path / "a.csv", HEAD + ",1,x\nA,2,y\nA,3,z\nA,4,w\nA,5,v\n")
    write(tmp_path / "b.csv", "")
    message = refusal(tmp_path)
    lines = message.splitlines()
    assert len(lines) == 3
    assert "'model': no value in 1 of 5 rows: '' (row 1)" in lines[0]
    assert (
        "'score': not a number in 5 of 5 rows: 'x' (row 1), 'y' (row 2), 'z' (row 3);" in lines[1]
    )
    assert "b.csv: the file is empty" in lines[2]


def test_sources_that_are_not_there(tmp_path):
    assert refusal(tmp_path / "gone.csv").endswith("no such file or folder")
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "quiz.csv").touch()
    told = refusal(beside / "qiz.csv")
    assert told.endswith("qiz.csv: no such file or folder; did you mean 'quiz.csv'?")
    (beside / "quiz.csv").unlink()
    assert "no scores here; give logs of an eval harness, or tables with the columns" in refusal(
        tmp_path
    )
    write(tmp_path / "x.csv", HEAD + "A,1,1\n")
    said = refusal(
        tmp_path / "x.csv", columns={"scor": "score"}
    )  # by the table's own column: other numbers than asked for
    assert "no table has a column 'scor' to read as 'score'; correct the mapping" in said
    write(tmp_path / "y.csv", "model,question_id,right\nA,1,1\n")
    both = read_scores(tmp_path, columns={"right": "score"})  # tables of either name
    assert both["score"].to_list() == [1.0, 1.0]


def test_a_column_mapping_and_tables_of_something_else(tmp_path):
    write(tmp_path / "x.csv", "llm,prompt,right\nA,1,1\n")
    mapped = read_scores(
        tmp_path / "x.csv", columns={"llm": "model", "prompt": "question_id", "right": "score"}
    )
    assert mapped[["model", "question_id", "score"]].values.tolist() == [["A", "1", 1.0]]
    write(tmp_path / "y.csv", HEAD + "A,1,1\n")
    asides = {}
    frame = read_scores(tmp_path, skipped=asides.__setitem__)
    assert list(frame["eval"]) == ["y"] and list(asides) == [str(tmp_path / "x.csv")]
    assert asides[str(tmp_path / "x.csv")] == "no columns 'model' and 'question_id' and 'score'"


RULES = {
    # rows of (model, question, score, cluster, hash): the rule they break, how often, and what the
    # message must name
    "duplicate": (
        [("A", "1", 1, "c", "h"), ("A", "1", 0, "c", "h"), ("A", "1", 0, "c", "h")],
        2,
        ["model 'A'", "'epoch'"],
    ),
    "no-cluster": (
        [("A", "1", 1, "c", "h"), ("A", "2", 0, None, "h2"), ("A", "3", 0, "", "h3")],
        2,
        ["'2'", "'3'"],
    ),
    "two-clusters": (
        [("A", "1", 1, "c", "h"), ("B", "1", 0, "d", "h")],
        1,
        ["question_id '1'", "'d'"],
    ),
    "two-questions": (
        [("A", "1", 1, "c", "h"), ("B", "1", 0, "c", "x")],
        1,
        ["question_id '1'", "content_hash"],
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_alone(rule):
    rows, count, parts = RULES[rule]
    frame = frame_of(
        rows, ("model", "question_id", "score", "cluster_id", "content_hash"), eval="E"
    )
    [violation] = validate(frame)
    assert (violation.eval, violation.rule, violation.count) == ("E", rule, count)
    assert [p for p in ["'E'", f"{count} ", *parts] if p not in violation.message] == [], (
        violation.message
    )
    with pytest.raises(ScoresError, match=re.escape(violation.message)):
        select(frame, "E")


def test_broken_rules_come_all_at_once_and_only_those_of_the_eval_stop_it():
    rows = [
        (m, f"{k}-{q}", s, c, f"{k}{h}")
        for k, (b, _, _) in enumerate(RULES.values())
        for m, q, s, c, h in b
    ]
    bad = frame_of(
        rows, ("model", "question_id", "score", "cluster_id", "content_hash"), eval="bad"
    )
    good = frame_of([("A", "1", 1)], eval="good")
    both = pd.concat([bad, good], ignore_index=True)
    assert sorted(v.rule for v in validate(both)) == sorted(RULES)
    with pytest.raises(ScoresError) as caught:
        select(both, "bad")
    assert len(str(caught.value).splitlines()) == len(RULES)
    assert select(both, "good").means.tolist() == [[1.0]]


def test_names_that_are_not_there_come_with_the_close_one():
    frame = frame_of([("GPT", "1", 1), ("Opus", "1", 0)], eval="MATH", brier=[0.2, 0.3])
    for wanted, options in {
        "no eval 'MTH'; did you mean 'MATH'?": {"eval": "MTH"},
        "no model 'opos'; did you mean 'Opus'?": {"models": ["opos"]},
        "no metric 'brierr'; did you mean 'brier'?": {"metric": "brierr"},
        "a model is named twice": {"models": ["GPT", "GPT"]},
        "no field 'briar' to cluster by; did you mean 'brier'?": {"cluster": "briar"},
    }.items():
        with pytest.raises(UnknownNameError, match=re.escape(wanted)):
            select(frame, **options)


# One eval -----------------------------------------------------------------------------------------


def test_metrics_in_rows_and_in_columns_of_their_own():
    rows = [
        ("A", "1", 1, "acc"),
        ("A", "2", 0, "acc"),
        ("A", "1", 0.25, "f1"),
        ("A", "2", 0.75, "f1"),
    ]
    long = frame_of(rows, ("model", "question_id", "score", "metric"))
    assert select(long).metric == "acc" and select(long).means.ravel().tolist() == [1.0, 0.0]
    assert select(long, metric="f1").means.ravel().tolist() == [0.25, 0.75]
    wide = frame_of(
        [("A", "1", 1, 0.25, "x"), ("A", "2", 0, None, "y")],
        ("model", "question_id", "score", "f1", "tag"),
    )
    assert select(wide).means.ravel().tolist() == [1.0, 0.0]
    chosen = select(wide, metric="f1")
    assert (chosen.metric, chosen.means.ravel().tolist(), chosen.n_unscored.tolist()) == (
        "f1",
        [0.25],
        [1],
    )
    with pytest.raises(
        ScoresError,
        match="column 'tag' is no metric: 2 of 2 values are not numbers, the first is 'x'",
    ):
        select(wide, metric="tag")


def test_clusters_declared_and_chosen():
    columns = ("model", "question_id", "score", "cluster_id", "subject")
    frame = frame_of(
        [
            (m, q, 1, "c" + q[0], s)
            for m in "AB"
            for q, s in (("a1", "x"), ("a2", "y"), ("b1", "y"))
        ],
        columns,
    )
    assert (
        select(frame).clusters.tolist() == [0, 0, 1] and select(frame).cluster_field == "cluster_id"
    )
    assert select(frame, cluster="subject").clusters.tolist() == [0, 1, 1]
    with pytest.raises(
        ScoresError, match="1 questions have two values of 'subject', the first is 'a1'"
    ):
        select(frame.assign(subject=["x", "y", "y", "z", "y", "y"]), cluster="subject")
    with pytest.raises(ScoresError, match="2 rows have no 'subject', the first is question 'a2'"):
        select(frame.assign(subject=["x", "", "y", "x", None, "y"]), cluster="subject")


def test_models_come_in_the_order_asked_for():
    frame = frame_of(ROWS)
    assert select(frame, models=["B", "A"]).models == ("B", "A")
    assert select(frame, models=["B"]).means.ravel().tolist() == [0.5, 1.0, 1.0]
    # The scale is that of the eval, not of the models chosen.
    assert (select(frame, models=["B"]).low, select(frame, models=["B"]).high) == (0.0, 1.0)


def test_split_names_finds_names_that_hold_a_comma():
    assert split_names("a, b,c", ["a", "b,c"]) == ["a", "b,c"]
    assert (
        split_names("", ["a"]) == []
        and split_names(["x"], []) == ["x"]
        and split_names(7, []) == ["7"]
    )


def test_slugs_are_safe_readable_and_all_different():
    assert [slug(n) for n in ("MATH", "RACE-H", "v1.5_x")] == ["MATH", "RACE-H", "v1.5_x"]
    names = [
        "a/b",
        "a:b",
        "a b",
        "../x",
        "x",
        "",
        ".",
        "..",
        "-",
        "/",
        "con",
        "failed",
        "CON",
        "index.html",
        "a" * 300,
        "a" * 301,
        "\0",
    ]
    names += [".hidden", "x.", "x\n", "a\\b"]
    slugs = [slug(n) for n in names]
    assert len(set(slugs)) == len(names)
    for made in slugs:
        assert made and len(made) <= 90 and not re.search(r"[/\\:\s\0]", made), made
        assert (
            not made.startswith(".")
            and not made.endswith(".")
            and made.upper() not in {"CON", "INDEX.HTML", "FAILED"}
        )


def clustered(**more) -> pd.DataFrame:
    """Six questions in clusters a a b b c and none, and in others x x x y y y; two models."""
    labels = {
        "cluster_id": ["a", "a", "b", "b", "c", None],
        "metadata.other": list("xxxyyy"),
        "metadata.digits": range(6),
    }
    data = {"question_id": [f"q{k}" for k in range(6)], "score": [1, 0, 1, 1, 0, 1]} | labels | more
    return pd.concat(
        [check_rows(pd.DataFrame(data | {"model": m}), renumber=False) for m in "AB"],
        ignore_index=True,
    )


def test_another_cluster_or_none_is_taken_where_the_declared_one_has_gaps():
    frame = clustered()
    with pytest.raises(ScoresError, match="question_id 'q5'.*--cluster EVAL=none"):
        select(frame)
    assert select(frame, cluster="metadata.other").clusters.tolist() == [0, 0, 0, 1, 1, 1]
    chosen = select(frame, cluster="none")
    assert chosen.clusters is None and chosen.cluster_field == ""


def test_a_column_of_our_own_is_offered_neither_as_a_metric_nor_as_clusters():
    scores = demo_scores(["MATH"])
    assert "fictional" in scores
    for said in ({"metric": "f1"}, {"cluster": "topic"}):
        with pytest.raises(UnknownNameError) as error:
            analyse(scores, "MATH", **said)
        assert "fictional" not in str(error.value)


def test_a_field_of_the_questions_is_no_metric():
    with pytest.raises(UnknownNameError, match="no metric 'metadata.digits'"):
        select(clustered(cluster_id=None), metric="metadata.digits")


def test_questions_that_no_model_has_a_score_for_are_asked_all_the_same():
    chosen = select(clustered(cluster_id=None, score=[1, 0, None, 1, 0, 1]))
    assert (len(chosen.questions), chosen.n_asked) == (5, 6)


def test_ids_of_other_questions_are_counted_once_each():
    frame = pd.concat(
        [
            clustered(cluster_id=None, content_hash=[f"{m}{k}" for k in range(6)]).query(
                f"model == {m!r}"
            )
            for m in "AB"
        ]
    )
    [broken] = validate(frame)
    assert (broken.rule, broken.count) == (
        "two-questions",
        6,
    ) and "pair them by content" in broken.message
