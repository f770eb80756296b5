"""Which questions each model's mean is of: the common ones, and models that answered others."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from reportkit.facts import OtherQuestions
from reportkit.scores.select import EvalScores


@dataclass(frozen=True, slots=True)
class CommonMeans:
    """Means on the same questions for all models.

    n: the questions that every model answered, of the models that have a score at all. means: (M,)
    mean of each model on them; nan where n is 0, or the model has no score.
    """

    n: int
    means: np.ndarray


def common_questions(e: EvalScores) -> np.ndarray:
    """(n,) of bool: the questions that every model answered, of the models that have a score."""
    answered = e.epochs > 0
    return np.asarray(answered[:, answered.any(axis=0)].all(axis=1))


def common_means(e: EvalScores) -> CommonMeans:
    """The mean of each model on the questions that all of them answered."""
    common = common_questions(e)
    means = np.full(len(e.models), np.nan)
    if common.any():
        scored = (e.epochs > 0).any(axis=0)
        # column by column, as mean_estimate does: with all questions it is the same number
        means[scored] = [e.means[common, column].mean() for column in np.flatnonzero(scored)]
    return CommonMeans(int(common.sum()), means)


def other_questions(e: EvalScores) -> tuple[OtherQuestions, ...]:
    """The models whose questions are not the usual ones.

    Usual are the questions that most models answered, and of sets that as many models share the
    largest. Where no two models share theirs, or two sets are equally good, usual are all questions
    of the eval. A model without any score is not told here.
    """
    answered = e.epochs > 0
    scored = np.flatnonzero(answered.any(axis=0))
    sets = {m: np.packbits(answered[:, m]).tobytes() for m in map(int, scored)}
    shared = Counter(sets.values())
    if len(shared) < 2:
        return ()
    first_of = {key: m for m, key in reversed(sets.items())}
    size = {key: int(answered[:, m].sum()) for key, m in first_of.items()}
    ranked = sorted(shared, key=lambda key: (shared[key], size[key]), reverse=True)
    best, second = ((shared[key], size[key]) for key in ranked[:2])
    usual = answered[:, first_of[ranked[0]]]
    if best == second or best[0] < 2:
        usual = np.asarray(answered.any(axis=1))
    n_usual, found = int(usual.sum()), []
    for m in sets:
        n_shared = int((answered[:, m] & usual).sum())
        n_more = int((answered[:, m] & ~usual).sum())
        if n_shared < n_usual or n_more:
            found.append(OtherQuestions(e.models[m], n_usual, n_shared, n_more))
    return tuple(found)
