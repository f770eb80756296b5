"""What a build remembers for the next one: the question scores behind each report; and a build on
disk as the comparison of two builds takes it.

    .reportkit/questions/<report folder>.parquet    eval, metric, model, question_id, cluster_id,
                                                    mean, variance, n
    .reportkit/questions/gone/                      the same of reports whose evals are gone

Each file says of which results.json it is, so that questions and numbers are never of two builds;
and which files the scores were read from. Those of an eval that is gone stay as long as its report:
one that comes back is compared with what it was.
"""

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reportkit.analysis.rounds import Answers, Known, Round
from reportkit.errors import ScoresError
from reportkit.inputs.paths import is_url
from reportkit.results import FORMAT
from reportkit.scores.select import EvalScores

STATE = ".reportkit"
QUESTIONS = "questions"
GONE = "gone"
OF = b"reportkit.results"  # key of the hash in the file's metadata
READ = b"reportkit.read"  # and of the files that the scores were read from
SUITE = "suite"  # folder of the report over all evals, whose numbers the others have


@dataclass(frozen=True, slots=True)
class Stored:
    """A report on disk. folder: its path; results and manifest: what it holds."""

    folder: Path
    results: Mapping[str, Any]
    manifest: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def evals(self) -> Sequence[Mapping[str, Any]]:
        return list(self.results["evals"])

    @property
    def n_questions(self) -> int | None:
        """Of a suite, of which some evals may ask the same questions, each once; None without
        evals.
        """
        each = [e["n_questions"] for e in self.evals]
        of_suite = (self.results.get("suite") or {}).get("n_questions")
        return of_suite or sum(each) if each else None

    @property
    def title(self) -> str:
        evals = self.evals
        one = len(evals) == 1 and self.name != SUITE
        return str(evals[0]["eval"] if one else self.results["report"]["name"])


# Reports on disk ----------------------------------------------------------------------------------


def stored(out: Path) -> list[Stored]:
    """The reports in a folder, in the order of their folders' names; not what others left there."""
    if not out.is_dir():
        return []
    folders = sorted(p for p in out.iterdir() if not p.name.startswith("."))
    return [found for p in folders if (found := read_report(p)) is not None]


def replaced(out: Path, folders: Mapping[str, str]) -> list[Path]:
    """The folders of reports on evals whose reports now lie elsewhere: where MATH came first and
    math later, both folders have other names than the one before. folders: of each eval, the folder
    of its report.
    """
    reports = stored(out)
    there = {r.name for r in reports}
    left = []
    for report in reports:
        now = {folders.get(e["eval"], "") for e in report.evals}
        if len(now) == 1 and now <= there - {report.name} and report.name not in folders.values():
            left.append(report.folder)
    return [folder for folder in left if folder.name != SUITE]


def read_report(folder: Path) -> Stored | None:
    """The report in a folder; None where there is none of ours."""
    try:
        results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        found = Stored(folder, results, _manifest(folder))
        rounds_of(found.results)  # has all that is asked of it
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return found if results.get("format") == FORMAT else None


def _manifest(folder: Path) -> Mapping[str, Any]:
    path = folder / "manifest.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def open_build(path: str | os.PathLike[str]) -> list[Round]:
    """The evals of a build: a folder of reports, one report's folder, or a results.json.

    ScoresError where there is no report. Of an eval in several reports the first counts.
    """
    given = Path(path)
    folder = given.parent if given.name == "results.json" else given
    one = read_report(folder)
    reports = [one] if one else stored(folder)
    if not reports:
        raise ScoresError(
            f"{path}: no report is there (a results.json that reportkit wrote); give a folder of "
            "reports, the folder of one, or its results.json"
        )
    return rounds(reports)


def rounds(reports: Iterable[Stored]) -> list[Round]:
    """The evals of reports with their questions, where these are known; each eval once."""
    found: dict[tuple[str, str], Round] = {}
    for report in sorted(reports, key=lambda r: r.name == SUITE):
        answers = read_questions(report.folder)
        for r in rounds_of(report.results, answers):
            found.setdefault(r.key, r)
    return list(found.values())


def rounds_of(
    results: Mapping[str, Any], answers: Mapping[tuple[str, str], Answers] | None = None
) -> list[Round]:
    """The evals of a results.json."""
    return [_round(e, (answers or {}).get((e["eval"], e["metric"]))) for e in results["evals"]]


def _round(e: Mapping[str, Any], answers: Answers | None) -> Round:
    means = {m["model"]: _known(m, "mean") for m in e["means"]}
    differences = {(d["model"], d["baseline"]): _known(d, "difference") for d in e["differences"]}
    values = [m.value for m in means.values() if m.value == m.value]
    shares = all(0.0 <= v <= 1.0 for v in values)  # what earlier versions let us know
    scale = e.get("scale") or {"percent": shares, "known": "", "low": 0.0, "high": 1.0}
    width = 1.0 if scale["percent"] else math.nan
    if scale["known"]:
        width = scale["high"] - scale["low"]
    return Round(
        eval=e["eval"],
        metric=e["metric"],
        models=tuple(e["models"]),
        n_questions=e["n_questions"],
        means=means,
        differences=differences,
        answers=answers,
        lower=bool(e.get("lower", False)),
        percent=bool(scale["percent"]),
        width=width,
        subtasks=tuple(e.get("subtasks", ())),
    )


def _known(record: Mapping[str, Any], value: str) -> Known:
    def number(name: str) -> float:
        return math.nan if record[name] is None else float(record[name])

    return Known(
        number(value), number("se"), number("df"), number("ci_low"), number("ci_high"),
        number("level"), int(record["n_questions"]), int(record["n_clusters"]),
    )  # fmt: skip


# Questions ----------------------------------------------------------------------------------------


def _questions_file(folder: Path, *gone: str) -> Path:
    return folder.parent.joinpath(STATE, QUESTIONS, *gone, f"{folder.name}.parquet")


def _hash_of(folder: Path) -> bytes:
    return hashlib.sha256((folder / "results.json").read_bytes()).hexdigest().encode()


def keep_questions(folder: Path, evals: Iterable[EvalScores], read: Iterable[str] = ()) -> None:
    """Writes the question scores behind a report, for the next build, and the files that they were
    read from. A full disk is no failure of the report: the next comparison is then not paired.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(_frame(evals), preserve_index=False)
    path = _questions_file(folder)
    aside = path.with_name(f".{path.name}.part")
    try:
        files = json.dumps([whole_path(path) for path in read])
        table = table.replace_schema_metadata({OF: _hash_of(folder), READ: files})
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, aside, compression="zstd")
        os.replace(aside, path)
        _questions_file(folder, GONE).unlink(missing_ok=True)
    except OSError:
        aside.unlink(missing_ok=True)
        forget_questions(folder)


def forget_questions(folder: Path) -> None:
    for path in (_questions_file(folder), _questions_file(folder, GONE)):
        path.unlink(missing_ok=True)


def has_questions(folder: Path) -> bool:
    """Whether a build left the questions of a report, and none has called its evals gone since."""
    return _questions_file(folder).is_file()


def call_gone(folder: Path, gone: bool) -> None:
    """Marks the evals of a report as gone, or as there again: its questions are moved, and stay.
    On a full disk nothing is marked, and the next build tells the same again.
    """
    there, aside = _questions_file(folder), _questions_file(folder, GONE)
    now, then = (there, aside) if gone else (aside, there)
    if now.is_file():
        with contextlib.suppress(OSError):
            then.parent.mkdir(parents=True, exist_ok=True)
            os.replace(now, then)


def read_from(folder: Path) -> list[str]:
    """The files that the scores of a report were read from, as `whole_path` has them; none where
    that is not known.
    """
    import pyarrow.parquet as pq

    try:
        known = pq.read_schema(_questions_file(folder)).metadata or {}
        return [str(path) for path in json.loads(known.get(READ, b"[]"))]
    except (OSError, ValueError, TypeError):  # pyarrow's errors are of these classes
        return []


def whole_path(path: str) -> str:
    """A file by one name, wherever a build is started; a URL as it is."""
    return path if is_url(path) else os.path.abspath(path)


def _frame(evals: Iterable[EvalScores]) -> pd.DataFrame:
    parts = []
    for e in evals:
        row, column = np.nonzero(e.epochs > 0)
        clusters = pd.array([None] * len(row), "Int64")
        if e.clusters is not None:
            clusters = pd.array(e.clusters[row], "Int64")
        columns = {
            "eval": _storable(e.eval),
            "metric": _storable(e.metric),
            "model": _names(e.models)[column],
            "question_id": _names(e.questions)[row],
            "cluster_id": clusters,
            "mean": e.means[row, column],
            "variance": e.variances[row, column],
            "n": e.epochs[row, column],
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def _names(names: Iterable[object]) -> np.ndarray:
    return np.array([_storable(name) for name in names], dtype=object)


def _storable(name: object) -> str:
    """Half characters, which Parquet does not hold, as question marks."""
    return str(name).encode("utf-8", "replace").decode()


def read_questions(folder: Path) -> dict[tuple[str, str], Answers]:
    """The question scores behind a report; empty where they are not known, or of another build."""
    import pyarrow.parquet as pq

    path = _questions_file(folder)
    if not path.is_file():
        path = _questions_file(folder, GONE)
    if not path.is_file():
        return {}
    try:
        table = pq.read_table(path)
        if (table.schema.metadata or {}).get(OF) != _hash_of(folder):
            return {}
        frame = table.to_pandas()
        return {
            (str(eval_name), str(metric)): _answers(rows)
            for (eval_name, metric), rows in frame.groupby(["eval", "metric"], observed=True)
        }
    except (OSError, ValueError, LookupError):  # pyarrow's errors are of these classes
        return {}


def _answers(rows: pd.DataFrame) -> Answers:
    q, questions = pd.factorize(rows["question_id"].astype(object), sort=True)
    m, models = pd.factorize(rows["model"].astype(object))
    shape = (len(questions), len(models))
    means, variances, counts = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, int)
    means[q, m], variances[q, m], counts[q, m] = rows["mean"], rows["variance"], rows["n"]
    clusters = None
    if rows["cluster_id"].notna().all():
        clusters = np.zeros(shape[0], int)
        clusters[q] = rows["cluster_id"].astype(int)
    return Answers(np.asarray(questions), tuple(models), means, variances, counts, clusters)
