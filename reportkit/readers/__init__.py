"""Files, folders, globs and URLs -> one scores frame, each file read by what is in it."""

import glob
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from reportkit.errors import ScoresError
from reportkit.readers import tabular
from reportkit.scores import SOURCES, number_epochs, scores_frame

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".parquet")


def read_scores(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    columns: dict[str, str] | None = None,
    progress: Callable[[str], None] = lambda _: None,
    skipped: Callable[[str, str], None] = lambda _path, _reason: None,
) -> pd.DataFrame:
    """Scores from one or more files (CSV, JSONL, Parquet; gzip too), folders, globs or URLs, as one frame.

    columns maps a column of the files to the name of section "Scores" of the README, {"prompt_id": "question_id"}.
    Every rule a row can break is checked, all of them at once; what concerns a whole eval (duplicates, clusters that
    disagree) is found by scores.validate. The files, with hash and row count, stand in `frame.attrs["sources"]`.
    A file named by the user must hold scores; one found in a folder may be something else, is left out, and is told
    to `skipped`. Raises ScoresError.
    """
    sources = [source] if isinstance(source, str | os.PathLike) else list(source)
    frames, records, problems, asides = [], [], [], []
    for path, named in [item for s in sources for item in _expand(os.fspath(s))]:
        progress(path)
        try:
            frame, sha256 = tabular.read(path, columns or {}, must_be_scores=named)
        except tabular.NoScores as reason:
            asides.append((path, str(reason)))
            continue
        except ScoresError as error:
            problems.append(str(error))
            continue
        frames.append(frame)
        # A name, not a path: the same inputs give the same report wherever they lie.
        records.append({"file": Path(path).name, "sha256": sha256, "rows": len(frame), "path": path})
    if problems:
        raise ScoresError("\n".join(problems))
    for path, why in asides:
        skipped(path, why)
    if not frames:
        raise ScoresError(f"{', '.join(map(str, sources))}: no scores here; give files ending in {', '.join(SUFFIXES)}")
    frame = number_epochs(scores_frame(frames))
    frame.attrs[SOURCES] = records
    return frame


def _expand(source: str) -> list[tuple[str, bool]]:
    """The files that a source stands for, sorted, and whether the user named each."""
    if "://" in source or os.path.isfile(source):  # a file whose name has brackets is a file
        return [(source, True)]
    if os.path.isdir(source):
        found = sorted(str(p) for p in Path(source).iterdir() if p.is_file() and p.name.endswith(SUFFIXES))
        if not found:
            raise ScoresError(f"{source}: no file ending in {', '.join(SUFFIXES)} in this folder")
        return [(p, False) for p in found]
    matches = sorted(p for p in glob.glob(source, recursive=True) if os.path.isfile(p))
    if not matches:
        raise ScoresError(f"{source}: no such file or folder")
    return [(p, False) for p in matches]
