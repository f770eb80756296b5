"""Mutation testing: changes the code in small ways, one at a time, and sees whether a test fails.

    python benchmarks/mutants.py                    every module of mutant_groups.py
    python benchmarks/mutants.py stats/mean         these alone
    python benchmarks/mutants.py --at-most 100      of each module a random choice

The choice is the same each time. mutmut changes what stands in functions. It leaves constants of
modules alone; this script halves and doubles those. build/mutants/MODULE.diff holds the changes
that no test saw. The table of benchmarks/mutants.md is what the script prints.
"""

import argparse
import ast
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from mutant_groups import GROUPS, MODULES, ROOT
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code

WORK = ROOT / "build" / "mutants"
BIN = Path(sys.executable).parent
COPIED = ("templates", "notebooks", "tests", "benchmarks", "docs", "README.md")
SEED = 20240919
MARKS = "not slow and not latex and not browser"
# Tests that take seconds where each mutant has milliseconds; others test the same functions.
LONG = (
    "test_adding_a_constant",
    "test_agreement_is_covered",
    "test_all_true_ranks",
    "test_any_three_models",
    "test_awkward_covariances",
    "test_copies_inside",
    "test_epochs_are_the_best",
    "test_intervals_grow",
    "test_intervals_hold_together",
    "test_intervals_of_shares_hold",
    "test_laws",
    "test_markdown_tables_read_back_through_pandoc",
    "test_memory_stays_small",
    "test_modified_wilson",
    "test_names_of_clusters",
    "test_order_of_questions",
    "test_render_imports_nothing_heavy",
    "test_singletons_equal",
    "test_swapping_the_models_of_a_report",
    "test_two_hundred_models",
)
NOT_LONG = " and ".join(f"not {name}" for name in LONG)


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
    parser.add_argument("--minutes", type=float, help="that mutmut may take for each group")
    options = parser.parse_args()
    unknown = [module for module in options.modules if module not in MODULES]
    if unknown:
        parser.error(f"no module of GROUPS: {', '.join(unknown)}")
    for name, group in GROUPS.items():
        chosen = [m for m in group.modules if m in (options.modules or MODULES)]
        if chosen:
            run(name, chosen, options.at_most, options.minutes)
    print(table())


def run(name: str, modules: list[str], at_most: int, minutes: float | None) -> None:
    """Run the mutants of modules of one group, and keep what came of them."""
    folder = prepared(name, modules)
    names = {module: mutants_of(folder, module) for module in modules}
    chosen = {module: choice(names[module], at_most) for module in modules}
    run_mutmut(folder, [mutant for module in modules for mutant in chosen[module]], minutes)
    for module in modules:
        result = counted(folder, GROUPS[name].tests, module, len(names[module]), chosen[module])
        (WORK / f"{stem(module)}.json").write_text(json.dumps(asdict(result)))
        print(row(result), flush=True)


def choice(names: list[str], at_most: int) -> list[str]:
    if at_most and len(names) > at_most:
        return sorted(random.Random(SEED).sample(names, at_most))
    return names


def counted(
    folder: Path, tests: tuple[str, ...], module: str, number: int, chosen: list[str]
) -> Count:
    statuses = {name: status for name, status in statuses_of(folder, module) if name in chosen}
    survivors = [name for name, status in statuses.items() if status == "survived"]
    diffs = [f"# {n}\n{get_diff_for_mutant(n, path=source_of(module))}" for n in survivors]
    constants = constant_mutants(module)
    unseen = [mutant for mutant in constants if not constant_is_killed(folder, tests, mutant)]
    diffs += [f"# constant of {module}\n+{mutant.line}\n" for mutant in unseen]
    (WORK / f"{stem(module)}.diff").write_text("\n".join(diffs))
    held = list(statuses.values())
    return Count(
        module=module,
        mutants=number,
        run=len(held) - held.count("not checked"),
        killed=held.count("killed"),
        survived=len(survivors),
        not_reached=held.count("no tests"),
        timeout=held.count("timeout"),
        constants=len(constants),
        constants_killed=len(constants) - len(unseen),
    )


def stem(module: str) -> str:
    return module.replace("/", ".")


def source_of(module: str) -> Path:
    return Path("reportkit") / f"{module}.py"


def prepared(name: str, modules: list[str]) -> Path:
    """A folder that mutmut takes for the project, with a configuration for some modules."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in ("reportkit", *COPIED):
        (folder / part).symlink_to(ROOT / part)
    settings = {
        "source_paths": ["reportkit"],
        "only_mutate": [str(source_of(module)) for module in modules],
        "also_copy": list(COPIED),
        "pytest_add_cli_args": ["-m", MARKS, "-k", NOT_LONG],
        "pytest_add_cli_args_test_selection": list(GROUPS[name].tests),
        "use_git_change_detection": False,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(project + "\n[tool.mutmut]\n" + "\n".join(lines) + "\n")
    return folder


def mutants_of(folder: Path, module: str) -> list[str]:
    path = source_of(module)
    os.chdir(folder)  # mutmut reads the configuration where it is
    mutated = mutate_file_contents(str(path), (ROOT / path).read_text())
    dotted = f"reportkit.{stem(module)}".removesuffix(".__init__")
    return [f"{dotted}.{name}" for name in mutated.mutant_names]


def run_mutmut(folder: Path, names: list[str], minutes: float | None) -> None:
    """Run these mutants, those of quick tests first; what is not done in time is not counted."""
    command = [str(BIN / "mutmut"), "run", "--max-children", "1", *names]
    seconds = None if minutes is None else 60.0 * minutes
    log = folder / "mutmut.log"
    with log.open("w") as out, contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            command, cwd=folder, env=clean(), stdout=out, stderr=out, timeout=seconds, check=False
        )
    if "Running mutation testing" not in log.read_text():
        sys.exit(f"mutmut did not run; {log} says why.")


def clean() -> dict[str, str]:
    """The environment without a path that would import the code as it is."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def statuses_of(folder: Path, module: str) -> list[tuple[str, str]]:
    meta = json.loads((folder / "mutants" / f"{source_of(module)}.meta").read_text())
    return [(name, status_by_exit_code[code]) for name, code in meta["exit_code_by_key"].items()]


@dataclass(frozen=True, slots=True)
class Constant:
    """A module's text with another number in one of its constants, and the line of that."""

    module: str
    line: str
    text: str


def constant_mutants(module: str) -> list[Constant]:
    """Each number in a constant of the module halved, and doubled."""
    text = (ROOT / source_of(module)).read_text()
    lines = text.splitlines(keepends=True)
    mutants = []
    for node in numbers_of(text):
        place = node.lineno - 1
        for value in others(node.value):
            line = (
                lines[place][: node.col_offset] + repr(value) + lines[place][node.end_col_offset :]
            )
            changed = "".join([*lines[:place], line, *lines[place + 1 :]])
            mutants.append(Constant(module, line.strip(), changed))
    return mutants


def numbers_of(text: str) -> list[ast.Constant]:
    found = []
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                found.append(node)
    return found


def others(value: float) -> list[float]:
    if value == 0:
        return [1]
    if isinstance(value, int):
        return [value // 2, value * 2]
    return [value / 2.0, value * 2.0]


def constant_is_killed(folder: Path, tests: tuple[str, ...], mutant: Constant) -> bool:
    """Whether a test fails on a copy of the code with another constant."""
    place = folder / "constants"
    if not place.exists():
        place.mkdir()
        shutil.copytree(ROOT / "reportkit", place / "reportkit")
        for name in (*COPIED, "pyproject.toml"):
            (place / name).symlink_to(ROOT / name)
    path = place / source_of(mutant.module)
    path.write_text(mutant.text)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-m", MARKS, "-k", NOT_LONG, *tests]
    environment = {**clean(), "PYTHONPATH": str(place)}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    shutil.copy(ROOT / source_of(mutant.module), path)
    return done.returncode == 1


def table() -> str:
    """All modules that have been run, as a table of Markdown."""
    head = (
        "| module | mutants | run | killed | survived | not reached | timeout | constants killed |"
    )
    files = [WORK / f"{stem(module)}.json" for module in MODULES]
    counts = [Count(**json.loads(file.read_text())) for file in files if file.exists()]
    return "\n".join([head, "| --- |" + " ---: |" * 7, *map(row, counts)])


def row(c: Count) -> str:
    constants = f"{c.constants_killed} of {c.constants}"
    cells = (c.module, c.mutants, c.run, c.killed, c.survived, c.not_reached, c.timeout, constants)
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    main()
