"""Notes know what they say: tables of several evals and the paper's layouts go by that."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_made import result_of

from reportkit.tables import make_table
from reportkit.tables.notes import Note, first_few, joined_notes

SCORES = np.array([[1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 1, 0]])


def evals(metric: str, **fields):
    return [replace(result_of(SCORES, eval=e, metric=metric), **fields) for e in ("one", "two")]


@pytest.mark.parametrize(
    "metric", ["top 5 questions", "1 comparison", "Bold: 3 clusters, all pairs,"]
)
@pytest.mark.parametrize("kind", ["means", "differences", "paper2", "paper5"])
def test_a_metrics_name_is_not_taken_for_what_a_note_says(metric, kind):
    """Names were matched with patterns: "In each eval: Metric: top 5 questions." """
    table = make_table(evals(metric), kind)
    assert not [n for n in table.notes if metric in n]
    assert f"etric: {metric}; " in table.title


def test_a_model_named_like_a_column_stays_a_model():
    names = ("Questions", "Baseline", "Model")
    renamed = [
        replace(
            r,
            models=names,
            means=tuple(replace(m, model=n) for m, n in zip(r.means, names, strict=True)),
        )
        for r in evals("match")
    ]
    heads = [c.head for c in make_table(renamed, "paper2").columns]
    assert heads == ["Eval", "# Questions", *names]


def test_what_counts_something_counts_it_in_each_eval():
    """Three pairs in each, 6 questions in each; how p is adjusted is counted, what Detectable means
    is not.
    """
    notes = make_table(evals("match"), "differences").notes
    adjusted = "Adjusted p: Holm over 3 comparisons."
    assert f"In each eval: {adjusted}" in notes and "Intervals are not adjusted." in notes
    assert any("Detectable:" in n for n in notes)
    assert adjusted in make_table(evals("match")[:1], "differences").notes


def test_sentences_of_some_evals_name_them():
    one, two = evals("match")
    notes = make_table([one, replace(two, lower=True)], "differences").notes
    assert "two: Metric: match; lower is better." in notes
    assert not [n for n in notes if n.startswith("one: Metric")]


def test_the_caption_of_several_evals_says_which_has_which_metric():
    one, two = evals("match")
    three = replace(two, eval="three", metric="f1")
    table = make_table([one, three, two], "differences")
    assert "etric: match, f1 on three; 6 questions in each eval." in table.title
    assert not [n for n in table.notes if "Metric" in n]


def test_a_column_of_metrics_needs_no_words():
    one, two = evals("match")
    table = make_table([one, replace(two, metric="f1", lower=True)], "means")
    assert [row[1] for row in table.cells] == ["match", "f1"]
    # What else is to be said of a metric is said.
    assert [n for n in table.notes if "Metric" in n] == ["two: Metric: f1; lower is better."]
    assert any("the best mean" in n and "do not find worse" in n for n in table.notes)


def test_the_papers_layouts_have_nothing_in_bold_and_no_words_of_other_columns():
    made = evals("match")
    for kind in ("paper2", "paper3", "paper4", "paper5"):
        table = make_table(made, kind)
        assert not table.bold
        assert not any(n.startswith(("Bold", "Adjusted p", "Detectable")) for n in table.notes)


def test_many_models_are_counted_and_three_named():
    assert first_few(["a", "b", "c"]) == "a, b, c"
    assert first_few(["a", "b", "c", "d", "e"]) == "a, b, c, and 2 more models"


def test_limits_and_missing_answers_are_below_every_means_table():
    one = evals("match")[0]
    models = len(one.models)
    first = tuple(one.models).index("A")
    limits = tuple("limit=6" if i == first else "" for i in range(models))
    planned = tuple(9 if i == first else 0 for i in range(models))
    cut = replace(one, limits=limits, n_planned=planned)
    notes = make_table(cut, "means").notes
    assert "Cut down to part of the questions: A (limit=6)." in notes
    assert "Answers without a score, left out: A 3 of 9." in notes


def test_a_note_is_text():
    note = Note("A sentence.", "bold", about="mean", counts=True)
    assert note == "A sentence." and (note.kind, note.about, note.counts) == ("bold", "mean", True)


def test_the_direction_of_detectable_differences_is_said_once_for_all_evals():
    """Of two evals, in one of which both models may be below the middle of the scale. Of one that
    has lower and one that has higher, "higher" was said of both.
    """
    wide = "One is at its mean, the other lower, or higher where both are low."
    lower, higher = (
        Note(f"One is at its mean, the other {x}.", wide=wide) for x in ("lower", "higher")
    )
    either = Note(wide, wide=wide)
    two = evals("match")
    assert joined_notes(two, [[lower], [either]]) == (wide,)
    assert joined_notes(two, [[lower], [higher]]) == (wide,)
    assert joined_notes(two, [[lower], [lower]]) == (lower,)
    assert joined_notes(two, [[lower], []]) == (f"{two[0].eval}: {lower}",)
