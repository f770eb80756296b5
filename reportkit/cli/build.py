"""reportkit build."""

import sys
from pathlib import Path

import click

from reportkit.builds.job import Summary
from reportkit.cli.options import Command, deciding, option, say, say_all_skipped
from reportkit.documents import DEFAULT, FORMATS
from reportkit.text.visible import terminal

OUTPUT = "Output"


@click.command(cls=Command, short_help="Build a report for each eval, and one over all.")
@deciding("scores", "statistics", "look")
@option("--notebook", default="template", metavar="template|suite|PATH", show_default=True,
        title=OUTPUT, help="The notebook to run; suite: over all evals, alone.")  # fmt: skip
@option("--formats", default=",".join(DEFAULT), show_default=True, metavar="F,G",
        title=OUTPUT, help=f"The documents to make, of {', '.join(FORMATS)}.")  # fmt: skip
@option("--out", default="", metavar="FOLDER", title=OUTPUT,
        help="Where the reports go.  [default: reports]")  # fmt: skip
@option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
        title=OUTPUT, help="Reports built at once.")  # fmt: skip
@option("--time-limit", type=click.FloatRange(min=0), default=3600.0, show_default=True,
        metavar="SECONDS", title=OUTPUT,
        help="The longest that a cell of a notebook may take; 0: no limit.")  # fmt: skip
@option("--force", is_flag=True, title=OUTPUT, help="Make each report again, changed or not.")
@option("--why", is_flag=True, title=OUTPUT,
        help="Say of each report why it is made again, or is not.")  # fmt: skip
def build(scores, said, settings, strict, why, **output) -> None:
    """Build a report for each eval, and one over all of them: HTML, Markdown, LaTeX, PDF, drop-ins,
    results.json.

    A report is made again where its scores, its decisions, its notebook, reportkit or the libraries
    changed.
    """
    from reportkit.builds.fingerprint import asked, nothing_to_do
    from reportkit.builds.job import Output

    output["formats"] = tuple(f.strip() for f in output["formats"].split(",") if f.strip())
    output["out"] = output["out"] or settings.out or "reports"
    wanted = Output(**output)
    words = asked(scores, {**said, "strict": strict}, settings, wanted)
    summary = None if wanted.force else nothing_to_do(words, list(scores), Path(wanted.out))
    if summary is None:
        summary = _built(scores, said, settings, strict, wanted)
    _say(summary, why)
    sys.exit(summary.status)


def _built(scores, said, settings, strict, output) -> Summary:
    """The build itself, with its progress."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.builds.build import build as build_reports
    from reportkit.text.numbers import counted

    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        line = bar.add_task("reading scores", total=None)

        n_read = 0

        def progress(message: str, done: int, total: int) -> None:
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

        return build_reports(
            scores, settings=settings, output=output, strict=strict, progress=progress, **said
        )


def _say(summary: Summary, why: bool) -> None:
    """What a build did, in lines."""
    for note in summary.notes:
        say(note, err=True)
    say_all_skipped(summary.skipped)
    for name, reason in summary.why.items() if why else ():
        say(f"{name}: {reason}")
    for name, reason in summary.failures.items():
        say(*f"failed {terminal(name)}: {reason}".split("\n"), err=True)
    count, same = len(summary.built), len(summary.unchanged)
    unchanged = f"{same} unchanged, " if same else ""
    say(
        f"{count} report{'' if count == 1 else 's'} built, {unchanged}{len(summary.failures)} "
        f"failed: {summary.out}/index.html"
    )
