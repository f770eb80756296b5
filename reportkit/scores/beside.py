"""What the rows of an eval or a model say of its runs, beside their scores."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reportkit.scores.rows import FICTIONAL, LIMIT, PLANNED, names, numbers


def limit_of(rows: pd.DataFrame) -> str:
    """What cut one model's runs down to part of the questions; empty: nothing did.

    A column of this name that holds other things, such as a number of tokens, says nothing.

    >>> [limit_of(pd.DataFrame({"limit": told})) for told in (["limit=50", None], [4096, 4096])]
    ['limit=50', '']
    """
    if LIMIT not in rows.columns:
        return ""
    told = names(rows[LIMIT].drop_duplicates())
    return ", ".join(v for v in told if isinstance(v, str) and "=" in v)


def planned_of(rows: pd.DataFrame) -> int:
    """The answers that one model's runs set out to get; 0: no more than the rows hold."""
    if PLANNED not in rows.columns:
        return 0
    planned, _ = numbers(rows[PLANNED].drop_duplicates())
    return int(np.nanmax(planned, initial=0.0))


def is_cut(rows: pd.DataFrame) -> bool:
    """Whether the rows may say that some questions were not asked, or some answers are missing."""
    return LIMIT in rows.columns or PLANNED in rows.columns


def fictional(rows: pd.DataFrame) -> bool:
    if FICTIONAL not in rows.columns:
        return False
    return bool(rows[FICTIONAL].astype(str).str.lower().eq("true").any())


def declared(rows: pd.DataFrame, column: str) -> str:
    """The one value of a column, or "" where there are several: a question's category is not the
    eval's.
    """
    values = list(names(rows[column].drop_duplicates())) if column in rows.columns else []
    return str(values[0]) if len(values) == 1 and not pd.isna(values[0]) else ""


def shots(rows: pd.DataFrame, models: Sequence[str]) -> tuple[str, ...]:
    if "shots" not in rows.columns:
        return ()
    told = tuple(declared(rows[rows["model"] == m], "shots") for m in models)
    return told if any(told) else ()
