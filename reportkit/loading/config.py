"""reportkit.toml: what is decided once, for all evals or for each, and the models' names. pydantic
checks it; the command line beats it.
"""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from reportkit.decisions import DEFAULTS, PER_EVAL, SPECS, Decisions
from reportkit.errors import ReportkitError, ScoresError, did_you_mean
from reportkit.scores.rows import COLUMNS, ZEROED

NAME = "reportkit.toml"  # read where the command runs, if it is there
# what a column of a plain table can be said to be
MAPPED = (*COLUMNS, ZEROED, "category", "shots", "content_hash")
# Keys beside the decisions, each a text or a list of texts, with what they mean.
PLACES = {
    "logs": "Files, folders, globs or URLs, read where the command names no scores. Paths are seen "
    "from this file.",
    "out": "The folder of the reports.",
}
TABLES = {
    "models": "Names of models in the logs, and the names that the report gives them.",
    "columns": "Columns of the scores table, and what plain tables call them.",
}


class ConfigError(ReportkitError, ValueError):
    """A configuration file that cannot be read, or a key or value that it cannot have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file says, or a file and the command line: decisions, and what the scores need beside
    them.

    aliases: models' names in the logs, and those of the report. logs: of an eval, its rows come
    from these alone. columns: a plain table's name and ours, as read_scores takes it. sources, out:
    where the command line names none. file: where they come from, or "". said: words of the command
    line about columns.
    """

    decisions: Decisions = field(default_factory=Decisions)
    aliases: Mapping[str, str] = field(default_factory=dict)
    logs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    out: str = ""
    file: str = ""
    said: tuple[str, ...] = ()

    def with_columns(self, columns: Mapping[str, str]) -> "Settings":
        """With the columns that the command line names, ours first, before those of the file."""
        words = [w for name, theirs in columns.items() for w in ("--columns", f"{name}={theirs}")]
        ours = {name: theirs for theirs, name in self.columns.items()}
        return replace(
            self,
            said=(*self.said, *words),
            columns=mapped_columns(ours | dict(columns), "--columns"),
        )

    def unused(self, evals: Mapping[str, str], models: Iterable[str]) -> list[str]:
        """A sentence for each name of the file that fits no eval or model read: perhaps a slip,
        perhaps not read today.

        evals: the name of each eval, and its name in the logs.
        """
        known = list(dict.fromkeys([*evals.values(), *evals]))
        found = [f"{self.file}: [evals.{e!r}] fits none of the evals{did_you_mean(e, known)}"
                 for e in self.decisions.evals if e not in known]  # fmt: skip
        names = list(dict.fromkeys(models))
        return found + [
            f"{self.file}: [models] names {raw!r}, which no file has{did_you_mean(raw, names)}"
            for raw, name in self.aliases.items()
            if name not in names
        ]


def mapped_columns(named: Mapping[str, str], where: str) -> dict[str, str]:
    """Our names and a table's, as read_scores takes them: the table's first. ConfigError for what
    is no name of ours.

    >>> mapped_columns({"question_id": "prompt_id"}, "--columns")
    {'prompt_id': 'question_id'}
    """
    for name, column in named.items():
        if name not in MAPPED:
            turned = (
                f"; did you mean {column} = {name}?"
                if column in MAPPED
                else did_you_mean(name, MAPPED)
            )
            raise ConfigError(f"{where}: {name!r} is no column of the scores table{turned}")
    for column in named.values():
        same = [n for n, c in named.items() if c == column]
        if len(same) > 1:
            raise ConfigError(
                f"{where}: column {column!r} cannot be both {same[0]!r} and {same[1]!r}; name one"
            )
    return {column: name for name, column in named.items()}


def load(path: str | os.PathLike[str] = "") -> Settings:
    """The settings of a file; of reportkit.toml in the current folder where none is named, and none
    where there is none.

    Raises ConfigError: file, key, and what is allowed.
    """
    if not path and not Path(NAME).is_file():
        return Settings()
    name = os.fspath(path) or NAME
    try:
        told = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{name}: cannot be read: {error.strerror}; give another with --config"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{name}: byte {error.start} is not UTF-8 text, as TOML must be"
        ) from None
    except RecursionError:
        raise ConfigError(f"{name}: nested too deeply to be read") from None
    except ValueError as error:  # a number of thousands of digits is one that is no TOMLDecodeError
        raise ConfigError(f"{name}: not TOML: {error}") from None
    return _settings(told, name)


def _settings(told: Mapping[str, Any], name: str) -> Settings:
    from pydantic import ValidationError

    keys = dict(told)
    # [models] is a table of names; models = [...] says which of them to report on
    wanted = {} if isinstance(keys.get("models"), dict) else {"models": keys.pop("models", "")}
    if wanted and not _is_names(wanted["models"]):
        raise ConfigError(f"{name}: {_not_a_table('models', wanted['models'])}")
    model = _model()
    try:
        file = model.model_validate(keys)
    except ValidationError as error:
        raise ConfigError(
            "\n".join(dict.fromkeys(f"{name}: {_sentence(e, model, keys)}" for e in error.errors()))
        ) from None
    given = file.model_dump(exclude_unset=True)
    evals = given.pop("evals", {})
    places = {e: _placed(name, own.pop("logs", "")) for e, own in evals.items()}
    logs = {e: found for e, found in places.items() if found}
    aliases = given.pop("models", {}) | given.pop("aliases", {})
    columns = mapped_columns(given.pop("columns", {}), f"{name}: [columns]")
    sources = _placed(name, given.pop("logs", ""))
    sources = tuple(dict.fromkeys([*sources, *(s for found in logs.values() for s in found)]))
    out = "".join(_placed(name, given.pop("out", "")))
    for path in (out, *sources):
        if "\0" in path:
            raise ConfigError(f"{name}: {path!r} is no path: it holds a NUL character")
    try:
        decisions = Decisions(**given, **wanted, evals=evals)
    except ScoresError as error:
        raise ConfigError(f"{name}: {error}") from None
    return Settings(decisions, aliases, logs, columns, sources, out, name)


def _placed(file: str, listed: str | list[str]) -> tuple[str, ...]:
    """Paths as seen from where the command runs; the file names them as seen from itself."""
    folder = Path(file).parent
    many = [listed] if isinstance(listed, str) and listed else list(listed)
    return tuple(
        path if "://" in path or folder == Path() else os.path.join(folder, path) for path in many
    )


def _is_names(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(v, str) for v in value)
    )


def _model() -> Any:
    """The file's schema, made from the decisions. pydantic takes a tenth of a second to load, which
    a command without a file need not pay.
    """
    from pydantic import ConfigDict, Field, create_model

    strict = ConfigDict(extra="forbid", strict=True)

    def place(key: str) -> Any:
        return str | list[str], Field("", description=PLACES[key])

    def table(key: str) -> Any:
        return dict[str, str], Field(default_factory=dict, description=TABLES[key])

    of_all: dict[str, Any] = {name: _key_of(name) for name in SPECS if name != "models"}
    of_eval: dict[str, Any] = {name: _key_of(name) for name in PER_EVAL}
    own: Any = create_model("Eval", __config__=strict, **of_eval, logs=place("logs"))
    evals: Any = Field(default_factory=dict, description="What is decided for single evals.")
    return create_model(
        "File",
        __config__=strict,
        **of_all,
        logs=place("logs"),
        out=(str, Field("", description=PLACES["out"])),
        evals=(dict[str, own], evals),
        models=table("models"),
        aliases=table("models"),
        columns=table("columns"),
    )


def _key_of(name: str) -> tuple[Any, Any]:
    """Type and default of a decision's key, as pydantic takes them."""
    from typing import Literal

    from pydantic import Field

    spec, default = SPECS[name], DEFAULTS[name]
    kind: Any = type(default)
    if spec.choices and spec.names:
        one: Any = Literal[spec.choices]
        kind = str | list[one]
    elif spec.choices:
        kind = Literal[tuple(dict.fromkeys((*spec.choices, default)))]
    elif spec.file is not None:
        kind = spec.file
    elif spec.names:
        kind = str | list[str]
    return kind, Field(default, description=spec.meaning)


def file_schema() -> dict[str, Any]:
    """JSON Schema of reportkit.toml: editors complete and check the file with it."""
    schema = _model().model_json_schema() | {"title": NAME}
    names = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    chosen = names | {"description": SPECS["models"].meaning}
    properties = schema["properties"]
    properties["models"] = {"anyOf": [properties["models"], chosen]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


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


if __name__ == "__main__":
    print(json.dumps(file_schema(), indent=1))
