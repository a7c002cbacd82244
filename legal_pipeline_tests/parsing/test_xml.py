"""XML and HTML of unknown origin do no harm and fail with typed errors."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legal_pipeline.building.source import Limits, SourceFile
from legal_pipeline.building.xml import local_name, parse_html, parse_xml
from legal_pipeline.errors import EmptyDocumentError, LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline_tests.examples import examples
from legal_pipeline_tests.growth import at_most

BOMB = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
BOMB = f'<!DOCTYPE act [<!ENTITY l0 "Be it enacted">{BOMB}]>'


def source(data: bytes | str) -> SourceFile:
    return SourceFile("act.xml", data if isinstance(data, bytes) else data.encode())


@pytest.mark.parametrize("body", ["<act>&l9;</act>", '<act title="&l9;"/>'])
def test_an_entity_bomb_is_refused_at_once(body: str) -> None:
    with at_most(0.5), pytest.raises(ParseError):
        parse_xml(source(BOMB + body))


def test_an_external_entity_is_never_read() -> None:
    with pytest.raises(ParseError, match="entities"):
        parse_xml(source('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'))


def test_an_external_dtd_is_not_fetched() -> None:
    assert parse_xml(source('<!DOCTYPE a SYSTEM "http://dtd.invalid/a.dtd"><a>text</a>')).text == "text"


@pytest.mark.parametrize("levels", [201, 300, 100_000])
@pytest.mark.parametrize("parse", [parse_xml, parse_html])
def test_nesting_beyond_the_limit_is_a_typed_error(levels: int, parse: object) -> None:
    with pytest.raises(LimitExceededError):
        parse(source("<div>" * levels + "x" + "</div>" * levels))  # type: ignore[operator]


def test_the_depth_limit_is_a_setting() -> None:
    with pytest.raises(LimitExceededError, match="at most 3 levels"):
        parse_xml(SourceFile("a.xml", b"<a><b><c><d/></c></b></a>", limits=Limits(max_depth=3)))


@pytest.mark.parametrize("data", ["<a><b>x", '<a b="x', "<a", "<a><!-- x"])
def test_a_document_that_ends_early_says_so(data: str) -> None:
    with pytest.raises(TruncatedDocumentError):
        parse_xml(source(data))


@pytest.mark.parametrize("written", ["\x01", "\x0c", "\ufffe", "&#1;", "&#X1f;", "&#12;", "&#0031", "&#xffff;"])
def test_a_page_has_only_characters_that_a_tree_takes(written: str) -> None:
    root = parse_html(source(f'<p title="dusk{written}">The lamp{written} is lit.</p>'))
    for element in root.iter():
        element.text, element.tail = element.text, element.tail
        for name, value in element.items():
            element.set(name, value)
    shown = "".join(map(str, root.itertext()))
    assert re.fullmatch("The lamp(\N{REPLACEMENT CHARACTER}| ) is lit.", shown), ascii(shown)


@pytest.mark.parametrize("written", ["&#160;", "&#199;", "&#x1f4;", "&#13;", "&#10;", "&#9;", "&#150;", "&#xfffd1;"])
def test_other_character_references_of_a_page_stay(written: str) -> None:
    assert "\N{REPLACEMENT CHARACTER}" not in "".join(map(str, parse_html(source(f"<p>a{written}b</p>")).itertext()))


def test_nothing_is_an_empty_document() -> None:
    with pytest.raises(EmptyDocumentError):
        parse_xml(source(b""))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>', "ą"),
        ('<?xml version="1.0" encoding="utf-16"?><a>§</a>'.encode("utf-16"), "§"),
        (b"<a>\xa7</a>", "§"),
        (b'<?xml version="1.0" encoding="iso-8859-1"?><a>8</a>', "8"),
        ("<a>e\u0301</a>".encode(), "é"),
    ],
)
def test_the_declared_encoding_is_believed_and_the_text_is_nfc(data: bytes, text: str) -> None:
    assert parse_xml(source(data)).text == text


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b'<?xml version="1.0" encoding="utf-8"?><a>8 kap. 3 \xa7</a>', "byte 50"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><a>8 kap. 3 §</a>'.encode(), "byte 0"),
        (b'<?xml version="1.0" encoding="us-ascii"?><a>\xa7</a>', "byte 44"),
        (b'<?xml version="1.0" encoding="klingon"?><a>8</a>', "byte 0"),
        (b'<?xml version="1.0" encoding="undefined"?><a>8</a>', "byte 0"),
        (b'<?xml version="1.0" encoding="hex"?><a>8</a>', "byte 0"),
        (b'<?xml version="1.0" encoding="unicode_escape"?><a>8</a>', "byte 0"),
    ],
)
def test_a_declared_encoding_that_the_bytes_contradict_is_refused_with_its_place(data: bytes, position: str) -> None:
    with pytest.raises(ParseError, match="wrong XML declaration") as raised:
        parse_xml(source(data))
    assert raised.value.position == position


def test_a_local_name_has_no_namespace() -> None:
    assert local_name(parse_xml(source('<x:act xmlns:x="urn:a"/>'))) == "act"


@examples(200)
@given(st.binary(max_size=400))
def test_any_bytes_give_an_element_or_a_typed_error(data: bytes) -> None:
    for parse in (parse_xml, parse_html):
        with at_most(1), contextlib.suppress(ParseError):
            parse(source(b"<a>" + data))


def test_characters_that_only_html_names_and_misplaced_quotation_marks_are_mended() -> None:
    xml = '<law><p "id=a">The lamp&nbsp;of the pier &mdash; &lt;red&gt; &amp; white</p></law>'
    root = parse_xml(SourceFile("law.xml", xml.encode()))
    assert root[0].text == "The lamp\u00a0of the pier — <red> & white"
    assert dict(root[0].attrib) == {"id": "a"}


@pytest.mark.parametrize(
    "xml", ["<law><p>The lamp&nope; burns</p></law>", "<law><p>The lamp&nbsp;", '<law><p "id=a>x</p></law>']
)
def test_other_xml_that_is_not_well_formed_is_refused(xml: str) -> None:
    with pytest.raises(ParseError, match="XML"):
        parse_xml(SourceFile("law.xml", xml.encode()))
