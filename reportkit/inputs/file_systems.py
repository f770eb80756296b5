"""Local files and URLs: their file systems, and what these raise as one sentence."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportkit.errors import ReportkitError, ScoresError, add_extra
from reportkit.inputs.paths import is_url


class BrokenFile(ScoresError):
    """A file that is cut off, empty or not what its beginning promises: in a folder it is left out
    and named.
    """


class NotInstalled(BrokenFile):
    """A file that a package of an extra reads, which is not there: the same for all of its kind."""


@contextmanager
def reached(path: str) -> Iterator[None]:
    """Whatever opening and reading raise becomes a BrokenFile with one sentence. Each back end of
    a file system has error classes of its own.
    """
    try:
        yield
    except ReportkitError:
        raise
    except Exception as error:
        raise BrokenFile(f"{path}: cannot be read: {reason_of(error, path)}") from None


def reason_of(error: Exception, path: str) -> str:
    """What a file system or a server had against a path, in words."""
    message = str(getattr(error, "strerror", None) or error).strip() or type(error).__name__
    reason = message.splitlines()[0]
    scheme = path.partition("://")[0] if is_url(path) else ""
    if isinstance(error, ImportError):
        return reason + f"; {add_extra('remote')}" * (scheme in REMOTE)
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if scheme and isinstance(error, PermissionError):
        return f"{reason}; check the credentials, and what they allow"
    if scheme and not isinstance(error, OSError | ValueError):
        reason += f" ({type(error).__name__}); check the address, and that this machine may read it"
    return reason


REMOTE = ("http", "https", "s3", "s3a", "gs", "gcs")  # whose back ends the extra holds


def filesystem(path: str) -> tuple[Any, str]:
    """fsspec's file system of a URL, and the path inside it."""
    with reached(path):
        import fsspec

        fs, inside = fsspec.core.url_to_fs(path)
        return fs, inside


def is_file(path: str) -> bool:
    """Whether a path or URL is a file that is there; BrokenFile where the server does not say."""
    if not is_url(path):
        return os.path.isfile(path)
    fs, inside = filesystem(path)
    with reached(path):
        return bool(fs.isfile(inside))


def is_local(fs: Any) -> bool:
    return "file" in ((fs.protocol,) if isinstance(fs.protocol, str) else fs.protocol)


def url_of(source: str, fs: Any, name: str) -> str:
    """The URL of a name in a listing of `source`. The path of a local file begins with a slash,
    the path in a bucket does not.
    """
    scheme, _, rest = source.partition("://")
    if "://" in name:
        return name
    return f"{scheme}://{name if rest.startswith('/') or is_local(fs) else name.lstrip('/')}"
