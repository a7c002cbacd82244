"""Texts annexed to a law: which headings begin them, and which provisions they have."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse


def read(text: str, **hints: str) -> Document:
    return parse(SourceFile("law.md", text.encode(), hints=hints))


def _harbour_act_with_conventions(heading: str, sections: int = 5) -> str:
    def provisions(word: str, count: int, rule: str) -> str:
        numbers = range(1, count + 1)
        return "\n\n".join(
            f"##### {word} {number}. {rule} {number}\n\nEvery boat pays fee {number}." for number in numbers
        )

    texts = [
        f"## Chapter 1. Boats\n\n{provisions('§', sections, 'Rule')}",
        f"## {heading}\n\n{provisions('Article', 3, 'Duty')}",
        f"## Protocol on piers\n\n{provisions('Article', 2, 'Pier')}",
    ]
    return "\n\n".join(["# Harbour Act", *texts])


def test_the_articles_of_a_convention_below_an_act_lie_in_a_schedule_of_their_own() -> None:
    document = read(_harbour_act_with_conventions("Convention on piers of 1 May 2031"))
    schedules = [node for node in document.nodes if node.type == "schedule"]
    assert [node.heading for node in schedules] == ["Convention on piers of 1 May 2031", "Protocol on piers"]
    articles = [[(node.type, node.num) for node in schedule.children if node.num] for schedule in schedules]
    assert articles == [[("article", str(number)) for number in range(1, count + 1)] for count in (3, 2)]
    body = [(node.type, node.num) for node, above in document.walk_with_ancestors() if node.type == "section" and above]
    assert body == [("section", str(number)) for number in range(1, 6)]
    assert document.text_of(next(node for node in document.provisions() if node.num == "5")).endswith("fee 5.")


def test_a_heading_inside_the_numbers_of_one_law_begins_no_annexed_text() -> None:
    text = _harbour_act_with_conventions("Last rules").replace("Article ", "§ ").replace("Protocol", "Rules")
    assert not [node for node in read(text).walk() if node.type == "schedule"]


def test_articles_before_the_last_sections_of_a_law_are_in_no_schedule() -> None:
    text = _harbour_act_with_conventions("Rules of the port") + "\n\n##### § 6. Last\n\nThe harbour office decides."
    assert not [node for node in read(text).walk() if node.type == "schedule"]


def test_two_sections_are_a_law_with_annexed_texts() -> None:
    document = read(_harbour_act_with_conventions("Convention on piers of 1 May 2031", sections=2))
    assert [node.heading for node in document.nodes if node.type == "schedule"][-1] == "Protocol on piers"


def test_a_single_section_is_not_a_law_with_annexed_texts() -> None:
    text = _harbour_act_with_conventions("Convention on piers of 1 May 2031", sections=1)
    text = text.replace("Protocol", "Agreement")
    assert not [node for node in read(text).walk() if node.type == "schedule"]


def test_a_convention_below_the_last_part_of_an_act_lies_in_a_schedule_although_its_heading_has_a_number() -> None:
    sections = "\n\n".join(f"##### § {number}.\n\nHavnekontoret bestemmer {number}." for number in range(1, 6))
    articles = "\n\n".join(f"##### Art {number}.\n\nPartene betaler {number}." for number in range(1, 5))
    document = read(
        f"# Lov om havner\n\n## Del A\n\n{sections}\n\n## Del B\n\nDisse endringer gjøres: – – –\n\n"
        f"## Del C\n\n### Del I. Skip\n\n{articles}\n"
    )
    above = {
        (node.type, node.num): [parent.heading or parent.num for parent in parents]
        for node, parents in document.walk_with_ancestors()
        if node.type in ("section", "article")
    }
    assert above == {
        **{("section", str(number)): ["A"] for number in range(1, 6)},
        **{("article", str(number)): ["Del C", "Skip"] for number in range(1, 5)},
    }


def test_a_convention_in_another_language_than_the_act_has_its_parts_and_articles() -> None:
    norwegian = "Havnekontoret bestemmer hvilken avgift eieren av båten skal betale når den ligger ved brygge"
    sections = "\n\n".join(f"##### § {number}.\n\n{norwegian} {number}." for number in range(1, 13))
    rule = "The Parties to this Convention shall pay the fee for each boat that enters their ports."
    articles = [f"##### Article {number}. Fee {number}\n\n{rule}" for number in range(1, 7)]
    document = read(
        "\n\n".join(
            ["# Lov om havner", sections, "## Vedlegg 1. Konvensjonen (engelsk tekst)",
             "#### Section I – Boats", *articles[:3], "#### Section II – Piers", *articles[3:]]
        )
    )  # fmt: skip
    assert document.language == "nor"
    above = {
        node.num: [parent.num for parent in parents]
        for node, parents in document.walk_with_ancestors()
        if node.type == "article"
    }
    assert above == {str(number): ["1", "I" if number < 4 else "II"] for number in range(1, 7)}


def test_a_part_of_a_schedule_whose_number_is_not_the_next_of_the_body_belongs_to_the_schedule() -> None:
    def sections(first: int) -> str:
        return "\n\n".join(
            f"### Section {number}\n\nEvery boat pays fee {number}." for number in range(first, first + 4)
        )

    parts = [f"# Part {number}\n\n{sections(4 * number - 3)}" for number in (1, 2)]
    schedule = "# Schedule 1\n\n## Part 4\n\nThe pier has four lamps.\n\n## Part 5\n\nThe quay has five lamps."
    document = read("\n\n".join(["# Harbour Act", *parts, schedule]), doc_type="act")
    assert [(node.type, node.num) for node in document.nodes if node.type in ("part", "schedule")] == [
        ("part", "1"),
        ("part", "2"),
        ("schedule", "1"),
    ]


_TREATY = """# Convention on the Keeping of Lights

## Article 1 – Lights

The Parties shall keep a light on each coast.

## SECTION II – THE COURT OF LIGHTS

### Article 2 – Court

There shall be a Court of Lights.

### Article 3 – Satisfaction

The Court may afford satisfaction.

# Protocol to the Convention on the Keeping of Lights

The Parties have agreed as follows:

## Article 1 – Boats

Every owner is entitled to the peaceful enjoyment of his boats.

## Article 2 – Schools

No person shall be denied a school of navigation.

# Protocol No. 4 to the Convention on the Keeping of Lights

## Article 1 – Debts

No keeper shall be arrested for a debt.

## Article 2 – Freedom to sail

Everyone may leave a harbour.
"""


@pytest.mark.parametrize("marks", ["#", ""])
def test_the_articles_of_a_protocol_are_not_those_of_its_treaty(marks: str) -> None:
    text = _TREATY if marks else _TREATY.replace("#", "").replace("\n ", "\n").lstrip()
    document = parse(SourceFile("treaty.md" if marks else "treaty.txt", text.encode()))
    protocols = [node for node in document.nodes if node.type == "schedule"]
    assert [(node.eid, node.num, node.heading) for node in protocols] == [
        ("sched_1", None, "Protocol to the Convention on the Keeping of Lights"),
        ("sched_4", "4", "Protocol No. 4 to the Convention on the Keeping of Lights"),
    ]
    articles = {node.eid: node.heading for node in document.walk() if node.type == "article"}
    assert articles == {
        "art_1": "Lights",
        "dvs_ii__art_2": "Court",
        "dvs_ii__art_3": "Satisfaction",
        "sched_1__art_1": "Boats",
        "sched_1__art_2": "Schools",
        "sched_4__art_1": "Debts",
        "sched_4__art_2": "Freedom to sail",
    }


@pytest.mark.parametrize(
    ("article", "heading", "signing"),
    [
        ("Article", "PROTOCOL", "At the signing the Parties agreed that a boat of an heir is a boat of a resident."),
        ("Artikel", "Protokoll", "Bei der Unterzeichnung haben die Parteien vereinbart, dass das Boot eines Erben ein Boot ist."),
        ("Article", "Protocole final", "Lors de la signature les Parties sont convenues que le bateau d’un héritier est un bateau."),
        ("Artikel", "Tilläggsprotokoll", "Vid undertecknandet kom parterna överens om att en arvinges båt är en båt."),
    ],
)  # fmt: skip
def test_a_protocol_without_articles_is_not_part_of_the_last_article(article: str, heading: str, signing: str) -> None:
    articles = "\n\n".join(f"{article} {number}\n\n{signing}" for number in range(1, 4))
    document = parse(SourceFile("treaty.txt", f"{articles}\n\n{heading}\n\n1. {signing}\n".encode()))
    assert [(node.type, node.eid, node.heading) for node in document.nodes] == [
        *(("article", f"art_{number}", None) for number in range(1, 4)),
        ("schedule", "sched_1", heading),
    ]


def test_a_heading_about_minutes_is_not_a_protocol_to_a_treaty() -> None:
    rule = "Rätten ska föra protokoll över det som sägs vid förhandlingen om hamnen."
    sections = [f"{number} §\n\n{rule}" for number in range(1, 5)]
    text = "\n\n".join(["Lag (2031:7) om hamnrätt", *sections[:2], "Protokoll", *sections[2:]])
    document = parse(SourceFile("law.txt", text.encode()))
    assert [node.num for node in document.nodes if node.type == "section"] == ["1", "2", "3", "4"]
    assert not [node for node in document.walk() if node.type == "schedule"]


_CONSTITUTION = """# CONSTITUTION OF LAMPIA

## ARTICLE I
## LAMPS

SECTION 1. Lamps burn.

SECTION 2. Keepers keep.

## ARTICLE II
## SHIPS

SECTION 1. Ships pass.

SECTION 2. Ships pay.

## ORDINANCE

*SHARING THE LAMPS*

SECTION 1. Each town has a lamp.

SECTION 2. The keeper shares them.
"""


def _sections(document: Document) -> list[list[str | None]]:
    return [[node.num for node in division.children if node.type == "section"] for division in document.nodes[1:]]


def test_an_ordinance_behind_the_last_article_of_a_constitution_is_a_text_of_its_own() -> None:
    document = read(_CONSTITUTION)
    assert [(node.type, node.num) for node in document.nodes[1:]] == [
        ("division", "I"),
        ("division", "II"),
        ("schedule", None),
    ]
    assert _sections(document) == [["1", "2"]] * 3


def test_an_ordinance_with_a_heading_above_those_of_the_articles_is_a_text_of_its_own() -> None:
    document = read(_CONSTITUTION.replace("## ORDINANCE", "# ORDINANCE"))
    assert [node.type for node in document.nodes[1:]] == ["division", "division", "schedule"]


def test_a_heading_inside_a_division_begins_no_appended_text() -> None:
    document = read(_CONSTITUTION.replace("## ORDINANCE", "### ORDINANCE"))
    assert not [node for node in document.walk() if node.type == "schedule"]


def test_a_heading_before_the_next_article_begins_no_appended_text() -> None:
    document = read(_CONSTITUTION + "\n## ARTICLE III\n## END\n\nSECTION 1. Lamps go out.\n\nSECTION 2. Ships stop.\n")
    assert not [node for node in document.walk() if node.type == "schedule"]


def test_an_index_between_two_sections_is_no_schedule() -> None:
    sections = [f"Section {number}. The keeper lights lamp {number} at dusk." for number in range(1, 7)]
    document = read("\n\n".join(["Lamps Act 2031", *sections[:3], "Index", *sections[3:]]), doc_type="act")
    assert [node.num for node in document.nodes if node.type == "section"] == [str(number) for number in range(1, 7)]
    assert not [node for node in document.walk() if node.type == "schedule"]


def test_two_headings_in_a_row_begin_one_appended_text() -> None:
    document = read(_CONSTITUTION.replace("*SHARING THE LAMPS*", "## SHARING THE LAMPS"))
    assert [node.type for node in document.nodes[1:]] == ["division", "division", "schedule"]
    assert "SHARING THE LAMPS" in document.text_of(document.nodes[-1])


def test_no_text_is_annexed_if_the_first_one_has_no_heading() -> None:
    text = _harbour_act_with_conventions("Convention").replace("## Convention\n\n", "").replace("Protocol", "Agreement")
    assert not [node for node in read(text).walk() if node.type == "schedule"]


def test_a_protocol_may_have_its_number_as_a_word() -> None:
    text = _TREATY.replace("Protocol No. 4 to", "Fourth Protocol to")
    document = parse(SourceFile("treaty.md", text.encode()))
    assert [node.eid for node in document.nodes if node.type == "schedule"] == ["sched_1", "sched_4"]
