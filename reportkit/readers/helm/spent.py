"""What a run of HELM took: tokens, and the time of its requests."""

import math
from collections.abc import Sequence
from typing import Any

from reportkit.readers.helm.scores import is_plain, key_of, stats_of
from reportkit.readers.parsing import as_dict, field_text, number
from reportkit.readers.spent import LONGEST, MOST_TOKENS

# HELM's numbers of an answer, and the fields of RunFacts that their sums are.
FIELDS = {
    "num_prompt_tokens": "tokens_in",
    "num_completion_tokens": "tokens_out",
    "inference_runtime": "seconds",
}
REQUESTS = "all requests, added up"


def spent(entries: Sequence[Any], split: str, *, separate: bool) -> dict[str, Any]:
    """Fields of RunFacts, over the unperturbed answers of a split; a field is left out where an
    answer lacks its number. separate: each choice was a request of its own, of which HELM counts
    some alone.
    """
    if separate:
        return {}
    values: dict[str, dict[Any, float]] = {name: {} for name in FIELDS}
    answers = set()
    for entry in filter(is_plain, map(as_dict, entries)):
        key = key_of(entry.get("instance_id"), entry)
        for metric, name, stat in stats_of(entry):
            if (field_text(name.get("split")) or "") == split:
                answers.add(key)
                if metric in values:
                    values[metric].setdefault(key, number(stat.get("mean")))
    found: dict[str, Any] = {}
    for metric, known in values.items():
        total = math.fsum(known.values())
        most = LONGEST if FIELDS[metric] == "seconds" else MOST_TOKENS
        if known.keys() == answers and all(v >= 0.0 for v in known.values()) and 0.0 < total < most:
            found[FIELDS[metric]] = total if FIELDS[metric] == "seconds" else round(total)
    if "seconds" in found:
        found["time_of"] = REQUESTS
    if not {"tokens_in", "tokens_out"} <= found.keys():  # half of them would give half of a cost
        found = {k: v for k, v in found.items() if not k.startswith("tokens")}
    return found
