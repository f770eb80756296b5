"""What a table leaves out: columns that say one thing, columns of its full form, rows that are
alike; and what it says of them.
"""

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest
import typst
from support.engines import typeset
from support.scores_made import result_of

from reportkit.tables import make_table
from reportkit.tables.notes import FILES, Note, without_files
from reportkit.tables.shortened import least, says_nothing, together
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.render import render_drop_in, render_table

RIGHT = np.array([[1] * 30 + [0] * 30, [1] * 45 + [0] * 15, [1, 0] * 30])


@pytest.fixture(scope="module")
def result():
    return result_of(RIGHT)


def heads(table) -> list[str]:
    return [c.head for c in table.columns]


def test_columns_of_one_text_go_into_the_caption_and_come_back_on_request(result):
    table = make_table(result, "means")
    assert heads(table) == ["Model", "Mean (SE)", "95% CI"]
    assert table.title == (
        "toy: mean score (standard error) of each model. 95% intervals: Wilson; metric: points; "
        "60 questions."
    )
    assert list(table.to_frame()["Questions"]) == [60, 60, 60]
    assert heads(table.with_columns("Model", "Questions")) == ["Model", "Questions"]
    assert table.without("Clusters").columns == table.columns
    models = table.with_models("C", "A").with_columns("Model", "Questions")
    assert [row[0] for row in models.cells] == ["C", "A", "B"]


def test_what_differs_has_a_column():
    holes = RIGHT.astype(float)
    holes[2, :5] = np.nan
    table = make_table(result_of(holes), "means")
    assert heads(table) == ["Model", "Mean (SE)", "95% CI", "Questions"]
    assert "55 to 60 questions" in table.title


def test_one_baseline_stands_in_the_caption(result):
    table = make_table(result_of(RIGHT, baseline="B"), "differences")
    assert heads(table) == ["Model", "Difference (SE)", "95% CI", "Adjusted p", "Correlation"]
    assert (
        "Model minus B, in percentage points; 95% intervals: Tango; metric: points; 60 common "
        "questions." in table.title
    )
    assert not [n for n in table.notes if "percentage points" in n and "Detectable" not in n]
    assert heads(make_table(result, "differences"))[:2] == ["Model", "Baseline"]


def test_one_comparison_has_its_p_and_no_adjusted_one():
    table = make_table(result_of(RIGHT[:2]), "differences")
    assert "p" in heads(table) and "Adjusted p" not in heads(table)


def test_the_full_table_has_every_column(result):
    assert heads(make_table(result, "differences-all")) == [
        "Model", "Baseline", "Difference (SE)", "95% CI", "p", "Adjusted p", "P(A > B)",
        "Correlation", "Detectable", "Questions",
    ]  # fmt: skip
    assert make_table(result, "differences-all").whole is None
    assert make_table(result, "power-all").whole is None
    assert len(make_table(result, "power-all").columns) == 11


def test_a_table_of_data_without_a_gap_is_a_sentence(result):
    table = make_table(result, "data")
    assert says_nothing(table)
    assert table.notes[0] == (
        "Each model: 60 questions, all of the eval, 60 answers, none without a score, no errors."
    )


def made(rows: list[tuple[str, ...]], *heads: str) -> Table:
    columns = tuple(Column(h, key=h) for h in heads)
    return Table("data", "T.", columns, tuple(rows), tuple((None, 1.0) for _ in rows))


def test_rows_that_say_the_same_stand_in_one_after_the_others():
    rows = [("a", "5"), ("b", "4"), ("c", "5"), ("d", "5"), ("e", "3")]
    assert together(made(rows, "model", "questions")).cells == (
        ("b", "4"),
        ("e", "3"),
        ("Each of 3 other models", "5"),
    )
    assert together(made(rows[:4], "model", "questions")).cells[-1][0] == "Each of 3 other models"
    two = made([rows[0], rows[1], rows[2]], "model", "questions")
    assert together(two) is two


def test_a_table_of_dashes_says_nothing():
    assert says_nothing(made([("a", "\N{EM DASH}")], "model", "x"))
    assert not says_nothing(made([("a", "0")], "model", "x"))


def test_what_is_copied_names_no_file_of_the_report():
    notes = (Note("Over 3 rows."), Note("The whole table is tables/t.csv.", FILES))
    table = Table("t", "T.", (Column("A"),), (("1",),), notes=notes)
    assert without_files(notes) == ("Over 3 rows.",)
    html = render_table(table, "html")
    assert html.count("tables/t.csv") == 1 and 'class="rk-files">The whole table' in html
    assert "tables/t.csv" in render_table(table, "md")


def test_csv_of_the_means_of_clustering_and_of_variance_are_of_what_they_are_called(result):
    names = {}
    for kind in ("means", "clustering", "variance"):
        rows = csv.reader(io.StringIO(render_drop_in(make_table(result, kind), "csv")))
        names[kind] = next(rows)
    assert {"ci_low", "ci_high", "method"} <= {*names["means"]}
    assert names["clustering"][2:] == [
        "model", "n_questions", "n_clusters", "mean", "se", "se_unclustered", "design_effect",
        "ratio", "effective_questions", "icc", "df",
    ]  # fmt: skip
    assert names["variance"][2:] == [
        "model", "n_questions", "n_answers", "mean", "variance_between", "variance_within",
        "noise_share", "se", "se_doubled", "se_unlimited",
    ]  # fmt: skip


def test_a_clustering_drop_in_without_clusters_is_the_reason(result):
    """Every number of it stands in the table of means: without clusters both standard errors are
    one, and the design effect is 1.
    """
    alone = replace(result, clustered=False)
    table = make_table(alone, "clustering")
    assert len(table.cells) == len(result.models) and says_nothing(table)
    short = least(table)
    assert any(note.endswith("degrees of freedom.") for note in table.notes)
    (why,) = short.notes
    assert why.startswith("No clusters are declared") and short.cells == ()
    assert render_drop_in(short, "csv") == render_drop_in(table, "csv")
    assert r"\begin{tabular}" not in render_drop_in(short, "tex")
    assert not says_nothing(
        make_table(replace(result, clustered=True, n_clusters=30), "clustering")
    )
    assert not says_nothing(table.with_column("Own", range(len(table.cells))))
    both = make_table([alone, replace(result, eval="Other", clustered=True)], "clustering")
    assert not says_nothing(both)
    fictional = least(make_table(replace(alone, fictional=True), "clustering"))
    assert [n.split()[0] for n in fictional.notes] == ["Fictional", "No"]


def test_a_full_table_of_power_without_a_number_is_the_reason(result):
    """24 rows of dashes in three parts said one answer to each of 500 questions."""
    none = replace(result, power=tuple(
        replace(p, mde=math.nan, reason="few-large", se=math.nan) for p in result.power
    ))  # fmt: skip
    table = make_table(none, "power-all")
    assert says_nothing(table) and not says_nothing(make_table(result, "power-all"))
    (why,) = least(table).notes
    assert why.startswith("There is no detectable difference to print: a few clusters hold most")
    assert render_drop_in(least(table), "csv") == render_drop_in(table, "csv")


def test_correlations_of_one_model_are_the_reason(result):
    """A model correlates with itself by 1."""
    name = result.models[0]
    alone = replace(result, models=(name,), means=result.means[:1], correlations=((1.0,),))
    table = make_table(alone, "correlations")
    assert says_nothing(table)
    assert least(table).notes == ("There is one model: nothing to compare.",)
    assert not says_nothing(make_table(result, "correlations"))


def test_raw_csv_has_names_without_a_guard():
    table = Table("t", "T.", (Column("Model"),), (("=a",),), data=({"model": "=a", "x": 1.5},))
    assert render_drop_in(table, "csv") == "model,x\n'=a,1.5\n"
    assert render_drop_in(table, "csv", raw=True) == "model,x\n=a,1.5\n"


def test_a_drop_in_of_dashes_is_a_sentence_and_its_csv_has_all(tmp_path):
    rows = [("a", "5", "\N{EM DASH}", "\N{EM DASH}"), ("b", "5", "\N{EM DASH}", "\N{EM DASH}")]
    data = tuple({"model": row[0], "n": 5, "x": math.nan, "y": math.nan} for row in rows)
    table = replace(made(rows, "model", "n", "x", "y"), data=data, values=(), title="T_a.")
    short = least(replace(table, notes=("Too few.", "A 中 too.")))
    assert short.columns == () and short.cells == ()
    assert render_table(short, "csv").splitlines() == ["model,n,x,y", "a,5,,", "b,5,,"]
    assert render_drop_in(short, "md") == "**T\\_a.**\n\nToo few. A 中 too.\n"
    html = render_drop_in(short, "html")
    assert "<figcaption>T_a.</figcaption>" in html and "<p>Too few. A &#20013; too.</p>" in html
    assert "<td" not in html and 'id="tab:data"' in html
    tex = render_drop_in(short, "tex")
    assert r"\label{tab:data}" in tex and r"\begin{tabular}" not in tex
    assert r"\providecommand{\rkchar}" in tex
    assert "Too few. A" in typeset(tmp_path, "pdflatex", [tex], runs=1)
    source = render_drop_in(short, "typ")
    assert typst.compile(source.encode()) and "table(" not in source


def test_a_table_of_names_alone_stays_as_it_is():
    names = replace(made([("a",), ("b",)], "model"), notes=("Two models.",))
    assert least(names) is names
    without = made([("a", "\N{EM DASH}")], "model", "x")
    assert least(without) is without  # no note says why


def test_no_note_tells_of_a_dash_that_no_column_shows():
    """All right beside all wrong: no correlation, whose column goes; every other cell is known."""
    table = make_table(result_of(np.array([[1] * 12, [0] * 12, [1] * 12])), "differences")
    assert "Correlation" not in heads(table)
    assert not [n for n in table.notes if n.startswith("—:")]
    assert [n for n in table.whole.notes if n.startswith("—:")]
