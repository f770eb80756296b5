"""Scores one eval at a time: from scores folders each eval is loaded when it is asked for, logs,
tables and DataFrames are read once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from reportkit.decisions import Decisions
from reportkit.decisions.ranges import ranges_of
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.inputs.sources import is_store
from reportkit.loading import store
from reportkit.loading.declared import LATER
from reportkit.loading.policies import named_evals, told_together
from reportkit.loading.read import load_scores
from reportkit.loading.reading import Reading, from_its_logs
from reportkit.scores.frames import NAME, scores_of, with_source
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores
from reportkit.scores.select import metrics_there, split_names, validate
from reportkit.text.numbers import count

MOST_UNREAD = 3  # files that an error names
MOST_EVALS = 1000  # each is a report: more are a column that holds something else


@dataclass(slots=True)
class Evals:
    """The evals of some sources. logged: the evals in the order of the rows, each with its name in
    the logs. models: all models.
    """

    sources: list[str]
    logged: dict[str, str]
    models: list[str]
    _whole: Scores | None
    _reading: Reading = Reading()
    _places: dict[str, slice | np.ndarray] = field(default_factory=dict)

    @property
    def evals(self) -> list[str]:
        return list(self.logged)

    @property
    def place(self) -> str:
        """What was read, for a message."""
        return ", ".join(map(str, self.sources)) or "the demonstration"

    def chosen(self, evals: str | Sequence[str]) -> list[str]:
        """The evals that are named, in a list or in a text with commas; all where none is."""
        names = split_names(evals, self._names())
        found = list(dict.fromkeys(e for name in names for e in self._meant(name))) or self.evals
        if len(found) > MOST_EVALS:
            raise ScoresError(
                f"{self.place} holds {count(len(found))} evals, such as {found[0]!r}; at most "
                f"{count(MOST_EVALS)} are taken at a time: name those that you want with --eval, "
                "or name the right column with --columns eval=NAME"
            )
        return found

    def decided(self, decisions: Decisions, eval: str) -> Decisions:
        """What is decided for an eval, under its own name or the name in its logs."""
        return decisions.of(eval, self.logged[eval])

    def check_evals(self, decided: Iterable[str]) -> None:
        """UnknownNameError where something is decided for an eval that there is not."""
        for name in decided:
            self._meant(name)

    def check_ranges(
        self, chosen: Sequence[str], decisions: Decisions, of_file: Decisions
    ) -> list[str]:
        """A sentence for each metric that has a range in reportkit.toml (of_file), and that none of
        the evals has: it may not have been read today. UnknownNameError where it is the command
        that names such a metric.
        """
        named, filed = (
            {m: None for e in chosen for m in ranges_of(self.decided(d, e).range) if m}
            for d in (decisions, of_file)
        )
        if not named:
            return []
        there = list(dict.fromkeys(m for e in chosen for m in metrics_there(self.of(e).rows)))
        said = {
            m: f"range: no metric {m!r} in any eval{did_you_mean(m, there)}"
            for m in named
            if m not in there
        }
        for metric, message in said.items():
            if metric not in filed:
                raise UnknownNameError(message)
        return list(said.values())

    def models_of(self, models: str | Sequence[str], baseline: str = "") -> list[str]:
        """The models that are named, as `chosen` the evals; UnknownNameError where one of them, or
        the baseline, is none.
        """
        wanted = split_names(models, self.models)
        aliases = self._reading.aliases or {}
        named = [*wanted, *filter(None, [baseline])]
        check_models(named, self.models, self.place, aliases)
        return wanted

    def _names(self) -> list[str]:
        return list(dict.fromkeys([*self.evals, *self.logged.values()]))

    def _meant(self, name: str) -> list[str]:
        """The eval of that name, or all that were split from it: by harness, version, arguments."""
        if name in self.evals:
            return [name]
        split = [e for e, logged in self.logged.items() if logged == name]
        if not split:
            told = f"no eval {name!r} in {self.place}{did_you_mean(name, self._names())}"
            raise UnknownNameError("\n".join([told, *self._unread()]))
        return split

    def _unread(self) -> list[str]:
        """The files that could not be read, which may hold an eval that is not there."""
        files = () if self._whole is None else self._whole.facts.unread
        more = [f"and {len(files) - MOST_UNREAD} more"] if len(files) > MOST_UNREAD else []
        told = [f"could not be read: {f.file}: {f.why}" for f in files[:MOST_UNREAD]]
        return [*told, *more]

    def of(self, eval: str) -> Scores:
        """The rows of one eval, and their facts. Raises as read_scores does."""
        if self._whole is None:
            return load_scores(self.sources, self._reading, [eval])
        # Of all runs and decisions: what is left out may have been of this eval by another name.
        facts = replace(self._whole.facts, sources=self._whole.facts.of(eval).sources)
        self._places = self._places or _places(self._whole.rows)
        return Scores(self._whole.rows.iloc[self._places.get(eval, slice(0))], facts)

    def broken(self) -> set[str] | None:
        """The evals in which `validate` finds something, as they were read: of all at once, which
        takes no longer than of one. None where they are read one at a time.
        """
        return None if self._whole is None else {v.eval for v in validate(self._whole)}

    def files(self, eval: str) -> list[str]:
        """What to read for one eval: scores folders, or the files that hold anything of it, runs
        that do not count too.
        """
        if self._whole is None:
            return self.sources
        sources = self._whole.facts.sources
        logged = {name for s in sources if eval in s.evals for name in s.logged or s.evals}
        files = (s for s in sources if logged.intersection(s.logged or s.evals))
        return list(dict.fromkeys(s.within or s.path for s in files))


def _places(rows: pd.DataFrame) -> dict[str, slice | np.ndarray]:
    """Where the rows of each eval are; a slice costs no copy."""
    codes, evals = pd.factorize(rows["eval"])
    ends = np.cumsum(np.bincount(codes, minlength=len(evals)))
    found: dict[str, slice | np.ndarray] = {}
    for name, at in zip(evals, np.split(codes.argsort(kind="stable"), ends[:-1]), strict=True):
        together = len(at) and at[-1] - at[0] == len(at) - 1
        found[str(name)] = slice(at[0], at[-1] + 1) if together else at
    return found


def check_models(
    named: Iterable[str],
    there: Sequence[str],
    place: str = "any eval",
    aliases: Mapping[str, str] | None = None,
) -> None:
    """UnknownNameError where a named model is not there. aliases: what was renamed, to what."""
    for name in named:
        if name not in there:
            renamed = (aliases or {}).get(name, "")
            if renamed in there:
                raise UnknownNameError(
                    f"no model {name!r} in {place} any more: it is renamed to {renamed!r}; "
                    "use this name"
                )
            raise UnknownNameError(f"no model {name!r} in {place}{did_you_mean(name, there)}")


def of_those_run(d: Decisions, models: Sequence[str], here: Collection[str]) -> Decisions | None:
    """What is decided for an eval, of the models that were run on it alone: those of the named ones
    that are here, no baseline where it is not. None where models are named and none is here.
    """
    if d.baseline and d.baseline not in here:
        d = replace(d, baseline="")
    left = tuple(m for m in models if m in here)
    if models and not left:
        return None
    return replace(d, models=left) if len(left) < len(models) else d


def check_baseline(scores: Scores, eval: str, baseline: str) -> None:
    """UnknownNameError where an eval has no rows of the baseline."""
    if baseline and not (scores.rows["model"] == baseline).any():
        raise UnknownNameError(f"eval {eval!r}: no model {baseline!r} to be the baseline")


def open_scores(
    sources: "Sequence[str] | pd.DataFrame | Scores", reading: Reading | None = None
) -> Evals:
    """Sources as read_scores takes them, or a DataFrame or Scores; none: the demonstration. What is
    skipped is reported once, however many evals are read.

    A metric or a field that is decided is left to the analysis, and with the metric its range: a
    file of an eval that nobody asks for need not have it.
    """
    if is_frame(sources):
        return _of_scores([NAME], with_source(scores_of(sources)))
    reading = reading or Reading()
    asked = reading.decisions.eval
    reading = _once(replace(reading, decisions=reading.decisions.without(*LATER)))
    if not sources:
        from reportkit.loading.demo import demo_scores

        return _of_scores([], scores_of(demo_scores()))
    if all(is_store(s) for s in sources):
        return _of_stores(sources, reading)
    return _of_scores(sources, _read(sources, reading, asked), reading)


def _read(sources: Sequence[str], reading: Reading, asked: str | Sequence[str]) -> Scores:
    """All scores of the sources. Where several runs of a model could count and nobody waits to hear
    of it, a ScoresError; of evals that are not asked for, such a model is left out.
    """
    if reading.undecided is not None:
        return load_scores(sources, reading)
    waiting: list[tuple[str, str]] = []
    reading = replace(reading, undecided=lambda name, why: waiting.append((name, why)))
    scores = load_scores(sources, reading)
    evals = split_names(asked, [*scores.evals, *(name for name, _ in waiting)])
    mine = [why for name, why in waiting if not evals or name in evals]
    if mine:
        raise ScoresError(told_together(mine))
    return scores


def _of_scores(sources: Sequence[str], scores: Scores, reading: Reading | None = None) -> Evals:
    names = {r.eval: r.logged_eval or r.eval for r in scores.facts.runs}
    logged = {e: names.get(e, e) for e in scores.evals}
    models = list(scores.rows["model"].unique())
    return Evals(list(sources), logged, models, scores, reading or Reading())


def _of_stores(folders: Sequence[str], reading: Reading) -> Evals:
    """Scores folders: what they list is known without their rows."""
    aliases = reading.aliases or {}
    listed = (e for s in folders for e in store.held(s)[0])
    entries = [e for e in listed if from_its_logs(reading.logs or {}, e.run.eval, e.source)]
    entries.sort(key=lambda e: not e.table)
    named = named_evals([e.run for e in entries if not e.table], aliases)
    logged = {e.run.eval: e.run.eval for e in entries if e.table}
    logged |= {name: run.eval for name, run in named}
    models = [e.run.model if e.table else aliases.get(e.run.model, e.run.model) for e in entries]
    return Evals(list(folders), logged, list(dict.fromkeys(models)), None, reading)


def _once(reading: Reading) -> Reading:
    """A reading that reports each skipped file once."""
    reported: set[tuple[str, str]] = set()

    def skipped(path: str, why: str) -> None:
        if (path, why) not in reported:
            reported.add((path, why))
            reading.skipped(path, why)

    return replace(reading, skipped=skipped)
