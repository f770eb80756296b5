"""reportkit check-table."""

import sys

import click

from reportkit.cli.options import Command, not_empty, option, say, terminal_width
from reportkit.documents import DEFAULT, FORMATS

SAYS, OUTPUT = "What the table does not say", "Output"


@click.command("check-table", cls=Command, short_help="Check a published table of means.")
@click.argument("file", callback=not_empty)
@option("--eval", default="", metavar="NAME", title=SAYS,
        help="The eval, where the table names none.")  # fmt: skip
@option("--scale", multiple=True, metavar="[EVAL=]percent|share|none|LOW,HIGH", title=SAYS,
        help="In what scores are, of evals that print no % and no scale, or of one eval. A column "
        "Scale says it too.  [default: as the table says]")  # fmt: skip
@option("--questions", multiple=True, metavar="EVAL=NUMBER", title=SAYS,
        help="How many questions an eval has, where the table does not print it.")  # fmt: skip
@option("--scores", default="", metavar="binary|fractional", title=SAYS,
        help="binary: each question has one score, 0 or 1.  [default: not known]")  # fmt: skip
@option("--errors", default="", metavar="naive|clustered", title=SAYS,
        help="Whether standard errors allow for groups of questions.  "
        "[default: as the table says]")  # fmt: skip
@option("--plus-minus", default="", metavar="se|interval", title=SAYS,
        help="What stands after ±.  [default: as the numbers tell]")  # fmt: skip
@option("--decimal", default="", metavar="point|comma", title=SAYS,
        help="What parts decimals.  [default: point]")  # fmt: skip
@option("--level", type=click.FLOAT, default=None, metavar="LEVEL", title="Conclusions",
        help="Of the conclusions, and of intervals that do not say theirs.  "
        "[default: 0.95]")  # fmt: skip
@option("--correlations", default="", metavar="LOW,HIGH", title="Conclusions",
        help="The range for a paired analysis.  [default: 0.3,0.7]")  # fmt: skip
@option("--baseline", default="", metavar="MODEL", title="Conclusions",
        help="Compare each model with this one.  [default: every pair]")  # fmt: skip
@option("--format", type=click.Choice(("text", "md", "json")), default="text", show_default=True,
        metavar="text|md|json", title=OUTPUT, help="What is printed.")  # fmt: skip
@option("--out", default="", metavar="FOLDER", title=OUTPUT,
        help="Also make a report there: documents, tables, results.json.")  # fmt: skip
@option("--formats", default=",".join(DEFAULT), show_default=True, metavar="F,G", title=OUTPUT,
        help=f"The documents of the report, of {', '.join(FORMATS)}.")  # fmt: skip
@option("--fail-on", type=click.Choice(("nothing", "inconsistent")), default="nothing",
        show_default=True, metavar="nothing|inconsistent", title=OUTPUT,
        help="Status 1 where printed numbers do not fit together.")  # fmt: skip
def check_table(file, **given) -> None:
    """Check a published table: FILE holds eval, model, mean and number of questions, and standard
    errors or intervals where they are printed.

    FILE is Markdown, LaTeX or HTML as pasted, CSV or TOML: a row for each mean, or a column for
    each model or eval. What is printed says what each pair allows to conclude, and which numbers
    do not fit together.
    """
    from reportkit.analysis.published import check_published
    from reportkit.documents.checked import checked_json, checked_markdown, checked_text
    from reportkit.loading.published import read_published

    format, out, formats, fail_on = (given.pop(k) for k in ("format", "out", "formats", "fail_on"))
    said = {name: value for name, value in given.items() if value not in ("", (), None)}
    checked = check_published(*read_published(file, said))
    if out:
        from reportkit.builds.checked import build_checked

        names = [name.strip() for name in formats.split(",") if name.strip()]
        build_checked(file, said, out, names)
        say(f"the report is in {out}", err=True)
    if format == "text":
        written = checked_text(checked, terminal_width())
    else:
        written = {"md": checked_markdown, "json": checked_json}[format](checked)
    click.echo(written, nl=False)
    if fail_on == "inconsistent" and checked.of("inconsistent"):
        sys.exit(1)
