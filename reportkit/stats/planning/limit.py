"""What a published mean's own error leaves to be found, whatever is asked of ours."""

from dataclasses import replace

import numpy as np

from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.detectable import NEWCOMBE, STEPPED, Plan, detectable_difference


def least_of_any(designs: PairDesigns, plan: Plan, largest: float) -> np.ndarray:
    """The smallest difference that any number of our questions up to the largest finds against a
    published mean, shape (P,), in units of the scale; nan as of detectable_difference. Of
    Newcombe's interval it is the least of several numbers (STEPPED), as for times_needed.

    >>> from reportkit.stats.planning.expected import expected_design, expected_pair
    >>> d = replace(
    ...     expected_design(expected_pair("binary", mean=0.71)), method=np.array([NEWCOMBE]),
    ...     fixed=np.array([0.2059]), fixed_n=np.array([60.0]), fixed_df=np.array([59.0]))
    >>> least_of_any(d, Plan(), 1e7).round(3).item()
    0.176
    """
    sizes = (largest, *STEPPED) if (designs.method == NEWCOMBE).any() else (largest,)
    found = [detectable_difference(designs, replace(plan, questions=n / designs.n)) for n in sizes]
    return np.fmin.reduce(found)
