"""What a plan asks its reader to give: one wording for documents and the terminal."""

import math


def to_give(**values: float) -> str:
    """What to give, as a parameter of a report and as an option of the command; nan: any value.

    >>> to_give(epochs=8, epochs_b=2.0), to_give(noise=math.nan)
    ('epochs = 8 and epochs_b = 2 (--epochs 8 --epochs-b 2)', 'noise (--noise)')
    """
    names, options = [], []
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        known = not math.isnan(value)
        names.append(f"{name} = {value:g}" if known else name)
        options.append(f"{option} {value:g}" if known else option)
    return f"{' and '.join(names)} ({' '.join(options)})"
