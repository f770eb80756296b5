"""How a build tells of its progress: a bar in a terminal, lines where nobody watches, JSON for
programs, or nothing.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from reportkit.text.visible import terminal

Progress = Callable[[str, int, int], None]
LOG_FORMATS = ("text", "json")


@contextmanager
def progress(quiet: bool, log_format: str) -> Iterator[Progress]:
    """What a build calls with a message, the number of reports that are done, and of all; of all
    there are none as long as files are read.
    """
    if quiet:
        yield lambda _message, _done, _all: None
    elif log_format == "json":
        yield _as_json()
    else:
        with _in_lines() as said:
            yield said


def _as_json() -> Progress:
    """One object a line on stderr; the files that were read as their number."""
    n_read = 0

    def said(message: str, done: int, total: int) -> None:
        nonlocal n_read
        if not total:
            n_read += 1
            return
        if n_read:
            click.echo(json.dumps({"files_read": n_read}), err=True)
        n_read = 0
        click.echo(json.dumps({"message": message, "done": done, "of": total}), err=True)

    return said


@contextmanager
def _in_lines() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from reportkit.text.numbers import counted

    class Heard(Console):
        """Where nobody reads standard error any more, the build goes on and its status holds."""

        def on_broken_pipe(self) -> None:  # rich ends with status 1, which is a failed report's
            pass

    console = Heard(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        line = bar.add_task("reading scores", total=None)
        n_read = 0

        def said(message: str, done: int, total: int) -> None:
            nonlocal n_read
            message = terminal(message)
            bar.update(line, description=message, completed=done, total=total or None)
            if not total:  # a file is read: the bar says which, a log gets their number
                n_read += 1
                return
            if n_read and not console.is_terminal:
                console.print(f"read {counted(n_read, 'file')}", markup=False)
            n_read = 0
            console.print(f"[{done}/{total}] {message}", markup=False, soft_wrap=True)

        yield said
