"""What a build says of the build before it, and of a pinned one: the comparisons, the gate, the
page for CI.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, get_args

from reportkit.analysis.gone import NotRead
from reportkit.analysis.moved import Comparison, Moved, compare
from reportkit.analysis.rounds import Round
from reportkit.builds.job import FailOn, Summary
from reportkit.builds.rounds import (
    SUITE,
    Stored,
    call_gone,
    forget_questions,
    has_questions,
    keep_questions,
    open_build,
    read_from,
    rounds,
    stored,
    whole_path,
)
from reportkit.documents.moved import Told, told
from reportkit.errors import ReportkitError, UnknownNameError, did_you_mean
from reportkit.inputs.sources import told_apart
from reportkit.scores.select import EvalScores
from reportkit.text.numbers import counted

BEFORE = "the build before"


@dataclass(frozen=True, slots=True)
class Gate:
    """When a build ends with status 1 beside a failed report.

    fail_on: failure, no further; moved, a change that is more than sampling allows, or an eval, a
    model or many of a model's questions that are gone or could not be read, for what is not there
    cannot be seen to have moved; regression, such a change of a model or a mean for the worse.
    min_effect: changes smaller than this do not count, in the scores' own units (0.01 is a point of
    a percentage).
    """

    fail_on: FailOn = "failure"
    min_effect: float = 0.0

    def __post_init__(self) -> None:
        if self.fail_on not in get_args(FailOn):
            raise UnknownNameError(
                f"no gate {self.fail_on!r}{did_you_mean(self.fail_on, get_args(FailOn))}"
            )
        if not 0.0 <= self.min_effect < math.inf:
            raise UnknownNameError(
                f"min_effect = {self.min_effect} is no size of a change; give 0 or more"
            )

    def alarms(self, c: Comparison) -> list[Moved]:
        """The changes of a comparison for which the gate falls."""
        if self.fail_on == "failure":
            return []
        found = [*c.settled, *(m for m in c.means if m.beyond)]
        large = [m for m in found if abs(m.change) >= self.min_effect or self.meant_points(m)]
        return [m for m in large if self.fail_on == "moved" or m.worse]

    def meant_points(self, m: Moved) -> bool:
        """Whether min_effect is beyond what shares can change by, as 2 for 2 points: a gate that
        nothing can make fall would be silent for ever.
        """
        return m.percent and self.min_effect > 1.0

    def gone(self, c: Comparison) -> list[str]:
        """What is gone, by name, where the gate falls for it."""
        if self.fail_on != "moved":
            return []
        models = [f"{model} on {name}" for name, model in c.gone_models]
        questions = [
            f"{x.n_lost:,} of {counted(x.n_old, 'question')} of {x.model} on {x.eval} without a "
            "score now"
            for x in c.lost
            if x.matters
        ]
        not_read = [f"{x.eval} could not be read" for x in c.not_read]
        return [*not_read, *(f"{what} is gone" for what in (*c.gone_evals, *models)), *questions]


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison of a build: with what, and what moved."""

    against: str
    comparison: Comparison

    @property
    def told(self) -> Told:
        return told(self.comparison, self.against)


class Named(Protocol):
    """A job, of which only the folder's name is needed."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Before:
    """The folder before a build. rounds: of its reports that are built again, by their folders;
    there: its reports whose evals the sources have. gone: those whose evals they no longer have,
    which no build has told yet. not_read: evals that they lack because a file could not be read.
    """

    out: Path
    first: bool  # no report was there
    rounds: Mapping[str, Sequence[Round]]
    there: Sequence[Stored] = ()
    gone: Sequence[Stored] = ()
    not_read: Sequence[NotRead] = ()
    pinned: Sequence[Round] | None = None
    against: str = ""


def look_before(
    summary: Summary, jobs: Iterable[Named], evals: Collection[str] = (), against: str = ""
) -> Before:
    """What is in the folder before a build, for `look_after`.

    summary: of the build, with the files that it skipped: an eval from one of these is not gone.
    jobs: what is built. evals: all that the sources have, where all are built, so that others in
    the folder are gone. against: a pinned build; ScoresError where there is none.
    """
    out = summary.out
    pinned = open_build(against) if against else None
    reports, names = stored(out), {job.name for job in jobs}
    known = {r.name: rounds([r]) for r in reports if r.name in names}
    before = Before(out, not reports, known, pinned=pinned, against=against)
    if not evals:
        return before
    there = {r.name: r for r in reports if any(e["eval"] in evals for e in r.evals)}
    gone: list[Stored] = []
    not_read: list[NotRead] = []
    for r in reports:
        if r.name == SUITE or r.name in there or not has_questions(r.folder):
            continue
        missing = _not_read(r, summary.skipped)
        not_read += missing
        if not missing:
            gone.append(r)
    return replace(before, there=list(there.values()), gone=gone, not_read=not_read)


def _not_read(report: Stored, skipped: Mapping[str, str]) -> list[NotRead]:
    """The evals of a report, where a file that they were read from was skipped."""
    read, names = read_from(report.folder), told_apart(skipped)
    for path, why in skipped.items():
        if whole_path(path) in read:
            return [NotRead(e["eval"], names[path], why) for e in report.evals]
    return []


def look_after(
    before: Before,
    reports: Sequence[Stored],
    built: Sequence[str],
    scores: Callable[[str], Iterable[EvalScores]],
    read: Callable[[str], Iterable[str]] = lambda _folder: (),
) -> list[Compared]:
    """Compares the reports that were built with what they were, keeps their questions for the next
    build, and compares all reports of the folder with the pinned build.

    reports: of the folder, as they are now. built: folders of those that are new. scores, read: a
    report's evals, and the files that they were read from, by its folder.
    """
    evals = [name for name in built if name != SUITE]  # the suite has their numbers again
    for name in evals:
        _keep(before.out / name, scores, read)
    found = []
    if not before.first:
        then = [r for name in evals for r in before.rounds.get(name, ())] + rounds(before.gone)
        now = rounds(r for r in reports if r.name in evals)
        moved = replace(compare(then, now), not_read=tuple(before.not_read))
        found.append(Compared(BEFORE, moved))
    if before.pinned is not None:
        name = Path(before.against).name or before.against
        found.append(Compared(name, compare(before.pinned, rounds(reports))))
    for report in before.gone:  # told once
        call_gone(report.folder, True)
    for report in before.there:
        call_gone(report.folder, False)
    return found


def _keep(
    folder: Path,
    scores: Callable[[str], Iterable[EvalScores]],
    read: Callable[[str], Iterable[str]],
) -> None:
    try:
        keep_questions(folder, scores(folder.name), read(folder.name))
    except ReportkitError:  # of a notebook of the user's own, whose scores are not the build's
        forget_questions(folder)


def gate_falls(gate: Gate, compared: Sequence[Compared]) -> str:
    """Why the gate falls, in a sentence; empty where it does not."""
    found: list[str] = []
    advice = ""
    for c in compared:
        alarms = gate.alarms(c.comparison)
        if any(gate.meant_points(m) for m in alarms):
            points = f"write {gate.min_effect:g} points as {gate.min_effect / 100.0:g}"
            advice = f"; shares never change by {gate.min_effect:g} (--min-effect): {points}"
        found += [f"{_name(m)} against {c.against}" for m in alarms]
        found += gate.gone(c.comparison)
    if not found:
        return ""
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"--fail-on {gate.fail_on}: {', '.join(found[:3])}{more}{advice}"


def _name(m: Moved) -> str:
    pair = f"{m.model} − {m.baseline}" if m.baseline else m.model
    return f"{pair} on {m.eval}" if m.eval else pair
