"""Section signs that a scan misread as figures; own samples."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_TEXT = "Der Wärter zündet die Lampen in der Dämmerung an und löscht sie am Morgen."


def read(*labels: str) -> Document:
    text = "\n\n".join(f"{label}\n\n{_TEXT}" for label in labels)
    return parse(SourceFile("satzung.txt", f"Satzung über die Lampen der Gemeinde\n\n{text}\n".encode()))


def sections(document: Document) -> list[tuple[str | None, str | None]]:
    return [(node.num, node.heading) for node in document.walk() if node.type == "section"]


def test_a_figure_or_another_sign_in_the_place_of_the_sign_begins_the_next_section() -> None:
    document = read("81 Lampen", "§ 2 Öl", "8 3 Wärter", "$ 4 Dochte", "85", "§ 6 Gebühren")
    headings = ["Lampen", "Öl", "Wärter", "Dochte", None, "Gebühren"]
    assert sections(document) == [(str(number), heading) for number, heading in enumerate(headings, 1)]
    assert "\n\n8 3 Wärter\n\n" in document.text, "the text stays as it was read"


def test_a_section_whose_number_was_lost_does_not_hide_those_behind_it() -> None:
    document = read("§ 1 Lampen", "82 Öl", "1 8", "84 Dochte", "§ 5 Gebühren", "§ 6 Gas")
    assert [num for num, _ in sections(document)] == ["1", "2", "4", "5", "6"]


def test_a_reference_at_a_line_start_does_not_break_the_sequence() -> None:
    document = read(
        "§ 1 Lampen", "82 Öl", "§ 9 Abs. 1 bleibt unberührt, soweit die Lampen", "83 Wärter", "§ 4 Gebühren"
    )
    assert [num for num, _ in sections(document)][:4] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("line", ["83 Euro je Lampe", "8 2 Lampen", "89 Masten stehen am Hafen", "8. Die Lampe"])
def test_a_number_out_of_sequence_is_text(line: str) -> None:
    document = read("§ 1 Lampen", "§ 2 Öl", "§ 3 Wärter", line, "§ 4 Gebühren")
    assert [num for num, _ in sections(document)] == ["1", "2", "3", "4"]


def test_without_signs_numbers_from_eighty_on_stay_numbers() -> None:
    text = "\n\n".join(f"{number} Lamp {number}\n\nThe keeper lights lamp {number}." for number in range(81, 90))
    document = parse(SourceFile("act.txt", f"Lamps Act 1931\n\n{text}\n".encode()))
    assert not {"1", "2", "3"} & {node.num for node in document.walk()}
