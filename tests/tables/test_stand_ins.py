"""Tables for pages that have fonts for every script: laid out by the widths of their letters."""

from dataclasses import replace

from support.tables import SMALL, hostile_table

from reportkit.tables.stand_ins import restored, stood_in
from reportkit.tables.writers.render import render_table

NAMES = ("نموذج-7B عربي", "\U0001f989 owl \U0001f469\u200d\U0001f52c", "中文 モデル", "plain")


def test_names_of_other_scripts_stay_on_one_line_in_a_pdf():
    """Their codes, which pdflatex prints, would take three lines and more."""
    source = render_table(hostile_table(NAMES), "typ")
    cells = [line for line in source.splitlines() if "65.5" in line]
    assert len(cells) == 4 and not any(" \\ " in line for line in cells)


def test_what_stood_in_goes_again():
    table = hostile_table(NAMES)
    other = stood_in(table)
    assert all(len(a[0]) == len(b[0]) for a, b in zip(other.cells, table.cells, strict=True))
    assert other.cells[3] == table.cells[3] and other.cells[0] != table.cells[0]
    assert restored(other, table) == table


def test_heads_that_run_from_the_right_are_apart_from_the_marks_beside_them():
    head = replace(SMALL.columns[1], head=NAMES[0])
    table = replace(SMALL, columns=(SMALL.columns[0], head, SMALL.columns[2]))
    source = render_table(table, "html")
    assert f"<bdi>{NAMES[0]}</bdi>" in source and source.count("<bdi>") == 1


def test_a_head_too_long_for_a_few_words_a_line_is_wide():
    """Of 200 letters a column of numbers would make a head of 25 lines."""
    for length, wide in ((60, 0), (61, 1)):
        head = replace(SMALL.columns[1], head=("abc-" * 20)[:length])
        table = replace(SMALL, columns=(SMALL.columns[0], head, SMALL.columns[2]))
        assert render_table(table, "html").split("</thead>")[0].count('rk-long"') == wide
