"""Citations and entities, read once per document and assigned to the chunks that contain them.

Not here: finding citations (`citations`) and entities (`chunking.entities`).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.entities import Entity, entities_within, find_entities
from legal_pipeline.citations import CitingDocument, Reference, find
from legal_pipeline.jurisdictions.by_language import reader_of
from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import citable_uri


@dataclass(frozen=True)
class Annotations:
    """Citations and entities of a document's text, in text order."""

    references: tuple[Reference, ...]
    entities: tuple[Entity, ...]


def read_annotations(document: Document) -> Annotations:
    citing = CitingDocument(
        citable_uri(document.work_uri, document.document_id),
        document.doc_type,
        [(node.eid, node.start, node.end) for node in document.walk() if node.eid is not None],
    )
    country = jurisdiction(document.jurisdiction)
    found = find(document.text, reader_of(document.jurisdiction, document.language), citing)
    return Annotations(tuple(found), tuple(find_entities(document.text, country, document.language, found)))


def annotate(chunks: Iterable[Chunk], annotations: Annotations) -> None:
    """Set `entities` and `cross_references` of each chunk to the annotations that lie wholly inside one of its spans."""
    starts = [reference.start for reference in annotations.references]
    for chunk in chunks:
        found = entities_within(annotations.entities, chunk.spans)
        chunk.entities = {kind: values for kind, values in found.items() if values}
        chunk.cross_references = [
            reference.to_json()
            for start, end in chunk.spans
            for reference in annotations.references[bisect.bisect_left(starts, start) : bisect.bisect_left(starts, end)]
            if reference.end <= end
        ]
