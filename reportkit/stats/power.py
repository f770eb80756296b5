"""Equations 9 and 10 of Miller 2024: questions needed, smallest detectable effect, power."""

import math

from scipy import special

from reportkit.stats.intervals import z_quantile


def _z_sum(level: float, power: float) -> float:
    if not 0.0 < power < 1.0:
        raise ValueError(f"power={power} is not between 0 and 1; write 80% as 0.8")
    return z_quantile(level) + float(special.ndtri(power))


def _variance(omega2: float, sigma2_a: float, sigma2_b: float, epochs_a: float, epochs_b: float) -> float:
    """Variance of one question's difference: omega^2 + sigma_A^2/K_A + sigma_B^2/K_B."""
    if min(omega2, sigma2_a, sigma2_b) < 0.0 or min(epochs_a, epochs_b) <= 0:
        raise ValueError("variances cannot be negative and there is at least one answer for each question")
    return omega2 + sigma2_a / epochs_a + sigma2_b / epochs_b


def questions_needed(
    effect: float,
    omega2: float,
    sigma2_a: float = 0.0,
    sigma2_b: float = 0.0,
    epochs_a: float = 1,
    epochs_b: float = 1,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> int:
    """Questions needed to detect a true difference of `effect` score units: equation 9, rounded up.

    n = (z_{a/2} + z_b)^2 (omega^2 + sigma_A^2/K_A + sigma_B^2/K_B) / effect^2. omega2: variance over questions of the
    true difference; sigma2: mean variance of one answer within a question; epochs: answers for each question. With one
    answer, omega2 may be the variance of the observed differences and sigma2 0. An effect of 0 is a ValueError.

    >>> questions_needed(0.03, 1/9)   # the paper's example; its input should be 1/12
    969
    >>> questions_needed(0.03, 1/12)
    727
    """
    if not abs(effect) > 0.0:
        raise ValueError("an effect of 0 cannot be detected by any number of questions; give the smallest that matters")
    n = _z_sum(level, power) ** 2 * _variance(omega2, sigma2_a, sigma2_b, epochs_a, epochs_b) / effect**2
    return math.ceil(n * (1 - 1e-12))  # an exact whole number must not be pushed over by rounding


def minimum_detectable_effect(
    n_questions: float,
    omega2: float,
    sigma2_a: float = 0.0,
    sigma2_b: float = 0.0,
    epochs_a: float = 1,
    epochs_b: float = 1,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> float:
    """The smallest true difference that n questions detect with the given power, in score units: equation 10.

    Undefined (nan) when the variance is 0: nothing in the data says how far the models could have differed.

    >>> round(minimum_detectable_effect(198, 1/9, 1/6, 1/6), 5)   # printed as 13.2%: cut, not rounded
    0.13273
    """
    variance = _variance(omega2, sigma2_a, sigma2_b, epochs_a, epochs_b)
    if not variance > 0.0 or not n_questions > 0:
        return math.nan
    return _z_sum(level, power) * math.sqrt(variance / n_questions)


def power(effect: float, se: float, *, level: float = 0.95) -> float:
    """Chance of a significant result when the true difference is `effect`: both tails; 1 - level at an effect of 0.

    >>> round(power(2.801585, 1.0), 3), round(power(0.0, 1.0), 3)
    (0.8, 0.05)
    """
    z = z_quantile(level)
    if not se > 0.0:
        return math.nan
    return float(special.ndtr(effect / se - z) + special.ndtr(-effect / se - z))
