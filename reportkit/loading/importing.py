"""`reportkit import`: harness logs and tables read once, into a scores folder (store.py says what
is in one).

An import adds what is new or changed and is safe to kill: files are written aside and moved into
place under the hash of their bytes, and count only once runs.parquet lists them. The next import
removes what was not listed. Imports of one folder take turns by a lock that the system frees when a
process dies.
"""

import glob
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from reportkit.errors import OutputError, ScoresError
from reportkit.inputs.files import BrokenFile, File, listed_once, state, watched
from reportkit.inputs.sources import MARK, covers, expand, is_store, without_path
from reportkit.loading import store
from reportkit.loading.store import RUNS_FILE, Entry
from reportkit.readers import read_file, tabular
from reportkit.readers.tabular import NoScores
from reportkit.scores.run import Run
from reportkit.text.numbers import counted
from reportkit.version import __version__

LOCK = ".lock"
PART = ".part-"  # beginning of the name of a file that is being written
COMMIT = 5.0  # seconds of work that a kill can cost


@dataclass(slots=True)
class Imported:
    """What an import did; skipped maps a path to the reason. gone: sources whose runs stay or, if
    so asked, went.
    """

    folder: Path
    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # of these the tables that break a rule
    runs: int = 0  # in the folder now
    rows: int = 0


def import_scores(
    sources: Iterable[str | os.PathLike[str]],
    to: str | os.PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
    drop_gone: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Imported:
    """Reads files, folders, globs or URLs, as read_scores does, into the scores folder `to`, which
    is made if need be.

    A log that changed replaces its runs. A log that cannot be read is skipped and remembered with
    the reason, and what was imported of it before stays; strict: ScoresError names all of them,
    when the others are imported. Runs whose log is gone from the sources stay too, unless
    drop_gone. Retries, copies and reruns are all kept: which of them count is decided on reading.
    columns as in read_scores. Raises OutputError where `to` cannot be written, ScoresError where a
    source does not exist. An import that finds nothing leaves nothing. A table that breaks a rule
    is refused, as read_scores does, when the others are imported.
    """
    from filelock import FileLock

    if not os.fspath(to).strip():
        raise OutputError(
            "--to names no folder; give the folder that the scores go to, such as --to scores"
        )
    if "://" in os.fspath(to):
        raise OutputError(
            f"{to}: scores are imported into a local folder; copy it to the URL then, where it "
            "can be read"
        )
    done = Imported(Path(to))
    given = [os.fspath(s) for s in sources]
    for s in given:
        if is_store(s):
            raise ScoresError(
                f"{s}: a scores folder already, which every command takes as it is; give the "
                "logs to import"
            )
    lost = [
        s
        for s in given
        if drop_gone and "://" not in s and not glob.glob(s) and not os.path.lexists(s)
    ]
    files = [f for s in given if s not in lost for f in expand(s)]
    made = [p for p in (done.folder, *done.folder.parents) if not p.exists()]
    new = not (done.folder / MARK).exists()
    _prepare(done.folder)
    with FileLock(done.folder / LOCK), listed_once():
        _begin(done.folder)
        known: dict[str, list[Entry]] = {}
        listed, broken = store.contents(str(done.folder))
        for entry in listed:
            known.setdefault(entry.source, []).append(entry)
        try:
            _bring(done, files, known, broken, columns or {}, progress)
            read = {_source(f) for f in files}
            absent = [
                s for s in dict.fromkeys([*known, *broken]) if s not in read and _gone(s, given)
            ]
            for s in lost:
                if not any(covers(s, a) for a in absent):
                    raise ScoresError(
                        f"{s}: no such file or folder, and {done.folder} holds nothing of it"
                    )
            done.gone = [s for s in absent if known.get(s)]
            for s in [
                s for s in broken if s in absent or ("://" not in s and not os.path.lexists(s))
            ]:
                del broken[s]
            for s in done.gone if drop_gone else ():
                del known[s]
            _commit(done.folder, known, broken)
            _sweep(done.folder, known)
        except Exception:
            if new and not store.contents(str(done.folder))[0]:
                _unmake(done.folder, made)
            raise
        if new and not any(known.values()):
            _unmake(done.folder, made)
        done.runs = sum(map(len, known.values()))
        done.rows = sum(e.n_rows for entries in known.values() for e in entries)
    failed = {
        p: why
        for p, why in done.skipped.items()
        if _source(File(p)) in broken and (strict or p in done.refused)
    }
    if told := [f"{p}: {why}" for p, why in failed.items()]:
        rest = (
            f"; the others are in {done.folder}"
            if done.added or done.replaced or done.unchanged
            else ""
        )
        raise ScoresError(
            "\n".join([*told, f"{counted(len(told), 'file')} could not be read{rest}"])
        )
    return done


def _bring(
    done: Imported,
    files: Iterable[File],
    known: dict[str, list[Entry]],
    broken: dict[str, str],
    columns: Mapping[str, str],
    progress: Callable[[str], None],
) -> None:
    """Reads what is new or changed of the files into the folder, `known` and `broken`."""
    there = _sweep(done.folder, known)
    tables, mapped = False, set[str]()
    last = time.monotonic()
    for file in files:
        source = _source(file)
        if file.name == MARK:
            continue
        before = known.get(source, [])
        if before and source not in broken and _fresh(before, columns, there):
            done.unchanged.append(file.path)
            continue
        progress(file.path)
        broken.pop(source, None)
        try:
            entries = _import(file, source, columns, done.folder, there, mapped)
        except (NoScores, ScoresError) as why:
            told = without_path(
                str(why), file.path
            ) + "; what was imported of it before stays" * bool(before)
            done.skipped[file.path] = told
            if isinstance(why, ScoresError):
                broken[source] = told
                done.refused += [file.path] * (not isinstance(why, BrokenFile))
            continue
        if file.lacks:
            done.skipped[file.path] = broken[source] = "; ".join(file.lacks)
        if not entries and not before:
            continue  # part of a run that another file stands for
        same = [replace(e, state="") for e in entries] == [replace(e, state="") for e in before]
        (done.unchanged if same else done.replaced if before else done.added).append(file.path)
        known[source] = entries
        tables |= any(e.table for e in entries)
        if time.monotonic() - last > COMMIT:
            _commit(done.folder, known, broken)
            last = time.monotonic()
    if tables and not done.unchanged:
        tabular.all_mapped(columns, mapped, [str(done.folder)])


def _source(file: File) -> str:
    return file.path if file.remote else Path(os.path.abspath(file.path)).as_posix()


def _gone(source: str, given: Iterable[str]) -> bool:
    """Whether a source that no given file is lay where they are, and is there no more."""
    return ("://" in source or not os.path.lexists(source)) and any(
        covers(g, source) for g in given
    )


def _unmake(folder: Path, made: Iterable[Path]) -> None:
    """Removes what an import made that found nothing; what others put there meanwhile stays."""
    _sweep(folder, {})
    for name in (MARK, RUNS_FILE, LOCK):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        for path in (*folder.glob("questions"), *made):
            path.rmdir()


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = (
            [] if (folder / MARK).exists() else [n for n in os.listdir(folder) if not _ours(n)]
        )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written: {error.strerror}; choose another folder with --to"
        ) from None
    if foreign:
        raise OutputError(
            f"{folder}: no scores folder, and it holds {foreign[0]!r}; choose a new or an empty "
            "one with --to"
        )


def _ours(name: str) -> bool:
    return name in (LOCK, RUNS_FILE) or name.startswith((PART, ".fuse", ".nfs", ".DS_Store"))


def _begin(folder: Path) -> None:
    """The mark comes last: where it stands, runs.parquet does."""
    if not (folder / MARK).exists():
        _write(folder / RUNS_FILE, store.runs_bytes([]))
        _write(folder / MARK, (json.dumps({"format": store.FORMAT}) + "\n").encode())
    try:
        store.check_mark(str(folder))
    except ScoresError as error:
        raise OutputError(str(error)) from None


def _import(
    file: File,
    source: str,
    columns: Mapping[str, str],
    folder: Path,
    there: set[str],
    mapped: set[str],
) -> list[Entry]:
    """Reads one file and writes its runs; none if it belongs to a run that another file stands for."""
    # taken first: what changes meanwhile is seen by the next import
    before = {source: state(file.path)}
    with watched() as paths:
        found = read_file(file, columns)
    if found is None:
        return []
    mapped.update(found.attrs.pop(tabular.MAPPED, ()) if isinstance(found, pd.DataFrame) else ())
    looked = before | {p: state(p) for p in sorted(paths) if p != file.path}
    told = json.dumps({"rules": _rules(columns), "looked at": looked})
    if isinstance(found, pd.DataFrame):
        groups = found.groupby(["eval", "model"], sort=False, observed=True)
        runs = [
            Run("", str(e), str(m), rows.drop(columns=["eval", "model"])) for (e, m), rows in groups
        ]
    else:
        runs = found
    return [
        _stored(
            replace(run, file=source),
            file.sha256(),
            told,
            k,
            isinstance(found, pd.DataFrame),
            folder,
            there,
        )
        for k, run in enumerate(runs)
    ]


def _stored(
    run: Run, sha256: str, told: str, position: int, table: bool, folder: Path, there: set[str]
) -> Entry:
    rows, questions = store.encode(run)
    home = store.eval_folder(run.eval)
    path = f"{home}/{_digest(rows)}.parquet"
    beside = f"questions/{home}/{_digest(questions)}.parquet" if questions else ""
    for name, data in ((beside, questions), (path, rows)):
        if name and name not in there:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            _write(folder / name, data)
            there.add(name)
    columns = tuple(str(c) for c in run.rows.columns)
    empty = replace(run, rows=store.NO_ROWS)
    return Entry(
        run.file,
        sha256,
        told,
        position,
        table,
        path,
        beside,
        columns,
        **store.counts(run.rows),
        run=empty,
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def _rules(columns: Mapping[str, str]) -> str:
    return f"reportkit {__version__}, {json.dumps(sorted(columns.items()))}"


def _fresh(entries: list[Entry], columns: Mapping[str, str], there: set[str]) -> bool:
    """Whether nothing that was looked at has changed, and all that was written is there."""
    if any(name not in there for e in entries for name in (e.path, e.questions) if name):
        return False
    told = json.loads(entries[0].state)
    return told["rules"] == _rules(columns) and all(
        state(p) == s for p, s in told["looked at"].items()
    )


def _commit(folder: Path, known: dict[str, list[Entry]], broken: dict[str, str]) -> None:
    data = store.runs_bytes((e for entries in known.values() for e in entries), broken)
    if (folder / RUNS_FILE).read_bytes() != data:
        _write(folder / RUNS_FILE, data)


def _write(path: Path, data: bytes) -> None:
    """Complete or absent."""
    try:
        handle, aside = tempfile.mkstemp(prefix=PART, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(aside, 0o644)
            os.replace(aside, path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written: {error.strerror}; make room, or choose another --to"
        ) from None


def _sweep(folder: Path, known: dict[str, list[Entry]]) -> set[str]:
    """Removes what runs.parquet does not list, and returns what is there of it."""
    listed = {n for entries in known.values() for e in entries for n in (e.path, e.questions)}
    there = set()
    for here, folders, names in os.walk(folder):
        place = Path(here).relative_to(folder)
        if place == Path("."):
            folders[:] = [f for f in folders if f.startswith("eval=") or f == "questions"]
        for name in names:
            path = (place / name).as_posix()
            if path in listed:
                there.add(path)
            elif name.startswith(PART) or (place != Path(".") and name.endswith(".parquet")):
                (folder / path).unlink(missing_ok=True)
        if place not in (Path("."), Path("questions")) and not os.listdir(here):
            os.rmdir(here)
    return there
