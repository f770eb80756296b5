"""Generated names: whatever a model is called, every format prints it as it is, none runs it."""

import csv
import io
import json
import re
import subprocess
import unicodedata
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pypandoc
import pytest
import typst
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support import pdfs
from support.programs import program
from support.sentences import render_prose
from support.tables import HOSTILE, SMALL, hostile_table, parse, texts

from reportkit.documents.pandoc import pandoc
from reportkit.documents.pdf import pdf
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_table
from reportkit.text.escaping import escape
from reportkit.text.fonts import uncovered
from reportkit.text.visible import visible

AWKWARD = (
    "[−1.2, +3.4]",
    "*",
    "🚀 rocket",
    "👨‍👩‍👧",
    "中文模型",
    "日本語",
    "한국어",
    "نموذج-1 (2)",
    "שלום 3",
    "é̂ o̩",
    "x" * 200,
    "two\nlines",
    "<script>alert(1)</script>",
    r"\input{/etc/passwd}",
    "{{ 7*7 }}",
    "{% raw %}",
    '=HYPERLINK("x")',
    '#read("/etc/passwd")',
    '#eval("1+1")',
    "#sys.inputs",
    "@user",
    "#12",
    "&copy;",
    "- [ ] todo",
    "[^1]",
    "Setext\n===",
    "http://a.example/b?c=d&e=f",
    "www.example.com",
    "a--b---c...",
    "1) one",
    "1. one",
    "~sub~ ~~x~~",
    "$$x$$",
    "`` ` ``",
    "\\",
    "\\|",
    "||",
    ":smile: :+1:",
    "<!-- x -->",
    "'q' \"q\"",
    "a\u00a0b",
    "org/model:latest-" + "part-" * 20,
    "+1",
    "-",
    "/ term: x",
    "/* x */",
    "// x",
    "a_b_",
    "__x__",
    "U+1F680",
    "]",
    ")](",
    "#[x]",
    "<b>",
    "~",
    "\t",
    "@",
    "\\u{41}",
)
PIECES = st.sampled_from([*HOSTILE, *AWKWARD, *"_%&#${}~^\\|<>[]*\"'`-+=/:;,.!?()@0123456789 \n\t"])
CHARACTERS = st.characters(exclude_categories=["Cs"])
NAMES = (
    st.lists(st.one_of(PIECES, st.text(CHARACTERS, max_size=6)), min_size=1, max_size=4)
    .map("".join)
    .filter(lambda n: shown(n))
)
# one run of pandoc or Typst for many names
BATCHES = st.lists(NAMES, min_size=40, max_size=40, unique=True)
# what fails is a line of `differing`; a batch need not shrink
GENERATED = [Phase.explicit, Phase.generate]


def shown(name: str) -> str:
    """What a reader is to see of a name: line breaks and runs of spaces are one space, controls are
    named.
    """
    return re.sub(r"[\t\n\r ]+", " ", visible(name)).strip(" ")


def differing(got: list[str], expected: list[str]) -> list[tuple[str, str]]:
    """Canonically equal counts as equal: pandoc composes letters and accents."""
    nfc = partial(unicodedata.normalize, "NFC")
    return [(g, e) for g, e in zip(got, expected, strict=True) if nfc(g) != nfc(e)]


def cells_of(names: list[str]) -> list[str]:
    return [cell for name in names for cell in (shown(name), "65.5% (0.7%)", "[−1.2, +3.4]")]


def tables_of(names: list[str]):
    """As rows and notes; a line break within a cell is the table's own, so names have no others."""
    return replace(hostile_table(tuple(map(shown, names))), notes=(), title="Names.")


@given(BATCHES)
@settings(max_examples=25, phases=GENERATED)
def test_markdown_tables_read_back_through_pandoc(names):
    html = pypandoc.convert_text(
        render_table(tables_of(names), "md"), "html", "gfm", extra_args=["--wrap=none"]
    )
    parsed = parse(html)
    cells = parsed.cells[3:]
    assert not differing([re.sub(r"[\n ]+", " ", c).strip(" ") for c in cells], cells_of(names))
    assert not parsed.seen & {
        "a",
        "em",
        "li",
        "h1",
        "code",
        "del",
        "script",
        "math",
        "sup",
        "img",
        "input",
        "hr",
    }


@given(BATCHES)
@settings(max_examples=10, phases=GENERATED)
def test_prose_prints_names_in_every_format(names):
    """The findings are Markdown that pandoc turns into the other formats."""
    text = render_prose("{% for n in names %}\nA {{ n }} Z\n\n{% endfor %}", names=names)
    plain = pypandoc.convert_text(
        text, "plain", "gfm+tex_math_dollars-emoji", extra_args=["--wrap=none"]
    )
    got = [re.sub(r"[\n ]+", " ", p).strip() for p in re.split(r"\n\n(?=A )", plain.strip())]
    assert not differing(got, [re.sub(" +", " ", f"A {shown(n)} Z") for n in names])


# What Typst has parsed, as text: any element that is not plain text shows up by its name.
STRING = """
#let string(c) = {
  if c.func() == [ ].func() { " " }
  else if c.has("children") { c.children.map(string).join("") }
  else if c.func() == box or c == [] { "" }
  else if c.func() == text or repr(c.func()) == "symbol" { c.text }
  else { repr(c) }
}
"""


def typst_reads(sources: list[str]) -> list[str]:
    """Each piece of Typst source as the text that the compiler has understood."""
    code = STRING + "\n".join(f"#metadata(string([{s}])) <read>" for s in sources)
    return json.loads(typst.query(code.encode(), "<read>", field="value", ignore_system_fonts=True))


@given(BATCHES)
@settings(max_examples=40, phases=GENERATED)
def test_typst_reads_names_as_text(names):
    assert not differing(typst_reads([escape(n, "typ") for n in names]), [shown(n) for n in names])


@given(BATCHES)
@settings(max_examples=5, phases=GENERATED)
def test_typst_prose_reads_names_as_text(names):
    texts = [render_prose("A {{ n }} Z", n=n) for n in names]
    read = typst_reads(pandoc(texts, "gfm+tex_math_dollars-emoji", "typ"))
    read = [re.sub(" +", " ", r) for r in read]
    assert not differing(read, [re.sub(" +", " ", f"A {shown(n)} Z") for n in names])


@given(BATCHES)
@settings(max_examples=25, phases=GENERATED)
def test_html_tables_read_back(names):
    cells = texts(parse(render_table(tables_of(names), "html")).cells)
    assert not differing([shown(c) for c in cells], cells_of(names))


@given(BATCHES)
@settings(max_examples=50, phases=GENERATED)
def test_csv_reads_back_and_starts_no_formula(names):
    records = tuple({"model": n, "mean": -0.25, "n": 3} for n in names)
    text = render_table(replace(SMALL, data=records), "csv")
    expected = [re.sub("\r\n?", "\n", n).replace("\0", "\u2400") for n in names]
    for got in (
        [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:],
        list(pd.read_csv(io.StringIO(text), dtype={"model": str}, keep_default_na=False)["model"]),
    ):
        assert not differing(
            [g if g == e else g.removeprefix("'") for g, e in zip(got, expected, strict=True)],
            expected,
        )
        assert not [g for g in got if g[:1] in tuple("=@\t\r\n＝＠") or re.match(r"[+-]\D", g)]
    # numbers are untouched
    assert list(pd.read_csv(io.StringIO(text))["mean"]) == [-0.25] * len(names)


def test_formulas_in_csv_get_an_apostrophe():
    cells = ["=HYPERLINK(1)", "+x", "-x", "@x", "\tx", " =x", "＝x", "-2.5", "+3%", "−2", "x=1"]
    text = render_table(replace(SMALL, data=tuple({"model": c} for c in cells)), "csv")
    got = [row[0] for row in csv.reader(io.StringIO(text))][1:]
    quoted = ["'=HYPERLINK(1)", "'+x", "'-x", "'@x", "'\tx", "' =x", "'＝x"]
    assert got == [*quoted, "-2.5", "+3%", "−2", "x=1"]


def pages(source: bytes, folder: Path) -> str:
    path = folder / "read.pdf"
    path.write_bytes(source)
    return "\n".join(pdfs.pages(path))


def as_pdf(table, folder: Path) -> bytes:
    head = (
        '#set document(title: "Names", date: none)\n#set text(font: rk-fonts, lang: '
        '"en")\n#set page(paper: "a4")\n'
    )
    return pdf(head + render_table(table, "typ"), folder)


def test_awkward_names_are_read_from_the_page(tmp_path):
    names = [n for n in (*HOSTILE, *AWKWARD) if n.strip() and not uncovered(n)]
    text = re.sub(
        r"[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]",
        "",
        pages(as_pdf(tables_of(names), tmp_path), tmp_path),
    )
    # glyphs in another order, or on several lines
    hard = ("é̂", "نموذج", "שלום", "two", "part-", "x" * 200)
    missing = [
        n for n in names if not any(h in n for h in hard) and re.sub(r"\s", "", n) not in text
    ]
    assert not missing
    for piece in ("نموذج", "שלום", "中文模型", "xxxxxxxxxxxxxxxx"):
        assert piece in text
    assert "root:x:0" not in text and "49" not in text


@pytest.mark.parametrize("columns", [3, 14, 40])
def test_no_table_leaves_the_page(columns, tmp_path):
    heads = (Column("Model", "l"), *[Column(f"MATH-{i}", "r") for i in range(1, columns)])
    rows = tuple(
        (name, *["−65.5% (0.7%)"] * (columns - 1))
        for name in ("x" * 200, "a model with a name of words " * 7, "Z")
    )
    source = as_pdf(Table("wide", "Wide.", heads, rows, notes=("A note.",)), tmp_path)
    (tmp_path / "t.pdf").write_bytes(source)
    run = subprocess.run(
        [program("pdftotext"), "-bbox", tmp_path / "t.pdf", "-"],
        capture_output=True,
        text=True,
        check=True,
    )
    width = float(re.search(r'page width="([\d.]+)"', run.stdout)[1])
    words = [
        (float(a), float(b))
        for a, b in re.findall(r'xMin="([-\d.]+)" .*xMax="([\d.]+)"', run.stdout)
    ]
    assert len(words) > 3 * columns and "−65.5%" in run.stdout
    margin = 0.11 * width  # of Typst's own page: 2.5 cm of 21
    assert min(a for a, _ in words) >= margin and max(b for _, b in words) <= width - margin
