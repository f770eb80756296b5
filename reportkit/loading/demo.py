"""The demonstration scores: fictional models whose question-level scores give the printed tables of
Miller 2024.

The paper ("Adding Error Bars to Evals", arXiv 2411.00640) prints means, standard errors and
correlations of two fictional models, Galleon and Dreadnought, but no scores. demo.parquet holds
scores that give these numbers with this package's own statistics; tests/support/demo_generator.py
made them. Frigate is a third fictional model of ours.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from reportkit.decisions.values import split
from reportkit.errors import OutputError, UnknownNameError, did_you_mean
from reportkit.publishing.whole import write_whole

MODELS = ("Galleon", "Dreadnought", "Frigate")
EVALS = ("MATH", "HumanEval", "MGSM", "RACE-H", "DROP")
FILE = Path(__file__).with_name("demo.parquet")


def demo_scores(evals: Iterable[str] | None = None) -> pd.DataFrame:
    """Scores of the three fictional models, one row per eval, model, question and epoch; all evals
    unless named.

    The columns are those of the scores table (eval, model, question_id, cluster_id, epoch, metric,
    score, status) and `fictional`, which is true throughout so that reports can say so.
    UnknownNameError: no such eval.

    >>> scores = demo_scores(["MATH"])
    >>> scores.groupby("model", sort=False)["score"].mean().to_dict()
    {'Galleon': 0.655, 'Dreadnought': 0.63, 'Frigate': 0.6494}
    """
    names = EVALS if evals is None else tuple(split(evals))
    for name in names:
        if name not in EVALS:
            raise UnknownNameError(
                f"the demonstration has no eval {name!r}{did_you_mean(name, EVALS)}"
            )
    return pd.concat([_read(name) for name in names], ignore_index=True)


def write_demo(folder: str | Path) -> list[Path]:
    """Write `<eval>.csv` for every eval into `folder`, made if need be; the bytes are the same on
    every call. OutputError, and nothing written, where a file of that name is somebody's own.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.csv" for name in EVALS]
    for path in paths:
        if path.is_file() and not _is_ours(path):
            raise OutputError(
                f"{path}: is there, and is not of the demonstration; choose another folder with "
                "--to"
            )
    for name, path in zip(EVALS, paths, strict=True):
        text = demo_scores([name]).to_csv(index=False, lineterminator="\n")
        write_whole(path, text.encode())
    return paths


def _is_ours(path: Path) -> bool:
    """Whether a file says in its head that its models are fictional, as those of the demonstration
    do.
    """
    with path.open("rb") as file:
        return b"fictional" in file.readline()


def _read(name: str) -> pd.DataFrame:
    """One eval's rows, a row group of the file in the order of EVALS. A missing cluster stays None,
    whatever pandas makes of a column of text.
    """
    from pyarrow.parquet import ParquetFile

    rows = ParquetFile(FILE).read_row_group(EVALS.index(name)).to_pandas()
    labels = rows["cluster_id"].astype(object)
    return rows.assign(cluster_id=labels.where(labels.notna(), None))
