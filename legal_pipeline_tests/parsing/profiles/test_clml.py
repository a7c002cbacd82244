"""CLML in our own words: files from before their publication, fragments, and law of the Union that the United Kingdom retained."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import ParseError
from legal_pipeline.model.document import Document
from legal_pipeline.parsing.registry import parse

_FILE = """<Legislation {root} xmlns="http://www.legislation.gov.uk/namespaces/legislation" SchemaVersion="1.0">
<Metadata xmlns="http://www.legislation.gov.uk/namespaces/metadata" xmlns:dc="http://purl.org/dc/elements/1.1/">
{identifier}<dc:title>Harbour Lamps</dc:title><SecondaryMetadata><DocumentClassification><DocumentMainType Value="{type}"/>
</DocumentClassification><Year Value="2003"/>{number}<Made Date="2003-05-02"/></SecondaryMetadata></Metadata>
<Secondary><Body><P1group><Title>Lamps</Title><P1><Pnumber>{pnumber}</Pnumber><P1para><Text>A lamp is lit.</Text>
<Tabular><table xmlns="http://www.w3.org/1999/xhtml"><caption>Kinds of lamps</caption><tr><td>oil</td></tr></table></Tabular>
</P1para></P1></P1group></Body></Secondary></Legislation>"""


def read(
    type: str = "UnitedKingdomStatutoryInstrument",
    root: str = "",
    identifier: str = "",
    number: str = '<Number Value="17"/>',
    pnumber: str = "1",
) -> Document:
    text = _FILE.format(root=root, identifier=identifier, type=type, number=number, pnumber=pnumber)
    return parse(SourceFile("file.xml", text.encode()))


@pytest.mark.parametrize(
    ("type", "number", "expected"),
    [
        ("UnitedKingdomStatutoryInstrument", '<Number Value="17"/>', "gb-act-uksi-2003-17"),
        ("ScottishAct", '<Number Value="2"/>', "gb-sct-act-asp-2003-2"),
        ("UnitedKingdomDraftStatutoryInstrument", '<ISBN Value="0110289390"/>', "gb-act-ukdsi-2003-0110289390"),
    ],
)
def test_a_file_without_an_address_is_known_by_its_type_year_and_number(type: str, number: str, expected: str) -> None:
    document = read(type, number=number)
    assert (document.document_id, document.as_of_date) == (expected, "2003-05-02")
    assert not document.warnings


def test_a_file_of_an_unknown_type_without_an_address_is_refused() -> None:
    with pytest.raises(ParseError, match="source_url"):
        read("HarbourBylaw")


def test_the_identifier_of_the_metadata_is_the_address_of_a_file_without_one() -> None:
    link = "<dc:identifier>http://www.legislation.gov.uk/id/wsi/2003/44</dc:identifier>"
    assert read(identifier=link).document_id == "gb-wls-act-wsi-2003-44"


def test_a_treaty_of_the_union_is_known_by_its_name() -> None:
    link = "<dc:identifier>http://www.legislation.gov.uk/id/eut/teu</dc:identifier>"
    assert read("EuropeanUnionTreaty", identifier=link, number="").document_id == "gb-act-eut-teu"


def test_a_fragment_does_not_take_the_place_of_its_work() -> None:
    address = 'DocumentURI="http://www.legislation.gov.uk/uksi/2003/17"'
    link = "<dc:identifier>http://www.legislation.gov.uk/uksi/2003/17/regulation/1/made</dc:identifier>"
    whole, fragment = read(root=address), read(root=address, identifier=link)
    assert (whole.document_id, whole.warnings) == ("gb-act-uksi-2003-17", ())
    assert fragment.work_uri == whole.work_uri
    assert fragment.document_id == "gb-act-uksi-2003-17-regulation-1"
    assert fragment.warnings == ("the file holds only regulation/1 of its work",)


def test_articles_of_retained_law_are_articles() -> None:
    (article,) = read("EuropeanUnionDecision", pnumber="Article 1").provisions()
    assert (article.type, article.num, article.eid) == ("article", "1", "art_1")
