"""One report to build; what a build writes and where; and what it tells at its end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reportkit.decisions import Decisions
from reportkit.documents import DEFAULT
from reportkit.errors import tells_full

if TYPE_CHECKING:  # pandas comes with it, and a build with nothing to do needs none
    from reportkit.loading.handover import Handed

FailOn = Literal["failure", "moved", "regression"]
FAILED = "failed"  # folder of the notebooks that failed, beside the reports


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What a build writes, and where. It changes no number of a report, and only its command.

    notebook: "template", or the path of a user's own. formats: of the documents. jobs: reports
    built at once; None: see run.at_once. executor: where they are built, of runners.EXECUTORS.
    force: reports are made again also where nothing changed. time_limit: seconds that a cell of a
    notebook may take; 0: as long as it will. against: a build that this one is compared with,
    beside the one before. fail_on and min_effect: see moved.Gate. summary: a file for the page of
    CI, .md or .json. ask: of a plan, what is asked, as NAME=VALUE.
    """

    notebook: str = "template"
    formats: tuple[str, ...] = DEFAULT
    out: str = "reports"
    jobs: int | None = 1
    executor: str = "local"
    force: bool = False
    time_limit: float = 3600.0
    against: str = ""
    fail_on: FailOn = "failure"
    min_effect: float = 0.0
    summary: str = ""
    ask: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One report to make, of no eval, of one or of several: all that a worker process needs.

    parameters: of the notebook, from the decisions. name: of the report's folder. title: what
    messages call it, and its documents. heading: of the documents, where that is another.
    handover: folder of what the notebook is handed (loading.handover). each: of a suite, what is
    decided for each eval, and the folder of its report. left_out: evals that a suite lacks, with
    the reason.
    """

    notebook: str
    decisions: Decisions
    evals: tuple[str, ...]
    name: str
    title: str
    parameters: Mapping[str, Any]
    output: Output
    handover: str = ""
    heading: str = ""
    each: "tuple[Handed, ...]" = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Summary:
    """What a build did. failures and skipped map a name (a report's title, a file) to a reason.
    built and unchanged: folders of reports. why: why each report was made again, or was not.
    commands: what runs a failed report again, by its title.
    """

    out: Path
    built: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    why: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # names of reportkit.toml that fit nothing
    commands: dict[str, str] = field(default_factory=dict)
    compared: list[Any] = field(default_factory=list)  # moved.Compared, with builds before
    gate: str = ""  # why --fail-on ends the build with status 1

    @property
    def status(self) -> int:
        """Of the command: 3 where a full disk was in the way, 1 where a report failed or the gate
        fell, 0 otherwise.
        """
        if any(map(tells_full, self.failures.values())):
            return 3
        return 1 if self.failures or self.gate else 0
