"""What a report costs beside an empty notebook with the same imports: `python benchmarks/speed.py
[rounds]` prints a table.

All parts take turns in each round, each in processes of its own, and the lowest of the rounds
counts: of a clock on the wall, and of the processor time of all its processes. A further report is
the difference of two builds, divided by the reports that the larger one has more.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import IMPORTS, ROOT

FEW, MANY = 2, 8  # reports of the two builds
QUESTIONS = 200
BIN = Path(sys.executable).parent
ENV = os.environ | {
    "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", "")]),
    "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
}
# papermill in one process, notebook after notebook, as a scheduler's worker calls it
SEVERAL = """
import sys, papermill
from papermill.engines import papermill_engines
from reportkit.kernels.engine import ForkEngine
papermill_engines.register("reportkit", ForkEngine)  # as its entry point does
for k in range(int(sys.argv[2])):
    papermill.execute_notebook(
        sys.argv[1], f"out-{k}.ipynb", parameters={"out": f"report-{k}"},
        engine_name="reportkit", progress_bar=False,
    )
"""


@dataclass
class Part:
    """A command, and the lowest of what its runs took."""

    name: str
    command: Sequence[str]
    env: dict[str, str] = field(default_factory=dict)
    wall: float = float("inf")
    processor: float = float("inf")

    def run(self, folder: Path) -> None:
        for path in folder.glob("reports*"):
            shutil.rmtree(path)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(self.command, cwd=folder, env=ENV | self.env, capture_output=True)
        took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"{self.name}: {done.stderr.decode()}")
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.wall, self.processor = min(self.wall, took), min(self.processor, used)


def write_scores(path: Path, evals: int) -> None:
    """Three models that are right on one question, or wrong, by a rule without chance."""
    rows = [
        f"eval-{e},{model},q{k},{int((k * 7 + e + 3 * m * m) % 10 < 6 + m % 2)}"
        for e in range(evals)
        for m, model in enumerate(("Galleon", "Dreadnought", "Sloop"))
        for k in range(QUESTIONS)
    ]
    path.write_text("\n".join(["eval,model,question_id,score", *rows]) + "\n")


def prepared(folder: Path) -> dict[str, Part]:
    """The parts, with the files that they read."""
    template = ROOT / "notebooks" / "template.ipynb"
    empty = json.loads(template.read_text(encoding="utf-8"))
    empty["cells"] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
         "source": IMPORTS, "id": "c"}
    ]  # fmt: skip
    (folder / "empty.ipynb").write_text(json.dumps(empty), encoding="utf-8")
    (folder / "several.py").write_text(SEVERAL)
    papermill, reportkit = str(BIN / "papermill"), [sys.executable, "-m", "reportkit", "build"]
    parts = {
        "empty": Part("papermill of an empty notebook", [papermill, "empty.ipynb", "out.ipynb"]),
        "bare": Part("papermill of the template",
                     [papermill, str(template), "out.ipynb", "-p", "out", "reports"]),
    }  # fmt: skip
    for n in (FEW, MANY):
        write_scores(folder / f"{n}.csv", n)
        build = [*reportkit, f"{n}.csv"]
        parts[f"build {n}"] = Part(f"a build of {n}, and their suite", build)
        parts[f"plain {n}"] = Part(f"a build of {n}, and their suite, no kernel forked", build,
                                   {"REPORTKIT_FORK": "0"})  # fmt: skip
        parts[f"engine {n}"] = Part(
            f"papermill's engine, {n} in one process",
            [sys.executable, "several.py", str(template), str(n)],
        )
    return parts


def main(rounds: int = 5) -> None:
    with tempfile.TemporaryDirectory() as name:
        parts = prepared(Path(name))
        for _ in range(rounds):
            for part in parts.values():
                part.run(Path(name))
    one = parts["empty"]
    print("| What | Seconds | Beside the empty notebook | Processor | Beside it |")
    print("| --- | ---: | ---: | ---: | ---: |")

    def row(name: str, wall: float, processor: float) -> None:
        print(f"| {name} | {wall:.2f} | {wall / one.wall:.2f} | {processor:.2f} "
              f"| {processor / one.processor:.2f} |")  # fmt: skip

    for part in parts.values():
        row(part.name, part.wall, part.processor)
    for kind in ("build", "plain", "engine"):
        few, many = parts[f"{kind} {FEW}"], parts[f"{kind} {MANY}"]
        wall, used = many.wall - few.wall, many.processor - few.processor
        name = many.name.replace(f"a build of {MANY}", "a build").replace(f", {MANY}", ", more")
        row(f"each further report: {name}", wall / (MANY - FEW), used / (MANY - FEW))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
