"""Tables in Markdown, LaTeX, HTML, Typst and CSV; the Jinja environments do all escaping."""

import itertools
import math
import re
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from markupsafe import Markup

from reportkit.errors import ScoresError, UnknownFormatError, check_keywords
from reportkit.tables.aligned import aligned
from reportkit.tables.grid import Column, Grid, is_models_by_evals, is_wide
from reportkit.tables.notes import without_files
from reportkit.tables.scales import place_of
from reportkit.tables.stand_ins import restored, stood_in
from reportkit.tables.writers.csv import csv_text
from reportkit.tables.writers.html import (
    OF_EVALS,
    OF_NAMES,
    apart,
    breaks,
    classes_of,
    first_order,
    letters_of_names,
    starts_of_groups,
)
from reportkit.tables.writers.latex import Options, layout
from reportkit.tables.writers.latex_fit import chosen, roomier
from reportkit.tables.writers.latex_parts import of_part, with_left_out
from reportkit.tables.writers.latex_place import Place
from reportkit.text.brought import table_script
from reportkit.text.environment import environment
from reportkit.text.escaping import isolated_names
from reportkit.text.latex import IN_LINES, WHERE_IT_FITS, latex_label

# The 470 points of a line of A4, in those of LaTeX's font, whose widths are known: the PDF's is
# narrower by an eighth, and Chinese, which is as wide as its type is high, by a sixteenth.
PAPER = 510.0
# What an HTML table carries to copy and download; of longer ones, the files beside it in tables/
# are the copies.
COPIED_CELLS = 5_000
CSV_IN_PAGE = 64_000  # characters


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a table will stand: full makes a document of it; alone brings style and script; raw
    leaves the text of CSV as it is.
    """

    options: Options = Options()
    full: bool = False
    alone: bool = False
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A format of tables.

    suffix: of its files. mime: of its text in a notebook's output. write: table and setting ->
    text. names: by which users may call it beside its suffix. in_notebooks: a cell's output has it.
    """

    suffix: str
    mime: str
    write: Callable[[Grid, Setting], str]
    names: tuple[str, ...] = ()
    in_notebooks: bool = True


def render_table(
    table: Grid, fmt: str, *, full: bool = False, raw: bool = False, **options: Any
) -> str:
    """A table as text in one format, with its caption, label and notes.

    fmt: "md", "tex", "html", "typ", "csv", or a name such as "latex" or "markdown". full: a whole
    document in place of a part of one. HTML comes without style and script: they belong to the page
    around it. raw: CSV with text as it is, without the apostrophe that keeps a spreadsheet from
    taking it for a formula. options: for LaTeX. align: "plain" or "siunitx". wide: what becomes of
    a table that does not fit a column of 252 pt: "fit" takes the text's width, else a turned page,
    else parts; "split" and "turn" take parts or a turned page at once; "scale" makes the type
    smaller. span: "column" or "page", in a two-column class. long: "longtable" or "parts", for a
    table longer than a page. width: points of the line that the table is laid out for (252 in a
    column of IEEEtran, 307 in beamer, 345 in article, 397 for NeurIPS); 0: as wide as it needs to
    be. height: points of the page (200 of a slide of beamer); 0: of article's.
    """
    return format_of(fmt).write(_table(table), Setting(_options(options), full=full, raw=raw))


def render_drop_in(table: Grid, fmt: str, *, raw: bool = False, **options: Any) -> str:
    """What a file tables/<name>.<fmt> holds: the table, in HTML with its own style and script.

    That HTML is ASCII, so that it reads the same in a page of any encoding. raw, options: as in
    render_table.
    """
    chosen = format_of(fmt)
    text = chosen.write(table, Setting(_options(options), alone=True, raw=raw))
    if chosen.suffix == "html":
        return text.encode("ascii", "xmlcharrefreplace").decode()
    return isolated_names(text) if chosen.suffix == "md" else text


def _table(table: Any) -> Grid:
    if not isinstance(table, Grid):
        raise ScoresError(
            f"render_table takes a table, and this is of the type {type(table).__name__}: give "
            "what make_table makes, such as make_table(result, 'means')"
        )
    return table


def _options(options: Mapping[str, Any]) -> Options:
    check_keywords("render_table", options, [f.name for f in fields(Options)])
    return Options(**options)


def format_of(name: str) -> Format:
    """A format by its suffix or one of its names; UnknownFormatError where there is none."""
    for suffix, known in FORMATS.items():
        if name in (suffix, *known.names):
            return known
    raise UnknownFormatError(f"no table format {name!r}; there are {', '.join(FORMATS)}")


def _csv(table: Grid, setting: Setting) -> str:
    return csv_text(table, setting.raw)


def _tex(table: Grid, setting: Setting) -> str:
    table = _one_paragraph(table)
    if not table.columns:
        return _from_template(table, "tex", setting.full)
    if setting.options.align == "plain":
        table = aligned(table)
    return _latex_table(table, setting.options, setting.full)


def _md(table: Grid, setting: Setting) -> str:
    return _from_template(_one_paragraph(table), "md", setting.full)


def _html(table: Grid, setting: Setting) -> str:
    extras = _html_extras(table)
    notes = without_files(table.notes)
    extras["files"] = " ".join(n for n in table.notes if n not in notes)
    table = aligned(replace(table, notes=notes))
    return _from_template(table, "html", setting.full, **extras, alone=setting.alone)


def _typ(table: Grid, setting: Setting) -> str:
    """Columns that a page does not hold at 8 pt go on in further parts below."""
    table = aligned(_one_paragraph(table))
    if not table.columns:
        return _from_template(table, "typ", setting.full)
    plain = stood_in(table)
    made = roomier(chosen(plain, [Place("given", PAPER)], breaks=True), plain)
    made = replace(made, table=restored(made.table, table))
    pieces = [(part, of_part(made, part)) for part in made.parts]
    parts = [
        {
            "columns": [made.table.columns[j] for j in part],
            "rows": [[row[j] for j in part] for row in _template_rows(own.table)],
            "groups": _groups([made.table.columns[j] for j in part]),
            "headings": dict(own.table.sections),
            "last": _last(own.table),
        }
        for part, own in pieces
    ]
    table = with_left_out(table, [own for _, own in pieces])
    return _from_template(table, "typ", setting.full, parts=parts, size=made.size)


FORMATS: dict[str, Format] = {
    "md": Format("md", "text/markdown", _md, ("markdown",)),
    "tex": Format("tex", "text/latex", _tex, ("latex",)),
    "html": Format("html", "text/html", _html),
    "typ": Format("typ", "text/vnd.typst", _typ, ("typst",)),
    "csv": Format("csv", "text/csv", _csv, in_notebooks=False),
}


def _one_paragraph(table: Grid) -> Grid:
    """All notes in one paragraph below the table."""
    if len(table.notes) < 2:
        return table
    return replace(table, notes=(" ".join(table.notes),))


def _template_rows(table: Grid) -> list[list[dict[str, Any]]]:
    """What a template prints of each cell."""
    return [
        [
            {
                "text": text,
                "value": _value(table, i, j),
                "order": _order(table, i, j),
                "bold": (i, j) in table.bold,
                "column": column,
            }
            for j, (text, column) in enumerate(zip(row, table.columns, strict=True))
        ]
        for i, row in enumerate(table.cells)
    ]


def _from_template(table: Grid, fmt: str, full: bool, **extras: Any) -> str:
    """A table without columns is a sentence below its caption."""
    kind = "table" if table.columns else "sentence"
    text = (
        environment(fmt)
        .get_template(f"{kind}.{fmt}.j2")
        .render(
            table=table,
            rows=_template_rows(table),
            groups=_groups(table.columns),
            label=_label(table),
            headings=dict(table.sections),
            full=full,
            **extras,
        )
    )
    return _with_fallbacks(text) if fmt == "tex" and not full else text


def _latex_table(table: Grid, options: Options, full: bool) -> str:
    placed = layout(table, options)
    template = environment("tex").get_template("table.tex.j2")
    text = template.render(label=_label(table), full=full, **placed)
    text = re.sub(r"\n{2,}", "\n", text)  # an empty line would be a paragraph
    if full:
        return text
    comments = 3 if placed["slide"] else 2
    return _with_fallbacks(text, comments)


def _with_fallbacks(text: str, comments: int = 2) -> str:
    """A drop-in with the macros that it uses, behind so many lines of comment at its head: they
    print codes, the preamble's own print more.
    """
    provided = {
        r"\rkchar": (1, r"\ifdim\lastkern=1sp \allowbreak\fi U+#1\kern1sp "),
        r"\rktext": (1, "#1"),
        r"\rkrtl": (1, "#1"),
        r"\rkline": (2, IN_LINES),
        r"\rkfits": (3, WHERE_IT_FITS),
    }
    macros = [
        f"\\providecommand{{{name}}}[{n}]{{{body}}}%\n"
        for name, (n, body) in provided.items()
        if name + "{" in text
    ]
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:comments], *macros, *lines[comments:]])


def _label(table: Grid) -> Markup:
    return Markup(latex_label("tab", table.eval, table.name))


def _groups(columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Spanning heads: runs of columns with the same group, and whether any has a name."""
    groups, start = [], 1
    for name, run in itertools.groupby(columns, key=lambda c: c.group):
        span = len(list(run))
        groups.append({"name": name, "span": span, "first": start, "last": start + span - 1})
        start += span
    return groups if any(g["name"] for g in groups) else []


def _last(table: Grid) -> int:
    """Rows at the end that share a page with the notes: two, but none from an earlier section."""
    start = max((row for row, _ in table.sections), default=0)
    return max(1, min(2, len(table.cells) - start))


def _value(table: Grid, row: int, column: int) -> Markup | None:
    value = table.values[row][column] if table.values else None
    return None if value is None or not math.isfinite(value) else Markup(repr(float(value)))


def _order(table: Grid, row: int, column: int) -> Markup | None:
    """By what the score of an eval sorts among those of evals with other scales; "": by nothing."""
    ends, value = table.scales.get(table.cells[row][0]), _value(table, row, column)
    if ends is None or value is None or not is_wide(table.columns[column].key):
        return None
    place = place_of(float(value), ends)
    return Markup("" if place is None else f"{place:.6g}")


def _html_extras(table: Grid) -> dict[str, Any]:
    """What only the HTML of a table needs: texts to copy and download, the script, what it asks of
    columns.
    """
    size, data = len(table.cells) * len(table.columns), csv_text(table)
    copied = replace(table, number=None, notes=without_files(table.notes))
    uri = Markup("data:text/csv;charset=utf-8," + urllib.parse.quote(data, safe=",:;/()"))
    return {
        "copies": {fmt: render_table(copied, fmt) for fmt in ("tex", "md") if size <= COPIED_CELLS},
        "csv": uri if len(data) <= CSV_IN_PAGE else None,
        "script": table_script(),
        "classes": classes_of(table),
        "row_class": OF_EVALS if is_models_by_evals(table) else "",
        "letters": letters_of_names(table),
        "starts": starts_of_groups(table),
        "first_order": first_order,
        "breaks": breaks,
        "apart": apart,
        "names": OF_NAMES,
    }
