"""Drop-ins where authors put them: in floats and minipages of their own, beside the packages that
papers load, and from several folders of reports.
"""

from dataclasses import replace

import pytest
from support.engines import ARTICLE, IEEE, TWOCOLUMN, squeezed, typeset
from support.sweeps import slow

from reportkit.figures import Figure
from reportkit.report.shown import show_figure
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_table

pytestmark = [pytest.mark.latex, pytest.mark.slow]
ACM = r"\documentclass[sigconf,nonacm,balance=false]{acmart}"
BEAMER = r"\documentclass{beamer}"
MEANS = Table(
    "means",
    "Mean scores.",
    (Column("Model", "l"), Column("Mean (SE)"), Column("95% CI")),
    tuple((f"model-{k}", f"{k}.5% (0.7%)", "(62.1%, 68.9%)") for k in range(10, 14)),
    notes=("A note below the table.",),
)
# wider than the text of article: a box in a float that is turned
WIDE = Table(
    "wide",
    "Eight columns.",
    (Column("Model", "l"), *(Column(f"Difference {k}") for k in range(7))),
    tuple((f"model-{k}", *["+12.5 (0.7)"] * 7) for k in range(4)),
)
LONG = replace(
    MEANS,
    name="long",
    columns=(Column("Model", "l"), *(Column(f"Eval-{i}") for i in range(5))),
    cells=tuple((f"m-{k}", *["65.5% (0.7%)"] * 5) for k in range(90)),
)
# What papers load beside ours, above it or below it.
PACKAGES = (
    r"\usepackage{booktabs}\usepackage[group-separator={,}]{siunitx}"
    r"\usepackage[font=small]{caption}\usepackage{subcaption}\usepackage{microtype}"
    r"\usepackage[export]{adjustbox}\usepackage[hidelinks]{hyperref}\usepackage{cleveref}"
)
OURS = r"\input{reportkit-preamble}"
AROUND = {
    "float": (r"\begin{table}", r"\end{table}"),
    "wide float": (r"\begin{table*}", r"\end{table*}"),
    "minipage": (r"\noindent\begin{minipage}{\linewidth}", r"\end{minipage}"),
    "captioned": (
        r"\begin{table}\caption{Of both.}\begin{subtable}{\linewidth}",
        r"\end{subtable}\end{table}",
    ),
}


@pytest.mark.parametrize("head", [ARTICLE, TWOCOLUMN, IEEE, ACM])
@pytest.mark.parametrize("around", ["float", "wide float", "minipage"])
def test_a_drop_in_stands_in_a_float_or_a_minipage_of_the_paper(head, around, tmp_path):
    first, last = AROUND[around]
    source = render_table(MEANS, "tex")
    title = r"\title{T}\author{A}\maketitle{}" if head == ACM else ""
    bodies = [title + r"See Table~\ref{tab:means}.", f"{first}\n{source}\n{last}"]
    text = squeezed(typeset(tmp_path, "pdflatex", bodies, head=head))
    assert ("SeeTableI." if head == IEEE else "SeeTable1.") in text
    assert "meanscores." in text.lower() and "Anotebelowthetable." in text


def test_tables_stand_side_by_side_in_a_float_and_count(tmp_path):
    half = [r"\begin{minipage}[t]{.5\linewidth}", r"\end{minipage}%"]
    sources = [render_table(replace(MEANS, name=name), "tex") for name in ("one", "two")]
    body = "\n".join(f"{half[0]}\n{source}\n{half[1]}" for source in sources)
    body = (
        f"\\begin{{table}}\n{body}\n\\end{{table}}\nTables \\ref{{tab:one}} and \\ref{{tab:two}}."
    )
    text = typeset(tmp_path, "pdflatex", [body], head=r"\documentclass[a4paper,landscape]{article}")
    assert "Tables 1 and 2." in text


def test_a_drop_in_of_a_subtable_has_a_letter(tmp_path):
    first, last = AROUND["captioned"]
    bodies = [f"{first}\n{render_table(MEANS, 'tex')}\n{last}", r"See \cref{tab:means}."]
    text = typeset(tmp_path, "pdflatex", bodies, packages=PACKAGES + OURS)
    assert "See table 1a." in text and "(a) Mean scores." in text


@pytest.mark.parametrize("options", [{}, {"wide": "turn"}, {"width": 397}, {"span": "page"}])
def test_a_wide_drop_in_stands_in_a_float_of_its_width(options, tmp_path):
    head = r"\documentclass{article}\usepackage[landscape,margin=1in]{geometry}"
    source = render_table(WIDE, "tex", **options)
    bodies = [f"\\begin{{table}}\n{source}\n\\end{{table}}"]
    text = typeset(tmp_path, "pdflatex", bodies, head=head)
    assert "Eight columns" in " ".join(text.split())


@pytest.mark.parametrize("around", ["float", "minipage"])
def test_a_table_over_pages_says_that_a_float_does_not_hold_it(around, tmp_path):
    first, last = AROUND[around]
    body = f"{first}\n{render_table(LONG, 'tex')}\n{last}"
    with pytest.raises(
        AssertionError, match="tab:long has 90 rows, which go over pages"
    ) as stopped:
        typeset(tmp_path, "pdflatex", [body], runs=1)
    assert "Dimension too large" not in str(stopped.value)


@pytest.mark.parametrize(
    ("engine", "order"),
    [
        ("pdflatex", "above"),
        ("pdflatex", "below"),
        ("xelatex", "below"),
        ("lualatex", "above"),
        slow("xelatex", "above"),
        slow("lualatex", "below"),
    ],
)
def test_the_preamble_stands_above_or_below_what_papers_load(engine, order, tmp_path):
    packages = PACKAGES + OURS if order == "above" else OURS + PACKAGES
    bodies = [
        r"See \cref{tab:means} and \cref{tab:long}.",
        render_table(MEANS, "tex", align="siunitx"),
        render_table(LONG, "tex"),
        render_table(replace(WIDE, name="scaled"), "tex", wide="scale"),
    ]
    text = typeset(tmp_path, engine, bodies, packages=packages, runs=3)
    assert "See table 1 and table 2." in text


@pytest.mark.parametrize("head", [ARTICLE, BEAMER])
def test_the_preamble_of_two_folders_is_one(head, tmp_path):
    sources = [render_table(replace(MEANS, eval=name), "tex") for name in ("One", "Two")]
    frames = [r"\begin{frame}" + f"\n{source}\n" + r"\end{frame}" for source in sources]
    bodies = frames if head == BEAMER else sources
    text = typeset(tmp_path, "pdflatex", bodies, head=head, packages=OURS + OURS)
    assert text.count("Mean scores.") == 2


@pytest.mark.parametrize("name, label", [("MATH", "fig:MATH-means"), ("", "fig:means")])
def test_figures_of_two_evals_have_labels_of_their_own(name, label):
    figure = Figure("means", "Means.", "Means", b"<svg/>", b"", b"")
    assert rf"\label{{{label}}}" in show_figure(figure, 1, eval=name).bundle["text/latex"]
