"""Which model is the best, and how sure that is: words that findings and the index page share."""

from collections import Counter
from collections.abc import Sequence

from reportkit.documents.prose.words import LONGEST, first_of
from reportkit.results import BEST_AND_WORSE
from reportkit.text.numbers import count, counted, percent_of

PAIRED = "one-sided paired tests"  # of means
OVERALL = "one-sided tests of the mean differences"  # of averages
WORSE = "worse"  # of an average, which evals of one direction have


def best_mean(eval: str, lower: bool) -> str:
    """
    >>> best_mean("MATH", True)
    'the lowest (best) mean on MATH'
    """
    return f"the {BEST_AND_WORSE[lower][0]}{' (best)' * lower} mean on {eval}"


def best_average(n_evals: int) -> str:
    """
    >>> best_average(5)
    'the best average over 5 evals'
    """
    return f"the best average over {counted(n_evals, 'eval')}"


def with_averages(n: int, n_models: int) -> str:
    """Behind best_average: which models have one, where not all do.

    >>> with_averages(3, 6), with_averages(6, 6)
    (' of the 3 models with scores on all of them', '')
    """
    return f" of the {count(n)} models with scores on all of them" * (n < n_models)


def is_best(level: float, what: str = "model") -> str:
    """
    >>> is_best(0.9, "model on average")
    'and is the best model on average with 90% confidence'
    """
    return f"and is the best {what} with {percent_of(level)} confidence"


def may_be_best(who: str, n: int, tests: str, worse: str) -> str:
    """who: the n others that may be the best, as words.

    >>> may_be_best("B or C", 2, PAIRED, "lower")
    'but the best model may also be B or C: one-sided paired tests do not find them lower'
    """
    them = "it" if n == 1 else "them"
    return f"but the best model may also be {who}: {tests} do not find {them} {worse}"


def best_of_each(best: Sequence[Sequence[str]], level: float | None) -> str:
    """On how many evals each model is or may be the best. best: the models that may be the best of
    each eval; level: with which confidence the one model of every eval is; None: of some eval more
    than one may be.

    >>> best_of_each([["A"], ["B"], ["A"], ["A"]], 0.95)
    'Each of 4 evals, by itself, has one best model with 95% confidence: A on 3 and B on 1.'
    >>> best_of_each([["A"], ["A", "B"], ["A"], ["A"]], None)
    'Of 4 evals, each by itself, the best may be: A on 4 and B on 1.'
    """
    told = [f"{m} on {count(n)}" for m, n in Counter(m for own in best for m in own).most_common()]
    evals = counted(len(best), "eval")
    lead = f"Of {evals}, each by itself, the best may be"
    if level is not None:
        lead = f"Each of {evals}, by itself, has one best model with {percent_of(level)} confidence"
    return f"{lead}: {first_of(told, what='model', room=LONGEST - len(lead) - 3)}."
