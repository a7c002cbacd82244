"""Captions, courts, page numbers and headings of American decisions, and the lines of plain American texts. The texts are our own."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse
from legal_pipeline.parsing.usa.opinion_text import noise_share
from legal_pipeline.parsing.usa.opinion_vocabulary import opinion_vocabulary
from legal_pipeline.parsing.usa.paragraph_text import read_paragraphs
from legal_pipeline_tests.parsing.invariants import checked

_APPEAL = """U.S. Citizenship and Immigration Services
Administrative Appeals Office

FILE: LIN 09 123 45678 Office: HARBOR SERVICE CENTER Date: JUN 03 2031
PETITION: Petition for a keeper of lamps

DISCUSSION: The petition was denied and the keeper appeals.

ORDER: The appeal is dismissed.
"""

_PRECEDENT = """Cite as 27 I&N Dec. 316 (BIA 2031)

Matter of A-B-, Respondent

Decided June 3, 2031

U.S. Department of Justice
Board of Immigration Appeals

The lamp was dark when the keeper came. In 26 I&N Dec. 99 the Board held that lamps burn at night.
"""


def decision(text: str) -> Document:
    return checked(SourceFile("decision.txt", text.encode()))


def lines(text: str) -> list[str]:
    return [item.text for item in read_paragraphs(text).paragraphs]


def test_an_appeal_is_a_decision_with_its_receipt_number() -> None:
    document = decision(_APPEAL)
    assert (document.doc_type, document.number) == ("appeal_decision", "LIN 09 123 45678")
    assert document.document_id.startswith("us-decision-aao-")
    assert document.warnings == ()


def test_a_precedent_has_the_citation_at_its_top_and_not_that_of_its_text() -> None:
    assert decision(_PRECEDENT).number == "27 I&N Dec. 316"
    moved = _PRECEDENT.partition("\n\n")[2].replace(
        "\n\nU.S.", f"\n\n{'Lamps burn at night in the harbor. ' * 12}\n\nU.S."
    )
    assert decision(moved).number is None


@pytest.mark.parametrize(
    ("head", "code"),
    [
        (
            "SUPREME COURT OF THE UNITED STATES\nON WRIT TO THE UNITED STATES COURT OF APPEALS FOR THE NINTH CIRCUIT",
            "scotus",
        ),
        ("UNITED STATES COURT OF APPEALS\nFOR THE FEDERAL CIRCUIT\nfrom the UNITED STATES DISTRICT COURT", "caf"),
        ("UNITED STATES DISTRICT COURT\nFOR THE SECOND CIRCUIT", "dist"),
        ("COURT OF LAMPS", None),
    ],
)
def test_the_court_that_stands_first_decides_and_only_a_circuit_is_numbered(head: str, code: str | None) -> None:
    court = opinion_vocabulary().court(head)
    assert (court.code if court else None) == code


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("OPINION", "motivation"),
        ("II. STANDARD OF REVIEW", "motivation"),
        ("Opinion", None),
        ("ORDER", "decision"),
        ("ORDER,", None),
        ("FACTS.", None),
        (f"FACTS {'OF LAMPS ' * 14}", None),
        ("IV.", None),
        ("THE LAMPS", None),
    ],
)
def test_a_heading_of_a_part_is_in_capitals_short_and_no_sentence(line: str, kind: str | None) -> None:
    assert opinion_vocabulary().heading(line) == kind


def test_a_sentence_about_a_dissent_does_not_begin_one() -> None:
    words = opinion_vocabulary()
    assert words.opening("JUSTICE LAMP, dissenting.") == "dissent"
    assert words.opening(f"JUSTICE LAMP, with whom {'JUSTICE WICK and ' * 12}JUSTICE OIL join, dissenting.") is None
    assert words.opening("JUSTICE LAMP, dissenting in an earlier case, " + "said that lamps burn. " * 5) is None


_NUMBERED = """UNITED STATES COURT OF APPEALS FOR THE SECOND CIRCUIT

No. 31-1234

KEEPER v. HARBOR

OPINION

¶ 1 The keeper lit the lamp, as ¶ 9 of the complaint says.

Facts

¶ 2 The harbor was dark.

Facts

The lamp was lit again.
"""


def test_a_heading_above_a_numbered_paragraph_need_not_be_in_capitals() -> None:
    document = decision(_NUMBERED)
    assert [(node.type, node.heading) for node in document.nodes] == [
        ("header", None),
        ("motivation", "OPINION"),
        ("background", "Facts"),
    ]
    numbered = [node for node in document.walk() if node.type == "numbered_paragraph"]
    assert [node.num for node in numbered] == ["1", "2"]


def test_words_of_the_caption_are_no_headings_of_the_text() -> None:
    text = _NUMBERED.replace(
        "KEEPER v. HARBOR", "ORDER AND OPINION\n\nKEEPER v. HARBOR\n\nFiled May 3, 2031\n\nDISCUSSION OF LAMPS"
    )
    assert [node.heading for node in decision(text).nodes][:2] == [None, "DISCUSSION OF LAMPS"]


def test_an_opinion_without_a_day_is_undated_and_one_without_judges_has_none() -> None:
    document = decision(_NUMBERED)
    assert document.work_uri == "/akn/us/judgment/ca2/undated/31-1234"
    assert document.metadata.get("judges") is None
    assert document.metadata.get("bench_strength") is None


def test_all_judges_of_a_bench_are_named() -> None:
    text = _NUMBERED.replace("OPINION", "Before: Ada Lamp, Bo Wick, and Cy Oil, Circuit Judges.\n\nOPINION")
    metadata = decision(text).metadata
    assert (metadata["judges"], metadata["bench_strength"]) == (["Ada Lamp", "Bo Wick", "Cy Oil"], 3)


@pytest.mark.parametrize(
    ("caption", "title"),
    [
        ("KEEPER v. HARBOR", "KEEPER v. HARBOR"),
        ("KEEPER,\nPlaintiff,\n\nv.\n\nHARBOR,\nDefendant.", "KEEPER v. HARBOR"),
        ("KEEPER,\nPlaintiff,\n\nv. The harbor and others,\n\nHARBOR,\nDefendant.", "KEEPER v. HARBOR"),
        ("KEEPER v. the harbor", "United States Court of Appeals for the Second Circuit"),
    ],
)
def test_the_parties_of_the_caption_are_the_title_if_both_are_in_capitals(caption: str, title: str) -> None:
    assert decision(_NUMBERED.replace("KEEPER v. HARBOR", caption)).title == title


def test_a_noisy_text_says_how_noisy_it_is() -> None:
    words = ["lamp"] * 47 + ["la;mp", "ΛΑΜΠ", "LA'MP"]
    assert noise_share(" ".join(words)) == pytest.approx(0.06)
    assert noise_share("") == 0.0
    document = decision(_NUMBERED.replace("The harbor was dark.", " ".join(words)))
    assert document.requires_manual_review
    assert any("OCR noise" in warning for warning in document.warnings)
    assert document.metadata["ocr_noise"] > 0.01


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        (("3", "4", "9"), ["3", "4", "9"]),
        (("3", "3"), ["3"]),
        (("3", "9"), ["3"]),
        (("412",), []),
        (("412", "\n413     KEEPER v. HARBOR"), ["412"]),
        (("412", "\n419     KEEPER v. HARBOR"), []),
        (("412", "\nKEEPER v. HARBOR     417"), ["412"]),
        (("3 lamps",), []),
    ],
)
def test_a_number_alone_is_that_of_a_page_if_it_goes_on_or_a_near_header_follows(
    pages: tuple[str, ...], found: list[str]
) -> None:
    text = "\n".join(f"the lamp is lit\n{page}" for page in pages)
    beside = read_paragraphs(f"{text}\nat night\n").beside
    assert [number for kind, _, number in beside if kind == "page_number"] == found


def test_page_headers_of_every_form_have_the_number_of_their_page() -> None:
    text = "7     KEEPER v. HARBOR\nthe lamp\nKEEPER v. HARBOR     8\nis lit\nPage 9 of 12\nat night\n"
    pages = read_paragraphs(text)
    assert [number for _, _, number in pages.beside] == ["7", "8", "9"]
    assert [item.text for item in pages.paragraphs] == ["the lamp is lit at night"]


_WIDE = "The keeper of the harbor lights every lamp on the pier at dusk each day"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{_WIDE}\n{_WIDE}\nand in fog.", 1),  # a full line goes on
        (f"{_WIDE}\n{_WIDE[:66]}.\nHe rests.", 1),  # a sentence ends a line without space for the next word
        (f"{_WIDE}\n{_WIDE[:48]}.\nHe rests.", 2),  # a sentence ends a short line
        (f"{_WIDE}\n{_WIDE[:30]}\nHe rests.", 2),  # a short line ends
        (f"{_WIDE}\n{_WIDE[:30]}\nhe rests.", 1),  # the next word is in lower case: the sentence goes on
        (f"{_WIDE}\nTHE DUTIES OF A KEEPER OF LAMPS ON THE PIER AT DUSK AND IN FOG\n{_WIDE}", 3),
        (f"{_WIDE}\n(A) 2\n{_WIDE}", 2),
    ],
)
def test_lines_are_joined_where_the_next_word_did_not_fit(text: str, count: int) -> None:
    assert len(lines(text)) == count


def test_two_sections_of_regulations_are_their_part_and_one_is_itself() -> None:
    text = (
        "8 CFR 204.5\n\n§ 204.5 Petitions for lamps.\n\n(a) A keeper may file.\n\n(b) Lamps burn.\n\n(c) Oil is paid for.\n\n"
        "§ 204.6 Petitions for bells.\n\n(a) A ringer may file a petition.\n"
    )
    both, single = (parse(SourceFile("cfr.txt", part.encode())) for part in (text, text.partition("§ 204.6")[0]))
    assert (both.number, both.document_id, both.work_uri) == ("8 CFR Part 204", "us-cfr-8-204", "us/cfr/t8/p204")
    assert (single.number, single.document_id) == ("8 CFR 204.5", "us-cfr-8-204.5")
    assert both.title == "8 CFR Part 204 Petitions for lamps."
    assert [(node.type, node.heading, node.eid) for node in both.nodes] == [
        ("heading", None, "hdg_1"),
        ("section", "Petitions for lamps.", "sec_204.5"),
        ("section", "Petitions for bells.", "sec_204.6"),
    ]


def test_a_section_of_regulations_without_its_title_has_it_from_the_hints() -> None:
    text = "§ 204.5 Petitions for lamps.\n\n(a) A keeper may file.\n\n(b) Lamps burn.\n\n(c) Oil is paid for.\n"
    document = parse(SourceFile("cfr.txt", text.encode(), hints={"cfr_title": "8"}))
    assert (document.format, document.number) == ("cfr_text", "8 CFR 204.5")
    assert parse(SourceFile("cfr.txt", text.encode())).format != "cfr_text"
    two = text.replace("(c) Oil is paid for.\n", "")
    assert parse(SourceFile("cfr.txt", two.encode(), hints={"cfr_title": "8"})).format != "cfr_text"


def test_sections_of_two_parts_are_named_by_the_first_and_a_text_without_its_title_or_section_is_refused() -> None:
    text = "8 CFR 204.5\n\n§ 204.5 Petitions for lamps.\n\n(a) A keeper.\n\n§ 205.1 Petitions for bells.\n\n(a) A ringer.\n"
    document = parse(SourceFile("cfr.txt", text.encode()), "cfr_text")
    assert (document.number, document.work_uri) == ("8 CFR Part 204", "us/cfr/t8/p204")
    for lacking in (text.replace("8 CFR 204.5", "Lamps"), "Lamps burn.\n\n(a) At night.\n"):
        with pytest.raises(ParseError, match="no citation of a CFR section"):
            parse(SourceFile("cfr.txt", lacking.encode()), "cfr_text")


def test_a_long_paragraph_above_the_first_designator_is_text_of_the_section() -> None:
    long = "The keeper of the harbor lights every lamp on the pier at dusk and puts each of them out at dawn. " * 3
    for lead, count in ((long, 0), ("Keepers of lamps.", 1)):
        text = f"{lead}\n\n(a) A keeper lights it.\n\n(b) See 8 CFR 204.5.\n"
        document = parse(SourceFile("cfr.txt", text.encode()), "cfr_text")
        (section,) = [node for node in document.nodes if node.type == "section"]
        assert section.num == "204.5"
        assert len([node for node in section.children if node.type == "heading"]) == count


def test_only_the_header_of_a_page_with_parties_is_the_title() -> None:
    text = _NUMBERED.replace("OPINION", "2\nOPINION").replace("Facts", "Page 3\n\nFacts")
    assert decision(text).title == "KEEPER v. HARBOR"
