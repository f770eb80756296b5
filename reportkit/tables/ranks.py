"""The table of rank sets."""

import math

from reportkit.results import EvalResult, RankResult
from reportkit.tables.captions import compared_of, metric_of, sentence
from reportkit.tables.cells import Style
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note
from reportkit.text.numbers import DASH, count, percent_of


def ranks(r: EvalResult, style: Style) -> Draft:
    """The rank of each model, and the set of ranks that the data allow it."""
    head, joint = f"{percent_of(r.level)} rank set", f"Joint {percent_of(r.level)} rank set"
    together = any(x.joint_low == x.joint_low for x in r.ranks)
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        *rank_columns(head),
        ColumnSpec(
            "joint_set",
            joint,
            lambda x: rank_range(x.joint_low, x.joint_high),
            lambda x: x.joint_low,
            shown=together,
            fields={f"{joint} low": lambda x: x.joint_low, f"{joint} high": lambda x: x.joint_high},
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
    if together:
        text = (
            f"Joint: all of these sets together hold all true ranks with {percent_of(r.level)} "
            "confidence (Klein, Wright & Wieczorek 2020)."
        )
        notes.append(Note(text, about="joint_set"))
    if any(math.isnan(x.rank) or math.isnan(x.low) for x in r.ranks):
        text = (
            f"{DASH}: not known, without common questions with every other model, or with too few."
        )
        notes.append(Note(text, "undefined"))
    title = "ranks that the data allow each model."
    about = sentence(metric_of(r), compared_of(r, r.pairs))
    return Draft("ranks", title, r, specs, r.ranks, notes, r.ranks, about=about)


def rank_columns(head: str) -> list[ColumnSpec]:
    """The columns of a rank and of its set, which stands under the head."""
    return [
        ColumnSpec("rank", "Rank", lambda x: count(x.rank), lambda x: x.rank),
        ColumnSpec(
            "set",
            head,
            rank_set,
            lambda x: x.low,
            fields={f"{head} low": lambda x: x.low, f"{head} high": lambda x: x.high},
        ),
    ]


def rank_set(x: RankResult) -> str:
    """A set of ranks as text: 2, or 1 to 3."""
    return rank_range(x.low, x.high)


def rank_range(low: float, high: float) -> str:
    """
    >>> rank_range(2.0, 2.0), rank_range(1.0, 3.0)
    ('2', '1 to 3')
    """
    if math.isnan(low):
        return DASH
    if low == high:
        return count(low)
    return f"{count(low)} to {count(high)}"


def one_model(r: EvalResult) -> str:
    """What stands in the place of ranks of one model."""
    return "" if r.ranks else "There is one model, so there are no ranks."
