"""Facts about documents from the hints of their items, on a real PostgreSQL."""

from __future__ import annotations

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import UNKNOWN, Provenance, provenances
from legal_pipeline.registry.registry import RegisteredItem, Registry


def test_address_and_licence_are_those_of_one_item(database: Database) -> None:
    registry = Registry(database)
    items = (
        ("first", "https://z.example/act", {"consolidated_through": "2099:2"}),
        ("second", "https://m.example/act", {"licence": "open", "consolidated_through": "2099:1"}),
        ("third", None, {"licence": "restricted"}),
    )
    for key, url, hints in items:
        registry.register(RegisteredItem("files", f"/in/{key}", "xx-1", sha256=key, url=url, hints=hints))
    found = provenances(database, ["xx-1", "xx-2"])
    assert found == {"xx-1": Provenance("https://m.example/act", "open", "2099:2"), "xx-2": UNKNOWN}
