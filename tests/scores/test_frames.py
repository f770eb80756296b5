"""DataFrames in: a row for each score, or a column for each model; the same numbers as from a file,
and the same sentences for mistakes.

Expected means are counted by hand from ANSWERS: A has 3 of 4 right, B 1 of 4.
"""

import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import reportkit
from reportkit import analyse, make_table, read_scores, validate
from reportkit.cli import commands
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.report.manifest import IN_MEMORY
from reportkit.scores.frames import rows_hash, scores_of

pytestmark = pytest.mark.usefixtures("warm")

ANSWERS = {"A": [1, 1, 1, 0], "B": [0, 1, 0, 0]}
IDS = ["q1", "q2", "q3", "q4"]


def long() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"model": model, "question_id": q, "score": score}
            for model, scores in ANSWERS.items()
            for q, score in zip(IDS, scores, strict=True)
        ]
    )


WIDE = {
    "index of texts": pd.DataFrame(ANSWERS, index=IDS),
    "named index of numbers": pd.DataFrame(ANSWERS, index=pd.Index(range(4), name="id")),
    "column question_id": pd.DataFrame({"question_id": range(4)} | ANSWERS),
    "first column of texts": pd.DataFrame({"item": IDS} | ANSWERS),
    "true and false": pd.DataFrame(ANSWERS, index=IDS).astype(bool),
}


def means(scores, **options) -> dict[str, float]:
    return {m.model: m.mean for m in analyse(scores, **options)[0].means}


def test_a_row_for_each_score_gives_what_the_file_gives(tmp_path):
    long().to_csv(tmp_path / "MATH.csv", index=False)
    from_file = analyse(read_scores(tmp_path / "MATH.csv"))[0]
    result, warnings = analyse(long(), "MATH")
    assert means(long()) == {"A": 0.75, "B": 0.25}
    assert repr(result.means) == repr(from_file.means)
    assert repr(result.differences) == repr(from_file.differences)
    assert result.eval == "MATH" and analyse(long())[0].eval == "eval"


@pytest.mark.parametrize("table", WIDE.values(), ids=list(WIDE))
def test_a_column_for_each_model(table):
    assert means(table) == {"A": 0.75, "B": 0.25}
    assert repr(analyse(table)[0].differences) == repr(analyse(long())[0].differences)
    assert analyse(table, "MATH", baseline="B")[0].eval == "MATH"


def test_an_empty_cell_of_a_wide_table_is_no_zero():
    table = pd.DataFrame({"A": [1.0, np.nan, 0.0], "B": [1.0, 1.0, 0.0]}, index=["x", "y", "z"])
    result, _ = analyse(table)
    assert [(m.mean, m.n_unscored) for m in result.means] == [(0.5, 1), (2 / 3, 0)]


def test_columns_that_are_understood():
    frame = long().assign(eval="e", metric="loss", better="lower", passage=["p", "p", "r", "r"] * 2)
    twice = pd.concat([frame.assign(repeat=0), frame.assign(repeat=1)])
    result, _ = analyse(twice, cluster="passage")
    assert (result.eval, result.metric, result.lower) == ("e", "loss", True)
    assert result.best == () and result.n_clusters == 2  # two clusters allow no test
    assert [m.n_answers for m in result.means] == [8, 8]


def test_repeats_may_have_names():
    """Such as those of runs, of which some may be all digits."""
    names = pd.concat([long().assign(epoch=name) for name in ("9f3a", "1234", "run-b")])
    assert [m.n_answers for m in analyse(names)[0].means] == [12, 12]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (long().rename(columns={"model": "modle"}), "no column 'model'; did you mean 'modle'?"),
        (
            long().rename(columns={"question_id": "item", "score": "acc"}),
            "no column 'question_id' and no column 'score'; there are 'model', 'item', 'acc'; "
            "rename what holds them, with frame.rename(columns={'NAME': 'question_id', ...})",
        ),
        (
            long().assign(score=["x", *[1] * 7]),
            "column 'score': not a number in 1 of 8 rows: 'x' (row 1); write a number",
        ),
        (
            long().assign(epoch=["1", "two", *"123456"]),
            "column 'epoch': not a number in 1 of 8 rows: 'two' (row 2); number the repeats 1, 2, "
            "3, or give all of them names",
        ),
        (long().assign(model=None), "column 'model': no value in 8 of 8 rows"),
        (long().assign(better="more"), "column 'better': unknown in 8 of 8 rows: 'more' (row 1)"),
        (
            pd.DataFrame(ANSWERS),
            "an index of numbers is taken for them only under a name: frame.rename_axis",
        ),
        (
            pd.DataFrame({"item": IDS} | ANSWERS, index=IDS),
            "both its index and its column 'item' could be the question ids",
        ),
        (
            pd.DataFrame({"llm": ["a", "a"], "item": ["q", "r"], "right": [1, 0]}),
            "no column 'model', and column 'llm' holds text, so it is no model's scores (columns "
            "with other names: frame.rename(columns=...))",
        ),
        (pd.DataFrame({"question_id": IDS}), "it has no column of scores"),
        (pd.DataFrame(columns=["model"]), "has no rows"),
        (pd.DataFrame(ANSWERS, index=[["a"] * 4, IDS]), "an index of several levels"),
        (pd.concat({"e": pd.DataFrame(ANSWERS, index=IDS)}, axis=1), "several levels of column"),
        (pd.DataFrame([[1, 0, 1]], index=["q1"], columns=["A", "B", "A"]), "'A' occurs twice"),
        ({"A": [1]}, "dict"),
        ([{"model": "A", "question_id": "q1", "score": 1}], "dict"),
        ([1, 0], "int"),
        (None, "NoneType"),
    ],
    ids=str,
)
def test_mistakes_are_sentences(table, sentence):
    for take in (analyse, validate, lambda t: make_table(t, "means")):
        with pytest.raises(ScoresError) as error:
            take(table)
        assert sentence in str(error.value)


@pytest.mark.parametrize("held", [["cluster_id"], ["eval"], ["model", "question_id"], ["status"]])
def test_a_column_that_is_in_the_index_is_not_lost(held):
    """As groupby and set_index leave it. Clusters that nobody saw made an error too small."""
    table = long().assign(cluster_id=["x", "x", "y", "y"] * 2, eval="quiz", status="ok")
    held_there = table.set_index(held)
    why = f"'{held[0]}' is in the index, which is not read; bring it back with frame.reset_index"
    with pytest.raises(ScoresError, match=why):
        analyse(held_there)
    with pytest.raises(ScoresError, match=why):
        validate(held_there)
    result, _ = analyse(held_there.reset_index())
    assert (result.eval, result.n_clusters) == ("quiz", 2)
    # what stands in a column too is read there, and other names of an index say nothing
    assert analyse(table.set_index("cluster_id", drop=False))[0].n_clusters == 2
    assert analyse(table.rename_axis("row"))[0].n_clusters == 2


def test_a_table_is_not_made_of_a_path():
    with pytest.raises(ScoresError, match="not made of a path: read the file by read_scores"):
        make_table("scores.csv", "means")


def test_a_question_twice_is_named():
    table = pd.DataFrame(ANSWERS, index=["q1", "q1", "q3", "q4"])
    [broken] = validate(table)
    assert broken.rule == "duplicate" and "question_id 'q1'" in broken.message
    with pytest.raises(ScoresError, match="2 repeated rows"):
        analyse(table)


def test_a_table_and_paths_as_they_are(tmp_path):
    long().to_csv(tmp_path / "e.csv", index=False)
    cells = make_table(long(), "means").cells
    assert [row[0] for row in cells] == ["A", "B"]
    assert cells == make_table(analyse(str(tmp_path / "e.csv"))[0], "means").cells
    assert validate(tmp_path / "e.csv") == []


def test_what_read_scores_made_is_not_copied(tmp_path):
    long().to_csv(tmp_path / "e.csv", index=False)
    frame = read_scores(tmp_path / "e.csv")
    assert scores_of(frame).rows is frame
    frame["score"] = "x"  # and what users change is checked again
    with pytest.raises(ScoresError, match="'score': not a number in 8 of 8 rows"):
        analyse(frame)


def test_the_hash_of_rows_is_of_their_values():
    frame = scores_of(long()).rows
    assert rows_hash(frame) == rows_hash(frame.astype({"model": "category"})[frame.columns[::-1]])
    assert rows_hash(frame) != rows_hash(frame.assign(score=frame["score"] + 1.0))


def test_build_takes_a_frame(tmp_path):
    done = reportkit.build(long().assign(eval="e"), formats=["md"], out=tmp_path)
    assert (done.built, done.failures) == (["e"], {})
    manifest = json.loads((tmp_path / "e" / "manifest.json").read_text())
    frame = scores_of(long().assign(eval="e")).rows
    assert manifest["inputs"] == [
        {"file": "DataFrame", "sha256": rows_hash(frame), "rows": len(frame)}
    ]
    results = json.loads((tmp_path / "e" / "results.json").read_text())
    assert [m["mean"] for m in results["evals"][0]["means"]] == [0.75, 0.25]
    assert (manifest["command"], manifest["no_command"]) == (None, IN_MEMORY)


@pytest.mark.slow
def test_what_the_manifest_of_a_frame_advises_is_true(tmp_path, monkeypatch):
    """The scores in a file, the manifest names a command: it can be run, and the numbers agree."""
    monkeypatch.chdir(tmp_path)
    frame = long().assign(eval="e")
    reportkit.build(frame, formats=["md"], level=0.9, out="first")
    frame.to_parquet("e.parquet")
    reportkit.build(["e.parquet"], formats=["md"], level=0.9, out="second")
    manifest = json.loads(Path("second/e/manifest.json").read_text())
    assert "no_command" not in manifest
    words = shlex.split(manifest["command"])
    decided = ["--eval", "e", "--level", "0.9", "--formats", "md"]
    assert words == ["reportkit", "build", "e.parquet", *decided]
    done = CliRunner().invoke(commands, [*words[1:], "--out", "third"])
    assert done.exit_code == 0, done.output
    first, third = (json.loads(Path(f, "e/results.json").read_text()) for f in ("first", "third"))
    assert first["evals"] == third["evals"]


def test_no_column_of_our_own_is_offered_to_cluster_by():
    table = long().assign(better="higher", n_planned="4", topic="x")
    with pytest.raises(UnknownNameError, match="there are 'topic'$"):
        analyse(table, cluster="zzzzzz")
    with pytest.raises(UnknownNameError, match="there are 'topic', 'cluster_id'$"):
        analyse(table.assign(cluster_id="c"), cluster="zzzzzz")
