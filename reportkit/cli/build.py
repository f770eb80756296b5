"""reportkit build."""

import sys

import click

from reportkit.cli.options import say, say_skipped, selection
from reportkit.text.escaping import terminal


@click.command()
@selection
@click.option(
    "--notebook",
    default="template",
    metavar="template|PATH",
    show_default=True,
    help="The notebook to run.",
)
@click.option(
    "--formats", default="html,md,tex,pdf", show_default=True, help="The documents to make."
)
@click.option(
    "--out", default="", metavar="FOLDER", help="Where the reports go.  [default: reports]"
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Reports built at once.",
)
@click.option(
    "--certificate",
    is_flag=True,
    help="Also simulate what the intervals cover on data of this shape.",
)
def build(
    scores,
    evals,
    models,
    baseline,
    metric,
    clusters,
    theme,
    settings,
    strict,
    notebook,
    formats,
    out,
    jobs,
    certificate,
) -> None:
    """Build a report for each eval: HTML, Markdown, LaTeX, PDF, drop-ins, results.json."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.builds.build import build as build_reports

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

        def progress(message: str, done: int, total: int) -> None:
            message = terminal(message)
            bar.update(line, description=message, completed=done, total=total or None)
            if total or not console.is_terminal:
                console.print(
                    f"[{done}/{total}] {message}" if total else message,
                    markup=False,
                    soft_wrap=True,
                )

        summary = build_reports(
            scores,
            evals=evals,
            models=models,
            baseline=baseline,
            metric=metric,
            clusters=clusters,
            notebook=notebook,
            formats=[f.strip() for f in formats.split(",") if f.strip()],
            theme=theme,
            out=out or settings.out or "reports",
            jobs=jobs,
            certificate=certificate,
            settings=settings,
            strict=strict,
            progress=progress,
        )
    for note in summary.notes:
        say(note, err=True)
    for name, reason in summary.skipped.items():
        say_skipped(name, reason)
    for name, reason in summary.failures.items():
        say(*f"failed {terminal(name)}: {reason}".split("\n"), err=True)
    count = len(summary.built)
    say(
        f"{count} report{'' if count == 1 else 's'} built, {len(summary.failures)} failed: "
        f"{summary.out}/index.html"
    )
    sys.exit(summary.status)
