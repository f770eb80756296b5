"""A column that is left out takes what caption and notes say of it along."""

import pytest

from reportkit import demo_scores, make_table
from reportkit.tables.captions import caption_of, sentence
from reportkit.tables.notes import Note
from reportkit.tables.suite import hidden
from reportkit.tables.writers.render import render_table


@pytest.mark.parametrize(
    ("kind", "evals"),
    [
        ("means", ["MATH"]),
        ("differences", ["MATH"]),
        ("differences", ["MATH", "DROP"]),
        ("suite-overall", ["MATH", "DROP"]),
        ("suite-differences", ["MATH", "DROP"]),
    ],
)
def test_without_the_column_no_word_of_its_intervals_is_left(kind, evals):
    table = make_table(demo_scores(evals), kind)
    assert "95% intervals: " in table.title and "metric: " in table.title
    short = hidden(table, ["95% CI"])
    for fmt in ("md", "tex", "html", "typ"):
        assert "nterval" not in render_table(short, fmt)
    start = table.title.split("95% intervals")[0]
    assert short.title.startswith(start) and short.title.lower().count("metric: ") == 1
    gone = [note for note in table.notes if note not in short.notes]
    assert gone == ["Intervals are not adjusted."] * (kind != "means")


@pytest.mark.parametrize("theme", ["pm", "ci"])
@pytest.mark.parametrize(
    ("kind", "evals", "method"),
    [
        ("means", ["MATH"], "Wilson"),
        ("differences", ["MATH"], "Tango"),
        ("differences", ["MATH", "DROP"], "Tango or Student's t"),
    ],
)
def test_intervals_that_the_estimates_print_too_stay_told(kind, evals, method, theme):
    table = make_table(demo_scores(evals), kind, theme)
    told = f"95% intervals: {method}; "
    assert hidden(table, ["ci"]).title == table.title and told in table.title


def test_other_columns_that_go_leave_the_intervals_told():
    table = make_table(demo_scores(["MATH"]), "differences")
    short = table.without("p_adjusted")
    assert "Intervals are not adjusted." in short.notes and short.title == table.title


def test_a_caption_begins_again_with_a_capital_letter():
    about = sentence(Note("95% intervals: Tango", about="ci"), "", "metric: match")
    caption = caption_of("One:", about)
    assert caption.without({"ci"}) == "One: Metric: match."
    assert caption.without({"p"}) == caption == "One: 95% intervals: Tango; metric: match."
    assert caption_of("One.", "") == "One."
