"""reportkit table."""

import click

from reportkit.cli.options import opened, say, selection


@click.command()
@click.argument("kind")
@selection
@click.option(
    "--format",
    "fmt",
    type=click.Choice(("md", "tex", "html", "typ", "csv")),
    default="md",
    show_default=True,
)
@click.option(
    "--align",
    type=click.Choice(("plain", "siunitx")),
    default="plain",
    show_default=True,
    help="LaTeX numbers.",
)
@click.option("--wide", type=click.Choice(("scale", "split", "turn")), default="scale", show_default=True,
              help="What becomes of a LaTeX table wider than the page.")  # fmt: skip
@click.option("--span", type=click.Choice(("column", "page")), default="column", show_default=True,
              help="What a LaTeX table takes in a two-column class.")  # fmt: skip
@click.option("--long", type=click.Choice(("longtable", "parts")), default="longtable", show_default=True,
              help="How a LaTeX table beyond a page goes on.")  # fmt: skip
def table(
    kind, scores, evals, models, baseline, metric, clusters, theme, settings, strict, fmt, **options
) -> None:
    """Print one table: means, clustering, differences, correlations, variance, power, data or
    certificate.

    Several evals make one table. paper2 to paper5 are the layouts of Tables 2 to 5 of Miller 2024.
    """
    from reportkit.analysis import analyse
    from reportkit.errors import UnknownNameError, did_you_mean
    from reportkit.tables import KINDS, make_table
    from reportkit.tables.latex import width_warning
    from reportkit.tables.render import render_drop_in

    if kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    found = opened(scores, settings, strict)
    wanted, fields = found.models_of(models, baseline), found.clusters(clusters)
    results = []
    for name in found.chosen(evals):
        result, _ = analyse(
            found.of(name),
            name,
            models=wanted,
            baseline=baseline,
            metric=metric,
            cluster=fields[name],
            certificate=kind == "certificate",
        )
        results.append(result)
    made = make_table(results, kind, theme)
    if fmt == "tex" and options["wide"] == "scale" and (warning := width_warning(made)):
        say(f"reportkit: {warning}", err=True)
    click.echo(render_drop_in(made, fmt, **options).rstrip("\n"))
