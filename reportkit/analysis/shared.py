"""Evals that hold the same questions, such as a group beside its subtasks: which of them count
where evals are averaged, so that no question counts twice.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from reportkit.results import EvalResult
from reportkit.scores.scores import Scores
from reportkit.suites import Shared

# Evals that share a few texts by chance, as two subjects of MMLU do, are averaged: with m of their
# a and b questions in common their means correlate by m / sqrt(a b) at most, and at 0.05 the SE of
# the average is at most 2.5% too small.
CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class Held:
    """The questions of an eval. ids: (n,) hashes of the name of the eval or subtask, the id in it
    and the content, where that is known: no two questions of an eval have the same. texts: (n,)
    hashes of the content alone; 0 where it is not known, or several questions of the eval have it.
    """

    ids: np.ndarray
    texts: np.ndarray

    def packed(self) -> bytes:
        """For a frozen record."""
        return np.concatenate([self.ids, self.texts]).tobytes()


class Repeated(NamedTuple):
    """What stands in other evals too: of each question whether it does."""

    at_all: np.ndarray
    by_id: np.ndarray


# What an eval holds -------------------------------------------------------------------------------


def held(scores: Scores, eval: str, questions: np.ndarray) -> Held:
    """What the rows of one eval say of these questions, (n,) ids.

    A question of a group is one of its subtask where the row has the column `subtask` and the id
    begins with the subtask's name and "/".
    """
    rows = scores.rows
    at = rows.drop_duplicates("question_id").set_index("question_id")
    texts: list[object] = [None] * len(questions)
    if "content_hash" in rows.columns:
        known = rows[rows["content_hash"].notna()].drop_duplicates("question_id")
        contents = dict(zip(known["question_id"], known["content_hash"], strict=True))
        texts = [contents.get(q) for q in questions]
    inside: list[object] = [None] * len(questions)
    if "subtask" in rows.columns:
        inside = at["subtask"].astype(object).reindex(questions).tolist()
    # Two versions of an eval have the same ids; that the questions are the same, their content says
    runs = (r for r in scores.facts.runs if r.eval == eval)
    logged = next((r.logged_eval for r in runs if r.logged_eval), eval)
    keys = []
    for q, subtask, text in zip(questions, inside, texts, strict=True):
        start = f"{subtask}/"
        if isinstance(subtask, str) and str(q).startswith(start):
            keys.append(ascii((subtask, str(q).removeprefix(start), text)))
        else:
            keys.append(ascii((eval if text is None else logged, str(q), text)))
    contents_of = pd.Series(texts, dtype=object)
    single = contents_of.notna() & ~contents_of.duplicated(keep=False)
    hashed = _hashes([ascii(t) for t in texts])
    return Held(_hashes(keys), np.where(single.to_numpy(dtype=bool), hashed, np.uint64(0)))


def subtasks_of(scores: Scores, questions: np.ndarray) -> tuple[str, ...]:
    """The evals that a group's questions are from, by their names in the logs; empty of others."""
    rows = scores.rows
    if "subtask" not in rows.columns:
        return ()
    rows = rows[rows["subtask"].notna()].drop_duplicates("question_id")
    there = set(questions)
    own = [
        str(subtask)
        for q, subtask in zip(rows["question_id"], rows["subtask"], strict=True)
        if q in there and str(q).startswith(f"{subtask}/")
    ]
    return tuple(dict.fromkeys(own)) if len(own) == len(there) else ()


def named(names: Sequence[str]) -> Held:
    """Questions of which only the evals are known that they are from."""
    return Held(_hashes([ascii(n) for n in names]), np.zeros(len(names), np.uint64))


def _hashes(texts: Sequence[str]) -> np.ndarray:
    return pd.util.hash_array(np.array(texts, dtype=object), categorize=False)


def _unpacked(r: EvalResult) -> Held:
    ids, texts = np.frombuffer(r.held, dtype=np.uint64).reshape(2, -1)
    return Held(ids, texts)


# Which evals count --------------------------------------------------------------------------------


def shared(results: Sequence[EvalResult]) -> dict[str, Shared]:
    """The evals that are not averaged with the others, each with those that have its questions."""
    groups = [r.eval for r in results if r.subtasks]
    return repeated({r.eval: _unpacked(r) for r in results}, groups)


def repeated(evals: Mapping[str, Held], groups: Sequence[str] = ()) -> dict[str, Shared]:
    """Which evals are left out so that no question counts twice, each with those that have its
    questions.

    First those of which every question stands in others that stay, the largest first: so a group
    makes way for its subtasks, or for the groups in it. Of equal ones a group goes, then the later
    one. Of what is left the largest stay, and each further eval that has questions of these goes;
    up to CHANCE where the texts are all that is the same. groups: evals made of others.
    """
    names = list(evals)
    several = _several(list(evals.values()))
    left = {name: evals[name] for name in names if _within(evals[name], several).at_all.any()}
    place = {name: number for number, name in enumerate(names)}
    order = sorted(left, key=lambda e: (-len(left[e].ids), e not in groups, -place[e]))
    gone = []
    for name in order:
        others = [h for other, h in left.items() if other != name]
        if len(evals[name].ids) and _within(evals[name], _joined(others)).at_all.all():
            gone.append(name)
            del left[name]
    kept: dict[str, Held] = {}
    for name in sorted(left, key=lambda e: (-len(left[e].ids), place[e])):
        if any(_clash(left[name], other) for other in kept.values()):
            gone.append(name)
        else:
            kept[name] = left[name]
    out = {}
    for name in sorted(gone, key=place.__getitem__):
        mine = evals[name]
        n = int(_within(mine, _joined(list(kept.values()))).at_all.sum())
        having = [e for e in names if e in kept and _within(mine, kept[e]).at_all.any()]
        out[name] = Shared(tuple(having), n, len(mine.ids))
    return out


def n_distinct(results: Sequence[EvalResult]) -> int:
    """Questions of several evals, each once."""
    total = sum(r.n_questions for r in results)
    every = [_unpacked(r) for r in results if r.held]
    several = _several(every)
    before: list[Held] = []
    for one in every:
        if not _within(one, several).at_all.any():
            continue
        if before:
            total -= int(_within(one, _joined(before)).at_all.sum())
        before.append(one)
    return total


def _joined(evals: Sequence[Held]) -> Held:
    if not evals:
        return Held(np.zeros(0, np.uint64), np.zeros(0, np.uint64))
    return Held(np.concatenate([e.ids for e in evals]), np.concatenate([e.texts for e in evals]))


def _several(evals: Sequence[Held]) -> Held:
    """What more than one of the evals holds."""
    every = _joined(evals)
    ids, n_ids = np.unique(every.ids, return_counts=True)
    texts, n_texts = np.unique(every.texts, return_counts=True)
    return Held(ids[n_ids > 1], texts[n_texts > 1])


def _within(mine: Held, others: Held) -> Repeated:
    by_id = np.isin(mine.ids, others.ids)
    by_text = np.isin(mine.texts, others.texts) & (mine.texts != 0)
    return Repeated(by_id | by_text, by_id)


def _clash(mine: Held, other: Held) -> bool:
    """Whether two evals have so many questions in common that they are not averaged."""
    found = _within(mine, other)
    if found.by_id.any():
        return True
    size = math.sqrt(len(mine.ids) * len(other.ids))
    return bool(found.at_all.sum() > CHANCE * size)
