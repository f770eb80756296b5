"""The small pictures of the front page: an eval's means over its builds, as SVG."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reportkit.builds.history import Point
from reportkit.text.numbers import Units, counted

WIDTH, HEIGHT, EDGE = 120, 28, 3  # in CSS pixels
BUILDS = 60  # the last builds that are drawn
POINTED = 2  # models up to which each is drawn strongly
NAMED = 2  # rows of text beside a picture


@dataclass(frozen=True, slots=True)
class Line:
    """A model's means. points: of an SVG polyline, in pixels; end: the last one. kind: how it is
    drawn; strong, alarm, or empty.
    """

    model: str
    points: str
    end: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Trend:
    """An eval's means over its builds. label: what the picture says in words."""

    lines: tuple[Line, ...]  # those that are drawn strongly on top, which is last
    label: str
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def named(self) -> tuple[Line, ...]:
        """The lines whose models stand beside the picture: the strong ones, one for each kind where
        there are more of them than rows of text.
        """
        own = [line for line in self.lines if line.kind]
        if len(own) > NAMED:
            own = list({line.kind: line for line in own}.values())
        return tuple(own)


def trends(points: Iterable[Point]) -> dict[tuple[str, str], list[Point]]:
    """The points of each eval and metric, in the order of the history."""
    found: dict[tuple[str, str], list[Point]] = {}
    for p in points:
        found.setdefault((p.eval, p.metric), []).append(p)
    return found


def trend(
    points: Sequence[Point], models: Sequence[str], kinds: Mapping[str, str], units: Units
) -> Trend | None:
    """The means of some models over the last builds; None where there was only one.

    A mean holds until the build that changed it. Builds stand at equal distances, and all models of
    an eval share one scale. kinds: how models are drawn, of those that are not drawn thinly.
    units: how the eval's means are printed.
    """
    known = [p for p in points if p.model in models and p.mean is not None]
    times = sorted({p.when for p in known})[-BUILDS:]
    if len(times) < 2:
        return None
    series = {m: _series([p for p in known if p.model == m], times) for m in models}
    values = [v for s in series.values() for v in s if v is not None]
    low, high = min(values), max(values)
    drawn = {m: d for m, of in series.items() if (d := _drawn(of, low, high))}
    plain = "strong" if len(models) <= POINTED else ""
    lines = [Line(m, " ".join(d), d[-1], kinds.get(m, plain)) for m, d in drawn.items()]
    lines.sort(key=lambda line: ("", "strong", "alarm").index(line.kind))
    start, end = _day(times[0]), _day(times[-1])
    means = f"means from {units.number(low)} to {units.number(high)}"
    label = f"{counted(len(times), 'build')}, {start} to {end}: {means}"
    return Trend(tuple(lines), label)


def _series(points: Sequence[Point], times: Sequence[str]) -> list[float | None]:
    """A model's mean at the end of each build; None before its first."""
    at: Mapping[str, float | None] = {p.when: p.mean for p in points}
    before = [p.mean for p in points if p.when < times[0]]
    value = before[-1] if before else None
    found = []
    for when in times:
        value = at.get(when, value)
        found.append(value)
    return found


def _drawn(values: Sequence[float | None], low: float, high: float) -> list[str]:
    step = (WIDTH - 2 * EDGE) / (len(values) - 1)
    room = HEIGHT - 2 * EDGE
    found = []
    for k, value in enumerate(values):
        if value is not None:
            share = (value - low) / (high - low) if high > low else 0.5
            found.append(f"{EDGE + k * step:.1f},{EDGE + (1.0 - share) * room:.1f}")
    return found


def _day(when: str) -> str:
    return datetime.fromisoformat(when).date().isoformat()
