"""What a kind of table is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reportkit.errors import ScoresError
from reportkit.results import EvalResult, SuiteResult
from reportkit.tables.cells import Style
from reportkit.tables.draft import Draft, table_of
from reportkit.tables.notes import Note
from reportkit.tables.several import stacked
from reportkit.tables.table import Table


def always(r: EvalResult) -> str:
    """No sentence stands in the place of this table."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of table; one of `one`, `several` and `suite` is enough.

    shows: what it says, for the guide. one: makes the table of one eval; None: `several` makes it
    too, and no report has it by itself. several: makes the table of several; None: their rows below
    each other. suite: makes it of a suite, which says more than its evals one by one. on_request: a
    report has it only where it is asked for. records: of such a table, the name in
    EvalResult.requested of the records that it shows; empty: every result has them.
    summarised_from: rows beyond which a document shows the summary alone; 0: never. instead: why it
    would say nothing, in a sentence, else the empty string; a report shows the sentence where the
    table was asked for, and else neither. full: the kind that has every row and column of it.
    aside: a report saves it and the notebook has no cell for it, as a figure or another table shows
    its numbers.
    """

    shows: str = ""
    one: Callable[[EvalResult, Style], Draft] | None = None
    several: Callable[[Sequence[EvalResult], Style], Table] | None = None
    suite: Callable[[SuiteResult, Style], Table] | None = None
    on_request: bool = False
    records: str = ""
    summarised_from: int = 0
    instead: Callable[[EvalResult], str] = always
    full: str = ""
    aside: bool = False

    @property
    def in_reports(self) -> bool:
        return self.one is not None

    def make_of_suite(self, suites: Sequence[SuiteResult], style: Style) -> Table:
        """The table of one suite, as a recipe calls it."""
        assert self.suite is not None
        return self.suite(suites[0], style)

    def make(self, results: Sequence[EvalResult], style: Style) -> Table:
        """The table of one eval or of several.

        Of records that are computed only on request: ScoresError for a result that was not asked
        for them, and where no eval has them. Where some have, a note says why the others have not.
        """
        there, why = self._there(results)
        table = self._made(there, style)
        if not why:
            return table
        notes = [Note(f"{e}: {text}", "refused") for e, text in why.items()]
        return replace(table, notes=(*table.notes, *notes))

    def _there(self, results: Sequence[EvalResult]) -> tuple[Sequence[EvalResult], dict[str, str]]:
        """The evals that have the table's records, and of each other one why it has not."""
        if not self.records:
            return results, {}
        name = self.records
        for r in results:
            if name not in r.requested and name not in r.refused:
                raise ScoresError(
                    f"eval {r.eval!r} was not analysed for table {name!r}; analyse it with "
                    f"tables={name!r}"
                )
        why = {r.eval: r.refused[name] for r in results if name in r.refused}
        there = [r for r in results if name in r.requested]
        if not there:
            raise ScoresError("\n".join(f"eval {e!r}: {text}" for e, text in why.items()))
        return there, why

    def _made(self, results: Sequence[EvalResult], style: Style) -> Table:
        if self.one is not None and len(results) == 1:
            return table_of(self.one(results[0], style))
        if self.several is not None:
            return self.several(results, style)
        assert self.one is not None
        return stacked(self.one)(results, style)


def on_request(
    name: str,
    one: Callable[[EvalResult, Style], Draft],
    *,
    shows: str,
) -> Kind:
    """A table of records that are computed only where they are asked for; where an eval's scores do
    not make it, the sentence that says why stands in its place.
    """
    return Kind(
        shows=shows,
        one=one,
        on_request=True,
        records=name,
        instead=lambda r: r.refused.get(name, ""),
    )
