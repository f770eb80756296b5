"""Rules of the code that ruff has no rule for."""

import ast

from support.places import ROOT


def nested(source: str) -> list[int]:
    """Lines of conditional expressions that hold another one."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.IfExp):
            inside = (child for part in ast.iter_child_nodes(node) for child in ast.walk(part))
            if any(isinstance(child, ast.IfExp) for child in inside):
                found.append(node.lineno)
    return found


def test_what_counts_as_nested():
    assert nested("a = 1 if b else 2\nc = [1 if d else 2, 3 if e else 4]") == []
    assert nested("a = 1\nb = 1 if c else 2 if d else 3") == [2]
    assert nested("a = f(1 if b else 2) if c else 3") == [1]


def test_an_expression_decides_one_thing_at_most():
    """Two decisions are statements, where each has a line of its own."""
    package = ROOT / "reportkit"
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    found = {name: nested(path.read_text(encoding="utf-8")) for name, path in files.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_module_is_longer_than_350_lines():
    package = ROOT / "reportkit"
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    long = {
        name
        for name, path in files.items()
        if len(path.read_text(encoding="utf-8").splitlines()) > 350
    }
    assert long == set()
