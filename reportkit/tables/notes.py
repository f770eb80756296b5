"""The sentences below a table: what the scores are, what bold marks, what is missing."""

from collections.abc import Collection, Iterable, Sequence

from reportkit.results import EvalResult, SuiteResult
from reportkit.tables.cells import Style
from reportkit.text.numbers import DASH, count, counted, listed, percent_of, score_range

FEW_OTHERS = 2  # names of evals for each one that is left out, from which on those are named


class Note(str):
    """A sentence below a table that knows what it says.

    It is text, so that it prints and compares as such. kind: by which a layout leaves it out.
    about: key of the column that it explains; it goes where that column goes. counts: it holds a
    number of one eval, so that a table of several says "In each eval". wide: the same of evals that
    have this sentence in several forms.

    >>> note = Note("Holm over 3 comparisons.", "adjusted", about="p_adjusted", counts=True)
    >>> note, note.kind, note.about
    ('Holm over 3 comparisons.', 'adjusted', 'p_adjusted')
    """

    kind: str
    about: str
    counts: bool
    wide: str

    def __new__(
        cls, text: str, kind: str = "", *, about: str = "", counts: bool = False, wide: str = ""
    ) -> "Note":
        note = super().__new__(cls, text)
        note.kind, note.about, note.counts, note.wide = kind, about, counts, wide
        return note


def undefined_notes(reasons: Sequence[str]) -> list[Note]:
    """What a dash of the table stands for; none where nothing is undefined."""
    return [Note(f"{DASH}: {'; '.join(reasons)}.", "undefined")] if reasons else []


def left_by(notes: Iterable[str], gone: Collection[str]) -> list[str]:
    """The sentences, or parts of one, that explain none of the columns that go, by key.

    >>> left_by([Note("Questions: common.", about="questions"), "By hand."], {"questions"})
    ['By hand.']
    """
    return [n for n in notes if not (isinstance(n, Note) and n.about and n.about in gone)]


REPEATS = "repeats"  # kind of the sentence why all numbers of a table stand elsewhere already
NOTHING = "nothing"  # kind of the sentence why a table has no number of an eval
# kind of the sentences to who has a report or makes it, as those that name its files: no drop-in
# has them
FILES = "files"


def without_files(notes: Iterable[str]) -> tuple[str, ...]:
    """The sentences that hold wherever a table stands."""
    return tuple(n for n in notes if not (isinstance(n, Note) and n.kind == FILES))


def without_metric(notes: Iterable[Note]) -> list[Note]:
    """The sentences below a table whose caption says the metric."""
    return [n for n in notes if n.kind != "metric"]


# What a table of comparisons says of its intervals, beside how p is adjusted.
UNADJUSTED = Note("Intervals are not adjusted.", "adjusted", about="ci")
ALLOWED_TOO = Note("Intervals allow for it too.", "adjusted", about="ci")

# Below a table of models by evals that is cut into parts of evals.
LEFT_OUT = Note("Each part leaves out the models without a score in its evals.", "parts")

FICTIONAL = Note("Fictional models, generated scores.", "fictional")


def fictional_notes(r: EvalResult) -> tuple[Note, ...]:
    return (FICTIONAL,) if r.fictional else ()


POINTS = Note("Differences and their errors are in percentage points.", "points")
CLUSTERED = "clustered"  # kind of a sentence that says itself that it is of evals with clusters
# What the caption of one eval's table says, where it has the sentence on metric and questions.
IN_CAPTIONS = ("metric", "points", "minus")


def difference_notes(r: EvalResult, style: Style) -> tuple[Note, ...]:
    """The same below a table of differences."""
    notes = [n for n in score_notes(r, style) if n != PERCENTAGES]
    if in_points(r, style):
        notes.insert(1, POINTS)
    return tuple(notes)


def in_points(r: EvalResult, style: Style) -> bool:
    """Whether a table must say that its differences are in points."""
    return r.scale.percent and not style.point


PERCENTAGES = "Scores are percentages."


def score_notes(r: EvalResult, style: Style) -> tuple[Note, ...]:
    """What the scores are, and what the theme leaves to say about them.

    The first is of kind "metric" where it says the metric's name alone: a column can say that too.
    """
    more = ""
    if not r.scale.percent:
        more = f", in its own units; {score_range(r)}"
    if r.lower:
        more += "; lower is better"
    notes = [Note(f"Metric: {r.metric}{more}.", "units" if more else "metric")]
    if r.scale.percent and not style.signed_units(r).unit:
        notes.append(Note(PERCENTAGES, "units"))
    if style.theme == "pm":
        notes.append(Note(f"±: half the width of the {percent_of(r.level)} interval.", "theme"))
    return tuple(notes)


UNTOLD = "†"  # stands after the mean of a model of which too little is known


def best_note(r: EvalResult) -> tuple[Note, ...]:
    """What bold stands for, or why nothing is bold; and what the mark of a mean stands for."""
    scored = [m for m in r.means if m.mean == m.mean]
    if len(scored) < 2:
        return ()
    several = len(r.models) > 2
    if r.best:
        text = (
            f"Bold: the {percent_of(r.level)} confidence set for the best model: the {r.top} mean, "
            f"and every model that {how_tested(several)} not find {r.worse} at the "
            f"{percent_of(1.0 - r.level)} level."
        )
    elif any(m.may_be_best == "no" for m in scored):
        text = (
            f"Nothing is bold: on common questions the model of the {r.top} mean is found "
            f"{r.worse} than another, or cannot be tested."
        )
    else:
        text = "Nothing is bold: the data allow no test between the models."
    return (Note(text, "bold", about="mean", counts=several), *untold_note(r))


def how_tested(several: bool) -> str:
    """
    >>> how_tested(False)
    'the one-sided paired test does'
    """
    if several:
        return "one-sided paired tests against all others do"
    return "the one-sided paired test does"


def untold_note(r: EvalResult) -> tuple[Note, ...]:
    """What the mark of a mean stands for, where there is one."""
    return (Note(untold_text(r.worse), "untold", about="mean"),) if r.untold else ()


def untold_text(worse: str) -> str:
    """The same in words: what a mean that is not as good is, lower or higher."""
    return (
        f"{UNTOLD}: not found {worse} than another, but too little data to tell whether the "
        "model may be the best."
    )


NAMED = 3  # models whose missing answers a note counts one by one


def missing_notes(r: EvalResult) -> tuple[Note, ...]:
    """Which models' numbers are not of all answers or questions: a pasted table has no warnings
    beside it.
    """
    none = [m.model for m in r.means if not m.n_questions]
    cut = [f"{model} ({limit})" for model, limit in r.limited().items()]
    gone = []
    for m in r.means:
        missing = r.planned(m) - m.n_answers
        if missing and m.n_questions:
            gone.append(f"{m.model} {count(missing)} of {count(r.planned(m))}")
    zeroed = [f"{m.model} {count(n)}" for m, n in zip(r.means, r.zeroed, strict=False) if n]
    notes = []
    for what, models in (
        ("No score of this metric", none),
        ("Cut down to part of the questions", cut),
        ("Answers without a score, left out", gone),
        ("Answers that failed or were not given, counted as 0", zeroed),
    ):
        if models:
            notes.append(Note(f"{what}: {first_few(models)}.", "missing"))
    return tuple(notes)


def first_few(models: Sequence[str]) -> str:
    """The first models by name, and how many more there are."""
    text = ", ".join(models[:NAMED])
    if len(models) > NAMED:
        text += f", and {counted(len(models) - NAMED, 'more model')}"
    return text


def undefined_note(undefined: bool) -> Note:
    """What a dash stands for, where there is one."""
    text = (
        f"{DASH}: not estimable, as scores or clusters do not vary, or there are too few questions "
        "or clusters."
    )
    return Note(text if undefined else "", "undefined")


def no_pair(r: EvalResult | SuiteResult) -> Note:
    """Why a table of comparisons is empty."""
    if len(r.models) == 1:
        return Note("There is one model: nothing to compare.", "empty")
    return Note("No two models have a question in common.", "empty")


def _which(names: Sequence[str], every: Sequence[str]) -> str:
    """The evals that a sentence holds for; those that it does not hold for, where they are few.

    >>> _which(["a", "b"], ["a", "b", "c"]), _which(list("abcd"), list("abcde"))
    ('a, b', 'All evals but e')
    """
    others = [name for name in every if name not in names]
    if len(names) > FEW_OTHERS * len(others) > 0:
        return f"All evals but {listed(others)}"
    return ", ".join(names)


def joined_notes(
    results: Sequence[EvalResult], notes: Sequence[Sequence[Note]]
) -> tuple[Note, ...]:
    """Sentences that hold for every eval with a number as they are, the others after the names of
    their evals; in their wide form, where evals have several forms. Of the kind CLUSTERED none
    needs names.
    """
    pairs = list(zip(results, notes, strict=True))
    every = {r.eval for r in results}
    told = every - {r.eval for r, own in pairs if any(n.kind == NOTHING for n in own)} or every
    where: dict[Note, list[str]] = {}
    forms: dict[str, set[Note]] = {}
    for note in (note for own in notes for note in own if note.wide):
        forms.setdefault(note.wide, set()).add(note)
    for r, own in pairs:
        for note in own:
            several = len(forms.get(note.wide, ())) > 1
            said = Note(note.wide, note.kind, about=note.about) if several else note
            if said:
                where.setdefault(said, []).append(r.eval)
    common: list[Note] = []
    others: dict[tuple[str, str, str, bool], list[Note]] = {}
    for note, names in where.items():
        if not set(names) >= told and note.kind != CLUSTERED:
            of = _which(names, [r.eval for r in results if r.eval in told])
            kind = "" if note.kind == REPEATS else note.kind  # the others' rows say something
            others.setdefault((of, kind, note.about, note.counts), []).append(note)
        elif note.counts and len(told) > 1:
            common.append(Note(f"In each eval: {note}", note.kind, about=note.about))
        else:
            common.append(note)
    named = [  # the names once, before all that they share
        Note(f"{of}: {' '.join(own)}", kind, about=about, counts=counts)
        for (of, kind, about, counts), own in others.items()
    ]
    return (*common, *named)
