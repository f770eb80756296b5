"""reportkit check: the data in words, before anything is built."""

import sys
from typing import Any

import click

from reportkit.cli.options import Command, deciding, opened, say, say_fictional, terminal_width
from reportkit.text.visible import terminal


@click.command(cls=Command, short_help="Show what the data hold and what is wrong.")
@deciding("scores")
def check(scores, said, settings, strict) -> None:
    """Report on the data: counts, missing questions, broken rules, fields that could be clusters.

    Of logs also: what each run planned, scored and failed, whether its harness's own means and
    standard errors come out of its rows, which runs and files are left out, and why.
    """
    from reportkit.cli.quality import alike_lines, check_lines, left_lines, wrapped
    from reportkit.errors import ScoresError

    skipped: list[tuple[str, str]] = []
    waiting: dict[str, list[str]] = {}
    decisions = settings.decisions.beaten_by(said)
    found = opened(
        scores,
        settings,
        decisions,
        strict,
        skipped=lambda path, why: skipped.append((path, why)),
        undecided=lambda name, why: waiting.setdefault(name, []).append(why),
    )
    models = found.models_of(decisions.models, decisions.baseline)
    told: list[str] = []
    all_sound = True
    left: dict[tuple[str, str, str], Any] = {}
    chosen = found.chosen(decisions.eval)
    broken = found.broken()
    for name in chosen:
        try:
            rows = found.of(name)
            d = found.decided(decisions, name)
            is_sound = broken is not None and name not in broken
            lines, sound = check_lines(rows, name, models, d, is_sound)
            left |= {(r.run.file, r.run.eval, r.run.model): r for r in rows.facts.left_out}
        except ScoresError as error:  # of a scores folder each eval is read by itself
            lines, sound = [name, f"  BROKEN {error}"], False
        lines += [f"  BROKEN {why}" for why in dict.fromkeys(waiting.pop(name, ()))]
        told += [*([""] if told else []), *lines]
        all_sound &= sound and not lines[-1].startswith("  BROKEN")
    for name, problems in () if decisions.eval else waiting.items():  # no model has scores of it
        told += ["", name, *(f"  BROKEN {why}" for why in dict.fromkeys(problems))]
        all_sound = False
    told += alike_lines(models or found.models)
    told += left_lines(
        list(left.values()), list(dict.fromkeys(skipped)), chosen if decisions.eval else ()
    )
    # Only sentences of ours have line ends; elsewhere one is part of a name.
    told = [
        terminal(line)
        for t in told
        for line in (t.split("\n") if t.startswith("  BROKEN") else [t])
    ]
    say_fictional(scores)
    width = terminal_width()
    say(*(told if width is None else wrapped(told, width)))
    sys.exit(0 if all_sound else 2)
