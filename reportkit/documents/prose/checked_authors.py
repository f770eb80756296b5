"""What is said of a checked table to who printed it."""

from reportkit.documents.prose import from_template
from reportkit.documents.prose.checked import lines_of, names_of_tables, together
from reportkit.published import CheckedTable, Severity
from reportkit.text.numbers import joined

# Notes that a question to the authors comes of: an error that only some scores can have.
SMALL = ("se-small", "interval-narrow")


def to_authors(c: CheckedTable) -> str:
    """A paragraph that can be sent to who printed the table."""
    lead, parts, end = author_parts(c)
    return from_template("checked_authors.md.j2", lead=lead, parts=parts, end=end)


def author_parts(c: CheckedTable) -> tuple[str, list[tuple[str, list[str]]], str]:
    """How it begins, what does not fit with a heading sentence each, and how it ends."""
    odd, maybe, small = (told_authors(c, x) for x in ("inconsistent", "condition", "note"))
    lead = (
        "We read your printed numbers with care and checked them by arithmetic alone; we do not "
        "have the scores of single questions. Each printed number was taken as all that it may "
        "have been before its last digit was rounded or cut off."
    )
    found = bool(odd or maybe or small)
    groups = _about_groups(c, "also " * found)
    if not found:
        return f"{lead} We found nothing that does not fit together.", [], groups
    number, it = ("this number does", "it") if len(odd) == 1 else ("these numbers do", "them")
    parts = [
        (f"As we read the table, {number} not fit with what is printed beside {it}:", odd),
        ("These need a condition that we did not find in the table:", maybe),
        ("These depend on what the scores are, which we did not find in the table:", small),
    ]
    end = (
        "We may have misread the table or its setting, and none of this says that a score is "
        "wrong. Could you tell us how these numbers were made?"
    )
    return lead, [part for part in parts if part[1]], " ".join(filter(None, [end, groups]))


def _about_groups(c: CheckedTable, also: str) -> str:
    """Asks whether printed errors allow for groups, where the table does not say it."""
    odd = {f.eval for f in c.findings if f.code == "se-narrow"}
    names = [
        m.eval for m in c.table.means
        if m.eval in odd and m.errors != "naive" and (m.se is not None or m.low is not None)
    ]  # fmt: skip
    if not names:
        return ""
    return (
        f"Could you {also}tell us whether the errors of {joined(list(dict.fromkeys(names)), 'and')}"
        " allow for questions that come in groups?"
    )


def told_authors(c: CheckedTable, severity: Severity) -> list[str]:
    """The same for people who do not have the file: a number is named by table, eval and model. Of
    the notes, those alone that only the authors can answer.
    """
    names = names_of_tables(c, "Your {}")
    told = [f for f in c.of(severity) if severity != "note" or f.code in SMALL]
    return [
        line
        for group in together(told)
        for line in lines_of(group, lambda f: f"{names[f.table]}, " * bool(names[f.table]))
    ]
