"""numbers.tex holds what the tables on request print, under names of their own."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.scores_made import frame_of, rows_of

from reportkit.analysis import analyse
from reportkit.documents.macros import numbers
from reportkit.tables import make_table

RNG = np.random.default_rng(2)
SCORES = np.clip(RNG.normal([[0.5], [0.55], [0.6]], 0.2, (3, 60)), 0.01, 0.99)


def test_macros_print_the_cells_of_their_tables():
    frame = frame_of(SCORES)
    question = pd.factorize(frame["question_id"])[0]
    frame = frame.assign(subject=question % 3, p_correct=(question % 9) / 9)
    names = ("equivalence", "simultaneous", "strata", "scores-compared")
    result, _ = analyse(frame, tables=names, margin=0.1, strata="subject", baseline="A")
    cell = {name: rows_of(make_table(result, name))[0] for name in names}
    assert cell["equivalence"]["model"] == cell["simultaneous"]["model"] == "B"
    found = {(n.model, n.what): n.text for n in numbers(result)}
    pair = next(name for name, what in found if what == "equivalenceci" and name.startswith("B"))
    expected = {
        "equivalenceci": cell["equivalence"]["ci"] + " points",
        "equivalencep": cell["equivalence"]["p_equivalence"],
        "noninferiorityp": cell["equivalence"]["p_non_inferiority"],
        "simultaneousci": cell["simultaneous"]["ci"] + " points",
        "simultaneousp": cell["simultaneous"]["p_adjusted"],
    }
    assert {what: found[pair, what] for what in expected} == expected
    overall, compared = cell["strata"], cell["scores-compared"]
    assert f"{found['A', 'weightedmean']} ({found['A', 'weightedse']})" == overall["mean"]
    assert found["A", "weightedci"] == overall["ci"]
    both = f"{found['A', 'probability']} ({found['A', 'probabilityse']})"
    assert both == compared["probability"]


def found_in(result, name: str) -> dict[str, str]:
    return {n.what: n.text for n in numbers(result) if n.model == name}


def test_macros_of_clusters_and_of_joint_ranks():
    frame = frame_of(SCORES, [f"c{i % 12}" for i in range(60)])
    frame = frame.assign(template=pd.factorize(frame["question_id"])[0] // 12)
    result, _ = analyse(frame, tables="clustering-all,ranks", crossed="template")
    row = rows_of(make_table(result, "clustering-all"))[0]
    found = found_in(result, "A")
    assert f"{found['clustermean']} ({found['clustermeanse']})" == row["cluster_mean"]
    assert (found["clustermeanci"], found["icc"]) == (row["cluster_ci"], row["icc"])
    assert found["effectiveclusters"] == row["effective"]
    # The table has one decimal more.
    errors = found["crthreese"], found["twowayse"]
    for text, cell in zip(errors, (row["se_cr3"], row["se_two_way"]), strict=True):
        assert abs(float(text.rstrip("%")) - float(cell.rstrip("%\N{DAGGER}"))) <= 0.051
    assert found["jointrankset"] == rows_of(make_table(result, "ranks"))[0]["joint_set"]
    assert "jointrankset" not in found_in(analyse(frame)[0], "A")


def test_macros_of_other_methods_f1_and_regression():
    right = (SCORES > 0.5).astype(float)
    right[1, :3] = np.nan
    frame = frame_of(right)
    question = frame["question_id"].str[1:].astype(int)
    frame = frame.assign(target=question % 2, digits=question % 7)
    names = ("other-methods", "f1", "regression")
    result, _ = analyse(frame, tables=names, positive="target:1", covariates="digits", baseline="A")
    cell = {name: rows_of(make_table(result, name)) for name in names}
    pair = found_in(result, "B - A")
    row = cell["other-methods"][0]
    assert (pair["bhp"], pair["exactp"], pair["midp"]) == (
        row["p_bh"],
        row["p_exact"],
        row["p_mid"],
    )
    assert (pair["newcombeci"], pair["allanswersci"]) == (
        row["newcombe"] + " points",
        row["available_ci"] + " points",
    )
    difference, se = (pair[k].removesuffix(" points") for k in ("allanswers", "allanswersse"))
    assert f"{difference} ({se})" == row["available"]
    assert "allanswers" not in found_in(result, "C - A")
    assert "wplus" not in pair
    graded, _ = analyse(frame_of(SCORES), tables=names[:1], baseline="A")
    ranked, row = found_in(graded, "B - A"), rows_of(make_table(graded, "other-methods"))[0]
    assert (ranked["wplus"], ranked["signedrankp"]) == (row["w_plus"], row["p_signed_ranks"])
    found, row = found_in(result, "A"), cell["f1"][0]
    texts = tuple(found[what] for what in ("fone", "foneci", "precision", "recall"))
    assert texts == (row["f1"], row["ci"], row["precision"], row["recall"])
    _, slope = cell["regression"][:2]
    text = f"{found['coefficient digits']} ({found['coefficientse digits']})"
    assert text == slope["coefficient"]


def test_a_coverage_has_the_one_decimal_of_its_table():
    result, _ = analyse(frame_of(SCORES))
    given = SimpleNamespace(model="A", baseline="", coverage=0.9513)
    assert found_in(replace(result, certificates=(given,)), "A")["coverage"] == "95.1%"


@pytest.mark.parametrize("name", ["p_equivalence", "p_non_inferiority"])
def test_a_p_near_alpha_has_the_digit_that_tells_its_side(name):
    """0.09986 would print as 0.100, which alpha is."""
    result, _ = analyse(frame_of(SCORES), tables=("equivalence",), margin=0.1, baseline="A")
    first = replace(result.requested["equivalence"][0], **{name: 0.09986}, alpha=0.1)
    given = replace(result, requested={"equivalence": (first,)})
    assert "0.0999" in [n.text for n in numbers(given)]
