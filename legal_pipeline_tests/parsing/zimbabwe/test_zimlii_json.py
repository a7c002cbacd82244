"""ZimLII statutes: flattened sections are cut again where the drafter cut them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.zimbabwe import zimlii_json
from legal_pipeline_tests.parsing.invariants import check_invariants, parsed

URL = "https://zimlii.org/akn/zw/act/1991/4/eng@2016-12-31"


def act(*provisions: dict[str, Any], **fields: Any) -> Document:
    data = {
        "id": "zw-1991-4",
        "title": "Canal Tolls Act",
        "url": URL,
        "issued_date": "1991-01-01",
        "provisions": list(provisions),
    } | fields
    document = zimlii_json.FORMAT.parse(SourceFile("act.json", json.dumps(data).encode()))
    check_invariants(document)
    return document


def section(num: str, title: str, text: str, chapter: str | None = None) -> dict[str, Any]:
    row = {"provision_ref": f"s{num}", "section": num, "title": title, "content": f"{num}. {title} {text}"}
    return row | ({"chapter": chapter} if chapter else {})


def only(document: Document, kind: str) -> list[Node]:
    return [node for node in document.walk() if node.type == kind]


def texts(document: Document, kind: str) -> list[str]:
    return [document.text_of(node) for node in only(document, kind)]


def test_a_flattened_section_is_cut_into_subsections_paragraphs_and_items() -> None:
    document = act(
        section(
            "1",
            "Tolls",
            "(1) The owner of a barge shall pay— (a) a toll; and (b) if it is laden— (i) a charge; or (ii) a bond. "
            "(2) Subsection (1) does not apply in the cases of paragraphs (a), (b) and (c) of section 3.",
        )
    )
    assert [(node.type, node.num) for node in document.walk() if node.num] == [
        ("section", "1"),
        ("subsection", "1"),
        ("paragraph", "a"),
        ("paragraph", "b"),
        ("item", "i"),
        ("item", "ii"),
        ("subsection", "2"),
    ]
    assert [node.eid for node in only(document, "item")] == [
        "sec_1__subsec_1__para_b__item_i",
        "sec_1__subsec_1__para_b__item_ii",
    ]


def test_a_proviso_is_a_node_and_its_list_belongs_to_it() -> None:
    document = act(
        section(
            "2",
            "Refunds",
            "(1) A toll is not refunded: Provided that— (i) an error is corrected; (ii) a bond is returned. (2) Interest is due.",
        )
    )
    (proviso,) = only(document, "proviso")
    assert document.text_of(proviso).startswith("Provided that—")
    assert [child.num for child in proviso.children] == ["i", "ii"]
    assert [node.num for node in only(document, "subsection")] == ["1", "2"]


def test_an_editorial_remark_names_the_amending_act_of_what_it_stands_in() -> None:
    document = act(
        section(
            "3",
            "Locks",
            "(1) A lock is kept shut. [subsection amended by section 2 of Act 17 of 2002 ] (2) It is opened at dawn. "
            "[section inserted by section 3 of Act 7 of 2005 and amended by Act 1 of 2010 ]",
        )
    )
    first, second = only(document, "subsection")
    assert [(item.by, item.action) for item in first.amendments] == [("Act 17 of 2002", "amended")]
    assert second.amendments == ()
    (whole,) = only(document, "section")
    assert [(item.by, item.action) for item in whole.amendments] == [
        ("Act 7 of 2005", "inserted"),
        ("Act 1 of 2010", "amended"),
    ]
    assert len(texts(document, "remark")) == 2


def test_each_remark_inside_a_text_is_a_remark() -> None:
    inserted, amended = "[word inserted by Act 1 of 2001 ]", "[word amended by Act 2 of 2002 ]"
    document = act(section("3", "Locks", f"A lock {inserted} is kept {amended} shut."))
    assert texts(document, "remark") == [inserted, amended]
    (whole,) = only(document, "section")
    assert [item.by for item in whole.amendments] == ["Act 1 of 2001", "Act 2 of 2002"]


def test_a_paragraph_that_is_only_its_repeal_is_repealed() -> None:
    document = act(
        section(
            "4",
            "Fees",
            "The fees are— (a) one dollar; (b) [paragraph repealed by section 5 of Act 7 of 2005 ] (c) two dollars.",
        )
    )
    assert [(node.num, node.status) for node in only(document, "paragraph")] == [
        ("a", "in_force"),
        ("b", "repealed"),
        ("c", "in_force"),
    ]


def test_a_citation_in_brackets_is_no_remark() -> None:
    document = act(section("5", "Short title", "This Act may be cited as the Canal Tolls Act [Chapter 9:01] ."))
    assert texts(document, "remark") == []
    assert document.metadata["chapter"] == "Chapter 9:01"


def test_definitions_are_nodes_with_their_lists() -> None:
    document = act(
        section(
            "6",
            "Interpretation",
            'In this Act— " barge " means— (a) a boat without sails; or (b) a raft; '
            '" Collector " means the person appointed under section 7; '
            '" dredger " [definition repealed by section 2 of Act 17 of 2002 ]',
        )
    )
    assert [node.attributes["term"] for node in only(document, "definition")] == ["barge", "Collector", "dredger"]
    assert [node.status for node in only(document, "definition")] == ["in_force", "in_force", "repealed"]
    assert [child.num for child in only(document, "definition")[0].children] == ["a", "b"]


def test_the_heading_of_the_next_part_leaves_the_section_that_it_was_scraped_with() -> None:
    document = act(
        section("1", "Short title", "This Act is the Canal Tolls Act. Part II – Tolls and charges", "Part I"),
        section("2", "Tolls", "A toll is payable.", "Part II"),
    )
    parts = only(document, "part")
    assert [(part.num, part.heading) for part in parts] == [("I", None), ("II", "Tolls and charges")]
    assert "Part II" not in texts(document, "section")[0]


def test_sections_of_a_schedule_that_repeat_a_number_have_their_own_eids() -> None:
    document = act(
        section("1", "Short title", "This is the Act."),
        section("1", "Quorum", "Three members are a quorum.", "Schedule 1"),
        section("2", "Canals", "The canals are open."),
    )
    assert [node.eid for node in document.provisions()] == ["sec_1", "sec_2", "sched_1__sec_1"]


def test_recitals_that_quote_a_numbered_provision_are_the_preamble() -> None:
    recital = {
        "provision_ref": "s2",
        "section": "2",
        "title": "",
        "content": "2. (1) Whereas the canal is old; NOW, THEREFORE, be it enacted by the President as follows:— Part I Preliminary",
    }
    document = act(
        section("1", "Short title", "This is the Act.", "Part I"),
        recital,
        section("2", "Canals", "They are open.", "Part I"),
    )
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert texts(document, "preamble")[0].startswith("(1) Whereas")
    assert any("preamble" in warning for warning in document.warnings)


def test_the_first_of_january_is_a_year_and_no_date_of_enactment() -> None:
    document = act(section("1", "Short title", "This is the Act."))
    assert "date_enacted" not in document.metadata
    assert document.metadata["year_enacted"] == 1991
    assert act(section("1", "Title", "Text."), issued_date="1991-03-08").metadata["date_enacted"] == "1991-03-08"


def test_a_section_of_exactly_the_cut_length_is_reported_as_cut() -> None:
    text = "1. Tolls " + "A toll is payable. " * 500
    row = {"provision_ref": "s1", "section": "1", "title": "Tolls", "content": text[:8000]}
    document = act(row)
    assert document.requires_manual_review
    assert any("section 1 was probably cut off" in warning for warning in document.warnings)


def test_identity_comes_from_the_address() -> None:
    document = act(section("1", "Short title", "This is the Act."))
    assert (document.document_id, document.work_uri, document.as_of_date, document.language) == (
        "zw-act-1991-4",
        "/akn/zw/act/1991/4",
        "2016-12-31",
        "eng",
    )


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ('{"provisions": 5}', ParseError),
        ('{"provisions": [{"section": 1}]}', ParseError),
        ('{"provisions": [], "id": "zw-1991-4"}', EmptyDocumentError),
        ('{"provisions": [{"section": "1", "content": "1. Tolls A to', TruncatedDocumentError),
        ("[" * 100_000, LimitExceededError),
        ('{"provisions": [{"section": "1", "content": "Text"}], "id": "x"}', ParseError),
    ],
)
def test_other_json_is_a_typed_error(data: str, error: type[ParseError]) -> None:
    with pytest.raises(error):
        zimlii_json.FORMAT.parse(SourceFile("act.json", data.encode()))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "sections"), [("zw-1861-5", 8), ("zw-1985-16", 141), ("zw-1998-12", 59), ("zw-2004-23", 303)]
)
def test_every_provision_of_the_file_is_a_section(corpus: Path, name: str, sections: int) -> None:
    """The Criminal Law Code has 304 provisions in its file, of which one is the preamble."""
    path = corpus / "zw" / "zimlii_json" / f"{name}.json"
    document = parsed(path)
    rows = json.loads(path.read_text("utf-8"))["provisions"]
    found = [node.num for node in document.provisions()]
    assert len(found) == sections
    if sections == len(rows):
        assert Counter(found) == Counter(row["section"] for row in rows)
    assert all(node.eid for node in document.provisions())


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["zw-1861-5", "zw-1985-16", "zw-1998-12", "zw-2004-23"])
def test_no_word_of_a_provision_is_lost_or_made_up(corpus: Path, name: str) -> None:
    """What is left out is a heading that the page shows twice, once for its contents and once in its place."""
    path = corpus / "zw" / "zimlii_json" / f"{name}.json"
    rows = json.loads(path.read_text("utf-8"))["provisions"]
    source = Counter(word for row in rows for word in row["content"].split())
    found = Counter(parsed(path).text.split())
    assert not found - source
    lost = source - found
    assert sum(lost.values()) <= 0.002 * sum(source.values())
    assert not lost or lost.most_common(1)[0][0] == "Chapter"


@pytest.mark.corpus
def test_the_labour_act_has_its_parts_provisos_and_remarks(corpus: Path) -> None:
    document = parsed(corpus / "zw" / "zimlii_json" / "zw-1985-16.json")
    counts = Counter(node.type for node in document.walk())
    parts = [(node.num, node.heading) for node in document.walk() if node.type == "part"]
    assert [num for num, _ in parts] == [
        "I",
        "II",
        "III",
        "IV",
        "V",
        "VI",
        "VII",
        "VIII",
        "IX",
        "X",
        "XI",
        "XII",
        "XIII",
        "XIV",
        "XV",
    ]
    assert (
        "VII",
        "Trade unions, employers organizations and federations of trade unions and employers organizations",
    ) in parts
    assert counts["proviso"] >= 40
    assert counts["remark"] >= 220
    assert document.requires_manual_review  # three sections end in the middle of a word


def test_the_heading_of_a_part_that_the_page_shows_twice_is_read_once() -> None:
    document = act(
        section(
            "1", "Title", "This is the Canal Tolls Act. Part II – Tolls and charges Part II Tolls and charges", "Part I"
        ),
        section("2", "Tolls", "A toll is payable.", "Part II"),
    )
    assert [node.heading for node in only(document, "part")] == [None, "Tolls and charges"]
    assert document.text.count("Tolls and charges") == 1


def test_a_section_without_a_heading_that_speaks_of_enactment_is_no_preamble_if_it_is_alone_with_its_number() -> None:
    document = act(
        section("1", "Title", "This is the Act."),
        section("2", "", "A toll enacted by the President is payable."),
    )
    assert [node.num for node in only(document, "section")] == ["1", "2"]
    assert not only(document, "preamble")


def test_a_lettered_heading_above_the_heading_of_the_next_part_is_kept() -> None:
    document = act(
        section("1", "Title", "This is the Canal Tolls Act. A – General tolls Part II – Tolls", "Part I"),
        section("2", "Tolls", "A toll is payable.", "Part II"),
    )
    assert "A – General tolls" in texts(document, "heading")
    assert [node.heading for node in only(document, "part")] == [None, "Tolls"]


def test_a_section_with_nothing_but_a_heading_is_a_section() -> None:
    document = act(section("1", "Title", "This is the Act."), section("2", "Reserved", ""))
    assert [(node.num, node.heading) for node in document.provisions()] == [("1", "Title"), ("2", "Reserved")]


def test_an_act_that_states_no_address_is_named_by_the_address_of_its_source() -> None:
    data = json.dumps({"id": "tolls", "provisions": [section("1", "Title", "This is the Act.")]}).encode()
    document = zimlii_json.FORMAT.parse(SourceFile("act.json", data, url=URL))
    assert (document.document_id, document.as_of_date) == ("zw-act-1991-4", "2016-12-31")


def headed(document: Document) -> list[tuple[str, str | None, str | None]]:
    """(type, number, heading) of each node with a number or a heading."""
    return [(node.type, node.num, node.heading) for node in document.walk() if node.num or node.heading]


def test_a_level_that_two_sections_share_is_open_once() -> None:
    document = act(
        section("1", "Title", "This is the Act.", "Chapter 1, Part I"),
        section("2", "Tolls", "A toll is payable.", "Chapter 1, Part II"),
        section("3", "Rafts", "A raft is free.", "Chapter 2, Part I"),
    )
    assert headed(document) == [
        ("chapter", "1", None), ("part", "I", None), ("section", "1", "Title"), ("part", "II", None), ("section", "2", "Tolls"),
        ("chapter", "2", None), ("part", "I", None), ("section", "3", "Rafts"),
    ]  # fmt: skip


def test_a_level_without_a_printed_heading_does_not_hide_that_of_the_level_in_it() -> None:
    document = act(
        section("1", "Title", "This is the Act. Part II – Tolls", "Chapter 1, Part I"),
        section("2", "Tolls", "A toll is payable.", "Chapter 2, Part II"),
    )
    assert headed(document)[3:5] == [("chapter", "2", None), ("part", "II", "Tolls")]


def test_a_heading_behind_a_colon_is_that_of_the_next_part_only_where_the_part_changes() -> None:
    rows = [section("1", "Title", "The parts are these: Part II Tolls and charges", "Part I")]
    changed = act(*rows, section("2", "Tolls", "A toll is payable.", "Part II"))
    assert ("part", "II", "Tolls and charges") in headed(changed)
    assert texts(changed, "section")[0] == "1. Title\n\nThe parts are these:"
    within = act(*rows, section("2", "Tolls", "A toll is payable.", "Part I"))
    assert texts(within, "section")[0].endswith("Part II Tolls and charges")
    deeper = act(*rows, section("2", "Tolls", "A toll is payable.", "Part II, Division 1"))
    assert ("part", "II", "Tolls and charges") in headed(deeper)


def test_remarks_and_notes_below_the_heading_of_a_part_are_remarks_of_the_part() -> None:
    document = act(
        section(
            "1", "Title",
            "This is the Act. Part II – Tolls [Part inserted by section 2 of Act 7 of 2005 ] Note: it is not yet in force.", "Part I",
        ),
        section("2", "Tolls", "A toll is payable.", "Part II"),
    )  # fmt: skip
    part = only(document, "part")[1]
    assert (part.heading, [(item.by, item.action) for item in part.amendments]) == (
        "Tolls",
        [("Act 7 of 2005", "inserted")],
    )
    assert texts(document, "remark") == [
        "[Part inserted by section 2 of Act 7 of 2005 ]", "Note: it is not yet in force.",
    ]  # fmt: skip


def test_the_heading_of_a_part_behind_the_preamble_is_that_of_the_first_section() -> None:
    recital = "2. (1) Whereas the canal is old; NOW, THEREFORE, be it enacted by the President as follows:— Part I Preliminary matters"
    document = act(
        {"provision_ref": "s2", "section": "2", "title": "", "content": recital},
        section("1", "Title", "This is the Act.", "Part I"),
        section("2", "Canals", "They are open.", "Part I"),
    )
    assert [node.heading for node in only(document, "part")] == ["Preliminary matters"]
    assert texts(document, "preamble")[0].endswith("as follows:—")


def test_sections_of_two_schedules_lie_each_in_its_own() -> None:
    rows = [section("1", "Title", "This is the Act. Schedule (Section 3) RULES OF THE CANAL")]
    quorum, seals = section("1", "Quorum", "Three.", "Schedule 1"), section("1", "Seals", "Wax.", "Schedule 2")
    document = act(*rows, quorum, seals)
    schedules = [
        (node.num, [child.heading for child in node.children if child.type == "section"]) for node in document.nodes
    ]
    assert schedules[-2:] == [("1", ["Quorum"]), ("2", ["Seals"])]
    single = act(*rows, quorum)
    assert [(node.num, node.heading) for node in only(single, "schedule")] == [("1", "RULES OF THE CANAL")]
    assert texts(single, "schedule")[0].startswith("Schedule (Section 3) RULES OF THE CANAL\n\n1. Quorum")


def test_only_sections_that_were_cut_off_are_reported_and_the_title_is_that_of_the_file() -> None:
    long = {"provision_ref": "s2", "section": "2", "title": "", "content": ("2. " + "A toll is payable. " * 500)[:8000]}
    document = act(section("1", "Title", "This is the Act."), long)
    assert document.title == "Canal Tolls Act"
    assert [warning for warning in document.warnings if "cut off" in warning] == [
        "section 2 was probably cut off at 8,000 characters by the source"
    ]
    assert [(node.heading, node.attributes.get("truncated")) for node in only(document, "section")] == [
        ("Title", None),
        (None, True),
    ]


@pytest.mark.parametrize(
    ("fields", "language", "title"),
    [
        ({"url": None}, "eng", "Canal Tolls Act"),
        ({"url": URL.replace("eng", "sna")}, "sna", "Canal Tolls Act"),
        ({"url": 7, "title": ""}, "eng", "Act 4 of 1991"),
    ],
)
def test_an_act_is_named_by_its_address_else_by_its_id(fields: dict[str, Any], language: str, title: str) -> None:
    document = act(section("1", "Title", "This is the Act."), **fields)
    assert (document.document_id.removesuffix("-sna"), document.language, document.title) == (
        "zw-act-1991-4",
        language,
        title,
    )
    assert document.metadata.get("url") == (fields["url"] if isinstance(fields["url"], str) else None)
