"""Numbers of a column stand on their decimal points."""

import re

import pytest
import typst
from support.pdfs import pages

from reportkit.tables.aligned import aligned
from reportkit.tables.grid import Column, Grid
from reportkit.tables.writers.render import render_table
from reportkit.text.escaping import POINT, SPACE


def padded(*texts: str, align: str = "r") -> list[str]:
    table = Grid("t", "T.", (Column("a", align),), tuple((text,) for text in texts))
    return [row[0].replace(SPACE, "_").replace(POINT, ",") for row in aligned(table).cells]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # The error of one digit is as wide as that of two, and its bracket stays at it.
        (("9.5% (0.7%)", "10.5% (10.7%)"), ["9.5% _(0.7%)", "10.5% (10.7%)"]),
        # A comma is as narrow as a point.
        (("2,649 (140)", "30,102 (1,591)"), ["2,649 ,_(140)", "30,102 (1,591)"]),
        (("(−6.1, +0.7)", "(−16.1, +10.7)"), ["(−6.1, _+0.7)", "(−16.1, +10.7)"]),
        # It stays at its number where another one has more decimals: "(−4.8  , +19.6)" it was.
        (("(−0.36, +3.80)", "(−4.8, +19.6)"), ["(−0.36, _+3.80)", "(−4.8,_ +19.6)_"]),
        # What follows the last number is padded: the points of all stand below each other.
        (("0.0499", "0.250", "<0.001"), ["0.0499", "0.250_", "<0.001_"]),
        (("0", "0.226"), ["0,___", "0.226"]),
        (("5,000", "12"), ["5,000", "12"]),
        # A percent sign stays at its number: "92.1 % (0.7%)" it was.
        (("92.1% (0.7%)", "92.14% (0.72%)"), ["92.1%_ (0.7%)_", "92.14% (0.72%)"]),
        # A count stands below those with another one in brackets, and not below the brackets.
        (
            ("733", "2,620 (262)", "59,700 (5,970)", "—"),
            ["733,,,,_,___", "2,620 ,_(262)", "59,700 (5,970)", "—"],
        ),
        # Other shapes align among themselves.
        (("—", "1.5 (0.5)", "2"), ["—", "1.5 (0.5)", "2"]),
        # A mark hangs behind the numbers: those without one leave it room.
        (("9.5% ‡", "10.5%", "11.5% †‡", "—"), ["9.5% ‡_", "10.5%,__", "11.5% †‡", "—"]),
        (("65.5\n(0.7)", "65.5\n(10.7)"), ["65.5\n_(0.7)", "65.5\n(10.7)"]),
    ],
)
def test_points_stand_below_each_other(texts, expected):
    assert padded(*texts) == expected


def test_a_mark_in_a_column_of_a_model_pushes_no_error_aside():
    """Where many models stand side by side, an error stands below its number."""
    cells = (("58.1% (3.3%) †",), ("82.6% (3.3%)",))
    table = Grid("t", "T.", (Column("A", key="model:A"),), cells)
    assert aligned(table).cells == cells


def test_text_stays_as_it_is():
    assert padded("gpt-4.1", "o3-10", align="l") == ["gpt-4.1", "o3-10"]


CELLS = Grid(
    "t",
    "T.",
    (Column("a"), Column("b"), Column("c")),
    (
        ("9.5% (0.7%)", "(−6.1, +0.7)", "5"),
        ("10.5% (10.7%)", "(−16.1, +10.7)", "0.2266"),
    ),
)
PRINTED = ("9.5% (0.7%)", "(−6.1, +0.7)", "(−16.1, +10.7)")


def test_latex_html_and_typst_align_and_the_others_hold_the_plain_text():
    assert r"9.5\% \phantom{0}(0.7\%)" in render_table(CELLS, "tex")
    assert '9.5% <span style="padding-left:1ch"></span>(0.7%)' in render_table(CELLS, "html")
    # A full stop and four digits: 4.5 digits, as a full stop is half as wide.
    assert '5<span style="padding-left:4.5ch"></span></td>' in render_table(CELLS, "html")
    assert r"9.5%~#hide[0];(0.7%)" in render_table(CELLS, "typ")
    assert r"5#hide[.0000];" in render_table(CELLS, "typ")
    assert "9.5% (0.7%)" in render_table(CELLS, "md")
    assert SPACE not in render_table(CELLS, "tex", align="siunitx")


def test_what_is_printed_is_found_in_the_text_of_a_page_and_of_a_pdf(tmp_path):
    page = re.sub(r"</?(span|b)\b[^>]*>", "", render_table(CELLS, "html"))
    typst.compile(
        render_table(CELLS, "typ", full=True).encode(),
        output=str(tmp_path / "t.pdf"),
        ignore_system_fonts=True,
    )
    pdf = re.sub(r"\s+", " ", " ".join(pages(tmp_path / "t.pdf")))
    for text in PRINTED:
        assert text in page
        assert text in pdf
    assert not {SPACE, POINT} & {*page, *pdf}


def test_the_room_of_a_name_stays_in_the_name():
    """A name that holds such a character is printed as it is."""
    table = Grid("t", "T.", (Column("a", "l"),), ((f"a{SPACE}b",),))
    assert f"a{SPACE}b" in render_table(table, "html")
    assert f"a{SPACE}b" in render_table(table, "typ")
