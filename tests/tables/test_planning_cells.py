"""Cells and sentences of a plan that can be read alone, in every format."""

import pytest
from click.testing import CliRunner
from support.plans import plan

from reportkit.cli import commands
from reportkit.errors import PlanError
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.words import power_text

LIMITED = {"difference": 0.05, "mean": 0.8, "correlation": 0.5, "noise": 0.3, "questions": 300}


def run(*words: str) -> str:
    done = CliRunner().invoke(commands, ["power", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def answers(**said) -> dict[str, str]:
    return {t.question: t.answer for t in told(plan(**said))}


def test_an_answer_names_what_it_counts():
    of = answers(**LIMITED)
    found = of[
        "Fewest answers to each question with which no more than 300 questions find 5 points"
    ]
    assert " answers to each of " in found and found.endswith(" questions")
    of = answers(**LIMITED | {"questions": 5000})
    part = of["The same, where the claim is about these 5,000 questions and no others"]
    assert part.endswith("% of the eval") and " questions, " in part


def test_the_fewest_questions_have_no_range_of_themselves():
    """30 (30), the fewest that are planned."""
    p = plan(difference=0.4, mean=0.8)
    assert p.need.low == p.need.high == p.need.questions == 30
    first = told(p)[0]
    assert first.answer == "30 questions, the fewest that are planned"
    assert "In brackets" not in first.assumes
    row = next(t for t in told(p) if t.question.startswith("With next-token"))
    assert row.answer == "30 questions, as many"  # in place of 0% fewer


def test_nothing_stands_above_the_first_answer():
    assert told(plan(**LIMITED))[0].assumes.startswith("The number is that of McNemar's test")
    assert told(plan(**LIMITED))[1].assumes.startswith("By the same test, with the same")


@pytest.mark.parametrize(
    "said",
    [
        ["--omega2", "0.1", "--sigma2", "0.1", "--difference", "0.05", "--questions", "900"],
        ["--mean", "0.8", "--difference", "0.3", "--questions", "500"],
    ],
)
def test_markdown_of_a_plan_has_no_entities(said):
    text = run(*said, "--format", "md")
    assert "&" not in text


def test_a_power_near_1_is_said_in_words():
    assert power_text(0.991) == "over 99%" and power_text(0.99) == "99%"


@pytest.mark.parametrize("format", ["text", "md"])
def test_what_a_table_without_a_row_needs_is_a_sentence_alone(format):
    text = run("--difference", "0.05", "--table", "planning-gaps", "--format", format)
    assert " ".join(text.split()) == (
        'Give the scores of current models, such as published = "A:0.91; '
        'B:0.88": this table then says which of their gaps the eval can show.'
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [("$12", "write 12$"), ("12.50 EUR", "write 12.50$"), ("free", "give one such as 0$"),
     ("1,200", "give one such as 0$")],
)  # fmt: skip
def test_a_price_with_its_currency_is_told_as_a_number(value, said):
    with pytest.raises(PlanError, match=said):
        plan(cost_question=value)


def test_a_spread_is_named_beside_the_variance_that_is_its_square():
    p = plan(difference=5, answers="own-units", spread=35)
    own = next(t for t in told(p) if t.question.startswith("Questions for each model"))
    assert "the square of their standard deviation" in own.assumes
    assert "35" in str(plan_table(p, "planning-known"))
