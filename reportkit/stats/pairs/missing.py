"""Sums over the common questions of every pair of models, when each model lacks some questions of
its own.

With x the scores of a model about a centre of its own, 0 where it has none, and f its 0/1 mask,
what a pair needs is in products: common questions f'f, sums x'f, squares (x^2)'f, cross products
x'x. All of it goes through the rows in blocks that stay in the processor's cache, so that nothing
as large as the scores is ever copied.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from reportkit.machine import processors
from reportkit.record import Record

BLOCK = 200_000  # numbers in a block of rows (1.6 MB)
STRIP = 10_000  # pairs of models at a time: small enough for the cache and for one thread of BLAS
TILE = 160_000  # numbers in a stack of clusters by pairs of models
# sums over clusters are taken in so many parts, added in order: the same digits on any machine
SHARES = 4
MOST = 62  # patterns: one bit of an integer each
HEAD = 500  # questions that mostly tell patterns apart
LEAST = -1e300  # stands in for a missing score until it is multiplied by 0


@dataclass(frozen=True, slots=True)
class Common(Record):
    """Over the common questions of models i and j, about the centres; every matrix has shape (M,
    M).
    """

    centre: np.ndarray  # (M,), near each model's mean
    n: np.ndarray  # how many
    sums: np.ndarray  # [i, j]: of the first model's scores
    squares: np.ndarray  # [i, j]: of the first model's scores
    cross: np.ndarray


@dataclass(frozen=True, slots=True)
class ClusterSums(Record):
    """Sums over clusters for models i < j, shape (M, M) each; what stands below the diagonal means
    nothing.

    m: common questions in the cluster; D: sum of their differences about the centres; w: 1 / (1 -
    m/n) for CR2, else 1.
    """

    groups: np.ndarray  # clusters with a common question
    m2: np.ndarray  # sum of m^2
    wd2: np.ndarray  # sum of w D^2
    wmd: np.ndarray  # sum of w m D
    u: np.ndarray  # sum of w m^2
    u2: np.ndarray  # sum of (w m^2)^2
    own: np.ndarray  # what was subtracted to get wd2: sum of w C^2 of both models, C their own sums


@dataclass(frozen=True, slots=True)
class Patterns(Record):
    """Which models lack the same questions."""

    code: np.ndarray  # (M,), the pattern of each model, 0..K-1
    model: np.ndarray  # (K,), the first model with each pattern

    @property
    def few(self) -> bool:
        """Whether the pairs of patterns are fewer than the models."""
        k = len(self.model)
        return k <= MOST and k * (k + 1) <= 2 * len(self.code)


def patterns_of(s: np.ndarray) -> Patterns:
    """s: shape (n, M), nan where a model has no score.

    >>> patterns_of(np.array([[1.0, np.nan, 0.0], [1.0, 1.0, 1.0]])).code.tolist()
    [0, 1, 0]
    """
    m = s.shape[1]
    if len({bits.tobytes() for bits in np.isnan(s[:HEAD]).T}) == m:  # no two models in these alone
        return Patterns(np.arange(m), np.arange(m))
    held: dict[bytes, int] = {}
    model: list[int] = []
    code = []
    for column, bits in enumerate(np.packbits(np.isnan(s), axis=0).T):
        pattern = held.setdefault(bits.tobytes(), len(held))
        if pattern == len(model):
            model.append(column)
        code.append(pattern)
    return Patterns(np.array(code, dtype=int), np.array(model, dtype=int))


def common_sums(s: np.ndarray, patterns: Patterns) -> Common:
    """The products over common questions. s: shape (n, M), nan where a model has no score.

    What only the missing questions of a model decide is found once for each pattern.
    """
    n, m = s.shape
    centre = _centres(s)
    code, own = patterns.code, patterns.model
    common, sums, squares = (np.zeros((k, len(own))) for k in (len(own), m, m))
    cross = np.zeros((m, m))
    whole = ~np.isnan(s @ np.ones(m))
    # Questions that every model has need no product with the mask, which saves most of the work
    # where they are many.
    order = np.argsort(whole, kind="stable") if 4 * np.count_nonzero(whole) > n else None
    cut = n if order is None else n - int(np.count_nonzero(whole))
    blocks = [
        *row_blocks(cut, m),
        *(slice(r.start + cut, r.stop + cut) for r in row_blocks(n - cut, m)),
    ]
    x, x2, f = (np.empty((max(rows.stop - rows.start for rows in blocks), m)) for _ in range(3))
    for rows in blocks:
        here = slice(0, rows.stop - rows.start)
        _about(s[rows] if order is None else s[order[rows]], centre, x[here], f[here])
        np.multiply(x[here], x[here], out=x2[here])
        cross += x[here].T @ x[here]
        if rows.start >= cut:
            common += rows.stop - rows.start
            sums += x[here].sum(axis=0)[:, None]
            squares += x2[here].sum(axis=0)[:, None]
        else:
            mask = f[here] if len(own) == m else f[here][:, own]
            small = mask.astype(np.float32)  # counts in a block are exact in half the time
            common += small.T @ small
            sums += x[here].T @ mask
            squares += x2[here].T @ mask
    return Common(centre, common[np.ix_(code, code)], sums[:, code], squares[:, code], cross)


def _centres(s: np.ndarray) -> np.ndarray:
    """A value near each model's mean, shape (M,): the mean of a sixteenth of its scores. Any value
    among them would do.

    The products are exact for every centre but lose digits with its distance from the scores.
    """
    some = s[::16]
    known = some == some
    count = known.sum(axis=0)
    centre = np.where(known, some, 0.0).sum(axis=0) / np.maximum(count, 1)
    for column in np.flatnonzero(count == 0):
        own = s[:, column]
        own = own[own == own]
        centre[column] = own.mean() if len(own) else 0.0
    return centre


def _about(s: np.ndarray, centre: np.ndarray, x: np.ndarray, f: np.ndarray) -> None:
    """Writes the mask into f and the scores about the centre, 0 where there is none, into x."""
    f[...] = s == s
    np.fmax(s, LEAST, out=x)
    x -= centre
    x *= f


def cluster_sums_of_pairs(
    s: np.ndarray, codes: np.ndarray, centre: np.ndarray, common: np.ndarray, *, weighted: bool
) -> ClusterSums:
    """Sums over clusters for every pair, where each pair has its own cluster sizes. common: shape
    (M, M), n of a pair.

    Clusters of one size are stacked; D of a stack is one product of [x f] with [f -x], m is f'f,
    and what is summed are elementwise functions of the two. Every weight is exact, however large
    its cluster. Work: clusters times pairs.
    """
    m = s.shape[1]
    sizes = np.bincount(codes)
    holes = np.bincount(codes, weights=np.isnan(s @ np.ones(m)))
    whole = holes == 0.0  # clusters of which every model has every question
    order = np.lexsort((codes, sizes[codes]))
    out = _whole_clusters(s, order[whole[codes[order]]], sizes[codes], centre, common, weighted)
    order, sizes = order[~whole[codes[order]]], sizes[~whole]
    strip = _strip(m)
    per = TILE // (strip * m)
    stacks, start = [], 0
    for size, number in zip(*np.unique(sizes[sizes > 0], return_counts=True), strict=True):
        at_once = int(max(1, min(per, BLOCK // (size * m))))
        for first in range(0, int(number), at_once):
            end = start + int(size) * min(at_once, int(number) - first)
            stacks.append((int(size), order[start:end]))
            start = end

    def share(part: int) -> np.ndarray:
        out = np.zeros((7, m, m))
        # One piece of memory for all stacks: fresh pages would cost more than the sums.
        room = np.empty((4, TILE + strip * m))
        for size, rows in stacks[part::SHARES]:
            if size * m > BLOCK:
                _add_large(out, s, rows, centre, common, weighted)
                continue
            _add_stack(out, room, s[rows].reshape(-1, size, m), centre, common, weighted)
        return out

    cpus = processors()
    # numpy lets go of the interpreter in each of these steps
    if cpus > 1 and len(stacks) > 8 * SHARES:
        with ThreadPoolExecutor(min(cpus, SHARES)) as pool:
            parts = list(pool.map(share, range(SHARES)))
    else:
        parts = [share(part) for part in range(SHARES)]
    groups, m2, wd2, wmd, u, u2, own = sum(parts, out)
    if not weighted:
        u = m2
    return ClusterSums(groups, m2, wd2, wmd, u, u2, own)


def _whole_clusters(
    s: np.ndarray,
    order: np.ndarray,
    size_of: np.ndarray,
    centre: np.ndarray,
    common: np.ndarray,
    weighted: bool,
) -> np.ndarray:
    """The sums over clusters without a hole: one product, and one weight for a pair, for each
    size of cluster.
    """
    m = s.shape[1]
    out = np.zeros((7, m, m))
    groups, m2, wd2, wmd, u, u2, own = out
    for size, number in zip(*np.unique(size_of[order], return_counts=True), strict=True):
        rows, order = order[:number], order[number:]
        count, k = int(number // size), float(size)
        gram, total = np.zeros((m, m)), np.zeros(m)
        step = max(1, BLOCK // int(size * m))
        for first in range(0, count, step):
            x = s[rows[first * size : (first + step) * size]] - centre
            x = x.reshape(-1, size, m).sum(axis=1)
            gram += x.T @ x
            total += x.sum(axis=0)
        square = np.diag(gram)
        both = square[:, None] + square
        with np.errstate(divide="ignore", invalid="ignore"):
            w = 1.0 / (1.0 - k / common) if weighted else np.ones_like(common)
            groups += count
            m2 += count * k * k
            wd2 += w * (both - 2.0 * gram)
            own += w * both
            wmd += w * (k * (total[:, None] - total))
            u += (count * k * k) * w
            u2 += (count * k**4) * (w * w)
    return out


def _add_stack(
    out: np.ndarray,
    room: np.ndarray,
    s: np.ndarray,
    centre: np.ndarray,
    common: np.ndarray,
    weighted: bool,
) -> None:
    """Adds clusters of one size, s of shape (B, size, M), to the sums."""
    size, m = s.shape[1:]
    strip = _strip(m)
    left = np.empty((len(s), 2 * size, m))
    right = np.empty_like(left)
    x, f = left[:, :size], left[:, size:]
    _about(s, centre, x, f)
    right[:, :size] = f
    np.negative(x, out=right[:, size:])
    for a in range(0, m, strip):
        b = min(a + strip, m)
        shape = (len(s), b - a, m - a)
        d, held, *spare = (piece[: math.prod(shape)].reshape(shape) for piece in room)
        np.matmul(left[:, :, a:b].transpose(0, 2, 1), right[:, :, a:], out=d)
        np.matmul(f[:, :, a:b].transpose(0, 2, 1), f[:, :, a:], out=held)
        _add(out[:, a:b, a:], d, held, spare, common[a:b, a:], weighted)


def _add_large(
    out: np.ndarray,
    s: np.ndarray,
    rows: np.ndarray,
    centre: np.ndarray,
    common: np.ndarray,
    weighted: bool,
) -> None:
    """Adds one cluster too large for a stack, in blocks of its questions."""
    m = s.shape[1]
    d, held = np.zeros((m, m)), np.zeros((m, m))
    for block in row_blocks(len(rows), m):
        x, f = (np.empty((block.stop - block.start, m)) for _ in range(2))
        _about(s[rows[block]], centre, x, f)
        d += x.T @ f
        held += f.T @ f
    d = (d - d.T)[None]
    _add(out, d, held[None], [np.empty_like(d), np.empty_like(d)], common, weighted)


def _add(
    out: np.ndarray,
    d: np.ndarray,
    held: np.ndarray,
    spare: list[np.ndarray],
    n: np.ndarray,
    weighted: bool,
) -> None:
    """Adds D and m of some clusters, shape (B, I, J) each, to the sums; spare: room to work in,
    two such arrays.
    """
    e, w = spare
    groups, m2, wd2, wmd, u, u2, _ = out
    groups += np.add.reduce(held > 0.0, axis=0, dtype=np.int32)
    m2 += np.einsum("cij,cij->ij", held, held)
    if not weighted:
        wd2 += np.einsum("cij,cij->ij", d, d)
        wmd += np.einsum("cij,cij->ij", d, held)
        return
    # one cluster has all: undefined, and so is the pair
    with np.errstate(invalid="ignore", divide="ignore"):
        np.subtract(n, held, out=w)  # n - m
        np.divide(d, w, out=e)
        np.divide(held, w, out=w)
        w *= held
        wd2 += n * np.einsum("cij,cij->ij", d, e)
        wmd += n * np.einsum("cij,cij->ij", held, e)
        u += n * np.add.reduce(w, axis=0)
        u2 += n * n * np.einsum("cij,cij->ij", w, w)


def _strip(m: int) -> int:
    """How many of m models are taken at a time with all of them."""
    return max(1, min(m, STRIP // m))


def row_blocks(n: int, m: int) -> Iterator[slice]:
    """Slices of n rows of m numbers, each small enough for the processor's cache."""
    step = max(1, BLOCK // max(m, 1))
    return (slice(k, min(k + step, n)) for k in range(0, n, step))
