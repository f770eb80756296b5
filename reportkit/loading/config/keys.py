"""The keys of reportkit.toml, made from the decisions, and its JSON Schema: `make schemas` writes
it.
"""

import json
from collections.abc import Mapping
from typing import Any

from reportkit.decisions import DEFAULTS, PER_EVAL, SPECS
from reportkit.errors import ReportkitError, did_you_mean
from reportkit.inputs.layouts import ACROSS, DECIMALS, KEYS, captures, is_constant
from reportkit.scores.columns import COLUMNS, ZEROED

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
LAYOUTS = "layouts"  # a list of tables, each with the keys of inputs.layouts


FURTHER = "metadata."  # how names of further fields of a question begin


class ConfigError(ReportkitError, ValueError):
    """A configuration file that cannot be read, or a key or value that it cannot have."""


def mapped_columns(named: Mapping[str, str], where: str) -> dict[str, str]:
    """Our names and a table's, as read_scores takes them: the table's first. ConfigError for what
    is no name of ours.

    >>> mapped_columns({"question_id": "prompt_id"}, "--columns")
    {'prompt_id': 'question_id'}
    """
    for name, column in named.items():
        if name not in MAPPED and not name.startswith(FURTHER):
            turned = (
                f"; did you mean {column} = {name}?"
                if column in MAPPED
                else did_you_mean(name, MAPPED)
            )
            raise ConfigError(f"{where}: {name!r} is no column of the scores table{turned}")
    for column in named.values():
        same = [n for n, c in named.items() if c == column and not (captures(c) or is_constant(c))]
        if len(same) > 1:
            raise ConfigError(
                f"{where}: column {column!r} cannot be both {same[0]!r} and {same[1]!r}; name one"
            )
    return {column: name for name, column in named.items()}


def file_model() -> Any:
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
    layout: Any = create_model("Layout", __config__=strict, **_layout_keys())
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
        layouts=(list[layout], Field(default_factory=list, description=LAYOUTS_MEANING)),
    )


LAYOUTS_MEANING = "How plain tables are laid out: the first whose files fit is a table's layout."


def _layout_keys() -> dict[str, Any]:
    """Types and meanings of the keys of [[layouts]]."""
    from typing import Literal

    from pydantic import Field

    texts, pairs = str | list[str], dict[str, str]
    kinds: dict[str, tuple[Any, Any]] = {
        "files": (texts, ""),
        "wide": (texts, ""),
        "columns": (pairs, {}),
        "words": (dict[str, float | str], {}),
        "statuses": (dict[str, str], {}),
        "percent": (bool, False),
        "across": (Literal[ACROSS], "model"),
        "decimal": (Literal[DECIMALS], "."),
    }
    return {
        key: (kind, Field(default, description=meaning))
        for key, meaning in KEYS.items()
        for kind, default in [kinds.get(key, (str, ""))]
    }


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
    schema = file_model().model_json_schema() | {"title": NAME}
    names = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    chosen = names | {"description": SPECS["models"].meaning}
    properties = schema["properties"]
    properties["models"] = {"anyOf": [properties["models"], chosen]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


def schema_text() -> str:
    """The schema as the file that ships."""
    return json.dumps(file_schema(), indent=1)
