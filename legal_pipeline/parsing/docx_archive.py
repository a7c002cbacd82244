"""Check a Word file before reading: the archive is complete and does not unpack to a much larger size; its XML has no DTD.

Not here: the content of the parts (`parsing.docx_text`).
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError, TruncatedDocumentError

#: Name space of the elements of a Word file.
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: Maximum ratio of a part's unpacked to packed size: Word's own parts have 5 to 30, deflate can reach 1,000.
MAX_GROWTH = 100
#: Parts below this size in bytes are always allowed: an empty list of styles packs very well.
_SMALL_PART = 1_000_000


def check_archive(source: SourceFile) -> int:
    """Return the unpacked size of all parts in bytes, from the archive's directory; nothing is unpacked.

    Raises `TruncatedDocumentError` for a broken archive, `LimitExceededError` if the unpacked size is too large.
    """
    source.check_size()
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            parts = archive.infolist()
    except zipfile.BadZipFile as error:
        raise TruncatedDocumentError(f"broken archive: {error}", expected="a .docx file") from error
    size = sum(part.file_size for part in parts)
    if size > source.limits.max_bytes:
        raise LimitExceededError(
            f"unpacks to {size:,} bytes",
            expected=f"at most {source.limits.max_bytes:,} (LEGAL_PIPELINE_MAX_DOCUMENT_BYTES)",
        )
    for part in parts:
        if part.file_size > max(_SMALL_PART, MAX_GROWTH * part.compress_size):
            raise LimitExceededError(
                f"{part.compress_size:,} bytes unpack to {part.file_size:,}",
                position=part.filename,
                expected=f"at most {MAX_GROWTH} times the packed size",
            )
    return size


def check_no_dtd(root: Any, part: str) -> None:
    """Raise `ParseError` for XML with a document type declaration: the text of its entities would be missing."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise ParseError(
            "the XML declares a document type, which may hold entities", position=part, expected="XML without DOCTYPE"
        )
