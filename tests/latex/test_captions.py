"""Captions of tables: over pages as in floats; a further page says which table goes on."""

import re
from dataclasses import replace

import pytest
from support.engines import ARTICLE, ENGINES, IEEE, TWOCOLUMN, pdf_text, squeezed, typeset
from support.sweeps import but_slow

from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_table

pytestmark = [pytest.mark.latex, pytest.mark.slow]
SHORT = Table(
    "short",
    "Firstcaption.",
    (Column("Model", "l"), Column("Mean (SE)"), Column("95% CI")),
    tuple((f"model-{k}", f"{k}.5% (0.7%)", "(62.1%, 68.9%)") for k in range(3)),
)
LONG = replace(
    SHORT,
    name="long",
    title="Secondcaption.",
    columns=(Column("Model", "l"), *(Column(f"Eval-{i}") for i in range(5))),
    cells=tuple((f"m-{k}", *["65.5% (0.7%)"] * 5) for k in range(130)),
)


def both(folder, head, *, packages=""):
    """A float and a table over pages in one document; its text."""
    sources = [render_table(SHORT, "tex"), render_table(LONG, "tex")]
    assert r"\begin{longtable}" in sources[1]
    return typeset(folder, "pdflatex", sources, head=head, packages=packages, runs=3)


def words(folder):
    """Each word of a PDF, and the height of its type in points; the first of the same words."""
    source = pdf_text(folder / "t.pdf", "-bbox")
    found = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<', source)
    return {word: (float(top), float(foot)) for top, foot, word in reversed(found)}


@pytest.mark.parametrize("head", [ARTICLE, TWOCOLUMN])
def test_the_caption_of_a_table_over_pages_is_in_the_type_of_the_others(head, tmp_path):
    """It stood in the table's own type, of 9 pt or 8 pt, beside captions of 10 pt."""
    both(tmp_path, head)
    found = words(tmp_path)
    heights = [found[name][1] - found[name][0] for name in ("Firstcaption.", "Secondcaption.")]
    assert heights[1] == pytest.approx(heights[0], abs=0.05)


def test_ieeetran_sets_the_captions_of_all_tables_alike(tmp_path):
    """The number on a line of its own and the title below it, not "TABLE II: Secondcaption."."""
    lines = both(tmp_path, IEEE).splitlines()
    assert "TABLE I" in lines and "TABLE II" in lines


def test_the_package_caption_sets_the_captions_of_all_tables(tmp_path):
    packages = r"\input{reportkit-preamble}\usepackage[labelsep=endash]{caption}"
    text = both(tmp_path, ARTICLE, packages=packages)
    assert "Table 1 – Firstcaption." in text and "Table 2 – Secondcaption." in text


@pytest.mark.parametrize("engine", but_slow(ENGINES, "lualatex"))
def test_a_further_page_says_which_table_goes_on(engine, tmp_path):
    """The foot of a page said "continued", and nothing on the next one the table's number."""
    typeset(tmp_path, engine, [render_table(LONG, "tex")], runs=3)
    pages = [squeezed(page) for page in pdf_text(tmp_path / "t.pdf").split("\f") if page]
    assert [page.count("Table1,continued") for page in pages] == [0, 1, 1]


def test_a_further_page_of_a_part_says_which_part_goes_on(tmp_path):
    table = replace(LONG, columns=(Column("Model", "l"), *(Column(f"E-{i}") for i in range(10))))
    table = replace(table, cells=tuple((f"m-{k}", *["65.5% (0.7%)"] * 10) for k in range(60)))
    text = typeset(tmp_path, "pdflatex", [render_table(table, "tex", wide="split")], runs=3)
    heads = re.findall(
        r"Table 1(?:: Secondcaption)? \(part \d of \d\)(?:, continued)?", " ".join(text.split())
    )
    assert heads == [
        "Table 1: Secondcaption (part 1 of 2)",
        "Table 1 (part 1 of 2), continued",
        "Table 1: Secondcaption (part 2 of 2)",
        "Table 1 (part 2 of 2), continued",
    ]


def test_the_number_of_a_table_that_goes_on_is_that_of_the_class(tmp_path):
    assert "TABLE II, continued" in both(tmp_path, IEEE)


@pytest.mark.parametrize("head", [ARTICLE, IEEE])
def test_a_reason_stands_as_far_below_its_caption_in_one_line_as_in_three(head, tmp_path):
    """One line stood 3 pt lower: the box was centred on its line."""
    tops = []
    for n, reason in enumerate(("Reason.", "Reason." + " word" * 60)):
        folder = tmp_path / str(n)
        folder.mkdir()
        table = Table("none", "Caption gamma.", (), (), notes=(reason,))
        typeset(folder, "pdflatex", [render_table(table, "tex")], head=head)
        found = words(folder)
        caption = max(
            top for word, (top, _) in found.items() if "GAMMA" in word.upper() or "AMMA" in word
        )
        tops.append(found["Reason."][0] - caption)
    assert tops[0] == pytest.approx(tops[1], abs=0.1)


ACM = r"\documentclass[sigconf,nonacm,balance=false]{acmart}"


@pytest.mark.parametrize("head", [ARTICLE, IEEE, ACM])
def test_no_word_of_a_caption_is_parted(head, tmp_path):
    """acmart set "ques-tions". Of 12 captions each begins a letter further to the right."""
    tables = [
        replace(SHORT, name=f"t{k}", title="n" * (k + 1) + " questions common" * 6 + ".")
        for k in range(12)
    ]
    title = r"\title{T}\author{A}\maketitle" if head == ACM else ""
    sources = [title, *(render_table(table, "tex") for table in tables)]
    text = typeset(tmp_path, "pdflatex", sources, head=head)
    assert not re.findall(r"(?i)[a-z]-$", text, re.MULTILINE)
    assert len(re.findall("(?i)questions", text)) == 12 * 6


def test_t_of_student_stays_small_where_a_class_sets_captions_in_small_capitals(tmp_path):
    table = replace(SHORT, title="95% intervals: Student's t; metric: match.")
    text = typeset(tmp_path, "pdflatex", [render_table(table, "tex")], head=IEEE)
    assert "TUDENT’St;metric:" in squeezed(text).replace("METRIC", "metric")
