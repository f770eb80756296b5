"""Notes below a table of LaTeX or HTML say what its caption may say; what public tables have."""

import pytest

from tests.support.published_tables import checked, codes, refusal, sentences

BODY = (
    "\\begin{tabular}{lrr}\nModel & MATH \\\\\n\\midrule\nAlba & 60.0 $\\pm$ 0.7 \\\\\n"
    "Heron & 62.0 $\\pm$ 0.7 \\\\\n\\end{tabular}\n"
)
NOTE = "Results (%) on MATH (n = 5000); ± denotes the standard error, clustered by topic."
LATEX = NOTE.replace("%", "\\%").replace("±", "$\\pm$")
BELOW = {
    "tablenotes": f"\\begin{{table}}\n\\caption{{Main.}}\n{BODY}\\begin{{tablenotes}}[flushleft]\n"
    f"\\small \\item {LATEX}\n\\end{{tablenotes}}\n\\end{{table}}\nPercentages are not meant here.",
    "small type": f"\\begin{{table*}}\n\\centering\n{BODY}\\vspace{{2pt}}\n\\caption{{Main.}}\n"
    f"\\footnotesize {LATEX}\n\\end{{table*}}\n",
    "no float": f"\\begin{{center}}\n{BODY}\\end{{center}}\n\\footnotesize {LATEX}\n\nMore text.",
    "caption": f"\\begin{{table}}\n{BODY}\\caption{{{LATEX}}}\n\\end{{table}}\n",
}
ROWS = (
    "<thead><tr><th>Model</th><th>MATH</th></tr></thead><tbody><tr><td>Alba</td><td>60.0 ± 0.7"
    "</td></tr><tr><td>Heron</td><td>62.0 ± 0.7</td></tr></tbody>"
)
PAGES = {
    "caption": f"<table><caption>{NOTE}</caption>{ROWS}</table>",
    "tfoot": f"<table>{ROWS}<tfoot><tr><td colspan=2>{NOTE}</td></tr></tfoot></table>",
    "p": f"<div><table>{ROWS}</table></div><p>{NOTE}</p><p>Something else (in %).</p>",
}


def check_said(c):
    """n = 5000, percentages, clustered standard errors."""
    assert [(m.n.value, m.scale.percent, m.se.value, m.errors) for m in c.table.means] == [
        (5000.0, True, 0.7, "clustered"), (5000.0, True, 0.7, "clustered")
    ]  # fmt: skip


@pytest.mark.parametrize("where", BELOW)
def test_notes_of_latex_count_as_a_caption(where, tmp_path):
    check_said(checked(tmp_path, BELOW[where], "t.tex"))


@pytest.mark.parametrize("where", PAGES)
def test_notes_of_a_page_count_as_a_caption(where, tmp_path):
    check_said(checked(tmp_path, PAGES[where], "t.html"))


@pytest.mark.parametrize(
    "text, name",
    [
        (f"{BODY}\nThe text goes on: {LATEX}\n", "t.tex"),
        (f"<table>{ROWS}</table><h2>More</h2><p>{NOTE}</p>", "t.html"),
    ],
)
def test_text_that_is_no_note_does_not_count(text, name, tmp_path):
    found = checked(tmp_path, text, name, plus_minus="se").table.means
    assert all(m.n is None and not m.scale.known and not m.errors for m in found)


def test_a_note_may_take_back_what_the_caption_says(tmp_path):
    """Of which errors it is true nobody can tell: none is read as clustered."""
    text = BELOW["tablenotes"].replace(
        "Main.", "Standard errors clustered by topic."
    ).replace(LATEX, "Errors of Heron are not clustered.")  # fmt: skip
    found = checked(tmp_path, text, "t.tex", plus_minus="se").table.means
    assert not any(m.errors for m in found)


def test_a_row_of_numbers_in_a_foot_is_a_row(tmp_path):
    text = (
        "<table><tr><th>Eval</th><th>Alba</th></tr><tr><td>MATH</td><td>60%</td></tr>"
        "<tr><td>QA</td><td>70%</td></tr><tfoot><tr><td>Average</td><td>65%</td></tr></tfoot></table>"
    )
    assert len(checked(tmp_path, text, "t.html").table.averages) == 1


# GAP ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "|Eval|Alba|Heron|\n|-|-|-|\n|MATH|60.0%|62.0%|\n|GAP|70.0%|71.0%|\n|QA|50.0%|55.5%|\n",
        "|Model|MATH|GAP|QA|\n|-|-|-|-|\n|Alba|60.0%|70.0%|50.0%|\n|Heron|62.0%|71.0%|55.5%|\n",
        "eval,model,mean\nMATH,Alba,60.0%\nGAP,Alba,70.0%\nQA,Alba,50.0%\n",
    ],
)
def test_gap_in_capitals_with_means_is_an_eval(text, tmp_path):
    assert {m.eval for m in checked(tmp_path, text).table.means} == {"MATH", "GAP", "QA"}


@pytest.mark.parametrize(
    "text",
    [
        # 62 - 60 and 55.5 - 50 points; between two evals, 10 and 6.5; and Gap in small letters
        "|Eval|Alba|Heron|GAP|\n|-|-|-|-|\n|MATH|60.0%|62.0%|2.0%|\n|QA|50.0%|55.5%|5.5%|\n",
        "|Model|MATH|QA|GAP|\n|-|-|-|-|\n|Alba|60.0%|20.0%|40.0%|\n|Heron|62.0%|25.5%|36.5%|\n",
        "|Model|MATH|QA|Gap|\n|-|-|-|-|\n|Alba|60.0%|50.0%|70.0%|\n|Heron|62.0%|55.5%|71.0%|\n",
    ],
)
def test_another_gap_is_not_used(text, tmp_path):
    c = checked(tmp_path, text)
    assert "GAP" not in {name.upper() for m in c.table.means for name in (m.eval, m.model)}
    assert any("not used: G" in line for line in sentences(c.table.read_as))


# As they stand in public --------------------------------------------------------------------------


def test_a_number_of_votes_is_no_percentage(tmp_path):
    """It was said to lie outside of its scale, and stood in the average of the evals."""
    text = "|Model|MATH|QA|Judged|\n|-|-|-|-|\n|A|60.0|70.0|1,384|\n|B|61.0|71.0|1,319|\n"
    c = checked(tmp_path, text, scale="percent")
    assert not c.findings
    assert "All means of Judged are above 100, so that they are not read as percentages." in (
        sentences(c.table.read_as)
    )


def test_remarks_behind_numbers_are_named(tmp_path):
    text = "|Model|MATH|\n|-|-|\n|A|60.0|\n|B|37.5 (AIME 2026)|\n"
    lines = sentences(checked(tmp_path, text).table.read_as)
    assert "Remarks behind numbers are not used: (AIME 2026)." in lines


def test_a_setting_in_a_column_of_words_tells_rows_apart(tmp_path):
    """Without it one model had two means of one eval, which are not the same."""
    text = "|Model|Kind|CEVAL|\n|-|-|-|\n|Q|BF16|45.8|\n|Q|INT4|44.1|\n|R|BF16|50.1|\n"
    c = checked(tmp_path, text, scale="percent")
    assert [m.model for m in c.table.means] == ["Q (BF16)", "Q (INT4)", "R (BF16)"]
    assert not c.findings and {m.eval for m in c.table.means} == {"CEVAL"}


def test_a_column_of_words_is_not_used(tmp_path):
    text = "|Model|Type|MATH|\n|-|-|-|\n|Q|AR|45.8|\n|R|Diff|44.1|\n"
    c = checked(tmp_path, text)
    assert [m.model for m in c.table.means] == ["Q", "R"]
    assert "Columns that are not used: Type." in sentences(c.table.read_as)


def test_an_interval_that_says_so_in_the_cell(tmp_path):
    text = "|Eval|A|\n|-|-|\n|X|65.5% (95% CI: 59.4%–71.6%)|\n"
    mean = checked(tmp_path, text).table.means[0]
    assert (mean.low.value, mean.high.value) == (59.4, 71.6)


def test_a_cell_of_two_lines(tmp_path):
    inner = "\\begin{tabular}[c]{@{}c@{}}60.0\\\\(0.7)\\end{tabular}"
    text = (
        f"\\begin{{tabular}}{{lr}}\nModel & MATH \\\\\\midrule\nA & {inner} \\\\\n\\end{{tabular}}"
    )
    mean = checked(tmp_path, text, "t.tex").table.means[0]
    assert (mean.mean.value, mean.se.value) == (60.0, 0.7)
    two = text.replace("(0.7)", "61.0")
    assert "is no number" in refusal(tmp_path, two, "t.tex")


def test_differences_of_shares_beside_counts(tmp_path):
    """(102 - 6) / 250 = 38.4%."""
    text = "|Eval|n|Alba|Heron|Δ|\n|-|-|-|-|-|\n|X|250|102|6|+38.4|\n|Y|1000|238|53|+18.5|\n"
    assert not codes(checked(tmp_path, text))
