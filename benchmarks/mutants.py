"""Mutation testing: changes the code in small ways, one at a time, and sees whether a test fails.

    python benchmarks/mutants.py                    every module of mutant_groups.py
    python benchmarks/mutants.py stats/means/mean         these alone
    python benchmarks/mutants.py --at-most 100      of each module a random choice
    python benchmarks/mutants.py --numbers-alone    numbers, comparisons, signs, and/or: no calls
    python benchmarks/mutants.py --again --seconds 60   those that survived, with longer tests

The choice is the same each time, of one --seed. mutmut makes the changes to what stands in
functions and leaves constants of modules alone; this script halves and doubles those, and makes a
small whole number one less and one more.
mutant_runner.py runs them all.
What a run has found lies in build/mutants, so that a run that was stopped goes on where it was;
build/mutants/MODULE.diff holds the changes that no test saw. The table of benchmarks/mutants.md is
what the script prints.
"""

import argparse
import ast
import difflib
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutant_groups import GROUPS, MODULES, ROOT
from mutant_runner import KILLED, NO_TESTS, SURVIVED, TIMEOUT
from mutmut.mutation.file_mutation import mutate_file_contents

WORK = ROOT / "build" / "mutants"
Function = ast.FunctionDef | ast.AsyncFunctionDef
NUMBERS, STOPS = "numbers", "stops"  # what mutant_prints.py says of a mutant
COPIED = ("templates", "notebooks", "tests", "benchmarks", "docs", "README.md", "pyproject.toml")
SEED = 20240919
SMALL = 30  # whole numbers of constants up to it: one less and one more says most
MARKS = "not slow and not latex and not browser"
# Tests that take seconds where each mutant has milliseconds; others test the same functions. The
# runner leaves out what takes long by its own clock as well.
LONG = (
    "test_agreement_is_covered",
    "test_all_true_ranks",
    "test_any_three_models",
    "test_awkward_covariances",
    "test_laws",
    "test_memory_stays_small",
    "test_modified_wilson",
    "test_render_imports_nothing_heavy",
    "test_two_hundred_models",
)
NOT_LONG = " and ".join(f"not {name}" for name in LONG)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--at-most", type=int, default=0, help="mutants of each module")
    parser.add_argument("--skip", type=int, default=0, help="the first of these: an earlier choice")
    parser.add_argument("--seed", type=int, default=SEED, help="of another random choice")
    parser.add_argument("--tests", nargs="+", help="in the place of those of the group")
    parser.add_argument("--again", action="store_true", help="run what survived once more")
    parser.add_argument("--printed", action="store_true", help="of these what mutant_prints.py saw")
    parser.add_argument("--seconds", type=float, default=3.0, help="of tests for each mutant")
    parser.add_argument("--numbers-alone", action="store_true", help="of functions: no calls")
    parser.add_argument("--no-constants", action="store_true", help="leave out constants")
    parser.add_argument("--constants-alone", action="store_true", help="leave out all else")
    options = parser.parse_args()
    unknown = [module for module in options.modules if module not in MODULES]
    if unknown:
        parser.error(f"no module of GROUPS: {', '.join(unknown)}")
    os.chdir(ROOT)  # mutmut reads its configuration where it is
    for name, group in GROUPS.items():
        modules = [m for m in group.modules if m in (options.modules or MODULES)]
        if modules:
            run(name, [mutants_of(module) for module in modules], options)
    print(table())


@dataclass(frozen=True, slots=True)
class Mutants:
    """The mutants of a module: its text with all of them, those to run and those left out."""

    module: str
    text: str
    names: list[str]
    words: list[str]
    constants: list["Constant"]


def run(group: str, modules: list[Mutants], options: argparse.Namespace) -> None:
    """Run the mutants of modules of one group, and keep what came of them."""
    left: list[list[str]] = []
    changed: list[dict[str, Any]] = []
    folder = WORK / "project"
    for mutants in modules:
        held = outcomes(mutants.module)
        if options.again:
            seen = printed_otherwise(mutants.module) if options.printed else held
            held = {n: one for n, one in held.items() if one["status"] == KILLED or n not in seen}
        write(mutants, held)
        names = of_numbers(mutants) if options.numbers_alone else mutants.names
        wanted = choice(names, options)
        if not options.constants_alone:
            left += [[n, str(results_of(mutants.module))] for n in wanted if n not in held]
        if not options.no_constants:
            changed += [asked(c, mutants) for c in mutants.constants if c.name not in held]
    if left or changed:
        prepared(folder)
        limits = {"at_most": options.seconds, "longest": options.seconds / 3.0}
        tests = options.tests or GROUPS[group].tests
        plan = {"mutants": left, "constants": changed, **limits}
        tried(folder, group, modules, plan, tests)
    for mutants in modules:
        (WORK / f"{stem(mutants.module)}.diff").write_text(diffs(mutants))
        print(row(results_of(mutants.module)), flush=True)


def asked(constant: "Constant", mutants: Mutants) -> dict[str, Any]:
    return {
        "name": constant.name,
        "module": dotted(mutants.module),
        "text": constant.text,
        "place": constant.place,
        "out": str(results_of(mutants.module)),
    }


def dotted(module: str) -> str:
    return f"reportkit.{stem(module)}".removesuffix(".__init__")


def mutants_of(module: str) -> Mutants:
    """The mutants of the module as it is; they are kept, as making them takes seconds."""
    kept = WORK / f"{stem(module)}.made.json"
    if kept.exists():
        made = json.loads(kept.read_text())
        if made.pop("source") == digest(module):
            constants = [Constant(**one) for one in made.pop("constants")]
            return Mutants(**made, constants=constants)
    mutants = made_mutants(module)
    WORK.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"source": digest(module), **asdict(mutants)}))
    return mutants


def made_mutants(module: str) -> Mutants:
    source = (ROOT / source_of(module)).read_text(encoding="utf-8")
    mutated = mutate_file_contents(str(source_of(module)), source)
    functions = functions_in(mutated.code)
    names, words = [], []
    for name in mutated.mutant_names:
        if words_alone(functions[original_of(name)], functions[name]):
            words.append(f"{dotted(module)}.{name}")
        else:
            names.append(f"{dotted(module)}.{name}")
    return Mutants(module, mutated.code, names, words, constant_mutants(module, source))


def original_of(name: str) -> str:
    return name.rpartition("__mutmut_")[0] + "__mutmut_orig"


def functions_in(text: str) -> dict[str, Function]:
    """The functions of a module by their names, those that are waited for too."""
    return {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, Function)}


def words_alone(before: ast.AST, after: ast.AST) -> bool:
    """Whether two functions differ in a sentence alone, or in what an error says of itself."""
    where = difference(before, after, ())
    if not where:  # 1e300 + 1 is 1e300
        return True
    one, other = where[-1]
    if any(isinstance(node, ast.Raise) for node, _ in where[:-1]):
        return True
    if not isinstance(one, ast.Constant) or not isinstance(one.value, str):
        return False
    return " " in one.value.strip() and isinstance(other, ast.Constant)


def of_numbers(mutants: Mutants) -> list[str]:
    """The mutants with another number, comparison, sign, or and/or/not, in the place of one."""
    functions = functions_in(mutants.text)
    found = []
    for name in mutants.names:
        mutant = name.rpartition(".")[2]
        where = difference(functions[original_of(mutant)], functions[mutant], ())
        if where and numeric(*where[-1]):
            found.append(name)
    return found


def numeric(one: Any, other: Any) -> bool:
    if isinstance(one, ast.cmpop | ast.operator | ast.boolop | ast.unaryop | ast.UnaryOp):
        return True
    pair = [node.value for node in (one, other) if isinstance(node, ast.Constant)]
    return [type(value) in (int, float) for value in pair] == [True, True]


Pair = tuple[Any, Any]


def difference(one: Any, other: Any, above: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """The nodes down to the place where two trees differ, as pairs; () where they do not."""
    here = (*above, (one, other))
    if type(one) is not type(other):
        return here
    if isinstance(one, list):
        if len(one) != len(other):
            return above
        return first(difference(a, b, above) for a, b in zip(one, other, strict=True))
    if not isinstance(one, ast.AST):
        return () if one == other else above
    pairs = [(getattr(one, f, None), getattr(other, f, None)) for f in one._fields]
    if isinstance(one, Function):
        pairs = [(one.args, other.args), (one.body, other.body)]
    return first(difference(a, b, here) for a, b in pairs)


def first(found: Any) -> tuple[Pair, ...]:
    return next((one for one in found if one), ())


def choice(names: list[str], options: argparse.Namespace) -> list[str]:
    """As many of them at random, without the first of these; more of them hold the fewer."""
    if not options.at_most:
        return names
    order = {name: place for place, name in enumerate(names)}
    shuffled = random.Random(options.seed).sample(names, len(names))
    return sorted(shuffled[options.skip : options.at_most], key=lambda name: order[name])


def stem(module: str) -> str:
    return module.replace("/", ".")


def source_of(module: str) -> Path:
    return Path("reportkit") / f"{module}.py"


def results_of(module: str) -> Path:
    return WORK / f"{stem(module)}.jsonl"


def outcomes(module: str) -> dict[str, dict[str, Any]]:
    """What is known of the mutants of the module as it is; nothing if it has changed since."""
    if not results_of(module).exists():
        return {}
    lines = [json.loads(line) for line in results_of(module).read_text().splitlines()]
    if not lines or lines[0]["source"] != digest(module):
        return {}
    return {line["name"]: line for line in lines[1:]}


def prints_of(module: str) -> Path:
    return WORK / f"{stem(module)}.prints.jsonl"


def printed_otherwise(module: str) -> set[str]:
    """The mutants that change a number that is printed, or stop a report, by mutant_prints.py."""
    if not prints_of(module).exists():
        return set()
    lines = [json.loads(line) for line in prints_of(module).read_text().splitlines()]
    return {line["name"] for line in lines if line["status"] in (NUMBERS, STOPS)}


def digest(module: str) -> str:
    return hashlib.sha256((ROOT / source_of(module)).read_bytes()).hexdigest()


def write(mutants: Mutants, held: dict[str, dict[str, Any]]) -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    head = {
        "source": digest(mutants.module),
        "module": mutants.module,
        "made": len(mutants.names) + len(mutants.words),
        "words": len(mutants.words),
        "constants": len(mutants.constants),
    }
    lines = [head, *held.values()]
    results = results_of(mutants.module)
    results.write_text("".join(json.dumps(line) + "\n" for line in lines))


def tried(
    folder: Path,
    group: str,
    modules: list[Mutants],
    what: dict[str, Any],
    tests: Sequence[str],
) -> None:
    """Run mutants in a copy of the project; what comes of them joins the results."""
    for mutants in modules:
        (folder / source_of(mutants.module)).write_text(mutants.text, encoding="utf-8")
    plan = {
        **what,
        "seen": str(WORK / f"{group}.seconds.json"),
        "arguments": [
            *("-q", "-p", "no:cacheprovider", f"--basetemp={folder / 'tmp'}"),
            *("--tb=no", "--assert=plain"),  # telling why a test fails takes longer than the test
            *("-m", MARKS, "-k", NOT_LONG),
            *tests,
            *(str(source_of(mutants.module)) for mutants in modules),
        ],
    }
    (folder / "plan.json").write_text(json.dumps(plan))
    runner = Path(__file__).with_name("mutant_runner.py")
    command = [sys.executable, "-B", str(runner), "plan.json"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    with (WORK / f"{group}.log").open("w") as log:
        subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=log, check=False)


def prepared(folder: Path) -> None:
    """A copy of the project, in which modules will hold their mutants."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    skipped = shutil.ignore_patterns("__pycache__", "*.pyc")
    for part in ("reportkit", *COPIED):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=skipped)
        else:
            shutil.copy(ROOT / part, folder / part)


@dataclass(frozen=True, slots=True)
class Constant:
    """A module's text with another number in one of its constants, the line and the statement."""

    name: str
    line: str
    place: int
    text: str


def constant_mutants(module: str, text: str) -> list[Constant]:
    """Each number in a constant of the module halved and doubled, or one less and one more."""
    lines = text.splitlines(keepends=True)
    mutants = []
    for number, (statement, node) in enumerate(numbers_of(text), 1):
        place = node.lineno - 1
        for how, value in others(node.value).items():
            line = (
                lines[place][: node.col_offset] + repr(value) + lines[place][node.end_col_offset :]
            )
            changed = "".join([*lines[:place], line, *lines[place + 1 :]])
            mutants.append(Constant(f"constant {number} {how}", line.strip(), statement, changed))
    return mutants


def numbers_of(text: str) -> list[tuple[int, ast.Constant]]:
    """The numbers in constants of a module, each with the place of its statement."""
    found = []
    for place, statement in enumerate(ast.parse(text).body):
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                found.append((place, node))
    return found


def others(value: float) -> dict[str, float]:
    if isinstance(value, int) and value <= SMALL:
        return {"less": value - 1, "more": value + 1}
    if isinstance(value, int):
        return {"half": value // 2, "double": value * 2}
    if value == 0:
        return {"double": 1}
    return {"half": value / 2.0, "double": value * 2.0}


def diffs(mutants: Mutants) -> str:
    """What no test saw, as changes of lines."""
    constants = {constant.name: constant.line for constant in mutants.constants}
    change = changes(mutants)
    parts = []
    for name, one in outcomes(mutants.module).items():
        if one["status"] == KILLED:
            continue
        head = f"# {name}: {one['status']}"
        if name in constants:
            parts.append(f"{head}\n+{constants[name]}\n")
        else:
            parts.append("\n".join([head, *change(name), ""]))
    return "\n".join(parts)


def changes(mutants: Mutants) -> Callable[[str], list[str]]:
    """The lines that a mutant has otherwise, by its name."""
    lines = mutants.text.splitlines()
    functions = functions_in(mutants.text)

    def change(name: str) -> list[str]:
        mutant = functions[name.rpartition(".")[2]]
        before = functions[original_of(mutant.name)]
        texts = [lines[f.lineno : f.end_lineno] for f in (before, mutant)]
        return list(difflib.unified_diff(*texts, n=1, lineterm=""))[2:]

    return change


HEAD = ("module", "mutants", "words", "run", "killed", "survived", "not reached", "timeout")


def table() -> str:
    """All modules that have been run, as a table of Markdown."""
    files = [results_of(module) for module in MODULES]
    rows = [row(file) for file in files if file.exists()]
    head = "| " + " | ".join((*HEAD, "constants killed")) + " |"
    return "\n".join([head, "| --- |" + " ---: |" * len(HEAD), *rows])


def row(results: Path) -> str:
    head, *known = (json.loads(line) for line in results.read_text().splitlines())
    statuses = [one["status"] for one in known if not one["name"].startswith("constant ")]
    changed = [one["status"] for one in known if one["name"].startswith("constant ")]
    counts = [statuses.count(status) for status in (KILLED, SURVIVED, NO_TESTS, TIMEOUT)]
    constants = f"{changed.count(KILLED)} of {len(changed)}"
    cells = (head["module"], head["made"], head["words"], len(statuses), *counts, constants)
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    main()
