"""The Atom feed of changes, on changes made for it. Not here: which changes an index has (`reading`)."""

from __future__ import annotations

from typing import Any

from lxml import etree

from legal_pipeline.reading.answers import LawChange, LawChanges
from legal_pipeline.service.feed import atom

_ADDRESS = "http://law.example/v1/changes.atom"


def change(kind: str, seen_on: str, **more: Any) -> LawChange:
    values: dict[str, Any] = {
        "document_id": "zw-act-2031-7", "title": "Lamps Act", "jurisdiction": "zw", "doc_type": "act", "summary": "",
        "provisions": [],
    }  # fmt: skip
    return LawChange.model_validate({**values, "kind": kind, "seen_on": seen_on, **more})


def feed(*changes: LawChange) -> Any:
    return etree.fromstring(atom(LawChanges(since="2031-01-01", changes=list(changes)), address=_ADDRESS))


def texts(entry: Any, *names: str) -> list[str | None]:
    return [entry.findtext(f"{{*}}{name}") for name in names]


def test_a_feed_is_as_new_as_its_latest_change_and_one_without_changes_as_the_day_asked_for() -> None:
    changes = [change("changed", f"2031-0{month}-05", expression=f"2031-0{month}-01") for month in (2, 6, 4)]
    assert feed(*changes).findtext("{*}updated") == "2031-06-05T00:00:00Z"
    assert feed().findtext("{*}updated") == "2031-01-01T00:00:00Z"


def test_each_change_has_an_id_of_its_own_and_says_what_it_is() -> None:
    made = feed(
        change("removed", "2031-06-05"),
        change("corrected", "2031-05-05", expression="2031-02-01", correction=2, summary="section 3"),
        change("corrected", "2031-05-05", expression="2031-02-01", correction=1),
        change("changed", "2031-05-05", expression="2031-02-01", summary="section 4 amended", holds_from="2031-04-01"),
        change("added", "2031-01-05", expression="2031-01-01", title=None),
    )
    named = "urn:legal-pipeline:change:zw-act-2031-7"
    assert [texts(entry, "id", "title", "summary") for entry in made.findall("{*}entry")] == [
        [f"{named}:removed:2031-06-05", "Lamps Act: removed by its source", "removed by its source"],
        [f"{named}:correction-2:2031-05-05", "Lamps Act: text corrected: section 3", "text corrected: section 3"],
        [f"{named}:correction-1:2031-05-05", "Lamps Act: text corrected", "text corrected"],
        [
            f"{named}:2031-02-01:2031-05-05",
            "Lamps Act: section 4 amended",
            "In force from 2031-04-01. section 4 amended",
        ],
        [f"{named}:2031-01-01:2031-01-05", "zw-act-2031-7: new in the index", "new in the index"],
    ]


def test_an_entry_names_its_country_source_and_licence_if_they_are_known() -> None:
    known = change("added", "2031-01-05", source_url="https://law.example/7", licence="OGL")
    first, second = feed(known, change("added", "2031-01-05", jurisdiction=None)).findall("{*}entry")
    assert (first.findtext("{*}author/{*}name"), first.findtext("{*}rights")) == ("zw", "OGL")
    assert first.find("{*}link").get("href") == "https://law.example/7"
    assert (second.findtext("{*}author/{*}name"), second.find("{*}rights"), second.find("{*}link")) == (
        "unknown",
        None,
        None,
    )


def test_characters_that_xml_cannot_hold_do_not_break_a_feed() -> None:
    (entry,) = feed(change("added", "2031-01-05", title="Lamps \x07", source_url="https://law.example/\x07")).findall(
        "{*}entry"
    )
    assert entry.findtext("{*}title").startswith("Lamps ")
    assert entry.find("{*}link").get("rel") == "alternate"
