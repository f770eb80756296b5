"""What a plan says of answer noise that is assumed, or that next-token probabilities spare, and of
the public evals that it rests on.
"""

import math

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import (
    GIVEN,
    PILOT,
    PUBLIC,
    PUBLISHED,
    Answers,
    assumed_noise_of,
)
from reportkit.analysis.planning.layouts import PROBABILITIES
from reportkit.analysis.planning.public import correlation_ranges
from reportkit.analysis.planning.values import MOST_NOISE, PART_CORRELATION, PART_NOISE
from reportkit.tables.notes import FILES, Note
from reportkit.tables.planning.of_pilot import cut_iccs, pilot_ends, pilot_ranges
from reportkit.text.left_open import rounded
from reportkit.text.numbers import count, fixed, percent_of, plain_number, share_of

SCORES = {
    "binary": "right-or-wrong answers",
    "share": "shares and next-token probabilities",
    None: "all kinds of scores",
}


RANGED = {  # whose ranges are quartiles
    "correlation": "the correlation",
    "spread": "the standard deviation",
    "icc": "the ICC of differences",
    "icc_scores": "the ICC of scores",
}


WITH = {"correlation": "a correlation", "icc": "an ICC of differences"}  # and what they are called


GIVE = Note("Give yours as noise.", FILES)


def assumed(p: Planned) -> str:
    """How the assumes of an answer end that rests on answer noise of which nothing is said."""
    return "".join(f" {x}" for x in assumed_notes(p))


def assumed_notes(p: Planned) -> list[str]:
    """The same below a table."""
    if not p.noise_assumed:
        return []
    return ["How much of a score is answer noise is assumed, and decides this.", GIVE]


def noise_words(p: Planned) -> list[str]:
    """That answer noise is assumed, where it changes a number, and what to give; empty where it
    does not.
    """
    noise = assumed_noise_of(p.known)
    if noise is None:
        return []
    text = f"Answer noise is assumed to be {share_of(noise.value)} of one answer's variance"
    if not p.noise_open:
        return [f"{text}. Every number of several answers to each question rests on that.", GIVE]
    if math.isnan(p.need.low) and all(math.isnan(f.low) for f in p.founds):
        return [f"{text}.", GIVE]
    most = f"{share_of(noise.high)} noise"
    if p.asked.paired:
        most = "nearly as much noise as the correlation leaves"
    none = "none"
    if math.isfinite(p.need.high):
        none = f"none ({count(rounded(p.need.high))} questions)"
    text += f". The range in brackets goes from {most} to {none}."
    return [text, Note("Give yours as noise to narrow it.", FILES)]


def assumed_noise(p: Planned) -> str:
    """The answer noise that nobody gave and no pilot tells; empty where it is known."""
    noise = assumed_noise_of(p.known)
    if noise is None:
        return ""
    return f"an assumed answer noise of {share_of(noise.value)} of one answer's variance"


def noise_of_title(p: Planned) -> str:
    """The same in the title of a figure, which has no brackets."""
    noise = assumed_noise_of(p.known)
    if noise is None:
        return ""
    return f", answer noise of {share_of(noise.value)} assumed"


def ends_words(p: Planned) -> str:
    """What the ends of a range are that is not a pilot's, and why a number is near one of them."""
    public = {k.name for k in p.known if k.source == PUBLIC}
    parts = []
    if p.noise_open:
        parts.append(f"with {most_noise(p)}, and with none, as no noise was given")
    if "correlation" in public:
        parts.append(
            "at the upper and the lower quartile of the correlations of public evals, as no "
            "correlation was given"
        )
    parts += filter(None, [public_spread_words(p), *pilot_ends(p), alike_words(p)])
    return f"the same {'; '.join(parts)}.{_near_an_end(p)}"


def public_spread_words(p: Planned) -> str:
    """Which spreads of public evals the ends of a range have; empty where it is known."""
    if not any(k.name == "spread" and k.source == PUBLIC for k in p.known):
        return ""
    return (
        "at the lower and the upper quartile of the standard deviations in public evals, as no "
        "spread was given"
    )


def most_noise(p: Planned) -> str:
    """The most that is likely, where no noise was given."""
    if p.asked.paired:
        return "nearly all the answer noise that the correlation leaves"
    return "answer noise at the upper quartile of public evals"


def _near_an_end(p: Planned) -> str:
    """Why the plan's numbers are near an end of their ranges; empty where they are not, or where
    answer noise has a part in it.
    """
    if p.noise_open or not _by_an_end(p.need.questions, p.need.low, p.need.high):
        return ""
    near = []
    for k in p.known:
        if k.source == PUBLIC and k.name in WITH and _by_an_end(k.value, k.low, k.high):
            value, low, high = (fixed(x, 2) for x in (k.value, k.low, k.high))
            near.append(f"{WITH[k.name]} of {value}, near one end of {low} to {high}")
    if not near:
        return ""
    return (
        f" The plan takes {', and '.join(near)}: so its numbers are near one end of their ranges."
    )


def _by_an_end(x: float, low: float, high: float) -> bool:
    """Whether it is in the first or the last quarter between them."""
    return low < high and not 0.25 <= (x - low) / (high - low) <= 0.75


def alike_words(p: Planned) -> str:
    """Which ICCs of public evals the ends of a range have; empty where they are known. With the
    variance of a pilot's differences that of scores changes nothing.
    """
    which = (icc_of_pilot(p),) if p.pilot and p.pilot.ranges else ("icc", "icc_scores")
    names = [k.name for k in p.known if k.source == PUBLIC and k.name in which]
    if not names:
        return ""
    many = len(names) > 1
    return (
        f"at the lower and the upper quartile of the ICC{'s' * many} in public evals, as no "
        f"{' and no '.join(names)} {'were' if many else 'was'} given"
    )


def public_words(p: Planned) -> str:
    """What the ends of a range have of public evals beside a pilot's, in a word or two."""
    public = {k.name for k in p.known if k.source == PUBLIC and k.low < k.high}
    names = ["correlation"] * ("correlation" in public) + ["ICC"] * bool(alike_words(p))
    return " and the ".join(names)


def icc_of_pilot(p: Planned) -> str:
    """The name of the ICC that counts beside the variance of a pilot."""
    return "icc" if p.asked.paired else "icc_scores"


def spread_words(p: Planned) -> list[str]:
    """That public evals say how much scores vary, and what to give; empty where it is known."""
    spread = next((k for k in p.known if k.name == "spread" and k.source == PUBLIC), None)
    if spread is None:
        return []
    value, low, high = map(plain_number, (spread.value, spread.low, spread.high))
    return [
        f"How much scores vary is taken from public evals: a standard deviation of {value} ({low} "
        f"to {high}).",
        Note("Give yours as spread to narrow the range.", FILES),
    ]


def noise_kept(p: Planned) -> str:
    """What the ends of a pilot's range are for more answers than it has."""
    given = (k.value for k in p.known if k.name.startswith("epochs") and k.source == GIVEN)
    if not max(given, default=1.0) > 1.0:
        return ""
    return (
        " For more answers than the pilot's its answer noise is taken as known there, and the rest "
        "is what differs between questions."
    )


def of_probabilities(p: Planned) -> Answers | None:
    """The row of next-token probabilities, where what they would leave is known."""
    if p.variances.sigma2_a + p.variances.sigma2_b == 0.0:  # they gain nothing
        return None
    named = (a for a in p.answers if a.name == PROBABILITIES and a.questions == a.questions)
    return next(named, None)


def limits_of_known(p: Planned) -> list[str]:
    """What the ranges of public evals are, and what was taken in place of these evals' numbers."""
    public = {k.name: k for k in p.known if k.source == PUBLIC}
    notes = []
    quartiles = [RANGED[k.name] for k in public.values() if k.low == k.low and k.name in RANGED]
    if quartiles:
        notes.append(
            f"Range of {' and '.join(quartiles)}: the quartiles of what public evals show, each "
            "with its repository in the table of public evals."
        )
    if any(k.source == PUBLISHED and k.low < k.high for k in p.known):
        notes.append("Range of the expected score: the lowest and the highest published score.")
    notes += [*pilot_ranges(p), *cut_iccs(p)]
    correlation = public.get("correlation")
    if correlation is not None:
        notes += [
            f"Correlation: of {r.evals} public evals of {SCORES[r.answers]}."
            for r in correlation_ranges()
            if r.low == correlation.low
        ]
    if p.noise_assumed:
        notes.append(
            f"Answer noise is that of one answer. Assumed: {_assumed_from(p)}. Range: from none to "
            f"{_most_noise(p)}, as few public evals show it."
        )
        notes.append(GIVE)
    if any(k.name == "noise" and k.source == PILOT for k in p.known):
        notes.append(
            "Answer noise: Within / (Between + Within) of the table of variance, over the models. "
            "The noise share in that table is another number: what more answers would take off the "
            "squared SE."
        )
    usual = [r.high for r in correlation_ranges()]
    if correlation is not None and correlation.high not in usual:
        notes.append(
            f"Correlation: no more is assumed than {percent_of(PART_CORRELATION)} of what answer "
            "noise leaves, which may be less than in those evals."
        )
        notes.append(Note("Give your own.", FILES))
    return notes


def _assumed_from(p: Planned) -> str:
    """What the assumed answer noise is, with how it is found."""
    noise = next(k for k in p.known if k.name == "noise")
    if noise.source == PUBLIC:
        return f"{share_of(noise.value)}, the lower quartile of the public evals that show it"
    part = f"{percent_of(PART_NOISE)} of the variance that"
    r = next((k for k in p.known if k.name == "correlation"), None)
    if r is None:  # of models without a common question
        return f"{part} the median correlation of public evals leaves"
    return (
        f"{part} the correlation leaves, {PART_NOISE:.2f} × (1 − {fixed(r.value, 2)}) = "
        f"{share_of(noise.value)}"
    )


def _most_noise(p: Planned) -> str:
    """The upper end of its range; in clusters of which an ICC is given it may be less."""
    noise = next(k for k in p.known if k.name == "noise")
    if not p.asked.paired:
        return "the upper quartile of public evals"
    r = next(k for k in p.known if k.name == "correlation")
    lowest = r.low if r.low == r.low else r.value
    text = f"{percent_of(MOST_NOISE)} of what the {'lowest ' * (r.low == r.low)}correlation leaves"
    if abs(MOST_NOISE * (1.0 - lowest) - noise.high) < 1e-6:
        return f"{text}, {MOST_NOISE:.2f} × (1 − {fixed(lowest, 2)}) = {share_of(noise.high)}"
    return f"{share_of(noise.high)}, which is all that the correlation and the ICC leave"
