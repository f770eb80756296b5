"""Every number of the pairs of a published table, at a level of 90%, by scipy and statsmodels; and
that the unit of a table decides nothing.
"""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.optimize import brentq
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest
from support.published_tables import checked

from reportkit.documents.prose.checked_pairs import conclusion_lines
from reportkit.tables.published import make_checked

LEVEL = 0.9
Z = scipy_stats.norm.isf((1 - LEVEL) / 2)
CORRELATIONS = (0.2, 0.6)
N = {"one": 200, "two": 160, "three": 240}
RIGHT = {"one": 150, "two": 108, "three": 141}


def approx(x):
    return pytest.approx(x, rel=1e-6, nan_ok=True)


def p_of(difference: float, se: float) -> float:
    return float(2 * scipy_stats.norm.sf(abs(difference) / se))


def table(cells: dict[str, str], heads: str) -> str:
    rows = "".join(f"QA,{model},{cell},{N[model]}\n" for model, cell in cells.items())
    return f"eval,model,mean,{heads},n\n{rows}"


def printed(p: float, unit: float) -> str:
    return f"{100 * p:.2f}%" if unit == 100.0 else f"{p:.4f}"


def errors(unit: float) -> tuple[str, dict[str, float]]:
    """75%, 67.5% and 58.75%, and half of an interval each over z, as printed."""
    ses = {model: round(math.sqrt(p * (1 - p) / N[model]), 4) for model, p in shares().items()}
    cells = {m: f"{printed(p, unit)},{printed(ses[m], unit)}" for m, p in shares().items()}
    return table(cells, "se"), ses


def intervals(unit: float) -> tuple[str, dict[str, float]]:
    """The error of an interval is half of it over z of the level that was said."""
    cells, ses = {}, {}
    for model, p in shares().items():
        half = round(Z * math.sqrt(p * (1 - p) / N[model]), 4)
        cells[model] = ",".join(printed(x, unit) for x in (p, p - half, p + half))
        ses[model] = half / Z
    return table(cells, "ci_low,ci_high"), ses


def alone(unit: float) -> tuple[str, dict[str, float]]:
    """Without an error: the largest that so many scores can have, of right and wrong answers."""
    ses = {m: math.sqrt(p * (1 - p) / (N[m] - 1)) for m, p in shares().items()}
    rows = "".join(f"QA,{m},{printed(p, unit)},{N[m]}\n" for m, p in shares().items())
    return f"eval,model,mean,n\n{rows}", ses


def shares() -> dict[str, float]:
    return {model: RIGHT[model] / N[model] for model in N}


@pytest.mark.parametrize("unit", [100.0, 1.0])
@pytest.mark.parametrize("printed_as", [errors, intervals, alone])
def test_every_number_of_a_pair(printed_as, unit, tmp_path):
    text, ses = printed_as(unit)
    c = checked(tmp_path, text, level=LEVEL, correlations="0.2,0.6")
    pairs = [("one", "two"), ("one", "three"), ("two", "three")]
    assert [(p.model, p.baseline) for p in c.pairs] == pairs
    p_values = []
    for (a, b), p in zip(pairs, c.pairs, strict=True):
        d, se = shares()[a] - shares()[b], math.hypot(ses[a], ses[b])
        p_values.append(p_of(d, se))
        assert (p.difference, p.se, p.level) == (approx(unit * d), approx(unit * se), LEVEL)
        assert (p.ci_low, p.ci_high) == approx((unit * (d - Z * se), unit * (d + Z * se)))
        assert (p.z, p.p_value) == (approx(d / se), approx(p_values[-1]))
        assert (p.correlation_low, p.correlation_high) == CORRELATIONS
        low, high = (paired(ses[a], ses[b], r) for r in CORRELATIONS)
        assert (p.se_paired_low, p.se_paired_high) == approx((unit * low, unit * high))
        assert (p.p_paired_low, p.p_paired_high) == approx((p_of(d, low), p_of(d, high)))
        # the correlation at which p is 10%, by a search
        needed = brentq(lambda r, a=a, b=b, d=d: p_of(d, paired(ses[a], ses[b], r)) - 0.1, -9, 0.99)
        assert p.correlation_needed == approx(max(-1.0, needed))
        assert_counts(p, a, b, unit)
    assert [p.p_adjusted for p in c.pairs] == approx(multipletests(p_values, method="holm")[1])


def paired(a: float, b: float, r: float) -> float:
    return math.sqrt(a * a + b * b - 2 * r * a * b)


def assert_counts(p, a: str, b: str, unit: float) -> None:
    """Of the numbers of right answers that the means stand for."""
    counts = np.array([[RIGHT[m], N[m] - RIGHT[m]] for m in (a, b)])
    assert p.fisher_p == approx(scipy_stats.fisher_exact(counts).pvalue)
    assert p.pooled_p == approx(proportions_ztest(counts[:, 0], counts.sum(axis=1))[1])
    odds = scipy_stats.contingency.odds_ratio(counts)
    ends = odds.confidence_interval(LEVEL)
    assert (p.odds_ratio, p.odds_low, p.odds_high) == approx((odds.statistic, ends.low, ends.high))
    newcombe = confint_proportions_2indep(
        RIGHT[a], N[a], RIGHT[b], N[b], method="newcomb", alpha=1 - LEVEL
    )
    assert (p.newcombe_low, p.newcombe_high) == approx((unit * newcombe[0], unit * newcombe[1]))


def test_an_interval_has_the_level_that_is_printed_with_it(tmp_path):
    """In a check at 95% an interval of 90% is 1.645 errors to each side."""
    text = 'eval,model,mean,90% CI\nQA,A,65.0%,"(61.71%, 68.29%)"\nQA,B,60.0%,"(58%, 62%)"\n'
    [pair] = checked(tmp_path, text).pairs
    assert pair.level == 0.95
    assert pair.se == approx(math.hypot(3.29, 2.0) / Z)


@pytest.mark.parametrize(
    ("eval", "more", "counts"),
    [("QA", ",", "53"), ("QA", ",binary", "53"), ("QA", "20,", ""), ("DROP", ",", "")],
)
def test_which_means_are_counts(eval, more, counts, tmp_path):
    """53 of 100, unless the scores are in clusters, or those of an eval are known to be fractions
    (F1 of DROP).
    """
    text = f"eval,model,mean,n,clusters,scores\n{eval},A,53.0%,100,{more}\n"
    [mean] = checked(tmp_path, text).means
    assert mean.counts == counts


@pytest.mark.parametrize(("n", "found"), [("1000", ["se-maximum"]), ("1K", []), ("1.0K", []),
                                          ("1.00K", ["se-maximum"])])  # fmt: skip
def test_a_rounded_number_of_questions_may_be_a_smaller_one(n, found, tmp_path):
    """The most is .5 / sqrt(n - 1): 1.58 points of 1,000 questions, 1.59 of 995, 1.62 of 950, 2.24
    of 500.
    """
    se = "2.2%" if n == "1K" else "1.62%"
    c = checked(tmp_path, f"eval,model,mean,se,n\nQA,A,50.0%,{se},{n}\n")
    assert [f.code for f in c.findings] == found


def test_equal_means_whose_errors_round_to_0(tmp_path):
    """No difference, so p is 1; with errors next to nothing a digit more may settle it."""
    text = "eval,model,mean,se\nQA,A,50.0,0.0\nQA,B,50.0,0.0\n"
    [pair] = checked(tmp_path, text).pairs
    assert (pair.difference, pair.se, pair.p_value) == (0.0, 0.0, 1.0)
    assert pair.settled == "rounding"


# What digits leave open -----------------------------------------------------------------------


def with_errors(means: np.ndarray, ses: np.ndarray, digits: int):
    """Heads, cells, and the two ends of each error: rounded to it, or cut off to it."""
    unit = 10.0**-digits
    cells = [f"{m:.{digits}f},{s:.{digits}f}" for m, s in zip(means, ses, strict=True)]
    return "mean,se", cells, [(max(1e-9, s - unit / 2), s + unit) for s in ses]


def with_intervals(means: np.ndarray, ses: np.ndarray, digits: int):
    """Half an interval is short by three quarters of a unit, or long: one end was rounded by half a
    unit, the other cut off by one.
    """
    unit, z = 10.0**-digits, scipy_stats.norm.isf(0.025)
    halves = np.maximum(np.round(z * ses, digits), unit)
    cells = [
        ",".join(f"{x:.{digits}f}" for x in (m, m - h, m + h))
        for m, h in zip(means, halves, strict=True)
    ]
    ends = [(max(1e-9, h - 0.75 * unit) / z, (h + 0.75 * unit) / z) for h in halves]
    return "mean,ci_low,ci_high", cells, ends


@pytest.mark.parametrize(("digits", "scale"), [(0, 1.0), (1, 1.0), (2, 0.01), (3, 0.01)])
@pytest.mark.parametrize("printed_as", [with_errors, with_intervals])
def test_a_verdict_is_that_of_every_number_the_digits_allow(printed_as, digits, scale, tmp_path):
    """p of all numbers that the digits allow is below 5%, or of none, or it depends on them."""
    rng = np.random.default_rng(11)
    unit, seen = 10.0**-digits, set()
    for _ in range(40):
        means = np.round(rng.uniform(40 * scale, 49 * scale, 2), digits)
        ses = np.round(rng.uniform(0.6 * scale, 2.4 * scale, 2), digits)
        heads, cells, ends = printed_as(means, ses, digits)
        rows = "".join(f"QA,{name},{cell}\n" for name, cell in zip("AB", cells, strict=True))
        [pair] = checked(tmp_path, f"eval,model,{heads}\n{rows}").pairs
        gap = abs(means[0] - means[1])
        gaps = max(0.0, gap - unit), gap + unit
        found = [p_of(gap, math.hypot(*errors)) for gap, errors in product(gaps, product(*ends))]
        verdict = "rounding"
        if max(found) < 0.05 or min(found) >= 0.05:
            verdict = "yes" if max(found) < 0.05 else "no"
        assert pair.settled == verdict, cells
        seen.add(verdict)
    assert len(seen) > 1


# Digits that are not printed ----------------------------------------------------------------------

DROP = "eval,A,B\nDROP,88.3% ({}%),87.4% ({}%)\n"


def grid(a: tuple[float, float], b: tuple[float, float], r: float) -> tuple[float, float]:
    """The smallest and the largest p of means 88.3 and 87.4, both rounded or both cut off, over a
    grid of what the two errors may have been.
    """
    d, x, y = np.meshgrid((0.8, 0.9, 1.0), np.linspace(*a, 61), np.linspace(*b, 61))
    found = 2 * scipy_stats.norm.sf(d / np.sqrt(np.maximum(1e-12, x * x + y * y - 2 * r * x * y)))
    return float(found.min()), float(found.max())


@pytest.mark.parametrize(
    ("a", "b", "spans", "said"),
    [
        # as printed p = .016 at .3; cut off .4 and .34 it is .069
        ("0.3", "0.33", ((0.25, 0.4), (0.325, 0.34)), ("rounding", "yes")),
        ("0.30", "0.33", ((0.295, 0.31), (0.325, 0.34)), ("yes", "yes")),
        ("0.5", "0.6", ((0.45, 0.6), (0.55, 0.7)), ("no", "rounding")),
        ("0.9", "0.9", ((0.85, 1.0), (0.85, 1.0)), ("no", "no")),
        ("0.4", "0.5", ((0.35, 0.5), (0.45, 0.6)), ("rounding", "rounding")),
    ],
)
def test_a_paired_statement_holds_whatever_the_digits_were(a, b, spans, said, tmp_path):
    [p] = checked(tmp_path, DROP.format(a, b)).pairs
    found = []
    for r in (0.3, 0.7):
        low, high = grid(*spans, r)
        found.append("yes" if high < 0.05 else "no" if low >= 0.05 else "rounding")
    assert (p.settled_paired_low, p.settled_paired_high) == said == tuple(found)


@pytest.mark.parametrize(
    ("a", "b", "spans", "text"),
    [
        ("0.3", "0.33", ((0.25, 0.4), (0.325, 0.34)), "0.41"),  # .4007; as printed -.06
        ("0.30", "0.33", ((0.295, 0.31), (0.325, 0.34)), "0.22"),  # .2139
        ("0.20", "0.25", ((0.195, 0.21), (0.245, 0.26)), "−0.50"),  # -.5027
        ("0.10", "0.10", ((0.095, 0.11), (0.095, 0.11)), "any"),
        ("0.1", "3.0", ((0.05, 0.2), (2.95, 3.1)), "—"),
    ],
)
def test_the_correlation_that_a_pair_needs_will_do_whatever_the_digits_were(
    a, b, spans, text, tmp_path
):
    """At the printed one every p of the grid is below .05, and .02 before it one is not."""
    c = checked(tmp_path, DROP.format(a, b))
    table = make_checked(c, "checked-paired")
    assert str(table.cells[0][-1]) == text
    if text == "any":
        assert c.pairs[0].correlation_enough == -1.0
        assert grid(*spans, -1.0)[1] < 0.05
    elif text == "—":
        assert grid(*spans, 1.0)[1] >= 0.05
        assert any("no correlation up to 1 is sure to do" in str(note) for note in table.notes)
    else:
        r = float(text.replace("−", "-"))
        assert grid(*spans, r)[1] < 0.05 <= grid(*spans, r - 0.02)[1]


def test_what_a_paired_analysis_could_show_is_told_by_what_the_digits_allow(tmp_path):
    text = (
        "eval,A,B\nONE,88.3% (0.30%),87.4% (0.33%)\nTWO,88.3% (0.3%),87.4% (0.33%)\n"
        "THREE,88.30% (0.500%),87.40% (0.500%)\nFOUR,88.3% (0.5%),87.4% (0.6%)\n"
        "FIVE,88.3% (0.9%),87.4% (0.9%)\n"
    )
    assert conclusion_lines(checked(tmp_path, text))[1:6] == [
        "A paired analysis of the same questions would tell apart, each pair by itself, already at "
        "a correlation of 0.3: A and B on ONE.",
        "At 0.7, while at 0.3 it depends on rounding, it would tell apart: A and B on TWO.",
        "At 0.7, but not at 0.3, it would tell apart: A and B on THREE.",
        "Whether it would tell apart at 0.7 depends on rounding: A and B on FOUR.",
        "A paired analysis would not settle, at any correlation up to 0.7: A and B on FIVE.",
    ]
    alone = [
        (
            text.splitlines()[2],
            "A paired analysis of the same questions would tell apart, each pair by itself, at a "
            "correlation of 0.7, while at 0.3 it depends on rounding: A and B on TWO.",
        ),
        (
            text.splitlines()[4],
            "Whether a paired analysis of the same questions would tell apart at "
            "a correlation of 0.7 depends on rounding: A and B on FOUR.",
        ),
    ]
    for row, said in alone:
        assert said in conclusion_lines(checked(tmp_path, f"eval,A,B\n{row}\n"))
