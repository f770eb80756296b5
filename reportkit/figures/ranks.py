"""The rank that each model may have, as bars from the best to the worst."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    NARROW,
    axes,
    foot_lines,
    least_axis,
    sheet,
    write_foot,
)
from reportkit.figures.rows import lay_rows, write_rows
from reportkit.figures.words import FULL, listed, told
from reportkit.results import EvalResult, RankResult, SuiteResult
from reportkit.tables.captions import compared_of, metric_of, metrics_of, of_each, sentence
from reportkit.text.figure_width import isolated, short_names
from reportkit.text.numbers import count, counted, percent_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAMED = 3  # models without a rank that the foot names


def draw(
    result: EvalResult, width: float, words: Callable[[EvalResult], str] | None = None
) -> "Canvas | None":
    """The interval of ranks of each model that has one, in the order of the estimates; words: its
    title, if not the usual.
    """
    every = _ranked(result)
    records = [r for r in every if math.isfinite(r.low)]
    if len(every) < 2 or not records:
        return None
    narrow = width < NARROW
    # In a column the names need the room of the ranks, which the dots show.
    shown, bars, whose = _ranks_of, "bars", " of each model"
    if narrow:
        shown, bars, whose = _set_of, "bars and numbers", ""
    rows = lay_rows(
        [r.model for r in records],
        [[shown(r) for r in records]],
        width,
        least=least_axis(width),
        caption=told((words or title)(result), result.fictional),
    )
    short = short_names([r.model for r in every])
    foot = foot_lines(
        [
            f"Rank (1: {result.top} score)",
            f"{bars}: {percent_of(records[0].level)} confidence set{whose}",
            *_without([r for r in every if r not in records], short),
        ],
        result,
        width,
    )
    height, bottom = rows.pitch * len(records), 0.54 + LINE * (len(foot) - 1)
    canvas = sheet(width, 0.06 + height + bottom)
    ax = axes(canvas, rows.left, rows.right, bottom, height)
    write_rows(ax, rows, 0, len(records))
    high = min(0.66 * (1.0 - rows.above), 6 / 72 / rows.pitch)  # of a line
    # A bar covers each rank of its set, from half a rank below to half a rank above.
    ax.barh(
        range(len(records)), [r.high - r.low + 0.8 for r in records], high,
        [r.low - 0.4 for r in records], color="#a6cbe3", label="sets",
    )  # fmt: skip
    points = [(r.rank, i) for i, r in enumerate(records) if math.isfinite(r.rank)]
    ax.plot(
        [x for x, _ in points],
        [y for _, y in points],
        "o",
        color=COLOURS[0],
        markersize=min(4.5, 0.7 * high * rows.pitch * 72),
        markeredgecolor="white",
        markeredgewidth=0.4,
        clip_on=False,  # of many ranks the first and the last lie at the edge
    )
    last = max(r.high for r in records)
    ax.set_xlim(0.4, last + 0.6)
    ax.set_xticks(_ticks(int(last), 5 if narrow else 10))
    ax.grid(axis="x", color=GREY, linewidth=0.5)
    ax.tick_params("x", color=INK)
    write_foot(canvas, foot)
    return canvas


def _without(records: Sequence[RankResult], short: Mapping[str, str]) -> list[str]:
    """What the foot says of the models that have no row: empty rows would say nothing more. A model
    of which too little is known for a set may have a rank in the table. short: names in figures.
    """
    ranked = [isolated(short[r.model]) for r in records if math.isfinite(r.rank)]
    others = [isolated(short[r.model]) for r in records if not math.isfinite(r.rank)]
    return [
        f"{what}: {', '.join(models) if len(models) <= NAMED else counted(len(models), 'model')}"
        for what, models in (("no rank set", ranked), ("no rank", others))
        if models
    ]


def _ticks(last: int, most: int) -> list[int]:
    """Rank 1, and round ranks up to the last.

    >>> _ticks(4, 5), _ticks(58, 10)
    ([1, 2, 3, 4], [1, 10, 20, 30, 40, 50])
    """
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 1000) if last / s <= most or s == 1000)
    return [1, *(k for k in range(step, last + 1, step) if k > 1)]


def title(result: EvalResult) -> str:
    about = sentence(_sets(result.level), metric_of(result), compared_of(result, result.pairs))
    scored = {m.n_questions for m in result.means if m.n_questions}
    common = " on common questions" if scored - {result.n_questions} else ""
    return f"{result.eval}: rank of each model by its mean score{common}. {about}"


def title_suite(s: SuiteResult) -> str:
    pooled = [r for r in s.evals if r.eval in s.weights]
    about = sentence(_sets(s.level), metrics_of(pooled), of_each(pooled))
    evals = counted(len(s.weights), "eval")
    return f"Rank of each model by its average over {evals}. {about}"


def _sets(level: float) -> str:
    return f"{percent_of(level)} rank sets, each by itself: ranks that paired tests do not rule out"


def alt(result: EvalResult) -> str:
    known = [r for r in _ranked(result) if math.isfinite(r.low)]
    shown = known if len(known) <= FULL else [known[0], known[-1]]
    said = [f"{r.model} {_ranks_of(r)}" for r in shown]
    return (
        f"Rank of each model on {result.eval} and the ranks that the data do not rule out, "
        f"{listed(said, len(known), 'model', 'from the best to the worst')}. "
        "Each set by itself holds the model's true rank "
        f"with {percent_of(result.level)} confidence."
    )


def _ranked(result: EvalResult) -> list[RankResult]:
    """From the best estimate down; at equal ones, and where there is none, by the best rank, then
    as listed.
    """
    return sorted(
        result.ranks, key=lambda r: (math.isnan(r.low), r.low if math.isnan(r.rank) else r.rank)
    )


def _ranks_of(r: RankResult) -> str:
    """
    >>> _ranks_of(RankResult("A", 2, 1, 4, 0.95, "bonferroni"))
    '2 (1 to 4)'
    >>> _ranks_of(RankResult("A", 1, 1, 1, 0.95, "bonferroni"))
    '1 (1)'
    """
    return f"{count(r.rank)} ({_set_of(r)})"


def _set_of(r: RankResult) -> str:
    """The ranks that the data do not rule out."""
    return count(r.low) if r.low == r.high else f"{count(r.low)} to {count(r.high)}"
