"""The pages: each reads its address, calls `LawReader` and fills a template.

Not here: the templates (`templates`), authentication (`asking`) and errors (`error_pages`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from pydantic import BeforeValidator

from legal_pipeline.errors import NotFoundError, StoreUnavailableError
from legal_pipeline.reading.answers import (
    CitingPlace,
    Coverage,
    Interval,
    OutlineNode,
    Provision,
    ResolvedCitation,
    Span,
    Version,
    Versions,
)
from legal_pipeline.reading.comparison import spans_of
from legal_pipeline.reading.law_reader import LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.query_text import MAX_QUERY
from legal_pipeline.service.routes import MAX_ID, From, Reader, To
from legal_pipeline.service.web import asking
from legal_pipeline.service.web.asking import AsViewer
from legal_pipeline.service.web.error_pages import answer_with_pages
from legal_pipeline.service.web.rendering import asset, day_before, is_iso, marked, page, provision_url
from legal_pipeline.text.dates import iso

_FEW, _MORE = 10, 50

#: Days of changes that are shown if no day is given.
_RECENT = 30

#: Maximum number of citing provisions, and of citations, on a page; maximum number of places that are read for them.
_MOST_CITING, _MOST_READ = 50, 1000

#: Maximum characters of a document's text on one page.
_TEXT = 100_000


def _of_a_form(value: Any) -> Any:
    """Return None for an empty value: a form sends empty fields too."""
    return None if value == "" else value


def _chosen(values: Any) -> Any:
    return [value for value in values if value != ""] if isinstance(values, list) else values


Day = Annotated[date | None, BeforeValidator(_of_a_form)]
Choice = Annotated[list[str], Query(max_length=50), BeforeValidator(_chosen)]
Types = Annotated[list[str], Query(alias="type", max_length=50), BeforeValidator(_chosen)]
Cursor = Annotated[str | None, Query(max_length=MAX_ID)]
Id = Annotated[str, Path(max_length=MAX_ID)]


router = APIRouter(include_in_schema=False, dependencies=[Depends(asking.admitted)])
assets = APIRouter(include_in_schema=False)


def add_pages(app: FastAPI) -> None:
    """Serve the pages from `/` on. `app.state` holds the gate and the reader."""
    for each in (assets, asking.router, router):
        app.include_router(each)
    answer_with_pages(app)


@assets.get("/style.css")
def style() -> Response:
    return asset("style.css", "text/css")


@assets.get("/icon.svg")
def icon() -> Response:
    return asset("icon.svg", "image/svg+xml")


@router.get("/")
def search(
    request: Request,
    reader: Reader,
    viewer: AsViewer,
    q: Annotated[str, Query(max_length=MAX_QUERY)] = "",
    jurisdiction: Choice = [],  # noqa: B006 - FastAPI copies it
    doc_type: Types = [],  # noqa: B006
    document: Choice = [],  # noqa: B006
    as_of: Day = None,
    in_force: Day = None,
    more: bool = False,
) -> Response:
    filters = SearchFilters(
        jurisdictions=tuple(jurisdiction),
        doc_types=tuple(doc_type),
        document_ids=tuple(document),
        as_of=as_of,
        in_force=in_force,
    )
    limit = _MORE if more else _FEW
    answer = reader.search(q, filters=filters, limit=limit, viewer=viewer) if q.strip() else None
    covered = reader.coverage(viewer=viewer)
    return page(
        request,
        "search",
        q=q,
        answer=answer,
        coverage=covered,
        types=_types(covered),
        filters=filters,
        as_of=iso(as_of),
        in_force=iso(in_force),
        more_url=_with(request, more="true") if answer is not None and len(answer.hits) == _FEW and not more else None,
    )


@router.get("/documents")
def documents(
    request: Request,
    reader: Reader,
    viewer: AsViewer,
    jurisdiction: Choice = [],  # noqa: B006
    doc_type: Types = [],  # noqa: B006
    cursor: Cursor = None,
) -> Response:
    covered = reader.coverage(viewer=viewer)
    found = reader.documents(jurisdictions=jurisdiction, doc_types=doc_type, cursor=cursor, viewer=viewer)
    return page(
        request,
        "documents",
        found=found,
        coverage=covered,
        jurisdictions=jurisdiction,
        types=doc_type,
        all_types=_types(covered),
        next_url=_with(request, cursor=found.next_cursor) if found.next_cursor else None,
    )


@router.get("/documents/{id}")
def document(id: Id, request: Request, reader: Reader, viewer: AsViewer, as_of: Day = None) -> Response:
    details = reader.document(id, viewer=viewer)
    return page(
        request,
        "document",
        document=details,
        outline=reader.outline(id, as_of=as_of, viewer=viewer),
        citing=_citing(reader, id, viewer, without=details.origin.document_id),
        as_of=iso(as_of),
    )


@router.get("/documents/{id}/text")
def document_text(
    id: Id,
    request: Request,
    reader: Reader,
    viewer: AsViewer,
    as_of: Day = None,
    start: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    found = reader.text(id, as_of=as_of, start=start, limit=_TEXT, viewer=viewer)
    return page(request, "text", text=found, as_of=iso(as_of), before=max(0, start - _TEXT))


@router.get("/documents/{id}/compare")
def document_compare(id: Id, request: Request, reader: Reader, viewer: AsViewer, first: From, second: To) -> Response:
    found = reader.document_diff(id, first, second, viewer=viewer)
    changed = [
        (change, *_sides(change.before, change.after, _spans(change.before, change.after))) for change in found.changes
    ]
    return page(request, "document_compare", diff=found, changed=changed)


@router.get("/provisions/{id}")
def provision(id: Id, request: Request, reader: Reader, viewer: AsViewer, as_of: Day = None) -> Response:
    found = reader.provision(id, as_of=as_of, viewer=viewer)
    outline = reader.outline(found.origin.document_id, as_of=as_of, viewer=viewer)
    above, before, after = _place(outline.nodes, found.id)
    versions = _versions(reader, found.id, viewer)
    is_latest = as_of is None or _is_of_latest(reader, found, viewer)
    return page(
        request,
        "provision",
        provision=found,
        permalink=str(request.base_url).rstrip("/") + provision_url(found.id, _permanent_day(found, as_of, versions)),
        above=above,
        before=before,
        after=after,
        days=_days(versions) if versions is not None else [],
        version=_shown(versions, found),
        is_latest=is_latest,
        cites=_cites(reader, found, viewer) if is_latest else None,
        citing=_citing(reader, found.id, viewer) if is_latest else None,
        as_of=iso(as_of),
    )


@router.get("/provisions/{id}/compare")
def provision_compare(id: Id, request: Request, reader: Reader, viewer: AsViewer, first: From, second: To) -> Response:
    found = reader.diff(id, first, second, viewer=viewer)
    first_text, second_text = (wording.text if wording is not None else None for wording in (found.before, found.after))
    before, after = _sides(first_text, second_text, found.spans)
    versions = _versions(reader, found.id, viewer)
    return page(
        request,
        "compare",
        diff=found,
        first=first.isoformat(),
        second=second.isoformat(),
        before=before,
        after=after,
        origin=next(wording.origin for wording in (found.after, found.before) if wording is not None),
        days=_days(versions) if versions is not None else [],
    )


@router.get("/changes")
def changes(
    request: Request,
    reader: Reader,
    viewer: AsViewer,
    since: Day = None,
    jurisdiction: Choice = [],  # noqa: B006
    cursor: Cursor = None,
) -> Response:
    since = since or date.today() - timedelta(_RECENT)
    found = reader.changes(since, jurisdictions=jurisdiction, cursor=cursor, viewer=viewer)
    return page(
        request,
        "changes",
        found=found,
        coverage=reader.coverage(viewer=viewer),
        jurisdictions=jurisdiction,
        feed_query={"since": since.isoformat(), "jurisdiction": jurisdiction},
        next_url=_with(request, cursor=found.next_cursor) if found.next_cursor else None,
    )


@router.get("/coverage")
def coverage(request: Request, reader: Reader, viewer: AsViewer) -> Response:
    return page(request, "coverage", coverage=reader.coverage(viewer=viewer))


@router.get("/chunks/{id}")
def chunk(id: Id, request: Request, reader: Reader, viewer: AsViewer) -> Response:
    return page(request, "chunk", chunk=reader.explain(id, viewer=viewer))


def _with(request: Request, **values: str) -> str:
    """Return the address of the page with other query values."""
    return f"?{request.url.include_query_params(**values).query}"


def _types(coverage: Coverage) -> dict[str, int]:
    """Return the number of documents by type."""
    found: Counter[str] = Counter()
    for row in coverage.jurisdictions:
        found.update(row.documents)
    return dict(sorted(found.items()))


def _spans(before: str | None, after: str | None) -> list[Span] | None:
    return spans_of(before, after) if before is not None and after is not None else None


_Pieces = list[tuple[str, bool]]


def _sides(
    before: str | None, after: str | None, spans: Sequence[Span] | None
) -> tuple[_Pieces | None, _Pieces | None]:
    """Return both texts in pieces, each with a flag whether it differs from the other text; None for a missing text.

    `spans`: from `reading.comparison`; None if there is nothing to compare.
    """
    changed = [span for span in spans or () if span.kind != "equal"]
    return (
        None if before is None else marked(before, [(span.first_start, span.first_end) for span in changed]),
        None if after is None else marked(after, [(span.second_start, span.second_end) for span in changed]),
    )


def _versions(reader: LawReader, id: str, viewer: Viewer) -> Versions | None:
    """Return the versions of a provision; None for a division, which has no versions."""
    try:
        return reader.versions(id, viewer=viewer)
    except NotFoundError:
        return None


def _cites(reader: LawReader, shown: Provision, viewer: Viewer) -> list[ResolvedCitation] | None:
    """Return the citations in a provision, without references to its own document ("this Act"); None while they are being extracted."""
    try:
        found = reader.cites(shown.id, limit=_MOST_CITING, viewer=viewer).citations
    except StoreUnavailableError:
        return None
    return [
        citation
        for citation in found
        if citation.cited_eid is not None or citation.document_id != shown.origin.document_id
    ]


def _citing(
    reader: LawReader, id: str, viewer: Viewer, without: str | None = None
) -> tuple[list[list[CitingPlace]], int]:
    """Return (citing places grouped by provision, number of further places), without places in the document `without`."""
    found = reader.cited_by(id, limit=_MOST_READ, viewer=viewer)
    groups: dict[tuple[str, str | None], list[CitingPlace]] = {}
    for place in found.places:
        if place.document_id != without:
            groups.setdefault((place.document_id, place.eid), []).append(place)
    shown = list(groups.values())
    return shown[:_MOST_CITING], found.more + sum(map(len, shown[_MOST_CITING:]))


def _is_of_latest(reader: LawReader, shown: Provision, viewer: Viewer) -> bool:
    try:
        return reader.provision(shown.id, viewer=viewer).expression == shown.expression
    except NotFoundError:
        return False


def _days(versions: Versions) -> list[tuple[Version, str | None]]:
    """Return each wording with a day on which it was in force; None if no day is known."""
    return [
        (version, _day_in(version.interval) if version.expression is not None else None)
        for version in versions.versions
    ]


def _permanent_day(shown: Provision, as_of: date | None, versions: Versions | None) -> str | None:
    """Return a day that identifies the wording after it is no longer the latest; None if there is none."""
    if as_of is not None:
        return as_of.isoformat()
    return _day_in(shown.interval) if versions is not None else None


def _day_in(interval: Interval) -> str | None:
    since, until = interval.valid_from, interval.valid_to
    if since is not None:
        return since if is_iso(since) else None
    if until is not None and is_iso(until):
        return day_before(until)
    return date.today().isoformat()


def _shown(versions: Versions | None, provision: Provision) -> Interval | None:
    """Return the interval of the shown wording if the history has it, else None."""
    known = [version.interval for version in versions.versions] if versions is not None else []
    return next((interval for interval in known if interval == provision.interval), None)


def _place(
    nodes: Sequence[OutlineNode], id: str
) -> tuple[tuple[OutlineNode, ...], OutlineNode | None, OutlineNode | None]:
    """Return (the divisions around the provision, the node before it, the node after it) in an outline."""
    entries = [(above, node) for above, node in _walk(nodes, ()) if node.id is not None]
    at = next((place for place, (_, node) in enumerate(entries) if node.id == id), None)
    if at is None:
        return (), None, None
    above, node = entries[at]
    before = next((other for _, other in reversed(entries[:at]) if other not in above), None)
    # nodes below a division are already on its page
    behind = next((other for over, other in entries[at + 1 :] if node not in over), None)
    return above, before, behind


def _walk(
    nodes: Sequence[OutlineNode], above: tuple[OutlineNode, ...]
) -> Iterator[tuple[tuple[OutlineNode, ...], OutlineNode]]:
    for node in nodes:
        yield above, node
        yield from _walk(node.children, (*above, node))
