"""How many answers to ask for each question: the cheapest numbers for a wanted precision."""

import math
from dataclasses import dataclass

from reportkit.record import Record
from reportkit.stats.planning.quantities import given


@dataclass(frozen=True, slots=True)
class BestEpochs(Record):
    """The cheapest numbers of answers per question for a given precision of the difference of two
    models.
    """

    epochs_a: float  # whole numbers; math.inf where more answers always pay
    epochs_b: float
    optimum_a: float  # K* before it is made a whole number of at least 1
    optimum_b: float


def best_epochs(
    omega2: float | None = None,
    sigma2_a: float | None = None,
    sigma2_b: float = 0.0,
    *,
    cost_question: float | None = None,
    cost_a: float = 1.0,
    cost_b: float = 0.0,
) -> BestEpochs:
    """Answers per question that reach a given precision at the least cost, where more questions can
    be bought.

    Minimises (omega^2 + sigma_A^2/K_A + sigma_B^2/K_B)(cost_question + cost_a K_A + cost_b K_B),
    cost per question and per answer in any one unit. K_M* = (sigma_M/omega)
    sqrt(cost_question/cost_M) before rounding. The result is the best pair of whole numbers of at
    least 1, found by a search outwards from K*; it need not be K* rounded. One model, or a
    reference without cost or noise: leave out the second. The same K for both: give the sums of
    variances and of costs as the first.

    Where questions are free (cost_question=0), new questions are always better than second answers
    if there is one model or both are alike (K = 1). A much noisier or cheaper model still gets more
    than one. With omega2=0 there is no optimum: more answers always pay, and epochs are math.inf
    for each model with answer noise. omega2 is 0 where a pilot cannot tell it from 0; take its
    range instead. With cost_question=0 and omega2=0 nothing depends on the scale: ValueError.

    >>> best_epochs(1/12, 1/6, cost_question=8)   # sqrt(2) * sqrt(8) = 4
    BestEpochs(epochs_a=4, epochs_b=1, optimum_a=4.0, optimum_b=0.0)
    >>> best_epochs(1/12, 1/6, 1/6, cost_question=0, cost_a=1, cost_b=1).epochs_a
    1
    """
    omega2, sigma2_a = given("omega2", omega2), given("sigma2_a", sigma2_a)
    cost_question = given("cost_question", cost_question)
    if not (
        omega2 >= 0.0 and sigma2_a >= 0.0 and sigma2_b >= 0.0 and omega2 + sigma2_a + sigma2_b > 0.0
    ):
        raise ValueError(
            f"omega2={omega2}, sigma2={sigma2_a} and {sigma2_b}: give variances >= 0, not all of "
            "them 0"
        )
    if not (
        cost_question >= 0.0
        and cost_a > 0.0
        and (cost_b > 0.0 or (cost_b == 0.0 and sigma2_b == 0.0))
    ):
        raise ValueError(
            f"costs {cost_question}, {cost_a}, {cost_b}: a question may cost 0, an answer must "
            "cost more"
        )
    noisy = sigma2_a > 0.0, sigma2_b > 0.0
    if omega2 == 0.0:
        if cost_question == 0.0:
            raise ValueError(
                "omega2=0 and cost_question=0: any scale of epochs costs the same; there is "
                "nothing to choose"
            )
        unbounded = [math.inf if n else 0.0 for n in noisy]
        return BestEpochs(max(unbounded[0], 1), max(unbounded[1], 1), *unbounded)
    star_a = math.sqrt(sigma2_a / omega2 * cost_question / cost_a)
    star_b = math.sqrt(sigma2_b / omega2 * cost_question / cost_b) if noisy[1] else 0.0
    first, second = (sigma2_a, cost_a), (sigma2_b, cost_b)
    # Outwards over the smaller of the two: its whole numbers are coarser, so the search ends after
    # a few steps.
    if star_a <= star_b:
        k_a, k_b = _best_pair(omega2, cost_question, first, second, star_a)
    else:
        k_b, k_a = _best_pair(omega2, cost_question, second, first, star_b)
    return BestEpochs(k_a, k_b, star_a, star_b)


def _best_pair(
    omega2: float, cost: float, outer: tuple[float, float], inner: tuple[float, float], start: float
) -> tuple[int, int]:
    """The whole numbers (K of outer, K of inner) of least cost; outer and inner are (variance of an
    answer, its cost).

    For a given K of outer, the cost is p + qK + r/K in the K of inner. It is convex, so the best
    whole number is beside the best real number. The best real cost has one minimum in K of outer.
    Once it is above the cost of the best pair, no further K in that direction is better.
    """

    def at(k: int) -> tuple[float, int, float]:
        rest, price = omega2 + outer[0] / k, cost + outer[1] * k
        real = max(1.0, math.sqrt(inner[0] * price / (inner[1] * rest)) if inner[0] > 0.0 else 1.0)
        costs = {
            x: (rest + inner[0] / x) * (price + inner[1] * x)
            for x in (real, math.floor(real), math.ceil(real))
        }
        whole = min((math.floor(real), math.ceil(real)), key=lambda x: costs[x])
        return costs[whole], whole, costs[real]

    k = max(1, round(start))
    best, partner, bound = at(k)
    found = k, partner
    if outer[0] == 0.0:  # without noise to average, more answers buy nothing; start is 0
        return found
    for step in (-1, 1):
        last, j = bound, k + step
        while j >= 1:
            here, partner, lower = at(j)
            if here < best:
                best, found = here, (j, partner)
            # past the valley of the bound, and above what is known
            if lower >= best and lower >= last:
                break
            last, j = lower, j + step
    return found


def epochs_for_share(omega2: float, sigma2: float, *, share: float = 0.2) -> float:
    """Answers per question from which on answer noise adds less than `share` to the variance, on a
    fixed set of questions.

    The smallest K with sigma^2 / (K omega^2) < share. Where no new question can be had, further
    answers then gain little (Miller 2024, section 3.1, asks for sigma^2/K much below the variance
    between questions). One model: between and within of Components; a difference with the same K
    for both models: omega^2 and sigma_A^2 + sigma_B^2. math.inf where omega2 is 0 and sigma2 is
    not: no number of answers makes the noise small enough then. Undefined (nan) where a variance
    is, or both are 0.

    >>> epochs_for_share(1/12, 1/6)   # 2/K < 0.2
    11
    """
    if omega2 < 0.0 or sigma2 < 0.0 or not share > 0.0:
        raise ValueError(
            f"omega2={omega2}, sigma2={sigma2}, share={share}: give variances >= 0 and a share "
            "above 0"
        )
    if math.isnan(omega2 + sigma2) or omega2 + sigma2 == 0.0:
        return math.nan
    if omega2 == 0.0:
        return math.inf
    return max(1, math.floor(sigma2 / (share * omega2) * (1 + 1e-12)) + 1)
