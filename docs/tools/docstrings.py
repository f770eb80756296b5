"""Docstrings for the reference: examples as code blocks, and the fields of a record as a table.

mkdocstrings reads our plain text as Markdown, and the meaning of a field stands in a comment
beside it, which no tool shows.
"""

import re
from pathlib import Path
from typing import Any

import griffe

# An example: lines that begin with >>>, and what they print, up to an empty line.
_EXAMPLE = re.compile(r"(?:^>>> .*\n?)(?:^.+\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """Docstring text as Markdown: each example in a fence of its own."""
    return _EXAMPLE.sub(lambda m: f"```pycon\n{m[0].rstrip()}\n```\n", text).rstrip()


def listed(text: str, parameters: list[str]) -> str:
    """Docstring text whose sentences that begin with "parameter: " are a list.

    >>> print(listed("Sums. x: numbers. y: weights. Raises ValueError.", ["x", "y"]))
    Sums.
    <BLANKLINE>
    - **`x`**: numbers.
    - **`y`**: weights.
    <BLANKLINE>
    Raises ValueError.
    """
    if not parameters:
        return text
    one = "|".join(sorted(map(re.escape, parameters), key=len, reverse=True))
    several = re.compile(rf"(?:(?<=[.;)])\s+|^)((?:{one})(?:,\s(?:{one}))*):\s", re.MULTILINE)
    found = []
    for paragraph in text.split("\n\n"):
        if not paragraph.startswith(("```", "-", ">>>")):
            items = several.sub(r"\n- **`\1`**: ", paragraph)
            if items != paragraph:
                items = re.sub(r"\n- ", "\n\n- ", items, count=1)
                paragraph = re.sub(r"(?<=[.;])\s(?=Raises |Returns )", "\n\n", items).strip()
        found.append(paragraph)
    return "\n\n".join(found)


def meaning(lines: list[str], number: int) -> str:
    """The comment beside line `number` (from 1) of a module, or the comment lines above it."""
    beside = re.search(r"\s#\s?(.*)$", lines[number - 1])
    if beside:
        return beside[1]
    above: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#"):
            break
        above.insert(0, line.strip().lstrip("#").strip())
    return " ".join(above)


def fields(record: griffe.Class) -> str:
    """The fields of a dataclass as a Markdown table: name, type, meaning."""
    rows = []
    for name, attribute in record.attributes.items():
        if name.startswith("_") or not attribute.annotation or not attribute.lineno:
            continue
        # a field of a base class stands in the file of its own
        lines = Path(attribute.filepath).read_text(encoding="utf-8").splitlines()
        said = meaning(lines, attribute.lineno).replace("|", r"\|")
        kind = str(attribute.annotation).replace("|", r"\|")
        rows.append(f"| `{name}` | `{kind}` | {said} |")
    return "\n".join(["| field | type | meaning |", "| --- | --- | --- |", *rows]) if rows else ""


class Readable(griffe.Extension):
    """Puts the examples of every docstring into fences, and tables of fields below records."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if not obj.docstring:
            return
        if isinstance(obj, griffe.Function):
            names = [p.name for p in obj.parameters if p.name != "self"]
            obj.docstring.value = listed(obj.docstring.value, names)
        obj.docstring.value = fenced(obj.docstring.value)
        if isinstance(obj, griffe.Class) and any(
            "dataclass" in str(decorator.value) for decorator in obj.decorators
        ):
            obj.docstring.value += f"\n\n{fields(obj)}"
