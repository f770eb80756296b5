"""What tokens of a model cost: all ways to write it, as one text."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from reportkit.errors import ScoresError

_WHAT = (
    "prices = {!r} says no prices; write MODEL:INPUT,OUTPUT for a million tokens each, or a table "
    "[prices.MODEL] with input and output, and cache_read and cache_write where the model has them"
)
MILLION = 1e6  # tokens that a price is of


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a million tokens of one model. cache_read, cache_write: of those tokens of the
    input that a cache gave or took; nan: not known.
    """

    input: float
    output: float
    cache_read: float = math.nan
    cache_write: float = math.nan

    def cost(self, tokens_in: int, tokens_out: int, *, read: int = 0, write: int = 0) -> float:
        """What tokens cost; nan where the price of some of them is not known.

        read, write: of tokens_in.

        >>> Price(3.0, 15.0).cost(2_000_000, 100_000)
        7.5
        >>> Price(3.0, 15.0).cost(2_000_000, 100_000, read=1)
        nan
        """
        counts = (tokens_in - read - write, tokens_out, read, write)
        prices = (self.input, self.output, self.cache_read, self.cache_write)
        parts = [n * price for n, price in zip(counts, prices, strict=True) if n]
        return math.fsum(parts) / MILLION


def prices_text(value: Any) -> str:
    """Prices of models as one text, JSON.

    value: such a text; a mapping of models to their prices; or MODEL:INPUT,OUTPUT, several after
    ";". ScoresError for anything else.

    >>> prices_text("nova-2: 3, 15") == prices_text({"nova-2": {"input": 3, "output": 15}})
    True
    >>> prices_of(prices_text("nova-2:3,15"))["nova-2"].output
    15.0
    """
    if value is None or value == "" or value == {}:
        return ""
    told = _told(value)
    if not isinstance(told, Mapping) or not told:
        raise ScoresError(_WHAT.format(value))
    found = {}
    for model, of in told.items():
        if not isinstance(of, Mapping) or not {"input", "output"} <= {*of} <= _FIELDS:
            raise ScoresError(_WHAT.format(value))
        prices = {name: _price(price) for name, price in of.items()}
        if any(math.isnan(price) for price in prices.values()):
            raise ScoresError(_WHAT.format(value))
        found[str(model)] = prices
    return json.dumps(found, ensure_ascii=False)


_FIELDS = {*asdict(Price(0.0, 0.0))}


def _told(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("{"):
        return _pairs(value)
    try:
        return json.loads(value)
    except ValueError:
        return None


def _pairs(text: str) -> dict[str, dict[str, str]] | None:
    """MODEL:INPUT,OUTPUT, several after ";"."""
    found = {}
    for part in filter(str.strip, text.split(";")):
        model, _, prices = part.rpartition(":")
        names = ("input", "output", "cache_read", "cache_write")
        numbers = prices.split(",")
        if not model.strip() or len(numbers) > len(names):
            return None
        found[model.strip()] = dict(zip(names, numbers, strict=False))
    return found


def _price(value: Any) -> float:
    """A price from 0; nan for what is none."""
    try:
        price = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return price if 0.0 <= price < math.inf else math.nan


def prices_of(text: str) -> dict[str, Price]:
    """The models of such a text, each with its prices."""
    return {model: Price(**of) for model, of in json.loads(text or "{}").items()}
