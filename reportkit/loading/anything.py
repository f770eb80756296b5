"""Whatever a user has, as Scores: a DataFrame, Scores, or paths of logs and tables."""

import os

import pandas as pd

from reportkit.errors import ScoresError
from reportkit.loading.read import Paths, load_scores
from reportkit.loading.reading import Reading
from reportkit.scores import validation
from reportkit.scores.frames import FORMS, scores_of
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores
from reportkit.scores.validation import Violation


def any_scores(scores: "pd.DataFrame | Scores | Paths", eval: str = "") -> Scores:
    """Scores; a DataFrame as frames.scores_of takes it; or one or more paths and URLs as
    read_scores takes them. eval: of a DataFrame without a column for it, the eval's name.
    """
    if is_frame(scores):
        return scores_of(scores, eval)
    if not isinstance(scores, str | os.PathLike | list | tuple):
        kind = type(scores)
        if hasattr(scores, "to_pandas"):  # of polars, pyarrow and the like
            library = kind.__module__.split(".")[0]
            raise ScoresError(f"scores are a {kind.__name__} of {library}: give its to_pandas()")
        raise ScoresError(f"scores are of type {kind.__name__}: give paths; or {FORMS}")
    if isinstance(scores, list | tuple):
        others = [type(s).__name__ for s in scores if not isinstance(s, str | os.PathLike)]
        if others:
            raise ScoresError(
                f"scores are a list in which one is of type {others[0]}: give paths; or {FORMS}"
            )
    return load_scores(scores, Reading())


def validate(scores: "pd.DataFrame | Scores | Paths") -> list[Violation]:
    """Every rule that the rows of each eval break together: repeated rows, clusters and questions
    that disagree. Raises ScoresError where a row by itself breaks a rule.
    """
    return validation.validate(any_scores(scores))
