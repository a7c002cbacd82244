"""Makes text of documents safe to display: characters that control a terminal are shown as escapes.

Not here: the terminal (`system.terminal`), and text that is stored or searched, which stays unchanged.
"""

from __future__ import annotations

import re

#: Characters that control a terminal: C0 (except tab and line feed) and C1 controls, bidirectional controls, which reorder the text
#: (Unicode Annex 9), line separators, annotations and tags, which are invisible, and halves of a surrogate pair.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Return `text` for people: each control character as its escape (`\\x1b`, `\\u202e`); tab and line feed stay."""
    return _OBEYED.sub(lambda found: _escape(ord(found[0])), text)


def visible_parts(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, escape) of each character of `text` that `visible` replaces."""
    return [(found.start(), found.end(), _escape(ord(found[0]))) for found in _OBEYED.finditer(text)]


def visible_json(text: str) -> str:
    """Return JSON with the same value, with each control character as a JSON escape."""
    # outside strings JSON contains no such character
    return _OBEYED.sub(lambda found: "".join(f"\\u{unit:04x}" for unit in _utf16(found[0])), text)


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _utf16(character: str) -> list[int]:
    data = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
