"""Tags of a PDF that Typst does not write: rows in the foot of a table, and the names of rows."""

import re

# Of a cell: the number of its table, and the heads that Typst lists for it.
_CELL = re.compile(rb"(?<=/S/TD/P )(\d+ 0 R/A\[<</O/Table)(/Headers\[\(U(\d+)x[^\]]*\])")
# The first cell of a row, whose ground is clear (templates/table.typ.j2).
_NAME = re.compile(
    rb"/S/TD(/P \d+ 0 R/A\[<</O/Table)(/Headers\[\(U(\d+)x0y[^\]]*\]>><</O/Layout)"
    rb"/BackgroundColor\[1 1 1\]"
)
# A heading between the rows of a table, which has heads itself.
_SECTION = re.compile(rb"/ID\(U(\d+)x\d+y\d+\)/A\[<</O/Table[^>]*/Headers\[\(")
_ROW = b"/Scope/Row"
_GROUND = b"/BackgroundColor[1 1 1]"


def tagged(pdf: bytes) -> bytes:
    """The PDF of Typst with these tags. Each is as long as what was in its place, so that nothing
    moves in the file.

    Only in the foot of a table does Typst keep rows on one page: to a reader of the tags they are
    rows like those above. The name of a row is a head of it, as in HTML; Typst's own way to say so,
    pdf.header-cell, is closed in its Python package. What Typst lists as heads of a cell are those
    of columns alone. Without a list they are found along rows and columns; but not past a heading
    between rows, so that a table with such headings keeps the lists.
    """
    pdf = pdf.replace(b"/Type/StructElem/S/TFoot/", b"/Type/StructElem/S/TBody/")
    named = {name[3] for name in _NAME.finditer(pdf)} - set(_SECTION.findall(pdf))
    pdf = _NAME.sub(rb"/S/TH\1" + _ROW + rb"\2" + b" " * (len(_GROUND) - len(_ROW)), pdf)

    def without_list(cell: re.Match[bytes]) -> bytes:
        return cell[1] + b" " * len(cell[2]) if cell[3] in named else cell[0]

    return _CELL.sub(without_list, pdf)
