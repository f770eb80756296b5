"""What the user of a checked table can say, told by each medium in its own way."""

import re
from collections.abc import Iterable

from markupsafe import Markup

from reportkit.advised import Line, said
from reportkit.documents.prose.words import listed
from reportkit.text.escaping import markdown


def in_terminal(line: Line) -> str:
    """A sentence for who runs the command.

    >>> from reportkit.advised import Advised, Option
    >>> ways = Option("scores", "binary", "if each is 0 or 1"), Option("scores", "fractional")
    >>> in_terminal(Advised("Nobody says it.", ways))
    'Nobody says it. Say --scores binary if each is 0 or 1, or --scores fractional.'
    """
    return said(line)


def in_document(line: Line) -> Markup:
    """The same for a document, whose reader runs nothing.

    >>> from reportkit.advised import Advised, Option
    >>> print(in_document(Advised("No *scale*.", (Option("scale", "percent", "if it is so"),))))
    No \\*scale\\*. The option is `--scale percent` if it is so.
    """
    if isinstance(line, str):
        return Markup(markdown(line))
    if not line.options:
        return Markup(markdown(line.text))
    told = [
        " ".join(filter(None, [f"`{_code(o.command)}`", markdown(o.when)])) for o in line.options
    ]
    are = "options are" if len(told) > 1 else "option is"
    ways = listed(told, "and") if line.every else ", or ".join(told)
    return Markup(f"{markdown(line.text)} The {are} {ways}.".strip())


def _code(text: str) -> str:
    """A command between backticks: a backtick of a name would end it."""
    return text.replace("`", "'")


_ENDS_WITH_NUMBER = re.compile(r"(.+?)[ -]([1-9][0-9,]+)(?: questions)?")


def perhaps_in_name(evals: Iterable[str]) -> str:
    """What to write where a name ends with a number, which may be that of the questions.

    >>> perhaps_in_name(["GSM8K", "MATH 500"])
    ' If 500 in MATH 500 is one, write MATH (n=500).'
    >>> perhaps_in_name(["HumanEval 164 questions"])
    ' If 164 in HumanEval 164 questions is one, write HumanEval (n=164).'
    """
    for name in evals:
        found = _ENDS_WITH_NUMBER.fullmatch(name)
        if found:
            return f" If {found[2]} in {name} is one, write {found[1]} (n={found[2]})."
    return ""
