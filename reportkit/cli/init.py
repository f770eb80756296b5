"""reportkit init."""

import functools
import os
from pathlib import Path

import click

from reportkit.cli.options import check_given, column_names, not_empty, opened, say

LIKELY = ("scores", "logs")  # folders that are read where the command names nothing


@click.command(short_help="Write a reportkit.toml for the scores it finds.")
@click.argument("scores", nargs=-1, metavar="[SCORES]...")
@click.option("--to", "path", default="reportkit.toml", show_default=True, metavar="FILE",
              callback=not_empty,
              help="The file to write. One that is there is never changed.")  # fmt: skip
@click.option("--columns", multiple=True, metavar="OURS=THEIRS",
              help="What a plain table calls a column, such as question_id=prompt_id.")  # fmt: skip
def init(scores, path, columns) -> None:
    """Write a reportkit.toml for the logs or scores it finds.

    The file names them, and proposes in comments what only you can decide: the baseline, clusters,
    ranges, which of several runs counts. Without SCORES, the folders scores/ or logs/ are read.
    """
    from reportkit.cli.learned import learned_of, shown, told_of, toml_lines
    from reportkit.cli.starter import starter
    from reportkit.decisions import Decisions
    from reportkit.errors import OutputError, ScoresError
    from reportkit.inputs.layouts import Layouts
    from reportkit.loading.config import Settings
    from reportkit.publishing.whole import write_whole

    check_given(scores)
    if Path(path).exists():
        raise OutputError(f"{path}: is there already; choose another file with --to")
    scores = scores or [name for name in LIKELY if Path(name).is_dir()][:1]
    if not scores:
        raise ScoresError(
            "no folder scores/ or logs/ is here; name the logs or scores: reportkit init SCORES"
        )
    named = column_names(columns)
    layouts = learned_of(scores, named)
    for file, layout in layouts.items():
        say(*shown(file, layout))
    settings = Settings(layouts=Layouts(tables=tuple(told_of(f, k) for f, k in layouts.items())))
    waiting: dict[str, list[str]] = {}
    read = functools.partial(opened, scores, settings.with_layout(named), strict=False)
    try:
        found = read(
            Decisions(), undecided=lambda name, why: waiting.setdefault(name, []).append(why)
        )
    except ScoresError:
        if not waiting:
            raise
        found = read(Decisions(runs="pool"))  # every run waits: all of them say what is there
    text = starter(found, _from(path, scores), named, waiting)
    text += "".join(f"\n{line}" for f, k in layouts.items() for line in toml_lines(f, k))
    write_whole(path, text.encode(errors="replace"), "; choose another file with --to")
    say(f"{path} is written. Read it, take the # from what you decide, then: reportkit build")


def _from(path: str, scores) -> list[str]:
    """The sources as seen from the file."""
    folder = os.path.dirname(path) or os.curdir
    return [s if "://" in s or os.path.isabs(s) else os.path.relpath(s, folder) for s in scores]
