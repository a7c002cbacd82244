"""Build the requests of a task: its items divided into pages, each with the text for the model and the check of the answer.

Not here: prompts (files under `prompts`), the checks (`enrichment.validation`), and sending (`enrichment.claude`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from legal_pipeline.chunking.plan import criteria, plan_text
from legal_pipeline.enrichment import validation
from legal_pipeline.enrichment.answer_schema import SCHEMAS
from legal_pipeline.enrichment.enricher import (
    Classification,
    ContextPrefix,
    DocumentRequest,
    Generator,
    Passage,
    Plan,
    PlanRequest,
    PlanVerdict,
    PracticeAreaRequest,
    PrefixRequest,
    Proposition,
    PropositionRequest,
    QuestionRequest,
    Questions,
    Summary,
    SummaryRequest,
    Task,
    VerifyRequest,
)
from legal_pipeline.enrichment.prices import model_price
from legal_pipeline.enrichment.prompt import data_block, instructions, json_lines, numbered_lines
from legal_pipeline.enrichment.request import Request
from legal_pipeline.enrichment.validation import Checked
from legal_pipeline.model.identity import collapse, sha256_hex
from legal_pipeline.text.tokens import count_many, count_tokens

#: Maximum items per page; the maximum length of an answer limits a page to about 300 prefixes.
PREFIXES_PER_PAGE = 300
QUESTIONS_PER_PAGE = 50
#: Tokens (o200k) of the chunks on a page: together with a part of the document the prompt stays below the price step.
LISTED_TOKENS = 30_000
#: Share of the longest prompt at the ordinary rate that the texts of one summary may use (tokens are estimated).
_SUMMARY_SHARE = 0.6
_PREVIEW_CHARS = 240
#: Swedish legal text; English has 0.8, so an English summary is a little shorter than the budget allows.
_WORDS_PER_TOKEN = 0.55

#: Tasks for which the model is asked to think.
_THINKING = frozenset({Task.CHUNK_PLAN, Task.VERIFY_PLAN})
#: Answers are streamed, so that no SDK limit applies; a longer answer is requested in two halves.
_MAX_ANSWER_TOKENS = 64_000

A = TypeVar("A")
V = TypeVar("V")


@dataclass(frozen=True)
class Page(Generic[A]):
    """The content of one request.

    `context` (the document) comes first and is the same in every request about it. `ask` returns the text after it for some of the page's
    ids, `check` judges the answer for these ids, `answer_tokens` returns the maximum tokens of the answer for a number of ids.
    """

    task: Task
    document_id: str
    ids: tuple[str, ...]
    context: str
    ask: Callable[[Sequence[str]], str]
    check: Callable[[Any, Sequence[str]], Checked[A]]
    answer_tokens: Callable[[int], int]
    shared: bool = False


def prompt_version(task: Task) -> str:
    """Return a hash of the prompt, the schema of the answer and the version of the checks."""
    return sha256_hex(json.dumps([instructions(task), SCHEMAS[task], validation.CHECKS_VERSION], sort_keys=True))[:12]


def page_request(page: Page[Any], ids: Sequence[str], model: str, refused: Mapping[str, str] | None = None) -> Request:
    """Return the request for `ids` of `page`; `refused` holds the reasons for which earlier answers were refused."""
    price = model_price(model)
    ask = page.ask(ids)
    if refused:
        reasons = "\n".join(f"- {name}: {reason}" for name, reason in refused.items())
        ask += f"\n\nAn earlier answer was refused. Give a new one that avoids this:\n{reasons}"
    document: dict[str, Any] = {"type": "text", "text": page.context}
    cached = page.shared and count_tokens(page.context) * price.tokens_per_o200k >= price.cache_minimum_tokens
    if cached:
        document["cache_control"] = {"type": "ephemeral"}
    params: dict[str, Any] = {
        "model": model,
        "max_tokens": min(page.answer_tokens(len(ids)), _MAX_ANSWER_TOKENS, price.max_output_tokens),
        "system": [{"type": "text", "text": instructions(page.task)}],
        "messages": [{"role": "user", "content": [document, {"type": "text", "text": ask}]}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMAS[page.task]}},
    }
    if page.task in _THINKING and price.thinking != "none":
        params["thinking"] = {"type": "adaptive"}
    elif price.thinking == "adaptive":
        params["thinking"] = {"type": "disabled"}
    return Request(
        page.task, page.document_id, prompt_version(page.task), params, lane=sha256_hex(page.context) if cached else ""
    )


def prefix_pages(requests: Iterable[PrefixRequest], generator: Generator) -> Iterator[Page[ContextPrefix]]:
    for request in requests:
        for part in request.parts:
            pages = _runs(part.passages, _preview, PREFIXES_PER_PAGE)
            heading = _heading(request.title, request.language, part.label)
            for passages in pages:
                yield Page(
                    Task.CONTEXT_PREFIXES,
                    request.document_id,
                    tuple(passage.chunk_id for passage in passages),
                    f"{heading}\n\n{data_block(part.text)}",
                    functools.partial(_ask_about, passages, _preview),
                    functools.partial(validation.check_prefixes, document_id=request.document_id, generator=generator),
                    lambda count: 600 + 230 * count,
                    shared=len(pages) > 1,
                )


def question_pages(requests: Iterable[QuestionRequest], generator: Generator) -> Iterator[Page[Questions]]:
    for request in requests:
        for passages in _runs(request.passages, _whole, QUESTIONS_PER_PAGE):
            yield Page(
                Task.QUESTIONS,
                request.document_id,
                tuple(passage.chunk_id for passage in passages),
                _heading(request.title, request.language),
                functools.partial(_ask_about, passages, _whole),
                functools.partial(validation.check_questions, document_id=request.document_id, generator=generator),
                lambda count: 600 + 700 * count,
            )


def summary_pages(requests: Iterable[SummaryRequest], generator: Generator) -> Iterator[Page[Summary]]:
    for request in requests:
        texts = "\n\n".join(f"[{number}]\n{text}" for number, text in enumerate(request.texts, 1))
        words = int(request.budget_tokens * _WORDS_PER_TOKEN)
        yield Page(
            Task.SUMMARISE,
            request.document_id,
            (request.node_id,),
            f"{_heading(request.title, request.language)}\n\n{data_block(texts)}",
            _fixed(f"Write the summary, in at most {words} words."),
            functools.partial(
                validation.check_summary,
                document_id=request.document_id,
                budget_tokens=request.budget_tokens,
                generator=generator,
            ),
            _fixed(600 + 3 * request.budget_tokens),
        )


def proposition_pages(
    requests: Iterable[PropositionRequest], generator: Generator
) -> Iterator[Page[tuple[Proposition, ...]]]:
    for request in requests:
        tokens = count_tokens(request.text)
        yield Page(
            Task.PROPOSITIONS,
            request.document_id,
            (request.request_id,),
            f"{_heading(request.title, request.language)}\n\n{data_block(numbered_lines(request.text))}",
            _fixed(f"The section: {json.dumps(request.section, ensure_ascii=False)}"),
            functools.partial(validation.check_propositions, request=request, generator=generator),
            _fixed(2000 + 4 * tokens),
        )


def plan_pages(requests: Iterable[PlanRequest], generator: Generator) -> Iterator[Page[Plan]]:
    for request in requests:
        document = request.document
        yield Page(
            Task.CHUNK_PLAN,
            request.document_id,
            (request.document_id,),
            f"{_heading(document.title, document.language)}\n\n{data_block(numbered_lines(plan_text(document)))}",
            _fixed(_ask_for_plan(document.doc_type)),
            functools.partial(validation.check_plan, request=request, generator=generator),
            _fixed(48_000),
        )


def verify_pages(requests: Iterable[VerifyRequest], generator: Generator) -> Iterator[Page[PlanVerdict]]:
    for request in requests:
        document = request.document
        lines = plan_text(document).split("\n")
        rows: list[dict[str, object]] = [
            {"chunk": number, "text": "\n".join(lines[chunk.start_line - 1 : chunk.end_line])}
            for number, chunk in enumerate(request.plan.chunks, 1)
        ]
        yield Page(
            Task.VERIFY_PLAN,
            request.document_id,
            (request.document_id,),
            f"{_heading(document.title, document.language)}\n\n{data_block(json_lines(rows))}",
            _fixed(f"Give a verdict on each of the chunks 1 to {len(rows)}."),
            functools.partial(
                validation.check_verdict, document_id=request.document_id, chunks=len(rows), generator=generator
            ),
            _fixed(12_000 + 300 * len(rows)),
        )


def practice_area_pages(
    requests: Iterable[PracticeAreaRequest], generator: Generator
) -> Iterator[Page[Classification]]:
    for request in requests:
        yield _label_page(
            Task.CLASSIFY_PRACTICE_AREA,
            request.document_id,
            f"{_heading(request.title, request.language)}\n\n{data_block(request.text)}",
            request.areas,
            generator,
        )


def document_pages(requests: Iterable[DocumentRequest], generator: Generator) -> Iterator[Page[Classification]]:
    for request in requests:
        name = json.dumps(request.filename, ensure_ascii=False)
        yield _label_page(
            Task.CLASSIFY_DOCUMENT,
            request.document_id,
            f"{_heading(request.title, '')}\nFile name: {name}\n\n{data_block(request.text)}",
            request.types,
            generator,
        )


#: What makes the pages of each task.
PAGES: Mapping[Task, Callable[[Any, Generator], Iterator[Page[Any]]]] = {
    Task.CONTEXT_PREFIXES: prefix_pages,
    Task.SUMMARISE: summary_pages,
    Task.QUESTIONS: question_pages,
    Task.PROPOSITIONS: proposition_pages,
    Task.CHUNK_PLAN: plan_pages,
    Task.VERIFY_PLAN: verify_pages,
    Task.CLASSIFY_PRACTICE_AREA: practice_area_pages,
    Task.CLASSIFY_DOCUMENT: document_pages,
}


# -- text for the model -----------------------------------------------------------------------------------------------


def _heading(title: str, language: str, label: str = "") -> str:
    # a title is document text too: as a JSON string it cannot break out of its line
    rows = [f"Document: {json.dumps(title, ensure_ascii=False)}"]
    if label:
        rows.append(f"Part: {json.dumps(label, ensure_ascii=False)}")
    if language:
        rows.append(f"Language (ISO 639-3): {json.dumps(language)}")
    return "\n".join(rows)


def _preview(passage: Passage) -> dict[str, object]:
    return {"chunk_id": passage.chunk_id, "header": passage.header, "preview": collapse(passage.text)[:_PREVIEW_CHARS]}


def _whole(passage: Passage) -> dict[str, object]:
    return {"chunk_id": passage.chunk_id, "header": passage.header, "text": passage.text}


def _ask_about(passages: Sequence[Passage], show: Callable[[Passage], dict[str, object]], ids: Sequence[str]) -> str:
    wanted = set(ids)
    rows = json_lines(show(passage) for passage in passages if passage.chunk_id in wanted)
    return f"The chunks ({len(wanted)}):\n\n{data_block(rows)}"


def _ask_for_plan(doc_type: str) -> str:
    tags = "\n".join(f"- {tag}: {row['name']} ({row['citation']})" for tag, row in criteria().items())
    return f"Document type: {doc_type}\nThe criterion tags:\n{tags}"


def _label_page(
    task: Task, document_id: str, context: str, labels: Mapping[str, str], generator: Generator
) -> Page[Classification]:
    shown = "\n".join(f"- {label}: {meaning}" for label, meaning in labels.items())
    return Page(
        task,
        document_id,
        (document_id,),
        context,
        _fixed(f"The list:\n{shown}"),
        functools.partial(validation.check_label, document_id=document_id, labels=labels, generator=generator),
        _fixed(500),
    )


def _fixed(value: V) -> Callable[[Any], V]:
    return lambda _argument: value


def _runs(
    passages: Sequence[Passage], show: Callable[[Passage], dict[str, object]], size: int
) -> list[Sequence[Passage]]:
    """Return as few runs as `size` and `LISTED_TOKENS` allow, of similar length: 310 chunks are two pages of 155, not 300 and 10."""
    tokens = count_many([json_lines([show(passage)]) for passage in passages])
    pages = -(-len(passages) // size)
    while passages:
        length = -(-len(passages) // pages)
        starts = range(0, len(passages), length)
        if length == 1 or all(sum(tokens[start : start + length]) <= LISTED_TOKENS for start in starts):
            return [passages[start : start + length] for start in starts]
        pages += 1
    return []


def summary_runs(texts: Sequence[str], model: str) -> list[tuple[str, ...]]:
    """Return runs of adjacent texts, each short enough for one summary; a longer text is a separate run."""
    price = model_price(model)
    limit = price.ordinary_prompt_tokens * _SUMMARY_SHARE / price.tokens_per_o200k
    runs: list[tuple[str, ...]] = []
    run: list[str] = []
    size = 0
    for text, tokens in zip(texts, count_many(texts), strict=True):
        if run and size + tokens > limit:
            runs.append(tuple(run))
            run, size = [], 0
        run.append(text)
        size += tokens
    runs.append(tuple(run))
    return runs
