"""Planning an eval before it is run: one record of what is asked, one of what is answered."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reportkit.analysis.planning.answered import Planned
from reportkit.analysis.planning.answers import answered
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.decisions import SPECS, Decisions
from reportkit.errors import UnknownNameError
from reportkit.plans import QUESTIONS, Asked, asked_of

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.loading.read import Paths
    from reportkit.scores.scores import Scores

__all__ = ["Asked", "Planned", "asked_of", "plan"]


def plan(
    asked: Asked | None = None,
    scores: "pd.DataFrame | Scores | Paths | None" = None,
    decisions: Decisions | None = None,
    **said: Any,
) -> Planned:
    """Every answer to what is asked: questions, epochs, clusters, costs, each with its reason where
    there is none.

    said: what is asked, by its names, in place of the record. scores: of a pilot, in any form that
    analyse takes; None: what is given, else what public evals show. decisions: which eval, models,
    metric and clusters of the pilot count, and the level and the power where they are not said.
    PlanError for a plan that cannot be, with the reason.

    >>> p = plan(difference=0.03, omega2=1/12)          # Miller 2024, section 5, as corrected
    >>> p.need.questions, p.need.equation               # by the t test that is printed; by z
    (729, 727)
    """
    _check_own(said)
    asked = asked if asked is not None else asked_of(said, decisions)
    pilot = None if scores is None else pilot_of(scores, decisions or Decisions())
    return answered(asked, ground_of(asked, pilot), pilot)


def _check_own(said: Mapping[str, Any]) -> None:
    """UnknownNameError for a decision on the pilot among what is asked."""
    for name in said:
        if name in SPECS and name not in QUESTIONS:
            raise UnknownNameError(
                f"a plan is not asked for {name!r}, which says how scores are read: give "
                f"decisions=Decisions({name}=...)"
            )
