"""Scores folders of other versions: the format before (scores_at_1, written by the commit before
the schema) is read, and so is a folder with a column less or one more.

What scores_at_1 holds, by its logs: eval `lang`, 12 losses of the models good
and bad, whose metric is better when lower and of which good was run with limit=12; eval `reading`,
3 answers of model m, of which 2 are right; eval `plain`, a table of the models A and B.
"""

import dataclasses
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reportkit import analyse, read_scores
from reportkit.errors import ScoresError
from reportkit.estimates import MeanResult
from reportkit.loading.importing import import_scores
from reportkit.loading.store.schema import COLUMNS, FORMAT

LATER = {
    "tokens_in", "tokens_out", "tokens_cache_read", "tokens_cache_write", "seconds", "time_of",
    "written", "content", "first_row", "file_rows", "file_bytes", "first_question", "n_known",
    "questions_bytes",
}  # fmt: skip
AT_1 = Path(__file__).parent / "scores_at_1"


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(AT_1, tmp_path / "scores"))


def change(folder, edit):
    """runs.parquet with another table in its place."""
    table = pq.read_table(folder / "runs.parquet")
    pq.write_table(edit(table), folder / "runs.parquet")


def numbers(folder):
    frame = read_scores(folder)
    return {name: analyse(frame, name)[0] for name in frame["eval"].unique()}


def test_a_folder_of_the_format_before_is_read():
    assert json.loads((AT_1 / "_reportkit.json").read_text()) == {"format": "reportkit/scores@1"}
    found = numbers(AT_1)
    assert set(found) == {"lang", "reading", "plain"}
    assert (found["lang"].best, found["lang"].lower) == (("good",), True)
    assert found["lang"].limited() == {"good": "limit=12"}
    assert [m.n_questions for m in found["lang"].means] == [12, 12]
    assert found["reading"].means[0].mean == pytest.approx(2 / 3)
    assert [r.n_planned for r in found["reading"].runs] == [3]
    [run] = found["reading"].runs  # written before this was kept
    assert (run.tokens_in, run.tokens_out, run.seconds, run.time_of) == (0, 0, 0.0, "")


@pytest.mark.parametrize("column", [c.name for c in COLUMNS if c.default is not None])
def test_a_folder_written_before_a_column_was_added_is_read(folder, column):
    whole = numbers(folder)
    there = set(pq.read_table(folder / "runs.parquet").column_names)
    # what runs took was added after this folder was written, and that a file holds several runs
    assert {c.name for c in COLUMNS} - there == LATER
    change(folder, lambda table: table.drop_columns([column] if column in there else []))
    found = numbers(folder)
    for name, result in found.items():
        if column == "harness_metrics":  # where a folder of @1 says which scores are better
            assert (result.lower, whole[name].lower) == (False, name == "lang")
            fields = ("mean", "se", "ci_low", "ci_high", "n_questions", "n_answers")
        else:
            fields = tuple(f.name for f in dataclasses.fields(MeanResult))
        assert numbers_of(result, fields) == numbers_of(whole[name], fields)


def numbers_of(result, fields):
    return repr([[getattr(m, field) for field in fields] for m in result.means])


@pytest.mark.parametrize("column", [c.name for c in COLUMNS if c.default is None])
def test_a_column_that_every_folder_has_is_missed_by_name(folder, column):
    change(folder, lambda table: table.drop_columns([column]))
    with pytest.raises(
        ScoresError, match=f"column '{column}' is missing.*make it again from the files with"
    ):
        read_scores(folder)


def test_a_column_of_a_later_version_is_ignored(folder):
    whole = repr(numbers(folder))
    change(folder, lambda t: t.append_column("judge", pa.array(["gpt"] * t.num_rows)))
    assert repr(numbers(folder)) == whole


def test_an_import_makes_it_the_format_of_today(folder, tmp_path):
    (tmp_path / "more.csv").write_text("eval,model,question_id,score\nmore,A,1,1\nmore,A,2,0\n")
    before = repr(numbers(folder)["lang"].means)
    import_scores([tmp_path / "more.csv"], folder)
    assert json.loads((folder / "_reportkit.json").read_text()) == {"format": FORMAT}
    found = numbers(folder)
    assert repr(found["lang"].means) == before and found["more"].means[0].mean == 0.5
