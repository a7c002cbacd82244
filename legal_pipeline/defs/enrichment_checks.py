"""Asset checks on the texts from a language model, and on their costs.

Not here: the rules for single answers (`enrichment.validation`) and the budget itself (`enrichment.budget`).
"""

from __future__ import annotations

from dataclasses import asdict

from dagster import MetadataValue

from legal_pipeline.corpus_assets.chunk_figures import figures
from legal_pipeline.defs.check_outcome import NAMED, Checks, Outcome
from legal_pipeline.enrichment.budget import Budget
from legal_pipeline.enrichment.journal import Journal
from legal_pipeline.enrichment.validation import PREFIX_TOKENS
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.stages import context_prefixes

#: Maximum number of runs listed, the latest first.
_RUNS = 20


def _prefix_length(pipeline: Pipeline) -> Outcome:
    wrong, documents, prefixes = list[str](), 0, 0
    for row in figures(pipeline.registry.database, "prefixes", "wrong_prefixes"):
        wrong += [f"{row['document_id']} {prefix}" for prefix in row["wrong_prefixes"]]
        documents += 1
        prefixes += row["prefixes"]
    return not wrong, {
        "documents": documents, "prefixes": prefixes, "wrong": len(wrong),
        "first_wrong": MetadataValue.json(wrong[:NAMED]),
    }  # fmt: skip


def _cost(pipeline: Pipeline) -> Outcome:
    settings = pipeline.resources.settings
    budget = Budget(per_run=settings.llm_budget_usd, per_day=settings.llm_budget_usd_per_day)
    journal = Journal(pipeline.registry.database, run_id="", budget=budget)
    today, runs = journal.day_total(), journal.latest_runs(_RUNS)
    over = [run_id for run_id, _, used in runs if budget.per_run is not None and used.cost_usd > budget.per_run]
    within = not over and (budget.per_day is None or today.cost_usd <= budget.per_day)
    head = (
        "| run | last answer (UTC) | requests | input | output | cache read | cache written | dollars |\n"
        "|---|---|--:|--:|--:|--:|--:|--:|\n"
    )
    lines = "\n".join(
        f"| {run_id} | {last:%Y-%m-%d %H:%M} | {used.requests:,} | {used.input_tokens:,} | {used.output_tokens:,} "
        f"| {used.cache_read_tokens:,} | {used.cache_write_tokens:,} | {used.cost_usd:.4f} |"
        for run_id, last, used in runs
    )
    return within, {
        "cost_usd_today": today.cost_usd,
        "today": MetadataValue.json(asdict(today)),
        "over_budget": MetadataValue.json(over),
        **({"runs": MetadataValue.md(head + lines)} if runs else {}),
    }


ENRICHMENT_CHECKS: Checks = {
    "prefix_length": (
        context_prefixes.KEY,
        f"Every context prefix that a language model wrote has {PREFIX_TOKENS[0]} to {PREFIX_TOKENS[1]} tokens.",
        _prefix_length,
    ),
    "language_model_cost": (
        context_prefixes.KEY,
        "What the language model cost today and in the latest runs, by the journal, is within the budgets.",
        _cost,
    ),
}
