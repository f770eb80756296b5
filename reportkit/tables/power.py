"""Variance between and within questions, and what an eval can detect."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from reportkit.analysis.answer_noise import AnswerNoise, answer_noise
from reportkit.results import EvalResult, MeanResult, PowerResult
from reportkit.tables.cells import Style
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.means import answers_per_question
from reportkit.tables.notes import Note, no_pair
from reportkit.text.numbers import DASH, Units, count, percent_of, plain_number, share_of

SE_GROUP = "SE with answers"
NOW, NEEDED = "Detectable difference", "Questions needed\nto detect"


@dataclass(frozen=True, slots=True)
class _Variance:
    """One row of the variance table."""

    mean: MeanResult
    noise: AnswerNoise


def variance(r: EvalResult, style: Style) -> Draft:
    """Variance between and within questions, and what more answers for each question would buy."""
    units = style.units(r)
    specs = [
        ColumnSpec("model", "Model", lambda v: v.mean.model, align="l"),
        ColumnSpec(
            "answers",
            "Answers",
            lambda v: count(answers_per_question(v.mean)),
            lambda v: answers_per_question(v.mean),
        ),
        ColumnSpec(
            "variance_between",
            "Between",
            lambda v: plain_number(v.mean.variance_between),
            lambda v: v.mean.variance_between,
        ),
        ColumnSpec(
            "variance_within",
            "Within",
            lambda v: plain_number(v.mean.variance_within),
            lambda v: v.mean.variance_within,
        ),
        ColumnSpec(
            "noise_share",
            "Noise share",
            lambda v: share_of(v.noise.share),
            lambda v: v.noise.share,
        ),
        _se_spec("se", "as now", units, lambda v: v.noise.now),
        _se_spec("se_doubled", "doubled", units, lambda v: v.noise.doubled),
        _se_spec("se_unlimited", "unlimited", units, lambda v: v.noise.unlimited),
    ]
    rows = [_Variance(m, answer_noise(m)) for m in r.means]
    title = "variance between and within questions."
    return Draft("variance", title, r, specs, rows, _variance_notes(r), r.means)


def _se_spec(key: str, head: str, units: Units, read: Callable[[_Variance], float]) -> ColumnSpec:
    return ColumnSpec(key, head, lambda v: units.error(read(v)), read, group=SE_GROUP)


def _variance_notes(r: EvalResult) -> list[Note]:
    notes = [
        Note(
            "Answers: for each question. Between: variance over questions, answer noise removed. "
            "Within: variance of one answer to a question. Both in squared score units."
        ),
        Note(
            "Noise share: the part of the squared SE that more answers would remove.",
            about="noise_share",
        ),
    ]
    if any(m.variance_between == 0.0 for m in r.means):
        text = (
            "Between 0: it cannot be told from 0, so the SE with unlimited answers is not "
            "estimable."
        )
        notes.append(Note(text))
    reasons = []
    if any(math.isnan(m.variance_within) for m in r.means):
        reasons.append("with one answer for each question, the two cannot be told apart")
    if any(m.se == 0.0 and not math.isnan(m.variance_within) for m in r.means):
        reasons.append("there is no standard error to share out")
    if reasons:
        notes.append(Note(f"{DASH}: {'; '.join(reasons)}.", "undefined"))
    return notes


def one_answer_each(r: EvalResult) -> str:
    """What stands in the place of a variance table that would say nothing."""
    if any(m.n_answers > m.n_questions for m in r.means):
        return ""
    return (
        "With one answer to each question, variance between and within questions cannot be told "
        "apart."
    )


def power(r: EvalResult, style: Style) -> Draft:
    """Smallest detectable differences by questions and answers, questions needed by difference:
    equations 9 and 10.
    """
    units = style.units(r)
    specs = [
        ColumnSpec("model", "Model", lambda p: p.model, align="l"),
        ColumnSpec("baseline", "Baseline", lambda p: p.baseline, align="l"),
        ColumnSpec(
            "questions", "Questions", lambda p: count(p.n_questions), lambda p: p.n_questions
        ),
        ColumnSpec("answers", "Answers", _answers, lambda p: p.epochs_model),
    ]
    ways: list[tuple[str, str, Callable[[PowerResult], float]]] = [
        ("mde", "as it is", lambda p: p.mde),
        ("mde_2_questions", "2× questions", partial(detectable_with_questions, times=2)),
        ("mde_4_questions", "4× questions", partial(detectable_with_questions, times=4)),
        ("mde_4_answers", "4× answers", partial(detectable_with_answers, times=4)),
    ]
    specs += [_mde_spec(key, head, units, mde) for key, head, mde in ways]
    specs += [_needed_spec(effect, r) for effect in _effects(r)]
    return Draft("power", "what this eval can detect.", r, specs, r.power, _power_notes(r), r.power)


def _mde_spec(key: str, head: str, units: Units, mde: Callable[[PowerResult], float]) -> ColumnSpec:
    return ColumnSpec(key, head, lambda p: units.error(mde(p)), mde, group=NOW)


def _needed_spec(effect: float, r: EvalResult) -> ColumnSpec:
    needed = partial(questions_needed, effect=effect)
    head = f"{100 * effect:g}%" if r.scale.percent else f"{effect:g}"
    return ColumnSpec(f"needed_for_{head}", head, lambda p: count(needed(p)), needed, group=NEEDED)


def _effects(r: EvalResult) -> list[float]:
    """Differences worth finding: about 1, 2 and 5 hundredths of the range of scores, in round
    numbers.
    """
    if r.scale.percent:
        return [0.01, 0.02, 0.05]
    unit = 10.0 ** round(math.log10((r.scale.high - r.scale.low) or 1.0) - 2)
    return [float(f"{unit * x:.1g}") for x in (1, 2, 5)]


def detectable_with_questions(p: PowerResult, times: int) -> float:
    """Smallest detectable difference with so many times the questions: 1/sqrt of it."""
    return p.mde / math.sqrt(times)


def detectable_with_answers(p: PowerResult, times: int) -> float:
    """Smallest detectable difference with so many times the answers: they divide the answer noise,
    and leave what the models truly differ by; nan where the two are not known apart.
    """
    noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline
    total = p.omega2 + noise
    if not total > 0.0:
        return math.nan
    return p.mde * math.sqrt((p.omega2 + noise / times) / total)


def questions_needed(p: PowerResult, effect: float) -> float:
    """Questions of this kind with which the difference would be detectable (equation 9)."""
    if not p.mde > 0 or not effect:
        return math.nan
    # A product that should be whole must not be rounded up for its last bit.
    return math.ceil(p.n_questions * (p.mde / effect) ** 2 * (1 - 1e-12))


def _answers(p: PowerResult) -> str:
    """Answers to each question; of both models where they differ."""
    if p.epochs_baseline == p.epochs_model:
        return count(p.epochs_model)
    return f"{count(p.epochs_model)}, {count(p.epochs_baseline)}"


def _power_notes(r: EvalResult) -> list[Note]:
    if not r.power:
        return [no_pair(r)]
    first = r.power[0]
    text = f"At a two-sided level of {percent_of(first.alpha)} and {percent_of(first.power)} power."
    notes = [Note(text, "level")]
    if any(p.omega2 == 0.0 for p in r.power):
        text = (
            "Where the questions' true differences do not vary measurably, the detectable "
            "difference comes from answer noise alone."
        )
        notes.append(Note(text))
    if any(math.isnan(p.omega2) for p in r.power):
        text = f"4× answers, {DASH}: with one answer for each question, answer noise is not known."
        notes.append(Note(text, "undefined", about="mde_4_answers"))
    return notes
