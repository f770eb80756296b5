"""Matrices from records made by hand: colours, numbers and shapes are read back from the cells."""

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from matplotlib import colormaps
from support.figure_records import NAN, canvas, coloured, difference, figure, marked, result, texts

from reportkit.figures.correlations import similarity_order


def colour(name: str, share: float) -> tuple[float, ...]:
    return colormaps[name](share)


def test_each_pair_is_drawn_both_ways_in_the_colour_of_its_difference():
    """Differences of 2 and 4 points; the largest is the end of the colours."""
    cells = coloured(canvas(result(), "differences"))
    values = {(0, 1): -0.02, (0, 2): -0.04, (1, 0): 0.02, (1, 2): -0.02, (2, 0): 0.04, (2, 1): 0.02}
    assert cells == {at: colour("PuOr", (v + 0.04) / 0.08) for at, v in values.items()}
    assert {"+4.0", "−4.0", "+2.0", "−2.0"} <= set(texts(canvas(result(), "differences")))


def test_significance_is_a_shape():
    """Neighbours have p = 0.3, the others 0.01: up where the row is higher, down where it is lower,
    a ring if unclear.
    """
    drawn = canvas(result(), "differences")
    assert marked(drawn, "^") == [(2, 0)] and marked(drawn, "v") == [(0, 2)]
    assert marked(drawn, "o") == [(0, 1), (1, 0), (1, 2), (2, 1)]
    legend = [t.get_text() for t in drawn.legends[0].get_texts()]
    assert legend == [
        "row higher, adjusted p < 0.05",
        "row lower, adjusted p < 0.05",
        "adjusted p ≥ 0.05 or undefined",
    ]


@pytest.mark.parametrize("width", ["page", "column"])
@pytest.mark.parametrize("n", [12, 60, 71])
def test_shapes_equal_the_adjusted_p_values_with_many_models_too(n, width):
    of = result([f"m{i}" for i in range(n)])
    drawn = canvas(of, "differences", width)
    place = {m: i for i, m in enumerate(of.models)}
    clear = [(place[d.model], place[d.baseline]) for d in of.differences if d.p_adjusted < 0.05]
    # Model i scores 0.02 i more than model 0, so the later row is the higher.
    assert marked(drawn, "^") == sorted((max(pair), min(pair)) for pair in clear)
    assert marked(drawn, "v") == sorted((min(pair), max(pair)) for pair in clear)
    assert len(marked(drawn, "o")) == 2 * (n - 1)
    # numbers in the cells
    assert (len(texts(drawn)) > n * (n - 1)) == (n == 12 and width == "page")


def test_an_undefined_p_is_unclear_and_an_undefined_difference_is_a_dash():
    pairs = (
        replace(difference("A", "B", 0.1), p_adjusted=NAN),
        difference("A", "C", NAN, NAN),
        difference("B", "C", 0.1),
    )
    drawn = canvas(result(tuple("ABC"), differences=pairs), "differences")
    assert marked(drawn, "o") == [(0, 1), (1, 0)] and marked(drawn, "_") == marked(
        drawn, "undefined"
    ) == [
        (0, 2),
        (2, 0),
    ]
    assert marked(drawn, "^") == [(1, 2)] and marked(drawn, "v") == [(2, 1)]
    assert (0, 2) not in coloured(drawn)


def test_undefined_correlations_are_grey_cells_with_a_dash():
    row = (1.0, 0.5, NAN)
    drawn = canvas(
        result(tuple("ABC"), correlations=(row, (0.5, 1.0, NAN), (NAN, NAN, 1.0))), "correlations"
    )
    assert marked(drawn, "_") == marked(drawn, "undefined") == [(2, 0), (2, 1)]
    assert "undefined" in texts(drawn) and list(coloured(drawn)) == [(1, 0)]


def test_correlations_fill_the_lower_triangle_from_light_to_dark():
    """Correlations 0.9 between neighbours and 0.81; already in the order of similarity."""
    assert coloured(canvas(result(), "correlations")) == {
        at: pytest.approx(colour("Blues", r))
        for at, r in {(1, 0): 0.9, (2, 0): 0.81, (2, 1): 0.9}.items()
    }


def test_similar_models_stand_together_in_the_figure_and_the_caption_says_so():
    """A goes with C and B with D; the records and so the tables keep their order."""
    near = {frozenset("AC"), frozenset("BD")}
    rows = tuple(
        tuple(1.0 if a == b else 0.8 if {a, b} in near else 0.1 for b in "ABCD") for a in "ABCD"
    )
    of = result(tuple("ABCD"), correlations=rows)
    labels = [t.get_text().split()[0] for t in canvas(of, "correlations").axes[0].get_yticklabels()]
    assert {frozenset(labels[:2]), frozenset(labels[2:])} == near and labels[0] == "A"
    cells = coloured(canvas(of, "correlations"))
    assert cells[1, 0] == cells[3, 2] == colour("Blues", 0.8) and cells[2, 1] == colour(
        "Blues", 0.1
    )
    assert "similar models next to each other" in figure(of, "correlations").title
    assert "similar models" not in figure(result(("A", "B")), "correlations").title


def test_the_order_is_that_of_similarity_whatever_the_models_order_was():
    """Six models on a line, correlated by distance: from every order of listing, the line or its
    reverse comes back.
    """
    for listed in list(permutations(range(6)))[::37]:
        r = [[0.8 ** abs(a - b) for b in listed] for a in listed]
        found = [listed[i] for i in similarity_order(r)]
        assert found in (sorted(listed), sorted(listed, reverse=True))
        assert (
            similarity_order(r)[0] < similarity_order(r)[-1]
        )  # the one of the two that starts with what is listed first


def test_an_undefined_correlation_counts_as_farthest():
    """B has none with A and little with C: A and C stay together."""
    assert similarity_order([[1, NAN, 0.3], [NAN, 1, 0.1], [0.3, 0.1, 1]]) == [0, 2, 1]
    assert similarity_order([[NAN] * 3] * 3) == [0, 1, 2]
    assert similarity_order([[1, -1], [-1, 1]]) == [0, 1] and similarity_order([]) == []


def test_order_of_60_models_is_a_permutation_and_brings_neighbours_closer():
    """Correlations of scores made of four common factors, listed in turns."""
    rng = np.random.default_rng(5)
    r = np.corrcoef(rng.normal(size=(60, 200)) + 2 * rng.normal(size=(4, 200))[np.arange(60) % 4])
    order = similarity_order(r.tolist())
    assert sorted(order) == list(range(60))
    assert all(len({i % 4 for i in order[k : k + 15]}) == 1 for k in range(0, 60, 15))
    assert not any(math.isnan(x) for x in r.ravel())


@pytest.mark.parametrize(
    ("least", "ticks"), [(0.2, [0, 0.5, 1]), (-0.1, [-0.1, 0.45, 1]), (-0.6, [-0.6, 0, 1])]
)
def test_the_ticks_of_the_colours_stay_apart(least, ticks):
    rows = ((1.0, 0.5, least), (0.5, 1.0, 0.3), (least, 0.3, 1.0))
    drawn = canvas(result(tuple("ABC"), correlations=rows), "correlations")
    assert drawn.axes[1].get_xticks().tolist() == pytest.approx(ticks)
