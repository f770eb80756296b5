"""Tables of evals by models in LaTeX: what a page of a paper shows of them, measured in the PDF."""

import re

import pytest
from support.engines import ARTICLE, ENGINES, IEEE, NEURIPS, TWOCOLUMN, pdf_text, squeezed, typeset
from support.pdfs import EIGHT, type_sizes
from support.suites_made import LONG, suite_results
from support.sweeps import but_slow

from reportkit.tables import make_table
from reportkit.tables.writers.render import render_table

pytestmark = [pytest.mark.latex, pytest.mark.slow]


@pytest.fixture(scope="module")
def twelve():
    return suite_results(12, 6)


@pytest.fixture(scope="module")
def many():
    return suite_results(30, 20, 12)


def printed(text):
    return re.sub(r"[-\s]", "", squeezed(text))


@pytest.mark.parametrize("engine", ENGINES)
def test_twelve_evals_by_six_models_in_a_paper_of_two_columns(engine, twelve, tmp_path):
    """In 8 pt or more, nothing beyond a margin (typeset refuses an overfull box), every mean."""
    table = make_table(twelve, "suite")
    text = printed(typeset(tmp_path, engine, [render_table(table, "tex")], head=TWOCOLUMN))
    assert min(type_sizes(tmp_path / "t.pdf")) >= EIGHT
    cells = [cell for row in table.cells for cell in row if "%" in cell]
    assert len(cells) == 71 and all(text.count(printed(c)) >= cells.count(c) for c in cells)
    # heads of several lines stand beside each other: they are read as they were written
    heads = printed(pdf_text(tmp_path / "t.pdf", "-raw"))
    assert [name for name in LONG if printed(name) not in heads] == []


@pytest.mark.parametrize("head", [ARTICLE, TWOCOLUMN, IEEE, NEURIPS])
def test_other_classes_and_other_lines(head, twelve, tmp_path):
    bodies = [
        render_table(make_table(twelve, "suite", rows=rows), "tex", **options)
        for rows in ("evals", "models")
        for options in ({}, {"wide": "turn"}, {"span": "page", "width": 345})
    ]
    bodies = [b.replace(r"\label{tab:", rf"\label{{tab:{k}-") for k, b in enumerate(bodies)]
    typeset(tmp_path, "pdflatex", bodies, head=head)
    # IEEEtran sets captions in small capitals.
    assert min(type_sizes(tmp_path / "t.pdf", r"\d\.\d" if head == IEEE else r"\S")) >= EIGHT


def test_one_column_of_two(twelve, tmp_path):
    """A column of article has 229 points."""
    body = render_table(make_table(twelve, "suite"), "tex", span="column", width=229)
    assert r"\begin{table}" in body and "table*" not in body
    typeset(tmp_path, "pdflatex", [body], head=TWOCOLUMN)
    assert min(type_sizes(tmp_path / "t.pdf")) >= EIGHT


@pytest.mark.parametrize(
    "theme", but_slow(["error-bars", "plain", "ci", "stacked"], "plain", "ci", "stacked")
)
def test_thirty_evals_by_twenty_models(theme, many, tmp_path):
    bodies = [
        render_table(make_table(many, "suite", theme, rows=rows), "tex")
        for rows in ("evals", "models")
    ]
    bodies = [b.replace(r"\label{tab:", rf"\label{{tab:{k}-") for k, b in enumerate(bodies)]
    typeset(tmp_path, "pdflatex", bodies, head=TWOCOLUMN)
    assert min(type_sizes(tmp_path / "t.pdf")) >= EIGHT


def test_the_packages_that_a_drop_in_names_are_enough(many, tmp_path):
    source = render_table(make_table(many, "suite", "plain"), "tex", wide="turn")
    named = re.search(r"the packages (.*) and, for pdflatex, \[T1\]\{fontenc\}\.", source)
    packages = rf"\usepackage[T1]{{fontenc}}\usepackage{{lmodern,{named[1]}}}"
    typeset(tmp_path, "pdflatex", [source], packages=packages)
