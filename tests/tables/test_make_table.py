"""What make_table makes of several evals, of evals that have not all of it, and of none."""

import base64
import hashlib
import re

import pytest
from support.scores_made import NAMES, frame_of, result_of

from reportkit.errors import ScoresError, UnknownNameError
from reportkit.tables import make_table
from reportkit.tables.frames import _texts
from reportkit.text.brought import content_policy

SHARES = [[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]]
POINTS = [[1.0, 7.0, 2.5, 3.0, 4.0, 5.0], [2.0, 8.0, 1.5, 4.0, 4.0, 2.0]]
CLUSTERS = ("p", "p", "q", "q", "r", "r")


def test_evals_of_two_levels_make_no_table():
    """One level is said once, in the head and the notes: 95% of one and 90% of the other."""
    two = [result_of(SHARES, eval="one"), result_of(SHARES, eval="two", level=0.9)]
    with pytest.raises(ScoresError, match="evals analysed at different levels make no table"):
        make_table(two, "means")


def test_scores_are_analysed_for_the_table_that_is_asked_for():
    frame = frame_of(SHARES)
    made, given = make_table(frame, "posterior"), result_of(SHARES, tables="posterior")
    assert made.cells == make_table(given, "posterior").cells
    with pytest.raises(ScoresError, match="no eval to make a table 'means' of"):
        make_table([], "means")


def test_an_eval_that_has_not_the_records_is_named_with_its_reason():
    good = result_of(SHARES, eval="good", tables="posterior")
    bad = result_of(POINTS, eval="bad", tables="posterior")
    why = bad.refused["posterior"]
    alone, both = make_table(good, "posterior"), make_table([good, bad], "posterior")
    assert [row[-len(alone.cells[0]) :] for row in both.cells] == list(alone.cells)
    (note,) = [n for n in both.notes if n.kind == "refused"]
    assert note == f"bad: {why}" and not [n for n in alone.notes if n.kind == "refused"]
    assert [n for n in both.notes if n.kind != "refused"]  # its own notes stay
    with pytest.raises(ScoresError) as none:
        make_table(bad, "posterior")
    assert str(none.value) == f"eval 'bad': {why}"
    plain = result_of(SHARES, eval="plain")
    with pytest.raises(ScoresError, match="eval 'plain' was not analysed for table 'posterior'"):
        make_table([good, plain], "posterior")


def test_the_layouts_of_the_paper_with_one_eval_and_two_models():
    r = result_of(SHARES, CLUSTERS)
    made = {name: make_table(r, name) for name in ("paper2", "paper3", "paper4", "paper5")}
    assert [table.name for table in made.values()] == list(made)
    keys = {name: [c.key for c in table.columns] for name, table in made.items()}
    assert keys["paper4"] == ["eval", "model", "se", "se_unclustered", "ratio"]
    assert [row[1] for row in made["paper4"].cells] == list(NAMES[:2])
    assert not any(table.bold for table in made.values())
    low = make_table(result_of(SHARES, CLUSTERS, level=0.9), "paper5")
    assert "90% Conf. Interval" in [c.head for c in low.columns]


def test_a_page_runs_the_scripts_that_it_has_and_no_other():
    """The hashes of a Content-Security-Policy, by hashlib, separated by spaces."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in ("one", "two")
    ]
    rest = (
        "style-src 'unsafe-inline'; img-src data:; media-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    start = "default-src 'none'; script-src"
    assert content_policy("one", "two") == f"{start} {' '.join(hashes)}; {rest}"
    assert content_policy() == f"{start} 'none'; {rest}"


@pytest.mark.parametrize(
    "wrong, why",
    [
        ({"digit": 2}, "make_table takes no 'digit'; did you mean 'digits'?"),
        ({"baseline": "B"}, "make_table takes no 'baseline': analyse does; write result, warnings"),
    ],
)
def test_a_wrong_keyword_is_told_where_it_belongs(wrong, why):
    with pytest.raises(UnknownNameError, match=re.escape(why)):
        make_table(frame_of(SHARES), "means", **wrong)


def test_what_is_no_name_of_a_table_and_no_number_of_decimals():
    with pytest.raises(UnknownNameError, match=r"no table \['means'\]; did you mean 'means'"):
        make_table(frame_of(SHARES), ["means"])
    with pytest.raises(ScoresError, match="digits = True is no number of decimals"):
        make_table(frame_of(SHARES), "means", digits=True)


@pytest.mark.parametrize(("values", "cells"), [([12.3456, 0.5], ["12.3", "0.5"]),
                                               ([0.012345, 0.5], ["0.012", "0.500"])])  # fmt: skip
def test_without_decimals_a_column_has_three_digits_of_its_largest_number(values, cells):
    assert _texts(values, None) == cells
