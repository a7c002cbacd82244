"""What a run would cost, before it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.chunking.cut import chunk_batch
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.enrichment.enricher import Generator, PrefixRequest, QuestionRequest, Task
from legal_pipeline.enrichment.estimate import estimate
from legal_pipeline.enrichment.pages import page_request, prefix_pages, question_pages
from legal_pipeline.enrichment.parts import split_into_parts
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.parsing.registry import parse
from legal_pipeline.processing.enrichment import located_passages
from legal_pipeline.settings import load_settings
from legal_pipeline.sources.directory import DirectorySource
from legal_pipeline.text.tokens import count_tokens
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


@pytest.mark.corpus
@pytest.mark.slow
def test_no_prompt_about_a_large_code_reaches_the_step_at_which_prices_rise(corpus: Path) -> None:
    """The Socialförsäkringsbalk has 190,000 tokens (o200k); with parts of 150,000 its prefixes cost $0.77."""
    file = corpus / "histories" / "se_2010-110_sfb_selex" / "v001.md"
    settings = load_settings(_env_file=None)
    price = model_price(settings.llm_model)
    source = DirectorySource(file)
    document = parse(source.fetch(source.list().items[0]))
    (cut,) = chunk_batch([document], [RouterOptions()], lambda _: pytest.fail("no strategy by meaning is needed"))
    assert not isinstance(cut, Exception)
    rows = [chunk.to_row() for chunk in cut.chunks if chunk.parent_chunk_id is None]
    located = located_passages(document, rows)
    parts = split_into_parts(document, located)
    everything = PrefixRequest(document.document_id, document.title, document.language, parts)
    asked = [one for _, one in located]
    questions = QuestionRequest(document.document_id, document.title, document.language, tuple(asked))
    for task, pages in (
        (Task.CONTEXT_PREFIXES, prefix_pages([everything], Generator("m", "1"))),
        (Task.QUESTIONS, question_pages([questions], Generator("m", "1"))),
    ):
        ids: list[str] = []
        for page in pages:
            ids += page.ids
            tokens = count_tokens(page_request(page, page.ids, settings.llm_model).body) * price.tokens_per_o200k
            assert tokens < 0.95 * price.ordinary_prompt_tokens, task
        assert ids == [one.chunk_id for one in asked]
    assert estimate(settings, {Task.CONTEXT_PREFIXES: [everything]}).total.cached_usd < 0.25
    changed = split_into_parts(document, located[700:701])
    single = PrefixRequest(document.document_id, document.title, document.language, changed)
    cost = estimate(settings, {Task.CONTEXT_PREFIXES: [single]}).total
    assert cost.requests == 1
    assert cost.plain_usd < 0.005


def test_chunks_that_are_long_make_pages_of_fewer(make_claude: MakeClaude, anthropic_server: AnthropicServer) -> None:
    """Fifty judgments' chunks of 1,300 tokens each would be 65,000 tokens (o200k) in one prompt."""
    texts = [f"[{number}] " + "The applicant seeks an order of eviction. " * 150 for number in range(50)]
    request = acts.question_request("judgment", texts)
    make_claude().questions([request])
    listed = [received.text.count('"chunk_id"') for received in anthropic_server.received]
    assert sum(listed) == 50
    assert len(listed) == 3
    assert max(listed) - min(listed) <= 1


def test_a_chapter_that_is_too_long_for_one_prompt_is_foreseen_and_asked_in_runs(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    texts = [f"{number}. " + "An employer shall keep the record of every assessment. " * 100 for number in range(60)]
    asked = [acts.summary_request("act", "chapter", texts)]
    foreseen = estimate(load_settings(_env_file=None), {Task.SUMMARISE: asked}).total
    done = make_claude().summarise(asked)
    assert [answer.node_id for answer in done.answers] == ["chapter"]
    assert foreseen.requests == len(anthropic_server.received) == 3
