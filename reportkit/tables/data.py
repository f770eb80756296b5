"""The data table: what a report was made from, what is missing in it, and whether the harness's own
numbers agree.
"""

from typing import Any

from reportkit.decisions import Theme
from reportkit.results import EvalResult
from reportkit.tables.table import Column, Row, Table, table_of
from reportkit.text.numbers import DASH, Units, count, counted

FILES = 6  # that a table names with their hashes


def data_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """What was read: questions, answers, what is missing, the files; of logs what was planned, and
    the self-check.
    """
    from reportkit.scores.selfcheck import verdict

    heads = [
        "Questions",
        "of all",
        *(["Planned"] if r.runs else []),
        "Answers",
        "Without a score",
        "Errors",
    ]
    columns = [
        Column("Model", "l"),
        *(Column(h) for h in heads),
        *([Column("Harness check", "l")] if r.runs else []),
    ]
    rows: list[Row] = []
    data: list[Any] = []
    found: dict[str, list[str]] = {}
    for m, zeroed in zip(r.means, r.zeroed or [0] * len(r.means), strict=True):
        runs = [run for run in r.runs if run["model"] == m.model]
        check = verdict([c for run in runs for c in run["checks"] if c.metric == r.metric])
        what, _, why = check.partition(": ")
        if why:
            found.setdefault(check, []).append(m.model)
        planned = r.planned(m) if any(run["n_planned"] for run in runs) else None
        errors = m.n_errors + zeroed
        share = m.n_questions / max(r.n_asked, r.n_questions)
        number = f"{Units(True, 1).number(share)}"
        plans = [(DASH if planned is None else count(planned), planned)] if r.runs else []
        told = [(m.model, None), (count(m.n_questions), m.n_questions), (number, share), *plans,
                *((count(n), n) for n in (m.n_answers, m.n_unscored, errors)),
                *([(what or DASH, None)] if r.runs else [])]  # fmt: skip
        rows.append(([text for text, _ in told], [value for _, value in told]))
        keys = ("model", "n_questions", "n_clusters", "n_answers", "n_unscored")
        data.append(
            {"eval": r.eval, "metric": r.metric}
            | {k: getattr(m, k) for k in keys}
            | {
                "n_errors": errors,
                "n_planned": planned,
                "n_runs": len(runs),
                "harness_check": check,
            }
        )
    files = [
        f"{s['file']}: {count(s['rows'])} rows, SHA-256 {s['sha256'][:12]}." for s in r.sources
    ]
    options = ", ".join(f"{k} = {v}" for k, v in r.options.items() if k != "aliases")
    makers = dict.fromkeys(
        " ".join(w for w in (run["harness"], run["harness_version"]) if w) for run in r.runs
    )
    notes = [
        f"{counted(max(r.n_asked, r.n_questions), 'question')} in all"
        + (
            f", of which {count(r.n_questions)} have a score." if r.n_asked > r.n_questions else "."
        ),
        f"Harness check: whether the means and standard errors that {', '.join(makers)} printed "
        "come out of the rows."
        if r.runs
        else "",
        *(f"{', '.join(models)}: the harness check {check}." for check, models in found.items()),
        *(
            f"Left out: {run['model']}, "
            f"{run['file']}{' of ' * bool(run['created'])}{run['created'][:10]}: {run['why']}"
            f"{' ' * bool(run['instead'])}{run['instead']}."
            for run in r.left_out
        ),
        *(f"Not read: {f['file']}: {f['why']}." for f in r.unread[:FILES]),
        f"And {counted(len(r.unread) - FILES, 'further file')} not read."
        if r.unread[FILES:]
        else "",
        f"Decided for this eval: {options}." if options else "",
        "A missing score is left out; "
        + (
            "answers that failed or were not given count as 0."
            if any(r.zeroed)
            else "it is never 0."
        ),
        *files[:FILES],
        f"And {counted(len(files) - FILES, 'further file')}, named with all others in "
        "manifest.json."
        if files[FILES:]
        else "",
    ]
    return table_of("data", "what was read.", columns, rows, notes, data, r)
