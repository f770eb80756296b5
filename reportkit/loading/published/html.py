"""Tables of HTML, as they are copied from a page. Text that a page does not show is left out; what
may be two things is refused.
"""

import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from reportkit.errors import ScoresError
from reportkit.loading.published.latex_text import RAISED, Unread, plain_latex
from reportkit.loading.published.sheet import ONE_LINE, Row, Sheet, Sheets, headed, named

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
UNSEEN = {"script", "style", "template", "annotation", "annotation-xml", "noscript", "title"}
STRUCK = {"del", "s", "strike"}
PLAIN_MATH = {"math", "mrow", "mn", "mo", "mi", "mtext", "mstyle", "mspace", "semantics",
              *UNSEEN}  # fmt: skip
CELLS = ("td", "th")
# What stands between a table and text that is none of its notes.
NO_NOTES = {"table", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "section", "article", "nav",
            "header", "footer", "pre", "form"}  # fmt: skip
WIDEST = 200  # columns of a table
_RAISED = str.maketrans(RAISED)
ENDS = {  # what a tag closes that may stand open
    **dict.fromkeys(CELLS, CELLS), "tr": (*CELLS, "tr"),
    **dict.fromkeys(("thead", "tbody", "tfoot", "table"), (*CELLS, "tr", "thead", "tbody")),
}  # fmt: skip


def is_html(text: str) -> bool:
    return re.search(r"<table\b", text, re.IGNORECASE) is not None


class _Beside(HTMLParser):
    """What a page says outside of its tags, its scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:  # type: ignore[attr-defined]
            self.text.append(data)


def text_beside(text: str) -> str:
    """The text of a page: what a tag holds, such as the Markdown behind a button, is none of it.

    >>> text_beside('<p data-md="| A |\\n|---|">Two <b>words</b></p><script>a | b</script>')
    'Two words'
    """
    reader = _Beside()
    reader.feed(text)
    reader.close()
    return "".join(reader.text)


def html_sheets(text: str, name: str) -> Sheets:
    """The tables of a page or a part of it. ScoresError with the line where one is not read."""
    reader = _Reader(name)
    reader.feed(text)
    reader.close()
    if reader.table is not None:
        raise ScoresError(f"{name}, line {reader.table.line}: there is no </table>; copy it whole")
    return named([_sheet(t, name) for t in reader.tables])


@dataclass(slots=True)
class _Cell:
    head: bool
    across: int = 1  # columns that it spans
    text: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    """A table as it is read. rows: the line, whether it stands in thead, and the cells of each."""

    line: int
    caption: str = ""
    rows: list[tuple[int, bool, list[_Cell]]] = field(default_factory=list)
    in_head: bool = False
    foot: int | None = None  # the first row of tfoot
    below: str = ""  # the paragraph directly below
    # cells that reach down, by column: rows that are left, and the text
    reaching: dict[int, tuple[int, _Cell]] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self, name: str):
        super().__init__(convert_charrefs=True)
        self.name = name
        self.tables: list[_Table] = []
        self.table: _Table | None = None
        self.cell: _Cell | None = None
        self.open: list[tuple[str, bool]] = []  # tags, and whether the page shows what is inside
        self.caption: list[str] | None = None
        self.of_figure, self.of_all = 0, ""  # of a figure: tables before it, its caption
        self.below: list[str] | None = None  # the text behind a table, up to the end of a paragraph

    # What the parser calls ------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {k: v or "" for k, v in attrs}
        self._close_before(tag)
        seen = self._seen and not _hidden(tag, of)
        if tag not in VOID:
            self.open.append((tag, seen))
        if tag in NO_NOTES:
            self.below = None
        if tag == "table":
            if self.table is not None:
                raise self._refuse("a table stands in a cell; write its text there")
            self.table = _Table(self.getpos()[0])
        elif tag == "figure":
            self.of_figure, self.of_all = len(self.tables), ""
        elif tag in ("caption", "figcaption"):
            self.caption = []
        elif self.table is not None:
            self._in_table(self.table, tag, of)

    def handle_endtag(self, tag: str) -> None:
        if tag not in [name for name, _ in self.open]:
            return
        while self.open and self.open[-1][0] != tag:
            self._ended(self.open.pop()[0])
        self.open.pop()
        self._ended(tag)

    def handle_data(self, data: str) -> None:
        if not self._seen:
            return
        if self.caption is not None:
            self.caption.append(data)
        elif self.cell is not None:
            self.cell.text.append(self._raised(data))
        elif self.below is not None:
            self.below.append(data)
            self.below = self.below if self.open[-1:] or not data.strip() else None

    # Tables ---------------------------------------------------------------------------------------

    def _in_table(self, table: _Table, tag: str, of: dict[str, str]) -> None:
        if tag == "thead":
            table.in_head = True
        elif tag == "tfoot":
            table.foot = len(table.rows)
        elif tag == "tr":
            table.rows.append((self.getpos()[0], table.in_head, []))
            self._reach(table)
        elif tag in CELLS:
            self._cell(table, tag, of)
        elif self.cell is not None:
            self._in_cell(self.cell, tag, of)

    def _in_cell(self, cell: _Cell, tag: str, of: dict[str, str]) -> None:
        if tag in ("br", "p", "div", "li", "hr"):
            cell.text.append(" ")
        elif tag in STRUCK:
            raise self._refuse("a number is struck out; leave out what no longer holds")
        elif tag == "math" and of.get("alttext"):
            self.open[-1] = (tag, False)  # the LaTeX of it says the same
            try:
                cell.text.append(plain_latex(of["alttext"]))
            except Unread as error:
                raise self._refuse(str(error)) from None
        elif self._in_math and tag not in PLAIN_MATH and self._seen:
            raise self._refuse(f"a formula has <{tag}>; write what it prints as plain text")

    def _cell(self, table: _Table, tag: str, of: dict[str, str]) -> None:
        if not table.rows:
            raise self._refuse("a cell stands in no row (<tr>); copy the table whole")
        across, down = (_span(of.get(name, "")) for name in ("colspan", "rowspan"))
        if across > WIDEST:
            raise self._refuse(f"a cell spans {across} columns; copy the table alone")
        row = table.rows[-1][2]
        self.cell = _Cell(tag == "th", across)
        for _ in range(across):
            if len(row) in table.reaching:
                raise self._refuse("two cells stand in one place; write each in its own")
            if down > 1:
                table.reaching[len(row)] = (down - 1, self.cell)
            row.append(self.cell)

    def _reach(self, table: _Table) -> None:
        """Cells of rows above that reach down into the next place of this row."""
        row = table.rows[-1][2]
        while len(row) in table.reaching:
            left, cell = table.reaching.pop(len(row))
            if left > 1:
                table.reaching[len(row)] = (left - 1, cell)
            row.append(cell)

    def _ended(self, tag: str) -> None:
        table = self.table
        if tag in CELLS:
            self.cell = None
            if table is not None and table.rows:
                self._reach(table)
        elif tag == "thead" and table is not None:
            table.in_head = False
        elif tag == "table" and table is not None:
            self.tables.append(table)
            self.table = self.cell = None
            self.below = []
        elif tag in ("p", "div", "small") and "".join(self.below or []).strip():
            self.tables[-1].below, self.below = "".join(self.below or []), None
        elif tag in ("caption", "figcaption") and self.caption is not None:
            told, self.caption = "".join(self.caption), None
            if tag == "caption" and table is not None:
                table.caption = told
            elif tag == "figcaption":
                self.of_all = told
        elif tag == "figure":
            self._figure_ended()

    def _figure_ended(self) -> None:
        """Its caption, before or behind the table, names the table that is alone in it."""
        if len(self.tables) == self.of_figure + 1 and not self.tables[-1].caption:
            self.tables[-1].caption = self.of_all
        self.of_figure, self.of_all = len(self.tables), ""

    # Tags -----------------------------------------------------------------------------------------

    @property
    def _seen(self) -> bool:
        return all(seen for _, seen in self.open)

    @property
    def _in_math(self) -> bool:
        return any(tag == "math" for tag, _ in self.open)

    def _close_before(self, tag: str) -> None:
        """Ends tags that HTML lets stand open, such as td before the next td."""
        while self.open and self.open[-1][0] in ENDS.get(tag, ()) and self.table is not None:
            self._ended(self.open.pop()[0])

    def _raised(self, data: str) -> str:
        """Digits of <sup> as raised ones, so that they are no part of a number."""
        tags = [tag for tag, _ in self.open]
        if "sub" in tags and data.strip() and not re.match(r"\s*[±(]", data):
            raise self._refuse(
                f"{data.strip()!r} is lowered, and may be an error or a part of a name; write it "
                "as 65.5 ± 0.7 or 65.5 (0.7), or as plain text"
            )
        if "sup" not in tags or re.match(r"\s*[±(]", data):
            return f" {data}" if {"sub", "sup"} & set(tags) else data
        if re.search(r"[.+\-−%]|\d\d\d", data):
            raise self._refuse(
                f"{data.strip()!r} is raised; write it as plain text, or take it out"
            )
        return f"^{data}" if len(data) == 1 and data.isalpha() else data.translate(_RAISED)

    def _refuse(self, why: str) -> ScoresError:
        return ScoresError(f"{self.name}, line {self.getpos()[0]}: {why}")


def _hidden(tag: str, of: dict[str, str]) -> bool:
    """Whether a page does not show what is inside."""
    style = of.get("style", "").replace(" ", "").casefold()
    return tag in UNSEEN or "hidden" in of or "display:none" in style or "hidden" in style


def _span(text: str) -> int:
    return int(text) if text.strip().isdigit() and int(text) > 0 else 1


def _sheet(table: _Table, name: str) -> Sheet:
    notes = _take_notes(table)
    rows = [(line, head, cells) for line, head, cells in table.rows if any(map(_text, cells))]
    are = [head or all(c.head for c in cells) for _, head, cells in rows]
    heads = sum(are)
    if heads > 1 and not all(are[:heads]):
        raise ScoresError(
            f"{name}, line {table.line}: {heads} rows are heads, not all at the top; {ONE_LINE}"
        )
    made = [
        Row(line, tuple(map(_text, cells)), max(c.across for c in cells)) for line, _, cells in rows
    ]
    below = " ".join(" ".join([*notes, table.below]).split())
    return replace(headed(table.caption, made, heads, name, table.line), below=below)


def _take_notes(table: _Table) -> list[str]:
    """Takes the rows of tfoot that are text in one cell out of a table."""
    if table.foot is None:
        return []
    notes: list[str] = []
    foot = table.rows[table.foot :]
    del table.rows[table.foot :]
    for row in foot:
        own = {id(cell): _text(cell) for cell in row[2] if _text(cell)}
        if len(own) == 1 and len(row[2]) > 1:
            notes += own.values()
        elif own:
            table.rows.append(row)
    return notes


def _text(cell: _Cell) -> str:
    return " ".join("".join(cell.text).split())
