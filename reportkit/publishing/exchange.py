"""Two folders take each other's places in one step of the system, which a kill cannot split."""

import ctypes
import errno
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

_HERE = -100  # AT_FDCWD: paths are seen from the current folder
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux's renameat2
# What systems answer that cannot exchange: an old kernel, a file system that has no such step, a
# container that forbids it, folders of two file systems, a folder that is a mount.
_CANNOT = {
    errno.ENOSYS,
    errno.EINVAL,
    errno.ENOTSUP,
    errno.EPERM,
    errno.EXDEV,
    errno.EBUSY,
}


def exchange(one: Path, other: Path) -> bool:
    """Each takes the place of the other. False where the system cannot do it, and nothing is
    changed; OSError for whatever else goes wrong.
    """
    call = _renameat2()
    if call is None:
        return False
    # what Python itself raises for each of its renames
    sys.audit("reportkit.exchange", os.fspath(one), os.fspath(other))
    if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), os.fspath(other))


@cache
def _renameat2() -> Any:
    """The function of the C library; None where it has none: glibc before 2.28, another system."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    call.argtypes = (
        ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint,
    )  # fmt: skip
    return call
