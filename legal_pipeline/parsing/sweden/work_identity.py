"""The document of a Swedish work: its id, its URI and what all Swedish documents have in common.

Not here: reading numbers in texts (`parsing.sweden.identity`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import series_identity


def swedish_document(
    builder: DocumentBuilder,
    source: SourceFile,
    series: str,
    number: str,
    *,
    warnings: Sequence[str] = (),
    requires_manual_review: bool | None = None,
    **fields: Any,
) -> Document:
    """Return the document with the content of `builder`; `AFS`, `2023:1` give `se-afs-2023-1` and `/akn/se/act/afs/2023/1`.

    A document with warnings requires manual review, unless the caller states otherwise.
    """
    document_id, work_uri = series_identity("se", series, number)
    return builder.document(
        source,
        document_id=document_id,
        work_uri=work_uri,
        number=f"{series} {number}",
        jurisdiction="se",
        language="swe",
        warnings=warnings,
        requires_manual_review=bool(warnings) if requires_manual_review is None else requires_manual_review,
        **fields,
    )
