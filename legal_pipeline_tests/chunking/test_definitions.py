"""Where the definitions of an Act begin and end, on sections built node by node. Not here: the propositions made from them."""

from __future__ import annotations

import dataclasses

import pytest

from legal_pipeline.chunking.definitions import HEADED, defining, find_definitions, unresolved_lines
from legal_pipeline.model.document import Node
from legal_pipeline_tests.chunking.plain import Part, document

KITE, TAIL, WIND = "“kite” means a frame;", "“tail” means a ribbon;", "“wind” means moving air;"
LONG = "a kite has flown when it has been in the air for as long as a tea is brewed"


def section(*children: Part, text: str = "", heading: str | None = "Definitions", num: str = "2") -> Part:
    return Part("section", text, num, heading, children)


def found(part: Part, *, headed: bool = True) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Return the terms, the numbers and the text of each definition."""
    made = document(part)
    (node,) = made.nodes
    return [
        (item.terms, item.numbers, made.text[item.start : item.end]) for item in find_definitions(made, node, headed)
    ]


def left(part: Part) -> list[str]:
    made = document(part)
    (node,) = made.nodes
    lines = unresolved_lines(made, node, find_definitions(made, node, True))
    return [made.text[start:end] for start, end in lines]


def sections_that_define(*parts: Part) -> list[tuple[str | None, str]]:
    made = document(*parts)
    flat: list[tuple[Node, tuple[Node, ...]]] = []
    for node in made.nodes:
        within = [(child, (node,)) for child in node.children if child.type == "section"]
        flat += within or [(node, ())]
    return [(node.num, reason) for node, reason in defining(made, flat)]


def test_a_group_heading_announces_definitions_up_to_the_next_one() -> None:
    plain = [section(text=f"{number}. A kite flies.", heading=None, num=number) for number in ("1", "2", "3")]
    groups = [Part("heading", text) for text in (" Definitions ", "Kites by night")]
    assert sections_that_define(plain[0], groups[0], plain[1], groups[1], plain[2]) == [("2", HEADED)]


def test_the_heading_of_a_chapter_announces_definitions_in_its_sections_alone() -> None:
    inside = section(text="1. A kite flies.", heading=None, num="1")
    behind = section(text="2. A tail is red.", heading=None, num="2")
    chapter = Part("chapter", "Chapter 1", "1", "Interpretation", (inside,))
    assert sections_that_define(chapter, behind) == [("1", HEADED)]


def test_a_list_without_quoted_terms_defines_terms_if_words_lead_it_in() -> None:
    entries = [
        Part("item", f"{term} means a thing that flies;", "abc"[at]) for at, term in enumerate(("kite", "bird", "fly"))
    ]
    led = section(*entries, text="In this Act—", heading="Things")
    assert sections_that_define(led) == [("2", "at least 3 definitional sentences")]
    assert sections_that_define(section(*entries, text="Note well—", heading="Things")) == []


def test_each_number_in_the_line_of_another_is_a_definition_that_ends_at_the_next() -> None:
    line = f"(90) {KITE} (91) {TAIL} (92) {WIND}"
    assert found(section(Part("subsection", line, "90"))) == [
        (("kite",), ("90",), f"(90) {KITE} "),
        (("tail",), ("91",), f"(91) {TAIL} "),
        (("wind",), ("92",), f"(92) {WIND}"),
    ]


def test_a_number_in_the_line_of_an_item_is_below_the_same_subsection() -> None:
    item = Part("item", f"(1) {KITE} (2) {TAIL}", "1")
    inner = found(section(Part("subsection", "(4) In this section:", "4", children=(item,))))
    assert [(terms, numbers) for terms, numbers, _ in inner] == [(("kite",), ("4", "1")), (("tail",), ("4", "2"))]


def test_a_subsection_that_only_holds_a_definition_is_the_definition_and_its_items_are_below_it() -> None:
    bag = Part("item", "(a) a bag, where “bag” means a sack;", "a")
    bag_in = Part("item", "(b) “sack” means a pouch;", "b")
    definition = Part("definition", "“kite” means—", children=(bag, bag_in), attributes={"term": "kite"})
    made = found(
        section(Part("subsection", "(2)", "2", children=(definition, Part("item", "(c) “loop” means a turn.", "c"))))
    )
    assert [(terms, numbers) for terms, numbers, _ in made] == [
        (("kite",), ("2",)),
        (("sack",), ("2", "b")),
        (("loop",), ("2", "c")),
    ]
    assert made[0][2].startswith("(2)\n\n“kite” means—")


def test_an_explanation_has_its_name_and_perhaps_a_number_in_the_path() -> None:
    entries = [
        Part("explanation", "Explanation 1.—“string” means a cord.", "1"),
        Part("explanation", "Explanation.—“cord” means a thread."),
    ]
    subsection = Part("subsection", f"(6) {KITE}", "6", children=entries)
    assert [numbers for _, numbers, _ in found(section(subsection))] == [
        ("6",),
        ("6", "Explanation 1"),
        ("6", "Explanation"),
    ]


def test_a_repealed_definition_between_others_is_left_out() -> None:
    entries = [
        Part("subsection", f"({at}) {text}", str(at)) for at, text in ((1, KITE), (2, "“tail” repealed"), (3, WIND))
    ]
    assert [terms for terms, _, _ in found(section(*entries))] == [("kite",), ("wind",)]


def test_an_item_that_is_said_to_be_something_defines_nothing_below_a_subsection() -> None:
    item = Part("item", "(a) a signal that nobody sees is said to be void;", "a")
    assert found(section(Part("subsection", "(1) Of signals:", "1", children=(item,)))) == []
    assert [terms for terms, _, _ in found(section(item))] == [("void",)]
    assert found(section(item), headed=False) == []


def test_a_list_with_letters_in_another_form_ends_the_definition() -> None:
    def kite(*lines: str) -> str:
        return found(section(text="\n".join(("“kite” means—", *lines))))[0][2]

    assert kite("(a) a frame;", "(b) a bag;").endswith("(b) a bag;")
    assert kite("(a) a frame.", "b) A bag is not a kite.").endswith("(a) a frame.")
    assert kite("(a) a frame.", "(B) A bag is not a kite.").endswith("(a) a frame.")
    assert kite("(1) a frame;", "(1A) a bag;", "(2) a box.").endswith("(2) a box.")
    assert kite("(1) a frame.", "(b) A bag is not a kite.").endswith("(1) a frame.")


@pytest.mark.parametrize(
    ("line", "is_left"),
    [
        (LONG, True),
        ("a kite has flown when it is up", True),
        ("a kite flies when it is up", False),
        ("(3) “tail” [definition repealed by section 3 of Act 17 of 2098 as from 2098]", False),
        ("expressions used in this Act but not defined have the meaning of the Wind Act", False),
        (f"{LONG}, unless it was [definition repealed] by wind", True),
    ],
)
def test_a_line_in_which_nothing_is_defined_is_left_if_it_is_long_enough(line: str, is_left: bool) -> None:
    assert left(section(text=f"{line}.\n\n{TAIL}")) == ([f"{line}."] if is_left else [])


def test_lines_are_long_enough_together_only_without_a_definition_between_them() -> None:
    parts = [Part("item", text, num) for text, num in (("(a) a kite is up;", "a"), ("(c) a tail is red;", "c"))]
    middle = Part("item", f"(b) {WIND}", "b")
    assert left(section(*parts)) == ["(a) a kite is up;", "(c) a tail is red;"]
    assert left(section(parts[0], middle, parts[1])) == []


def test_headings_and_the_words_before_a_list_are_not_left_but_the_same_words_elsewhere_are() -> None:
    words = "In this Act, unless the context requires another meaning of the words,—"
    entry = Part("item", f"(a) {KITE}", "a")
    assert left(section(entry, text=words)) == []
    assert left(section(Part("item", words, "b"), entry, Part("item", f"(c) {LONG}:", "c"))) == [f"(c) {LONG}:"]
    assert left(section(Part("footnote", f"1 {LONG}."), entry)) == []
    assert left(section(entry, Part("footnote", f"1 {LONG}."), Part("item", f"(c) {LONG}.", "c"))) == [f"(c) {LONG}."]


def terms(part: Part, *, headed: bool = True) -> list[tuple[str, ...]]:
    return [item[0] for item in found(part, headed=headed)]


def test_a_repealed_section_headed_as_definitions_defines_nothing() -> None:
    made = document(section(text=KITE))
    (node,) = made.nodes
    node.status = "repealed"
    assert list(defining(made, [(node, ())])) == []


def test_three_quoted_words_that_nothing_defines_make_no_section_of_definitions() -> None:
    assert sections_that_define(section(text="Write “danger”, “fog” and “wreck” on it.", heading="Boards")) == []


def test_a_definition_may_define_another_word_in_the_same_entry() -> None:
    entry = Part("item", "(a) “kite” denotes a frame; and the words “flyer” denotes its owner;", "a")
    assert terms(section(entry)) == [("kite", "flyer")]
    assert terms(section(Part("item", "(a) “kite,” means a frame;", "a"))) == [("kite",)]


def test_a_term_of_the_parser_counts_only_if_the_text_of_the_definition_has_it() -> None:
    def definition(text: str, term: str) -> Part:
        return section(Part("definition", text, attributes={"term": term}), text="Terms are as follows.")

    assert terms(definition("kite: a frame of wood", "kite")) == [("kite",)]
    assert terms(definition("a frame of wood", "Terms")) == []
    assert terms(definition("Explanation of a frame", "Explanation")) == []
    assert terms(definition("a “kite” is a frame of wood", "frame")) == [("kite",)]


def test_definitions_that_a_source_joins_in_one_are_several() -> None:
    joined = Part("definition", "“kite” means a frame.\nIt flies.\n“tail” means a ribbon.", attributes={"term": "kite"})
    assert [(item, text) for item, _, text in found(section(joined))] == [
        (("kite",), "“kite” means a frame.\nIt flies.\n"),
        (("tail",), "“tail” means a ribbon."),
    ]


def test_a_section_without_entries_may_say_what_something_is_called_behind_its_heading() -> None:
    heading = Part("heading", "Where a kite is said to be lost.")
    made = found(section(heading, Part("quotation", "A kite that nobody holds is said to be free.")))
    assert [(item, text.strip()) for item, _, text in made] == [
        (("free",), "A kite that nobody holds is said to be free.")
    ]
    assert terms(section(text="A kite that nobody holds is said to be free."), headed=False) == []


def test_a_term_with_nothing_but_the_note_of_its_repeal_is_not_defined() -> None:
    entries = [
        Part("item", f"({num}) {text}", num) for num, text in (("a", "“tail” — repealed by Act 2 of 2098"), ("b", KITE))
    ]
    assert terms(section(*entries)) == [("kite",)]


def test_a_definition_ends_before_a_heading_or_a_definition_and_at_the_end_of_a_quotation() -> None:
    words = "“kite” means a frame."
    heading = section(Part("heading", "Of a kite at night"), Part("subsection", "(2) It flies.", "2"), text=words)
    assert found(heading)[0][2].strip() == words
    other = Part("definition", "“kite string” means the cord of a kite.", attributes={"term": "kite string"})
    assert [text.strip() for _, _, text in found(section(other, text=words))] == [words, other.text]
    quoted = section(
        Part("quotation", "“kite” means a frame"), Part("item", "and a kite is a bag."), text="Section 3 is:"
    )
    assert found(quoted)[0][2].strip() == "“kite” means a frame"


def test_a_list_belongs_to_a_definition_that_announces_it_and_begins_with_its_first_number() -> None:
    def kite(*lines: str) -> str:
        return found(section(text="\n".join(lines)))[0][2].rpartition("\n")[2]

    assert kite("“kite” means a frame.", "(a) A rule.") == "“kite” means a frame."
    assert kite("“kite” means—", "(4) A rule.") == "“kite” means—"
    inner = ("“kite” means—", "(a) a bag that—", "(1) flies;", "(2) glides;", "(b) a box.")
    assert kite(*inner, "(3) A rule.") == "(b) a box."


def test_terms_without_quotation_marks_are_found_where_words_lead_them_in() -> None:
    for kind, lead, headed, is_found in (
        ("item", "In this Act—", False, True),
        ("item", "Note well—", False, False),
        ("subsection", "In this Act—", False, False),
        ("subsection", "In this Act—", True, True),
        ("subsection", "Note well—", True, False),
    ):
        made = section(Part(kind, "Kite means a frame.", "1"), text=lead)
        assert terms(made, headed=headed) == ([("Kite",)] if is_found else [])


def test_the_terms_of_an_entry_are_in_the_order_of_its_text() -> None:
    entry = Part("item", "(a) Who sends it is called the fool, and the signal is said to be void.", "a")
    assert terms(section(entry)) == [("fool", "void")]


def test_a_repealed_section_does_not_end_the_search_for_those_that_define() -> None:
    made = document(section(text="2. A kite flies."), section(text="3. A tail is red.", num="3"))
    gone = dataclasses.replace(made.nodes[0], status="repealed")
    assert [node.num for node, _ in defining(made, [(gone, ()), (made.nodes[1], ())])] == ["3"]


def test_a_term_of_the_parser_counts_only_in_the_text_of_its_own_definition() -> None:
    entries = [Part("definition", text, attributes={"term": "wind"}) for text in ("moving air", "the wind of the sea")]
    assert [terms for terms, _, _ in found(section(*entries))] == [("wind",)]
