"""Facts of scores, typed and frozen: runs of a harness, files, what was left out or not read, what
was decided. Standard library only; one way into JSON and back.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from reportkit.record import Record

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class HarnessMetric(Record):
    """A number that the harness itself computed: what the self-check compares our own with.

    how: the name of the computation. selfcheck.HOW holds those that every harness may use: "mean"
    (of question means, ddof 1), "mean-4" (the same, to four digits), "mean-cr1" (the same mean, its
    SE by clusters with the factor G/(G-1)) and others. The reader may know more names, such as
    Inspect's "pass_at_2". A number whose computation nobody knows is not compared, and `reason`
    says why.

    called: the harness's name of a number that is no mean, such as "std"; it stands in `mean`.
    where: a column of the rows and its value, where the number is of these rows alone.
    """

    metric: str  # as in the rows
    mean: float = math.nan
    se: float = math.nan
    how: str = "mean"
    cluster: str = ""  # column of the rows that the SE is clustered by
    reason: str = ""  # why it is not compared, or what else there is to know of it
    se_reason: str = ""  # why its standard error alone cannot be had again
    # What our rows give when they are counted as `reason` says that the harness does, such as
    # errors as 0; nan: `reason` says nothing of the kind. Only if these are the harness's numbers
    # is it the reason that ours differ.
    counted_mean: float = math.nan
    counted_se: float = math.nan
    lower_is_better: bool = False
    called: str = ""
    where: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SelfCheck(Record):
    """One number of the harness beside ours, in score units.

    eval and model as the log names them. agrees: of every number that both sides have; None where
    nothing is compared. reason: why not, or what else there is to know; where they differ and no
    reason is known, selfcheck.UNEXPLAINED.
    """

    file: str
    eval: str
    model: str
    metric: str
    harness_mean: float
    harness_se: float
    mean: float  # ours, by the harness's own formula; nan where not compared
    se: float
    agrees: bool | None
    reason: str = ""
    how: str = "mean"  # the computation, as HarnessMetric.how names it
    cluster: str = ""
    called: str = ""  # the name of a number that is no mean
    part: str = ""  # "field=value", where it is of these rows alone


@dataclass(frozen=True, slots=True)
class RunFacts(Record):
    """What is known of one run of one model on one eval, beside its rows."""

    harness: str
    eval: str
    model: str
    _: KW_ONLY
    file: str = ""  # path or URL
    sha256: str = ""
    logged_eval: str = ""  # the eval's name in its logs, where policies made several evals of it
    run_id: str = ""  # the same in a copy; not always different in another run
    task_id: str = ""  # the same in a retry
    eval_version: str = ""
    # task arguments that may change the questions, as text; part of the eval's identity
    eval_args: str = ""
    harness_version: str = ""
    created: str = ""  # ISO 8601, sorts by time
    since: str = ""  # of pooled runs, when the first was created
    pooled: Sequence[str] = ()  # of pooled runs, the harness version of each
    # when this file of the run was written, on the clock of its machine: a run that is scored again
    # keeps its id and `created`; empty: not known
    written: str = ""
    status: str = "success"  # success, started, cancelled, error
    limit: str = ""  # what cut the questions down, as "what=how many"; empty: nothing did
    shots: str = ""
    temperature: str = ""
    n_planned: int = 0  # questions times epochs; 0: unknown
    # tokens of the model itself, without those of a grader; 0: unknown
    tokens_in: int = 0  # those from a cache too
    tokens_out: int = 0
    tokens_cache_read: int = 0  # of tokens_in
    tokens_cache_write: int = 0  # of tokens_in
    seconds: float = 0.0  # 0: unknown
    time_of: str = ""  # what `seconds` are of; empty: the run from its start to its end
    # metric that the harness or the format puts first; empty: the first of the rows
    headline: str = ""
    # column that the harness's own clustered SE uses: the default cluster of the eval
    cluster: str = ""
    category: str = ""
    positional_ids: bool = False  # ids are positions in a list that may have been shuffled
    p_kind: str = ""  # of p_correct: next-token, sequence (sum over the tokens of a choice)
    harness_metrics: Sequence[HarnessMetric] = ()
    inputs: Sequence[str] = ()  # the files it was read from, by their paths
    # answers of the log's first metric by status, before any policy
    counts: Mapping[str, int] = field(default_factory=dict)
    checks: Sequence[SelfCheck] = ()  # filled in by read_scores before any policy
    notes: Sequence[str] = ()  # what was left out, and why, in a sentence each

    def makers(self) -> list[tuple[str, str]]:
        """Harness and version of each run that these rows are from: of one, but for pooled runs."""
        return [(self.harness, version) for version in self.pooled or [self.harness_version]]


@dataclass(frozen=True, slots=True)
class LeftOut(Record):
    """A run that a policy leaves out."""

    run: RunFacts
    why: str
    instead: str = ""  # the file that counts in its place; it ends the sentence of `why`
    evals: Sequence[str] = ()  # the evals that it would have been part of


@dataclass(frozen=True, slots=True)
class Source(Record):
    """A file or a DataFrame that scores were read from."""

    file: str  # its name, not its path: a report does not say where its inputs lay
    sha256: str
    rows: int
    evals: Sequence[str] = ()
    path: str = ""
    within: str = ""  # the scores folder that it was read from; empty: it was read itself
    table: bool = False  # a plain table, not a log of a harness
    logged: Sequence[str] = ()  # its evals by their names in the logs


@dataclass(frozen=True, slots=True)
class Unread(Record):
    """A file that holds scores, or may, and could not be read."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Decided(Record):
    """What is decided for an eval, other than the defaults."""

    eval: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Facts(Record):
    """Where scores come from. Without them every number of a report is the same; what is said of
    its sources is not.
    """

    runs: Sequence[RunFacts] = ()
    left_out: Sequence[LeftOut] = ()
    sources: Sequence[Source] = ()
    unread: Sequence[Unread] = ()
    decided: Sequence[Decided] = ()

    def of(self, eval: str) -> "Facts":
        """The facts of one eval. Of a file that could not be read, the eval is not known."""
        return Facts(
            runs=tuple(r for r in self.runs if r.eval == eval),
            left_out=tuple(r for r in self.left_out if eval in r.evals),
            sources=tuple(s for s in self.sources if eval in s.evals),
            unread=self.unread,
            decided=tuple(d for d in self.decided if d.eval == eval),
        )

    def options(self, eval: str) -> Mapping[str, Any]:
        """What is decided for an eval, other than the defaults."""
        return next((d.options for d in self.decided if d.eval == eval), {})


@dataclass(frozen=True, slots=True)
class Copies(Record):
    """Models that have the same score on every question, where that is no chance."""

    models: tuple[str, ...]
    n_questions: int


@dataclass(frozen=True, slots=True)
class OtherQuestions(Record):
    """A model whose questions are not those that most models answered.

    n_usual: the questions of most models, or, where no two models share theirs, of the eval.
    n_shared: how many of them the model answered. n_more: the model's questions beyond them.
    """

    model: str
    n_usual: int
    n_shared: int
    n_more: int


@dataclass(frozen=True, slots=True)
class MixedUnits(Record):
    """Models whose scores may be shares, beside models whose scores may be percent."""

    shares: tuple[str, ...]
    percent: tuple[str, ...]
    top: float  # the largest score of the latter


@dataclass(frozen=True, slots=True)
class FlaggedRows(Record):
    """A column that says of some answers that they failed, while these rows have scores that
    count.
    """

    column: str
    text: bool  # it says so in words; else it is true or false, 1 or 0
    n_flagged: int  # rows with a score in which it says so
    n_scored: int  # rows with a score
    n_zero: int  # of the flagged rows, those with the score 0
    # model and flagged rows, the most first; of the reported models that have any
    models: tuple[tuple[str, int], ...]


# Fields that hold records; all others hold plain values.
_PARTS: dict[type, dict[str, type]] = {
    RunFacts: {"harness_metrics": HarnessMetric, "checks": SelfCheck},
    LeftOut: {"run": RunFacts},
    Facts: {
        "runs": RunFacts,
        "left_out": LeftOut,
        "sources": Source,
        "unread": Unread,
        "decided": Decided,
    },
}


def to_json(record: Any) -> Any:
    """A record as JSON values, an undefined number as NaN.

    >>> to_json(Unread("a.csv", "empty"))
    {'file': 'a.csv', 'why': 'empty'}
    """
    if is_dataclass(record):
        return {f.name: to_json(getattr(record, f.name)) for f in fields(record)}
    if isinstance(record, Mapping):
        return {str(k): to_json(v) for k, v in record.items()}
    if isinstance(record, list | tuple):
        return [to_json(v) for v in record]
    return record


def from_json(kind: type[Kind], told: Mapping[str, Any]) -> Kind:
    """The record of JSON values: a missing field takes its default, an unknown one is ignored.

    TypeError or ValueError where a value is not of its field's type, or a field without a default
    is missing.

    >>> from_json(Unread, {"file": "a.csv", "why": "empty", "size": 0})
    Unread(file='a.csv', why='empty')
    """
    parts = _PARTS.get(kind, {})
    values: dict[str, Any] = {}
    for f in fields(kind):  # type: ignore[arg-type]
        if f.name not in told:
            continue
        value = told[f.name]
        if f.type in (str, int, bool, float) and not _fits(value, f.type):
            raise TypeError(f"{f.name} is {value!r}")
        if f.name in parts and isinstance(value, Mapping):
            value = from_json(parts[f.name], value)
        elif f.name in parts:
            value = tuple(from_json(parts[f.name], v) for v in value)
        elif isinstance(value, list):
            value = tuple(value)
        values[f.name] = value
    return kind(**values)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a field's type; JSON has whole numbers for some that are none."""
    return type(value) is kind or kind is float and type(value) is int
