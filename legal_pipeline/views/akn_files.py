"""Canonical documents as Akoma Ntoso files, one per document.

Not here: the XML (`akn.writer`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from legal_pipeline.akn.writer import export_akn
from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.registry.files import replacing
from legal_pipeline.registry.item_hints import withheld
from legal_pipeline.registry.listing import document_ids
from legal_pipeline.registry.registry import Registry
from legal_pipeline.registry.warehouse import Warehouse
from legal_pipeline.sources.registry import WITHHELD
from legal_pipeline.stages.canonical_documents import KEY


@dataclass(frozen=True)
class AknFiles:
    """The files written, in the order of their documents' ids. `withheld` documents are left out, because their source does not permit
    redistribution."""

    files: tuple[Path, ...]
    withheld: int


def write_akn_files(registry: Registry, warehouse: Warehouse, folder: Path, ids: Sequence[str] = ()) -> AknFiles:
    """Write `<document id>.xml` for each of `ids` (former ids too).

    Without `ids` it writes every parsed document that may be redistributed; documents that are no statutes are written as `doc`.
    Raises `DocumentError` for an id that is not in the registry, not parsed or must not be redistributed, before anything is written, and
    `ConfigurationError` if the folder is not writable.
    """
    known = document_ids(registry.database)
    present = registry.aliases.present_ids(ids) if ids else {}
    ids = [present.get(document_id, document_id) for document_id in ids]
    if unknown := sorted(set(ids) - set(known)):
        raise DocumentError("not in the registry", document=", ".join(unknown))
    due = sorted(ids) if ids else [document_id for document_id in known if warehouse.exists(KEY, document_id, "json")]
    kept_back = withheld(registry.database, WITHHELD)
    if forbidden := sorted(kept_back & set(ids)):
        raise DocumentError("its source forbids that it is handed on", document=", ".join(forbidden))
    permitted = [document_id for document_id in due if document_id not in kept_back]
    documents = (Document.loads(warehouse.read_json(KEY, document_id)) for document_id in permitted)
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
    return AknFiles(tuple(written), len(due) - len(permitted))
