"""Keys of the service: the operations on the table `api_keys`. A key's secret is shown once and stored as a hash.

Not here: the documents that a key may read (`reading.viewer`) and its request rate (`service.gate`).
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database

#: `read`: documents for the key's audiences. `admin`: every document, texts that must not be redistributed, and the service's statistics.
Scope = Literal["read", "admin"]

#: `lpk_`, the id of the key, its secret of 256 random bits: for such secrets a hash without salt or delay is enough.
_KEY = re.compile(r"lpk_(?P<id>[0-9a-f]{12})_(?P<secret>[A-Za-z0-9_-]{43})")

_COLUMNS = "key_id, name, scopes, audiences, requests_per_minute, created_at, revoked_at"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One row of the table, without the secret."""

    key_id: str
    name: str
    scopes: Sequence[str]
    audiences: Sequence[str]
    requests_per_minute: int
    created_at: datetime
    revoked_at: datetime | None


class ApiKeys:
    """The operations on keys. Safe in any number of threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        name: str,
        *,
        scopes: Sequence[str] = ("read",),
        audiences: Sequence[str] = (),
        requests_per_minute: int = 600,
    ) -> tuple[ApiKey, str]:
        """Return a new key and its text, which cannot be shown again. Raises `ConfigurationError` for an unknown scope."""
        known = get_args(Scope)
        if not scopes or set(scopes) - set(known):
            raise ConfigurationError(
                f"scopes {', '.join(scopes) or 'none'}: expected one or more of {', '.join(known)}"
            )
        if not name.strip() or any(not audience.strip() for audience in audiences) or requests_per_minute < 1:
            raise ConfigurationError(
                "a key needs a name, audiences that are not empty, and at least one request per minute"
            )
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        row = self._database.row(
            f"""insert into api_keys (key_id, name, secret_sha256, scopes, audiences, requests_per_minute)
                values (%s, %s, %s, %s, %s, %s) returning {_COLUMNS}""",  # noqa: S608
            (key_id, name.strip(), sha256_hex(secret), list(scopes), list(audiences), requests_per_minute),
        )
        return ApiKey(**row), f"lpk_{key_id}_{secret}"

    def find(self, presented: str) -> ApiKey | None:
        """Return the key with this text; None if the text is not a key, or the key was revoked."""
        match = _KEY.fullmatch(presented)
        if match is None:
            return None
        row = self._database.row(
            f"select {_COLUMNS}, secret_sha256 from api_keys where key_id = %s and revoked_at is null",  # noqa: S608
            (match["id"],),
        )
        if row is None or not hmac.compare_digest(row.pop("secret_sha256"), sha256_hex(match["secret"])):
            return None
        return ApiKey(**row)

    def get(self, key_id: str) -> ApiKey | None:
        """Return the key of this id, also if it was revoked."""
        row = self._database.row(f"select {_COLUMNS} from api_keys where key_id = %s", (key_id,))  # noqa: S608
        return ApiKey(**row) if row else None

    def all(self) -> list[ApiKey]:
        """Return all keys in the order of their creation, including revoked keys."""
        rows = self._database.rows(f"select {_COLUMNS} from api_keys order by created_at, key_id")  # noqa: S608
        return [ApiKey(**row) for row in rows]

    def revoke(self, key_id: str) -> bool:
        """Revoke the key. Returns False if there is no such key, or it was revoked before."""
        statement = "update api_keys set revoked_at = now() where key_id = %s and revoked_at is null"
        return self._database.execute(statement, (key_id,)) == 1
