"""Instruments of the British form without mark-up: headings above the numbers, and schedules with paragraphs; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_MADE = "The Minister makes these Regulations in exercise of the powers conferred by section 4 of the Harbour Lamps Act 2029."
_BODY = """PART 1

Introductory

Citation

1.—(1) These Regulations may be cited as the Harbour Lamps Regulations 2031.

(2) They come into force on 1st June 2031.

Interpretation

2. In these Regulations, “keeper” means a person who tends a lamp.

PART 2

Keepers

Appointment of keepers

3.—(1) A harbour authority must appoint a keeper for each lamp.

(2) A keeper must hold a certificate that complies with Schedule 1.

Duties

4. A keeper must light the lamp at dusk.
"""
_SCHEDULE = """SCHEDULE 1{}

Certificates

1. A certificate must state the name of the keeper.

2.—(1) A certificate is valid for five years.

(2) It may be renewed.

SCHEDULE 2

Lamps

PART 1

Oil lamps

1. A keeper of an oil lamp must keep 40 litres of oil.

PART 2

Electric lamps

2. A keeper of an electric lamp must test it each week."""


def read(text: str) -> Document:
    return parse(SourceFile("lamps.txt", text.encode()))


def found(document: Document, *types: str) -> list[Node]:
    return [node for node in document.walk() if node.type in types]


def instrument(reference: str = " Regulation 3(2)") -> Document:
    return read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{_BODY}\n{_SCHEDULE.format(reference)}")


def test_a_heading_above_the_number_is_that_of_the_provision() -> None:
    sections = found(instrument(), "section")
    assert [(node.num, node.heading) for node in sections] == [
        ("1", "Citation"), ("2", "Interpretation"), ("3", "Appointment of keepers"), ("4", "Duties"),
    ]  # fmt: skip
    assert [(node.num, node.heading) for node in found(instrument(), "part")][:2] == [
        ("1", "Introductory"),
        ("2", "Keepers"),
    ]


def test_headings_above_few_numbers_are_those_of_groups() -> None:
    grouped = _BODY.replace("Interpretation\n\n", "").replace("Duties\n\n", "").replace("Citation\n\n", "")
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{grouped}")
    assert [node.heading for node in found(document, "section")] == [None] * 4


@pytest.mark.parametrize("reference", [" Regulation 3(2)", "\n\nRegulation 3(2)", "\n\n[Regulations 3 and 4]", ""])
def test_paragraphs_of_a_schedule_can_be_cited(reference: str) -> None:
    document = instrument(reference)
    assert [node.eid for node in found(document, "paragraph") if "sched" in (node.eid or "")] == [
        "sched_1__para_1", "sched_1__para_2", "sched_2__part_1__para_1", "sched_2__part_2__para_2",
    ]  # fmt: skip
    assert [node.heading for node in found(document, "schedule")] == ["Certificates", "Lamps"]
    assert not found(document, "division")


def test_the_rows_of_a_schedule_are_not_paragraphs() -> None:
    rows = "\n\n".join(f"{number}. Lamp {number}: 40 litres" for number in range(1, 6))
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{_BODY}\nSCHEDULE 1\n\nLamps\n\n{rows}")
    assert not [node for node in found(document, "paragraph") if "sched" in (node.eid or "")]
    assert "40 litres" in document.text


def test_the_abbreviation_of_an_instrument_is_not_a_label() -> None:
    document = read(f"S.I. No. 147 of 2031\n\nHARBOUR LAMPS REGULATIONS 2031\n\n{_MADE}\n\n{_BODY}")
    assert [node.num for node in found(document, "section")] == ["1", "2", "3", "4"]
    assert not found(document, "division")


@pytest.mark.parametrize("head", ["THE SCHEDULE", "FIRST SCHEDULE", "THE FIRST SCHEDULE"])
def test_the_only_schedule_and_a_counted_one_are_schedules(head: str) -> None:
    text = f"{_BODY}\n{head}\n\nSection 3\n\nLAMPS\n\n1. A lamp burns at each pier.\n\n2. A lamp burns at each quay."
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{text}")
    assert [node.heading for node in found(document, "schedule")] == ["LAMPS"]
    assert [node.num for node in found(document, "section")] == ["1", "2", "3", "4"]


def test_the_paragraphs_of_a_schedule_of_transitional_provisions_are_its_own() -> None:
    rows = "\n\n".join(
        f"{number}. A lamp of pier {number} that burned before this day is a lamp." for number in (1, 2, 3)
    )
    text = f"{_BODY}\nSCHEDULE 1\n\nTransitional provisions\n\n{rows}"
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{text}")
    assert [node.eid for node in found(document, "paragraph")] == [f"sched_1__para_{number}" for number in (1, 2, 3)]
    assert [node.heading for node in found(document, "schedule")] == ["Transitional provisions"]


def test_a_signature_above_schedules_in_parts_is_not_text_of_the_last_provision() -> None:
    signed = "Signed by authority of the Minister\n\nJ. Pilot\n\nUnder Secretary of State\n\n1st May 2031"
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{_BODY}\n{signed}\n\n{_SCHEDULE.format('')}")
    last = found(document, "section")[-1]
    assert document.text[last.start : last.end].endswith("at dusk.")
    assert [document.text[node.start : node.end] for node in found(document, "signature")] == [signed]


def test_the_references_below_two_schedules_are_not_a_sequence_of_sections() -> None:
    schedules = "\n\n".join(
        f"SCHEDULE {number}\n\nSection {number + 2}\n\nLamps {number}\n\n1. A lamp burns.\n\n2. A wick is trimmed."
        for number in (1, 2)
    )
    document = read(f"The Harbour Lamps Regulations 2031\n\n{_MADE}\n\n{_BODY}\n{schedules}")
    assert [node.heading for node in found(document, "schedule")] == ["Lamps 1", "Lamps 2"]
    assert [node.num for node in found(document, "section")] == ["1", "2", "3", "4"]
    assert not found(document, "division")
