"""The endpoints of the HTTP API, each described once for both clients: its parameters, its request and its answer.

Not here: sending a call (`clients`) and reading its answer (`exchange`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import NoneType
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from legal_pipeline.reading import answers

T = TypeVar("T")

_SUBSCRIPTIONS = "/v1/subscriptions"


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request. `answer` is a model of `reading.answers`, `bytes` for XML, `str` for other text, `NoneType` for an empty answer.
    Parameters that are None or empty are left out."""

    answer: type[T]
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    method: str = "GET"


def search(
    query: str,
    *,
    limit: int = 10,
    jurisdictions: Sequence[str] = (),
    doc_types: Sequence[str] = (),
    languages: Sequence[str] = (),
    courts: Sequence[str] = (),
    document_ids: Sequence[str] = (),
    as_of: date | None = None,
    in_force: date | None = None,
    passage_tokens: int | None = None,
) -> Call[answers.SearchAnswer]:
    """The best hits for words or a citation, a cited provision first; with `as_of` the law of that day. Filters have the names of
    `SearchFilters`; `passage_tokens` is the number of tokens of a hit with the provisions next to it, 0 for the hit alone."""
    parameters = {
        "q": query, "limit": limit, "jurisdiction": jurisdictions, "type": doc_types, "language": languages, "court": courts,
        "document": document_ids, "as_of": as_of, "in_force": in_force, "passage_tokens": passage_tokens,
    }  # fmt: skip
    return Call(answers.SearchAnswer, "/v1/search", parameters)


def documents(
    *,
    jurisdictions: Sequence[str] = (),
    doc_types: Sequence[str] = (),
    cursor: str | None = None,
    limit: int = 50,
) -> Call[answers.DocumentPage]:
    """One page of documents, in the order of their ids; `cursor` is the `next_cursor` of the page before."""
    parameters = {"jurisdiction": jurisdictions, "type": doc_types, "cursor": cursor, "limit": limit}
    return Call(answers.DocumentPage, "/v1/documents", parameters)


def document(document_id: str) -> Call[answers.DocumentDetails]:
    """A document with its expressions and the acts that amend it."""
    return Call(answers.DocumentDetails, _path("documents", document_id))


def outline(document_id: str, *, as_of: date | None = None) -> Call[answers.Outline]:
    """The divisions and provisions of a document, from its latest text or from the text of a day."""
    return Call(answers.Outline, _path("documents", document_id, "outline"), {"as_of": as_of})


def document_diff(document_id: str, first: date, second: date) -> Call[answers.DocumentDiff]:
    """The differences of a document between two days, by provision."""
    return Call(answers.DocumentDiff, _path("documents", document_id, "diff"), {"from": first, "to": second})


def export(document_id: str, *, as_of: date | None = None) -> Call[bytes]:
    """A document as Akoma Ntoso 3.0. Raises `AccessDeniedError` if its source forbids redistribution of the text and the key lacks the
    scope `admin`."""
    return Call(bytes, _path("documents", document_id, "export"), {"as_of": as_of})


def document_cited_by(document_id: str, *, limit: int = 100) -> Call[answers.CitingPlaces]:
    """The places that cite a document."""
    return Call(answers.CitingPlaces, _path("documents", document_id, "cited-by"), {"limit": limit})


def coverage() -> Call[answers.Coverage]:
    """The content of the index by jurisdiction, and how recent it is."""
    return Call(answers.Coverage, "/v1/coverage")


def provision(id: str, *, as_of: date | None = None) -> Call[answers.Provision]:
    """The latest wording of a provision, or the wording in force on `as_of`. `id`: document, `~` and eid, or a citation."""
    return Call(answers.Provision, _path("provisions", id), {"as_of": as_of})


def versions(id: str) -> Call[answers.Versions]:
    """All known wordings of a provision, oldest first."""
    return Call(answers.Versions, _path("provisions", id, "versions"))


def diff(id: str, first: date, second: date) -> Call[answers.ProvisionDiff]:
    """The differences of the wordings of a provision on two days."""
    return Call(answers.ProvisionDiff, _path("provisions", id, "diff"), {"from": first, "to": second})


def cited_by(id: str, *, limit: int = 100) -> Call[answers.CitingPlaces]:
    """The places that cite a provision or a part of it."""
    return Call(answers.CitingPlaces, _path("provisions", id, "cited-by"), {"limit": limit})


def resolve(text: str, *, jurisdictions: Sequence[str] = ()) -> Call[answers.ResolvedCitations]:
    """Every citation in a text with its offsets, and the provision that it means or the reason why there is none."""
    body = {"text": text, "jurisdictions": list(jurisdictions)}
    return Call(answers.ResolvedCitations, "/v1/citations/resolve", body=body, method="POST")


def verify(quote: str, provision: str) -> Call[answers.QuoteCheck]:
    """Whether a provision contains a quote, in which of its wordings, and the differences of the nearest wording."""
    return Call(
        answers.QuoteCheck, "/v1/citations/verify", body={"quote": quote, "provision": provision}, method="POST"
    )


def changes(
    since: date,
    *,
    jurisdictions: Sequence[str] = (),
    id: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Call[answers.LawChanges]:
    """One page of the changes of the law since a day, latest first; `id`: only of this document or provision. `limit` counts documents."""
    parameters = {"since": since, "jurisdiction": jurisdictions, "id": id, "cursor": cursor, "limit": limit}
    return Call(answers.LawChanges, "/v1/changes", parameters)


def changes_feed(
    since: date, *, jurisdictions: Sequence[str] = (), id: str | None = None, limit: int = 50
) -> Call[bytes]:
    """The changes as an Atom feed."""
    parameters = {"since": since, "jurisdiction": jurisdictions, "id": id, "limit": limit}
    return Call(bytes, "/v1/changes.atom", parameters)


def subscribe(
    address: str, *, jurisdictions: Sequence[str] = (), id: str | None = None, since: date | None = None
) -> Call[answers.NewSubscription]:
    """Have changes sent to `address` as signed webhooks: all changes, or those of jurisdictions or of a document or provision.

    With `since` changes that are already known are sent too. Only this answer contains the secret.
    """
    body = {"address": address, "jurisdictions": list(jurisdictions), "id": id, "since": _iso(since)}
    return Call(answers.NewSubscription, _SUBSCRIPTIONS, body=body, method="POST")


def subscriptions() -> Call[answers.Subscriptions]:
    """The subscriptions of the key."""
    return Call(answers.Subscriptions, _SUBSCRIPTIONS)


def subscription(id: str) -> Call[answers.Subscription]:
    """A subscription with the state of its deliveries."""
    return Call(answers.Subscription, f"{_SUBSCRIPTIONS}/{quote(id, safe='')}")


def unsubscribe(id: str) -> Call[None]:
    """Delete a subscription and its undelivered messages."""
    return Call(NoneType, f"{_SUBSCRIPTIONS}/{quote(id, safe='')}", method="DELETE")


def healthz() -> Call[str]:
    """The status of the index. Raises `ServiceUnavailableError` with the reason if it does not answer."""
    return Call(str, "/healthz")


def metrics() -> Call[str]:
    """Metrics in Prometheus' text format; needs the scope `admin`."""
    return Call(str, "/metrics")


def _path(collection: str, id: str, *below: str) -> str:
    return "/".join(("/v1", collection, quote(id, safe=""), *below))


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
