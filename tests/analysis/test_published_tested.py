"""Differences that a table prints with their own errors, held against 0."""

import math

import pytest
from scipy import stats as scipy_stats
from support.published_tables import PAPER, checked, codes

from reportkit.documents.prose.checked_pairs import conclusion_lines
from reportkit.tables.published import make_checked

HEADS = "|Eval|Model|Baseline|Difference|SE|95% CI|\n|-|-|-|-|-|-|\n"


def own(c) -> list[str]:
    return [line for line in conclusion_lines(c) if line.startswith("The table itself prints")]


def test_the_papers_differences_are_tested_by_their_own_errors(tmp_path):
    """2.5 / .7 = 3.571 and 2.7 / 1.7 = 1.588. The error of HumanEval is found inconsistent."""
    c = checked(tmp_path, PAPER, "t.md")
    math_, mgsm = c.differences
    assert (math_.eval, math_.z) == ("MATH", pytest.approx(2.5 / 0.7))
    assert math_.p_value == pytest.approx(2 * scipy_stats.norm.sf(2.5 / 0.7))
    assert (mgsm.eval, mgsm.z) == ("MGSM", pytest.approx(-2.7 / 1.7))
    assert mgsm.ci_high == pytest.approx(-2.7 + scipy_stats.norm.ppf(0.975) * 1.7)
    assert (math_.settled, mgsm.settled) == ("yes", "no")
    assert own(c) == [
        "The table itself prints 3 differences with an error or an interval. By these errors, each "
        "by itself: Galleon scores above Dreadnought on MATH. Not settled: Galleon and Dreadnought "
        "on MGSM. Left out, as it does not fit with other printed numbers, or nothing tells its "
        "sign: Galleon and Dreadnought on HumanEval."
    ]
    table = make_checked(c, "checked-differences")
    assert [row[1:] for row in table.cells] == [
        ("+2.5 (0.7)", "(+1.1, +3.9)", "3.57", "<0.001", "yes"),
        ("−2.7 (1.7)", "(−6.0, +0.6)", "−1.59", "0.112", "no"),
    ]
    assert any(str(note).startswith("Left out: 1 difference that does not") for note in table.notes)


@pytest.mark.parametrize(
    ("difference", "se", "settled"),
    [("1.97%", "1.00%", "rounding"), ("2.00%", "1.00%", "yes"), ("1.90%", "1.00%", "no"),
     ("0.00%", "1.00%", "no"), ("1%", "1%", "rounding"), ("2%", "1%", "rounding"),
     ("0%", "0.2%", "rounding")],
)  # fmt: skip
def test_what_is_settled_holds_for_all_that_digits_may_have_been(difference, se, settled, tmp_path):
    """An error of 1.00 may be .995 to 1.01, and 1.965 / 1.01 = 1.946, 1.995 / 1.01 = 1.975,
    1.91 / .995 = 1.920, 2 / .5 = 4 and .5 / 2 lie about 1.960, and so do 0 and .5 / .3 to .5 / .15.
    """
    c = checked(tmp_path, f"{HEADS}|Q|A|B|{difference}|{se}||\n", "t.md")
    assert [d.settled for d in c.differences] == [settled]


def test_an_interval_gives_the_error_and_its_level(tmp_path):
    """(6.0 - 2.0) / (2 * 1.645) = 1.216 at 90%."""
    text = HEADS.replace("95% CI", "90% CI") + "|Q|A|B|4.0%||[2.0%, 6.0%]|\n"
    (d,) = checked(tmp_path, text, "t.md").differences
    assert d.se == pytest.approx(4.0 / (2 * scipy_stats.norm.ppf(0.95)))
    assert d.z == pytest.approx(2 * scipy_stats.norm.ppf(0.95)) and d.level == 0.95
    assert d.se_digits == 2


def test_a_table_of_differences_alone_says_what_they_say(tmp_path):
    c = checked(tmp_path, f"{HEADS}|Q|A|B|0.312|0.041||\n", "t.md")
    assert make_checked(c, "checked-differences").cells[0][-5] == "+0.312 (0.041)"
    assert own(c) == [
        "The table itself prints 1 difference with an error or an interval. By these errors, each "
        "by itself: A scores above B on Q."
    ]
    notes = make_checked(c, "checked-differences").notes
    assert not [note for note in notes if "Left out" in note]


@pytest.mark.parametrize("error", ["0.0%", "-1.0%"])
def test_a_difference_without_a_usable_error_is_not_tested(error, tmp_path):
    c = checked(tmp_path, f"{HEADS}|Q|A|B|2.0%|{error}||\n", "t.md")
    assert c.differences == () and not make_checked(c, "checked-differences").cells
    assert "By these errors" not in own(c)[0]


def test_a_difference_whose_sign_nothing_tells_is_not_tested(tmp_path):
    """Two rows fit one order, the third has the size alone: 70 - 66 is A - B, not B - A."""
    text = (
        "|Eval|A|B|Δ|SE|\n|-|-|-|-|-|\n|Q1|60.0%|62.0%|2.0%|0.5%|\n|Q2|50.0%|51.0%|1.0%|0.3%|\n"
        "|Q3|70.0%|66.0%|4.0%|0.9%|\n"
    )
    c = checked(tmp_path, text, "t.md")
    assert codes(c) == []
    assert [(d.eval, d.model) for d in c.differences] == [("Q1", "B"), ("Q2", "B")]
    even = text.replace("|Q2|50.0%|51.0%|1.0%|0.3%|\n", "")
    assert checked(tmp_path, even, "t.md").differences == ()


def test_an_error_that_may_be_next_to_nothing_is_no_nan(tmp_path):
    (d,) = checked(tmp_path, f"{HEADS}|Q|A|B|2%|1%||\n", "t.md").differences
    assert not math.isnan(d.p_value) and d.settled == "rounding"
