"""Macro averages of models over several evals."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.scores_made import frame_of, result_of, rows_of

from reportkit import stats
from reportkit.analysis import analyse
from reportkit.analysis.macro import macro_results
from reportkit.cli import commands
from reportkit.errors import ScoresError
from reportkit.tables import make_table

RNG = np.random.default_rng(5)
SIZES = {"big": 400, "mid": 120, "small": 60}
SCORES = {
    name: np.clip(RNG.normal([[0.5], [0.6]], 0.2, (2, n)), 0.01, 0.99) for name, n in SIZES.items()
}

FIRST = result_of([[1.0, 0.0]], eval="x")


@pytest.fixture(scope="module")
def results():
    return [result_of(scores, eval=name) for name, scores in SCORES.items()]


def test_every_eval_weighs_the_same(results):
    """The mean of three means, and sqrt(sum s^2 / n) / 3, from numpy."""
    for row, model in zip(macro_results(results), (0, 1), strict=True):
        xs = [scores[model] for scores in SCORES.values()]
        v = np.array([x.var(ddof=1) / len(x) / 9 for x in xs])
        assert row.mean == pytest.approx(np.mean([x.mean() for x in xs]), abs=1e-12)
        assert row.se == pytest.approx(math.sqrt(v.sum()), rel=1e-12)
        df = v.sum() ** 2 / sum(p**2 / (len(x) - 1) for p, x in zip(v, xs, strict=True))
        assert row.df == pytest.approx(df, rel=1e-12)
        assert (row.n_evals, row.n_all, row.n_questions) == (3, 3, 580)
        # Not the mean of all questions, which the big eval would rule.
        assert abs(row.mean - np.concatenate(xs).mean()) > 1e-4


def test_the_interval_joins_those_of_the_evals(results):
    means = [r.means[0] for r in results]
    row = macro_results(results)[0]
    low = row.mean - math.sqrt(sum((m.mean - m.ci_low) ** 2 for m in means)) / 3
    high = row.mean + math.sqrt(sum((m.ci_high - m.mean) ** 2 for m in means)) / 3
    assert (row.ci_low, row.ci_high) == pytest.approx((low, high), abs=1e-12)
    # With large evals it is the t interval, to 1%.
    assert row.ci_high - row.mean == pytest.approx(1.97 * row.se, rel=0.02)


@pytest.mark.slow
def test_the_intervals_cover():
    """2,000 draws of three evals with means .97, .9 and .6: covered in .95, within 3 errors (.015)
    below, and not by width alone: at most .985.
    """
    rng = np.random.default_rng(1)
    truth, sizes, inside = (0.97, 0.9, 0.6), (60, 150, 40), 0
    for _ in range(2000):
        made = []
        for p, n, name in zip(truth, sizes, "xyz", strict=True):
            scores = (rng.random(n) < p).astype(float)
            e = stats.mean_estimate(scores)
            i = stats.mean_interval(scores, binary=True, share=True)
            mean = replace(
                FIRST.means[0],
                mean=e.value,
                se=e.se,
                df=e.df,
                n_questions=n,
                ci_low=i.low,
                ci_high=i.high,
            )
            made.append(replace(FIRST, eval=name, means=(mean,), held=b""))  # other questions
        row = macro_results(made)[0]
        inside += row.ci_low <= sum(truth) / 3 <= row.ci_high
    assert 0.935 <= inside / 2000 <= 0.985


def test_a_model_without_an_eval_has_no_average(results):
    alone = result_of(SCORES["small"][:1], eval="alone")
    rows = macro_results([*results, alone])
    assert not math.isnan(rows[0].mean)
    assert math.isnan(rows[1].mean) and math.isnan(rows[1].se) and rows[1].n_evals == 3
    table = make_table([*results, alone], "macro")
    cells = rows_of(table)[1]
    assert cells["macro"] == cells["ci"] == cells["eval:alone"] == "—" and cells["evals"] == "3"
    assert any("the model has no score of some eval" in note for note in table.notes)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda r: r[:1], "give two or more"),
        (lambda r: [*r, replace(r[0], metric="other")], "'big' is there twice"),
        (
            lambda r: [*r, result_of(SCORES["small"] * 7, eval="scale")],
            "eval 'big' has scores from 0 to 1 and eval 'scale' has scores in units of its own",
        ),
        (
            lambda r: [
                result_of(SCORES["small"] * 7, eval="seven", range=(0, 7)),
                result_of(SCORES["small"] * 7, eval="ten", range=(0, 10)),
            ],
            "eval 'seven' has scores from 0 to 7 and eval 'ten' has scores from 0 to 10",
        ),
        (
            lambda r: [*r, replace(r[0], eval="loss", lower=True, held=b"")],
            "'big' has scores of which higher is better and eval 'loss' has scores of which lower",
        ),
    ],
)
def test_what_has_no_average_is_refused(make, why, results):
    with pytest.raises(ScoresError, match=why):
        make_table(make(results), "macro")


def test_what_the_table_prints(results):
    table = make_table(results, "macro")
    first = rows_of(table)[0]
    xs = [scores[0] for scores in SCORES.values()]
    mean = np.mean([x.mean() for x in xs])
    se = math.sqrt(sum(x.var(ddof=1) / len(x) for x in xs)) / 3
    assert first["macro"] == f"{100 * mean:.1f}% ({100 * se:.1f}%)"
    assert first["eval:mid"] == f"{100 * xs[1].mean():.1f}%"
    place = [c.key for c in table.columns].index("eval:mid")
    assert table.values[0][place] == pytest.approx(xs[1].mean())
    assert table.notes[0].startswith("Macro average: the mean of a model's means on these 3 evals.")
    assert table.title == "Macro averages (standard error) of 2 models over 3 evals."
    assert not table.bold  # nothing is tested here
    notes = " ".join(table.notes)
    assert "Every eval weighs the same" in notes and "taken as independent" in notes
    frame = table.to_frame()
    assert frame["Macro average"][0] == pytest.approx(mean, abs=1e-12)
    assert make_table(results, "macro", "ci").columns[2].key == "evals"
    many = [replace(r, eval=f"{r.eval}{i}", held=b"") for i in range(3) for r in results]
    assert [c.key for c in make_table(many, "macro").columns] == ["model", "macro", "ci", "evals"]


def test_the_command_prints_it(tmp_path, results):
    file = tmp_path / "all.csv"
    frames = [frame_of(scores, eval=name) for name, scores in SCORES.items()]
    pd.concat(frames).to_csv(file, index=False)
    done = CliRunner().invoke(commands, ["table", "macro", str(file)], catch_exceptions=False)
    assert done.exit_code == 0 and "Macro average (SE)" in done.stdout
    assert f"{100 * macro_results(results)[1].mean:.1f}%" in done.stdout
    again = make_table([analyse(pd.concat(frames), name)[0] for name in SCORES], "macro")
    assert again.cells == make_table(results, "macro").cells
    done = CliRunner().invoke(commands, ["table", "macro", str(file), "--eval", "big"])
    assert isinstance(done.exception, ScoresError)
