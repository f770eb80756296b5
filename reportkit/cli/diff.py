"""reportkit diff."""

import sys

import click

from reportkit.cli.options import Command, not_empty, option, say

COMPARISON = "Comparison"
# Options that build has too.
FAIL_ON = option(
    "--fail-on", type=click.Choice(("failure", "moved", "regression")), default="failure",
    show_default=True, metavar="failure|moved|regression", title=COMPARISON,
    help="Status 1 also when something moved by more than sampling allows, is gone, or got worse.",
)  # fmt: skip
MIN_EFFECT = option(
    "--min-effect", type=click.FLOAT, default=0.0, metavar="SIZE", title=COMPARISON,
    help="Smaller changes do not count for --fail-on; 0.01 is a percentage point.  [default: 0]",
)  # fmt: skip


@click.command(cls=Command, short_help="Show what moved between two builds.")
@click.argument("old", callback=not_empty)
@click.argument("new", callback=not_empty)
@option("--format", type=click.Choice(("text", "md", "json")), default="text", show_default=True,
        metavar="text|md|json", title=COMPARISON, help="What is printed.")  # fmt: skip
@FAIL_ON
@MIN_EFFECT
def diff(old, new, format, fail_on, min_effect) -> None:
    """Show what moved from the build OLD to the build NEW, and whether it is more than sampling
    allows.

    Each is a folder of reports, the folder of one, or its results.json.
    """
    from reportkit.analysis.moved import compare
    from reportkit.builds.moved import Compared, Gate, gate_falls
    from reportkit.builds.rounds import open_build
    from reportkit.documents.moved import as_markdown, as_text, to_json
    from reportkit.text.visible import json_text

    gate = Gate(fail_on, min_effect)
    compared = Compared(old, compare(open_build(old), open_build(new)))
    if format == "json":
        text = json_text(to_json(compared.comparison, old))
    elif format == "md":
        text = as_markdown(compared.told)
    else:
        text = as_text(compared.told)
    click.echo(text, nl=False)
    falls = gate_falls(gate, [compared])
    if falls:
        say(falls, err=True)
        sys.exit(1)
