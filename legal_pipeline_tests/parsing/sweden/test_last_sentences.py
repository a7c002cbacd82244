"""The last sentence of a § is not the heading of the next one, in plain text, HTML and Markdown."""

from __future__ import annotations

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.model.document import Node
from legal_pipeline.parsing.sweden.blocks import Blocks
from legal_pipeline.parsing.sweden.plain_text import write_statute
from legal_pipeline.parsing.sweden.writer import StatuteWriter

SENTENCES = [
    "Lagen gäller inte fyrar som drivs av kommuner",
    "Vad som sägs i första stycket gäller även bojar. Lag (2098:5)",
    "I fråga om kungörandet tillämpas lagen (2077:654) om kungörande m.m. Lag (2098:28).",
    "Med fyr likställs lanternor, bojar m.m.",
    "Ersättning lämnas även enligt 3 § andra stycket",
]
HEADINGS = [
    "Vad som avses med fyr m.m.",
    "Avgifter m.m.",
    "När avgiften ska betalas",
    "Uppgifter som ska lämnas enligt 3 §",
    "Den som inte är fyrvaktare",
    "Vem får överklaga ett beslut?",
]


def plain(middle: str, *, mark: str = "") -> tuple[DocumentBuilder, tuple[str, ...]]:
    builder = DocumentBuilder()
    warnings = write_statute(
        f"1 § Fyrar ska vara tända om natten.{mark}\n\n{middle}\n\n2 § Bojar ska vara röda.\n\n3 § Fartyg ska ha lanternor.\n",
        builder,
    )
    return builder, warnings


def marked_up(middle: str) -> DocumentBuilder:
    builder = DocumentBuilder()
    blocks = Blocks(StatuteWriter(builder))
    blocks.section("1 §")
    blocks.paragraph("Fyrar ska vara tända om natten.")
    blocks.heading(middle)
    blocks.section("2 §")
    blocks.paragraph("Bojar ska vara röda.")
    blocks.finish()
    return builder


def first_section(builder: DocumentBuilder) -> str:
    node = next(
        node for top in builder.nodes for node in top.walk() if isinstance(node, Node) and node.type == "section"
    )
    return builder.text[node.start : node.end]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_last_sentence_without_a_full_stop_stays_in_its_section(sentence: str) -> None:
    builder, _ = plain(sentence)
    assert first_section(builder).endswith(sentence)
    assert first_section(marked_up(sentence)).endswith(sentence)


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_stays_one(heading: str) -> None:
    builder, warnings = plain(heading)
    assert heading not in first_section(builder)
    assert warnings == ()
    assert heading not in first_section(marked_up(heading))


def test_behind_an_amendment_mark_a_section_is_over() -> None:
    builder, warnings = plain("Lagen gäller inte kommuner", mark=" Lag (2098:5).")
    assert "kommuner" not in first_section(builder)
    assert warnings == ()


def test_a_heading_that_may_be_a_sentence_is_named() -> None:
    builder, warnings = plain("Fyrvaktare är bundna av sina löften")
    assert "löften" not in first_section(builder)
    assert warnings == (
        "heading before 2 § may be the last sentence of the § above: 'Fyrvaktare är bundna av sina löften'",
    )


@pytest.mark.parametrize(
    "text",
    ["Avgifter " + "för fyrar och bojar och lanternor " * 8, "Avgifter\n" + "för\nfyrar\noch\nbojar\nsom\nlyser"],
)
def test_a_long_text_without_a_full_stop_is_no_heading(text: str) -> None:
    builder, _ = plain(text.strip())
    assert not [node for node in builder.nodes if node.type == "heading"]
    first = next(node for node in builder.nodes if node.type == "section")
    assert "Avgifter" in builder.text[first.start : first.end]
