"""Every printed cell of the table of coverage certificates, from records made by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from support.scores_made import result_of, rows_of

from reportkit.results import CertificateResult
from reportkit.tables import make_table

DASH, MINUS = "\N{EM DASH}", "\N{MINUS SIGN}"
RIGHT = np.array([[1, 1, 1, 0] * 10, [1, 0, 1, 0] * 10])
# Coverage 94.3% with a simulation error of 0.5%, 1.2% without an interval.
ONE = CertificateResult(
    "A", "", "wilson", 40, 40, 80, 0.75, math.nan, 0.31, 0.95, 0.943, 0.0052, 0.012, 2000, ""
)
PAIR = replace(ONE, baseline="B", method="tango", mean=0.25, coverage=0.955, n_answers=1600)


@pytest.fixture(scope="module")
def result():
    return replace(result_of(RIGHT), certificates=(ONE, PAIR))


def test_cells(result):
    rows = rows_of(make_table(result, "certificate"))
    assert rows == [
        {"name": "A", "coverage": "94.3% (0.5%)", "none": "1.2%", "mean": "75.0%",
         "answer_icc": "0.31", "questions": "40", "answers": "80", "method": "wilson"},
        {"name": f"A {MINUS} B", "coverage": "95.5% (0.5%)", "none": "1.2%", "mean": "+25.0%",
         "answer_icc": "0.31", "questions": "40", "answers": "1,600", "method": "tango"},
    ]  # fmt: skip
    groups = {c.key: c.group for c in make_table(result, "certificate").columns}
    assert {k for k, group in groups.items() if group == "Assumed"} == {"mean", "answer_icc"}


def test_clusters_have_columns_where_there_are_any(result):
    clustered = replace(
        result, clustered=True, certificates=(replace(ONE, icc=0.127, n_clusters=8),)
    )
    row = rows_of(make_table(clustered, "certificate"))[0]
    assert (row["icc"], row["clusters"]) == ("0.13", "8")
    assert any(
        "ICC: correlation of two questions" in n for n in make_table(clustered, "certificate").notes
    )


def test_what_every_row_lacks_has_no_column(result):
    plain = replace(ONE, answer_icc=math.nan, not_printed=0.0)
    table = make_table(replace(result, certificates=(plain,)), "certificate")
    assert [c.key for c in table.columns] == [
        "name", "coverage", "mean", "questions", "answers", "method",
    ]  # fmt: skip
    assert "All simulated evals have an interval." in table.notes
    assert any(
        "2,000 evals are simulated, with the questions and answers of this one" in n
        for n in table.notes
    )
    assert not any("Of two models" in n for n in table.notes)


def test_what_cannot_be_certified_has_its_reason(result):
    none = replace(ONE, coverage=math.nan, simulation_error=math.nan, reason="scores do not vary")
    table = make_table(replace(result, certificates=(none, PAIR)), "certificate")
    assert rows_of(table)[0]["coverage"] == DASH
    assert f"{DASH} under coverage: scores do not vary." in table.notes


def test_without_a_certificate_the_table_says_how_to_get_one(result):
    table = make_table(replace(result, certificates=()), "certificate")
    assert table.cells == ()
    assert table.notes == ("No certificate was made; ask for one with --certificate.",)
