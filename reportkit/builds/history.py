"""history.jsonl: one line for each eval and model of each build that changed it, in the order of
the builds; lines are added and never rewritten.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reportkit.builds.rounds import SUITE, Stored
from reportkit.errors import OutputError
from reportkit.record import plain
from reportkit.version import __version__

HISTORY = "history.jsonl"


@dataclass(frozen=True, slots=True)
class Point:
    """One mean at the end of one build. when: UTC, to the second. version: of reportkit. inputs: a
    hash over the files that the report was made from. mean and se: None where undefined.
    """

    when: str
    eval: str
    metric: str
    model: str
    mean: float | None
    se: float | None
    n_questions: int
    version: str
    inputs: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.eval, self.metric, self.model

    @property
    def numbers(self) -> tuple[float | None, float | None, int]:
        return self.mean, self.se, self.n_questions


def read_history(out: Path) -> list[Point]:
    """The points of a folder's history. A line that cannot be read, such as half a line of a build
    that was killed, is left out.
    """
    try:
        lines = (out / HISTORY).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [point for line in lines if (point := _point(line)) is not None]


def _point(line: str) -> Point | None:
    try:
        values = json.loads(line)
        point = Point(**{f.name: values[f.name] for f in fields(Point)})
        for number in (point.mean, point.se):
            if number is not None:
                float(number)
        datetime.fromisoformat(point.when)
    except (ValueError, LookupError, TypeError):
        return None
    return point


def add_history(out: Path, reports: Iterable[Stored]) -> list[Point]:
    """Adds a line for each mean of the reports that is new, or differs from its last line; nothing
    where nothing changed. Returns the whole history.

    All lines of a build are added in one write, behind a line end where a build before was killed
    in the middle of one.
    """
    known = read_history(out)
    last = {point.key: point for point in known}
    added = []
    for point in _points(reports):
        before = last.get(point.key)
        if before is None or before.numbers != point.numbers:
            added.append(point)
            last[point.key] = point
    if added:
        _append(out / HISTORY, added)
    return [*known, *added]


def _points(reports: Iterable[Stored]) -> Iterable[Point]:
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for report in reports:
        if report.name == SUITE:  # the same means as the evals' own
            continue
        inputs = inputs_hash(report.manifest)
        for e in report.evals:
            for m in e["means"]:
                yield Point(
                    when, e["eval"], e["metric"], m["model"], m["mean"], m["se"],
                    m["n_questions"], __version__, inputs,
                )  # fmt: skip


def inputs_hash(manifest: Mapping[str, Any]) -> str:
    """One hash over the files of a report, in any order; empty for the demonstration."""
    files = sorted(str(i.get("sha256", "")) for i in manifest.get("inputs", ()))
    return hashlib.sha256("\n".join(files).encode()).hexdigest() if files else ""


def _append(path: Path, points: Iterable[Point]) -> None:
    lines = "".join(
        json.dumps(plain(asdict(p)), ensure_ascii=True, allow_nan=False) + "\n" for p in points
    )
    try:
        with open(path, "ab+") as file:
            file.seek(0, os.SEEK_END)
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    lines = "\n" + lines
            file.write(lines.encode())
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
