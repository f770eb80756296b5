"""One answer of a plan in words, and the formula that several have."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """One answer. formula: in the words of a line; maths: the same for documents, in TeX, where it
    may leave the dollars that stand around it for a word.
    """

    question: str
    answer: str
    formula: str
    maths: str
    assumes: str
    value: float = math.nan


NINE = "n = (z_{a/2} + z_b)^2 (omega^2 + sigma_A^2/K_A + sigma_B^2/K_B) / difference^2"
NINE_MATHS = (
    r"n = \left(z_{\alpha/2} + z_\beta\right)^2 "
    r"(\omega^2 + \sigma_A^2/K_A + \sigma_B^2/K_B) / \delta^2"
)
