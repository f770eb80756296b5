"""Figures from records made by hand: what is drawn is read back from the axes."""

import hashlib
import math
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import pytest

from reportkit.errors import UnknownNameError
from reportkit.figures import KINDS, Figure, _correlations, _differences, _means, _power, draw
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult, Scale
from reportkit.tables import make_table

NAN = math.nan
HOSTILE = ("a|b_%$#{~^\\", "<script>", "$x$", "中文")


def mean(model: str, value: float, half: float = 0.02) -> MeanResult:
    low, high = value - half, value + half
    return MeanResult(model, value, half / 2, 99, low, high, 0.95, "t", 100, 100, 400, 0, 0, half / 2, 1, 0.1, 0.1)


def difference(model: str, baseline: str, value: float, p: float = 0.01, half: float = 0.02) -> DifferenceResult:
    low, high = value - half, value + half
    rest = (0.4, 100, 100, 0, 0, half, 0.03)
    return DifferenceResult(model, baseline, value, half / 2, 99, low, high, 0.95, "t", p, p, *rest)


def power(model: str, baseline: str, mde: float = 0.03, sigma2: float = 1 / 6) -> PowerResult:
    return PowerResult(model, baseline, 1 / 9, sigma2, sigma2, 1, 1, 200, 0.05, 0.8, mde)


def result(models=("Galleon", "Dreadnought", "Sloop"), baseline: str = "", spread: float = 0.02, **more) -> EvalResult:
    """Model i scores 0.4 + spread * i; pairs of neighbours are not clearly apart."""
    place = range(len(models))
    pairs = [(i, 0) for i in place[1:]] if baseline else list(combinations(place, 2))
    made = {
        "means": tuple(mean(m, 0.4 + spread * i) for i, m in enumerate(models)),
        "differences": tuple(
            difference(models[i], models[j], spread * (i - j), 0.3 if abs(i - j) == 1 else 0.01) for i, j in pairs
        ),
        "power": tuple(power(models[i], models[j]) for i, j in pairs),
        "correlations": tuple(tuple(0.9 ** abs(i - j) for j in place) for i in place),
    }
    more = {"eval": "MATH"} | made | more
    return EvalResult(metric="match", n_questions=100, n_clusters=100, models=tuple(models), baseline=baseline, **more)


def figure(of: EvalResult, kind: str) -> Figure:
    drawn = draw(of, kind)
    assert drawn is not None
    return drawn


def texts(canvas) -> list[str]:
    from matplotlib.text import Text

    return [t.get_text() for t in canvas.findobj(Text)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_in_three_formats_with_words(kind):
    made = figure(result(), kind)
    assert (made.svg[:5], made.pdf[:5], made.png[1:4]) == (b"<?xml", b"%PDF-", b"PNG")
    assert "MATH" in made.title and "Galleon" in made.alt and made.alt.endswith(".")
    assert b"/FontFile2" in made.pdf and b"/Type3" not in made.pdf  # TrueType kept as it is (type 42)


def test_an_unknown_kind_is_named():
    with pytest.raises(UnknownNameError, match="no figure 'mean'; did you mean 'means'"):
        draw(result(), "mean")


def test_nothing_imports_matplotlib_before_the_first_draw():
    code = "import sys, reportkit.figures; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_process_draws_the_same_bytes_and_a_users_style_changes_nothing(tmp_path):
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.fonttype: none\nfont.family: serif\n")
    code = (
        "import hashlib, test_figures as t\n"
        "for b in ('', 'Galleon'):\n"
        "    for k in t.KINDS:\n"
        "        f = t.figure(t.result(baseline=b), k)\n"
        "        print(hashlib.sha256(f.svg + f.pdf + f.png + f.alt.encode()).hexdigest())\n"
    )
    here = os.path.dirname(__file__)
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join([here, os.path.dirname(here)]),
        "PYTHONHASHSEED": "7",
        "MATPLOTLIBRC": str(tmp_path),
    }
    other = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    ours = [figure(result(baseline=b), k) for b in ("", "Galleon") for k in KINDS]
    assert other.stdout.split() == [hashlib.sha256(f.svg + f.pdf + f.png + f.alt.encode()).hexdigest() for f in ours]


def test_drawing_leaves_the_users_settings_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    draw(result(), "means")
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or before["backend"] == matplotlib.rcParams["backend"]


def test_the_means_are_the_records():
    of = result(baseline="Galleon")
    ax = _means(of).axes[0]
    bars = [segment.tolist() for segment in ax.collections[0].get_segments()]
    assert bars == [[[100 * m.ci_low, i], [100 * m.ci_high, i]] for i, m in enumerate(of.means)]
    assert ax.lines[0].get_xydata().tolist() == [[100 * m.mean, i] for i, m in enumerate(of.means)]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(of.models)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # first model on top
    assert "40.0% (38.0%, 42.0%)" in texts(ax.figure)


def test_differences_from_a_baseline_are_drawn_with_intervals():
    of = result(baseline="Galleon")
    canvas = _differences(of)
    bars = [segment.tolist() for segment in canvas.axes[0].collections[0].get_segments()]
    assert bars == [[[100 * d.ci_low, i], [100 * d.ci_high, i]] for i, d in enumerate(of.differences)]
    assert {"+2.0% (0.0%, +4.0%)", "+4.0% (+2.0%, +6.0%)"} <= set(texts(canvas))
    assert any("Difference from Galleon (percentage points)" in t for t in texts(canvas))


def test_the_matrix_mirrors_each_pair_and_hatches_the_unclear():
    canvas = _differences(result())
    grid = canvas.axes[0].collections[0].get_array()
    assert grid.tolist() == [[None, -0.02, -0.04], [0.02, None, -0.02], [0.04, 0.02, None]]
    (hatched,) = canvas.axes[0].patches
    assert hatched.get_hatch() and len(hatched.get_path().to_polygons()) == 4  # two neighbouring pairs, both ways
    assert "hatched: adjusted p ≥ 0.05 or undefined" in texts(canvas)
    assert {"+4.0", "−4.0"} <= set(texts(canvas))


def test_correlations_fill_the_lower_triangle():
    grid = _correlations(result()).axes[0].collections[0].get_array()
    assert [row[:i] for i, row in enumerate(grid.tolist())] == [[], [0.9], [0.9**2, 0.9]]
    assert [row[i:] for i, row in enumerate(grid.tolist())] == [[None] * 3, [None] * 2, [None]]


def test_the_power_curve_is_equation_10_of_miller():
    """Its example, n = 198 with variances 1/9 and 1/6: 13.27% at K = 1; at K = 4, (1/9 + 1/12) / (1/9 + 1/3) = 7/16."""
    of = result(("A", "B"), power=(replace(power("A", "B", 0.13273), n_questions=198),))
    solid, dashed = _power(of).axes[0].lines
    assert solid.get_markevery() == [32]  # the point of this eval
    assert solid.get_xydata()[[0, 32, 64]].tolist() == [
        [198 / 8, pytest.approx(13.273 * math.sqrt(8))],
        [pytest.approx(198), pytest.approx(13.273)],
        [198 * 8, pytest.approx(13.273 / math.sqrt(8))],
    ]
    assert dashed.get_xydata()[32, 1] == pytest.approx(13.273 * math.sqrt(7 / 16))


def test_without_repeated_answers_there_is_no_dashed_curve():
    unknown = replace(power("A", "B"), omega2=NAN, sigma2_model=NAN, sigma2_baseline=NAN)
    assert len(_power(result(("A", "B"), power=(unknown,))).axes[0].lines) == 1
    assert len(_power(result(("A", "B"), power=(power("A", "B", sigma2=0),))).axes[0].lines) == 1


def test_at_most_six_pairs_have_curves_and_the_words_say_so():
    of = result(tuple("ABCDE"))
    assert "for the first 6 of 10 pairs" in figure(of, "power").alt
    assert "shown: the first 6 of 10 pairs" in texts(_power(of))
    all_drawn = result(tuple("ABC"))
    assert "3 pairs" not in figure(all_drawn, "power").alt
    assert not any("shown" in t for t in texts(_power(all_drawn)))


def test_pairs_left_out_as_undefined_are_counted_too():
    of = result(tuple("ABC"))
    of = replace(of, power=(replace(of.power[0], mde=NAN), *of.power[1:]))
    assert "shown: 2 of 3 pairs" in texts(_power(of)) and "for 2 of 3 pairs" in figure(of, "power").alt


@pytest.mark.parametrize("kind", ["means", "differences"])
@pytest.mark.parametrize("half", [0.02, 0.0002])
def test_the_numbers_are_the_cells_of_the_tables(kind, half):
    """With digits as the smallest standard error needs them."""
    means = tuple(mean(m, 0.41234, half) for m in "ABC")
    pairs = tuple(difference(m, "A", 0.01234, half=half) for m in "BC")
    of = result(tuple("ABC"), "A", means=means, differences=pairs)
    first, interval = (1, 2) if kind == "means" else (2, 3)
    shown = texts(_means(of) if kind == "means" else _differences(of))
    for row in make_table(of, kind).cells:
        text = f"{row[first].split()[0]} {row[interval]}"
        assert text in shown and text in figure(of, kind).alt


def test_the_words_for_power_are_the_cells_of_the_table():
    of = result(("A", "B"), power=(power("A", "B", 0.0004),))
    assert make_table(of, "power").cells[0][4] == "<0.1%"
    assert "A vs B: <0.1% at 200 questions" in texts(_power(of))
    assert "A and B <0.1% at 200 questions" in figure(of, "power").alt


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("baseline", ["", HOSTILE[0]])
def test_hostile_names_stay_text(kind, baseline):
    """Warnings are errors here, so a missing glyph fails too. matplotlib writes each text into a comment of the SVG."""
    made = figure(result(HOSTILE, baseline, eval="$\\frac$ <&>"), kind)
    svg = made.svg.decode()
    for shown in ("a|b_%$#{~^\\", "&lt;script&gt;", "$x$", "&lt;U+4E2D&gt;&lt;U+6587&gt;"):
        assert shown in svg
    assert "<script>" not in svg
    assert all(name in made.alt for name in HOSTILE)


def test_long_names_are_elided_but_stay_apart():
    names = ["org/" + "x" * 30 + middle + "y" * 30 + "-v2" for middle in "ab"] + ["W" * 60, "new\nline\x00\udc80"]
    labels = [t.get_text() for t in _means(result(tuple(names))).axes[0].get_yticklabels()]
    assert len(set(labels)) == 4 and all("…" in label for label in labels[:3])
    assert all(len(label) <= 44 for label in labels)
    assert labels[3] == "new<U+000A>line<U+0000><U+DC80>"
    for kind in KINDS:
        figure(result(tuple(names)), kind)


def test_an_undefined_interval_is_a_hollow_point_without_a_bar():
    means = (replace(mean("A", 0.5), ci_low=NAN, ci_high=NAN, se=NAN), mean("B", 0.6), mean("C", NAN, NAN))
    canvas = _means(result(tuple("ABC"), means=means))
    ax = canvas.axes[0]
    assert [s[0][1] for s in ax.collections[0].get_segments()] == [1]
    assert ax.lines[1].get_markerfacecolor() == "white" and ax.lines[1].get_xydata().tolist() == [[50, 0]]
    assert {"50.0% —", "—"} <= set(texts(canvas)) and any("hollow" in t for t in texts(canvas))


def test_undefined_pairs_are_grey_cells_with_a_dash():
    pairs = (difference("A", "B", 0.1), difference("A", "C", NAN, NAN, NAN), difference("B", "C", 0.1))
    row = (1.0, NAN, NAN)
    of = result(tuple("ABC"), differences=pairs, correlations=(row, (0.5, 1.0, NAN), (NAN, NAN, 1.0)))
    for canvas, cells in ((_differences(of), [[2, 0], [0, 2]]), (_correlations(of), [[0, 2], [1, 2]])):
        (dashes,) = canvas.axes[0].lines
        assert dashes.get_marker() == "_" and dashes.get_xydata().tolist() == cells
    assert all(draw(of, kind) for kind in KINDS)


def test_nothing_to_draw_is_none():
    one = result(("A",))
    assert [kind for kind in KINDS if draw(one, kind)] == ["means"]
    none = result(("A", "B"), means=(mean("A", NAN, NAN),), differences=(), correlations=(), power=())
    assert not any(draw(none, kind) for kind in KINDS)
    blank = result(("A", "B"), differences=(difference("A", "B", NAN, NAN, NAN),), correlations=((1, NAN), (NAN, 1)))
    assert not draw(blank, "differences") and not draw(blank, "correlations")


def test_two_models_without_a_baseline_get_an_interval_rather_than_a_matrix():
    assert len(_differences(result(("A", "B"))).axes[0].collections[0].get_segments()) == 1


@pytest.mark.parametrize("n", [60, 71])
def test_many_models_fit_a_page(n):
    of = result([f"model-{i}" for i in range(n)], spread=0.005)
    for axes in (_means, _differences, _correlations):
        width, height = axes(of).get_size_inches()
        assert width == 6.5 and height <= 9
    assert draw(of, "differences").svg and draw(of, "means").svg


def test_scores_in_their_own_units():
    of = result(("A", "B"), scale=Scale(1, 10, False, False), means=(mean("A", 6.5, 0.25), mean("B", 10, 0)))
    canvas = _means(of)
    assert canvas.axes[0].lines[0].get_xdata().tolist() == [6.5, 10]
    assert {"6.50 (6.25, 6.75)", "10.00 (10.00, 10.00)"} <= set(texts(canvas))
    assert "%" not in figure(of, "means").alt
    assert "Detectable difference (score units)" in texts(_power(of))


def test_only_a_perfect_score_reads_100():
    of = result(("A", "B"), means=(mean("A", 0.9999, 0), mean("B", 1.0, 0)))
    assert {"99.9% (99.9%, 99.9%)", "100.0% (100.0%, 100.0%)"} <= set(texts(_means(of)))


@pytest.mark.parametrize("kind", KINDS)
def test_fictional_data_say_so_in_the_picture_too(kind):
    made = figure(result(fictional=True), kind)
    assert "fictional" in made.title and "fictional" in made.alt and b"fictional data" in made.svg


def test_the_ticks_of_a_wide_power_figure_stay_apart():
    of = result()
    of = replace(of, power=tuple(replace(p, n_questions=n) for p, n in zip(of.power, (10, 2000, 100_000), strict=True)))
    canvas = _power(of)
    canvas.draw_without_rendering()
    low, high = canvas.axes[0].get_xlim()
    shown = [t for t in canvas.axes[0].get_xticklabels() if low <= t.get_position()[0] <= high]
    assert {"10", "1,000", "100,000"} <= {t.get_text() for t in shown}
    boxes = [t.get_window_extent() for t in shown]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
