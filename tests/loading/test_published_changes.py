"""Columns and rows of published tables that look like names and are none: differences, averages."""

import pytest
from support.published_tables import checked, codes, refusal

from reportkit import read_scores
from reportkit.documents.prose.checked import findings, methods, opening, told
from reportkit.documents.prose.checked_authors import to_authors
from reportkit.documents.prose.checked_pairs import conclusion_lines, conclusions
from reportkit.errors import ScoresError
from reportkit.published import PublishedDifference

HEAD = "| Eval | n | Alba | Boreas | Corvus | {} |\n|-|-|-|-|-|-|\n"
# 83.2 - 78.3 = 4.9, 70.3 - 61.4 = 8.9; 89.9 - 84.6 = 5.3, and 5.8 is printed
ROWS = (
    "| QA | 9536 | 78.3% | 80.1% | 83.2% | {}4.9% |\n"
    "| MATH | 5000 | 61.4% | 66.0% | 70.3% | {}8.9% |\n"
    "| QB | 2500 | 84.6% | 87.4% | 89.9% | {}5.8% |\n"
)


def three(head: str, sign: str = "") -> str:
    return HEAD.format(head) + ROWS.replace("{}", sign)


def who(d: PublishedDifference) -> tuple[str, str, str]:
    return d.eval, d.model, d.baseline


@pytest.mark.parametrize(
    "head",
    ["Corvus − Alba", "Corvus-Alba", "Corvus - Alba", "Corvus vs. Alba", "Corvus minus Alba",
     "Difference (Corvus − Alba)", "Δ (Corvus − Alba)", "Diff. (Corvus vs Alba) (%)",
     "Difference between Corvus and Alba"],
)  # fmt: skip
def test_a_column_that_names_two_models_of_several_is_their_difference(head, tmp_path):
    c = checked(tmp_path, three(head), "t.md")
    assert {m.model for m in c.table.means} == {"Alba", "Boreas", "Corvus"}
    assert [who(d) for d in c.table.differences] == [
        (name, "Corvus", "Alba") for name in ("QA", "MATH", "QB")
    ]
    [f] = c.of("inconsistent")
    assert (f.code, f.who) == ("difference-means", "QB, Corvus − Alba")
    assert f.message == (
        "the difference +5.8 points does not follow from the means 89.9% and 84.6%, whose "
        "difference is +5.3 points"
    )


@pytest.mark.parametrize("head", ["Difference", "Δ", "Diff.", "Δ (pp)", "Difference to Alba"])
def test_a_difference_of_nobody_knows_which_models_is_told(head, tmp_path):
    c = checked(tmp_path, three(head), "t.md")
    assert {m.model for m in c.table.means} == {"Alba", "Boreas", "Corvus"}
    assert c.table.differences == () and c.of("inconsistent") == []
    assert c.table.read_as == (
        f"Columns that are not used: {head}.",
        f"Nothing says of which two models {head!r} is the difference: call it, for example, "
        "'Boreas − Alba', and it is checked.",
    )


@pytest.mark.parametrize("head", ["Gain", "Improvement", "Abs. gain (%)", "Improvement in points"])
def test_a_gain_is_no_model_and_is_told(head, tmp_path):
    c = checked(tmp_path, three(head), "t.md")
    assert len(c.table.means) == 9 and c.table.differences == ()
    assert c.table.read_as == (f"Columns that are not used: {head}.",)


@pytest.mark.parametrize("name", ["gpt-4o-mini", "Alba-Instruct", "Diff Transformer", "Gainer-7B"])
def test_a_name_with_a_hyphen_is_a_model(name, tmp_path):
    c = checked(tmp_path, three(name), "t.md")
    assert name in {m.model for m in c.table.means} and c.table.differences == ()


def test_a_hyphen_between_two_models_is_a_model_where_it_scores_like_one(tmp_path):
    text = "| Eval | Llama | RAG | Llama-RAG |\n|-|-|-|-|\n| QA | 61.4% | 55.2% | 66.1% |\n"
    c = checked(tmp_path, text, "t.md")
    assert [m.model for m in c.table.means] == ["Llama", "RAG", "Llama-RAG"]
    c = checked(tmp_path, text.replace("66.1", "6.2"), "t.md")
    assert [who(d) for d in c.table.differences] == [("QA", "Llama", "RAG")] and codes(c) == []


def test_each_of_two_columns_is_a_difference_and_has_its_error(tmp_path):
    text = (
        "| Eval | A | B | C | B − A | SE | C − A | 95% CI |\n|-|-|-|-|-|-|-|-|\n"
        "| QA | 60.0% | 62.0% | 65.0% | +2.0% | 0.9% | +4.0% | [2.0%, 6.0%] |\n"
    )
    c = checked(tmp_path, text, "t.md")
    first, second = c.table.differences
    assert (first.baseline, first.se.value, first.low) == ("A", 0.9, None)
    assert (second.model, second.se, second.high.value) == ("C", None, 6.0)
    assert [(f.code, f.model) for f in c.findings] == [("difference-means", "C")]  # 65 - 60 = 5


@pytest.mark.parametrize(
    "head",
    ["Diff. SE", "Difference SE", "Δ SE", "SE of difference", "SE of the diff.", "SE diff", "SE Δ",
     "Std. error of difference", "SE_diff"],
)  # fmt: skip
@pytest.mark.parametrize("before", ["B − A", "Diff."])
def test_an_error_of_a_difference_is_no_model(before, head, tmp_path):
    text = f"| Eval | A | B | {before} | {head} |\n|-|-|-|-|-|\n| QA | 60% | 62% | +2.0% | 0.9% |\n"
    c = checked(tmp_path, text, "t.md")
    assert [m.model for m in c.table.means] == ["A", "B"] and c.table.read_as == ()
    assert [(d.model, d.se.value) for d in c.table.differences] == [("B", 0.9)]


def test_an_error_of_no_difference_and_a_p_value_are_not_used(tmp_path):
    text = "| Eval | A | B | Diff. SE | p-value of difference | ΔA |\n|-|-|-|-|-|-|\n"
    c = checked(tmp_path, f"{text}| QA | 60% | 62% | 0.9% | 0.03 | 2% |\n", "t.md")
    assert [m.model for m in c.table.means] == ["A", "B"] and c.table.differences == ()
    assert c.table.read_as == ("Columns that are not used: Diff. SE, p-value of difference, ΔA.",)
    down = checked(tmp_path, f"{DOWN}| SE of diff. | 0.5% | 0.9% |\n", "t.md")
    assert {m.model for m in down.table.means} == {"Alba", "Corvus"}
    assert down.table.read_as == ("Rows that are not used: SE of diff..",)


def test_half_of_the_rows_do_not_make_a_model_a_difference(tmp_path):
    """61.4 - 55.2 = 6.2 below one of two."""
    text = "| Eval | Llama | RAG | Llama-RAG |\n|-|-|-|-|\n| QA | 61.4% | 55.2% | 66.1% |\n"
    c = checked(tmp_path, text + "| QB | 61.4% | 55.2% | 6.2% |\n", "t.md")
    assert c.table.differences == () and len(c.table.means) == 6


def test_a_column_may_hold_scales_and_rows_may_be_short(tmp_path):
    c = checked(tmp_path, 'eval,model,mean,n,scale\nQA,A,5.5,100,"1,10"\n')
    assert (c.table.means[0].scale.low, c.table.means[0].scale.high) == (1.0, 10.0)
    c = checked(tmp_path, "eval,model,mean,se,baseline,difference,se\nQA,A,60%,1%,B,2%\nQA,B,58%\n")
    assert [d.se for d in c.table.differences] == [None] and len(c.table.means) == 2


# Rows ---------------------------------------------------------------------------------------------

DOWN = (
    "| Model | QA (n=9536) | QB (n = 2,500) |\n|-|-|-|\n| Alba | 78.3% (0.4%) | 84.6% (0.7%) |\n"
    "| Corvus | 83.2% (0.3%) | 89.9% (0.6%) |\n"
)


@pytest.mark.parametrize("row", ["Difference", "Δ", "Corvus − Alba", "Diff. (Corvus − Alba)"])
def test_a_row_of_differences_is_no_model(row, tmp_path):
    c = checked(tmp_path, f"{DOWN}| {row} | 4.9% | 5.8% |\n", "t.md")
    assert [m.model for m in c.table.means] == ["Alba", "Alba", "Corvus", "Corvus"]
    assert [(d.eval, {d.model, d.baseline}) for d in c.table.differences] == [
        ("QA", {"Alba", "Corvus"}), ("QB", {"Alba", "Corvus"})
    ]  # fmt: skip
    assert [f.who for f in c.of("inconsistent")] == ["QB, Corvus − Alba"]  # 5.3


@pytest.mark.parametrize("row", ["Gain", "Improvement over Alba", "Rel. change"])
def test_a_row_of_gains_is_not_used(row, tmp_path):
    c = checked(tmp_path, f"{DOWN}| {row} | 4.9% | 5.8% |\n", "t.md")
    assert len(c.table.means) == 4 and c.table.differences == ()
    assert c.table.read_as == (f"Rows that are not used: {row}.",)


def test_a_row_of_differences_of_three_models_is_told(tmp_path):
    text = f"{DOWN}| Boreas | 80.1% | 87.4% |\n| Δ | 4.9% | 5.8% |\n"
    c = checked(tmp_path, text, "t.md")
    assert len(c.table.means) == 6 and c.table.differences == ()
    assert "Nothing says of which two models 'Δ'" in c.table.read_as[1]


def test_a_row_named_delta_may_be_a_model(tmp_path):
    said = refusal(tmp_path, f"{DOWN}| Delta | 4.9% | 5.8% |\n", "t.md")
    assert "'Delta' may be a model or a difference, and '4.9%' has no sign" in said
    text = f"{DOWN}| Boreas | 80.1% | 87.4% |\n| Delta | 79.0% | 85.8% |\n"
    assert checked(tmp_path, text, "t.md").table.means[-1].model == "Delta"


def test_a_row_of_a_list_may_be_a_difference(tmp_path):
    text = "eval,model,mean\nQA,A,60.0%\nQA,B,62.0%\nQA,Difference,2.5%\nQA,Gain,3.3%\n"
    c = checked(tmp_path, text)
    assert [m.model for m in c.table.means] == ["A", "B"]
    assert c.table.read_as == ("Rows that are not used: Gain.",)
    [f] = c.findings  # one row, which fits in no order
    assert (
        f.message
        == "the difference 2.5 points is neither A − B (−2.0 points) nor B − A (+2.0 points)"
    )


def test_a_head_may_name_baseline_and_eval(tmp_path):
    """70.3 - 66.0 = 4.3."""
    text = (
        "| Model | QA (n=30) | MATH (n=5000) | Difference to Alba on MATH |\n|-|-|-|-|\n"
        "| Alba | 61.4% | 66.0% | |\n| Corvus | 70.3% | 70.3% | 4.6% |\n"
    )
    c = checked(tmp_path, text, "t.md")
    assert {m.eval for m in c.table.means} == {"QA", "MATH"}
    [f] = c.of("inconsistent")
    assert (f.code, f.who) == ("difference-means", "MATH, Corvus − Alba")
    c = checked(tmp_path, text.replace("on MATH", "on MATHS"), "t.md")
    assert c.table.differences == ()
    assert "for example, 'Difference to Alba on QA (n=30)'" in c.table.read_as[1]


# Sizes and signs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["(n=2500)", "(n = 2,500)", "(N=2500)"])
def test_the_number_of_questions_is_no_part_of_the_eval_of_a_difference(size, tmp_path):
    text = (
        f"| Eval | Alba | Corvus | Difference |\n|-|-|-|-|\n| QB {size} | 84.6% | 89.9% | 5.8% |\n"
        "| MATH (n=5000) | 61.4% | 70.3% | 8.9% |\n"
    )
    c = checked(tmp_path, text, "t.md")
    assert {d.eval for d in c.table.differences} == {"QB", "MATH"} == {m.eval for m in c.means}
    assert c.unchecked == ()
    [f] = c.of("inconsistent")  # MATH tells the order: 70.3 - 61.4 = 8.9
    assert (f.who, f.message) == (
        "QB, Corvus − Alba",
        "the difference +5.8 points does not follow from the means 89.9% and 84.6%, whose "
        "difference is +5.3 points",
    )


TWO = "| Eval | A | B | {} |\n|-|-|-|-|\n| Q1 | 60.0% | 62.0% | {} |\n| Q2 | 50.0% | 51.0% | {} |\n"


def test_where_no_row_tells_the_order_both_are_said(tmp_path):
    c = checked(tmp_path, TWO.format("Δ", "5.8%", "-3.0%"), "t.md")
    assert [f.message for f in c.findings] == [
        "the difference 5.8 points is neither A − B (−2.0 points) nor B − A (+2.0 points)",
        "the difference −3.0 points is neither A − B (−1.0 points) nor B − A (+1.0 points)",
    ]


def test_sizes_of_differences_are_no_contradiction(tmp_path):
    text = TWO.format("Δ", "2.0%", "1.0%") + "| Q3 | 70.0% | 66.0% | 4.0% |\n"
    assert codes(checked(tmp_path, text, "t.md")) == []


def test_a_head_whose_numbers_have_the_other_order_is_read_in_it(tmp_path):
    c = checked(tmp_path, TWO.format("A vs. B", "2.0%", "1.0%"), "t.md")
    assert codes(c) == [] and {who(d)[1:] for d in c.table.differences} == {("B", "A")}
    assert c.table.read_as == ("The numbers below 'A vs. B' fit B − A, and are read so.",)


@pytest.mark.parametrize("head", ["A vs. B", "Δ"])
def test_one_row_tells_the_order_of_its_column(head, tmp_path):
    """62.0 - 60.0 = 2.0."""
    first = "\n".join(TWO.format(head, "2.0%", "").splitlines()[:3])
    c = checked(tmp_path, first, "t.md")
    assert codes(c) == [] and [who(d) for d in c.table.differences] == [("Q1", "B", "A")]
    said = ("The numbers below 'A vs. B' fit B − A, and are read so.",)
    assert c.table.read_as == (() if head == "Δ" else said)


def test_one_row_with_the_other_sign_holds_under_a_condition(tmp_path):
    text = TWO.format("B − A", "+2.0%", "+1.0%") + "| Q3 | 70.0% | 66.0% | +4.0% |\n"
    [f] = checked(tmp_path, text, "t.md").findings
    assert (f.severity, f.who, f.unless) == (
        "condition",
        "Q3, B − A",
        "it is A − B, or has no sign",
    )


# Averages -----------------------------------------------------------------------------------------

MEANS = (
    "| Model | MATH (n=5000) | HumanEval (n=164) | {} |\n|-|-|-|-|\n"
    "| Alba | 66.0% | 71.3% | 68.7% |\n| Corvus | 70.3% | 84.8% | {} |\n"
)


@pytest.mark.parametrize("head", ["Average", "Avg", "Avg.", "Mean", "Macro avg", "Overall"])
def test_an_average_is_no_eval(head, tmp_path):
    """(66.0 + 71.3) / 2 = 68.65 and (70.3 + 84.8) / 2 = 77.55."""
    c = checked(tmp_path, MEANS.format(head, "77.6%"), "t.md")
    assert {m.eval for m in c.means} == {"MATH", "HumanEval"} and codes(c) == []
    assert c.table.read_as == (f"{head!r} is read as an average over evals, so it is in no pair.",)
    [f] = checked(tmp_path, MEANS.format(head, "79.6%"), "t.md").findings
    assert (f.code, f.severity, f.who) == ("average", "note", f"{head}, Corvus")
    assert f.message == (
        "the average 79.6% is not the plain mean of the 2 means of this model, 77.55%. It may be "
        "weighted, or be over other evals"
    )


def test_an_average_beside_others_that_are_plain_means_is_a_condition(tmp_path):
    """(80 + 60) / 2 = 70, (82 + 63) / 2 = 72.5, (81 + 66) / 2 = 73.5: 74.6 is no mean of its two,
    as the other two are of theirs. No weights give all: 74.6 takes .573 of QA, 70 takes .5.
    """
    table = (
        "Results (%)\n\n| Model | QA | QB | Avg. |\n|-|-|-|-|\n| Alba | 80.0 | 60.0 | {} |\n"
        "| Boreas | 82.0 | 63.0 | 72.5 |\n| Corvus | 81.0 | 66.0 | 74.6 |\n"
    )
    [f] = checked(tmp_path, table.format("70.0"), "t.md").findings
    assert (f.code, f.severity, f.who) == ("average", "condition", "Avg., Corvus")
    assert f.message == (
        "the average 74.6% is not the plain mean of the 2 means of this model, 73.50%, as the "
        "averages of 2 other models here are of theirs"
    )
    assert f.unless == "it is over other evals than theirs"
    # one of two others is no rule
    both = checked(tmp_path, table.format("71.0"), "t.md").findings
    assert [(f.severity, f.who) for f in both] == [
        ("note", "Avg., Alba"), ("note", "Avg., Corvus"),
    ]  # fmt: skip


def test_an_average_over_evals_that_are_not_all_printed_is_not_checked(tmp_path):
    text = MEANS.format("Avg.", "90.0%").replace("84.8%", "–")
    assert codes(checked(tmp_path, text, "t.md")) == []


def test_a_row_of_averages_is_no_eval(tmp_path):
    text = (
        "| Eval | Alba | Corvus |\n|-|-|-|\n| MATH | 66.0% | 70.3% |\n| GSM8K | 71.4% | 84.9% |\n"
        "| Average | 68.7% | {} |\n"
    )
    c = checked(tmp_path, text.format("77.6%"), "t.md")
    assert {m.eval for m in c.means} == {"MATH", "GSM8K"} and codes(c) == []
    assert codes(checked(tmp_path, text.format("77.9%"), "t.md")) == ["average"]
    listed = "eval,model,mean\nMATH,A,66.0%\nGSM8K,A,71.4%\nAverage,A,68.9%\n"
    assert codes(checked(tmp_path, listed)) == ["average"]  # 68.7


def test_a_column_that_names_two_rows_has_no_eval_and_is_not_used(tmp_path):
    text = "| Model | QA | QB | {} |\n|-|-|-|-|\n| A 1 | 91.3% | 78.0% | 2.1% |\n"
    text += "| B | 89.2% | 74.4% | 3.6% |\n"
    c = checked(tmp_path, text.format("A 1 − B"), "t.md")
    assert {m.eval for m in c.table.means} == {"QA", "QB"}
    assert c.table.read_as == ("Columns that are not used: A 1 − B.",)
    hyphen = checked(tmp_path, text.format("QA-B"), "t.md")  # an eval may be called so
    assert {m.eval for m in hyphen.table.means} == {"QA", "QB", "QA-B"}


ACROSS = "| Eval | n | A | B | Average |\n|-|-|-|-|-|\n| QA | 100 | 91% | 89% | 95% |\n"


def test_an_average_over_models_is_left_out_and_told(tmp_path):
    """95 lies beyond both means: it is still no model."""
    c = checked(tmp_path, ACROSS, "t.md")
    assert {m.model for m in c.table.means} == {"A", "B"} and len(c.pairs) == 1
    assert c.table.read_as == ("'Average' is read as an average over models, so it is in no pair.",)


@pytest.mark.parametrize("head", ["Average", "Avg.", "Mean", "Overall score"])
def test_an_average_beyond_its_means_is_a_finding(head, tmp_path):
    """70.3 and 84.8: no weights of them give 99.0. 69.0 lies just below both."""
    c = checked(tmp_path, MEANS.format(head, "99.0%"), "t.md")
    assert {m.eval for m in c.means} == {"MATH", "HumanEval"} and len(c.pairs) == 2
    [f] = c.findings
    assert (f.code, f.severity, f.who) == ("average", "condition", f"{head}, Corvus")
    assert f.unless == "it is over other evals too"
    assert f.message == (
        "the average 99.0% is not the plain mean of the 2 means of this model, 77.55%, and lies "
        "beyond all of them: no weights give it"
    )
    below = checked(tmp_path, MEANS.format(head, "69.0%"), "t.md").findings
    assert [x.severity for x in below] == ["condition"]


@pytest.mark.parametrize(
    "head", ["Average", "Avg", "Mean of all", "Overall", "Macro", "Average over 5 evals", "Score"]
)
@pytest.mark.parametrize("said", ["GSM8K", "MATH"])
def test_an_average_is_not_taken_for_the_eval_that_is_said(head, said, tmp_path):
    c = checked(tmp_path, MEANS.format(head, "77.6%"), "t.md", eval=said)
    assert {(m.eval, m.mean.value) for m in c.table.means} == {
        ("MATH", 66.0), ("MATH", 70.3), ("HumanEval", 71.3), ("HumanEval", 84.8)
    }  # fmt: skip
    assert [m.mean.value for m in c.table.averages] == [68.7, 77.6]
    assert c.table.read_as == (
        f"{head!r} is read as an average over evals, so it is in no pair.",
        f"The eval {said!r} that was given is not used, as the table names its evals. If {head!r} "
        f"is the mean of {said}, leave the others out.",
    )


@pytest.mark.parametrize("head", ["Average", "Overall", "Avg."])
def test_an_average_alone_is_the_mean_of_the_eval_that_is_said(head, tmp_path):
    text = (
        f"| Model | n | Params | {head} |\n|-|-|-|-|\n| A | 50 | 7 | 66% |\n| B | 50 | 8 | 70% |\n"
    )
    c = checked(tmp_path, text, "t.md", eval="GSM8K")
    assert [(m.eval, m.mean.value) for m in c.table.means] == [("GSM8K", 66.0), ("GSM8K", 70.0)]
    assert c.table.read_as == ("Columns that are not used: Params.",)
    assert "the row names no eval" in refusal(tmp_path, text, "t.md")


def test_an_average_beside_one_eval_is_of_more_evals(tmp_path):
    text = "| Model | MATH | Average |\n|-|-|-|\n| A | 66.0% | 66.5% |\n| B | 70.3% | 71.0% |\n"
    c = checked(tmp_path, text, "t.md", eval="GSM8K")
    assert {m.eval for m in c.table.means} == {"MATH"} and len(c.table.averages) == 2


def test_an_average_that_numbers_do_not_tell_is_asked_for(tmp_path):
    """Without a % and decimals the other column may be of anything; it is as large."""
    text = "| Model | MATH | Average |\n|-|-|-|\n| A | 66 | 61 |\n| B | 70 | 68 |\n"
    said = refusal(tmp_path, text, "t.md", eval="GSM8K")
    assert "'Average' beside 'MATH' may be the mean of one eval or an average over several" in said
    assert said.endswith("call the column after its eval, or leave it out")


def test_runs_of_one_eval_are_no_evals(tmp_path):
    text = "| Model | Run 1 | Run 2 | Mean |\n|-|-|-|-|\n| A | 66% | 68% | 67% |\n"
    text += "| B | 70% | 72% | 71% |\n"
    c = checked(tmp_path, text, "t.md", eval="QA")
    assert [(m.eval, m.mean.value) for m in c.table.means] == [("QA", 67.0), ("QA", 71.0)]
    assert c.table.read_as == ("Columns that are not used: Run 1, Run 2.",)


def test_a_list_of_evals_and_models_keeps_its_means(tmp_path):
    """50, 60 and their mean 55 stand in one row, and the eval and the model beside them."""
    text = "eval,model,low tier,high tier,average\nQA,A,50.0%,60.0%,55.0%\nQB,A,52.0%,62.0%,57.0%\n"
    c = checked(tmp_path, text)
    assert [(m.eval, m.mean.value) for m in c.table.means] == [("QA", 55.0), ("QB", 57.0)]


@pytest.mark.parametrize(
    ("head", "missing", "example"),
    [("Δ vs. Alba", "on which eval", "Difference to Alba on MATH (n=5000)"),
     ("Δ on HumanEval", "from which model", "Difference to Alba on HumanEval (n=164)"),
     ("Δ", "from which model, and on which eval,", "Difference to Alba on MATH (n=5000)")],
)  # fmt: skip
def test_what_is_missing_of_a_difference_is_said(head, missing, example, tmp_path):
    c = checked(tmp_path, MEANS.format(head, "+4.3%").replace("68.7%", ""), "t.md")
    assert c.table.read_as[1] == (
        f"Nothing says {missing} {head!r} is the difference: call it, for example, {example!r}, "
        "and it is checked."
    )


def test_a_mean_beside_numbers_that_are_no_scores_is_the_mean(tmp_path):
    """No row's mean is that of its other numbers: nothing is taken for an average."""
    text = "| Model | Size | Year | Mean |\n|-|-|-|-|\n| A | 8 | 24 | 66 |\n| B | 70 | 25 | 71 |\n"
    assert "the row names no eval" in refusal(tmp_path, text, "t.md")
    c = checked(tmp_path, text, "t.md", eval="QA")
    assert [(m.eval, m.mean.value) for m in c.table.means] == [("QA", 66.0), ("QA", 71.0)]


def test_the_first_column_may_be_that_of_errors(tmp_path):
    """No gain stands before it."""
    c = checked(tmp_path, "|SE|Eval|Model|Mean|n|\n|-|-|-|-|-|\n|0.7%|Q|A|65.5%|5000|\n", "t.md")
    [m] = c.table.means
    assert (m.mean.value, m.se.value, c.table.read_as) == (65.5, 0.7, ())


# Captions -----------------------------------------------------------------------------------------

BARE = "| Eval | n | A | B |\n|-|-|-|-|\n| QA | 1000 | 60.0 ± 9.9 | 65.0 ± 9.9 |\n"


@pytest.mark.parametrize("caption", ["Table 2: Results (%).", "Pass@1 in % here", "(F1, %)"])
def test_a_caption_may_say_that_means_are_percentages(caption, tmp_path):
    c = checked(tmp_path, f"{caption}\n\n{BARE}".replace(" ± 9.9", ""), "t.md")
    assert all(m.scale.percent for m in c.table.means)
    assert c.table.read_as == ("Means are percentages, as the caption says.",)
    text = f"{caption}\n\n{BARE}".replace(" ± 9.9", "")
    said = checked(tmp_path, text, "t.md", scale="0,1000")
    assert said.table.means[0].scale.high == 1000.0 and said.table.read_as == ()
    gains = checked(tmp_path, f"Relative gains (%)\n\n{BARE}".replace(" ± 9.9", ""), "t.md")
    assert not any(m.scale.known for m in gains.table.means)


def test_a_head_may_say_it_and_a_share_below_it_is_asked_for(tmp_path):
    text = BARE.replace("Eval", "Eval (%)").replace(" ± 9.9", "")
    c = checked(tmp_path, text, "t.md")
    assert all(m.scale.percent for m in c.table.means)
    assert c.table.read_as == ("Means are percentages, as the head 'Eval (%)' says.",)
    assert "has no % and others have it" in refusal(tmp_path, text.replace("60.0", "0.62"), "t.md")
    low = checked(tmp_path, text.replace("60.0", "1.55"), "t.md")  # no share is above 1
    assert low.table.means[0].scale.percent
    written = text.replace("60.0", "60.0%").replace("65.0", "65.0%")
    assert checked(tmp_path, written, "t.md").table.read_as == ()


@pytest.mark.parametrize(
    ("caption", "low"),
    [("± denotes the standard error.", None), ("Mean ± SE.", None), ("± is the 95% CI.", 50.1),
     ("Standard errors are given after ±.", None)],
)  # fmt: skip
def test_a_caption_may_say_what_stands_after_plus_minus(caption, low, tmp_path):
    """60.0 - 9.9 = 50.1."""
    c = checked(tmp_path, f"Table 2: Results (%).\n{caption}\n\n{BARE}", "t.md")
    first = c.table.means[0]
    found = (first.se.value, first.low) if low is None else (first.se, first.low.value)
    assert found == ((9.9, None) if low is None else (None, pytest.approx(low)))
    assert len(c.table.read_as) == 2 and c.table.read_as[1].endswith(", as the caption says.")
    assert c.table.means[0].place.table == "Table 2: Results (%)"


def test_what_numbers_after_plus_minus_are_like_is_told(tmp_path):
    """100 sqrt(.6 * .4 / 1000) = 1.55, 100 sqrt(.65 * .35 / 1000) = 1.51; 1.96 of it 3.04, 2.96."""
    for first, second, size in (
        ("1.55", "1.51", "are as large as"),
        ("3.04", "2.96", "about twice"),
    ):
        text = BARE.replace("60.0 ± 9.9", f"60.0% ± {first}%")
        c = checked(tmp_path, text.replace("65.0 ± 9.9", f"65.0% ± {second}%"), "t.md")
        [said] = c.table.read_as
        assert "2 of the 2 that tell it" in str(said) and size in str(said)


def test_the_level_of_an_interval_is_that_of_the_caption(tmp_path):
    """2.55 = 1.645 sqrt(.6 * .4 / 1000)."""
    text = BARE.replace("9.9", "2.55")
    c = checked(tmp_path, f"Results (%). Mean ± 90% CI.\n\n{text}", "t.md", level=0.99)
    assert [m.level for m in c.table.means] == [0.9, 0.9]
    assert c.means[0].se == pytest.approx(1.55, abs=0.01)


@pytest.mark.parametrize(
    "caption", ["Mean ± std over 5 seeds.", "Standard deviations in parentheses."]
)
def test_a_standard_deviation_is_no_standard_error(caption, tmp_path):
    text = f"{caption}\n\n{BARE}"
    if "paren" in caption:
        text = text.replace("± 9.9", "(9.9)")
    assert "a standard deviation stands beside the means" in refusal(tmp_path, text, "t.md")


def test_who_is_asked_for_what_stands_after_plus_minus_is_told_what_would_help(tmp_path):
    said = refusal(tmp_path, "| Model | IFEval |\n|-|-|\n| A | 91.2 ± 0.8 |\n", "t.md")
    assert said.endswith(
        "say --plus-minus se for standard errors, or --plus-minus interval for half an interval; "
        "the numbers may tell with --questions IFEval=NUMBER and --scale percent where the means "
        "are percentages"
    )


# Words --------------------------------------------------------------------------------------------


def test_a_document_names_options_and_tells_nobody_to_say_them(tmp_path):
    c = checked(tmp_path, "eval,model,mean,n,se\nDROP,A,60,1000,1.0\nDROP,B,63,1000,1.0\n")
    ways = "--scale percent, or --scale LOW,HIGH with the smallest and the largest score."
    assert f"no scale is printed. Say {ways}" in opening(c)
    text = findings(c)
    assert "no scale is printed. The options are `--scale percent`, or `--scale LOW,HIGH` " in text
    assert "ay --" not in text + methods(c) and "The options are `--scale percent`" in methods(c)
    c = checked(tmp_path, "eval,model,mean\nSQuAD 2.0,A,60.0%\nSQuAD 2.0,B,60.5%\n")
    assert "The option is `--questions 'SQuAD 2.0=NUMBER'`." in methods(c)
    assert "The option is `--questions EVAL=NUMBER` with how many" in conclusions(c)
    c = checked(tmp_path, "eval,model,mean,n\nDROP,A,60.0%,1000\nDROP,B,60.5%,1000\n")
    assert (
        "The options are `--scores binary` if each answer is right or wrong, or `--scores "
        "fractional` if not." in findings(c)
    )


def test_a_name_that_looks_like_an_option_is_a_name(tmp_path):
    """What was found by a pattern in sentences took names of the table for options too."""
    text = "eval,model,mean,n\nQA,say --x y,60.05%,100\nQA,B,60%,100\n"
    c = checked(tmp_path, text, scores="binary")
    assert "QA, say --x y: 60.05% is no share" in told(c, "inconsistent")[0]
    assert "`" not in findings(c) and "the option is" not in findings(c)


def test_how_the_table_was_read_stands_by_itself(tmp_path):
    text = methods(checked(tmp_path, MEANS.format("Average", "77.6%"), "t.md"))
    assert "\n\nHow the table was read, and what was left out:\n\n- 'Average' is read as" in text


def test_a_name_cannot_end_the_code_of_an_option(tmp_path):
    c = checked(tmp_path, "eval,model,mean\nQ`<b>`,A,60.0%\nQ`<b>`,B,60.5%\n")
    assert "`--questions 'Q'<b>'=NUMBER'`" in methods(c)


def test_authors_are_asked_whether_errors_allow_for_groups(tmp_path):
    text = "eval,model,mean,n,se\nMGSM,A,60.0%,2500,1.0%\nMGSM,B,61.0%,2500,1.0%\n"
    asked = "Could you tell us whether the errors of MGSM allow for questions that come in groups?"
    assert to_authors(checked(tmp_path, text)).strip().endswith(asked)
    wrong = to_authors(checked(tmp_path, text.replace("1.0%\n", "9.0%\n")))
    assert wrong.strip().endswith(asked.replace("you tell", "you also tell"))
    for said in ("naive", "clustered"):
        assert "come in groups?" not in to_authors(checked(tmp_path, text, errors=said))
    assert "groups?" not in to_authors(checked(tmp_path, text.replace("MGSM", "MATH")))


def test_what_more_digits_might_settle_agrees_with_what_is_settled(tmp_path):
    """62.8 - 60.0 = 2.8 = 2.02 sqrt(.98^2 + .98^2), and 2.7 is 1.95 of it."""
    text = "eval,model,mean,n,se\nQ,A,60.0%,2500,0.98%\nQ,B,62.8%,2500,0.98%\n"
    first, second = conclusion_lines(checked(tmp_path, text))[:2]
    assert first.endswith(
        "no pair is settled by the printed digits. That does not say that models are equal."
    )
    assert second == "More digits might settle these: A and B on Q."


@pytest.mark.parametrize("end", ["\r", "\rx"])
def test_a_carriage_return_inside_a_line_is_named(tmp_path, end):
    said = refusal(tmp_path, f"eval,model,mean,n\nQA,A,80{end},100\nQA,B,70,100\n", "t.csv")
    assert said == (
        "t.csv, line 2: a line has a carriage return in its middle; save the file with line ends "
        "of one kind, or quote the cell that holds it"
    )
    path = tmp_path / "scores.csv"
    path.write_bytes(f"model,question_id,score\nA,q1,1\nA,q2{end},0\n".encode())
    with pytest.raises(ScoresError, match="a line has a carriage return in its middle"):
        read_scores(path)
