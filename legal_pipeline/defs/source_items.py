"""Events of a poll for Dagster: documents with changed items, so that their `raw_documents` is out of sync until a run has read them.

A new document has no event here: its `raw_documents` is missing, which has the same effect. Not here: the poll (`defs.sensors`).
"""

from __future__ import annotations

from collections.abc import Iterable

from dagster import AssetObservation

from legal_pipeline.defs import tags
from legal_pipeline.defs.asset_keys import PLAIN, AssetKeys
from legal_pipeline.pipeline import SOURCE
from legal_pipeline.registry.registry import SourceDocument


def changed_items(documents: Iterable[SourceDocument], keys: AssetKeys = PLAIN) -> list[AssetObservation]:
    """Return one observation for each document that was registered before and has other content now."""
    return [
        AssetObservation(
            keys.of(SOURCE),
            partition=document.document_id,
            tags={tags.DATA_VERSION: f"{document.revision}:{document.source_sha256[:16]}"},
            metadata={"revision": document.revision, "file": document.file_path or document.filename},
        )
        for document in documents
        if document.revision > 1
    ]
