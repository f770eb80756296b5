"""The results that one table or one figure is made of."""

from typing import Any


def analysed(
    scores: Any, settings: Any, decisions: Any, strict: bool, *, whole: bool, asked: str = ""
) -> Any:
    """The evals of some scores, analysed; of a suite (whole) what they say together.

    asked: a table on request that the results are to hold.
    """
    from reportkit.analysis import analyse
    from reportkit.analysis.suite_decided import evals_for, suite_for
    from reportkit.cli.options import opened
    from reportkit.loading.evals import of_those_run

    found = opened(scores, settings, decisions, strict)
    models = found.models_of(decisions.models, decisions.baseline)
    results, decided = [], {}
    chosen = found.chosen(decisions.eval)
    found.check_ranges(chosen, decisions, settings.decisions)
    for name in chosen:
        d = found.decided(decisions, name)
        if asked:
            d = d.asking(asked)
        rows = found.of(name)
        own = of_those_run(d, models, rows.of(name).rows["model"].unique().tolist())
        if own is not None:
            results.append(analyse(rows, own, eval=name)[0])
            decided[results[-1].eval] = own
    return (suite_for if whole else evals_for)(results, decisions, decided)
