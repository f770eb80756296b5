"""The decisions in words: the guide's table of them, and what holds where none is taken."""

from collections.abc import Sequence

from reportkit.decisions import DEFAULTS, SPECS, flag


def reference() -> str:
    """The table of all decisions for the guide, in Markdown. The name is the key in reportkit.toml,
    the notebook's parameter and the keyword in Python.

    >>> print(reference().splitlines()[7])  # doctest: +ELLIPSIS
    | `better` | `--better [EVAL=]` | `higher`, `lower` | as the logs say | Which scores ...
    """
    heads = ("decision", "command line", "choices", "default", "meaning")
    rows: list[Sequence[str]] = [heads, ["---"] * len(heads)]
    for name, spec in SPECS.items():
        shown = "[EVAL=]" * spec.per_eval + spec.metavar
        option = f"`{flag(name)} {shown}`".replace(" `", "`")
        choices = ", ".join(f"`{c}`" for c in spec.choices)
        rows.append((f"`{name}`", option, choices, default_text(name, "`"), spec.meaning))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def default_text(name: str, quote: str = "") -> str:
    """What holds where a decision is not taken.

    >>> default_text("level"), default_text("models"), default_text("certificate")
    ('0.95', 'all', 'no')
    """
    default = DEFAULTS[name]
    if isinstance(default, bool):
        return "no"
    if default == "":
        return SPECS[name].otherwise
    return f"{quote}{default}{quote}"
