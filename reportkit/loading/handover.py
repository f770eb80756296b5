"""What a build hands to the notebook that it runs: one folder, named by one environment variable.

    job.json        the notebook's name, the command's words, the eval, the facts of its scores;
                    of a suite the folders of its evals, with what is decided for each
    rows.parquet    the eval's rows; none for the demonstration, which a notebook makes itself

The logs are read once, and every notebook sees the same choices of runs.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.facts import Facts, from_json, to_json
from reportkit.kernels import VARIABLE
from reportkit.scores.in_memory import is_frame
from reportkit.scores.rows import names
from reportkit.scores.scores import Scores

JOB = "job.json"
ROWS = "rows.parquet"


@dataclass(frozen=True, slots=True)
class Handed:
    """One eval of a suite as its notebook finds it. The rows are read when they are asked for: all
    evals at once may be more than memory holds.

    decisions: all that is decided for it, as Decisions.parameters. report: the page of its own
    report, seen from the suite's. folder: with its rows and facts; none for the demonstration.
    """

    eval: str
    decisions: Mapping[str, Any]
    report: str = ""
    folder: str = ""

    def scores(self) -> Scores | None:
        """Its scores; None: the demonstration."""
        return _scores(Path(self.folder)) if self.folder else None


@dataclass(frozen=True, slots=True)
class Handover:
    """A job as its notebook finds it. given: what the user's command said, as manifest.as_given;
    or manifest.in_memory. evals: of a suite. left_out: the evals that it lacks, with the reason.
    """

    notebook: str  # its name, which results.json records
    eval: str = ""
    sources: Sequence[str] = ()  # what the parameter `scores` says, where the rows are of it
    given: Mapping[str, Any] | None = None
    scores: Scores | None = None  # of this eval; None: the demonstration
    evals: tuple[Handed, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)

    def scores_of(self, eval: str, sources: Any) -> Scores | None:
        """The scores of an eval and these sources; None where they are not what the build read, as
        in a notebook of the user's own that reads something else.
        """
        return self.scores if eval == self.eval and self.reads(sources) else None

    def reads(self, sources: Any) -> bool:
        """Whether these are the sources that the build read."""
        if is_frame(sources):
            return False
        named = [sources] if isinstance(sources, str) else list(sources)
        return named == list(self.sources)


def write_handover(folder: Path, job: Handover) -> None:
    """Writes a job into a folder of its own, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    record: dict[str, Any] = {
        "notebook": job.notebook,
        "eval": job.eval,
        "sources": list(job.sources),
        "given": job.given,
        "evals": [
            asdict(e) | {"folder": e.folder and os.path.relpath(e.folder, folder)}
            for e in job.evals
        ],
        "left_out": dict(job.left_out),
    }
    if job.scores is not None:
        of_eval = job.scores.of(job.eval)
        record["facts"] = to_json(of_eval.facts)
        _write_rows(of_eval.rows, folder / ROWS)
    (folder / JOB).write_text(json.dumps(record), encoding="utf-8")


def read_handover() -> Handover | None:
    """The job that a build has handed to this process; None where no build runs it."""
    path = os.environ.get(VARIABLE)
    if not path:
        return None
    folder = Path(path)
    record = json.loads((folder / JOB).read_text(encoding="utf-8"))
    evals = tuple(
        replace(e, folder=e.folder and os.path.join(folder, e.folder))
        for e in (Handed(**found) for found in record["evals"])
    )
    return Handover(
        record["notebook"],
        record["eval"],
        record["sources"],
        record["given"],
        _scores(folder),
        evals,
        record["left_out"],
    )


def _scores(folder: Path) -> Scores | None:
    """The scores of the one eval whose job lies in this folder; None: the demonstration."""
    record = json.loads((folder / JOB).read_text(encoding="utf-8"))
    if "facts" not in record:
        return None
    return Scores(pd.read_parquet(folder / ROWS), from_json(Facts, record["facts"]))


def _write_rows(rows: pd.DataFrame, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = rows.reset_index(drop=True)
    rows.attrs = {}
    rows = rows.assign(**{c: _storable(rows[c]) for c in rows.columns if rows[c].dtype == object})
    pq.write_table(pa.Table.from_pandas(rows, preserve_index=False), path)


def _storable(column: pd.Series) -> pd.Series:
    """Text and None: a column of a user's file may mix numbers, text and half characters, which
    Parquet does not hold.
    """
    text = column.dropna()
    if not text.map(lambda v: isinstance(v, str)).all():
        column = names(column)
        text = column.dropna()
    if text.map(str.isascii).all():
        return column
    return column.map(lambda v: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v)
