"""Fields of the questions that may be clusters, as columns."""

from collections.abc import Mapping, Sequence


def short_fields(questions: Sequence[Mapping[str, str | None]]) -> dict[str, list[str | None]]:
    """The fields that are a short text in every question that has them, in the order in which they appear.

    questions: their fields as text, None where a value is no scalar or too long (parsing.field_text). A field that is too
    long in one question is a text of the question, and no column.

    >>> short_fields([{"subject": "law", "text": None}, {"text": "short"}])
    {'subject': ['law', None]}
    """
    names = dict.fromkeys(name for question in questions for name in question)
    texts = {n for question in questions for n, value in question.items() if value is None or "\n" in value}
    return {n: [question.get(n) for question in questions] for n in names if n not in texts}
