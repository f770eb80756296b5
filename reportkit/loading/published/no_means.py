"""Refuses tables that print something else than means and differences: what can be detected, ranks,
correlations. No check here is made for their numbers.
"""

import re
from collections.abc import Sequence

from reportkit.errors import ScoresError
from reportkit.loading.published.columns import name_of
from reportkit.loading.published.heads import key_of
from reportkit.loading.published.numbers import plain_cell

# What a head says that a table is of, in small letters.
_OTHER = (
    (re.compile(r"detectable difference|questions needed|mde$|omega2$"), "what can be detected"),
    (re.compile(r"(?:\d+(?:\.\d+)?% )?rank sets?|joint[ _](?:low|high)$"), "ranks"),
    (re.compile(r"noise share"), "variances"),
    (re.compile(r"design[ _]effect"), "what clusters do to errors"),
    (re.compile(r"correlation$"), "correlations"),
)  # fmt: skip
_NEVER = "ranks"  # beside which means are averages over evals that are not printed
_SELF = re.compile(r"1(?:\.0+)?|100(?:\.0+)?%?|[-–—]*")  # of a name with itself
USE = "check-table reads means, and differences of means, with their errors"


def check_means(heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], where: str) -> None:
    """ScoresError for a table whose heads, or whose shape, say that it holds no means. heads: the
    lines of them. rows: all below. where: for the message.
    """
    texts = [name_of(text) for line in heads for text in line]
    means = any(key_of(text) in ("mean", "difference") for text in texts)
    for text in texts:
        for pattern, what in _OTHER:
            if pattern.match(text.casefold()) and (what == _NEVER or not means):
                raise ScoresError(
                    f"{where}: the head {text!r} says that this is a table of {what}; {USE}"
                )
    if _is_matrix(heads[-1], rows):
        raise ScoresError(
            f"{where}: the same names stand across and down, so that each number is of two of "
            f"them, such as a correlation; {USE}"
        )


def _is_matrix(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether each number is of two names of one list; columns may have their numbers as heads."""
    across = [name_of(text) for text in heads[1:]]
    down = [name_of(row[0]) for row in rows if row]
    numbered = [re.match(r"(\d+)\. ", name) for name in down]
    same = across == down or across == [match[1] if match else "" for match in numbered]
    if len(across) < 2 or not same:
        return False
    diagonal = [row[i + 1] if len(row) > i + 1 else "" for i, row in enumerate(rows)]
    return all(_SELF.fullmatch(plain_cell(cell)) for cell in diagonal)
