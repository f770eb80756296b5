"""Every head, cell and number of the tables on request. The records are made here, each number
another one, so that a column that reads its neighbour is seen; the cells are written by hand.
"""

import math
from dataclasses import fields, replace

import pytest
from support.scores_made import columns_of

from reportkit.requested import (
    REQUESTED,
    ClusteringResult,
    CommonResult,
    EquivalenceResult,
    F1Result,
    OtherMethodsResult,
    PassResult,
    PosteriorResult,
    RegressionResult,
    ScoresComparedResult,
    SimultaneousResult,
    StratumResult,
)
from reportkit.results import EvalResult, MeanResult, Scale
from reportkit.tables import make_table

MINUS, DASH = "\N{MINUS SIGN}", "\N{EM DASH}"
UNITS = "Differences and their errors are in percentage points."
LEFT = ("model", "baseline", "name", "method", "stratum", "covariate")
# Tables that say how many questions a comparison has only where comparisons differ in it.
COUNTED = ("equivalence", "simultaneous")
# Of a table, what is undefined in a row, and its cells with a dash.
UNDEFINED = [
    ("pass", ["pass_at_se", "pass_at_low", "pass_at_high"], ["pass_at", "pass_at_ci"]),
    ("pass", ["pass_hat_low", "pass_hat_high"], ["pass_hat_ci"]),
    ("common", ["se", "ci_low", "ci_high"], ["mean", "ci"]),
    ("common", ["ci_low", "ci_high"], ["ci"]),
    ("equivalence", ["p_equivalence"], ["p_equivalence"]),
    ("simultaneous", ["ci_low", "ci_high"], ["ci"]),
    ("strata", ["se", "ci_low", "ci_high"], ["mean", "ci"]),
    ("strata", ["ci_low", "ci_high"], ["ci"]),
    ("scores-compared", ["reduction"], ["reduction"]),
    ("scores-compared", ["ci_low", "ci_high"], ["ci"]),
    ("clustering-all", ["se"], ["se"]),
    ("clustering-all", ["se_cr3"], ["se_cr3"]),
    ("clustering-all", ["se_paper"], ["se_paper"]),
    ("clustering-all", ["se_two_way"], ["se_two_way"]),
    ("clustering-all", ["icc"], ["icc"]),
    ("clustering-all", ["effective"], ["effective"]),
    ("clustering-all", ["cluster_se", "cluster_low", "cluster_high"],
     ["cluster_mean", "cluster_ci"]),
    ("other-methods", ["se"], ["difference"]),
    ("other-methods", ["ci_low", "ci_high"], ["ci"]),
    ("other-methods", ["p_exact"], ["p_exact"]),
    ("other-methods", ["correlation_clusters"], ["correlation_clusters"]),
    ("other-methods", ["w_plus", "p_signed_ranks"], ["w_plus", "p_signed_ranks"]),
    ("other-methods", ["available", "available_se", "available_low", "available_high",
                       "available_p"], ["available", "available_ci", "available_p"]),
    ("f1", ["precision"], ["precision"]),
    ("f1", ["recall"], ["recall"]),
    ("regression", ["ci_low", "ci_high", "z", "p_value"], ["ci", "z", "p_value"]),
]  # fmt: skip
MEAN = MeanResult(
    model="A", mean=0.6, se=0.03, df=58.0, ci_low=0.54, ci_high=0.66, level=0.9, method="t",
    n_questions=900, n_clusters=60, n_answers=1350, n_unscored=0, n_errors=0, se_unclustered=0.02,
    design_effect=2.25, variance_between=0.14, variance_within=0.23, icc=0.125,
)  # fmt: skip
RESULT = EvalResult(
    eval="toy", metric="match", n_questions=900, n_clusters=60, models=("A", "B"), baseline="",
    means=(MEAN, replace(MEAN, model="B")), differences=(), power=(), clustered=True,
    correlations=((1.0, 0.4), (0.4, 1.0)), cluster_field="passage",
    scale=Scale(0, 1, True, False),
    options={"strata": "subject", "weights": "size", "positive": "answer:yes", "crossed": "author"},
)  # fmt: skip
PAIR = {
    "model": "A", "baseline": "B", "difference": 0.1234, "se": 0.0412, "ci_low": 0.0567,
    "ci_high": 0.1901, "level": 0.9, "method": "t", "n_questions": 880, "n_clusters": 59,
}  # fmt: skip
OF_PAIR = [
    ("model", "Model", "A", None),
    ("baseline", "Baseline", "B", None),
    ("difference", "Difference (SE)", "+12.3 (4.1)", 0.1234),
    ("ci", "90% CI", "(+5.7, +19.0)", 0.0567),
]

# Of each table a record, and of each column its key, its head (the group first), cell and number.
TABLES = {
    "posterior": (
        PosteriorResult(
            model="A", baseline="B", mean=0.123, ci_low=0.045, ci_high=0.201, level=0.9,
            p_greater=0.876, icc=0.37, method="bivariate-normal", n_questions=880, n_clusters=59,
            reason="",
        ),
        [
            ("name", "Posterior of", f"A {MINUS} B", None),
            ("mean", "Mean", "+12.3", 0.123),
            ("ci", "90% credible", "(+4.5, +20.1)", 0.045),
            ("p_greater", "P(A > B)", "0.876", 0.876),
            ("icc", "ICC", "", 0.37),
            ("questions", "Questions", "880", 880),
            ("clusters", "Clusters", "59", 59),
            ("method", "Method", "paired", None),
        ],
    ),
    "pass": (
        PassResult(
            model="A", k=3, pass_at=0.712, pass_at_se=0.021, pass_at_low=0.671, pass_at_high=0.753,
            pass_hat=0.412, pass_hat_se=0.032, pass_hat_low=0.349, pass_hat_high=0.475, level=0.9,
            n_questions=870, n_left_out=30, n_clusters=58,
        ),
        [
            ("model", "Model", "A", None),
            ("k", "k", "3", 3),
            ("pass_at", "pass@k (SE)", "71.2% (2.1%)", 0.712),
            ("pass_at_ci", "90% CI", "(67.1%, 75.3%)", 0.671),
            ("pass_hat", "pass^k (SE)", "41.2% (3.2%)", 0.412),
            ("pass_hat_ci", "90% CI", "(34.9%, 47.5%)", 0.349),
            ("questions", "Questions", "870", 870),
        ],
    ),
    "common": (
        CommonResult(
            model="A", mean=0.612, se=0.034, df=52.0, ci_low=0.545, ci_high=0.679, level=0.9,
            method="t", n_questions=850, n_clusters=57, mean_all=0.601, n_all=897,
        ),
        [
            ("model", "Model", "A", None),
            ("mean", "Mean (SE)", "61.2% (3.4%)", 0.612),
            ("ci", "90% CI", "(54.5%, 67.9%)", 0.545),
            ("mean_all", "All its questions: Mean", "60.1%", 0.601),
            ("n_all", "All its questions: Questions", "897", 897),
        ],
    ),
    "equivalence": (
        EquivalenceResult(
            **PAIR, df=57.0, margin=0.05, alpha=0.05, p_equivalence=0.31, equivalent="no",
            p_non_inferiority=0.0042, non_inferior="yes",
        ),
        [
            *OF_PAIR,
            ("equivalent", "Equivalent: Shown", "no", None),
            ("p_equivalence", "Equivalent: p", "0.310", 0.31),
            ("non_inferior", "Not worse: Shown", "yes", None),
            ("p_non_inferiority", "Not worse: p", "0.004", 0.0042),
            ("questions", "Questions", "880", 880),
        ],
    ),
    "simultaneous": (
        SimultaneousResult(
            **PAIR, interval="t", p_adjusted=0.0234, critical=2.41, critical_error=0.01,
            n_comparisons=3,
        ),
        [
            *OF_PAIR[:3],
            ("ci", "Simultaneous 90% CI", "(+5.7, +19.0)", 0.0567),
            ("p_adjusted", "Adjusted p", "0.023", 0.0234),
            ("questions", "Questions", "880", 880),
        ],
    ),
    "strata": (
        StratumResult(
            model="A", stratum="algebra", weight=0.1234, mean=0.612, se=0.034, df=52.0,
            ci_low=0.545, ci_high=0.679, level=0.9, method="t", n_questions=150, n_clusters=11,
        ),
        [
            ("stratum", "Stratum", "algebra", None),
            ("model", "Model", "A", None),
            ("mean", "Mean (SE)", "61.2% (3.4%)", 0.612),
            ("ci", "90% CI", "(54.5%, 67.9%)", 0.545),
            ("weight", "Weight", "12.3%", 0.1234),
            ("questions", "Questions", "150", 150),
            ("clusters", "Clusters", "11", 11),
        ],
    ),
    "scores-compared": (
        ScoresComparedResult(
            model="A", sampled_metric="match", probability=0.587, probability_se=0.018,
            sampled=0.601, sampled_se=0.027, reduction=0.556, predicted=0.482, difference=-0.014,
            se=0.011, ci_low=-0.035, ci_high=0.008, level=0.9, method="t", p_value=0.2087,
            n_questions=861, n_clusters=60,
        ),
        [
            ("model", "Model", "A", None),
            ("probability", "Probability (SE)", "58.7% (1.8%)", 0.587),
            ("sampled", "Sampled (SE)", "60.1% (2.7%)", 0.601),
            ("reduction", "Variance saved", "56%", 0.556),
            ("predicted", "Predicted", "48%", 0.482),
            ("difference", "Difference (SE)", f"{MINUS}1.4 (1.1)", -0.014),
            ("ci", "90% CI", f"({MINUS}3.5, +0.8)", -0.035),
            ("p_value", "p", "0.209", 0.2087),
            ("questions", "Questions", "861", 861),
        ],
    ),
    "clustering-all": (
        ClusteringResult(
            model="A", mean=0.6, se=0.0312, df=57.0, se_cr3=0.0323, se_paper=0.0301,
            se_two_way=0.0345, df_two_way=41.0, negative="no", icc=0.127, kish=1.9, n_clusters=60,
            effective=43.21, cluster_mean=0.587, cluster_se=0.036, cluster_df=59.0,
            cluster_low=0.527, cluster_high=0.647, level=0.9, method="t", n_questions=900,
        ),
        [
            ("model", "Model", "A", None),
            ("se", "SE: CR2", "3.12%", 0.0312),
            ("se_cr3", "SE: CR3", "3.23%", 0.0323),
            ("se_paper", "SE: Equation 4", "3.01%", 0.0301),
            ("se_two_way", "SE: Two-way", "3.45%", 0.0345),
            ("icc", "ICC", "0.13", 0.127),
            ("clusters", "Clusters", "60", 60),
            ("effective", "Effective", "43.2", 43.21),
            ("cluster_mean", "Every cluster weighs the same: Mean (SE)", "58.7% (3.6%)", 0.587),
            ("cluster_ci", "Every cluster weighs the same: 90% CI", "(52.7%, 64.7%)", 0.527),
        ],
    ),
    "other-methods": (
        OtherMethodsResult(
            **PAIR, p_value=0.0031, p_bh=0.0062, p_exact=0.0041, p_mid=0.0033,
            newcombe_low=0.0512, newcombe_high=0.1888, correlation=0.412,
            correlation_clusters=0.523, available=0.118, available_se=0.043, available_low=0.047,
            available_high=0.189, available_p=0.0071, n_model=890, n_baseline=885, w_plus=1234.5,
            p_signed_ranks=0.0052,
        ),
        [
            *OF_PAIR,
            ("p_value", "p", "0.003", 0.0031),
            ("p_bh", "BH p", "0.006", 0.0062),
            ("p_exact", "Exact p", "0.004", 0.0041),
            ("p_mid", "Mid-p", "0.003", 0.0033),
            ("w_plus", "W+", "1234.5", 1234.5),
            ("p_signed_ranks", "Signed-rank p", "0.005", 0.0052),
            ("newcombe", "Newcombe's 90% CI", "(+5.1, +18.9)", 0.0512),
            ("correlation", "Correlation", "0.41", 0.412),
            ("correlation_clusters", "Of clusters", "0.52", 0.523),
            ("available", "All answers: Difference (SE)", "+11.8 (4.3)", 0.118),
            ("available_ci", "All answers: 90% CI", "(+4.7, +18.9)", 0.047),
            ("available_p", "All answers: p", "0.007", 0.0071),
        ],
    ),
    "f1": (
        F1Result(
            model="A", f1=0.7123, ci_low=0.6511, ci_high=0.7658, level=0.9, method="f1-posterior",
            precision=0.6891, recall=0.7372, tp=101, fp=46, fn=36, tn=217,
        ),
        [
            ("model", "Model", "A", None),
            ("f1", "F1", "0.712", 0.7123),
            ("ci", "90% credible", "(0.651, 0.766)", 0.6511),
            ("precision", "Precision", "0.689", 0.6891),
            ("recall", "Recall", "0.737", 0.7372),
            ("tp", "TP", "101", 101),
            ("fp", "FP", "46", 46),
            ("fn", "FN", "36", 36),
            ("tn", "TN", "217", 217),
        ],
    ),
    "regression": (
        RegressionResult(
            model="A", covariate="length", coefficient=-0.2134, se=0.0512, ci_low=-0.2976,
            ci_high=-0.1292, level=0.9, z=-4.168, p_value=0.0312, aic=1021.7, lr_chi2=17.4,
            lr_df=1, lr_p_value=0.0005, log_likelihood=-508.8, n_answers=1350, n_clusters=60,
            reason="",
        ),
        [
            ("model", "Model", "A", None),
            ("covariate", "Covariate", "length", None),
            ("coefficient", "Coefficient (SE)", f"{MINUS}0.213 (0.051)", -0.2134),
            ("ci", "90% CI", f"({MINUS}0.298, {MINUS}0.129)", -0.2976),
            ("z", "z", f"{MINUS}4.17", -4.168),
            ("p_value", "p", "0.031", 0.0312),
            ("answers", "Answers", "1,350", 1350),
        ],
    ),
}  # fmt: skip

# What a file of the table has of that record: the names of the columns, and unrounded numbers.
DIFFERENCE = {"Model": "A", "Baseline": "B", "Difference": 0.1234, "SE": 0.0412}
IN_FILES = {
    "posterior": {
        "Posterior of": f"A {MINUS} B", "Mean": 0.123, "90% credible low": 0.045,
        "90% credible high": 0.201, "P(A > B)": 0.876, "ICC": 0.37, "Questions": 880,
        "Clusters": 59, "Method": "paired",
    },
    "pass": {
        "Model": "A", "k": 3, "pass@k": 0.712, "pass@k SE": 0.021, "pass@k 90% CI low": 0.671,
        "pass@k 90% CI high": 0.753, "pass^k": 0.412, "pass^k SE": 0.032,
        "pass^k 90% CI low": 0.349, "pass^k 90% CI high": 0.475, "Questions": 870,
    },
    "common": {
        "Model": "A", "Mean": 0.612, "SE": 0.034, "90% CI low": 0.545, "90% CI high": 0.679,
        "All its questions: Mean": 0.601, "All its questions: Questions": 897,
    },
    "equivalence": {
        **DIFFERENCE, "90% CI low": 0.0567, "90% CI high": 0.1901, "Equivalent: Shown": "no",
        "Equivalent: p": 0.31, "Not worse: Shown": "yes", "Not worse: p": 0.0042, "Questions": 880,
    },
    "simultaneous": {
        **DIFFERENCE, "Simultaneous 90% CI low": 0.0567, "Simultaneous 90% CI high": 0.1901,
        "Adjusted p": 0.0234, "Questions": 880,
    },
    "strata": {
        "Stratum": "algebra", "Model": "A", "Mean": 0.612, "SE": 0.034, "90% CI low": 0.545,
        "90% CI high": 0.679, "Weight": 0.1234, "Questions": 150, "Clusters": 11,
    },
    "scores-compared": {
        "Model": "A", "Probability": 0.587, "Probability SE": 0.018, "Sampled": 0.601,
        "Sampled SE": 0.027, "Variance saved": 0.556, "Predicted": 0.482, "Difference": -0.014,
        "SE": 0.011, "90% CI low": -0.035, "90% CI high": 0.008, "p": 0.2087, "Questions": 861,
    },
    "clustering-all": {
        "Model": "A", "SE: CR2": 0.0312, "SE: CR3": 0.0323, "SE: Equation 4": 0.0301,
        "SE: Two-way": 0.0345, "ICC": 0.127, "Clusters": 60, "Effective": 43.21,
        "Mean of clusters": 0.587, "SE of the mean of clusters": 0.036,
        "90% CI of the mean of clusters low": 0.527, "90% CI of the mean of clusters high": 0.647,
    },
    "other-methods": {
        **DIFFERENCE, "90% CI low": 0.0567, "90% CI high": 0.1901, "p": 0.0031, "BH p": 0.0062,
        "Exact p": 0.0041, "Mid-p": 0.0033, "W+": 1234.5, "Signed-rank p": 0.0052,
        "Newcombe's 90% CI low": 0.0512, "Newcombe's 90% CI high": 0.1888, "Correlation": 0.412,
        "Of clusters": 0.523, "All answers: difference": 0.118, "All answers: SE": 0.043,
        "All answers: 90% CI low": 0.047, "All answers: 90% CI high": 0.189,
        "All answers: p": 0.0071,
    },
    "f1": {
        "Model": "A", "F1": 0.7123, "90% credible low": 0.6511, "90% credible high": 0.7658,
        "Precision": 0.6891, "Recall": 0.7372, "TP": 101, "FP": 46, "FN": 36, "TN": 217,
    },
    "regression": {
        "Model": "A", "Covariate": "length", "Coefficient": -0.2134, "SE": 0.0512,
        "90% CI low": -0.2976, "90% CI high": -0.1292, "z": -4.168, "p": 0.0312, "Answers": 1350,
    },
}  # fmt: skip
# How each of the notes begins.
NOTES = {
    "posterior": [
        "Given the scores and the prior, the true share lies in the credible interval with 90%",
        "P(A > B): ", "ICC: correlation of two answers of a cluster", "Paired: ", UNITS,
    ],
    "pass": [
        "pass@k: ", "Questions with fewer than k answers are left out", "One answer to each "
        "question, so no row: B.",
    ],
    "common": ["On the 850 questions that all models answered, in 57 clusters (passage)."],
    "equivalence": [
        "Model minus baseline, on common questions. The margin, declared before looking: 5 perc",
        "Equivalent: the 90% interval lies within the margin on both sides, which two one-sided "
        "tests at the 5% level show", "Not worse (non-inferior): ", "No: not shown, ", UNITS,
    ],
    "simultaneous": [
        "Model minus baseline, on common questions.", "Family of 3 comparisons: every pair of "
        "models. With 90% confidence all intervals hold together, and an adjusted p is below 10% ",
        f"Bonferroni: each interval is made as in the differences table, at level 1 {MINUS} 10% / "
        "3, and p is multiplied by 3.", UNITS,
    ],
    "strata": [
        "Strata: subject. ", "Weight of a stratum: the sum of size over its questions", "All: ",
    ],
    "scores-compared": [
        "Probability: ", "Variance saved: ", "Difference: ", "Predicted: ",
        "Without a question that has both: B.",
    ],
    "clustering-all": [
        "60 clusters (passage).", "CR2: ", "Two-way: clusters of passage and of author", "ICC: ",
        "Effective: ", "Every cluster weighs the same: ",
    ],
    "other-methods": [
        "Model minus baseline", "BH p: Benjamini & Hochberg over 1 comparison.", "Exact p and mid-",
        "Newcombe's interval: ", "Signed-rank p: ", "Correlation: ", "All answers: ", UNITS,
    ],
    "f1": [
        "Positive: questions whose answer is yes. ", "F1: ", "Given the scores and uniform priors "
        "of the four shares, the true F1 lies in the credible interval with 90% probability",
    ],
    "regression": ["Log odds of a right answer ", "Standard errors are clustered by passage "],
}  # fmt: skip

TITLES = {
    "posterior": "posteriors of the shares of right answers and of their differences",
    "pass": "pass@k and pass^k of each model",
    "common": "mean score (standard error) of each model on the common questions",
    "equivalence": "which models are shown to be about as good, and which not to be worse",
    "simultaneous": "differences with intervals that hold together",
    "strata": "mean score (standard error) of each model over strata",
    "scores-compared": "next-token probabilities beside sampled answers to the same questions",
    "clustering-all": "standard errors in clusters by other methods, and means of clusters",
    "other-methods": "paired differences by other methods",
    "f1": "F1 of each model",
    "regression": "logistic regression of right answers on fields of the questions",
}


def table_of(name, *more):
    """The whole table of the record, and of copies of it with other fields."""
    record = TABLES[name][0]
    records = (record, *(replace(record, **fields) for fields in more))
    table = make_table(replace(RESULT, requested={name: records}), name)
    return table.whole or table


def test_no_table_is_forgotten():
    assert TABLES.keys() == IN_FILES.keys() == NOTES.keys() == REQUESTED.keys() == TITLES.keys()


@pytest.mark.parametrize("name", TABLES)
def test_each_column(name):
    table = table_of(name, {"model": "B", "n_questions": 700} if name in COUNTED else {})
    assert table.name == name
    assert columns_of(table) == TABLES[name][1]
    assert {c.key for c in table.columns if c.align == "l"} == {
        key for key, *_ in TABLES[name][1] if key in LEFT
    }
    assert table.to_frame().iloc[0].to_dict() == IN_FILES[name]


@pytest.mark.parametrize("name", TABLES)
def test_each_note(name):
    notes = [n for n in table_of(name).notes if n != "Metric: match."]
    assert len(notes) == len(NOTES[name])
    for note, begins in zip(notes, NOTES[name], strict=True):
        assert note.startswith(begins)


def test_p_values_of_one_comparison_are_not_said_to_be_of_several():
    said = "No: not shown, which says neither that the models differ nor that they do not."
    more = f"{said} These p-values are not adjusted for several comparisons."
    for records, expected in (((), said), (({"model": "B"},), more)):
        [found] = [n for n in table_of("equivalence", *records).notes if n.startswith("No: ")]
        assert found == expected


@pytest.mark.parametrize("name", TITLES)
def test_each_title(name):
    assert table_of(name).title == f"toy: {TITLES[name]}."


@pytest.mark.parametrize("name", COUNTED)
def test_questions_that_all_comparisons_share_need_no_column(name):
    assert "questions" not in [c.key for c in table_of(name, {"model": "B"}).columns]


@pytest.mark.parametrize("name, undefined, dashes", UNDEFINED)
def test_what_is_undefined_is_a_dash_with_its_reason(name, undefined, dashes):
    table = table_of(name, dict.fromkeys(undefined, math.nan))
    keys = [c.key for c in table.columns]
    found = {k for k, text in zip(keys, table.cells[1], strict=True) if DASH in text}
    assert found == set(dashes)
    assert sum(note.startswith(DASH) for note in table.notes) == 1
    assert not any(note.startswith(DASH) for note in table_of(name).notes)


P_VALUES = ["p_value", "p_bh", "p_exact", "p_mid", "p_adjusted", "available_p", "p_signed_ranks"]


@pytest.mark.parametrize(
    ("name", "several"),
    [("simultaneous", 1), ("scores-compared", 1), ("other-methods", 6), ("regression", 1)],
)
def test_a_p_value_says_on_which_side_of_the_level_it_lies(name, several):
    """At the 90% level three digits would print 0.0996 as 0.100."""
    held = [f.name for f in fields(TABLES[name][0]) if f.name in P_VALUES]
    assert len(held) == several
    cells = table_of(name, dict.fromkeys(held, 0.0996)).cells[1]
    assert sum("0.0996" in cell for cell in cells) == several


def test_intervals_that_hold_together_say_how_wide_they_are():
    record = replace(TABLES["simultaneous"][0], method="max-t")
    notes = make_table(replace(RESULT, requested={"simultaneous": (record,)}), "simultaneous").notes
    assert sum(n.startswith("max-t: the difference ± 2.41 SE, from the joint") for n in notes) == 1
