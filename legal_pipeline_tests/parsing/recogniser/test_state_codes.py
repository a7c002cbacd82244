"""Chapters of the codes of American states, in the forms of their publishers: every section is a provision with its whole number; own text.

Not here: chapters of three figures a section, and codes of cities (`test_codes`).
"""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_TEXTS = (
    "A keeper owns the oil that the keeper buys.",
    "A lamp that is sold with a house passes with the house.",
    "A harbor may be let for a term of years.",
    "The board shall inspect each lamp once a year.",
)


def read(head: str, section: str, numbers: str, name: str = "code.txt") -> Document:
    """Return the document with `head`, and `section` for each of `numbers`, filled with a number and a sentence."""
    sections = [
        section.format(number=number, text=_TEXTS[index % len(_TEXTS)]) for index, number in enumerate(numbers.split())
    ]
    return parse(SourceFile(name, "\n\n".join([head, *sections, ""]).encode()))


def sections_of(document: Document) -> list[Node]:
    return [node for node in document.walk() if node.type == "section"]


_LISTED = "\n\n(1) {text}\n\n(2) No person may:\n\n(a) darken it; or\n\n(b) move it."
_CODES = [
    ("CHAPTER 714\n\nTHEFT OF LAMPS", "{number} Lamps.\n\n1. {text}\n\n2. Keepers.", "714.1 714.2 714.3 714.5 714.16A"),
    ("TITLE 2C THE CODE OF LAMPS\n\nCHAPTER 11", "{number}. Lamps\n\na. {text}\n\nb. Keepers.", "2C:11-1 2C:11-2 2C:11-3 2C:11-5 2C:12-1"),
    ("CHAPTER 2903 HOMICIDE", "{number} Lamps.\n\n(A) {text}", "2903.01 2903.02 2903.04 2903.041"),
    ("CHAPTER 630 HOMICIDE", "{number} Lamps. –\n\nI. {text}\n\nII. Keepers.", "630:1 630:1-a 630:1-b 630:2 630:3"),
    ("Chapter 9A.32 RCW\n\nHOMICIDE", "RCW {number}\n\nLamps.\n\n(1) {text}", "9A.32.010 9A.32.020 9A.32.030 9A.32.040"),
    ("Title 76. Code\n\nChapter 5. Lamps", "{number}. Lamps." + _LISTED, "76-5-201 76-5-202 76-5-203 76-5-204 76-5-205"),
    ("TITLE 18\n\nARTICLE 3\n\nPART 1", "{number}. Lamps." + _LISTED, "18-3-101 18-3-102 18-3-103 18-3-104 18-3-105"),
    ("CHAPTER 22-16\n\nHOMICIDE", "{number}. Lamps. {text}", "22-16-1 22-16-2 22-16-4 22-16-5 22-16-6"),
    ("CHAPTER 12.1-16\n\nHOMICIDE", "{number}. Lamps.\n\n1. {text}", "12.1-16-01 12.1-16-02 12.1-16-03 12.1-16-04 12.1-16-05"),
    ("CHAPTER 952\n\nPENAL CODE", "Sec. {number}. Lamps. (a) {text}\n\n(b) Keepers.", "53a-53 53a-54 53a-54a 53a-54b 53a-55"),
    ("TITLE 6\n\nCHAPTER 2\n\nARTICLE 1", "{number}. Lamps." + _LISTED, "6-2-101 6-2-102 6-2-103 6-2-104 6-2-105"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "section", "numbers"), _CODES)
def test_every_number_is_a_section(head: str, section: str, numbers: str) -> None:
    document = read(head, section, numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()
    assert document.warnings == ()


@pytest.mark.parametrize(("head", "section", "numbers"), [_CODES[0], *_CODES[5:7], *_CODES[9:]])
def test_a_heading_that_ends_as_a_sentence_is_the_heading(head: str, section: str, numbers: str) -> None:
    assert {node.heading for node in sections_of(read(head, section, numbers))} == {"Lamps"}


@pytest.mark.parametrize(
    ("section", "numbers"),
    [
        ("IC {number} Lamps\n\nSec. {last}. (a) {text}\n\n(b) Keepers.", "35-42-1-1 35-42-1-2 35-42-1-3 35-42-1-4 35-42-1-5"),
        ("{number} Lamps.\n\nSec. {last}.\n\n(a) {text}\n\n(b) Keepers.", "750.316 750.317 750.318 750.319 750.320"),
    ],
)  # fmt: skip
def test_a_number_that_is_repeated_in_short_is_no_other_section(section: str, numbers: str) -> None:
    pieces = [
        section.format(number=number, last=number.replace("-", ".").rpartition(".")[2], text=_TEXTS[index % 4])
        for index, number in enumerate(numbers.split())
    ]
    document = parse(SourceFile("code.txt", "\n\n".join(["ARTICLE 42. LAMPS", *pieces, ""]).encode()))
    found = sections_of(document)
    assert [(node.num, node.heading) for node in found] == [(number, "Lamps") for number in numbers.split()]
    below = [[child.num for child in node.children if child.type == "paragraph"] for node in found]
    assert below == [["a", "b"]] * len(found)


def test_plain_numbers_below_the_title_of_a_code_are_sections() -> None:
    head = "California Civil Code\n\nDIVISION 1. KEEPERS\n\nPART 1. PERSONS"
    numbers = "187 188 189 190 191 192 193 194"
    document = read(head, "{number}. {text}", numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()
    notes = read(head.replace("Civil Code", "holidays"), "{number}. {text}", numbers)
    assert sections_of(notes) == []


def test_an_item_behind_a_paragraph_in_its_line_is_an_item() -> None:
    section = "{number} Lamps.\n\n1. {text}\n\n2. a. A keeper lights it.\n\nb. A keeper trims it."
    first, *_ = sections_of(read("CHAPTER 714\n\nLAMPS", section, "714.1 714.2 714.3"))
    assert [node.eid for node in first.walk() if node.type == "item"] == [
        "chp_714__sec_714.1__para_2__item_a",
        "chp_714__sec_714.1__para_2__item_b",
    ]


def test_the_title_of_a_chapter_has_its_heading() -> None:
    for head, number in (("CHAPTER 714\n\nTHEFT OF LAMPS", "714"), ("CHAPTER 630 THEFT OF LAMPS", "630")):
        sign = "." if number == "714" else ":"
        numbers = " ".join(f"{number}{sign}{section}" for section in range(1, 6))
        assert read(head, "{number} Lamps.\n\n{text}", numbers).title == f"CHAPTER {number} THEFT OF LAMPS"


@pytest.mark.parametrize(
    "text",
    [
        "Agenda\n\n" + "\n\n".join(f"{hour}:{minute} Lamps of the harbor" for hour in range(9, 13) for minute in ("00", "30")),
        "Report\n\nChapter 1\n\n" + "\n\n".join(f"1.2.{number} Aims of the harbor" for number in range(1, 9)),
        "Log\n\n" + "\n\n".join(f"05-{day:02}-31 Meeting of the keepers" for day in range(1, 9)),
        "Report\n\nChapter 4\n\n" + "\n\n".join(f"4.{number} Aims of the harbor" for number in range(1, 9)),
    ],
)  # fmt: skip
def test_times_dates_and_numbered_headings_are_no_sections(text: str) -> None:
    assert sections_of(parse(SourceFile("notes.txt", text.encode()))) == []


def test_a_label_in_brackets_has_its_number() -> None:
    """Publishers print the number of a section that their revisor gave in square brackets, in the line of its text or above it."""
    sections = "\n\n".join(
        [
            "§439A-1  Lamps.  A lamp is a light.",
            "[§439A-2]  Keepers.  (a) A keeper lights it.",
            "[§439A-2.5]\nOil.  Oil burns.",
        ]
        + [f"[§439A-{number}]  Fines.  A keeper pays." for number in (3, 4, 5)]
    )
    document = parse(SourceFile("chapter.txt", f"CHAPTER 439A\n\nLAMPS\n\n{sections}\n".encode()))
    assert [node.num for node in sections_of(document)] == [
        "439A-1",
        "439A-2",
        "439A-2.5",
        "439A-3",
        "439A-4",
        "439A-5",
    ]
    assert document.warnings == ()


def test_a_chapter_may_begin_with_a_hundred() -> None:
    numbers = "707-700 707-701 707-701.5 707-702 707-703"
    document = read("CHAPTER 707\n\nLAMPS", "§{number}  Lamps.  {text}", numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()
    assert document.warnings == ()


def test_a_reference_to_another_chapter_at_a_line_start_is_no_section() -> None:
    numbers = "701-101 701-102 701-103 701-104 701-105"
    text = "{text}\n\n§712-1230 covers the oil."
    document = read("CHAPTER 701\n\nLAMPS", "§{number}  Lamps.  " + text, numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()


def test_a_non_breaking_hyphen_is_a_hyphen() -> None:
    numbers = "459\u20111 459\u20111.5 459\u20112 459\u20113"
    document = read("CHAPTER 459\n\nLAMPS", "§{number}  Lamps.  {text}", numbers)
    assert [node.num for node in sections_of(document)] == numbers.replace("\u2011", "-").split()
    assert "459\u20111.5" in document.text


def test_articles_of_an_agreement_are_text_of_the_section_that_sets_it_out() -> None:
    articles = "\n\n".join(
        f"Article {number}\n\nThe party states light article {number}." for number in ("I", "II", "III", "IV")
    )
    text = f"CHAPTER 834\n\n§834-1  Agreement adopted.  It is law as follows:\n\n{articles}\n\n" + "\n\n".join(
        f"§834-{number}  Courts.  A court lights lamp {number}." for number in (2, 3, 4)
    )
    document = parse(SourceFile("chapter.txt", text.encode()))
    found = sections_of(document)
    assert [node.num for node in found] == ["834-1", "834-2", "834-3", "834-4"]
    assert "light article IV" in document.text_of(found[0])
    assert not [node for node in document.walk() if node.type in ("article", "division")]


def test_sections_with_five_figures_behind_the_sign_are_sections_and_their_numbered_parts_are_not() -> None:
    document = parse(
        SourceFile(
            "lamps.md",
            (
                "# Chapter 731: HARBOUR LAMPS\n\n### §14201. Definitions\n\nIn this chapter, the following terms apply.\n\n"
                '**1. Keeper.** "Keeper" means the keeper of a lamp.\n\n**2. Lamp.** "Lamp" means a light on a pier.\n\n'
                "### §14202. Duties\n\n**1. At dusk.** A keeper lights the lamp at dusk.\n\n"
                "**2. At dawn.** A keeper puts out the lamp at dawn.\n\n### §14202-A. Fund\n\nThe Lamp Fund is established.\n\n"
                "### §14203. Penalty\n\nA person who covers a lamp commits a civil violation.\n"
            ).encode(),
        )
    )
    assert [(node.num, node.heading) for node in document.provisions()] == [
        ("14201", "Definitions"), ("14202", "Duties"), ("14202-A", "Fund"), ("14203", "Penalty"),
    ]  # fmt: skip


def test_sections_with_more_figures_are_decimals_between_those_with_three() -> None:
    numbers = "151.002 151.0028 151.003 151.0039 151.00393 151.004 151.155 151.1551 151.156 151.157 151.1575 151.158"
    document = read("CHAPTER 151. TAX ON LAMPS", "Sec. {number}.  LAMPS.  {text}", numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()


def test_sections_above_a_thousand_go_on_those_with_three_figures() -> None:
    numbers = "143.998 143.999 143.1000 143.1001 143.1002 143.1003"
    document = read("CHAPTER 143. TAX ON LAMPS", "Sec. {number}.  LAMPS.  {text}", numbers)
    assert [node.num for node in sections_of(document)] == numbers.split()


_RULES = ("410-1-.01", "410-1-.02", "410-2-.01", "410-2-.02", "410-2-.03", "410-2A-.01", "410-3-.01")


@pytest.mark.parametrize("dash", ["-", " -"], ids=["as printed", "with a space of the page's reader"])
def test_rules_of_an_agency_have_a_stop_before_their_last_figures(dash: str) -> None:
    printed = [number.replace("-", dash, 1) for number in _RULES]
    sections = [
        f"Rule {number}. Lamps of the Harbor.\n\n(1) {_TEXTS[0]}\n\n(a) Keepers register." for number in printed
    ]
    text = "\n\n".join(["Chapter 410", "BOARD OF LAMPS", *sections])
    assert [node.num for node in sections_of(parse(SourceFile("code.txt", text.encode())))] == list(_RULES)
