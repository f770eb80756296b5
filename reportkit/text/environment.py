"""The Jinja environment of each format: whatever a template prints is escaped there, so that nobody
has to remember to.
"""

import functools
import re
import textwrap
import urllib.parse
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from reportkit.text.assets import asset
from reportkit.text.escaping import breakable, escape, escape_aligned, whole_words
from reportkit.text.latex import IN_LINES, SLIDE_TYPE, WHERE_IT_FITS, latex_line
from reportkit.text.latex_words import flowing
from reportkit.text.visible import one_line


@functools.cache
def environment(fmt: str) -> jinja2.Environment:
    """The one environment of a format: whatever a template prints is escaped unless it is Markup
    already.
    """

    def finalize(value: Any) -> Any:
        if isinstance(value, Markup):
            return value
        return "" if value is None else escape(str(value), fmt)

    options: dict[str, Any] = {
        "loader": jinja2.FileSystemLoader(asset("templates")),
        "undefined": jinja2.StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        "autoescape": False,
        "finalize": finalize,
    }
    if fmt in ("tex", "typ"):  # braces and hashes belong to the format
        options |= dict(zip(("block_start_string", "block_end_string"), ("<%", "%>"), strict=True))
        options |= dict(
            zip(("variable_start_string", "variable_end_string"), ("<<", ">>"), strict=True)
        )
        options |= dict(
            zip(("comment_start_string", "comment_end_string"), ("<#", "#>"), strict=True)
        )
    env = jinja2.Environment(**options)
    env.globals["in_lines"] = Markup(IN_LINES)
    env.globals["where_it_fits"] = Markup(WHERE_IT_FITS)
    env.globals["slide_type"] = Markup(f"{SLIDE_TYPE:g}")
    # What a macro made is escaped already; its lines are those of the template.
    env.filters["oneline"] = lambda text: Markup(re.sub(r"\n+", "", str(text)))
    env.filters["room"] = lambda text: Markup(escape_aligned(str(text), fmt))
    env.filters["breakable"] = lambda text: Markup(breakable(escape(str(text), fmt)))
    env.filters["command"] = lambda text: Markup(whole_words(escape(str(text), fmt)))
    env.filters["keep"] = lambda text: Markup(escape_aligned(str(text), fmt).replace(" ", "~"))
    env.filters["source"] = Markup  # what a macro has escaped already
    env.filters["flowing"] = lambda text: Markup(flowing(str(text)))
    env.filters["within"] = lambda text, points: Markup(latex_line(str(text), points))
    # A line of Markdown code by itself: what is indented is not parsed.
    env.filters["code"] = lambda text: Markup("    " + one_line(str(text)))
    env.filters["lines"] = lambda text: str(text).split("\n")
    # Lines about as wide as a column of numbers, so that names keep their room.
    env.filters["folded"] = lambda text: textwrap.wrap(
        str(text), 16, break_long_words=False, break_on_hyphens=False
    )
    # A folder in a link: ./ keeps a name with a colon from being read as a scheme.
    env.filters["path"] = lambda text: "./" + urllib.parse.quote(str(text), safe="/")
    return env


def load_templates() -> None:
    """Compiles every template once, for processes that are forked from this one."""
    for path in sorted(Path(asset("templates")).glob("*.j2")):
        environment(path.suffixes[-2].lstrip(".")).get_template(path.name)
