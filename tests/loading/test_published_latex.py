"""Published tables as LaTeX: what is read, and what is refused as it may print another number."""

import random

import pytest
from support.published_tables import checked, refusal

from reportkit.errors import ReportkitError
from reportkit.loading.published import read_published
from reportkit.loading.published.latex_text import plain_latex

TABLE = r"""
\begin{table*}[t]
\caption[short]{Main results (\%). Errors in brackets.} % a remark & \\
\begin{tabular}{@{}l r c@{\hspace{4pt}}c@{}}
\toprule
\textbf{Eval} & $n$ & \textsc{Nimbus}$^\dagger$ & Heron~\citep[see][]{heron} \\
\midrule
GSM8K & 1,319 & \textbf{92.1\%} (0.7\%) & $90.4\%$ ($0.8\%$) \\[2pt]
\rowcolor{gray!10} HumanEval & 1{,}640 & 74.4\% {\small(1.1\%)} & 67.0\% (1.2\%)\\ \hline
\multirow{1}{*}{MGSM} & 2\,500 & $88.0_{\pm 0.6}$\% & \multicolumn{1}{c}{$82.2 \pm 0.8\%$} \\
\bottomrule
\end{tabular}
\end{table*}
"""


def rows(tmp_path, text, name="t.tex", **said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_published(path, {"scale": "percent", "plus_minus": "se", **said})[0].means


def test_a_table_of_a_paper(tmp_path):
    """Every number by hand from the text above, its line counted there."""
    found = {
        (m.eval, m.model): (m.mean.text, m.se.value, m.n.value, m.place.line)
        for m in rows(tmp_path, TABLE)
    }
    assert found == {
        ("GSM8K", "Nimbus†"): ("92.1%", 0.7, 1319, 8),
        ("GSM8K", "Heron"): ("90.4%", 0.8, 1319, 8),
        ("HumanEval", "Nimbus†"): ("74.4%", 1.1, 1640, 9),
        ("HumanEval", "Heron"): ("67.0%", 1.2, 1640, 9),
        ("MGSM", "Nimbus†"): ("88.0", 0.6, 2500, 10),
        ("MGSM", "Heron"): ("82.2", 0.8, 2500, 10),
    }
    assert {m.place.table for m in rows(tmp_path, TABLE)} == {"Main results (%)"}
    assert rows(tmp_path, TABLE) == rows(tmp_path, TABLE, "pasted.md")  # by what it looks like


def test_captions_that_begin_alike_do_not_make_one_table_of_two(tmp_path):
    """60.0 here and 61.0 there: of other settings, which the captions say in their second
    sentence.
    """
    table = (
        r"\begin{table}\begin{tabular}{lr}Model & Accuracy \\ \midrule A & %s\%% \\"
        r"\end{tabular}\caption{Results. %s-shot.}\end{table}" + "\n"
    )
    text = table % ("60.0", "Zero") + table % ("61.0", "Five")
    text = text.replace("Accuracy", "QA")
    assert checked(tmp_path, text, "t.tex").findings == ()
    same = text.replace("Five", "Zero")
    assert [f.code for f in checked(tmp_path, same, "t.tex").findings] == ["mean-twice"]


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"65.5\,\%", "65.5 %"), (r"1\,319", "1,319"), (r"1{,}319", "1,319"),
        (r"$65.5^{\pm 0.7}$", "65.5 ±0.7"), (r"$65.5_{(0.7)}$", "65.5 (0.7)"),
        (r"65.5$^{*}$", "65.5*"), (r"65.5$^\ddagger$", "65.5‡"),
        (r"65.5\textsuperscript{a}", "65.5^a"),
        (r"{\bf 65.5}", "65.5"), (r"\makecell{65.5 \\ (0.7)}", "65.5 (0.7)"),
        (r"\textcolor{red!50}{65.5}", "65.5"), (r"\cellcolor[gray]{0.9}65.5", "65.5"),
        (r"\phantom{0}5.5", "5.5"), (r"$-$2.7", "-2.7"), (r"--", "–"), (r"---", "—"),
        (r"GPT\_4\footnote{By us.}", "GPT_4"), (r"Nimbus$^1$", "Nimbus¹"), (r"o1*", "o1*"),
        (r"\emph{Nimbus}~\cite{a,b}", "Nimbus"), (r"\# Questions", "# Questions"),
        (r"65.5 [64.2, 66.8]", "65.5 [64.2, 66.8]"), (r"$\Delta$", "Δ"), (r"a \& b", "a & b"),
    ],
)  # fmt: skip
def test_what_a_cell_prints(latex, text):
    assert plain_latex(latex) == text


BEGIN, END = "\\begin{tabular}{lrr}\n", "\\end{tabular}\n"
HEADS = "Model & MMLU & QA \\\\ \\midrule\n"
REFUSED = {
    "A & \\ours & 60.0": "line 3: the command \\ours of LaTeX is not known here",
    "A & 65.5(\\num{7}) & 60.0": "line 3: the command \\num",
    "A & $65.5_{0.7}$ & 60.0": "line 3: '0.7' is lowered",
    "A & $6.5^2$ & 60.0": "line 3: '2' is raised",
    "A & $65.5^{+0.3}_{-0.2}$ & 60.0": "line 3: '+0.3' is raised",
    "\\multicolumn{3}{l}{Open models}": "line 3: a cell spans 3 columns",
    "A & {65.5 & 60.0": "line 3: a brace does not close",
    "A & 65.5 \\\\\n\nB & \\frac{1}{2}": "line 5: the command \\frac",
    "A & \\begin{tabular}{cc}65.5&1\\end{tabular} & 60.0": "line 3: a table stands in a cell",
    "A & 65.5 & 60.0 & 50.0": "line 3: 4 cells below 3 heads",
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_not_sure_is_refused_with_its_line(row, tmp_path):
    said = refusal(tmp_path, f"{BEGIN}{HEADS}{row} \\\\\n{END}", "t.tex")
    assert said.startswith(f"t.tex, {REFUSED[row]}") and "; " in said


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("{l r@{$\\pm$}l}", "the columns print {$\\pm$} beside their cells"),
        ("{lr<{\\%}}", "the columns print {\\%} beside their cells"),
        ("{lS[table-format=2.1]}", "columns of kind S"),
        ("", "has no columns in braces"),
    ],
)
def test_columns_that_print_something_are_refused(columns, why, tmp_path):
    text = f"\\begin{{tabular}}{columns}\n{HEADS}A & 65.5 & 60.0 \\\\\n{END}"
    said = refusal(tmp_path, text, "t.tex")
    assert said.startswith("t.tex, line 1: ") and why in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{BEGIN}Model & MMLU & QA \\\\ & 5-shot & 0-shot \\\\ \\midrule\nA & 1 & 2 \\\\\n{END}",
         "2 rows are heads, and it is not sure what '5-shot' below 'MMLU' is"),
        ("\\begin{tblr}{lr}a & b \\\\\\end{tblr}", "a tblr is not read"),
        (BEGIN + HEADS, "there is no \\end{tabular}"), (BEGIN + END, "the table has no row"),
        ("a & b \\\\", "there is no \\begin{tabular}"),
        (BEGIN + HEADS + END + "\n| eval | A |\n|---|---|\n| QA | 60 |\n", "keep one kind"),
    ],
)  # fmt: skip
def test_a_table_that_is_not_read(text, why, tmp_path):
    assert why in refusal(tmp_path, text, "t.tex")


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_table_is_read_or_refused_in_words(seed, tmp_path):
    """A character less, or one of LaTeX's own more."""
    made = random.Random(seed)
    at = made.randrange(len(TABLE))
    text = TABLE[:at] + made.choice(["", "{", "}", "\\", "&", "%", "$", "["]) + TABLE[at + 1 :]
    try:
        rows(tmp_path, text)
    except ReportkitError as error:
        assert "\n" not in str(error)
