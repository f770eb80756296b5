"""What a kind of table is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.draft import Draft, table_of
from reportkit.tables.several import stacked
from reportkit.tables.table import Table


def always(r: EvalResult) -> str:
    """No sentence stands in the place of this table."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of table; one of `one` and `several` is enough.

    one: makes the table of one eval; None: `several` makes it too, and no report has it by itself.
    several: makes the table of several; None: their rows below each other. on_request: a report has
    it only where it is asked for. summarised_from: rows beyond which a document shows the summary
    alone; 0: never. instead: the sentence that stands in its place where it would say nothing, else
    the empty string.
    """

    one: Callable[[EvalResult, Style], Draft] | None = None
    several: Callable[[Sequence[EvalResult], Style], Table] | None = None
    on_request: bool = False
    summarised_from: int = 0
    instead: Callable[[EvalResult], str] = always

    @property
    def in_reports(self) -> bool:
        return self.one is not None

    def make(self, results: Sequence[EvalResult], style: Style) -> Table:
        """The table of one eval or of several."""
        if self.one is not None and len(results) == 1:
            return table_of(self.one(results[0], style))
        if self.several is not None:
            return self.several(results, style)
        assert self.one is not None
        return stacked(self.one)(results, style)
