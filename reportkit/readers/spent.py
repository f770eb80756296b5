"""What a run took, as harnesses tell it: bounds of what can be, and times of several evals."""

import math
from typing import Any

LONGEST = 1e9  # seconds, 30 years: more is no time that a run took
MOST_TOKENS = 10**15  # more is no count of tokens


def whole_run(told: object, evals: int) -> dict[str, Any]:
    """Fields of RunFacts: the seconds that a harness gives for all its evals together, as a number
    or as text; none where it is no time, or where the number of evals is not known.

    >>> whole_run("21.4", 1), whole_run(21.4, 6)["time_of"], whole_run("N/A", 1)
    ({'seconds': 21.4, 'time_of': ''}, 'one run of 6 evals together', {})
    """
    try:
        seconds = float(told) if isinstance(told, str | int | float) else math.nan
    except (ValueError, OverflowError):
        seconds = math.nan
    if not 0.0 < seconds < LONGEST or not evals:
        return {}
    return {"seconds": seconds, "time_of": f"one run of {evals} evals together" * (evals > 1)}
