"""The table of logistic regressions, by hand: one covariate of two values is a table of counts."""

import math

import numpy as np
import pytest
from scipy import stats as sps
from support.scores_made import frame_of, rows_of

from reportkit.analysis import analyse
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.tables import make_table

MINUS, DASH = "\N{MINUS SIGN}", "\N{EM DASH}"
# Of 8 questions without a carry 6 are right, of 8 with one 2.
RIGHT = np.array([[1] * 6 + [0] * 2 + [1] * 2 + [0] * 6], dtype=float)
CARRY = ["0"] * 8 + ["1"] * 8


def table_of(scores, carry=CARRY, clusters=(), covariates="carry", **said):
    frame = frame_of(np.asarray(scores, dtype=float), clusters)
    number = frame["question_id"].str[1:].astype(int)
    frame = frame.assign(carry=[carry[i] for i in number])
    result, _ = analyse(frame, tables="regression", covariates=covariates, **said)
    return make_table(result, "regression")


def test_a_two_by_two_table():
    """Log odds 6/2, and 2/6 less it; their SEs are roots of sums of 1/count; the fit's deviance is
    that of shares 3/4 and 1/4, the intercept's that of a half.
    """
    table = table_of(RIGHT)
    intercept, carry = rows_of(table)
    assert intercept["coefficient"] == f"+{math.log(3):.3f} ({math.sqrt(1 / 6 + 1 / 2):.3f})"
    b, se = -2 * math.log(3), math.sqrt(2 * (1 / 6 + 1 / 2))
    assert carry["coefficient"] == f"{MINUS}{-b:.3f} ({se:.3f})"
    z = sps.norm.ppf(0.975)
    low, high = (f"{x:+.3f}".replace("-", MINUS) for x in (b - z * se, b + z * se))
    assert carry["ci"] == f"({low}, {high})"
    assert carry["z"] == f"{MINUS}{-b / se:.2f}"
    assert carry["p_value"] == f"{2 * sps.norm.sf(-b / se):.3f}"
    deviance = -2 * 16 * (0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    chi2 = 2 * 16 * math.log(2) - deviance
    assert (
        f"A: LR \N{GREEK SMALL LETTER CHI}²(1) = {chi2:.1f}, p = {sps.chi2.sf(chi2, 1):.3f}, "
        f"AIC {deviance + 4:.1f}."
    ) in table.notes


def test_the_level_moves_the_interval():
    b, se, z = -2 * math.log(3), math.sqrt(2 * (1 / 6 + 1 / 2)), sps.norm.ppf(0.9)
    low, high = (f"{x:+.3f}".replace("-", MINUS) for x in (b - z * se, b + z * se))
    table = table_of(RIGHT, level=0.8)
    assert rows_of(table)[1]["ci"] == f"({low}, {high})"
    assert table.columns[3].head == "80% CI"


def sandwich(counts: int) -> float:
    """SE of the second coefficient with each question a cluster of so many like answers.

    With the groups apart the variance of a log odds is sum (y - p)^2 / (n p q)^2, over questions:
    of 8, q (p^2 6/8 + ...) = n p q; so it is 1 / (n p q) for each, whatever the number of answers.
    """
    one = 1 / (8 * 0.75 * 0.25)
    return math.sqrt(16 / 15 * (one + one))


def test_several_answers_are_clustered_by_question():
    """Three like answers to each question tell no more than one: the SE is that of 16 questions.
    With so few no interval and no p are printed.
    """
    table = table_of(np.repeat(RIGHT[:, :, None], 3, axis=2))
    carry = rows_of(table)[1]
    assert carry["coefficient"] == f"{MINUS}{2 * math.log(3):.3f} ({sandwich(3):.3f})"
    assert (carry["ci"], carry["z"], carry["p_value"], carry["answers"]) == (DASH, DASH, DASH, "48")
    assert f"{DASH}: no interval and no p, with fewer than 40 questions." in table.notes
    assert "Standard errors are clustered by question (Liang & Zeger 1986)." in table.notes
    assert not any("AIC" in n for n in table.notes)


@pytest.mark.parametrize("questions, printed", [(39, False), (40, True)])
def test_from_40_clusters_on_there_are_p_values(questions, printed):
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 2, (1, questions, 2))
    rows = rows_of(table_of(scores, [str(i % 3) for i in range(questions)]))
    assert (rows[1]["p_value"] != DASH) == printed


def test_true_and_false_are_numbers():
    words = ["false"] * 8 + ["True"] * 8
    assert rows_of(table_of(RIGHT, words)) == rows_of(table_of(RIGHT))


def test_no_fit_is_a_dash_with_its_reason():
    """All right without a carry, all wrong with one: no finite coefficient fits."""
    table = table_of(np.array([[1.0] * 8 + [0.0] * 8]))
    assert {row["coefficient"] for row in rows_of(table)} == {DASH}
    assert any("separation" in n and n.startswith(f"{DASH}, A: ") for n in table.notes)


def test_a_field_without_numbers_is_named():
    with pytest.raises(ScoresError, match="1 questions have no number in 'carry', the first is "):
        table_of(RIGHT, [*CARRY[:-1], "many"])
    named = frame_of(RIGHT).assign(intercept=CARRY)
    with pytest.raises(ScoresError, match="a covariate is called 'intercept'"):
        analyse(named, tables="regression", covariates="intercept")
    with pytest.raises((ScoresError, UnknownNameError), match="'carri'"):
        table_of(RIGHT, covariates="carri")
