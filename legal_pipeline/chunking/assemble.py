"""Makes chunks from drafts (texts, ids, token counts, order) and refuses a document whose chunks break a promise.

The promises, checked for every document before anything is published: a chunk's text is its spans of the document's text; every
character is in a chunk or an exclusion; paths and ids are unique; no chunk is over the limit unless its strategy may flag it.
Not here: where a chunk begins and ends (the strategies).
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument, Draft, Exclusion, Segment
from legal_pipeline.chunking.cited_places import name_places, work_uris
from legal_pipeline.chunking.coverage import coverage, gaps
from legal_pipeline.chunking.headers import shorten
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.errors import ChunkingError
from legal_pipeline.model import identity
from legal_pipeline.model.document import Document
from legal_pipeline.text.tokens import count_tokens


def assemble(
    document: Document,
    cut: Sequence[tuple[Segment, str, Sequence[Draft]]],
    exclusions: Sequence[Exclusion],
    settings: dict[str, Any],
) -> ChunkedDocument:
    """Make the chunks of one document from (segment, version of its strategy, drafts).

    Raises `ChunkingError`, which names the first broken promise and its place.
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
    rows = _Rows(document, settings)
    chunks = [rows.row(seq, segment, version, draft) for seq, (segment, version, draft) in enumerate(drafts)]
    _check_unique(document, chunks)
    warnings = (*document.warnings, *_flag_hard_splits(text, chunks, [draft for _, _, draft in drafts]))
    _name_parents(document, chunks, [draft for _, _, draft in drafts])
    name_places(document, chunks)
    return ChunkedDocument(
        chunks=tuple(chunks),
        exclusions=tuple(sorted(exclusions, key=lambda item: item.start)),
        route=tuple(dict.fromkeys((segment.strategy, segment.reason) for segment, _, _ in cut)),
        coverage=coverage(text, missing, exclusions),
        warnings=warnings,
    )


class _Rows:
    """Makes the rows of one document; the columns that all its rows share are computed once."""

    def __init__(self, document: Document, settings: dict[str, Any]) -> None:
        self._document = document
        self._settings = settings
        self._metadata = _document_metadata(document)
        self._date_context = (
            document.as_of_date or document.metadata.get("date_decided") or document.metadata.get("issued")
        )
        self._temporal_status = _temporal_status(document)

    def row(self, seq: int, segment: Segment, version: str, draft: Draft) -> Chunk:
        """Return the chunk of a draft, without its parent. Raises `ChunkingError` when it is over the limit without `may_be_oversized`."""
        document, text, spans, strategy = self._document, self._document.text, draft.spans, segment.strategy
        start, end = spans[0][0], spans[-1][1]
        source = text[start:end] if len(spans) == 1 else "\n".join([text[low:high] for low, high in spans])
        digest = identity.sha256_hex(source)
        chunk_text = source if draft.generated is None else draft.generated
        num_tokens = count_tokens(chunk_text)
        texts = (digest,) if draft.generated is None else (chunk_text, digest)
        header = shorten(draft.header)
        return Chunk(
            chunk_id=identity.chunk_id(
                document.document_id, strategy, draft.path, start - draft.anchor, end - draft.anchor, chunk_text
            ),
            document_id=document.document_id,
            source_file=document.source_file,
            strategy=strategy,
            chunk_type=draft.chunk_type,
            path=draft.path,
            eid=draft.eid,
            seq=seq,
            parent_chunk_id=None,
            level=draft.level,
            content_role=draft.content_role,
            contextual_header=header,
            chunk_text=chunk_text,
            source_text_sha256=digest,
            start_char=start,
            end_char=end,
            spans=spans,
            num_tokens=num_tokens,
            language=document.language,
            jurisdiction=document.jurisdiction,
            doc_type=document.doc_type,
            date_context=self._date_context,
            temporal_status=self._temporal_status,
            valid_from=draft.valid_from,
            valid_to=draft.valid_to,
            source_url=document.source_url,
            source_sha256=document.source_sha256,
            requires_manual_review=document.requires_manual_review or draft.requires_manual_review,
            retrieval_weight=draft.retrieval_weight,
            generator=draft.generator,
            input_hash=identity.input_hash(strategy, version, self._settings, header, *texts),
            metadata=self._chunk_metadata(seq, segment, draft, num_tokens),
        )

    def _chunk_metadata(self, seq: int, segment: Segment, draft: Draft, num_tokens: int) -> dict[str, Any]:
        metadata = self._metadata.copy()
        for key, value in draft.metadata.items():
            if value is not None:
                metadata[key] = value
        metadata["chunk_index"] = seq
        metadata["route_reason"] = segment.reason
        if _is_over(num_tokens, shorten(draft.header)):
            if not draft.may_be_oversized:
                raise ChunkingError(
                    f"{num_tokens} tokens of {segment.strategy} are over the limit of {MAX_TOKENS} with header and prefix",
                    document=self._document.document_id,
                    position=draft.path,
                )
            metadata["oversized"] = True
        return metadata


def _is_over(num_tokens: int, header: str) -> bool:
    """Whether text and header leave no room for the context prefix; the header is tokenised only when the result depends on it."""
    room = MAX_TOKENS - PREFIX_TOKENS - num_tokens
    return room < 4 * len(header) and room < len(header.encode()) and room < count_tokens(header)


def _name_parents(document: Document, chunks: Sequence[Chunk], drafts: Sequence[Draft]) -> None:
    """Set the parent of every chunk `in_addition`: the chunk that contains the beginning of its text."""
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
                f"{chunk.strategy} is beside no chunk", document=document.document_id, position=chunk.path
            )
        chunk.parent_chunk_id = spans[index][1]


def _flag_hard_splits(text: str, chunks: Sequence[Chunk], drafts: Sequence[Draft]) -> list[str]:
    """Mark chunks for manual review that are divided, or overlap, inside a word; return a warning for each such pair."""
    own = [chunk for chunk, draft in zip(chunks, drafts, strict=True) if not draft.in_addition]
    warnings = []
    for before, after in itertools.pairwise(own):
        start, end = after.start_char, before.end_char
        if start <= end < after.end_char and (_is_inside_a_word(text, start) or _is_inside_a_word(text, end)):
            before.requires_manual_review = after.requires_manual_review = True
            warnings.append(f"{after.path}: cut inside a word at character {end:,}, which is too long for one chunk")
    return warnings


def _is_inside_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and not text[at - 1].isspace() and not text[at].isspace()


def _check_unique(document: Document, chunks: Sequence[Chunk]) -> None:
    for what, keys in (
        ("path", [(chunk.strategy, chunk.path) for chunk in chunks]),
        ("chunk id", [chunk.chunk_id for chunk in chunks]),
    ):
        if len(set(keys)) < len(keys):
            key, number = Counter(keys).most_common(1)[0]
            raise ChunkingError(f"{what} {key!r} occurs {number} times", document=document.document_id)


def _temporal_status(document: Document) -> str | None:
    """The status of the work as its source states it; whether a provision is in force on a day is derived from its dates."""
    metadata = document.metadata
    if metadata.get("repealed"):
        return "repealed"
    if metadata.get("consolidated_through"):
        return "amended"
    return "in_force" if metadata.get("in_force") else None


#: Document metadata that every chunk repeats; register numbers and similar metadata are only in the document.
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
        stated = {"bench": bench.get("type"), "bench_strength": bench.get("strength")}
        found.update({name: value for name, value in stated.items() if value})
    elif bench is not None:
        found["bench"] = bench
    if document.number:
        found["number"] = document.number
        found["canonical_citation"] = document.metadata.get("canonical_citation", document.number)
    found["parser"] = document.format
    found["parser_version"] = document.parser_version
    known = {"fetched_at": document.fetched_at, "work_uri": document.work_uri, "work_uris": work_uris(document)}
    return found | {name: value for name, value in known.items() if value}
