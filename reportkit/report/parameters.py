"""The parameters of a notebook: the decisions, the scores and the folder."""

from typing import Any

from reportkit.decisions import DEFAULTS, SPECS

EXAMPLE = "MATH"  # the eval of the demonstration that the notebook shows where none is named
# What a notebook takes beside the decisions, or in a meaning of its own.
_OWN = {
    "eval": (EXAMPLE, "the eval to report on"),
    "scores": ("", "file, folder, glob or URL of scores or logs; empty: the demonstration"),
    "out": ("", "folder of the report; empty: reports/<eval>"),
}
_FIRST = ("eval", "models", "baseline", "scores")  # and `out` last

NAMES = (*_FIRST, *(name for name in SPECS if name not in _FIRST), "out")
PARAMETERS: dict[str, Any] = {
    name: _OWN[name][0] if name in _OWN else DEFAULTS[name] for name in NAMES
}


def parameters_cell() -> str:
    """The source of the notebook's parameters cell: `papermill --help-notebook` reads types and
    meanings from it.

    >>> parameters_cell().splitlines()[6]
    'better: str = ""  # which scores are better (higher, lower); empty: as the logs say'
    """
    lines = []
    for name, default in PARAMETERS.items():
        value = f'"{default}"' if isinstance(default, str) else repr(default)
        lines.append(f"{name}: {type(default).__name__} = {value}  # {_meaning(name)}")
    return "\n".join(lines)


def _meaning(name: str) -> str:
    if name in _OWN:
        return _OWN[name][1]
    spec = SPECS[name]
    meaning = spec.meaning[0].lower() + spec.meaning[1:].rstrip(".")
    if spec.names:
        meaning += ", between commas"
    if spec.choices:
        meaning += f" ({', '.join(spec.choices)})"
    return f"{meaning}; empty: {spec.otherwise}" if spec.otherwise else meaning
