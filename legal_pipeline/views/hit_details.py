"""Optional details of a hit: the acts that amend its provision, and the text around it.

Not here: selecting the details of a hit (`retrieval.amending_acts`, `retrieval.context`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from legal_pipeline.corpus_assets import practice_area_trees
from legal_pipeline.errors import DocumentError
from legal_pipeline.jurisdictions.series import numbered_identity
from legal_pipeline.model.document import Document
from legal_pipeline.processing import expressions
from legal_pipeline.processing.stage import Batch, Resources
from legal_pipeline.registry.item_hints import facts_of
from legal_pipeline.registry.registry import AmendingAct
from legal_pipeline.retrieval.amending_acts import ReadAct, amendments_of
from legal_pipeline.retrieval.context import context_of
from legal_pipeline.retrieval.hit import ContextLevel, Hit, HitAmendment
from legal_pipeline.stages import canonical_documents
from legal_pipeline.stores.store import Payload

_NUMBER = re.compile(r"\b(\d{4}):(\d+)")


def with_amendments(resources: Resources, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits with the acts of the registry that amend their provisions, by the date of their entry into force."""
    acts = _Acts(resources)
    acts.look_up(_law(hit.payload) for hit in hits)
    return [replace(hit, amendments=amendments_of(hit.payload, acts.of(_law(hit.payload)))) for hit in hits]


def with_facts(resources: Resources, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits with the acts that amend their provisions and are not yet consolidated, the provenance of their documents, the
    day on which their source removed their document (it leaves the index after its grace period), and the first day of a later text.

    Nothing of this is stored, so that such an act rebuilds nothing, and the mark disappears with the consolidated text. An act counts as
    consolidated if it is not later than the last act that the text states it contains, that the provision's own note names, or, if neither
    is stated, than the law itself.
    """
    if not hits:
        return []
    acts = _Acts(resources)
    acts.look_up(_law(payload) for hit in hits for payload in (hit.payload, *(one.payload for one in hit.neighbours)))
    duplicates = {duplicate.document_id for hit in hits for duplicate in hit.duplicates}
    languages = {other.document_id for hit in hits for other in hit.other_languages}
    facts = facts_of(resources.registry.database, sorted({hit.document_id for hit in hits} | duplicates | languages))

    def pending(payload: Payload, document_id: str) -> tuple[HitAmendment, ...]:
        return _pending(payload, acts, facts[document_id].provenance.consolidated_through)

    return [
        replace(
            hit,
            pending_amendments=pending(hit.payload, hit.document_id),
            neighbours=tuple(
                replace(neighbour, pending_amendments=pending(neighbour.payload, hit.document_id))
                for neighbour in hit.neighbours
            ),
            duplicates=tuple(
                replace(duplicate, provenance=facts[duplicate.document_id].provenance) for duplicate in hit.duplicates
            ),
            other_languages=tuple(
                replace(other, provenance=facts[other.document_id].provenance) for other in hit.other_languages
            ),
            provenance=facts[hit.document_id].provenance,
            # a new address in a sidecar file writes no point
            source_url=facts[hit.document_id].provenance.source_url or hit.source_url,
            removed_on=facts[hit.document_id].removed_on,
            later_text_from=facts[hit.document_id].later_text_from,
        )
        for hit in hits
    ]


def pending_amendments(resources: Resources, document_id: str, payload: Payload) -> tuple[HitAmendment, ...]:
    """Return the acts for one provision, or for a whole work if `payload` names no section; see `with_facts`."""
    known = facts_of(resources.registry.database, [document_id])[document_id].provenance
    return _pending(payload, _Acts(resources), known.consolidated_through)


def _pending(payload: Payload, acts: _Acts, through: str | None) -> tuple[HitAmendment, ...]:
    if payload.get("superseded"):
        return ()
    held = max(_order(text) for text in (through, payload.get("amended_by"), _law(payload)))
    later = acts.of(_law(payload), after=held)
    numbers = {read.act.document_number for read in later}
    return tuple(
        amendment for amendment in amendments_of(payload, later, or_any_unnamed=True) if amendment.number in numbers
    )


def _law(payload: Payload) -> str:
    return str(payload.get("number") or "")


def _order(number: object) -> tuple[int, int]:
    """Return year and number, by which acts are numbered in the order of issue; (0, 0) if there is none."""
    found = _NUMBER.search(str(number or ""))
    return (int(found[1]), int(found[2])) if found else (0, 0)


class _Acts:
    """The acts of the registry by the law that they amend.

    An act's own text is read on first use: most acts were consolidated long ago, and a search uses none of those.
    """

    def __init__(self, resources: Resources) -> None:
        self._batch = Batch([], resources)
        self._of_law: dict[str, list[AmendingAct]] = {}
        self._read: dict[str, ReadAct] = {}

    def look_up(self, laws: Iterable[str]) -> None:
        """Read the acts that amend these laws from the registry, all at once."""
        if new := {law for law in laws if law and law not in self._of_law}:
            self._of_law.update((law, []) for law in new)
            for act in self._batch.resources.registry.amendments_of(*sorted(new), texts=False):
                self._of_law[act.base_law].append(act)

    def of(self, law: str, *, after: tuple[int, int] | None = None) -> tuple[ReadAct, ...]:
        """Return acts that amend `law`, with `after`: only those of a later number."""
        self.look_up([law])
        acts = self._of_law.get(law, [])
        due = [act for act in acts if after is None or _order(act.document_number) > after]
        for act in due:
            if act.document_number not in self._read:
                self._read[act.document_number] = _read(self._batch, act)
        return tuple(self._read[act.document_number] for act in due)


def with_context(resources: Resources, hits: Sequence[Hit], level: ContextLevel) -> list[Hit]:
    """Return the hits with the text of `level` around them.

    A hit has no such text if the document has changed since it was indexed, or if it is the summary of a practice area, which is not part
    of a document.
    """
    batch = Batch([], resources)
    trees = {hit.document_id: practice_area_trees.is_tree(batch, hit.document_id) for hit in hits}
    return [
        hit if trees[hit.document_id] else replace(hit, context=context_of(hit, level, _document(batch, hit)))
        for hit in hits
    ]


def _document(batch: Batch, hit: Hit) -> Document:
    """Return the text of the hit's offsets: a superseded wording is in the expression in which it was law."""
    expression = hit.payload.get("expression")
    if expression is not None:
        return expressions.load(batch, hit.document_id, str(expression))
    return canonical_documents.load(batch, hit.document_id)


def _read(batch: Batch, act: AmendingAct) -> ReadAct:
    identity = numbered_identity(act.document_number)
    if identity is None:
        return ReadAct(act, ())
    try:
        document = canonical_documents.load(batch, identity[0])
    except DocumentError:
        # recorded by an earlier run whose tables are gone: the act is known, its provisions are not
        return ReadAct(act, ())
    return ReadAct(act, document.metadata.get("provisions") or ())
