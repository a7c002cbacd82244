"""What the enrichment stages share: when a table is up to date, one call to the engine per batch, and what is reported of it.

Not here: any single stage, and the engines (`enrichment`).
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

#: Reasons that a report names.
_NAMED = 5


@dataclass(frozen=True)
class Due:
    """A document whose table is out of date: what the engine is asked (None: nothing), about how many things, and the rows of the new
    table from the answers by id. `beside` is kept in the table's file, but is not part of what it says."""

    request: Any | None
    asked: int
    rows: Callable[[Mapping[str, Any]], list[Row]]
    beside: Mapping[bytes, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class PerChunk:
    """The asset `key`, made from the asset `above` by asking the engine something about every chunk.

    `kind` is the name by which the settings turn it on, `due` says what a document lacks, `ask` asks all requests of the batch at once, and
    `answer` gives (chunk id, what rows are made of) of one answer.
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

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        generator = generator_of(batch, self.kind, self.task)

        def prepare(document_id: str) -> Materialized | Outdated[Due]:
            inputs, expected = self._inputs(batch, document_id), self._expected(batch, document_id, generator)
            if (stamp := current(batch, self.key, document_id, expected)) is not None:
                return reported(self.key, document_id, inputs, stamp)
            nothing = Due(None, 0, lambda _: [])
            return Outdated(nothing if generator is None else self.due(batch, document_id, generator))

        def ask(due: Mapping[str, Due]) -> Answered:
            return Answered.of(lambda requests: self.ask(batch, requests), [task.request for task in due.values()])

        def finish(document_id: str, due: Due, asked: Answered) -> Materialized:
            inputs, expected = self._inputs(batch, document_id), self._expected(batch, document_id, generator)
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

    def _inputs(self, batch: Batch, document_id: str) -> dict[str, str]:
        return {"/".join(self.above): batch.input_stamp(self.above, document_id).data_version}


@dataclass
class Answered:
    """What an engine said, by document id; several calls add up."""

    answers: dict[str, list[Any]] = field(default_factory=dict)
    unanswered: dict[str, list[Unanswered]] = field(default_factory=dict)
    usage: dict[str, Usage] = field(default_factory=dict)
    stopped: LanguageModelError | None = None

    @classmethod
    def of(cls, ask: Callable[[Sequence[Any]], Enriched[Any]], requests: Sequence[Any | None]) -> Answered:
        """The engine is not opened where nothing is asked."""
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
        """Fail a document that the engine stopped before (a budget, an outage, a batch that has not ended): its answers are kept, the next
        run asks for the rest."""
        left_out = self.unanswered.get(document_id, [])
        if batches := [request.batch for request in left_out if request.batch is not None]:
            raise WaitingForBatchError(batches)
        if self.stopped is not None and left_out and not isinstance(self.stopped, WaitingForBatchError):
            raise self.stopped

    def write(
        self, batch: Batch, key: AssetKey, document_id: str, table: pa.Table, stamp: Stamp, inputs: dict[str, str], number: int
    ) -> Materialized:  # fmt: skip
        """Write the table made of the answers about `number` things. Raises `LanguageModelError` where the engine stopped before all were
        answered."""
        batch.write_table(key, document_id, table, stamp)
        self.raise_if_stopped(document_id)
        return reported(key, document_id, inputs, stamp, number, self.usage.get(document_id))

    def spent_on(self, document_id: str) -> dict[str, Any]:
        """See `spent`."""
        return spent(self.usage.get(document_id))

    def merge(self, other: Answered) -> None:
        """Take over what `other` says besides."""
        for mine, theirs in ((self.answers, other.answers), (self.unanswered, other.unanswered)):
            for document_id, found in theirs.items():
                mine.setdefault(document_id, []).extend(found)
        for document_id, usage in other.usage.items():
            self.usage[document_id] = self.usage.get(document_id, Usage()) + usage
        self.stopped = self.stopped or other.stopped


def generator_of(batch: Batch, kind: str, task: Task) -> Generator | None:
    """What answers `task`; None where the settings leave this `kind` of enrichment out, and then no engine is opened."""
    return batch.resources.enricher.generator(task) if kind in batch.resources.settings.enrichments else None


def current(batch: Batch, key: AssetKey, document_id: str, expected: str) -> Stamp | None:
    """The stamp of a table that is as it should be. One with unanswered things is not: they are asked about once more."""
    stamp = batch.table_stamp(key, document_id)
    if stamp is None or stamp.input_hash != expected or stamp.facts["unanswered"] or batch.options.force:
        return None
    return stamp


def previous_rows(batch: Batch, key: AssetKey, document_id: str) -> list[Row]:
    """What the last table of the document holds; nothing where there is none, and nothing when the run recomputes."""
    previous = batch.id_of_previous(key, document_id)
    if batch.options.force or previous is None:
        return []
    rows: list[Row] = batch.read_table(key, previous).to_pylist()
    return rows


def located_passages(document: Document, rows: Sequence[Row]) -> list[tuple[int, Passage]]:
    """(offset, chunk as an engine is asked about it), with the headings that each stands under."""
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
    """Of all that an answer about one chunk is made of: the chunk, its ancestors' headings and the title; not the rest of the document."""
    above = (passage.header, list(passage.headings), passage.path)
    return identity.input_hash("passage", str(generator), title, language, above, passage.text)


def stamp_of(
    expected: str, rows: Sequence[Row], generator: Generator | None, unanswered: Sequence[Unanswered] = ()
) -> Stamp:
    """Equal tables give equal stamps: what answers cost is not part of them."""
    facts: dict[str, Any] = {"rows": len(rows), "unanswered": len(unanswered)}
    facts |= {"generator": generator.name, "prompt_version": generator.version} if generator else {"off": True}
    if unanswered:
        reasons = Counter(request.reason for request in unanswered)
        facts["unanswered_reasons"] = [f"{reason} ({number})" for reason, number in reasons.most_common(_NAMED)]
    return Stamp(expected, identity.input_hash(list(rows)), facts)


def reported(
    key: AssetKey, document_id: str, inputs: dict[str, str], stamp: Stamp, asked: int = 0, usage: Usage | None = None
) -> Materialized:
    """`asked` is of how many things."""
    metadata = {**stamp.facts, "asked": asked, **spent(usage)}
    return Materialized(key, document_id, stamp.data_version, inputs, metadata, asked == 0)


def spent(usage: Usage | None) -> dict[str, Any]:
    """Requests, tokens and dollars as metadata: of paid requests alone, and nothing where nothing was paid."""
    return {**asdict(usage), "cost_usd": round(usage.cost_usd, 8)} if usage is not None and usage.requests else {}


def paid(event: StageEvent) -> Usage:
    """What the language model was paid for one document and asset, as its metadata says."""
    return Usage(**{name: event.metadata[name] for name in asdict(Usage()) if name in event.metadata})
