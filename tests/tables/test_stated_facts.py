"""Facts that the words of tables state: which models, which pairs, how many, at what level. The
records are made by hand; p-values are those of scipy's binomial test.
"""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats as sps
from support.scores_made import result_of

from reportkit.documents.prose import findings, methods
from reportkit.errors import ScoresError
from reportkit.results import UsageResult
from reportkit.tables import make_table
from reportkit.tables.captions import intervals_of
from reportkit.tables.cells import Style
from reportkit.tables.differences import _exact_notes, _family_notes
from reportkit.tables.elsewhere import published_note
from reportkit.tables.means import no_clusters
from reportkit.tables.ranks import one_model
from reportkit.tables.usage import usage_columns
from reportkit.text.numbers import DASH

ALL = np.array([[1] * 30, [1] * 24 + [0] * 6, [1] * 20 + [0] * 10, [0] * 12 + [1] * 18])


def note_of(table, kind: str) -> str:
    [note] = [n for n in table.notes if getattr(n, "kind", "") == kind]
    return str(note)


def test_exact_p_beside_one_baseline_names_the_models_alone():
    """A has all right, B and C miss 6 and 10: of 6 and of 10 discordant questions, all one way.
    The mid-p is half as large.
    """
    result = result_of(ALL[:3], baseline="A")
    b, c = (sps.binomtest(0, n).pvalue for n in (6, 10))
    told = f"B {b:.3f} ({b / 2:.3f}); C {c:.3f} (<0.001)."
    assert 5e-4 <= c < 0.002 and c / 2 < 0.001
    note = note_of(make_table(result, "differences"), "exact")
    assert note.endswith(f"tell two models apart: {told}")


def test_the_seventh_exact_p_is_in_the_csv():
    """Six are told, each with its mid-p."""
    of = {"p_value": 0.04, "p_exact": 0.04, "p_mid": 0.03}
    records = [SimpleNamespace(model=m, baseline="A", **of) for m in "BCDEFGH"]
    r = SimpleNamespace(level=0.95, n_tests=7)
    assert len(_exact_notes(r, records[:6])) == 1
    told, further = _exact_notes(r, records)
    assert told.count("0.040 (0.030)") == 6 and "G 0.040 (0.030)." in told
    assert further == "Those of the other comparisons are in the CSV."


def test_an_exact_p_near_the_level_has_a_digit_more():
    """At 90% the limit is 0.1, at 95% 0.05."""
    one = SimpleNamespace(model="B", baseline="A", p_value=0.09, p_exact=0.0996, p_mid=0.0498)
    for level, told in ((0.9, "0.0996 (0.050)"), (0.95, "0.100 (0.0498)")):
        [note] = _exact_notes(SimpleNamespace(level=level, n_tests=1), [one])
        assert f"two models apart: B and A {told}." in note


def test_every_two_models_are_named_in_the_title():
    tables = [make_table(result_of(ALL[:3]), kind) for kind in ("differences", "differences-all")]
    assert ["of every two models" in table.title for table in tables] == [False, True]


PAIRS = (("C", "B"), ("D", "B"), ("D", "C"))


def compared(model: str, p_adjusted: float) -> SimpleNamespace:
    pair = {"model": model, "baseline": "A", "difference": -0.3, "ci_comparisons": 3}
    return SimpleNamespace(**pair, p_value=p_adjusted / 3.0, p_adjusted=p_adjusted)


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ("", ""),
        ("B", ""),
        ("C", "Found worse than a model other than this baseline, and so not bold: C."),
        ("BCD", "Found worse than a model other than this baseline, and so not bold: C, D."),
    ],
)
def test_models_that_another_than_the_baseline_puts_behind(out, expected):
    """Against the highest mean, B is found at the level of 5%, one-sided, and C and D are not: the
    limit of a two-sided p is 0.1. Each has 3 rivals, so that p is three times the unadjusted one.
    """
    means = [
        SimpleNamespace(model=m, mean=x, may_be_best="no" if m in out else "yes")
        for m, x in zip("ABCD", (0.9, 0.6, 0.5, 0.4), strict=True)
    ]
    records = [compared("B", 0.099), compared("C", 0.101), compared("D", 0.4)]
    alike = [SimpleNamespace(model=a, baseline=b, difference=-0.1, p_value=0.9) for a, b in PAIRS]
    r = SimpleNamespace(top="highest", among="", worse="worse", level=0.95, means=means)
    r = SimpleNamespace(**vars(r), models=tuple("ABCD"), lower=False, pairs=[*records, *alike])
    chosen, too, bold, behind = _family_notes(r, records)
    assert "up to 3." in chosen and "which the data chose" in chosen
    assert (too, too.about) == ("Intervals allow for it too.", "ci")
    assert bold == "In the table of means, bold rests on the same comparisons, one-sided."
    assert (str(behind), behind.kind) == (expected, "family")


def test_without_published_scores_nothing_is_said_of_them():
    assert (published_note([]), published_note([]).kind) == ("", "published")


def test_the_methods_of_intervals_that_a_caption_names():
    """Each once, in the order of the rows; not of what has no interval or no name."""
    methods = [("wilson", 0.1), ("t", 0.2), ("wilson-modified", 0.3), ("other", 0.1)]
    records = [SimpleNamespace(method=m, ci_low=low) for m, low in methods]
    none = SimpleNamespace(method="tango", ci_low=math.nan)
    assert intervals_of([*records, none], 0.9) == "90% intervals: Wilson or Student's t"
    assert intervals_of([records[3], none], 0.9) == ""


def test_rank_sets_say_their_level():
    table = make_table(result_of(ALL, level=0.9, tables="ranks"), "ranks")
    [one] = [n for n in table.notes if n.startswith("Rank set:")]
    assert "each set holds the true rank of its model with 90% confidence." in one
    assert "It starts at 1 exactly where the model may be the best." in one
    assert table.title.startswith("toy: ranks that the data allow each model.")
    assert one_model(SimpleNamespace(ranks=())).startswith("There is one model")
    assert one_model(SimpleNamespace(ranks=(1, 2))) == ""
    result = result_of(ALL, level=0.9)
    ranks = [replace(r, joint_low=1.0, joint_high=4.0) for r in result.ranks]
    [joint] = [
        n for n in make_table(replace(result, ranks=ranks), "ranks").notes if n.startswith("Joint:")
    ]
    assert "all of these sets together hold all true ranks with 90% confidence" in joint


def test_every_column_stands_to_the_left_or_to_the_right():
    """Names to the left, numbers to the right: writers know no other side."""
    toy, other = result_of(ALL), result_of(ALL[:, ::-1], eval="other")
    kinds = ("means", "differences", "differences-all", "correlations", "power", "variance")
    tables = [make_table(r, kind) for kind in kinds for r in (toy, [toy, other])]
    tables += [make_table([toy, other], "suite", rows=rows) for rows in ("evals", "models")]
    for table in tables:
        for j, column in enumerate(table.columns):
            numbers = any(row[j] is not None for row in table.values)
            assert column.align in (("r",) if numbers else ("l", "r")), (table.name, column)
            assert column.align == "l" or column.key not in ("model", "other", "baseline", "eval")


def test_sentences_on_the_detectable_difference_stand_with_its_column():
    """They go where it goes: each is about it. Two models that are always wrong have a dash."""
    flat = np.vstack([ALL[:2], [0] * 30, [0] * 30])
    for scores in (ALL, flat):
        table = make_table(result_of(scores), "differences-all")
        notes = [n for n in table.notes if n.startswith(("Detectable", "In a detectable"))]
        assert notes and {n.about for n in notes} == {"mde"}
    assert any(n.startswith(f"Detectable, {DASH}: ") for n in notes)


def test_the_days_of_runs_and_the_numbers_that_pages_sort_by():
    usage = UsageResult(
        model="A", created="2026-11-19/2026-11-21", tokens_in=3000.0, tokens_out=600.0,
        seconds=62.0, time_of="", cost=0.018, currency="EUR",
    )  # fmt: skip
    columns = {c.key: c for c in usage_columns([SimpleNamespace(usage=[usage])], lambda x: x)}
    day = columns["created"].cell(usage).text
    assert columns["created"].same(day) == "run on 2026-11-19 to 2026-11-21"
    cells = [columns[k].cell(usage) for k in ("tokens_in", "tokens_out", "seconds", "cost")]
    assert [c.text for c in cells] == ["3,000", "600", "1 min 2 s", "0.02"]
    assert [c.value for c in cells] == [3000.0, 600.0, 62.0, 0.018]


def test_fifteen_decimals_are_the_most():
    assert Style("error-bars", digits=15).digits == 15
    with pytest.raises(ScoresError):
        Style("error-bars", digits=16)


def test_clusters_of_one_question_each_change_nothing():
    """Documents say so once, and print what they print without clusters; the CSV keeps its
    columns.
    """
    scores = (np.random.default_rng(3).random((3, 40)) < [[0.3], [0.5], [0.7]]).astype(float)
    own, bare = result_of(scores, [f"c{i}" for i in range(40)]), result_of(scores)
    pairs = result_of(scores, [f"c{i // 2}" for i in range(40)])
    assert [r.shares_clusters for r in (own, bare, pairs)] == [False, False, True]
    why = "holds one question, so that clusters change nothing"
    for kind in ("means", "differences", "power", "clustering"):
        one, other = make_table(own, kind), make_table(bare, kind)
        assert (one.title, one.columns, one.cells) == (other.title, other.columns, other.cells)
        assert " in 20 clusters (" in make_table(pairs, kind).title or kind == "clustering"
    assert f"Each cluster (cluster_id) {why}." in make_table(own, "means").notes
    assert no_clusters(own).startswith(f"Each cluster (cluster_id) {why}")
    assert not no_clusters(pairs) and "clusters" in findings(pairs)
    assert "cluster" not in findings(own) and methods(own).count(why) == 1
    assert "Bell & McCaffrey" in methods(pairs) and "Bell & McCaffrey" not in methods(own)
    for name in ("df", "se", "ci_low", "ci_high", "n_questions"):
        alike = [[getattr(m, name) for m in r.means] for r in (own, bare)]
        assert alike[0] == pytest.approx(alike[1], rel=1e-12)
    assert [m.n_clusters for m in own.means] == [40, 40, 40]
    frame = make_table(own, "power").to_frame()
    assert any("Clusters needed to detect" in column for column in frame)
