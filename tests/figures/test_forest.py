"""Forest plots from records made by hand: what is drawn is read back from the axes."""

from dataclasses import replace

import numpy as np
import pytest
from support.figure_records import CJK_AND_HOSTILE, NAN, canvas, figure, mean, result, texts
from support.scores_made import result_of

from reportkit.figures import KINDS
from reportkit.figures.differences import draw_several as differences_of
from reportkit.figures.means import draw_several as means_of
from reportkit.figures.words import brackets
from reportkit.results import Scale


def bars(ax):
    return [segment.tolist() for segment in ax.collections[0].get_segments()]


def test_the_means_are_the_records():
    of = result(baseline="Galleon")
    ax = canvas(of, "means").axes[0]
    assert bars(ax) == [[[100 * m.ci_low, i], [100 * m.ci_high, i]] for i, m in enumerate(of.means)]
    assert ax.lines[0].get_xydata().tolist() == [[100 * m.mean, i] for i, m in enumerate(of.means)]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(of.models)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # first model on top
    assert "40.0% (38.0%, 42.0%)" in texts(ax.figure)


@pytest.mark.parametrize("kind", ["page", "column"])
@pytest.mark.parametrize("low, high", [(0.617, 0.668), (0.779, 0.907), (0.509, 0.648), (0.1, 0.9)])
def test_the_ticks_are_round_numbers(low, high, kind):
    """They stood at 61.5, 63.0, 64.5 and at 78, 81, 84 where 62, 64, 66 and 80, 85, 90 would do."""
    of = result(("A", "B"), baseline="A", means=(mean("A", low), mean("B", high)))
    ticks = canvas(of, "means", kind).axes[0].get_xticks()
    step = ticks[1] - ticks[0]
    assert step in (0.5, 1, 2, 5, 10, 20, 50)
    assert all(round(tick / step, 6) == round(tick / step) for tick in ticks)


def test_an_axis_of_a_page_has_three_ticks_at_least():
    """From 28.6 to 74.5 it had 40 and 60 alone."""
    of = result(("A", "B"), baseline="A", means=(mean("A", 0.306), mean("B", 0.725)))
    ax = canvas(of, "means").axes[0]
    low, high = ax.get_xlim()
    assert [t for t in ax.get_xticks() if low <= t <= high] == [30, 40, 50, 60, 70]


@pytest.mark.parametrize("kind", ["means", "ranks"])
def test_of_many_models_two_figures_fit_a_page(kind):
    """A4 with the margins of report.pdf has 9.9 inches; a caption has 0.55, with its room."""
    models = tuple(f"model-{k:02d}-with-a-name" for k in range(25))
    of = result(models, baseline=models[0], spread=0.01)
    drawn = canvas(of, kind)
    assert 3.9 < drawn.get_figheight() < 9.9 / 2 - 0.55
    few = canvas(result(models[:8], baseline=models[0]), kind)
    assert few.axes[0].get_position().height * few.get_figheight() / 8 == pytest.approx(0.27)


def test_differences_from_a_baseline_are_drawn_with_intervals():
    of = result(baseline="Galleon")
    drawn = canvas(of, "differences")
    assert bars(drawn.axes[0]) == [
        [[100 * d.ci_low, i], [100 * d.ci_high, i]] for i, d in enumerate(of.differences)
    ]
    assert {"+2.0 (0.0, +4.0)", "+4.0 (+2.0, +6.0)"} <= set(texts(drawn))
    assert any("Difference from Galleon (percentage points)" in t for t in texts(drawn))


def test_a_column_has_the_estimates_without_their_intervals_in_words():
    of = result(baseline="Galleon")
    shown = texts(canvas(of, "differences", "column"))
    assert {"+2.0", "+4.0"} <= set(shown) and not any("(0.0" in text for text in shown)
    assert len(bars(canvas(of, "differences", "column").axes[0])) == 2


def test_two_models_without_a_baseline_get_an_interval_rather_than_a_matrix():
    assert len(bars(canvas(result(("A", "B")), "differences").axes[0])) == 1


def test_an_undefined_interval_is_a_hollow_point_without_a_bar():
    means = (
        replace(mean("A", 0.5), ci_low=NAN, ci_high=NAN, se=NAN),
        mean("B", 0.6),
        mean("C", NAN, NAN),
    )
    drawn = canvas(result(tuple("ABC"), means=means), "means")
    ax = drawn.axes[0]
    assert [s[0][1] for s in ax.collections[0].get_segments()] == [1]
    assert ax.lines[1].get_markerfacecolor() == "white" and ax.lines[1].get_xydata().tolist() == [
        [50, 0]
    ]
    assert {"50.0% —", "—"} <= set(texts(drawn)) and any("hollow" in t for t in texts(drawn))


@pytest.mark.parametrize(
    ("half", "expected"), [(0.05, (4.5, 4.5)), (0.006, (2.2, 4.3)), (0.001, (2.0, 2.0))]
)
def test_a_dot_leaves_its_interval_to_be_seen(half, expected):
    """Of two models 60 points apart: .55 of the bar's length on the axis, from 2 to 4.5 points."""
    means = tuple(
        replace(mean(name, value), ci_low=value - half, ci_high=value + half)
        for name, value in (("A", 0.2), ("B", 0.8))
    )
    ax = canvas(result(("A", "B"), means=means), "means").axes[0]
    low, high = ax.get_xlim()
    inches = ax.get_position().width * ax.figure.get_figwidth()
    size = ax.lines[0].get_markersize()
    length = 72 * inches * 200 * half / (high - low)
    assert size == pytest.approx(min(4.5, max(2.0, 0.55 * length)))
    assert expected[0] <= size <= expected[1]


def test_only_a_perfect_score_reads_100():
    of = result(("A", "B"), means=(mean("A", 0.9999, 0), mean("B", 1.0, 0)))
    assert {"99.9% (99.9%, 99.9%)", "100.0% (100.0%, 100.0%)"} <= set(texts(canvas(of, "means")))


def test_long_names_are_elided_but_stay_apart():
    names = ["org/" + "x" * 30 + middle + "y" * 30 + "-v2" for middle in "ab"] + [
        "W" * 60,
        "new\nline\x00\udc80",
    ]
    shown = texts(canvas(result(tuple(names)), "means"))
    labels = [t for t in shown if t.startswith(("org/", "WWW", "new"))]
    assert len(set(labels)) == 4
    assert ["…" in label for label in labels] == [True, True, True, False]
    assert all(len(label) <= 62 for label in labels)
    assert labels[3].replace("\n", "") == "newU+000AlineU+0000U+DC80"
    for kind in KINDS:
        figure(result(tuple(names)), kind)


def test_a_name_above_its_bar_stands_in_the_middle_between_it_and_the_row_before():
    """With a name of 60 letters all names stand above their bars."""
    drawn = canvas(result(("W" * 60, "b", "c")), "means")
    ax = drawn.axes[0]
    _, step = ax.transData.transform((0.0, 0.0)) - ax.transData.transform((0.0, 1.0))
    drawn.draw_without_rendering()
    for i, name in enumerate(("b", "c"), 1):
        [text] = [t for t in ax.texts if t.get_text() == name]
        low, high = text.get_window_extent().intervaly
        _, bar = ax.transData.transform((0.0, i))
        top = ax.transData.transform((0.0, ax.get_ylim()[1] + i))[1]  # of its row
        assert low > bar and abs((low - bar) - (top - high)) < 0.1 * step


def test_no_line_goes_through_a_name_above_its_bar():
    """Lines of the grid and that of 0 ran through the names. A ground of the row's colour is over
    them, and below the bars, which are at 1 and more.
    """
    of = result(("b", "W" * 60, "c"), baseline="b")
    for kind in ("means", "differences"):
        ax = canvas(of, kind).axes[0]
        names = [t for t in ax.texts if t.get_bbox_patch() is not None]
        assert [t.get_bbox_patch().get_facecolor()[0] for t in names[:2]] == [1.0, 0xF4 / 255]
        zero = [line.get_zorder() for line in ax.lines if list(line.get_xdata()) == [0, 0]]
        assert len(zero) == (kind == "differences")
        assert max([ax.xaxis.get_zorder(), *zero]) < names[0].get_zorder() < 1.0


def test_a_column_of_25_means_breaks_no_date_where_names_have_room_above_their_bars():
    """ "GPT-5 nano (2025-08-" and "07) (medium reasoning)" stood beside the bars."""
    others = [f"Another model of a maker ({year}-01-01)" for year in range(2000, 2024)]
    name = "GPT-5 nano (2025-08-07) (medium reasoning)"
    ax = canvas(result((name, *others)), "means", "column").axes[0]
    assert name in [t.get_text() for t in ax.texts]


# Several evals ------------------------------------------------------------------------------------


def test_evals_in_percent_share_an_axis_under_headings():
    """Lines: MATH, its two models, GPQA, its three; the same name in both needs no number to tell
    it apart.
    """
    one, two = result(("A", "B")), result(("A", "C", "D"), eval="GPQA", spread=0.1)
    drawn = means_of([one, two], 6.5)
    (ax,) = drawn.axes
    records = [None, *one.means, None, *two.means]
    expected = [[[100 * m.ci_low, i], [100 * m.ci_high, i]] for i, m in enumerate(records) if m]
    assert bars(ax) == expected
    assert ax.get_yticks().tolist() == [1, 2, 4, 5, 6]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["A", "B", "A", "C", "D"]
    headings = {t.get_text(): t.get_position()[1] for t in ax.texts}
    assert (headings["MATH"], headings["GPQA"]) == (0, 3)
    assert "Mean score (%), 95%\u00a0CI" in texts(drawn)


def test_scores_in_units_of_their_own_get_an_axis_of_their_own():
    units = result(
        ("A", "B"),
        eval="Chat",
        scale=Scale(1, 10, False, False),
        means=(mean("A", 6, 0.2), mean("B", 7, 0.2)),
    )
    drawn = means_of([result(("A", "B")), units], 6.5)
    percent, own = drawn.axes
    assert percent.get_xlim()[1] > 40 and own.get_xlim()[1] < 10
    assert bars(own) == [[[5.8, 4], [6.2, 4]], [[6.8, 5], [7.2, 5]]]
    assert "Mean score (%)" in texts(drawn) and "Mean score, 95%\u00a0CI" in texts(drawn)
    assert percent.get_position().x0 == own.get_position().x0  # one column of names


def test_differences_of_several_evals_are_from_one_baseline():
    both = [result(("A", "B", "C"), "A"), result(("A", "D"), "A", eval="GPQA")]
    made = figure(both, "differences")
    assert made.title == (
        "Paired differences from A on 2 evals. 95% intervals: Student's t; metric: match; 100 "
        "common questions in each eval."
    )
    assert "GPQA" in made.alt and "D minus A +2.0 (0.0, +4.0)" in made.alt
    assert [b[0][1] for b in bars(differences_of(both, 6.5).axes[0])] == [1, 2, 4]


@pytest.mark.parametrize("width", ["page", "column"])
def test_several_evals_with_hostile_names(width):
    evals = [result(CJK_AND_HOSTILE[:6], eval=name) for name in CJK_AND_HOSTILE[:3]]
    made = figure(evals, "means", width)
    assert all(name in made.alt for name in CJK_AND_HOSTILE[:6])
    assert b"<script>" not in made.svg and made.title.startswith("Mean scores on 3 evals")


def test_of_several_evals_with_a_chosen_best_the_interval_says_so():
    """Five models, no baseline, one best in both evals: its differences share a figure."""
    rng = np.random.default_rng(1)
    s = rng.normal(size=(5, 40)) + [[3.0], [0.0], [0.2], [0.1], [-1.0]]
    results = [result_of(s, eval=name) for name in ("a", "b")]
    assert [r.leader for r in results] == ["A", "A"]
    words = " ".join(" ".join(texts(differences_of(results, 6.5))).split())
    assert "95% CI that allows for the choice of the best" in words
    alt = figure(results, "differences").alt  # of the rows drawn, not of the matrix of one eval
    d = results[0].differences[0]
    ends = f"({d.ci_low:+.2f}, {d.ci_high:+.2f})".replace("-", "\N{MINUS SIGN}")
    assert "Matrix" not in alt and ends in alt
    assert alt.count("In brackets: 95% intervals that allow for the choice of the best.") == 2


def test_an_alternative_text_says_what_its_brackets_hold():
    """A listener has no note beside it. The numbers in brackets are intervals of one model or one
    comparison each, where p is adjusted over all of them; after a choice of the best they are not.
    """
    alone = " In brackets: 95% intervals, each by itself and not adjusted."
    of = result(baseline="Galleon")
    assert figure(of, "means").alt.endswith(f".{alone}")
    assert figure(of, "differences").alt.endswith(f"has an adjusted p below 0.05.{alone}")
    one = replace(of, differences=of.differences[:1])
    assert figure(one, "differences").alt.endswith("below 0.05. In brackets: the 95% interval.")
    chosen = tuple(replace(d, ci_comparisons=2) for d in of.differences)
    assert brackets(chosen, 0.9) == (
        " In brackets: 90% intervals that allow for the choice of the best."
    )
    assert brackets([replace(d, ci_low=NAN, ci_high=NAN) for d in chosen], 0.95) == ""


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("width", ["page", "column"])
def test_a_baseline_is_told_from_other_models_whose_long_names_are_alike(width, n):
    """It had the ends alone, which all of them have: of two models, the very text of the other."""
    names = ["x" * 90 + f"-{word}-" + "y" * 90 for word in ("old", "big", "new")[:n]]
    shown = texts(canvas(result(names, baseline=names[0]), "differences", width))
    assert sum("-old-" in text for text in shown) == 1
