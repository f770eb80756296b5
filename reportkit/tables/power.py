"""Variance between and within questions, and what an eval can detect."""

import math

from reportkit.analysis.answer_noise import answer_noise
from reportkit.decisions import Theme
from reportkit.results import EvalResult, PowerResult
from reportkit.tables.notes import no_pair
from reportkit.tables.table import Column, Row, Table, table_of
from reportkit.text.numbers import DASH, count, percent_of, plain_number, share_of, units_of


def variance_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Variance between and within questions, and what more answers for each question would buy."""
    u = units_of(r)
    heads = ["Answers", "Between", "Within", "Noise share"]
    columns = [Column("Model", "l"), *(Column(h) for h in heads)]
    columns += [Column(h, group="SE with answers") for h in ("as now", "doubled", "unlimited")]
    rows: list[Row] = []
    for m in r.means:
        k = m.n_answers / m.n_questions if m.n_questions else math.nan
        noise = answer_noise(m)
        se = [noise.now, noise.doubled, noise.unlimited]
        cells = [
            m.model,
            count(k),
            plain_number(m.variance_between),
            plain_number(m.variance_within),
        ]
        cells += [share_of(noise.share), *map(u.error, se)]
        rows.append((cells, [None, k, m.variance_between, m.variance_within, noise.share, *se]))
    single = any(m.variance_within != m.variance_within for m in r.means)
    still = any(m.se == 0.0 and m.variance_within == m.variance_within for m in r.means)
    reasons = ["with one answer for each question, the two cannot be told apart"] * single
    reasons += ["there is no standard error to share out"] * still
    note = f"{DASH}: {'; '.join(reasons)}." if reasons else ""
    notes = [
        "Answers: for each question. Between: variance over questions, answer noise removed. "
        "Within: variance of one "
        "answer to a question. Both in squared score units.",
        "Noise share: the part of the squared SE that more answers would remove.",
        "Between 0: not distinguishable from 0; what unlimited answers would leave is not "
        "estimable."
        if any(m.variance_between == 0.0 for m in r.means)
        else "",
        note,
    ]
    return table_of(
        "variance", "variance between and within questions.", columns, rows, notes, list(r.means), r
    )


def power_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Smallest detectable differences by questions and answers, questions needed by difference:
    equations 9 and 10.
    """
    u = units_of(r)
    # About 1, 2 and 5 hundredths of the range of scores, in round numbers.
    unit = 10.0 ** round(math.log10((r.scale.high - r.scale.low) or 1.0) - 2)
    effects = (
        [0.01, 0.02, 0.05] if r.scale.percent else [float(f"{unit * x:.1g}") for x in (1, 2, 5)]
    )
    now, needed = "Detectable difference", "Questions needed\nto detect"
    columns = [
        Column("Model", "l"),
        Column("Baseline", "l"),
        Column("Questions"),
        Column("Answers"),
    ]
    columns += [
        Column(h, group=now) for h in ("as it is", "2× questions", "4× questions", "4× answers")
    ]
    columns += [
        Column(f"{100 * e:g}%" if r.scale.percent else f"{e:g}", group=needed) for e in effects
    ]

    def row(p: PowerResult) -> Row:
        noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline
        total = p.omega2 + noise
        more = p.mde * math.sqrt((p.omega2 + noise / 4.0) / total) if total > 0.0 else math.nan
        mdes = [p.mde, p.mde / math.sqrt(2.0), p.mde / 2.0, more]
        questions = [
            math.ceil(p.n_questions * (p.mde / e) ** 2 * (1 - 1e-12))
            if p.mde > 0 and e
            else math.nan
            for e in effects
        ]
        k = count(p.epochs_model)
        if p.epochs_baseline != p.epochs_model:
            k += f", {count(p.epochs_baseline)}"
        cells = [
            p.model,
            p.baseline,
            count(p.n_questions),
            k,
            *map(u.error, mdes),
            *map(count, questions),
        ]
        return cells, [None, None, p.n_questions, p.epochs_model, *mdes, *questions]

    first = r.power[0] if r.power else None
    known = [p.omega2 == p.omega2 for p in r.power]
    notes = [
        f"At a two-sided level of {percent_of(first.alpha)} and {percent_of(first.power)} power."
        if first
        else no_pair(r),
        "Where the questions' true differences are not distinguishable from equal, answer noise "
        "alone sets what is detectable."
        if any(p.omega2 == 0.0 for p in r.power)
        else "",
        f"4× answers, {DASH}: with one answer for each question, answer noise is not known."
        if not all(known)
        else "",
    ]
    return table_of(
        "power", "what this eval can detect.", columns, map(row, r.power), notes, list(r.power), r
    )
