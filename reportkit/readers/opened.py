"""Scores one eval at a time: from scores folders each eval is loaded when it is asked for, logs and tables are read once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from reportkit import store
from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.readers import read_scores
from reportkit.readers.policies import Options, named_evals
from reportkit.rows import RUNS, SOURCES, Told


@dataclass(slots=True)
class Opened:
    """logged: all evals in the order of the rows, each with the name that its logs give it. models: all there are."""

    sources: list[str]
    logged: dict[str, str]
    models: list[str]
    _whole: pd.DataFrame | None
    _reading: dict[str, Any] = field(default_factory=dict)

    @property
    def evals(self) -> list[str]:
        return list(self.logged)

    def of(self, eval: str) -> pd.DataFrame:
        """The rows of one eval, with the files that they come from in its attrs. Raises as read_scores does."""
        if eval not in self.evals:
            raise UnknownNameError(f"no eval {eval!r}{did_you_mean(eval, self.evals)}")
        if self._whole is None:
            return read_scores(self.sources, evals=[eval], **self._reading)
        rows = self._whole[self._whole["eval"] == eval]
        rows.attrs[SOURCES] = Told(r for r in self._whole.attrs.get(SOURCES, []) if eval in r["evals"])
        return rows

    def files(self, eval: str) -> list[str]:
        """What to read for one eval: scores folders, or the files that hold anything of it, runs that do not count too."""
        if self._whole is None:
            return self.sources
        records = self._whole.attrs.get(SOURCES, [])
        logged = {name for r in records if eval in r["evals"] for name in r["logged"]}
        return list(dict.fromkeys(r["within"] or r["path"] for r in records if logged.intersection(r["logged"])))


def open_scores(
    sources: Sequence[str],
    *,
    options: Mapping[str, Options] | None = None,
    aliases: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    skipped: Callable[[str, str], None] = lambda _path, _reason: None,
) -> Opened:
    """Sources as read_scores takes them; none: the demonstration."""
    reading: dict[str, Any] = {
        "options": options,
        "aliases": aliases,
        "strict": strict,
        "progress": progress,
        "skipped": skipped,
    }
    if sources and all(store.is_store(s) for s in sources):
        entries = sorted((e for s in sources for e in store.entries_of(s)), key=lambda e: not e.table)
        named = named_evals([e.run for e in entries if not e.table], aliases or {})
        logged = {e.run.eval: e.run.eval for e in entries if e.table} | {name: run.eval for name, run in named}
        models = [(aliases or {}).get(e.run.model, e.run.model) if not e.table else e.run.model for e in entries]
        return Opened(list(sources), logged, list(dict.fromkeys(models)), None, reading)
    if sources:
        whole = read_scores(sources, **reading)
    else:
        from reportkit.demo import demo_scores

        whole = demo_scores()
    names = {r["eval"]: r["logged_eval"] or r["eval"] for r in whole.attrs.get(RUNS, ())}
    logged = {e: names.get(e, e) for e in whole["eval"].unique()}
    return Opened(list(sources), logged, list(whole["model"].unique()), whole)
