"""Numbers and findings in words."""

from typing import Any

from reportkit.published import Finding, Printed, Scale, Severity, Span
from reportkit.text.numbers import fixed


def finding(row: Any, code: str, severity: Severity, message: str, unless: str = "") -> Finding:
    """A finding about a row of a published table."""
    return Finding(
        code,
        severity,
        row.eval,
        row.model,
        getattr(row, "baseline", ""),
        row.place.table,
        row.place.line,
        message,
        unless,
    )


def as_printed(number: Printed, scale: Scale, sign: bool = False) -> str:
    """A printed number in one form: with its digits, a real minus sign, and % where it is one."""
    return fixed(number.value, number.digits, sign=sign) + ("%" if scale.percent else "")


def near(x: float, number: Printed, scale: Scale, more: int = 1) -> str:
    """A computed number, with one digit more than the printed one that it is about."""
    return fixed(x, number.digits + more) + ("%" if scale.percent else "")


def points(x: float, number: Printed, scale: Scale, more: int = 1) -> str:
    """The size of a difference or an error, without a percent sign that could mislead."""
    text = fixed(abs(x), number.digits + more)
    return f"{text} points" if scale.percent else text


def overlap(a: Span, b: Span) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def minus(a: Span, b: Span) -> Span:
    return a[0] - b[1], a[1] - b[0]
