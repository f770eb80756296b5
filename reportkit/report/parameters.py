"""The parameters of a notebook: the decisions, the scores and the folder."""

from collections.abc import Mapping
from typing import Any

from reportkit.decisions import DEFAULTS, SPECS, TOGETHER
from reportkit.plans import QUESTIONS, Asked

EXAMPLE = "MATH"  # the eval of the demonstration that the notebook shows where none is named
# What a notebook takes beside the decisions, or in a meaning of its own.
_SCORES = ("", "file, folder, glob or URL of scores or logs; empty: the demonstration")
_OWN = {
    "eval": (EXAMPLE, "the eval to report on"),
    "scores": _SCORES,
    "out": ("", "folder of the report; empty: reports/<eval>"),
}
_OF_SUITE = {
    "evals": ("", "the evals to report on, in this order, between commas; empty: all"),
    "scores": _SCORES,
    "out": ("", "folder of the report; empty: reports/suite"),
}
_OF_PLANNING = {
    "scores": ("", "file, folder, glob or URL of a pilot's scores or logs; empty: no pilot"),
    "eval": ("", "the eval of the pilot, where its scores hold several"),
    "models": ("", "the two models of the pilot that are compared; empty: the two best"),
    "out": ("", "folder of the report; empty: reports/planning"),
}
_FIRST = ("eval", "models", "baseline", "scores")  # and `out` last


def _named(first: tuple[str, ...], but: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*first, *(name for name in SPECS if name not in (*_FIRST, *but)), "out")


def _defaults(names: tuple[str, ...], own: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    return {name: own[name][0] if name in own else DEFAULTS[name] for name in names}


NAMES = _named(_FIRST, but=TOGETHER)
PARAMETERS = _defaults(NAMES, _OWN)
SUITE_NAMES = _named(("evals", *_FIRST[1:]))
SUITE_PARAMETERS = _defaults(SUITE_NAMES, _OF_SUITE)
# Of a pilot: what decides which of its scores count.
PILOT = tuple(name for name, s in SPECS.items() if s.stage == "scores" and name != "baseline")
PLANNING_PARAMETERS: dict[str, Any] = {
    **Asked().parameters(),
    "scores": "",
    **{name: DEFAULTS[name] for name in PILOT},
    "theme": DEFAULTS["theme"],
    "out": "",
}


def planning_parameters_cell() -> str:
    """The same of the notebook that plans an eval.

    >>> planning_parameters_cell().splitlines()[0].split("  #")[0]
    'difference: float = 0.03'
    """
    own = dict(_OF_PLANNING)
    for name, q in QUESTIONS.items():
        meaning = q.meaning[0].lower() + q.meaning[1:].rstrip(".")
        if q.choices:
            meaning += f" ({', '.join(q.choices)})"
        if q.otherwise:
            meaning += f"; empty: {q.otherwise}"
        own[name] = ("", meaning)
    return _cell(PLANNING_PARAMETERS, own)


_OF_CHECK = {
    "table": ("", "the file of the table: Markdown, CSV, TOML, LaTeX or HTML"),
    "level": (0.95, "level of the conclusions, and of intervals that do not say theirs"),
    "correlations": ("0.3,0.7", "the range of correlations for a paired analysis"),
    "eval": ("", "the eval, where the table names none; empty: as the table says"),
    "scale": ("", "percent, share, none, or the ends such as 1,10; empty: as the table says"),
    "scores": ("", "of one question (binary, fractional); empty: not known"),
    "errors": ("", "the standard errors (naive, clustered); empty: as the table says"),
    "questions": ("", "EVAL=NUMBER where the table prints none, between semicolons; empty: none"),
    "plus_minus": ("", "what stands after ± (se, interval); empty: as the numbers tell"),
    "decimal": ("", "what parts decimals (point, comma); empty: point"),
    "baseline": ("", "the model that all others are compared with; empty: every pair"),
    "out": ("", "folder of the report; empty: reports/<file>"),
}
CHECK_PARAMETERS = {name: default for name, (default, _) in _OF_CHECK.items()}


def check_parameters_cell() -> str:
    """The same of the notebook on a published table.

    >>> check_parameters_cell().splitlines()[0]
    'table: str = ""  # the file of the table: Markdown, CSV, TOML, LaTeX or HTML'
    """
    return _cell(CHECK_PARAMETERS, _OF_CHECK)


def parameters_cell() -> str:
    """The source of the notebook's parameters cell: `papermill --help-notebook` reads types and
    meanings from it.

    >>> parameters_cell().splitlines()[6]
    'better: str = ""  # which scores are better (higher, lower); empty: as the logs say'
    """
    return _cell(PARAMETERS, _OWN)


def suite_parameters_cell() -> str:
    """The same of the notebook over several evals.

    >>> suite_parameters_cell().splitlines()[0]
    'evals: str = ""  # the evals to report on, in this order, between commas; empty: all'
    """
    return _cell(SUITE_PARAMETERS, _OF_SUITE)


def _cell(parameters: Mapping[str, Any], own: Mapping[str, tuple[Any, str]]) -> str:
    lines = []
    for name, default in parameters.items():
        value = f'"{default}"' if isinstance(default, str) else repr(default)
        meaning = own[name][1] if name in own else _meaning(name)
        lines.append(f"{name}: {type(default).__name__} = {value}  # {meaning}")
    return "\n".join(lines)


def _meaning(name: str) -> str:
    spec = SPECS[name]
    meaning = spec.meaning[0].lower() + spec.meaning[1:].rstrip(".")
    if spec.names:
        meaning += ", between commas"
    if spec.choices:
        meaning += f" ({', '.join(spec.choices)})"
    return f"{meaning}; empty: {spec.otherwise}" if spec.otherwise else meaning
