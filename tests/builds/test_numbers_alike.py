"""Tables and figures have the same numbers in every format of a report."""

import html
import re

import pytest
from docx import Document
from pypdf import PdfReader
from support.places import ROOT

from reportkit.builds.build import build

pytestmark = pytest.mark.usefixtures("warm")
NUMBERED = re.compile(r"(Table|Figure)\s(\d+): ([\w.-]+): (\w+ \w+)")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """MGSM of the demonstration: a report with clusters, four tables and four figures."""
    out = tmp_path_factory.mktemp("alike")
    assert build(eval="MGSM", formats=["html", "md", "tex", "docx", "pdf"], out=out).status == 0
    return out / "MGSM"


def numbered(lines) -> list[tuple[str, ...]]:
    """What begins with "Table 1: " or "Figure 1: ", each with the first words of its caption."""
    found = [NUMBERED.match(re.sub(r"\s+", " ", line)) for line in lines]
    return [m.groups() for m in found if m]


def of_tex(text: str) -> list[tuple[str, ...]]:
    """LaTeX counts by itself: each caption of an environment is one more."""
    counts = {"table": 0, "figure": 0}
    lines = []
    for kind, caption in re.findall(r"(?s)\\begin\{(table|figure)\}.*?\\caption\{(.*?)\}", text):
        counts[kind] += 1
        lines.append(f"{kind.title()} {counts[kind]}: {caption}")
    return numbered(lines)


@pytest.mark.slow
def test_every_format_numbers_the_same_tables_and_figures_alike(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    captions = re.findall(r"(?s)<(caption|figcaption)\b[^>]*>(.*?)</\1>", page)
    expected = numbered(html.unescape(re.sub(r"<[^>]+>", "", c)) for _, c in captions)
    assert [n[:2] for n in expected if n[0] == "Table"] == [("Table", k) for k in "1234"]
    assert [n[:2] for n in expected if n[0] == "Figure"] == [("Figure", k) for k in "1234"]
    markdown = (report / "report.md").read_text(encoding="utf-8")
    assert numbered(line.strip("*") for line in markdown.splitlines()) == expected
    assert of_tex((report / "report.tex").read_text(encoding="utf-8")) == expected
    word = Document(str(report / "report.docx"))
    assert numbered(p.text for p in word.paragraphs) == expected
    printed = "".join(p.extract_text() for p in PdfReader(report / "report.pdf").pages)
    assert sorted(numbered(printed.splitlines())) == sorted(expected)  # a figure may float


@pytest.mark.parametrize("name", ["HumanEval", "suite"])
def test_the_reports_of_the_example_are_numbered_alike(name):
    folder = ROOT / "reports" / "example" / name
    page, markdown, tex = (
        (folder / f"report.{fmt}").read_text(encoding="utf-8") for fmt in ("html", "md", "tex")
    )
    order = re.findall(r"<(?:caption><span|figcaption)>(Table|Figure) (\d+): ", page)
    assert len(order) > 5
    assert re.findall(r"(?m)^\*+(Table|Figure) (\d+): ", markdown) == order
    kinds = re.findall(r"(?s)\\begin\{(table|figure)\}.*?\\caption\{", tex)
    assert [kind.title() for kind in kinds] == [kind for kind, _ in order]
