"""`raptor_summaries`: a tree of summaries per document, as chunks of the type `raptor_summary` (RAPTOR, Sarthi et al., ICLR 2024).

A node whose Merkle hash is in the previous table keeps its text: after an amendment only the changed chapters and the Act are summarised
again. Judgments have no tree. Not here: the shape of the tree (`enrichment.raptor`) and writing summaries (`enrichment`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from legal_pipeline.chunking.assemble import CARRIED_METADATA
from legal_pipeline.chunking.headers import document_header
from legal_pipeline.chunking.provisions import UniquePaths
from legal_pipeline.enrichment import raptor
from legal_pipeline.enrichment.enricher import Generator, SummaryRequest, Task, Unanswered
from legal_pipeline.errors import WaitingForBatchError
from legal_pipeline.model import identity, tables
from legal_pipeline.processing.enrichment import (
    Answered,
    Row,
    current,
    generator_of,
    previous_rows,
    reported,
    stamp_of,
)
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, Outdated, StageEvent, in_one_call
from legal_pipeline.stages import canonical_documents, chunks
from legal_pipeline.text.tokens import count_tokens

KEY: AssetKey = ("raptor_summaries",)
STRATEGY = "raptor"
CHUNK_TYPE = "raptor_summary"

SCHEMA = pa.schema(
    [*tables.CHUNKS, *tables.required("child_ids", type=pa.list_(pa.string())), *tables.required("prompt_version")]
)

#: Document types whose trees are made from many documents.
_NO_TREE = frozenset({"judgment"})
#: Columns about the document, not about a single chunk.
_SHARED = (
    "document_id", "source_file", "language", "jurisdiction", "doc_type", "date_context", "temporal_status", "source_url",
    "source_sha256", "requires_manual_review",
)  # fmt: skip
_SHARED_METADATA = (
    *CARRIED_METADATA, "title", "number", "canonical_citation", "work_uri", "work_uris", "parser", "parser_version", "fetched_at",
)  # fmt: skip


@dataclass
class _Tree:
    """A document whose tree is made: its groups (none: the document's summary is made from its chunks) and texts of nodes by hash."""

    inputs: dict[str, str]
    expected: str
    title: str
    language: str
    rows: list[raptor.Row]
    groups: list[raptor.Group]
    generator: Generator | None
    texts: dict[str, str]
    asked: int = 0

    def group_hash(self, group: raptor.Group) -> str:
        return self._hash(group.header, 1, [raptor.leaf_hash(row) for row in group.chunks])

    def nodes(self, level: int) -> Iterator[tuple[str, str, list[str]]]:
        """Yield (hash, title, texts to summarise) of every node; the texts of the root are its chapters' summaries."""
        if level == 1:
            for group in self.groups:
                yield self.group_hash(group), group.header, [row["chunk_text"] for row in group.chunks]
        elif self.groups:
            below = [node for group in self.groups if (node := self.group_hash(group)) in self.texts]
            if below:
                yield self._hash(self.title, 0, below), self.title, [self.texts[node] for node in below]
        elif self.rows:
            leaves = [raptor.leaf_hash(row) for row in self.rows]
            yield self._hash(self.title, 0, leaves), self.title, [row["chunk_text"] for row in self.rows]

    def _hash(self, title: str, level: int, children: Sequence[str]) -> str:
        assert self.generator is not None
        return raptor.node_hash(self.generator, title, self.language, level, children)


class RaptorSummaries:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`."""
        stamp = batch.table_stamp(KEY, document_id)
        generator = generator_of(batch, "summaries", Task.SUMMARISE)
        return stamp is not None and stamp.input_hash == _expected(batch, document_id, generator)

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return identity.input_hash(raptor.VERSION, str(generator_of(batch, "summaries", Task.SUMMARISE)))

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        generator = generator_of(batch, "summaries", Task.SUMMARISE)

        def prepare(document_id: str) -> Materialized | Outdated[_Tree]:
            inputs = {"chunks": batch.input_stamp(chunks.KEY, document_id).data_version}
            expected = _expected(batch, document_id, generator)
            if (stamp := current(batch, KEY, document_id, expected)) is not None:
                return reported(KEY, document_id, inputs, stamp)
            return Outdated(_tree(batch, document_id, inputs, expected, generator))

        def finish(document_id: str, tree: _Tree, asked: Answered) -> Materialized:
            rows = _rows(tree)
            stamp = stamp_of(tree.expected, rows, generator, asked.unanswered.get(document_id, ()))
            return asked.write(batch, KEY, document_id, tables.table(rows, SCHEMA), stamp, tree.inputs, tree.asked)

        return in_one_call(
            batch,
            KEY,
            prepare=prepare,
            call=lambda due: _summarised(batch, due),
            finish=finish,
            spent=lambda document_id, asked: asked.spent_on(document_id),
        )


def _expected(batch: Batch, document_id: str, generator: Generator | None) -> str:
    version = batch.input_stamp(chunks.KEY, document_id).data_version
    return identity.input_hash(KEY, raptor.VERSION, str(generator), version)


def load(batch: Batch, document_id: str) -> list[Row]:
    """Return the summaries of a document: first its own, then those of its chapters in text order."""
    return batch.read_rows(KEY, document_id)


def _tree(batch: Batch, document_id: str, inputs: dict[str, str], expected: str, generator: Generator | None) -> _Tree:
    document = canonical_documents.load(batch, document_id)
    loaded = [] if generator is None or document.doc_type in _NO_TREE else chunks.load(batch, document_id)
    groups = raptor.groups(document, loaded)
    rows = [row for group in groups for row in group.chunks]
    if sum(row["num_tokens"] for row in rows) <= raptor.BUDGET_TOKENS[0]:
        rows, groups = [], []  # not longer than its summary
    # the summary of a single chapter would repeat the document's summary
    groups = groups if len(groups) > 1 else []
    known = {row["input_hash"]: row["chunk_text"] for row in previous_rows(batch, KEY, document_id)}
    return _Tree(inputs, expected, document_header(document), document.language, rows, groups, generator, known)


def _summarised(batch: Batch, due: Mapping[str, _Tree]) -> Answered:
    """Fill the trees' texts: the chapters of all documents in one call, then the documents in a second call."""
    asked = Answered()
    for level in (1, 0):
        requests: dict[tuple[str, str], SummaryRequest] = {}
        for document_id, tree in due.items():
            for node, title, texts in tree.nodes(level):
                if node not in tree.texts:
                    requests[document_id, node] = SummaryRequest(
                        document_id, node, level, title, tree.language, tuple(texts), raptor.BUDGET_TOKENS[level]
                    )
        if asked.stopped is not None:
            requests = _without_stopped(requests, asked)
        if not requests:
            continue
        answered = Answered.of(batch.resources.enricher.summarise, list(requests.values()))
        for document_id, summaries in answered.answers.items():
            due[document_id].texts.update((summary.node_id, summary.text) for summary in summaries)
        for document_id, _ in requests:
            due[document_id].asked += 1
        asked.merge(answered)
    return asked


def _without_stopped(
    requests: dict[tuple[str, str], SummaryRequest], asked: Answered
) -> dict[tuple[str, str], SummaryRequest]:
    """Return the requests that may still be sent after the enricher stopped.

    If it stopped only for batches, these are the documents that wait for no batch; else none. Requests that are not sent count as
    unanswered, so that a document without its summary is not finished.
    """
    if isinstance(asked.stopped, WaitingForBatchError):
        return {key: request for key, request in requests.items() if key[0] not in asked.unanswered}
    for document_id, node in requests:
        asked.unanswered.setdefault(document_id, []).append(Unanswered(document_id, node, str(asked.stopped)))
    return {}


def _rows(tree: _Tree) -> list[Row]:
    """Return the rows of the answered nodes: the root, then its chapters."""
    made = [(group, node) for group in tree.groups if (node := tree.group_hash(group)) in tree.texts]
    paths = UniquePaths()
    out = []
    root, _, _ = next(tree.nodes(0), ("", "", []))
    root_id = None
    if root in tree.texts:
        root_row = _row(tree, root, 0, paths.name("Summary", None), tree.title, tree.rows, None)
        root_id = root_row["chunk_id"]
        out.append(root_row)
    for seq, (group, node) in enumerate(made, start=1):
        path = paths.name(f"Summary > {group.label}", None)
        out.append(_row(tree, node, 1, path, group.header, group.chunks, root_id, seq, group))
    if root_id is not None and made:
        out[0]["child_ids"] = [row["chunk_id"] for row in out[1:]]
    return out


def _row(
    tree: _Tree, node: str, level: int, path: str, header: str, children: Sequence[raptor.Row], parent: str | None, seq: int = 0,
    group: raptor.Group | None = None,
) -> Row:  # fmt: skip
    """Return a summary as a chunk: its spans are those of all chunks below it, whose text is its source."""
    assert tree.generator is not None
    first, text = children[0], tree.texts[node]
    source = "\n".join(row["chunk_text"] for row in children)
    metadata = {name: value for name in _SHARED_METADATA if (value := first["metadata"].get(name)) is not None}
    if group is not None:
        metadata |= {"chapter": group.chapter, "chapter_heading": group.chapter_heading, "heading": group.label}
    return {
        **{name: first[name] for name in _SHARED},
        **summary_columns(first["document_id"], tree.generator, node, level, text, path, header, source),
        "seq": seq,
        "parent_chunk_id": parent,
        "start_char": min(row["start_char"] for row in children),
        "end_char": max(row["end_char"] for row in children),
        "spans": [span for row in children for span in row["spans"]],
        "child_ids": [row["chunk_id"] for row in children],
        "metadata": {**metadata, "raptor_level": level},
    }


def summary_columns(
    document_id: str, generator: Generator, node: str, level: int, text: str, path: str, header: str, source: str
) -> Row:
    """Return the columns that all summaries have; `source` is the text that was summarised, `node` the hash of its inputs."""
    return {
        "chunk_id": identity.chunk_id(document_id, STRATEGY, path, 0, 0, text),
        "strategy": STRATEGY,
        "chunk_type": CHUNK_TYPE,
        "path": path,
        "level": level,
        "contextual_header": header,
        "chunk_text": text,
        "source_text_sha256": identity.sha256_hex(source),
        "start_char": 0,
        "end_char": 0,
        "spans": [],
        "num_tokens": count_tokens(text),
        "retrieval_weight": 1.0,
        "generator": generator.name,
        "prompt_version": generator.version,
        "input_hash": node,
        "entities": {},
        "cross_references": [],
    }
