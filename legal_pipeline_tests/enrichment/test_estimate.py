"""What a run would cost, before it is run."""

from __future__ import annotations

import pytest

from legal_pipeline.enrichment.enricher import Task
from legal_pipeline.enrichment.estimate import estimate
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer
from legal_pipeline_tests.enrichment.conftest import MakeClaude


def test_an_estimate_names_the_requests_that_a_run_then_makes(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    prefixes = [acts.prefix_request(f"act-{n}", acts.sections(30)) for n in range(3)]
    questions = [acts.question_request(f"act-{n}", acts.sections(60)) for n in range(4)]
    foreseen = estimate(load_settings(_env_file=None), {Task.CONTEXT_PREFIXES: prefixes, Task.QUESTIONS: questions})
    claude = make_claude()
    claude.context_prefixes(prefixes)
    claude.questions(questions)
    assert foreseen.total.requests == len(anthropic_server.received) == 3 + 8
    assert foreseen.total.documents == 4
    assert foreseen.tasks[Task.CONTEXT_PREFIXES].documents == 3
    assert foreseen.models[Task.QUESTIONS] == "claude-haiku-5-5"


def test_batches_cost_half_and_the_cache_pays_for_documents_of_many_pages() -> None:
    texts = [f"{acts.section(number)} {acts.section(number + 1)}" for number in range(1, 1201)]
    asked = [acts.prefix_request("act", texts)]
    cost = estimate(load_settings(_env_file=None), {Task.CONTEXT_PREFIXES: asked}).total
    assert cost.requests == 4
    assert cost.batched_usd == pytest.approx(cost.plain_usd / 2)
    assert cost.cached_usd < cost.plain_usd
    single = estimate(
        load_settings(_env_file=None), {Task.CONTEXT_PREFIXES: [acts.prefix_request("a", texts[:9])]}
    ).total
    assert single.cached_usd == single.plain_usd


@pytest.mark.parametrize("task", list(Task))
def test_every_task_can_be_estimated(task: Task) -> None:
    from legal_pipeline.chunking.plan import ChunkPlan, PlannedChunk
    from legal_pipeline.enrichment.enricher import VerifyRequest

    plan = ChunkPlan("s", (PlannedChunk(1, 3),))
    asked = {
        Task.CONTEXT_PREFIXES: acts.prefix_request("d", acts.sections(2)),
        Task.SUMMARISE: acts.summary_request("d", "n", acts.sections(2)),
        Task.QUESTIONS: acts.question_request("d", acts.sections(2)),
        Task.PROPOSITIONS: acts.proposition_request("d"),
        Task.CHUNK_PLAN: acts.plan_request("d"),
        Task.VERIFY_PLAN: VerifyRequest(acts.plan_document("d"), plan),
        Task.CLASSIFY_PRACTICE_AREA: acts.area_request("d"),
        Task.CLASSIFY_DOCUMENT: acts.document_request("d"),
    }[task]
    cost = estimate(load_settings(_env_file=None), {task: [asked]}).total
    assert (cost.documents, cost.requests) == (1, 1)
    assert cost.input_tokens > 0
    assert 0 < cost.batched_usd < cost.plain_usd
