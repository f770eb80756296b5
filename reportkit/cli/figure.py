"""reportkit figure."""

import click

from reportkit.cli.analysed import analysed
from reportkit.cli.options import Command, deciding, option, say_fictional


class FigureCommand(Command):
    """A command whose help names the figures that are registered."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from reportkit.figures import KINDS, SUITE_KINDS  # pandas comes with it

        *kinds, last = [*KINDS, *SUITE_KINDS]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(
                f"Draw one figure into a file: {', '.join(kinds)} or {last}.\n\nmeans and "
                "differences show several evals together, suite-... what they say as one, every "
                "other figure one eval."
            )


@click.command(cls=FigureCommand, short_help="Draw one figure.")
@click.argument("kind")
@deciding("scores", "statistics")
@option("--to", "--out", "to", type=click.Path(dir_okay=False), metavar="FILE", title="Output",
        help="The file; it ends in .svg, .pdf or .png.  [default: KIND.svg]")  # fmt: skip
@option("--width", type=click.Choice(("page", "column")), default="page", show_default=True,
        metavar="page|column", title="Output", help="6.5 inches, or 3.17.")  # fmt: skip
def figure(kind, scores, said, settings, strict, **look) -> None:
    """Draw one figure."""
    from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
    from reportkit.figures import KINDS, SUITE_KINDS, check_path, draw, draw_suite

    if kind not in (known := [*KINDS, *SUITE_KINDS]):
        raise UnknownNameError(f"no figure {kind!r}{did_you_mean(kind, known)}")
    path = check_path(look["to"] or f"{kind}.svg")
    decisions = settings.decisions.beaten_by(said)
    whole = kind in SUITE_KINDS
    of = analysed(scores, settings, decisions, strict, whole=whole)
    say_fictional(scores)
    drawn = (draw_suite if whole else draw)(of, kind, look["width"])
    if drawn is None:
        raise ScoresError(f"figure {kind!r} would show nothing of these scores; nothing is written")
    click.echo(str(drawn.save(path)))
