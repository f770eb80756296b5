"""Notes of a Word document's tables: on the page of their table, or a row of it."""

import copy
from collections.abc import Iterator

from reportkit.documents.docx_tables import KEPT, LINE, NOTE, PORTRAIT, body
from reportkit.documents.pandoc import Node

WIDE = 0.6  # of the line that a table takes whose notes are as wide as itself


def ended(placed: list[tuple[Node, bool]]) -> Iterator[tuple[Node, bool]]:
    """Blocks, each with whether its page is turned. A table stays on the page of its notes, and of
    nothing else that follows it. The notes of a long and wide one are its last row: LibreOffice
    left a paragraph below it to the next page.
    """
    following = [*(node for node, _ in placed), None][1:]
    notes: Node | None = None  # that stand in the table above
    for (node, turned), after in zip(placed, following, strict=True):
        if node is notes:
            continue
        noted = after is not None and after["t"] == "Div" and NOTE in after["c"][0][2][0]
        if node["t"] == "Table" and not noted:
            yield _ended(node), turned
        elif node["t"] == "Table" and len(body(node)) > KEPT and _wide(node):
            notes = after
            yield _with_notes(node, after), turned
        else:
            yield node, turned


def _wide(table: Node) -> bool:
    """Whether notes that are no wider than the table have few lines more."""
    return sum(spec[1]["c"] for spec in table["c"][2]) * LINE > WIDE * PORTRAIT


def _with_notes(table: Node, notes: Node | None) -> Node:
    """The table with its notes as a row of one cell."""
    table = copy.deepcopy(table)
    cell = [["", [], []], {"t": "AlignLeft"}, 1, len(table["c"][2]), [notes]]
    rows = table["c"][5][1] or table["c"][4][-1][3]
    rows.append([["", [], []], [cell]])
    return table


def _ended(table: Node) -> Node:
    """The table whose last row does not stay with what follows."""
    table = copy.deepcopy(table)
    for row in body(table)[-1:]:
        for cell in row[1]:
            for block in cell[4]:
                [[_, style]] = block["c"][0][2]
                block["c"][0][2] = [["custom-style", style.replace("Table Text", "Table Row")]]
    return table
