"""Tables of separated values: CSV, TSV and semicolons."""

import csv
import io
import re

import pandas as pd

from reportkit.inputs.files import BrokenFile

FORMATS = "give CSV, JSON, Parquet or another format of tables"


def read_csv(text: str, path: str, comment: str = "") -> pd.DataFrame:
    """A table, all of it text: a model may be called NA, and an id 007. Lines that begin with
    `comment` are no rows.
    """
    text = _without_comments(text, comment) if comment else text
    text = re.sub(r"\A\s*[\r\n]", "", text)  # blank lines before the head
    if not text.strip():
        return pd.DataFrame()
    head = text.strip().splitlines()[0]
    if head.startswith("<"):
        raise BrokenFile(f"{path}: a web page or XML ({head[:60]!r}), not a table; {FORMATS}")
    separator = max([",", "\t", ";"], key=head.count)
    if not head.count(separator):
        hint = "; say --read comment=# if that is a comment" if head.startswith("#") else ""
        raise BrokenFile(f"{path}: not a table: its first line is {head[:60]!r}; {FORMATS}{hint}")
    try:
        frame = pd.read_csv(
            io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, na_filter=False
        )
        first = next(csv.reader(io.StringIO(text), delimiter=separator))
        if not isinstance(frame.index, pd.RangeIndex):
            raise BrokenFile(
                f"{path}: rows have more cells than the head has columns; quote the cells that "
                "hold a comma"
            )
        if len(first) != len(frame.columns):
            raise ValueError(f"its head is read as {len(first)} or as {len(frame.columns)} columns")
        short = _short_rows(text, separator, len(frame), len(first))
    except BrokenFile:
        raise
    except (pd.errors.ParserError, ValueError, csv.Error) as error:
        reason = str(error).strip().removeprefix("Error tokenizing data. C error: ")
        why = line_ends(error) or (
            f"not a table: {reason}; quote the cells that hold a {separator!r} or a quote"
        )
        raise BrokenFile(f"{path}: {why}") from None
    if short:
        raise BrokenFile(
            f"{path}: {len(short)} of {len(frame)} rows have fewer cells than the head has "
            "columns, the first is "
            f"row {short[0]}; if the file was cut off on its way, copy it again"
        )
    # pandas would call a second column of one name "score.1"
    frame.columns = [name.strip() for name in first]
    return frame


def line_ends(error: Exception) -> str:
    """What is wrong where a line has a carriage return in its middle; empty of any other error."""
    if "new-line character" not in str(error):
        return ""
    return (
        "a line has a carriage return in its middle; save the file with line ends of one kind, or "
        "quote the cell that holds it"
    )


def _without_comments(text: str, comment: str) -> str:
    """The text without the lines that begin so, but for those inside a cell in quotes.

    >>> _without_comments('# made today\\na,b\\n1,"x\\n# y"\\n', "#")
    'a,b\\n1,"x\\n# y"\\n'
    """
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if not inside and line.lstrip().startswith(comment):
            continue
        inside ^= line.count('"') % 2 == 1
        kept.append(line)
    return "".join(kept)


def _short_rows(text: str, separator: str, n: int, width: int) -> list[int]:
    """Rows that end early. pandas fills them with "", which looks like an empty score. The rows are
    read again only where the number of separators is wrong.
    """
    if '"' not in text and text.count(separator) == (n + 1) * (width - 1):
        return []
    # of the whole process, and 128 KB: less than a prompt may have
    limit = csv.field_size_limit(2**31 - 1)
    try:
        rows = (
            r
            for r in csv.reader(io.StringIO(text), delimiter=separator)
            if any(c.strip() for c in r) or len(r) > 1
        )
        return [k for k, row in enumerate(rows) if len(row) < width]
    finally:
        csv.field_size_limit(limit)
