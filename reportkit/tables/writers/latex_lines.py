"""The lines of labels and heads of a LaTeX table."""

import functools
import re

from reportkit.tables.writers.latex_place import SET_IN
from reportkit.text.latex_width import text_width, wrap

# Heads break where they are wider than the first of these, or than the others where columns are to
# be narrow: between words, and inside those wider than HEAD_WORD.
HEADS = (72.0, 48.0, 36.0)
HEAD, HEAD_WORD = HEADS[-1], 80.0
_ALONE = re.compile(r"(?<=\S) (\S+)\n(?=[\d.,]+%?$)")  # before a number that has the last line


@functools.lru_cache(maxsize=4096)
def label_lines(label: str, limit: float, names: bool) -> str:
    """A label in lines. names: of a column that says which row it is. A line that goes on is set in
    there: flush with the names of rows it would look like a row without numbers.
    """
    lines = _wrapped(label, limit)
    if not names or "\n" not in lines:
        return lines
    longest = text_width(SET_IN + lines.partition("\n")[2].replace("\n", f"\n{SET_IN}"))
    if longest > limit:
        lines = _wrapped(label, limit - text_width(SET_IN))
    return lines.replace("\n", f"\n{SET_IN}")


def _wrapped(label: str, limit: float) -> str:
    """wrap(), but a number that would have the last line to itself takes a word with it.

    >>> _wrapped("364 clusters of 5", 68.0)
    '364 clusters\\nof 5'
    """
    lines = wrap(label, limit)
    moved = _ALONE.sub(r"\n\1 ", lines)
    return moved if text_width(moved) <= max(limit, text_width(lines)) else lines


@functools.lru_cache(maxsize=1024)
def even(head: str, limit: float, parted: bool = False) -> str:
    """A head in as many lines as the limit asks for, as even as they come. parted: a name breaks
    behind its marks too where it is no wider than HEAD_WORD.

    >>> even("Llama-2-70b-hf", 50.0), even("Llama-2-70b-hf", 50.0, parted=True)
    ('Llama-2-70b-hf', 'Llama-\\n2-70b-hf')
    """
    word = 0.0 if parted else HEAD_WORD
    lines = wrap(head, limit, word, HEAD_WORD)
    for narrower in range(int(limit), int(HEAD), -2):
        tried = wrap(head, narrower, word, HEAD_WORD)
        if tried.count("\n") > lines.count("\n"):
            break
        lines = tried
    return lines
