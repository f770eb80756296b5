"""What is said of a published table: the paper's own tables, made-up errors, honest tables."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.benchmarks import benchmark
from support.places import DATA, needs
from support.published_tables import PAPER, checked, codes, sentences

from reportkit.analysis.published.groups import EVALS, known_eval
from reportkit.analysis.published.intervals import (
    _agresti_ends,
    _corrected_ends,
    _jeffreys_ends,
)
from reportkit.documents.prose.checked import opening, told
from reportkit.documents.prose.checked_pairs import conclusion_lines
from reportkit.errors import UnknownNameError
from reportkit.stats import correlation_needed
from reportkit.tables.published import make_checked

# The paper's tables -------------------------------------------------------------------------------


def found_in(c):
    return {(f.severity, f.code, f.table, f.who) for f in c.findings}


def test_the_papers_inconsistencies_are_found_and_nothing_else(tmp_path):
    """statistics.md X8, X9 and X10."""
    pair = "HumanEval, Galleon − Dreadnought"
    ours, theirs = "HumanEval, Galleon", "HumanEval, Dreadnought"
    assert found_in(checked(tmp_path, PAPER, "t.md")) == {
        # X8: 87.7 and 86.7; the difference fits 86.7 only; none is a share of 164
        ("inconsistent", "mean-twice", "Table 2", theirs),
        ("inconsistent", "difference-means", "Table 1", pair),
        ("condition", "mean-count", "Table 1", ours),
        ("condition", "mean-count", "Table 1", theirs),
        ("condition", "mean-count", "Table 2", theirs),
        # X9
        ("inconsistent", "se-maximum", "Table 2", ours),
        ("inconsistent", "se-maximum", "Table 2", theirs),
        ("condition", "se-maximum", "Table 2", "MGSM, Dreadnought"),
        ("inconsistent", "difference-se-correlation", "Table 5", pair),
        # X10
        ("condition", "se-mean", "Table 4", "DROP"),
        # what its name decides
        ("note", "scores-known", "Table 3", "DROP"),
    }


def test_the_papers_numbers_are_in_the_sentences(tmp_path):
    """X9: at most 2.90, 2.66 and .83; 2.1 where 2.57 is the least; X10: between 24 and 76."""
    c = checked(tmp_path, PAPER, "t.md")
    said = {(f.code, f.who): f.message for f in c.findings}
    assert "at most 2.90%" in said["se-maximum", "HumanEval, Galleon"]
    assert "at most 2.66%" in said["se-maximum", "HumanEval, Dreadnought"]
    assert "at most 0.83%" in said["se-maximum", "MGSM, Dreadnought"]
    assert "between 23.9% and 76.1%" in said["se-mean", "DROP"]
    r = said["difference-se-correlation", "HumanEval, Galleon − Dreadnought"]
    assert "2.1 points" in r and ".64" in r and "2.56 to 2.74" in r and "It would at 0.77" in r


def test_said_to_be_naive_an_error_beyond_the_bound_is_inconsistent(tmp_path):
    c = checked(tmp_path, PAPER, "t.md", errors="naive")
    assert ("inconsistent", "se-maximum", "Table 2", "MGSM, Dreadnought") in found_in(c)
    odd = [*c.of("inconsistent"), *c.of("condition")]
    assert all(f.table != "Table 3" for f in odd)  # which has clusters


# One inconsistency at a time ----------------------------------------------------------------------

HEAD = "eval,model,mean,se,n,95% CI\n"


@pytest.mark.parametrize(
    "row, code, severity",
    [
        ("QA,A,65.5%,0.7%,5000,", "", ""),
        ("QA,A,101%,,5000,", "mean-outside", "inconsistent"),
        ("QA,A,100.0%,0.2%,100,", "", ""),  # 99.95%: .22
        ("QA,A,100.0%,0.5%,100,", "se-maximum", "inconsistent"),
        ("QA,A,65.51%,,100,", "mean-count", "condition"),
        ("QA,A,65.5%,-0.7%,5000,", "se-negative", "inconsistent"),
        # .7 * 1.96 = 1.37, and 1.645 times it 1.15
        ('QA,A,65.52%,0.67%,5000,"(64.2%, 66.8%)"', "", ""),
        ('QA,A,65.52%,0.67%,5000,"(64.42%, 66.62%)"', "interval-error", "inconsistent"),
        ('QA,A,65.52%,0.67%,5000,"(64.00%, 66.10%)"', "interval-uneven", "condition"),
        ('QA,A,65.52%,0.67%,5000,"(66.0%, 67.0%)"', "interval-outside", "inconsistent"),
        ('QA,A,65.52%,0.67%,5000,"(66.8%, 64.2%)"', "interval-ends", "inconsistent"),
        # 1.9 SE: a bootstrap may have made it
        ('QA,A,65.52%,0.67%,5000,"(64.25%, 66.79%)"', "interval-error", "condition"),
        ('QA,A,65.52%,,5000,"(60.0%, 71.0%)"', "interval-wide", "inconsistent"),
        # Student's t with 9 degrees of freedom: 2.262 * 15.3 = 34.6
        ('QA,A,70.0%,15.3%,10,"(35.4%, 104.6%)"', "", ""),
        # Wilson of 7 of 10 and Clopper and Pearson's, as scipy has them
        ('QA,A,70.0%,15.3%,10,"(39.7%, 89.2%)"', "", ""),
        ('QA,A,70.0%,15.3%,10,"(34.8%, 93.3%)"', "", ""),
        # cut off at the scale's end: 95 - 1.96 * 5 = 85.2
        ('QA,A,95.0%,5.0%,20,"(85.2%, 100.0%)"', "", ""),
    ],
)
def test_one_row(row, code, severity, tmp_path):
    c = checked(tmp_path, HEAD + row + "\n")
    assert [(f.code, f.severity) for f in c.findings] == ([(code, severity)] if code else [])


def test_another_level_is_named(tmp_path):
    """1.10 / .67 = 1.64: the 90% interval."""
    c = checked(tmp_path, HEAD + 'QA,A,65.52%,0.67%,5000,"(64.42%, 66.62%)"\n')
    assert "It fits a level of 90%" in c.findings[0].message
    text = 'eval,model,mean,se,n,ci\nQA,A,65.52%,0.67%,5000,"(64.42%, 66.62%)"\n'
    unsaid = checked(tmp_path, text)
    assert unsaid.findings[0].severity == "condition"
    assert "the table does not say it" in unsaid.findings[0].unless
    assert checked(tmp_path, text, level=0.9).findings == ()


def test_binary_scores_bind_more(tmp_path):
    """sqrt(.655 * .345 / 5000) = .672 points is the only error; 65.51% no share of 100."""
    text = HEAD + "QA,A,65.5%,0.5%,5000,\nQA,B,65.51%,,100,\n"
    said = checked(tmp_path, text, scores="binary")
    assert [(f.code, f.severity) for f in said.findings] == [
        ("se-minimum", "inconsistent"), ("mean-count", "inconsistent"),
    ]  # fmt: skip
    assert codes(checked(tmp_path, text, scores="fractional")) == []


def test_means_of_several_answers_may_have_smaller_errors(tmp_path):
    """sqrt(.785 * .215 / 1319) = 1.131 points is the least with one right-or-wrong answer each."""
    text = "eval,model,mean,se,n,answers\nQA,A,78.5%,0.9%,1319,{}\n"
    found = [codes(checked(tmp_path, text.format(k), scores="binary")) for k in ("1", "4", "")]
    assert found == [["se-minimum"], [], ["se-minimum"]]


def test_scores_of_0_or_1_with_means_above_1_are_percentages(tmp_path):
    """sqrt(.836 * .164 / 163) is 2.90 points (statistics.md X9); without a scale nothing binds."""
    text = HEAD + "HumanEval,A,83.6,3.2,164,\n"
    (count, error) = checked(tmp_path, text, scores="binary").findings
    assert (count.code, error.code) == ("mean-count", "se-maximum") and "2.90%" in error.message
    for more in ({}, {"scores": "fractional"}, {"scores": "binary", "scale": "none"}):
        assert codes(checked(tmp_path, text, **more)) == []


def test_clusters_and_answers_are_allowed_for(tmp_path):
    head = "eval,model,mean,se,n,clusters,answers\n"
    assert codes(checked(tmp_path, head + "QA,A,75.3%,1.6%,2500,250,\n")) == []
    assert codes(checked(tmp_path, head + "QA,A,75.3%,1.6%,2500,,\n")) == ["se-maximum"]
    assert codes(checked(tmp_path, head + "QA,A,75.2%,1.6%,250,2500,\n")) == ["clusters-count"]
    assert codes(checked(tmp_path, head + "QA,A,83.66%,,164,,\n")) == ["mean-count"]
    assert codes(checked(tmp_path, head + "QA,A,83.66%,,164,,5\n")) == []  # 686 of 820


def test_digits_that_were_cut_off_are_a_note(tmp_path):
    """110 of 164 is 67.07%, 79 is 48.17%: 48.2 rounded, 48.1 cut off."""
    c = checked(tmp_path, HEAD + "QA,A,48.1%,,164,\nQA,B,48.2%,,164,\n")
    assert [(f.code, f.severity, f.model) for f in c.findings] == [("mean-cut", "note", "A")]


def test_a_mean_next_below_a_share_is_none_of_its_shares(tmp_path):
    """Shares of 500 are 12.4%, 12.6%: cut off, 12.6 stays 12.6, and nothing gives 12.5."""
    c = checked(tmp_path, HEAD + "QA,A,12.5%,,500,\nQA,B,12.6%,,500,\n")
    (f,) = c.findings
    assert (f.code, f.severity, f.model) == ("mean-count", "condition", "A")
    assert "62 of 500 is 12.40% and 63 of 500 is 12.60%" in f.message
    assert "cut off by a program that kept 12.6% as a number just below it" in f.unless


def test_an_interval_that_ends_below_its_start_gives_no_error(tmp_path):
    text = "eval,model,mean,n,low,high\nQA,A,50%,100,60,40\nQA,B,48%,100,38,58\n"
    c = checked(tmp_path, text)
    assert codes(c) == ["interval-ends"]
    assert [p.settled for p in c.pairs] == ["unknown"]


def test_no_decimal_of_a_printed_error_is_dropped(tmp_path):
    c = checked(tmp_path, HEAD + "QA,A,83.1%,0.37%,9536,\nQA,B,80.9%,,9536,\n")
    table = str(make_checked(c, "checked-means"))
    assert "83.1% (0.37%)" in table
    assert "80.9% (0.40%)" in table  # .4025 = 100 sqrt(.809 * .191 / 9536)


def test_a_number_of_questions_that_another_row_has_is_named_as_there(tmp_path):
    """ "1,319" and "1319" are one number: 100 sqrt(.65 * .35 / 1319) = 1.313."""
    rows = 'QA,A,60.0%,1.35%,"1,319",\nQA,B,63.0%,1.33%,1319,\nQA,C,65.0%,0.35%,,\n'
    c = checked(tmp_path, HEAD + rows)
    assert [m.n.value for m in c.table.means] == [1319.0] * 3
    (f,) = c.findings
    assert (f.code, f.model) == ("se-small", "C")
    assert "that of 1,319 such answers with the mean 65.0% is at least 1.31" in f.message
    other = checked(tmp_path, HEAD + rows.replace(",1319,", ",1320,"))
    assert other.table.means[2].n is None


def test_ratios(tmp_path):
    """1.34 / .44 = 3.05, from 2.98 to 3.10 at their digits."""
    head = "eval,clustered SE,naive SE,ratio\n"
    assert codes(checked(tmp_path, head + "QA,1.34%,.44%,3.05\n")) == []
    assert codes(checked(tmp_path, head + "QA,1.34%,.44%,3.25\n")) == ["se-ratio"]


DIFFERENCES = "\n\n|eval|model|baseline|difference|se|correlation|\n|-|-|-|-|-|-|\n"
MEANS = "|eval|n|A|B|\n|-|-|-|-|\n|QA|5000|65.5% (0.7%)|63.0% (0.7%)|\n"


@pytest.mark.parametrize(
    "row, code",
    [
        ("+2.5%|0.7%|.50", ""),
        ("+2.6%||", ""),  # 65.54 - 62.95 = 2.59
        ("+2.8%||", "difference-means"),
        ("-2.5%||", "difference-means"),
        ("+2.5%|1.8%|", "difference-se"),  # at most .7 + .7, of .8 + .8 if cut off
        ("+2.5%|1.0%|", ""),
        ("+2.5%|1.2%|.50", "difference-se-correlation"),
        ("+2.5%|0.7%|1.50", "correlation-outside"),
    ],
)
def test_one_difference(row, code, tmp_path):
    c = checked(tmp_path, f"{MEANS}{DIFFERENCES}|QA|A|B|{row}|\n", "t.md")
    assert codes(c) == ([code] if code else [])
    assert all(f.severity == "inconsistent" for f in c.findings)


@pytest.mark.parametrize(("se", "fits"), [("1.995%", False), ("1.999%", True)])
def test_a_printed_correlation_of_1_is_no_more_than_1(se, fits, tmp_path):
    """At 1 the error is 3.000 - 1.000, and 2.9995 - 1.0005 = 1.9990 at the least, less 0.0005 where
    digits are cut off; at 1.005 it would be sqrt(1 + 9 - 6.03) = 1.992.
    """
    means = "|eval|A|B|\n|-|-|-|\n|QA|65.5% (1.000%)|63.0% (3.000%)|\n"
    c = checked(tmp_path, f"{means}{DIFFERENCES}|QA|A|B|+2.5%|{se}|1.00|\n", "t.md")
    assert codes(c) == ([] if fits else ["difference-se-correlation"])


def test_means_of_other_numbers_of_questions_need_not_have_their_difference(tmp_path):
    means = "|eval|model|mean|n|\n|-|-|-|-|\n|QA|A|65.5%|5000|\n|QA|B|63.0%|4000|\n"
    c = checked(tmp_path, f"{means}{DIFFERENCES}|QA|A|B|+2.9%|||\n", "t.md")
    assert [(f.code, f.severity) for f in c.findings] == [("difference-means", "condition")]


def test_the_same_number_twice(tmp_path):
    head = "table,eval,model,mean,se\n"
    text = head + "1,QA,A,65.5%,0.7%\n2,QA,A,65%,1%\n"
    assert codes(checked(tmp_path, text)) == []  # 65.5 may be 65 where it was cut off
    text = head + "1,QA,A,65.5%,0.7%\n2,QA,A,66.5%,0.9%\n"
    assert codes(checked(tmp_path, text)) == ["mean-twice", "se-twice"]


def test_who_checks_a_mean_that_is_no_share_is_told_how_to_say_that_it_must_be_one(tmp_path):
    c = checked(tmp_path, HEAD + "QA,A,65.51%,,100,\n")  # 65/100 = 65% and 66/100 = 66%
    assert "Say --scores binary if each question has one such answer." in told(c, "condition")[0]
    c = checked(tmp_path, HEAD + "QA,A,65.51%,,100,\n", scores="binary")
    assert "Say" not in told(c, "inconsistent")[0]


# Groups and fractional scores ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, known",
    [
        ("DROP", True), ("RACE-H", True), ("race_m", True), ("MGSM (8-shot)", True), ("QuAC", True),
        ("SQuAD2.0", True), ("SQuADv2", True), ("TAT-QA", True), ("GSM-Symbolic", True),
        ("DROP (F1, 3-shot)", True), ("DROP 3-shot F1", True), ("drop_zero_shot", True),
        ("SQuAD v1.1 dev", True), ("RACE (middle)", True), ("GSM-Symbolic P2", True),
        ("MGSM average", True), ("BoolQ (acc)", True), ("DROP pass@1", True),
        ("GSM8K", False), ("Dropbear", False), ("MMLU", False), ("", False),
        # another eval, or a part of it of which nothing is known
        ("DROP-X", False), ("DROP-hard", False), ("SQuAD-like", False), ("MATH-hard", False),
        ("RACE-C", False), ("MGSM-de", False), ("DROP 2", False), ("My DROP", False),
        ("Drop-in replacement", False), ("XQuAD (Greek)", False), ("Quac quac", False),
    ],
)  # fmt: skip
def test_which_evals_are_known(name, known):
    assert (known_eval(name) is not None) == known


def test_every_known_eval_has_a_source_and_one_name():
    names = [n for k in EVALS for n in k.names]
    assert len(names) == len(set(names)) and all(k.source and k.groups for k in EVALS)


def test_an_error_that_may_not_allow_for_groups_is_noted_once(tmp_path):
    text = HEAD + "MGSM,A,75.3%,0.8%,2500,\nMGSM,B,78.0%,0.8%,2500,\nGSM8K,A,75.3%,1.2%,1319,\n"
    [f] = checked(tmp_path, text).findings
    assert (f.code, f.severity, f.who) == ("se-narrow", "note", "MGSM")
    assert "1.88" in f.message and "Table 4" in f.message
    assert checked(tmp_path, text, errors="clustered").findings == ()


def test_the_bernoulli_formula_on_fractional_scores_is_noted(tmp_path):
    """sqrt(.872 * .128 / 500) = 1.494 points."""
    text = HEAD + "Essay,A,87.2%,1.49%,500,\nEssay,B,87.2%,1.20%,500,\n"
    c = checked(tmp_path, text, scores="fractional")
    assert [(f.code, f.severity, f.model) for f in c.findings] == [("se-wide", "note", "A")]
    assert codes(checked(tmp_path, text)) == ["se-small"]  # of B: nobody says what scores are


def test_a_name_that_begins_like_a_known_one_excuses_nothing(tmp_path):
    """sqrt(.831 * .169 / 2999) = .684 points is the most; 2.1 is three times that."""
    rows = "{0},A,83.1%,2.1%,3000,\n{0},B,83.12%,0.4%,1000,\n"
    c = checked(tmp_path, HEAD + rows.format("DROP-X"))
    assert {(f.code, f.severity) for f in c.findings} == {
        ("se-maximum", "inconsistent"), ("mean-count", "condition"), ("se-small", "note"),
    }  # fmt: skip
    c = checked(tmp_path, HEAD + rows.format("DROP"))
    assert {(f.code, f.severity) for f in c.findings} == {
        ("se-maximum", "condition"), ("scores-known", "note"), ("se-narrow", "note"),
    }  # fmt: skip


def test_where_a_name_decides_it_is_said_and_an_option_overrides_it(tmp_path):
    text = HEAD + "DROP,A,83.1%,2.1%,3000,\nDROP,B,83.12%,0.4%,1000,\n"
    c = checked(tmp_path, text)
    [f] = [f for f in c.findings if f.code == "scores-known"]
    assert (f.who, f.message) == (
        "DROP", "its scores are known to be in part (F1), so that its numbers are not held against "
        "those of right-or-wrong answers",
    )  # fmt: skip
    note = " ".join(told(c, "note"))
    assert "Say --scores binary if each answer is right or wrong" in note
    assert (
        "Say --errors clustered if it allows for groups, or --errors naive if it does not."
        in told(c, "condition")[0]
    )
    binary = checked(tmp_path, text, scores="binary")
    assert ("inconsistent", "se-minimum", "", "DROP, B") in found_in(binary)
    assert "scores-known" not in codes(binary)
    by_column = HEAD.strip() + ",scores\nDROP,A,83.1%,0.7%,3000,,binary\n"
    assert "scores-known" not in codes(checked(tmp_path, by_column))
    exact = checked(tmp_path, text.replace("DROP", "DROP (exact match)"))
    assert "scores-known" not in codes(exact) and "mean-count" in codes(exact)
    naive = checked(tmp_path, text, errors="naive")
    assert ("inconsistent", "se-maximum", "", "DROP, A") in found_in(naive)
    [narrow] = [f.message for f in naive.findings if f.code == "se-narrow"]
    assert "the table has errors that do not allow for it. They are likely too narrow" in narrow


@pytest.mark.parametrize(("errors", "severity"), [("", "condition"), ("naive", "inconsistent")])
def test_an_interval_that_groups_may_explain_is_not_excused_where_errors_are_naive(
    errors, severity, tmp_path
):
    """2.4 / .67 = 3.58 errors; half of the second is 5.5, and about 3.0 is the most."""
    text = HEAD + 'DROP,A,65.52%,0.67%,5000,"(63.12%, 67.92%)"\nDROP,B,65.5%,,1000,"(60, 71)"\n'
    c = checked(tmp_path, text, errors=errors)
    found = {f.code: f for f in c.findings if f.code.startswith("interval")}
    assert {code: f.severity for code, f in found.items()} == {
        "interval-error": severity, "interval-wide": severity,
    }  # fmt: skip
    known = "questions of DROP are known to come (several questions about one passage)"
    assert all((known in f.unless) == (errors == "") for f in found.values())


def test_an_error_of_right_or_wrong_answers_on_scores_in_part_is_told_once_for_an_eval(tmp_path):
    """100 sqrt(.583 .417 / 9536) = .5049 and 100 sqrt(.619 .381 / 9536) = .4973 points."""
    text = HEAD + "DROP,A,58.3%,0.505%,9536,\nDROP,B,61.9%,0.497%,9536,\nDROP,C,70%,0.2%,9536,\n"
    [f] = [f for f in checked(tmp_path, text).findings if f.code == "se-wide"]
    assert (f.model, f.message) == (
        "A", "the standard error 0.505% is that of scores of 0 or 1, sqrt(p(1 - p)/n). Those of "
        "this eval are known to be in part (F1): on independent questions they have a smaller one, "
        "so this one is likely too wide. The same holds of 1 more row of this eval",
    )  # fmt: skip


def test_an_error_that_only_cut_off_digits_make_that_of_right_or_wrong_answers_is_told_so(tmp_path):
    """100 sqrt(p (1 - p) / 9536) is .3390 to .3406 for each p that rounds to .874: .34 rounded, .33
    cut off of .3390 to .3398. .3291 of .883 is .3 either way, as is all from .25 to .4.
    """
    text = HEAD + "DROP,A,88.3%,0.3%,9536,\nDROP,B,87.4%,{}%,9536,\n"
    known = (
        "Those of this eval are known to be in part (F1): on independent questions they have a "
        "smaller one, so this one {} too wide. 0.3% of A fits too when rounded, but has too few "
        "digits to tell"
    )
    for error, said, likely in (
        ("0.33", "would be {}, if its digits were cut off. ", "would then likely be"),
        ("0.34", "is {}. ", "is likely"),
    ):
        said = said.format("that of scores of 0 or 1, sqrt(p(1 - p)/n)")
        [f] = [f for f in checked(tmp_path, text.format(error)).findings if f.code == "se-wide"]
        assert (f.model, f.message) == (
            "B", f"the standard error {error}% {said}{known.format(likely)}"
        )  # fmt: skip
    for error in ("0.32", "0.35"):  # A's alone tells nothing
        assert "se-wide" not in codes(checked(tmp_path, text.format(error)))


def test_errors_that_fit_rounded_or_cut_off_are_two_findings(tmp_path):
    """100 sqrt(.583 .417 / 9536) = .5049, 100 sqrt(.619 .381 / 9536) = .4973."""
    text = HEAD + "DROP,A,58.3%,0.504%,9536,\nDROP,B,61.9%,0.497%,9536,\n"
    text += "DROP,C,58.3%,0.504%,9536,\n"
    found = [f for f in checked(tmp_path, text).findings if f.code == "se-wide"]
    assert [f.model for f in found] == ["B", "A"]
    assert "more row" not in found[0].message
    assert found[1].message.endswith("The same holds of 1 more row of this eval")


# Errors that right-or-wrong answers cannot have ---------------------------------------------------


def test_an_error_too_small_for_right_or_wrong_answers_is_worth_knowing(tmp_path):
    """sqrt(.786 * .214 / 1319) = 1.1293 points is the least of 78.5%; a third of it is .38."""
    text = HEAD + "QA,A,83.0%,1.0%,1319,\nQA,B,78.5%,0.38%,1319,\nQA,C,78.5%,0.9%,1319,\n"
    c = checked(tmp_path, text)
    [f] = c.findings
    assert (f.code, f.severity, f.model) == ("se-small", "note", "B")
    assert f.message == (
        "if each question has one right-or-wrong answer, the standard error 0.38% does not fit: "
        "that of 1,319 such answers with the mean 78.5% is at least 1.129% if they are "
        "independent. Scores in part, or several answers to each question, can have a smaller "
        "one. The same holds of 1 more row of this eval"
    )
    assert [o.command for o in f.advice] == ["--scores binary", "--scores fractional"]
    assert codes(checked(tmp_path, text, scores="binary")) == ["se-minimum"] * 2
    assert codes(checked(tmp_path, text, scores="fractional")) == ["se-wide"]  # A's


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("QA,A,78.5%,1.13%,1319,,", []),  # 1.1293 is the least, and 1.13 was at least 1.125
        ("QA,A,78.5%,1.1%,1319,,", []),  # up to 1.2
        ("QA,A,78.5%,1.0%,1319,,", ["se-small"]),  # at the most 1.1, cut off
        ("QA,A,78.5%,0.4%,1319,,5", []),  # several answers
        ("QA,A,78.5%,0.4%,1319,,1", ["se-small"]),
        ("QA,A,78.5%,0.4%,1319,100,", []),  # clusters can be more alike than chance has them
        ("QA,A,100.0%,0.0%,1319,,", []),
        ("QA,A,78.5%,0.4%,,,", []),
        ("QA,A,78.5,0.4,1319,,", []),  # no scale
        ("DROP,A,78.5%,0.4%,1319,,", ["scores-known", "se-narrow"]),
    ],
)
def test_where_an_error_is_too_small(row, found, tmp_path):
    c = checked(tmp_path, f"eval,model,mean,se,n,clusters,answers\n{row}\n")
    assert codes(c) == found


@pytest.mark.parametrize(
    ("ends", "found"),
    [
        ("(52.2, 57.8)", []),  # 1.96 sqrt(.55 * .45 / 1000) = 3.08, and a tenth less is 2.78
        ("(53.9, 56.1)", ["interval-narrow"]),
        ("(51.9, 58.1)", []),
        ("(56.1, 53.9)", ["interval-ends"]),
    ],
)
def test_an_interval_too_narrow_for_right_or_wrong_answers(ends, found, tmp_path):
    """Half of 53.9 to 56.1 is at most 1.175. Without --scores a note, as the error's is."""
    text = f'eval,model,mean,n,95% CI\nQA,A,55.0%,1000,"{ends}"\n'
    c = checked(tmp_path, text)
    assert codes(c) == found
    ends_first = [code for code in found if code == "interval-ends"]
    assert codes(checked(tmp_path, text, scores="fractional")) == ends_first
    binary = checked(tmp_path, text, scores="binary")
    assert codes(binary) == found
    if found == ["interval-narrow"]:
        assert (c.findings[0].severity, binary.findings[0].severity) == ("note", "condition")
        assert "1.18%, and 3.08% would be usual" in binary.findings[0].message


@pytest.mark.parametrize(
    "file, low, high",
    [("tatqa", 1.10, 1.30), ("boolq", 1.05, 1.07), ("gsm-symbolic", 0.97, 2.4)],
)
@needs(DATA)
def test_the_ratios_that_are_quoted_are_those_of_the_data(file, low, high):
    """reference_stats.csv was computed once, independently of our code."""
    import pandas as pd

    stats = pd.read_csv(DATA / "reference_stats.csv")
    rows = stats[stats["eval"].str.startswith(file) & stats["se_clustered_raw"].notna()]
    rows = rows[rows["se"] > 0]
    ratio = rows["se_clustered_raw"] / rows["se"]
    digits = 1 if high == 2.4 else 2
    assert (round(ratio.min(), 2), round(ratio.max(), digits)) == (low, high)


@pytest.mark.parametrize(("se", "found"), [("2.7%", []), ("4.5%", ["se-clusters"])])
def test_an_error_of_groups_has_a_largest_one_too(se, found, tmp_path):
    """sqrt(.753 * .247 / 249) = 2.733 points of 250 clusters of one size; 7% more is 2.92."""
    text = f"eval,model,mean,se,n,clusters\nQA,A,75.3%,{se},2500,250\n"
    c = checked(tmp_path, text)
    assert codes(c) == codes(c, "condition") == found
    assert not found or "at most 2.73%" in c.findings[0].message


# Pairs --------------------------------------------------------------------------------------------


def test_a_pair_is_equations_5_and_6_and_its_paired_range(tmp_path):
    """DROP of Table 3: 4.0 points, errors .8 and .9."""
    c = checked(tmp_path, "eval,A,B\nQA,87.1% (0.8%),83.1% (0.9%)\n")
    [p] = c.pairs
    se = math.hypot(0.8, 0.9)
    assert (p.difference, p.se, p.z) == (
        pytest.approx(4.0),
        pytest.approx(se),
        pytest.approx(4 / se),
    )
    assert p.p_value == pytest.approx(2 * scipy_stats.norm.sf(4 / se))
    for r, p_paired in ((0.3, p.p_paired_low), (0.7, p.p_paired_high)):
        paired = math.sqrt(0.64 + 0.81 - 2 * r * 0.72)
        assert p_paired == pytest.approx(2 * scipy_stats.norm.sf(4 / paired))
    assert p.settled == "yes"
    assert p.correlation_needed == pytest.approx(correlation_needed(4.0, 0.8, 0.9))


def test_a_printed_error_of_0_and_a_mean_without_error(tmp_path):
    """SE(r) = 3.2 at every r, so 83.6 is clear at any; 4 = 1.25 SE at none. Holm counts the tests
    that there are: 6 of 9 pairs have an error.
    """
    rows = "E,83.6 (3.2),4.0 (3.2),0.0 (0.0)\nF,83.6 (3.2),4.0 (3.2),0.0 (0.0)\nG,3,2,1\n"
    c = checked(tmp_path, f"eval,A,B,C\n{rows}")
    needed = {(p.model, p.baseline): p.correlation_needed for p in c.pairs if p.eval == "E"}
    assert needed["A", "C"] == -1.0
    assert math.isnan(needed["B", "C"])
    tables = {kind: make_checked(c, kind) for kind in ("checked-pairs", "checked-paired")}
    text = str(tables["checked-paired"])
    assert [line.split()[-1] for line in text.splitlines() if " C " in line][:2] == ["any", "—"]
    assert "Adjusted p: Holm over 6 pairs." in tables["checked-pairs"].notes[1]


@pytest.mark.parametrize(
    "a, b, settled",
    [
        (
            "65.5 (0.7)",
            "63.0 (0.7)",
            "rounding",
        ),  # z from 2.4 / 1.13 = 2.12 to 2.6 / .92; with 0.8: 2.12
        ("66 (1)", "63 (1)", "rounding"),
        ("90.0 (0.7)", "63.0 (0.7)", "yes"),
        ("63.1 (0.7)", "63.0 (0.7)", "no"),
        ("63.0", "64.0", "unknown"),
    ],
)
def test_what_rounding_leaves_open(a, b, settled, tmp_path):
    from_to = checked(tmp_path, f"eval,A,B\nQA,{a},{b}\n", level=0.99 if "65.5" in a else 0.95)
    assert from_to.pairs[0].settled == settled


def test_honest_numbers_behind_a_table_never_contradict_its_verdict(tmp_path):
    """Means and errors drawn, printed by rounding or by cutting off: the z of the true ones agrees
    with every verdict that is not left to rounding.
    """
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(150):
        m, s = rng.uniform(40, 44, 2), rng.uniform(0.5, 1.2, 2)
        cut = rng.random() < 0.5
        shown = [np.floor(x * 10) / 10 if cut else x for x in (m, s)]
        cells = [f"{a:.1f} ({b:.1f})" for a, b in zip(*shown, strict=True)]
        [p] = checked(tmp_path, f"eval,A,B\nQA,{cells[0]},{cells[1]}\n").pairs
        true = 2 * scipy_stats.norm.sf(abs(m[0] - m[1]) / math.hypot(*s)) < 0.05
        seen.add((p.settled, bool(true)))
    assert ("yes", False) not in seen and ("no", True) not in seen
    assert {("yes", True), ("no", False), ("rounding", True), ("rounding", False)} <= seen


def test_adjusted_p_is_holms_over_all_pairs(tmp_path):
    c = checked(tmp_path, "eval,A,B,C\nQ,65 (1),63 (1),61 (1)\nR,65 (1),64 (1),61 (1)\n")
    p = sorted(x.p_value for x in c.pairs)
    wanted, most = [], 0.0
    for i, value in enumerate(p):
        most = max(most, min(1.0, value * (6 - i)))
        wanted.append(most)
    assert sorted(x.p_adjusted for x in c.pairs) == pytest.approx(wanted)


def test_a_baseline(tmp_path):
    text = "eval,A,B,C\nQ,65 (1),63 (1),61 (1)\n"
    c = checked(tmp_path, text, baseline="B")
    assert [(p.model, p.baseline, p.difference) for p in c.pairs] == [("A", "B", 2), ("C", "B", -2)]
    with pytest.raises(UnknownNameError, match="no model 'b' in the table; did you mean 'B'"):
        checked(tmp_path, text, baseline="b")


def test_counts_are_tested_where_one_number_alone_rounds_to_the_mean(tmp_path):
    """Phi-2 on GSM8K and GSM-Symbolic (Ivanova et al. 2024): 53 of 100, 2070 of 5000, p .0238."""
    text = "eval,model,mean,n\nQ,A,53.0%,100\nQ,B,41.40%,5000\n"
    c = checked(tmp_path, text)
    [p] = c.pairs
    table = [[53, 47], [2070, 2930]]
    assert p.fisher_p == pytest.approx(scipy_stats.fisher_exact(table).pvalue)
    pooled = scipy_stats.chi2_contingency(table, correction=False).pvalue
    assert p.pooled_p == pytest.approx(pooled)
    assert p.odds_ratio == pytest.approx(
        scipy_stats.contingency.odds_ratio(np.array(table)).statistic
    )
    exact = scipy_stats.binomtest(53, 100).proportion_ci(method="exact")
    a = c.means[0]
    assert (a.exact_low, a.exact_high) == pytest.approx((100 * exact.low, 100 * exact.high))
    wilson = scipy_stats.binomtest(53, 100).proportion_ci(method="wilson")
    assert (a.ci_low, a.ci_high) == pytest.approx((100 * wilson.low, 100 * wilson.high))
    assert [m.counts for m in c.means] == ["53", "2070"]
    assert p.newcombe_low < p.difference < p.newcombe_high
    assert [m.se_from for m in c.means] == ["largest", "largest"]


@pytest.mark.parametrize(
    "row", ["Q,A,41.4%,5000,,", "Q,A,53.0%,100,fractional,", "Q,A,53.0%,,,", "Q,A,53.0%,100,,5"]
)
def test_counts_stay_unknown_where_several_would_do(row, tmp_path):
    c = checked(tmp_path, f"eval,model,mean,n,scores,answers\n{row}\n")
    assert c.means[0].counts == "" and math.isnan(c.means[0].ci_low)


def test_of_several_rows_the_one_whose_error_allows_for_groups_is_compared(tmp_path):
    c = checked(tmp_path, PAPER, "t.md")
    assert {m.eval: (m.se, m.table) for m in c.means if m.model == "Galleon"} == {
        "MATH": (0.7, "Table 2"), "HumanEval": (3.2, "Table 2"), "MGSM": (1.6, "Table 3"),
        "DROP": (0.8, "Table 3"), "RACE-H": (0.5, "Table 3"),
    }  # fmt: skip


def test_what_is_not_checked_is_said(tmp_path):
    c = checked(tmp_path, "eval,A,B\nQ,65.5,63.0\n")
    assert any("--scale percent" in line for line in sentences(c.unchecked))
    assert any("--questions Q=NUMBER" in line for line in sentences(c.unchecked))
    assert checked(tmp_path, "eval,n,A,B\nQ,200,65.5%,63.0%\n").unchecked == ()


# Honest tables ------------------------------------------------------------------------------------


def test_honest_tables_have_no_inconsistency(tmp_path):
    """A few of those that `make check-table` draws."""
    made, rng = benchmark("check_table"), np.random.default_rng(20)
    for _ in range(40):
        text = made.one_table(rng)
        c = checked(tmp_path, text, "t.md")
        assert c.of("inconsistent") == [], text


@needs(DATA)
def test_published_numbers_of_real_scores_have_no_inconsistency(tmp_path):
    """Means and errors of real questions, computed once outside of our code, as a table prints
    them.
    """
    import pandas as pd

    stats = pd.read_csv(DATA / "reference_stats.csv")
    stats = stats[stats["mean"].between(0, 1) & stats["se"].notna()]
    rows = 0
    for digits in (0, 1, 2):
        lines = ["eval,model,n,clusters,mean,se,95% CI"]
        for r in stats.itertuples():
            for se, clusters in ((r.se, ""), (r.se_clustered_raw, r.clusters)):
                if se != se:
                    continue
                name = f"{r.eval} {len(lines)}"  # an eval of its own: pairs are not looked at
                low, high = r.mean - 1.959964 * se, r.mean + 1.959964 * se
                shown = [f"{100 * x:.{digits}f}%" for x in (r.mean, low, high)]
                lines.append(
                    f'"{name}","{r.model}",{r.n_questions},{clusters and int(clusters)},{shown[0]},'
                    f'{100 * se:.{digits + 1}f}%,"({shown[1]}, {shown[2]})"'
                )
        c = checked(tmp_path, "\n".join(lines))
        rows += len(c.table.means)
        assert c.of("inconsistent") == []
    assert rows > 1000


# Conclusions that are not drawn -------------------------------------------------------------------


def test_the_error_of_an_interval_cut_off_at_the_scales_end_is_of_the_other_arm(tmp_path):
    """(99.0 - 95.9) / 1.96 = 1.58; half of the printed width would give 1.05 and p = .018."""
    text = 'eval,model,mean,n,95% CI\nX,A,99.0%,40,"[95.9, 100.0]"\nX,B,96.0%,40,"[94.6, 97.4]"\n'
    c = checked(tmp_path, text)
    assert c.means[0].se == pytest.approx(3.1 / 1.959964, abs=1e-6)
    assert c.pairs[0].settled == "no"
    both = checked(tmp_path, 'eval,model,mean,n,95% CI\nX,A,60.0%,5,"[0.0, 100.0]"\n')
    assert both.means[0].se_from == "none"


def test_an_index_below_zero_has_no_scale_that_an_error_could_pass(tmp_path):
    """-4.8% is no share; said to be a percentage, it is an impossible one."""
    text = "eval,model,mean,n,se\nIndex,A,-4.8%,600,3.4%\nIndex,B,12.1%,600,3.5%\n"
    assert not [f for f in checked(tmp_path, text).findings if f.severity == "inconsistent"]
    said = checked(tmp_path, text, scale="percent").findings
    assert [f.who for f in said if f.severity == "inconsistent"]


@pytest.mark.parametrize("row", ["165.5%,,1319", "65.5%,-0.7%,1319"])
def test_an_impossible_number_takes_no_part_in_conclusions(row, tmp_path):
    c = checked(tmp_path, f"eval,model,mean,se,n\nX,A,{row}\nX,B,99.0%,,1319\n")
    assert c.of("inconsistent") and all(p.settled == "unknown" for p in c.pairs)
    assert [m.model for m in c.means if m.se_from != "none"] == ["B"]


# No false accusation ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        # one eval by two filters
        "eval,model,filter,mean,n\ng,A,strict,0.7263,1319\ng,A,loose,0.6801,1319\n",
        "Table 2: zero-shot\n\n|Eval|A|\n|-|-|\n|M|80.1%|\n\n"
        "Table 3: five-shot\n\n|Eval|A|\n|-|-|\n|M|84.1%|\n",
        "|Eval|Base|Ours|Δ|\n|-|-|-|-|\n|G|60.0%|62.5%|+2.5|\n",  # the second minus the first
        "|Eval|Model|Score (± 95% CI half-width)|n|\n|-|-|-|-|\n|G|A|65.5% (2.6%)|1319|\n",
        "eval,model,mean,n,se\nindex,A,-4.8%,600,\n",  # an index may be negative
        "eval,model,mean,n,se\nBBH (macro average),A,50.0%,1000,8.1%\n",
        # the most is 1.58; 1.64 is 4% above it, and 1/sqrt(2 * 100) is 7%
        "eval,model,mean,n,se\nX,A,50.0%,1000,1.64%\n",
    ],
)
def test_what_may_be_right_is_not_called_inconsistent(text, tmp_path):
    assert codes(checked(tmp_path, text, "t.md"), "inconsistent") == []


def test_an_error_beyond_a_bootstraps_own_error_is_inconsistent(tmp_path):
    """1.5811 * 1.07 = 1.692; 1.75 was at least 1.745."""
    c = checked(tmp_path, "eval,model,mean,n,se\nX,A,50.0%,1000,1.75%\n")
    assert codes(c, "inconsistent") == ["se-maximum"]
    assert "mean of several parts' means" in c.findings[0].message


@pytest.mark.parametrize(
    "right, n, method, ends",
    [
        # Newcombe 1998, table 1, method 4
        (81, 263, _corrected_ends, (0.2535, 0.3682)),
        (15, 148, _corrected_ends, (0.0598, 0.1644)),
        (0, 20, _corrected_ends, (0.0, 0.2005)),
        (1, 29, _corrected_ends, (0.0018, 0.1963)),
        # statsmodels.stats.proportion.proportion_confint
        (36, 40, _jeffreys_ends, (0.77955, 0.96529)),
        (36, 40, _agresti_ends, (0.76378, 0.96612)),
    ],
)
def test_intervals_that_a_table_need_not_name(right, n, method, ends):
    low, high = method(np.array([right / n]), n, 0.95)
    assert (low[0], high[0]) == pytest.approx(ends, abs=5e-5)


def test_a_table_of_means_alone_has_no_columns_of_dashes(tmp_path):
    made = checked(tmp_path, "eval,model,mean\nQ,A,65.5\nQ,B,70.1\n", "t.csv")
    assert not make_checked(made, "checked-pairs").cells
    assert not make_checked(made, "checked-paired").cells
    assert "--questions EVAL=NUMBER" in conclusion_lines(made)[0]


def test_what_was_not_checked_and_a_gap_are_said_in_their_units(tmp_path):
    c = checked(tmp_path, "eval,model,mean,n\nQA,A,65.5,500\nQB,A,7.5,500\n")
    assert "Bounds and counts were not checked, since no scale is printed" in opening(c)
    text = "|Eval|A|B|Difference|\n|-|-|-|-|\n|QA|65.5%|66.3%|−0.3%|\n"
    (f,) = checked(tmp_path, text, name="t.md").findings
    assert f.message.endswith("−0.3 points is neither A − B (−0.8 points) nor B − A (+0.8 points)")
