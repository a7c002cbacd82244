"""Keys of the service, on a real PostgreSQL: which are made, found and revoked. Not here: what a key may read."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.database import Database


@pytest.mark.parametrize(
    "said",
    [
        {"scopes": []},
        {"scopes": ["read", "write"]},
        {"name": "  "},
        {"audiences": ["firm-a", " "]},
        {"requests_per_minute": 0},
    ],
    ids=["no scope", "an unknown scope", "no name", "an empty audience", "no request"],
)
def test_a_key_that_could_do_nothing_or_anything_is_refused(database: Database, said: dict[str, Any]) -> None:
    keys = ApiKeys(database)
    with pytest.raises(ConfigurationError):
        keys.create(**{"name": "reader", **said})
    assert keys.all() == []


def test_a_key_is_found_by_its_whole_text_until_it_is_revoked(database: Database) -> None:
    keys = ApiKeys(database)
    key, text = keys.create(" reader ", audiences=["firm-a"], requests_per_minute=1)
    other, _ = keys.create("another", scopes=["admin"])
    assert keys.find(text) == keys.get(key.key_id) == key
    assert (key.name, key.audiences, key.requests_per_minute) == ("reader", ["firm-a"], 1)
    for wrong in (text[:-1], f"{text}x", f" {text}", text.replace(key.key_id, other.key_id)):
        assert keys.find(wrong) is None
    assert [found.name for found in keys.all()] == ["reader", "another"]
    assert keys.revoke(key.key_id)
    assert not keys.revoke(key.key_id)
    assert keys.find(text) is None
    revoked = keys.get(key.key_id)
    assert revoked is not None
    assert revoked.revoked_at is not None
