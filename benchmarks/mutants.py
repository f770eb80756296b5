"""Mutation testing: changes the code in small ways, one at a time, and sees whether a test fails.

    python benchmarks/mutants.py                    every module of MODULES
    python benchmarks/mutants.py stats/mean         these alone
    python benchmarks/mutants.py --at-most 100      of each module a random choice

The choice is the same each time. mutmut changes what stands in functions. It leaves constants of
modules alone; this script halves and doubles those. Each module has its own folder in
build/mutants, where survivors.diff lists the changes that no test
saw are listed in survivors.diff. The table of benchmarks/mutants.md is what the script prints.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutants"
BIN = Path(sys.executable).parent
COPIED = ("templates", "notebooks", "tests", "docs", "README.md")
SEED = 20240919
MARKS = "not slow and not latex and not browser"

WORKED = "tests/stats/test_worked_numbers.py"
EDGES = "tests/stats/test_edges.py"
ROUNDING = "tests/stats/test_rounding_and_duality.py"
INTERVALS = "tests/stats/test_intervals.py"
SOFTWARE = "tests/reference/test_statsmodels.py"
PUBLISHED = "tests/reference/test_published.py"
TABLES = ("tests/tables/test_means.py", "tests/tables/test_differences.py")

# The tests of each module that are quick and that it answers for: a mutant runs those of them that
# reach its function, until one fails.
MODULES = {
    "stats/multiplicity": ("tests/stats/test_multiplicity.py", WORKED, SOFTWARE),
    "stats/mean": (WORKED, EDGES, ROUNDING, SOFTWARE, PUBLISHED),
    "stats/intervals": (WORKED, EDGES, INTERVALS),
    "stats/mean_intervals": (WORKED, EDGES, ROUNDING, INTERVALS, SOFTWARE),
    "stats/tango": (WORKED, EDGES, ROUNDING, SOFTWARE),
    "stats/power": (WORKED, EDGES, "tests/stats/test_power.py", SOFTWARE),
    "stats/components": (WORKED, EDGES, "tests/stats/test_components.py"),
    "stats/paired": (WORKED, EDGES, ROUNDING, INTERVALS, SOFTWARE),
    "stats/ranks": ("tests/stats/test_ranks.py",),
    "analysis/comparisons": ("tests/analysis", EDGES, *TABLES, "tests/tables/test_power.py"),
    "analysis/means": ("tests/analysis", EDGES, *TABLES, "tests/tables/test_power.py"),
    "analysis/answer_noise": ("tests/analysis", "tests/tables/test_power.py"),
    "analysis/ranks": ("tests/analysis",),
    "analysis/warnings": ("tests/analysis", "tests/tables"),
    "tables/power": ("tests/tables/test_power.py",),
    "tables/means": TABLES,
    "tables/differences": TABLES,
    "tables/cells": (*TABLES, "tests/tables/test_several.py"),
    "text/numbers": ("tests/text/test_numbers.py", *TABLES, "tests/tables/test_power.py"),
}

# Tests that take seconds each, and that no mutant needs: others test the same functions.
LONG = (
    "test_all_true_ranks",
    "test_two_hundred_models",
    "test_agreement_is_covered",
    "test_any_three_models",
)


@dataclass(frozen=True, slots=True)
class Count:
    """What became of the mutants of a module; not_reached: no test runs their function."""

    module: str
    mutants: int
    run: int
    killed: int
    survived: int
    not_reached: int
    timeout: int
    constants: int
    constants_killed: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--at-most", type=int, default=0, help="mutants of each module")
    options = parser.parse_args()
    unknown = [module for module in options.modules if module not in MODULES]
    if unknown:
        parser.error(f"no module of MODULES: {', '.join(unknown)}")
    for module in options.modules or MODULES:
        result = count(module, options.at_most)
        (folder_of(module) / "count.json").write_text(json.dumps(asdict(result)))
        print(row(result), flush=True)
    print(table())


def count(module: str, at_most: int) -> Count:
    folder = prepared(module)
    names = mutants_of(module)
    if at_most and len(names) > at_most:
        chosen = sorted(random.Random(SEED).sample(names, at_most))
    else:
        chosen = names
    run_mutmut(folder, chosen)
    statuses = {name: status for name, status in statuses_of(folder, module) if name in chosen}
    survivors = [name for name, status in statuses.items() if status == "survived"]
    diffs = [shown(folder, name) for name in survivors]
    constants = constant_mutants(module)
    unseen = [text for text in constants if not constant_is_killed(folder, module, text)]
    diffs += [f"# constant of {module}\n+{line}\n" for line, _ in unseen]
    (folder / "survivors.diff").write_text("\n".join(diffs))
    held = list(statuses.values())
    return Count(
        module=module,
        mutants=len(names),
        run=len(chosen),
        killed=held.count("killed"),
        survived=len(survivors),
        not_reached=held.count("no tests"),
        timeout=held.count("timeout"),
        constants=len(constants),
        constants_killed=len(constants) - len(unseen),
    )


def folder_of(module: str) -> Path:
    return WORK / module.replace("/", ".")


def source_of(module: str) -> Path:
    return Path("reportkit") / f"{module}.py"


def prepared(module: str) -> Path:
    """A folder that mutmut takes for the project, with a configuration for one module."""
    folder = folder_of(module)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("reportkit", *COPIED):
        (folder / name).symlink_to(ROOT / name)
    arguments = ["-m", MARKS, "-k", " and ".join(f"not {name}" for name in LONG)]
    settings = {
        "source_paths": ["reportkit"],
        "only_mutate": [str(source_of(module))],
        "also_copy": list(COPIED),
        "pytest_add_cli_args": arguments,
        "pytest_add_cli_args_test_selection": list(MODULES[module]),
        "use_git_change_detection": False,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(project + "\n[tool.mutmut]\n" + "\n".join(lines) + "\n")
    return folder


def mutants_of(module: str) -> list[str]:
    path = source_of(module)
    os.chdir(folder_of(module))  # mutmut reads the configuration where it is
    mutated = mutate_file_contents(str(path), (ROOT / path).read_text())
    package = f"reportkit.{module.replace('/', '.')}"
    return [f"{package}.{name}" for name in mutated.mutant_names]


def run_mutmut(folder: Path, names: list[str]) -> None:
    command = [str(BIN / "mutmut"), "run", "--max-children", "1", *names]
    log = folder / "mutmut.log"
    with log.open("w") as out:
        subprocess.run(command, cwd=folder, env=clean(), stdout=out, stderr=out, check=False)
    if "mutations/second" not in log.read_text():
        sys.exit(f"mutmut did not run; {log} says why.")


def clean() -> dict[str, str]:
    """The environment without a path that would import the code as it is."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def statuses_of(folder: Path, module: str) -> list[tuple[str, str]]:
    meta = json.loads((folder / "mutants" / f"{source_of(module)}.meta").read_text())
    return [(name, status_by_exit_code[code]) for name, code in meta["exit_code_by_key"].items()]


def shown(folder: Path, name: str) -> str:
    command = [str(BIN / "mutmut"), "show", name]
    return subprocess.run(
        command, cwd=folder, env=clean(), capture_output=True, text=True, check=True
    ).stdout


def constant_mutants(module: str) -> list[tuple[str, str]]:
    """The module's text with one number of one constant halved or doubled, after that line."""
    text = (ROOT / source_of(module)).read_text()
    lines = text.splitlines(keepends=True)
    found = []
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                found.append(node)
    mutants = []
    for node in found:
        before, line = lines[: node.lineno - 1], lines[node.lineno - 1]
        for value in others(node.value):
            changed = line[: node.col_offset] + repr(value) + line[node.end_col_offset :]
            mutants.append((changed.strip(), "".join([*before, changed, *lines[node.lineno :]])))
    return mutants


def others(value: float) -> list[float]:
    if value == 0:
        return [1]
    if isinstance(value, int):
        return [value // 2, value * 2]
    return [value / 2.0, value * 2.0]


def constant_is_killed(folder: Path, module: str, mutant: tuple[str, str]) -> bool:
    """Whether a test fails on a copy of the code with another constant."""
    place = folder / "constants"
    if not place.exists():
        place.mkdir()
        shutil.copytree(ROOT / "reportkit", place / "reportkit")
        for name in (*COPIED, "pyproject.toml"):
            (place / name).symlink_to(ROOT / name)
    path = place / source_of(module)
    path.write_text(mutant[1])
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", MARKS]
    command += ["-k", " and ".join(f"not {name}" for name in LONG), *MODULES[module]]
    environment = {**clean(), "PYTHONPATH": str(place)}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    shutil.copy(ROOT / source_of(module), path)
    return done.returncode == 1


def table() -> str:
    """All modules that have been run, as a table of Markdown."""
    head = (
        "| module | mutants | run | killed | survived | not reached | timeout | constants killed |"
    )
    files = [folder_of(module) / "count.json" for module in MODULES]
    counts = [Count(**json.loads(file.read_text())) for file in files if file.exists()]
    return "\n".join([head, "| --- |" + " ---: |" * 7, *map(row, counts)])


def row(c: Count) -> str:
    constants = f"{c.constants_killed} of {c.constants}"
    cells = (c.module, c.mutants, c.run, c.killed, c.survived, c.not_reached, c.timeout, constants)
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    main()
