"""reportkit import."""

import sys

import click

from reportkit.cli.options import (
    Command,
    check_given,
    option,
    reading,
    say,
    say_skipped,
)


@click.command(name="import", cls=Command, short_help="Read harness logs once, into files.")
@click.argument("logs", nargs=-1, metavar="[LOGS]...")
@option(
    "--to",
    "folder",
    title="Output",
    required=True,
    metavar="FOLDER",
    help="The scores folder, new or of an earlier import.",
)
@option(
    "--drop-gone",
    is_flag=True,
    title="Output",
    help="Take out the runs whose file is no longer among LOGS.",
)
@option(
    "--verify",
    "mend",
    flag_value="verify",
    title="Output",
    help="Read every file of the folder and hold it against its hash; what is damaged is read from "
    "LOGS again. Without LOGS: say what is damaged, and change nothing.",
)
@option(
    "--repair",
    "mend",
    flag_value="repair",
    title="Output",
    help="Take out what is damaged, and make the list of runs again from the files where it is "
    "damaged or gone; then import LOGS, if there are any.",
)
@reading
def import_logs(logs, folder, drop_gone, mend, settings, strict) -> None:
    """Read harness logs once, into a scores folder (Parquet) that every command reads one eval at a
    time.

    Only what is new or changed is read again. LOGS are files, folders, globs or URLs; without any,
    what reportkit.toml names. Of reportkit.toml only `logs` and [columns] matter here: what is
    decided for an eval holds when the folder is read.
    """
    from reportkit.loading.importing import import_scores

    check_given(logs)
    if mend and not logs:
        {"verify": _verify, "repair": _repair}[mend](folder)
        return
    if mend == "repair":
        _repair(folder)
    if not (logs or settings.sources):
        raise click.UsageError("name the LOGS to import, here or in reportkit.toml (logs = ...)")
    done = import_scores(
        logs or settings.sources,
        folder,
        columns=settings.layouts,
        strict=strict,
        drop_gone=drop_gone,
        verify=mend == "verify",
        progress=lambda path: say(f"reading {path}", err=True),
    )
    _say_files(done, folder, drop_gone)
    _say_sum(done, folder, drop_gone and done.gone)


def _say_files(done, folder: str, drop_gone: bool) -> None:
    for path in done.added:
        say(f"added {path}")
    for path in done.replaced:
        say(f"replaced {path}")
    for path, reason in done.skipped.items():
        say_skipped(path, reason)
    for path in done.gone:
        say(f"{'dropped' if drop_gone else 'gone'} {path}")
    for name, reason in done.damaged.items():
        say(f"damaged {folder}/{name}: {reason}", err=True)


def _say_sum(done, folder: str, dropped) -> None:
    """What the folder holds now; status 2 where nothing could be read, or something is damaged."""
    from reportkit.text.numbers import count, counted

    if not (done.runs or dropped):
        say(
            "reportkit: no scores could be read; give logs of an eval harness, or tables with "
            "the columns model, "
            "question_id and score (--columns question_id=THEIRS says what yours are called)",
            err=True,
        )
        sys.exit(2)
    say(
        f"{len(done.added)} added, {len(done.replaced)} replaced, {len(done.unchanged)} "
        f"unchanged, {len(done.skipped)} "
        f"skipped: {folder} holds {counted(done.runs, 'run')}, {count(done.rows)} rows"
    )
    if done.gone and not dropped:
        say(
            f"{counted(len(done.gone), 'source')} of earlier imports "
            f"{'is' if len(done.gone) == 1 else 'are'} gone, "
            "and their runs stay in the folder; --drop-gone takes them out"
        )
    if not (done.added or done.replaced or done.unchanged or dropped):
        say(
            "reportkit: no scores could be read this time; what the folder holds is of earlier "
            "imports",
            err=True,
        )
        sys.exit(2)
    if done.damaged:
        say(
            "reportkit: what is damaged could not be read from its logs again; give the logs that "
            "held it, or take it out with --repair",
            err=True,
        )
        sys.exit(2)


def _verify(folder: str) -> None:
    """Says what of a scores folder is damaged; status 2 where something is."""
    from reportkit.loading.store.repair import verify_scores
    from reportkit.text.numbers import counted

    found = verify_scores(folder)
    for name, reason in found.damaged.items():
        say(f"damaged {folder}/{name}: {reason}", err=True)
    if not found.damaged:
        of = f"{counted(found.runs, 'run')} in {counted(found.files, 'file')}"
        say(f"{folder}: every byte is as it was written, {of}")
        return
    _say_lost(found.lost)
    say(
        f"reportkit: {folder}: {counted(len(found.damaged), 'file')} damaged; mend it from the "
        "logs with reportkit import LOGS --verify, or take out what is damaged with --repair",
        err=True,
    )
    sys.exit(2)


def _repair(folder: str) -> None:
    """Says what a repair took out of a scores folder, and what it holds now."""
    from reportkit.loading.store.repair import repair_scores
    from reportkit.text.numbers import counted

    found = repair_scores(folder)
    for name, reason in found.damaged.items():
        say(f"damaged {folder}/{name}: {reason}", err=True)
    _say_lost(found.lost)
    say(
        f"repaired: {folder} holds {counted(found.runs, 'run')}; "
        f"{counted(len(found.lost), 'run')} lost"
    )


def _say_lost(lost) -> None:
    for entry in lost:
        say(f"lost {entry.run.eval}, {entry.run.model}: of {entry.source}", err=True)
