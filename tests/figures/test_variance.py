"""Figures of variance shares from records made by hand."""

from dataclasses import replace

import pytest
from support.figure_records import NAN, canvas, figure, mean, result, texts

from reportkit.figures import draw
from reportkit.tables import make_table


def shares(drawn):
    """Of each bar: its row, where it starts and how long it is."""
    return {
        kind.get_label(): [
            (
                round(p.get_y() + p.get_height() / 2),
                pytest.approx(p.get_x()),
                pytest.approx(p.get_width()),
            )
            for p in kind
        ]
        for kind in drawn.axes[0].containers
    }


def test_the_bars_are_the_shares_of_the_squared_standard_error():
    """36% of SE^2 is answer noise by construction of the records, all of it where nothing lies
    between questions.
    """
    means = (mean("A", 0.5), replace(mean("B", 0.6), variance_between=0.0), mean("C", 0.7))
    drawn = canvas(result(tuple("ABC"), means=means), "variance")
    assert shares(drawn) == {
        "between": [(1, 0, 0.64), (2, 0, 0), (3, 0, 0.64)],
        "within": [(1, 0.64, 0.36), (2, 0, 1), (3, 0.64, 0.36)],
    }
    between, within = (kind[0] for kind in drawn.axes[0].containers)
    assert within.get_hatch() and not between.get_hatch()  # not by colour alone


@pytest.mark.parametrize("half", [0.1, 0.02, 0.0002])
def test_what_more_answers_buy_is_the_tables_text(half):
    means = (mean("A", 0.5, half), replace(mean("B", 0.6, half), variance_between=0.0))
    of = result(("A", "B"), means=means)
    page, column = (texts(canvas(of, "variance", width)) for width in ("page", "column"))
    for row in make_table(of, "variance").cells:
        share, *errors = row[4:]
        assert share in page and share in figure(of, "variance").alt
        assert all(e in page and e in column and e in figure(of, "variance").alt for e in errors)


def test_one_answer_for_each_question_has_no_figure_and_no_bar():
    single = [replace(m, variance_between=NAN, variance_within=NAN) for m in result().means]
    assert draw(result(means=tuple(single)), "variance") is None
    some = result(means=(single[0], *result().means[1:]))
    assert [row for row, *_ in shares(canvas(some, "variance"))["within"]] == [2, 3]
    assert "2 models" in figure(some, "variance").alt


@pytest.mark.parametrize("width", ["page", "column"])
def test_every_name_stands_beside_its_bar_and_heads_above(width):
    """Line 0 is that of the heads; the bars of three models are at 1, 2 and 3."""
    (axes,) = canvas(result(tuple("ABC")), "variance", width).axes
    assert axes.get_yticks().tolist() == [0, 1, 2, 3]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["", "A", "B", "C"]
    heads = [t.get_text() for t in axes.texts if t.get_position()[1] == 0][::-1]  # from the left
    if width == "column":
        assert heads == ["now", "2×", "∞"]
        return
    # the words of the table: of its columns after Between and Within
    columns = make_table(result(tuple("ABC")), "variance").columns[-4:]
    assert [head.removeprefix("SE ") for head in heads] == [c.head for c in columns]
    assert heads[0] == "Noise share"


@pytest.mark.parametrize("width", ["page", "column", "phone"])
def test_the_key_stands_below_the_words_of_the_axis(width):
    """It stood between them and the ticks."""
    drawn = canvas(result(tuple("ABC"), fictional=True), "variance", width)
    drawn.draw_without_rendering()
    [key] = drawn.legends
    ticks = [t.get_window_extent() for t in drawn.axes[0].get_xticklabels()]
    words = [t.get_window_extent() for t in drawn.texts]
    assert 0.0 < key.get_window_extent().y0 < key.get_window_extent().y1 < min(w.y0 for w in words)
    assert max(w.y1 for w in words) < min(t.y0 for t in ticks)
