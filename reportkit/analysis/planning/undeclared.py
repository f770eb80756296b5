"""What a pilot's scores may have that nobody declared: clusters, and the ends of their scale."""

import shlex
from collections.abc import Sequence

import numpy as np

from reportkit.analysis.planning.pilot import Pilot
from reportkit.scores.candidates import candidates_text
from reportkit.scores.ranges import proposed_range


def undeclared(pilot: Pilot | None) -> tuple[str, ...]:
    """A sentence for each: a plan without them may be wrong, and is not for the tool to guess."""
    if pilot is None:
        return ()
    return tuple(filter(None, [could_be_clusters(pilot.candidates), _could_have_a_range(pilot)]))


def could_be_clusters(candidates: Sequence[tuple[str, int]]) -> str:
    """What `reportkit check` says of these fields, for a plan; empty where there are none.

    >>> could_be_clusters([("passage", 15)])
    'Could be clusters of the pilot: passage (15 groups). The plan does not use them; declare one \
with cluster: --cluster passage.'
    """
    if not candidates:
        return ""
    return (
        f"Could be clusters of the pilot: {candidates_text(candidates)}. The plan does not use "
        f"them; declare one with cluster: --cluster {shlex.quote(candidates[0][0])}."
    )


def _could_have_a_range(pilot: Pilot) -> str:
    scale = pilot.result.scale
    if scale.known or pilot.result.mixed:
        return ""
    proposed = proposed_range(np.array([scale.low, scale.high]))
    if not proposed:
        return ""
    return (
        f"The pilot's scores could have a range: {proposed}. Without it they are planned in units "
        f"of their own, as scores without ends; declare it with range: --range {proposed}."
    )
