"""Which rows of the tables of a checked table have a mark, and what notes say of it."""

from collections.abc import Callable, Collection, Iterable

from reportkit.published import CheckedMean, CheckedPair, CheckedTable, Severity
from reportkit.tables.notes import Note

ODD, MAYBE = "†", "‡"
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


def pair_mark(c: CheckedTable) -> Callable[[CheckedPair], str]:
    """What stands behind a pair of which a mean's numbers do not fit together."""
    doubted = set(c.doubted)

    def mark(p: CheckedPair) -> str:
        return f" {ODD}" * any((model, p.eval) in doubted for model in (p.model, p.baseline))

    return mark


def reservations(c: CheckedTable, pairs: Iterable[CheckedPair]) -> list[str]:
    """Whose numbers do not fit together, or may be too narrow, though these pairs are compared with
    them, and which means are in no pair; empty where none.
    """
    compared = {(m, p.eval) for p in pairs for m in (p.model, p.baseline)}
    odd = ", ".join(f"{model} on {name}" for model, name in c.doubted if (model, name) in compared)
    evals = {name for _, name in compared}
    narrow = ", ".join(name for name in c.narrow if name in evals)
    return [
        f"{ODD}: rests on printed numbers that do not fit together: {odd}." * bool(odd),
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
