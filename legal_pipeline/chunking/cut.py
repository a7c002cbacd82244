"""Routes documents, cuts their segments by the strategies, and assembles and checks the chunks.

This is the only entry to chunking. Texts that need vectors are encoded once per batch; the planner and the proposer are called once.
Not here: which strategy is used (`chunking.router`), and the checks of the chunk table (`chunking.assemble`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ParamSpec, TypeVar

from legal_pipeline.chunking.assemble import assemble
from legal_pipeline.chunking.chunk import ChunkedDocument, Exclusion, Segment, Span
from legal_pipeline.chunking.plan import RULES, ChunkPlan
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions, route
from legal_pipeline.chunking.strategy import Encoder, Planner, Proposed, Proposer, Tools, Unresolved, Vectors
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.document import Document
from legal_pipeline.system.garbage import without_cycle_search

#: Returns the encoder for texts of a language (ISO 639-3).
MakeEncoder = Callable[[str], Encoder]

#: Most characters and pieces of a text that is cut by meaning, where every piece is embedded; a longer text is cut block by block.
#: Two processors take 4 s for 1,000 sentences in English and 9 s in Swedish or Greek with the default models, 24 s and 73 s for
#: 1,000,000 characters. Sentences of one word take 1 to 2 s per thousand, so a limit on characters alone would accept too many of them.
MOST_BY_MEANING = 1_000_000
MOST_PIECES = 10_000
_FALLBACK = "markdown_merge"

_log = logging.getLogger(__name__)
T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class _Routed:
    document: Document
    segments: list[Segment]
    exclusions: list[Exclusion]
    texts: dict[int, list[str]] = field(default_factory=dict)
    vectors: dict[int, Vectors] = field(default_factory=dict)
    unresolved: dict[int, list[Unresolved]] = field(default_factory=dict)
    proposed: dict[int, tuple[tuple[Proposed, ...], ...]] = field(default_factory=dict)
    plan: ChunkPlan | None = None
    model: str | None = None

    @property
    def is_planned(self) -> bool:
        return any(STRATEGIES[segment.strategy].planned for segment in self.segments)


def chunk(
    document: Document, options: RouterOptions = RouterOptions(), encoder: MakeEncoder | None = None
) -> ChunkedDocument:
    """Return the chunks of one document. Raises `ChunkingError` when a promise of the chunk table does not hold."""
    (result,) = chunk_batch([document], options, encoder)
    if isinstance(result, Exception):
        raise result
    return result


def chunk_batch(
    documents: Sequence[Document],
    options: RouterOptions | Sequence[RouterOptions],
    encoder: MakeEncoder | None = None,
    planner: Planner | None = None,
    proposer: Proposer | None = None,
) -> list[ChunkedDocument | Exception]:
    """Return for each document its chunks, or the exception that it raised; the other documents are still cut.

    `encoder` is called only when a strategy needs vectors; if it is None, a document that needs vectors gives a `ConfigurationError`.
    Without a planner, rules make the plans; without a proposer, only the rules make propositions.
    """
    each = [options] * len(documents) if isinstance(options, RouterOptions) else list(options)
    prepared = [
        _attempt(_prepare, document, choice, proposer is not None)
        for document, choice in zip(documents, each, strict=True)
    ]
    if planner is not None:
        prepared = _plan(prepared, planner)
    alive = [item for item in prepared if isinstance(item, _Routed)]
    if proposer is not None:
        _propose(alive, proposer)
    _encode(alive, encoder)
    return [
        item if isinstance(item, Exception) else _attempt(_finish, item, choice)
        for item, choice in zip(prepared, each, strict=True)
    ]


def _attempt(work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T | Exception:
    try:
        return work(*arguments, **options)
    except Exception as error:
        return error


@without_cycle_search()
def _prepare(document: Document, options: RouterOptions, proposes: bool) -> _Routed:
    segments, exclusions = route(document, options)
    routed = _Routed(document, segments, exclusions)
    for number, segment in enumerate(segments):
        pieces = STRATEGIES[segment.strategy].pieces
        if pieces is not None:
            size = sum(end - start for start, end in segment.spans)
            texts = pieces(document, segment, _tools(segment, options)) if size <= MOST_BY_MEANING else []
            if size <= MOST_BY_MEANING and len(texts) <= MOST_PIECES:
                routed.texts[number] = texts
            else:
                segment = segments[number] = _cut_by_blocks(document, segment, size, len(texts))
        unresolved = STRATEGIES[segment.strategy].unresolved
        if proposes and unresolved is not None:
            routed.unresolved[number] = unresolved(document, segment, _tools(segment, options))
    return routed


def _cut_by_blocks(document: Document, segment: Segment, size: int, pieces: int) -> Segment:
    """Return the same text as a segment of the structural fallback: it is too long to embed every piece."""
    found, most = (f"{pieces:,} pieces", MOST_PIECES) if pieces else (f"{size:,} characters", MOST_BY_MEANING)
    reason = f"{found}, {segment.strategy} has {most:,} at most"
    _log.warning("%s is cut by %s: %s", document.document_id, _FALLBACK, reason)
    return replace(segment, strategy=_FALLBACK, reason=reason)


def _plan(prepared: Sequence[_Routed | Exception], planner: Planner) -> list[_Routed | Exception]:
    """Return `prepared` with the planner's answers, requested in one call; a document that must not be cut now is replaced by its error."""
    due = [item for item in prepared if isinstance(item, _Routed) and item.is_planned]
    answers = {id(item): plan for item, plan in zip(due, planner.plan([item.document for item in due]), strict=True)}
    out: list[_Routed | Exception] = []
    for item in prepared:
        plan = answers.get(id(item))
        if isinstance(item, _Routed) and isinstance(plan, ChunkPlan):
            item.plan = plan
        out.append(plan if isinstance(plan, Exception) else item)
    return out


def _propose(items: Sequence[_Routed], proposer: Proposer) -> None:
    """Add the proposer's propositions, requested in one call."""
    answers = iter(
        proposer.propose([request for item in items for part in item.unresolved.values() for request in part])
    )
    for item in items:
        for number, part in item.unresolved.items():
            item.proposed[number] = tuple(next(answers) for _ in part)


def _encode(items: Sequence[_Routed], encoder: MakeEncoder | None) -> None:
    """Add the vectors of all pieces, with one call per model, and the model's name."""
    asking = [item for item in items if item.texts]
    if encoder is None:
        return
    encoders = {language: encoder(language) for language in {item.document.language for item in asking}}
    by_model: dict[str, list[_Routed]] = {}
    for item in asking:
        item.model = encoders[item.document.language].name
        by_model.setdefault(item.model, []).append(item)
    for of_model in by_model.values():
        texts = [text for item in of_model for part in item.texts.values() for text in part]
        vectors = encoders[of_model[0].document.language].encode(texts)
        position = 0
        for item in of_model:
            for number, part in item.texts.items():
                item.vectors[number] = vectors[position : position + len(part)]
                position += len(part)


@without_cycle_search()
def _finish(item: _Routed, options: RouterOptions) -> ChunkedDocument:
    cut = []
    exclusions = item.exclusions
    excluded = tuple((found.start, found.end) for found in exclusions)
    for number, segment in enumerate(item.segments):
        strategy = STRATEGIES[segment.strategy]
        if number in item.texts and number not in item.vectors:
            raise ConfigurationError(f"{segment.strategy} needs an embedding model, and none was given")
        tools = _tools(segment, options, item.vectors.get(number), item.model, excluded)
        if item.plan is not None or number in item.proposed:
            tools = replace(tools, plan=item.plan, proposed=item.proposed.get(number, ()))
        drafts, left_out = strategy.chunk(item.document, segment, tools)
        version = f"{strategy.version}/{item.model}" if number in item.texts else strategy.version
        if strategy.planned and item.plan is not None and item.plan.generator != RULES:
            version = f"{version}/{item.plan.generator}"
        cut.append((segment, version, drafts))
        exclusions = [*exclusions, *left_out]
    return assemble(item.document, cut, exclusions, options.to_json())


def _tools(
    segment: Segment,
    options: RouterOptions,
    vectors: Vectors | None = None,
    model: str | None = None,
    excluded: tuple[Span, ...] | None = None,
) -> Tools:
    parameters: dict[str, Any] = options.parameters.get(segment.strategy, {})
    return Tools(vectors, parameters, model=model, excluded=excluded)
