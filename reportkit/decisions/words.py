"""Decisions as words of a command line, and back."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from reportkit.decisions import PER_EVAL, SPECS, Decisions, flag, placeholder
from reportkit.errors import ScoresError

_EQUALS = re.compile(r"(\\*)=")


def said_of_evals(name: str, values: Iterable[str]) -> dict[str, Any]:
    """The values of an option [EVAL=]VALUE as decisions: the last = parts them; one that belongs to
    VALUE is written \\=.

    >>> said_of_evals("cluster", ["topic", "MATH (shots=5)=passage"])
    {'cluster': 'topic', 'evals': {'MATH (shots=5)': {'cluster': 'passage'}}}
    >>> said_of_evals("metric", [r"pass@k\\=1"])
    {'metric': 'pass@k=1'}
    """
    said: dict[str, Any] = {}
    for text in values:
        parting = [m for m in _EQUALS.finditer(text) if len(m[1]) % 2 == 0]
        eval_name = _unescaped_eval(text[: parting[-1].end() - 1]) if parting else ""
        value = _unescaped(text[parting[-1].end() :] if parting else text)
        if not value:
            raise ScoresError(f"{flag(name)} {text!r} has no value; write {placeholder(name)}")
        if parting and eval_name:
            said.setdefault("evals", {}).setdefault(eval_name, {})[name] = value
        else:
            said[name] = value
    return said


def words(eval: str, d: Decisions, said: Iterable[str] = ()) -> list[str]:
    """The words of a command line that say these decisions of one eval: all that differ from the
    defaults, and those that were said.

    >>> words("MATH", Decisions(level=0.9, match_on="content_hash"))
    ['--eval', 'MATH', '--match-on', 'MATH=content_hash', '--level', '0.9']
    >>> words("MATH", Decisions(models=["A", "B"]))
    ['--eval', 'MATH', '--models', 'A', '--models', 'B']
    """
    wanted = {*d.changed(), *said} - {"eval"}
    return ["--eval", eval, *_words(eval, d, wanted)]


def words_of_several(evals: Mapping[str, Decisions], d: Decisions) -> list[str]:
    """The words that say what is decided for all evals, and for each what is decided for it.

    >>> words_of_several({"A": Decisions(errors="zero"), "B": Decisions()}, Decisions(level=0.9))
    ['--eval', 'A', '--eval', 'B', '--level', '0.9', '--errors', 'A=zero']
    """
    found = [word for name in evals for word in ("--eval", name)]
    found += _words("", d, {*d.changed()} - {"eval", *PER_EVAL})
    for name, own in evals.items():
        found += _words(name, own, {*own.changed()} & {*PER_EVAL})
    return found


def _words(eval: str, d: Decisions, wanted: Collection[str]) -> list[str]:
    found: list[str] = []
    for name, value in d.parameters().items():
        if name not in wanted or value == "":
            continue
        if isinstance(value, bool):
            found.append(flag(name) if value else f"--no-{name}")
            continue
        if isinstance(value, list):
            found += [word for one in value for word in (flag(name), one)]
            continue
        text = str(value)
        if SPECS[name].per_eval:
            text = f"{_escaped_eval(eval)}={_escaped(text)}"
        found += [flag(name), text]
    return found


def _escaped_eval(name: str) -> str:
    """The EVAL of [EVAL=]VALUE: backslashes before an = have a meaning, so they are doubled."""
    return _EQUALS.sub(lambda m: m[1] * 2 + "=", f"{name}=")[:-1]


def _unescaped_eval(text: str) -> str:
    return _unescaped(f"{text}=")[:-1]


def _escaped(value: str) -> str:
    """The VALUE of [EVAL=]VALUE."""
    return _EQUALS.sub(lambda m: m[1] * 2 + "\\=", value)


def _unescaped(text: str) -> str:
    return _EQUALS.sub(lambda m: m[1][: len(m[1]) // 2] + "=", text)
