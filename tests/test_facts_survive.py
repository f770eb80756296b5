"""Whatever users do to a frame of scores on its way (concat, merge, files), the same models are the
best ones and in bold, and the notes say the same of missing answers.

The logs are written here: two models whose loss is better when lower. `good` has the losses
1.0, 1.25, ... of 12 questions, `bad` the same plus 1: lower is better, so `good` is best, by the
log's own word (higher_is_better: false). `good` was run with --limit 12.
"""

import io

import pandas as pd
import pytest
from support.lm_eval_logs import line, write

from reportkit import analyse, make_table, read_scores
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.loading.declared import frame_of
from reportkit.loading.importing import import_scores
from reportkit.scores.rows import scores_frame
from reportkit.scores.run import Run
from reportkit.scores.scores import KEY, facts_of

LOSS = [1.0 + (i * 7 % 5) / 4 for i in range(12)]


def loss_log(folder, model, more, limit=None, better=False):
    rows = []
    for i, loss in enumerate(LOSS):
        row = line(i)
        del row["acc"]
        rows.append(row | {"metrics": ["loss"], "loss": loss + more + (i % 3) * more / 5})
    write(
        folder / model,
        "lang",
        rows,
        results={"alias": "lang", "loss,none": 0.5, "loss_stderr,none": "N/A"},
        higher_is_better={"lang": {"loss": better}},
        config={"model_args": f"model={model}", "limit": limit},
        model_name=model,
    )


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    loss_log(folder, "good", 0.0, limit=12)
    loss_log(folder, "bad", 1.0)
    return folder


def by_csv(frame):
    text = io.StringIO()
    frame.to_csv(text, index=False)
    text.seek(0)
    return pd.read_csv(text)


def by_parquet(frame):
    data = io.BytesIO()
    frame.to_parquet(data)
    data.seek(0)
    return pd.read_parquet(data)


def concatenated(frame):
    return pd.concat([part for _, part in frame.groupby("model", sort=False)])


def merged(frame):
    about = pd.DataFrame({"model": ["bad", "good"], "family": ["b", "g"]})
    return frame.merge(about, on="model")


def copied(frame):
    return pd.DataFrame({c: frame[c].to_list() for c in frame.columns})


WAYS = [by_csv, by_parquet, concatenated, merged, copied]


def told(scores):
    """What a reader sees of an eval: best, bold, its notes on the scores, and every number."""
    result, warnings = analyse(scores)
    table = make_table(result, "means")
    return (
        result.best,
        result.lower,
        sorted(table.bold),
        table.notes,
        repr(result.means),
        repr(result.differences),
        [w.message for w in warnings],
    )


@pytest.mark.parametrize("way", WAYS)
def test_lower_is_better_and_limited_runs_survive(logs, way):
    frame = read_scores(logs)
    result, warnings = analyse(frame)
    assert (result.best, result.lower) == (("good",), True)
    assert any("good (limit=12)" in w.message for w in warnings)
    assert any("good (limit=12)" in n for n in make_table(result, "means").notes)
    assert told(way(frame)) == told(frame)


@pytest.mark.parametrize("way", WAYS)
def test_of_a_scores_folder_too(logs, tmp_path, way):
    import_scores([logs], tmp_path / "scores")
    frame = read_scores(tmp_path / "scores")
    assert isinstance(frame["better"].dtype, pd.CategoricalDtype)  # a byte a row
    assert told(way(frame)) == told(frame)
    assert analyse(frame)[0].best == ("good",)


@pytest.mark.parametrize("way", WAYS)
def test_the_users_word_survives_too(logs, way):
    frame = read_scores(logs, decisions=Decisions(better="higher"))
    assert analyse(frame)[0].best == ("bad",)  # the larger losses, as the user says
    assert analyse(way(frame))[0].best == ("bad",)


@pytest.mark.parametrize("way", WAYS)
def test_a_declared_range_survives(tmp_path, way):
    """Scores of 1 to 10, read with their range: every interval ends inside it on every way."""
    rows = [
        f"{m},q{i},{(i * k) % 3 // 2 + 9}" for m, k in (("good", 2), ("bad", 1)) for i in range(12)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["model,question_id,score", *rows]))
    frame = read_scores(tmp_path / "t.csv", decisions=Decisions(range=[1, 10]))
    result, _ = analyse(way(frame))
    assert (result.scale.low, result.scale.high, result.scale.known) == (1.0, 10.0, "declared")
    assert told(way(frame)) == told(frame)
    import_scores([tmp_path / "t.csv"], tmp_path / "scores")
    stored = read_scores(tmp_path / "scores", decisions=Decisions(range=[1, 10]))
    assert told(way(stored))[4:6] == told(frame)[4:6]


@pytest.mark.parametrize("way", WAYS)
def test_answers_counted_as_zero_survive(tmp_path, way):
    """Of four answers of each model one failed and counts as 0: the means are 2/4 and 1/4."""
    rows = [
        f"{model},q{i},{score},{status}"
        for model, scores in {"good": (1, 1, 0, ""), "bad": (1, 0, 0, "")}.items()
        for i, (score, status) in enumerate(zip(scores, ("ok", "ok", "ok", "error"), strict=True))
    ]
    (tmp_path / "t.csv").write_text("\n".join(["model,question_id,score,status", *rows]))
    frame = read_scores(tmp_path / "t.csv", decisions=Decisions(errors="zero"))
    result, _ = analyse(way(frame))
    assert result.zeroed == (1, 1)
    assert [m.mean for m in result.means] == [0.5, 0.25]
    assert any("counted as 0: good 1, bad 1." in n for n in make_table(result, "means").notes)


@pytest.mark.parametrize("way", WAYS)
def test_answers_that_a_run_planned_and_does_not_hold_survive(way):
    """20 answers planned and 12 there: 8 are missing, 40% of 20."""
    rows = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(12)],
            "epoch": 1,
            "metric": "acc",
            "score": [float(i % 3 == 0) for i in range(12)],
            "status": "ok",
        }
    )
    runs = [Run("h", "e", model, rows, n_planned=20) for model in ("good", "bad")]
    frame = scores_frame([frame_of(run) for run in runs])
    warnings = [w.message for w in analyse(way(frame))[1] if w.code == "many-excluded"]
    assert len(warnings) == 2 and "8 of 20 planned answers (40.0%)" in warnings[0]


def test_pooled_runs_keep_which_scores_are_better(tmp_path):
    """A pooled run has no numbers of the harness any more, and they said what is better."""
    for k in (1, 2):
        loss_log(tmp_path / str(k), "good", k / 100)
        loss_log(tmp_path / str(k), "bad", 1.0 + k / 100)
    frame = read_scores(tmp_path, decisions=Decisions(runs="pool"))
    assert len(frame) == 4 * 12
    assert analyse(frame)[0].best == ("good",)


def test_a_frame_carries_one_record_and_no_list(logs):
    frame = read_scores(logs)
    assert list(frame.attrs) == [KEY] and len(facts_of(frame).runs) == 2
    part = frame[frame["model"] == "good"]
    assert facts_of(part) is facts_of(frame)  # copied for nothing
    assert facts_of(frame.merge(pd.DataFrame({"model": ["good"]}), on="model")).runs == ()


def test_frames_of_two_readings_together_keep_neither_facts_nor_lose_a_number(logs, tmp_path):
    one, two = read_scores(logs / "good"), read_scores(logs / "bad")
    both = pd.concat([one, two])
    assert facts_of(both).runs == ()
    assert analyse(both)[0].best == ("good",) and analyse(both)[0].limited() == {"good": "limit=12"}


def test_rows_that_disagree_on_the_direction_are_refused():
    rows = pd.DataFrame(
        {
            "model": ["A", "A", "B", "B"],
            "question_id": ["p", "q", "p", "q"],
            "score": [0.1, 0.4, 0.2, 0.9],
            "better": ["lower", "lower", "higher", "higher"],
        }
    )
    with pytest.raises(ScoresError, match="2 rows say that lower scores are better, and 2 that"):
        analyse(rows)
    assert analyse(rows, better="lower")[0].lower is True  # a decision settles it
    assert analyse(rows.assign(better=["lower", "lower", None, None]))[0].lower is True


def test_a_complex_score_is_no_number():
    rows = pd.DataFrame({"model": ["A", "A"], "question_id": ["p", "q"], "score": [1j, 2j]})
    with pytest.raises(ScoresError, match="'score': not a number in 2 of 2 rows"):
        analyse(rows)
