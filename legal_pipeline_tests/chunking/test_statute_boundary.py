"""`statute_boundary`: headers, paths, the split between sub-sections, and rule number one checked on the tree."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.chunking.chunk import Chunk, ChunkedDocument
from legal_pipeline.chunking.cut import chunk
from legal_pipeline.chunking.packing import MAX_TOKENS, PREFIX_TOKENS
from legal_pipeline.chunking.provisions import UniquePaths
from legal_pipeline.chunking.router import RouterOptions
from legal_pipeline.chunking.splitting import QUALIFIERS
from legal_pipeline.model.document import PROVISIONS, Amendment, Document, Node
from legal_pipeline.text.tokens import count_tokens
from legal_pipeline_tests.chunking.plain import HashEncoder, Part, document
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.real_documents import documents

_KINDS = ("proviso", "explanation", "illustration")


def words(count: int, name: str = "keeper") -> str:
    """A sentence of about `count` tokens."""
    return " ".join(["The", name, *(["counts ships"] * (count // 2)), "at night."])


def subsection(number: int, tokens: int, *below: Part) -> Part:
    return Part("subsection", f"({number}) {words(tokens)}", str(number), children=below)


def act(*sections: Part, **fields: object) -> Document:
    part = Part("part", "", "II", "Keepers", children=(Part("heading", "PART II KEEPERS"), *sections))
    return document(part, **fields)


def assert_rule_number_one(made: Document, result: ChunkedDocument) -> None:
    """No chunk holds text of two sections; what qualifies stands in the chunk of what it qualifies unless both cannot fit together."""
    chunks = [row for row in result.chunks if row.strategy == "statute_boundary"]

    def holders(start: int, end: int) -> set[int]:
        return {row.seq for row in chunks for low, high in row.spans if low < end and high > start}

    sections = [node for node in made.walk() if node.type in PROVISIONS]
    outermost = [
        node
        for node in sections
        if not any(other is not node and other.start <= node.start and node.end <= other.end for other in sections)
    ]
    for row in chunks:
        inside = [node for node in outermost if any(low < node.end and high > node.start for low, high in row.spans)]
        assert len(inside) <= 1, (row.path, [node.num for node in inside])
    for section in outermost:
        _assert_qualifiers_stay(made, section, holders, {row.seq: row.contextual_header for row in chunks})


def _assert_qualifiers_stay(made: Document, parent: Node, holders, headers: dict[int, str]) -> None:  # type: ignore[no-untyped-def]
    owner: Node | None = None
    for child in parent.children:
        if child.type not in QUALIFIERS:
            owner = child
        elif owner is not None:
            mine, its = holders(child.start, child.end), holders(owner.start, owner.end)
            if mine and its and not mine & its:
                header = headers[min(mine)]
                both = count_tokens(made.text[owner.start : child.end]) + count_tokens(header) + PREFIX_TOKENS
                assert both >= MAX_TOKENS - 2, f"{child.eid} left {owner.eid} although both fit"
        _assert_qualifiers_stay(made, child, holders, headers)


def test_one_section_is_one_chunk_with_all_that_it_contains() -> None:
    made = act(
        Part("section", "3. Duties.", "3", "Duties", children=(
            subsection(1, 20, Part("proviso", "Provided that no keeper counts in fog.")),
            subsection(2, 20, Part("explanation", "Explanation.—Fog includes mist.")),
            Part("illustration", "A counts ten ships. A has done his duty."),
        )),
        Part("section", "4. Pay.", "4", "Pay", children=(subsection(1, 10),)),
    )  # fmt: skip
    result = chunk(made)
    assert [row.path for row in result.chunks if row.strategy == "statute_boundary"] == [
        "Part II > Section 3", "Part II > Section 4",
    ]  # fmt: skip
    first = result.chunks[0]
    assert first.contextual_header == "Lighthouses Act (Act 4 of 2099) > Part II: Keepers > Section 3: Duties"
    assert first.chunk_text.endswith("A has done his duty.")
    assert "Provided that" in first.chunk_text
    assert "PART II" not in first.chunk_text.split("\n")[0] or first.chunk_text.startswith("3.")


def test_a_long_section_splits_between_its_subsections_under_the_same_header() -> None:
    made = act(
        Part("section", "5. Long.", "5", "Long", children=tuple(subsection(n, 600) for n in range(1, 6))),
        Part("section", "6. Short.", "6", "Short"),
    )
    rows = [row for row in chunk(made).chunks if row.metadata["section"].startswith("Section 5")]
    assert [row.path for row in rows] == ["Part II > Section 5", "Part II > Section 5#2", "Part II > Section 5#3"]
    assert len({row.contextual_header for row in rows}) == 1
    assert "Section 5: Long" in rows[1].contextual_header
    assert rows[1].chunk_text.startswith("(3)")
    assert "5. Long." not in rows[1].chunk_text
    section = next(node for node in made.walk() if node.num == "5")
    edges = {child.start for child in section.children}
    assert all(row.start_char in edges for row in rows[1:])
    assert {row.eid for row in rows} == {section.eid}


@pytest.mark.parametrize("kind", _KINDS)
def test_what_qualifies_moves_to_the_next_part_with_what_it_qualifies(kind: str) -> None:
    made = act(
        Part("section", "7. Split.", "7", "Split", children=(
            subsection(1, 900), subsection(2, 400), Part(kind, words(300, "proviso")), subsection(3, 20),
        )),
        Part("section", "8. Short.", "8", "Short"),
    )  # fmt: skip
    result = chunk(made)
    second = next(row for row in result.chunks if row.path.endswith("Section 7#2"))
    assert second.chunk_text.startswith("(2)")
    assert "The proviso" in second.chunk_text
    assert_rule_number_one(made, result)


_part = st.builds(
    lambda kind, tokens: (kind, tokens),
    st.sampled_from(["subsection", *_KINDS]),
    st.sampled_from([5, 40, 300, 700, 1600]),
)


@given(st.lists(st.lists(_part, max_size=8), min_size=2, max_size=5))
@examples(60)
def test_rule_number_one_holds_on_generated_sections(plan: list[list[tuple[str, int]]]) -> None:
    made = act(
        *(
            Part("section", f"{number}. Rule.", str(number), "Rule", children=tuple(Part(kind, words(tokens)) for kind, tokens in parts))
            for number, parts in enumerate(plan, start=1)
        )
    )  # fmt: skip
    assert_rule_number_one(made, chunk(made))


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["in/acts_json", "in/indiacode_md", "zw", "us"])
def test_rule_number_one_holds_on_real_acts(corpus: Path, folder: str) -> None:
    checked = 0
    for _, made in documents(corpus, folder):
        result = chunk(made, RouterOptions(), HashEncoder)
        if result.route[0][0] == "statute_boundary":
            assert_rule_number_one(made, result)
            checked += 1
    assert checked


def test_amendments_are_metadata_and_not_text() -> None:
    made = act(Part("section", "9. Amended.", "9", "Amended"), Part("section", "10. Other.", "10", "Other"))
    section = next(node for node in made.walk() if node.num == "9")
    section.amendments = (Amendment("Act 17 of 2002", "2002-05-01", "substituted"),)
    remark = Node("remark", section.start, section.start + 2)
    section.children = [remark]
    result = chunk(made)
    row = next(row for row in result.chunks if row.eid == section.eid)
    assert row.metadata["amended_by"] == "Act 17 of 2002"
    assert row.metadata["amendment_history"] == [
        {"by": "Act 17 of 2002", "date": "2002-05-01", "action": "substituted"}
    ]
    assert row.chunk_text == "Amended."
    assert [(item.start, item.reason) for item in result.exclusions if item.reason == "amendment mark"] == [
        (section.start, "amendment mark")
    ]


def test_a_section_that_was_amended_twice_names_the_later_act() -> None:
    made = act(Part("section", "9. Amended.", "9", "Amended"))
    section = next(node for node in made.walk() if node.num == "9")
    section.amendments = tuple(Amendment(f"Act 17 of {year}", f"{year}-05-01", "substituted") for year in (2002, 2011))
    (row,) = (row for row in chunk(made).chunks if row.eid == section.eid)
    assert row.metadata["amended_by"] == "Act 17 of 2011"
    assert [item["date"] for item in row.metadata["amendment_history"]] == ["2002-05-01", "2011-05-01"]


def test_a_section_without_dates_has_those_of_the_innermost_level_above_it() -> None:
    section = Part("section", "9. Lamps.", "9", "Lamps")
    made = document(
        Part("part", "", "II", "Keepers", children=(Part("chapter", "", "3", "Lamps", children=(section,)),))
    )
    part = next(node for node in made.walk() if node.type == "part")
    chapter = next(node for node in made.walk() if node.type == "chapter")
    part.valid_from, part.valid_to = "2030-01-01", "2040-01-01"
    chapter.valid_from = "2031-01-01"
    (row,) = (row for row in chunk(made).chunks if row.metadata.get("section"))
    assert (row.valid_from, row.valid_to) == ("2031-01-01", "2040-01-01")


def test_a_repealed_section_gives_no_chunk_and_says_so() -> None:
    made = act(
        Part("section", "11. Gone.", "11", "Gone"),
        Part("section", "12. Here.", "12", "Here"),
        Part("section", "13. Too.", "13"),
    )
    next(node for node in made.walk() if node.num == "11").status = "repealed"
    result = chunk(made)
    assert not any("Section 11" in row.path for row in result.chunks)
    assert "repealed provision" in {item.reason for item in result.exclusions}


def test_a_number_that_stands_twice_keeps_both_texts_apart() -> None:
    made = act(*(Part("section", f"14. Wording {n}.", "14") for n in (1, 2)))
    sections = [node for node in made.walk() if node.type == "section"]
    sections[1].valid_from = "2100-01-01"
    paths = [row.path for row in chunk(made).chunks]
    assert paths[-2:] == ["Part II > Section 14", "Part II > Section 14@2100-01-01"]


def test_ids_survive_a_section_inserted_earlier() -> None:
    def sections(*numbers: str) -> Document:
        return act(*(Part("section", f"{number}. Rule {number}.", number, "Rule") for number in numbers))

    before = {row.path: (row.chunk_id, row.input_hash) for row in chunk(sections("1", "2", "3")).chunks}
    after = {row.path: (row.chunk_id, row.input_hash) for row in chunk(sections("1", "1A", "2", "3")).chunks}
    kept = {path for path in before if path.startswith("Part II > Section")}
    assert len(kept) == 3
    assert all(before[path] == after[path] for path in kept)


def test_a_new_heading_above_a_section_changes_its_input_hash_and_not_its_id() -> None:
    def row(heading: str) -> Chunk:
        made = document(Part("part", "", "II", heading, children=(Part("section", "1. Rule.", "1", "Rule"),)))
        return next(row for row in chunk(made).chunks if row.metadata.get("section"))

    before, after = row("Keepers"), row("Keepers of lamps")
    assert (before.chunk_id, before.chunk_text) == (after.chunk_id, after.chunk_text)
    assert before.input_hash != after.input_hash


def test_the_same_document_gives_the_same_bytes() -> None:
    made = act(Part("section", "1. A.", "1"), Part("section", "2. B.", "2"))
    again = dataclasses.replace(made)
    assert [row.dumps() for row in chunk(made).chunks] == [row.dumps() for row in chunk(again).chunks]


def test_a_wording_that_is_law_on_the_day_of_the_text_has_a_plain_path() -> None:
    paths = UniquePaths("2024-01-01")
    assert paths.name("Section 1", "2023-02-22") == "Section 1"
    assert paths.name("Section 1", "2023-12-31") == "Section 1@2023-12-31"
    assert paths.name("Section 2", "2024-07-01") == "Section 2@2024-07-01"
    assert UniquePaths().name("Section 1", "2023-02-22") == "Section 1@2023-02-22"
    assert UniquePaths("2024-01-01").name("Section 1", "2024-01-01") == "Section 1"


def lamp_section(number: str, heading: str | None = None) -> Part:
    return Part("section", f"{number}. The keeper lights lamp {number}.", number, heading)


def test_each_level_above_a_section_is_in_its_path_and_with_its_heading_in_its_header() -> None:
    article = Part("article", "Article 2", "2", "Of life", (lamp_section("1"), lamp_section("2", "Oil")))
    made = document(Part("part", "Part I", "I", "Rights", (article,)), lamp_section("9"))
    act_name, above = "Lighthouses Act (Act 4 of 2099)", "Part I: Rights > Article 2: Of life"
    assert [(row.path, row.contextual_header, row.metadata["section"]) for row in chunk(made).chunks] == [
        ("Part I > Article 2", f"{act_name} > {above}", "Article 2 — Of life"),
        ("Part I > Article 2 > Section 1", f"{act_name} > {above} > Section 1", "Section 1"),
        ("Part I > Article 2 > Section 2", f"{act_name} > {above} > Section 2: Oil", "Section 2 — Oil"),
        ("Section 9", f"{act_name} > Section 9", "Section 9"),
    ]


def test_the_text_before_and_behind_the_sections_has_types_of_its_own() -> None:
    chapter = Part("chapter", "Chapter 1", "1", "Of lamps", (lamp_section("1"),))
    made = document(
        Part("longtitle", "An Act on lamps."), chapter, Part("chapter", "Chapter 2 is left to the rules.", "2"),
        lamp_section("7"), Part("transitional", "Old lamps stay."),
    )  # fmt: skip
    rows = chunk(made).chunks
    assert [(row.path, row.chunk_type, row.metadata.get("chapter_heading")) for row in rows] == [
        ("Long title", "preamble", None),
        ("Chapter 1 > Section 1", "statutory_text", "Of lamps"),
        ("Chapter 2", "statutory_text", None),
        ("Section 7", "statutory_text", None),
        ("Transitional provisions", "transitional", None),
    ]
