"""reportkit build."""

import sys

import click

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
def build(scores, said, settings, strict, formats, out, **output) -> None:
    """Build a report for each eval, and one over all of them: HTML, Markdown, LaTeX, PDF, drop-ins,
    results.json.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.builds.build import build as build_reports
    from reportkit.builds.job import Output
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

        kinds = tuple(f.strip() for f in formats.split(",") if f.strip())
        summary = build_reports(
            scores,
            settings=settings,
            output=Output(formats=kinds, out=out or settings.out or "reports", **output),
            strict=strict,
            progress=progress,
            **said,
        )
    for note in summary.notes:
        say(note, err=True)
    say_all_skipped(summary.skipped)
    for name, reason in summary.failures.items():
        say(*f"failed {terminal(name)}: {reason}".split("\n"), err=True)
    count = len(summary.built)
    say(
        f"{count} report{'' if count == 1 else 's'} built, {len(summary.failures)} failed: "
        f"{summary.out}/index.html"
    )
    sys.exit(summary.status)
