"""Where templates and notebooks lie: inside the package in a wheel, beside it in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def asset(*parts: str) -> Path:
    """Path of a file or folder such as `asset("templates", "table.md.j2")`.

    >>> asset("templates").name
    'templates'
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(
        f"reportkit's own file {'/'.join(parts)} is neither in the package nor beside it; "
        "install reportkit again"
    )
