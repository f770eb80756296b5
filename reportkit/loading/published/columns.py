"""Whose number stands in a column of a table that has models or evals across: "MMLU SE" beside
"MMLU", or an SE to the right of each name. A column that may be of several names is not guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.errors import ScoresError
from reportkit.loading.published.eval_names import with_bare_size, without_size
from reportkit.loading.published.heads import Head, read_head

# A head of a name may say what stands in brackets below it: "Galleon (SE)".
_BESIDE = re.compile(
    r"\s*\((?:±\s*)?(?:se|s\.e\.|std\.? ?err(?:or)?|standard error)\)$", re.IGNORECASE
)
SPREADS = ("std", "sd", "stdev", "std dev", "standard deviation", "σ", "variance", "var", "range")
OF_NAME = ("se", "se_naive", "ci", "low", "high")
OF_DIFFERENCE = (*OF_NAME, "p")  # what may stand to the right of a difference
Owned = dict[int, tuple[str, Head]]


def name_of(cell: str) -> str:
    """A name as it prints: without the marks of bold, with what is escaped.

    >>> name_of("**GPT\\\\_4**"), name_of('"Galleon"')
    ('GPT_4', 'Galleon')
    """
    cell = cell.strip()
    for mark in ("**", "__", "*", "`", '"', "“", "”"):
        ends = mark if mark not in "“”" else "”"
        start = mark if mark not in "“”" else "“"
        if len(cell) > 2 * len(mark) and cell.startswith(start) and cell.endswith(ends):
            cell = cell[len(mark) : -len(mark)]
    return re.sub(r"\\([\\`*_{}\[\]()#+.!|~$&%<>-])", r"\1", cell).strip()


def owned(heads: Sequence[Head], at: int, where: str) -> Owned:
    """The columns of names: each with its name, as printed, and what it holds of it. at: the
    column of the other names. where: for messages.

    >>> heads = [read_head(x) for x in ("Model", "QA (n=50)", "QA SE", "QB", "95% CI", "SE")]
    >>> [(name, head.key) for name, head in owned(heads[:4], 0, "").values()]
    [('QA (n=50)', 'mean'), ('QA (n=50)', 'se'), ('QB', 'mean')]
    """
    names = {j: name_of(h.text) for j, h in enumerate(heads) if j != at and not h.key}
    full = {_bare(text): text for text in names.values()}
    for text in names.values():  # "GSM8K SE" beside "GSM8K (1319)"
        full.setdefault(with_bare_size(_bare(text))[0], text)
    split = {j: list(splits(text)) for j, text in names.items()}
    said = {before for parts in split.values() for before, head in parts if head.key in OF_NAME}
    found: Owned = {}
    for j, text in names.items():
        found[j] = (_BESIDE.sub("", text) or text, replace(heads[j], key="mean"))
        for before, head in split[j]:
            if before in full and head.text.casefold() in SPREADS:
                raise ScoresError(
                    f"{where}: the column {text!r} is no model and no standard error; leave it "
                    f"out, or give {before + ' SE'!r}"
                )
            if before in full and head.key in OF_NAME:
                found[j] = (full[before], head)
            elif head.key == "mean" and before in said and before not in full:
                found[j] = (before, replace(head, key="mean"))
    means = {name for name, head in found.values() if head.key == "mean"}
    for j, text in names.items():  # "QA SE" beside "QA mean"
        for before, head in split[j]:
            if head.key in OF_NAME and before in means and not _BESIDE.search(text):
                found[j] = (before, head)
    _check_orphans(found, split, where)
    _keep_names(found, names, heads)
    found |= _to_the_left(heads, at, found, where)
    _check_twice(found, where)
    return found


def _bare(text: str) -> str:
    return without_size(text)[0]


def splits(text: str) -> Iterator[tuple[str, Head]]:
    """A name and what may be said of it, at every place where the text can be cut.

    >>> next((name, head.key) for name, head in splits("QA SE") if head.key)
    ('QA', 'se')
    """
    for cut in range(1, len(text)):
        before, after = text[:cut].strip(" :,("), text[cut:].strip(" :,()")
        if before and after and not (text[cut - 1].isalnum() and text[cut].isalnum()):
            yield _bare(before), read_head(after)


def _check_orphans(found: Owned, split: dict[int, list[tuple[str, Head]]], where: str) -> None:
    """ScoresError for a "Nimbus SE" beside "Nimbus-7B": it would be a model of its own, and an
    interval would silently not be checked.
    """
    means = {j: name for j, (name, head) in found.items() if head.key == "mean"}
    keys = {head.key for _, head in found.values()}
    for j, text in means.items():
        if text != name_of(found[j][1].text) or re.search(r"[±)\]]", text):
            continue  # "QA (95% CI)" and "QA ± SE" are means
        others = [name for i, name in means.items() if i != j]
        for before, head in split[j]:
            begun = [x for x in others if _seems(before, x)]
            if head.key in ("se", "se_naive", "ci") and (begun or (others and head.key in keys)):
                word = head.text.strip("-_ ")
                meant = f"{(begun or others)[0]} {word}"
                raise ScoresError(
                    f"{where}: no column is called {before!r}, of which {text!r} seems to be; "
                    f"name it after its column, such as {meant!r}, or, if it is a name, leave "
                    f"{word!r} out of it"
                )


def _seems(part: str, name: str) -> bool:
    """Whether a name begins or ends like this, however it is spelled: "7b" and "Nimbus-7B"."""
    part, name = (re.sub(r"[\W_]", "", x.casefold()) for x in (part, name))
    return part != "" and (name.startswith(part) or name.endswith(part))


def _keep_names(found: Owned, names: dict[int, str], heads: Sequence[Head]) -> None:
    """An "o1 high" without an "o1 low" is a model, and no end of an interval."""
    keys = {(name, head.key) for name, head in found.values()}
    for j, text in names.items():
        name, head = found[j]
        other = {"low": "high", "high": "low"}.get(head.key)
        if other and (name, other) not in keys:
            found[j] = (text, replace(heads[j], key="mean"))


def _to_the_left(heads: Sequence[Head], at: int, found: Owned, where: str) -> Owned:
    """Columns that are named SE or CI alone: one for each name, of the name to their left."""
    names = list(dict.fromkeys(name for name, head in found.values() if head.key == "mean"))
    of_difference = after_difference(heads)
    more: Owned = {}
    for key in OF_NAME:
        places = [j for j, h in enumerate(heads) if h.key == key and j not in of_difference]
        owners = [_left(j, at, found) for j in places]
        if len(names) != len(places) or len(set(owners)) != len(places) or "" in owners:
            if places and names:
                text = heads[places[0]].text
                raise ScoresError(
                    f"{where}: the column {text!r} may be of any of {', '.join(names[:4])}; name "
                    f"each such column after its own, such as {names[0] + ' ' + text!r}"
                )
            continue
        more |= {j: (owner, heads[j]) for j, owner in zip(places, owners, strict=True)}
    return more


def _left(j: int, at: int, found: Owned) -> str:
    """The name of the nearest column of means to the left."""
    for i in range(j - 1, -1, -1):
        if i in found and found[i][1].key == "mean":
            return found[i][0]
        if i == at:
            break
    return ""


def after_difference(heads: Sequence[Head]) -> list[int]:
    """The columns of errors and intervals that stand to the right of a difference."""
    at = [j for j, head in enumerate(heads) if head.key == "difference"]
    return [i for j in at for i in behind(heads, j)]


def without_p(heads: Sequence[Head], listed: bool) -> list[Head]:
    """The heads; a p-value that is of no difference is not used. listed: whether rows are of one
    mean or difference each, so that it is of the row.
    """
    if any(h.text.strip().casefold() == "r" for h in heads):  # precision, beside recall
        return [replace(h, key="unused") if h.key == "p" else h for h in heads]
    kept = set(after_difference(heads))
    if listed and any(h.key == "difference" for h in heads):
        return list(heads)
    return [
        replace(h, key="unused") if h.key == "p" and j not in kept else h
        for j, h in enumerate(heads)
    ]


def behind(heads: Sequence[Head], at: int) -> list[int]:
    """The columns of errors, intervals and p-values that stand to the right of one column."""
    end = at + 1
    while end < len(heads) and heads[end].key in OF_DIFFERENCE:
        end += 1
    return list(range(at + 1, end))


def _check_twice(found: Owned, where: str) -> None:
    seen: set[tuple[str, str]] = set()
    for name, head in found.values():
        if (name, head.key) in seen:
            raise ScoresError(
                f"{where}: two columns are named {head.text!r}; give them names that differ"
            )
        seen.add((name, head.key))
