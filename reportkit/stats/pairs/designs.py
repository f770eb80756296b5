"""What is known of many paired comparisons, for planning others like them."""

from dataclasses import dataclass, fields, replace

import numpy as np

from reportkit.record import Record

KNOWN = 1e7  # questions of the eval that an expectation stands for: its variance is known


@dataclass(frozen=True, slots=True)
class PairDesigns(Record):
    """What is known of P paired comparisons, arrays of shape (P,): scores on a scale of 0 to 1, or
    of no bounds.

    method: of the printed interval; others than "tango", "tango-effective" and "t" have no test to
    plan for. bounded: scores lie between 0 and 1; the fields below it are used for these alone.
    """

    method: np.ndarray
    n: np.ndarray  # common questions
    clusters: np.ndarray  # of them; n without clusters
    se: np.ndarray
    df: np.ndarray
    bounded: np.ndarray
    mean_a: np.ndarray
    mean_b: np.ndarray
    correlation: np.ndarray  # Pearson, over questions; nan where a side is constant
    apart: np.ndarray  # mean of |a - b|; of 0/1 scores, the share of discordant questions
    shown: np.ndarray  # effective number of clusters in which the models differ
    binary: np.ndarray  # 0/1 scores, one answer for each question
    alone: np.ndarray  # SE^2 if questions were independent; nan as se^2
    right: np.ndarray  # every answer is 0 or 1, whatever their number for a question
    # Clusters of one size that the SE is worth (tails.worth), and would be worth if questions of a
    # cluster were all alike; None, all clusters.
    worth: np.ndarray | None = None
    alike: np.ndarray | None = None
    # Of expected pairs: how their variance changes with the difference, shape (P, ...), see
    # expected_law; None: observed ones, of which that is not known.
    law: np.ndarray | None = None
    # The part of the observed variance that is left where answer noise was taken off `se`: it is
    # known less well than the whole was. None: all.
    left: np.ndarray | None = None
    # Of several 0/1 answers to a question: the part of their variance p (1 - p) that is within
    # questions (nan: not known), and how many there are, harmonic mean of both models, as observed.
    # more: times as many that se and alone count already; None: 1.
    within: np.ndarray | None = None
    answers: np.ndarray | None = None
    more: np.ndarray | None = None
    # Of fractions, the ends between which both models' vary, as tails.spread_ends has them; nan or
    # None: not known.
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    # Of a model that is compared with a published mean: n SE^2 of the published one, the questions
    # that it rests on, and the degrees of freedom of its SE; nan or None: no mean is published.
    fixed: np.ndarray | None = None
    fixed_n: np.ndarray | None = None
    fixed_df: np.ndarray | None = None
    # Where the rest of n SE^2 is that of the other model as it is at the difference: 1 if that is
    # towards the middle of the scale, -1 if away from it. nan or None: it is that before it moves.
    moved: np.ndarray | None = None
    # Whether each model answers questions of its own: Welch's t then has the degrees of freedom of
    # both. None: no pair does.
    own: np.ndarray | None = None
    # Degrees of freedom with which the variance was seen, where that was in single questions or in
    # clusters of another size, and `clusters` are those of a plan. None: those of `df` and `worth`.
    seen_df: np.ndarray | None = None
    # Times as many questions in effect that a plan of several answers against a published mean has
    # at least, as at a level of 95%. None: as many.
    strict: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.n)

    @property
    def separate(self) -> np.ndarray:
        """`own`, shape (P,), known of every pair."""
        return np.zeros(len(self), dtype=bool) if self.own is None else self.own

    def take(self, which: np.ndarray) -> "PairDesigns":
        """These pairs alone, or each as often as it is named."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{k: v[which] for k, v in given.items() if v is not None})
