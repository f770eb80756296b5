"""One file of the user's, written whole: others see it complete, or as it was before."""

import os
import uuid
from contextlib import suppress
from pathlib import Path

from reportkit.errors import OutputError


def write_whole(path: str | os.PathLike[str], data: bytes, todo: str = "") -> None:
    """Writes a file beside its place and moves it there. A device or a pipe, such as /dev/stdout,
    is written to as it is. OutputError where it cannot be written; todo: ends its sentence.
    """
    place = Path(os.path.realpath(path))  # what a link leads to, not the link
    part = place.with_name(f".reportkit-{uuid.uuid4().hex[:12]}")
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        part.write_bytes(data)
        os.replace(part, place)
    except OSError as error:
        with suppress(OSError):  # not even its folder is there
            part.unlink()
        raise OutputError(f"{path}: cannot be written: {error.strerror}{todo}") from error
