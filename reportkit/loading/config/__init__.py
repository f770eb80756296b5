"""reportkit.toml: what is decided once, for all evals or for each, and the models' names. pydantic
checks it; the command line beats it.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.decisions import Decisions
from reportkit.decisions.prices import prices_of
from reportkit.errors import did_you_mean
from reportkit.inputs.layouts import Layouts, layout_of, layout_of_words
from reportkit.loading.config.keys import NAME, ConfigError, file_model, mapped_columns
from reportkit.loading.config.mistakes import check_file

if TYPE_CHECKING:  # pandas comes with it, and a build with nothing to do needs none
    from reportkit.loading.reading import Reading


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file says, or a file and the command line: decisions, and what the scores need beside
    them.

    aliases: models' names in the logs, and those of the report. logs: of an eval, its rows come
    from these alone. layouts: how plain tables are laid out. sources, out: where the command line
    names none. file: where they come from, or "". said: words of the command line about tables.
    """

    decisions: Decisions = field(default_factory=Decisions)
    aliases: Mapping[str, str] = field(default_factory=dict)
    logs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layouts: Layouts = Layouts()
    sources: tuple[str, ...] = ()
    out: str = ""
    file: str = ""
    said: tuple[str, ...] = ()

    def with_layout(self, columns: Mapping[str, str], read: Sequence[str] = ()) -> "Settings":
        """With what the command line says of tables: the columns that it names, ours first, and
        KEY=VALUE as layouts.layout_of_words takes it. It beats the file.
        """
        words = [w for name, theirs in columns.items() for w in ("--columns", f"{name}={theirs}")]
        words += [w for one in read for w in ("--read", one)]
        over = replace(layout_of_words(read), columns=dict(columns))
        both = {**self.layouts.columns, **columns}
        mapped_columns(both, "--columns")
        layout_of({"columns": columns})
        return replace(
            self,
            said=(*self.said, *words),
            layouts=replace(self.layouts, columns=both, over=over),
        )

    def reading(self, decisions: Decisions, **told: Any) -> "Reading":
        """How sources are read under these settings. told: strict, and who hears what (Reading)."""
        from reportkit.loading.reading import Reading

        return Reading(
            decisions=decisions,
            aliases=self.aliases,
            layouts=self.layouts,
            logs=self.logs,
            **told,
        )

    def unused(
        self, evals: Mapping[str, str], models: Iterable[str], prices: str = ""
    ) -> list[str]:
        """A sentence for each name of the file that fits no eval or model read: perhaps a slip,
        perhaps not read today; and for each model that `prices`, which are decided, name so.

        evals: the name of each eval, and its name in the logs.
        """
        known = list(dict.fromkeys([*evals.values(), *evals]))
        found = [f"{self.file}: [evals.{e!r}] fits none of the evals{did_you_mean(e, known)}"
                 for e in self.decisions.evals if e not in known]  # fmt: skip
        names = list(dict.fromkeys(models))
        found += [
            f"{self.file}: it renames {raw!r}, which no file has{did_you_mean(raw, names)}"
            for raw, name in self.aliases.items()
            if name not in names
        ]
        of_file = prices in ("", self.decisions.prices)
        where = f"{self.file}: [prices]" if of_file else "prices"
        priced = [m for m in prices_of(prices or self.decisions.prices) if m not in names]
        close = {m: did_you_mean(m, names) for m in priced}
        return found + [
            f"{where} names {m!r}, as no model is called{meant}"
            for m, meant in close.items()
            # a list of prices in a file may be longer than that of today's models
            if not of_file or "did you mean" in meant
        ]


def load(path: str | os.PathLike[str] = "") -> Settings:
    """The settings of a file; of reportkit.toml in the current folder where none is named, and none
    where there is none.

    Raises ConfigError: file, line, key, and what is allowed, for every mistake of the file.
    """
    if not path and not Path(NAME).is_file():
        return Settings()
    name = os.fspath(path) or NAME
    try:
        text = Path(name).read_text(encoding="utf-8")
        told = tomllib.loads(text)
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
        twice = "('models',) twice" in str(error)
        way = "; beside a list of models, the section is called [aliases]" if twice else ""
        raise ConfigError(f"{name}: not TOML: {error}{way}") from None
    check_file(name, told, text)
    return _settings(told, name)


def _settings(told: Mapping[str, Any], name: str) -> Settings:
    """What a file says that has no mistakes."""
    keys = dict(told)
    # [models] is a table of names; models = [...] says which of them to report on
    wanted = {} if isinstance(keys.get("models"), dict) else {"models": keys.pop("models", "")}
    given = file_model().model_validate(keys).model_dump(exclude_unset=True)
    evals = given.pop("evals", {})
    places = {e: _placed(name, own.pop("logs", "")) for e, own in evals.items()}
    logs = {e: found for e, found in places.items() if found}
    aliases = given.pop("models", {}) | given.pop("aliases", {})
    columns = given.pop("columns", {})
    tables = tuple(layout_of(t) for t in given.pop("layouts", ()))
    sources = _placed(name, given.pop("logs", ""))
    sources = tuple(dict.fromkeys([*sources, *(s for found in logs.values() for s in found)]))
    out = "".join(_placed(name, given.pop("out", "")))
    decisions = Decisions(**given, **wanted, evals=evals)
    layouts = Layouts(columns=columns, tables=tables)
    return Settings(decisions, aliases, logs, layouts, sources, out, name)


def _placed(file: str, listed: str | list[str]) -> tuple[str, ...]:
    """Paths as seen from where the command runs; the file names them as seen from itself."""
    folder = Path(file).parent
    many = [listed] if isinstance(listed, str) and listed else list(listed)
    return tuple(
        path if "://" in path or folder == Path() else os.path.join(folder, path) for path in many
    )
