"""Scores that others published of an eval, beside ours: no test can be run on them."""

from reportkit.decisions.values import published_of
from reportkit.errors import ScoresError
from reportkit.results import EvalResult
from reportkit.suites import PublishedScore


def published_scores(r: EvalResult, published: str) -> tuple[PublishedScore, ...]:
    """The published scores of an eval. published: the decision of that name. ScoresError for one
    outside the eval's range.
    """
    found = []
    for model, (score, source) in published_of(published).items():
        low, high = (r.scale.low, r.scale.high) if r.scale.known else r.scale.ends
        if r.scale.bounded and not low <= score <= high:
            hint = percent_hint(score) if r.scale.percent else ""
            raise ScoresError(
                f"eval {r.eval!r}: the published score {score:g} of {model!r} is outside its "
                f"range of {low:g} to {high:g}{hint}"
            )
        found.append(PublishedScore(r.eval, model, score, source))
    return tuple(found)


def percent_hint(score: float) -> str:
    """How a share that was written as a percentage is written; empty where it was none.

    >>> percent_hint(42.5), percent_hint(150)
    ('; write 42.5% as 0.425', '')
    """
    return f"; write {score:g}% as {score / 100:g}" if 1.0 < score <= 100.0 else ""
