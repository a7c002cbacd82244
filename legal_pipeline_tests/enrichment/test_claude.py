"""What is asked of Claude, how often, and what comes of the answers, when nothing fails."""

from __future__ import annotations

import re
from dataclasses import replace

from legal_pipeline.chunking.plan import plan_text
from legal_pipeline.enrichment.claude import ClaudeEnricher
from legal_pipeline.enrichment.enricher import Part, PrefixRequest, Task, VerifyRequest
from legal_pipeline_tests.enrichment import acts
from legal_pipeline_tests.enrichment.anthropic_server import AnthropicServer, data_blocks
from legal_pipeline_tests.enrichment.conftest import MakeClaude
from legal_pipeline_tests.enrichment.run_total import run_total


def test_all_prefixes_of_an_act_of_60_chunks_come_with_one_request_and_cost_nothing_the_second_time(
    claude: ClaudeEnricher, make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    request = acts.prefix_request("se-sfs-1977-1160", acts.sections(60))
    first = claude.context_prefixes([request])
    assert [answer.chunk_id for answer in first.answers] == list(request.ids)
    assert len(anthropic_server.received) == 1
    assert not first.unanswered
    again = make_claude(run_id="run-2").context_prefixes([request])
    assert again.answers == first.answers
    assert again.total.requests == 0
    assert len(anthropic_server.received) == 1


def test_after_a_change_of_one_section_one_request_names_one_chunk(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    texts = acts.sections(60)
    claude.context_prefixes([acts.prefix_request("act", texts)])
    texts[30] = "31. An employer shall appoint a safety delegate."
    done = claude.context_prefixes([acts.prefix_request("act", texts, asked=[texts[30]])])
    assert len(done.answers) == 1
    assert len(anthropic_server.received) == 2
    document, chunks = data_blocks(anthropic_server.received[1].text)
    assert "safety delegate" in document
    assert re.findall(r'"chunk_id": "(\w+)"', chunks) == [acts.chunk_id("act", texts[30])]


def test_every_answer_names_the_model_and_the_version_of_the_prompt(claude: ClaudeEnricher) -> None:
    done = claude.questions([acts.question_request("act", acts.sections(3))])
    assert {answer.generator for answer in done.answers} == {claude.generator(Task.QUESTIONS)}
    assert claude.generator(Task.QUESTIONS).name == "claude-haiku-5-5"
    assert claude.generator(Task.CHUNK_PLAN).name == "claude-sonnet-5-5"
    assert len({claude.generator(task).version for task in Task}) == len(Task)


def test_pages_of_a_long_document_begin_with_the_same_bytes_and_all_but_the_first_read_them_from_the_cache(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    texts = [f"{acts.section(number)} {acts.section(number + 1)}" for number in range(1, 651)]
    done = claude.context_prefixes([acts.prefix_request("act", texts)])
    assert len(done.answers) == 650
    bodies = [received.body for received in anthropic_server.received]
    assert len(bodies) == 3  # 650 chunks, at most 300 per page
    assert len({str((body["system"], body["messages"][0]["content"][0])) for body in bodies}) == 1
    usage = [received.usage for received in anthropic_server.received]
    assert usage[0]["cache_creation_input_tokens"] > 0
    assert all(later["cache_read_input_tokens"] > 0 for later in usage[1:])


def test_a_document_asked_about_once_is_not_written_to_the_cache(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    claude.context_prefixes([acts.prefix_request("act", acts.sections(299))])
    assert "cache_control" not in str(anthropic_server.received[0].body)


def test_a_document_over_the_limit_is_asked_about_part_by_part(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    texts = acts.sections(20)
    passages = acts.passages("act", texts)
    parts = (
        Part("\n\n".join(texts[:12]), passages[:12], "Division I"),
        Part("\n\n".join(texts[12:]), passages[12:], "Division II"),
    )
    done = claude.context_prefixes([PrefixRequest("act", "Safety Act", "eng", parts)])
    assert [answer.chunk_id for answer in done.answers] == [passage.chunk_id for passage in passages]
    shown = sorted((received.text for received in anthropic_server.received), key=lambda text: "Division II" in text)
    assert len(shown) == 2
    assert texts[15] not in shown[0]
    assert texts[3] not in shown[1]


def test_questions_are_asked_for_in_pages_of_at_most_fifty_chunks(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    done = claude.questions([acts.question_request("act", acts.sections(110))])
    assert all(3 <= len(answer.questions) <= 5 for answer in done.answers)
    assert len(done.answers) == 110
    assert sorted(len(data_blocks(received.text)[-1].split("\n")) for received in anthropic_server.received) == [
        36,
        37,
        37,
    ]


def test_propositions_point_at_the_lines_that_define(claude: ClaudeEnricher) -> None:
    done = claude.propositions([acts.proposition_request("act")])
    assert [(answer.term, answer.number) for answer in done.answers] == [
        ("employer", "a"),
        ("workplace", "b"),
        ("record", "c"),
    ]
    assert acts.DEFINITIONS[done.answers[1].start : done.answers[1].end].startswith('(b) "workplace" means')


def test_an_appeal_is_planned_without_the_denied_argument_and_the_plan_is_verified(claude: ClaudeEnricher) -> None:
    request = acts.plan_request("appeal")
    (answer,) = claude.chunk_plan([request]).answers
    lines = plan_text(request.document).split("\n")
    kept = [line for chunk in answer.plan.chunks for line in lines[chunk.start_line - 1 : chunk.end_line]]
    assert not any("Director" in line for line in kept)
    assert [lines[entry.start_line - 1][:12] for entry in answer.plan.excluded] == ["The Director"]
    assert answer.plan.generator == str(answer.generator) == str(claude.generator(Task.CHUNK_PLAN))
    (verdict,) = claude.verify_plan([VerifyRequest(request.document, answer.plan)]).answers
    assert verdict.denied == {}


def test_the_second_pass_finds_a_denied_argument_in_a_planned_chunk(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    request = acts.plan_request("appeal")
    (answer,) = claude.chunk_plan([request]).answers

    def deny_the_second(answer: dict[str, object], text: str) -> dict[str, object]:
        rows = answer["chunks"]
        return {"chunks": [{**row, "denied": row["chunk"] == 2} for row in rows]}  # type: ignore[attr-defined]

    anthropic_server.alter = deny_the_second
    (verdict,) = claude.verify_plan([VerifyRequest(request.document, answer.plan)]).answers
    assert list(verdict.denied) == [1]


def test_labels_come_from_the_list(claude: ClaudeEnricher) -> None:
    assert [a.label for a in claude.classify_practice_area([acts.area_request("j-1")]).answers] == ["labour"]
    assert [a.label for a in claude.classify_document([acts.document_request("d-1")]).answers] == ["judgment"]


def test_texts_over_the_context_are_summarised_in_runs_first(
    make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude = make_claude(llm_model="claude-haiku-4-5")
    long = "The employer shall keep the record of the assessment. " * 6000  # 60,000 tokens; two make 120,000 of 200,000
    done = claude.summarise([acts.summary_request("act", "chapter-1", [f"{n}. {long}" for n in range(3)])])
    assert [answer.node_id for answer in done.answers] == ["chapter-1"]
    assert len(anthropic_server.received) == 4
    assert done.total.requests == 4


def test_thinking_is_asked_for_where_it_pays_and_switched_off_elsewhere(
    claude: ClaudeEnricher, make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    claude.summarise([acts.summary_request("act", "n", ["1. Work is free."])])
    claude.chunk_plan([acts.plan_request("appeal")])
    make_claude(llm_model="claude-haiku-4-5").summarise([acts.summary_request("act", "n", ["1. Work is free."])])
    assert [received.body.get("thinking") for received in anthropic_server.received] == [
        {"type": "disabled"},
        {"type": "adaptive"},
        None,
    ]


def test_report_and_journal_agree_with_the_server_to_the_token(
    claude: ClaudeEnricher, anthropic_server: AnthropicServer
) -> None:
    one = claude.context_prefixes([acts.prefix_request(f"act-{n}", acts.sections(5 + n)) for n in range(3)])
    two = claude.questions([acts.question_request("act-0", acts.sections(5))])
    reported = one.total + two.total
    journalled = run_total(claude.journal)
    assert reported.requests == journalled.requests == anthropic_server.totals["requests"] == 4
    assert reported.input_tokens == journalled.input_tokens == anthropic_server.totals["input_tokens"]
    assert reported.output_tokens == journalled.output_tokens == anthropic_server.totals["output_tokens"]
    expected = (reported.input_tokens * 0.10 + reported.output_tokens * 0.50) / 1_000_000
    assert abs(journalled.cost_usd - expected) < 1e-7
    assert claude.journal.day_total() == journalled


def test_after_a_change_only_the_changed_chapter_the_act_and_the_changed_chunk_are_asked_about(
    claude: ClaudeEnricher, make_claude: MakeClaude, anthropic_server: AnthropicServer
) -> None:
    texts = acts.sections(60)

    def enrich(engine: ClaudeEnricher, asked: list[str]) -> None:
        engine.context_prefixes([acts.prefix_request("act", texts, asked=asked)])
        chapters = [acts.summary_request("act", f"chp_{n}", texts[20 * n : 20 * n + 20]) for n in range(3)]
        below = [answer.text for answer in engine.summarise(chapters).answers]
        engine.summarise([acts.summary_request("act", "act", below)])
        request = acts.question_request("act", texts)
        wanted = tuple(passage for passage in request.passages if passage.text in asked)
        engine.questions([replace(request, passages=wanted)])

    enrich(claude, texts)
    assert len(anthropic_server.received) == 1 + 3 + 1 + 2
    enrich(make_claude(), texts)
    assert len(anthropic_server.received) == 7
    texts[30] = "31. An employer shall appoint a safety delegate."
    enrich(make_claude(), [texts[30]])
    prefix, chapter, act, questions = (received.text for received in anthropic_server.received[7:])
    assert "The chunks (1)" in prefix
    assert texts[30] in chapter
    assert texts[0] not in chapter
    assert "The texts regulate" in act
    assert "The chunks (1)" in questions
