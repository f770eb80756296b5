"""What a report says of its models agrees with itself: bold, marks, ranks, adjusted p, findings.

On data that hypothesis makes (missing scores, clusters, repeats, ties, few questions, losses), and
on every data set of shared/data.
"""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.places import DATA, needs
from support.sweeps import but_slow

from reportkit.analysis import analyse
from reportkit.documents.prose import findings
from reportkit.results import DifferenceResult, EvalResult
from reportkit.scores.frames import scores_of
from reportkit.tables import make_table

LONG = ("bfcl_v1.parquet", "livebench_2025_01.parquet")
EVALS = 6  # of one file: the others are of the same kind
NAMES = (
    "alpaca_eval_2.parquet",
    "bbh_codex.csv.gz",
    "bfcl_v1.parquet",
    "boolq_next_token.parquet",
    "gsm8k_openai_solutions.csv.gz",
    "gsm_symbolic_eng_dan.parquet",
    "kaenguruen.csv.gz",
    "lambada_next_token.parquet",
    "langchain_tool_use.csv.gz",
    "livebench_2025_01.parquet",
    "mmlu_pro.parquet",
    "routellm_gsm8k.csv.gz",
    "routellm_mmlu.parquet",
    "swebench_verified_bash_only.csv.gz",
    "tatqa_pot.csv.gz",
    "tau_bench_airline_gpt4o.csv.gz",
    "tot_game24.parquet",
    "wildbench.parquet",
)


def check(r: EvalResult) -> None:
    """R1 (b), (c) and (d) of statistics.md, section 7."""
    scored = [m for m in r.means if m.mean == m.mean]
    if len(scored) < 2:
        assert r.best == r.untold == ()
    else:
        check_bold(r)
        check_ranks(r, len(scored))
    check_comparisons(r)


def behind(d: DifferenceResult, r: EvalResult) -> str:
    """The model that scored worse on the common questions; empty where neither did."""
    if d.difference == 0.0:
        return ""
    return d.model if (d.difference < 0.0) != r.lower else d.baseline


def check_bold(r: EvalResult) -> None:
    """Never bold: without a test, below a mean that is not bold, or behind by a printed adjusted p.

    And no larger than Bonferroni's set over M - 1 one-sided tests.
    """
    sign = -1.0 if r.lower else 1.0
    means = {m.model: sign * m.mean for m in r.means if m.mean == m.mean}
    tested = {x for d in r.pairs if d.p_value == d.p_value for x in (d.model, d.baseline)}
    tie = 1e-12 * max(map(abs, means.values()))
    bold = set(r.best)
    assert bold <= tested & set(means)
    for b in bold:
        assert all(x in bold for x, mean in means.items() if mean > means[b] + tie)
    for d in (*r.differences, *r.pairs):
        if d.p_adjusted < 1.0 - r.level:
            assert behind(d, r) and behind(d, r) not in bold
    for d in r.pairs:
        if behind(d, r) in bold and d.p_value == d.p_value:
            assert d.p_value / 2.0 * (len(means) - 1) >= (1.0 - r.level) * (1 - 1e-9)


def check_ranks(r: EvalResult, scored: int) -> None:
    """Every model with a mean is bold, marked or found worse; ranks say the same."""
    for m, rank in zip(r.means, r.ranks, strict=True):
        assert (m.rank_low, m.rank_high) == (rank.low, rank.high) or math.isnan(rank.low)
        assert (m.may_be_best == "yes") == (m.model in r.best) == (rank.low == 1)
        assert (m.may_be_best == "no") == (rank.low > 1)
        assert not rank.low > rank.high and not rank.high > scored
        assert (m.model in r.untold) == (m.may_be_best == "unknown" and m.mean == m.mean)
        assert m.may_be_best != "unknown" or math.isnan(rank.low)
    if len(r.best) == 1 and not r.untold:
        assert [k.high for k in r.ranks if k.model in r.best] == [1]


def check_comparisons(r: EvalResult) -> None:
    """Whose they are; with a chosen best, interval and adjusted p are each other's dual."""
    if r.leader:
        assert not r.baseline and len(r.models) > 4
        assert {d.baseline for d in r.differences} == {r.leader}
        assert len(r.differences) == len(r.models) - 1
    elif not r.baseline:
        own, every = (
            [repr((d.model, d.baseline, d.difference, d.ci_low, d.p_adjusted)) for d in records]
            for records in (r.differences, r.pairs)
        )
        assert own == every
    for d in r.differences:
        assert not d.p_adjusted < d.p_value
        # Tango's corner, where p is McNemar's exact one, is another matter.
        if d.ci_comparisons > 1 and d.ci_low == d.ci_low and d.se > 0.0:
            assert (d.p_adjusted < 1.0 - r.level) == (d.ci_low > 0 or d.ci_high < 0)


def same_whatever_the_order(frame: pd.DataFrame, r: EvalResult, **said) -> None:
    """What is bold, who leads, and every number: not by the order of the rows."""
    again, _ = analyse(frame.iloc[::-1].reset_index(drop=True), r.eval, **said)
    assert (again.best, again.untold, again.leader) == (r.best, r.untold, r.leader)
    p = {(d.model, d.baseline): d.p_adjusted for d in again.differences}
    for d in r.differences:
        other = p.get((d.model, d.baseline), p.get((d.baseline, d.model)))
        assert other == pytest.approx(d.p_adjusted, rel=1e-6, abs=1e-12, nan_ok=True)


@st.composite
def evals(draw) -> tuple[pd.DataFrame, dict]:
    m, n = draw(st.integers(1, 8)), draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["0/1", "shares", "points", "ties"]))
    spread, shared = draw(st.sampled_from([0.0, 0.3, 1.0, 3.0])), rng.normal(size=(n, 1))
    x = shared * draw(st.sampled_from([0.0, 1.0, 5.0])) + rng.normal(size=(n, m))
    x = x + spread * rng.normal(size=m)
    if kind == "0/1":
        x = (x > draw(st.sampled_from([-2.0, 0.0, 2.0]))).astype(float)
    elif kind == "shares":
        x = 1.0 / (1.0 + np.exp(-x))
    elif kind == "ties":
        x = np.round(x)
    missing = rng.random((n, m)) < rng.choice([0.0, 0.2, 0.9], size=m)
    if draw(st.booleans()):
        missing[:] = False
    clusters = draw(st.sampled_from([0, 0, 2, 5]))
    rows = [
        {"eval": "e", "model": f"m{j}", "question_id": f"q{i:02d}", "score": x[i, j]}
        | ({"cluster_id": f"c{i // clusters}"} if clusters else {})
        for i in range(n)
        for j in range(m)
        if not missing[i, j]
    ]
    said: dict = {"level": draw(st.sampled_from([0.95, 0.95, 0.9, 0.99]))}
    if draw(st.booleans()):
        said["better"] = "lower"
    names = sorted({row["model"] for row in rows})
    if names and draw(st.booleans()):
        said["baseline"] = draw(st.sampled_from(names))
    return pd.DataFrame(rows), said


@pytest.mark.parametrize("examples", but_slow((50, 150), 150))
def test_a_report_agrees_with_itself(examples):
    settings(max_examples=examples)(given(evals())(agrees_with_itself))()


def agrees_with_itself(made) -> None:
    frame, said = made
    if frame.empty:
        return
    r, _ = analyse(frame, "e", **said)
    check(r)
    same_whatever_the_order(frame, r, **said)
    for kind in ("means", "differences", "differences-all"):
        make_table(r, kind)
    assert findings(r)


@needs(DATA)
@pytest.mark.parametrize("name", but_slow(NAMES, *LONG))
def test_a_report_of_real_data_agrees_with_itself(name):
    path = DATA / name
    frame = pd.read_parquet(path) if name.endswith("parquet") else pd.read_csv(path)
    # One file has rows twice, which a report would refuse.
    frame = frame.drop_duplicates(["eval", "model", "question_id", "sample"])
    columns = ["eval", "model", "question_id", "sample", "score"]
    if frame["cluster_id"].notna().all():
        columns.append("cluster_id")
    scores = scores_of(frame[columns])
    for eval in scores.evals[:EVALS]:
        r, _ = analyse(scores, eval)
        check(r)
        check(analyse(scores, eval, baseline=r.models[-1])[0])
