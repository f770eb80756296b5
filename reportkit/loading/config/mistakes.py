"""Every mistake of a reportkit.toml, with its line and the closest thing that is allowed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from reportkit.decisions import DEFAULTS, SPECS, Decisions
from reportkit.errors import ScoresError, did_you_mean
from reportkit.inputs.layouts import LayoutError, layout_of
from reportkit.loading.config.keys import (
    LAYOUTS,
    PLACES,
    TABLES,
    ConfigError,
    file_model,
    mapped_columns,
)
from reportkit.loading.config.lines import line_of, lines_of

Mistake = tuple[Sequence[Any], str]  # the path of a key, and what is wrong with it


def check_file(name: str, told: Mapping[str, Any], text: str) -> None:
    """ConfigError with a line for each mistake of a file. told: what its text says."""
    found = mistakes(told)
    if not found:
        return
    lines = lines_of(text)
    placed = sorted(((line_of(where, lines), why) for where, why in found), key=lambda m: m[0])
    raise ConfigError(
        "\n".join(f"{name}:{line}: {why}" if line else f"{name}: {why}" for line, why in placed)
    )


def mistakes(told: Mapping[str, Any]) -> list[Mistake]:
    """Every mistake of a file: the path of the key, and a sentence."""
    from pydantic import ValidationError

    keys = dict(told)
    wanted = None if isinstance(keys.get("models"), dict) else keys.pop("models", "")
    found: list[Mistake] = list(_wrong_layouts(keys))
    keys.pop(LAYOUTS, None)
    if wanted is not None and not _is_names(wanted):
        found.append((("models",), _not_a_table("models", wanted)))
    model = file_model()
    try:
        model.model_validate(keys)
    except ValidationError as error:
        told_once = {_sentence(e, model, keys): e["loc"] for e in reversed(error.errors())}
        found += [(where, why) for why, where in reversed(told_once.items())]
    wrong = {tuple(map(str, where[:n])) for where, _ in found for n in (1, 3)}
    if ("columns",) not in wrong:
        found += _wrong_columns(keys.get("columns", {}))
    for where, value in _values(keys):
        if where in wrong or where[:1] in wrong and len(where) == 1:
            continue
        found += _wrong_value(where, value)
    return found


def _wrong_layouts(keys: Mapping[str, Any]) -> Iterable[Mistake]:
    """Mistakes of [[layouts]], the first of each table."""
    told = keys.get(LAYOUTS, [])
    if not isinstance(told, list) or not all(isinstance(t, dict) for t in told):
        yield (LAYOUTS,), "layouts are written as [[layouts]], each with its keys below"
        return
    for number, table in enumerate(told):
        try:
            mapped_columns(layout_of(table).columns, "columns of [[layouts]]")
        except (ConfigError, LayoutError) as error:
            yield (LAYOUTS, number), f"[[layouts]]: {error}"


def _wrong_columns(columns: Mapping[str, str]) -> Iterable[Mistake]:
    """Mistakes of the mapping of columns: in each line by itself, then in all together."""
    alone = False
    for ours, theirs in columns.items():
        try:
            mapped_columns({ours: theirs}, "[columns]")
        except ConfigError as error:
            alone = True
            yield ("columns", ours), str(error)
    if not alone:
        try:
            mapped_columns(columns, "[columns]")
        except ConfigError as error:
            yield ("columns",), str(error)


def _values(keys: Mapping[str, Any]) -> Iterable[tuple[tuple[str, ...], Any]]:
    """The paths and values of decisions and places, of all evals and of each."""
    for key, value in keys.items():
        if key != "evals":
            yield (key,), value
    evals = keys.get("evals")
    for eval, own in evals.items() if isinstance(evals, dict) else ():
        for key, value in own.items() if isinstance(own, dict) else ():
            yield ("evals", eval, key), value


def _wrong_value(where: tuple[str, ...], value: Any) -> list[Mistake]:
    """What a value of the right type is not allowed to be."""
    key = where[-1]
    if key in PLACES:
        many = [value] if isinstance(value, str) else value
        return [(where, f"{path!r} is no path: it holds a NUL character")
                for path in many if "\0" in path]  # fmt: skip
    if key not in SPECS:
        return []
    try:
        if len(where) == 1:
            Decisions(**{key: value})
        else:
            Decisions(evals={where[1]: {key: value}})
    except ScoresError as error:
        return [(where, str(error))]
    return []


def _is_names(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    )


def _sentence(error: Mapping[str, Any], model: Any, told: Mapping[str, Any]) -> str:
    """One violation: the key as TOML writes it, and what is allowed there. told: the file."""
    where = [str(part) for part in error["loc"]]
    table = model if len(where) < 3 else model.model_fields["evals"].annotation.__args__[1]
    if error["type"] == "extra_forbidden":
        place = f" in [{_key(where[:-1])}]" if where[:-1] else ""
        return f"unknown key {where[-1]!r}{place}{did_you_mean(where[-1], table.model_fields)}"
    value = error["input"]
    # of a list or a choice, pydantic tells the branch too
    where = where[: 3 if where[0] == "evals" else 1 + (where[0] in (*TABLES, "aliases"))]
    # of two parts, the last is a name that the user gave
    key = where[-1] if len(where) != 2 else ""
    choices = SPECS[key].choices if key in SPECS else ()
    if key in SPECS and SPECS[key].file is not None:  # of a list, pydantic tells the entry
        for part in where[: 3 if where[0] == "evals" else 1]:
            told = told[part]
        return f"{_key(where)} = {told!r} must be {_allowed(key)}"
    if choices:
        listed, close = ", ".join(map(repr, choices)), did_you_mean(str(value), choices)
        return f"{_key(where)} = {value!r} is none of {listed}{close if '; did' in close else ''}"
    if where == ["evals"] or where[0] in TABLES and len(where) == 1:
        return _not_a_table(where[0], value)
    if error["type"] in ("model_type", "dict_type"):
        return _not_a_table(_key(where), value)
    if key == "eval" and isinstance(value, dict):
        meant = _key(["evals", *map(str, value)][:2])
        return f"[eval] names evals, and is no table; did you mean [{meant}]?"
    return f"{_key(where)} = {value!r} must be {_allowed(key)}"


def _not_a_table(key: str, value: Any) -> str:
    return f"[{key}] must be a table of keys and values, not {value!r}"


def _allowed(key: str) -> str:
    default = DEFAULTS.get(key, "")
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, int | float):
        return "a number"
    if key in SPECS and float in get_args(SPECS[key].file):
        return "a number"
    if key == "prices":
        return "a table of models, each with input and output, or MODEL:INPUT,OUTPUT in quotes"
    if key == "published":
        return "a table of models and scores, or MODEL:SCORE in quotes"
    if key in SPECS and int in get_args(SPECS[key].file):
        return "a whole number"
    if key in SPECS and SPECS[key].file is not None:
        return f"written as {SPECS[key].metavar} in quotes, or as a list [{SPECS[key].metavar}]"
    several = key in PLACES and key != "out" or key in SPECS and SPECS[key].names
    return f"a text in quotes{', or a list of texts' if several else ''}"


def _key(parts: Sequence[str]) -> str:
    return ".".join(
        p if p.replace("_", "").replace("-", "").isalnum() and p.isascii() else f'"{p}"'
        for p in parts
    )
