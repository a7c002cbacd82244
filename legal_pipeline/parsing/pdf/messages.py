"""Messages between a parser and the process that runs PDFium: two lengths, then a JSON header, then bytes.

Not here: the two processes (`pdf.reading`, `pdf.reader_process`).
"""

from __future__ import annotations

import dataclasses
import json
import struct
from collections.abc import Mapping
from typing import IO, Any

from legal_pipeline.parsing.pdf.glyphs import Line, Page
from legal_pipeline.parsing.pdf.ocr import OcrPage

#: A page with an image and fewer characters than this is a scan: a stamp or a signature field is not a text layer.
SCAN_CHARACTERS = 16
_LENGTHS = struct.Struct(">QQ")
_LINE = tuple(field.name for field in dataclasses.fields(Line))


def send(stream: IO[bytes], header: Mapping[str, Any], data: bytes = b"") -> None:
    text = json.dumps(header).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(data)))
    stream.write(text)
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Return (header, bytes), or None if the stream ends before the message is complete."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    text_length, data_length = _LENGTHS.unpack(lengths)
    text, data = stream.read(text_length), stream.read(data_length)
    return (json.loads(text), data) if len(text) == text_length and len(data) == data_length else None


def page_to_json(page: Page) -> dict[str, Any]:
    lines = [[getattr(line, name) for name in _LINE] for line in page.segments]
    return {**{field.name: getattr(page, field.name) for field in dataclasses.fields(Page)}, "segments": lines}


def page_from_json(data: Mapping[str, Any]) -> Page:
    return Page(**{**data, "segments": [Line(*values) for values in data["segments"]]})


def scan_from_json(data: Mapping[str, Any]) -> OcrPage:
    return OcrPage(**{**data, "paragraphs": tuple(data["paragraphs"])})
