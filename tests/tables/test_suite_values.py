"""Every head, cell and number of the tables over several evals. The records are made here, each
number another one; the cells are written by hand.
"""

import math
from dataclasses import replace

import pytest
from support.scores_made import columns_of

from reportkit.results import (
    DifferenceResult,
    EvalResult,
    MeanResult,
    RankResult,
    Scale,
    SuiteResult,
)
from reportkit.suites import MacroResult, OverallResult, SuiteDifference
from reportkit.tables import make_table

MINUS, DASH = "\N{MINUS SIGN}", "\N{EM DASH}"
MEAN = MeanResult(
    model="A", mean=0.612, se=0.034, df=58.0, ci_low=0.545, ci_high=0.679, level=0.9, method="t",
    n_questions=900, n_clusters=900, n_answers=900, n_unscored=0, n_errors=0, se_unclustered=0.034,
    design_effect=1.0, variance_between=math.nan, variance_within=math.nan, may_be_best="yes",
)  # fmt: skip


def eval_of(name, **fields):
    means = (
        MEAN,
        replace(MEAN, model="B", mean=0.523, ci_low=0.456, ci_high=0.59, may_be_best="no"),
    )
    given = {"n_questions": 900, "n_clusters": 900, "baseline": "B", "models": ("A", "B")}
    given |= {"differences": (), "power": (), "correlations": ((1.0, 0.4), (0.4, 1.0))}
    given |= {"means": means, "scale": Scale(0, 1, True, False), "best": ("A",)} | fields
    return EvalResult(eval=name, metric="match", **given)


DIFFERENCE = SuiteDifference(
    eval="e", metric="match", model="A", baseline="B", difference=0.089, se=0.0412, df=850.0,
    ci_low=0.021, ci_high=0.157, level=0.9, method="t", p_value=0.0312, p_adjusted=0.0624,
    n_questions=871, n_clusters=871,
)  # fmt: skip
OVERALL = OverallResult(
    model="A", baseline="B", difference=0.0712, se=0.0213, df=1701.0, ci_low=0.0362,
    ci_high=0.1062, level=0.9, p_value=0.0041, p_adjusted=0.0082, n_evals=2, n_all=2,
    n_questions=1730, ci_comparisons=1, reason="",
)  # fmt: skip
AVERAGES = (
    MacroResult("A", 0.587, 0.021, 1750.0, 0.546, 0.628, 0.9, 2, 2, 1790),
    MacroResult("B", 0.501, 0.024, 1740.0, 0.454, 0.548, 0.9, 2, 2, 1780),
)
SUITE = SuiteResult(
    evals=(eval_of("e"), eval_of("f", n_questions=890)), models=("A", "B"), baseline="B",
    differences=(DIFFERENCE, replace(DIFFERENCE, eval="f", difference=-0.051, ci_low=-0.119,
                                     ci_high=0.017, p_value=0.219, p_adjusted=0.219,
                                     n_questions=859)),
    overall=(OVERALL,), averages=AVERAGES,
    ranks=(RankResult("A", 1.0, 1.0, 1.0, 0.9, "bonferroni"),
           RankResult("B", 2.0, 1.0, 2.0, 0.9, "bonferroni")),
    weights={"e": 1.0, "f": 1.0}, apart={},
)  # fmt: skip


def table_of(name, suite=SUITE, **options):
    table = make_table(suite, name, **options)
    return table.whole or table


def test_differences_of_every_eval():
    table = table_of("suite-differences")
    assert columns_of(table) == [
        ("eval", "Eval", "e", None),
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("difference", "Difference (SE)", "+8.9 (4.1)", 0.089),
        ("ci", "90% CI", "(+2.1, +15.7)", 0.021),
        ("p_value", "p", "0.031", 0.0312),
        ("p_adjusted", "Adjusted p", "0.062", 0.0624),
        ("questions", "Questions", "871", 871),
    ]
    assert table.cells[1][0] == "f" and table.cells[1][3:] == (
        f"{MINUS}5.1 (4.1)", f"({MINUS}11.9, +1.7)", "0.219", "0.219", "859",
    )  # fmt: skip
    assert table.to_frame().iloc[0].to_dict() == {
        "Eval": "e", "Model": "A", "Baseline": "B", "Difference": 0.089, "SE": 0.0412,
        "90% CI low": 0.021, "90% CI high": 0.157, "p": 0.0312, "Adjusted p": 0.0624,
        "Questions": 871,
    }  # fmt: skip
    assert [c.align for c in table.columns] == ["l"] * 3 + ["r"] * 5
    assert table.title == (
        "Paired differences (standard error) on 2 evals. Model minus baseline; 90% intervals: "
        "Student's t; metric: match; 859 to 871 common questions in each eval."
    )
    assert table.notes[:2] == (
        "Adjusted p: Holm over the 2 comparisons of this table, so that with 90% confidence none "
        "below 0.1 is a false finding.",
        "Intervals are not adjusted.",
    )


def test_the_mean_of_differences():
    table = table_of("suite-overall")
    assert columns_of(table) == [
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("difference", "Difference (SE)", "+7.1 (2.1)", 0.0712),
        ("ci", "90% CI", "(+3.6, +10.6)", 0.0362),
        ("p_value", "p", "0.004", 0.0041),
        ("p_adjusted", "Adjusted p", "0.008", 0.0082),
        ("evals", "Evals", "2", 2),
        ("questions", "Questions", "1,730", 1730),
    ]
    assert table.to_frame().iloc[0].to_dict() == {
        "Model": "A", "Baseline": "B", "Difference": 0.0712, "SE": 0.0213, "90% CI low": 0.0362,
        "90% CI high": 0.1062, "p": 0.0041, "Adjusted p": 0.0082, "Evals": 2, "Questions": 1730,
    }  # fmt: skip
    assert table.title == (
        "Mean differences (standard error) over 2 evals. Model minus B; 90% intervals: Student's "
        "t; metric: match."
    )


def test_mean_differences_to_two_baselines():
    two = replace(SUITE, overall=(OVERALL, replace(OVERALL, model="C", baseline="A")))
    table = table_of("suite-overall", two)
    assert ". Model minus baseline; 90% intervals: Student's t;" in table.title
    assert "Adjusted p: Holm over 2 comparisons." in table.notes
    assert "Intervals are not adjusted." in table.notes
    assert not [n for n in table_of("suite-overall").notes if n.startswith("Adjusted p")]


def test_means_of_evals_in_a_frame_have_the_names_of_evals():
    frame = table_of("suite", rows="models").to_frame()
    assert frame.columns.tolist() == ["Model", "e", "e SE", "f", "f SE"]
    assert frame.iloc[1].tolist() == ["B", 0.523, 0.034, 0.523, 0.034]


@pytest.mark.parametrize("name", ["suite-differences", "suite-overall"])
@pytest.mark.parametrize("theme", ["error-bars", "stacked", "plain", "pm", "ci", "pp"])
def test_an_interval_is_printed_once(name, theme):
    keys = [c.key for c in table_of(name, theme=theme).columns]
    assert ("ci" in keys) == (theme != "ci")


def test_ranks():
    table = table_of("suite-ranks")
    assert columns_of(table) == [
        ("model", "Model", "A", None),
        ("average", "Average (SE)", "58.7% (2.1%)", 0.587),
        ("rank", "Rank", "1", 1.0),
        ("set", "90% rank set", "1", 1.0),
        ("evals", "Evals", "2", 2),
        ("best", "Evals on which it: may be best", "2", 2),
        ("worse", "Evals on which it: is worse", "0", 0),
    ]
    assert [cell for *_, cell, _ in columns_of(table, 1)] == [
        "B", "50.1% (2.4%)", "2", "1 to 2", "2", "0", "2",
    ]  # fmt: skip
    assert table.to_frame().iloc[1].to_dict() == {
        "Model": "B", "Average": 0.501, "Average SE": 0.024, "Rank": 2.0, "90% rank set low": 1.0,
        "90% rank set high": 2.0, "Evals": 2, "Evals on which it: may be best": 0,
        "Evals on which it: is worse": 2,
    }  # fmt: skip
    assert table.title == (
        "Ranks of the models by their average over 2 evals. 90% rank sets: tests of the mean "
        "differences, each set by itself; metric: match."
    )
    assert table.notes[0] == "Rank 1: the highest average over the evals."


def test_an_eval_counts_for_a_model_from_its_first_question():
    """B answered one question of f, and none of g."""
    few = [
        eval_of(name, means=(MEAN, replace(MEAN, model="B", n_questions=n)))
        for name, n in (("f", 1), ("g", 0))
    ]
    table = table_of("suite-ranks", replace(SUITE, evals=(SUITE.evals[0], *few)))
    assert table.to_frame()["Evals"].tolist() == [3, 2]


@pytest.mark.parametrize("rows", ["models", "evals"])
def test_an_average_of_which_too_little_is_known_is_marked(rows):
    """No test finds B worse, and none can say that it may be the best: its set has no low end."""
    open_ = replace(SUITE.ranks[1], low=math.nan)
    table = table_of(
        "suite", replace(SUITE, average="equal", ranks=(SUITE.ranks[0], open_)), rows=rows
    )
    cells = [cell for row in table.cells for cell in row]
    assert "50.1% (2.4%)†" in cells and "58.7% (2.1%)" in cells
    assert "Average †: no test finds another better, but too little is known." in str(table.notes)


def test_ranks_of_scores_of_which_lower_is_better():
    lower = replace(SUITE, evals=tuple(replace(r, lower=True) for r in SUITE.evals))
    assert table_of("suite-ranks", lower).notes[0] == "Rank 1: the lowest average over the evals."


def test_a_rank_that_there_is_not_has_its_reason():
    without = replace(SUITE.ranks[1], rank=math.nan, low=math.nan, high=math.nan)
    table = table_of("suite-ranks", replace(SUITE, ranks=(SUITE.ranks[0], without)))
    assert f"{DASH}: the model has no score of some eval." in table.notes
    assert ("rank", "Rank", DASH) in [x[:3] for x in columns_of(table, 1)]


def test_what_is_undefined_has_its_reason():
    none = replace(DIFFERENCE, ci_low=math.nan, ci_high=math.nan)
    table = table_of("suite-differences", replace(SUITE, differences=(none,)))
    assert table.cells[0][4] == DASH
    assert sum(note.startswith(DASH) for note in table.notes) == 1
    assert not any(note.startswith(DASH) for note in table_of("suite-differences").notes)


def test_evals_without_a_comparison_are_named():
    """The baseline B was not run on g, and h has one model: neither is an eval of the table."""
    alone = eval_of("g", models=("A", "C"), baseline="")
    one = eval_of("h", models=("B",), baseline="")
    table = table_of("suite-differences", replace(SUITE, evals=(*SUITE.evals, alone, one)))
    assert table.title.startswith("Paired differences (standard error) on 2 evals.")
    assert "Not compared: g (B was not run on it)." in table.notes
    assert "Not compared: h (a second model was not run on it)." in table.notes
    assert not [n for n in table_of("suite-differences").notes if "Not compared" in n]


def test_evals_on_which_an_error_is_0_are_named():
    """A is right everywhere on f, and A and B differ by the same on each of its questions."""
    pair = DifferenceResult(
        model="B", baseline="A", difference=-0.5, se=0.0, df=3.0, ci_low=-0.8, ci_high=0.1,
        level=0.9, method="tango-clusters", p_value=0.1, p_adjusted=0.1, correlation=math.nan,
        n_questions=4, n_clusters=4, n_only_model=0, n_only_baseline=0, se_unpaired=0.0,
        mde=math.nan,
    )  # fmt: skip
    flat = eval_of("f", means=(replace(MEAN, se=0.0), replace(MEAN, model="B")), pairs=(pair,))
    suite = replace(SUITE, evals=(SUITE.evals[0], flat), average="equal")
    mean = "On f a model has an SE of 0, which says nothing of its error: the SE of its average is"
    for name in ("suite", "suite-ranks"):
        assert f"{mean} too small." in table_of(name, suite).notes
        assert not [n for n in table_of(name).notes if "SE of 0" in n]
    said = (
        "On f a difference has an SE of 0, which says nothing of its error: the larger half of "
        "its interval over the quantile of t takes its place."
    )
    assert said in table_of("suite-overall", suite).notes
    assert not [n for n in table_of("suite-overall").notes if "SE of 0" in n]
    two = replace(suite, evals=(flat, replace(flat, eval="e")))
    assert said.replace("On f", "On f and e") in table_of("suite-overall", two).notes
    untested = replace(suite, overall=(replace(OVERALL, p_value=math.nan, reason="none"),))
    assert said not in table_of("suite-overall", untested).notes
