"""What the one HTML page makes of its parts: levels and ids of headings, the contents list, users'
tables that scroll. All on the text that offline.py has cleaned, see there why.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from reportkit.text.escaping import kept_together, whole_words

_ATTRIBUTES = r'((?:\s[^\s=>]+="[^"]*")*)'
_HEADING = re.compile(rf"<(h[1-6]){_ATTRIBUTES}>(.*?)</\1>", re.DOTALL)
_OURS = re.compile(r'<figure class="rk-')
_CODE = re.compile(r"(<code>)([^<]*)(?=</code>)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents list: level 2 or 3, the id it leads to, its text without tags."""

    level: int
    id: str
    text: Markup


def arrange(texts: list[str], outputs: set[int]) -> tuple[list[str], list[Entry]]:
    """The cleaned HTML of the blocks as parts of one page, and its contents.

    The page's title is its h1: headings begin at h2 and skip no level. Each has an id of its own.
    outputs: which of the texts came from a user's cell as HTML.

    >>> texts, entries = arrange(["<h1>A</h1><h4>B</h4>", "<h2>A</h2>"], set())
    >>> print(*texts, [e.id for e in entries])
    <h2 id="a">A</h2><h3 id="b">B</h3> <h3 id="a-2">A</h3> ['a', 'b', 'a-2']
    """
    others = [text for text in texts if not _OURS.match(text)]
    taken = {
        "rk-main",
        *(i for text in others for i in re.findall(r'<(?!h[1-6]\b)[^<>]*\sid="([^"]*)"', text)),
    }
    entries: list[Entry] = []
    above: list[int] = []  # levels, as written, of the headings that the current one is under

    def heading(match: re.Match[str]) -> str:
        # what a cell shows belongs to the section it is in
        written = int(match[1][1]) + (10 if i in outputs else 0)
        while above and above[-1] >= written:
            above.pop()
        above.append(written)
        level = min(len(above) + 1, 6)
        text = re.sub(
            r"<annotation\b.*?</annotation>|<[^>]*>", "", match[3], flags=re.DOTALL
        ).strip()
        own = re.search(r'\sid="([^"]+)"', match[2])
        ident = _free(own[1] if own else _slug(text), taken)
        if level <= 3 and text:
            entries.append(Entry(level, ident, Markup(text)))
        rest = re.sub(r'\sid="[^"]*"', "", match[2])
        return f'<h{level} id="{ident}"{rest}>{match[3]}</h{level}>'

    counts = {"Data table": itertools.count(1), "Image": itertools.count(1)}

    def scrolls(what: str, source: str) -> str:
        name = f"{what} {next(counts[what])}"
        return (
            f'<div class="rk-scroll" role="region" aria-label="{name}" tabindex="0">{source}</div>'
        )

    done = []
    for i, text in enumerate(texts):
        if _OURS.match(text):
            text = re.sub(r'\sid="([^"]*)"', lambda m: f' id="{_free(m[1], taken)}"', text, count=1)
            # else a phone gets a narrow one
            if text.startswith('<figure class="rk-figure"') and "<source" not in text:
                text = re.sub(r"<picture>.*?</picture>", lambda m: scrolls("Image", m[0]), text)
        else:
            text = _HEADING.sub(heading, text)
            text = _CODE.sub(lambda m: m[1] + whole_words(m[2]), text)
            # the corner of a data frame heads nothing
            text = re.sub(r"<th\b[^>]*>\s*</th>", "<td></td>", text)
            text = _outermost(text, lambda source: scrolls("Data table", source))
            if i in outputs:  # colours that a cell sets are meant for a light page
                light = " rk-light" if re.search(r"background|bgcolor|color:|<svg", text) else ""
                text = f'<div class="rk-cell{light}">\n{text}\n</div>'
        done.append(kept_together(text))
    return done, entries


def _outermost(text: str, wrap: Callable[[str], str]) -> str:
    """`wrap` applied to each table that lies in no other."""
    out, start, depth, done = [], 0, 0, 0
    for tag in re.finditer(r"<(/?)table\b[^>]*>", text):
        depth += -1 if tag[1] else 1
        if depth == 1 and not tag[1]:
            start = tag.start()
        elif depth == 0:
            out += [text[done:start], wrap(text[start : tag.end()])]
            done = tag.end()
    return "".join([*out, text[done:]])


def _slug(text: str) -> str:
    plain = re.sub(r"&#?\w+;", " ", text).casefold()
    return re.sub(r"[^\w]+", "-", plain).strip("-") or "section"


def _free(ident: str, taken: set[str]) -> str:
    """The id, or the id with the next free number."""
    number, found = 1, ident
    while found in taken:
        number += 1
        found = f"{ident}-{number}"
    taken.add(found)
    return found
