"""`superseded_chunks`: chunks of earlier expressions whose wording is no longer in force, each with its validity interval.

Made unless the setting `history` is off. It is derived from the stored expressions, so that it can be enabled later. Not here: the
intervals of provisions (`stages.provision_versions`) and the points made from the rows (`stages.qdrant_chunks`).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import pyarrow as pa

from legal_pipeline.chunking.annotate import annotate, read_annotations
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.errors import DocumentError
from legal_pipeline.model import identity, tables
from legal_pipeline.model.versions import Line, act_number
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document
from legal_pipeline.registry.warehouse import table_content
from legal_pipeline.stages import chunks, context_prefixes, provision_versions
from legal_pipeline.stages.provision_versions import Dated, Derived

KEY: AssetKey = ("superseded_chunks",)

#: Incremented when the same expressions give other rows.
VERSION = "1"

_BESIDE = (*tables.optional("context_prefix", "valid_from_basis", "valid_to_basis"), *tables.required("expression"))
SCHEMA = pa.schema([*tables.CHUNKS, *_BESIDE])

#: The basis of a date that no source states. For `valid_from`: `ATTESTED`, the date of the oldest text with the wording, which may be too
#: late; `YEAR_OF_ACT`, the first day of the year of the act that introduced it, which may be too early. For both ends: `SEEN`, the day on
#: which the pipeline first saw the change, which may be too late.
ATTESTED, YEAR_OF_ACT, SEEN = "attested", "year_of_act", "seen"

#: Columns that the data version depends on: the chunk, and its validity interval.
_SAYS = (
    "chunk_id",
    "input_hash",
    "context_prefix",
    "valid_from",
    "valid_from_basis",
    "valid_to",
    "valid_to_basis",
    "expression",
)

#: Columns that identify a chunk within its expression, independent of the document id.
_PLACE = ("strategy", "path", "start_char", "end_char", "chunk_text")
_place = itemgetter(*_PLACE)

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Run:
    """A chunk that is in the expressions from `first` to `last` without a gap; `last` is None if it is in the current expression."""

    chunk_id: str
    eid: str | None
    first: int
    last: int | None
    next: int | None


class SupersededChunks:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency`."""
        old = batch.table_stamp(KEY, document_id)
        return old is not None and old.input_hash == _expected(batch, _inputs(batch, document_id))

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return _expected(batch, {})

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        yield from per_document(batch.document_ids, KEY, lambda document_id: self._work(batch, document_id))

    def _work(self, batch: Batch, document_id: str) -> Materialized:
        inputs = _inputs(batch, document_id)
        on = batch.resources.settings.history
        old = batch.table_stamp(KEY, document_id)
        if old is not None and not (on and batch.options.force) and self.is_current(batch, document_id):
            return Materialized(KEY, document_id, old.data_version, inputs, old.facts, True)
        derived = provision_versions.derived(batch, document_id) if on else None
        rows, intervals = _derive(batch, document_id, derived) if derived is not None else ([], {})
        facts: dict[str, Any] = {"rows": len(rows), **({} if on else {"off": True})}
        version = identity.input_hash([[row[name] for name in _SAYS] for row in rows], intervals)
        stamp = Stamp(_expected(batch, inputs), version, facts)
        beside = json.dumps(intervals, separators=(",", ":"))
        batch.write_table(KEY, document_id, tables.table(rows, SCHEMA), stamp, beside)
        return Materialized(KEY, document_id, version, inputs, facts, False)


def _inputs(batch: Batch, document_id: str) -> dict[str, str]:
    return batch.input_versions((chunks.KEY, context_prefixes.KEY, provision_versions.KEY), document_id)


def _expected(batch: Batch, inputs: dict[str, str]) -> str:
    return identity.input_hash(KEY, VERSION, inputs if batch.resources.settings.history else None)


def load(batch: Batch, document_id: str) -> list[Row]:
    """Return the superseded chunks of a document, oldest first; `chunk_id` is of chunk and interval, offsets refer to `expression`."""
    stamp = batch.table_stamp(KEY, document_id)
    return batch.read_rows(KEY, document_id) if stamp is not None and stamp.facts["rows"] else []


def intervals(batch: Batch, document_id: str) -> dict[str, dict[str, str]]:
    """Return chunk id -> `valid_from` and its basis, for current chunks whose history gives a validity start."""
    if not batch.resources.settings.history or batch.table_stamp(KEY, document_id) is None:
        return {}
    found: dict[str, dict[str, str]] = json.loads(batch.warehouse.read_json(KEY, document_id))
    return found


@dataclass(frozen=True, slots=True)
class KnownInterval:
    """The validity interval of a wording: `valid_to` is the first day on which it was no longer in force. The bases are as in the rows."""

    valid_from: str | None
    valid_from_basis: str | None
    valid_to: str | None
    valid_to_basis: str | None


def interval_of(line: Line, derived: Derived) -> KnownInterval:
    """Return the interval of a line of a provision's history, by the same rules as for its superseded chunks."""
    following = None if line.last is None else min(line.last + 1, len(derived.expressions) - 1)
    run = _Run("", line.eid, line.first, line.last, following)
    lines = {line.eid: [line]}
    since = _since(run, lines, derived.expressions, derived.reprinted_by)
    until = (line.valid_to, None) if line.last is None else _until(run, lines, derived.expressions)
    return KnownInterval(*since, *until)


def _derive(batch: Batch, document_id: str, derived: Derived) -> tuple[list[Row], dict[str, dict[str, str]]]:
    """Return (rows of superseded chunks, known validity starts of current chunks)."""
    dated, reprinted = derived.expressions, derived.reprinted_by
    standing = _readable_tables(batch, document_id, dated)
    runs = _runs([(position, table) for position, (_, table) in standing.items()])
    lines: dict[str, list[Line]] = defaultdict(list)
    for line in derived.history.lines:
        lines[line.eid].append(line)
    current: dict[str, dict[str, str]] = {}
    ended: dict[int, dict[str, Row]] = defaultdict(dict)
    times: Counter[str] = Counter()
    for run in runs:
        since, basis = _since(run, lines, dated, reprinted)
        known = {"valid_from": since, "valid_from_basis": basis}
        if run.last is None:
            current[run.chunk_id] = {name: value for name, value in known.items() if value}
            continue
        until, until_basis = _until(run, lines, dated)
        # numbered by occurrence: a wording that was in force twice needs two different ids
        number = times[run.chunk_id] = times[run.chunk_id] + 1
        if since is None or until is None or since < until or not _ISO_DATE.fullmatch(since):
            own = identity.sha256_hex(f"{run.chunk_id}|superseded|{number}")[:16]
            ended[run.last][run.chunk_id] = {**known, "chunk_id": own, "valid_to": until, "valid_to_basis": until_basis}
    rows = []
    for position, of_chunk in sorted(ended.items()):
        expression, table = standing[position]
        wanted = pa.compute.is_in(table["chunk_id"], value_set=pa.array(list(of_chunk), pa.string()))
        for row in table.filter(wanted).to_pylist():
            given = of_chunk[row["chunk_id"]]
            rows.append(
                {**row, **given, "valid_from": row["valid_from"] or given["valid_from"], "expression": expression}
            )
    return rows, {chunk_id: known for chunk_id, known in current.items() if known}


def _readable_tables(batch: Batch, document_id: str, dated: Sequence[Dated]) -> dict[int, tuple[str, pa.Table]]:
    """Return position -> (expression, its chunks with their prefixes), for all expressions that can be read."""
    found: dict[int, tuple[str, pa.Table]] = {}
    for position, expression in enumerate(dated):
        if position == len(dated) - 1:
            table = _prefixed(batch.read_table(chunks.KEY, document_id), context_prefixes.load(batch, document_id))
        else:
            try:
                table = _earlier_table(batch, document_id, expression.expression)
            except DocumentError:
                continue  # written with another document model; `provision_versions` reports it
        found[position] = (expression.expression, table)
    return found


def _prefixed(table: pa.Table, prefixes: Mapping[str, str | None]) -> pa.Table:
    found = [prefixes.get(chunk_id) for chunk_id in table["chunk_id"].to_pylist()]
    return table.append_column(SCHEMA.field("context_prefix"), pa.array(found, pa.string()))


def _earlier_table(batch: Batch, document_id: str, expression: str) -> pa.Table:
    """Return the archived chunks of an earlier expression, or cut it again."""
    key, prefix_key = (expressions.archived(expression, *asset) for asset in (chunks.KEY, context_prefixes.KEY))
    stamp = batch.table_stamp(key, document_id)
    prefixes: dict[str, str] = {}
    if batch.table_stamp(prefix_key, document_id) is not None:
        prefixes = context_prefixes.load(batch, document_id, prefix_key)
    if stamp is not None and chunks.is_made_from(stamp, batch, expression):
        return _prefixed(batch.read_table(key, document_id), prefixes)
    by_place: dict[tuple[Any, ...], str | None] = {}
    if stamp is not None:
        before = batch.read_table(key, document_id, [*_PLACE, "chunk_id"]).to_pylist()
        by_place = {_place(row): prefixes.get(row["chunk_id"]) for row in before}
    document = expressions.load(batch, document_id, expression)
    encoder = encoders(lambda: batch.resources.embedders)
    (cut,) = chunks.cut_batch([document], chunks.forced_strategy(batch), encoder)
    if isinstance(cut, Exception):
        raise cut
    annotate(cut.chunks, read_annotations(document))
    rows = [chunk.to_row() for chunk in cut.chunks]
    kept = {row["chunk_id"]: prefix for row in rows if (prefix := by_place.get(_place(row))) is not None}
    table = tables.table(rows, tables.CHUNKS)
    stamp = Stamp(chunks.expected_hash(batch, expression), "")
    of_prefixes = pa.table({"chunk_id": list(kept), "prefix": list(kept.values())}, context_prefixes.PREFIXES)
    batch.warehouse.write(
        document_id,
        table_content(key, table, stamp.dumps()),
        table_content(prefix_key, of_prefixes, stamp.dumps()),
    )
    return _prefixed(table, kept)


def _runs(standing: Sequence[tuple[int, pa.Table]]) -> list[_Run]:
    """Return the runs of all chunks; ended runs come first, in the order of their end."""
    found: list[_Run] = []
    began: dict[str, tuple[int, str | None]] = {}
    previous: int | None = None
    for position, table in standing:
        here = dict(zip(table["chunk_id"].to_pylist(), table["eid"].to_pylist(), strict=True))
        for chunk_id in [chunk_id for chunk_id in began if chunk_id not in here]:
            first, eid = began.pop(chunk_id)
            found.append(_Run(chunk_id, eid, first, previous, position))
        for chunk_id, eid in here.items():
            began.setdefault(chunk_id, (position, eid))
        previous = position
    return [*found, *(_Run(chunk_id, eid, first, None, None) for chunk_id, (first, eid) in began.items())]


def _since(
    run: _Run, lines: dict[str, list[Line]], dated: Sequence[Dated], reprinted: str | None
) -> tuple[str | None, str | None]:
    """Return (start date of the run, its basis): of the provision's wording if both began together, else of the expression."""
    line = _line(lines, run.eid, run.first)
    if line is not None and line.first == run.first and line.valid_from:
        return line.valid_from, _basis(line.valid_from, dated[run.first])
    if run.first > 0:
        return dated[run.first].date, _basis(dated[run.first].date, dated[run.first])
    if line is not None and (number := act_number(line.introduced_by)) is not None:
        return f"{number[0]}-01-01", YEAR_OF_ACT
    attested = (reprinted if line is not None and line.introduced_by is None else None) or dated[0].stated
    return attested, ATTESTED if attested else None


def _until(run: _Run, lines: dict[str, list[Line]], dated: Sequence[Dated]) -> tuple[str | None, str | None]:
    assert run.last is not None
    assert run.next is not None
    line = _line(lines, run.eid, run.last)
    ended = line.valid_to if line is not None and line.last == run.last else None
    until = ended if ended and _ISO_DATE.fullmatch(ended) else dated[run.next].date
    return until, _basis(until, dated[run.next])


def _basis(day: str | None, expression: Dated) -> str | None:
    return SEEN if expression.stated is None and day is not None and day == expression.date else None


def _line(lines: dict[str, list[Line]], eid: str | None, position: int) -> Line | None:
    """Return the wording of a provision in an expression."""
    for line in lines.get(eid, ()) if eid is not None else ():
        if line.first <= position and (line.last is None or position <= line.last):
            return line
    return None
