"""Each number as text. Expected texts follow from the rules in README's and the docstrings' words:
a real minus sign, a dash for what is undefined, and nothing that rounding makes 0 or 100%.
"""

import math
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

import pytest

from reportkit.results import DifferenceResult, EvalResult, MeanResult, Scale
from reportkit.text.numbers import (
    Units,
    bare,
    count,
    counted,
    digits_for,
    fixed,
    format_p_value,
    percent_of,
    plain_number,
    score_range,
    share_of,
    units_for,
    units_of,
)

DASH, MINUS = "\N{EM DASH}", "\N{MINUS SIGN}"
NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    "x, digits, sign, text",
    [
        (2.04, 1, False, "2.0"),
        (-2.06, 1, False, f"{MINUS}2.1"),
        (-2.06, 1, True, f"{MINUS}2.1"),
        (0.5, 2, True, "+0.50"),
        (0.0, 1, True, "0.0"),  # zero has no sign
        (0.0, 1, False, "0.0"),
        (0.02, 1, True, "+0.0"),
        (-0.02, 1, True, f"{MINUS}0.0"),  # but an end of an interval lies on a side of it
        (-0.02, 1, False, "0.0"),
        (-0.05001, 1, False, f"{MINUS}0.1"),
        (NAN, 1, True, DASH),
        (INF, 1, False, DASH),
        (-INF, 1, False, DASH),
    ],
)
def test_fixed(x, digits, sign, text):
    assert fixed(x, digits, sign=sign) == text


@pytest.mark.parametrize("n", [80, 160, 240, 400, 1319, 2000])
def test_a_double_is_rounded_by_its_own_value_halves_to_even(n):
    """Expected from the exact decimal value of the double that is printed, as printf has it."""
    for k in range(n):
        exact = Decimal(100.0 * (k / n)).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
        shown = min(exact, Decimal("99.9"))  # only all right print as 100%
        assert Units(True, 1).number(k / n) == f"{shown}%"


@pytest.mark.parametrize(
    "x, digits, text",
    [
        (28.749999999999996, 1, "28.7"),  # 100 * 23 / 80
        (6.25, 1, "6.2"),  # 1 of 16
        (28.7499, 1, "28.7"),
        (1234567890123.44, 1, "1234567890123.4"),
        (1234567890123.0, 0, "1234567890123"),
        (5e-324, 3, "0.000"),
    ],
)
def test_rounding(x, digits, text):
    assert fixed(x, digits) == text
    assert fixed(-x, digits) == (MINUS + text if float(text) else text)


def test_what_prints_as_zero_has_a_minus_sign_only_where_signs_are_printed():
    """An end of an interval below 0 must not look as if it were above: (−0.0, +1.2)."""
    assert fixed(-0.02, 1) == "0.0"
    assert fixed(-1e-17, 2) == "0.00"
    assert fixed(-0.02, 1, sign=True) == f"{MINUS}0.0"
    assert Units(False, 2).interval(-0.001, 0.5) == "(0.00, 0.50)"


def test_a_difference_that_prints_as_zero_has_no_sign_and_ends_of_its_interval_have():
    """0.02 points, with one decimal: the changelog's example."""
    points = Units(True, 1)
    for x in (-0.0002, 0.0002):
        assert points.number(x, sign=True) == "0.0"
        assert points.with_error(x, 0.005, sign=True) == "0.0 (0.5)"
    assert points.interval(-0.0002, 0.0002, sign=True) == f"({MINUS}0.0, +0.0)"


def test_exact_p_values_halfway():
    """2/32, the least two-sided p of five questions, and 3/16."""
    assert format_p_value(0.0625) == "0.062"
    assert format_p_value(0.1875) == "0.188"
    assert format_p_value(0.0495) == "0.0495"


def test_no_sign_by_default():
    assert fixed(2.0, 0) == "2"
    units = Units(True, 1)
    assert units.number(0.02) == "2.0%"
    assert units.with_error(0.02, 0.01) == "2.0% (1.0%)"
    assert units.interval(0.01, 0.03) == "(1.0%, 3.0%)"


@pytest.mark.parametrize(
    "p, text",
    [
        (0.0, "<0.001"),
        (0.000999, "<0.001"),
        (0.001, "0.001"),
        (0.0494, "0.049"),
        (0.0495, "0.0495"),  # three digits would be 0.050 (0.0495 is a little more as a float)
        (0.0496, "0.0496"),
        (0.0499, "0.0499"),
        (0.04996, "<0.050"),  # four digits would be 0.0500
        (0.05, "0.050"),
        (0.05004, ">0.050"),
        (0.0501, "0.0501"),
        (0.0506, "0.051"),
        (0.25, "0.250"),
        (0.9994, "0.999"),
        (0.9995, ">0.999"),
        (0.99996, ">0.999"),
        (1.0, "1.000"),
        (NAN, DASH),
    ],
)
def test_p_values(p, text):
    assert format_p_value(p) == text


def test_a_floor_of_its_own():
    assert format_p_value(0.004, 0.01) == "<0.01"
    assert format_p_value(0.01, 0.01) == "0.010"


@pytest.mark.parametrize(
    ("p", "level", "text"),
    [
        (0.00962, 0.99, "0.0096"),
        (0.01, 0.99, "0.010"),
        (0.00999, 0.99, "<0.010"),
        (0.10004, 0.9, ">0.100"),
        (0.0999, 0.9, "0.0999"),
        (0.01251, 0.9875, ">0.0125"),
        (0.0499, 0.9, "0.050"),
    ],
)
def test_a_p_value_shows_on_which_side_of_the_level_it_is(p, level, text):
    assert format_p_value(p, level=level) == text


@pytest.mark.parametrize(
    "units, x, text",
    [
        (Units(True, 1), 0.6554, "65.5%"),
        (Units(True, 1, ""), 0.6554, "65.5"),
        (Units(True, 2), 0.65543, "65.54%"),
        (Units(True, 1), 0.9994, "99.9%"),
        (Units(True, 1), 0.9995, "99.9%"),  # would be rounded up to 100.0
        (Units(True, 1), 0.99996, "99.9%"),
        (Units(True, 2), 0.99996, "99.99%"),
        (Units(True, 1), -0.99996, f"{MINUS}99.9%"),
        (Units(True, 1), 1.0, "100.0%"),
        (Units(True, 1), -1.0, f"{MINUS}100.0%"),
        (Units(True, 1), 0.0, "0.0%"),
        (Units(True, 1), NAN, DASH),
        (Units(False, 1), 0.99996, "1.0"),  # own units have no 100%
        (Units(False, 1), 99.99, "100.0"),
        (Units(False, 2), 6.554, "6.55"),
        (Units(False, 2), NAN, DASH),
    ],
)
def test_scores(units, x, text):
    assert units.number(x) == text


def test_signs_of_differences():
    assert Units(True, 1).number(0.025, sign=True) == "+2.5"
    assert Units(True, 1).with_error(0.025, 0.01, sign=True) == "+2.5 (1.0)"
    assert Units(True, 1).interval(-0.01, 0.03, sign=True) == f"({MINUS}1.0, +3.0)"
    # Table 5 of Miller 2024 has the percent sign.
    assert Units(True, 1, point="%").with_error(0.025, 0.01, sign=True) == "+2.5% (1.0%)"


@pytest.mark.parametrize(
    "units, se, text",
    [
        (Units(True, 1), 0.0067, "0.7%"),
        (Units(True, 1, ""), 0.0067, "0.7"),
        (Units(True, 1), 0.0004, "<0.1%"),  # 0.04% would be 0.0%
        (Units(True, 1), 0.000496, "<0.1%"),  # 0.0496% would be 0.0% too
        (Units(True, 1, ""), 0.0004, "<0.1"),
        (Units(True, 2), 0.00004, "<0.01%"),
        (Units(True, 1), 0.0006, "0.1%"),
        (Units(True, 1), 0.0, "0.0%"),
        (Units(True, 1), NAN, DASH),
        (Units(False, 1), 0.67, "0.7"),
        (Units(False, 1), 0.04, "<0.1"),
        (Units(False, 2), 0.004, "<0.01"),
        (Units(False, 1), 0.0, "0.0"),
        (Units(False, 1), 1.4, "1.4"),
        (Units(True, 1), 0.012, "1.2%"),
    ],
)
def test_standard_errors(units, se, text):
    assert units.error(se) == text


def test_undefined_parts():
    units = Units(True, 1)
    assert units.with_error(NAN, 0.01) == DASH
    assert units.with_error(0.5, NAN) == f"50.0% ({DASH})"
    assert units.interval(NAN, 0.5) == units.interval(0.5, NAN) == DASH


def test_points():
    assert Units(True, 1).points(-0.025) == "2.5 points"
    assert Units(True, 2).points(0.31) == "31.00 points"
    assert Units(False, 2).points(-0.31) == "0.31"
    assert Units(True, 1).points(NAN) == Units(False, 1).points(NAN) == DASH


def result(*errors: float, percent: bool, difference: float | None = None) -> EvalResult:
    means = tuple(
        MeanResult("A", 0.5, se, 99, 0.4, 0.6, 0.95, "t", 100, 100, 100, 0, 0, se, 1.0, 0.1, 0.1)
        for se in errors
    )
    scale = Scale(0, 1, percent, False)
    r = EvalResult("toy", "match", 100, 100, ("A",), "", means, (), (), scale=scale)
    if difference is None:
        return r
    numbers = {name: NAN for name in DifferenceResult.__dataclass_fields__}
    return replace(r, differences=(DifferenceResult(**(numbers | {"se": difference})),))


@pytest.mark.parametrize(
    "percent, errors, digits",
    [
        (True, (0.02, 0.01), 1),
        (True, (0.02, 0.0004), 2),  # 0.04%: two decimals show it, and one does not
        (True, (0.0005,), 1),  # 0.05% is 0.1%
        (True, (0.00004,), 3),
        (True, (0.0000004,), 3),  # no more than three decimals of a percent
        (True, (0.02, 0.0), 1),  # an SE of 0 needs no decimals
        (True, (0.0,), 1),
        (True, (NAN,), 1),
        (False, (3.0,), 1),
        (False, (0.04,), 2),
        (False, (0.006,), 3),
        (False, (0.0035,), 4),
        (False, (0.96,), 1),  # 1.0
        (False, (30.0,), 0),
        (False, (0.004,), 3),
        (False, (3e-20,), 12),  # no more than 12 decimals
    ],
)
def test_decimals_show_the_smallest_standard_error(percent, errors, digits):
    """The first decimal at which half a unit is no more than the SE: ceil(-log10(2 SE))."""
    units = units_of(result(*errors, percent=percent))
    assert units == Units(percent, digits)
    smallest = min((se for se in errors if se > 0.0), default=0.0)
    assert units.error(smallest).startswith("<") == (errors[0] in (0.0000004, 3e-20))


def test_a_differences_standard_error_counts_too():
    assert units_of(result(0.02, percent=True, difference=0.0004)).digits == 2
    assert units_of(result(0.0004, percent=True, difference=0.02)).digits == 2


@pytest.mark.parametrize(
    "n, text",
    [
        (14042, "14,042"),
        (10.0, "10"),
        (4.5, "4.5"),
        (1234.56, "1234.6"),
        (0, "0"),
        (NAN, DASH),
        (INF, DASH),
    ],
)
def test_counts(n, text):
    assert count(n) == text


def test_counted_things():
    assert counted(1, "question") == "1 question"
    assert counted(0, "question") == "0 questions"
    assert counted(2, "question") == "2 questions"
    assert counted(2500, "cluster") == "2,500 clusters"


@pytest.mark.parametrize(
    "x, text",
    [
        (0.11083, "0.111"),
        (5.4987, "5.50"),
        (54.987, "55.0"),
        (123.4, "123"),
        (12345.6, "12346"),  # digits before the point are never dropped
        (-0.25, f"{MINUS}0.250"),
        (0.0001234, "0.000123"),  # six decimals
        (0.00001234, "1.23e-05"),  # more would be needed
        (1.0, "1.00"),
        (0.0, "0"),
        (NAN, DASH),
        (INF, DASH),
    ],
)
def test_three_significant_digits(x, text):
    assert plain_number(x) == text


def test_other_numbers_of_digits():
    assert plain_number(0.11083, 2) == "0.11"
    assert plain_number(1.234e-8, 2) == "1.2e-08"


def test_levels():
    assert percent_of(0.95) == "95%"
    assert percent_of(0.999) == "99.9%"
    assert percent_of(1.0 / 300.0) == "0.33333333%"  # eight decimals
    assert percent_of(1.0 - 0.95) == "5%"  # 0.05000000000000004
    assert percent_of(0.99995) == "99.995%"


@pytest.mark.parametrize(
    "part, text",
    [
        (0.314, "31%"),
        (0.0, "0%"),
        (0.0008, "<1%"),
        (0.0099, "<1%"),
        (0.01, "1%"),
        (0.99, "99%"),
        (0.991, ">99%"),
        (0.997, ">99%"),
        (1.0, "100%"),
        (1.2, "120%"),
        (-0.05, f"{MINUS}5%"),
        (NAN, DASH),
    ],
)
def test_parts_of_a_whole(part, text):
    assert share_of(part) == text


def test_numbers_as_they_are():
    assert bare(-0.25) == f"{MINUS}0.25"
    assert bare(60.0) == "60"
    assert bare(0.125) == "0.125"


@pytest.mark.parametrize(
    "means, digits",
    [((-3e-6, -0.25), 8), ((11.1,), 1), ((1e9,), 1), ((0.0,), 2), ((1e-30,), 12)],
)
def test_constant_scores_in_own_units_have_three_digits(means, digits):
    """Every SE is 0, and −0.000003 would print as 0.0. The digits are counted by hand."""
    r = result(*(0.0 for _ in means), percent=False)
    own = tuple(replace(m, mean=x) for m, x in zip(r.means, means, strict=True))
    assert units_of(replace(r, means=own)).digits == digits
    assert units_of(replace(r, means=own, scale=Scale(0, 1, True, False))).digits == 1


def test_an_error_of_0_or_none_chooses_no_digits():
    """The smallest positive one does: 0.04% asks for two decimals, 0.004 in own units for three."""
    assert units_for([0.0004, 0.0], True).digits == 2
    assert units_for([0.004, 0.0, math.inf], False).digits == 3
    assert units_for([math.inf, math.nan, 0.0], True).digits == 1


def test_where_one_more_digit_begins():
    """An error of 0.05% rounds to 0.1%; 354 has two digits by the rule of the Particle Data Group,
    355 one; a whole number of digits is no decimals.
    """
    assert [units_for([se], True).digits for se in (0.0005, 0.0004999)] == [1, 2]
    assert [units_for([se], True).digits for se in (0.00005, 0.00004999)] == [2, 3]
    assert [units_for([se], False).digits for se in (3.5449, 3.545)] == [1, 0]
    assert digits_for([1234.0, 0.0]) == 0 and count(3.99999) == "4.0000"


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (Scale(1, 10, False, False, "declared"),
         "scores may run from 1 to 10, as was declared"),
        (Scale(0, 100, True, True, "seen"),
         "scores are all 0 or 100, which count as wrong and right"),
        (Scale(-2.5, -2.5, False, False), f"every score is {MINUS}2.5"),
        (Scale(-2.5, 7, False, False), f"scores seen run from {MINUS}2.5 to 7"),
    ],
)  # fmt: skip
def test_between_which_numbers_scores_lie(scale, text):
    assert score_range(EvalResult("toy", "x", 1, 1, ("A",), "", (), (), (), scale=scale)) == text
