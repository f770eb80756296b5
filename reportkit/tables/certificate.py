"""The table of coverage certificates."""

from collections.abc import Callable

from reportkit.decisions import Theme
from reportkit.results import CertificateResult, EvalResult
from reportkit.tables.table import Column, Row, Table, table_of
from reportkit.text.numbers import DASH, MINUS, Units, count, fixed, percent_of, units_of


def certificate_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Simulated coverage of each printed interval, with its simulation error, and what was assumed."""
    u, shares = units_of(r), Units(True, 1)
    found = r.certificates
    heads: dict[str, tuple[Column, Callable[[CertificateResult], tuple[str, float | None]]]] = {
        "name": (Column("Interval of", "l"), lambda c: (_interval_of(c), None)),
        "coverage": (
            Column("Coverage"),
            lambda c: (shares.with_error(c.coverage, c.simulation_error), c.coverage),
        ),
        "none": (Column("No interval"), lambda c: (shares.error(c.not_printed), c.not_printed)),
        "mean": (
            Column("Mean", group="Assumed"),
            lambda c: (u.number(c.mean, sign=bool(c.baseline)), c.mean),
        ),
        "icc": (Column("ICC", group="Assumed"), lambda c: (fixed(c.icc, 2), c.icc)),
        "answer": (
            Column("Answer ICC", group="Assumed"),
            lambda c: (fixed(c.answer_icc, 2), c.answer_icc),
        ),
        "questions": (Column("Questions"), lambda c: (count(c.n_questions), c.n_questions)),
        "clusters": (Column("Clusters"), lambda c: (count(c.n_clusters), c.n_clusters)),
        "answers": (Column("Answers"), lambda c: (count(c.n_answers), c.n_answers)),
        "method": (Column("Method"), lambda c: (c.method, None)),
    }
    # The CSV has every column; here those that are the same empty thing in every row are left out.
    left_out = {
        "none": not any(c.not_printed > 0.0 for c in found),
        "icc": not r.clustered,
        "answer": not any(c.answer_icc == c.answer_icc for c in found),
        "clusters": not r.clustered,
    }
    shown = [head for key, head in heads.items() if not left_out.get(key)]

    def row(c: CertificateResult) -> Row:
        pairs = [make(c) for _, make in shown]
        return [text for text, _ in pairs], [value for _, value in pairs]

    columns = [column for column, _ in shown]
    title = "coverage certificate, simulated for data of this shape."
    notes = (
        _certificate_notes(r, left_out)
        if found
        else ["No certificate was made; ask for one with --certificate."]
    )
    return table_of("certificate", title, columns, map(row, found), notes, list(found), r)


def _interval_of(c: CertificateResult) -> str:
    return f"{c.model} {MINUS} {c.baseline}" if c.baseline else c.model


def _certificate_notes(r: EvalResult, left_out: dict[str, bool]) -> list[str]:
    found = r.certificates
    parts = "questions, clusters and answers" if r.clustered else "questions and answers"
    observed = (
        "mean and the correlations (ICC)" if r.clustered or not left_out["answer"] else "mean"
    )
    flat = any(m.se == 0.0 and m.mean in (0.0, 1.0) for m in r.means) and r.scale.percent
    reasons = sorted({c.reason for c in found if c.reason})
    meaning = [
        "ICC: correlation of two questions of a cluster, at least 0." if r.clustered else "",
        "Answer ICC: correlation of two answers to a question." if not left_out["answer"] else "",
        "Where all scores are 0 or all are 1, the mean is taken to be half a question away and "
        "correlations to be 0."
        if flat
        else "",
    ]
    counting = [
        "Of two models: the mean difference, and the answers of both."
        if any(c.baseline for c in found)
        else "",
        "All simulated evals have an interval."
        if left_out["none"]
        else "No interval: simulated evals that get none; they do not count in coverage.",
    ]
    return [
        f"Coverage (simulation error): {count(found[0].repeats)} evals with the {parts} of this "
        "one are simulated, and the "
        f"{observed} observed here taken for the truth. Coverage is the share of their "
        "intervals, made as this report makes "
        f"them, that hold that mean; they promise {percent_of(found[0].level)}.",
        " ".join(filter(None, meaning)),
        " ".join(filter(None, counting)),
        "This says whether the method suits data like these. It does not say that an interval "
        "printed here is right, and "
        "nothing about another population of questions, about other means or correlations, or "
        "about what the simulation "
        "leaves out.",
        f"{DASH} under coverage: {'; '.join(reasons)}." if reasons else "",
    ]
