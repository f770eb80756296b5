"""What a caption says beside what a table shows: metric, questions, and what its intervals are, so
that the table stands alone.
"""

from collections.abc import Collection, Iterable, Sequence

from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult
from reportkit.suites import SuiteDifference
from reportkit.tables.notes import Note, left_by
from reportkit.text.numbers import count, counted, listed, noun_of, percent_of, span

AnyDifference = DifferenceResult | SuiteDifference

# What a caption calls the method of an interval.
METHODS = {
    "wilson": "Wilson",
    "wilson-modified": "Wilson",
    "wilson-effective": "Wilson",
    "tango": "Tango",
    "tango-effective": "Tango",
    "tango-clusters": "Tango",
    "t": "Student's t",
}

NAMED = 6  # evals that a caption names for one metric


def intervals_of(records: Iterable[MeanResult | AnyDifference], level: float) -> str:
    """What the intervals are: "95% intervals: Wilson"; empty where there is none."""
    names = dict.fromkeys(METHODS.get(x.method, "") for x in records if x.ci_low == x.ci_low)
    known = " or ".join(filter(None, names))
    return f"{percent_of(level)} intervals: {known}" if known else ""


def of_column(intervals: str, theme: str) -> str:
    """What the intervals of a table are; it goes with their column, unless the estimates of the
    theme print them too.
    """
    return intervals if theme in ("pm", "ci") else Note(intervals, about="ci")


def metric_of(r: EvalResult) -> str:
    return f"metric: {r.metric}"


def questions_of(r: EvalResult) -> str:
    """Of how many questions, clusters and answers the means are."""
    text = means_in_clusters(r)
    answers = [m.n_answers / m.n_questions for m in r.means if m.n_questions]
    if max(answers, default=1.0) > 1.0:
        text += f", {_span(answers)} answers to each"
    return text


def means_in_clusters(r: EvalResult) -> str:
    """Of how many questions the means are, and in how many clusters."""
    scored = [m for m in r.means if m.n_questions]
    text = noun_of(_span([m.n_questions for m in scored]), "question")
    if r.shares_clusters:
        text += f" in {noun_of(_span([m.n_clusters for m in scored]), 'cluster')}"
        text += f" ({r.cluster_field})"
    return text


def metrics_of(results: Sequence[EvalResult]) -> str:
    """The metrics of several evals: the one that most have, then the others with their evals."""
    evals: dict[str, list[str]] = {}
    for r in results:
        evals.setdefault(r.metric, []).append(r.eval)
    if not evals:
        return ""
    usual, *others = sorted(evals, key=lambda metric: -len(evals[metric]))
    told = [usual, *(f"{metric} on {_several(evals[metric])}" for metric in others)]
    return f"metric: {listed(told) if ',' in ''.join(evals) else ', '.join(told)}"


def _several(evals: Sequence[str]) -> str:
    """Evals by their names, of many their number.

    >>> _several(["A"]), _several(["A", "B", "C"]), _several(list("ABCDEFG"))
    ('A', 'A, B and C', '7 evals')
    """
    if len(evals) > NAMED:
        return f"{len(evals)} evals"
    *first, last = evals
    return f"{', '.join(first)} and {last}" if first else last


def of_each(results: Sequence[EvalResult]) -> str:
    """Of how many questions the means of several evals are."""
    questions = noun_of(_span([r.n_questions for r in results]), "question")
    return f"{questions} in each eval"


def common_of(records: Sequence[AnyDifference | PowerResult]) -> str:
    """Of how many questions the differences are."""
    sizes = [d.n_questions for d in records if d.n_questions]
    if not sizes:
        return ""
    return f"{_span(sizes)} common question{'s' * (max(sizes) != 1)}"


def common_in_clusters(r: EvalResult, records: Sequence[DifferenceResult | PowerResult]) -> str:
    """Of how many questions the differences of one eval are, and in how many clusters."""
    text, sizes = common_of(records), [d.n_clusters for d in records if d.n_questions]
    if not (text and r.shares_clusters):
        return text
    return f"{text} in {_span(sizes)} cluster{'s' * (max(sizes) != 1)} ({r.cluster_field})"


def compared_of(r: EvalResult, records: Sequence[DifferenceResult | PowerResult]) -> str:
    """Of how many questions comparisons are: those of the means, where all of these are common."""
    own = {m.n_questions for m in r.means if m.n_questions}
    common = {d.n_questions for d in records if d.n_questions}
    return questions_of(r) if own == common or not common else common_in_clusters(r, records)


class Caption(str):
    """A caption whose last sentence knows which of its parts are about a column: notes.

    start: what stands before this sentence.

    >>> about = sentence(Note("95% intervals: Wilson", about="ci"), "metric: match")
    >>> caption = caption_of("MATH: mean score.", about)
    >>> caption, caption.without({"ci"})
    ('MATH: mean score. 95% intervals: Wilson; metric: match.', 'MATH: mean score. Metric: match.')
    """

    start: str
    parts: tuple[str, ...]

    def __new__(cls, start: str, parts: Iterable[str] = ()) -> "Caption":
        parts = tuple(filter(None, parts))
        text = "; ".join(parts)
        about = f"{text[0].upper()}{text[1:]}." if text else ""
        caption = super().__new__(cls, f"{start} {about}".strip())
        caption.start, caption.parts = start, parts
        return caption

    def without(self, gone: Collection[str]) -> "Caption":
        """Without the parts about columns that go, by key."""
        return Caption(self.start, left_by(self.parts, gone))


def caption_of(start: str, about: str) -> Caption:
    """A caption: a start, and a sentence of parts or of words alone."""
    if isinstance(about, Caption):
        return Caption(f"{start} {about.start}".rstrip(), about.parts)
    return Caption(f"{start} {about}".rstrip())


def sentence(*parts: str) -> Caption:
    """The parts between semicolons, as a sentence; empty ones go.

    >>> sentence("95% intervals: Wilson", "", "metric: match")
    '95% intervals: Wilson; metric: match.'
    >>> sentence("metric: match")
    'Metric: match.'
    """
    return Caption("", parts)


def about_several(
    results: Sequence[EvalResult], records: Iterable[MeanResult | AnyDifference], theme: str
) -> Caption:
    """The sentence of several evals below each other. records: those whose intervals it prints."""
    intervals = of_column(intervals_of(records, results[0].level), theme)
    return sentence(intervals, metrics_of(results), of_each(results))


def _span(values: Sequence[float]) -> str:
    if not values:
        return "0"
    return span(count(min(values)), count(max(values)))


def evals_of(n: int, each: Sequence[int] = ()) -> str:
    """Over how many evals the rows of a table are. each: the number of each row, of n in all.

    >>> evals_of(9), evals_of(9, [9, 9]), evals_of(9, [2, 5, 3]), evals_of(9, [2, 2])
    ('9 evals', '9 evals', '2 to 5 of 9 evals', '2 of 9 evals')
    >>> evals_of(9, [2, 9])
    '2 to 9 evals'
    """
    low, high = min(each, default=n), max(each, default=n)
    some = span(count(low), count(high)) if low < high else count(low)
    return counted(n, "eval") if low == n else f"{some}{f' of {count(n)}' * (high < n)} evals"
