"""The numbers of several evals together, as records; nan where a number is undefined."""

from dataclasses import dataclass

from reportkit.estimates import turned
from reportkit.record import Record

NAMED = 4  # evals that a reason names


@dataclass(frozen=True, slots=True)
class Shared(Record):
    """Why an eval is not averaged with others: n of its n_questions stand in these evals too.

    >>> Shared(("a", "b"), 6, 6).reason
    'its questions stand in a and b'
    """

    evals: tuple[str, ...]
    n: int
    n_questions: int

    @property
    def reason(self) -> str:
        """Without a full stop."""
        some = self.evals[:NAMED]
        more = len(self.evals) - len(some)
        names = [*some, f"{more} more"] if more else [*some]
        told = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        which = "its questions stand"
        if self.n < self.n_questions:
            which = f"{self.n:,} of its {self.n_questions:,} questions stand"
        return f"{which} in {told}"


@dataclass(frozen=True, slots=True)
class MacroResult(Record):
    """Average of one model's means over several evals, with fixed weights: by default every eval
    weighs the same.
    """

    model: str
    mean: float  # nan where the model has no score of some eval
    se: float
    df: float  # Welch-Satterthwaite
    ci_low: float
    ci_high: float
    level: float
    n_evals: int  # with a score of the model
    n_all: int  # evals
    n_questions: int  # of all of these, each once


@dataclass(frozen=True, slots=True)
class SuiteDifference(Record):
    """Difference of two models on one eval: model minus baseline, in the eval's own score units."""

    eval: str
    metric: str
    model: str
    baseline: str
    difference: float
    se: float
    df: float
    ci_low: float
    ci_high: float
    level: float
    method: str
    p_value: float
    p_adjusted: float  # Holm over all comparisons of the suite
    n_questions: int  # common
    n_clusters: int


@dataclass(frozen=True, slots=True)
class OverallResult(Record):
    """Mean of the differences of two models over the evals that both have: model minus baseline."""

    model: str
    baseline: str
    difference: float
    se: float  # sqrt(sum w^2 SE^2), evals independent but for those with the same questions
    df: float  # Welch-Satterthwaite
    ci_low: float
    ci_high: float
    level: float
    p_value: float
    # Holm over the overall comparisons; of those with a best model that the data chose, p_value
    # times ci_comparisons
    p_adjusted: float
    n_evals: int  # that both have
    n_all: int  # evals that can be averaged
    n_questions: int  # common, of these evals, each once
    ci_comparisons: int  # that the interval allows for; 1: it stands alone, the dual of p_value
    reason: str  # why it is undefined, else empty

    def turned(self) -> "OverallResult":
        """The same comparison seen from the other model."""
        return turned(self)


@dataclass(frozen=True, slots=True)
class PublishedScore(Record):
    """A score that somebody published of a model, without rows: no test can be run on it."""

    eval: str
    model: str
    score: float
    source: str
