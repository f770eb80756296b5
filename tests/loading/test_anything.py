"""What a user may give as scores, and what is said of what cannot be."""

import pandas as pd
import pyarrow as pa
import pytest

from reportkit.builds.build import build
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.loading.anything import any_scores
from reportkit.loading.demo import demo_scores
from reportkit.loading.read import read_scores

FRAME = pd.DataFrame({"model": ["a", "b"], "question_id": ["q", "q"], "score": [1, 0]})


def test_a_table_of_another_library_is_told_how_to_be_given():
    with pytest.raises(ScoresError, match=r"a Table of pyarrow: give its to_pandas\(\)"):
        any_scores(pa.Table.from_pandas(FRAME))
    assert len(any_scores(pa.Table.from_pandas(FRAME).to_pandas()).rows) == 2


def test_numbers_alone_are_told_what_is_missing():
    with pytest.raises(ScoresError, match="ndarray: give paths; or give a row for each score"):
        any_scores(FRAME.to_numpy())


@pytest.mark.parametrize("given, why", [
    ("", "an empty path names no scores"),
    (["a.csv", " "], "an empty path names no scores"),
    (None, "scores are of type NoneType: give a file"),
    (FRAME["score"], "scores are a list in which one is of type int:"),
])  # fmt: skip
def test_what_names_no_scores_neither_reads_nor_builds(given, why, tmp_path, monkeypatch):
    """Nor does it publish the demonstration: that is for a call that names none."""
    monkeypatch.chdir(tmp_path)
    for take in (read_scores, build):
        with pytest.raises(ScoresError, match=why):
            take(given)
    with pytest.raises(ScoresError, match="no scores are named"):
        read_scores([])
    assert not list(tmp_path.iterdir())


def test_wrong_keywords_and_formats_as_one_text(tmp_path):
    FRAME.to_csv(tmp_path / "quiz.csv", index=False)
    with pytest.raises(UnknownNameError, match="read_scores takes no 'column'; did you mean"):
        read_scores(tmp_path / "quiz.csv", column={})
    with pytest.raises(UnknownNameError, match="no document format 'htm'"):
        build(tmp_path / "quiz.csv", formats="md,htm")
    assert len(read_scores(tmp_path / "quiz.csv", evals="quiz")) == 2
    assert demo_scores("HumanEval")["eval"].unique().tolist() == ["HumanEval"]
