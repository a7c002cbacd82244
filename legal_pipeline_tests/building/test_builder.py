"""A document that is built from blocks: spans of empty nodes, and the facts that it takes from its file."""

from __future__ import annotations

from typing import Any

import pytest

from legal_pipeline.building.builder import DocumentBuilder
from legal_pipeline.building.source import STRUCK_WORDS, Limits, SourceFile
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError
from legal_pipeline.model.document import Document


def built(source: SourceFile, **fields: Any) -> Document:
    builder = DocumentBuilder()
    builder.block("The keeper lights the lamp at dusk.", "block")
    given = {"title": "Lamps", "jurisdiction": "xx", "doc_type": "act", "language": "eng", **fields}
    return builder.document(source, document_id="xx-act-lamps", **given)


def test_a_node_that_closes_before_the_first_text_of_its_parent_begins_where_that_text_begins() -> None:
    builder = DocumentBuilder()
    builder.heading("Lamps")
    with builder.node("section", "1") as section:
        with builder.node("subsection", "1"):
            pass
        builder.block("The lamp is lit.", "block")
    start, end = builder.text.index("The lamp"), len(builder.text)
    assert [(node.start, node.end) for node in section.walk()] == [(start, end), (start, start), (start, end)]


def test_a_few_struck_words_do_not_take_a_stated_need_of_review_away() -> None:
    source = SourceFile("lamps.txt", b"The keeper lights the lamp at dusk.")
    source.memo[STRUCK_WORDS] = ["dawn"]
    document = built(source, requires_manual_review=True, warnings=("a page is torn",))
    assert document.requires_manual_review
    assert document.warnings[0] == "a page is torn"
    assert "1 words" in document.warnings[1]
    assert not built(source).requires_manual_review


def test_the_address_of_the_file_comes_before_that_of_its_sidecar_and_that_of_the_text() -> None:
    file, sidecar, text = (f"https://law.example/{name}" for name in ("file", "sidecar", "text"))
    metadata = {"source_url": text}
    stated = SourceFile("lamps.txt", b"lamps", url=file, hints={"source_url": sidecar})
    assert built(stated, metadata=metadata).source_url == file
    assert (
        built(SourceFile("lamps.txt", b"lamps", hints={"source_url": sidecar}), metadata=metadata).source_url == sidecar
    )
    assert built(SourceFile("lamps.txt", b"lamps"), metadata=metadata).source_url == text


def test_the_day_that_a_parser_read_comes_before_that_of_the_sidecar() -> None:
    source = SourceFile("lamps.txt", b"lamps", hints={"as_of_date": "2031-01-01"})
    assert built(source).as_of_date == "2031-01-01"
    assert built(source, as_of_date="2032-02-02").as_of_date == "2032-02-02"


def test_a_file_and_a_line_may_be_as_long_as_the_limit() -> None:
    limits = Limits(max_bytes=12, max_line_chars=4)
    assert SourceFile("lamps.txt", b"lamp\nlamp\nab", limits=limits).text == "lamp\nlamp\nab"
    with pytest.raises(LimitExceededError, match="13 bytes"):
        SourceFile("lamps.txt", b"lamp\nlamp\nabc", limits=limits).check_size()
    with pytest.raises(LimitExceededError, match="a line of 5 characters") as error:
        _ = SourceFile("lamps.txt", b"lamp\nlamps", limits=limits).text
    assert error.value.position == "character 5"


def test_a_document_has_what_its_file_states_and_every_value_that_is_known() -> None:
    builder = DocumentBuilder()
    with pytest.raises(EmptyDocumentError, match="no text was found"):
        builder.document(
            SourceFile("a.txt", b"x"), document_id="a", title="", jurisdiction="xx", doc_type="act", language="eng"
        )
    builder.open("section", "1")
    leaf = builder.block("1 Lit up.", "subsection", skip=2, offsets=[(0, 7), (2, 10)])
    source = SourceFile("a.txt", b"x", fetched_at="2031-02-03T04:05:06+00:00")
    source.memo[STRUCK_WORDS] = ["a"]
    found = builder.document(
        source, document_id="a", title="A", jurisdiction="xx", doc_type="act", language="eng",
        metadata={"count": 0, "none": None}, warnings=["first"],
    )  # fmt: skip
    assert (leaf.start, leaf.end, found.nodes[0].end) == (2, 9, 9)
    assert found.offset_map == ((0, 7), (2, 10))
    assert (found.fetched_at, found.metadata) == ("2031-02-03T04:05:06+00:00", {"count": 0, "struck": ["a"]})
    assert (found.warnings[0], len(found.warnings)) == ("first", 2)
    assert not found.requires_manual_review, "a third of the words"
