"""What a document shows of a long table, from tables made by hand: every row, number and mark."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from reportkit.tables.grid import Column
from reportkit.tables.notes import Note
from reportkit.tables.shortened import (
    only_rows,
    shortened,
    shortened_of_suite,
    summary,
    together,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH

COLUMNS = (
    Column("Model", "l", key="model"),
    Column("Baseline", "l", key="baseline"),
    Column("Difference", key="difference"),
)


def result(best=("A",), baseline="", top="highest"):
    return SimpleNamespace(best=best, baseline=baseline, top=top)


def comparisons(with_a: int, others: int, columns=COLUMNS) -> Table:
    """Rows that compare A with others, as the first model and as the second in turn, then rows
    of other models.
    """
    cells = [("A", f"m{i}", "+1.0") if i % 2 else (f"m{i}", "A", "+1.0") for i in range(with_a)]
    cells += [("X", f"m{i}", "+2.0") for i in range(others)]
    values = [(None, None, float(i)) for i in range(len(cells))]
    fields = [({"row": i}, {}, {}) for i in range(len(cells))]
    rows = (tuple(cells), tuple(values))
    return Table("differences", "T.", columns, *rows, notes=("N.",), fields=tuple(fields))


@pytest.mark.parametrize(("with_a", "others", "shown"), [(10, 30, 40), (10, 31, 10), (41, 0, 41)])
def test_of_more_than_40_comparisons_those_with_the_best_model_stand(with_a, others, shown):
    table = shortened(comparisons(with_a, others), result())
    assert len(table.cells) == shown
    if shown == 10:
        note = "Comparisons with the highest mean, that of A: 10 of 41 rows."
        assert table.notes == (note, "The whole table is tables/differences.csv.", "N.")
        assert all("A" in row[:2] for row in table.cells)
    else:
        assert table.notes == ("N.",)


@pytest.mark.parametrize(
    ("with_a", "others", "which"),
    [
        (100, 9, "Comparisons with the highest mean, that of A"),
        (101, 25, "The first rows"),
        (101, 24, ""),  # 125 rows: a quarter more than 100 is not cut
    ],
)
def test_at_most_100_rows_stand_of_more_than_125(with_a, others, which):
    """Of 101 comparisons with the best model, the first 100 of all rows stand."""
    table = shortened(comparisons(with_a, others), result())
    total = with_a + others
    assert len(table.cells) == (100 if which else total)
    assert table.notes[0] == (f"{which}: 100 of {total} rows." if which else "N.")


@pytest.mark.parametrize(
    ("made", "of"),
    [
        (comparisons(10, 116), result(best=())),
        (comparisons(10, 116), result(baseline="X")),
        (comparisons(10, 116, (COLUMNS[0], Column("Eval", key="eval"), COLUMNS[2])), result()),
    ],
)
def test_without_a_best_model_or_with_a_baseline_the_first_rows_stand(made, of):
    table = shortened(made, of)
    assert len(table.cells) == 100 and table.notes[0].startswith("The first rows: 100 of 126 rows.")


def test_a_summary_stands_alone_beyond_its_number_of_rows():
    made = comparisons(10, 20)
    assert [len(shortened(made, result(), rows).cells) for rows in (0, 29, 30)] == [30, 3, 30]


def test_rows_keep_their_numbers_fields_and_bold():
    made = comparisons(2, 3)
    made = Table(
        "t",
        "T.",
        made.columns,
        made.cells,
        made.values,
        notes=("N.",),
        bold=frozenset({(1, 0), (4, 2)}),
        sections=((0, "Large"),),
        fields=made.fields,
    )
    kept = only_rows(made, [4, 0], "Two")
    assert kept.cells == (("m0", "A", "+1.0"), ("X", "m2", "+2.0"))
    assert kept.values == ((None, None, 0.0), (None, None, 4.0))
    assert [row[0] for row in kept.fields] == [{"row": 0}, {"row": 4}]
    assert (kept.bold, kept.sections, kept.recipe) == (frozenset({(1, 2)}), (), None)
    assert kept.notes == ("Two: 2 of 5 rows.", "The whole table is tables/t.csv.", "N.")
    assert only_rows(made, range(5), "All") is made


def test_rows_of_a_table_without_numbers():
    made = Table("t", "T.", (Column("x"),), (("a",), ("b",)))
    kept = only_rows(made, [1], "One")
    assert (kept.cells, kept.values, kept.fields) == ((("b",),), (), ())


def numbers(*rows) -> Table:
    """A table with a name and two numbers in a row."""
    columns = (Column("Model", "l", key="model"), Column("x", key="x"), Column("y", "c", key="y"))
    cells = tuple(
        (f"m{i}", *(DASH if v is None else f"{v:g}!" for v in row)) for i, row in enumerate(rows)
    )
    notes = (
        "Of all.",
        Note("Of x.", about="x"),
        Note("Of models.", about="model"),
        Note("Of kinds.", "k"),
    )
    return Table(
        "t",
        "T.",
        columns,
        cells,
        tuple((None, *row) for row in rows),
        notes=notes,
        bold=frozenset({(0, 1)}),
        sections=((0, "Large"),),
        fields=tuple(({}, {}, {}) for _ in rows),
    )


def test_lowest_median_and_highest_of_each_column():
    """x is -3, 0, 1, 5 and y is 20, 10, 40, 30: the lower of the two in the middle is the
    median.
    """
    table = summary(numbers((1, 20), (5, 10), (-3, 40), (0, 30)))
    assert table.columns == (
        Column("Statistic", "l"),
        Column("x", key="x"),
        Column("y", "c", key="y"),
    )
    assert table.cells == (
        ("Lowest", "-3!", "10!"),
        ("Median", "0!", "20!"),
        ("Highest", "5!", "40!"),
    )
    assert table.values == ((None, -3, 10), (None, 0, 20), (None, 5, 40))
    assert table.notes == (
        "Over 4 rows, column by column.",
        "The whole table is tables/t.csv.",
        "Of all.",
        "Of x.",
        "Of kinds.",
    )
    assert (table.bold, table.sections, table.fields) == (frozenset(), (), ())
    assert table.recipe is None


def test_a_summary_takes_the_rows_with_every_number():
    table = summary(numbers((1, None), (5, 10), (-3, 40), (0, 30)))
    assert table.values == ((None, -3, 10), (None, 0, 30), (None, 5, 40))
    assert table.notes[0] == ("Over the 3 of 4 rows that have every number, column by column.")


def test_where_no_row_has_every_number_each_column_has_its_own():
    table = summary(numbers((1, None), (None, 10), (-3, None)))
    assert table.values == ((None, -3, 10), (None, -3, 10), (None, 1, 10))
    assert table.cells[0] == ("Lowest", "-3!", "10!")
    assert table.notes[0] == "Over 3 rows, column by column."


# Of several evals ---------------------------------------------------------------------------------


def of_evals(numbers: dict[str, list[float | None]], sections=()) -> Table:
    """A row for each number, below the name of its eval; None: a dash."""
    columns = (Column("Eval", "l", key="eval"), Column("Model", "l", key="model"), Column("MDE"))
    rows = [(name, f"m{i}", x) for name, xs in numbers.items() for i, x in enumerate(xs)]
    cells = tuple((e, m, DASH if x is None else f"{x:g}") for e, m, x in rows)
    values = tuple((None, None, x) for _, _, x in rows)
    return Table("power", "T.", columns, cells, values, notes=("N.",), sections=tuple(sections))


def test_a_suite_has_the_median_of_each_eval_and_of_very_many_evals_the_range():
    """By hand: of 3, 1, 2 the median is 2; of 4, 8 the lower, 4; of a dash and 7 it is 7."""
    made = of_evals({"a": [3, 1, 2], "b": [4, 8], "c": [None, 7]}, [(0, "X"), (5, "Y")])
    short = shortened_of_suite(made, 3, 6, "power-all")
    assert [c.head for c in short.columns] == ["Eval", "MDE"]
    assert short.cells == (("a", "2"), ("b", "4"), ("c", "7"))
    assert [row[1] for row in short.values] == [2, 4, 7]
    assert short.sections == ((0, "X"), (2, "Y"))
    assert short.notes[1:] == ("The whole table is tables/power-all.csv.", "N.")
    assert shortened_of_suite(made, 3, 7, "power-all") == made  # it has 7 rows
    assert shortened_of_suite(made, 3, 0, "power-all") == made
    wide = shortened_of_suite(made, 7, 6, "power-all")  # more evals than rows are shown
    assert [row[:2] for row in wide.cells] == [("Lowest", "1"), ("Median", "3"), ("Highest", "8")]


def test_why_there_are_dashes_is_told_of_a_summary_that_has_one():
    why = Note("\N{EM DASH}: one answer.", "undefined")
    for last, told in ([None, 7], False), ([None, None], True):
        made = replace(of_evals({"a": [3, 1], "b": [4, 8], "c": last}), notes=(why, "N."))
        short = shortened_of_suite(made, 3, 5, "power-all")
        assert (DASH in short.cells[2]) == told == (why in short.notes) and "N." in short.notes
    assert why in summary(replace(numbers((1, 10), (2, None)), notes=(why,))).notes


def test_an_eval_of_which_there_is_no_number_is_told_in_its_note_alone():
    """A row of another eval stays, with and without a number. By hand: b alone has a number, and
    the median of a dash and 7 is 7.
    """
    why = Note("a, c: There is no number.", "nothing")
    evals = {"a": [None, None], "b": [None, 7], "c": [None]}
    made = replace(of_evals(evals, [(0, "X"), (2, "Y"), (4, "Z")]), notes=(why, "N."))
    short = shortened_of_suite(made, 3, 0, "power-all")
    assert short.cells == (("b", "m0", DASH), ("b", "m1", "7"))
    assert short.values == ((None, None, None), (None, None, 7))
    assert short.sections == ((0, "Y"),) and short.notes == (why, "N.")
    short = shortened_of_suite(made, 3, 4, "power-all")  # of its 5 rows
    assert short.cells == (("b", "7"),) and short.sections == ((0, "Y"),)
    assert why in short.notes
    bare = of_evals({"a": [None], "c": [None]})  # nothing says why
    assert shortened_of_suite(bare, 2, 0, "power-all") == bare


def test_models_that_are_not_alike_stay_in_their_order():
    """m1 and m3 say the same, which is too few for a row of theirs; m2 stands between them."""
    short = together(of_evals({"a": [5, 4, 3, 4, 5, 5]}))
    assert [row[1:] for row in short.cells] == [
        ("m1", "4"),
        ("m2", "3"),
        ("m3", "4"),
        ("Each of 3 other models", "5"),
    ]


def test_of_models_alike_only_the_most_stand_in_one_row():
    """Whichever of them comes first in the table: with a second such row, a reader could not know
    which models it is of.
    """
    short = together(of_evals({"a": [4, 5, 4, 5, 4, 5, 5]}))
    assert [row[1:] for row in short.cells] == [
        ("m0", "4"),
        ("m2", "4"),
        ("m4", "4"),
        ("Each of 4 other models", "5"),
    ]


def test_of_models_alike_as_many_the_fullest_stand_in_one_row():
    """Three of 1,021 questions and three of 1,023, in either order: the former are named."""
    for answers in ([1021, 1023] * 3, [1023, 1021] * 3):
        made = of_evals({"a": answers})
        columns = (*made.columns[:2], Column("Questions", key="questions"))
        short = together(replace(made, columns=columns))
        assert [row[2] for row in short.cells] == ["1021", "1021", "1021", "1023"]
        assert short.cells[-1][1] == "Each of 3 other models"


def test_models_alike_stand_in_one_row_below_the_heading_of_their_category():
    made = of_evals({"a": [5, 5, 5], "b": [4, 4, 4, 9]}, [(0, "X"), (3, "Y")])
    short = together(made)
    assert short.cells == (
        ("a", "Each of 3 models", "5"),
        ("b", "m3", "9"),
        ("b", "Each of 3 other models", "4"),
    )
    assert short.sections == ((0, "X"), (1, "Y"))


def test_what_is_the_same_number_of_models_in_every_row_is_a_note():
    made = replace(of_evals({"a": [5, 5, 5], "b": [4, 4, 4]}, [(0, "X"), (3, "Y")]), notes=("N.",))
    short = together(made)
    assert short.cells == (("a", "5"), ("b", "4"))
    assert short.values == ((None, 5.0), (None, 4.0))
    assert [column.key for column in short.columns] == ["eval", made.columns[2].key]
    assert short.notes == ("Each row holds for each of 3 models.", "N.")
    assert short.sections == ((0, "X"), (1, "Y"))
    bare = replace(made, columns=made.columns[:2], cells=tuple(row[:2] for row in made.cells))
    assert together(bare).notes == ("N.",)  # it has nothing but names, and its notes are prose
    one = together(of_evals({"a": [5, 5, 5]}))  # a row without names would say nothing of models
    assert one.cells == (("a", "Each of 3 models", "5"),)
