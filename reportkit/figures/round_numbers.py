"""Round numbers at the ends of a scale, and how they are written."""

import math


def round_up(value: float) -> float:
    """The next round number.

    >>> round_up(0.48), round_up(0.083), round_up(7.1), round_up(12.6)
    (0.5, 0.1, 8.0, 15.0)
    """
    if not value > 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(f"{next((s for s in steps if value <= s * power * (1 + 1e-9)), 10) * power:.6g}")


def round_tick(value: float) -> str:
    """A round number of a scale, with its sign.

    >>> round_tick(-40.0), round_tick(0.0), round_tick(0.5)
    ('−40', '0', '+0.5')
    """
    value = round(value, 9)
    return f"{value:+,.6g}".replace("-", "−") if value else "0"
