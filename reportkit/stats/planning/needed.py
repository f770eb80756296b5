"""Planning: questions needed, smallest detectable effect, power (equations 9 and 10 of
Miller 2024).

Equations 9 and 10 take the variance of equal models and z: with few clusters, or 0/1 scores near
the ends, a test then finds less than it is planned for. What a report prints is planned by
detectable_difference and times_needed; units_needed and mcnemar_power are for plans of one's own.

Every function takes the level of the interval that will be reported: 0.95 is a two-sided test at
alpha = 0.05. For m comparisons of which each must hold after Bonferroni's or Holm's first step,
give level = 1 - 0.05/m.
"""

import math
from dataclasses import dataclass
from typing import Any

from scipy import special

from reportkit.record import Record
from reportkit.stats.intervals import z_quantile
from reportkit.stats.planning.assured import assured_ratio, check_power
from reportkit.stats.planning.quantities import given


@dataclass(frozen=True, slots=True)
class QuestionsRange(Record):
    """Questions needed, and the range that a small pilot leaves open, at range_level."""

    low: int
    estimate: int
    high: int
    range_level: float


def _z_sum(level: float, power: float) -> float:
    z = z_quantile(level)
    check_power(level, power)
    return z + float(special.ndtri(power))


def _variance(
    omega2: float, sigma2_a: float, sigma2_b: float, epochs_a: float, epochs_b: float
) -> float:
    """Variance of one question's difference: omega^2 + sigma_A^2/K_A + sigma_B^2/K_B."""
    if min(omega2, sigma2_a, sigma2_b) < 0.0 or min(epochs_a, epochs_b) < 1:
        raise ValueError(
            "variances cannot be negative and there is at least one answer for each question"
        )
    return omega2 + sigma2_a / epochs_a + sigma2_b / epochs_b


def round_up(n: float) -> int:
    """The next whole number; ValueError where there is none."""
    if not math.isfinite(n):
        raise ValueError(
            f"the variance gives {n} questions; it must be a finite number (one answer per "
            "question cannot separate omega^2 from sigma^2: give the variance of the differences "
            "as omega2)"
        )
    return math.ceil(n * (1 - 1e-12))  # an exact whole number must not be pushed over by rounding


def _questions(effect: float, variance: float, level: float, power: float) -> float:
    """Equation 9, not yet a whole number."""
    _check_effect(effect)
    return _z_sum(level, power) ** 2 * variance / effect**2


def _check_effect(effect: float) -> None:
    if not abs(effect) < math.inf:
        raise ValueError(f"effect={effect} is no difference; give the smallest that matters")
    if not effect**2 > 0.0:
        raise ValueError(
            "an effect of 0 cannot be detected by any number of questions; give the smallest that "
            "matters"
        )


def questions_needed(  # noqa: PLR0913 (keyword options of a public statistic)
    effect: float,
    omega2: float | None = None,
    sigma2_a: float = 0.0,
    sigma2_b: float = 0.0,
    epochs_a: float = 1,
    epochs_b: float = 1,
    *,
    level: float = 0.95,
    power: float = 0.8,
    t_correction: bool = False,
) -> int:
    """Questions needed to detect a true difference of `effect` score units: equation 9, rounded up.

    n = (z_{a/2} + z_b)^2 (omega^2 + sigma_A^2/K_A + sigma_B^2/K_B) / effect^2. omega2: variance
    over questions of the true difference; sigma2: mean variance of one answer within a question;
    epochs: answers for each question. With one answer, omega2 may be the variance of the observed
    differences and sigma2 0. An effect of 0 is a ValueError. t_correction adds z_{a/2}^2 / 2, about
    2 questions, for a t in place of z (Guenther 1981): unclustered plans only. Clustered: omega2 is
    clustered_omega_squared, n still counts questions, and clusters_needed(n, size) clusters.

    >>> questions_needed(0.03, 1/9)   # the paper's example; its input should be 1/12
    969
    >>> questions_needed(0.03, 1/12)
    727
    """
    omega2 = given("omega2", omega2)
    variance = _variance(omega2, sigma2_a, sigma2_b, epochs_a, epochs_b)
    n = _questions(effect, variance, level, power)
    return round_up(n + z_quantile(level) ** 2 / 2.0 if t_correction else n)


def minimum_detectable_effect(  # noqa: PLR0913 (keyword options of a public statistic)
    n_questions: float,
    omega2: float | None = None,
    sigma2_a: float = 0.0,
    sigma2_b: float = 0.0,
    epochs_a: float = 1,
    epochs_b: float = 1,
    *,
    level: float = 0.95,
    power: float = 0.8,
    df: float = math.inf,
) -> float:
    """The smallest true difference that n questions detect with the given power, in score units:
    equation 10.

    df: degrees of freedom of the t test that will be made (the number of clusters less 1), by
    assured_ratio; the default is the normal of the paper, which promises too much with few.
    Undefined (nan) when the variance is 0: nothing in the data says how far the models could have
    differed.

    >>> # printed as 13.2%: cut, not rounded
    >>> round(minimum_detectable_effect(198, 1/9, 1/6, 1/6), 5)
    0.13273
    """
    omega2 = given("omega2", omega2)
    variance = _variance(omega2, sigma2_a, sigma2_b, epochs_a, epochs_b)
    _z_sum(level, power)  # checks both
    if not variance > 0.0 or not n_questions > 0 or not df > 0.0:
        return math.nan
    ratio = assured_ratio(df, level=level, power=power).item()
    return ratio * math.sqrt(variance / n_questions)


def power(
    effect: float, se: float | None = None, *, level: float = 0.95, df: float = math.inf
) -> float:
    """Chance of a significant result when the true difference is `effect`: both tails; 1 - level at
    an effect of 0.

    se: standard error, sqrt(variance / n) for a plan. df: degrees of freedom of the t test that
    will be made (the number of clusters less 1, where they are alike), by the noncentral t; the
    default is the normal of equations 9 and 10, which promises too much with few clusters.
    Undefined (nan) where the SE is 0 or undefined.

    >>> round(power(2.801585, 1.0), 3), round(power(0.0, 1.0), 3)
    (0.8, 0.05)
    >>> round(power(2.801585, 1.0, df=9), 3)   # ten clusters
    0.704
    """
    z, se = z_quantile(level), given("se", se)
    if not se > 0.0 or math.isnan(df) or math.isnan(effect):
        return math.nan
    if math.isinf(df):
        return float(found_by_z(effect / se, z))
    t, shift = special.stdtrit(df, 0.5 + level / 2.0), abs(effect) / se
    below, other = (float(special.nctdtr(df, shift, end)) for end in (t, -t))
    # scipy gives nan far out, only where the probability is below 1e-10.
    return 1.0 - (0.0 if math.isnan(below) else below) + (0.0 if math.isnan(other) else other)


def found_by_z(far: Any, z: float) -> Any:
    """How often a two-sided z test finds a difference of so many standard errors, a number or an
    array; z: its critical value.
    """
    return special.ndtr(far - z) + special.ndtr(-far - z)


# What a pilot leaves open -------------------------------------------------------------------------


def variance_range(df: float, *, level: float = 0.95) -> tuple[float, float]:
    """Factors on a variance estimated with df degrees of freedom that hold the true one: df /
    chi2_df quantiles.

    Exact for normal data, a guide otherwise. df of a pilot of n0 independent questions is n0 - 1;
    of a clustered one, the df of its Estimate.

    >>> [tuple(round(v, 2) for v in variance_range(n0 - 1)) for n0 in (30, 100, 300)]
    [(0.63, 1.81), (0.77, 1.35), (0.86, 1.18)]
    """
    z_quantile(level)  # checks the level
    if not df > 0.0:
        raise ValueError(
            f"df={df}: a variance needs at least two pilot questions (or clusters) to have a range"
        )
    if math.isinf(df):
        return 1.0, 1.0
    tail = (1.0 - level) / 2.0
    return df / float(special.chdtri(df, tail)), df / float(special.chdtri(df, 1.0 - tail))


def questions_range(  # noqa: PLR0913 (keyword options of a public statistic)
    effect: float,
    omega2: float | None = None,
    sigma2_a: float = 0.0,
    sigma2_b: float = 0.0,
    epochs_a: float = 1,
    epochs_b: float = 1,
    *,
    pilot_df: float | None = None,
    range_level: float = 0.95,
    level: float = 0.95,
    power: float = 0.8,
) -> QuestionsRange:
    """questions_needed, with the range that the pilot's own uncertainty leaves for it.

    pilot_df: degrees of freedom of the pilot's variance, n0 - 1 for n0 independent questions, the
    df of its Estimate when clustered. The ends put variance_range's factors on the whole variance
    of a question's difference, which is exact where the plan has the pilot's epochs and the
    differences are normal. Other arguments as in questions_needed.

    >>> questions_range(0.03, 1/12, pilot_df=29)   # 726.75 times 29/45.72 and 29/16.05
    QuestionsRange(low=461, estimate=727, high=1314, range_level=0.95)
    """
    omega2, pilot_df = given("omega2", omega2), given("pilot_df", pilot_df)
    variance = _variance(omega2, sigma2_a, sigma2_b, epochs_a, epochs_b)
    n = _questions(effect, variance, level, power)
    low, high = variance_range(pilot_df, level=range_level)
    return QuestionsRange(round_up(n * low), round_up(n), round_up(n * high), range_level)


# Other designs ------------------------------------------------------------------------------------


def mcnemar_questions_needed(
    p10: float | None = None,
    p01: float | None = None,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> int:
    """Questions needed for McNemar's test to find that models right alone on shares p10 and p01
    differ (Connor 1987).

    n = (z_{a/2} sqrt(p10 + p01) + z_b sqrt(p10 + p01 - D^2))^2 / D^2 with D = p10 - p01, rounded
    up: 0/1 scores, one answer per question, no clusters. It is a little more than equation 9 with
    Var(d) = p10 + p01 - D^2, as the test takes its variance at D = 0. Equal shares are a
    ValueError.

    >>> mcnemar_questions_needed(0.2, 0.1)   # (1.96 sqrt(.3) + .8416 sqrt(.29))^2 / .01 = 233.1
    234
    """
    p10, p01 = given("p10", p10), given("p01", p01)
    if not (p10 >= 0.0 and p01 >= 0.0 and p10 + p01 <= 1.0):
        raise ValueError(
            f"p10={p10} and p01={p01} are no shares of the same questions; both >= 0 and their "
            "sum <= 1"
        )
    d = p10 - p01
    _check_effect(d)
    _z_sum(level, power)  # checks both
    root = z_quantile(level) * math.sqrt(p10 + p01) + float(special.ndtri(power)) * math.sqrt(
        p10 + p01 - d * d
    )
    return round_up((root / d) ** 2)


def unpaired_questions_needed(
    effect: float,
    variance_a: float | None = None,
    variance_b: float | None = None,
    *,
    level: float = 0.95,
    power: float = 0.8,
    t_correction: bool = False,
) -> int:
    """Questions needed for each of two models that answer different questions, rounded up.

    n = (z_{a/2} + z_b)^2 (V_A + V_B) / effect^2, V the variance over questions of a model's
    question scores (between + within / K). Common questions need fewer by the share 2 Cov / (V_A +
    V_B): questions_needed. This is z; scores without bounds are tested by t: t_correction adds
    z_{a/2}^2 / 4, about 1 question each (Guenther 1981). Not for clusters.

    >>> # 7.84888 * 0.08 / 0.0004 = 1569.8
    >>> [unpaired_questions_needed(0.02, 0.04, 0.04, t_correction=t) for t in (False, True)]
    [1570, 1571]
    """
    variance_a, variance_b = given("variance_a", variance_a), given("variance_b", variance_b)
    n = _questions(effect, _variance(0.0, variance_a, variance_b, 1, 1), level, power)
    return round_up(n + z_quantile(level) ** 2 / 4.0 if t_correction else n)


def noninferiority_questions_needed(
    margin: float,
    variance: float | None = None,
    effect: float = 0.0,
    *,
    level: float = 0.95,
    power: float = 0.8,
    t_correction: bool = False,
) -> int:
    """Questions needed to show that the first model is less than `margin` worse: the interval's
    lower end above -margin.

    n = (z_{a/2} + z_b)^2 Var(d) / (margin + effect)^2, rounded up. margin: > 0, score units;
    variance: of one question's difference; effect: true difference expected, 0 for equal models.
    level is that of the two-sided interval whose lower end is used: 0.95 tests at one-sided 0.025,
    0.90 at 0.05. A true difference at or below -margin is a ValueError. This is z; a report's test
    is a t: t_correction is that of questions_needed. For clusters, see units_needed.

    >>> [noninferiority_questions_needed(0.03, 1/12, level=level) for level in (0.95, 0.9)]
    [727, 573]
    """
    variance = given("variance", variance)
    if not margin > 0.0 or not margin + effect > 0.0:
        raise ValueError(
            f"margin={margin} with a true difference of {effect}: give a margin above 0 and a "
            "difference above -margin, or there is nothing to show"
        )
    return questions_needed(
        margin + effect, variance, level=level, power=power, t_correction=t_correction
    )
