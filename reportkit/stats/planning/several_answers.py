"""Two models that answer each question several times, right or wrong: the law of a question's
difference, and how it changes when one model gets worse or both answer more often.

Repeated answers show how much of their variance lies within questions, and with that how the shares
right of questions vary, for each model and between the two. A model's share of a question is Phi of
a normal variable: its ability, less the question's difficulty, which is the same for both models,
and less a part that is the model's own. Answers are drawn with it. The normal variables stay as
they are while one model's ability falls.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from reportkit.record import Record
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.discordance import latent_correlation
from reportkit.stats.planning.share_powers import (
    GRIDS,
    MOST_ALIKE,
    Grid,
    grids_of,
    share_powers,
)

TINY = 1e-30
# Of answers right half of the time, |a - b| has so much less of a grid than of rare errors.
EVEN = 0.8


@dataclass(frozen=True, slots=True)
class SeveralAnswers(Record):
    """The laws of pairs of which they are known and that one grid serves, arrays of one length."""

    pairs: np.ndarray  # which
    own: np.ndarray  # correlation of the normal variables of two answers of one model to a question
    both: np.ndarray  # of two models' answers to it
    inverse: np.ndarray  # 1 / K, K answers to each question as observed
    more: np.ndarray  # times as many that the design counts
    share: np.ndarray  # of the model that keeps its mean, on the scale of Alternative
    first: np.ndarray  # its share_powers, and those of the other as observed
    second: np.ndarray
    grid: Grid


def within_questions(
    sigma2: tuple[np.ndarray, np.ndarray], means: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """The part of the variance of 0/1 answers, p (1 - p), that lies within questions; of both
    models together, or of the one of which it is known.

    sigma2: variance of one answer of each model within a question, nan where it is not known.

    >>> both = tuple(map(np.array, ([0.1, np.nan], [0.08, 0.12])))
    >>> means = tuple(map(np.array, ([0.8, 0.5], [0.6, 0.6])))
    >>> within_questions(both, means).round(6).tolist()   # .18 / .4, .12 / .24
    [0.45, 0.5]
    """
    a, b = (np.where(np.isnan(s), 0.0, m * (1.0 - m)) for s, m in zip(sigma2, means, strict=True))
    inside, most = np.nan_to_num(sigma2[0]) + np.nan_to_num(sigma2[1]), a + b
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(most > 0.0, inside / most, np.nan))


def several_answers(d: PairDesigns, lead: np.ndarray) -> tuple[SeveralAnswers, ...]:
    """The laws of pairs with several 0/1 answers to each question, by their grid; none where there
    is no such pair.

    lead: as in Alternative. With p (1 - p) the mean of both models', w the part of it within
    questions and K answers, a model's shares of questions vary by (1 - w) p (1 - p), and have of
    two models so much in common as n SE^2 = 2 (1 - w) p (1 - p) - 2 cov + 2 w p (1 - p) / K says.
    The observed means are taken as they are: a share that is nearer to 1/2 would have a difference
    of a given size add less to the variance.
    """
    if d.within is None or d.answers is None:
        return ()
    spread = (d.mean_a * (1.0 - d.mean_a) + d.mean_b * (1.0 - d.mean_b)) / 2.0
    known = d.right & ~d.binary & np.isfinite(d.within) & (d.n * d.alone > 0.0) & (spread > 0.0)
    pairs = np.flatnonzero(known)
    if not len(pairs):
        return ()
    inverse = 1.0 / np.maximum(d.answers[pairs], 1.0)
    more = np.ones(len(pairs)) if d.more is None else d.more[pairs]
    varies = 1.0 - np.clip(d.within[pairs], 0.0, 1.0)
    common = varies + (1.0 - varies) * inverse / more
    common = common - (d.n * d.alone)[pairs] / (2.0 * spread[pairs])
    middle = (d.mean_a + d.mean_b)[pairs] / 2.0
    middle = np.maximum(middle, 1.0 - middle)
    most = 2.0 * middle * (1.0 - middle)
    own, both = (
        np.tanh(latent_correlation(middle, middle, most * (1.0 - x)))
        for x in (varies, np.clip(common, 0.0, varies))
    )
    own = np.clip(own, 0.0, MOST_ALIKE)
    both = np.clip(both, 0.0, own)
    apart = np.where(lead > 0.0, np.abs(d.mean_a - d.mean_b), 0.0)[pairs]
    share = middle + apart / 2.0
    laws = []
    for k, grid in grids_of(both):
        first, second = (
            share_powers(x[k], own[k], both[k], grid) for x in (share, middle - apart / 2.0)
        )
        laws.append(
            SeveralAnswers(
                pairs[k], own[k], both[k], inverse[k], more[k], share[k], first, second, grid
            )
        )
    return tuple(laws)


@dataclass(frozen=True, slots=True)
class QuestionLaw(Record):
    """Of a question's difference, the first model's share of right answers less the second's."""

    variance: np.ndarray
    skew: np.ndarray
    excess: np.ndarray  # kurtosis less 3
    apart: np.ndarray  # mean of |a - b|
    certain: np.ndarray  # (mean |a - b|)^2 over the mean of (a - b)^2


def question_law(
    first: np.ndarray, second: np.ndarray, inverse: np.ndarray, grid: Grid = GRIDS[0]
) -> QuestionLaw:
    """Of two models with these share_powers, and 1 / inverse answers to each question, shape (P,).

    >>> one = np.ones(1)   # the same share in all questions: differences of two binomials
    >>> a, b = (share_powers(p * one, 0.0 * one, 0.0 * one) for p in (0.9, 0.7))
    >>> q = question_law(a, b, 0.25 * one)
    >>> q.variance.round(9).item()   # (.09 + .21) / 4
    0.075
    >>> # cumulants p (1 - p) (1 - 2 p) / 16 and p (1 - p) (1 - 6 p (1 - p)) / 64 of each
    >>> q.skew.round(6).item(), q.excess.round(6).item()   # (-.072 + .084) / 16; -.0132 / 64
    (0.036515, -0.036667)
    """
    a, b = (_moments(powers, inverse) for powers in (first, second))
    gap, square = a[1] - b[1], a[2] - 2.0 * a[1] * b[1] + b[2]
    cube = a[3] - 3.0 * a[2] * b[1] + 3.0 * a[1] * b[2] - b[3]
    fourth = a[4] - 4.0 * a[3] * b[1] + 6.0 * a[2] * b[2] - 4.0 * a[1] * b[3] + b[4]
    mean, second_, third, fourth = (grid.mean(x) for x in (gap, square, cube, fourth))
    variance = np.maximum(second_ - mean**2, TINY)
    off_3 = third - 3.0 * mean * second_ + 2.0 * mean**3
    off_4 = fourth - 4.0 * mean * third + 6.0 * mean**2 * second_ - 3.0 * mean**4
    even = 2.0 * (a[1] * (1.0 - a[1]) + b[1] * (1.0 - b[1]))  # 1 at shares of 1/2
    apart = grid.mean(_apart(gap, square, (1.0 - EVEN * even) * inverse[:, None] ** 2))
    certain = apart**2 / np.maximum(second_, TINY)
    return QuestionLaw(variance, off_3 / variance**1.5, off_4 / variance**2 - 3.0, apart, certain)


def _apart(gap: np.ndarray, square: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Mean of |a - b| from the mean of a - b and of its square.

    sqrt(2 / pi) of the root of the variance where much differs, as of a normal law; |gap| where all
    differ alike; K times the square where it is 1 / K or 0. Within 12% of what binomials have.
    """
    spread = gap**2 + np.pi / 2.0 * np.maximum(square - gap**2, 0.0) + grid
    return square / np.sqrt(np.maximum(spread, TINY))


def _moments(powers: np.ndarray, inverse: np.ndarray) -> list[np.ndarray]:
    """Raw moments 0 to 4 of a share of 1 / inverse answers, from powers of the chance to be right:
    those of a binomial, whose E x (x - 1) .. is K (K - 1) .. times a power.
    """
    v = inverse[:, None]
    two = np.maximum(1.0 - v, 0.0)
    three = two * np.maximum(1.0 - 2.0 * v, 0.0)
    four = three * np.maximum(1.0 - 3.0 * v, 0.0)
    one, p2, p3, p4 = powers[0], two * powers[1], three * powers[2], four * powers[3]
    return [
        np.ones_like(one),
        one,
        v * one + p2,
        v**2 * one + 3.0 * v * p2 + p3,
        v**3 * one + 7.0 * v**2 * p2 + 6.0 * v * p3 + p4,
    ]


# What changes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed(Record):
    """What a true difference, and more answers, change."""

    pairs: np.ndarray  # which
    variance: np.ndarray  # over that with as many answers at the observed difference
    left: np.ndarray  # the latter over that observed: what more answers leave
    apart: np.ndarray  # mean of |a - b|, over that observed
    certain: np.ndarray  # of QuestionLaw, over that observed
    now: QuestionLaw  # as observed
    then: QuestionLaw
    # Of the variance that more answers leave: the part that they make alone, and its excess, as
    # certain_df has it. A part of 0: there are no more, or one answer shows no noise.
    floor: np.ndarray
    excess: np.ndarray


def changed(
    laws: Sequence[SeveralAnswers], difference: np.ndarray, answers: np.ndarray | float = 1.0
) -> Changed:
    """Of models that differ so, shape (P,) of all pairs, with so many times the answers that the
    designs count.
    """
    return _together([_changed(law, difference, answers) for law in laws])


T = TypeVar("T", Changed, QuestionLaw)


def _together(parts: Sequence[T]) -> T:
    """The pairs of all grids in one record."""
    found: dict[str, Any] = {}
    for f in fields(parts[0]):
        values = [getattr(x, f.name) for x in parts]
        single = isinstance(values[0], np.ndarray)
        found[f.name] = np.concatenate(values) if single else _together(values)
    return type(parts[0])(**found)


def _changed(law: SeveralAnswers, difference: np.ndarray, answers: np.ndarray | float) -> Changed:
    grid = law.grid
    times = law.more * np.broadcast_to(answers, difference.shape)[law.pairs]
    inverse = law.inverse / times
    now = before = question_law(law.first, law.second, law.inverse, grid)
    floor, excess = np.zeros(len(times)), now.excess
    if (times != 1.0).any():
        before = question_law(law.first, law.second, inverse, grid)
        a, b = law.first, law.second
        noise = grid.mean(a[0] - a[1] + b[0] - b[1]) * inverse
        part = np.maximum(noise / before.variance, TINY)  # of no end of answers too
        floor = np.where((times > 1.0) & (law.inverse < 1.0), part, 0.0)
        excess = left_excess(law, times)
    low = np.maximum(law.share - difference[law.pairs], 0.0)
    second = share_powers(low, law.own, law.both, grid)
    then = question_law(law.first, second, inverse, grid)
    grown = then.variance / before.variance
    apart, certain = then.apart / now.apart, then.certain / now.certain
    left = before.variance / now.variance
    return Changed(law.pairs, grown, left, apart, certain, now, then, floor, excess)


def left_excess(law: SeveralAnswers, times: np.ndarray) -> np.ndarray:
    """Excess of the estimate of the variance that so many times the answers leave: 1 + excess / 2
    is n / 2 times its squared coefficient of variation.

    Question by question that estimate is (a - b - lead)^2 - c [a (1 - a) + b (1 - b)] with
    c = (1 - 1 / times) / (K - 1): answer noise is taken off with its own error.

    >>> one = np.ones(1)
    >>> p = share_powers(0.9 * one, 0.5 * one, 0.4 * one)
    >>> law = SeveralAnswers(
    ...     np.arange(1), 0.5 * one, 0.4 * one, 0.2 * one, one, 0.9 * one, p, p, GRIDS[0])
    >>> same = question_law(p, p, law.inverse).excess   # nothing is taken off
    >>> bool(np.allclose(left_excess(law, one), same))
    True
    """
    a, b = (_moments(x, law.inverse) for x in (law.first, law.second))
    lead = law.grid.mean(a[1] - b[1])[:, None]
    c = ((1.0 - 1.0 / times) * law.inverse / np.maximum(1.0 - law.inverse, TINY))[:, None]
    # of a^i b^j
    terms = {
        (2, 0): 1.0 + c, (0, 2): 1.0 + c, (1, 1): np.full_like(c, -2.0),
        (1, 0): -c - 2.0 * lead, (0, 1): -c + 2.0 * lead, (0, 0): lead**2,
    }  # fmt: skip
    mean, square = np.zeros(a[1].shape), np.zeros(a[1].shape)
    for (i, j), x in terms.items():
        mean += x * a[i] * b[j]
        for (k, m), y in terms.items():
            square += x * y * a[i + k] * b[j + m]
    of_one = np.maximum(law.grid.mean(mean), TINY)
    return np.asarray(law.grid.mean(square) / of_one**2 - 3.0)
