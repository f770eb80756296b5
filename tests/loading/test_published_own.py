"""The tables that reportkit itself writes: those of means and differences are read in every format,
and the others are refused in words. What they hold is in the numbers of the same report.
"""

import json
from pathlib import Path

import pytest

from reportkit.analysis.published import check_published
from reportkit.errors import ReportkitError
from reportkit.loading.published import read_published
from tests.support.published_tables import checked, refusal

EXAMPLE = Path(__file__).parents[2] / "reports" / "example"
EVALS, KINDS = ("HumanEval", "MGSM"), ("csv", "html", "md", "tex")


def check_file(path: Path, name: str):
    said = {"eval": name} if name in EVALS or path.suffix == ".csv" else {}
    return check_published(*read_published(path, said))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVALS)
def test_means_of_one_eval_are_read_with_their_questions(name, kind):
    """n is in the caption, or in the CSV; results.json has the same numbers."""
    found = check_file(EXAMPLE / name / "tables" / f"means.{kind}", name)
    wanted = json.loads((EXAMPLE / name / "results.json").read_text())["evals"][0]["means"]
    means = {m["model"]: m for m in wanted}
    assert {m.model for m in found.means} == set(means) and len(found.means) == 3
    for m in found.means:
        share = m.mean if kind == "csv" else m.mean / 100.0
        assert share == pytest.approx(means[m.model]["mean"], abs=0.0006)
        assert m.n == means[m.model]["n_questions"]
    assert not found.of("inconsistent")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name, table, many",
    [
        ("HumanEval", "differences", 3), ("HumanEval", "differences-all", 3),
        ("MGSM", "differences", 3), ("MGSM", "differences-all", 3),
        ("suite", "suite-differences", 6), ("suite", "suite-overall", 3),
    ],
)  # fmt: skip
def test_differences_are_read(name, table, many, kind):
    """Three models have three pairs, on each of two evals. The names of a LaTeX table may break in
    its cells, and so may its heads.
    """
    found = check_file(EXAMPLE / name / "tables" / f"{table}.{kind}", name)
    assert len(found.table.differences) == many == len(found.differences)
    assert {d.baseline for d in found.table.differences} <= {"Galleon", "Dreadnought", "Frigate"}
    assert not found.findings


@pytest.mark.parametrize("kind", KINDS)
def test_the_means_of_a_suite_are_read(kind):
    found = check_file(EXAMPLE / "suite" / "tables" / f"suite.{kind}", "suite")
    assert len(found.means) == 6 and not found.of("inconsistent")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "table, what",
    [
        ("HumanEval/power", "can be detected"), ("HumanEval/power-all", "can be detected"),
        ("suite/power", "can be detected"), ("MGSM/ranks", "ranks"),
        ("suite/suite-ranks", "ranks"), ("MGSM/correlations", "correlation"),
    ],
)  # fmt: skip
def test_a_table_of_something_else_is_refused_in_words(table, what, kind):
    """A table of power was read as means of 15 models, which did not fit together."""
    name, file = table.split("/")
    path = EXAMPLE / name / "tables" / f"{file}.{kind}"
    with pytest.raises(ReportkitError, match=what) as said:
        read_published(path, {"eval": name})
    assert "check-table reads means, and differences of means" in str(said.value)


def test_a_file_of_text_alone_is_named_so(tmp_path):
    text = "**HumanEval: what was read.**\n\nEach model: 164 questions, none without a score.\n"
    assert "holds text and no table" in refusal(tmp_path, text, "data.md")


LONG = r"""
\begin{longtable}{@{}lrr@{}}
\caption{MATH: mean score (standard error). Metric: acc; 200 questions.}\label{t}\\
\toprule
Model & Mean (SE) & 95\% CI \\
\midrule
\endfirsthead
\toprule
Model & Mean (SE) & 95\% CI \\
\midrule
\endhead
\midrule
\multicolumn{3}{r@{}}{continued} \\
\endfoot
\endlastfoot
\begin{tabular}[t]{@{}l@{}}Meta-Llama-3\_1-\rkbreak{}{~~}70B\end{tabular} & 60.0\% (3.5\%) & --- \\
\begin{tabular}[t]{@{}l@{}}GPT-5 (high\rkbreak{ }{\phantom{0}\,}effort)\end{tabular}
& 50.5\% (3.5\%) & --- \\
\noalign{\nobreak\vskip\aboverulesep}\multispan{3}\leaders\hrule height\heavyrulewidth\hfill \\*
\insertTableNotes \\
\end{longtable}
"""


def test_a_table_over_pages_is_read_once(tmp_path):
    """Its heads stand twice, names break, and the caption inside has n."""
    found = checked(tmp_path, LONG, "t.tex", eval="MATH")
    assert [(m.model, m.mean, m.n) for m in found.means] == [
        ("Meta-Llama-3_1-70B", 60.0, 200.0), ("GPT-5 (high effort)", 50.5, 200.0)
    ]  # fmt: skip


def test_baselines_of_headings_and_of_captions(tmp_path):
    text = (
        "\\begin{tabular}{lrrr}\nModel & Baseline & Difference (SE) \\\\\n\\midrule\n"
        "\\multicolumn{3}{l}{\\textit{Baseline 1: Heron}} \\\\*\nAlba & 1 & $-$3.1 (2.1) \\\\\n"
        "\\end{tabular}\n"
    )
    assert checked(tmp_path, text, "t.tex", eval="X").table.differences[0].baseline == "Heron"
    text = (
        "**X: paired differences (standard error). Model minus He\\_ron, the highest mean, in "
        "percentage points; metric: acc.**\n\n| Model | Difference (SE) |\n|---|---|\n"
        "| Alba | −3.1 (2.1) |\n"
    )
    assert checked(tmp_path, text, "t.md", eval="X").table.differences[0].baseline == "He_ron"


def test_a_number_with_a_power_of_ten(tmp_path):
    """5.9e-06 has one decimal of its millionth: a step of 1e-07."""
    text = "eval,model,difference,baseline,se\nX,A,-8.9e-05,B,5.9e-06\n"
    found = checked(tmp_path, text, "t.csv").table.differences[0]
    assert found.difference.value == pytest.approx(-8.9e-05)
    assert found.se.step == pytest.approx(1e-07)


def test_an_interval_at_the_end_of_the_scale_may_be_a_score_interval(tmp_path):
    """Wilson's of 0 of 100 clusters reaches to z^2/(n + z^2) = 3.70%, the error being 0."""
    text = 'Eval,Model,Mean (SE),95% CI,n,clusters\nX,A,0.0% (0.0%),"(0.0%, 3.7%)",1913,100\n'
    found = checked(tmp_path, text, "t.csv")
    assert not found.of("inconsistent")
    assert [f.code for f in found.of("condition")] == ["interval-uneven"]
