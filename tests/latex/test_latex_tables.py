"""LaTeX tables, compiled: every theme, alignment and way with wide and long tables, and nothing out
of place in the log.
"""

import itertools
import re
from dataclasses import replace

import pytest
from pypdf import PdfReader
from support.engines import (
    ARTICLE,
    ENGINES,
    IEEE,
    NEURIPS,
    TWOCOLUMN,
    latex,
    pdf_text,
    squeezed,
    typeset,
)
from support.pdfs import EIGHT, embedded, type_sizes
from support.sweeps import but_slow, slow

from reportkit.analysis import analyse
from reportkit.loading.demo import demo_scores
from reportkit.tables import KINDS, make_table
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.latex import Options, layout, width_told
from reportkit.tables.writers.latex_fit import whole
from reportkit.tables.writers.latex_place import IN_TEXT
from reportkit.tables.writers.render import render_table
from reportkit.text.escaping import escape
from reportkit.text.latex_width import text_width, wrap

pytestmark = pytest.mark.latex
THEMES = ("error-bars", "plain", "pm", "ci", "stacked")
HEADS = {"article": ARTICLE, "two columns": TWOCOLUMN, "IEEEtran": IEEE, "NeurIPS": NEURIPS}

FOURTEEN = Table(
    "fourteen",
    "Fourteen models.",
    (Column("Eval", "l"), *(Column(f"Model-{i}", group=f"Family {i // 5}") for i in range(14))),
    tuple((f"EVAL-{k}", *(f"{60 + i}.5% (0.7%)" for i in range(14))) for k in range(4)),
    notes=(
        "A note that is rather long, about what the numbers of this table mean and where they "
        "come from.",
    ),
    bold=frozenset({(0, 1), (2, 3)}),
    sections=((0, "Reasoning"), (2, "Code")),
)
SIXTY = Table(
    "sixty",
    "Sixty models.",
    (Column("Model", "l"), Column("Mean (SE)"), Column("95% CI"), Column("p"), Column("Questions")),
    tuple(
        (f"org/model-{k}", f"{k}.5% (0.7%)", "(−1.2%, +3.4%)", "<0.001", "5,000") for k in range(60)
    ),
    notes=("A note.",),
    sections=((0, "Open"), (30, "Closed")),
)
MATRIX = Table(  # 60 models, long and half as wide again as the page
    "matrix",
    "Long and wide.",
    (Column("Model", "l"), *(Column(f"Eval-{i}") for i in range(6))),
    tuple((f"m-{k}", *["65.5% (0.7%)"] * 6) for k in range(60)),
    notes=("A note.",),
)
MONSTROUS = replace(
    FOURTEEN, name="monstrous", cells=FOURTEEN.cells * 15, bold=frozenset(), sections=()
)
NAMES = Table(
    "names",
    "A caption with a word of 200 letters: " + "x" * 200,
    (Column("M" * 200, "l"), Column("Mean_of_" + "y" * 200), Column("b " * 100)),
    (("z" * 200, "1", "2"), ("/a-b" * 50, "3", "4")),
    notes=("q" * 200, "w" * 200),
)
TABLE = Table("t", "T.", (Column("Model", "l"), Column("Mean")), (("a", "65.5%"), ("b", "−3.1%")))


def numbered(texts):
    """Labels made different, so that one document can hold many tables of one name."""
    return [text.replace(r"\label{tab:", rf"\label{{tab:{n}-") for n, text in enumerate(texts)]


@pytest.fixture(scope="module")
def demonstration():
    result, _ = analyse(demo_scores(["MATH"]), "MATH")
    kinds = [k for k, kind in KINDS.items() if kind.in_reports and not kind.on_request]
    tables = [make_table(result, k) for k in kinds] + [
        make_table(result, "means", theme) for theme in THEMES[1:]
    ]
    return [render_table(t, "tex", align=align) for align in ("plain", "siunitx") for t in tables]


def wide_and_long(tables):
    for table, align, wide in itertools.product(
        tables, ("plain", "siunitx"), ("fit", "scale", "split", "turn")
    ):
        yield render_table(table, "tex", align=align, wide=wide)
    yield render_table(tables[0], "tex", span="page")
    yield render_table(tables[0], "tex", span="page", wide="turn")


@pytest.mark.parametrize("engine", but_slow(ENGINES, "lualatex"))
def test_the_demonstration_in_every_theme_and_alignment(engine, demonstration, tmp_path):
    text = typeset(tmp_path, engine, numbered(demonstration))
    # of the report, and of every pair, each aligned in two ways
    assert text.count("paired differences") == 4 and text.count("65.5%") >= 4


@pytest.mark.parametrize("head", ["two columns", "IEEEtran", "NeurIPS"])
def test_the_demonstration_in_other_classes(head, demonstration, tmp_path):
    typeset(tmp_path, "pdflatex", numbered(demonstration), head=HEADS[head])


@pytest.mark.parametrize("head", ["article", "two columns"])
def test_wide_and_long_tables(head, tmp_path):
    text = typeset(tmp_path, "pdflatex", numbered(wide_and_long([FOURTEEN])), head=HEADS[head])
    assert "part 3 of 3" in text
    long = [render_table(t, "tex") for t in (SIXTY, MATRIX, NAMES)] + [
        render_table(SIXTY, "tex", long="parts")
    ]
    text = squeezed(typeset(tmp_path, "pdflatex", numbered(long), head=HEADS[head], runs=4))
    assert text.count("org/model-59") == 2 and "continued" in text and "part2of2" in text


def test_the_longtables_of_one_table_have_one_number(tmp_path):
    """Fourteen models in three parts of pages; the next table is the second."""
    wide = replace(FOURTEEN, cells=FOURTEEN.cells * 30)
    bodies = [render_table(wide, "tex", wide="split"), render_table(TABLE, "tex")]
    assert bodies[0].count(r"\begin{longtable}") == 3
    text = squeezed(typeset(tmp_path, "pdflatex", numbered(bodies), runs=3))
    captions = re.findall(r"(Table\d+):\w+\(part(\dof3)\)", text)
    assert captions == [("Table1", "1of3"), ("Table1", "2of3"), ("Table1", "3of3")]
    assert text.count("continued") >= 3 and "Table2:" in text and "Table3:" not in text


def test_a_name_breaks_only_where_the_line_has_no_room(tmp_path):
    """With its names in one line the table takes 0.85 x 148.6 + 3 x 78.25 = 361.1 pt, 98 in 100 of
    369: more than the 345 pt of article, less than the 397 of NeurIPS and the 469 of two columns.
    """
    names = ["Open-Hermes-2.5/Mistral-7B-v0.1", "GPT-5.1 (2025-11-13) reasoning"]
    columns = (Column("Model", "l"), *[Column("9" * 17)] * 3)
    cells = tuple((name, *["8" * 17] * 3) for name in names)
    table = Table("names", "Names.", columns, cells)
    assert layout(table, Options())["whole"] == "369"
    long = replace(table, cells=cells * 30)
    assert layout(long, Options())["longtable"]
    bodies = numbered([render_table(table, "tex"), render_table(long, "tex")])
    for head, n in (("article", 0), ("two columns", 31), ("NeurIPS", 31)):
        folder = tmp_path / head
        folder.mkdir()
        text = typeset(folder, "pdflatex", bodies, head=HEADS[head])
        assert [text.count(name) for name in names] == [n, n], head


def test_a_name_is_measured_in_the_type_of_the_class(tmp_path):
    """Computer Modern of 8 pt asks for 0.85 x (92.9 + 180) + 24 = 256 pt, 262 with the 2 of 100
    that are not used. Times has 8 / 8.5 of its digits and narrower letters: in the 252 pt of a
    column of IEEEtran the name broke.
    """
    columns = (Column("Model", "l"), *[Column("9" * 9)] * 4)
    table = Table("t", "Names.", columns, (("Meta-Llama-3_1-70B", *["8" * 9] * 4),))
    assert layout(table, Options())["whole"] == "262"
    text = typeset(tmp_path, "pdflatex", [render_table(table, "tex")], head=IEEE)
    assert "Meta-Llama-3_1-70B 888888888 888888888" in text


BEAMER = r"\documentclass{beamer}"


def frames(bodies, breaks: str = "") -> list[str]:
    return [rf"\begin{{frame}}{breaks}{{A title}}{body}\end{{frame}}" for body in numbered(bodies)]


def test_slides_of_beamer_hold_the_drop_ins_that_papers_have(tmp_path, demonstration):
    """Nothing is wider or higher than its slide; what is a longtable in a paper is a sentence."""
    rows = [(f"organisation-{row[0]}", *row[1:-1], "5,000 (1,000)") for row in SIXTY.cells]
    long = replace(SIXTY, cells=tuple(rows), sections=())
    twenty = replace(long, name="twenty", cells=long.cells[:20], notes=("A note.",))
    sources = [render_table(t, "tex") for t in (twenty, long)]
    assert [r"\begin{longtable}" in source for source in sources] == [False, True]
    bodies = frames([*demonstration[:4], *sources])
    text = typeset(tmp_path, "pdflatex", bodies, head=BEAMER, runs=1)
    assert "organisation-org/model-19" in text and "organisation-org/model-20" not in text
    assert "60 rows are too many for a slide." in text
    log = (tmp_path / "t.log").read_text(errors="replace")
    assert re.search(r"Package reportkit Warning: .*60 rows are too many for a slide; .*", log)
    assert "--width 307 --height 200" in log


@pytest.mark.slow
@pytest.mark.parametrize("rows", but_slow([25, 34], 25))
def test_rows_of_a_long_table_go_on_over_the_slides_of_its_frame(rows, tmp_path):
    """In 8 points, with the head on each slide and the notes on the last one. In a frame that does
    not break it is as small as one slide asks for.
    """
    table = replace(SIXTY, cells=SIXTY.cells[:rows], notes=("A note.",), sections=())
    source = render_table(table, "tex")
    assert "longtable" not in source
    text = typeset(tmp_path, "pdflatex", frames([source], "[allowframebreaks]"), head=BEAMER)
    slides = [slide for slide in text.split("\f") if "org/model" in slide]
    assert len(slides) == (2 if rows == 25 else 3)
    assert all("95% CI" in slide for slide in slides)
    shown = [int(k) for slide in slides for k in re.findall(r"org/model-(\d+)", slide)]
    assert shown == list(range(rows))
    assert [slide.count("A note.") for slide in slides] == [0] * (len(slides) - 1) + [1]
    assert min(type_sizes(tmp_path / "t.pdf", "org")) >= EIGHT
    assert "Package reportkit" not in (tmp_path / "t.log").read_text(errors="replace")
    typeset(tmp_path, "pdflatex", frames([source]), head=BEAMER)
    assert min(type_sizes(tmp_path / "t.pdf", "org")) < EIGHT
    said = "its frame needs the option [allowframebreaks]"
    assert said in (tmp_path / "t.log").read_text(errors="replace").replace("\n ", " ")


def test_notes_of_a_long_table_stand_below_rows(tmp_path):
    """Where the rows end at the foot of a page, five of them go on with the notes: longtable set
    notes of its foot below a head without rows.
    """
    rows = [(f"organisation-{row[0]}", *row[1:-1], "5,000 (1,000)") for row in SIXTY.cells]
    table = replace(SIXTY, cells=tuple(rows[:46]), notes=(NOTE * 4,), sections=())
    source = render_table(table, "tex")
    assert r"\begin{longtable}" in source
    tables = [rf"\vspace*{{{12 * k}pt}}" + text for k, text in enumerate(numbered([source] * 8))]
    pages = typeset(tmp_path, "pdflatex", tables, runs=3).split("\f")
    rows_with_notes = [
        p.count("org/model") for p in pages if "numbers above it" in " ".join(p.split())
    ]
    assert len(rows_with_notes) == 8
    assert min(rows_with_notes) == 5  # of the table that just does not fit


def test_no_row_of_an_eval_is_alone_on_a_slide(tmp_path):
    """Of 15 rows the first slide had eight, and one of the third eval stood on the next."""
    rows = tuple((f"Eval-{k}", f"model-{i}", "65.5% (0.7%)") for k in range(5) for i in range(3))
    heads = (Column("Eval", "l"), Column("Model", "l"), Column("Mean (SE)"))
    source = render_table(Table("t", "Scores.", heads, rows, notes=("A note.",) * 3), "tex")
    text = typeset(tmp_path, "pdflatex", frames([source], "[allowframebreaks]"), head=BEAMER)
    pages = [page for page in text.split("\f") if "Eval-" in page]
    assert len(pages) > 1
    assert all(page.count(f"Eval-{k}") in (0, 3) for page in pages for k in range(5))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "head"), [(3, ARTICLE), (60, ARTICLE), (3, IEEE)])
def test_the_lines_of_a_note_begin_below_each_other(rows, head, tmp_path):
    """The empty label of a note is a raised nothing, behind which TeX leaves half a point."""
    table = replace(SIXTY, cells=SIXTY.cells[:rows], sections=(), notes=("Note" + " Note" * 60,))
    typeset(tmp_path, "pdflatex", [render_table(table, "tex")], head=head, runs=3)
    lines = pdf_text(tmp_path / "t.pdf", "-bbox-layout")
    begins = re.findall(r'<line [^>]*>\s*<word xMin="([\d.]+)"[^>]*>Note</word>', lines)
    assert len(begins) > 2 and len(set(begins)) == 1


WIDE = r"\documentclass[aspectratio=169]{beamer}"
MADRID = r"\documentclass[aspectratio=169]{beamer}\usetheme{Madrid}"
NOTE = "A note of the table that says something about the numbers above it, in words. "


@pytest.mark.parametrize(
    ("head", "rows", "notes", "shown"),
    [
        (BEAMER, 12, 1, [12]),
        (BEAMER, 9, 8, [5, 4]),  # 9 rows, and the notes alone on a second slide
        (BEAMER, 25, 8, [9, 9, 7]),
        (MADRID, 27, 1, [13, 14]),  # a third slide had the head and the notes
        (MADRID, 27, 4, [10, 10, 7]),
    ],
)
def test_notes_stand_on_a_slide_with_rows(head, rows, notes, shown, tmp_path):
    """The rows of each slide; the last has the notes. Seen in the PDF."""
    cells = SIXTY.cells[:rows]
    table = replace(SIXTY, cells=cells, notes=(NOTE * notes,), sections=())
    bodies = frames([render_table(table, "tex")], "[allowframebreaks]")
    slides = typeset(tmp_path, "pdflatex", bodies, head=head, runs=1).split("\f")[:-1]
    assert [slide.count("org/model") for slide in slides] == shown
    assert ["of the table" in slide for slide in slides] == [False] * (len(shown) - 1) + [True]


def test_a_row_of_many_lines_has_a_slide_and_none_is_lost(tmp_path):
    """The lines below the first of such a row were not counted: it stood at the foot of a slide,
    and the rows and notes behind it below that.
    """
    cells = [list(row) for row in SIXTY.cells[:12]]
    cells[5][0] = "M" * 200
    table = replace(SIXTY, cells=tuple(map(tuple, cells)), notes=("A note.",), sections=())
    bodies = frames([render_table(table, "tex")], "[allowframebreaks]")
    slides = typeset(tmp_path, "pdflatex", bodies, head=WIDE, runs=1).split("\f")[:-1]
    assert [slide.count("org/model") for slide in slides] == [5, 0, 6]
    assert [slide.count("M") > 150 for slide in slides] == [False, True, False]
    assert ["A note." in slide for slide in slides] == [False, False, True]
    assert r"Overfull \vbox" not in (tmp_path / "t.log").read_text(errors="replace")


def test_each_of_three_parts_has_slides_of_its_own(tmp_path):
    """Fourteen models in three parts: each has its caption, its heads and every row in type of 8
    points or more, on a slide, or of twenty rows on two; the notes stand on the last.
    """
    for table, slides in ((FOURTEEN, 3), (replace(FOURTEEN, cells=FOURTEEN.cells * 5), 6)):
        source = render_table(replace(table, bold=frozenset()), "tex")
        assert source.count(r"\begin{tabular}") == 3
        bodies = frames([source], "[allowframebreaks]")
        text = typeset(tmp_path, "pdflatex", bodies, head=BEAMER, runs=1)
        pages = text.split("\f")[:-1]
        assert len(pages) == slides
        parts = [pages[k : k + slides // 3] for k in range(0, slides, slides // 3)]
        heads = [re.findall(r"Model-\d+", part[0]) for part in parts]
        assert [name for names in heads for name in names] == [f"Model-{i}" for i in range(14)]
        for k, (names, part) in enumerate(zip(heads, parts, strict=True), 1):
            assert f"(part {k} of 3)" in part[0]
            assert all(re.findall(r"Model-\d+", page) == names for page in part)
            assert sum(page.count("EVAL-") for page in part) == len(table.cells)
            assert ["A note" in page for page in part] == [False] * (len(part) - 1) + [k == 3]
        assert min(type_sizes(tmp_path / "t.pdf", "EVAL|0.7")) >= EIGHT
        assert "Package reportkit" not in (tmp_path / "t.log").read_text(errors="replace")


@pytest.mark.parametrize(("breaks", "shown"), [("", [28]), ("[allowframebreaks]", [14, 14])])
def test_a_slide_has_room_for_a_caption_of_four_lines(breaks, shown, tmp_path):
    """The last row of the slide stood 2 pt above the symbols at its foot, so that the rule below
    touched them; where the frame breaks, the caption had a slide without rows.
    """
    title = "A caption of many words, which says what was measured and on which questions. " * 3
    table = replace(SIXTY, title=title[:-40], cells=SIXTY.cells[:28], notes=(), sections=())
    bodies = frames([render_table(table, "tex")], breaks)
    slides = typeset(tmp_path, "pdflatex", bodies, head=BEAMER, runs=1).split("\f")[:-1]
    assert [slide.count("org/model") for slide in slides] == shown
    words = re.findall(
        r'yM(?:in|ax)="([\d.]+)"[^>]*yMax="([\d.]+)">([^<]+)<',
        pdf_text(tmp_path / "t.pdf", "-bbox"),
    )
    caption = {y for y, _, word in words if re.fullmatch("[a-z]{4,}", word)}
    assert len(caption) == 4
    # of the page's 272.1 pt; the symbols take the last 12, the rule and its gap 4
    assert max(float(y) for _, y, word in words if word.startswith("org/")) < 256


TOO_WIDE = "This table is too wide for a slide. The log says how to make parts."


def of_evals(n: int, rows: int) -> Table:
    """Means of evals in n columns."""
    columns, cells = (Column("Model", "l"), *(Column(f"Eval-{i}") for i in range(n))), []
    for k in range(rows):
        cells.append((f"m-{k}", *["65.5% (0.7%)"] * n))
    return Table("wide", "Wide.", columns, tuple(cells), notes=("A note.",))


@pytest.mark.parametrize(
    ("head", "evals", "breaks", "shown"),
    [
        (BEAMER, 6, "", True),
        (BEAMER, 6, "[allowframebreaks]", True),
        (BEAMER, 8, "", False),  # it was in type of 5.3 pt
        (BEAMER, 8, "[allowframebreaks]", False),
        (WIDE, 8, "[allowframebreaks]", True),  # a line of 398 pt
    ],
)
def test_a_table_too_wide_to_be_read_on_a_slide_is_a_sentence(head, evals, breaks, shown, tmp_path):
    """Six points of type are the least that is read; the log says how to make parts."""
    source = render_table(of_evals(evals, 4), "tex")
    text = typeset(tmp_path, "pdflatex", frames([source], breaks), head=head, runs=1)
    assert text.count("Table: Wide.") == 1
    assert (TOO_WIDE in " ".join(text.split())) != shown
    assert ("m-3" in text, "A note." in text) == (shown, shown)
    sizes = type_sizes(tmp_path / "t.pdf", "65.5")
    assert (min(sizes) >= 6) if shown else not sizes
    log = (tmp_path / "t.log").read_text(errors="replace").replace("\n", "")
    assert "a table is too wide to be read on a slide" in log and "--width 307" in log


def test_a_table_of_wide_parts_is_one_sentence(tmp_path):
    """The table behind it has its rows."""
    source = render_table(of_evals(8, 60), "tex", long="parts")
    assert source.count(r"\begin{tabular}") > 1
    sources = [source, render_table(FOURTEEN, "tex")]
    text = typeset(tmp_path, "pdflatex", frames(sources, "[allowframebreaks]"), head=BEAMER)
    slides = text.split("\f")[:-1]
    assert [TOO_WIDE in " ".join(slide.split()) for slide in slides] == [True, *[False] * 3]
    assert "m-0" not in text and "A note." not in text and text.count("EVAL-3") == 3


def test_a_table_laid_out_for_a_slide_is_shown_in_any_type(tmp_path):
    """Where one column alone is too wide, no further parts help."""
    table = replace(of_evals(1, 2), cells=(("m-0", "8" * 100), ("m-1", "9" * 100)))
    source = render_table(table, "tex", width=307, height=200)
    text = typeset(tmp_path, "pdflatex", frames([source]), head=BEAMER, runs=1)
    assert "m-1" in text and TOO_WIDE not in " ".join(text.split())
    assert max(type_sizes(tmp_path / "t.pdf", "9999")) < 6


@pytest.mark.slow
def test_a_table_in_parts_says_what_its_frame_needs(tmp_path):
    """Fourteen models come in parts. Without [allowframebreaks] the second would lie below the
    slide; with it each part has a slide.
    """
    source = render_table(FOURTEEN, "tex")
    parts = source.count(r"\begin{tabular}")
    assert parts > 1
    text = typeset(tmp_path, "pdflatex", frames([source]), head=BEAMER, runs=1)
    assert f"A table in {parts} parts: its frame needs the option allowframebreaks." in text
    assert text.count("Table: ") == 1 and "EVAL-0" not in text
    log = (tmp_path / "t.log").read_text(errors="replace")
    assert rf"its {parts} parts need \begin{{frame}}[allowframebreaks]" in log
    text = typeset(tmp_path, "pdflatex", frames([source], "[allowframebreaks]"), head=BEAMER)
    assert "Model-13" in text and text.count("EVAL-3") == parts


@pytest.mark.slow
@pytest.mark.parametrize("breaks", ["", "[allowframebreaks]"])
def test_a_narrow_table_of_a_slide_is_flush_with_its_notes(breaks, tmp_path):
    """Its notes are 240 pt wide, the table less than 80: it stood in the middle above them."""
    table = replace(TABLE, notes=(NOTE * 2,))
    typeset(tmp_path, "pdflatex", frames([render_table(table, "tex")], breaks), head=BEAMER)
    source = pdf_text(tmp_path / "t.pdf", "-bbox")
    words = re.findall(r'<word xMin="([\d.]+)"[^>]*>([^<]+)<', source)
    [model] = [float(x) for x, word in words if word == "Model"]
    [first, *_] = [float(x) for x, word in words if word == "A" and float(x) > 30]  # not the title
    assert model == pytest.approx(first, abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_bold_is_bold_in_a_class_whose_font_the_engine_lacks(engine, tmp_path):
    """IEEEtran asks for ptm. The note of the means says what is bold, and nothing was."""
    table = replace(TABLE, bold=frozenset({(0, 1)}))
    typeset(tmp_path, engine, [render_table(table, "tex")], head=IEEE)
    assert any("Bold" in name for name in embedded(tmp_path / "t.pdf"))


@pytest.mark.slow
def test_a_table_laid_out_for_slides_is_in_parts_of_a_slide_each(tmp_path):
    table = replace(SIXTY, notes=("A note.",))
    source = render_table(table, "tex", width=307, height=200)
    parts = source.count(r"\begin{table}")
    assert 4 <= parts <= 6 and "longtable" not in source and r"\clearpage" not in source
    head = BEAMER + r"\setbeamertemplate{frametitle continuation}{}"
    text = typeset(tmp_path, "pdflatex", frames([source], "[allowframebreaks]"), head=head)
    slides = text.split("\f")
    assert [len(re.findall(rf"\(part {k} of {parts}\)", s)) for k, s in enumerate(slides, 1)] == [
        1
    ] * parts + [0]
    log = (tmp_path / "t.log").read_text(errors="replace")
    assert "Package reportkit Warning" not in log  # no part is made smaller than can be read


def test_a_page_that_holds_no_table_is_refused():
    with pytest.raises(ValueError, match="a page 60 pt high holds no table; give 100 pt or more"):
        render_table(TABLE, "tex", height=60)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("head", HEADS)
def test_every_way_with_wide_and_long_tables(engine, head, tmp_path):
    tables = [FOURTEEN, SIXTY, MATRIX, MONSTROUS, NAMES]
    bodies = [*wide_and_long(tables), *(render_table(t, "tex", long="parts") for t in tables)]
    typeset(tmp_path, engine, numbered(bodies), head=HEADS[head], runs=4)


@pytest.mark.parametrize(
    "table, options",
    [
        (TABLE, {"align": "siunitx"}),
        (FOURTEEN, {"wide": "turn"}),
        (SIXTY, {}),
        (MATRIX, {"wide": "turn"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_drop_in_needs_the_packages_that_it_names_and_no_preamble(table, options, tmp_path):
    source = render_table(replace(table, notes=('"q" 中 א é',)), "tex", **options)
    named = re.search(r"the packages (.*) and, for pdflatex, \[T1\]\{fontenc\}\.", source)
    packages = rf"\usepackage[T1]{{fontenc}}\usepackage{{{named[1]}}}"
    text = typeset(tmp_path, "pdflatex", [source], packages=packages, runs=3)
    assert "U+4E2D" in text and "U+05D0" in text


# --- siunitx


def test_siunitx_prints_what_plain_prints(tmp_path, demonstration):
    half = len(demonstration) // 2
    plain = typeset(tmp_path, "pdflatex", numbered(demonstration[:half]))
    aligned = typeset(tmp_path, "pdflatex", numbered(demonstration[half:]))
    # pdftotext reads columns in its own order.
    assert sorted(squeezed(plain)) == sorted(squeezed(aligned))
    assert re.search(r"\+2\.5\s? \(0\.7\)", aligned) and "< 0.001" in aligned.replace("<0", "< 0")


def test_trap_20_bold_in_an_aligned_column_is_bold(tmp_path):
    table = replace(TABLE, bold=frozenset({(0, 1)}))
    source = render_table(table, "tex", align="siunitx")
    assert r"\bfseries 65.5{\%}" in source and r"-3.1{\%}" in source
    for engine in ENGINES:
        typeset(tmp_path, engine, [source])
        seen = []
        page = PdfReader(tmp_path / "t.pdf").pages[0]
        page.extract_text(
            visitor_text=lambda t, _c, _m, font, _s, seen=seen: seen.append((t, font))
        )
        fonts = {t.strip(): font["/BaseFont"] for t, font in seen if t.strip() and font}
        # "/BXNTZH+LMRoman9-Regular": six random letters before "+" name the part of a font.
        names = {text: name.rpartition("+")[2] for text, name in fonts.items()}
        bold = [text for text, name in names.items() if re.search(r"(?i)bold|bx", name)]
        assert "65.5" in "".join(bold) and "3.1" not in "".join(bold), fonts


def test_trap_20_percent_signs_dashes_and_comparators_are_text_beside_the_number():
    table = Table("t", "T.", (Column("x"),), (("<0.1%",), ("—",), ("5,000",), ("12.25 ± 1.3",)))
    source = render_table(table, "tex", align="siunitx")
    assert (
        r"{\textless{}}0.1{\%}" in source and "{---}" in source and r"12.25{\ $\pm$ 1.3}" in source
    )
    assert "S[table-format=4.2,group-minimum-digits=4," in source


def test_intervals_and_names_stay_as_they_are():
    table = Table(
        "t", "T.", (Column("a", "l"), Column("b")), (("65.5", "(64.2, 66.8)"), ("2", "[1, 2]"))
    )
    assert "S[" not in render_table(table, "tex", align="siunitx")


# --- widths


def test_measured_widths_are_those_of_latex(tmp_path):
    texts = [
        "65.5% (0.7%)",
        "(−1.2%, +3.4%)",
        "Answers per question",
        "meta-llama/Llama-3.1-405B-Instruct",
        "<0.001",
        'a_b|c{d}<e> "f" [g] *h* ~^\\',
        "Dreadnought",
        "WMW 12,345 ±",
        "étą ñ",
        "— –",
    ]
    tables = [FOURTEEN, SIXTY, TABLE, MATRIX, NAMES]
    bodies = [rf"\sbox0{{{escape(t, 'tex')}}}\typeout{{rk=\the\wd0}}" for t in texts]
    for table in tables:  # what stands between \begin{tabular} and \end{tabular} of the drop-in
        short = replace(table, cells=table.cells[:30], sections=())
        tabular = re.search(
            r"(?s)\\begin\{tabular\}\{@.*\n\\end\{tabular\}",
            render_table(short, "tex", wide="scale"),
        )
        size = r"\fontsize{9}{10.8}\selectfont\setlength{\tabcolsep}{4pt}"
        bodies.append(rf"{{{size}\sbox0{{{tabular[0]}}}\typeout{{rk=\the\wd0}}}}")
    typeset(tmp_path, "pdflatex", [*bodies, "A page."], runs=1)
    measured = [
        float(w)
        for w in re.findall(r"rk=([\d.]+)pt", (tmp_path / "t.log").read_text(errors="replace"))
    ]
    ours = [text_width(t) for t in texts] + [
        whole(replace(t, cells=t.cells[:30], sections=()), IN_TEXT).width for t in tables
    ]
    for text, theirs, own in zip([*texts, *tables], measured, ours, strict=True):
        assert own == pytest.approx(theirs, rel=0.04), text


def test_the_warning_says_the_width_and_what_becomes_of_it():
    assert width_told(TABLE) == ""
    told = width_told(FOURTEEN)
    assert re.fullmatch(
        r"table fourteen: too wide for a column of 252 pt: \d+ pt wide at [89] pt, in 3 parts, for "
        r"text of 345 pt or more\.",
        told,
    )
    assert told.removeprefix("table fourteen: t") in render_table(FOURTEEN, "tex")


def test_split_repeats_the_labels_and_loses_no_column():
    parts = layout(FOURTEEN, Options(wide="split"))["parts"]
    heads = [[h["text"] for h in part["heads"]] for part in parts]
    assert all(h[0] == "Eval" for h in heads) and len(parts) == 3
    assert [name for h in heads for name in h[1:]] == [f"Model-{i}" for i in range(14)]
    source = render_table(FOURTEEN, "tex", wide="split")
    assert source.count(r"\label{") == 1 and "Fourteen models (part~1~of~3)." in source


def test_words_break_in_heads_only_where_they_are_long():
    assert wrap("Questions needed", 20, 80) == "Questions\nneeded"
    assert max(map(text_width, wrap("x" * 200, 50).split("\n"))) <= 50


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="no wide 'narrow'; there are fit, scale, split, turn"):
        render_table(TABLE, "tex", wide="narrow")


# --- the numbered pitfalls of LaTeX that once bit


def test_trap_21_a_row_that_begins_with_a_bracket_or_a_star(tmp_path):
    rows = (("[-1.2, +3.4]", "1"), ("*star", "2"), ("[", "3"), ("*", "4"))
    table = Table("t", "T.", (Column("[x]", "l"), Column("*")), rows, notes=("[n] note", "* star"))
    bodies = numbered(
        render_table(t, "tex", align=a)
        for t in (table, replace(table, cells=rows * 20))
        for a in ("plain", "siunitx")
    )
    text = squeezed(typeset(tmp_path, "pdflatex", bodies, runs=3))
    assert text.count("[-1.2,+3.4]") == 42 and text.count("*star") == 42 + 4


@pytest.mark.parametrize("engine", but_slow(ENGINES, "lualatex"))
def test_trap_22_special_characters_minus_signs_and_chinese(engine, tmp_path):
    table = Table(
        "t",
        "GPQA_%",
        (Column("GPQA_%", "l"), Column("−1 $x$")),
        (("a_b&c#d", "−2.1"), ("中文", "—")),
    )
    text = squeezed(typeset(tmp_path, engine, [render_table(table, "tex")]))
    assert "GPQA_%" in text and "a_b&c#d" in text and "−2.1" in text and "中文" in text


@pytest.mark.parametrize("size", ["10pt", "12pt"])
def test_trap_23_fourteen_model_columns_fit(size, tmp_path):
    source = render_table(FOURTEEN, "tex", wide="scale")
    assert source.index(r"\begin{adjustbox}") < source.index(r"\begin{threeparttable}")
    typeset(tmp_path, "pdflatex", [source], head=rf"\documentclass[{size}]{{article}}")


def test_trap_24_a_broken_table_stops_and_does_not_wait(tmp_path):
    source = render_table(TABLE, "tex").replace(
        r"\midrule", r"\midrule \\ [-1.2, +3.4] & \undefinedmacro"
    )
    (tmp_path / "t.tex").write_text(
        rf"\documentclass{{article}}\begin{{document}}{source}\end{{document}}"
    )
    with pytest.raises(AssertionError, match="Emergency stop|Fatal error|no output"):
        latex("pdflatex", tmp_path, "t.tex")


def test_references_to_a_label_resolve(tmp_path):
    text = typeset(tmp_path, "pdflatex", [r"See Table~\ref{tab:t}.", render_table(TABLE, "tex")])
    assert "See Table 1." in text


def test_sections_stand_above_their_rows(tmp_path):
    typeset(tmp_path, "pdflatex", [render_table(FOURTEEN, "tex", wide="split")])
    text = pdf_text(tmp_path / "t.pdf", "-layout")
    assert re.search(r"Reasoning\s+EVAL-0.*\s+EVAL-1.*\s+Code\s+EVAL-2", text)


def test_the_command_line_tells_of_a_table_too_wide():
    from click.testing import CliRunner

    from reportkit.cli import commands

    call = ["table", "differences-all", "--eval", "MATH", "--format", "tex"]
    scaled, split = (
        CliRunner().invoke(commands, call),
        CliRunner().invoke(commands, [*call, "--wide", "split"]),
    )
    first, told = scaled.stderr.splitlines()
    assert "this is the demonstration" in first
    assert re.match(
        r"reportkit: table differences-all: too wide for a column of 252 pt: \d+ pt wide "
        r"at [89] pt",
        told,
    )
    assert "in 2 parts" in split.stderr and "(part~2~of~" in split.stdout


# What stands above a table ------------------------------------------------------------------------


def places(path):
    """The first line of each word of a PDF's first page: its top and its foot, in points from
    above.
    """
    source = pdf_text(path, "-bbox", "-l", "1")
    found = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<', source)
    return {word: (float(top), float(foot)) for top, foot, word in reversed(found)}


@pytest.mark.parametrize("head", [ARTICLE, TWOCOLUMN])
def test_a_reason_stands_apart_from_its_caption(head, tmp_path):
    """Two lines of it touched the caption in article, which leaves no room below one."""
    reason = Table("none", "Caption gamma.", (), (), notes=("Reason" + " why" * 60,))
    typeset(tmp_path, "pdflatex", [render_table(reason, "tex")], head=head)
    found = places(tmp_path / "t.pdf")
    caption = next(foot for word, (_, foot) in found.items() if word == "gamma.")
    assert found["Reason"][0] - caption >= 3


def below_heads(path) -> list[tuple[str, float]]:
    """Of each page the line below the head of the table, and the points between the two."""
    found = []
    for page in pdf_text(path, "-bbox-layout").split("<page ")[1:]:
        lines = [
            (float(top), float(foot), " ".join(re.findall(r">([^<]+)</word>", line)))
            for top, foot, line in re.findall(
                r'<line [^>]*yMin="([\d.]+)"[^>]*yMax="([\d.]+)"[^>]*>(.*?)</line>', page, re.DOTALL
            )
        ]
        [foot] = {f for _, f, text in lines if text.startswith("Model")}
        top, text = min((t, text) for t, _, text in lines if t > foot - 1)
        found.append((text, top - foot))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (45, ["Open", "Closed", "Closed, continued"]),
        slow(48, ["Open", "Open, continued", "Closed, continued"]),
    ],
)
@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_a_group_that_goes_on_says_its_heading_on_the_next_page(engine, first, expected, tmp_path):
    """And a heading at the head of a page has no gap of 5 pt above it. Page 1 has room for 45 rows
    and a heading; of 44 rows below that and a new heading two would stand alone.
    """
    sections = ((0, "Open"), (first, "Closed"))
    table = replace(SIXTY, cells=(SIXTY.cells * 2)[:115], sections=sections, notes=())
    source = render_table(table, "tex", span="page")
    typeset(tmp_path, engine, [source], head=ARTICLE, runs=3)
    found = below_heads(tmp_path / "t.pdf")
    assert [text for text, _ in found] == expected
    assert max(gap for _, gap in found) - min(gap for _, gap in found) < 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last_row"), [(41, 41), (43, 42)])
def test_no_heading_of_a_group_stands_alone_at_the_foot_of_a_page(first, last_row, tmp_path):
    """Page 1 has room for 43 rows and two headings: below the third is none for its row. What marks
    the group for the next page stood between the heading and the row, and let the page end there.
    """
    sections = ((0, "Open"), (first, "Closed"), (first + 1, "Third"))
    table = replace(SIXTY, cells=(SIXTY.cells * 2)[:115], sections=sections, notes=())
    source = render_table(table, "tex", span="page")
    typeset(tmp_path, "pdflatex", [source], head=ARTICLE, runs=3)
    page = pdf_text(tmp_path / "t.pdf", "-layout", "-l", "1")
    names = re.findall(r"(?m)^ *(org/model-\d+|Open|Closed|Third)\b", page)
    assert names[0] == "Open" and names[-1] == f"org/model-{last_row}"


@pytest.mark.slow
def test_a_heading_that_goes_on_is_text_in_every_class(tmp_path):
    """A name of a baseline is anybody's: it stands once more, and does nothing."""
    name = r"\input{/etc/passwd} #1 % & $x^2$ ~_^ \relax\fi"
    table = replace(SIXTY, cells=(SIXTY.cells * 3)[:130], sections=((0, name),))
    for n, head in enumerate(HEADS.values()):
        folder = tmp_path / str(n)
        folder.mkdir()
        text = typeset(folder, "pdflatex", [render_table(table, "tex", span="page")], head=head)
        again = squeezed(f"{name}, continued").replace("'", "")
        assert squeezed(text).count(again) == len(PdfReader(folder / "t.pdf").pages) - 1


def test_a_part_that_goes_on_says_the_heading_of_its_first_rows():
    """Parts of rows have no pages that go on: each stands where LaTeX puts it."""
    table = replace(SIXTY, cells=SIXTY.cells[:59], sections=((0, "Open"), (50, "Closed")))
    source = render_table(table, "tex", long="parts")
    heads = re.findall(r"\\midrule\n\\multicolumn\{5\}\{@\{\}l\}\{\\textit\{(.*?)\}\}", source)
    assert heads == ["Open", "Open, continued"]


@pytest.mark.slow
@pytest.mark.parametrize("rows", [93, 94])
def test_the_last_five_rows_of_a_longtable_share_a_page(rows, tmp_path):
    """Its first two pages have room for 92."""
    table = replace(SIXTY, cells=(SIXTY.cells * 2)[:rows], sections=())
    source = render_table(table, "tex", width=345)
    pages = typeset(tmp_path, "pdflatex", [source], runs=3).split("\f")
    assert [page.count("org/model-") for page in pages if page] == [46, rows - 51, 5]


@pytest.mark.parametrize("rows", [1, 2])
def test_no_last_group_stands_alone_on_its_page(rows, tmp_path):
    """Page 1 has room for 45 rows and a heading. A last group of one row or two stood on the next,
    where a page may end behind each group: of every two models the last group is of one. It shares
    its page with rows of the group above, five in all.
    """
    table = replace(SIXTY, cells=SIXTY.cells[: 45 + rows], sections=((0, "Open"), (45, "Last")))
    source = render_table(replace(table, notes=("A note." + " why" * 100,)), "tex", span="page")
    pages = typeset(tmp_path, "pdflatex", [source], head=ARTICLE, runs=3).split("\f")
    assert [page.count("org/model-") for page in pages if page] == [40 + rows, 5]


@pytest.mark.parametrize(("room", "begun"), [(110, False), (150, True)])
def test_a_longtable_begins_where_some_of_its_rows_have_room(room, begun, tmp_path):
    """Its caption and two rows stood at a page's foot. It asks for 12 lines of 10.8 pt."""
    source = render_table(replace(SIXTY, sections=()), "tex", width=345)
    above = rf"\vbox to\dimexpr\textheight-{room}pt{{Above.\vfil}}"
    typeset(tmp_path, "pdflatex", [f"{above}\n{source}"], runs=3)
    first = pdf_text(tmp_path / "t.pdf", "-l", "1")
    assert "Above." in first and ("org/model-3" in first) is begun
    assert ("Table 1" in first) is begun


def test_the_caption_of_a_longtable_is_as_wide_as_the_table(tmp_path):
    """longtable's own is 4 inches. 30 words of ten letters are 1,850 pt: four lines on a page that
    is turned, and more than six of 4 inches.
    """
    columns = (Column("Model", "l"), *(Column(f"Column-{i}") for i in range(8)))
    rows = tuple((f"model-{k}", *["65.5% (0.7%)"] * 8) for k in range(60))
    table = Table("long", " ".join(["gammagamma"] * 30) + ".", columns, rows)
    typeset(tmp_path, "pdflatex", [render_table(table, "tex")], runs=3)
    text = pdf_text(tmp_path / "t.pdf", "-layout", "-l", "1")
    assert len([line for line in text.splitlines() if "gammagamma" in line]) == 4


def test_the_paragraph_above_a_longtable_keeps_its_line_pitch(tmp_path):
    """12 pt in article: lines of a paragraph that ended in the table's type were 9.6 pt apart."""
    source = "alphaword\\\\betaword\n" + render_table(SIXTY, "tex", width=345)
    typeset(tmp_path, "pdflatex", [source], runs=3)
    found = places(tmp_path / "t.pdf")
    assert found["betaword"][0] - found["alphaword"][0] == pytest.approx(12, abs=0.2)


def test_tall_rows_of_a_longtable_may_part_from_its_notes(tmp_path):
    """Two rows of six and seven lines, held together with their notes, were 222 pt higher than a
    page that is turned.
    """
    source = render_table(NAMES, "tex", wide="turn")
    assert r"\begin{longtable}" in source
    typeset(tmp_path, "pdflatex", [source], runs=4)
