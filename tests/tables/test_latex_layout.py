"""How LaTeX tables are laid out, without LaTeX: a digit is 5 pt wide (cmr10 at 10 pt) and columns
stand 12 pt apart, so that every width is a sum by hand. Each cell is printed once, in every layout.
"""

import itertools

import pytest

from reportkit.tables.grid import Column, Grid
from reportkit.tables.latex import Options, layout, tex_width, width_warning


def grid(rows: int, *digits: int, label: int = 0, **fields) -> Grid:
    """Columns of so many digits each, after a label column; cell (i, j) begins with its row."""
    widths = [label, *digits] if label else list(digits)
    aligns = ["l" if label and j == 0 else "r" for j in range(len(widths))]
    columns = tuple(Column("8" * w, a) for w, a in zip(widths, aligns, strict=True))
    cells = tuple(tuple(f"{i}".rjust(w, "9") for w in widths) for i in range(rows))
    return Grid("t", "Title.", columns, cells, **fields)


@pytest.mark.parametrize(
    ("digits", "width"), [((4,), 20.0), ((4, 6), 62.0), ((10, 20, 30), 324.0), ((), 0.0)]
)
def test_the_width_is_that_of_the_columns_and_what_stands_between_them(digits, width):
    assert tex_width(grid(2, *digits)) == width


def test_the_widest_of_head_cells_group_and_heading_counts():
    columns = (Column("88", "r", "8" * 20), Column("8", "r", "8" * 20), Column("8888"))
    table = Grid("t", "T.", columns, (("1", "12345", "1"), ("1", "1", "1")))
    # the spanning head is 100 pt, its columns are 10 + 12 + 25; beside it 12 + 20
    assert tex_width(table) == 132.0
    bold = Grid("t", "T.", (Column("8"),), (("12",), ("34",)), bold=frozenset({(1, 0)}))
    assert tex_width(bold) == 11.5  # cmbx10's digits are 5.75 pt
    headed = Grid("t", "T.", (Column("8"),), (("1",),), sections=((0, "8" * 9),))
    assert tex_width(headed) == 45.0


@pytest.mark.parametrize(("digits", "said"), [(70, ""), (71, "97%"), (138, "50%")])
def test_a_table_wider_than_the_page_says_so(digits, said):
    """345 pt are the page; 2 in 100 more are no matter: 350 of 351.9, but not 355."""
    text = width_warning(grid(1, digits))
    if not said:
        assert text == ""
        return
    assert text == (
        f"table t is {5 * digits} pt wide at 10 pt, the text of article 345 pt: it is scaled to "
        f"{said}; choose --wide split or turn"
    )


def printed(placed: dict) -> list[str]:
    """All cells of all parts, without the labels at the left."""
    return [
        f"{cell['before']}{cell['number']}{cell['text']}"
        for part in placed["parts"]
        for row in part["rows"]
        for cell in row["cells"]
    ]


@pytest.mark.parametrize("wide", ["scale", "split", "turn"])
@pytest.mark.parametrize("long", ["longtable", "parts"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 2), (3, 30), (41, 9), (90, 2)])
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


def parts_of(table: Grid, **options) -> list[tuple[int, int]]:
    """Columns and rows of each part."""
    found = layout(table, Options(**options))["parts"]
    return [(part["n"], len(part["rows"])) for part in found]


def test_columns_are_split_evenly_with_the_labels_at_the_left():
    """A label of 50 pt and columns of 50 + 12: 4 fit in 345 pt. Of 9 that makes three parts, of 3
    each; of 6 two.
    """
    table = grid(2, *[10] * 9, label=10)
    assert parts_of(table, wide="split") == [(4, 2)] * 3
    placed = layout(grid(2, *[10] * 6, label=10), Options(wide="split"))
    assert [part["n"] for part in placed["parts"]] == [4, 4]
    for number, part in enumerate(placed["parts"], 1):
        assert part["title"] == f"Title (part {number} of 2)."
        assert part["rows"][1]["cells"][0]["text"] == "9999999991"
        assert part["spec"] == "lrrr" and part["first"] == (number == 1)
    assert str(placed["measure"]).endswith("Split into 2 parts.")


@pytest.mark.parametrize("digits", [69, 70])
def test_a_table_of_the_pages_width_stays_whole(digits):
    """69 digits are the 345 pt of the page."""
    table = grid(2, digits - 20, 10, label=5)
    width = tex_width(table)
    assert width == 5 * (digits - 5) + 24
    assert len(parts_of(table, wide="split")) == 1 + (width > 345)


def test_a_third_of_a_point_too_wide_is_too_wide():
    """68 digits and a q of 5.28 pt are 345.28 pt."""
    table = Grid("t", "T.", (Column("8"),), (("8" * 68 + "q",),))
    assert tex_width(table) == 345.3
    assert layout(table, Options(wide="turn"))["turned"]


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        (40, {"long": "parts"}, [(2, 40)]),
        (41, {"long": "parts"}, [(2, 40), (2, 1)]),
        (90, {"long": "parts"}, [(2, 40), (2, 40), (2, 10)]),
        (90, {}, [(2, 90)]),
    ],
)
def test_rows_of_a_long_table(rows, options, expected):
    table = grid(rows, 5, 5)
    assert parts_of(table, **options) == expected
    placed = layout(table, Options(**options))
    assert placed["longtable"] == (rows > 40 and not options)
    assert placed["fit"] is False


def test_rows_of_several_lines_and_headings_take_their_place():
    """20 rows of two lines are 40 lines; a heading above one of them makes 41."""
    cells = tuple((f"{i}\n1",) for i in range(20))
    table = Grid("t", "T.", (Column("8"),), cells)
    assert parts_of(table, long="parts") == [(1, 20)]
    headed = Grid("t", "T.", (Column("8"),), cells, sections=((19, "Maths"), (19, "Hard")))
    placed = layout(headed, Options(long="parts"))
    assert [len(part["rows"]) for part in placed["parts"]] == [19, 1]
    last = placed["parts"][1]["rows"][0]
    assert (last["headings"], last["first"]) == (["Maths", "Hard"], True)
    assert placed["parts"][0]["rows"][1]["first"] is False
    assert placed["parts"][0]["rows"][1]["headings"] == []


@pytest.mark.parametrize(("rows", "long"), [(24, False), (25, True)])
def test_a_turned_page_holds_24_lines(rows, long):
    placed = layout(grid(rows, 50, 30), Options(wide="turn"))
    assert (placed["turned"], placed["longtable"]) == (True, long)
    narrow = layout(grid(rows, 20), Options(wide="turn"))
    assert (narrow["turned"], narrow["longtable"]) == (False, False)


@pytest.mark.parametrize(
    ("digits", "wide", "longtable", "parts"),
    [
        (103, "scale", True, 1),
        (104, "scale", False, 2),
        (165, "turn", True, 1),
        (166, "turn", False, 2),
    ],
)
def test_a_longtable_too_wide_for_tiny_print_is_set_in_parts(digits, wide, longtable, parts):
    """One and a half times the page: 517.5 pt, and 825 pt of a turned one."""
    placed = layout(grid(41, digits), Options(wide=wide))
    assert placed["longtable"] == longtable
    assert (len(placed["parts"]) > 1) == (parts > 1)


@pytest.mark.parametrize(("digits", "fit"), [(58, False), (59, True)])
def test_a_longtable_near_the_width_of_the_page_is_fitted(digits, fit):
    """0.85 of 345 pt are 293.25."""
    assert layout(grid(41, digits), Options())["fit"] is fit
    assert layout(grid(40, digits), Options())["fit"] is False


WIDTH = "at 10pt; a line of article has 345pt, of NeurIPS 397pt, of a column about 252pt."


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        (grid(2, 69), {}, f"Its own width is 345pt {WIDTH}"),
        (
            grid(2, 138),
            {},
            f"Its own width is 690pt {WIDTH} Scaled to the line: 50% of its size in article.",
        ),
        (
            grid(41, 100),
            {},
            f"Its own width is 500pt {WIDTH} Set in smaller type where it does not fit: 69% of its "
            "size in article.",
        ),
        (grid(2, 138), {"wide": "turn"}, f"Its own width is 690pt {WIDTH} Turned by 90 degrees."),
        (
            grid(2, 138),
            {"wide": "split"},
            f"Its own width is 690pt {WIDTH} Scaled to the line: 50% of its size in article.",
        ),
        (
            grid(2, 50, 50),
            {"wide": "split"},
            f"Its own width is 512pt {WIDTH} Split into 2 parts.",
        ),
    ],
)
def test_what_is_said_of_the_width(table, options, said):
    assert str(layout(table, Options(**options))["measure"]) == said


@pytest.mark.parametrize(
    ("rows", "digits", "options", "packages"),
    [
        (2, 5, {}, ["booktabs", "threeparttable", "adjustbox"]),
        (41, 5, {}, ["booktabs", "threeparttable", "threeparttablex", "longtable"]),
        (2, 138, {"wide": "turn"}, ["booktabs", "threeparttable", "adjustbox", "rotating"]),
        (
            41,
            138,
            {"wide": "turn"},
            ["booktabs", "threeparttable", "threeparttablex", "longtable", "pdflscape"],
        ),
        (
            2,
            5,
            {"align": "siunitx"},
            ["booktabs", "threeparttable", "adjustbox", "siunitx"],
        ),
    ],
)
def test_the_packages_that_a_table_needs(rows, digits, options, packages):
    placed = layout(grid(rows, digits), Options(**options))
    assert list(map(str, placed["packages"])) == packages
    star = str(layout(grid(2, 5), Options(span="page"))["star"])
    assert (star, str(placed["star"])) == ("*", "")


def test_latex_puts_out_what_it_holds_after_every_twelve_parts():
    placed = layout(grid(40 * 25, 5), Options(long="parts"))
    assert len(placed["parts"]) == 25
    flushed = [k for k, part in enumerate(placed["parts"], 1) if part["flush"]]
    assert flushed == [13, 25]
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
    with pytest.raises(ValueError, match="no wide 'high'; there are scale, split, turn"):
        Options(wide="high")
    for name in ("align", "span", "long"):
        with pytest.raises(ValueError, match=f"no {name} 'high'"):
            Options(**{name: "high"})
