"""Which reports a build makes: one for each eval that has what was asked for, and one over all."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reportkit.builds.job import FAILED, Job, Output, Summary
from reportkit.decisions import PER_EVAL, Decisions
from reportkit.errors import NotebookError, ReportkitError, UnknownNameError
from reportkit.loading.config import Settings
from reportkit.loading.declared import decided_scores
from reportkit.loading.evals import Evals, of_those_run
from reportkit.loading.handover import Handed
from reportkit.report.manifest import as_given
from reportkit.report.suite import NAME, title_of
from reportkit.scores.select import select, slug
from reportkit.text.notebooks import light_nbformat

TAKEN = (NAME, FAILED, "planning")  # folders that no eval's report gets


@dataclass(frozen=True, slots=True)
class Planned:
    """The evals of a build. plan: what is decided for each. folders: of their reports. left_out:
    those that cannot be reported on, with the reason.
    """

    plan: Mapping[str, Decisions]
    folders: Mapping[str, str]
    left_out: Mapping[str, str]


def command_words(notebook: Path, output: Output, settings: Settings) -> list[str]:
    """What the command of a manifest says beside its scores, its decisions and its file."""
    words = list(settings.said)
    if notebook == Path(output.notebook):  # the user's own
        words += ["--notebook", as_given(output.notebook)["sources"][0]]
    return words


def planned(
    there: Evals, d: Decisions, chosen: Sequence[str], summary: Summary
) -> dict[str, Decisions]:
    """What is decided for each eval that can be reported on. The summary's failures get the reason
    of each other, its notes the evals that none of the named models was run on.

    Of models that are named, each eval takes those that were run on it. UnknownNameError where a
    model was run on none.
    """
    plan: dict[str, Decisions] = {}
    found: set[str] = set()
    notes = []
    for name in chosen:
        own = replace(there.decided(d, name), eval=name)
        try:
            scores = decided_scores(there.of(name), name, own)
            here = {*scores.of(name).rows["model"].unique()}
            found |= here
            left = of_those_run(own, there.models_of(own.models), here)
            if left is None:
                notes.append(f"eval {name!r}: none of the named models was run on it")
                continue
            if left.baseline != own.baseline:
                notes.append(f"eval {name!r}: the baseline {own.baseline!r} was not run on it")
            models = there.models_of(left.models)
            select(scores, name, models=models, metric=own.metric, cluster=own.cluster)
            plan[name] = left
        except ReportkitError as error:
            summary.failures[name] = str(error)
    named = [*there.models_of(d.models), *filter(None, [d.baseline])]
    missing = [m for m in named if m not in found]
    if missing and not summary.failures:
        evals = ", ".join(chosen)
        raise UnknownNameError(f"no model {missing[0]!r} in the chosen evals ({evals})")
    summary.notes += notes
    return plan


def report_folders(evals: Sequence[str]) -> list[str]:
    """Folder names that differ also on file systems where MATH and math are the same name, and that
    are none of a build's own.
    """
    folded = [*(slug(e).casefold() for e in evals), *TAKEN]
    return [
        slug(e) if folded.count(fold) == 1 else slug(e + "\0").replace("\0", "")
        for e, fold in zip(evals, folded, strict=False)
    ]


def known_parameters(notebook: Path) -> list[str]:
    """The parameters that a notebook has. NotebookError where papermill cannot read it."""
    light_nbformat()  # before papermill, which imports all of it
    import papermill

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return list(papermill.inspect_notebook(str(notebook)))
        # a file that is no notebook can raise anything in papermill's readers
        except Exception as error:
            raise NotebookError(
                f"{notebook}: not a notebook that papermill can read: {error}"
            ) from None


def is_suite(notebook: Path) -> bool:
    """Whether a notebook is of several evals: it has the parameter `evals`, and no `eval`.
    NotebookError where papermill cannot read it.
    """
    if notebook.stem == NAME:
        return True
    known = known_parameters(notebook)
    return "evals" in known and "eval" not in known


def suite_job(
    notebook: Path,
    d: Decisions,
    evals: Planned,
    output: Output,
    given: Mapping[str, Any],
    sources: Sequence[str],
) -> Job:
    """The report over all evals of a build. Certificates are left to the evals' own reports."""
    own = {k: v for k, v in given.items() if k not in (*PER_EVAL, "eval", "certificate")}
    parameters = own | {"evals": list(evals.plan)}
    if sources:
        parameters["scores"] = list(sources)
    each = tuple(
        Handed(e, _parameters_of(decided), _link(evals.folders[e], output, notebook), folder)
        for (e, decided), folder in zip(evals.plan.items(), evals.folders.values(), strict=True)
    )
    heading = title_of(len(each))
    return Job(
        notebook=str(notebook),
        decisions=d,
        evals=tuple(evals.plan),
        name=NAME,
        title=heading if NAME in evals.plan else NAME,
        heading=heading,
        parameters=_without_certificate(parameters),
        output=output,
        each=each,
        left_out=evals.left_out,
    )


def _parameters_of(decided: Decisions) -> dict[str, Any]:
    return _without_certificate(decided.without("certificate").parameters())


def _without_certificate(parameters: Mapping[str, Any]) -> dict[str, Any]:
    asked = [name for name in str(parameters.get("tables", "")).split(",") if name]
    kept = ",".join(name for name in asked if name != "certificate")
    return dict(parameters) | ({"tables": kept} if asked else {})


def _link(folder: str, output: Output, notebook: Path) -> str:
    """The page of an eval's report, seen from the suite's folder; of a suite that is built alone,
    where there is one.
    """
    suffix = "html" if "html" in output.formats else "".join(output.formats[:1])
    alone = output.notebook == NAME or Path(output.notebook) == notebook
    if not suffix or (alone and not Path(output.out, folder, f"report.{suffix}").is_file()):
        return ""
    return f"../{folder}/report.{suffix}"
