"""What a pilot's scores may have that nobody declared: clusters, and the ends of their scale."""

import shlex
from collections.abc import Sequence

import numpy as np

from reportkit.analysis.planning.answered import GIVEN
from reportkit.analysis.planning.ground import Ground
from reportkit.analysis.planning.pilot import Pilot
from reportkit.plans import Asked
from reportkit.scores.candidates import candidates_text
from reportkit.scores.ranges import proposed_range

# Below such a part of the scale a value may have been written as a share, where points are whole
# numbers: no difference that matters, no score that models are likely to have.
SMALL = {"difference": 0.002, "mean": 0.01, "standard deviation": 0.01}


def undeclared(pilot: Pilot | None) -> tuple[str, ...]:
    """A sentence for each: a plan without them may be wrong, and is not for the tool to guess."""
    if pilot is None:
        return ()
    return tuple(filter(None, [could_be_clusters(pilot.candidates), _could_have_a_range(pilot)]))


def as_of_shares(asked: Asked, ground: Ground) -> tuple[str, ...]:
    """That a difference, a mean or a spread is small on a scale such as 0 to 100, where points are
    whole numbers.
    """
    width = ground.basis.width
    given = {k.name: k.value for k in ground.known if k.source == GIVEN}
    values = {
        "difference": asked.difference, "mean": given.get("mean", width),
        "standard deviation": given.get("spread", width),
    }  # fmt: skip
    return tuple(
        f"The scale is {width:g} wide, so that a {name} of {value:g} is "
        f"{100.0 * value / width:.2g}% of it; {100.0 * value:g}% is written as {value * width:g}."
        for name, value in values.items()
        if value < SMALL[name] * width and width > 1.0
    )


def each_alone(pilot: Pilot | None) -> tuple[str, ...]:
    """A sentence where every cluster of a pilot holds one question."""
    if pilot is None or not pilot.result.clustered or pilot.cluster_size > 1.0:
        return ()
    return (
        f"Each cluster of the pilot ({pilot.result.cluster_field}) holds one question: the plan is "
        "one without clusters. Where questions share a passage or a template, name that column "
        "as cluster.",
    )


def could_be_clusters(candidates: Sequence[tuple[str, int]]) -> str:
    """What `reportkit check` says of these fields, for a plan; empty where there are none.

    >>> could_be_clusters([("passage", 15)])
    'Could be clusters of the pilot: passage (15 groups). The plan does not use them; give one: \
cluster = passage.'
    """
    if not candidates:
        return ""
    return (
        f"Could be clusters of the pilot: {candidates_text(candidates)}. The plan does not use "
        f"them; give one: cluster = {shlex.quote(candidates[0][0])}."
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
        f"of their own, as scores without ends; give it: range = {proposed}."
    )
