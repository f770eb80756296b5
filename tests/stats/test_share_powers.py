"""Shares right over questions, where steps are narrow: against orthants of scipy's normal laws."""

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.integrate import quad
from support.plans import need_alone
from support.sweeps import but_slow

from reportkit.stats.planning.cluster_shares import sum_tails
from reportkit.stats.planning.several_answers import question_law
from reportkit.stats.planning.share_powers import GRIDS, MOST_ALIKE, grids_of, share_powers

ONE = np.ones(1)
BOTH = [0.0, 0.3, 0.6, 0.8, 0.88, 0.93, 0.96, 0.985, 0.995]
OWN = [0.3, 0.6, 0.9, 0.97, 0.996, MOST_ALIKE, 0.99999]


def orthant(first: float, second: float, r: float) -> float:
    """The chance that two normal variables of correlation r are above 0, by scipy."""
    at = scipy_stats.norm.ppf([first, second])
    return float(scipy_stats.multivariate_normal(cov=[[1.0, r], [r, 1.0]]).cdf(at))


def powers(share: float, own: float, both: float):
    ((_, grid),) = grids_of(both * ONE)
    return share_powers(share * ONE, own * ONE, both * ONE, grid), grid


@pytest.mark.parametrize("both", BOTH)
@pytest.mark.parametrize("own", OWN)
def test_two_answers_are_right_as_often_as_two_normals(own, both):
    """One grid for all had 2 to 15% too much or too little of what two models differ by where
    nearly all answers to a question are alike, and where the two models nearly are.
    """
    if own < both:
        return
    for first, second in ((0.8, 0.8), (0.93, 0.88), (0.5, 0.4)):
        (a, grid), (b, _) = powers(first, own, both), powers(second, own, both)
        assert grid.mean(a[0]).item() == pytest.approx(first, abs=2e-5)
        assert grid.mean(a[1]).item() == pytest.approx(orthant(first, first, own), abs=5e-5)
        differ = first + second - 2.0 * orthant(first, second, both)  # of two single answers
        found = grid.mean(a[0] + b[0] - 2.0 * a[0] * b[0]).item()
        assert found == pytest.approx(differ, rel=2e-3, abs=2e-5)


@pytest.mark.parametrize(("first", "second"), [(0.8, 0.8), (0.9, 0.82), (0.6, 0.5)])
@pytest.mark.parametrize("both", BOTH)
def test_differences_of_single_answers_have_the_moments_of_their_four_cells(first, second, both):
    """Where all answers to a question are alike a difference is -1, 0 or 1."""
    neither = orthant(first, second, both)
    up, down = first - neither, second - neither
    at = np.array([1.0, 0.0, -1.0]) - (first - second)
    cells = np.array([up, 1.0 - up - down, down])
    second_, third, fourth = (float(cells @ at**k) for k in (2, 3, 4))
    tails = sum_tails(*(v * ONE for v in (first, second, 1.0 - 1e-9, both, 1.0, second_)))
    assert tails.skew.item() == pytest.approx(third / second_**1.5, abs=0.01)
    assert tails.excess.item() == pytest.approx(fourth / second_**2 - 3.0, rel=0.01, abs=0.02)
    (a, grid), (b, _) = powers(first, 1.0 - 1e-9, both), powers(second, 1.0 - 1e-9, both)
    law = question_law(a, b, 0.25 * ONE, grid)
    assert law.variance.item() == pytest.approx(second_, rel=2e-3)
    assert law.excess.item() == pytest.approx(fourth / second_**2 - 3.0, rel=0.01, abs=0.02)


def test_no_grid_is_finer_than_the_finest():
    ((k, grid),) = grids_of(np.array([MOST_ALIKE, 1.0]))
    assert k.tolist() == [0, 1] and grid is GRIDS[-1]


@pytest.mark.parametrize("correlation", but_slow([0.2, 0.43, 0.6, 0.75], 0.2, 0.6))
def test_questions_needed_change_little_where_answer_noise_is_little(correlation):
    """Two answers in place of one take a part of 2 noise / 2 off the variance, 2 (1 - r) of one
    answer each. At noise 0.01 and a correlation of 0.43, 1,160 questions were planned for 2,360.
    """
    asked = {"difference": 0.025, "mean": 0.8, "correlation": correlation, "epochs": 2}
    noises = (0.001, 0.01, 0.03, 0.05)
    found = [need_alone(**asked, noise=w) for w in noises]
    ratios = np.array([n.questions / n.equation for n in found])
    assert np.all((ratios > 1.02) & (ratios < 1.09))
    assert np.ptp(ratios) < 0.02


@pytest.mark.parametrize(("own", "both"), [(0.8, 0.2), (0.9, 0.5), (0.5, 0.3)])
@pytest.mark.parametrize("share", [0.5, 0.85])
def test_powers_are_those_of_phi_of_a_normal(share, own, both):
    """The mean of Phi((at + sqrt(own) z) / sqrt(1 - own))^k over z, by scipy's quad; both where
    the powers are taken by parts and, in the last case, where they are not.
    """
    at, norm = scipy_stats.norm.ppf(share), scipy_stats.norm
    found, grid = powers(share, own, both)
    for k in (1, 2, 3, 4):

        def of(z, k=k):
            return norm.cdf((at + np.sqrt(own) * z) / np.sqrt(1.0 - own)) ** k * norm.pdf(z)

        assert grid.mean(found[k - 1]).item() == pytest.approx(quad(of, -9, 9)[0], abs=1e-4)
