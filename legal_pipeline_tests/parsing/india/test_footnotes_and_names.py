"""Footnotes that amend, sections that are gone, and the names of Indian Acts. The Acts are our own."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.india.amendment_notes import read_note
from legal_pipeline.parsing.india.identity import act_identity, is_indian, neutral_citation, short_title
from legal_pipeline.parsing.india.section_writer import read_footnotes
from legal_pipeline.parsing.registry import parse

_BEFORE = "Act 2 of 1930"


@pytest.mark.parametrize(
    ("note", "by", "date", "action"),
    [
        ("Subs. by Act 3 of 1951, s. 3 (w.e.f. 1-4-1951).", "Act 3 of 1951", "1951-04-01", "substituted"),
        ("Ins. by Act 9 of 1960 (w. e. f. 31.12.1960).", "Act 9 of 1960", "1960-12-31", "inserted"),
        ("Ins. by Act 9 of 1960 (w.e.f. 1-1-1961).", "Act 9 of 1960", "1961-01-01", "inserted"),
        ("Ins. by Act 9 of 1960 (w.e.f. 1-13-1960).", "Act 9 of 1960", None, "inserted"),
        ("Ins. by Act 9 of 1960 (w.e.f. 32-1-1960).", "Act 9 of 1960", None, "inserted"),
        ("Omitted by Act 7 of 1961, for the words as subs. by Act 3 of 1951.", "Act 7 of 1961", None, "omitted"),
        ("Subs. by Ord. 4 of 1975, for section 5 of Act 9 of 1872.", "Ordinance 4 of 1975", None, "substituted"),
        ("Rep. by Bombay Act 5 of 1950.", "Bombay Act 5 of 1950", None, "repealed"),
        ("Rep. by the Amending Act 12 of 1891.", "Act 12 of 1891", None, "repealed"),
        ("Subs. by the Finance (No. 2) Act (19 of 1977), s. 2.", "Act 19 of 1977", None, "substituted"),
        ("Subs. by the A.O. 1950, for certain words.", "A.O. 1950", None, "substituted"),
        ("Ins. by s. 4, ibid.", _BEFORE, None, "inserted"),
        ("Ins. by Act 9 of 1960, s. 4, ibid.", "Act 9 of 1960", None, "inserted"),
    ],
)  # fmt: skip
def test_a_note_about_a_change_names_the_act_the_day_and_the_first_verb(
    note: str, by: str, date: str | None, action: str
) -> None:
    amendment, named = read_note(note, _BEFORE)
    assert amendment is not None
    assert (amendment.by, amendment.date, amendment.action) == (by, date, action)
    assert named == by


@pytest.mark.parametrize(
    ("note", "named"),
    [
        ("See Act 9 of 1960.", "Act 9 of 1960"),
        ("The words were omitted.", _BEFORE),
        ("The lamps burn.", _BEFORE),
    ],
)
def test_a_note_without_a_verb_or_an_act_is_no_amendment_but_may_name_the_act_for_the_next(
    note: str, named: str
) -> None:
    assert read_note(note, _BEFORE) == (None, named)


@pytest.mark.parametrize(
    ("raw", "numbers"),
    [
        ("1. Ins. by s. 2.\nand s. 3.\n2. Rep. by s. 4.", ["1", "2"]),
        ("1. Ins. by\n7. of 1930.\n2. Rep.", ["1", "2"]),
        ("3. Ins. by s. 2.\n4. Rep.", ["3", "4"]),
        ("1. Ins.\n\n5. Rep.", ["1", "5"]),
        ("*. Ins.\n1. Rep.", ["*", "1"]),
        ("Ins. by s. 2.\n1. Rep.", ["*", "1"]),
        ("\n\n", []),
    ],
)
def test_a_footnote_begins_with_the_next_number_or_behind_a_blank_line(raw: str, numbers: list[str]) -> None:
    assert [note.num for note in read_footnotes(raw, 0)] == numbers


_HEAD = "---\n{}\n---\n# The Piers Act, 1931\n\nSections: 1 to 1\n\n- pdf: https://x/A1931-09.pdf\n\n"


def act(
    body: str, heading: str = "Duties of pilots.", front: str = 'title: "The Harbour Pilots Act, 1931"'
) -> Document:
    text = f"{_HEAD.format(front)}## Section 1 - {heading}\n\n{body}\n"
    return parse(SourceFile("pilots.md", text.encode()), "india_code_markdown")


def test_a_note_that_amends_is_the_amendment_of_its_footnote_alone() -> None:
    document = act("A pilot ^1[steers] ^2well.\n\n### Footnotes\n\n1. Ins. by Act 4 of 1962.\n2. See the rules.\n")
    notes = [node for node in document.walk() if node.type == "footnote"]
    assert [[item.by for item in node.amendments] for node in notes] == [["Act 4 of 1962"], []]


@pytest.mark.parametrize(
    ("heading", "body", "status", "end"),
    [
        ("[Omitted.]", "Omitted by Act 3 of 1951, s. 3 (w.e.f. 1-4-1951).", "omitted", "1951-04-01"),
        ("Repealed.", "Rep. by Act 3 of 1951.", "repealed", None),
        ("Light dues.", "Repealed by Act 3 of 1951 (w.e.f. 1-4-1951).", "repealed", "1951-04-01"),
        ("Light dues.", "Repeal of a licence ends its dues.", "in_force", None),
        ("Omitted.", "Light dues are paid.", "omitted", None),
        ("Light dues.", f"[Dues.] Rep. by Act 3 of 1951. {'The keeper lights the lamps of the pier. ' * 15}", "in_force", None),
    ],
)  # fmt: skip
def test_a_section_is_gone_if_its_heading_or_its_short_text_says_so(
    heading: str, body: str, status: str, end: str | None
) -> None:
    section = act(body, heading).nodes[0]
    assert (section.status, section.valid_to) == (status, end)


@pytest.mark.parametrize(
    ("repeated", "kept"),
    [
        ("^1[1. Duty of pilot.-- A pilot steers.]", "A pilot steers."),
        ("^1[1. Fees and dues of ships.-- A pilot steers.]", "1. Fees and dues of ships.-- A pilot steers."),
        ("^1[1. A pilot steers.]", "1. A pilot steers."),
    ],
)
def test_the_heading_that_a_substituted_section_repeats_is_left_out_if_half_of_its_words_are_known(
    repeated: str, kept: str
) -> None:
    document = act(repeated, "Duties of a pilot.")
    assert document.text == f"Section 1 - Duties of a pilot.\n\n{kept}"


@pytest.mark.parametrize(
    ("front", "title", "name"),
    [
        ('title: "The Harbour Pilots Act, 1931"', "The Harbour Pilots Act, 1931", "in-act-1931-9"),
        ("language: en", "The Piers Act, 1931", "in-act-1931-9"),
        ('title: "The Harbour Pilots Act, 1932"', "The Harbour Pilots Act, 1932", "in-act-harbour-pilots-act-1932"),
    ],
)
def test_the_title_is_that_of_the_front_matter_else_of_the_page(front: str, title: str, name: str) -> None:
    document = act("A pilot steers.", front=front)
    assert (document.title, document.document_id) == (title, name)


def test_parts_that_are_not_numbers_are_not_stated() -> None:
    metadata = act("A pilot steers.", front='title: "The Piers Act, 1931"\npart: one\nparts: two').metadata
    assert (metadata.get("part"), metadata.get("parts")) == (None, None)


def test_the_number_of_an_act_is_that_of_its_own_year() -> None:
    assert act_identity("The Cranes Act, 1911", number="7", text="ACT NO. 9 OF 1911").number == 7
    assert act_identity("The Cranes Act", number="7", text="ACT NO. 9 OF 1911").number == 9
    assert act_identity("The Cranes Act, 1911", text="ACT NO. 9 OF 1912").number is None
    assert (
        act_identity("The Cranes Act, 1911", text="ACT NO. 9 OF 1911", links="/A1911-07.pdf").citation
        == "Act 9 of 1911"
    )
    assert act_identity("Indian Penal Code, 1861").replaced_by is None
    assert act_identity("Indian Penal Code, 1860").number == 45


def test_a_law_is_indian_by_words_of_its_own_or_if_it_names_no_other_country() -> None:
    assert is_indian("It extends to the whole of India.")
    assert not is_indian("The lamps of India burn.")
    assert is_indian("The lamps of India cost a lakh.")
    assert not is_indian("Kenya. Kenya. The lamps of India cost a lakh.")


def test_a_short_title_and_a_neutral_citation_are_read_in_every_form() -> None:
    assert short_title("This Act may be called the Indian  Lamps Act, 1931; it extends") == "Indian Lamps Act, 1931"
    assert short_title("This Sanhita shall be cited as Lamps Sanhita and shall apply") == "Lamps Sanhita"
    assert short_title("The Act is old.") is None
    assert neutral_citation("see 2031:KERHC:12 and 2031 INSC 4") == "2031 KERHC 12"
    assert neutral_citation("in 2031") is None
