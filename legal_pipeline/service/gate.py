"""Authentication of a request: its API key, the rate limit of the key, and what the key may see.

Not here: the storage of keys (`registry.api_keys`), and the restrictions of a viewer (`reading.viewer`).
"""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from legal_pipeline.reading.viewer import OWNER, Viewer
from legal_pipeline.registry.api_keys import ApiKey, ApiKeys
from legal_pipeline.service.problems import ProblemError

_CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request. `key` is None if no key is needed and none was presented: then the owner asks."""

    key: ApiKey | None

    @property
    def is_admin(self) -> bool:
        return self.key is None or "admin" in self.key.scopes

    @property
    def viewer(self) -> Viewer:
        if self.key is None or self.is_admin:
            return OWNER
        return Viewer(frozenset(self.key.audiences), may_read_withheld=False)


class Gate:
    """Admits requests.

    Without `needs_key`, a request without a key is the owner's if its host is a loopback name of this machine ("localhost"). So a foreign
    web page in the owner's browser cannot act as the owner through a domain of its own that leads to 127.0.0.1.
    """

    def __init__(self, keys: ApiKeys, *, needs_key: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._needs_key = needs_key
        self._rates = RateLimits(clock)

    def admit(self, authorization: str | None, host: str | None, origin: str | None = None) -> Asker:
        """Return the sender of a request.

        Raises `ProblemError` 401 for a missing or invalid key, 429 for a key over its rate limit, 403 for a host or origin that is not a
        loopback name; `DatabaseUnavailableError` if keys cannot be looked up.
        """
        scheme, _, presented = (authorization or "").partition(" ")
        if not authorization:
            if self._needs_key:
                raise ProblemError(
                    HTTPStatus.UNAUTHORIZED, "no API key; expected `Authorization: Bearer lpk_…`", _CHALLENGE
                )
            if not is_loopback(host or "") or (origin and not is_loopback(urlsplit(origin).hostname or "")):
                raise ProblemError(
                    HTTPStatus.FORBIDDEN, "without an API key expected host and origin to be localhost or 127.0.0.1"
                )
            return Asker(None)
        key = self._keys.find(presented.strip()) if scheme.lower() == "bearer" else None
        if key is None:
            raise ProblemError(HTTPStatus.UNAUTHORIZED, "not a valid API key; it may have been revoked", _CHALLENGE)
        wait = self._rates.wait(key.key_id, key.requests_per_minute)
        if wait:
            raise ProblemError(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"more than {key.requests_per_minute} requests per minute; ask again in {math.ceil(wait)} seconds",
                {"Retry-After": str(math.ceil(wait))},
            )
        return Asker(key)


class RateLimits:
    """A token bucket per key: a minute's requests at once, then at the rate of the limit. Counts for this process only."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._mutex = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait(self, key_id: str, per_minute: int) -> float:
        """Return the seconds until a request may be made; 0 if it may be made now, and only then count it."""
        now = self._clock()
        with self._mutex:
            left, since = self._buckets.get(key_id, (float(per_minute), now))
            left = min(per_minute, left + (now - since) * per_minute / 60)
            allowed = left >= 1
            self._buckets[key_id] = (left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) * 60 / per_minute


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback name of this machine."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
