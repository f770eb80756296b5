"""Comparing numbers that two ways of computing them should agree on.

Two orders of the same sums differ by their last bits, and by how much depends on the processor
(the width of its vectors, fused products). So two ways are compared to 12 digits; one and the same
computation, made twice, is compared exactly.
"""

import math
from dataclasses import fields, is_dataclass

REL = 1e-12
ABS = 1e-14  # of scores near 1: what subtraction leaves where the answer is 0


def alike(one: object, other: object, *, rel: float = REL, abs_: float = ABS) -> bool:
    """Equal but for rounding: numbers, records or tuples of them; nan equals nan, texts and counts
    are equal exactly.
    """
    if is_dataclass(one) and type(one) is type(other):
        names = [f.name for f in fields(one)]
        pairs = [(getattr(one, n), getattr(other, n)) for n in names]
        return all(alike(a, b, rel=rel, abs_=abs_) for a, b in pairs)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        same_length = len(one) == len(other)
        return same_length and all(
            alike(a, b, rel=rel, abs_=abs_) for a, b in zip(one, other, strict=True)
        )
    if isinstance(one, float) and isinstance(other, float):
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return math.isclose(one, other, rel_tol=rel, abs_tol=abs_)
    return one == other
