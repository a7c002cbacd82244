"""Reads JSON of unknown origin: its own errors become the ones that users see.

Not here: what the keys mean (one module per format).
"""

from __future__ import annotations

import json
from typing import Any

from legal_pipeline.errors import LimitExceededError, ParseError, TruncatedDocumentError
from legal_pipeline.parsing.source import SourceFile


def parse_json(source: SourceFile) -> Any:
    """The value that `source` holds. Raises `TruncatedDocumentError`, `LimitExceededError` or `ParseError`."""
    text = source.text
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno} column {error.colno}"
        # What is missing stands at the end; an open string is reported where it begins.
        at_end = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        kind = TruncatedDocumentError if at_end else ParseError
        raise kind(f"no valid JSON: {error.msg}", document=source.name, position=position, expected="JSON") from error
    except RecursionError as error:
        raise LimitExceededError(
            "JSON nested too deeply", document=source.name, expected=f"at most {source.limits.max_depth} levels"
        ) from error
    except ValueError as error:
        raise ParseError(f"no valid JSON: {error}", document=source.name, expected="JSON") from error


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")
