"""`provision_versions`: the validity interval of each wording of each provision, from the successive expressions of a document.

A new expression is compared only with the latest expression: the state derived from the others is stored next to the table. Not here: the
rules (`model.versions`) and the storage of expressions (`processing.expressions`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa

from legal_pipeline.errors import DocumentError
from legal_pipeline.model import identity, tables
from legal_pipeline.model.diff import diff
from legal_pipeline.model.document import Document
from legal_pipeline.model.versions import History
from legal_pipeline.processing import expressions
from legal_pipeline.processing.acts_in_force import acts_in_force, original_since, reprinted_by
from legal_pipeline.processing.expressions import Expression
from legal_pipeline.processing.stage import AssetKey, Batch, Materialized, StageEvent, Stamp, per_document
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.stages import canonical_documents

KEY: AssetKey = ("provision_versions",)

#: Incremented when the same expressions give other rows.
VERSION = "1"

#: Document types without a history: a judgment is not amended; an amending act is never chunked and has no later wordings.
NO_HISTORY = frozenset({"amendment", "judgment"})


#: The stamp of a document without versions.
NOTHING = Stamp(VERSION, identity.input_hash(KEY, []), {"rows": 0, "expressions": 0})


@dataclass(frozen=True)
class Dated:
    """An expression and its assumed validity start `date`; `stated` is the date that its source states, None if it states none.

    Without a stated date, or if an older text became current again, an expression is valid from the date on which it was first seen; the
    start of the first expression is then unknown (None).
    """

    expression: str
    date: str | None
    stated: str | None


class ProvisionVersions:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency`."""
        canonical = batch.input_stamp(canonical_documents.KEY, document_id)
        stamp = batch.table_stamp(KEY, document_id)
        if stamp is None or canonical.facts.get("doc_type") in NO_HISTORY:
            return stamp == NOTHING
        state = _read_state(batch, document_id)
        known = expressions.index(batch, document_id)
        return (
            state is not None
            and state["version"] == VERSION
            and bool(known)
            and known[-1].expression == canonical.data_version
            and _listed(dates(known, state["in_force"])) == state["expressions"]
            and state["recorded_acts"] == acts_in_force((), _recorded_acts(batch, document_id))
        )

    def made_with(self, batch: Batch, format: str) -> str:
        """See `processing.currency.SupportsCurrency`."""
        return VERSION

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        yield from per_document(batch.document_ids, KEY, lambda document_id: self._work(batch, document_id))

    def _work(self, batch: Batch, document_id: str) -> Materialized:
        canonical = batch.input_stamp(canonical_documents.KEY, document_id)
        inputs = {"canonical_documents": canonical.data_version}
        old = batch.table_stamp(KEY, document_id)
        if old is not None and not batch.options.force and self.is_current(batch, document_id):
            return Materialized(KEY, document_id, old.data_version, inputs, old.facts, True)
        if canonical.facts.get("doc_type") in NO_HISTORY:
            batch.write_table(KEY, document_id, tables.PROVISION_VERSIONS.empty_table(), NOTHING)
            return Materialized(KEY, document_id, NOTHING.data_version, inputs, NOTHING.facts, False)
        document = canonical_documents.load(batch, document_id)
        known = _index(batch, document, canonical.data_version)
        recorded = _recorded_acts(batch, document_id)
        earlier = _read_state(batch, document_id)
        # dates of acts from earlier expressions are kept
        acts = {**(earlier["in_force"] if earlier else {}), **acts_in_force([document], recorded)}
        dated = dates(known, acts)
        history, missing = _derive(batch, document_id, dated, acts)
        state = {
            "version": VERSION,
            "expressions": _listed(dated),
            "recorded_acts": acts_in_force((), recorded),
            "in_force": acts,
            "missing": missing,
            "reprinted_by": reprinted_by(document, acts),
            "history": history.to_json(),
        }
        rows = [row.to_row() for row in history.rows()]
        facts: dict[str, Any] = {"rows": len(rows), "expressions": len(dated)}
        if missing:
            facts["unreadable_expressions"] = missing
        made_from = identity.input_hash(KEY, VERSION, state["expressions"], acts)
        stamp = Stamp(made_from, identity.input_hash(rows, state["expressions"], state["reprinted_by"]), facts)
        table = pa.Table.from_pylist(rows, schema=tables.PROVISION_VERSIONS)
        batch.write_table(KEY, document_id, table, stamp, json.dumps(state, ensure_ascii=False, separators=(",", ":")))
        reused = old is not None and old.data_version == stamp.data_version
        return Materialized(KEY, document_id, stamp.data_version, inputs, facts, reused)


def dates(known: Sequence[Expression], acts: dict[str, str]) -> list[Dated]:
    """Return the validity start dates of expressions, in their order; never before the date of the expression before."""
    found: list[Dated] = []
    latest: str | None = None
    for position, expression in enumerate(known):
        stated = _stated(expression, acts)
        day = stated if stated is not None and (latest is None or stated >= latest) else None
        if day is None and position > 0:
            day = max(expression.first_seen, latest or "")
        found.append(Dated(expression.expression, day, stated if day == stated else None))
        latest = day
    return found


def _listed(dated: Sequence[Dated]) -> list[list[str | None]]:
    return [[expression.expression, expression.date, expression.stated] for expression in dated]


@dataclass(frozen=True)
class Derived:
    """The state from which the table was last derived. Lines of `history` refer to `expressions` by position; see `acts_in_force`."""

    expressions: list[Dated]
    history: History
    reprinted_by: str | None


def derived(batch: Batch, document_id: str) -> Derived | None:
    """Return the stored state; None before the table was first made, and for a document without versions."""
    state = _read_state(batch, document_id)
    if state is None:
        return None
    dated = [Dated(*expression) for expression in state["expressions"]]
    return Derived(dated, History.from_json(document_id, state["history"]), state["reprinted_by"])


def _index(batch: Batch, document: Document, version: str) -> list[Expression]:
    """Return the index of expressions, whose last row is the current one; a document older than the index gets its first row here."""
    known = expressions.index(batch, document.document_id)
    if not known or known[-1].expression != version:
        text = batch.warehouse.read(canonical_documents.KEY, document.document_id, "json")
        expressions.record(batch, document, version, text, [(document.source_file, document.source_sha256)], "")
        known = expressions.index(batch, document.document_id)
    return known


def _stated(expression: Expression, acts: dict[str, str]) -> str | None:
    if expression.as_of_date:
        try:
            return date.fromisoformat(expression.as_of_date).isoformat()
        except ValueError:
            return None  # a year or a condition is not a date
    return acts.get(expression.consolidated_through) if expression.consolidated_through else None


def _recorded_acts(batch: Batch, document_id: str) -> list[AmendingAct]:
    """Return the amending acts of the work in the registry."""
    facts = batch.input_stamp(canonical_documents.KEY, document_id).facts
    number = facts["number"] if "number" in facts else canonical_documents.load(batch, document_id).number
    return batch.resources.registry.amendments_of(number, texts=False) if number else []


def _derive(batch: Batch, document_id: str, dated: Sequence[Dated], acts: dict[str, str]) -> tuple[History, list[str]]:
    """Return (history, expressions that can no longer be read): continued from the stored state, or from the first expression."""
    state = None if batch.options.force else _read_state(batch, document_id)
    history, start, missing = History(document_id), 0, []
    before: tuple[str, Document | None] = ("", None)
    if state is not None and _goes_on(state, dated, acts):
        version = dated[len(state["expressions"]) - 1].expression
        with contextlib.suppress(DocumentError):  # written with another model: derived again from what is readable
            earlier = None if (version, dated[-1].expression) in batch.changes else _read(batch, document_id, version)
            history, before = History.from_json(document_id, state["history"]), (version, earlier)
            start, missing = len(state["expressions"]), list(state["missing"])
    for position, expression in enumerate(dated[start:], start):
        try:
            document = _read(batch, document_id, expression.expression)
            if not history.begun:
                history.begin(
                    document,
                    position=position,
                    stated=expression.stated,
                    through=expressions.through_of(document),
                    original_since=original_since(document),
                    in_force=acts,
                )
            else:
                version, earlier = before
                found = batch.changes.get((version, expression.expression))
                if found is None:
                    found = diff(earlier or _read(batch, document_id, version), document)
                history.follow(
                    found,
                    position=position,
                    date=expression.date,
                    stated=expression.stated,
                    through=expressions.through_of(document),
                    in_force=acts,
                )
        except DocumentError:
            if expression is dated[-1]:
                raise
            missing.append(expression.expression)
        else:
            before = (expression.expression, document)
    return history, missing


def _read(batch: Batch, document_id: str, version: str) -> Document:
    if version == batch.input_stamp(canonical_documents.KEY, document_id).data_version:
        return canonical_documents.load(batch, document_id)
    return expressions.load(batch, document_id, version)


def _goes_on(state: dict[str, Any], dated: Sequence[Dated], acts: dict[str, str]) -> bool:
    """Return whether the state covers the first of `dated`, and no later information changes the date of any of its lines."""
    past = state["expressions"]
    if state["version"] != VERSION or past != _listed(dated[: len(past)]):
        return False
    named = {act for line in state["history"]["lines"] for act in (line[5], line[8]) if act}
    return all(state["in_force"].get(act) == acts.get(act) for act in named)


def _read_state(batch: Batch, document_id: str) -> dict[str, Any] | None:
    found = batch.warehouse.find(KEY, document_id, "json")
    return None if found is None else json.loads(found.data)
