"""How a planned eval is laid out: as was given, else as the pilot."""

import math

from reportkit.analysis.planning.answered import DEFAULT, GIVEN, PILOT, Known
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.pilot import Pilot, whole
from reportkit.plans import Asked


def shape_of(a: Asked, pilot: Pilot | None) -> tuple[Shape, tuple[Known, ...]]:
    """Answers for each question and questions for each cluster, and where they are from."""
    first, second, size = 1.0, 1.0, 1.0
    if pilot is not None:
        first, second = map(whole, pilot.epochs)
        size = pilot.cluster_size
    source = DEFAULT if pilot is None else PILOT
    found = []

    def of(name: str, given: float, otherwise: float, source: str = source) -> float:
        value = otherwise if math.isnan(given) else given
        found.append(Known(name, value, source if math.isnan(given) else GIVEN))
        return value

    k_a = of("epochs", a.epochs, first)
    follows = second if math.isnan(a.epochs) else k_a
    from_a = source if math.isnan(a.epochs) else GIVEN
    if not math.isnan(a.published_questions):  # which our model's answers say nothing of
        follows, from_a = 1.0, DEFAULT
    k_b = of("epochs_b", a.epochs_b, follows, from_a)
    # a pilot without clusters does not show that no questions share a source
    size = of("cluster_size", a.cluster_size, size, source if size > 1.0 else DEFAULT)
    return Shape(k_a, k_b, size), tuple(found)
