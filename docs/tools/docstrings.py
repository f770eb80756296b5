"""Examples in docstrings as code blocks: mkdocstrings reads our plain text as Markdown."""

import re
from typing import Any

import griffe

# An example: lines that begin with >>>, and what they print, up to an empty line.
_EXAMPLE = re.compile(r"(?:^>>> .*\n?)(?:^.+\n?)*", re.MULTILINE)


def fenced(text: str) -> str:
    """Docstring text as Markdown: each example in a fence of its own."""
    return _EXAMPLE.sub(lambda m: f"```pycon\n{m[0].rstrip()}\n```\n", text).rstrip()


class Fences(griffe.Extension):
    """Puts the examples of every docstring into fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
