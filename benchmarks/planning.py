"""Is a planned power delivered? For each design: the share of new evals in which the test of the
report finds the difference that was planned for.

`python benchmarks/planning.py [--repeats N] [--only FAMILY]` takes laws of scores, tells the
planner what an author could know of each (mean, variance, correlation, share of answer noise, ICC;
exactly as the law has them), plans, draws evals of that size in which the models differ by just
that, and counts how often the report's own test is significant: McNemar's, Tango's on effective
questions, t with Satterthwaite's degrees of freedom, clustered CR2; of unpaired models
unpaired_difference. It also draws pilots, and counts how often the printed range of questions holds
the number that the truth needs, and how often equivalence and non-inferiority are shown. It writes
planning.md beside this file. The laws are those of power_designs.py, and no law is the planner's
own.
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import numpy as np
import planning_pilots
import power_designs
from power import significant
from power_designs import Design, draw, rasch_spread
from scipy import stats as scipy_stats

from reportkit.analysis.planning.ground import KINDS
from reportkit.analysis.planning.limits import (
    LEAST_NEAR,
    NEAR_AN_END,
    farthest,
    least_clusters,
    least_questions,
)
from reportkit.errors import PlanError
from reportkit.stats.pairs.paired import unpaired_difference
from reportkit.stats.planning.assured import units_needed
from reportkit.stats.planning.detectable import Plan, detectable_difference, times_needed
from reportkit.stats.planning.expected import KNOWN, ExpectedPair, expected_design, expected_pair

HERE = Path(__file__).parent
LOW, HIGH = 0.78, 0.82
FROM_PILOTS = "unpaired, from pilots"
ONE_MODEL = "one model against a published mean"
ONE_SEVERAL = "one model, several answers, against a published mean"
ONE_FROM_PILOTS = "one model, from pilots, against a published mean"
RANGE_BESIDE = "range: a pilot beside given values"
RANGE_TOGETHER = "range: a pilot in clusters or of several answers, beside given values"
RANGE_AGAINST = "range: scores in part, against a published mean"
RANGE_FAR_APART = "range: a pilot of models far apart"
DRAWN = 4_000_000  # questions from which the truth of a law is taken
TIMES_NEAR = (
    15  # in clusters near an end, where DRAWN leaves an error of up to 2% in the difference
)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a law has: of one answer each, at no difference."""

    variance: float
    noise: float
    correlation: float
    icc: float
    icc_scores: float


@dataclass(frozen=True, slots=True)
class Cell:
    family: str
    design: str
    mean: float
    questions: int
    clusters: int
    difference: float
    power: float


# The truth of a law -------------------------------------------------------------------------------


def raw(d: Design, repeats: int, rng: np.random.Generator, difference: float = 0.0) -> np.ndarray:
    """Question scores of both models, shape (2, repeats, n): what power_designs.draw makes of a
    report it makes of these.
    """
    caught = []

    def keep(_design, a, b, _sizes, _noise):
        caught.append(np.stack([a, b]))
        return

    of = power_designs.reported
    power_designs.reported = keep  # type: ignore[assignment]
    try:
        draw(d, difference, repeats, rng)
    finally:
        power_designs.reported = of
    return caught[0]


def truth(d: Design) -> Truth:
    rng, near = d.generator(77), d.bounded and min(d.mean, 1.0 - d.mean) < NEAR_AN_END
    if near and d.clustered and d.clusters >= LEAST_NEAR:  # fewer are not planned
        parts = [astuple(drawn_truth(d, rng)) for _ in range(TIMES_NEAR)]
        return Truth(*np.mean(parts, axis=0).tolist())
    return drawn_truth(d, rng)


def drawn_truth(d: Design, rng: np.random.Generator) -> Truth:
    part, scores = max(1, DRAWN // 4 // d.n), []
    for _ in range(4):
        scores.append(raw(replace(d, epochs=1), part, rng))
    s = np.concatenate(scores, axis=1)
    gap = s[0] - s[1]
    correlation = float(np.corrcoef(s[0].ravel(), s[1].ravel())[0, 1])
    icc = icc_of(d, gap)
    icc_scores = icc_of(d, s[0] - s[0].mean())
    noise = 0.0
    if d.epochs > 1:
        k = d.epochs
        means = np.concatenate([raw(d, part, rng) for _ in range(4)], axis=1)
        noise = (1.0 - means.var(axis=(1, 2)).mean() / s.var(axis=(1, 2)).mean()) / (1.0 - 1.0 / k)
    return Truth(float(s.var(axis=(1, 2)).mean()), float(noise), correlation, icc, icc_scores)


def icc_of(d: Design, values: np.ndarray) -> float:
    """Intraclass correlation of values of mean 0, shape (repeats, n)."""
    if not d.clustered:
        return 0.0
    starts = np.concatenate([[0], np.cumsum(d.sizes)[:-1]])
    sums = np.add.reduceat(values, starts, axis=1)
    pairs = sum(m * m for m in d.sizes) - d.n
    return float((sums**2).sum() / len(sums) - d.n * values.var()) / (values.var() * pairs)


def expected(d: Design, t: Truth) -> ExpectedPair:
    kind = {"binary": "right-or-wrong", "normal": "own-units", "skew": "own-units"}
    size = d.n / d.clusters if d.clustered else 1.0
    return expected_pair(
        KINDS[kind.get(d.scores, "shares")],
        mean=d.mean if d.bounded else math.nan,
        variance=t.variance,
        noise=t.noise,
        correlation=t.correlation,
        cluster_size=size,
        icc=t.icc,
        icc_scores=t.icc_scores,
    )


# Designs ------------------------------------------------------------------------------------------


def designs() -> Iterator[Design]:
    """Laws by family; n is what is planned, and the planner says what it finds."""
    for n in (50, 200, 1000):
        for mean in (0.5, 0.7, 0.9, 0.97):
            for r in (0.0, 0.4, 0.7):
                yield Design("0/1", (n,), mean, "binary", 1, rasch_spread(mean, r),
                             words=f"correlation {r:g}")  # fmt: skip
            for k in (2, 5, 10):
                yield Design("0/1, 2 to 10 answers", (n,), mean, "binary", k, 1.5, 0.5,
                             words=f"{k} answers")  # fmt: skip
                yield Design("0/1, 2 to 10 answers", (n,), mean, "binary", k, 0.8, 0.6,
                             words=f"{k} answers, two kinds", link="normal",
                             difficulty="two kinds")  # fmt: skip
            for shared, own in ((4.0, 2.0), (8.0, 8.0), (15.0, 3.0)):
                yield Design("0/1, 4 answers, little noise", (n,), mean, "binary", 4, shared, own,
                             words=f"difficulty {shared:g}, own {own:g}")  # fmt: skip
            for scores, words, own in (("beta", "Beta, 4", 0.5), ("share", "probabilities", 0.7),
                                       ("part", "right or in part", 0.5)):  # fmt: skip
                if scores == "part" and mean < 0.6:
                    continue
                yield Design("fractional", (n,), mean, scores, 1, 1.0, own, words=words)
        for r in (0.0, 0.6):
            yield Design("own units", (n,), 50.0, "normal", 1, r, words=f"correlation {r:g}")
        yield Design("own units", (n,), 50.0, "skew", 1, 0.5, words="skewed")
    for g, m in ((8, 10), (8, 50), (12, 20), (20, 10), (50, 5), (100, 20)):
        for mean in (0.5, 0.7, 0.9, 0.97):
            for own in (0.3, 0.8):
                for scores, k in (("binary", 1), ("binary", 4), ("beta", 1)):
                    name = "0/1" if scores == "binary" else "fractional"
                    name += " in clusters" if k == 1 else " in clusters, 4 answers"
                    yield Design(name, (m,) * g, mean, scores, k, 1.0, 0.5, 0.8, own,
                                 words=f"{m} each, cluster effect {own:g}")  # fmt: skip
            if g > 8 and mean != 0.5:  # answers to a question are nearly all alike
                for shared, own in ((4.0, 2.0), (8.0, 2.0), (15.0, 3.0)):
                    yield Design("0/1 in clusters, 4 answers, little noise", (m,) * g, mean,
                                 "binary", 4, shared, own, 1.0, 0.5,
                                 words=f"{m} each, difficulty {shared:g}, own {own:g}")  # fmt: skip
        yield Design("own units in clusters", (m,) * g, 50.0, "normal", 1, 0.5, 0.0, 0.5, 0.5,
                     words=f"{m} each")  # fmt: skip


def delivered(d: Design, repeats: int) -> Cell:
    base = expected_design(expected(d, truth(d)), d.epochs, d.epochs)
    effect = float(detectable_difference(base, Plan(d.n / KNOWN))[0])
    few = d.clustered and d.clusters < least_clusters(base)
    few = few or d.n < least_questions(base, effect)
    if few or effect > farthest(base)[0]:
        effect = math.nan  # it is not planned
    if math.isnan(effect):
        return Cell(d.family, d.words, d.mean, d.n, d.clusters, effect, math.nan)
    rng, hits, left = d.generator(5), 0, repeats
    while left:
        part = min(left, max(1, 2_000_000 // d.n // d.epochs))
        hits += int(significant(d, draw(d, effect, part, rng).arrays).sum())
        left -= part
    return Cell(d.family, d.words, d.mean, d.n, d.clusters, effect, hits / repeats)


def unpaired(n: int, mean: float, repeats: int) -> Cell:
    """Right and wrong answers of two models to different questions, n each."""
    pair = expected_pair("binary", mean=mean)
    base = expected_design(pair)
    base = replace(base, method=np.array(["t"]), df=2.0 * base.clusters - 2.0)
    effect = float(detectable_difference(base, Plan(n / KNOWN))[0])
    if n < least_questions(base):
        return Cell("0/1, unpaired", "", mean, n, n, math.nan, math.nan)
    low = mean - effect
    rng = np.random.default_rng([n, round(1000 * mean)])
    counts = rng.binomial(n, [mean, low], size=(repeats, 2))
    pairs, times = np.unique(counts, axis=0, return_counts=True)
    hits = 0
    for (a, b), count in zip(pairs, times, strict=True):
        x, y = (np.arange(n) < k for k in (a, b))
        p = unpaired_difference(x.astype(float), y.astype(float), binary=True).p_value
        hits += int(count) * (p < 0.05)
    return Cell("0/1, unpaired", "", mean, n, n, effect, hits / repeats)


def from_pilot(p: planning_pilots.Pilots, pilots: int, repeats: int) -> Cell:
    """Models with questions of their own, planned from pilots: the power of new evals, on average
    over pilots. repeats: evals in all.
    """
    questions, power, _ = planning_pilots.delivered(p, pilots, max(1, repeats // pilots))
    n = round(questions) if questions == questions else 0
    words = f"{p.law.words}, pilots of {p.n}"
    if p.against:
        words += f"{' that are alike' * p.alike}, published {p.published}"
    family = ONE_FROM_PILOTS if p.against else FROM_PILOTS
    return Cell(family, words, p.mean, n, n, p.difference, power)


def one_model_family(p: planning_pilots.Pilots) -> str:
    return ONE_MODEL if p.law.answers == 1 else ONE_SEVERAL


def one_model(p: planning_pilots.Pilots, repeats: int, sign: int = 0) -> Cell:
    """One model against another's published mean of p.n questions: the power of the printed test
    where ours is worse (sign -1), and where it is better, or where it is whichever has less (0).
    """
    from reportkit.analysis.planning import plan

    rng = np.random.default_rng([p.n, round(1000 * p.mean), len(p.law.words), 27])
    binary, said = p.law.binary, {}
    means = [p.mean + s * p.difference for s in ((sign,) if sign else (-1, 1))]
    if p.law.answers > 1:
        said = {"epochs": p.law.answers, "epochs_b": p.law.answers, "noise": p.law.noise}
    if not binary:  # of scores in part, how both vary, each where it is
        spreads = [float(p.law.draw(m, (1_000_000,), rng).std()) for m in (means[0], p.mean)]
        said = {"spread": spreads[0], "other_se": spreads[1] / math.sqrt(p.n)}
    need = plan(difference=p.difference, mean=p.mean, design="unpaired", other_questions=p.n,
                answers="right-or-wrong" if binary else "shares", **said).need  # fmt: skip
    words = f"{p.law.words}, published {p.n}{('', ', ours better', ', ours worse')[sign]}"
    cell = Cell(one_model_family(p), words, p.mean, 0, 0, p.difference, math.nan)
    if math.isnan(need.questions) or need.least:
        return cell
    n, powers = int(need.questions), []
    for mean in means:
        if mean < 1.0:
            found = (
                planning_pilots.finds(
                    p.law.draw(mean, (n,), rng),
                    p.law.draw(p.mean, (p.n,), rng),
                    binary=binary,
                    answers=(p.law.answers,) * 2,
                )
                for _ in range(repeats)
            )
            powers.append(sum(found) / repeats)
    return replace(cell, questions=n, clusters=n, power=min(powers))


def range_against(p: planning_pilots.Pilots, pilots: int) -> Cell:
    """How often the range by a pilot's spread holds what is needed against a published mean."""
    true, share = planning_pilots.held(p, pilots)
    design, n = f"{p.law.words}, pilots of {p.n}", int(true)
    return Cell(RANGE_AGAINST, design, p.mean, n, n, p.difference, share)


def range_beside(p: planning_pilots.Beside, pilots: int) -> Cell:
    """How often the range by what a pilot alone shows, beside given values, holds the need."""
    true, share, ranged = planning_pilots.held_beside(p, pilots)
    words = f"{p.words}, pilots of {p.n} ({ranged:.0%} with a range)"
    return Cell(RANGE_BESIDE, words, p.mean, int(true), int(true), 0.05, share)


def range_far_apart(p: planning_pilots.FarApart, pilots: int) -> Cell:
    """How often the range that a pilot of models far apart leaves open holds the need."""
    true, share, ranged = planning_pilots.held_far_apart(p, pilots)
    words = f"{p.words} ({ranged:.0%} with a range)"
    return Cell(RANGE_FAR_APART, words, p.means[0], int(true), int(true), 0.04, share)


def ranges(d: Design, repeats: int) -> Cell:
    """How often the range of questions that a pilot prints holds the number that is needed."""
    from reportkit.analysis.planning.answers import need_of
    from reportkit.analysis.planning.ground import ground_of
    from reportkit.analysis.planning.pilot import pilot_of
    from reportkit.analysis.planning.work import work_of
    from reportkit.decisions import Decisions
    from reportkit.plans import Asked

    effect = 0.05 if d.bounded else 0.2
    base = expected_design(expected(d, truth(d)), d.epochs, d.epochs)
    need = float(times_needed(base, effect, Plan())[0]) * KNOWN
    rng, hits, made = d.generator(6), 0, 0
    for scores in np.moveaxis(raw(d, repeats, rng), 1, 0):
        asked = Asked(difference=effect)
        pilot = pilot_of(frame(d, scores), Decisions())
        found = need_of(work_of(asked, ground_of(asked, pilot)), effect)
        if found.low == found.low:
            made, hits = made + 1, hits + (found.low <= need <= found.high)
    return Cell(f"range: {d.family}", d.words, d.mean, d.n, d.clusters, effect, hits / made)


def beside_together() -> Iterator[tuple[Design, tuple[str, ...], int, float]]:
    """Pilots in clusters and of several answers; the values that are given beside them, the models
    that they hold, and the answers that are planned.
    """
    for mean in (0.6, 0.85):
        for scores, k, sizes in (
            ("binary", 1, (5,) * 12), ("binary", 1, (10,) * 20), ("binary", 1, (5,) * 50),
            ("binary", 4, (40,)), ("binary", 4, (120,)), ("binary", 2, (120,)),
            ("binary", 4, (5,) * 20), ("beta", 1, (5,) * 12), ("beta", 1, (10,) * 20),
        ):  # fmt: skip
            d = Design("", sizes, mean, scores, k, 1.0, 0.5, 0.8 * (len(sizes) > 1), 0.3,
                       words=f"{scores}, {k} answers")  # fmt: skip
            alike = ("icc", "icc_scores") * d.clustered
            for given, models in (
                (("mean",), 2),
                (("correlation",), 2),
                (("correlation", *alike), 1),
            ):
                for planned in sorted({1, k, 4 * k * (k > 1)} - {0}):
                    yield d, given, models, float(planned)


def range_together(
    d: Design, given: tuple[str, ...], models: int, epochs: float, pilots: int
) -> Cell:
    """How often the range by what a pilot shows beside given values, which are the true ones, holds
    what the truth needs.
    """
    t, kind = truth(d), "right-or-wrong" if d.scores == "binary" else "shares"
    size = d.n / d.clusters if d.clustered else 1.0
    true = {"mean": d.mean, "correlation": t.correlation, "noise": t.noise, "cluster_size": size}
    true |= {"icc": t.icc, "icc_scores": t.icc_scores} if d.clustered else {}
    true |= {} if kind == "right-or-wrong" else {"spread": math.sqrt(t.variance)}
    said = {"difference": 0.05, "epochs": epochs}
    needed = planning_pilots.need(None, "paired", answers=kind, **true, **said).questions
    values = {name: true[name] for name in given}
    hits, drawn, rng = [], 0, d.generator(29)
    for scores in np.moveaxis(raw(d, pilots, rng), 1, 0):
        drawn += 1
        rows = frame(d, scores)
        try:
            found = planning_pilots.need(
                rows[rows["model"].isin(list("AB"[:models]))], "paired", **values, **said
            )
        except PlanError:
            continue
        if found.low == found.low:
            hits.append(found.low <= needed <= found.high)
    words = f"{d.words}, {models} of a pilot, {' and '.join(given)} given, {epochs:g} planned"
    words += f" ({len(hits) / drawn:.0%} with a range)"
    return Cell(RANGE_TOGETHER, words, d.mean, d.n, d.clusters, 0.05, float(np.mean(hits)))


def frame(d: Design, scores: np.ndarray):
    """A pilot of two models as scores; answers of one question are drawn from its share."""
    import pandas as pd

    n = scores.shape[1]
    clusters = np.repeat(np.arange(d.clusters), d.n // d.clusters) if d.clustered else None
    rows = []
    for model, s in zip("AB", scores, strict=True):
        right = np.rint(s * d.epochs).astype(int)
        for k in range(d.epochs):
            score = s if d.epochs == 1 else (k < right).astype(float)
            own = {"model": model, "question_id": np.arange(n).astype(str), "score": score}
            own |= {"epoch": k + 1} | ({} if clusters is None else {"cluster_id": clusters})
            rows.append(pd.DataFrame(own))
    return pd.concat(rows)


def within(d: Design, repeats: int, power: float, name: str) -> Cell:
    """Two models alike, and the share of evals that show it."""
    margin = 0.06 if d.bounded else 0.25
    pair = expected(d, truth(d))
    total = pair.clustered_variance(d.epochs, d.epochs)
    size = d.n / d.clusters if d.clustered else 1.0
    units = units_needed(margin, total, size, level=0.9, power=power)
    of = replace(d, sizes=(round(size),) * units.clusters if d.clustered else (units.questions,))
    arrays = draw(of, 0.0, repeats, of.generator(8)).arrays
    bound = scipy_stats.t.ppf(0.95, arrays.df) * arrays.se
    shown = arrays.value - bound > -margin
    if name == "equivalence":
        shown &= arrays.value + bound < margin
    return Cell(name, f"{d.family}, {d.words}", d.mean, of.n, of.clusters, margin, shown.mean())


# The page -----------------------------------------------------------------------------------------


def table(cells: list[Cell]) -> list[str]:
    lines = ["| family | cells | planned | lowest | median | highest | outside |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for family in dict.fromkeys(c.family for c in cells):
        of = [c for c in cells if c.family == family]
        powers = np.array([c.power for c in of if not math.isnan(c.power)])
        if len(powers):
            outside = int(((powers < LOW) | (powers > HIGH)).sum())
            ends = f"{powers.min():.3f} | {np.median(powers):.3f} | {powers.max():.3f}"
            lines.append(f"| {family} | {len(of)} | {len(powers)} | {ends} | {outside} |")
    return lines


def listed(cells: list[Cell]) -> list[str]:
    lines = ["| family | design | mean | questions | clusters | difference | power |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    return lines + [
        f"| {c.family} | {c.design} | {c.mean:g} | {c.questions:,} | {c.clusters:,} | "
        f"{c.difference:.4f} | {c.power:.3f} |"
        for c in cells
    ]


def page(cells: list[Cell], run: str) -> str:
    plain = [c for c in cells if c.family not in WITHIN and not c.family.startswith("range")]
    out = [c for c in plain if c.power < LOW or c.power > HIGH]
    return "\n".join(
        [
            "# Is a planned power delivered?", "",
            "`make planning` tells the planner what an author could know of a law of scores (mean, "
            "variance, correlation, share of answer noise, ICC), exactly as the law has it. It "
            "then plans at 80% power, draws evals of the planned size in which the models differ "
            "by the planned difference, and counts how often the report's own test finds it. No "
            "law is the planner's own: questions are logistic or of two kinds, scores are Beta, "
            f"probabilities, or right in part. {run}", "",
            f"Bounds: {LOW:.2f} to {HIGH:.2f}. Not planned are fewer than 30 questions, 8 clusters "
            f"({LEAST_NEAR} where the expected score is within 0.05 of an end) and, unpaired, 4 "
            "wrong answers of the better model; of several answers, 10 questions on which the "
            "models are expected to differ (in clusters near an end of the scale alone, and 20 "
            "where answers to a question are nearly all alike); and differences of more than "
            "twice what the expected score leaves to the end of the scale, in clusters, or 0.7 "
            "times that, of scores in part without clusters: a larger one is planned as that. "
            "Against a published mean, fewer than 20 of its questions in effect that show what "
            "is lost (30 clusters of right or wrong answers), or than 40 of ours (25 of several "
            "right or wrong answers without clusters).",
            "",
            *table(plain), "",
            "## Equivalence and non-inferiority", "",
            "Two models alike; the share of evals in which it is shown.", "",
            *table([c for c in cells if c.family in WITHIN]), "",
            "## The range that a pilot leaves open", "",
            "The share of pilots whose printed range of questions (95%) holds the number that the "
            "truth needs.", "",
            *listed([c for c in cells if c.family.startswith("range")]), "",
            f"## The {len(out)} cells outside", "",
            *listed(out), "",
        ]
    )  # fmt: skip


WITHIN = ("equivalence", "non-inferiority")


def jobs(repeats: int, pilots: int) -> Iterator[tuple[str, object]]:
    for d in designs():
        yield d.family, lambda d=d: delivered(d, repeats)
    for n in (50, 100, 200, 1000):
        for mean in (0.5, 0.7, 0.9, 0.97):
            yield "0/1, unpaired", lambda n=n, mean=mean: unpaired(n, mean, repeats)
    for p in planning_pilots.designs():
        yield FROM_PILOTS, lambda p=p: from_pilot(p, pilots, repeats)
    for p in planning_pilots.against_published():
        yield ONE_FROM_PILOTS, lambda p=p: from_pilot(p, pilots, repeats)
    for p in planning_pilots.published():
        for sign in (0,) if p.law.binary else (-1, 1):
            yield (
                one_model_family(p),
                lambda p=p, sign=sign: one_model(p, max(1, repeats // 4), sign),
            )
    some = [
        Design("0/1", (500,), 0.7, "binary", 1, 1.0, words="difficulty 1"),
        Design("0/1", (500,), 0.95, "binary", 1, 1.0, words="difficulty 1"),
        Design("fractional", (500,), 0.8, "beta", 1, 1.0, 0.5, words="Beta, 4"),
        Design("0/1, 4 answers", (500,), 0.7, "binary", 4, 1.5, 0.5, words="4 answers"),
        Design(
            "0/1 in clusters", (10,) * 30, 0.7, "binary", 1, 1.0, 0.5, 0.8, 0.5, words="10 each"
        ),
    ]
    for d in some:
        yield "equivalence", lambda d=d: within(d, repeats, 0.9, "equivalence")
        yield "non-inferiority", lambda d=d: within(d, repeats, 0.8, "non-inferiority")
    for d in some:
        for n in (50, 200):
            sizes = (10,) * (n // 10) if d.clustered else (n,)
            of = replace(d, sizes=sizes)
            if d.mean < 0.9:
                yield f"range: {d.family}", lambda of=of: ranges(of, pilots)
    for n, mean in ((60, 0.9), (250, 0.9), (100, 0.8), (80, 0.1), (380, 0.96)):
        for r in (0.05, 0.2):
            of = Design("0/1, low correlation", (n,), mean, "binary", 1, rasch_spread(mean, r),
                        words=f"correlation {r:g}")  # fmt: skip
            yield f"range: {of.family}", lambda of=of: ranges(of, pilots)

    for p in planning_pilots.far_apart():
        yield RANGE_FAR_APART, lambda p=p: range_far_apart(p, pilots)
    for p in planning_pilots.ranges():
        yield RANGE_AGAINST, lambda p=p: range_against(p, pilots)
    for p in planning_pilots.beside():
        yield RANGE_BESIDE, lambda p=p: range_beside(p, pilots)
    for of in beside_together():
        yield RANGE_TOGETHER, lambda of=of: range_together(*of, pilots)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=20_000)
    parser.add_argument("--pilots", type=int, default=400)
    parser.add_argument("--only", default="", help="part of a family's name")
    given = parser.parse_args()
    cells, start = [], time.process_time()
    asked = list(jobs(given.repeats, given.pilots))
    families = list(dict.fromkeys(family for family, _ in asked))
    if not any(given.only in family for family in families):
        parser.error(f"--only {given.only!r} is part of none of: {'; '.join(families)}")
    for family, run in asked:
        if given.only in family:
            cell = run()  # type: ignore[operator]
            cells.append(cell)
            print(cell.family, cell.design, f"mean {cell.mean:g}, n {cell.questions}",
                  f"clusters {cell.clusters}", f"difference {cell.difference:.4f}",
                  f"power {cell.power:.3f}", sep=" | ", flush=True)  # fmt: skip
    took = (time.process_time() - start) / 60.0
    error = math.sqrt(0.16 / given.repeats)
    print(f"{took:.0f} minutes")
    run = f"This run: {given.repeats:,} evals for each cell, a simulation error of {error:.3f}."
    if not given.only:
        (HERE / "planning.md").write_text(page(cells, run), encoding="utf-8")


if __name__ == "__main__":
    main()
