"""Who a document of a generic format is: from hints, front matter or, only here, its file name.

Not here: identities of formats that carry their own number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.identity import DOCUMENT_ID, document_id
from legal_pipeline.model.slug import slug

#: What a language or jurisdiction is called while nobody has said it (ISO 639-3 has `und`; a filter must be able to name it).
UNDETERMINED = "und"

DOC_TYPES = frozenset(
    [
        "act",
        "regulation",
        "agency_regulation",
        "amendment",
        "judgment",
        "constitution",
        "precedent_case",
        "appeal_decision",
        "guidance",
        "other",
    ]
)

_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def generic_document_id(name: str, hints: Mapping[str, Any], jurisdiction: str, number: str | None) -> str:
    """A named id, else jurisdiction and number, else `doc-` and the slug of the file name without its ending."""
    named = hints.get("document_id")
    if named:
        return str(named) if DOCUMENT_ID.fullmatch(str(named)) else document_id(str(named))
    if number and jurisdiction != UNDETERMINED:
        return document_id(jurisdiction, number)
    stem = PurePosixPath(name.replace("\\", "/")).name
    stem = stem.rsplit(".", 1)[0] if "." in stem.lstrip(".") else stem
    return document_id("doc", slug(stem) or "unnamed")


def language_code(value: str | None) -> str:
    """ISO 639-3 of `value` (639-1 codes with or without a region are understood), else `und`."""
    if not value:
        return UNDETERMINED
    code = iso_639_3(value.strip())
    return code if re.fullmatch(r"[a-z]{2,3}", code) else UNDETERMINED


def doc_type(value: str | None) -> str:
    return value if value in DOC_TYPES else "other"


def iso_date(value: str | None) -> str | None:
    """`value` when it begins with an ISO date, cut to it."""
    match = _ISO_DATE.match(value or "")
    return match.group() if match else None
