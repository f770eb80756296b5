"""One answer of a plan in words, and the formula that several have."""

import math
from dataclasses import dataclass

from reportkit.analysis.planning.reasons import NONE, Reason


@dataclass(frozen=True, slots=True)
class Told:
    """One answer. formula: in the words of a line; maths: the same for documents, in TeX, where it
    may leave the dollars that stand around it for a word. why: of what there is not; `told` joins
    it to the answer, in the form that the place asks for.
    """

    question: str
    answer: str
    formula: str
    maths: str
    assumes: str
    value: float = math.nan
    why: Reason = NONE


NINE = "n = (z_{a/2} + z_b)^2 (omega^2 + sigma_A^2/K_A + sigma_B^2/K_B) / difference^2"
NINE_MATHS = (
    r"n = \left(z_{\alpha/2} + z_\beta\right)^2 "
    r"(\omega^2 + \sigma_A^2/K_A + \sigma_B^2/K_B) / \delta^2"
)
# q: the share of questions that only one of two equal models has right, omega^2 + 2 sigma^2
CONNOR = (
    "n = (z_{a/2} sqrt(q) + z_b sqrt(q - difference^2))^2 / difference^2, "
    "q = omega^2 + sigma_A^2 + sigma_B^2 (Connor 1987)"
)
CONNOR_MATHS = (
    r"n = a^2/\delta^2$ with $a = z_{\alpha/2} \sqrt{q} + z_\beta \sqrt{q - \delta^2}$ and $"
    r"q = \omega^2 + \sigma_A^2 + \sigma_B^2"
)
TEN = "difference = (z_{a/2} + z_b) sqrt((omega^2 + sigma_A^2/K_A + sigma_B^2/K_B) / n)"
TEN_MATHS = (
    r"\delta = (z_{\alpha/2} + z_\beta) \sqrt{v/n}$ with $"
    r"v = \omega^2 + \sigma_A^2/K_A + \sigma_B^2/K_B"
)
# whose formulas they are, in documents
CITED = {
    NINE_MATHS: "Miller 2024, equation 9",
    TEN_MATHS: "Miller 2024, equation 10",
    CONNOR_MATHS: "Connor 1987",
}
REFERENCES = {
    "Miller 2024": "*Adding Error Bars to Evals*, arXiv 2411.00640",
    "Connor 1987": "*Biometrics*",
    "Schuirmann 1987": "*Journal of Pharmacokinetics and Biopharmaceutics*",
    "Tango 1998": "*Statistics in Medicine*",
    "Donner & Zou 2012": "*Statistical Methods in Medical Research*",
    "Newcombe 1998": "*Statistics in Medicine*",
    "Cochran 1977": "*Sampling Techniques*",
}
