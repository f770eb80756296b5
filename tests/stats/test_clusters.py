"""Labels of clusters as codes, and sums over them, by hand."""

import numpy as np
import pytest

from reportkit.stats.clusters import (
    cluster_codes,
    cluster_means,
    in_clusters,
    row_sums,
    sizes_and_codes,
)


def test_labels_of_any_type_are_codes_in_their_order():
    assert cluster_codes(None, 3) is None
    assert cluster_codes(np.array(["b", "a", "b"]), 3).tolist() == [1, 0, 1]
    assert cluster_codes(np.array([2.5, -1.0, 2.5]), 3).tolist() == [1, 0, 1]
    assert cluster_codes(np.array([-5, 7, 7]), 3).tolist() == [0, 1, 1]
    # Whole numbers from 0 on stay as they are, up to 4 n + 16; 28 of 3 questions is too far.
    assert cluster_codes(np.array([0, 27, 5]), 3).tolist() == [0, 27, 5]
    assert cluster_codes(np.array([0, 28, 5]), 3).tolist() == [0, 2, 1]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            np.array([1.0, np.nan, np.nan]),
            "2 of 3 cluster labels are missing; every question needs one",
        ),
        (
            np.array(["a", None, "b"], dtype=object),
            "some cluster labels are missing; every question needs one",
        ),
        (
            np.array(["a", "b"]),
            "clusters have shape (2,), scores have 3 questions; give one label per question",
        ),
    ],
)
def test_labels_that_are_missing(labels, message):
    with pytest.raises(ValueError) as caught:
        cluster_codes(labels, 3)
    assert str(caught.value) == message


def test_means_of_clusters():
    """p: (1 + 0) / 2; q: 0.25; codes that no question has are no clusters."""
    scores = np.array([1.0, 0.25, 0.0])
    assert cluster_means(scores, np.array(["p", "q", "p"])).tolist() == [0.5, 0.25]
    assert cluster_means(scores, np.array([3, 1, 3])).tolist() == [0.25, 0.5]
    assert cluster_means(scores, None) is scores


def test_questions_of_a_cluster_together():
    order, rank, sizes = in_clusters(np.array([4, 1, 4, 1, 1]), 5)
    assert (order.tolist(), rank.tolist(), sizes.tolist()) == (
        [1, 3, 4, 0, 2],
        [0, 0, 0, 1, 1],
        [3, 2],
    )
    order, rank, sizes = in_clusters(np.array([1, 1, 4]), 3)
    assert order is None and (rank.tolist(), sizes.tolist()) == ([0, 0, 1], [2, 1])
    order, rank, sizes = in_clusters(None, 2)
    assert order is None and (rank.tolist(), sizes.tolist()) == ([0, 1], [1, 1])


def test_sums_of_the_rows_of_each_cluster():
    x = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    assert row_sums(x, np.array([0, 0, 1])).tolist() == [[3.0, 30.0], [3.0, 30.0]]
    assert row_sums(x, np.array([0, 1, 2])).tolist() == x.tolist()


def test_sizes_of_clusters():
    sizes, codes = sizes_and_codes(np.array([7, 2, 7, 7]), 4)
    assert (sizes.tolist(), codes.tolist()) == ([1, 3], [1, 0, 1, 1])
    with pytest.raises(ValueError, match="there are no questions; give a score and a label for"):
        sizes_and_codes(np.array([]), 0)
