"""What a published table is refused for, or asked: numbers after ±, scales, scores of questions."""

import math

import pytest
from support.published_tables import checked, codes, refusal, sentences

# What stands after ±, with one that is like nothing -----------------------------------------------

PLUS = "| Eval | n | A | B | C |\n|-|-|-|-|-|\n| Q | 1000 | {} | {} | {} |\n"


def test_one_number_after_plus_minus_that_fits_neither_is_a_finding(tmp_path):
    """sqrt(.6 * .4 / 1000) = 1.549, of .5 1.581 and 3.10, of .7 1.449: 2.2 is 1.39 of the second.
    The largest error of 50.0%, sqrt(.25 / 999) = 1.582, is taken for B.
    """
    text = PLUS.format("60.0% ± 1.5%", "50.0% ± 2.2%", "70.0% ± 1.4%")
    c = checked(tmp_path, text, "t.md")
    [f] = c.findings
    assert (f.code, f.severity, f.who) == ("plus-minus", "condition", "Q, B")
    assert f.message == (
        "the number 2.2% after ± fits neither a standard error nor half of a 95% interval: of "
        "1,000 independent right-or-wrong answers with the mean 50.0% these are 1.58% and 3.10% at "
        "the most. No conclusion rests on it"
    )
    assert [m.se_from for m in c.means] == ["printed", "largest", "printed"]
    assert c.means[1].se == pytest.approx(100 * math.sqrt(0.25 / 999))
    assert sentences(c.table.read_as) == (
        "A number after ± is read as a standard error: 2 of the 3 that tell it are as large as the "
        "standard error of right-or-wrong answers. Say --plus-minus interval if it is not.",
    )
    said = checked(tmp_path, text, "t.md", plus_minus="se")
    assert said.table.read_as == ("A number after ± is read as a standard error.",)
    assert codes(said) == ["se-maximum"] and said.means[1].se == 2.2


def test_the_others_may_be_halves_of_intervals(tmp_path):
    """1.96 * 1.549 = 3.04 and 1.96 * 1.449 = 2.84; 9.1 is 5.8 times 1.581."""
    c = checked(tmp_path, PLUS.format("60.0% ± 3.0%", "50.0% ± 9.1%", "70.0% ± 2.8%"), "t.md")
    assert codes(c) == ["plus-minus"]
    assert [m.se_from for m in c.means] == ["interval", "largest", "interval"]
    assert "read as half of the interval: 2 of the 3" in sentences(c.table.read_as)[0]


def test_a_number_after_plus_minus_that_is_too_small_is_read_as_the_others(tmp_path):
    """Scores in part have a smaller error, so .5 is no mistake; the note says what it would be of
    right or wrong answers.
    """
    c = checked(tmp_path, PLUS.format("60.0% ± 1.5%", "50.0% ± 0.5%", "70.0% ± 1.4%"), "t.md")
    assert codes(c) == ["se-small"] and c.means[1].se == 0.5


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (("60.0% ± 1.5%", "50.0% ± 2.2%", "70.0% ± 0.5%"), "the numbers do not tell"),
        (("60.0% ± 1.5%", "50.0% ± 3.1%", "70.0% ± 1.4%"),
         "the numbers tell two things (line 3 a standard error, line 3 half of an interval)"),
    ],
)  # fmt: skip
def test_where_numbers_after_plus_minus_disagree_it_is_asked(cells, why, tmp_path):
    said = refusal(tmp_path, PLUS.format(*cells), "t.md")
    assert f"is not said, and {why}; say --plus-minus se" in said


# Scales that cannot be ----------------------------------------------------------------------------


def test_shares_that_are_percentages_are_refused_with_what_to_say(tmp_path):
    text = "eval,model,mean,se,n\nQA,A,65.5,0.7,5000\nQA,B,0.63,0.7,5000\nQA,C,61,0.7,5000\n"
    assert refusal(tmp_path, text, "t.csv", scale="share") == (
        "t.csv, line 2: the scale is said to be share, from 0 to 1, and the mean of QA is 65.5, "
        "with 2 of 3 means above 1; say --scale percent if they are percentages"
    )
    large = text.replace("65.5", "165.5")
    assert "such as --scale 1,10" in refusal(tmp_path, large, "t.csv", scale="share")
    one = text.replace("65.5", "0.655")  # 61 may be the table's mistake
    found = checked(tmp_path, one, "t.csv", scale="share").findings
    assert [(f.code, f.model) for f in found if f.code == "mean-outside"] == [("mean-outside", "C")]


def test_percentages_that_may_be_shares_are_told(tmp_path):
    text = "eval,model,mean\nQA,A,0.655\nQA,B,0.630\n"
    told = checked(tmp_path, text, scale="percent").table.read_as
    assert sentences(told) == (
        "All printed means lie between 0 and 1, and are read as percentages of no more than 1. Say "
        "--scale share if they are shares.",
    )
    signed = text.replace("0.655", "0.655%").replace("0.630", "0.630%")
    assert checked(tmp_path, signed, scale="percent").table.read_as == ()


# Scores of single questions -----------------------------------------------------------------------

USE = (
    "check-table reads means; for scores of single questions use reportkit check, and reportkit "
    "table or reportkit power"
)


@pytest.mark.parametrize(
    "head", ["question_id", "Question ID", "sample-id", "doc_id", "task_id", "instance_id"]
)
def test_scores_of_single_questions_are_refused_by_their_column(head, tmp_path):
    text = f"eval,model,{head},score\nQA,A,q1,1\nQA,A,q2,0.5\n"
    wide = f"{head},A,B\nq1,1,0\nq2,0,1\n"
    for each in (text, wide):
        assert refusal(tmp_path, each, "s.csv") == (
            f"s.csv, line 1: the column {head!r} says that each row is of one question; {USE}"
        )


def test_scores_of_single_questions_are_refused_by_their_rows(tmp_path):
    """Five rows of 0 or 1 without anything beside them; four may be anything."""
    rows = [f"QA,A,{k % 2}" for k in range(5)] + ["QA,B,1"]
    text = "eval,model,score\n" + "\n".join(rows) + "\n"
    assert refusal(tmp_path, text, "s.csv") == (
        "s.csv, line 2: 5 rows are of A on QA, each 0 or 1, and so the score of one question; "
        f"{USE}"
    )
    told = "eval,model,prompt,score\n" + "".join(f"QA,A,p{k},{k % 2}\n" for k in range(5))
    assert "5 rows are of A on QA, each 0 or 1" in refusal(tmp_path, told, "s.csv")
    checked(tmp_path, "eval,model,score\n" + "\n".join(rows[1:]) + "\n")


def test_means_in_many_rows_are_asked_what_tells_them_apart(tmp_path):
    rows = [f"QA,A,6{k}.0%,1000" for k in range(5)]
    start = (
        "m.csv, line 2: 5 rows are of A on QA, and nothing tells them apart; add a column that "
        "does, such as shots or seed, or leave one row"
    )
    text = "eval,model,mean,n\n" + "\n".join(rows) + "\n"
    assert refusal(tmp_path, text, "m.csv") == start
    bare = text.replace(",1000", "").replace(",n", "")
    assert refusal(tmp_path, bare, "m.csv") == (
        f"{start}. Is each row the score of one question? {USE}"
    )
    seeds = "eval,model,seed,mean\n" + "".join(f"QA,A,{k},6{k}.0%\n" for k in range(5))
    assert len(checked(tmp_path, seeds).means) == 5
    two = "eval,model,mean,n\n" + "\n".join(rows[:2]) + "\n"
    assert "mean-twice" in codes(checked(tmp_path, two))
