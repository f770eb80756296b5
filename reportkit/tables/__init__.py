"""Records -> tables of finished text: which numbers stand in which column, and the notes that
explain them.
"""

from collections.abc import Callable, Sequence
from typing import get_args

from reportkit.decisions import Theme
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.results import EvalResult
from reportkit.tables.certificate import certificate_table
from reportkit.tables.data import data_table
from reportkit.tables.differences import correlations_table, differences_table
from reportkit.tables.means import clustering_table, means_table
from reportkit.tables.paper import paper_table
from reportkit.tables.power import power_table, variance_table
from reportkit.tables.several import several_table
from reportkit.tables.table import Table

TABLES: dict[str, Callable[[EvalResult, Theme], Table]] = {
    "means": means_table,
    "clustering": clustering_table,
    "differences": differences_table,
    "correlations": correlations_table,
    "variance": variance_table,
    "power": power_table,
    "data": data_table,
    "certificate": certificate_table,
}
PAPER = {f"paper{n}": n for n in (2, 3, 4, 5)}  # layouts of Miller 2024
KINDS = (*TABLES, *PAPER)
ON_REQUEST = ("certificate",)  # tables that a report has only where they are asked for


def make_table(
    result: EvalResult | Sequence[EvalResult], kind: str, theme: str = "error-bars"
) -> Table:
    """A table by its name, of one eval or of several; UnknownNameError where there is no such table
    or theme.

    Of several evals, the means of up to eight models stand in columns; the other tables have a
    column for the eval. paper2 to paper5 are the layouts of Miller 2024 (see paper.paper_table), of
    one eval or of several.
    """
    if kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    check_theme(theme)
    results = [result] if isinstance(result, EvalResult) else list(result)
    if len({r.level for r in results}) > 1:
        raise ScoresError(
            "evals analysed at different levels make no table; analyse all of them at one level"
        )
    if kind in TABLES and len(results) == 1:
        return TABLES[kind](results[0], theme)  # type: ignore[arg-type]
    if kind in PAPER:
        return paper_table(results, PAPER[kind], theme)  # type: ignore[arg-type]
    return several_table(results, kind, theme, TABLES[kind])  # type: ignore[arg-type]


def check_theme(theme: str) -> None:
    if theme not in get_args(Theme):
        raise UnknownNameError(f"no theme {theme!r}{did_you_mean(theme, get_args(Theme))}")
