"""The manifest in sentences: how a report was made."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from reportkit.decisions import DEFAULTS
from reportkit.decisions.values import number_text
from reportkit.documents.prose import from_template
from reportkit.loading.published.options import CheckOptions
from reportkit.plans import Asked
from reportkit.text.numbers import counted, joined

# of the reports of a checked table and of a plan too
USUAL = {**asdict(Asked()), **asdict(CheckOptions()), **DEFAULTS}
NOTHING: tuple[Any, ...] = ("", [], {}, None)
FILES = 6  # that a document names
HELD = ("row", "mean", "difference", "average")  # what a file is counted by
HASH = 12  # hex digits of a file's hash that it prints; the manifest has all
CHANGED = {
    True: ", with changes that are not committed",
    False: ", without changes",
    None: "; whether it had changes is not known",
}


def how_made(manifest: Mapping[str, Any], warned: bool | None = None) -> str:
    """Who made the numbers, inputs, decisions, seed, versions and the working tree, as a list. The
    command stands below it, by itself. manifest: as report.manifest makes it. warned: whether
    there are warnings; None: they were not looked for.
    """
    inputs, decisions = manifest["inputs"], list(_decided(manifest))
    left = len(inputs) - FILES
    return from_template(
        "made.md.j2",
        published=manifest["parameters"].get("table", ""),
        fictional=manifest["fictional"],
        harnesses=[_harness(h) for h in manifest["harnesses"]],
        inputs=[_input(i) for i in inputs[:FILES]],
        more=counted(left, "further file") if left > 0 else "",
        decisions=decisions,
        rest=_rest(manifest, bool(decisions)),
        warned=warned,
        seed=manifest["seed"],
        versions=[(name.capitalize() if name == "python" else name, version)
                  for name, version in manifest["versions"].items()],
        tree=manifest.get("tree"),
        changed=CHANGED[manifest.get("tree", {}).get("changed")],
        command=manifest["command"],
        no_command=manifest.get("no_command", ""),
    )  # fmt: skip


def _harness(told: Mapping[str, Any]) -> str:
    name = " ".join(filter(None, [told["harness"], told["version"]]))
    return f"{name} ({counted(told['runs'], 'run')})"


def _input(told: Mapping[str, Any]) -> dict[str, str]:
    held = [counted(told[f"{kind}s"], kind) for kind in HELD if f"{kind}s" in told]
    return {**told, "rows": joined(held, "and"), "sha256": told["sha256"][:HASH]}


def _decided(manifest: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """The decisions other than the defaults, with those of single evals."""
    parameters = manifest["parameters"]
    if parameters.get("evals"):
        yield "evals", _text("evals", parameters["evals"])
    for name, value in parameters.items():
        if name in USUAL and value not in (USUAL[name], *NOTHING) and name != "seed":
            yield name, _text(name, value)
    for name, value in manifest.get("options", {}).items():
        if isinstance(value, Mapping):  # of a report over several evals
            yield from ((f"{k} of {name}", _text(k, v)) for k, v in value.items())
        elif name not in parameters or parameters[name] == DEFAULTS.get(name):
            yield name, _text(name, value)


def _rest(manifest: Mapping[str, Any], some: bool) -> str:
    """What is said of the decisions that are not listed."""
    if "evals" in manifest["parameters"] and manifest["command"]:
        return (
            "those of single evals, if any, are in the command below; all others are at their "
            "defaults"
        )
    return "all others at their defaults" if some else "all at their defaults"


def _text(name: str, value: Any) -> str:
    if name in ("prices", "published") and value:  # of models, as JSON
        return ", ".join(f"{model} ({_pairs(of)})" for model, of in json.loads(value).items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {v}" for k, v in value.items())
    return str(value).lower() if isinstance(value, bool) else number_text(value)


def _pairs(of: Mapping[str, Any]) -> str:
    """Such as "input 3, output 15". A semicolon parts decisions, and nothing within one."""
    told = ((k, f"{v:.15g}" if isinstance(v, float) else v) for k, v in of.items())
    return ", ".join(f"{name} {value}" for name, value in told if value != "")
