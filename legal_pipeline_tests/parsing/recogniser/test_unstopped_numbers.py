"""Sections whose numbers have no full stop, in texts without blank lines: Australia, New Zealand, Canada, and copies from a PDF."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_BODIES = (
    "This Act is the Harbour Lamps Act 2031.",
    "This Act commences on 1 May 2032.",
    "A keeper must light the lamp of the harbour at dusk and must put it out at dawn.",
    "The Board may lend a lamp to a keeper who asks for it in writing before the winter.",
    "A keeper who does not light the lamp pays the fee.",
)
_HEADINGS = ("Short title", "Commencement", "Keepers", "Lent lamps", "Fee")


def read(text: str, **hints: str) -> Document:
    return parse(SourceFile("lamps.txt", text.encode(), hints=hints))


def sections(document: Document) -> list[tuple[str | None, str | None]]:
    return [(node.num, node.heading) for node in document.provisions()]


def act(form: str, numbers: str = "1 2 3 4 5") -> str:
    lines = zip(numbers.split(), _HEADINGS, _BODIES, strict=True)
    return "Harbour Lamps Act 2031\n\n" + "\n".join(
        form.format(number=number, heading=heading, body=body) for number, heading, body in lines
    )


@pytest.mark.parametrize(
    "form",
    [
        "{number}  {heading}\n\t\t{body}",
        "{number}  {heading}\n {body}",
        "{number} {heading}\n{body}",
        "{heading}\n{number} {body}",
        "{heading}\n{number} (1) {body}\n(2) The Board says how.",
    ],
)
@pytest.mark.parametrize("numbers", ["1 2 3 4 5", "1 2 3 3A 4"])
def test_each_number_begins_a_section(form: str, numbers: str) -> None:
    document = read(act(form, numbers), doc_type="act")
    assert [num for num, _ in sections(document)] == numbers.split()
    assert [heading for _, heading in sections(document)][1:] == list(_HEADINGS[1:])
    for node, body in zip(document.provisions(), _BODIES, strict=True):
        assert body in document.text_of(node)


def test_repealed_sections_may_be_missing_and_a_schedule_has_its_own_numbers() -> None:
    schedule = "\n\nSchedule 1—Lamps\n\n1  North lamp\n\t\tThe north lamp is that of the long pier.\n2  South lamp\n\t\tIt is red."
    document = read(act("{number}  {heading}\n\t\t{body}", "1 2 3 6 7") + schedule)
    assert [num for num, _ in sections(document)] == ["1", "2", "3", "6", "7"]
    assert [node.num for node in document.walk() if node.type == "paragraph"] == ["1", "2"]


@pytest.mark.parametrize(
    "lines",
    [
        "1 North lamp\n2 South lamp\n3 West lamp",  # rows
        "7 Days are counted.\n9 Nights too.",  # no sequence from 1 on
        "of the lamps on pier\n1 Keepers watch on pier\n2 Others watch on pier\n3 Nobody",  # wrapped sentences
    ],
)
def test_other_lines_that_begin_with_a_figure_begin_no_block(lines: str) -> None:
    document = read(
        f"NOTE ON LAMPS\n\nThe harbour has these lamps along the water and behind the mole, seen from\n{lines}"
    )
    assert not list(document.provisions())
    assert len(document.nodes) == 2
