"""HKLM XML of Hong Kong: an ordinance in our own words, in the publisher's mark-up and in both languages."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_ORDINANCE = """<?xml version="1.0" encoding="UTF-8"?><ordinance xmlns="http://www.xml.gov.hk/schemas/hklm/1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xml:lang="{language}"><meta><docName>Cap. {number}</docName><docType>cap</docType>
<docNumber>{number}</docNumber><docStatus>In effect</docStatus><dc:date>2031-10-01</dc:date><dc:language>{language}</dc:language></meta>
<main><longTitle><content>{text} 1<marker role="blank-line"/></content></longTitle>
<commencementNote>[1 August 2030]<sourceNote><ref href="/hk/2030/ln3">L.N. 3 of 2030</ref></sourceNote></commencementNote>
<part name="P1"><num value="1">Part 1</num><heading>{text} 2</heading>
<section startPeriod="2031-04-25" status="operational"><num value="1">1.</num><heading>{text} 3</heading>
<subsection><num value="1">(1)</num><content><shortTitle>{text} 4</shortTitle></content></subsection>
<subsection><num value="2">(2)</num><leadIn>{text} 5—</leadIn><paragraph><num value="a">(a)</num><content>{text} 6; or</content></paragraph>
<paragraph><num value="b">(b)</num><leadIn>{text} 7—</leadIn><subparagraph><num value="i">(i)</num><content>{text} 8. <sourceNote>(Amended
9 of 2031 s. 2)</sourceNote></content></subparagraph></paragraph><continued>{text} 9.</continued></subsection></section>
<section startPeriod="2031-04-25" endPeriod="2032-01-01" status="repealed" reason="repealed"><num value="2A">2A.</num>
<sourceNote>(Repealed 9 of 2031 s. 4)</sourceNote></section></part>
<schedule name="sch1"><num value="1">Schedule 1</num><note role="crossReferences">[s. 1]</note><heading>{text} 10</heading>
<section><num value="1">1.</num><heading>{text} 11</heading><content>{text} 12.</content></section></schedule></main></ordinance>"""


def read(language: str = "en", number: str = "999", text: str = "A lamp burns") -> Document:
    source = _ORDINANCE.format(language=language, number=number, text=text)
    return parse(SourceFile("cap.xml", source.encode(), hints={}))


def test_an_ordinance_has_its_sections_with_dates_status_and_levels() -> None:
    document = read()
    assert document.format == "hklm_xml"
    assert (document.document_id, document.number, document.as_of_date) == ("hk-act-cap-999", "Cap. 999", "2031-10-01")
    assert (document.title, document.doc_type, document.language) == ("A lamp burns 4", "act", "eng")
    found = [(node.num, node.heading, node.valid_from, node.valid_to, node.status) for node in document.provisions()]
    assert found == [
        ("1", "A lamp burns 3", "2031-04-25", None, "in_force"),
        ("2A", None, "2031-04-25", "2032-01-01", "repealed"),
    ]
    types = {"subsection": ["1", "2"], "paragraph": ["a", "b", "1"], "item": ["i"], "schedule": ["1"], "part": ["1"]}
    assert {kind: [node.num for node in document.walk() if node.type == kind] for kind in types} == types
    remarks = {document.text_of(node) for node in document.walk() if node.type == "remark"}
    assert {"(Amended 9 of 2031 s. 2)", "(Repealed 9 of 2031 s. 4)"} <= remarks
    assert not document.warnings


def test_the_chinese_text_is_a_document_of_its_own_of_the_same_work() -> None:
    english, chinese = read(), read("zh-Hant-HK", text="燈塔管理員每晚點燈")
    assert (chinese.document_id, chinese.language) == ("hk-act-cap-999-zho", "zho")
    assert chinese.work_uri == english.work_uri


@pytest.mark.parametrize(("number", "kind"), [("999", "act"), ("999AB", "regulation")])
def test_a_chapter_with_letters_is_subsidiary_legislation(number: str, kind: str) -> None:
    assert read(number=number).doc_type == kind
