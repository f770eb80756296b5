"""The front page: its table, its links, the trends, what failed."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
from support.nights import build_night, frame
from support.plans import plan
from support.scores_made import result_of

from reportkit.analysis import analyse
from reportkit.analysis.suite import suite_of as suite_of_evals
from reportkit.builds.front import front_table, scores_table
from reportkit.builds.history import Point
from reportkit.builds.index import FrontPage, render_index, write_index
from reportkit.builds.job import Summary
from reportkit.builds.leading import leading
from reportkit.builds.rounds import Stored, stored
from reportkit.builds.trends import BUILDS, EDGE, HEIGHT, WIDTH, trend
from reportkit.documents.moved import Line, Told
from reportkit.documents.prose import findings
from reportkit.documents.prose.suite import findings as suite_findings
from reportkit.results import Results
from reportkit.scores.rows import check_rows
from reportkit.tables import make_table
from reportkit.tables.aligned import aligned
from reportkit.tables.planning.answers import told as told_of
from reportkit.tables.planning.prose import methods_sentence
from reportkit.tables.writers.render import render_drop_in
from reportkit.text.escaping import POINT, SPACE
from reportkit.text.figure_width import shortened_names
from reportkit.text.numbers import Units

ANSWERS = {
    "MATH": {"A": [1, 1, 1, 0] * 10, "B": [0, 1, 0, 0] * 10},
    "a<b> & é": {"A": [1, 0, 0, 0] * 10, "C": [1, 1, 1, 1] * 10},
}


@pytest.fixture
def out(tmp_path):
    build_night(tmp_path / "r", frame(ANSWERS))
    return tmp_path / "r"


def test_the_table_has_every_eval_and_model(out):
    table = scores_table([e for r in stored(out) for e in r.evals])
    assert [c.head for c in table.columns] == ["Eval", "A", "B", "C"]
    cells = {row[0]: row[1:] for row in table.cells}
    # 30 of 40 right: sqrt(.75 * .25 / 39) = .0693; 10 of 40 likewise
    assert cells["MATH"] == ("75.0% (6.9%)", "25.0% (6.9%)", "—")
    assert cells["a<b> & é"] == ("25.0% (6.9%)", "—", "100.0% (0.0%)")
    rows = {name: i for i, name in enumerate(cells)}
    assert table.bold == {(rows["MATH"], 1), (rows["a<b> & é"], 3)}
    assert "Bold: in each row the 95% confidence set" in table.notes[0]
    assert table.notes[1].startswith("—: the model has no scores")


def test_a_mean_of_other_questions_has_its_mark(tmp_path):
    """B answers 38 of the 40 questions of A and C: the report marks its mean, and so does the front
    page. It did not.
    """
    answers = {"A": [1, 0] * 20, "B": [1, 0] * 19, "C": [1, 1, 0, 0] * 10}
    build_night(tmp_path, frame({"MATH": answers}))
    [e] = [e for r in stored(tmp_path) for e in r.evals]
    assert e["other_questions"] == [{"model": "B", "n_usual": 40, "n_shared": 38, "n_more": 0}]
    table = scores_table([e])
    marked = [c.head for c, cell in zip(table.columns, table.cells[0], strict=True) if "‡" in cell]
    assert marked == ["B"]
    assert "‡: not of all the questions that most models answered; see its report." in table.notes
    many = {**e, "models": [f"m{i}" for i in range(20)]}
    many["means"] = [{**e["means"][0], "model": m} for m in many["models"]]
    many["other_questions"] = [{"model": "m3", "n_usual": 40, "n_shared": 38, "n_more": 0}]
    one, two = aligned(scores_table([many])), aligned(scores_table([many, {**many, "eval": "B"}]))
    cells = dict(row[:2] for row in one.cells)  # beyond the edge of the others, which leave it room
    assert cells["m3"].endswith(" ‡") and cells["m4"].endswith(POINT + SPACE)
    assert not dict(row[:2] for row in two.cells)["m4"].endswith(SPACE)  # errors may stand below


def test_a_model_of_which_too_little_is_known_has_its_mark():
    """The report marks B of few answers, and says why; the front page showed neither. D, without a
    mean, has a dash alone. The means of y are costs.
    """
    x = an_eval("x", {"A": 0.7, "B": 0.6, "C": 0.4, "D": None})
    for k in (1, 3):
        x["means"][k]["may_be_best"] = "unknown"
    x["other_questions"] = [{"model": "B", "n_usual": 99, "n_shared": 9, "n_more": 0}]
    y = {**x, "eval": "y", "lower": True}
    assert scores_table([x]).cells[0][1:] == (
        "70.0% (2.0%)",
        "60.0% (2.0%) †‡",
        "40.0% (2.0%)",
        "—",
    )
    said = (
        "†: not found {} than another, but too little data to tell whether the model may be the "
        "best."
    )
    for evals, worse in (([x], "lower"), ([y], "higher"), ([x, y], "worse")):
        assert scores_table(evals).notes[1] == said.format(worse)
    y["other_questions"], y["means"] = [], y["means"][:1]
    assert scores_table([x, y]).notes[1] == said.format("lower")
    assert "†" not in str(scores_table([y]))


def test_evals_stand_by_category(tmp_path):
    categories = {"x": "Maths", "y": "Code", "z": "Maths"}
    parts = [frame({e: ANSWERS["MATH"]}, category=c) for e, c in categories.items()]
    build_night(tmp_path, pd.concat(parts))
    table = scores_table([e for r in stored(tmp_path) for e in r.evals])
    assert [row[0] for row in table.cells] == ["x", "z", "y"]  # in the order of the folders
    assert table.sections == ((0, "Maths"), (2, "Code"))


def test_reports_stand_in_the_order_of_the_scores(tmp_path):
    """Scores had folders in their order, with e10 before e2, or the suite's; reports another."""
    categories = {"e10": "Maths", "x": "Code", "e2": "Maths"}
    parts = [frame({e: ANSWERS["MATH"]}, category=c) for e, c in categories.items()]
    build_night(tmp_path, pd.concat(parts))

    def links(page, of):
        part = page.partition(f"<h2>{of}</h2>")[2].partition("</section>")[0]
        return [*dict.fromkeys(re.findall(r'href="(?:\./)?([^"/]*)/report.html"', part))]

    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert links(page, "Scores") == links(page, "Reports") == ["e2", "e10", "x"]
    evals = {e["eval"]: e for r in stored(tmp_path) for e in r.evals}
    (tmp_path / "suite" / "tables").mkdir(parents=True)
    own = [evals[name] for name in ("x", "e10")]
    drop_in = render_drop_in(scores_table([e | {"category": ""} for e in own]), "html")
    (tmp_path / "suite" / "tables" / "suite.html").write_text(drop_in, encoding="utf-8")
    suite = Stored(tmp_path / "suite", {"report": {"name": "suite"}, "evals": own}, {})
    write_index(Summary(tmp_path), [*stored(tmp_path), suite])
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert links(page, "Scores") == ["x", "e10"]
    assert links(page, "Reports") == ["suite", "x", "e10", "e2"]


def an_eval(name, means, **more):
    """An eval of results.json with SEs of 0.02, in which the best mean is in bold."""
    best = max(x for x in means.values() if x is not None)
    told = [
        {"model": m, "mean": x, "se": 0.02, "level": 0.95, "n_questions": 99}
        | {"may_be_best": "yes" if x == best else "no"}
        for m, x in means.items()
    ]
    scale = {"percent": True}
    return {"eval": name, "metric": "m", "models": [*means], "means": told, "scale": scale} | more


SEVEN = dict(zip("ABCDEFG", (0.1, 0.2, 0.7, 0.3, None, 0.5, 0.6), strict=True))


def test_many_models_are_the_rows_and_the_best_is_the_first():
    """58 models in one row were 5,000 pixels wide on a phone, the best in none of its first."""
    table = scores_table([an_eval("x", SEVEN)])
    assert [c.head for c in table.columns] == ["Model", "x"]
    assert table.cells[:2] == (("C", "70.0% (2.0%)"), ("G", "60.0% (2.0%)"))
    assert [row[0] for row in table.cells] == ["C", "G", "F", "D", "B", "A", "E"]
    assert table.bold == {(0, 1)} and table.values[0] == (None, 0.7)
    assert table.notes == ("Bold: in each column the 95% confidence set for the best model.",)
    lower = scores_table([an_eval("x", SEVEN, lower=True)])
    assert [row[0] for row in lower.cells] == ["A", "B", "D", "F", "G", "C", "E"]
    assert lower.lower and not table.lower


def test_few_models_or_as_many_evals_as_models_stay_columns():
    six = {m: x for m, x in SEVEN.items() if m != "A"}
    for evals in ([an_eval("x", six)], [an_eval(name, SEVEN) for name in "tuvwxyz"]):
        assert scores_table(evals).columns[0].head == "Eval"
    assert scores_table([an_eval(name, SEVEN) for name in "tuvwxy"]).columns[0].head == "Model"


def test_where_models_are_the_rows_evals_of_a_category_stand_together():
    """Models without a mean on the first eval come by the next."""
    other = {"E": 0.2, "H": 0.4}
    evals = [
        an_eval("x", SEVEN, category="Maths"),
        an_eval("y", other),
        an_eval("z", SEVEN, category="Maths"),
    ]
    table = scores_table(evals)
    heads = [("", "Model"), ("Maths", "x"), ("Maths", "z"), ("Other evals", "y")]
    assert [(c.group, c.head) for c in table.columns] == heads
    assert [row[0] for row in table.cells] == [*"CGFDBA", "H", "E"]
    assert table.cells[6] == ("H", "—", "—", "40.0% (2.0%)") and (6, 3) in table.bold
    assert table.notes[1].startswith("—: the model has no scores")


def test_where_models_are_the_rows_the_heads_link_to_the_reports(tmp_path):
    """A model that is called as an eval is no link."""
    e = an_eval("a<b>", SEVEN | {"a<b>": 0.4})
    page = front_table(tmp_path, [Stored(tmp_path / "a-b", {"evals": [e]}, {})])
    assert page.count('<a href="./a-b/report.html">a&lt;b&gt;</a></th>') == 1
    assert page.index("</a></th>") < page.index("</thead>")


def test_each_eval_links_to_its_report(out):
    page = front_table(out, stored(out))
    folders = {r.title: r.name for r in stored(out)}
    assert f'<a href="./{folders["MATH"]}/report.html">MATH</a>' in page
    assert f'<a href="./{folders["a<b> & é"]}/report.html">a&lt;b&gt; &amp; é</a>' in unquote(page)


@pytest.mark.parametrize("name", ["RACE-H", "GSM_8k", "أب-1", "a 2025-08-07"])
@pytest.mark.parametrize("rows", ["evals", "models"])
def test_a_name_with_marks_of_where_lines_end_is_a_link_too(tmp_path, name, rows):
    """RACE-H was none: its letters are kept together by markup. Below the name a metric may be."""
    e = result_of(np.eye(2, 20), eval=name, metric="f1")
    other = result_of(np.eye(2, 20), eval="other", metric="match")
    found = suite_of_evals([e, other])
    (tmp_path / "suite" / "tables").mkdir(parents=True)
    drop_in = render_drop_in(make_table(found, "suite", rows=rows), "html")
    (tmp_path / "suite" / "tables" / "suite.html").write_text(drop_in, encoding="utf-8")
    of = {"own": [e], "other": [other], "suite": [e, other]}
    reports = [
        Stored(tmp_path / folder, Results(folder, "", {}, results, ()).to_json(), {})
        for folder, results in of.items()
    ]
    page = front_table(tmp_path, reports)
    assert page.count('<a href="./own/report.html">') == page.count('<a href="./other/') == 1


def test_the_suites_own_table_comes_first(out):
    """Its drop-in brings style and script, which the page has itself."""
    folder = out / "suite"
    (folder / "tables").mkdir(parents=True)
    (folder / "results.json").write_bytes((out / "MATH" / "results.json").read_bytes())
    table = scores_table(stored(out)[0].evals)
    (folder / "tables" / "suite.html").write_text(render_drop_in(table, "html"))
    page = front_table(out, stored(out))
    assert page.startswith("<figure") and page.endswith("</figure>")
    assert page.count('/MATH/report.html">MATH</a>') == 1 and "é" not in page


@pytest.mark.parametrize("change", ["mean", "model"])
def test_a_suite_that_is_older_than_a_report_is_not_shown(out, change):
    """Where one eval alone is built again, or the suite has failed."""
    suite = out / "suite"
    (suite / "tables").mkdir(parents=True)
    old = json.loads((out / "MATH" / "results.json").read_text())
    old["report"]["name"] = "suite"
    [e] = old["evals"]
    if change == "mean":
        e["means"][0]["mean"] = 0.25
    else:
        del e["means"][0]
    (suite / "results.json").write_text(json.dumps(old))
    (suite / "tables" / "suite.html").write_text(render_drop_in(scores_table([e]), "html"))
    reports = stored(out)
    assert "75.0% (6.9%)" in front_table(out, reports) and "é" in front_table(out, reports)
    summary = Summary(out)
    write_index(summary, reports)
    page = (out / "index.html").read_text()
    assert "older than the reports of MATH" in page
    summary.failures["suite"] = "no memory"
    write_index(summary, reports)
    page = (out / "index.html").read_text()
    assert "older than" not in page and "this is the last good report" in page


def test_failures_come_first_with_their_command():
    failed = {"name": "f", "message": "why", "command": "reportkit build 'a<b>'"}
    page = render_index(FrontPage(reports=[{"name": "x"}], failures=[failed]))
    assert page.index("Failed</h2>") < page.index("Reports</h2>")
    assert "<code>reportkit build &#x27;a&lt;b&gt;&#x27;</code>" in page.replace("&#39;", "&#x27;")


@pytest.mark.parametrize(("n", "told"), [(4, 4), (5, 3), (26, 3)])
def test_of_many_failures_the_first_are_told_and_every_name_is_seen(n, told):
    failed = [{"name": f"e{k}", "message": f"why {k}", "command": f"run {k}"} for k in range(n)]
    page = render_index(FrontPage(reports=[], failures=failed))
    seen, _, folded = page.partition("<details>")
    assert seen.count("why ") == told and page.count("why ") == page.count("<code>run ") == n
    names = ", ".join(f"e{k}" for k in range(told, n))
    assert bool(folded) == (n > told)
    assert not folded or f"<summary>{n - told} more: {names}</summary>" in page


def test_the_search_box_is_for_many_reports():
    few, many = ([{"name": str(k)} for k in range(n)] for n in (7, 8))
    assert 'type="search"' not in render_index(FrontPage(reports=few))
    assert 'type="search"' in render_index(FrontPage(reports=many))


# --- trends

OWN = Units(False, 1)


def points(means, model="A"):
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Point(
            (start + timedelta(days=k)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "e", "acc", model, mean, 0.1, 10, "1", "",
        )
        for k, mean in enumerate(means)
    ]  # fmt: skip


def test_a_trend_runs_from_the_lowest_to_the_highest_mean():
    drawn = trend(points([0.5, 0.7, 0.6]), ["A"], {}, OWN)
    low, high = HEIGHT - EDGE, EDGE
    middle = (low + high) / 2
    ends = [(EDGE, low), (WIDTH / 2, high), (WIDTH - EDGE, middle)]
    assert drawn.lines[0].points == " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
    assert drawn.lines[0].end == f"{WIDTH - EDGE:.1f},{middle:.1f}"
    assert drawn.label == "3 builds, 2026-01-01 to 2026-01-03: means from 0.5 to 0.7"


def test_a_mean_holds_until_a_build_changes_it():
    """B has no line in the second build: it did not change."""
    a = points([0.2, 0.4, 0.6])
    b = [p for k, p in enumerate(points([0.4, 0.0, 0.2], "B")) if k != 1]
    drawn = trend([*a, *b], ["A", "B"], {}, OWN)
    heights = [float(xy.split(",")[1]) for xy in drawn.lines[1].points.split()]
    assert heights[0] == heights[1] < heights[2]


def test_one_build_is_no_trend_and_old_builds_are_not_drawn():
    assert trend(points([0.5]), ["A"], {}, OWN) is None
    assert trend(points([0.5, 0.6]), ["other"], {}, OWN) is None
    many = trend(points([0.01 * (k % 7) for k in range(BUILDS + 9)]), ["A"], {}, OWN)
    assert len(many.lines[0].points.split()) == BUILDS


def test_what_is_drawn_strongly_lies_on_top():
    of = [p for m in "ABC" for p in points([0.5, 0.6], m)]
    drawn = trend(of, ["A", "B", "C"], {"A": "alarm", "B": "strong"}, OWN)
    assert [line.kind for line in drawn.lines] == ["", "strong", "alarm"]


def test_a_trend_names_the_models_of_its_strong_lines():
    """C is thin; of many that moved one is named, as there are two rows of text."""
    of = [p for m in "ABCDE" for p in points([0.5, 0.6], m)]
    two = trend(of, "ABC", {"A": "alarm", "B": "strong"}, OWN)
    assert [(x.model, x.kind) for x in two.named] == [("B", "strong"), ("A", "alarm")]
    many = trend(of, "ABCDE", {"A": "alarm", "B": "strong", "D": "alarm", "E": "alarm"}, OWN)
    assert [x.kind for x in many.named] == ["strong", "alarm"]
    assert [x.model for x in trend(of, "AB", {}, OWN).named] == ["A", "B"]
    page = render_index(FrontPage(reports=[{"name": "r", "trend": two}]))
    named = page[page.index('<span class="rk-named">') :]
    assert '<span class="rk-alarm" dir="auto">A</span></span></td>' in named


def test_the_page_draws_the_history(tmp_path):
    build_night(tmp_path, frame(ANSWERS))
    history = tmp_path / "history.jsonl"
    text = re.sub(r'"when": "\d{4}', '"when": "2001', history.read_text(encoding="utf-8"))
    history.write_text(text, encoding="utf-8")
    other = {"MATH": {"A": [1, 0, 1, 0] * 10, "B": [0, 1, 0, 0] * 10}}
    build_night(tmp_path, frame(other), whole=False)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1 and "2 builds, 2001-" in page  # the other eval has one build
    # A fell from 30 to 20 of 40, B stayed at 10: in percent, as the table has them.
    assert ': means from 25.0% to 75.0%"' in page


def suite_of(places, means=(0.655, 0.64, 0.5), **more):
    """A suite with averages of A, B and C over two evals; places: rank, low and high of each."""
    averages = [{"model": m, "mean": x, "se": 0.01} for m, x in zip("ABC", means, strict=True)]
    ranks = [
        {"model": m, "rank": r, "low": low, "high": high, "level": 0.95}
        for m, (r, low, high) in zip("ABC", places, strict=True)
    ]
    weights = {"x": 0.5, "y": 0.5}
    evals = [{"eval": e, "metric": "m", "means": [], "scale": {"percent": True}} for e in weights]
    suite = {"averages": averages, "ranks": ranks, "weights": weights} | more
    return Stored(Path("suite"), {"evals": evals, "suite": suite}, {})


@pytest.mark.parametrize(
    ("places", "end"),
    [
        (
            [(1.0, 1.0, 2.0), (2.0, 1.0, 2.0), (3.0, 3.0, 3.0)],
            ", but the best model may also be B: one-sided tests of the mean differences do not "
            "find it worse.",
        ),
        (
            [(1.0, 1.0, 3.0), (2.0, 1.0, 3.0), (3.0, 1.0, 3.0)],
            ", but the best model may also be B or C: one-sided tests of the mean differences do "
            "not find them worse.",
        ),
        (
            [(1.0, 1.0, 1.0), (2.0, 2.0, 3.0), (3.0, 2.0, 3.0)],
            ", and is the best model on average with 95% confidence.",
        ),
        ([(1.0, 1.0, 3.0), (2.0, 2.0, 3.0), (3.0, 2.0, 3.0)], "."),
    ],
)
def test_the_page_begins_with_the_best_model_and_how_sure_that_is(places, end):
    said = "A has the best average over 2 evals, 65.5% (standard error 1.0%)"
    assert leading([suite_of(places)]) == said + end


def test_of_many_that_may_be_best_their_number_comes_first():
    names = [f"m{k}" for k in range(6)]
    stored = suite_of([(1.0, 1.0, 3.0)] * 3)
    averages = [{"model": m, "mean": 0.7 - k / 100, "se": 0.01} for k, m in enumerate(names)]
    ranks = [{"model": m, "rank": 1.0 + k, "low": 1.0, "high": 6.0} for k, m in enumerate(names)]
    stored.results["suite"].update(averages=averages, ranks=ranks)
    said = "but the best model may also be one of 5 others (m1, m2, m3 and 2 more): one-sided tests"
    assert said in leading([stored])


def test_a_model_without_an_average_is_not_said_to_be_worse():
    places = [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (None, None, None)]
    said = leading([suite_of(places, means=(0.655, 0.64, None))])
    assert "evals of the 2 models with scores on all of them, 65.5%" in said
    assert said.endswith(", and is the best of these with 95% confidence.")


def test_no_model_leads_where_two_do_or_nothing_is_averaged():
    tied = [(1.0, 1.0, 2.0), (1.0, 1.0, 2.0), (3.0, 3.0, 3.0)]
    assert leading([suite_of(tied)]) == leading([]) == ""
    first = [(1.0, 1.0, 1.0), (2.0, 2.0, 3.0), (3.0, 2.0, 3.0)]
    assert leading([suite_of(first, weights={"x": 1.0})]) == ""
    assert leading([suite_of(first, averages=[])]) == ""
    hostile = render_index(FrontPage(reports=[], lead="<script>x</script>"))
    assert ">&lt;script&gt;x&lt;/script&gt;</p>" in hostile


@pytest.mark.parametrize(
    ("may", "end"),
    [
        (("yes", "no"), ", and is the best model with 95% confidence."),
        (
            ("yes", "yes"),
            ", but the best model may also be B: one-sided paired tests do not find it WORSE.",
        ),
        (("yes", "unknown"), "."),
        (("no", "no"), "."),
    ],
)
@pytest.mark.parametrize(("lower", "words"), [(False, "highest"), (True, "lowest (best)")])
def test_the_best_model_of_the_only_eval_is_told(may, end, lower, words):
    """sqrt(.2 * .8 / 100) = .04"""
    values = zip("AB", (0.2, 0.3) if lower else (0.2, 0.1), may, strict=True)
    known = {"se": 0.04, "level": 0.95}
    means = [{"model": m, "mean": x, "may_be_best": be} | known for m, x, be in values]
    e = {"eval": "x", "metric": "m", "means": means, "models": ["A", "B"], "lower": lower}
    e["scale"] = {"percent": True}
    said = leading([Stored(Path("x"), {"evals": [e]}, {})])
    end = end.replace("WORSE", "higher" if lower else "lower")
    assert said == f"A has the {words} mean on x, 20.0% (standard error 4.0%){end}"


def test_of_the_only_model_of_the_only_eval_the_mean_is_told():
    """sqrt(.42 * .58 / 50) = .0698"""
    of = {"model": "A", "mean": 0.42, "se": 0.0698, "level": 0.95, "may_be_best": ""}
    e = {"eval": "x", "metric": "m", "means": [of], "models": ["A"], "scale": {"percent": True}}
    told = leading([Stored(Path("x"), {"evals": [e]}, {})])
    assert told == "A scores 42.0% (standard error 7.0%) on x."
    e["means"][0] |= {"mean": None, "se": None}
    assert leading([Stored(Path("x"), {"evals": [e]}, {})]) == ""


def test_no_model_is_the_best_by_the_rounding_of_its_mean():
    """0.1 + 0.2 is a double above 0.3. The report itself says that the two share the mean."""
    e = an_eval("x", {"A": 0.1 + 0.2, "B": 0.3})
    assert leading([Stored(Path("x"), {"evals": [e]}, {})]) == ""


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("shares", [(0.9, 0.5, 0.1), (0.5, 0.5, 0.1), (0.9, 0.8, 0.7, 0.6, 0.1)])
def test_the_page_uses_the_words_of_the_report(better, shares):
    """Whatever the page says of the best model begins the report's own findings: of the only eval,
    and of a suite of two.
    """
    right = (shares > np.random.default_rng(5).random((len(shares), 300)).T).T.astype(float)
    evals = [result_of(right, eval=e, better=better) for e in ("x", "y")]
    one = Results("x", "template", {}, evals[:1], ()).to_json()
    said = leading([Stored(Path("x"), one, {})])
    assert said.removesuffix(".") in findings(evals[0]) and "confidence" in said + findings(
        evals[0]
    )
    suite = suite_of_evals(evals)
    both = Results("suite", "suite", {}, suite.evals, (), suite).to_json()
    said = leading([Stored(Path("suite"), both, {})])
    assert said and said.removesuffix(".") in suite_findings(suite)


def test_the_first_sentence_names_the_models_that_may_be_best_in_their_order():
    """As the report's own does; it has the models in the order of the file otherwise."""
    e = an_eval("x", {"A": 0.1, "B": 0.3, "C": 0.2})
    for m in e["means"]:
        m["may_be_best"] = "yes"
    said = leading([Stored(Path("x"), {"evals": [e]}, {})])
    assert said.startswith("B has ") and "may also be C or A: " in said


def test_the_first_sentence_has_short_names_and_says_that_scores_are_generated():
    """A name of 200 letters took six lines of a phone. A report's own findings say both so."""
    long, other = "long-" * 40, "other-" * 40
    means = [{"model": m, "mean": 0.2, "se": 0.04, "may_be_best": "yes"} for m in (long, other)]
    means[1]["mean"] = 0.1
    e = {"eval": "x", "metric": "m", "means": means, "models": [long, other]}
    e["scale"] = {"percent": True}
    said = leading([Stored(Path("x"), {"evals": [e]}, {"fictional": True})])
    short = shortened_names([long, other])
    assert said == (
        f"{short[long]} has the highest mean on x, 20.0% (standard error 4.0%), but the best "
        f"model may also be {short[other]}: one-sided paired tests do not find it lower. The "
        "models are fictional and their scores generated."
    )
    assert "fictional" not in leading([Stored(Path("x"), {"evals": [e]}, {})])


def test_the_first_sentence_shows_where_a_name_ends():
    means = [{"model": m, "mean": 0.2, "se": 0.04, "may_be_best": "yes"} for m in ("a, b", "c")]
    means[1]["mean"] = 0.1
    e = {"eval": "x & y", "metric": "m", "means": means, "models": ["a, b", "c"]}
    e["scale"] = {"percent": True}
    said = leading([Stored(Path("x"), {"evals": [e]}, {})])
    assert said == (
        "“a, b” has the highest mean on “x & y”, 20.0% (standard error 4.0%), but the best "
        "model may also be “c”: one-sided paired tests do not find it lower."
    )


def test_of_a_plan_alone_its_first_answer_leads():
    told = [
        {"question": "Questions to find 5 points", "answer": "725 (690 to 1,100)"},
        {"question": "Smallest difference that 725 questions find", "answer": "5.0 points"},
    ]
    plan = Stored(Path("planning"), {"evals": [], "planning": {"told": told}}, {})
    assert leading([plan]) == "Questions to find 5 points: 725 (690 to 1,100)."
    assert leading([plan, plan]) == ""


def test_of_two_evals_without_a_suite_none_leads(out):
    assert leading(stored(out)) == ""


def test_the_first_lines_tell_what_failed_and_moved_then_the_best_model():
    moved = Told("the build before", "h", "t", tuple(Line(f"m_{k}", "fell") for k in "abc"), ())
    failed = [{"name": "e<f>", "message": "why"}]
    page = render_index(FrontPage(reports=[], failures=failed, moved=[moved], lead="A leads."))
    alert = page[page.index('<p class="rk-alert">') : page.index('<p class="rk-lead">A leads.')]
    text = re.sub(r"<[^>]*>", "", alert).strip()
    assert text == ("1 failed: e&lt;f&gt;. 3 moved since the build before: m_a, m_b and 1 more.")
    for target in re.findall(r'href="#([^"]*)"', alert):
        assert page.count(f' id="{target}"') == 1
    assert page.index("A leads.") < page.index("Failed</h2>") < page.index("fell")
    quiet = render_index(FrontPage(reports=[], lead="A leads."))
    assert 'class="rk-alert"' not in quiet


def test_a_column_that_is_empty_in_every_row_is_left_out():
    """A plan has neither questions nor models."""
    page = render_index(FrontPage(reports=[{"name": "Plan"}]))
    assert ">Questions</th>" not in page and ">Models</th>" not in page
    assert page.count("<td") == 0
    other = {"name": "quiz", "n_questions": 40, "models": ("a", "b")}
    page = render_index(FrontPage(reports=[{"name": "Plan"}, other]))
    assert ">Questions</th>" in page and ">Models</th>" in page
    assert page.count("<td") == 4


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (
            (0.9, 0.1),
            "Each of 5 evals, by itself, has one best model with 95% confidence: c on 3 and a on "
            "2.",
        ),
        ((0.5, 0.5), "Of 5 evals, each by itself, the best may be: c on 3, a on 2 and d on 1."),
    ],
)
def test_of_evals_that_no_model_joins_the_page_says_on_how_many_each_is_the_best(shares, said):
    """Two evals of the models a and b, of which a is far better, and three of c and d: on the last
    one the two answer as many of 60 questions, each its own, in the second case.
    """
    right = {}
    for k in range(5):
        good, bad = shares if k == 4 else (0.9, 0.1)
        names = "ab" if k < 2 else "cd"
        right |= {(k, names[0], q): q < 60 * good for q in range(60)}
        right |= {(k, names[1], q): q >= 60 * (1.0 - bad) for q in range(60)}
    rows = [
        {"eval": f"E{k}", "model": m, "question_id": str(q), "score": float(x)}
        for (k, m, q), x in right.items()
    ]
    apart = [own for _, own in pd.DataFrame(rows).groupby("eval")]
    suite = suite_of_evals([analyse(check_rows(own))[0] for own in apart])
    kept = Results("suite", "suite", {}, suite.evals, (), suite).to_json()
    assert leading([Stored(Path("suite"), kept, {})]) == said
    assert said in suite_findings(suite)


@pytest.mark.parametrize("comparisons", [1, 3])
def test_of_a_plan_the_number_for_each_of_several_comparisons_is_told_too(comparisons):
    """It is what the methods sentence plans."""
    p = plan(difference=0.1, mean=0.7, comparisons=comparisons)
    answers = [{"question": x.question, "answer": x.answer} for x in told_of(p)]
    said = leading([Stored(Path("planning"), {"planning": {"told": answers}}, {})])
    planned = p.need.for_each if comparisons > 1 else p.need
    assert f"We planned {planned.questions} questions" in methods_sentence(p)
    assert f": {p.need.questions} (" in said and f": {planned.questions} (" in said
    assert said.count(": ") == 1 + (comparisons > 1)


def test_the_questions_of_a_suite_count_once():
    """Its own number; without one, as of an earlier version, the sum of its evals."""
    evals = [{"n_questions": 100}, {"n_questions": 100}]
    suite = {"evals": evals, "suite": {"n_questions": 120}}
    assert Stored(Path("suite"), suite, {}).n_questions == 120
    assert Stored(Path("suite"), {"evals": evals, "suite": {}}, {}).n_questions == 200
    assert Stored(Path("plan"), {"evals": []}, {}).n_questions is None
