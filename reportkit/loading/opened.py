"""Scores one eval at a time: from scores folders each eval is loaded when it is asked for, logs and
tables are read once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.inputs.sources import is_store
from reportkit.loading import store
from reportkit.loading.policies import named_evals
from reportkit.loading.read import from_its_logs, read_scores
from reportkit.scores.rows import RUNS, SOURCES, Told
from reportkit.scores.select import split_names


@dataclass(slots=True)
class Opened:
    """logged: all evals in the order of the rows, each with the name that its logs give it. models:
    all there are.
    """

    sources: list[str]
    logged: dict[str, str]
    models: list[str]
    _whole: pd.DataFrame | None
    _reading: dict[str, Any] = field(default_factory=dict)

    @property
    def evals(self) -> list[str]:
        return list(self.logged)

    @property
    def place(self) -> str:
        """What was read, for a message."""
        return ", ".join(map(str, self.sources)) or "the demonstration"

    def chosen(self, evals: str | Sequence[str]) -> list[str]:
        """The evals that are named, all where none is: a list, or a text of names between commas."""
        return (
            list(
                dict.fromkeys(
                    e for name in split_names(evals, self._names()) for e in self._meant(name)
                )
            )
            or self.evals
        )

    def decided(self, decisions: Decisions, eval: str) -> Decisions:
        """What is decided for an eval, under its own name or the name in its logs."""
        return decisions.of(eval, self.logged[eval])

    def check_evals(self, decided: Iterable[str]) -> None:
        """UnknownNameError where something is decided for an eval that there is not."""
        for name in decided:
            self._meant(name)

    def models_of(self, models: str | Sequence[str], baseline: str = "") -> list[str]:
        """The models that are named, as `chosen` the evals; UnknownNameError where one of them, or
        the baseline, is none.
        """
        wanted = split_names(models, self.models)
        for name in (*wanted, *([baseline] if baseline else [])):
            if name not in self.models:
                raise UnknownNameError(
                    f"no model {name!r} in {self.place}{did_you_mean(name, self.models)}"
                )
        return wanted

    def _names(self) -> list[str]:
        return list(dict.fromkeys([*self.evals, *self.logged.values()]))

    def _meant(self, name: str) -> list[str]:
        """The eval of that name, or all that were split from it: by harness, version, arguments."""
        found = (
            [name]
            if name in self.evals
            else [e for e, logged in self.logged.items() if logged == name]
        )
        if not found:
            raise UnknownNameError(
                f"no eval {name!r} in {self.place}{did_you_mean(name, self._names())}"
            )
        return found

    def of(self, eval: str) -> pd.DataFrame:
        """The rows of one eval, with the files that they come from in its attrs. Raises as
        read_scores does.
        """
        if self._whole is None:
            return read_scores(self.sources, evals=[eval], **self._reading)
        rows = self._whole[self._whole["eval"] == eval]
        rows.attrs[SOURCES] = Told(
            r for r in self._whole.attrs.get(SOURCES, []) if eval in r["evals"]
        )
        return rows

    def files(self, eval: str) -> list[str]:
        """What to read for one eval: scores folders, or the files that hold anything of it, runs
        that do not count too.
        """
        if self._whole is None:
            return self.sources
        records = self._whole.attrs.get(SOURCES, [])
        logged = {name for r in records if eval in r["evals"] for name in r["logged"]}
        return list(
            dict.fromkeys(
                r["within"] or r["path"] for r in records if logged.intersection(r["logged"])
            )
        )


def check_baseline(rows: pd.DataFrame, eval: str, baseline: str) -> None:
    """UnknownNameError where an eval has no rows of the baseline."""
    if baseline and not (rows["model"] == baseline).any():
        raise UnknownNameError(f"eval {eval!r}: no model {baseline!r} to be the baseline")


def _read(sources: Sequence[str], d: Decisions, reading: Mapping[str, Any]) -> pd.DataFrame:
    """All rows of the sources. Where several runs of a model could count and nobody is told of it,
    a ScoresError; of evals that are not asked for, such a model is left out.
    """
    if reading["undecided"] is not None:
        return read_scores(sources, **reading)
    waiting: list[tuple[str, str]] = []
    rows = read_scores(
        sources, **{**reading, "undecided": lambda name, why: waiting.append((name, why))}
    )
    asked = split_names(d.eval, [*rows["eval"].unique(), *(name for name, _ in waiting)])
    mine = [why for name, why in waiting if not asked or name in asked]
    if mine:
        raise ScoresError("\n".join(mine))
    return rows


def open_scores(
    sources: Sequence[str],
    decisions: Decisions | None = None,
    *,
    aliases: Mapping[str, str] | None = None,
    columns: Mapping[str, str] | None = None,
    logs: Mapping[str, Sequence[str]] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    skipped: Callable[[str, str], None] = lambda _path, _reason: None,
    undecided: Callable[[str, str], None] | None = None,
) -> Opened:
    """Sources as read_scores takes them; none: the demonstration. What is skipped is told once,
    however many evals are read.

    A metric or a cluster that is decided is left to the analysis: a file of an eval that nobody
    asks for need not have it.
    """
    told: set[tuple[str, str]] = set()

    def once(path: str, why: str) -> None:
        if (path, why) not in told:
            told.add((path, why))
            skipped(path, why)

    reading: dict[str, Any] = {
        "decisions": (decisions or Decisions()).without("metric", "cluster"),
        "aliases": aliases,
        "columns": columns,
        "logs": logs,
        "strict": strict,
        "progress": progress,
        "skipped": once,
        "undecided": undecided,
    }
    if sources and all(is_store(s) for s in sources):
        listed = (e for s in sources for e in store.held(s)[0])
        entries = [e for e in listed if from_its_logs(logs or {}, e.run.eval, e.source)]
        entries.sort(key=lambda e: not e.table)
        named = named_evals([e.run for e in entries if not e.table], aliases or {})
        logged = {e.run.eval: e.run.eval for e in entries if e.table} | {
            name: run.eval for name, run in named
        }
        models = [
            (aliases or {}).get(e.run.model, e.run.model) if not e.table else e.run.model
            for e in entries
        ]
        return Opened(list(sources), logged, list(dict.fromkeys(models)), None, reading)
    if sources:
        whole = _read(sources, decisions or Decisions(), reading)
    else:
        from reportkit.loading.demo import demo_scores

        whole = demo_scores()
    names = {r["eval"]: r["logged_eval"] or r["eval"] for r in whole.attrs.get(RUNS, ())}
    logged = {e: names.get(e, e) for e in whole["eval"].unique()}
    return Opened(list(sources), logged, list(whole["model"].unique()), whole)
