"""Columns of the rows as arrays: codes of texts, and answers by question and model."""

import numpy as np
import pandas as pd


def codes_of(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """The place of each text among those that there are, (n,), and these in their order."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        # of Arrow's texts it takes longer
        column = pd.Series(column.to_numpy(dtype=object), dtype=object)
    codes, found = pd.factorize(column)
    texts = np.asarray(found, dtype=object)
    order = texts.argsort()
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[codes], texts[order]


def by_question(
    q: np.ndarray, m: np.ndarray, score: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, variance and number of the answers of each question (rows) and model (columns).

    q, m: (n,) codes of each answer's question and model; score: (n,), nan where there is none.
    """
    scored = ~np.isnan(score)
    cell = (q * shape[1] + m)[scored]
    size = shape[0] * shape[1]
    epochs = np.bincount(cell, minlength=size)
    sums = np.bincount(cell, weights=score[scored], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / epochs
        squares = np.bincount(cell, weights=(score[scored] - means[cell]) ** 2, minlength=size)
        variances = np.where(epochs > 1, squares / (epochs - 1), np.nan)
    return means.reshape(shape), variances.reshape(shape), epochs.reshape(shape)
