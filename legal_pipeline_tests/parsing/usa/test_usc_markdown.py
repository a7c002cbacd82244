"""Sections of the United States Code in markdown. The section is our own."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.parsing.registry import parse

_SECTION = """---
identifier: USC-T46-S9001
title: "46 U.S.C. § 9001 - Harbor lamps"
last_updated: 2031-03-01
---

# 46 U.S.C. § 9001

##### § 9001. Harbor lamps

(a) Duty.—The keeper lights each lamp [of the harbor](/us/usc/t46/s9002).

(1) at dusk; and

(2) in fog.

(b) Oil.—The port pays for it.

##### Editorial Notes

Before 2029 the lamps were candles.

##### Amendments

2031—Subsec. (b) added.
"""


def test_a_section_ends_where_its_notes_begin() -> None:
    document = parse(SourceFile("s9001.md", _SECTION.encode()))
    assert (document.format, document.document_id, document.work_uri, document.as_of_date) == (
        "usc_markdown",
        "us-usc-46-9001",
        "/akn/us/act/usc/t46/s9001",
        "2031-03-01",
    )
    section = document.nodes[0]
    assert (section.num, section.heading) == ("9001", "Harbor lamps")
    assert [node.num for node in section.walk() if node.num] == ["9001", "a", "1", "2", "b"]
    assert document.text_of(section).endswith("(b) Oil.—The port pays for it.")
    assert "lights each lamp of the harbor." in document.text
    assert [document.text_of(node) for node in document.nodes if node.type == "remark"] == [
        "Editorial Notes",
        "Before 2029 the lamps were candles.",
        "Amendments",
        "2031—Subsec. (b) added.",
    ]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (_SECTION.replace("USC-T46-S9001", "T46"), ParseError, "no identifier of a section"),
        (_SECTION.partition("(a)")[0], EmptyDocumentError, "a heading and no text"),
    ],
)
def test_a_file_without_its_identifier_or_text_is_a_typed_error(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        parse(SourceFile("s9001.md", text.encode()), "usc_markdown")
