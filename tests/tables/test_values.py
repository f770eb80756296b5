"""Heads, and behind each cell the unrounded number of its record: what a frame holds and a page
sorts by. The records are made here, each number another one.
"""

import math
from dataclasses import replace

import pytest
from support.scores_made import columns_of, rows_of

from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult, Scale
from reportkit.tables import make_table

DASH = "\N{EM DASH}"
MEAN = MeanResult(
    "A",
    0.6,
    0.03,
    12.34,
    0.53,
    0.66,
    0.95,
    "t",
    900,
    60,
    1350,
    0,
    0,
    0.02,
    2.25,
    0.14,
    0.23,
    icc=0.125,
)
DIFFERENCE = DifferenceResult(
    model="A",
    baseline="B",
    difference=0.1,
    se=0.04,
    df=59.0,
    ci_low=0.019,
    ci_high=0.182,
    level=0.95,
    method="t",
    p_value=0.0123,
    p_adjusted=0.0246,
    correlation=0.375,
    n_questions=880,
    n_clusters=60,
    n_only_model=20,
    n_only_baseline=20,
    se_unpaired=0.05,
    mde=0.113,
)
# 0.03 + 0.06 / 4 + 0.04 / 2 = 0.065
# An SE that is known for sure (df inf) and no bounds: equation 10, mde = z SE.
Z = 1.959963984540054 + 0.8416212335729143
POWER = PowerResult("A", "B", 0.03, 0.06, 0.04, 4.0, 2.0, 880, 0.05, 0.8, 0.113, se=0.113 / Z)
RESULT = EvalResult(
    eval="toy",
    metric="match",
    n_questions=900,
    n_clusters=60,
    models=("A", "B"),
    baseline="",
    means=(MEAN, replace(MEAN, model="B")),
    differences=(DIFFERENCE,),
    power=(POWER,),
    correlations=((1.0, 0.375), (0.375, 1.0)),
    clustered=True,
    cluster_field="passage",
    scale=Scale(0, 1, True, False),
)


def numbers(name: str) -> dict[str, float | None]:
    """Of the first row, the number of each column by its key."""
    table = whole(make_table(RESULT, name))
    return dict(zip([c.key for c in table.columns], table.values[0], strict=True))


def heads(name: str) -> dict[str, str]:
    """Of each column, by its key; the group above it first."""
    return {key: head for key, head, *_ in columns_of(make_table(RESULT, name))}


def whole(table):
    """The table with the columns that it leaves out."""
    return table.whole or table


def test_means():
    """A statistic that stands in the CSV alone is tested by itself; what prints stands here."""
    expected = {
        "model": None,
        "mean": 0.6,
        "ci": 0.53,
        "questions": 900,
        "clusters": 60,
        "answers": 1.5,  # 1350 / 900
    }
    assert expected.items() <= numbers("means").items()
    printed = {
        "model": "Model",
        "mean": "Mean (SE)",
        "ci": "95% CI",
        "questions": "Questions",
        "clusters": "Clusters",
        "answers": "Answers per question",
    }
    assert printed.items() <= heads("means").items()
    assert {c.key for c in make_table(RESULT, "means").columns} <= printed.keys()


@pytest.mark.parametrize(
    "theme, beside",
    [
        ("error-bars", " (standard error)"),
        ("stacked", " (standard error)"),
        ("plain", ""),
        ("pm", " ± half its 95% interval"),
        ("ci", " [95% interval]"),
    ],
)
def test_captions_name_what_stands_beside_the_mean(theme, beside):
    """Every theme has an interval, in a column or beside the mean, and the caption says which."""
    rest = (
        "95% intervals: Student's t; metric: match; 900 questions in 60 clusters (passage), 1.5 "
        "answers to each."
    )
    title = make_table(RESULT, "means", theme).title
    assert title == f"toy: mean score{beside} of each model. {rest}"


def test_clustering():
    assert numbers("clustering") == {
        "model": None,
        "se": 0.03,
        "se_unclustered": 0.02,
        "ratio": 1.5,  # sqrt(2.25)
        "design_effect": 2.25,
        "effective": 400,  # 900 / 2.25
        "icc": 0.125,
        "df": 12.34,
    }
    assert heads("clustering") == {
        "model": "Model",
        "se": "Clustered SE",
        "se_unclustered": "Naive SE",
        "ratio": "Ratio",
        "design_effect": "Design effect",
        "effective": "Effective questions",
        "icc": "ICC",
        "df": "df",
    }


def test_differences():
    assert numbers("differences") == {
        "model": None,
        "baseline": None,
        "difference": 0.1,
        "ci": 0.019,
        "p_value": 0.0123,
        "p_adjusted": 0.0246,
        "correlation": 0.375,
        "mde": 0.113,
    }
    assert heads("differences") == {
        "model": "Model",
        "baseline": "Baseline",
        "difference": "Difference (SE)",
        "ci": "95% CI",
        "p_value": "p",
        "p_adjusted": "Adjusted p",
        "correlation": "Correlation",
        "mde": "Detectable",
    }
    assert rows_of(make_table(RESULT, "differences"))[0] == {
        "model": "A",
        "baseline": "B",
        "difference": "+10.0 (4.0)",
        "ci": "(+1.9, +18.2)",
        "p_value": "0.012",
        "p_adjusted": "0.025",
        "correlation": "0.38",
        "mde": "11.3",
    }


@pytest.mark.parametrize("name", ["means", "differences"])
def test_an_interval_is_printed_once(name):
    """Beside the estimate by the theme ci, else in a column of its own."""
    for theme in ("error-bars", "stacked", "plain", "pm", "ci", "pp"):
        keys = [column.key for column in make_table(RESULT, name, theme).columns]
        assert ("ci" in keys) == (theme != "ci")


def test_differences_on_other_numbers_of_questions():
    fewer = replace(DIFFERENCE, model="C", n_questions=700)
    table = make_table(replace(RESULT, differences=(DIFFERENCE, fewer)), "differences")
    assert table.columns[-1].head == "Questions"
    assert [row[-1] for row in table.values] == [880, 700]
    assert [row[-1] for row in table.cells] == ["880", "700"]


def test_correlations():
    table = make_table(RESULT, "correlations")
    assert [c.head for c in table.columns] == ["Model", "A", "B"]
    assert table.values == ((None, 1.0, 0.375), (None, 0.375, 1.0))
    assert table.data[1] == {
        "eval": "toy",
        "metric": "match",
        "model": "A",
        "other": "B",
        "correlation": 0.375,
    }


def test_variance():
    """Naive SE^2 less between / questions is the answers' part; in clusters it stays what it is."""
    noise = 0.02**2 - 0.14 / 900
    found = numbers("variance")
    assert found == pytest.approx(
        {
            "model": None,
            "answers": 1.5,
            "variance_between": 0.14,
            "variance_within": 0.23,
            "noise_share": noise / 0.03**2,
            "se": 0.03,
            "se_doubled": math.sqrt(0.03**2 - noise / 2),
            "se_unlimited": math.sqrt(0.03**2 - noise),
        }
    )
    assert heads("variance") == {
        "model": "Model",
        "answers": "Answers",
        "variance_between": "Between",
        "variance_within": "Within",
        "noise_share": "Noise share",
        "se": "SE with answers: as now",
        "se_doubled": "SE with answers: doubled",
        "se_unlimited": "SE with answers: unlimited",
    }


BETWEEN_0 = "Between 0: it cannot be told from 0."
ALL_NOISE = (
    "Noise share 100%: what would be left cannot be told from 0, so the SE with unlimited answers "
    "is not estimable."
)
NO_SE = "—: there is no standard error to share out."


@pytest.mark.parametrize(
    "changed, unlimited, notes",
    [
        ({}, "2.6%", set()),  # sqrt(0.03^2 - 0.02^2 + 0.14 / 900)
        # clusters vary beyond what answers explain: sqrt(0.03^2 - 0.02^2)
        ({"variance_between": 0.0}, "2.2%", {BETWEEN_0}),
        ({"variance_between": 0.0, "se": 0.02}, "—", {BETWEEN_0, ALL_NOISE}),
        ({"variance_between": 0.01, "se": 0.01}, "—", {ALL_NOISE}),  # negative ICC
        ({"se": math.nan}, "—", {NO_SE}),
        ({"se": 0.0}, "—", {NO_SE}),
    ],
)
def test_a_dash_for_unlimited_answers_is_explained_and_no_number_is(changed, unlimited, notes):
    mean = replace(MEAN, **changed)
    one = replace(RESULT, means=(mean, mean))
    table = make_table(one, "variance")
    assert rows_of(table)[0]["se_unlimited"] == unlimited
    assert {BETWEEN_0, ALL_NOISE, NO_SE} & set(table.notes) == notes


@pytest.mark.parametrize("letters, head", [(24, "m" * 24), (25, "1")])
def test_names_of_24_letters_head_columns_and_longer_ones_are_numbered(letters, head):
    table = make_table(replace(RESULT, models=("m" * letters, "B")), "correlations")
    assert table.columns[1].head == head


def test_power():
    """Twice the questions divide by sqrt(2); four times the answers leave 0.03 + 0.035 / 4 of
    0.065; n = 880 (mde / effect)^2, rounded up.
    """
    assert numbers("power") == pytest.approx(
        {
            "model": None,
            "baseline": None,
            "questions": 880,
            "answers": 4.0,
            "mde": 0.113,
            "mde_2_questions": 0.113 / math.sqrt(2),
            "mde_4_questions": 0.113 / 2,
            "mde_4_answers": 0.113 * math.sqrt((0.03 + 0.035 / 4) / 0.065),
            "needed_for_1%": math.ceil(880 * 11.3**2),
            "needed_for_2%": math.ceil(880 * 5.65**2),
            "needed_for_5%": math.ceil(880 * 2.26**2),
        }
    )


def test_a_whole_number_of_questions_is_not_rounded_up():
    """An eval of 900 questions that detects 3% needs 8,100 for 1%; so it is for 5%: 324."""
    power = replace(POWER, n_questions=900, mde=0.03, se=0.03 / Z)
    row = rows_of(make_table(replace(RESULT, power=(power,)), "power"))[0]
    assert (row["needed_for_1%"], row["needed_for_5%"]) == ("8,100 (8,100)", "324 (324)")


@pytest.mark.parametrize("df, text", [(99.96, "100.0"), (100.4, "100"), (7.0, "7"), (7.25, "7.2")])
def test_degrees_of_freedom_have_a_decimal_below_100(df, text):
    one = replace(RESULT, means=(replace(MEAN, df=df), replace(MEAN, model="B")))
    assert rows_of(make_table(one, "clustering"))[0]["df"] == text


def test_what_is_undefined_has_no_number():
    nan = math.nan
    none = replace(DIFFERENCE, se=nan, ci_low=nan, ci_high=nan, correlation=nan, mde=nan)
    table = whole(make_table(replace(RESULT, differences=(none,)), "differences"))
    assert table.values[0][3:] == (None, 0.0123, 0.0246, None, None)
    assert table.cells[0][2:] == (f"+10.0 ({DASH})", DASH, "0.012", "0.025", DASH, DASH)
    assert any(note.startswith(DASH) for note in table.notes)
    plain = make_table(RESULT, "differences")
    assert not any(note.startswith(DASH) for note in plain.notes)


@pytest.mark.parametrize("undefined", ["se", "se_unclustered", "design_effect", "icc", "df"])
def test_the_clustering_table_says_what_a_dash_is(undefined):
    one = replace(RESULT, means=(replace(MEAN, **{undefined: math.nan}), MEAN))
    assert any(note.startswith(DASH) for note in make_table(one, "clustering").notes)
    assert not any(note.startswith(DASH) for note in make_table(RESULT, "clustering").notes)
