"""The layouts of Tables 2 to 5 of Miller 2024, of one eval or of several."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from reportkit.decisions import Theme
from reportkit.results import EvalResult
from reportkit.tables.means import clustering_table
from reportkit.tables.several import _by_category, _differences, _models, _stacked, scores_table
from reportkit.tables.table import Table
from reportkit.text.numbers import percent_of

# Miller 2024 --------------------------------------------------------------------------------------


def paper_table(results: Sequence[EvalResult], table: int, theme: Theme = "error-bars") -> Table:
    """The layout of Table 2, 3, 4 or 5 of Miller 2024, of any evals and models.

    2: questions, and mean (SE) of each model. 3: the same with clusters. 4: clustered and naive SE
    and their ratio, of the evals that have clusters. 5: model, baseline, difference (SE), interval
    and correlation. Nothing is in bold, as there.
    """
    chosen = _by_category(results)
    clustered = [r for r in chosen if r.clustered] or chosen
    interval = f"{percent_of(chosen[0].level)} CI"
    makers: dict[int, Callable[[], Table]] = {
        2: lambda: scores_table(chosen, theme, ["Questions"]),
        3: lambda: scores_table(chosen, theme, ["Questions", "Clusters"]),
        4: lambda: _only(
            _stacked(clustered, theme, clustering_table, _DROPPED), _se_columns(clustered)
        ),
        5: lambda: _only(
            _stacked(chosen, theme, _differences, _DROPPED),
            (*_DIFFERENCES, interval, "Correlation"),
        ),
    }
    if table not in makers:
        raise ValueError(
            f"there is no layout of the paper's table {table}; there are 2, 3, 4 and 5"
        )
    made = makers[table]()
    heads = {
        "Questions": "# Questions",
        "Clusters": "# Clusters",
        interval: interval.replace("CI", "Conf. Interval"),
    }
    columns = tuple(replace(c, head=heads.get(c.head, c.head)) for c in made.columns)
    notes = tuple(n for n in made.notes if not n.startswith(_DROPPED))
    return replace(made, name=f"paper{table}", columns=columns, bold=frozenset(), notes=notes)


_DROPPED = ("Bold:", "Adjusted p:", "Detectable:")
_DIFFERENCES = ("Eval", "Model", "Baseline", "Difference")


def _se_columns(results: Sequence[EvalResult]) -> tuple[str, ...]:
    return (
        "Eval",
        *(["Model"] if len(_models(results)) > 1 else []),
        "Clustered SE",
        "Naive SE",
        "Ratio",
    )


def _only(table: Table, heads: Sequence[str]) -> Table:
    """The columns whose heads begin so, in this order."""
    kept = [j for h in heads for j, c in enumerate(table.columns) if c.head.startswith(h)]

    def pick(row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(row[j] for j in kept)

    return replace(
        table,
        columns=pick(table.columns),
        cells=tuple(map(pick, table.cells)),
        values=tuple(map(pick, table.values)),
    )
