"""Faults at random, in every mixture: whatever happens, every chunk is answered or reported, nothing is paid twice, the accounts agree."""

from __future__ import annotations

import random
from typing import Any

import pytest

from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer, Fault
from legal_pipeline_tests.enrichment.conftest import MakeClaude
from legal_pipeline_tests.enrichment.run_total import run_total
from legal_pipeline_tests.enrichment.test_faults import assert_accounts_agree, assert_nothing_is_lost, requests

FAULTS = (
    Fault("status", 429, (("retry-after", "0.02"),)), Fault("status", 500), Fault("status", 529), Fault("status", 400), Fault("reset"),
    Fault("break_off"), Fault("stream_error"), Fault("truncated_json"), Fault("refusal"), Fault("max_tokens"),
)  # fmt: skip
FATES = ("succeeded", "errored", "expired", "invalid", "lost")


def mangled(answer: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    rows = [row for row in answer["prefixes"] if chance.random() > 0.1]
    if rows and chance.random() < 0.3:
        rows.append({**rows[0], "chunk_id": f"{chance.getrandbits(64):016x}"})
    if rows and chance.random() < 0.2:
        rows[0] = {**rows[0], "prefix": "short"}
    return {"prefixes": rows}


@pytest.mark.parametrize("mode", ["interactive", "batch"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(2, 20))])
def test_runs_in_trouble_keep_the_accounts(
    make_claude: MakeClaude, anthropic_server: AnthropicServer, seed: int, mode: str
) -> None:
    chance = random.Random(seed)
    anthropic_server.fault = lambda body: chance.choice(FAULTS) if chance.random() < 0.3 else None
    if mode == "batch":
        anthropic_server.fault = lambda body: Fault("status", 529) if chance.random() < 0.3 else None
    anthropic_server.alter = lambda answer, text: mangled(answer, chance)
    anthropic_server.fate = lambda custom_id, times: chance.choice(FATES) if chance.random() < 0.4 else "succeeded"
    anthropic_server.drop_created_batches = chance.randint(0, 2)
    anthropic_server.break_results = chance.randint(0, 2)
    anthropic_server.fail_retrievals = chance.randint(0, 3)
    asked = requests(12, sections=3)
    first = make_claude(run_id="first", llm_mode=mode)
    done = first.context_prefixes(asked)
    assert_nothing_is_lost(asked, done)
    assert_accounts_agree(first, anthropic_server, done)

    anthropic_server.fault = lambda body: None
    anthropic_server.fate = lambda custom_id, times: "succeeded"
    first.close()
    paid = anthropic_server.totals["requests"]
    second = make_claude(run_id="second", llm_mode=mode)
    later = second.context_prefixes(asked)
    assert_nothing_is_lost(asked, later)
    assert {answer.chunk_id for answer in done.answers} <= {answer.chunk_id for answer in later.answers}
    assert run_total(second.journal).requests == later.total.requests == anthropic_server.totals["requests"] - paid
    assert not [body for body, times in anthropic_server.billed.items() if times > 1]
