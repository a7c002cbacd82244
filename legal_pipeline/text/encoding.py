"""Bytes to text: which encoding, and when bytes are no text at all.

Not here: what the text means.
"""

from __future__ import annotations

import codecs

from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.text.normalise import prepare

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Signatures of binary formats that people drop into a folder by mistake; readable ones (PDF, docx) are sniffed before decoding.
_BINARY = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x7fELF": "a program",
    b"\x1f\x8b": "gzip data",
}


def decode(data: bytes, *, document: str = "") -> tuple[str, str]:
    """(text in NFC with LF line ends, name of the encoding).

    Byte order marks decide, then strict UTF-8, then Windows-1252 with Latin-1 for its gaps (what Nordic and South Asian
    government sites before 2010 send). Raises `EmptyDocumentError` for no bytes and `ParseError` for binary data and for UTF-8 with damage:
    read as Windows-1252 it would come out as mojibake, and `Â§` is no § any more.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise EmptyDocumentError(
            "the file is empty" if not data else f"the file holds {len(data)} blank bytes",
            document=document,
            expected="text",
        )
    for mark, name in _BOMS:
        if data.startswith(mark):
            try:
                return prepare(data.decode(name)), name
            except UnicodeDecodeError as error:
                raise ParseError(
                    f"byte order mark of {name}, but byte {error.start} does not fit",
                    document=document,
                    position=f"byte {error.start}",
                    expected=name,
                ) from error
    for signature, what in _BINARY.items():
        if data.startswith(signature):
            raise ParseError(
                f"the file is {what}",
                document=document,
                position="byte 0",
                expected="text, HTML, XML, JSON, PDF or docx",
            )
    zero = data.find(b"\x00")
    if zero >= 0:
        raise ParseError(
            "binary data: a zero byte",
            document=document,
            position=f"byte {zero}",
            expected="text, HTML, XML, JSON, PDF or docx",
        )
    try:
        return prepare(data.decode("utf-8")), "utf-8"
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise ParseError(
                f"UTF-8 with damage: byte {error.start} does not fit",
                document=document,
                position=f"byte {error.start}",
                expected="UTF-8 throughout, or Windows-1252",
            ) from error
    controls = sum(byte < 32 and byte not in (9, 10, 12, 13) for byte in data[:65536])
    if controls > len(data[:65536]) // 50:
        raise ParseError(
            f"binary data: {controls} control characters in the first 64 KB",
            document=document,
            position="byte 0",
            expected="text, HTML, XML, JSON, PDF or docx",
        )
    try:
        return prepare(data.decode("cp1252")), "cp1252"
    except UnicodeDecodeError:
        return prepare(data.decode("latin-1")), "latin-1"


def _is_damaged_utf8(data: bytes) -> bool:
    """Far more characters of several bytes than bytes that fit nowhere: no text in Windows-1252 has these by accident."""
    text = data.decode("utf-8", "replace")
    damage = text.count("\ufffd")
    several = sum(character > "\x7f" for character in text) - damage
    return several >= 4 * damage
