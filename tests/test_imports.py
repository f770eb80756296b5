"""The house has one direction: a stage imports from the stages below it, and no modules import each
other in a circle.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import reportkit

PACKAGE = Path(reportkit.__file__).parent
# Bottom to top. A package or module of the first level that is not here fails the test.
STAGES = (
    "version",
    "machine",
    "interrupts",
    "errors",
    "record",
    "facts",
    "estimates",
    "requested",
    "suites",
    "advised",
    "published",
    "results",
    "schema",
    "decisions",
    "plans",
    "text",
    "kernels",
    "publishing",
    "inputs",
    "stats",
    "scores",
    "readers",
    "loading",
    "analysis",
    "tables",
    "figures",
    "documents",
    "report",
    "builds",
    "cli",
    "__main__",
)


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, without the package's own."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    del found[""]
    return found


MODULES = modules()


def imported(name: str) -> Iterator[str]:
    """The modules of the package that a module imports, wherever in its file."""
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (
                a.name.removeprefix("reportkit.")
                for a in node.names
                if a.name.startswith("reportkit.")
            )
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{name} imports relatively in line {node.lineno}")
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("reportkit."):
            module = (node.module or "").removeprefix("reportkit").lstrip(".")
            for alias in node.names:
                inner = f"{module}.{alias.name}".lstrip(".")
                if inner in MODULES:
                    yield inner
                elif module:
                    yield module


def test_every_module_has_its_stage():
    assert {name.split(".")[0] for name in MODULES} == set(STAGES)


def test_nothing_imports_upwards():
    upwards = [
        f"{name} imports {other}"
        for name in MODULES
        for other in imported(name)
        if STAGES.index(other.split(".")[0]) > STAGES.index(name.split(".")[0])
    ]
    assert upwards == []


def test_no_modules_import_each_other():
    """Takes away, again and again, the modules that import none of those left; a circle is what
    stays.
    """
    left = {name: {other for other in imported(name) if other != name} for name in MODULES}
    while free := [name for name, others in left.items() if not others & set(left)]:
        for name in free:
            del left[name]
    assert left == {}
