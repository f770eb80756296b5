"""The layouts of Tables 2 to 5 of Miller 2024, of one eval or of several. Nothing is in bold, as
there.
"""

from collections.abc import Sequence
from dataclasses import replace

from reportkit.analysis.suite import by_category
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.differences import differences_with_questions
from reportkit.tables.draft import table_of_several
from reportkit.tables.means import clustering
from reportkit.tables.notes import Note
from reportkit.tables.several import all_models, models_in_columns
from reportkit.tables.table import Table
from reportkit.text.numbers import percent_of

HEADS = {"questions": "# Questions", "clusters": "# Clusters"}


def paper2(results: Sequence[EvalResult], style: Style) -> Table:
    """Questions, and mean (SE) of each model."""
    return _of_models(results, style, ["questions"], "paper2")


def paper3(results: Sequence[EvalResult], style: Style) -> Table:
    """Questions, clusters, and mean (SE) of each model."""
    return _of_models(results, style, ["questions", "clusters"], "paper3")


def paper4(results: Sequence[EvalResult], style: Style) -> Table:
    """Clustered and naive SE and their ratio, of the evals that have clusters."""
    results = by_category(results)
    results = [r for r in results if r.clustered] or results
    keys = ["se", "se_unclustered", "ratio"]
    if len(all_models(results)) > 1:
        keys = ["model", *keys]
    drafts = [clustering(r, style).laid_out(keys) for r in results]
    return replace(table_of_several(drafts, style.theme), name="paper4")


def paper5(results: Sequence[EvalResult], style: Style) -> Table:
    """Model, baseline, difference (SE), interval and correlation."""
    results = by_category(results)
    keys = ["model", "baseline", "difference", "ci", "correlation"]
    heads = {"ci": f"{percent_of(results[0].level)} Conf. Interval"}
    if style.signed_units(results[0]).unit:  # as in the paper
        style = replace(style, point="%")
    drafts = [differences_with_questions(r, style).laid_out(keys, heads) for r in results]
    return replace(table_of_several(drafts, style.theme), name="paper5")


def _of_models(
    results: Sequence[EvalResult], style: Style, facts: Sequence[str], name: str
) -> Table:
    table = models_in_columns(results, style, facts)
    return replace(
        table,
        name=name,
        columns=tuple(replace(c, head=HEADS.get(c.key, c.head)) for c in table.columns),
        bold=frozenset(),
        notes=_without_bold(table.notes),
    )


def _without_bold(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n in notes if not (isinstance(n, Note) and n.kind in ("bold", "untold")))
