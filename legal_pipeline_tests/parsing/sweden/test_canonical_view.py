"""The view in the seed's shape: chapters, paragrafer, stycken; compared with the files of that shape where those are right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.sweden.canonical_view import canonical_view


def view(path: Path) -> dict[str, Any]:
    return canonical_view(parse(SourceFile(path.name, path.read_bytes())))


@pytest.fixture(scope="module")
def law(repository: Path) -> dict[str, Any]:
    return view(repository / "data/sample/se/sfs-2099-101.html")


def test_the_shape_is_the_seeds(law: dict[str, Any]) -> None:
    assert list(law) == [
        "schemaVersion", "documentType", "title", "documentNumber", "divisions", "chapters", "preamble",
        "transitionProvisions", "appendices", "metadata",
    ]  # fmt: skip
    assert (law["documentType"], law["documentNumber"]) == ("SFS_LAW", "SFS 2099:101")
    assert law["metadata"] == {"sfsNumber": "SFS 2099:101", "baseLawSfs": None, "effectiveDate": "2099-07-01"}
    assert [(chapter["number"], chapter["title"], len(chapter["paragrafer"])) for chapter in law["chapters"]] == [
        ("1", "Inledande bestämmelser", 4),
        ("2", "Tillstånd", 4),
        ("3", "Tillsyn", 4),
        ("4", "Avgifter och överklagande", 2),
    ]


def test_a_group_heading_belongs_to_the_paragraf_below_it_and_opens_its_content(law: dict[str, Any]) -> None:
    first, second = law["chapters"][0]["paragrafer"][:2]
    assert first["heading"] == "Lagens ändamål"
    assert first["content"].startswith("Lagens ändamål\nLagen ska bevara landets fyrar")
    assert second["heading"] is None


def test_stycken_and_list_items_are_numbered_and_marks_are_no_text(law: dict[str, Any]) -> None:
    paragraf = law["chapters"][1]["paragrafer"][0]
    assert paragraf["amendedBy"] == "SFS 2101:44"
    assert [(entry["number"], entry["role"]) for entry in paragraf["stycken"]] == [
        (1, "STYCKE"), (2, "STYCKE"), (1, "LIST_ITEM"), (2, "LIST_ITEM"), (3, "LIST_ITEM"), (1, "LIST_ITEM"), (2, "LIST_ITEM"),
    ]  # fmt: skip
    assert "Lag (2101:44)" not in paragraf["content"]


def test_two_wordings_and_repealed_paragrafer_say_so(law: dict[str, Any]) -> None:
    assert law["chapters"][1]["paragrafer"][1]["status"] == "repealed"
    old, new = law["chapters"][2]["paragrafer"][1:3]
    assert (old["validTo"], new["validFrom"]) == ("2102-01-01", "2102-01-01")


def test_transition_provisions_carry_the_number_of_their_act(law: dict[str, Any]) -> None:
    entries = law["transitionProvisions"]
    assert [entry["number"] for entry in entries] == ["2099:101"] * 3 + ["2101:44"]
    assert {entry["role"] for entry in entries} == {"TRANSITION_PROVISION"}


def test_appendices_hold_their_tables(law: dict[str, Any]) -> None:
    (appendix,) = law["appendices"]
    assert appendix["title"] == "Avgifter för tillstånd"
    assert [entry["role"] for entry in appendix["stycken"]][-1] == "TABLE"


def test_guidance_keeps_its_role_and_the_preamble_its_words(repository: Path) -> None:
    regulation = view(repository / "data/sample/se/ofs-2099-4.html")
    assert regulation["documentType"] == "AGENCY_REGULATION"
    assert regulation["preamble"]["content"].startswith("beslutade den 3 juni 2099.\nFyrnämnden föreskriver")
    roles = [entry["role"] for entry in regulation["chapters"][1]["paragrafer"][0]["stycken"]]
    assert roles == ["STYCKE"] + ["LIST_ITEM"] * 5 + ["ALLMANT_RAD"] * 2


def test_a_flat_document_has_one_chapter_without_a_number(repository: Path) -> None:
    flat = view(repository / "data/sample/se/sfs-2099-305.json")
    assert [(chapter["number"], chapter["title"]) for chapter in flat["chapters"]] == [(None, None)]
    assert [paragraf["number"] for paragraf in flat["chapters"][0]["paragrafer"]] == ["1", "2", "3", "4", "5", "6"]


def test_a_document_without_provisions_has_an_empty_chapter(repository: Path) -> None:
    assert [
        len(chapter["paragrafer"]) for chapter in view(repository / "data/sample/se/fyrbrev-2099-9.md")["chapters"]
    ] == [0, 0, 0]


def silver(corpus: Path, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((corpus / f"se/canonical_json_silver/{name}.json").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.corpus
def test_avtalslagen_equals_the_silver_file_but_for_the_form_of_its_marks(corpus: Path) -> None:
    """The silver file writes `Lag (1981:799)` where the seed says `SFS 1981:799`, and puts act numbers among the transition texts."""
    expected = silver(corpus, "sfs-1915-218.parser")
    got = view(corpus / "se/canonical_html/sfs-1915-218.canonical.html")
    for chapter in expected["chapters"]:
        for paragraf in chapter["paragrafer"]:
            if mark := paragraf["amendedBy"]:
                paragraf["amendedBy"] = f"SFS {mark[mark.index('(') + 1 : -1]}"
    assert got["chapters"] == expected["chapters"]
    numbers = {entry["number"] for entry in got["transitionProvisions"]}
    assert [e["text"] for e in got["transitionProvisions"]] == [
        e["text"] for e in expected["transitionProvisions"] if e["text"] not in numbers
    ]
    assert all(
        got[key] == expected[key] for key in ("title", "documentNumber", "documentType", "appendices", "metadata")
    )


@pytest.mark.corpus
def test_the_agency_silver_file_is_right_but_for_headings_lists_and_definitions(corpus: Path) -> None:
    """It drops group headings, the numbers of list items and the definitions of 2 kap. 2 §; every other paragraf is equal."""
    expected = silver(corpus, "nfs-2015-2.parser")
    got = view(corpus / "se/agency/NFS-2015-2.canonical.html")
    assert [(c["number"], c["title"], len(c["paragrafer"])) for c in got["chapters"]] == [
        (c["number"], c["title"], len(c["paragrafer"])) for c in expected["chapters"]
    ]
    equal = 0
    for ours, theirs in zip(got["chapters"], expected["chapters"], strict=True):
        for mine, other in zip(ours["paragrafer"], theirs["paragrafer"], strict=True):
            simple = mine["heading"] is None and all(entry["role"] == "STYCKE" for entry in mine["stycken"])
            if simple and (ours["number"], mine["number"]) != ("2", "2"):
                assert mine == other
                equal += 1
    assert equal == 11


@pytest.mark.corpus
def test_the_llm_silver_file_has_the_same_sections(corpus: Path) -> None:
    """It has 118 §§ by number: the 115 that have an anchor, and 3 a, 5 a and 6 a, which have none."""
    expected = silver(corpus, "sfs-1977-1160.llm")
    got = view(next((corpus / "se/riksdagen_html").glob("sfs-1977-1160*")))
    ours = {(c["number"], p["number"].replace(" ", "")) for c in got["chapters"] for p in c["paragrafer"]}
    theirs = {(c["number"], s["number"].replace(" ", "")) for c in expected["chapters"] for s in c["sections"]}
    assert len(ours) == 118
    assert ours == theirs
