"""reportkit table."""

from typing import Any

import click

from reportkit.cli.analysed import analysed
from reportkit.cli.options import (
    LAYOUT,
    LINE_OPTION,
    PAGE_OPTION,
    Command,
    deciding,
    option,
    say,
    say_fictional,
)

SEVERAL = (
    "Several evals make one table. suite has evals by models, macro the average of each model over "
    "the evals; suite-overall, suite-differences and suite-ranks compare the models over all of "
    "them. paper2 to paper5 are the layouts of Tables 2 to 5 of Miller 2024."
)


def _choice(
    name: str,
    choices: tuple[str, ...],
    meaning: str,
    title: str = LAYOUT,
    kind: type[click.Choice] = click.Choice,
):
    """An option with a few values, the first of which is the default."""
    return option(name, type=kind(choices), default=choices[0], show_default=True,
                  metavar="|".join(choices), title=title, help=meaning)  # fmt: skip


class _FormatName(click.Choice):
    """A format of tables, by its suffix or by another of its names."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from reportkit.tables.writers.render import FORMATS

        meant = [suffix for suffix, known in FORMATS.items() if value in known.names]
        return super().convert(meant[0] if meant else value, param, ctx)


class TableCommand(Command):
    """A command whose help names the tables that are registered."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from reportkit.tables import KINDS  # pandas comes with it, so only the help waits for it

        kinds = [name for name, kind in KINDS.items() if kind.in_reports]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(
                f"Print one table: {', '.join(kinds[:-1])} or {kinds[-1]}.\n\n{SEVERAL}"
            )


@click.command(cls=TableCommand, short_help="Print one table.")
@click.argument("kind")
@deciding("scores", "statistics", "look")
@_choice("--format", ("md", "tex", "html", "typ", "csv"), "What is printed.", "Look", _FormatName)
@_choice("--align", ("plain", "siunitx"), "How numbers are aligned in a column.")
@_choice(
    "--wide",
    ("fit", "scale", "split", "turn"),
    "What becomes of a table that is wider than a column of a two-column page.",
)
@_choice("--span", ("column", "page"), "What a table takes in a two-column class.")
@_choice("--long", ("longtable", "parts"), "How a table goes on beyond a page.")
@LINE_OPTION
@PAGE_OPTION
def table(kind, scores, said, settings, strict, **look) -> None:
    """Print one table."""
    from reportkit.decisions.values import split
    from reportkit.errors import UnknownNameError, did_you_mean
    from reportkit.tables import KINDS, make_table
    from reportkit.tables.writers.latex import Options, width_told
    from reportkit.tables.writers.render import render_drop_in

    format = look.pop("format")
    if kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    decisions = settings.decisions.beaten_by(said)
    asked = kind if KINDS[kind].on_request else ""
    whole = KINDS[kind].suite is not None
    of = analysed(scores, settings, decisions, strict, whole=whole, asked=asked)
    digits = int(decisions.digits) if decisions.digits else None
    made = make_table(of, kind, decisions.theme, digits, decisions.rows)
    made = made.without(*split(decisions.hide)) if decisions.hide else made
    say_fictional(scores, err=True)  # stdout is a document
    if format == "tex" and (told := width_told(made, Options(**look))):
        say(f"reportkit: {told}", err=True)
    raw = decisions.csv_text == "raw"
    click.echo(render_drop_in(made, format, raw=raw, **look).rstrip("\n"))
