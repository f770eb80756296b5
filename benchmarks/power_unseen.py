"""What no plan can know: which questions a worse model loses. Exact powers at what is printed.

`python benchmarks/power_unseen.py` takes evals of two models of 0/1 scores with the same mean, and
the detectable difference that a report of them prints. Then one model falls by just that, in four
ways. All four are the same while the models are equal: no report can tell them apart. The power of
McNemar's test is summed over all tables of right and wrong. It prints a section of power.md.
"""

import math

import numpy as np
import pandas as pd
from scipy import optimize, stats

import reportkit

LEVEL = 0.95
# questions, mean of both models, share of questions that only one of them has right
EVALS = (
    (100, 0.8, 0.2), (200, 0.85, 0.1), (200, 0.95, 0.06), (500, 0.6, 0.2), (500, 0.85, 0.08),
    (500, 0.85, 0.15), (500, 0.95, 0.04), (1000, 0.9, 0.05),
)  # fmt: skip
WAYS = ("correlation as observed", "any right answer", "shared right answers", "fewer gains")


def eval_of(n: int, mean: float, apart: float) -> pd.DataFrame:
    """The scores of two models with one mean."""
    one = round(n * apart / 2)
    both = round(n * mean) - one
    first = np.repeat([1, 1, 0, 0], [both, one, one, n - both - 2 * one])
    second = np.repeat([1, 0, 1, 0], [both, one, one, n - both - 2 * one])
    scores = pd.DataFrame({"question_id": np.arange(n), "A": first, "B": second})
    return scores.melt("question_id", var_name="model", value_name="score")


def both_right(a: float, b: float, r: float) -> float:
    """Share of questions that both have right: normal variables of correlation r behind them."""
    law = stats.multivariate_normal([0.0, 0.0], [[1.0, r], [r, 1.0]])
    return float(law.cdf(stats.norm.ppf([a, b])))


def falls(mean: float, apart: float, d: float) -> dict[str, tuple[float, float]]:
    """p10 and p01 when the second model is worse by d, for each way."""
    one, both = apart / 2, mean - apart / 2
    r = optimize.brentq(lambda r: both_right(mean, mean, r) - both, -0.99, 0.99999)
    after = both_right(mean, mean - d, r)
    lost = d / mean  # of the second model's right answers
    fewer = min(one, d / 2)
    return {
        WAYS[0]: (mean - after, mean - d - after),
        WAYS[1]: (one + both * lost, one - one * lost),
        WAYS[2]: (one + d, one),
        WAYS[3]: (one - fewer + d, one - fewer),
    }


def power(n: int, p10: float, p01: float) -> float:
    """Chance that McNemar's z is significant, over all numbers of questions that differ."""
    z, found = stats.norm.ppf((1.0 + LEVEL) / 2.0), 0.0
    for m in range(1, n + 1):
        chance = stats.binom.pmf(m, n, p10 + p01)
        if chance < 1e-12:
            continue
        gains = np.arange(m + 1)
        significant = np.abs(2 * gains - m) > z * math.sqrt(m)
        found += chance * stats.binom.pmf(gains, m, p10 / (p10 + p01))[significant].sum()
    return float(found)


def rows() -> list[list[str]]:
    made = []
    for n, mean, apart in EVALS:
        r, _ = reportkit.analyse(eval_of(n, mean, apart))
        d = r.power[0].mde
        powers = [power(n, *ends) for ends in falls(mean, apart, d).values()]
        made.append([str(n), str(mean), str(apart), f"{d:.4f}", *(f"{p:.3f}" for p in powers)])
    return made


def main() -> None:
    heads = ["questions", "mean", "only one right", "detectable", *WAYS]
    print("| " + " | ".join(heads) + " |\n|" + " ---: |" * len(heads))
    for row in rows():
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
