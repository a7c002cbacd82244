"""Identity of a document of a generic format: from hints, from front matter or, in these formats only, from its path.

Not here: identities of formats that contain their own number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.identity import DOC_TYPES, DOCUMENT_ID, UNDETERMINED, UNKNOWN_COUNTRY, document_id, path_slug
from legal_pipeline.text.language import may_be_in

_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def generic_document_id(path: str, hints: Mapping[str, Any], jurisdiction: str, number: str | None) -> str:
    """Return the id in `hints`, else jurisdiction and number, else `doc-` and the slug of `path` (`SourceFile.path`) without extension."""
    named = hints.get("document_id")
    if named:
        return str(named) if DOCUMENT_ID.fullmatch(str(named)) else document_id(str(named))
    if number and (hints.get("jurisdiction") or jurisdiction != UNKNOWN_COUNTRY):
        return document_id(jurisdiction, number)
    return document_id("doc", path_slug(path))


def language_code(value: str | None) -> str:
    """Return the ISO 639-3 code of `value` (639-1 codes with or without a region are accepted), else `und`."""
    if not value:
        return UNDETERMINED
    code = iso_639_3(value.strip())
    return code if re.fullmatch(r"[a-z]{2,3}", code) else UNDETERMINED


def stated_language(said: Mapping[str, Any], text: str) -> str:
    """Return the code of the language that `said` states; `und` if it states none, or if `text` is not in the script of that language."""
    code = language_code(said.get("language"))
    return code if may_be_in(text, code) else UNDETERMINED


def language_warning(said: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """Return a warning if `text` is not in the script of the stated language; empty if it is."""
    code = language_code(said.get("language"))
    if may_be_in(text, code):
        return ()
    return (f"the stated language, {said['language']}, has no effect: the text is not in its script",)


def doc_type(value: str | None) -> str:
    return value if value in DOC_TYPES else "other"


def iso_date(value: str | None) -> str | None:
    """Return the ISO date at the beginning of `value`, else None."""
    match = _ISO_DATE.match(value or "")
    return match.group() if match else None
