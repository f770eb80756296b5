"""What is decided of an eval (headline, clusters, ids, errors, reruns), and its rows when that is
done.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from reportkit.decisions import Options, options_of
from reportkit.errors import ScoresError, did_you_mean
from reportkit.scores.rows import NO_CLUSTERS, ZEROED, names, zeroed
from reportkit.scores.run import ROWS, Run
from reportkit.scores.select import metric_rows


def with_options(run: Run, o: Options) -> Run:
    rows = _decided(run.rows, o, run.eval, run.file)
    if o.metric and o.metric not in (there := list(rows["metric"].unique())):
        raise ScoresError(
            f"eval {run.eval!r}: no metric {o.metric!r} in "
            f"{run.file}{did_you_mean(o.metric, there)}"
        )
    cluster = "" if o.cluster == NO_CLUSTERS else o.cluster or run.cluster
    return replace(run, rows=rows, cluster=cluster, headline=o.metric or run.headline,
                   category=o.category or run.category)  # fmt: skip


def _decided(rows: pd.DataFrame, o: Options, eval: str, file: str) -> pd.DataFrame:
    """Rows of one eval with the ids and errors that its options ask for; a cluster must be a field."""

    def column(name: str, option: str) -> pd.Series:
        if name in rows.columns:
            return rows[name]
        further = [c for c in rows.columns if c not in ROWS]
        raise ScoresError(
            f"eval {eval!r}: {option} = {name!r} is no field of {file}{did_you_mean(name, further)}"
        )

    out = rows
    if o.id or o.match_on == "content_hash":
        found = names(
            column(o.id, "id") if o.match_on == "id" else column("content_hash", "match_on")
        )
        if found.isna().any():
            raise ScoresError(
                f"eval {eval!r}: {int(found.isna().sum())} of {len(found)} rows of {file} have no "
                f"{o.id if o.match_on == 'id' else 'content_hash'!r} to be known by; match these "
                "questions by their id"
            )
        out = out.assign(question_id=found)
    zero = zeroed(rows)
    if o.errors == "zero" and (errors := rows["status"] == "error").any():
        out = out.assign(
            score=rows["score"].mask(errors, 0.0),
            status=rows["status"].astype(object).mask(errors, "ok"),
            **{ZEROED: zero | errors},
        )
    elif o.errors == "exclude" and zero.any():
        out = out.assign(
            score=rows["score"].mask(zero),
            status=rows["status"].astype(object).mask(zero, "error"),
            **{ZEROED: False},
        )
    if o.cluster and o.cluster != NO_CLUSTERS:
        column(o.cluster, "cluster")
    return out


def table_rows(
    frame: pd.DataFrame, file: str, options: Mapping[str, Options], aliases: Mapping[str, str]
) -> pd.DataFrame:
    """Rows of a plain table with what is decided for its evals, as a run's rows would be."""
    if aliases:
        frame = frame.assign(model=frame["model"].map(lambda m: aliases.get(m, m)))
    if all(options_of(options, e) == Options() for e in frame["eval"].unique()):
        return frame
    parts = []
    for name, rows in frame.groupby("eval", sort=False):
        o = options_of(options, str(name))
        rows = _decided(rows, o, str(name), file)
        rows = rows.assign(
            **(
                {"cluster_id": None if o.cluster == NO_CLUSTERS else names(rows[o.cluster])}
                if o.cluster
                else {}
            ),
            **({"category": o.category} if o.category else {}),
        )
        rows = (
            rows
            if o.metric in (*rows["metric"].unique(), "")
            else metric_rows(rows, str(name), o.metric)
        )
        parts.append(rows.iloc[(rows["metric"] != o.metric).to_numpy().argsort(kind="stable")])
    return pd.concat(parts, ignore_index=True)


def frame_of(run: Run) -> pd.DataFrame:
    """A run as rows of the scores table: its headline metric first, its cluster in cluster_id."""
    rows = run.rows
    later = (rows["metric"] != run.headline).to_numpy()
    if not later.all() and (later[:-1] > later[1:]).any():
        rows = rows.iloc[later.argsort(kind="stable")]
    told = {
        "eval": run.eval,
        "model": run.model,
        "run_id": run.run_id,
        "shots": run.shots or None,
        "category": run.category or None,
    }
    cluster = names(rows[run.cluster]) if run.cluster in rows.columns else None
    # a scores folder's rows, which may be many
    if isinstance(rows["question_id"].dtype, pd.CategoricalDtype):
        coded = {"cluster_id": same(None, rows) if cluster is None else cluster}
        coded |= {c: same(v, rows) for c, v in told.items() if v is not None}
        return pd.DataFrame({c: rows[c] for c in rows.columns} | coded, copy=False)
    return rows.assign(cluster_id=cluster, **told)


def same(value: str | None, rows: pd.DataFrame) -> pd.Categorical:
    """One value for every row, at a byte a row."""
    codes = np.full(len(rows), -1 if value is None else 0, dtype=np.int8)
    text = rows["question_id"].cat.categories.dtype
    return pd.Categorical.from_codes(
        codes, pd.Index([] if value is None else [value], dtype=text), validate=False
    )
