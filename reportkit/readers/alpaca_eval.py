"""AlpacaEval: annotations.json, a judge's preferences between a reference (generator_1) and a model
(generator_2).

Field names and rules read in alpaca_eval 0.6.6 (main.py, metrics/helpers.py). The score is
preference - 1: 1 where the model wins, 0.5 for a draw (1.5, formerly 0), in between where the
judge's probabilities weigh. No preference is unscored, as in AlpacaEval. Its length-controlled win
rate is the prediction of a regression over all models and is not computed here. Of 123 annotation
files in tatsu-lab/alpaca_eval at cd543a1, 122 give the win rate and the standard error of its
leaderboards to 1e-6 points; the other lies in the folder of another annotator.
"""

import io
import math
from typing import Any

import numpy as np
import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.parsing import as_dict, content_hash, field_text, load_json, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run
from reportkit.scores.selfcheck import Computation, by_answers

HARNESS = "alpaca_eval"
METRIC = "win_rate"
DISCRETE = "each preference as a win, a draw or a loss"
COUNTS = ("n_wins", "n_wins_base", "n_draws", "n_total", "avg_length")
LENGTH_CONTROLLED = "a regression over all models predicts it; not computed from the rows of one"


def claims(file: File) -> Claim:
    head = file.head()
    if file.name == "leaderboard.csv" and b"win_rate" in head and b"standard_error" in head:
        return "part" if file.sibling("annotations.json") else ""
    # the judge's cache has no generators
    keys = (b'"instruction"', b'"output_1"', b'"generator_1"')
    return "run" if head.lstrip().startswith(b"[") and all(k in head for k in keys) else ""


def read(file: File) -> list[Run]:
    annotations = [as_dict(a) for a in load_json(file, list)]
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for a in annotations:
        parts = [field_text(a.get(k)) or "" for k in ("generator_1", "generator_2", "annotator")]
        if not parts[0] or not parts[1]:
            raise BrokenFile(
                f"{file.path}: an annotation without generator_1 or generator_2 does not say who "
                "won; run the evaluation again"
            )
        groups.setdefault((parts[0], parts[1], parts[2]), []).append(a)
    if not groups:
        raise BrokenFile(f"{file.path}: no annotation in it; run the evaluation again")
    return [_run(file, *names, group) for names, group in groups.items()]


def _run(
    file: File, reference: str, model: str, annotator: str, annotations: list[dict[str, Any]]
) -> Run:
    columns: dict[str, list[Any]] = {
        c: []
        for c in ("question_id", "epoch", "metric", "score", "status", "score_raw", "content_hash")
    }
    fields: dict[str, list[str | None]] = {"dataset": [], "datasplit": []}
    seen: dict[str, int] = {}
    for a in annotations:
        hashed = content_hash(a.get("instruction"))
        seen[hashed] = seen.get(hashed, 0) + 1
        raw = number(a.get("preference"))
        preference = 1.5 if raw == 0 else raw
        score = preference - 1 if 1 <= preference <= 2 else math.nan
        # The file has no ids, and its order is that of the outputs: the instruction itself
        # identifies the question.
        id = hashed if seen[hashed] == 1 else f"{hashed}-{seen[hashed]}"
        values = (
            id,
            1,
            METRIC,
            score,
            "unscored" if math.isnan(score) else "ok",
            field_text(a.get("preference")),
            hashed,
        )
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
        for name, column in fields.items():
            column.append(field_text(a.get(name)))
    rows = pd.DataFrame(columns | {k: v for k, v in fields.items() if any(v)})
    notes = ["the length-controlled win rate is left out: " + LENGTH_CONTROLLED]
    if k := int(rows["score"].isna().sum()):
        notes.append(f"{k} of {len(rows)} annotations have no preference: unscored")
    if k := len(rows) - len(seen):
        notes.append(f"{k} instructions occur more than once: each is a question of its own")
    return Run(
        HARNESS,
        f"AlpacaEval vs {reference}",
        model,
        rows,
        file=file.path,
        sha256=file.sha256(),
        eval_args=f"annotator={annotator}" if annotator else "",
        n_planned=len(rows),
        headline=METRIC,
        notes=notes,
        harness_metrics=_leaderboard(file, model),
    )


def _leaderboard(file: File, model: str) -> list[HarnessMetric]:
    """AlpacaEval's own win rate of the model, in leaderboard.csv beside the annotations: percent
    there, shares here.
    """
    board = file.sibling("leaderboard.csv")
    if board is None:
        return []
    try:
        table = pd.read_csv(io.BytesIO(board.read()), index_col=0)
    except (ValueError, pd.errors.ParserError, UnicodeDecodeError):
        raise BrokenFile(
            f"{board.path}: no leaderboard of AlpacaEval; remove it, or copy it again"
        ) from None
    if model not in table.index or not {"win_rate", "standard_error"} <= set(table.columns):
        return []
    line = table.loc[[model]].iloc[0]
    out = [
        HarnessMetric(METRIC, number(line["win_rate"]) / 100, number(line["standard_error"]) / 100)
    ]
    lc = number(line.get("length_controlled_winrate"))
    if not math.isnan(lc):
        out.append(
            HarnessMetric(
                "length_controlled_winrate",
                lc / 100,
                number(line.get("lc_standard_error")) / 100,
                how="regression",
                reason=LENGTH_CONTROLLED,
            )
        )
    discrete = number(line.get("discrete_win_rate"))
    if not math.isnan(discrete):
        out.append(
            HarnessMetric(
                METRIC, discrete / 100, how="discrete", called="discrete", reason=DISCRETE
            )
        )
    for name in COUNTS:
        value = number(line.get(name))
        if not math.isnan(value):
            out.append(HarnessMetric(name, value, how="", reason="a count, no score"))
    return out


def computation(how: str) -> Computation | None:
    """AlpacaEval's win rate with each preference as a win, a draw or a loss."""
    if how != "discrete":
        return None
    return by_answers(lambda scores: float(np.mean(0.5 + 0.5 * np.sign(scores - 0.5))))


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    computation=computation,
    columns=("dataset", "datasplit"),
    guide=Guide(
        harness="AlpacaEval",
        files="`annotations.json`",
        about=(
            "the score is the judge's preference. The length-controlled win rate is not computed."
        ),
    ),
)
