"""How LaTeX tables are laid out, without LaTeX: a digit is 5 pt wide (cmr10 at 10 pt), 4.625 at
9 pt and 4.25 at 8, columns stand 8 and 6 pt apart, and 98 in 100 of a line are used: 246.96 of a
column's 252 pt, 338.1 of the text's 345, 539 of a turned page's 550. Each cell is printed once.
"""

import itertools
import math
import re
from dataclasses import replace

import pandas as pd
import pytest

import reportkit
from reportkit.tables import make_table
from reportkit.tables.grid import EVAL_KEY, MODEL_KEY, Column, Grid
from reportkit.tables.notes import LEFT_OUT
from reportkit.tables.table import Table
from reportkit.tables.writers.latex import REPORT_LINE, Options, layout, width_told
from reportkit.tables.writers.latex_fit import chosen, roomier
from reportkit.tables.writers.latex_groups import below_baselines
from reportkit.tables.writers.latex_lines import even, label_lines
from reportkit.tables.writers.latex_place import IN_COLUMN, Place
from reportkit.tables.writers.latex_rows import whole_names
from reportkit.tables.writers.render import render_table
from reportkit.text.latex_width import text_width
from reportkit.text.numbers import DASH


def grid(rows: int, *digits: int, label: int = 0, **fields) -> Grid:
    """Columns of so many digits each, after a label column; cell (i, j) begins with its row."""
    widths = [label, *digits] if label else list(digits)
    aligns = ["l" if label and j == 0 else "r" for j in range(len(widths))]
    columns = tuple(Column("8" * w, a) for w, a in zip(widths, aligns, strict=True))
    cells = tuple(tuple(f"{i}".rjust(w, "9") for w in widths) for i in range(rows))
    return Grid("t", "Title.", columns, cells, **fields)


def width(table: Grid) -> float:
    return chosen(table, [IN_COLUMN], breaks=True).width


@pytest.mark.parametrize(
    ("digits", "points"), [((4,), 18.5), ((4, 6), 54.25), ((10, 20, 10), 201.0)]
)
def test_the_width_is_that_of_the_columns_and_what_stands_between_them(digits, points):
    assert width(grid(2, *digits)) == pytest.approx(points)


def test_the_widest_of_head_and_cells_counts():
    columns = (Column("88", "r"), Column("8", "r"), Column("8888"))
    table = Grid("t", "T.", columns, (("1", "12345", "1"), ("1", "1", "1")))
    assert width(table) == pytest.approx(0.925 * (10 + 25 + 20) + 16)
    bold = Grid("t", "T.", (Column("8"),), (("12",), ("34",)), bold=frozenset({(1, 0)}))
    assert width(bold) == pytest.approx(0.925 * 11.5)  # cmbx10's digits are 5.75 pt


@pytest.mark.parametrize(
    ("digits", "points", "turned", "told"),
    [
        (53, 9, False, ""),
        (54, 8, False, ""),
        (58, 8, False, ""),
        (59, 9, False, "273 pt wide at 9 pt, for text of 345 pt or more."),
        (73, 9, False, "338 pt wide at 9 pt, for text of 345 pt or more."),
        (79, 8, False, "336 pt wide at 8 pt, for text of 345 pt or more."),
        (80, 9, True, "370 pt wide at 9 pt, on a page turned by 90 degrees where the text is "
                      "narrower."),
        (117, 8, True, "497 pt wide at 8 pt, on a page turned by 90 degrees where the text is "
                       "narrower."),
    ],
)  # fmt: skip
def test_a_column_then_the_text_then_a_turned_page(digits, points, turned, told):
    placed = layout(grid(2, digits), Options())
    assert (placed["size"].points, placed["turned"]) == (points, turned)
    assert len(placed["parts"]) == 1 and placed["environment"] == "" and not placed["scaled"]
    said = width_told(grid(2, digits))
    assert said == (f"table t: too wide for a column of 252 pt: {told}" if told else "")


def test_what_no_page_holds_goes_on_in_parts_of_groups():
    """Four groups of three columns of 10 digits: 12 x 42.5 + 11 x 6 and a label are 625 pt at 8 pt.
    Two groups of 139.5 + 6 + 139.5 stand beside a label of 42.5 + 6: 333.5 of 338.1 pt.
    """
    columns = (Column("8" * 10, "l"),) + tuple(
        Column("8" * 10, "r", g) for g in "ABCD" for _ in "123"
    )
    table = Grid("t", "Title.", columns, tuple(("9" * 10,) * 13 for _ in range(2)))
    placed = layout(table, Options())
    assert [(p["n"], len(p["rows"])) for p in placed["parts"]] == [(7, 2), (7, 2)]
    assert [[g["name"] for g in p["groups"]] for p in placed["parts"]] == [
        ["", "A", "B"], ["", "C", "D"],
    ]  # fmt: skip
    assert placed["size"].points == 8 and not placed["turned"]
    assert [p["title"] for p in placed["parts"]] == [
        "Title (part\u00a01\u00a0of\u00a02).", "Title (part\u00a02\u00a0of\u00a02).",
    ]  # fmt: skip
    assert placed["measure"] == (
        "Too wide for a column of 252 pt: 334 pt wide at 8 pt, in 2 parts, for text of 345 pt or "
        "more."
    )


def test_a_group_that_a_given_line_does_not_hold_beside_the_labels_is_divided():
    """Names of 30 digits break at 22 in 100 of 300 pt: 12 digits that are set in by 6.67 are 61.67
    pt at 9 pt. Beside three such columns (201 pt) three numbers of 8 digits (135 pt) do not fit 294
    pt, and two (90) do.
    """
    columns = (*(Column(x, "l") for x in "ABC"), *(Column(x, "r", "G") for x in "123"))
    table = Grid("t", "T.", columns, tuple(("8" * 30,) * 3 + ("9" * 8,) * 3 for _ in range(2)))
    made = chosen(table, [Place("given", 300.0)], breaks=True)
    assert made.fits and made.width == pytest.approx(3 * 61.67 + 2 * 37 + 32, abs=0.01)
    assert list(map(list, made.parts)) == [[0, 1, 2, 3, 4], [0, 1, 2, 5]]
    assert list(map(list, chosen(table, [Place("text", 300.0)], breaks=True).parts)) == [
        [*range(6)]
    ]


def printed(placed: dict) -> list[str]:
    """All cells of all parts."""
    return [
        f"{cell['before']}{cell['number']}{cell['text']}"
        for part in placed["parts"]
        for row in part["rows"]
        for cell in row["cells"]
    ]


@pytest.mark.parametrize("wide", ["fit", "scale", "split", "turn"])
@pytest.mark.parametrize("long", ["longtable", "parts"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (3, 30), (61, 9), (90, 2)])
def test_each_cell_is_printed_once(wide, long, rows, columns):
    table = Grid(
        "t",
        "T.",
        tuple(Column(f"{j:08}") for j in range(columns)),
        tuple(tuple(f"{i:04}{j:04}" for j in range(columns)) for i in range(rows)),
    )
    placed = layout(table, Options(wide=wide, long=long))
    assert sorted(printed(placed)) == [
        f"{i:04}{j:04}" for i, j in itertools.product(range(rows), range(columns))
    ]
    for part in placed["parts"]:
        heads = [head["text"] for head in part["heads"]]
        assert part["n"] == len(heads)
        for row in part["rows"]:
            assert [f"0000{c['text'][4:]}" for c in row["cells"]] == heads


def test_a_head_has_no_more_lines_than_its_column_asks_for():
    """At 8 pt the label has 173 pt, "Rank" 20 and "95% rank set" 48: with two gaps of 6, 253 for a
    column of 247. In two lines the last has 30, and in three it has no less, as its cells need it.
    """
    label = "GPT-5 nano (2025-08-07) (medium reasoning)"
    columns = (Column("Model", "l"), Column("Rank"), Column("95% rank set"))
    table = Grid("ranks", "Ranks.", columns, ((label, "21", "17 to 22"),))
    [part] = layout(table, Options())["parts"]
    assert [head["text"] for head in part["heads"]] == ["Model", "Rank", "95%\nrank set"]


def parts_of(table: Grid, **options) -> list[tuple[int, int]]:
    """Columns and rows of each part."""
    found = layout(table, Options(**options))["parts"]
    return [(part["n"], len(part["rows"])) for part in found]


def test_columns_are_split_evenly_with_the_labels_at_the_left():
    """At 9 pt a label and columns of 46.25 pt and 8 between them: six columns fit in 338.1 pt, five
    beside a label. Of 9 that makes two parts, of 5 and 4.
    """
    table = grid(2, *[10] * 9, label=10)
    assert parts_of(table, wide="split") == [(6, 2), (5, 2)]
    placed = layout(table, Options(wide="split"))
    for number, part in enumerate(placed["parts"], 1):
        assert part["title"] == f"Title (part\u00a0{number}\u00a0of\u00a02)."
        assert part["rows"][1]["cells"][0]["text"] == "9999999991"
        assert part["spec"] == "l" + "r" * (part["n"] - 1)
        assert (part["first"], part["last"]) == (number == 1, number == 2)


def test_a_line_that_was_asked_for_is_the_line():
    """Of 397 pt, 389 are used: 84 digits at 9 pt are 388.5."""
    for digits, points in ((84, 9), (85, 8), (91, 8)):
        placed = layout(grid(2, digits), Options(width=397))
        assert placed["size"].points == points and placed["environment"] == "table"
        assert str(placed["measure"]).endswith("pt, for a line of 397 pt.")
    assert width_told(grid(2, 84), Options(width=397)) == ""
    many = grid(2, 50, 50)
    assert width_told(many, Options(width=397)) == (
        "table t: 231 pt wide at 9 pt, in 2 parts, for a line of 397 pt."
    )
    assert layout(many, Options(width=397, span="page"))["environment"] == "table*"


@pytest.mark.parametrize(
    ("rows", "parts", "longtable"),
    [(41, [41], False), (42, [21, 21], False), (90, [30] * 3, False)],
)
def test_a_long_table_of_a_column_goes_on_in_parts(rows, parts, longtable):
    """A page has 520 pt, less 36 for the caption and a head of one line: 41 lines of 10.8 at 9 pt,
    48 of 9.6 at 8. The fewest pages win, then the larger type.
    """
    placed = layout(grid(rows, 5, 5), Options())
    assert placed["longtable"] is longtable
    assert sum(len(p["rows"]) for p in placed["parts"]) == rows


@pytest.mark.parametrize(
    ("digits", "long", "longtable"),
    [(50, "longtable", False), (60, "longtable", True), (60, "parts", False)],
)
def test_a_long_table_of_the_text_goes_on_over_pages(digits, long, longtable):
    placed = layout(grid(100, digits), Options(long=long))
    assert placed["longtable"] is longtable
    assert (len(placed["parts"]) == 1) is longtable
    if longtable:
        assert str(placed["measure"]).endswith("or more, on pages of one column.")


def test_rows_of_several_lines_and_headings_take_their_place():
    """24 rows of two lines are 48 lines, what a page holds at 8 pt; a heading makes it two."""
    cells = tuple((f"{i}\n1",) for i in range(24))
    table = Grid("t", "T.", (Column("8"),), cells)
    assert parts_of(table, long="parts") == [(1, 24)]
    headed = Grid("t", "T.", (Column("8"),), cells, sections=((23, "Maths"), (23, "Hard")))
    placed = layout(headed, Options(long="parts"))
    assert len(placed["parts"]) == 2
    last = placed["parts"][1]["rows"][-1]
    assert ([h["text"] for h in last["headings"]], last["first"]) == (["Maths", "Hard"], False)
    assert placed["parts"][1]["rows"][0]["headings"] == []


def test_a_label_stays_in_one_line_where_the_column_has_room():
    """Four words of 9 digits and 3 spaces of 3.33 pt: 190 pt at 10 pt. Beside 8 and a number of 4
    digits at 9 pt that is 202.25 of the 216.58 pt of a narrow column; beside one of 15 digits, at 8
    pt still 6 + 161.5 + 63.75 = 231.25, it breaks there and is whole in a column of 231.25 / 0.98 =
    236 pt; beside one of 25 digits it breaks.
    """

    def lines(digits: int) -> tuple[int, str]:
        label = " ".join(["8" * 9] * 4)
        columns = (Column("8", "l"), Column("8"))
        table = Grid("t", "T.", columns, ((label, "8" * digits), ("8", "2")))
        placed = chosen(table, [IN_COLUMN], breaks=True)
        whole = math.ceil(whole_names(placed))
        return max(text.count("\n") + 1 for row in placed.table.cells for text in row), whole

    assert lines(4) == (1, 0) and lines(15) == (2, 236)
    assert lines(25)[0] == 2 and lines(25)[1] > 252


@pytest.mark.parametrize(
    ("label", "points", "narrowest", "whole"),
    [("8" * 29, 9, 215, ""), ("8" * 33, 8, 212, ""), (f"{'8' * 19}/{'8' * 20}", 8, 162, "243")],
)
def test_a_table_of_a_column_fits_a_narrow_one(label, points, narrowest, whole):
    """A column of article has 221 pt on A4 and 229.5 on letter paper, of IEEEtran 252. At 10 pt a
    label of 33 digits takes 165 pt, beside numbers of 4 and 9 digits 230 pt: at 9 pt 228.75 pt, 234
    of a line, so that for 4 pt the table was as wide as two columns; at 8 pt 207.5, 212 of a line.
    One of 39 digits and a slash takes 200 pt: it breaks there, with 20 digits behind 6.67 pt, and
    is whole where its line has room at 8 pt for 0.85 x 265 + 12 = 237.25, as IEEEtran's; at 9 pt it
    would be whole in none of them.
    """
    cells = ((label, "8" * 4, "8" * 9), ("8", "8", "8"))
    table = Grid("t", "T.", (Column("8", "l"), Column("8"), Column("8")), cells)
    made = layout(table, Options())
    assert (made["size"].points, int(made["narrowest"])) == (points, narrowest)
    assert str(made["whole"]) == whole


def test_a_narrow_column_makes_no_head_taller():
    """Four heads of 51.67 pt and a label of 25 take 0.925 x 231.67 + 32 = 246.3 pt at 9 pt, and at
    8 pt 220.9 of the 216.58 of a narrow column: it has them only in two lines.
    """
    columns = (Column("8", "l"), *[Column("888 888 888")] * 4)
    table = Grid("t", "T.", columns, (("8" * 5, *["888"] * 4),))
    found = chosen(table, [IN_COLUMN], breaks=True)
    assert (found.place.line, found.size.points) == (252.0, 9)
    narrow = chosen(table, [Place("column", 221.0)], breaks=True)
    assert narrow.fits and narrow.table.columns[1].head == "888 888\n888"


def test_a_label_breaks_no_narrower_than_its_line_asks_for():
    """At 8 pt a label of 12 + 11 digits, 100.6 pt, leaves a line of 345 pt with 56 digits, 238 pt:
    it breaks, and one of 9 + 10 digits, 83.6 pt, stays in one line, as 27 in 100 of the line are
    93 pt. At 22 in 100, 76 pt, both broke.
    """
    labels = ("8" * 12 + " " + "8" * 11, "8" * 9 + " " + "8" * 10)
    table = Grid("t", "T.", (Column("M", "l"), Column("8")), tuple((n, "8" * 56) for n in labels))
    placed = chosen(table, [Place("text", 345.0)], breaks=True)
    assert placed.fits and [row[0].count("\n") for row in placed.table.cells] == [1, 0]


def test_a_label_has_two_lines_where_its_line_has_room():
    """Of 11 + 11 + 12 digits it had three lines at 9 pt and 30 in 100 of the line, 111.9 pt at 10
    pt: two words take 113.3. With them 0.925 x (113.3 + 48 x 5) + 8 = 334.8 pt have room in 0.98 x
    345 = 338.1.
    """
    labels = ("8" * 11 + " " + "8" * 11 + " " + "8" * 12, "8" * 16 + " " + "8" * 15)
    table = Grid("t", "T.", (Column("M", "l"), Column("8")), tuple((n, "8" * 48) for n in labels))
    placed = chosen(table, [Place("text", 345.0)], breaks=True)
    assert placed.size.points == 9 and round(placed.width, 1) == 334.8
    assert [row[0].count("\n") for row in placed.table.cells] == [1, 1]


def test_names_of_more_than_two_lines_ask_for_the_text():
    """A name of 60 letters has four lines in a column that six numbers share, one beside two."""
    name = "n" * 15 + ("-" + "n" * 14) * 3
    small = Grid("t", "T.", (Column("M", "l"), Column("8")), ((name, "1"),))
    assert layout(small, Options())["parts"][0]["rows"][0]["cells"][0]["text"].count("\n") > 1
    assert width_told(small).startswith("table t: too wide for a column of 252 pt: ")


@pytest.mark.parametrize(("parts", "lines", "asks"), [(1, 2, False), (2, 3, True)])
def test_a_name_beside_six_numbers_asks_for_the_text_from_three_lines_on(parts, lines, asks):
    """Parts of 15 letters, of which two are no line beside six numbers of four digits."""
    name = "n" * 15 + ("-" + "n" * 14) * parts
    columns = (Column("M", "l"), *(Column("8888") for _ in range(6)))
    table = Grid("t", "T.", columns, ((name, *["1234"] * 6),))
    cell = layout(table, Options())["parts"][0]["rows"][0]["cells"][0]
    assert cell["text"].count("\n") + 1 == lines
    assert width_told(table).startswith("table t: too wide for a column") is asks


@pytest.mark.parametrize(
    ("names", "digits", "turned"), [(6, 8, False), (8, 8, False), (12, 4, True)]
)
def test_names_in_heads_break_behind_a_mark_before_they_stand_upright(names, digits, turned):
    """Whole, six names of 73.3 pt take 0.85 (20 + 6 x 73.3) + 36 = 427 pt of 338, and stood
    upright. In two lines of 38.3 and 35 pt they are narrower than cells of 40: 0.85 (20 + 8 x 40) +
    48 = 337 pt. Twelve in two lines take 480 pt, and upright ones above cells of 20 pt 293.
    """
    head = "8888888-8888888"
    columns = (Column("8888", "l"), *(Column(head, key=f"{MODEL_KEY}{k}") for k in range(names)))
    table = Grid("t", "T.", columns, (("8888", *["8" * digits] * names),))
    made = chosen(table, [Place("given", 345.0)], breaks=True)
    assert made.turned_heads is turned
    assert made.table.columns[1].head == (head if turned else "8888888-\n8888888")


@pytest.mark.parametrize(("words", "turned", "breaks"), [(4, False, 3), (5, True, 0), (6, True, 1)])
def test_a_head_of_five_lines_stands_upright_in_lines_of_130_points(words, turned, breaks):
    """Words of 20 pt, 3.33 apart: five are 113.3 pt and stand in one line, six are 136.7 in two."""
    head = " ".join(["8888"] * words)
    columns = (Column("8888", "l"), *(Column(head, key=f"{MODEL_KEY}{k}") for k in range(6)))
    table = Grid("t", "T.", columns, (("8888", *["88"] * 6),))
    made = chosen(table, [Place("given", 240.0)], breaks=True)
    assert (made.turned_heads, made.table.columns[1].head.count("\n")) == (turned, breaks)


def test_a_head_of_a_hundred_words_has_a_line_of_a_twelfth_of_its_width():
    """It is 100 x 20 + 99 x 3.33 = 2,330 pt wide, of which a twelfth holds 8 words, 183.3 pt: 13
    lines. An eleventh holds 9, a thirteenth 7.
    """
    table = Grid("t", "T.", (Column("M", "l"), Column(" ".join(["8888"] * 100))), (("A", "1"),))
    made = chosen(table, [Place("text", 345.0)], breaks=True)
    assert made.table.columns[1].head.count("\n") == 12


def test_a_head_no_wider_than_36_points_stays_in_one_line():
    """14 of 23.3 pt take 0.85 (9.2 + 14 x 23.3) + 84 = 369 pt of 338 at 8 pt: they make two parts.
    In two lines each they would fit in one.
    """
    columns = (Column("M", "l"), *(Column("88 88") for _ in range(14)))
    table = Grid("t", "T.", columns, (("A", *["8"] * 14),))
    made = chosen(table, [IN_COLUMN, Place("text", 345.0)], breaks=True)
    assert len(made.parts) == 2 and {c.head for c in made.table.columns[1:]} == {"88 88"}


def test_a_name_in_a_head_breaks_behind_its_mark_where_it_is_wider_than_80_points():
    """10 + 9 digits and the hyphen are 98.3 pt; 7 + 7 are 73.3."""
    assert even("8888888888-888888888", 60.0) == "8888888888-\n888888888"
    assert even("8888888-8888888", 60.0) == "8888888-8888888"


@pytest.mark.parametrize(("digits", "longtable"), [(98, True), (99, False)])
def test_a_scaled_table_goes_on_over_pages_where_the_smallest_type_holds_it(digits, longtable):
    """98 digits at 9 pt are 453.25 pt, of which 0.76 are 344.5 of the 345 of a line; 99 are 348."""
    placed = layout(grid(80, digits), Options(wide="scale"))
    assert placed["scaled"] and placed["longtable"] is longtable


def test_the_rows_that_are_too_many_for_a_slide_are_counted_as_elsewhere():
    text = render_table(grid(1653, 4), "tex", span="page")
    assert "{1,653}" in text and "has 1,653 rows" in text


@pytest.mark.parametrize(("rows", "longtable"), [(26, False), (27, True)])
def test_a_turned_page_holds_26_lines(rows, longtable):
    """300 pt less 36 and a head of 9.6 are 26 lines of 9.6 pt."""
    placed = layout(grid(rows, 60, 30), Options(wide="turn"))
    assert (placed["turned"], placed["longtable"]) == (True, longtable)
    assert str(placed["environment"]) == "table*"


def test_scaled_type_is_only_where_it_was_asked_for():
    """138 digits are 638.25 pt at 9 pt: 345 are 54 in 100 of them."""
    placed = layout(grid(2, 138), Options(wide="scale"))
    assert placed["scaled"] and placed["measure"] == (
        "638 pt wide at 9 pt, scaled to 54% on a line of 345 pt; no other --wide scales type."
    )
    assert width_told(grid(2, 138), Options(wide="scale")).startswith("table t: 638 pt wide")
    assert not layout(grid(2, 60), Options(wide="scale"))["scaled"]
    assert "adjustbox" not in layout(grid(2, 138), Options())["packages"]


@pytest.mark.parametrize(
    ("rows", "digits", "options", "packages"),
    [
        (2, 5, {}, ["booktabs", "threeparttable"]),
        (90, 60, {}, ["booktabs", "threeparttable", "threeparttablex", "longtable"]),
        (2, 100, {}, ["booktabs", "threeparttable", "graphicx"]),
        (
            90,
            100,
            {"wide": "turn"},
            ["booktabs", "threeparttable", "threeparttablex", "longtable", "pdflscape"],
        ),
        (2, 138, {"wide": "scale"}, ["booktabs", "threeparttable", "adjustbox"]),
        (2, 5, {"align": "siunitx"}, ["booktabs", "threeparttable", "siunitx"]),
    ],
)
def test_the_packages_that_a_table_needs(rows, digits, options, packages):
    placed = layout(grid(rows, digits), Options(**options))
    assert list(map(str, placed["packages"])) == packages
    assert str(layout(grid(2, 5), Options(span="page"))["environment"]) == "table*"


def test_latex_puts_out_what_it_holds_after_every_twelve_parts():
    placed = layout(grid(41 * 25, 5), Options(long="parts"))
    flushed = [k for k, part in enumerate(placed["parts"], 1) if part["flush"]]
    assert len(placed["parts"]) > 13 and flushed == list(range(13, len(placed["parts"]) + 1, 12))
    alone = layout(grid(2, 5), Options())["parts"][0]
    assert (alone["title"], alone["first"], alone["flush"]) == ("Title.", True, False)


def test_spanning_heads_count_the_columns_of_their_part():
    columns = (Column("8", "l"), Column("8", "r", "One"), Column("8", "c", "One"), Column("8"))
    table = Grid("t", "T.", columns, (("1",) * 4,))
    (part,) = layout(table, Options())["parts"]
    found = [(g["name"], g["span"], str(g["spec"]), g["first"], g["last"]) for g in part["groups"]]
    assert found == [("", 1, "@{}c", 1, 1), ("One", 2, "c", 2, 3), ("", 1, "c@{}", 4, 4)]
    assert [str(h["spec"]) for h in part["heads"]] == ["@{}l", "r", "c", "r@{}"]
    assert [str(h["align"]) for h in part["heads"]] == ["l", "r", "c", "r"]
    plain = layout(grid(1, 5), Options())["parts"][0]
    assert (plain["groups"], str(plain["heads"][0]["spec"])) == ([], "@{}r@{}")
    numbers = layout(grid(1, 5), Options(align="siunitx"))["parts"][0]
    assert (str(numbers["spec"]), numbers["siunitx"]) == ("S[table-format=5.0]", True)
    assert str(numbers["heads"][0]["align"]) == "c"


def test_choices_that_there_are_not():
    with pytest.raises(ValueError, match="no wide 'high'; there are fit, scale, split, turn"):
        Options(wide="high")
    for name in ("align", "span", "long"):
        with pytest.raises(ValueError, match=f"no {name} 'high'"):
            Options(**{name: "high"})


def test_a_page_that_is_asked_for_has_parts_of_its_height():
    """60 rows of 9.6 pt and heads on pages of 200 pt, of which a caption takes 36: in four parts
    16 rows and their head, 163 pt, leave room.
    """
    table = grid(60, 9, 4)
    made = layout(table, Options(width=307, height=200))
    assert [len(part["rows"]) for part in made["parts"]] == [15, 15, 15, 15]
    assert made["environment"] == "table" and not made["longtable"]
    assert not any(part["flush"] for part in made["parts"])
    assert made["measure"].endswith("in 4 parts, for a line of 307 pt on a page 200 pt high.")
    assert layout(table, Options(height=150))["measure"].count("345 pt on a page 150 pt") == 1
    many = grid(240, 9, 4)
    slides = layout(many, Options(height=200))["parts"]
    assert len(slides) > 12 and not any(part["flush"] for part in slides)


def test_heads_of_models_break_alike():
    """Three heads of three times 12 digits are in three lines. A line of 350 pt has room for one of
    them in two lines, which would make its column wider than the others and the head no lower.
    """
    name = "-".join(["8" * 12] * 3)
    columns = (Column("Eval", "l"), *(Column(name, key=f"model:{k}") for k in range(3)))
    table = Grid("t", "T.", columns, (("8" * 10, *["8" * 12] * 3),))
    made = chosen(table, [Place("given", 350.0)], breaks=True)
    wide = roomier(made, table)
    assert {column.head.count("\n") for column in wide.table.columns[1:]} == {2}
    assert len(set(wide.widths[1:])) == 1


@pytest.mark.parametrize(
    ("digits", "lines"),
    [
        ([20, 20, 20], [[20], [20], [20]]),
        ([14, 14, 14, 14], [[14, 14], [14, 14]]),  # 143.3 pt, and 150 set in
        ([15, 16, 15, 16], [[15], [16], [15], [16]]),  # 158.3 pt, and 165 set in
    ],
)
def test_a_line_of_a_row_name_that_goes_on_is_set_in(digits, lines):
    """Flush with the names it looked like a row without numbers, or like a baseline beside it. Text
    behind numbers is flush. A name of more than 260 pt has 162 in a line (150 at 9 pt); a space has
    3.33, whether it breaks or not.
    """
    name, *_ = names = [" ".join("8" * n for n in some) for some in (digits, *lines)]
    columns = (
        Column("Model", "l"), Column("Baseline", "l"), Column("Mean"), Column("Note", "l")
    )  # fmt: skip
    table = Grid("t", "T.", columns, ((name, name, "8", name),))
    made = chosen(table, [Place("given", 900.0)], breaks=True)
    set_in = "\n\u2007\u2009".join(names[1:])
    assert made.table.cells[0][:2] == (set_in, set_in)
    assert "\n" in made.table.cells[0][3] and "\u2007" not in made.table.cells[0][3]
    points = [
        5 * sum(some) + 3.33 * (len(some) - 1) + 6.66 * (k > 0) for k, some in enumerate(lines)
    ]
    assert made.widths[0] == pytest.approx(max(points) * made.size.wider, abs=0.1)


def test_labels_take_the_room_that_is_left():
    """Questions and answers of a plan, 116 words of 8.9 pt at 10 pt: 18 in a line of 150 pt, or 17
    where it is set in, which left half of a page of 510 pt empty; 30 or 29 in a line of 245. Beside
    six numbers of 13 digits the line is not left.
    """
    text = " ".join("n" * 116)
    place = Place("given", 510.0)
    plain = Grid("t", "T.", (Column("Question", "l"), Column("Answer", "l")), ((text, text),))
    made = chosen(plain, [place], breaks=True)
    assert max(made.widths) < 150
    assert [cell.count("\n") for cell in made.table.cells[0]] == [6, 6]
    wide = roomier(made, plain)
    assert wide.fits and all(220 < w < 246 for w in wide.widths)
    assert {cell.count("\n") for cell in wide.table.cells[0]} == {3}
    assert wide.table.cells[0][0].replace("\n\u2007\u2009", " ") == text
    short = replace(plain, cells=((text[:89], "8"),))
    assert roomier(chosen(short, [place], breaks=True), short).table.cells == short.cells
    columns = (Column("M", "l"), *(Column("8") for _ in range(6)))
    numbers = Grid("t", "T.", columns, ((text, *["8" * 13] * 6),))
    assert roomier(chosen(numbers, [place], breaks=True), numbers).fits


def test_heads_of_models_take_the_room_that_is_left():
    """A head of three times 12 digits is laid out in three lines. On a line of 300 pt, one stands
    in one line, two have room for two lines each, and four for no more than was laid out.
    """
    name = "-".join(["8" * 12] * 3)
    for models, lines in ((1, 1), (2, 2), (4, 3)):
        columns = (Column("Eval", "l"), *(Column(name, key=f"model:{k}") for k in range(models)))
        table = Grid("t", "T.", columns, (("8" * 10, *["8" * 12] * models),))
        place = Place("given", 300.0)
        made = chosen(table, [place], breaks=True)
        assert {c.head.count("\n") for c in made.table.columns[1:]} == {2}
        wide = roomier(made, table)
        assert {c.head.count("\n") + 1 for c in wide.table.columns[1:]} == {lines}
        assert wide.fits and wide.parts == made.parts


def test_a_spanning_head_breaks_evenly():
    """Two columns of 6 digits and 8 pt between them are 63.5 pt wide, 68.6 at 10 pt: there the
    words take 76.6, and all but the last of them 66.6.
    """
    columns = (Column("Model", "l"), *(Column(h, group="Evals on which it") for h in ("a", "b")))
    table = Grid("t", "T.", columns, (("m", "8" * 6, "8" * 6),))
    made = chosen(table, [IN_COLUMN], breaks=True)
    assert [c.group for c in made.table.columns[1:]] == ["Evals on\nwhich it"] * 2


# Comparisons of every two models ------------------------------------------------------------------


def comparisons(models: int, digits: int, name: int = 60, columns: int = 4) -> Grid:
    """Each model minus each before it: names of so many digits, and columns of numbers."""
    names = [f"{k}".rjust(name, "8") for k in range(models)]
    pairs = [(b, a) for i, a in enumerate(names) for b in names[i + 1 :]]
    numbers = ["9" * digits] * columns
    labels = (Column("Model", "l", key="model"), Column("Baseline", "l", key="baseline"))
    heads = (*labels, *(Column("8" * digits) for _ in numbers))
    return Grid("t", "Title.", heads, tuple((b, a, *numbers) for b, a in pairs))


def test_what_no_line_holds_stands_below_a_heading_for_each_baseline():
    """At 8 pt four columns of 18 digits are 4 x 76.5, names of 30 digits 127.5: with two of them
    561 + 5 x 6 = 591 pt, too wide for a turned page. With a number for the baseline (its head has
    the letters "Baseline", of 39 pt in cmr10 at 10 pt) it is one part.
    """
    table = comparisons(4, 18, 30)
    placed = layout(table, Options(long="parts"))
    (part,) = placed["parts"]
    assert [h["text"] for h in part["heads"]][:2] == ["Model", "Baseline"]
    names = {k: f"{k}".rjust(30, "8") for k in range(4)}
    said = [
        ([h["text"].replace("\n", "") for h in row["headings"]], row["cells"][1]["text"])
        for row in part["rows"]
    ]
    assert said == [
        ([f"Baseline 1: {names[0]}"], "1"), ([], "1"), ([], "1"),
        ([f"Baseline 2: {names[1]}"], "2"), ([], "2"),
        ([f"Baseline 3: {names[2]}"], "3"),
    ]  # fmt: skip


def test_a_baseline_of_two_hundred_letters_is_said_once():
    """Eight of 36 comparisons have it, in seven lines each: three parts took four pages each. Below
    headings they take three, in larger type.
    """
    names = ["8" * 200, *(f"{k}".rjust(38, "8") for k in range(8))]
    pairs = [(b, a) for i, a in enumerate(names) for b in names[i + 1 :]]
    labels = (Column("Model", "l", key="model"), Column("Baseline", "l", key="baseline"))
    table = Grid("t", "T.", (*labels, *[Column("8" * 12)] * 8), ())
    table = replace(table, cells=tuple((*pair, *["9" * 12] * 8) for pair in pairs))
    placed = layout(table, Options())
    headings = [h["text"] for row in placed["parts"][0]["rows"] for h in row["headings"]]
    assert [h.partition(":")[0] for h in headings] == [f"Baseline {k}" for k in range(1, 9)]
    assert (len(placed["parts"]), placed["size"].points) == (3, 9)


def test_parts_of_grouped_comparisons_repeat_the_number():
    """Eight columns of 76.5 + 6 pt: a turned page of 539 holds four beside 127.5 + 6 and 34 + 6,
    and three beside two names.
    """
    placed = layout(comparisons(4, 18, 30, columns=8), Options(wide="turn"))
    assert len(placed["parts"]) == 2
    for part in placed["parts"]:
        assert [row["cells"][1]["text"] for row in part["rows"]] == ["1", "1", "1", "2", "2", "3"]


def test_what_a_line_holds_names_the_baseline_in_each_row():
    placed = layout(comparisons(4, 4, 10), Options())
    assert placed["parts"][0]["rows"][0]["cells"][1]["text"] == "0".rjust(10, "8")
    assert not any(row["headings"] for row in placed["parts"][0]["rows"])


def test_of_models_in_an_order_of_their_own_the_rows_of_each_model_stand_below_its_heading():
    """Each model minus each after it, as of up to nine models: a baseline's rows are apart."""
    table = comparisons(4, 18, 30)
    turned = tuple((row[1], row[0], *row[2:]) for row in table.cells)
    (part,) = layout(replace(table, cells=turned), Options(long="parts"))["parts"]
    said = [(len(row["headings"]), row["cells"][0]["text"]) for row in part["rows"]]
    assert said == [(1, "1"), (0, "1"), (0, "1"), (1, "2"), (0, "2"), (1, "3")]
    [second] = part["rows"][3]["headings"]
    assert second["text"] == "Model 2: " + "1".rjust(30, "8")


def test_baselines_whose_rows_are_apart_have_no_headings():
    table = comparisons(4, 4)
    assert below_baselines(replace(table, cells=(*table.cells, table.cells[0]))) is None
    assert below_baselines(replace(table, sections=((0, "A"),))) is None
    assert below_baselines(replace(table, columns=table.columns[:1], cells=(("a",),))) is None


def test_one_baseline_is_said_once_above_the_rows():
    table = comparisons(4, 4)
    bold = frozenset({(0, 0), (1, 1), (2, 2)})
    values = tuple((None, None, 1.0, 2.0, 3.0, 4.0) for _ in range(3))
    made = below_baselines(replace(table, cells=table.cells[:3], values=values, bold=bold))
    assert made.sections == ((0, f"Baseline: {table.cells[0][1]}"),)
    assert [c.key for c in made.columns][:2] == ["model", ""]
    assert made.cells[0] == (table.cells[0][0], *["9" * 4] * 4)
    assert made.values[0] == (None, 1.0, 2.0, 3.0, 4.0)
    assert made.bold == frozenset({(0, 0), (2, 1)})


def test_a_heading_stays_with_the_row_below_it():
    text = render_table(replace(comparisons(12, 12, 30)), "tex", wide="split")
    assert r"\begin{longtable}" in text
    headings = [line for line in text.splitlines() if r"{@{}l}{\textit{Baseline 3:" in line]
    assert headings and all(line.endswith(r"\\*") for line in headings)


def test_two_rows_of_a_section_share_a_page():
    """The first two below a heading, and the last two above the next. Sections of 3, 1, 2 and 14
    rows, and of the rest; that of one row has nothing to share, nor has a tall row. The last of
    each is held to what says that its heading does not go on, below which a page may end.
    """
    table = grid(100, 60, label=10, sections=tuple((i, f"S {i}") for i in (0, 3, 4, 6, 20)))
    cells = list(table.cells)
    cells[20] = ("7\n7\n7\n7", cells[20][1])
    text = render_table(replace(table, cells=tuple(cells)), "tex")
    assert r"\begin{longtable}" in text
    rows = [line for line in text.splitlines() if re.search(r" & \d+ \\\\", line)]
    assert len(rows) == 100
    held = {i for i, line in enumerate(rows) if line.endswith(r"\\*")}
    ends = {2, 3, 5, 19}
    assert held == {0, 1, 4, 6, 18} | ends | set(range(95, 100))  # the last five, with notes
    lines = text.splitlines()
    after = [lines[lines.index(rows[i]) + 1] for i in sorted(ends)]
    assert after == [r"\noalign{\rkstops\penalty0 }"] * 4


def test_a_last_section_of_one_row_shares_its_page_with_the_rows_above():
    """It stood alone on a page with the notes: a page may end below a section, but for the last
    five rows.
    """
    table = grid(100, 60, label=10, sections=tuple((i, f"S {i}") for i in (0, 94, 98, 99)))
    lines = render_table(table, "tex").splitlines()
    after = [line for line in lines if line.startswith(r"\noalign{\rkstops")]
    assert after == [rf"\noalign{{\rkstops{end} }}" for end in (r"\penalty0", *[r"\nobreak"] * 2)]


def test_two_rows_of_an_eval_share_a_page():
    """As of a section: runs of 3, 1, 2 and 14 rows with one label, and of the rest."""
    table = grid(100, 60, label=10)
    names = [name for k, n in enumerate((3, 1, 2, 14, 80)) for name in [f"eval-{k}"] * n]
    cells = tuple((name, *row[1:]) for name, row in zip(names, table.cells, strict=True))
    text = render_table(replace(table, cells=cells), "tex")
    assert r"\begin{longtable}" in text and "rkstops" not in text
    rows = [line for line in text.splitlines() if re.search(r"eval-\d.* \\\\", line)]
    held = {i for i, line in enumerate(rows) if line.endswith(r"\\*")}
    assert held == {0, 1, 4, 6, 18, 20} | {95, 96, 97, 98, 99}  # and the last five, with the notes


def test_the_last_rows_share_their_page_where_a_group_begins_among_them():
    """Sections that begin six, four, two rows and one row before the end: a page may end above
    the last five rows, or behind a tall one of them.
    """
    starts = (0, 54, 56, 58, 59)
    table = grid(60, 60, label=10, sections=tuple((i, f"S {i}") for i in starts))
    ends = [r"\penalty0", r"\nobreak", r"\nobreak", r"\nobreak"]
    for tall, expected in ((None, ends), (58, [*ends[:3], r"\penalty0"])):
        cells = list(table.cells)
        if tall:
            cells[tall] = ("7\n7\n7\n7", cells[tall][1])
        text = render_table(replace(table, cells=tuple(cells)), "tex")
        assert re.findall(r"\\noalign\{\\rkstops(\S+) \}", text) == expected


LONG = "8" * 19 + "/" + "8" * 20  # 40 characters of 5 pt: 200 pt at 10 pt


def with_names(*names: str, columns: int = 3) -> Grid:
    """Beside the names, columns of 12 digits: 55.5 + 8 pt each at 9 pt."""
    heads = (Column("8", "l"), *[Column("8" * 12, "r")] * columns)
    return Grid("t", "Title.", heads, tuple((name, *["9" * 12] * columns) for name in names))


def test_a_name_that_was_broken_stands_in_one_line_where_there_is_room():
    """In one line 0.925 x 200 + 3 x 63.5 = 375.5 pt at 9 pt: a line of 375.5 / 0.98 = 383.2 pt, of
    which LaTeX measures the name; all else is gaps of 3 x 8 pt and 3 x 12 digits, 3.6 / 0.98 =
    3.674 times ten.
    """
    table = with_names(LONG)
    assert layout(table, Options())["whole"] == "384"
    text = render_table(table, "tex")
    assert "8/\\rkbreak{}{\\phantom{0}\\,}8" in text
    assert rf"\setbox0\hbox{{\vbox{{\hbox{{{LONG}}}}}}}\setbox2\hbox{{0123456789}}%" in text
    assert (
        r"\ifdim\linewidth<\dimexpr\wd0+3.68\wd2+24pt\relax \else \let\rkbreak\rkwhole \fi" in text
    )
    assert text.index(r"\providecommand{\rkbreak}") < text.index(r"\providecommand{\rkwhole}")
    assert "8\\rkbreak{ }{\\phantom{0}\\,}8" in render_table(
        with_names(LONG.replace("/", " ")), "tex"
    )


def test_what_replaces_a_break_is_what_stood_in_the_name():
    text = render_table(with_names("[a" + "8" * 17 + "] %" + "8" * 20), "tex")
    assert "8{]}\\rkbreak{ }{\\phantom{0}\\,}\\%8" in text


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("8" * 29 + "/" + "8" * 30, id="300 pt, more than 260"),
        pytest.param("8" * 19 + "/" + "8" * 19 + "\N{HEBREW LETTER ALEF}", id="codes in pdflatex"),
    ],
)
def test_other_names_stay_in_lines(name):
    assert layout(with_names(name), Options())["whole"] == ""
    text = render_table(with_names(name), "tex")
    assert "8/" in text and "rkbreak" not in text and "rkwhole" not in text
    assert layout(with_names(LONG, name), Options())["whole"] == "384"


@pytest.mark.parametrize("broken", [LONG, "8" * 29 + "/" + "8" * 30])
def test_all_texts_of_a_table_of_text_break_or_none(broken):
    """Of a plan some answers stood in one line and others in three, where the text was wide. One of
    300 pt stays broken, and one of 200 does not.
    """
    table = Grid("t", "T.", (Column("Q", "l"), Column("A", "l")), ((LONG, "9"), ("8", broken)))
    together = broken == LONG
    assert bool(layout(table, Options())["whole"]) == together
    assert ("rkbreak" in render_table(table, "tex")) == together


def test_no_name_is_put_together_again_in_a_table_that_is_scaled():
    table = with_names(LONG, columns=5)
    assert layout(table, Options(wide="scale"))["whole"] == ""
    assert "rkwhole" not in render_table(table, "tex", wide="scale")


def test_all_parts_put_names_together_on_the_same_lines():
    """Of three and of two columns beside the name: the wider part says from where on."""
    placed = layout(with_names(LONG, columns=5), Options(wide="split"))
    assert [part["n"] for part in placed["parts"]] == [4, 3]
    assert placed["whole"] == "384"


def test_names_of_a_long_matrix_stand_in_one_line():
    """58 names of 30 digits are 127.5 pt at 8 pt and leave room for 8 columns of 19 + 6; broken in
    two, for more, but then the pages hold half the rows.
    """
    columns = (
        Column("Model", "l"),
        *(Column(f"{k}", key=f"{MODEL_KEY}{k}") for k in range(1, 59)),
    )
    cells = tuple(("8888 " * 6 + f"{k:02}", *["0.99"] * 58) for k in range(58))
    placed = layout(Grid("t", "Title.", columns, cells), Options())
    assert placed["longtable"]
    assert not any("\n" in row["cells"][0]["text"] for row in placed["parts"][0]["rows"])


def labels(rows: int) -> Grid:
    """Rows of a suite's table of data: two columns of labels, three of numbers."""
    columns = (*(Column(head, "l") for head in ("Eval", "Model")), *map(Column, "abc"))
    row = ("MMLU-Pro computer science", "gemini-1.5-flash-002-preview", "1,234", "99.9%", "1,234")
    return Grid("t", "Title.", columns, (row,) * rows)


@pytest.mark.parametrize(
    ("rows", "lines", "pieces"),
    [
        (12, 2, 1),  # in a column both labels have two lines, of 9.6 pt each: 230 pt
        (40, 1, 1),  # 768 pt there, two pages; on 345 pt labels are whole, and one page holds 384
        (99, 2, 5),  # 950 pt even so
    ],
)
def test_labels_are_whole_where_a_longer_line_holds_the_table_in_one_piece(rows, lines, pieces):
    placed = layout(labels(rows), Options())
    [row, *_] = placed["parts"][0]["rows"]
    assert row["cells"][0]["text"].count("\n") == lines - 1
    assert len(placed["parts"]) == pieces
    assert not placed["longtable"]


def test_notes_have_a_line_of_their_own_width_below_a_last_part_of_facts():
    """The parts are 332, 332 and 166 points wide; notes have 240 at least."""
    models = (Column("meta-llama-3.1-70B-Instruct", key=f"{MODEL_KEY}{k}") for k in range(6))
    columns = (Column("Eval", "l"), Column("Questions"), Column("Clusters"), *models)
    row = (
        "MMLU-Pro psychology",
        "1,234",
        "12",
        *["65.5% (10.7%) \N{DAGGER}\N{DAGGER}\N{DAGGER}"] * 6,
    )
    made = Grid("t", "Title.", columns, (row,) * 4, notes=("A note.",), fit=True)
    first, second, last = render_table(made, "tex").split(r"\end{threeparttable}")[:-1]
    assert r"\def\TPTminimum{240pt}" in last and "TPTminimum" not in first + second


# Slides -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "digits", "notes", "told"),
    [
        (2, 73, (), ""),  # 73 x 4.625 pt at 9 pt: scaled by 307 / 337.6 they are in 8.2 pt
        # its notes are in 8 x 307 / 337.6
        (2, 73, ("A note.",), "A slide of beamer has it in type of 7.3 pt: "),
        (2, 66, ("A note.",), ""),  # 305.25 pt
        (2, 80, (), "A slide of beamer has it in type of 7.5 pt: "),  # 370 pt: 9 x 307 / 370
        (2, 97, (), "A slide of beamer has it in type of 6.2 pt: "),  # 448.6 pt: 9 x 307 / 448.6
        # its notes are in 8 x 307 / 448.6, which alone leaves no row out
        (2, 97, ("A note.",), "A slide of beamer has it in type of 5.5 pt: "),
        (2, 117, (), "A slide of beamer may have no room for it: "),  # 497.25 pt at 8 pt: in 4.9 pt
        (60, 73, (), "A slide of beamer has no room for it: "),
    ],
)
def test_a_table_too_wide_for_a_slide_says_how_to_have_it_there(rows, digits, notes, told):
    made = grid(rows, digits, notes=notes)
    rest = (
        "reportkit table KIND SCORES --format tex --width 307 --height 200 makes parts for slides."
    )
    assert layout(made, Options())["slide"] == (told and told + rest)
    lines = render_table(made, "tex").splitlines()
    assert ("% " + told + rest in lines) == bool(told)
    assert layout(made, Options(width=307, height=200))["slide"] == ""


def test_how_to_have_a_table_on_slides_stands_in_the_third_line_with_codes_too():
    """It stood behind the macros of the codes, on line 8 of hostile names."""
    made = grid(2, 80)
    made = replace(made, cells=(("\u901a", *made.cells[0][1:]), *made.cells[1:]))
    lines = render_table(made, "tex").splitlines()
    assert lines[2].startswith("% A slide of beamer has it in type of ")
    assert lines[3].startswith(r"\providecommand{\rkchar}")


def test_a_table_of_a_plan_names_its_own_command_for_slides():
    """It was told to ask reportkit table, which has no planning-public."""
    made = replace(grid(2, 117), name="planning-public")
    assert layout(made, Options())["slide"].endswith(
        ": reportkit power --table planning-public --format tex --width 307 --height 200 makes "
        "parts for slides."
    )


def test_a_page_that_goes_on_says_so_in_the_type_of_the_table():
    """\\footnotesize is 7 pt in acmart."""
    text = render_table(grid(60, 60), "tex")
    assert r"{continued} \\" in text and r"\fontsize{" in text and "footnotesize" not in text


@pytest.mark.parametrize("kind", ["ranks", "power", "differences"])
def test_a_table_without_rows_is_written(kind):
    """One model has no ranks and no pairs: a head and its notes are left."""
    scores = pd.DataFrame({"model": "A", "question_id": range(5), "score": [1, 0, 1, 1, 0]})
    table = make_table(reportkit.analyse(scores)[0], kind)
    text = render_table(table, "latex")
    assert not table.cells and r"\begin{tabular}" in text and "continued" not in text


def test_labels_of_a_report_take_the_room_that_its_line_has():
    """A label of 72 letters of 5 pt and 8 spaces of 3.33, 387 pt at 10 pt and 358 at 9, broke at
    150 pt on the line of 455 that report.tex has.
    """
    label = " ".join(["8" * 8] * 9)
    table = Grid("t", "T.", (Column("M", "l"), Column("8")), ((label, "1"),))
    (row,) = layout(table, Options(width=REPORT_LINE))["parts"][0]["rows"]
    assert row["cells"][0]["text"] == label


def test_the_rule_below_a_group_ends_with_the_edge_of_the_table():
    """The rule under the last group was half a gap short of the rules above and below it."""
    groups = ("a", "a", "", "b", "b")
    columns = tuple(Column("8", group=group) for group in groups)
    text = render_table(Grid("t", "T.", columns, (("1",) * 5,)), "tex")
    assert re.findall(r"\\cmidrule.*", text) == [r"\cmidrule(r){1-2}\cmidrule(l){4-5}"]
    inside = (Column("8"), Column("8", group="a"), Column("8", group="a"), Column("8"))
    text = render_table(Grid("t", "T.", inside, (("1",) * 4,)), "tex")
    assert r"\cmidrule(lr){2-3}" in text


@pytest.mark.parametrize(("evals", "held"), [(3, 6), (2, 1)])
def test_rows_of_an_eval_stay_together_on_slides(evals, held):
    """Of the three rows of each eval the first two end in no place for a break; six rows in all are
    on most slides, but for the last two, which stay together anyway.
    """
    rows = [(f"E-{k}", f"m-{i}") for k in range(evals) for i in range(3)]
    text = render_table(Grid("t", "T.", (Column("Eval", "l"), Column("M", "l")), rows), "tex")
    assert text.count(r"\\ \noalign{\nobreak}") == held


@pytest.mark.parametrize(("n", "held"), [(4, 0), (5, 1)])
def test_the_last_row_of_a_table_has_no_slide_to_itself(n, held):
    """Of 15 comparisons of six models the last, of a model of its own, had one; so had the last of
    five rows. Four rows are on any slide.
    """
    rows = [(f"m-{i}", "1") for i in range(n)]
    text = render_table(Grid("t", "T.", (Column("Model", "l"), Column("8")), rows), "tex")
    tied = [line for line in text.splitlines() if line.endswith(r"\\ \noalign{\nobreak}")]
    assert [line[:3] for line in tied] == [f"m-{n - 2}"] * held


def test_a_number_has_no_line_of_a_cell_to_itself():
    """ "5" stood below "364 clusters of" in the answers of a plan, in report.tex."""
    label = "1,820 (1,510 to 2,000) questions, in 364 clusters of 5"
    assert label_lines(label, text_width(label) - 1.0, False).splitlines()[1] == "of 5"
    name = "gemini-1.5-flash-002"
    assert label_lines(name, text_width(name) - 1.0, False) == "gemini-1.5-flash-\n002"


def by_evals(scores: dict[str, str], evals: int, **fields) -> Table:
    """Models by evals. scores: of each model a letter for each eval: x where it has a score."""
    columns = [Column("Model", "l", key="model")]
    columns += [Column(f"eval-{j}", key=f"{EVAL_KEY}{j}") for j in range(evals)]
    cells = tuple(
        (model, *("65.5% (0.7%)" if x == "x" else DASH for x in own))
        for model, own in scores.items()
    )
    return Table("suite", "T.", tuple(columns), cells, fit=True, **fields)


# Lines of 150 pt have room for two evals beside the names.
GAPS = {"A": "xx--", "B": "---x", "C": "xxxx", "D": "----"}


def test_a_part_leaves_out_the_models_without_a_score_in_its_evals():
    table = by_evals(GAPS, 4, notes=("A note.",))
    made = layout(table, Options(width=150))
    names = [[row["cells"][0]["text"] for row in part["rows"]] for part in made["parts"]]
    assert names == [["A", "C"], ["B", "C"]]
    text = render_table(table, "tex", width=150)
    assert text.count(LEFT_OUT) == 1 and "A note. Each part" in text
    whole = render_table(table, "tex", width=400)  # not cut
    assert LEFT_OUT not in whole and all(f"\n{m} &" in whole for m in GAPS)


def test_parts_are_cut_where_evals_share_no_model_if_that_takes_one_part_more_at_most():
    """Evals of different models stood in one part, and half of its cells were dashes."""

    def heads(scores: dict[str, str]) -> list[str]:
        parts = layout(by_evals(scores, 6), Options(width=150))["parts"]
        return ["".join(h["text"][-1] for h in part["heads"][1:]) for part in parts]

    assert heads({"A": "xxx---", "B": "---xxx"}) == ["01", "2", "34", "5"]
    assert heads({"A": "xxx---", "B": "---xxx", "C": "--xx--"}) == ["01", "23", "45"]
    own = {f"m{i}": "-" * i + "x" + "-" * (5 - i) for i in range(6)}
    assert heads(own) == ["01", "23", "45"]  # six parts are three more


def test_a_part_without_any_score_and_parts_of_other_tables_have_all_rows():
    table = by_evals({"A": "xx--", "B": "xx--"}, 4)
    for grid in (table, replace(table, fit=False)):
        parts = layout(grid, Options(width=150))["parts"]
        assert [len(part["rows"]) for part in parts] == [2, 2]
        assert LEFT_OUT not in render_table(grid, "tex", width=150)


def test_the_rows_of_a_part_keep_their_headings_and_their_bold():
    sections = ((0, "Ours"), (2, "Published"))
    table = by_evals(GAPS, 4, sections=sections, bold=frozenset({(2, 3)}))
    parts = layout(table, Options(width=150))["parts"]
    told = [
        [(h["text"], row["cells"][0]["text"]) for row in part["rows"] for h in row["headings"]]
        for part in parts
    ]
    assert told == [[("Ours", "A"), ("Published", "C")], [("Ours", "B"), ("Published", "C")]]
    bold = [[c["bold"] for row in part["rows"] for c in row["cells"]] for part in parts]
    assert bold == [[False] * 6, [False, False, False, False, True, False]]


def test_slides_have_as_many_rows_as_their_models_need():
    """A page 200 pt high holds 15 of these rows, as above; 30 models are 20 and 10 in two parts."""
    scores = {f"m{i}": "xx--" if i < 20 else "--xx" for i in range(30)}
    parts = layout(by_evals(scores, 4), Options(width=150, height=200))["parts"]
    assert [len(part["rows"]) for part in parts] == [10, 10, 10]
    assert [part["piece"][-2:] for part in parts] == ["3)"] * 3


def test_parts_in_typst_leave_out_models_too():
    """A line of A4 holds 8 of these evals beside the names: 12 are in two parts of 6."""
    scores = {"A": "x" * 12, "B": "-" * 11 + "x", "C": "x" + "-" * 11}
    table = by_evals(scores, 12, notes=("A note.",), sections=((0, "Ours"), (2, "Published")))
    parts = render_table(table, "typ").split("notes => table(")[1:]
    names = [re.findall(r'fill: rgb\("#fff0"\)\)\[(\w)\]', part) for part in parts]
    assert names == [["A", "C"], ["A", "B"]]
    heads = [re.findall(r"#emph\[(\w+)\]", t) for t in parts]
    assert heads == [["Ours", "Published"], ["Ours"]]
    assert render_table(table, "typ").count(LEFT_OUT) == 1
