"""The endpoints `/v1/subscriptions`: each key creates, sees and deletes its own; an administrator sees and deletes all.

Not here: sending (`deliveries`), and the allowed addresses (`webhooks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request
from pydantic import BaseModel, Field

from legal_pipeline.reading import answers
from legal_pipeline.reading.provisions import provision_id
from legal_pipeline.registry.subscriptions import ANYBODY, Subscription, Subscriptions, Wanted
from legal_pipeline.retrieval.filters import usual_jurisdictions
from legal_pipeline.service.answers_over_http import ConditionalRoute
from legal_pipeline.service.gate import Asker
from legal_pipeline.service.problems import PROBLEMS, ProblemError
from legal_pipeline.service.routes import FIRST, Reader, admitted
from legal_pipeline.service.webhooks import AllowedReceivers

#: Maximum number of subscriptions per key.
_MOST = 100


@dataclass(frozen=True, slots=True)
class Subscribing:
    """The resources of the endpoints."""

    subscriptions: Subscriptions
    allowed: AllowedReceivers


class ToSubscribe(BaseModel, extra="forbid"):
    address: str = Field(
        max_length=2000, description="Where messages are sent.", examples=["https://hooks.example.org/law"]
    )
    jurisdictions: list[str] = Field(
        default_factory=list, max_length=50, description="Country codes; empty: all.", examples=[["xx"]]
    )
    id: str | None = Field(
        default=None, max_length=500, description="Only this document or provision, by id or citation."
    )
    since: date | None = Field(
        default=None, description="Also changes from this day on that are known already; null: from now on."
    )


def _subscribing(request: Request) -> Subscribing:
    found: Subscribing = request.app.state.subscribing
    return found


As = Annotated[Asker, Depends(admitted)]
Stored = Annotated[Subscribing, Depends(_subscribing)]
SubscriptionId = Annotated[
    str, Path(alias="id", max_length=100, description="Id of a subscription.", examples=["sub_0123456789abcdef"])
]

router = APIRouter(
    prefix="/v1/subscriptions",
    route_class=ConditionalRoute,
    responses=PROBLEMS,
    dependencies=FIRST,
    tags=["subscriptions"],
)


@router.post("", summary="Subscribe to changes of the law", status_code=HTTPStatus.CREATED)
def subscribe(
    asked: Annotated[ToSubscribe, Body()], asker: As, reader: Reader, stored: Stored
) -> answers.NewSubscription:
    """Messages are signed by the Standard Webhooks specification. Only this answer contains the secret. 400 for an address that an
    administrator has not allowed."""
    stored.allowed.check(asked.address)
    jurisdictions = usual_jurisdictions(asked.jurisdictions)
    document_id, eid = (None, None) if asked.id is None else reader.document_and_eid(asked.id, viewer=asker.viewer)
    since = None if asked.since is None else datetime.combine(asked.since, time(), UTC)
    key_id = asker.key.key_id if asker.key is not None else None
    if len(stored.subscriptions.all(key_id)) >= _MOST:
        raise ProblemError(HTTPStatus.BAD_REQUEST, f"the key has {_MOST} subscriptions, as many as it may have")
    made = stored.subscriptions.create(key_id, asked.address, Wanted(jurisdictions, document_id, eid, since))
    return answers.NewSubscription(**_shown(made), secret=made.secret)


@router.get("", summary="Subscriptions of the key")
def subscriptions(asker: As, stored: Stored) -> answers.Subscriptions:
    """A subscription is `disabled` if its address failed for too long. An administrator sees all subscriptions."""
    found = stored.subscriptions.all(_owner(asker))
    return answers.Subscriptions(subscriptions=[answers.Subscription(**_shown(subscription)) for subscription in found])


@router.get("/{id}", summary="A subscription")
def subscription(id: SubscriptionId, asker: As, stored: Stored) -> answers.Subscription:
    return answers.Subscription(**_shown(_own(id, asker, stored)))


@router.delete("/{id}", summary="Delete a subscription", status_code=HTTPStatus.NO_CONTENT)
def unsubscribe(id: SubscriptionId, asker: As, stored: Stored) -> None:
    """Its undelivered messages are deleted too."""
    stored.subscriptions.delete(_own(id, asker, stored).subscription_id)


def _own(id: str, asker: Asker, stored: Subscribing) -> Subscription:
    found = stored.subscriptions.get(id) if id.isprintable() else None
    if found is None or _owner(asker) not in (ANYBODY, found.key_id):
        raise ProblemError(HTTPStatus.NOT_FOUND, f"{id[:100]!r}: the key has no subscription of this id")
    return found


def _owner(asker: Asker) -> str | None:
    return ANYBODY if asker.is_admin or asker.key is None else asker.key.key_id


def _shown(subscription: Subscription) -> dict[str, Any]:
    times = ("since", "failing_since", "delivered_at", "disabled_at", "next_attempt_at")
    shown = {
        name: moment.isoformat() if (moment := getattr(subscription, name)) is not None else None for name in times
    }
    if subscription.failing_since is None or subscription.disabled_at is not None:
        shown["next_attempt_at"] = None
    provision = (
        provision_id(subscription.document_id, subscription.eid)
        if subscription.document_id and subscription.eid
        else None
    )
    return {
        **shown,
        **{
            name: getattr(subscription, name)
            for name in ("subscription_id", "key_id", "address", "document_id", "attempts", "last_error")
        },
        "jurisdictions": list(subscription.jurisdictions),
        "provision_id": provision,
        "state": "disabled" if subscription.disabled_at else "failing" if subscription.failing_since else "active",
    }
