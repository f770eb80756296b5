"""What the HTML template of a table asks of the table and its columns."""

import itertools
import re
import unicodedata

from reportkit.tables.grid import EVAL_KEY, MANY_MODELS, MODEL_KEY, STATISTIC, Column, Grid

# Columns whose smallest number is the one to look for first: p-values, errors, ranks, costs.
SMALL_FIRST = frozenset(
    {
        *("p", "p_value", "p_adjusted", "p_equivalence", "p_non_inferiority"),
        *("p_bh", "p_exact", "p_mid", "low", "high"),
        *("se", "se_unclustered", "se_cr3", "se_paper", "se_two_way"),
        *("mde", "mde_2_questions", "mde_4_questions", "mde_4_answers", "detectable"),
        *("rank", "ranks", "errors", "cost", "needed"),
    }
)
# Columns of scores, of which the best is the lowest where lower scores are better.
OF_SCORES = frozenset(
    {"mean", "difference", "ci", "macro", "mean_all", "cluster_mean", "cluster_ci"}
)
# How the keys begin of columns that are one model's or one eval's.
OF_NAMES = (MODEL_KEY, EVAL_KEY)
# The class of the first row of a table of models by evals: a Word document that cuts it into parts
# leaves out rows, as rows_of_part() does. pandoc keeps no class of the table itself.
OF_EVALS = "rk-evals"
TABLET = 76  # letters of a row, with a head's longest words, for which a tablet has room
_BREAKS = re.compile(r"[-\s_]")  # where a name may break
LONG_WORD = 24  # letters without a place to break, from which a name may break anywhere


def first_order(table: Grid, column: Column) -> str:
    """The order that the first click on a column's head gives, so that the best is on top.

    Of scores the best one; of p-values, errors, ranks and costs the smallest; of other numbers the
    largest; of names the alphabet's.
    """
    place = table.columns.index(column)
    if not any(row[place] is not None for row in table.values):
        return "ascending"
    key = column.key
    scores = key in OF_SCORES or key.startswith(OF_NAMES)
    small = key in SMALL_FIRST or column.lower or (scores and table.lower)
    return "ascending" if small else "descending"


def breaks(text: str) -> bool:
    """Whether a text holds a word so long that it must be allowed to break anywhere.

    >>> breaks("aquila-3.1-405b-instruct"), breaks("x" * 200)
    (False, True)
    """
    return any(len(word) > LONG_WORD for word in _BREAKS.split(text))


def apart(line: str) -> tuple[str, str]:
    """A score and its error or interval in brackets, which may stand below it.

    >>> apart("65.5% (0.7%)"), apart("65.5%")
    (('65.5%', '(0.7%)'), ('65.5%', ''))
    """
    found = re.fullmatch(r"(.*?\S) (\s*\(.*)", line)
    return (found[1], found[2]) if found else (line, "")


def starts_of_groups(table: Grid) -> set[str]:
    """The keys of the columns with which a group begins right beside another one."""
    pairs = itertools.pairwise(table.columns)
    return {b.key for a, b in pairs if a.group and b.group and a.group != b.group}


def letters_of_names(table: Grid) -> int:
    """Letters of the longest label of a row, those of wide scripts twice: what a column of names
    asks for, so that a name breaks only where the page has no room.
    """
    labels = [row[0] for row in table.cells if row] if table.columns else []
    return max((len(t) + sum(map(_is_wide, t)) for x in labels for t in x.split("\n")), default=0)


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _letters_of_row(table: Grid) -> int:
    """Letters side by side where no cell breaks, and heads break wherever they may."""
    columns = zip(table.columns, *table.cells, strict=True)
    parts = ([*_BREAKS.split(c.head), *"\n".join(texts).split("\n")] for c, *texts in columns)
    return sum(max(map(len, column)) for column in parts)


def classes_of(table: Grid) -> str:
    """The classes of a table element: of few columns, which share a phone's width; of many; of many
    models, whose errors stand below their scores, and of rows so short that they stand beside them
    on a tablet too; of a summary, whose order says what its rows are.
    """
    own = sum(c.key.startswith(OF_NAMES) for c in table.columns)
    named = {"rk-few": len(table.columns) <= 3}
    named |= {"rk-wide": len(table.columns) > 8, "rk-many": table.fit and own > MANY_MODELS}
    named["rk-beside-scores"] = table.fit and _letters_of_row(table) <= TABLET
    named["rk-summary"] = [c.head for c in table.columns[:1]] == [STATISTIC]
    return " ".join(name for name, so in named.items() if so)
