"""The table of rank sets."""

import math

from reportkit.results import EvalResult, RankResult
from reportkit.tables.cells import Style
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note
from reportkit.text.numbers import DASH, count, percent_of


def ranks(r: EvalResult, style: Style) -> Draft:
    """The rank of each model, and the set of ranks that the data allow it."""
    head = f"{percent_of(r.level)} rank set"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec("rank", "Rank", lambda x: count(x.rank), lambda x: x.rank),
        ColumnSpec(
            "set",
            head,
            rank_set,
            lambda x: x.low,
            fields={f"{head} low": lambda x: x.low, f"{head} high": lambda x: x.high},
        ),
    ]
    notes = [
        Note(f"Rank 1: the {r.top} mean on common questions."),
        Note(
            "Rank set: the ranks that the tests do not rule out; each set holds the true rank of "
            f"its model with {percent_of(r.level)} confidence. It starts at 1 exactly where the "
            "model may be the best."
        ),
    ]
    if any(math.isnan(x.rank) or math.isnan(x.low) for x in r.ranks):
        text = (
            f"{DASH}: not known, without common questions with every other model, or with too few."
        )
        notes.append(Note(text, "undefined"))
    title = "ranks that the data allow each model."
    return Draft("ranks", title, r, specs, r.ranks, notes, r.ranks)


def rank_set(x: RankResult) -> str:
    """A set of ranks as text: 2, or 1 to 3."""
    if math.isnan(x.low):
        return DASH
    if x.low == x.high:
        return count(x.low)
    return f"{count(x.low)} to {count(x.high)}"


def one_model(r: EvalResult) -> str:
    """What stands in the place of ranks of one model."""
    return "" if r.ranks else "There is one model, so there are no ranks."
