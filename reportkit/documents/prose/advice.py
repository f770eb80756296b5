"""What the user of a checked table can say, told by each medium in its own way."""

import re
from collections.abc import Iterable

from markupsafe import Markup

from reportkit.advised import Line, said
from reportkit.documents.prose.words import first_of
from reportkit.text.escaping import markdown
from reportkit.text.numbers import joined


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
    ways = joined(told, "and") if line.every else ", or ".join(told)
    return Markup(f"{markdown(line.text)} The {are} {ways}.".strip())


def _code(text: str) -> str:
    """A command between backticks: a backtick of a name would end it."""
    return text.replace("`", "'")


_ENDS_WITH_NUMBER = re.compile(r"(.+?)[ -]([1-9][0-9,]+)(?: questions)?")


def perhaps_in_name(evals: Iterable[str]) -> str:
    """What to write where names end with a number, which may be that of the questions.

    >>> perhaps_in_name(["GSM8K", "MATH 500"])
    ' If 500 in MATH 500 is one, write MATH (n=500).'
    >>> perhaps_in_name(["MATH 500", "HumanEval 164 questions"])
    ' If 500 in MATH 500 is one, write MATH (n=500); likewise HumanEval (n=164).'
    """
    found = [(name, x) for name in evals if (x := _ENDS_WITH_NUMBER.fullmatch(name))]
    if not found:
        return ""
    written = [f"{x[1]} (n={x[2]})" for _, x in found]
    more = f"; likewise {first_of(written[1:])}" if len(found) > 1 else ""
    return f" If {found[0][1][2]} in {found[0][0]} is one, write {written[0]}{more}."
