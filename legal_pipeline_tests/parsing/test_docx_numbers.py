"""Numbers of Word lists that take the levels of another list and replace some of them.

Not here: counting and restarting (`test_docx`), and lists made to do harm (`test_docx_limits`).
"""

from __future__ import annotations

from typing import Any

from docx.oxml import parse_xml

from legal_pipeline.parsing.docx_text import word_paragraphs
from legal_pipeline_tests.parsing.test_docx import numbered, with_numbering, word

_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_a_list_that_replaces_one_level_has_the_others_of_its_definition() -> None:
    def fill(document: Any) -> None:
        with_numbering(document)
        level = '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%2)"/></w:lvl>'
        document.part.numbering_part.element.append(parse_xml(
            f'<w:num {_NAMESPACE} w:numId="79"><w:abstractNumId w:val="77"/><w:lvlOverride w:ilvl="1">{level}</w:lvlOverride></w:num>'
        ))  # fmt: skip
        for text, depth in (("One.", "0"), ("First.", "1"), ("Second.", "1"), ("Two.", "0")):
            numbered(document, text, "79", depth)

    assert [item.number for item in word_paragraphs(word(fill))] == ["[1]", "I)", "II)", "[2]"]
