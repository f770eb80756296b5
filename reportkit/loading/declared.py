"""What is decided of an eval (headline, clusters, ids, errors, reruns), and its rows when that is
done.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from reportkit.decisions import PER_EVAL, SPECS, Decisions
from reportkit.decisions.values import split, split_positive
from reportkit.errors import ScoresError, did_you_mean
from reportkit.facts import HarnessMetric
from reportkit.scores.ranges import ranged_rows
from reportkit.scores.rows import (
    BETTER,
    LIMIT,
    NO_CLUSTERS,
    ORIGINAL_ID,
    PLANNED,
    ZEROED,
    names,
    zeroed,
)
from reportkit.scores.run import ROWS, Run
from reportkit.scores.scores import Scores
from reportkit.scores.select import metric_rows, split_names

# Decisions of a metric or a field: the analysis takes them, once all files of an eval are read.
LATER = (
    "metric",
    "range",
    "cluster",
    "weights",
    "strata",
    "crossed",
    "positive",
    "covariates",
)


def differing(d: Decisions) -> dict[str, str]:
    """What is decided of an eval's scores other than the defaults: what tables and manifest tell.

    >>> differing(Decisions(runs="latest", level=0.9))
    {'runs': 'latest'}
    """
    decided = (k for k in PER_EVAL if SPECS[k].changes_numbers and not SPECS[k].together)
    changed = d.changed()
    return {k: changed[k] for k in decided if k in changed}


def fields_of(d: Decisions) -> list[tuple[str, str]]:
    """Every decision that names a field of the questions, with the field.

    >>> fields_of(Decisions(cluster="passage", positive="target:yes", covariates="a,b"))
    [('cluster', 'passage'), ('positive', 'target'), ('covariates', 'a'), ('covariates', 'b')]
    """
    named = [(k, getattr(d, k)) for k in ("cluster", "weights", "strata", "crossed")]
    named.append(("positive", split_positive(d.positive)[0]))
    named += [("covariates", name) for name in split(d.covariates)]
    return [(decision, name) for decision, name in named if name]


def with_decisions(run: Run, o: Decisions) -> Run:
    """A run with what is decided for its eval."""
    rows = _possible_rows(run.rows, o, (run.eval, run.logged_eval), run.file)
    rows = ranged_rows(rows, o.range, o.metric or run.headline or str(rows["metric"].iloc[0]))
    if o.metric and o.metric not in (there := list(rows["metric"].unique())):
        raise ScoresError(
            f"eval {run.eval!r}: no metric {o.metric!r} in "
            f"{run.file}{did_you_mean(o.metric, there)}"
        )
    now: dict[str, Any] = {
        "rows": _directed(rows, o, run.harness_metrics),
        "cluster": "" if o.cluster == NO_CLUSTERS else o.cluster or run.cluster,
        "headline": o.metric or run.headline,
        "category": o.category or run.category,
    }
    # of thousands of runs, a copy of each takes long
    return run if all(getattr(run, k) is v for k, v in now.items()) else replace(run, **now)


def _directed(rows: pd.DataFrame, o: Decisions, metrics: Iterable[HarnessMetric]) -> pd.DataFrame:
    """Rows that say which scores are better, where the user or the harness says so."""
    if o.better:
        return rows.assign(**{BETTER: same(o.better, rows)})
    lower = [m.metric for m in metrics if m.lower_is_better]
    if not lower or BETTER in rows.columns:
        return rows
    codes = np.where(rows["metric"].isin(lower).to_numpy(), 0, -1).astype(np.int8)
    return rows.assign(**{BETTER: pd.Categorical.from_codes(codes, pd.Index(["lower"]))})


def decided_rows(rows: pd.DataFrame, o: Decisions, eval: str, file: str) -> pd.DataFrame:
    """Rows of one eval with the ids and errors of its options; what they name as a field must be
    one.
    """

    def column(name: str, option: str) -> pd.Series:
        if name == "question_id" and ORIGINAL_ID in rows.columns:
            name = ORIGINAL_ID  # decided when they were read: the same again
        if name in rows.columns:
            return rows[name]
        # every plain table gets these two: its own file need not have them
        no_fields = {*ROWS, "eval", "model"}
        further = [c for c in rows.columns if c not in no_fields and rows[c].notna().any()]
        others = did_you_mean(name, further) if further else ", which has no further fields"
        raise ScoresError(f"eval {eval!r}: {option} = {name!r} is no field of {file}{others}")

    out = rows
    if o.id or o.match_on == "content_hash":
        by, option = (o.id, "id") if o.match_on == "id" else ("content_hash", "match_on")
        fields = [by] if by in rows.columns else by.split("+")
        ids = joined_ids([names(column(field, option)) for field in fields])
        if ids.isna().any():
            raise ScoresError(
                f"eval {eval!r}: {int(ids.isna().sum())} of {len(ids)} rows of {file} have no "
                f"{by!r}, so their questions cannot be told apart by it; match them by their id"
            )
        out = out.assign(**{ORIGINAL_ID: column("question_id", "id")}).assign(question_id=ids)
    if o.errors:
        out = _with_errors(out, rows, o.errors)
    for option, name in fields_of(o):
        if (option, name) != ("cluster", NO_CLUSTERS) and name not in out.columns:
            column(name, option)
    return out


def _possible_rows(
    rows: pd.DataFrame, o: Decisions, called: Sequence[str], file: str
) -> pd.DataFrame:
    """decided_rows of the eval that is called so. Where others are asked for, and it has no such
    ids, its own: a file of an eval that nobody asks for need not have them.
    """
    try:
        return decided_rows(rows, o, called[0], file)
    except ScoresError:
        asked = split_names(o.eval, called)
        if not asked or not {*asked}.isdisjoint(called):
            raise
        return decided_rows(rows, o.without("id", "match_on"), called[0], file)


def _with_errors(out: pd.DataFrame, rows: pd.DataFrame, rule: str) -> pd.DataFrame:
    """`out` with the failed answers of `rows` counted as 0, or left out."""
    zero = zeroed(rows)
    errors = (rows["status"] == "error") | (zero & rows["score"].notna())
    if rule == "zero" and errors.any():
        return out.assign(
            score=rows["score"].mask(errors, 0.0),
            status=rows["status"].astype(object).mask(errors, "ok"),
            **{ZEROED: zero | errors},
        )
    if rule == "exclude" and zero.any():
        return out.assign(
            score=rows["score"].mask(zero),
            status=rows["status"].astype(object).mask(zero, "error"),
            **{ZEROED: False},
        )
    return out


def joined_ids(fields: Sequence[pd.Series]) -> pd.Series:
    """The ids that several fields give together; of one field its values.

    A part that is missing is empty; where all are, the id is missing. A + or a backslash of a part
    gets a backslash, so that no two ids become one.

    >>> joined_ids([pd.Series(["p1", "p+2"]), pd.Series(["a", None])]).tolist()
    ['p1+a', 'p\\\\+2+']
    """
    if len(fields) == 1:
        return fields[0]
    absent = np.logical_and.reduce([field.isna().to_numpy() for field in fields])
    parts = []
    for field in fields:
        values, codes = np.unique(field.astype(object).fillna("").astype(str), return_inverse=True)
        escaped = [v.replace("\\", r"\\").replace("+", r"\+") for v in values]
        parts.append(np.array(escaped, dtype=object)[codes])
    joined = parts[0]
    for part in parts[1:]:
        joined = joined + "+" + part
    return pd.Series(joined, index=fields[0].index).mask(absent, None)


def table_rows(
    frame: pd.DataFrame, file: str, decisions: Decisions, aliases: Mapping[str, str]
) -> pd.DataFrame:
    """Rows of a plain table with what is decided for its evals, as a run's rows would be."""
    if aliases:
        frame = frame.assign(model=frame["model"].map(lambda m: aliases.get(m, m)))
    if all(not differing(decisions.of(e)) for e in frame["eval"].unique()):
        return frame
    parts = []
    for name, rows in frame.groupby("eval", sort=False):
        o = decisions.of(str(name))
        rows = _possible_rows(rows, o, (str(name),), file)
        if o.cluster == NO_CLUSTERS:
            rows = rows.assign(cluster_id=None)
        elif o.cluster:
            rows = rows.assign(cluster_id=names(rows[o.cluster]))
        if o.category:
            rows = rows.assign(category=o.category)
        if o.metric not in (*rows["metric"].unique(), ""):
            rows = metric_rows(rows, str(name), o.metric)
        rows = _directed(rows, o, ())
        rows = ranged_rows(rows, o.range, o.metric or str(rows["metric"].iloc[0]))
        parts.append(rows.iloc[(rows["metric"] != o.metric).to_numpy().argsort(kind="stable")])
    return pd.concat(parts, ignore_index=True)


def decided_for(scores: Scores, eval: str, d: Decisions) -> Decisions:
    """What is decided for an eval: under its name, or under the name that it has in its logs."""
    runs = scores.facts.runs
    return d.of(eval, next((r.logged_eval for r in runs if r.eval == eval), ""))


def decided_scores(scores: Scores, eval: str, d: Decisions) -> Scores:
    """The scores, or the eval's alone where something is decided that changes its rows: the same
    again where it was decided when they were read.
    """
    decided = {"errors", "id", "match_on", "category", "better", "range"}
    decided |= {option for option, _ in fields_of(d)} - {"cluster"}
    if not decided & set(differing(d)):
        return scores
    here = scores.rows[scores.rows["eval"] == eval]
    if here.empty:
        return scores  # select names the evals that there are
    rows = _directed(decided_rows(here, d.without("cluster"), eval, "the scores"), d, ())
    rows = ranged_rows(rows, d.range, d.metric or str(rows["metric"].iloc[0]))
    if d.category:
        rows = rows.assign(category=d.category)
    return Scores(rows, scores.facts)


def frame_of(run: Run) -> pd.DataFrame:
    """A run as rows of the scores table: its headline metric first, its cluster in cluster_id, and
    what can change a number or what is bold.
    """
    rows = in_order(run)
    values = said_of(run, rows)
    cluster = names(rows[run.cluster]) if run.cluster in rows.columns else None
    if not is_coded(rows):
        return rows.assign(cluster_id=cluster, **values)
    coded = {"cluster_id": same(None, rows) if cluster is None else cluster}
    coded |= {c: same(v, rows) for c, v in values.items() if v is not None}
    return pd.DataFrame({c: rows[c] for c in rows.columns} | coded, copy=False)


def in_order(run: Run) -> pd.DataFrame:
    """A run's rows, its headline metric first, which say which scores are better."""
    rows = _directed(run.rows, Decisions(), run.harness_metrics)
    if has_one_metric(rows):
        return rows
    later = (rows["metric"] != run.headline).to_numpy()
    if not later.all() and (later[:-1] > later[1:]).any():
        rows = rows.iloc[later.argsort(kind="stable")]
    return rows


def has_one_metric(rows: "pd.DataFrame | Mapping[str, pd.Series]") -> bool:
    """Whether all rows are of one metric, where that is known without a look at them."""
    metrics = rows["metric"]
    return isinstance(metrics.dtype, pd.CategoricalDtype) and len(metrics.dtype.categories) == 1


def said_of(run: Run, rows: "pd.DataFrame | Mapping[str, pd.Series]") -> dict[str, str | None]:
    """What each row says of its run, by the names of the columns."""
    values = {
        "eval": run.eval,
        "model": run.model,
        "run_id": run.run_id,
        "shots": run.shots or None,
        "category": run.category or None,
    }
    if run.limit:
        values[LIMIT] = run.limit
    if run.n_planned:
        metrics = rows["metric"]
        fewest = len(metrics) if has_one_metric(rows) else metrics.value_counts().min()
        if run.n_planned > fewest:
            values[PLANNED] = str(run.n_planned)
    return values


def is_coded(rows: "pd.DataFrame | Mapping[str, pd.Series]") -> bool:
    """Whether these are a scores folder's rows, which may be many: their texts are categories."""
    return isinstance(rows["question_id"].dtype, pd.CategoricalDtype)


def same(value: str | None, rows: pd.DataFrame) -> pd.Categorical:
    """One value for every row, at a byte a row."""
    codes = np.full(len(rows), -1 if value is None else 0, dtype=np.int8)
    text = rows["question_id"].cat.categories.dtype if is_coded(rows) else object
    categories = pd.Index([] if value is None else [value], dtype=text)
    return pd.Categorical.from_codes(codes, categories, validate=False)
