"""The command line. Every mistake of a user is one message on stderr and status 2; nothing heavy is imported early."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import click

from reportkit import __version__
from reportkit.errors import ReportkitError
from reportkit.escaping import terminal

THEMES = ("error-bars", "plain", "pm", "ci", "stacked")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: runs a command and turns our own errors into a message and status 2."""
    try:
        commands(args=arguments, prog_name="reportkit", standalone_mode=True)
    except ReportkitError as error:
        _say(*f"reportkit: {error}".split("\n"), err=True)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output, such as head, has gone
        sys.stderr.close()
        sys.exit(0)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="reportkit")
def commands() -> None:
    """Error bars for model technical reports.

    SCORES are files (CSV, JSONL, Parquet), folders, globs or URLs with the columns model, question_id and score, logs of eval
    harnesses, or scores folders that import wrote.
    With none given, everything runs on a demonstration of fictional models.
    """


READING = (
    click.option("--columns", multiple=True, metavar="OURS=THEIRS", help="What a plain table calls a column."),
    click.option("--config", default="", metavar="FILE", help="[default: reportkit.toml, if it is there]"),
    click.option("--strict", is_flag=True, help="A broken file in a folder is an error, not left out."),
)


def selection(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose what to report on, the same for every command; settings of reportkit.toml come with them."""
    for option in reversed(
        [
            click.argument("scores", nargs=-1, metavar="[SCORES]..."),
            click.option("--eval", "evals", default="", metavar="A,B", help="Only these evals."),
            click.option("--models", default="", metavar="X,Y", help="Only these models, in this order."),
            click.option("--baseline", default="", metavar="M", help="Compare each model with M, not every pair."),
            click.option("--metric", default="", metavar="NAME", help="Another metric than the headline one."),
            click.option("--cluster", multiple=True, metavar="EVAL=FIELD", help="The field that groups questions."),
            click.option("--theme", type=click.Choice(THEMES), help="[default: error-bars]"),
            click.option(
                "--runs", type=click.Choice(("latest", "first", "pool")), help="Which of a model's full runs count."
            ),
            click.option(
                "--match-on", type=click.Choice(("id", "content_hash")), help="How questions of two models are paired."
            ),
            *READING,
        ]
    ):
        command = option(command)
    return decided(command)


def decided(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with `settings` in the place of --config, --runs and --match-on, and with what the file says of the rest."""

    @functools.wraps(command)
    def run(config, runs, match_on, cluster, columns, **rest) -> None:
        from reportkit.config import load

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
            raise click.BadParameter(f"{value!r} names no field; write EVAL=FIELD", param_hint="--cluster")
        fields[name] = field
    return fields


def column_names(values: tuple[str, ...]) -> dict[str, str]:
    """OURS=THEIRS, repeated or separated by commas, as a mapping; a comma before a piece without = is of a name.

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
            raise click.BadParameter(f"{piece!r} names no column; write question_id=THEIRS", param_hint="--columns")
        found[ours.strip()] = theirs.strip()
    return found


@commands.command()
@selection
@click.option("--notebook", default="template", metavar="template|PATH", show_default=True, help="The notebook to run.")
@click.option("--formats", default="html,md,tex,pdf", show_default=True, help="The documents to make.")
@click.option("--out", default="", metavar="FOLDER", help="Where the reports go.  [default: reports]")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Reports built at once.")
@click.option("--certificate", is_flag=True, help="Also simulate what the intervals cover on data of this shape.")
def build(
    scores,
    evals,
    models,
    baseline,
    metric,
    clusters,
    theme,
    settings,
    strict,
    notebook,
    formats,
    out,
    jobs,
    certificate,
) -> None:
    """Build a report for each eval: HTML, Markdown, LaTeX, PDF, drop-ins, results.json."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.build import build as build_reports

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        line = bar.add_task("reading scores", total=None)

        def progress(message: str, done: int, total: int) -> None:
            message = terminal(message)
            bar.update(line, description=message, completed=done, total=total or None)
            if total or not console.is_terminal:
                console.print(f"[{done}/{total}] {message}" if total else message, markup=False, soft_wrap=True)

        summary = build_reports(
            scores, evals=evals, models=models, baseline=baseline, metric=metric, clusters=clusters,
            notebook=notebook, formats=[f.strip() for f in formats.split(",") if f.strip()], theme=theme,
            out=out or settings.out or "reports", jobs=jobs, certificate=certificate, settings=settings, strict=strict,
            progress=progress,
        )  # fmt: skip
    for note in summary.notes:
        _say(note, err=True)
    for name, reason in summary.skipped.items():
        _skipped(name, reason)
    for name, reason in summary.failures.items():
        _say(*f"failed {terminal(name)}: {reason}".split("\n"), err=True)
    count = len(summary.built)
    _say(f"{count} report{'' if count == 1 else 's'} built, {len(summary.failures)} failed: {summary.out}/index.html")
    sys.exit(summary.status)


@commands.command()
@click.argument("kind")
@selection
@click.option(
    "--format", "fmt", type=click.Choice(("md", "tex", "html", "typ", "csv")), default="md", show_default=True
)
@click.option(
    "--align", type=click.Choice(("plain", "siunitx")), default="plain", show_default=True, help="LaTeX numbers."
)
@click.option("--wide", type=click.Choice(("scale", "split", "turn")), default="scale", show_default=True,
              help="What becomes of a LaTeX table wider than the page.")  # fmt: skip
@click.option("--span", type=click.Choice(("column", "page")), default="column", show_default=True,
              help="What a LaTeX table takes in a two-column class.")  # fmt: skip
@click.option("--long", type=click.Choice(("longtable", "parts")), default="longtable", show_default=True,
              help="How a LaTeX table beyond a page goes on.")  # fmt: skip
def table(kind, scores, evals, models, baseline, metric, clusters, theme, settings, strict, fmt, **options) -> None:
    """Print one table: means, clustering, differences, correlations, variance, power, data or certificate.

    Several evals make one table. paper2 to paper5 are the layouts of Tables 2 to 5 of Miller 2024.
    """
    from reportkit.analysis import analyse
    from reportkit.errors import UnknownNameError, did_you_mean
    from reportkit.latex import width_warning
    from reportkit.render import render_drop_in
    from reportkit.tables import KINDS, make_table

    if kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    opened = _opened(scores, settings, strict)
    wanted, fields = opened.models_of(models, baseline), opened.clusters(clusters)
    results = []
    for name in opened.chosen(evals):
        result, _ = analyse(
            opened.of(name), name, models=wanted, baseline=baseline, metric=metric, cluster=fields[name],
            certificate=kind == "certificate",
        )  # fmt: skip
        results.append(result)
    made = make_table(results, kind, theme)
    if fmt == "tex" and options["wide"] == "scale" and (warning := width_warning(made)):
        _say(f"reportkit: {warning}", err=True)
    click.echo(render_drop_in(made, fmt, **options).rstrip("\n"))


@commands.command()
@selection
def check(scores, evals, models, baseline, metric, clusters, theme, settings, strict) -> None:
    """Report on the data: counts, missing questions, broken rules, fields that could be clusters.

    Of logs also: what each run planned, scored and failed, whether its harness's own means and standard errors come out of
    its rows, which runs and files are left out, and why.
    """
    import shutil

    from reportkit.check import check_lines, left_lines, wrapped
    from reportkit.errors import ScoresError
    from reportkit.rows import LEFT_OUT

    skipped: list[tuple[str, str]] = []
    waiting: dict[str, list[str]] = {}
    opened = _opened(scores, settings, strict, lambda path, why: skipped.append((path, why)),
                     lambda name, why: waiting.setdefault(name, []).append(why))  # fmt: skip
    wanted, fields = opened.models_of(models, baseline), opened.clusters(clusters)
    told: list[str] = []
    all_sound = True
    left: dict[tuple[str, str, str], Any] = {}
    chosen = opened.chosen(evals)
    for name in chosen:
        try:
            rows = opened.of(name)
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
    told = [terminal(line) for t in told for line in (t.split("\n") if t.startswith("  BROKEN") else [t])]
    _say(*(wrapped(told, shutil.get_terminal_size().columns) if sys.stdout.isatty() else told))
    sys.exit(0 if all_sound else 2)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how files are read."""
    for option in reversed(READING):
        command = option(command)
    return command


@commands.command(name="import")
@click.argument("logs", nargs=-1, metavar="[LOGS]...")
@click.option("--to", "folder", required=True, metavar="FOLDER", help="The scores folder, new or of an earlier import.")
@click.option("--drop-gone", is_flag=True, help="Take out the runs whose file is no longer among LOGS.")
@reading
def import_logs(logs, folder, drop_gone, columns, config, strict) -> None:
    """Read harness logs once, into a scores folder (Parquet) that every command reads one eval at a time.

    Only what is new or changed is read again. LOGS are files, folders, globs or URLs; without any, what reportkit.toml names.
    Of reportkit.toml only `logs` and [columns] matter here: what is decided for an eval holds when the folder is read.
    """
    from reportkit.config import load
    from reportkit.formatting import count, counted
    from reportkit.importing import import_scores

    settings = load(config).beaten_by(columns=column_names(columns))
    if not (logs or settings.sources):
        raise click.UsageError("name the LOGS to import, here or in reportkit.toml (logs = ...)")
    done = import_scores(
        logs or settings.sources, folder, columns=dict(settings.columns), strict=strict, drop_gone=drop_gone,
        progress=lambda path: _say(f"reading {path}", err=True),
    )  # fmt: skip
    for path in done.added:
        _say(f"added {path}")
    for path in done.replaced:
        _say(f"replaced {path}")
    for path, reason in done.skipped.items():
        _skipped(path, reason)
    for path in done.gone:
        _say(f"{'dropped' if drop_gone else 'gone'} {path}")
    dropped = drop_gone and done.gone
    if not (done.runs or dropped):
        _say("reportkit: no scores could be read; give logs of an eval harness, or tables with the columns model, "
                   "question_id and score (--columns question_id=THEIRS says what yours are called)", err=True)  # fmt: skip
        sys.exit(2)
    _say(
        f"{len(done.added)} added, {len(done.replaced)} replaced, {len(done.unchanged)} unchanged, {len(done.skipped)} "
        f"skipped: {folder} holds {counted(done.runs, 'run')}, {count(done.rows)} rows"
    )
    if done.gone and not dropped:
        _say(f"{counted(len(done.gone), 'source')} of earlier imports {'is' if len(done.gone) == 1 else 'are'} gone, "
                   "and their runs stay in the folder; --drop-gone takes them out")  # fmt: skip
    if not (done.added or done.replaced or done.unchanged or dropped):
        _say("reportkit: no scores could be read this time; what the folder holds is of earlier imports", err=True)
        sys.exit(2)


@commands.command()
@click.option("--to", "folder", required=True, metavar="FOLDER", help="Where to write the CSV files.")
def demo(folder) -> None:
    """Write the demonstration scores, one CSV for each eval."""
    from reportkit.demo import write_demo
    from reportkit.errors import OutputError

    try:
        paths = write_demo(folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}; choose another folder with --to") from None
    for path in paths:
        _say(str(path))


def _say(*lines: str, err: bool = False) -> None:
    """Prints lines, each as one line: names in them are others', and may hold anything. Tables are documents, not lines."""
    click.echo("\n".join(map(terminal, lines)), err=err)


def _skipped(path: str, why: str) -> None:
    _say(*f"skipped {terminal(path)}: {why}".split("\n"), err=True)


def _opened(
    scores,
    settings,
    strict: bool,
    skipped: Callable[[str, str], None] = _skipped,
    undecided: Callable[[str, str], None] | None = None,
) -> Any:
    from reportkit.readers.opened import open_scores

    opened = open_scores(
        scores, options=settings.options, aliases=settings.aliases, columns=settings.columns, logs=settings.logs,
        strict=strict, skipped=skipped, undecided=undecided,
    )  # fmt: skip
    for line in settings.unused(opened.logged, opened.models) if scores else ():
        _say(line, err=True)
    return opened
