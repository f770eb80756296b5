"""Columns that call answers failed whose scores count, and columns that only seem to."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis import analyse
from reportkit.loading.read import read_scores
from reportkit.scores.flags import flagged_rows, words_of
from reportkit.scores.rows import check_rows
from reportkit.tables import make_table

# Two models and 40 questions; A fails on the first 6, B on the first 4, all with the score 0.
N = 40
FAILS = {"A": 6, "B": 4}


def frame_with(**columns: Any) -> pd.DataFrame:
    """Rows with 0/1 scores; a column is given as a function of model, question and score."""
    rows = []
    for model, fails in FAILS.items():
        for q in range(N):
            score = 0 if q < fails else int((7 * q + 3 * len(model) + ord(model)) % 5 < 3)
            row = {"model": model, "question_id": f"q{q}", "score": score}
            rows.append(row | {name: of(model, q, score) for name, of in columns.items()})
    return check_rows(pd.DataFrame(rows))


def failed(model: str, q: int, score: int) -> bool:
    return q < FAILS[model]


def found(**columns: Any) -> dict[str, tuple[int, int, int]]:
    flags = flagged_rows(frame_with(**columns), list(FAILS))
    return {f.column: (f.n_flagged, f.n_scored, f.n_zero) for f in flags}


@pytest.mark.parametrize(
    "name", ["error", "failed", "timeout", "timed_out", "hasException", "no_answer", "parse error"]
)
def test_a_column_of_such_a_name_is_found(name):
    # 6 + 4 of 2 * 40 rows, all with the score 0
    assert found(**{name: failed}) == {name: (10, 80, 10)}


@pytest.mark.parametrize("value", [bool, int, float, str, lambda x: "TRUE" if x else ""])
def test_true_and_false_however_they_are_written(value):
    assert found(error=lambda *row: value(failed(*row))) == {"error": (10, 80, 10)}


def test_words_count_as_a_failure_unless_they_say_that_there_is_none():
    def message(*row: Any) -> str:
        return "TimeoutError: 30 s" if failed(*row) else ""

    def yes(*row: Any) -> str:
        return "yes" if failed(*row) else "no"

    assert found(error=message) == {"error": (10, 80, 10)}
    assert found(error=yes) == {"error": (10, 80, 10)}
    [flag] = flagged_rows(frame_with(error=message), list(FAILS))
    assert flag.text and flag.models == (("A", 6), ("B", 4))


def test_a_status_is_read_for_what_it_says():
    def status(*row: Any) -> str:
        return "exit_timeout" if failed(*row) else "submitted"

    assert found(exit_status=status) == {"exit_status": (10, 80, 10)}
    assert found(exit_status=lambda *row: "submitted") == {}


def test_scores_other_than_0_are_counted_apart():
    """The last 5 questions of each model, whatever their scores."""
    rows = frame_with(error=lambda m, q, s: q >= N - 5)
    zero = int((rows["error"].astype(bool) & (rows["score"] == 0)).sum())
    [flag] = flagged_rows(rows, list(FAILS))
    assert (flag.n_flagged, flag.n_zero) == (10, zero) and 0 < zero < 10


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("failed", lambda m, q, s: s == 0),  # says the same as the score
        ("timeout", lambda *row: 30),  # a setting
        ("timeout", lambda *row: "30s"),
        ("error", lambda m, q, s: 0.25 * q),  # a measurement
        ("errors", lambda m, q, s: q % 4),  # a number of errors
        ("error", lambda *row: False),
        ("metadata.error", failed),  # a field of the question
        ("terror", failed),  # another word
        ("subject", lambda m, q, s: "error" if q < 5 else "law"),
        ("error_kind", lambda m, q, s: "grammar" if q % 2 else ""),  # the same for both models
        ("errors", lambda m, q, s: "1" if q % 2 else "many"),
    ],
)
def test_columns_that_only_seem_to_say_so(name, of):
    assert found(**{name: of}) == {}


def test_nearly_all_wrong_answers_are_the_score_again_and_half_of_them_are_not():
    """Of a model with 100 wrong answers of 200: 99 flagged repeat the score, 98 do not."""
    for n, repeats in ((99, True), (98, False)):
        rows = pd.DataFrame(
            {
                "model": "A",
                "question_id": [f"q{q}" for q in range(200)],
                "score": [0] * 100 + [1] * 100,
                "failed": [True] * n + [False] * (200 - n),
            }
        )
        assert (flagged_rows(check_rows(rows), ["A"]) == ()) is repeats


def test_scores_of_many_values_with_failures_as_the_lowest():
    """Failures that all count as 0 are told; a limit below which a score is called so is not."""
    rng = np.random.default_rng(0)
    score = rng.uniform(1, 10, 100)
    ids = [f"q{q}" for q in range(100)]
    rows = pd.DataFrame({"model": "A", "question_id": ids, "score": score, "failed": score < 3})
    assert flagged_rows(check_rows(rows), ["A"]) == ()
    zero = rows.assign(score=rows["score"].mask(rows["failed"], 0.0))
    [flag] = flagged_rows(check_rows(zero), ["A"])
    assert flag.n_flagged == flag.n_zero == int((score < 3).sum())


@pytest.mark.parametrize(("n", "told"), [(100, True), (101, False)])
def test_one_percent_of_a_models_rows_is_told(n, told):
    rows = pd.DataFrame(
        {
            "model": "A",
            "question_id": [f"q{q}" for q in range(n)],
            "score": [0, 0, *[1] * (n - 2)],
            "error": [True, *[False] * (n - 1)],
        }
    )
    assert bool(flagged_rows(check_rows(rows), ["A"])) is told


def test_rows_without_a_score_are_used_already():
    rows = frame_with(error=failed)
    rows.loc[rows["error"].astype(bool), ["score", "status"]] = [np.nan, "error"]
    assert flagged_rows(check_rows(rows), list(FAILS)) == ()


def test_words():
    assert words_of("HTTPError_2") == ["http", "error", "2"]


# What a report says, and what it proposes --------------------------------------------------------


def says(result_and_warnings: Any) -> str:
    return " ".join(w.message for w in result_and_warnings[1] if w.code == "failed-rows")


def test_the_report_and_its_tables_say_it():
    result, warnings = analyse(frame_with(error=failed))
    sentence = (
        "Column error is true in 10 of 80 rows with a score; these scores count, and all are 0"
    )
    assert says((result, warnings)).startswith(f"{sentence} (A 6, B 4). Decide")
    for kind in ("means", "differences", "data"):
        assert f"{sentence}." in make_table(result, kind).notes


def test_the_decision_that_is_proposed_can_be_taken(tmp_path):
    """--columns zeroed=error: said as a rule; --errors exclude: 34 and 36 of 40 answers count."""
    frame_with(error=failed).drop(columns=["eval", "status"]).to_csv(
        tmp_path / "e.csv", index=False
    )
    as_read = analyse(read_scores(tmp_path / "e.csv"))
    assert "--columns zeroed=error" in says(as_read)
    named = read_scores(tmp_path / "e.csv", columns={"error": "zeroed"})
    result, warnings = analyse(named)
    assert not says((result, warnings)) and result.zeroed == (6, 4)
    assert result.means[0].mean == as_read[0].means[0].mean
    result, _ = analyse(named, errors="exclude")
    assert [m.n_questions for m in result.means] == [34, 36]


def test_failures_that_count_as_more_than_0_ask_for_a_decision_even_when_they_are_named():
    rows = frame_with(zeroed=lambda m, q, s: q >= N - 5)
    wrong = int((rows["zeroed"].astype(bool) & (rows["score"] != 0)).sum())
    result, warnings = analyse(rows)
    assert f"Column zeroed is true in {wrong} of 80 rows" in says((result, warnings))
    assert sum(result.zeroed) == 10 - wrong
    result, warnings = analyse(rows, errors="zero")
    assert not says((result, warnings)) and sum(result.zeroed) == 10
    lowered = rows["score"].mask(rows["zeroed"].astype(bool), 0.0).groupby(rows["model"]).mean()
    assert [m.mean for m in result.means] == [lowered["A"], lowered["B"]]
