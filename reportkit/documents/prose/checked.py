"""A checked table in words: what does not fit together, what its pairs allow to conclude."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from markupsafe import Markup

from reportkit.advised import Advised, Line, Option, said
from reportkit.documents.prose import from_template
from reportkit.documents.prose.advice import in_document, perhaps_in_name
from reportkit.published import (
    CheckedDifference,
    CheckedPair,
    CheckedTable,
    Finding,
    PublishedDifference,
    Severity,
)
from reportkit.tables.published_marks import in_no_pair
from reportkit.text.numbers import count, counted, joined, percent_of

TITLES: dict[Severity, str] = {
    "inconsistent": "Does not fit together",
    "condition": "Holds only under a condition",
    "note": "Worth knowing",
}
Compared = CheckedPair | CheckedDifference | PublishedDifference
_NUMBERED = re.compile(r"Tab(le|\.) ?\w+(\.\w+)*")
TOLD = 6  # pairs that a sentence names, and evals that it counts pairs of
# Before the means that are compared though their numbers do not fit.
DOUBTED = (
    "What is said of these means rests on printed numbers that do not fit together, so that "
    "nothing is settled of pairs with them"
)


def findings(c: CheckedTable) -> str:
    """What was read, then every finding under a title."""
    groups = [
        (title, [*map(in_document, finding_lines(c, kind))]) for kind, title in TITLES.items()
    ]
    shown = [group for group in groups if group[1]]
    opened = Markup(" ").join(map(in_document, opening_lines(c)))
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


def conclusions(c: CheckedTable) -> str:
    """What the pairs allow to conclude, in a sentence for each answer."""
    return from_template("checked_list.md.j2", lines=[*map(in_document, concluded(c))])


def conclusion_lines(c: CheckedTable) -> list[str]:
    """The same for a terminal."""
    return [*map(said, concluded(c))]


def concluded(c: CheckedTable) -> list[Line]:
    if not c.pairs:
        alone = "No eval has two models: there is nothing to compare."
        none = "No means were read, so that there are no pairs to compare."
        return [alone if c.table.means else none, *_own(c)]
    yes, rounding = ([p for p in c.pairs if p.settled == x] for x in ("yes", "rounding"))
    printed = " by the printed digits" if rounding else ""
    lines: list[Line] = []
    if all(p.settled == "unknown" for p in c.pairs):
        lines.append(
            Advised(
                "Nothing can be concluded of any pair: no standard error is printed, and too "
                "little is known of the scores to bound one.",
                tuple(_needed(c)), every=True,
            )
        )  # fmt: skip
    elif yes:
        lines.append(
            f"From means and standard errors alone, as if the questions were not the same: "
            f"{_told_apart(c.pairs, yes)}."
        )
    else:
        lines.append(
            "From means and standard errors alone, as if the questions were not the same, no pair "
            f"is settled{printed}. That does not say that models are equal."
        )
    if rounding:
        lines.append(f"More digits might settle these: {_named(c.pairs, rounding)}.")
    lines += _paired(c)
    lines += _own(c)
    unknown = [p for p in c.pairs if p.settled == "unknown"]
    if unknown and len(unknown) < len(c.pairs):
        lines.append(
            "Without any standard error, and without what would bound it: "
            f"{_named(c.pairs, unknown)}."
        )
    if doubted := c.doubted("inconsistent"):
        lines.append(f"{DOUBTED}: {_grouped(doubted)}.")
    if c.pairs:
        lines += filter(None, [in_no_pair(c)])
    if c.narrow and any(p.settled != "unknown" for p in c.pairs):
        lines.append(
            f"What is said of {joined(c.narrow, 'and')} rests on errors that may be too narrow: "
            "questions come in groups there, and the errors are not known to allow for it."
        )
    return lines


def _own(c: CheckedTable) -> Iterator[Line]:
    """What the printed differences say by their own errors."""
    if not c.with_errors:
        return
    printed = counted(c.with_errors, "difference")
    text = f"The table itself prints {printed} with an error or an interval."
    yes, rounding, no = (
        [d for d in c.differences if d.settled == x] for x in ("yes", "rounding", "no")
    )
    if yes:
        text += f" By these errors, each by itself: {_told_apart(c.differences, yes)}."
    if rounding:
        text += f" More digits might settle: {_named(c.differences, rounding)}."
    if no:
        text += f" Not settled: {_named(c.differences, no)}."
    tested = {(d.table, d.line, d.eval, d.model) for d in c.differences}
    left = [
        d for d in c.table.differences
        if d.has_error and (d.place.table, d.place.line, d.eval, d.model) not in tested
    ]  # fmt: skip
    if left:
        does, its = ("does", "its") if len(left) == 1 else ("do", "their")
        text += (
            f" Left out, as {'it' if len(left) == 1 else 'they'} {does} not fit with other printed "
            f"numbers, or nothing tells {its} sign: {_named(left, left)}."
        )
    yield text


def _needed(c: CheckedTable) -> Iterator[Option]:
    """What the user can say to have the standard errors bounded."""
    if any(m.n is None for m in c.table.means):
        yield Option("questions", "EVAL=NUMBER", "with how many questions each eval has")
    if not all(m.scale.known for m in c.table.means):
        yield Option("scale", "percent", "if means are percentages")


def _paired(c: CheckedTable) -> list[str]:
    """What a paired analysis could show of the pairs that are not settled."""
    alpha, (low, high) = 1.0 - c.level, c.correlations
    still = [p for p in c.pairs if p.settled in ("no", "rounding")]
    at_low = [p for p in still if p.p_paired_low < alpha]
    at_high = [p for p in still if p.p_paired_high < alpha <= p.p_paired_low]
    never = [p for p in still if not p.p_paired_high < alpha and not p.p_paired_low < alpha]
    analysis = "A paired analysis of the same questions"
    if len(still) > 1 and any(p.settled == "yes" for p in c.pairs):
        analysis = f"Of the {count(len(still))} pairs that are not settled, a{analysis[1:]}"
    said = []
    if at_low:
        said.append(
            f"{analysis} would tell apart, each pair by itself, already at a correlation of "
            f"{low:g}: {_named(still, at_low)}."
        )
    if at_high:
        said.append(
            f"At {high:g}, but not at {low:g}, it would tell apart: {_named(still, at_high)}."
            if at_low
            else f"{analysis} would tell apart, each pair by itself, at a correlation of {high:g}, "
            f"but not at {low:g}: {_named(still, at_high)}."
        )
    if never:
        said.append(
            f"A paired analysis would not settle, at any correlation up to {high:g}: "
            f"{_named(still, never)}."
        )
    return said


def _told_apart(
    all_pairs: Sequence[Compared], pairs: Sequence[CheckedPair] | Sequence[CheckedDifference]
) -> str:
    """Which model scores above which."""
    if len(pairs) > TOLD:
        return f"one model scores above the other in {_counted(all_pairs, pairs)}"
    return _grouped([(_higher(p), p.eval) for p in pairs])


def _named(all_pairs: Sequence[Compared], pairs: Sequence[Compared]) -> str:
    """Pairs by their names; of many, how many they are on each eval."""
    if len(pairs) > TOLD:
        return _counted(all_pairs, pairs)
    return _grouped([(f"{p.model} and {p.baseline}", p.eval) for p in pairs])


def _counted(all_pairs: Sequence[Compared], pairs: Sequence[Compared]) -> str:
    found, every = (Counter(p.eval for p in of) for of in (pairs, all_pairs))
    parts = [f"{name} {count(n)} of {count(every[name])}" for name, n in found.items()]
    more = len(parts) - TOLD
    parts = parts[:TOLD] + ([f"and {counted(more, 'more eval')}"] if more > 0 else [])
    return f"{count(len(pairs))} of {counted(len(all_pairs), 'pair')} ({', '.join(parts)})"


def _grouped(said: Iterable[tuple[str, str]]) -> str:
    """What is said of several evals in the same words, once."""
    evals: dict[str, list[str]] = {}
    for words, name in said:
        evals.setdefault(words, []).append(name)
    return "; ".join(f"{words} on {joined(of, 'and')}" for words, of in evals.items())


def _higher(p: CheckedPair | CheckedDifference) -> str:
    above, below = (p.model, p.baseline) if p.difference > 0.0 else (p.baseline, p.model)
    return f"{above} scores above {below}"


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
