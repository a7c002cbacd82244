"""Read JSON of unknown origin; errors of the JSON library become errors of this project.

Not here: the meaning of the keys (one module per format).
"""

from __future__ import annotations

import json
import re
from typing import Any

from legal_pipeline.building.source import SourceFile
from legal_pipeline.errors import LimitExceededError, ParseError, TruncatedDocumentError

#: Escapes that may not be a character (U+0000, surrogates; a pair of surrogates is a character). Only such texts are checked.
_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
#: The beginning of JSON: an object, a list of objects, lists or strings, or a string with an escaped line end.
_START = re.compile(r"\s*\ufeff?\s*(?:\{\s*(?:\"|\})|\[\s*(?:\{|\[|\"|\])|\"[^\"\n]*?(?<!\\)\\n)")
_NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")


def begins_as_json(text: str) -> bool:
    """Return whether `text` begins as JSON does; "[2031] ZWHHC 7" does not, although it begins with a JSON list."""
    return _START.match(text) is not None


def parse_json(source: SourceFile) -> Any:
    """Return the value in `source`. Raises `TruncatedDocumentError`, `LimitExceededError` or `ParseError`."""
    text = source.text
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno} column {error.colno}"
        # In truncated JSON the error is at the end of the text; an unterminated string is reported where it begins.
        at_end = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        kind = TruncatedDocumentError if at_end else ParseError
        raise kind(f"no valid JSON: {error.msg}", document=source.name, position=position, expected="JSON") from error
    except RecursionError as error:
        raise LimitExceededError(
            "JSON nested too deeply", document=source.name, expected=f"at most {source.limits.max_depth} levels"
        ) from error
    except ValueError as error:
        raise ParseError(f"no valid JSON: {error}", document=source.name, expected="JSON") from error
    if _SUSPICIOUS.search(text):
        check_characters(value, document=source.name)
    return value


def check_characters(value: Any, *, document: str) -> None:
    """Raise `ParseError` with the place of the first invalid character in a JSON value: U+0000 or a lone surrogate.

    JSON can contain them as escapes, but a table cannot store them.
    """
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        place, held = waiting.pop()
        if isinstance(held, str):
            _check_text(held, place, document)
        elif isinstance(held, dict):
            for key in held:
                _check_text(str(key), f"a key of {place}" if place else "a key", document)
            waiting += [(f"{place}.{key}" if place else str(key), held[key]) for key in reversed(held)]
        elif isinstance(held, list):
            waiting += [(f"{place}[{index}]", held[index]) for index in reversed(range(len(held)))]


def _check_text(text: str, place: str, document: str) -> None:
    found = _NO_CHARACTER.search(text)
    if found is not None:
        raise ParseError(
            f"U+{ord(found.group()):04X} is not a character",
            document=document,
            position=f"{place or 'the value'}, character {found.start()}",
            expected="text without U+0000 and without half of a surrogate pair",
        )


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON number")
