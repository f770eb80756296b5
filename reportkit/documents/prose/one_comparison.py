"""One comparison of two models as a sentence: difference, interval and p, or that the data do not
settle it.
"""

from reportkit.analysis.best import better_one_sided
from reportkit.documents.prose.words import interval_of, p_words, short_enough, signed
from reportkit.results import DifferenceResult, EvalResult
from reportkit.tables.data_notes import subtracts, why_apart
from reportkit.text.numbers import (
    Units,
    counted,
    percent_of,
    units_of,
)


def sentence(d: DifferenceResult, r: EvalResult) -> str:
    """All that is said of it."""
    if not d.n_questions:
        return (
            f"{d.model} and {d.baseline} have no question in common and cannot be compared in "
            "pairs."
        )
    # told from the higher one, so that signs and words agree
    if d.difference < 0.0 and d.p_adjusted < 1.0 - d.level:
        d = d.turned()
    u, power = units_of(r), next((p.power for p in r.power), 0.8)
    inside, where = interval_and_p(d, r), on_common(d, u)
    if d.p_adjusted < 1.0 - d.level:
        by = u.points(d.difference)
        return f"{d.model} scores higher than {d.baseline} by {by}{where} ({inside})."
    alone = ", taken alone," if r.n_tests > 1 else ""  # the adjustment asks for more
    detect = (
        f" With {percent_of(power)} power{alone} this eval would find a difference of "
        f"{u.points(d.mde)}."
    )
    size = signed(u, d.difference)
    both, where = f"{d.model} against {d.baseline}", f"{where} ({inside})"
    worse = _one_sided(d, r, d.model, d.baseline)
    unsettled = "two-sided tests leave open" if worse else "the data do not settle"
    text = f"{both}: {unsettled} which is better. The difference is {size}{where}."
    texts = [f"{text}{worse}{detect if d.mde == d.mde else ''}", f"{text}{worse}"]
    if worse:  # never left out: the line would deny the best model of the paragraph above it
        text = f"{both}: two-sided tests leave open which is better. The difference is {size}"
        worse = _one_sided(d, r, "the former", "the latter")
        texts[2:] = [f"{text}{where}.{worse}", f"{text}.{worse}"]
    return short_enough(*texts)


def interval_and_p(d: DifferenceResult, r: EvalResult) -> str:
    """Interval and p of a comparison."""
    p = "no p-value"
    if d.p_adjusted == d.p_adjusted:
        p = p_words("adjusted p" if len(r.differences) > 1 else "p", d.p_adjusted, d.level)
    unrounded = "computed before rounding; " * _is_rounded(d, r, units_of(r))
    return f"{unrounded}{interval_words(d, r)}, {p}"


def interval_words(d: DifferenceResult, r: EvalResult) -> str:
    """Its interval in words."""
    interval = interval_of(d, units_of(r))
    if d.ci_low != d.ci_low:
        interval = "no interval"
    # An interval that excludes 0 beside an adjusted p that settles nothing: one of the two is
    # adjusted, the other is not.
    apart = (
        d.ci_comparisons == 1
        and r.n_tests > 1
        and (d.ci_low > 0.0 or d.ci_high < 0.0)
        and not d.p_adjusted < 1.0 - d.level
    )
    return f"{'unadjusted ' * apart}{interval}"


def on_common(d: DifferenceResult, u: Units) -> str:
    """The means that a difference compares, where they are not those of the two models' rows."""
    if not (d.n_only_model or d.n_only_baseline):
        return ""
    means = f"{u.number(d.mean_model)} against {u.number(d.mean_baseline)}"
    return f" on the {counted(d.n_questions, 'question')} that both answered, {means}"


def _is_rounded(d: DifferenceResult, r: EvalResult, u: Units) -> bool:
    """Whether the printed difference is not that of the printed means for rounding alone: of the
    means beside it, or of those in the table.
    """
    if d.n_only_model or d.n_only_baseline:
        return not subtracts(d.mean_model, d.mean_baseline, d.difference, u)
    return why_apart(d, r, u) == "rounding"


def _one_sided(d: DifferenceResult, r: EvalResult, model: str, baseline: str) -> str:
    """Why one of the two, by these names, is not in bold though no two-sided p settles it."""
    found_worse = {m.model for m in r.means if m.may_be_best == "no"}
    names = ((d.model, model), (d.baseline, baseline))
    behind = [(x, said) for x, said in names if x in found_worse]
    if len(behind) != 1 or not {d.model, d.baseline} & {*r.best}:
        return ""
    [(x, said)] = behind
    if len(r.models) == 2:
        alpha = percent_of(1.0 - r.level)
        return f" A one-sided test at the {alpha} level finds {said} {r.worse}."
    than = "" if better_one_sided(r)[x] & {d.model, d.baseline} else " than another model"
    return f" One-sided tests find {said} {r.worse}{than}, so it is not in bold."
