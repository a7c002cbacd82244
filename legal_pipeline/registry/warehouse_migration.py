"""Moves a warehouse of releases that kept a file per asset and document to bundles (`registry.bundles`).

Not here: the migration of the database (`registry.migrations`).
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from legal_pipeline.errors import DiskFullError, DocumentError
from legal_pipeline.model.document import Document
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.registry.disk_space import is_disk_full
from legal_pipeline.registry.warehouse import Content, Warehouse, json_content, table_content

if TYPE_CHECKING:
    import pyarrow as pa

#: The file that states the layout; without it, or with another text, the whole warehouse is searched for files of the earlier layout.
MARK = ".layout"
LAYOUT = b"bundles 1\n"

_CANONICAL, _INDEX, _EXPRESSIONS = ("canonical_documents",), ("expression_index",), "expressions"
_STAMP = b"legal_pipeline"
#: Folders of files that are made again when they are missing, and files that repeat other files.
_DERIVED = ("chunks", "chunk_report", "chunks_jsonl")
#: Assets with files of each kind; every asset, also of another team, has tables. Other files below the root are left alone.
_KINDS = {
    "json": ("canonical_documents", "provision_versions", "superseded_chunks", _EXPRESSIONS),
    "raw": ("chunks_jsonl",),
}
#: Documents whose bundles are written before their old files are deleted: the disk is waited for once for all of them.
_TOGETHER = 200

_log = logging.getLogger(__name__)


def migrate(warehouse: Warehouse) -> int:
    """Move all files of the earlier layout; return the number of their documents.

    Bundles are on the disk before the old files are deleted, so that the next call continues what a killed process left. Other processes
    wait. A file that cannot be read stays where it is and is logged: `reconcile` finds that its asset is missing.
    """
    if warehouse.read_file(MARK) == LAYOUT:
        return 0
    paths = warehouse.files()
    if not _by_document(paths):
        with contextlib.suppress(OSError):  # a reader may be without the right to write
            if paths:
                warehouse.write_file(MARK, LAYOUT)
        return 0
    try:
        return _migrate(warehouse)
    except OSError as error:
        if is_disk_full(error):
            raise DiskFullError(
                f"{warehouse.place} cannot be moved to the layout of this release: the disk is full"
            ) from error
        raise


def _migrate(warehouse: Warehouse) -> int:
    with warehouse.lock("layout"):
        old = _by_document(warehouse.files())  # another process may have moved them meanwhile
        _log.warning("the files of %d documents are moved to the layout of this release", len(old))
        documents = sorted(old.items())
        for begin in range(0, len(documents), _TOGETHER):
            with warehouse.waiting_once():
                moved = [_move(warehouse, *document) for document in documents[begin : begin + _TOGETHER]]
            for path in itertools.chain.from_iterable(moved):
                warehouse.delete_file(path)
            _log.info("the files of %d of %d documents are moved", begin + len(moved), len(documents))
        for folder in {path.split("/")[0] for path in warehouse.files()}:
            warehouse.clean((folder,), older_than=0)  # of calls that were killed
        warehouse.delete_empty_folders()
        warehouse.write_file(MARK, LAYOUT)
        return len(old)


def _by_document(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return document id -> its files of the earlier layout."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        *asset, name = path.split("/")
        stem, _, kind = name.rpartition(".")
        if asset and (kind == "parquet" or asset[0] in _KINDS.get(kind, ())) and DOCUMENT_ID.fullmatch(stem):
            found[asset[1] if asset[0] == _EXPRESSIONS and len(asset) == 2 else stem].append(path)
    return found


def _move(warehouse: Warehouse, document_id: str, paths: Sequence[str]) -> list[str]:
    """Write the bundles of a document; return its old files that are in them."""
    canonical = [path for path in paths if path.split("/")[0] == _CANONICAL[0]]
    moved = []
    # the canonical document first: its stamp says which of the expressions is stored there
    for of_file in (canonical, [path for path in paths if path not in canonical]):
        contents: dict[str, list[Content]] = defaultdict(list)
        for path in of_file:
            try:
                for content in _contents(warehouse, document_id, path, warehouse.read_file(path)):
                    if not _is_moved(warehouse, document_id, content):
                        contents[warehouse.location(content.asset, document_id)].append(content)
            except (ValueError, OSError, KeyError) as error:
                _log.warning("%s cannot be read and is not moved: %s", path, error)
            else:
                moved.append(path)
        for in_one_file in contents.values():
            warehouse.write(document_id, *in_one_file)
    return moved


def _is_moved(warehouse: Warehouse, document_id: str, content: Content) -> bool:
    """Return whether a call that was killed, or already a later run, has written a content; a damaged one is deleted."""
    try:
        warehouse.read(content.asset, document_id, content.kind)
    except DocumentError:
        warehouse.delete(content.asset, document_id, content.kind)
        return False
    return True


def _contents(warehouse: Warehouse, document_id: str, path: str, data: bytes | None) -> Iterator[Content]:
    """Yield what a file of the earlier layout is now; nothing if it repeats another file or was deleted meanwhile."""
    *folders, name = path.split("/")
    asset, (stem, _, kind) = tuple(folders), name.rpartition(".")
    if data is None or (asset[0] in _DERIVED and len(asset) > 1):
        return
    if asset[0] == _EXPRESSIONS and len(asset) == 2:
        yield from _expression(warehouse, document_id, stem, kind, data)
    elif kind == "parquet":
        yield table_content(_INDEX if asset == (_EXPRESSIONS,) else asset, *_parquet(data))
    elif asset == _CANONICAL:
        yield _canonical(asset, data, stamped=True)
    else:
        yield Content(asset, "raw" if kind == "raw" else "json", data)


def _expression(warehouse: Warehouse, document_id: str, version: str, kind: str, data: bytes) -> Iterator[Content]:
    stamp = warehouse.read_stamp(_CANONICAL, document_id, "json")
    if stamp is not None and json.loads(stamp)[1] == version:
        return
    asset = (_EXPRESSIONS, version)
    if kind == "json":
        yield _canonical(asset, data, stamped=False)
        return
    table, stamp = _parquet(data)
    prefixes = table.select(["chunk_id", "context_prefix"]).rename_columns(["chunk_id", "prefix"])
    kept = json.dumps([json.loads(stamp)[0], "", {}]) if stamp else None
    yield table_content((*asset, "chunks"), table.drop_columns(["context_prefix"]), kept)
    yield table_content((*asset, "context_prefixes"), prefixes.drop_null(), kept)


def _canonical(asset: Sequence[str], data: bytes, *, stamped: bool) -> Content:
    """Return the canonical JSON in the order of `Document.to_json`; its stamp was at its beginning."""
    read: dict[str, Any] = json.loads(data)
    stamp = read.pop("stamp", None)
    last = ("text", "nodes")
    names = ["model_version", *(field.name for field in fields(Document) if field.name not in last), *last]
    ordered = {name: read[name] for name in names if name in read} | read
    return json_content(asset, _dumps(ordered), _dumps(stamp) if stamped and stamp else None)


def _parquet(data: bytes) -> tuple[pa.Table, str | None]:
    """Return the table and its stamp."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.ParquetFile(pa.BufferReader(data)).read()
    metadata = dict(table.schema.metadata or {})
    stamp = metadata.pop(_STAMP, None)
    return table.replace_schema_metadata(metadata or None), stamp.decode() if stamp is not None else None


def _dumps(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
