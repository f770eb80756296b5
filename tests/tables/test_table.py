"""A table shows itself, and gives tables like it that render the same in every format."""

import csv
import io
import math
import pickle
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pypandoc
import pytest
from support.places import ROOT
from support.scores_made import result_of, rows_of
from support.tables import HOSTILE, SMALL, parse

from reportkit.errors import ScoresError, UnknownNameError
from reportkit.tables import FORMATS, make_table
from reportkit.tables.cells import Style
from reportkit.tables.table import Column, Recipe, Table
from reportkit.tables.writers.latex import REPORT_LINE
from reportkit.tables.writers.render import render_table

# Right answers of 40 to the same questions: A 30, B 20, C 10.
RIGHT = np.array([[1] * 30 + [0] * 10, [1] * 20 + [0] * 20, [1] * 10 + [0] * 30])


@pytest.fixture(scope="module")
def result():
    return result_of(RIGHT)


@pytest.mark.parametrize("digits", [-1, 2.5, 16])
def test_digits_that_are_none_are_refused_with_a_sentence(result, digits):
    with pytest.raises(ScoresError, match=f"digits = {digits} is no number of decimals"):
        make_table(result, "means").with_digits(digits)


def test_what_analyse_gives_as_a_whole_is_refused_with_a_sentence(result):
    with pytest.raises(ScoresError, match="result, warnings = analyse"):
        make_table((result, ()), "means")


@pytest.fixture(scope="module")
def several(result):
    return [result, result_of(RIGHT[:2, ::2], eval="half")]


# How it shows itself ------------------------------------------------------------------------------


def test_print_shows_an_aligned_table():
    text = str(SMALL).splitlines()
    assert text == [
        "Mean scores with standard errors, in per cent.",
        "",
        "Model    MATH_5000: Mean (SE)  MATH_5000: 95% CI",
        "-------  --------------------  -----------------",
        "Galleon      **65.5% (0.7%)**       [64.2, 66.8]",
        "a|b_%               63.0% (—)                  —",
        "",
        "[1] Fictional models; a dash is undefined.",
        "* n = 5,000.",
    ]
    assert repr(SMALL) == str(SMALL)


def test_print_keeps_a_terminal_safe_and_columns_straight():
    names = ("\x1b[31mred", "中文", "line\nbreak")
    table = Table("t", "T.", (Column("Model", "l"), Column("x")), tuple((n, "1") for n in names))
    lines = str(table).splitlines()
    assert "\x1b" not in str(table) and "line break" in str(table)
    assert lines[5] == "中文        1"  # two columns for each of its characters


def test_headings_stand_above_their_rows():
    lines = str(replace(SMALL, sections=((0, "Large"), (1, "Small")))).splitlines()
    assert (lines[4], lines[6], lines[7]) == ("Large", "", "Small")


def test_a_notebook_gets_the_formats_themselves():
    assert SMALL._repr_markdown_() == render_table(SMALL, "md")
    assert SMALL._repr_latex_() == render_table(SMALL, "tex", width=REPORT_LINE)
    html = SMALL._repr_html_()
    assert render_table(SMALL, "html") in html.replace("&#8212;", "—").replace("&#8722;", "−")
    assert html.isascii() and "<style>" in html


def test_the_line_of_report_tex_is_that_of_its_page():
    """A4 is 210 mm wide, an inch 25.4 mm, and 72.27 of TeX's points."""
    template = (ROOT / "templates" / "report.tex.j2").read_text(encoding="utf-8")
    assert "a4paper" in template
    margin = int(re.search(r"\[margin=(\d+)mm\]\{geometry\}", template)[1])
    assert pytest.approx((210 - 2 * margin) / 25.4 * 72.27, abs=0.5) == REPORT_LINE


def test_html_of_hostile_names_is_text():
    table = replace(SMALL, cells=tuple((n, "1", "2") for n in HOSTILE), values=(), bold=frozenset())
    assert "<script>alert" not in table._repr_html_()


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("latex", "tex"), ("markdown", "md"), ("typst", "typ"), *((f, f) for f in FORMATS)],
)
def test_formats_have_the_names_that_people_use(name, suffix):
    assert render_table(SMALL, name) == render_table(SMALL, suffix)


def test_a_table_can_be_pickled_where_its_maker_can(result):
    table = make_table(result, "means")
    assert pickle.loads(pickle.dumps(replace(table, recipe=None))).cells == table.cells
    notes = pickle.loads(pickle.dumps(table.notes))
    assert [n.kind for n in notes] == [n.kind for n in table.notes]


# Frames -------------------------------------------------------------------------------------------


def test_a_frame_holds_the_unrounded_numbers(result):
    frame = make_table(result, "means").to_frame()
    assert list(frame["Model"]) == ["A", "B", "C"]
    assert list(frame["Mean"]) == [0.75, 0.5, 0.25]
    # SE of a share with n - 1 = 39 in the denominator
    assert list(frame["SE"]) == pytest.approx(
        [math.sqrt(p * (1 - p) / 39) for p in (0.75, 0.5, 0.25)]
    )
    assert {"95% CI low", "95% CI high", "Questions"} <= set(frame.columns)
    assert frame["Clusters"].isna().all()


def test_a_frame_of_models_in_columns(several):
    frame = make_table(several, "means").to_frame()
    assert list(frame["A"]) == [0.75, 0.75] and list(frame["Eval"]) == ["toy", "half"]
    assert math.isnan(frame["C"][1]) and frame["C"][0] == 0.25
    assert frame["A SE"][0] == pytest.approx(math.sqrt(0.75 * 0.25 / 39))


def test_a_frame_of_a_table_made_by_hand():
    assert SMALL.to_frame().to_dict("list")["Mean (SE)"] == [0.655, 0.63]
    assert SMALL.to_frame().to_dict("list")["95% CI"] == ["[64.2, 66.8]", "—"]


@pytest.mark.parametrize("theme", ["ci", "plain", "pm", "stacked"])
def test_every_theme_keeps_estimate_and_error_in_the_frame(result, theme):
    frame = make_table(result, "differences", theme).to_frame()
    assert list(frame["Difference"]) == [0.25, 0.5, 0.25] and (frame["SE"] > 0).all()
    assert frame["95% CI low"].notna().all()


# Tables like it -----------------------------------------------------------------------------------


def read_back(table: Table) -> dict[str, list[list[str]]]:
    """The body of the table as each format gives it back."""
    found = {}
    for fmt, text in {f: render_table(table, f) for f in ("html", "md")}.items():
        if fmt == "md":
            text = pypandoc.convert_text(text, "html", format="gfm", extra_args=["--wrap=none"])
        cells = parse(text).cells
        n = len(table.columns)
        body = cells[n:]
        found[fmt] = [body[i : i + n] for i in range(0, len(body), n)]
    return found


def test_an_added_column_is_in_every_format(result):
    table = make_table(result, "means").with_column("Price", [1.5, 20, None], digits=2)
    assert [row[-1] for row in table.cells] == ["1.50", "20.00", "—"]
    for rows in read_back(table).values():
        assert [row[-1] for row in rows] == ["1.50", "20.00", "—"]
        assert [row[0] for row in rows] == ["A", "B", "C"]
    for fmt in ("tex", "typ"):
        text = render_table(table, fmt)
        assert "Price" in text and "1.50" in text and "20.00" in text
    rows = list(csv.DictReader(io.StringIO(render_table(table, "csv"))))
    assert [row["Price"] for row in rows] == ["1.5", "20", ""]
    assert float(rows[0]["Mean"]) == 0.75
    assert list(table.to_frame()["Price"])[:2] == [1.5, 20]


def test_an_added_column_can_be_a_function_of_the_row(result):
    table = make_table(result, "means").with_column(
        "Errors", lambda row: f"{100 * (1 - row['Mean']):.0f}% wrong"
    )
    assert [row[-1] for row in table.cells] == ["25% wrong", "50% wrong", "75% wrong"]
    assert table.columns[-1].align == "l"
    assert "75\\% wrong" in render_table(table, "tex")


def test_a_table_made_by_hand_can_grow_too():
    table = SMALL.with_column("N", [1000, 2000])
    assert [row[-1] for row in table.cells] == ["1,000", "2,000"]
    for fmt in FORMATS:
        assert "N" in render_table(table, fmt)


def test_a_column_of_another_length_is_refused(result):
    with pytest.raises(ValueError, match="column 'N' has 2 values for 3 rows"):
        make_table(result, "means").with_column("N", [1, 2])


def test_digits(result):
    table = make_table(result, "means").with_digits(3)
    se = math.sqrt(0.75 * 0.25 / 39)
    assert table.cells[0][1] == f"75.000% ({100 * se:.3f}%)"
    assert make_table(result, "means", digits=0).cells[0][1] == f"75% ({100 * se:.0f}%)"
    assert make_table(result, "clustering", digits=4).cells[0][1] == f"{100 * se:.4f}%"


def test_names_change_everywhere(result):
    left = replace(result, zeroed=(0, 3, 0), shots=("1", "2", "3"))
    table = make_table(left, "means").with_names({"B": "Ours_1"})
    assert [row[0] for row in table.cells] == ["A", "Ours_1", "C"]
    assert "Answers that failed or were not given, counted as 0: Ours_1 3." in table.notes
    assert [r["model"] for r in csv.DictReader(io.StringIO(render_table(table, "csv")))] == [
        "A", "Ours_1", "C",
    ]  # fmt: skip
    differences = make_table(result, "differences").with_names({"B": "Ours_1"})
    assert [row[:2] for row in differences.cells] == [("A", "Ours_1"), ("A", "C"), ("Ours_1", "C")]
    assert make_table(result, "correlations").with_names({"B": "Z"}).columns[2].head == "Z"


def test_names_of_several_evals(several):
    table = make_table(several, "means").with_names({"A": "Ours"})
    assert [c.head for c in table.columns][-3:] == ["Ours", "B", "C"]
    assert table.without("C").with_names({"B": "Theirs"}).columns[-1].head == "Theirs"


def test_names_too_long_for_a_line_head_columns_still(several):
    table, long = make_table(several, "means"), {"A": "Long name of a model that is ours"}
    assert long["A"] in [c.head for c in table.with_names(long).columns]
    assert long["A"] in [c.head for c in table.without("C").with_names(long).columns]


def test_names_that_lay_a_table_out_in_another_way_come_before_other_changes(result):
    """No table of ours does so; a user's own maker may."""

    def make(results, style):
        return make_table(results[0], "means" if "A" in results[0].models else "differences")

    table = Recipe((result,), Style(), make).again().with_title("T.")
    with pytest.raises(ValueError, match="give the names before other changes"):
        table.with_names({"A": "Ours"})


def test_two_models_cannot_get_one_name(result):
    with pytest.raises(ScoresError, match="two models of eval 'toy' would be called 'C'"):
        make_table(result, "means").with_names({"B": "C"})
    with pytest.raises(UnknownNameError, match="no model 'Z' in this table"):
        make_table(result, "means").with_names({"Z": "C"})
    with pytest.raises(UnknownNameError, match="in this table; there are 'A', 'B', 'C'"):
        make_table(result, "means").with_models(["B", "A"])  # a list where names belong


def test_columns_go_with_the_notes_about_them(result):
    table = make_table(result, "differences")
    assert any(n.startswith("Adjusted p") for n in table.notes)
    short = table.without("Adjusted p", "mde")
    assert [c.key for c in short.columns] == [
        "model", "baseline", "difference", "ci", "correlation",
    ]  # fmt: skip
    assert not any(n.startswith("Adjusted p") for n in short.notes)
    assert "metric: points" in short.title
    header = render_table(short, "csv").splitlines()[0]
    assert header == "Model,Baseline,Difference,SE,95% CI low,95% CI high,Correlation"
    every = table.with_columns("Model", "Detectable", "p")  # those too that the table leaves out
    assert [c.key for c in every.columns] == ["model", "mde", "p_value"]
    assert list(every.to_frame().columns) == ["Model", "Detectable", "p"]
    assert any(n.startswith("Detectable:") for n in every.notes)
    with pytest.raises(UnknownNameError, match="no column 'Adjust p'.*did you mean 'Adjusted p'"):
        table.without("Adjust p")


def test_columns_in_another_order_keep_what_is_bold(result):
    table = make_table(result, "means").with_columns("Questions", "Mean (SE)", "Model")
    assert [c.head for c in table.columns] == ["Questions", "Mean (SE)", "Model"]
    assert table.bold == {(0, 1)} and table.cells[0][1].startswith("75.0%")


def test_models_in_another_order(result, several):
    table = make_table(result, "means").with_models("C", "A")
    assert [row[0] for row in table.cells] == ["C", "A", "B"] and table.bold == {(1, 1)}
    wide = make_table(several, "means").with_models("C")
    assert [c.head for c in wide.columns][-3:] == ["C", "A", "B"]
    assert [row[0] for row in wide.cells] == ["toy", "half"]
    matrix = make_table(result, "correlations").with_models("B")
    assert [c.head for c in matrix.columns] == ["Model", "B", "A", "C"]
    assert [row[0] for row in matrix.cells] == ["B", "A", "C"]
    assert [matrix.cells[i][i + 1] for i in range(3)] == ["1.00"] * 3
    long = make_table(several, "differences").with_models("C")
    assert [row[0] for row in long.cells] == ["toy", "toy", "toy", "half"]


def test_changes_last_when_digits_and_names_change_later(result):
    changed = (
        make_table(result, "means")
        .without("Clusters", "Questions")
        .with_models("C")
        .with_column("N", lambda row: row["Model"] * 2)
        .with_digits(2)
        .with_names({"C": "See"})
        .with_title("Ours.")
        .with_notes("One note.")
    )
    heads = [c.head for c in make_table(result, "means").columns]
    kept = [head for head in heads if head not in ("Clusters", "Questions")]
    assert kept[:3] == ["Model", "Mean (SE)", "95% CI"]
    assert [c.head for c in changed.columns] == [*kept, "N"]
    assert [row[0] for row in changed.cells] == ["See", "A", "B"]
    assert changed.cells[0][1].startswith("25.00%")
    assert [row[-1] for row in changed.cells] == ["CC", "AA", "BB"]
    assert (changed.title, changed.notes) == ("Ours.", ("One note.",))


def test_a_table_made_by_hand_has_no_other_digits():
    with pytest.raises(ValueError, match="other digits need a table from make_table"):
        SMALL.with_digits(2)


def test_the_number_in_a_document_stays(result):
    numbered = replace(make_table(result, "means"), number=4)
    assert numbered.with_digits(2).number == numbered.without("Questions").number == 4


def test_a_frame_with_heads_that_are_the_same():
    table = Table("t", "T.", (Column("x"), Column("x")), (("1", "2"),), ((1.0, 2.0),))
    assert table.to_frame().to_dict("list") == {"x": [1.0], "x (2)": [2.0]}
    assert isinstance(table.to_frame(), pd.DataFrame)


def test_keys_are_those_of_the_rows(result):
    assert rows_of(make_table(result, "means"))[0]["model"] == "A"
