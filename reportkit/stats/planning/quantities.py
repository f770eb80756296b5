"""What a plan needs to know: each quantity in words, and where to get it, for who left it out."""

_PILOT = "paired_components(answers_a, answers_b) of a pilot gives it"
_ELSE = "`reportkit power` plans from an expected score and a correlation instead"
QUANTITIES = {
    "omega2": "the variance over questions of the two models' true difference (omega^2 of Miller "
    f"2024): {_PILOT}; or V_A + V_B - 2 r sqrt(V_A V_B) from the variances of the models' question "
    f"scores and their correlation r; {_ELSE}",
    "sigma2_a": "the variance of one answer of the first model within a question (answer noise): "
    f"{_PILOT}, if it has two answers or more for each question",
    "variance": "the variance of one question's difference, n times the squared standard error of "
    "the paired difference: variance of paired_components of a pilot; or omega^2 + sigma_A^2/K_A "
    "+ sigma_B^2/K_B",
    "variance_a": "the variance over questions of the first model's question scores: n times the "
    "squared standard error of its mean (mean_estimate); of right and wrong answers p (1 - p)",
    "variance_b": "the variance over questions of the second model's question scores: n times the "
    "squared standard error of its mean (mean_estimate); of right and wrong answers p (1 - p)",
    "p10": "the share of questions that only the first model has right: count them in a pilot",
    "p01": "the share of questions that only the second model has right: count them in a pilot",
    "se": "the standard error of the difference: sqrt(variance / n) of a plan, or that of a report",
    "icc": "the intraclass correlation of the models' differences in a cluster: "
    "design_effect(a - b, clusters).icc of a pilot; public evals show 0.01 to 0.15",
    "cluster_size": "the mean number of questions in a cluster of the eval that is planned",
    "pilot_df": "the degrees of freedom of the pilot's variance: its questions less 1, or the df "
    "of its standard error where it has clusters",
    "cost_question": "what one more question costs, in the unit of cost_a, the cost of an answer",
}


def given(name: str, value: float | None) -> float:
    """The value of a quantity; where it was left out, a ValueError that says what it is and where
    to get it.

    >>> given("p10", 0.2)
    0.2
    """
    if value is None:
        raise ValueError(f"{name} is missing: it is {QUANTITIES[name]}")
    return value
