"""Inspect logs, read."""

from reportkit import stats
from reportkit.inputs.files import File
from reportkit.readers import inspect


def read(path):
    [run] = inspect.read(File(str(path)))
    return run


def ours(run, metric: str, cluster: str = "") -> tuple[float, float]:
    """Mean and SE of question means, with a cluster by G/(G-1), from the rows alone."""
    rows = run.rows[run.rows["metric"] == metric]
    by = rows.groupby("question_id", sort=False)
    means = by["score"].mean()
    labels = by[cluster].first()[means.notna()].to_numpy() if cluster else None
    found = stats.mean_estimate(means.dropna().to_numpy(), labels, se="cr1" if cluster else "clt")
    return found.value, found.se
