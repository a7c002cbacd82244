"""Make the document of an Indian judgment from its blocks, with identity and metadata.

Not here: reading the blocks (the formats), and the nodes (`judgment.structure`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import path_slug
from legal_pipeline.parsing.india.cause_title import read_cause_title, title_of
from legal_pipeline.parsing.india.identity import judgment_identity
from legal_pipeline.parsing.judgment.blocks import Block
from legal_pipeline.parsing.judgment.structure import write_judgment
from legal_pipeline.text.quality import measure


def judgment_document(
    source: SourceFile, blocks: Sequence[Block], *, metadata: dict[str, Any] | None = None
) -> Document:
    """Return the judgment in `blocks`. Its id is made from its neutral citation, else from the hint `number` or the file's name."""
    builder = DocumentBuilder()
    outline = write_judgment(builder, blocks, "in")
    found = read_cause_title(
        [block.text for block in outline.header if block.in_flow],
        [block.text for block in outline.signature if block.in_flow],
    )
    found.update(metadata or {})
    if outline.opinions:
        found["separate_opinions"] = [{"judge": judge, "kind": kind} for judge, kind in outline.opinions]
    stem = path_slug(source.path, (".pypdf.txt", ".rr.json", ".txt", ".json", ".pdf"))
    citation = found.get("citation") or source.hints.get("citation")
    document_id, work_uri = judgment_identity(citation, str(source.hints.get("number") or stem))
    quality = measure(builder.text)
    if quality.score:
        found["quality"] = quality.to_json()
    return builder.document(
        source,
        document_id=document_id,
        work_uri=work_uri,
        number=citation or found.get("case_number"),
        title=str(title_of(found) or source.hints.get("title") or stem),
        jurisdiction="in",
        doc_type="judgment",
        language="eng",
        metadata=found,
        requires_manual_review=quality.is_garbled,
    )
