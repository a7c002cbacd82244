"""What a Word file may be before it is read: a whole archive that does not unpack to far more than it is, and XML without a DTD.

Not here: what the parts hold (`parsing.docx_text`).
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError, TruncatedDocumentError

#: A part may be this many times as large as its packed bytes: Word's own parts are 5 to 30 times, and deflate can do 1,000.
MAX_GROWTH = 100
#: Parts below this size are never too large: an empty list of styles packs very well.
_SMALL_PART = 1_000_000


def check_archive(source: SourceFile) -> int:
    """The bytes that all parts unpack to, as the archive's directory says; nothing is unpacked.

    Raises `TruncatedDocumentError` for a broken archive and `LimitExceededError` for one that unpacks to too much.
    """
    source.check_size()
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            parts = archive.infolist()
    except zipfile.BadZipFile as error:
        raise TruncatedDocumentError(
            f"broken archive: {error}", document=source.name, expected="a .docx file"
        ) from error
    size = sum(part.file_size for part in parts)
    if size > source.limits.max_bytes:
        raise LimitExceededError(
            f"unpacks to {size:,} bytes",
            document=source.name,
            expected=f"at most {source.limits.max_bytes:,} (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)",
        )
    for part in parts:
        if part.file_size > max(_SMALL_PART, MAX_GROWTH * part.compress_size):
            raise LimitExceededError(
                f"{part.compress_size:,} bytes unpack to {part.file_size:,}",
                document=source.name,
                position=part.filename,
                expected=f"at most {MAX_GROWTH} times the packed size",
            )
    return size


def check_no_dtd(root: Any, part: str, source: SourceFile) -> None:
    """Raise `ParseError` for XML with a document type declaration: text that stands in its entities would be missing."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise ParseError(
            "the XML declares a document type, which may hold entities",
            document=source.name,
            position=part,
            expected="XML without DOCTYPE",
        )
