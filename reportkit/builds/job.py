"""One report to build, how a build writes, and what it tells when it has ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportkit.documents import DEFAULT

FAILED = "failed"  # folder of the notebooks that failed, beside the reports


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What a build writes, and where. It changes no number and no word of a report.

    notebook: "template", or the path of a user's own. formats: of the documents. jobs: reports
    built at once.
    """

    notebook: str = "template"
    formats: tuple[str, ...] = DEFAULT
    out: str = "reports"
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Job:
    """One report to make: everything a worker process needs."""

    eval: str
    name: str  # of its folder
    notebook: str
    parameters: Mapping[str, Any]
    formats: tuple[str, ...]
    out: str
    handover: str = ""  # folder of what the notebook is handed (loading.handover)


@dataclass(slots=True)
class Summary:
    """What a build did. failures and skipped map a name (eval, file) to the reason."""

    out: Path
    built: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # names of reportkit.toml that fit nothing

    @property
    def status(self) -> int:
        return 1 if self.failures else 0
