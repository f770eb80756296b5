"""The options that several commands share, and what they mean together with reportkit.toml."""

import functools
from collections.abc import Callable
from typing import Any

import click

from reportkit.text.escaping import terminal

THEMES = ("error-bars", "plain", "pm", "ci", "stacked")
READING = (
    click.option(
        "--columns", multiple=True, metavar="OURS=THEIRS", help="What a plain table calls a column."
    ),
    click.option(
        "--config", default="", metavar="FILE", help="[default: reportkit.toml, if it is there]"
    ),
    click.option(
        "--strict", is_flag=True, help="A broken file in a folder is an error, not left out."
    ),
)


def selection(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose what to report on, the same for every command; settings of
    reportkit.toml come with them.
    """
    for option in reversed(
        [
            click.argument("scores", nargs=-1, metavar="[SCORES]..."),
            click.option("--eval", "evals", default="", metavar="A,B", help="Only these evals."),
            click.option(
                "--models", default="", metavar="X,Y", help="Only these models, in this order."
            ),
            click.option(
                "--baseline",
                default="",
                metavar="M",
                help="Compare each model with M, not every pair.",
            ),
            click.option(
                "--metric", default="", metavar="NAME", help="Another metric than the headline one."
            ),
            click.option(
                "--cluster",
                multiple=True,
                metavar="EVAL=FIELD",
                help="The field that groups questions.",
            ),
            click.option("--theme", type=click.Choice(THEMES), help="[default: error-bars]"),
            click.option(
                "--runs",
                type=click.Choice(("latest", "first", "pool")),
                help="Which of a model's full runs count.",
            ),
            click.option(
                "--match-on",
                type=click.Choice(("id", "content_hash")),
                help="How questions of two models are paired.",
            ),
            *READING,
        ]
    ):
        command = option(command)
    return decided(command)


def decided(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with `settings` in the place of --config, --runs and --match-on, and with what
    the file says of the rest.
    """

    @functools.wraps(command)
    def run(config, runs, match_on, cluster, columns, **rest) -> None:
        from reportkit.loading.config import load

        fields = cluster_fields(cluster)
        settings = load(config).beaten_by(
            runs=runs or "",
            match_on=match_on or "",
            metric=rest["metric"],
            clusters=fields,
            columns=column_names(columns),
        )
        rest["scores"] = rest["scores"] or settings.sources
        rest["baseline"] = rest["baseline"] or settings.baseline
        rest["theme"] = rest["theme"] or settings.theme or THEMES[0]
        command(settings=settings, clusters=fields, **rest)

    return run


def cluster_fields(values: tuple[str, ...]) -> dict[str, str]:
    """EVAL=FIELD as a mapping; a FIELD alone, under the key "", holds for every eval."""
    fields = {}
    for value in values:
        name, _, field = value.rpartition("=")
        if not field:
            raise click.BadParameter(
                f"{value!r} names no field; write EVAL=FIELD", param_hint="--cluster"
            )
        fields[name] = field
    return fields


def column_names(values: tuple[str, ...]) -> dict[str, str]:
    """OURS=THEIRS, repeated or separated by commas, as a mapping; a comma before a piece without =
    is of a name.

    >>> column_names(("model=llm,question_id=id, as given", "score=s"))
    {'model': 'llm', 'question_id': 'id, as given', 'score': 's'}
    """
    pieces: list[str] = []
    for value in values:
        for number, piece in enumerate(value.split(",")):
            if number and "=" not in piece:
                pieces[-1] += f",{piece}"
            else:
                pieces.append(piece)
    found = {}
    for piece in pieces:
        ours, _, theirs = piece.partition("=")
        if not ours.strip() or not theirs.strip():
            raise click.BadParameter(
                f"{piece!r} names no column; write question_id=THEIRS", param_hint="--columns"
            )
        found[ours.strip()] = theirs.strip()
    return found


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how files are read."""
    for option in reversed(READING):
        command = option(command)
    return command


def say(*lines: str, err: bool = False) -> None:
    """Prints lines, each as one line: names in them are others', and may hold anything. Tables are
    documents, not lines.
    """
    click.echo("\n".join(map(terminal, lines)), err=err)


def say_skipped(path: str, why: str) -> None:
    say(*f"skipped {terminal(path)}: {why}".split("\n"), err=True)


def opened(
    scores,
    settings,
    strict: bool,
    skipped: Callable[[str, str], None] = say_skipped,
    undecided: Callable[[str, str], None] | None = None,
) -> Any:
    from reportkit.loading.opened import open_scores

    found = open_scores(
        scores,
        options=settings.options,
        aliases=settings.aliases,
        columns=settings.columns,
        logs=settings.logs,
        strict=strict,
        skipped=skipped,
        undecided=undecided,
    )
    for line in settings.unused(found.logged, found.models) if scores else ():
        say(line, err=True)
    return found
