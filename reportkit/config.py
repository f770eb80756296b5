"""reportkit.toml: what is decided once for each eval, and the models' names. pydantic checks it; the command line beats it."""

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from reportkit.errors import ReportkitError, ScoresError, did_you_mean
from reportkit.readers.policies import CHOICES, Better, Errors, MatchOn, Options, Reruns

NAME = "reportkit.toml"  # read where the command runs, if it is there


class ConfigError(ReportkitError, ValueError):
    """A configuration file that cannot be read, or a key or value that it cannot have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a command decides of scores: options of each eval (the key "": of every eval) and names of models.

    sources, out, theme and baseline hold where the command line says nothing. file: where they come from, or "".
    """

    options: Mapping[str, Options] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    out: str = ""
    theme: str = ""
    baseline: str = ""
    file: str = ""

    def beaten_by(
        self, *, runs: str = "", match_on: str = "", metric: str = "", clusters: Mapping[str, str] | None = None
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
        return replace(self, options={name: changed(name, o) for name, o in options.items()})

    def unused(self, evals: Mapping[str, str], models: Iterable[str]) -> list[str]:
        """A sentence for each name of the file that fits no eval or model read: perhaps a slip, perhaps not read today.

        evals: each with the name that its logs give it.
        """
        known = list(dict.fromkeys([*evals.values(), *evals]))
        found = [f"{self.file}: [evals.{e!r}] fits none of the evals{did_you_mean(e, known)}"
                 for e in self.options if e and e not in known]  # fmt: skip
        names = list(models)
        return found + [
            f"{self.file}: [models] names {raw!r}, which no file has{did_you_mean(raw, names)}"
            for raw, name in self.aliases.items()
            if name not in names
        ]


def load(path: str | os.PathLike[str] = "") -> Settings:
    """The settings of a file; of reportkit.toml in the current folder where none is named, and none where there is none.

    Raises ConfigError: file, key, and what is allowed.
    """
    if not path and not Path(NAME).is_file():
        return Settings()
    name = os.fspath(path) or NAME
    try:
        told = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}; give another with --config") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: byte {error.start} is not UTF-8 text, as TOML must be") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not TOML: {error}") from None
    return _settings(told, name)


def _settings(told: Mapping[str, Any], name: str) -> Settings:
    from pydantic import ValidationError

    model = _model()
    try:
        file = model.model_validate(told)
    except ValidationError as error:
        raise ConfigError("\n".join(dict.fromkeys(f"{name}: {_sentence(e, model)}" for e in error.errors()))) from None
    folder = Path(name).parent
    evals = {k: v.model_dump() for k, v in file.evals.items()}
    listed = [*_listed(file.logs), *(s for e in evals.values() for s in _listed(e.pop("logs")))]
    sources = dict.fromkeys(s if "://" in s else os.path.join(folder, s) for s in listed)
    try:
        options = {k: Options(**v) for k, v in evals.items()}
    except ScoresError as error:
        raise ConfigError(f"{name}: {error}") from None
    out = os.path.join(folder, file.out) if file.out else ""
    return Settings(options, dict(file.models), tuple(sources), out, file.theme, file.baseline, name)


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) and value else list(value)


def _model() -> Any:
    """The file's schema. pydantic takes a tenth of a second to load, which a command without a file need not pay."""
    from typing import Literal

    from pydantic import BaseModel, ConfigDict, Field

    from reportkit.table import Theme

    strict = ConfigDict(extra="forbid", strict=True)

    class EvalTable(BaseModel):
        model_config = strict
        metric: str = ""
        cluster: str = ""
        id: str = ""
        errors: Errors = ""
        better: Better = ""
        runs: Reruns = "ask"
        match_on: MatchOn = "id"
        category: str = ""
        logs: str | list[str] = ""

    class File(BaseModel):
        model_config = strict
        evals: dict[str, EvalTable] = Field(default_factory=dict)
        models: dict[str, str] = Field(default_factory=dict)
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
    where = where[: {"evals": 3, "models": 2}.get(where[0], 1)]  # of a list or a choice, pydantic tells the branch too
    key = where[-1] if where[0] != "models" and len(where) != 2 else ""
    allowed = {k: tuple(filter(None, get_args(t))) for k, t in CHOICES.items()}
    if key == "theme":
        from reportkit.table import Theme

        allowed["theme"] = get_args(Theme)
    if key in allowed:
        listed = ", ".join(map(repr, allowed[key]))
        return f"{_key(where)} = {value!r} is none of {listed}{did_you_mean(str(value), allowed[key])}"
    if where in (["evals"], ["models"]) or error["type"] in ("model_type", "dict_type"):
        return f"[{_key(where)}] must be a table of keys and values, not {value!r}"
    listed = ", or a list of texts" if key == "logs" else ""
    return f"{_key(where)} = {value!r} must be a text in quotes{listed}"


def _key(parts: Sequence[str]) -> str:
    return ".".join(p if p.replace("_", "").replace("-", "").isalnum() and p.isascii() else f'"{p}"' for p in parts)
