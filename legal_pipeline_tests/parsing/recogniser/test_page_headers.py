"""Headers of printed pages that name what is on the page, in texts without marks of pages: they are neither provisions nor divisions."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.page_headers import without_page_headers
from legal_pipeline.parsing.recogniser.words import words_of
from legal_pipeline.parsing.registry import parse

_TITLE = "Harbour Lamps Act 2031"


def read(*parts: str) -> Document:
    return parse(SourceFile("lamps.txt", "\n\n".join(parts).encode()))


def left_out(document: Document) -> list[str]:
    return [document.text_of(node) for node in document.walk() if node.type == "running_header"]


def tree(document: Document) -> list[tuple[str, str | None]]:
    kinds = ("part", "division", "schedule", "section", "article", "paragraph")
    return [(node.type, node.num) for node in document.walk() if node.type in kinds]


def headed(*texts: str) -> list[Block]:
    return list(without_page_headers([Block(text) for text in texts], words_of("eng")))


def test_headers_with_the_division_and_the_first_section_of_the_page_are_left_out() -> None:
    """The manner of Australia: the division is on the left or on the right, and the footer has title and page."""
    document = read(
        _TITLE, "Preliminary  Part 1", "Section 1", "Part 1—Preliminary",
        "1  Short title\n\t\tThis Act is the Harbour Lamps Act 2031.\n2  Commencement\n\t\tThis Act commences on 1 May 2032.",
        f"{_TITLE}\t1", "Part 2  Keepers", "Section 3", "Part 2—Keepers",
        "3  Duties\n\t(1)\tA keeper lights the lamp at dusk.\n\t(2)\tA keeper puts it out at dawn.",
        f"2\t{_TITLE}", "Keepers  Part 2", "Section 4", "4  Fee\n\t\tA keeper pays the fee that the Board sets.",
        f"{_TITLE}\t3", "Lamps  Schedule 1", "Clause 1", "Schedule 1—Lamps",
        "1  North lamp\n\t\tThe north lamp is that of the long pier.\n2  South lamp\n\t\tIt is red.",
    )  # fmt: skip
    assert tree(document) == [
        ("part", "1"), ("section", "1"), ("section", "2"),
        ("part", "2"), ("section", "3"), ("section", "4"),
        ("schedule", "1"), ("paragraph", "1"), ("paragraph", "2"),
    ]  # fmt: skip
    assert left_out(document) == [
        "Preliminary Part 1", "Section 1", f"{_TITLE} 1", "Part 2 Keepers", "Section 3",
        f"2 {_TITLE}", "Keepers Part 2", "Section 4", f"{_TITLE} 3", "Lamps Schedule 1", "Clause 1",
    ]  # fmt: skip


def test_headers_with_the_chapter_of_the_laws_are_left_out_and_contents_may_have_pages_of_parts() -> None:
    """The manner of Hong Kong."""
    title = "Harbour Lamps Ordinance"
    document = read(
        title, "Contents", "Section\tPage\nPart 1\nPreliminary\n1.\tShort title\t1-2\n2.\tMeaning of lamp\t1-2\nPart 2\nKeepers\n"
        "3.\tDuties\t2-2\n4.\tFee\t2-4\nSchedule\tLamps\tS-2",
        f"{title}\nPart 1\t1-2\nSection 1\tCap. 888", "An Ordinance to provide for harbour lamps.", "Part 1\nPreliminary",
        "1.\tShort title\nThis Ordinance may be cited as the Harbour Lamps Ordinance.",
        '2.\tMeaning of lamp\nIn this Ordinance "lamp" means a lamp named in the Schedule.',
        f"{title}\nPart 2\t2-2\nSection 3\tCap. 888", "Part 2\nKeepers", "3.\tDuties\nA keeper lights the lamp at dusk.",
        "4.\tFee\nA keeper pays the fee that the Board sets.", "Schedule\t[s. 2]\nLamps",
        "1.\tThe lamp of the north pier\n2.\tThe lamp of the south pier",
    )  # fmt: skip
    assert tree(document) == [
        ("part", "1"), ("section", "1"), ("section", "2"), ("part", "2"), ("section", "3"), ("section", "4"), ("schedule", None),
    ]  # fmt: skip
    assert left_out(document) == [
        title, "Part 1 1-2", "Section 1 Cap. 888", title, "Part 2 2-2", "Section 3 Cap. 888",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [
        # articles with their paragraphs
        ("Article 1", "1. A keeper lights the lamp.", "2. The Board pays.", "Article 2", "1. A lamp is red.", "2. It is high."),
        ("Article 1", "1. A keeper lights the lamp.", "2. The Board pays.", "Article 2", "A lamp is red."),
        # paragraphs that are counted through
        ("Article 1", "1. A keeper lights the lamp.", "2. The Board pays.", "Article 2", "3. A lamp is red.", "4. It is high."),
        # a single article below the heading of its part
        ("Part 1 Lamps", "Article 1", "1. A keeper lights the lamp.", "2. The Board pays."),
        # headings of parts, and headings of all sections
        ("PART 1", "1 Title", "This is the Act.", "2 Lamps", "Lamps are red.", "PART 2", "3 Duties", "PART 1", "1 Oil", "PART 2", "2 Gas"),
        ("Section 1", "1 A keeper lights the lamp.", "Section 2", "2 The Board pays.", "Section 3", "3 It is red."),
        # sections with a word, and no others
        ("Section 1", "A keeper lights the lamp.", "Section 2", "The Board pays."),
    ],
)  # fmt: skip
def test_labels_of_provisions_above_their_text_are_no_headers(texts: tuple[str, ...]) -> None:
    assert {block.kind for block in headed(_TITLE, *texts)} == {"text"}


def test_the_heading_of_a_division_that_stands_nowhere_else_is_kept() -> None:
    blocks = headed(
        _TITLE, "1 Title", "This is the Act.", "2 Lamps", "Lamps are red.", "Part 2 Keepers", "Section 3", "3 Duties", "A keeper works.",
        "Section 4", "4 Fee",
    )  # fmt: skip
    assert [block.text for block in blocks if block.kind == "running"] == ["Section 3", "Section 4"]


def test_the_title_below_the_section_that_a_header_names_is_part_of_the_header() -> None:
    pages = [
        "1 In this Regulation, “lamp” means a light on a pier.",
        "Section 2 LR 7/2031", "HARBOUR LAMP REGULATION",
        "2(1) The owner of a pier shall keep a lamp.", "(2) The lamp shall be lit at dusk.",
        "3 A keeper shall hood the lamp.", "4 Repealed LR 45/2032 s4.",
        "Section 5 LR 7/2031", "HARBOUR LAMP REGULATION",
        "5(1) The Board may inspect a lamp.", "(2) It shall report on it.", "6 A person who covers a lamp commits an offence.",
        "7 The Board may set fees for inspections of lamps.",
        "Schedule LR 7/2031", "HARBOUR LAMP REGULATION", "Schedule", "Fees",
    ]  # fmt: skip
    blocks = [Block(text) for text in pages]
    kept = without_page_headers(blocks, words_of("eng"))
    assert [index for index, block in enumerate(kept) if block.kind == "running"] == [1, 2, 7, 8, 13, 14]


def test_lines_that_name_the_next_section_behind_the_title_are_left_out_or_are_the_label_of_a_repealed_section() -> (
    None
):
    title = "LAMP KEEPERS (FEES) ACT 2031"
    said = "This Act may be cited as the Lamp {} Act. A keeper lights it at dusk."
    sections = [
        f"{title} - SECT {number}\nLamp {number}\n\n{number} Lamp {number}\n\n   {said.format(number)}"
        for number in ("1", "2", "2A", "4", "7", "8")
    ]
    sections.insert(3, f"{title} - SECT 3\n(Repealed)\n\n   (Repealed)")
    sections.insert(5, f"{title} - SECT 5-6\n(Repealed)\n\n   (Repealed)")
    schedule = f"{title} - SCHEDULE 1\n\n   Fees\n\n   The fee of a keeper is paid on the first day of May."
    document = read("Atlantis Consolidated Acts", f"{title}\n- As at 1 July 2031", *sections, schedule)
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("1", "Lamp 1"), ("2", "Lamp 2"), ("2A", "Lamp 2A"), ("3", None), ("4", "Lamp 4"), ("5-6", None), ("7", "Lamp 7"), ("8", "Lamp 8"),
    ]  # fmt: skip
    assert [node.num for node in document.provisions() if node.status == "repealed"] == ["3", "5-6"]
    assert [node.num for node in document.walk() if node.type == "schedule"] == ["1"]
    assert left_out(document)[4:7] == [f"{title} - SECT 2A", "Lamp 2A", f"{title} - SECT"]
    source = "\n\n".join(["Atlantis Consolidated Acts", f"{title}\n- As at 1 July 2031", *sections])
    assert document.raw_offset(document.text.index("3\n\n(Repealed)")) == source.index("3\n(Repealed)")


def test_headers_of_several_lines_name_the_part_and_no_label_of_an_article_is_the_number_of_a_page() -> None:
    """The manner of legislation.gov.uk, and of gazettes in two columns."""
    head = "Document Made: 2032-05-07\nChanges to law: no effects are outstanding for the Ferry\nLamps Regulations 2031. (See the end)"

    def page(part: str, *sections: str) -> str:
        return f"Ferry Lamps Regulations 2031 (S.I. 2031/77)\n{part}\n{head}\n\n" + "\n\n".join(sections)

    document = read(
        f"{head}\n\nFERRY LAMPS\n\nThe Ferry Lamps Regulations 2031\n\nPART 1\nIntroduction\n\nCitation and extent\n"
        "1.—(1) These Regulations may be cited as the Ferry Lamps Regulations 2031.\n(2) They extend to the islands and to no\n"
        "other place in the sea.\n\nLamps at night\n2. Every ferry shows a green lamp from dusk to dawn.\n\n\f"
        + page("PART 1 – Introduction", "[F1Lamps in fog\n3. . . . . . . . . . . . . . . . . . .]", "PART 2\nKeepers",
               "[F2Duty of keepers\n4.—(1) A keeper trims the wick.\n(2) A keeper rings the bell.]")
        + "\n\f" + page("PART 2 – Keepers", "Fees\n5. The fee is one crown.")
            + "\n\f" + page("PART 2 – Keepers", "Oil\n6. The keeper buys the oil.",
                        "Textual Amendments\nF1   Reg. 3 revoked (1.9.2032) by The Fog Regulations 2032 (S.I. 2032/5), reg. 4")
    )  # fmt: skip
    assert tree(document) == [
        ("part", "1"), ("section", "1"), ("section", "2"), ("section", "3"), ("part", "2"), ("section", "4"), ("section", "5"),
        ("section", "6"),
    ]  # fmt: skip
    sections = [node for node in document.walk() if node.type == "section"]
    assert [node.heading for node in sections] == [
        "Citation and extent", "Lamps at night", "Lamps in fog", "Duty of keepers", "Fees", "Oil",
    ]  # fmt: skip
    assert [node.num for node in sections if node.status == "repealed"] == ["3"]
    assert "PART 1 – Introduction" in left_out(document)


def test_the_label_of_an_article_at_the_top_of_a_page_is_not_its_number() -> None:
    words = ("Lamps", "Keepers of bees", "Ferries", "Oil and wicks", "Wells")
    pages = (
        f"{n} GAZETTE\n\nArticle {n}\n{word}\n\n1. {word} belong to the harbour.\n2. {word} are counted every year."
        for n, word in enumerate(words, 1)
    )
    articles = [num for kind, num in tree(read("LAW ON LAMPS\n\n" + "\n\f".join(pages))) if kind == "article"]
    assert articles == ["1", "2", "3", "4", "5"]


def test_a_line_with_a_day_and_the_page_of_an_issue_is_a_header() -> None:
    articles = [f"Article {number}\n\nThe keeper of pier {number} lights the lamp at dusk." for number in range(1, 11)]
    pages = [f"4.5.2031 EN Journal of the Lamps C 9/{page}" for page in range(3, 13, 2)]
    parts = [
        part
        for index, article in enumerate(articles)
        for part in (*pages[index // 2 : index // 2 + index % 2], article)
    ]
    document = read("LAMPS REGULATION", *parts)
    assert left_out(document) == pages
    assert tree(document) == [("article", str(number)) for number in range(1, 11)]


def test_repealed_sections_with_the_day_of_repeal_are_no_headers() -> None:
    sections = [f"{number} § Repealed by Act 5/2031 of 4.5.2031." for number in range(2, 9)]
    document = read("LAMPS ACT", "1 § The keeper lights the lamp at dusk.", *sections, "9 § The keeper rests.")
    assert left_out(document) == []
    assert tree(document) == [("section", str(number)) for number in range(1, 10)]
