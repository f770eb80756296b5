"""Of the changes that no test saw, which ones change what is printed.

    python benchmarks/mutant_prints.py              of every module that mutants.py has run
    python benchmarks/mutant_prints.py stats/means/mean

Small made-up evals, suites, plans and published tables are analysed and printed as they are, and
then once with each mutant in a process of its own: those parts alone that reach its function,
quickest first, until a number differs. Numbers count as they are printed, and raw ones to six
digits. build/mutants/MODULE.prints.jsonl holds what came of each mutant, MODULE.prints.diff the
changes of numbers; mutants.py --again --printed asks longer tests of these.
"""

import argparse
import difflib
import functools
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mutant_groups import MODULES, ROOT
from mutant_runner import KILLED, in_child
from mutants import (
    NUMBERS,
    STOPS,
    WORK,
    changes,
    mutants_of,
    outcomes,
    prepared,
    prints_of,
    source_of,
    stem,
)

SAME, WORDS = "prints the same", "words"
NOT_PRINTED = "not reached"  # by any part of the corpus
SECONDS = 1.5  # of all parts for one mutant
LINES = 6  # of a difference that are kept
NUMBER = re.compile(r"\d[\d,.]*|\N{EM DASH}|\*\*")

Corpus = dict[str, Callable[[], str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="all that have been run by default")
    options = parser.parse_args()
    os.chdir(ROOT)
    unseen = {module: unseen_of(module) for module in options.modules or MODULES}
    unseen = {module: names for module, names in unseen.items() if names}
    folder = WORK / "printed"
    prepared(folder)
    for module in unseen:
        (folder / source_of(module)).write_text(mutants_of(module).text, encoding="utf-8")
    (folder / "plan.json").write_text(json.dumps(unseen))
    here = Path(__file__).parent
    paths = [str(folder), str(folder / "tests"), str(here)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    code = "import mutant_prints; mutant_prints.run()"
    subprocess.run([sys.executable, "-B", "-c", code], cwd=folder, env=environment, check=True)
    for module in unseen:
        print(told(module), flush=True)


def unseen_of(module: str) -> list[str]:
    """The names of the mutants that no test saw and that were not printed with yet."""
    done = {line["name"] for line in lines_of(prints_of(module))}
    found = outcomes(module).values()
    names = [one["name"] for one in found if one["status"] != KILLED]
    return [n for n in names if n not in done and not n.startswith("constant ")]


def lines_of(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def told(module: str) -> str:
    """A line of counts; the changes of numbers go to a file."""
    found = lines_of(prints_of(module))
    change = changes(mutants_of(module))
    parts = []
    for one in found:
        if one["status"] in (NUMBERS, STOPS):
            head = f"# {one['name']}: {one['status']}, {one['by']}"
            parts.append("\n".join([head, *change(one["name"]), *one["lines"]]))
    (WORK / f"{stem(module)}.prints.diff").write_text("\n\n".join(parts))
    counts = Counter(one["status"] for one in found)
    return f"{module}: " + ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))


def run() -> None:
    """In the folder with all mutants: what the corpus prints with each of them."""
    import mutmut.mutation.trampoline as trampoline
    from mutant_corpus import corpus

    parts = corpus()
    answer = in_child(lambda: as_it_is(parts))
    assert isinstance(answer, tuple), "the corpus cannot be printed as it is"
    texts, seconds, reached = answer
    for module, names in json.loads(Path("plan.json").read_text()).items():
        for name in names:
            function = name.rpartition("__mutmut_")[0]
            chosen = [p for p in sorted(seconds, key=seconds.get) if function in reached[p]]
            trampoline.set_mutant_under_test(name)
            printed = functools.partial(first_change, chosen, parts, texts, seconds)
            found = in_child(printed, 4 * SECONDS)
            trampoline.set_mutant_under_test("")
            if not isinstance(found, tuple):
                found = (STOPS, "", ["it ran out of time or died"])
            status, by, lines = found
            one = {"name": name, "status": status, "by": by, "lines": lines, "parts": len(chosen)}
            with prints_of(module).open("a") as out:
                print(json.dumps(one), file=out)


def as_it_is(parts: Corpus) -> tuple[dict[str, str], dict[str, float], dict[str, set[str]]]:
    """Of each part the text, the seconds and the functions that it reaches, kept answers aside."""
    import mutmut.mutation.trampoline as trampoline
    from mutant_runner import caches_of_ours

    texts, seconds, reached = {}, {}, {}
    hits: set[str] = set()
    trampoline.record_trampoline_hit = lambda name, caller=None: hits.add(name)
    for name, part in parts.items():
        trampoline.set_mutant_under_test("stats")
        for cache in caches_of_ours():
            cache.cache_clear()
        hits.clear()
        texts[name] = part()
        reached[name] = set(hits)
        trampoline.set_mutant_under_test("")
        started = time.process_time()
        assert part() == texts[name], f"{name} prints something else each time"
        seconds[name] = time.process_time() - started
    return texts, seconds, reached


def first_change(
    chosen: list[str], parts: Corpus, texts: dict[str, str], seconds: dict[str, float]
) -> tuple[str, str, list[str]]:
    """The first part that prints another number, else the first with other words."""
    worded: tuple[str, str, list[str]] | None = None
    used = 0.0
    for name in chosen:
        used += seconds[name]
        if used > SECONDS and name != chosen[0]:
            break
        try:
            text = parts[name]()
        except Exception as error:
            return STOPS, name, [f"{type(error).__name__}: {error}"[:200]]
        if text == texts[name]:
            continue
        if numbers_in(text) != numbers_in(texts[name]):
            return NUMBERS, name, changed(texts[name], text)
        worded = worded or (WORDS, name, changed(texts[name], text))
    return worded or (SAME if chosen else NOT_PRINTED, "", [])


def numbers_in(text: str) -> list[str]:
    return NUMBER.findall(text)


def changed(before: str, after: str) -> list[str]:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
    found = [line[:160] for line in lines[2:] if not line.startswith("@@")]
    return found[:LINES]


if __name__ == "__main__":
    main()
