"""Heads and rows that look like names and are none: differences of two names, and gains."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reportkit.loading.published.columns import OF_DIFFERENCE, name_of
from reportkit.loading.published.eval_names import without_size
from reportkit.loading.published.heads import Head, is_change, place_of, read_head, without_brackets
from reportkit.loading.published.marks import without_mark
from reportkit.loading.published.numbers import read_cell
from reportkit.published import Printed

Pair = tuple[str, str]
# A word for a difference, with more behind it; "Diff Transformer" and "Δ-DiT" are models.
_WORD = re.compile(
    r"(?:difference\b|(?:diff\b\.?|delta)(?=\s*[(:\[]|\s+(?:in|of|on|between|to|vs|from|over)\b)|"
    r"Δ(?=[\s(:\[]|$))[\s:]*(?:between\s+|of\s+)?",
    re.IGNORECASE,
)
_ANY_WORD = r"(?:difference\b|diff\b\.?|delta\b|Δ)"
_ERROR_OF = re.compile(
    rf"{_ANY_WORD}[\s:]+(.+)|(.+?)\s+(?:(?:of|for|on)\s+)?(?:the\s+)?{_ANY_WORD}", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s+(?:vs\.?|versus|minus|and)\s+|\s*[-‐‑–−]\s*", re.IGNORECASE)
_SURE = re.compile(r"−|\bvs\b|\bversus\b|\bminus\b|\band\b", re.IGNORECASE)
MOST = 0.5  # of the numbers, more than this part tells what they are


def pair_of(text: str, names: Iterable[str]) -> Pair | None:
    """The two names of a table that a head sets one against the other, the first minus the second.

    >>> pair_of("Difference (Corvus − Alba)", ["Alba", "Corvus"])
    ('Corvus', 'Alba')
    >>> pair_of("gpt-4o-mini", ["gpt-4o", "Alba"])
    """
    known = {plain(name): name for name in names}
    word = _WORD.match(text.strip())
    rest = text.strip()[word.end() :] if word else text.strip()
    if word is None and rest.casefold().startswith("mean difference"):
        rest = rest[len("mean difference") :]
    for whole in dict.fromkeys((rest, without_brackets(rest))):
        whole = re.sub(r"^\s*[(\[](.*)[)\]]\s*$", r"\1", whole)
        for cut in _BETWEEN.finditer(whole):
            sides = plain(whole[: cut.start()]), plain(whole[cut.end() :])
            if sides[0] != sides[1] and all(side in known for side in sides):
                return known[sides[0]], known[sides[1]]
    return None


def is_sure(text: str) -> bool:
    """Whether what stands between two names can be no part of one name.

    >>> is_sure("Corvus − Alba"), is_sure("Llama-RAG")
    (True, False)
    """
    return _SURE.search(text) is not None or _WORD.match(text.strip()) is not None


def is_difference(text: str) -> bool:
    """Whether a text says that it is a difference, or a gain, of whatsoever.

    >>> [is_difference(x) for x in ("Δ", "Gain", "Difference on MATH", "Diff Transformer", "Δ-DiT")]
    [True, True, True, False, False]
    >>> [is_difference(x) for x in ("SE of diff.", "Difference 95% CI", "Diff. p-value")]
    [True, True, True]
    """
    said = read_head(text).key == "difference" or is_change(text)
    return said or _WORD.match(text.strip()) is not None or _error_of(text) is not None


def _error_of(text: str) -> Head | None:
    """The error, or p-value, that a text says is of a difference, such as "SE of diff."."""
    said = _ERROR_OF.fullmatch(text.replace("_", " ").strip())
    of = read_head(said[1] or said[2]) if said else None
    return of if of is not None and of.key in (*OF_DIFFERENCE, "unused") else None


def plain(name: str) -> str:
    """A name by which it is known again: without a number of questions, a mark or a remark."""
    bare = without_mark(without_size(name_of(name))[0])
    return (without_brackets(bare) or bare).casefold()


# Columns ------------------------------------------------------------------------------------------


def without_differences(
    heads: Sequence[Head], rows: Sequence[Sequence[str]], first: int
) -> list[Head]:
    """The heads of a table that has models or evals across. first: the column of the other names.
    A column is a difference where its head names two others, or says so; behind a word for a
    difference an error is of it. One of two rows has no eval, and is not used.
    """
    down = [row[first] for row in rows]
    names = {j: name_of(h.text) for j, h in enumerate(heads) if j != first and not h.key}
    found = list(heads)
    for j, head in enumerate(heads):
        if j not in names and head.key != "difference":
            continue
        others = {i: name for i, name in names.items() if i != j and not is_difference(name)}
        pair = pair_of(head.text, others.values())
        if pair and _differ(head, j, pair, others, rows):
            found[j] = replace(head, key="difference", model=pair[0], baseline=pair[1])
        elif j in names and is_sure(head.text) and pair_of(head.text, down):
            found[j] = replace(head, key="unused")
        elif j in names:
            found[j] = _alone(head, found[j - 1] if j else None, others.values())
    return found


def _alone(head: Head, before: Head | None, others: Iterable[str]) -> Head:
    """A head that names no pair: a difference of whatsoever, its error, a change of a name."""
    of = _error_of(head.text)
    if of is not None:
        behind = before is not None and before.key == "difference"
        return replace(of, text=head.text) if behind else replace(head, key="unused")
    if _WORD.match(head.text):
        return replace(head, key="difference")
    known = {plain(name) for name in others}
    text = without_brackets(head.text)
    for cut in re.finditer(r"\s+", text):
        left, right = text[: cut.start()], text[cut.end() :]
        if plain(left) in known and is_difference(right):
            return replace(head, key="unused")
    if text.startswith("Δ") and plain(text[1:]) in known:
        return replace(head, key="unused")
    return head


def _differ(
    head: Head, at: int, pair: Pair, others: Mapping[int, str], rows: Sequence[Sequence[str]]
) -> bool:
    """Whether a column is a difference. A hyphen alone does not say it, as "Llama-RAG" may be a
    model beside "Llama" and "RAG": there the numbers do.
    """
    if head.key == "difference" or is_sure(head.text):
        return True
    a, b = (next(i for i, name in others.items() if name == x) for x in pair)
    return are_differences([(row[at], row[a], row[b]) for row in rows])


def are_differences(cells: Iterable[tuple[str, str, str]]) -> bool:
    """Whether numbers are nearer to the difference of two others than to one of these."""
    told = []
    for three in cells:
        x, a, b = (number_of(cell) for cell in three)
        if x and a and b:
            gap = abs(abs(x.value) - abs(a.value - b.value))
            told.append(gap < min(abs(x.value - a.value), abs(x.value - b.value)))
    return sum(told) > MOST * len(told)


def number_of(cell: str) -> Printed | None:
    """The number of a cell, else None."""
    try:
        found = read_cell(cell)
    except ValueError:
        return None
    return found.value if found else None


def other_names(heads: Sequence[Head]) -> int:
    """The column of the names that rows are of."""
    at = place_of(heads, "eval")
    at = place_of(heads, "model") if at is None else at
    return at or 0
