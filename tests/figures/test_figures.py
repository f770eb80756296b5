"""What holds for every figure: formats, bytes, fonts, words, widths, and text that is neither cut
off nor overlaps.
"""

import hashlib
import io
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest
from matplotlib.image import imread
from matplotlib.text import Text
from PIL import Image
from support import pdfs
from support.figure_records import HOSTILE, NAN, canvas, difference, figure, mean, result, texts
from support.places import ROOT

from reportkit.errors import ReportkitError, UnknownNameError
from reportkit.figures import KINDS, WIDTHS, _converted, draw
from reportkit.figures.svg import PPI, as_svg
from reportkit.figures.words import ends
from reportkit.report import Report
from reportkit.results import Scale
from reportkit.tables import make_table

CJK = ("通义千问-7B", "モデル", "모델", "نموذج-7B")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_comes_in_three_formats_and_two_widths_with_words(kind, width):
    made = figure(result(), kind, width)
    assert (made.svg[:5], made.pdf[:5], made.png[1:4]) == (b"<?xml", b"%PDF-", b"PNG")
    assert "MATH" in made.title and "Galleon" in made.alt and made.alt.endswith(".")
    # TrueType kept as it is (type 42)
    assert b"/FontFile2" in made.pdf and b"/Type3" not in made.pdf
    assert made.name == (kind if width == "page" else f"{kind}-column")
    points = float(re.search(rb'<svg [^>]*width="([0-9.]+)pt"', made.svg)[1])
    assert points == {"page": 6.5, "column": 3.17}[width] * 72


@pytest.mark.parametrize("width", WIDTHS)
def test_a_pdf_is_of_version_1_5_and_a_png_has_300_dots_to_the_inch(width):
    made = figure(result(), "means", width)
    assert made.pdf[:8] == b"%PDF-1.5"
    with Image.open(io.BytesIO(made.png)) as png:
        assert png.info["dpi"] == pytest.approx((300, 300), abs=0.02)
        assert png.width == {"page": 1950, "column": 951}[width]


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_a_figure_is_text_in_the_svg_and_in_the_pdf(tmp_path, kind):
    """Found by a reader of XML and by pypdf. No file is asked for."""
    made = figure(result(), kind)
    root = ElementTree.fromstring(made.svg)
    found = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Galleon", "Dreadnought", "Sloop"} <= set(re.findall(r"\w+", " ".join(found)))
    path = tmp_path / "figure.pdf"
    path.write_bytes(made.pdf)
    [page] = pdfs.pages(path)
    assert all(text in page for text in found)
    assert b"@font-face" not in made.svg and b"url(http" not in made.svg
    # a marker of the figure itself, and the picture of the scale of the colours inside the file
    assert set(re.findall(rb'href="(#|.{5})', made.svg)) <= {b"#", b"data:"}


def test_a_text_is_as_long_in_any_font_as_in_ours():
    """`textLength` is the sum of the letters' widths that DejaVu Sans says, in points."""
    from fontTools.ttLib import TTFont

    from reportkit.text.fonts import wheel_fonts

    with TTFont(wheel_fonts()[0]) as font:
        names, widths = font.getBestCmap(), font["hmtx"]
        long = sum(widths[names[ord(c)]][0] for c in "Galleon") / font["head"].unitsPerEm
    svg = figure(result(), "means").svg.decode()
    [size, length] = re.search(
        r'font-size="([\d.]+)"[^>]* textLength="([\d.]+)"[^>]*>Galleon<', svg
    ).groups()
    assert float(length) == pytest.approx(float(size) * long, abs=0.05)


def test_an_unknown_kind_or_width_is_named():
    with pytest.raises(UnknownNameError, match="no figure 'mean'; did you mean 'means'"):
        draw(result(), "mean")
    with pytest.raises(UnknownNameError, match="no width 'colum'; did you mean 'column'"):
        draw(result(), "means", "colum")


def test_nothing_imports_matplotlib_before_the_first_draw():
    code = "import sys, reportkit.figures; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_another_process_draws_the_same_bytes_and_a_users_style_changes_nothing(tmp_path):
    (tmp_path / "matplotlibrc").write_text(
        "font.size: 20\nsvg.fonttype: none\nfont.family: serif\n"
    )
    code = (
        "import hashlib, test_figures as t\n"
        "for names in (t.CJK, 'ABC'):\n"
        "    for k in t.KINDS:\n"
        "        f = t.figure(t.result(names), k)\n"
        "        print(hashlib.sha256(f.svg + f.pdf + f.png + f.alt.encode()).hexdigest())\n"
    )
    here = str(ROOT / "tests")
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join([here, os.path.dirname(__file__)]),
        "PYTHONHASHSEED": "7",
        "MATPLOTLIBRC": str(tmp_path),
    }
    other = subprocess.run(
        [sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True
    )
    ours = [figure(result(names), k) for names in (CJK, "ABC") for k in KINDS]
    assert other.stdout.split() == [
        hashlib.sha256(f.svg + f.pdf + f.png + f.alt.encode()).hexdigest() for f in ours
    ]


def test_drawing_leaves_the_users_settings_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    draw(result(), "means")
    assert dict(matplotlib.rcParams) == before
    assert (
        "matplotlib.pyplot" not in sys.modules
        or before["backend"] == matplotlib.rcParams["backend"]
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("baseline", ["", HOSTILE[0]])
def test_hostile_names_stay_text(kind, baseline):
    """Warnings are errors here, so a missing glyph fails too. matplotlib writes each text into a
    comment of the SVG.
    """
    made = figure(result(HOSTILE, baseline, eval="$\\frac$ <&>"), kind)
    svg = made.svg.decode()
    for shown in ("a|b_%$#{~^\\", "&lt;script&gt;", "$x$", "U+0915U+202E"):
        assert shown in svg
    assert "<script>" not in svg
    assert all(name in made.alt for name in HOSTILE)


@pytest.mark.parametrize("kind", ["means", "differences", "ranks"])
def test_chinese_japanese_korean_and_arabic_are_drawn_and_can_be_copied_from_the_pdf(
    tmp_path, kind
):
    """As words: letters of the Arabic one are joined, and it stands to the right of the number that
    follows it.
    """
    made = figure(result(CJK), kind)
    assert b"U+" not in made.svg
    path = tmp_path / "figure.pdf"
    path.write_bytes(made.pdf)
    fonts = pdfs.fonts(path)
    assert {font.name.split("-")[0] for font in fonts} == {"DejaVuSans", "NotoSansCJKjp"}
    # TrueType or CFF by character id, inside the file as a subset, with its glyphs' characters
    for font in fonts:
        assert font.glyphs in ("CIDFontType0", "CIDFontType2") and font.encoding == "Identity-H"
        assert font.embedded and font.subset and font.readable
    [text] = pdfs.pages(path)
    # pypdf gives letters from left to right, as they stand on the page
    assert all(name in text for name in (*CJK[:3], "7B-" + "نموذج"[::-1]))


@pytest.mark.slow
def test_the_cjk_font_is_left_alone_where_no_name_needs_it():
    code = (
        "import sys; from support.figure_records import figure, result\n"
        "figure(result(), 'means')\n"
        "assert 'noto_cjk_sans_otc' not in sys.modules"
    )
    here = str(ROOT / "tests")
    paths = here
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": paths}, check=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", [2, 3, 12, 60, 71, "hostile"])
def test_no_text_is_cut_off_or_runs_into_another(kind, width, n):
    names = ["org/" + "x" * 30 + "a" + "y" * 30, "W" * 60, "new\nline\x00", *HOSTILE, *CJK, "q"]
    names = (
        names
        if n == "hostile"
        else [f"org-{i % 5}/model-{i}-{'large' if i % 3 else 'instruct-v2'}" for i in range(n)]
    )
    drawn = canvas(result(names, spread=0.5 / len(names)), kind, width)
    drawn.draw_without_rendering()
    shown = [
        t
        for t in drawn.findobj(Text)
        if t.get_text() and t.get_visible() and t.get_window_extent().width > 0
    ]
    ax = drawn.axes[0]
    ticks = [t for axis in (ax.xaxis, ax.yaxis) for t in axis.get_ticklabels()]
    outside = set()  # ticks that matplotlib knows and does not draw
    for axis, k in ((ax.xaxis, 0), (ax.yaxis, 1)):
        low, high = sorted(axis.get_view_interval())
        labels = axis.get_ticklabels()
        outside |= {id(t) for t in labels if not low <= t.get_position()[k] <= high}
    assert ticks
    boxes = {id(t): t.get_window_extent().shrunk(0.98, 0.7) for t in shown if id(t) not in outside}
    words = {id(t): t.get_text() for t in shown}
    width_px, height_px = drawn.get_size_inches() * drawn.dpi
    for key, box in boxes.items():
        inside = box.x0 >= 0 and box.x1 <= width_px and box.y0 >= 0 and box.y1 <= height_px
        assert inside, f"{words[key]!r} is cut off"
    for (a, one), (b, other) in combinations(boxes.items(), 2):
        assert not one.overlaps(other), f"{words[a]!r} runs into {words[b]!r}"
    assert height_px / drawn.dpi <= 9
    assert min(t.get_fontsize() for t in shown) >= 7


NAMES = (
    "nova-2-70b-instruct-2026-10-preview",
    "qwen/Qwen2.5-Coder-32B-Instruct-AWQ-int4",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
    "MIXTRAL-WWMM-8X22B-MEGA-LARGE",
)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "power"])
@pytest.mark.parametrize("n", [25, 58])
def test_a_column_figure_fits_a_page_with_its_caption_and_keeps_25_letters_of_a_name(kind, n):
    """Article in two columns has 550 pt. A caption of three lines takes 10 + 3 * 12 of them, and
    2 that hang below its last line: pdflatex said "Float too large for page by 0.21733pt" of 502.3.
    25 letters are the issue's. No two names are cut to the same text.
    """
    names = [f"{NAMES[k % 4]}-v{k}" for k in range(n)]
    drawn = canvas(result(names), kind, "column")
    assert drawn.get_figheight() * 72.27 <= 550 - 48
    cut = {re.sub("[\n\u2068\u2069]", "", text) for text in texts(drawn) if "…" in text}
    assert min(map(len, cut), default=25) >= 25
    assert len(cut) == 58 if n == 58 else len(cut) < 5


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "power"])
@pytest.mark.parametrize("n", [25, 58])
def test_a_column_figure_leaves_room_for_a_caption_of_five_lines(kind, n):
    """LaTeX sets 51 letters in a line of a column of article, counted in the captions of 58 models,
    where it said "Float too large for page by 23.49016pt": the caption took 10 pt, five lines of 12
    and 2 below. Names stay as in the figure whose caption has three lines.
    """
    names = [f"{NAMES[k % 4]}-v{k}" for k in range(n)]
    short, long = result(names), result(names, eval="an-eval-whose-name-is-long-v2")
    long = replace(long, metric="share of the questions that are answered as the key says")
    title = figure(long, kind, "column").title
    lines = max(4, math.ceil(len(f"Figure 1: {title}") / 51))
    drawn = canvas(long, kind, "column")
    assert drawn.get_figheight() * 72.27 + 10 + 12 * lines + 2 <= 550
    cut = [{t for t in texts(c) if "…" in t} for c in (canvas(short, kind, "column"), drawn)]
    assert len(cut[1]) <= len(cut[0])


def test_of_many_models_the_last_of_those_that_score_least_ends_the_alternative_text():
    """As in the figure, whose last row it is."""
    assert ends([3, 2, 2.0, 1, True], key=float) == [3, 2, 2.0, 1, True]
    least = [*range(30, 3, -1), 1, True]
    assert ends(least, key=float)[0] == 30 and ends(least, key=float)[1] is True


@pytest.mark.parametrize("kind", ["differences", "correlations"])
@pytest.mark.parametrize("width", ["column", "phone"])
def test_a_row_of_a_matrix_is_no_higher_than_its_names(kind, width):
    """Three lines of the smallest type, 0.12 inches each. A name of 200 letters among nine models
    made rows of four inches on a phone: a ninth of the highest figure there is.
    """
    names = [*(f"a-model-with-a-name-{k}" for k in range(8)), "x" * 200]
    drawn = canvas(result(names), kind, width)
    assert drawn.get_figheight() <= 9 * 0.42 + 2.6


@pytest.mark.parametrize("kind", ["differences", "correlations"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_scale_of_a_small_matrix_stands_apart_from_the_words_around_it(kind, width):
    """By two points, a quarter of the type: at less they read as one line."""
    drawn = canvas(result(), kind, width)
    drawn.draw_without_rendering()
    boxes = [(t.get_text(), t.get_window_extent()) for t in drawn.findobj(Text) if t.get_text()]
    boxes = [(text, box) for text, box in boxes if box.width > 1]  # what is drawn
    names = {"Galleon", "Dreadnought", "Sloop"}
    ticks = [t.get_text() for t in drawn.axes[1].get_xticklabels()]
    foot = max(box.y1 for text, box in boxes if text.startswith(("Correlation", "Column minus")))
    scale = [box for text, box in boxes if text in ticks and box.y0 < drawn.axes[1].bbox.y0]
    key = [box.y1 for text, box in boxes if "higher" in text or "settled" in text]
    below = [box.y0 for text, box in boxes if text in names and box.y0 < drawn.axes[0].bbox.y0]
    assert len(scale) == 3 and below
    assert min(box.y0 for box in scale) - foot >= 2 * drawn.dpi / 72
    assert min(below) - max([drawn.axes[1].bbox.y1, *key]) >= 2 * drawn.dpi / 72


@pytest.mark.parametrize("kind", ["means", "ranks", "differences", "correlations", "variance"])
def test_58_names_of_30_letters_are_whole_in_a_column(kind):
    """As the longest of AlpacaEval 2's but one, 1.55 inches in type of 7 points: of 3.17 inches the
    axis keeps 0.6, a matrix 1.
    """
    names = [f"FuseChat-Llama-3.2-{k:02}B-Instruct" for k in range(58)]
    drawn = canvas(result(names), kind, "column")
    assert set(names) <= set(texts(drawn))
    axes = drawn.axes[0].get_position().width * drawn.get_figwidth()
    assert axes >= (1.0 if kind in ("differences", "correlations") else 0.6)


@pytest.mark.parametrize("size", [(6.5, 2.215), (3.17, 2.45), (6.5, 1.3891)])
def test_a_png_leaves_out_no_row_and_no_column_of_pixels(size):
    """Stripes as wide as a pixel: where a row or a column is left out, two alike stand together.
    2.215 inches is the height of the correlations of three models, whose names lost their lower
    edge.
    """
    from matplotlib.figure import Figure as Canvas
    from matplotlib.patches import Rectangle

    width, height = (math.ceil(round(PPI * inches, 6)) for inches in size)  # pixels
    across = [size[0] * PPI, size[1] * PPI]  # pixels, of which the last is a part
    rows, columns = Canvas(figsize=size), Canvas(figsize=size)
    for k in range(0, height, 2):
        rows.add_artist(Rectangle((0, 1 - (k + 1) / across[1]), 1, 1 / across[1], linewidth=0))
    for k in range(0, width, 2):
        columns.add_artist(Rectangle((k / across[0], 0), 1 / across[0], 1, linewidth=0))
    assert _dark(rows).any(axis=1).tolist() == [k % 2 == 0 for k in range(height)]
    assert _dark(columns).any(axis=0).tolist() == [k % 2 == 0 for k in range(width)]


def _dark(drawn):
    """The pixels of a canvas's PNG that are darker than half."""
    _, png = _converted(as_svg(drawn), ["DejaVu Sans"])
    return imread(io.BytesIO(png))[:, :, 1] < 0.75


def test_nothing_to_draw_is_none():
    one = result(("A",))
    compare = ("differences", "correlations", "power", "ranks")  # they need two models
    assert not any(draw(one, kind) for kind in compare)
    assert draw(one, "means") and draw(one, "variance")
    none = result(
        ("A", "B"),
        means=(mean("A", NAN, NAN),),
        differences=(),
        correlations=(),
        power=(),
        ranks=(),
    )
    assert not any(draw(none, kind) for kind in KINDS)
    blank = result(
        ("A", "B"),
        differences=(difference("A", "B", NAN, NAN, NAN),),
        correlations=((1, NAN), (NAN, 1)),
    )
    assert not draw(blank, "differences") and not draw(blank, "correlations")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_fictional_data_say_so_in_the_picture_too(kind, width):
    made = figure(result(fictional=True), kind, width)
    assert "fictional" in made.title and "fictional" in made.alt and b"fictional data" in made.svg


@pytest.mark.parametrize("kind", ["means", "differences"])
@pytest.mark.parametrize("half", [0.02, 0.0002])
def test_the_numbers_are_the_cells_of_the_tables(kind, half):
    """With digits as the smallest standard error needs them; in a column the estimates alone."""
    means = tuple(mean(m, 0.41234, half) for m in "ABC")
    pairs = tuple(difference(m, "A", 0.01234, half=half) for m in "BC")
    of = result(tuple("ABC"), "A", means=means, differences=pairs)
    first = 1  # A is the baseline of every row, and stands in the title
    shown = texts(canvas(of, kind))
    for row in make_table(of, kind).cells:
        text = f"{row[first].split()[0]} {row[first + 1]}"
        assert text in shown and text in figure(of, kind).alt
        assert row[first].split()[0] in texts(canvas(of, kind, "column"))


def test_scores_in_their_own_units():
    of = result(
        ("A", "B"), scale=Scale(1, 10, False, False), means=(mean("A", 6.5, 0.25), mean("B", 10, 0))
    )
    drawn = canvas(of, "means")
    assert drawn.axes[0].lines[0].get_xdata().tolist() == [6.5, 10]
    assert {"6.500 (6.250, 6.750)", "10.000 (10.000, 10.000)"} <= set(texts(drawn))
    assert "%" not in figure(of, "means").alt.replace("95% intervals", "")
    assert "Detectable difference (score units)" in texts(canvas(of, "power"))


@pytest.mark.parametrize(
    ("several", "kind", "message"),
    [
        ([], "means", "no eval to make a figure 'means' of"),
        ([result(), result()], "power", "a figure of power shows one eval, not 2"),
        ([result(), result()], "differences", "are from 2 baselines"),
        (
            [result(), result(means=(replace(mean("A", 0.5), level=0.9),))],
            "means",
            "at the levels 0.9, 0.95",
        ),
        (
            [result([f"m{i}" for i in range(40)])] * 2,
            "means",
            "2 evals make 82 rows, and a page has 71",
        ),
    ],
)
def test_evals_that_one_figure_cannot_show_are_refused(several, kind, message):
    with pytest.raises(ReportkitError, match=message):
        draw(several, kind)


def test_a_report_writes_figures_of_a_page_and_of_a_column_and_shows_a_column_at_its_own_size(
    tmp_path,
):
    report = Report(eval="HumanEval", out=str(tmp_path))
    page, column = report.figure("means"), report.figure("means", width="column")
    report.finish(documents=False)  # what cells saved is put in place at the end
    assert sorted(p.name for p in (tmp_path / "figures").glob("means*")) == sorted(
        f"means{w}.{s}" for w in ("", "-column") for s in ("svg", "pdf", "png")
    )
    assert r"\includegraphics[width=\linewidth]{figures/means.pdf}" in page.bundle["text/latex"]
    assert r"\includegraphics{figures/means-column.pdf}" in column.bundle["text/latex"]
    assert 'image("figures/means-column.svg", alt:' in column.bundle["text/vnd.typst"]


def test_a_figure_is_made_of_scores_too_and_of_no_pair():
    """What analyse gives is a pair; a table says the same."""
    from reportkit.analysis import analyse
    from reportkit.errors import ScoresError
    from reportkit.loading.demo import demo_scores

    scores = demo_scores(["MATH"])
    pair = analyse(scores, "MATH")
    assert draw(scores, "means").svg == draw(pair[0], "means").svg
    with pytest.raises(ScoresError, match="a figure is made of results, and analyse gives two"):
        draw(pair, "means")
