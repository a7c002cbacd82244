"""The sidecar file of a document (`act.html` and `act.html.meta.json`): the user's facts about it, as validated hints.

Not here: conflicts with the document's own text (the parsers decide: the document has precedence).
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from legal_pipeline.errors import ParseError
from legal_pipeline.model.identity import DOCUMENT_ID
from legal_pipeline.parsing.json_source import check_characters

ENDING = ".meta.json"
MAX_BYTES = 1_000_000

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class Hints(BaseModel):
    """The fields of a sidecar. `metadata` is free; an unknown name anywhere else is an error, so that a typing error is not lost."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document_id: Annotated[str, StringConstraints(pattern=f"^(?:{DOCUMENT_ID.pattern})$", max_length=200)] | None = None
    work_uri: _Text | None = None
    title: _Text | None = None
    number: _Text | None = None
    jurisdiction: Annotated[str, StringConstraints(pattern="^[a-z]{2,3}$")] | None = None
    doc_type: _Text | None = None
    language: Annotated[str, StringConstraints(pattern="^[a-z]{3}$")] | None = None
    as_of_date: Annotated[date, Field(strict=False)] | None = None
    part: Annotated[int, Field(ge=1)] | None = None
    parts: Annotated[int, Field(ge=1)] | None = None
    format: _Text | None = None
    profile: _Text | None = None
    strategy: _Text | None = None
    source_url: _Text | None = None
    fetched_at: _Text | None = None
    ocr_confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    licence: _Text | None = None
    may_export: bool | None = None
    metadata: dict[str, Any] | None = None


def read_hints(data: bytes, *, document: str) -> dict[str, Any]:
    """Return the hints of a sidecar as JSON values. Raises `ParseError` with each invalid field."""
    if len(data) > MAX_BYTES:
        raise ParseError(f"{len(data):,} bytes", document=document, format="sidecar", expected=f"at most {MAX_BYTES:,}")
    try:
        hints = Hints.model_validate_json(data).model_dump(mode="json", exclude_none=True)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, problem['loc'])) or 'file'}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        )
        raise ParseError(
            wrong, document=document, format="sidecar", expected=f"a JSON object of {', '.join(Hints.model_fields)}"
        ) from None
    check_characters(hints, document=document)
    return hints
