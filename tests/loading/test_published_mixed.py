"""Published tables that have means and differences in one row, and heads that name a baseline."""

import pytest
from support.published_tables import checked, codes, refusal

ROWS = """\
| Eval | Model | Mean | SE | n | Baseline | Difference | SE | 95% CI |
|---|---|---|---|---|---|---|---|---|
| QA | A | 65.5% | 0.7% | 5000 | B | +2.5% | 0.8% | (+0.9%, +4.1%) |
| QA | B | 63.0% | 0.7% | 5000 | | | | |
"""


def test_a_row_has_a_mean_and_a_difference(tmp_path):
    """What stands before the difference is of the mean, what stands behind it is not."""
    c = checked(tmp_path, ROWS, "t.md")
    a, b = c.table.means
    (d,) = c.table.differences
    assert [(m.model, m.mean.value, m.se.value, m.low, m.n.value) for m in (a, b)] == [
        ("A", 65.5, 0.7, None, 5000.0), ("B", 63.0, 0.7, None, 5000.0)
    ]  # fmt: skip
    assert (d.model, d.baseline, d.difference.value, d.se.value) == ("A", "B", 2.5, 0.8)
    assert (d.low.value, d.high.value, d.level) == (0.9, 4.1, 0.95)
    assert codes(c) == []
    wrong = checked(tmp_path, ROWS.replace("+2.5%", "+3.5%").replace("(+0.9%, +4.1%)", ""), "t.md")
    assert codes(wrong) == ["difference-means"]


def test_a_mean_that_several_differences_repeat_is_one(tmp_path):
    text = "eval,model,mean,baseline,difference\n" + "".join(
        f"QA (n=500),A,70.0%,{name},+{10 + i}.0%\n" for i, name in enumerate("BCDEFG")
    )
    c = checked(tmp_path, text)
    assert len(c.table.means) == 1 and len(c.table.differences) == 6
    assert c.table.means[0].n.value == 500 and c.table.means[0].eval == "QA"
    twice = checked(tmp_path, text.replace("70.0%,C", "71.0%,C"))
    assert [m.mean.value for m in twice.table.means] == [70.0, 71.0]


@pytest.mark.parametrize(
    "head", ["Δ vs. A", "Diff. to A", "Difference from A (%)", "delta over A", "Δ against A"]
)
def test_a_head_names_the_baseline(head, tmp_path):
    """The row of the baseline has no difference of its own; the interval is of the difference."""
    text = (
        f"| Model | Accuracy | {head} | 95% CI |\n|---|---|---|---|\n"
        "| A | 92.1% | – | |\n| B | 90.4% | -1.7% | [-3.5%, 0.1%] |\n"
    )
    c = checked(tmp_path, text, "t.md", eval="QA")
    assert [(m.model, m.mean.value, m.low) for m in c.table.means] == [
        ("A", 92.1, None), ("B", 90.4, None)
    ]  # fmt: skip
    (d,) = c.table.differences
    assert (d.model, d.baseline, d.difference.value, d.low.value) == ("B", "A", -1.7, -3.5)
    assert codes(c) == []
    assert codes(checked(tmp_path, text.replace("-1.7", "-2.7"), "t.md", eval="QA"))[:1] == [
        "difference-means"
    ]


@pytest.mark.parametrize("head", ["Δ", "Δ vs. SOTA", "Gain", "Improvement over A", "Rel. change"])
def test_a_change_from_nobody_is_not_used(head, tmp_path):
    """Nor what stands behind it: its interval is not that of the mean, which it does not hold."""
    text = f"model,accuracy,{head},95% CI\nA,92.1%,,\nB,90.4%,-1.7%,[-3.5%; 0.1%]\n"
    c = checked(tmp_path, text, eval="QA")
    assert [(m.mean.value, m.low) for m in c.table.means] == [(92.1, None), (90.4, None)]
    assert c.table.differences == () and codes(c) == []
    assert f"Columns that are not used: {head}" in c.table.read_as[0]


def test_without_means_a_difference_needs_its_baseline(tmp_path):
    said = refusal(tmp_path, "eval,model,difference\nQA,A,1%\n", "t.csv")
    assert "add a column 'baseline'" in said


@pytest.mark.parametrize(
    "text",
    [
        "Model,QA (n=500),QB (n=500),Δ\nA,92.0%,90.4%,+1.6%\nB,91.0%,90.4%,+0.6%\n",
        "Model,QA (n=500),QB (n=500),Δ vs. A\nA,92.0%,90.4%,\nB,91.0%,90.4%,-0.5%\n",
        "Eval,A,B,C,Δ\nQA,92.0%,90.4%,90.2%,+1.6%\n",
        "Eval,A,B,Δ vs. C\nQA,92.0%,90.4%,+0.6%\n",
    ],
)
def test_a_difference_of_more_than_two_numbers_is_told_and_not_used(text, tmp_path):
    c = checked(tmp_path, text)
    assert len(c.table.means) in (2, 3, 4) and c.table.differences == () and codes(c) == []
    assert c.table.read_as[0].startswith("Columns that are not used: Δ")


def test_a_bold_caption_and_links_are_names(tmp_path):
    text = (
        "**Table 4.** Accuracy on QA, 95% CI in brackets.\n\n"
        "| Model | QA | Weights |\n|---|---|---|\n| [A-7B](https://example.org/a) | 61.0% | 7B |\n"
    )
    assert "'7B' below 'Weights' is no number" in refusal(tmp_path, text, "t.md")
    assert refusal(tmp_path, text, "t.md").endswith("or leave the column out")
    (m,) = checked(tmp_path, text.replace(" Params |", "").replace(" 7B |", ""), "t.md").table.means
    assert (m.model, m.place.table) == ("A-7B", "Table 4")
