"""Heat maps over several evals: what has no scale has its number and no colour."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.figure_records import coloured, marked
from support.scores_made import result_of
from support.suites_made import suite_results

from reportkit.analysis import analyse
from reportkit.analysis.suite import suite_of
from reportkit.figures import draw_suite
from reportkit.figures.canvas import WIDTHS
from reportkit.figures.heads import heads_of, key_of
from reportkit.figures.heat import draw_differences, draw_scores

TEXTS = re.compile(r"<text[^>]*>([^<]*)</text>")


@pytest.mark.parametrize("kind", ["suite-scores", "suite-differences", "suite-ranks"])
def test_an_eval_in_units_of_its_own_is_drawn(kind):
    """Its best model has a diamond, on a cell that has no place on a scale."""
    results = suite_results(2, 2, gap=False)
    models = results[0].models
    rng = np.random.default_rng(5)
    loss = [
        {"model": m, "question_id": q, "score": 400.0 + 100.0 * k + rng.normal(0.0, 9.0)}
        for k, m in enumerate(models)
        for q in range(30)
    ]
    own, _ = analyse(pd.DataFrame(loss).assign(eval="Loss"))
    assert not own.scale.bounded
    for width in ("page", "column"):
        figure = draw_suite(suite_of([*results, own]), kind, width)
        assert figure is not None and b"<svg" in figure.svg


def test_percentages_are_in_points_and_other_scales_in_shares():
    """The scale of colours has a percent sign only where it is a share of each eval's own scale."""
    results = suite_results(2, 2, gap=False)
    percent = draw_suite(suite_of(results), "suite-differences").svg.decode()
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": q, "score": 1.0 + 3.0 * k + rng.integers(0, 6)}
        for k, m in enumerate(results[0].models)
        for q in range(40)
    ]
    judged, _ = analyse(pd.DataFrame(rows).assign(eval="Judge"), range="1,10")
    mixed = draw_suite(suite_of([*results, judged]), "suite-differences").svg.decode()
    assert "%" not in "".join(TEXTS.findall(percent)) and "percentage points" in percent
    assert any(text.endswith("%") for text in TEXTS.findall(mixed)) and "share of the" in mixed


def test_the_caption_stands_alone():
    """Two evals of 40 questions; the metrics are those of the suite as made."""
    figure = draw_suite(suite_of(suite_results(2, 2, gap=False)), "suite-scores")
    assert figure.title == (
        "Mean scores of 2 models on 2 evals. Metric: exact_match, pass@1 on Eval 2; 40 questions "
        "in each eval."
    )


def test_the_text_of_the_figure_names_every_model_with_the_best_mean():
    """A and B have the same scores: 3 of 4 right. Seven models are told by their number."""
    right, less = [1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]
    two = result_of(np.array([right, right, less]), eval="e")
    rows = [
        {"model": m, "question_id": q, "score": x} for m in "ABCDEFG" for q, x in enumerate(right)
    ]
    seven, _ = analyse(pd.DataFrame(rows).assign(eval="f"))
    text = draw_suite(suite_of([two, seven]), "suite-scores").alt
    assert text.endswith("Best means: e A and B 75.0%; f 7 models 75.0%.")


def test_the_baseline_in_the_key_is_written_as_in_the_columns():
    """Marks that reorder text are codes, and a name of 90 letters loses its middle."""
    for baseline in ("m\u202eledom", "x" * 90):
        rows = [
            {"eval": e, "model": m, "question_id": q, "score": float((q + k) % 3 > 1)}
            for e in ("E", "F")
            for k, m in enumerate((baseline, "b"))
            for q in range(9)
        ]
        frame = pd.DataFrame(rows)
        evals = [analyse(frame, eval=e, baseline=baseline)[0] for e in ("E", "F")]
        texts = TEXTS.findall(draw_suite(suite_of(evals), "suite-differences").svg.decode())
        [key] = [text for text in texts if text.startswith("Model minus ")]
        shown = key.removeprefix("Model minus ").partition(",")[0]
        assert shown in ("mU+202Eledom", "x" * 30 + "…" + "x" * 29)


def test_where_nothing_is_settled_the_caption_says_so():
    """Both models have 3 of 9 questions right in each of two evals."""
    rows = [
        {"eval": e, "model": m, "question_id": q, "score": float((q + k) % 3 > 1)}
        for e in ("E", "F")
        for k, m in enumerate("ab")
        for q in range(9)
    ]
    evals = [analyse(pd.DataFrame(rows), eval=e)[0] for e in ("E", "F")]
    title = draw_suite(suite_of(evals), "suite-differences").title
    assert "None has an adjusted p\u00a0below\u00a00.05 (Holm over 2 comparisons);" in title


@pytest.mark.parametrize("kind", ["suite-scores", "suite-differences"])
@pytest.mark.parametrize("width", ["page", "column"])
def test_a_head_of_a_column_cuts_no_word(kind, width):
    """A column figure of three models had "Dreadnough" and "t" in two lines."""
    rows = [
        {"eval": e, "model": m, "question_id": q, "score": float((q + k) % 3 > 1)}
        for e in ("HumanEval", "MGSM")
        for k, m in enumerate(("Galleon", "Dreadnought", "Frigate"))
        for q in range(9)
    ]
    evals = [analyse(pd.DataFrame(rows), eval=e)[0] for e in ("HumanEval", "MGSM")]
    texts = TEXTS.findall(draw_suite(suite_of(evals), kind, width).svg.decode())
    assert not {"Dreadnough", "t", "ht"} & {word for text in texts for word in text.split()}
    assert any("Dreadnought" in text for text in texts)


@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [(0.25, 0.75, ["20%", "50%", "80%"]), (0.5, 0.75, ["40%", "60%", "80%"])],
)
def test_the_colours_of_scores_reach_from_tenth_to_tenth(least, most, ticks):
    """The tenths around the lowest and the highest score, with a tenth in their middle: of 50% to
    80%, from 40% on.
    """
    rows = np.array([[1.0] * int(4 * x) + [0.0] * int(4 - 4 * x) for x in (least, most)])
    evals = [result_of(rows, eval=name) for name in ("E", "F")]
    texts = TEXTS.findall(draw_suite(suite_of(evals), "suite-scores").svg.decode())
    assert [text for text in texts if text.endswith("%") and text.count("%") == 1] == ticks


@pytest.mark.parametrize(
    ("wide", "shown"),
    [(0.04, ["1", "5", "10", "15"]), (0.05, ["1", "5", "10", "15"]), (0.1, ["2", "4", "6", "8"])],
)
def test_of_narrow_columns_every_so_many_has_its_number(wide, shown):
    """Numbers stand at least .18 inches apart: every 5th (.2 and .25 inches), and the 1st, or every
    2nd (.2 inches).
    """
    heads = heads_of([f"model {k}" for k in range(19)], wide)
    assert heads.numbers
    assert [text for text in heads.texts if text][:4] == shown
    assert all(not text or text == str(i) for i, text in enumerate(heads.texts, 1))


@pytest.mark.parametrize("width", ["page", "column"])
def test_a_baseline_is_told_from_other_models_whose_long_names_are_alike(width):
    """It had the ends alone, which both names have."""
    names = ["x" * 90 + f"-{word}-" + "y" * 90 for word in ("old", "big")]
    rng = np.random.default_rng(3)
    rows = [
        {"eval": e, "model": m, "question_id": q, "score": int(rng.uniform() < 0.5)}
        for e in ("One", "Two")
        for m in names
        for q in range(40)
    ]
    frame = pd.DataFrame(rows)
    evals = [analyse(part, baseline=names[0])[0] for _, part in frame.groupby("eval")]
    texts = TEXTS.findall(draw_suite(suite_of(evals), "suite-differences", width).svg.decode())
    assert sum("-old-" in text for text in texts) == 1


@pytest.mark.parametrize("width", ["page", "column"])
def test_heads_with_and_without_descenders_stand_on_one_line(width):
    """ "Galleon" stood lower than "Dreadnought", "3_1-70B" higher than "3-70B"."""
    names = ["Galleon", "Dreadnought", "Meta-Llama-3_1-70B"]
    rows = [
        {"model": m, "question_id": q, "score": float(q % (k + 2) == 0)}
        for k, m in enumerate(names)
        for q in range(40)
    ]
    results = [analyse(pd.DataFrame(rows).assign(eval=e))[0] for e in ("A", "B")]
    svg = draw_suite(suite_of(results), "suite-scores", width).svg.decode()
    at = {text: float(y) for y, text in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]*)<', svg)}
    last = [y for text, y in at.items() if text.endswith(("Galleon", "nought", "70B"))]
    assert len(last) == 3 and max(last) - min(last) < 0.02  # points; it was 0.8 and more
    first_row = min(float(y) for y in re.findall(r"M \S+ (\S+)  L[^>]*stroke-width: 0.8", svg))
    # 2 points between the cells and a descender, of 0.24 of the size in DejaVu Sans.
    assert abs(first_row - max(last) - 2.0 - 0.24 * 8) < 0.02


def test_lines_of_heads_stand_on_one_line_whatever_hangs_below_them():
    """The first line of a head stood 0.9 points lower where the second one had an underscore."""
    names = ["E-Meta-Llama 3B chat", "F-Meta-Llama 3_B chat", "H-Meta-Llama 3B chap"]
    rows = [
        {"model": m, "question_id": q, "score": float(q % (k + 2) == 0)}
        for k, m in enumerate(names)
        for q in range(40)
    ]
    results = [analyse(pd.DataFrame(rows).assign(eval=e))[0] for e in ("A", "B")]
    svg = draw_suite(suite_of(results), "suite-scores", "column").svg.decode()
    texts = re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]*)<', svg)
    first = [float(y) for y, text in texts if text.endswith("-Meta-Llama")]
    second = [float(y) for y, text in texts if text.startswith(("3B", "3_B"))]
    assert len(first) == len(second) == 3
    assert max(first) - min(first) < 0.02 and max(second) - min(second) < 0.02
    assert second[0] - first[0] == pytest.approx(1.05 * 8, abs=0.02)  # sizes of the type


SIZES = ("3.1-70B", "3.1-8B", "3.2-1B-Instruct", "3-8B-Ultrachat-200K")


def large_suite():
    """36 models, of which the first is the best, on 12 evals with names of two lines."""
    names = tuple(f"Llama-{SIZES[k % 4]}-v{k}" for k in range(36))
    made = suite_of(suite_results(2, 2, gap=False))
    first = made.evals[0]
    evals = tuple(
        replace(
            first,
            eval=f"wildbench-v2.{k:02}-judge-gpt-4o-2024-05-13",
            means=tuple(replace(first.means[0], model=name) for name in names),
            best=names[:1],
        )
        for k in range(12)
    )
    return replace(made, models=names, evals=evals)


def test_36_models_of_12_evals_fit_a_column_with_whole_names():
    """Their key was 36 lines below the figure, which was 707 points high. Article in two columns
    has 550: a caption of three lines takes 48 of them.
    """
    s = large_suite()
    svg = draw_suite(s, "suite-scores", "column").svg.decode()
    assert float(re.search(r'height="([\d.]+)pt"', svg)[1]) * 72.27 / 72 <= 550 - 48
    lines = TEXTS.findall(svg)
    text = "".join(lines) + "".join(reversed(lines))  # the last line of a name may come first
    assert "…" not in text
    assert all(name in text for name in (*s.models, *(r.eval for r in s.evals)))


def test_the_names_of_a_key_stand_in_order_in_lists_that_are_alike():
    """20 names of which none needs a second line: two lists have ten each, and so on."""
    short = key_of([f"m{k}" for k in range(1, 21)], 3.17)
    assert [len(part) for part in short.lists] == [5, 5, 5, 5]
    told = [row for part in short.lists for row in part]
    assert told == [(f"{k}", f"m{k}") for k in range(1, 21)]
    long = key_of([f"Llama-3.1-8B-Instruct-{k:02}" for k in range(1, 21)], 3.17)
    assert [len(part) for part in long.lists] == [10, 10]


@pytest.mark.parametrize(("width", "least"), [("page", 3.9), ("column", 2.4)])
def test_the_diamond_of_the_best_can_be_seen_in_narrow_cells(width, least):
    """Points across, 95% of a cell and at most 0.055 inches. Of 36 models in a column a mark was
    0.9 wide; a cell is some 2.7 there.
    """
    svg = draw_suite(large_suite(), "suite-scores", width).svg.decode()
    four = r"M \S+ \S+ +(?:L \S+ \S+ +){3}z"
    [marks] = re.findall(rf'<path d="((?:{four} ?){{12}})"(?![^>]*stroke: #f)[^>]*>', svg)
    one = [float(x) for x in re.findall(r"[ML] (\S+)", marks.split("M", 2)[1])]
    assert least < max(one) - min(one) < 4.1


@pytest.mark.parametrize("width", [WIDTHS["page"], WIDTHS["column"]])
def test_names_in_two_lines_stand_on_bands(width):
    """Lines of one name stood as near to those of the next as to each other."""
    rng = np.random.default_rng(1)
    scores = (rng.random((3, 40)) < np.linspace(0.2, 0.9, 3)[:, None]).astype(float)

    def bands(*names):
        [ax, *_] = draw_scores(suite_of([result_of(scores, eval=n) for n in names]), width).axes
        found = [p for p in ax.patches if p.get_label() == "band"]
        assert all(p.get_x() == 0 and p.get_height() == 1 for p in found)
        return [p.get_y() + 0.5 for p in found]

    long = "wildbench-v2.0522-judge-gpt-4o-2024-05-13-{}"
    assert bands("MATH", "MGSM", "DROP", "RACE") == []
    assert bands("MATH", "MGSM", long.format("eng"), long.format("dan"), "DROP") == [1, 3]


def test_a_score_of_0_is_told_from_a_model_that_was_not_run():
    """Its cell was (247, 251, 255), which is white on paper. ColorBrewer's nine blues have
    (222, 235, 247) next to it; at the other end the numbers stay black, with WCAG's 4.5:1.
    """
    scores = [[0.0] * 4, [1.0, 1.0, 0.0, 0.0], [1.0] * 4]
    drawn = draw_scores(suite_of([result_of(np.array(scores), eval=e) for e in "EF"]), 6.5)
    assert drawn.axes[1].get_xlim() == (0.0, 1.0)
    cells = coloured(drawn)
    for row in (0, 1):
        shades = sorted((cells[row, column] for column in range(3)), reverse=True)
        assert [round(255 * x) for x in shades[0][:3]] == [222, 235, 247]
        channels = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shades[2]]
        light = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        assert (light + 0.05) / 0.05 > 4.5
    numbers = {t.get_text(): t.get_color() for t in drawn.axes[0].texts}
    assert {numbers[text] for text in ("0.0", "50.0", "100.0")} == {"black"}


@pytest.mark.parametrize("width", [WIDTHS["page"], WIDTHS["column"]])
def test_what_may_be_the_best_and_what_is_not_settled_have_marks_of_their_own(width):
    """Both were a ring. Of 40 questions A has 20 right on E and all on F, B all on both: on F no
    test tells them apart, and both may be the best.
    """
    half, whole = [1.0, 0.0] * 20, [1.0] * 40
    results = [
        result_of(np.array([a, whole]), eval=e, baseline="A")
        for e, a in (("E", half), ("F", whole))
    ]
    s = suite_of(results)
    scores, differences = draw_scores(s, width), draw_differences(s, width)
    a, b = s.models.index("A"), s.models.index("B")
    assert marked(scores, "D") == sorted([(0, b), (1, a), (1, b)]) and marked(scores, "o") == []
    assert marked(differences, "o") == [(1, 0)] and marked(differences, "D") == []
    key = scores.legends[0].get_lines()
    assert [line.get_marker() for line in key] == ["D"]
    assert [t.get_text() for t in scores.legends[0].get_texts()] == ["may be the best of its eval"]
