"""report.docx as Word's own format says it: real tables, captions once, images, headings,
equations, and the same bytes twice.
"""

import base64
import io
import re
import shlex
import zipfile
from dataclasses import replace

import docx
import pandas as pd
import pytest
from docx.enum.section import WD_ORIENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from PIL import Image
from support.cells import code, figure, shown, table
from support.places import ROOT
from support.tables import CJK, HOSTILE, SMALL, hostile_table

from reportkit.analysis.planning import plan
from reportkit.documents import DEFAULT, FORMATS, docx_parts, docx_tables
from reportkit.documents.docx_parts import labels, shares
from reportkit.documents.make import make_documents
from reportkit.figures import Figure
from reportkit.report.shown import show_figure
from reportkit.tables.grid import EVAL_KEY
from reportkit.tables.notes import FILES, LEFT_OUT, Note
from reportkit.tables.planning import plan_table
from reportkit.tables.table import Column, Table
from reportkit.text.assets import asset
from reportkit.text.figure_width import text_width
from reportkit.text.numbers import DASH

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="144pt" height="72pt" viewBox="0 0 144 72">'
    b'<rect width="144" height="72" fill="teal"/></svg>'
)


def made(folder, *cells, title="Example"):
    make_documents(new_notebook(cells=list(cells)), folder, ["docx"], title=title)
    return docx.Document(str(folder / "report.docx"))


def texts(table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    means = Figure("means", "Means of all.", "A plot of means", SVG, b"", b"png")
    drawn = show_figure(means, 1).bundle
    prose = (
        "# First\n\nText with $x^2$, **bold** and [a link](https://example.org).\n\n### Deeper\n"
    )
    prose += "\n\\begin{align}a&=b\\end{align}\n\n| h |\n|---|\n| of Markdown |\n"
    return made(
        tmp_path_factory.mktemp("report"),
        new_markdown_cell(prose),
        code(table(SMALL)),
        code(new_output("display_data", data=drawn)),
        code(table(replace(hostile_table((*HOSTILE, CJK)), title="Hostile names."))),
        code(shown(png=figure("png")), shown(svg=figure("svg"))),
        code(new_output("stream", name="stdout", text="printed  100%\n  twice")),
        code(new_output("error", ename="ValueError", evalue="bad_thing {", traceback=[])),
        code(shown(html=pd.DataFrame({"c|d": ["x_y", "<z>"]}).to_html(), plain="x")),
    )


def test_on_request_only():
    assert "docx" in FORMATS and "docx" not in DEFAULT


def test_title_language_and_headings(document):
    assert document.core_properties.title == "Example"
    assert document.core_properties.language == "en-US"
    styled = [(p.style.name, p.text) for p in document.paragraphs]
    assert [t for s, t in styled if s == "Title"] == ["Example"]
    # level 3 below level 1 leaves no gap
    assert [x for x in styled if x[0].startswith("Heading")] == [
        ("Heading 1", "First"),
        ("Heading 2", "Deeper"),
    ]


def test_a_table_is_a_table_with_its_head_marked_its_bold_kept_and_its_notes_below(document):
    [found] = [t for t in document.tables if len(t.rows) == 4 and "Galleon" in str(texts(t))]
    assert [[plain(c) for c in row] for row in texts(found)] == [
        ["", "MATH_5000", "MATH_5000"],  # one head over two columns
        [c.head for c in SMALL.columns],
        *map(list, SMALL.cells),
    ]
    marked = [row._tr.find(f".//{WORD}tblHeader") is not None for row in found.rows]
    assert marked == [True, True, False, False]
    body = found.rows[2:]
    bold = {
        (i, j)
        for i, row in enumerate(body)
        for j, cell in enumerate(row.cells)
        if any(run.bold for p in cell.paragraphs for run in p.runs)
    }
    assert bold == set(SMALL.bold)
    aligned = [cell.paragraphs[0].alignment for cell in body[0].cells]
    assert aligned == [
        WD_ALIGN_PARAGRAPH.LEFT,
        WD_ALIGN_PARAGRAPH.RIGHT,
        WD_ALIGN_PARAGRAPH.CENTER,
    ]
    # what follows the table is its notes, in one paragraph
    note = docx.text.paragraph.Paragraph(found._tbl.getnext(), document)
    assert (note.style.name, note.text) == ("Table Note", " ".join(SMALL.notes))


def test_captions_stand_once(document):
    captions = [p.text for p in document.paragraphs if "Caption" in p.style.name and p.text]
    assert captions.count(SMALL.title) == 1
    assert captions.count("Figure 1: Means of all.") == 1
    body = [p.text for p in document.paragraphs]
    assert body.count(SMALL.title) == body.count("Figure 1: Means of all.") == 1


def test_figures_show_in_their_own_size(document):
    kinds = [Image.open(io.BytesIO(p.blob)).format for p in document.part.package.image_parts]
    assert kinds == ["PNG"] * 3  # what every reader of the format can draw
    first = document.inline_shapes[0]
    # LibreOffice 7.4 moved a figure that does not say so by 3.2 mm to the right
    assert {first._inline.get(f"dist{side}") for side in "TBLR"} == {"0"}
    assert (round(first.width.pt), round(first.height.pt)) == (144, 72)
    assert first._inline.docPr.get("descr") == "A plot of means"
    embedded = first._inline.graphic.graphicData.pic.blipFill.blip.embed
    dots = Image.open(io.BytesIO(document.part.related_parts[embedded].blob)).size
    assert dots == (600, 300)  # 144 pt are 2 inches, of 300 dots each


def test_no_formula_raises_a_bracket_to_a_power():
    """LibreOffice shows "(a b)^4" and "K^*" as "□¿". Its formulas know a power of a pair of
    brackets, which is \\left( ... \\right)^4 in TeX, and not of one bracket. Seen in 7.4.
    """
    found = {p: r"\$[^$]+\$" for p in sorted((ROOT / "templates").glob("*.md.j2"))}
    found[ROOT / "reportkit/tables/planning/answers.py"] = r"\br\"[^\"]+\""  # those of a plan
    for path, formula in found.items():
        formulas = re.findall(formula, path.read_text(encoding="utf-8"))
        assert not [f for f in formulas if re.search(r"(?<!\\right)[)\]][\^_]|\^\*", f)], path.name


def test_no_formula_has_a_bar_alone():
    """LibreOffice shows "|t|" as "¿t∨¿". It knows a pair of bars, \\left| ... \\right| in TeX, and
    \\mid. Seen in 7.4.
    """
    for path in sorted((ROOT / "templates").glob("*.md.j2")):
        words = re.sub(r"{{.*?}}|{%.*?%}", "", path.read_text(encoding="utf-8"))
        formulas = re.findall(r"\$[^$]+\$", words)
        assert not [f for f in formulas if re.search(r"(?<!\\left)(?<!\\right)\|", f)], path.name


def test_formulas_are_equations(document):
    xml = document.element.xml
    assert xml.count("<m:oMath") >= 2 and r"\begin" not in xml


def test_what_closes_behind_a_formula_stays_with_it(tmp_path):
    """LibreOffice broke a line before the full stop, which began the next one."""
    text = "(Of $x^2$). With $y$, and $z$.\n\n$$w$$\n"
    xml = made(tmp_path, new_markdown_cell(text)).element.xml
    after = re.findall(r"</m:oMath>\s*<w:r>\s*<w:t[^>]*>([^<]*)", xml)
    assert after == [" With", " and"]
    assert re.findall(r"<m:t>([).,]+)</m:t>", xml) == [").", ",", "."]


def test_words_from_the_right_leave_the_numbers_beside_them_where_they_are(tmp_path):
    """As plain text, "7B" behind them came apart: the 7 stood before them, the B behind."""
    two, name = "\u0646\u0645\u0648\u0630\u062c \u0639\u0631\u0628\u064a", "\u0639-8B"
    isolated = f"\u2068{two}\u2069"
    text = f"Score of {two} 7B, (\u201c{name}\u201d), {two}. And {two}, 65.5%."
    read = made(tmp_path, new_markdown_cell(text))
    quoted = f"(\u201c\u2068{name}\u2069\u201d)"
    [said] = [p.text for p in read.paragraphs if "Score" in p.text]
    assert said == f"Score of {isolated} 7B, {quoted}, {isolated}. And {isolated}, 65.5%."
    columns = (Column("Model", "l", key="model"), Column("Mean", key="mean"))
    rows = Table("t", "T.", columns, ((f"{two} 7B", "0.5"), (name, "0.4")))
    read = made(tmp_path, code(table(rows)))
    assert [row[0] for row in texts(read.tables[0])[1:]] == [
        f"{isolated} 7B",
        f"\u2068{name}\u2069",
    ]


def test_hostile_names_print_as_themselves(document):
    cells = {plain(c) for t in document.tables for row in texts(t) for c in row}
    for name in (*HOSTILE, CJK):
        assert re.sub(r"\s+", " ", name).strip() in {re.sub(r"\s+", " ", c) for c in cells}, name
    assert "<z>" in cells and "of Markdown" in cells


def test_printed_text_and_errors(document):
    code = [p.text for p in document.paragraphs if p.style.name == "Source Code"]
    assert code == ["printed  100%\n  twice", "ValueError: bad_thing {"]
    assert "secret_code" not in document.element.xml


@pytest.mark.parametrize(
    ("words", "style", "points"),
    [
        # A page of A4 has 166 mm between its margins, 470.6 points: letters of the widest font are
        # .602 of the type's size, so that a line has 82 of 9.5 points, 91 of 8.5 and 104 of 7.5.
        (["report", "x" * 72], "Source Code", 9.5),
        (["report", "bash-only" + "x" * 67], "Source Code Small", 8.5),
        (["report", "bash-only" + "x" * 76], "Source Code Smaller", 7.5),
        (["report", "x" * 60, "x" * 60], "Source Code", 9.5),  # breaks at a space
        # A line of 97 letters, and another.
        (["report", "x" * 60, "bash-only" + "x" * 20, "x" * 30], "Source Code Smaller", 7.5),
        (["bash-only" * 20], "Source Code", 9.5),  # whole in no size
    ],
)
def test_a_command_breaks_within_no_word(words, style, points, tmp_path):
    """Its text stays the same, so that it can be copied."""
    command = " ".join(words)
    output = new_output("stream", name="stdout", text=f"  made by\n{command}\n")
    document = made(tmp_path, code(output))
    [paragraph] = [p for p in document.paragraphs if "made by" in p.text]
    assert paragraph.text == f"  made by\n{command}"
    assert paragraph.style.name == style
    assert {run.style.font.size.pt for run in paragraph.runs if run.text.strip()} == {points}


def test_a_command_that_no_size_keeps_whole_has_lines_that_a_shell_reads_as_one(tmp_path):
    """ "--" ended a line, and "ask answers=shares" began the next."""
    asked = {"difference": 0.04, "design": "unpaired", "answers": "shares", "mean": 0.71}
    asked |= {"spread": 0.3, "other_se": 0.009, "other_questions": 1319, "level": 0.95}
    options = [f"--ask {name}={value}" for name, value in {**asked, "power": 0.8}.items()]
    command = " ".join(["reportkit build --notebook planning", *options, "--formats html,md,tex"])
    document = made(tmp_path, code(new_output("stream", name="stdout", text=command)))
    [paragraph] = [p for p in document.paragraphs if p.text.startswith("reportkit")]
    lines = paragraph.text.split("\n")
    assert max(map(len, lines)) <= 82 and all(line.endswith(" \\") for line in lines[:-1])
    assert shlex.split(paragraph.text.replace("\\\n", "")) == shlex.split(command)
    assert not any(line.startswith(("  ask", "  -ask")) for line in lines)


def test_a_figure_of_the_users_stays_with_its_caption(tmp_path):
    data = io.BytesIO()
    Image.new("RGB", (20, 10)).save(data, "PNG")
    output = shown(png=base64.b64encode(data.getvalue()).decode(), plain="Figure")
    cell = code(output)
    cell.metadata["reportkit"] = {"caption": "What I saw."}
    document = made(tmp_path, cell)
    found = {p.style.name: p for p in document.paragraphs}
    assert found["Image Caption"].text == "Figure 1: What I saw."
    assert found["Captioned Figure"].style.paragraph_format.keep_with_next


def wide(columns: int, rows: int = 3, group: str = "") -> Table:
    heads = [Column("Model", "l")]
    heads += [Column(f"Measure {i}", group=group) for i in range(1, columns)]
    cells = [(f"m{r}", *(f"{r}.{c:02d} (0.25)" for c in range(1, columns))) for r in range(rows)]
    return Table("wide", "A wide one.", tuple(heads), tuple(cells), notes=("Noted.",))


def sections(document) -> list[bool]:
    return [s.orientation == WD_ORIENT.LANDSCAPE for s in document.sections]


LONG = "This stands before the table. " * 60  # 20 lines of a page


def test_a_wide_table_stands_on_a_turned_page_with_its_heading_and_notes(tmp_path):
    """One that cannot be in parts, as a head reaches over columns."""
    parts = (
        new_markdown_cell("## Wide"),
        code(table(wide(10, group="All"))),
        new_markdown_cell("After."),
    )
    document = made(tmp_path, new_markdown_cell(LONG), *parts)
    assert sections(document) == [False, True, False]
    [page] = [s for s in document.sections if s.orientation == WD_ORIENT.LANDSCAPE]
    inside = [getattr(p, "text", "table") for p in page.iter_inner_content()]
    assert [t for t in inside if t] == ["Wide", "A wide one.", "table", "Noted."]
    grid = document.tables[0]._tbl.tblGrid
    assert sum(c.w.pt for c in grid.gridCol_lst) <= 717.2 + 0.5  # 253 mm between the margins


def test_a_table_for_which_two_parts_do_is_upright(tmp_path):
    """A turned page left 64% of the page before it empty in a plan, whose table of public evals has
    ten columns; the PDF had it in parts.
    """
    document = made(tmp_path, new_markdown_cell("Before."), code(table(wide(13, rows=4))))
    assert sections(document) == [False]
    first, second = document.tables
    # twelve columns are six and six; one part was full, eight and four, or as it happened one
    assert texts(first)[0] == ["Model", *(f"Measure {i}" for i in range(1, 7))]
    assert texts(second)[0] == ["Model", *(f"Measure {i}" for i in range(7, 13))]
    for part in (first, second):
        assert sum(widths_of(part)) <= 470.6 + 0.5  # 166 mm between the margins
        for cell, width in zip(part.rows[1].cells, widths_of(part), strict=True):
            # in the widest font, of 8 points: at its space alone may a number break
            words = plain(cell.text).split()
            assert max(text_width(word, 8.0) * 72 for word in words) + 7.0 <= width
    assert [p.text for p in document.paragraphs if p.text] == [
        "Example", "Before.", "A wide one.", "Noted.",
    ]  # fmt: skip
    # each part may be on a page of its own, and the second stays with the notes
    last = [part.rows[-1].cells[0].paragraphs[0] for part in (first, second)]
    assert [p.paragraph_format.keep_with_next for p in last] == [None, True]


def test_a_table_wider_than_that_is_in_parts_each_with_the_models(tmp_path):
    document = made(tmp_path, code(table(wide(30))))
    assert len(document.tables) > 1 and sections(document) == [True]  # no page of a title alone
    assert {t.cell(1, 0).text for t in document.tables} == {"m0"}
    heads = [head for t in document.tables for head in texts(t)[0][1:]]
    assert heads == [f"Measure {i}" for i in range(1, 30)]
    assert [p.text for p in document.paragraphs].count("A wide one.") == 1


def pairs(names: tuple[str, ...]) -> Table:
    """A row for each eval and pair of models, and numbers that take more than one line."""
    heads = [Column(head, "l") for head in ("Eval", "Model", "Baseline")]
    heads += [Column(f"Measure {i}") for i in range(1, 9)]
    rows = [(e, m, b) for e in ("e1", "e2") for m in names for b in names if m < b]
    cells = [(*row, *(f"{r}.{c:02d} (0.25)" for c in range(8))) for r, row in enumerate(rows)]
    return Table("pairs", "Pairs.", tuple(heads), tuple(cells), notes=("Noted.",))


def test_each_part_of_a_table_of_pairs_says_the_pair(tmp_path):
    """A checked table of eight models had "GSM8K 1.60 0.110 1.000 no" in its second part: of which
    pair was not said. One part of LaTeX has the eval and both models.
    """
    first, second = made(tmp_path, code(table(pairs(("A", "B", "C"))))).tables
    rows = [["e1", "A", "B"], ["e1", "A", "C"], ["e1", "B", "C"]]
    rows += [["e2", *models] for _, *models in rows]
    for part in (first, second):
        assert [row[:3] for row in texts(part)] == [["Eval", "Model", "Baseline"], *rows]
    heads = [head for part in (first, second) for head in texts(part)[0][3:]]
    assert heads == [f"Measure {i}" for i in range(1, 9)]


def test_parts_have_no_more_columns_of_text_than_tell_their_rows_apart():
    """Worked out by hand: of two rows, the second column tells them apart, or none does."""
    assert labels([["e1", "A", "x"], ["e1", "B", "x"]], 3) == 2
    assert labels([["e1", "A", "x"], ["e2", "A", "x"]], 3) == 1
    assert labels([["e1", "A", "1"], ["e1", "A", "2"]], 2) == 1  # the numbers alone would
    assert labels([], 1) == 1


def test_parts_leave_out_the_models_without_a_score_in_their_evals(tmp_path):
    """Twelve evals with names of 20 letters are in two parts of six: A has scores in the first, B
    in the second, C in both, and D nowhere.
    """
    columns = [Column("Model", "l", key="model")]
    columns += [Column(f"benchmark-of-words-{i:02}", key=f"{EVAL_KEY}{i}") for i in range(12)]
    scores = {"A": [1, 0], "B": [0, 1], "C": [1, 1], "D": [0, 0]}
    cells = tuple(
        (model, *("65.5% (0.7%)" if own[i // 6] else DASH for i in range(12)))
        for model, own in scores.items()
    )
    kept = Table("suite", "By evals.", tuple(columns), cells, fit=True, notes=("A note.",))
    document = made(tmp_path, code(table(kept)))
    assert [[row[0] for row in texts(t)] for t in document.tables] == [
        ["Model", "A", "C"],
        ["Model", "B", "C"],
    ]
    notes = [p.text for p in document.paragraphs if p.style.name == "Table Note"]
    assert notes == [f"A note. {LEFT_OUT}"]
    other = made(tmp_path, code(table(replace(kept, fit=False))))
    assert [len(t.rows) for t in other.tables] == [5, 5]


@pytest.mark.parametrize(
    "evals, expected",
    [
        ((5, 4, 3), [5, 4, 3]),  # two parts of 6, upright
        pytest.param((9, 6, 4), [9, 6, 4], marks=pytest.mark.slow),  # 10 and 9, turned
        pytest.param((1,) * 14, [7, 7], marks=pytest.mark.slow),  # it would take 12 parts more
    ],
)
def test_parts_of_models_by_evals_are_cut_where_evals_share_no_model(evals, expected, tmp_path):
    """Evals of different models stood beside each other, and half of their cells were dashes."""
    n = sum(evals)
    starts = [sum(evals[:k]) for k in range(len(evals))]
    cells = tuple(
        (f"m{k}", *("65.5% (0.7%)" if i <= j < i + own else DASH for j in range(n)))
        for k, (i, own) in enumerate(zip(starts, evals, strict=True))
    )
    columns = (
        Column("Model", "l", key="model"),
        *(Column(f"e{j}", key=f"eval:{j}") for j in range(n)),
    )
    made_of = made(tmp_path, code(table(Table("suite", "T.", columns, cells, fit=True))))
    assert [len(t.columns) - 1 for t in made_of.tables] == expected


def test_the_caption_stands_once_where_the_first_part_has_one_column_of_numbers(
    tmp_path, monkeypatch
):
    """As it is where the next column is nearly as wide as the line."""
    monkeypatch.setattr(docx_parts, "shares", lambda points, line: [[1], [*range(2, 30)]])
    document = made(tmp_path, code(table(wide(30))))
    assert [len(t.columns) for t in document.tables] == [2, 29]
    assert [p.text for p in document.paragraphs].count("A wide one.") == 1


@pytest.mark.parametrize(
    ("widths", "expected"),
    [
        # 90 points hold the first column, of 10, and eight more: of nine columns, eight and one.
        ([10] * 10, [5, 4]),
        ([10] * 9, [8]),
        # of 17 columns eight, eight and one
        ([10] * 18, [6, 6, 5]),
        # Eight columns, of 170 points, in lines of 80: 5, 2 and 1 where each is full.
        ([10, 40, 10, 10, 10, 10, 10, 10, 70], [3, 3, 2]),
        ([10, 70, 10, 70, 10, 70, 10], [2, 2, 2]),  # each is full
        # With three columns first the fourth would be alone, and there would be four parts.
        ([10, 20, 20, 20, 20, 70, 10, 70, 10], [4, 2, 2]),
        # A column wider than the part stands alone.
        ([10, 95, 10, 10], [1, 2]),
    ],
)
def test_parts_of_a_table_have_about_as_many_columns(widths, expected):
    """A plan's table of public evals had six columns in one part and two in the other, where the
    first was full. Counted by hand: no more parts than lines are needed, and each column once.
    """
    found = shares([float(width) for width in widths], 90.0)
    assert [len(part) for part in found] == expected
    assert [column for part in found for column in part] == list(range(1, len(widths)))


def test_no_empty_page_follows_a_turned_table_at_the_end(tmp_path):
    """A plan ends with its widest table: an empty upright page came after it."""
    parts = (new_markdown_cell(LONG), code(table(wide(10, group="All"))))
    document = made(tmp_path, *parts)
    assert sections(document) == [False, True]
    *_, last = document.element.body.iterchildren()
    assert last.tag.endswith("sectPr")
    assert document.paragraphs[-1].text == "Noted."


def test_a_little_text_before_a_turned_table_is_on_its_page(tmp_path):
    """A suite of 36 models began with a page of three lines, and had one of two lines between its
    turned tables. More text, or a table, stays upright, and so does what comes after the last one.
    """
    first, second = (code(table(wide(10, group="All"))) for _ in range(2))
    little, after = new_markdown_cell("Before."), new_markdown_cell("After.")
    between = new_markdown_cell("## Averages\n\nNo model was run on every eval.")
    assert sections(made(tmp_path, little, first, between, second, after)) == [True, False]
    assert sections(made(tmp_path, new_markdown_cell(LONG), first)) == [False, True]
    assert sections(made(tmp_path, little, code(table(wide(2))), first)) == [False, True]


def test_text_stands_apart_from_the_number_before_it(tmp_path):
    """ "0.220 no" was seen as one: 6 points were between a number and the text in the next column.
    Now 12: 3 at the edge of each cell, and 6 more.
    """
    columns = (Column("Eval", "l"), Column("Adjusted p"), Column("Settled", "l"))
    document = made(tmp_path, code(table(Table("t", "T.", columns, (("e", "0.220", "no"),)))))
    [found] = document.tables
    for row in found.rows:
        indents = [cell.paragraphs[0].paragraph_format.left_indent for cell in row.cells]
        assert indents[1] is None and indents[2].pt == 6.0
    assert text_width("Settled", 9.0) * 72 * 1.1 + 6.0 + 6.0 <= widths_of(found)[2]


def test_a_line_of_a_name_that_goes_on_is_set_in(tmp_path):
    """Flush with the others, it looked like a row without numbers. In LaTeX and the PDF it is set
    in. So is a baseline beside it. A number in the first column, text behind a number, and a head
    are not.
    """
    columns = (Column("Model", "l"), Column("Baseline", "l"), Column("Mean"), Column("Note", "l"))
    long = "openai__gpt-4.1-nano-2025-04-14_incl_options " * 3
    cells = ((long, long, "1.0", "x"), ("b", "c", "2.0", "y"))
    numbers = Table("n", "N.", (Column("Questions"), Column("Note", "l")), (("1", "x"),))
    document = made(
        tmp_path, code(table(Table("t", "T.", columns, cells))), code(table(numbers))
    )  # fmt: skip

    def set_in(cell) -> tuple[float | None, float | None]:
        of = cell.paragraphs[0].paragraph_format
        return tuple(at and at.pt for at in (of.left_indent, of.first_line_indent))

    first, second = document.tables
    names = [[set_in(cell) for cell in row.cells] for row in first.rows]
    behind = [(None, None), (6.0, None)]
    assert names == [[(None, None)] * 3 + behind[1:], *[[(6.0, -6.0)] * 2 + behind] * 2]
    assert set_in(second.rows[1].cells[0]) == (None, None)


def test_a_word_of_a_line_that_is_set_in_breaks_nowhere(tmp_path):
    """In parts a column is as wide as its longest word, in the widest font and 8 points: 3.5 points
    from each edge, and 6 more of the line that goes on.
    """
    word = "a" * 24
    cells = tuple((f"{word} {word}", *row[1:]) for row in wide(13).cells)
    first, second = made(tmp_path, code(table(replace(wide(13), cells=cells)))).tables
    for part in (first, second):
        assert text_width(word, 8.0) * 72 + 7.0 + 6.0 <= widths_of(part)[0]
    word = "a" * 31  # the line has no room to spare beside it
    cells = tuple((row[0], f"{word} {word}", *row[2:]) for row in wide(13).cells)
    columns = (wide(13).columns[0], Column("Baseline", "l"), *wide(13).columns[2:])
    both = replace(wide(13), columns=columns, cells=cells)
    first, second = made(tmp_path, code(table(both))).tables
    assert text_width(word, 8.0) * 72 + 7.0 + 6.0 <= widths_of(first)[1]


def test_a_narrow_table_stays_upright(tmp_path):
    document = made(tmp_path, code(table(wide(5, rows=60))))
    assert sections(document) == [False] and len(document.tables) == 1


def test_where_the_page_has_room_no_number_breaks_in_a_wider_font(tmp_path):
    """Calibri is missing on many machines with LibreOffice, and DejaVu Sans stands in for it, by a
    quarter wider: "0.25" came in two lines. The type is of 9 points, 3.5 points from each edge.
    Columns stand 9 points further apart, so that numbers of two of them are not read as one.
    """
    columns = (Column("Model", "l"), Column("95% CI"), Column("Questions"), Column("ICC"))
    cells = (("m", "(27.8%, 37.8%)", "5,153", "0.25"),)
    document = made(tmp_path, code(table(Table("t", "T.", columns, cells))))
    [found] = document.tables
    widths = [c.w.pt for c in found._tbl.tblGrid.gridCol_lst]
    for row in texts(found):
        for text, width in zip(row, widths, strict=True):
            assert text_width(text, 9.0) * 72 + 7.0 + 9.0 <= width, text


def test_scores_of_three_models_break_nowhere_where_they_fit(tmp_path):
    """Each font has its own widths: letters were counted as if all were as wide as a digit in bold,
    and "65.5% (0.7%)" came in two lines beside a column with room. The type is of 8 points.
    """
    names = ("Eval", "Metric", "Questions", "Clusters", "Answers")
    names += ("Galleon", "Dreadnought", "Frigate")
    scores = ("65.5% (0.7%)", "63.0% (0.7%)", "84.5% (2.5%)")
    aligned = tuple(Column(name, "l" if i < 2 else "r") for i, name in enumerate(names))
    cells = (("HumanEval", "match", "5,000", "1,045", "10", *scores),)
    bold = frozenset({(0, 5), (0, 7)})
    document = made(tmp_path, code(table(Table("t", "T.", aligned, cells, bold=bold))))
    [found] = document.tables
    assert sections(document) == [False]
    for cell, width in zip(found.rows[1].cells, widths_of(found), strict=True):
        wider = 1.1 if "%" in cell.text else 1.0  # bold
        assert text_width(cell.text, 8.0) * 72 * wider + 6.0 <= width, cell.text
    assert sum(widths_of(found)) <= 470.6 + 1.0


def test_where_it_has_little_room_a_wider_font_breaks_no_word(tmp_path):
    """ "HumanEv/al", "Dreadnoug/ht", "<0.00/1", "63.0% (0.7%/)" were seen in LibreOffice without
    Calibri. A score and its error come in two lines there, at the space between them.
    """
    names = ("Eval", "Metric", "Questions", "Clusters", "Answers", "Galleon", "Dreadnought", "p")
    cells = (
        ("HumanEval", "match", "5,000", "1,045", "10", "65.5% (0.7%)", "63.0% (0.7%)", "<0.001"),
    )
    aligned = tuple(Column(name, "l" if i < 2 else "r") for i, name in enumerate(names))
    document = made(tmp_path, code(table(Table("t", "T.", aligned, cells))))
    [found] = document.tables
    widths = [c.w.pt for c in found._tbl.tblGrid.gridCol_lst]
    size = 8.0  # at 9 points the words and heads alone are wider than the page
    assert sections(document) == [False]
    [row] = [[cell.text for cell in r.cells] for r in found.rows][1:]
    assert "\u00a0" not in "".join(row)
    for text, head, width in zip(row, names, widths, strict=True):
        for word in text.split():
            assert text_width(word, size) * 72 + 7.0 <= width, word
        assert text_width(head, size) * 1.1 * 72 + 7.0 <= width, head  # bold is a tenth wider


def test_a_table_that_only_smaller_type_keeps_whole_is_in_smaller_type(tmp_path):
    """Where Calibri is missing; with it, 9 points would do."""
    columns = (Column("Model", "l"), *(Column(f"Value {i}") for i in range(5)))
    cells = (("x" * 20, *["(27.8%, 37.8%)"] * 5),)
    document = made(tmp_path, code(table(Table("t", "T.", columns, cells))))
    [found] = document.tables
    assert sections(document) == [False]
    assert {p.style.name for p in found.cell(1, 1).paragraphs} == {"Table Row Small"}


def widths_of(table) -> list[float]:
    return [c.w.pt for c in table._tbl.tblGrid.gridCol_lst]


def test_a_table_of_nine_columns_is_in_the_smallest_type_and_a_wider_font_breaks_no_word(tmp_path):
    """ "Dreadnoug/ht" and "question/s" were seen in LibreOffice without Calibri, on an upright page
    that held all of it in Calibri, of 8 points; and on a turned page, 55% of the one before it was
    empty.
    """
    first, then = "Detectable difference", "Questions needed to detect"
    columns = [Column(name, "l") for name in ("Eval", "Model", "Baseline")]
    columns += [Column(head, group=first) for head in ("as it is", "4× questions", "4× answers")]
    columns += [Column(head, group=then) for head in ("1 point", "2 points", "5 points")]
    numbers = ("5.1", "2.5", "6.6", "59,700 (5,970)", "15,280 (1,528)", "2,620 (262)")
    cells = (("HumanEval", "Dreadnought", "Dreadnought", *numbers),)
    noted = Table("t", "T.", tuple(columns), cells, notes=("A note.",))
    document = made(tmp_path, code(table(noted)))
    [found] = document.tables
    assert sections(document) == [False]
    style = found.cell(2, 1).paragraphs[0].style
    assert (style.name, style.base_style.font.size.pt) == ("Table Text Smaller", 7.5)
    for head, text, width in zip(columns, cells[0], widths_of(found), strict=True):
        bold = [text_width(word, 7.5) * 1.1 for word in head.head.split()]
        words = [text_width(word, 7.5) for word in text.split()]
        assert max(*bold, *words) * 72 + 7.0 <= width, head


def test_a_long_name_takes_no_room_of_a_number(tmp_path):
    """A name of 200 letters took all that was left: "24,813" came as "24,81" and "3" in LibreOffice
    without Calibri.
    """
    heads = ("as it is", "4× questions", "1 point", "2 points", "5 points")
    columns = (Column("Model", "l"), *map(Column, heads))
    numbers = ("15.2", "7.4", "24,813", "6,258", "1,027")
    document = made(tmp_path, code(table(Table("t", "T.", columns, (("x" * 200, *numbers),)))))
    [found] = document.tables
    for text, width in zip(numbers, widths_of(found)[1:], strict=True):
        assert text_width(text, 9.0) * 72 + 7.0 <= width, text


def test_a_name_of_37_letters_is_whole(tmp_path):
    """In Calibri, whose letters are .53 em wide on average at most."""
    long = "executable_parallel_multiple_function"
    columns = (Column("Eval", "l"), *(Column("gpt-4-turbo") for n in range(10)))
    cells = ((long, *["96.0% (2.8%)"] * 10),)
    document = made(tmp_path, code(table(Table("t", "T.", columns, cells))))
    assert len(long) * 0.53 * 8.0 + 7.0 <= widths_of(document.tables[0])[0]


def test_a_name_whose_parts_can_stand_below_each_other_takes_no_room_of_numbers(tmp_path):
    """ "Adjuste/d p", "Question/s" and intervals in two lines were seen in LibreOffice without
    Calibri. The line has room for every number in one line, but was shared out by letters, those of
    a name that breaks at its hyphens too. Type of 9 points; bold is a tenth wider.
    """
    columns = (Column("Model", "l"), Column("Difference (SE)"), Column("95% CI"))
    columns += (Column("Adjusted p"), Column("Correlation"), Column("Questions"))
    numbers = ("\u221263.2 (1.3)", "(\u221266.9, \u221259.4)", "<0.001", "0.13", "805")
    cells = (("Mixtral-8x7B-Instruct-v0.1_concise", *numbers),)
    document = made(tmp_path, code(table(Table("t", "T.", columns, cells))))
    [found] = document.tables
    assert {p.style.name for p in found.cell(1, 1).paragraphs} == {"Table Row"}
    widths = widths_of(found)
    assert sum(widths) <= 470.6 + 1.0
    for column, text, width in zip(columns[1:], numbers, widths[1:], strict=True):
        words = [text_width(word, 9.0) * 1.1 for word in column.head.split()]
        assert max(*words, text_width(text, 9.0)) * 72 + 7.0 <= width, text


def test_notes_are_one_paragraph_with_what_names_files(tmp_path):
    """The last note stood alone on the next page."""
    noted = replace(SMALL, notes=("One.", Note("The whole table is tables/small.csv.", FILES)))
    document = made(tmp_path, code(table(noted)))
    notes = [p.text for p in document.paragraphs if p.style.name == "Table Note"]
    assert notes == ["One. The whole table is tables/small.csv."]


def test_the_same_bytes_twice_whatever_the_time(tmp_path, monkeypatch):
    written = []
    for n, second in enumerate(("1", "99999999")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", second)
        (tmp_path / str(n)).mkdir()
        made(tmp_path / str(n), code(table(SMALL)), code(shown(svg=figure("svg"))))
        written.append((tmp_path / str(n) / "report.docx").read_bytes())
    assert written[0] == written[1]
    with zipfile.ZipFile(io.BytesIO(written[0])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_nothing_is_fetched_and_no_style_is_taken_over(tmp_path):
    evil = '<div data-custom-style="Title">x</div><img src="http://h.example/x.png">'
    evil += '<table><tr><td data-custom-style="Title">y</td></tr></table>'
    prose = "![far][r]\n\n[r]: http://h.example/y.png\n\n```{=openxml}\n<w:p/>\n```"
    document = made(tmp_path, code(shown(html=evil, plain="x")), new_markdown_cell(prose))
    assert [p.text for p in document.paragraphs if p.style.name == "Title"] == ["Example"]
    assert document.part.package.image_parts._image_parts == []
    assert "<w:p/>" in "\n".join(p.text for p in document.paragraphs)


def test_headings_over_rows_and_over_columns_are_kept(tmp_path):
    columns = (Column("Model", "l"), Column("a", group="Both"), Column("b", group="Both"))
    grouped = Table("g", "G.", columns, (("m", "1", "2"), ("n", "3", "4")), sections=((1, "Part"),))
    [found] = made(tmp_path, code(table(grouped))).tables
    assert texts(found) == [
        ["", "Both", "Both"],
        ["Model", "a", "b"],
        ["m", "1", "2"],
        ["Part"] * 3,
        ["n", "3", "4"],
    ]
    styles = [row.cells[0].paragraphs[0].style.name for row in found.rows]
    assert styles == ["Table Head", "Table Head", "Table Text", "Table Head", "Table Row"]


def test_each_row_of_a_short_table_says_itself_that_it_stays_with_the_next(tmp_path):
    """LibreOffice keeps a table and its notes on one page only so, seen in 7.4: not where the style
    of a paragraph says it, nor where one row's first cell is empty and has no style.
    """
    columns = (Column("Model", "l"), Column("a", group="Both"), Column("b", group="Both"))
    grouped = Table("g", "G.", columns, (("m", "1", "2"), ("n", "3", "4")), notes=("A note.",))
    document = made(tmp_path, code(table(grouped)))
    [found] = document.tables
    kept = [p for row in found.rows for cell in row.cells for p in cell.paragraphs]
    assert len(kept) == 12
    assert {p.style.name for p in kept} == {"Table Head", "Table Text"}
    assert all(p.paragraph_format.keep_with_next for p in kept)
    [note] = [p for p in document.paragraphs if p.text == "A note."]
    assert not note.paragraph_format.keep_with_next


def test_a_table_without_notes_stays_with_nothing_below(tmp_path):
    """Seen in LibreOffice: the table with its heading, the next heading, and the table below that
    went to the next page as one, and left 46% of a page of a plan empty. No notes are an empty part
    of the page.
    """
    columns = (Column("Model", "l"), Column("a"))
    bare = Table("b", "B.", columns, (("m", "1"), ("n", "2"), ("o", "3")))
    document = made(tmp_path, code(table(bare)), new_markdown_cell("## Next\n\nText."))
    [found] = document.tables
    kept = [{p.paragraph_format.keep_with_next for c in r.cells for p in c.paragraphs}
            for r in found.rows]  # fmt: skip
    assert kept == [{True}, {True}, {True}, {None}]


def test_the_references_go_to_the_page_of_how_it_was_made(tmp_path):
    """It stood alone on the last page of a third of the documents that were looked at."""
    shown_text = code(new_output("display_data", data={"text/markdown": "First.\n\n**Refs.** M."}))
    made_list = code(new_output("display_data", data={"text/markdown": "- a seed\n- a version"}))
    cells = (new_markdown_cell("## Methods"), shown_text, new_markdown_cell("## Made"), made_list)
    document = made(tmp_path, *cells)
    styles = {p.text: p.style for p in document.paragraphs}
    assert styles["Refs. M."].paragraph_format.keep_with_next
    assert not styles["First."].paragraph_format.keep_with_next


@pytest.mark.parametrize("last", ["two " * 20, "MATH"])
def test_the_last_item_of_methods_that_are_a_list_goes_to_that_page_too(last, tmp_path):
    """Of a checked table; the last name of a suite's list of evals would begin the page alone."""
    text = f"First.\n\n- one\n- {last}"
    methods = code(new_output("display_data", data={"text/markdown": text}))
    made_list = code(new_output("display_data", data={"text/markdown": "- a seed\n- a version"}))
    cells = (new_markdown_cell("## Methods"), methods, new_markdown_cell("## Made"), made_list)
    document = made(tmp_path, *cells)
    found = {p.text: p for p in document.paragraphs}
    kept = {text: p.style.paragraph_format.keep_with_next for text, p in found.items()}
    assert bool(kept[last.strip()]) == (last != "MATH")
    assert not kept["one"] and not kept["First."]
    assert all(found[text]._p.pPr.numPr is not None for text in ("one", last.strip(), "a seed"))


@pytest.mark.parametrize("below", ["> A quote.", "- an item", "| a |\n|---|\n| 1 |"])
def test_a_line_that_names_what_stands_below_it_is_on_its_page(below, tmp_path):
    """A page ended with "To show that two models are alike:"."""
    cells = (new_markdown_cell(f"A text.\n\nIt says:\n\n{below}\n\nIn short:\n\nThe end."),)
    styles = {p.text: p.style for p in made(tmp_path, *cells).paragraphs}
    assert styles["It says:"].paragraph_format.keep_with_next
    assert not styles["A text."].paragraph_format.keep_with_next
    assert not styles["In short:"].paragraph_format.keep_with_next


@pytest.mark.parametrize(("rows", "kept"), [(12, 12), (13, 4)])
def test_a_table_that_would_leave_over_a_third_of_a_page_empty_may_break(rows, kept, tmp_path):
    """A row of 9 points is 13.4 high, 12 of them with heading, caption and notes 280 of the 842 of
    A4. Of a longer one stay together the head with the first two rows, and the last two with the
    notes.
    """
    columns = (Column("Model", "l"), Column("a"))
    cells = tuple((f"m{i}", str(i)) for i in range(rows))
    document = made(tmp_path, code(table(Table("b", "B.", columns, cells, notes=("N.",)))))
    [found] = document.tables
    styles = [row.cells[1].paragraphs[0].style.name for row in found.rows[1:]]
    assert styles.count("Table Text") == kept and styles.count("Table Row") == rows - kept


def test_no_line_ends_within_sha_256(tmp_path):
    """LibreOffice ended a line behind its hyphen; text that is read or copied has one."""
    made(tmp_path, new_markdown_cell("a.csv: 7 rows, SHA-256 01c496; SHA-256 02."))
    [paragraph] = docx.Document(str(tmp_path / "report.docx")).paragraphs[1:]
    assert paragraph.text == "a.csv: 7 rows, SHA-256 01c496; SHA-256 02."
    assert len(list(paragraph._p.iter(WORD + "noBreakHyphen"))) == 2


def test_no_line_of_prose_ends_within_an_option(tmp_path):
    """LibreOffice ended a line behind its dashes. A command is copied, and keeps its own."""
    command = code(new_output("stream", name="stdout", text="  --next a\n--last b"))
    document = made(tmp_path, new_markdown_cell("It is `--no-cluster a` where so."), command)
    found = [p for p in document.paragraphs if "--" in p.text]
    assert [p.text for p in found] == ["It is --no-cluster a where so.", "  --next a\n--last b"]
    assert [len(list(p._p.iter(WORD + "noBreakHyphen"))) for p in found] == [3, 0]


def test_a_paragraph_does_not_touch_the_list_above_it(tmp_path):
    """1 point was between them, and 6 are between paragraphs. Now 4 more are."""
    command = code(new_output("stream", name="stdout", text="reportkit build"))
    cells = (new_markdown_cell("Before.\n\n- a\n- b\n\nAfter.\n\nFurther."),)
    cells += (new_markdown_cell("- c"), new_markdown_cell("Made again by:"), command)
    document = made(tmp_path, *cells)
    styles = {p.text: p.style for p in document.paragraphs}
    for text in ("After.", "Made again by:"):
        assert styles[text].paragraph_format.space_before.pt == 4.0
        assert styles[text].base_style.name == "Body Text"
    assert styles["Further."].name == "Body Text"


def test_formulas_of_methods_are_what_libreoffice_reads():
    """It shows a mark of error for a bracket with a power, as in (s - t)^2, and for a power of *;
    it reads \\left(s - t\\right)^2.
    """
    methods = asset("templates", "methods.md.j2").read_text(encoding="utf-8")
    formulas = re.findall(r"\$([^$]+)\$", methods)
    assert len(formulas) > 10
    assert [f for f in formulas if re.search(r"(?<!\\right)\)\^|\^\*", f)] == []


def test_captions_count_themselves_and_rows_are_whole(tmp_path):
    """Fields as Word's own "Insert caption" writes them (ECMA-376 part 1, 17.16.5.56: SEQ)."""
    document = made(tmp_path, captioned("Table 1: a."), drawing(20, 10), drawing(20, 12))
    captions = [p for p in document.paragraphs if p.style.name.endswith("Caption")]
    fields = [f.text for p in captions for f in p._p.iter(f"{WORD}instrText")]
    assert fields == [r" SEQ Table \* ARABIC "] + [r" SEQ Figure \* ARABIC "] * 2
    assert [p.text.split(":")[0] for p in captions] == ["Table 1", "Figure 1", "Figure 2"]
    assert all(r._tr.trPr.find(f"{WORD}cantSplit") is not None for r in document.tables[0].rows)
    assert document.tables[0].rows[0]._tr.trPr.find(f"{WORD}tblHeader") is not None


def test_numbers_of_captions_that_are_not_in_order_stay(tmp_path):
    document = made(tmp_path, captioned("Table 7: of a cell."))
    [caption] = [p for p in document.paragraphs if p.style.name == "Table Caption"]
    assert caption.text == "Table 7: of a cell."
    assert not list(caption._p.iter(f"{WORD}instrText"))


def captioned(caption):
    """A cell with a table of a head and a row."""
    rows = "<thead><tr><th>n</th></tr></thead><tbody><tr><td>1</td></tr></tbody>"
    html = f"<figure><table><caption>{caption}</caption>{rows}</table></figure>"
    return code(shown(html=html, plain="x"))


def drawing(wide, high):
    """A cell with a figure of a caption; wide, high: pixels."""
    data = io.BytesIO()
    Image.new("RGB", (wide, high)).save(data, "PNG", dpi=(300, 300))
    cell = code(shown(png=base64.b64encode(data.getvalue()).decode(), plain="Figure"))
    cell.metadata["reportkit"] = {"caption": f"Of {wide} by {high} pixels."}
    return cell


def test_all_figures_stand_at_the_end_where_one_needs_most_of_a_page(tmp_path):
    """Of A4 with margins of 22 mm a line is 166 mm, a page 253 mm: 1800 pixels at 300 dpi are 152
    mm and 0.602 of it, 1790 are 0.599. In Word the page before such a figure was half empty."""
    cells = (
        drawing(1800, 400),
        drawing(1800, 1800),
        new_markdown_cell("Between."),
        drawing(1900, 600),
    )
    document = made(tmp_path, *cells)
    texts = [(p.style.name, p.text) for p in document.paragraphs]
    assert texts == [
        ("Title", "Example"),
        ("First Paragraph", "At the end of this document: Figure 1, Figure 2."),
        ("Body Text", "Between."),
        ("Body Text", "At the end of this document: Figure 3."),
        ("Heading 1", "Figures"),
        ("Lead In", "Some figures need most of a page. Therefore all figures stand at the end."),
        ("Captioned Figure", ""),
        ("Image Caption", "Figure 1: Of 1800 by 400 pixels."),
        ("Captioned Figure", ""),
        ("Image Caption", "Figure 2: Of 1800 by 1800 pixels."),
        ("Captioned Figure", ""),
        ("Image Caption", "Figure 3: Of 1900 by 600 pixels."),
    ]
    xml = document.element.xml
    links = re.findall(r'<w:hyperlink w:anchor="([^"]+)"', xml)
    assert len(set(links)) == 3 and all(f'w:name="{link}"' in xml for link in links)


def test_one_figure_at_the_end_is_one(tmp_path):
    document = made(tmp_path, drawing(1800, 1800), new_markdown_cell("Between."))
    assert [p.text for p in document.paragraphs if p.text] == [
        "Example",
        "At the end of this document: Figure 1.",
        "Between.",
        "Figure",
        "The figure needs most of a page. Therefore it stands at the end.",
        "Figure 1: Of 1800 by 1800 pixels.",
    ]
    below = [p for p in document.paragraphs if p.style.name != "Title"][2:]
    kept = [(p.style.name, p.style.paragraph_format.keep_with_next) for p in below]
    assert kept == [
        ("Heading 1", True),
        ("Lead In", True),
        ("Captioned Figure", True),
        ("Image Caption", None),
    ]


def test_figures_that_share_a_page_stay_where_they_are(tmp_path):
    document = made(tmp_path, drawing(1800, 1790), new_markdown_cell("Between."))
    styles = [p.style.name for p in document.paragraphs]
    assert styles == ["Title", "Captioned Figure", "Image Caption", "Body Text"]


@pytest.mark.parametrize("columns, inside", [(5, True), (2, False)])
def test_the_notes_of_a_long_table_are_its_last_row_where_it_is_wide(columns, inside, tmp_path):
    """LibreOffice left them to the next page where the table itself fits: a row stays with the two
    above it. Of a narrow table they are as wide as the line, below it."""
    document = made(tmp_path, code(table(wide(columns, rows=13))))
    [long] = document.tables
    below = [p.text for p in document.paragraphs if p.style.name == "Table Note"]
    assert (len(long.rows), below) == ((15, []) if inside else (14, ["Noted."]))
    kept = [row.cells[0].paragraphs[0].paragraph_format.keep_with_next for row in long.rows]
    assert kept[-3:] == ([True, True, None] if inside else [None, True, True])
    if inside:
        [cell] = long.rows[-1]._tr.tc_lst
        assert (cell.grid_span, long.rows[-1].cells[0].text) == (5, "Noted.")
        lines = cell.tcPr.find(f"{WORD}tcBorders")
        found = {line.tag.removeprefix(WORD): line.get(f"{WORD}val") for line in lines}
        assert found == {"top": "single", "bottom": "nil"}


def test_the_notes_of_a_short_table_stand_below_it(tmp_path):
    document = made(tmp_path, code(table(wide(5, rows=12))))
    assert len(document.tables[0].rows) == 13
    assert [p.text for p in document.paragraphs if p.style.name == "Table Note"] == ["Noted."]


def test_a_part_of_a_table_gives_its_names_the_room_that_it_has(tmp_path):
    """Of a plan's public evals "SWE-bench Verified" broke beside a third of a line left empty."""
    public = plan_table(plan(difference=0.03), "planning-public")
    first, second = made(tmp_path, code(table(public))).tables
    name = text_width("SWE-bench Verified", 8.0) * 72  # points, in the widest font
    for part in (first, second):
        assert part.columns[0].width.pt >= name + docx_tables.PADDING
