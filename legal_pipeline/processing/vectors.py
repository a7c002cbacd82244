"""A table of vectors, one per text of a document: a text whose input hash is in the previous table keeps its vector.

Each text is embedded by the model of its language; the new texts of many documents are embedded in one call per model. Not here: the texts
(`stages.chunk_embeddings`, `stages.question_embeddings`) and the models (`embedding`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.errors import ConfigurationError, DocumentError, LegalPipelineError, raise_interruption
from legal_pipeline.model import identity, tables
from legal_pipeline.processing.stage import (
    AssetKey,
    Batch,
    Failed,
    Materialized,
    Outdated,
    StageEvent,
    Stamp,
    failed,
    prepared,
)

#: Documents are embedded and written in groups of about this many texts: enough for full batches of the model, and few enough that a
#: killed run loses little.
GROUP_TEXTS = 1024


class Text(NamedTuple):
    """A text to embed; `language` is ISO 639-3."""

    id: str
    text: str
    language: str


class StoredVector(NamedTuple):
    """`values` (dimension,) float32, unit length; `name` is a key of `Embedders.by_vector`; `input_hash` is of model and text."""

    values: NDArray[np.float32]
    name: str
    input_hash: str


_Row = dict[str, Any]
#: (data versions of the inputs, rows without their vectors)
_Pending = tuple[dict[str, str], list[_Row]]


@dataclass(frozen=True)
class VectorTable:
    """The asset `key`, made from the assets `above`; `texts` returns a document's texts, whose ids are in `id_column`."""

    key: AssetKey
    above: tuple[AssetKey, ...]
    id_column: str
    texts: Callable[[Batch, str], Sequence[Text]]
    #: Number of texts, from the first on, that are chunks; None if there are no chunks.
    chunks: Callable[[Batch, str], int] | None = None

    @property
    def asset_keys(self) -> tuple[AssetKey, ...]:
        return (self.key,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`."""
        stamp = batch.table_stamp(self.key, document_id)
        expected = self._expected(batch.resources.embedders.name, batch.input_versions(self.above, document_id))
        return stamp is not None and stamp.input_hash == expected

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return self._expected(batch.resources.embedders.name, {})

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        embedders = batch.resources.embedders
        pending: dict[str, _Pending] = {}
        known: dict[str, _Row] = {}
        wanted: dict[str, Text] = {}

        def prepare(document_id: str) -> Materialized | Outdated[_Pending]:
            inputs = batch.input_versions(self.above, document_id)
            old = batch.table_stamp(self.key, document_id)
            if old is not None and old.input_hash == self._expected(embedders.name, inputs) and not batch.options.force:
                return self._materialized(document_id, inputs, old, embedded=0)
            texts = self.texts(batch, document_id)
            rows = [self._row(document_id, embedders, text) for text in texts]
            previous = batch.id_of_previous(self.key, document_id)
            if previous is not None and not batch.options.force:
                known.update(self._previous(batch, previous))
            wanted.update((row["input_hash"], text) for row, text in zip(rows, texts, strict=True))
            return Outdated((inputs, rows))

        yield from prepared(batch.document_ids, self.key, prepare, pending)
        for group in _groups(pending):
            yield from self._embed_and_write(batch, group, known, wanted)

    def _embed_and_write(
        self, batch: Batch, group: dict[str, _Pending], known: dict[str, _Row], wanted: dict[str, Text]
    ) -> Iterator[StageEvent]:
        """Embed the missing vectors of the documents of `group` in one call, and write their tables.

        If the model refuses the call, each half of the group is tried separately, down to the single document that it refuses.
        """
        fresh = {
            key: wanted[key] for _, rows in group.values() for row in rows if (key := row["input_hash"]) not in known
        }
        try:
            known.update(_embed(batch, fresh))
        except Exception as error:
            raise_interruption(error)
            if len(group) == 1 or _concerns_all(error):
                yield from (failed(self.key, document_id, error) for document_id in group)
                return
            documents = list(group.items())
            middle = len(documents) // 2
            for half in (documents[:middle], documents[middle:]):
                yield from self._embed_and_write(batch, dict(half), known, wanted)
            return
        for document_id, (inputs, rows) in group.items():
            yield self._write(batch, document_id, inputs, rows, known, fresh)

    def load(self, batch: Batch, document_id: str, texts: Sequence[Text]) -> list[StoredVector]:
        """Return the vectors of the document's present `texts`. Raises `DocumentError` if the table was made from other texts or models."""
        table = batch.read_table(self.key, document_id)
        embedders = batch.resources.embedders
        # compared by the embedded text and not only by id: a new heading above a chunk changes its vector, but not its id
        expected = [self._row(document_id, embedders, text) for text in texts]
        if [(row["input_hash"], row[self.id_column]) for row in expected] != list(
            zip(table["input_hash"].to_pylist(), table[self.id_column].to_pylist(), strict=True)
        ):
            raise DocumentError(
                f"{'/'.join(self.key)} is not of the present {'/'.join(self.above[0])} and model; make it first",
                document=document_id,
            )
        names = {language: embedders.vector_of(language) for language in {text.language for text in texts}}
        return [
            StoredVector(values, names[text.language], row["input_hash"])
            for values, text, row in zip(_values(table), texts, expected, strict=True)
        ]

    def _expected(self, model: str, inputs: dict[str, str]) -> str:
        return identity.input_hash(self.key, model, inputs)

    def _row(self, document_id: str, embedders: Embedders, text: Text) -> _Row:
        model = embedders.of(text.language).name
        return {
            self.id_column: text.id,
            "document_id": document_id,
            "input_hash": identity.input_hash("embedding", model, text.text),
            "model": model,
        }

    def _previous(self, batch: Batch, document_id: str) -> dict[str, _Row]:
        """Return the rows of the document's previous table, by input hash."""
        table = batch.read_table(self.key, document_id)
        rest = table.select(["input_hash", "embedded_tokens", "total_tokens"]).to_pylist()
        return {
            row.pop("input_hash"): {"vector": vector, **row} for row, vector in zip(rest, _values(table), strict=True)
        }

    def _write(
        self,
        batch: Batch,
        document_id: str,
        inputs: dict[str, str],
        rows: list[_Row],
        known: dict[str, _Row],
        fresh: dict[str, Text],
    ) -> Materialized | Failed:
        try:
            model = batch.resources.embedders.name
            sizes = {embedder.dimension for embedder in batch.resources.embedders.by_vector.values()}
            schema = tables.embeddings_schema(sizes.pop() if len(sizes) == 1 else None, self.id_column)
            table = pa.Table.from_pylist([{**row, **known[row["input_hash"]]} for row in rows], schema)
            stamp = Stamp(
                self._expected(model, inputs),
                identity.input_hash([(row[self.id_column], row["input_hash"]) for row in rows]),
                {"vectors": len(rows), "model": model},
            )
            batch.write_table(self.key, document_id, table, stamp)
            embedded = len({row["input_hash"] for row in rows} & fresh.keys())
            done = self._materialized(document_id, inputs, stamp, embedded=embedded)
            if self.chunks is not None:
                of_chunks = {row["input_hash"] for row in rows[: self.chunks(batch, document_id)]}
                done.metadata["embedded_chunks"] = len(of_chunks & fresh.keys())
            return done
        except Exception as error:
            return failed(self.key, document_id, error)

    def _materialized(self, document_id: str, inputs: dict[str, str], stamp: Stamp, *, embedded: int) -> Materialized:
        metadata = {**stamp.facts, "embedded": embedded}
        return Materialized(self.key, document_id, stamp.data_version, inputs, metadata, embedded == 0)


def _values(table: pa.Table) -> Sequence[NDArray[np.float32]]:
    """Return the vectors of the rows."""
    vectors = table["vector"].combine_chunks()
    if len(table) and pa.types.is_fixed_size_list(vectors.type):
        return np.asarray(vectors.flatten(), dtype=np.float32).reshape(len(table), -1)  # type: ignore[return-value]
    return [np.asarray(vector.values, dtype=np.float32) for vector in vectors]


def _embed(batch: Batch, texts: dict[str, Text]) -> dict[str, _Row]:
    """Embed `texts`; return rows by input hash."""
    embedders = batch.resources.embedders
    by_vector: dict[str, dict[str, Text]] = {}
    for key, text in texts.items():
        by_vector.setdefault(embedders.vector_of(text.language), {})[key] = text
    made = {}
    for vector, of_model in by_vector.items():
        embeddings = embedders.by_vector[vector].embed_passages([text.text for text in of_model.values()])
        for key, values, embedded, total in zip(
            of_model, embeddings.vectors, embeddings.embedded_tokens, embeddings.total_tokens, strict=True
        ):
            made[key] = {"vector": values, "embedded_tokens": embedded, "total_tokens": total}
    return made


def _concerns_all(error: Exception) -> bool:
    """Return whether every other text would fail too: the model does not answer, or is not available."""
    return isinstance(error, ConfigurationError) or (isinstance(error, LegalPipelineError) and error.transient)


def _groups(pending: dict[str, _Pending]) -> Iterator[dict[str, _Pending]]:
    """Yield `pending` in its order, in groups of documents with about `GROUP_TEXTS` texts."""
    group: dict[str, _Pending] = {}
    size = 0
    for document_id, (inputs, rows) in pending.items():
        group[document_id] = (inputs, rows)
        size += len(rows)
        if size >= GROUP_TEXTS:
            yield group
            group, size = {}, 0
    if group:
        yield group
