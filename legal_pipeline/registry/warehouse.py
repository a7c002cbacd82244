"""The warehouse: the tables, JSON texts and raw bytes of documents, as bundles under an fsspec root.

Assets that are made together are in one file per document (`_TOGETHER`), in two levels of folders: `chunks/e/5c/xx-act-1962-700.zip`. A
reader sees the old file or the new file, never a partial file. Not here: the format of the files (`registry.bundles`), where they are
(`registry.storage`), their content (`model.tables`, `model.document`) and the processing state (`registry.registry`).
"""

from __future__ import annotations

import contextlib
import io
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from legal_pipeline.errors import ConfigurationError, DocumentError
from legal_pipeline.model.identity import DOCUMENT_ID, MAX_ID_CHARS, sha256_hex
from legal_pipeline.registry import bundles
from legal_pipeline.registry.bundles import Bundle, DamagedBundleError, Member
from legal_pipeline.registry.storage import LEFTOVER_SECONDS, FolderStorage, open_storage
from legal_pipeline.system.urls import render_url

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["table", "json", "raw"]

#: The first part of an asset key -> the asset in whose file its members are. Assets made by the same run of a document share a file, but
#: neither the original bytes (large, and written once) nor the vectors (large, and incompressible) are written again with another asset.
_TOGETHER = {
    "expression_index": "canonical_documents",
    "provision_versions": "canonical_documents",
    "cross_references": "canonical_documents",
    "context_prefixes": "chunks",
    "raptor_summaries": "chunks",
    "quim_questions": "chunks",
    "superseded_chunks": "chunks",
    "question_embeddings": "chunk_embeddings",
    # with the texts of earlier expressions, whose keys end with their content hash
    "chunks": "chunks",
    "expressions": "expressions",
}

#: Allowed form of one element of an asset key; it becomes a folder.
_KEY_PART = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_ENDING = ".zip"
#: Ending of a file with a damaged index, after its own.
_SET_ASIDE = ".damaged"

_log = logging.getLogger(__name__)
#: A table is a stream of the Arrow IPC format.
_MEMBER_ENDINGS: dict[Kind, str] = {"table": "arrows", "json": "json", "raw": "raw"}


class Content(NamedTuple):
    """What is written for an asset. `stamp`: a text that is written and replaced together with it."""

    asset: Sequence[str]
    kind: Kind
    data: bytes
    stamp: str | None = None


def table_content(asset: Sequence[str], table: pa.Table, stamp: str | None = None) -> Content:
    """Return `table` as a stream of the Arrow IPC format. Equal tables give equal bytes.

    For the chunks of a short Act this is a tenth of the time of Parquet and, compressed, a third of its bytes.
    """
    import pyarrow as pa

    buffer = pa.BufferOutputStream()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return Content(asset, "table", buffer.getvalue().to_pybytes(), stamp)


def table_of(content: Content) -> pa.Table:
    """Return the table of `table_content`."""
    import pyarrow as pa

    return pa.ipc.open_stream(content.data).read_all()


def json_content(asset: Sequence[str], text: str, stamp: str | None = None) -> Content:
    return Content(asset, "json", text.encode("utf-8"), stamp)


class Warehouse:
    """Tables, JSON texts and raw bytes under `root` (a folder, or any fsspec URL: `s3://…`, `memory://…`)."""

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)
        self._storage = open_storage(self.root)

    @property
    def place(self) -> str:
        """Return the root for messages: without a password."""
        return render_url(self.root) if "://" in self.root else self.root

    @property
    def is_local(self) -> bool:
        """Return whether the files have paths on this machine."""
        return isinstance(self._storage, FolderStorage)

    def write(self, document_id: str, *contents: Content) -> None:
        """Write contents of assets that share a file: all of them or, if the process is killed, none. Equal contents give equal bytes.

        Raises `DocumentError` if the file is damaged: its other members are not known.
        """
        (path,) = {self._path(content.asset, document_id) for content in contents}
        packed = {_name(content.asset, content.kind): Member.pack(content.data, content.stamp) for content in contents}
        self._change(path, document_id, lambda members: members | packed)

    def write_table(self, asset: Sequence[str], document_id: str, table: pa.Table, stamp: str | None = None) -> None:
        """Write `table`. Equal tables give equal bytes."""
        self.write(document_id, table_content(asset, table, stamp))

    def write_json(self, asset: Sequence[str], document_id: str, text: str, stamp: str | None = None) -> None:
        """Write JSON text unchanged."""
        self.write(document_id, json_content(asset, text, stamp))

    def read(self, asset: Sequence[str], document_id: str, kind: Kind) -> Content:
        """Return the content with its stamp, both of one write. Raises `DocumentError` if it is missing or damaged."""
        found = self.find(asset, document_id, kind)
        if found is None:
            raise DocumentError(f"{'/'.join(asset)} has not been made yet", document=document_id)
        return found

    def find(self, asset: Sequence[str], document_id: str, kind: Kind) -> Content | None:
        """Return the content as `read`; None if there is none. Raises `DocumentError` if it is damaged."""
        name = _name(asset, kind)
        with self._opened(asset, document_id, whole=True) as opened:
            if opened is None or name not in opened:
                return None
            try:
                member = opened.member(name)
                return Content(asset, kind, member.content(), member.stamp)
            except DamagedBundleError as error:
                raise _damaged(asset, document_id, error) from error

    def read_table(self, asset: Sequence[str], document_id: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the table. Raises `DocumentError` if it is missing or damaged."""
        table = table_of(self.read(asset, document_id, "table"))
        if missing := set(columns or ()).difference(table.column_names):
            raise DocumentError(f"{'/'.join(asset)} has no columns {sorted(missing)}", document=document_id)
        return table if columns is None else table.select(list(columns))

    def read_json(self, asset: Sequence[str], document_id: str) -> str:
        return self.read_bytes(asset, document_id, "json").decode("utf-8")

    def read_bytes(self, asset: Sequence[str], document_id: str, kind: Kind = "raw") -> bytes:
        """Return the content. Raises `DocumentError` if it is missing or damaged."""
        return self.read(asset, document_id, kind).data

    def read_stamp(self, asset: Sequence[str], document_id: str, kind: Kind = "table") -> str | None:
        """Return the stamp of a content, without reading it; None if there is no content, or no stamp with it."""
        with self._opened(asset, document_id) as opened:
            return None if opened is None else opened.stamp(_name(asset, kind))

    def read_stamps(self, asset: Sequence[str], document_id: str) -> dict[tuple[str, ...], str]:
        """Return the stamps of all assets that share the file of `asset`, in one opening; an asset has at most one content with a stamp."""
        with self._opened(asset, document_id) as opened:
            stamps = {name: opened.stamp(name) for name in opened.names()} if opened is not None else {}
        return {tuple(name.rpartition(".")[0].split("/")): stamp for name, stamp in stamps.items() if stamp is not None}

    def exists(self, asset: Sequence[str], document_id: str, kind: Kind = "table") -> bool:
        """Return whether there is a content; True also if the file is damaged, so that it is not known."""
        try:
            with self._opened(asset, document_id) as opened:
                return opened is not None and _name(asset, kind) in opened
        except DocumentError:
            return True

    def delete(self, asset: Sequence[str], document_id: str, kind: Kind = "table") -> None:
        """Delete the content; no error if it does not exist. A file whose index is damaged is set aside: its other contents may be readable
        to a person, and texts of the history are nowhere else."""
        name, path = _name(asset, kind), self._path(asset, document_id)
        try:
            self._change(path, document_id, lambda members: {key: members[key] for key in members if key != name})
        except DocumentError:
            if data := self._storage.read(path):  # after a power failure a file may be empty
                self._storage.change(f"{path}{_SET_ASIDE}", _bucket(document_id)[:2], lambda _: data)
                _log.warning("%s is damaged: it is kept as %s%s", path, self._storage.location(path), _SET_ASIDE)
            self._storage.remove(path)

    def delete_files(self, assets: Iterable[Sequence[str]], document_id: str, *, last: Sequence[str]) -> None:
        """Delete the files of `assets` and with them all assets that share a file, and those set aside; that of the asset `last` after the
        others."""
        final = self._path(last, document_id)
        paths = {self._path(asset, document_id) for asset in assets} | {final}
        for path in (*(f"{path}{_SET_ASIDE}" for path in sorted(paths)), *sorted(paths - {final})):
            self._storage.remove(path)
        self._storage.remove(final)

    def documents(self, asset: Sequence[str], kind: Kind = "table") -> list[str]:
        """Return the ids of the documents that have this content, sorted. Opens the start of each document's file."""
        return sorted(name for name in self.file_versions(asset) if self.exists(asset, name, kind))

    def file_versions(self, asset: Sequence[str]) -> dict[str, str]:
        """Return document id -> version text of every document with a file for this asset; each write of the file changes the text.

        Needs one listing for any number of documents, and opens no file: the file may be without this asset, and a write of another asset
        in it also changes the text.
        """
        versions = self._storage.versions(_folder(asset))
        named = ((name.removesuffix(_ENDING), version) for name, version in versions if name.endswith(_ENDING))
        return {name: version for name, version in named if DOCUMENT_ID.fullmatch(name)}

    @staticmethod
    def one_per_file(assets: Iterable[Sequence[str]]) -> list[Sequence[str]]:
        """Return one of `assets` for each file of a document that they are in: `file_versions` of the others are the same."""
        return list({_folder(asset): asset for asset in assets}.values())

    def location(self, asset: Sequence[str], document_id: str) -> str:
        """Return the location of the asset's file, even if it does not exist: a path, or a URL if the root is a URL."""
        return self._storage.location(self._path(asset, document_id))

    def files(self) -> list[str]:
        """Return the paths of all files below the root, without locks and files that are being written, sorted."""
        return self._storage.files()

    def read_file(self, path: str) -> bytes | None:
        """Return the content of a file of `files`; None if it was deleted meanwhile."""
        try:
            return self._storage.read(path)
        except FileNotFoundError:
            return None

    def write_file(self, path: str, data: bytes) -> None:
        """Write a file with the content that `read_file` returned. Raises `ConfigurationError` for a path that leads out of the root."""
        parts = path.split("/")
        if any(part in ("", ".", "..") for part in parts) or "\\" in path:
            raise ConfigurationError(f"{path[:200]!r} is not the path of a file of a warehouse")
        self._storage.write(path, data)

    def delete_file(self, path: str) -> None:
        """Delete a file of `files`; no error if it does not exist."""
        self._storage.remove(path)

    def delete_empty_folders(self) -> None:
        self._storage.delete_empty_folders()

    def waiting_once(self) -> contextlib.AbstractContextManager[None]:
        """Within the block writes do not wait for the disk; its end waits for all of them."""
        return self._storage.waiting_once()

    def lock(self, name: str) -> contextlib.AbstractContextManager[None]:
        """Wait until no other has the lock of this name: no other process in a folder, no other thread in an object store."""
        return self._storage.lock(name)

    def clean(self, asset: Sequence[str], *, older_than: float = LEFTOVER_SECONDS) -> int:
        """Remove files of killed writers (with a temporary name, older than `older_than` seconds); return their number."""
        return self._storage.clean(_folder(asset), older_than)

    def _path(self, asset: Sequence[str], document_id: str) -> str:
        """Return the path of the asset's file: in one of 16 * 256 folders, so that a million documents are 244 files in each."""
        folder = _folder(asset)
        if not DOCUMENT_ID.fullmatch(document_id) or len(document_id) > MAX_ID_CHARS:
            raise DocumentError(
                "is not a document id: expected letters a-z and digits, with single hyphens or dots between them, at most "
                f"{MAX_ID_CHARS} characters",
                document=repr(document_id)[:200],
            )
        bucket = _bucket(document_id)
        return f"{folder}/{bucket[0]}/{bucket[1:]}/{document_id}{_ENDING}"

    @contextlib.contextmanager
    def _opened(self, asset: Sequence[str], document_id: str, *, whole: bool = False) -> Iterator[Bundle | None]:
        """Open the asset's file; None if there is none. `whole`: a member will be read. Raises `DocumentError` if its index is damaged."""
        with contextlib.ExitStack() as stack:
            try:
                bundle = self._bundle(stack, self._path(asset, document_id), whole)
            except FileNotFoundError:
                yield None
                return
            except DamagedBundleError as error:
                raise _damaged(asset, document_id, error) from error
            yield bundle

    def _bundle(self, stack: contextlib.ExitStack, path: str, whole: bool) -> Bundle:
        try:
            return Bundle(stack.enter_context(self._storage.opened(path, whole=whole)))
        except DamagedBundleError:
            if whole:
                raise
            return self._bundle(stack, path, True)  # the end that was read may be shorter than the index

    def _change(self, path: str, document_id: str, change: Callable[[dict[str, Member]], Mapping[str, Member]]) -> None:
        """Replace the members of a file. Raises `DocumentError` if its index is damaged."""

        def changed(old: bytes | None) -> bytes | None:
            try:
                members = change(bundles.load(old) if old is not None else {})
            except DamagedBundleError as error:
                raise _damaged([path], document_id, error) from error
            return bundles.dump(members) if members else None

        self._storage.change(path, _bucket(document_id)[:2], changed)


class WarehouseSnapshot(Warehouse):
    """A warehouse to read: each file is read once and kept in memory, whatever is written to it later. For a few documents at a time."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.root = warehouse.root
        self._storage = warehouse._storage
        self._bundles: dict[str, Bundle | FileNotFoundError | DamagedBundleError] = {}

    def _bundle(self, stack: contextlib.ExitStack, path: str, whole: bool) -> Bundle:
        if path not in self._bundles:
            try:
                self._bundles[path] = Bundle(io.BytesIO(self._storage.read(path)))
            except (FileNotFoundError, DamagedBundleError) as error:
                self._bundles[path] = error
        found = self._bundles[path]
        if isinstance(found, Bundle):
            return found
        raise found


def _folder(asset: Sequence[str]) -> str:
    if isinstance(asset, str) or not asset or not all(_KEY_PART.fullmatch(part) for part in asset):
        raise ValueError(f"{asset!r} is not an asset key: a sequence of [a-z0-9_.-] is needed")
    return _TOGETHER.get(asset[0]) or "/".join(asset)


def _bucket(document_id: str) -> str:
    return sha256_hex(document_id)[:3]


def _name(asset: Sequence[str], kind: Kind) -> str:
    return f"{'/'.join(asset)}.{_MEMBER_ENDINGS[kind]}"


def _damaged(asset: Sequence[str], document_id: str, error: Exception) -> DocumentError:
    return DocumentError(f"{'/'.join(asset)} is damaged: {error}", document=document_id)
