"""Every function of reportkit.stats is one that a report or a table on request is made with."""

import ast
from functools import cache
from pathlib import Path

from support.places import ROOT

from reportkit import stats

PACKAGE = ROOT / "reportkit"

Name = tuple[str, str]  # module, name


@cache
def modules() -> dict[str, ast.Module]:
    """By the name that stands behind reportkit.stats; the door itself has none."""
    found = {}
    for path in sorted((PACKAGE / "stats").rglob("*.py")):
        parts = path.relative_to(PACKAGE / "stats").with_suffix("").parts
        found[".".join(p for p in parts if p != "__init__")] = ast.parse(path.read_text())
    return found


def imported(tree: ast.Module) -> dict[str, Name]:
    """What a module has from stats, by the name that it has there."""
    return {
        alias.asname or alias.name: (node.module.removeprefix("reportkit.stats."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reportkit.stats.")
        for alias in node.names
    }


@cache
def used_in_reports() -> set[Name]:
    """What all other packages call, as stats.name or imported by name."""
    door = imported(modules()[""])
    found: set[Name] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "stats" in path.parents:
            continue
        tree = ast.parse(path.read_text())
        found |= set(imported(tree).values())
        attributes = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "stats"
        }
        found |= {door[name] for name in attributes if name in door}
    return found


def reached() -> set[Name]:
    """What these need, whatever the number of steps between."""
    trees = modules()
    needs: dict[Name, set[Name]] = {}
    for module, tree in trees.items():
        names = imported(tree)
        own = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        known = names | {name: (module, name) for name in own}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                called = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                needs[module, node.name] = {known[name] for name in called if name in known}
    found: set[Name] = set()
    left = list(used_in_reports())
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += needs.get(name, set())
    return found


def unreached() -> set[str]:
    door, found = imported(modules()[""]), reached()
    functions = {name for name in stats.__all__ if not isinstance(getattr(stats, name), type)}
    return {name for name in functions if name in door and door[name] not in found}


def test_every_public_function_is_reached_from_a_report():
    assert unreached() == set()


def test_the_walk_knows_what_is_called_and_what_is_not(monkeypatch):
    """A function that a report calls by name, one that only another statistic calls, and one that
    nothing calls any more.
    """
    found, used = reached(), used_in_reports()
    assert ("means.mean", "mean_estimate") in used
    assert ("pairs.tango", "tango_interval") in found - used
    ranks = ("exact", "signed_ranks")
    monkeypatch.setitem(globals(), "used_in_reports", lambda: used - {ranks})
    assert unreached() == {"signed_ranks"}
    assert Path(PACKAGE / "stats").is_dir() and len(stats.__all__) > 80
