"""The command line. Every mistake of a user is one message on stderr and status 2; nothing heavy is
imported early.
"""

import sys

import click

from reportkit.cli.build import build
from reportkit.cli.check import check
from reportkit.cli.check_table import check_table
from reportkit.cli.demo import demo
from reportkit.cli.diff import diff
from reportkit.cli.importing import import_logs
from reportkit.cli.init import init
from reportkit.cli.options import say
from reportkit.cli.table import table
from reportkit.errors import ReportkitError
from reportkit.version import __version__

FAILED = 3  # status: neither the user's mistake nor a report's failure
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> None:
    """Entry point: runs a command and turns our own errors into a message and status 2."""
    try:
        commands(args=arguments, prog_name="reportkit", standalone_mode=True)
    except ReportkitError as error:
        say(*f"reportkit: {error}".split("\n"), err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output, such as head, has gone
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # a full disk, a folder that somebody took away meanwhile
        place = f"{error.filename}: " if error.filename else ""
        say(f"reportkit: {place}{error.strerror or error}", err=True)
        sys.exit(FAILED)


class _Commands(click.Group):
    """Commands that an interrupt ends as it ends other programs: with 130, and one line."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("reportkit: interrupted; what was published before is as it was", err=True)
            sys.exit(INTERRUPTED)


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


for command in (init, build, table, check, check_table, diff, import_logs, demo):
    commands.add_command(command)
