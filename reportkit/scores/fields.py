"""What a field says of each question: its cluster, its stratum, its weight and so on."""

from typing import Literal

import pandas as pd

from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.scores.rows import OWN_COLUMNS, names

Each = Literal["cluster", "stratum", "weight", "class", "covariate"]
_BY: dict[Each, str] = {
    "cluster": "cluster by",
    "stratum": "part the questions by",
    "weight": "weigh the questions by",
    "class": "tell positive questions by",
    "covariate": "explain right answers by",
}


def labels_of(rows: pd.DataFrame, eval: str, field: str, each: Each) -> pd.Series:
    """The text that a field has for each question, by the question's id.

    rows: of one eval. UnknownNameError where there is no such field, ScoresError where a question
    has no text there, or two.
    """
    if field not in rows.columns:
        known = rows.get("cluster_id")
        there = ("cluster_id",) if known is not None and known.notna().any() else ()
        further = [c for c in rows.columns if c not in OWN_COLUMNS or c in there]
        raise UnknownNameError(
            f"eval {eval!r}: no field {field!r} to {_BY[each]}{did_you_mean(field, further)}"
        )
    labels = names(rows[field])
    if labels.isna().any():
        question = rows["question_id"][labels.isna()].iloc[0]
        raise ScoresError(
            f"eval {eval!r}: {int(labels.isna().sum())} rows have no {field!r}, the first is "
            f"question {question!r}; "
            f"every question needs a {each}"
        )
    by_question = pd.DataFrame({"q": rows["question_id"], "c": labels}).drop_duplicates()
    twice = by_question[by_question.duplicated("q")]
    if len(twice):
        what = "has" if each in ("weight", "covariate") else "belongs to"
        raise ScoresError(
            f"eval {eval!r}: {len(twice)} questions have two values of {field!r}, the first is "
            f"{twice['q'].iloc[0]!r}; "
            f"a question {what} one {each}"
        )
    return by_question.set_index("q")["c"]
