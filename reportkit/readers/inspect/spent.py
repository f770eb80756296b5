"""What a run of Inspect took: tokens of the model, and time."""

from datetime import UTC, datetime
from typing import Any

from reportkit.readers.spent import LONGEST, MOST_TOKENS


def spent(log: Any) -> dict[str, Any]:
    """Fields of RunFacts: tokens of the model itself, and the seconds from the run's start to its
    end. Tokens are left out where a role of the same model, such as a grader, has its part in them.
    """
    found: dict[str, Any] = {}
    start, end = (_time(t) for t in (log.stats.started_at, log.stats.completed_at))
    took = (end - start).total_seconds() if start is not None and end is not None else 0.0
    if 0.0 < took < LONGEST:
        found["seconds"] = took
    usage = (log.stats.model_usage or {}).get(log.eval.model)
    if usage is None or _is_grader_too(log):
        return found
    return found | _tokens(usage)


def _is_grader_too(log: Any) -> bool:
    """Whether the model has another role in the eval beside being evaluated, such as a grader's:
    then its tokens are of both.
    """
    for config in (log.eval.model_roles or {}).values():
        configs = config if isinstance(config, list) else [config]
        if any(c.model == log.eval.model for c in configs):
            return True
    return False


def _tokens(usage: Any) -> dict[str, int]:
    """The tokens, where they add up to the total; nothing where they do not. In older logs those
    that went in hold those of a cache for some providers, and those of reasoning stand apart for
    some.
    """
    into, out = usage.input_tokens, usage.output_tokens
    read, write = usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0
    thought = usage.reasoning_tokens or 0
    if min(into, out, read, write, thought) < 0:
        return {}
    if max(into, out, read, write, thought) >= MOST_TOKENS:
        return {}
    total = usage.total_tokens or into + read + write + out
    ways = [(into + read + write, out), (into, out), (into + read + write, out + thought)]
    for tokens_in, tokens_out in ways:
        if tokens_in + tokens_out == total and tokens_in >= read + write:
            return {
                "tokens_in": tokens_in,
                "tokens_out": tokens_out,
                "tokens_cache_read": read,
                "tokens_cache_write": write,
            }
    return {}


def _time(stamp: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(stamp))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
