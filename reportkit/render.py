"""Tables, prose and numbers in Markdown, LaTeX, HTML, Typst and CSV; the Jinja environments do all escaping."""

import base64
import csv
import functools
import hashlib
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
from reportkit.escaping import escape
from reportkit.table import Table

FORMATS = ("md", "tex", "html", "typ", "csv")
LINE = 88  # em of 5.5 points that a line of a page holds: beyond it, columns go below each other
LONG = 40  # rows from which a LaTeX table breaks over pages
# What an HTML table carries to copy and download; of longer ones, the files beside it in tables/ are the copies.
COPIED_CELLS = 5_000
CSV_IN_PAGE = 64_000  # characters


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
    # What a macro made is escaped already; its lines are those of the template.
    env.filters["oneline"] = lambda text: Markup(re.sub(r"\n+", "", str(text)))
    env.filters["keep"] = lambda text: Markup(escape(str(text), fmt).replace(" ", "~"))
    env.filters["lines"] = lambda text: str(text).split("\n")
    # A folder in a link: ./ keeps a name with a colon from being read as a scheme.
    env.filters["path"] = lambda text: "./" + urllib.parse.quote(str(text), safe="/")
    return env


def render_table(table: Table, fmt: str, *, full: bool = False) -> str:
    """One table in `fmt` with its caption, label and notes; `full` makes a whole document of it.

    In HTML it is the figure alone, with what can be copied from it; style and script belong to the page around.
    """
    return _rendered(table, fmt, full=full)


def render_drop_in(table: Table, fmt: str) -> str:
    """What a file tables/<name>.<fmt> holds: the table, in HTML with its own style and script.

    That HTML is ASCII, so that it reads the same in a page of any encoding.
    """
    if fmt != "html":
        return render_table(table, fmt)
    return _rendered(table, fmt, alone=True).encode("ascii", "xmlcharrefreplace").decode()


def _rendered(table: Table, fmt: str, *, full: bool = False, alone: bool = False) -> str:
    if fmt not in FORMATS:
        raise ValueError(f"no table format {fmt!r}; there are {', '.join(FORMATS)}")
    if fmt == "csv":
        return _csv(table)
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
            label=Markup("tab:" + (re.sub(r"[^A-Za-z0-9]+", "-", table.name).strip("-") or "table")),
            long=len(rows) > LONG,
            wide=len(table.columns) > 8,
            headings=dict(table.sections),
            last=_last(table),
            parts=_parts(table, rows) if fmt == "typ" else (),
            full=full,
            **(_html_extras(table) if fmt == "html" else {}),
            alone=alone,
        )
    )
    # The fallback travels with a drop-in only where it is used; the preamble's own \rkchar prints more.
    if fmt == "tex" and not full and r"\rkchar{" in text:
        text = text.replace("\n", "\n\\providecommand{\\rkchar}[1]{U+#1}%\n", 1)
    return text


def _html_extras(table: Table) -> dict[str, Any]:
    """What only the HTML of a table needs: texts to copy and download, the script."""
    size, data = len(table.cells) * len(table.columns), _csv(table)
    uri = Markup("data:text/csv;charset=utf-8," + urllib.parse.quote(data, safe=",:;/()"))
    return {
        "copies": {fmt: render_table(table, fmt) for fmt in ("tex", "md") if size <= COPIED_CELLS},
        "csv": uri if len(data) <= CSV_IN_PAGE else None,
        "script": table_script(),
    }


@functools.cache
def table_script() -> Markup:
    """The script that sorts and copies every table of a page."""
    return Markup(asset("templates", "table.js").read_text(encoding="utf-8"))


def content_policy(*scripts: str) -> Markup:
    """A Content-Security-Policy that lets a page load nothing but data, and run no script but these."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return Markup(
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; media-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _groups(table: Table) -> list[dict[str, Any]]:
    """Spanning heads: runs of columns with the same group, and whether any has a name."""
    groups, start = [], 1
    for name, run in itertools.groupby(table.columns, key=lambda c: c.group):
        span = len(list(run))
        groups.append({"name": name, "span": span, "first": start, "last": start + span - 1})
        start += span
    return groups if any(g["name"] for g in groups) else []


def _parts(table: Table, rows: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """A table too wide for a line even in small print, column by column: its parts, each with the first column again."""

    def width(column: int) -> float:
        texts = [table.columns[column].head, *[row[column] for row in table.cells]]
        widest = max(len(line) for text in texts for line in text.split("\n"))
        return 0.6 + 0.5 * min(widest, 30 if table.columns[column].align == "l" else widest)

    others = range(1, len(table.columns))
    # A spanning head holds its columns together.
    parts = 1 if _groups(table) else math.ceil(sum(map(width, others)) / max(LINE - width(0), 1.0))
    each = math.ceil(len(others) / max(parts, 1)) or 1
    cuts = [slice(a, a + each) for a in others[::each]] or [slice(1, 1)]
    return [
        {"columns": [table.columns[0], *table.columns[cut]], "rows": [[row[0], *row[cut]] for row in rows]}
        for cut in cuts
    ]


def _last(table: Table) -> int:
    """Rows at the end that share a page with the notes: two, but none from an earlier section."""
    start = max((row for row, _ in table.sections), default=0)
    return min(2, len(table.cells) - start)


def _value(table: Table, row: int, column: int) -> Markup | None:
    value = table.values[row][column] if table.values else None
    return None if value is None or not math.isfinite(value) else Markup(repr(float(value)))


def _csv(table: Table) -> str:
    """The unrounded records; undefined is empty."""
    out = io.StringIO()
    names = list(table.data[0]) if table.data else [c.head for c in table.columns]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_csv_cell(name) for name in names])
    records = [[record[name] for name in names] for record in table.data] if table.data else table.cells
    for record in records:
        writer.writerow([_csv_cell(v) for v in record])
    return out.getvalue().encode("utf-8", "replace").decode()


def _csv_cell(value: Any) -> Any:
    """A number as it is, undefined empty; text so that no spreadsheet takes it for a formula and every reader reads it.

    >>> _csv_cell("=1+1"), _csv_cell("−2.1%"), _csv_cell(-2.1), _csv_cell(float("nan")), _csv_cell("a\\r\\nb")
    ("'=1+1", '−2.1%', -2.1, '', 'a\\nb')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    if not isinstance(value, str):
        return value
    # Line ends as the file's own, and NUL, at which some readers stop, as its picture.
    text = re.sub(r"\r\n?", "\n", value).replace("\0", "\u2400")
    formula = re.match(r"\s*[=+\-@＝＋－＠]|[\t\n]", text) and not re.fullmatch(r"[+-]?[.,]?\d[\d.,]*%?", text)
    return f"'{text}" if formula else text


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
    return template.render(
        reports=rows, title=title, failures=failures, skipped=skipped,
        policy=content_policy, script=table_script(), dated=Markup(_DATED),
    )  # fmt: skip


_DATED = "document.currentScript.previousElementSibling.textContent = new Date(document.lastModified).toLocaleString();"


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
