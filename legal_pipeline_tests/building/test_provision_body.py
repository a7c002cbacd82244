"""Rules of the body of a provision that is written from blocks without mark-up."""

from __future__ import annotations

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.provision_body import Heading, write_body
from legal_pipeline.model.document import Node


def test_headings_one_below_the_other_are_one_heading_of_the_number_below_or_a_heading_alone() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        write_body(
            builder,
            [
                *(Heading("Lamps"), Heading("at night"), "(1) The lamp is lit."),
                *(Heading("Lamps by day"), "(2) The lamp is out."),
                *(Heading("Horns"), Heading("and bells")),
            ],
        )
    assert [(node.num, node.heading) for node in section.children] == [("1", "Lamps at night"), ("2", "Lamps by day")]
    headings = [builder.text[node.start : node.end] for node in section.walk() if node.type == "heading"]
    assert headings == ["Lamps at night", "Lamps by day", "Horns and bells"]


def test_a_node_that_ends_closes_the_nodes_that_were_opened_in_it() -> None:
    builder = DocumentBuilder()
    with builder.node("chapter", "1") as chapter:
        builder.open("section", "1")
        builder.open("subsection", "1")
        builder.block("The lamp is lit.", "block")
    assert builder.depth == 0
    assert all((node.start, node.end) == (0, len(builder.text)) for node in chapter.walk())


def test_the_outermost_of_several_open_nodes_of_a_kind_is_closed() -> None:
    builder = DocumentBuilder()
    for kind in ("part", "chapter", "section", "chapter", "section"):
        builder.open(kind)
    builder.close_through("chapter", "section")
    assert [node.type for node in builder.open_nodes] == ["part"]


def body(*blocks: str, inline: bool = False) -> Node:
    """Return section 1 with `blocks`."""
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        write_body(builder, blocks, inline=inline)
    return section


def test_a_remark_on_the_section_behind_its_last_subsection_is_beside_the_subsection() -> None:
    section = body("(1) The lamp is lit. [section amended by Act 7 of 2005]")
    assert [(node.type, len(node.amendments)) for node in section.children] == [("subsection", 0), ("remark", 1)]
    assert len(section.amendments) == 1


def test_a_remark_on_the_section_between_two_paragraphs_leaves_the_second_in_the_list() -> None:
    remark = "[section amended by Act 7 of 2005]"
    section = body("(1) The keeper shall—", f"(a) light the lamp; {remark}", "(b) blow the horn.")
    (subsection,) = section.children
    assert [(node.type, node.num) for node in subsection.children if node.num] == [
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]


def test_a_remark_on_a_proviso_that_is_gone_is_about_the_subsection_that_had_it() -> None:
    section = body("(1) The lamp is lit. [proviso repealed by Act 7 of 2005]", "(2) The horn is blown.")
    assert [len(node.amendments) for node in section.children] == [1, 0]


def test_a_number_inside_a_remark_begins_no_subsection() -> None:
    section = body("(1) The lamp is lit. [Note: (2) repealed by Act 7 of 2005 ] (3) The horn is blown.", inline=True)
    assert [node.num for node in section.children if node.num] == ["1", "3"]


def test_remarks_behind_one_another_keep_their_order_and_each_is_about_its_own_node() -> None:
    first, second = "[subsection inserted by Act 7 of 2005]", "[section amended by Act 9 of 2006]"
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        write_body(builder, [f"(1) The lamp is lit. {first} {second}", "(2) The horn is blown."])
    assert builder.text.index(first) < builder.text.index(second) < builder.text.index("(2)")
    assert [item.by for item in section.amendments] == ["Act 9 of 2006"]
    assert [[item.by for item in node.amendments] for node in section.children if node.num] == [["Act 7 of 2005"], []]


def test_a_term_of_which_only_a_remark_on_its_repeal_is_left_is_repealed() -> None:
    section = body("In this Act—", "“lamp” [definition repealed by Act 7 of 2005]", "“horn” means a horn of brass.")
    defined = [node for node in section.walk() if node.type == "definition"]
    assert [(node.attributes["term"], node.status) for node in defined] == [("lamp", "repealed"), ("horn", "in_force")]


def test_a_term_without_quotation_marks_does_not_go_on_with_the_words_above_it() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "1"):
        write_body(builder, ["In this Act", "master means the person who commands a ship", "and includes a mate."])
    assert builder.text == "In this Act\n\nmaster means the person who commands a ship and includes a mate."


def test_the_number_of_the_provision_may_be_printed_before_those_of_its_subsections() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "45.2") as section:
        write_body(builder, ["45.2(1) The lamp is lit.", "45.2(2) The horn is blown."], number="45.2")
    assert [(node.type, node.num) for node in section.children] == [("subsection", "1"), ("subsection", "2")]


def test_the_numbers_of_a_schedule_are_its_paragraphs_and_those_of_a_section_in_it_subsections() -> None:
    builder = DocumentBuilder()
    with builder.node("schedule", "1") as schedule:
        write_body(builder, ["(1) The lamp is lit.", "(2) The horn is blown."])
        with builder.node("section", "1"):
            write_body(builder, ["(1) The bell is rung."])
    assert [(node.type, node.num) for node in schedule.walk() if node.num] == [
        ("schedule", "1"),
        ("paragraph", "1"),
        ("paragraph", "2"),
        ("section", "1"),
        ("subsection", "1"),
    ]


def test_a_number_of_which_only_a_remark_on_its_repeal_is_left_is_repealed_and_keeps_the_remark() -> None:
    remark = "[paragraph deleted by Act 7 of 2005]"
    section = body("(1) The keeper shall—", f"(a){remark}", "(b) blow the horn.")
    first, second = (node for node in section.walk() if node.type == "paragraph")
    assert (first.num, first.status, first.end - first.start) == ("a", "repealed", len(f"(a){remark}"))
    assert (second.num, second.status) == ("b", "in_force")


def test_a_remark_on_what_is_not_open_is_about_the_innermost_open_node() -> None:
    builder = DocumentBuilder()
    with builder.node("chapter", "1") as chapter:
        write_body(builder, ["The lamps are lit. [subsection inserted by Act 7 of 2005]", "The horns are blown."])
    assert [item.by for item in chapter.amendments] == ["Act 7 of 2005"]


def outline(section: Node) -> list[tuple[str, str | None]]:
    return [(node.type, node.num) for node in section.walk() if node is not section]


def test_a_remark_inside_a_paragraph_is_about_the_paragraph_and_one_on_an_item_about_the_item() -> None:
    section = body(
        "(1) The keeper shall—",
        "(a) light [paragraph amended by Act 7 of 2005] the lamp or—",
        "(i) the horn; [subparagraph inserted by Act 8 of 2006]",
        "(ii) the bell. [paragraph substituted by Act 9 of 2007]",
    )
    said = {node.num: [item.by for item in node.amendments] for node in section.walk() if node.num}
    assert said == {"1": [], "a": ["Act 7 of 2005"], "i": ["Act 8 of 2006"], "ii": ["Act 9 of 2007"]}


def test_words_behind_a_remark_that_continue_the_list_stay_in_it() -> None:
    section = body(
        "(1) The keeper lights—", "(a) the lamp; [section amended by Act 7 of 2005]", "at dusk.", "(b) the horn."
    )
    assert [pair for pair in outline(section) if pair[1]] == [
        ("subsection", "1"),
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]


def test_a_page_break_in_a_sentence_is_no_paragraph_and_a_heading_between_ends_it() -> None:
    builder = DocumentBuilder()
    with builder.node("section", "1"):
        write_body(builder, ["The keeper lights the", "lamp at dusk.", "and the horn"])
    assert builder.text == "The keeper lights the lamp at dusk.\n\nand the horn"
    builder = DocumentBuilder()
    with builder.node("section", "1") as section:
        write_body(builder, ["The keeper lights the", Heading("Lamps"), "lamps at dusk"])
    assert builder.text == "The keeper lights the\n\nLamps\n\nlamps at dusk"
    assert [node.type for node in section.children] == ["heading"]


def test_two_definitions_in_one_paragraph_are_two_and_a_number_in_a_list_of_numbers_is_a_reference() -> None:
    section = body("In this Act—", "“lamp” means a light; “horn” means a horn; “bell” means a bell.")
    assert [node.attributes["term"] for node in section.walk() if node.type == "definition"] == ["lamp", "horn", "bell"]
    section = body("(1) Under paragraphs (a), (b) and (c) the lamp is lit. (2) The horn is blown.", inline=True)
    assert outline(section) == [("subsection", "1"), ("subsection", "2")]


def test_words_behind_the_last_item_of_a_list_belong_to_the_whole_list() -> None:
    section = body("(1) A keeper who— (a) sleeps; or (b) drinks; shall be fined. (2) The horn is blown.", inline=True)
    first, second = (node for node in section.walk() if node.type == "subsection")
    items = [node for node in first.children if node.type == "paragraph"]
    assert [node.num for node in items] == ["a", "b"]
    assert items[-1].end < first.end < second.start


def test_a_proviso_is_a_node() -> None:
    section = body("(1) The lamp is lit.", "Provided that the keeper is awake.", "Provided for the keeper.")
    assert [node.type for node in section.walk()].count("proviso") == 1


def test_a_remark_without_a_subject_is_about_the_section() -> None:
    section = body("(1) The lamp is lit. [inserted by Act 7 of 2005]", "(2) The horn is blown.")
    assert [item.by for item in section.amendments] == ["Act 7 of 2005"]


def test_a_line_behind_a_bracket_or_behind_the_last_word_of_a_list_is_a_paragraph_of_its_own() -> None:
    for first, second in (("The keeper (of a lamp)", "lights it."), ("the lamp, and", "the horn")):
        builder = DocumentBuilder()
        with builder.node("section", "1"):
            write_body(builder, [first, second])
        assert builder.text == f"{first}\n\n{second}"
