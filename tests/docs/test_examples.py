"""Every example of the guide is run: a page's blocks of Python and shell, in the order of the page.

A `console` block must print what it shows, where ... stands for anything. A `toml` block must be a
reportkit.toml, a `sql` block a query of DuckDB. `<!-- not run: why -->` above a block leaves it
out.
"""

import doctest
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.guide import PAGES, RECIPES, Block, blocks, page_id, users_folder
from support.places import ROOT

from reportkit.loading.config import load

RUN = {"python", "sh", "console", "toml", "sql"}
SHOWN = {"text", "latex"}  # what no program reads
_CHECKER = doctest.OutputChecker()
_OPTIONS = doctest.ELLIPSIS


# what runs a notebook, for seconds each
NOTEBOOKS = ("reportkit build", "reportkit.build(", "papermill ", "execute_notebook(")


def pages_to_run() -> list[Any]:
    """The pages with examples; those that run notebooks are slow."""
    found = []
    for page in PAGES:
        code = [b.code for b in blocks(page) if b.kind in RUN and not b.why]
        slow = any(command in c for c in code for command in NOTEBOOKS)
        if code:
            marks = [pytest.mark.slow] if slow else []
            found.append(pytest.param(page, id=page_id(page), marks=marks))
    return found


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """A shell's variables, with the commands of this interpreter and of this checkout first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def printed(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints, messages and progress on stderr aside; it must succeed."""
    done = subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_block(block: Block, folder: Path, names: dict[str, Any], environment: Any) -> None:
    if block.kind == "python" and ">>>" in block.code:
        test = doctest.DocTestParser().get_doctest(block.code, names, "page", "page", block.line)
        said: list[str] = []
        outcome = doctest.DocTestRunner(optionflags=_OPTIONS).run(
            test, out=said.append, clear_globs=False
        )
        names |= test.globs
        assert outcome.failed == 0, "".join(said)
    elif block.kind == "python":
        exec(compile(block.code, "page", "exec"), names)
    elif block.kind == "sh":
        printed(block.code, folder, environment)
    elif block.kind == "console":
        for part in ("\n" + block.code).split("\n$ ")[1:]:
            command, _, expected = part.partition("\n")
            got = printed(command, folder, environment)
            wanted = expected.rstrip("\n") + "\n"
            assert _CHECKER.check_output(wanted, got, _OPTIONS), f"{command} prints\n{got}"
    elif block.kind == "toml":
        (folder / "of-the-page.toml").write_text(block.code)
        load(folder / "of-the-page.toml")
    elif block.kind == "sql":
        import duckdb

        assert duckdb.sql(block.code).fetchall(), block.code


def test_every_block_is_of_a_kind_that_is_known():
    """A misspelt kind would never be run."""
    unknown = [
        f"{page_id(page)}:{block.line} {block.kind}"
        for page in PAGES
        for block in blocks(page)
        if block.kind not in RUN | SHOWN | RECIPES
    ]
    assert unknown == []


@pytest.mark.parametrize("page", pages_to_run())
def test_examples(page, tmp_path, monkeypatch, environment):
    monkeypatch.chdir(users_folder(tmp_path))
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if not block.why and block.kind in RUN:
            run_block(block, tmp_path, names, environment)
