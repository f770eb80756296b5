"""Printed p-values, held against the difference and the error beside them; differences of averages;
what captions of checked tables say.
"""

import pytest
from scipy import stats

from reportkit.analysis.published.tested import error_of
from reportkit.loading.published.numbers import p_value
from reportkit.tables.published import make_checked
from tests.support.published_tables import checked, codes

HEAD = "|Eval|Alba|Heron|Heron − Alba|SE|p|\n|-|-|-|-|-|-|\n"


def row(p: str, difference: str = "2.0", se: str = "1.00") -> str:
    heron = 60.0 + float(difference)
    return f"{HEAD}|MATH|60.0|{heron:.1f}|{difference}|{se}|{p}|\n"


def test_the_p_value_of_the_normal_law_is_right(tmp_path):
    """z = 2: 2 (1 - Phi(2)) = .0455; one-sided half of it; more with few degrees of freedom."""
    two = 2.0 * stats.norm.sf(2.0)
    for p in (two, two / 2.0, 2.0 * stats.t.sf(2.0, 4)):
        assert not codes(checked(tmp_path, row(f"{p:.4f}"), "t.md", scale="percent"))


@pytest.mark.parametrize("p", ["0.05", "<0.05", "p = .05*", "> 0.02", "n.s.", "—", "**", "0.0"])
def test_what_rounding_explains_or_nobody_reads_is_no_finding(p, tmp_path):
    """0.0 is anything below .1."""
    assert not codes(checked(tmp_path, row(p), "t.md", scale="percent"))


def test_a_p_value_that_no_test_gives(tmp_path):
    """z is at most 1.1 / .995 = 1.11 if digits were cut off: p is .27 at least, one-sided .13."""
    for text, said in (
        (row("<0.001", "1.0"), {"scores": "binary"}),
        (row("<0.001", "1.0") + "\np of paired t-tests.\n", {}),
    ):
        c = checked(tmp_path, text, "t.md", scale="percent", **said)
        assert codes(c) == ["p-small"] and codes(c, "inconsistent") == ["p-small"]
    text = c.findings[0].message
    least = 2.0 * stats.norm.sf(1.1 / 0.99)
    assert f"p = {least:.2g} to " in text and "the printed p, <0.001," in text
    assert f" to {1.1 / 0.995:.2f}, and so p = " in text


def test_one_of_ranks_or_signs_may_be_far_from_that_of_means(tmp_path):
    """Of skewed scores a test of ranks had .20 beside z = .6 (benchmarks/check_table.py)."""
    c = checked(tmp_path, row("<0.001", "1.0"), "t.md", scale="percent")
    assert [(f.code, f.severity) for f in c.findings] == [("p-small", "condition")]
    assert "such as one of ranks or signs" in c.findings[0].unless


def test_a_smaller_one_may_be_of_another_test(tmp_path):
    """.004 / 2 = .002 wants z = 2.65 one-sided, and 2.1 / .99 (1 + 1/4) = 2.65 just gives it."""
    low = 2.1 / 0.99
    near, far = (stats.norm.sf(low * x) for x in (1.2, 1.35))
    assert codes(checked(tmp_path, row(f"{near:.5f}"), "t.md", scale="percent")) == ["p-small"]
    c = checked(tmp_path, row(f"{near:.5f}"), "t.md", scale="percent")
    assert c.findings[0].severity == "condition" and "an exact one" in c.findings[0].unless
    c = checked(tmp_path, row(f"{far:.5f}"), "t.md", scale="percent", scores="binary")
    assert c.findings[0].severity == "inconsistent"


@pytest.mark.parametrize(
    ("difference", "severity"), [("5.60", "condition"), ("5.52", "inconsistent")]
)
def test_p_values_below_1e_12_are_not_told_apart(difference, severity, tmp_path):
    """Of z times 1.25 at its most, (5.60 + .01) / .995 and (5.52 + .01) / .995, the tails are 9e-13
    and 1.9e-12.
    """
    tails = [stats.norm.sf(1.25 * (x + 0.01) / 0.995) for x in (5.6, 5.52)]
    assert 5e-13 < tails[0] < 1e-12 < tails[1] < 2e-12
    text = row("1e-30", difference)
    [found] = checked(tmp_path, text, "t.md", scale="percent", scores="binary").findings
    assert (found.code, found.severity) == ("p-small", severity)


def test_the_error_of_an_interval_has_that_of_its_ends(tmp_path):
    """(-1.0, 3.0), rounded or cut off: from 2.95 + .95 to 3.1 + 1.1, over 2 z."""
    text = 'eval,model,baseline,difference,95% CI\nX,Heron,Alba,1.0,"(-1.0, 3.0)"\n'
    [d] = checked(tmp_path, text, scale="percent").table.differences
    z = 2.0 * stats.norm.ppf(0.975)
    se, ends, digits = error_of(d, 0.95)
    assert (se, digits) == (pytest.approx(4.0 / z), 2)
    assert ends == pytest.approx((3.9 / z, 4.2 / z))


def test_an_error_of_different_questions_may_stand_beside_a_paired_test(tmp_path):
    """sqrt(.7^2 + .7^2) = .99."""
    text = f"{HEAD}|X|60.0 (0.7)|61.0 (0.7)|1.0|0.99|1e-6|\n"
    c = checked(tmp_path, text, "t.md", scale="percent", scores="binary")
    assert c.findings[0].severity == "condition" and "a paired test" in c.findings[0].unless


def test_a_larger_one_may_be_adjusted(tmp_path):
    """z = 5 to 6 of 5,000 questions: a t has as many degrees of freedom."""
    text = row("0.4", "5.5").replace("MATH|", "MATH (n=5000)|")
    c = checked(tmp_path, text, "t.md", scale="percent")
    assert [(f.code, f.severity) for f in c.findings] == [("p-large", "condition")]
    assert "adjusted for several comparisons" in c.findings[0].unless
    noted = text + "\np: Holm-Bonferroni.\n"
    assert not codes(checked(tmp_path, noted, "t.md", scale="percent"))


def test_few_degrees_of_freedom_may_explain_a_larger_one(tmp_path):
    """z = 3 where n is not known: t with one degree of freedom gives .20."""
    p = 2.0 * stats.t.sf(3.0, 1)
    assert not codes(checked(tmp_path, row(f"{p:.2f}", "3.0"), "t.md", scale="percent"))


def test_nothing_is_said_where_only_the_means_have_errors(tmp_path):
    """Whether questions are paired is not known."""
    text = "|Eval|Alba|Heron|Heron − Alba|p|\n|-|-|-|-|-|\n|X|60.0 (0.7)|61.0 (0.7)|1.0|1e-9|\n"
    assert not codes(checked(tmp_path, text, "t.md", scale="percent"))


def test_a_p_value_beside_an_interval_and_in_a_list(tmp_path):
    """Half of (-1, 3) is 2 = 1.96 SE: z = 1 / 1.02."""
    text = (
        "eval,model,baseline,difference,95% CI,p-value\n"
        'X,Heron,Alba,1.0,"(-1.0, 3.0)",0.33\nY,Heron,Alba,1.0,"(-1.0, 3.0)",0.0001\n'
    )
    c = checked(tmp_path, text, scale="percent")
    assert [(f.eval, f.code) for f in c.of("condition")] == [("Y", "p-small")]


@pytest.mark.parametrize(
    "text, low, high",
    [("0.031", 0.0305, 0.0315), ("p < .001", 0.0, 0.001), (">0.05", 0.05, 1.0),
     ("3.1e-05*", 3.05e-5, 3.15e-5)],
)  # fmt: skip
def test_how_a_p_value_is_written(text, low, high):
    """Half a unit of the last digit to both sides."""
    assert p_value(text).span("nearest") == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("text", ["n.s.", "***", "1.2", "87%", "", "p"])
def test_what_is_no_p_value(text):
    assert p_value(text) is None


# Differences of averages --------------------------------------------------------------------------

AVERAGES = """\
|Eval|Alba|Heron|Difference|
|-|-|-|-|
|MATH|60.0|62.0|2.0|
|QA|70.0|71.0|1.0|
|BB|50.0|55.5|5.5|
|Average|60.0|62.8|{}|
"""


@pytest.mark.parametrize("printed", ["2.8", "2.83", "2.9"])
def test_the_difference_of_averages_follows(printed, tmp_path):
    """62.8 - 60.0, or (2.0 + 1.0 + 5.5) / 3 = 2.833."""
    text = AVERAGES.format(printed)
    assert not codes(checked(tmp_path, text, "t.md", scale="percent"))


def test_the_difference_of_averages_in_points_beside_shares(tmp_path):
    """100 (.668 - .640) = 2.8; the mean of the column is 1.5."""
    text = "|Eval|Alba|Heron|Difference|\n|-|-|-|-|\n|A|0.600|0.620|2.0|\n|B|0.700|0.710|1.0|\n"
    text += "|Average|0.640|0.668|{}|\n"
    told = [codes(checked(tmp_path, text.format(x), "t.md", scale="0,1")) for x in ("2.8", "3.9")]
    assert ["average-difference" in found for found in told] == [False, True]


def test_one_that_does_not_is_told(tmp_path):
    c = checked(tmp_path, AVERAGES.format("3.9"), "t.md", scale="percent")
    assert codes(c) == ["average-difference"] and codes(c, "condition") == codes(c)
    assert "the averages 62.8% and 60.0%, whose difference is +2.8 points" in c.findings[0].message


def test_the_average_of_a_row_of_differences(tmp_path):
    text = (
        "|Model|MATH|QA|Macro avg|\n|-|-|-|-|\n|A|60.0|62.0|61.0|\n|B|70.0|71.0|70.5|\n"
        "|Δ|10.0|9.0|{}|\n"
    )
    assert not codes(checked(tmp_path, text.format("9.5"), "t.md", scale="percent"))
    c = checked(tmp_path, text.format("8.4"), "t.md", scale="percent")
    assert codes(c) == ["average-difference"]


def test_without_the_averages_it_is_told_that_nothing_was_checked(tmp_path):
    text = AVERAGES.format("2.8").replace("|60.0|62.8|", "|||")
    c = checked(tmp_path, text, "t.md", scale="percent")
    assert not c.findings
    assert any("Whether the difference of Average follows" in str(x) for x in c.unchecked)


# Captions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head, said, about",
    [
        ("|X (n=500)|60%|\n|Y (n=500)|70%|\n", {}, "Scores in percent; 500 questions."),
        ("|X (n=500)|60%|\n|Y (n=900)|70%|\n", {}, "Scores in percent; 500 to 900 questions."),
        ("|X (n=500)|6.0|\n|Y|7.0|\n", {"scale": "1,10"},
         "Scores from 1 to 10; 500 questions where their number is known."),
        ("|X|60%|\n|Y|7.0|\n", {"scale": "Y=1,10"},
         "Each eval has its own scale; no number of questions is known."),
        ("|X|60|\n|Y|70|\n", {}, "No scale is printed; no number of questions is known."),
    ],
)  # fmt: skip
def test_the_caption_says_the_scale_and_n(head, said, about, tmp_path):
    c = checked(tmp_path, f"|Eval|A|\n|-|-|\n{head}", "t.md", **said)
    assert make_checked(c, "checked-means").title == f"The means as they were read. {about}"


def test_the_captions_of_other_tables_say_how_many_questions_their_evals_have(tmp_path):
    text = "|Eval|A|B|\n|-|-|-|\n|X (n=500)|60%|61%|\n|Y (n=900)|70%|71%|\n"
    title = make_checked(checked(tmp_path, text, "t.md"), "checked-pairs").title
    assert title.endswith("Scores in percent; 500 to 900 questions.")


# Differences of means -----------------------------------------------------------------------------


@pytest.mark.parametrize(("printed", "found"), [("2.0", []), ("2.5", ["difference-means"])])
def test_numbers_of_right_answers_beside_their_difference_in_points(printed, found, tmp_path):
    """10 of 500 questions are 2 points."""
    text = f"|Eval|n|Alba|Heron|Heron − Alba|\n|-|-|-|-|-|\n|X|500|300|310|{printed}|\n"
    assert codes(checked(tmp_path, text, "t.md")) == found


@pytest.mark.parametrize(("printed", "turned"), [("-2.0", True), ("5.0", False), ("0.0", False)])
def test_a_column_is_turned_where_more_of_it_fits_the_other_way_alone(printed, turned, tmp_path):
    """60 and 62: 5 and 0 fit neither way."""
    text = f"|Eval|n|Alba|Heron|Heron − Alba|\n|-|-|-|-|-|\n|X|100|60.0|62.0|{printed}|\n"
    c = checked(tmp_path, text, "t.md", scale="percent")
    assert ("and are read so" in str(c.table.read_as)) is turned
