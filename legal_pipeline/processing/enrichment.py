"""Shared code of the enrichment stages: the check whether a table is up to date, one enricher call per batch, and the report.

Not here: the stages, and the enrichers (`enrichment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from legal_pipeline.enrichment.enricher import Enriched, Generator, Passage, Task, Unanswered, Usage
from legal_pipeline.enrichment.passages import Places
from legal_pipeline.errors import LanguageModelError, WaitingForBatchError
from legal_pipeline.model import identity
from legal_pipeline.model.document import Document
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, Outdated, StageEvent, Stamp, in_one_call

Row = dict[str, Any]

#: Maximum number of reasons in a report.
NAMED = 5


@dataclass(frozen=True)
class Due:
    """The work for a document whose table is outdated.

    `request` is the request to the enricher (None: no request), `asked` the number of items in it; `rows` makes the rows of the new table
    from the answers by id. `beside` is stored in the table's file, but is not part of its content hash.
    """

    request: Any | None
    asked: int
    rows: Callable[[Mapping[str, Any]], list[Row]]
    beside: Mapping[bytes, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class PerChunk:
    """The asset `key`, made from the asset `above` with one answer of the enricher per chunk.

    `kind` is the name by which the settings enable it, `due` returns the work for a document, `ask` sends all requests of the batch at
    once, and `answer` returns (chunk id, content for rows) of one answer.
    """

    key: AssetKey
    above: AssetKey
    kind: str
    task: Task
    schema: pa.Schema
    due: Callable[[Batch, str, Generator], Due]
    ask: Callable[[Batch, Sequence[Any]], Enriched[Any]]
    answer: Callable[[Any], tuple[str, Any]]

    @property
    def asset_keys(self) -> tuple[AssetKey, ...]:
        return (self.key,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency.SupportsCurrency`."""
        stamp = batch.table_stamp(self.key, document_id)
        generator = generator_of(batch, self.kind, self.task)
        return stamp is not None and stamp.input_hash == self._expected(batch, document_id, generator)

    def _expected(self, batch: Batch, document_id: str, generator: Generator | None) -> str:
        return identity.input_hash(self.key, str(generator), batch.input_stamp(self.above, document_id).data_version)

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return str(generator_of(batch, self.kind, self.task))

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        generator = generator_of(batch, self.kind, self.task)

        def prepare(document_id: str) -> Materialized | Outdated[Due]:
            inputs = batch.input_versions([self.above], document_id)
            expected = self._expected(batch, document_id, generator)
            if (stamp := current(batch, self.key, document_id, expected)) is not None:
                return reported(self.key, document_id, inputs, stamp)
            nothing = Due(None, 0, lambda _: [])
            return Outdated(nothing if generator is None else self.due(batch, document_id, generator))

        def ask(due: Mapping[str, Due]) -> Answered:
            return Answered.of(lambda requests: self.ask(batch, requests), [task.request for task in due.values()])

        def finish(document_id: str, due: Due, asked: Answered) -> Materialized:
            inputs = batch.input_versions([self.above], document_id)
            expected = self._expected(batch, document_id, generator)
            rows = due.rows(dict(map(self.answer, asked.answers.get(document_id, ()))))
            stamp = stamp_of(expected, rows, generator, asked.unanswered.get(document_id, ()))
            table = pa.Table.from_pylist(rows, self.schema.with_metadata(due.beside))
            return asked.write(batch, self.key, document_id, table, stamp, inputs, due.asked)

        return in_one_call(
            batch,
            self.key,
            prepare=prepare,
            call=ask,
            finish=finish,
            spent=lambda document_id, asked: asked.spent_on(document_id),
        )


@dataclass
class Answered:
    """The answers of an enricher, by document id; several calls are added up."""

    answers: dict[str, list[Any]] = field(default_factory=dict)
    unanswered: dict[str, list[Unanswered]] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    stopped: LanguageModelError | None = None

    @classmethod
    def of(cls, ask: Callable[[Sequence[Any]], Enriched[Any]], requests: Sequence[Any | None]) -> Answered:
        """Return the answers to `requests`. Without a request the enricher is not opened."""
        asked = cls()
        due = [request for request in requests if request is not None]
        if due:
            enriched = ask(due)
            for answer in enriched.answers:
                asked.answers.setdefault(answer.document_id, []).append(answer)
            for request in enriched.unanswered:
                asked.unanswered.setdefault(request.document_id, []).append(request)
            asked.usage.update(enriched.usage)
            asked.stopped = enriched.stopped
        return asked

    def raise_if_stopped(self, document_id: str) -> None:
        """Raise the error for a document without all answers because the enricher stopped (a budget, an outage, a batch that has not
        ended). The answers received are stored; the next run requests the rest."""
        left_out = self.unanswered.get(document_id, [])
        if batches := [request.batch for request in left_out if request.batch is not None]:
            raise WaitingForBatchError(batches)
        if self.stopped is not None and left_out and not isinstance(self.stopped, WaitingForBatchError):
            raise self.stopped

    def write(
        self, batch: Batch, key: AssetKey, document_id: str, table: pa.Table, stamp: Stamp, inputs: dict[str, str], number: int
    ) -> Materialized:  # fmt: skip
        """Write the table made from the answers about `number` items. Raises `LanguageModelError` if the enricher stopped before all items
        were answered."""
        batch.write_table(key, document_id, table, stamp)
        self.raise_if_stopped(document_id)
        return reported(key, document_id, inputs, stamp, number, self.usage.get(document_id))

    def spent_on(self, document_id: str) -> dict[str, Any]:
        """See `spent`."""
        return spent(self.usage.get(document_id))

    def merge(self, other: Answered) -> None:
        """Add the content of `other`."""
        for mine, theirs in ((self.answers, other.answers), (self.unanswered, other.unanswered)):
            for document_id, found in theirs.items():
                mine.setdefault(document_id, []).extend(found)
        for document_id, usage in other.usage.items():
            self.usage[document_id] = self.usage.get(document_id, Usage()) + usage
        self.stopped = self.stopped or other.stopped


def generator_of(batch: Batch, kind: str, task: Task) -> Generator | None:
    """Return the generator of answers to `task`; None if the settings leave out this `kind` of enrichment: then no enricher is opened."""
    return batch.resources.enricher.generator(task) if kind in batch.resources.settings.enrichments else None


def current(batch: Batch, key: AssetKey, document_id: str, expected: str) -> Stamp | None:
    """Return the stamp of an up-to-date table, else None. A table with unanswered items is outdated: they are requested once more."""
    stamp = batch.table_stamp(key, document_id)
    if stamp is None or stamp.input_hash != expected or stamp.facts["unanswered"] or batch.options.force:
        return None
    return stamp


def previous_rows(batch: Batch, key: AssetKey, document_id: str) -> list[Row]:
    """Return the rows of the document's last table; empty if there is none, or if the run recomputes."""
    previous = batch.id_of_previous(key, document_id)
    if batch.options.force or previous is None:
        return []
    return batch.read_rows(key, previous)


def located_passages(document: Document, rows: Sequence[Row]) -> list[tuple[int, Passage]]:
    """Return (offset, chunk as a passage with the headings above it)."""
    places = Places(document)
    return [
        (
            row["start_char"],
            Passage(
                row["chunk_id"],
                row["contextual_header"],
                row["chunk_text"],
                row["path"],
                row["chunk_type"],
                places.at(row["start_char"]).headings,
            ),
        )
        for row in rows
    ]


def passage_hash(passage: Passage, title: str, language: str, generator: Generator) -> str:
    """Return the hash of all inputs of an answer about one chunk: the chunk, its ancestors' headings and the title, not the other text."""
    above = (passage.header, list(passage.headings), passage.path)
    return identity.input_hash("passage", str(generator), title, language, above, passage.text)


def stamp_of(
    expected: str, rows: Sequence[Row], generator: Generator | None, unanswered: Sequence[Unanswered] = ()
) -> Stamp:
    """Return the stamp of a table. Equal tables have equal stamps: the cost of answers is not included."""
    facts: dict[str, Any] = {"rows": len(rows), "unanswered": len(unanswered)}
    facts |= {"generator": generator.name, "prompt_version": generator.version} if generator else {"off": True}
    if unanswered:
        reasons = Counter(request.reason for request in unanswered)
        facts["unanswered_reasons"] = [f"{reason} ({number})" for reason, number in reasons.most_common(NAMED)]
    return Stamp(expected, identity.input_hash(list(rows)), facts)


def reported(
    key: AssetKey, document_id: str, inputs: dict[str, str], stamp: Stamp, asked: int = 0, usage: Usage | None = None
) -> Materialized:
    """Return the event of a finished table; `asked` is the number of items in the request."""
    metadata = {**stamp.facts, "asked": asked, **spent(usage)}
    return Materialized(key, document_id, stamp.data_version, inputs, metadata, asked == 0)


def spent(usage: Usage | None) -> dict[str, Any]:
    """Return requests, tokens and dollars as metadata: of paid requests only, empty if nothing was paid."""
    return {**asdict(usage), "cost_usd": round(usage.cost_usd, 8)} if usage is not None and usage.requests else {}


def paid(event: StageEvent) -> Usage:
    """Return what the language model cost for one document and asset, read from the event's metadata."""
    return Usage(**{name: event.metadata[name] for name in asdict(Usage()) if name in event.metadata})
