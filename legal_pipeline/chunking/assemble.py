"""Drafts to chunks: texts, ids, token counts and order; refuses a document whose chunks break a promise.

The promises, checked for every document before anything is published: a chunk's text is its spans of the document's text; every
character is in a chunk or an exclusion; paths and ids are unique; no chunk is over the limit unless its strategy may flag it.
Not here: where a chunk begins and ends (the strategies).
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument, Draft, Exclusion, Segment, Span
from legal_pipeline.chunking.cited_places import name_places, work_uris
from legal_pipeline.chunking.coverage import coverage, gaps
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.corpus import identity
from legal_pipeline.corpus.document import Document
from legal_pipeline.errors import ChunkingError
from legal_pipeline.text.tokens import count_many, count_tokens

_PART = re.compile(r"#\d+$")


def assemble(
    document: Document,
    cut: Sequence[tuple[Segment, str, Sequence[Draft]]],
    exclusions: Sequence[Exclusion],
    settings: dict[str, Any],
) -> ChunkedDocument:
    """Make the chunks of one document from (segment, version of its strategy, drafts).

    Raises `ChunkingError` naming the first broken promise and where.
    """
    text = document.text
    drafts = [(segment, version, draft) for segment, version, found in cut for draft in found]
    drafts.sort(key=lambda row: (row[2].spans[0], row[2].spans[-1], row[2].in_addition))
    if not drafts:
        raise ChunkingError(
            "no chunk from a document with text", document=document.document_id, position=f"0..{len(text)}"
        )
    all_spans = [span for _, _, draft in drafts if not draft.in_addition for span in draft.spans]
    missing = gaps(text, all_spans, exclusions)
    if missing:
        start, end = missing[0]
        raise ChunkingError(
            f"{len(missing)} gaps; text in no chunk and no exclusion: {text[start : start + 60]!r}",
            document=document.document_id,
            position=f"{start}..{end}",
        )
    shared = _document_columns(document)
    document_metadata = _document_metadata(document)
    sources = [_joined(text, draft.spans) for _, _, draft in drafts]
    texts = [
        source if draft.generated is None else draft.generated
        for source, (_, _, draft) in zip(sources, drafts, strict=True)
    ]
    counts = count_many(texts)  # one after the other: the vocabulary stays in the processor's cache
    collapsed = identity.Collapse(text)
    hashes = {
        (segment.strategy, version): identity.InputHash(segment.strategy, version, settings)
        for segment, version, _ in cut
    }
    chunks = []
    for seq, (segment, version, draft) in enumerate(drafts):
        source_text, chunk_text, num_tokens = sources[seq], texts[seq], counts[seq]
        metadata = document_metadata.copy()
        for key, value in draft.metadata.items():
            if value is not None:
                metadata[key] = value
        metadata["chunk_index"] = seq
        metadata["route_reason"] = segment.reason
        if _is_over(num_tokens, draft.header):
            if not draft.may_be_oversized:
                raise ChunkingError(
                    f"{num_tokens} tokens of {segment.strategy} are over the limit of {MAX_TOKENS} with header and prefix",
                    document=document.document_id,
                    position=draft.path,
                )
            metadata["oversized"] = True
        start, end = draft.spans[0][0], draft.spans[-1][1]
        digest = identity.sha256_hex(source_text)
        flat = collapsed(chunk_text) if draft.generated is None else identity.collapse(chunk_text)
        chunks.append(
            Chunk(
                chunk_id=identity.chunk_id_of_hash(
                    document.document_id,
                    segment.strategy,
                    draft.path,
                    start - draft.anchor,
                    end - draft.anchor,
                    identity.hash_of_collapsed(flat),
                ),
                strategy=segment.strategy,
                chunk_type=draft.chunk_type,
                path=draft.path,
                eid=draft.eid,
                seq=seq,
                parent_chunk_id=None,  # of drafts in addition: below, when the ids of all others are known
                level=draft.level,
                content_role=draft.content_role,
                contextual_header=draft.header,
                chunk_text=chunk_text,
                source_text_sha256=digest,
                start_char=start,
                end_char=end,
                spans=draft.spans,
                num_tokens=num_tokens,
                valid_from=draft.valid_from,
                valid_to=draft.valid_to,
                retrieval_weight=draft.retrieval_weight,
                generator=draft.generator,
                requires_manual_review=document.requires_manual_review or draft.requires_manual_review,
                input_hash=hashes[segment.strategy, version](
                    draft.header, *(() if draft.generated is None else (chunk_text,)), digest
                ),
                metadata=metadata,
                **shared,
            )
        )
    _check_unique(document, chunks)
    _name_parents(document, chunks, [draft for _, _, draft in drafts])
    name_places(document, chunks)
    return ChunkedDocument(
        chunks=tuple(chunks),
        exclusions=tuple(sorted(exclusions, key=lambda item: item.start)),
        route=tuple(dict.fromkeys((segment.strategy, segment.reason) for segment, _, _ in cut)),
        coverage=coverage(text, missing, exclusions),
        warnings=document.warnings,
    )


def _joined(text: str, spans: Sequence[Span]) -> str:
    if len(spans) == 1:
        return text[spans[0][0] : spans[0][1]]
    return "\n".join([text[start:end] for start, end in spans])


def _is_over(num_tokens: int, header: str) -> bool:
    """Whether text and header leave no room for the context prefix; the header is tokenised only when it could matter."""
    room = MAX_TOKENS - PREFIX_TOKENS - num_tokens
    return room < 4 * len(header) and room < len(header.encode()) and room < count_tokens(header)


def _name_parents(document: Document, chunks: Sequence[Chunk], drafts: Sequence[Draft]) -> None:
    """Give every chunk in addition the chunk that holds the beginning of its text as parent."""
    if not any(draft.in_addition for draft in drafts):
        return
    spans = sorted(
        (span, chunk.chunk_id)
        for chunk, draft in zip(chunks, drafts, strict=True)
        if not draft.in_addition
        for span in draft.spans
    )
    for chunk, draft in zip(chunks, drafts, strict=True):
        if not draft.in_addition:
            continue
        index = bisect.bisect_right(spans, ((chunk.start_char, len(document.text) + 1), "")) - 1
        if index < 0 or not spans[index][0][0] <= chunk.start_char < spans[index][0][1]:
            raise ChunkingError(
                f"{chunk.strategy} stands beside no chunk", document=document.document_id, position=chunk.path
            )
        chunk.parent_chunk_id = spans[index][1]


def _check_unique(document: Document, chunks: Sequence[Chunk]) -> None:
    for what, counts in (
        ("path", Counter((chunk.strategy, chunk.path) for chunk in chunks)),
        ("chunk id", Counter(chunk.chunk_id for chunk in chunks)),
    ):
        for key, number in counts.items():
            if number > 1:
                raise ChunkingError(f"{what} {key!r} stands {number} times", document=document.document_id)


def _document_columns(document: Document) -> dict[str, Any]:
    return {
        "document_id": document.document_id,
        "source_file": document.source_file,
        "language": document.language,
        "jurisdiction": document.jurisdiction,
        "doc_type": document.doc_type,
        "date_context": document.as_of_date or document.metadata.get("date_decided") or document.metadata.get("issued"),
        "temporal_status": _temporal_status(document),
        "source_url": document.source_url,
        "source_sha256": document.source_sha256,
    }


def _temporal_status(document: Document) -> str | None:
    """The status of the work as its source states it; whether a provision is in force on a day is derived from its dates."""
    metadata = document.metadata
    if metadata.get("repealed"):
        return "repealed"
    if metadata.get("consolidated_through"):
        return "amended"
    return "in_force" if metadata.get("in_force") else None


#: Document metadata that every chunk repeats (seed 001 asks for it); registers and the like stay with the document.
CARRIED_METADATA = (
    "court", "court_level", "bench", "judges", "date_decided", "case_type", "case_number", "parties", "citation", "parallel_citations",
    "neutral_citation", "department", "issued", "in_force", "repealed", "repealed_by", "replaced_by_section",
    "consolidated_through", "base_law", "licence", "ocr_confidence", "quality_score", "total_pages",
)  # fmt: skip


def _document_metadata(document: Document) -> dict[str, Any]:
    found = {key: document.metadata[key] for key in CARRIED_METADATA if document.metadata.get(key) is not None}
    found["title"] = document.title
    if isinstance(parties := found.get("parties"), dict):
        found["parties"] = [parties[side] for side in ("first", "second") if parties.get(side)]
    if isinstance(bench := found.pop("bench", None), dict):
        found.update(
            {
                name: value
                for name, value in (("bench", bench.get("type")), ("bench_strength", bench.get("strength")))
                if value
            }
        )
    elif bench is not None:
        found["bench"] = bench
    if document.number:
        found["number"] = document.number
        found["canonical_citation"] = document.metadata.get("canonical_citation", document.number)
    found["parser"] = document.format
    found["parser_version"] = document.parser_version
    if document.fetched_at:
        found["fetched_at"] = document.fetched_at
    if document.work_uri:
        found["work_uri"] = document.work_uri
    if uris := work_uris(document):
        found["work_uris"] = uris
    return found


__all__ = ["CARRIED_METADATA", "assemble"]
