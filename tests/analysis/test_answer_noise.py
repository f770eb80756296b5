"""What more answers would buy, by hand: SE^2 = (between + within / answers) / questions."""

import math
from dataclasses import replace

import pytest

from reportkit.analysis.answer_noise import answer_noise
from reportkit.results import MeanResult

NAN = math.nan
# 100 questions of 4 answers: (0.16 + 0.36 / 4) / 100 = 0.0025 = 0.05^2.
MEAN = MeanResult(
    "A", 0.5, 0.05, 99, 0.4, 0.6, 0.95, "t", 100, 100, 400, 0, 0, 0.05, 1.0, 0.16, 0.36
)


def test_twice_the_answers_halve_the_noise_and_no_end_of_answers_leaves_none():
    noise = answer_noise(MEAN)
    assert noise.share == pytest.approx(0.09 / 0.25)
    assert noise.now == 0.05
    assert noise.doubled == pytest.approx(math.sqrt((0.16 + 0.36 / 8) / 100))
    assert noise.unlimited == pytest.approx(math.sqrt(0.16 / 100))


def test_scores_in_units_of_their_own():
    """A hundred times the score is a hundred times each SE, and the same share."""
    points = replace(
        MEAN, se=5.0, se_unclustered=5.0, variance_between=1600.0, variance_within=3600.0
    )
    noise = answer_noise(points)
    assert noise.share == pytest.approx(0.36)
    assert noise.doubled == pytest.approx(math.sqrt((1600 + 450) / 100))
    assert noise.unlimited == pytest.approx(4.0)


def test_in_clusters_the_noise_of_the_answers_stays_what_it_is():
    """SE^2 is 0.01 in clusters; of it (0.0025 - 0.0016) = 0.0009 comes from the answers."""
    noise = answer_noise(replace(MEAN, se=0.1))
    assert noise.share == pytest.approx(0.09)
    assert noise.doubled == pytest.approx(math.sqrt(0.01 - 0.00045))
    assert noise.unlimited == pytest.approx(math.sqrt(0.01 - 0.0009))


@pytest.mark.parametrize("between, se", [(0.0, 0.05), (1e-12, 0.05), (0.0, 0.04)])
def test_noise_alone_leaves_nothing_that_is_known(between, se):
    """Also where rounding leaves a trace, or clusters make the SE smaller than the noise."""
    noise = answer_noise(replace(MEAN, variance_between=between, se=se))
    assert noise.share == 1.0
    assert noise.doubled == pytest.approx(se * math.sqrt(0.5))
    assert math.isnan(noise.unlimited)


@pytest.mark.parametrize(
    "fields, now",
    [
        ({"se": 0.0, "se_unclustered": 0.0, "variance_between": 0.0}, 0.0),
        ({"se": NAN}, NAN),
        ({"variance_between": NAN}, 0.05),  # one answer for each question
        ({"n_questions": 0, "se": NAN, "se_unclustered": NAN, "variance_between": NAN}, NAN),
    ],
)
def test_what_is_not_known_is_nan(fields, now):
    noise = answer_noise(replace(MEAN, **fields))
    assert noise.now == now or math.isnan(now) and math.isnan(noise.now)
    assert all(math.isnan(x) for x in (noise.share, noise.doubled, noise.unlimited))
