"""The texts of indexed documents: the latest text, those of earlier days, and the history of their provisions.

Cached in memory between questions up to a limit, and read again when their document was processed. Not here: the questions
(`provisions`, `law_reader`).
"""

from __future__ import annotations

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
        return EidIndex(self.nodes)

    def provision_of(self, eid: str) -> str | None:
        """Return the eid of the provision that is or contains `eid`; None for a division, or a node outside the provisions."""
        found = self.nodes.get(eid)
        if found is None:
            return None
        node, above = found
        return next((level.eid for level in (node, *reversed(above)) if level.type in PROVISIONS and level.eid), None)


class Work:
    """An indexed document. `latest` is its latest text; `made_of` identifies the tables that it was read from."""

    def __init__(self, texts: Texts, latest: Text, history: Derived | None, made_of: tuple[str, str | None]) -> None:
        self._texts = texts
        self._history = history
        self.latest = latest
        self.made_of = made_of

    @property
    def document_id(self) -> str:
        return self.latest.document.document_id

    @property
    def history(self) -> Derived | None:
        """The wordings of its provisions; None for a document type without versions. Raises `StoreUnavailableError` while the history does
        not cover the latest text yet: then no day can be answered."""
        if self.latest.document.doc_type in provision_versions.NO_HISTORY:
            return None
        if self._history is None:
            raise StoreUnavailableError(
                f"{self.document_id}: its history has not been made of its latest text yet; ask again when the document was processed"
            )
        return self._history

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
        """Return the expressions in the order in which they were current."""
        return expressions.index(self._texts.batch(self.document_id), self.document_id)

    def text(self, expression: str) -> Text:
        """Return a text by its expression. Raises `DocumentError` if it can no longer be read."""
        return self.latest if expression == self.latest.expression else self._texts.text(self.document_id, expression)

    def text_on(self, day: str) -> Text:
        """Return the text in force on `day` (ISO). Raises `NotFoundError` for a day before the first text."""
        if self.history is None:
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
        batch = self.batch(document_id)
        made_of = self._made_of(batch, document_id)
        if made_of is None:
            raise NotFoundError(f"{document_id}: no document of this id is indexed")
        with self._mutex:
            known = self._works.get(document_id)
            if known is not None and known.made_of == made_of:
                self._works.move_to_end(document_id)
                return known
        latest = Text(canonical_documents.load(batch, document_id), made_of[0])
        history = provision_versions.derived(batch, document_id) if made_of[1] is not None else None
        # the document is being processed: its history covers only the text before
        if history is not None and history.expressions and history.expressions[-1].expression != made_of[0]:
            history = None
        work = Work(self, latest, history, made_of)
        with self._mutex:
            self._works[document_id] = work
            self._works.move_to_end(document_id)
            self._bound()
        return work

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

    def _made_of(self, batch: Batch, document_id: str) -> tuple[str, str | None] | None:
        try:
            found = canonical_documents.read_stamp(batch, document_id)
        except DocumentError:
            return None  # not an id
        if found is None:
            return None
        versions = batch.table_stamp(provision_versions.KEY, document_id)
        return found.data_version, versions.data_version if versions is not None else None

    def _bound(self) -> None:
        """Remove the least recently used texts until the cache is within its limit; the text read last is kept."""
        for kept in (self._earlier, self._works):
            while len(kept) > 1 and sum(self._sizes()) > self._most:
                kept.popitem(last=False)

    def _sizes(self) -> Iterator[int]:
        yield from (len(work.latest.document.text) for work in self._works.values())
        yield from (len(text.document.text) for text in self._earlier.values())
