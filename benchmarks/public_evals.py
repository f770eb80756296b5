"""What the authors of public evals could have planned with: correlations of models, what clusters
and answer noise do, and how far apart neighbouring models are.

`python benchmarks/public_evals.py DATA` recomputes every figure of
reportkit/analysis/planning/public_evals.toml with reportkit, from question-level results in the
folder DATA (the form is that of docs/scores.md; each file has a .json beside it that names its
repository). The data are their authors' and are no part of this repository: figures alone are
quoted, each with its source.
"""

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reportkit import read_scores, select, stats

OUT = Path(__file__).parent.parent / "reportkit" / "analysis" / "planning" / "public_evals.toml"
# file, eval, what it is called, what its scores are
EVALS = (
    ("gsm8k_openai_solutions.csv.gz", "gsm8k", "GSM8K", "right or wrong"),
    ("mmlu_pro.parquet", "mmlu-pro", "MMLU-Pro", "right or wrong"),
    ("routellm_mmlu.parquet", "mmlu", "MMLU", "right or wrong"),
    ("bbh_codex.csv.gz", "bbh", "BIG-Bench Hard", "right or wrong"),
    ("bfcl_v1.parquet", "bfcl-2024-07-22", "BFCL v1", "right or wrong"),
    ("swebench_verified_bash_only.csv.gz", "swe-bench-verified-bash-only",
     "SWE-bench Verified", "right or wrong"),
    ("gsm_symbolic_eng_dan.parquet", "gsm-symbolic-dan", "m-gsm-symbolic",
     "right or wrong"),
    ("livebench_2025_01.parquet", "livebench", "LiveBench", "shares"),
    ("tatqa_pot.csv.gz", "tatqa-dev", "TAT-QA", "shares (F1)"),
    ("alpaca_eval_2.parquet", "alpaca-eval-2", "AlpacaEval 2", "shares (a judge's)"),
    ("wildbench.parquet", "wildbench-v2.0522-judge-gpt-4o-2024-05-13", "WildBench",
     "a judge's 1 to 10"),
    ("boolq_next_token.parquet", "boolq-0shot", "BoolQ", "next-token probabilities"),
    ("lambada_next_token.parquet", "lambada", "LAMBADA", "next-token probabilities"),
    ("tot_game24.parquet", "game24", "Game of 24", "right or wrong"),
    ("tau_bench_airline_gpt4o.csv.gz", "tau-bench-airline", "tau-bench airline",
     "right or wrong"),
)  # fmt: skip
LEAST_SHARED = 0.9  # of the questions, that two neighbours must have in common
ENDS = (0.05, 0.95)  # models nearer to an end of the scale are left out: they say nothing of others
BEST = 10  # models whose gaps are counted


def quartiles(values: list[float]) -> list[float]:
    known = [v for v in values if not math.isnan(v)]
    return [round(float(v), 3) for v in np.quantile(known, (0.25, 0.5, 0.75))] if known else []


def neighbours(means: np.ndarray) -> Iterator[tuple[int, int]]:
    """Models next to each other by their mean, the better one first; (n, M) question means."""
    overall = np.nanmean(means, axis=0)
    low, high = ENDS if np.nanmax(means) <= 1.0 else (-math.inf, math.inf)
    order = [m for m in np.argsort(-overall, kind="stable") if low <= overall[m] <= high]
    for a, b in zip(order, order[1:], strict=False):
        if (~np.isnan(means[:, a] + means[:, b])).mean() >= LEAST_SHARED:
            yield int(a), int(b)


def figures(folder: Path, file: str, name: str) -> dict[str, object]:
    """Of one eval; a figure that its scores do not have is left out."""
    rows = read_scores(folder / file)
    rows = rows[rows["eval"] == name].drop_duplicates(["model", "question_id", "epoch"])
    e = select(rows, name)
    scale = e.high if e.high > 1.0 else 1.0  # scores of a judge run from 1
    correlations, iccs, gaps = [], [], []
    for a, b in neighbours(e.means):
        both = ~np.isnan(e.means[:, a] + e.means[:, b])
        x, y = e.means[both, a], e.means[both, b]
        if e.epochs.max() == 1:  # of one answer for each question
            correlations.append(stats.correlation(x, y))
        gaps.append(float(x.mean() - y.mean()))
        if e.clusters is not None:
            iccs.append(stats.design_effect(x - y, e.clusters[both]).icc)
    noise, spread, alike = [], [], []
    for m in range(len(e.models)):
        here = ~np.isnan(e.means[:, m])
        parts = stats.components(e.means[here, m], e.variances[here, m], e.epochs[here, m])
        if parts.within > 0.0:
            noise.append(parts.within / (parts.within + parts.between))
        mean = e.means[here, m].mean()
        if e.clusters is not None and ENDS[0] <= mean <= ENDS[1]:
            alike.append(stats.design_effect(e.means[here, m], e.clusters[here]).icc)
        if scale == 1.0 and not e.binary and 0.0 < mean < 1.0:
            spread.append(e.means[here, m].var(ddof=1) / (mean * (1.0 - mean)))
    overall = np.nanmean(e.means, axis=0)
    found: dict[str, object] = {
        "questions": len(e.questions), "models": len(e.models),
        "mean": [round(float(v), 3) for v in (overall.min(), np.median(overall), overall.max())],
        "correlation": quartiles(correlations), "noise": quartiles(noise),
        "spread": quartiles(spread), "icc": quartiles(iccs), "icc_scores": quartiles(alike),
        "gap": quartiles([abs(g) for g in gaps[: BEST - 1]]),
    }  # fmt: skip
    if e.clusters is not None:
        found["cluster_size"] = round(len(e.questions) / (int(e.clusters.max()) + 1), 1)
    return {k: v for k, v in found.items() if v != []}


def text(folder: Path) -> str:
    lines = [
        "# What public evals show, for authors who know nothing yet of their own. Made by",
        "# benchmarks/public_evals.py from question-level results of the named repositories,",
        "# with reportkit; the data are theirs. Three numbers are the lower quartile, the median",
        "# and the upper quartile: over neighbours by mean (correlation, icc, gap: of the ten",
        "# best), or over models (noise, spread, icc_scores); of mean they are the lowest, the",
        "# median and the highest.",
        "",
    ]
    for file, name, title, scores in EVALS:
        about = json.loads((folder / f"{file.split('.')[0]}.json").read_text(encoding="utf-8"))
        lines += ["[[eval]]", f'name = "{title}"', f'repository = "{about["source_repo"]}"']
        lines += [f'scores = "{scores}"']
        lines += [f"{k} = {v}" for k, v in figures(folder, file, name).items()]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, help="folder of question-level results")
    OUT.write_text(text(parser.parse_args().data), encoding="utf-8")


if __name__ == "__main__":
    main()
