"""Each value that an expectation needs, from where it is known, and the bases that they make."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from reportkit.analysis.planning import piloted
from reportkit.analysis.planning.answered import DEFAULT, GIVEN, PILOT, PUBLIC, Known
from reportkit.analysis.planning.basis import Expectation
from reportkit.analysis.planning.current import mean_of_current
from reportkit.analysis.planning.pilot import Pilot, variance_of
from reportkit.analysis.planning.public import MOST_ALIKE, known_icc, most_icc, public_range
from reportkit.analysis.planning.refused import (
    check_alike,
    check_correlation,
    check_other_se,
    check_spread,
    most_spreads,
)
from reportkit.errors import PlanError
from reportkit.plans import Asked
from reportkit.record import Record
from reportkit.results import MeanResult
from reportkit.stats.planning.expected import Answers, ExpectedPair, expected_pair

MEAN = 0.7  # where nothing is said
# Of what the correlation leaves to answer noise, and of what noise leaves to the correlation, the
# part that is assumed where nothing is known.
PART_NOISE, PART_CORRELATION = 0.75, 0.9
# Of what the correlation leaves, the most that may be answer noise, where that is not known.
MOST_NOISE = 0.9


@dataclass(frozen=True, slots=True)
class Values(Record):
    """Each value that an expectation needs, from where it is known."""

    asked: Asked
    pilot: Pilot | None
    answers: Answers
    fixed: float = math.nan  # a correlation in place of the known one
    end: Literal["low", "value", "high"] = "value"  # of the ICCs of public evals
    certain: bool = False  # the pilot's mean has no range, as what else it shows has none

    def of_correlations(self) -> tuple[Expectation | None, Expectation | None]:
        """Bases of the fewest and the most questions, by what public evals leave open."""
        high, low = self._correlations()
        least, most = self._spreads()
        far, near = self._means()
        if not (high > low or most > least or far != near == near or self._open_clusters()):
            return None, None
        ends = self._at("low", high, least, mean=far), self._at("high", low, most, mean=near)
        return ends[0].basis(), ends[1].basis()

    def of_noise(self) -> tuple[Expectation | None, Expectation | None]:
        """The same with nearly all the answer noise that the correlation leaves, and with none."""
        if self.noise().source in (GIVEN, PILOT):
            return None, None
        high, low = self._correlations()
        least, most = self._spreads()
        far, near = self._means()
        much = self._at("low", high, least, self._most_noise(high), far)
        return much.basis(), self._at("high", low, most, 0.0, near).basis()

    def _open_clusters(self) -> bool:
        """Whether how alike a cluster is has a range that changes the plan."""
        if not self.grouped:
            return False
        return any(k.source == PUBLIC for k in self.of_clusters())

    def of_clusters(self) -> list[Known]:
        """The ICCs that a plan with clusters rests on."""
        return [*([self.icc()] if self.asked.paired else []), self.icc_scores()]

    def _at(
        self, end: Literal["low", "high"], correlation: float, spread: float,
        noise: float = math.nan, mean: float = math.nan,
    ) -> "Values":  # fmt: skip
        """With other values; nan: as they are. end: of the ICCs."""
        values: dict[str, Any] = {"spread": spread, "noise": noise, "mean": mean}
        asked = replace(self.asked, **{k: v for k, v in values.items() if v == v})
        return replace(self, asked=asked, fixed=correlation, end=end)

    def _means(self) -> tuple[float, float]:
        """The means of the least and of the most variance that a pilot leaves open; nan where no
        range of its mean counts.
        """
        k = self.mean() if self.answers == "binary" else None
        if k is None or not (k.source == PILOT and k.low < k.high):
            return math.nan, math.nan
        return piloted.ends_of_mean(k, self.ends)

    def _spreads(self) -> tuple[float, float]:
        """The range of how much scores vary, of public evals or a pilot; nan where it is known."""
        if self.answers == "binary":
            return math.nan, math.nan
        k = self.spread()
        return k.low, k.high

    def _correlations(self) -> tuple[float, float]:
        """The highest and the lowest that is likely; nan of models without a common question."""
        if not self.asked.paired:
            return math.nan, math.nan
        r = self.correlation()
        return (r.high, r.low) if r.low == r.low else (r.value, r.value)

    def _most_noise(self, correlation: float) -> float:
        """No more than what is alike in a cluster leaves, either."""
        if not self.asked.paired:
            return public_range("noise").high
        part, size = MOST_NOISE, self.asked.cluster_size
        if self.pilot is not None and math.isnan(size):
            size = self.pilot.cluster_size
        if self.asked.icc == self.asked.icc and size > 1.0:
            alike = max(self.asked.icc, -self.asked.icc * (size - 1.0))
            part = min(part, (1.0 - alike) * (1.0 - 1e-9))
        return max(0.0, part * min(1.0, 1.0 - correlation))

    def all(self) -> list[Known]:
        found = []
        if self.answers != "free":
            found.append(self.mean())
        if self.answers != "binary":
            found.append(self.spread())
            if self.answers == "share":
                check_spread(self.asked, found[-1], found[0], self.ends)
            found.extend(self._other_se())
        if self.asked.paired:
            found.append(self.correlation())
            if self.answers == "binary":
                check_correlation(found[-1], found[0], self._possible()[0])
        found.append(self.noise())
        return found

    def _other_se(self) -> list[Known]:
        """That of a published mean, where it was given."""
        a, n = self.asked, self.asked.published_questions
        if math.isnan(n + a.other_se):
            return []
        if self.answers == "share":
            check_other_se(a, self.width * math.sqrt(self._most(self.mean().value)))
        return [Known("other_se", a.other_se, GIVEN)]

    @property
    def ends(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.pilot is None else self.pilot.result.scale.ends

    @property
    def width(self) -> float:
        return self.ends[1] - self.ends[0] if self.answers != "free" else 1.0

    def _of(
        self, name: str, read: Callable[[MeanResult], float], otherwise: Callable[[], Known]
    ) -> Known:
        """Given, else the mean over those models of the pilot that show it, else otherwise."""
        given = getattr(self.asked, name)
        if given == given:
            return Known(name, given, GIVEN)
        means = piloted.who_shows(name, self.asked, self.pilot) if self.pilot else ()
        values = [v for m in means if (v := read(m)) == v]
        if values and self.pilot:
            k = Known(name, sum(values) / len(values), PILOT)
            if self.certain:
                return k
            most = self._most_spread if name == "spread" else math.inf
            return piloted.with_range(k, self.asked, self.pilot, most)
        return otherwise()

    def mean(self) -> Known:
        assumed = Known("mean", MEAN, DEFAULT)
        return self._of("mean", lambda m: m.mean, lambda: mean_of_current(self.asked) or assumed)

    @property
    def _most_spread(self) -> float:
        """That scores on their scale can have."""
        if self.answers != "share":
            return math.inf
        return min(most_spreads(self.asked, self.mean().value, self.ends))

    def spread(self) -> Known:
        """The standard deviation of one answer's scores."""

        def public() -> Known:
            if self.answers == "free":
                raise PlanError(
                    "how much scores in units of their own vary is not known: give spread, the "
                    "standard deviation of a model's scores over questions, or a pilot"
                )
            r, most = public_range("spread"), self._most(self.mean().value)
            low, middle, high = (
                self.width * math.sqrt(x * most) for x in (r.low, r.middle, r.high)
            )
            return Known("spread", middle, PUBLIC, low, high)

        return self._of("spread", lambda m: math.sqrt(variance_of(m)), public)

    def check_given(self, size: float) -> None:
        """PlanError for an ICC that was given and cannot be so in clusters of this size."""
        a, pair, noise = self.asked, self._pair(), self.noise()
        if a.paired:
            check_alike("icc", a.icc, size, pair.omega2 / pair.variance(), noise)
        check_alike("icc_scores", a.icc_scores, size, 1.0 - noise.value, noise)

    def _most(self, mean: float) -> float:
        return max(0.0, (mean - self.ends[0]) * (self.ends[1] - mean)) / self.width**2

    def correlation(self) -> Known:
        a = self.asked
        if a.correlation == a.correlation:
            return Known("correlation", a.correlation, GIVEN)
        pilot, r = self.pilot, public_range("correlation", self.answers)
        if pilot is not None and pilot.correlation == pilot.correlation:
            least, most = self._possible()
            ends = piloted.correlation_range(pilot, least, most)
            return Known("correlation", max(pilot.correlation, least), PILOT, *ends)
        middle, low, high = r.middle, r.low, r.high
        noise = a.noise if a.noise == a.noise or pilot is None else pilot.noise
        if noise == noise:  # no more than answer noise leaves
            most = PART_CORRELATION * (1.0 - noise)
            if most <= low:  # one number, without a range
                return Known("correlation", most, DEFAULT)
            middle, high = min(middle, most), min(high, most)
        return Known("correlation", middle, PUBLIC, low, high)

    def _possible(self) -> tuple[float, float]:
        """The lowest and the highest correlation that the scores can have."""
        a, pilot, least = self.asked, self.pilot, -1.0
        if self.answers == "binary":
            share = (self.mean().value - self.ends[0]) / (self.ends[1] - self.ends[0])
            least = -min(share, 1.0 - share) / max(share, 1.0 - share)
        noise = a.noise if a.noise == a.noise or pilot is None else pilot.noise
        return least, (1.0 - (noise if noise == noise else 0.0)) * (1.0 - 1e-9)

    def noise(self) -> Known:
        a = self.asked
        if a.noise == a.noise:
            return Known("noise", a.noise, GIVEN)
        if self.pilot is not None and self.pilot.noise == self.pilot.noise:
            return Known("noise", self.pilot.noise, PILOT)
        r = public_range("noise")
        left = min(1.0, 1.0 - self._correlation())
        if not a.paired:
            left = 1.0 - public_range("correlation", self.answers).middle
        most, high = PART_NOISE * max(0.0, left), self._most_noise(self._correlations()[1])
        if most < r.low:  # less than these evals have
            return Known("noise", most, DEFAULT, 0.0, high)
        return Known("noise", r.low, PUBLIC, 0.0, high)

    def _correlation(self) -> float:
        if not self.asked.paired:
            return 0.0
        return self.fixed if self.fixed == self.fixed else self.correlation().value

    @property
    def grouped(self) -> bool:
        size = self.asked.cluster_size
        return size > 1.0 or (self.pilot is not None and self.pilot.cluster_size > 1.0)

    def _at_end(self, k: Known, most: float) -> float:
        """An ICC, at this end of its range where it is from public evals."""
        return min(most, getattr(k, self.end)) if k.source == PUBLIC else k.value

    def icc(self) -> Known:
        pilot = math.nan if self.pilot is None else self.pilot.icc
        return known_icc(self.asked.icc, pilot, most_icc(self._pair()))

    def icc_scores(self) -> Known:
        """Of one model's scores."""
        pilot = math.nan if self.pilot is None else self.pilot.icc_scores
        return known_icc(self.asked.icc_scores, pilot, self._most_icc_scores(), "icc_scores")

    def _most_icc_scores(self) -> float:
        return MOST_ALIKE * (1.0 - self.noise().value)

    def _pair(self) -> ExpectedPair:
        said: dict[str, float] = {"noise": self.noise().value, "correlation": self._correlation()}
        if self.answers != "free":
            said["mean"] = (self.mean().value - self.ends[0]) / self.width
        if self.answers != "binary":
            said["variance"] = (self.spread().value / self.width) ** 2
        try:
            return expected_pair(self.answers, **said)
        except ValueError as error:
            raise PlanError(str(error)) from None

    def basis(self) -> Expectation:
        n, se = self.asked.published_questions, self.asked.other_se
        if not self.grouped:
            apart = not self.asked.paired
            return Expectation(self._pair(), 0.0, 0.0, apart, self.width, math.inf, n, se)
        scores = self._at_end(self.icc_scores(), self._most_icc_scores())
        if self.asked.paired:
            icc = self._at_end(self.icc(), most_icc(self._pair()))
            return Expectation(self._pair(), icc, scores, False, self.width)
        # differences of models with questions of their own are as alike as their scores are
        return Expectation(self._pair(), scores, scores, True, self.width, math.inf, n, se)
