"""Writing every-eval-ever (schema 0.3.0), the format of a public store of results;
readers.every_eval_ever reads it.

The format demands a number as every sample's score. An errored or unscored answer has none, so it
is left out of the samples and counted in the result's details. Epoch, cluster and content hash go
into a sample's metadata, as text.
"""

import hashlib
import json
import math
import os
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.errors import ScoresError
from reportkit.loading.declared import frame_of
from reportkit.publishing.whole import write_whole
from reportkit.readers.every_eval_ever import CLUSTERED, UNKNOWN_DEVELOPER, WITHOUT_SCORE
from reportkit.scores.beside import planned_of
from reportkit.scores.frames import scores_of
from reportkit.scores.in_memory import is_frame
from reportkit.scores.ranges import unit_of
from reportkit.scores.rows import lower_is_better as prefers_lower
from reportkit.scores.rows import scores_frame
from reportkit.scores.run import Run, RunFacts
from reportkit.scores.scores import Scores
from reportkit.scores.select import is_share, slug
from reportkit.stats import mean_estimate

SCHEMA_VERSION = "0.3.0"


def export(
    scores: "pd.DataFrame | Scores | Sequence[Run]",
    folder: str | os.PathLike[str],
    *,
    organization: str = "unknown",
    relationship: str = "other",
    retrieved: int = 0,
    lower_is_better: Iterable[str] = (),
) -> list[Path]:
    """Scores as every-eval-ever files under folder/data/<eval>/<developer>/<model>/; returns the
    aggregate files.

    scores: a frame of read_scores, or runs. organization and relationship (first_party,
    third_party, collaborative, other): who evaluates, and as what. retrieved: seconds since 1970;
    without it 0, so that the same scores give the same bytes. lower_is_better: names of metrics,
    beside those of which the logs say it. The score of a result is the mean over questions of their
    means over epochs, with its standard error, clustered where cluster_id says so. is_correct is
    "the score is 1", for the format demands it. A model's id is "developer/model"; one without a
    developer becomes unknown/model, which the public store does not take. Raises ScoresError where
    a model has no score on an eval: the format cannot say that.
    """
    if is_frame(scores):
        scores = scores_of(scores)
        frame = scores.rows
        known: Sequence[RunFacts] = scores.facts.runs
    else:
        frame = scores_frame([frame_of(r) for r in scores])
        known = scores
    runs = {(r.eval, r.model): r for r in known}
    given, written = set(lower_is_better), []
    for (name, model), rows in frame.groupby(["eval", "model"], sort=False):
        run = runs.get((str(name), str(model)), RunFacts("", str(name), str(model)))
        model_id = str(model) if "/" in str(model) else f"{UNKNOWN_DEVELOPER}{model}"
        evaluation_id = f"{name}/{model_id}/{retrieved}"
        planned = max(run.n_planned, planned_of(rows))
        lower = given | {m.metric for m in run.harness_metrics if m.lower_is_better}
        by_metric = rows.groupby("metric", sort=False)
        results = [
            _result(str(name), str(m), part, m in lower or prefers_lower(part), planned)
            for m, part in by_metric
        ]
        results = [r for r in results if r]
        if not results:
            raise ScoresError(
                f"eval {name!r}: model {model!r} has no score; every-eval-ever cannot say that; "
                "leave it out"
            )
        lines = "".join(_line(s) for s in _samples(rows, evaluation_id, model_id, str(name)))
        developer, _, rest = model_id.partition("/")
        inside = Path("data", slug(str(name)), slug(developer), slug(rest))
        id = uuid.UUID(bytes=hashlib.sha256(lines.encode()).digest()[:16], version=4)
        target = Path(folder) / inside
        target.mkdir(parents=True, exist_ok=True)
        write_whole(target / f"{id}_samples.jsonl", lines.encode())
        aggregate = {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": evaluation_id,
            "retrieved_timestamp": str(retrieved),
            "source_metadata": {
                "source_name": "reportkit",
                "source_type": "evaluation_run",
                "source_organization_name": organization,
                "evaluator_relationship": relationship,
            },
            "eval_library": {
                "name": run.harness or "unknown",
                "version": run.harness_version or "unknown",
            },
            "model_info": {
                "name": str(model),
                "id": model_id,
                "additional_details": {
                    "deployment_type": "unknown",
                    "model_availability": "unknown",
                },
            },
            "evaluation_results": results,
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": (inside / f"{id}_samples.jsonl").as_posix(),
                "hash_algorithm": "sha256",
                "checksum": hashlib.sha256(lines.encode()).hexdigest(),
                "total_rows": lines.count("\n"),
                "additional_details": {
                    "is_correct": "whether the score is 1",
                    "left_out": "answers without a score (errors, unscored), counted in each "
                    "result's details",
                    "texts": "inputs and outputs are not held by reportkit: empty",
                },
            },
        }
        written.append(target / f"{id}.json")
        told = json.dumps(aggregate, indent=2, allow_nan=False) + "\n"
        write_whole(written[-1], told.encode())
    return written


def _line(sample: dict[str, Any]) -> str:
    # Escaped to ASCII: line ends of other scripts would break a line for some readers.
    return json.dumps(sample, allow_nan=False) + "\n"


def _result(
    name: str, metric: str, rows: pd.DataFrame, lower: bool, planned: int
) -> dict[str, Any] | None:
    """A metric's result, or None where no answer has a score."""
    scored = rows[rows["score"].notna()]
    if not len(scored):
        return None
    means = scored.groupby("question_id", sort=False)["score"].mean()
    clusters = None
    if "cluster_id" in scored.columns and scored["cluster_id"].notna().all():
        clusters = scored.groupby("question_id", sort=False)["cluster_id"].first().to_numpy()
    estimate = mean_estimate(means.to_numpy(), clusters)
    low, high = float(scored["score"].min()), float(scored["score"].max())
    config: dict[str, Any] = {"metric_name": metric, "lower_is_better": lower}
    if set(scored["score"].unique()) <= {0.0, 1.0}:
        config |= {"score_type": "binary", "min_score": 0, "max_score": 1}
    else:
        bounds = unit_of(rows).ends or ("-Infinity", "Infinity")
        if is_share(low, high):
            bounds = (0, 1)
        config |= {"score_type": "continuous", "min_score": bounds[0], "max_score": bounds[1]}
    status = (
        rows["status"]
        if "status" in rows.columns
        else rows["score"].notna().map({True: "ok", False: "unscored"})
    )
    counts = status.value_counts()
    details = {f"n_{s}": str(int(counts[s])) for s in WITHOUT_SCORE if s in counts}
    details |= {"n_questions": str(len(means)), "n_answers": str(len(scored))}
    details |= {"n_planned": str(planned)} if planned > len(rows) else {}
    uncertainty: dict[str, Any] = {"num_samples": len(means)}
    if math.isfinite(estimate.se):
        how = "analytic" if clusters is None else CLUSTERED
        uncertainty["standard_error"] = {"value": estimate.se, "method": how}
    return {
        "evaluation_result_id": metric,
        "evaluation_name": name,
        "source_data": {"dataset_name": name, "source_type": "other"},
        "metric_config": config,
        "score_details": {"score": estimate.value, "details": details, "uncertainty": uncertainty},
    }


def _samples(
    rows: pd.DataFrame, evaluation_id: str, model_id: str, name: str
) -> Iterable[dict[str, Any]]:
    scored = rows[rows["score"].notna()]
    extra = {c: scored[c].to_list() for c in ("cluster_id", "content_hash") if c in scored.columns}
    epochs = scored["epoch"].to_list() if "epoch" in scored.columns else [1] * len(scored)
    for i, (question, metric, score) in enumerate(
        zip(scored["question_id"], scored["metric"], scored["score"], strict=True)
    ):
        yield {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": evaluation_id,
            "model_id": model_id,
            "evaluation_name": name,
            "evaluation_result_id": str(metric),
            "sample_id": str(question),
            "interaction_type": "single_turn",
            "input": {"raw": "", "reference": []},
            "output": {"raw": []},
            "answer_attribution": [],
            "evaluation": {"score": float(score), "is_correct": bool(score == 1.0)},
            "metadata": {"epoch": str(epochs[i])}
            | {c: str(v[i]) for c, v in extra.items() if isinstance(v[i], str)},
        }
