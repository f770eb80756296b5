"""A checked table in words: what does not fit together, what its pairs allow to conclude."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from markupsafe import Markup

from reportkit.advised import Advised, Line, Option, said
from reportkit.documents.prose import from_template
from reportkit.documents.prose.advice import in_document, perhaps_in_name
from reportkit.documents.prose.checked_pairs import in_short
from reportkit.published import (
    CheckedTable,
    Finding,
    Severity,
)
from reportkit.text.numbers import count, counted, joined, percent_of

TITLES: dict[Severity, str] = {
    "inconsistent": "Does not fit together",
    "condition": "Holds only under a condition",
    "note": "Worth knowing",
}
_NUMBERED = re.compile(r"Tab(le|\.) ?\w+(\.\w+)*")


def findings(c: CheckedTable) -> str:
    """What was read, then every finding under a title."""
    groups = [
        (title, [*map(in_document, finding_lines(c, kind))]) for kind, title in TITLES.items()
    ]
    shown = [group for group in groups if group[1]]
    read, *unchecked = opening_lines(c)
    opened = Markup(" ").join(map(in_document, [read, *in_short(c), *unchecked]))
    return from_template("checked_findings.md.j2", opening=opened, groups=shown)


def opening(c: CheckedTable) -> str:
    """How much was read, and what was found, for a terminal."""
    return " ".join(map(said, opening_lines(c)))


def opening_lines(c: CheckedTable) -> list[Line]:
    """How much was read, in a sentence what was found, and what was not checked."""
    evals = {m.eval for m in c.table.means} | {d.eval for d in c.table.differences}
    models = {m.model for m in c.table.means if m.model}
    models |= {name for d in c.table.differences for name in (d.model, d.baseline)}
    parts = [counted(n, kind) for kind, n in (c.table.counts or {"mean": 0}).items()]
    read = (
        f"{joined(parts, 'and')} of {counted(len(models), 'model')} on "
        f"{counted(len(evals), 'eval')} were read from {c.table.file}."
    )
    odd, maybe = len(c.of("inconsistent")), len(c.of("condition"))
    if odd:
        verb = "does" if odd == 1 else "do"
        fits = f"{counted(odd, 'printed number')} {verb} not fit with what is printed beside"
        fits += " it." if odd == 1 else " them."
    else:
        fits = "No printed number was found to contradict another."
    if maybe:
        verb = "holds" if maybe == 1 else "hold"
        fits += f" {counted(maybe, 'number')} {verb} only under a condition."
    return [f"{read} {fits}", *_unscaled(c, len(evals))]


def _unscaled(c: CheckedTable, evals: int) -> Iterator[Line]:
    """Where most checks could not be made: nothing found there says nothing."""
    unknown = {m.eval for m in c.table.means if not m.scale.known}
    uncounted = dict.fromkeys(m.eval for m in c.table.means if m.n is None)
    if unknown:
        yield Advised(
            f"Bounds and counts{_some(unknown, evals)} were not checked, since no scale is "
            "printed.",
            (
                Option("scale", "percent"),
                Option("scale", "LOW,HIGH", "with the smallest and the largest score"),
            ),
        )
    if uncounted:
        yield Advised(
            f"Counts and errors{_some(uncounted, evals)} were not checked, since no number of "
            f"questions is known.{perhaps_in_name(uncounted)}",
            (Option("questions", "EVAL=NUMBER"),),
        )


def _some(of: Collection[str], evals: int) -> str:
    return f" of {count(len(of))} of the {count(evals)} evals" if len(of) < evals else ""


def told(c: CheckedTable, severity: Severity) -> list[str]:
    """The findings of a kind for a terminal."""
    return [*map(said, finding_lines(c, severity))]


def finding_lines(c: CheckedTable, severity: Severity) -> list[Line]:
    """The findings of a kind for who checks the table, a paragraph each; after those of which one
    thing is said, that. They name the lines of the file, and options of the command.
    """
    names = names_of_tables(c, "{} of the source")
    lines: list[Line] = []
    for group in together(c.of(severity)):
        *before, last = lines_of(group, lambda f: _place(f, names[f.table]))
        lines += [*before, Advised(last, group[0].advice)]
    return lines


def together(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of a kind, those of which one thing is said together."""
    by: dict[tuple[str, str, tuple[Option, ...]], list[Finding]] = {}
    for number, f in enumerate(findings):
        by.setdefault((_after(f), f.unless or str(number) * (not _after(f)), f.advice), []).append(
            f
        )
    return list(by.values())


def _after(f: Finding) -> str:
    """What a message says behind its first sentence, which alone has numbers of its own."""
    return f.message.partition(". ")[2]


def lines_of(group: Sequence[Finding], place: Callable[[Finding], str]) -> list[str]:
    """A paragraph for each finding, and for what is said of all of them, or one for a single
    finding. place: what stands before the names of its eval and model.
    """
    right = f"can be right if {group[0].unless}." if group[0].unless else ""
    if len(group) == 1:
        text = f"{place(group[0])}{group[0].who}: {group[0].message}."
        return [f"{text} It {right}" if right else text]
    each = [f"{place(f)}{f.who}: {f.message.partition('. ')[0]}." for f in group]
    after, above = _after(group[0]), f"of the {count(len(group))} above"
    said_of_all = [f"For each {above}: {after[0].lower()}{after[1:]}."] if after else []
    return [*each, " ".join([*said_of_all, *([f"Each {above} {right}"] if right else [])])]


def names_of_tables(c: CheckedTable, theirs: str) -> dict[str, str]:
    """How each table of the file is called: "Table 2" of a caption that begins so as `theirs` says,
    since the report has a Table 2 of its own. One table needs no name.
    """
    t = c.table
    places = [row.place for row in (*t.means, *t.averages)]
    places += [row.place for row in (*t.differences, *t.of_averages)]
    tables = list(dict.fromkeys(place.table for place in places))
    if len(tables) == 1:
        return {tables[0]: ""}
    found = {name: _NUMBERED.match(name) for name in tables}
    short = {name: theirs.format(m[0]) if m else name for name, m in found.items()}
    return short if len(set(short.values())) == len(tables) else {x: x for x in tables}


def _place(f: Finding, name: str) -> str:
    """Where a finding stands in the file."""
    lines = f"lines {f.before} and {f.line}" if f.before else f"line {f.line}"
    if not name:
        return f"{lines.capitalize()}, " if f.line else ""
    return f"{name}, {lines}, " if f.before else f"{name}, "


# What it rests on ---------------------------------------------------------------------------------


def methods(c: CheckedTable) -> str:
    """Which formulas were used, what was taken for granted, and what was not checked."""
    low, high = c.correlations
    return from_template(
        "checked_methods.md.j2",
        level=percent_of(c.level),
        low=f"{low:g}",
        high=f"{high:g}",
        pairs=len(c.pairs),
        read_as=[*map(in_document, c.table.read_as)],
        unchecked=[*map(in_document, c.unchecked)],
    )
