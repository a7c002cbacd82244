"""Routes documents, cuts their segments by the strategies, and assembles and checks the chunks.

This is the only entry to chunking. Texts that need vectors are encoded once per batch; the planner and the proposer are called once.
Not here: which strategy is used (`chunking.router`), and the checks of the chunk table (`chunking.assemble`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from legal_pipeline.chunking.assemble import assemble
from legal_pipeline.chunking.chunk import ChunkedDocument, Exclusion, Segment
from legal_pipeline.chunking.plan import RULES, ChunkPlan
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import RouterOptions, route
from legal_pipeline.chunking.strategy import Encoder, Planner, Proposer, Strategy, Tools, Unresolved
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
class _Part:
    """A segment with the inputs of its strategy; `texts` are the pieces that need vectors, `unresolved` the questions to the proposer."""

    segment: Segment
    tools: Tools
    texts: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)

    @property
    def strategy(self) -> Strategy:
        return STRATEGIES[self.segment.strategy]


@dataclass
class _Routed:
    """A document before it is cut; `plan` is the planner's answer, or the error for which the document must not be cut now."""

    document: Document
    parts: list[_Part]
    exclusions: list[Exclusion]
    plan: ChunkPlan | Exception | None = None


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
    routed = [item for item in prepared if isinstance(item, _Routed)]
    if planner is not None:
        _plan(routed, planner)
        routed = [item for item in routed if not isinstance(item.plan, Exception)]
    if proposer is not None:
        _propose(routed, proposer)
    if encoder is not None:
        _encode(routed, encoder)
    return [
        _attempt(_finish, item, choice) if isinstance(item, _Routed) else item
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
    excluded = tuple((found.start, found.end) for found in exclusions)
    parts = [
        _Part(segment, Tools(parameters=options.parameters.get(segment.strategy, {}), excluded=excluded))
        for segment in segments
    ]
    for part in parts:
        segment = part.segment
        if part.strategy.pieces is not None:
            size = sum(end - start for start, end in segment.spans)
            part.texts = part.strategy.pieces(document, segment, part.tools) if size <= MOST_BY_MEANING else []
            if size > MOST_BY_MEANING or len(part.texts) > MOST_PIECES:
                part.segment = _cut_by_blocks(document, segment, size, len(part.texts))
        if proposes and part.strategy.unresolved is not None:
            part.unresolved = part.strategy.unresolved(document, segment, part.tools)
    return _Routed(document, parts, exclusions)


def _cut_by_blocks(document: Document, segment: Segment, size: int, pieces: int) -> Segment:
    """Return the same text as a segment of the structural fallback: it is too long to embed every piece."""
    found, most = (f"{pieces:,} pieces", MOST_PIECES) if pieces else (f"{size:,} characters", MOST_BY_MEANING)
    reason = f"{found}, {segment.strategy} has {most:,} at most"
    _log.warning("%s is cut by %s: %s", document.document_id, _FALLBACK, reason)
    return replace(segment, strategy=_FALLBACK, reason=reason)


def _plan(items: Sequence[_Routed], planner: Planner) -> None:
    """Add the planner's answers, requested in one call."""
    due = [item for item in items if any(part.strategy.planned for part in item.parts)]
    for item, plan in zip(due, planner.plan([item.document for item in due]), strict=True):
        item.plan = plan


def _propose(items: Sequence[_Routed], proposer: Proposer) -> None:
    """Add the proposer's propositions, requested in one call."""
    asking = [part for item in items for part in item.parts if part.unresolved]
    answers = iter(proposer.propose([request for part in asking for request in part.unresolved]))
    for part in asking:
        part.tools = replace(part.tools, proposed=tuple(next(answers) for _ in part.unresolved))


def _encode(items: Sequence[_Routed], encoder: MakeEncoder) -> None:
    """Add the vectors of all pieces, with one call per model, and the model's name."""
    asking = [(item.document.language, part) for item in items for part in item.parts if part.strategy.pieces]
    encoders = {language: encoder(language) for language in {language for language, _ in asking}}
    by_model: dict[str, list[tuple[str, _Part]]] = {}
    for language, part in asking:
        by_model.setdefault(encoders[language].name, []).append((language, part))
    for model, of_model in by_model.items():
        vectors = encoders[of_model[0][0]].encode([text for _, part in of_model for text in part.texts])
        position = 0
        for _, part in of_model:
            end = position + len(part.texts)
            part.tools = replace(part.tools, vectors=vectors[position:end], model=model)
            position = end


@without_cycle_search()
def _finish(item: _Routed, options: RouterOptions) -> ChunkedDocument:
    plan = item.plan
    if isinstance(plan, Exception):
        raise plan
    cut = []
    exclusions = item.exclusions
    for part in item.parts:
        strategy, segment, version = part.strategy, part.segment, part.strategy.version
        if strategy.pieces is not None:
            if part.tools.vectors is None:
                raise ConfigurationError(f"{segment.strategy} needs an embedding model, and none was given")
            version = f"{version}/{part.tools.model}"
        if strategy.planned and plan is not None and plan.generator != RULES:
            version = f"{version}/{plan.generator}"
        drafts, left_out = strategy.chunk(item.document, segment, replace(part.tools, plan=plan))
        cut.append((segment, version, drafts))
        exclusions = [*exclusions, *left_out]
    return assemble(item.document, cut, exclusions, options.to_json())
