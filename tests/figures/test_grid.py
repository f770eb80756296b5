"""Matrices from records made by hand: colours, numbers and shapes are read back from the cells."""

import math
import re
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from matplotlib import colormaps
from matplotlib.text import Text
from support.figure_records import (
    NAN,
    canvas,
    coloured,
    difference,
    figure,
    marked,
    mean,
    result,
    texts,
)

import reportkit
from reportkit.figures.correlations import similarity_order
from reportkit.figures.grid import OUTLINES


def colour(name: str, share: float) -> tuple[float, ...]:
    return colormaps[name](share)


def test_each_pair_is_drawn_once_and_what_is_not_settled_has_no_colour():
    """Neighbours differ by 2 points, not settled; the first and the last by 4, the end of the
    colours. The signs are those of the table: the earlier model minus the later.
    """
    drawn = canvas(result(), "differences")
    assert coloured(drawn) == {(2, 0): colour("PuOr", 0.0)}
    assert marked(drawn, "pale") == [(1, 0), (2, 1)]
    shown = texts(drawn)
    assert shown.count("−4.0") == 1 and shown.count("−2.0") == 2 and "+2.0" not in shown
    assert any("Column minus row (percentage points)" in text for text in shown)


@pytest.mark.parametrize("lower", [False, True])
def test_of_a_chosen_best_the_matrix_has_the_signs_of_the_table_and_its_best_first(lower):
    """Means 0.40, 0.44, 0.42 of A, B and C: the best is B, or A where lower is better; each row is
    minus the best in the first column, as in the table of differences.
    """
    values = dict(zip("ABC", (0.40, 0.44, 0.42), strict=True))
    best = "A" if lower else "B"
    pairs = [difference(a, b, values[a] - values[b]) for a, b in ("AB", "AC", "BC")]
    of = result(
        tuple("ABC"),
        lower=lower,
        leader=best,
        means=tuple(mean(m, v) for m, v in values.items()),
        differences=tuple(
            difference(m, best, values[m] - values[best]) for m in "ABC" if m != best
        ),
        pairs=tuple(pairs),
    )
    drawn = canvas(of, "differences")
    order = "ACB" if lower else "BCA"
    assert [t.get_text() for t in drawn.axes[0].get_yticklabels()] == list(order[1:])
    assert [t.get_text() for t in drawn.axes[0].get_xticklabels()] == list(order[:2])
    assert marked(drawn, "^" if lower else "v") == [(1, 0), (2, 0), (2, 1)]
    sign = "+" if lower else "−"
    assert {f"{sign}2.0", f"{sign}4.0"} <= set(texts(drawn))
    assert (
        f", the {'lowest' if lower else 'highest'} mean first," in figure(of, "differences").title
    )


def test_the_order_that_the_user_named_is_that_of_the_matrix_behind_the_best():
    values = dict(zip("ABCD", (0.40, 0.42, 0.48, 0.44), strict=True))
    pairs = [difference(a, b, values[a] - values[b]) for a, b in combinations("ABCD", 2)]
    of = result(
        tuple("ABCD"),
        leader="C",
        means=tuple(mean(m, v) for m, v in values.items()),
        differences=tuple(difference(m, "C", values[m] - values["C"]) for m in "ABD"),
        pairs=tuple(pairs),
    )
    for named, order in ((True, "CABD"), (False, "CDBA")):
        drawn = canvas(replace(of, named=named), "differences")
        assert [t.get_text() for t in drawn.axes[0].get_yticklabels()] == list(order[1:])
        assert {"−8.0", "−6.0", "−4.0"} <= set(texts(drawn))  # each minus C, in the first column


@pytest.mark.parametrize("kind", ["differences", "correlations"])
def test_a_triangle_has_no_empty_row_or_column(kind):
    """Names head the columns: all but the last, and all but the first have a row. Where numbers
    head them, the first row says which model is 1.
    """
    ax = canvas(result(tuple("ABC")), kind).axes[0]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["A", "B"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["B", "C"]
    assert ax.get_xlim() == (-0.5, 1.5) and ax.get_ylim() == (2.5, 0.5)
    long = tuple(f"a-model-with-a-long-name-{k}" for k in range(9))
    ax = canvas(result(long), kind).axes[0]
    assert [t.get_text() for t in ax.get_xticklabels()] == [str(k) for k in range(1, 9)]
    assert len(ax.get_yticklabels()) == 9 and ax.get_xlim() == (-0.5, 7.5)


@pytest.mark.parametrize("unsettled", [0.021, 0.9])
def test_a_difference_that_is_not_settled_changes_no_colour(unsettled):
    """However large it is: the scale ends at the next round number above the settled 3.1 points."""
    pairs = (
        difference("A", "B", unsettled, p=0.2),
        difference("A", "C", 0.031),
        difference("B", "C", -0.01),
    )
    drawn = canvas(result(tuple("ABC"), differences=pairs), "differences")
    assert coloured(drawn) == {
        (2, 0): pytest.approx(colour("PuOr", (0.04 + 0.031) / 0.08)),
        (2, 1): pytest.approx(colour("PuOr", (0.04 - 0.01) / 0.08)),
    }
    assert [t.get_text() for t in drawn.axes[1].get_xticklabels()] == ["−4", "0", "+4"]


def test_where_nothing_is_settled_there_is_no_scale_of_colours():
    pairs = [difference(a, b, 0.1, p=0.5) for a, b in ("AB", "AC", "BC")]
    of = result(tuple("ABC"), differences=tuple(pairs))
    drawn = canvas(of, "differences")
    assert coloured(drawn) == {} and len(drawn.axes) == 1
    assert (
        "None has an adjusted p\u00a0below\u00a00.05 (Holm over 3 pairs);"
        in figure(of, "differences").title
    )
    assert "none has an adjusted p\u00a0<\u00a00.05 (3 pairs)" in " ".join(
        texts(canvas(of, "differences", "column"))
    )
    assert (
        "Coloured: adjusted p\u00a0below\u00a00.05 (Holm" in figure(result(), "differences").title
    )


def test_where_there_is_no_scale_a_column_leaves_no_room_for_it():
    """The legend stood above 0.3 inches of nothing."""
    high = []
    for p in (0.5, 0.01):
        pairs = [difference(a, b, 0.1, p=p) for a, b in ("AB", "AC", "BC")]
        drawn = canvas(result(tuple("ABC"), differences=tuple(pairs)), "differences", "column")
        high.append(drawn.get_figheight())
    assert high[1] - high[0] > 0.3


@pytest.mark.parametrize(
    ("largest", "ticks"),
    [
        (0.126, ["−15", "−10", "−5", "0"]),
        (0.3, ["−30", "−20", "−10", "0"]),
        (0.4, ["−40", "−20", "0"]),
    ],
)
def test_a_scale_of_one_side_has_round_numbers_between(largest, ticks):
    """It had −7.5 in the middle of −15 and 0."""
    pairs = [difference(b, a, -largest) for a, b in ("AB", "AC", "BC")]
    of = result(tuple("ABC"), spread=-0.1, pairs=tuple(pairs), leader="A")
    drawn = canvas(of, "differences")
    assert [t.get_text() for t in drawn.axes[1].get_xticklabels()] == ticks


@pytest.mark.parametrize("where", ["column", "phone"])
@pytest.mark.parametrize("kind", ["differences", "correlations"])
def test_a_column_of_many_models_breaks_no_date_that_smaller_type_holds(kind, where):
    """ "GPT-5 nano (2025-08-" and "07) (medium reasoning)" stood in figures of 25 models, and on a
    phone "(2025-08-0" and "7)".
    """
    long = [f"GPT-5 {size} (2025-08-07) (medium reasoning)" for size in ("mini", "nano")]
    of = result((*long, *(f"m{i}" for i in range(23))))
    names = [t.get_text() for t in canvas(of, kind, where).axes[0].get_yticklabels()]
    assert names[:2] == [name.replace(") (", ")\n(") for name in long]


def test_significance_is_a_shape():
    """Neighbours have p = 0.3, the others 0.01: up where the difference is positive, down where it
    is negative, a ring if unclear.
    """
    drawn = canvas(result(), "differences")
    assert marked(drawn, "v") == [(2, 0)] and marked(drawn, "^") == []
    assert marked(drawn, "o") == [(1, 0), (2, 1)]
    legend = [t.get_text() for t in drawn.legends[0].get_texts()]
    assert legend == [
        "column lower, adjusted p < 0.05",
        "no colour: adjusted p ≥ 0.05",
    ]


def test_an_undefined_p_is_named_where_there_is_one():
    pairs = [difference(b, a, 0.1) for a, b in ("AB", "AC")]
    pairs.append(replace(difference("C", "B", 0.1), p_adjusted=NAN))
    drawn = canvas(result(tuple("ABC"), differences=tuple(pairs)), "differences")
    assert "no colour: adjusted p ≥ 0.05 or undefined" in texts(drawn)


def test_the_shapes_take_the_place_of_a_scale_that_is_not_there():
    """They stood at the right, beside nothing; now above the words, none on the other."""
    pairs = tuple(difference(b, a, 0.01, 0.3) for a, b in ("AB", "AC", "BC"))
    drawn = canvas(result(tuple("ABC"), differences=pairs), "differences")
    drawn.draw_without_rendering()
    legend = drawn.legends[0].get_window_extent()
    foot = next(t for t in drawn.findobj(Text) if t.get_text().startswith("Column minus row"))
    assert abs(legend.x0 - foot.get_window_extent().x0) < 10
    assert legend.y0 > foot.get_window_extent().y1


@pytest.mark.parametrize("width", ["page", "column"])
@pytest.mark.parametrize("n", [12, 60, 71])
def test_shapes_equal_the_adjusted_p_values_with_many_models_too(n, width):
    of = result([f"m{i}" for i in range(n)])
    drawn = canvas(of, "differences", width)
    place = {m: i for i, m in enumerate(of.models)}
    clear = [(place[d.model], place[d.baseline]) for d in of.differences if d.p_adjusted < 0.05]
    # Model i scores 0.02 i more than model 0, so the earlier model, in the column, is the lower.
    assert marked(drawn, "v") == sorted((max(pair), min(pair)) for pair in clear)
    assert marked(drawn, "^") == []
    assert len(marked(drawn, "o")) == n - 1
    # numbers in the cells
    numbers = [t for t in texts(drawn) if t.startswith("−") and "." in t]
    assert len(numbers) == (n * (n - 1) / 2 if n == 12 and width == "page" else 0)


def test_an_undefined_p_is_unclear_and_an_undefined_difference_is_a_dash():
    pairs = (
        replace(difference("A", "B", 0.1), p_adjusted=NAN),
        difference("A", "C", NAN, NAN),
        difference("B", "C", 0.1),
    )
    drawn = canvas(result(tuple("ABC"), differences=pairs), "differences")
    assert marked(drawn, "o") == [(1, 0)]
    assert marked(drawn, "_") == marked(drawn, "undefined") == [(2, 0)]
    assert marked(drawn, "v") == [] and marked(drawn, "^") == [(2, 1)]
    assert list(coloured(drawn)) == [(2, 1)]


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
    ax = canvas(of, "correlations").axes[0]
    labels = ["A", *(t.get_text() for t in ax.get_yticklabels())]
    assert labels[:-1] == [t.get_text() for t in ax.get_xticklabels()]
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


def test_models_without_any_correlation_stand_together_at_the_end():
    """A and D have none; B goes with E, and C stands by itself."""
    near = {frozenset("BE"): 0.9, frozenset("BC"): 0.1, frozenset("CE"): 0.2}
    r = [[near.get(frozenset({a, b}), NAN) for b in "ABCDE"] for a in "ABCDE"]
    assert ["ABCDE"[i] for i in similarity_order(r)] == ["B", "E", "C", "A", "D"]


@pytest.mark.parametrize(("n", "width"), [(3, "page"), (25, "page"), (58, "page"), (58, "column")])
def test_dashes_of_neighbouring_cells_stand_apart(n, width):
    """Between two dashes is more room than either is wide, so that a row of them is no line; the
    cells have the white edges of all others.
    """
    rows = tuple(
        tuple(NAN if n - 1 in (a, b) else 0.5 ** abs(a - b) for b in range(n)) for a in range(n)
    )
    of = result([f"a-model-with-a-long-name-{k:02}" for k in range(n)], correlations=rows)
    found = {a.get_label(): a for a in canvas(of, "correlations", width).axes[0].get_children()}
    dash = found["_"].get_path().to_polygons()[0]
    assert max(x for x, _ in dash) - min(x for x, _ in dash) < 0.5
    assert found["undefined"].get_linewidth() == found["cells"].get_linewidth()


def test_order_of_60_models_is_a_permutation_and_brings_neighbours_closer():
    """Correlations of scores made of four common factors, listed in turns."""
    rng = np.random.default_rng(5)
    r = np.corrcoef(rng.normal(size=(60, 200)) + 2 * rng.normal(size=(4, 200))[np.arange(60) % 4])
    order = similarity_order(r.tolist())
    assert sorted(order) == list(range(60))
    assert all(len({i % 4 for i in order[k : k + 15]}) == 1 for k in range(0, 60, 15))
    assert not any(math.isnan(x) for x in r.ravel())


@pytest.mark.parametrize(
    ("least", "ticks"), [(0.2, [0, 0.5, 1]), (-0.1, [-0.2, 0, 0.5, 1]), (-0.6, [-1, 0, 1])]
)
def test_the_ticks_of_the_colours_stay_apart_at_round_numbers(least, ticks):
    rows = ((1.0, 0.5, least), (0.5, 1.0, 0.3), (least, 0.3, 1.0))
    drawn = canvas(result(tuple("ABC"), correlations=rows), "correlations")
    assert drawn.axes[1].get_xticks().tolist() == pytest.approx(ticks)


@pytest.mark.parametrize("kind", ["differences", "correlations"])
@pytest.mark.parametrize(
    ("n", "width", "edge"),
    [
        (12, "column", 0.8),
        (25, "page", 0.2),  # 0.18 inches
        (58, "page", 0.2),  # 0.08
        (25, "column", 0.0),  # 0.067
        (58, "column", 0.0),
    ],
)
def test_narrow_cells_have_no_white_edges(kind, n, width, edge):
    """A screen draws an edge of 0.2 points a pixel wide, 0.7 points at 100 pixels to the inch: of
    cells 1.4 points wide it left half of the colour, so that 0.6 looked like 0.3.
    """
    names = [f"a-model-with-a-long-name-{k:02}" for k in range(n)]
    drawn = canvas(result(names), kind, width)
    cells = [a for a in drawn.axes[0].get_children() if a.get_label() in ("cells", "pale")]
    assert {cell.get_linewidth() for cell in cells} == {edge}


def test_a_matrix_says_that_the_table_adjusts_for_fewer_comparisons():
    """Six models: 15 pairs, and five comparisons with the best; four: six pairs in both."""
    rng = np.random.default_rng(3)
    names = [f"m{k}" for k in range(6)]
    scores = pd.DataFrame({m: rng.random(80) < 0.4 + 0.05 * k for k, m in enumerate(names)})
    wide = scores.astype(float).assign(question_id=np.arange(80))
    for models, words in ((6, "(Holm over 15 pairs; the table of differences adjusts for 5)"),
                          (4, "(Holm over 6 pairs)")):  # fmt: skip
        r, _ = reportkit.analyse(wide[["question_id", *names[:models]]])
        assert words in figure(r, "differences").title


@pytest.mark.parametrize(("least", "low"), [(-0.1, -0.2), (-0.3, -0.5), (-0.7, -1.0)])
def test_colours_of_negative_correlations_begin_at_a_round_number_below_them(least, low):
    """Of a scale from low to 1, r has the share (r - low) / (1 - low) of the blues."""
    of = result(correlations=((1, least, 0.4), (least, 1, 0.2), (0.4, 0.2, 1)))
    shares = sorted((r - low) / (1 - low) for r in (least, 0.2, 0.4))
    drawn = sorted(coloured(canvas(of, "correlations")).values())
    expected = sorted(colour("Blues", share) for share in shares)
    assert np.asarray(drawn) == pytest.approx(np.asarray(expected))


def test_the_alternative_text_has_correlations_with_two_decimals():
    """As in the cells: 0.904 and 0.117 are 0.90 and 0.12."""
    of = result(("A", "B", "C"), correlations=((1, 0.904, 0.117), (0.904, 1, 0.5), (0.117, 0.5, 1)))
    assert "0.90" in figure(of, "correlations").alt and "0.12" in figure(of, "correlations").alt
    assert "0.904" not in figure(of, "correlations").alt


@pytest.mark.parametrize(("n", "numbers"), [(12, 66), (13, 0)])
def test_cells_of_up_to_twelve_models_carry_numbers(n, numbers):
    """12 models have 12 * 11 / 2 = 66 pairs."""
    of = result(tuple(f"m{i}" for i in range(n)))
    written = [t for t in texts(canvas(of, "correlations")) if t.startswith("0.")]
    assert len([t for t in written if len(t) == 4]) == numbers


def test_the_shapes_in_cells_are_even():
    """Each is its own mirror image, left and right; the two triangles are each other's."""
    for outline in OUTLINES.values():
        points = {(round(x, 9), round(y, 9)) for x, y in outline}
        assert points == {(-x, y) for x, y in points}
    assert set(OUTLINES["v"]) == {(x, -y) for x, y in OUTLINES["^"]}
    assert len(OUTLINES["o"]) == 10
    assert np.linalg.norm(OUTLINES["o"], axis=1) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("tested", "title", "key"),
    [
        (3, "(Holm over 3 pairs)", " (3 pairs)"),
        (2, "(Holm over 2 pairs)", " (2 pairs)"),
        (1, "", ""),
    ],
)
def test_how_many_pairs_p_is_adjusted_over_is_said_of_two_and_more(tested, title, key):
    """Of three pairs, so many have a p; one alone is adjusted over nothing."""
    of = result()
    pairs = [
        d if k < tested else replace(d, p_value=NAN, p_adjusted=NAN)
        for k, d in enumerate(of.differences)
    ]
    of = replace(of, differences=tuple(pairs))
    said = figure(of, "differences").title
    assert title in said and ("Holm" in said) is bool(title)
    column = " ".join(texts(canvas(of, "differences", "column")))
    assert f"adjusted p\u00a0<\u00a00.05{key}" in column and (" pair" in column) is bool(key)


def test_heads_with_and_without_descenders_stand_on_one_line():
    """ "Galleon" stood lower than "Dreadnought", by 0.8 points."""
    svg = figure(result(), "differences").svg.decode()
    found = re.findall(r'middle" x="[\d.]+" y="([\d.]+)"[^>]*>(Galleon|Dreadnought)<', svg)
    heads = {name: float(y) for y, name in found}
    assert len(heads) == 2 and abs(heads["Galleon"] - heads["Dreadnought"]) < 0.02
    # Matplotlib's 3.5 points below the cells, and an ascent of 0.76 of the size in DejaVu Sans.
    [cells] = re.findall(r'<path d="(M[^"]*)" clip-path="[^"]*" style="fill: #f0f0f0', svg)
    lowest = max(float(y) for y in re.findall(r"[ML] [\d.]+ ([\d.]+)", cells))
    assert abs(heads["Galleon"] - lowest - 3.5 - 0.76 * 8.5) < 0.02
