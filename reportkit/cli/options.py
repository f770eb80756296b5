"""The options that several commands share, made from the decisions, and what they mean together
with reportkit.toml.
"""

import functools
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from reportkit.decisions import DEFAULTS, SPECS, flag, placeholder
from reportkit.decisions.guide import default_text
from reportkit.decisions.spec import Stage
from reportkit.decisions.words import said_of_evals
from reportkit.text.visible import terminal

TITLES: dict[str, str] = {
    "scores": "Which scores",
    "statistics": "Statistics",
    "look": "Look",
    "reading": "Files",
}


DEMONSTRATION = "no scores are given: this is the demonstration, and its models are fictional"
NAMED = 3  # files, skipped for the same reason, that are named each
WIDTH = 23  # of the options in a command's help


def not_empty(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """The value of an argument or option. UsageError where it is empty, as the variable of a script
    that holds nothing: the default would go where nobody asked for, or choose all there is.
    """
    given = ctx.get_parameter_source(param.name or "") is not click.core.ParameterSource.DEFAULT
    texts = value if isinstance(value, tuple | list) else [value]
    if given and any(isinstance(v, str) and not v.strip(" ,\t\n") for v in texts):
        if isinstance(param, click.Option):
            raise click.UsageError(f"{param.opts[0]} is empty; give a value, or leave it out")
        raise click.UsageError(f"{param.human_readable_name} is empty; give what it names")
    return value


class Option(click.Option):
    """An option with the title under which a command's help lists it."""

    def __init__(self, *arguments: Any, title: str = "", **rest: Any):
        super().__init__(*arguments, **rest)
        self.title = title

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        return super().type_cast_value(ctx, not_empty(ctx, self, value))


class Command(click.Command):
    """A command whose help lists its options under titles."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titled: dict[str, list[tuple[str, str]]] = {}
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        options.sort(key=lambda p: not hasattr(p, "title"))  # --help, which has none, is the last
        for one in options:
            record = one.get_help_record(ctx)
            if record is not None:
                written, told = record
                title = getattr(one, "title", "Help")
                titled.setdefault(title, []).append((f"{written:<{WIDTH}}", told))
        for title, records in titled.items():
            with formatter.section(title):
                formatter.write_dl(records, col_max=WIDTH + 2)


def option(*arguments: Any, title: str, **rest: Any) -> Callable[..., Any]:
    return click.option(*arguments, cls=Option, title=title, **rest)


LAYOUT = "LaTeX"
LINE_OPTION = option(
    "--width", type=click.FLOAT, default=0.0, metavar="PT", title=LAYOUT,
    help="Points of the line that the table is laid out for.  [default: 252, a column of a "
    "two-column page, where it fits one, else 345]",
)  # fmt: skip
PAGE_OPTION = option(
    "--height", type=click.FLOAT, default=0.0, metavar="PT", title=LAYOUT,
    help="Points of the page, or of a slide, that it is laid out for; what is longer comes in "
    "parts.  [default: a page of article, 520]",
)  # fmt: skip
READING = (
    option(
        "--columns", multiple=True, metavar="OURS=THEIRS", title=TITLES["reading"],
        help="What a plain table calls a column, such as question_id=prompt_id.",
    ),
    option(
        "--read", multiple=True, metavar="KEY=VALUE", title=TITLES["reading"],
        help="How plain tables are laid out, such as rows=simulations[*] or words=pass:1,fail:0.",
    ),
    option(
        "--config", default="", metavar="FILE", title=TITLES["reading"],
        help="Decisions in a file.  [default: reportkit.toml, if it is there]",
    ),
    option(
        "--strict", is_flag=True, title=TITLES["reading"],
        help="A broken file in a folder is an error, not left out.",
    ),
)  # fmt: skip


def _option_of(name: str, meaning: str = "") -> Callable[..., Any]:
    """The option of one decision. It has no default: what is not said, the file decides. meaning:
    what a command says of it in place of what all do.
    """
    spec, default = SPECS[name], DEFAULTS[name]
    title = TITLES[spec.stage]
    if isinstance(default, bool):
        return option(f"{flag(name)}/--no-{name}", default=None, title=title, help=spec.meaning)
    kinds = {float: click.FLOAT, int: click.INT}
    kind: Any = kinds.get(type(default), click.STRING)
    if spec.choices and not (spec.per_eval or spec.names):
        kind = click.Choice(spec.choices)
    told = meaning or f"{spec.meaning}  [default: {default_text(name)}]"
    return option(flag(name), name, type=kind, default=None, multiple=spec.per_eval or spec.names,
                  metavar=placeholder(name), title=title, help=told)  # fmt: skip


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how files are read. The command is given `settings` and `strict`."""

    @functools.wraps(command)
    def run(config, columns, read, **values) -> None:
        command(settings=_settings(config, columns, read), **values)

    for one in reversed(READING):
        run = one(run)
    return run


def _settings(config: str, columns: tuple[str, ...], read: tuple[str, ...]) -> Any:
    from reportkit.loading.config import load

    return load(config).with_layout(column_names(columns), read)


def deciding(*stages: Stage, **meanings: str) -> Callable[..., Any]:
    """The argument SCORES, the options of the decisions of these stages, and how files are read.
    meanings: of decisions that have another one in this command.

    The command is given `scores`, `said`, the decisions that its options take, and `settings` of
    reportkit.toml.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        run = _with_settings(command)
        names = [name for name, spec in SPECS.items() if spec.stage in stages]
        own = [_option_of(name, meanings.get(name, "")) for name in names]
        for one in reversed([*own, *READING]):
            run = one(run)
        return click.argument("scores", nargs=-1, metavar="[SCORES]...")(run)

    return decorate


def _with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(command)
    def run(scores, config, columns, read, **values) -> None:
        check_given(scores)
        said = _said({name: values.pop(name) for name in SPECS if name in values})
        settings = _settings(config, columns, read)
        command(scores=scores or settings.sources, said=said, settings=settings, **values)

    return run


def check_given(paths: tuple[str, ...]) -> None:
    """UsageError for an empty argument: the variable of a script that holds nothing."""
    if not all(path.strip() for path in paths):
        raise click.UsageError(
            "an empty argument names no scores; give a file, a folder, a glob or a URL, or leave "
            "it out"
        )


def _said(values: dict[str, Any]) -> dict[str, Any]:
    """The decisions that options take; an option that is not given takes none."""
    said: dict[str, Any] = {}
    evals: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if SPECS[name].per_eval:
            found = said_of_evals(name, value)
            for eval_name, own in found.pop("evals", {}).items():
                evals.setdefault(eval_name, {}).update(own)
            said |= found
        elif SPECS[name].names:
            given = [v for v in value if v]
            if given:  # one text may name several, between commas
                said[name] = given[0] if len(given) == 1 else given
        elif value not in (None, ""):
            said[name] = value
    return said | ({"evals": evals} if evals else {})


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


def say(*lines: str, err: bool = False) -> None:
    """Prints lines, each as one line: names in them are others', and may hold anything. What the
    terminal has no character for shows as its escape. Tables are documents, not lines.

    err: on standard error; where nothing can be written there, what a command does and its status
    stay as they are.
    """
    text = "\n".join(map(terminal, lines))
    encoding = (sys.stderr if err else sys.stdout).encoding or "utf-8"
    try:
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding), err=err)
    except OSError:
        if not err:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def terminal_width() -> int | None:
    """Characters of a line of the terminal that standard output is; None where it is none, such as
    a file or a pipe: what is written there does not depend on where.
    """
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def say_fictional(scores: Sequence[str], err: bool = False) -> None:
    """Says first that a command runs on the demonstration, where no scores are given."""
    if not scores:
        say(DEMONSTRATION, err=err)


def say_skipped(path: str, why: str) -> None:
    say(*f"skipped {terminal(path)}: {why}".split("\n"), err=True)


def say_all_skipped(skipped: Mapping[str, str]) -> None:
    """Says which files were left out, and why: each of a few, one of many with the same reason,
    whatever it goes on to name behind a colon.
    """
    alike: dict[str, list[str]] = {}
    for path, why in skipped.items():
        alike.setdefault(why.partition(": ")[0], []).append(path)
    for found in alike.values():
        if len(found) <= NAMED:
            for path in found:
                say_skipped(path, skipped[path])
        else:
            first = f"{len(found)} files (check names them), such as {found[0]}"
            say_skipped(first, skipped[found[0]])


def opened(scores, settings, decisions, strict: bool, **told: Any) -> Any:
    """The sources, opened as the settings say. told: skipped and undecided, as read_scores takes
    them. Without `skipped`, the command ends with what was skipped.
    """
    from reportkit.loading.evals import open_scores

    if "skipped" not in told:
        skipped: dict[str, str] = {}
        told["skipped"] = skipped.__setitem__
        click.get_current_context().call_on_close(lambda: say_all_skipped(skipped))
    found = open_scores(scores, settings.reading(decisions, strict=strict, **told))
    found.check_evals(e for e in decisions.evals if e not in settings.decisions.evals)
    names = found.logged, found.models, decisions.prices
    for line in settings.unused(*names) if scores else ():
        say(line, err=True)
    return found
