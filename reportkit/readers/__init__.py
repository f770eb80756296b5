"""Files, folders, globs and URLs of harness logs or plain tables -> one scores frame; each file is told by its content."""

import importlib
import os
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import pandas as pd

from reportkit.errors import ReportkitError, ScoresError
from reportkit.readers import tabular
from reportkit.readers.files import BrokenFile, File, expand
from reportkit.readers.policies import Options, choose_runs, differing, frame_of, options_of, table_rows
from reportkit.readers.run import Run
from reportkit.scores import DECIDED, LEFT_OUT, RUNS, SOURCES, Told, number_epochs, scores_frame

# A format is a module here with HARNESS, claims(file) -> "run", "part" (of a run that another file stands for) or "", and
# read(file) -> list of Run. The first that claims a file reads it; plain tables come last.
FORMATS: tuple[str, ...] = (
    "inspect",
    "lm_eval",
    "lighteval",
    "openai_evals",
    "helm",
    "swebench",
    "evalplus",
    "alpaca_eval",
    "every_eval_ever",
)


def read_scores(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    columns: dict[str, str] | None = None,
    options: Mapping[str, Options] | None = None,
    aliases: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    skipped: Callable[[str, str], None] = lambda _path, _reason: None,
) -> pd.DataFrame:
    """Scores from one or more files, folders (with all below them), globs or URLs, as one frame.

    Logs of eval harnesses (FORMATS) and plain tables (CSV, JSON lines, Parquet; gzip too) may be mixed. columns maps a
    column of plain tables to the name of section "Scores" of the README, {"prompt_id": "question_id"}. options: what is
    decided for an eval (policies.Options), the key "" for every eval. aliases: models' names as they are to be called.

    Every rule a row can break is checked, all of them at once; what concerns a whole eval (duplicates, clusters that
    disagree) is found by scores.validate. The files, with hash and row count, stand in `frame.attrs["sources"]`, the runs of
    logs in `frame.attrs["runs"]`. A file named by the user must hold scores; one found in a folder that is broken or
    something else is left out and told to `skipped`, unless `strict`. Raises ScoresError.
    """
    sources = [source] if isinstance(source, str | os.PathLike) else list(source)
    files = [f for s in sources for f in expand(os.fspath(s))]
    frames: list[pd.DataFrame] = []
    runs: list[Run] = []
    records: list[dict[str, Any]] = []
    problems: list[tuple[str, str]] = []
    broken: list[tuple[str, str]] = []
    held: dict[str, list[str]] = {}  # evals of each file that counts
    for file in files:
        progress(file.path)
        try:
            found = _read(file, columns or {})
        except tabular.NoScores as reason:
            skipped(file.path, str(reason))
            continue
        except BrokenFile as error:
            (problems if file.named or strict else broken).append((file.path, str(error)))
            continue
        except ScoresError as error:
            problems.append((file.path, str(error)))
            continue
        if found is None:
            continue
        if isinstance(found, pd.DataFrame):
            try:
                frames.append(table_rows(found, file.path, options or {}, aliases or {}))
            except ReportkitError as error:
                problems.append((file.path, str(error)))
                continue
            held[file.path] = list(found["eval"].unique())
            rows = len(found)
        else:
            for run in found:
                run.inputs = [file.path]
            runs += found
            rows = sum(len(r.rows) for r in found)
        # A name, not a path: the same inputs give the same report wherever they lie.
        records.append({"file": file.name, "sha256": file.sha256(), "rows": rows, "path": file.path, "evals": []})
    if problems or (broken and not frames and not runs):
        raise ScoresError("\n".join(why for _, why in problems + broken))
    for path, why in broken:
        skipped(path, why.removeprefix(f"{path}: "))
    from reportkit.selfcheck import check_run  # it knows Run, so it cannot come first

    for run in runs:
        run.checks, run.counts = check_run(run), _counts(run)  # of the rows as the log has them
    kept, left_out = choose_runs(runs, options or {}, aliases or {})
    for run, why in left_out:
        skipped(run.file, why)
    for run in kept:
        for path in run.inputs:
            held.setdefault(path, []).append(run.eval)
    for record in records:
        record["evals"] = list(dict.fromkeys(held.get(record["path"], ())))
    frames += [frame_of(run) for run in kept]
    if not frames:
        raise ScoresError(f"{', '.join(map(str, sources))}: no scores here; give logs of an eval harness, or files with the "
                          f"columns {', '.join(tabular.REQUIRED)}")  # fmt: skip
    frame = number_epochs(scores_frame(frames))
    frame.attrs[SOURCES] = Told(records)
    names = {"aliases": dict(aliases)} if aliases else {}
    decided = {e: differing(options_of(options or {}, e)) | names for e in frame["eval"].unique()}
    frame.attrs[DECIDED] = Told({"eval": e, "options": o} for e, o in decided.items() if o)
    frame.attrs[RUNS] = Told(_told(r) for r in kept)
    frame.attrs[LEFT_OUT] = Told(_told(r) | {"why": why} for r, why in left_out)
    return frame


def _read(file: File, columns: dict[str, str]) -> "list[Run] | pd.DataFrame | None":
    """What a file holds: runs, a checked table, or None where it belongs to a run that another file stands for."""
    for module in formats():
        claim = module.claims(file)
        if claim == "part":
            return None
        if claim:
            return module.read(file)  # type: ignore[no-any-return]
    return tabular.read(file, columns, must_be_scores=file.named)


def formats() -> list[ModuleType]:
    return [importlib.import_module(f"reportkit.readers.{name}") for name in FORMATS]


def _told(run: Run) -> dict[str, Any]:
    """What the data table, the self-check and a store keep of a run: all but its rows."""
    return {f: getattr(run, f) for f in run.__slots__ if f != "rows"}


def _counts(run: Run) -> dict[str, int]:
    """Answers by status, of the metric that the log puts first."""
    metrics = run.rows["metric"]
    first = run.headline if run.headline in set(metrics) else next(iter(metrics), "")
    return {str(k): int(n) for k, n in run.rows.loc[metrics == first, "status"].value_counts().items()}
