"""The range of an eval's scores: what its rows and the user's decision declare, scores outside it,
and the units in which the analysis works.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from reportkit.decisions.ranges import NO_RANGE, Range, range_text, ranges_of, text_of
from reportkit.errors import ScoresError
from reportkit.scores.rows import RANGE, zeroed
from reportkit.stats.digits import TINY, blurred, whole
from reportkit.text.numbers import bare

Known = Literal["", "declared", "seen"]
# Two values without a declaration: right and wrong answers in percent.
PERCENT = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Unit:
    """Where the analysis has its 0 and its 1 in the scores' own units.

    known: whether a range is declared, or seen, as of scores that are all 0 or 100; else the
    analysis works in own units, about `low`.
    """

    low: float = 0.0
    high: float = 1.0
    known: Known = ""

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def ends(self) -> Range | None:
        """The range, where it is known."""
        return (self.low, self.high) if self.known else None

    @property
    def own(self) -> bool:
        """Whether the analysis works on the scores as they are."""
        return self.low == 0.0 and self.high == 1.0

    def value(self, x: float) -> float:
        """A score of the analysis in own units; 0 and 1 are the ends themselves."""
        if self.own:
            return x
        return self.high if x == 1.0 else self.low + self.width * x

    def within(self, score: np.ndarray) -> np.ndarray:
        """Scores as the analysis has them. The ends become 0 and 1 exactly; the digits that the
        rounding of the scores spoils are cut, so that a score of 7 from 0 to 10 is 0.7.
        """
        if self.own:
            return score
        spoilt = 2.0**-51 * max(-self.low, self.high) / self.width
        digits = min(max(math.floor(-math.log10(spoilt)), 0), 15)
        return np.round((score - self.low) / self.width, digits)


def ranged_rows(rows: pd.DataFrame, text: str, metric: str) -> pd.DataFrame:
    """Rows that carry a declared range in a column.

    text: as decisions.ranges.range_text makes it. metric: the one that a range without a name is
    of; one that stands in a column of its own keeps its name in the text.
    """
    if not text:
        return rows
    if text == NO_RANGE:
        told = {str(m): NO_RANGE for m in rows["metric"].unique() if m == metric}
        told = told or {str(m): NO_RANGE for m in rows["metric"].unique()}
    else:
        told = _texts(ranges_of(text), rows, metric)
    was = rows[RANGE].astype(object) if RANGE in rows.columns else None
    now = rows["metric"].astype(object).map(told)
    now = now if was is None else now.where(now.notna(), was)
    return rows.assign(**{RANGE: pd.Categorical(now.where(now.notna(), None))})


def _texts(declared: Mapping[str, Range], rows: pd.DataFrame, metric: str) -> dict[str, str]:
    """The text for the rows of each metric: its own range, and those of metrics in columns."""
    there = [str(m) for m in rows["metric"].unique()]
    named = {name or metric: ends for name, ends in declared.items()}
    beside = {name: ends for name, ends in named.items() if name not in there}
    texts = {}
    for name in there:
        own = {"": named[name]} if name in named else {}
        if own or beside:
            texts[name] = text_of(own | beside)
    return texts


def metric_range(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows when another column becomes their score: the range of that metric is its range."""
    if RANGE not in rows.columns:
        return rows

    def of(text: object) -> str | None:
        if not isinstance(text, str) or text == NO_RANGE:
            return None
        ends = ranges_of(text).get(metric)
        return None if ends is None else text_of({"": ends})

    return rows.assign(**{RANGE: rows[RANGE].astype(object).map(of, na_action="ignore")})


def unit_of(rows: pd.DataFrame) -> Unit:
    """The unit of the rows of one eval and metric. ScoresError where the rows disagree on their
    range, or a score is outside it.
    """
    where = f"eval {rows['eval'].iloc[0]!r}"
    texts = _declared(rows)
    if len(texts) > 1:
        listed = " and ".join(repr(t) for t in sorted(texts))
        raise ScoresError(
            f"{where}: the rows say that the scores' range is {listed}; decide it with range, "
            "or bring the scores into one unit"
        )
    score = rows["score"].to_numpy()
    if texts and NO_RANGE not in texts:
        [text] = texts
        low, high = ranges_of(text)[""]
        _check_inside(rows, score, low, high, where)
        return Unit(low, high, "declared")
    present = score[~np.isnan(score)]
    if not texts and (present == PERCENT[1]).any() and np.isin(present, PERCENT).all():
        return Unit(*PERCENT, "seen")
    return _centred(present, where)


def _declared(rows: pd.DataFrame) -> set[str]:
    """The ranges that the rows declare for their metric; rows that say nothing count for none."""
    if RANGE not in rows.columns:
        return set()
    texts = set()
    for text in rows[RANGE].dropna().unique():
        if text == NO_RANGE:
            texts.add(NO_RANGE)
            continue
        ranges = ranges_of(range_text(text))
        metric = str(rows["metric"].iloc[0])
        ends = ranges.get(metric, ranges.get(""))
        if ends is not None:
            texts.add(text_of({"": ends}))
    return texts


def _check_inside(
    rows: pd.DataFrame, score: np.ndarray, low: float, high: float, where: str
) -> None:
    outside = (score < low) | (score > high)
    if not outside.any():
        return
    n, row = int(outside.sum()), rows[outside].iloc[0]
    scores = "1 score is" if n == 1 else f"{n} scores are"
    mend = "correct the score, or the range"
    if zeroed(rows)[outside].all():
        mend = "it counts as 0 because the answer failed; leave such answers out (errors = exclude)"
    raise ScoresError(
        f"{where}: {scores} outside the declared range of {row['metric']!r}, {bare(low)} to "
        f"{bare(high)}; the first is {bare(row['score'])} of model {row['model']!r} on question "
        f"{row['question_id']!r}; {mend}"
    )


def _centred(present: np.ndarray, where: str) -> Unit:
    """Own units; about a whole number near the scores where they are far from 0."""
    if not len(present):
        return Unit()
    low, high = float(present.min()), float(present.max())
    size = max(-low, high)
    if 0.0 < size < TINY:
        raise ScoresError(
            f"{where}: no score is beyond {size:g}, too small for a variance; write them in "
            "another unit"
        )
    if blurred(low, high) and whole(present):
        centre = low + math.floor((high - low) / 2.0) + 1.0
        return Unit(centre, centre + 1.0)
    return Unit()


# Ranges that many judges and tests use; the first that holds all scores is proposed.
COMMON: tuple[Range, ...] = ((-1.0, 1.0), (1.0, 5.0), (0.0, 5.0), (1.0, 7.0), (1.0, 10.0),
                             (0.0, 10.0), (0.0, 100.0))  # fmt: skip


def proposed_range(score: np.ndarray) -> str:
    """A range that scores, shape (n,) and none missing, may have had, for the user to declare; ""
    where none is likely: they are shares, or go beyond every common range.

    >>> proposed_range(np.array([1.0, 4.0, 3.5])), proposed_range(np.array([3.0, 72.5]))
    ('1,5', '0,100')
    """
    low, high = float(score.min()), float(score.max())
    if 0.0 <= low <= high <= 1.0:
        return ""
    fits = [ends for ends in COMMON if ends[0] <= low and high <= ends[1]]
    return text_of({"": fits[0]}) if fits else ""


def check_digits(unit: Unit, means: np.ndarray, models: Sequence[str], where: str) -> None:
    """ScoresError where the scores of a model are so far from 0 that little of their differences is
    left. means: (n, M), as the analysis has them, nan where there is none.
    """
    if not unit.own or unit.known:
        return
    for model, column in zip(models, means.T, strict=True):
        present = column[~np.isnan(column)]
        if not len(present):
            continue
        low, high = float(present.min()), float(present.max())
        if blurred(low, high) and not whole(present):
            raise ScoresError(
                f"{where}: the scores of model {model!r} run from {low!r} to {high!r}, and numbers "
                "of this size are rounded too much for their differences; subtract a constant "
                "from the scores of all models"
            )
