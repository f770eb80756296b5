"""The printed cells of the tables on request, against numbers that come from elsewhere."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as sps
from support.scores_made import result_of, rows_of

from reportkit.tables import make_table

MINUS, DASH = "\N{MINUS SIGN}", "\N{EM DASH}"


def table_of(name: str, scores, clusters=(), **said):
    return make_table(
        result_of(np.asarray(scores, dtype=float), clusters, tables=name, **said), name
    )


def paired(both: int, only_a: int, only_b: int, neither: int) -> np.ndarray:
    """Two models by the counts of questions that both, one or none has right."""
    a = [1] * both + [1] * only_a + [0] * only_b + [0] * neither
    b = [1] * both + [0] * only_a + [1] * only_b + [0] * neither
    return np.array([a, b], dtype=float)


# posterior ----------------------------------------------------------------------------------------


def test_a_share_has_the_quantiles_of_its_beta_distribution():
    """scipy's quantiles of Beta(1 + 240, 1 + 60), and of Beta(240.5, 60.5) with Jeffreys' prior;
    the pair is statistics.md B4: (-.0178, .0847), P(A > B) = .900 by quadrature.
    """
    scores = paired(205, 35, 25, 35)
    table = table_of("posterior", scores)
    first, second, pair = rows_of(table)
    ends = sps.beta.ppf([0.025, 0.975], 241, 61)
    low, high, mean = (f"{100 * x:.1f}%" for x in (*ends, 241 / 302))
    assert (first["mean"], first["ci"], first["p_greater"]) == (mean, f"({low}, {high})", "")
    assert (second["name"], second["mean"]) == ("B", f"{100 * 231 / 302:.1f}%")
    assert {key: text for key, text in pair.items() if key != "mean"} == {
        "name": f"A {MINUS} B",
        "ci": f"({MINUS}1.8, +8.5)",
        "p_greater": "0.900",
        "questions": "300",
        "method": "paired",
    }
    jeffreys = rows_of(table_of("posterior", scores, prior="jeffreys"))
    ends = sps.beta.ppf([0.025, 0.975], 240.5, 60.5)
    low, high = (f"{100 * x:.1f}%" for x in ends)
    assert (jeffreys[0]["ci"], jeffreys[0]["method"]) == (f"({low}, {high})", "Jeffreys' prior")
    assert jeffreys[2] == pair  # the prior of a pair stays uniform, and a note says so
    notes = table_of("posterior", scores, prior="jeffreys").notes
    assert "All other methods have uniform priors." in notes


def test_the_level_is_that_of_the_report():
    row = rows_of(table_of("posterior", paired(6, 1, 1, 2), level=0.8))[0]
    low, high = (f"{100 * x:.1f}%" for x in sps.beta.ppf([0.1, 0.9], 8, 4))
    assert row["ci"] == f"({low}, {high})"


def test_a_pair_is_that_of_the_table_of_differences():
    result = result_of(paired(12, 7, 2, 9), tables="posterior")
    [pair] = [p for p in result.requested["posterior"] if p.baseline]
    assert pair.p_greater == result.differences[0].p_greater
    assert round(pair.p_greater, 3) == brute_force(12, 7, 2, 9)


def brute_force(both: int, only_a: int, only_b: int, neither: int) -> float:
    """P(A > B) of the bivariate normal model by a plain sum over a grid of theta_A, theta_B and
    rho = 2 Beta(4, 2) - 1, with scipy's bivariate normal: another method than the package's.
    """
    n, total, above = 44, 0.0, 0.0
    share = (np.arange(n) + 0.5) / n
    a, b = np.meshgrid(share, share, indexing="ij")
    h = np.stack([sps.norm.ppf(a), sps.norm.ppf(b)], axis=-1)
    m = 30
    for rho_share in (np.arange(m) + 0.5) / m:
        rho = 2.0 * rho_share - 1.0
        weight = sps.beta.pdf(rho_share, 4, 2)
        p11 = sps.multivariate_normal.cdf(h, mean=[0, 0], cov=[[1, rho], [rho, 1]])
        cells = np.maximum([p11, a - p11, b - p11, 1 - a - b + p11], 1e-300)
        counts = np.array([both, only_a, only_b, neither])[:, None, None]
        mass = weight * np.exp((counts * np.log(cells)).sum(axis=0))
        total += mass.sum()
        above += mass[a > b].sum() + mass[a == b].sum() / 2.0
    return round(above / total, 3)


def test_two_models_without_a_common_question():
    """One right answer against one wrong one: Beta(2, 1) and Beta(1, 2), P = 5/6, mean 1/3."""
    nan = math.nan
    rows = rows_of(table_of("posterior", [[1.0, nan], [nan, 0.0]]))
    assert (rows[2]["p_greater"], rows[2]["mean"]) == ("0.833", "+33.3")
    assert rows[2]["method"] == "independent"


def test_clusters_have_their_own_posterior_and_no_pair():
    """Two clusters of one answer each, one right and one wrong: Beta(2, 2) whatever the
    correlation, so the low end is the root of 3 x^2 - 2 x^3 = .025, .0943.
    """
    table = table_of("posterior", [[1.0, 0.0], [1.0, 1.0]], clusters=["p", "q"])
    first, _, pair = rows_of(table)
    assert (first["mean"], first["ci"]) == ("50.0%", "(9.4%, 90.6%)")
    assert (pair["mean"], pair["ci"], pair["p_greater"], pair["icc"]) == (DASH, DASH, DASH, "")
    assert any(n.startswith(f"{DASH}: no posterior is offered") for n in table.notes)
    assert any("mean is over clusters" in n for n in table.notes)


def test_several_answers_are_clusters_of_their_question():
    table = table_of("posterior", [[[1, 0, 1], [0, 0, 1], [1, 1, 1]]])
    assert rows_of(table)[0]["method"] == "shares of questions"
    assert "clusters" not in rows_of(table)[0]
    assert any("mean is over questions" in n for n in table.notes)


# pass ---------------------------------------------------------------------------------------------


def test_pass_at_k_by_counting_every_choice_of_k_answers():
    answers = [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 1, 0]]
    rows = rows_of(table_of("pass", [answers]))
    assert [row["k"] for row in rows] == ["1", "2", "3", "4"]
    for row in rows:
        chosen = [list(combinations(q, int(row["k"]))) for q in answers]
        for key, of in (("pass_at", any), ("pass_hat", all)):
            scores = [np.mean([of(c) for c in q]) for q in chosen]
            mean, se = np.mean(scores), np.std(scores, ddof=1) / math.sqrt(5)
            assert row[key] == f"{100 * mean:.1f}% ({100 * se:.1f}%)", (key, row["k"])


def test_pass_at_1_is_the_mean_with_its_interval():
    answers = np.array([[[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 1]]], dtype=float)
    for clusters in ((), ["a", "a", "b", "c"]):
        result = result_of(answers, clusters, tables="pass")
        [mean] = rows_of(make_table(result, "means"))
        first = rows_of(make_table(result, "pass"))[0]
        assert (first["pass_at"], first["pass_at_ci"]) == (mean["mean"], mean["ci"])
        assert (first["pass_hat"], first["pass_hat_ci"]) == (mean["mean"], mean["ci"])


def test_questions_with_fewer_answers_are_left_out_and_counted():
    nan = math.nan
    answers = [[[1, 0, 1], [1, 1, nan], [0, 0, 1]]]
    table = table_of("pass", answers)
    assert [row["questions"] for row in rows_of(table)] == ["3", "3", "2"]
    assert any("fewer than k answers are left out" in n for n in table.notes)
    result = result_of(np.array(answers), tables="pass")
    assert [p.n_left_out for p in result.requested["pass"]] == [0, 0, 1]


def test_a_model_with_single_answers_has_no_row():
    nan = math.nan
    table = table_of("pass", [[[1, 0], [1, 1]], [[1, nan], [0, nan]]])
    assert {row["model"] for row in rows_of(table)} == {"A"}
    assert any("One answer to each question, so no row: B." in n for n in table.notes)


@pytest.mark.parametrize("theme", ["plain", "pm", "ci", "stacked"])
def test_every_theme_prints_the_two_chances(theme):
    result = result_of(np.array([[[1, 0, 1], [1, 1, 0], [0, 0, 1]]]), tables="pass")
    row = rows_of(make_table(result, "pass", theme))[0]
    assert row["pass_at"].startswith("55.6") and ("pass_at_ci" in row) == (theme != "ci")


# common -------------------------------------------------------------------------------------------


def test_means_on_the_questions_that_all_models_answered():
    """A, B and C have q0 to q3 in common; C has no more. Means and SE by numpy."""
    nan = math.nan
    scores = np.array([
        [1, 1, 0, 1, 0, 0, 0],
        [1, 0, 0, 1, 1, 1, nan],
        [0, 1, 1, 1, nan, nan, nan],
    ])  # fmt: skip
    table = table_of("common", scores)
    for row, own in zip(rows_of(table), scores, strict=True):
        four, all_of_it = own[:4], own[~np.isnan(own)]
        se = np.std(four, ddof=1) / 2.0
        assert row["mean"] == f"{100 * four.mean():.1f}% ({100 * se:.1f}%)"
        assert (row["mean_all"], row["n_all"]) == (
            f"{100 * all_of_it.mean():.1f}%",
            str(len(all_of_it)),
        )
    assert "On the 4 questions that all models answered." in table.notes


def test_a_model_without_a_score_leaves_the_others_their_common_questions():
    nan = math.nan
    table = table_of("common", [[1, 0, 1], [1, 1, nan], [nan, nan, nan]])
    assert [row["model"] for row in rows_of(table)] == ["A", "B"]
    assert "Without any score, and left out: C." in table.notes


def test_the_means_are_those_of_the_report():
    nan = math.nan
    result = result_of(np.array([[1, 0, 1, 0, 1], [1, 1, nan, 0, nan]]), tables="common")
    for m, c in zip(result.means, result.requested["common"], strict=True):
        assert (m.mean_common, m.mean) == (c.mean, c.mean_all)


# ranks --------------------------------------------------------------------------------------------


def test_ranks_are_those_of_the_report():
    """A has 40 of 40 right, B and C 2 and 3: A is first beyond doubt, the others may be either."""
    scores = np.zeros((3, 40))
    scores[0], scores[1, :2], scores[2, 5:8] = 1.0, 1.0, 1.0
    rows = rows_of(table_of("ranks", scores))
    assert [(row["rank"], row["set"]) for row in rows] == [
        ("1", "1"),
        ("3", "2 to 3"),
        ("2", "2 to 3"),
    ]
    frame = table_of("ranks", scores).to_frame()
    assert list(frame.columns) == [
        "Model",
        "Rank",
        "95% rank set low",
        "95% rank set high",
        "Joint 95% rank set low",
        "Joint 95% rank set high",
    ]


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_joint_rank_sets_are_those_of_the_simultaneous_intervals(better):
    """Counted from the intervals of table simultaneous: 1 and the models surely better, and all
    but those surely worse.
    """
    rng = np.random.default_rng(11)
    scores = (rng.random((5, 60)) < np.linspace(0.3, 0.95, 5)[:, None]).astype(float)
    result = result_of(scores, tables="simultaneous,ranks", better=better)
    found = result.requested["simultaneous"]
    sign = 1 if better == "higher" else -1
    ahead = {(d.model, d.baseline) for d in found if sign * (d.ci_low + d.ci_high) > 0
             and d.ci_low * d.ci_high > 0}  # fmt: skip
    ahead |= {(d.baseline, d.model) for d in found if sign * (d.ci_low + d.ci_high) < 0
              and d.ci_low * d.ci_high > 0}  # fmt: skip
    expected = {}
    for m in "ABCDE":
        low = 1 + sum(loser == m for _, loser in ahead)
        high = 5 - sum(winner == m for winner, _ in ahead)
        expected[m] = str(low) if low == high else f"{low} to {high}"
    table = make_table(result, "ranks")
    assert {row["model"]: row["joint_set"] for row in rows_of(table)} == expected
    assert len({*expected.values()}) > 1
    assert {(r.joint_low, r.joint_high) for r in result.ranks} != {(1.0, 5.0)}


def test_two_models_have_joint_ranks_and_a_model_without_scores_has_none():
    nan = math.nan
    scores = [[1.0] * 30, [0.0] * 29 + [1.0], [nan] * 30]
    rows = rows_of(table_of("ranks", scores[:2]))
    assert [row["joint_set"] for row in rows] == ["1", "2"]
    result = result_of(np.array(scores[:2]))
    assert "joint_set" not in rows_of(make_table(result, "ranks"))[0]  # it was not asked for


def test_a_frame_has_the_ends_of_rank_sets_apart():
    """A and B answer alike, C is behind both."""
    scores = [[1.0] * 20 + [0.0] * 10, [1.0] * 20 + [0.0] * 10, [0.0] * 30]
    frame = table_of("ranks", scores).to_frame()
    ends = [frame[c].tolist() for c in frame.columns if c.endswith((" low", " high"))]
    assert ends == [[1, 1, 3], [2, 2, 3], [1, 1, 3], [2, 2, 3]]


def test_lower_is_first_where_lower_is_better():
    table = table_of("ranks", [[1.0] * 30, [0.0] * 29 + [1.0]], better="lower")
    assert [row["rank"] for row in rows_of(table)] == ["2", "1"]
    assert "Rank 1: the lowest mean on common questions." in table.notes


# P(A > B) beside p --------------------------------------------------------------------------------


def differences(scores, clusters=(), **said) -> dict[str, str]:
    return rows_of(
        make_table(result_of(np.asarray(scores, dtype=float), clusters, **said), "differences")
    )[0]


def test_a_small_eval_shows_the_chance_that_the_model_is_better():
    row = differences(paired(12, 7, 2, 9))
    assert row["p_greater"] == f"{brute_force(12, 7, 2, 9):.3f}"


def test_the_other_model_has_the_rest_of_the_chance():
    ours, theirs = (
        result_of(paired(12, 7, 2, 9), models=models).differences[0].p_greater
        for models in ("A,B", "B,A")
    )
    assert ours + theirs == 1.0 and ours > 0.5


@pytest.mark.parametrize(
    ("scores", "clusters"),
    [
        (paired(70, 10, 10, 10), ()),  # 100 questions
        (paired(10, 2, 2, 6) * 0.5, ()),  # not right or wrong
        (paired(10, 2, 2, 6), [f"c{i // 2}" for i in range(20)]),
        (np.repeat(paired(10, 2, 2, 6)[:, :, None], 2, axis=2), ()),  # two answers each
    ],
)
def test_no_chance_where_the_model_does_not_hold_or_p_says_enough(scores, clusters):
    assert "p_greater" not in differences(scores, clusters)


def test_a_model_with_several_answers_takes_the_chance_from_its_own_pairs_alone():
    """A and B answer once: their chance is that of the sums over all tables, whatever C does."""
    twice = np.full((3, 30, 2), math.nan)
    twice[:2, :, 0] = paired(12, 7, 2, 9)
    twice[2] = twice[0, :, :1]
    chances = {(d.model, d.baseline): d.p_greater for d in result_of(twice).differences}
    assert round(chances.pop(("A", "B")), 3) == brute_force(12, 7, 2, 9)
    assert len(chances) == 2 and all(math.isnan(p) for p in chances.values())


def test_a_pair_without_a_common_question_has_a_dash():
    nan = math.nan
    result = result_of(np.array([[1, 0, 1, nan], [1, 1, 0, nan], [nan, nan, nan, 1]]))
    chances = {(d.model, d.baseline): d.p_greater for d in result.differences}
    assert {pair for pair, p in chances.items() if math.isnan(p)} == {("A", "C"), ("B", "C")}
