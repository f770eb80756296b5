"""Paths of this machine and URLs alike: their folders and names, as each is written.

URLs have "/" between their parts on every system, local paths what the system has.
"""

import os
import posixpath

from reportkit.errors import close_match


def is_url(path: str) -> bool:
    return "://" in path


def name_of(path: str) -> str:
    """The last part of a path or URL.

    >>> name_of("s3://bucket/logs/a.json")
    'a.json'
    """
    return posixpath.basename(path) if is_url(path) else os.path.basename(path)


def folder_of(path: str) -> str:
    """All but the last part of a path or URL.

    >>> folder_of("s3://bucket/logs/a.json"), folder_of("a.json")
    ('s3://bucket/logs', '')
    """
    return posixpath.dirname(path) if is_url(path) else os.path.dirname(path)


def joined(folder: str, *names: str) -> str:
    """A file or folder below a folder.

    >>> joined("s3://bucket/logs", "run", "a.json")
    's3://bucket/logs/run/a.json'
    """
    return "/".join([folder, *names]) if is_url(folder) else os.path.join(folder, *names)


def near(path: str) -> str:
    """The file or folder beside a missing one that has nearly its name, as the end of a sentence;
    nothing where none has.
    """
    try:
        there = os.listdir(folder_of(path) or ".")
    except OSError:
        return ""
    name = name_of(path)
    stem = os.path.splitext(name)[0]  # an ending in common makes no two names alike
    return close_match(name, [n for n in there if close_match(stem, [os.path.splitext(n)[0]])])
