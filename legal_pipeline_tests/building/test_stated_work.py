"""The work that a law's own number, title or address names."""

from __future__ import annotations

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.building.stated_work import printed_number, stated_work
from legal_pipeline.chunking.cited_places import work_uris
from legal_pipeline.model.document import Document, Node
from legal_pipeline.parsing.registry import parse

_SWEDISH = "/akn/se/act/sfs/2099/41"
_FRENCH = "/akn/fr/act/loi/2099/41"
_BRITISH = "/akn/gb/act/ukpga/2039/41"


@pytest.mark.parametrize(
    ("code", "number", "title", "work"),
    [
        ("se", "2099:41", "Lighthouse Act", _SWEDISH),
        ("se", "SFS 2099:41", "Fyrlag", _SWEDISH),
        ("se", None, "Lag (2099:41) om fyrar", _SWEDISH),
        ("se", "2099:42", "Lag (2099:41) om fyrar", "/akn/se/act/sfs/2099/42"),
        ("fr", "2099-41", "Loi n° 2099-41 du 8 juillet 2099 relative aux phares", _FRENCH),
        ("fr", "n° 2099-41", "Loi n° 2099-41 du 8 juillet 2099 relative aux phares", _FRENCH),
        ("fr", None, "Loi n° 2099-41 du 8 juillet 2099 relative aux phares", _FRENCH),
        ("fr", "2099-42", "Loi n° 2099-41 du 8 juillet 2099 relative aux phares", None),
        ("fr", None, "Notes sur la loi n° 2099-41 du 8 juillet 2099", None),
        ("gb", "2039 c. 41", "Lighthouses Act 2039", _BRITISH),
        ("gb", "c. 41", "Lighthouses Act 2039", _BRITISH),
        ("gb", "ukpga/2039/41", "Lighthouses Act 2039", _BRITISH),
        ("gb", "2039 CHAPTER 41", "Lighthouses Act 2039", _BRITISH),
        ("gb", "amends 2039 c. 41", "Lighthouses Act 2039", None),
        ("gb", "41", "Lighthouses Act 2039", None),
        ("zm", "No. 41 of 2039", "Lighthouses Act", "/akn/zm/act/2039/41"),
        ("se", "2039 c. 41", "Lighthouses Act 2039", None),
        ("qq", "2099:41", "Lighthouse Act", None),
    ],
)
def test_the_number_of_an_act_names_its_work_as_citations_of_it_do(
    code: str, number: str | None, title: str, work: str | None
) -> None:
    assert stated_work(code, "act", number, title, None) == work


def test_the_number_of_a_regulation_is_in_the_series_of_regulations() -> None:
    of_the_whole, of_a_part = "Lamps (Fees) Regulations 2039", "Lamps (Fees) (Scotland) Regulations 2039"
    assert stated_work("gb", "regulation", "2039/41", of_the_whole, None) == "/akn/gb/act/uksi/2039/41"
    assert stated_work("gb", "regulation", "2039/41", of_a_part, None) is None
    assert stated_work("se", "agency_regulation", "2099:41", "Föreskrifter", None) is None


def test_a_stated_address_of_a_publisher_names_the_work_in_its_own_country() -> None:
    address = "https://www.legislation.gov.uk/ukpga/2039/41"
    assert stated_work("gb", "act", None, "Lighthouses Act", address) == _BRITISH
    assert stated_work("fr", "act", None, "Loi", address) is None
    assert stated_work("gb", "other", None, "Notes", address) is None


def test_a_number_in_a_sidecar_gives_the_chunks_the_work_and_leaves_the_id() -> None:
    sections = "".join(f"<h3>{number} §</h3><p>Fyrvaktaren ska tända lampa {number}.</p>" for number in range(1, 4))
    page = f"<html><body><h1>Lag (2099:41) om fyrar</h1>{sections}</body></html>".encode()
    for number, document_id in (("2099:41", "se-2099-41"), ("SFS 2099:41", "se-sfs-2099-41")):
        read = parse(SourceFile("law.html", page, hints={"number": number, "jurisdiction": "se", "doc_type": "act"}))
        assert (read.document_id, read.number, read.work_uri) == (document_id, number, _SWEDISH)
        assert work_uris(read) == [_SWEDISH]


_SECTIONS = "\n\n".join(f"{number} A keeper must light lamp {number}." for number in range(1, 6))


@pytest.mark.parametrize(
    ("code", "printed", "work"),
    [
        ("zm", "Lighthouses Act\n\nAct No. 41 of 2039", "/akn/zm/act/2039/41"),
        ("zm", "Lighthouses Act\n\nA reprint\n\nas amended by\n\nAct No. 41 of 2039", None),
        ("gb", "Lighthouses Act 2039\n\n2039 CHAPTER 41", _BRITISH),
    ],
)
def test_the_number_printed_with_the_title_names_the_work(code: str, printed: str, work: str | None) -> None:
    text = f"{printed}\n\n{_SECTIONS}\n"
    read = parse(SourceFile("law.txt", text.encode(), hints={"jurisdiction": code, "doc_type": "act"}))
    assert (read.document_id, read.work_uri) == ("doc-law", work)


def test_a_number_in_a_provision_is_not_that_of_the_law() -> None:
    text = "Lamps Act\n\nAct No. 7 of 2031\n\n1. Act No. 8 of 2031 is repealed."
    start = text.index("1.")
    for above, number in ((text[:start], "Act No. 7 of 2031"), ("Lamps Act\n\n", None)):
        whole = above + "[Act No. 8 of 2031]\n\n" + text[start:]
        provision = Node("section", len(above), len(whole), "1")
        document = Document("xx-lamps", whole, (provision,), "Lamps Act", "xx", "act", "eng", "plain_text", "1")
        assert printed_number(document) == number


def test_a_long_line_and_a_text_without_provisions_have_no_number_of_a_law() -> None:
    long = "An Act of the year 2031 to light the lamps of harbours\n\n"
    for text, nodes in (
        (long + "1. Lit.", (Node("section", len(long), len(long) + 7, "1"),)),
        ("Act No. 7 of 2031", ()),
    ):
        document = Document("xx-lamps", text, nodes, "Lamps Act", "xx", "act", "eng", "plain_text", "1")
        assert printed_number(document) is None
