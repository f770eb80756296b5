"""The findings in words: every direction, size, interval and p is a record's, and nothing undecided
is called equal.
"""

import html
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.scores_made import result_of

from reportkit.analysis import analyse
from reportkit.decisions import SPECS
from reportkit.documents.prose import compared, findings, made, methods, one_comparison
from reportkit.loading.demo import demo_scores
from reportkit.report.shown import show_notes
from reportkit.scores.rows import check_rows
from reportkit.tables import Table, make_table
from reportkit.tables.grid import Column
from reportkit.tables.notes import NOTHING as NO_NUMBER
from reportkit.tables.notes import Note
from reportkit.tables.renaming import renamed_result

NBSP = "\u00a0"


def plain(markdown):
    return markdown.replace(NBSP, " ").replace("&lt;", "<").replace("\\", "")


@pytest.fixture(scope="module")
def many():
    """60 models whose skills rise in small steps, on 300 questions."""
    rng = np.random.default_rng(4)
    hard = rng.uniform(-1, 1, 300)
    rows = [
        (f"m{k:02d}", q, int(rng.uniform() < 1 / (1 + np.exp(hard[q] - k / 15))))
        for k in range(60)
        for q in range(300)
    ]
    return analyse(check_rows(pd.DataFrame(rows, columns=["model", "question_id", "score"])))[0]


def test_what_is_settled_has_direction_size_interval_and_adjusted_p():
    text = plain(findings(analyse(demo_scores(["MATH"]), "MATH")[0]))
    # Miller 2024, Table 5, and Holm over three comparisons.
    assert (
        "- Galleon scores higher than Dreadnought by 2.5 points (95% interval +1.2 to "
        "+3.8, adjusted p < 0.001)." in text
    )
    assert (
        "Galleon has the highest mean on MATH, 65.5% (standard error 0.7%), but the best model may "
        "also be Frigate: one-sided paired tests do not find it lower. These 2 models are the 95% "
        "confidence set for the best model." in text
    )


def test_what_is_not_settled_has_the_interval_and_what_could_have_been_seen():
    text = plain(
        findings(analyse(demo_scores(["MGSM"]), "MGSM", models=["Galleon", "Dreadnought"])[0])
    )
    # Miller 2024, Table 5. Detectable, which the paper does not print: 4.8 by its equation 10; more
    # for a model that much below 76.6%, where scores vary more.
    assert (
        "Galleon against Dreadnought: the data do not settle which is better. The difference is "
        "−2.7 points "
        "(95% interval −6.1 to +0.7, p = 0.116). With 80% power this eval would find a difference "
        "of 5.1 points." in text
    )
    assert not re.search(r"\b(equal|same|noise|no difference)\b", text)


def lines_of(result) -> list[str]:
    """The lines below the opening: a list, or one paragraph where there is only one; of two models
    the opening's first sentences.
    """
    opening, _, below = plain(findings(result)).partition("\n\n")
    lines = below.splitlines() or [opening.split(" 2 models answered")[0]]
    assert all(line.startswith("- ") for line in lines) == (len(lines) > 1), lines
    return [line.removeprefix("- ") for line in lines]


def test_the_best_model_comes_first_and_then_the_counts():
    """Who has ten seconds read a count. Shares of 200 questions, SE by hand: sqrt(pq / 199)."""
    r = shares_of(0.5, 0.6, 0.9)
    best = r.means[2]
    assert best.se == pytest.approx(math.sqrt(best.mean * (1 - best.mean) / 199))
    text = plain(findings(r))
    mean = f"{100 * best.mean:.1f}% (standard error {100 * best.se:.1f}%)"
    assert text.startswith(f"m02 has the highest mean on eval, {mean}, and is the best model ")
    counts = "find every other model lower. 3 models answered 200 questions (metric: score).\n\n"
    assert counts in text and text.count(" eval") == 1


@pytest.mark.parametrize(("groups", "few"), [(5, True), (60, False)])
def test_few_clusters_are_told_where_the_best_model_is(groups, few):
    """Equal clusters have G - 1 degrees of freedom."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": q, "score": int(rng.random() < p), "cluster_id": q % groups}
        for m, p in zip("ABC", (0.9, 0.5, 0.4), strict=True) for q in range(120)
    ]  # fmt: skip
    r = analyse(check_rows(pd.DataFrame(rows)))[0]
    said = "The standard errors rest on few clusters in effect (4.0 degrees of freedom)."
    assert (said in plain(findings(r))) is few


def test_a_single_mean_of_other_questions_is_named():
    rows = [
        {"model": m, "question_id": q, "score": (q * k) % 3 % 2}
        for m, k in zip("ABC", (1, 2, 5), strict=True) for q in range(40) if m != "B" or q > 2
    ]  # fmt: skip
    r = analyse(check_rows(pd.DataFrame(rows)))[0]
    assert "The mean of B is not of all 40 questions; differences are of" in plain(findings(r))


def test_a_single_mean_of_as_many_other_questions_says_of_which():
    """A and C answer 40 questions; B answers 37 of them, and 3 of its own."""
    rows = [
        {"model": m, "question_id": q, "score": (q * k) % 3 % 2}
        for m, k, own in (("A", 1, range(40)), ("B", 2, range(3, 43)), ("C", 5, range(40)))
        for q in own
    ]
    said = plain(findings(analyse(check_rows(pd.DataFrame(rows)))[0]))
    usual = "the 40 questions that most models answered"
    assert f"The mean of B is of 37 of {usual}, and of 3 others; differences are of" in said


def test_of_two_models_their_comparison_and_of_one_its_mean_comes_first():
    two = plain(findings(shares_of(0.5, 0.9)))
    assert two.startswith("m01 scores higher than m00 by ") and two.count("\n") == 1
    assert two.endswith("). 2 models answered 200 questions of eval (metric: score).\n")
    one = plain(findings(shares_of(0.5)))
    assert one.startswith("m00 scores ") and one.count("m00") == 1 and one.count("\n") == 1
    assert one.endswith("%. It answered 200 questions of eval (metric: score).\n")


@pytest.mark.parametrize("lower", [False, True])
def test_a_best_model_that_is_settled_against_all_others_is_told_once(lower):
    """Of five models or more: the paragraph has the sizes and the p that a line had before, which
    named the best model again. The sizes are those of the records.
    """
    rng = np.random.default_rng(2)
    scores = (rng.random((5, 300)) < np.array([[0.9], [0.5], [0.5], [0.4], [0.3]])).astype(float)
    r = result_of(1.0 - scores if lower else scores, better="lower" if lower else "higher")
    assert r.best == ("A",) and all(d.p_adjusted < 0.05 for d in r.differences)
    text = plain(findings(r))
    gaps = sorted(abs(100 * d.difference) for d in r.differences)
    by = f"by {gaps[0]:.1f} to {gaps[-1]:.1f} points (adjusted p below 0.001). 5 models answered"
    who = "all 4 other models score higher than it"
    who = who if lower else "it scores higher than all 4 other models"
    assert f"and is the best model with 95% confidence: {who}, {by}" in text
    assert text.count("\n") == 1 and len(re.findall(r"\bA\b", text)) == 1
    open_ = replace(r.differences[0], p_adjusted=0.2)
    some = replace(r, differences=(open_, *r.differences[1:]))
    tests = f"one-sided paired tests find every other model {r.worse}. 5 models"
    assert tests in plain(findings(some)) and plain(findings(some)).count("\n- ") == 2


def test_models_that_the_first_sentence_names_are_not_named_again():
    """Five that may be best are listed twice otherwise; where some more are open, all are named."""
    r = shares_of(0.5, 0.51, 0.52, 0.53, 0.54, 0.1)
    assert r.leader and len(r.best) == 5
    text = plain(findings(r))
    one_line = text.replace("\n", " ")
    assert "may also be one of 4 others: one-sided paired tests do not find them lower." in one_line
    others = re.search(r"set for the best model\. The others are (.*?)\. ", one_line)
    assert others and sorted(re.findall(r"m\d\d", others[1])) == sorted(
        m for m in r.best if m != r.leader
    )
    assert "- The 4 other models of the confidence set cannot be told from the best. The " in text
    assert all(text.count(m) == 1 for m in r.best if m != r.leader)
    other = replace(r, best=r.best[:-1] if r.leader != r.best[-1] else r.best[1:])
    assert "- 4 models cannot be told from the best: " in plain(findings(other))


def test_of_many_models_groups_are_told_in_two_lines(many):
    text = plain(findings(many))
    opening, _, _ = text.partition("\n\n")
    ranked = sorted(many.means, key=lambda m: -m.mean)
    # two share it, as generated
    tops = " and ".join(sorted(m.model for m in many.means if m.mean == ranked[0].mean))
    assert f"{tops} share the highest mean on eval, " in opening
    others = len(many.best) - 2
    assert f"may also be one of {others} others: " in opening and others > 6
    settled = [d for d in many.differences if d.p_adjusted < 0.05]
    open_, told = lines_of(many)
    assert open_.startswith(f"{59 - len(settled)} models cannot be told from the best: ")
    rest = [m.model for m in ranked if m.model not in {d.model for d in settled}]
    names = [m for m in re.findall(r"m\d\d", open_) if m != many.leader]
    assert set(names) <= {*rest} and len(names) == 6 and "and " in open_
    gaps = sorted(-100 * d.difference for d in settled)
    assert told == (
        f"{many.leader} scores higher than {len(settled)} of the 59 other models, by "
        f"{gaps[0]:.1f} to {gaps[-1]:.1f} points (adjusted p at most "
        f"{max(d.p_adjusted for d in settled):.3f})."
    )


def shares_of(*shares: float, seed: int = 5, n: int = 200, **decided):
    """The result of models that have these shares of questions right, m00, m01, ..."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"m{k:02d}", q, int(rng.uniform() < share))
        for k, share in enumerate(shares)
        for q in range(n)
    ]
    scores = check_rows(pd.DataFrame(rows, columns=["model", "question_id", "score"]))
    return analyse(scores, **decided)[0]


def test_with_a_baseline_those_above_and_those_below_have_a_line_each():
    r = shares_of(0.2, 0.21, 0.5, 0.52, 0.8, 0.82, 0.84, 0.86, baseline="m02")
    assert lines_of(r)[1].startswith("4 of the 7 other models score higher than m02, by ")
    assert lines_of(r)[2].startswith("m02 scores higher than m01 and m00: by ")
    [open_] = [d for d in r.differences if not d.p_adjusted < 0.05]
    assert lines_of(r)[0].startswith(f"{open_.model} against m02: the data do not settle")
    assert len(lines_of(r)) == 3


def test_a_sentence_begins_with_a_capital():
    r = shares_of(0.1, 0.7, 0.8, 0.9, 0.95, baseline="m00")
    [line] = lines_of(r)
    assert line.startswith("All 4 other models score higher than m00, by ")


def test_all_models_of_which_too_little_is_known_are_no_others():
    """Seven models with three scores each, and no test: the best mean is one of the seven."""
    scores = np.random.default_rng(2).random((3, 7))
    frame = pd.DataFrame(scores, index=["q1", "q2", "q3"], columns=[f"m{k}" for k in range(7)])
    result = analyse(frame, "E")[0]
    assert len(result.untold) == 7
    text = plain(findings(result))
    assert "too little data to tell whether one of 7 models may be the best." in text


def test_means_that_differ_by_rounding_are_shared():
    """The answers 0.1, 0.7, 0.9 in another order have another mean, by rounding alone."""
    answers = np.tile([[0.1, 0.7, 0.9], [0.3, 0.2, 0.1]], (6, 1))
    result = result_of([answers, answers[:, ::-1], answers / 9])
    one, other = result.means[0].mean, result.means[1].mean
    assert one != other and one == pytest.approx(other, rel=1e-15)
    assert "A and B share the highest mean on toy, 38.3%" in findings(result)


def test_all_pairs_of_four_models_are_told_by_the_winner():
    """Shares far apart: each model is settled above those before it."""
    [line] = lines_of(shares_of(0.1, 0.4, 0.7, 0.95))
    names = re.findall(r"(m\d\d) over ((?:m\d\d|, | and )+)", line)
    assert [(winner, sorted(re.findall(r"m\d\d", losers))) for winner, losers in names] == [
        ("m03", ["m00", "m01", "m02"]),
        ("m02", ["m00", "m01"]),
        ("m01", ["m00"]),
    ]


def test_what_is_left_open_is_one_line():
    """Four models alike: six comparisons, none settled, each named, with what would be found."""
    r = shares_of(0.5, 0.5, 0.5, 0.5)
    assert not [d for d in r.differences if d.p_adjusted < 0.05]
    [line] = lines_of(r)
    assert all(f"{d.model} and {d.baseline}" in line for d in r.differences)
    low, high = (f"{100 * f(d.mde for d in r.differences):.1f}" for f in (min, max))
    assert f"would find differences of {low} to {high} points" in line


def test_what_would_be_found_is_said_only_of_those_that_would_find_it():
    """Of four comparisons the first has no detectable difference: three are left, and the line says
    of how many it speaks.
    """
    letters = {f"m{k:02d}": "abcde"[k] for k in range(5)}  # names that leave the line room
    r = renamed_result(shares_of(0.5, 0.5, 0.5, 0.5, 0.5, baseline="m00"), letters)
    first = replace(r.differences[0], mde=math.nan)
    [line] = lines_of(replace(r, differences=(first, *r.differences[1:])))
    low, high = (f"{100 * f(d.mde for d in r.differences[1:]):.1f}" for f in (min, max))
    assert f"would find differences of {low} to {high} points in 3 of these comparisons." in line
    alone = tuple(replace(d, mde=math.nan) for d in r.differences[:-1])
    [line] = lines_of(replace(r, differences=(*alone, r.differences[-1])))
    last = f"{100 * r.differences[-1].mde:.1f} points"
    assert f"would find a difference of {last} in 1 of these comparisons." in line


def test_where_a_line_has_no_room_intervals_come_before_what_would_be_found():
    """Three pairs of three models."""
    [line] = lines_of(shares_of(0.5, 0.5, 0.5))
    assert line.count("95% interval") == 3 and "power" not in line


def test_no_line_is_longer_than_three_on_a_page():
    """90 characters of a line at 1280 pixels, measured in Chromium; names of 40 and 200 letters."""
    for size in (40, 200):
        names = {f"m{k:02d}": f"m{k:02d}-" + "long-name-" * (size // 10) for k in range(8)}
        for n, baseline in ((2, ""), (3, ""), (4, ""), (8, ""), (8, "m02")):
            shares = [0.3 + 0.05 * k for k in range(n)]
            r = renamed_result(shares_of(*shares, baseline=baseline), names)
            assert len(lines_of(r)) <= 3
            assert max(map(len, lines_of(r))) <= 270, lines_of(r)


def test_a_long_name_has_the_ends_that_figures_show():
    r = renamed_result(shares_of(0.5, 0.9), {"m01": "first-" + "x" * 200 + "-last"})
    text = plain(findings(r))
    assert "first-x" in text and "x-last" in text and "x" * 60 not in text


PLAIN_NAMES = (
    "Claude 4.5 Opus medium (20251101)",
    "GLM-4.6 (T=1)",
    "gpt-4o (tool-calling)",
    "org/model_7b@v1.2+lora",
    "نموذج عربي",
    "~/.cache/m",
    "x" * 200,
)


@pytest.mark.parametrize(
    "name", ["a, b", "best: a", "1.", "50%", 'the "a"', "{{ x }}", "*a*", "(a)"]
)
def test_names_have_quotes_where_one_has_the_marks_of_a_sentence(name):
    """Nothing showed where it ends. All models of a report look the same."""
    r = replace(renamed_result(shares_of(0.5, 0.9), {"m00": name}), eval="e, f")
    text = html.unescape(plain(findings(r)))
    assert f"“{name}”" in text and "“m01”" in text and "questions of “e, f” (metric" in text


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_names_whose_end_is_seen_have_none(name):
    r = renamed_result(shares_of(0.5, 0.9), {"m00": name})
    assert "“" not in findings(r) and "”" not in findings(r)


def test_one_model_has_its_mean_and_interval():
    text = plain(findings(analyse(demo_scores(["MATH"]), "MATH", models=["Galleon"])[0]))
    # Wilson's of 3275 of 5000
    assert "Galleon scores 65.5% (standard error 0.7%), 95% interval 64.2% to 66.8%." in text


def test_findings_say_where_lower_is_better_and_where_there_is_no_interval():
    rows = [(m, q, float((q + k) % 3)) for k, m in enumerate("AB") for q in range(30)]
    rows.append(("C", 0, 1.0))
    scores = check_rows(pd.DataFrame(rows, columns=["model", "question_id", "score"]))
    text = plain(findings(analyse(scores, better="lower")[0]))
    assert "(metric: score; lower is better)." in text
    pair = plain(findings(analyse(scores, better="lower", models=["A", "C"])[0]))
    assert "no interval, no p-value" in pair


# Methods ------------------------------------------------------------------------------------------

PARAGRAPHS = {
    "posterior": "Posteriors.",
    "pass": "pass@k and pass^k.",
    "common": "Common means",
    "equivalence": "Equivalence.",
    "simultaneous": "Simultaneous intervals",
    "strata": "Strata and weights.",
    "scores-compared": "Probabilities beside samples.",
    "clustering-all": "Clusters in full.",
    "other-methods": "Other methods.",
    "f1": "F1",
    "regression": "Regression.",
    "ranks": "Joint rank sets",
    "certificate": "The certificate",
}
NEEDS = {
    "equivalence": {"margin": 0.1},
    "strata": {"strata": "subject"},
    "clustering-all": {"cluster": "subject"},
    "f1": {"positive": "target:yes"},
    "regression": {"covariates": "digits"},
}


def small(answers: int = 1):
    """Three models, 24 questions of which one model lacks one, and what each table needs."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": q, "epoch": k + 1, "score": int(rng.random() < 0.5 + i / 10),
         "subject": q % 8, "target": ("yes", "no")[q % 2], "digits": q % 5, "p_correct": 0.5}
        for i, m in enumerate("ABC") for q in range(24) for k in range(answers)
        if (m, q) != ("C", 3)
    ]  # fmt: skip
    return check_rows(pd.DataFrame(rows))


def bold_openings(text: str) -> list[str]:
    """What each paragraph begins with in bold; none stands within another."""
    assert all(line == 0 or text[line - 2 : line] == "\n\n" for line in starts(text)), text
    return re.findall(r"^\*\*(.+?)\*\*", text, re.MULTILINE)


def starts(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"^\*\*", text, re.MULTILINE)]


@pytest.mark.parametrize("table", PARAGRAPHS)
def test_methods_describe_each_table_that_was_asked_for_and_no_other(table):
    scores = small(answers=2 if table == "pass" else 1)
    said = NEEDS.get(table, {})
    without = bold_openings(methods(analyse(scores, **said)[0]))
    result = analyse(scores, tables=table, **said)[0]
    found = bold_openings(methods(result))
    assert result.refused == {}
    assert set(found) - set(without) == {PARAGRAPHS[table]}


def test_every_table_on_request_has_its_paragraph():
    assert list(PARAGRAPHS) == list(SPECS["tables"].choices)


def test_methods_describe_the_variance_only_of_repeated_answers():
    once, twice = (methods(analyse(small(k))[0]) for k in (1, 2))
    assert "Variance." in bold_openings(twice) and "Variance." not in bold_openings(once)
    assert r"$q = \frac{1}{n}\sum_i s_i^2/K_i$" in twice


def test_methods_explain_detectable_differences_only_where_some_are_printed():
    """90 of 95 questions are of one cluster: what others would be like is not known."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": q, "score": int(rng.random() < p), "cluster_id": max(0, q - 90)}
        for m, p in (("A", 0.5), ("B", 0.6))
        for q in range(95)
    ]
    frame = pd.DataFrame(rows)
    one, none = (analyse(check_rows(f))[0] for f in (frame.drop(columns="cluster_id"), frame))
    assert one.power[0].mde == one.power[0].mde and none.power[0].mde != none.power[0].mde
    assert "Detectable differences" in methods(one) and "Connor" in methods(one)
    assert "Detectable differences" not in methods(none) and "Connor" not in methods(none)
    notes = make_table(none, "power").notes
    assert any("There is no detectable difference to print" in note for note in notes)


def test_a_page_says_of_no_detectable_difference_the_reason_alone():
    """Not what else every row of the table would have: a baseline, and one answer."""
    why = Note("There is no detectable difference to print: why.", NO_NUMBER)
    notes = (Note("Each comparison: baseline A.", "same"), why)
    for own, said in ((notes, str(why)), (notes[:1], "Each comparison: baseline A.")):
        table = Table("power", "T.", (Column("Model"),), (("B",),), ((None,),), notes=own)
        assert show_notes(table).bundle["text/plain"] == said


def test_methods_say_where_an_exact_p_stands():
    few = analyse(small())[0]
    assert any(d.p_exact == d.p_exact for d in few.differences)
    assert "the exact p," in methods(few)
    assert "the exact p," not in methods(analyse(demo_scores(["MATH"]), "MATH")[0])


def test_all_tables_at_once_have_their_paragraphs_apart():
    said = {"tables": list(PARAGRAPHS), "margin": 0.1, "strata": "subject"}
    said |= {"positive": "target:yes", "covariates": "digits"}
    found = bold_openings(methods(analyse(small(), **said)[0]))
    refused = {"pass", "clustering-all"}
    expected = [PARAGRAPHS[table] for table in PARAGRAPHS if table not in refused]
    assert [name for name in found if name in PARAGRAPHS.values()] == expected


def test_a_pair_is_not_called_settled_by_tests_of_another_pair():
    """alpha is right on 7 questions more than beta and on none less (McNemar: p = 2 / 2^7); gamma,
    as good as beta, is right where alpha is not, so that only beta is found worse.
    """
    a, b, c = (np.zeros(25) for _ in range(3))
    a[:20] = b[:13] = c[:8] = c[20:] = 1.0
    r = result_of(np.array([a, b, c]))
    assert r.best == ("A", "C")
    text = findings(r)
    assert "A scores higher than B" in text
    assert "find B lower" not in text and "One-sided tests find" not in text


def test_a_model_that_only_one_sided_tests_find_worse_is_named():
    """Two models tie for best; the third is behind each by 11 of 53 questions, 17 against 6."""
    a, b, c = (np.zeros(53) for _ in range(3))
    a[:22] = b[22:44] = 1.0
    c[17:27] = c[52:] = 1.0
    r = result_of(np.array([a, b, c]))
    assert r.best == ("A", "B") and all(d.p_adjusted > 0.05 for d in r.differences)
    # 17 against 6: z = 11 / root of 23, one-sided p 0.011, twice over 2 rivals below 0.05
    assert "One-sided tests find C lower than A and B." in findings(r)


@pytest.mark.parametrize("letters", [1, 40, 60])
def test_the_line_of_an_open_comparison_does_not_deny_the_best_model(letters):
    """A is right on 16 questions where B is not, B on 7 where A is not (McNemar: z = 9 / root of
    23, p = 0.061, one-sided 0.030); C is never right.
    """
    a, b, c = (np.zeros(60) for _ in range(3))
    a[:16] = b[16:23] = a[23:50] = b[23:50] = 1.0
    r = result_of(np.array([a, b, c]))
    assert r.best == ("A",) and [d.p_adjusted < 0.05 for d in r.differences] == [False, True, True]
    r = renamed_result(r, {"A": "A" * letters, "B": "B" * letters})
    [line] = [line for line in lines_of(r) if re.search("not settle|leave open", line)]
    assert re.search("One-sided tests find (the latter|B+) lower, so", line) and len(line) <= 270
    assert "two-sided tests leave open which is better. The difference is " in line
    assert "data do not settle" not in line


def test_a_highest_mean_that_no_test_compares_is_not_what_the_comparisons_are_with():
    """E has one question, right: the highest mean, and no test. D has the highest of the others.
    Of 14 questions that only one of A and D has right, D has 11: McNemar's p is 0.0325, that of one
    side 0.0163. Over 3 rivals these are 0.098, which settles nothing, and 0.049: A is not the best.
    """
    right = np.zeros((5, 40))
    for model, n in enumerate((16, 25, 24, 27)):
        right[model, :n] = 1.0
    right[0, 27:30] = 1.0
    whole = result_of(np.vstack([right[:4], right[:1]]))
    right[4] = [1.0, *[np.nan] * 39]
    r = result_of(right)
    assert (r.leader, r.best, r.means[0].may_be_best) == ("D", (), "no")
    assert r.among == " that a test compares" and whole.among == ""
    table = make_table(r, "differences")
    assert "Model minus D, the highest mean that a test compares, in" in table.title
    chosen = "Baseline: the highest mean that a test compares, which the data chose."
    assert any(n.startswith(chosen) for n in table.notes)
    assert "with the model of the best mean that a test compares, which" in methods(r)
    said = plain(findings(r))
    assert (
        "E has the highest mean on toy, 100.0%" in said
        and "do not tell" in said
        and " from D: " in said
    )
    assert "One-sided tests find A lower than D." in said
    assert "Model minus D, the highest mean, in" in make_table(whole, "differences").title


def test_comparisons_that_are_not_settled_are_no_contenders_where_tests_against_others_are():
    """A is right on 62 questions, B on 60, on 40 of them both. Four more are right where B is, but
    on 10 of these 40: against B 0 to 10 by McNemar's test, against A 20 to 32.
    """
    a, b = np.zeros(100), np.zeros(100)
    b[:60] = a[20:82] = 1.0
    more = []
    for k in range(4):
        less = b.copy()
        less[20 + 10 * k : 30 + 10 * k] = 0.0
        more.append(less)
    r = result_of(np.array([a, b, *more]))
    assert r.best == ("A", "B")
    assert (
        "4 more models are not in the confidence set: two-sided tests leave open their difference "
        "from the best (−12.0 points), but one-sided tests find each lower than another model."
    ) in lines_of(r)


@pytest.mark.parametrize(
    ("better", "said"),
    [
        ("A A A A", "each lower than the best"),
        ("- C C C", "each lower than another model"),
        ("A AC A C", "3 of them lower than the best and 1 lower than another model"),
        ("A C", "B lower than the best and C lower than another model"),
        ("AC A", "B and C lower than the best"),
    ],
)
def test_than_which_model_each_is_found_lower(monkeypatch, better, said):
    """B and those after it, each with the models that tests find better: A is the best."""
    found = dict(zip("BCDE", map(set, better.split()), strict=False))
    monkeypatch.setattr(compared, "better_one_sided", lambda r: found)
    r = SimpleNamespace(leader="A", among="", worse="lower", models=tuple("ABCDE"))
    r.differences = [SimpleNamespace(model=m, baseline="A") for m in "BCDE"]
    assert compared._found(list(found), r) == said


@pytest.mark.parametrize(("level", "interval"), [(0.95, "90%"), (0.9, "80%"), (0.975, "95%")])
def test_two_one_sided_tests_are_the_interval_at_twice_their_alpha(level, interval):
    """1 - 2 alpha, of alpha = 1 - level (Schuirmann 1987)."""
    asked = {"tables": ("equivalence",), "margin": 0.1, "level": level}
    result = result_of(np.array([[1.0, 0, 1, 1, 0, 1], [1, 1, 0, 1, 0, 0]]), **asked)
    assert f"within the margin where its {interval} interval does" in methods(result)


def test_pairs_without_a_common_question_stand_in_the_last_of_three_lines(monkeypatch):
    monkeypatch.setattr(compared, "_settled", lambda settled, r: ["One.", "Two.", "Three."])
    pair = {"model": "A", "p_adjusted": 0.001, "level": 0.95}
    some = [SimpleNamespace(**pair, baseline=b, n_questions=9) for b in "BCDE"]
    apart = SimpleNamespace(**pair, baseline="F", n_questions=0)
    assert compared.comparisons(SimpleNamespace(differences=[*some, apart])) == [
        "One.", "Two.", "Three. A and F have no question in common and cannot be compared.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("best", "p", "said"),
    [
        (("A",), 0.04, " One-sided tests find B worse, so it is not in bold."),
        (("A",), 0.2, " One-sided tests find B worse than another model, so it is not in bold."),
        (("C",), 0.04, ""),  # neither is
    ],
)
def test_why_one_of_two_models_alone_is_bold(best, p, said):
    """B is behind A by a one-sided p of 0.02 or 0.1, and behind C by far; over these two rivals
    the level of 0.05 is 0.025.
    """
    means = [
        SimpleNamespace(model=m, mean=mean, may_be_best=x)
        for m, mean, x in (("A", 0.6, "yes"), ("B", 0.5, "no"), ("C", 0.9, "yes"))
    ]
    pair = SimpleNamespace(model="A", baseline="B", difference=0.1, p_value=p)
    far = SimpleNamespace(model="C", baseline="B", difference=0.4, p_value=1e-6)
    r = SimpleNamespace(means=means, best=best, models=("A", "B", "C"), worse="worse", level=0.95)
    r = SimpleNamespace(**vars(r), lower=False, pairs=[pair, far])
    assert one_comparison._one_sided(pair, r, "A", "B") == said


@pytest.mark.parametrize(("files", "more"), [(5, ""), (6, ""), (7, "1 further file")])
def test_six_files_are_named_and_the_others_counted(monkeypatch, files, more):
    monkeypatch.setattr(made, "from_template", lambda name, **given: given)
    monkeypatch.setattr(made, "_input", str)
    monkeypatch.setattr(made, "_decided", lambda manifest: ())
    monkeypatch.setattr(made, "_rest", lambda *_: "")
    manifest = {"parameters": {}, "fictional": False, "harnesses": (), "versions": {}}
    manifest |= {"seed": 1, "command": "", "inputs": [f"f{i}" for i in range(files)]}
    given = made.how_made(manifest)
    assert (len(given["inputs"]), given["more"]) == (min(files, 6), more)
