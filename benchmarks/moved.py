"""How often a quiet night raises an alarm, and what is named when a model is really worse: the
comparison of two builds (analysis.moved), simulated. `make moved` writes moved.md.

A suite is drawn once: evals with questions of some difficulty, models with a strength of their
own. A night answers every question afresh, so that nothing has changed but the luck of sampling.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from reportkit import stats
from reportkit.analysis.moved import Comparison, compare
from reportkit.analysis.rounds import Answers, Known, Round

HERE = Path(__file__).parent
SEED = 13
DROP = 0.11
KINDS = ("0/1", "0/1, 4 answers", "graded", "0/1, clusters", "0/1, mostly fixed", "fixed", "judge")
SHARED = 0.7  # share of a cluster's luck that its questions have in common


@dataclass(frozen=True)
class Eval:
    """kind: of its scores. chances: (n, M) of a right answer; clusters: (n,) or None."""

    name: str
    kind: str
    chances: np.ndarray
    clusters: np.ndarray | None = None
    epochs: int = 1


@dataclass(frozen=True)
class Design:
    """A suite. sizes: questions of its evals, in turn; kinds: likewise. paired: the questions of
    the night before are known. epochs: answers in the second night, where they differ.
    """

    name: str
    evals: int = 60
    models: int = 20
    sizes: Sequence[int] = (40, 100, 164, 250, 500, 1000)
    kinds: Sequence[str] = KINDS
    paired: bool = True
    epochs: int = 0
    per_cluster: int = 5


DESIGNS = (
    Design("all kinds"),
    Design("0/1, one answer", kinds=("0/1",)),
    Design("0/1, 4 answers", kinds=("0/1, 4 answers",)),
    Design("graded from 0 to 1", kinds=("graded",)),
    Design("clusters of 5, luck shared", kinds=("0/1, clusters",)),
    Design("8 to 20 clusters, luck shared", kinds=("0/1, clusters",), sizes=(80, 120, 200),
           per_cluster=10),
    Design("few questions change", kinds=("0/1, mostly fixed", "fixed")),
    Design("10 to 40 questions", sizes=(10, 20, 30, 40)),
    Design("judge from 1 to 10, no range", kinds=("judge",)),
    Design("4 answers after 1", kinds=("0/1",), epochs=4),
    Design("questions not known, 20 evals, 10 models", evals=20, models=10, paired=False,
           kinds=("0/1", "0/1, clusters"), sizes=(100, 250)),
    Design("5 evals, 4 models", evals=5, models=4),
)  # fmt: skip


def suite(design: Design, rng: np.random.Generator) -> list[Eval]:
    """The evals of a design: difficulty is shared by the models, and by a cluster's questions."""
    strength = rng.normal(0.0, 0.8, design.models)
    evals = []
    for k in range(design.evals):
        n = design.sizes[k % len(design.sizes)]
        kind = design.kinds[k % len(design.kinds)]
        hard = rng.normal(rng.uniform(-1.5, 1.0), 1.5, n)
        clusters = None
        if "clusters" in kind:
            clusters = np.arange(n) // design.per_cluster
            hard += rng.normal(0.0, 1.0, clusters.max() + 1)[clusters]
        own = rng.normal(0.0, 0.7, (n, design.models))
        chances = 1.0 / (1.0 + np.exp(hard[:, None] - strength - own))
        if kind == "fixed":  # temperature 0
            chances = np.round(chances)
        elif kind == "0/1, mostly fixed":
            chances = np.where(rng.random(chances.shape) < 0.03, chances, np.round(chances))
        evals.append(Eval(f"eval-{k:02d}", kind, chances, clusters, 4 if "4" in kind else 1))
    return evals


def answered(e: Eval, epochs: int, rng: np.random.Generator) -> Answers:
    """One night's question scores of an eval."""
    n, models = e.chances.shape
    shape = (epochs, n, models)
    if e.kind == "graded":
        scores = np.round(rng.beta(3.0 * e.chances + 0.05, 3.05 - 3.0 * e.chances, shape), 2)
    elif e.kind == "judge":
        scores = 1.0 + rng.binomial(9, e.chances, shape)
    elif e.clusters is not None:  # what a cluster's questions share is the same for all models
        luck = rng.random((epochs, e.clusters.max() + 1, 1))[:, e.clusters]
        own = rng.random(shape)
        scores = np.where(rng.random(shape) < SHARED, luck, own) < e.chances
    else:
        scores = rng.random(shape) < e.chances
    scores = scores.astype(float)
    spread = scores.var(axis=0, ddof=1) if epochs > 1 else np.full((n, models), np.nan)
    names = tuple(f"model-{m:02d}" for m in range(models))
    counts = np.full((n, models), epochs)
    return Answers(np.arange(n), names, scores.mean(axis=0), spread, counts, e.clusters)


def round_of(e: Eval, answers: Answers, paired: bool) -> Round:
    """A night's eval as a build has it: every model is compared with the first."""
    judged = e.kind == "judge"
    means, differences = {}, {}
    for m, name in enumerate(answers.models):
        if paired:  # the printed numbers are not used
            value = float(answers.means[:, m].mean())
            means[name] = Known(value, *(math.nan,) * 4, 0.95, len(answers.questions), 0)
            differences[name, answers.models[0]] = means[name]
            continue
        s = answers.means[:, m]
        own, ends = stats.mean_estimate(s, e.clusters), stats.mean_interval(s, e.clusters)
        means[name] = _known(own, ends)
        d = stats.paired_difference(s, answers.means[:, 0], e.clusters)
        differences[name, answers.models[0]] = _known(d.estimate, d.interval)
    del differences[answers.models[0], answers.models[0]]
    return Round(
        e.name, "score", answers.models, len(answers.questions), means, differences,
        answers if paired else None, percent=not judged, width=math.nan if judged else 1.0,
    )  # fmt: skip


def _known(of: stats.Estimate, ends: stats.Interval) -> Known:
    return Known(of.value, of.se, of.df, ends.low, ends.high, 0.95, of.n_questions, of.n_clusters)


def night(
    design: Design, evals: Sequence[Eval], rng: np.random.Generator, later: bool = False
) -> list[Round]:
    epochs = design.epochs if later else 0
    return [round_of(e, answered(e, epochs or e.epochs, rng), design.paired) for e in evals]


# What is counted ----------------------------------------------------------------------------------


@dataclass
class Count:
    """Nights, alarms of each kind, and what was looked for."""

    nights: int = 0
    any: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS_OF, 0))
    found: int = 0  # the model is named first
    alone: int = 0  # and nothing else is
    seconds: float = 0.0

    def share(self, n: int) -> str:
        p = n / self.nights
        return f"{p:.3f} ({math.sqrt(p * (1.0 - p) / self.nights):.3f})"


Both = tuple[Eval, Eval]  # before and after
KINDS_OF = ("model", "mean", "difference")


def quiet(design: Design, nights: int, seed: int) -> Count:
    """Nights on which nothing changed. The suite is drawn anew every 20 nights."""
    count = Count()
    rng = np.random.default_rng([SEED, seed])
    start = time.process_time()
    for k in range(nights):
        if k % 20 == 0:
            evals = suite(design, rng)
        _count(count, compare(night(design, evals, rng), night(design, evals, rng, True)))
    count.seconds = time.process_time() - start
    return count


def worse(
    design: Design, change: Callable[[Eval, int], Both], nights: int, seed: int, noisy: int = 2
) -> Count:
    """Nights on which model 7 is worse by 11 points; two evals are rerun, and the rest too."""
    count, rng = Count(), np.random.default_rng([SEED, 100 + seed])
    for k in range(nights):
        if k % 20 == 0:
            evals = suite(design, rng)
        both = [change(e, 7) for e in evals]
        old = night(design, [before for before, _ in both], rng)
        new = night(design, [after for _, after in both], rng, True)
        if noisy < len(evals):  # all other models answer all but two evals as they did
            kept = map(_only, old[noisy:], new[noisy:], [7] * (len(evals) - noisy))
            new = [*new[:noisy], *kept]
        found = compare(old, new)
        named = found.settled
        count.found += bool(named) and (named[0].kind, named[0].model) == ("model", "model-07")
        count.alone += [(m.kind, m.model) for m in named] == [("model", "model-07")]
        _count(count, found)
    return count


def _count(count: Count, found: Comparison) -> None:
    count.nights += 1
    count.any += bool(found.settled)
    for kind in KINDS_OF:
        count.kinds[kind] += any(m.kind == kind for m in found.settled)


def _only(old: Round, new: Round, model: int) -> Round:
    """The old round with the new answers of one model."""
    a, b = old.answers, new.answers
    parts = {}
    for name in ("means", "variances", "counts"):
        own = getattr(a, name).copy()
        own[:, model] = getattr(b, name)[:, model]
        parts[name] = own
    return replace(new, answers=replace(a, **parts))


def by_points(e: Eval, model: int) -> Both:
    """11 points off every chance, in evals whose chances leave room for it."""
    before = DROP + (1.0 - DROP) * e.chances
    after = before.copy()
    after[:, model] -= DROP
    return replace(e, chances=before), replace(e, chances=after)


def by_logits(e: Eval, model: int) -> Both:
    """11 points on average, more where the model is near one half and none where it is at 0."""
    p = e.chances[:, model]
    low, high = 0.0, 30.0
    target = min(DROP, 0.9 * float(p.mean()))
    with np.errstate(divide="ignore", over="ignore"):
        logit = np.log(p / (1.0 - p))
        for _ in range(40):
            shift = (low + high) / 2.0
            fell = float((p - 1.0 / (1.0 + np.exp(shift - logit))).mean())
            low, high = (shift, high) if fell < target else (low, shift)
        chances = e.chances.copy()
        chances[:, model] = 1.0 / (1.0 + np.exp(low - logit))
    return e, replace(e, chances=chances)


# The table ----------------------------------------------------------------------------------------

HEAD = """# What a comparison of two builds raises

Written by `make moved`. A suite of evals is drawn, every model answers every question, and answers
it afresh on the next night; the two nights are compared as two builds are (analysis.moved, alarms
at 5% over the suite). The simulation's standard error stands behind each share. {evals} evals of
{models} models with 40 to 1,000 questions each, where nothing else is said. A model's average
change, single means, and differences to a baseline are tested: {tests} tests a night.

## Quiet nights: nothing changed

An alarm of any kind may come on at most 5% of nights.

| answers | nights | any alarm | a model | a mean | a difference | seconds a night |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
WORSE = """
## One model is worse by 11 points

Named first: the first alarm is the model over all evals. Alone: there is no other alarm; 2.5% of
nights may have another one by chance. In the first row the fall is the same on every question, and
the other models' answers are new on two evals only; in the second row on all; in the third row the
fall is 11 points on average of each eval, by a shift on the logit scale, so that hard questions
lose less.

| fall | nights | named first | alone |
| --- | ---: | ---: | ---: |
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--nights", type=int, default=400)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    first = DESIGNS[0]
    tests = first.models + first.evals * (2 * first.models - 1)
    lines = [HEAD.format(evals=first.evals, models=first.models, tests=f"{tests:,}")]
    for number, design in enumerate(DESIGNS):
        if args.only and args.only not in design.name:
            continue
        c = quiet(design, args.nights, number)
        shares = " | ".join(c.share(n) for n in (c.any, *c.kinds.values()))
        lines.append(f"| {design.name} | {c.nights} | {shares} | {c.seconds / c.nights:.1f} |\n")
        print(lines[-1], end="", flush=True)
    lines.append(WORSE)
    nights = max(args.nights // 4, 100)
    sampled = Design("sampled", kinds=("0/1", "0/1, 4 answers", "graded", "0/1, clusters"))
    rows = (
        ("everywhere the same, two evals new", by_points, 2),
        ("everywhere the same, all new", by_points, sampled.evals),
        ("on the logit scale, all new", by_logits, sampled.evals),
    )
    for number, (name, change, noisy) in enumerate(rows):
        if args.only and args.only not in name:
            continue
        c = worse(sampled, change, nights, number, noisy)
        lines.append(f"| {name} | {c.nights} | {c.share(c.found)} | {c.share(c.alone)} |\n")
        print(lines[-1], end="", flush=True)
    if not args.only:
        (HERE / "moved.md").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
