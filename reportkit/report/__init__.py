"""What the cells of a notebook call. `Report` is imported when it is asked for: who puts a finished
notebook in order needs nothing of what makes its numbers.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportkit.report.one_eval import Report as Report

__all__ = ["Report"]


def __getattr__(name: str) -> object:
    if name != "Report":
        raise AttributeError(f"module 'reportkit.report' has no attribute {name!r}")
    from reportkit.report.one_eval import Report

    return Report
