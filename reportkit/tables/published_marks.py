"""Which rows of the tables of a checked table have a mark, and what notes say of it."""

from collections.abc import Callable, Collection, Iterable, Sequence

from reportkit.published import CheckedMean, CheckedPair, CheckedTable, Severity
from reportkit.tables.notes import Note

ODD, MAYBE = "†", "‡"
MARKS: dict[Severity, str] = {"inconsistent": ODD, "condition": MAYBE}
RESTS_ON: dict[Severity, str] = {
    "inconsistent": "rests on printed numbers that do not fit together",
    "condition": "rests on a number that holds only under a condition",
}
# Marked in a table of pairs: what rests on errors; and what rests on means and counts alone.
OF_ERRORS: tuple[Severity, ...] = ("inconsistent", "condition")
OF_COUNTS: tuple[Severity, ...] = ("inconsistent",)
Marks = Callable[[CheckedMean], str]


def marks_of(c: CheckedTable) -> Marks:
    """What stands behind each mean: the mark of a number that does not fit with what is printed
    beside it, that of one that holds under a condition, both, or nothing.
    """
    odd, maybe = _rows(c, "inconsistent"), _rows(c, "condition")

    def mark(m: CheckedMean) -> str:
        row = (m.eval, m.model, m.table, m.line)
        marks = ODD * (row in odd) + MAYBE * (row in maybe)
        return f" {marks}" if marks else ""

    return mark


def _rows(c: CheckedTable, severity: Severity) -> Collection[tuple[str, str, str, int]]:
    return {(f.eval, f.model, f.table, f.line) for f in c.of(severity) if not f.baseline}


def mark_notes(c: CheckedTable) -> list[Note]:
    """What the marks of means stand for."""
    mark = marks_of(c)
    shown = "".join(map(mark, c.means))
    notes = []
    if ODD in shown:
        text = f"{ODD}: a printed number of the row does not fit with what is printed beside it."
        notes.append(Note(text, about="mean"))
    if MAYBE in shown:
        text = f"{MAYBE}: a printed number of the row holds only under a condition."
        notes.append(Note(text, about="mean"))
    return notes


def pair_mark(
    c: CheckedTable, severities: Sequence[Severity] = OF_ERRORS
) -> Callable[[CheckedPair], str]:
    """What stands behind a pair of which a mean has a finding of these: its mark."""
    doubted = {MARKS[severity]: c.doubted(severity) for severity in severities}

    def mark(p: CheckedPair) -> str:
        means = {(model, p.eval) for model in (p.model, p.baseline)}
        marks = "".join(m for m, odd in doubted.items() if not means.isdisjoint(odd))
        return f" {marks}" if marks else ""

    return mark


def pair_notes(
    c: CheckedTable, pairs: Iterable[CheckedPair], severities: Sequence[Severity]
) -> list[str]:
    """What the marks of these pairs stand for, and of which means they are."""
    compared = {(m, p.eval) for p in pairs for m in (p.model, p.baseline)}
    notes = []
    for severity in severities:
        odd = [
            f"{model} on {name}" for model, name in c.doubted(severity) if (model, name) in compared
        ]
        if odd:
            notes.append(f"{MARKS[severity]}: {RESTS_ON[severity]}: {', '.join(odd)}.")
    return notes


def reservations(c: CheckedTable, pairs: Sequence[CheckedPair]) -> list[str]:
    """What the marks of these pairs stand for, whose errors may be too narrow, and which means are
    in no pair; empty where none.
    """
    evals = {p.eval for p in pairs}
    narrow = ", ".join(name for name in c.narrow if name in evals)
    return [
        *pair_notes(c, pairs, OF_ERRORS),
        f"Errors that may be too narrow, as questions come in groups: {narrow}." * bool(narrow),
        in_no_pair(c),
    ]


def in_no_pair(c: CheckedTable) -> str:
    """The means that are left out of the pairs, in a sentence; empty where none."""
    compared = {(m, p.eval) for p in c.pairs for m in (p.model, p.baseline)}
    outside = dict.fromkeys((f.model, f.eval) for f in c.findings if f.code == "mean-outside")
    left = ", ".join(
        f"{model} on {name}" for model, name in outside if (model, name) not in compared
    )
    return f"In no pair, as the mean lies outside its scale: {left}." * bool(left)
