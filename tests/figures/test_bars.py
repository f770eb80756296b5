"""Figures of variance shares and of ranks from records made by hand."""

from dataclasses import replace

import pytest
from support.figure_records import NAN, canvas, figure, mean, result, texts

from reportkit.figures import draw
from reportkit.results import RankResult
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


# Ranks --------------------------------------------------------------------------------------------

RANKS = (
    RankResult("A", 3, 2, 4, 0.95, "bonferroni"),
    RankResult("B", 1, 1, 1, 0.95, "bonferroni"),
    RankResult("C", NAN, 2, 4, 0.95, "bonferroni"),
    RankResult("D", NAN, NAN, NAN, 0.95, "bonferroni"),
)


def test_the_bars_are_the_rank_sets_in_the_order_of_the_estimates():
    """C has no rank of its own but a set; D has neither and stands last."""
    of = result(tuple("ABCD"), ranks=RANKS)
    ax = canvas(of, "ranks").axes[0]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["B", "C", "A", "D"]
    assert [s.tolist() for s in ax.collections[0].get_segments()] == [
        [[1, 0], [1, 0]], [[2, 1], [4, 1]], [[2, 2], [4, 2]],
    ]  # fmt: skip
    assert ax.lines[0].get_xydata().tolist() == [[1, 0], [3, 2]]
    assert {"1 (1)", "3 (2 to 4)", "— (2 to 4)", "—"} <= set(texts(ax.figure))


def test_the_words_say_that_the_sets_hold_together():
    made = figure(result(tuple("ABCD"), ranks=RANKS), "ranks")
    assert made.title == "Ranks on MATH with simultaneous 95% confidence sets."
    assert "3 models: B 1 (1); C — (2 to 4); A 3 (2 to 4)" in made.alt
    assert "All the true ranks are in these sets together with 95% confidence." in made.alt


def test_ranks_are_whole_numbers_on_the_axis():
    for n in (2, 3, 40):
        ticks = canvas(result([f"m{i}" for i in range(n)]), "ranks").axes[0].get_xticks()
        assert all(t == int(t) for t in ticks) and len(ticks) > 1
