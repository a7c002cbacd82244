"""The sidecar file of a document (`act.html` and `act.html.meta.json`): the user's facts about it, as validated hints.

Not here: conflicts with the document's own text (the parsers decide: the document has precedence).
"""

from __future__ import annotations

import difflib
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from legal_pipeline.errors import ParseError
from legal_pipeline.jurisdictions.countries import usual_code
from legal_pipeline.model.identity import DOC_TYPES, DOCUMENT_ID, known_doc_type
from legal_pipeline.parsing.json_source import check_characters

ENDING = ".meta.json"
MAX_BYTES = 1_000_000

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class Hints(BaseModel):
    """The fields of a sidecar file. `metadata` takes any fields; any other unknown field is an error, so that a misspelt one is found."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document_id: Annotated[str, StringConstraints(pattern=f"^(?:{DOCUMENT_ID.pattern})$", max_length=200)] | None = (
        Field(
            None,
            description="Id of the document. It has no effect, and the document has a warning, if the format makes the id from a number "
            "that the file states.",
            examples=["xx-act-2099-101"],
        )
    )
    work_uri: _Text | None = Field(
        None,
        description="URI of the work, where the file states none. Only Akoma Ntoso and the formats of publishers read it.",
        examples=["/akn/xx/act/2099/101"],
    )
    title: _Text | None = Field(None, description="Title, where the file states none.", examples=["Lighthouse Act"])
    number: _Text | None = Field(
        None, description="Official number, where the file states none.", examples=["2099:101"]
    )
    jurisdiction: Annotated[str, StringConstraints(pattern="^[a-z]{2,3}$"), AfterValidator(usual_code)] | None = Field(
        None,
        description="Code of the country (ISO 3166, lower case; `eu`), where the file states none. Not the code of a part (`us-dc`).",
        examples=["xx"],
    )
    doc_type: Annotated[_Text, AfterValidator(known_doc_type)] | None = Field(
        None,
        description=f"Type of the document, where the file states none: {', '.join(f'`{name}`' for name in sorted(DOC_TYPES))}.",
        examples=["act"],
    )
    language: Annotated[str, StringConstraints(pattern="^[a-z]{3}$")] | None = Field(
        None,
        description="Language (ISO 639-3), where the file states none. Without it: the language of the format, or the detected one.",
        examples=["eng"],
    )
    as_of_date: Annotated[date, Field(strict=False)] | None = Field(
        None, description="First day on which the text is the law, where the file states none.", examples=["2026-01-01"]
    )
    format: _Text | None = Field(
        None, description="Name of the format, in place of the detected one.", examples=["plain_text"]
    )
    profile: _Text | None = Field(
        None,
        description="Profile of the router: `rightline` (windows of about 512 tokens with overlap, instead of one chunk per provision), or "
        "`immigration` (decisions and regulations in immigration law).",
        examples=["immigration"],
    )
    strategy: _Text | None = Field(
        None, description="Chunking strategy, in place of the router's choice.", examples=["semantic"]
    )
    source_url: _Text | None = Field(
        None,
        description="Address from which the file comes. Answers state it. The address of a known publisher also names the work.",
        examples=["https://law.example/acts/2099/101"],
    )
    fetched_at: _Text | None = Field(
        None,
        description="When the file was fetched. Without it: when the file was last changed.",
        examples=["2026-01-02T03:04:05+00:00"],
    )
    licence: _Text | None = Field(None, description="Licence of the text. Answers state it.", examples=["CC-BY-4.0"])
    may_export: bool | None = Field(
        None,
        description="`false`: the text is indexed and found, but exports, and API answers to keys of the scope `read`, do not contain it.",
        examples=[False],
    )
    metadata: dict[str, Any] | None = Field(
        None,
        description="Other facts, as a JSON object. `audience` names the readers of the document. What the parser states wins.",
        examples=[{"audience": "firm-a"}],
    )


def read_hints(data: bytes, *, document: str) -> dict[str, Any]:
    """Return the hints of a sidecar as JSON values. Raises `ParseError` with each invalid field."""
    if len(data) > MAX_BYTES:
        raise ParseError(f"{len(data):,} bytes", document=document, format="sidecar", expected=f"at most {MAX_BYTES:,}")
    try:
        hints = Hints.model_validate_json(data).model_dump(mode="json", exclude_none=True)
    except ValidationError as error:
        wrong = "; ".join(
            _unknown_field(str(problem["loc"][0]))
            if problem["type"] == "extra_forbidden"
            else f"{'.'.join(map(str, problem['loc'])) or 'file'}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        )
        raise ParseError(
            wrong, document=document, format="sidecar", expected=f"a JSON object of {', '.join(Hints.model_fields)}"
        ) from None
    check_characters(hints, document=document)
    return hints


def _unknown_field(name: str) -> str:
    near = difflib.get_close_matches(name, Hints.model_fields, 1)
    advice = f"did you mean {near[0]}?" if near else "put other facts into `metadata`"
    return f"unknown field {name!r}: {advice}"
