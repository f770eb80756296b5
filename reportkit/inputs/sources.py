"""The files that users name, by a path, folder, glob, URL or scores folder, and what messages call
them.
"""

import fnmatch
import glob
import json
import os
import posixpath
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import filesystem, reached, url_of
from reportkit.inputs.files import File
from reportkit.inputs.paths import is_url, near

MARK = "_reportkit.json"  # in a scores folder (store.py), which is read as a whole
RUNS = "runs.parquet"
PARTS = ("questions", RUNS, MARK)  # of a scores folder, beside the folders eval=...


def without_path(reason: str, path: str) -> str:
    """A reason without the path that it begins with, for places that show the path beside it.
    Several reasons of one file are one line.

    >>> without_path("a/b.json, line 3: not JSON", "a/b.json")
    'line 3: not JSON'
    >>> without_path("a/b.json: no score\\na/b.json: no model", "a/b.json")
    'no score; no model'
    """
    first = reason.removeprefix(f"{path}: ").removeprefix(f"{path}, ")
    return first.replace(f"\n{path}: ", "; ")


def told_apart(paths: Iterable[str]) -> dict[str, str]:
    """The name of each file. Where several files have the same name, the name of its folder stands
    before it: in HELM every run has files of the same names.

    It is never more of the path, so the same inputs give the same report wherever they are.

    >>> told_apart(["runs/a/stats.json", "runs/b/stats.json", "c.csv"])
    {'runs/a/stats.json': 'a/stats.json', 'runs/b/stats.json': 'b/stats.json', 'c.csv': 'c.csv'}
    """
    names = {p: p.replace(os.sep, "/").rpartition("/")[2] for p in paths}
    many = Counter(names.values())
    folders = {
        p: posixpath.dirname(p if is_url(p) else os.path.abspath(p).replace(os.sep, "/"))
        for p in names
    }
    return {
        p: f"{posixpath.basename(folders[p])}/{name}" if many[name] > 1 else name
        for p, name in names.items()
    }


def expand(source: str) -> Iterator[File]:
    """The files that a source stands for: a file, a folder with all below it, a glob, or a URL of
    one of these.

    Hidden files and folders below a folder are left out. Raises ScoresError where there is nothing,
    and where the source is part of a scores folder: read by itself it would be a table without what
    runs.parquet knows of it.
    """
    _refuse_parts([source])
    if is_url(source):
        yield from _expand_url(source)
    elif os.path.isdir(source):
        yield from _walk(source)
    # a file whose name has brackets is a file; what is none is refused when it is opened
    elif os.path.lexists(source):
        yield File(source)
    else:
        matches = sorted(glob.glob(source, recursive=True))
        if not matches:
            raise ScoresError(f"{source}: no such file or folder{near(source)}")
        _refuse_parts(matches)
        for match in matches:
            if os.path.isdir(match):
                yield from _walk(match)
            else:
                yield File(match, False, str(Path(match).parent))


def _walk(folder: str) -> Iterator[File]:
    for here, folders, names in os.walk(folder):
        if MARK in names:  # told as left out by its mark
            folders[:], names = [], [MARK]
        _check_marked(here, {*folders, *names})
        folders[:] = sorted(f for f in folders if not f.startswith((".", "__pycache__")))
        for name in sorted(n for n in names if not n.startswith(".")):
            yield File(os.path.join(here, name), False, folder)


def _check_marked(folder: str, names: set[str]) -> None:
    """ScoresError where a scores folder has lost its mark, as in a copy that was cut off: its files
    read as plain tables would count runs that do not count.
    """
    if RUNS in names and MARK not in names and any(n.startswith("eval=") for n in names):
        raise ScoresError(
            f"{folder}: a scores folder without its {MARK}; copy it again as a whole, or import "
            "the logs again"
        )


def _expand_url(source: str) -> Iterator[File]:
    with reached(source):
        fs, inside = filesystem(source)
        names = _found_at(fs, inside)
    if not names:
        # Servers of plain HTTP list nothing and know no folders: the URL is then the file itself.
        yield File(source)
    stores = [f[: -len(MARK)] for f in names if posixpath.basename(f) == MARK]
    for runs in (f for f in names if posixpath.basename(f) == RUNS):
        folder = runs[: -len(RUNS)]
        if folder not in stores:
            below = {f.removeprefix(folder).split("/")[0] for f in names if f.startswith(folder)}
            _check_marked(url_of(source, fs, folder.rstrip("/")), below)
    names = [f for f in names if not any(f.startswith(s) for s in stores)]
    paths = [url_of(source, fs, name) for name in sorted(names)]
    _refuse_parts(paths)
    for path in paths:
        yield File(path, False, source)


def _found_at(fs: Any, inside: str) -> list[str]:
    """The files of a folder or glob on a server; none where the path is a file itself."""
    if fs.isfile(inside):
        return []
    return list(fs.glob(inside) if glob.has_magic(inside) else fs.find(inside))


def covers(given: str, source: str) -> bool:
    """Whether a file, folder, glob or URL would hold the source.

    >>> covers("a/*/b", "a/x/b/c"), covers("/a/*.csv", "/a/b/c.csv")
    (True, False)
    >>> covers("/a/**/c.csv", "/a/b/c.csv")
    True
    """
    given, source = (
        p if is_url(p) else Path(os.path.abspath(p)).as_posix() for p in (given, source)
    )
    literal = is_url(given) or os.path.lexists(given)

    def fits(parts: list[str], names: list[str]) -> bool:
        if not parts:
            return True  # a folder, with all below it
        if parts[0] == "**" and not literal:
            return any(fits(parts[1:], names[k:]) for k in range(len(names) + 1))
        first = bool(names) and (
            parts[0] == names[0] or (not literal and fnmatch.fnmatchcase(names[0], parts[0]))
        )
        return first and fits(parts[1:], names[1:])

    return fits(given.rstrip("/").split("/"), source.split("/"))


def is_store(folder: str) -> bool:
    """Whether a path or URL is a scores folder."""
    if not is_url(folder):
        return os.path.isfile(os.path.join(folder, MARK))
    try:
        with reached(folder):
            fs, inside = filesystem(folder)
            mark = posixpath.join(inside, MARK)
            there = fs.isfile(mark)
            if not folder.startswith(("http://", "https://")):
                return bool(there)
            content = json.loads(fs.cat_file(mark)) if there else {}
    except ScoresError:
        return False
    # A server of plain HTTP may answer anything to any name: only what the mark says counts.
    return isinstance(content, dict) and str(content.get("format", "")).startswith(
        "reportkit/scores"
    )


def _refuse_parts(paths: Iterable[str]) -> None:
    """ScoresError where one of the paths is part of a scores folder."""
    known: dict[str, bool] = {}
    for path in paths:
        full = path.rstrip("/") if is_url(path) else os.path.abspath(path).replace(os.sep, "/")
        parts = full.split("/")
        for k in range(len(parts) - 1, 0, -1):
            if not (parts[k].startswith("eval=") or parts[k] in PARTS):
                continue
            folder = "/".join(parts[:k])
            if folder not in known:
                known[folder] = is_store(folder)
            if known[folder]:
                quoted = next((p[5:] for p in parts[k:] if p.startswith("eval=")), "")
                # longer: perhaps cut
                named = "" if glob.has_magic(quoted) or len(quoted) > 200 else unquote(quoted)
                shown = folder if is_url(path) or os.path.isabs(path) else os.path.relpath(folder)
                raise ScoresError(
                    f"{path}: a part of the scores folder {shown}, which is read as a whole; give "
                    f"{shlex.quote(shown)}{' with --eval ' + shlex.quote(named) if named else ''}"
                )
