"""What stands in a table and is no eval, no model and no score: it is not used, and listed."""

import pytest
from support.published_tables import checked, codes, refusal, sentences

from reportkit.loading.published.others import is_no_score, is_statistic


def unused(c) -> list[str]:
    """What the answer lists as not used."""
    return [x for x in sentences(c.table.read_as) if "not used" in x]


def names(c) -> tuple[set[str], set[str]]:
    """The evals and the models that have means."""
    return {m.eval for m in c.table.means}, {m.model for m in c.table.means}


def test_columns_beside_evals_that_are_no_scores(tmp_path):
    """The average is that of the two evals, (64.2 + 85.8) / 2 = 75.0: no finding."""
    text = (
        "|Model|Params (B)|Tokens (T)|MMLU|GSM8K|Arena Elo|PPL ↓|Avg. rank|Avg.|\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| Nimbus | 7 | 2.0 | 64.2 | 85.8 | 1,151 | 5.68 | 2.5 | 75.0 |\n"
        "| Heron | 13 | 15.0 | 68.9 | 82.7 | 1,187 | 5.09 | 1.5 | 75.8 |\n"
    )
    c = checked(tmp_path, text, "t.md", scale="percent")
    assert names(c) == ({"MMLU", "GSM8K"}, {"Nimbus", "Heron"})
    assert c.findings == () and len(c.table.averages) == 2
    assert unused(c) == [
        "Columns that are not used: Params (B), Tokens (T), Arena Elo, PPL ↓, Avg. rank."
    ]


@pytest.mark.parametrize(
    "head",
    ["Context (k)", "Year", "Perplexity", "Cost ($/M)", "Latency (s)", "Speed", "Std", "Elo",
     "Size", "Size (B)", "FLOPs", "Training FLOPs (1e21)", "Release", "Release date", "Date",
     "# Params", "Active params", "Throughput (tokens/s)", "Budget ($)", "Corpus (T)",
     "Avg. tokens", "Chatbot Arena (Elo)", "GPU hours", "Best", "Range"],
)  # fmt: skip
def test_a_column_of_no_score_is_no_eval(tmp_path, head):
    text = f"Model,{head},GPQA,AIME\nNimbus,128,37.9,13.3\nHeron,200,34.3,6.7\n"
    c = checked(tmp_path, text, scale="percent")
    assert names(c)[0] == {"GPQA", "AIME"} and len(unused(c)) == 1 and c.findings == ()
    assert all(m.n is None for m in c.table.means)


def test_the_size_of_a_model_is_no_number_of_questions(tmp_path):
    c = checked(tmp_path, "Model,Size,GSM8K\nNimbus,7,37.9\nHeron,13,34.3\n", scale="percent")
    assert [m.n for m in c.table.means] == [None, None]
    assert unused(c) == ["Columns that are not used: Size."]
    c = checked(tmp_path, "Eval,Size,Nimbus,Heron\nGSM8K,1319,37.9,34.3\n", scale="percent")
    assert [m.n.value for m in c.table.means if m.n] == [1319.0, 1319.0]


@pytest.mark.parametrize(
    "head",
    ["Gap", "Best", "Worst", "Std", "Max", "Min", "Range", "Rel. improv. (%)", "Rel. Δ vs. Heron",
     "% change vs. Heron", "Relative gain", "Year", "Median"],
)  # fmt: skip
def test_a_column_beside_models_that_is_computed_from_them_is_no_model(tmp_path, head):
    text = f"Eval,n,Nimbus,Heron,Human,{head}\nGSM8K,1319,85.8,82.7,97.0,3.1\n"
    text += "GPQA,198,37.9,34.3,69.7,3.6\n"
    c = checked(tmp_path, text, scale="percent")
    assert names(c)[1] == {"Nimbus", "Heron", "Human"} and codes(c) == []
    assert len(unused(c)) == 1 and c.table.differences == ()


def test_rows_that_are_no_models_and_no_evals(tmp_path):
    text = "| Model | GPQA | AIME |\n|-|-|-|\n| Nimbus | 37.9 | 13.3 |\n| Heron | 34.3 | 6.7 |\n"
    c = checked(tmp_path, text + "| Best | 37.9 | 13.3 |\n| Gap | 3.6 | 6.6 |\n", "t.md")
    assert names(c)[1] == {"Nimbus", "Heron"}
    assert unused(c) == ["Rows that are not used: Best, Gap."]
    text = "| Eval | Nimbus | Heron |\n|-|-|-|\n| GPQA | 37.9 | 34.3 |\n| AIME | 13.3 | 6.7 |\n"
    c = checked(tmp_path, text + "| Arena Elo | 1151 | 1187 |\n| Year | 2021 | 2023 |\n", "t.md")
    assert names(c)[0] == {"GPQA", "AIME"}
    assert unused(c) == ["Rows that are not used: Arena Elo, Year."]
    text = "eval,model,mean\nGPQA,Nimbus,37.9\nGPQA,Heron,34.3\nGPQA,Gap,3.6\n"
    text += "Arena Elo,Heron,1151\n"
    c = checked(tmp_path, text)
    assert names(c) == ({"GPQA"}, {"Nimbus", "Heron"})
    assert unused(c) == ["Rows that are not used: Gap, Arena Elo."]


def test_names_that_are_like_them_stay():
    evals = ("GSM8K (5-shot)", "TimeQA", "Date Understanding", "MMLU (%)", "HumanEval (pass@1)",
             "MATH (CoT)", "WikiText PPL", "MT-Bench (0-10)", "ARC (C)")  # fmt: skip
    assert [x for x in evals if is_no_score(x)] == []
    models = ("Human", "Random", "Llama (7B)", "GPT-2 Best", "Maxwell", "Qwen Max", "RelGPT")
    assert [x for x in models if is_statistic(x) or is_no_score(x)] == []


def test_all_columns_are_of_no_score(tmp_path):
    told = refusal(tmp_path, "| Model | Year | Elo |\n|-|-|-|\n| A | 2021 | 1151 |\n", "t.md")
    assert "no column holds the means" in told


WIDE = "Model,GSM8K (n=1319),GSM8K SE,GSM8K 95% CI,AIME\n"


@pytest.mark.parametrize(("begins", "ends"), ["[]", "()"])
def test_a_column_of_intervals_beside_an_eval_is_no_column_of_words(tmp_path, begins, ends):
    """Half of 77.0 to 85.6 is 4.3 points, and 1.96 errors of 1.1 points are 2.2."""
    rows = 'Nimbus,84.5,1.0,"{0}82.6, 86.5{1}",13.3\nHeron,81.3,1.1,"{0}77.0, 85.6{1}",6.7\n'
    c = checked(tmp_path, WIDE + rows.format(begins, ends), scale="percent")
    assert unused(c) == [] and names(c)[0] == {"GSM8K", "AIME"}
    assert [(f.code, f.model) for f in c.findings] == [("interval-error", "Heron")]


@pytest.mark.parametrize("word", ["SE", "Std. Err.", "CI", "95% CI"])
@pytest.mark.parametrize("name", ["Nimbus", "nimbus", "Corvus"])
def test_an_error_of_no_column_is_refused_and_is_no_model(tmp_path, word, name):
    """The table calls its model Nimbus-7B, and an error is a mean of nobody."""
    cell = '"(82.6%, 86.5%)"' if "CI" in word else "1.0%"
    text = (
        f"Eval,n,Nimbus-7B,{name} {word},Heron,Heron {word}\nGSM8K,1319,84.5%,{cell},81.3%,{cell}\n"
    )
    said = refusal(tmp_path, text, "t.csv")
    assert f"no column is called {name!r}, of which '{name} {word}' seems to be" in said
    assert f"such as 'Nimbus-7B {word}'" in said
    right = text.replace(f"{name} {word}", f"Nimbus-7B {word}")
    assert names(checked(tmp_path, right))[1] == {"Nimbus-7B", "Heron"}


@pytest.mark.parametrize("head", ["iPhone SE", "Ours (95% CI)", "Ours ± SE", "Swedish CI"])
def test_a_name_that_ends_like_an_error_is_a_name_where_no_other_column_is_like_it(tmp_path, head):
    c = checked(tmp_path, f"Eval,n,Nimbus,{head}\nGSM8K,1319,84.5%,81.3%\n")
    assert len(c.table.means) == 2


@pytest.mark.parametrize("name", ["Overall", "Avg.", "Average"])
@pytest.mark.parametrize("word", ["SE", "95% CI"])
def test_an_error_of_an_average_is_not_used(tmp_path, name, word):
    """(84.5 + 45.5) / 2 = 65.0 and (81.3 + 50.7) / 2 = 66.0: the averages hold."""
    cell = '"[63.0, 67.0]"' if "CI" in word else "1.0"
    text = (
        f"Model,{name},{name} {word},GSM8K,GSM8K SE,MATH,MATH SE\n"
        f"Nimbus,65.0,{cell},84.5,1.0,45.5,2.0\nHeron,66.0,{cell},81.3,1.1,50.7,2.0\n"
    )
    c = checked(tmp_path, text, scale="percent")
    assert names(c)[0] == {"GSM8K", "MATH"} and len(c.table.averages) == 2
    assert unused(c) == [f"Columns that are not used: {name} {word}."] and c.findings == ()


@pytest.mark.parametrize(
    ("head", "meant"),
    [("Nimbus 7B SE", "Nimbus-7B SE"), ("nimbus_7b 95% CI", "Nimbus-7B 95% CI"),
     ("7B SE", "Nimbus-7B SE"), ("Nimbus-CI", "Nimbus-7B CI")],
)  # fmt: skip
def test_an_error_of_a_name_that_is_written_otherwise_is_refused(tmp_path, head, meant):
    text = f"Eval,n,Nimbus-7B,Heron,{head}\nGSM8K,1319,84.5,81.3,1.0\n"
    assert f"such as {meant!r}" in refusal(tmp_path, text, "t.csv")
