"""reportkit power."""

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from reportkit.cli.options import (
    LINE_OPTION,
    PAGE_OPTION,
    Command,
    deciding,
    option,
    terminal_width,
)
from reportkit.decisions import SPECS, flag
from reportkit.text.escaping import escape
from reportkit.text.visible import json_text, terminal

FORMATS = ("text", "md", "tex", "html", "typ", "csv", "json")
LOOK = "Look"
ASKED = "ask_"  # before the names of what is asked: some are decisions of a report too


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each thing that is asked."""
    from reportkit.plans import QUESTIONS, TITLES, told_default

    for name, q in reversed(QUESTIONS.items()):
        kind: Any = click.Choice(q.choices) if q.choices else click.STRING
        metavar = "|".join(q.choices) or q.metavar
        help = f"{q.meaning}  [default: {told_default(name)}]"
        command = option(
            f"--{name.replace('_', '-')}", ASKED + name, type=kind, default=None, metavar=metavar,
            title=TITLES[q.group], help=help,
        )(command)  # fmt: skip
    return command


def _options_of(said: Mapping[str, Any]) -> Iterable[str]:
    """The options that took these decisions."""
    own = [name for name in said if name != "evals"]
    of_evals = [name for taken in said.get("evals", {}).values() for name in taken]
    return dict.fromkeys(flag(name) for name in [*own, *of_evals])


def _explained(planned: Any, width: int | None) -> str:
    """How each answer is found, in lines no longer than those of prose, or of the terminal."""
    from reportkit.tables.planning.answers import told
    from reportkit.tables.planning.pasted import pasted
    from reportkit.tables.writers.plain import broken_text, prose_width

    prose = prose_width(width)
    option = "A name that can be given, such as noise, is an option: --noise 0.3."
    lines = [*textwrap.wrap(option, prose), "", "How:"]
    for t in told(planned):
        text = f"{t.question}. {t.assumes}"
        lines += textwrap.wrap(terminal(text), prose, initial_indent="- ", subsequent_indent="  ")
        if t.formula:
            lines += [f"    {part}" for part in broken_text(t.formula, (width or math.inf) - 4)]
    for x in pasted(planned):
        lines += ["", *textwrap.wrap(x.head or "For a methods section:", prose), ""]
        lines += textwrap.wrap(terminal(x.sentence), prose)
    return "\n".join(lines)


def _as_json(planned: Any) -> dict[str, Any]:
    from reportkit.tables.planning import planning_json

    return planning_json(planned)


@click.command(cls=Command, short_help="Plan an eval: questions, epochs, clusters, costs.")
@_options
@deciding(
    "scores",
    models="The two models of the pilot that are compared.  [default: of more than two, those that "
    "score best]",
    baseline="Which of the two is the second one.  [default: the second of the pilot]",
)
@option("--table", "table", default="planning", show_default=True, metavar="NAME", title=LOOK,
        help="The table that is printed: planning (every answer), planning-known, "
        "planning-differences, planning-sizes, planning-epochs, planning-clusters, planning-costs, "
        "planning-gaps or planning-public.")  # fmt: skip
@option("--format", "format", type=click.Choice(FORMATS), default="text", show_default=True,
        metavar="|".join(FORMATS), title=LOOK,
        help="What is printed; text says how each answer is found, json has every "
        "number.")  # fmt: skip
@LINE_OPTION
@PAGE_OPTION
def power(scores, said, settings, strict, table, format, **asked) -> None:
    """Plan an eval before it is run: how many questions a difference needs, what so many questions
    find, and how many answers to each, how many clusters and what cost serve best.

    SCORES are of a pilot, if there is one: 50 questions answered by two models already say how much
    scores vary. What is not given is taken from the pilot, else from public evals, and the answer
    says so. Level and power are those of reportkit.toml, where it has them.
    """
    from reportkit.analysis.planning import asked_of, plan
    from reportkit.loading.read import load_scores
    from reportkit.tables.planning import PLANNING, plan_table
    from reportkit.tables.writers.plain import plain_text, prose_width
    from reportkit.tables.writers.render import render_drop_in

    room = {name: asked.pop(name) for name in ("width", "height")}
    said_of_plan = {k.removeprefix(ASKED): v for k, v in asked.items()}
    wanted = asked_of(
        {k: v for k, v in said_of_plan.items() if v not in (None, "")},
        settings.decisions,
        Path(settings.file).name,
    )
    given = click.get_current_context().params["scores"]  # not those that reportkit.toml names
    if said and not given:
        options = ", ".join(_options_of(said))
        raise click.UsageError(
            f"{options} would change how a pilot is read, and there is none; give its SCORES too"
        )
    decisions = settings.decisions.without(*SPECS) if not given else settings.decisions
    decisions = decisions.beaten_by(said)
    pilot = None
    if given:
        pilot = load_scores(list(given), settings.reading(decisions, strict=strict))
    planned = plan(wanted, pilot, decisions)
    made = plan_table(planned, table)
    why, width = PLANNING[table].instead(planned), terminal_width()
    if why and format in ("text", "md"):  # a sentence, and no table without a row
        in_lines = textwrap.fill(terminal(why), prose_width(width))
        click.echo(in_lines if format == "text" else escape(why, "md"))
    elif format == "json":
        click.echo(json_text(_as_json(planned)), nl=False)
    elif format == "text":
        click.echo(plain_text(made, width))
        if table == "planning":
            click.echo(f"\n{_explained(planned, width)}")
    else:
        click.echo(render_drop_in(made, format, **room).rstrip("\n"))
