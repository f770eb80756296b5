"""The table of everything that clusters can be said to do to a mean."""

import math

from reportkit.requested import ClusteringResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.columns import clusters_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, missing_notes, score_notes, undefined_note
from reportkit.text.numbers import counted, fixed, percent_of

SES, SAME = "SE", "Every cluster weighs the same"
NEGATIVE = "\N{DAGGER}"


def clustering_all(r: EvalResult, style: Style) -> Draft:
    """Other clustered standard errors, effective clusters, and the mean over clusters."""
    rows: tuple[ClusteringResult, ...] = r.requested["clustering-all"]  # type: ignore[assignment]
    units, interval = style.units(r, more=1), f"{percent_of(r.level)} CI"
    printed = style.signed_units(r)
    two_way = any(c.negative for c in rows)
    specs = [
        ColumnSpec("model", "Model", lambda c: c.model, align="l"),
        ColumnSpec("se", "CR2", lambda c: units.error(c.se), lambda c: c.se, group=SES),
        ColumnSpec("se_cr3", "CR3", lambda c: units.error(c.se_cr3), lambda c: c.se_cr3, group=SES),
        ColumnSpec(
            "se_paper",
            "Equation 4",
            lambda c: units.error(c.se_paper),
            lambda c: c.se_paper,
            group=SES,
        ),
        ColumnSpec(
            "se_two_way",
            "Two-way",
            lambda c: units.error(c.se_two_way),
            lambda c: c.se_two_way,
            group=SES,
            shown=two_way,
            mark=lambda c: NEGATIVE if c.negative == "yes" else "",
        ),
        ColumnSpec("icc", "ICC", lambda c: fixed(c.icc, 2), lambda c: c.icc),
        clusters_column(),
        ColumnSpec(
            "effective", "Effective", lambda c: fixed(c.effective, 1), lambda c: c.effective
        ),
        ColumnSpec(
            "cluster_mean",
            "Mean (SE)",
            lambda c: printed.with_error(c.cluster_mean, c.cluster_se),
            lambda c: c.cluster_mean,
            group=SAME,
            fields={
                "Mean of clusters": lambda c: c.cluster_mean,
                "SE of the mean of clusters": lambda c: c.cluster_se,
            },
        ),
        ColumnSpec(
            "cluster_ci",
            interval,
            lambda c: printed.interval(c.cluster_low, c.cluster_high),
            lambda c: c.cluster_low,
            group=SAME,
            fields={
                f"{interval} of the mean of clusters low": lambda c: c.cluster_low,
                f"{interval} of the mean of clusters high": lambda c: c.cluster_high,
            },
        ),
    ]
    notes = [
        *_notes(r, rows),
        *score_notes(r, style),
        *missing_notes(r),
        undefined_note(any(_undefined(c, two_way) for c in rows)),
    ]
    title = "standard errors in clusters by other methods, and means of clusters."
    return Draft("clustering-all", title, r, specs, rows, notes, rows)


def _undefined(c: ClusteringResult, two_way: bool) -> bool:
    numbers = [c.se, c.se_cr3, c.se_paper, c.icc, c.effective, c.cluster_se, c.cluster_low]
    return any(map(math.isnan, numbers + [c.se_two_way] * two_way))


def _notes(r: EvalResult, rows: tuple[ClusteringResult, ...]) -> list[Note]:
    notes = [
        Note(f"{counted(r.n_clusters, 'cluster')} ({r.cluster_field}).", "clusters", counts=True),
        Note(
            "CR2: the standard error of the report. CR3: the jackknife that leaves out one cluster "
            "at a time (Bell & McCaffrey 2002). Equation 4: as Miller 2024 prints it, without a "
            "small-sample correction."
        ),
    ]
    if any(c.negative for c in rows):
        crossed = r.options.get("crossed", "")
        text = (
            f"Two-way: clusters of {r.cluster_field} and of {crossed}, which cross (Cameron, "
            "Gelbach & Miller 2011)."
        )
        notes.append(Note(text, about="se_two_way"))
    if any(c.negative == "yes" for c in rows):
        text = (
            f"{NEGATIVE}: the two-way variance is negative; the larger of the two one-way standard "
            "errors stands in its place."
        )
        notes.append(Note(text, about="se_two_way"))
    notes += [
        Note(
            "ICC: correlation of two questions of a cluster, by analysis of variance.", about="icc"
        ),
        Note(
            "Effective: clusters of one size that would tell as much (Carter, Schnepel & "
            "Steigerwald 2017).",
            about="effective",
        ),
        Note(
            f"{SAME}: the mean of the clusters' means, whatever their sizes. It is not the mean "
            "over questions that all other tables print.",
            about="cluster_mean",
        ),
    ]
    return notes
