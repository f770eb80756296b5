"""index.html, the front page over all the reports of a folder."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from reportkit.builds.front import front_table, in_order, outdated, units_in
from reportkit.builds.history import Point
from reportkit.builds.job import Summary
from reportkit.builds.leading import leading
from reportkit.builds.rounds import SUITE, Stored
from reportkit.builds.trends import Trend, trend, trends
from reportkit.documents.moved import Told
from reportkit.publishing.aside import Aside
from reportkit.text.assets import asset
from reportkit.text.brought import content_policy, table_script
from reportkit.text.environment import environment
from reportkit.version import __version__

TITLE = "Eval reports"
SEARCHED = 8  # reports from which the page has a search box
FAILURES = 4  # that are told in full; of more the first three, and the others on a click


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontPage:
    """What index.html shows. reports: name, folder (relative), n_questions, models, trend, and a
    status where there is something to say; all but name may be absent. failures: name, message,
    command. skipped: name, message. not_read: evals that could not be read. moved: the comparisons.
    lead: which model is the best. table: of the scores, as HTML.
    """

    reports: Sequence[Mapping[str, Any]]
    title: str = TITLE
    failures: Sequence[Mapping[str, Any]] = ()
    skipped: Sequence[Mapping[str, Any]] = ()
    not_read: Sequence[str] = ()
    moved: Sequence[Told] = ()
    lead: str = ""
    table: Markup = field(default_factory=Markup)


def render_index(page: FrontPage) -> str:
    """index.html. The bytes do not hold the time of the build: the page shows the date of its own
    file.
    """
    fields: dict[str, Any] = {
        "folder": "", "n_questions": None, "models": (), "status": "", "trend": None,
    }  # fmt: skip
    rows = [fields | {"folder": r["name"]} | dict(r) for r in page.reports]
    failures = [{"command": ""} | dict(f) for f in page.failures]
    search = asset("templates", "index.js").read_text(encoding="utf-8")
    template = environment("html").get_template("index.html.j2")
    return template.render(
        page=page, reports=rows, failures=failures, searched=len(rows) >= SEARCHED,
        trends=any(r["trend"] for r in rows), counted=any(r["n_questions"] for r in rows),
        modelled=any(r["models"] for r in rows), stated=any(r["status"] for r in rows),
        version=__version__, first=len(failures) if len(failures) <= FAILURES else FAILURES - 1,
        alarmed=any(line.kind == "alarm" for r in rows if r["trend"] for line in r["trend"].lines),
        policy=content_policy, script=table_script(), search=Markup(search), dated=Markup(_DATED),
    )  # fmt: skip


# As ISO 8601 has dates, in the reader's own time: the same in every country.
_DATED = (
    "{ const d = new Date(document.lastModified), two = (n) => String(n).padStart(2, '0'); "
    "document.currentScript.previousElementSibling.textContent = "
    "`${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} "
    "${two(d.getHours())}:${two(d.getMinutes())}`; }"
)


def write_index(summary: Summary, reports: Sequence[Stored], history: Sequence[Point] = ()) -> None:
    """index.html over every report in the folder, those of earlier builds too."""
    drawn = trends(history)
    rows = [_row(r, summary, drawn) for r in in_order(reports)]
    for suite in (r for r in reports if r.name == SUITE):
        rows.insert(0, _row(suite, summary, drawn) | _status_of(suite, reports, summary))
    # Relative to the index, so that another --out, or a folder that moves, changes nothing.
    here = f"{summary.out}{os.sep}"
    failures = [
        {"name": n, "message": m.replace(here, ""), "command": summary.commands.get(n, "")}
        for n, m in sorted(summary.failures.items())
    ]
    skipped = [{"name": Path(n).name, "message": m} for n, m in sorted(summary.skipped.items())]
    page = FrontPage(
        reports=rows,
        failures=failures,
        skipped=skipped,
        not_read=_not_read(summary),
        moved=[c.told for c in summary.compared],
        lead=leading(reports),
        table=front_table(summary.out, reports),
    )
    with Aside(summary.out) as aside:
        aside.write(summary.out / "index.html", render_index(page).encode())


def _not_read(summary: Summary) -> list[str]:
    return [x.eval for c in summary.compared for x in c.comparison.not_read]


def _row(
    report: Stored, summary: Summary, drawn: Mapping[tuple[str, str], Sequence[Point]]
) -> dict[str, Any]:
    evals = report.evals
    status = ""
    if report.title in _not_read(summary):
        status = "could not be read; this is the last good report"
    if report.title in summary.failures:
        status = "failed; this is the last good report"
    return {
        "name": "All evals" if report.name == SUITE else report.title,
        "folder": report.name,
        "n_questions": report.n_questions,
        "models": list(dict.fromkeys(m for e in evals for m in e["models"])),
        "status": status,
        "trend": _trend(evals[0], summary, drawn) if len(evals) == 1 else None,
    }


def _status_of(suite: Stored, reports: Sequence[Stored], summary: Summary) -> dict[str, str]:
    """What the page says of a suite that is older than the reports of its evals."""
    older = outdated(suite, reports)
    if not older or suite.title in summary.failures:
        return {}
    more = f" and {len(older) - 3} more" if len(older) > 3 else ""
    return {"status": f"older than the reports of {', '.join(older[:3])}{more}"}


def _trend(
    e: Mapping[str, Any], summary: Summary, drawn: Mapping[tuple[str, str], Sequence[Point]]
) -> Trend | None:
    kinds = {m["model"]: "strong" for m in e["means"] if m.get("rank") == 1}
    settled = [m for c in summary.compared for m in c.comparison.settled]
    here = (m for m in settled if m.kind != "difference" and m.eval in ("", e["eval"]))
    kinds |= {m.model: "alarm" for m in here}
    points = drawn.get((e["eval"], e["metric"]), ())
    return trend(points, e["models"], kinds, units_in(e))
