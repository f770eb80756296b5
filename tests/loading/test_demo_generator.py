"""The demonstration scores give the cells that Miller 2024 (arXiv 2411.00640) prints, by
definitions written out here.

Nothing of the package's statistics is used: loops over clusters, a dense matrix for the degrees of
freedom, root finding for Tango's interval. A wanted cell is checked with a margin, so that none
hangs on its last printed digit.
"""

import hashlib
import math

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from support.demo_generator import LANGUAGES, generated

from reportkit.analysis import analyse
from reportkit.errors import OutputError, UnknownNameError
from reportkit.loading.demo import EVALS, FILE, MODELS, demo_scores, write_demo
from reportkit.tables import make_table
from reportkit.tables.writers.render import render_table

A, B, C = MODELS
QUESTIONS = {"MATH": 5000, "HumanEval": 164, "MGSM": 2500, "RACE-H": 3498, "DROP": 9622}
CLUSTERS = {"MGSM": {10: 250}, "RACE-H": {4: 363, 3: 682}, "DROP": {17: 214, 16: 374}}
EPOCHS = {"HumanEval": 10}

# Miller 2024, Table 2 (MATH, MGSM; HumanEval as in Table 5) and Table 3 (RACE-H, DROP): mean and
# standard error in percent, Galleon then Dreadnought. HumanEval's printed 3.2 and 3.0 are
# impossible; 2.6 and 2.4 are ours.
MEANS = {
    "MATH": (("65.5", "0.7"), ("63.0", "0.7")),
    "HumanEval": (("83.6", "2.6"), ("86.7", "2.4")),
    "MGSM": (("75.3", "1.6"), ("78.0", "1.5")),
    "RACE-H": (("91.5", "0.5"), ("82.9", "0.7")),
    "DROP": (("87.1", "0.8"), ("83.1", "0.9")),
}
# Miller 2024, Tables 1 and 5: Galleon minus Dreadnought, standard error, 95% interval, correlation.
DIFFERENCES = {
    "MATH": ("+2.5", "0.7", "+1.2", "+3.8", "0.50"),
    "HumanEval": ("-3.1", "2.1", "-7.2", "+1.0", "0.64"),
    "MGSM": ("-2.7", "1.7", "-6.1", "+0.7", "0.37"),
}


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    return demo_scores()


@pytest.fixture(scope="module")
def matrices(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Question means per eval: one row a question, with its cluster; one column a model."""
    frames = {}
    for name, rows in scores.groupby("eval"):
        means = rows.groupby(["question_id", "model"])["score"].mean().unstack()
        cluster = rows.drop_duplicates("question_id").set_index("question_id")["cluster_id"]
        frames[name] = means.assign(cluster=cluster.fillna(cluster.index.to_series()))
    return frames


def cr2(values: pd.Series, clusters: pd.Series) -> tuple[float, float]:
    """Standard error (CR2) of the mean, and Satterthwaite degrees of freedom, by cluster."""
    n = len(values)
    deviations = values - values.mean()
    total, sizes = 0.0, []
    for _, members in deviations.groupby(clusters):
        m = len(members)
        total += members.sum() ** 2 / (1 - m / n)
        sizes.append(m)
    if max(sizes) == 1:
        return math.sqrt(total) / n, n - 1
    m = np.array(sizes)
    a = (1 - m / n) ** -0.5
    p = np.outer(a, a) / n**2 * (np.diag(m) - np.outer(m, m) / n)
    return math.sqrt(total) / n, np.trace(p) ** 2 / np.sum(p * p.T)


def tango(b: int, c: int, n: int) -> tuple[float, float]:
    """Where the score statistic of the paired difference (b - c)/n is 1.96 and -1.96."""

    def z(d: float) -> float:
        coefficient, constant = -b - c + (2 * n - b + c) * d, -c * d * (1 - d)
        q = (math.sqrt(coefficient**2 - 8 * n * constant) - coefficient) / (4 * n)
        return (b - c - n * d) / math.sqrt(n * (2 * q + d * (1 - d)))

    limit = stats.norm.ppf(0.975)
    return (
        optimize.brentq(lambda d: z(d) - limit, -0.5, (b - c) / n),
        optimize.brentq(lambda d: z(d) + limit, (b - c) / n, 0.5),
    )


def difference(
    frame: pd.DataFrame, first: str, second: str, *, binary: bool
) -> tuple[float, float, float, float, float]:
    """Difference, standard error, interval (all in percent) and correlation."""
    d = frame[first] - frame[second]
    se, df = cr2(d, frame["cluster"])
    half = stats.t.ppf(0.975, df) * se
    low, high = d.mean() - half, d.mean() + half
    if binary:
        low, high = tango(int((d == 1).sum()), int((d == -1).sum()), len(d))
    r = np.corrcoef(frame[first], frame[second])[0, 1]
    return 100 * d.mean(), 100 * se, 100 * low, 100 * high, r


def assert_prints(value: float, cell: str, margin: float) -> None:
    """`value` rounds to `cell`, and still does after a shift by `margin` of the last digit either
    way.
    """
    unit = 10.0 ** -len(cell.partition(".")[2])
    assert abs(value - float(cell)) < (0.5 - margin) * unit, (value, cell)


@pytest.mark.parametrize("name", EVALS)
def test_means(matrices, name):
    frame = matrices[name]
    for model, (mean, se) in zip((A, B), MEANS[name], strict=True):
        assert_prints(100 * frame[model].mean(), mean, margin=0.2)
        # HumanEval's own standard errors are ours; 2.1% and r = 0.64 keep them in the lower half of
        # the cell.
        assert_prints(
            100 * cr2(frame[model], frame["cluster"])[0],
            se,
            margin=0.04 if name == "HumanEval" else 0.2,
        )


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences(matrices, name):
    cells = DIFFERENCES[name]
    values = difference(matrices[name], A, B, binary=name == "MATH")
    for value, cell in zip(values, cells, strict=True):
        # The digits of a printed interval with its SE leave a window of a third of a unit: half of
        # that is 0.15.
        assert_prints(value, cell, margin=0.15)
        assert (value > 0) == (float(cell) > 0)


def test_math_is_the_two_by_two_table(matrices):
    # 2637/638/513/1212: the only counts of 5,000 with 3,275 and 3,150 right and r = 0.50 to three
    # digits.
    counts = pd.crosstab(matrices["MATH"][A], matrices["MATH"][B])
    assert [counts.loc[1, 1], counts.loc[1, 0], counts.loc[0, 1], counts.loc[0, 0]] == [
        2637,
        638,
        513,
        1212,
    ]
    wald = (
        stats.norm.ppf(0.975)
        * cr2(matrices["MATH"][A] - matrices["MATH"][B], matrices["MATH"]["cluster"])[0]
    )
    assert tango(638, 513, 5000) == pytest.approx((0.025 - wald, 0.025 + wald), abs=1e-4)


def test_impossible_published_cells_are_not_imitated(matrices):
    # Table 2 prints 3.2 and 3.0 for HumanEval and an unclustered .9 for Dreadnought on MGSM. Scores
    # in [0, 1] with mean p have a standard error of at most sqrt(p (1-p)/(n-1)).
    for name, printed in (("HumanEval", {A: 3.2, B: 3.0}), ("MGSM", {B: 0.9})):
        for model, se in printed.items():
            column = matrices[name][model]
            ceiling = 100 * math.sqrt(column.mean() * (1 - column.mean()) / (len(column) - 1))
            assert 100 * column.sem() <= ceiling + 1e-9
            assert ceiling < se - 0.05


def test_clustering_decides_mgsm(matrices):
    # Without clusters the same scores would show a difference (z = -2.8): the lesson of the paper's
    # section 2.2.
    d = matrices["MGSM"][A] - matrices["MGSM"][B]
    assert abs(d.mean() / d.sem()) > 2.5
    assert abs(d.mean() / cr2(d, matrices["MGSM"]["cluster"])[0]) < 1.96


def test_third_model_has_other_verdicts(matrices):
    verdicts = {}
    for name, frame in matrices.items():
        _, _, low, high, r = difference(frame, A, C, binary=name == "MATH")
        verdicts[name] = low > 0 or high < 0
        assert 0.35 < r < 0.65
        assert 0.35 < np.corrcoef(frame[B], frame[C])[0, 1] < 0.65
        assert cr2(frame[C], frame["cluster"])[0] < 0.03
    assert verdicts == {
        "MATH": False,
        "HumanEval": False,
        "MGSM": True,
        "RACE-H": True,
        "DROP": True,
    }


def test_shape(scores):
    assert list(scores) == [
        "eval",
        "model",
        "question_id",
        "cluster_id",
        "epoch",
        "metric",
        "score",
        "status",
        "fictional",
    ]
    assert tuple(scores["eval"].unique()) == EVALS == tuple(QUESTIONS)
    assert not scores.duplicated(["eval", "model", "question_id", "epoch"]).any()
    assert scores["fictional"].all() and (scores["status"] == "ok").all()
    assert scores["score"].between(0, 1).all()
    for name, rows in scores.groupby("eval"):
        assert tuple(rows["model"].unique()) == MODELS
        assert (rows["metric"] == ("f1" if name == "DROP" else "match")).all()
        for _, own in rows.groupby("model"):
            assert own["question_id"].nunique() == QUESTIONS[name]
            assert (
                own.groupby("question_id")["epoch"].agg(tuple)
                == tuple(range(1, EPOCHS.get(name, 1) + 1))
            ).all()
            sizes = own.groupby("cluster_id").size().value_counts().to_dict()
            assert sizes == CLUSTERS.get(name, {})
        if name not in CLUSTERS:
            assert all(label is None for label in rows["cluster_id"])


def test_ids(scores):
    first = scores.drop_duplicates("eval").set_index("eval")
    assert first["question_id"].tolist() == [
        "math-0001",
        "humaneval-001",
        "mgsm-001-en",
        "race-h-0001",
        "drop-0001",
    ]
    assert first.loc[["MGSM", "RACE-H", "DROP"], "cluster_id"].tolist() == [
        "problem-001", "passage-0001", "passage-0001",
    ]  # fmt: skip
    mgsm = scores[(scores["eval"] == "MGSM") & (scores["model"] == A)]
    assert mgsm["question_id"].str[-2:].value_counts().to_dict() == dict.fromkeys(LANGUAGES, 250)
    assert (mgsm["question_id"].str[5:8] == mgsm["cluster_id"].str[-3:]).all()


def test_binary_except_drop_in_hundredths(scores):
    drop = scores["eval"] == "DROP"
    assert scores.loc[~drop, "score"].isin([0.0, 1.0]).all()
    assert (scores.loc[drop, "score"] == scores.loc[drop, "score"].round(2)).all()
    partial = (scores.loc[drop, "score"] % 1 > 0).mean()
    assert 0.03 < partial < 0.3


def test_partial_credit_only_shrinks_the_unclustered_error(matrices):
    column = matrices["DROP"][A]
    assert column.sem() < 0.98 * math.sqrt(column.mean() * (1 - column.mean()) / (len(column) - 1))
    # whole answers per passage
    assert column.groupby(matrices["DROP"]["cluster"]).sum().round(9).mod(1).eq(0).all()


def test_epochs_of_a_question_are_exchangeable(scores):
    # If epochs differed, their means would spread more than chance: 10 means of 164 binary answers
    # each.
    for _, own in scores[scores["eval"] == "HumanEval"].groupby("model"):
        table = own.pivot(index="question_id", columns="epoch", values="score")
        # Cochran's Q, given each question's count
        within = (table.var(axis=1, ddof=0)).sum() * 10 / 9
        q = ((table.sum() - table.sum().mean()) ** 2).sum() / within
        assert stats.chi2.sf(q, 9) > 0.01


def test_same_scores_every_time_and_in_any_selection(scores):
    pd.testing.assert_frame_equal(scores, demo_scores())
    for name in EVALS:
        own = scores[scores["eval"] == name].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, demo_scores([name]))
    assert demo_scores(["MGSM", "MATH"])["eval"].unique().tolist() == ["MGSM", "MATH"]


def test_the_shipped_rows_are_what_the_generator_makes(scores):
    """Every cell, type and missing cluster, and the same text; on every numpy and platform."""
    made = generated()
    pd.testing.assert_frame_equal(made, scores)
    assert made.to_csv().encode() == scores.to_csv().encode()


def test_the_scores_are_those_of_the_first_report(scores):
    # The fingerprint was taken with numpy 2.4 and 1.26 when the demonstration was first made.
    hundredths = (scores["score"] * 100).round().astype("uint8").to_numpy()
    assert hashlib.sha256(hundredths.tobytes()).hexdigest()[:16] == "1cbff57760dd6e53"


def test_the_shipped_file_is_small():
    assert FILE.stat().st_size < 200_000  # bytes; 119 thousand when it was made


def test_unknown_eval_is_named():
    with pytest.raises(
        UnknownNameError, match="the demonstration has no eval 'MAHT'; did you mean 'MATH'"
    ):
        demo_scores(["MAHT"])


def test_written_files(tmp_path, scores):
    first = write_demo(tmp_path / "new" / "one")
    second = write_demo(str(tmp_path / "two"))
    assert [path.name for path in first] == [f"{name}.csv" for name in EVALS]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert b"\r" not in first[0].read_bytes()
    for name, path in zip(EVALS, first, strict=True):
        read = pd.read_csv(path)
        own = scores[scores["eval"] == name].reset_index(drop=True)
        assert list(read) == list(own)
        assert (read["score"] == own["score"]).all() and (
            read["question_id"] == own["question_id"]
        ).all()
        assert read["cluster_id"].isna().all() == (name not in CLUSTERS)


def test_scores_of_ones_own_are_no_place_for_the_demonstration(tmp_path):
    own = tmp_path / "MGSM.csv"
    own.write_text("model,question_id,score\nours,q1,1\n")
    with pytest.raises(OutputError, match="MGSM.csv: is there, and is not of the demonstration"):
        write_demo(tmp_path)
    assert [*tmp_path.iterdir()] == [own] and "ours" in own.read_text()


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_the_report_prints_the_cells_of_the_paper(scores, name):
    """Table 5 by the default intervals, as a reader sees it."""
    d, se, low, high, r = (x.replace("-", "\N{MINUS SIGN}") for x in DIFFERENCES[name])
    result, _ = analyse(scores, name, models=[A, B])
    shown = result.differences[0]
    text = render_table(make_table(result, "differences"), "md").replace("\\", "")
    assert f"| {d} ({se}) | ({low}, {high}) |" in text and f"| {r} |" in text
    assert ", in percentage points; 95% intervals: " in text
    assert shown.method == ("tango" if name == "MATH" else "t")
    means = render_table(make_table(result, "means"), "md").replace("**", "")
    for model, (mean, error) in zip((A, B), MEANS[name], strict=True):
        assert f"| {model} | {mean}% ({error}%) |" in means
