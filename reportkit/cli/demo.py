"""reportkit demo."""

import click

from reportkit.cli.options import say


@click.command(short_help="Write the scores of the demonstration.")
@click.option(
    "--to", "folder", required=True, metavar="FOLDER", help="Where to write the CSV files."
)
def demo(folder) -> None:
    """Write the demonstration scores, one CSV for each eval."""
    from reportkit.errors import OutputError
    from reportkit.loading.demo import write_demo

    try:
        paths = write_demo(folder)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written: {error.strerror}; choose another folder with --to"
        ) from None
    for path in paths:
        say(str(path))
