"""Refuses what is no table of means: scores of single questions, and many rows of one model and
eval that nothing tells apart.
"""

from collections.abc import Iterable, Sequence

from reportkit.errors import ScoresError
from reportkit.loading.published.entries import Entry
from reportkit.loading.published.numbers import plain_cell
from reportkit.loading.published.sheet import Sheet

IDS = ("question id", "sample id", "doc id", "item id", "example id", "problem id", "instance id",
       "task id", "qid")  # fmt: skip
MANY = 5  # rows of one model and eval in one table: no two runs, which are held against each other
BESIDE = ("n", "se", "se_naive", "ci", "low", "high", "answers")  # what a mean has and a score not
USE = (
    "check-table reads means; for scores of single questions use reportkit check, and reportkit "
    "table or reportkit power"
)


def check_heads(sheet: Sheet, file: str) -> None:
    """ScoresError for a table with a column of ids of questions."""
    for head in sheet.heads:
        if " ".join(head.casefold().replace("_", " ").replace("-", " ").split()) in IDS:
            raise ScoresError(
                f"{file}, line {sheet.line}: the column {head!r} says that each row is of one "
                f"question; {USE}"
            )


def check_rows(entries: Iterable[Entry], file: str) -> None:
    """ScoresError for many rows of one model and eval in one table: in words for scores, where all
    are 0 or 1 and nothing stands beside them, else for means.
    """
    means = [e for e in entries if "mean" in e.cells and not e.is_difference]
    bare: dict[tuple[str, str, str], list[Entry]] = {}
    same: dict[tuple[str, str, str], list[Entry]] = {}
    for e in means:
        name = e.eval.partition(" (")[0]  # a column may have told rows apart
        bare.setdefault((e.place.table, name, e.model), []).append(e)
        same.setdefault((e.place.table, e.eval, e.model), []).append(e)
    most = max(bare.values(), key=len, default=[])
    if len(most) >= MANY and _are_scores(means):
        raise ScoresError(
            f"{file}, line {most[0].place.line}: {len(most)} rows are of {most[0].model} on "
            f"{most[0].eval.partition(' (')[0]}, each 0 or 1, and so the score of one question; "
            f"{USE}"
        )
    most = max(same.values(), key=len, default=[])
    if len(most) >= MANY:
        scores = "" if _has_beside(most) else f". Is each row the score of one question? {USE}"
        raise ScoresError(
            f"{file}, line {most[0].place.line}: {len(most)} rows are of {most[0].model} on "
            f"{most[0].eval}, and nothing tells them apart; add a column that does, such as shots "
            f"or seed, or leave one row{scores}"
        )


def _are_scores(means: Sequence[Entry]) -> bool:
    """Whether all are 0 or 1, and both, with nothing beside them."""
    try:
        values = {float(plain_cell(e.cells["mean"][0])) for e in means}
    except ValueError:
        return False
    return values == {0.0, 1.0} and not _has_beside(means)


def _has_beside(means: Sequence[Entry]) -> bool:
    return any(key in e.cells for e in means for key in BESIDE)
