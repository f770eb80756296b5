"""A checked table in words: what does not fit together, what its pairs allow to conclude."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from markupsafe import Markup

from reportkit.documents.prose import from_template
from reportkit.documents.prose.words import listed
from reportkit.published import CheckedPair, CheckedTable, Finding, Severity
from reportkit.text.escaping import markdown
from reportkit.text.numbers import count, counted, percent_of

TITLES: dict[Severity, str] = {
    "inconsistent": "Does not fit together",
    "condition": "Holds only under a condition",
    "note": "Worth knowing",
}
TOLD = 6  # pairs that a sentence names, and evals that it counts pairs of
# Before the means that are compared though their numbers do not fit.
DOUBTED = (
    "What is said of these means, and of pairs with them, rests on printed numbers that do not fit "
    "together"
)
# What a terminal is told to say: an option of the command, with what is given to it.
_OPTION = re.compile(
    r"(?:\b(say|Say) )?"
    r"(--[a-z-]+(?: (?:'[\w .()+-]*'=NUMBER|(?:[\w%|=-]|[.,](?=\w))+(?![\w=])))?)"
)
PLURALS = {"mean": "means", "difference": "differences", "eval": "evals"}


def findings(c: CheckedTable) -> str:
    """What was read, then every finding under a title."""
    groups = [
        (title, [*map(with_options, told(c, severity))]) for severity, title in TITLES.items()
    ]
    shown = [group for group in groups if group[1]]
    return from_template("checked_findings.md.j2", opening=with_options(opening(c)), groups=shown)


def with_options(text: str) -> Markup:
    """A sentence for a document: what a terminal is told to say, as an option of the command.

    >>> print(with_options("No scale is printed: say --scale percent, or --scale 1,10."))
    No scale is printed: the option is `--scale percent`, or `--scale 1,10`.
    """
    parts, end = [], 0
    for found in _OPTION.finditer(text):
        say = {"say": "the option is ", "Say": "The option is "}.get(found[1], "")
        parts += [_escaped(text[end : found.start()]), f"{say}`{found[2]}`"]
        end = found.end()
    return Markup("".join([*parts, _escaped(text[end:])]))


def _escaped(part: str) -> str:
    """A part of a sentence, with the blanks at its ends."""
    blank = " " if part[:1] == " " and part.strip() else ""
    return f"{blank}{markdown(part)}{' ' * (part[-1:] == ' ')}"


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
        " ".join(
            [*(f"{_place(f)}{line_of(f)}" for f in group), ending(group, advised=True)]
        ).strip()
        for group in together(c.of(severity))
    ]


def together(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of a kind, those with one condition and one advice together."""
    by: dict[tuple[str, str], list[Finding]] = {}
    for number, f in enumerate(findings):
        by.setdefault((f.unless or str(number), f.advice), []).append(f)
    return list(by.values())


def ending(group: Sequence[Finding], *, advised: bool) -> str:
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


def line_of(f: Finding) -> str:
    return f"{f.who}: {f.message}."


def conclusions(c: CheckedTable) -> str:
    """What the pairs allow to conclude, in a sentence for each answer."""
    return from_template("checked_list.md.j2", lines=[*map(with_options, conclusion_lines(c))])


def conclusion_lines(c: CheckedTable) -> list[str]:
    if not c.pairs:
        if not c.table.means:
            return ["No means were read, so that there are no pairs to compare."]
        return ["No eval has two models: there is nothing to compare."]
    yes, rounding = ([p for p in c.pairs if p.settled == x] for x in ("yes", "rounding"))
    printed = " by the printed digits" if rounding else ""
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
            f"is settled{printed}. That does not say that models are equal."
        )
    if rounding:
        lines.append(f"More digits might settle these: {_named(c, rounding)}.")
    lines += _paired(c)
    own = sum(d.se is not None or d.low is not None for d in c.table.differences)
    if own:
        lines.append(
            f"The table itself prints {counted(own, 'difference')} with an error or an "
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
        read_as=[*map(with_options, c.table.read_as)],
        unchecked=[*map(with_options, c.unchecked)],
    )
