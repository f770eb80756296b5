"""What an eval can detect between its models, by the test that it prints: now, with more questions
or answers, and the questions that a difference needs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit import stats
from reportkit.decisions import Decisions
from reportkit.results import DifferenceResult, PowerResult, Scale
from reportkit.scores.select import EvalScores, is_share
from reportkit.stats.clusters import sizes_and_codes
from reportkit.stats.planning.detectable import (
    PairDesigns,
    Plan,
    detectable_difference,
    direction,
    refusals,
    times_needed,
    too_few,
)
from reportkit.stats.planning.several_answers import within_questions
from reportkit.stats.planning.tails import pair_ends, worth

Sides = tuple[stats.Components, stats.Components]
# Why there is no difference, beside the refusals of detectable: none is large enough.
SCALE = "scale"


@dataclass(frozen=True, slots=True)
class Side:
    """One pair of models, the first minus the second."""

    designs: PairDesigns  # of all pairs
    pair: int  # its place among them
    why: str  # it has no plan; empty: it has one
    down: bool  # the difference to be found is downwards from the better model
    room: float


@dataclass(frozen=True, slots=True)
class Detectable:
    """Of every pair of models, in the order of stats.Pairs."""

    mde: np.ndarray
    designs: PairDesigns
    why: np.ndarray
    down: np.ndarray
    room: np.ndarray

    def side(self, pair: int) -> Side:
        """One pair, first model minus second."""
        why, down, room = str(self.why[pair]), bool(self.down[pair]), float(self.room[pair])
        return Side(self.designs, pair, why, down, room)


def detectable(
    e: EvalScores, pairs: stats.Pairs, sides: Sequence[Sides], d: Decisions
) -> Detectable:
    """The smallest difference that each pair's test finds with the decided power; all pairs at
    once.

    sides: the variance components of the two models of each pair.
    """
    designs = _designs(e, pairs, sides)
    mde = detectable_difference(designs, Plan(level=d.level, power=d.power))
    return Detectable(mde, designs, refusals(designs), *direction(designs))


def _designs(e: EvalScores, pairs: stats.Pairs, sides: Sequence[Sides]) -> PairDesigns:
    i, j, n = pairs.first, pairs.second, pairs.n_questions.clip(min=1)
    known = ~np.isnan(e.means)
    of_common = known.astype(float)
    sums = np.where(known, e.means, 0.0).T @ of_common
    alone = pairs.se_unclustered**2
    worths = {} if e.clusters is None else _worths(e.clusters, known, pairs)
    ends = {}
    if is_share(e.low, e.high) and not e.binary:
        ends = dict(zip(("low", "high"), pair_ends(e.means, i, j), strict=True))
    single = np.array(
        [e.binary and e.epochs[:, m].max(initial=0) <= 1 for m in range(len(e.models))]
    )
    bounded = np.full(len(i), is_share(e.low, e.high))
    means = sums[i, j] / n, sums[j, i] / n
    sigma2 = tuple(np.array([side[k].within for side in sides]) for k in (0, 1))
    inverse = [1.0 / a.epochs + 1.0 / b.epochs for a, b in sides]
    return PairDesigns(
        method=pairs.method,
        n=pairs.n_questions,
        clusters=pairs.n_clusters,
        se=pairs.se,
        df=pairs.df,
        bounded=bounded,
        mean_a=means[0],
        mean_b=means[1],
        correlation=pairs.correlation,
        apart=pairs.apart,
        shown=pairs.shown,
        binary=single[i] & single[j],
        alone=alone,
        right=np.full(len(i), e.binary),
        within=within_questions((sigma2[0], sigma2[1]), means),
        answers=2.0 / np.array(inverse),
        **ends,
        **worths,
    )


def _worths(clusters: np.ndarray, known: np.ndarray, pairs: stats.Pairs) -> dict[str, np.ndarray]:
    """How many clusters of one size each pair's SE is worth: of the questions that both models have
    answered, as the SE itself is. nan where there are none.

    known: questions x models, whether there is a score.
    """
    codes = sizes_and_codes(clusters, len(clusters))[1]
    patterns, of_model = np.unique(known, axis=1, return_inverse=True)
    ends = np.sort(of_model.ravel()[np.array([pairs.first, pairs.second])], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = (pairs.se / pairs.se_unclustered) ** 2
    found = {name: np.full(len(effect), math.nan) for name in ("worth", "alike")}
    both, of_pair = np.unique(ends, axis=1, return_inverse=True)
    for k, (one, other) in enumerate(both.T):
        here = np.flatnonzero(of_pair.ravel() == k)
        sizes = np.bincount(codes[patterns[:, one] & patterns[:, other]])
        if sizes.any():
            *seen, alike = worth(sizes[sizes > 0], np.append(effect[here], math.inf))
            found["worth"][here], found["alike"][here] = seen, alike
    return found


def power_result(row: DifferenceResult, side: Side, parts: Sides, d: Decisions) -> PowerResult:
    """What a comparison can detect, with the numbers that it rests on."""
    design, k = side.designs, side.pair
    omega2 = math.nan
    if row.se > 0.0:
        omega2 = stats.omega_squared(row.se, row.n_questions, *(p.noise for p in parts))
    bounded = bool(design.bounded[k])
    turn = ""
    if bounded:
        turn = "lower" if side.down else "higher"
    return PowerResult(
        model=row.model,
        baseline=row.baseline,
        omega2=omega2,
        sigma2_model=parts[0].within,
        sigma2_baseline=parts[1].within,
        epochs_model=parts[0].epochs,
        epochs_baseline=parts[1].epochs,
        n_questions=row.n_questions,
        alpha=round(1.0 - d.level, 12),
        power=d.power,
        mde=row.mde,
        method=row.method,
        n_clusters=row.n_clusters,
        se=float(design.se[k]),
        df=row.df,
        se_unclustered=math.sqrt(float(design.alone[k])),
        mean_model=float(design.mean_a[k]),
        mean_baseline=float(design.mean_b[k]),
        correlation=row.correlation,
        apart=float(design.apart[k]),
        shown=float(design.shown[k]),
        worth=math.nan if design.worth is None else float(design.worth[k]),
        alike=math.nan if design.alike is None else float(design.alike[k]),
        direction=turn,
        room=side.room if bounded else math.nan,
        spread_low=math.nan if design.low is None else float(design.low[k]),
        spread_high=math.nan if design.high is None else float(design.high[k]),
        reason="" if row.mde == row.mde else side.why or SCALE,
    )


# From the records, for tables and figures ---------------------------------------------------------


def detectable_with(
    powers: Sequence[PowerResult],
    scale: Scale,
    *,
    questions: np.ndarray | float = 1.0,
    answers: float = 1.0,
) -> np.ndarray:
    """The smallest detectable difference of each record, shape (P,), with so many times the
    questions (in as many times the clusters of the same sizes) or the answers for each; nan where
    it is not known.

    powers: records of one eval. More answers divide the answer noise and leave what the models
    truly differ by; with one answer for each question the two are not known apart.
    """
    if not powers:
        return np.empty(0)
    left = np.array([_left_by(p, answers) for p in powers])
    plan = replace(_plan(powers), questions=questions, noise=left, answers=answers)
    found = _width(powers, scale) * detectable_difference(designs_of(powers, scale), plan)
    return np.where(np.isnan(left), np.nan, found)


def _left_by(p: PowerResult, answers: float) -> float:
    """The share of the variance that is left by so many times the answers; more, where omega2 had
    to be raised to 0.
    """
    if answers == 1.0:
        return 1.0
    noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline
    total = p.omega2 + noise if p.omega2 > 0.0 else p.n_questions * p.se**2
    return (p.omega2 + noise / answers) / total if total > 0.0 else math.nan


@dataclass(frozen=True, slots=True)
class Needed:
    """Questions for a difference, and the clusters of the same sizes that hold them; both nan where
    there is no plan, or no number is enough.
    """

    questions: float
    clusters: float
    few: bool = False  # less than detectable.too_few allows is enough: no number


def needed_for(powers: Sequence[PowerResult], scale: Scale, effect: float) -> list[Needed]:
    """How many questions each record's models need for a true difference to be detectable: whole
    clusters, of the sizes that the eval has.
    """
    if not powers:
        return []
    designs = designs_of(powers, scale)
    times = times_needed(designs, effect / _width(powers, scale), _plan(powers))
    found = []
    for p, t, few in zip(powers, times.tolist(), too_few(designs, times).tolist(), strict=True):
        if math.isnan(t) or few:
            found.append(Needed(math.nan, math.nan, few))
            continue
        # What should be whole must not be rounded up for its last bits.
        clusters = math.ceil(_clusters(p) * t * (1 - 1e-8))
        found.append(Needed(math.ceil(clusters * p.n_questions / _clusters(p)), clusters))
    return found


def _plan(powers: Sequence[PowerResult]) -> Plan:
    return Plan(level=1.0 - powers[0].alpha, power=powers[0].power)


def _clusters(p: PowerResult) -> int:
    return p.n_clusters or p.n_questions


def _width(powers: Sequence[PowerResult], scale: Scale) -> float:
    """The unit of differences: the range of bounded scores."""
    return scale.ends[1] - scale.ends[0] if powers[0].direction else 1.0


def designs_of(powers: Sequence[PowerResult], scale: Scale) -> PairDesigns:
    """The records in the unit of the analysis, where bounded scores run from 0 to 1."""
    width, low = _width(powers, scale), scale.ends[0] if powers[0].direction else 0.0

    def column(name: str) -> np.ndarray:
        return np.array([getattr(p, name) for p in powers])

    epochs = np.maximum(column("epochs_model"), column("epochs_baseline"))
    means = (column("mean_model") - low) / width, (column("mean_baseline") - low) / width
    sigma2 = column("sigma2_model") / width**2, column("sigma2_baseline") / width**2
    return PairDesigns(
        method=column("method"),
        n=column("n_questions").astype(float),
        clusters=np.array([float(_clusters(p)) for p in powers]),
        se=column("se") / width,
        df=column("df"),
        bounded=np.full(len(powers), bool(powers[0].direction)),
        mean_a=means[0],
        mean_b=means[1],
        correlation=column("correlation"),
        apart=column("apart") / width,
        shown=column("shown"),
        binary=np.full(len(powers), scale.binary) & (epochs <= 1.0),
        alone=(column("se_unclustered") / width) ** 2,
        right=np.full(len(powers), scale.binary),
        worth=_known(column("worth")),
        alike=_known(column("alike")),
        within=within_questions(sigma2, means),
        answers=2.0 / (1.0 / column("epochs_model") + 1.0 / column("epochs_baseline")),
        low=(column("spread_low") - low) / width,
        high=(column("spread_high") - low) / width,
    )


def _known(values: np.ndarray) -> np.ndarray | None:
    """None where there are no clusters, and records of one eval have nan."""
    return None if np.isnan(values).all() else values
