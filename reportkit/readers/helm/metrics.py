"""HELM's metrics (crfm-helm 0.5.16): which are scores, which only count or cost, and which one its
leaderboards show.
"""

import re
from collections.abc import Iterable
from typing import Any

# Counts, costs, sums for perplexity and confidences: numbers beside the scores.
_BOOKKEEPING = re.compile(
    r"num_\w+|max_num_\w+|finish_reason_\w+|training_\w+|(inference_|denoised_)\w+|estimated_\w+|batch_size|prompt_\w+"
    r"|predicted_index|max_prob|logprob(_per_byte)?|bits_per_byte|perplexity|\w+_ci_(low|high)"
)
# Scores, those of one kind of question before those that every run has: the first one that a run
# has is its headline.
_SCORES = re.compile(
    "|".join(
        f"({name})"
        for name in (
            r"chain_of_thought_correctness|ifeval_strict_accuracy|wildbench_score_rescaled|omni_math_accuracy|math_equiv\w*",
            r"final_number_exact_match|exact_match_indicator|code_eval_acc|pass|bigcodebench_p@1|functional_correctness",
            r"test_avg|execution_accuracy|program_accuracy|calculation_accuracy|air_score|safety_score|model_judged_score|\w+_accuracy",
            r"exact_match(@\d+)?|quasi_exact_match(@\d+)?|float_equiv|exact_set_match|iou_set_match|f1_set_match",
            r"prefix_exact_match(@\d+)?|quasi_prefix_exact_match(@\d+)?",
            r"f1_score|squad_\w+_score|rouge_[12l]|bleu(_[14])?|chr_f_plus_plus|cider|meteor|\w+_(NDCG|RR|Recall|Success)@\d+",
            r"(NDCG|RR|Recall|Success)@\d+|edit_similarity|\w+_score",
        )
    )
)
# Where HELM's leaderboards show another metric than the first of _SCORES, by the run's groups
# (schema_classic, schema_lite).
_SHOWN = {
    "f1_score": {"narrative_qa", "natural_qa_closedbook", "natural_qa_openbook_longans", "quac"},
    "quasi_exact_match": {
        "babi_qa",
        "bbq",
        "boolq",
        "civil_comments",
        "entity_data_imputation",
        "entity_matching",
        "imdb",
        "legal_support",
        "legalbench",
        "lsat_qa",
        "med_qa",
        "raft",
        "synthetic_reasoning",
        "wikifact",
    },
}


def is_bookkeeping(metric: str) -> bool:
    """
    >>> is_bookkeeping("num_output_tokens"), is_bookkeeping("exact_match")
    (True, False)
    """
    return _BOOKKEEPING.fullmatch(metric) is not None


def is_known(metric: str) -> bool:
    """Whether a metric is among HELM's scores; one of a user's own is not."""
    return _SCORES.fullmatch(metric) is not None


def headline_of(scores: Iterable[str], groups: list[Any]) -> str:
    """What HELM's leaderboards show of the run's group; else the first of _SCORES, and last a
    metric that nobody listed.
    """
    shown = next(
        (metric for metric, of in _SHOWN.items() if of & {g for g in groups if isinstance(g, str)}),
        "",
    )
    return shown if shown in scores else min(scores, key=lambda m: (_rank(m), len(m), m))


def _rank(metric: str) -> int:
    match = _SCORES.fullmatch(metric)
    return next(i for i, g in enumerate(match.groups()) if g) if match else 99
