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

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "boolean": (bool,), "null": (type(None),), "array": (list,), "object": (dict,),
}  # fmt: skip


def mismatch(value: object, schema: dict[str, Any], where: str = "answer") -> str | None:
    """Return the first difference of `value` from `schema` (the subset used above), or None if `value` is valid."""
    if "anyOf" in schema:
        problems = [mismatch(value, choice, where) for choice in schema["anyOf"]]
        return None if None in problems else problems[0]
    kind: str = schema["type"]
    if not isinstance(value, _TYPES[kind]) or (kind == "integer" and isinstance(value, bool)):
        return f"{where} is not of type {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is not one of {', '.join(schema['enum'])}"
    if isinstance(value, list):
        for index, item in enumerate(value):
            if problem := mismatch(item, schema["items"], f"{where}[{index}]"):
                return problem
    if isinstance(value, dict):
        properties: dict[str, dict[str, Any]] = schema["properties"]
        if missing := [name for name in properties if name not in value]:
            return f"{where} lacks {', '.join(missing)}"
        if unknown := [name for name in value if name not in properties]:
            return f"{where} has {len(unknown)} unknown fields"
        for name, item in properties.items():
            if problem := mismatch(value[name], item, f"{where}.{name}"):
                return problem
    return None
