"""A file -> the tables in it, as cells of text."""

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportkit.errors import ScoresError, did_you_mean
from reportkit.loading.published.html import html_sheets, is_html, text_beside
from reportkit.loading.published.latex import is_latex, latex_sheets
from reportkit.loading.published.sheet import Row, Sheet, Sheets, headed, named
from reportkit.readers.csv_tables import line_ends

RULE = re.compile(r":?-+:?")
LINK = re.compile(r"\[([^\[\]]+)\]\(https?://[^()\s]*\)")  # [GPT-4](https://example.org)


CAPTION = re.compile(r"\s*\"?\s*(?:table|tab\.)\s+[\w.]+\s*(?:[:.(|–—]|\"?\s*$)", re.IGNORECASE)


_TABLE = re.compile(r"\||<table\b|\\begin\b", re.IGNORECASE)


class Number(str):
    """A number of TOML as it is written: 63.50 keeps its last digit."""


def sheets_of(text: str, name: str) -> Sheets:
    """The tables of a file, by its name or by what the text looks like; name: the file's, for
    messages.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise ScoresError(f"{name} is empty; it should hold a table of eval, model, mean and n")
    kind = name.casefold().rpartition(".")[2]
    if (
        kind in ("md", "markdown")
        and re.match(r"\s*(?:\*\*|#+ )", text)
        and not _TABLE.search(text)
    ):
        raise ScoresError(f"{name} holds text and no table: no line has a |")
    read = next(f.read for f in FORMATS if kind in f.endings or f.claims(text))
    other = is_html(text) or is_latex(text)
    if other and _has_rule(text_beside(text) if is_html(text) else text):
        raise ScoresError(
            f"{name} has a table in Markdown and one in HTML or LaTeX; keep one kind in a file"
        )
    return read(text, name)


def _is_markdown(text: str) -> bool:
    """Whether | parts the cells. A name may hold one: then commas, tabs or semicolons part them."""
    lines = text.splitlines()
    piped = [line for line in lines if "|" in line]
    if len(piped) < 2:
        return False
    return _has_rule(text) or not re.search(r"[,;\t]", next(line for line in lines if line.strip()))


def _has_rule(text: str) -> bool:
    return any("|" in line and _is_rule(_pipes(line)) for line in text.splitlines())


# Markdown -----------------------------------------------------------------------------------------


def _markdown_sheets(text: str, name: str) -> Sheets:
    lines = text.splitlines()
    sheets = tuple(replace(s, notes=_below(lines, s)) for s in _markdown(lines, name))
    if not sheets:
        raise ScoresError(
            f"{name}: a table with | needs a line of heads and a row below it; write "
            "| eval | model | mean | n |"
        )
    return named(sheets)


def _markdown(lines: Sequence[str], name: str) -> Iterator[Sheet]:
    """Every run of lines with | is a table; its name is the last line of text above it."""
    above, block = "", []  # type: str, list[tuple[int, str]]
    caption: list[str] = []  # the lines of text without an empty one between
    open_ = False
    for number, line in enumerate([*lines, ""], 1):
        if "|" in line:
            block.append((number, line))
            continue
        if len(block) > 1:
            whole = " ".join(caption)
            title = whole if re.match(r"table\b", whole, re.IGNORECASE) else above
            yield replace(_of_block(block, title, name), caption=whole)
            above, caption = "", []
        if block and not line.strip():
            block = []
            continue
        block = []
        if line.strip():
            text = line.replace("**", "").strip().strip("#*_ ")
            caption = [*(caption if open_ else []), text]
        open_ = bool(line.strip())
        above = line.replace("**", "").strip().strip("#*_ ").rstrip(":.") or above


def _below(lines: Sequence[str], sheet: Sheet) -> str:
    """The text below a table, up to the next table or what names it."""
    found: list[str] = []
    for line in lines[max(sheet.line, *(at for at, _ in sheet.rows)) :]:
        if "|" in line or re.match(r"[\W_]*table\b", line, re.IGNORECASE):
            break
        found.append(line.strip())
    return " ".join(filter(None, found))


def _of_block(block: Sequence[tuple[int, str]], title: str, name: str) -> Sheet:
    rows = [Row(number, _pipes(line)) for number, line in block]
    rows = [row for row in rows if not _is_rule(row.cells)]
    return headed(title, rows, 1, name, block[0][0])


def _pipes(line: str) -> tuple[str, ...]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    cells = re.split(r"(?<!\\)\|", LINK.sub(r"\1", line))
    return tuple(cell.replace("\\|", "|").strip() for cell in cells)


def _is_rule(cells: Sequence[str]) -> bool:
    return all(RULE.fullmatch(cell.replace(" ", "")) for cell in cells)


# CSV ----------------------------------------------------------------------------------------------


def _csv(text: str, name: str) -> Sheets:
    """Separated by what the first line has: tabs, semicolons or commas. # begins a remark. A line
    above that begins with Table 3, in quotes or not, is the caption.
    """
    lines = text.splitlines()
    caption = ""
    above = next((i for i, line in enumerate(lines) if line.strip(" ,;\t")), 0)
    if lines and CAPTION.match(lines[above]):
        caption = lines[above].strip(" ,;\t").strip('"').replace('""', '"')
        lines[above] = ""
        text = "\n".join(lines)
    first = next((line for line in lines if line.strip(" ,;\t") and line[0] != "#"), "")
    if not first:
        raise ScoresError(f"{name} holds no table; it should hold one of eval, model, mean and n")
    by = next((mark for mark in ("\t", ";", ",") if mark in first), "")
    if not by:
        raise ScoresError(
            f"{name}: the first line has no comma, tab, semicolon or |, so it is no table; write "
            "eval,model,mean,n"
        )
    reader = csv.reader(io.StringIO(text), delimiter=by, skipinitialspace=True, strict=True)
    rows: list[Row] = []
    begins = 0
    try:
        for cells in reader:
            remark = lines[begins].startswith("#")  # a quoted name may begin with it
            begins = reader.line_num
            if any(c.strip() for c in cells) and not remark:
                rows.append(Row(reader.line_num, tuple(c.strip() for c in cells)))
    except csv.Error as error:
        why = line_ends(error) or (
            f'this is no CSV ({error}); put a cell with a comma in quotes: "65.5 [64.2, 66.8]"'
        )
        raise ScoresError(f"{name}, line {reader.line_num}: {why}") from None
    sheet = replace(headed(caption, rows, 1, name, 1), by=by)
    return named((sheet,)) if caption else Sheets((sheet,))


# TOML ---------------------------------------------------------------------------------------------


def _toml(text: str, name: str) -> Sheets:
    """[[means]] and [[differences]] are rows; other keys are options. Numbers stay as written."""
    try:
        found = tomllib.loads(text, parse_float=Number)
    except tomllib.TOMLDecodeError as error:
        raise ScoresError(f"{name}: this is no TOML: {error}") from None
    sheets = []
    lines = _lines_of_rows(text)
    for key in ("means", "differences"):
        rows = found.pop(key, [])
        if not (isinstance(rows, list) and all(isinstance(r, dict) for r in rows)):
            raise ScoresError(f"{name}: write each row of {key!r} under [[{key}]]")
        if rows:
            sheets.append(_of_rows(rows, lines.get(key, [])))
    if not sheets:
        near = did_you_mean(next(iter(found), ""), ["means", "differences"])
        raise ScoresError(f"{name} has no [[means]]{near if found else ''}")
    return Sheets(tuple(sheets), {k.replace("-", "_"): v for k, v in found.items()})


def _lines_of_rows(text: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line)
        if match:
            found.setdefault(match[1], []).append(number)
    return found


def _of_rows(rows: Sequence[dict[str, Any]], lines: Sequence[int]) -> Sheet:
    heads = tuple(dict.fromkeys(key for row in rows for key in row))
    numbers = [*lines, *[0] * len(rows)]
    body = tuple(
        (numbers[i], tuple(_toml_text(row.get(h, "")) for h in heads)) for i, row in enumerate(rows)
    )
    return Sheet("", heads, body, numbers[0])


def _toml_text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{'; '.join(map(str, value))}]"
    return str(value)


# All of them --------------------------------------------------------------------------------------


def _json(text: str, name: str) -> Sheets:
    raise ScoresError(
        f"{name} is JSON, which is not read here; write the table as CSV, with a first line such "
        "as eval,model,mean,n. For scores of single questions there is reportkit check"
    )


@dataclass(frozen=True, slots=True)
class Format:
    """A format of a file. endings: of its name. claims: whether a text looks like it. read: from
    the text and the file's name.
    """

    endings: tuple[str, ...]
    claims: Callable[[str], bool]
    read: Callable[[str, str], Sheets]


def _is_json(text: str) -> bool:
    return re.match(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\]])", text) is not None


def _never(text: str) -> bool:
    return False


def _always(text: str) -> bool:
    return True


# The first that a file's name or text fits reads it. A page may have LaTeX in it, both may have |.
FORMATS = (
    Format(("toml",), _never, _toml),
    Format(("json", "jsonl", "ipynb"), _is_json, _json),
    Format(("html", "htm", "xhtml"), is_html, html_sheets),
    Format(("tex", "ltx"), is_latex, latex_sheets),
    Format((), _is_markdown, _markdown_sheets),
    Format((), _always, _csv),
)
