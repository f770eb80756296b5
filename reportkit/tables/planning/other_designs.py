"""What a plan says of other designs: equivalence, models with questions of their own, a part of an
eval.
"""

import math
from collections.abc import Iterator

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.against import PUBLISHED_MEAN
from reportkit.analysis.planning.answered import PUBLIC, Other
from reportkit.analysis.planning.margins import EQUIVALENCE, NOT_WORSE
from reportkit.analysis.planning.others import (
    OF_THIS_EVAL,
    SUBSET,
    UNPAIRED,
)
from reportkit.tables.planning.against import ONE, ONE_MATHS, needs_by
from reportkit.tables.planning.beside import as_certain, both_at, by_test, pilot_words
from reportkit.tables.planning.designs import each_model
from reportkit.tables.planning.noise import (
    assumed,
    public_spread_words,
)
from reportkit.tables.planning.of_pilot import mean_words, own_spread_words, own_variance_words
from reportkit.tables.planning.telling import Told
from reportkit.tables.planning.words import (
    Words,
    least_words,
    needed_text,
    ranged,
    size_text,
    standing,
)
from reportkit.text.numbers import count, counted, percent_of, share_of

TANGO = (
    " The number is that of Tango's interval, which takes the variance of models that differ by "
    "the margin (Tango 1998); the formula leaves that out."
)


def other_designs(p: Planned, w: Words) -> Iterator[Told]:
    margin, alpha = w.given(p.asked.the_margin), percent_of(p.asked.alpha)
    n, d, power = count(p.asked.questions), w.given(p.asked.difference), percent_of(p.asked.power)
    answers = each_model(p, p.shape.epochs_a, p.shape.epochs_b)
    whole = " Whole clusters are drawn." * p.clustered
    other = count(p.asked.other_questions)
    apart = _unpaired(p)
    unpaired = math.nan if apart is None else apart.equation
    alone = next((x for x in p.others if x.name == PUBLISHED_MEAN), None)
    by_alone = by_test(alone.test, alone.equation) if alone is not None else ""
    several = assumed(p) * p.noise_open
    by_tango = TANGO * (p.test == "mcnemar")
    texts = {
        EQUIVALENCE: (
            f"Questions to show that two equal models are within {margin}",
            "n = (z_a + z_{b/2})^2 variance / margin^2",
            r"n = \left(z_\alpha + z_{\beta/2}\right)^2\,\mathrm{Var}(d) / M^2",
            f"Two one-sided tests at {alpha} (Schuirmann 1987), of models that do not differ"
            f"{both_at(p)}.{by_tango}",
        ),
        NOT_WORSE: (
            f"Questions to show that a model is not worse by {margin} or more",
            "n = (z_a + z_b)^2 variance / margin^2",
            r"n = \left(z_\alpha + z_\beta\right)^2\,\mathrm{Var}(d) / M^2",
            f"A one-sided test at {alpha}, of models that do not differ{both_at(p)}.{by_tango}",
        ),
        UNPAIRED: (
            f"Questions for each model, where each answers its own, for {d}",
            "n = (z_{a/2} + z_b)^2 (V_A + V_B) / difference^2",
            r"n = \left(z_{\alpha/2} + z_\beta\right)^2 (V_A + V_B) / \delta^2",
            "V: the variance of a model's question scores, which is the square of their standard "
            f"deviation. {by_test('welch', unpaired)}{_ranged_words(p)}{_saved_words(p)}{several}",
        ),
        PUBLISHED_MEAN: (
            f"Questions against another model's published mean of {other} questions",
            ONE, ONE_MATHS,
            f"Unpaired: the other model's answers are not known, and its own error stays. "
            f"{by_alone}{several}",
        ),
        SUBSET: (
            f"Questions to draw at random from the eval's {n}, still to find {d} with {power} "
            "power",
            *needs_by(p),
            f"The eval is then run on the questions that are drawn, with {answers} to each. The "
            f"claim is about all questions of this kind, not only about these {n}.{whole}",
        ),
        OF_THIS_EVAL: (
            f"The same, where the claim is about these {n} questions and no others",
            "SE^2 = (1 - n/N) Var(d)/n + (n/N) (sigma_A^2/K_A + sigma_B^2/K_B)/n",
            r"\mathrm{SE}^2 = (1 - n/N)\,\mathrm{Var}(d)/n + "
            r"(n/N)\,(\sigma_A^2/K_A + \sigma_B^2/K_B)/n",
            "Fewer may do: only the questions that are not drawn are left to chance, and answer "
            f"noise (Cochran 1977).{as_certain(p)}{assumed(p)}",
        ),
    }  # fmt: skip
    for x in p.others:
        if x.name == PUBLISHED_MEAN and not p.asked.paired:
            continue  # it is the first answer
        head, formula, maths, assumes = texts[x.name]
        answer = standing(x.reason) if x.reason else _other_text(p, x)
        yield Told(head, answer, formula, maths, assumes, x.questions, x.reason)


def _unpaired(p: Planned) -> Other | None:
    return next((x for x in p.others if x.name == UNPAIRED), None)


def _ranged_words(p: Planned) -> str:
    """What the brackets of models with questions of their own are."""
    x = _unpaired(p)
    if x is None or not ranged(x):
        return ""
    if p.pilot is None or not p.pilot.ranges:
        return _ends_of_scores(p)
    return (
        f"{pilot_words(p, x.questions, x.equation)} Its range is found as that of the first "
        "number, from the variances of both models."
    )


def _ends_of_scores(p: Planned) -> str:
    """The same where no pilot's variance has a range: by a pilot's mean or spread, or by how alike
    scores in a cluster are in public evals.
    """
    parts = [mean_words(p), own_spread_words(p), own_variance_words(p), public_spread_words(p)]
    if any(k.name == "icc_scores" and k.source == PUBLIC for k in p.known):
        parts.append(
            "at the lower and the upper quartile of the ICC of scores in public evals, as no "
            "icc_scores was given"
        )
    parts = [text for text in parts if text]
    if not parts:
        return ""
    noise = "with much answer noise and with none, and " * p.noise_open
    return f" In brackets: {noise}{'; '.join(parts)}."


def _saved_words(p: Planned) -> str:
    """What the same questions save; empty where a number is not known, or is the fewest."""
    x, n = _unpaired(p), p.need
    if x is None or math.isnan(x.questions - n.questions) or x.least or n.least:
        return ""
    if x.questions > n.questions:
        fewer = count(x.questions - n.questions)
        return f" Where both models answer the same questions, each needs {fewer} fewer."
    text = " No fewer are needed where both models answer the same questions"
    if p.pilot is not None and p.pilot.ranges and n.equation < x.equation:
        return (
            f"{text}. By formula they would need {count(n.equation)}, not {count(x.equation)}, but "
            "the pilot knows the variance of the difference less well than those of both models, "
            "and the numbers allow for that."
        )
    r = next((k.value for k in p.known if k.name == "correlation"), math.nan)
    return text + ", as their scores do not go together" * (r <= 0.0) + "."


def _other_text(p: Planned, x: Other) -> str:
    more = ""
    if x.clusters == x.clusters:
        more += f", in {counted(x.clusters, 'cluster')} of {size_text(p.shape.cluster_size)}"
    if x.least:
        more += least_words(p, p.asked.difference if x.name == UNPAIRED else 0.0)
    if x.share == x.share:
        more += f", {share_of(x.share)} of the eval"
    text = needed_text(x)
    return f"{text} questions{more}" if more else text  # else the question names the unit
