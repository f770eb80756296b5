"""What a run of Inspect took: tokens of the model, and time."""

from datetime import UTC, datetime
from typing import Any

from reportkit.readers.spent import LONGEST, MOST_TOKENS


def spent(log: Any) -> dict[str, Any]:
    """Fields of RunFacts: tokens of the model itself, and the seconds from the run's start to its
    end. Inspect counts tokens of a cache apart from the others.
    """
    found: dict[str, Any] = {}
    start, end = (_time(t) for t in (log.stats.started_at, log.stats.completed_at))
    took = (end - start).total_seconds() if start is not None and end is not None else 0.0
    if 0.0 < took < LONGEST:
        found["seconds"] = took
    usage = (log.stats.model_usage or {}).get(log.eval.model)
    if usage is None:
        return found
    read, write = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
    counts = (usage.input_tokens, usage.output_tokens, read, write)
    if min(counts) < 0 or max(counts) >= MOST_TOKENS:
        return found
    return found | {
        "tokens_in": usage.input_tokens + read + write,
        "tokens_out": usage.output_tokens,
        "tokens_cache_read": read,
        "tokens_cache_write": write,
    }


def _time(stamp: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(stamp))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
