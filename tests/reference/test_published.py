"""Published analyses done again from published numbers or answers: Ivanova et al. 2024, tau-bench,
Miller 2024's slips.

Ivanova, Ilievski & Konstantinov 2024, "Towards more rigorous evaluations of language models",
re-analysed Table 1 of GSM-Symbolic (Mirzadeh et al. 2024). Means and standard errors that sources
publish are in test_reference.py, worked numbers of the formulas in test_worked_numbers.py; neither
is repeated here.
"""

import csv
import functools
import itertools
import json
import math

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats
from support.places import DATA, needs

from reportkit import read_scores, select, stats
from reportkit.stats import Estimate
from reportkit.stats.exact import (
    fisher_exact_p_value,
    fisher_odds_ratio_interval,
    two_proportion_z,
    wilcoxon_p_value,
)
from reportkit.stats.regression import logistic_regression
from reportkit.stats.repeats import pass_at_k, pass_hat_k

shared = needs(DATA)


def note(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


# GSM-Symbolic, Table 1: 100 questions of GSM8K and 50 x 100 made from them ------------------------


@functools.cache
def table_1() -> dict[str, dict[str, str]]:
    with open(DATA / "gsm_symbolic_table1.csv", encoding="utf-8", newline="") as lines:
        return {row["model"]: row for row in csv.DictReader(lines)}


def counts(model: str) -> tuple[int, int, int, int]:
    """Right of 100 and right of 5,000."""
    row = table_1()[model]
    return (
        round(float(row["gsm8k_100_percent"])),
        100,
        round(50 * float(row["gsm_symbolic_mean_percent"])),
        5000,
    )


@shared
def test_fisher_p_values_of_25_models():
    """The note's four digits, and the post's claim: four significant, Llama3-8b alone better on
    GSM-Symbolic.
    """
    (claim,) = (c for c in note("gsm_symbolic_table1")["claims_checked"] if "p_values" in c)
    assert len(claim["p_values"]) == len(table_1()) == 25
    significant = {}
    for model, expected in claim["p_values"].items():
        table = counts(model)
        p = fisher_exact_p_value(*table)
        assert f"{p:.3e}" == f"{expected:.3e}", model
        right, n, symbolic, m = table
        scipys = scipy_stats.fisher_exact([[right, n - right], [symbolic, m - symbolic]])
        assert p == pytest.approx(scipys.pvalue, rel=1e-9)
        assert (p < 0.05) == (table_1()[model]["seed_says_significant_two_sided_5pct"] == "True"), (
            model
        )
        ratio = fisher_odds_ratio_interval(*table)
        if p < 0.05:
            significant[model] = "worse" if ratio.estimate > 1.0 else "better"
            assert ratio.interval.low > 1.0 or ratio.interval.high < 1.0
    assert significant == {
        "Gemma-7b": "worse",
        "Mistral-7b-instruct-v0.1": "worse",
        "Phi-2": "worse",
        "Llama3-8b": "better",
    }


@shared
def test_25_tests_need_an_adjustment():
    """1.25 false alarms are expected of 25 tests at 5%. By Holm only Gemma-7b stays."""
    names = list(table_1())
    p = np.array([fisher_exact_p_value(*counts(m)) for m in names])
    assert [m for m, adjusted in zip(names, stats.holm(p), strict=True) if adjusted < 0.05] == [
        "Gemma-7b"
    ]


@shared
@pytest.mark.parametrize("model", ["Gemma-7b", "Phi-2", "GPT-4o", "o1-preview"])
def test_pooled_z_of_the_same_tables(model):
    """The post's formula written out: p = (100 p_8K + 5000 p_S) / 5100, SE = sqrt(p (1-p) (1/100 +
    1/5000)).
    """
    right, _, symbolic, _ = counts(model)
    p8, ps = right / 100, symbolic / 5000
    p = (100 * p8 + 5000 * ps) / 5100
    found = two_proportion_z(*counts(model))
    assert found.z == pytest.approx(
        (p8 - ps) / math.sqrt(p * (1 - p) * (1 / 100 + 1 / 5000)), rel=1e-12
    )
    assert found.p_value == pytest.approx(math.erfc(abs(found.z) / math.sqrt(2)), rel=1e-12)


@shared
@pytest.mark.parametrize(
    ("subset", "two_sided", "one_sided", "printed"),
    [
        ("largest", 0.046875, 0.0234375, "0.047 0.023"),
        ("smallest", 0.078125, 0.0390625, "0.078 0.039"),
    ],
)
def test_wilcoxon_over_seven_models(subset, two_sided, one_sided, printed):
    """Sums of negative ranks 2 and 3 of 7: 3 and 5 of 128 ways to sign them; two-sided twice."""
    rows = [row for row in table_1().values() if row[f"in_{subset}_subset"] == "True"]
    d = np.array(
        [float(row["gsm8k_100_percent"]) - float(row["gsm_symbolic_mean_percent"]) for row in rows]
    )
    assert len(d) == 7
    assert (wilcoxon_p_value(d), wilcoxon_p_value(d, "greater")) == (two_sided, one_sided)
    # 0.0234375 and 0.0390625 are printed as 0.023 and 0.039
    assert f"{two_sided:.3f} {one_sided:.3f}" == printed


def test_wilcoxon_of_seven_models_that_all_fall():
    """GSM-NoOp: every model worse, 1 of 128 and twice that; printed 0.008 and 0.016. Nothing
    smaller is possible.
    """
    d = np.arange(1.0, 8.0)
    assert (f"{wilcoxon_p_value(d, 'greater'):.3f}", f"{wilcoxon_p_value(d):.3f}") == (
        "0.008",
        "0.016",
    )


@shared
@pytest.mark.parametrize(
    ("model", "right", "wilson", "exact"),
    [
        ("Llama3-8b-instruct", 74, "(64.6, 81.6)", "(64.3, 82.3)"),
        ("GPT-4o", 95, "(88.8, 97.8)", "(88.7, 98.4)"),
    ],
)
def test_intervals_of_100_questions(model, right, wilson, exact):
    """The post's Wilson intervals; its Clopper-Pearson ones, "slightly wider", stand in a figure:
    here by scipy.
    """
    assert counts(model)[0] == right

    def shown(interval) -> str:
        return f"({100 * interval.low:.1f}, {100 * interval.high:.1f})"

    assert shown(stats.wilson_interval(right, 100)) == wilson
    assert shown(stats.clopper_pearson_interval(right, 100)) == exact
    by_scipy = scipy_stats.binomtest(right, 100).proportion_ci(method="exact")
    assert shown(by_scipy) == exact


@shared
def test_a_printed_interval_gives_its_count_away():
    """To one decimal, the Wilson intervals of 0 to 100 right of 100 all differ: the nine counts
    recovered that way.
    """
    printed = {}
    for k in range(101):
        i = stats.wilson_interval(k, 100)
        printed.setdefault(f"{100 * i.low:.1f} {100 * i.high:.1f}", []).append(k)
    assert len(printed) == 101
    recovered = {
        "Gemma2-2b-it": 46,
        "Gemma2-9b-it": 87,
        "Phi-2": 53,
        "Phi-3-mini-128k-instruct": 85,
        "Phi-3-medium-128k-instruct": 89,
        "Mistral-7b-instruct-v0.1": 42,
        "Mathstral-7b-v0.1": 80,
        "o1-mini": 93,
        "o1-preview": 96,
    }
    assert {m: counts(m)[0] for m in recovered} == recovered


# Additions: logit P(correct) = b_0 + b_1 total_digits + b_2 carry, two models on 3,067 sums
# (appendix of the post) -------

# coefficients, standard errors, z, and null deviance, residual deviance, AIC as R printed them
ADDITIONS = {
    "Llama-3-8B-Instruct": (
        [7.35210, -0.41672, -0.21252], [0.47409, 0.04859, 0.07575], [15.508, -8.576, -2.806],
        (1125.63, 922.02, 928.02), "203.6", 2929,
    ),
    "Phi-3.5-mini-Instruct": (
        [3.95149, -0.25747, -0.02325], [0.17593, 0.02249, 0.04907], [22.460, -11.447, -0.474],
        (2460.8, 2217.8, 2223.8), "243.0", 2644,
    ),
}  # fmt: skip


@pytest.mark.parametrize("model", ADDITIONS)
def test_printed_regressions_hang_together(model):
    """z = b / se, AIC = deviance + 2 * 3, LR = null - residual; p of carry .005 and .636, of LR
    exp(-LR/2).
    """
    b, se, z, (null, residual, aic), lr, _ = ADDITIONS[model]
    # what rounding b and se to five decimals allows
    assert np.array(b) / se == pytest.approx(z, abs=3e-3)
    assert residual + 2 * 3 == pytest.approx(aic, abs=1e-9)
    assert f"{null - residual:.1f}" == lr


@pytest.mark.parametrize("model", ADDITIONS)
def test_null_deviance_gives_the_number_of_right_answers(model):
    """Of all counts of 3,067, only 2,929 and 2,644 right answers (above half) have the printed null
    deviance.
    """
    (null, _, _), right = ADDITIONS[model][3], ADDITIONS[model][5]
    digits = len(repr(null).partition(".")[2])
    share = np.arange(1534, 3067) / 3067
    deviance = 2 * 3067 * (special.entr(share) + special.entr(1 - share))
    assert (1534 + np.flatnonzero(np.round(deviance, digits) == null)).tolist() == [right]
    y = np.repeat([1.0, 0.0], [right, 3067 - right])
    fit = logistic_regression(y, np.empty((3067, 0)))
    assert round(-2 * fit.log_likelihood_null, digits) == round(fit.aic - 2, digits) == null
    assert special.expit(fit.coefficients[0]) == pytest.approx(right / 3067, rel=1e-12)


def sums() -> np.ndarray:
    """total_digits and carry of 512 random sums for each of 1 to 6 digits, cut to 3,067: our guess
    at the design.
    """
    rng = np.random.default_rng(6)
    rows = []
    for digits in range(1, 7):
        for a, b in rng.integers(10 ** (digits - 1), 10**digits, (512, 2)).tolist():
            carry = carries = 0
            for place in range(digits):
                carry = (a // 10**place % 10 + b // 10**place % 10 + carry) // 10
                carries += carry
            rows.append((2 * digits, carries))
    return np.array(rows[:3067], dtype=float)


@pytest.mark.parametrize("model", ADDITIONS)
def test_regression_on_sums_like_theirs(model):
    """Their answers are not published. Answers drawn from their fit on such sums give it back:
    coefficients within three of their errors, and errors within 15% of theirs.
    """
    b, se, *_ = ADDITIONS[model]
    x = sums()
    y = np.random.default_rng(11).random(len(x)) < special.expit(b[0] + x @ b[1:])
    fit = logistic_regression(y, x, names=["total_digits", "carry"])
    assert fit.names == ("intercept", "total_digits", "carry")
    assert (np.abs(fit.coefficients - b) < 3 * np.array(se)).all()
    assert fit.se == pytest.approx(se, rel=0.15)
    # chi2(2) by hand
    assert fit.lr_df == 2 and fit.lr_p_value == pytest.approx(math.exp(-fit.lr_chi2 / 2), rel=1e-9)


# Templates: a question and its variants, the paired analysis --------------------------------------


def test_templates_by_hand():
    """One answer to the question, two to its variants, three templates: always wrong, right half
    the time, always right.

    t_i = x_i - mean_j x_ij is 0 for the first and last, and t for the second: the mean t/3 has
    variance Var(t)/9 = (1/4 + 1/8)/9 = 1/24. Over the eight equally likely outcomes equation 7
    gives just that on average, as its square is t^2/9; the pooled z, which takes answers of one
    template for independent, three times as much.
    """
    paired, pooled, true = [], [], []
    for x, first, second in itertools.product([0.0, 1.0], repeat=3):
        question, variants = (
            np.array([0.0, x, 1.0]),
            np.array([[0.0, 0.0], [first, second], [1.0, 1.0]]),
        )
        found = stats.paired_difference(question, variants.mean(axis=1)).estimate
        t = x - (first + second) / 2
        assert found.value == pytest.approx(t / 3, abs=1e-15)
        assert found.se**2 == pytest.approx(t * t / 9, abs=1e-15)
        paired.append(found.se**2)
        pooled.append(two_proportion_z(int(question.sum()), 3, int(variants.sum()), 6).se ** 2)
        true.append(found.value**2)
    assert np.mean(paired) == pytest.approx(1 / 24, rel=1e-12)
    # the mean of t is 0, so this is its variance
    assert np.mean(true) == pytest.approx(1 / 24, rel=1e-12)
    assert np.mean(pooled) > 2.5 / 24


def test_templates_as_two_models_with_1_and_50_answers():
    """Equation 10's split at K = 1 and 50: with no difference in difficulty, n SE^2 = sigma^2 (1 +
    1/50).
    """
    rng = np.random.default_rng(3)
    p = rng.random(20_000)
    question, right = (rng.random(20_000) < p).astype(float), rng.binomial(50, p)
    share = right / 50
    found = stats.paired_difference(question, share).estimate
    within = stats.components(share, 50 * share * (1 - share) / 49, np.full(20_000, 50)).within
    assert within == pytest.approx(1 / 6, rel=0.02)  # E[p (1-p)] of U(0, 1)
    assert len(p) * found.se**2 == pytest.approx(within * (1 + 1 / 50), rel=0.03)
    assert stats.omega_squared(found.se, len(p), within, within / 50) < 0.004
    # Fisher's and the pooled z's variance, p (1-p) (1 + 1/50) with p = 1/2, is half as large again.
    pooled = two_proportion_z(
        int(question.sum()), len(p), int(right.sum()), 50 * len(p)
    ).se ** 2 * len(p)
    assert pooled / (len(p) * found.se**2) == pytest.approx(1.5, rel=0.03)


@functools.cache
def bilingual():
    return read_scores(DATA / "gsm_symbolic_eng_dan.parquet")


def templates(language: str, model: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the templates with both: the answer to the untemplated question, right variants, number of
    variants.
    """
    frame = bilingual()
    frame = frame[frame["model"] == model]
    rows = {kind: frame[frame["eval"] == f"gsm-{kind}-{language}"] for kind in ("base", "symbolic")}
    made = rows["symbolic"].groupby("cluster_id", observed=True)["score"].agg(["sum", "size"])
    both = rows["base"].set_index("cluster_id")[["score"]].join(made, how="inner")
    return tuple(both[c].to_numpy(dtype=float) for c in ("score", "sum", "size"))


@shared
@pytest.mark.parametrize(
    ("language", "model", "difference", "p_paired", "p_fisher"),
    [
        ("eng", "Llama-3.1-70B", "0.1489 (0.0379)", "0.0002", "0.0038"),
        ("eng", "Llama-3.1-8B-Instruct", "0.0888 (0.0423)", "0.0383", "0.0426"),
        ("eng", "OLMo-1B-hf", "-0.0031 (0.0013)", "0.0136", "1.0000"),
        ("dan", "Llama-3.2-1B-Instruct", "0.0365 (0.0240)", "0.1325", "0.0457"),
        ("dan", "Pleias-1.2b-Preview", "0.0000 (0.0000)", "1.0000", "1.0000"),
    ],
)
def test_templates_of_gsm_symbolic_in_two_languages(
    language, model, difference, p_paired, p_fisher
):
    """97 templates, 16 to 20 variants each; the figures are those of pandas with scipy's ttest_rel
    and fisher_exact.

    Pairing decides: 70B's fall is far clearer than its totals tell, and the 1B model's Danish one,
    significant by Fisher, is not. OLMo has 6 of 1,883 variants right and no question: t is a poor
    law there, and Fisher's p the sounder.
    """
    answer, right, number = templates(language, model)
    assert len(answer) == 97 and set(number) <= set(range(16, 21))
    found = stats.paired_difference(answer, right / number, share=False)
    assert f"{found.estimate.value:.4f} ({found.estimate.se:.4f})" == difference
    t = answer - right / number
    assert found.estimate.se == pytest.approx(
        math.sqrt(((t - t.mean()) ** 2).sum() / 96 / 97), rel=1e-12, abs=1e-15
    )
    assert f"{found.p_value:.4f}" == p_paired
    totals = int(answer.sum()), len(answer), int(right.sum()), int(number.sum())
    assert f"{fisher_exact_p_value(*totals):.4f}" == p_fisher
    if found.estimate.se > 0.0:
        assert found.p_value == pytest.approx(
            scipy_stats.ttest_rel(answer, right / number).pvalue, rel=1e-9
        )


# tau-bench: pass^k --------------------------------------------------------------------------------


@shared
def test_tau_bench_pass_hat_k():
    """README leaderboard, airline, gpt-4o: pass^1 to pass^4 of 4 answers to 50 questions, printed
    to three digits.
    """
    published = [
        e["published"] for e in note("tau_bench_airline_gpt4o")["published_and_reproduced"]
    ]
    assert published == [0.42, 0.273, 0.22, 0.2]
    e = select(read_scores(DATA / "tau_bench_airline_gpt4o.csv.gz"), "tau-bench-airline")
    right, answers = e.means[:, 0] * e.epochs[:, 0], e.epochs[:, 0]
    assert (answers == 4).all()
    for k, printed in enumerate(published, 1):
        found = stats.mean_estimate(pass_hat_k(right, answers, k))
        assert round(found.value, 3) == printed
        draws = itertools.combinations(range(4), k)
        # the first c answers right
        by_draws = np.mean([[all(j < c for j in d) for c in right] for d in draws])
        assert found.value == pytest.approx(by_draws, rel=1e-12)
    # Four of four right: 10 questions, and the error of a share of 10 of 50 by equation 1.
    last = stats.mean_estimate(pass_hat_k(right, answers, 4))
    assert last.value == pytest.approx(10 / 50, rel=1e-12)
    assert last.se == pytest.approx(math.sqrt(0.2 * 0.8 / 49), rel=1e-12)
    # Any of four right: all but the questions that are always wrong.
    assert stats.mean_estimate(pass_at_k(right, answers, 4)).value == np.mean(right > 0)


# Miller 2024: slips that the worked numbers leave out ---------------------------------------------


def largest_se(mean: float, n: int) -> float:
    """Equation 1 of binary scores, the largest of all scores in [0, 1] with this mean."""
    return math.sqrt(mean * (1 - mean) / (n - 1))


def test_x3_the_correlation_of_clustered_errors_is_of_cluster_sums():
    """SE_d^2 = SE_A^2 + SE_B^2 - 2 r_c SE_A SE_B with r_c of cluster sums of deviations; Pearson's
    r does not do.
    """
    rng = np.random.default_rng(8)
    clusters = np.repeat(np.arange(40), 5)
    shared_part = rng.normal(size=40)[clusters]
    a, b = shared_part + rng.normal(size=200), rng.normal(size=200) - shared_part
    x, y = (stats.mean_estimate(s, clusters, se="cr1").se for s in (a, b))
    sums_a, sums_b = (np.bincount(clusters, weights=s - s.mean()) for s in (a, b))
    r = float(sums_a @ sums_b / math.sqrt((sums_a @ sums_a) * (sums_b @ sums_b)))
    found = stats.paired_difference(a, b, clusters, se="cr1")
    assert found.estimate.se == pytest.approx(math.sqrt(x * x + y * y - 2 * r * x * y), rel=1e-12)
    with_pearson = math.sqrt(x * x + y * y - 2 * found.correlation * x * y)
    assert with_pearson < 0.95 * found.estimate.se


def test_x4_equation_four_and_eight_disagree_on_the_divisor():
    """eq4^2 - CR0 = SE_CLT^2 / n; each question its own cluster: eq 4 is eq 1, eq 8 is eq 7 times
    sqrt((n-1)/n).
    """
    d, clusters = np.random.default_rng(9).normal(size=30), np.repeat(np.arange(10), 3)
    clt, four, eight = (stats.mean_estimate(d, clusters, se=k).se for k in ("clt", "paper", "cr0"))
    assert four**2 - eight**2 == pytest.approx(clt**2 / 30, rel=1e-12)
    alone = np.arange(30)
    assert stats.mean_estimate(d, alone, se="paper").se == pytest.approx(clt, rel=1e-12)
    assert stats.mean_estimate(d, alone, se="cr0").se == pytest.approx(
        clt * math.sqrt(29 / 30), rel=1e-12
    )


def test_x5_appendix_c_writes_n_times_appendix_a():
    """(1/n) sum_c sum_i sum_j d_i d_j, appendix C's "Var_cl", is n times the CR0 variance of
    appendix A.
    """
    d, clusters = np.random.default_rng(10).normal(size=30), np.repeat(np.arange(10), 3)
    u, same = d - d.mean(), clusters[:, None] == clusters
    appendix_c = float((np.outer(u, u) * same).sum()) / 30
    assert appendix_c == pytest.approx(
        30 * stats.mean_estimate(d, clusters, se="cr0").se ** 2, rel=1e-12
    )


def test_x8_human_eval_scores_are_no_shares_of_164():
    """Dreadnought's 87.7 (Table 1) and 86.7 (Table 2): -3.1 fits the latter; neither they nor 83.6
    are k of 164.
    """
    shown = {f"{100 * k / 164:.1f}" for k in range(165)}
    assert not shown & {"83.6", "86.7", "87.7"}
    assert (f"{83.6 - 86.7:.1f}", f"{83.6 - 87.7:.1f}") == ("-3.1", "-4.1")
    # Ten answers to each question make all three possible: k of 1,640.
    assert {"83.6", "86.7", "87.7"} <= {f"{100 * k / 1640:.1f}" for k in range(1641)}


def test_x9_mgsm_error_is_impossible():
    """2,500 scores in [0, 1] with mean 78.0: at most .829, printed .9."""
    bound = largest_se(0.780, 2500)
    assert f"{100 * bound:.3f}" == "0.829"
    assert stats.mean_estimate(np.repeat([1.0, 0.0], [1950, 550])).se == pytest.approx(
        bound, rel=1e-12
    )
    # nor with a mean that rounding could hide
    assert round(100 * largest_se(0.7805, 2500), 1) < 0.9


def test_x9_table_5_human_eval_error_at_any_rounding():
    """3.2, 3.0 and r = .64, each off by half a last digit: at least 2.576, where 2.1 is printed."""
    spans = [(3.15, 3.25), (2.95, 3.05), (0.635, 0.645)]
    errors = [math.sqrt(a * a + b * b - 2 * r * a * b) for a, b, r in itertools.product(*spans)]
    assert f"{min(errors):.3f}" == "2.576"


def test_x10_drop_error_is_not_that_of_the_table_3_model():
    """A naive .44 of 9,622 questions needs a mean between about 24 and 76; with Table 3's 87.1 it
    is at most .342.
    """
    spread = 0.00435**2 * 9621  # .44 as rounded: the least mean (1 - mean) that reaches it
    low = 0.5 - math.sqrt(0.25 - spread)
    assert (f"{100 * low:.0f}", f"{100 * (1 - low):.0f}") == ("24", "76")
    assert largest_se(low, 9622) == pytest.approx(0.00435, rel=1e-12)
    right = round(0.871 * 9622)
    assert (
        f"{100 * stats.mean_estimate(np.repeat([1.0, 0.0], [right, 9622 - right])).se:.3f}"
        == "0.342"
    )


@pytest.mark.parametrize(
    ("difference", "se", "expected"),
    [(-2.7, 1.742, ".093"), (-3.1, 2.1, ".18")],
    ids=["MGSM", "HumanEval"],
)
def test_x11_not_significant_is_not_equal(difference, se, expected):
    """Two one-sided tests at 5 points (Schuirmann 1987): p = max of both tails; the 90% interval
    leaves (-5, 5).
    """
    p = max(special.ndtr(-(difference + 5) / se), special.ndtr(-(5 - difference) / se))
    assert f"{p:.{len(expected) - 1}f}"[1:] == expected
    reading = Estimate(difference, se, 1e9, 10**9, 10**9)
    assert stats.normal_interval(reading, level=0.90).low < -5
    # The duality: at level 1 - 2p the interval just touches the margin.
    assert stats.normal_interval(reading, level=1 - 2 * p).low == pytest.approx(-5.0, rel=1e-9)


def test_x15_at_least_a_thousand_questions_rests_on_x2():
    """ "At least 1,000 questions" is 969 rounded up; omega^2 = 1/12 needs three quarters of it."""
    assert stats.questions_needed(0.03, 1 / 9) / stats.questions_needed(
        0.03, 1 / 12
    ) == pytest.approx(4 / 3, rel=1e-3)
    assert stats.minimum_detectable_effect(1000, 1 / 12) == pytest.approx(0.0256, abs=5e-5)
