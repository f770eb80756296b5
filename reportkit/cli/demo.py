"""reportkit demo."""

import click

from reportkit.cli.options import not_empty, say


@click.command(short_help="Write the scores of the demonstration.")
@click.option("--to", "folder", required=True, callback=not_empty, metavar="FOLDER",
              help="Where to write the CSV files.")  # fmt: skip
def demo(folder) -> None:
    """Write the demonstration scores, one CSV for each eval."""
    from pathlib import Path

    from reportkit.loading.demo import write_demo
    from reportkit.publishing.place import make_writable

    make_writable(Path(folder), "--to")
    for path in write_demo(folder):
        say(str(path))
