"""A checked table for a terminal, as Markdown and as JSON."""

import textwrap

from reportkit.advised import said
from reportkit.documents.prose import checked as prose_checked
from reportkit.documents.prose import checked_authors, checked_pairs
from reportkit.documents.prose.checked import TITLES
from reportkit.published import CheckedTable
from reportkit.tables.published import TABLES
from reportkit.tables.writers.plain import plain_text, prose_width
from reportkit.tables.writers.render import render_table
from reportkit.text.visible import json_text, terminal


def checked_text(c: CheckedTable, width: int | None = None) -> str:
    """For a terminal: findings, what the pairs allow to conclude, tables, what was left out.

    width: of the terminal, as plain_text takes it for the tables.
    """
    prose = prose_width(width)
    blocks = [_wrapped(prose_checked.opening(c), prose)]
    for severity, title in TITLES.items():
        found = prose_checked.told(c, severity)
        if found:
            lines = [_wrapped(line, prose, "  - ", "    ") for line in found]
            blocks.append("\n".join([f"{title}:", *lines]))
    blocks.append("\n".join(_wrapped(line, prose) for line in checked_pairs.conclusion_lines(c)))
    made = [make(c) for make in TABLES.values()]
    blocks += [plain_text(table, width) for table in made if table.cells]
    blocks += [_wrapped(said(line), prose) for line in (*c.table.read_as, *c.unchecked)]
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str, width: int, first: str = "", later: str = "") -> str:
    lines = textwrap.wrap(
        terminal(text), width, initial_indent=first, subsequent_indent=later,
        break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)


def checked_markdown(c: CheckedTable) -> str:
    """The same as Markdown, with the paragraph for the authors."""
    tables = [make(c) for make in TABLES.values()]
    parts = [
        "## Findings",
        prose_checked.findings(c),
        "## What follows from the pairs",
        checked_pairs.conclusions(c),
        *(render_table(table, "md") for table in tables if table.cells),
        "## For the authors",
        checked_authors.to_authors(c),
        "## Methods",
        prose_checked.methods(c),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def checked_json(c: CheckedTable) -> str:
    return json_text(c.to_json())
