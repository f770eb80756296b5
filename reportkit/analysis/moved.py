"""What moved between two builds, and whether it is more than sampling allows: one correction over
the suite.

The chance of any alarm, if nothing changed, is at most alpha. It is shared in halves, and Holm's
adjustment spends each half. The first goes to the models: the average change of each over all
evals. The second goes to single means and differences. Where a model changed as a whole, its evals
are compared with its other evals, and are part of its alarm; so a model that fell everywhere is
one alarm. Where the change of a model is that of one eval alone, the eval is the alarm.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit.analysis.gone import Lost, NotRead, lost, names_of
from reportkit.analysis.rounds import Pair, Paired, Round, changed, paired
from reportkit.analysis.shared import named, repeated
from reportkit.record import Record
from reportkit.stats.changes import Change, overall_change
from reportkit.stats.multiplicity import holm

ALPHA = 0.05

# What a comparison says of a change.
SETTLED = "settled"  # an alarm: more than sampling allows
EXPLAINED = "explained"  # part of a settled change that is named elsewhere
OPEN = "open"  # sampling may be all there is
UNCHANGED = "unchanged"  # no question changed; not tested
UNTESTED = "untested"  # no standard error can be had


@dataclass(frozen=True, slots=True)
class Moved(Record):
    """One change: of a model over all evals, of a mean, or of a difference."""

    kind: str  # model, mean, difference
    eval: str  # empty: of a model over all evals
    metric: str
    model: str
    baseline: str  # of a difference
    old: float  # as the builds print it; nan of a model over all evals
    new: float
    change: float  # on the questions that both have; of a model the average over evals
    se: float
    n_evals: int
    n_questions: int
    paired: bool
    p_value: float
    p_adjusted: float  # over the suite; below alpha: more than sampling allows
    status: str
    worse: bool | None  # of a model or a mean that changed; None of others
    percent: bool  # the scores are shares
    explained_by: str = ""  # what names this change: "model" or "mean"
    beyond: bool = False  # differs from its model's other evals by more than sampling allows
    alone: str = ""  # of a model: the eval that makes its change alone
    # of a model: those that its change is of, the one that changed most of its scale first
    evals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    """All that moved from an old build to a new one."""

    models: tuple[Moved, ...]
    means: tuple[Moved, ...]
    differences: tuple[Moved, ...]
    new_evals: tuple[str, ...]
    gone_evals: tuple[str, ...]
    new_models: tuple[Pair, ...]  # eval, model
    gone_models: tuple[Pair, ...]
    changed_evals: tuple[Pair, ...]  # eval, what changed beside the numbers
    lost: tuple[Lost, ...]  # models with fewer questions than before
    alpha: float
    not_read: tuple[NotRead, ...] = ()  # evals that are missing for that, and are not gone

    @property
    def all(self) -> tuple[Moved, ...]:
        return (*self.models, *self.means, *self.differences)

    @property
    def settled(self) -> list[Moved]:
        """The alarms: models first, the surest first."""
        order = {"model": 0, "mean": 1, "difference": 2}
        found = [m for m in self.all if m.status == SETTLED]
        return sorted(found, key=lambda m: (order[m.kind], m.p_value, -abs(m.change)))

    def parts(self, model: str) -> list[Moved]:
        """The means that a model's change is of, those that changed most of their scales first."""
        evals = next((m.evals for m in self.models if m.model == model), ())
        found = [m for m in self.means if m.model == model and m.eval in evals]
        return sorted(found, key=lambda m: evals.index(m.eval))

    @property
    def same(self) -> bool:
        """Whether no number and no name differs."""
        told = (self.new_evals, self.gone_evals, self.new_models, self.gone_models,
                self.changed_evals, self.lost, self.not_read)  # fmt: skip
        return not any(told) and all(m.status == UNCHANGED for m in self.all)


def compare(old: Sequence[Round], new: Sequence[Round], alpha: float = ALPHA) -> Comparison:
    """What moved from the evals of one build to those of another.

    Evals are matched by name and metric, questions by id. A change is of the questions that both
    builds have, or, where they are not known, of the printed means with their standard errors. What
    a model no longer answers is in no change: `lost` names it.
    """
    before = {r.key: r for r in old}
    tests = [_Tested.of(before[r.key], r) for r in new if r.key in before]
    means = [m for t in tests for m in t.means]
    again = _again([r for r in new if r.key in before])
    models = _models([m for m in means if m.record.eval not in again], alpha)
    means, differences = _singles(means, [d for t in tests for d in t.differences], models, alpha)
    models = [_attributed(m, means) for m in models]
    return Comparison(
        tuple(m.record for m in models),
        tuple(m.record for m in means),
        tuple(_explained(d.record, models, means) for d in differences),
        *names_of(old, new),
        lost(old, new),
        alpha,
    )


def _again(new: Sequence[Round]) -> Collection[str]:
    """The evals whose questions stand in others too: a group beside its subtasks, or a subtask
    where only some are there. They are in no average over evals, which takes them as independent.
    """
    names = {r.eval: r.subtasks or (r.eval,) for r in new}
    groups = [r.eval for r in new if r.subtasks]
    return repeated({e: named(parts) for e, parts in names.items()}, groups)


@dataclass(frozen=True, slots=True)
class _Test:
    """A change as a record for readers and as numbers for the next step. factor: what brings it to
    a share of its scale where higher is better; nan without a scale.
    """

    record: Moved
    change: Change
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class _Tested:
    """The changes of one eval."""

    means: list[_Test]
    differences: list[_Test]

    @classmethod
    def of(cls, old: Round, new: Round) -> "_Tested":
        pairs = paired(old, new)
        means = [_tested(old, new, pairs, (m, "")) for m in new.models if m in old.models]
        both = [names for names in new.differences if set(names) <= set(old.models)]
        return cls(means, [_tested(old, new, pairs, names) for names in both])


def _tested(old: Round, new: Round, pairs: Paired | None, names: Pair) -> _Test:
    change, is_paired = changed(old, new, pairs, names)
    model, baseline = names
    before, after = (
        (r.differences.get(names) if baseline else r.means.get(model)) for r in (old, new)
    )
    sign = -1.0 if new.lower else 1.0
    e = change.estimate
    worse = None if baseline or not e.value else e.value * sign < 0.0
    status = OPEN
    if e.value == 0.0 and (change.null_se == 0.0 or not is_paired):
        status = UNCHANGED
    elif not change.null_se > 0.0:
        status = UNTESTED
    p_value = math.nan if status == UNCHANGED else change.p_value
    record = Moved(
        "difference" if baseline else "mean", new.eval, new.metric, model, baseline,
        before.value if before else math.nan, after.value if after else math.nan,
        e.value, e.se, 1, e.n_questions, is_paired, p_value, math.nan, status, worse, new.percent,
    )  # fmt: skip
    return _Test(record, change, sign / new.width)


# Models over all evals ----------------------------------------------------------------------------


def _models(means: Sequence[_Test], alpha: float) -> list[_Test]:
    """The line of each model that has two evals or more; those that changed as a whole are settled,
    and so are those whose change one eval makes (`alone` names it).
    """
    names = dict.fromkeys(t.record.model for t in means)
    found = [_line(name, parts) for name in names if len(parts := _parts(name, means)) > 1]
    without = holm(np.array([_without_most(m, _parts(m.record.model, means)) for m in found]))
    adjusted = holm(np.array([m.record.p_value for m in found]))
    lines = []
    for m, p, p_rest in zip(found, np.minimum(1.0, 2.0 * adjusted), 2.0 * without, strict=True):
        record = replace(m.record, p_adjusted=float(p))
        if p < alpha:
            record = replace(record, status=SETTLED)
            if not p_rest < alpha:
                most = _most(m, _parts(record.model, means))
                record = replace(record, alone=most.record.eval)
        lines.append(replace(m, record=record))
    return lines


def _parts(model: str, means: Sequence[_Test]) -> list[_Test]:
    """The changes of a model's means that have a scale and a standard error."""
    return [
        t
        for t in means
        if t.record.model == model and t.factor == t.factor and t.record.status != UNTESTED
    ]


def _overall(parts: Sequence[_Test]) -> Change:
    return overall_change([t.change for t in parts], [t.factor for t in parts])


def _line(model: str, parts: Sequence[_Test]) -> _Test:
    change = _overall(parts)
    e = change.estimate
    nothing = all(t.record.status == UNCHANGED for t in parts)
    most = sorted(parts, key=lambda t: -abs(t.change.estimate.value * t.factor))
    record = Moved(
        "model", "", "", model, "", math.nan, math.nan, e.value, e.se, len(parts), e.n_questions,
        all(t.record.paired for t in parts), math.nan if nothing else change.p_value, math.nan,
        UNCHANGED if nothing else OPEN, e.value < 0.0 if e.value else None, True,
        evals=tuple(t.record.eval for t in most),
    )  # fmt: skip
    return _Test(record, change)


def _most(line: _Test, parts: Sequence[_Test]) -> _Test:
    """The eval that does most for its model's change."""
    sign = math.copysign(1.0, line.record.change)
    return max(parts, key=lambda t: t.change.estimate.value * t.factor * sign)


def _without_most(line: _Test, parts: Sequence[_Test]) -> float:
    """The p-value of a model's change without the eval that does most for it, where the rest goes
    the same way; never below that with it.
    """
    if line.record.status == UNCHANGED:
        return math.nan
    most = _most(line, parts)
    rest = _overall([t for t in parts if t is not most])
    p = rest.p_value
    if math.isnan(p) or rest.estimate.value * line.record.change <= 0.0:
        return 1.0
    return max(p, line.record.p_value)


# Single means and differences ---------------------------------------------------------------------


def _singles(
    means: Sequence[_Test], differences: Sequence[_Test], models: Sequence[_Test], alpha: float
) -> tuple[list[_Test], list[_Test]]:
    """Single changes with the p-values of their family. A mean of a model that changed as a whole
    has the p-value of its difference to the model's other evals.
    """
    whole = {m.record.model for m in models if m.record.status == SETTLED and not m.record.alone}
    tested = []
    for t in means:
        if t.record.model in whole and t.factor == t.factor and t.record.status == OPEN:
            rest = [o for o in _parts(t.record.model, means) if o is not t]
            p = _apart(t, _overall(rest))
            t = replace(t, record=replace(t.record, p_value=p, status=EXPLAINED))
        tested.append(t)
    everything = [*tested, *differences]
    adjusted = 2.0 * holm(np.array([t.record.p_value for t in everything]))
    done = [
        replace(t, record=_judged(t.record, float(np.minimum(1.0, p)), alpha))
        for t, p in zip(everything, adjusted, strict=True)
    ]
    return done[: len(tested)], done[len(tested) :]


def _apart(one: _Test, rest: Change) -> float:
    """The p-value of the difference of one eval's change to the average of its model's others."""
    back = 1.0 / one.factor
    turned = replace(
        rest,
        estimate=replace(rest.estimate, value=rest.estimate.value * back),
        null_se=rest.null_se * abs(back),
    )
    both = overall_change([one.change, turned], [2.0, -2.0])  # twice the average of two
    return both.p_value


def _judged(record: Moved, p: float, alpha: float) -> Moved:
    if math.isnan(p):
        return record
    record = replace(record, p_adjusted=p)
    if record.status == EXPLAINED:
        return replace(record, explained_by="model", beyond=p < alpha)
    return replace(record, status=SETTLED) if p < alpha else record


def _attributed(model: _Test, means: Sequence[_Test]) -> _Test:
    """A model's line, which is no alarm where it is the change of one eval that is one itself."""
    own = [t.record for t in means if t.record.model == model.record.model]
    if model.record.alone and any(m.status == SETTLED for m in own):
        return replace(model, record=replace(model.record, status=EXPLAINED, explained_by="mean"))
    return model


def _explained(d: Moved, models: Sequence[_Test], means: Sequence[_Test]) -> Moved:
    """A difference is no alarm where one of its models is named already."""
    if d.status != SETTLED:
        return d
    names = (d.model, d.baseline)
    if any(m.record.model in names and m.record.status == SETTLED for m in models):
        return replace(d, status=EXPLAINED, explained_by="model")
    here = (t.record for t in means if t.record.eval == d.eval and t.record.model in names)
    if any(m.status == SETTLED for m in here):
        return replace(d, status=EXPLAINED, explained_by="mean")
    return d
