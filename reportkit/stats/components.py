"""Variance between questions and within them, answer noise removed: what more questions or more answers would buy."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Components:
    """Variances in squared score units. All nan when no question has two answers: one answer cannot tell them apart."""

    between: float  # Var(x), the variance over questions of the expected score; 0 where the estimate is negative
    within: float  # sigma^2, the mean variance of one answer within a question
    noise: float  # q = (1/n) sum_i sigma_i^2 / K_i: what answer noise adds to the variance of question means
    epochs: float  # harmonic mean of the answers per question


def components(means: np.ndarray, variances: np.ndarray, epochs: np.ndarray) -> Components:
    """Variance components of one model's scores on n questions.

    means: shape (n,), question means. variances: shape (n,), variance of the answers of a question with divisor K-1
    (nan or anything where K=1). epochs: shape (n,), answers per question, K.

    within = mean of the variances over questions with K >= 2 (Miller 2024, appendix C, its j = i part: the printed
    cross terms depend on how answers are numbered). between = Var(means) - q, floored at 0: the printed plug-in is
    biased up by q. Questions with one answer borrow `within` for their share of q.

    >>> c = components(np.array([0.5, 1.0, 0.0]), np.array([0.5, 0.0, 0.0]), np.array([2, 2, 2]))
    >>> round(c.within, 4), round(c.noise, 4), round(c.between, 4)   # 0.5/3, /2, 0.25 - 0.0833
    (0.1667, 0.0833, 0.1667)
    """
    k = np.asarray(epochs, dtype=float)
    repeated = k >= 2
    harmonic = len(k) / float((1.0 / k).sum()) if len(k) else math.nan
    if not repeated.any():
        return Components(math.nan, math.nan, math.nan, harmonic)
    within = float(np.asarray(variances, dtype=float)[repeated].mean())
    filled = np.where(repeated, variances, within)
    noise = float((filled / k).mean())
    between = max(0.0, float(np.var(means, ddof=1)) - noise) if len(k) > 1 else math.nan
    return Components(between, within, noise, harmonic)


def omega_squared(se: float, n: int, noise_a: float, noise_b: float) -> float:
    """Variance over questions of the true difference of two models, n SE^2 - q_A - q_B, floored at 0.

    se: standard error of the paired difference on n questions; noise_a, noise_b: `noise` of components. The printed
    plug-in (appendix C) omits the subtraction and counts answer noise twice. Taking the report's own SE (CR2) keeps
    equation 10 and the SE in step; for equal cluster sizes it is the G/(G-1) correction of the printed form.
    Undefined (nan) when either noise is.

    >>> round(omega_squared(0.05, 100, 0.05, 0.05), 4)   # 100 * 0.0025 - 0.1
    0.15
    """
    value = n * se**2 - noise_a - noise_b
    return max(0.0, value) if not math.isnan(value) else math.nan
