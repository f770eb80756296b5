"""Power curves from records made by hand: curves, marks and guide lines are read back from the
axes.
"""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from support.figure_records import NAN, canvas, figure, power, result, texts
from support.scores_made import result_of

from reportkit.figures.power import title
from reportkit.results import PowerResult, Scale
from reportkit.tables import make_table


def curves(drawn):
    return [line for line in drawn.axes[0].lines if line.get_label() != "guide"]


def guides(drawn):
    return [
        line.get_xydata().tolist() for line in drawn.axes[0].lines if line.get_label() == "guide"
    ]


def test_the_power_curve_is_equation_10_of_miller():
    """Its example, n = 198 with variances 1/9 and 1/6: 13.27% at K = 1; at K = 4, (1/9 + 1/12) /
    (1/9 + 1/3) = 7/16.
    """
    of = result(("A", "B"), power=(replace(power("A", "B", 0.13273), n_questions=198),))
    solid, dashed = curves(canvas(of, "power"))
    assert solid.get_markevery() == [32]  # the point of this eval
    assert solid.get_xydata()[[0, 32, 64]].tolist() == [
        [198 / 8, pytest.approx(13.273 * math.sqrt(8))],
        [pytest.approx(198), pytest.approx(13.273)],
        [198 * 8, pytest.approx(13.273 / math.sqrt(8))],
    ]
    assert dashed.get_xydata()[32, 1] == pytest.approx(13.273 * math.sqrt(7 / 16))


@pytest.mark.parametrize("width", ["page", "column"])
def test_the_ticks_of_differences_are_round_numbers(width):
    """They stood at 2.5, 5.0, 7.5, ... of a curve that starts at 0.08 * sqrt(200 / 30) = 20.7
    points.
    """
    drawn = canvas(result(("A", "B"), power=(power("A", "B", 0.08),)), "power", width)
    low, high = drawn.axes[0].get_ylim()
    assert [t for t in drawn.axes[0].get_yticks() if low <= t <= high] == [0, 5, 10, 15, 20]


@pytest.mark.parametrize(("n", "low"), [(1000, 125.0), (198, 30.0), (40, 20.0)])
def test_the_axis_begins_at_30_questions_or_half_of_the_evals(n, low):
    """A curve begins at an eighth of the eval's questions. With fewer than 30 it rose to the whole
    scale.
    """
    of = result(("A", "B"), power=(replace(power("A", "B", 0.05), n_questions=n),))
    assert canvas(of, "power").axes[0].get_xlim()[0] == pytest.approx(low)


@pytest.mark.parametrize("width", ["page", "column"])
def test_the_evals_own_questions_and_effect_are_marked_led_to_the_axes_and_said(width):
    """Each guide runs from the axis of effects to the mark and down to the axis of questions."""
    rows = (replace(power("A", "B", 0.019), n_questions=5000), power("A", "C", 0.05))
    drawn = canvas(result(tuple("ABC"), power=rows), "power", width)
    low = drawn.axes[0].get_xlim()[0]
    assert guides(drawn) == [
        [[low, 1.9], [5000, 1.9], [5000, 0]],
        [[low, 5.0], [200, 5.0], [200, 0]],
    ]
    assert drawn.axes[0].get_legend() is None
    [key] = drawn.legends
    labels = [t.get_text().replace("\n", " ") for t in key.get_texts()]
    assert labels[:2] == [
        "A vs B: 1.9\u00a0points at n\u00a0=\u00a05,000",
        "A vs C: 5.0\u00a0points at n\u00a0=\u00a0200",
    ]
    assert not any("marks" in t for t in texts(drawn))
    lines = [c for c in curves(drawn) if c.get_markevery()]
    for handle, line in zip(key.legend_handles[:2], lines, strict=True):
        assert handle.get_marker() == line.get_marker() and handle.get_color() == line.get_color()


def test_questions_that_all_curves_share_are_said_once():
    rows = (replace(power("A", "B", 0.019), n_questions=5000),) * 2
    shown = texts(canvas(result(tuple("ABC"), power=rows), "power"))
    assert shown.count("A: 1.9\u00a0points") == 2
    assert sum("marks: n\u00a0=\u00a05,000" in t for t in shown) == 1


def test_the_marks_are_the_cells_of_the_table():
    of = result(("A", "B"), power=(power("A", "B", 0.0004),))
    assert make_table(of, "power").cells[0][4] == "<0.1"
    assert "A vs B: <0.1\u00a0points at n\u00a0=\u00a0200" in texts(canvas(of, "power"))
    assert "A and B <0.1 points at 200 questions" in figure(of, "power").alt


def test_without_repeated_answers_there_is_no_dashed_curve():
    unknown = replace(power("A", "B"), omega2=NAN, sigma2_model=NAN, sigma2_baseline=NAN)
    assert len(curves(canvas(result(("A", "B"), power=(unknown,)), "power"))) == 1
    assert len(curves(canvas(result(("A", "B"), power=(power("A", "B", sigma2=0),)), "power"))) == 1


def test_at_most_six_pairs_have_curves_and_the_words_say_so():
    of = result(tuple("ABCDE"))
    assert "for the first 6 of 10 pairs" in figure(of, "power").alt
    assert "shown: the first 6 of 10 pairs" in texts(canvas(of, "power"))
    all_drawn = result(tuple("ABC"))
    assert "3 pairs" not in figure(all_drawn, "power").alt
    assert not any("shown" in t for t in texts(canvas(all_drawn, "power")))


def test_pairs_left_out_as_undefined_are_counted_too():
    of = result(tuple("ABC"))
    of = replace(of, power=(replace(of.power[0], mde=NAN), *of.power[1:]))
    assert (
        "shown: 2 of 3 pairs" in texts(canvas(of, "power"))
        and "for 2 of 3 pairs" in figure(of, "power").alt
    )


@pytest.mark.parametrize("width", ["page", "column"])
def test_the_ticks_of_a_wide_power_figure_stay_apart(width):
    of = result()
    of = replace(
        of,
        power=tuple(
            replace(p, n_questions=n) for p, n in zip(of.power, (10, 2000, 100_000), strict=True)
        ),
    )
    drawn = canvas(of, "power", width)
    drawn.draw_without_rendering()
    low, high = drawn.axes[0].get_xlim()
    shown = [t for t in drawn.axes[0].get_xticklabels() if low <= t.get_position()[0] <= high]
    assert len(shown) > 2 and (
        width == "column" or {"10", "1,000", "100,000"} <= {t.get_text() for t in shown}
    )
    boxes = [t.get_window_extent() for t in shown]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("width", ["page", "column"])
def test_a_baseline_is_told_from_other_models_whose_long_names_are_alike(width):
    """It had its name as if there were no others: the ends alone, which all three have."""
    names = ["x" * 90 + f"-{word}-" + "y" * 90 for word in ("old", "big", "new")]
    rows = tuple(power(name, names[0]) for name in names[1:])
    shown = texts(canvas(result(names, power=rows), "power", width))
    assert sum("-old-" in text for text in shown) == 1


def test_a_step_of_a_curve_is_told_of():
    """From 100 clusters on the report tests by t, which takes an SE below that of questions without
    clusters as it is (stats/evidence.py); its curve falls there by 17%, where 6.7% more questions
    alone leave 1 / sqrt(1.067) = 97%. The axis counts questions: 60 in 15 clusters, 400 in 100.
    """
    rng = np.random.default_rng(6)
    scores = [rng.random(60) < 0.6, rng.random(60) < 0.5]
    told = "a step at 400 questions (100 clusters): the printed test is another from there on"
    [p] = (of := result_of(scores, [str(i // 4) for i in range(60)])).power
    assert p.se < p.se_unclustered and title(of).endswith(f"; {told}.")
    [y] = [line.get_ydata() for line in curves(canvas(of, "power"))]
    before = int(np.log(100 / 15 * 8) / np.log(64) * 64)  # the last point with fewer clusters
    assert y[before + 1] / y[before] < 0.9 < y[before] / y[before - 1]
    assert told not in title(result_of(scores))


def game24(shown):
    """The first pair of Game of 24, whose answers are right or wrong, a hundred to each question.
    shown: questions that tell the models apart.
    """
    pair = PowerResult(
        "IO", "CoT", 0.026, 0.0323, 0.0325, 100, 100, 100, 0.05, 0.8, 0.0522,
        method="tango-effective", n_clusters=100, se=0.01632, df=99.0, se_unclustered=0.01632,
        mean_model=0.0734, mean_baseline=0.0403, correlation=0.5265, apart=0.0685, shown=shown,
        direction="higher", room=0.955,
    )  # fmt: skip
    return result(("IO", "CoT"), power=(pair,), scale=Scale(0.0, 1.0, True, True))


def test_a_step_of_a_curve_of_questions_is_told_of():
    """Where 25 questions tell the models apart, t takes the place of Tango's test: of 17.1 in 100
    they do from 25 / 17.1 * 100 = 146.2 on. The curve has a kink there. Of 2 they do from 1,250 on,
    which is more than eight times 100.
    """
    told = "; a step at 147 questions: the printed test is another from there on."
    assert title(game24(17.1)).endswith(told)
    assert "step" not in title(game24(2.0))


def test_curves_of_other_numbers_of_questions_are_said_to_reach_as_far():
    """Of 5,153 and 4,000 questions one began at 644, and the other ended at 32,000."""
    rows = (replace(power("A", "B", 0.019), n_questions=5000), power("A", "C", 0.05))
    told = "each curve from an eighth of its questions to eight times as many"
    assert told in title(result(tuple("ABC"), power=rows))
    assert told not in title(result(tuple("ABC")))


def test_a_curve_has_no_gap_where_models_are_far_apart():
    """A model with 1 of 97 questions right and one with 46, of which it has that one: between 33
    and 62 questions the curve was missing.
    """
    scores = np.zeros((2, 97))
    scores[0, 0], scores[1, :46] = 1.0, 1.0
    [line] = curves(canvas(result_of(scores), "power"))
    y = line.get_ydata()
    assert np.isfinite(y[20:]).all() and (np.diff(y[20:]) < 0.0).all()


def test_a_bend_of_a_curve_of_few_clusters_is_told_of():
    """The first pair of Kaenguruen, in 11 clusters: with up to 45 questions each step of 6.7% more
    of them leaves 91% and less of its curve, from 49 on 95%.
    """
    pair = PowerResult(
        "A", "B", NAN, NAN, NAN, 1, 1, 106, 0.05, 0.8, 0.1215,
        method="tango-effective", n_clusters=11, se=0.03288, df=9.4276, se_unclustered=0.04824,
        mean_model=0.3302, mean_baseline=0.9057, correlation=0.2266, apart=0.5755, shown=10.4034,
        worth=10.423, alike=9.2636, direction="lower", room=0.901,
    )  # fmt: skip
    of = result(("A", "B"), power=(pair,), scale=Scale(0.0, 1.0, True, True))
    told = "; left of a bend the few clusters decide, right of it the questions."
    assert title(of).endswith(told)
    assert "bend" not in title(game24(17.1))
