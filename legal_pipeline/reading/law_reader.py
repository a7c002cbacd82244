"""`LawReader`: all questions to an index, for Python and for the service.

Opened once, read-only, thread-safe.

Each method takes a `viewer` (default: the owner, who runs the pipeline and sees everything). Not here: the ranking of a search
(`retrieval.search`), API keys (`service`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date

from legal_pipeline.akn.writer import export_akn
from legal_pipeline.errors import ConfigurationError, NotFoundError, QueryError, WithheldError
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.pipeline import Pipeline
from legal_pipeline.reading import provisions
from legal_pipeline.reading.access import Access
from legal_pipeline.reading.answers import (
    WITHHELD_NOTE,
    Amendment,
    ChunkExplanation,
    CitingPlace,
    CitingPlaces,
    Coverage,
    DocumentDetails,
    DocumentDiff,
    DocumentPage,
    DocumentSummary,
    DocumentText,
    ExpressionSummary,
    LawChanges,
    Outline,
    Provision,
    ProvisionDiff,
    QuoteCheck,
    ResolvedCitations,
    SearchAnswer,
    Version,
    Versions,
)
from legal_pipeline.reading.changes import ChangesAsked, changes
from legal_pipeline.reading.chunk_explained import explained
from legal_pipeline.reading.citing import Citing, CitingIndex
from legal_pipeline.reading.citing_places import citing_places
from legal_pipeline.reading.comparison import spans_of
from legal_pipeline.reading.coverage import Counts, coverage_of
from legal_pipeline.reading.document_texts import document_diff, text_from
from legal_pipeline.reading.hits import search_hits
from legal_pipeline.reading.outline import outline_of
from legal_pipeline.reading.provisions import provision_id, split_id
from legal_pipeline.reading.quotes import checked
from legal_pipeline.reading.resolution import cited_in, cited_provision, resolve
from legal_pipeline.reading.texts import Texts, Work
from legal_pipeline.reading.titles import IndexedTitles
from legal_pipeline.reading.unresolved import unresolved
from legal_pipeline.reading.viewer import OWNER, Viewer, Visibility
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import Provenance, provenances
from legal_pipeline.registry.listing import Choice, Listed, indexed
from legal_pipeline.retrieval.filters import SearchFilters, usual_jurisdictions
from legal_pipeline.retrieval.hit import Hit
from legal_pipeline.retrieval.query_text import verify_text
from legal_pipeline.settings import Settings
from legal_pipeline.text.dates import iso

#: Maximum characters of a text whose citations are resolved, and of a quote.
MAX_TEXT, MAX_QUOTE = 50_000, 5_000

NO_FILTERS = SearchFilters()


class LawReader:
    """Answers questions from the index and the tables of `pipeline`, which the caller closes."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._resources = pipeline.resources
        self._database = pipeline.registry.database
        self._texts = Texts(pipeline.resources)
        self._counts = Counts(self._database)
        self._titles = IndexedTitles(self._database)
        self._citing = CitingIndex(pipeline.warehouse)
        self._is_own = False

    @classmethod
    def open(cls, settings: Settings) -> LawReader:
        """Open a reader with its own pipeline; close it after use."""
        reader = cls(Pipeline.open(settings))
        reader._is_own = True
        return reader

    def close(self) -> None:
        if self._is_own:
            self._pipeline.close()

    def __enter__(self) -> LawReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Raise the error that a search would raise: `DatabaseUnavailableError`, `StoreError` (`MissingCollectionError`: no index yet)."""
        self._pipeline.searcher.check()

    def search(
        self,
        query: str,
        *,
        filters: SearchFilters = NO_FILTERS,
        limit: int = 10,
        passage_tokens: int | None = None,
        viewer: Viewer = OWNER,
    ) -> SearchAnswer:
        """Return the best hits, a cited provision first; see `retrieval.search`. With `filters.as_of` the law of that day.

        Raises `QueryError` for an invalid query, `StoreError` and `DatabaseUnavailableError` if the index does not answer, and
        `ConfigurationError` for `as_of` without the setting `history`.
        """
        if filters.as_of is not None and not self._resources.settings.history:
            raise ConfigurationError(
                "as_of needs the superseded wordings, which LEGAL_PIPELINE_HISTORY=false leaves out of the index: unset it and call "
                "`legal-pipeline reconcile --repair`"
            )
        access = self.access(viewer)
        hits = self._hits(access, query, filters=filters, limit=limit, passage_tokens=passage_tokens)
        return SearchAnswer(
            query=query,
            as_of=iso(filters.as_of),
            unresolved=unresolved(access, query, hits, filters),
            hits=search_hits(hits, access.visibility.withheld),
        )

    def provision(self, id: str, *, as_of: date | None = None, viewer: Viewer = OWNER) -> Provision:
        """Return the wording in the latest text, or the wording in force on `as_of`. `id`: `<document id>~<eid>`, or a citation.

        Raises `NotFoundError` with the known wordings if there is none (on that day); `StoreUnavailableError` while the document's history
        is being made.
        """
        access = self.access(viewer)
        work, listed, eid = self._named(access, id)
        wording = provisions.latest(work, eid) if as_of is None else provisions.on_day(work, eid, as_of.isoformat())
        return access.provision(work, listed, wording, iso(as_of))

    def versions(self, id: str, *, viewer: Viewer = OWNER) -> Versions:
        """Return all known wordings of a provision, oldest first; for a document without versions only the latest text.

        Raises as `provision`."""
        access = self.access(viewer)
        work, listed, eid = self._named(access, id)
        is_withheld = access.is_withheld(work.document_id)
        found = [
            Version(
                eid=version.eid,
                interval=version.interval,
                text=version.wording.verbatim if version.wording is not None and not is_withheld else None,
                text_withheld=is_withheld,
                expression=version.wording.text.expression if version.wording is not None else None,
            )
            for version in provisions.all_versions(work, eid)
        ]
        place = access.place(work, eid)
        pending = access.pending(work.document_id, provisions.payload_of(work, work.latest, eid))
        origin = access.origin(work.latest.document, listed)
        return Versions(**place.model_dump(), versions=found, pending_amendments=pending, origin=origin)

    def diff(self, id: str, first: date, second: date, *, viewer: Viewer = OWNER) -> ProvisionDiff:
        """Return the differences of the wordings of two days. Raises `NotFoundError` if the provision was in force on neither day."""
        access = self.access(viewer)
        work, listed, eid = self._named(access, id)
        found: list[Provision | None] = []
        missing: NotFoundError | None = None
        for day in (first, second):
            try:
                wording = provisions.on_day(work, eid, day.isoformat())
                found.append(access.provision(work, listed, wording, day.isoformat()))
            except NotFoundError as error:
                missing = error
                found.append(None)
        before, after = found
        if before is None and after is None:
            assert missing is not None
            raise missing
        spans = None
        if before is not None and after is not None and before.text is not None and after.text is not None:
            spans = spans_of(before.text, after.text)
        changed = (
            before is None or after is None or (before.expression != after.expression and _differ(work, before, after))
        )
        return ProvisionDiff(
            **access.place(work, eid).model_dump(), changed=changed, before=before, after=after, spans=spans
        )

    def document_diff(self, document_id: str, first: date, second: date, *, viewer: Viewer = OWNER) -> DocumentDiff:
        """Return the differences of the texts of two days, by provision. Raises `NotFoundError` for a day before the first known text."""
        return document_diff(self.access(viewer), document_id, first, second)

    def outline(self, document_id: str, *, as_of: date | None = None, viewer: Viewer = OWNER) -> Outline:
        """Return the divisions and provisions of the latest text, or of the text of a day."""
        access = self.access(viewer)
        work, listed = access.work(document_id)
        text = work.text_on(iso(as_of))
        return Outline(
            as_of=iso(as_of),
            nodes=outline_of(text.document),
            pending_amendments=access.pending_of_work(work),
            origin=access.origin(text.document, listed),
        )

    def export(self, document_id: str, *, as_of: date | None = None, viewer: Viewer = OWNER) -> bytes:
        """Return the latest text, or the text of a day, as Akoma Ntoso 3.0 (UTF-8 XML).

        Raises `WithheldError` if the source forbids redistribution and the viewer has no access to withheld texts, `DocumentError` for a
        text with characters that XML cannot represent.
        """
        access = self.access(viewer)
        work, _ = access.work(document_id)
        if access.is_withheld(work.document_id):
            raise WithheldError(f"{work.document_id}: {WITHHELD_NOTE}")
        return export_akn(work.text_on(iso(as_of)).document)

    def document(self, document_id: str, *, viewer: Viewer = OWNER) -> DocumentDetails:
        """Return a document with its expressions, and the acts that amend it and are not consolidated yet."""
        access = self.access(viewer)
        work, listed = access.work(document_id)
        document = work.latest.document
        history = work.history
        days = [expression.date for expression in history.expressions] if history is not None else []
        expressions = [
            ExpressionSummary(
                expression=expression.expression,
                holds_from=days[position] if position < len(days) else None,
                first_seen=expression.first_seen,
                consolidated_through=expression.consolidated_through,
                changes=expression.changes,
            )
            for position, expression in enumerate(work.index())
        ]
        return DocumentDetails(
            origin=access.origin(document, listed),
            provisions=sum(1 for _ in document.provisions()),
            characters=len(document.text),
            expressions=expressions,
            pending_amendments=access.pending_of_work(work),
        )

    def documents(
        self,
        *,
        jurisdictions: Sequence[str] = (),
        doc_types: Sequence[str] = (),
        cursor: str | None = None,
        limit: int = 50,
        viewer: Viewer = OWNER,
    ) -> DocumentPage:
        """Return documents in the order of their ids; `cursor` is the `next_cursor` of the page before."""
        chosen = SearchFilters(jurisdictions=tuple(jurisdictions), doc_types=tuple(doc_types))  # refuses invalid values
        verify_text("the cursor", cursor or "")
        hidden = self.access(viewer).visibility.hidden
        found = indexed(
            self._database,
            Choice(chosen.jurisdictions, chosen.doc_types, hidden=hidden),
            after=cursor or "",
            limit=limit + 1,
        )
        more = found[limit - 1].document_id if len(found) > limit else None
        known = provenances(self._database, [document.document_id for document in found[:limit]])
        shown = [_summary(document, known[document.document_id]) for document in found[:limit]]
        return DocumentPage(documents=shown, next_cursor=more)

    def resolve(self, text: str, *, jurisdictions: Sequence[str] = (), viewer: Viewer = OWNER) -> ResolvedCitations:
        """Return every citation in `text`, with the provision that it means or the reason why there is none. Raises `QueryError` for a text
        longer than `MAX_TEXT` characters."""
        _verify_length(text, MAX_TEXT, "text")
        found = resolve(self.access(viewer), text, usual_jurisdictions(jurisdictions))
        return ResolvedCitations(citations=found)

    def verify(self, quote: str, id: str, *, viewer: Viewer = OWNER) -> QuoteCheck:
        """Return whether the provision `id` (or a citation) contains `quote`, in which wordings, and how the nearest differs.

        Raises `QueryError` for a quote longer than `MAX_QUOTE` characters, or without words.
        """
        _verify_length(quote, MAX_QUOTE, "quote")
        if not any(map(str.isalnum, quote)):
            raise QueryError("the quote has no words")
        access = self.access(viewer)
        work, listed, eid = self._named(access, id)
        is_withheld = access.is_withheld(work.document_id)
        found = [] if is_withheld else list(checked(work, eid, quote))
        saying = [wording for wording, _ in found if wording.verbatim]
        if is_withheld:
            verdict = "text_withheld"
        elif saying:
            verdict = "current" if any(wording.is_current for wording in saying) else "superseded"
        else:
            verdict = "differs"
        nearest = [
            wording for wording, _ in sorted(found, key=lambda pair: (-pair[1].agreeing, not pair[0].is_current))[:1]
        ]
        return QuoteCheck.model_validate(
            {
                "verdict": verdict,
                "provision": access.place(work, eid),
                "versions": saying or nearest,
                "pending_amendments": access.pending(work.document_id, provisions.payload_of(work, work.latest, eid)),
                "origin": access.origin(work.latest.document, listed),
            }
        )

    def cited_by(self, id: str, *, limit: int = 100, viewer: Viewer = OWNER) -> CitingPlaces:
        """Return the places that cite a provision (or a part of it) or a document. `id`: of either, or a citation."""
        access = self.access(viewer)
        work, listed, eid = self._named_or_document(access, id)
        found, rows = citing_places(access, self._citing, work, eid)
        sources = access.provenances(sorted(rows))
        places = [
            self._citing_place(
                place,
                provision_id(work.document_id, target) if target else work.document_id,
                rows[place.document_id],
                sources[place.document_id],
            )
            for place, target in found[:limit]
        ]
        origin = access.origin(work.latest.document, listed)
        return CitingPlaces(places=places, more=len(found) - len(places), origin=origin)

    def cites(self, id: str, *, limit: int = 100, viewer: Viewer = OWNER) -> ResolvedCitations:
        """Return the citations in the latest text of a provision (with its parts) or a document, in text order, with their targets.

        A citation without a target has a reason. Offsets are of the canonical text. `id`: of either, or a citation. Raises
        `StoreUnavailableError` while the citations of the text are being extracted."""
        access = self.access(viewer)
        work, _, eid = self._named_or_document(access, id)
        return ResolvedCitations(citations=cited_in(access, work, eid, limit))

    def text(
        self,
        document_id: str,
        *,
        as_of: date | None = None,
        start: int = 0,
        limit: int = 100_000,
        viewer: Viewer = OWNER,
    ) -> DocumentText:
        """Return the latest text, or the text of a day, from character `start` on: at most `limit` characters, to the end of a line."""
        return text_from(self.access(viewer), document_id, as_of, start, limit)

    def explain(self, chunk_id: str, *, viewer: Viewer = OWNER) -> ChunkExplanation:
        """Return why a chunk was cut so, the text embedded with it, its neighbours and the nearest chunks by vector. For engineers.

        Raises `NotFoundError` if no published document has such a chunk."""
        return explained(self.access(viewer), self._pipeline.searcher, chunk_id)

    def amendments_of(self, id: str, *, viewer: Viewer = OWNER) -> list[Amendment]:
        """Return the acts that amend a provision or a document (its id, or a citation) and are not consolidated into its text yet."""
        access = self.access(viewer)
        work, _, eid = self._named_or_document(access, id)
        if eid is None:
            return access.pending_of_work(work)
        return access.pending(work.document_id, provisions.payload_of(work, work.latest, eid))

    def changes(
        self,
        since: date,
        *,
        jurisdictions: Sequence[str] = (),
        id: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
        viewer: Viewer = OWNER,
    ) -> LawChanges:
        """Return the changes of the law since a day, of the latest `limit` documents; `id`: only of this document or provision."""
        access = self.access(viewer)
        ids, eid = [], None
        if id is not None:
            work, _, eid = self._named_or_document(access, id)
            ids = [work.document_id]
        choice = Choice(usual_jurisdictions(jurisdictions), ids=ids, hidden=access.visibility.hidden)
        return changes(self._database, self._texts, ChangesAsked(since, choice, eid, limit, cursor))

    def coverage(self, *, viewer: Viewer = OWNER) -> Coverage:
        """Return the number of documents by jurisdiction and type, and how recent they are."""
        return coverage_of(self.access(viewer).counts())

    def document_and_eid(self, id: str, *, viewer: Viewer = OWNER) -> tuple[str, str | None]:
        """Return (document id, eid) of an id or a citation; eid None for a document. Raises `NotFoundError`."""
        work, _, eid = self._named_or_document(self.access(viewer), id)
        return work.document_id, eid

    @property
    def database(self) -> Database:
        """The database of the registry."""
        return self._database

    def access(self, viewer: Viewer) -> Access:
        """Return the access of one question of this viewer."""
        visibility = Visibility.of(viewer, self._resources.registry)
        return Access(self._resources, self._texts, self._counts, self._titles, visibility)

    def _hits(
        self, access: Access, query: str, *, filters: SearchFilters, limit: int, passage_tokens: int | None
    ) -> Sequence[Hit]:
        return self._pipeline.search(
            query,
            filters=filters.excluding(sorted(access.visibility.hidden)),
            limit=limit,
            passage_tokens=passage_tokens,
        )

    def _named(self, access: Access, id: str) -> tuple[Work, Listed, str]:
        """Return (work, its row, eid) for the id of a provision, or for a citation."""
        verify_text("the id", id)
        if provisions.ID_SEPARATOR in id:
            document_id, eid = split_id(id)
            return *access.work(document_id), eid

        def search(citation: str) -> Sequence[Hit]:
            return self._hits(access, citation, filters=NO_FILTERS, limit=3, passage_tokens=0)

        return cited_provision(access, id, search)

    def _named_or_document(self, access: Access, id: str) -> tuple[Work, Listed, str | None]:
        """Return the result of `_named`; eid None for the id of a document."""
        verify_text("the id", id)
        if provisions.ID_SEPARATOR not in id and DOCUMENT_ID.fullmatch(id):
            return *access.work(id), None
        return self._named(access, id)

    def _citing_place(self, place: Citing, target: str, listed: Listed, source: Provenance) -> CitingPlace:
        return CitingPlace(
            document_id=place.document_id,
            title=listed.title,
            provision_id=provision_id(place.document_id, place.eid) if place.eid else None,
            eid=place.eid,
            raw=place.raw,
            kind=place.kind,
            target=target,
            start_char=place.start,
            end_char=place.end,
            **asdict(source),
        )


def _differ(work: Work, before: Provision, after: Provision) -> bool:
    texts = [
        work.text(wording.expression).document.text[wording.start_char : wording.end_char]
        for wording in (before, after)
    ]
    return texts[0].split() != texts[1].split()


def _summary(listed: Listed, source: Provenance) -> DocumentSummary:
    return DocumentSummary(
        document_id=listed.document_id,
        title=listed.title,
        jurisdiction=listed.jurisdiction,
        doc_type=listed.doc_type,
        work_uri=listed.work_uri,
        processed_at=listed.processed_at.isoformat() if listed.processed_at is not None else None,
        **asdict(source),
    )


def _verify_length(text: str, most: int, what: str) -> None:
    verify_text(f"the {what}", text)
    if len(text) > most:
        raise QueryError(f"the {what} has {len(text):,} characters; expected {most:,} at most", position=most)
