"""Evals that ask the same questions, in words."""

from collections.abc import Sequence

from reportkit.results import SuiteResult
from reportkit.text.numbers import count, joined

NAMED = 6  # evals of a group that a sentence names


def groups_named(groups: Sequence[Sequence[str]]) -> str:
    """The evals of each group.

    >>> groups_named([("a", "b", "c"), ("d", "e")])
    'a, b and c; d and e'
    """
    return "; ".join(
        joined([*names[:NAMED], f"{count(len(names) - NAMED)} more"], "and")
        if len(names) > NAMED + 1
        else joined(names, "and")
        for names in groups
    )


def independent(s: SuiteResult) -> str:
    """What an SE over evals takes as independent, after a semicolon."""
    return independent_but(averaged_groups(s))


def independent_but(groups: Sequence[Sequence[str]]) -> str:
    """groups: of evals that ask the same questions."""
    if not groups:
        return "evals are taken as independent, so no two may share questions"
    return (
        "evals are taken as independent, but for those that ask the same questions, by their ids "
        f"and scores ({groups_named(groups)}): for these the SE allows for how their errors go "
        "together"
    )


def averaged_groups(s: SuiteResult) -> list[tuple[str, ...]]:
    """Of the evals that are averaged, those that ask the same questions."""
    groups = (tuple(e for e in names if e in s.weights) for names in s.same_questions)
    return [names for names in groups if len(names) > 1]
