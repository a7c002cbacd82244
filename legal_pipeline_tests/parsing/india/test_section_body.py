"""What stands in a section of an Indian Act, on invented Acts."""

from __future__ import annotations

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing import registry
from legal_pipeline.parsing.india.blocks import Paragraph
from legal_pipeline.parsing.india.section_starts import section_starts
from legal_pipeline.parsing.text_lines import TextLine

HEAD = """---
title: "The Harbour Pilots Act, 1931"
language: en
part: 1
parts: 1
source: "https://www.indiacode.nic.in/handle/1/2"
---
# The Harbour Pilots Act, 1931

Sections: 1 to 1

"""


def act(body: str, heading: str = "Duties of pilots.") -> Document:
    return registry.parse(SourceFile("pilots.md", f"{HEAD}## Section 1 - {heading}\n\n{body}\n".encode()))


def by_eid(document: Document) -> dict[str, Node]:
    return {node.eid: node for node in document.walk() if node.eid}


def test_clauses_stand_in_their_sub_section_and_sub_clauses_in_their_clause() -> None:
    document = act(
        "(1) A pilot shall--\n\n(a) report\nto the master; and\n\n(b) carry--\n\n(i) a chart;\n\n(ii) a lamp.\n\n(2) A master shall pay."
    )
    nodes = by_eid(document)
    assert document.text_of(nodes["sec_1__subsec_1__para_a"]) == "(a) report to the master; and"
    assert nodes["sec_1__subsec_1__para_b__item_ii"].num == "ii"
    assert document.text_of(nodes["sec_1__subsec_2"]) == "(2) A master shall pay."


def test_i_after_h_is_the_letter_when_j_follows() -> None:
    letters = "abcdefghij"
    document = act("A pilot shall not--\n\n" + "\n\n".join(f"({letter}) do thing {letter};" for letter in letters))
    assert [node.num for node in document.nodes[0].children if node.type == "paragraph"] == list(letters)


def test_i_after_h_is_roman_when_ii_follows() -> None:
    document = act("\n\n".join(["(g) one;", "(h) two that--", "(i) is old;", "(ii) is new;", "(i) three."]))
    nodes = by_eid(document)
    assert [node.num for node in document.nodes[0].children if node.type == "paragraph"] == ["g", "h", "i"]
    assert [node.num for node in nodes["sec_1__para_h"].children] == ["i", "ii"]


def test_inserted_numbers_go_on_in_their_list() -> None:
    document = act("(1) One.\n\n(1A) One and a half.\n\n(2) Two that--\n\n(a) is;\n\n(aa) was;\n\n(b) will be.")
    nodes = by_eid(document)
    assert {"sec_1__subsec_1a", "sec_1__subsec_2__para_aa", "sec_1__subsec_2__para_b"} <= nodes.keys()


def test_a_proviso_belongs_to_the_clause_whose_list_goes_on_after_it() -> None:
    document = act("(1) A pilot may--\n\n(a) anchor:\n\nProvided that the tide allows it;\n\n(b) sail.")
    assert by_eid(document)["sec_1__subsec_1__para_a__proviso_1"].type == "proviso"


def test_a_proviso_after_the_last_clause_belongs_to_the_sub_section() -> None:
    document = act("(1) A pilot may--\n\n(a) anchor;\n\n(b) sail:\n\nProvided that he is sober.\n\n(2) More.")
    assert "sec_1__subsec_1__proviso_1" in by_eid(document)


def test_words_that_close_a_list_belong_to_what_opened_it() -> None:
    document = act("(1) Whoever--\n\n(a) lies; or\n\n(b) cheats,\n\nshall be punished.\n\n(2) More.")
    nodes = by_eid(document)
    assert document.text_of(nodes["sec_1__subsec_1"]).endswith("shall be punished.")
    assert not document.text_of(nodes["sec_1__subsec_1__para_b"]).endswith("shall be punished.")


def test_an_explanation_that_names_the_section_belongs_to_the_section() -> None:
    document = act('(1) One.\n\n(2) Two.\n\nExplanation.--For the purposes of this section, "tide" means high water.')
    assert "sec_1__explanation_1" in by_eid(document)


def test_illustrations_between_two_explanations_belong_to_the_first() -> None:
    document = act("Rule.\n\nExplanation 1.--So.\n\nIllustration\n\nA pilots a ship.\n\nExplanation 2.--Thus.")
    assert "sec_1__explanation_1__illustration_1" in by_eid(document)


def test_an_illustration_in_one_paragraph_belongs_to_the_explanation_before_it() -> None:
    document = act("Rule.\n\nExplanation 1.--So.\n\nIllustration.--A pilots a ship.\n\nExplanation 2.--Thus.")
    assert "sec_1__explanation_1__illustration_1" in by_eid(document)


def test_lettered_illustrations_are_items_with_their_further_paragraphs() -> None:
    document = act("Rule.\n\nIllustrations\n\n(a) A pilots a ship.\n\nThe ship sinks.\n\n(b) B drowns.")
    nodes = by_eid(document)
    assert document.text_of(nodes["sec_1__illustration_1__item_a"]) == "(a) A pilots a ship.\n\nThe ship sinks."
    assert nodes["sec_1__illustration_1__item_b"].num == "b"


def test_a_definition_is_a_node_and_its_clause_keeps_the_eid_that_lawyers_cite() -> None:
    document = act(
        'In this Act,--\n\n(a) "pilot" means a person who--\n\n(i) is licensed;\n\n(ii) is sober;\n\n(b) "tide" includes ebb.',
        heading="Definitions.",
    )
    nodes = by_eid(document)
    assert document.nodes[0].attributes == {"definitions": True}
    definition = nodes["sec_1__para_a__def_1"]
    assert definition.attributes == {"term": "pilot"}
    assert document.text_of(definition).startswith('"pilot" means')
    assert [child.eid for child in definition.children] == ["sec_1__para_a__item_i", "sec_1__para_a__item_ii"]


def test_an_explanation_in_a_definitions_section_is_not_a_defined_term() -> None:
    nodes = by_eid(
        act(
            '(1) "vessel" includes a raft.\n\nExplanation.—For the purposes of this sub-section, a raft includes a float.',
            heading="Definitions.",
        )
    )
    assert [node.attributes["term"] for node in nodes.values() if node.type == "definition"] == ["vessel"]
    assert "sec_1__subsec_1__explanation_1" in nodes


def test_a_definition_after_one_with_a_list_stands_beside_it() -> None:
    text = '"vessel" means—\n\n(a) a ship;\n\n(b) a raft.\n\n"port" means a place that is gazetted.'
    document = act(text, heading="Definitions.")
    found = [node for node in by_eid(document).values() if node.type == "definition"]
    assert [node.attributes["term"] for node in found] == ["vessel", "port"]
    assert "port" not in document.text[found[0].start : found[0].end]


def test_definitions_without_numbers_stand_in_the_sub_section_that_announces_them() -> None:
    text = '(1) In this Act,—\n\n"vessel" means a ship;\n\n"port" means a place.\n\n(2) Words have their usual meaning.'
    nodes = by_eid(act(text, heading="Definitions."))
    (subsection,) = [node for node in nodes.values() if node.type == "subsection" and node.num == "1"]
    assert [child.attributes["term"] for child in subsection.children] == ["vessel", "port"]


def test_a_footnote_mark_is_no_text_and_becomes_an_amendment_where_it_stood() -> None:
    document = act(
        "(1) It extends to India ^1***.\n\n^2[(2) A pilot shall be paid.]\n\n### Footnotes\n\n"
        '1. The words "except Goa" omitted by Act 12 of 1962, s. 3 (w.e.f. 1-4- 1962).\n\n2. Ins. by s. 4, ibid.'
    )
    section, nodes = document.nodes[0], by_eid(document)
    assert document.text_of(nodes["sec_1__subsec_1"]) == "(1) It extends to India."
    assert document.text_of(nodes["sec_1__subsec_2"]) == "(2) A pilot shall be paid."
    first, second = section.amendments
    assert (first.by, first.date, first.action) == ("Act 12 of 1962", "1962-04-01", "omitted")
    assert (second.by, second.action) == ("Act 12 of 1962", "inserted")
    assert nodes["sec_1__subsec_2"].amendments == (second,)
    assert [child.num for child in section.children if child.type == "footnote"] == ["1", "2"]


def test_marks_of_footnotes_do_not_count_as_lost_words() -> None:
    dues = [f"({number}) Dues of class {number} are due ^1[in coin]." for number in range(2, 60)]
    document = act("\n\n".join(["(1) Dues are due.", *dues, "### Footnotes", "1. Ins. by Act 4 of 1962, s. 3."]))
    assert document.warnings == ()


def test_every_character_leads_back_to_the_raw_text_past_the_marks_that_were_cut() -> None:
    raw = f"{HEAD}## Section 1 - Pay  of  pilots.\n\n(1) It  extends ^1[to\nall of ^2[British]] India ^3*** .\n\n^4[(2) Pay.]\n"
    document = registry.parse(SourceFile("pay.md", raw.encode()))
    assert document.text.startswith("Section 1 - Pay of pilots.")
    assert document.nodes[0].heading == "Pay of pilots"
    for offset, character in enumerate(document.text):
        if not character.isspace():
            position = document.raw_offset(offset)
            assert position is not None
            assert raw[position] == character


def test_a_repealed_section_is_kept_with_its_status_and_no_act_is_guessed_for_ibid() -> None:
    document = act("[Light dues.] Rep. by s. 9, ibid.", heading="Repealed.")
    assert document.nodes[0].status == "repealed"
    assert document.nodes[0].amendments == ()


def test_a_number_that_stands_twice_keeps_both_sections() -> None:
    raw = f"{HEAD}## Section 1 - Dues.\n\nDues are due.\n\n## Section 1 - Repealed.\n\n[Dues.] Rep. by Act 3 of 1940, s. 2.\n"
    document = registry.parse(SourceFile("twice.md", raw.encode()))
    assert [(node.eid, node.status) for node in document.nodes] == [("sec_1", "in_force"), ("sec_1-2", "repealed")]


def test_a_blank_line_of_a_page_does_not_end_a_reference() -> None:
    rows = (
        "Section 1. Lamps",
        "It is read with",
        "",
        "Section 2. Ports Act",
        "",
        "The lamp is lit.",
        "Section 3. Horns",
    )

    def starts(page: int) -> list[int]:
        return [start.line for start in section_starts([TextLine(row, 0, page) for row in rows])]

    assert starts(1) == [0, 6]
    assert starts(0) == [0, 3, 6]


def test_a_paragraph_without_its_number_begins_with_a_word() -> None:
    assert Paragraph("12.   The keeper shall light the lamp.").without(3).text == "The keeper shall light the lamp."


def test_the_term_behind_two_numbers_is_defined_and_an_illustration_defines_none() -> None:
    defined = act("(1) (a) “lamp” means a lantern of a boat.\n\n(b) “horn” means a horn of a boat.")
    assert [node.attributes["term"] for node in defined.walk() if node.type == "definition"] == ["lamp", "horn"]
    shown = act("(1) A pilot shall carry a lamp.\n\nIllustration.—(a) “Lamp” means a lantern to A.")
    assert not [node for node in shown.walk() if node.type == "definition"]


def test_the_illustrations_of_the_last_explanation_are_its_own_if_those_of_an_earlier_one_are() -> None:
    text = (
        "Rule.\n\nExplanation 1.--So.\n\nIllustration\n\nA pilots.\n\nExplanation 2.--Thus.\n\nIllustration\n\nB rows."
    )
    assert "sec_1__explanation_2__illustration_1" in by_eid(act(text))
    alone = act("Rule.\n\nExplanation 1.--So.\n\nExplanation 2.--Thus.\n\nIllustration\n\nB rows.")
    assert "sec_1__illustration_1" in by_eid(alone)
