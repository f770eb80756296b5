"""Columns that could be clusters, beside a search of every column by its definition."""

import numpy as np
import pandas as pd
import pytest

from reportkit.scores import candidates
from reportkit.scores.candidates import cluster_candidates

WORDS = np.array(["a", "b", "c", "1", "2", "2.5", "", None], dtype=object)


def by_definition(rows):
    """Each question has one label, there are fewer groups than questions and more than one, and
    labels that are numbers are whole.
    """
    found = []
    for name in rows.columns.drop(["model", "question_id", "score"]):
        labels: dict[str, set[str]] = {}
        for question, value in zip(rows["question_id"], rows[name], strict=True):
            missing = value is None or value != value or value == ""
            labels.setdefault(question, set()).add(None if missing else str(value))
        kinds = set().union(*labels.values())
        if None in kinds or any(len(v) > 1 for v in labels.values()):
            continue
        try:
            whole = all([float(k) % 1 == 0 for k in kinds])  # every one is looked at
        except ValueError:
            whole = True
        if whole and 1 < len(kinds) < len(labels):
            found.append((name, len(kinds)))
    return found


def table(seed, n_columns=200, questions=4, models=3):
    """Rows in any order; half of the columns are the same for every answer to a question."""
    rng = np.random.default_rng(seed)
    q = rng.permutation(np.repeat(np.arange(questions), models))
    data = {"model": [f"m{k}" for k in range(len(q))], "question_id": [f"q{k}" for k in q]}
    data["score"] = np.zeros(len(q))
    for k in range(n_columns):
        few = WORDS[rng.choice(len(WORDS), size=rng.integers(1, 4), replace=False)]
        of_rows = rng.choice(few, size=len(q)) if k % 2 else rng.choice(few, size=questions)[q]
        data[f"c{k}"] = pd.Series(of_rows, dtype="str" if k % 3 else object)
    return pd.DataFrame(data)


@pytest.mark.parametrize("cells", [1, 100, 10**6])
@pytest.mark.parametrize("seed", range(5))
def test_the_columns_are_those_of_the_definition(seed, cells, monkeypatch):
    """However many columns are looked at together."""
    monkeypatch.setattr(candidates, "CELLS", cells)
    rows = table(seed)
    expected = by_definition(rows)
    assert len(expected) > 10
    assert cluster_candidates(rows) == expected
    name = expected[0][0]
    assert cluster_candidates(rows, declared=name) == expected[1:]
