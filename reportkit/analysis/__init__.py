"""Scores -> records of the statistics, one eval at a time; and what tables and figures are given.

Nothing is imported before it is asked for: `check` needs a few sentences of this package, and none
of the statistics.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reportkit.analysis.one_eval import analyse as analyse
    from reportkit.analysis.one_eval import results_given as results_given
    from reportkit.analysis.one_eval import results_of as results_of

__all__ = ["analyse", "results_given", "results_of"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'reportkit.analysis' has no attribute {name!r}")
    from reportkit.analysis import one_eval

    found = globals()[name] = getattr(one_eval, name)
    return found
