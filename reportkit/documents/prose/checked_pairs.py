"""What the pairs of a checked table allow to conclude, in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from reportkit.advised import Advised, Line, Option, said
from reportkit.documents.prose import from_template
from reportkit.documents.prose.advice import in_document
from reportkit.published import (
    CheckedDifference,
    CheckedPair,
    CheckedTable,
    PublishedDifference,
)
from reportkit.tables.published_marks import in_no_pair
from reportkit.text.numbers import count, counted, joined

Compared = CheckedPair | CheckedDifference | PublishedDifference
TOLD = 6  # pairs that a sentence names, and evals that it counts pairs of
# Before the means that are compared though their numbers do not fit.
DOUBTED = (
    "What is said of these means rests on printed numbers that do not fit together, so that "
    "nothing is settled of pairs with them"
)


def conclusions(c: CheckedTable) -> str:
    """What the pairs allow to conclude, in a sentence for each answer."""
    return from_template("checked_list.md.j2", lines=[*map(in_document, concluded(c))])


def conclusion_lines(c: CheckedTable) -> list[str]:
    """The same for a terminal."""
    return [*map(said, concluded(c))]


def in_short(c: CheckedTable) -> list[str]:
    """How many pairs means and errors alone settle, in a sentence; none where nothing is known of
    any pair.
    """
    found = Counter(p.settled for p in c.pairs)
    yes, rounding, unknown, doubted = (
        found[kind] for kind in ("yes", "rounding", "unknown", "doubted")
    )
    if unknown + doubted == len(c.pairs):
        return []
    if len(c.pairs) == 1:
        how = "settle" if yes else "do not settle"
        if rounding:
            how = "might, with more digits, settle"
        return [f"Means and errors alone {how} which of the two models scores higher."]
    of = f"Of {count(len(c.pairs))} pairs of models, means and errors alone settle"
    parts = [f"{of} {count(yes) if yes else 'none'}"]
    if rounding:
        parts.append(f"{count(rounding)} depend{'s' * (rounding == 1)} on rounding")
    if unknown:
        parts.append(f"of {count(unknown)} nothing is known")
    if doubted:
        parts.append(f"{count(doubted)} rest{'s' * (doubted == 1)} on numbers that do not fit")
    return [f"{joined(parts, 'and')}."]


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
    low, high = (f"{r:g}" for r in c.correlations)
    still = [p for p in c.pairs if p.settled in ("no", "rounding")]
    analysis = "A paired analysis of the same questions"
    if len(still) > 1 and any(p.settled == "yes" for p in c.pairs):
        analysis = f"Of the {count(len(still))} pairs that are not settled, a{analysis[1:]}"
    # by what holds at the two ends of the range: p is smaller the larger r
    apart = {
        ("yes", "yes"): f"already at a correlation of {low}",
        ("rounding", "yes"): f"at a correlation of {high}, while at {low} it depends on rounding",
        ("no", "yes"): f"at a correlation of {high}, but not at {low}",
    }
    said: list[str] = []
    for ends, where in apart.items():
        pairs = _at_ends(still, ends)
        if pairs and not said:
            said.append(
                f"{analysis} would tell apart, each pair by itself, {where}: "
                f"{_named(still, pairs)}."
            )
        elif pairs:
            where = where.replace("at a correlation of ", "At ")
            said.append(f"{where}, it would tell apart: {_named(still, pairs)}.")
    if open_ := _at_ends(still, ("no", "rounding"), ("rounding", "rounding")):
        would = "it would" if said else f"{analysis[0].lower()}{analysis[1:]} would"
        said.append(
            f"Whether {would} tell apart at {'' if said else 'a correlation of '}{high} depends on "
            f"rounding: {_named(still, open_)}."
        )
    if never := _at_ends(still, ("no", "no")):
        said.append(
            f"A paired analysis would not settle, at any correlation up to {high}: "
            f"{_named(still, never)}."
        )
    return said


def _at_ends(pairs: Sequence[CheckedPair], *ends: tuple[str, str]) -> list[CheckedPair]:
    """The pairs of which this holds at the lower and at the higher correlation."""
    return [p for p in pairs if (p.settled_paired_low, p.settled_paired_high) in ends]


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
