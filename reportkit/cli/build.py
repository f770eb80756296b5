"""reportkit build."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from reportkit.builds.job import Summary
from reportkit.cli.diff import COMPARISON, FAIL_ON, MIN_EFFECT
from reportkit.cli.options import (
    Command,
    deciding,
    option,
    say,
    say_all_skipped,
    say_fictional,
)
from reportkit.cli.progress import LOG_FORMATS, progress
from reportkit.documents import DEFAULT, FORMATS
from reportkit.text.visible import terminal

OUTPUT = "Output"


@click.command(cls=Command, short_help="Build a report for each eval, and one over all.")
@deciding("scores", "statistics", "look")
@option("--notebook", default="template", metavar="template|suite|planning|PATH",
        show_default=True, title=OUTPUT, help="The notebook to run; suite: over all evals, alone; "
        "planning: a plan, with SCORES of a pilot, if any.")  # fmt: skip
@option("--ask", multiple=True, metavar="NAME=VALUE", title=OUTPUT,
        help="What is asked of a plan, such as difference=0.03; the options of power.")  # fmt: skip
@option("--formats", default=",".join(DEFAULT), show_default=True, metavar="F,G",
        title=OUTPUT, help=f"The documents to make, of {', '.join(FORMATS)}.")  # fmt: skip
@option("--out", default="", metavar="FOLDER", title=OUTPUT,
        help="Where the reports go.  [default: reports]")  # fmt: skip
@option("--jobs", type=click.IntRange(min=1), metavar="N", title=OUTPUT,
        help="Reports built at once.  [default: by the processors, at most 4]")  # fmt: skip
@option("--executor", default="local", show_default=True, metavar="local|dask[:ADDRESS]",
        title=OUTPUT, help="Where reports are built: here, or on a dask cluster.")  # fmt: skip
@option("--time-limit", type=click.FloatRange(min=0), default=3600.0, show_default=True,
        metavar="SECONDS", title=OUTPUT,
        help="The longest that a cell of a notebook may take; 0: no limit.")  # fmt: skip
@option("--force", is_flag=True, title=OUTPUT, help="Make each report again, changed or not.")
@option("--why", is_flag=True, title=OUTPUT,
        help="Say of each report why it is made again, or is not.")  # fmt: skip
@option("--quiet", is_flag=True, title=OUTPUT, help="Say only what failed.")
@option("--log-format", type=click.Choice(LOG_FORMATS), default="text", show_default=True,
        title=OUTPUT, help="Lines to read, or a JSON object a line.")  # fmt: skip
@option("--against", default="", metavar="BUILD", title=COMPARISON,
        help="Also compare with this build, such as the last release.")  # fmt: skip
@FAIL_ON
@MIN_EFFECT
@option("--summary", default="", metavar="FILE", title=COMPARISON,
        help="What was built and what moved: FILE.md or FILE.json, for CI.")  # fmt: skip
def build(scores, said, settings, strict, **output) -> None:
    """Build a report for each eval, and one over all of them: HTML, Markdown, LaTeX, PDF, drop-ins,
    results.json.

    A report is made again where its scores, its decisions, its notebook, reportkit or the libraries
    changed.
    """
    from reportkit.builds.fingerprint import asked, nothing_to_do
    from reportkit.builds.job import Output

    quiet, log_format, why = (output.pop(name) for name in ("quiet", "log_format", "why"))
    if output["ask"] and output["notebook"] in ("template", "suite"):
        raise click.UsageError("--ask is asked of a plan; give --notebook planning too")
    output["formats"] = tuple(f.strip() for f in output["formats"].split(",") if f.strip())
    output["out"] = output["out"] or settings.out or "reports"
    wanted = Output(**output)
    words = asked(scores, {**said, "strict": strict}, settings, wanted)
    summary = None if wanted.force else nothing_to_do(words, list(scores), Path(wanted.out))
    if summary is None:
        from reportkit.builds.build import build as build_reports
        from reportkit.text.notebooks import light_papermill

        light_papermill()  # the command's process is ours alone
        with progress(quiet, log_format) as told:
            summary = build_reports(
                scores, settings=settings, output=wanted, strict=strict, progress=told, **said
            )
    if log_format == "json":
        click.echo(json.dumps(_as_json(summary, not scores)))
    else:
        if output["notebook"] != "planning":
            say_fictional(scores)
        _say(summary, quiet, why)
    sys.exit(summary.status)


def _as_json(summary: Summary, fictional: bool) -> dict[str, Any]:
    return {
        "out": str(summary.out),
        "fictional": fictional,
        "status": summary.status,
        "built": summary.built,
        "unchanged": summary.unchanged,
        "why": summary.why,
        "failures": summary.failures,
        "skipped": summary.skipped,
        "notes": summary.notes,
        "commands": summary.commands,
        "gate": summary.gate,
        "alarms": sum(len(c.comparison.settled) for c in summary.compared),
    }


def _say(summary: Summary, quiet: bool, why: bool) -> None:
    """What a build did, in lines."""
    if not quiet:
        for note in summary.notes:
            say(note, err=True)
        say_all_skipped(summary.skipped)
    for name, reason in summary.why.items() if why else ():
        say(f"{name}: {reason}")
    for name, reason in summary.failures.items():
        say(*f"failed {terminal(name)}: {reason}".split("\n"), err=True)
        if summary.commands.get(name):
            say(f"  to run it again: {summary.commands[name]}", err=True)
    _say_moved(summary, quiet)
    if quiet:
        return
    count, same = len(summary.built), len(summary.unchanged)
    unchanged = f"{same} unchanged, " if same else ""
    say(
        f"{count} report{'' if count == 1 else 's'} built, {unchanged}{len(summary.failures)} "
        f"failed: {summary.out}/index.html"
    )


def _say_moved(summary: Summary, quiet: bool) -> None:
    """What moved, and the gate that fell; of a build that compared nothing, nothing."""
    for compared in () if quiet else summary.compared:
        from reportkit.documents.moved import as_text

        click.echo(as_text(compared.told), nl=False)
    if summary.gate:
        say(summary.gate, err=True)
