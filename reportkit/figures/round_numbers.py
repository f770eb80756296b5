"""Round numbers at the ends of a scale and between, and how they are written."""

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


def round_between(low: float, high: float) -> list[float]:
    """The numbers between the ends of a scale: 0, or else its half, or its thirds where a half has
    one digit more. Where one side of 0 is the longer, its half too.

    >>> round_between(-15.0, 15.0), round_between(-80.0, 0.0), round_between(-15.0, 0.0)
    ([0.0], [-40.0], [-10.0, -5.0])
    >>> round_between(-0.2, 1.0)
    [0.0, 0.5]
    """
    if low < 0.0 < high:
        return [0.0] if high <= -low else [0.0, high / 2]
    span = f"{high - low:.1e}"
    parts = 3 if span.startswith(("1.5", "3.0")) else 2
    return [low + (high - low) * k / parts for k in range(1, parts)]
