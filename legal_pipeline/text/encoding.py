"""Decodes bytes to text: finds the encoding, and detects bytes that are not text.

Not here: the meaning of the text.
"""

from __future__ import annotations

import codecs
import re

from legal_pipeline.errors import EmptyDocumentError, ParseError
from legal_pipeline.text.normalise import prepare

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Encodings of one byte per character, tried in this order, and those that are accepted if a page declares them.
_ONE_BYTE = ("cp1252", "iso8859-2", "cp1250")
_DECLARABLE = frozenset({*_ONE_BYTE, "iso-8859-2", "windows-1250", "iso-8859-13", "windows-1257", "iso-8859-7", "windows-1253",
                         "iso-8859-5",
                         "windows-1251", "koi8-u", "iso-8859-4", "iso-8859-9", "windows-1254"})  # fmt: skip
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_-]{4,20})""")
#: Traces of letters of another alphabet in the wrong encoding: a sign between letters, or a control character.
#: The sign comes first in the pattern, so that all other characters are skipped fast.
_SIGN_IN_WORD = re.compile(r"[\x80-\x9f¡-©«-¹»-¿×÷ˇ˘˛˝¸¨´](?:(?<=[\x80-\x9f])|(?<=[^\W\d_].)(?=[^\W\d_]))", re.DOTALL)
#: Control characters that are not white space.
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\f\r")
#: Control characters in UTF-8, and the characters of Windows-1252 that a program meant with them: dashes and quotation marks.
_MISREAD = {byte: character for byte in range(0x80, 0xA0) if (character := bytes([byte]).decode("cp1252", "ignore"))}
#: In UTF-8: a search for a byte is many times faster than one for a class of characters.
_MISREAD_SIGN = re.compile(rb"\xc2[\x80-\x9f]")
#: Signatures of binary formats that users put into a folder by mistake; readable formats (PDF, docx) are recognised before decoding.
_BINARY = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x7fELF": "a program",
    b"\x1f\x8b": "gzip data",
    b"\xd0\xcf\x11\xe0": "an old Office file (.doc, .xls or .ppt): save it as .docx",
    b"{\\rtf": "a Rich Text file: save it as .docx",
    b"PK\x03\x04": "a ZIP archive, or an Office file other than .docx: unpack it",
}
#: The head of an e-mail or of a web page saved with its pictures (MHTML): its text is encoded, and attachments would become words.
_MESSAGE = re.compile(
    rb"\A(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?MIME-Version:", re.IGNORECASE
)


def decode(data: bytes, *, document: str = "") -> tuple[str, str]:
    """Return (text in NFC with LF line ends, name of the encoding).

    Byte order marks decide, then strict UTF-8, then the declaration of a page, then Windows-1252 (used by Nordic and South Asian government
    sites before 2010) or ISO 8859-2 and Windows-1250 if these leave fewer signs inside words, last Latin-1.
    Raises `EmptyDocumentError` for no bytes and `ParseError` for binary data and for damaged UTF-8: read as Windows-1252 it would become
    mojibake, and `Â§` is not a § any more.
    """
    if not data.strip(b"\x00 \t\r\n"):
        raise EmptyDocumentError(
            "the file is empty" if not data else f"the file holds {len(data)} blank bytes",
            document=document,
            expected="text",
        )

    def refused(message: str, position: str, expected: str = "text, HTML, XML, JSON, PDF or docx") -> ParseError:
        return ParseError(message, document=document, position=position, expected=expected)

    for mark, name in _BOMS:
        if data.startswith(mark):
            try:
                return prepare(data.decode(name)), name
            except UnicodeDecodeError as error:
                at = f"byte {error.start}"
                raise refused(f"byte order mark of {name}, but {at} does not fit", at, name) from error
    for signature, what in _BINARY.items():
        if data.startswith(signature):
            raise refused(f"the file is {what}", "byte 0")
    if _MESSAGE.match(data[:16384]):
        message = "the file is an e-mail or a web archive (MHTML)"
        raise refused(message, "line 1", "its text or page, and each attachment, as a file of its own")
    zero = data.find(b"\x00")
    if zero >= 0:
        raise refused("binary data: a zero byte", f"byte {zero}")
    try:
        text = data.decode("utf-8")
        return prepare(text.translate(_MISREAD) if _MISREAD_SIGN.search(data) else text), "utf-8"
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            at = f"byte {error.start}"
            expected = "UTF-8 throughout, or Windows-1252"
            raise refused(f"UTF-8 with damage: {at} does not fit", at, expected) from error
    controls = len(data[:65536]) - len(data[:65536].translate(None, _CONTROLS))
    if controls > len(data[:65536]) // 50:
        raise refused(f"binary data: {controls} control characters in the first 64 KB", "byte 0")
    return _decode_one_byte(data)


def _decode_one_byte(data: bytes) -> tuple[str, str]:
    """Decode one byte per character with the declared encoding, else with the Western or the Central European one.

    Of these two the encoding with fewer signs inside words is used (`ci¹g` is `ciąg`); if equal, the Western one.
    """
    declared = _DECLARED.search(data[:4096])
    if declared and (text := _decoded(data, declared[1].decode("ascii").lower())) is not None:
        return prepare(text), declared[1].decode("ascii").lower()
    found = [
        (len(_SIGN_IN_WORD.findall(text)), order, text, name)
        for order, name in enumerate(_ONE_BYTE)
        if (text := _decoded(data, name)) is not None
    ]
    if not found:
        return prepare(data.decode("latin-1")), "latin-1"
    _, _, text, name = min(found)
    return prepare(text), name


def _decoded(data: bytes, name: str) -> str | None:
    if name not in _DECLARABLE:
        return None
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _is_damaged_utf8(data: bytes) -> bool:
    """Return whether multi-byte characters far outnumber invalid bytes: a text in Windows-1252 does not have these by chance."""
    text = data.decode("utf-8", "replace")
    damage = text.count("\ufffd")
    several = len(text) - len(text.encode("ascii", "ignore")) - damage
    return several >= 4 * damage
