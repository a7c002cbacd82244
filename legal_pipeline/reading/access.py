"""Access of one question: the works that its reader may see, with their origin and the acts that amend them.

Not here: the questions (`law_reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.errors import NotFoundError
from legal_pipeline.model.document import Document
from legal_pipeline.processing.stage import Resources
from legal_pipeline.reading import provisions
from legal_pipeline.reading.answers import Amendment, Origin, Provision, ProvisionPlace
from legal_pipeline.reading.coverage import Counts
from legal_pipeline.reading.hits import amendment
from legal_pipeline.reading.provisions import Wording, provision_id
from legal_pipeline.reading.texts import Texts, Work
from legal_pipeline.reading.titles import IndexedTitles
from legal_pipeline.reading.viewer import Visibility
from legal_pipeline.registry.item_hints import Provenance, facts_of, provenances
from legal_pipeline.registry.listing import Choice, Counted, Listed, indexed
from legal_pipeline.retrieval.query_text import verify_text
from legal_pipeline.stores.store import Payload
from legal_pipeline.views.hit_details import pending_amendments


@dataclass(frozen=True, slots=True)
class Access:
    """The access of one question of one reader."""

    resources: Resources
    texts: Texts
    all_counts: Counts
    titles: IndexedTitles
    visibility: Visibility

    def counts(self) -> Sequence[Counted]:
        """Return the counts of the documents that the reader may see."""
        return self.all_counts.of(self.visibility.hidden)

    def work(self, document_id: str) -> tuple[Work, Listed]:
        """Return a work by its id or a former id. Raises `NotFoundError` for an unknown id and for a hidden
        document, with the same message."""
        registry = self.resources.registry
        verify_text("the id", document_id)
        missing = NotFoundError(f"{document_id[:200]!r}: no document of this id is indexed")
        present = registry.aliases.present_ids([document_id]).get(document_id, document_id)
        listed = indexed(registry.database, Choice(ids=[present], hidden=self.visibility.hidden))
        if not listed:
            raise missing
        return self.texts.work(present), listed[0]

    def is_withheld(self, document_id: str) -> bool:
        return document_id in self.visibility.withheld

    def origin(self, document: Document, listed: Listed) -> Origin:
        """Return the origin of `document`, which is the latest text or an earlier text."""
        facts = facts_of(self.resources.registry.database, [document.document_id])[document.document_id]
        known = facts.provenance
        through = document.metadata.get("consolidated_through") or known.consolidated_through
        licence = document.metadata.get("licence") or known.licence
        return Origin(
            document_id=document.document_id,
            title=document.title,
            number=document.number,
            work_uri=document.work_uri,
            jurisdiction=document.jurisdiction,
            doc_type=document.doc_type,
            language=document.language,
            source_url=document.source_url or known.source_url,
            fetched_at=document.fetched_at,
            licence=str(licence) if licence else None,
            consolidated_through=str(through) if through else None,
            as_of_date=document.as_of_date,
            removed_on=listed.tombstoned_at.date().isoformat() if listed.tombstoned_at is not None else None,
            later_text_from=facts.later_text_from,
            requires_manual_review=document.requires_manual_review,
        )

    def provenances(self, document_ids: Sequence[str]) -> dict[str, Provenance]:
        """See `registry.item_hints`."""
        return provenances(self.resources.registry.database, document_ids)

    def place(self, work: Work, eid: str) -> ProvisionPlace:
        """Return the place of a provision, as the latest text cites it."""
        id = provision_id(work.document_id, eid)
        return ProvisionPlace(id=id, eid=eid, citation=provisions.citation(work, work.latest, eid))

    def provision(self, work: Work, listed: Listed, wording: Wording, as_of: str | None) -> Provision:
        node, document = wording.node, wording.text.document
        assert node.eid is not None
        is_withheld = self.is_withheld(work.document_id)
        return Provision(
            id=provision_id(work.document_id, node.eid),
            eid=node.eid,
            citation=provisions.citation(work, wording.text, node.eid),
            type=node.type,
            num=node.num,
            heading=node.heading,
            status=node.status,
            as_of=as_of,
            text=None if is_withheld else wording.verbatim,
            text_withheld=is_withheld,
            start_char=node.start,
            end_char=node.end,
            expression=wording.text.expression,
            interval=wording.interval,
            pending_amendments=self.pending(work.document_id, provisions.payload_of(work, wording.text, node.eid)),
            origin=self.origin(document, listed),
        )

    def pending_of_work(self, work: Work) -> list[Amendment]:
        """Return the pending amendments of all its provisions."""
        return self.pending(work.document_id, {"number": work.latest.document.number})

    def pending(self, document_id: str, payload: Payload) -> list[Amendment]:
        """Return the acts that amend the provision (or the work) and are not consolidated yet."""
        return [amendment(act) for act in pending_amendments(self.resources, document_id, payload)]
