"""Evals that hold the same questions are averaged once; expected numbers from the scores that the
logs are written with.
"""

import hashlib
import json
import math

import jsonschema
import numpy as np
import pytest
from scipy import stats as sps
from support.lm_eval_logs import STAMP, line, write
from support.scores_made import frame_of, rows_of

from reportkit import demo_scores, read_scores
from reportkit.analysis import analyse
from reportkit.analysis.shared import CHANCE, n_distinct, named, repeated
from reportkit.analysis.suite import suite_of
from reportkit.analysis.suite_decided import suite_for
from reportkit.builds.rounds import rounds_of
from reportkit.decisions import Decisions
from reportkit.documents.prose.suite import findings
from reportkit.errors import ScoresError
from reportkit.figures import draw_suite
from reportkit.results import Results
from reportkit.schema import results_schema
from reportkit.tables import make_table

RNG = np.random.default_rng(7)
SIZES = {"g_a": 12, "g_b": 20, "other": 30}
# model -> task -> answers, 0 or 1
ANSWERS = {
    m: {task: (RNG.random(n) < p).astype(float) for task, n in SIZES.items()}
    for m, p in (("m", 0.8), ("n", 0.4))
}
GROUPS = {"g": ["g_a", "g_b"]}


def logs(folder, groups=GROUPS, answers=ANSWERS):
    """The logs of lm-eval of each model, with groups."""
    for model, tasks in answers.items():
        for task, scores in tasks.items():
            rows = [
                line(i, x, doc_hash=hashlib.sha256(f"{task} {i}".encode()).hexdigest())
                for i, x in enumerate(scores)
            ]
            write(folder / model, task, rows, model_name=model)
        path = folder / model / f"results_{STAMP}.json"
        told = json.loads(path.read_text())
        number = {"acc,none": 0.5, "acc_stderr,none": 0.1}
        path.write_text(
            json.dumps(
                {
                    "results": told.pop("results"),
                    "groups": dict.fromkeys(groups, number),
                    **told,
                    "group_subtasks": groups,
                }
            )
        )
    return folder


@pytest.fixture
def results(tmp_path):
    frame = read_scores(logs(tmp_path))
    return {e: analyse(frame, e)[0] for e in frame["eval"].unique()}


def by_hand(tasks):
    """Mean difference of m and n over these tasks, its SE and degrees of freedom."""
    d = [ANSWERS["m"][t] - ANSWERS["n"][t] for t in tasks]
    v = np.array([x.var(ddof=1) / len(x) for x in d]) / len(d) ** 2
    df = v.sum() ** 2 / sum(part**2 / (len(x) - 1) for part, x in zip(v, d, strict=True))
    return np.mean([x.mean() for x in d]), math.sqrt(v.sum()), df


def test_a_group_beside_its_subtasks_is_in_no_average(results):
    assert set(results) == {"g", "g_a", "g_b", "other"}
    assert results["g"].subtasks == ("g_a", "g_b")
    s = suite_of(list(results.values()))
    value, se, df = by_hand(SIZES)
    [d] = s.overall
    assert (d.difference, d.se, d.df) == pytest.approx((value, se, df), rel=1e-9)
    assert d.p_value == pytest.approx(2 * sps.t.sf(value / se, df), rel=1e-9)
    assert (d.n_evals, d.n_all, d.n_questions) == (3, 3, 62)
    assert [a.n_questions for a in s.averages] == [62, 62]
    # its own row stays, and it is in no comparison of the suite
    assert {r.eval for r in s.evals} == set(results)
    assert {x.eval for x in s.differences} == set(SIZES) and s.n_tests == 3
    assert s.apart == {"g": "its questions stand in g_a and g_b"}


def test_every_part_of_a_suite_says_so(results):
    s = suite_for(list(results.values()), Decisions(), {"g_a": Decisions(name="First")})
    for kind, what in (("overall", "Not averaged"), ("ranks", "Not averaged")):
        table = make_table(s, f"suite-{kind}")
        assert f"{what}: g (its questions stand in First and g_b)." in table.notes
        assert "over 3 evals" in table.title
    table = make_table(s, "suite-differences")
    assert "Not compared here: g (its questions stand in First and g_b)." in table.notes
    assert table.title.count("on 3 evals") == 1
    ranks = rows_of(make_table(s, "suite-ranks"))
    assert {row["evals"] for row in ranks} == {"3"}
    assert sum(int(row["best"]) + int(row["worse"]) for row in ranks) <= 6
    assert "g" in [row["eval"] for row in rows_of(make_table(s, "suite"))]
    text = findings(s)
    assert "The suite has 2 models, 3 evals and 62 questions." in text
    assert "g is not counted: its questions stand in First and g\\_b." in text
    assert draw_suite(s, "suite-differences") is not None


def test_a_macro_average_leaves_the_group_out_too(results):
    table = make_table(list(results.values()), "macro")
    assert table.title.endswith("over 3 evals.")
    assert "Not averaged: g (its questions stand in g_a and g_b)." in table.notes
    m = ANSWERS["m"]
    se = math.sqrt(sum(x.var(ddof=1) / len(x) for x in m.values())) / 3
    assert table.data[0]["se"] == pytest.approx(se, rel=1e-9)
    assert table.data[0]["mean"] == pytest.approx(np.mean([x.mean() for x in m.values()]))
    with pytest.raises(ScoresError, match="share no questions; of g_a, its questions stand in g"):
        make_table([results["g"], results["g_a"]], "macro")


def test_of_a_group_and_some_of_its_subtasks_the_group_counts(results):
    s = suite_of([results[e] for e in ("g_a", "g", "other")])
    assert s.apart == {"g_a": "its questions stand in g"} and list(s.weights) == ["g", "other"]
    alone = suite_of([results[e] for e in ("g", "other")])
    assert alone.apart == {} and alone.overall[0].n_questions == 62
    weighed = suite_of(list(results.values()), weights={"g": 1.0, "other": 1.0})
    assert list(weighed.weights) == ["g", "other"]
    assert set(weighed.apart.values()) == {"its weight is 0"}


def test_of_nested_groups_the_innermost_evals_count(tmp_path):
    frame = read_scores(logs(tmp_path, {"all": ["g", "other"], "g": ["g_a", "g_b"]}))
    results = {e: analyse(frame, e)[0] for e in frame["eval"].unique()}
    s = suite_of(list(results.values()))
    assert set(s.weights) == set(SIZES) and set(s.shared) == {"all", "g"}
    assert n_distinct(s.evals) == 62
    s = suite_of([results[e] for e in ("all", "g", "other")])
    assert list(s.apart) == ["all"] and set(s.weights) == {"g", "other"}
    s = suite_of([results["all"], results["g"]])
    assert list(s.apart) == ["g"]


def test_a_group_of_one_subtask_makes_way_for_it(tmp_path):
    frame = read_scores(logs(tmp_path, {"g": ["g_a"]}))
    s = suite_of([analyse(frame, e)[0] for e in ("g", "g_a", "other")])
    assert list(s.apart) == ["g"]


def table_of(eval, contents, seed=0):
    scores = (np.random.default_rng(seed).random((2, len(contents))) < 0.5).astype(float)
    frame = frame_of(scores, eval=eval)
    return frame.assign(content_hash=[*contents, *contents])


def suite_of_tables(**contents):
    results = [analyse(table_of(e, c, k))[0] for k, (e, c) in enumerate(contents.items())]
    return suite_of(results), n_distinct(results)


def test_the_same_contents_under_two_names_count_once():
    """Two evals of the same 40 questions, as truthfulqa_mc1 and _mc2 are: the first counts."""
    texts = [f"text {i}" for i in range(40)]
    s, n = suite_of_tables(one=texts, two=texts, rest=[f"other {i}" for i in range(10)])
    assert s.apart == {"two": "its questions stand in one"} and n == 50
    s, n = suite_of_tables(half=[*texts[:20], *(f"own {i}" for i in range(10))], one=texts)
    assert s.apart == {"half": "20 of its 30 questions stand in one"} and n == 50


def test_a_few_texts_in_common_are_let_pass():
    """2 of 40 and 40: sqrt(40 * 40) * CHANCE = 2; 3 are more than that."""
    texts = [f"text {i}" for i in range(40)]
    others = [f"other {i}" for i in range(40)]
    assert CHANCE * 40 == 2.0
    s, n = suite_of_tables(one=texts, two=[*texts[:2], *others[2:]])
    assert s.apart == {} and n == 78
    s, n = suite_of_tables(one=texts, two=[*texts[:3], *others[3:]])
    assert s.apart == {"two": "3 of its 40 questions stand in one"} and n == 77


def test_nothing_is_guessed_from_names_and_ids():
    """Ids that are the same in two evals, one text for all questions, names that begin alike."""
    scores = (np.random.default_rng(1).random((2, 20)) < 0.5).astype(float)
    plain = [analyse(frame_of(scores, eval=e))[0] for e in ("mmlu", "mmlu_law")]
    assert suite_of(plain).apart == {}
    s, n = suite_of_tables(one=["start"] * 20, two=["start"] * 20)
    assert s.apart == {} and n == 40
    frame = frame_of(scores, eval="both")
    frame["question_id"] = "mmlu/" + frame["question_id"].astype(str)  # no column `subtask`
    assert suite_of([plain[0], analyse(frame)[0]]).apart == {}
    marked = analyse(frame.assign(subtask="mmlu"))[0]
    assert suite_of([plain[0], marked]).apart == {"both": "its questions stand in mmlu"}
    assert suite_of([analyse(demo_scores(), e)[0] for e in ("MATH", "MGSM")]).apart == {}


def test_evals_by_the_names_of_their_parts():
    evals = {"g": named(["a", "b"]), "a": named(["a"]), "b": named(["b"]), "c": named(["c"])}
    assert list(repeated(evals, ["g"])) == ["g"]
    assert list(repeated({e: evals[e] for e in "gac"}, ["g"])) == ["a"]


def test_results_json_names_the_subtasks_for_the_next_build(results):
    told = Results("suite", "suite", {}, tuple(results.values())).to_json()
    assert [("subtasks" in e) for e in told["evals"]] == [e["eval"] == "g" for e in told["evals"]]
    read = json.loads(json.dumps(told))
    jsonschema.validate(read, results_schema())
    assert {r.eval: r.subtasks for r in rounds_of(read) if r.subtasks} == {"g": ("g_a", "g_b")}
