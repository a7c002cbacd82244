"""Letters of another alphabet, and signs, that stand for a letter of the same shape inside a Greek or Cyrillic word.

Prints and typists leave them: "Άρθρo" with a Latin o, "δήµοι" with the sign for a millionth. A search for the word does not find them.
"""

from __future__ import annotations

import re

_GREEK, _CYRILLIC = "\u0370-\u03ff\u1f00-\u1fff", "\u0400-\u052f"
#: Characters with the Greek letter, and with the Cyrillic letter, of the same shape.
_SHAPES = (
    str.maketrans("ABEZHIKMNOPTYXov\u2206\u00b5\u2126", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονΔμΩ"),
    str.maketrans("ABCEHIKMOPTXaceiopxy", "АВСЕНІКМОРТХасеіорху"),
)
_ALPHABETS = re.compile(f"[{_GREEK}{_CYRILLIC}]")
#: The bytes with which these letters begin in UTF-8. To search for a byte is many times faster than to search for a letter.
_LEADS = b"\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xe1"
#: Words of one or two letters may be a designation with letters of two alphabets ("Γ2B").
_LEAST_LETTERS = 3
_OTHERS = "A-Za-z\u00b5\u2206\u2126"
_OTHER = re.compile(f"[{_OTHERS}]")
_PAIR = rf"[{_OTHERS}][{_GREEK}{_CYRILLIC}]|[{_GREEK}{_CYRILLIC}][{_OTHERS}]"
_MIXED = re.compile(_PAIR)
_MIXED_WORD = re.compile(rf"(?:[^\W\d_]|\u2206)*(?:{_PAIR})(?:[^\W\d_]|\u2206)*")


def in_one_alphabet(text: str) -> str:
    """Return `text`, in the same length, with each Greek or Cyrillic word in letters of its alphabet alone.

    A word with a letter that has no such shape is left as it is.

    >>> in_one_alphabet("Άρθρo 5: οι δήµοι"), in_one_alphabet("Cтаття 7, kΩ")
    ('Άρθρο 5: οι δήμοι', 'Стаття 7, kΩ')
    """
    if text.isascii() or not _has_letters(text) or not _MIXED.search(text):
        return text
    return _MIXED_WORD.sub(_own_letters, text)


def _has_letters(text: str) -> bool:
    """Whether `text` has a Greek or Cyrillic letter."""
    encoded = text.encode("utf-8", "surrogatepass")
    return any(lead in encoded for lead in _LEADS) and _ALPHABETS.search(text) is not None


def _own_letters(match: re.Match[str]) -> str:
    word = match.group()
    if len(word) >= _LEAST_LETTERS:
        for shapes in _SHAPES:
            written = word.translate(shapes)
            if not _OTHER.search(written):
                return written
    return word
