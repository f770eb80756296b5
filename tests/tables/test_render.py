"""Drop-ins: hostile names print as themselves in every format, and every drop-in is complete by
itself.
"""

import csv
import io
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from urllib.parse import unquote

import pypandoc
import pytest
import typst
from pypdf import PdfReader
from support import pdfs
from support.engines import latex
from support.places import ROOT
from support.sentences import render_prose
from support.sweeps import slow
from support.tables import CJK, HOSTILE, SMALL, hostile_table, parse, texts

from reportkit.builds.index import FrontPage, render_index
from reportkit.documents.macros import Number, list_numbers, macro_key, macro_name, render_numbers
from reportkit.errors import ReportkitError
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import FORMATS, render_drop_in, render_table
from reportkit.text.assets import asset
from reportkit.text.brought import render_preamble
from reportkit.text.escaping import escape
from reportkit.version import __version__

GOLDEN = ROOT / "tests" / "golden"


def without_copies(html: str) -> str:
    """The HTML of a table without the other formats in it, which have golden files of their own."""
    return re.sub(r' data-(tex|md)="[^"]*"', "", html)


@pytest.mark.parametrize("fmt", FORMATS)
def test_golden(fmt):
    path = GOLDEN / f"table.{fmt}"
    text = render_table(SMALL, fmt)
    assert (without_copies(text) if fmt == "html" else text) == path.read_text(encoding="utf-8")


def test_golden_html_with_sections_a_number_and_stacked_rows():
    cells = (
        ("Galleon", "65.5%\n(0.7%)", "a"),
        ("Frigate", "63.0%\n(0.6%)", "b"),
        ("Barge", "—", "c"),
    )
    values = ((None, 0.655, None), (None, 0.63, None), (None, None, None))
    table = replace(
        SMALL, cells=cells, values=values, sections=((0, "Large <x>"), (2, "Small")), number=3
    )
    html = without_copies(render_table(table, "html"))
    assert html == (GOLDEN / "table-sections.html").read_text(encoding="utf-8")
    parse(html)


def test_html_carries_what_copying_gives():
    table = hostile_table()
    html = render_table(table, "html")
    for fmt in ("tex", "md"):
        carried = re.search(rf' data-{fmt}="([^"]*)"', html)
        assert carried and unescape(carried[1]) == render_table(table, fmt)


def test_html_carries_the_csv_unless_it_is_long():
    html = render_table(SMALL, "html")
    link = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)" download="means.csv"', html)
    assert link and unquote(link[1]) == render_table(SMALL, "csv")
    long = replace(SMALL, data=({"model": "x" * 70_000},))
    assert "data:text/csv" not in render_table(long, "html")


def test_a_drop_in_without_styles_ends_with_its_notes():
    """A word processor that opens the file shows the words of links: "CSV" stood below."""
    drop_in = render_drop_in(replace(SMALL, notes=("Last.",)), "html")
    words = re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", "", drop_in, flags=re.DOTALL)
    assert words.split()[-1] == "Last." and ".rk-tools a:empty::before { content: " in drop_in


def test_html_of_thousands_of_rows_leaves_the_copies_to_the_files_beside_it():
    long = replace(SMALL, cells=SMALL.cells * 1000, values=SMALL.values * 1000)
    assert not re.search(" data-(tex|md)=", render_table(long, "html"))


@pytest.mark.parametrize(("rows", "carried"), [(500, True), (501, False)])
def test_html_carries_the_copies_of_5000_cells_and_of_no_more(rows, carried):
    columns = tuple(Column(f"c{k}") for k in range(10))
    html = render_table(Table("t", "T.", columns, (("1",) * 10,) * rows), "html")
    assert [f" data-{fmt}=" in html for fmt in ("tex", "md")] == [carried, carried]


@pytest.mark.parametrize(("more", "carried"), [(0, True), (1, False)])
def test_html_carries_a_csv_of_64000_characters_and_no_longer_one(more, carried):
    """The head and its end of line are 2, 62 rows 1,000 each, and the last 1,998."""
    cells = (*(("x" * 999,) for _ in range(62)), ("x" * (1_997 + more),))
    html = render_table(Table("t", "T.", (Column("c"),), cells), "html")
    assert (' download="t.csv"' in html) is carried


@pytest.mark.parametrize(("columns", "parts"), [(10, [10]), (11, [6, 5])])
def test_typst_has_as_many_columns_beside_each_other_as_a_line_of_a4_holds(columns, parts):
    """At 8 pt ten columns of ten digits take 10 x 50 x 0.85 + 9 x 6 = 479 pt of 0.98 x 510, and
    eleven 527.5.
    """
    heads = tuple(Column("8" * 10) for _ in range(columns))
    typ = render_table(Table("t", "T.", heads, (("9" * 10,) * columns,)), "typ")
    assert [int(n) for n in re.findall(r"columns: (\d+)", typ)] == parts


def test_an_html_drop_in_is_ascii_with_its_own_style_and_script():
    drop_in = render_drop_in(hostile_table((*HOSTILE, CJK)), "html")
    assert drop_in.isascii() and drop_in.startswith("<style>") and drop_in.endswith("</script>\n")
    assert CJK in unescape(drop_in) and "<html" not in drop_in
    assert render_drop_in(SMALL, "tex") == render_table(SMALL, "tex")


def test_style_of_drop_ins_names_only_our_own():
    style = re.sub(
        r"/\*.*?\*/",
        "",
        asset("templates", "table.css").read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    selectors = [s.strip() for rule in re.findall(r"([^{};]+)\{", style) for s in rule.split(",")]
    assert len(selectors) > 30
    assert [s for s in selectors if not s.startswith((".rk-", "@media", "@container"))] == []


SECTIONED = replace(
    SMALL,
    cells=SMALL.cells * 2,
    values=SMALL.values * 2,
    sections=((0, "Maths"), (2, "Co|de & #more")),
    number=3,
)


@pytest.mark.parametrize("fmt", ["md", "typ"])
def test_golden_with_sections_and_a_number(fmt):
    path = GOLDEN / f"sections.{fmt}"
    assert render_table(SECTIONED, fmt) == path.read_text(encoding="utf-8")


def test_sections_in_markdown_are_rows_of_their_own():
    parsed = parse(pypandoc.convert_text(render_table(SECTIONED, "md"), "html", "gfm"))
    rows = [parsed.cells[i : i + 3] for i in range(3, len(parsed.cells), 3)]
    assert [r[0] for r in rows] == [
        "Maths",
        "Galleon",
        "a|b_%",
        "Co|de & #more",
        "Galleon",
        "a|b_%",
    ]
    assert rows[3] == ["Co|de & #more", "", ""]
    assert parsed.notes[0].startswith("Table 3: Mean scores")


def test_sections_in_typst_stand_above_their_rows_and_the_caption_counts(tmp_path):
    (tmp_path / "t.typ").write_text(render_table(SECTIONED, "typ", full=True), encoding="utf-8")
    typst.compile(str(tmp_path / "t.typ"), output=str(tmp_path / "t.pdf"), ignore_system_fonts=True)
    [text] = pdfs.pages(tmp_path / "t.pdf")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert lines[0].startswith("Table\xa01: Mean scores")
    expected = ["Maths", "Galleon", "a|b_%", "Co|de & #more", "Galleon", "a|b_%"]
    assert [
        line for line, start in zip(lines[3:9], expected, strict=True) if not line.startswith(start)
    ] == []


def test_html_reads_back():
    parsed = parse(render_table(hostile_table(), "html"))
    expected = [c for name in HOSTILE for c in (name, "65.5% (0.7%)", "[−1.2, +3.4]")]
    assert texts(parsed.cells) == expected
    assert parsed.notes == [" ".join(HOSTILE)]
    assert "script" not in parsed.seen


def test_html_carries_values_caption_and_scope():
    html = render_table(SMALL, "html")
    assert (
        'data-value="0.655"' in html
        and "<caption><span>" in html
        and 'scope="col"' in html
        and 'scope="row"' in html
    )


def test_markdown_reads_back_through_pandoc():
    table = render_table(hostile_table(), "md")
    html = pypandoc.convert_text(table, "html", format="gfm", extra_args=["--wrap=none"])
    parsed = parse(html)
    # Both tools keep the text; only the head carries the group's name.
    cells = [c for c in parsed.cells if not c.startswith(("Model", "MATH_5000: "))]
    assert cells == [c for name in HOSTILE for c in (name, "65.5% (0.7%)", "[−1.2, +3.4]")]
    assert parsed.notes == ["Mean scores with standard errors, in per cent.", " ".join(HOSTILE)]
    assert not parsed.seen & {"a", "em", "li", "h1", "code", "del", "script", "math"}


def test_typst_reads_back(tmp_path):
    names = tuple(n for n in HOSTILE if len(n) < 40)
    source = render_table(hostile_table(names), "typ", full=True)
    (tmp_path / "t.typ").write_text(source, encoding="utf-8")
    typst.compile(str(tmp_path / "t.typ"), output=str(tmp_path / "t.pdf"), ignore_system_fonts=True)
    text = "".join(p.extract_text() for p in PdfReader(tmp_path / "t.pdf").pages)
    squeezed = re.sub(r"\s+", "", text)
    for name in names:
        assert squeezed.count(re.sub(r"\s+", "", name)) >= 2, name


@pytest.mark.latex
@pytest.mark.parametrize(
    ("rows", "engine"),
    [
        ("few", "pdflatex"),
        ("many", "pdflatex"),
        ("few", "xelatex"),
        ("few", "lualatex"),
        slow("many", "xelatex"),
        slow("many", "lualatex"),
    ],
)
def test_latex_reads_back(engine, rows, tmp_path):
    names = (*HOSTILE, CJK) * (3 if rows == "many" else 1)
    table = replace(hostile_table(names), notes=(*HOSTILE, CJK))
    wide = Table(
        "wide",
        "Wide.",
        (Column("Eval", "l"), *[Column(f"M-{i}") for i in range(14)]),
        (("MATH", *["65.5% (0.7%)"] * 14),),
    )
    source = render_table(table, "tex", full=True)
    source = source.replace(
        r"\end{document}", "\\clearpage\n" + render_table(wide, "tex") + r"\end{document}"
    )
    (tmp_path / "t.tex").write_text(source, encoding="utf-8")
    for run in (1, 2):  # longtable settles its widths in the second run
        latex(engine, tmp_path, "t.tex", settled=run == 2)
    text = "".join(p.extract_text() for p in PdfReader(tmp_path / "t.pdf").pages)
    squeezed = re.sub(r"\s+", "", text)
    for name in ("../x", "[link](x)", "*star*", "[open", "#head", CJK, "65.5%(0.7%)"):
        assert squeezed.count(name) >= 2, (name, text)


def test_csv_is_unrounded_and_undefined_is_empty():
    rows = list(csv.reader(io.StringIO(render_table(SMALL, "csv"))))
    assert rows == [["model", "mean", "se"], ["Galleon", "0.6551", "0.0067"], ["a|b_%", "0.63", ""]]


def test_an_unknown_format_is_refused():
    with pytest.raises(
        ValueError, match="no table format 'docx'; there are md, tex, html, typ, csv"
    ) as refused:
        render_table(SMALL, "docx")
    assert isinstance(refused.value, ReportkitError)


def test_lines_within_a_cell_break_in_every_format():
    stacked = replace(SMALL, cells=(("a", "65.5%\n(0.7%)", ""),), values=(), bold=frozenset())
    assert "65.5%<br>(0.7%)" in render_table(stacked, "html") and "65.5%<br>(0.7%)" in render_table(
        stacked, "md"
    )
    assert r"65.5\%\\(0.7\%)" in render_table(stacked, "tex") and r"65.5% \ (0.7%)" in render_table(
        stacked, "typ"
    )


def test_prose_escapes_values_and_not_the_template():
    text = render_prose("**{{ m }}** beats\n\n{{ n }}", m="a*b", n="# head")
    html = pypandoc.convert_text(text, "html", format="gfm")
    assert html.split() == ["<p><strong>a*b</strong>", "beats</p>", "<p>#", "head</p>"]


@pytest.mark.parametrize("fmt", ["md", "tex", "html", "typ"])
def test_no_control_character_survives(fmt):
    shown = escape("a\x00b\x1b\u202ec\ud800", fmt)
    assert not re.search("[\x00-\x1f\u202e\ud800]", shown)


# --- numbers


@pytest.mark.latex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_numbers_are_looked_up(engine, tmp_path):
    entries = [
        ("GPQA-3.1", "Galleon", "mean", "65.5% (0.7%)"),
        *[("MATH", n, "mean", f"{i}%") for i, n in enumerate(HOSTILE)],
    ]
    text = render_numbers(Number(*entry) for entry in entries)
    (tmp_path / "numbers.tex").write_text(text, encoding="utf-8")
    (tmp_path / "reportkit-preamble.tex").write_text(render_preamble(), encoding="utf-8")
    uses = " ".join(f"<\\rk{{MATH}}{{{macro_key(n)}}}{{mean}}>" for n in HOSTILE)
    body = r"\rk{GPQA-3.1}{Galleon}{mean} \GpqaThreeOneGalleonMean{} "
    body += r"\begin{table}\caption{\rk{GPQA-3.1}{Galleon}{mean}}\end{table}"
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\\input{reportkit-preamble}\\input{numbers}\\begin{document}\\raggedright\n"
        + body
        + uses
        + r"\end{document}",
        encoding="utf-8",
    )
    latex(engine, tmp_path, "t.tex")
    text = re.sub(
        r"\s+", "", "".join(p.extract_text() for p in PdfReader(tmp_path / "t.pdf").pages)
    )
    assert text.count("65.5%(0.7%)") == 3
    assert all(f"{i}%" in text for i in range(len(HOSTILE)))
    bad = (
        (tmp_path / "t.tex")
        .read_text(encoding="utf-8")
        .replace(r"\rk{GPQA-3.1}{Galleon}", r"\rk{GPQA-3.1}{Galeon}")
    )
    (tmp_path / "bad.tex").write_text(bad, encoding="utf-8")
    with pytest.raises(AssertionError, match="Package reportkit Error: No number"):
        latex(engine, tmp_path, "bad.tex")


def test_short_names():
    assert macro_name("MATH", "Galleon", "mean") == "MathGalleonMean"
    assert macro_name("HumanEval", "gpt-4o", "ci_low") == "HumanEvalGptFourOCiLow"
    assert macro_name("中", "a", "mean") == ""


def test_one_key_with_two_numbers_is_refused():
    one, other = Number("E", "a", "mean", "1"), Number("E", "a", "mean", "2")
    assert render_numbers([one, one]).count(r"\rkset{E}{a}{mean}{1}") == 1
    for render in (render_numbers, list_numbers):
        with pytest.raises(ValueError, match="two numbers for"):
            render([one, other])


# --- the index


def test_index_escapes_links_and_holds_no_time():
    report = {
        "name": "<b>x",
        "folder": "a b/#c",
        "n_questions": 5,
        "models": ["m|<i>"],
    }
    failed = {"name": "f<", "message": "why & how", "command": "reportkit build 'a;b'"}
    page = FrontPage(reports=[report, {"name": "plain"}], title="Reports", failures=[failed])
    html = render_index(page)
    assert (
        'href="./a%20b/%23c/report.html"' in html
        and "&lt;b&gt;x" in html
        and "why &amp; how" in html
    )
    assert f"by reportkit {__version__}." in html
    assert (
        "<time></time>" in html
        and "document.lastModified" in html
        and not re.search("https?:", html)
    )
    parse(html)


def test_render_imports_nothing_heavy():
    heavy = {"nbconvert", "typst", "pypandoc", "matplotlib"}
    code = f"import sys, reportkit.tables.writers.render; print({heavy!r} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_parts_of_a_table_in_latex_have_one_number():
    """150 rows and more take more than a page: parts but the first set the counter back."""
    cells = SMALL.cells * 150
    table = replace(SMALL, cells=cells, values=(), fields=(), bold=frozenset(), sections=())
    made = render_table(table, "tex", long="parts")
    parts = made.count(r"\caption{")
    assert parts > 1 and made.count(r"\addtocounter{table}{-1}") == parts - 1


def test_half_a_character_in_a_name_does_not_stop_a_csv():
    """A lone surrogate has no UTF-8: a question mark stands in its place."""
    table = replace(SMALL, data=({"model": "a\ud800b", "mean": 0.5},))
    assert render_table(table, "csv") == "model,mean\na?b,0.5\n"


@pytest.mark.parametrize(
    "wrong, why",
    [
        ({"alig": "plain"}, "render_table takes no 'alig'; did you mean 'align'?"),
        ({"align": "x"}, "no align 'x'; there are plain, siunitx"),
        ({"width": "x"}, "a line of x pt holds no table; give 120 pt or more"),
        ({"width": float("nan")}, "a line of nan pt holds no table"),
        ({"height": 60}, "a page 60 pt high holds no table; give 100 pt or more"),
        ({"height": "x"}, "a page x pt high holds no table"),
    ],
)
def test_options_that_there_are_not(wrong, why):
    with pytest.raises(ReportkitError, match=re.escape(why)):
        render_table(SMALL, "tex", **wrong)


def test_what_is_no_table_is_told_what_makes_one():
    with pytest.raises(ReportkitError, match=r"of the type dict: give what make_table makes"):
        render_table({}, "md")


@pytest.mark.parametrize(("letters", "beside"), [(76, True), (77, False)])
def test_a_short_row_has_room_for_errors_beside_its_scores(letters, beside):
    """The 75 letters of a row of the demonstration took 720 of the 728 px of a tablet's page, in
    Chromium. A head breaks at its hyphens.
    """
    heads = ("Eval", "a-long-name-of-a-model")
    columns = tuple(Column(h, align, key=h) for h, align in zip(heads, "lr", strict=True))
    cells = (("x" * (letters - len("65.5% (0.7%)")), "65.5% (0.7%)"),)
    table = replace(
        SMALL, columns=columns, cells=cells, values=((None, 0.655),), notes=(), data=(), fit=True
    )
    html = render_table(replace(table, bold=frozenset()), "html")
    assert ("rk-beside-scores" in re.search(r"<table[^>]*>", html)[0]) is beside
