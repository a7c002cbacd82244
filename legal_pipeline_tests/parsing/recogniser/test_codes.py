"""Codes of cities and states: sections whose numbers begin with that of their chapter.

Not here: a chapter of a code in a file of its own (`test_labels_of_other_texts`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(text: str, name: str = "code.txt") -> Document:
    return parse(SourceFile(name, text.encode()))


def sections(document: Document) -> list[str | None]:
    return [node.eid for node in document.walk() if node.type == "section"]


_BY_ARTICLES = """CODE OF THE CITY OF LAMPTON

CHAPTER 1. ADMINISTRATION

Article 1. General Provisions

1-101. Code designated. This code shall be known as the "Lampton City Code".

1-102. Definitions. In this code:

(a) City - means the City of Lampton.

(b) Code - means this code.

1-103. Ordinances. The ordinances of the city remain in force.

Article 2. Governing Body

1-201. Council. The city has a council.

1-202. Powers. The council governs the harbour.

CHAPTER 2. ANIMALS

Article 1. General Provisions

2-101. Owner. An owner is a person who keeps an animal.

2-102. Animals at large. No owner shall let an animal run at large.
"""


def test_sections_of_all_chapters_are_provisions() -> None:
    document = read(_BY_ARTICLES)
    assert sections(document) == [
        "chp_1__dvs_1__sec_1-101",
        "chp_1__dvs_1__sec_1-102",
        "chp_1__dvs_1__sec_1-103",
        "chp_1__dvs_2__sec_1-201",
        "chp_1__dvs_2__sec_1-202",
        "chp_2__dvs_1__sec_2-101",
        "chp_2__dvs_1__sec_2-102",
    ]
    assert document.title == "Lampton City Code"
    assert document.warnings == ()


def _titles(dash: str) -> str:
    return f"""TITLE 17{dash}ZONING

CHAPTER 17.04{dash}GENERAL PROVISIONS

17.04.010{dash}Short title.

This title is the zoning ordinance.

17.04.020{dash}Definitions.

A. "Alley" means a narrow way.

B. "Pier" means a way into the harbour.

CHAPTER 17.08{dash}DISTRICTS

17.08.010{dash}Districts.

There are three districts: harbour, farm and town.

17.08.030{dash}Map.

The map is part of this title. (Ord. 12 § 1, 2031)

CHAPTER 17.10A{dash}SIGNS

17.10A.010{dash}Permits.

Signs need a permit.
"""


@pytest.mark.parametrize("dash", [" - ", " "])
def test_numbers_of_title_chapter_and_section_are_one_number(dash: str) -> None:
    document = read(_titles(dash))
    assert sections(document) == [
        "title_17__chp_17.04__sec_17.04.010",
        "title_17__chp_17.04__sec_17.04.020",
        "title_17__chp_17.08__sec_17.08.010",
        "title_17__chp_17.08__sec_17.08.030",
        "title_17__chp_17.10a__sec_17.10a.010",
    ]
    assert document.warnings == ()


def test_a_list_of_the_sections_of_each_chapter_is_not_the_sections() -> None:
    text = _titles(" ").replace("DISTRICTS\n", "DISTRICTS\n\nSections:\n\n17.08.010 Districts.\n\n17.08.030 Map.\n")
    document = read(text)
    texts = {node.num: document.text_of(node) for node in document.walk() if node.type == "section"}
    assert len(texts) == len(sections(document)) == 5
    assert texts["17.08.010"].endswith("harbour, farm and town.")


def test_numbers_of_two_parts_are_sections_where_the_chapters_say_so() -> None:
    document = read(
        "HARBOUR ORDINANCE\n\nChapter 1: Rules\n\n1.01 Title\n\nThis is the ordinance.\n\n1.02 Purpose\n\nIt guides the port.\n\n"
        "1.03 Conflict\n\nThe stricter rule applies.\n\nChapter 2: Lots\n\n2.01 Limits\n\nA lot has limits.\n\n"
        "2.02 Division\n\nA lot is not divided.\n\n2.10 Kennels\n\nKennels are allowed on farms.\n"
    )
    assert sections(document) == [
        "chp_1__sec_1.01", "chp_1__sec_1.02", "chp_1__sec_1.03", "chp_2__sec_2.01", "chp_2__sec_2.02", "chp_2__sec_2.10",
    ]  # fmt: skip


def test_prices_in_order_are_not_sections_of_a_code() -> None:
    rows = [f"{number}.{number}50 Lamps of class {number}\n\nThey are sold in the harbour." for number in range(1, 9)]
    assert sections(read("\n\n".join(["Price list", *rows]))) == []


def test_a_division_below_an_article_is_inside_it() -> None:
    text = (
        "Chapter 5 - ANIMALS\n\nARTICLE I. - IN GENERAL\n\nSec. 5-1. - Animals.\n\nAn animal is a creature.\n\nSec. 5-2. - Owners.\n\n"
        "An owner keeps animals.\n\nARTICLE II. - DOGS\n\nDIVISION 1. - GENERALLY\n\nSec. 5-26. - License.\n\nA dog needs a license.\n\n"
        "DIVISION 2. - KENNELS\n\nSec. 5-40. - Fee.\n\nThe fee is five dollars.\n"
    )
    assert sections(read(text)) == [
        "chp_5__dvs_i__sec_5-1",
        "chp_5__dvs_i__sec_5-2",
        "chp_5__dvs_ii__dvs_1__sec_5-26",
        "chp_5__dvs_ii__dvs_2__sec_5-40",
    ]


def test_a_sentence_before_its_source_is_not_the_heading_of_the_next_section() -> None:
    page = "".join(
        f"<h3>9.04.0{number}0 Rule {number}.</h3><p>Council {number} hears the keeper. (Ord. {number} § 1, 2031)</p>"
        for number in range(1, 7)
    )
    document = read(f"<html><body><h1>Chapter 9.04 NOISE</h1>{page}</body></html>", "noise.html")
    texts = [document.text_of(node) for node in document.walk() if node.type == "section"]
    assert [text.split("\n\n")[-1] for text in texts] == [
        f"Council {number} hears the keeper. (Ord. {number} § 1, 2031)" for number in range(1, 7)
    ]


def test_an_article_without_sections_is_beside_the_article_with_divisions_of_sections() -> None:
    def provisions(first: int) -> str:
        return "\n\n".join(
            f"#### § {number}\n\nDer Wärter zündet die Lampe {number} an." for number in (first, first + 1)
        )

    document = read(
        f"# Verordnung über Lampen\n\n## Artikel 1\n\n### Abschnitt 1 Allgemeines\n\n{provisions(1)}\n\n"
        f"### Abschnitt 2 Besonderes\n\n{provisions(3)}\n\n## Artikel 2\n\n(Aufhebung anderer Vorschriften)\n\n"
        "## Artikel 3\n\nDiese Verordnung tritt am 1. Mai 2031 in Kraft.\n",
        "verordnung.md",
    )
    above = {
        (node.type, node.num): [parent.num for parent in parents]
        for node, parents in document.walk_with_ancestors()
        if node.type in ("section", "article")
    }
    assert above == {
        **{("section", number): ["1", "1"] for number in ("1", "2")},
        **{("section", number): ["1", "2"] for number in ("3", "4")},
        ("article", "2"): [],
        ("article", "3"): [],
    }


def test_sections_of_a_chapter_below_its_number_need_not_be_five() -> None:
    text = "CHAPTER 0. GENERAL PROVISIONS\n\nNRS 0.010 Scope. This chapter is general.\n\nNRS 0.020 Lamps. A lamp is a light."
    document = read(text)
    assert sections(document) == ["chp_0__sec_0.010", "chp_0__sec_0.020"]
    assert document.title == "CHAPTER 0. GENERAL PROVISIONS"
    assert document.warnings == ()  # no digit of "0.010" is a raised one
    assert sections(read(text.removeprefix("CHAPTER 0. "))) == []


def test_a_chapter_with_a_section_of_another_law_keeps_its_title() -> None:
    numbers = [f"812.0{number}" for number in range(10, 21)]
    text = "CHAPTER 812 LAMPS\n\n" + "\n\n".join(
        f"{number} Lamp. The keeper lights lamp {number}." for number in numbers
    )
    assert read(f"{text}\n\nSec. 8. Sunset. Section 812.010 is repealed in 2039.").title == "CHAPTER 812 LAMPS"


_RULES = """CHAPTER 45
CLIENT LAMPS

DIVISION I
LAMPS

Rule 45.101 Duties

Rule 45.102 Records

DIVISION II
FEES

Rule 45.201 Fee

Rule 45.202 Waiver

CHAPTER 45
CLIENT LAMPS

DIVISION I
LAMPS

Rule 45.101 Duties.

45.101(1) The keeper lights the lamp at dusk and puts it out at dawn.

45.101(2) A keeper must:

a. Keep a record of:

(1) each lamp that goes out; and

(2) the oil that it burns.

b. Report to the harbour.

45.101(3) The harbour may inspect the lamp.

Rule 45.102 Records. Records are open to the owner.

DIVISION II
FEES

Rule 45.201 Fee. The owner of a boat pays a fee for the lamp.

Rules 45.202 to 45.300 Reserved.
"""


def test_paragraphs_with_the_whole_number_of_their_rule_are_its_subsections() -> None:
    document = read(_RULES)
    rule = next(node for node in document.walk() if node.num == "45.101" and node.type == "section")
    assert [(node.type, node.num, node.eid.split("sec_45.101")[1]) for node in rule.walk() if node.num][1:] == [
        ("subsection", "1", "__subsec_1"),
        ("subsection", "2", "__subsec_2"),
        ("paragraph", "a", "__subsec_2__para_a"),
        ("item", "1", "__subsec_2__para_a__item_1"),
        ("item", "2", "__subsec_2__para_a__item_2"),
        ("paragraph", "b", "__subsec_2__para_b"),
        ("subsection", "3", "__subsec_3"),
    ]
    assert document.text_of(rule.children[-1]).startswith("45.101(3) The harbour")


def test_a_chapter_whose_heading_is_repeated_below_its_contents_is_one_chapter() -> None:
    rules = "\n\n".join(f"Rule 45.{number} Lamp of pier {number}." for number in range(1, 9))
    law = rules.replace(".\n", ".\n\nThe keeper of this pier lights its lamp at dusk.\n")
    head = "# CHAPTER 45\n\n# CLIENT LAMPS\n\n"
    document = read(f"{head}{rules}\n\n{head}{law}", "rules.md")
    assert [node.eid for node in document.walk() if node.type == "chapter"] == ["chp_45"]
    assert document.title == "CLIENT LAMPS"
    assert len(sections(document)) == 8


def test_the_only_rule_of_a_division_is_a_provision_although_numbers_before_it_are_free() -> None:
    document = read(_RULES)
    assert sections(document)[:3] == [
        "chp_45__dvs_i__sec_45.101",
        "chp_45__dvs_i__sec_45.102",
        "chp_45__dvs_ii__sec_45.201",
    ]
    assert document.warnings == ()


_BY_HUNDREDS = """FEDERAL RULES OF LAMPS

ARTICLE I. GENERAL PROVISIONS

Rule 101. Scope; Definitions

(a) Scope. These rules apply to lamps in harbors.

(b) Definitions. In these rules:

(1) "lamp" means a light; and

(2) "keeper" means a person who lights it.

Rule 102. Purpose

These rules keep the lamps burning.

ARTICLE II. NOTICE OF NIGHT

Rule 201. Notice of Night

A court may take notice of the night.

ARTICLE III. PRESUMPTIONS

Rule 301. Presumptions in General

A lamp is presumed to burn.
"""


def test_rules_with_a_hundred_numbers_for_each_article_are_inside_the_articles() -> None:
    document = read(_BY_HUNDREDS)
    assert sections(document) == ["dvs_i__sec_101", "dvs_i__sec_102", "dvs_ii__sec_201", "dvs_iii__sec_301"]
    assert document.warnings == ()


def test_digits_that_a_letter_announces_are_inside_the_letter() -> None:
    rule = next(node for node in read(_BY_HUNDREDS).walk() if node.num == "101")
    assert [(node.type, node.num) for node in rule.walk() if node.num][1:] == [
        ("paragraph", "a"),
        ("paragraph", "b"),
        ("item", "1"),
        ("item", "2"),
    ]


_BY_PARTS = """LAMP BYLAW NO. 12

{said}

PART 1 – CITATION

1.1 {cited}

1.2 In this text “lamp” means an oil lamp.

PART 2 – KEEPING OF LAMPS

2.1 No person shall keep more than:

(a) four lamps in a house; or

(b) eight lamps in a harbour.

2.2 No person shall sell a lamp.

2.4 The keeper may issue a permit.

2.4A A permit expires in December.

PART 3 – OFFENCES

3.1 A person who contravenes section 2.1 commits an offence.

3.2 The fine is ten dollars.
"""


def test_sections_of_a_bylaw_are_numbered_by_their_part() -> None:
    document = read(
        _BY_PARTS.format(said="A Bylaw on lamps", cited="This Bylaw may be cited as “Lamp Bylaw No. 12, 2031”.")
    )
    assert sections(document) == [
        "part_1__sec_1.1", "part_1__sec_1.2", "part_2__sec_2.1", "part_2__sec_2.2", "part_2__sec_2.4", "part_2__sec_2.4a",
        "part_3__sec_3.1", "part_3__sec_3.2",
    ]  # fmt: skip
    assert (document.title, document.doc_type) == ("Lamp Bylaw No. 12, 2031", "regulation")


def test_a_manual_and_a_contract_with_such_numbers_are_no_law_unless_this_is_stated() -> None:
    manual = _BY_PARTS.format(said="A manual on lamps", cited="This manual is about lamps.")
    contract = _BY_PARTS.format(said="An agreement", cited="This Agreement is about lamps.")
    assert [read(text).doc_type for text in (manual, contract)] == ["other", "other"]
    stated = parse(SourceFile("code.txt", manual.encode(), hints={"doc_type": "regulation"}))
    assert len(sections(stated)) == 8
