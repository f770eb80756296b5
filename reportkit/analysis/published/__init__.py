"""A published table -> what its numbers allow to conclude, and what does not fit together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.advised import Advised, Line, Option
from reportkit.analysis.published.across import check_across
from reportkit.analysis.published.averages import (
    averages_of,
    check_averages,
    check_differences_of_averages,
)
from reportkit.analysis.published.differences import check_difference, pairs_of
from reportkit.analysis.published.intervals import check_interval, fewest_df
from reportkit.analysis.published.kinds import check_kinds
from reportkit.analysis.published.means import check_mean
from reportkit.analysis.published.orders import ordered
from reportkit.analysis.published.p_values import check_p_value
from reportkit.analysis.published.pairs import checked_mean, checked_pairs, shown, usable
from reportkit.analysis.published.relative import without_relative
from reportkit.analysis.published.tested import checked_differences
from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.loading.published.options import CheckOptions
from reportkit.published import (
    CheckedPair,
    CheckedTable,
    Finding,
    PublishedDifference,
    PublishedMean,
    PublishedTable,
)
from reportkit.text.numbers import count, joined

__all__ = ["check_published"]

ORDER = ("inconsistent", "condition", "note")
# Of means without a scale, the share that may be beyond 100 where the others are percentages.
MOST_BEYOND = 0.5


def check_published(table: PublishedTable, options: CheckOptions) -> CheckedTable:
    """Checks a table: every printed number stands for all that it may have been before it was
    rounded to the nearest, or cut off, and nothing is called inconsistent that this can explain.
    """
    table = ordered(without_relative(table))
    evals = _by_eval(table.means)
    models = list(dict.fromkeys(m.model for m in table.means if m.model))
    if options.baseline and options.baseline not in models:
        raise UnknownNameError(
            f"no model {options.baseline!r} in the table{did_you_mean(options.baseline, models)}"
        )
    told: dict[tuple[str, str, str], Finding] = {}
    for f in _findings(table, evals, options):
        told.setdefault((f.code, f.who, f.message), f)
    findings = sorted(told.values(), key=lambda f: ORDER.index(f.severity))
    means = [checked_mean(m, options.level) for rows in evals for m in shown(rows)]
    correlations = options.range_of_correlations()
    pairs = checked_pairs(evals, options.level, correlations, options.baseline)
    made = CheckedTable(
        table, tuple(means), pairs, tuple(findings), options.level, correlations,
        tuple(_unchecked(table, evals)), options.said(),
        checked_differences(table, findings, options.level),
    )  # fmt: skip
    return replace(made, pairs=_without_doubted(made))


def _without_doubted(c: CheckedTable) -> tuple[CheckedPair, ...]:
    """Nothing is settled of two means where the printed numbers of one contradict each other: which
    of them is wrong, none tells.
    """
    odd = set(c.doubted("inconsistent"))
    return tuple(
        replace(p, settled="doubted")
        if p.settled != "unknown" and {(p.model, p.eval), (p.baseline, p.eval)} & odd
        else p
        for p in c.pairs
    )


def _by_eval(means: Sequence[PublishedMean]) -> list[list[PublishedMean]]:
    found: dict[str, list[PublishedMean]] = {}
    for m in means:
        found.setdefault(m.eval, []).append(m)
    return list(found.values())


def _findings(
    table: PublishedTable, evals: Sequence[Sequence[PublishedMean]], options: CheckOptions
) -> Iterator[Finding]:
    of_eval = {rows[0].eval: rows for rows in evals}
    for m in table.means:
        yield from check_mean(m)
        yield from check_interval(m, options.level, fewest_df([m]))
    for rows in evals:
        yield from check_kinds(rows, options.level)
        yield from check_across(rows)
    for d in table.differences:
        rows = of_eval.get(d.eval, [])
        yield from check_difference(d, rows)
        of = [m for m in rows if m.model in (d.model, d.baseline)]
        yield from check_interval(d, options.level, fewest_df(of))
        yield from check_p_value(d, of, options.level, fewest_df(of))
    yield from check_averages(table)
    yield from check_differences_of_averages(table)


def _unchecked(table: PublishedTable, evals: Sequence[Sequence[PublishedMean]]) -> Iterator[Line]:
    """What was left out, and what the user can say to have it checked."""
    units = [rows[0].eval for rows in evals if not rows[0].scale.known]
    if units:
        yield Advised(
            f"The table does not say on which scale {_named(units)} {_is(units)} scored: bounds "
            f"and counts were not checked there.{_no_percentages(units, table)}",
            (
                Option("scale", "percent"),
                Option("scale", "LOW,HIGH", "with the smallest and the largest score"),
            ),
        )
    sizes = [rows[0].eval for rows in evals if all(m.n is None for m in rows)]
    if sizes:
        yield Advised(
            f"The table does not say how many questions {_named(sizes)} {_has(sizes)}: counts and "
            "errors were not checked there.",
            (Option("questions", f"{sizes[0]}=NUMBER"),),
        )
    of_eval = {rows[0].eval: rows for rows in evals}
    alone = [d for d in table.differences if not _has_means(d, of_eval.get(d.eval, []))]
    if alone:
        names = list(dict.fromkeys(d.eval for d in alone))
        follow = "difference follows" if len(alone) == 1 else "differences follow"
        yield (
            f"Whether {count(len(alone))} {follow} from means was not checked "
            f"({_named(names)}): the file does not have these means. Put the table of means into "
            "the same file."
        )
    bare = [d.eval for d in table.of_averages if len(averages_of(d, table)) < 2]
    if bare:
        yield (
            f"Whether the difference of {_named(list(dict.fromkeys(bare)))} follows was not "
            "checked: the two averages are not printed."
        )
    short = [p for p in (_alone(rows) for rows in evals) if p]
    if short:
        yield f"With one model alone there is nothing to compare: {', '.join(short)}."


def _no_percentages(units: Sequence[str], table: PublishedTable) -> str:
    """The means that are no percentages, where all others of these evals may be."""
    means = [m for m in table.means if m.eval in units and m.mean is not None]
    beyond = [m for m in means if m.mean is not None and not 0.0 <= m.mean.value <= 100.0]
    if not 0 < len(beyond) <= MOST_BEYOND * len(means):
        return ""
    first = beyond[0]
    assert first.mean is not None
    more = f", nor are {count(len(beyond) - 1)} more" if len(beyond) > 1 else ""
    return f" If means are percentages, {first.mean.text} of {first.model} cannot be one{more}."


def _has_means(d: PublishedDifference, rows: Sequence[PublishedMean]) -> bool:
    """Whether the file has the two means that a difference is of."""
    return any(a.mean is not None and b.mean is not None for a, b in pairs_of(d, rows))


def _alone(rows: Sequence[PublishedMean]) -> str:
    return rows[0].eval if len(usable(rows)) == 1 else ""


def _named(names: Sequence[str]) -> str:
    """
    >>> _named("abcdefg"), _named("abcde")
    ('a, b, c, d, e and 2 more', 'a, b, c, d and e')
    """
    more = [f"{len(names) - 5} more"] * (len(names) > 5)
    return joined([*names[:5], *more], "and")


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"
