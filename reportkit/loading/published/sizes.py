"""How many questions the eval of each mean has."""

from collections.abc import Iterable
from dataclasses import replace

from reportkit.errors import ScoresError, did_you_mean
from reportkit.loading.published.options import CheckOptions
from reportkit.published import Printed, PublishedMean


def with_sizes(means: Iterable[PublishedMean], options: CheckOptions) -> Iterable[PublishedMean]:
    """Means with the number of questions: as printed, as the user says, or as another row of the
    eval has it, where all that have one agree.
    """
    means = list(means)
    said = _named_sizes(means, options)
    of_rows: dict[str, dict[Printed, Printed]] = {}  # as first printed, by what is printed
    for m in means:
        if m.n is not None:
            of_rows.setdefault(m.eval, {}).setdefault(replace(m.n, text=""), m.n)
    for m in means:
        known = of_rows.get(m.eval, {})
        if m.n is None and m.eval in said:
            m = replace(m, n=Printed(said[m.eval], float(said[m.eval]), 1.0))
        elif m.n is None and len(known) == 1:
            m = replace(m, n=next(iter(known.values())))
        yield m


def _named_sizes(means: Iterable[PublishedMean], options: CheckOptions) -> dict[str, str]:
    """What the user says, by eval; HumanEval names HumanEval (0-shot) too."""
    evals = list(dict.fromkeys(m.eval for m in means))
    found: dict[str, str] = {}
    for name, number in options.sizes().items():
        meant = [e for e in evals if name in (e, e.partition("(")[0].strip())]
        if not meant:
            raise ScoresError(f"no eval {name!r} in the table{did_you_mean(name, evals)}")
        found |= dict.fromkeys(meant, number)
    return found
