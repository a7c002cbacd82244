"""The promises of the chunk table, checked anew from document and chunks. Not here: the documents they are checked on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.coverage import gaps
from legal_pipeline.chunking.outline import outermost
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.model import tables
from legal_pipeline.model.document import Document, Node
from legal_pipeline.model.identity import collapse, sha256_hex
from legal_pipeline.text.tokens import count_tokens

#: Sections in a schedule or in transitional provisions are text of these, not provisions of the Act.
_CONTAINERS = ("schedule", "transitional", "quotation")


def live_provisions(document: Document) -> list[Node]:
    """Unrepealed §§ of the Act itself."""
    return [
        node
        for node, ancestors in document.walk_with_ancestors()
        if node.type in ("section", "article")
        and node.status not in ("repealed", "omitted")
        and not any(above.type in _CONTAINERS or above.type in ("section", "article") for above in ancestors)
    ]


def check_promises(document: Document, result: ChunkedDocument) -> None:
    tables.table([row.to_row() for row in result.chunks], tables.CHUNKS)  # every column and key is in the schema
    text = document.text
    beside = [row for row in result.chunks if row.strategy == "proposition"]
    check_propositions(document, result, beside)
    covering = [row for row in result.chunks if row.strategy != "proposition"]
    for row in covering:
        assert row.chunk_text == "\n".join(text[start:end] for start, end in row.spans), row.path
        assert (row.start_char, row.end_char) == (row.spans[0][0], row.spans[-1][1])
        assert row.chunk_text.strip() == row.chunk_text != ""
        assert row.num_tokens == count_tokens(row.chunk_text)
        whole = row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS
        assert whole <= MAX_TOKENS or row.metadata.get("oversized"), (row.path, whole)
        assert not row.metadata.get("oversized") or (row.strategy, row.chunk_type) in (
            ("paragraf", "statutory_text"),
            ("judgment_structural", "reasoning"),
            ("judgment_structural", "dissent"),
        )
    starts = [row.start_char for row in result.chunks]
    assert starts == sorted(starts)
    assert [row.seq for row in result.chunks] == list(range(len(result.chunks)))
    spans = sorted(span for row in covering for span in row.spans)
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(spans)), "structural chunks overlap"
    excluded = sorted((item.start, item.end) for item in result.exclusions)
    assert all(left[1] <= right[0] for left, right in itertools.pairwise(excluded)), "exclusions overlap"
    assert not gaps(text, spans, result.exclusions)
    assert result.coverage == 1.0
    assert all(item.reason for item in result.exclusions)
    for values in ([(row.strategy, row.path) for row in result.chunks], [row.chunk_id for row in result.chunks]):
        assert len(set(values)) == len(values)
    provisions = {row.eid for row in result.chunks if row.chunk_type == "statutory_text"}
    live = {node.eid for node in live_provisions(document)}
    in_schedules = {node.eid for item, _ in outermost(document, ("schedule",)) for node in item.walk()}
    assert live <= provisions <= live | in_schedules


def check_propositions(document: Document, result: ChunkedDocument, rows: Sequence[Chunk]) -> None:
    """Generated text, whose source is a span of its parent's text and holds the defined term as the proposition does."""
    by_id = {row.chunk_id: row for row in result.chunks}
    for row in rows:
        assert row.generator
        assert row.chunk_type == "definition"
        parent = by_id[row.parent_chunk_id or ""]
        assert parent.strategy != "proposition"
        assert any(start <= row.start_char < end for start, end in parent.spans)
        source = "\n".join(document.text[start:end] for start, end in row.spans)
        assert row.source_text_sha256 == sha256_hex(source)
        term = collapse(row.metadata["terms"][0]).casefold()
        assert term in collapse(row.chunk_text).casefold()
        assert term in collapse(source).casefold()
        assert row.num_tokens + count_tokens(row.contextual_header) + PREFIX_TOKENS <= MAX_TOKENS
