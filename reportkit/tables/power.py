"""Variance between and within questions, and what an eval can detect."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportkit.analysis.answer_noise import AnswerNoise, answer_noise
from reportkit.analysis.detectable import Needed, detectable_with, needed_for
from reportkit.results import EvalResult, MeanResult, PowerResult
from reportkit.stats.planning.detectable import LEAST_QUESTIONS
from reportkit.tables.captions import compared_of, metric_of, questions_of, sentence
from reportkit.tables.cells import Style
from reportkit.tables.detectable import dash_note, meant_notes, reasons_of
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.means import answers_per_question
from reportkit.tables.notes import CLUSTERED, NOTHING, REPEATS, Note, in_points, no_pair
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    counted,
    digits_for,
    fixed,
    percent_of,
    plain_number,
    share_of,
)

SE_GROUP = "SE with answers"
MOST_DECIMALS = 6  # of a variance
CLUSTERS = "Where questions come in clusters, more questions mean more clusters of the same sizes."
NOW, NEEDED = "Detectable difference", "Questions needed to detect"


@dataclass(frozen=True, slots=True)
class _Variance:
    """One row of the variance table."""

    mean: MeanResult
    noise: AnswerNoise


def variance(r: EvalResult, style: Style) -> Draft:
    """Variance between and within questions, and what more answers for each question would buy."""
    units, variance_of, noisy = style.units(r), _variances(r), not one_answer_each(r)
    specs = [
        ColumnSpec("model", "Model", lambda v: v.mean.model, align="l"),
        ColumnSpec(
            "answers",
            "Answers",
            lambda v: count(answers_per_question(v.mean)),
            lambda v: answers_per_question(v.mean),
            same=lambda text: f"{text} answers to each question",
        ),
        ColumnSpec(
            "variance_between",
            "Between",
            lambda v: variance_of(v.mean.variance_between),
            lambda v: v.mean.variance_between,
        ),
        ColumnSpec(
            "variance_within",
            "Within",
            lambda v: variance_of(v.mean.variance_within),
            lambda v: v.mean.variance_within,
        ),
        ColumnSpec(
            "noise_share",
            "Noise share",
            lambda v: share_of(v.noise.share),
            lambda v: v.noise.share,
        ),
        # Where nothing is known of answer noise, it would be what the table of means says.
        _se_spec("se", "as now", units, lambda v: v.noise.now if noisy else math.nan),
        _se_spec("se_doubled", "doubled", units, lambda v: v.noise.doubled),
        _se_spec("se_unlimited", "unlimited", units, lambda v: v.noise.unlimited),
    ]
    rows = [_Variance(m, answer_noise(m)) for m in r.means]
    title = "variance between and within questions."
    data = list(map(_variance_record, rows))
    return Draft(
        *("variance", title, r, specs, rows, _variance_notes(rows, one_answer_each(r)), data),
        about=sentence(metric_of(r), questions_of(r)),
        told=("answers",),
    )


def _variance_record(v: _Variance) -> dict[str, Any]:
    """What the CSV has of a model: its variance, and what more answers would buy."""
    names = ("model", "n_questions", "n_answers", "mean", "variance_between", "variance_within")
    return {name: getattr(v.mean, name) for name in names} | {
        "noise_share": v.noise.share,
        "se": v.noise.now,
        "se_doubled": v.noise.doubled,
        "se_unlimited": v.noise.unlimited,
    }


def _variances(r: EvalResult) -> Callable[[float], str]:
    """How variances are printed: with the decimals that the smallest needs, so that their points
    stand below each other.
    """
    digits = digits_for(x for m in r.means for x in (m.variance_between, m.variance_within))
    if digits > MOST_DECIMALS:
        return plain_number
    return lambda x: "0" if x == 0.0 else fixed(x, digits)


def _se_spec(key: str, head: str, units: Units, read: Callable[[_Variance], float]) -> ColumnSpec:
    return ColumnSpec(key, head, lambda v: units.error(read(v)), read, group=SE_GROUP)


def _variance_notes(rows: list[_Variance], why: str) -> list[Note]:
    """why: a sentence where nothing is known of answer noise."""
    if why:
        return [Note(why, "undefined")]
    notes = [
        Note("Answers: for each question.", about="answers"),
        Note(
            "Between: variance over questions, answer noise removed. Within: variance of one "
            "answer to a question. Both in squared score units."
        ),
        Note(
            "Noise share: the part of the squared SE that more answers would remove.",
            about="noise_share",
        ),
    ]
    if any(v.mean.variance_between == 0.0 for v in rows):
        notes.append(Note("Between 0: it cannot be told from 0."))
    if any(v.noise.share == 1.0 for v in rows):  # in clusters also with a variance between
        text = (
            "Noise share 100%: what would be left cannot be told from 0, so the SE with unlimited "
            "answers is not estimable."
        )
        notes.append(Note(text, about="noise_share"))
    reasons = []
    if any(math.isnan(v.mean.variance_within) for v in rows):
        reasons.append("with one answer for each question, the two cannot be told apart")
    if any(not v.mean.se > 0.0 and not math.isnan(v.mean.variance_within) for v in rows):
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


def no_pairs(r: EvalResult) -> str:
    """What stands in the place of a table of comparisons that would have no row."""
    return "" if r.power else str(no_pair(r))


@dataclass(frozen=True, slots=True)
class _Power:
    """One row of the power table: a comparison, and its cells by their keys."""

    of: PowerResult
    mde: Mapping[str, float]
    needed: Mapping[float, Needed]


# The cells of detectable differences: key, head, times the questions, times the answers.
WAYS = (
    ("mde", "as it is", 1.0, 1.0),
    ("mde_2_questions", "2× questions", 2.0, 1.0),
    ("mde_4_questions", "4× questions", 4.0, 1.0),
    ("mde_4_answers", "4× answers", 1.0, 4.0),
)


def power_all(r: EvalResult, style: Style) -> Draft:
    """The same with every column."""
    about = sentence(metric_of(r))  # its columns have the questions
    draft = replace(power(r, style), name="power-all", full=True, about=about)
    if any_detectable(r):
        return draft
    # Its questions and answers stand in the table of data.
    return replace(draft, notes=[Note(str(note), REPEATS) for note in draft.notes])


def power(r: EvalResult, style: Style) -> Draft:
    """Smallest detectable differences by questions and answers, questions needed by difference."""
    units = style.units(r)
    specs = [
        ColumnSpec("model", "Model", lambda p: p.of.model, align="l"),
        ColumnSpec(
            "baseline",
            "Baseline",
            lambda p: p.of.baseline,
            align="l",
            same=lambda name: f"baseline {name}",
        ),
        ColumnSpec(
            "questions",
            "Questions",
            lambda p: count(p.of.n_questions),
            lambda p: p.of.n_questions,
            core=False,
        ),
        ColumnSpec("answers", "Answers", _answers, lambda p: p.of.epochs_model, core=False),
    ]
    specs += [_mde_spec(key, head, units, r.power) for key, head, _, _ in WAYS]
    specs += [_needed_spec(effect, r) for effect in _effects(r)]
    rows = _power_rows(r)
    title = "differences that can be detected."
    return Draft(
        *("power", title, r, specs, rows, _power_notes(r, rows, style), r.power),
        each="Each comparison",
        about=sentence(metric_of(r), compared_of(r, r.power)),
    )


def _power_rows(r: EvalResult) -> list[_Power]:
    """All rows, a column at a time: solving for one pair costs as much as for a thousand."""
    mde = {"mde": [p.mde for p in r.power]} | {
        key: detectable_with(r.power, r.scale, questions=questions, answers=answers).tolist()
        for key, _, questions, answers in WAYS[1:]
    }
    needed = {effect: needed_for(r.power, r.scale, effect) for effect in _effects(r)}
    return [
        _Power(p, {key: v[i] for key, v in mde.items()}, {e: v[i] for e, v in needed.items()})
        for i, p in enumerate(r.power)
    ]


def _mde_spec(key: str, head: str, units: Units, powers: Sequence[PowerResult]) -> ColumnSpec:
    points = units.of_differences

    def same(text: str) -> str:
        """What a note says in the place of a column of more answers; of all dashes, only why."""
        if text != DASH:
            return f"{text} with 4× answers"
        if any(map(_knows_noise, powers)):  # then a note on the other columns says why
            return ""
        return "one answer to a question, so what more answers would buy is not known"

    return ColumnSpec(
        key,
        head,
        lambda p: points.error(p.mde[key]),
        lambda p: p.mde[key],
        group=NOW,
        core=key != "mde_2_questions",
        same=same if key == "mde_4_answers" else None,
        idle=(DASH,),
    )


def _knows_noise(p: PowerResult) -> bool:
    """Whether both models have several answers to a question, which show answer noise."""
    return not math.isnan(p.sigma2_model + p.sigma2_baseline)


def _needed_spec(effect: float, r: EvalResult) -> ColumnSpec:
    head, name = f"{effect:g}", f"{effect:g}"
    if r.scale.percent:
        head, name = counted(100 * effect, "point"), f"{100 * effect:g}%"

    def text(p: _Power) -> str:
        needed = p.needed[effect]
        if r.shares_clusters and needed.questions == needed.questions:
            return f"{count(needed.questions)} ({count(needed.clusters)})"
        return count(needed.questions)

    fields = {f"{NEEDED}: {name}".replace("\n", " "): lambda p: p.needed[effect].questions}
    if r.clustered:
        fields[f"Clusters needed to detect: {name}"] = lambda p: p.needed[effect].clusters
    return ColumnSpec(
        f"needed_for_{name}",
        head,
        text,
        lambda p: p.needed[effect].questions,
        group=NEEDED,
        fields=fields,
    )


def _effects(r: EvalResult) -> list[float]:
    """Differences worth finding: about 1, 2 and 5 hundredths of the range of scores, in round
    numbers.
    """
    if r.scale.percent:
        return [0.01, 0.02, 0.05]
    unit = 10.0 ** round(math.log10((r.scale.high - r.scale.low) or 1.0) - 2)
    return [float(f"{unit * x:.1g}") for x in (1, 2, 5)]


def _answers(p: _Power) -> str:
    """Answers to each question; of both models where they differ."""
    if p.of.epochs_baseline == p.of.epochs_model:
        return count(p.of.epochs_model)
    return f"{count(p.of.epochs_model)}, {count(p.of.epochs_baseline)}"


def any_detectable(r: EvalResult) -> bool:
    """Whether a table of power has a number to print."""
    return any(p.mde == p.mde for p in r.power) or _any_number(_power_rows(r))


def _any_number(rows: Sequence[_Power]) -> bool:
    """Whether a row has a detectable difference, or a number of questions, or too few to plan."""
    every = [needed for row in rows for needed in row.needed.values()]
    known = [x for row in rows for x in row.mde.values()] + [n.questions for n in every]
    return not all(map(math.isnan, known)) or any(needed.few for needed in every)


def _power_notes(r: EvalResult, rows: list[_Power], style: Style) -> list[Note]:
    if not r.power:
        return [no_pair(r)]
    every = [needed for row in rows for needed in row.needed.values()]
    if not _any_number(rows):
        return [Note(f"There is no detectable difference to print: {reasons_of(r)}.", NOTHING)]
    first, level = r.power[0], percent_of(r.power[0].alpha)
    notes = [Note(f"At a two-sided level of {level} and {percent_of(first.power)} power.", "level")]
    points = "Differences are in percentage points"
    wide = "" if style.point else f"{points} where scores are percentages, else as the scores."
    notes.append(Note(f"{points}." * in_points(r, style), wide=wide))
    notes += [Note(n, wide=n.wide) for n in meant_notes(r)]  # of no column, as their unit
    needed_key = _needed_spec(_effects(r)[0], r).key
    if r.shares_clusters:
        notes.append(Note(CLUSTERS, CLUSTERED))
        text = "In brackets, the clusters that hold the questions needed."
        notes.append(Note(text, CLUSTERED, about=needed_key))
    if any(p.omega2 == 0.0 for p in r.power):
        text = (
            "Where the questions' true differences do not vary measurably, the detectable "
            "difference comes from answer noise alone."
        )
        notes.append(Note(text))
    if not all(map(_knows_noise, r.power)):
        text = f"With one answer each, it is not known what 4× answers would buy ({DASH})."
        notes.append(Note(text, "undefined", about="mde_4_answers"))
    cells = [row.mde[key] for row in rows for key, _, _, answers in WAYS if answers == 1.0]
    cells += [needed.questions for needed in every if not needed.few]
    if any(map(math.isnan, cells)):
        notes.append(dash_note(r))
    if any(needed.few for needed in every):
        least = f"{LEAST_QUESTIONS:g} questions"
        text = f"Questions needed, {DASH}: fewer than {least} would do, too few to plan."
        notes.append(Note(text, "undefined", about=needed_key))
    return notes
