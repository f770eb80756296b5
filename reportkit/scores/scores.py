"""Scores: the rows, and the typed facts of where they come from.

What can change a printed number, or what is bold, is in the rows, so concat, merge and files keep
it. The facts are only told: of runs, files and decisions. A DataFrame carries them under one key of
its attrs, and may lose them on its way.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from reportkit.facts import Facts
from reportkit.scores.rows import where

KEY = "reportkit"  # of frame.attrs
NO_FACTS = Facts()


class _Carried(dict[str, Any]):
    """Facts in attrs. pandas copies attrs deeply with every frame that it makes, and writes them as
    JSON into Parquet: this is copied for nothing, and writes nothing.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: Facts):
        super().__init__()
        self.facts = facts

    def __deepcopy__(self, memo: object) -> "_Carried":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Carried, (self.facts,)

    def __eq__(self, other: object) -> bool:  # pandas keeps attrs of frames that agree in them
        return isinstance(other, _Carried) and self.facts is other.facts

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Rows in the schema of rows.COLUMNS, and their facts."""

    rows: pd.DataFrame
    facts: Facts = NO_FACTS

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame that carries the facts."""
        frame = self.rows.copy(deep=False)
        frame.attrs = {KEY: _Carried(self.facts)} if self.facts != NO_FACTS else {}
        return frame

    def of(self, eval: str) -> "Scores":
        """The rows and facts of one eval."""
        mine = (self.rows["eval"] == eval).to_numpy()
        return Scores(where(self.rows, mine), self.facts.of(eval))

    @property
    def evals(self) -> list[str]:
        return list(map(str, pd.unique(self.rows["eval"])))


def facts_of(frame: pd.DataFrame) -> Facts:
    """The facts that a DataFrame carries; none where it lost them, or never had any."""
    carried = frame.attrs.get(KEY)
    return carried.facts if isinstance(carried, _Carried) else NO_FACTS
