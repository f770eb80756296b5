"""The base of every record: how it shows itself in a notebook, how it becomes a DataFrame, and the
types of its numbers.
Standard library only; pandas is imported when a frame is asked for.
"""

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 6  # entries of an array that a cell of HTML shows

# What becomes of a number where scores s are written as a + b s (analysis.units): a + b x, b x,
# b^2 x, or x as it is.
Score = Annotated[float, "score"]
Apart = Annotated[float, "difference"]
Squared = Annotated[float, "squared"]
Unmoved = Annotated[float, "not"]


class Record:
    """A frozen dataclass that shows itself."""

    __slots__ = ()

    def to_frame(self) -> "pd.DataFrame":
        """The fields as columns, numbers unrounded: one row, or of arrays of one length a row for
        each entry.
        """
        import pandas as pd

        values = dict(self._values())
        lengths = {len(v) for v in values.values() if _is_array(v)}
        if len(lengths) == 1:
            return pd.DataFrame(values, index=range(lengths.pop()))
        return pd.DataFrame([values])

    def __str__(self) -> str:
        return text_table(self._rows())

    def _repr_html_(self) -> str:
        return html_table(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [{type(self).__name__: k, "": v} for k, v in self._values()]

    def _values(self) -> Iterator[tuple[str, Any]]:
        """The fields with their values; of a record in a field each of its own, as estimate.se."""
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, Record):
                yield from ((f"{field.name}.{name}", inner) for name, inner in value._values())
            else:
                yield field.name, value


def frame_of(records: Sequence[Any], **labels: Any) -> "pd.DataFrame":
    """Records as rows of a DataFrame; labels: columns before them, the same in every row."""
    import pandas as pd

    return pd.DataFrame([labels | asdict(record) for record in records])


def html_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A small HTML table; every name in it is text.

    >>> print(html_table([{"model": "<b>", "mean": 0.65512345}]))
    <table><thead><tr><th>model</th><th>mean</th></tr></thead><tbody>
    <tr><td>&lt;b&gt;</td><td>0.655123</td></tr>
    </tbody></table>
    """
    if not rows:
        return "<table></table>"
    heads = "".join(f"<th>{html.escape(str(name))}</th>" for name in rows[0])
    lines = [f"<table><thead><tr>{heads}</tr></thead><tbody>"]
    for row in rows:
        cells = "".join(f"<td>{html.escape(shown(value))}</td>" for value in row.values())
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join([*lines, "</tbody></table>"])


def text_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A small table for a terminal, text on the left and numbers on the right of their columns.

    >>> print(text_table([{"model": "Galleon", "mean": 0.5}, {"model": "B", "mean": 0.65512345}]))
    model        mean
    Galleon       0.5
    B        0.655123
    """
    if not rows:
        return ""
    columns = []
    for name in rows[0]:
        values = [row[name] for row in rows]
        cells = [_printable(text) for text in (name, *map(shown, values))]
        width = max(map(len, cells))
        if all(isinstance(value, int | float) for value in values):
            columns.append([cell.rjust(width) for cell in cells])
        else:
            columns.append([cell.ljust(width) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _printable(text: str) -> str:
    """Names are others' and may hold anything: what moves a terminal's cursor is its escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(value: Any) -> str:
    """A value in a few characters: six digits, a dash for what is undefined, the first entries of
    an array, of records how many there are.

    >>> shown(0.123456789), shown(float("nan")), shown((1.0, 2.0)), shown(range(9))
    ('0.123457', '—', '1, 2', '0, 1, 2, 3, 4, 5, ... (9)')
    """
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else "—"
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {shown(inner)}" for name, inner in value.items())
    if len(value) and isinstance(value[0], Record):
        return f"{len(value)} × {type(value[0]).__name__}"
    entries = [shown(entry) for entry in list(value)[:SHOWN]]
    if len(value) > SHOWN:
        entries.append(f"... ({len(value)})")
    return ", ".join(entries)


def _is_array(value: Any) -> bool:
    """A numpy array of one dimension, or a tuple of numbers."""
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(entry, int | float) for entry in value)
    return getattr(value, "ndim", 0) == 1


def plain(value: Any) -> Any:
    """Records as JSON values: undefined numbers become null.

    >>> plain((1.0, float("nan"), float("inf")))
    [1.0, None, None]
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {k: plain(v) for k, v in asdict(value).items()}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
