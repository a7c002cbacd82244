"""`amendments`: amending acts as rows that search joins to their base law; other documents have no row.

Not here: consolidated texts (they already contain the changes of the act).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date

import pyarrow as pa

from legal_pipeline.errors import DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.model.tables import optional, required
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, per_document
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.stages import canonical_documents

KEY: AssetKey = ("amendments",)

SCHEMA = pa.schema(
    [
        *required("document_id", "document_number", "title", "base_law", "markdown_content"),
        *optional("in_force_date", type=pa.date32()),
    ]
)

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")


class Amendments:
    asset_keys = (KEY,)

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        def work(document_id: str) -> Materialized:
            canonical = batch.input_stamp(canonical_documents.KEY, document_id)
            inputs = {"canonical_documents": canonical.data_version}
            if canonical.facts.get("doc_type") != "amendment":
                return Materialized(KEY, document_id, canonical.data_version, inputs, {"amends": None}, True)
            act = amending_act(canonical_documents.load(batch, document_id))
            batch.resources.registry.record_amendment(act)
            metadata = {"amends": act.base_law, "in_force": str(act.in_force_date)}
            return Materialized(KEY, document_id, canonical.data_version, inputs, metadata, False)

        yield from per_document(batch.document_ids, KEY, work)


def table(documents: Iterable[Document]) -> pa.Table:
    """Return a row for each amending act among `documents`, with the id of its document."""
    acts = [
        {"document_id": document.document_id, **asdict(amending_act(document))}
        for document in documents
        if document.doc_type == "amendment"
    ]
    return pa.Table.from_pylist(acts, schema=SCHEMA)


def amending_act(document: Document) -> AmendingAct:
    """Return the row of an amending act. Raises `DocumentError` if the act names no base law."""
    base_law = document.metadata.get("base_law")
    if not base_law or not document.number:
        raise DocumentError(
            "an amending act that names no base law", document=document.document_id, position=document.title
        )
    in_force = str(document.metadata.get("in_force") or "")
    return AmendingAct(
        document_number=document.number,
        title=document.title,
        base_law=str(base_law),
        markdown_content=document.text,
        in_force_date=date.fromisoformat(in_force) if _ISO_DATE.match(in_force) else None,
    )
