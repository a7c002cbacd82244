"""Which statements and paragraphs of a judgment are one issue, and how its parts are named, on judgments built node by node."""

from __future__ import annotations

import pytest

from legal_pipeline.chunking.chunk import Chunk
from legal_pipeline.chunking.cut import chunk
from legal_pipeline_tests.chunking.plain import Part, document

ASKED = "The only question that arises for our consideration is whether he may"
NO = Part("motivation", "He may not.")


def rows(*parts: Part) -> tuple[Chunk, ...]:
    return chunk(document(*parts, doc_type="judgment")).chunks


def paths(*parts: Part) -> list[tuple[str, str]]:
    return [(row.path, row.chunk_text) for row in rows(*parts)]


def issue(number: str, heading: str | None = None, *children: Part) -> Part:
    return Part("issue", f"Whether he may {number}.", number, heading, children)


def paragraph(number: int, text: str) -> Part:
    return Part("numbered_paragraph", f"{number}. {text}", str(number))


def test_an_issue_has_the_heading_of_its_statement_and_issues_listed_together_have_none() -> None:
    (single,) = rows(issue("1", "Of sleep"), NO)
    assert (single.path, single.metadata["issue"]) == ("Issue 1", "Of sleep")
    assert single.contextual_header == "Lighthouses Act (Act 4 of 2099) > Issue 1: Of sleep"
    (listed,) = rows(issue("1", "Of sleep"), issue("2", "Of bells"), NO)
    assert (listed.path, listed.metadata["issue"]) == ("Issues 1-2", "Issues 1-2")
    assert listed.contextual_header == "Lighthouses Act (Act 4 of 2099) > Issues 1-2"
    (unnamed,) = rows(issue("3"), NO)
    assert (unnamed.metadata["issue"], unnamed.contextual_header) == (
        "Issue 3",
        "Lighthouses Act (Act 4 of 2099) > Issue 3",
    )


def test_an_issue_that_holds_its_reasoning_closes_those_listed_before_it() -> None:
    inside = issue("2", None, Part("motivation", "No."))
    later = Part("motivation", "The costs are high.")
    found = rows(issue("1"), inside, later, issue("3"), NO)
    assert [(row.path, row.chunk_type) for row in found] == [
        ("Issues 1-2", "reasoning"),
        ("Body", "reasoning"),
        ("Issue 3", "reasoning"),
    ]
    assert found[1].chunk_text == "The costs are high."


def test_submissions_before_the_reasoning_stand_alone_behind_their_issue_and_later_ones_belong_to_it() -> None:
    first, later = Part("arguments", "Counsel says no."), Part("arguments", "Counsel says more.")
    asked, answered = rows(issue("1"), first, NO, later, Part("motivation", "Nor that."))
    assert (asked.path, answered.path) == ("Issue 1", "Arguments")
    assert asked.chunk_text.split("\n") == [
        "Whether he may 1.", "He may not.", "", "Counsel says more.", "", "Nor that.",
    ]  # fmt: skip
    assert answered.chunk_text == "Counsel says no."


def test_an_opinion_without_a_stated_judge_has_the_name_in_its_heading_or_none() -> None:
    found = rows(NO, Part("dissent", "I would.", heading="KELLY, J."), Part("dissent", "I too."))
    assert [(row.path, row.metadata.get("judges")) for row in found[1:]] == [
        ("Dissent (KELLY, J.)", ["KELLY, J."]),
        ("Dissent", None),
    ]


def test_each_question_that_a_part_states_is_an_issue_with_the_headings_above_it() -> None:
    children = [
        paragraph(1, "He slept."), Part("heading", "First"), Part("heading", "Of sleep"), paragraph(2, f"{ASKED} sleep."),
        paragraph(3, "He slept again."), paragraph(4, f"{ASKED} wake."), paragraph(5, "He woke."),
    ]  # fmt: skip
    found = rows(Part("background", children=children), NO)
    assert [(row.path, row.metadata.get("para_id")) for row in found] == [
        ("Facts > Para 1", "1"),
        ("Issue 1", "2-3"),
        ("Issue 2", "4-5"),
    ]
    assert found[0].chunk_text == "1. He slept."
    assert found[1].chunk_text.startswith("First\n\nOf sleep\n\n2. ")
    assert found[2].chunk_text.endswith("5. He woke.\n\nHe may not.")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([Part("header", children=[paragraph(1, ASKED)]), NO], ["Header > Para 1", "Body"]),
        ([NO, Part("decision", children=[paragraph(1, ASKED)])], ["Body", "Holding"]),
        ([Part("background", children=[Part("heading", ASKED), paragraph(1, "He slept.")]), NO], ["Facts > Para 1", "Body"]),
    ],
    ids=["header", "decision", "heading"],
)  # fmt: skip
def test_words_of_a_question_outside_of_the_paragraphs_of_facts_and_reasoning_state_no_issue(
    parts: list[Part], expected: list[str]
) -> None:
    assert [path for path, _ in paths(*parts)] == expected


def test_only_the_last_paragraphs_that_dispose_of_the_case_are_the_order() -> None:
    texts = ("We hold that he may.", "The appeal is allowed.", "We hold that he may not.", "No order as to costs.")
    decision = Part("decision", children=[paragraph(at, text) for at, text in enumerate(texts, start=2)])
    found = rows(paragraph(1, "He slept."), decision)
    assert [(row.path, row.metadata["judgment_part"], row.metadata["para_id"]) for row in found] == [
        ("Body > Para 1", "motivation", "1"),
        ("Holding", "holding", "2-4"),
        ("Order", "order", "5"),
    ]
    assert found[0].contextual_header == "Lighthouses Act (Act 4 of 2099)"


def test_the_parts_of_each_long_paragraph_are_counted_from_one() -> None:
    long = "The lamp was found dark on the night of the storm, and nobody had been told. " * 250
    found = rows(Part("background", children=[paragraph(1, long), paragraph(2, long)]), NO)
    numbers = [row.path for row in found if row.path.startswith("Facts")]
    assert numbers == [f"Facts > Para {at}{part}" for at in (1, 2) for part in ("", "#2", "#3", "#4")]


@pytest.mark.parametrize("part", ["background", "arguments", "motivation"])
def test_a_paragraph_of_any_part_may_state_the_issue(part: str) -> None:
    stated = Part(part, children=[paragraph(1, "He slept."), paragraph(2, f"{ASKED} sleep."), paragraph(3, "He may.")])
    found = rows(stated, NO)
    assert [row.metadata.get("issue") for row in found].count("Issue 1") > 0
    assert found[0].chunk_text == "1. He slept."


def test_a_dissent_has_issues_and_a_holding_of_its_own() -> None:
    parts = [issue("1", "Of sleep"), Part("motivation", "He may not."), Part("decision", "The appeal fails.")]
    found = rows(NO, Part("dissent", "Moyo J dissents.", heading="Moyo J", children=parts))
    assert [(row.path, row.chunk_text) for row in found[1:]] == [
        ("Dissent (Moyo J)", "Moyo J dissents."),
        ("Dissent (Moyo J) > Issue 1", "Whether he may 1.\n\nHe may not."),
        ("Dissent (Moyo J) > Holding", "The appeal fails."),
    ]
    assert {row.chunk_type for row in found[1:]} == {"dissent"}
