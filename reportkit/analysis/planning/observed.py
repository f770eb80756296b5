"""What a plan takes from a pilot of two models beside which nothing of the scores is given."""

import math
from collections.abc import Iterator
from dataclasses import replace

from reportkit.analysis.planning.answered import GIVEN, PILOT, PUBLIC, Known
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.pilot import Pilot, variance_of
from reportkit.analysis.planning.public import known_icc
from reportkit.analysis.planning.separate import separated
from reportkit.plans import Asked

MEAN_OF, SPREAD_OF = "mean of ", "spread of "  # before the name of a model


def observed(
    a: Asked, pilot: Pilot, shape: Shape
) -> tuple[Observation, list[Known], tuple[Observation, ...]]:
    """The basis: the models' difference, or both models apart; what it rests on; and both ends of
    what public evals leave open of how alike a cluster is, none where that is known.
    """
    known = [*_scores(pilot)]
    if a.paired:
        known.append(Known("correlation", pilot.correlation, PILOT))
    noise = math.nan
    if pilot.single and a.noise == a.noise:
        noise = a.noise
        known.append(Known("noise", noise, GIVEN))
    elif not pilot.single:
        known.append(Known("noise", pilot.noise, PILOT))
    n = a.published_questions
    apart, basis = separated(pilot), Observation(pilot, noise)
    ends: tuple[Observation, ...] = ()
    for name, of in (("icc", pilot), ("icc_scores", apart)):
        if name == "icc" and not a.paired:
            continue
        given, icc = getattr(a, name), math.nan
        if shape.grouped and (given == given or pilot.cluster_size == 1.0):
            known.append(known_icc(given, math.nan, 0.9, name))
            icc = known[-1].value
        one = Observation(of, noise, icc, n)
        if shape.grouped and math.isnan(icc):
            known.append(Known(name, one.in_cluster(shape.cluster_size), PILOT))
        if (name == "icc") == a.paired:
            basis = one
            if known[-1].name == name and known[-1].source == PUBLIC:
                ends = tuple(replace(one, icc=x) for x in (known[-1].low, known[-1].high))
    return basis, known, ends


def _scores(pilot: Pilot) -> Iterator[Known]:
    """Of each model, and where the scale ends."""
    means, scale = pilot.result.means, pilot.result.scale
    for m in means:
        yield Known(f"{MEAN_OF}{m.model}", m.mean, PILOT)
    if scale.binary:  # the means say the rest
        return
    for m in means:
        yield Known(f"{SPREAD_OF}{m.model}", math.sqrt(variance_of(m)), PILOT)
    if scale.bounded:
        low, high = scale.ends
        source = GIVEN if scale.known == "declared" else PILOT
        yield Known("scale", math.nan, source, text=f"{low:g} to {high:g}")
