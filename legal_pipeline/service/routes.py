"""The endpoints of the HTTP API: each reads its parameters and calls `LawReader`.

Not here: the answers (`reading`), errors (`problems`) and authentication (`gate`).
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response, Security
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Field

from legal_pipeline.akn.writer import MEDIA_TYPE as AKN_MEDIA_TYPE
from legal_pipeline.reading import answers
from legal_pipeline.reading.law_reader import MAX_QUOTE, MAX_TEXT, LawReader
from legal_pipeline.reading.viewer import Viewer
from legal_pipeline.retrieval.filters import SearchFilters
from legal_pipeline.retrieval.query_text import MAX_QUERY
from legal_pipeline.service import feed
from legal_pipeline.service.answers_over_http import ConditionalRoute
from legal_pipeline.service.gate import Asker, Gate
from legal_pipeline.service.problems import PROBLEMS

#: Maximum characters of an id or a citation.
MAX_ID = 500

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="API key",
    description="A key that `legal-pipeline keys create` made. Not needed on the loopback address.",
)

Jurisdictions = Annotated[
    list[str], Query(alias="jurisdiction", description="Country code; repeatable.", max_length=50)
]
Limit = Annotated[int, Query(ge=1, le=100, description="Answers on one page, at most.")]
Cursor = Annotated[str | None, Query(max_length=MAX_ID, description="`next_cursor` of the page before.")]
AsOf = Annotated[date | None, Query(description="The law of this day.", examples=["2024-01-01"])]
From = Annotated[date, Query(alias="from", description="The first day.", examples=["2020-01-01"])]
To = Annotated[date, Query(alias="to", description="The second day.", examples=["2024-01-01"])]
DocumentId = Annotated[
    str, Path(alias="id", max_length=MAX_ID, description="Id of a document.", examples=["xx-act-2099-10"])
]
ProvisionId = Annotated[
    str,
    Path(
        alias="id",
        max_length=MAX_ID,
        description="Id of a provision (document, `~`, eid), or a citation of it.",
        examples=["xx-act-2099-10~chp_2__sec_3"],
    ),
]


Since = Annotated[date, Query(description="The first day that counts.", examples=["2024-01-01"])]
OfId = Annotated[
    str | None, Query(max_length=MAX_ID, description="Only this document or provision, by id or citation.")
]


class TextToResolve(BaseModel, extra="forbid"):
    text: str = Field(
        max_length=MAX_TEXT, description="A text that cites.", examples=["See s. 12A Labour Act [Chapter 28:01]."]
    )
    jurisdictions: list[str] = Field(
        default_factory=list,
        max_length=50,
        description="Countries as whose lawyers write it is read; empty: those of the index.",
    )


class QuoteToVerify(BaseModel, extra="forbid"):
    quote: str = Field(min_length=1, max_length=MAX_QUOTE, description="The quote; `…` stands for words left out.")
    provision: str = Field(min_length=1, max_length=MAX_ID, description="Id of a provision, or a citation of it.")


def admitted(request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]) -> Asker:
    """Return the sender of the request. `app.state` holds the gate and the reader."""
    gate: Gate = request.app.state.gate
    return gate.admit(request.headers.get("authorization"), request.url.hostname, request.headers.get("origin"))


def known_parameters(request: Request) -> None:
    """Refuse a query parameter that the endpoint does not have: if it were ignored, a mistyped `as_of` would get the law of today.

    Raises `RequestValidationError`. Only parameters in the signature of the endpoint count, not those of its dependencies.
    """
    known = [field.alias for field in request.scope["route"].dependant.query_params]
    if unknown := [name for name in request.query_params if name not in known]:
        message = f"not a parameter of this endpoint; known are {', '.join(known) or 'none'}"
        raise RequestValidationError(
            [{"type": "extra_forbidden", "loc": ("query", name), "msg": message} for name in unknown]
        )


def _viewer(asker: Annotated[Asker, Depends(admitted)]) -> Viewer:
    return asker.viewer


def _reader(request: Request) -> LawReader:
    reader: LawReader = request.app.state.reader
    return reader


AsViewer = Annotated[Viewer, Depends(_viewer)]
Reader = Annotated[LawReader, Depends(_reader)]

# authentication comes before validation: without a key a client does not learn which parameters are valid
FIRST = [Depends(admitted), Depends(known_parameters)]
router = APIRouter(prefix="/v1", route_class=ConditionalRoute, responses=PROBLEMS, dependencies=FIRST)


@router.get("/search", summary="Search by words or citation", tags=["search"])
def search(
    q: Annotated[
        str,
        Query(min_length=1, max_length=MAX_QUERY, description="Words, or a citation.", examples=["s. 12A Labour Act"]),
    ],
    reader: Reader,
    viewer: AsViewer,
    limit: Limit = 10,
    jurisdiction: Jurisdictions = [],  # noqa: B006 - FastAPI copies it
    doc_type: Annotated[
        list[str], Query(alias="type", max_length=50, description="Type of document; repeatable.")
    ] = [],  # noqa: B006
    language: Annotated[list[str], Query(max_length=50, description="ISO 639-3; repeatable.")] = [],  # noqa: B006
    court: Annotated[list[str], Query(max_length=50, description="Name of a court; repeatable.")] = [],  # noqa: B006
    document: Annotated[list[str], Query(max_length=50, description="Only this document id; repeatable.")] = [],  # noqa: B006
    as_of: AsOf = None,
    in_force: Annotated[date | None, Query(description="What is law on this day, by the latest wordings.")] = None,
    passage_tokens: Annotated[
        int | None,
        Query(ge=0, le=10_000, description="Tokens of a hit with the provisions beside it; 0: hits alone."),
    ] = None,
) -> answers.SearchAnswer:
    """The best hits, a cited provision first."""
    filters = SearchFilters(
        jurisdictions=tuple(jurisdiction),
        doc_types=tuple(doc_type),
        languages=tuple(language),
        courts=tuple(court),
        document_ids=tuple(document),
        as_of=as_of,
        in_force=in_force,
    )
    return reader.search(q, filters=filters, limit=limit, passage_tokens=passage_tokens, viewer=viewer)


@router.get("/documents", summary="Documents in pages", tags=["documents"])
def documents(
    reader: Reader,
    viewer: AsViewer,
    limit: Limit = 50,
    cursor: Cursor = None,
    jurisdiction: Jurisdictions = [],  # noqa: B006
    doc_type: Annotated[
        list[str], Query(alias="type", max_length=50, description="Type of document; repeatable.")
    ] = [],  # noqa: B006
) -> answers.DocumentPage:
    """In the order of their ids."""
    return reader.documents(jurisdictions=jurisdiction, doc_types=doc_type, cursor=cursor, limit=limit, viewer=viewer)


@router.get("/documents/{id}", summary="A document with its texts so far", tags=["documents"])
def document(id: DocumentId, reader: Reader, viewer: AsViewer) -> answers.DocumentDetails:
    return reader.document(id, viewer=viewer)


@router.get("/documents/{id}/outline", summary="Divisions and provisions of a document", tags=["documents"])
def outline(id: DocumentId, reader: Reader, viewer: AsViewer, as_of: AsOf = None) -> answers.Outline:
    return reader.outline(id, as_of=as_of, viewer=viewer)


@router.get("/documents/{id}/diff", summary="How a document differs between two days", tags=["documents"])
def document_diff(id: DocumentId, first: From, second: To, reader: Reader, viewer: AsViewer) -> answers.DocumentDiff:
    return reader.document_diff(id, first, second, viewer=viewer)


@router.get(
    "/documents/{id}/export",
    summary="A document as Akoma Ntoso",
    tags=["documents"],
    response_class=Response,
    responses={200: {"content": {AKN_MEDIA_TYPE: {}}, "description": "Akoma Ntoso 3.0."}},
)
def export(id: DocumentId, reader: Reader, viewer: AsViewer, as_of: AsOf = None) -> Response:
    """403 if the source forbids redistribution of the text and the key lacks the scope `admin`."""
    return Response(reader.export(id, as_of=as_of, viewer=viewer), media_type=AKN_MEDIA_TYPE)


@router.get("/documents/{id}/cited-by", summary="What cites a document", tags=["documents"])
def document_cited_by(id: DocumentId, reader: Reader, viewer: AsViewer, limit: Limit = 100) -> answers.CitingPlaces:
    return reader.cited_by(id, limit=limit, viewer=viewer)


@router.get("/coverage", summary="What the index holds", tags=["documents"])
def coverage(reader: Reader, viewer: AsViewer) -> answers.Coverage:
    return reader.coverage(viewer=viewer)


# a citation may contain a slash ("art. 5 Regulation 2016/679"): the longer paths must be registered before the provision's own path
@router.get("/provisions/{id:path}/versions", summary="All wordings of a provision", tags=["provisions"])
def versions(id: ProvisionId, reader: Reader, viewer: AsViewer) -> answers.Versions:
    return reader.versions(id, viewer=viewer)


@router.get("/provisions/{id:path}/diff", summary="Where the wordings of two days differ", tags=["provisions"])
def diff(id: ProvisionId, first: From, second: To, reader: Reader, viewer: AsViewer) -> answers.ProvisionDiff:
    return reader.diff(id, first, second, viewer=viewer)


@router.get("/provisions/{id:path}/cited-by", summary="What cites a provision", tags=["provisions"])
def cited_by(id: ProvisionId, reader: Reader, viewer: AsViewer, limit: Limit = 100) -> answers.CitingPlaces:
    return reader.cited_by(id, limit=limit, viewer=viewer)


@router.get("/provisions/{id:path}", summary="A provision now or on a day", tags=["provisions"])
def provision(id: ProvisionId, reader: Reader, viewer: AsViewer, as_of: AsOf = None) -> answers.Provision:
    """The wording in the latest text, or the wording in force on `as_of`."""
    return reader.provision(id, as_of=as_of, viewer=viewer)


@router.post("/citations/resolve", summary="The citations in a text", tags=["citations"])
def resolve(asked: Annotated[TextToResolve, Body()], reader: Reader, viewer: AsViewer) -> answers.ResolvedCitations:
    """Each citation with its offsets, and the provision that it means or the reason why there is none."""
    return reader.resolve(asked.text, jurisdictions=asked.jurisdictions, viewer=viewer)


@router.post("/citations/verify", summary="Whether a provision says a quote", tags=["citations"])
def verify(asked: Annotated[QuoteToVerify, Body()], reader: Reader, viewer: AsViewer) -> answers.QuoteCheck:
    """Whether the provision contains the quote, in which of its wordings, and the differences of the nearest wording."""
    return reader.verify(asked.quote, asked.provision, viewer=viewer)


@router.get("/changes", summary="What changed in the law since a day", tags=["changes"])
def changes(
    since: Since,
    reader: Reader,
    viewer: AsViewer,
    jurisdiction: Jurisdictions = [],  # noqa: B006
    id: OfId = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> answers.LawChanges:
    """In words, the latest first. `limit` counts documents."""
    return reader.changes(since, jurisdictions=jurisdiction, id=id, cursor=cursor, limit=limit, viewer=viewer)


@router.get(
    "/changes.atom",
    summary="The same as an Atom feed",
    tags=["changes"],
    response_class=Response,
    responses={200: {"content": {feed.MEDIA_TYPE: {}}, "description": "An Atom feed (RFC 4287)."}},
)
def changes_feed(
    request: Request,
    since: Since,
    reader: Reader,
    viewer: AsViewer,
    jurisdiction: Jurisdictions = [],  # noqa: B006
    id: OfId = None,
    limit: Limit = 50,
) -> Response:
    found = reader.changes(since, jurisdictions=jurisdiction, id=id, limit=limit, viewer=viewer)
    return Response(feed.atom(found, address=str(request.url)), media_type=feed.MEDIA_TYPE)
