"""Published tables with two lines of heads: MATH over "mean" and "SE", as papers print them. The
same numbers come out of every form; where a head may mean two things the table is refused.
"""

import math
import random

import pytest
from support.published_tables import checked, refusal

from reportkit.errors import ReportkitError
from reportkit.loading.published.two_heads import Joined, Unjoined, is_second, joined

# What all tables below print, of (eval, model): the mean, and its standard error.
MEANS = {
    ("MATH", "Nimbus"): (65.5, 0.7), ("GSM8K", "Nimbus"): (92.1, 0.7),
    ("MATH", "Heron"): (63.0, 0.6), ("GSM8K", "Heron"): (90.4, 0.8),
}  # fmt: skip
SIZES = {"MATH": 5000, "GSM8K": 1319}


def tex(columns: str, *lines: str) -> str:
    rows = "\n".join(lines)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{rows}\n\\bottomrule\n\\end{{tabular}}\n"


def page(*rows: str) -> str:
    return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>\n"


ROWS = (
    r"Nimbus & \textbf{65.5} & 0.7 & \textbf{92.1} & 0.7 \\", r"Heron & 63.0 & 0.6 & 90.4 & 0.8 \\",
)  # fmt: skip
OF_MODELS = (r"MATH & 5{,}000 & 65.5 & 0.7 & 63.0 & 0.6 \\",
             r"GSM8K & 1{,}319 & 92.1 & 0.7 & 90.4 & 0.8 \\")  # fmt: skip
CELLS = (
    "<td>Nimbus<td><b>65.5</b><td>0.7<td>92.1<td>0.7",
    "<td>Heron<td>63.0<td>0.6<td>90.4<td>0.8",
)
PIPED = "| Nimbus | **65.5** | 0.7 | 92.1 | 0.7 |\n| Heron | 63.0 | 0.6 | 90.4 | 0.8 |\n"
LINES = "Nimbus,65.5,0.7,92.1,0.7\nHeron,63.0,0.6,90.4,0.8\n"
READ = {
    "evals over mean and SE.tex": tex(
        "lcccc", r" & \multicolumn{2}{c}{\textbf{MATH}} & \multicolumn{2}{c}{GSM8K} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}",
        r"Model & Acc. $\uparrow$ & SE & Acc. $\uparrow$ & SE \\", r"\midrule", *ROWS,
    ),
    "a head that reaches down.tex": tex(
        "lcccc", r"\multirow{2}{*}{Model} & \multicolumn{2}{c}{MATH} & \multicolumn{2}{c}{GSM8K}\\",
        r" & Mean (\%) & Std. Err. & Mean (\%) & Std. Err. \\", r"\midrule", *ROWS,
    ),
    "a rule below each line.tex": tex(
        "l|cc|cc", r"\hline Model & \multicolumn{2}{c|}{MATH} & \multicolumn{2}{c}{GSM8K} \\",
        r"\hline & mean & SE & mean & SE \\ \hline", *ROWS,
    ),
    "models over mean and SE.tex": tex(
        "lrrrrr",
        r"\multicolumn{2}{c}{} & \multicolumn{2}{c}{Nimbus} & \multicolumn{2}{c}{Heron} \\",
        r"Eval & $n$ & Mean & SE & Mean & SE \\", r"\midrule", *OF_MODELS,
    ),
    "numbers of questions below each eval.tex": tex(
        "lcccccc", r" & \multicolumn{3}{c}{MATH} & \multicolumn{3}{c}{GSM8K} \\",
        r"Model & $n$ & Mean & SE & $n$ & Mean & SE \\", r"\midrule",
        r"Nimbus & 5000 & 65.5 & 0.7 & 1319 & 92.1 & 0.7 \\",
        r"Heron & 5000 & 63.0 & 0.6 & 1319 & 90.4 & 0.8 \\",
    ),
    "the quantity above.tex": tex(
        "lcccc", r" & \multicolumn{2}{c}{Accuracy (\%)} & \multicolumn{2}{c}{Standard error} \\",
        r"Model & MATH & GSM8K & MATH & GSM8K \\", r"\midrule",
        r"Nimbus & 65.5 & 92.1 & 0.7 & 0.7 \\", r"Heron & 63.0 & 90.4 & 0.6 & 0.8 \\",
    ),
    "benchmarks above.tex": tex(
        "lcc", r" & \multicolumn{2}{c}{Benchmark} \\ \cmidrule{2-3}", r"Model & MATH & GSM8K \\",
        r"\midrule", r"Nimbus & 65.5 (0.7) & 92.1 (0.7) \\", r"Heron & 63.0 (0.6) & 90.4 (0.8) \\",
    ),
    "models above.tex": tex(
        "lccc", r"& & \multicolumn{2}{c}{Models} \\", r"Benchmark & Questions & Nimbus & Heron \\",
        r"\midrule", r"MATH & 5000 & $65.5 \pm 0.7$ & $63.0 \pm 0.6$ \\",
        r"GSM8K & 1319 & $92.1 \pm 0.7$ & $90.4 \pm 0.8$ \\",
    ),
    "a row for each mean.tex": tex(
        "llrcc", r"Eval & Model & $n$ & \multicolumn{2}{c}{Accuracy (\%)} \\",
        r" & & & mean & SE \\", r"\midrule", r"MATH & Nimbus & 5000 & 65.5 & 0.7 \\",
        r" & Heron & 5000 & 63.0 & 0.6 \\", r"GSM8K & Nimbus & 1319 & 92.1 & 0.7 \\",
        r" & Heron & 1319 & 90.4 & 0.8 \\",
    ),
    "an empty column between.tex": tex(
        "lcccccc", r"Model & \multicolumn{2}{c}{MATH (n=5000)} & & \multicolumn{2}{c}{GSM8K} \\",
        r"\cmidrule{2-3} \cmidrule{5-6} & Score & SE & & Score & SE \\", r"\midrule",
        r"Nimbus & 65.5 & 0.7 & & 92.1 & 0.7 \\", r"Heron & 63.0 & 0.6 & & 90.4 & 0.8 \\",
    ),
    "the errors in brackets.tex": tex(
        "lcc", r"Model & MATH & GSM8K \\", r"& Mean (SE) & Mean (SE) \\ \midrule",
        r"Nimbus & 65.5 (0.7) & 92.1 (0.7) \\", r"Heron & 63.0 (0.6) & 90.4 (0.8) \\",
    ),
    "thead.html": "<table><thead><tr><th rowspan=2>Model<th colspan=2>MATH<th colspan=2>GSM8K</tr>"
    "<tr><th>Accuracy<th>SE<th>Accuracy<th>SE</tr></thead>\n<tbody>"
    + "".join(f"<tr>{row}</tr>\n" for row in CELLS) + "</tbody></table>",
    "cells without th.html": page(
        '<td></td><td colspan="2">MATH</td><td colspan="2">GSM8K</td>',
        "<td>Model</td><td>mean</td><td>s.e.</td><td>mean</td><td>s.e.</td>", *CELLS,
    ),
    "empty cells.md": "| Model | MATH | | GSM8K | |\n|---|---|---|---|---|\n"
    "| | mean | SE | mean | SE |\n" + PIPED,
    "names twice.md": "| | **MATH** | **MATH** | **GSM8K** | **GSM8K** |\n|---|---|---|---|---|\n"
    "| **Model** | *Mean* | *SE* | *Mean* | *SE* |\n" + PIPED,
    "the quantity above.md": "| | Mean (%) | | SE | |\n|-|-|-|-|-|\n"
    "| Model | MATH | GSM8K | MATH | GSM8K |\n| Nimbus | 65.5 | 92.1 | 0.7 | 0.7 |\n"
    "| Heron | 63.0 | 90.4 | 0.6 | 0.8 |\n",
    "empty cells.csv": "Model,MATH,,GSM8K,\n,mean,SE,mean,SE\n" + LINES,
    "models.csv": ",,Nimbus,,Heron,\nEval,Questions,mean,SE,mean,SE\nMATH,5000,65.5,0.7,63.0,0.6\n"
    'GSM8K,"1,319",92.1,0.7,90.4,0.8\n',
}  # fmt: skip


@pytest.mark.parametrize("file", READ)
def test_each_form_gives_the_same_numbers(file, tmp_path):
    """The numbers stand in the texts above; the conclusions are by hand: 65.5 - 63.0 = 2.5 with
    sqrt(0.7^2 + 0.6^2) = 0.922, z = 2.71; 92.1 - 90.4 = 1.7 with sqrt(0.7^2 + 0.8^2) = 1.063,
    z = 1.60.
    """
    sizes = tuple(f"{name}={n}" for name, n in SIZES.items())
    found = checked(tmp_path, READ[file], file, scale="percent", plus_minus="se", questions=sizes)
    seen = {(m.eval, m.model): (m.mean.value, m.se.value, m.n.value) for m in found.table.means}
    assert seen == {of: (*numbers, SIZES[of[0]]) for of, numbers in MEANS.items()}
    assert len(found.table.means) == 4
    pairs = {p.eval: p for p in found.pairs}
    assert len(found.pairs) == 2
    for name, difference, se in (("MATH", 2.5, 0.49 + 0.36), ("GSM8K", 1.7, 0.49 + 0.64)):
        pair = pairs[name]
        sign = 1.0 if pair.model == "Nimbus" else -1.0
        assert sign * pair.difference == pytest.approx(difference)
        assert pair.se == pytest.approx(math.sqrt(se))
        assert abs(pair.z) == pytest.approx(difference / math.sqrt(se))


def test_intervals_stand_below_their_names(tmp_path):
    text = tex(
        "lcccc", r"Model & \multicolumn{2}{c}{MATH} & \multicolumn{2}{c}{GSM8K} \\",
        r"& Mean & 95\% CI & Mean & 95\% CI \\ \midrule",
        r"Nimbus & 65.5 & [64.2, 66.8] & 92.1 & (90.6, 93.6) \\",
    )  # fmt: skip
    found = checked(tmp_path, text, "t.tex", scale="percent").table.means
    assert [(m.eval, m.low.value, m.high.value, m.level) for m in found] == [
        ("MATH", 64.2, 66.8, 0.95), ("GSM8K", 90.6, 93.6, 0.95),
    ]  # fmt: skip
    ends = "Model,MATH,,\n,mean,CI low,CI high\nNimbus,65.5,64.2,66.8\n"
    [m] = checked(tmp_path, ends, "t.csv", scale="percent").table.means
    assert (m.eval, m.low.value, m.high.value) == ("MATH", 64.2, 66.8)


TWO = r"\multicolumn{2}{c}{"
UNSURE = {
    "a name over names": ((r"Model", TWO + "MMLU}", ""), ("", "5-shot", "0-shot"),
                          "'5-shot' below 'MMLU'"),
    "kinds of models": (("Eval", TWO + "Open models}", ""), ("", "Nimbus", "Heron"),
                        "'Nimbus' below 'Open models'"),
    "rows of methods": (("Method", TWO + "MATH}", ""), ("", "mean", "SE"),
                        "rows may be of models or of evals"),
    "rows without a head": (("", TWO + "MATH}", ""), ("", "mean", "SE"),
                            "rows may be of models or of evals"),
    "rows of both": (("Model", TWO + "Models}", ""), ("", "Nimbus", "Heron"),
                     "both said to be of one model"),
    "a standard deviation": (("Model", TWO + "MATH}", ""), ("", "mean", "std"), "'std' below"),
    "one below a word for scores": (("Model", TWO + "Accuracy}", ""), ("", "mean", "std"),
                                    "'Accuracy' stands over names and over other heads"),
    "statistics below it": (("Model", TWO + "Accuracy}", ""), ("", "Min", "Max"),
                            "'Min' is no name"),
    "a sign": (("Model", TWO + "MATH}", ""), ("", "mean", r"$\pm$"), "'±' below"),
    "two metrics": (("Model", TWO + "DROP}", ""), ("", "F1", "EM"),
                    "two columns of 'DROP' hold the same"),
    "two settings under one name": (("Model", "MATH", "MATH"), ("", "mean", "mean"),
                                    "two columns of 'MATH' hold the same"),
    "no mean": (("Model", TWO + "MATH}", ""), ("", "SE", "n"), "holds the means of 'MATH'"),
    "a difference": (("Eval", TWO + "Nimbus}", ""), ("", "mean", r"$\Delta$"), "'Δ' below"),
    "ends without a mean": (("Eval", "Model", TWO + "Accuracy}", ""), ("", "", "Low", "High"),
                            "no column below 'Accuracy' holds the means"),
    "one end": (("Model", TWO + "o9}", ""), ("", "mean", "high"), "one end of an interval"),
    "a row of numbers": (("Model", "Accuracy", "SE"), ("Nimbus", "65.5 (5-shot)", "0.7"),
                         "has a number"),
    "a slip": (("Model", TWO + "Qestions}", ""), ("", "mean", "SE"), "'questions'"),
    "an average without a name": (("Model", "Average", TWO + "MATH}", ""), ("", "", "mean", "SE"),
                                  "of which name 'Average' is"),
    "the size of a model": (("Model", "Size", TWO + "MATH}", ""), ("", "", "mean", "SE"),
                            "of which name 'Size' is"),
    "an eval beside it": (("Model", "QA", TWO + "MATH}", ""), ("", "", "mean", "SE"),
                          "of which name 'QA' is"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNSURE)
def test_heads_that_may_mean_two_things_are_refused(case, tmp_path):
    """In LaTeX, and joined alone: nothing is read that one of two meanings would make wrong."""
    top, bottom, why = UNSURE[case]
    cells = [t for i, t in enumerate(top) if not (i and top[i - 1].startswith(TWO))]
    row = " & ".join(["A", *["50.0"] * (len(bottom) - 1)])
    text = tex("lccc", " & ".join(cells) + r" \\", " & ".join(bottom) + r" \\", r"\midrule",
               row + r" \\")  # fmt: skip
    said = refusal(tmp_path, text, "t.tex", scale="percent")
    assert said.startswith("t.tex, line 3: 2 rows are heads, and ") and why in said
    assert said.endswith("; write one line of heads, with a name in each column")


ELSEWHERE = {
    "names with unlike columns.md": (
        "| Model | MATH | | GSM8K |\n|-|-|-|-|\n| | mean | SE | mean |\n| A | 1.5 | 0.7 | 92.1 |\n",
        "t.md, line 1: 2 rows are heads, and names have unlike columns below them",
    ),
    "numbers without a head.md": (
        "| Model | MATH | | |\n|-|-|-|-|\n| | mean | SE | |\n| A | 65.5 | 0.7 | 92.1 |\n",
        "t.md, line 1: 2 rows are heads, and a column has none",
    ),
    "three lines.html": (
        page("<th>Model<th colspan=2>Maths", "<th><th colspan=2>MATH", "<th><th>mean<th>SE",
             "<td>A<td>65.5<td>0.7"),
        "t.html, line 2: 3 rows are heads; write one line of heads",
    ),
    "a heading between rows.tex": (
        tex("lcc", r"Model & \multicolumn{2}{c}{MATH} \\", r"& mean & SE \\ \midrule",
            r"\multicolumn{3}{c}{Open models} \\", r"A & 65.5 & 0.7 \\"),
        "t.tex, line 5: a cell spans 3 columns",
    ),
    "one line that spans.tex": (
        tex("lcc", r"Model & \multicolumn{2}{c}{MATH} \\ \midrule", r"A & 65.5 & 0.7 \\"),
        "t.tex, line 3: a cell spans 2 columns",
    ),
    "a mean over two rows and columns.html": (
        page("<th>Model<th>MATH<th>QA", "<td>A<td rowspan=2 colspan=2>65.5", "<td>B"),
        "t.html, line 3: a cell spans 2 columns",
    ),
    "two cells in one place.html": (
        page("<th>Model<th>MATH<th rowspan=2>QA", "<td>A<td colspan=2>65.5"),
        "t.html, line 3: two cells stand in one place",
    ),
    "a span without end.html": (page("<th colspan=9999999>A", "<td>1"), "t.html, line 2: a cell"),
    "a span and more.tex": (
        tex("lcc", r"Model & \multicolumn{2}{c}{MATH}$^a$ \\", r"& mean & SE \\"),
        "t.tex, line 3: a cell spans 2 columns and prints more",
    ),
    "a mean over two models.tex": (
        tex("lcc", r"Eval & A & B \\ \midrule", r"QA & \multicolumn{2}{c}{65.5} \\"),
        "t.tex, line 4: a cell spans 2 columns",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ELSEWHERE)
def test_what_spans_elsewhere_is_refused_with_its_line(case, tmp_path):
    text, why = ELSEWHERE[case]
    said = refusal(tmp_path, text, "t." + case.rpartition(".")[2], scale="percent")
    assert said.startswith(why) and "; " in said


def test_a_row_of_numbers_or_of_a_model_is_no_second_line_of_heads():
    top = ("Model", "MATH", "SE")
    assert not is_second(("", "A", "B"), ("Agent", "65.5", "63.0"))  # an eval of that name
    assert not is_second(("", "A", "B"), ("Accuracy", "", ""))  # a heading between rows
    for row in (("Nimbus", "65.5", "0.7"), ("mean", "-", "-"), ("", "65.5", ""), ("", "", "")):
        assert not is_second(top, row)
    assert is_second(top, ("Model", "mean", "SE"))  # a head that reaches down is said twice


def test_two_lines_alone():
    assert joined(("Eval", "Model", "Accuracy (%)", ""), ("", "", "mean", "SE"), False) == Joined(
        ("Eval", "Model", "mean (%)", "SE (%)"), ("", "", "", "")
    )
    with pytest.raises(Unjoined, match="two columns are named 'mean'"):
        joined(("Eval", "Model", "F1", "EM"), ("", "", "mean", "mean"), True)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("file", ["evals over mean and SE.tex", "thead.html", "empty cells.md"])
def test_no_damage_of_heads_moves_a_number_to_another_name(seed, file, tmp_path):
    """A cell's mark less, or one more, above the numbers: the table is refused in a sentence, or
    its means and errors still are of the model that the row names. A name may be damaged itself.
    """
    made, text = random.Random(seed), READ[file]
    at = made.randrange(text.rindex("SE", 0, text.index("Nimbus")) + 2)
    mark = made.choice(["", "&", "{", "}", "|", "<th>", "</th>", " & ", "| |", "2", "3"])
    try:
        found = checked(tmp_path, text[:at] + mark + text[at + 1 :], file, scale="percent")
    except ReportkitError as error:
        assert "\n" not in str(error)
        return
    for m in found.table.means:
        printed = {numbers for (_, model), numbers in MEANS.items() if model == m.model}
        assert m.mean is None or m.se is None or (m.mean.value, m.se.value) in printed
