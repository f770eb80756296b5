"""Every printed cell of the tables of means and of clustering, against numbers made here."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint
from support.digits import decimals
from support.scores_made import result_of, rows_of

from reportkit.errors import ScoresError
from reportkit.results import EvalResult, MeanResult, Scale
from reportkit.suites import PublishedScore
from reportkit.tables import make_table
from reportkit.tables.elsewhere import published_note
from reportkit.tables.writers.render import render_table

DASH = "\N{EM DASH}"
MINUS = "\N{MINUS SIGN}"
# 12 questions of two answers, in points: whole numbers, so that every sum is exact.
POINTS = np.array(
    [
        [3, 5, 8, 8, 1, 4, 9, 7, 2, 2, 6, 9, 4, 4, 7, 10, 5, 3, 8, 6, 1, 1, 9, 9],
        [2, 4, 9, 5, 3, 3, 6, 6, 1, 5, 8, 7, 2, 6, 9, 9, 4, 4, 5, 9, 3, 2, 7, 8],
    ]
).reshape(2, 12, 2)


def decimals_of_points() -> int:
    """By the smallest error of the report: of a mean, or of the difference."""
    a, b = POINTS.mean(axis=2)
    return decimals(*(x.std(ddof=1) / math.sqrt(12) for x in (a, b, a - b)))


def test_means_of_scores_in_their_own_units():
    """Mean, standard error and t interval by numpy and scipy."""
    result = result_of(POINTS)
    rows = rows_of(make_table(result, "means"))
    k = decimals_of_points()
    for row, scores in zip(rows, POINTS.mean(axis=2), strict=True):
        mean, se = scores.mean(), scores.std(ddof=1) / math.sqrt(12)
        low, high = scipy_stats.t.interval(0.95, 11, mean, se)
        assert row["mean"] == f"{mean:.{k}f} ({se:.{k}f})"
        assert row["ci"] == f"({low:.{k}f}, {high:.{k}f})"
        assert (row["questions"], row["clusters"], row["answers"]) == ("12", DASH, "2")
    assert [row["model"] for row in rows] == ["A", "B"]
    notes = make_table(result, "means").notes
    assert "Metric: points, in its own units; scores seen run from 1 to 10." in notes
    assert "No clusters are declared." in notes


def test_means_of_right_and_wrong_answers():
    """30 and 45 right of 60: the normal SE of a share with n - 1, and Wilson's interval by
    statsmodels.
    """
    right = np.array([[1] * 30 + [0] * 30, [1] * 45 + [0] * 15])
    rows = rows_of(make_table(result_of(right), "means"))
    for row, k in zip(rows, (30, 45), strict=True):
        p = k / 60
        low, high = proportion_confint(k, 60, method="wilson")
        assert row["mean"] == f"{100 * p:.1f}% ({100 * math.sqrt(p * (1 - p) / 59):.1f}%)"
        assert row["ci"] == f"({100 * low:.1f}%, {100 * high:.1f}%)"
        assert (row["questions"], row["answers"]) == ("60", "1")


def test_the_level_stands_in_the_head_and_moves_the_interval():
    table = make_table(result_of(POINTS, level=0.9), "means")
    scores = POINTS.mean(axis=2)[0]
    low, high = scipy_stats.t.interval(0.9, 11, scores.mean(), scores.std(ddof=1) / math.sqrt(12))
    assert table.columns[2].head == "90% CI"
    k = decimals_of_points()
    assert table.cells[0][2] == f"({low:.{k}f}, {high:.{k}f})"


def test_the_caption_has_the_clusters_of_every_model():
    """The second model lacks 5 of 40 questions, with them all of one cluster of 4."""
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 2, (2, 40)).astype(float)
    scores[1, :5] = np.nan
    title = make_table(result_of(scores, np.repeat(np.arange(10), 4)), "means").title
    assert "; 35 to 40 questions in 9 to 10 clusters (" in title


def test_clusters_of_one_size():
    """With clusters of one size the clustered SE is that of the cluster means, on G - 1 degrees of
    freedom: the ratio, its square and the questions that are worth as many follow.
    """
    rng = np.random.default_rng(5)
    scores = (rng.normal(50, 12, (2, 10, 1)) + rng.normal(0, 6, (2, 10, 4))).round()
    clusters = np.repeat([f"c{g}" for g in range(10)], 4)
    result = result_of(scores.reshape(2, 40), clusters)
    rows = rows_of(make_table(result, "clustering"))
    errors = [x.mean(axis=1).std(ddof=1) / math.sqrt(10) for x in (*scores, scores[0] - scores[1])]
    k = decimals(*errors) + 1  # one more than beside a mean
    for row, model in zip(rows, scores, strict=True):
        clustered = model.mean(axis=1).std(ddof=1) / math.sqrt(10)
        naive = model.std(ddof=1) / math.sqrt(40)
        effect = (clustered / naive) ** 2
        assert effect > 1.5  # so that dividing and multiplying by it differ
        # MSB / MSW is F, so (MSB - MSW) / (MSB + (4 - 1) MSW) is (F - 1) / (F + 3)
        f = scipy_stats.f_oneway(*model).statistic
        assert row == {
            "model": row["model"],
            "se": f"{clustered:.{k}f}",
            "se_unclustered": f"{naive:.{k}f}",
            "ratio": f"{clustered / naive:.2f}",
            "design_effect": f"{effect:.2f}",
            "effective": f"{40 / effect:.0f}",
            "icc": f"{(f - 1) / (f + 3):.2f}",
            "df": "9",
        }
    assert "40 questions in 10 clusters (cluster_id)." in make_table(result, "clustering").notes
    means = rows_of(make_table(result, "means"))
    assert [row["clusters"] for row in means] == ["10", "10"]
    for row, model in zip(means, scores, strict=True):
        clustered = model.mean(axis=1).std(ddof=1) / math.sqrt(10)
        low, high = scipy_stats.t.interval(0.95, 9, model.mean(), clustered)
        assert row["mean"] == f"{model.mean():.{k - 1}f} ({clustered:.{k - 1}f})"
        assert row["ci"] == f"({low:.{k - 1}f}, {high:.{k - 1}f})"


BY_HAND = MeanResult(
    "A",
    0.6,
    0.03,
    12.34,
    0.54,
    0.66,
    0.95,
    "t",
    900,
    60,
    900,
    0,
    0,
    0.02,
    2.25,
    0.1,
    0.2,
    icc=0.174,
)


def eval_of(*means: MeanResult, **fields) -> EvalResult:
    return EvalResult(
        eval="toy",
        metric="match",
        n_questions=900,
        n_clusters=60,
        models=tuple(m.model for m in means),
        baseline="",
        means=means,
        differences=(),
        power=(),
        **{"clustered": True, "cluster_field": "passage", "scale": Scale(0, 1, True, False)}
        | fields,
    )


def test_clustering_by_hand():
    """sqrt(2.25) = 1.5, 900 / 2.25 = 400; degrees of freedom with a decimal below 100."""
    many = replace(BY_HAND, model="B", df=250.6)
    rows = rows_of(make_table(eval_of(BY_HAND, many), "clustering"))
    assert rows[0] == {
        "model": "A",
        "se": "3.00%",
        "se_unclustered": "2.00%",
        "ratio": "1.50",
        "design_effect": "2.25",
        "effective": "400",
        "icc": "0.17",
        "df": "12.3",
    }
    assert rows[1]["df"] == "251"


def test_what_is_undefined_is_a_dash_with_a_note():
    """One cluster: no SE, no design effect. A design effect of 0 makes no effective questions."""
    nan = math.nan
    none = replace(BY_HAND, se=nan, df=nan, design_effect=nan, ci_low=nan, ci_high=nan, icc=nan)
    flat = replace(BY_HAND, model="B", design_effect=0.0)
    table = make_table(eval_of(none, flat), "clustering")
    first, second = rows_of(table)
    assert [first[k] for k in ("se", "ratio", "design_effect", "effective", "icc", "df")] == [
        DASH
    ] * 6
    assert (second["ratio"], second["effective"]) == ("0.00", DASH)
    assert any(n.startswith(DASH) for n in table.notes)
    means = make_table(eval_of(none, flat), "means")
    assert rows_of(means)[0]["mean"] == f"60.0% ({DASH})" and rows_of(means)[0]["ci"] == DASH
    assert any(n.startswith(DASH) for n in means.notes)
    assert not any(n.startswith(DASH) for n in make_table(eval_of(BY_HAND), "means").notes)


def test_shots_and_answers_that_are_no_whole_number():
    some = replace(BY_HAND, n_answers=1350)  # 1350 / 900 = 1.5
    none = replace(BY_HAND, model="B", n_questions=0, n_answers=0, mean=math.nan)
    table = make_table(eval_of(some, none, shots=("5", "")), "means")
    rows = rows_of(table)
    assert [row["answers"] for row in rows] == ["1.5", DASH]
    assert [row["shots"] for row in rows] == ["5", DASH]
    assert "No score of this metric: B." in table.notes


def test_bold_is_on_the_means_of_the_best():
    table = make_table(
        eval_of(BY_HAND, replace(BY_HAND, model="B", mean=0.5), best=("A",)), "means"
    )
    assert table.bold == {(0, 1)}


@pytest.mark.parametrize("theme", ["error-bars", "plain", "pm", "ci", "stacked"])
def test_themes_print_the_numbers_of_the_record(theme):
    """0.6, SE 0.03, interval 0.54 to 0.66: half of it is 0.06."""
    expected = {
        "error-bars": ("Mean (SE)", "60.0% (3.0%)", "(54.0%, 66.0%)"),
        "plain": ("Mean", "60.0", "(54.0, 66.0)"),
        "pm": ("Mean ± 95%", "60.0 ± 6.0", "(54.0, 66.0)"),
        "ci": ("Mean [95% CI]", "60.0 [54.0, 66.0]", None),
        "stacked": ("Mean (SE)", "60.0%\n(3.0%)", "(54.0%, 66.0%)"),
    }[theme]
    table = make_table(eval_of(BY_HAND), "means", theme)
    row = rows_of(table)[0]
    assert (table.columns[1].head, row["mean"], row.get("ci")) == expected
    half = "±: half the width of the 95% interval."
    assert (half in table.notes) == (theme == "pm")


def test_published_scores_stand_below_ours():
    """No interval, no rank, no test; the CSV says where they were published."""
    said = {"toy": {"published": {"Z": {"score": 7.5, "source": "Z 2024"}, "Y": 3}}}
    result = result_of(POINTS, evals=said)
    table = make_table(result, "means")
    a, _, z, y = rows_of(table)
    assert (z["model"], z["mean"], z["ci"], z["questions"]) == ("Z (published)", "7.5", DASH, DASH)
    assert (y["model"], y["mean"]) == ("Y (published)", "3")
    assert a == rows_of(make_table(result_of(POINTS), "means"))[0]
    assert not {i for i, _ in table.bold} & {2, 3}
    text = "no test is run on them. Sources: Z: Z 2024."
    assert any(n.endswith(text) for n in table.notes)
    frame = table.to_frame()
    assert frame["Model"].tolist()[2:] == ["Z (published)", "Y (published)"]
    assert frame["Mean"].tolist()[2:] == [7.5, 3.0] and frame["SE"].isna().tolist()[2:] == [1, 1]
    written = render_table(table, "csv").splitlines()
    assert written[0].endswith(",published") and written[1].endswith(",")
    assert written[3].startswith("toy,points,Z,7.5,") and written[3].endswith(",Z 2024")
    # In another order each row still says what it is.
    turned = table.with_models("Y (published)", "B", "Z (published)")
    order = [row["model"] for row in rows_of(turned)]
    assert order == ["Y (published)", "B", "Z (published)", "A"]
    assert "published" not in render_table(make_table(result_of(POINTS), "means"), "csv")


@pytest.mark.parametrize(
    ("score", "text"), [(0.00001, "0.00001"), (0.000012, "0.00001"), (20, "20")]
)
def test_a_published_score_has_the_decimals_that_it_has_and_no_more_than_ours(score, text):
    """Ours are printed with five decimals, as their errors are near 0.00004."""
    ours = np.random.default_rng(3).normal(0.0, 0.0002, (2, 20))
    result = result_of(ours, metric="loss", evals={"toy": {"published": {"Z": {"score": score}}}})
    a, _, z = rows_of(make_table(result, "means"))
    assert len(a["mean"].split(" ")[0].partition(".")[2]) == 5 and z["mean"] == text


@pytest.mark.parametrize(("score", "text"), [(0.7, "70%"), (0.425, "42.5%"), (0.4253, "42.5%")])
def test_a_published_share_in_percent_has_two_decimals_fewer(score, text):
    """Ours, of 20 answers, are printed in percent with one decimal."""
    right = np.array([[1] * 13 + [0] * 7, [1] * 9 + [0] * 11])
    result = result_of(right, evals={"toy": {"published": {"Z": {"score": score}}}})
    a, _, z = rows_of(make_table(result, "means"))
    assert (a["mean"].split(" ")[0], z["mean"]) == ("65.0%", text)


def test_a_source_names_its_evals_where_a_model_has_several():
    found = published_note(
        [
            PublishedScore("one", "Z", 0.5, "Z 2024"),
            PublishedScore("two", "Z", 0.6, "Z 2025"),
            PublishedScore("three", "Z", 0.7, "Z 2025"),
            PublishedScore("two", "Y", 0.7, "Y 2023"),
        ]
    )
    assert found.endswith("Sources: Z on one: Z 2024; Z on two, three: Z 2025; Y: Y 2023.")


def test_a_published_score_outside_the_range_is_refused():
    right = np.array([[1, 0, 1, 1], [0, 0, 1, 1]])
    why = "42.5 of 'Z' is outside its range of 0 to 1; write 42.5% as 0.425"
    with pytest.raises(ScoresError, match=why):
        result_of(right, published="Z:42.5")
