"""JSON schemas of answers: sent with requests, and used to check the answers.

The schemas are written out, not derived from classes: a library that writes a schema differently after an upgrade would change the hash of
every request, and every request would be paid for again. Not here: checks of an answer against its source (`enrichment.validation`).
"""

from __future__ import annotations

from typing import Any

from legal_pipeline.chunking.plan import REASONS
from legal_pipeline.enrichment.enricher import Task

_STRING: dict[str, Any] = {"type": "string"}
_INTEGER: dict[str, Any] = {"type": "integer"}
_BOOLEAN: dict[str, Any] = {"type": "boolean"}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


SCHEMAS: dict[Task, dict[str, Any]] = {
    Task.CONTEXT_PREFIXES: _object(prefixes=_list(_object(chunk_id=_STRING, prefix=_STRING))),
    Task.SUMMARISE: _object(summary=_STRING),
    Task.QUESTIONS: _object(chunks=_list(_object(chunk_id=_STRING, questions=_list(_STRING)))),
    Task.PROPOSITIONS: _object(
        definitions=_list(
            _object(term=_STRING, number=_nullable(_STRING), first_line=_INTEGER, last_line=_INTEGER, text=_STRING)
        )
    ),
    Task.CHUNK_PLAN: _object(
        strategy=_STRING,
        chunk_plan=_list(
            _object(
                start_line=_INTEGER,
                end_line=_INTEGER,
                section=_nullable(_STRING),
                level=_nullable(_INTEGER),
                criterion_tag=_nullable(_STRING),
                legal_standard=_nullable(_STRING),
                is_winning_argument=_BOOLEAN,
            )
        ),
        excluded=_list(
            _object(start_line=_INTEGER, end_line=_INTEGER, reason={"type": "string", "enum": list(REASONS)})
        ),
    ),
    Task.VERIFY_PLAN: _object(chunks=_list(_object(chunk=_INTEGER, denied=_BOOLEAN, reason=_STRING))),
    Task.CLASSIFY_PRACTICE_AREA: _object(label=_STRING),
    Task.CLASSIFY_DOCUMENT: _object(label=_STRING),
}


def mismatch(answer: object, schema: dict[str, Any]) -> str | None:
    """Return the first place where `answer` does not fit `schema`, with the rule, or None. Text of the answer is not repeated."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # JSON Schema accepts 1.0 as an integer; a line number is an index.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    found = next(extend(Draft202012Validator, type_checker=types)(schema).iter_errors(answer), None)
    return f"{found.json_path} does not fit `{found.validator}`: {found.validator_value}" if found else None
