"""How many questions the eval of each mean has."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reportkit.errors import ScoresError, did_you_mean
from reportkit.loading.published.entries import IN_BRACKETS, Entry
from reportkit.loading.published.heads import Head
from reportkit.loading.published.options import CheckOptions, is_meant
from reportkit.loading.published.sheet import Sheet
from reportkit.published import Printed, PublishedMean

# In the captions of reportkit's own tables.
_OWN = re.compile(
    r"; ([\d,]+) questions(?: in ([\d,]+) clusters(?: \([^()]*\))?)?"
    r"(?:, ([\d,]+) answers to each)?\."
)
_ANY = re.compile(r"(?<!\w)n ?= ?(\d[\d,]*\d|\d)", re.IGNORECASE)


def with_sizes(means: Iterable[PublishedMean], options: CheckOptions) -> Iterable[PublishedMean]:
    """Means with the number of questions: as printed, as the user says, or as another row of the
    eval has it, where all that have one agree.
    """
    means = list(means)
    said = _named_sizes(means, options)
    of_rows: dict[str, dict[Printed, Printed]] = {}  # as first printed, by what is printed
    for m in means:
        if m.n is not None:
            of_rows.setdefault(m.eval, {}).setdefault(replace(m.n, text=""), m.n)
    for m in means:
        known = of_rows.get(m.eval, {})
        if m.n is None and m.eval in said:
            m = replace(m, n=Printed(said[m.eval], float(said[m.eval]), 1.0))
        elif m.n is None and len(known) == 1:
            m = replace(m, n=next(iter(known.values())))
        yield m


def sizes_told(sheet: Sheet, entries: Sequence[Entry]) -> Iterator[str]:
    """Puts the number of questions that a caption says of the one eval of a table to its entries.
    A sentence for it, for a number that could be that of several evals, and for numbers in brackets
    that no word calls a number of questions.
    """
    found = {e.eval: e.cells["n"][0] for e in entries
             if "n" in e.cells and e.cells["n"][1].text == IN_BRACKETS}  # fmt: skip
    if found:
        said = ", ".join(f"{number} of {name}" for name, number in found.items())
        yield f"Numbers in brackets behind evals are read as their numbers of questions: {said}."
    means = [e for e in entries if "mean" in e.cells and not e.average]
    evals = {e.eval for e in means}
    if not evals or any("n" in e.cells for e in means):
        return
    name = evals.pop() if len(evals) == 1 else ""
    own = _OWN.search(sheet.told)
    if own and name:
        told = dict(zip(("n", "clusters", "answers"), own.groups(), strict=True))
        for e in means:
            e.cells |= {key: (text, Head(key, key)) for key, text in told.items() if text}
        yield f"{name} has {own[1]} questions, as the caption says."
        return
    of = rf"(?<!\w){re.escape(name)} ?\((?:[^()]*, ?)?n ?= ?([\d,]*\d)(?:, [^()]*)?\)"
    numbers = set(re.findall(of, sheet.told, re.IGNORECASE)) if name else set()
    if len(numbers) == 1:
        number = numbers.pop()
        for e in means:
            e.cells["n"] = (number, Head("n", "n"))
        yield f"{name} has {number} questions, as the caption says."
        return
    unused = list(dict.fromkeys(_ANY.findall(sheet.told)))
    if unused and not numbers:
        said = ", ".join(f"n = {number}" for number in unused)
        yield f"The text beside the table says {said}, but not of which eval: it is not used."


def _named_sizes(means: Iterable[PublishedMean], options: CheckOptions) -> dict[str, str]:
    """What the user says, by eval; HumanEval names HumanEval (0-shot) too."""
    evals = list(dict.fromkeys(m.eval for m in means))
    found: dict[str, str] = {}
    for name, number in options.sizes().items():
        meant = [e for e in evals if is_meant(name, e)]
        if not meant:
            raise ScoresError(f"no eval {name!r} in the table{did_you_mean(name, evals)}")
        found |= dict.fromkeys(meant, number)
    return found
