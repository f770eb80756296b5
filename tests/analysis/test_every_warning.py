"""Every warning word for word, and the edge at which it appears, from records made by hand."""

import math
from dataclasses import replace

import pytest

from reportkit.analysis.warnings import warnings_of
from reportkit.facts import LeftOut, RunFacts
from reportkit.results import (
    CertificateResult,
    DifferenceResult,
    EvalResult,
    MeanResult,
    Scale,
)

NAN = math.nan
A = MeanResult(
    "A", 0.6, 0.03, 25.0, 0.54, 0.66, 0.95, "t", 100, 40, 100, 0, 0, 0.02, 2.25, 0.1, 0.2
)
B = replace(A, model="B", mean=0.5)
D = DifferenceResult(
    "A", "B", 0.1, 0.03, 25.0, 0.04, 0.16, 0.95, "t", 0.01, 0.02, 0.5, 100, 40, 0, 0, 0.04, 0.1
)
SCALE = Scale(0, 1, True, False)


def eval_of(*means: MeanResult, differences=(), **fields) -> EvalResult:
    given = {"scale": SCALE, "clustered": True, "cluster_field": "passage"} | fields
    models = tuple(m.model for m in means)
    return EvalResult("toy", "match", 100, 40, models, "", means, differences, (), **given)


def said(r: EvalResult) -> list[tuple[str, str, str]]:
    found = list(warnings_of(r))
    assert all(w.eval == "toy" for w in found)
    return [(w.code, w.model, w.message) for w in found]


def test_nothing_to_say():
    assert said(eval_of(A, B, differences=(D,))) == []


# Of the scores and their runs ---------------------------------------------------------------------


def test_what_the_scores_are():
    r = eval_of(A, fictional=True, scale=Scale(-2.5, 10, False, False))
    assert said(r) == [
        (
            "fictional",
            "",
            "These scores are generated: the models are fictional, made to show what a report "
            "holds.",
        ),
        (
            "own-units",
            "",
            "Scores seen run from −2.5 to 10; they are printed in their own units, not as percent.",
        ),
        ("one-model", "", "There is one model, so nothing to compare it with."),
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"zeroed": (3, 4), "options": {"errors": "zero"}},
            "Errored answers count as 0, as was decided: 7 of them.",
        ),
        (
            {"zeroed": (0, 0), "options": {"errors": "zero"}},
            "Errored answers count as 0, as was decided.",
        ),
        (
            {"zeroed": (3, 4), "runs": (RunFacts("helm", "toy", "A"),)},
            "Answers that failed or were not given count as 0, by the benchmark's rule: 7 of them.",
        ),
        ({"zeroed": (3, 4)}, "Answers that failed or were not given count as 0: 7 of them."),
        (
            {"zeroed": (3, 4), "lower": True},
            "Answers that failed or were not given count as 0: 7 of them. Lower is better, so 0 is "
            "no penalty here.",
        ),
        ({"zeroed": (0, 0), "options": {"errors": "leave-out"}}, ""),
    ],
)
def test_answers_that_count_as_zero(fields, message):
    assert said(eval_of(A, B, **fields)) == ([("errors-zero", "", message)] if message else [])


def test_runs_that_are_cut_down():
    assert said(eval_of(A, B, limits=("limit=5", "limit=7"))) == [
        (
            "limited",
            "",
            "These runs answered only part of the questions, and their numbers are of that part: "
            "A (limit=5), B (limit=7).",
        )
    ]


def test_one_file_under_two_names():
    def run(model: str, file: str, sha: str) -> RunFacts:
        return RunFacts("helm", "toy", model, file=file, sha256=sha)

    copies = (run("A", "x", "1"), run("B", "y", "1"), run("B", "z", "2"))
    assert said(eval_of(A, B, runs=copies)) == [
        (
            "same-file",
            "",
            "A and B have the same file, byte for byte: one of them may be a copy under another "
            "name.",
        )
    ]
    # One file of two models, and two files of one model, are no copies under another name.
    assert said(eval_of(A, B, runs=(run("A", "x", "1"), run("B", "x", "1")))) == []
    assert said(eval_of(A, B, runs=(run("A", "x", "1"), run("A", "y", "1")))) == []


def test_models_whose_runs_do_not_count():
    def left(model: str, why: str) -> LeftOut:
        return LeftOut(RunFacts("helm", "toy", model), why)

    gone = (left("C", "older"), left("A", "older"), left("D", "broken"), left("C", "cancelled"))
    assert said(eval_of(A, B, left_out=gone)) == [
        ("model-left-out", "C", "C is not in this report: older."),
        ("model-left-out", "D", "D is not in this report: broken."),
    ]


# Of the means -------------------------------------------------------------------------------------


def test_many_excluded_answers():
    """Of 200 planned answers 15 have no score, 2 are errors and 83 are nowhere."""
    few = replace(A, n_unscored=15, n_errors=2)
    found = said(eval_of(few, B, n_planned=(200, 0)))
    assert found[0] == (
        "many-excluded",
        "A",
        "A: 100 of 200 planned answers (50.0%) are excluded: 2 errors, 15 unscored, 83 not in "
        "the log. Its mean is of the rest, and may be far from the mean of all. Run these "
        "questions again, or decide that errors count as 0: --errors zero, or errors = "
        '"zero" in reportkit.toml.',
    )
    assert found[1:] == [
        (
            "missing-scores",
            "A",
            "A: 15 answers without a score and 2 errors left out, not counted as 0.",
        )
    ]


def test_answers_that_are_no_errors_do_not_become_0_by_a_decision_on_errors():
    [(_, _, message), _] = said(eval_of(replace(A, n_answers=90, n_unscored=10), B))
    assert message.endswith("may be far from the mean of all. Run these questions again.")


@pytest.mark.parametrize(("answers", "warned"), [(95, False), (94, True)])
def test_from_5_percent_excluded_answers_are_many(answers, warned):
    few = replace(A, n_answers=answers, n_errors=100 - answers)
    codes = [code for code, _, _ in said(eval_of(few, B))]
    assert codes == (["many-excluded"] if warned else []) + ["missing-scores"]


@pytest.mark.parametrize(
    ("fields", "text"),
    [({"n_unscored": 2}, "2 answers without a score"), ({"n_errors": 3}, "3 errors")],
)
def test_few_answers_without_a_score(fields, text):
    assert said(eval_of(replace(A, **fields), B)) == [
        ("missing-scores", "A", f"A: {text} left out, not counted as 0.")
    ]


@pytest.mark.parametrize(
    ("fields", "clustered", "code", "text"),
    [
        (
            {"n_questions": 0, "n_clusters": 0, "method": "none"},
            True,
            "no-score",
            "A has no score at all; its row is empty.",
        ),
        (
            {"n_questions": 1, "n_clusters": 1, "method": "none"},
            True,
            "one-question",
            "A answered one question: its standard error is not estimable.",
        ),
        (
            {"n_clusters": 1, "method": "none"},
            True,
            "one-cluster",
            "A: all questions are in one cluster; the standard error is not estimable.",
        ),
        (
            {"n_clusters": 2, "method": "none", "se": 0.0},
            True,
            "no-interval",
            "A: the standard error is 0, as no cluster differs from another, so there is no "
            "interval.",
        ),
        (
            {"n_clusters": 100, "method": "none", "se": 0.0},
            False,
            "no-interval",
            "A: the standard error is 0, as no question differs from another, so there is no "
            "interval.",
        ),
        (
            {"n_clusters": 2, "method": "none"},
            True,
            "too-few",
            "A: 2 clusters are too few for an interval.",
        ),
        (
            {"n_questions": 3, "n_clusters": 3, "method": "none"},
            False,
            "too-few",
            "A: 3 questions are too few for an interval.",
        ),
    ],
)
def test_why_a_row_has_a_dash(fields, clustered, code, text):
    assert said(eval_of(replace(A, **fields), B, clustered=clustered)) == [(code, "A", text)]


def test_nothing_but_right_or_wrong_answers():
    """Of one question, or with no interval, other warnings speak; 0.5 is not at an end."""
    flat = [
        replace(A, mean=0.5, se=0.0),
        replace(B, mean=1.0, se=0.0),
        replace(B, model="C", mean=0.0, se=0.0),
        replace(B, model="D", mean=1.0),
    ]
    text = "A standard error of 0 then says nothing: read the interval."
    for models, lower, told in (
        (flat, False, "2 models (B and 1 more) answered every question right or every one wrong."),
        (flat[:2], False, "B answered every question right."),
        ([flat[0], flat[2]], False, "C answered every question wrong."),
        ([flat[0], flat[2]], True, "C answered every question right."),
    ):
        made = replace(eval_of(*models), lower=lower)
        assert ("saturated", "", f"{told} {text}") in said(made)
    assert [c for c, _, _ in said(eval_of(A, replace(flat[1], n_questions=1)))] == ["one-question"]
    assert [c for c, _, _ in said(eval_of(A, replace(flat[1], method="none")))] == ["no-interval"]


@pytest.mark.parametrize(
    ("df", "clustered", "warned"), [(9.96, True, True), (10, True, False), (9, False, False)]
)
def test_few_clusters(df, clustered, warned):
    """Below 10 degrees of freedom; the model with the fewest is named by its clusters."""
    few, fewer = replace(A, df=df, n_clusters=12), replace(B, df=df - 2.0, n_clusters=11)
    found = said(eval_of(replace(A, model="C"), few, fewer, clustered=clustered))
    shown = [(code, model) for code, model, _ in found]
    assert shown == ([("few-clusters", "")] if df - 2.0 < 10 and clustered else [])
    if warned:
        start = "The standard errors rest on few clusters: 11, with 8.0 degrees of freedom."
        assert found[0][2].startswith(start)
    ending = "Therefore the intervals are wide, and only large differences are found."
    assert found == [] or found[0][2].endswith(ending)
    alone = said(eval_of(few, replace(B, df=NAN), clustered=clustered))
    assert bool(alone) == warned


def test_few_clusters_without_an_interval():
    """Nothing is said of the width of intervals that are not there."""
    own = [replace(m, df=1.0, n_clusters=2, method="none") for m in (A, B)]
    messages = [text for code, _, text in said(eval_of(*own, clustered=True)) if "few-c" in code]
    assert messages == ["The standard errors rest on few clusters: 2, with 1.0 degrees of freedom."]


# Of the differences -------------------------------------------------------------------------------


@pytest.mark.parametrize(("common", "warned"), [(95, False), (94, True)])
def test_models_that_answered_other_questions(common, warned):
    """Of the model with more questions, 100, fewer than 95 are common."""
    part = replace(D, n_questions=common, n_only_model=100 - common, n_only_baseline=2)
    less = replace(part, model="C", n_questions=common - 1, n_only_baseline=101 - common)
    found = said(eval_of(A, B, differences=(D, part)))
    assert bool(found) == warned
    if warned:
        text = " fewer than 95% of a model's questions, the fewest "
        end = " and B). Only common questions are compared."
        assert found == [("overlap", "", f"1 of 2 comparisons uses{text}94 (A{end}")]
        both = said(eval_of(A, B, differences=(part, less)))
        assert both == [("overlap", "", f"2 of 2 comparisons use{text}93 (C{end}")]
        one = replace(part, n_questions=1, n_only_model=99)
        assert said(eval_of(A, B, differences=(one,))) == [
            ("overlap", "", f"1 of 1 comparison uses{text}1 (A{end}")
        ]


def test_models_without_a_common_question():
    apart = replace(D, n_questions=0, n_only_model=50, n_only_baseline=50, se=NAN, method="none")
    other = replace(apart, model="C")
    assert said(eval_of(A, B, differences=(D, apart, other))) == [
        (
            "no-common-question",
            "",
            "2 comparisons have no common question, the first A and B: they cannot be compared "
            "in pairs.",
        )
    ]


@pytest.mark.parametrize(("clustered", "who"), [(True, "their clusters"), (False, "they")])
def test_a_difference_that_is_everywhere_the_same(clustered, who):
    flat = replace(D, se=0.0, method="none")
    r = eval_of(A, B, differences=(flat, replace(flat, model="C"), D), clustered=clustered)
    assert said(r) == [
        (
            "no-interval",
            "",
            "2 differences have a standard error of 0 and no interval, the first A and B: "
            f"{who} differ by the same amount everywhere, so the error of this amount is unknown.",
        )
    ]
    assert said(eval_of(A, B, differences=(replace(D, se=0.0),))) == []


@pytest.mark.parametrize(("clusters", "units"), [(2, "2 clusters"), (100, "100 questions")])
def test_a_difference_of_too_few(clusters, units):
    few = replace(D, method="none", n_clusters=clusters)
    assert said(eval_of(A, B, differences=(D, few))) == [
        (
            "too-few",
            "",
            f"1 difference has no interval, that of A and B: {units} are too few.",
        )
    ]


# Of the certificates ------------------------------------------------------------------------------


def certificate(coverage: float, model: str = "A", baseline: str = "") -> CertificateResult:
    return CertificateResult(
        model, baseline, "t", 100, 40, 100, 0.6, 0.1, NAN, 0.95, coverage, 0.0123, 0.0, 4000, ""
    )


def test_intervals_that_hold_the_truth_too_seldom():
    """0.9 is the floor of 0.95, and of 0.8 it is 0.6; one interval has no coverage."""
    made = (certificate(0.9), certificate(0.899), certificate(0.85, "B"), certificate(NAN))
    text = (
        "2 of 3 certified intervals are too short: they promise to hold the truth in 95% of "
        "evals of this shape, and hold it in less than 90% of simulated evals. The lowest, "
    )
    end = ", holds it in 85.0% (simulation error 1.2%)."
    assert said(eval_of(A, B, certificates=made)) == [
        ("low-coverage", "B", f"{text}the mean of B{end}")
    ]
    pair = (*made[:2], certificate(0.85, "A", "B"), made[3])
    assert said(eval_of(A, B, certificates=pair)) == [
        ("low-coverage", "", f"{text}that of A minus B{end}")
    ]
    assert said(eval_of(A, B, certificates=made[:1])) == []
    lower = [replace(m, level=0.8) for m in (A, B)]
    assert said(eval_of(*lower, certificates=(certificate(0.601),))) == []
    assert said(eval_of(*lower, certificates=(certificate(0.599),)))[0][2].startswith(
        "1 of 1 certified interval is too short: it promises to hold the truth in 80% of evals "
        "of this shape, and holds it in less than 60% of simulated evals."
    )


def test_warnings_come_in_the_order_of_a_report():
    r = eval_of(
        replace(A, n_unscored=1),
        replace(B, df=4.0),
        replace(B, model="C", mean=1.0, se=0.0),
        differences=(replace(D, method="none"),),
        certificates=(certificate(0.5),),
        fictional=True,
        zeroed=(1, 0, 0),
        limits=("x", "", ""),
    )
    assert [code for code, _, _ in said(r)] == [
        "fictional",
        "errors-zero",
        "limited",
        "missing-scores",
        "saturated",
        "few-clusters",
        "too-few",
        "low-coverage",
    ]


def test_one_of_a_kind_is_told_in_the_singular():
    one = replace(A, n_unscored=1, n_errors=1, n_answers=A.n_answers)
    assert said(eval_of(one, B))[-1][2] == (
        "A: 1 answer without a score and 1 error left out, not counted as 0."
    )
    apart = replace(D, n_questions=0, method="none")
    assert said(eval_of(A, B, differences=(apart,)))[0][2].startswith(
        "1 comparison has no common question, that of A and B: they cannot"
    )
    same = replace(D, se=0.0, method="none")
    assert said(eval_of(A, B, differences=(same,)))[0][2].startswith(
        "1 difference has a standard error of 0 and no interval, that of A and B: their clusters"
    )
