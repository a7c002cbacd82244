"""`provision_versions`: which wording of each provision held from when to when, from the successive expressions of a document.

A new expression is compared with the latest one alone: what was derived of the others is put away beside the table. Not here: the rules
(`model.versions`) and how expressions are kept (`processing.expressions`).
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

#: Raised when the same expressions give other rows.
VERSION = "1"

#: A judgment is not amended; an amending act is never chunked and has no later wordings.
NO_HISTORY = frozenset({"amendment", "judgment"})


#: Of a document that has no versions.
NOTHING = Stamp(VERSION, identity.input_hash(KEY, []), {"rows": 0, "expressions": 0})


@dataclass(frozen=True)
class Dated:
    """An expression and the day from which it is taken to hold: `date`; `stated` is what its source says, None where it says nothing.

    Without a stated date, or where an older text has come back, an expression holds from the day on which it was first seen; nothing
    tells when the first one began.
    """

    expression: str
    date: str | None
    stated: str | None


class ProvisionVersions:
    asset_keys = (KEY,)

    def is_current(self, batch: Batch, document_id: str) -> bool:
        """See `processing.currency`."""
        canonical = canonical_documents.stamp_of(batch, document_id)
        stamp = batch.table_stamp(KEY, document_id)
        if stamp is None or canonical.facts.get("doc_type") in NO_HISTORY:
            return stamp == NOTHING
        state = _read_state(batch, document_id)
        known = [expression.expression for expression in expressions.index(batch, document_id)]
        return (
            state is not None
            and state["version"] == VERSION
            and known[-1:] == [canonical.data_version]
            and known == [version for version, _, _ in state["expressions"]]
            and state["recorded_acts"] == acts_in_force((), _recorded_acts(batch, document_id))
        )

    def run(self, batch: Batch) -> Iterator[StageEvent]:
        yield from per_document(batch, KEY, lambda document_id: self._work(batch, document_id))

    def _work(self, batch: Batch, document_id: str) -> Materialized:
        canonical = canonical_documents.stamp_of(batch, document_id)
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
        # what earlier expressions said of the acts stays known
        acts = {**(earlier["in_force"] if earlier else {}), **acts_in_force([document], recorded)}
        dated = dates(known, acts)
        history, missing = _derive(batch, document_id, dated, acts)
        state = {
            "version": VERSION,
            "expressions": [[expression.expression, expression.date, expression.stated] for expression in dated],
            "recorded_acts": acts_in_force((), recorded),
            "in_force": acts,
            "missing": missing,
            "reprinted_by": reprinted_by(document, acts),
            "history": history.to_json(),
        }
        # before the table, whose stamp says that it is there
        batch.warehouse.write_json(KEY, document_id, json.dumps(state, ensure_ascii=False, separators=(",", ":")))
        rows = [row.to_row() for row in history.rows()]
        facts: dict[str, Any] = {"rows": len(rows), "expressions": len(dated)}
        if missing:
            facts["unreadable_expressions"] = missing
        made_from = identity.input_hash(KEY, VERSION, state["expressions"], acts)
        stamp = Stamp(made_from, identity.input_hash(rows, state["expressions"], state["reprinted_by"]), facts)
        batch.write_table(KEY, document_id, pa.Table.from_pylist(rows, schema=tables.PROVISION_VERSIONS), stamp)
        reused = old is not None and old.data_version == stamp.data_version
        return Materialized(KEY, document_id, stamp.data_version, inputs, facts, reused)


def dates(known: Sequence[Expression], acts: dict[str, str]) -> list[Dated]:
    """The days from which expressions hold, in their order; never before the day of the one before."""
    found: list[Dated] = []
    latest: str | None = None
    for position, expression in enumerate(known):
        stated = _stated(expression, acts)
        day = stated if stated is not None and (latest is None or stated >= latest) else None
        if day is None and position > 0:
            day = max(expression.first_seen, latest or "")
        found.append(Dated(expression.expression, day, stated if day == stated else None))
        latest = day or latest
    return found


@dataclass(frozen=True)
class Derived:
    """What the table was last derived as. The lines of `history` count the `expressions`; see `acts_in_force.reprinted_by`."""

    expressions: list[Dated]
    history: History
    reprinted_by: str | None


def derived(batch: Batch, document_id: str) -> Derived | None:
    """None before the table was first made, and of a document that has no versions."""
    state = _read_state(batch, document_id)
    if state is None:
        return None
    dated = [Dated(*expression) for expression in state["expressions"]]
    return Derived(dated, History.from_json(document_id, state["history"]), state["reprinted_by"])


def _index(batch: Batch, document: Document, version: str) -> list[Expression]:
    """The index of expressions, whose last is the current one; a document from before there was an index begins it."""
    known = expressions.index(batch, document.document_id)
    if not known or known[-1].expression != version:
        text = batch.warehouse.read_json(canonical_documents.KEY, document.document_id)
        expressions.record(batch, document, version, text, [(document.source_file, document.source_sha256)], "")
        known = expressions.index(batch, document.document_id)
    return known


def _stated(expression: Expression, acts: dict[str, str]) -> str | None:
    if expression.as_of_date:
        try:
            return date.fromisoformat(expression.as_of_date).isoformat()
        except ValueError:
            return None  # a year or a condition is not a day
    return acts.get(expression.consolidated_through) if expression.consolidated_through else None


def _recorded_acts(batch: Batch, document_id: str) -> list[AmendingAct]:
    """The amending acts of the work that the registry knows."""
    facts = canonical_documents.stamp_of(batch, document_id).facts
    number = facts["number"] if "number" in facts else canonical_documents.load(batch, document_id).number
    return batch.resources.registry.amendments_of(number) if number else []


def _derive(batch: Batch, document_id: str, dated: Sequence[Dated], acts: dict[str, str]) -> tuple[History, list[str]]:
    """(the history, expressions that cannot be read any more): from where it was put away, or from the first expression."""
    state = None if batch.options.force else _read_state(batch, document_id)
    history, start, missing = History(document_id), 0, []
    before: tuple[str, Document | None] = ("", None)
    if state is not None and _goes_on(state, dated, acts):
        version = dated[len(state["expressions"]) - 1].expression
        with contextlib.suppress(DocumentError):  # written under another model: what can be read is derived anew
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
                    through=_through(document),
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
                    through=_through(document),
                    in_force=acts,
                )
        except DocumentError:
            if expression is dated[-1]:
                raise
            missing.append(expression.expression)
        else:
            before = (expression.expression, document)
    return history, missing


def _through(document: Document) -> str | None:
    through = document.metadata.get("consolidated_through")
    return str(through) if through else None


def _read(batch: Batch, document_id: str, version: str) -> Document:
    if version == canonical_documents.stamp_of(batch, document_id).data_version:
        return canonical_documents.load(batch, document_id)
    return expressions.load(batch, document_id, version)


def _goes_on(state: dict[str, Any], dated: Sequence[Dated], acts: dict[str, str]) -> bool:
    """Whether the state is of the first of `dated`, and nothing that came to be known since dates any of its lines otherwise."""
    past = state["expressions"]
    present = [[expression.expression, expression.date, expression.stated] for expression in dated[: len(past)]]
    if state["version"] != VERSION or past != present:
        return False
    named = {act for line in state["history"]["lines"] for act in (line[5], line[8]) if act}
    return all(state["in_force"].get(act) == acts.get(act) for act in named)


def _read_state(batch: Batch, document_id: str) -> dict[str, Any] | None:
    if not batch.warehouse.exists(KEY, document_id, "json"):
        return None
    state: dict[str, Any] = json.loads(batch.warehouse.read_json(KEY, document_id))
    return state
