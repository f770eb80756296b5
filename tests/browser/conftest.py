"""Real pages in Debian's Chromium: built once for all browser tests of a run."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook, new_output
from playwright.sync_api import Browser, Page, sync_playwright
from support.cells import code, figure, shown, table
from support.programs import program
from support.tables import CJK, HOSTILE, hostile_table

from reportkit.documents.make import make_documents
from reportkit.report import Report

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session", autouse=True)
def chromium() -> Iterator[Browser]:
    """Asked for before any page is built, so that tests without it are skipped at once."""
    path = program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium) -> Iterator[Callable[..., Page]]:
    """Opens a file; at the end nothing but that file may have been asked for, and no error have
    come up.
    """
    with contextlib.ExitStack() as stack:
        asked: list[str] = []
        wrong: list[str] = []
        wanted: set[str] = set()

        def visit(path: Path, width: int = 1280, *, script: str = "", **options) -> Page:
            context = chromium.new_context(viewport={"width": width, "height": 900}, **options)
            stack.callback(context.close)
            if script:
                context.add_init_script(script)
            page = context.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.on("console", lambda message: wrong.append(message.text))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            wanted.add(path.as_uri())
            page.goto(path.as_uri())
            return page

        yield visit
        assert {url for url in asked if not url.startswith("data:")} <= wanted
        assert wrong == []


@pytest.fixture(scope="session")
def demo(demo_reports) -> Path:
    """The demonstration's MGSM: three models."""
    return demo_reports / "MGSM"


@pytest.fixture(scope="session")
def many(tmp_path_factory) -> Path:
    """Sixty models with long names, 1,770 pairs."""
    folder = tmp_path_factory.mktemp("many")
    rng = np.random.default_rng(60)
    right = rng.random((60, 50)) < np.linspace(0.3, 0.9, 60)[:, None]
    rows = [
        {"model": f"model-{m:02d}-instruct", "question_id": q, "score": int(right[m, q])}
        for m in range(60)
        for q in range(50)
    ]
    pd.DataFrame(rows).to_csv(folder / "sixty.csv", index=False)
    report = Report(eval="sixty", scores=str(folder / "sixty.csv"), out=str(folder))
    parts = [report.table("means"), report.figure("means"), report.table("differences")]
    outputs = [code(new_output("display_data", data=part.bundle)) for part in parts]
    heads = [new_markdown_cell(f"## Part {i}") for i in range(3)]
    make_documents(new_notebook(cells=[*heads, *outputs]), folder, ["html"], title="sixty")
    return folder


@pytest.fixture(scope="session")
def cells(tmp_path_factory) -> Path:
    """What users' cells show: wide data frames, colours, images, code, formulas, hostile names."""
    folder = tmp_path_factory.mktemp("cells")
    wide = pd.DataFrame({f"a_rather_long_column_{i}": [1.5, 2.25] for i in range(20)})
    coloured = '<div style="background: #ffd">yellow</div><h1>Loud</h1><h5>Deep</h5>'
    text = "# Title\n\n## Own\n\n> quoted\n\n`code` and $\\sum_{i=1}^{n} x_i^2 = \\frac{a}{b}$\n\n"
    text += (
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n#### Deeper\n\n- [x] done\n\n```\n"
        + "x" * 300
        + "\n```\n\n"
    )
    text += "$$\\begin{aligned}a&=b\\end{aligned}$$"
    notebook = new_notebook(
        cells=[
            new_markdown_cell(text),
            code(shown(html=wide.to_html(), plain="x")),
            code(shown(html=coloured, plain="x"), shown(plain="y" * 300)),
            code(table(hostile_table((*HOSTILE, CJK)))),
            code(shown(png=figure("png")), shown(svg=figure("svg"))),
            new_markdown_cell("## Own"),
        ]
    )
    make_documents(notebook, folder, ["html"], title="Users' cells")
    return folder
