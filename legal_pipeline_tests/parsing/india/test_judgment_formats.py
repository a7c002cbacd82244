"""Indian judgments as text, as JSON with spans and as labelled sentences: which files are these, and how they are named. Own texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from legal_pipeline.building.format import CERTAIN, LIKELY, NEAR, NO, POSSIBLE
from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.parsing.india import judgment_rr, judgment_spans, judgment_text
from legal_pipeline.parsing.india.blocks import Paragraph
from legal_pipeline.parsing.india.india_code import act_language
from legal_pipeline.parsing.india.section_body import defined_term, is_definitions_section

_COURT = "IN THE SUPREME COURT OF INDIA"
_PARTIES = "Ravi Menon … Appellant\nVERSUS\nPort Trust … Respondent"
_TEXT = f"{_COURT}\n\n{_PARTIES}\n\nJUDGMENT\n\n1. The keeper lit the lamp.\n\n2. The appeal is allowed.\n\n(A. B. RAO)\n\nMay 4, 2031\n"


def source(text: str, name: str = "lamps.txt", **hints: Any) -> SourceFile:
    return SourceFile(name, text.encode(), hints=hints)


@pytest.mark.parametrize(
    ("text", "hints", "sureness"),
    [
        (_TEXT, {}, LIKELY),
        (f"{_COURT}\n\nVERSUS\n", {}, POSSIBLE + 0.1),
        ("IN THE COURT OF KENYA\n\nVERSUS\n", {}, NEAR),
        ("IN THE COURT\n\nVERSUS\n", {"jurisdiction": "in"}, POSSIBLE + 0.1),
        (f"{_COURT}\n\nLamps burn.\n", {}, NEAR),
        ("Lamps burn in India.\n", {}, NO),
        ("", {}, NO),
        (f"---\ntitle: x\n---\n{_TEXT}", {}, NO),
        (f"# Lamps\n\n{_TEXT}", {}, NO),
        (f"{_COURT}\n\n{'Lamps burn. ' * 1100}\n\nVERSUS\n", {}, NEAR),
    ],
)
def test_two_signs_and_the_country_make_a_text_an_indian_judgment(
    text: str, hints: dict[str, Any], sureness: float
) -> None:
    assert judgment_text.sniff(source(text, **hints)) == pytest.approx(sureness)


@pytest.mark.parametrize(
    ("text", "hints", "title", "number", "identity"),
    [
        (_TEXT, {}, "Ravi Menon v. Port Trust", None, "in-judgment-lamps"),
        (_TEXT, {"citation": "2031 INSC 45"}, "Ravi Menon v. Port Trust", "2031 INSC 45", "in-judgment-insc-2031-45"),
        (f"2031 INSC 46\n\n{_TEXT}", {"citation": "2031 INSC 45"}, "Ravi Menon v. Port Trust", "2031 INSC 46", "in-judgment-insc-2031-46"),
        (_TEXT, {"number": "A 7"}, "Ravi Menon v. Port Trust", None, "in-judgment-a-7"),
        (_TEXT.replace("VERSUS", "CIVIL APPEAL NO. 7 OF 2031"), {"title": "Lamps"}, "Lamps", "CIVIL APPEAL NO. 7 OF 2031",
         "in-judgment-lamps"),
        (_TEXT.replace("VERSUS", "and"), {}, "lamps", None, "in-judgment-lamps"),
    ],
)  # fmt: skip
def test_a_judgment_is_named_by_its_parties_its_citation_and_its_file(
    text: str, hints: dict[str, Any], title: str, number: str | None, identity: str
) -> None:
    document = judgment_text.parse(source(text, **hints))
    assert (document.title, document.number, document.document_id) == (title, number, identity)
    assert document.metadata["judges"] == ["A. B. Rao"]


def spans(preamble: Any, body: Any, key: str = "judgement_text", **more: Any) -> SourceFile:
    return source(json.dumps({"data": {"preamble_text": preamble, key: body}, **more}), "lamps.json")


def test_the_two_texts_of_a_judgment_in_json_are_one_text() -> None:
    body = " The keeper lit the lamp.\n\n2. The harbour was dark.\n\n3. The lamp was lit again.\n\n4. The appeal is allowed."
    file = spans(f"{_COURT}\n\n{_PARTIES}\n\nJUDGMENT\n\n1.", body, id="x7")
    assert judgment_spans.sniff(file) == CERTAIN
    document = judgment_spans.parse(file)
    assert [node.num for node in document.walk() if node.type == "numbered_paragraph"] == ["1", "2", "3", "4"]
    assert (document.metadata["source_id"], document.title) == ("x7", "Ravi Menon v. Port Trust")
    apart = judgment_spans.parse(
        spans(f"{_COURT}\n\n{_PARTIES}", "1. The keeper lit it.\n\n2. Allowed.", "judgment_text", id=7)
    )
    assert "Respondent\n" in apart.text
    assert "source_id" not in apart.metadata
    assert judgment_spans.parse(spans(None, "1. The keeper lit it.\n\n2. Allowed.")).text.startswith("1. The keeper")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"data": []}', ParseError),
        ("[]", ParseError),
        ('{"data": {"judgement_text": 7}}', ParseError),
        ('{"data": {"preamble_text": 7, "judgement_text": "x"}}', ParseError),
        ('{"data": {"preamble_text": "x", "judgement_text": " "}}', EmptyDocumentError),
    ],
)
def test_json_without_the_text_of_a_judgment_is_a_typed_error(text: str, error: type[ParseError]) -> None:
    with pytest.raises(error):
        judgment_spans.parse(source(text, "lamps.json"))
    assert judgment_spans.sniff(source('["judgement_text": 1]')) == NO
    assert judgment_spans.sniff(source('{"text": 1}')) == NO
    assert judgment_spans.sniff(source('{"court": "High Court", "judgment_text": "1. The lamp."}')) == NO


def rows(count: int, label: str = "Facts", sentence: str = "The lamp burns.") -> list[str]:
    return [f"{sentence}\t{label.format(number)}" for number in range(count)]


@pytest.mark.parametrize(
    ("lines", "sureness"),
    [
        (rows(3), CERTAIN),
        (rows(2), NO),
        (["", *rows(3), ""], CERTAIN),
        ([*rows(9), "The lamp burns."], CERTAIN),
        ([*rows(5), "The lamp burns.", *rows(2)], NO),
        ([*rows(10), *rows(1, "other"), "The head ends h"], CERTAIN),
        ([*rows(4), *rows(4, "other")], NEAR),
        ([*rows(24, "other")], LIKELY - 0.2),
        ([*rows(20, "other")], NEAR),
        ([*rows(24, "other {0}")], NEAR),
        ([*rows(24, "other", "The lamp\tburns.")], NO),
    ],
)
def test_sentences_with_few_labels_are_a_judgment(lines: list[str], sureness: float) -> None:
    assert judgment_rr.sniff(source("\n".join(lines))) == pytest.approx(sureness)


def test_a_sentence_is_a_block_without_its_label_and_leads_back_to_its_place() -> None:
    text = "The lamp\tburns.\tFacts\n\nIt is  lit.\nAllowed.\tRuling by Present Court\n"
    found = judgment_rr.sentence_blocks(text)
    assert [(block.text, block.joined) for block in found] == [
        ("The lamp burns.", False),
        ("It is lit.", True),
        ("Allowed.", True),
    ]
    assert [block.offsets[0][1] for block in found] == [0, text.index("It is"), text.index("Allowed")]
    with pytest.raises(EmptyDocumentError):
        judgment_rr.parse(source("\n\n"))


@pytest.mark.parametrize(
    ("text", "in_section", "term"),
    [
        ("“lamp” means a light", False, "lamp"),
        ('the expression "lamp", in relation to a pier, includes', False, "lamp"),
        ("‘lamp’ and ‘light’ have the same meaning", False, "lamp"),
        ("“lamp” burns", False, None),
        ("Lamp: a lamp means a light", True, "Lamp"),
        ("Lamp: a lamp means a light", False, None),
        ("In this Act, “lamp” means a light", False, "lamp"),
    ],
)
def test_a_definition_begins_with_its_term_in_marks_or_as_a_heading(
    text: str, in_section: bool, term: str | None
) -> None:
    assert defined_term(text, definitions_section=in_section) == term


def test_a_section_defines_by_its_heading_or_by_three_sentences() -> None:
    sentences = [Paragraph(f"({letter}) “{letter}” means a lamp;") for letter in "abc"]
    assert is_definitions_section("Definitions", [])
    assert is_definitions_section("Lamps", sentences)
    assert not is_definitions_section("Lamps", sentences[:2])
    assert is_definitions_section(None, sentences)
    assert not is_definitions_section(None, [])


def test_an_act_is_english_unless_a_language_of_acts_is_stated() -> None:
    assert [act_language(stated) for stated in (None, "", "hi", "en", "fr")] == ["eng", "eng", "hin", "eng", "eng"]
