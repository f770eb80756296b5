"""The published scores of current models: what they say of the score to be expected."""

from reportkit.analysis.elsewhere import percent_hint
from reportkit.analysis.planning.answered import PUBLISHED, Known
from reportkit.decisions.values import published_of
from reportkit.errors import PlanError
from reportkit.plans import Asked


def current_scores(a: Asked) -> dict[str, float]:
    """The score of each model that was given; empty where none was."""
    return {model: score for model, (score, _) in published_of(a.published).items()}


def check_current(a: Asked) -> None:
    """PlanError for a published score that is no share."""
    for model, score in current_scores(a).items():
        if not 0.0 <= score <= 1.0:
            raise PlanError(
                f"the published score {score:g} of {model!r} is not from 0 to 1"
                f"{percent_hint(score)}"
            )


def mean_of_current(a: Asked) -> Known | None:
    """The mean of these scores, as what a model is expected to have, with the lowest and the
    highest of them; None without any. PlanError where all are at one end of the scale.
    """
    scores = sorted(current_scores(a).values())
    if not scores:
        return None
    mean = sum(scores) / len(scores)
    if mean in (0.0, 1.0):
        raise PlanError(
            f"published: every score is {mean:g}, at which no models can be told apart; give the "
            "score that you expect as mean"
        )
    return Known("mean", mean, PUBLISHED, scores[0], scores[-1])
