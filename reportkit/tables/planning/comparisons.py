"""What an answer of a plan comes to where several comparisons share the level."""

from collections.abc import Iterator

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Found
from reportkit.analysis.planning.reasons import Reason
from reportkit.tables.planning.beside import SAME_ENDS
from reportkit.tables.planning.designs import each_model, for_each, in_one, whose_cost
from reportkit.tables.planning.noise import assumed
from reportkit.tables.planning.telling import Told
from reportkit.tables.planning.words import (
    cost_range,
    ranged,
    sized_need,
    sized_text,
    standing,
    unanswered,
)
from reportkit.text.numbers import count


def needed_for_each(p: Planned) -> Told:
    """The questions that the difference takes then."""
    n = p.need.for_each
    text = sized_need(p, n)
    if n.cost == n.cost:
        text += f"; costs {cost_range(n)}{whose_cost(p)}"
    if n.reason:
        text = standing(n.reason)
    assumes = (
        f"Each of {count(p.asked.comparisons)} comparisons is found with this power at the level "
        "of Bonferroni, which is Holm's first step; Holm's test may find more."
    )
    assumes += SAME_ENDS * ranged(n)
    return Told(f"The same, {for_each(p)}", text, "alpha / m in place of alpha",
                r"\alpha / m$ in place of $\alpha", assumes, n.questions,
                n.reason)  # fmt: skip


def cheapest_for_each(p: Planned) -> Iterator[Told]:
    """The answers that cost least then; none without costs, and of one comparison."""
    x = p.for_each
    if x is None:
        return
    answer = standing(x.reason)
    if x.questions == x.questions:
        answer = (
            f"{each_model(p, x.epochs_a, x.epochs_b)} to each of {sized_text(p, x)}; costs "
            f"{cost_range(x)}{whose_cost(p)}"
        )
    yield Told(
        f"Answers to each question that cost least {for_each(p)}", answer,
        "alpha / m in place of alpha", r"\alpha / m$ in place of $\alpha",
        f"Looked for in the same way.{assumed(p)}", x.epochs_a, x.reason,
    )  # fmt: skip


def with_each(p: Planned, number: str, each: str, reason: Reason) -> str:
    """A number, and what it is then. reason: why it has none then."""
    if not p.asked.comparisons > 1:
        return number
    return f"{number}; {standing(reason) if reason else each} {for_each(p)}"


def none_for_each(p: Planned, f: Found) -> str:
    """Why so many questions find no difference then, where that has not been said."""
    why = f.adjusted_reason
    if not why or why in (f.reason, p.need.adjusted_reason):
        return ""
    return f" {for_each(p)[0].upper()}{for_each(p)[1:]} it is {unanswered(why)}."


def others_of_one(p: Planned) -> str:
    """A note of the table whose rows are of one comparison, but for those that name them all."""
    if not in_one(p):
        return ""
    return "A number that is not said to be for each of the comparisons is for one of them."
