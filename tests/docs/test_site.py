"""The built guide: it asks no host, its links lead somewhere, its lists are true to the code."""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support.guide import PAGES, built_site, page_id
from support.places import ROOT

import reportkit
from reportkit import figures, readers, stats, tables
from reportkit.documents import FORMATS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return built_site(tmp_path_factory.mktemp("site"))


class Page(HTMLParser):
    """What a page loads, where its links lead, and the places that a link can lead to."""

    LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}

    def __init__(self, path: Path):
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places = {""}
        self.text: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places |= {given.get("id") or "", given.get("name") or ""}
        if self.LOADS.get(tag) in given:
            self.loads.append(given[self.LOADS[tag]])
        if tag == "link" and given.get("rel") != "canonical":
            self.loads.append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_page_of_docs_is_in_the_site(site, pages):
    sources = {p.relative_to(ROOT / "docs").with_suffix("") for p in PAGES[1:]}
    assert sources <= {p.relative_to(site).with_suffix("") for p in pages}


def test_no_page_loads_from_a_host(site, pages):
    asked = [
        f"{path.name}: {url}"
        for path, page in pages.items()
        for url in page.loads
        if urlsplit(url).netloc or (urlsplit(url).scheme not in ("", "data"))
    ]
    styles = [
        f"{path.name}: {url}"
        for path in site.rglob("*.css")
        for url in re.findall(r"(?:url\(|@import)\s*[\"']?(\S+?)[\"')]", path.read_text("utf-8"))
        if urlsplit(url).netloc
    ]
    assert asked + styles == []


def test_every_link_leads_to_a_page_and_a_place(site, pages):
    broken = []
    for path, page in pages.items():
        for url in (*page.links, *page.loads):
            parts = urlsplit(url)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = target in pages or target.is_file()
            placed = target not in pages or unquote(parts.fragment) in pages[target].places
            if not (there and placed):
                broken.append(f"{path.relative_to(site)}: {url}")
    assert broken == []


def test_examples_in_docstrings_are_code(site, pages):
    """Markdown takes a line that begins with >>> for a quotation in a quotation."""
    assert "<blockquote>" not in (site / "reference" / "stats.html").read_text("utf-8")
    shown = text_of(pages, site, "reference/stats.html").replace(" ", "")
    assert ">>>holm(" in shown


def text_of(pages, site, name: str) -> str:
    return " ".join(" ".join(pages[site / name].text).split())


def test_the_map_has_every_module_with_its_first_sentence(site, pages):
    """Read with ast here, from the files: no list of the guide's own."""
    shown = text_of(pages, site, "code.html").replace(" ", "")
    missing = []
    for path in (ROOT / "reportkit").rglob("*.py"):
        name = path.relative_to(ROOT / "reportkit").as_posix()
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        sentence = "".join(said.split("\n\n")[0].replace("`", "").split())
        if name == "__init__.py":
            continue
        if not sentence or sentence not in shown:
            missing.append(name)
    assert missing == []


def test_the_reference_has_every_public_function(pages, site):
    names = {
        p for page in ("reportkit", "stats") for p in pages[site / f"reference/{page}.html"].places
    }
    ends = {name.rpartition(".")[2] for name in names}
    public = {*reportkit.__all__, *stats.__all__} - {"__version__", "stats", "TIE"}
    assert public - ends == set()


@pytest.mark.parametrize(
    ("page", "named"),
    [
        ("paper.html", [*tables.KINDS, *tables.FORMATS, *figures.KINDS, *FORMATS]),
        ("reading.html", [name for name, kind in tables.KINDS.items() if kind.in_reports]),
    ],
)
def test_pages_name_all_that_there_is(pages, site, page, named):
    """As built: the lists are made from the registries."""
    text = text_of(pages, site, page)
    assert [name for name in named if name not in text] == []


def test_who_reads_the_sources_is_told_where_a_made_list_is(pages, site):
    """On GitHub the mark is a comment: a line below it is seen there, and not in the guide."""
    told, empty = [], []
    for source in PAGES:
        for below in re.findall(r"^<!-- made: \w+ -->\n(.*)$", source.read_text("utf-8"), re.M):
            (told if "`make docs`" in below else empty).append(page_id(source))
    assert len(told) == 8 and empty == []
    for name in {f"{name.removesuffix('.md').removeprefix('docs/')}.html" for name in told}:
        assert "builds into site/" not in text_of(pages, site, name), name


def test_every_harness_has_a_row(pages, site):
    """With its files, and what a user should know of it."""
    text = text_of(pages, site, "logs.html")
    for guide in (reader.guide for reader in readers.FORMATS):
        assert all([guide.harness, guide.files, guide.about])
        assert guide.harness in text, guide.harness
