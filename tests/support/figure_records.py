"""Records made by hand for the tests of figures, and what can be read back from a drawn one."""

import math
from itertools import combinations

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.text import Text

from reportkit.figures import KINDS, Figure, draw
from reportkit.figures.canvas import PHONE, WIDTHS
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult, RankResult

NAN = math.nan
HOSTILE = ("a|b_%$#{~^\\", "<script>", "$x$", "क\u202e")
CJK_AND_HOSTILE = (*HOSTILE, "通义千问-7B", "モデル", "모델", "نموذج-7B")


def mean(model: str, value: float, half: float = 0.02) -> MeanResult:
    """SE half / 2 on 100 questions with 4 answers each; 36% of SE^2 is noise, as at half = 0.1 the
    doctest of variance.
    """
    low, high, se = value - half, value + half, half / 2
    return MeanResult(
        model,
        value,
        se,
        99,
        low,
        high,
        0.95,
        "t",
        100,
        100,
        400,
        0,
        0,
        se,
        1,
        64 * se**2,
        144 * se**2,
    )


def difference(
    model: str, baseline: str, value: float, p: float = 0.01, half: float = 0.02
) -> DifferenceResult:
    low, high = value - half, value + half
    rest = (0.4, 100, 100, 0, 0, half, 0.03)
    return DifferenceResult(model, baseline, value, half / 2, 99, low, high, 0.95, "t", p, p, *rest)


def power(model: str, baseline: str, mde: float = 0.03, sigma2: float = 1 / 6) -> PowerResult:
    """With an SE known for sure (df inf) and no bounds: equation 10, mde = z SE."""
    se = mde / (1.959963984540054 + 0.8416212335729143)
    return PowerResult(model, baseline, 1 / 9, sigma2, sigma2, 1, 1, 200, 0.05, 0.8, mde, se=se)


def result(
    models=("Galleon", "Dreadnought", "Sloop"), baseline: str = "", spread: float = 0.02, **more
) -> EvalResult:
    """Model i scores 0.4 + spread * i; pairs of neighbours are not clearly apart."""
    n, place = len(models), range(len(models))
    pairs = [(i, 0) for i in place[1:]] if baseline else list(combinations(place, 2))
    made = {
        "means": tuple(mean(m, 0.4 + spread * i) for i, m in enumerate(models)),
        "differences": tuple(
            difference(models[i], models[j], spread * (i - j), 0.3 if abs(i - j) == 1 else 0.01)
            for i, j in pairs
        ),
        "power": tuple(power(models[i], models[j]) for i, j in pairs),
        "correlations": tuple(tuple(0.9 ** abs(i - j) for j in place) for i in place),
        "ranks": tuple(
            RankResult(m, n - i, max(1, n - i - 1), min(n, n - i + 1), 0.95, "bonferroni")
            for i, m in enumerate(models)
        )
        * (n > 1),
    }
    more = {"eval": "MATH"} | made | more
    return EvalResult(
        metric="match",
        n_questions=100,
        n_clusters=100,
        models=tuple(models),
        baseline=baseline,
        **more,
    )


def figure(of, kind: str, width: str = "page") -> Figure:
    drawn = draw(of, kind, width)
    assert drawn is not None
    return drawn


def canvas(of: EvalResult, kind: str, width: str = "page"):
    """What is drawn before it is saved, in the style of draw."""
    import matplotlib

    from reportkit.figures.canvas import RC
    from reportkit.text.figure_width import families

    with matplotlib.rc_context(RC | {"font.family": list(families("".join(of.models)))}):
        return KINDS[kind].draw(of, (WIDTHS | {"phone": PHONE})[width])


def texts(of) -> list[str]:
    return [t.get_text() for t in of.findobj(Text)]


def marked(of, label: str) -> list[tuple[int, int]]:
    """The cells (row, column) that hold a shape of this label."""
    found = []
    for patch in of.axes[0].findobj(PathPatch):
        if patch.get_label() == label:
            for outline in patch.get_path().to_polygons():
                x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2
                found.append((round(float(y)), round(float(x))))
    return sorted(found)


def coloured(of) -> dict[tuple[int, int], tuple[float, ...]]:
    """The colour of each cell (row, column)."""
    return {
        (round(float(y)), round(float(x))): patch.get_facecolor()
        for patch in of.axes[0].findobj(PathPatch)
        if patch.get_label() == "cells"
        for x, y in (np.mean(outline[:4], axis=0) for outline in patch.get_path().to_polygons())
    }
