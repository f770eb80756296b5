"""manifest.json: what a report was made from, with what, and the command that makes it again."""

import functools
import importlib.metadata
import os
import platform
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reportkit.decisions import SPECS, Decisions
from reportkit.decisions.words import words, words_of_several
from reportkit.documents import DEFAULT, FORMATS
from reportkit.facts import Source
from reportkit.inputs.sources import told_apart
from reportkit.report.parameters import NAMES, SUITE_NAMES
from reportkit.results import EvalResult
from reportkit.scores.in_memory import is_frame
from reportkit.version import __version__

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.scores.scores import Scores

FORMAT = "reportkit/manifest@1"
VERSIONS = (
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "matplotlib",
    "jinja2",
    "papermill",
    "nbconvert",
    "pypandoc-binary",
    "typst",
)


# Why the manifest names no command, where the scores were in memory.
IN_MEMORY = (
    "The scores were a DataFrame in memory, which no command can read. Write it to a file "
    "(frame.to_parquet) and build from that, and the command stands here."
)


def manifest(
    results: Sequence[EvalResult],
    parameters: Mapping[str, Any],
    command: str | None,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Inputs with hashes, who made the numbers, parameters, versions, seed and command: nothing
    that differs between two equal builds. results: of the report's evals. command: None where the
    scores were in memory. given: what `as_given` keeps, with the working tree where there is one.
    """
    return {
        "format": FORMAT,
        "inputs": [{"file": s.file, "sha256": s.sha256, "rows": s.rows} for s in sources(results)],
        "harnesses": _harnesses(results),
        "fictional": any(r.fictional for r in results),
        "parameters": dict(parameters),
        **_options(results),
        "seed": parameters["seed"],
        "versions": {
            "reportkit": __version__,
            "python": ".".join(platform.python_version_tuple()[:2]),
        }
        | _versions(),
        **({"tree": given["tree"]} if given.get("tree") else {}),
        "command": command,
        **({"no_command": IN_MEMORY} if command is None else {}),
    }


def sources(results: Sequence[EvalResult]) -> list[Source]:
    """The files of some evals, each once, by names that tell them apart; of a file that holds
    several evals, the rows of all.
    """
    if len(results) == 1:
        return list(results[0].sources)
    found: dict[str, Source] = {}
    for source in (s for r in results for s in r.sources):
        found.setdefault(source.path, source)
    names = told_apart(found)
    return [replace(s, file=names[path]) for path, s in found.items()]


def _harnesses(results: Sequence[EvalResult]) -> list[dict[str, Any]]:
    """Who made the numbers: each harness and version, with how many runs it made."""
    runs = Counter(maker for r in results for run in r.runs for maker in run.makers())
    return [
        {"harness": harness, "version": version, "runs": n}
        for (harness, version), n in sorted(runs.items())
    ]


def _options(results: Sequence[EvalResult]) -> dict[str, Any]:
    """What was decided of the scores; of several evals, under the name of each."""
    if len(results) == 1:
        return {"options": dict(results[0].options)} if results[0].options else {}
    of_each = {r.eval: dict(r.options) for r in results if r.options}
    return {"options": of_each} if of_each else {}


@functools.cache
def _versions() -> dict[str, str]:
    found = {}
    for name in VERSIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def as_given(
    sources: "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | pd.DataFrame | Scores",
    options: Sequence[str] = (),
    config: str = "",
) -> dict[str, Any]:
    """What the user's command said of its sources and options: words of a command line, without a
    path of the machine; of scores in memory what `in_memory` says.
    """
    if is_frame(sources):
        return in_memory()
    many = [sources] if isinstance(sources, str | os.PathLike) else sources
    told = [*options, *(["--config", _shown(config)] if config else [])]
    return {"sources": [_shown(os.fspath(s)) for s in many], "options": told}


def with_formats(given: Mapping[str, Any], formats: Collection[str]) -> dict[str, Any]:
    """What a command said (as_given), with the documents that it asks for where they are others
    than those that it makes unasked.

    >>> with_formats(as_given("a.csv"), ["docx", "md"])["options"]
    ['--formats', 'md,docx']
    >>> with_formats(as_given("a.csv"), ["pdf", "tex", "md", "html"])["options"]
    []
    """
    asked = tuple(name for name in FORMATS if name in formats)
    words = [] if asked == DEFAULT else ["--formats", ",".join(asked)]
    return {**given, "options": [*given["options"], *words]}


def in_memory() -> dict[str, Any]:
    """What `as_given` says of a DataFrame: nothing that a command could name."""
    return as_given([]) | {"in_memory": True}


def _shown(path: str) -> str:
    """A path as given; an absolute one from the current folder, or by its last name where it is
    elsewhere.
    """
    if "://" in path or not os.path.isabs(path):
        return path
    here = os.path.relpath(path)
    return here if here.split(os.sep)[0] != os.pardir else os.path.basename(os.path.normpath(path))


def build_command(
    eval: str, decisions: Decisions, said: Iterable[str], given: Mapping[str, Any]
) -> str | None:
    """The shell command that rebuilds the report, from the folder that the first one ran in: it
    takes every decision again. None where the scores were in memory.

    said: the decisions that the first one named. given: what `as_given` or `in_memory` keeps.
    """
    return _command(words(eval, decisions, said), given)


def suite_command(
    evals: Mapping[str, Decisions], decisions: Decisions, given: Mapping[str, Any]
) -> str | None:
    """The same for a report over several evals. evals: each with all that is decided for it.
    decisions: those of all evals.
    """
    return _command(words_of_several(evals, decisions), given)


def checked_command(given: Mapping[str, Any], said: Mapping[str, str]) -> str:
    """The shell command that checks a published table again; said: the options of the check."""
    pairs = [
        (name, word)
        for name, value in said.items()
        for word in (value.split(";") if name == "questions" else [value])
    ]
    options = [w for name, word in pairs for w in (f"--{name.replace('_', '-')}", word)]
    return shlex.join(["reportkit", "check-table", *given["sources"], *options, *given["options"]])


def _command(decided: Sequence[str], given: Mapping[str, Any]) -> str | None:
    if given.get("in_memory"):
        return None
    return shlex.join(["reportkit", "build", *given["sources"], *decided, *given["options"]])


def rerun_command(
    decisions: Decisions, said: Iterable[str], given: Mapping[str, Any], out: str
) -> str:
    """The shell command that builds a failed report again, into its folder; empty where the scores
    were in memory.
    """
    named = [name for name in said if name in SPECS]
    return build_command(str(decisions.eval), decisions, named, _into(given, out)) or ""


def rerun_suite_command(
    evals: Mapping[str, Decisions], decisions: Decisions, given: Mapping[str, Any], out: str
) -> str:
    """The same for a report over several evals, alone."""
    more = _into(given, out)
    if "--notebook" not in more["options"]:
        more["options"] = [*more["options"], "--notebook", "suite"]
    return suite_command(evals, decisions, more) or ""


def _into(given: Mapping[str, Any], out: str) -> dict[str, Any]:
    """What a command said, with the folder of its reports where that is not the usual one."""
    folder = ["--out", _shown(out)] if out != "reports" else []
    return {**given, "options": [*given["options"], *folder]}


def recorded_parameters(decisions: Decisions, result: EvalResult) -> dict[str, Any]:
    """The decisions of a report, and its files by names that tell them apart."""
    files = [s.file for s in result.sources]
    recorded = decisions.parameters() | {"eval": result.eval, "scores": _one(files)}
    return {name: recorded[name] for name in NAMES if name in recorded}


def suite_parameters(decisions: Decisions, results: Sequence[EvalResult]) -> dict[str, Any]:
    """The decisions of a report over several evals, and its files."""
    files = [s.file for s in sources(results)]
    evals = [r.eval for r in results]
    recorded = decisions.parameters() | {"evals": evals, "scores": _one(files)}
    return {name: recorded[name] for name in SUITE_NAMES if name in recorded}


def named(sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Any:
    """Sources by names that tell them apart: a report does not say where they lay."""
    many = [sources] if isinstance(sources, str | os.PathLike) else sources
    folders = [os.fspath(s).rstrip("/") for s in many]
    apart = told_apart(folders)
    return _one([apart[s] for s in folders])


def _one(names: list[str]) -> str | list[str]:
    """The only name there is, or all of them."""
    return names[0] if len(names) == 1 else names or ""
