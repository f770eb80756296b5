"""A pilot without clusters, planned in clusters: how alike these are is from public evals."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import special
from support.plans import need_alone, plan
from support.sweeps import slow

from reportkit import stats
from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.others import UNPAIRED
from reportkit.analysis.planning.public import public_evals
from reportkit.decisions import Decisions
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import methods_sentence

QUARTILES = (0.25, 0.5, 0.75)


@pytest.fixture(scope="module")
def pilot() -> pd.DataFrame:
    """Two models of 60 questions with one right or wrong answer each."""
    rng = np.random.default_rng(5)
    easy = rng.normal(size=60)
    right = [rng.normal(easy + ahead) > 0.0 for ahead in (0.8, 0.5)]
    return pd.concat([
        pd.DataFrame({"model": m, "question_id": range(60), "score": r.astype(int)})
        for m, r in zip("AB", right, strict=True)
    ])  # fmt: skip


def quartiles(what: str) -> list[float]:
    """Over the public evals that show it, of their medians."""
    medians = [v[1] for e in public_evals() if (v := getattr(e, what))]
    return [round(float(q), 2) for q in np.quantile(medians, QUARTILES)]


def ranges(p: Planned) -> dict[str, tuple[float, float, float]]:
    """Every number of questions with its ends."""
    rows = {"need": p.need, **{x.name: x for x in p.others}}
    return {name: (x.low, x.questions, x.high) for name, x in rows.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "icc"),
    [({}, "icc"), slow({"epochs": 3, "noise": 0.3}, "icc"), ({"design": "unpaired"}, "icc_scores")],
)
def test_the_range_goes_from_the_lower_to_the_upper_quartile_of_the_icc(pilot, said, icc):
    """Each end is that of a plan to which this ICC is given: the pilot's variance and the clusters
    are both at that end.
    """
    said = {"difference": 0.1, "cluster_size": 5, **said}
    found = ranges(plan(scores=pilot, **said))
    low, middle, high = (
        ranges(plan(scores=pilot, **said, **{icc: q})) for q in quartiles(icc)
    )  # fmt: skip
    for name, row in found.items():
        if name != UNPAIRED or icc == "icc_scores":
            assert row == (low[name][0], middle[name][1], high[name][2])
    assert low["need"][2] < found["need"][2] and low["need"][0] < middle["need"][0]


@pytest.mark.slow
def test_models_with_questions_of_their_own_have_the_icc_of_scores(pilot):
    """Whether it is given or from public evals, they are planned beside a paired plan too."""
    said = {"difference": 0.1, "cluster_size": 5}
    beside = ranges(plan(scores=pilot, **said))[UNPAIRED]
    assert beside == ranges(plan(scores=pilot, **said, design="unpaired"))["need"]
    low, middle, high = (
        ranges(plan(scores=pilot, **said, icc_scores=q))[UNPAIRED] for q in quartiles("icc_scores")
    )
    assert beside == (low[0], middle[1], high[2])
    # V (1 + (m - 1) ICC) of both models
    [row] = [x for x in plan(scores=pilot, **said, icc_scores=0.2).others if x.name == UNPAIRED]
    [alone] = [x for x in plan(scores=pilot, difference=0.1).others if x.name == UNPAIRED]
    assert row.equation == pytest.approx(1.8 * alone.equation, abs=1.8)


def test_the_words_of_such_a_range(pilot):
    open_, given = (
        plan(scores=pilot, difference=0.1, cluster_size=5, **icc) for icc in ({}, {"icc": 0.2})
    )
    assert (
        "and the upper quartile of the ICC in public evals, as no icc was" in told(open_)[0].assumes
    )
    assert "public" not in told(given)[0].assumes
    notes = " ".join(plan_table(open_, "planning-differences").notes)
    assert "its ends are at the lower and the upper quartile of the ICC in public evals" in notes
    middle = quartiles("icc")[1]
    assert (
        f"60 questions and for an intraclass correlation of {middle:g} (the median of public "
        "evals) (95% range of the variance, with the quartiles of the ICC: "
    ) in methods_sentence(open_)
    assert "correlation of 0.2 (95% range: " in methods_sentence(given)


def test_noise_that_is_not_known_is_the_reason_of_models_apart(pilot):
    p = plan(scores=pilot, difference=0.1, cluster_size=5, epochs=3)
    [row] = [x for x in p.others if x.name == UNPAIRED]
    assert "give noise" in row.reason and row.reason == p.need.reason


def test_a_pilot_of_single_questions_knows_its_variance_as_well_where_clusters_are_planned():
    """50 questions in own units, in clusters of 6 with an ICC of 0.2 that is given: the variance is
    s^2 (1 + 5 * 0.2), known with 49 degrees of freedom and tested with those of the clusters.
    """
    rng = np.random.default_rng(8)
    first, second = rng.normal(50.0, 1.0, 50), rng.normal(50.0, 1.0, 50)
    scores = pd.DataFrame({"question_id": np.arange(50), "A": first, "B": second})
    long = scores.melt("question_id", var_name="model", value_name="score")
    need = need_alone(scores=long, difference=0.4, cluster_size=6, icc=0.2)
    variance = (first - second).var(ddof=1) * 2.0

    def enough(clusters: float) -> bool:
        ratio = 0.4 / math.sqrt(variance / (6.0 * clusters))
        return bool(ratio >= stats.assured_ratio(clusters - 1.0, 49.0))

    assert need.clusters == need.questions / 6.0
    assert enough(need.clusters) and not enough(need.clusters - 1.0)


def test_the_ends_of_the_range_count_what_the_pilot_leaves_open_once():
    """Of 30 questions: at each end the variance is taken as known, 29 / chi2_29 times
    s^2 (1 + 5 * 0.2), and tested with the degrees of freedom of the clusters alone.
    """
    rng = np.random.default_rng(9)
    first, second = (rng.uniform(40.0, 60.0, 30) for _ in "AB")  # no longer tails than normal
    scores = pd.DataFrame({"question_id": np.arange(30), "A": first, "B": second})
    long = scores.melt("question_id", var_name="model", value_name="score")
    p = plan(scores=long, difference=2.0, cluster_size=6, icc=0.2)
    assert p.pilot is not None and p.pilot.df == 29.0
    variance = (first - second).var(ddof=1) * 2.0
    for end, chance in ((p.need.low, 0.975), (p.need.high, 0.025)):
        square = variance * 29.0 / special.chdtri(29.0, 1.0 - chance)

        def enough(clusters: float, square: float = square) -> bool:
            ratio = 2.0 / math.sqrt(square / (6.0 * clusters))
            return bool(ratio >= stats.assured_ratio(clusters - 1.0))

        assert enough(end / 6.0) and not enough(end / 6.0 - 1.0)


def test_the_planned_size_has_one_number_of_questions():
    """In the table of clusters, where other sizes stand beside it, as in the first answer: uneven
    clusters of the pilot, 8 of 12 questions and 30 of one, count there as they do alone. With 38
    clusters of which each were worth as much it would be some 80 questions fewer.
    """
    rng = np.random.default_rng(12)
    passage = np.repeat(np.arange(38), [*[12] * 8, *[1] * 30])
    scores = pd.DataFrame({"question_id": np.arange(126), "passage": passage})
    for model in "AB":
        scores[model] = rng.normal(50.0, 6.0, 126) + rng.normal(0.0, 2.0, 38)[passage]
    long = scores.melt(["question_id", "passage"], var_name="model", value_name="score")
    p = plan(scores=long, difference=2.0, decisions=Decisions(cluster="passage"))
    [row] = [x for x in p.layouts if x.asked]
    assert (row.questions, row.clusters) == (p.need.questions, p.need.clusters)


@pytest.mark.parametrize(("size", "enough"), [(5, True), (12, True), (13, False), (30, False)])
def test_a_pilot_that_is_worth_fewer_than_5_clusters_of_a_size_does_not_plan_them(
    pilot, size, enough
):
    """60 questions are 5 clusters of 12 and less than 5 of 13. What the t test asks for beyond
    equation 9, z^2 V / D^2, is at most a fifth of it, V as large as observed (1 + (m - 1) ICC).
    """
    need = need_alone(scores=pilot, difference=0.1, cluster_size=size, icc=0.1)
    assert ("fewer than 5 clusters" in need.reason) is not enough
    assert math.isfinite(need.questions) is enough
    if enough:
        a, b = (pilot[pilot.model == m].score.to_numpy() for m in "AB")
        variance = (a - b).var(ddof=1) * (1.0 + 0.1 * (size - 1))
        by_formula = (1.959964 + 0.841621) ** 2 * variance / 0.1**2
        assert need.equation == math.ceil(by_formula)
        assert by_formula < need.questions < 1.2 * by_formula


@pytest.mark.slow
@pytest.mark.parametrize(("noise", "left"), [(0.24, True), (0.26, False)])
def test_alone_a_model_is_planned_where_its_scores_would_vary(pilot, noise, left):
    """In clusters of 5 with an ICC of -.2, V (1 - 4 * .2) is left; five answers take 4/5 of the
    noise off: more than that from .25 V on.
    """
    said = {"difference": 0.1, "cluster_size": 5, "icc": 0.1, "icc_scores": -0.2}
    found = plan(scores=pilot, **said, epochs=5, noise=noise).others
    [row] = [x for x in found if x.name == UNPAIRED]
    assert math.isfinite(row.equation) is left
