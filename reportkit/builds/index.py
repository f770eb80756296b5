"""index.html over all the reports of a folder."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from reportkit.builds.job import Summary
from reportkit.publishing.aside import Aside
from reportkit.tables.html import content_policy, table_script
from reportkit.text.environment import environment


def render_index(
    reports: Sequence[Mapping[str, Any]],
    title: str,
    failures: Sequence[Mapping[str, Any]] = (),
    skipped: Sequence[Mapping[str, Any]] = (),
) -> str:
    """index.html over all reports.

    reports: name, folder (relative), n_questions, models, sources (path, sha256), status; all but
    name may be absent. failures and skipped: name and message. The bytes do not hold the time of
    the build: the page shows the date of its own file.
    """
    fields = {"folder": "", "n_questions": None, "models": (), "sources": (), "status": "built"}
    rows = [fields | {"folder": r["name"]} | dict(r) for r in reports]
    template = environment("html").get_template("index.html.j2")
    return template.render(
        reports=rows, title=title, failures=failures, skipped=skipped,
        policy=content_policy, script=table_script(), dated=Markup(_DATED),
    )  # fmt: skip


_DATED = (
    "document.currentScript.previousElementSibling.textContent = new "
    "Date(document.lastModified).toLocaleString();"
)


def write_index(summary: Summary) -> None:
    """index.html over every report in the folder, those of earlier builds too."""
    rows = []
    for folder in sorted(
        p
        for p in summary.out.iterdir()
        if (p / "results.json").is_file() and not p.name.startswith(".")
    ):
        try:
            results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
            made = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            inputs = made["inputs"] or [{"file": "the demonstration (fictional)", "sha256": ""}]
            evals = list(results["evals"])
            title = evals[0]["eval"] if len(evals) == 1 else results["report"]["name"]
        except (OSError, ValueError, LookupError):
            continue  # somebody else's folder
        rows.append(
            {
                "name": title,
                "folder": folder.name,
                "n_questions": sum(e["n_questions"] for e in evals) if evals else None,
                "models": list(dict.fromkeys(m for e in evals for m in e["models"])),
                "sources": [{"path": i["file"], "sha256": i["sha256"]} for i in inputs],
                "status": "failed; this is the last good report"
                if title in summary.failures
                else "built",
            }
        )
    # Relative to the index, so that another --out, or a folder that moves, changes nothing.
    here = f"{summary.out}{os.sep}"
    failures = [
        {"name": n, "message": m.replace(here, "")} for n, m in sorted(summary.failures.items())
    ]
    skipped = [{"name": Path(n).name, "message": m} for n, m in sorted(summary.skipped.items())]
    text = render_index(rows, "Eval reports", failures, skipped)
    with Aside(summary.out) as aside:
        aside.write(summary.out / "index.html", text.encode())
