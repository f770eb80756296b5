"""Every head, cell and number of the tables of a checked table. The records are made here, each
number another one; the cells are written by hand.
"""

import math
from dataclasses import replace

import pytest
from support.scores_made import columns_of

from reportkit.published import (
    CheckedDifference,
    CheckedMean,
    CheckedPair,
    CheckedTable,
    Place,
    Printed,
    PublishedMean,
    PublishedTable,
    Scale,
)
from reportkit.tables.published import TABLES, make_checked

NAN, DASH, MINUS = math.nan, "\N{EM DASH}", "\N{MINUS SIGN}"
PERCENT = Scale(0.0, 100.0, percent=True)


def printed(model, mean, se):
    return PublishedMean(
        place=Place("", 2), eval="MATH", model=model, scale=PERCENT,
        mean=Printed(f"{mean}%", mean, 0.1), se=Printed(f"{se}%", se, 0.01),
    )  # fmt: skip


# 65.4 and 3.21: a mean has one decimal, its error two
MEAN = CheckedMean(
    eval="MATH", model="A", mean=65.4, n=512.0, se=3.21, se_from="printed", counts="335",
    ci_low=61.23, ci_high=69.41, exact_low=61.12, exact_high=69.52, table="", line=2,
)  # fmt: skip
PAIR = CheckedPair(
    eval="MATH", model="A", baseline="B", difference=4.3, se=4.56, ci_low=-4.64, ci_high=13.24,
    level=0.9, z=0.943, p_value=0.3457, p_adjusted=0.6914, settled="rounding",
    correlation_low=0.3, correlation_high=0.7, se_paired_low=3.82, se_paired_high=2.51,
    p_paired_low=0.2603, p_paired_high=0.0867, settled_paired_low="no",
    settled_paired_high="rounding", correlation_needed=0.68, correlation_enough=0.753,
    newcombe_low=-4.71, newcombe_high=13.31, pooled_p=0.3312, fisher_p=0.3689, odds_ratio=1.213,
    odds_low=0.817, odds_high=1.802,
)  # fmt: skip
OWN = CheckedDifference(
    eval="MATH", model="A", baseline="B", difference=2.5, se=0.71, ci_low=1.33, ci_high=3.67,
    level=0.9, z=3.521, p_value=0.0432, settled="yes", percent=True, digits=1, se_digits=2,
    table="", line=2,
)  # fmt: skip
CHECKED = CheckedTable(
    differences=(OWN, replace(OWN, eval="GSM8K", model="C", baseline="D", settled="no")),
    table=PublishedTable("t.csv", "0", (printed("A", 65.4, 3.21), printed("B", 61.1, 3.24)), ()),
    means=(
        MEAN,
        replace(MEAN, model="B", mean=61.1, n=498.0, se=3.24, se_from="interval", counts="",
                ci_low=NAN, ci_high=NAN, exact_low=NAN, exact_high=NAN),
        replace(MEAN, model="C", mean=59.0, se=NAN, se_from="none", counts="302"),
    ),
    pairs=(
        PAIR,
        replace(PAIR, model="C", difference=-2.1, ci_low=-8.5, ci_high=-0.3, z=-0.512,
                settled="no", fisher_p=NAN, correlation_needed=-0.1, correlation_enough=-0.058),
        replace(PAIR, model="D", difference=1.7, se=NAN, ci_low=NAN, ci_high=NAN, z=NAN,
                p_value=NAN, p_adjusted=NAN, settled="unknown", odds_ratio=math.inf,
                odds_high=math.inf),
    ),
    findings=(), level=0.9, correlations=(0.3, 0.7),
)  # fmt: skip

# Of each table, the first row: key, head (the group first), cell and number.
FIRST = {
    "checked-means": [
        ("eval", "Eval", "MATH", None),
        ("model", "Model", "A", None),
        ("n", "Questions", "512", 512.0),
        ("mean", "Mean (SE)", "65.4% (3.21%)", 65.4),
        ("se_from", "SE from", "printed", None),
        ("counts", "Right", "335", 335.0),
        ("ci", "90% CI,\nWilson", "(61.2%, 69.4%)", 61.23),
        ("exact", "90% CI,\nexact", "(61.1%, 69.5%)", 61.12),
    ],
    "checked-pairs": [
        ("eval", "Eval", "MATH", None),
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("difference", "Difference (SE)", "+4.3 (4.56)", 4.3),
        ("ci", "90% CI", f"({MINUS}4.6, +13.2)", -4.64),
        ("z", "z", "0.94", 0.943),
        ("p", "p", "0.346", 0.3457),
        ("p_adjusted", "Adjusted p", "0.691", 0.6914),
        ("settled", "Settled", "depends on rounding", None),
    ],
    # 4.3 less and more 1.645 * 3.82 = 6.283, and 1.645 * 2.51 = 4.129
    "checked-paired": [
        ("eval", "Eval", "MATH", None),
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("difference", "Difference", "+4.3", 4.3),
        ("ci_low", "r = 0.3: 90% CI", f"({MINUS}2.0, +10.6)", 3.82),
        ("low", "r = 0.3: p", "0.260", 0.2603),
        ("ci_high", "r = 0.7: 90% CI", "(+0.2, +8.4)", 2.51),
        ("high", "r = 0.7: p", "0.087", 0.0867),
        ("needed", "Needs r", "0.76", 0.753),
    ],
    "checked-differences": [
        ("eval", "Eval", "MATH", None),
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("difference", "Difference (SE)", "+2.5 (0.71)", 2.5),
        ("ci", "90% CI", "(+1.3, +3.7)", 1.33),
        ("z", "z", "3.52", 3.521),
        ("p", "p", "0.043", 0.0432),
        ("settled", "Settled", "yes", None),
    ],
    "checked-counts": [
        ("eval", "Eval", "MATH", None),
        ("model", "Model", "A", None),
        ("baseline", "Baseline", "B", None),
        ("newcombe", "90% CI,\nNewcombe", f"({MINUS}4.7, +13.3)", -4.71),
        ("pooled", "p, pooled z", "0.331", 0.3312),
        ("fisher", "p, Fisher", "0.369", 0.3689),
        ("odds", "Odds ratio [90% CI]", "1.21 [0.817, 1.80]", 1.213),
    ],
}


def whole(name, checked=CHECKED):
    table = make_checked(checked, name)
    return table.whole or table


@pytest.mark.parametrize("name", TABLES)
def test_each_column(name):
    table = whole(name)
    assert table.name == name
    assert columns_of(table) == FIRST[name]
    text = {"eval", "model", "baseline", "se_from", "settled"}
    assert all((c.align == "l") == (c.key in text) for c in table.columns)


def test_what_is_not_printed_or_does_not_follow():
    means, pairs, paired, _, counts = map(whole, TABLES)
    # an error that follows from an interval has one decimal more than the mean
    assert means.cells[1][3:] == ("61.1% (3.24%)", "its interval", DASH, DASH, DASH)
    assert means.cells[2][3:6] == ("59.0%", DASH, "302")
    assert pairs.cells[1][3:6] == (
        f"{MINUS}2.1 (4.56)", f"({MINUS}8.5, {MINUS}0.3)", f"{MINUS}0.51",
    )  # fmt: skip
    assert pairs.cells[1][-1] == "no"
    assert pairs.cells[2][3:] == ("+1.7", DASH, DASH, DASH, DASH, DASH)
    assert pairs.notes[-1] == f"{DASH}: no standard error is printed, and none follows."
    assert "Holm over 2 pairs" in pairs.notes[2]
    assert "is below 0.1 whatever the means" in pairs.notes[2]  # of 90%
    # D has no error: no paired analysis; C no counts: no exact test
    assert [row[1] for row in paired.cells] == ["A", "C"] and paired.cells[1][-1] == f"{MINUS}0.05"
    assert [row[1] for row in counts.cells] == ["A", "D"]
    assert counts.cells[1][-1] == "∞ [0.817, ∞]"


def test_a_note_says_that_differences_are_in_points():
    """Differences of percentages are in points; those of shares are shares."""
    points = "Differences and their errors are in percentage points."
    assert [whole(name).notes[0] == points for name in TABLES] == [False, True, True, True, True]
    means = (*CHECKED.table.means, replace(CHECKED.table.means[0], eval="LOSS", scale=Scale()))
    pairs = (*CHECKED.pairs, replace(PAIR, eval="LOSS"))
    some = replace(CHECKED, table=replace(CHECKED.table, means=means), pairs=pairs)
    said = whole("checked-pairs", some).notes[0]
    assert said == points[:-1] + " where the means are percentages."


def test_an_error_has_the_decimals_that_are_printed():
    """3.21 of A has two decimals; a 3.2 of B stays 3.2, though A's has more."""
    b = replace(CHECKED.table.means[0], model="B", se=Printed("3.2", 3.2, 0.1))
    table = replace(CHECKED.table, means=(CHECKED.table.means[0], b))
    rows = (MEAN, replace(MEAN, model="B", se=3.2))
    cells = whole("checked-means", replace(CHECKED, table=table, means=rows)).cells
    assert [row[3] for row in cells] == ["65.4% (3.21%)", "65.4% (3.2%)"]


def test_the_numbers_of_a_file():
    found = {name: whole(name).to_frame().iloc[0].to_dict() for name in TABLES}
    assert found["checked-means"]["Mean"] == 65.4 and found["checked-means"]["SE"] == 3.21
    of_pair = {"Difference": 4.3, "SE": 4.56, "CI low": -4.64, "CI high": 13.24}
    assert of_pair.items() <= found["checked-pairs"].items()
    ses = {"r = 0.3: SE": 3.82, "r = 0.7: SE": 2.51}
    assert ses.items() <= found["checked-paired"].items()


def test_shares_are_printed_as_shares():
    table = PublishedTable("t.csv", "0", (
        replace(printed("A", 0.654, 0.0321), scale=Scale(0.0, 1.0),
                mean=Printed("0.654", 0.654, 0.001), se=Printed("0.0321", 0.0321, 0.0001)),
    ), ())  # fmt: skip
    mean = replace(MEAN, mean=0.654, se=0.0321, ci_low=0.6123, ci_high=0.6941)
    pair = replace(PAIR, difference=0.043, se=0.0456, ci_low=-0.0464, ci_high=0.1324)
    checked = replace(CHECKED, table=table, means=(mean,), pairs=(pair,))
    assert whole("checked-means", checked).cells[0][3] == "0.654 (0.0321)"
    assert whole("checked-pairs", checked).cells[0][3:5] == (
        "+0.043 (0.0456)", f"({MINUS}0.046, +0.132)",
    )  # fmt: skip
