"""The means of all models on the questions that all of them answered."""

from dataclasses import replace

import numpy as np

from reportkit.analysis.means import components_of, mean_result
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import CommonResult
from reportkit.scores.select import EvalScores


def common(q: Request) -> tuple[CommonResult, ...]:
    """The mean of each model that has a score, on the questions that all of these answered."""
    e = q.scores
    answered = e.epochs > 0
    scored = answered.any(axis=0)
    shared = np.asarray(answered[:, scored].all(axis=1))
    if not shared.any():
        raise Refused("No question was answered by all models, so there are no common means.")
    if shared.all():
        who = "All models" if scored.all() else "All models with a score"
        raise Refused(
            f"{who} answered the same questions, so the means of the report are the common means."
        )
    chosen = of_questions(e, shared)
    found = []
    for column in map(int, np.flatnonzero(scored)):
        m = mean_result(chosen, column, components_of(chosen, column), q.decisions.level)
        all_of_it = q.result.means[column]
        found.append(
            CommonResult(
                model=m.model,
                mean=m.mean,
                se=m.se,
                df=m.df,
                ci_low=m.ci_low,
                ci_high=m.ci_high,
                level=m.level,
                method=m.method,
                n_questions=m.n_questions,
                n_clusters=m.n_clusters,
                mean_all=all_of_it.mean,
                n_all=all_of_it.n_questions,
            )
        )
    return tuple(found)


def of_questions(e: EvalScores, chosen: np.ndarray) -> EvalScores:
    """The same scores on some of the questions; chosen: (n,) of bool."""
    return replace(
        e,
        questions=e.questions[chosen],
        means=e.means[chosen],
        variances=e.variances[chosen],
        epochs=e.epochs[chosen],
        clusters=None if e.clusters is None else e.clusters[chosen],
    )
