"""reportkit check: the data in words, before anything is built."""

import sys
from typing import Any

import click

from reportkit.cli.options import opened, say, selection
from reportkit.text.escaping import terminal


@click.command()
@selection
def check(scores, evals, models, baseline, metric, clusters, theme, settings, strict) -> None:
    """Report on the data: counts, missing questions, broken rules, fields that could be clusters.

    Of logs also: what each run planned, scored and failed, whether its harness's own means and
    standard errors come out of its rows, which runs and files are left out, and why.
    """
    import shutil

    from reportkit.cli.quality import check_lines, left_lines, wrapped
    from reportkit.errors import ScoresError
    from reportkit.scores.rows import LEFT_OUT

    skipped: list[tuple[str, str]] = []
    waiting: dict[str, list[str]] = {}
    found = opened(scores, settings, strict, lambda path, why: skipped.append((path, why)),
                     lambda name, why: waiting.setdefault(name, []).append(why))  # fmt: skip
    wanted, fields = found.models_of(models, baseline), found.clusters(clusters)
    told: list[str] = []
    all_sound = True
    left: dict[tuple[str, str, str], Any] = {}
    chosen = found.chosen(evals)
    for name in chosen:
        try:
            rows = found.of(name)
            lines, sound = check_lines(rows, [name], wanted, metric, fields, baseline)
            left |= {(r["file"], r["eval"], r["model"]): r for r in rows.attrs.get(LEFT_OUT, ())}
        except ScoresError as error:  # of a scores folder each eval is read by itself
            lines, sound = [name, f"  BROKEN {error}"], False
        lines += [f"  BROKEN {why}" for why in dict.fromkeys(waiting.pop(name, ()))]
        told += [*([""] if told else []), *lines]
        all_sound &= sound and not lines[-1].startswith("  BROKEN")
    for name, problems in () if evals else waiting.items():  # no other model has scores of it
        told += ["", name, *(f"  BROKEN {why}" for why in dict.fromkeys(problems))]
        all_sound = False
    told += left_lines(list(left.values()), list(dict.fromkeys(skipped)), chosen if evals else ())
    # Only sentences of ours have line ends; elsewhere one is part of a name.
    told = [
        terminal(line)
        for t in told
        for line in (t.split("\n") if t.startswith("  BROKEN") else [t])
    ]
    say(*(wrapped(told, shutil.get_terminal_size().columns) if sys.stdout.isatty() else told))
    sys.exit(0 if all_sound else 2)
