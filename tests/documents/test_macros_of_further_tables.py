"""numbers.tex holds what the tables on request print, under names of their own."""

import numpy as np
import pandas as pd
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
        "equivalenceci": cell["equivalence"]["ci"],
        "equivalencep": cell["equivalence"]["p_equivalence"],
        "noninferiorityp": cell["equivalence"]["p_non_inferiority"],
        "simultaneousci": cell["simultaneous"]["ci"],
        "simultaneousp": cell["simultaneous"]["p_adjusted"],
    }
    assert {what: found[pair, what] for what in expected} == expected
    overall, compared = cell["strata"], cell["scores-compared"]
    assert f"{found['A', 'weightedmean']} ({found['A', 'weightedse']})" == overall["mean"]
    assert found["A", "weightedci"] == overall["ci"]
    both = f"{found['A', 'probability']} ({found['A', 'probabilityse']})"
    assert both == compared["probability"]
