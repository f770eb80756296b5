"""Planning with clusters: what they add to a variance, and how many hold so many questions."""

from reportkit.stats.planning.needed import round_up
from reportkit.stats.planning.quantities import given


def clustered_omega_squared(
    omega2: float | None = None,
    icc: float | None = None,
    cluster_size: float | None = None,
    size_cv: float = 0.0,
) -> float:
    """omega^2 to plan with when questions come in clusters: omega^2 [1 + (m-1) icc], m =
    cluster_size (1 + size_cv^2).

    omega2: variance of the true difference over questions, clusters ignored. icc: intraclass
    correlation of the true difference, x_A - x_B (not of the scores). cluster_size: mean questions
    per cluster in the eval that is planned; size_cv: standard deviation of the sizes (divisor G)
    over their mean, so that m = sum m_c^2 / sum m_c (Kish 1965). Answer noise is independent over
    questions and does not grow: give sigma2 as it is. ICCs that would make it negative (below
    -1/(m-1)) are a ValueError.

    >>> round(clustered_omega_squared(0.1, 0.25, 5), 9)   # 0.1 * (1 + 4 * 0.25)
    0.2
    """
    omega2, icc = given("omega2", omega2), given("icc", icc)
    cluster_size = given("cluster_size", cluster_size)
    if omega2 < 0.0 or not cluster_size >= 1.0 or size_cv < 0.0:
        raise ValueError(
            f"omega2={omega2}, cluster_size={cluster_size}, size_cv={size_cv}: variances and "
            "spreads cannot "
            "be negative and a cluster has at least one question"
        )
    effect = 1.0 + (cluster_size * (1.0 + size_cv**2) - 1.0) * icc
    if effect < 0.0 or icc > 1.0:
        raise ValueError(
            f"icc={icc} is impossible for clusters of {cluster_size:g} questions; it is at most "
            "1 and no "
            "lower than -1/(m-1)"
        )
    return omega2 * effect


def clusters_needed(n_questions: float, cluster_size: float | None = None) -> int:
    """Clusters that hold n questions at a mean of cluster_size questions each, rounded up: report
    it beside n.

    >>> clusters_needed(969, 4), clusters_needed(968, 4)
    (243, 242)
    """
    cluster_size = given("cluster_size", cluster_size)
    if not cluster_size >= 1.0 or not n_questions > 0:
        raise ValueError(
            f"{n_questions} questions in clusters of {cluster_size}: give n > 0, and 1 or more "
            "per cluster"
        )
    return round_up(n_questions / cluster_size)
