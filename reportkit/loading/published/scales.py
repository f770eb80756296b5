"""In which units the scores of each eval are printed: what the table says, else what follows from
all of them together, else unknown; never guessed in silence.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from reportkit.advised import Advised, Line, Option
from reportkit.errors import ScoresError, did_you_mean
from reportkit.loading.published.entries import Entry
from reportkit.loading.published.eval_names import scale_in
from reportkit.loading.published.numbers import scaled
from reportkit.loading.published.options import CheckOptions, is_meant, scale_of
from reportkit.published import PERCENT, SHARE, Printed, PublishedMean, PublishedTable, Scale
from reportkit.text.numbers import fixed

LOSS = re.compile(r"loss|perplexity|\bppl\b|\bnll\b|entropy|bits per|brier", re.IGNORECASE)
UNITS = ("mean", "difference", "se", "se_naive", "low", "high")  # numbers in units of the scores


def with_scales(table: PublishedTable, options: CheckOptions) -> PublishedTable:
    """The table with the scale of each row; of an eval that is printed as shares here and as
    percentages there, the shares become percentages.
    """
    told: list[str] = []  # evals of which the numbers tell the scale
    rows: list[Any] = [*table.means, *table.differences]
    evals = list(dict.fromkeys(r.eval for r in rows))
    for name in options.scales():
        if not any(is_meant(name, of) for of in evals):
            raise ScoresError(f"no eval {name!r} in the table{did_you_mean(name, evals)}")
    _check_mixed(table)
    _check_shares(table)
    scales = {e: _scale(e, table, options, told) for e in evals}
    beyond = [e for e in evals if _is_beyond(e, table, options)]
    scales |= dict.fromkeys(beyond, Scale())
    table = replace(
        table,
        means=tuple(_moved(m, scales[m.eval]) for m in table.means),
        differences=tuple(_moved(d, scales[d.eval]) for d in table.differences),
    )
    lines = [*_grouped(told, scales), *_percentages(table, options), *table.read_as]
    if beyond:
        lines.append(
            f"All means of {', '.join(beyond)} are above 100, so that they are not read as "
            "percentages."
        )
    return replace(table, read_as=tuple(lines))


def scale_said(e: Entry, percent: bool, options: CheckOptions) -> Scale:
    """The scale of a row: as its column says, as the user says of its eval, as the eval's name or
    the head says, as a % says; else as the user says of all. Unknown where nobody says it.
    """
    if "scale" in e.cells:
        return scale_of(e.cells["scale"][0])
    word = options.scale_for(e.eval)
    if word:
        return scale_of(word)
    heads = [head.text for key, (_, head) in e.cells.items() if key == "mean"]
    for text in (e.eval, *heads):
        if scale_in(text).known:
            return scale_in(text)
    usual = scale_of(options.usual_scale)
    if percent or (usual == PERCENT and LOSS.search(e.eval)):
        return PERCENT if percent else Scale()
    return usual


def _check_mixed(table: PublishedTable) -> None:
    """A number that may be a share beside percentages is not read by a guess."""
    said = {m.place.table for m in table.means if m.scale == PERCENT}
    low = {m.eval for m in table.means if m.scale == PERCENT and m.mean and m.mean.value <= 5.0}
    for m in table.means:
        if m.scale.known or m.mean is None or not _is_share(m):
            continue
        where = f"{table.file}, line {m.place.line}: {m.mean.text!r}"
        as_percent = fixed(100.0 * m.mean.value, max(0, m.mean.digits - 2))
        if m.place.table in said or m.eval in low:
            raise ScoresError(
                f"{where} has no % and others have it; write {as_percent}% if it is a share "
                f"(--scale percent reads it as {m.mean.text}%)"
            )
        if not LOSS.search(m.eval) and _beside_percentages(m, m.mean, table):
            raise ScoresError(
                f"{where} may be a share beside percentages; write {as_percent} if it is, or say "
                "--scale none for units of their own"
            )


def _is_beyond(name: str, table: PublishedTable, options: CheckOptions) -> bool:
    """Whether no mean of an eval can be the percentage that the user says all evals have: a number
    of votes, a rating.
    """
    if options.usual_scale != "percent" or options.scale_for(name):
        return False
    means = [m.mean for m in table.means if m.eval == name and m.mean is not None]
    return len(means) > 1 and all(x.value > 100.0 and "%" not in x.text for x in means)


def _check_shares(table: PublishedTable) -> None:
    """A scale of shares on what are no shares is a mistake in what was said, where most means of an
    eval are above 1; one or two of them may be mistakes of the table.
    """
    of: dict[str, list[PublishedMean]] = {}
    for m in table.means:
        if m.scale == SHARE and m.mean is not None:
            of.setdefault(m.eval, []).append(m)
    for name, rows in of.items():
        above = [m for m in rows if m.mean is not None and m.mean.value > 1.0]
        if 2 * len(above) <= len(rows):
            continue
        mean = above[0].mean
        assert mean is not None
        say = "say --scale percent if they are percentages"
        if any(m.mean is not None and m.mean.value > 100.0 for m in above):
            say = "say the smallest and the largest score, such as --scale 1,10"
        raise ScoresError(
            f"{table.file}, line {above[0].place.line}: the scale is said to be share, from 0 to "
            f"1, and the mean of {name} is {mean.text}, with {len(above)} of {len(rows)} means "
            f"above 1; {say}"
        )


def _percentages(table: PublishedTable, options: CheckOptions) -> Iterable[Line]:
    """Where shares may have been said to be percentages."""
    means = [m.mean for m in table.means if m.mean is not None]
    shares = all(0.0 <= x.value <= 1.0 and x.step <= 0.01 and "%" not in x.text for x in means)
    if options.usual_scale == "percent" and means and shares:
        yield Advised(
            "All printed means lie between 0 and 1, and are read as percentages of no more than 1.",
            (Option("scale", "share", "if they are shares"),),
        )


def _beside_percentages(m: PublishedMean, mean: Printed, table: PublishedTable) -> bool:
    """Whether another mean of the eval is far above 1, and printed with fewer decimals. Where one
    has a %, it is known what both are.
    """
    others = [x for x in table.means if x.eval == m.eval and x.mean is not None]
    means = [x.mean for x in others if x.mean is not None]
    known = any(x.scale.known for x in others)
    return not known and any(x.value > 5.0 and x.step > mean.step for x in means)


def _scale(name: str, table: PublishedTable, options: CheckOptions, told: list[str]) -> Scale:
    all_rows: list[Any] = [*table.means, *table.differences]
    rows = [r for r in all_rows if r.eval == name]
    word = options.scale_for(name), options.usual_scale
    said = {r.scale for r in rows if r.scale.known}
    values = [m.mean for m in table.means if m.eval == name and m.mean is not None]
    if PERCENT in said and "percent" not in word and any(v.value < 0.0 for v in values):
        return Scale()  # an index, which goes below 0
    if PERCENT in said:
        return PERCENT
    if said:
        return said.pop()
    tables = {m.place.table for m in table.means if m.eval == name}
    beside = [m.mean for m in table.means if m.place.table in tables and m.mean is not None]
    if "none" not in word and _are_percentages(rows, beside):
        told.append(name)
        return PERCENT
    if any(v.value > 1.0 for v in beside) or LOSS.search(name):
        return Scale()  # units of its own, or percentages without a sign
    inside = bool(values) and all(0.0 <= v.value <= 1.0 for v in values)
    if inside and any(v.step < 1.0 for v in values) and "none" not in word:
        told.append(name)
        return SHARE
    return Scale()


def _are_percentages(rows: Iterable[Any], beside: Iterable[Printed]) -> bool:
    """Whether every score is said to be 0 or 1, and means of the table are from 1 to 100."""
    values = [v.value for v in beside]
    binary = all(r.scores == "binary" for r in rows if isinstance(r, PublishedMean))
    return binary and bool(values) and min(values) >= 0.0 and 1.0 < max(values) <= 100.0


def _grouped(told: Iterable[str], scales: Mapping[str, Scale]) -> Iterable[str]:
    shares = [name for name in told if scales[name] == SHARE]
    percent = [name for name in told if scales[name] == PERCENT]
    if shares:
        yield (
            f"All printed means of {', '.join(shares)} lie between 0 and 1: they are read as "
            "shares."
        )
    if percent:
        yield (
            f"Each score of {', '.join(percent)} is 0 or 1, and means are above 1: they are read "
            "as percentages."
        )


def _moved(row: Any, scale: Scale) -> Any:
    """A row in the units of its eval."""
    factor = 1.0
    if scale == PERCENT and not row.scale.known and _is_share(row):
        factor = 100.0
    numbers = {
        name: scaled(getattr(row, name), factor)
        for name in UNITS
        if getattr(row, name, None) is not None
    }
    return replace(row, scale=scale, **numbers)


def _is_share(row: Any) -> bool:
    """Whether the row's mean is a share where other rows of the eval have percentages."""
    mean = getattr(row, "mean", None)
    return mean is not None and 0.0 < mean.value <= 1.0 and mean.step <= 0.01
