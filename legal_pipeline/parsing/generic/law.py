"""Documents of a generic format whose blocks the recogniser recognises as a law.

Not here: reading the blocks, and documents that are not laws (each format does both).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.generic.identity import UNDETERMINED, doc_type, generic_document_id, language_code
from legal_pipeline.parsing.recogniser.recognise import Recognition, recognise

#: Document types, stated by hints or front matter, in which numbers without a word can be sections.
_LAWS = frozenset({"act", "regulation", "agency_regulation", "constitution"})


def recognise_law(blocks: Sequence[Block], said: Mapping[str, Any]) -> Recognition:
    """Return the result of the recogniser for `blocks`; `said` holds hints and front matter (`language`, `doc_type`)."""
    code = language_code(said.get("language"))
    return recognise(
        blocks,
        language=None if code == UNDETERMINED else code,
        is_law=doc_type(said.get("doc_type")) in _LAWS,
    )


def law_document(
    source: SourceFile,
    recognition: Recognition,
    said: Mapping[str, Any],
    *,
    metadata: Mapping[str, Any] | None = None,
    warnings: tuple[str, ...] = (),
    requires_manual_review: bool = False,
) -> Document:
    """Return the document of a recognised law. Its title is that in `said`, else its first heading or preamble, else the file name."""
    builder = recognition.builder
    assert builder is not None
    jurisdiction = str(said.get("jurisdiction") or UNDETERMINED).lower()
    number = said.get("number")
    heading = next((node for node in builder.nodes if node.type in ("heading", "preamble")), None)
    first = builder.text_from(0)[heading.start : heading.end][:200] if heading is not None else None
    kind = doc_type(said.get("doc_type"))
    return builder.document(
        source,
        document_id=generic_document_id(source.path, {"document_id": said.get("document_id")}, jurisdiction, number),
        title=str(said.get("title") or first or source.name_in_words),
        number=number,
        jurisdiction=jurisdiction,
        doc_type="act" if kind == "other" and not said.get("doc_type") else kind,
        language=recognition.language or UNDETERMINED,
        as_of_date=said.get("as_of_date"),
        metadata={**(metadata or {}), **recognition.metadata},
        warnings=(*warnings, *recognition.warnings),
        requires_manual_review=requires_manual_review,
    )
