"""report.html, index.html and drop-ins as a reader has them, in real Chromium."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from PIL import Image
from playwright.sync_api import expect
from pypdf import PdfReader
from support.browser_pages import WIDTHS, comes_true, focused, order, sorted_by, tab_to
from support.cells import code
from support.sweeps import but_slow, some
from support.tables import SMALL

from reportkit.documents.make import make_documents
from reportkit.tables.writers.render import render_drop_in, render_table

pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).parents[2] / "reports" / "example"
INDEX = "demo/../index.html"  # tests/browser/test_front.py looks at one, too
MANY = "many/report.html"
PAGES = (
    "demo/report.html",
    INDEX,
    MANY,
    "cells/report.html",
    "demo/tables/means.html",
)


@pytest.fixture
def page_of(request):
    """The file that a name in PAGES means."""

    def path(name: str):
        fixture, _, rest = name.partition("/")
        return (request.getfixturevalue(fixture) / rest).resolve()

    return path


@pytest.mark.parametrize("name", but_slow(PAGES, INDEX, MANY))
def test_it_fits_every_width_asks_nothing_and_shows_something(name, page_of, visit, tmp_path):
    for width in WIDTHS.values():
        page = visit(page_of(name), width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture = tmp_path / f"{width}.png"
        page.screenshot(path=picture)
        # not blank
        assert len(Image.open(io.BytesIO(picture.read_bytes())).convert("L").getcolors()) > 20


@pytest.mark.parametrize("name", but_slow(PAGES[:-1], INDEX, MANY))
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing(name, scheme, width, page_of, visit):
    found = Axe().run(visit(page_of(name), width, color_scheme=scheme))
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.slow
def test_the_contents_stand_beside_the_text_or_above_it(demo, visit):
    for name, width in WIDTHS.items():
        page = visit(demo / "report.html", width)
        nav, text = (
            page.get_by_role("navigation", name="Contents").bounding_box(),
            page.locator("main").bounding_box(),
        )
        assert (nav["x"] + nav["width"] <= text["x"]) == (name == "desk")
        assert (nav["y"] + nav["height"] <= text["y"]) == (name != "desk")
        if name == "phone":  # closed there: the first screen is the findings'
            page.locator("nav summary").click()
        links = page.locator("nav a")
        assert links.count() == page.locator("main h2, main h3").count() > 5
        for i in range(links.count()):
            target = links.nth(i).get_attribute("href")
            assert page.locator(f"[id='{target[1:]}']").inner_text() == links.nth(i).inner_text()


def test_the_skip_link_is_the_first_stop_and_leads_to_the_text(demo, visit):
    page = visit(demo / "report.html")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the text"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"


def test_headings_skip_no_level_and_there_is_one_title(cells, visit):
    page = visit(cells / "report.html")
    levels = [
        int(t[1])
        for t in page.evaluate(
            "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => h.tagName)"
        )
    ]
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False))
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


# --- sorting


def test_a_table_sorts_by_value_with_the_keyboard(demo, visit):
    # Means of the demonstration's MGSM, as in the paper for the first two: 75.3, 78.0; the third's
    # is 69.8.
    page = visit(demo / "report.html")
    assert order(page) == ["Galleon", "Dreadnought", "Frigate"]
    tab_to(page, "Mean (SE)")
    page.keyboard.press("Enter")  # the best is on top
    assert order(page) == ["Dreadnought", "Galleon", "Frigate"] and sorted_by(page) == [
        ["Mean (SE)", "descending"]
    ]
    assert page.get_by_role("status").first.inner_text() == "Sorted by Mean (SE), descending"
    page.keyboard.press("Space")
    assert order(page) == ["Frigate", "Galleon", "Dreadnought"] and sorted_by(page) == [
        ["Mean (SE)", "ascending"]
    ]
    page.keyboard.press("Enter")
    assert order(page) == ["Galleon", "Dreadnought", "Frigate"] and sorted_by(page) == []
    assert page.get_by_role("status").first.inner_text() == "In the original order"
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Model").first.click()
    assert order(page) == ["Dreadnought", "Frigate", "Galleon"] and sorted_by(page) == [
        ["Model", "ascending"]
    ]


def test_undefined_is_last_and_sections_stay(tmp_path, visit):
    cells = [
        ("b", "9.0%\n(1.0%)"),
        ("a", "—"),
        ("c", "10.0%\n(2.0%)"),
        ("z", "2.0%"),
        ("y", "1.0%"),
    ]
    values = [0.09, None, 0.1, 0.02, 0.01]
    table = replace(
        SMALL,
        columns=SMALL.columns[:2],
        cells=tuple(cells),
        values=tuple((None, v) for v in values),
        bold=frozenset(),
        sections=((3, "Small"),),
    )
    path = tmp_path / "table.html"
    path.write_text(render_drop_in(table, "html"), encoding="ascii")
    page = visit(path)
    head = page.get_by_role("button", name="Mean (SE)")
    head.click()  # 9.0 is text after 10.0, and a number before it
    assert order(page) == ["c", "b", "a", "Small", "z", "y"]
    head.click()
    assert order(page) == ["b", "c", "a", "Small", "y", "z"]
    head.click()
    assert order(page) == ["b", "a", "c", "Small", "z", "y"]


# --- copying


@pytest.mark.slow
@pytest.mark.parametrize("clipboard", ["the clipboard", "the old way"])
@pytest.mark.parametrize(("button", "fmt"), [("Copy LaTeX", "tex"), ("Copy Markdown", "md")])
def test_copying_with_the_keyboard_gives_the_drop_in(demo, visit, button, fmt, clipboard):
    gone = (
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
        if clipboard == "the old way"
        else ""
    )
    page = visit(demo / "report.html", script=gone)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(page, button)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("Copied")
    assert focused(page) == button
    page.evaluate(
        "() => { const a = document.createElement('textarea'); document.body.append(a); "
        "a.focus(); }"
    )
    page.keyboard.press("Control+V")
    pasted = page.evaluate("document.activeElement.value")
    assert pasted == (demo / f"tables/means.{fmt}").read_text(encoding="utf-8")


def test_what_is_pasted_into_a_text_is_a_table_without_buttons(demo, visit):
    page = visit(demo / "tables/means.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(
        "() => { const range = document.createRange(); "
        "range.selectNode(document.querySelector('figure')); "
        "getSelection().removeAllRanges(); getSelection().addRange(range); }"
    )
    page.keyboard.press("Control+C")
    page.evaluate(
        "() => { document.body.innerHTML = '<div id=\"d\" contenteditable>x</div>'; "
        "document.querySelector('#d').focus(); }"
    )
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    pasted = page.locator("#d")
    assert pasted.locator("table").count() == pasted.locator("caption").count() == 1
    assert pasted.locator("button, a, [class]").count() == 0
    assert pasted.locator("thead th").first.inner_text() == "Model"
    title = pasted.locator("caption").inner_text()
    text = pasted.inner_text()
    assert text.count(title) == 1 and "Copy" not in text and "CSV" not in text
    # The notes stand below the table.
    assert pasted.locator("table ~ * p").count() == 1


def test_a_page_that_may_not_copy_says_so(demo, visit):
    gone = (
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); "
        "document.execCommand = () => false"
    )
    page = visit(demo / "report.html", script=gone)
    page.get_by_role("button", name="Copy LaTeX").first.click()
    assert page.get_by_role("status").first.inner_text() == "This page may not copy"


@pytest.mark.parametrize("scripts", [True, False])
def test_the_csv_is_the_file(demo, visit, scripts):
    page = visit(demo / "report.html", java_script_enabled=scripts)
    with page.expect_download() as download:
        page.locator("a[download]").first.click()
    assert download.value.suggested_filename == "means.csv"
    with open(download.value.path(), "rb") as file:
        assert file.read() == (demo / "tables/means.csv").read_bytes()


# --- without script, in print, as drop-ins


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo/report.html", MANY])
def test_without_script_everything_is_there_and_nothing_dead(name, page_of, visit):
    plain, live = visit(page_of(name), java_script_enabled=False), visit(page_of(name))
    assert plain.locator("button").count() == 0 < live.locator("button").count()
    for selector in ("main p", "main td", "main th", "figcaption", "caption"):
        assert plain.locator(selector).all_inner_texts() == live.locator(selector).all_inner_texts()


@pytest.mark.slow
def test_print_is_black_on_white_whole_and_without_controls(many, visit):
    page = visit(many / "report.html", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    style = "getComputedStyle(document.body)"
    assert page.evaluate(f"[{style}.color, {style}.backgroundColor]") == [
        "rgb(0, 0, 0)",
        "rgb(255, 255, 255)",
    ]
    for gone in ("nav", ".rk-tools", ".rk-skip"):
        assert page.locator(gone).count() and not page.locator(gone).first.is_visible()
    pages = [p.extract_text() for p in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]
    text = re.sub(r"\s+", "", "".join(pages))
    assert all(f"model-{m:02d}-instruct" in text for m in range(41))
    assert "Copy" not in text and "Skip" not in text
    # The second table is the longer one; its head stands on each of its pages.
    assert sum("Correlation" in p for p in pages) > 1


def test_a_dark_page_is_dark(demo, visit):
    page = visit(demo / "report.html", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    assert (
        page.evaluate("getComputedStyle(document.querySelector('main img')).backgroundColor")
        == "rgb(255, 255, 255)"
    )


@pytest.mark.slow
def test_on_a_phone_names_stay_and_the_keyboard_scrolls(many, visit):
    page = visit(many / "report.html", 360)
    region = page.get_by_role("region", name=re.compile("paired differences"))
    name = region.locator("tbody th").first
    before = name.bounding_box()["x"]
    region.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    # the browser scrolls smoothly, some frames after the key
    assert comes_true(page, "document.activeElement.scrollLeft > 40")
    assert name.bounding_box()["x"] == before


@pytest.mark.slow
def test_drop_ins_on_one_page_work_once_each_and_leave_it_alone(tmp_path, visit):
    host = (
        "<title>Host</title><style>p, button { color: rgb(1, 2, 3); "
        "}</style><p>Host</p><button>Own</button>"
    )
    tables = [replace(SMALL, name=name) for name in ("one", "two")]
    bare = tmp_path / "bare.html"
    bare.write_text(f"<!doctype html>{host}", encoding="ascii")
    path = tmp_path / "host.html"
    path.write_text(
        f"<!doctype html>{host}" + "".join(render_drop_in(t, "html") for t in tables),
        encoding="ascii",
    )
    style = "e => JSON.stringify([...getComputedStyle(e)].map(k => getComputedStyle(e)[k]))"
    looks = [
        [page.locator(s).first.evaluate(style) for s in ("html", "p", "button")]
        for page in map(visit, (bare, path))
    ]
    # The page grows longer; nothing else of it changes.
    assert [len(a) for a in looks[0]] and looks[0][1:] == looks[1][1:]
    page = visit(path)
    assert page.get_by_role("button", name="Copy LaTeX").count() == 2
    assert page.locator("th button").count() == 6
    for _ in range(2):  # the best is on top, then the last
        page.locator("th button").nth(4).click()
    assert order(page, 1) == ["a|b_%", "Galleon"] and order(page, 0) == ["Galleon", "a|b_%"]


def test_a_whole_page_of_one_table_is_axe_clean(tmp_path, visit):
    path = tmp_path / "full.html"
    path.write_text(render_table(SMALL, "html", full=True), encoding="utf-8")
    found = Axe().run(visit(path))
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_command_breaks_at_its_spaces_alone(width, tmp_path, visit):
    """In a block and in a line of text; only a word that is longer than the line breaks within. A
    line ended with "--formats", and its value began the next.
    """
    options = ["--eval", "--baseline", "gsm-symbolic-eng", "--n-questions", "a-b", "c-d"]
    pairs = (f"{options[1]} {options[2]}", f"{options[3]} {options[4]}")  # the values within
    whole = [options[0], pairs[0], options[2], pairs[1], *options[4:]]
    long = "/data/" + "folder-with-scores/" * 9
    command = f"reportkit build {' '.join(options * 4)} {long} --out x"
    printed = f"{command}\na-b-c -- no-command"
    cells = [
        new_markdown_cell(f"Run `{command}` and `a-b`."),
        code(new_output("stream", text=printed)),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html", width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for where in ("main pre", "main p code >> nth=0"):
        box = page.locator(where)
        lines = box.evaluate("""e => [...e.querySelectorAll(".rk-word")].map(
            w => [w.textContent, w.getClientRects().length, w.getBoundingClientRect().height])""")
        assert [text for text, *_ in lines] == [*whole * 4, long, "--out x"]
        one = min(height for *_, height in lines)
        assert all(height == one for text, _, height in lines if text != long)
    assert page.locator("main pre").inner_text() == printed  # to copy
    assert page.locator("main p").inner_text() == f"Run {command} and a-b."


# --- lines and pages that end where they should


ARABIC = "\u0646\u0645\u0648\u0630\u062c"


@pytest.mark.parametrize("width", some(range(360, 420, 6)))
def test_no_line_ends_within_a_date_or_before_the_sign_behind_a_formula(width, tmp_path, visit):
    """ "2025-08-" ended a line, as did "give epochs =" of a plan, and a full stop began one."""
    text = "gpt-4o-2025-08-07-FC has the best mean (p = 0.02): give epochs = 6, and so on, to all. "
    cells = [new_markdown_cell(text * 3 + "Each weighs the same, $w = 1/E$. " * 9)]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html", width)
    whole = page.locator("main p .rk-whole")
    lines = (
        "es => es.map(e => new Set([...e.getClientRects()].map(r => Math.round(r.bottom))).size)"
    )
    for said in ("2025", "p = 0.02", "epochs = 6"):
        found = whole.filter(has_text=said)
        assert found.count() == 3 and set(found.evaluate_all(lines)) == {1}
    gaps = page.locator("main p math").evaluate_all("""es => es.map(e => {
        const stop = document.createRange();
        stop.setStart(e.nextSibling, 0); stop.setEnd(e.nextSibling, 1);
        return stop.getBoundingClientRect().left - e.getBoundingClientRect().right; })""")
    assert len(gaps) == 9 and all(abs(gap) < 2 for gap in gaps)
    assert text.strip() in page.locator("main p").inner_text()


def test_a_date_in_a_caption_stands_in_its_line(tmp_path, visit):
    """What stood behind it began a paragraph of its own."""
    title = "Model minus gpt-4.1-nano-2025-04-14_options, the highest mean"
    cells = []
    for text in (title, title.replace("2025-04-14", "mini")):
        source = render_table(replace(SMALL, title=text), "html")
        cells.append(code(new_output("display_data", data={"text/html": source})))
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    captions = visit(tmp_path / "report.html").locator("caption")
    assert captions.first.locator(".rk-whole").inner_text() == "2025-04-14"
    assert captions.first.inner_text().endswith(title)
    heights = captions.evaluate_all("es => es.map(e => e.getBoundingClientRect().height)")
    assert heights[0] == heights[1]


@pytest.mark.parametrize("between", "- ")
def test_a_name_that_runs_from_the_right_keeps_its_number(between, tmp_path, visit):
    """ "-7B" behind it was shown as 7, the name, B; and " 7B" on its right, in figures on its
    left.
    """
    name = f"{ARABIC}{between}7B"
    table = replace(SMALL, notes=(f"It may be {name}, 65.5%.",))
    cells = [
        new_markdown_cell(f"The best may be {name}, 65.5%."),
        code(new_output("display_data", data={"text/html": render_table(table, "html")})),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html")
    for where in ("main > p", ".rk-notes p"):
        gap, before = page.locator(where).evaluate(
            """(p, letters) => {
            const text = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
            const places = [];
            while (text.nextNode()) for (const letter of letters) {
                const at = text.currentNode.data.indexOf(letter);
                const range = document.createRange();
                if (at < 0) continue;
                range.setStart(text.currentNode, at); range.setEnd(text.currentNode, at + 1);
                places.push(range.getBoundingClientRect());
            }
            return [places[1].left - places[0].right, places[2].left - places[1].right]; }""",
            f"7B{ARABIC[-1]}",
        )
        assert abs(gap) < 1 and before > 0, where
        assert name in page.locator(where).inner_text()


def printed(page) -> list[str]:
    return [p.extract_text() for p in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]


@pytest.mark.parametrize("lines", some(range(22, 32)))
def test_no_printed_page_ends_with_a_caption(lines, tmp_path, visit):
    """Half of a caption stood below its heading, and the table on the next page."""
    rows = tuple((f"row-{k}", "65.5% (0.7%)", "x") for k in range(58))
    title = "Means of all. " * 12
    table = replace(SMALL, title=title, cells=rows, values=(), bold=frozenset(), data=())
    cells = [
        new_markdown_cell("A line of text.\n\n" * lines + "## Scores"),
        code(new_output("display_data", data={"text/html": render_table(table, "html")})),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    pages = printed(visit(tmp_path / "report.html"))
    for said in ("Scores", "Means of all. Means"):
        assert "row-0" in next(text for text in pages if said in text)


@pytest.mark.parametrize("lines", some(range(20, 30)))
def test_what_made_a_report_stands_on_no_printed_page_alone(lines, tmp_path, visit):
    cells = [
        new_markdown_cell("A line of text.\n\n" * lines + "- Seed: 0\n- Versions: 1\n- Tree: a"),
        new_markdown_cell("**Made again by:**"),
        code(new_output("stream", text="reportkit build --eval MATH")),
    ]
    make_documents(new_notebook(cells=cells), tmp_path, ["html"], title="x")
    last = printed(visit(tmp_path / "report.html"))[-1]
    assert all(said in last for said in ("Made by reportkit", "--eval", "again", "Seed", "Tree"))


@pytest.mark.slow
def test_in_the_dark_a_rule_goes_on_below_the_first_head(many, visit, tmp_path):
    """The ground of a head that stays in view covered it."""
    page = visit(many / "report.html", 390, color_scheme="dark")
    box = page.locator("thead tr:last-child > :first-child").first.bounding_box()
    picture = tmp_path / "head.png"
    foot = {"x": box["x"], "y": box["y"] + box["height"] - 3, "width": box["width"], "height": 6}
    page.screenshot(path=picture, clip=foot)
    light = Image.open(picture).convert("L")
    rows = [min(light.getpixel((x, y)) for x in range(light.width)) for y in range(light.height)]
    assert max(rows) > 150


@pytest.mark.parametrize("width", some([390, 768, 1280], 2))
def test_the_captions_of_a_page_have_one_size(width, visit):
    """That of a wide table was smaller, as the table is. The committed example has one."""
    page = visit(EXAMPLE / "suite" / "report.html", width)
    sizes = "es => [...new Set(es.map(e => getComputedStyle(e).fontSize))]"
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)
        assert len(page.locator("table.rk-wide caption").all()) > 0
        assert len(page.locator("main caption").evaluate_all(sizes)) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_shadow_of_a_table_lies_on_its_caption(scheme, demo, visit, tmp_path):
    """The end of each line of a caption was grey where the table below scrolls."""
    page = visit(demo / "report.html", 390, color_scheme=scheme)
    table = page.locator(".rk-table").filter(has_text="paired differences").first
    assert table.locator(".rk-scroll").evaluate("e => e.scrollWidth > e.clientWidth")
    page.add_style_tag(content=".rk-table caption span { color: transparent; }")
    box = table.locator("caption").bounding_box()
    end = {"x": 390 - 16 - 20, "y": box["y"], "width": 20, "height": box["height"] - 2}
    page.screenshot(path=tmp_path / "end.png", clip=end, full_page=True)
    assert len(Image.open(tmp_path / "end.png").convert("RGB").getcolors()) == 1


@pytest.mark.slow
def test_the_ground_of_what_stays_in_view_ends_before_the_rules(many, visit):
    """It covered one where a row was no whole number of pixels high; a rule has at most 2 px."""
    page = visit(many / "report.html", 390)
    head = page.locator("table:not(.rk-few) thead tr:last-child > :first-child").first
    expect(head).to_have_css("position", "sticky")
    expect(head).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(head).to_have_css("background-size", "100% calc(100% - 4px)")


def test_no_short_word_ends_a_paragraph_alone(visit, tmp_path):
    """The 0 of "it is never 0." stood in a line by itself."""
    text = "Each model: 164 questions, all of the eval, 1,640 answers, none without a score, no "
    text += "errors. A missing score is left out; it is never 0."
    make_documents(new_notebook(cells=[new_markdown_cell(text)]), tmp_path, ["html"], title="x")
    page = visit(tmp_path / "report.html", 390)
    lines = """e => { const range = document.createRange(); range.selectNodeContents(e);
        return [...range.getClientRects()].map((r) => r.width); }"""
    said = page.locator("main p").filter(has_text="it is never 0.").last
    assert said.evaluate(lines)[-1] > 40
