"""Pilots of two models that then answer questions of their own, or of which one is run against the
other's published mean: is the planned power delivered?

The laws are none of those by which the allowance was chosen, which were normal scores and right
answers of one mean. Both models of a pilot answer the same questions, as pilots do, so that their
two variances err together; the evals that are planned have different questions for each model.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special
from scipy import stats as scipy_stats

from reportkit.stats.means.intervals import mean_interval
from reportkit.stats.means.proportions import wilson_ends
from reportkit.stats.pairs.paired import mover_ends, unpaired_difference

TOGETHER = 0.6  # correlation of the normal scores behind two models' answers to one question


@dataclass(frozen=True, slots=True)
class Law:
    """Scores of questions. score: from ranks in (0, 1) of the questions, and the mean."""

    words: str
    score: Callable[[np.ndarray, float], np.ndarray]
    binary: bool = False
    answers: int = 1  # to each question, right or wrong
    noise: float = math.nan  # of one answer's variance

    def draw(self, mean: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        return self.score(rng.random(shape), mean)

    def pilot(self, means: tuple[float, float], n: int, rng: np.random.Generator) -> np.ndarray:
        """Scores of both models in the same questions, shape (2, n)."""
        question = rng.normal(size=n)
        own = rng.normal(size=(2, n))
        normal = math.sqrt(TOGETHER) * question + math.sqrt(1.0 - TOGETHER) * own
        ranks = special.ndtr(normal)
        return np.stack([self.score(r, m) for r, m in zip(ranks, means, strict=True)])


def _right(ranks: np.ndarray, mean: float) -> np.ndarray:
    return (ranks < mean).astype(float)


def _beta(concentration: float) -> Callable[[np.ndarray, float], np.ndarray]:
    def score(ranks: np.ndarray, mean: float) -> np.ndarray:
        return special.betaincinv(mean * concentration, (1.0 - mean) * concentration, ranks)

    return score


def _power(ranks: np.ndarray, mean: float) -> np.ndarray:
    """u^a, of mean 1 / (1 + a)."""
    return ranks ** (1.0 / mean - 1.0)


def _fifths(ranks: np.ndarray, mean: float) -> np.ndarray:
    """Of five parts the number that is right, each by itself."""
    parts = np.arange(5)
    upper = special.bdtr(parts, 5, mean)
    return np.searchsorted(upper, ranks) / 5.0


def _answered(answers: int, concentration: float) -> Callable[[np.ndarray, float], np.ndarray]:
    """Of so many answers those that are right; how many are is Beta over questions."""

    def score(ranks: np.ndarray, mean: float) -> np.ndarray:
        a, b = mean * concentration, (1.0 - mean) * concentration
        upper = scipy_stats.betabinom.cdf(np.arange(answers), answers, a, b)
        return np.searchsorted(upper, ranks) / answers

    return score


def _several(answers: int, concentration: float) -> Law:
    """With c the concentration, c / (c + 1) of the variance m (1 - m) is within questions."""
    words, noise = f"0/1, {answers} answers", concentration / (concentration + 1.0)
    return Law(words, _answered(answers, concentration), True, answers, noise)


RIGHT = Law("0/1", _right, binary=True)
SHARES = (
    Law("Beta, 1", _beta(1.0)),
    Law("Beta, 10", _beta(10.0)),
    Law("a power of a uniform", _power),
    Law("fifths", _fifths),
)


SEVERAL = tuple(_several(k, c) for k, c in ((2, 0.5), (4, 1.0), (4, 4.0), (8, 2.0)))


@dataclass(frozen=True, slots=True)
class Pilots:
    """A law, the two models' means, and the questions of a pilot."""

    law: Law
    mean: float  # of the better model
    difference: float
    n: int
    published: int = 0  # questions of the better model's published mean; 0: both are run
    alike: bool = False  # whether both models of the pilot have the better one's mean

    @property
    def against(self) -> bool:
        """Whether one model is run against the other's published mean."""
        return self.published > 0

    @property
    def means(self) -> tuple[float, float]:
        return self.mean, self.mean - self.difference


def designs() -> Iterator[Pilots]:
    for first, n in enumerate((40, 120)):
        for mean, difference in ((0.55, 0.1), (0.75, 0.08), (0.9, 0.08), (0.95, 0.06)):
            yield Pilots(RIGHT, mean, difference, n)
        for i, law in enumerate(SHARES):
            mean, difference = ((0.6, 0.08), (0.85, 0.05))[(i + first) % 2]
            yield Pilots(law, mean, difference, n)


def against_published() -> Iterator[Pilots]:
    """Pilots of right or wrong answers, and a plan against the published mean of the better."""
    for n in (40, 120):
        for mean, difference, of in ((0.55, 0.1, 1000), (0.75, 0.08, 1319), (0.9, 0.08, 1000),
                                     (0.95, 0.06, 1000), (0.8, 0.05, 3000)):  # fmt: skip
            for alike in (True, False):
                yield Pilots(RIGHT, mean, difference, n, of, alike)


def published() -> Iterator[Pilots]:
    """Published means of n questions, and a model that is so far from it."""
    for mean, difference, n in ((0.71, 0.08, 1319), (0.55, 0.1, 400), (0.9, 0.06, 500),
                                (0.95, 0.04, 1000), (0.71, 0.05, 1000)):  # fmt: skip
        yield Pilots(RIGHT, mean, difference, n)
    for law in SEVERAL:
        for mean, difference, n in ((0.6, 0.08, 600), (0.85, 0.06, 900), (0.93, 0.05, 1500)):
            yield Pilots(law, mean, difference, n)
    for law in SHARES:
        for mean, difference, n in ((0.6, 0.06, 600), (0.85, 0.04, 900), (0.75, 0.05, 600)):
            yield Pilots(law, mean, difference, n)


def delivered(p: Pilots, pilots: int, evals: int) -> tuple[float, float, float]:
    """The mean questions for each model that pilots plan; the share of new evals of these numbers
    in which the printed test finds the difference; the share of pilots that have a plan.

    evals: of each pilot.
    """
    seeds = [round(1000 * p.mean), p.n, len(p.law.words), 26, *[p.published, p.alike] * p.against]
    rng = np.random.default_rng(seeds)
    better, worse = p.means
    pilot_means = (better, better) if p.alike else (better, worse)
    if p.against:  # ours is the first
        pilot_means = pilot_means[::-1]
    questions, hits = [], 0
    for _ in range(pilots):
        found = planned(frame(p.law.pilot(pilot_means, p.n, rng)), p.difference, p.published)
        if math.isnan(found):
            continue
        questions.append(found)
        for again in range(evals):
            a = p.law.draw(worse, (int(found),), rng)
            b = p.law.draw(better, (p.published or int(found),), rng)
            hit = finds(a, b, binary=p.law.binary)
            if not again:
                kind = {"binary" if p.law.binary else "share": True}
                assert hit == (unpaired_difference(a, b, **kind).p_value < 0.05)
            hits += hit
    made = len(questions)
    if not made:
        return math.nan, math.nan, 0.0
    return float(np.mean(questions)), hits / (made * evals), made / pilots


def finds(a: np.ndarray, b: np.ndarray, *, binary: bool, answers: tuple[int, int] = (1, 1)) -> bool:
    """Whether the interval of unpaired_difference leaves out 0, which is when its p is below 0.05:
    without the search for p it takes a fortieth of the time. answers: to each question of both.
    """
    ends = []
    for s, k in zip((a, b), answers, strict=True):
        if binary and k > 1:
            i = mean_interval(s, binary=True, n_answers=len(s) * k)
            ends.append((np.array(i.low), np.array(i.high)))
        elif binary:
            ends.append(wilson_ends(s.mean(), len(s), 0.95, modified=True))
        else:
            i = mean_interval(s, share=True)
            ends.append((np.array(i.low), np.array(i.high)))
    low, high = mover_ends(np.array(a.mean()), *ends[0], np.array(b.mean()), *ends[1])
    return not low <= 0.0 <= high


def planned(scores, difference: float, published: int = 0) -> float:
    """Questions for each model, or of one against a published mean, as the pilot shows."""
    of = {"other_questions": float(published)} if published else {}
    return need(scores, difference=difference, **of).questions


def need(scores, design: str = "unpaired", **said):
    """Of models with questions of their own, or in common, what a plan needs; scores: of a pilot,
    or None.
    """
    from reportkit.analysis.planning.answers import need_of
    from reportkit.analysis.planning.ground import ground_of
    from reportkit.analysis.planning.pilot import pilot_of
    from reportkit.analysis.planning.work import work_of
    from reportkit.decisions import Decisions
    from reportkit.plans import Asked

    asked = Asked(design=design, **said)
    pilot = None if scores is None else pilot_of(scores, Decisions(range="0,1"))
    found = work_of(asked, ground_of(asked, pilot))
    return need_of(found, asked.difference)


def ranges() -> Iterator[Pilots]:
    """Pilots of scores in part, and a plan against the published mean of the better."""
    for n in (40, 120):
        for law in SHARES:
            for mean, difference in ((0.6, 0.05), (0.85, 0.04)):
                yield Pilots(law, mean, difference, n, 800)


def held(p: Pilots, pilots: int) -> tuple[float, float]:
    """The questions that the truth needs; the share of pilots whose range holds them. The published
    mean and its standard error are told, and the spread is that of the pilot's first model.
    """
    from reportkit.errors import PlanError

    rng = np.random.default_rng([round(1000 * p.mean), p.n, len(p.law.words), 27])
    better, worse = p.means
    ours, theirs = (float(p.law.draw(m, (4_000_000,), rng).std()) for m in (worse, better))
    said = {"difference": p.difference, "mean": better, "other_questions": float(p.published),
            "other_se": theirs / math.sqrt(p.published)}  # fmt: skip
    true = need(None, answers="shares", spread=ours, **said).questions
    hits = []
    for _ in range(pilots):
        scores = frame(p.law.pilot((worse, better), p.n, rng))
        try:
            found = need(scores, **said)
        except PlanError:  # by chance its scores vary more than such a mean leaves
            continue
        hits.append(not (true < found.low or true > found.high))
    return true, float(np.mean(hits))


@dataclass(frozen=True, slots=True)
class Beside:
    """Pilots of models that are alike, one answer to each question, beside which values are given:
    the true ones. The range of the plan is that of the values which only the pilot shows.
    """

    law: Law
    mean: float
    n: int
    given: tuple[str, ...]
    models: int = 2

    @property
    def words(self) -> str:
        return f"{self.law.words}, {self.models} of a pilot, {' and '.join(self.given)} given"


def beside() -> Iterator[Beside]:
    for n in (40, 120):
        for mean in (0.6, 0.75, 0.9):
            yield Beside(RIGHT, mean, n, ("correlation",), 1)
            yield Beside(RIGHT, mean, n, ("correlation",))
            yield Beside(RIGHT, mean, n, ("mean",))
        for law in SHARES:
            yield Beside(law, 0.6, n, ("mean", "spread"))
            yield Beside(law, 0.6, n, ("mean", "correlation"))
            yield Beside(law, 0.6, n, ("mean",))


def held_beside(p: Beside, pilots: int) -> tuple[float, float, float]:
    """The questions that the truth needs; the share of ranges that hold them; the share of pilots
    that have a range.
    """
    from reportkit.errors import PlanError

    rng = np.random.default_rng([round(1000 * p.mean), p.n, len(p.words), 28])
    many = p.law.pilot((p.mean, p.mean), 4_000_000, rng)
    true = {"mean": p.mean, "correlation": float(np.corrcoef(many)[0, 1])}
    answers = "right-or-wrong"
    if not p.law.binary:
        answers, true["spread"] = "shares", float(many.std())
    needed = need(None, "paired", difference=0.05, answers=answers, **true).questions
    said = {name: true[name] for name in p.given}
    hits, drawn = [], 0
    for _ in range(pilots):
        scores = p.law.pilot((p.mean, p.mean), p.n, rng)[: p.models]
        try:
            found = need(frame(scores), "paired", difference=0.05, **said)
        except PlanError:  # scores that are all alike, or the same for both models
            continue
        drawn += 1
        if found.low == found.low:
            hits.append(found.low <= needed <= found.high)
    return needed, float(np.mean(hits)), len(hits) / drawn


@dataclass(frozen=True, slots=True)
class FarApart:
    """Pilots of two models that are far apart, with so many answers to each question; an answer is
    right in so many parts of it.
    """

    means: tuple[float, float]
    n: int
    answers: int
    parts: int = 1
    design: str = "paired"

    @property
    def words(self) -> str:
        kind = "right or wrong" if self.parts == 1 else f"{self.parts} parts each"
        said = f"{self.means[0]:g} and {self.means[1]:g}, {self.n} questions of {self.answers}"
        return f"{said}, {kind}, {self.design}"

    def pilot(self, n: int, rng: np.random.Generator):
        """A question's chances are Beta over questions, with a concentration of 2."""
        ranks = Law("", lambda ranks, mean: ranks).pilot(self.means, n, rng)
        chances = [
            special.betaincinv(2.0 * m, 2.0 * (1.0 - m), r)
            for m, r in zip(self.means, ranks, strict=True)
        ]
        drawn = [rng.binomial(self.parts, c, size=(self.answers, n)) for c in chances]
        import pandas as pd

        return pd.concat(
            frame(np.array(of) / self.parts).assign(epoch=k + 1)
            for k, of in enumerate(zip(*drawn, strict=True))
        )


def far_apart() -> Iterator[FarApart]:
    yield FarApart((0.95, 0.65), 60, 3)
    yield FarApart((0.95, 0.75), 80, 4)
    yield FarApart((0.9, 0.7), 80, 5)
    yield FarApart((0.05, 0.35), 60, 3)
    yield FarApart((0.97, 0.8), 200, 2)
    yield FarApart((0.85, 0.5), 50, 8)
    yield FarApart((0.9, 0.7), 200, 1)
    yield FarApart((0.95, 0.75), 100, 1)
    yield FarApart((0.95, 0.75), 60, 3, 5)
    yield FarApart((0.92, 0.7), 100, 1, 5)
    yield FarApart((0.1, 0.3), 70, 1, 10)
    yield FarApart((0.93, 0.7), 100, 3, design="unpaired")
    yield FarApart((0.9, 0.7), 200, 1, design="unpaired")
    yield FarApart((0.92, 0.7), 100, 1, 5, "unpaired")


def held_far_apart(p: FarApart, pilots: int) -> tuple[float, float, float]:
    """What the truth needs, by a pilot of 40,000 questions; the share of ranges that hold it; the
    share of pilots that have a range.
    """
    rng = np.random.default_rng([p.n, p.answers, p.parts, round(100 * p.means[0]), 30])
    true = need(p.pilot(40_000, rng), p.design, difference=0.04).questions
    hits = []
    for _ in range(pilots):
        found = need(p.pilot(p.n, rng), p.design, difference=0.04)
        if found.low == found.low:
            hits.append(found.low <= true <= found.high)
    return true, float(np.mean(hits)), len(hits) / pilots


def frame(scores: np.ndarray):
    import pandas as pd

    ids = np.arange(scores.shape[1]).astype(str)
    return pd.concat(
        [pd.DataFrame({"model": m, "question_id": ids, "score": s})
         for m, s in zip("AB", scores, strict=False)]
    )  # fmt: skip
