"""The figures of public evals that plans quote, recomputed from question-level results."""

import importlib.util

import pytest
from support.places import DATA, ROOT, needs

from reportkit.analysis.planning.public import public_evals, public_range

shared = needs(DATA)


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("pe", ROOT / "benchmarks" / "public_evals.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@shared
@pytest.mark.parametrize("name", ["GSM8K", "TAT-QA", "tau-bench airline", "Game of 24"])
def test_a_public_eval_is_what_its_scores_show(script, name):
    file, eval_name, *_ = next(e for e in script.EVALS if e[2] == name)
    of = {e.name: e for e in public_evals()}[name]
    for what, value in script.figures(DATA, file, eval_name).items():
        known = getattr(of, what)
        assert (list(known) if isinstance(known, tuple) else known) == value


@shared
def test_gsm8k_by_hand():
    """Three pairs of neighbours of four models: the middle Pearson correlation, by pandas."""
    import pandas as pd

    rows = pd.read_csv(DATA / "gsm8k_openai_solutions.csv.gz")
    wide = rows.pivot(index="question_id", columns="model", values="score")
    order = wide.mean().sort_values(ascending=False).index
    found = sorted(wide[a].corr(wide[b]) for a, b in zip(order, order[1:], strict=False))
    assert public_evals()[0].correlation[1] == pytest.approx(found[1], abs=6e-4)


def test_a_range_is_of_the_evals_medians():
    medians = sorted(e.correlation[1] for e in public_evals() if e.correlation)
    assert public_range("correlation").evals == len(medians) == 13
    assert public_range("correlation").middle == round(medians[6], 2)
