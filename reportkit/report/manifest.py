"""manifest.json: what a report was made from, with what, and the command that makes it again."""

import importlib.metadata
import os
import platform
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reportkit import __version__
from reportkit.inputs.sources import told_apart
from reportkit.results import EvalResult

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


def manifest(
    result: EvalResult, parameters: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Inputs with hashes, parameters, versions, seed and command: nothing that differs between two
    equal builds.

    given: of the command, what `as_given` keeps.
    """
    return {
        "format": FORMAT,
        "inputs": [
            {"file": s["file"], "sha256": s["sha256"], "rows": s["rows"]} for s in result.sources
        ],
        "fictional": result.fictional,
        "parameters": dict(parameters),
        **({"options": dict(result.options)} if result.options else {}),
        "seed": parameters.get("seed", 0),
        "versions": {
            "reportkit": __version__,
            "python": ".".join(platform.python_version_tuple()[:2]),
        }
        | _versions(),
        "command": command(result, parameters, given),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in VERSIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def as_given(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    options: Sequence[str] = (),
    config: str = "",
) -> dict[str, list[str]]:
    """What the user's command said of its sources and options: words of a command line, without a
    path of the machine.
    """
    many = [sources] if isinstance(sources, str | os.PathLike) else sources
    told = [*options, *(["--config", _shown(config)] if config else [])]
    return {"sources": [_shown(os.fspath(s)) for s in many], "options": told}


def _shown(path: str) -> str:
    """A path as given; an absolute one from the current folder, or by its last name where it is
    elsewhere.
    """
    if "://" in path or not os.path.isabs(path):
        return path
    here = os.path.relpath(path)
    return here if here.split(os.sep)[0] != os.pardir else os.path.basename(os.path.normpath(path))


def command(result: EvalResult, parameters: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The shell command that rebuilds the report, from the folder that the first one ran in."""
    words = ["reportkit", "build", *given["sources"], "--eval", result.eval]
    if parameters.get("models"):
        words += ["--models", ",".join(result.models)]
    for option in ("baseline", "metric"):
        if parameters.get(option):
            words += [f"--{option}", str(parameters[option])]
    if parameters.get("cluster"):
        words += ["--cluster", f"{result.eval}={parameters['cluster']}"]
    words += given["options"]
    if parameters.get("theme", "error-bars") != "error-bars":
        words += ["--theme", str(parameters["theme"])]
    if parameters.get("certificate"):
        words.append("--certificate")
    return shlex.join(words)


def recorded_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that decide what a report says: not where it lies, and files by name."""
    kept = {k: v for k, v in parameters.items() if k != "out"}
    sources = kept.get("scores") or ""
    many = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    folders = [os.fspath(s).rstrip("/") for s in many]
    apart = told_apart(folders)
    named = [apart[s] for s in folders]
    kept["scores"] = named[0] if len(named) == 1 else named
    return kept
