"""Hostile and awkward names in LaTeX: printed as they are, executed in no engine, and no layout
broken.
"""

import re
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.engines import ARTICLE, ENGINES, IEEE, TWOCOLUMN, pdf_text, squeezed, typeset
from support.sweeps import but_slow, slow

from reportkit.documents.macros import Number, macro_key, render_numbers
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_drop_in, render_table
from reportkit.text.latex import latex as escaped
from reportkit.text.latex import latex_flowing

pytestmark = pytest.mark.latex

EXECUTES = (
    r"\input{/etc/passwd}",
    r"\input|whoami",
    r"\write18{touch owned}",
    r"\immediate\write18{touch owned}",
    "^^5cinput{x}",
    "^^5e^^5e5cinput",
    r"\catcode`\%=12",
    "\\catcode`\n\\\r\n=13",
    r"\directlua{os.exit(1)}",
    r"\end{document}",
    "a\\",
    "100%",
    "%",
    "\\",
    "}",
    "{",
    "$",
    "#1",
    "~",
    "&",
    r"\\[1em]",
    r"\csname end\endcsname",
    "{{ 7*7 }}",
    "<< 7*7 >>",
    "<% if x %>",
    "<script>alert(1)</script>",
    "\\openout3=owned",
    "`ls`",
    r"\special{psfile=/etc/passwd}",
    "a\x00b\x1b[0m",
)
AWKWARD = (
    "_ % & # $ { } ~ ^ \\ | < > [ ] * \" '",
    "[x",
    "*x",
    "[",
    "*",
    "-- ---",
    "a,,b ''c'' ``d``",
    "?`!`",
    "fi ffl",
    "x" * 200,
    "a-b/" * 50,
    "two\nlines\r\nand\ttabs",
    "q\u0303 e\u0301 \u1ebf \u1e6d",
    "étąÅøß ŁłŐő",
    "± × ÷ ≥ ≤ → ∞ √ °",
    "— – … “q” ‘s’ «g» € ™ ®",
    "α β Ω",
    "I",
    "",
)
# Text, and whether pdflatex has letters for it in the installation of .ci/run.
FAR = {
    "中文模型": True, "日本": True, "Привет": True, "Ёё": True, "مرحبا": False, "שלום": False,
    "😀": False, "𝔸": False, "⊕": False,
}  # fmt: skip
INVISIBLE = (
    "👩\u200d🚀 ☺\ufe0f a\u200bb \u202etxt.exe \u2066x\u2069 \u200f \ue000 \ufeff \ud800 \U000e0041"
)

T1 = r"\usepackage[T1]{fontenc}"
# Characters that print the same in every engine; names of others are tested above.
CHARACTERS = st.one_of(
    st.characters(min_codepoint=32, max_codepoint=126),
    st.sampled_from("_%&#$\\{}~^|<>[]*\"'`-,"),
    st.sampled_from("ÀÉÎÕÜßàéîõüçñøåæþÿĂăĄąĆćČčĘęĚěĞğŁłŃńŇňŐőŒœŔŕŘřŚśŠšŮůŰűŹźŽžŻż"),
    st.sampled_from("−±×→αΩ—–€\n\t"),
)
EXACT = st.text(CHARACTERS, min_size=1, max_size=40)
ANYTHING = st.text(min_size=1, max_size=30)


def table_of(names, name="hostile"):
    columns = (
        Column("Model", "l"),
        Column("Mean", "r", names[0]),
        Column(names[-1], "c", names[0]),
    )
    return Table(
        name,
        f"Of {names[0]}",
        columns,
        tuple((n, "65.5% (0.7%)", "[−1.2, +3.4]") for n in names),
        notes=names,
    )


def generated(strategy, n):
    found = []

    @settings(max_examples=n, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(name):
        found.append(name)

    collect()
    return list(dict.fromkeys(found))


def expected(name):
    """What the PDF should say: controls visible, NFC, spaces aside."""
    return squeezed(unicodedata.normalize("NFKC", name)).replace("\u200b", "")


def in_lines(names):
    return "\\raggedright\n" + "\n\n".join(f"({i}: {escaped(n)} :{i})" for i, n in enumerate(names))


def read_back(text, names):
    text = squeezed(unicodedata.normalize("NFKC", text))  # Greek letters are those of mathematics
    for i, name in enumerate(names):
        between = re.search(rf"\({i}:(.*?):{i}\)", text, re.DOTALL)
        # pdftotext has no hyphen, quote or minus of its own: fonts of TeX draw ' as ’ and ` as ‘.
        same = str.maketrans("’‘−", "'`-")
        assert between and between[1].translate(same) == expected(name).translate(same), name


@pytest.mark.parametrize("engine", but_slow(ENGINES, "xelatex"))
def test_names_print_as_they_are_and_execute_in_no_engine(engine, tmp_path):
    shown = [n for n in (*EXECUTES, *AWKWARD) if len(n) < 60 and n.isascii() and n.isprintable()]
    far = [n for n, in_pdflatex in FAR.items() if in_pdflatex or engine != "pdflatex"]
    bodies = [
        in_lines(shown),
        *(f"(F{i}: {escaped(n)})" for i, n in enumerate(far)),
        escaped(INVISIBLE),
    ]
    for names in (EXECUTES, AWKWARD, (*FAR, INVISIBLE)):
        bodies += [
            render_table(table_of(names), "tex"),
            render_table(table_of(names), "tex", align="siunitx", wide="split"),
        ]
    text = typeset(tmp_path, engine, bodies)
    read_back(text, shown)
    for name in far:  # right-to-left letters come back in the order of reading or of the page
        assert name in squeezed(text) or name[::-1] in squeezed(text), name
    assert "U+202E" in text and "U+E000" in text and "U+200F" in text
    assert "root:" not in text and not (tmp_path / "owned").exists()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_generated_names_read_back(engine, tmp_path):
    names = generated(EXACT, 300)
    assert len(names) > 150
    read_back(typeset(tmp_path, engine, [in_lines(names)], runs=1), names)


@pytest.mark.parametrize(
    "engine",
    but_slow(ENGINES, "xelatex", "lualatex"),
)
def test_anything_at_all_compiles_in_tables(engine, tmp_path):
    names = generated(ANYTHING, 250)
    chunks = [tuple(names[i : i + 25]) for i in range(0, len(names), 25)]
    bodies = [render_table(table_of(chunk, f"t{i}"), "tex") for i, chunk in enumerate(chunks)]
    typeset(tmp_path, engine, bodies)
    typeset(tmp_path, engine, bodies[:3], head=TWOCOLUMN)


def test_long_words_break_in_captions_and_notes(tmp_path):
    assert r"\allowbreak{}" in latex_flowing("x" * 30) and r"\allowbreak" not in latex_flowing(
        "plain words"
    )
    typeset(
        tmp_path,
        "pdflatex",
        [table and render_table(table, "tex") for table in [table_of(("x" * 200, "a/b_" * 50))]],
    )


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_no_hyphen_stands_within_the_name_of_a_column(engine, tmp_path):
    """Where hyphens are as good as spaces, some of 40 widths of a line ended it with (clus-."""
    text = latex_flowing("Metric: score; 500 questions in 12 clusters (cluster_id).")
    lines = [
        rf"\parbox{{{130 + 2 * k}pt}}{{\sloppy \hyphenpenalty-99 {text}}}\par" for k in range(40)
    ]
    typeset(tmp_path, engine, ["\n".join(lines)])
    assert pdf_text(tmp_path / "t.pdf", "-layout").count("(cluster_id).") == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "packages"),  # "": the preamble
    [("pdflatex", T1), ("xelatex", ""), slow("pdflatex", ""), slow("xelatex", T1)],
)
def test_no_line_begins_with_what_closes_behind_a_name(engine, packages, tmp_path):
    """A line could break behind each code and each letter of Chinese, before a quote too."""
    said = "They are “🚀 rocket-🧪”, “模型聊天”, (模型聊天), 聊天. 聊天。 [𝔸𝔸] and “ab-😀😀”."
    drop_in = render_drop_in(Table("t", said, (Column("Model"),), (("a",),)), "tex")
    own = "".join(re.findall(r"\\providecommand\{\\rk(?:char|text)\}.*\n", drop_in))
    lines = [
        rf"\parbox{{{60 + 3 * k}pt}}{{\raggedright {text}}}\par"
        for k in range(40)
        for text in (latex_flowing(said), escaped(said))
    ]
    typeset(tmp_path, engine, [own + "\n".join(lines)], packages=packages)
    text = pdf_text(tmp_path / "t.pdf", "-layout")
    assert len(text.splitlines()) > 200
    assert not re.findall(r"(?m)^\s*[”’)\]},.;:。].*", text)


# Traditional letters, which pdflatex has no font for: it prints each as six letters, U+9577.
UNKNOWN = ("モデル" + "長" * 15, "長" * 20, "gpt-長-4o", "x" * 120)


LOADED = (
    r"\usepackage[T1]{fontenc}\usepackage{graphicx,booktabs}"
    r"\usepackage{threeparttable,threeparttablex,longtable,pdflscape}"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "packages"), [(ARTICLE, ""), slow(IEEE, ""), slow(ARTICLE, LOADED), (IEEE, LOADED)]
)
def test_names_of_letters_without_a_font_stay_in_their_column(head, packages, tmp_path):
    rows = tuple((n, UNKNOWN[0], "65.5% (0.7%)") for n in UNKNOWN)
    columns = (Column("Model", "l"), Column(UNKNOWN[2], "l", UNKNOWN[1]), Column("Mean", "r"))
    table = Table("unknown", "Of letters", columns, rows, sections=((0, UNKNOWN[0]),))
    long = Table("long", "Of letters", columns, rows * 10)
    bodies = [render_drop_in(t, "tex") for t in (table, long)]
    text = squeezed(typeset(tmp_path, "pdflatex", bodies, head=head, packages=packages, runs=3))
    assert text.count("U+9577") > 15 * len(rows * 10)  # each in full


@pytest.mark.parametrize("engine", but_slow(ENGINES, "lualatex"))
def test_letters_that_fit_stand_in_one_line_where_their_codes_take_two(engine, tmp_path):
    """The name was broken as its codes are, which pdflatex prints, in xelatex and lualatex too. It
    stands in a row, in one that counts it and in a head.
    """
    first, second = "\u0646\u0645\u0648\u0630\u062c", "\u0639\u0631\u0628\u064a"
    name = f"{first} {second}"
    columns = (Column("Model", "l"), Column("Mean"))
    rows = Table("rows", "Of letters", columns, ((name, "65.5%"), (f"3. {name}", "65.5%")))
    head = Table("head", "Of letters", (Column("Model", "l"), Column(name)), (("a", "65.5%"),))
    text = typeset(tmp_path, engine, [render_table(t, "tex", width=345) for t in (rows, head)])
    lines = [squeezed(line) for line in text.splitlines()]
    if engine == "pdflatex":
        assert sum("U+0639" in line and "U+0646" not in line for line in lines) == 3
        assert "3." not in lines  # alone above the name
    else:
        assert sum(first + second in line for line in lines) == 3, lines


@pytest.mark.slow
@pytest.mark.parametrize("engine", but_slow(ENGINES, "lualatex"))
def test_a_heading_of_letters_that_fit_stands_in_one_line(engine, tmp_path):
    """It was broken as its codes are, above its rows and again on the second page."""
    first, second = "\u0646\u0645\u0648\u0630\u062c", "\u0639\u0631\u0628\u064a"
    columns = (Column("Model", "l"), Column("Difference (SE)"), Column("95% CI"))
    rows = (("a", "65.5% (0.7%)", "(64.2%, 66.8%)"),) * 60
    heading = f"Baseline 3: {first} {second}"
    table = Table("rows", "Of letters", columns, rows, sections=((0, heading),))
    text = typeset(tmp_path, engine, [render_table(table, "tex", width=345)], runs=3)
    lines = [squeezed(line) for line in text.splitlines()]
    whole = 0 if engine == "pdflatex" else 2
    assert sum(first + second in line for line in lines) == whole, lines
    if engine == "pdflatex":
        assert sum("U+0639" in line and "U+0646" not in line for line in lines) == 2


@pytest.mark.slow
@pytest.mark.parametrize("engine", but_slow(ENGINES, "xelatex"))
def test_a_heading_goes_on_in_lines_of_the_narrowest_part(engine, tmp_path):
    """Lines of a heading were those of its own part as pdflatex sets it, with the codes of a name.
    Where lualatex has the letters, a line stood 20 points beyond the rules of the next page.
    """
    name = "\u0646\u0645\u0648\u0630\u062c \u0639\u0631\u0628\u064a"
    heads = ("Difference (SE)", "95% CI", "Adjusted p", "Correlation", "Detectable", "Questions")
    row = ("-2.7 (2.6)", "(-24.2, -11.8)", "0.310", "0.43", "7.7", "300")
    columns = (Column("Model", "l"), *(Column(head) for head in heads))
    rows = ((name, *row), *[("a", *row)] * 59)
    table = Table("wide", "Wide.", columns, rows, sections=((0, "x" * 200),))
    source = render_table(table, "tex", width=260)
    lines = [re.findall("x{9,}", line) for line in source.splitlines() if "x" * 9 in line]
    assert len(lines) > 4 and {len(line[0]) for line in lines} == {len(lines[0][0])}
    typeset(tmp_path, engine, [source], runs=3)


# --- numbers.tex


@pytest.mark.parametrize("engine", ENGINES)
def test_trap_19_numbers_of_any_name(engine, tmp_path):
    names = list(dict.fromkeys([*EXECUTES, *AWKWARD, *FAR, INVISIBLE, *generated(ANYTHING, 60)]))
    entries = [
        ("GPQA-3.1", "Gpqa_3", "mean", "65.5%"),
        *(("E", n, "mean", f"({i}!)") for i, n in enumerate(names)),
    ]
    entries += [(n, "m", "mean", f"({i}?)") for i, n in enumerate(names)]
    text = render_numbers(Number(*entry) for entry in entries)
    (tmp_path / "numbers.tex").write_text(text, encoding="utf-8")
    uses = [
        rf"\rk{{E}}{{{macro_key(n)}}}{{mean}} \rk{{{macro_key(n)}}}{{m}}{{mean}}" for n in names
    ]
    body = r"\section{\rk{GPQA-3.1}{Gpqa_3}{mean}} \GpqaThreeOneGpqaThreeMean{} and " + " ".join(
        uses
    )
    text = typeset(
        tmp_path,
        engine,
        ["\\raggedright " + body],
        packages=r"\input{reportkit-preamble}\input{numbers}",
    )
    text = squeezed(text)
    assert text.count("65.5%") == 2 and all(f"({i}!)({i}?)" in text for i in range(len(names)))


def test_trap_19_short_macros_are_letters_only():
    source = render_numbers(
        [
            Number("GPQA-3.1", "gpt_4o", "mean", "1"),
            Number("GPQA-3.1", "中", "mean", "2"),
            Number("%", "\\", "mean", "3"),
        ]
    )
    names = re.findall(r"(?m)^\\rkname\{(.*?)\}", source)
    assert names == ["GpqaThreeOneGptFourOMean"]
