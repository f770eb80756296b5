"""Figures of plans: nothing is cut off, and the alternative text tells of what is drawn."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from support.plans import plan as planned

import reportkit
from reportkit.decisions import Decisions
from reportkit.figures import draw_plan
from reportkit.figures.planning import (
    alt_costs,
    alt_epochs,
    draw_costs,
    draw_epochs,
    draw_power,
    title_epochs,
    title_power,
)


@pytest.fixture(scope="module")
def plan():
    return reportkit.plan(difference=0.02, mean=0.8, cost_question=5000, cost_answer=100)


@pytest.mark.parametrize("width", [6.5, 3.25])
def test_the_label_of_costs_above_10000_is_whole(plan, width):
    """Ticks as wide as "100,000" beside the axis pushed "Cost" half out of the picture."""
    assert max(c.cost for c in plan.cheapest) > 1e6
    figure = draw_costs(plan, width)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.yaxis.label.get_window_extent().x0 >= 0.0
    assert min(t.get_window_extent().x0 for t in axes.get_yticklabels()) > 0.0


@pytest.mark.parametrize("width", [6.5, 3.25])
@pytest.mark.parametrize("times", [0.97, 1.0, 1.6])
def test_no_tick_of_costs_doubles_the_line_of_the_axis(plan, width, times):
    """The axis began at 195, and its tick 200 ran beside it. Both scales are said to be log."""
    least = min(c.cost for c in plan.cheapest)
    # the axis ends at 0.75 of the least cost: at 194, 200 or 320
    cheap = tuple(replace(c, cost=c.cost / least * 200 / 0.75 * times) for c in plan.cheapest)
    axes = draw_costs(replace(plan, cheapest=cheap), width).axes[0]
    low, high = axes.get_ylim()
    shown = [c for c in axes.get_yticks() if low * 1.001 < c < high]
    assert min(shown) > low * (high / low) ** 0.03
    assert low < 0.8 * min(c.cost for c in cheap)
    assert axes.get_ylabel() == "Cost (log scale)"
    assert any("log scale)" in t.get_text() for t in axes.figure.texts)


def test_a_limit_that_is_not_known_is_not_told_of(plan):
    assert ", towards a line that it does not pass: " in alt_epochs(plan)
    known = tuple((k, math.nan if math.isinf(k) else d) for k, d in plan.epochs_curve)
    assert "towards" not in alt_epochs(replace(plan, epochs_curve=known))


def test_a_title_tells_of_answer_noise_that_is_assumed_alone(plan):
    """.75 (1 - .41) of public evals, 44%; what is given is not assumed."""
    assert title_epochs(plan).endswith(", answer noise of 44% assumed)")
    given = reportkit.plan(difference=0.02, mean=0.8, noise=0.3)
    assert title_epochs(given).endswith(", power 80%)")


@pytest.mark.slow
def test_a_title_says_where_a_curve_steps():
    """Of 98 clusters of 5 questions the power is 62%, of 103.5 it is 65.5%: from 100 on the report
    takes t in place of Tango's test. The axis counts 500 questions there. In clusters of 10 whose
    differences are alike nothing is seen.
    """
    stepped = title_power(planned(difference=0.05, mean=0.8, cluster_size=5))
    said = "; a step at 500 questions (100 clusters): the printed test is another from there on)"
    assert stepped.endswith(said)
    alike = {"cluster_size": 10, "icc": 0.2, "correlation": 0.4}
    for more in ({}, alike):
        assert "step" not in title_power(planned(difference=0.05, mean=0.8, **more))


def test_a_step_is_one_line(tmp_path):
    """Points of one number of questions were left out, and their line was in pieces: of 11 clusters
    of a pilot with a negative ICC.
    """
    rng = np.random.default_rng(1)
    base = rng.random(110) < 0.5
    a, b = (np.where(rng.random(110) < 0.1, ~base, base) for _ in "ab")
    rows = [
        f"e,{m},q{k},c{k // 10},{float(v[k])}" for m, v in (("A", a), ("B", b)) for k in range(110)
    ]
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("\n".join(["eval,model,question_id,passage,score", *rows]))
    p = reportkit.plan(scores=str(pilot), difference=0.03, decisions=Decisions(cluster="passage"))
    stepped = 0
    for c in p.curves:
        known = c.questions[np.isfinite(c.questions).argmax() :]
        assert np.isfinite(known).all() and (np.diff(known) >= 0.0).all()
        stepped += (np.diff(known) < 1e-3).sum()
    assert stepped >= 4


def test_one_answer_is_told_as_one():
    p = reportkit.plan(difference=0.05, mean=0.8, noise=0.01, cost_question=0.01, cost_answer=1)
    assert p.cheapest[0].epochs_a == 1.0
    assert " questions and 1 answer to each; " in alt_costs(p)


def test_no_power_is_drawn_of_fewer_clusters_than_are_planned():
    """Its table says of 100 questions in clusters of 20 that no power is stated: they are 5."""
    p = reportkit.plan(difference=0.05, mean=0.8, cluster_size=20, icc=0.05)
    least = 20 * p.limits.clusters
    assert any(np.nanmin(c.questions) < least for c in p.curves)
    axes = draw_power(p, 6.5).axes[0]
    drawn = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) > 2]
    assert len(drawn) == len(p.curves)
    assert min(np.nanmin(x) for x in drawn) >= least
    assert axes.get_xlim()[0] >= least


@pytest.mark.parametrize("width", [6.5, 3.25])
def test_the_marks_of_a_power_of_100_percent_are_whole(plan, width):
    """The upper half of each was cut off at the edge of the axes."""
    axes = draw_power(plan, width).axes[0]
    marked = [line for line in axes.lines if line.get_marker() not in ("None", None)]
    assert len(marked) == len(plan.curves)
    assert max(line.get_ydata()[line.get_markevery()].max() for line in marked) > 99
    assert not any(line.get_clip_on() for line in marked)


def test_the_axis_of_detectable_differences_begins_at_0(plan):
    """Of one answer: what its table says; the axis leaves 8% above it."""
    axes = draw_epochs(plan, 6.5).axes[0]
    largest = max(100 * d for k, d in plan.epochs_curve if math.isfinite(k))
    assert axes.get_ylim() == (0, pytest.approx(1.08 * largest))


@pytest.mark.parametrize("width", ["page", "column"])
def test_the_design_that_was_asked_for_is_the_one_in_bold(plan, width):
    """That of a difference of 2 points; in a column no other is written."""
    svg = draw_plan(plan, "planning-costs", width).svg.decode()
    [asked] = [c for c in plan.cheapest if c.difference == 0.02]
    bold = re.findall(r'<text[^>]* font-weight="([^"]*)"[^>]*>([^<]*)</text>', svg)
    assert bold == [("bold", f"{asked.questions:,.0f} × {asked.epochs_a:.0f}")]


@pytest.mark.slow
def test_next_token_probabilities_are_told_of_where_the_plan_has_them():
    """Of scores in part it has no such row."""

    def labels(p):
        return [t.get_text() for t in draw_epochs(p, 6.5).legends[0].get_texts()]

    said = {"answers": "shares", "spread": 0.3, "other_se": 0.009, "other_questions": 1319}
    one = reportkit.plan(mean=0.71, difference=0.04, design="unpaired", **said)
    both = reportkit.plan(mean=0.75, difference=0.04)
    assert not any("probabilities" in t for t in labels(one))
    assert any(t.startswith("the limit, 3.5 points") for t in labels(one))
    assert any(t.endswith("next-token probabilities reach it") for t in labels(both))
