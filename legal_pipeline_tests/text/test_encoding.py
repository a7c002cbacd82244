"""Bytes to text: the encoding is told, or the bytes are refused."""

from __future__ import annotations

import pytest

from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.text.encoding import decode

TEXT = "1 § Fyrvakten får släcka lyktan i gryningen – aldrig före soluppgången.\n\n2 § Ägaren ansvarar för oljan.\n" * 3


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("cp1252", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16-be", "utf-16"),
        ("utf-32", "utf-32"),
    ],
)
def test_the_same_text_in_any_encoding_is_the_same_text(encoding: str, name: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    assert decode(mark + TEXT.replace("\n", "\r\n").encode(encoding)) == (TEXT, name)


def test_damaged_utf_8_is_refused_with_the_place_and_not_read_as_another_encoding() -> None:
    data = bytearray(TEXT.encode("utf-8"))
    place = data.index("ä".encode())
    data[place + 1] = 0x41
    with pytest.raises(ParseError, match=f"byte {place}"):
        decode(bytes(data))
    with pytest.raises(ParseError, match="UTF-8"):
        decode(TEXT.encode("utf-8")[: data.rindex("Ä".encode()) + 1])


def test_latin_1_with_a_pair_of_letters_that_happens_to_be_utf_8_is_still_latin_1() -> None:
    assert decode("Ã¤ å ö ä å ö".encode("cp1252")) == ("Ã¤ å ö ä å ö", "cp1252")
    assert decode("Ã¤ å".encode("cp1252")) == ("Ã¤ å", "cp1252")


def test_a_page_in_one_byte_per_character_is_read_in_the_encoding_that_it_declares() -> None:
    page = '<html><meta charset="windows-1251"><p>Смотритель зажигает фонарь.</p></html>'
    assert decode(page.encode("windows-1251")) == (page, "windows-1251")


def test_control_characters_in_utf_8_are_the_signs_that_windows_has_there() -> None:
    assert decode("dusk \x96 dawn, the keeper\x92s lamp".encode()) == ("dusk – dawn, the keeper’s lamp", "utf-8")


@pytest.mark.parametrize("data", [b"", b" \x00\n", b"\x00\x00"])
def test_blank_bytes_are_an_empty_document(data: bytes) -> None:
    with pytest.raises(EmptyDocumentError):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n",
        b"\x1f\x8b\x08",
        b"\xd0\xcf\x11\xe0",
        b"{\\rtf1 Lag",
        b"PK\x03\x04",
        b"text\x00text",
        bytes(range(1, 32)) * 9 + b"\xff",
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        decode(data)


@pytest.mark.parametrize("declared", ["x-lighthouse", "utf-16", "rot13"])
def test_a_declared_encoding_that_no_publisher_has_is_passed_over(declared: str) -> None:
    text = f'<meta charset="{declared}"><p>{TEXT}</p>'
    assert decode(text.encode("cp1252")) == (text, "cp1252")


def test_a_few_control_characters_in_a_hundred_make_a_file_binary() -> None:
    with pytest.raises(ParseError, match="5 control characters"):
        decode("å".encode("cp1252") * 95 + b"\x01" * 5)
