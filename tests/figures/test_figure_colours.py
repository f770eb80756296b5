"""Figures for readers who see no red or no green: what colour tells apart, lightness or shape tells
apart too.
"""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from support.figure_records import canvas, result

import reportkit
from reportkit.figures import variance
from reportkit.figures.canvas import COLOURS, MARKERS
from reportkit.figures.grid import OUTLINES, Grid, _inks
from reportkit.figures.planning import draw_power

# Machado, Oliveira & Fernandes 2009, A Physiologically-based Model for Simulation of Color Vision
# Deficiency, severity 1.0: matrices for linear RGB.
SEEN = {
    "all": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def luminance(colour, sight: str) -> float:
    """Relative luminance (WCAG 2.2) of a colour as it is seen."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(np.clip(SEEN[sight] @ linear, 0, 1) @ (0.2126, 0.7152, 0.0722))


def contrast(one, other, sight: str) -> float:
    low, high = sorted((luminance(one, sight), luminance(other, sight)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("sight", SEEN)
def test_neighbouring_shares_differ_in_lightness_and_in_pattern(sight):
    assert contrast(variance.BETWEEN["facecolor"], variance.WITHIN["facecolor"], sight) > 3
    assert "hatch" in variance.WITHIN and "hatch" not in variance.BETWEEN
    # the pattern can be seen
    assert contrast(variance.WITHIN["edgecolor"], variance.WITHIN["facecolor"], sight) > 3


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("colours", ["PuOr", "Blues"])
def test_shapes_and_numbers_stand_out_from_every_cell(sight, colours):
    """4.5:1 is WCAG's least for text (numbers of #222222 had 4:1), 3:1 for graphics."""
    values = np.linspace(-1, 1, 201)
    cells = {(i, 0): float(v) for i, v in enumerate(values)}
    grid = Grid(["m"], cells, {}, {}, colours, (-1.0, 1.0), str, "")
    for (i, _), ink in _inks(grid).items():
        least = 4.5 if sight == "all" else 3
        assert contrast(colormaps[colours]((values[i] + 1) / 2), ink, sight) > least
    assert set(_inks(grid).values()) == {"black", "white"}


@pytest.mark.parametrize("sight", SEEN)
def test_the_colours_of_correlations_are_in_the_order_of_their_lightness(sight):
    shades = [luminance(colormaps["Blues"](x), sight) for x in np.linspace(0, 1, 33)]
    assert shades == sorted(shades, reverse=True)


@pytest.mark.parametrize("sight", SEEN)
def test_curves_differ_in_their_mark_and_stand_out_from_the_paper(sight):
    assert len(set(MARKERS)) == len(COLOURS) == 6
    assert all(contrast(colour, "white", sight) > 1.5 for colour in COLOURS)
    drawn = [
        line
        for line in canvas(result(tuple("ABCD")), "power").axes[0].lines
        if line.get_markevery()
    ]
    assert (
        all(a.get_marker() != b.get_marker() for a, b in combinations(drawn, 2)) and len(drawn) == 6
    )


@pytest.mark.parametrize("sight", SEEN)
def test_marks_on_curves_stand_out_from_the_paper(sight):
    """3:1 is WCAG's least for graphics, which pink triangles with a white edge did not have."""
    plan = reportkit.plan(difference=0.03, mean=0.7)
    for drawn in (canvas(result(tuple("ABCD")), "power"), draw_power(plan, 6.5)):
        marked = [line for line in drawn.axes[0].lines if line.get_marker() in list(MARKERS)]
        assert len(marked) > 3
        for line in marked:
            of = (line.get_markeredgecolor(), line.get_markerfacecolor())
            assert max(contrast(colour, "white", sight) for colour in of) > 3
            assert line.get_markersize() >= 5 and line.get_markeredgewidth() >= 0.6


def test_each_state_of_a_difference_has_an_outline_of_its_own():
    assert set(OUTLINES) == {"^", "v", "o", "D", "_"}
    assert all(a != b for a, b in combinations(OUTLINES.values(), 2))
