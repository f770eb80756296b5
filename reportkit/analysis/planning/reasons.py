"""Why a basis has no design for a shape."""

NO_NOISE = (
    "with one answer for each question the pilot does not show how much of a score's variance is "
    "answer noise: give noise, or a pilot with two answers or more for each question"
)

NO_OMEGA = (
    "in the pilot, what the questions' true differences vary by (omega²) cannot be told from 0, "
    "so that it does not show what more answers would leave: a larger pilot would"
)

# The same where a text has said it once, or is to be short.
BRIEF = {
    NO_NOISE: "the pilot's one answer for each question does not show answer noise",
    NO_OMEGA: "the pilot cannot tell omega² from 0, and does not show what more answers would "
    "leave",
}

NO_VARIANCE_LEFT = (
    "without answer noise the two models differ by the same on every question, so that no number "
    "of questions is too few"
)

NO_SUCH_CLUSTERS = (
    "the ICC of the pilot's differences is below 0, which cannot be so for clusters of this size: "
    "give icc"
)


def brief(text: str) -> str:
    """A text with its long reasons made short.

    >>> brief(f"not known: {NO_NOISE}")
    "not known: the pilot's one answer for each question does not show answer noise"
    """
    for reason, short in BRIEF.items():
        text = text.replace(reason, short)
    return text


def too_few_so_large(questions: int, size: float) -> str:
    """Why a pilot does not plan larger clusters than its own.

    >>> too_few_so_large(60, 15.0)[:53]
    'in clusters of 15 questions the 60 of the pilot would'
    """
    return (
        f"in clusters of {size:,.3g} questions the {questions:,} of the pilot would be worth fewer "
        "than 5 clusters, which is too few to know how they vary"
    )
