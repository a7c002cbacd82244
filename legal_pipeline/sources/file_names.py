"""Names of files: which are safe, and how they are shown. Not here: links, and the content of files (`sources.directory`)."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from urllib.parse import unquote

from legal_pipeline.errors import UnsafeNameError

UNSAFE_CHARACTERS = "control characters or bytes that are not UTF-8"


def unsafe_name(relative: Path) -> UnsafeNameError | None:
    """Return the error of a path with unsafe parts; names of a file system may have any character but `/` and zero."""
    for part in relative.parts:
        shown = printable(part)
        plain = part
        for _ in range(3):  # %252e is %2e is a point
            plain = unquote(plain, errors="surrogateescape")
        if ".." in unicodedata.normalize("NFKC", plain).replace("\\", "/").split("/"):
            return UnsafeNameError(
                "the name leads out of its folder", document=shown, position=printable(str(relative))
            )
        if any(unicodedata.category(character) in ("Cc", "Cs") or _turns_direction(character) for character in plain):
            return UnsafeNameError(
                f"rename it: the name has {UNSAFE_CHARACTERS}",
                document=shown,
                position=printable(str(relative)),
            )
    return None


def is_plainly_safe(name: str) -> bool:
    """Return whether a name needs no further check: most names need none, and the check costs as much as reading the folder."""
    return (
        name.isprintable()
        and "%" not in name
        and "\\" not in name
        and (name.isascii() or ".." not in unicodedata.normalize("NFKC", name))
    )


def printable(text: str) -> str:
    """Return `text` with characters that cannot be shown or stored as backslash escapes; safe names are unchanged."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in ("Cc", "Cs") or _turns_direction(character)
        else character
        for character in text
    )


def _turns_direction(character: str) -> bool:
    return "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
