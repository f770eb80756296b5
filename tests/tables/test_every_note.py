"""Every note of notes.py word for word, with what it knows about itself, from records by hand."""

import math
from dataclasses import replace

import pytest

from reportkit.results import EvalResult, MeanResult, Scale
from reportkit.tables.cells import Style
from reportkit.tables.data_notes import OTHER
from reportkit.tables.notes import (
    UNTOLD,
    best_note,
    fictional_notes,
    first_few,
    missing_notes,
    no_pair,
    score_notes,
    undefined_note,
)

DASH = "\N{EM DASH}"
ONE = MeanResult(
    "A", 0.6, 0.03, 12.3, 0.54, 0.66, 0.95, "t", 900, 60, 900, 0, 0, 0.02, 2.25, 0.1, 0.2
)
PERCENT, POINTS = Scale(0, 1, True, False), Scale(-2.5, 10, False, False)


def eval_of(*models: str, **fields) -> EvalResult:
    means = fields.pop("means", tuple(replace(ONE, model=m) for m in models))
    return EvalResult("toy", "match", 900, 60, models, "", means, (), (), **fields)


def known(notes) -> list[tuple[str, str, str, bool]]:
    """Each note with its kind, its column, and whether it counts something of one eval."""
    return [(str(note), note.kind, note.about, note.counts) for note in notes]


def test_fictional_scores_say_so():
    text = "Fictional models, generated scores."
    assert known(fictional_notes(eval_of("A", fictional=True))) == [(text, "fictional", "", False)]
    assert fictional_notes(eval_of("A")) == ()


@pytest.mark.parametrize(
    ("scale", "lower", "theme", "expected"),
    [
        (PERCENT, False, "error-bars", [("Metric: match.", "metric")]),
        (PERCENT, True, "stacked", [("Metric: match; lower is better.", "units")]),
        (
            PERCENT,
            False,
            "plain",
            [("Metric: match.", "metric"), ("Scores are percentages.", "units")],
        ),
        (
            PERCENT,
            False,
            "pm",
            [
                ("Metric: match.", "metric"),
                ("Scores are percentages.", "units"),
                ("±: half the width of the 95% interval.", "theme"),
            ],
        ),
        (
            POINTS,
            False,
            "plain",
            [("Metric: match, in its own units; scores seen run from −2.5 to 10.", "units")],
        ),
        (
            POINTS,
            True,
            "error-bars",
            [
                (
                    "Metric: match, in its own units; scores seen run from −2.5 to 10; "
                    "lower is better.",
                    "units",
                )
            ],
        ),
    ],
)
def test_what_the_scores_are(scale, lower, theme, expected):
    notes = score_notes(eval_of("A", scale=scale, lower=lower), Style(theme))
    assert known(notes) == [(text, kind, "", False) for text, kind in expected]


@pytest.mark.parametrize("models", ["AB", "ABC"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("level", "percent"), [(0.95, ("95%", "5%")), (0.9, ("90%", "10%"))])
def test_what_bold_stands_for(models, lower, level, percent):
    means = tuple(replace(ONE, model=m, level=level) for m in models)
    r = eval_of(*models, means=means, best=("A",), lower=lower)
    top, worse = ("lowest", "higher") if lower else ("highest", "lower")
    several = models == "ABC"
    tests = "the one-sided paired test does"
    if several:
        tests = "one-sided paired tests against all others do"
    text = (
        f"Bold: the {percent[0]} confidence set for the best model: the {top} mean, and every "
        f"model that {tests} not find {worse} at the {percent[1]} level."
    )
    assert known(best_note(r)) == [(text, "bold", "mean", several)]
    marked = (
        f"†: not found {worse} than another, but too little data to tell whether the model may be "
        "the best."
    )
    assert known(best_note(replace(r, untold=("B",)))[1:]) == [(marked, "untold", "mean", False)]
    none = "Nothing is bold: the data allow no test between the models."
    assert known(best_note(replace(r, best=()))) == [(none, "bold", "mean", several)]
    beaten = replace(r, best=(), means=(replace(means[0], may_be_best="no"), *means[1:]))
    text = (
        f"Nothing is bold: on common questions the model of the {top} mean is found {worse} than "
        "another, or cannot be tested."
    )
    assert known(best_note(beaten)) == [(text, "bold", "mean", several)]


def test_one_model_has_nothing_to_be_bold_against():
    assert best_note(eval_of("A", best=("A",))) == ()
    unscored = replace(ONE, model="B", mean=math.nan)
    assert best_note(eval_of("A", "B", means=(ONE, unscored), best=("A",))) == ()


def test_what_is_missing():
    """B was to give 1,200 answers and gave 900; C has no score; of A 2 answers count as 0; D is
    whole; E holds 5 rows without a score.
    """
    models = tuple("ABCDE")
    means = tuple(replace(ONE, model=m) for m in models)
    means = (
        *means[:2],
        replace(means[2], mean=math.nan, n_questions=0, n_answers=0),
        means[3],
        replace(means[4], n_unscored=3, n_errors=2),
    )
    r = eval_of(
        *models,
        means=means,
        n_planned=(900, 1200, 900, 0, 0),
        zeroed=(2, 0, 0, 0, 1000),
        limits=("", "limit=900", "", "", ""),
    )
    texts = (
        "No score of this metric: C.",
        "Cut down to part of the questions: B (limit=900).",
        "Answers without a score, left out: B 300 of 1,200, E 5 of 905.",
        "Answers that failed or were not given, counted as 0: A 2, E 1,000.",
    )
    assert known(missing_notes(r)) == [(text, "missing", "", False) for text in texts]
    assert missing_notes(eval_of("A", "B")) == ()


def test_of_more_than_three_models_three_are_named():
    means = tuple(replace(ONE, model=f"m{i}", n_unscored=i + 1) for i in range(5))
    r = eval_of(*(m.model for m in means), means=means)
    assert missing_notes(r) == (
        "Answers without a score, left out: m0 1 of 901, m1 2 of 902, m2 3 of 903, "
        "and 2 more models.",
    )
    assert first_few(["a", "b", "c", "d"]) == "a, b, c, and 1 more model"


def test_a_dash_has_its_reason():
    text = (
        f"{DASH}: not estimable, as scores or clusters do not vary, or there are too few questions "
        "or clusters."
    )
    assert known([undefined_note(True)]) == [(text, "undefined", "", False)]
    assert undefined_note(False) == ""


def test_why_there_is_no_comparison():
    alone, apart = no_pair(eval_of("A")), no_pair(eval_of("A", "B"))
    assert known([alone, apart]) == [
        ("There is one model: nothing to compare.", "empty", "", False),
        ("No two models have a question in common.", "empty", "", False),
    ]


def test_each_mark_of_a_mean_has_one_meaning():
    """A dagger for too little data, a double dagger for other questions."""
    assert (UNTOLD, OTHER) == ("†", "‡")
