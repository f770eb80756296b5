"""What is said of a checked table to who printed it."""

import re

from reportkit.documents.prose import from_template
from reportkit.documents.prose.checked import ending, line_of, together
from reportkit.documents.prose.words import listed
from reportkit.published import CheckedTable, Severity

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
        f"Could you {also}tell us whether the errors of {listed(list(dict.fromkeys(names)), 'and')}"
        " allow for questions that come in groups?"
    )


def told_authors(c: CheckedTable, severity: Severity) -> list[str]:
    """The same for people who do not have the file: a number is named by table, eval and model. Of
    the notes, those alone that only the authors can answer.
    """
    names = _table_names(c)
    said = []
    for group in together([f for f in c.of(severity) if severity != "note" or f.code in SMALL]):
        lines = [*map(line_of, group)]
        for i, f in enumerate(group):
            name = names.get(f.table, "")
            lines[i] = f"{name}, {lines[i]}" if name else lines[i]
            for own, told_as in names.items():
                lines[i] = lines[i].replace(f" in {own}", f" in {told_as}")
        said.append(" ".join([*lines, ending(group, advised=False)]).strip())
    return said


def _table_names(c: CheckedTable) -> dict[str, str]:
    """What authors are told of each table's name. One that has the line of a file in it, since
    several tables of the file are called alike, is told by its place among them.
    """
    places = [*(m.place for m in c.table.means), *(d.place for d in c.table.differences)]
    names = [x for x in dict.fromkeys(p.table for p in places) if x]
    bare = {name: re.sub(r" \(line \d+\)$", "", name) for name in names}
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(bare[name], []).append(name)
    return {
        name: f"{own} ({of.index(name) + 1} of {len(of)})" if name != own else name
        for own, of in alike.items()
        for name in of
    }
