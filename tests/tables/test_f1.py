"""The table of F1, by counts and by draws from the Dirichlet posterior."""

import numpy as np
import pytest
from support.scores_made import frame_of, rows_of

from reportkit.analysis import analyse
from reportkit.errors import ScoresError
from reportkit.tables import make_table

DASH = "\N{EM DASH}"
# 12 positive questions of which A has 8 right, 8 negative ones of which it has 6.
RIGHT = np.array([[1] * 8 + [0] * 4 + [1] * 6 + [0] * 2], dtype=float)
TARGET = ["yes"] * 12 + ["no"] * 8


def result_of(scores, target=TARGET, clusters=(), **said):
    frame = frame_of(np.asarray(scores, dtype=float), clusters)
    number = frame["question_id"].str[1:].astype(int)
    frame = frame.assign(target=[target[i] for i in number])
    return analyse(frame, tables="f1", positive="target:yes", **said)[0]


def test_counts_and_f1():
    """2 * 8 / (2 * 8 + 2 + 4), 8 of 10 found and 8 of 12 to be found."""
    table = make_table(result_of(RIGHT), "f1")
    [row] = rows_of(table)
    assert [row[key] for key in ("tp", "fp", "fn", "tn")] == ["8", "2", "4", "6"]
    assert (row["f1"], row["precision"], row["recall"]) == ("0.727", "0.800", "0.667")
    assert any(n.startswith("Positive: questions whose target is yes.") for n in table.notes)


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_interval_is_that_of_the_dirichlet_posterior(level):
    """A million draws of four shares: the printed ends are theirs to .002."""
    result = result_of(RIGHT, level=level)
    [row] = rows_of(make_table(result, "f1"))
    assert [record.level for record in result.requested["f1"]] == [level]
    draws = np.random.default_rng(0).dirichlet([9, 3, 5, 7], 1_000_000)
    f1 = 2 * draws[:, 0] / (2 * draws[:, 0] + draws[:, 1] + draws[:, 2])
    ends = [float(text) for text in row["ci"].strip("()").split(", ")]
    assert ends == pytest.approx(np.quantile(f1, [(1 - level) / 2, (1 + level) / 2]), abs=0.002)


def test_answers_that_depend_on_each_other_have_no_interval():
    """Three answers to each question count three times; in clusters the counts stay."""
    [repeated] = rows_of(make_table(result_of(np.repeat(RIGHT[:, :, None], 3, axis=2)), "f1"))
    assert (repeated["tp"], repeated["f1"], repeated["ci"]) == ("24", "0.727", DASH)
    table = make_table(result_of(RIGHT, clusters=[f"c{i // 4}" for i in range(20)]), "f1")
    assert (rows_of(table)[0]["f1"], rows_of(table)[0]["ci"]) == ("0.727", DASH)
    assert any(n.startswith(f"{DASH}: no interval, since answers") for n in table.notes)


def test_missing_answers_count_nowhere_and_nothing_found_is_a_dash():
    """Of the positive questions one is not answered; a model that finds nothing has F1 0 where
    there is something to find, and no precision where it says no to all.
    """
    scores = np.vstack([RIGHT, [[0.0] * 12 + [1.0] * 8]])
    scores[0, 0] = np.nan
    first, second = rows_of(make_table(result_of(scores), "f1"))
    assert (first["tp"], first["fn"]) == ("7", "4")
    assert [second[key] for key in ("f1", "precision", "recall")] == ["0.000", DASH, "0.000"]


def test_a_value_that_no_question_has_is_named():
    with pytest.raises(ScoresError, match="'target' is 'yes' for no question.*'maybe', 'no'"):
        result_of(RIGHT, ["no", "maybe"] * 10)


def test_where_lower_is_better_there_is_none():
    why = result_of(RIGHT, better="lower").refused["f1"]
    assert why == "No F1 is made, since lower scores are better here, so that 1 is no right answer."
