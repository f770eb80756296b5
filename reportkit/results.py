"""The records that every stage talks in. Standard library only; nan inside is null in JSON and a
dash in print.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.estimates import (
    DifferenceResult,
    MeanResult,
    PowerResult,
    RankResult,
    UsageResult,
)
from reportkit.record import Record, frame_of, html_table, plain, text_table

if TYPE_CHECKING:
    import pandas as pd

from reportkit.facts import (
    Copies,
    FlaggedRows,
    LeftOut,
    MixedUnits,
    OtherQuestions,
    RunFacts,
    Source,
    Unread,
)
from reportkit.requested import REQUESTED, CertificateResult
from reportkit.suites import (
    MacroResult,
    OverallResult,
    PublishedScore,
    Shared,
    SuiteDifference,
)

FORMAT = "reportkit/results@1"
# What the best mean is and a worse one is, by whether lower is better.
BEST_AND_WORSE = {False: ("highest", "lower"), True: ("lowest", "higher")}
FRAMES = ("means", "differences", "pairs", "power", "ranks", "certificates", *REQUESTED)


@dataclass(frozen=True, slots=True)
class Warning(Record):
    """Something a reader of the numbers has to know; `model` is empty when it concerns the whole
    eval.
    """

    code: str
    eval: str
    model: str
    message: str


@dataclass(frozen=True, slots=True)
class Scale(Record):
    """The units of an eval's scores. `percent` prints a share of 0.655 as 65.5%."""

    low: float
    high: float
    percent: bool
    binary: bool  # each answer is one of two scores: 0 or 1, or the two ends of a known range
    known: str = ""  # the range is "declared", or "seen" (all 0 or 100); empty: of these scores

    @property
    def bounded(self) -> bool:
        """Whether scores are shares, or have a range."""
        return self.percent or self.known != ""

    @property
    def ends(self) -> tuple[float, float]:
        """The worst and the best score of those that have such; of others 0 and 1."""
        return (self.low, self.high) if self.known else (0.0, 1.0)


@dataclass(frozen=True, slots=True, repr=False)
class EvalResult(Record):
    """Everything computed for one eval and metric; the tables, figures and prose are made of this
    alone.
    """

    eval: str
    metric: str
    n_questions: int  # answered by at least one of the models
    n_clusters: int
    models: tuple[str, ...]
    baseline: str  # empty: every pair of up to four models, of more those with the best
    means: tuple[MeanResult, ...]
    differences: tuple[DifferenceResult, ...]
    power: tuple[PowerResult, ...]
    pairs: tuple[DifferenceResult, ...] = ()  # every pair, adjusted in a family of their own
    certificates: tuple[CertificateResult, ...] = ()  # in results.json where there are any
    n_common: int = 0  # questions that all models answered, of those with a score at all
    # Not in results.json but for scale, category and lower: what tables and figures need beside the
    # numbers.
    correlations: tuple[tuple[float, ...], ...] = ()  # models x models
    ranks: tuple[RankResult, ...] = ()  # in the order of models; empty for one model
    scale: Scale = Scale(0.0, 1.0, True, True)
    clustered: bool = False
    cluster_field: str = ""
    fictional: bool = False
    sources: tuple[Source, ...] = ()
    runs: tuple[RunFacts, ...] = ()  # of logs, with their self-checks
    left_out: tuple[LeftOut, ...] = ()  # runs of logs that do not count, with the reason
    unread: tuple[Unread, ...] = ()  # files not read, with the reason: of which eval is not known
    # options.Options other than the defaults, and aliases
    options: Mapping[str, Any] = field(default_factory=dict)
    # the models in bold, the best mean first: a confidence set for the best model
    best: tuple[str, ...] = ()
    # models that no test finds worse, and that are not in bold: too little is known of them
    untold: tuple[str, ...] = ()
    leader: str = ""  # the best model, where the data chose it as the one of the comparisons
    n_asked: int = 0  # questions, those without a score from any model too
    lower: bool = False  # lower scores are better
    # of each model, answers that count as 0 because they failed or were not given
    zeroed: tuple[int, ...] = ()
    category: str = ""  # of the eval, where its scores declare one
    shots: tuple[str, ...] = ()  # of each model, "" where unknown; empty where unknown for all
    # of each model, what cut its questions down, else ""; empty where nothing did for any
    limits: tuple[str, ...] = ()
    # of each model, the answers that its runs set out to get; empty where the rows hold them all
    n_planned: tuple[int, ...] = ()
    # What a careful reader asks about the scores.
    copies: tuple[Copies, ...] = ()
    other_questions: tuple[OtherQuestions, ...] = ()  # in results.json where there are any
    flagged: tuple[FlaggedRows, ...] = ()
    mixed: MixedUnits | None = None  # percent beside shares, perhaps
    # of each model, in results.json where logs say something
    usage: tuple[UsageResult, ...] = ()
    # scores that others give, in results.json where there are any
    published: tuple[PublishedScore, ...] = ()
    # records of the tables that were asked for, by the table's name; in results.json under it
    requested: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    # of the tables that were asked for and cannot be made, the sentence that says why
    refused: Mapping[str, str] = field(default_factory=dict)
    named: bool = False  # the user named the models, and so their order
    # of a group, the evals that its questions are from, in results.json where there are any
    subtasks: tuple[str, ...] = ()
    held: bytes = field(default=b"", repr=False)  # which questions they are; see analysis.shared
    answers: bytes = field(default=b"", repr=False)  # see analysis.same_questions

    @property
    def shares_clusters(self) -> bool:
        """Whether some cluster holds several questions: else clusters change nothing."""
        return self.clustered and self.n_clusters < self.n_questions

    @property
    def top(self) -> str:
        """What the best mean is: highest, or lowest."""
        return BEST_AND_WORSE[self.lower][0]

    @property
    def worse(self) -> str:
        """What a mean that is not as good is: lower, or higher."""
        return BEST_AND_WORSE[self.lower][1]

    @property
    def among(self) -> str:
        """Of which means the leader's is the best, as words: empty where it is of all."""
        own = next((m.mean for m in self.means if m.model == self.leader), math.nan)
        better = [m.mean for m in self.means if (m.mean < own if self.lower else m.mean > own)]
        tied = all(math.isclose(x, own, rel_tol=1e-9) for x in better)
        return "" if tied else " that a test compares"

    @property
    def n_tests(self) -> int:
        """Comparisons that have a p-value: those that Holm's adjustment counts."""
        return sum(d.p_value == d.p_value for d in self.differences)

    @property
    def level(self) -> float:
        return self.means[0].level if self.means else math.nan

    def to_frame(self, records: str = "means") -> "pd.DataFrame":
        """The unrounded numbers as a DataFrame, a row for each record, with eval and metric first.

        records: means, differences, pairs, power, ranks, certificates, or the name of a table that
        was asked for.
        """
        if records not in FRAMES:
            raise UnknownNameError(f"no records {records!r}{did_you_mean(records, FRAMES)}")
        if records in REQUESTED:
            found = self.requested.get(records, ())
        else:
            found = getattr(self, records)
        return frame_of(found, eval=self.eval, metric=self.metric)

    def __repr__(self) -> str:
        """Short, for a cell that ends in analyse(...): Python prints a pair by the repr of both."""
        what = f"eval={self.eval!r} metric={self.metric!r}"
        return f"<EvalResult {what} models={len(self.models)} questions={self.n_questions}>"

    def __str__(self) -> str:
        facts, means = self._summary()
        return f"{text_table([facts])}\n\n{text_table(means)}"

    def _repr_html_(self) -> str:
        facts, means = self._summary()
        return html_table([facts]) + html_table(means)

    def _summary(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What shows of the result: the eval in a row, and a row for each model."""
        facts = {
            "eval": self.eval,
            "metric": self.metric,
            "questions": self.n_questions,
            "clusters": self.n_clusters if self.clustered else "none declared",
        }
        names = ("model", "mean", "se", "ci_low", "ci_high", "n_questions", "method")
        return facts, [{name: getattr(m, name) for name in names} for m in self.means]

    def planned(self, m: MeanResult) -> int:
        """How many answers the model's runs were to get, by the logs; where they do not say it, how
        many they hold.
        """
        planned = dict(zip(self.models, self.n_planned, strict=False))
        return max(planned.get(m.model, 0), m.n_answers + m.n_unscored + m.n_errors)

    def limited(self) -> dict[str, str]:
        """The models whose runs are cut down to part of the questions, and what did it."""
        return {m: why for m, why in zip(self.models, self.limits, strict=False) if why}


@dataclass(frozen=True, slots=True, repr=False)
class SuiteResult(Record):
    """Several evals, and what is said of them together; its tables, figures and prose are made of
    this alone.
    """

    evals: tuple[EvalResult, ...]  # in the order of the tables
    models: tuple[str, ...]  # of all evals
    baseline: str  # empty: every pair of up to four models, of more those with the best overall
    # the comparisons of single evals; none of many models without a baseline
    differences: tuple[SuiteDifference, ...]
    overall: tuple[OverallResult, ...]
    averages: tuple[MacroResult, ...]  # in the order of models
    ranks: tuple[RankResult, ...]  # by the averages, of the models that have one
    weights: Mapping[str, float]  # of the evals that are averaged, relative
    apart: Mapping[str, str]  # evals that are not averaged, with the reason
    leader: str = ""  # the model that the overall comparisons are with, where the data chose it
    average: str = ""  # how the evals weigh in the average that the table has; empty: it has none
    published: tuple[PublishedScore, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)  # evals without numbers: the reason
    # of the evals apart, those whose questions stand in averaged ones: they are in no comparison of
    # the suite and count as no eval of it, but have their row in the table of scores
    shared: Mapping[str, Shared] = field(default_factory=dict)
    same_questions: tuple[tuple[str, ...], ...] = ()  # groups, see analysis.same_questions
    n_questions: int = 0  # of all evals, each once

    @property
    def counted(self) -> tuple[EvalResult, ...]:
        """The evals without those that say again what others say."""
        return tuple(r for r in self.evals if r.eval not in self.shared)

    @property
    def level(self) -> float:
        return self.evals[0].level

    @property
    def fictional(self) -> bool:
        return any(r.fictional for r in self.evals)

    @property
    def n_tests(self) -> int:
        """Comparisons of single evals that have a p-value: the family of Holm's adjustment."""
        return sum(d.p_value == d.p_value for d in self.differences)

    def __repr__(self) -> str:
        return f"<SuiteResult evals={len(self.evals)} models={len(self.models)}>"

    def __str__(self) -> str:
        return "\n\n".join(text_table(found) for found in self._shown())

    def _repr_html_(self) -> str:
        return "".join(html_table(found) for found in self._shown())

    def _shown(self) -> list[list[dict[str, Any]]]:
        """What shows of the suite: the averages, and the comparisons over all evals."""
        averages, overall = map(asdict, self.averages), map(asdict, self.overall)
        return [found for found in (list(averages), list(overall)) if found]

    def to_json(self) -> dict[str, Any]:
        """What results.json holds of a suite beside its evals."""
        return {name: plain(getattr(self, name)) for name in SUITE_FIELDS} | {
            "baseline": self.baseline or None
        }


SUITE_FIELDS = (  # of results.json
    "models", "baseline", "differences", "overall", "averages", "ranks", "average", "weights",
    "apart", "published", "left_out", "same_questions", "n_questions",
)  # fmt: skip


def _is_joint(r: RankResult) -> bool:
    """Whether a rank set was made for the table of ranks, which a report has only on request."""
    return r.joint_low == r.joint_low


_NOT_IN_JSON = {
    "correlations", "ranks", "clustered", "cluster_field", "fictional", "sources",
    "runs", "options", "best", "untold", "leader", "shots", "left_out",
    "zeroed", "n_asked", "unread", "limits", "n_planned", "requested", "refused",
    "copies", "flagged", "named", "held", "answers", "mixed",
}  # fmt: skip
WHERE_ANY = ("certificates", "usage", "published", "subtasks", "other_questions")


@dataclass(frozen=True, slots=True)
class Results(Record):
    """One report's results; `to_json` is what results.json holds."""

    name: str
    notebook: str
    parameters: Mapping[str, Any]
    evals: tuple[EvalResult, ...]
    warnings: tuple[Warning, ...] = field(default=())
    suite: SuiteResult | None = None  # of a report over several evals
    planning: Mapping[str, Any] | None = None  # of a plan, which has no evals

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "report": {
                "name": self.name,
                "notebook": self.notebook,
                "parameters": dict(self.parameters),
            },
            "evals": [
                {
                    f.name: plain(getattr(e, f.name))
                    for f in fields(e)
                    if f.name not in _NOT_IN_JSON
                    and (f.name not in WHERE_ANY or getattr(e, f.name))
                }
                | {"baseline": e.baseline or None}
                | ({"ranks": plain(e.ranks)} if any(map(_is_joint, e.ranks)) else {})
                | {name: plain(records) for name, records in e.requested.items()}
                | ({"refused": dict(e.refused)} if e.refused else {})
                for e in self.evals
            ],
            "warnings": [plain(w) for w in self.warnings],
            **({} if self.suite is None else {"suite": self.suite.to_json()}),
            **({} if self.planning is None else {"planning": dict(self.planning)}),
        }
