"""Every printed cell of the tables of variance and power, against the formulas of Miller 2024."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.assured import assured_ratio_by_integration
from support.scores_made import result_of, rows_of

from reportkit.figures.correlations import title as correlations_title
from reportkit.figures.power import title
from reportkit.results import EvalResult, MeanResult, PowerResult, Scale
from reportkit.stats.planning.detectable import FEW_LARGE
from reportkit.tables import make_table
from reportkit.tables.power import _variances
from reportkit.tables.shortened import least, says_nothing
from reportkit.tables.writers.render import render_drop_in

DASH = "\N{EM DASH}"
Z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)


def detectable(n: int, omega2: float, noise: float) -> float:
    """Equation 10: z times the root of what one question varies by, over n."""
    return Z * math.sqrt((omega2 + noise) / n)


def eval_of(*power: PowerResult, scale: Scale, se: float) -> EvalResult:
    means = tuple(
        MeanResult(m, 0.5, se, 399, 0.4, 0.6, 0.95, "t", 400, 400, 1600, 0, 0, se, 1.0, 0.1, 0.1)
        for m in ("A", "B")
    )
    return EvalResult("toy", "match", 400, 400, ("A", "B"), "", means, (), power, scale=scale)


# Noise of one answer 0.06 and 0.04, of 4 and of 2 answers 0.06 / 4 + 0.04 / 2 = 0.035.
# With the variance known for sure (df inf) and no bounds, what is printed is equation 10.
POWER = PowerResult(
    "A", "B", 0.03, 0.06, 0.04, 4.0, 2.0, 400, 0.05, 0.8, detectable(400, 0.03, 0.035),
    se=math.sqrt(0.065 / 400),
)  # fmt: skip
SHARES = Scale(0, 1, True, False)


def test_power_of_shares():
    """The whole row from equations 9 and 10: four times the answers make the noise 0.035 / 4."""
    row = rows_of(make_table(eval_of(POWER, scale=SHARES, se=0.012), "power"))[0]
    expected = {
        "mde": detectable(400, 0.03, 0.035),
        "mde_2_questions": detectable(800, 0.03, 0.035),
        "mde_4_questions": detectable(1600, 0.03, 0.035),
        "mde_4_answers": detectable(400, 0.03, 0.06 / 16 + 0.04 / 8),
    }
    assert {k: row[k] for k in expected} == {k: f"{100 * x:.1f}" for k, x in expected.items()}
    # Equation 9: n = z^2 (omega^2 + noise) / effect^2, rounded up.
    needed = {e: math.ceil(Z**2 * 0.065 / e**2) for e in (0.01, 0.02, 0.05)}
    assert {e: row[f"needed_for_{100 * e:g}%"] for e in needed} == {
        e: f"{n:,}" for e, n in needed.items()
    }
    assert (row["model"], row["baseline"], row["questions"], row["answers"]) == (
        "A",
        "B",
        "400",
        "4, 2",
    )


def test_the_head_of_the_power_table():
    short = make_table(eval_of(POWER, scale=SHARES, se=0.012), "power")
    assert [c.head for c in short.columns] == [
        "Model", "Baseline", "as it is", "4× questions", "4× answers",
        "1 point", "2 points", "5 points",
    ]  # fmt: skip
    table = make_table(eval_of(POWER, scale=SHARES, se=0.012), "power-all")
    assert [c.head for c in table.columns] == [
        "Model", "Baseline", "Questions", "Answers",
        "as it is", "2× questions", "4× questions", "4× answers", "1 point", "2 points", "5 points",
    ]  # fmt: skip
    assert table.title.endswith("differences that can be detected. Metric: match.")
    assert {c.group for c in table.columns[4:8]} == {"Detectable difference"}
    assert {c.group for c in table.columns[8:]} == {"Questions needed to detect"}
    level = "At a two-sided level of 5% and 80% power."
    assert table.notes == (level, "Differences are in percentage points.")
    # beside an eval whose differences are not in points, once
    tens = replace(eval_of(POWER, scale=Scale(0.0, 10.0, False, False), se=0.012), eval="tens")
    both = make_table([eval_of(POWER, scale=SHARES, se=0.012), tens], "power")
    assert sum(level in note for note in both.notes) == 1


def test_power_in_units_of_its_own():
    """Scores from 0 to 200: effects of 1, 2 and 5 hundredths of 200, in round numbers."""
    p = replace(POWER, omega2=30.0, sigma2_model=60.0, sigma2_baseline=40.0, epochs_baseline=4.0,
                mde=detectable(400, 30.0, 25.0), se=math.sqrt(55.0 / 400))  # fmt: skip
    table = make_table(eval_of(p, scale=Scale(0, 200, False, False), se=0.4), "power")
    row = rows_of(table)[0]
    assert [c.head for c in table.columns[5:]] == ["1", "2", "5"]
    assert row["answers"] == "4"
    assert row["mde_2_questions"] == f"{detectable(800, 30.0, 25.0):.1f}"
    assert row["mde_4_answers"] == f"{detectable(400, 30.0, 25.0 / 4):.1f}"
    assert row["needed_for_2"] == f"{math.ceil(Z**2 * 55.0 / 4)}"


def test_several_answers_are_not_called_one():
    """Two models with the same three answers to each of 60 questions: no difference is detectable
    for want of variance, not for want of answers. Three answers each are 3, not 3.0000.
    """
    answers = (np.random.default_rng(5).random((60, 3)) < 0.6).astype(float)
    result = result_of([answers, answers])
    assert result.power[0].epochs_model == 3.0
    table = make_table(result, "power")
    assert any("no detectable difference to print" in n for n in table.notes)
    told = (*table.notes, *table.whole.notes)
    assert not any("one answer" in n for n in told)
    assert rows_of(table)[0]["answers"] == "3"


def test_power_where_answer_noise_is_not_known():
    """One answer each: everything scales with the questions, nothing is known of more answers."""
    p = replace(POWER, omega2=math.nan, sigma2_model=math.nan, sigma2_baseline=math.nan)
    table = make_table(eval_of(p, scale=SHARES, se=0.012), "power")
    assert rows_of(table)[0]["mde_4_answers"] == DASH
    assert any("what more answers would buy is not known" in n for n in table.notes)
    assert any(f"what 4× answers would buy ({DASH})." in n for n in table.whole.notes)
    assert not any("answer noise alone" in n for n in table.notes)
    equal = make_table(eval_of(replace(POWER, omega2=0.0), scale=SHARES, se=0.012), "power")
    assert any("answer noise alone" in n for n in equal.notes)
    flat = replace(POWER, mde=math.nan, se=0.0, reason="no-variance")
    none = make_table(eval_of(flat, scale=SHARES, se=0.012), "power")
    assert any("to print: the two models differ by the same amount" in n for n in none.notes)
    assert rows_of(none)[0]["needed_for_1%"] == DASH


@pytest.fixture(scope="module")
def answers() -> np.ndarray:
    """Two models, 30 questions, 4 answers each, in points."""
    rng = np.random.default_rng(3)
    questions = rng.normal(0, 9, (1, 30, 1)) + rng.normal(0, 4, (2, 30, 1))
    return (50 + questions + rng.normal(0, 8, (2, 30, 4))).round()


def test_variance(answers):
    """Within: variance of the answers to a question; between: of the question means, less what the
    answers add to it; the SE with more answers from both.
    """
    rows = rows_of(make_table(result_of(answers), "variance"))
    withins = [x.var(axis=1, ddof=1).mean() for x in answers]
    betweens = [x.mean(axis=1).var(ddof=1) - w / 4 for x, w in zip(answers, withins, strict=True)]
    # three digits of the smallest, and the same decimals for all
    least = np.format_float_positional(
        min(withins + betweens), precision=3, fractional=False, trim="k"
    )
    k = len(least.partition(".")[2])
    for row, within, between in zip(rows, withins, betweens, strict=True):
        total = between + within / 4
        assert row["answers"] == "4"
        assert row["variance_between"] == f"{between:.{k}f}"
        assert row["variance_within"] == f"{within:.{k}f}"
        assert row["noise_share"] == f"{100 * (within / 4) / total:.0f}%"
        assert row["se"] == f"{math.sqrt(total / 30):.1f}"
        assert row["se_doubled"] == f"{math.sqrt((between + within / 8) / 30):.1f}"
        assert row["se_unlimited"] == f"{math.sqrt(between / 30):.1f}"


def test_a_variance_table_explains_its_column_of_answers_only_where_it_stands(answers):
    """The caption tells of 4 answers to each question, so that no column does. Of two models, one
    with 3 answers, the column stands.
    """
    told, uneven = "Answers: for each question.", answers.copy()
    alone = make_table(result_of(answers), "variance")
    assert "4 answers to each" in alone.title and "Answers" not in [c.head for c in alone.columns]
    assert told not in alone.notes and alone.notes[0].startswith("Between: variance over questions")
    uneven[1, :, 3] = np.nan
    both = make_table(result_of(uneven), "variance")
    assert "Answers" in [c.head for c in both.columns] and both.notes[0] == told


def test_power_from_scores(answers):
    """omega^2 is the variance of the question differences less the answer noise in them."""
    result = result_of(answers)
    gap = (answers[0] - answers[1]).mean(axis=1).var(ddof=1)
    noise = sum(x.var(axis=1, ddof=1).mean() / 4 for x in answers)
    row = rows_of(make_table(result, "power"))[0]
    assert noise < gap
    ratio = assured_ratio_by_integration(29, 29)
    assert row["mde"] == f"{ratio * math.sqrt(gap / 30):.1f}"
    left = 1 - 0.75 * noise / gap
    ratio = assured_ratio_by_integration(29, max(29 * left**2, 12))
    assert row["mde_4_answers"] == f"{ratio * math.sqrt(gap * left / 30):.1f}"
    low, high = answers.min(), answers.max()
    assert (result.scale.low, result.scale.high) == (low, high)


def test_one_answer_each_leaves_dashes_with_the_reason(answers):
    """The standard error as it is stands in the table of means; here nothing else is known."""
    table = make_table(result_of(answers[:, :, 0]), "variance")
    row = rows_of(table)[0]
    assert {*row.values()} - {row["model"], row["answers"]} == {DASH}
    (why,) = table.notes
    assert why.startswith("With one answer to each question, variance between and within questions")
    assert says_nothing(table) and least(table).cells == ()
    assert f"{answers[0, :, 0].std(ddof=1) / math.sqrt(30):.6f}" in render_drop_in(table, "csv")


def test_a_model_without_a_standard_error_has_nothing_to_share_out(answers):
    flat = answers.copy()
    flat[1] = 50
    table = make_table(result_of(flat), "variance")
    assert rows_of(table)[1]["noise_share"] == DASH
    assert any("there is no standard error to share out" in n for n in table.notes)


def test_one_model_has_nothing_to_compare(answers):
    table = make_table(result_of(answers[:1]), "power")
    assert table.cells == () and table.notes == ("There is one model: nothing to compare.",)


def test_where_nothing_is_detectable_the_note_says_only_why():
    """All cells are dashes, so no word explains numbers that are not there."""
    none = replace(POWER, mde=math.nan, df=1.0, reason=FEW_LARGE, se=math.nan, n_clusters=9)
    table = make_table(eval_of(none, scale=SHARES, se=0.012), "power")
    assert {row[k] for row in rows_of(table) for k in row if k[:3] in ("mde", "nee")} == {DASH}
    assert table.notes[-1] == (
        "There is no detectable difference to print: a few clusters hold most of the questions, "
        "so that the eval may be worth fewer than 5 clusters of one size."
    )
    assert not any("power" in n or "In a detectable" in n for n in table.notes)


def test_of_fewer_than_five_clusters_their_number_is_the_reason():
    """Of 4 clusters it was said that a few hold most of the questions."""
    few = replace(POWER, mde=math.nan, se=math.nan, df=1.0, reason=FEW_LARGE, n_clusters=4)
    r = eval_of(few, scale=SHARES, se=0.012)
    why = "the two models compared have fewer than 5 clusters in common."
    assert make_table(r, "power").notes[-1] == f"There is no detectable difference to print: {why}"
    said = f"There is no detectable difference to print: {why}"
    assert said in make_table(r, "differences-all").notes


def with_holes():
    """A has no score of the last 10 of 60 questions, B none of the first 5: 45 in common."""
    rng = np.random.default_rng(5)
    scores = (rng.random((2, 60)) < 0.6).astype(float)
    scores[0, 50:] = scores[1, :5] = np.nan
    return result_of(scores)


def test_captions_say_the_common_questions_where_models_lack_some():
    """The detectable difference, its mark and the correlation are of the common questions."""
    r = with_holes()
    assert {p.n_questions for p in r.power} == {45}
    assert make_table(r, "power").title.endswith("Metric: points; 45 common questions.")
    assert title(r).endswith("marks: this eval's 45 common questions.")
    assert make_table(r, "correlations").title.endswith("45 common questions.")
    assert correlations_title(r).endswith("45 common questions.")
    whole = result_of(np.array([[1, 0] * 30, [1, 1, 0] * 20]))
    assert title(whole).endswith("marks: this eval's 60 questions.")


def test_notes_of_several_evals_are_of_columns_that_stand_there():
    """Differences worth finding depend on the scale, so evals of unlike scales have no column of
    questions needed in common, nor a sentence about it.
    """
    rng = np.random.default_rng(1)
    base = rng.integers(1, 6, 40)
    own = np.array([base, np.clip(base - (np.arange(40) % 8 == 0), 1, 5)], dtype=float)
    passages = [f"p{i // 2}" for i in range(240)]
    first = result_of(rng.random((2, 240)) < 0.5, passages, eval="first")
    second = result_of(own, eval="second")
    assert any("Questions needed, —" in n for n in make_table(second, "power").notes)
    assert any("In brackets, the clusters" in n for n in make_table(first, "power").notes)
    several = make_table([first, second], "power")
    assert not any("needed" in c.head or "needed" in c.group for c in several.columns)
    assert not [n for n in several.notes if "needed" in n]
    told = "Where questions come in clusters, more questions mean more clusters of the same sizes."
    assert [n for n in several.notes if "same sizes" in n] == [told]  # no eval's name before it


@pytest.mark.parametrize(("least", "cells"), [(0.000123, ["0.123000", "0.000123"]),
                                              (0.0000123, ["0.123", "1.23e-05"])])  # fmt: skip
def test_variances_have_up_to_six_decimals(least, cells):
    """Three digits of the smallest one; seven decimals would be too many for any."""
    means = [SimpleNamespace(variance_between=0.123, variance_within=least)]
    text = _variances(SimpleNamespace(means=means))
    assert [text(0.123), text(least)] == cells
