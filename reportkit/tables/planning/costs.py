"""What costs of a plan are of, in words, with their formulas."""

from reportkit.analysis.planning import Planned
from reportkit.tables.planning.designs import models_of
from reportkit.text.numbers import count


def cost_formulas(p: Planned) -> tuple[str, str]:
    formula, maths = "n (cost_question + cost_A K_A + cost_B K_B)", r"n\,(c_q + c_A K_A + c_B K_B)"
    if p.asked.of_many:
        formula, maths = "n (cost_question + models cost_A K)", r"n\,(c_q + M c_A K)"
    if not p.asked.paired:
        formula, maths = "n (cost_question + cost_A K_A)", r"n\,(c_q + c_A K_A)"
    if p.asked.cost_cluster:
        return f"{formula} + G cost_cluster", maths + r" + G\,c_G"
    return formula, maths


def best_formulas(p: Planned) -> tuple[str, str]:
    if p.asked.of_many:
        return (
            "K = (sigma/omega) sqrt(2 x cost of a question / (models x cost of an answer))",
            r"K = (\sigma/\omega) \sqrt{2 c_q / (M c_A)}$, where a question costs $c_q$, an answer "
            r"costs $c_A$, and the number of models is $M",
        )
    return (
        "K = (sigma/omega) sqrt(cost of a question / cost of an answer)",
        r"K_M = (\sigma_M/\omega) \sqrt{c_q / c_M}$, where a question costs $c_q$ and an answer of "
        r"model $M$ costs $c_M",
    )


def cost_words(p: Planned) -> str:
    if not p.asked.paired:
        return f"Only {models_of(p)[0]} is run."
    if p.asked.of_many:
        return f"Each question is written once, and {count(p.asked.cost_models)} models answer it."
    return "Each question is written once, and both models answer it."
