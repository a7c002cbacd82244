"""Text of documents made safe to show: characters that a terminal would obey are shown as escapes.

Not here: the terminal (`system.terminal`), and text that is stored or searched, which stays as it is.
"""

from __future__ import annotations

import re

#: What a terminal obeys instead of showing it: C0 (but tab and line feed) and C1 controls, bidirectional controls, which reorder what is
#: read (Unicode Annex 9), separators of lines, annotations and tags, which are not seen at all, and halves of a surrogate pair.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """`text` for people: each character that a terminal would obey as its escape (`\\x1b`, `\\u202e`); tab and line feed stay."""
    return _OBEYED.sub(lambda found: _escape(ord(found[0])), text)


def visible_parts(text: str) -> list[tuple[int, int, str]]:
    """(start, end, escape) of each character of `text` that `visible` replaces."""
    return [(found.start(), found.end(), _escape(ord(found[0]))) for found in _OBEYED.finditer(text)]


def visible_json(text: str) -> str:
    """JSON that reads as the same value, with each character that a terminal would obey as a JSON escape."""
    # outside of strings JSON holds no such character
    return _OBEYED.sub(lambda found: "".join(f"\\u{unit:04x}" for unit in _utf16(found[0])), text)


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _utf16(character: str) -> list[int]:
    data = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
