"""What a plan asks its reader to give, by the names that every way of giving it has: an option of
the command is told by the command.
"""


def to_give(**values: float) -> str:
    """What to give, with its values.

    >>> to_give(epochs=8, epochs_b=2.0)
    'epochs = 8 and epochs_b = 2'
    """
    return " and ".join(f"{name} = {value:g}" for name, value in values.items())
