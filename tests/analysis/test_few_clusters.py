"""The warning that standard errors rest on few clusters, and at how many degrees of freedom."""

import numpy as np
import pytest
from support.scores_made import frame_of

from reportkit.analysis import analyse


def warnings_with(clusters: int) -> dict[str, str]:
    """An eval of clusters of three questions: of one size, so that df is their number less one."""
    rng = np.random.default_rng(clusters)
    scores = rng.normal(50, 9, (2, 3 * clusters)).round()
    names = np.repeat([f"c{g}" for g in range(clusters)], 3)
    result, warnings = analyse(frame_of(scores, names))
    assert [round(m.df, 6) for m in result.means] == [clusters - 1] * 2
    return {w.code: w.message for w in warnings}


@pytest.mark.parametrize("clusters", [4, 6, 8, 10])
def test_below_ten_degrees_of_freedom_a_report_says_so(clusters):
    """Pustejovsky & Tipton 2018 doubt t intervals on fewer; 5 to 9 are as much below as 3."""
    message = warnings_with(clusters)["few-clusters"]
    assert f"few clusters: {clusters}, with {clusters - 1}.0 degrees of freedom" in message


@pytest.mark.parametrize("clusters", [12, 20])
def test_with_more_it_does_not(clusters):
    assert "few-clusters" not in warnings_with(clusters)


def test_questions_without_clusters_are_no_few_clusters():
    _, warnings = analyse(frame_of(np.array([[1.0, 5, 3, 8], [2, 2, 9, 4]])))
    assert "few-clusters" not in {w.code for w in warnings}
