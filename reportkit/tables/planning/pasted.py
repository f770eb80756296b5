"""The sentences of a plan for a methods section, each with the head that it stands below."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Other
from reportkit.analysis.planning.margins import EQUIVALENCE, NOT_WORSE
from reportkit.tables.planning.against import whose
from reportkit.tables.planning.designs import each_model
from reportkit.tables.planning.noise import of_probabilities
from reportkit.tables.planning.prose import NO_PLAN, TESTS, method, methods_sentence, rests
from reportkit.tables.planning.words import in_clusters, least_words, needed_text, words_of
from reportkit.text.numbers import count, percent_of

SENTENCES = ("methods", "methods_equivalence", "methods_non_inferiority", "methods_probabilities")

NOTHING_PLANNED = "There is no sentence for your methods section:"
WORTH = 0.1  # of the questions: what next-token probabilities spare at least, to be proposed


@dataclass(frozen=True, slots=True)
class Pasted:
    """One sentence. name: of SENTENCES, what JSON calls it; head: empty for the first."""

    name: str
    head: str
    sentence: str


def pasted(p: Planned) -> list[Pasted]:
    """The sentence of the difference; those of the margin, where one was given; and that of
    next-token probabilities, where it is known that these spare questions.
    """
    sentence = methods_sentence(p)
    head = NOTHING_PLANNED if sentence.startswith(NO_PLAN) else ""
    return [Pasted("methods", head, sentence), *_of_margin(p), *_of_probabilities(p)]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a margin is for, in words. by: whose formula the number begins with."""

    tests: str
    show: str
    what: str
    by: str


def _of_margin(p: Planned) -> Iterator[Pasted]:
    if math.isnan(p.asked.margin):
        return
    by = "with the degrees of freedom of the test"
    if p.test == "mcnemar":
        by = "Tango 1998, with the variance of models that differ by the margin"
    margin, others = words_of(p).points(p.asked.margin), {x.name: x for x in p.others}
    alike = _Shown(
        "two one-sided tests", "show",
        f"that two models which do not differ are within {margin} of each other",
        f"Schuirmann 1987, {by}",
    )  # fmt: skip
    not_worse = _Shown(
        "a one-sided test", "shows",
        f"that a model which is as good as another is not worse by {margin} or more",
        by if p.test == "mcnemar" else f"Miller 2024, eq. 9, for one side, {by}",
    )  # fmt: skip
    if EQUIVALENCE in others:  # else one model is run alone, and a note says so
        head = "To show that two models are alike:"
        yield Pasted("methods_equivalence", head, _shows(p, others[EQUIVALENCE], alike))
    if NOT_WORSE in others:
        head = "To show that a model is not worse:"
        yield Pasted("methods_non_inferiority", head, _shows(p, others[NOT_WORSE], not_worse))


def _shows(p: Planned, x: Other, of: _Shown) -> str:
    """The sentence of a margin; of an eval that has so many questions, whether they are enough."""
    if math.isnan(x.questions):
        return f"{NO_PLAN} {x.reason.short}."
    planned, number, clusters, at_least = "We planned", x.questions, x.clusters, x.least
    if p.limited:
        planned, number, clusters = "We use", p.found.questions, p.found.clusters
        at_least = at_least or x.questions < number
        if x.questions > number:
            takes = f"{needed_text(x)} questions{least_words(p, 0.0) * x.least}"
            return f"{NO_PLAN} to show {of.what}, it takes {takes}, and there are {count(number)}."
    among = ""
    if p.asked.comparisons > 1:
        among = f" for each of {count(p.asked.comparisons)} comparisons"
    size = in_clusters(number, clusters, p.shape.cluster_size) + whose(p)
    answers = each_model(p, p.shape.epochs_a, p.shape.epochs_b)
    power = f"{'at least ' * at_least}{percent_of(p.asked.power)} power"
    return (
        f"{planned} {size}, {answers} to each, so that {of.tests} at a level of "
        f"{percent_of(p.asked.alpha)}{among} {of.show} with {power} {of.what}{rests(p, x)} "
        f"({of.by}; reportkit)."
    )


def _of_probabilities(p: Planned) -> Iterator[Pasted]:
    sentence = probabilities_sentence(p)
    if sentence:
        head = "With next-token probabilities in place of sampled answers:"
        yield Pasted("methods_probabilities", head, sentence)


def probabilities_sentence(p: Planned) -> str:
    """That of next-token probabilities in place of sampled answers; empty where answer noise is
    assumed, so that nothing shows that they spare questions, and where they spare few. Of several
    comparisons no number is known.
    """
    row = of_probabilities(p)
    if row is None or p.noise_assumed or p.asked.comparisons > 1 or math.isnan(p.need.questions):
        return ""
    if not row.questions <= (1.0 - WORTH) * p.need.questions:
        return ""
    planned, number, clusters = "We planned", row.questions, row.clusters
    difference = words_of(p).points(p.asked.difference)
    if p.limited:
        planned, number, clusters = "We use", p.found.questions, p.found.clusters
        difference = words_of(p).found_points(row.detectable)
    if p.limited and math.isnan(row.detectable):
        return ""
    size = in_clusters(number, clusters, p.shape.cluster_size)
    size += whose(p)
    test = "t" if p.asked.paired else "welch"
    if p.test in ("mover", "newcombe"):
        test = "mover"  # probabilities are scores in part
    return (
        f"{planned} {size}, scored by next-token probabilities in place of sampled answers, so "
        f"that {TESTS[test]} at a two-sided level of {percent_of(p.asked.alpha)} finds a true "
        f"difference of {difference} with at least {percent_of(p.asked.power)} power"
        f"{rests(p, row)} ({method(p, test)}; reportkit)."
    )
