"""Spending limits per run and per day, and the maximum cost of a request.

Not here: the amounts spent (`enrichment.journal`, which checks the budget while it holds its lock).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from legal_pipeline.enrichment.enricher import Usage
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.request import Request
from legal_pipeline.errors import BudgetExceededError

#: Tokens that the service adds to a prompt (role marks, the schema of the answer), which the bytes of the body do not cover exactly.
_OVERHEAD_TOKENS = 2000
#: The service documents its own token count as an estimate.
_COUNT_MARGIN = 1.02


@dataclass(frozen=True)
class Budget:
    """Limits in dollars; None means no limit."""

    per_run: float | None = None
    per_day: float | None = None

    @property
    def limited(self) -> bool:
        return self.per_run is not None or self.per_day is not None

    def check(self, *, run_usd: float, day_usd: float, reserve_usd: float) -> None:
        """Raise `BudgetExceededError` if `reserve_usd` more could exceed a limit; `run_usd` and `day_usd` are already spent or reserved."""
        for limit, spent, name in ((self.per_run, run_usd, "run"), (self.per_day, day_usd, "day")):
            if limit is not None and spent + reserve_usd > limit:
                raise BudgetExceededError(
                    f"the budget of this {name} is ${limit:.4f}: ${spent:.4f} are spent or under way, "
                    f"the next request may cost up to ${reserve_usd:.4f}"
                )


def max_cost(request: Request, *, batch: bool, input_tokens: int | None = None) -> float:
    """Return an upper bound of the cost in dollars: all input at the highest input rate, and an answer of maximum length.

    Without `input_tokens` (the count of the service) the bytes of the body are the bound: no token is shorter than a byte.
    """
    price = model_price(request.model)
    bound = len(request.body.encode()) if input_tokens is None else int(input_tokens * _COUNT_MARGIN)
    tokens = bound + _OVERHEAD_TOKENS
    cached = '"cache_control"' in request.body
    usage = Usage(
        input_tokens=0 if cached else tokens,
        cache_write_tokens=tokens if cached else 0,
        output_tokens=request.max_tokens,
    )
    return price.cost(usage, batch=batch)


def reservation(
    request: Request, budget: Budget, *, batch: bool, spent: Callable[[], tuple[float, float]], count: Callable[[], int]
) -> float:
    """Return the dollars to reserve: the bound by bytes if it is within the budget, else by the service's own count (one free call)."""
    bound = max_cost(request, batch=batch)
    if not budget.limited:
        return bound
    run_usd, day_usd = spent()
    try:
        budget.check(run_usd=run_usd, day_usd=day_usd, reserve_usd=bound)
    except BudgetExceededError:
        return max_cost(request, batch=batch, input_tokens=count())
    return bound
