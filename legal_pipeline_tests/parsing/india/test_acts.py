"""Formats of Indian Acts and their identity, on invented Acts; and Acts in several parts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import DocumentError, ParseError, TruncatedDocumentError
from legal_pipeline.model.document import Amendment, Document
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.india.act_lines import write_act
from legal_pipeline.parsing.india.identity import act_identity, judgment_identity
from legal_pipeline.parsing.india.section_starts import repeated_numbers, section_starts
from legal_pipeline.parsing.india.section_writer import NoteReader
from legal_pipeline.parsing.parts import join_parts
from legal_pipeline.parsing.text_lines import TextLine


def parse(text: str, name: str = "act.txt") -> Document:
    return registry.parse(SourceFile(name, text.encode()))


PLAIN = """THE LIGHTHOUSES (DUES) ACT, 1928

ARRANGEMENT OF SECTIONS
1. Short title.
2. Dues.
3. Penalty.

THE LIGHTHOUSES (DUES) ACT, 1928
ACT NO. 19 OF 1928
An Act to provide for dues in the ports of India.
BE it enacted by the Indian Legislature as follows:—

CHAPTER I
PRELIMINARY

1. Short title.—This Act may be called the Lighthouses (Dues) Act, 1928.
2. Dues.—(1) The master of a ship shall pay dues under sub-section
(2) of this section and section
3. of the Ports Act:
Provided that no dues are payable by a ship in distress.
(2) The rates are—
(a) two annas; and
(b) four annas.

CHAPTER II
PENALTIES

3. Penalty.—Whoever does not pay shall be punished.

THE FIRST SCHEDULE
Port Dues
Bombay 2
Madras 4
"""


def test_sections_of_printed_acts_are_found_behind_the_arrangement_of_sections() -> None:
    document = parse(PLAIN)
    assert document.format == "india_act_text"
    assert (document.document_id, document.work_uri) == ("in-act-1928-19", "/akn/in/act/1928/19")
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    assert [node.heading for node in document.provisions()] == ["Short title", "Dues", "Penalty"]
    assert [(node.type, node.num, node.heading) for node in document.nodes if node.type in ("chapter", "schedule")] == [
        ("chapter", "I", "PRELIMINARY"),
        ("chapter", "II", "PENALTIES"),
        ("schedule", "1", "The First Schedule"),
    ]


def test_a_repealed_section_keeps_the_heading_that_is_printed_in_brackets() -> None:
    document = parse(
        PLAIN.replace(
            "3. Penalty.—Whoever does not pay shall be punished.", "3. [Penalty.] Omitted by Act 9 of 1996, s. 4."
        )
    )
    assert [(node.heading, node.status) for node in document.provisions()][2] == ("Penalty", "omitted")


def test_a_reference_wrapped_to_a_line_start_is_neither_section_nor_sub_section() -> None:
    section = next(node for node in parse(PLAIN).provisions() if node.num == "2")
    assert [(child.type, child.num) for child in section.children if child.type != "heading"] == [
        ("subsection", "1"),
        ("subsection", "2"),
    ]


def test_the_patterns_of_seed_001_are_read() -> None:
    document = parse(
        "This Act may be called the Tide Tables Act, 1950, and extends to India.\n\n"
        "Section 1. Definitions\n(1) In this Act, tide means water.\n\n"
        "Sec. 2 Publication\n(1) The Government of India shall publish—\n(a) tables;\n(b) charts.\nProvided that charts may wait.\n"
        "Explanation. Charts include maps.\n"
    )
    assert [node.num for node in document.provisions()] == ["1", "2"]
    assert {"subsection", "paragraph", "proviso", "explanation"} <= {node.type for node in document.walk()}


def test_key_names_of_json_acts_may_differ() -> None:
    rows = [
        {
            "Chapter": 1,
            "chapter_title": "start",
            "Section": 1,
            "section_title": "Title",
            "section_desc": "This Act may be called the Quays Act, 1930.",
        },
        {
            "Chapter": 1,
            "chapter_title": "start",
            "Section": "1A",
            "section_title": "Quay",
            "section_desc": "A 2[quay] is\n\t\t(a) stone;\n\t\t(b) wood.",
        },
    ]
    document = parse(json.dumps(rows), "quays.json")
    assert [node.num for node in document.provisions()] == ["1", "1A"]
    assert "A quay is" in document.text
    assert (document.title, document.document_id) == ("Quays Act, 1930", "in-act-quays-act-1930")


def test_a_json_act_with_stops_behind_its_numbers_and_an_omission_in_its_name() -> None:
    rows = [
        {
            "section": 1,
            "description": "This Act may be called the 1*** Quays Act, and shall come into operation at once.",
        },
        {"section": "1A.", "description": "A quay is a wharf."},
    ]
    document = parse(json.dumps(rows), "quays.json")
    assert document.title == "Quays Act"
    assert [node.num for node in document.provisions()] == ["1", "1A"]


def test_a_csv_table_pushed_through_a_json_converter_says_so() -> None:
    with pytest.raises(ParseError, match=r"CSV table.*single key 'chapter,section,section_desc'"):
        parse(json.dumps([{"chapter,section,section_desc": '1,1,"A'}, {"chapter,section,section_desc": ""}]), "x.json")


def test_a_json_act_whose_entry_lacks_the_text_is_refused_with_its_position() -> None:
    rows = [{"section": 1, "section_desc": "This Act may be called the Quays Act, 1930."}, {"section": 2}]
    with pytest.raises(ParseError, match="entry 1"):
        parse(json.dumps(rows), "x.json")


def test_a_json_act_that_was_cut_off_is_truncated() -> None:
    whole = json.dumps([{"section": 1, "section_desc": "This Act may be called the Quays Act, 1930."}])
    with pytest.raises(TruncatedDocumentError):
        parse(whole[:-12], "x.json")


def page_act(pages: int, said: int, text: str = "1. Short title.—This Act may be called the Buoys Act, 1933.") -> str:
    body = "\n\n".join(
        f"## Page {number}\n\n{number}\n{text if number == 1 else 'THE SCHEDULE'}" for number in range(1, pages + 1)
    )
    return f'---\ntitle: "The Buoys Act, 1933"\nlanguage: en\n---\nPages: 1 to {said}\n\n{body}\n'


def test_page_numbers_are_nodes_beside_the_sections() -> None:
    document = parse(page_act(2, 2), "buoys.md")
    assert [node.num for node in document.provisions()] == ["1"]
    assert [document.text_of(node) for node in document.walk() if node.type == "page_number"] == ["1", "2"]


def test_a_file_that_holds_fewer_pages_than_it_says_was_cut_off() -> None:
    with pytest.raises(TruncatedDocumentError, match="pages 1 to 3"):
        parse(page_act(2, 3), "buoys.md")


def test_garbled_pages_stay_pages_and_ask_for_a_person() -> None:
    document = parse(page_act(1, 1, text="1. संवक्षप्त नाम — द्व ारा प्र वत ग् या रहिें " * 10), "buoys.md")
    assert [node.type for node in document.nodes] == ["page"]
    assert document.requires_manual_review


def test_links_notation_is_the_act_it_caches() -> None:
    lino = (
        "root:\n  law root_law\nroot_law:\n  title `The Cranes Act, 1911`\n  actNumber (07)\n"
        "  enactmentDate 1911-03-02\n  sections root_sections\n"
        "root_sections:\n  root_s1\nroot_s1:\n  sectionNo (1)\n  title `Cranes.`\n  content root_s1_content\n  footnotes undefined\n"
        "root_s1_content:\n  string\n  line `(1) Cranes`\n  line `lift.`\n  line\n  line `(2) They swing.`\n"
    )
    document = parse(lino, "cranes.lino")
    assert (document.document_id, document.metadata["date_enacted"]) == ("in-act-1911-7", "1911-03-02")
    assert document.text == "Section 1 - Cranes.\n\n(1) Cranes lift.\n\n(2) They swing."


def test_an_act_is_named_by_what_it_says_then_by_its_pdf_then_by_the_list() -> None:
    assert act_identity("The Cranes Act, 1911", text="ACT NO. 7 OF 1911").document_id == "in-act-1911-7"
    assert (
        act_identity("The Cranes Act, 1911", links="https://x/bitstream/1/A1911-07.pdf").work_uri
        == "/akn/in/act/1911/7"
    )
    assert (
        act_identity("The Cranes Act, 1911", links="https://x/bitstream/1/A1912-07.pdf").document_id
        == "in-act-cranes-act-1911"
    )
    code = act_identity("Indian Penal Code")
    assert (code.document_id, code.replaced_by) == ("in-act-1860-45", "/akn/in/act/2023/45")


def test_a_judgment_is_named_by_its_neutral_citation() -> None:
    assert judgment_identity("2024 INSC 19", "x") == ("in-judgment-insc-2024-19", "/akn/in/judgment/insc/2024/19")
    assert judgment_identity(None, "A v. B") == ("in-judgment-a-v-b", None)


def part(number: int, parts: int, sections: str, title: str = "The Docks Act, 1935") -> Document:
    body = "\n\n".join(f"## Section {num} - Dock {num}.\n\nText of {num}." for num in sections.split())
    head = f'---\ntitle: "{title}"\nlanguage: en\npart: {number}\nparts: {parts}\n---\n\n'
    return parse(head + body + "\n", f"docks.{number}.md")


def test_parts_join_to_one_work_with_spans_and_eids_of_the_whole() -> None:
    whole = join_parts([part(2, 2, "2 3"), part(1, 2, "1 2")])
    assert [node.eid for node in whole.provisions()] == ["sec_1", "sec_2", "sec_2-2", "sec_3"]
    assert whole.text_of(list(whole.provisions())[3]) == "Section 3 - Dock 3.\n\nText of 3."
    assert whole.metadata["part_files"] == ["docks.1.md", "docks.2.md"]
    assert Document.loads(whole.dumps()) == whole


@pytest.mark.parametrize("doubtful", [1, 2])
def test_a_work_is_reviewed_when_one_of_its_parts_is(doubtful: int) -> None:
    parts = [replace(part(number, 2, str(number)), requires_manual_review=number == doubtful) for number in (1, 2)]
    assert join_parts(parts).requires_manual_review


def stated(number: int, parts: int, fetched_at: str | None, *pages: int) -> Document:
    document = part(number, parts, str(number))
    metadata = {**document.metadata, "range": list(pages)} if pages else document.metadata
    return replace(document, fetched_at=fetched_at, metadata=metadata, warnings=(f"page {number} is torn",))


def test_a_work_has_the_range_of_all_its_parts_and_is_as_new_as_the_newest() -> None:
    parts = [stated(2, 3, None, 4, 6), stated(3, 3, "2031-01-01", 7, 9), stated(1, 3, "2031-02-02", 1, 3)]
    whole = join_parts(parts)
    assert (whole.metadata["range"], whole.fetched_at) == ([1, 9], "2031-02-02")
    assert "part" not in whole.metadata
    assert whole.warnings == ("page 1 is torn", "page 2 is torn", "page 3 is torn")
    assert "range" not in join_parts([stated(1, 2, None, 1, 3), stated(2, 2, None)]).metadata


def test_the_part_that_states_the_most_parts_says_how_many_there_are() -> None:
    with pytest.raises(TruncatedDocumentError, match="part 3 of 3 is missing"):
        join_parts([part(1, 2, "1"), part(2, 3, "2")])


def test_a_missing_part_is_named() -> None:
    with pytest.raises(TruncatedDocumentError, match="part 2 of 3 is missing"):
        join_parts([part(1, 3, "1"), part(3, 3, "3")])


def test_a_part_that_comes_twice_is_named() -> None:
    with pytest.raises(DocumentError, match="duplicate part 1 of 2"):
        join_parts([part(1, 2, "1"), part(1, 2, "2"), part(2, 2, "3")])


def test_parts_of_different_works_do_not_join() -> None:
    with pytest.raises(DocumentError, match="parts of different works"):
        join_parts([part(1, 2, "1"), part(2, 2, "2", title="The Quays Act, 1935")])


def test_a_chapter_in_small_letters_is_a_division_where_it_stands_alone() -> None:
    sections = "\n\n".join(f"Section {n}: Lamp {n}\n\nLamp {n} is lit in every port of India." for n in range(1, 5))
    text = "An Act to light lamps.\n\nTHE LAMPS ACT, 1931\n\nChapter 1\n\n" + sections.replace(
        "Section 3", "Chapter II\n\nSection 3"
    ).replace("in every port", "under\nChapter 1\nin every port", 1)
    document = registry.parse(SourceFile("act.txt", text.encode()), "india_act_text")
    found = [
        (node.num, [parent.num for parent in parents])
        for node, parents in document.walk_with_ancestors()
        if node.type == "section"
    ]
    assert found == [("1", ["1"]), ("2", ["1"]), ("3", ["II"]), ("4", ["II"])]


@pytest.mark.parametrize(
    ("printed", "missing"),
    [
        ("3.Dues of lamps.—", None),
        ("3.“Dues” of lamps.—", None),
        ("3.—Dues of lamps.—", None),
        ("'[3. Dues of lamps.-", None),
        ("²[3. Dues of lamps.—", None),
        ("13. Dues of lamps.—", "3"),
        ("1l3. Dues of lamps.—", "3"),
    ],
)
def test_a_number_that_the_print_hides_hides_no_section_after_it(printed: str, missing: str | None) -> None:
    names = ["Short title", "Dues of ports", "Dues of lamps", "Penalty for lamps", "Penalty for ports", "Saving"]
    arrangement = "\n".join(f"{num}. {name}." for num, name in enumerate(names, 1))
    sections = "\n".join(f"{num}. {name}.—The lamp of a port of India." for num, name in enumerate(names, 1))
    head = "THE LAMPS ACT, 1931\n\nARRANGEMENT OF SECTIONS\n" + arrangement
    body = "THE LAMPS ACT, 1931\nAct No. 7 of 1931\n\n" + sections.replace("3. Dues of lamps.—", printed)
    document = parse(f"{head}\n\n{body}\n")
    assert document.format == "india_act_text"
    assert [node.num for node in document.provisions()] == [num for num in "123456" if num != missing]
    assert document.requires_manual_review is (missing is not None)
    warned = [text for text in document.warnings if "of the arrangement of sections are not in the text: 3" in text]
    assert len(warned) == (missing is not None)


def test_numbers_in_a_list_are_not_sections_although_they_rise() -> None:
    text = PLAIN.replace(
        "(a) two annas; and\n(b) four annas.", "1. lamps;\n2. buoys;\n3. bells;\n17. pilots;\n18. cranes."
    )
    assert [node.num for node in parse(text).provisions()] == ["1", "2", "3"]


def test_a_section_whose_number_is_lost_in_print_does_not_take_all_behind_it() -> None:
    """The end of section 3 runs into the heading of section 4; a reference at a line start is still not a section."""
    sections = [
        f"Section {num}: Dues of port {num}\nThe dues of port {num} are paid in India." for num in (1, 2, 3, 5, 6, 7)
    ]
    sections[2] += " The master of a ship Section 4: Ports of\nSection 6 of the Ports Act."
    document = parse("THE PORTS ACT, 1928\nAct No. 19 of 1928\n\n" + "\n\n".join(sections))
    assert document.format == "india_act_text"
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "5", "6", "7"]


def test_sections_listed_before_the_text_without_a_heading_are_not_sections() -> None:
    numbers = range(1, 6)
    listed = "\n".join(f"Section {num}: Dues of port {num}" for num in numbers)
    sections = [f"Section {num}: Dues of port {num}\nThe dues of port {num} are paid in India." for num in numbers]
    document = parse("THE PORTS ACT, 1928\nAct No. 19 of 1928\n\n" + "\n\n".join([listed, *sections]))
    assert document.format == "india_act_text"
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4", "5"]
    assert all("are paid in India." in document.text_of(node) for node in document.provisions())


def test_two_sections_of_one_number_are_a_warning() -> None:
    sections = [
        f"Section {num}: Dues of port {num}\nThe dues of port {num} are paid in India." for num in (1, 2, 3, 3, 5)
    ]
    document = parse("THE PORTS ACT, 1928\nAct No. 19 of 1928\n\n" + "\n\n".join(sections))
    assert "two sections are numbered 3: the first is text of the section before it" in document.warnings


ABROAD = PLAIN.replace("in the ports of India", "in the ports of {country}").replace(
    "BE it enacted by the Indian Legislature as follows:—", "BE it enacted by the Parliament of {country} as follows:—"
)


@pytest.mark.parametrize("country", ["Malaysia", "Pakistan", "Sri Lanka"])
def test_an_act_of_another_country_that_names_india_is_not_indian(country: str) -> None:
    """It names India as the place of a treaty, and counts in lakhs as its neighbours do."""
    text = ABROAD.format(country=country) + "\nShips from India\nFive lakh rupees and two crore rupees\n"
    document = parse(text)
    assert document.jurisdiction == "xx"
    assert not document.document_id.startswith("in-")


def test_a_judgment_of_another_country_that_names_india_is_not_indian() -> None:
    judgment = (
        "IN THE HIGH COURT OF {country}\n\nRam Lamps (India) Ltd\nversus\nHarbour Board of {country}\n\nJUDGMENT\n\n"
        + "\n\n".join(
            f"{number}. The appellant and the respondents traded lamps between India and {{country}}."
            for number in range(1, 6)
        )
    )
    assert parse(judgment.format(country="Malaysia"), "judgment.txt").jurisdiction == "my"
    assert parse(judgment.format(country="Karnataka"), "judgment.txt").jurisdiction == "in"


@pytest.mark.parametrize("line", ["  key outside of an object", "no entry"])
def test_a_line_that_is_no_links_notation_is_named_with_its_number(line: str) -> None:
    head = "" if line.startswith(" ") else "root:\n  law root_law\n"
    with pytest.raises(ParseError, match=f"line {head.count(chr(10)) + 1}\\b"):
        registry.parse(SourceFile("cranes.lino", f"{head}{line}\n".encode()), "india_code_lino")


def _lines(*texts: str) -> list[TextLine]:
    return [TextLine(text, 100 * index, 0) for index, text in enumerate(texts)]


def test_sections_with_a_word_are_the_sections_although_a_list_has_up_to_twice_as_many_numbers() -> None:
    sections = ["Section 1. Lamps are lit.", "Section 2. The keeper keeps:"]
    items = [f"{number}. lamp {number};" for number in range(1, 5)]
    assert [start.num for start in section_starts(_lines(*sections, *items))] == ["1", "2"]
    assert [start.num for start in section_starts(_lines(*sections, *items, "5. lamp 5;"))] == ["1", "2", "3", "4", "5"]


def test_an_excerpt_may_begin_with_an_inserted_section() -> None:
    lines = _lines("4A. The Board keeps the lamps.", "5. The keeper is paid.")
    assert [start.num for start in section_starts(lines)] == ["4A", "5"]


def test_a_line_that_begins_with_a_reference_does_not_repeat_a_section() -> None:
    lines = _lines("Section 1. Lamps.", "Section 2. Dues.", "Section 3 applies to horns.", "Section 3. Penalty.")
    assert repeated_numbers(lines, section_starts(lines)) == []


def _written(*texts: str) -> DocumentBuilder:
    builder = DocumentBuilder()
    assert write_act(builder, _lines(*texts), "The Lamps Act") == []
    return builder


def test_an_arrangement_without_a_title_behind_it_ends_with_the_second_section_1() -> None:
    listed = ["ARRANGEMENT OF SECTIONS", "1. Lamps.", "2. Horns."]
    builder = _written(*listed, "1. Lamps.—Lamps burn.", "2. Horns.—Horns blow.")
    assert [(node.type, node.num) for node in builder.nodes] == [("toc", None), ("section", "1"), ("section", "2")]
    assert [builder.text[node.start : node.end] for node in builder.nodes[:2]] == [
        "\n".join(listed),
        "1. Lamps.—\n\nLamps burn.",
    ]


def test_the_chapters_of_a_part_lie_in_it() -> None:
    body = ["PART I", "CHAPTER I", "1. Lamps.—Lamps burn.", "CHAPTER II", "2. Horns.—Horns blow."]
    (part,) = _written(*body).nodes
    assert part.heading is None
    assert [(node.type, node.num) for node in part.children if node.num] == [("chapter", "I"), ("chapter", "II")]


@pytest.mark.parametrize("joint", ["; and", "; or", ", or", ";"])
def test_a_clause_on_the_line_below_a_clause_that_ends_with_a_joint_is_a_clause(joint: str) -> None:
    (section,) = _written("1. Dues.—The rates are—", f"(a) two annas{joint}", "(b) four annas.").nodes
    assert [(node.type, node.num) for node in section.children if node.num] == [("paragraph", "a"), ("paragraph", "b")]


def test_a_part_below_chapters_without_a_part_is_beside_them() -> None:
    body = [
        "CHAPTER I",
        "LAMPS",
        "1. Lamps.—Lamps burn.",
        "PART II",
        "HORNS",
        "CHAPTER II",
        "BRASS",
        "2. Horns.—Horns blow.",
    ]
    builder = _written(*body)
    assert [(node.type, node.num) for node in builder.nodes] == [("chapter", "I"), ("part", "II")]
    assert [(node.type, node.num) for node in builder.nodes[1].children if node.num] == [("chapter", "II")]


def test_the_word_schedule_alone_on_a_line_before_the_last_section_begins_no_schedule() -> None:
    builder = _written(
        "1. Lamps.—Lamps burn as said in the", "SCHEDULE I", "2. Horns.—Horns blow.", "SCHEDULE", "Brass."
    )
    assert [(node.type, node.num) for node in builder.nodes] == [("section", "1"), ("section", "2"), ("schedule", None)]
    first = builder.nodes[0]
    assert builder.text[first.start : first.end].endswith("SCHEDULE I")


def test_a_section_names_its_pages_and_has_no_page_number_in_its_text() -> None:
    texts = [("1. Lamps.—Lamps burn", 1), ("2", 2), ("at night.", 2), ("2. Horns.—Horns blow.", 2)]
    lines = [TextLine(text, 40 * place, page) for place, (text, page) in enumerate(texts)]
    builder = DocumentBuilder()
    assert write_act(builder, lines, "The Lamps Act") == []
    first, second = builder.nodes
    assert (first.attributes["pages"], second.attributes["pages"]) == ([1, 2], [2])
    assert builder.text[first.start : first.end] == "1. Lamps.—\n\nLamps burn at night."


def test_ibid_in_a_repealed_section_is_the_act_of_the_repealed_section_before_it() -> None:
    notes = NoteReader()
    assert notes.footnote("Ins. by Act 5 of 1940, s. 2.") == Amendment("Act 5 of 1940", action="inserted")
    assert notes.body("[Dues.] Rep. by s. 9, ibid.") is None
    assert notes.body("[Oil.] Rep. by Act 7 of 1950, s. 2.") == Amendment("Act 7 of 1950", action="repealed")
    assert notes.footnote("Subs. by s. 3, ibid.") == Amendment("Act 5 of 1940", action="substituted")
    assert notes.body("[Wick.] Rep. by s. 4, ibid.") == Amendment("Act 7 of 1950", action="repealed")
