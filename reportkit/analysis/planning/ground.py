"""What a plan rests on: what was given, else what the pilot shows, else what public evals show."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from reportkit.analysis.planning.answered import DEFAULT, GIVEN, PILOT, PUBLIC, Known
from reportkit.analysis.planning.basis import (
    Basis,
    Expectation,
    Observation,
    Shape,
    whole,
)
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.public import public_range
from reportkit.errors import PlanError
from reportkit.plans import Asked
from reportkit.record import Record
from reportkit.results import MeanResult
from reportkit.stats.planning.expected import Answers, ExpectedPair, expected_pair

MEAN = 0.7  # where nothing is said
# Of what the correlation leaves to answer noise, and of what noise leaves to the correlation, the
# part that is assumed where nothing is known.
PART_NOISE, PART_CORRELATION = 0.75, 0.9
KINDS: dict[str, Answers] = {"right-or-wrong": "binary", "shares": "share", "own-units": "free"}


@dataclass(frozen=True, slots=True)
class Ground(Record):
    """The basis of a plan, what it is made from, and bases of the least and the most questions that
    public evals make likely; None where nothing is from them.
    """

    basis: Basis
    shape: Shape
    known: tuple[Known, ...]
    answers: Answers
    percent: bool
    low: Basis | None = None
    high: Basis | None = None


def ground_of(a: Asked, pilot: Pilot | None) -> Ground:
    """The ground of what is asked. PlanError where it cannot be."""
    answers = _answers(a, pilot)
    percent = answers != "free" if pilot is None else pilot.result.scale.percent
    shape, sizes = _shape(a, pilot)
    if percent or answers != "free":
        _check_on_scale(a, pilot)
    if a.omega2 == a.omega2:
        return _of_variances(a, shape, sizes, a.answers != "own-units")
    said = [n for n in ("mean", "correlation", "spread") if not math.isnan(getattr(a, n))]
    if pilot is not None and pilot.power is not None and a.paired and not said:
        return _observed(a, pilot, shape, sizes, percent)
    values = _Values(a, pilot, answers)
    known = values.all()
    if shape.grouped:
        known += [*([values.icc()] if a.paired else []), values.icc_scores()]
    basis = values.basis()
    if any(k.name == "correlation" and k.source == PUBLIC for k in known):
        r = next(k for k in known if k.name == "correlation")
        if r.low == r.low:
            ends = [values.with_correlation(x).basis() for x in (r.high, r.low)]
            return Ground(basis, shape, (*known, *sizes), answers, percent, *ends)
    return Ground(basis, shape, (*known, *sizes), answers, percent)


def _check_on_scale(a: Asked, pilot: Pilot | None) -> None:
    """PlanError for a difference that is as large as the scale: it may be meant in points."""
    low, high = (0.0, 1.0) if pilot is None else pilot.result.scale.ends
    for name in ("difference", "margin"):
        value = getattr(a, name)
        if not value >= high - low:  # nan is not said
            continue
        advice = f"give less than {high - low:g}"
        if high - low == 1.0 and 1.0 < value < 100.0:
            advice = f"write {value:g} points as {value / 100.0:g}"
        if pilot is None:
            advice += "; of scores in units of their own, say answers = own-units"
        raise PlanError(
            f"{name} = {value:g}: scores from {low:g} to {high:g} cannot differ by so much; "
            f"{advice}"
        )


def _answers(a: Asked, pilot: Pilot | None) -> Answers:
    if pilot is None:
        return KINDS[a.answers]
    scale = pilot.result.scale
    if scale.binary:
        return "binary"
    return "share" if scale.bounded else "free"


def _shape(a: Asked, pilot: Pilot | None) -> tuple[Shape, tuple[Known, ...]]:
    """Answers for each question and questions for each cluster, and where they are from."""
    first, second, size = 1.0, 1.0, 1.0
    if pilot is not None:
        first, second = map(whole, pilot.epochs)
        size = pilot.cluster_size
    source = DEFAULT if pilot is None else PILOT
    found = []

    def of(name: str, given: float, otherwise: float, source: str = source) -> float:
        value = otherwise if math.isnan(given) else given
        found.append(Known(name, value, source if math.isnan(given) else GIVEN))
        return value

    k_a = of("epochs", a.epochs, first)
    follows = second if math.isnan(a.epochs) else k_a
    k_b = of("epochs_b", a.epochs_b, follows, source if math.isnan(a.epochs) else GIVEN)
    # a pilot without clusters does not show that no questions share a source
    size = of("cluster_size", a.cluster_size, size, source if size > 1.0 else DEFAULT)
    return Shape(k_a, k_b, size), tuple(found)


def _of_variances(a: Asked, shape: Shape, sizes: tuple[Known, ...], percent: bool) -> Ground:
    """What equations 9 and 10 ask for, given as such."""
    second = a.sigma2 if math.isnan(a.sigma2_b) else a.sigma2_b
    pair = ExpectedPair("free", math.nan, 0.0, a.omega2, a.sigma2, second)
    known = [Known("omega2", a.omega2, GIVEN), Known("sigma2", a.sigma2, GIVEN)]
    known.append(Known("sigma2_b", second, GIVEN))
    icc = 0.0
    if shape.grouped:
        icc = _icc(a, None, pair.omega2, pair.variance(), known)
    return Ground(Expectation(pair, icc), shape, (*known, *sizes), "free", percent)


def _observed(
    a: Asked, pilot: Pilot, shape: Shape, sizes: tuple[Known, ...], percent: bool
) -> Ground:
    """A pilot of two models."""
    p = pilot.power
    assert p is not None
    known = [Known(f"mean of {m.model}", m.mean, PILOT) for m in pilot.result.means]
    known.append(Known("correlation", pilot.correlation, PILOT))
    noise = math.nan
    if pilot.single and a.noise == a.noise:
        noise = a.noise
        known.append(Known("noise", noise, GIVEN))
    elif not pilot.single:
        known.append(Known("noise", _noise_of(pilot), PILOT))
    icc = math.nan
    if shape.grouped and (a.icc == a.icc or pilot.cluster_size == 1.0):
        variance = p.n_questions * p.se_unclustered**2
        icc = _icc(a, None, variance, variance, known)
    basis = Observation(pilot, noise, icc)
    if shape.grouped and math.isnan(icc):
        known.append(Known("icc", basis.in_cluster(shape.cluster_size), PILOT))
    answers = _answers(a, pilot)
    return Ground(basis, shape, (*known, *sizes), answers, percent)


def _icc(
    a: Asked, pilot: Pilot | None, omega2: float, variance: float, known: list[Known]
) -> float:
    """The intraclass correlation of differences with one answer, and where it is from."""
    if a.icc == a.icc:
        known.append(Known("icc", a.icc, GIVEN))
        return a.icc
    public = public_range("icc")
    value = min(public.middle, 0.9 * omega2 / variance)
    known.append(Known("icc", value, PUBLIC, public.low, public.high))
    return value


def _noise_of(pilot: Pilot) -> float:
    """The share of one answer's variance within questions, over the pilot's models."""
    shares = [m.variance_within / v for m in pilot.result.means if (v := pilot.variance(m)) > 0.0]
    return sum(shares) / len(shares) if shares else math.nan


# Values one by one --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Values(Record):
    """Each value that an expectation needs, from where it is known."""

    asked: Asked
    pilot: Pilot | None
    answers: Answers
    fixed: float = math.nan  # a correlation in place of the known one

    def with_correlation(self, r: float) -> "_Values":
        return replace(self, fixed=r)

    def all(self) -> list[Known]:
        found = []
        if self.answers != "free":
            found.append(self.mean())
        if self.answers != "binary":
            found.append(self.spread())
        if self.asked.paired:
            found.append(self.correlation())
        found.append(self.noise())
        return found

    @property
    def ends(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.pilot is None else self.pilot.result.scale.ends

    @property
    def width(self) -> float:
        return self.ends[1] - self.ends[0] if self.answers != "free" else 1.0

    def _of(
        self, name: str, read: Callable[[MeanResult], float], otherwise: Callable[[], Known]
    ) -> Known:
        """Given, else the mean over the pilot's models, else otherwise."""
        given = getattr(self.asked, name)
        if given == given:
            return Known(name, given, GIVEN)
        means = self.pilot.result.means if self.pilot else ()
        values = [v for m in means if (v := read(m)) == v]
        if values:
            return Known(name, sum(values) / len(values), PILOT)
        return otherwise()

    def mean(self) -> Known:
        return self._of("mean", lambda m: m.mean, lambda: Known("mean", MEAN, DEFAULT))

    def spread(self) -> Known:
        """The standard deviation of one answer's scores."""

        def public() -> Known:
            if self.answers == "free":
                raise PlanError(
                    "how much scores in units of their own vary is not known: give spread, the "
                    "standard deviation of a model's scores over questions, or a pilot"
                )
            m, r = self.mean().value, public_range("spread")
            low, middle, high = (
                self.width * math.sqrt(x * self._most(m)) for x in (r.low, r.middle, r.high)
            )
            return Known("spread", middle, PUBLIC, low, high)

        pilot = self.pilot
        return self._of(
            "spread", lambda m: math.sqrt(pilot.variance(m)) if pilot else math.nan, public
        )

    def _possible_spread(self) -> float:
        """PlanError, in the words in which it was given, for one that no scores can have."""
        spread, most = self.spread().value, math.inf
        if self.answers == "share" and self._most(self.mean().value) > 0.0:
            most = self.width * math.sqrt(self._most(self.mean().value))
        if spread > most * (1.0 + 1e-9):
            low, high = self.ends
            raise PlanError(
                f"spread = {spread:g}: scores from {low:g} to {high:g} with a mean of "
                f"{self.mean().value:g} have a standard deviation of at most {most:.3g}"
            )
        return spread

    def _most(self, mean: float) -> float:
        share = (mean - self.ends[0]) / self.width
        return max(0.0, share * (1.0 - share))  # of a mean beyond the ends, which is refused

    def correlation(self) -> Known:
        a = self.asked
        if a.correlation == a.correlation:
            return Known("correlation", a.correlation, GIVEN)
        if self.pilot is not None and self.pilot.correlation == self.pilot.correlation:
            return Known("correlation", self.pilot.correlation, PILOT)
        r = public_range("correlation")
        middle, low, high = r.middle, r.low, r.high
        noise = a.noise if a.noise == a.noise else self._pilot_noise()
        if noise == noise:  # no more than answer noise leaves
            most = PART_CORRELATION * (1.0 - noise)
            if most <= low:  # one number, without a range
                return Known("correlation", most, PUBLIC)
            middle, high = min(middle, most), min(high, most)
        return Known("correlation", middle, PUBLIC, low, high)

    def _pilot_noise(self) -> float:
        return _noise_of(self.pilot) if self.pilot and not self.pilot.single else math.nan

    def noise(self) -> Known:
        a = self.asked
        if a.noise == a.noise:
            return Known("noise", a.noise, GIVEN)
        if (share := self._pilot_noise()) == share:
            return Known("noise", share, PILOT)
        r = public_range("noise")
        left = 1.0 - (self._correlation() if a.paired else public_range("correlation").middle)
        most = PART_NOISE * max(0.0, left)
        if most < r.low:  # less than these evals have
            return Known("noise", most, DEFAULT)
        return Known("noise", r.low, PUBLIC, r.low, r.high)

    def _correlation(self) -> float:
        if not self.asked.paired:
            return 0.0
        return self.fixed if self.fixed == self.fixed else self.correlation().value

    def icc(self) -> Known:
        found: list[Known] = []
        pair = self._pair()
        _icc(self.asked, self.pilot, pair.omega2, pair.variance(), found)
        return found[0]

    def icc_scores(self) -> Known:
        """Of one model's scores; where its own number is not known, no less than the differences
        have.
        """
        a, pilot = self.asked, self.pilot
        if a.icc_scores == a.icc_scores:
            return Known("icc_scores", a.icc_scores, GIVEN)
        if pilot is not None and pilot.icc_scores == pilot.icc_scores:
            return Known("icc_scores", pilot.icc_scores, PILOT)
        r = public_range("icc_scores")
        return Known("icc_scores", r.middle, PUBLIC, r.low, r.high)

    def _pair(self) -> ExpectedPair:
        said: dict[str, float] = {"noise": self.noise().value, "correlation": self._correlation()}
        if self.answers != "free":
            said["mean"] = (self.mean().value - self.ends[0]) / self.width
        if self.answers != "binary":
            said["variance"] = (self._possible_spread() / self.width) ** 2
        try:
            return expected_pair(self.answers, **said)
        except ValueError as error:
            raise PlanError(str(error)) from None

    def basis(self) -> Expectation:
        size = self.asked.cluster_size
        grouped = size > 1.0 or (self.pilot is not None and self.pilot.cluster_size > 1.0)
        if not grouped:
            return Expectation(self._pair(), 0.0, 0.0, not self.asked.paired, self.width)
        scores = self.icc_scores().value
        if self.asked.paired:
            return Expectation(self._pair(), self.icc().value, scores, False, self.width)
        # differences of models with questions of their own are as alike as their scores are
        return Expectation(self._pair(), scores, scores, True, self.width)
