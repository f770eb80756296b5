"""Which reports of a build are made again, and why."""

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.builds.fingerprint import (
    FORCED,
    UNCHANGED,
    Fingerprints,
    made_with,
    of_scores,
    parts_of,
)
from reportkit.builds.job import Job, Summary
from reportkit.errors import ReportkitError
from reportkit.loading.evals import Evals


def changed(
    jobs: Sequence[Job],
    there: Evals,
    given: Mapping[str, Any],
    kept: Fingerprints,
    summary: Summary,
) -> dict[str, dict[str, str]]:
    """The fingerprints of the reports to make, by their folders; why each is made, or is not."""
    made = made_with()
    parts: dict[str, dict[str, str]] = {}
    digests: dict[str, tuple[str, str, str]] = {}
    for job in jobs:
        try:
            for e in job.evals if there.sources else ():
                if e not in digests:
                    digests[e] = of_scores(there.of(e).of(e))
            now = parts_of(job, [digests.get(e, ("", "", "")) for e in job.evals], given, made)
        except (ReportkitError, OSError) as error:
            summary.failures[job.title] = str(error)
            continue
        why = FORCED if job.output.force else kept.why(job.name, now)
        summary.why[job.title] = why or UNCHANGED
        if why:
            parts[job.name] = now
        else:
            summary.unchanged.append(job.name)
    summary.unchanged.sort()
    return parts
