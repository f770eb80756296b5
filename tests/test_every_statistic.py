"""Every function of reportkit.stats is one that a report or a table on request is made with."""

import ast
from pathlib import Path

from support.places import ROOT

from reportkit import stats

PACKAGE = ROOT / "reportkit"
# Public functions that no report calls yet, and where they belong.
PLANNING = {  # planning an eval before it is run
    "best_epochs", "clustered_omega_squared", "clusters_needed", "epochs_for_share",
    "finite_population", "mcnemar_questions_needed", "minimum_detectable_effect",
    "noninferiority_questions_needed", "omega_squared_printed", "paired_components", "power",
    "question_moments", "questions_needed", "questions_range", "sigma_squared_printed",
    "units_needed", "unpaired_questions_needed", "variance_range",
}  # fmt: skip
SUITE = {"signed_ranks", "wilcoxon_p_value"}  # two models over several evals
LATER = PLANNING | SUITE

Name = tuple[str, str]  # module, name


def modules() -> dict[str, ast.Module]:
    found = sorted((PACKAGE / "stats").glob("*.py"))
    return {path.stem: ast.parse(path.read_text()) for path in found}


def imported(tree: ast.Module) -> dict[str, Name]:
    """What a module has from stats, by the name that it has there."""
    return {
        alias.asname or alias.name: (node.module.split(".")[-1], alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reportkit.stats.")
        for alias in node.names
    }


def used_in_reports() -> set[Name]:
    """What all other packages call, as stats.name or imported by name."""
    door = imported(modules()["__init__"])
    found: set[Name] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent == PACKAGE / "stats":
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
    door, found = imported(modules()["__init__"]), reached()
    functions = {name for name in stats.__all__ if not isinstance(getattr(stats, name), type)}
    return {name for name in functions if name in door and door[name] not in found}


def test_every_public_function_is_reached_from_a_report_but_those_of_the_next_parts():
    """And none that is reached is still on the list of those that are not."""
    assert unreached() == LATER


def test_the_walk_knows_what_is_called_and_what_is_not():
    """A function that a report calls by name, one that only another statistic calls, and one that
    nothing calls.
    """
    found = reached()
    assert ("mean", "mean_estimate") in used_in_reports()
    assert ("tango", "tango_interval") in found - used_in_reports()
    assert ("exact", "signed_ranks") not in found
    assert Path(PACKAGE / "stats").is_dir() and len(stats.__all__) > 80
