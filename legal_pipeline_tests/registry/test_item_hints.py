"""Facts about documents from the hints of their items, on a real PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from legal_pipeline.registry.database import Database
from legal_pipeline.registry.item_hints import UNKNOWN, Provenance, audiences, base_laws_of, provenances, withheld
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


def test_the_last_act_is_the_one_with_the_highest_number_in_a_text_that_has_begun(database: Database) -> None:
    for number, day in ((9, None), (10, date(2026, 1, 1)), (11, date(2999, 1, 1))):
        hints = {"consolidated_through": f"SFS 2030:{number}"}
        item = RegisteredItem("files", f"/in/{number}", "xx-1", sha256=str(number), as_of_date=day, hints=hints)
        Registry(database).register(item)
    later = replace(item, item_key="/in/12", document_id="xx-2")
    Registry(database).register(later)
    found = provenances(database, ["xx-1", "xx-2"])
    assert [found[name].consolidated_through for name in ("xx-1", "xx-2")] == ["SFS 2030:10", None]


def test_what_a_vanished_item_said_holds_no_more_except_who_may_read_it(database: Database) -> None:
    registry = Registry(database)
    hints = {"licence": "open", "base_law": "2098:9", "may_export": False, "metadata": {"audience": "firm-a"}}
    registry.register(RegisteredItem("files", "/in/a", "xx-1", sha256="a", hints=hints))
    hints = {"base_law": "2098:2", "may_export": True, "metadata": {"audience": ["firm-b", ""]}}
    registry.register(RegisteredItem("files", "/in/b", "xx-1", sha256="b", hints=hints))
    registry.register(
        RegisteredItem("feed", "/in/c", "xx-2", sha256="c", hints={"may_export": True, "metadata": {"audience": 7}})
    )
    registry.mark_missing("files", ["/in/a"])
    assert base_laws_of(database, ["xx-1", "xx-2"]) == {"2098:2"}
    assert provenances(database, ["xx-1"]) == {"xx-1": UNKNOWN}
    assert withheld(database, []) == {"xx-1"}
    assert withheld(database, ["feed"]) == {"xx-1", "xx-2"}
    by_document = {name: sorted(map(sorted, groups)) for name, groups in audiences(database).items()}
    assert by_document == {"xx-1": [["firm-a"], ["firm-b"]], "xx-2": [[]]}
