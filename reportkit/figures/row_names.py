"""The names of a matrix's rows, in as many lines as they need."""

import math
from collections.abc import Sequence
from typing import Any

from reportkit.figures.canvas import LEADING, PITCH, SMALLEST, TIGHT
from reportkit.text.figure_width import (
    LEAST,
    apart,
    cuts_number,
    elided,
    in_lines,
    isolated,
    letters_width,
    short_names,
)

STEP = 0.1  # inches by which a line becomes wider, so that it ends behind a word


def row_names(
    names: Sequence[str],
    room: float,
    high: float,
    tallest: float = 0.42,
    most_room: float = 0.0,
    whole: float = 4.0,
) -> tuple[float, float, list[str]]:
    """How high rows are, the size of their names, and the names in as many lines as they need.

    whole: inches of all rows, where names are short. room: inches of a line. high: inches of a row
    where all stand on a page. Where so many lines cut a word, or a row has no room for a second
    one, a line has up to most_room inches; else names are cut, never to fewer than 25 letters.
    """
    labels = list(short_names(names).values())
    usual = min(tallest, max(whole / len(names), min(0.111, high), PITCH))
    line = SMALLEST * LEADING / 72  # inches of a line of the smallest type
    widest = max(letters_width(label, 1) for label in labels)
    places = [(most, room, False) for most in (1, 2, 3)]
    for k in range(1, 1 + math.ceil((most_room - room) / STEP)):
        places += [(most, min(most_room, room + STEP * k), False) for most in (2, 3)]
    places += [(2, room, True), (3, room, True)]
    for most, across, anywhere in places:
        need = most * line
        pitch = usual if most == 1 else max(usual, need, min(need + 0.02, high))
        size = min(8.5, pitch * 72 * 0.82, pitch * 72 / LEADING / most)
        if most == 1:  # rather somewhat smaller than in two lines
            size = min(size, 0.999 * across / widest)
        size = max(SMALLEST, size)
        look: dict[str, Any] = {"size": size, "most": most, "anywhere": anywhere}
        found = [in_lines(label, room=across, **look) for label in labels]
        if any(
            map(cuts_number, found, labels)
        ):  # rather somewhat smaller than with a date in two lines
            look["size"] = size = SMALLEST
            found = [in_lines(label, room=across, **look) for label in labels]
        if all(found) and (most == 1 or pitch <= high + 0.004):
            return pitch, size, ["\n".join(lines) for lines in found]
    if widest * SMALLEST <= most_room:
        return usual, SMALLEST, [isolated(label) for label in labels]
    most = max(1, min(3, int(high * 72 / SMALLEST / TIGHT)))
    found = [in_lines(label, room=room, size=SMALLEST, most=most) for label in labels]
    if all(found):  # rather near to each other than cut
        pitch = max(usual, min(high, most * line + 0.02))
        return pitch, SMALLEST, ["\n".join(lines) for lines in found]
    most = max(1, min(3, int(high / line)))
    pitch = max(usual, min(high, most * line + 0.02))
    # cut to as many lines as a row holds
    widest = max(letters_width(elided(label, LEAST), SMALLEST) for label in labels)
    room = max(room, widest / most)
    return pitch, SMALLEST, apart(labels, room=room, size=SMALLEST, most=most)
