"""The texts of indexed documents: the latest text, those of earlier days, and the history of their provisions.

Cached in memory between questions up to a limit, and read again when their document was processed. Not here: the questions
(`provisions`, `law_reader`).
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from legal_pipeline.citations import EidIndex
from legal_pipeline.errors import DocumentError, NotFoundError, StoreUnavailableError
from legal_pipeline.model.document import PROVISIONS, Document, Node
from legal_pipeline.processing import expressions
from legal_pipeline.processing.expressions import Expression
from legal_pipeline.processing.stage import Batch, Resources
from legal_pipeline.stages import canonical_documents, chunks, provision_versions
from legal_pipeline.stages.provision_versions import Derived

#: Maximum characters of canonical text in the cache: the document trees take about 30 times as many bytes.
_MAX_CHARACTERS = 20_000_000

#: Columns of a chunk that its citation is made from, in addition to its metadata.
_CITED_COLUMNS = ("eid", "path", "doc_type", "jurisdiction", "language", "parent_chunk_id", "metadata")

#: Data versions of the canonical document, the table of its history, and that of its chunks.
_Versions = tuple[str, str | None, str | None]


class Text:
    """One expression of a document with its nodes by eid."""

    def __init__(self, document: Document, expression: str) -> None:
        self.document = document
        self.expression = expression

    @functools.cached_property
    def nodes(self) -> dict[str, tuple[Node, tuple[Node, ...]]]:
        """Eid -> (node, its ancestors, outermost first)."""
        return {node.eid: (node, above) for node, above in self.document.walk_with_ancestors() if node.eid is not None}

    @functools.cached_property
    def eids(self) -> EidIndex:
        return EidIndex(self.nodes, is_named=True)

    def provision_of(self, eid: str) -> str | None:
        """Return the eid of the provision that is or contains `eid`; None for a division, or a node outside the provisions."""
        found = self.nodes.get(eid)
        if found is None:
            return None
        node, above = found
        return next((level.eid for level in (node, *reversed(above)) if level.type in PROVISIONS and level.eid), None)


class Work:
    """An indexed document. `latest` is the latest text whose history was made, and `known_history` this history. It is None for a document
    type without versions, and before the first history is made. `made_of` identifies the tables that both were read from.

    While a new text is being processed, text and history are those before it.
    """

    def __init__(self, texts: Texts, latest: Text, known_history: Derived | None, made_of: _Versions) -> None:
        self._texts = texts
        self.latest = latest
        self.known_history = known_history
        self.made_of = made_of

    @property
    def document_id(self) -> str:
        return self.latest.document.document_id

    @property
    def history(self) -> Derived | None:
        """The wordings of its provisions; None for a document type without versions. Raises `StoreUnavailableError` while the document is
        processed for the first time: then no day can be answered."""
        if self.known_history is None and self.latest.document.doc_type not in provision_versions.NO_HISTORY:
            raise self._being_made()
        return self.known_history

    def verify_whole(self) -> None:
        """Raise `StoreUnavailableError` while a text later than `latest` is being processed, or the first one."""
        if self.latest.expression != self.made_of[0]:
            raise self._being_made()
        _ = self.history

    def _being_made(self) -> StoreUnavailableError:
        return StoreUnavailableError(
            f"{self.document_id}: the history of its latest text has not been made yet; ask again when the document has been processed"
        )

    @functools.cached_property
    def payloads(self) -> dict[str, dict[str, Any]]:
        """Eid -> the fields that citations are made from, taken from the first chunk of that provision."""
        batch = self._texts.batch(self.document_id)
        if batch.table_stamp(chunks.KEY, self.document_id) is None:
            return {}
        found: dict[str, dict[str, Any]] = {}
        for row in batch.read_table(chunks.KEY, self.document_id, _CITED_COLUMNS).to_pylist():
            metadata = {name: value for name, value in row.pop("metadata").items() if value is not None}
            if row["parent_chunk_id"] is None and row["eid"]:
                found.setdefault(row["eid"], {**metadata, **row, "path": "", "subdivisions": ()})
        return found

    def index(self) -> list[Expression]:
        """Return the expressions up to `latest`, in the order in which they were current."""
        known = expressions.index(self._texts.batch(self.document_id), self.document_id)
        return known if self.known_history is None else known[: len(self.known_history.expressions)]

    def text(self, expression: str) -> Text:
        """Return a text by its expression. Raises `DocumentError` if it can no longer be read."""
        return self.latest if expression == self.latest.expression else self._texts.text(self.document_id, expression)

    def text_on(self, day: str | None) -> Text:
        """Return the text in force on `day` (ISO), the latest text for None. Raises `NotFoundError` for a day before the first text."""
        if day is None or self.history is None:
            return self.latest
        holding = [
            expression for expression in self.history.expressions if expression.date is None or expression.date <= day
        ]
        if not holding:
            first = self.history.expressions[0].date
            raise NotFoundError(f"{self.document_id}: no text of {day} is known; the first known one is of {first}")
        return self.text(holding[-1].expression)


class Texts:
    """Reads works and their earlier texts. Thread-safe."""

    def __init__(self, resources: Resources, *, most_characters: int = _MAX_CHARACTERS) -> None:
        self._resources = resources
        self._most = most_characters
        self._mutex = threading.Lock()
        self._works: OrderedDict[str, Work] = OrderedDict()
        self._earlier: OrderedDict[tuple[str, str], Text] = OrderedDict()

    def batch(self, document_id: str) -> Batch:
        """Return a batch for one question: a batch caches what it reads, and is not thread-safe."""
        return Batch([document_id], self._resources)

    def work(self, document_id: str) -> Work:
        """Return the present document. Raises `NotFoundError` if it has not been parsed."""
        made_of = self._made_of(document_id)
        if made_of is None:
            raise NotFoundError(f"{document_id}: no document of this id is indexed")
        with self._mutex:
            known = self._works.get(document_id)
            if known is not None and known.made_of == made_of:
                self._works.move_to_end(document_id)
                return known
        latest, history = self._whole(document_id, made_of)
        if self._made_of(document_id) != made_of:
            return self.work(document_id)  # written while it was read
        work = Work(self, latest, history, made_of)
        with self._mutex:
            self._works[document_id] = work
            self._works.move_to_end(document_id)
            self._bound()
        return work

    def _whole(self, document_id: str, made_of: _Versions) -> tuple[Text, Derived | None]:
        """Return the latest text that has a history, with it; the latest text alone if there is no history of it or of the text before."""
        version, versions, _ = made_of
        batch = self.batch(document_id)
        history = None
        if versions not in (None, provision_versions.NOTHING.data_version):
            history = provision_versions.derived(batch, document_id)
        covered = history.expressions[-1].expression if history is not None and history.expressions else None
        if covered not in (None, version):
            with contextlib.suppress(DocumentError):  # written with another version of the document model
                return Text(expressions.load(batch, document_id, str(covered)), str(covered)), history
        return Text(canonical_documents.load(batch, document_id), version), history if covered == version else None

    def text(self, document_id: str, expression: str) -> Text:
        key = (document_id, expression)
        with self._mutex:
            known = self._earlier.get(key)
            if known is not None:
                self._earlier.move_to_end(key)
                return known
        text = Text(expressions.load(self.batch(document_id), document_id, expression), expression)
        with self._mutex:
            self._earlier[key] = text
            self._bound()
        return text

    def _made_of(self, document_id: str) -> _Versions | None:
        batch = self.batch(document_id)
        try:
            found = batch.table_stamp(canonical_documents.KEY, document_id)
        except DocumentError:
            return None  # not an id
        if found is None:
            return None
        stamps = (batch.table_stamp(key, document_id) for key in (provision_versions.KEY, chunks.KEY))
        versions, cut = (stamp.data_version if stamp is not None else None for stamp in stamps)
        return found.data_version, versions, cut

    def _bound(self) -> None:
        """Remove the least recently used texts until the cache is within its limit; the text read last is kept."""
        for kept in (self._earlier, self._works):
            while len(kept) > 1 and sum(self._sizes()) > self._most:
                kept.popitem(last=False)

    def _sizes(self) -> Iterator[int]:
        yield from (len(work.latest.document.text) for work in self._works.values())
        yield from (len(text.document.text) for text in self._earlier.values())
