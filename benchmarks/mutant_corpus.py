"""What mutant_prints.py prints with each mutant: small made-up evals of many designs, suites, plans
and published tables. It is made for breadth: tables, notes, findings and macros of all kinds, with
numbers that differ from each other.
"""

import functools
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from support.published_tables import PAPER, checked
from support.suites_made import LONG, suite_results

from reportkit.analysis import analyse
from reportkit.analysis.moved import compare
from reportkit.analysis.planning import asked_of, plan
from reportkit.analysis.rounds import Answers, Known, Round
from reportkit.analysis.suite import suite_of
from reportkit.decisions import Decisions
from reportkit.documents import prose
from reportkit.documents.checked import checked_json, checked_markdown
from reportkit.documents.macros import numbers
from reportkit.documents.moved import to_json
from reportkit.documents.prose import planning as planning_prose
from reportkit.documents.prose import suite as suite_prose
from reportkit.tables import KINDS, make_table
from reportkit.tables.planning import PLANNING, plan_table, planning_json
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import methods_sentence
from reportkit.tables.table import Table
from reportkit.tables.writers.render import render_drop_in

Part = Callable[[], str]
FORMATS = ("csv", "md", "tex", "html", "typ")
MODELS = ("alpha-7b", "beta-70b", "gamma", "delta-x", "epsilon")


def corpus() -> dict[str, Part]:
    """The parts by name; each makes its text anew."""
    parts: dict[str, Part] = {}
    for name, (scores, said) in evals().items():
        parts[f"eval {name}"] = functools.partial(of_eval, scores, said)
    for name, said in PLANS.items():
        parts[f"plan {name}"] = functools.partial(of_plan, said, None)
    for name, (pilot, said) in pilots().items():
        parts[f"pilot {name}"] = functools.partial(of_plan, said, pilot)
    for name, (text, said) in PUBLISHED.items():
        parts[f"published {name}"] = functools.partial(of_published, text, said)
    parts["suite of 4"] = functools.partial(of_suite, 4, 3, {})
    parts["suite of 3 by weights"] = functools.partial(
        of_suite,
        3,
        4,
        {"average": "weights", "weight": "2", "baseline": LONG[1]},
    )
    parts["suite by categories"] = functools.partial(of_suite, 6, 3, {"level": 0.9})
    parts["moved"] = of_moved
    parts["formats"] = functools.partial(of_formats, rows(right(2, (3, 18), [2.0, 0.4, 0.1])))
    return parts


# Evals --------------------------------------------------------------------------------------------


def rows(scores: np.ndarray, **columns: Any) -> pd.DataFrame:
    """scores: models x questions x answers; columns: an array of questions, or one value."""
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 2:
        scores = scores[:, :, None]
    m, q, k = np.indices(scores.shape).reshape(3, -1)
    frame = pd.DataFrame(
        {
            "eval": "toy",
            "model": np.array(MODELS[: len(scores)] if len(scores) <= 5 else many(len(scores)))[m],
            "question_id": [f"q{i}" for i in q],
            "epoch": k + 1,
            "score": scores.ravel(),
        }
    )
    for name, values in columns.items():
        frame[name] = np.asarray(values)[q] if np.ndim(values) else values
    return frame


def many(n: int) -> list[str]:
    return [f"model-{i:02d}" for i in range(n)]


def right(seed: int, shape: tuple[int, ...], chances: Any) -> np.ndarray:
    rng = np.random.default_rng(seed)
    hard = rng.normal(0.0, 1.0, shape[1])
    p = 1.0 / (1.0 + np.exp(-(np.asarray(chances)[:, None] + hard)))
    if len(shape) == 3:
        p = p[:, :, None]
    return (rng.random(shape) < p).astype(float)


def evals() -> dict[str, tuple[pd.DataFrame, dict[str, Any]]]:
    rng = np.random.default_rng(5)
    twelve = np.repeat([f"c{i}" for i in range(14)], rng.integers(2, 7, 14))
    shares = np.clip(rng.normal(0.6, 0.2, (3, len(twelve))), 0.02, 0.99)
    shares += 0.3 * (rng.random(14)[np.unique(twelve, return_inverse=True)[1]] - 0.5)
    shares = np.clip(shares, 0.0, 1.0)
    gaps = right(3, (3, 50), [0.5, 1.0, 0.2])
    gaps[0, :7], gaps[2, 3:12] = np.nan, np.nan
    fields = {
        "subject": np.repeat(["art", "bio", "law"], [20, 30, 40]),
        "importance": rng.integers(1, 5, 90).astype(float),
        "target": np.where(rng.random(90) < 0.4, "yes", "no"),
        "carry": rng.integers(0, 2, 90),
    }
    told = right(9, (2, 90), [0.9, 0.3])
    everything = {
        "tables": "posterior,equivalence,strata,other-methods,f1,regression,ranks",
        "margin": "0.06", "strata": "subject", "weights": "importance",
        "positive": "target:yes", "covariates": "carry",
    }  # fmt: skip
    p = rng.uniform(0.05, 0.95, (2, 60))
    sampled = rows((rng.random((2, 60, 3)) < p[:, :, None]).astype(float))
    place = sampled["question_id"].str[1:].astype(int)
    sampled["p_correct"] = p[(sampled["model"] == MODELS[1]).astype(int), place]
    points = np.round(rng.normal([[61.0], [57.0], [66.0]], 11.0, (3, 45)), 1)
    return {
        "right and wrong": (rows(right(1, (4, 80), [1.2, 0.8, 0.2, -0.4])), {}),
        "few questions": (rows(right(2, (3, 18), [2.0, 0.4, 0.1])), {}),
        "gaps": (rows(gaps), {"tables": "common,ranks,other-methods"}),
        "gaps in clusters": (rows(gaps, cluster_id=[f"g{i // 5}" for i in range(50)]), {}),
        "shares in clusters": (
            rows(shares, cluster_id=twelve),
            {"tables": "clustering-all,simultaneous,ranks", "level": 0.9},
        ),
        "right in clusters": (
            rows(right(6, (3, 60), [0.7, 0.1, 1.1]), cluster_id=[f"g{i // 4}" for i in range(60)]),
            {"tables": "posterior,equivalence", "margin": "0.1", "baseline": MODELS[1]},
        ),
        "four answers": (
            rows(right(7, (3, 40, 4), [0.8, 0.2, -0.1])), {"tables": "pass,other-methods"}
        ),
        "four answers in clusters": (
            rows(right(8, (2, 40, 4), [0.8, 0.2]), cluster_id=[f"g{i // 4}" for i in range(40)]),
            {"power": 0.9},
        ),
        "points": (rows(points, metric="points"), {"better": "lower", "digits": 2}),
        "a range": (
            rows(points, metric="points"),
            {"range": "0,100", "baseline": MODELS[2], "tables": "other-methods,simultaneous"},
        ),
        "everything": (rows(told, **fields), everything),
        "probabilities": (sampled, {"tables": "scores-compared"}),
        "all right": (
            rows(np.array([[1.0] * 40, [1.0] * 39 + [0.0], [1.0] * 34 + [0.0] * 6])), {}
        ),
        "one model": (rows(right(11, (1, 70), [0.3])), {"level": 0.8}),
        "many models": (rows(right(12, (24, 60), np.linspace(-1.5, 1.8, 24))), {}),
        "published elsewhere": (
            rows(right(14, (3, 60), [0.9, 0.1, -0.2])),
            {"published": f"{MODELS[0]}:0.7;{MODELS[2]}:0.425", "baseline": MODELS[2]},
        ),
        "certified": (rows(right(13, (2, 30), [0.9, 0.1])), {"certificate": True}),
    }  # fmt: skip


def of_eval(scores: pd.DataFrame, said: dict[str, Any]) -> str:
    result, warnings = analyse(scores, **said)
    parts = [as_text(result)]
    for name, kind in KINDS.items():
        if kind.one is None or (kind.on_request and name not in requested(said)):
            continue
        parts.append(of_table(name, make_table(result, name)))
    parts += [prose.findings(result), prose.methods(result), prose.warning_list(warnings)]
    parts += [f"{n.model} {n.what} {n.text}" for n in numbers(result)]
    return "\n".join(parts)


def requested(said: dict[str, Any]) -> list[str]:
    found = [t for t in said.get("tables", "").split(",") if t]
    return [*found, "certificate"] if said.get("certificate") else found


def of_table(name: str, table: Table) -> str:
    whole = table.whole or table
    values = json.dumps([[cut(v) for v in row] for row in whole.values])
    cells = [" | ".join(row) for row in whole.cells]
    heads = [f"{c.group} {c.head}" for c in whole.columns]
    return "\n".join([f"## {name}", *heads, values, *cells, render_drop_in(table, "md")])


def of_formats(scores: pd.DataFrame) -> str:
    result, _ = analyse(scores)
    parts = []
    for name in ("means", "differences", "power", "data"):
        table = make_table(result, name)
        parts += [render_drop_in(table, format) for format in FORMATS]
    return "\n".join(parts)


def as_text(value: Any) -> str:
    """Records as they are, numbers to six digits."""
    values = cut(asdict(value) if is_dataclass(value) else value)
    return json.dumps(values, default=str, indent=0)


def cut(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return {str(k): cut(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [cut(v) for v in value]
    if isinstance(value, np.ndarray):
        return cut(value.tolist())
    return value


# Suites, and what moved ---------------------------------------------------------------------------


def of_suite(evals: int, models: int, said: dict[str, Any]) -> str:
    suite = suite_of(suite_results(evals, models, 30, **said))
    parts = [as_text(suite), suite_prose.findings(suite)]
    for name, kind in KINDS.items():
        if kind.suite is not None or (kind.several is not None and not kind.on_request):
            parts.append(of_table(name, make_table(suite, name)))
    return "\n".join(parts)


def of_moved() -> str:
    rng = np.random.default_rng(4)
    old = [a_round(f"e{k}", (rng.random((60, 2)) < 0.6).astype(float)) for k in range(4)]
    scores = old[0].answers.means.copy()
    scores[:25, 0] = 0.0
    new = [a_round("e0", scores), *old[1:3], a_round("e9", rng.random((40, 2)), 3)]
    none = Round("e3", "acc", ("a", "b"), 60, old[3].means, {}, None)
    return as_text(to_json(compare(old, [*new, none]), "before"))


def a_round(name: str, scores: np.ndarray, answers: int = 1) -> Round:
    n = len(scores)
    ids = np.array([f"q{i:03d}" for i in range(n)], dtype=object)
    noise = np.full(scores.shape, 0.1 if answers > 1 else np.nan)
    held = Answers(ids, ("a", "b"), scores, noise, np.full(scores.shape, answers), None)
    means = {}
    for k, model in enumerate(("a", "b")):
        value, se = scores[:, k].mean(), scores[:, k].std(ddof=1) / np.sqrt(n)
        means[model] = Known(value, se, n - 1.0, value - 2 * se, value + 2 * se, 0.95, n, n)
    return Round(name, "acc", ("a", "b"), n, means, {}, held)


# Plans --------------------------------------------------------------------------------------------

PLANS: dict[str, dict[str, Any]] = {
    "nothing known": {"difference": "0.03"},
    "expected": {"difference": "0.05", "mean": "0.8", "correlation": "0.4", "questions": "500"},
    "clusters": {"difference": "0.05", "mean": "0.7", "cluster_size": "6", "icc": "0.2",
                 "questions": "600"},
    "costs": {"difference": "0.04", "mean": "0.6", "cost_question": "5", "cost_answer": "0.02",
              "epochs": "3", "comparisons": "4"},
    "two sets": {"difference": "0.06", "mean": "0.75", "design": "unpaired", "power": "0.9"},
    "a published mean": {"difference": "0.08", "mean": "0.71", "design": "unpaired",
                         "other_questions": "1319", "cost_question": "2", "cost_answer": "0.5"},
    "a published mean, clusters": {"difference": "0.1", "design": "unpaired", "mean": "0.64",
                                   "other_questions": "900", "cluster_size": "5",
                                   "icc_scores": "0.2", "questions": "700", "epochs": "3"},
    "a published mean, too small": {"difference": "0.02", "design": "unpaired", "mean": "0.7",
                                    "other_questions": "300", "questions": "900"},
    "a published mean, scores in part": {"difference": "0.05", "design": "unpaired",
                                         "answers": "shares", "mean": "0.75", "spread": "0.27",
                                         "other_questions": "800", "other_se": "0.009"},
    "shares": {"difference": "0.04", "answers": "shares", "mean": "0.55", "spread": "0.3",
               "noise": "0.4", "epochs": "4", "epochs_b": "2", "margin": "0.05",
               "cost_answer": "0.3", "cost_answer_b": "1.2"},
    "own units": {"difference": "3", "answers": "own-units", "spread": "17", "noise": "0.3",
                  "cluster_size": "4", "icc": "0.15", "cost_cluster": "9", "cost_answer": "0.5"},
    "variances": {"difference": "0.03", "omega2": "0.09", "sigma2": "0.12", "sigma2_b": "0.2",
                  "epochs": "5", "questions": "1000"},
    "published": {"difference": "0.05", "published": "Alba:0.71;Corvus:0.745;Dolos:0.83",
                  "questions": "200", "level": "0.9"},
}  # fmt: skip


def pilots() -> dict[str, tuple[pd.DataFrame, dict[str, Any]]]:
    points = np.round(np.random.default_rng(27).normal([[61.0], [57.0]], 11.0, (2, 45)), 1)
    return {
        "right and wrong": (rows(right(21, (2, 50), [1.0, 0.3])), {"difference": "0.05"}),
        "four answers": (
            rows(right(22, (2, 40, 4), [1.0, 0.3])),
            {"difference": "0.05", "cost_question": "2", "cost_answer": "0.1"},
        ),
        "clusters": (
            rows(right(23, (2, 60), [0.9, 0.4]), cluster_id=[f"g{i // 5}" for i in range(60)]),
            {"difference": "0.08", "questions": "300"},
        ),
        "models apart": (rows(points), {"difference": "4", "design": "unpaired"}),
        "models apart, right and wrong": (
            rows(right(24, (2, 45, 3), [1.1, 0.2])),
            {"difference": "0.06", "design": "unpaired", "questions": "250"},
        ),
        "models apart, clusters": (
            rows(right(25, (2, 60), [0.9, 0.4]), cluster_id=[f"g{i // 4}" for i in range(60)]),
            {"difference": "0.08", "design": "unpaired", "cluster_size": "6"},
        ),
        "what is given beside it": (
            rows(right(26, (2, 48), [0.8, 0.3])),
            {"difference": "0.07", "cluster_size": "5", "icc": "0.1", "icc_scores": "0.25",
             "noise": "0.08"},
        ),
        "a published mean": (
            rows(right(28, (2, 55), [0.9, 0.2])),
            {"difference": "0.12", "design": "unpaired", "other_questions": "800"},
        ),
        "a published mean, answers": (
            rows(right(29, (2, 50, 3), [0.9, 0.2]), cluster_id=[f"g{i // 3}" for i in range(50)]),
            {"difference": "0.15", "design": "unpaired", "other_questions": "400",
             "cost_question": "3", "cost_answer": "0.2"},
        ),
    }  # fmt: skip


def of_plan(said: dict[str, Any], pilot: pd.DataFrame | None) -> str:
    planned = plan(asked_of(said), pilot, Decisions())
    parts = [as_text(planning_json(planned)), methods_sentence(planned)]
    parts += [planning_prose.findings(planned), planning_prose.methods(planned)]
    parts += [f"{t.question} {t.assumes} {t.formula}" for t in told(planned)]
    for name in PLANNING:
        parts.append(of_table(name, plan_table(planned, name)))
    return "\n".join(parts)


# Published tables ---------------------------------------------------------------------------------

PUBLISHED: dict[str, tuple[str, dict[str, Any]]] = {
    "paper": (PAPER, {}),
    "intervals": (
        "eval,model,mean,n,ci_low,ci_high\n"
        "A,one,71.0%,200,64.7%,77.3%\nA,two,62.5%,200,55.8%,69.2%\nA,three,60.1%,200,50%,66.9%\n"
        "GSM8K,one,91.2,1319,89.7,92.7\nGSM8K,two,93.4,1319,92.1,94.7\n",
        {"baseline": "one", "level": 0.9},
    ),
    "errors": (
        "eval,model,mean,se,n\nDROP,one,0.815,0.004,9622\nDROP,two,0.803,0.004,9622\n"
        "IFEval,one,0.66,0.02,541\nIFEval,two,0.71,0.03,541\n",
        {"correlations": "0.2,0.6"},
    ),
    "differences of two": (
        "| Eval | n | A | B | C | B − A | SE | C − A |\n|-|-|-|-|-|-|-|-|\n"
        "| QA | 900 | 60.0% | 62.0% | 65.0% | +2.0% | 0.9% | +4.0% |\n"
        "| QB (n=2,500) | | 84.6% | 87.4% | 89.9% | +2.8% | 0.5% | +5.3% |\n",
        {},
    ),
    "either order": (
        "| Eval | A | B | Δ |\n|-|-|-|-|\n| Q1 (n=400) | 60.0% | 62.0% | 2.0% |\n"
        "| Q2 | 50.0% | 51.5% | 1.5% |\n| Q3 | 70.0% | 66.0% | 4.0% |\n"
        "| Q4 | 81.0% | 84.0% | 3.6% |\n",
        {"questions": "Q2=300"},
    ),
    "the other order": (
        "| Eval | A | B | A vs. B |\n|-|-|-|-|\n| Q1 | 60.0% | 62.0% | 2.0% |\n"
        "| Q2 | 50.0% | 51.0% | 1.0% |\n| Q3 | 50.0% | 58.0% | 7.1% |\n",
        {},
    ),
    "averages and rows": (
        "Table 2: Results (%). Mean ± 90% CI.\n\n"
        "| Model | QA (n=9536) | QB (n = 2,500) | Avg. |\n|-|-|-|-|\n"
        "| Alba | 78.3 ± 0.7 | 84.6 ± 1.2 | 81.4 |\n| Corvus | 83.2 ± 0.6 | 89.9 ± 1.0 | 88.6 |\n"
        "| Corvus − Alba | 4.9 | 5.8 | |\n",
        {},
    ),
    "a row of averages": (
        "eval,model,mean\nMATH,A,0.660\nGSM8K,A,0.714\nAverage,A,0.669\n"
        "MATH,B,0.703\nGSM8K,B,0.849\nAverage,B,0.776\n",
        {"scale": "0,1"},
    ),
    "means and differences": (
        "eval,model,mean,se,n,baseline,difference,se,95% CI\n"
        'QA,A,65.5%,0.7%,5000,B,+3.1%,0.8%,"(+0.9%, +4.1%)"\nQA,B,63.0%,0.7%,5000,,,,\n',
        {},
    ),
    "from a baseline": (
        "| Model | Accuracy | Δ vs. A | 95% CI |\n|-|-|-|-|\n| A | 92.1% | – | |\n"
        "| B | 90.4% | -1.7% | [-3.5%, 0.1%] |\n| C | 93.0% | +1.2% | [-0.5%, 2.9%] |\n",
        {"eval": "QA"},
    ),
}


# Each is 100 (a/b - 1), or one of them is; the last table is of shares.
CHANGES = (
    "| Model | GSM8K (n=1319) | Δ vs. Base |\n|-|-|-|\n"
    "| Base | 79.6% | |\n| RAG | 82.7% | +3.9 |\n| CoT | 85.8% | +7.8 |\n"
)
MOST_CHANGES = (
    "| Eval | n | Nimbus | Heron | Δ |\n|-|-|-|-|-|\n| GSM8K | 1319 | 85.8% | 82.7% | +3.7% |\n"
    "| MATH-500 | 500 | 52.0% | 61.2% | -15.0% |\n| HumanEval | 164 | 72.6% | 66.5% | +8.1% |\n"
)
OF_SHARES = (
    "| Eval | n | Nimbus | Heron | Δ |\n|-|-|-|-|-|\n| GSM8K | 1319 | 0.858 | 0.827 | +0.037 |\n"
    "| MATH-500 | 500 | 0.520 | 0.612 | -0.150 |\n"
)
# The first may be 0, the second and the last are near 1.96 errors.
ERRORS = (
    "|Eval|Model|Baseline|Difference|SE|95% CI|\n|-|-|-|-|-|-|\n|Q|A|B|0.0%|0.8%||\n"
    "|Q|A|C|1.97%|1.00%||\n|Q|D|C|-4%||[-7%, -1%]|\n|R|A|B|2%|1%||\n|R|A|C|-3.21%|0.41%||\n"
)
SEVERAL = (
    "eval,model,mean,n,answers,se\nQ,A,61.5%,200,4,2.1%\nQ,B,58.3%,200,1,3.5%\n"
    "R,A,0.0%,50,1,0.0%\nR,B,12.0%,50,1,9.9%\n"
)
PUBLISHED |= {
    "changes": (CHANGES, {}),
    "most are changes": (MOST_CHANGES, {}),
    "changes of shares": (OF_SHARES, {}),
    "differences with errors": (ERRORS, {"level": 0.9}),
    "several answers": (SEVERAL, {}),
}


def of_published(text: str, said: dict[str, Any]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        name = "t.md" if "|" in text else "t.csv"
        found = checked(Path(folder), text, name, **said)
    found_text = checked_json(found) + checked_markdown(found)
    return found_text.replace(folder, "")
