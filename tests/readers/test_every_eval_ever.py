"""every-eval-ever: what its converters write is read without their zeros for errors, and our export
is what it demands.
"""

import json
import math
import re
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
from support.places import LOGS, needs

from reportkit import read_scores
from reportkit.analysis import analyse
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File
from reportkit.loading.export import export
from reportkit.readers import every_eval_ever as eee
from reportkit.scores.run import Run
from reportkit.scores.scores import facts_of
from reportkit.stats import mean_estimate

HELM = LOGS / "helm"
ID = "0f6d2c1e-0000-4000-8000-000000000001"

# What schema 0.3.0 demands of the fields that the export writes, from eval.schema.json and
# instance_level_eval.schema.json of every-eval-ever 0.3.0; stricter, as no other field may stand
# there. The package itself needs Python 3.12 and 450 MB.
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def closed(optional=(), **properties):
    return {
        "type": "object",
        "properties": properties,
        "required": [p for p in properties if p not in optional],
        "additionalProperties": False,
    }


SAMPLE = closed(
    schema_version={"const": "0.3.0"},
    evaluation_id=TEXT,
    model_id=TEXT,
    evaluation_name=TEXT,
    evaluation_result_id=TEXT,
    sample_id=TEXT,
    interaction_type={"const": "single_turn"},
    input=closed(raw=TEXT, reference={"type": "array", "items": TEXT}),
    output=closed(raw={"type": "array", "items": TEXT}),
    answer_attribution={"type": "array", "maxItems": 0},
    evaluation=closed(score={"type": "number"}, is_correct={"type": "boolean"}),
    metadata=TEXTS,
)
BOUND = {"oneOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity"]}]}
RESULT = closed(
    evaluation_result_id=TEXT,
    evaluation_name=TEXT,
    source_data=closed(dataset_name=TEXT, source_type={"const": "other"}),
    metric_config=closed(
        metric_name=TEXT,
        lower_is_better={"type": "boolean"},
        min_score=BOUND,
        max_score=BOUND,
        score_type={"enum": ["binary", "continuous"]},
    ),
    score_details=closed(
        score={"type": "number"},
        details=TEXTS,
        uncertainty=closed(
            ["standard_error"],
            num_samples=COUNT,
            standard_error=closed(value={"type": "number", "exclusiveMinimum": 0}, method=TEXT),
        ),
    ),
)
AGGREGATE = closed(
    schema_version={"const": "0.3.0"},
    evaluation_id=TEXT,
    retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
    source_metadata=closed(
        source_name=TEXT,
        source_type={"const": "evaluation_run"},
        source_organization_name=TEXT,
        evaluator_relationship={"enum": ["first_party", "third_party", "collaborative", "other"]},
    ),
    eval_library=closed(name=TEXT, version=TEXT),
    model_info=closed(
        name=TEXT,
        id={"type": "string", "pattern": "/"},
        additional_details=closed(
            deployment_type={"enum": ["self_deployed", "externally_managed", "unknown"]},
            model_availability={"enum": ["open_weights", "closed_weights", "unknown"]},
        ),
    ),
    evaluation_results={"type": "array", "items": RESULT, "minItems": 1},
    detailed_evaluation_results=closed(
        format={"const": "jsonl"},
        file_path=TEXT,
        hash_algorithm={"const": "sha256"},
        checksum=TEXT,
        total_rows=COUNT,
        additional_details=TEXTS,
    ),
)
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def sample(id, score, **more):
    """One line as the converters of every-eval-ever 0.3.0 write it."""
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "e",
        "model_id": "org/m",
        "evaluation_name": "math",
        "evaluation_result_id": "match:accuracy",
        "sample_id": id,
        "interaction_type": "single_turn",
        "input": {"raw": f"What is {id}?", "reference": ["4"], "choices": None},
        "output": {"raw": ["4"]},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1.0},
        "error": None,
        "metadata": {"stop_reason": "stop", "epoch": "1"},
    } | more


def result(id="match:accuracy", score=0.5, se=None, method="analytic", metric="accuracy", **config):
    uncertainty = (
        {} if se is None else {"uncertainty": {"standard_error": {"value": se, "method": method}}}
    )
    return {
        "evaluation_result_id": id,
        "evaluation_name": "math",
        "metric_config": {"metric_name": metric} | config,
        "score_details": {"score": score} | uncertainty,
    }


def write(folder: Path, samples, results=None):
    if results is not None:
        told = {
            "schema_version": "0.3.0",
            "evaluation_id": "e",
            "retrieved_timestamp": "1700000000.5",
            "evaluation_timestamp": "1700000000",
            "eval_library": {"name": "inspect_ai", "version": "0.3.285"},
            "model_info": {"id": "org/m"},
            "evaluation_results": results,
        }
        (folder / f"{ID}.json").write_text(json.dumps(told))
    (folder / f"{ID}{eee.ENDING}").write_text("".join(json.dumps(s) + "\n" for s in samples))
    return File(str(folder / f"{ID}{eee.ENDING}"))


# Reading ------------------------------------------------------------------------------------------


def test_an_errored_sample_loses_the_zero_that_the_converter_gave_it(tmp_path):
    file = write(
        tmp_path, [sample("a", 1.0), sample("b", 0.0, error="timeout")], [result(score=0.5)]
    )
    (run,) = eee.read(file)
    assert run.rows["status"].to_list() == ["ok", "error"] and run.rows[
        "score"
    ].isna().to_list() == [False, True]
    assert (
        run.rows["score_raw"][1] == "0.0"
        and "errored samples as 0" in run.harness_metrics[0].reason
    )


def test_mean_and_standard_error_of_the_aggregate_are_there_to_compare(tmp_path):
    scores = [1.0, 0.0, 0.0, 1.0, 1.0]
    ours = mean_estimate(pd.Series(scores).to_numpy())
    # the definition in the schema: SD / sqrt(n)
    told = result(score=sum(scores) / 5, se=pd.Series(scores).sem())
    (run,) = eee.read(write(tmp_path, [sample(str(k), s) for k, s in enumerate(scores)], [told]))
    (theirs,) = run.harness_metrics
    assert abs(ours.value - theirs.mean) < 1e-9 and abs(ours.se - theirs.se) < 1e-9
    assert (theirs.metric, theirs.how, theirs.reason) == ("accuracy", "mean", "")
    # 1700000000
    assert (run.harness_version, run.created) == ("0.3.285", "2023-11-14T22:13:20+00:00")


def test_another_way_to_the_standard_error_is_said(tmp_path):
    (run,) = eee.read(write(tmp_path, [sample("a", 1.0)], [result(se=0.1, method="bootstrap")]))
    assert (
        run.harness_metrics[0].how == "bootstrap" and "bootstrap" in run.harness_metrics[0].reason
    )


def test_each_result_is_a_metric_and_two_of_one_name_keep_their_ids(tmp_path):
    samples = [
        sample("a", s, evaluation_result_id=i)
        for s, i in ((1.0, "x:acc"), (0.0, "y:acc"), (0.5, "f1"))
    ]
    told = [result("x:acc", metric="acc"), result("y:acc", metric="acc"), result("f1", metric="F1")]
    (run,) = eee.read(write(tmp_path, samples, told))
    assert run.rows["metric"].to_list() == ["x:acc", "y:acc", "F1"] and run.headline == "x:acc"


def test_epochs_stand_in_the_metadata_or_are_counted(tmp_path):
    samples = [sample("a", 1.0, metadata={"epoch": e}) for e in ("2", "1")] + [
        sample("b", 1.0, metadata=None)
    ] * 2
    (run,) = eee.read(write(tmp_path, samples, [result()]))
    assert run.rows["epoch"].to_list() == [2, 1, 1, 2]


def test_metadata_are_columns_and_texts_make_the_hash(tmp_path):
    (run,) = eee.read(write(tmp_path, [sample("a", 1.0), sample("b", 1.0)], [result()]))
    assert (
        run.rows["metadata.stop_reason"].to_list() == ["stop"] * 2
        and run.rows["content_hash"].nunique() == 2
    )


def test_samples_without_their_aggregate_are_read_with_a_note(tmp_path):
    (run,) = eee.read(write(tmp_path, [sample("a", 1.0)]))
    assert (
        run.rows["metric"].to_list() == ["match:accuracy"] and "no aggregate file" in run.notes[0]
    )


def test_results_without_samples_are_refused(tmp_path):
    write(tmp_path, [sample("a", 1.0)], [result()])
    (tmp_path / f"{ID}{eee.ENDING}").unlink()
    with pytest.raises(ScoresError, match="results without samples: add"):
        read_scores(tmp_path)


@pytest.mark.parametrize(
    "line", ["{", "[1]", "", '{"evaluation_id": 1, "sample_id": null, "interaction_type": 2}']
)
def test_a_broken_line_is_named(tmp_path, line):
    file = write(tmp_path, [sample("a", 1.0)])
    with open(file.path, "a") as out:
        out.write(line or "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))
    with pytest.raises(BrokenFile, match="line 2: "):
        eee.read(file)


def test_scores_that_are_no_numbers_are_unscored(tmp_path):
    samples = [sample(str(k), s) for k, s in enumerate([math.nan, None, "1", math.inf, 1])]
    (run,) = eee.read(write(tmp_path, samples, [result()]))
    assert run.rows["status"].to_list() == ["unscored"] * 4 + ["ok"]


# Writing ------------------------------------------------------------------------------------------


def frame(**more):
    columns = {
        "eval": "math",
        "model": ["a/x"] * 6 + ["y"] * 6,
        "question_id": ["q1", "q1", "q2", "q2", "q3", "q3"] * 2,
        "epoch": [1, 2] * 6,
        "metric": "acc",
        "score": [1, 0, 1, 1, math.nan, math.nan, 1, 1, 0, 0, 1, 0.0],
        "status": (["ok"] * 4 + ["error", "unscored"]) + ["ok"] * 6,
        "cluster_id": None,
    } | more
    return pd.DataFrame(columns)


def written(paths):
    told = [json.loads(p.read_text()) for p in paths]
    lines = [
        [json.loads(x) for x in p.with_name(p.stem + eee.ENDING).read_text().splitlines()]
        for p in paths
    ]
    return told, lines


def test_the_export_is_what_the_schema_demands(tmp_path):
    told, lines = written(export(frame(), tmp_path))
    for aggregate, samples in zip(told, lines, strict=True):
        jsonschema.validate(aggregate, AGGREGATE)
        assert aggregate["detailed_evaluation_results"]["total_rows"] == len(samples)
        for s in samples:
            jsonschema.validate(s, SAMPLE)
            assert (
                s["evaluation_id"] == aggregate["evaluation_id"]
                and s["model_id"] == aggregate["model_info"]["id"]
            )


def test_files_lie_where_the_store_wants_them(tmp_path):
    paths = export(frame(), tmp_path)
    assert [p.relative_to(tmp_path).parent.as_posix() for p in paths] == [
        "data/math/a/x",
        "data/math/unknown/y",
    ]
    for path, aggregate in zip(paths, written(paths)[0], strict=True):
        assert re.fullmatch(UUID4, path.stem)
        beside = path.with_name(path.stem + eee.ENDING).relative_to(tmp_path).as_posix()
        assert aggregate["detailed_evaluation_results"]["file_path"] == beside


def test_an_answer_without_a_score_is_left_out_and_counted_never_zero(tmp_path):
    told, lines = written(export(frame(), tmp_path))
    details = told[0]["evaluation_results"][0]["score_details"]
    assert [s["sample_id"] for s in lines[0]] == ["q1", "q1", "q2", "q2"]
    assert details["details"] == {
        "n_error": "1",
        "n_unscored": "1",
        "n_questions": "2",
        "n_answers": "4",
    }
    assert details["score"] == 0.75  # the mean of q1's 0.5 and q2's 1


def test_epoch_and_cluster_travel_as_text_and_the_standard_error_is_clustered(tmp_path):
    clusters = ["p", "p", "p", "p", "q", "q"] * 2
    told, lines = written(export(frame(cluster_id=clusters), tmp_path))
    assert lines[1][1]["metadata"] == {"epoch": "2", "cluster_id": "p"}
    expected = mean_estimate(
        pd.Series([1.0, 0.0, 0.5]).to_numpy(), pd.Series(["p", "p", "q"]).to_numpy()
    )
    se = told[1]["evaluation_results"][0]["score_details"]["uncertainty"]["standard_error"]
    assert se == {"value": expected.se, "method": eee.CLUSTERED}


def test_a_range_goes_out_and_comes_back(tmp_path):
    """Of a file of others too; not one that its own samples leave, or are shares beside."""
    scores = [1.0, 2, 7, 10] * 3
    ours = frame(score=scores, status="ok", score_range="1,10")
    told, _ = written(export(ours, tmp_path / "ours"))
    config = told[0]["evaluation_results"][0]["metric_config"]
    assert (config["min_score"], config["max_score"]) == (1.0, 10.0)
    assert analyse(read_scores(tmp_path / "ours"))[0].scale.known == "declared"
    for bounds, given, known in (
        ((0, 100), [3.0, 70.0], "declared"),
        ((0, 100), [3.0, 170.0], ""),
        ((0, 100), [0.3, 0.7], ""),
        ((0, "Infinity"), [3.0, 70.0], ""),
    ):
        told = result(min_score=bounds[0], max_score=bounds[1])
        folder = tmp_path / f"{bounds}{given}"
        folder.mkdir()
        write(folder, [sample(str(k), x) for k, x in enumerate(given)], [told])
        assert analyse(read_scores(folder))[0].scale.known == known


def test_the_same_scores_give_the_same_bytes(tmp_path):
    first, second = export(frame(), tmp_path / "1"), export(frame(), tmp_path / "2")
    assert [p.name for p in first] == [p.name for p in second]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_a_model_without_any_score_is_refused(tmp_path):
    with pytest.raises(ScoresError, match="'y' has no score"):
        export(frame(score=[1.0] * 6 + [math.nan] * 6, status=["ok"] * 6 + ["error"] * 6), tmp_path)


def test_names_never_leave_the_folder(tmp_path):
    inside = tmp_path / "out"
    paths = export(frame(eval="../../x", model=["../../../y"] * 12, epoch=range(12)), inside)
    assert all(p.resolve().is_relative_to(inside.resolve()) for p in paths)
    assert read_scores(inside)["eval"].unique() == ["../../x"]


def test_our_own_export_comes_back(tmp_path):
    export(
        frame(
            cluster_id=["p", "p", "p", "p", "q", "q"] * 2, content_hash=["0123456789abcdef"] * 12
        ),
        tmp_path,
    )
    back = read_scores(tmp_path)
    ours = frame()[frame()["score"].notna()].reset_index(drop=True)
    for column in ("eval", "model", "question_id", "epoch", "metric", "score"):
        assert back[column].to_list() == ours[column].to_list()
    assert set(back["cluster_id"]) == {"p", "q"} and set(back["content_hash"]) == {
        "0123456789abcdef"
    }
    first, second = (r.harness_metrics[0] for r in facts_of(back).runs)
    assert math.isnan(first.se) and second.how == "cr2"  # all that a/x answered is of one cluster


def test_answers_without_a_score_are_still_planned_when_the_export_comes_back(tmp_path):
    # 100 questions of which "a/x" left 20 as errors: 20 %, where the warning begins at 5 %.
    ids = [f"q{k}" for k in range(100)]
    scores = [math.nan] * 20 + [k % 2 for k in range(80)] + [k % 2 for k in range(100)]
    ours = pd.DataFrame(
        {
            "eval": "math",
            "model": ["a/x"] * 100 + ["a/y"] * 100,
            "question_id": ids * 2,
            "epoch": 1,
            "metric": "acc",
            "score": scores,
            "status": ["error"] * 20 + ["ok"] * 180,
            "cluster_id": None,
        }
    )
    export(ours, tmp_path)
    back = read_scores(tmp_path)
    assert [r.n_planned for r in facts_of(back).runs] == [100, 100]
    assert ["20 error" in " ".join(r.notes) for r in facts_of(back).runs] == [True, False]
    (before, after) = (
        [w for w in analyse(f)[1] if w.code == "many-excluded"] for f in (ours, back)
    )
    assert [w.model for w in before] == [w.model for w in after] == ["a/x"]
    assert "20 of 100 planned answers (20.0%) are excluded" in after[0].message


def test_what_a_run_planned_and_never_logged_goes_out_and_comes_back(tmp_path):
    rows = frame().query("model == 'y'").drop(columns=["eval", "model", "cluster_id"])
    export([Run("h", "math", "a/y", rows, n_planned=10)], tmp_path)  # 6 answers are there
    (run,) = facts_of(read_scores(tmp_path)).runs
    assert run.n_planned == 10 and any("4 missing" in n for n in run.notes)


def test_counts_of_other_files_are_not_ours(tmp_path):
    told = result()
    told["score_details"]["details"] = {"n_error": "9", "n_answers": "1"}
    assert eee.read(write(tmp_path, [sample("a", 1.0)], [told]))[0].n_planned == 0


@needs(HELM)
def test_real_runs_go_out_and_come_back(tmp_path):
    ours = read_scores(HELM, Decisions(cluster="extra_data.passage_id"))
    told, lines = written(
        export(ours, tmp_path, organization="us", relationship="first_party", retrieved=1)
    )
    for aggregate, samples in zip(told, lines, strict=True):
        jsonschema.validate(aggregate, AGGREGATE)
        jsonschema.validate(samples[0], SAMPLE)
        assert aggregate["eval_library"]["name"] == "helm"
    key = ["model", "metric", "question_id", "epoch"]
    back = read_scores(tmp_path).set_index(key).loc[ours.set_index(key).index].reset_index()
    for column in ("score", "cluster_id", "content_hash"):
        assert back[column].to_list() == ours[column].to_list()
