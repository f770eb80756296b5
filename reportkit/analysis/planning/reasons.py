"""Why a plan has no number: a reason in a long and a short form."""

import math
from typing import Any, Literal

# there may be a number, and it is not known; the same, as a published mean rests on too little;
# there is none; none as a published mean is too uncertain; none for a difference that no two models
# can have
Kind = Literal["unknown", "few published", "never", "published", "off scale"]


class Reason(str):
    """A reason. It is the text of its long form, as records, JSON and frames have it, and cannot be
    changed; who has said that once takes `short`, the same in fewer words.

    cause: a reason that this one ends with, and has said where it is told.

    >>> why = Reason("the pilot has one answer for each question: give noise", "no noise is known")
    >>> f"{why}", why.short, why.never
    ('the pilot has one answer for each question: give noise', 'no noise is known', False)
    """

    __slots__ = ("cause", "kind", "short")
    short: str
    kind: Kind
    cause: "Reason | None"

    def __new__(
        cls, long: str, short: str = "", kind: Kind = "unknown", cause: "Reason | None" = None
    ) -> "Reason":
        made = super().__new__(cls, long)
        for name, value in (("short", short or long), ("kind", kind), ("cause", cause)):
            object.__setattr__(made, name, value)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a reason cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Reason, (str(self), self.short, self.kind, self.cause)

    @property
    def never(self) -> bool:
        """Whether there is no such number, in place of one that is not known."""
        return self.kind in ("never", "published", "off scale")

    @classmethod
    def resting(cls, before: str, cause: "Reason") -> "Reason":
        """A reason that ends with another.

        >>> why = Reason.resting("100 questions do not find it: ", Reason("in long", "in short"))
        >>> f"{why}", why.short
        ('100 questions do not find it: in long', '100 questions do not find it: in short')
        """
        return cls(f"{before}{cause}", f"{before}{cause.short}", cause=cause)

    def and_(self, more: str, short: str = "") -> "Reason":
        """The reason with more words in its long form, and in its short one.

        >>> why = Reason("too few: 3", "too few").and_("; 5 would do")
        >>> f"{why}", why.short
        ('too few: 3; 5 would do', 'too few')
        """
        return Reason(f"{self}{more}", f"{self.short}{short}", self.kind)


NONE = Reason("")  # beside a number

NO_NOISE = Reason(
    "the pilot does not show how much of a score's variance is answer noise, as a model has one "
    "answer for each question: give noise, or a pilot in which both have two answers or more",
    "the pilot does not show answer noise: a model has one answer for each question",
)

NO_OMEGA = Reason(
    "in the pilot, what the questions' true differences vary by (ω²) cannot be told from 0, "
    "so that it does not show what more answers would leave: a larger pilot would",
    "the pilot cannot tell ω² from 0, and does not show what more answers would leave",
)

NO_VARIANCE_LEFT = Reason(
    "without answer noise the two models differ by the same on every question, so that no number "
    "of questions is too few"
)

TOO_ALIKE = Reason(
    "with several answers the two models differ by so little on each question that no law of "
    "scores tells what a difference would change"
)

NO_OWN_VARIANCE = Reason("ω² and σ² do not say how much one model's scores vary")

NO_OTHER_SE = Reason(
    "how much scores in part vary at another mean is not known: give other_se, the standard error "
    "of the published mean, and spread, the standard deviation of your model's scores where no "
    "pilot shows it",
    "how much scores in part vary at another mean is not known",
)

NO_SUCH_CLUSTERS = Reason(
    "the ICC of the pilot's differences is below 0, and would leave clusters of this size nothing "
    "to vary by but answer noise: give icc"
)


def given_icc(name: str) -> Reason:
    """Why an ICC that was given leaves clusters of a size nothing to vary by.

    >>> given_icc("icc_scores").partition(":")[0]
    'icc_scores is given too far below 0 for clusters of this size'
    """
    return Reason(
        f"{name} is given too far below 0 for clusters of this size: their means would not vary; "
        "give one nearer to 0",
        f"{name} is given too far below 0 for clusters of this size",
    )


GIVEN_NOISE = Reason(
    "the noise that was given is all that the pilot's differences vary by, so that it is not known "
    "what more answers would leave: give less",
    "the noise that was given is all that the pilot's differences vary by",
)

LARGE_CLUSTERS = Reason(
    "few clusters hold most of the pilot's questions: it is worth fewer than 5 clusters, which is "
    "too few to know how they vary; give correlation and icc, or a pilot of more clusters",
    "few clusters hold most of the pilot's questions: it is worth fewer than 5 clusters",
)

NO_CLUSTERS = Reason(
    "the pilot has no clusters, and how alike their questions would be is not known: give icc"
)

TOO_MANY = Reason("more than 10 million questions would be needed", kind="never")

TOO_UNCERTAIN = Reason(
    "the pilot is too small: it shows so little of how its scores vary that what allows for it is "
    "more than any number of questions makes up for",
    "the pilot shows too little of how its scores vary",
)

NO_SIZE = Reason("no difference that the scale leaves would be found so often", kind="never")


def apart(difference: float, percent: bool, digits: int = 3) -> str:
    """A difference that was searched for, in score units; of shares in points.

    >>> apart(0.0957, percent=True), apart(0.01, percent=True), apart(0.0957, percent=False)
    ('9.57 points', '1 point', '0.0957')
    """
    if not percent:
        return f"{difference:.{digits}g}"
    shown = f"{100.0 * difference:.{digits}g}"
    return f"{shown} point{'s' * (shown != '1')}"


def published_limit(
    questions: float, least: float, difference: float = 0.0, *, percent: bool = False
) -> Reason:
    """Why no questions of ours are enough against a published mean; least: the difference that 10
    million find, nan where the scale leaves none. difference: the one that is not found, which is
    printed as less.

    >>> published_limit(2, math.nan)[-71:]
    'no difference that the scale leaves is found, whatever is asked of ours'
    >>> published_limit(400, 0.16634, 0.1663, percent=True)[-69:]
    'no difference below 16.634 points is found, whatever is asked of ours'
    """
    digits = 3
    while digits < 6 and float(f"{least:.{digits}g}") <= difference < least:
        digits += 1
    limit = apart(least, percent, digits)
    which = "that the scale leaves" if math.isnan(least) else f"below {limit}"
    return Reason(
        f"cannot be reached: the other model's mean of {questions:,.0f} questions alone is so "
        f"uncertain that no difference {which} is found, whatever is asked of ours",
        "the other model's published mean is too uncertain for so small a difference",
        kind="published",
    )


def few_published(shown: float, least: float, units: str, *, counted: bool = False) -> Reason:
    """Why nothing is promised against a published mean near an end of its scale. shown, least: the
    units that show what is lost, in effect, and those that a plan asks for. units: questions or
    clusters with wrong answers; near the lower end with right ones. counted: these are as many as
    are expected, one answer each.

    >>> few_published(12.44, 20.0, "questions with wrong answers").short
    'the published mean rests on too few questions with wrong answers'
    """
    shown, least = math.floor(shown * 10.0) / 10.0, math.ceil(least * 10.0) / 10.0
    effect = "" if counted else " in effect"
    return Reason(
        f"a plan asks for a published mean that rests on at least {least:g} {units}, and this one "
        f"rests on {shown:.1f}{effect}. More questions of ours do not help",
        f"the published mean rests on too few {units}",
        kind="few published",
    )


def with_one_answer(few: Reason, questions: float) -> Reason:
    """few_published, where it does not hold of one answer to each of so many questions.

    >>> few = few_published(34.8, 39.7, "questions with wrong answers")
    >>> with_one_answer(few, 163)[-90:]
    'but 1 answer to each question (epochs = 1) has no such rule: 163 questions are then enough'
    """
    return few.and_(
        f", but 1 answer to each question (epochs = 1) has no such rule: {questions:,.0f} "
        "questions are then enough",
        " for several answers to each of ours",
    )


def with_formula(few: Reason, least: float, *, percent: bool) -> Reason:
    """few_published, and the difference that the published mean's own error leaves by formula.

    >>> few = few_published(7.5, 30.0, "clusters with wrong answers")
    >>> with_formula(few, 0.16, percent=True)[-63:]
    'By the formula, its own error hides differences below 16 points'
    """
    limit = apart(least, percent)
    return few.and_(f". By the formula, its own error hides differences below {limit}")


def with_more_published(
    why: Reason, published: float, questions: float, se: float = math.nan
) -> Reason:
    """few_published or published_limit, and a published mean against which so many questions of
    ours are enough. se: its standard error, where a plan asks for it.

    >>> few = few_published(7.5, 30.0, "clusters with wrong answers")
    >>> with_more_published(few, 440, 480)[-72:]
    '. Against a published mean of 440 questions, 480 of ours would be enough'
    """
    return why.and_(f". A{enough_of_ours(published, questions, se)[1:]}")


def enough_of_ours(published: float, questions: float, se: float = math.nan) -> str:
    """A published mean that would do, and what it takes of ours.

    >>> enough_of_ours(440, 480, 0.02)
    'against a published mean of 440 questions (other_se = 0.02), 480 of ours would be enough'
    """
    error = "" if math.isnan(se) else f" (other_se = {se:g})"
    return (
        f"against a published mean of {published:,.0f} questions{error}, {questions:,.0f} of ours "
        "would be enough"
    )


def off_scale(most: float, *, told: bool = False, percent: bool = False) -> Reason:
    """Why no number of questions shows a difference that no two models can have; most: what the
    expected score leaves. told: where the scale ends in the direction that a spread says.

    >>> off_scale(0.25).partition(",")[0]
    'the scale ends 0.25 from the expected score'
    """
    if told:
        return Reason(
            f"the scale ends {apart(most, percent)} from the published mean, on the side of models "
            "whose scores vary less; by its spread yours is one, and cannot be so far away",
            kind="off scale",
        )
    return Reason(
        f"the scale ends {apart(most, percent)} from the expected score, so that no model can be "
        "so far away",
        kind="off scale",
    )


def too_few_so_large(questions: int, size: float) -> Reason:
    """Why a pilot does not plan larger clusters than its own.

    >>> too_few_so_large(60, 15.0)[:53]
    'in clusters of 15 questions the 60 of the pilot would'
    """
    return Reason(
        f"in clusters of {size:,.3g} questions the {questions:,} of the pilot would be worth fewer "
        "than 5 clusters, which is too few to know how they vary"
    )
