"""Heads and rows of what is no score and no model: parameters, costs, ratings, years, what is
computed from the other columns. Nothing is made of them, and the answer lists them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from reportkit.loading.published.changes import number_of, other_names
from reportkit.loading.published.entries import Entry, Unused
from reportkit.loading.published.heads import Head, without_brackets
from reportkit.published import Printed

NEAR = 2.0  # an eval is no more than this many times as large as another beside it
_BEFORE = (
    r"(?:(?:#|no\.?|num(?:ber)?|n|total|active|activated|training|train|pre-?training|avg\.?|"
    r"average|mean|median|max\.?|maximum|min\.?|input|output|prompt|completion|generated|"
    r"inference|eval(?:uation)?|model|peak|release|knowledge|of|wall|api)[\s_-]*)*"
)
_WORDS = (
    r"params?|parameters?|model size|tokens?|context(?: (?:length|window|size))?|ctx|"
    r"(?:seq(?:uence)?|response|answer) (?:length|len)|length|year|dates?|release[ds]?|cut-?off|"
    r"ppl|perplexity|costs?|prices?|latency|ttft|tpot|throughput|speed|time|clock|runtime|"
    r"duration|rank|ranking|elo|[gtpz]?flops?|macs|compute|memory|mem|vram|gpus?|"
    r"(?:gpu|tpu)[ -]?hours?|hours?|layers|licen[cs]e|temperature|seeds?|runs?|downloads|votes?|"
    r"usage|likes|stars|battles|games|calls|requests|#|"
    r"dims?|dimensions?"
)
_MEASURE = re.compile(rf"{_BEFORE}(?:{_WORDS})(?:\s*(?:/|per)\s*[\w $]+)?", re.IGNORECASE)
_RATING = re.compile(r"\belo\b", re.IGNORECASE)
# what is computed from the numbers beside it
_STATISTIC = re.compile(
    r"(?:std\.?|sd|s\.d\.|stdev|std\.? ?dev\.?|standard deviation|σ|var|variance|spread|range|iqr|"
    r"gap|best|worst|max|maximum|min|minimum|median|mode|winner)"
    r"(?: (?:score|model|of all|over all|across (?:all|models|evals|runs|seeds)))?",
    re.IGNORECASE,
)
_QUOTIENT = re.compile(
    r"(?:%|percent(?:age)?|rel\.?|relative)\s*(?:%\s*)?(?:Δ|δ|delta|diff\w*\.?|changes?|chg\.?|"
    r"gains?|impr\w*\.?|increases?|decreases?|reductions?|lifts?|drops?|errors?)(?:\s.*)?",
    re.IGNORECASE,
)
# of a number that is no score; B, k, M and T stand behind names of models too
_UNIT = re.compile(  # a $ may be lost as mathematics
    r"\s[(\[]\s*(?:|/\s*1?[a-z]|(?:in |us)?[$€£].*|usd.*|eur.*|ms|s|secs?\.?|seconds?|mins?\.?|"
    r"minutes?|h|hrs?|hours?|days?|[kmgt]i?b|tok(?:en)?s?(?:/\w+)?|"
    r"\w+/s(?:ec)?|[gtpz]?flops?|k?wh?|gpu.*|words?|"
    r"chars?|characters?)\s*[)\]]\s*$",
    re.IGNORECASE,
)
TOTALS = ("moe", "total", "all", "count")  # moe: margin of error
_AMOUNT = re.compile(r"[(\[]\s*(?:[kKMBT]|bn|mn|billions?|millions?|trillions?)\s*[)\]]\s*$")


def is_statistic(text: str) -> bool:
    """Whether a name is a word for what is computed from numbers beside it, and no model.

    >>> [is_statistic(x) for x in ("Gap", "Best", "Rel. improv. (%)", "Human", "Best-of-N")]
    [True, True, True, False, False]
    """
    word = _word(text)
    return any(p.fullmatch(word) for p in (_STATISTIC, _QUOTIENT))


def is_no_score(text: str) -> bool:
    """Whether a head, or the name of a row, is of no score.

    >>> [is_no_score(x) for x in ("Params (B)", "Arena Elo", "Avg. rank", "PPL ↓", "Cost ($/M)")]
    [True, True, True, True, True]
    >>> [is_no_score(x) for x in ("GSM8K (5-shot)", "DateQA", "WikiText PPL", "Latency-QA")]
    [False, False, False, False]
    """
    word = _word(text)
    if _UNIT.search(_bare(text)) or _RATING.search(_bare(text)):
        return True
    return is_statistic(text) or _MEASURE.fullmatch(word) is not None


def is_no_name(text: str) -> bool:
    """Whether a head is the name of no model and no eval: a total, or of no score.

    >>> [is_no_name(x) for x in ("All", "MoE", "Year", "std", "MATH")]
    [True, True, True, True, False]
    """
    return _word(text).casefold() in TOTALS or is_no_score(text)


def _bare(text: str) -> str:
    return re.sub(r"[↓↑*\\]", "", text).strip()


def _word(text: str) -> str:
    return " ".join(without_brackets(_bare(text)).split()).rstrip(":. ")


def is_gap(
    name: str, own: Sequence[Printed | None], rows: Sequence[Sequence[Printed | None]]
) -> bool:
    """Whether GAP, in capitals, is no eval: its numbers are not as large as the scores beside them,
    or are all of them what two of these are apart. own: its numbers. rows: what stands beside each.
    """
    if name != "GAP":
        return is_no_score(name)
    apart = []
    for x, others in zip(own, rows, strict=True):
        known = [y for y in others if y is not None]
        if x is None or not known:
            continue
        sizes = [y.value for y in known]
        if not min(sizes) / NEAR <= x.value <= max(sizes) * NEAR:
            return True
        pairs = combinations(sizes, 2)
        apart.append(any(abs(abs(a - b) - x.value) <= 2.0 * x.step for a, b in pairs))
    return not apart or all(apart)


def without_others(heads: Sequence[Head], rows: Sequence[Sequence[str]] = ()) -> list[Head]:
    """The heads; one that is of no score has the key "unused". Where rows are of models, Size is
    theirs, and no number of questions. rows: below them.
    """
    found, first = list(heads), other_names(heads)
    numbers = [[number_of(cell) for cell in row] for row in rows]
    names = [j for j, h in enumerate(heads) if j and not h.key and not is_no_score(h.text)]
    of_evals = any(head.key == "eval" for head in heads)
    for j, head in enumerate(heads):
        size = head.key == "n" and _word(head.text).casefold() == "size" and not of_evals
        amount = not of_evals and _AMOUNT.search(_bare(head.text)) is not None
        beside = [[row[i] for i in names] for row in numbers]
        gap = is_gap(head.text, [row[j] for row in numbers], beside)
        other = not head.key and (gap or amount)
        if j != first and (size or other):
            found[j] = replace(head, key="unused")
    return found


def drop_others(entries: Iterable[Entry], unused: Unused) -> None:
    """Of a list with a row for each mean: rows of no model, or of no score, lose their cells."""
    entries = list(entries)
    means = {id(e): number_of(e.cells["mean"][0]) for e in entries if "mean" in e.cells}
    for e in entries:
        beside = [means[id(x)] for x in entries
                  if id(x) in means and x.model == e.model and x.eval != e.eval]  # fmt: skip
        gap = is_gap(e.eval, [means.get(id(e))], [beside])
        for name, other in ((e.model, is_statistic(e.model)), (e.eval, gap)):
            if name and other and e.cells:
                unused.rows.append(name)
                e.cells = {}
