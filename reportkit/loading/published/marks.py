"""A model whose name has a mark in one table and none in another: † * ¹ or (ours) behind it."""

import re
from collections.abc import Iterator, Sequence

from reportkit.loading.published.entries import Entry

_MARK = re.compile(
    r"\s*(?:[†‡§¶*∗⋆]|[¹²³⁰-⁹ᵃ-ᶻ]|\^\{?[\w*†‡§¶]\}?|\[\^\w{1,2}\]|\((?:ours|our run)\))+$",
    re.IGNORECASE,
)


def without_mark(name: str) -> str:
    """A name without the marks behind it; what consists of marks alone stays.

    >>> [without_mark(name) for name in ("GPT-4†", "o1 *", "Nimbus (ours)", "Claude 3.5", "**")]
    ['GPT-4', 'o1', 'Nimbus', 'Claude 3.5', '**']
    """
    return _MARK.sub("", name).strip() or name


def unmark(tables: Sequence[Sequence[Entry]]) -> Iterator[str]:
    """Takes the mark from a model's name, where another table has it without one; a sentence for
    each. Where one table has both, they are two models, in all tables.
    """
    names: dict[tuple[int, str], list[str]] = {}
    for i, entries in enumerate(tables):
        for e in entries:
            names.setdefault((i, e.place.table), []).extend(filter(None, (e.model, e.baseline)))
    spelled: dict[str, list[str]] = {}
    for in_table in names.values():
        for name in dict.fromkeys(in_table):
            spelled.setdefault(without_mark(name), []).append(name)
    one = {bare for bare, all_ in spelled.items() if bare in all_ and len(set(all_)) > 1}
    for in_table in names.values():
        both = [without_mark(name) for name in dict.fromkeys(in_table)]
        one -= {bare for bare in both if both.count(bare) > 1}
    for e in (e for entries in tables for e in entries):
        for of in ("model", "baseline"):
            name = getattr(e, of)
            bare = without_mark(name)
            if bare in one:
                setattr(e, of, bare)
                e.mark += name[len(bare) :].strip()
    for bare in sorted(one):
        marked = [name for name in dict.fromkeys(spelled[bare]) if name != bare]
        yield (
            f"{' and '.join(marked)} is read as {bare}, which another table has without a mark; a "
            "mark may say that it was run in another way."
        )
