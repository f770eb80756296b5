"""reportkit.toml: what is decided once for each eval, and the models' names. pydantic checks it;
the command line beats it.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_args

from reportkit.decisions import CHOICES, Options
from reportkit.errors import ReportkitError, ScoresError, did_you_mean
from reportkit.scores.rows import COLUMNS

NAME = "reportkit.toml"  # read where the command runs, if it is there
# what a column of a plain table can be said to be
MAPPED = (*COLUMNS, "category", "shots", "content_hash")


class ConfigError(ReportkitError, ValueError):
    """A configuration file that cannot be read, or a key or value that it cannot have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a command decides of scores: options of each eval (the key "": of every eval), names of
    models and of columns.

    sources, out, theme and baseline hold where the command line says nothing. file: where they come
    from, or "". said: the words of the command line that beat it.
    """

    options: Mapping[str, Options] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    # of an eval: its rows come from these alone
    logs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # a plain table's name to ours, as read_scores takes it
    columns: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    out: str = ""
    theme: str = ""
    baseline: str = ""
    file: str = ""
    said: tuple[str, ...] = ()

    def beaten_by(
        self,
        *,
        runs: str = "",
        match_on: str = "",
        metric: str = "",
        clusters: Mapping[str, str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> "Settings":
        """With what the command line says in the place of the file's word.

        >>> Settings({"MATH": Options(runs="first", errors="zero")}).beaten_by(runs="pool").options["MATH"].runs
        'pool'
        """
        said = {k: v for k, v in (("runs", runs), ("match_on", match_on)) if v}
        fields = clusters or {}

        def changed(name: str, o: Options) -> Options:
            dropped = {"metric": ""} if metric else {}  # the command chooses it among the rows
            dropped |= {"cluster": ""} if name in fields or "" in fields else {}
            return replace(o, **(said | dropped))  # type: ignore[arg-type]

        options = {"": Options()} | dict(self.options) if said else dict(self.options)
        words = [w for k, v in said.items() for w in (f"--{k.replace('_', '-')}", v)]
        words += [
            w for name, column in (columns or {}).items() for w in ("--columns", f"{name}={column}")
        ]
        ours = {name: column for column, name in self.columns.items()}
        return replace(
            self,
            said=(*self.said, *words),
            options={name: changed(name, o) for name, o in options.items()},
            columns=mapped_columns(ours | dict(columns or {}), "--columns"),
        )

    def unused(self, evals: Mapping[str, str], models: Iterable[str]) -> list[str]:
        """A sentence for each name of the file that fits no eval or model read: perhaps a slip,
        perhaps not read today.

        evals: each with the name that its logs give it.
        """
        known = list(dict.fromkeys([*evals.values(), *evals]))
        found = [f"{self.file}: [evals.{e!r}] fits none of the evals{did_you_mean(e, known)}"
                 for e in self.options if e and e not in known]  # fmt: skip
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

    model = _model()
    try:
        file = model.model_validate(told)
    except ValidationError as error:
        raise ConfigError(
            "\n".join(dict.fromkeys(f"{name}: {_sentence(e, model)}" for e in error.errors()))
        ) from None
    folder = Path(name).parent
    evals = {k: v.model_dump() for k, v in file.evals.items()}

    def placed(listed: str | list[str]) -> tuple[str, ...]:
        return tuple(
            s if "://" in s or folder == Path() else os.path.join(folder, s)
            for s in _listed(listed)
        )

    logs = {k: found for k, e in evals.items() if (found := placed(e.pop("logs")))}
    sources = dict.fromkeys([*placed(file.logs), *(s for found in logs.values() for s in found)])
    try:
        options = {k: Options(**v) for k, v in evals.items()}
    except ScoresError as error:
        raise ConfigError(f"{name}: {error}") from None
    for path in (file.out, *sources):
        if "\0" in path:
            raise ConfigError(f"{name}: {path!r} is no path: it holds a NUL character")
    out = os.path.join(folder, file.out) if file.out else ""
    columns = mapped_columns(file.columns, f"{name}: [columns]")
    return Settings(
        options,
        dict(file.models),
        logs,
        columns,
        tuple(sources),
        out,
        file.theme,
        file.baseline,
        name,
    )


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) and value else list(value)


def _model() -> Any:
    """The file's schema. pydantic takes a tenth of a second to load, which a command without a file
    need not pay.
    """
    from typing import Literal

    from pydantic import BaseModel, ConfigDict, Field, create_model

    from reportkit.decisions import Theme

    strict = ConfigDict(extra="forbid", strict=True)

    decided: dict[str, Any] = {f.name: (f.type, f.default) for f in fields(Options)}
    table: Any = create_model("EvalTable", __config__=strict, logs=(str | list[str], ""), **decided)

    class File(BaseModel):
        model_config = strict
        evals: dict[str, table] = Field(default_factory=dict)
        models: dict[str, str] = Field(default_factory=dict)
        columns: dict[str, str] = Field(default_factory=dict)
        logs: str | list[str] = ""
        out: str = ""
        theme: Theme | Literal[""] = ""
        baseline: str = ""

    return File


def _sentence(error: Mapping[str, Any], model: Any) -> str:
    """One violation: the key as TOML writes it, and what is allowed there."""
    where = [str(part) for part in error["loc"]]
    table = model if len(where) < 3 else model.model_fields["evals"].annotation.__args__[1]
    if error["type"] == "extra_forbidden":
        place = f" in [{_key(where[:-1])}]" if where[:-1] else ""
        return f"unknown key {where[-1]!r}{place}{did_you_mean(where[-1], table.model_fields)}"
    value = error["input"]
    where = where[
        : {"evals": 3, "models": 2, "columns": 2}.get(where[0], 1)
    ]  # of a list or a choice, pydantic tells the branch too
    # of two parts, the last is a name that the user gave
    key = where[-1] if len(where) != 2 else ""
    allowed = {k: tuple(filter(None, get_args(t))) for k, t in CHOICES.items()}
    if key == "theme":
        from reportkit.decisions import Theme

        allowed["theme"] = get_args(Theme)
    if key in allowed:
        listed, close = ", ".join(map(repr, allowed[key])), did_you_mean(str(value), allowed[key])
        return f"{_key(where)} = {value!r} is none of {listed}{close if '; did' in close else ''}"
    if where in (["evals"], ["models"], ["columns"]) or error["type"] in (
        "model_type",
        "dict_type",
    ):
        return f"[{_key(where)}] must be a table of keys and values, not {value!r}"
    listed = ", or a list of texts" if key == "logs" else ""
    return f"{_key(where)} = {value!r} must be a text in quotes{listed}"


def _key(parts: Sequence[str]) -> str:
    return ".".join(
        p if p.replace("_", "").replace("-", "").isalnum() and p.isascii() else f'"{p}"'
        for p in parts
    )
