"""What is new or gone from one build to another beside the numbers: evals, models, questions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportkit.analysis.rounds import Answers, Pair, Round
from reportkit.record import Record

MANY = 0.05  # of a model's questions: more than can be gone without a word from the gate


@dataclass(frozen=True, slots=True)
class Lost(Record):
    """Questions of an eval that a model answered in the old build and not in the new one.

    They are in no change, which is of the questions of both builds: the printed mean can rise only
    because the questions that a model gets wrong are gone.
    """

    eval: str
    metric: str
    model: str
    n_lost: int
    n_old: int  # questions with an answer
    n_new: int
    old: float  # the printed means, of all its answers
    new: float
    se: float  # of the old mean
    percent: bool  # the scores are shares

    @property
    def matters(self) -> bool:
        """Whether so many are gone that the printed mean is another: more than 5% of them, or a
        mean that moved by more than its standard error.

        >>> Lost("e", "acc", "m", 1, 90, 89, 0.711, 0.708, 0.048, True).matters
        False
        >>> Lost("e", "acc", "m", 26, 90, 64, 0.711, 1.0, 0.048, True).matters
        True
        """
        return self.n_lost > MANY * self.n_old or abs(self.new - self.old) > self.se


@dataclass(frozen=True, slots=True)
class NotRead(Record):
    """An eval of the old build that the new one lacks because a file of it could not be read."""

    eval: str
    file: str  # its name, not its path
    why: str


def lost(old: Sequence[Round], new: Sequence[Round]) -> tuple[Lost, ...]:
    """The models that answer fewer of an eval's questions: by the questions' ids where both builds
    know them and have any in common, else by the numbers of questions.
    """
    before = {r.key: r for r in old}
    both = [(before[r.key], r) for r in new if r.key in before]
    found = []
    for then, now in both:
        for model in now.models:
            if model in then.means and model in now.means and (n := _n_lost(then, now, model)):
                m, k = then.means[model], now.means[model]
                found.append(
                    Lost(
                        now.eval, now.metric, model, n, m.n_questions, k.n_questions,
                        m.value, k.value, m.se, now.percent,
                    )
                )  # fmt: skip
    return tuple(found)


def _n_lost(old: Round, new: Round, model: str) -> int:
    if old.answers is not None and new.answers is not None:
        then, now = _answered(old.answers, model), _answered(new.answers, model)
        if np.intersect1d(then, now).size:
            return int(np.setdiff1d(then, now).size)
        if then.size and now.size:
            return 0  # all are others: the two means are compared as they are
    return max(0, old.means[model].n_questions - new.means[model].n_questions)


def _answered(answers: Answers, model: str) -> np.ndarray:
    if model not in answers.models:
        return answers.questions[:0]
    return answers.questions[answers.counts[:, answers.models.index(model)] > 0]


def names_of(
    old: Sequence[Round], new: Sequence[Round]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Pair, ...], tuple[Pair, ...], tuple[Pair, ...]]:
    """New and gone evals; new and gone models of evals in both; what else changed of these."""
    before, after = ({r.eval: r for r in side} for side in (old, new))
    both = [e for e in after if e in before]
    told = [(e, what) for e in both for what in _other(before[e], after[e])]
    return (
        tuple(e for e in after if e not in before),
        tuple(e for e in before if e not in after),
        tuple((e, m) for e in both for m in after[e].models if m not in before[e].models),
        tuple((e, m) for e in both for m in before[e].models if m not in after[e].models),
        tuple(told),
    )


def _other(old: Round, new: Round) -> list[str]:
    found = []
    if old.metric != new.metric:
        found.append(f"metric {old.metric} to {new.metric}: not compared")
    if old.n_questions != new.n_questions:
        found.append(f"questions {old.n_questions:,} to {new.n_questions:,}")
    if old.lower != new.lower:
        found.append(f"{'lower' if new.lower else 'higher'} scores are better now")
    return found
