"""Records -> tables of finished text: which numbers stand in which column, and the notes that
explain them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import pandas as pd

from reportkit.analysis import results_given
from reportkit.analysis.suite import suite_of
from reportkit.decisions import SPECS
from reportkit.decisions.choices import Theme
from reportkit.errors import ScoresError, UnknownNameError, check_keywords, did_you_mean
from reportkit.results import EvalResult, SuiteResult
from reportkit.scores.scores import Scores
from reportkit.tables.cells import Style
from reportkit.tables.correlations import correlation_pairs, correlations
from reportkit.tables.data import data, data_of_several
from reportkit.tables.differences import (
    differences,
    differences_all,
    differences_all_with_dashes,
    differences_with_questions,
    left_to_files,
)
from reportkit.tables.kinds import Kind, on_request
from reportkit.tables.means import clustering, means, no_clusters
from reportkit.tables.paper import paper2, paper3, paper4, paper5
from reportkit.tables.power import no_pairs, one_answer_each, power, power_all, variance
from reportkit.tables.ranks import one_model, ranks
from reportkit.tables.requested.certificate import certificate
from reportkit.tables.requested.clustering_all import clustering_all
from reportkit.tables.requested.common import common
from reportkit.tables.requested.equivalence import equivalence
from reportkit.tables.requested.f1 import f1
from reportkit.tables.requested.macro import macro
from reportkit.tables.requested.other_methods import other_methods
from reportkit.tables.requested.passes import passes
from reportkit.tables.requested.posterior import posterior
from reportkit.tables.requested.regression import regression
from reportkit.tables.requested.scores_compared import scores_compared
from reportkit.tables.requested.simultaneous import simultaneous
from reportkit.tables.requested.strata import strata
from reportkit.tables.several import models_in_columns, stacked
from reportkit.tables.suite import suite
from reportkit.tables.suite.family import suite_differences, suite_overall
from reportkit.tables.suite.ranks import suite_ranks
from reportkit.tables.table import Recipe, Table
from reportkit.tables.writers.render import FORMATS, Format

__all__ = ["FORMATS", "KINDS", "Format", "Kind", "Table", "check_theme", "make_table"]

KINDS: dict[str, Kind] = {
    "means": Kind(
        one=means,
        several=models_in_columns,
        shows="each model's mean score with its standard error and interval",
    ),
    "clustering": Kind(
        one=clustering,
        summarised_from=20,
        instead=no_clusters,
        shows=(
            "how much larger the standard errors are because questions come in clusters, "
            "and how alike the questions of a cluster are (ICC)"
        ),
    ),
    "differences": Kind(
        one=differences,
        several=stacked(differences_with_questions),
        full="differences-all",
        instead=no_pairs,
        shows="how far apart two models are, on the questions that both answered",
    ),
    "differences-all": Kind(
        one=differences_all,
        several=stacked(differences_all_with_dashes),
        aside=True,
        instead=left_to_files,
        shows="every pair of models, each interval by itself, p adjusted over all pairs",
    ),
    "correlations": Kind(
        one=correlations,
        several=stacked(correlation_pairs),
        aside=True,
        instead=no_pairs,
        shows="how much two models get the same questions right",
    ),
    "variance": Kind(
        one=variance,
        summarised_from=20,
        instead=one_answer_each,
        shows=(
            "how much of the error comes from the questions, how much from chance in the "
            "answers; what more answers would buy"
        ),
    ),
    "power": Kind(
        one=power,
        summarised_from=20,
        full="power-all",
        instead=no_pairs,
        shows=(
            "what the eval can detect now, and with more questions or answers; how many "
            "questions a difference of 1, 2 or 5 points needs"
        ),
    ),
    "power-all": Kind(
        one=power_all,
        aside=True,
        shows="the same as power, with every column",
    ),
    "data": Kind(
        one=data,
        several=data_of_several,
        shows="what was read, and what is missing, failed or left out",
    ),
    # Only where they are asked for
    "posterior": on_request(
        "posterior",
        posterior,
        shows=(
            "where each model's share of right answers lies, given the scores, and how "
            "probable it is that one model is better"
        ),
    ),
    "pass": on_request(
        "pass",
        passes,
        shows=(
            "the chance that k answers hold a right one (pass@k), and that all k are right (pass^k)"
        ),
    ),
    "common": on_request(
        "common",
        common,
        shows="the means on the questions that all models answered",
    ),
    "equivalence": on_request(
        "equivalence",
        equivalence,
        shows=(
            "which models are shown to be about as good, and which not to be worse, "
            "within a margin that you declare"
        ),
    ),
    "simultaneous": on_request(
        "simultaneous",
        simultaneous,
        shows="differences with intervals that hold all together",
    ),
    "strata": on_request(
        "strata",
        strata,
        shows=(
            "the mean of each stratum, such as a subject, and over all strata; or the "
            "mean of questions that weigh differently"
        ),
    ),
    "scores-compared": on_request(
        "scores-compared",
        scores_compared,
        shows="next-token probabilities beside sampled answers, and the variance that they save",
    ),
    "clustering-all": on_request(
        "clustering-all",
        clustering_all,
        shows=(
            "standard errors in clusters by other methods, and the mean in which every "
            "cluster weighs the same"
        ),
    ),
    "other-methods": on_request(
        "other-methods",
        other_methods,
        shows="each difference by other methods, for comparison with other work",
    ),
    "f1": on_request(
        "f1",
        f1,
        shows="F1, precision and recall of each model",
    ),
    "regression": on_request(
        "regression",
        regression,
        shows="which properties of a question make it hard",
    ),
    "ranks": Kind(
        one=ranks,
        on_request=True,
        aside=True,
        instead=one_model,
        shows=(
            "the ranks that the data do not rule out, for each model; on request a column "
            "for all together"
        ),
    ),
    "certificate": Kind(
        one=certificate,
        on_request=True,
        shows="how often the printed intervals hold the truth in simulated evals like this one",
    ),
    # Of several evals alone
    "suite": Kind(suite=suite),
    "suite-differences": Kind(suite=suite_differences),
    "suite-overall": Kind(suite=suite_overall),
    "suite-ranks": Kind(suite=suite_ranks),
    "macro": Kind(several=macro),
    # Layouts of Tables 2 to 5 of Miller 2024
    "paper2": Kind(several=paper2),
    "paper3": Kind(several=paper3),
    "paper4": Kind(several=paper4),
    "paper5": Kind(several=paper5),
}


def make_table(
    result: "EvalResult | SuiteResult | Sequence[EvalResult] | pd.DataFrame | Scores",
    kind: str,
    theme: str = "error-bars",
    digits: int | None = None,
    rows: str = "",
    **further: Any,
) -> Table:
    """A table by its name, of one eval or of several; UnknownNameError where there is no such table
    or theme. Of scores (a DataFrame), every eval is analysed with every decision at its default. Of
    results, a table that is made only on request needs the decision `tables` to name it.

    Of several evals, suite and means have a column for each model; the other tables have a column
    for the eval. macro averages each model over several evals. paper2 to paper5 are the
    layouts of Miller 2024, of one eval or of several.
    digits: decimals of scores; None: as the standard errors need them. rows: of the table suite,
    "evals" or "models"; empty: evals, or the models where they are more than 6 and more than the
    evals. further: nothing more is taken, and UnknownNameError says where a decision
    belongs.
    """
    _check_further(further)
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    check_theme(theme)
    style = Style(theme, digits, rows)  # type: ignore[arg-type]
    about = KINDS[kind]
    whole = result if isinstance(result, SuiteResult) else None
    if whole is not None:
        result = whole.evals
    asked = kind if about.on_request else ""
    results = results_given(result, f"table {kind!r}", tables=asked)
    if len({r.level for r in results}) > 1:
        raise ScoresError(
            "evals analysed at different levels make no table; analyse all of them at one level"
        )
    if about.suite is not None:
        return Recipe((whole or suite_of(results),), style, about.make_of_suite).again()
    return Recipe(results, style, about.make).again()


def _check_further(further: Iterable[str]) -> None:
    for name in further:
        if name in SPECS:
            raise UnknownNameError(
                f"make_table takes no {name!r}: analyse does; write result, warnings = "
                f"analyse(scores, {name}=...), and give make_table the result"
            )
    check_keywords("make_table", further, ("theme", "digits", "rows"))


def check_theme(theme: str) -> None:
    if theme not in get_args(Theme):
        raise UnknownNameError(f"no theme {theme!r}{did_you_mean(theme, get_args(Theme))}")
