"""What the variance of each model's mean is made of, as stacked bars."""

import math
from typing import TYPE_CHECKING, Any

from reportkit.analysis.answer_noise import answer_noise
from reportkit.figures.canvas import (
    COLOURS,
    LINE,
    NARROW,
    axes,
    foot_lines,
    sheet,
    write_foot,
)
from reportkit.figures.rows import lay_rows, write_rows
from reportkit.figures.words import ends, listed, told
from reportkit.results import EvalResult
from reportkit.tables.captions import metric_of, questions_of, sentence
from reportkit.text.numbers import percent_of, share_of, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BETWEEN: dict[str, Any] = {"facecolor": COLOURS[0], "edgecolor": COLOURS[0], "linewidth": 0.5}
WITHIN: dict[str, Any] = {
    "facecolor": "#fdf0d5",
    "edgecolor": "#a05a00",
    "linewidth": 0.5,
    "hatch": "//////",
}
# The columns of a narrow figure and what is said of them: fewer where the names need the room.
COLUMNS = {
    (0, 1, 2): "answers as now, doubled, unlimited",
    (0, 2): "answers as now, unlimited",
    (2,): "unlimited answers",
}


def draw(result: EvalResult, width: float) -> "Canvas | None":
    """Shares of the squared SE, and the SE with more answers: the numbers of the table of
    variances.
    """
    noise = [answer_noise(m) for m in result.means]
    known = [i for i, a in enumerate(noise) if math.isfinite(a.share)]
    if not known:
        return None
    from matplotlib.patches import Patch

    narrow, u = width < NARROW, units_of(result)
    heads = ["now", "2×", "∞"] if narrow else ["Noise share", "SE as now", "doubled", "unlimited"]
    columns = [[share_of(a.share) for a in noise]] if not narrow else []
    columns += [
        [u.error(se) for se in kind]
        for kind in zip(*((a.now, a.doubled, a.unlimited) for a in noise), strict=True)
    ]
    names = [m.model for m in result.means]
    texts = [[head, *column] for head, column in zip(heads, columns, strict=True)]
    room: dict[str, Any] = {"least": 0.7 if narrow else 1.8}
    room["caption"] = told(title(result), result.fictional)
    parts = ["Share of the squared SE"]
    if narrow:
        for shown in COLUMNS:
            rows = lay_rows(["", *names], [texts[k] for k in shown], width, **room)
            if not rows.cut:
                break
        parts.append(f"right: SE with {COLUMNS[shown]}")
    else:
        rows = lay_rows(["", *names], texts, width, **room)
    foot = foot_lines(parts, result, width)
    height, bottom = rows.pitch * len(rows.labels), 0.66 + LINE * (len(foot) - 1)
    canvas = sheet(width, 0.06 + height + bottom)
    ax = axes(canvas, rows.left, rows.right, bottom, height)
    write_rows(ax, rows, 0, len(rows.labels))
    at, share = [i + 1 for i in known], [min(max(noise[i].share, 0.0), 1.0) for i in known]
    thick = 0.66 * (1.0 - rows.above)
    ax.barh(at, [1.0 - s for s in share], thick, label="between", **BETWEEN)
    ax.barh(at, share, thick, [1.0 - s for s in share], label="within", **WITHIN)
    ax.set_xlim(0, 1)
    ticks = (0, 1) if narrow else (0, 0.25, 0.5, 0.75, 1)
    ax.set_xticks(ticks, [percent_of(t) for t in ticks])
    handles = [
        Patch(label="between questions", **BETWEEN),
        Patch(label="answer noise", **WITHIN),
    ]
    look: dict[str, Any] = {
        "ncols": 2,
        "handlelength": 1.6,
        "columnspacing": 1.2,
        "borderaxespad": 0,
    }
    at_foot = (0.5, 0.07 / canvas.get_figheight())
    canvas.legend(handles=handles, loc="lower center", bbox_to_anchor=at_foot, **look)
    write_foot(canvas, foot, 0.28)
    return canvas


def title(result: EvalResult) -> str:
    about = sentence(metric_of(result), questions_of(result))
    return (
        f"{result.eval}: where the squared standard errors (SE) of the means come from, and the SE "
        f"with more answers to each question. {about}"
    )


def alt(result: EvalResult) -> str:
    u = units_of(result)
    known = [(m, answer_noise(m)) for m in result.means]
    known = [(m, a) for m, a in known if math.isfinite(a.share)]
    said = [
        f"{m.model} noise share {share_of(a.share)}, SE {u.error(a.now)} as now, "
        f"{u.error(a.doubled)} with doubled answers, {u.error(a.unlimited)} with unlimited answers"
        for m, a in ends(known, lambda pair: pair[1].share)
    ]
    return (
        f"Stacked bars of the share of the squared standard error on {result.eval} from between "
        f"questions and from answer noise, {listed(said, len(known), 'model')}."
    )
