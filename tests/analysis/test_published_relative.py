"""Columns that are called differences and hold relative changes."""

import pytest
from support.published_tables import checked, codes

from reportkit.advised import said

# 82.7/79.6 - 1 = 3.894 %, 85.8/79.6 - 1 = 7.789 %; the differences are 3.1 and 6.2
BASE = """
| Model | GSM8K (n=1319) | {head} |
|---|---|---|
| Base | 79.6% | |
| RAG | 82.7% | {first} |
| CoT | 85.8% | {second} |
"""
# 85.8/82.7 - 1 = 3.748 % (cut off), 52.0/61.2 - 1 = -15.03 %, 72.6/66.5 - 1 = 9.17 %
TWO = """
| Eval | n | Nimbus | Heron | Δ |
|---|---|---|---|---|
| GSM8K | 1319 | 85.8% | 82.7% | +3.7% |
| MATH-500 | 500 | 52.0% | 61.2% | {} |
| HumanEval | 164 | 72.6% | 66.5% | {} |
"""


def read_as(c):
    return " ".join(map(said, c.table.read_as))


def base(tmp_path, head, first, second):
    text = BASE.format(head=head, first=first, second=second)
    return checked(tmp_path, text, "t.md")


@pytest.mark.parametrize("head", ["Δ vs. Base", "Δ vs. Base (%)"])
@pytest.mark.parametrize("sign", ["", "%"])
def test_relative_changes_are_no_differences_that_do_not_follow(head, sign, tmp_path):
    c = base(tmp_path, head, f"+3.9{sign}", f"+7.8{sign}")
    assert codes(c) == [] and not c.table.differences
    assert (
        f"'{head}' is not used: its numbers fit a relative change of the means, and not their "
        "difference. +3.9 is 82.7 / 79.6 − 1, in percent (GSM8K)."
    ) in read_as(c)


def test_differences_stay_what_they_are(tmp_path):
    c = base(tmp_path, "Δ vs. Base", "+3.1", "+6.2")
    assert codes(c) == [] and len(c.table.differences) == 2 and "not used" not in read_as(c)
    # one number of each kind: no column of changes, and the other does not follow
    c = base(tmp_path, "Δ vs. Base", "+3.1", "+7.8")
    assert codes(c) == ["difference-means"]
    # one of two is not most
    c = base(tmp_path, "Δ vs. Base", "+3.9", "+9.9")
    assert codes(c) == ["difference-means"] * 2 and len(c.table.differences) == 2
    # neither a difference nor a change
    assert codes(base(tmp_path, "Δ vs. Base", "+4.4", "+9.9")) == ["difference-means"] * 2


def test_changes_between_two_models(tmp_path):
    c = checked(tmp_path, TWO.format("-15.0%", "+9.2%"), "t.md")
    assert codes(c) == [] and not c.table.differences
    c = checked(tmp_path, TWO.format("-15.0%", "+8.1%"), "t.md")  # most of them
    assert codes(c) == [] and "2 of its 3 numbers fit a relative change" in read_as(c)
    c = checked(tmp_path, TWO.format("-9.2", "+6.1"), "t.md")  # most are differences
    assert codes(c) == ["difference-means"] and len(c.table.differences) == 3


def test_changes_of_means_below_1(tmp_path):
    """.858/.827 - 1 = 3.748 % (cut off), .52/.612 - 1 = -15.03 %; 0.8/1.6 - 1 = -50 %."""
    heads = "| Eval | n | Nimbus | Heron | Δ |\n|-|-|-|-|-|\n"
    shares = "| GSM8K | 1319 | 0.858 | 0.827 | {} |\n| MATH-500 | 500 | 0.520 | 0.612 | {} |\n"
    means = "0.858 / 0.827 − 1"
    for changes, told in (
        (("+3.7%", "-15.0%"), f"+3.7 is {means}, in percent (GSM8K)."),
        (("+0.037", "-0.150"), f"+0.037 is {means} (GSM8K)."),
    ):
        c = checked(tmp_path, heads + shares.format(*changes), "t.md", scale="0,1")
        assert not c.table.differences and "difference-means" not in codes(c)
        assert told in read_as(c)
    c = checked(tmp_path, heads + "| Hard | 500 | 0.80% | 1.60% | -50% |\n", "t.md")
    assert codes(c) == [] and "−50 is 0.80 / 1.60 − 1, in percent (Hard)." in read_as(c)
