"""pass@k and pass^k of each model, where its questions have several answers."""

import numpy as np

from reportkit import stats
from reportkit.analysis.requested.request import Refused, Request, check_right
from reportkit.requested import PassResult

EACH = 8  # answers up to which every k has a row; beyond, the powers of two and the last


def passes(q: Request) -> tuple[PassResult, ...]:
    """Of each model with several answers to a question, a row for each k."""
    e = q.scores
    if not e.binary:
        raise Refused(
            "No pass@k is made, since it takes answers that are right or wrong, and these scores "
            "have more than two values."
        )
    check_right(e, "pass@k")
    if e.epochs.max(initial=0) < 2:
        raise Refused(
            "No pass@k is made, since every question has one answer; ask each question several "
            "times."
        )
    most = e.epochs.max(axis=0)
    return tuple(
        _row(q, column, k)
        for column in range(len(e.models))
        if most[column] > 1
        for k in steps(int(most[column]))
    )


def steps(most: int) -> list[int]:
    """The k of a model with so many answers to a question.

    >>> steps(5), steps(20)
    ([1, 2, 3, 4, 5], [1, 2, 4, 8, 16, 20])
    """
    if most <= EACH:
        return list(range(1, most + 1))
    powers = [2**j for j in range(most.bit_length())]
    return sorted({*powers, most})


def _row(q: Request, column: int, k: int) -> PassResult:
    """Both chances on the questions with at least k answers."""
    e, level = q.scores, q.decisions.level
    enough = e.epochs[:, column] >= k
    answers = e.epochs[enough, column]
    right = np.rint(e.means[enough, column] * answers)
    clusters = None if e.clusters is None else e.clusters[enough]
    n_answers = int(answers.sum()) if k == 1 else None  # pass@1 is the mean, with its interval
    numbers: dict[str, float] = {}
    for name, of_questions in (("pass_at", stats.pass_at_k), ("pass_hat", stats.pass_hat_k)):
        scores = of_questions(right, answers, k)
        estimate = stats.mean_estimate(scores, clusters)
        interval = stats.mean_interval(
            scores,
            clusters,
            binary=k == 1 or bool(np.isin(scores, (0.0, 1.0)).all()),
            share=True,
            n_answers=n_answers,
            level=level,
        )
        numbers |= {
            name: estimate.value,
            f"{name}_se": estimate.se,
            f"{name}_low": interval.low,
            f"{name}_high": interval.high,
        }
    return PassResult(
        model=e.models[column],
        k=k,
        level=level,
        n_questions=estimate.n_questions,
        n_left_out=int((e.epochs[:, column] > 0).sum()) - estimate.n_questions,
        n_clusters=estimate.n_clusters,
        **numbers,
    )
