"""`chunks/<strategy>` and `chunks`: each strategy's chunks of a document, and their union in text order.

The table of a strategy is the rows of the union with its name: it is not stored. A strategy without chunks of a document has no report; if
it had chunks before and has none now, it is reported once, with `chunks: 0`. Not here: cutting documents (`chunking`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.chunking import cited_places
from legal_pipeline.chunking.annotate import annotate
from legal_pipeline.chunking.chunk import ChunkedDocument, embedded_text
from legal_pipeline.chunking.cut import MakeEncoder, chunk_batch
from legal_pipeline.chunking.metrics import measure
from legal_pipeline.chunking.registry import STRATEGIES
from legal_pipeline.chunking.router import ROUTER_VERSION, RouterOptions
from legal_pipeline.chunking.strategy import Planner, Proposer
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.model import identity, tables
from legal_pipeline.model.document import Document
from legal_pipeline.processing.advice import KINDS, TASKS, Advice, generators, is_answered
from legal_pipeline.processing.stage import (
    AssetKey,
    Batch,
    Materialized,
    Outdated,
    RunOptions,
    StageEvent,
    Stamp,
    in_one_call,
)
from legal_pipeline.stages import canonical_documents, cross_references

KEY: AssetKey = ("chunks",)

#: The fact with the tokens of every chunk, for the histogram in the UI.
SIZES = "chunk_sizes"
STRATEGY_KEYS: dict[str, AssetKey] = {name: ("chunks", name) for name in STRATEGIES}

#: Amending acts are read at query time and never chunked.
NEVER_CHUNKED = frozenset({"amendment"})

#: The document that was cut (perhaps with the type that the model gave it), and its chunks or its error.
_Cut = tuple[Document, ChunkedDocument | Exception]


class Chunks:
    """One cut per document makes all its assets, so that they cannot contradict each other; texts are encoded in one call per batch."""

    asset_keys = (*STRATEGY_KEYS.values(), KEY)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`. The result of a forced strategy stays current until another run cuts differently."""
        stamp = batch.table_stamp(KEY, document_id)
        version = batch.input_stamp(canonical_documents.KEY, document_id).data_version
        choices = (Batch([], batch.resources, RunOptions(strategy=name)) for name in (None, *STRATEGIES))
        return stamp is not None and any(is_made_from(stamp, choice, version) for choice in choices)

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return expected_hash(batch, "", list(KINDS))

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        advice = Advice(batch)

        def prepare(document_id: str) -> Sequence[Materialized] | Outdated[Document]:
            version = batch.input_stamp(canonical_documents.KEY, document_id).data_version
            old = batch.table_stamp(KEY, document_id)
            if old is not None and is_made_from(old, batch, version) and not batch.options.force:
                return self._materialized(document_id, version, old, reused=True)
            return Outdated(canonical_documents.load(batch, document_id))

        def cut(due: Mapping[str, Document]) -> dict[str, _Cut]:
            documents = advice.typed(list(due.values()))
            return dict(zip(due, self._cut(batch, documents, advice), strict=True))

        def finish(document_id: str, _: Document, cut: Mapping[str, _Cut]) -> Sequence[Materialized]:
            document, result = cut[document_id]
            if isinstance(result, Exception):
                raise result
            version = batch.input_stamp(canonical_documents.KEY, document_id).data_version
            old = batch.table_stamp(KEY, document_id)
            annotate(result.chunks, cross_references.annotations_of(batch, document_id))
            facts = advice.facts(document, result)
            stamp = _write(batch, document, expected_hash(batch, version, facts.get(TASKS, ())), result, facts)
            if stopped := advice.stopped(document_id):
                raise stopped
            return self._materialized(document_id, version, stamp, old, spent=advice.spent(document_id))

        return in_one_call(
            batch, KEY, prepare=prepare, call=cut, finish=finish, spent=lambda document_id, _: advice.spent(document_id)
        )

    @staticmethod
    def _cut(batch: Batch, documents: Sequence[Document], advice: Advice) -> list[_Cut]:
        """Return each document with its chunks or its error; a document is not cut if the model could not be asked for its type."""
        untyped = {
            document.document_id: error for document in documents if (error := advice.stopped(document.document_id))
        }
        ready = [document for document in documents if document.document_id not in untyped]
        encoder = encoders(lambda: batch.resources.embedders)
        cut = cut_batch(ready, forced_strategy(batch), encoder, advice.planner, advice.proposer)
        results = {document.document_id: result for document, result in zip(ready, cut, strict=True)}
        return [(document, (results | untyped)[document.document_id]) for document in documents]

    @staticmethod
    def _materialized(
        document_id: str,
        canonical_version: str,
        stamp: Stamp,
        old: Stamp | None = None,
        *,
        reused: bool = False,
        spent: Mapping[str, Any] = {},
    ) -> list[Materialized]:
        """Return the events of the strategies with chunks of the document or with chunks before (`old`), and of the union."""
        version, by_strategy = stamp.data_version, stamp.facts["by_strategy"]
        before = old.facts["by_strategy"] if old is not None else {}
        parts = {
            key: by_strategy.get(name, 0) for name, key in STRATEGY_KEYS.items() if name in {*by_strategy, *before}
        }
        inputs = {"canonical_documents": canonical_version}
        facts = {name: value for name, value in {**stamp.facts, **spent}.items() if name != "exclusions"}
        made_from = {**inputs, **{"/".join(key): version for key, count in parts.items() if count}}
        return [
            *(
                Materialized(key, document_id, version, dict(inputs), {"chunks": count}, reused)
                for key, count in parts.items()
            ),
            Materialized(KEY, document_id, version, made_from, facts, reused),
        ]


def expected_hash(batch: Batch, canonical_version: str, tasks: Sequence[str] = ()) -> str:
    """Return the hash of all inputs of a canonical document's chunks; `tasks` are the language model tasks that apply to it."""
    versions = [_versions(batch), ROUTER_VERSION, cross_references.VERSION, cited_places.VERSION]
    advised = generators(batch, tasks)
    return identity.input_hash(
        "chunks", canonical_version, forced_strategy(batch), versions, *([advised] if advised else [])
    )


def is_made_from(stamp: Stamp, batch: Batch, canonical_version: str) -> bool:
    """Return whether chunks with this stamp are those of a canonical document by the present strategies and options."""
    tasks = stamp.facts.get(TASKS, ())
    return is_answered(stamp) and stamp.input_hash == expected_hash(batch, canonical_version, tasks)


def forced_strategy(batch: Batch) -> str | None:
    """Return the strategy of the run, else of the settings; None if the router decides."""
    return batch.options.strategy or batch.resources.settings.forced_strategy


def options_for(document: Document, strategy: str | None) -> RouterOptions:
    """Return options with the run's strategy, else with the strategy in the document's sidecar."""
    return RouterOptions(strategy or document.metadata.get("forced_strategy"))


def cut_batch(
    documents: Sequence[Document],
    strategy: str | None,
    encoder: MakeEncoder,
    planner: Planner | None = None,
    proposer: Proposer | None = None,
) -> list[ChunkedDocument | Exception]:
    """Return the chunks of each document (`strategy`: see `options_for`) or its error; an amending act has no chunks and no error."""
    cut = [number for number, document in enumerate(documents) if document.doc_type not in NEVER_CHUNKED]
    due = [documents[number] for number in cut]
    options = [options_for(document, strategy) for document in due]
    results = chunk_batch(due, options, encoder, planner, proposer)
    by_number = dict(zip(cut, results, strict=True))
    nothing = ChunkedDocument((), (), (("none", "amending acts are not chunked"),), 1.0)
    return [by_number.get(number, nothing) for number in range(len(documents))]


def _write(
    batch: Batch, document: Document, expected: str, chunked: ChunkedDocument, advice: Mapping[str, Any]
) -> Stamp:
    document_id = document.document_id
    rows = [chunk.to_row() for chunk in chunked.chunks]
    excluded: Counter[str] = Counter()
    for item in chunked.exclusions:
        excluded[item.reason] += item.end - item.start
    facts = {
        **measure(rows, document).to_json(),
        "route": [list(pair) for pair in chunked.route],
        "coverage": chunked.coverage,
        "excluded_characters": dict(excluded),
        "exclusions": [[item.start, item.end, item.reason] for item in chunked.exclusions],
        "oversized": sum(bool(chunk.metadata.get("oversized")) for chunk in chunked.chunks),
        SIZES: [chunk.num_tokens for chunk in chunked.chunks],
        **advice,
    }
    stamp = Stamp(expected, identity.input_hash([_version_of(row) for row in rows]), facts)
    batch.write_table(KEY, document_id, tables.table(rows, tables.CHUNKS), stamp)
    batch.resources.registry.describe(document_id, total_chunks=len(rows), doc_type=document.doc_type)
    return stamp


def load(batch: Batch, document_id: str) -> list[dict[str, Any]]:
    """Return the chunk rows of a document in text order. The caller must not change them."""
    return batch.read_rows(KEY, document_id)


def embedding_text(row: dict[str, Any], prefix: str | None) -> str:
    """Return the text that is embedded for a chunk row."""
    return embedded_text(row["contextual_header"], prefix, row["chunk_text"])


def _versions(batch: Batch) -> dict[str, str]:
    """Return the version of every strategy; strategies that cut by meaning depend on the model too."""
    model = batch.resources.embedders.name
    return {
        name: f"{strategy.version}/{model}" if strategy.pieces else strategy.version
        for name, strategy in STRATEGIES.items()
    }


def _version_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return every column and metadata except those about the time and place of the fetch."""

    def without_provenance(columns: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in columns.items() if name not in canonical_documents.PROVENANCE}

    return without_provenance({**row, "metadata": without_provenance(row["metadata"])})
