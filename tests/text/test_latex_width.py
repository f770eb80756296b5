"""Widths of Computer Modern Roman: those of TeX's own font file, read without matplotlib."""

import subprocess
import sys

import pytest

from reportkit.text import latex_width
from reportkit.text.latex_width import text_width, wrap

# Thousandths of the size of the type, by `tftopl cmr10.tfm` (TeX Live 2022): printable ASCII
# without the marks that LaTeX sets from another font or draws.
CMR10 = {
    278: "!',.:;[]`il",
    306: "fj",
    333: "-",
    361: "I",
    389: "()t",
    392: "r",
    394: "s",
    444: "cez",
    472: "?",
    500: "$*/0123456789ago",
    514: "J",
    528: "kqvxy",
    556: "Sbdhnpu",
    611: "Z",
    625: "L",
    653: "F",
    681: "EP",
    708: "B",
    722: "CTw",
    736: "R",
    750: "AHNUVXY",
    764: "D",
    778: "&+=@KOQ",
    785: "G",
    833: "#%m",
    917: "M",
    1028: "W",
}
# What LaTeX takes from another font or draws. These are this module's own values, near LaTeX's:
# tests/latex/test_latex_tables.py compares lines that hold them with what pdflatex measures.
DRAWN = {" ": 333, '"': 500, "<": 778, ">": 778, "\\": 500, "^": 500, "_": 600, "{": 500, "|": 278}
DRAWN |= {"}": 500, "~": 500}


def test_every_printable_character_of_ascii_has_its_width():
    known = {char: width for width, chars in CMR10.items() for char in chars} | DRAWN
    assert sorted(known) == [chr(code) for code in range(0x20, 0x7F)]
    assert {char: text_width(char) for char in known} == {c: w / 100 for c, w in known.items()}


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("\N{EN DASH}", 5.0),  # cmr10.tfm, code 123
        ("\N{EM DASH}", 10.0),  # code 124
        ("\N{MINUS SIGN}", 7.78),  # cmsy10.tfm, code 0
        ("\N{DAGGER}", 4.5),  # \settowidth in pdflatex: 4.44
        ("\N{NO-BREAK SPACE}", 3.33),  # 3.33
        ("\N{HORIZONTAL ELLIPSIS}", 13.33),  # 13.33
        ("\N{RIGHT SINGLE QUOTATION MARK}", 2.78),  # 2.78
        ("\N{COPYRIGHT SIGN}", 11.11),  # 11.11
        ("\N{GREEK SMALL LETTER ALPHA}", 6.5),  # 6.40
        ("\N{THIN SPACE}", 1.67),  # \thinspace is a sixth of 10 pt
        ("\N{GREEK CAPITAL LETTER DELTA}", 8.33),  # cmr10.tfm, code 1
        ("\N{SQUARE ROOT}", 8.33),  # cmsy10.tfm, code 112
        ("é", 4.44),  # an accent adds nothing
        ("e\u0301", 4.44),
        ("中", 10.0),  # a full square in every font
    ],
)
def test_other_characters(text, width):
    assert text_width(text) == width


def test_bold_digits_are_those_of_cmbx10():
    assert text_width("0", bold=True) == 5.75  # cmbx10.tfm: 0.575002


def test_matplotlibs_file_is_read_without_matplotlib():
    code = (
        "import sys\nfrom reportkit.text.latex_width import text_width\n"
        "print(text_width('65.5%'), sorted({'matplotlib', 'fontTools'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "26.11 []"  # three digits, a point and a percent sign


def test_a_matplotlib_without_its_fonts_is_named(monkeypatch):
    monkeypatch.setattr(latex_width, "_METRIC", "mpl-data/fonts/afm/nothing.afm")
    with pytest.raises(ImportError, match=r"matplotlib's file mpl-data.*install matplotlib again"):
        latex_width._widths.__wrapped__()


@pytest.mark.parametrize(("char", "code"), [("\x1a", "U+001A"), ("\x85", "U+FFFD")])
def test_what_cannot_be_seen_is_as_wide_as_its_code(char, code):
    """It prints so in every engine; a label of controls ran out of its column. A quarter is room
    for a line of codes that ends early.
    """
    assert text_width(char) == pytest.approx(1.25 * text_width(code), abs=0.01)


@pytest.mark.parametrize("name", ["نموذج", "מודל", "نَموذج"])
def test_a_word_that_is_written_from_the_right_is_never_broken(name):
    """Its letters join; a break after each, as wide as their codes are in pdflatex, is unreadable
    in the engines that have them.
    """
    assert wrap(name, 10.0) == name
    assert name in wrap(f"model-{name}-7b", 20.0).split("\n")


def test_no_number_of_a_list_stands_alone_above_a_long_name():
    """26 letters of 5.28 pt stand beside 1. and a space, 11.1 pt, in 150 pt; 28 alone."""
    lines = wrap("1. " + "x" * 60, 150.0).split("\n")
    assert lines == ["1. " + "x" * 26, "x" * 28, "x" * 6]
    assert wrap("12. a-long-name", 40.0).split("\n")[0] == "12. a-"


@pytest.mark.parametrize(
    ("name", "limit", "lines"),
    [
        ("SWE-bench/swe-bench.github.io", 120.0, ["SWE-bench/", "swe-bench.github.io"]),
        ("princeton-nlp/tree-of-thought-llm", 130.0, ["princeton-nlp/", "tree-of-thought-llm"]),
        ("1. org/a-long-name-of-a-model", 110.0, ["1. org/", "a-long-name-of-a-model"]),
        ("owner/name-b/file-c", 60.0, ["owner/name-", "b/file-c"]),  # two slashes: as any marks
        ("org/a-name-that-is-too-long", 60.0, ["org/a-name-", "that-is-too-", "long"]),
    ],
)
def test_the_owner_of_a_name_has_a_line_to_itself_where_both_parts_fit(name, limit, lines):
    """It was swe-bench.github. / io and tree-of-thought- / llm."""
    assert wrap(name, limit).split("\n") == lines
