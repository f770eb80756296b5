"""The figures of public evals that plans quote, recomputed from question-level results."""

import pytest
from support.benchmarks import benchmark
from support.places import DATA, needs
from support.plans import plan

from reportkit.analysis.planning.public import public_evals, public_range
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.prose import methods_sentence

shared = needs(DATA)


@pytest.fixture(scope="module")
def script():
    return benchmark("public_evals")


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


def test_a_plan_takes_the_correlations_of_its_own_kind_of_answers():
    """Medians of public_evals.toml. Right or wrong: .22, .223, .353, .408, .415, .43, .526, whose
    quartiles are (.223 + .353) / 2, .408 and (.415 + .43) / 2. Shares and probabilities: .396, .46,
    .502, .523, .797. Own units: one eval, so those of all 13.
    """
    binary, share, free = (
        public_range("correlation", kind) for kind in ("binary", "share", "free")
    )
    assert (binary.low, binary.middle, binary.high) == (0.29, 0.41, 0.42)
    assert (share.low, share.middle, share.high) == (0.46, 0.5, 0.52)
    assert (binary.evals, share.evals, free.evals) == (7, 5, 13)
    assert free == public_range("correlation") and free.answers is None
    assert (binary.answers, share.answers) == ("binary", "share")
    for said, r in (({}, binary), ({"answers": "shares"}, share),
                    ({"answers": "own-units", "spread": 2.0}, free)):  # fmt: skip
        known = {k.name: k for k in plan(difference=0.03, **said).known}["correlation"]
        assert (known.low, known.value, known.high) == (r.low, r.middle, r.high)
    assert public_range("noise", "binary").answers is None  # two evals are too few


def test_a_plan_says_of_which_evals_its_correlation_is():
    p = plan(difference=0.03)
    notes = plan_table(p, "planning-known").notes
    assert any(str(n) == "Correlation: of 7 public evals of right-or-wrong answers." for n in notes)
    said = "a correlation of 0.41 (the median of public evals of right-or-wrong answers)"
    assert said in methods_sentence(p)
    own = plan(difference=0.03, answers="own-units", spread=2.0)
    notes = plan_table(own, "planning-known").notes
    assert any(str(n) == "Correlation: of 13 public evals of all kinds of scores." for n in notes)
    assert "a correlation of 0.43 (the median of public evals)" in methods_sentence(own)
    public = " ".join(map(str, plan_table(p, "planning-public").notes))
    assert "0.29, 0.41 and 0.42 of the 7 evals of right-or-wrong answers; 0.46, 0.50" in public
