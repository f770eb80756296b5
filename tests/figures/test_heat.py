"""Heat maps over several evals: what has no scale has its number and no colour."""

import numpy as np
import pandas as pd
import pytest
from support.suites_made import suite_results

from reportkit.analysis import analyse
from reportkit.analysis.suite import suite_of
from reportkit.figures import draw_suite


@pytest.mark.parametrize("kind", ["suite-scores", "suite-differences", "suite-ranks"])
def test_an_eval_in_units_of_its_own_is_drawn(kind):
    """Its best model has a ring, on a cell that has no place on a scale."""
    results = suite_results(2, 2, gap=False)
    models = results[0].models
    rng = np.random.default_rng(5)
    loss = [
        {"model": m, "question_id": q, "score": 400.0 + 100.0 * k + rng.normal(0.0, 9.0)}
        for k, m in enumerate(models)
        for q in range(30)
    ]
    own, _ = analyse(pd.DataFrame(loss).assign(eval="Loss"))
    assert not own.scale.bounded
    for width in ("page", "column"):
        figure = draw_suite(suite_of([*results, own]), kind, width)
        assert figure is not None and b"<svg" in figure.svg
