"""Identity of a document of a generic format: from hints, from front matter or, in these formats only, from its path.

Not here: identities of formats that contain their own number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from legal_pipeline.languages.language import iso_639_3
from legal_pipeline.model.identity import DOCUMENT_ID, UNDETERMINED, UNKNOWN_COUNTRY, document_id, sha256_hex
from legal_pipeline.model.slug import slug

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

#: Maximum length of a path in an id; the slug of a longer path is cut and ends with a hash.
_MAX_PATH_CHARS = 120
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def generic_document_id(path: str, hints: Mapping[str, Any], jurisdiction: str, number: str | None) -> str:
    """Return the id in `hints`, else jurisdiction and number, else `doc-` and the slug of `path` (`SourceFile.path`) without extension."""
    named = hints.get("document_id")
    if named:
        return str(named) if DOCUMENT_ID.fullmatch(str(named)) else document_id(str(named))
    if number and (hints.get("jurisdiction") or jurisdiction != UNKNOWN_COUNTRY):
        return document_id(jurisdiction, number)
    return document_id("doc", path_slug(path))


def path_slug(path: str, endings: Sequence[str] = ()) -> str:
    """Return the slug of the path below the source's root: `laws/index.md` -> `laws-index`.

    The folder is included because files of the same name in two folders are two documents. `endings` are the file extensions to
    remove; if empty, any extension is removed. A slug that cannot distinguish paths (a long path, a name without a Latin letter) gets
    a hash of the whole path.
    """
    plain = path.replace("\\", "/").strip("/")
    folder, _, name = plain.rpartition("/")
    if not endings:
        bare = name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name
    else:
        bare = next((name.removesuffix(ending) for ending in endings if name.endswith(ending)), name)
    stem = f"{folder}/{bare}"
    found = slug(stem)
    if not found or len(found) > _MAX_PATH_CHARS:
        return "-".join(part for part in (found[:_MAX_PATH_CHARS].rstrip("-."), sha256_hex(plain)[:8]) if part)
    return found


def language_code(value: str | None) -> str:
    """Return the ISO 639-3 code of `value` (639-1 codes with or without a region are accepted), else `und`."""
    if not value:
        return UNDETERMINED
    code = iso_639_3(value.strip())
    return code if re.fullmatch(r"[a-z]{2,3}", code) else UNDETERMINED


def doc_type(value: str | None) -> str:
    return value if value in DOC_TYPES else "other"


def iso_date(value: str | None) -> str | None:
    """Return the ISO date at the beginning of `value`, else None."""
    match = _ISO_DATE.match(value or "")
    return match.group() if match else None
