"""The pilot's two models as if each answered questions of its own: how much the difference of their
means varies then, and how well that is known.
"""

import math
from dataclasses import replace

from reportkit.analysis.planning.pilot import Pilot
from reportkit.stats.planning.detectable import T
from reportkit.stats.planning.pilot import variances_df


def separated(pilot: Pilot) -> Pilot:
    """The pilot with the variance of two independent means in place of that of their difference:
    n SE^2 = V_A + V_B, V the variance of a model's question scores with what its clusters add.

    The two variances are from the same questions, and err together where the models' scores go
    together: by r, the correlation of these means, the variance of V_A + V_B with f degrees of
    freedom each is 2 (V_A^2 + V_B^2 + 2 r^2 V_A V_B) / f.
    """
    p, means = pilot.power, pilot.result.means
    assert p is not None
    n = p.n_questions
    of_each = [m.n_questions * m.se**2 for m in means]
    alone = [m.n_questions * m.se_unclustered**2 for m in means]
    total = sum(of_each)
    df = sum(m.df for m in means) / 2.0 * _times(of_each[0], of_each[1], n * p.se**2)
    a, b = p.mean_model, p.mean_baseline
    apart = replace(
        p,
        method=T,
        se=math.sqrt(total / n),
        se_unclustered=math.sqrt(sum(alone) / n),
        df=df,
        correlation=0.0,
        shown=math.nan,  # no question shows a difference
        worth=math.nan,  # df says it
        omega2=math.nan,
    )
    scale = pilot.result.scale
    if scale.binary:
        low, high = scale.ends
        apart = replace(
            apart, apart=((a - low) * (high - b) + (b - low) * (high - a)) / (high - low)
        )
    result = replace(pilot.result, power=(apart,))
    of_answers = math.nan
    if pilot.scores is not None and not pilot.result.clustered:
        of_answers = variances_df(*pilot.scores)
    return replace(pilot, result=result, df=of_answers, separate=True)


def _times(a: float, b: float, of_difference: float) -> float:
    """By how many times more degrees of freedom V_A + V_B has than one of them: 1 to 2.

    >>> _times(1.0, 1.0, 2.0), _times(1.0, 1.0, 0.0), round(_times(1.0, 1.0, 1.0), 2)
    (2.0, 1.0, 1.6)
    """
    together = min(((a + b - of_difference) / 2.0) ** 2, a * b)  # r^2 V_A V_B
    return (a + b) ** 2 / (a * a + b * b + 2.0 * together) if a + b > 0.0 else 1.0
