"""The sentences for a methods section of equivalence and of not being worse."""

import numpy as np
import pytest
from scipy import stats
from support.plans import plan, whole

from reportkit.documents.prose.planning import methods, to_paste
from reportkit.tables.planning import planning_json
from reportkit.tables.planning.pasted import pasted

GIVEN = {"difference": 0.03, "mean": 0.8, "correlation": 0.5, "noise": 0.0}


def sentences(**said) -> dict[str, str]:
    return {x.name: x.sentence for x in pasted(plan(**{**GIVEN, **said}))}


def tango(b, c, n: int, margin: float):
    """Tango's score of b and c questions that one of the models has right, at the margin."""
    linear = 2 * n * margin - (b + c) - (b - c) * margin
    p01 = (np.sqrt(linear**2 + 8 * n * c * margin * (1 - margin)) - linear) / (4 * n)
    return (b - c - n * margin) / np.sqrt(n * (2 * p01 + margin * (1 - margin)))


def powers(n: int, apart: float, margin: float) -> tuple[float, float]:
    """Of equivalence and of not being worse at a one-sided 5%, counted out: of n questions
    Bin(n, apart) tell two models alike apart, each half the time for one of them.
    """
    z, both, one = stats.norm.ppf(0.95), 0.0, 0.0
    for k in range(n + 1):
        b, chance = np.arange(k + 1), stats.binom.pmf(k, n, apart)
        if chance < 1e-12:
            continue
        each = chance * stats.binom.pmf(b, k, 0.5)
        not_worse = tango(k - b, b, n, margin) < -z
        one += each[not_worse].sum()
        both += each[not_worse & (tango(b, k - b, n, margin) < -z)].sum()
    return both, one


def test_a_margin_has_sentences_of_its_own_for_a_methods_section():
    said, p = sentences(margin=0.02), plan(**GIVEN, margin=0.02)
    alike, not_worse = (o.questions for o in p.others[:2])
    assert said["methods_equivalence"] == (
        f"We planned {alike:,} questions, 1 answer to each, so that two one-sided tests at a level "
        "of 5% show with 80% power that two models which do not differ are within 2 percentage "
        "points of each other, for an expected score of 80% and a correlation of 0.50 (Schuirmann "
        "1987, Tango 1998, with the variance of models that differ by the margin; reportkit)."
    )
    assert said["methods_non_inferiority"] == (
        f"We planned {not_worse:,} questions, 1 answer to each, so that a one-sided test at a "
        "level of 5% shows with 80% power that a model which is as good as another is not worse "
        "by 2 percentage points or more, for an expected score of 80% and a correlation of 0.50 "
        "(Tango 1998, with the variance of models that differ by the margin; reportkit)."
    )
    assert " finds a true difference of 3 percentage points" in said["methods"]
    shares = {"answers": "shares", "spread": 0.3}
    assert (
        "(Schuirmann 1987, with the degrees of freedom of the test; reportkit)"
        in (sentences(margin=0.02, **shares)["methods_equivalence"])
    )
    assert (
        "(Miller 2024, eq. 9, for one side, with the degrees of freedom of the test; "
        in (sentences(margin=0.02, **shares)["methods_non_inferiority"])
    )


@pytest.mark.parametrize(
    ("mean", "correlation", "margin"),
    [(0.8, 0.5, 0.05), (0.97, 0.4, 0.03), (0.99, 0.3, 0.02), (0.95, 0.6, 0.05)],
)
def test_right_or_wrong_answers_have_the_power_of_the_reports_test(mean, correlation, margin):
    """A t test's number had 0.79, 0.69, 0.51 and 0.63 of 0.8 by Tango's interval, which a report
    takes. One question less has not the power.
    """
    p = plan(mean=mean, correlation=correlation, margin=margin, noise=0.0)
    alike, not_worse = (o.questions for o in p.others[:2])
    apart = 2 * mean * (1 - mean) * (1 - correlation)
    assert powers(alike - 1, apart, margin)[0] < 0.8 <= powers(alike, apart, margin)[0]
    assert powers(not_worse - 1, apart, margin)[1] < 0.8 <= powers(not_worse, apart, margin)[1]


def test_scores_in_part_have_the_number_of_a_t_test():
    """n = (z_a + z)^2 variance / margin^2. Of two models alike each of two tests may fail with half
    of 1 - power: z is that of 0.9.
    """
    p = plan(answers="own-units", spread=10.0, correlation=0.5, difference=2.0, margin=1.0)
    for other, power in zip(p.others[:2], (0.9, 0.8), strict=True):
        by_z = (stats.norm.ppf(0.95) + stats.norm.ppf(power)) ** 2 * 2 * 10.0**2 * 0.5
        assert by_z < other.questions < by_z + 3


@pytest.mark.parametrize(
    ("said", "factor"),
    [  # by simulation of a probit law, 900 evals each: 0.83 and 0.81 in place of 0.74 and 0.72
        ({"mean": 0.97, "correlation": 0.35, "noise": 0.35, "epochs": 2, "margin": 0.03}, 1.1),
        # 0.82 and 0.80 in place of 0.73 and 0.72
        ({"mean": 0.95, "correlation": 0.25, "noise": 0.1, "cluster_size": 5, "icc": 0.04,
          "icc_scores": 0.07, "margin": 0.05}, 1.1),
        # so many questions tell the models apart that a report takes t
        ({"mean": 0.8, "correlation": 0.5, "noise": 0.2, "epochs": 3, "margin": 0.02}, 1.0),
    ],
)  # fmt: skip
def test_where_few_answers_tell_models_apart_they_have_the_reports_test_too(said, factor):
    p = plan(difference=0.03, **said)
    for other in p.others[:2]:
        assert factor <= other.questions / other.equation < 1.3
        power = {"equivalence": 0.9, "non-inferiority": 0.8}[other.name]
        z = stats.norm.ppf(0.95) + stats.norm.ppf(power)
        variance = p.variances.at(p.shape)
        assert other.equation == np.ceil(z**2 * variance / said["margin"] ** 2)
        assert factor > 1.0 or other.questions <= other.equation + 3


def test_they_stand_only_where_a_margin_was_given_and_in_every_medium():
    assert set(sentences()) == {"methods"}
    p = plan(**GIVEN, margin=0.02)
    found, text = planning_json(whole(p)), to_paste(p)
    for x in pasted(p):
        assert found[x.name] == x.sentence and f"\n> {x.sentence}\n" in f"\n{text}\n"
    heads = [x.head for x in pasted(p)]
    assert heads == ["", "To show that two models are alike:", "To show that a model is not worse:"]
    assert all(f"\n\n{head}\n\n> " in text for head in heads[1:])
    assert found["methods_probabilities"] is None
    assert planning_json(whole(plan(**GIVEN)))["methods_equivalence"] is None
    assert "Schuirmann 1987, *Journal" in methods(p)


def test_they_say_whether_the_questions_of_the_eval_are_enough():
    few, many = sentences(margin=0.02, questions=500), sentences(margin=0.02, questions=9000)
    takes = plan(**GIVEN, margin=0.02).others[0].questions
    assert few["methods_equivalence"] == (
        "No plan: to show that two models which do not differ are within 2 percentage points of "
        f"each other, it takes {takes:,} questions, and there are 500."
    )
    for name in ("methods_equivalence", "methods_non_inferiority"):
        assert many[name].startswith("We use 9,000 questions, 1 answer to each, so that ")
        assert " with at least 80% power that " in many[name]
    least = sentences(margin=0.3, questions=20)["methods_non_inferiority"]
    assert least.endswith("it takes 30 questions, the fewest that are planned, and there are 20.")


@pytest.mark.slow
def test_they_have_the_plans_level_answers_clusters_and_comparisons():
    said = sentences(margin=0.03, level=0.9, power=0.9, epochs=3, noise=0.2, cluster_size=5,
                     icc=0.1, comparisons=6)  # fmt: skip
    p = plan(**{**GIVEN, "noise": 0.2}, margin=0.03, level=0.9, power=0.9, epochs=3,
             cluster_size=5, icc=0.1)  # fmt: skip
    n = p.others[1]
    assert said["methods_non_inferiority"].startswith(
        f"We planned {n.questions:,} questions in {n.clusters:,} clusters of 5, 3 answers to each, "
        "so that a one-sided test at a level of 10% for each of 6 comparisons shows with 90% power"
    )
    assert (
        "two one-sided tests at a level of 10% for each of 6 comparisons show with 90%"
        in (said["methods_equivalence"])
    )
    apart = sentences(margin=0.03, design="unpaired")["methods_equivalence"]
    assert " questions for each model, 1 answer to each, so that two one-sided tests" in apart
    alone = plan(**GIVEN, margin=0.03, design="unpaired", other_questions=5000)
    assert [x.name for x in pasted(alone)] == ["methods"]
