"""The prices and limits of models, read from `prices.toml`.

Not here: spending limits (`enrichment.budget`) and amounts spent (`enrichment.journal`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.data_files import data_file

_MILLION = 1_000_000


@dataclass(frozen=True)
class Rates:
    """Dollars per million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float


@dataclass(frozen=True)
class ModelPrice:
    """`rates` apply up to `long_prompt_tokens`; `long_rates` apply to every token of a request with a longer prompt."""

    model: str
    rates: Rates
    long_rates: Rates
    long_prompt_tokens: int | None
    batch_factor: float
    tokens_per_o200k: float
    cache_minimum_tokens: int
    max_output_tokens: int
    context_tokens: int
    thinking: str

    @property
    def ordinary_prompt_tokens(self) -> int:
        """Return the longest prompt, in tokens, that the model accepts at its ordinary rates."""
        return min(self.context_tokens, self.long_prompt_tokens or self.context_tokens)

    def cost(self, usage: Usage, *, batch: bool) -> float:
        """Return the dollars of one answer."""
        prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
        rates = (
            self.long_rates if self.long_prompt_tokens is not None and prompt > self.long_prompt_tokens else self.rates
        )
        dollars = (
            usage.input_tokens * rates.input
            + usage.output_tokens * rates.output
            + usage.cache_write_tokens * rates.cache_write
            + usage.cache_read_tokens * rates.cache_read
        ) / _MILLION
        return dollars * (self.batch_factor if batch else 1.0)


@functools.cache
def _table() -> Mapping[str, ModelPrice]:
    data = data_file(__package__, "prices.toml")
    prices = {}
    for model, row in data["models"].items():
        rates = {name: float(row[name]) for name in ("input", "output", "cache_write", "cache_read")}
        prices[model] = ModelPrice(
            model=model,
            rates=Rates(**rates),
            long_rates=Rates(**{name: float(row.get(f"long_{name}", rate)) for name, rate in rates.items()}),
            long_prompt_tokens=row.get("long_prompt_tokens"),
            batch_factor=float(data["batch_factor"]),
            tokens_per_o200k=row["tokens_per_o200k"],
            cache_minimum_tokens=row["cache_minimum_tokens"],
            max_output_tokens=row["max_output_tokens"],
            context_tokens=row["context_tokens"],
            thinking=row["thinking"],
        )
    return prices


def model_price(model: str) -> ModelPrice:
    """Return the price of `model`. Raises `ConfigurationError` for a model without a price: its cost could not be kept within a budget."""
    table = _table()
    # a dated snapshot has the price of its model
    found = table.get(model) or next((price for name, price in table.items() if model.startswith(f"{name}-20")), None)
    if found is None:
        raise ConfigurationError(
            f"no price for the model {model!r}; known: {', '.join(table)} (enrichment/prices.toml)"
        )
    return found
