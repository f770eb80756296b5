"""What a table on request may be made of."""

from dataclasses import dataclass

import numpy as np

from reportkit.decisions import Decisions
from reportkit.results import EvalResult
from reportkit.scores.fields import Each, labels_of
from reportkit.scores.scores import Scores
from reportkit.scores.select import EvalScores, metric_rows, select


class Refused(Exception):
    """A table that cannot be made of these scores; its text is one sentence that says why, and what
    to do. It stands in the table's place.
    """


def check_right(e: EvalScores, what: str) -> None:
    """Refused where lower scores are better: what is called right would be wrong."""
    if e.lower:
        raise Refused(
            f"No {what} is made, since lower scores are better here, so that 1 is no right answer."
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One eval as the analysis has it.

    scores: what the report is about, in the unit of the analysis: a known range is 0 to 1. result:
    all that is computed already, in the same unit; analysis.units takes records to the scores' own.
    decisions: of this eval. source: the rows, where a table needs a further field or metric.
    """

    scores: EvalScores
    result: EvalResult
    decisions: Decisions
    source: Scores

    def field(self, name: str, each: Each) -> np.ndarray:
        """The text of a field for each question, (n,) in the order of scores.questions.

        each: what it says of a question. UnknownNameError where there is no such field, ScoresError
        where a question has no text there, or two.
        """
        e = self.scores
        rows = self.source.rows[self.source.rows["eval"] == e.eval]
        rows = metric_rows(rows[rows["model"].isin(e.models)], e.eval, self.decisions.metric)
        return labels_of(rows, e.eval, name, each).reindex(e.questions).to_numpy()

    def of_metric(self, metric: str) -> EvalScores:
        """The same eval and models with another metric, in its own unit of the analysis; its
        questions may be others.
        """
        e = self.scores
        return select(
            self.source,
            e.eval,
            models=e.models,
            metric=metric,
            cluster=self.decisions.cluster,
            unit=True,
        )
