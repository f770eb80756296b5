"""Numbers and findings in words."""

from typing import Any

from reportkit.published import Finding, Printed, Scale, Severity, Span
from reportkit.text.numbers import count, fixed


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


def told_by_mark(marks: bool) -> tuple[Severity, str]:
    """How severe it is that rows of one model differ, and when they can be right. marks: one has a
    mark behind the model's name, and another has none or a different one.
    """
    if marks:
        return "condition", "the mark behind the model's name says that it was run in another way"
    return "inconsistent", ""


def as_printed(number: Printed, scale: Scale) -> str:
    """A printed number in one form: with its digits, a real minus sign, and % where it is one."""
    return fixed(number.value, number.digits) + ("%" if scale.percent else "")


def as_count(number: Printed) -> str:
    """A printed number of questions or clusters; one that was rounded stays as it is printed.

    >>> as_count(Printed("2500", 2500.0, 1.0)), as_count(Printed("12k", 12000.0, 1000.0))
    ('2,500', '12k')
    """
    return count(number.value) if number.step <= 1.0 else number.text


def as_points(number: Printed, scale: Scale, *, sign: bool = False) -> str:
    """The same of a difference or its error: that of two percentages is in points, as 2.5% may be
    read as a part of the score.

    >>> as_points(Printed("-2.5%", -2.5, 0.1), Scale(0.0, 100.0, True), sign=True)
    '−2.5 points'
    >>> as_points(Printed("-0.25", -0.25, 0.01), Scale(0.0, 10.0), sign=True)
    '−0.25'
    """
    return fixed(number.value, number.digits, sign=sign) + (" points" if scale.percent else "")


def near(x: float, number: Printed, scale: Scale, more: int = 1) -> str:
    """A computed number, with one digit more than the printed one that it is about."""
    return fixed(x, number.digits + more) + ("%" if scale.percent else "")


def overlap(a: Span, b: Span) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def minus(a: Span, b: Span) -> Span:
    return a[0] - b[1], a[1] - b[0]
