"""What follows from the kind of scores, right or wrong or in part: where nobody says it, and where
the name of an eval tells it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportkit.advised import Option
from reportkit.analysis.published.groups import known_partial
from reportkit.analysis.published.intervals import narrow_half, printout
from reportkit.analysis.published.means import answers_of, fractional, one_answer, whole
from reportkit.analysis.published.words import as_count, as_printed, finding, near, overlap
from reportkit.published import PERCENT, SHARE, Finding, Printed, PublishedMean, Rounding
from reportkit.stats.published import largest_se, smallest_binary_se
from reportkit.text.numbers import counted, joined

SAY_WHICH = (
    Option("scores", "binary", "if each answer is right or wrong"),
    Option("scores", "fractional", "if not"),
)


def check_kinds(means: Sequence[PublishedMean], level: float) -> Iterator[Finding]:
    """Every finding about the rows of one eval that hangs on what its scores are. level: of
    intervals that do not say theirs.
    """
    yield from _wide(means)
    yield from _known(means)
    yield from _small(means, level)


def _wide(means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """Once for an eval: the Bernoulli formula on fractional scores. Where digits that were cut off
    alone give such an error, it is a finding of its own.
    """
    rounded = [m for m in means if _is_wide(m, "nearest")]
    cut = [m for m in means if m not in rounded and _is_wide(m, "cut")]
    found = {
        "": [m for m in rounded if not _few_digits(m)],
        ", if its digits were cut off": [m for m in cut if not _few_digits(m)],
    }
    few = _few([m for m in rounded if _few_digits(m)])
    for unless, rows in found.items():
        for m in rows[:1]:
            assert m.se is not None
            likely = "would then likely be" if unless else "is likely"
            said = "Those of this eval are said to be fractional"
            if not m.scores:
                said = f"Those of this eval are known to be in part ({known_partial(m.eval)})"
            yield finding(
                m, "se-wide", "note",
                f"the standard error {as_printed(m.se, m.scale)} {'would be' if unless else 'is'} "
                f"that of scores of 0 or 1, sqrt(p(1 - p)/n){unless}. {said}: on independent "
                f"questions they have a smaller one, so this one {likely} too wide"
                f"{_more(rows)}{few}",
            )  # fmt: skip


def _is_wide(m: PublishedMean, how: Rounding) -> bool:
    """Whether scores in part have an error as large as no such scores have it; how: the digits
    of both became what is printed.
    """
    if not fractional(m) or m.se is None or m.mean is None or m.n is None or m.grouped:
        return False
    if m.scale not in (PERCENT, SHARE):
        return False
    p, n = m.scale.share(m.mean.span(how)), whole(m.n)
    least = smallest_binary_se(p, n[1]) * m.scale.width
    most = largest_se(p, n[0]) * m.scale.width
    return overlap(m.se.span(how), (least, most))


def _few_digits(m: PublishedMean) -> bool:
    """Whether an error has too few digits to tell it from others that are near."""
    return m.se is not None and m.se.value < 5.0 * m.se.step


def _few(rows: Sequence[PublishedMean]) -> str:
    """Which other errors fit when they are rounded, though their digits tell little."""
    named = [f"{as_printed(m.se, m.scale)} of {m.model}" for m in rows if m.se is not None]
    if not named:
        return ""
    fits, has = ("fits", "has") if len(named) == 1 else ("fit", "have")
    return f". {joined(named, 'and')} {fits} too when rounded, but {has} too few digits to tell"


def _more(rows: Sequence[object]) -> str:
    """That a finding, told of one of these rows, holds of the others too."""
    if len(rows) < 2:
        return ""
    return f". The same holds of {counted(len(rows) - 1, 'more row')} of this eval"


def _known(means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """Once for an eval whose name alone keeps its means from being held against counts."""
    for m in means:
        part = known_partial(m.eval)
        if m.scores or not part or m.mean is None or m.scale not in (PERCENT, SHARE):
            continue
        if answers_of(m) is None:
            continue
        said = finding(
            replace(m, model=""), "scores-known", "note",
            f"its scores are known to be in part ({part}), so that its numbers are not held "
            "against those of right-or-wrong answers",
        )  # fmt: skip
        yield replace(said, advice=SAY_WHICH)
        return


# An error that is too small for right-or-wrong answers --------------------------------------------


@dataclass(frozen=True, slots=True)
class _Small:
    """A row whose error is smaller than answers of 0 or 1 have it. least: theirs."""

    row: PublishedMean
    what: str
    printed: Printed
    size: float
    least: float


def _small(means: Sequence[PublishedMean], level: float) -> Iterator[Finding]:
    """Once for an eval: what would follow if its answers were right or wrong. The row that is
    furthest from it is named.
    """
    found = [s for m in means if (s := _too_small(m, level)) is not None]
    if not found:
        return
    s = min(found, key=lambda s: s.size / s.least)
    m = s.row
    assert m.mean is not None and m.n is not None
    said = finding(
        m, "se-small" if m.se is not None or m.se_naive is not None else "interval-narrow", "note",
        f"if each question has one right-or-wrong answer, {s.what} does not fit: that of "
        f"{as_count(m.n)} such answers with the mean {as_printed(m.mean, m.scale)} is at least "
        f"{near(s.least, s.printed, m.scale)} if they are independent. Scores in part, or several "
        f"answers to each question, can have a smaller one{_more(found)}",
    )  # fmt: skip
    yield replace(said, advice=SAY_WHICH)


def _too_small(m: PublishedMean, level: float) -> _Small | None:
    """None also where it is said what the scores are, and where their number is not known."""
    if m.scores or fractional(m) or not one_answer(m) or m.mean is None or m.n is None:
        return None
    se = m.se_naive if m.grouped else m.se or m.se_naive
    if m.scale not in (PERCENT, SHARE):
        return None
    if se is not None:
        least = smallest_binary_se(m.scale.share(m.mean.span()), whole(m.n)[1]) * m.scale.width
        what = f"the standard error {as_printed(se, m.scale)}"
        fits = se.value < 0.0 or not se.span()[1] < least
        return None if fits else _Small(m, what, se, se.value, least)
    i = None if m.grouped else printout(m, level, 0.0)
    if i is None or not narrow_half(i) > 0.0:
        return None
    what = f"half of the interval {i.text}, {near(i.half[1], i.low, m.scale)} at the most,"
    return _Small(m, what, i.low, i.half[1], narrow_half(i))
