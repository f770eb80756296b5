"""The S columns of LaTeX tables and their cells, written out by hand from siunitx's manual:
table-format counts the digits before and after the decimal marker, table-space-text keeps room for
the text before and after the number.
"""

import pytest

from reportkit.tables.grid import Column, Grid
from reportkit.tables.writers.siunitx import latex_cell, siunitx_column
from reportkit.text.numbers import DASH


def column(*texts: str, align: str = "r", bold: bool = False) -> str:
    """The S column of these cells; bold: the first of them is."""
    marked = frozenset({(0, 0)}) if bold else frozenset()
    table = Grid("t", "", (Column("a", align),), tuple((t,) for t in texts), bold=marked)
    return str(siunitx_column(table, 0))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("1", "22"), "S[table-format=2.0]"),
        (("1.25", "22.5"), "S[table-format=2.2]"),
        (("1.2", "−3.4"), "S[table-format=+1.1]"),
        (("+0.37", "12.5"), "S[table-format=+2.2]"),
        (("1,234", "56"), "S[table-format=4.0,group-minimum-digits=4]"),
        (("1,234,567.5",), "S[table-format=7.1,group-minimum-digits=4]"),
        (("65.5%", "7%"), r"S[table-format=2.1,table-space-text-post={\%}]"),
        (("65.5% (0.7%)", "7%"), r"S[table-format=2.1,table-space-text-post={\% (0.7\%)}]"),
        (("<0.001", "0.25"), r"S[table-format=1.3,table-space-text-pre={\textless{}}]"),
        (("0.50 x",), r"S[table-format=1.2,table-space-text-post={\ x}]"),
        (("1.5", DASH, DASH, "", ""), "S[table-format=1.1]"),
        # Half of the texts must be numbers.
        (("1.5", "none"), "S[table-format=1.1]"),
        (("1.5", "none", "none"), ""),
        (("none",), ""),
        ((DASH,), ""),
        # An interval is two numbers.
        (("1.5 [1.2, 1.8]",), ""),
    ],
)
def test_the_column_of_numbers(texts, expected):
    assert column(*texts) == expected


def test_bold_text_beside_a_number_needs_the_room_of_bold():
    assert column("1%", "2%", bold=True) == (
        r"S[table-format=1.0,table-space-text-post={\bfseries \%}]"
    )
    assert column("1", "2", bold=True) == "S[table-format=1.0]"


def test_a_column_that_aligns_left_is_text():
    assert column("1", "2", align="l") == ""
    assert column("1", "2", align="c") == "S[table-format=1.0]"


def test_each_column_has_its_own_numbers():
    table = Grid(
        "t",
        "",
        (Column("a", "l"), Column("b"), Column("c")),
        (("x", "1.25", "7%"), ("y", "2", "8%")),
        bold=frozenset({(0, 1)}),
    )
    found = [str(siunitx_column(table, j)) for j in range(3)]
    assert found == ["", "S[table-format=1.2]", r"S[table-format=1.0,table-space-text-post={\%}]"]


CELLS = Grid(
    "t",
    "",
    (Column("a", "r"),),
    (("−1,234.5% (0.7%)",), ("none",), ("<0.1 x",)),
    bold=frozenset({(0, 0)}),
)


def cell(row: int, siunitx: bool) -> dict:
    return {key: v if v in (True, False) else str(v)
            for key, v in latex_cell(CELLS, row, 0, siunitx).items()}  # fmt: skip


def test_a_cell_of_an_s_column_has_its_number_apart():
    assert cell(0, True) == {
        "kind": "number",
        "before": "",
        "number": "-1234.5",
        "text": r"\% (0.7\%)",
        "bold": True,
        "align": "c",
    }
    assert cell(2, True) == {
        "kind": "number",
        "before": "<",
        "number": "0.1",
        "text": r"\ x",
        "bold": False,
        "align": "c",
    }


def test_text_stays_text():
    text = {"kind": "text", "before": "", "number": "", "text": "none", "bold": False, "align": "c"}
    assert cell(1, True) == text
    assert cell(1, False) == text | {"kind": "plain", "align": "r"}
    assert cell(0, False)["text"] == "−1,234.5% (0.7%)"
