"""One question, one answer, one cluster: the sentences that hold a count say it in the singular."""

import numpy as np
import pandas as pd
from support.scores_made import result_of

import reportkit
from reportkit.documents.prose import methods
from reportkit.tables import make_table

ONE = np.array([[1.0], [0.0]])


def said_by(table) -> str:
    return f"{table.title} {' '.join(table.notes)}"


def test_one_question_and_one_answer():
    said = said_by(make_table(result_of(ONE), "data"))
    assert "Each model: 1 question, all of the eval, 1 answer, none without a score" in said


def test_a_file_of_one_row(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("model,question_id,score\na,1,1\n")
    result, _ = reportkit.analyse(reportkit.read_scores(str(path)))
    assert "one.csv: 1 row, SHA-256" in said_by(make_table(result, "data"))


def test_one_cluster_and_one_degree_of_freedom():
    halves = np.array([[1, 0, 1, 1], [0, 1, 1, 0]])
    one, two = (result_of(halves, [*labels]) for labels in ("pppp", "ppqq"))
    assert "Questions come in 1 cluster (cluster_id)," in methods(one).replace("\\", "")
    assert "degree" not in said_by(make_table(one, "clustering"))  # there are none to tell
    assert "Each model: 1 degree of freedom." in said_by(make_table(two, "clustering"))


def test_several_evals_of_one_question():
    results = [result_of(ONE, eval=name) for name in ("first", "second")]
    assert "1 question in each eval." in make_table(results, "means").title


def test_one_shot():
    rows = pd.DataFrame({"model": ["a", "b"], "question_id": "1", "score": [1, 0], "shots": "1"})
    result, _ = reportkit.analyse(rows.assign(eval="e"))
    assert "1 shot." in said_by(make_table(result, "means"))
