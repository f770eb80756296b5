"""What pilot scores say: the two models that are compared, their variances, and the answers
themselves.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.analysis import analyse
from reportkit.decisions import Decisions
from reportkit.errors import PlanError
from reportkit.loading.anything import any_scores
from reportkit.loading.declared import decided_for, decided_scores
from reportkit.loading.read import Paths
from reportkit.record import Record
from reportkit.results import EvalResult, MeanResult, PowerResult
from reportkit.scores.candidates import cluster_candidates
from reportkit.scores.rows import NO_CLUSTERS
from reportkit.scores.scores import Scores
from reportkit.scores.select import metric_rows
from reportkit.stats.planning.expected import Answers
from reportkit.stats.planning.pilot import variance_df


@dataclass(frozen=True, slots=True, repr=False)
class Pilot(Record):
    """A pilot's result for one or two models, and what is planned from its answers.

    current: every model that the scores hold, with its mean, best first.
    """

    result: EvalResult
    current: tuple[MeanResult, ...]
    corrected: stats.PairedComponents | None  # of two models; see paired_components
    printed: stats.PairedComponents | None  # as appendix C prints them; one answer each: none
    df: float = math.nan  # of the differences' variance, by their fourth moment; nan in clusters
    scores: tuple[np.ndarray, np.ndarray] | None = None  # of both models, in their common questions
    # fields that could be clusters, and their groups, where none are declared
    candidates: tuple[tuple[str, int], ...] = ()
    separate: bool = False  # `power` is of both models apart: see separate.py
    own_df: Mapping[str, float] = field(default_factory=dict)  # of each model's variance, as `df`
    rows: pd.DataFrame | None = None  # of these models: question_id, score, and their clusters

    @property
    def power(self) -> PowerResult | None:
        """What is known of the two models' difference; None of one model."""
        return self.result.power[0] if self.result.power else None

    @property
    def answers(self) -> Answers:
        """What the scores are: right or wrong, within known ends, or neither."""
        scale = self.result.scale
        if scale.binary:
            return "binary"
        return "share" if scale.bounded else "free"

    @property
    def n(self) -> int:
        return self.power.n_questions if self.power else self.result.n_questions

    @property
    def epochs(self) -> tuple[float, float]:
        """Answers to each question of both models; of one model alone the same for both."""
        if self.power:
            return self.power.epochs_model, self.power.epochs_baseline
        first, last = self.result.means[0], self.result.means[-1]
        return _answers_each(first), _answers_each(last)

    @property
    def cluster_size(self) -> float:
        """Mean questions of a cluster, of a pair those of both models; 1 without clusters."""
        if not self.result.clustered:
            return 1.0
        of = self.power or self.result
        return of.n_questions / of.n_clusters

    @property
    def single(self) -> bool:
        """Whether every question has one answer of each model, so that its noise is not known."""
        return any(math.isnan(m.variance_within) for m in self.result.means)

    @property
    def correlation(self) -> float:
        """Of the two models' scores with one answer to each question: that of their means over
        several answers, less what answer noise takes off it. nan where there is none.
        """
        r = self.power.correlation if self.power else math.nan
        for m in self.result.means:
            if m.variance_within > 0.0:
                r *= math.sqrt(m.n_questions * m.se_unclustered**2 / variance_of(m))
        return r

    @property
    def noise(self) -> float:
        """The share of one answer's variance within questions, over the models; nan where every
        question has one answer.
        """
        if self.single:
            return math.nan
        means = self.result.means
        shares = [m.variance_within / v for m in means if (v := variance_of(m)) > 0.0]
        return sum(shares) / len(shares) if shares else math.nan

    @property
    def icc(self) -> float:
        """The intraclass correlation of the models' differences with one answer to each question,
        from the design effect of their difference, and no less than 0; nan without clusters or
        without two models.
        """
        return max(self.icc_seen, 0.0)  # nan, which comes first, stays so

    @property
    def icc_seen(self) -> float:
        """The same as it is estimated, which may be below 0."""
        p, size = self.power, self.cluster_size
        if p is None or not size > 1.0:
            return math.nan
        shared = p.n_questions * (p.se**2 - p.se_unclustered**2) / (size - 1.0)
        of_one = p.n_questions * p.se_unclustered**2
        if self.corrected is not None and not self.single:
            v = self.corrected
            of_one += v.sigma2_a * (1.0 - 1.0 / v.epochs_a) + v.sigma2_b * (1.0 - 1.0 / v.epochs_b)
        return shared / of_one if of_one > 0.0 else math.nan

    @property
    def icc_scores(self) -> float:
        """Of one answer's scores of one model, between 0 and 1; nan without clusters."""
        return min(max(self.icc_scores_seen, 0.0), 1.0)

    @property
    def icc_scores_seen(self) -> float:
        """The same as it is estimated: from the design effects of the models' means, for clusters
        of the mean size. What clusters add to means of several answers is a smaller part of one's
        variance.
        """
        r = self.result
        size = r.n_questions / r.n_clusters
        if not r.clustered or size <= 1.0:
            return math.nan
        found = [
            m.n_questions * (m.se**2 - m.se_unclustered**2) / (size - 1.0) / v
            for m in r.means
            if (v := variance_of(m)) > 0.0
        ]
        known = [v for v in found if v == v]
        return sum(known) / len(known) if known else math.nan


def variance_of(m: MeanResult) -> float:
    """Of one answer's score, over questions and answers."""
    if not math.isnan(m.variance_within):
        return m.variance_between + m.variance_within
    return m.n_questions * m.se_unclustered**2


def _answers_each(m: MeanResult) -> float:
    return m.n_answers / m.n_questions if m.n_questions else 1.0


def whole(k: float) -> float:
    """A harmonic mean of answers that are the same for every question has no rounding."""
    return float(round(k)) if abs(k - round(k)) < 1e-9 else k


def pilot_of(scores: "pd.DataFrame | Scores | Paths", decisions: Decisions) -> Pilot:
    """The pilot in some scores. Of more than two models the two best are compared, unless two are
    named. PlanError where one question, or no eval alone, is there.
    """
    there = any_scores(scores)
    everyone = analyse(there, replace(decisions, models="", baseline=""))[0]
    sign = 1.0 if everyone.lower else -1.0
    known = [m for m in everyone.means if m.mean == m.mean]
    current = tuple(sorted(known, key=lambda m: sign * m.mean))
    result = everyone
    if decisions.models or len(everyone.models) > 2:
        chosen = decisions.models or tuple(m.model for m in current[:2])
        result = analyse(there, replace(decisions, models=chosen))[0]
    if len(result.models) > 2:
        raise PlanError(
            f"{len(result.models)} models are named for the pilot: a plan is for the difference of "
            "two; name two with models"
        )
    if result.n_questions < 2:
        raise PlanError(
            "the pilot has one question, which shows no variance; give the scores of two or more"
        )
    rows, candidates = _rows_of(there, result, decisions)
    alone = Pilot(
        result, current, None, None, candidates=candidates, own_df=_own_df(rows, result),
        rows=rows,
    )  # fmt: skip
    if len(result.models) < 2 or not result.power or not result.power[0].n_questions > 1:
        return alone
    answers = _answers(rows, result)
    corrected = stats.paired_components(*answers)
    printed = None
    if min(a.shape[1] for a in answers[:2]) > 1 and not any(np.isnan(a).any() for a in answers[:2]):
        printed = stats.paired_components(*answers, form="printed")
    of_questions = np.nanmean(answers[0], axis=1), np.nanmean(answers[1], axis=1)
    df = math.nan if result.clustered else variance_df(of_questions[0] - of_questions[1])
    return replace(alone, corrected=corrected, printed=printed, df=df, scores=of_questions)


def _own_df(rows: pd.DataFrame, r: EvalResult) -> dict[str, float]:
    """Degrees of freedom of the variance of each model's question scores, by their fourth moment;
    nan in clusters.
    """
    found = dict.fromkeys(r.models, math.nan)
    for model in () if r.clustered else r.models:
        own = rows[rows["model"] == model].dropna(subset="score")
        of_questions = own.groupby("question_id", observed=True)["score"].mean()
        found[model] = variance_df(of_questions.to_numpy(dtype=float))
    return found


def _rows_of(
    scores: Scores, result: EvalResult, d: Decisions
) -> tuple[pd.DataFrame, tuple[tuple[str, int], ...]]:
    """The rows of the pilot's eval and metric, and the fields that could be clusters."""
    decided = decided_for(scores, result.eval, d)
    of_eval = decided_scores(scores, result.eval, decided)
    rows = of_eval.rows[of_eval.rows["eval"] == result.eval]
    rows = metric_rows(rows, result.eval, result.metric)
    if result.clustered or decided.cluster == NO_CLUSTERS:
        return rows, ()
    return rows, tuple(cluster_candidates(rows))


def _answers(
    rows: pd.DataFrame, result: EvalResult
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Both models' answers to their common questions, shapes (n, K), and the clusters."""
    tables = [answers_of(rows, model) for model in result.models]
    common = tables[0].index.intersection(tables[1].index)
    a, b = (t.loc[common].to_numpy(dtype=float) for t in tables)
    labels = clusters_of(rows, result)
    return a, b, None if labels is None else labels.reindex(common).to_numpy()


def answers_of(rows: pd.DataFrame, model: str) -> pd.DataFrame:
    """One model's answers: a row for each question that has one, and a column for each answer."""
    own = rows[(rows["model"] == model) & rows["score"].notna()]
    order = own.groupby("question_id", observed=True).cumcount()
    own = own.assign(answer=order, question_id=own["question_id"].astype(str))
    return own.pivot(index="question_id", columns="answer", values="score")


def clusters_of(rows: pd.DataFrame, result: EvalResult) -> pd.Series | None:
    """The cluster of each question; None without clusters."""
    if not result.clustered:
        return None
    known = rows[rows["score"].notna()]
    of_questions = known.drop_duplicates("question_id").set_index("question_id", drop=False)
    labels = of_questions[result.cluster_field or "cluster_id"].astype(str)
    labels.index = labels.index.astype(str)
    return labels
