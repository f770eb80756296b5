"""The folder that reports go to, before anything is written there."""

import json
from pathlib import Path

from reportkit.errors import OutputError
from reportkit.publishing.place import make_writable


def prepare(out: Path, real: bool) -> Path:
    """The folder, made if need be. OutputError where reports cannot go to it. real: of scores that
    somebody gave.
    """
    if not real:
        _keep_real(out)
    make_writable(out, "--out")
    return out


def _keep_real(out: Path) -> None:
    """OutputError where the demonstration would stand among reports of real scores: the list of
    files of a nightly command may have come out empty.
    """
    for path in sorted(out.glob("*/manifest.json")):
        try:
            real = json.loads(path.read_text(encoding="utf-8"))["fictional"] is False
        except (OSError, ValueError, LookupError, TypeError):
            continue  # somebody else's folder
        if real:
            raise OutputError(
                f"{out}: holds the report {path.parent.name!r} of real scores, and no scores were "
                "given: the demonstration does not go there; give the scores, or another --out"
            )
