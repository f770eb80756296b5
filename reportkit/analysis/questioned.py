"""What a careful analyst would ask about the scores: sentences, and the warnings made of them."""

from collections.abc import Iterable, Sequence

from reportkit.facts import Copies, FlaggedRows, MixedUnits, OtherQuestions
from reportkit.results import EvalResult, Warning
from reportkit.scores.rows import ZEROED
from reportkit.text.numbers import count, counted

NAMED = 3  # models, or groups of models, that a sentence names
# A mean on less than this share of the usual questions, or on as many others, is warned of.
FULL = 0.95


def first(names: Sequence[str], between: str = ", ", last: str = " and ") -> str:
    """The first names, and how many more models there are.

    >>> first(["A", "B"]), first(["A", "B", "C", "D"]), first(["A 1", "B 2"], "; ", "; ")
    ('A and B', 'A, B, C and 1 more model', 'A 1; B 2')
    """
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        shown.append(counted(len(names) - NAMED, "more model"))
    return last.join(filter(None, [between.join(shown[:-1]), *shown[-1:]]))


# Copies -------------------------------------------------------------------------------------------


def copied(copies: Sequence[Copies]) -> list[str]:
    """A sentence for each group of models with the same scores, without its full stop; of many
    groups the first.
    """
    texts = [_same_scores(c) for c in copies[:NAMED]]
    if copies[NAMED:]:
        more = counted(len(copies) - NAMED, "further group")
        texts.append(f"{more} of models have the same scores too")
    return texts


def _same_scores(c: Copies) -> str:
    questions = counted(c.n_questions, "question")
    return (
        f"{first(c.models)} have the same score on every one of {questions}: they may be copies of "
        "one model"
    )


def same_scores(r: EvalResult) -> Iterable[Warning]:
    texts = copied(r.copies)
    if texts:
        yield Warning("same-scores", r.eval, "", f"{'. '.join(texts)}. {UNMASK}")


UNMASK = (
    "If they are, leave all but one out (--models): a copy changes ranks and adjusted p-values. If "
    "they are not, look for a mistake in the scores."
)


# Percent beside shares ----------------------------------------------------------------------------


def mixed(m: MixedUnits) -> str:
    """Whose scores may be percent, whose shares, and what to do."""
    theirs, them = f"{m.percent[0]}'s", "it is"
    if len(m.percent) > 1:
        theirs, them = "theirs", "they are"
    have = "has" if len(m.shares) == 1 else "have"
    return (
        f"{first(m.shares)} {have} scores within 0 to 1, {first(m.percent)} up to {m.top:g}: "
        f"percent and shares may be mixed. If {them} percent, divide {theirs} by 100; if not, "
        "declare the range with --range."
    )


def mixed_units(r: EvalResult) -> Iterable[Warning]:
    if r.mixed:
        yield Warning("mixed-units", r.eval, "", mixed(r.mixed))


# Failures that count ------------------------------------------------------------------------------


def flagged(f: FlaggedRows) -> str:
    """What a column says of rows whose scores count, without a full stop."""
    says = "names a failure" if f.text else "is true"
    zero = f"{count(f.n_zero)} of them {'is' if f.n_zero == 1 else 'are'} 0"
    if f.n_zero == f.n_flagged:
        zero = "all are 0"
    elif not f.n_zero:
        zero = "none is 0"
    what = f"these scores count, and {zero}"
    if f.n_flagged == 1:
        what = f"this score counts, and it is {'' if f.n_zero else 'not '}0"
    return (
        f"Column {f.column} {says} in {count(f.n_flagged)} of {counted(f.n_scored, 'row')} with a "
        f"score; {what}"
    )


def failed_rows(r: EvalResult) -> Iterable[Warning]:
    for f in r.flagged:
        yield Warning("failed-rows", r.eval, "", decide(f))


def decide(f: FlaggedRows) -> str:
    """What a column says, of which models, and what to do."""
    models = first([f"{model} {count(n)}" for model, n in f.models], last=", ")
    return f"{flagged(f)} ({models}). {_choices(f)}"


def _choices(f: FlaggedRows) -> str:
    """What to do with rows that are called failed."""
    exclude, zero = "--errors exclude leaves them out", "--errors zero counts them as 0"
    if f.column == ZEROED:
        return f"Decide what they count: {exclude}, {zero}."
    if f.text:
        return (
            "Decide what they count: give these rows the status error in a column status; then "
            f"they are left out, and {zero}."
        )
    return (
        f"Decide what they count: with --columns {ZEROED}={f.column} (in reportkit.toml, under "
        f'[columns], {ZEROED} = "{f.column}"), {exclude}, and {zero}.'
    )


# Means of other questions -------------------------------------------------------------------------


def usual(r: EvalResult) -> str:
    """The questions that a marked mean is not of."""
    n = counted(r.other_questions[0].n_usual, "question")
    if r.other_questions[0].n_usual == r.n_questions:
        return f"all {n}"
    return f"the {n} that most models answered"


def not_of_usual(r: EvalResult) -> str:
    """How many means are not of the usual questions."""
    n = len(r.other_questions)
    if n == sum(m.n_questions > 0 for m in r.means):
        return f"No mean is of {usual(r)}"
    return f"{counted(n, 'mean')} {'is' if n == 1 else 'are'} not of {usual(r)}"


def shares(others: Sequence[OtherQuestions]) -> str:
    """Which questions marked means are of."""
    return first([f"{o.model} {_share(o)}" for o in others], "; ", "; ")


def _share(o: OtherQuestions) -> str:
    text = f"{count(o.n_shared)} of {count(o.n_usual)}"
    if o.n_more:
        text += f" and {counted(o.n_more, 'other')}"
    return text


def other_questions_warning(r: EvalResult) -> Iterable[Warning]:
    others = r.other_questions
    if not any(map(_far, others)):
        return
    worst = sorted(others, key=lambda o: (not _far(o), o.n_shared))
    common = "No question was answered by all models"
    if r.n_common:
        on = counted(r.n_common, "question")
        common = f"Means on the {on} that all models answered are in means.csv (mean_common)"
    yield Warning(
        "other-questions",
        r.eval,
        "",
        f"{not_of_usual(r)}: {shares(worst)}. Means of different questions do not compare: take "
        f"the differences, which are of common questions. {common}.",
    )


def _far(o: OtherQuestions) -> bool:
    return o.n_shared < FULL * o.n_usual or o.n_more > (1.0 - FULL) * o.n_usual


RULES = (mixed_units, same_scores, failed_rows, other_questions_warning)
