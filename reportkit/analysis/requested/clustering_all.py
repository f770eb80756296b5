"""Everything that clusters can be said to do to a mean, beside what every report prints."""

import math

import numpy as np

from reportkit import stats
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import ClusteringResult
from reportkit.scores.select import is_share
from reportkit.stats.clusters import cluster_means


def clustering_all(q: Request) -> tuple[ClusteringResult, ...]:
    """Of each model with a score: other clustered standard errors, how many clusters the SE rests
    on, and the mean in which every cluster weighs the same.
    """
    e = q.scores
    if e.clusters is None:
        raise Refused(
            "No table of clusters is made, since none are declared; name the field that groups "
            "the questions, such as --cluster passage."
        )
    crossed = None
    if q.decisions.crossed:
        labels = q.field(q.decisions.crossed, "cluster").astype(str)
        crossed = np.unique(labels, return_inverse=True)[1]
    columns = e.scored
    return tuple(_of_model(q, column, e.clusters, crossed) for column in columns)


def _of_model(
    q: Request, column: int, every: np.ndarray, crossed: np.ndarray | None
) -> ClusteringResult:
    e, level = q.scores, q.decisions.level
    here = e.epochs[:, column] > 0
    scores, clusters = e.means[here, column], every[here]
    ours = stats.mean_estimate(scores, clusters)
    effect = stats.design_effect(scores, clusters)
    of_clusters = stats.cluster_weighted_mean(scores, clusters)
    interval = stats.mean_interval(
        cluster_means(scores, clusters), share=is_share(e.low, e.high), level=level
    )
    two_way, df, negative = math.nan, math.nan, ""
    if crossed is not None:
        found = stats.two_way_se(scores, clusters, crossed[here])
        two_way, df = found.estimate.se, found.estimate.df
        negative = "yes" if found.negative else "no"
    return ClusteringResult(
        model=e.models[column],
        mean=ours.value,
        se=ours.se,
        df=ours.df,
        se_cr3=stats.mean_estimate(scores, clusters, se="cr3").se,
        se_paper=stats.mean_estimate(scores, clusters, se="paper").se,
        se_two_way=two_way,
        df_two_way=df,
        negative=negative,
        icc=effect.icc,
        kish=effect.kish,
        n_clusters=ours.n_clusters,
        effective=stats.effective_clusters(clusters).effective,
        cluster_mean=of_clusters.value,
        cluster_se=of_clusters.se,
        cluster_df=of_clusters.df,
        cluster_low=interval.low,
        cluster_high=interval.high,
        level=level,
        method=interval.method,
        n_questions=ours.n_questions,
    )
