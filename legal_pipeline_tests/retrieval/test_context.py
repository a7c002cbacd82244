"""The text around a hit, on documents built node by node. Not here: hits of a real search (`pipeline/test_search`)."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.model.document import Document
from legal_pipeline.retrieval.context import MAX_CONTEXT, context_of
from legal_pipeline.retrieval.hit import Context, ContextLevel, Hit, make_hit
from legal_pipeline_tests.chunking.plain import Part, document

LIT, PAID, NOTED = "The keeper lights the lamp.", "The owner pays for oil.", "Lamps of brass are allowed."


def act() -> Document:
    """A part with two chapters, the first of which has a subchapter, and a schedule."""
    first = Part("section", num="1", children=(Part("subsection", LIT, "1"), Part("subsection", PAID, "2")))
    second = Part("section", "The lamp is trimmed.", "2")
    chapter = Part(
        "chapter", "Chapter 1", "1", children=(Part("subchapter", "Of lamps", "A", children=(first, second)),)
    )
    other = Part("chapter", "Chapter 2", "2", children=(Part("section", "The horn sounds.", "3"),))
    return document(
        "Lighthouses Act",
        Part("part", "Part I", "I", children=(chapter, other)),
        Part("schedule", NOTED, "1"),
    )


def hit_of(made: Document, words: str, **more: Any) -> Hit:
    start = made.text.index(words)
    payload = {
        "title": made.title, "jurisdiction": "zw", "number": made.number, "chunk_text": words, "start_char": start,
        "end_char": start + len(words), **more,
    }  # fmt: skip
    return make_hit(payload, 1.0, {}, frozenset())


def around(made: Document, hit: Hit, level: ContextLevel) -> Context:
    found = context_of(hit, level, made)
    assert found is not None
    assert made.text[found.start_char : found.end_char] == found.text
    return found


def eid_of(made: Document, words: str) -> str | None:
    return next(node.eid for node in made.walk() if made.text_of(node) == words)


@pytest.mark.parametrize("is_named", [True, False])
def test_the_section_of_a_level_is_the_whole_provision_around_it(is_named: bool) -> None:
    made = act()
    hit = hit_of(made, PAID, **({"eid": eid_of(made, PAID)} if is_named else {}))
    found = around(made, hit, "section")
    assert (found.level, found.text, found.truncated) == ("section", f"{LIT}\n\n{PAID}", False)


def test_the_chapter_is_the_innermost_chapter_and_not_a_division_below_or_above_it() -> None:
    made = act()
    found = around(made, hit_of(made, LIT), "chapter")
    assert (found.level, found.text.partition("\n")[0]) == ("chapter", "Chapter 1")
    assert "The horn sounds." not in found.text


def test_without_a_chapter_the_innermost_division_is_shown() -> None:
    section = Part("section", LIT, "1")
    made = document(Part("part", "Part I", "I", children=(Part("subpart", "Of lamps", "A", children=(section,)),)))
    assert around(made, hit_of(made, LIT), "chapter").text == f"Of lamps\n\n{LIT}"


def test_a_text_in_no_provision_has_the_next_larger_context() -> None:
    made = act()
    assert around(made, hit_of(made, NOTED), "section").text == NOTED
    assert around(made, hit_of(made, NOTED), "chapter").level == "act"
    assert around(made, hit_of(made, "Chapter 2"), "section").text == "Chapter 2\n\nThe horn sounds."
    whole = around(made, hit_of(made, "Lighthouses Act"), "section")
    assert (whole.level, whole.text) == ("act", made.text)


def test_a_hit_of_several_sections_has_the_section_in_which_all_of_it_is_or_the_first() -> None:
    article = Part("article", num="1", children=(Part("section", LIT, "1"), Part("section", PAID, "2")))
    made = document(article, Part("section", NOTED, "2"))
    assert around(made, hit_of(made, LIT), "section").text == LIT
    assert around(made, hit_of(made, f"{LIT}\n\n{PAID}"), "section").text == f"{LIT}\n\n{PAID}"
    inner = eid_of(made, LIT)
    for words in (f"{LIT}\n\n{PAID}", f"{LIT}\n\n{PAID}\n\n{NOTED}"):
        assert around(made, hit_of(made, words, eid=inner), "section").text == f"{LIT}\n\n{PAID}"


def test_of_a_long_text_the_part_around_the_hit_is_shown_cut_between_words() -> None:
    lines = [f"Rule {number:04} is kept by the keeper of the lamp." for number in range(1000)]
    made = document(Part("section", "\n".join(lines), "1"))
    for words in (lines[0], lines[500], lines[-1]):
        found = around(made, hit_of(made, words), "section")
        assert words in found.text
        assert (found.level, found.truncated) == ("section", True)
        assert MAX_CONTEXT - 100 < len(found.text) <= MAX_CONTEXT
        before, behind = made.text[: found.start_char], made.text[found.end_char :]
        assert before[-1:] in ("", " ", "\n")
        assert behind[:1] in ("", " ", "\n")
    middle = around(made, hit_of(made, lines[500]), "section")
    assert abs(middle.text.index(lines[500]) - MAX_CONTEXT // 2) < 200


def test_a_text_that_has_changed_has_no_context_and_a_summary_has_one_while_its_place_exists() -> None:
    made = act()
    hit = hit_of(made, LIT)
    changed = document(Part("section", "Another text altogether, which is as long as the one before it was.", "1"))
    assert context_of(hit, "section", changed) is None
    summary = hit_of(made, LIT, chunk_text="A summary.", chunk_type="raptor_summary")
    assert around(made, summary, "act").text == made.text
    assert context_of(summary, "act", document(Part("section", "Short.", "1"))) is None


def test_a_text_of_other_words_at_the_place_of_the_hit_has_no_context() -> None:
    made = act()
    hit = hit_of(made, "The horn sounds.")
    changed = document("Lighthouses Act", Part("section", made.text.replace("horn", "bell"), "1"))
    assert hit.end_char <= len(changed.text)
    assert context_of(hit, "section", changed) is None


def test_of_a_chapter_in_a_chapter_the_inner_one_is_shown() -> None:
    inner = Part("chapter", "Chapter 1a", "1a", children=(Part("section", LIT, "1"),))
    made = document(Part("chapter", "Chapter 1", "1", children=(inner, Part("section", PAID, "2"))))
    assert around(made, hit_of(made, LIT), "chapter").text == f"Chapter 1a\n\n{LIT}"
