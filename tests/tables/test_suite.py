"""The table of evals by models, and what is said of all evals together."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.scores_made import result_of
from support.suites_made import suite_results

from reportkit.analysis import analyse
from reportkit.analysis.suite import suite_of
from reportkit.analysis.suite_decided import decided_suite, ordered, suite_for
from reportkit.decisions import SPECS, Decisions
from reportkit.documents.prose.suite import findings, methods, no_overall, no_ranks
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.scores.rows import check_rows
from reportkit.tables import make_table
from reportkit.tables.grid import MANY_MODELS
from reportkit.tables.suite import hidden
from reportkit.tables.writers.html import first_order
from reportkit.tables.writers.latex import Options, layout
from reportkit.tables.writers.latex_place import SIZES
from reportkit.tables.writers.render import render_table
from reportkit.text.numbers import DASH

RNG = np.random.default_rng(2)
SCORES = {n: RNG.uniform(0, 1, (3, k)).round(2) for n, k in (("a", 30), ("b", 12), ("c", 20))}


@pytest.fixture(scope="module")
def results():
    return [result_of(x, eval=n) for n, x in SCORES.items()]


@pytest.fixture(scope="module")
def twelve():
    return suite_results(12, 6)


def heads(table):
    return [c.head for c in table.columns]


def first_clicks(table):
    return {c.key: first_order(table, c) for c in table.columns}


# What it holds ------------------------------------------------------------------------------------


def test_evals_by_models_in_their_categories(twelve):
    table = make_table(twelve, "suite")
    assert heads(table)[:4] == ["Eval", "Metric", "Questions", "Shots"]
    models = list(suite_of(twelve).models)  # six, in the order of their averages
    assert heads(table)[4:] == models and sorted(models) == sorted(twelve[1].models)
    # categories in the order in which they appear, each with a third of the evals
    assert table.sections == ((0, "Knowledge"), (4, "Mathematics"), (8, "Code"))
    assert [row[0] for row in table.cells[:4]] == ["Eval 1", "Eval 4", "Eval 7", "Eval 10"]
    assert table.cells[0][-1] == DASH  # the last model was not run on the first eval
    for i, r in enumerate(suite_of(twelve).evals):
        bold = {table.columns[j].head for row, j in table.bold if row == i}
        assert bold == set(r.best)


def test_models_in_rows_hold_the_same(twelve):
    evals = make_table(twelve, "suite")
    models = make_table(twelve, "suite", rows="models")
    assert [c.group for c in models.columns[1:]] == (
        ["Knowledge"] * 4 + ["Mathematics"] * 4 + ["Code"] * 4
    )
    assert models.columns[1].head == "Eval 1\nexact_match\n0 shots"
    turned = [list(row[4:]) for row in evals.cells]
    assert [list(column) for column in zip(*turned, strict=True)] == [
        list(row[1:]) for row in models.cells
    ]
    assert {(j - 1, i + 4) for i, j in models.bold} == set(evals.bold)
    assert any("in each column" in note for note in models.notes)
    with pytest.raises(UnknownNameError, match="no rows 'model'; did you mean 'models'"):
        make_table(twelve, "suite", rows="model")


def test_the_first_click_puts_the_best_of_each_eval_on_top():
    """The lowest score of "b" alone is its best; then of all evals, and of their average."""
    turned = {n: result_of(x, eval=n, better="lower") for n, x in SCORES.items()}
    mixed = [result_of(SCORES["a"], eval="a"), turned["b"]]
    orders = first_clicks(make_table(mixed, "suite", rows="models"))
    assert (orders["eval:a"], orders["eval:b"]) == ("descending", "ascending")
    averaged = decided(list(turned.values()), average="equal")
    for table in (
        make_table(averaged, "suite", rows="models"),
        make_table(averaged, "suite-ranks"),
    ):
        orders = first_clicks(table)
        assert orders["average"] == "ascending"
        assert {o for key, o in orders.items() if key.startswith("eval:")} <= {"ascending"}


def test_nine_models_and_long_names_stay_wide():
    """More models than a page has columns, and names of 30 characters, are columns still, where
    they are asked for or there are as many evals.
    """
    results = suite_results(2, 9, 12)
    for kind in ("suite", "means"):
        assert set(results[1].models) <= set(heads(make_table(results, kind, rows="evals")))


def first_head(table):
    return table.columns[0].head


def test_many_models_and_more_than_evals_are_the_rows():
    """As on the front page; 58 models by 5 evals were too wide for every page. The decision that
    is taken holds.
    """
    seven = suite_results(2, 7, 12)
    assert first_head(make_table(seven, "suite")) == "Model"
    assert make_table(seven, "suite") == make_table(seven, "suite", rows="models")
    assert first_head(make_table(seven, "suite", rows="evals")) == "Eval"
    assert first_head(make_table(suite_results(2, 6, 12), "suite")) == "Eval"
    assert first_head(make_table(suite_results(7, 7, 12), "suite")) == "Eval"
    assert f"more than {MANY_MODELS} and more than" in SPECS["rows"].otherwise


def test_models_with_published_scores_alone_count_as_columns():
    of_five, of_six = suite_results(2, 5, 12), suite_results(2, 6, 12)
    for results, first in ((of_five, "Eval"), (of_six, "Model")):
        own = {"Eval 1": {"published": "theirs:0.5"}}
        table = make_table(decided(results, own), "suite")
        assert first_head(table) == first
        assert any("theirs" in row for row in table.cells) == (first == "Model")


def decided(results, own=None, **said):
    own = {name: Decisions(**o) for name, o in (own or {}).items()}
    return suite_for(results, Decisions(**said), own)


def test_the_average_row(results):
    """Of the means, from numpy; each model's, with the weights that are stated."""
    means = np.array([x.mean(axis=1) for x in SCORES.values()])
    sizes = np.array([x.shape[1] for x in SCORES.values()])
    own = {"a": {"weight": 2}, "b": {"weight": 0.5}}
    for average, weights in (("equal", [1, 1, 1]), ("questions", sizes), ("weights", [2, 0.5, 1])):
        s = decided(results, own, average=average)
        row = make_table(s, "suite").records()[-1]
        assert row["Eval"] == "Average"
        expected = np.average(means, axis=0, weights=weights)
        assert [row[m] for m in "ABC"] == pytest.approx(list(expected))
        told = " ".join(make_table(s, "suite").notes)
        assert ("Every eval weighs the same" in told) == (average == "equal")
        column = make_table(s, "suite", rows="models").records()
        assert [r["Average"] for r in column] == pytest.approx(list(expected))
    assert "Weights: a 0.5714, b 0.1429, c 0.2857." in told
    assert make_table(decided(results), "suite").cells[-1][0] == "c"  # not declared


def test_the_weights_hold_in_the_comparisons_too(results):
    s = decided(results, {"a": {"weight": 3}}, average="weights")
    d = [x[0].mean() - x[1].mean() for x in SCORES.values()]
    assert s.overall[0].difference == pytest.approx(np.average(d, weights=[3, 1, 1]))


def test_published_scores_stand_beside_ours_and_are_never_bold(results):
    own = {
        "a": {"published": {"Z": {"score": 0.9, "source": "Z 2024"}}},
        "b": {"published": "Z:0.425;A:1"},
    }
    s = decided(results, own, average="equal")
    table = make_table(s, "suite")
    assert [(c.group, c.head) for c in table.columns[-2:]] == [
        ("Published", "Z"),
        ("Published", "A"),
    ]
    # with the decimals that were given, and no more
    assert [row[-2:] for row in table.cells] == [
        ("90%", DASH), ("42.5%", "100%"), (DASH, DASH), ("", ""),
    ]  # fmt: skip
    assert not any(j >= len(table.columns) - 2 for _, j in table.bold)
    told = " ".join(table.notes)
    assert "no test is run on them" in told and "Sources: Z: Z 2024." in told
    models = make_table(s, "suite", rows="models")
    assert models.sections == ((3, "Published"),)
    assert [row[0] for row in models.cells] == ["A", "B", "C", "Z", "A"]
    assert models.cells[3][1:] == ("90%", "42.5%", DASH, "")
    assert s.overall == decided(results, average="equal").overall


def test_the_csv_has_averages_and_published_scores_too(results):
    own = {"b": {"published": {"Z": {"score": 0.425, "source": "Z 2024"}}}}
    s = decided(results, own, average="equal")
    rows = list(csv.DictReader(io.StringIO(render_table(make_table(s, "suite"), "csv"))))
    averages = [row for row in rows if row["average"]]
    assert [(row["eval"], row["average"]) for row in averages] == [("", "equal")] * 3
    for row, made in zip(averages, s.averages, strict=True):
        assert (row["model"], float(row["mean"]), row["n_evals"]) == (made.model, made.mean, "3")
        assert float(row["se"]) == made.se
    [z] = [row for row in rows if row["published"]]
    assert (z["eval"], z["model"], z["mean"], z["se"]) == ("b", "Z", "0.425", "")
    assert z["published"] == "Z 2024"
    plain = render_table(make_table(decided(results), "suite"), "csv").splitlines()[0]
    assert "average" not in plain.split(",") and "published" not in plain.split(",")


def test_two_sources_of_one_model_are_told_by_eval(results):
    said = [("a", "Paper A"), ("b", "Paper B")]
    own = {e: {"published": {"Z": {"score": 0.9, "source": paper}}} for e, paper in said}
    told = " ".join(make_table(decided(results, own), "suite").notes)
    assert "Z on a: Paper A; Z on b: Paper B." in told


def test_a_published_score_outside_the_range_is_refused(results):
    with pytest.raises(ScoresError, match="42.5 of 'Z' is outside .* write 42.5% as 0.425"):
        decided(results, {"a": {"published": "Z:42.5"}})


def test_the_order_of_evals_and_categories(twelve):
    d = Decisions(order="Code,Eval 7")
    assert [r.eval for r in ordered(twelve, d)][:5] == [
        "Eval 3", "Eval 6", "Eval 9", "Eval 12", "Eval 7",
    ]  # fmt: skip
    table = make_table(decided(twelve, order="Code,Eval 7"), "suite")
    assert table.sections == ((0, "Code"), (4, "Knowledge"), (8, "Mathematics"))
    assert table.cells[4][0] == "Eval 7"
    with pytest.raises(UnknownNameError, match="no eval or category 'Cods'; did you mean 'Code'"):
        decided(twelve, order="Cods")


def test_evals_and_metrics_by_other_names(results):
    own = {"a": {"name": "MATH 500", "metric_name": "EM"}}
    s = decided(results, own)
    table = make_table(s, "suite")
    assert table.cells[0][:2] == ("MATH 500", "EM") and table.cells[1][:2] == ("b", "points")
    assert [d.eval for d in s.differences][:3] == ["MATH 500"] * 3
    assert list(s.weights) == ["MATH 500", "b", "c"]
    unnamed = decided_suite(results, Decisions(), {"a": Decisions(**own["a"])})
    assert [r.eval for r in unnamed.evals] == ["a", "b", "c"]
    with pytest.raises(ScoresError, match="two evals would be called 'b'"):
        decided(results, {"a": {"name": "b"}})


def test_hidden_columns(twelve):
    table = hidden(make_table(twelve, "suite"), ["questions", "Shots", "no such column"])
    assert heads(table)[:3] == ["Eval", "Metric", suite_of(twelve).models[0]]


def test_models_by_other_names_keep_the_numbers(results):
    table = make_table(suite_of(results), "suite-overall").with_names({"A": "ours"})
    assert [row[:2] for row in table.cells] == [("ours", "B"), ("ours", "C"), ("B", "C")]
    plain = make_table(suite_of(results), "suite-overall")
    assert [row[2:] for row in table.cells] == [row[2:] for row in plain.cells]


def test_the_csv_has_the_unrounded_numbers_of_every_eval(results):
    rows = list(csv.DictReader(io.StringIO(render_table(make_table(results, "suite"), "csv"))))
    assert [(r["eval"], r["model"]) for r in rows] == [(e, m) for e in "abc" for m in "ABC"]
    assert float(rows[0]["mean"]) == pytest.approx(SCORES["a"][0].mean())


def test_the_table_of_ranks_counts_evals(results):
    s = suite_of(results)
    table = make_table(s, "suite-ranks")
    for row in table.records():
        of = [m for r in s.evals for m in r.means if m.model == row["Model"]]
        assert row["Evals on which it: may be best"] == sum(m.may_be_best == "yes" for m in of)
        assert row["Evals"] == 3
    assert [row["Rank"] for row in table.records()] == [1, 2, 3]


# How LaTeX lays it out ----------------------------------------------------------------------------


def cells_of(placed):
    return [c["text"] for part in placed["parts"] for row in part["rows"] for c in row["cells"]]


@pytest.mark.parametrize(
    "options", [{}, {"width": 252}, {"span": "page", "width": 469}, {"wide": "turn"}]
)
@pytest.mark.parametrize("rows", ["evals", "models"])
def test_every_cell_is_in_one_part_and_every_part_has_scores(twelve, rows, options):
    table = make_table(twelve, "suite", rows=rows)
    placed = layout(table, Options(**options))
    assert placed["size"] in SIZES and min(s.points for s in SIZES) == 8
    own = [c for row in table.cells for c in row[1:]]
    found = cells_of(placed)
    assert all(found.count(cell.replace("\n", " ")) >= own.count(cell) for cell in set(own))
    many = [p for p in placed["parts"] if any("%" in c["text"] for c in p["rows"][0]["cells"])]
    assert placed["parts"][0] in many and len(many) >= len(placed["parts"]) - 1


def test_a_small_table_takes_a_column_and_a_wide_one_the_page(results, twelve):
    small = layout(make_table(results, "suite").without("Questions"), Options())
    assert len(small["parts"]) == 1 and int(small["narrowest"]) <= 252
    wide = layout(make_table(twelve, "suite"), Options())
    assert len(wide["parts"]) == 1 and wide["turned"] and int(wide["narrowest"]) <= 550
    split = layout(make_table(twelve, "suite"), Options(wide="split"))
    assert len(split["parts"]) == 2 and int(split["narrowest"]) <= 345


def test_heads_that_would_be_tall_are_turned():
    """Cells of four digits below names of 27 letters: level heads would need five lines."""
    table = make_table(suite_results(2, 8, 12), "suite", "plain", rows="evals")
    placed = layout(table, Options(span="page", wide="split"))
    turned = [h["turned"] for part in placed["parts"] for h in part["heads"]]
    assert any(turned) and not turned[0]


def test_a_line_too_narrow_for_any_table_is_an_error():
    with pytest.raises(ValueError, match="a line of 50 pt holds no table; give 120 pt or more"):
        Options(width=50)


# What says nothing --------------------------------------------------------------------------------


def test_what_all_comparisons_share_stands_in_the_caption_and_the_note(twelve):
    """Of 6 models each is compared with the best, so that no row has to name it."""
    s = suite_of([r for r in twelve if len(r.models) == 6])
    table = make_table(s, "suite-overall")
    assert [c.key for c in table.columns][:2] == ["model", "difference"]
    assert f"Model minus {s.leader}, the highest average" in table.title
    assert "evals" not in {c.key for c in table.columns}
    questions = sum(r.n_questions for r in s.evals)
    assert f"Each comparison: {questions} questions." in table.notes
    assert {row["Baseline"] for row in table.records()} == {s.leader}  # the CSV has it
    assert "evals" not in {c.key for c in make_table(s, "suite-ranks").columns}


@pytest.fixture(scope="module")
def apart():
    """Three evals, each of two models of its own: no model has an average."""
    results = []
    for k in range(3):
        rows = [
            {"eval": f"E{k}", "model": f"m{k}{i}", "question_id": str(q), "score": (q + i) % 3 > 0}
            for i in range(2)
            for q in range(30)
        ]
        frame = pd.DataFrame(rows).astype({"score": float})
        results.append(analyse(check_rows(frame))[0])
    return suite_of(results)


def test_comparisons_that_are_not_made_are_one_sentence(apart):
    """Of 15 pairs of 6 models 3 have questions in common."""
    table = make_table(apart, "suite-overall")
    assert len(table.cells) == 3 and all(DASH not in row for row in table.cells)
    assert " over 1 of 3 evals. " in table.title  # each of the three pairs has one eval
    assert "Not compared: m00 and m10, and 11 further pairs: " in " ".join(table.notes)
    assert len(table.data) == 15
    assert no_ranks(apart) == (
        "No model was run on every eval, so there are no averages and no ranks."
    )
    text = findings(apart)
    assert "No model was run on every eval." in text and "on average" not in text
    assert text.count("\n- ") == 3
    assert "E1: m10 and m11 share the highest mean, " in text and "standard error" not in text


def test_the_standard_error_is_named_once(twelve):
    text = findings(suite_of(twelve))
    assert text.count("standard error") == 1
    assert text.index("(standard error ") < text.index("\n- ")


def test_evals_of_different_scales_have_no_average(apart):
    """The second eval's lower scores are better: a mean over one eval would be no average."""
    r = apart.evals[0]
    s = suite_of([r, replace(r, eval="Latency", lower=True)])
    assert no_overall(s).startswith("No two evals can be averaged") and "Latency" in no_overall(s)
    assert no_ranks(s) == "Without averages over evals there are no ranks."
    assert "on average" not in findings(s) and "Over the evals" not in methods(s)


def test_the_best_average_is_said_to_beat_the_models_that_have_one(twelve):
    """The sixth model was not run on the first eval, so no average and no test of it stands."""
    s = suite_of(twelve)
    best = max((a for a in s.averages if a.mean == a.mean), key=lambda a: a.mean).model
    known = [x for x in s.ranks if x.low == x.low]
    assert len(known) == 5
    ranks = [replace(x, low=1.0 + (x.model != best), high=1.0 + (x.model != best)) for x in known]
    alone = replace(s, ranks=tuple(ranks))
    text = findings(alone)
    assert "of the 5 models with scores on all of them, " in text
    assert "is the best of these with 95% confidence: one-sided tests find every other" in text
    assert "every other model worse" not in text


def test_shots_have_a_column_where_they_differ(twelve):
    same = [replace(r, shots=("5",) * len(r.models)) for r in twelve]
    table = make_table(suite_of(same), "suite")
    assert "Shots" not in heads(table) and "Shots: 5 in each eval." in table.notes


def test_an_empty_table_of_differences_on_each_eval_says_why(twelve):
    """Six models without a baseline; one model; models without a common question."""
    reason = "Without a baseline, 6 models are compared over all evals together, not on each; name"
    assert make_table(twelve, "suite-differences").notes[-1] == f"{reason} a baseline."
    # five models, and none that was run on both evals, so that no average leads
    five = RNG.uniform(0, 1, (5, 40))
    two = [result_of(five, models=list(m), eval=n) for n, m in (("a", "AB"), ("b", "CDE"))]
    assert suite_of(two).leader == ""
    said = make_table(two, "suite-differences").notes[-1]
    assert said.startswith("Without a baseline, 5 models are compared over all evals together")
    one = [result_of(RNG.uniform(0, 1, (1, 40)), eval=n) for n in "ab"]
    said = make_table(one, "suite-differences").notes[-1]
    assert said == "There is one model: nothing to compare."
    scores = RNG.uniform(0, 1, (2, 60))
    scores[0, :30], scores[1, 30:] = np.nan, np.nan
    apart = [result_of(scores, eval=n) for n in "ab"]
    said = make_table(apart, "suite-differences").notes[-1]
    assert said == "No two models have a question in common."
