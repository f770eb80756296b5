"""The command line. Every mistake of a user is one message on stderr and status 2; nothing heavy is
imported early.
"""

import os
import sys

import click

from reportkit import interrupts
from reportkit.cli.build import build
from reportkit.cli.check import check
from reportkit.cli.check_table import check_table
from reportkit.cli.demo import demo
from reportkit.cli.diff import diff
from reportkit.cli.figure import figure
from reportkit.cli.importing import import_logs
from reportkit.cli.init import init
from reportkit.cli.options import say
from reportkit.cli.power import power
from reportkit.cli.table import table
from reportkit.errors import INTERRUPTED, ReportkitError, is_full
from reportkit.version import __version__

FAILED = 3  # status: neither the user's mistake nor a report's failure


def main(arguments: list[str] | None = None) -> None:
    """Entry point: runs a command and turns our own errors into a message and status 2."""
    if sys.stderr is None:  # closed; a file that is opened later must not take its number
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        say("reportkit: standard output is closed; give it a place, such as > out.txt", err=True)
        sys.exit(FAILED)
    try:
        commands(args=arguments, prog_name="reportkit", standalone_mode=True)
    except ReportkitError as error:
        say(*f"reportkit: {error}".split("\n"), err=True)
        sys.exit(FAILED if is_full(error) else 2)
    except UnicodeEncodeError as error:
        found = f"standard output is {error.encoding}, which has no {error.object[error.start]!a}"
        say(f"reportkit: {found}; set PYTHONIOENCODING=utf-8", err=True)
        sys.exit(FAILED)
    except OSError as error:  # a full disk, a folder that somebody took away meanwhile
        place = f"{error.filename}: " if error.filename else ""
        say(f"reportkit: {place}{error.strerror or error}{_todo(error)}", err=True)
        _drop_unwritten()
        sys.exit(FAILED)


def _drop_unwritten() -> None:
    """What standard output cannot take goes nowhere: Python would fail on it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _todo(error: OSError) -> str:
    """What a user can do about the machine, as the end of a sentence."""
    if is_full(error):
        return "; make room, or write to another disk"
    if "temporary directory" in str(error):  # Python's words, where it finds none
        return "; set TMPDIR to a folder that can be written"
    return ""


class _Commands(click.Group):
    """Commands that an interrupt, or a reader who has gone, ends with one line and a status."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            interrupts.raise_again()
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say(f"reportkit: {INTERRUPTED}", err=True)
            sys.exit(interrupts.STATUS)
        except BrokenPipeError:
            say("reportkit: standard output was closed before all was written", err=True)
            _drop_unwritten()
            sys.exit(FAILED)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="reportkit")
def commands() -> None:
    """Error bars for model technical reports.

    SCORES are files (CSV, JSONL, Parquet), folders, globs or URLs with the columns model,
    question_id and score, logs of eval harnesses, or scores folders that import wrote. With none
    given, everything runs on a demonstration of fictional models.
    """


for command in (init, build, table, figure, power, check, check_table, diff, import_logs, demo):
    commands.add_command(command)
