"""How the variance of a difference changes when one of two expected models gets worse.

A model answers a question right where a normal variable, its ability and luck less the question's
difficulty, exceeds 0. What two answers have in common is the correlation of their variables: high
for two answers of one model to one question, lower for two models, lowest for two questions of a
cluster. These correlations stay while one model's ability falls, and every variance and covariance
is an orthant of two normals. A score between 0 and 1 is the mean of many such answers.
"""

import math
from dataclasses import astuple, dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bayes.bivariate import orthants
from reportkit.stats.bayes.quadrature import normal_nodes
from reportkit.stats.planning.cluster_shares import ClusterShares, cluster_shares, sum_tails
from reportkit.stats.planning.discordance import latent_correlation, quantiles
from reportkit.stats.planning.tails import Tails


@dataclass(frozen=True, slots=True)
class Law(Record):
    """One expected pair: latent correlations (as latent_correlation has them) and its plan."""

    score: float  # of one score with itself: its variance
    question: float  # of two answers of one model to one question: the variance of its true score
    models: float  # of two models on one question
    cluster: float  # of one model on two questions of a cluster
    crossed: float  # of two models on two questions of a cluster
    others: float  # questions of a cluster beside a question's own, m - 1
    inverse_a: float  # 1 / K of the first model
    inverse_b: float

    def row(self) -> np.ndarray:
        """As PairDesigns.law has it, shape (1, 8)."""
        return np.array([astuple(self)])


def latent_of(mean: float, covariances: np.ndarray) -> np.ndarray:
    """The latent correlations at which two scores of this mean have the covariances.

    >>> z = latent_of(0.5, np.array([1 / 12]))    # orthants of correlation 1/2: 1/3, 1/6, 1/6, 1/3
    >>> np.tanh(z).round(6).tolist()
    [0.5]
    """
    apart = np.maximum(2.0 * (mean * (1.0 - mean) - covariances), 0.0)
    share = np.full(len(covariances), mean)
    return latent_correlation(share, share, apart)


def mean_apart(mean: float, variance: float, covariance: float) -> float:
    """Mean of |a - b| of two scores between 0 and 1 of one mean, each Phi of a normal, with this
    variance and covariance; by the trapezoid rule.

    >>> round(mean_apart(0.5, 1 / 12, 0.0), 4)   # independent uniform scores: 1/3
    0.3333
    """
    rho, joint = np.tanh(latent_of(mean, np.array([variance, covariance])))
    z, weights = normal_nodes(193, 6.0)
    rho = min(float(rho), 1.0 - 1e-6)
    share = float(np.clip(joint / rho, -1.0, 1.0))
    own = share * z[:, None] + math.sqrt(1.0 - share * share) * z[None, :]
    a, b = (
        special.ndtr((special.ndtri(mean) + math.sqrt(rho) * x) / math.sqrt(1.0 - rho))
        for x in (z[:, None], own)
    )
    return float(weights @ np.abs(a - b) @ weights)


@dataclass(frozen=True, slots=True)
class Growth(Record):
    """What a difference changes, shape (P,)."""

    alone: np.ndarray  # part of the variance that is there without clusters, at no difference
    plain: np.ndarray  # times that this part grows
    variance: np.ndarray  # times that all of it does
    shares: ClusterShares  # of the models in clusters; without clusters, in each question
    tails: Tails  # of the sums of clusters' differences


def expected_growth(law: np.ndarray, share: np.ndarray, difference: np.ndarray) -> Growth:
    """Of models with `share` and `difference` less."""
    low = np.maximum(share - difference, 0.0)
    alone_0, all_0 = _variance(law, share, share)
    alone, every = _variance(law, share, low)
    grouped = law[:, 5] > 0.0
    own, both = (np.tanh(np.where(grouped, law[:, i], law[:, j])) for i, j in ((3, 1), (4, 2)))
    rest = own, both, law[:, 5] + 1.0, alone
    first, second = quantiles(share), quantiles(low)
    shares, tails = cluster_shares(first, second, *rest), sum_tails(share, low, *rest)
    return Growth(alone_0 / all_0, alone / alone_0, every / all_0, shares, tails)


def _variance(law: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of one question's difference, without what clusters add and with it."""
    score, question, models, cluster, crossed, others, inverse_a, inverse_b = law.T
    alone = -2.0 * _covariance(a, b, models)
    joint = -2.0 * others * _covariance(a, b, crossed)
    for share, inverse in ((a, inverse_a), (b, inverse_b)):
        true = _covariance(share, share, question)
        alone = alone + true + (_covariance(share, share, score) - true) * inverse
        joint = joint + others * _covariance(share, share, cluster)
    return alone, alone + joint


def _covariance(a: np.ndarray, b: np.ndarray, latent: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        h, k = quantiles(a), quantiles(b)
    return np.asarray(orthants(h, k, latent)[0]) - a * b
