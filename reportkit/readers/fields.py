"""Fields of the questions as columns, which users may cluster by. Those that few questions have are
left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.inputs.files import BrokenFile

MOST_FIELDS = 500
FREE_CELLS = 10**6


def field_names(questions: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of all fields, in the order in which they appear; of more than MOST_FIELDS, those
    that half of them have.

    >>> field_names([{"a": 1, "b": 2}, {"c": 3}])
    ['a', 'b', 'c']
    """
    counts: dict[str, int] = {}
    for question in questions:
        for name in question:
            counts[name] = counts.get(name, 0) + 1
    # A column for each of a million keys that one question has would be a table of a million
    # squared.
    return [n for n, k in counts.items() if len(counts) <= MOST_FIELDS or 2 * k >= len(questions)]


def check_filled(path: str, metrics: int, cells: int, filled: int) -> None:
    """BrokenFile where the rows of a run, one for each question and metric, would be nearly all
    without a score.

    >>> check_filled("log.json", 20, cells=1000, filled=10)
    """
    if cells > max(FREE_CELLS, 10 * filled):
        raise BrokenFile(
            f"{path}: {metrics} metrics, and {filled} scores for {cells} answers; no eval has so "
            "few, leave the file out"
        )


def short_fields(questions: Sequence[Mapping[str, str | None]]) -> dict[str, list[str | None]]:
    """The fields that are a short text in every question that has them, in the order in which they
    appear.

    questions: their fields as text, None where a value is no scalar or too long
    (parsing.field_text). A field that is too long in one question is a text of the question, and no
    column.

    >>> short_fields([{"subject": "law", "text": None}, {"text": "short"}])
    {'subject': ['law', None]}
    """
    names = field_names(questions)
    texts = {
        n
        for question in questions
        for n, value in question.items()
        if value is None or "\n" in value
    }
    return {n: [question.get(n) for question in questions] for n in names if n not in texts}
