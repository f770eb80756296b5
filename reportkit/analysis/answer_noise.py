"""What more answers for each question would buy: one place for the table and the figure of
variances.
"""

import math
from dataclasses import dataclass

from reportkit.record import Record
from reportkit.results import MeanResult


@dataclass(frozen=True, slots=True)
class AnswerNoise(Record):
    """Of one model's mean; all nan where every question has one answer, which cannot be told from
    its noise.
    """

    # of the squared SE: what comes from within questions, and unlimited answers would remove
    share: float
    now: float  # SE
    doubled: float  # SE with twice the answers for each question
    unlimited: float  # SE without answer noise; nan where nothing else is known to be left


def answer_noise(m: MeanResult) -> AnswerNoise:
    """Share of the squared SE from within questions, and the SE with more answers.

    Answers err independently, also within a cluster: their part of SE^2 is what the unclustered
    SE^2 has beside the variance between questions. It stays while the rest does; doubled answers
    halve it.

    >>> counts = 100, 100, 400, 0, 0  # questions, clusters, answers, unscored, errors
    >>> m = MeanResult("A", 0.5, 0.05, 99, 0.4, 0.6, 0.95, "t", *counts, 0.05, 1.0, 0.16, 0.36)
    >>> noise = answer_noise(m)   # SE^2 = 0.0025 = (0.16 + 0.36 / 4) / 100
    >>> round(noise.share, 4), round(noise.doubled, 4), round(noise.unlimited, 4)
    (0.36, 0.0453, 0.04)
    """
    noise = m.se_unclustered**2 - m.variance_between / max(m.n_questions, 1)
    share = noise / m.se**2 if m.se**2 > 0.0 else math.nan
    share = 1.0 if share > 1.0 - 1e-9 else share
    gone = m.se * math.sqrt(1.0 - share) if share < 1.0 else math.nan
    return AnswerNoise(share, m.se, m.se * math.sqrt(1.0 - share / 2.0), gone)
