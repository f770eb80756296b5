"""Findings of a suite, and warnings of several evals, told once."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from markdown_it import MarkdownIt
from support.scores_made import result_of

from reportkit.analysis.suite import suite_of
from reportkit.analysis.warnings import warnings_of
from reportkit.documents.prose import WARNINGS_SHOWN, warning_list
from reportkit.documents.prose.suite import _settled, findings, methods
from reportkit.documents.prose.suite_warnings import together
from reportkit.results import Warning
from reportkit.tables import make_table
from reportkit.tables.renaming import renamed


@pytest.mark.parametrize("settled", [False, True])
def test_a_model_that_only_one_sided_tests_find_worse_is_named(settled):
    """B is out of the set for the best (its ranks begin with 2), and its two-sided adjusted p with
    A is 0.064; where another comparison says already that B is worse, that is enough.
    """
    scores = np.array([[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0]])
    s = suite_of([result_of(scores, eval=name) for name in ("e", "f")])
    p = {("A", "B"): 0.064, ("A", "C"): 0.9, ("B", "C"): 0.03 if settled else 0.9}
    overall = [replace(d, p_adjusted=p[d.model, d.baseline], difference=-0.1) for d in s.overall]
    ranks = [replace(r, low=2.0 if r.model == "B" else 1.0) for r in s.ranks]
    text = findings(replace(s, overall=tuple(overall), ranks=tuple(ranks)))
    assert ("One-sided tests find B worse than another model." in text) != settled
    # in words that do not deny that another model is the best
    assert ("A against B: two-sided tests leave open which is better" in text) != settled
    assert "A against C: the data do not settle which is better" in text


def test_a_group_of_open_pairs_says_that_one_sided_tests_find_a_model_worse():
    """Four models without a baseline: six pairs, told in groups. D is out of the set for the best
    (its ranks begin with 2), and no adjusted p says why; where D is settled behind A, that is
    enough.
    """
    scores = (np.random.default_rng(2).random((4, 40)) < 0.5).astype(float)
    s = suite_of([result_of(scores, eval=name) for name in ("e", "f")])
    ranks = tuple(replace(r, low=2.0 if r.model == "D" else 1.0) for r in s.ranks)
    for settled in (False, True):
        overall = tuple(
            replace(
                d,
                difference=0.1,
                p_adjusted=0.01 if settled and (d.model, d.baseline) == ("A", "D") else 0.9,
            )
            for d in s.overall
        )
        text = findings(replace(s, overall=overall, ranks=ranks))
        assert "The data do not settle which is better on average: A and B" in text
        assert ("One-sided tests find D worse than another model." in text) != settled


def test_models_that_share_the_best_average_are_named_together():
    """A and B have the same scores; C has three right answers fewer of each eval's 12."""
    one = np.repeat([1.0, 0.0], [9, 3])
    scores = np.array([one, one, np.where(np.arange(12) < 3, 0.0, one)])
    s = suite_of([result_of(scores, eval=name) for name in ("e", "f")])
    first = tuple(replace(r, low=1.0) for r in s.ranks)
    told = "A and B share the best average over 2 evals, 75.0%, but the best model may also be C"
    assert told in findings(replace(s, ranks=first))
    worse = replace(
        s,
        ranks=tuple(
            replace(r, low=3.0, high=3.0) if r.model == "C" else replace(r, low=1.0, high=2.0)
            for r in s.ranks
        ),
    )
    told = "share the best average over 2 evals, 75.0%: one-sided tests do not tell them apart."
    assert told in findings(worse)
    # and on an eval by itself: two evals of unlike scales have no average
    own = [replace(r, lower=lower) for r, lower in zip(s.evals, (False, True), strict=True)]
    assert "e: A and B share the highest mean, 75.0%" in findings(suite_of(own))


def test_a_warning_names_its_evals_whatever_they_are_called():
    few, evals = "a model has few answers", [SimpleNamespace(eval=x) for x in "abc"]
    told = together([Warning("few", "a", "m", few), Warning("few", "b", "m", few)], evals)
    assert [w.message for w in told] == [f"a and b: {few}"]
    own = "eval 'a' has too few answers"
    assert [w.message for w in together([Warning("few", "a", "m", own)], evals)] == [own]
    every = [Warning("few", name, "m", few) for name in ("a", "b", "c")]
    assert [w.message for w in together(every, evals)] == [few]


def test_a_suite_says_where_the_interval_of_a_single_eval_is():
    """It prints none itself. An eval by itself says only "read the interval"."""
    right = np.array([[1.0] * 20, [0.0, 1.0] * 10])
    evals = [result_of(right, eval="e"), result_of(right, eval="f")]
    found = [w for r in evals for w in warnings_of(r)]
    assert sum(w.message.endswith("says nothing: read the interval.") for w in found) == 2
    [told] = [w.message for w in together(found, evals) if w.code == "saturated"]
    assert told.endswith(
        "A standard error of 0 then says nothing: read the interval in the eval's own report."
    )


def test_few_clusters_of_several_evals_are_one_warning():
    """Eight of twelve lines said the same of one eval each. 3 clusters of 4 have 2 degrees of
    freedom, 4 have 3.
    """
    rng = np.random.default_rng(3)
    evals = [
        result_of(
            rng.integers(0, 2, (2, 4 * n)).astype(float),
            np.repeat(np.arange(n), 4).astype(str),
            eval=x,
        )
        for x, n in (("e", 3), ("f", 4))
    ]
    found = [w for r in evals for w in warnings_of(r)]
    told = [w.message for w in together(found, evals) if w.code == "few-clusters"]
    assert told == [
        "The standard errors of 2 evals rest on few clusters (in brackets their degrees of freedom"
        "): e 3 (2.0) and f 4 (3.0). Therefore the intervals are wide, and only large differences "
        "are found."
    ]
    [alone] = [w for w in together(found[:1], evals) if w.code == "few-clusters"]
    assert alone.message.startswith("e: The standard errors rest on few clusters: 3, with 2.0")


def test_one_line_is_a_paragraph_and_two_are_a_list():
    """A name at the start of the paragraph opens no list and no heading there."""
    scores = np.array([[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]])
    # in another order, since the same scores of the same ids are the same questions
    s = suite_of([result_of(scores, eval="e"), result_of(scores[:, ::-1], eval="f")])
    for name in ("1. one", "- one", "# one", "+ one"):
        html = MarkdownIt("commonmark").render(findings(renamed(s, {"A": name})))
        assert "<li>" not in html and "<h1>" not in html and html.count("<p>") == 2
        assert f"<p>“{name}” is better than “B” by " in html
    few = [Warning("few", "a", "m", f"- warning {k}") for k in range(2)]
    assert [MarkdownIt().render(warning_list(few[:n])).count("<li>") for n in (1, 2)] == [0, 2]


def test_of_very_many_warnings_the_rest_is_counted():
    """One left said "1 further warnings are"."""
    many = [Warning("few", "a", "m", f"warning {k}") for k in range(WARNINGS_SHOWN + 2)]
    ends = [warning_list(many[: WARNINGS_SHOWN + n]).splitlines()[-1] for n in range(3)]
    assert ends == [
        f"- warning {WARNINGS_SHOWN - 1}",
        "- 1 further warning is in results.json.",
        "- 2 further warnings are in results.json.",
    ]


def test_the_best_average_stands_before_what_was_not_run():
    """A has every eval, B and C miss one each."""
    one, two = [1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]
    evals = [result_of(np.array([one, two, two]), eval=name) for name in ("e", "f")]
    text = findings(suite_of([*evals, result_of(np.array([one, two]), eval="g")], models="CAB"))
    parts = ("has the best average", "has 3 models, 3 evals and ", "Not run on every eval: C.")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_an_interval_of_an_average_is_told_where_one_is_printed():
    scores = np.array([[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]])
    suite = suite_of([result_of(scores, eval=name) for name in ("e", "f")])
    for intervals in (True, False):
        text = methods(suite, intervals=intervals)
        assert "The average of a model is the mean of its means" in text
        assert text.count("Donner & Zou 2012") == 2 * intervals
        assert ("Its interval joins" in text) == intervals and "Mogstad, Romano" in text


def test_each_comparison_that_is_not_made_has_its_own_reason():
    """Of six pairs, A and B lack an SE, A and C too, A and D have no question in common."""
    scores = (np.random.default_rng(1).random((4, 60)) < 0.5).astype(float)
    s = suite_of([result_of(scores, eval=name) for name in ("e", "f")])
    why = {"B": "the SE is undefined", "C": "the SE is undefined", "D": "no question in common"}
    overall = [
        replace(d, reason=why[d.baseline] if d.model == "A" else "", p_adjusted=0.9)
        for d in s.overall
    ]
    text = findings(replace(s, overall=tuple(overall)))
    told = "A and B, and 1 further pair, are not compared over the evals: the SE is undefined."
    assert f"{told} Nor is 1 pair for other reasons." in text


def test_too_little_is_known_of_an_average_that_no_test_compares():
    """C answered one question of the second eval: no test compares it, and B, which no test finds
    worse, lies below it. Neither is bold, and each is said to be so for want of data.
    """
    first = (np.random.default_rng(3).random((3, 40)) < [[0.7], [0.5], [0.6]]).astype(float)
    other = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, np.nan, np.nan]])
    s = suite_of([result_of(first, eval="e"), result_of(other, eval="f")])
    low = {x.model: x.low for x in s.ranks}
    assert low["A"] == 1.0 and np.isnan([low["B"], low["C"]]).all()
    assert "There is too little data to tell whether B or C may be the best." in findings(s)
    table = make_table(s, "suite-ranks")
    assert any(n.endswith("of a rank set, too little data to tell.") for n in table.notes)
    assert not any("no score of some eval" in n for n in table.notes)
    averaged = replace(s, average="equal")
    down = make_table(averaged, "suite").cells[-1][-3:]
    across = [row[-1] for row in make_table(averaged, "suite", rows="models").cells]
    for cells in (down, across):
        assert [cell.endswith("\N{DAGGER}") for cell in cells] == [False, True, True]
    assert any("Average \N{DAGGER}" in n for n in make_table(averaged, "suite").notes)


def test_a_best_average_that_is_settled_against_all_others_is_told_once():
    """Of five models: the paragraph has the sizes and the p that a line had; it is named once."""
    rng = np.random.default_rng(3)
    right = rng.random((5, 90)) < np.array([[0.9], [0.5], [0.5], [0.5], [0.1]])
    s = suite_of([result_of(right.astype(float), eval=name) for name in ("e", "f")])
    text = findings(s)
    gaps = sorted(abs(100 * d.difference) for d in s.overall)
    by = f"by {gaps[0]:.1f} to {gaps[-1]:.1f} points "
    by += "(adjusted p\u00a0below\u00a00.001). The suite has"
    sure = "and is the best model on average with 95% confidence"
    assert f"{sure}: it is better than all 4 other models, {by}" in text
    assert text.count("\n") == 1 and len(re.findall(r"\bA\b", text)) == 1
    open_ = replace(s, overall=(replace(s.overall[0], p_adjusted=0.2), *s.overall[1:]))
    assert f"{sure}: one-sided tests find every other model worse." in findings(open_)


def test_what_the_first_sentence_names_is_not_listed_again_below_it():
    """Six models: of a single comparison that is open the model is the subject, of several that the
    first sentence has named the number.
    """
    rng = np.random.default_rng(3)
    right = rng.random((6, 90)) < np.array([[0.9], [0.5], [0.5], [0.5], [0.5], [0.1]])
    s = suite_of([result_of(right.astype(float), eval=name) for name in ("e", "f")])
    lead = s.leader
    assert lead == "A" and {d.baseline for d in s.overall} | {d.model for d in s.overall} > {lead}

    def with_open(names):
        overall = [
            replace(d, p_adjusted=0.9 if {d.model, d.baseline} & names else 0.001)
            for d in s.overall
        ]
        ranks = [replace(x, low=1.0 if x.model in {*names, lead} else 2.0) for x in s.ranks]
        return findings(replace(s, overall=tuple(overall), ranks=tuple(ranks)))

    assert "- B cannot be told from A on average (mean difference −" in with_open({"B"})
    others = with_open({"B", "C", "D"})
    assert "but the best model may also be B, D or C:" in others
    who = "- The 3 others that may be the best cannot be told from A on average (mean differences −"
    assert who in others


def test_names_of_evals_have_quotes_where_one_has_the_marks_of_a_sentence():
    scores = np.array([[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]])
    for names, told in ((("a, b", "c"), ("“a, b”", "“c”")), (("a-b", "c"), ("a-b", "c"))):
        s = suite_of([result_of(scores, eval=name) for name in names])
        text = findings(s).replace("\\", "")
        assert f"Single evals: not settled on {told[0]} and {told[1]}." in text
    left = findings(replace(s, left_out={"no: numbers": "no scores"}))
    assert "Without numbers: “no: numbers”." in left
    assert "not settled on “a-b” and “c”" in left.replace("\\", "")


@pytest.mark.parametrize(("tests", "said"), [
    (6, "Of 6 comparisons on single evals, 1 is settled at the 5% level after adjustment over all "
        "of them."),
    (0, ""),
])  # fmt: skip
def test_how_many_comparisons_on_single_evals_are_settled(tests, said):
    found = [SimpleNamespace(p_adjusted=p) for p in (0.04, 0.06, 0.2)]
    assert _settled(SimpleNamespace(n_tests=tests, level=0.95, differences=found)) == said
