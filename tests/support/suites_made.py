"""Suites made in a test: evals in categories, models with long names, some not run everywhere."""

from unittest.mock import patch

import numpy as np
import pandas as pd

from reportkit.analysis import analyse, chances
from reportkit.results import EvalResult
from reportkit.scores.rows import check_rows

LONG = (
    "nova-2-70b-instruct-2026-10",
    "nova-2-8b-instruct-2026-10",
    "aquila-3.1-405b-instruct-fp8",
    "aquila-3.1-70b-instruct",
    "orbit-large-preview-2026-08",
    "orbit-mini-2026-08",
)
CATEGORIES = ("Knowledge", "Mathematics", "Code")


def model_names(n: int) -> list[str]:
    return [LONG[k % 6] + (f"-v{k // 6 + 1}" if k > 5 else "") for k in range(n)]


def suite_results(
    n_evals: int,
    n_models: int,
    questions: int = 40,
    *,
    gap: bool = True,
    differences: bool = False,
    **decisions,
) -> list[EvalResult]:
    """0/1 scores; gap: the last model was not run on the first eval. differences: with the chances
    that a table of differences shows of few questions, and no table of a suite; they take most of
    the time.
    """
    rng = np.random.default_rng(n_evals * 100 + n_models)
    ability = rng.normal(0.0, 0.7, n_models)
    results = []
    for k in range(n_evals):
        hard = rng.normal(rng.normal(0.0, 0.5), 1.0, questions)
        p = 1.0 / (1.0 + np.exp(-(ability[:, None] + hard)))
        x = (rng.uniform(size=p.shape) < p).astype(float)
        rows = [
            {
                "eval": f"Eval {k + 1}",
                "model": name,
                "question_id": str(q),
                "score": x[m, q],
                "category": CATEGORIES[k % 3],
                "metric": ("exact_match", "pass@1")[k % 2],
                "shots": str(5 * (k % 2)),
            }
            for m, name in enumerate(model_names(n_models))
            for q in range(questions)
            if not (gap and k == 0 and m == n_models - 1)
        ]
        frame = check_rows(pd.DataFrame(rows, dtype=str))
        with patch.object(chances, "FEW", chances.FEW if differences else 0):
            results.append(analyse(frame, **decisions)[0])
    return results
