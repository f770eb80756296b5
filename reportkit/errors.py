"""Errors that a user can act on: one sentence saying what, where, how much and what to do."""

import difflib
import errno
import os
from collections.abc import Iterable


class ReportkitError(Exception):
    """Base of every error that reportkit raises on purpose; the command line prints it without a
    traceback.
    """

    def _render_traceback_(self) -> list[str]:
        """IPython asks for this: in a notebook, too, a user's mistake is one sentence."""
        return [f"{type(self).__name__}: {self}"]


class ScoresError(ReportkitError, ValueError):
    """The scores, or the file that should hold them, break a rule of the scores table."""


class UnknownNameError(ReportkitError, LookupError):
    """A named eval, model, metric, field or parameter is not there."""


class UnknownFormatError(UnknownNameError, ValueError):
    """A named format of tables is not there."""


class PlanError(ReportkitError, ValueError):
    """An eval cannot be planned so."""


class OutputError(ReportkitError, OSError):
    """The output folder cannot be written."""


class DocumentError(ReportkitError, RuntimeError):
    """A document could not be made from an executed notebook."""


class NotebookError(ReportkitError, RuntimeError):
    """A notebook failed while it ran, or cannot be run."""


class ClusterError(ReportkitError, RuntimeError):
    """A cluster cannot be reached, or cannot make what this machine would make."""


class MissingPackageError(ReportkitError, ImportError):
    """A package of an extra is not installed."""


def add_extra(extra: str) -> str:
    """How the packages of an extra are added, as the end of a sentence: in the user's checkout,
    since the name on PyPI is another project's.

    >>> print(add_extra("dask"))
    add the extra "dask" in the folder of reportkit: pip install -e ".[dask]"
    """
    return f'add the extra "{extra}" in the folder of reportkit: pip install -e ".[{extra}]"'


INTERRUPTED = "interrupted; what was published before is as it was"
_FULL = (errno.ENOSPC, errno.EDQUOT)  # no space on the device, or in the user's part of it


def is_full(error: BaseException | None) -> bool:
    """Whether a full disk is behind an error: behind a sentence that was made of it, too.

    >>> is_full(OSError(errno.ENOSPC, "No space left on device")), is_full(OutputError("x"))
    (True, False)
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def tells_full(sentence: str) -> bool:
    """The same of a sentence of another process, which has no error behind it."""
    return any(os.strerror(number) in sentence for number in _FULL)


SHOWN = 10  # known names that a message lists


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The close match as the end of a sentence, or the known names when nothing is close.

    >>> did_you_mean("evl", ["eval", "models"])
    "; did you mean 'eval'?"
    >>> did_you_mean("xyz", ["eval", "models"])
    "; there are 'eval', 'models'"
    """
    known = list(known)
    close = close_match(name, known)
    if close:
        return close
    shown = ", ".join(repr(k) for k in known[:SHOWN])
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"; there are {shown}{more}" if known else "; there are none"


def close_match(name: object, known: Iterable[str]) -> str:
    """The close match as the end of a sentence, of names too many to list; else nothing.

    >>> close_match("quizz.csv", ["quiz.csv", "notes.txt"]), close_match("xyz", ["quiz.csv"])
    ("; did you mean 'quiz.csv'?", '')
    """
    folded = {k.casefold(): k for k in known}
    close = difflib.get_close_matches(str(name).casefold(), list(folded), n=1, cutoff=0.6)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def check_keywords(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """UnknownNameError for a keyword that a function does not take.

    >>> check_keywords("build", ["eval"], ["eval", "models"])
    """
    known = list(known)
    for name in given:
        if name not in known:
            raise UnknownNameError(f"{function} takes no {name!r}{did_you_mean(name, known)}")
