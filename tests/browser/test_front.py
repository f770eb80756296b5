"""The front page in a browser: it is searched, it fits a phone, its trends are seen."""

from dataclasses import replace

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from markupsafe import Markup
from playwright.sync_api import expect
from support.nights import build_night, frame
from support.scores_made import result_of
from support.suites_made import suite_results
from support.sweeps import slow

from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import decided_suite
from reportkit.builds.index import FrontPage, render_index
from reportkit.decisions import Decisions
from reportkit.documents.moved import Line, Told
from reportkit.documents.prose.best import OVERALL, WORSE, may_be_best
from reportkit.tables import make_table
from reportkit.tables.table import Column, Table
from reportkit.tables.writers.html import OF_NAMES
from reportkit.tables.writers.render import render_table
from reportkit.text.assets import asset
from reportkit.text.numbers import DASH

pytestmark = pytest.mark.browser
MODELS = ("nova-2-70b-instruct-2026-10", "galleon", "kestrel")


def night(seed, fall=0.0):
    rng = np.random.default_rng(seed)
    chances = dict(zip(MODELS, (0.8 - fall, 0.6, 0.5), strict=True))
    return frame(
        {
            f"Eval {k:02d}": {m: (rng.random(60) < p).astype(int) for m, p in chances.items()}
            for k in range(8)
        }
    )


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    """Two nights, on the second of which the first model is worse."""
    out = tmp_path_factory.mktemp("front")
    build_night(out, night(1))
    text = (out / "history.jsonl").read_text(encoding="utf-8")
    (out / "history.jsonl").write_text(text.replace('"when": "20', '"when": "19'))
    build_night(out, night(2, fall=0.2))
    return out / "index.html"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_it_fits_and_axe_finds_nothing(front, visit, scheme, width):
    page = visit(front, width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_what_moved_stands_above_the_table(front, visit):
    page = visit(front, 390)
    moved = page.locator(".rk-alarms > li")
    assert moved.count() == 1 and MODELS[0] in moved.inner_text()
    table = page.locator("table").first.bounding_box()
    assert moved.bounding_box()["y"] < table["y"]


def test_the_first_screen_of_a_phone_has_the_alarms_and_the_best_model(tmp_path, visit):
    """Of a suite on a bad night; the details are below, and a click away."""
    moved = tuple(
        Line(f"{model} on Eval {k}", "fell by 11 points") for k, model in enumerate(MODELS)
    )
    others = ", ".join(f"aquila-3.1-405b-instruct-fp8-v{k}" for k in range(3))
    who = f"one of 7 others ({others} and 4 more)"
    sure = may_be_best(who, 7, OVERALL, WORSE)
    best = f"{MODELS[0]} has the best average over 60 evals, 65.5% (standard error 1.0%)"
    front = FrontPage(
        reports=[{"name": "MATH"}],
        failures=[{"name": f"PassageQA {k}", "message": "why " * 40} for k in range(6)],
        moved=[Told("the build before", "Compared.", "More", moved, ())],
        lead=f"{best}, {sure}.",
    )
    (tmp_path / "index.html").write_text(render_index(front), encoding="utf-8")
    page = visit(tmp_path / "index.html", 390)
    places = [page.locator(of).bounding_box() for of in (".rk-alert", ".rk-lead", ".rk-failed")]
    ends = [box["y"] + box["height"] for box in places]
    assert ends[0] <= places[1]["y"] and ends[1] <= places[2]["y"] and ends[1] < 600
    for number, target in enumerate(("#failed", "#moved-1")):
        page.locator(".rk-alert a").nth(number).click()
        assert page.url.endswith(target) and page.locator(target).count() == 1
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_trends_are_drawn_and_named(front, visit):
    page = visit(front)
    assert page.locator("svg.rk-trend").count() == 8
    first = page.locator("svg.rk-trend").first
    assert first.get_attribute("aria-label").startswith("2 builds, 19")
    assert first.locator("polyline").count() == 3
    assert first.locator("polyline.rk-alarm").count() == 1
    box = first.bounding_box()
    assert (box["width"], box["height"]) == (120, 28)


def test_an_eval_is_found(front, visit):
    page = visit(front)
    page.get_by_label("Find").fill("eval 07")
    scores, reports = page.locator("table").all()
    for table in (scores, reports):
        shown = table.locator("tbody th[scope=row]:visible")
        assert shown.all_inner_texts() == ["Eval 07"]
    expect(page.locator(".rk-search [role=status]")).to_have_text("1 of 8 reports")
    page.get_by_label("Find").fill("")
    assert scores.locator("tbody th[scope=row]:visible").count() == 8


def test_a_model_is_found(front, visit):
    """Its column stays, and every eval."""
    page = visit(front)
    page.get_by_label("Find").fill("GALL")
    scores = page.locator("table").first
    assert scores.locator("thead th:visible").all_inner_texts() == ["Eval", "galleon"]
    assert scores.locator("tbody tr:visible").count() == 8
    assert scores.locator("tbody td:visible").count() == 8
    said = "1 of 3 models, 8 of 8 reports"  # "8 of 8 reports" alone, above one column of three
    expect(page.locator(".rk-search [role=status]")).to_have_text(said)


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_what_is_found_moves_nothing(front, visit, width):
    """On a phone the table moved down by a line."""
    page = visit(front, width)
    before = page.locator("table").first.bounding_box()["y"]
    page.get_by_label("Find").fill("GALL")
    expect(page.locator(".rk-search [role=status]")).not_to_have_text("")
    assert page.locator("table").first.bounding_box()["y"] == pytest.approx(before, abs=0.5)


def test_nothing_found_is_said(front, visit):
    page = visit(front)
    page.get_by_label("Find").fill("zzz")
    expect(page.locator(".rk-search [role=status]")).to_have_text("0 of 8 reports")


def test_links_lead_to_the_reports(front, visit):
    page = visit(front)
    links = page.locator("th[scope=row] a")
    assert links.count() == 16
    for i in range(16):
        target = front.parent / links.nth(i).get_attribute("href").removeprefix("./")
        assert target.parent.is_dir() and target.name == "report.html"


@pytest.mark.slow
def test_where_there_is_little_room_the_scores_come_right_after_the_names(visit, tmp_path):
    """The facts of each eval are left out there, and heads stay above their columns."""
    scores = np.array([[1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1]])
    results = [result_of(scores, eval=e, metric=f"m{e}") for e in "ab"]
    own = {"a": Decisions(published="Z:0.5")}
    table = render_table(make_table(decided_suite(results, Decisions(), own), "suite"), "html")
    sheets = (asset("templates", f"{name}.css") for name in ("report", "index"))
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    page = f'<title>x</title><style>{style}</style><body class="rk-front">{table}'
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    heads = {}
    for width in (390, 700, 768, 1280):
        shown = visit(tmp_path / "page.html", width).locator("thead th:visible")
        heads[width] = shown.all_inner_texts()
        group, last = shown.nth(-2).bounding_box(), shown.last.bounding_box()
        assert abs(group["x"] - last["x"]) < 2 and abs(group["width"] - last["width"]) < 2
    assert heads[390] == heads[700] == ["Eval", "A", "B", "Published", "Z"]
    assert heads[768] == ["Eval", "Metric", "Questions", "A", "B", "Published", "Z"]
    assert heads[1280] == heads[768]  # a tablet has the room of so short a row


@pytest.mark.slow
@pytest.mark.parametrize(("models", "on_tablets"), [(3, "inline"), (4, "inline"), (6, "block")])
def test_on_a_tablet_errors_stand_beside_the_scores_of_few_models(
    models, on_tablets, visit, tmp_path
):
    """The front page of three models had two lines in each row, and half of its width was empty."""
    right = np.random.default_rng(1).random((models, 40)) < 0.5
    results = [result_of(right.astype(float), eval=e) for e in "ab"]
    table = render_table(make_table(decided_suite(results, Decisions(), {}), "suite"), "html")
    front = FrontPage(reports=[{"name": "a"}], table=Markup(table))
    (tmp_path / "index.html").write_text(render_index(front), encoding="utf-8")
    for width, expected in ((390, "block"), (768, on_tablets), (1280, "inline")):
        page = visit(tmp_path / "index.html", width)
        error = page.locator("tbody td .rk-se").first
        assert error.evaluate("e => getComputedStyle(e).display") == expected
        room = page.locator(".rk-scroll").first
        assert width < 768 or room.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.slow
def test_notes_on_columns_that_are_left_out_are_left_out_too(visit, tmp_path):
    """A phone read "Clusters —: none are declared." below a table without clusters."""
    scores = np.array([[1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1]])
    results = [
        result_of(scores, ["a", "a", "b", "b", "c", "c"], eval="a"),
        result_of(scores, eval="b"),
    ]
    table = render_table(make_table(decided_suite(results, Decisions(), {}), "suite"), "html")
    front = FrontPage(reports=[{"name": "Eval 1"}], table=Markup(table))
    (tmp_path / "index.html").write_text(render_index(front), encoding="utf-8")
    for width, told in ((390, 0), (700, 0), (768, 1), (1280, 1)):
        page = visit(tmp_path / "index.html", width)
        assert page.get_by_role("columnheader", name="Clusters").count() == told
        notes = page.locator(".rk-notes").first.inner_text()
        assert notes.count("Clusters") == told and "Bold:" in notes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "named"),
    [(3, "auto"), slow(6, "rk-turned"), (8, "rk-turned"), slow(29, "rk-turned-a3")],
)
def test_in_print_the_page_is_of_one_kind_and_as_wide_as_its_paper(visit, tmp_path, models, named):
    """The best model stood on a page of its own before a turned one, and 58 models in the middle of
    one. Lines between rows are no shadows, which a printer draws with edges.
    """
    results = [
        replace(r, eval=f"Eval {k}") for k, r in enumerate(suite_results(3, models, gap=False))
    ]
    table = render_table(
        make_table(decided_suite(results, Decisions(), {}), "suite", rows="evals"), "html"
    )
    front = FrontPage(reports=[{"name": "Eval 1"}], lead="A leads.", table=Markup(table))
    (tmp_path / "index.html").write_text(render_index(front), encoding="utf-8")
    page = visit(tmp_path / "index.html", 2000)
    page.emulate_media(media="print")
    assert page.locator("main").evaluate("e => getComputedStyle(e).page") == named
    shadow = "es => [...new Set(es.map(e => getComputedStyle(e).boxShadow))]"
    assert page.locator("tbody :is(td, th)").evaluate_all(shadow) == ["none"]
    assert page.locator("main").bounding_box()["width"] == 2000
    # Beside its score or below it: in all columns alike.
    shown = page.locator(".rk-se").evaluate_all("es => es.map(e => getComputedStyle(e).display)")
    assert set(shown) == {"inline" if models == 3 else "block"}


def test_in_print_there_is_no_field_to_search(front, visit):
    """The style that shows it to who has scripts outdid the one that hides it from paper."""
    page = visit(front)
    assert page.locator(".rk-search").is_visible()
    page.emulate_media(media="print")
    assert not page.locator(".rk-search").is_visible()


@pytest.mark.slow
def test_one_eval_of_many_models_is_sorted_filtered_and_led_to(visit, tmp_path):
    """A link in the head of a column stands beside what sorts it: neither holds the other."""
    places = {f"model {k:02d}": k for k in range(14)}  # k of 15 right
    build_night(tmp_path, frame({"x": {m: [1] * k + [0] * (15 - k) for m, k in places.items()}}))
    page = visit(tmp_path / "index.html", 390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert Axe().run(page).violations_count == 0
    names = page.locator("table").first.locator("tbody th")
    assert names.first.inner_text() == "model 13"
    head = page.get_by_role("columnheader", name="x", exact=False).first
    assert head.get_by_role("link").get_attribute("href") == "./x/report.html"
    for order, first in (("descending", "model 13"), ("ascending", "model 00")):
        head.get_by_role("button", name="Sort by x").click()
        assert head.get_attribute("aria-sort") == order and names.first.inner_text() == first
    page.get_by_label("Filter").fill("model 07")
    assert names.locator("visible=true").all_inner_texts() == ["model 07"]
    page.get_by_label("Filter").fill("x")
    assert names.locator("visible=true").count() == 14
    expect(page.locator(".rk-filter [role=status]")).to_have_text("1 of 1 evals")


@pytest.mark.slow
def test_beside_one_number_a_name_in_two_lines_keeps_its_date_whole(visit, tmp_path):
    """Lines of about the same length were "GPT-5 mini (2025-08-" and "07) (medium reasoning)"."""
    models = [f"GPT-5 {k} (2025-08-07) (medium reasoning)" for k in ("nano", "mini", "tiny")]
    models += [f"model {k}" for k in range(9)]  # so many that each has a row
    build_night(tmp_path, frame({"x": {m: [1] * 14 + [0] * k for k, m in enumerate(models)}}))
    page = visit(tmp_path / "index.html", 390)
    names = page.locator("table").first.locator("tbody th")
    lines = "e => new Set([...e.getClientRects()].map(r => r.top)).size"
    whole = names.locator(".rk-whole").all()  # of each name "GPT-5" and the date
    assert [part.evaluate(lines) for part in whole] == [1] * 6
    heights = names.evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert max(heights) < 60  # two lines of 20 px


@pytest.mark.slow
def test_what_sorts_stands_in_the_line_of_the_link_beside_it(visit, tmp_path):
    """It stood alone above the name of an eval that has no place to break."""
    models = {f"model {k:02d}": [1] * k + [0] * (15 - k) for k in range(10)}
    build_night(tmp_path, frame({"../eval/two_%s|x": models, "x": models}))
    head = visit(tmp_path / "index.html", 390).locator("th:has(> a)").first
    button, name = head.locator("button").bounding_box(), head.locator("a")
    top, bottom = name.evaluate("e => [e.getClientRects()[0].top, e.getClientRects()[0].bottom]")
    assert top <= button["y"] + button["height"] / 2 <= bottom


# Of the models a and b: 90% and 50%; from 1 to 10, 7.3 and 5.5 are 70% and 50% of the way. In
# seconds from 0.1 to 0.5 less is better: 0.18 and 0.42 are 80% and 20% of it.
SCALES = {
    "share": {"a": [1] * 9 + [0], "b": [1, 0] * 5},
    "tens": {"a": [1] * 3 + [10] * 7, "b": [1, 10] * 5},
    "time": {"a": [0.1] * 8 + [0.5] * 2, "b": [0.1] * 2 + [0.5] * 8},
}


@pytest.mark.slow
def test_scores_of_different_scales_sort_by_their_place_on_their_own(visit, tmp_path):
    """7.30 of 10 stood above 90%: the number was the larger one."""
    build_night(tmp_path, frame({e: SCALES[e] for e in ("tens", "share")}))
    page = visit(tmp_path / "index.html")
    names = page.locator("table").first.locator("tbody th")
    for order in (["share", "tens"], ["tens", "share"]):
        page.get_by_role("button", name="a", exact=True).first.click()
        assert names.all_inner_texts() == order
    assert "7.3 (" in page.locator("tbody tr", has_text="tens").first.inner_text()


@pytest.mark.slow
def test_in_a_suite_the_best_place_comes_first_where_lower_is_better_too(visit, tmp_path):
    results = [
        analyse(frame({e: of}), better="lower" if e == "time" else "higher")[0]
        for e, of in SCALES.items()
    ]
    table = render_table(make_table(decided_suite(results, Decisions(), {}), "suite"), "html")
    front = FrontPage(reports=[{"name": "share"}], table=Markup(table))
    (tmp_path / "index.html").write_text(render_index(front), encoding="utf-8")
    page = visit(tmp_path / "index.html")
    head, names = page.get_by_role("button", name="a", exact=True), page.locator("tbody th")
    expected = ["share", "time", "tens"]
    for order in (expected, expected[::-1], [*SCALES]):
        head.first.click()
        assert names.all_inner_texts()[:3] == order


EVALS = (*(f"Alpha {k}" for k in range(8)), "Beta")


def tall_table():
    """32 models as rows on 9 evals; the last two models were run on the last eval alone."""
    cells, values = [], []
    for k in range(32):
        run = [k < 30 or e == "Beta" for e in EVALS]
        cells.append((f"model {k:02d}", *["50%" if there else DASH for there in run]))
        values.append((None, *[0.5 if there else None for there in run]))
    columns = (Column("Model", "l"), *(Column(e, key=f"{OF_NAMES[0]}{e}") for e in EVALS))
    return Table("suite", "T.", columns, tuple(cells), tuple(values))


@pytest.fixture(scope="module")
def tall(tmp_path_factory):
    out = tmp_path_factory.mktemp("tall")
    table = Markup(render_table(tall_table(), "html"))
    front = FrontPage(reports=[{"name": e} for e in EVALS], table=table)
    (out / "index.html").write_text(render_index(front), encoding="utf-8")
    return out / "index.html"


@pytest.mark.parametrize(
    ("words", "told", "rows"),
    [
        ("beta", "1 of 9 evals, 32 of 32 models, 1 of 9 reports", 32),
        ("alpha", "8 of 9 evals, 30 of 32 models, 8 of 9 reports", 30),
        ("model 07", "1 of 32 models, 0 of 9 reports", 1),
        ("zzz", "0 of 32 models, 0 of 9 reports", 0),
    ],
)
def test_where_models_are_rows_the_columns_found_are_evals(tall, visit, words, told, rows):
    """A row without a score in the columns that are left is left out."""
    page = visit(tall)
    page.get_by_label("Find").fill(words)
    expect(page.locator(".rk-search [role=status]")).to_have_text(told)
    assert page.locator("table").first.locator("tbody th[scope=row]:visible").count() == rows


def test_a_shadow_lies_below_a_table_as_high_as_the_screen_until_its_end(tall, visit):
    """It stayed at the last row, under a rule of three pixels."""
    page = visit(tall)
    room = page.locator(".rk-scroll").first
    style = "e => [getComputedStyle(e).boxShadow !== 'none', getComputedStyle(e).borderBottomColor]"
    none = "rgba(0, 0, 0, 0)"
    expect(room).to_have_class("rk-scroll rk-below")
    shadow, line = room.evaluate(style)
    assert shadow and line != none
    room.evaluate("e => e.scrollTo(0, e.scrollHeight)")
    expect(room).to_have_class("rk-scroll")
    assert room.evaluate(style) == [False, none]
    room.evaluate("e => e.scrollTo(0, 0)")
    expect(room).to_have_class("rk-scroll rk-below")
    page.get_by_label("Find").fill("model 07")  # one row needs no scrolling
    expect(room).to_have_class("rk-scroll")


@pytest.mark.parametrize(
    ("words", "told", "rows"),
    [("beta", "1 of 9 evals", 32), ("alpha", "8 of 9 evals, 30 of 32 rows", 30)],
)
def test_a_filter_leaves_rows_out_that_have_no_score_in_its_columns(
    visit, tmp_path, words, told, rows
):
    (tmp_path / "t.html").write_text(render_table(tall_table(), "html", full=True), "utf-8")
    page = visit(tmp_path / "t.html")
    page.get_by_label("Filter").fill(words)
    expect(page.locator(".rk-filter [role=status]")).to_have_text(told)
    assert page.locator("tbody th[scope=row]:visible").count() == rows
