"""Tables made from a table keep each cell's text, number and fields together, all by hand."""

import math
from dataclasses import replace

import pytest

from reportkit.tables.grid import Column
from reportkit.tables.notes import Note
from reportkit.tables.table import Table

TABLE = Table(
    "t",
    "T.",
    (
        Column("Model", "l", key="model"),
        Column("Baseline", "l", key="baseline"),
        Column("x\ny", key="x"),
    ),
    (("A", "B", "1!"), ("A", "C", "2!"), ("B", "C", "3!")),
    ((None, None, 1.0), (None, None, 2.0), (None, None, 3.0)),
    notes=("All.", Note("Of x.", about="x"), Note("Of kinds.", "k")),
    bold=frozenset({(0, 2), (2, 0)}),
    fields=tuple(({"Model": m}, {"Baseline": b}, {"x": x, "SE": x / 10}) for m, b, x in
                 (("A", "B", 1.0), ("A", "C", 2.0), ("B", "C", 3.0))),
)  # fmt: skip


def test_models_in_another_order_take_their_whole_rows_along():
    """C first: among A's pairs the one with C comes first, and then B's, since no row begins
    with C.
    """
    table = TABLE.with_models("C")
    assert table.cells == (("A", "C", "2!"), ("B", "C", "3!"), ("A", "B", "1!"))
    assert table.values == ((None, None, 2.0), (None, None, 3.0), (None, None, 1.0))
    assert [row[2] for row in table.fields] == [
        {"x": 2.0, "SE": 0.2},
        {"x": 3.0, "SE": 0.3},
        {"x": 1.0, "SE": 0.1},
    ]
    assert table.bold == {(2, 2), (1, 0)}
    assert table.data[0] == {"Model": "A", "Baseline": "C", "x": 2.0, "SE": 0.2}
    assert [row[:2] for row in TABLE.with_models("B", "A").cells] == [
        ("B", "C"), ("A", "B"), ("A", "C"),
    ]  # fmt: skip


def test_columns_in_another_order_take_their_numbers_along():
    table = TABLE.with_columns("x y", "model")
    assert table.columns == (TABLE.columns[2], TABLE.columns[0])
    assert table.cells == (("1!", "A"), ("2!", "A"), ("3!", "B"))
    assert table.values == ((1.0, None), (2.0, None), (3.0, None))
    assert table.bold == {(0, 0), (2, 1)}
    assert table.notes == ("All.", "Of x.", "Of kinds.")
    assert table.to_frame().to_dict("list") == {
        "x": [1.0, 2.0, 3.0],
        "SE": [0.1, 0.2, 0.3],
        "Model": ["A", "A", "B"],
    }
    assert TABLE.without("x").notes == ("All.", "Of kinds.")
    assert TABLE.without("Baseline").notes == ("All.", "Of x.", "Of kinds.")
    assert TABLE.with_columns("Model").values == ((None,), (None,), (None,))


def test_an_added_column_has_its_text_number_and_field():
    table = TABLE.with_column("N", [1500, None, 2.5], group="Runs")
    assert table.columns[3] == Column("N", "r", "Runs", "N")
    assert [row[3] for row in table.cells] == ["1,500", "\N{EM DASH}", "2.5"]
    assert table.values[0] == (None, None, 1.0, 1500.0) and table.values[1][3] is None
    assert [row["N"] for row in table.records()] == [1500, None, 2.5]
    words = TABLE.with_column("Who", ["x", "y", True])
    assert (words.columns[3].align, [row[3] for row in words.cells]) == ("l", ["x", "y", "True"])
    assert words.values[0] == (None, None, 1.0, None)
    assert TABLE.with_column("N", [1, 2, 3], align="c").columns[3].align == "c"
    assert TABLE.with_column("N", [1, 2, 3], digits=1).cells[0][3] == "1.0"
    undefined = TABLE.with_column("N", [math.nan, math.inf, -0.25])
    assert [row[3] for row in undefined.cells] == ["\N{EM DASH}", "\N{EM DASH}", "−0.25"]
    assert undefined.values[0][3] is None


def test_a_column_of_another_length_says_what_to_give():
    with pytest.raises(ValueError) as caught:
        TABLE.with_column("N", [1])
    assert str(caught.value) == (
        "column 'N' has 1 value for 3 rows; give one for each row, in the order of the table"
    )


def test_a_table_without_numbers_grows_and_shrinks():
    bare = Table("t", "T.", (Column("a"), Column("b")), (("1", "2"), ("3", "4")))
    grown = bare.with_column("c", [5, 6])
    assert grown.values == ((None, None, 5.0), (None, None, 6.0))
    assert grown.to_frame().to_dict("list") == {"a": ["1", "3"], "b": ["2", "4"], "c": [5, 6]}
    assert (bare.without("a").cells, bare.without("a").values) == ((("2",), ("4",)), ())


def test_evals_stay_in_their_order():
    columns = (Column("Eval", "l", key="eval"), Column("Model", "l", key="model"))
    cells = (("b", "A"), ("b", "B"), ("a", "A"), ("a", "B"))
    table = Table("t", "T.", columns, cells).with_models("B")
    assert table.cells == (("b", "B"), ("b", "A"), ("a", "B"), ("a", "A"))


def test_models_above_columns_move_with_their_cells():
    heads = [Column(f"Model {m}", "r", key=f"model:{m}") for m in "ABC"]
    columns = (Column("Eval", "l", key="eval"), *heads, Column("N", key="n"))
    table = Table("t", "T.", columns, (("e", "1", "2", "3", "9"),), ((None, 1.0, 2.0, 3.0, 9.0),))
    moved = table.with_models("C", "B")
    assert [c.key for c in moved.columns] == ["eval", "model:C", "model:B", "model:A", "n"]
    assert moved.cells == (("e", "3", "2", "1", "9"),)
    assert moved.values == ((None, 3.0, 2.0, 1.0, 9.0),)


def test_a_third_column_of_one_name_counts_on():
    table = Table("t", "T.", (Column("x"),) * 3, (("1", "2", "3"),))
    assert list(table.to_frame()) == ["x", "x (2)", "x (3)"]
    assert replace(table, values=((1.0, None, 3.0),)).records() == [
        {"x": 1.0, "x (2)": "2", "x (3)": 3.0}
    ]


def test_print_wraps_notes_at_100_letters():
    """20 words of 9 letters with a space between: ten fill a line of 99."""
    table = Table("t", "T.", (Column("a"),), (("1",),), notes=(" ".join(["ninechars"] * 20),))
    assert [len(line) for line in str(table).splitlines()[-2:]] == [99, 99]
