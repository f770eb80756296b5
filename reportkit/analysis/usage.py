"""What the runs of each model took, as their logs say: date, tokens, time, and what it cost."""

import math
from collections.abc import Callable, Sequence

from reportkit.decisions import Decisions
from reportkit.decisions.prices import Price, prices_of
from reportkit.facts import RunFacts
from reportkit.results import UsageResult

DAY = 10  # characters of a date in ISO 8601


def usage_of(
    models: Sequence[str], runs: Sequence[RunFacts], d: Decisions
) -> tuple[UsageResult, ...]:
    """One record for each model, in their order; none where no log says anything.

    Several runs of a model that count together are one sum. What one of them lacks, the sum lacks.
    """
    prices = prices_of(d.prices)
    found = tuple(
        _of_model(m, [r for r in runs if r.model == m], prices.get(m), d.currency) for m in models
    )
    known = any(u.created or u.tokens_in == u.tokens_in or u.seconds == u.seconds for u in found)
    return found if known else ()


def _of_model(
    model: str, runs: Sequence[RunFacts], price: Price | None, currency: str
) -> UsageResult:
    tokens_in, tokens_out = (_sum(runs, read) for read in (_tokens_in, _tokens_out))
    cost = math.nan
    if price is not None and tokens_in == tokens_in and tokens_out == tokens_out:
        cost = math.fsum(_cost(r, price) for r in runs)
    days = sorted({day[:DAY] for r in runs for day in (r.created, r.since or r.created)})
    return UsageResult(
        model=model,
        created="/".join(dict.fromkeys([days[0], days[-1]])) if days and all(days) else "",
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=_sum(runs, lambda r: r.seconds),
        time_of="; ".join(dict.fromkeys(r.time_of for r in runs if r.time_of)),
        cost=cost,
        currency=currency if cost == cost else "",
    )


def _tokens_in(r: RunFacts) -> float:
    return r.tokens_in


def _tokens_out(r: RunFacts) -> float:
    return r.tokens_out


def _cost(r: RunFacts, price: Price) -> float:
    read, write = r.tokens_cache_read, r.tokens_cache_write
    return price.cost(r.tokens_in, r.tokens_out, read=read, write=write)


def _sum(runs: Sequence[RunFacts], read: Callable[[RunFacts], float]) -> float:
    """Over all runs; nan where one of them does not say it, or there is none."""
    values = [read(r) for r in runs]
    return sum(values) if values and all(values) else math.nan
