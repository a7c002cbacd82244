"""Canonical statutes as Akoma Ntoso files, one per document.

Not here: the XML (`corpus.akn_export`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from legal_pipeline.corpus.akn_export import export_akn
from legal_pipeline.corpus.document import Document
from legal_pipeline.corpus.files import replacing
from legal_pipeline.corpus.registry import Registry
from legal_pipeline.corpus.warehouse import Warehouse
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.stages.canonical_documents import KEY


def write_akn_files(registry: Registry, warehouse: Warehouse, folder: Path, ids: Sequence[str] = ()) -> list[Path]:
    """Write `<document id>.xml` for each of `ids` (every parsed document when empty); returns the files, in the order of the ids.

    Raises `DocumentError` for an id that is not in the registry or not parsed, before anything is written, and
    `ConfigurationError` where the folder cannot be written to.
    """
    known = [document.document_id for document in registry.documents()]
    if unknown := sorted(set(ids) - set(known)):
        raise DocumentError("not in the registry", document=", ".join(unknown))
    due = sorted(ids) if ids else [document_id for document_id in known if warehouse.exists(KEY, document_id, "json")]
    documents = (Document.loads(warehouse.read_json(KEY, document_id)) for document_id in due)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be made: {error.strerror or error}") from error
    written = []
    for document in documents:
        target = folder / f"{document.document_id}.xml"
        data = export_akn(document)
        with replacing(target) as file:
            file.write(data)
        written.append(target)
    return written
