"""What public evals show of correlations, clusters and answer noise, for who knows nothing yet."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from reportkit.record import Record

EMPTY: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicEval(Record):
    """One public eval. Three numbers: lower quartile, median, upper quartile; empty where its
    scores do not show it. See benchmarks/public_evals.py.
    """

    name: str
    repository: str
    scores: str
    questions: int
    models: int
    mean: tuple[float, ...]  # lowest, median, highest
    correlation: tuple[float, ...] = EMPTY  # of neighbours by mean, one answer for each question
    noise: tuple[float, ...] = EMPTY  # the part of a score's variance within questions
    spread: tuple[float, ...] = EMPTY  # variance over mean (1 - mean), of shares
    icc: tuple[float, ...] = EMPTY  # of differences of neighbours
    icc_scores: tuple[float, ...] = EMPTY  # of one model's scores
    gap: tuple[float, ...] = EMPTY  # between neighbours of the ten best
    cluster_size: float = field(default=float("nan"))


@dataclass(frozen=True, slots=True)
class PublicRange(Record):
    """The quartiles of the evals' medians, and how many evals show it."""

    low: float
    middle: float
    high: float
    evals: int


@functools.cache
def public_evals() -> tuple[PublicEval, ...]:
    """The evals of public_evals.toml.

    >>> public_evals()[0].name, public_evals()[0].questions
    ('GSM8K', 1319)
    """
    text = resources.files(__package__).joinpath("public_evals.toml").read_text(encoding="utf-8")
    found: list[Mapping[str, Any]] = tomllib.loads(text)["eval"]
    evals = []
    for one in found:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in one.items()}
        evals.append(PublicEval(**values))
    return tuple(evals)


def public_range(what: str) -> PublicRange:
    """The quartiles over evals of correlation, noise, spread, icc or icc_scores: of each eval its
    median.

    >>> r = public_range("noise")          # two evals have several answers for each question
    >>> r.evals, r.low < r.middle < r.high
    (2, True)
    """
    medians = [values[1] for e in public_evals() if (values := getattr(e, what))]
    low, middle, high = (round(float(v), 2) for v in np.quantile(medians, (0.25, 0.5, 0.75)))
    return PublicRange(low, middle, high, len(medians))
