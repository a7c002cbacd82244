"""Lists of contents in texts without mark-up are not the law: each provision is found once."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.blocks import Block
from legal_pipeline.parsing.recogniser.contents import find_contents
from legal_pipeline.parsing.recogniser.labels import STRONG, Label
from legal_pipeline.parsing.recogniser.listed import listed_provisions, listed_schedules
from legal_pipeline.parsing.recogniser.numbers import Number, read_number
from legal_pipeline.parsing.registry import parse

_HEADINGS = (
    "Name of this law",
    "Meaning of words",
    "Keeping of bees",
    "Duties of keepers",
    "Register",
    "Fees and fines",
    "Appeals",
    "End",
)
_BODY = "A keeper of bees in the district tells the Board where the hives stand, and the Board writes it down."


def read(text: str) -> Document:
    return parse(SourceFile("law.txt", text.encode(), hints={"doc_type": "act"}))


def act(contents: str, body: str) -> str:
    return f"BEES LAW 2014\n\nCONTENTS\n\n{contents}\n\nBEES LAW 2014\n\nA law to provide for the keeping of bees.\n\n{body}\n"


def in_parts(entry: str, provision: str, part: str) -> tuple[str, str]:
    """Contents and body of eight provisions in four parts; in the contents the heading of a part stands on a line of its own."""
    contents, body = [], []
    for number, heading in enumerate(_HEADINGS, 1):
        if number % 2:
            contents.append(f"PART {number // 2 + 1}\n\nOn the matter of {heading.lower()}")
            body.append(part.format(number=number // 2 + 1, heading=f"On the matter of {heading.lower()}"))
        contents.append(entry.format(number=number, heading=heading))
        body.append(provision.format(number=number, heading=heading, body=_BODY))
    return "\n\n".join(contents), "\n\n".join(body)


@pytest.mark.parametrize(
    ("entry", "provision"),
    [
        ("{number}. {heading}", "{number}. {heading}\n\n{body}"),
        ("{number}. {heading}", "{number}. {heading}\n\n(1) {body}\n\n(2) {body}"),
        ("Article {number}\n\n{heading}", "Article {number}\n\n{heading}\n\n{body}"),
        ("Article {number} {heading}", "Article {number}\n\n{heading}\n\n{body}"),
        ("{number}.\n\n{heading}.", "{number}. {heading}.\n\n—{body}"),
        ("{number}.\n\n{heading}", "{number}.\n\n{heading}\n\n{body}"),
        ("{number}. {heading}.", "{heading}.\n\n{number}.—(1) {body}\n\n(2) {body}"),
    ],
)
@pytest.mark.parametrize("part", ["PART {number} {heading}", "PART {number}\n\n{heading}"])
def test_a_list_of_contents_in_parts_is_not_the_text(entry: str, provision: str, part: str) -> None:
    document = read(act(*in_parts(entry, provision, part)))
    found = [node for node in document.provisions() if node.type in ("section", "article")]
    assert [node.num for node in found] == [str(number) for number in range(1, 9)]
    assert all(_BODY in document.text_of(node) for node in found)
    (contents,) = [node for node in document.walk() if node.type == "toc"]
    assert _BODY not in document.text_of(contents)


@pytest.mark.parametrize("wrapped", ["Keeping of bees", "Keep- ing of bees", "Keeping of bees in"])
def test_entries_with_a_full_stop_are_contents_if_marginal_notes_above_the_sections_repeat_them(wrapped: str) -> None:
    entries = "\n\n".join(f"{number}. {heading}." for number, heading in enumerate(_HEADINGS, 1))
    notes = [wrapped if heading == "Keeping of bees" else heading for heading in _HEADINGS]
    body = "\n\n".join(f"{note}\n\n{number}. {_BODY}\n\n(2) {_BODY}" for number, note in enumerate(notes, 1))
    found = list(read(act(f"SECTION\n\n{entries}", body)).provisions())
    assert [(node.num, node.heading) for node in found] == [(str(number), note) for number, note in enumerate(notes, 1)]


def test_short_sections_before_a_schedule_with_numbers_of_its_own_are_not_contents() -> None:
    sections = "\n\n".join(f"{number}. {heading} is for the Board." for number, heading in enumerate(_HEADINGS, 1))
    schedule = "\n\n".join(f"{number}. {_BODY} {_BODY}" for number in range(1, 9))
    document = read(f"BEES LAW 2014\n\nA law about bees.\n\n{sections}\n\nSCHEDULE\n\nRules for keepers\n\n{schedule}")
    own = [node.num for node, above in document.walk_with_ancestors() if node.type == "section" and not above]
    assert own == [str(number) for number in range(1, 9)]


def test_a_law_that_repeats_its_headings_is_not_a_list_of_contents() -> None:
    """Two laws of the same wording in one file: each line of one stands in the other."""
    law = "\n\n".join(f"Article {number}\n\nThe Board decides on matter {number}." for number in range(1, 9))
    document = read(f"FIRST LAW\n\n{law}\n\nANNEX\n\n{law}\n")
    assert [node.num for node in document.provisions() if node.type == "article"] == [
        str(number) for number in range(1, 9)
    ] * 2


def test_a_law_with_older_wordings_beside_the_new_ones_is_not_a_list_of_contents() -> None:
    """The "L" of an elided article is no number of an entry, and what ends as a sentence without a number is law."""
    first = f"Le quai est à la ville, {'et la ville en prend soin, ' * 9}sans distinction de jour ni de nuit."
    lines = [
        "La couleur du quai est le bleu.",
        "L'eau du quai est claire.",
        "L'ancre du quai est en fer.",
        "La rive est à tous.",
        "Son maire est élu.",
    ]
    wordings = ([first, *lines], [first, *lines[1:]], lines)
    second = "\n\n".join("\n\n".join(["Article 2", *wording]) for wording in wordings)
    others = "\n\n".join(f"Article {number}\n\nLe maire décide de la question {number}." for number in (3, 4, 5))
    text = f"LOI DU QUAI\n\nArticle 1\n\nLe quai est à la ville.\n\n{second}\n\n{others}\n"
    document = parse(SourceFile("loi.txt", text.encode(), hints={"doc_type": "act", "language": "fr"}))
    assert [node.num for node in document.provisions() if node.type == "article"] == ["1", "2", "2", "2", "3", "4", "5"]
    assert not [node for node in document.walk() if node.type == "toc"]


def test_ranges_of_provisions_below_their_headings_are_a_list_of_contents() -> None:
    ranges = ("1-3", "4", "5-6, 6bis, 7", "8-9", "10-12")
    chapters = [f"CHAPTER {number}. Of piers of kind {number}." for number in range(1, 6)]
    contents = "\n\n".join(f"{chapter}\n\nArt. {which}" for chapter, which in zip(chapters, ranges, strict=True))
    numbers = (("1", "2", "3"), ("4",), ("5", "6", "6bis", "7"), ("8", "9"), ("10", "11", "12"))
    body = "\n\n".join(
        "\n\n".join([chapter, *(f"Art. {num}. The pier number {num} is kept by the town." for num in inside)])
        for chapter, inside in zip(chapters, numbers, strict=True)
    )
    document = read(f"PIER LAW\n\nTable\n\n{contents}\n\nText\n\n{body}\n")
    found = [node.num for node in document.provisions() if node.type == "article"]
    assert found == [num for inside in numbers for num in inside]
    (listed,) = [node for node in document.walk() if node.type == "toc"]
    assert document.text_of(listed).endswith("Art. 10-12")


def test_a_short_list_of_numbers_alone_is_a_list_of_contents() -> None:
    """Too short for a list whose entries are known by their words."""
    contents = "CHAPTER 1. Piers\n\nArt. 1\n\nCHAPTER 2. Lamps\n\nArt. 2-3"
    body = "CHAPTER 1. Piers\n\nArt. 1. The pier is kept by the town.\n\nCHAPTER 2. Lamps\n\nArt. 2. The lamp burns.\n\nArt. 3. It is red."
    document = read(f"PIER LAW\n\n{contents}\n\nText of the law\n\n{body}\n")
    assert [node.num for node in document.provisions() if node.type == "article"] == ["1", "2", "3"]
    assert [node.num for node in document.nodes if node.type == "chapter"] == ["1", "2"]


def test_links_to_provisions_and_their_paragraphs_are_a_list_of_contents() -> None:
    entries = "".join(
        f'<li><a href="#a{number}">Article {number}</a><ul><li><a href="#a{number}p1">(1)</a></li></ul><span>plus</span></li>'
        for number in range(1, 7)
    )
    articles = "".join(
        f"<p>Article {number}</p><p>(1) The pier number {number} is kept by the town of lamps and ropes.</p>"
        for number in range(1, 7)
    )
    page = f"<html><body><h1>Pier Law</h1><ul>{entries}</ul><p>We, the people of the pier, make this law.</p>{articles}</body></html>"
    document = parse(SourceFile("law.html", page.encode(), hints={"doc_type": "act"}))
    found = [node for node in document.provisions() if node.type == "article"]
    assert [node.num for node in found] == [str(number) for number in range(1, 7)]
    assert all("kept by the town" in document.text_of(node) for node in found)


def test_a_numbered_history_of_the_law_is_not_its_sections() -> None:
    history = "\n\n".join(f"{number}. [Amended by the Pier Law {2000 + number}]" for number in range(1, 8))
    sections = "\n\n".join(
        f"{number}. {'[Repealed by the Pier Law 2003]' if number == 4 else f'Pier {number}'}\n\n(1) The pier is kept by the town."
        for number in range(1, 9)
    )
    document = read(f"PIER LAW\n\n{history}\n\nA law about piers.\n\n{sections}\n")
    found = [node for node in document.provisions() if node.type == "section"]
    assert [node.num for node in found] == [str(number) for number in range(1, 9)]


def test_a_list_of_articles_with_the_numbers_of_their_paragraphs_is_not_the_law() -> None:
    """The list names the transitional provisions too, whose heading would end a law."""
    listed = "\n\n".join(f"Article {number}\n\n(1)\n\n(2)\n\n1." for number in range(1, 9))
    law = "\n\n".join(f"Article {number}\n\n(1) {_BODY}\n\n(2) {_BODY}" for number in range(1, 9))
    end = "TRANSITIONAL PROVISIONS\n\nArticle 9"
    document = read(f"{listed}\n\n{end}\n\nBEES LAW 2014\n\n{law}\n\n{end}\n\n{_BODY}\n")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 10)]


def test_an_entry_on_two_lines_does_not_end_the_contents() -> None:
    headings = [*_HEADINGS, *(f"{heading} of the wax" for heading in _HEADINGS)]
    entries = [f"{number}. {heading}." for number, heading in enumerate(headings, 1)]
    entries[7] = (
        "8.\n\nThe end of the keeping of bees in the district, of the Board and of all that the Board has written down."
    )
    links = "1. Home\n\n2. Laws\n\n3. Bees"
    sections = "\n\n".join(f"{number}. {heading}.\n\n(1) {_BODY}" for number, heading in enumerate(headings, 1))
    contents = "\n\n".join(entries)
    document = read(f"{links}\n\n{act(contents, sections)}")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 17)]
    assert all(_BODY in document.text_of(node) for node in document.provisions())


def test_a_list_of_two_divisions_and_the_ranges_of_their_articles_is_not_the_law() -> None:
    chapters = ("CHAPTER 1 Keeping of bees", "CHAPTER 2 Register")
    law = f"{chapters[0]}\n\nArticle 1. {_BODY}\n\n{chapters[1]}\n\nArticle 2. {_BODY}\n\nArticle 3. {_BODY}"
    document = read(f"{chapters[0]}\n\nArticle 1\n\n{chapters[1]}\n\nArticle 2-3\n\n{law}\n")
    assert [node.num for node in document.provisions()] == ["1", "2", "3"]
    assert [node.num for node in document.walk() if node.type == "chapter"] == ["1", "2"]


def test_headings_of_articles_without_text_are_not_a_table_of_contents() -> None:
    sections = "\n\n".join(f"##### § {number}. Rule {number}\n\nA boat pays fee {number}." for number in range(1, 6))

    def articles(empty: range) -> str:
        texts = ("" if number in empty else f"\n\nThe States keep pier {number}." for number in range(1, 13))
        return "\n\n".join(f"##### Article {number}.{text}" for number, text in enumerate(texts, 1))

    heads = (f"## Convention on piers\n\n{articles(range(2, 9))}", f"## Convention on nets\n\n{articles(range(0))}")
    document = parse(SourceFile("act.md", "\n\n".join(["# Harbour Act", sections, *heads]).encode()))
    found = [node.num for node in document.walk() if node.type == "article"]
    assert found == [str(number) for number in range(1, 13)] * 2


_MANY = [f"{_HEADINGS[number % 8]} of district {number}" for number in range(1, 25)]


def long_act(listed: str, behind: str = "") -> str:
    """An Act of 24 sections whose contents are `listed`, with two schedules; `behind` follows the contents."""
    body = "\n\n".join(f"{number}. {heading}\n\n(1) {_BODY}" for number, heading in enumerate(_MANY, 1))
    schedules = "FIRST SCHEDULE\n\nHives of the north\n\nSECOND SCHEDULE\n\nHives of the south"
    return act(f"{listed}{behind}", f"{body}\n\nSCHEDULES\n\n{schedules}")


@pytest.mark.parametrize(
    "between",
    [
        "Exception 1—saving of hives that a keeper of bees holds for another keeper of the same district;\n\nException 2—of wax",
        "2 Bees Law 2014\n\nSection\n\nBees Law 3",
        "Of the Keepers of Districts\n\n(a) in the north; and\n\n(b) in the south",
    ],
)
def test_contents_that_other_lines_interrupt_are_one(between: str) -> None:
    entries = [f"{number}. {heading}" for number, heading in enumerate(_MANY, 1)]
    entries[7:9] = [f"8. Register kept here\n\n{between}\n\n9. Fees that are due"]
    document = read(long_act("\n\n".join(entries)))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 25)]


@pytest.mark.parametrize(
    "listed",
    [
        "\n\nSCHEDULES",
        "\n\nFirst Schedule Hives of the north\n\nSecond Schedule Hives of the south",
        "\n\nSCHEDULES\n\nFirst Schedule\n\nHives of the north and of the places that\n\nare near it\n\nSecond Schedule",
    ],
)
def test_schedules_listed_in_the_contents_do_not_begin_there(listed: str) -> None:
    entries = "\n\n".join(f"{number}. {heading}" for number, heading in enumerate(_MANY, 1))
    document = read(long_act(entries, listed))
    body = [
        node
        for node, parents in document.walk_with_ancestors()
        if node.type == "section" and not any(p.type == "schedule" for p in parents)
    ]
    assert [node.num for node in body] == [str(number) for number in range(1, 25)]
    assert sum(node.type == "schedule" for node in document.walk()) in (2, 3)


def test_the_last_entries_of_contents_are_not_sections() -> None:
    """Those before them are printed in another case than in the text."""
    entries = [f"{number}. {heading}" for number, heading in enumerate(_MANY, 1)]
    entries[12:] = [entry.upper().replace("DISTRICT", "THE DISTRICT OF BEES") for entry in entries[12:]]
    document = read(long_act("\n\n".join(entries)))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 25)]


@pytest.mark.parametrize("numbered", [True, False])
def test_provisions_without_text_are_contents(numbered: bool) -> None:
    """The contents name the provisions in other words than the text; without numbers in the text, none can be cited."""
    entries = "\n\n".join(f"{number}. On {heading.lower()}" for number, heading in enumerate(_MANY, 1))
    body = "\n\n".join(
        (f"{number}. (1) " if numbered else "(1) ") + f"{_BODY}\n\n(2) {_BODY}" for number in range(1, len(_MANY) + 1)
    )
    document = read(f"BEES LAW 2014\n\nIt is hereby enacted as follows:\n\n{entries}\n\nBEES LAW 2014\n\n{body}")
    assert [node.num for node in document.provisions()] == (
        [str(number) for number in range(1, 25)] if numbered else []
    )
    if numbered:
        assert all(_BODY in document.text_of(node) for node in document.provisions())
    else:
        assert any("read as notes" in warning for warning in document.warnings)


def test_a_list_that_sentences_interrupt_ends_behind_its_beginning() -> None:
    """The first entry is repeated above the sentences. A list that ended there, before it begins, would be written for ever."""
    first = [f"{number}. {heading}" for number, heading in enumerate(_MANY[:8], 1)]
    second = [f"{number}. {heading}" for number, heading in enumerate(_MANY[8:], 9)]
    between = [first[0], _BODY, f"The Board of bees prints this list: {_BODY}"]
    body = [text for entry in [*first, *second] for text in (entry, f"(1) {_BODY}")]
    blocks = [Block(text) for text in [*first, *between, *second, "A law on bees.", *body]]
    found = find_contents(blocks)
    assert found
    assert all(start < end for start, end in found)


def test_a_listed_schedule_may_be_as_long_as_a_sentence() -> None:
    entries = "\n\n".join(f"{number}. {heading}" for number, heading in enumerate(_MANY, 1))
    listed = (
        "\n\nFIRST SCHEDULE: Hives of the north, of the places that are near it, and of the islands in the lake."
        "\n\nSECOND SCHEDULE: Hives of the south."
    )
    document = read(long_act(entries, listed))
    assert _outside_schedules(document) == [str(number) for number in range(1, 25)]


def test_the_last_provisions_and_the_parts_of_schedules_are_listed_behind_other_entries() -> None:
    """The contents print repealed provisions in brackets, so that their lines are nowhere in the text."""
    entries = [f"{number}. {heading}" for number, heading in enumerate(_MANY, 1)]
    gone = [f"{number}. ({heading} of old—Repealed)" for number, heading in enumerate(_MANY[:4], 25)]
    listed = "\n\n".join(
        [*gone, "First Schedule—Hives", "Part I — In the north", "of the lake", "Part II — In the west",
         "of the lake", "Second Schedule—Wax"]
    )  # fmt: skip
    document = read(long_act("\n\n".join(entries), f"\n\n{listed}"))
    assert _outside_schedules(document) == [str(number) for number in range(1, 25)]


def test_a_list_of_chapters_above_the_list_of_articles_is_contents_too() -> None:
    chapters = "\n\n".join(f"{number}. {heading.upper()}" for number, heading in enumerate(_HEADINGS, 1))
    entries = "\n\n".join(f"{number}. On {heading.lower()}" for number, heading in enumerate(_MANY, 1))
    body = "\n\n".join(f"{number}.\n\n(1) {_BODY}\n\n(2) {_BODY}" for number in range(1, len(_MANY) + 1))
    document = read(f"BEES LAW 2014\n\nCHAPTERS\n\n{chapters}\n\nARTICLES\n\n{entries}\n\nBEES LAW 2014\n\n{body}")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 25)]
    assert all(_BODY in document.text_of(node) for node in document.provisions())


def test_an_entry_that_ends_with_an_abbreviation_and_parts_of_one_name_interrupt_no_contents() -> None:
    """Two parts have the heading "THE DISTRICT", which does not mean that the text begins with the second."""
    entries = [f"{number}. {heading}" for number, heading in enumerate(_MANY, 1)]
    body = [f"{entry}\n\n(1) {_BODY}" for entry in entries]
    long = "9. Loss of a hive by fire, by frost, by a bear or by another keeper of the same district, etc."
    gone = [f"{number}. ({heading} of old—Repealed)" for number, heading in enumerate(_MANY[:3], 6)]
    for lines in (entries, body):
        lines[2] = f"PART I\n\nTHE DISTRICT\n\n{lines[2]}"
        lines[11] = f"PART II\n\nTHE DISTRICT\n\n{lines[11]}"
    entries[5:8], body[5:8] = gone, [f"{entry}\n\n(1) {_BODY}" for entry in gone]
    entries[8], body[8] = long, f"{long}\n\n(1) {_BODY}"
    entries[9] = "\n\n".join([*(f"(Gone {number})" for number in range(3)), entries[9]])
    document = read(act("\n\n".join(entries), "\n\n".join(body)))
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 25)]


def _outside_schedules(document: Document) -> list[str | None]:
    return [
        node.num
        for node, parents in document.walk_with_ancestors()
        if node.type == "section" and not any(parent.type == "schedule" for parent in parents)
    ]


def _numbered(count: int = 12) -> list[str]:
    return [_HEADINGS[number % len(_HEADINGS)] + f" {number}" for number in range(1, count + 1)]


def _law_below(contents: str, provision: str, *, name: str = "law.txt") -> Document:
    body = "\n\n".join(
        provision.format(number=number, heading=heading, body=_BODY) for number, heading in enumerate(_numbered(), 1)
    )
    text = f"BEES ACT 2014\n\nARRANGEMENT OF SECTIONS\n\n{contents}\n\nAn Act to provide for bees.\n\n{body}\n"
    return parse(SourceFile(name, text.encode(), hints={"doc_type": "act"}))


@pytest.mark.parametrize("schedules", ["SCHEDULE", "FIRST SCHEDULE\n\nSECOND SCHEDULE", "FIRST SCHEDULE—Hives"])
@pytest.mark.parametrize("columns", ["{numbers}\n\n{headings}", "{rows}"], ids=["numbers in a column", "rows"])
def test_the_law_below_a_listed_schedule_is_the_body(columns: str, schedules: str) -> None:
    """The file may lack the schedules that the contents list."""
    numbers = [f"{number}." for number in range(1, 13)]
    contents = columns.format(
        numbers=" ".join(numbers),
        headings="\n\n".join(_numbered()),
        rows="\n\n".join(map(" ".join, zip(numbers, _numbered(), strict=True))),
    )
    document = _law_below(f"{contents}\n\n{schedules}", "{heading}\n\n{number}. (1) {body}\n\n(2) {body}")
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 13)]
    assert not [node for node in document.walk() if node.type == "schedule"]
    assert document.warnings == ()


def test_bold_sections_below_a_listed_schedule_are_the_body() -> None:
    contents = " ".join(f"{number}." for number in range(1, 13)) + "\n\n" + "\n\n".join(_numbered())
    document = _law_below(f"{contents}\n\nSCHEDULE", "**{number}. {heading}**\n\n{body}", name="law.md")
    assert document.format == "markdown"
    assert [node.num for node in document.provisions()] == [str(number) for number in range(1, 13)]
    assert not [node for node in document.walk() if node.type == "schedule"]


def test_the_last_entries_end_where_the_text_begins() -> None:
    entries = [f"{number}. On bees" for number in range(4, 10)]
    blocks = [Block(text) for text in (*entries, _BODY, *(f"{number}. Hives" for number in range(1, 12)))]
    labels = [
        Label(index, (), number, 2, STRONG, "number", alone=False)
        for index, block in enumerate(blocks)
        if (number := read_number(block.text.partition(".")[0])) is not None
    ]
    assert listed_provisions(labels, frozenset(), blocks) == (0, len(entries))


def test_transitional_provisions_above_the_text_are_no_listed_schedule() -> None:
    blocks = [Block(text) for text in ("SCHEDULE", "TRANSITIONAL PROVISIONS", "1. Hives", _BODY, "2. Bees", _BODY)]
    first, second = read_number("1"), read_number("2")
    assert first is not None
    assert second is not None

    def label(index: int, number: Number, *kinds: str) -> Label:
        return Label(index, kinds, number, 2, STRONG, "number", alone=False)

    schedules = [label(0, first, "schedule"), label(1, first, "transitional")]
    assert listed_schedules(schedules, [label(2, first), label(4, second)], blocks) == {0}


def test_divisions_that_a_publisher_moved_above_the_first_article_are_a_list() -> None:
    chapters = [f"### Capitolul {number} Lămpi de clasa {number}" for number in ("I", "II", "III", "IV")]
    articles = [f"##### Articolul {number}\n\nLampa {number} arde noaptea." for number in range(1, 9)]
    document = read("\n\n".join(["# LEGE nr. 7 din 4 mai 2031", *chapters, *articles]))
    assert [node.eid for node in document.provisions()] == [f"art_{number}" for number in range(1, 9)]
    assert all(chapter.lstrip("# ") in document.text for chapter in chapters)


def test_divisions_without_text_above_the_first_article_are_divisions_where_a_remark_says_why() -> None:
    chapters = [f"### Chapter {number} (repealed)" for number in ("I", "II", "III")]
    articles = [f"##### Article {number}\n\nLamp {number} burns at night." for number in range(1, 9)]
    document = read("\n\n".join(["# Lamps Law", *chapters, "### Chapter IV Lamps", *articles]))
    assert {(node.eid or "").partition("__")[0] for node in document.provisions()} == {"chp_iv"}


_LAMPS = ("Objeto.", "Licencia.", "Farolas.")


def of_lamps(listed: str) -> str:
    articles = "".join(
        f"<h6>Artículo {number}. {heading}</h6><p>El guardián enciende la lámpara {number} al anochecer.</p>"
        for number, heading in enumerate(_LAMPS, 1)
    )
    return f"<html><body><h3>Real Decreto 7/2031, de 3 de abril, sobre las lámparas de los puertos.</h3>{listed}{articles}</body></html>"


def test_a_list_of_headings_that_end_as_sentences_is_contents() -> None:
    entries = "".join(f"<p>Artículo {number}. {heading}</p>" for number, heading in enumerate(_LAMPS, 1))
    page = of_lamps(f"<h4>ÍNDICE</h4>{entries}<h4>TEXTO</h4><p>DISPONGO:</p>")
    document = parse(SourceFile("lamparas.html", page.encode()))
    assert [node.eid for node in document.provisions()] == ["art_1", "art_2", "art_3"]
    assert [node.type for node in document.nodes].count("toc") == 1
    assert document.title.startswith("Real Decreto 7/2031, de 3 de abril")


def test_articles_with_text_are_no_contents_of_an_annex_that_repeats_their_headings() -> None:
    first = "".join(f"<p>Artículo {number}. {heading}</p><p>Arde.</p>" for number, heading in enumerate(_LAMPS, 1))
    document = parse(SourceFile("lamparas.html", of_lamps(first).encode()))
    assert len([node for node in document.provisions() if node.type == "article"]) == 6


def test_pages_of_parts_make_a_short_list_contents() -> None:
    listed = (
        "Contents\n\nSection\tPage\nPart 1\nPreliminary\n1.\tShort title\t1-2\n2.\tInterpretation\t1-2\nPart 2\nControl of Lamps\n"
        "3.\tKeepers\t2-2\n4.\tRegulations\t2-4\n"
    )
    body = (
        "Part 1\nPreliminary\n\n1.\tShort title\nThis Ordinance may be cited as the Harbour Lamps Ordinance.\n\n"
        '2.\tInterpretation\nIn this Ordinance "lamp" means a light on the quay.\n\nPart 2\nControl of Lamps\n\n'
        "3.\tKeepers\nThe Governor may appoint keepers.\n\n4.\tRegulations\nThe Governor may make regulations.\n"
    )
    text = f"Harbour Lamps Ordinance\n\n{listed}\nAn Ordinance to provide for the lamps of the harbour.\n\n{body}"
    document = parse(SourceFile("lamps.txt", text.encode()))
    assert [node.num for node in document.provisions()] == ["1", "2", "3", "4"]


def test_the_title_and_the_preamble_may_follow_a_list_of_chapters_alone() -> None:
    chapters = ["Chapter 1 Lamps", "Chapter 2 Keepers", "Chapter 3 Fees"]
    body = [
        f"{chapter}\n\n{number}. (1) The keeper lights lamp {number} of the harbour at dusk.\n\n(2) The lamp burns until dawn."
        for number, chapter in enumerate(chapters, 1)
    ]
    preamble = "Whereas the harbour was dark in the years before this law was made, the following is enacted."
    text = "\n\n".join(["Overview", *chapters, "Harbour Lamps Act 2031", preamble, *body])
    document = parse(SourceFile("act.txt", text.encode(), hints={"doc_type": "act"}))
    assert [node.num for node in document.walk() if node.type == "chapter"] == ["1", "2", "3"]
    assert document.title == "Harbour Lamps Act 2031"


def test_each_chapter_of_an_ordinance_lists_its_sections_also_if_these_are_only_notes_on_their_repeal() -> None:
    words = ("Keeping", "Cleaning", "Lighting", "Painting")
    chapters = [(f"8.0{number}", f"{word} of lamps") for number, word in enumerate(words, 1)]
    subjects = ("Place", "Hours", "Oil", "Log", "Fees", "Fines", "Notices", "Appeals", "Records", "Keys")
    sections = {
        number: [f"{number}.{place}0 {subject} of {title.lower()}" for place, subject in enumerate(subjects, 10)]
        for number, title in chapters
    }
    lines = ["8 HARBOURS", *(f"{number} {title}" for number, title in chapters)]
    for number, title in chapters:
        lines += [f"{number} {title}", *sections[number]]
        for section in sections[number]:
            lines += [section, "(Ord. 12-15, repealed 06/16/2015)"]
    document = parse(SourceFile("ordinance.txt", "\n\n".join(lines).encode()))
    numbers = [line.split()[0] for number, _ in chapters for line in sections[number]]
    assert [node.num for node in document.provisions()] == numbers
