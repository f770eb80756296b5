"""Designs of a basis changed into others: of other clusters, another variance, or one published
mean; and many as one.
"""

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from reportkit.analysis.planning.reasons import Reason, few_published
from reportkit.stats.intervals import z_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.against import (
    LEAST_RIGHT_PUBLISHED,
    clusters_of_right,
    in_effect,
    several_right,
    strictness,
)
from reportkit.stats.planning.alternative import shown_when
from reportkit.stats.planning.certainty import normal_seen_df
from reportkit.stats.planning.clusters import clusters_needed
from reportkit.stats.planning.detectable import MCNEMAR
from reportkit.stats.planning.expected import KNOWN, known

# Published questions (or clusters) in effect that show what is lost, or won: with fewer, another
# law of the same mean and variance moves the power by more than 0.02.
LEAST_PUBLISHED = 20.0


def with_published(
    d: PairDesigns,
    variance: float,
    questions: float,
    cluster_size: float,
    se: float = math.nan,
    level: float = 0.95,
) -> PairDesigns | Reason:
    """A design of both models as one against a published mean of so many questions. variance: n
    SE^2 of that one in the design. se: that of the published mean, where it is known; the rest of
    the design is then that of our model where it differs, nearer to the middle of the scale if it
    varies more. level: of the test; of several answers, a higher one asks more of both means.
    """
    clusters = float(clusters_needed(questions, cluster_size))
    if not clusters > 1.0:
        return Reason("the published mean rests on too few questions or clusters for a test")
    of_one = (variance / questions if math.isnan(se) else se**2) * clusters
    shown = clusters * float(in_effect(d.mean_b[0], of_one))
    told = d.bounded[0] and not math.isnan(se)
    least = LEAST_PUBLISHED if told else 0.0
    if clusters_of_right(d)[0]:
        least = LEAST_RIGHT_PUBLISHED
    elif several_right(d)[0]:
        d = replace(d, strict=np.full(1, strictness(level)))
        least = LEAST_PUBLISHED * strictness(level)
    if shown < least * (1.0 - 1e-9):
        return _few(float(d.mean_b[0]), questions, cluster_size, shown, least, told=told)
    if se == se:
        told = questions * se**2
        moved = np.full(1, 1.0 if variance >= told else -1.0)
        d = replace(d, se=np.sqrt(d.se**2 + (told - variance) / d.n), moved=moved)
        variance = told
    values = (("fixed", variance), ("fixed_n", questions), ("fixed_df", clusters - 1.0))
    return replace(d, **{name: np.array([value]) for name, value in values})


def _few(
    mean: float, questions: float, cluster_size: float, shown: float, least: float, *, told: bool
) -> Reason:
    units = "clusters" if cluster_size > 1.0 else "questions"
    units += " with " + "partly " * told + ("wrong" if mean >= 0.5 else "right") + " answers"
    alone = math.isclose(shown, questions * min(mean, 1.0 - mean), rel_tol=1e-9)
    return few_published(shown, least, units, counted=alone)


def in_clusters(d: PairDesigns, size: float) -> PairDesigns:
    """The pilot as if its questions lay in clusters of this size."""
    clusters = d.n / size
    grouped = size > 1.0
    method = d.method
    if grouped:
        method = np.where(method == MCNEMAR, "tango-effective", method)
    # of 0/1 scores a question tells the models apart or does not
    part = np.where(np.isnan(d.shown), d.apart, d.shown / d.clusters)
    shown = clusters / (1.0 + (1.0 / np.maximum(part, 1e-9) - 1.0) / size)
    if d.worth is not None:
        shown = part * clusters
    worth = clusters if grouped else None
    df = clusters - 1.0
    if d.separate[0]:  # of both models together
        df, worth = df * d.df / (d.clusters - 1.0), None
    # the variance is as well known as it was
    return replace(d, clusters=clusters, df=df, method=method, shown=shown, worth=worth,
                   alike=clusters if grouped else None,
                   seen_df=d.df if grouped else None)  # fmt: skip


def scaled(d: PairDesigns, factor: float, *, single: bool = True) -> PairDesigns:
    """The design with so many times the variance. single: the same answers to each question, else
    0/1 answers become means of several.
    """
    if single and d.method[0] == MCNEMAR:
        return with_discordance(d, factor)
    changed = replace(d, se=d.se * math.sqrt(factor), alone=d.alone * factor)
    if d.fixed is not None:
        changed = replace(changed, fixed=d.fixed * factor)
    if not single:
        binary = np.zeros(len(d), dtype=bool)
        method = np.where(d.method == MCNEMAR, "tango-effective", d.method)
        shown = np.where(np.isnan(d.shown), d.n * d.apart, d.shown)
        changed = replace(changed, binary=binary, method=method, shown=shown)
    return changed


def with_discordance(d: PairDesigns, factor: float) -> PairDesigns:
    """0/1 scores of which so many times the share tell the two models apart; in clusters that are
    as alike as before. Without clusters nothing else makes the variance. Where these are then more
    than both models' wrong answers, or right ones, both means are as much nearer to the middle as
    it takes: with the means kept, the upper ends of pilots held what the truth needs in 0.62 to
    0.77 (60 questions, means of 0.9).
    """
    a, b, alone = d.mean_a, d.mean_b, d.method == MCNEMAR
    wrong = np.minimum(a + b, 2.0 - a - b)
    apart = np.clip(factor * d.apart, np.abs(a - b) + 1e-9, np.where(alone, 1.0, wrong))
    lacking = np.maximum(apart - wrong, 0.0) / 2.0
    nearer = np.where(a + b > 1.0, -lacking, lacking)
    a, b = a + nearer, b + nearer
    spread = np.sqrt(a * (1.0 - a) * b * (1.0 - b))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = ((a + b - apart) / 2.0 - a * b) / spread
    correlation = np.where(spread > 0.0, correlation, math.nan)  # not 1e-17 / 0
    times = np.where(alone, apart / d.apart, factor)
    return replace(d, mean_a=a, mean_b=b, correlation=correlation, apart=apart,
                   se=d.se * np.sqrt(times), alone=d.alone * times,
                   shown=shown_when(d, apart))  # fmt: skip


def certain(d: PairDesigns, factor: float = 1.0) -> PairDesigns:
    """The design as if its variance were known, and so many times what it is. The variance of 0/1
    scores errs with the number of questions that tell the two models apart.
    """
    design = d = _alike(d)
    if factor != 1.0:
        by_questions = d.binary[0] and not d.separate[0]
        design = with_discordance(d, factor) if by_questions else scaled(d, factor)
    return known(design) if float(d.n[0]) < KNOWN else design


def _alike(d: PairDesigns) -> PairDesigns:
    """0/1 scores of two models that are not significantly apart, with their joint mean each: with
    a variance that is known they would be, whatever little they are apart.
    """
    lead = np.abs(d.mean_a - d.mean_b)
    alike = d.binary & ~d.separate & (lead <= z_quantile(0.95) * d.se)
    joint = (d.mean_a + d.mean_b) / 2.0
    a, b = (np.where(alike, joint, mean) for mean in (d.mean_a, d.mean_b))
    return replace(d, mean_a=a, mean_b=b)


_NONE = {
    "left": np.ones(1), "more": np.ones(1), "answers": np.ones(1), "within": np.full(1, math.nan),
    "low": np.full(1, math.nan), "high": np.full(1, math.nan), "fixed": np.full(1, math.nan),
    "fixed_n": np.full(1, math.nan), "fixed_df": np.full(1, math.nan), "own": np.zeros(1, bool),
    "moved": np.full(1, math.nan), "strict": np.ones(1),
}  # fmt: skip


def _none_of(d: PairDesigns) -> dict[str, np.ndarray]:
    return {**_NONE, "seen_df": normal_seen_df(d)}


def joined(designs: Sequence[PairDesigns]) -> PairDesigns:
    """Designs of one basis, one after the other, so that one search solves all."""
    found: dict[str, Any] = {}
    for f in fields(PairDesigns):
        parts = [getattr(d, f.name) for d in designs]
        found[f.name] = None
        if any(part is not None for part in parts):
            # what None stands for: all of it, not known, and as many clusters as there are
            whole = [_none_of(d).get(f.name, d.clusters) for d in designs]
            filled = [w if v is None else v for v, w in zip(parts, whole, strict=True)]
            found[f.name] = np.concatenate(filled)
    return PairDesigns(**found)
