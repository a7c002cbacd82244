"""What a request to the API says, and what the API would refuse about it. Not here: answers."""

from __future__ import annotations

import re
from typing import Any

_DATA = re.compile(r"<(data-[0-9a-f]{16})>\n(.*?)\n</\1>", re.S)


def said(body: dict[str, Any]) -> str:
    """All text of a request but the system prompt."""
    return "\n".join(part["text"] for message in body.get("messages", []) for part in message["content"])


def data_blocks(text: str) -> list[str]:
    return [match.group(2) for match in _DATA.finditer(text)]


def all_text(body: dict[str, Any]) -> str:
    """All text of a request, the system prompt included."""
    return "".join([said(body), *(part["text"] for part in body.get("system", []))])


def invalid(body: dict[str, Any]) -> str | None:
    """What the API would answer with 400."""
    known = {"model", "max_tokens", "messages", "system", "output_config", "thinking", "stream"}
    if extra := set(body) - known:
        return f"{sorted(extra)[0]}: Extra inputs are not permitted"
    if body.get("thinking", {}).get("type") == "enabled":
        return '"thinking.type.enabled" is not supported for this model'
    if not 1 <= body.get("max_tokens", 0) <= 128_000:
        return "max_tokens: out of range"
    if any(not part["text"] for message in body["messages"] for part in message["content"]):
        return "messages: text content blocks must be non-empty"

    def unsupported(schema: Any) -> str | None:
        if isinstance(schema, list):
            return next((found for item in schema if (found := unsupported(item))), None)
        if not isinstance(schema, dict):
            return None
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            return (
                "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
            )
        for word in ("minimum", "maximum", "minLength", "maxLength", "maxItems"):
            if word in schema and not isinstance(schema[word], dict):
                return f"output_config.format.schema: property '{word}' is not supported"
        return next((found for item in schema.values() if (found := unsupported(item))), None)

    return unsupported(body.get("output_config", {}).get("format", {}).get("schema"))


def task_of(body: dict[str, Any]) -> str:
    """What a request asks for, as its schema shows it: prefixes, summary, questions, definitions, chunk_plan, verdicts or label."""
    properties = body["output_config"]["format"]["schema"]["properties"]
    if "chunks" in properties:
        return "questions" if "questions" in str(properties) else "verdicts"
    known = ("prefixes", "summary", "definitions", "chunk_plan", "label")
    return next(name for name in known if name in properties)
