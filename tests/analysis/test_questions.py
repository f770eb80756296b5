"""Which questions a mean is of: marks, common means, and differences that say why they differ."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.scores_made import frame_of, result_of, rows_of

from reportkit.analysis import analyse
from reportkit.analysis.questions import common_means, common_questions, other_questions
from reportkit.analysis.warnings import warnings_of
from reportkit.documents import prose
from reportkit.facts import OtherQuestions
from reportkit.figures import draw
from reportkit.results import Results
from reportkit.scores.rows import check_rows
from reportkit.scores.select import select
from reportkit.tables import make_table
from reportkit.tables.writers.render import FORMATS, render_drop_in

NAN = math.nan
# Eight questions. C answered the first four alone; A and B all.
PART = np.array(
    [
        [1.0, 1, 1, 0, 0, 0, 1, 0],  # mean 4/8; of the first four 3/4
        [1.0, 0, 1, 0, 1, 0, 0, 0],  # 3/8; 2/4
        [0.0, 1, 0, 0, NAN, NAN, NAN, NAN],  # 1/4; 1/4
    ]
)


def marked(scores: np.ndarray) -> dict[str, tuple[int, int, int]]:
    e = select(frame_of(scores), "toy")
    return {o.model: (o.n_usual, o.n_shared, o.n_more) for o in other_questions(e)}


def only(*questions: int) -> np.ndarray:
    """Scores of 0 or 1 on some of eight questions."""
    return np.array([float(q % 2) if q in questions else NAN for q in range(8)])


def test_the_model_with_part_of_the_questions_is_marked():
    assert marked(PART) == {"C": (8, 4, 0)}


def test_the_model_with_more_questions_than_the_others_is_marked():
    most = only(0, 1, 2, 3, 4, 5)
    assert marked(np.array([most, only(*range(8)), most])) == {"B": (6, 6, 2)}


def test_of_two_sets_the_larger_is_usual():
    assert marked(np.array([only(0, 1, 2), only(0, 1, 2), *[only(*range(8))] * 2])) == {
        "A": (8, 3, 0),
        "B": (8, 3, 0),
    }


def test_where_no_set_is_usual_all_questions_are():
    halves = np.array([only(0, 1, 2, 3), only(4, 5, 6, 7)])
    assert marked(halves) == {"A": (8, 4, 0), "B": (8, 4, 0)}
    # each its own set; A has all
    assert marked(np.array([only(*range(8)), only(0, 1), only(2, 3)])) == {
        "B": (8, 2, 0),
        "C": (8, 2, 0),
    }


def test_the_same_questions_are_not_marked():
    assert marked(PART[:2]) == {} and marked(PART[:2, :3]) == {}
    assert make_table(result_of(PART[:2]), "means").cells[0][1].endswith(")")


def test_a_model_without_scores_does_not_count():
    none = np.full(8, NAN)
    assert marked(np.array([PART[0], PART[1], none])) == {}
    e = select(frame_of(np.array([PART[0], PART[1], none])), "toy")
    assert common_questions(e).all() and common_means(e).n == 8
    assert common_means(e).means[:2].tolist() == [0.5, 0.375]
    assert math.isnan(common_means(e).means[2])


def test_means_on_the_common_questions_are_in_the_results():
    result = result_of(PART)
    assert result.n_common == 4
    assert [m.mean_common for m in result.means] == [0.75, 0.5, 0.25]
    told = json.loads(json.dumps(Results("toy", "template", {}, (result,)).to_json()))["evals"][0]
    assert told["n_common"] == 4 and told["means"][0]["mean_common"] == 0.75
    assert told["differences"][1]["mean_model"] == 0.75
    assert told["differences"][1]["mean_baseline"] == 0.25


def test_without_a_common_question_there_is_no_common_mean():
    result = result_of(np.array([only(0, 1, 2, 3), only(4, 5, 6, 7)]))
    assert result.n_common == 0 and all(math.isnan(m.mean_common) for m in result.means)
    assert "No question was answered by all models." in make_table(result, "means").notes


def test_with_the_same_questions_the_common_mean_is_the_mean():
    rng = np.random.default_rng(0)
    result = result_of(rng.random((3, 77)))
    assert [m.mean_common for m in result.means] == [m.mean for m in result.means]
    for d in result.differences:
        assert d.mean_model - d.mean_baseline == pytest.approx(d.difference, abs=1e-15)


def notes(table, kind: str) -> list[str]:
    return [str(n) for n in table.notes if getattr(n, "kind", "") == kind]


def test_the_means_table_marks_and_counts():
    table = make_table(result_of(PART), "means")
    cells = {row["model"]: row["mean"] for row in rows_of(table)}
    assert cells["C"].endswith("‡") and not any(cells[m].endswith("‡") for m in "AB")
    assert notes(table, "other questions") == [
        "‡: not of all 8 questions: C 4 of 8.",
        "Means on the 4 questions that all models answered: A 75.0%, B 50.0%, C 25.0%.",
    ]


def test_the_figure_of_means_says_it_in_its_caption():
    title = "toy: mean score of each model. 95% intervals: Wilson; metric: points; "
    assert draw(result_of(PART[:2]), "means").title == f"{title}8 questions."
    assert draw(result_of(PART), "means").title == (
        f"{title}4 to 8 questions; not of all 8 questions: C 4 of 8."
    )


def test_models_in_columns_are_marked_too():
    wide = make_table([result_of(PART), result_of(PART[:2], eval="b")], "means")
    heads = [c.head for c in wide.columns]
    assert wide.cells[0][heads.index("C")].endswith("‡")
    assert not wide.cells[1][heads.index("A")].endswith("‡")
    assert any(n.startswith("toy: ‡: not of all 8 questions: C 4 of 8. ") for n in wide.notes)


@pytest.mark.parametrize("fmt", [f for f in FORMATS if f != "csv"])
def test_every_format_carries_the_note(fmt):
    text = render_drop_in(make_table(result_of(PART), "means"), fmt)
    assert "C 4 of 8" in text and text.count("‡") + text.count("ddagger") >= 2
    text = render_drop_in(make_table(result_of(PART), "differences"), fmt)
    assert "the difference is not that of the two printed means" in " ".join(text.split())


def test_the_csv_has_the_common_means():
    lines = render_drop_in(make_table(result_of(PART), "means"), "csv").splitlines()
    place = lines[0].split(",").index("mean_common")
    assert [line.split(",")[place] for line in lines[1:]] == ["0.75", "0.5", "0.25"]


def test_more_than_five_models_are_left_to_the_csv():
    table = make_table(result_of(np.array([*PART[:2], *PART[:2], PART[2]])), "means")
    assert "A 75.0%" in notes(table, "other questions")[1]
    frame = frame_of(np.array([*PART[:2], *PART[:2], PART[2]]))
    more = frame[frame["model"] == "A"].assign(model="F")
    result, _ = analyse(check_rows(pd.concat([frame, more], ignore_index=True)))
    assert notes(make_table(result, "means"), "files") == [
        "Means on the 4 questions that all models answered: column mean_common of means.csv."
    ]


# Differences that are not those of the printed means ----------------------------------------------


def test_a_difference_of_other_questions_says_so():
    """A minus C is 75.0 - 25.0 = 50.0 on their four questions; the means table has 50.0 and 25.0,
    whose difference is 25.0. B minus C is 25.0, the table 37.5 - 25.0 = 12.5. A minus B is 12.5.
    """
    table = make_table(result_of(PART), "differences")
    assert notes(table, "apart") == [
        "In 2 rows the difference is not that of the two printed means, since these are of all "
        "questions of each model."
    ]


def rounded(n: int, *right: int) -> np.ndarray:
    return np.array([(np.arange(n) < k).astype(float) for k in right])


def test_a_difference_of_rounded_means_says_so():
    """Of 300 questions: 101 right is 33.67, printed 33.7; 100 is 33.33, printed 33.3; they differ
    by 0.33, printed 0.3, and 33.7 - 33.3 = 0.4.
    """
    result = result_of(rounded(300, 101, 100))
    table = make_table(result, "differences")
    assert notes(table, "apart") == [
        "Differences are computed before rounding, so the last digit may differ."
    ]
    assert "(computed before rounding; 95% interval" in prose.findings(result)


def test_a_difference_that_subtracts_says_nothing():
    """Of 200 questions: 55.0% and 50.0%, and 5.0%."""
    result = result_of(rounded(200, 110, 100))
    assert notes(make_table(result, "differences"), "apart") == []
    assert "before rounding" not in prose.findings(result)


def test_rounding_is_not_blamed_on_questions():
    """The second model lacks one question of 300, a wrong one of both: 101 of 300 and 100 of 299
    print 33.7 and 33.4; on 299 they are 33.8 and 33.4, which differ by 0.33, printed 0.3. The
    unrounded means differ by 0.22, printed 0.2: not rounding alone.
    """
    scores = rounded(300, 101, 100)
    scores[1, 299] = NAN
    table = make_table(result_of(scores), "differences")
    assert notes(table, "apart") == []  # 33.7 - 33.4 = 0.3
    scores = rounded(300, 101, 100)
    scores[0, 299] = NAN  # 101 of 299 is 33.78, 100 of 300 is 33.33: 33.8 - 33.3 = 0.5, not 0.3
    assert (
        "since these are of all questions"
        in notes(make_table(result_of(scores), "differences"), "apart")[0]
    )


def test_findings_use_the_means_that_they_compare():
    rng = np.random.default_rng(1)
    scores = (rng.random((2, 60)) < [[0.9], [0.3]]).astype(float)
    scores[1, 30:] = NAN
    text = prose.findings(result_of(scores))
    a, b = scores[0, :30].mean(), scores[1, :30].mean()
    assert f"on the 30 questions that both answered, {100 * a:.1f}% against {100 * b:.1f}%" in text
    assert "not of all 60 questions; differences are of the questions that both" in text


def test_findings_tell_the_higher_mean_first():
    """The model that is told first is the better one, also where the row is the other way round."""
    rng = np.random.default_rng(1)
    scores = (rng.random((2, 60)) < [[0.3], [0.9]]).astype(float)
    scores[0, 30:] = NAN
    a, b = scores[0, :30].mean(), scores[1, :30].mean()
    text = prose.findings(result_of(scores))
    assert text.count("B scores higher than A") == 1
    assert f"answered, {100 * b:.1f}% against {100 * a:.1f}%" in text


# Ranges ------------------------------------------------------------------------------------------


def test_a_range_of_one_number_prints_once():
    """Three models that each lack another of 9 questions answered 8 each."""
    scores = np.tile(np.arange(9) % 2.0, (3, 1))
    for m in range(3):
        scores[m, m] = NAN
    text = prose.findings(result_of(scores))
    assert "Each of 3 models answered 8 of 9 questions" in text and "8 to 8" not in text


def test_the_note_on_clusters_has_the_questions_of_the_rows():
    """Three models that each lack another of 9 questions, in 3 clusters of three; then two that
    lack the last cluster.
    """
    scores = np.tile(np.arange(9) % 2.0, (3, 1))
    apart, last = scores.copy(), scores.copy()
    for m in range(3):
        apart[m, m] = NAN
    last[1:, 6:] = NAN
    for x, said in ((apart, "8 questions in 3"), (last, "6 to 9 questions in 2 to 3")):
        notes = make_table(result_of(x, list("aaabbbccc")), "clustering").notes
        assert f"{said} clusters (cluster_id)." in notes


def test_one_score_is_no_range():
    result, warnings = analyse(frame_of(np.full((2, 5), 7.0)))
    [warning] = [w for w in warnings if w.code == "own-units"]
    assert warning.message.startswith("Every score is 7;")
    assert any("every score is 7" in n for n in make_table(result, "means").notes)


def test_the_warning_comes_with_five_percent_of_other_questions():
    """Of 40 questions: 39 are a mark and no warning, 37 are below 95% and warned of."""
    scores = np.tile(np.arange(40) % 2.0, (3, 1))
    scores[2, :1] = NAN
    assert "other-questions" not in {w.code for w in analyse(frame_of(scores))[1]}
    scores[2, :3] = NAN
    result, warnings = analyse(frame_of(scores))
    [warning] = [w for w in warnings if w.code == "other-questions"]
    assert warning.message.startswith("1 mean is not of all 40 questions: C 37 of 40.")
    assert "Means on the 37 questions" in warning.message
    assert len(result.other_questions) == 1


@pytest.mark.parametrize(
    ("models", "told"), [(4, "2 means are not of all 40"), (2, "No mean is of all 40")]
)
def test_the_warning_counts_every_mean_of_other_questions_as_findings_do(models, told):
    """A lacks three of 40 questions and B one: two means are not of all 40, not one; without other
    models no mean is.
    """
    scores = np.tile(np.arange(40) % 2.0, (models, 1))
    scores[0, :3], scores[1, 5:6] = NAN, NAN
    result, warnings = analyse(frame_of(scores))
    [warning] = [w for w in warnings if w.code == "other-questions"]
    assert warning.message.startswith(f"{told} questions: A 37 of 40; B 39 of 40.")
    assert told in prose.findings(result)


@pytest.mark.parametrize(
    ("shared", "more", "warned"), [(95, 0, False), (94, 0, True), (100, 5, False), (100, 6, True)]
)
def test_the_warning_begins_beyond_five_percent(shared, more, warned):
    """Of 100 usual questions, a model that lacks 5, or has 5 others, is not warned of."""
    other = OtherQuestions("C", 100, shared, more)
    result = replace(result_of(PART), other_questions=(other,))
    assert ("other-questions" in {w.code for w in warnings_of(result)}) is warned


def test_where_every_row_is_of_other_questions_the_note_says_every():
    """C has half of the questions: with C as the baseline both differences are of those."""
    table = make_table(result_of(PART, baseline="C"), "differences")
    [note] = notes(table, "apart")
    assert note.startswith("In every row the difference is not that of the two printed means")


def test_of_many_evals_the_mark_has_one_sentence():
    evals = [result_of(PART, eval=name) for name in "abcd"]
    table = make_table(evals, "means")
    # C answered 4 of 8 on each; the first in the alphabet is named.
    assert [str(n) for n in table.notes if "‡" in n] == [
        "‡: not of all the questions that most models answered; the smallest share "
        "of them is 50%, of C on a."
    ]


def test_without_a_comparison_no_note_tells_of_differences():
    apart = result_of(np.array([only(0, 1, 2, 3), only(4, 5, 6, 7)]))
    table = make_table(apart, "differences")
    assert "No two models have a question in common." in table.notes
    assert not [n for n in table.notes if "points" in n or "Metric" in n]
    assert "Model minus" not in table.title
