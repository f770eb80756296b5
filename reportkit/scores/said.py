"""What rows say of themselves beside their scores: category, shots, whether they are fictional or
only a part.
"""

from collections.abc import Sequence

import pandas as pd

from reportkit.scores.rows import FICTIONAL, LIMIT, PLANNED, names


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
    shots = tuple(declared(rows[rows["model"] == m], "shots") for m in models)
    return shots if any(shots) else ()
