"""The names of `import reportkit`: each is what it says, at run time and for a type checker."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import reportkit
from reportkit import stats

# A user's own file: what each public name takes and gives.
PROJECT = """
import reportkit
from reportkit import stats

scores = reportkit.demo_scores(["MATH"])
result, warnings = reportkit.analyse(scores, "MATH", baseline="Dreadnought")
mean: float = result.means[0].mean
table: reportkit.Table = reportkit.make_table(result, "means")
text: str = reportkit.render_table(table, "md")
messages: list[str] = [w.message for w in warnings]
reveal_type(result.means[0].se)
reveal_type(stats.mean_estimate)
needed: float = stats.power(0.03, 0.01)
"""


def test_every_public_name_is_what_it_says():
    for name in reportkit._HOME:
        found = getattr(reportkit, name)
        assert found.__name__.split(".")[-1] == name
        assert inspect.ismodule(found) == (name == "stats")
        assert callable(found) or name == "stats"


def test_a_public_name_stays_after_its_package_is_imported():
    code = "import reportkit, reportkit.builds.build\nassert callable(reportkit.build)"
    subprocess.run([sys.executable, "-c", code], check=True)


def seen_in(door) -> dict[str, str]:
    """The names that a type checker sees in a package's door, each with its module."""
    tree = ast.parse(Path(door.__file__).read_text(encoding="utf-8"))
    block = next(n for n in tree.body if isinstance(n, ast.If))
    return {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_a_type_checker_sees_the_same_names():
    assert seen_in(reportkit) | {"stats": "reportkit.stats"} == reportkit._HOME
    homes = {name: f"reportkit.stats.{module}" for name, module in stats._HOME.items()}
    assert seen_in(stats) == homes
    assert sum(len(names.split()) for names in stats._NAMES.values()) == len(homes) == 113


def test_every_statistic_is_found_under_its_name():
    """And no module bears the name of one: to import the module would put it in its place."""
    from reportkit.stats import __all__ as known

    modules = {p.stem for p in Path(stats.__file__).parent.iterdir()}
    assert modules.isdisjoint(known) and set(known) == set(dir(stats))
    for name in known:
        assert name == "TIE" or getattr(stats, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'wilsn'"):
        _ = stats.wilsn


def test_scipy_is_imported_when_a_statistic_needs_it():
    """`import reportkit.stats` costs less than numpy: numpy itself is not imported yet."""
    code = (
        "import sys, reportkit.stats as stats; assert not {'numpy', 'scipy'} & set(sys.modules)\n"
        "stats.t_interval; assert 'scipy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'analyze'"):
        _ = reportkit.analyze


@pytest.mark.slow
def test_a_users_project_type_checks(tmp_path):
    (tmp_path / "project.py").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(PROJECT + "se: str = result.means[0].se\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull]
    done = subprocess.run(
        [*command, "project.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert 'project.py:11: note: Revealed type is "float"' in done.stdout, done.stdout
    assert "numpy" in done.stdout  # the arguments of stats functions are known, too
    # nothing but the line that is wrong
    [error] = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert error.startswith("wrong.py:14: error: Incompatible types"), done.stdout
    assert done.returncode == 1 and "Found 1 error in 1 file" in done.stdout
