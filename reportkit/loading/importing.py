"""`reportkit import`: harness logs and tables read once, into a scores folder (loading/store says
what is in one).

An import adds what is new or changed and is safe to kill (store/folder.py says how). The next
import removes what was not listed. Imports of one folder take turns (publishing/aside.py).
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict, Unpack

from reportkit.errors import OutputError, ReportkitError, ScoresError
from reportkit.inputs.files import File, listed_once
from reportkit.inputs.layouts import Layouts, layouts_of
from reportkit.inputs.paths import is_url
from reportkit.inputs.sources import MARK, expand, is_store
from reportkit.loading import store
from reportkit.loading.import_work import Imported, Work, is_lost, source_of
from reportkit.loading.store.folder import (
    begin,
    commit,
    sweep,
    tidy,
)
from reportkit.loading.store.remote import home_at
from reportkit.text.numbers import counted


class How(TypedDict, total=False):
    """How an import goes about it; import_scores explains each."""

    strict: bool
    drop_gone: bool
    verify: bool
    progress: Callable[[str], None]


def import_scores(
    sources: Iterable[str | os.PathLike[str]],
    to: str | os.PathLike[str],
    *,
    columns: Layouts | Mapping[str, str] | None = None,
    **how: Unpack[How],
) -> Imported:
    """Reads files, folders, globs or URLs, as read_scores does, into the scores folder `to`, which
    is made if need be: of this machine, or the URL of one in an object store.

    A file that changed, or was moved, replaces its runs. A log that cannot be read is skipped and
    remembered with the reason, and what was imported of it before stays; strict: ScoresError names
    all of them, when the others are imported. Runs whose log is gone from the sources stay too,
    unless drop_gone. Retries, copies and reruns are all kept: which of them count is decided on
    reading. columns as in read_scores. Raises OutputError where `to` cannot be written, ScoresError
    where a source does not exist. An import that finds nothing leaves nothing. A table that breaks
    a rule is skipped like a log where it is found in a folder; one that is named is an error, as of
    read_scores, when the others are imported. verify: every file that the folder holds already is
    read, and what is damaged is read from its source again.
    """
    given, drop_gone = [os.fspath(s) for s in sources], how.get("drop_gone", False)
    _check_places(to, given)
    home = home_at(os.fspath(to))
    done = Imported(home.place if is_url(home.place) else Path(to))
    lost = [s for s in given if drop_gone and is_lost(s)]
    files = [f for s in given if s not in lost for f in expand(s)]
    home.prepare()
    new = not home.has(MARK)
    with home.turn(), listed_once():
        begin(home)
        work = Work(done, home, layouts_of(columns), how.get("progress", lambda _: None))
        try:
            if how.get("verify"):
                work.verify()
            work.bring(files)
            work.drop({source_of(f) for f in files}, given, lost, drop_gone)
            work.flush()
            tidy(home, work.known, work.there)
            commit(home, work.known, work.broken)
            sweep(home, work.known)
        except Exception:
            with suppress(ReportkitError):  # of a server that is gone the first error tells
                if new and not store.contents(home.place)[0]:
                    home.unmake()
            raise
        if new and not any(work.known.values()):
            home.unmake()
        done.damaged = work.still_damaged()
        done.runs = sum(map(len, work.known.values()))
        done.rows = sum(e.n_rows for entries in work.known.values() for e in entries)
    _raise_failed(done, work.broken, how.get("strict", False))
    return done


def _check_places(to: str | os.PathLike[str], given: Sequence[str]) -> None:
    """OutputError where scores cannot go to `to`, ScoresError where a source is a scores folder."""
    if not os.fspath(to).strip():
        raise OutputError(
            "--to names no folder; give the folder that the scores go to, such as --to scores"
        )
    for s in given:
        if is_store(s):
            raise ScoresError(
                f"{s}: a scores folder already, and every command reads it as it is; give the logs "
                "to import"
            )


def _raise_failed(done: Imported, broken: Mapping[str, str], strict: bool) -> None:
    """ScoresError with the named tables that break a rule; strict: with every file not read."""
    failed = [
        f"{p}: {why}"
        for p, why in done.skipped.items()
        if source_of(File(p)) in broken and (strict or p in done.refused)
    ]
    if not failed:
        return
    some = done.added or done.replaced or done.unchanged
    rest = f"; the others are in {done.folder}" if some else ""
    last = f"{counted(len(failed), 'file')} could not be read{rest}"
    raise ScoresError("\n".join([*failed, last]))
