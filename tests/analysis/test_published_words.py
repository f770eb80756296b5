"""What a finding about a published table says: every number in it, worked by hand.

A printed number is read as rounded to the nearest or cut off: 0.7 is anything from .65 to .8.
"""

import math
import re

import pytest
from scipy import stats as scipy_stats
from support.published_tables import checked, sentences

from reportkit.analysis.published.groups import known_eval
from reportkit.analysis.published.pairs import error_of
from reportkit.documents.prose.checked import opening, told
from reportkit.documents.prose.checked_authors import author_parts, to_authors
from reportkit.documents.prose.checked_pairs import conclusion_lines, in_short
from reportkit.stats.published import means_for_se
from reportkit.tables.published import TABLES, make_checked

HEAD = "eval,model,mean,se,n,95% CI\n"
SEVERAL = (
    "it is a mean of several answers to each question, of fractional scores, or of another number "
    "of questions"
)
OTHERS = "it is of the questions that both models answered; the means are of different numbers"
NEITHER = (
    ". An error that allows for groups of questions, or a mean of several parts' means, could be "
    "larger, and the table names neither"
)
GROUPS = (
    "it allows for the groups in which questions of DROP are known to come (several questions "
    "about one passage); the table does not say it"
)
COULD = (
    ". An interval that allows for groups of questions could be wider, and the table does not say "
    "that it does"
)
LARGE = (
    "the standard error 2.0% is too large: that of 1,000 independent scores from 0 to 100 with the "
    "mean 65.5% is at most 1.50%"  # sqrt(.6545 * .3455 / 999)
)
TAIL = scipy_stats.norm.ppf


@pytest.mark.parametrize(
    ("row", "code", "said", "unless"),
    [
        (
            "QA,A,101%,,5000,", "mean-outside",
            "the mean 101% lies outside the scale of the scores, 0 to 100", "",
        ),
        (  # sqrt(.9995 * .0005 / 99)
            "QA,A,100.0%,0.5%,100,", "se-maximum",
            "the standard error 0.5% is too large: that of 100 independent scores from 0 to 100 "
            f"with the mean 100.0% is at most 0.22%{NEITHER}", "",
        ),
        ("DROP,A,65.5%,2.0%,1000,", "se-maximum", LARGE,
         "it allows for the groups in which questions of DROP are known to come (several questions "
         "about one passage); the table does not say it"),
        ("QA average,A,65.5%,2.0%,1000,", "se-maximum", LARGE,
         "the mean is of the means of several parts or runs"),
        (
            "QA,A,65.51%,,100,", "mean-count",
            "65.51% is no share of 100 answers that are right or wrong: 65 of 100 is 65.000% and "
            "66 of 100 is 66.000%", SEVERAL,
        ),
        ("QA,A,65.5%,-0.7%,5000,", "se-negative", "the standard error -0.7% is negative", ""),
        (
            "QA,A,48.1%,,164,", "mean-cut",
            "if 48.1% is a share of 164 right-or-wrong answers, its digits were cut off, not "
            "rounded", "",
        ),
        (
            'QA,A,65.52%,0.67%,5000,"(64.00%, 66.10%)"', "interval-uneven",
            "the interval (64.00%, 66.10%) does not have 65.52% in its middle, so it is not that "
            "number ± a multiple of the standard error 0.67%",
            "a score interval or a bootstrap made it; the table does not name the method",
        ),
        ('QA,A,65.52%,0.67%,5000,"(66.0%, 67.0%)"', "interval-outside",
         "65.52% lies outside of its interval (66.0%, 67.0%)", ""),
        ('QA,A,65.52%,0.67%,5000,"(66.8%, 64.2%)"', "interval-ends",
         "the interval (66.8%, 64.2%) ends below its start", ""),
        (  # half of it is 1.2625 to 1.2775, and the error .665 to .68
            'QA,A,65.52%,0.67%,5000,"(64.25%, 66.79%)"', "interval-error",
            "the interval (64.25%, 66.79%) reaches 1.86 to 1.92 standard errors (0.67%) to each "
            "side; at 95% it would be 1.96",
            "it was made by another method, or with few groups of questions",
        ),
    ],
)  # fmt: skip
def test_what_is_said_of_a_row(row, code, said, unless, tmp_path):
    found = {f.code: f for f in checked(tmp_path, f"{HEAD}{row}\n").findings}
    assert (found[code].message, found[code].unless) == (said, unless)


def test_few_questions_may_have_the_t_of_their_number(tmp_path):
    """Half of it is 1.225 to 1.375, the error .95 to 1.1; t with 9 degrees is 2.262, z of 80%
    1.28.
    """
    c = checked(tmp_path, f'{HEAD}QA,A,65.5%,1.0%,10,"(64.2%, 66.8%)"\n')
    assert c.findings[0].message == (
        "the interval (64.2%, 66.8%) reaches 1.11 to 1.45 standard errors (1.0%) to each side; at "
        "95% it would be 1.96 (z) to 2.26 (t). It fits a level of 80%"
    )


@pytest.mark.parametrize(
    ("half", "severity"),
    [(2.2, ""), (2.4, "condition"), (2.5, "inconsistent"), (1.8, "condition"),
     (1.7, "inconsistent")],
)  # fmt: skip
def test_what_clusters_of_uneven_size_may_do_to_an_interval(half, severity, tmp_path):
    """41 clusters, 10 degrees of freedom at the least: t 2.228, and a tenth more, 2.451, or a tenth
    less than z, 1.764, by another method.
    """
    ends = f'"({65.52 - half:.3f}%, {65.52 + half:.3f}%)"'
    c = checked(
        tmp_path,
        f"eval,model,mean,se,n,clusters,95% CI\nQA,A,65.520%,1.0000%,5000,41,{ends}\n",
    )
    assert [f.severity for f in c.findings] == ([severity] if severity else [])
    if severity:
        assert "would be 1.96 (z) to 2.23 (t)" in c.findings[0].message


@pytest.mark.parametrize("level", [0.5, 0.68, 0.8, 0.9, 0.98, 0.99, 0.995, 0.999])
def test_the_level_that_an_interval_fits(level, tmp_path):
    half = 0.67 * TAIL((1 + level) / 2)
    ends = f'"({65.52 - half:.3f}%, {65.52 + half:.3f}%)"'
    f = checked(tmp_path, f"{HEAD}QA,A,65.520%,0.6700%,5000,{ends}\n").findings[0]
    assert f.message.endswith(f"at 95% it would be 1.96. It fits a level of {100 * level:g}%")


def test_the_usual_level_in_a_table_of_another(tmp_path):
    ends = '"(64.207%, 66.833%)"'  # 1.96 * .67 = 1.313
    c = checked(tmp_path, f"eval,model,mean,se,n,90% CI\nQA,A,65.520%,0.6700%,5000,{ends}\n")
    assert c.findings[0].message.endswith("at 90% it would be 1.64. It fits a level of 95%")


@pytest.mark.parametrize(("eval", "severity"), [("QA", "inconsistent"), ("DROP", "condition")])
def test_an_interval_that_is_too_wide(eval, severity, tmp_path):
    """Half of it is (71 - 60)/2, and (70.95 - 60.1)/2 = 5.425 where 60.0 was cut off 60.1.
    Of 655 or 656 of 1,000 Clopper and Pearson's has 2.99."""
    c = checked(tmp_path, f'{HEAD}{eval},A,65.5%,,1000,"(60.0%, 71.0%)"\n')
    exact = scipy_stats.binomtest(655, 1000).proportion_ci(method="exact")
    most = f"{50 * (exact.high - exact.low):.2f}%"
    f = c.findings[0]
    assert f.message == (
        "the interval (60.0%, 71.0%) is wider than 1,000 independent scores allow at 95%: half of "
        "it is 5.50%, before rounding at least 5.42%, and "
        f"{most} is the most{COULD if severity == 'inconsistent' else ''}"
    )
    assert (f.severity, f.unless) == (severity, GROUPS if severity == "condition" else "")


@pytest.mark.parametrize(("se", "severity"), [("1.690", "condition"), ("1.700", "inconsistent")])
def test_what_a_bootstrap_of_few_resamples_may_add(se, severity, tmp_path):
    """7% more than sqrt(.25 / 999) = 1.5819: 1.6927."""
    [f] = checked(tmp_path, f"eval,model,mean,n,se\nX,A,50.0%,1000,{se}%\n").findings
    assert f.severity == severity and "at most 1.5819%" in f.message
    bootstrap = "a bootstrap of few resamples made it, which errs by about 7%"
    assert f.unless == (bootstrap if severity == "condition" else "")


def test_groups_may_add_what_a_bootstrap_may(tmp_path):
    """sqrt(.809 * .191 / 9535) = .403%, of an eval that is known to come in groups."""
    c = checked(tmp_path, "eval,model,mean,n,se\nDROP,A,80.9%,9536,0.41%\n")
    [f] = [f for f in c.findings if f.code == "se-maximum"]
    unless = (
        "a bootstrap of few resamples made it, which errs by about 7%, or it allows for groups of "
        "questions"
    )
    assert (f.severity, f.unless) == ("condition", unless) and "at most 0.403%" in f.message


@pytest.mark.parametrize(("mean", "other", "write"), [
    ("0.9457", "93.1", "94.57"),
    ("0.95", "28.6", "95"),
    ("0.95", "28.4", ""),  # less than 30 times as much: a model may be so much worse
    ("1.2", "93.1", ""),  # no share
])  # fmt: skip
def test_a_share_among_percents_is_told(mean, other, write, tmp_path):
    table = f"eval,model,mean,n\nQA,A,{mean},5000\nQA,B,{other},5000\n"
    found = [
        f for f in checked(tmp_path, table, scale="percent").findings if f.code == "mean-share"
    ]
    assert [f.model for f in found] == ["A"] * bool(write)
    if write:
        assert found[0].message == (
            f"the mean is read as {mean}%, and the others of this eval are {other}% and more. If "
            f"it is a share, write it as {write}"
        )


def test_what_is_said_of_right_and_wrong_answers(tmp_path):
    """sqrt(.656 * .344 / 5000) = .672."""
    c = checked(tmp_path, f"{HEAD}QA,A,65.5%,0.5%,5000,\n", scores="binary")
    assert [f.message for f in c.findings] == [
        "the standard error 0.5% is smaller than 5,000 scores of 0 or 1 with the mean 65.5% have, "
        "0.67%"
    ]


def test_what_is_said_of_clusters_ratios_and_numbers_printed_twice(tmp_path):
    """1.335 / .45 = 2.97, and 1.35 / .435 = 3.10."""
    texts = {
        "eval,model,mean,n,clusters\nX,A,50.0%,100,101\n": [
            "101 clusters are more than the 100 questions"
        ],
        "eval,clustered SE,naive SE,ratio\nQA,1.34%,.44%,3.25\n": [
            "the ratio 3.25 does not follow from 1.34% and .44%, which give 2.97 to 3.10"
        ],
        "table,eval,model,mean,se\n1,QA,A,65.5%,0.7%\n2,QA,A,66.5%,0.9%\n": [
            "the mean is 65.5% in 1 and 66.5% in 2",
            "the standard error is 0.7% in 1 and 0.9% in 2",
        ],
    }
    for text, said in texts.items():
        assert [f.message for f in checked(tmp_path, text).findings] == said


def test_what_is_said_of_groups(tmp_path):
    """Whether the table prints an error or none; without either there is nothing to say."""
    start = (
        "its questions are known to come in groups (the same problem in ten languages), and the "
        "table "
    )
    end = (
        "likely too narrow: clustered errors were seen to be 1.88 times the naive ones. Source: "
        "Miller 2024 (arXiv 2411.00640), Table 4"
    )
    errors = "does not say that its errors allow for it. If they do not, they are "
    none = "prints no error. The one that is taken here is that of independent questions, and "
    for text, said in {
        f"{HEAD}MGSM,A,75.3%,0.8%,2500,\n": [start + errors + end],
        "eval,model,mean,n\nMGSM,A,75.3%,2500\n": [start + none + end],
        "eval,model,mean\nMGSM,A,75.3%\n": [],
    }.items():
        assert [f.message for f in checked(tmp_path, text).findings] == said
    assert known_eval("TAT-QA 5-shot") is known_eval("TAT-QA") is not None


# Differences --------------------------------------------------------------------------------------

DIFFERENCES = "\n\n|eval|model|baseline|difference|se|correlation|\n|-|-|-|-|-|-|\n"
MEANS = "|eval|n|A|B|\n|-|-|-|-|\n|QA|5000|65.5% (0.7%)|63.0% (0.7%)|\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("+2.8%||", "the difference +2.8 points does not follow from the means 65.5% and 63.0%, "
         "whose difference is +2.5 points"),
        ("+2.5%|1.8%|",  # each .65 to .8: 0 at r = 1, 1.6 at -1
         "the standard error of the difference, 1.8 points, does not follow at any correlation "
         "from the standard errors 0.7% and 0.7%, which give 0.00 to 1.60"),
        ("+2.5%|1.5%|", ""),
        ("+2.5%|1.2%|.50",  # .65 sqrt(2 * .49), .8 sqrt(2 * .505); 1 - 1.44 / .98
         "the standard error of the difference, 1.2 points, does not follow at the printed "
         "correlation .50 from the standard errors 0.7% and 0.7%, which give 0.64 to 0.80. "
         "It would at −0.47"),
        ("+2.5%|0.4%|-0.75",  # .65 sqrt(2 * 1.745), .8 sqrt(2 * 1.76); 1 - .16 / .98
         "the standard error of the difference, 0.4 points, does not follow at the printed "
         "correlation -0.75 from the standard errors 0.7% and 0.7%, which give 1.21 to 1.50. "
         "It would at 0.84"),
        ("+2.3%||", ""),  # 65.45 - 63.1 is 2.35, and 2.3 up to 2.4
        ("+2.2%||", "the difference +2.2 points does not follow from the means 65.5% and 63.0%, "
         "whose difference is +2.5 points"),
        ("+2.5%|1.5%|.50",  # 1 - 2.25 / .98 is −1.30, and no correlation
         "the standard error of the difference, 1.5 points, does not follow at the printed "
         "correlation .50 from the standard errors 0.7% and 0.7%, which give 0.64 to 0.80"),
        ("+2.5%|0.7%|1.50", "the correlation 1.50 lies outside of −1 to 1"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_difference(row, said, tmp_path):
    c = checked(tmp_path, f"{MEANS}{DIFFERENCES}|QA|A|B|{row}|\n", "t.md")
    assert [f.message for f in c.findings] == ([said] if said else [])


@pytest.mark.parametrize(("level", "n", "half", "fits"), [
    (0.9, "5000", 1.645, True), (0.95, "5000", 1.645, False), (0.95, "5000", 1.96, True),
    (0.95, "10", 2.262, True), (0.95, "10", 2.4, False), (0.9, "10", 1.833, True),
])  # fmt: skip
def test_the_interval_of_a_difference_is_at_the_level_that_was_said(level, n, half, fits, tmp_path):
    """z of 90% is 1.645; t of 9 degrees, of 10 questions, 1.833 and 2.262. C has two questions, and
    is no part of the difference.
    """
    rows = "".join(f"QA,{m},{x}%,10.000%,{n}\n" for m, x in (("A", "60.00"), ("B", "40.00")))
    means = "\n".join(f"|{row.replace(',', '|')}|" for row in rows.splitlines())
    text = (
        f"|eval|model|mean|se|n|\n|-|-|-|-|-|\n{means}\n|QA|C|50.00%|10.000%|2|\n\n"
        "|eval|model|baseline|difference|se|CI|\n|-|-|-|-|-|-|\n"
        f"|QA|A|B|+20.00%|10.000%|({20 - 10 * half:.3f}%, {20 + 10 * half:.3f}%)|\n"
    )
    found = [f.code for f in checked(tmp_path, text, "t.md", level=level).findings]
    assert ("interval-error" in found) != fits


def test_means_of_other_numbers_of_questions_are_a_condition(tmp_path):
    means = "|eval|model|mean|se|n|\n|-|-|-|-|-|\n|QA|A|65.5%|0.7%|5000|\n|QA|B|63.0%|0.7%|4000|\n"
    c = checked(tmp_path, f"{means}{DIFFERENCES}|QA|A|B|+2.9%|1.8%||\n", "t.md")
    found = [(f.code, f.severity, f.unless) for f in c.findings]
    codes = ("difference-means", "difference-se")
    assert found == [(code, "condition", OTHERS) for code in codes]


@pytest.mark.parametrize(
    ("n", "se", "found"),
    [
        # 1/2 -+ sqrt(1/4 - .00435^2 * 9621)
        ("9622", "0.44%", ("condition", "se-mean", "the standard error 0.44% of 9,622 independent "
                           "questions needs a mean between 23.9% and 76.1%, and the means printed "
                           "for this eval are 87.1%, 83.1%")),
        # .5 / sqrt(99) = 5.03
        ("100", "6.0%", ("inconsistent", "se-maximum", "no mean on this scale has a standard error "
                         "of 6.0% with 100 questions")),
    ],
)  # fmt: skip
def test_an_error_without_its_mean(n, se, found, tmp_path):
    text = (
        "|Eval|# Questions|# Clusters|Clustered SE|Naive SE|\n|-|-|-|-|-|\n"
        f"|QA|{n}|50|7.0%|{se}|\n\n|eval|model|mean|\n|-|-|-|\n|QA|A|87.1%|\n|QA|B|83.1%|\n"
    )
    said = checked(tmp_path, text, "t.md").findings
    assert [(f.severity, f.code, f.message) for f in said if f.code.startswith("se-")] == [found]


def test_the_largest_error_of_all_has_one_mean():
    """Of two scores, 0 and 1: .5, at 1/2 alone."""
    assert means_for_se(0.5, 2) == (0.5, 0.5)


# Errors and counts --------------------------------------------------------------------------------


@pytest.mark.parametrize(("mean", "ends"), [("1.0%", "[0.0%, 4.1%]"), ("99.0%", "[95.9%, 100.0%]")])
def test_the_error_of_an_interval_that_is_cut_off(mean, ends, tmp_path):
    """The other arm is 3.1. 1.0 is .95 to 1.1 and 4.1 is 4.05 to 4.2, which gives 2.95 to 3.25;
    99.0 is 98.95 to 99.1 and 95.9 is 95.85 to 96.0, the same.
    """
    c = checked(tmp_path, f'eval,model,mean,95% CI\nQ,A,{mean},"{ends}"\n')
    se, span, origin = error_of(c.table.means[0], 0.95)
    assert (se, origin) == (pytest.approx(3.1 / TAIL(0.975)), "interval")
    assert span == pytest.approx((2.95 / TAIL(0.975), 3.25 / TAIL(0.975)))
    assert all(map(math.isnan, (c.means[0].exact_low, c.means[0].exact_high)))


@pytest.mark.parametrize(("n", "tested"), [(199_900, True), (199_901, False)])
def test_up_to_how_many_answers_are_tested_as_counts(n, tested, tmp_path):
    """200,000 answers of both models together; none of 199,900 right leaves little to sum."""
    c = checked(tmp_path, f"eval,model,mean,n\nQ,A,50.0%,100\nQ,B,0.0000%,{n}\n")
    assert math.isnan(c.pairs[0].fisher_p) != tested


def test_what_was_not_checked_is_said_of_one_eval_and_of_several(tmp_path):
    scale = (
        "scored: bounds and counts were not checked there. Say --scale percent, or --scale LOW,"
        "HIGH with the smallest and the largest score."
    )
    for rows, names, verb, plural in (
        ("Q,65.5,63.0\n", "Q", "is", "has"),
        ("Q,65.5,63.0\nR,65.5,63.0\n", "Q and R", "are", "have"),
    ):
        assert sentences(checked(tmp_path, f"eval,A,B\n{rows}").unchecked) == (
            f"The table does not say on which scale {names} {verb} {scale}",
            f"The table does not say how many questions {names} {plural}: counts and "
            "errors were not checked there. Say --questions Q=NUMBER.",
        )
    assert checked(tmp_path, "eval,model,mean,n\nS 1,A,3%,100\n").unchecked == (
        "With one model alone there is nothing to compare: S 1.",
    )


@pytest.mark.parametrize(
    ("means", "said"),
    [
        (("92.3", "102.5", "88.1"), " If means are percentages, 102.5 of B cannot be one."),
        (("92.3", "88.1", "-2"), " If means are percentages, -2 of C cannot be one."),
        (("92.3", "88.1", "80"), ""),
        (("1250", "1105", "88.1"), ""),  # a scale of its own
        (("101", "102", "1", "2"), " If means are percentages, 101 of A cannot be one, nor are 1 "
         "more."),
    ],
)  # fmt: skip
def test_without_a_scale_means_that_are_no_percentages_are_named(tmp_path, means, said):
    rows = "".join(f"Q,{m},{x},100\n" for m, x in zip("ABCD", means, strict=False))
    made = checked(tmp_path, f"eval,model,mean,n\n{rows}")
    assert f"were not checked there.{said} Say --scale" in sentences(made.unchecked)[0]


def test_the_mark_of_a_condition_stands_behind_its_pairs(tmp_path):
    """90.14% of 1,319 answers have an error of .82 points; .9 can be a bootstrap's."""
    made = checked(tmp_path, HEAD + "Q,A,92.3%,0.73%,1319,\nQ,B,90.14%,0.9%,1319,\nQ,C,88.1%,0.89%,"
                   "1319,\n")  # fmt: skip
    assert made.doubted("condition") == [("B", "Q")] and made.doubted("inconsistent") == []
    assert "‡" not in str(make_checked(made, "checked-counts"))  # rests on no printed error
    for name in ("checked-pairs", "checked-paired"):
        last = "‡: rests on a number that holds only under a condition: B on Q."
        assert last in make_checked(made, name).notes
        rows = cells_of(made, name)
        assert all(row[3].endswith(" ‡") == ("B" in row[1:3]) for row in rows) and rows


def test_the_first_sentences_say_what_was_not_checked(tmp_path):
    """Without a scale neither bounds nor counts are checked: nothing found is no all-clear then."""
    unknown = opening(checked(tmp_path, HEAD + "A1,A,65.5,0.7,,\nA1,B,61.3,0.4,,\nA2,A,70%,1%,,\n"))
    assert "Bounds and counts of 1 of the 2 evals were not checked" in unknown
    assert "Say --scale percent" in unknown
    assert "checked" not in opening(checked(tmp_path, HEAD + "A1,A,65.5%,0.7%,5000,\n"))


def test_the_first_sentences_say_where_no_number_of_questions_was_there(tmp_path):
    unknown = opening(checked(tmp_path, HEAD + "A1,A,65.5%,0.7%,5000,\nA2,A,70%,1%,,\n"))
    assert "Counts and errors of 1 of the 2 evals were not checked" in unknown
    assert "known. Say --questions EVAL=NUMBER" in unknown
    named = opening(checked(tmp_path, HEAD + "MATH 500,A,71.3%,2.0%,,\nA2,A,70%,1%,,\n"))
    assert "known. If 500 in MATH 500 is one, write MATH (n=500). Say --questions" in named


# What the pairs allow to conclude -----------------------------------------------------------------


def test_what_holds_of_several_evals_is_said_once(tmp_path):
    """60 and 50 of 1,000 answers each have errors of 1.6 points: 10 apart on each eval."""
    text = "eval,n,A,B\n" + "".join(f"Q{k},1000,60.0%,50.0%\n" for k in range(3))
    said = conclusion_lines(checked(tmp_path, text))
    assert said[0].endswith("were not the same: A scores above B on Q0, Q1 and Q2.")


def test_of_many_pairs_their_number_on_each_eval_is_said(tmp_path):
    """Five models 10 points apart on QA, 10 pairs; on QB all alike."""
    rows = (f"{m},{60 - 10 * k}.0%,40.0%\n" for k, m in enumerate("ABCDE"))
    said = conclusion_lines(checked(tmp_path, "model,QA (n=1000),QB (n=1000)\n" + "".join(rows)))
    above = "one model scores above the other in 10 of 20 pairs (QA 10 of 10)."
    assert said[0].endswith(above)
    assert said[-1] == (
        "A paired analysis would not settle, at any correlation up to 0.7: 10 of 10 pairs (QB 10 "
        "of 10)."
    )


def test_a_paired_analysis_is_said_of_the_pairs_that_are_left(tmp_path):
    """A is 10 points above B, four standard errors of 2.2. B is 3.8 above C: 1.70 errors, and
    1.70 / sqrt(1 - 0.3) = 2.03 at a correlation of 0.3.
    """
    text = "eval,n,A,B,C\n" + "".join(f"{q},1000,60.0%,50.0%,46.2%\n" for q in ("QA", "QB"))
    assert conclusion_lines(checked(tmp_path, text))[1] == (
        "Of the 2 pairs that are not settled, a paired analysis of the same questions would tell "
        "apart, each pair by itself, already at a correlation of 0.3: B and C on QA and QB."
    )


def test_a_mean_outside_its_scale_is_told_where_pairs_are_counted(tmp_path):
    """Three models on two evals are six pairs; two of them would be with a mean of 104.3%."""
    c = checked(tmp_path, "eval,n,A,B,C\nQA,1000,60.0%,104.3%,50.0%\nQB,1000,60.0%,52.0%,50.0%\n")
    assert len(c.pairs) == 4
    left = "In no pair, as the mean lies outside its scale: B on QA."
    assert left in conclusion_lines(c)
    assert left in make_checked(c, "checked-pairs").notes
    inside = checked(tmp_path, "eval,n,A,B\nQA,1000,60.0%,50.0%\n")
    assert "In no pair" not in " ".join(conclusion_lines(inside))


def test_where_all_errors_are_from_is_said_in_a_sentence(tmp_path):
    for cell, said in (("60% (1.0%)", "standard error as printed"), ("60%", "standard error "
                       "from the largest possible")):  # fmt: skip
        c = checked(tmp_path, f"eval,n,A,B\nQA,1000,{cell},{cell}\n")
        assert f"{said}." in make_checked(c, "checked-means").notes[0]


def test_what_rests_on_numbers_that_do_not_fit_is_named(tmp_path):
    """70% of 1,000 answers have an error of 1.45 points; 5.0 cannot be. C has 1.4: not named."""
    rows = "A1,A,70.0%,5.0%,1000,\nA1,B,60.0%,1.5%,1000,\nA1,C,65.0%,1.4%,1000,\n"
    made = checked(tmp_path, HEAD + rows)
    assert [f.code for f in made.of("inconsistent")] == ["se-maximum"]
    assert made.doubted("inconsistent") == [("A", "A1")]
    assert conclusion_lines(made)[-1] == (
        "What is said of these means rests on printed numbers that do not fit together, so that "
        "nothing is settled of pairs with them: A on A1."
    )
    assert {(p.model, p.baseline): p.settled for p in made.pairs} == {
        ("A", "B"): "doubted", ("A", "C"): "doubted", ("B", "C"): "rounding",
    }  # fmt: skip
    means = [row[1:4] for row in cells_of(made, "checked-means")]
    assert means == [("A", "1,000", "70.0% (5.0%) †"), ("B", "1,000", "60.0% (1.5%)"),
                     ("C", "1,000", "65.0% (1.4%)")]  # fmt: skip
    assert "†: a printed number of the row does not fit with what is printed beside it." in (
        make_checked(made, "checked-means").notes
    )
    for name in ("checked-pairs", "checked-paired", "checked-counts"):
        last = "†: rests on printed numbers that do not fit together: A on A1."
        assert make_checked(made, name).notes[-1] == last
        marked = [tuple(row[1:3]) for row in cells_of(made, name) if row[3].endswith(" †")]
        assert marked == [("A", "B"), ("A", "C")]
        assert not cells_of(made, name)[2][3].endswith("†")
    said = "As we read the table, this number does not fit with what is printed beside it:"
    assert author_parts(made)[1][0][0] == said  # one number alone does not "fit together"
    fits = checked(tmp_path, HEAD + rows.replace("5.0%", "1.4%"))
    assert fits.doubted("inconsistent") == [] and "do not fit" not in " ".join(
        conclusion_lines(fits)
    )
    assert "†" not in str([cells_of(fits, name) for name in TABLES])


def cells_of(made, name):
    table = make_checked(made, name)
    return (table.whole or table).cells


def test_a_row_is_marked_where_a_number_holds_under_a_condition_alone(tmp_path):
    """142 of 164 answers are 86.59%, 143 are 87.20%: 86.9% is no share of right answers. An error
    of 5.0% is too large too: sqrt(.869 * .131 / 163) is 2.64%. The mean of B is in two tables, and
    marked in the one where it does not fit.
    """
    heads = "|eval|model|mean|se|n|\n|-|-|-|-|-|\n"
    made = checked(
        tmp_path,
        f"One\n\n{heads}|QA|A|86.9%|5.0%|164|\n|QA|B|86.9%||164|\n\n"
        f"Two\n\n{heads}|QB|B|87.2%||164|\n",
        "t.md",
    )
    cells = [row[3] for row in cells_of(made, "checked-means")]
    assert cells == ["86.9% (5.0%) †‡", "86.9% (2.64%) ‡", "87.2% (2.62%)"]
    assert "‡: a printed number of the row holds only under a condition." in (
        make_checked(made, "checked-means").notes
    )
    found = (made.means[0].mean, made.means[0].se)
    frame = make_checked(made, "checked-means").to_frame()
    assert (frame["Mean"][0], frame["SE"][0]) == found == (86.9, 5.0)  # no mark in a file


def test_what_is_asked_is_what_the_table_lacks(tmp_path):
    start = (
        "Nothing can be concluded of any pair: no standard error is printed, and too little is "
        "known of the scores to bound one. Say "
    )
    n = "--questions EVAL=NUMBER with how many questions each eval has"
    scale = "--scale percent if means are percentages"
    for text, said in (
        ("eval,A,B\nQA,92,90\n", f"{n} and {scale}."),
        ("eval,n,A,B\nQA,500,92,90\n", f"{scale}."),
        ("eval,A,B\nQA,92%,90%\n", f"{n}."),
    ):
        assert conclusion_lines(checked(tmp_path, text))[0] == start + said


def test_differences_without_their_means_are_told(tmp_path):
    heads = "|eval|model|baseline|difference|\n|-|-|-|-|\n"
    both = f"{heads}|QA|A|B|+1.0%|\n|QB|A|B|+2.0%|\n"
    alone = checked(tmp_path, both, "t.md")
    assert list(alone.unchecked) == [
        "Whether 2 differences follow from means was not checked (QA and QB): the file does not "
        "have these means. Put the table of means into the same file."
    ]
    means = "\n|eval|A|B|\n|-|-|-|\n|QA|61.0%|60.0%|\n"
    some = checked(tmp_path, both + means, "t.md").unchecked[-1]
    assert some.startswith("Whether 1 difference follows from means was not checked (QB): the file")
    whole = checked(tmp_path, both + means + "|QB|62.0%|60.0%|\n", "t.md")
    assert "follow" not in " ".join(sentences(whole.unchecked))


# For whom -----------------------------------------------------------------------------------------


def test_authors_are_asked_what_scores_have_so_small_an_error(tmp_path):
    """sqrt(.901 * .099 / 2500) = .597 points; of a mean down to 90.2, .594 at the least."""
    c = checked(tmp_path, "eval,model,mean,n,se\nE,A,58.1%,2500,1.0%\nE,B,90.1%,2500,0.2%\n")
    theirs = to_authors(c)
    assert "We found nothing" not in theirs
    assert "These depend on what the scores are, which we did not find in the table:" in theirs
    assert "E, B: if each question has one right-or-wrong answer, the standard error 0.2%" in theirs
    assert "--scores" not in theirs
    fits = checked(tmp_path, "eval,model,mean,n,se\nE,A,58.1%,2500,1.0%\nE,B,90.1%,2500,0.6%\n")
    assert to_authors(fits).strip().endswith("We found nothing that does not fit together.")


def test_authors_are_told_of_eval_and_model_and_of_no_file_line_or_option(tmp_path):
    """The file, its lines and the command's options are the reader's own."""
    rows = "A1,A,70.0%,5.0%,1000,\nA1,A,73.0%,1.5%,1000,\nA1,B,-6.0%,,1000,\nMGSM,A,65.5%,9%,100,\n"
    c = checked(tmp_path, HEAD + rows, "mine.csv", scale="percent")
    own = " ".join(told(c, "inconsistent") + told(c, "condition"))
    assert "Lines 2 and 3, A1, A: the mean is 70.0% in one row and 73.0% in another." in own
    assert "Line 4, A1, B: the mean" in own
    assert "Say --scale LOW,HIGH with the smallest and the largest score." in own
    theirs = to_authors(c)
    assert "A1, A: the mean is 70.0% in one row and 73.0% in another." in theirs
    assert "It can be right if the scores may be negative." in theirs
    assert not re.search(r"mine|\bline|Line|--", theirs)


def test_tables_that_are_called_alike_are_told_apart_without_lines(tmp_path):
    one = "Results: A. 0\n\n| Eval | n | {} |\n|-|-|-|\n| X | 1000 | {} |\n\n"
    text = one.format("A", "70.0% (5.0%)")
    text += one.replace("0\n", "5\n", 1).format("B", "71.0% (5.0%)")
    c = checked(tmp_path, text, "t.md")
    own, theirs = " ".join(told(c, "inconsistent")), to_authors(c)
    assert "Results: A (1 of 2), X, A: the standard error 5.0%" in own
    assert "Results: A (1 of 2), X, A: the standard error 5.0%" in theirs
    assert "Results: A (2 of 2), X, B: " in theirs and "line" not in theirs


def test_what_rests_on_errors_that_may_be_too_narrow_says_so(tmp_path):
    """DROP has passages: z = 5 / sqrt(.4^2 + .4^2) = 8.8 here, and 2.9 with errors three times as
    wide as those of independent questions.
    """
    rows = "DROP,A,80.0%,0.4%,9536,\nDROP,B,75.0%,0.4%,9536,\nX1,A,80%,2%,400,\nX1,B,75%,2%,400,\n"
    made = checked(tmp_path, HEAD + rows)
    assert made.narrow == ["DROP"]
    said = "What is said of DROP rests on errors that may be too narrow: questions come in groups"
    assert said in conclusion_lines(made)[-1]
    for name in ("checked-pairs", "checked-paired"):
        note = "Errors that may be too narrow, as questions come in groups: DROP."
        assert make_checked(made, name).notes[-1] == note
    fits = checked(tmp_path, HEAD + rows.replace("DROP", "X2"))
    assert fits.narrow == [] and "too narrow" not in " ".join(conclusion_lines(fits))


# How findings are listed --------------------------------------------------------------------------

MANY = """{}
| Eval | Questions | Nimbus | Heron | Osprey |
|:--|--:|--:|--:|--:|
| GSM8K | 1,319 | 92.13% (2.9%) | 90.41% (3.1%) | 55.55% (2.4%) |
"""


SHARES = (("Nimbus", 92.13, 1215), ("Heron", 90.41, 1192), ("Osprey", 55.55, 732))


def test_what_is_said_of_several_findings_stands_once_behind_them(tmp_path):
    """Three shares that are none made one bullet of eight lines; what is said of three errors stood
    three times. 1,215 and 1,216 of 1,319 are .92115 and .92191.
    """
    c = checked(tmp_path, MANY.format(""), "t.md")
    *each, last = told(c, "condition")
    assert each == [
        f"Line 4, GSM8K, {model}: {mean}% is no share of 1,319 answers that are right or wrong: "
        f"{k:,} of 1,319 is {100 * k / 1319:.3f}% and {k + 1:,} of 1,319 is "
        f"{100 * (k + 1) / 1319:.3f}%."
        for model, mean, k in SHARES
    ]  # fmt: skip
    binary = "Say --scores binary if each question has one such answer."
    assert last == f"Each of the 3 above can be right if {SEVERAL}. {binary}"
    *each, last = told(c, "inconsistent")
    neither = NEITHER.replace(". An", "an")
    assert [line.endswith("%.") for line in each] == [True] * 3
    assert last == (
        f"For each of the 3 above: {neither}. Say --errors clustered if it allows for groups."
    )
    assert max(map(len, (*each, last))) < 3 * 96
    _, [(_, odd), (_, maybe)], _ = author_parts(c)
    assert [len(odd), len(maybe)] == [4, 4] and "Line" not in " ".join((*odd, *maybe))
    assert odd[-1] == f"For each of the 3 above: {neither}."


def test_a_table_of_the_source_is_not_taken_for_one_of_the_report(tmp_path):
    """A finding of "Table 3" stood above the report's own Table 3."""
    one = checked(tmp_path, MANY.format("Table 3: Accuracy\n"), "t.md")
    assert "Table" not in " ".join((*told(one, "inconsistent"), to_authors(one)))
    several = (
        MANY.format("Table 3: Accuracy\n") + "\nTable 4\n" + MANY.format("").replace("GSM8K", "Q")
    )
    c = checked(tmp_path, several, "t.md")
    starts = {line.partition(", ")[0] for line in told(c, "inconsistent") if "above" not in line}
    assert starts == {"Table 3 of the source", "Table 4 of the source"}
    assert "Your Table 4, Q, Heron: " in to_authors(c)
    # a name without a number, and two captions that begin alike, are told as they are
    other = checked(tmp_path, several.replace("Table 4", "Appendix"), "t.md")
    assert "Appendix, Q, Heron: " in to_authors(other)
    alike = checked(tmp_path, several.replace("Table 4", "Table 3: F1"), "t.md")
    assert "Table 3: F1, Q, Heron: " in to_authors(alike)


@pytest.mark.parametrize(
    ("odd", "unless"),
    [
        # 88.4 takes a weight of .75 to .76 of GSM8K, and the others .49 to .51.
        ("88.4", "it is over other evals than theirs"),
        # Of three evals no weight follows from one average.
        ("88.4 3", "all of them are weighted, or it is over other evals than theirs"),
    ],
)
def test_of_two_evals_no_weights_are_told_that_no_weights_give(odd, unless, tmp_path):
    value, *third = odd.split()
    means = [(92.1, 88.0), (90.4, 82.2), (80.4, 72.2), (70.4, 62.2), (60.4, 52.2)]
    lines = []
    for name, (a, b) in zip("ABCDE", means, strict=True):
        own = (a, b, (a + b) / 2) if third else (a, b)  # whose mean is that of two
        average = value if name == "B" else f"{(a + b) / 2:.2f}"
        lines.append(f"| {name} | {' | '.join(f'{m:.2f}' for m in own)} | {average} |")
    heads = ["GSM8K (n=1319)", "MGSM (n=2500)", *(["MMLU (n=14042)"] if third else [])]
    top = f"| Model | {' | '.join(heads)} | Average |\n|{'-|' * (len(heads) + 2)}\n"
    c = checked(tmp_path, top + "\n".join(lines) + "\n", "t.md", scale="percent")
    [found] = [f for f in c.findings if f.code == "average"]
    assert (found.model, found.severity, found.unless) == ("B", "condition", unless)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (  # 5 points of SE 1.41; z = 3.5
            ("QA,A,80.0,1.0,1000,", "QA,B,75.0,1.0,1000,"),
            "Means and errors alone settle which of the two models scores higher.",
        ),
        (  # 1 point: z = 0.71
            ("QA,A,80.0,1.0,1000,", "QA,B,79.0,1.0,1000,"),
            "Means and errors alone do not settle which of the two models scores higher.",
        ),
        (  # 3 points of SE 1.41, z = 2.12; 2 to 4 points by the digits
            ("QA,A,80,1,1000,", "QA,B,77,1,1000,"),
            "Means and errors alone might, with more digits, settle which of the two models scores "
            "higher.",
        ),
        (
            (
                "QA,A,80.0,1.0,1000,",
                "QA,B,70.0,1.0,1000,",
                "QA,C,77.0,1.0,1000,",
                "OPEN,A,3,,,",
                "OPEN,B,4,,,",
            ),
            "Of 4 pairs of models, means and errors alone settle 2, 1 depends on rounding and of 1 "
            "nothing is known.",
        ),
        (("OPEN,A,3,,,", "OPEN,B,4,,,"), ""),
    ],
)
def test_findings_count_the_pairs_that_are_settled(tmp_path, rows, said):
    """By z of the unpaired difference, as in the comments."""
    assert in_short(checked(tmp_path, HEAD + "\n".join(rows))) == [said][: bool(said)]
