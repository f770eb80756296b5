"""What names and captions say of evals: scales, numbers of questions, settings of tables."""

import math

import pytest
from support.published_tables import checked, codes, sentences

from reportkit.published import PERCENT, SHARE, Scale

MIXED = "|Model|MT-Bench|HumanEval (n=164)|\n|-|-|-|\n| A | 7.85 | 66.5% |\n| B | 8.12 | 72.6% |\n"


def scales(c) -> dict[str, Scale]:
    return {m.eval: m.scale for m in c.table.means}


@pytest.mark.parametrize("scale", ["0,10", "MT-Bench=0,10", ("none", "MT-Bench=0,10")])
def test_a_printed_percentage_holds_over_the_scale_of_the_others(tmp_path, scale):
    c = checked(tmp_path, MIXED, "t.md", scale=scale)
    assert scales(c) == {"MT-Bench": Scale(0.0, 10.0), "HumanEval": PERCENT}
    assert codes(c) == []


def test_a_head_with_a_percent_sign_holds_over_the_scale_of_the_others(tmp_path):
    text = "Model,MT-Bench,AlpacaEval LC (%)\nA,7.85,24.3\nB,8.12,28.7\n"
    c = checked(tmp_path, text, scale="0,10")
    assert scales(c) == {"MT-Bench": Scale(0.0, 10.0), "AlpacaEval LC (%)": PERCENT}
    assert codes(c) == []


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("MT-Bench (0–10)", Scale(0.0, 10.0)),
        ("MT-Bench (1-10)", Scale(1.0, 10.0)),
        ("MT-Bench (/10)", Scale(0.0, 10.0)),
        ("MT-Bench (out of 10)", Scale(0.0, 10.0)),
        ("MT-Bench (1-10, turn 2)", Scale(1.0, 10.0)),
        ("Judge (0-1)", SHARE),
        ("MMLU (%)", PERCENT),
        ("AIME (1-15)", PERCENT),  # problems: as --scale says
        ("AIME (2024-2025)", PERCENT),
        ("BBH (0-5 shots)", PERCENT),
    ],
)
def test_the_scale_in_the_name_of_an_eval(tmp_path, name, scale):
    for text in (
        f'Eval,n,A,B\n"{name}",80,7.85,8.12\n',
        f'Model,"{name}",GPQA\nA,7.85,30.1\nB,8.12,32.2\n',
    ):
        c = checked(tmp_path, text.replace("7.85", "0.85").replace("8.12", "0.62")
                    if scale == SHARE else text, scale="percent")  # fmt: skip
        assert c.table.means[0].scale == scale


def test_the_scale_in_a_head_of_a_list(tmp_path):
    text = "eval,model,Score (1-10)\nMT-Bench,A,7.85\n"
    assert checked(tmp_path, text, scale="percent").table.means[0].scale == Scale(1.0, 10.0)


def test_the_scale_of_one_eval_as_the_user_says(tmp_path):
    """The caption says percent of all; the option holds over it, and over the name, of one."""
    text = "Table 1: Results (%).\n\n| Model | Judge (0-10) | GPQA |\n|-|-|-|\n| A | 7.8 | 37.9 |\n"
    c = checked(tmp_path, text, "t.md", scale=("Judge=1,100",))
    assert scales(c) == {"Judge (0-10)": Scale(1.0, 100.0), "GPQA": PERCENT}
    toml = 'scale = { Q = "1,10" }\n[[means]]\neval = "Q"\nmodel = "A"\nmean = 7.5\n'
    assert scales(checked(tmp_path, toml, "t.toml")) == {"Q": Scale(1.0, 10.0)}


@pytest.mark.parametrize(
    ("scale", "why"),
    [("MT-Bank=0,10", "no eval 'MT-Bank' in the table; did you mean 'MT-Bench'?"),
     ("MT-Bench=", "give EVAL=LOW,HIGH"), ("percent;share", "give one scale"),
     ("MT-Bench=ten", "scale = 'ten'")],
)  # fmt: skip
def test_a_scale_that_is_not_understood(tmp_path, scale, why):
    with pytest.raises(Exception, match=r".") as refused:
        checked(tmp_path, MIXED, "t.md", scale=scale)
    assert why in str(refused.value)


def test_percent_is_not_the_scale_of_a_loss(tmp_path):
    text = "Model,WikiText PPL,GPQA\nA,5.68,30.1\nB,5.09,32.2\n"
    found = scales(checked(tmp_path, text, scale="percent"))
    assert not found["WikiText PPL"].known and found["GPQA"] == PERCENT


# Numbers of questions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "name", "n"),
    [
        ("GSM8K (1319)", "GSM8K", 1319),
        ("GSM8K (1,319)", "GSM8K", 1319),
        ("HumanEval (n=164)", "HumanEval", 164),
        ("HumanEval (5-shot, n=164)", "HumanEval (5-shot)", 164),
        ("MATH-500 (pass@1, n=500)", "MATH-500 (pass@1)", 500),
        ("MATH (n = 5,000, 4-shot)", "MATH (4-shot)", 5000),
        ("GPQA (198 questions)", "GPQA", 198),
        ("MT-Bench (0–10, 80 questions)", "MT-Bench (0–10)", 80),
        ("AIME (2024)", "AIME (2024)", None),
        ("AIME (2,024)", "AIME", 2024),
        ("BBH (3)", "BBH (3)", None),
        ("BBH (100)", "BBH (100)", None),
        ("BBH (64-shot)", "BBH (64-shot)", None),
        ("MMLU (0314)", "MMLU (0314)", None),
    ],
)
def test_the_number_of_questions_in_the_name_of_an_eval(tmp_path, head, name, n):
    c = checked(tmp_path, f'Model,"{head}",DROP\nA,7.5,60.1\nB,7.0,61.2\n')
    m = c.table.means[0]
    assert (m.eval, m.n.value if m.n else None) == (name, n)
    c = checked(tmp_path, f'Eval,A,B\n"{head}",7.5,7.0\nDROP,60.1,61.2\n')
    m = c.table.means[0]
    assert (m.eval, m.n.value if m.n else None) == (name, n)


def test_a_number_without_a_word_is_told_and_versions_of_models_stay(tmp_path):
    text = "Eval,n,GPT-4 (0314),GPT-4 (1106)\nGSM8K (1319),1319,85.8,82.7\n"
    c = checked(tmp_path, text, scale="percent")
    assert {m.model for m in c.table.means} == {"GPT-4 (0314)", "GPT-4 (1106)"}
    assert c.table.means[0].eval == "GSM8K (1319)"  # a column says n, so the name stays
    c = checked(tmp_path, text.replace(",n,", ",").replace(",1319,", ","), scale="percent")
    assert sentences(c.table.read_as)[0] == (
        "Numbers in brackets behind evals are read as their numbers of questions: 1319 of GSM8K."
    )
    c = checked(tmp_path, "Model,QA (1319),QA SE\nA,85.8,1.0\n", scale="percent")
    assert [(m.eval, m.se.value) for m in c.table.means] == [("QA", 1.0)]


SINGLE = "Each question has one score, 0 or 1, as the text beside the table says."


@pytest.mark.parametrize(
    ("caption", "binary"),
    [
        ("Table 1: Accuracy (%), one right-or-wrong answer to each question.", True),
        ("Accuracy (%). Each question has one answer, which is scored as right or wrong.", True),
        ("Table 1: Accuracy (%). A single binary answer per question.", True),
        ("Table 1: Accuracy (%). At least one right-or-wrong answer to each question.", False),
        ("Table 1: Accuracy (%). More than one right or wrong answer to each question.", False),
        ("Table 1: Accuracy (%). One binary answer to each question, except QB.", False),
        ("Table 1: Accuracy (%). One binary answer to each question of QA.", False),
        ("Table 1: Accuracy (%), one answer to each question.", False),
        ("Table 1: Accuracy (%), one binary answer per question, mean of 3 runs.", False),
    ],
)
def test_the_caption_says_that_answers_are_right_or_wrong(tmp_path, caption, binary):
    """65.51% of 1,000 is no number of right answers; without the caption it is only odd."""
    table = (
        "\n\n| Model | QA (n=1000) | QB (n=200) |\n|-|-|-|\n| A | 65.51 | 50.0 |\n| B | 60 | 40 |\n"
    )
    c = checked(tmp_path, caption + table, "t.md")
    assert {m.scores for m in c.table.means} == {"binary" if binary else ""}
    assert (SINGLE in sentences(c.table.read_as)) == binary
    own = checked(tmp_path, caption + table, "t.md", scores="fractional")
    assert {m.scores for m in own.table.means} == {"fractional"}  # the user's word holds
    assert SINGLE not in sentences(own.table.read_as)


def test_the_caption_says_the_number_of_questions_of_the_one_eval(tmp_path):
    table = "\n\n| Model | Accuracy (%) |\n|-|-|\n| A | 85.8 |\n"
    c = checked(tmp_path, "Table 1: Results on QA (n = 1319)." + table, "t.md", eval="QA")
    assert c.table.means[0].n.value == 1319
    assert "QA has 1319 questions, as the caption says." in sentences(c.table.read_as)
    for caption in ("QB (n = 1319)", "QA (n = 1319) and QA (n = 500)", "MedQA (n = 1319)"):
        c = checked(tmp_path, f"Table 1: Results on {caption}." + table, "t.md", eval="QA")
        assert c.table.means[0].n is None


def test_a_number_of_questions_that_names_no_eval_is_not_used_and_said(tmp_path):
    """It was said that none was printed."""
    table = "\n\n| Model | QA | QB |\n|-|-|-|\n| A | 85.8 | 66.5 |\n"
    c = checked(tmp_path, f"Table 1: Results (%), n = 1,319 questions.{table}", "t.md")
    assert [m.n for m in c.table.means] == [None, None]
    line = "The text beside the table says n = 1,319, but not of which eval: it is not used."
    assert line in sentences(c.table.read_as)
    with_n = table.replace("QA |", "QA (n=1319) |").replace("QB |", "QB (n=164) |")
    for text in (f"Table 1: Results (%).{table}", f"Table 1 (%), n = 1,319 and 164.{with_n}"):
        c = checked(tmp_path, text, "t.md")
        assert not any("not used" in x for x in sentences(c.table.read_as))


# Settings -----------------------------------------------------------------------------------------

ONE = "\n\n|Model|QA (n=1319)|QB (n=164)|\n|-|-|-|\n| A | 79.6 | 66.5 |\n| B | 82.7 | 60.4 |\n\n"
TWO = "\n\n|Model|QA (n=1319)|QB (n=164)|\n|-|-|-|\n| A | 85.8 | 66.5 |\n| B | 89.4 | 60.4 |\n"


def test_tables_of_unlike_captions_and_means_are_two_settings(tmp_path):
    """QB is printed alike, so it stays one; of QA each table has its pair."""
    text = f"Table 1: zero-shot (%).{ONE}Table 2: 8-shot (%).{TWO}"
    c = checked(tmp_path, text, "t.md")
    assert [(p.eval, round(p.difference, 1)) for p in c.pairs] == [
        ("QA (Table 1)", -3.1), ("QB", 6.1), ("QA (Table 2)", -3.6)
    ]  # fmt: skip
    assert {m.mean for m in c.means} == {79.6, 82.7, 85.8, 89.4, 66.5, 60.4}
    assert codes(c) == []
    assert sentences(c.table.read_as)[-1] == (
        "Means of QA differ between tables whose captions differ (Table 1: zero-shot (%); Table 2: "
        "8-shot (%)): each is read as another setting, with a name and pairs of its own."
    )


def test_settings_without_numbers_of_tables_are_called_after_their_captions(tmp_path):
    c = checked(tmp_path, f"Without tools (%){ONE}With tools (%){TWO}", "t.md")
    assert {p.eval for p in c.pairs} == {"QA (Without tools %)", "QA (With tools %)", "QB"}


def test_tables_that_nothing_tells_apart_contradict_each_other(tmp_path):
    c = checked(tmp_path, f"Table 1{ONE}Table 2{TWO}", "t.md", scale="percent")
    assert codes(c) == ["mean-twice"] * 2 and {p.eval for p in c.pairs} == {"QA", "QB"}


def test_a_mean_outside_its_scale_is_shown_and_is_in_no_pair(tmp_path):
    """Its error is not called too large too: no scores have such a mean."""
    text = 'Eval,Scale,n,A,B\nQA,"1,10",80,7.85,11.12 (0.1)\nQB,percent,164,66.5,172.6\n'
    c = checked(tmp_path, text)
    assert [(m.model, m.mean, m.counts) for m in c.means] == [
        ("A", 7.85, ""), ("B", 11.12, ""), ("A", 66.5, "109"), ("B", 172.6, "")
    ]  # fmt: skip
    assert codes(c) == ["mean-outside"] * 2 and c.pairs == ()
    assert math.isnan(c.means[3].se) and c.means[3].se_from == "none"


# A caption above a CSV ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "caption",
    ['"Table 1: Results on QA (n = 1319), in %."\n', "Table 1: Results on QA (n = 1319), in %.\n\n",
     "\nTable 1. Results on QA (n = 1319), in %.\n"],
)  # fmt: skip
def test_a_caption_above_a_csv(tmp_path, caption):
    text = caption + 'Model,Score,95% CI\nA,85.8,"[83.8, 87.6]"\n'
    c = checked(tmp_path, text, eval="QA")
    (m,) = c.table.means
    assert (m.n.value, m.scale, m.low.value) == (1319, PERCENT, 83.8)
    assert m.place.line == 1 + text[: text.index("A,85.8")].count("\n")
    assert m.place.table.startswith("Table 1")


def test_a_head_of_a_csv_that_is_called_table_is_no_caption(tmp_path):
    c = checked(tmp_path, "table,eval,model,mean\nTable 3,QA,A,0.5\n")
    assert c.table.means[0].place.table == "Table 3"
