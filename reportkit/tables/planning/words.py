"""A plan's numbers as text: differences, questions with their range, clusters, costs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import (
    GIVEN,
    PILOT,
    PUBLISHED,
    Answers,
    Cheapest,
    Found,
    Known,
    Need,
    Other,
)
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.plans import Asked
from reportkit.tables.notes import FILES, Note
from reportkit.text.left_open import ends_of, is_open, rounded, with_ends
from reportkit.text.numbers import DASH, bare, count, counted, fixed, plain_number, span

UNREACHED, NOT_KNOWN = "cannot be reached", "not known"


@dataclass(frozen=True, slots=True)
class Words:
    """How one plan's numbers are printed."""

    percent: bool
    digits: int

    @property
    def unit(self) -> str:
        """What the head of a column of differences ends with."""
        return " (points)" if self.percent else ""

    def cell(self, d: float) -> str:
        """A difference that was searched for, below a head that names its unit: cut to what can be
        read.
        """
        return DASH if math.isnan(d) else fixed(self._scaled(d), self.digits)

    def given_cell(self, d: float) -> str:
        """One that was given, with all its digits."""
        return bare(round(self._scaled(d), 10 if self.percent else 12))

    def difference(self, d: float) -> str:
        """One that was searched for, with its unit: 3% may be read as a part of the score."""
        return self._with("points", self.cell(d))

    def given(self, d: float) -> str:
        """One that was given, with its unit."""
        return self._with("points", self.given_cell(d))

    def points(self, d: float) -> str:
        """One that was given, where a text names it first."""
        return self._with("percentage points", self.given_cell(d))

    def found_points(self, d: float) -> str:
        """One that was searched for, where a text names it first."""
        return self._with("percentage points", self.cell(d))

    def _scaled(self, d: float) -> float:
        return 100.0 * d if self.percent else d

    def _with(self, unit: str, number: str) -> str:
        if not self.percent or number == DASH:
            return number
        return f"{number} {unit.removesuffix('s') if number == '1' else unit}"


def words_of(p: Planned) -> Words:
    """Decimals by the smallest difference that the plan finds: three digits, or two of points."""
    sizes = [f.detectable for f in p.founds if f.detectable == f.detectable]
    smallest = min([p.asked.difference, *sizes])
    factor = 100.0 if p.percent else 1.0
    digits = 2 - math.floor(math.log10(factor * smallest)) if smallest > 0.0 else 1
    return Words(p.percent, min(max(digits - 1, 1), 6))


def questions(n: float, reason: Reason = NONE) -> str:
    """A number of questions; what cannot be had says so."""
    if n == n and math.isfinite(n):
        return count(n)
    return UNREACHED if math.isinf(n) or reason.never else DASH


def standing(reason: Reason) -> str:
    """What stands in the place of a number that there is not."""
    return UNREACHED if reason.never else NOT_KNOWN


def unanswered(reason: Reason, *, short: bool = False) -> str:
    """The same, and why. short: where the long form has been said, or takes too much room.

    >>> unanswered(Reason("more than 10 million questions would be needed", kind="never"))
    'cannot be reached: more than 10 million questions would be needed'
    >>> unanswered(Reason("no power is stated for fewer than 30 questions"))
    'not known: no power is stated for fewer than 30 questions'
    """
    return because(standing(reason), reason, short=short)


def because(what: str, reason: Reason, *, short: bool = False) -> str:
    """A reason behind what it is of; one that begins with that says it alone."""
    why = reason.short if short else str(reason)
    return why if why.startswith(UNREACHED) else f"{what}: {why}"


def of_rows(why: str) -> str:
    """A reason behind the rows that it is of.

    >>> f"1 point{of_rows('cannot be reached: too few')}", f"1 point{of_rows('it is too small')}"
    ('1 point cannot be reached: too few', '1 point: it is too small')
    """
    return f" {why}" if why.startswith(UNREACHED) else f": {why}"


def least_words(p: Planned, difference: float) -> str:
    """Why a number is larger than what the difference needs."""
    if difference > p.limits.difference:
        return f", those of {words_of(p).difference(p.limits.difference)}"
    return ", the fewest that are planned"


def needed_text(n: Need | Answers | Other | Cheapest) -> str:
    """With what a pilot or public evals leave open: 1,310 (850 to 2,260)."""
    if math.isnan(n.questions):
        return questions(n.questions, n.reason)
    return with_ends(n.questions, n.low, n.high)


def ranged(n: Need | Answers | Other) -> bool:
    """Whether something is left open."""
    return is_open(n.questions, n.low, n.high)


def needed_range(n: Need | Answers | Other) -> str:
    """What is left open, by itself: 850 to 2,260; up to 2,260 where the lower end is not known."""
    if math.isnan(n.low):
        return f"up to {count(rounded(n.high))}"
    return ends_of(n.low, n.high)


def in_clusters(n: float, clusters: float, size: float, left_open: str = "") -> str:
    """944 questions in 118 clusters of 8. left_open: the number with what is left open."""
    text = f"{left_open} questions" if left_open else counted(n, "question")
    if clusters == clusters:
        text += f" in {counted(clusters, 'cluster')} of {size_text(size)}"
    return text


def size_text(size: float) -> str:
    """Questions of a cluster, behind "of"; a mean says that it is one.

    >>> size_text(5.0), size_text(2.5)
    ('5', '2.5 on average')
    """
    return count(size) if size == round(size) else f"{count(size)} on average"


def sized_need(p: Planned, n: Need) -> str:
    """The questions of a plan with what is left open, in so many clusters."""
    left_open = needed_text(n) if ranged(n) else ""
    return in_clusters(n.questions, n.clusters, p.shape.cluster_size, left_open)


def sized_text(p: Planned, a: Answers | Cheapest) -> str:
    """The questions of a row with what is left open, and their clusters."""
    size = p.shape.cluster_size
    if math.isnan(a.low) and math.isnan(a.high):
        return in_clusters(a.questions, a.clusters, size)
    text = f"{needed_text(a)} questions"
    if a.clusters == a.clusters:
        text += f" in clusters of {size_text(size)}"
    return text


def power_text(power: float) -> str:
    """
    >>> power_text(0.8001), power_text(0.9996), power_text(float("nan"))
    ('80%', 'over 99%', '—')
    """
    if math.isnan(power):
        return DASH
    return "over 99%" if power > 0.99 else f"{fixed(100.0 * power, 0)}%"


def power_of(p: Planned, power: float) -> str:
    """The power for the difference that is asked for; of one beyond what is planned, at least."""
    text = power_text(power)
    if not p.beyond or math.isnan(power) or power > 0.99:
        return text
    return f"{text} or more"


def found_text(w: Words, f: Found) -> str:
    """The smallest difference that is found, with what assumed answer noise leaves open."""
    return f"{w.difference(f.detectable)}{found_range(w, f)}"


def found_cell(w: Words, f: Found) -> str:
    """The same below a head that names its unit."""
    return f"{w.cell(f.detectable)}{found_range(w, f)}"


def found_range(w: Words, f: Found) -> str:
    """What assumed answer noise leaves open of it, in brackets; an end that is not known is left
    out.
    """
    return open_ends(f.low, f.high, w.cell)


def open_ends(low: float, high: float, text: Callable[[float], str]) -> str:
    """Both ends in brackets, behind a number; empty where none is known."""
    ends = [math.isnan(low), math.isnan(high)]
    if all(ends):
        return ""
    if any(ends):
        return f" (up to {text(high)})" if ends[0] else f" (from {text(low)})"
    return f" ({span(text(low), text(high))})"


def power_range(p: Planned, f: Found) -> str:
    """The power for the difference that is asked for, with the same."""
    return f"{power_of(p, f.power)}{open_ends(f.power_low, f.power_high, power_text)}"


def current_words(p: Planned) -> list[str]:
    """That the expected score is that of current models, or that a published mean which was not
    given is taken from elsewhere, and what to give; empty where it is not.
    """
    give = Note("Give yours as mean.", FILES)
    mean = next((k for k in p.known if k.name == "mean"), None)
    if mean is None or mean.source == GIVEN:
        return []
    if mean.source != PUBLISHED and math.isnan(p.asked.published_questions):
        return []
    if mean.source != PUBLISHED:
        value = share_score(mean.value) if p.percent else bare(float(f"{mean.value:.4g}"))
        taken = f"that of the pilot, {value}" if mean.source == PILOT else value
        give = Note("Give it as mean.", FILES)
        return [f"The published mean is not given, and is taken to be {taken}.", give]
    low, value, high = map(share_score, (mean.low, mean.value, mean.high))
    if low == high:
        return [f"The expected score, {value}, is the published one.", give]
    text = f"The expected score, {value}, is the mean of the published scores, {low} to {high}."
    return [text, give]


def default_words(p: Planned) -> str:
    """That no difference was given of scores in units of their own; empty where one was. The
    default is meant for shares, and of other scores it may be any number of questions.
    """
    default = Asked().difference
    if p.percent or p.asked.difference != default:
        return ""
    return (
        f"A difference of {default:g} is the default, which is meant for scores from 0 to 1. These "
        "are in units of their own: give the difference that matters as difference."
    )


def share_score(score: float) -> str:
    """A score from 0 to 1, as it was given.

    >>> share_score(0.575), share_score(0.8), share_score(2 / 3)
    ('57.5%', '80%', '66.67%')
    """
    return f"{bare(round(100.0 * score, 2))}%"


def limits_words(p: Planned, needs: Sequence[Need]) -> str:
    """What is not planned, where these come near it; empty where they do not."""
    found, limits = [], p.limits
    least = [n for n in needs if n.least and n.difference <= limits.difference]
    own = [n for n in least if n.questions > limits.questions
           and not (p.clustered and n.clusters <= limits.clusters)]  # fmt: skip
    if len(least) > len(own):
        fewest = f"{count(limits.questions)} questions"
        if p.clustered:
            fewest += f", or {count(limits.clusters)} clusters,"
        found.append(f"Fewer than {fewest} are not planned.")
    if own:
        named = ", ".join(words_of(p).given(n.difference) for n in own)
        found.append(f"{named}: fewer questions are not planned.")
    if any(n.difference > p.limits.difference for n in needs):
        most = words_of(p).difference(p.limits.difference)
        found.append(
            f"A difference of more than {most} gets the questions of {most}, and is found at least "
            "as often. How scores vary so far from the expected score, which is near an end of "
            "the scale, is not known."
        )
    return " ".join(found)


def icc_text(icc: Known) -> str:
    """An ICC, in a table and in a text: one that was given with all its digits, else with two.

    >>> icc_text(Known("icc", 0.0325, GIVEN)), icc_text(Known("icc", -0.06201, "pilot"))
    ('0.0325', '−0.062')
    >>> icc_text(Known("icc", 0.1, "public"))
    '0.10'
    """
    if icc.source == GIVEN:
        return bare(icc.value)
    value = float(f"{icc.value:.2g}")
    return max(fixed(value, 2), bare(value), key=len)


def cost_text(cost: float) -> str:
    """
    >>> cost_text(4295.2), cost_text(31.4), cost_text(0.042)
    ('4,295', '31.4', '0.0420')
    """
    if not math.isfinite(cost):
        return DASH
    return f"{cost:,.0f}" if cost >= 100.0 else plain_number(cost)


def cost_range(n: Need | Answers | Cheapest) -> str:
    """The cost, with that of the ends of the range as they are printed: each question costs the
    same.
    """
    text, each = cost_text(n.cost), n.cost / n.questions
    if not is_open(n.questions, n.low, n.high) or math.isnan(n.low + n.high + each):
        return text
    low, high = rounded(n.low, up=False) * each, rounded(n.high) * each
    return f"{text} ({span(cost_text(low), cost_text(high))})"
