"""A checked table in words: what does not fit together, what its pairs allow to conclude, a
paragraph for its authors.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from reportkit.documents.prose import from_template
from reportkit.documents.prose.words import listed
from reportkit.published import CheckedPair, CheckedTable, Finding, Severity
from reportkit.text.numbers import count, counted, percent_of

TITLES: dict[Severity, str] = {
    "inconsistent": "Does not fit together",
    "condition": "Holds only under a condition",
    "note": "Worth knowing",
}
# Notes that a question to the authors comes of: an error that only some scores can have.
SMALL = ("se-small", "interval-narrow")
TOLD = 6  # pairs that a sentence names, and evals that it counts pairs of
# Before the means that are compared though their numbers do not fit.
DOUBTED = "What is said of these rests on printed numbers that do not fit together"
PLURALS = {"mean": "means", "difference": "differences", "eval": "evals"}


def findings(c: CheckedTable) -> str:
    """What was read, then every finding under a title."""
    groups = [(title, told(c, severity)) for severity, title in TITLES.items()]
    shown = [group for group in groups if group[1]]
    return from_template("checked_findings.md.j2", opening=opening(c), groups=shown)


def opening(c: CheckedTable) -> str:
    """How much was read, and in a sentence what was found."""
    evals = {m.eval for m in c.table.means} | {d.eval for d in c.table.differences}
    models = {m.model for m in c.table.means if m.model}
    models |= {name for d in c.table.differences for name in (d.model, d.baseline)}
    means = sum(m.mean is not None for m in c.table.means)
    parts = [counted(means, "mean")] if means or not c.table.differences else []
    if c.table.differences:
        parts.append(counted(len(c.table.differences), "difference"))
    read = (
        f"{' and '.join(parts)} of {counted(len(models), 'model')} on "
        f"{counted(len(evals), 'eval')} were read from {c.table.file}."
    )
    odd, maybe = len(c.of("inconsistent")), len(c.of("condition"))
    if odd:
        verb = "does" if odd == 1 else "do"
        found = f"{counted(odd, 'printed number')} {verb} not fit with what is printed beside"
        found += " it." if odd == 1 else " them."
    else:
        found = "No printed number was found to contradict another."
    if maybe:
        verb = "holds" if maybe == 1 else "hold"
        found += f" {counted(maybe, 'number')} {verb} only under a condition."
    return f"{read} {found}{_unscaled(c, len(evals))}"


def _unscaled(c: CheckedTable, evals: int) -> str:
    """Where most checks could not be made: nothing found there says nothing."""
    unknown = {m.eval for m in c.table.means if not m.scale.known}
    uncounted = {m.eval for m in c.table.means if m.n is None} - unknown
    said = ""
    if unknown:
        said += (
            f" Bounds and counts{_some(unknown, evals)} were not checked, since no scale is "
            "printed: say --scale percent, or the ends, such as --scale 1,10."
        )
    if uncounted:
        said += (
            f" Counts and errors{_some(uncounted, evals)} were not checked, since no number of "
            "questions is printed: say --questions EVAL=NUMBER."
        )
    return said


def _some(of: Collection[str], evals: int) -> str:
    return f" of {count(len(of))} of the {count(evals)} evals" if len(of) < evals else ""


def told(c: CheckedTable, severity: Severity) -> list[str]:
    """The findings of a kind for who checks the table, a paragraph each; those that hold under one
    condition together. They name the lines of the file, and options of the command.
    """
    return [
        " ".join([*(f"{_place(f)}{_line(f)}" for f in group), _ending(group, advised=True)]).strip()
        for group in _together(c.of(severity))
    ]


def told_authors(c: CheckedTable, severity: Severity) -> list[str]:
    """The same for people who do not have the file: a number is named by table, eval and model. Of
    the notes, those alone that only the authors can answer.
    """
    names = _table_names(c)
    said = []
    for group in _together([f for f in c.of(severity) if severity != "note" or f.code in SMALL]):
        lines = [*map(_line, group)]
        for i, f in enumerate(group):
            name = names.get(f.table, "")
            lines[i] = f"{name}, {lines[i]}" if name else lines[i]
            for own, told_as in names.items():
                lines[i] = lines[i].replace(f" in {own}", f" in {told_as}")
        said.append(" ".join([*lines, _ending(group, advised=False)]).strip())
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


def _together(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of a kind, those with one condition and one advice together."""
    by: dict[tuple[str, str], list[Finding]] = {}
    for number, f in enumerate(findings):
        by.setdefault((f.unless or str(number), f.advice), []).append(f)
    return list(by.values())


def _ending(group: Sequence[Finding], *, advised: bool) -> str:
    """When the numbers of a group can be right, and what helps to decide it."""
    unless, advice = group[0].unless, group[0].advice
    parts = [_unless(unless, len(group))] if unless else []
    return " ".join([*parts, *([f"{advice}."] if advised and advice else [])])


def _unless(condition: str, n: int) -> str:
    each = "Each" if n > 1 else "It"
    return f"{each} can be right if {condition}."


def _place(f: Finding) -> str:
    """Where a finding stands in the file."""
    lines = f"lines {f.before} and {f.line}" if f.before else f"line {f.line}"
    if not f.table:
        return f"{lines.capitalize()}, " if f.line else ""
    return f"{f.table}, {lines}, " if f.before else f"{f.table}, "


def _line(f: Finding) -> str:
    return f"{f.who}: {f.message}."


def conclusions(c: CheckedTable) -> str:
    """What the pairs allow to conclude, in a sentence for each answer."""
    return from_template("checked_list.md.j2", lines=conclusion_lines(c))


def conclusion_lines(c: CheckedTable) -> list[str]:
    if not c.pairs:
        if not c.table.means:
            return ["No means were read, so that there are no pairs to compare."]
        return ["No eval has two models: there is nothing to compare."]
    yes = [p for p in c.pairs if p.settled == "yes"]
    lines = []
    if all(p.settled == "unknown" for p in c.pairs):
        lines.append(
            "Nothing can be concluded of any pair: no standard error is printed, and too little "
            f"is known of the scores to bound one.{_needed(c)}"
        )
    elif yes:
        lines.append(
            f"From means and standard errors alone, as if the questions were not the same: "
            f"{_told_apart(c, yes)}."
        )
    else:
        lines.append(
            "From means and standard errors alone, as if the questions were not the same, no pair "
            "is settled. That does not say that models are equal."
        )
    rounding = [p for p in c.pairs if p.settled == "rounding"]
    if rounding:
        lines.append(f"The table prints too few digits to settle it: {_named(c, rounding)}.")
    lines += _paired(c)
    printed = sum(d.se is not None or d.low is not None for d in c.table.differences)
    if printed:
        lines.append(
            f"The table itself prints {counted(printed, 'difference')} with an error or an "
            "interval. A paired one says more than these columns."
        )
    unknown = [p for p in c.pairs if p.settled == "unknown"]
    if unknown and len(unknown) < len(c.pairs):
        lines.append(
            f"Without any standard error, and without what would bound it: {_named(c, unknown)}."
        )
    if c.doubted:
        lines.append(f"{DOUBTED}: {_grouped(c.doubted)}.")
    if c.narrow and any(p.settled != "unknown" for p in c.pairs):
        lines.append(
            f"What is said of {listed(c.narrow, 'and')} rests on errors that may be too narrow: "
            "questions come in groups there, and the errors are not said to allow for it."
        )
    return lines


def _needed(c: CheckedTable) -> str:
    """What the user can say to have the standard errors bounded."""
    asked = []
    if any(m.n is None for m in c.table.means):
        asked.append("how many questions each eval has (--questions EVAL=NUMBER)")
    if not all(m.scale.known for m in c.table.means):
        each = "it" if asked else "each eval"
        asked.append(f"on which scale {each} is scored (--scale percent)")
    return f" Say {' and '.join(asked)}." if asked else ""


def _paired(c: CheckedTable) -> list[str]:
    """What a paired analysis could show of the pairs that are not settled."""
    alpha, (low, high) = 1.0 - c.level, c.correlations
    still = [p for p in c.pairs if p.settled in ("no", "rounding")]
    at_low = [p for p in still if p.p_paired_low < alpha]
    at_high = [p for p in still if p.p_paired_high < alpha <= p.p_paired_low]
    never = [p for p in still if not p.p_paired_high < alpha and not p.p_paired_low < alpha]
    said = []
    if at_low:
        said.append(
            f"A paired analysis of the same questions would tell apart, each pair by itself, "
            f"already at a correlation of {low:g}: {_named(c, at_low)}."
        )
    if at_high:
        said.append(
            f"At {high:g}, but not at {low:g}, it would tell apart: {_named(c, at_high)}."
            if at_low
            else f"A paired analysis of the same questions would tell apart, each pair by itself, "
            f"at a correlation of {high:g}, but not at {low:g}: {_named(c, at_high)}."
        )
    if never:
        said.append(
            f"A paired analysis would not settle, at any correlation up to {high:g}: "
            f"{_named(c, never)}."
        )
    return said


def _told_apart(c: CheckedTable, pairs: Sequence[CheckedPair]) -> str:
    """Which model scores above which."""
    if len(pairs) > TOLD:
        return f"one model scores above the other in {_counted(c, pairs)}"
    return _grouped([(_higher(p), p.eval) for p in pairs])


def _named(c: CheckedTable, pairs: Sequence[CheckedPair]) -> str:
    """Pairs by their names; of many, how many they are on each eval."""
    if len(pairs) > TOLD:
        return _counted(c, pairs)
    return _grouped([(f"{p.model} and {p.baseline}", p.eval) for p in pairs])


def _counted(c: CheckedTable, pairs: Sequence[CheckedPair]) -> str:
    found, every = (Counter(p.eval for p in of) for of in (pairs, c.pairs))
    parts = [f"{name} {count(n)} of {count(every[name])}" for name, n in found.items()]
    more = len(parts) - TOLD
    parts = parts[:TOLD] + ([f"and {counted(more, 'more eval')}"] if more > 0 else [])
    return f"{count(len(pairs))} of {counted(len(c.pairs), 'pair')} ({', '.join(parts)})"


def _grouped(said: Iterable[tuple[str, str]]) -> str:
    """What is said of several evals in the same words, once."""
    evals: dict[str, list[str]] = {}
    for words, name in said:
        evals.setdefault(words, []).append(name)
    return "; ".join(f"{words} on {listed(of, 'and')}" for words, of in evals.items())


def _higher(p: CheckedPair) -> str:
    above, below = (p.model, p.baseline) if p.difference > 0.0 else (p.baseline, p.model)
    return f"{above} scores above {below}"


# For the authors ----------------------------------------------------------------------------------


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
    if not odd and not maybe and not small:
        return f"{lead} We found nothing that does not fit together.", [], ""
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
    return lead, [part for part in parts if part[1]], end


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
        read_as=c.table.read_as,
        unchecked=c.unchecked,
    )
