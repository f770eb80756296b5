"""Sentences that tell what can be said to a command. Standard library only."""

import shlex
from dataclasses import dataclass

from reportkit.record import Record


@dataclass(frozen=True, slots=True)
class Option(Record):
    """What the user of a check can say. when: a clause that stands behind it.

    >>> Option("questions", "SQuAD 2.0=NUMBER").command
    "--questions 'SQuAD 2.0=NUMBER'"
    """

    name: str
    value: str
    when: str = ""

    @property
    def command(self) -> str:
        return f"--{self.name} {shlex.quote(self.value)}"


@dataclass(frozen=True, slots=True)
class Advised(Record):
    """Sentences, and the options that help. every: all of them are needed, not one."""

    text: str
    options: tuple[Option, ...] = ()
    every: bool = False

    @property
    def said(self) -> str:
        """For who runs the command."""
        if not self.options:
            return self.text
        ways = [" ".join(filter(None, [o.command, o.when])) for o in self.options]
        return f"{self.text} Say {(' and ' if self.every else ', or ').join(ways)}.".strip()


Line = str | Advised


def said(line: Line) -> str:
    """A sentence for who runs the command."""
    return line if isinstance(line, str) else line.said
