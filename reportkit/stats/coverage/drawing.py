"""Random evals of a given shape: beta-distributed scores, and counts of answers by multinomials
over their totals.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy import special

# number of evals -> for each simulated eval and unit: sum of gains, sum of losses, and how many
# units are like it
Draw = Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]]


def concentration_of(icc: float) -> float:
    """a + b of the Beta whose draws have variance icc mean (1 - mean): 1/icc - 1; inf for a
    constant, 0 for 0 or 1.
    """
    return math.inf if icc < 1e-9 else max(0.0, 1.0 / icc - 1.0)


def beta_draws(
    rng: np.random.Generator, mean: np.ndarray | float, concentration: float, shape: tuple[int, ...]
) -> np.ndarray:
    """Beta draws around means (which broadcast to shape). At an infinite concentration a draw is
    the mean, at 0 it is 0 or 1.
    """
    if math.isinf(concentration) or (np.ndim(mean) == 0 and mean in (0.0, 1.0)):
        return np.broadcast_to(np.asarray(mean, dtype=float), shape)
    if concentration < 1e-9:
        return (rng.random(shape) < mean).astype(float)
    a = concentration * np.asarray(mean)
    return rng.beta(np.maximum(a, 1e-12), np.maximum(concentration - a, 1e-12), shape)


def beta_binomial(successes: np.ndarray, n: int, mean: float, concentration: float) -> np.ndarray:
    """Probabilities of each number of successes of n, where the share is drawn from a Beta.

    >>> # a uniform share makes each count as likely
    >>> beta_binomial(np.arange(3), 2, 0.5, 2.0).round(4).tolist()
    [0.3333, 0.3333, 0.3333]
    """
    k = np.asarray(successes, dtype=float)
    ways = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    if math.isinf(concentration) or mean in (0.0, 1.0):
        return np.exp(ways + special.xlogy(k, mean) + special.xlog1py(n - k, -mean))
    if concentration < 1e-9:
        return np.where(k == n, mean if n else 1.0, np.where(k == 0, 1.0 - mean, 0.0))
    a, b = mean * concentration, (1.0 - mean) * concentration
    return np.exp(ways + special.betaln(k + a, n - k + b) - special.betaln(a, b))


def count_draws(
    rng: np.random.Generator,
    units: np.ndarray,
    asked: np.ndarray,
    shares: tuple[float, float],
    concentration: float,
    together: bool = True,
) -> tuple[Draw, np.ndarray, np.ndarray]:
    """A function that draws gains and losses of every unit, and the questions and answers of the
    unit of each column that it draws.

    units: questions of each unit, shape (G,); asked: answers, of which gains and losses are counts;
    shares: of gain and of loss. Those of gain, loss and tie are Dirichlet over units. together:
    units with the same numbers can be exchanged. How many of them have each outcome is then drawn
    at once (multinomial over the outcomes), where that needs fewer random numbers.
    """
    gain, loss = shares
    active = gain + loss
    gains = gain / active
    kinds, held = np.unique(
        np.stack([units, asked], axis=1).astype(int), axis=0, return_counts=True
    )
    # how many outcomes a unit has: gains and losses, or gains alone
    cells = sum((m + 1) * (m + 2) // 2 if loss > 0.0 else m + 1 for m in kinds[:, 1].tolist())
    if not together or cells >= len(units):

        def each(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            n = rng.binomial(asked, beta_draws(rng, active, concentration, (rows, len(units))))
            up = (
                rng.binomial(n, beta_draws(rng, gains, concentration * active, n.shape))
                if loss > 0.0
                else n
            )
            return up, n - up, np.ones(1)

        return each, units, asked
    chances, ups, downs = [], [], []
    for m in kinds[:, 1].tolist():
        n = np.repeat(np.arange(m + 1), np.arange(m + 1) + 1) if loss > 0.0 else np.arange(m + 1)
        up = np.concatenate([np.arange(j + 1) for j in range(m + 1)]) if loss > 0.0 else n
        chance = beta_binomial(n, m, active, concentration)
        if loss > 0.0:
            split = [
                beta_binomial(np.arange(j + 1), j, gains, concentration * active)
                for j in range(m + 1)
            ]
            chance = chance * np.concatenate(split)
        chances.append(chance / chance.sum())
        ups.append(up)
        downs.append(n - up)
    up, down = np.concatenate(ups)[None, :], np.concatenate(downs)[None, :]

    def counted(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        drawn = [
            rng.multinomial(h, chance, size=rows)
            for h, chance in zip(held.tolist(), chances, strict=True)
        ]
        return up, down, np.concatenate(drawn, axis=1)

    columns = np.repeat(np.arange(len(kinds)), [len(c) for c in chances])
    return counted, kinds[columns, 0], kinds[columns, 1]


def sums_of_draws(
    rng: np.random.Generator, counts: np.ndarray, size: tuple[float, float]
) -> np.ndarray:
    """Sums of Beta draws (mean, concentration): each sum has as many draws as counts says, in the
    shape of counts.
    """
    flat = counts.ravel()
    drawn = beta_draws(rng, size[0], size[1], (int(flat.sum()),))
    return np.bincount(np.repeat(np.arange(len(flat)), flat), drawn, len(flat)).reshape(
        counts.shape
    )
