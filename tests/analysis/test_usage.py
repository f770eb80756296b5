"""What runs took and cost, against sums on paper."""

import math
from dataclasses import replace

import pytest

from reportkit.analysis.usage import usage_of
from reportkit.decisions import Decisions
from reportkit.decisions.prices import Price, prices_of, prices_text
from reportkit.errors import ScoresError
from reportkit.facts import RunFacts

RUN = RunFacts(
    "h", "e", "A", created="2026-11-21T10:00:00", tokens_in=2000, tokens_out=300, seconds=61.5
)
PRICED = Decisions(prices={"A": {"input": 3, "output": 15}}, currency="EUR")


def test_tokens_times_prices():
    """2,000 at 3 and 300 at 15 a million: 0.006 + 0.0045."""
    [u] = usage_of(["A"], [RUN], PRICED)
    assert (u.created, u.tokens_in, u.tokens_out, u.seconds) == ("2026-11-21", 2000, 300, 61.5)
    assert u.cost == pytest.approx(0.0105, abs=1e-12) and u.currency == "EUR"


def test_runs_that_count_together_are_one_sum():
    more = replace(RUN, created="2026-11-19T23:00:00", tokens_in=1000, seconds=0.5)
    [u] = usage_of(["A"], [RUN, more], PRICED)
    assert (u.created, u.tokens_in, u.tokens_out) == ("2026-11-19/2026-11-21", 3000, 600)
    assert u.seconds == 62.0 and u.cost == pytest.approx(0.009 + 0.009, abs=1e-12)


def test_what_a_time_is_of_is_told_once():
    one = replace(RUN, time_of="all requests, added up")
    several = replace(RUN, time_of="one run of 2 evals together")
    [u] = usage_of(["A"], [RUN, one, several, one], PRICED)
    assert u.time_of == "all requests, added up; one run of 2 evals together"


def test_what_one_run_lacks_the_sum_lacks():
    lacking = replace(RUN, created="", tokens_out=0, seconds=0.0)
    [u] = usage_of(["A"], [RUN, lacking], PRICED)
    assert u.created == "" and u.tokens_in == 4000 and u.currency == ""
    assert all(map(math.isnan, (u.tokens_out, u.seconds, u.cost)))


def test_a_model_without_a_price_or_without_a_run():
    a, b = usage_of(["A", "B"], [RUN], Decisions(prices="B:1,1"))
    assert math.isnan(a.cost) and a.tokens_in == 2000
    assert (b.created, b.currency) == ("", "") and math.isnan(b.tokens_in)


def test_where_no_log_says_anything_there_is_nothing():
    assert usage_of(["A"], [RunFacts("h", "e", "A")], PRICED) == ()
    assert usage_of(["A"], [], PRICED) == ()


def test_tokens_of_a_cache_have_prices_of_their_own():
    """Of 2,000 in, 500 from the cache at 0.3 and 100 into it at 3.75, 1,400 at 3; 300 out at 15:
    (4200 + 150 + 375 + 4500) / 1e6.
    """
    cached = replace(RUN, tokens_cache_read=500, tokens_cache_write=100)
    [u] = usage_of(["A"], [cached], PRICED)
    assert math.isnan(u.cost)  # no price of them is known
    told = {"input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75}
    [u] = usage_of(["A"], [cached], Decisions(prices={"A": told}))
    assert u.cost == pytest.approx(0.009225, abs=1e-12) and u.currency == "USD"


def test_prices_in_every_writing():
    table = prices_text({"a:b": {"input": 3, "output": 15.0}, "c": {"input": 0, "output": 1}})
    assert prices_text("a:b:3,15; c:0,1") == prices_text(table) == table
    assert prices_of(table) == {"a:b": Price(3.0, 15.0), "c": Price(0.0, 1.0)}
    assert prices_of(prices_text("a:1,2,0.5,3"))["a"] == Price(1.0, 2.0, 0.5, 3.0)
    assert prices_text("") == prices_text(None) == prices_text({}) == "" and prices_of("") == {}


@pytest.mark.parametrize(
    "told",
    [
        "a", "a:3", "a:3,", "a:3,x", ":3,15", "a:-1,2", "a:1,nan", "a:1,2,3,4,5", 5, "{", "{}",
        {"a": 3}, {"a": {"input": 3}}, {"a": {"input": True, "output": 1}},
        {"a": {"input": 1, "output": 1, "currency": 2}}, {"a": {"input": 1e999, "output": 1}},
    ],
)  # fmt: skip
def test_what_is_no_price(told):
    with pytest.raises(ScoresError, match="prices = .* says no prices; write MODEL:INPUT,OUTPUT"):
        Decisions(prices=told)
