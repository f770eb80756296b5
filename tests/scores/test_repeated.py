"""Repeated ids that are several questions of one problem, or repeats: what is proposed, and that it
can be done.
"""

from typing import Any

import pandas as pd
import pytest

from reportkit.analysis import analyse
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.loading.declared import joined_ids
from reportkit.loading.read import read_scores
from reportkit.results import EvalResult
from reportkit.scores.frames import scores_of
from reportkit.scores.repeated import separating
from reportkit.scores.validation import validate

PARTS = "abc"


def problems(models: str = "XY", **columns: Any) -> pd.DataFrame:
    """Ten problems of one to three parts each; columns: functions of model, problem and part."""
    return pd.DataFrame(
        [
            {"model": m, "question_id": f"p{p}", "score": (p + len(part) + ord(m)) % 2}
            | {name: of(m, p, part) for name, of in columns.items()}
            for m in models
            for p in range(10)
            for part in PARTS[: 1 + p % 3]
        ]
    )


def part(m: str, p: int, part: str) -> str:
    return part


def advice(frame: pd.DataFrame) -> str:
    [message] = [v.message for v in validate(frame) if v.rule == "duplicate"]
    return message


def test_parts_of_a_problem_are_proposed_as_questions():
    message = advice(problems(part=part))
    # problems 1, 4, 7 repeat once, 2, 5, 8 twice, for each of two models
    assert "18 repeated rows" in message
    own = "id='question_id+part', cluster='original_id'; else keep one of each"
    assert own in message and "--" not in message  # an option of a command is none of Python


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("answer", lambda m, p, part: f"{m}{p}{part}"),  # the model's
        ("seconds", lambda m, p, part: 0.5 * p + ord(part) + 0.1),  # a measurement
        ("subject", lambda m, p, part: f"s{p}"),  # the same for the parts
        ("half", lambda m, p, part: "ab"[part == "a"]),  # does not tell b from c
    ],
)
def test_columns_that_do_not_tell_questions_apart(name, of):
    message = advice(problems(**{name: of}))
    assert "id=" not in message and "keep one of each, or number repeats" in message


@pytest.mark.parametrize(("n", "told"), [(2, True), (3, False)])
def test_a_tenth_of_the_repeats_may_be_copies(n, told):
    """18 rows are repeats of a problem's id; with 2 copies of rows 2 of 20 are alike, with 3 more
    than a tenth.
    """
    frame = problems(part=part)
    copied = frame[frame["part"] == "b"].head(n)
    message = advice(pd.concat([frame, copied], ignore_index=True))
    assert ("id='question_id+part'" in message) is told
    if told:  # what is left is found when the ids are there
        with pytest.raises(ScoresError, match="2 repeated rows"):
            analyse(pd.concat([frame, copied]), "e", id="question_id+part")


def test_a_column_that_numbers_repeats_is_an_epoch():
    message = advice(problems(seed=part))
    assert "call it 'epoch'; else keep one of each" in message and "id=" not in message


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"part": part}, "--id question_id+part --cluster original_id"),
        ({"seed": part}, "--columns epoch=seed"),
        ({"answer": lambda m, p, part: PARTS.index(part)}, "--columns epoch=answer"),
        ({"answer": lambda m, p, part: 1 + PARTS.index(part)}, "--columns epoch=answer"),
        # those of a sheet of answers, which go on over its problems
        ({"answer": lambda m, p, part: 10 * p + PARTS.index(part)}, "--id question_id+answer"),
        ({"answer": part}, "--id question_id+answer"),
        ({}, "between tables --runs latest or first chooses"),
        (
            {"date": lambda m, p, part: f"2026-11-0{1 + PARTS.index(part)}"},
            "--runs latest or first",
        ),
    ],
)
def test_of_files_the_options_of_the_commands_are_named(tmp_path, fields, option):
    problems(models="XY", **fields).to_csv(tmp_path / "e.csv", index=False)
    assert option in advice(read_scores(tmp_path / "e.csv"))


def test_labels_come_before_texts_and_hashes():
    def text(m: str, p: int, part: str) -> str:
        return f"What is {p}{part}?"

    assert separating(scores_of(problems(prompt=text, part=part)).rows) == "part"
    assert separating(scores_of(problems(prompt=text, content_hash=text)).rows) == "prompt"


def test_a_single_model_needs_a_label_or_a_name_that_says_so():
    def stamp(m: str, p: int, part: str) -> str:
        return f"{p}:{part}"  # another for each row

    assert separating(scores_of(problems("X", part=part)).rows) == "part"
    assert separating(scores_of(problems("X", stamp=stamp)).rows) == ""
    assert separating(scores_of(problems("X", prompt=stamp)).rows) == "prompt"


def clustered(result: EvalResult) -> tuple[int, int, str]:
    return result.n_questions, result.n_clusters, result.cluster_field


def test_what_is_proposed_works_on_a_table_and_on_a_frame(tmp_path):
    """1 + 2 + 3 parts for three problems each, and one more: 19 questions of 10 problems."""
    frame = problems(part=part)
    said = {"id": "question_id+part", "cluster": "original_id"}
    result, _ = analyse(frame, "e", **said)
    assert clustered(result) == (19, 10, "original_id")
    own = frame.assign(
        cluster_id=frame["question_id"], question_id=frame["question_id"] + "/" + frame["part"]
    )
    expected, _ = analyse(own, "e")
    assert [(m.mean, m.se) for m in result.means] == [(m.mean, m.se) for m in expected.means]
    [found], [same] = result.differences, expected.differences
    assert (found.se, found.ci_low, found.p_value) == (same.se, same.ci_low, same.p_value)
    frame.to_csv(tmp_path / "e.csv", index=False)
    read = read_scores(tmp_path / "e.csv", Decisions(**said))
    # decided when they are read, and again when they are analysed
    for again in (analyse(read)[0], analyse(read, **said)[0]):
        assert clustered(again)[:2] == (19, 10) and again.means == result.means


def test_a_column_may_have_a_plus_in_its_name():
    frame = problems(**{"a+b": lambda m, p, part: f"{p}{part}"})
    assert analyse(frame, "e", id="a+b")[0].n_questions == 19


def test_a_field_that_is_not_there_is_named():
    with pytest.raises(ScoresError, match="id = 'prat' is no field of .*did you mean 'part'"):
        analyse(problems(part=part), "e", id="question_id+prat")


def test_ids_of_several_fields_are_never_the_same_by_chance():
    """Joined without a mark, ("a+b", "c") and ("a", "b+c") were one id."""
    first, second = pd.Series(["a+b", "a", "a\\", "a"]), pd.Series(["c", "b+c", "+b", "\\+b"])
    assert joined_ids([first, second]).nunique() == 4


def test_a_part_may_be_missing_and_an_id_may_not():
    ids = joined_ids([pd.Series(["p1", None], dtype=object), pd.Series([None, None], dtype=object)])
    assert ids[0] == "p1+" and pd.isna(ids[1])


def test_a_column_of_dates_tells_runs_apart_and_no_questions():
    """Two nights of the same questions: joined with its date each would count as a question."""
    night = problems(models="XY", date=lambda m, p, part: f"2026-11-0{1 + PARTS.index(part)}")
    assert separating(scores_of(night).rows) == ""
    told = "column 'date' tells them apart: where they are several runs, keep only the rows of"
    assert told in advice(night)
    same = problems(models="XY", date=lambda m, p, part: "2026-11-01")
    assert "column 'date'" not in advice(same)
