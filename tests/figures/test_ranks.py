"""Figures of ranks from records made by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.figure_records import NAN, canvas, figure, result, texts
from support.scores_made import result_of

from reportkit.figures.ranks import title
from reportkit.results import RankResult
from reportkit.tables import make_table

RANKS = (
    RankResult("A", 3, 2, 4, 0.95, "bonferroni"),
    RankResult("B", 1, 1, 1, 0.95, "bonferroni"),
    RankResult("C", NAN, 2, 4, 0.95, "bonferroni"),
    RankResult("D", NAN, NAN, NAN, 0.95, "bonferroni"),
)


def test_the_bars_are_the_rank_sets_in_the_order_of_the_estimates():
    """C has no rank of its own but a set; D has neither, so the foot names it."""
    of = result(tuple("ABCD"), ranks=RANKS)
    ax = canvas(of, "ranks").axes[0]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["B", "C", "A"]
    bars = [
        (p.get_y() + p.get_height() / 2, p.get_x(), p.get_x() + p.get_width())
        for p in ax.containers[0]
    ]
    # from 0.4 below the lowest rank of the set to 0.4 above the highest
    expected = [(0, 0.6, 1.4), (1, 1.6, 4.4), (2, 1.6, 4.4)]
    assert bars == [pytest.approx(bar) for bar in expected]
    assert ax.lines[0].get_xydata().tolist() == [[1, 0], [3, 2]]
    assert {"1 (1)", "3 (2 to 4)", "— (2 to 4)"} <= set(texts(ax.figure))
    assert "no rank: D" in " ".join(texts(ax.figure))


def test_the_first_and_the_last_of_many_dots_are_whole():
    """Of 58 ranks half a rank is less than half a dot: the axes do not cut it."""
    ranks = [RankResult(f"m{k}", k + 1, k + 1, k + 1, 0.95, "bonferroni") for k in range(58)]
    ax = canvas(result(tuple(r.model for r in ranks), ranks=tuple(ranks)), "ranks").axes[0]
    assert not ax.lines[0].get_clip_on()


def test_rows_without_a_rank_do_not_make_the_figure_taller():
    """As in a suite where most models were not run on every eval."""
    few = [RankResult(f"m{k}", k + 1, k + 1, k + 1, 0.95, "bonferroni") for k in range(3)]
    none = [RankResult(f"n{k}", NAN, NAN, NAN, 0.95, "none") for k in range(9)]
    names = tuple(r.model for r in [*few, *none])
    ax = canvas(result(names, ranks=(*few, *none)), "ranks").axes[0]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["m0", "m1", "m2"]
    assert "no rank: 9 models" in " ".join(texts(ax.figure))


def test_a_model_with_a_rank_is_not_said_to_have_none():
    """The table of ranks gives E the rank 4, and a dash for its set."""
    of = result(tuple("ABCDE"), ranks=(*RANKS, RankResult("E", 4, NAN, NAN, 0.95, "none")))
    words = texts(canvas(of, "ranks"))
    assert "no rank set: E" in " ".join(words) and "no rank: D" in " ".join(words)


def test_the_words_say_that_each_set_holds_by_itself():
    made = figure(result(tuple("ABCD"), ranks=RANKS), "ranks")
    assert made.title == (
        "MATH: rank of each model by its mean score. 95% rank sets, each by itself: ranks that "
        "paired tests do not rule out; metric: match; 100 questions, 4 answers to each."
    )
    assert "3 models: B 1 (1); C — (2 to 4); A 3 (2 to 4)" in made.alt
    assert "Each set by itself holds the model's true rank with 95% confidence." in made.alt


def test_ranks_are_whole_numbers_on_the_axis():
    for n in (2, 3, 40):
        ticks = canvas(result([f"m{i}" for i in range(n)]), "ranks").axes[0].get_xticks()
        assert all(t == int(t) for t in ticks) and len(ticks) > 1
        assert ticks[0] == 1 and (n < 40 or all(t % 5 == 0 for t in ticks[1:]))


def test_where_questions_are_missing_the_ranks_are_of_common_questions():
    """Two models of AlpacaEval stood the other way round in the table of means. A model without a
    score has no rank.
    """
    of = result(tuple("ABCD"), ranks=RANKS)
    none = replace(of, means=(*of.means[:3], replace(of.means[3], n_questions=0)))
    assert figure(none, "ranks").title == figure(of, "ranks").title
    some = replace(of, means=(*of.means[:3], replace(of.means[3], n_questions=99)))
    words = "MATH: rank of each model by its mean score on common questions. 95% rank sets"
    assert figure(some, "ranks").title.startswith(words)


def test_captions_of_ranks_count_the_questions_that_two_models_share():
    """Each model has 10 of 12 questions; A and B share 9, A and C 8, B and C 9. They said 10."""
    scores = np.random.default_rng(1).integers(0, 2, (3, 12)).astype(float)
    scores[0, :2] = scores[1, 1:3] = scores[2, 2:4] = np.nan
    of = result_of(scores)
    assert title(of).endswith("; 8 to 9 common questions.")
    assert make_table(of, "ranks").title.endswith("; 8 to 9 common questions.")


def test_the_foot_writes_a_long_name_as_the_rows_do():
    """60 letters, without its middle. A name of 200 stood whole in four to seven lines."""
    ranks = (*RANKS[:3], RankResult("x" * 200, NAN, NAN, NAN, 0.95, "none"))
    of = result((*"ABC", "x" * 200), ranks=ranks)
    for width in ("page", "column"):
        lines = texts(canvas(of, "ranks", width))
        assert "".join(lines).count("x") == 59 and "".join(lines).count("…") == 1
