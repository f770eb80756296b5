"""Tables, prose and numbers in Markdown, LaTeX, HTML, Typst and CSV; the Jinja environments do all escaping."""

import csv
import functools
import io
import itertools
import math
import re
import unicodedata
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from reportkit.assets import asset
from reportkit.escaping import escape, latex_flowing
from reportkit.latex import Options, layout
from reportkit.table import Table

FORMATS = ("md", "tex", "html", "typ", "csv")
# Text size by number of columns, where a format cannot scale a table to the page.
SIZES = ((8, "1em"), (11, "0.85em"), (14, "0.7em"), (18, "0.6em"), (math.inf, "0.5em"))


@functools.cache
def environment(fmt: str) -> jinja2.Environment:
    """The one environment of a format: whatever a template prints is escaped unless it is Markup already."""

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
        options |= dict(zip(("variable_start_string", "variable_end_string"), ("<<", ">>"), strict=True))
        options |= dict(zip(("comment_start_string", "comment_end_string"), ("<#", "#>"), strict=True))
    env = jinja2.Environment(**options)
    env.filters["source"] = Markup  # what a macro has escaped already
    env.filters["flowing"] = lambda text: Markup(latex_flowing(str(text)))
    env.filters["lines"] = lambda text: str(text).split("\n")
    # A folder in a link: ./ keeps a name with a colon from being read as a scheme.
    env.filters["path"] = lambda text: "./" + urllib.parse.quote(str(text), safe="/")
    return env


def render_table(table: Table, fmt: str, *, full: bool = False, **options: Any) -> str:
    """One table as a drop-in of `fmt` with its caption, label and notes; `full` makes a whole document of it.

    options, for LaTeX: align "plain" or "siunitx"; wide "scale", "split" or "turn", what becomes of a table wider than
    the page; span "column" or "page", in a two-column class; long "longtable" or "parts" (see latex.py).
    """
    if fmt not in FORMATS:
        raise ValueError(f"no table format {fmt!r}; there are {', '.join(FORMATS)}")
    chosen = Options(**options)
    if fmt == "csv":
        return _csv(table)
    if fmt == "tex":
        return _latex_table(table, chosen, full)
    rows = [
        [
            {"text": text, "value": _value(table, i, j), "bold": (i, j) in table.bold, "column": column}
            for j, (text, column) in enumerate(zip(row, table.columns, strict=True))
        ]
        for i, row in enumerate(table.cells)
    ]
    text = (
        environment(fmt)
        .get_template(f"table.{fmt}.j2")
        .render(
            table=table,
            rows=rows,
            groups=_groups(table),
            label=_label(table),
            wide=len(table.columns) > 8,
            size=next(size for limit, size in SIZES if len(table.columns) <= limit),
            full=full,
        )
    )
    return text


def _latex_table(table: Table, options: Options, full: bool) -> str:
    placed = layout(table, options)
    template = environment("tex").get_template("table.tex.j2")
    text = template.render(table=table, label=_label(table), full=full, **placed)
    text = re.sub(r"\n{2,}", "\n", text)  # an empty line would be a paragraph
    # The fallback travels with a drop-in only where it is used; the preamble's own macros print more.
    if not full:
        provided = {r"\rkchar": r"U+#1\allowbreak{}", r"\rktext": "#1", r"\rkrtl": "#1"}
        lines = [f"\\providecommand{{{name}}}[1]{{{body}}}%\n" for name, body in provided.items() if name + "{" in text]
        head, _, rest = text.partition("\n%")
        comment, _, rest = rest.partition("\n")
        text = f"{head}\n%{comment}\n{''.join(lines)}{rest}"
    return text


def _label(table: Table) -> Markup:
    return Markup("tab:" + (re.sub(r"[^A-Za-z0-9]+", "-", table.name).strip("-") or "table"))


def _groups(table: Table) -> list[dict[str, Any]]:
    """Spanning heads: runs of columns with the same group, and whether any has a name."""
    groups, start = [], 1
    for name, run in itertools.groupby(table.columns, key=lambda c: c.group):
        span = len(list(run))
        groups.append({"name": name, "span": span, "first": start, "last": start + span - 1})
        start += span
    return groups if any(g["name"] for g in groups) else []


def _value(table: Table, row: int, column: int) -> Markup | None:
    value = table.values[row][column] if table.values else None
    return None if value is None or not math.isfinite(value) else Markup(repr(float(value)))


def _csv(table: Table) -> str:
    """The unrounded records; undefined is empty."""
    out = io.StringIO()
    names = list(table.data[0]) if table.data else [c.head for c in table.columns]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    records = [[record[name] for name in names] for record in table.data] if table.data else table.cells
    for record in records:
        writer.writerow(["" if isinstance(v, float) and not math.isfinite(v) else v for v in record])
    return out.getvalue().encode("utf-8", "replace").decode()


def render_prose(template: str, **values: Any) -> str:
    """Markdown from a Jinja template written in Markdown; the values print as themselves.

    >>> render_prose("**{{ model }}** leads.", model="a*b")
    '**a\\\\*b** leads.'
    """
    return environment("md").from_string(template).render(**values)


def render_preamble() -> str:
    """reportkit-preamble.tex: the packages and the one macro that the LaTeX drop-ins need."""
    return environment("tex").get_template("reportkit-preamble.tex.j2").render()


def render_index(
    reports: Sequence[Mapping[str, Any]],
    title: str,
    failures: Sequence[Mapping[str, Any]] = (),
    skipped: Sequence[Mapping[str, Any]] = (),
) -> str:
    """index.html over all reports.

    reports: name, folder (relative), n_questions, models, sources (path, sha256), status; all but name may be absent.
    failures and skipped: name and message. No time of build is in the bytes: the page asks its own file's date.
    """
    fields = {"folder": "", "n_questions": None, "models": (), "sources": (), "status": "built"}
    rows = [fields | {"folder": r["name"]} | dict(r) for r in reports]
    template = environment("html").get_template("index.html.j2")
    return template.render(reports=rows, title=title, failures=failures, skipped=skipped)


# --- numbers as macros


def render_numbers(entries: Iterable[tuple[str, str, str, str]]) -> str:
    r"""numbers.tex: entries are (eval, model, what, text); reached as \rk{eval}{model}{what} and by short names."""
    entries = list(entries)
    seen: dict[str, tuple[str, str, str, str]] = {}
    numbers: list[dict[str, Any]] = []
    shorts: dict[str, list[int]] = {}
    for entry in entries:
        key = "".join(f"{{{macro_key(part)}}}" for part in entry[:3])
        if key in seen:
            if seen[key][3] != entry[3]:
                raise ValueError(f"two numbers for {entry[:3]}: {seen[key][3]!r} and {entry[3]!r}")
            continue
        seen[key] = entry
        shorts.setdefault(macro_name(*entry[:3]), []).append(len(numbers))
        numbers.append({"key": Markup(key), "text": entry[3], "short": None, "clash": None})
    for name, where in shorts.items():
        if name and len(where) == 1:
            numbers[where[0]]["short"] = Markup(name)
        elif name:
            keys = Markup(" and ").join(Markup(r"\rk") + numbers[i]["key"] for i in where)
            numbers[where[0]]["clash"] = {"name": Markup(name), "entries": keys}
    return environment("tex").get_template("numbers.tex.j2").render(numbers=numbers)


def macro_key(name: str) -> str:
    r"""The name as it is typed in \rk: itself, but =XX (hex, UTF-8) for what TeX would not hand over as typed.

    >>> macro_key("GPQA-3.1"), macro_key("a_b|100%"), macro_key("a=3D")
    ('GPQA-3.1', 'a_b|100=25', 'a=3D3D')
    """

    def code(match: re.Match[str]) -> str:
        return "".join(f"={byte:02X}" for byte in match[0].encode("utf-8", "replace"))

    # The last alternatives: an = that would read as a code, and spaces that TeX drops or merges.
    return re.sub(r"[\\{}%#~^\x00-\x1f\x7f-\x9f\ud800-\udfff]|=(?=[0-9A-F]{2})|^ | (?= )| $", code, name)


_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def macro_name(*names: str) -> str:
    """Letters only, in CamelCase; empty when one of the names has no letter or digit to give.

    >>> macro_name("GPQA-3.1", "gpt4o-mini", "ci_low")
    'GpqaThreeOneGptFourOMiniCiLow'
    """
    parts = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        words = re.findall(r"[A-Za-z]+|[0-9]", plain)
        if not words:
            return ""
        for word in words:
            if word.isdigit():
                parts.append(_DIGITS[int(word)])
            else:
                parts.append(word.capitalize() if word.isupper() else word[0].upper() + word[1:])
    return "".join(parts)
