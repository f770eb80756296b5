"""The folder that reports go to, before anything is written there."""

from pathlib import Path

from reportkit.publishing.place import keep_real, make_writable


def prepare(out: Path, real: bool) -> Path:
    """The folder, made if need be. OutputError where reports cannot go to it. real: of scores that
    somebody gave.
    """
    if not real:
        keep_real(out, "--out")
    make_writable(out, "--out")
    return out
