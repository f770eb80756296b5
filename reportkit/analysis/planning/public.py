"""What public evals show of correlations, clusters and answer noise, for who knows nothing yet."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from reportkit.analysis.planning.answered import GIVEN, PILOT, PUBLIC, Known
from reportkit.record import Record
from reportkit.stats.planning.expected import Answers, ExpectedPair

EMPTY: tuple[float, ...] = ()
ENOUGH = 5  # evals of one kind of scores, whose quartiles stand by themselves


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

    @property
    def answers(self) -> Answers:
        """What its scores are, in the words of a plan.

        >>> [e.answers for e in public_evals() if e.name in ("GSM8K", "BoolQ", "WildBench")]
        ['binary', 'free', 'share']
        """
        if self.scores == "right or wrong":
            return "binary"
        return "share" if self.scores.startswith(("shares", "next-token")) else "free"


@dataclass(frozen=True, slots=True)
class PublicRange(Record):
    """The quartiles of the evals' medians, and how many evals show it. answers: what the scores of
    all these evals are; None: they are of all kinds.
    """

    low: float
    middle: float
    high: float
    evals: int
    answers: Answers | None = None


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


def public_range(what: str, answers: Answers | None = None) -> PublicRange:
    """The quartiles over evals of correlation, noise, spread, icc or icc_scores: of each eval its
    median. answers: of evals with such scores alone, where at least ENOUGH of them show it.

    >>> r = public_range("noise")          # two evals have several answers for each question
    >>> r.evals, r.low < r.middle < r.high
    (2, True)
    >>> public_range("correlation", "binary").evals, public_range("correlation", "free").evals
    (7, 13)
    """
    evals = [e for e in public_evals() if getattr(e, what)]
    alike = [e for e in evals if e.answers == answers]
    kind = answers if len(alike) >= ENOUGH else None
    medians = [getattr(e, what)[1] for e in (alike if kind else evals)]
    low, middle, high = (round(float(v), 2) for v in np.quantile(medians, (0.25, 0.5, 0.75)))
    return PublicRange(low, middle, high, len(medians), kind)


def correlation_ranges() -> tuple[PublicRange, ...]:
    """The ranges of correlations that plans take: of evals of one kind, and of all."""
    kinds: tuple[Answers | None, ...] = ("binary", "share", None)
    return tuple(public_range("correlation", kind) for kind in kinds)


MOST_ALIKE = 0.9  # of what answer noise leaves, as an ICC that nobody gave


def most_icc(pair: ExpectedPair) -> float:
    """The most that an ICC of differences is taken to be where nobody gave it: answer noise is not
    alike in a cluster.
    """
    return MOST_ALIKE * pair.omega2 / pair.variance()


def known_icc(given: float, pilot: float, most: float, name: str = "icc") -> Known:
    """The intraclass correlation of differences with one answer to each question (or `name`), and
    where it is from: given, else the pilot's (nan: it has none), else that of public evals. The
    last two, and the range, are no larger than `most`, what answer noise leaves.

    >>> known_icc(0.2, 0.1, 0.9).value, known_icc(float("nan"), 0.1, 0.05).value
    (0.2, 0.05)
    >>> cut = known_icc(float("nan"), float("nan"), 0.01)   # below the public quartiles
    >>> cut.value, cut.low, cut.high
    (0.01, 0.01, 0.01)
    """
    if given == given:
        return Known(name, given, GIVEN)
    if pilot == pilot:
        return Known(name, min(pilot, most), PILOT)
    r = public_range(name)
    value, low, high = (min(x, most) for x in (r.middle, r.low, r.high))
    return Known(name, value, PUBLIC, low, high)
