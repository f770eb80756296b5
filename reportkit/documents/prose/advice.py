"""What the user of a checked table can say, told by each medium in its own way."""

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
