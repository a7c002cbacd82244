"""Reads and writes letters, Roman and Greek numerals; reads Han numerals.

Not here: which of them a marker is (`numbering.readings`).
"""

from __future__ import annotations

import re

LATIN = "abcdefghijklmnopqrstuvwxyz"
#: Latin words behind the numbers of inserted provisions (`3bis`), with their order.
LATIN_SUFFIXES = {
    word: rank
    for rank, words in enumerate(
        ("bis", "ter", "quater quáter", "quinquies quinquiens", "sexies", "septies", "octies", "novies nonies", "decies", "undecies",
         "duodecies", "terdecies", "quaterdecies", "quindecies quinquiesdecies", "sexdecies sexiesdecies", "septdecies septiesdecies",
         "octodecies octiesdecies", "novodecies noviesdecies", "vicies"), 2)
    for word in words.split()
}  # fmt: skip

_SIZES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_SIGNS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_GREEK_DIGITS = ("ρ", "ικλμνξοπϟ", "αβγδεϛζηθ")
_GREEK = re.compile("".join(f"([{signs}])?" for signs in _GREEK_DIGITS))
#: Han numerals, simplified, traditional and formal: digits, and the units that multiply the digit before them.
_HAN_DIGITS = {
    sign: value for value, signs in enumerate(("〇零○", "一壱", "二两兩弐", "三参", *"四五六七八九")) for sign in signs
}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
HAN_SIGNS = "".join((*_HAN_DIGITS, *_HAN_UNITS))
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def roman(value: int, largest: int = 3999) -> str:
    """Return `value` as a Roman numeral in lower case, in digits outside 1 to `largest`. Word uses numerals above 3,999 (`mmmm`).

    >>> roman(21), roman(1994), roman(4000)
    ('xxi', 'mcmxciv', '4000')
    """
    if not 0 < value <= largest:
        return str(value)
    result = ""
    for size, sign in zip(_SIZES, _SIGNS, strict=True):
        count, value = divmod(value, size)
        result += sign * count
    return result


def roman_value(text: str) -> int | None:
    """Return the value of a Roman numeral in lower case, None for any other text.

    >>> roman_value("xiv"), roman_value("iiii"), roman_value("")
    (14, None, None)
    """
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def greek_value(text: str) -> int | None:
    """Return the value of a Greek numeral below 200, in lower case and without its sign; None for any other text.

    >>> greek_value("ια"), greek_value("στ"), greek_value("αι")
    (11, 6, None)
    """
    match = _GREEK.fullmatch(text.replace("στ", "ϛ"))
    if match is None or not text:
        return None
    return sum(
        size * (signs.index(digit) + 1)
        for digit, signs, size in zip(match.groups(), _GREEK_DIGITS, (100, 10, 1), strict=True)
        if digit
    )


def han_value(text: str) -> int | None:
    """Return the value of a Han numeral below 10,000, with units or digit by digit; None for any other text.

    >>> han_value("百二十三"), han_value("一二三"), han_value("一千零五"), han_value("")
    (123, 123, 1005, None)
    """
    if not text or any(sign not in HAN_SIGNS for sign in text):
        return None
    if not any(sign in _HAN_UNITS for sign in text):
        return int("".join(str(_HAN_DIGITS[sign]) for sign in text[:9]))
    value, digit = 0, 0
    for sign in text:
        if sign in _HAN_UNITS:
            value, digit = value + (digit or 1) * _HAN_UNITS[sign], 0
        else:
            digit = _HAN_DIGITS[sign]
    return value + digit


def letters(value: int) -> str:
    """Return `value` in letters as HTML counts: a to z, then aa, ab; in digits below 1.

    >>> letters(26), letters(27), letters(703)
    ('z', 'aa', 'aaa')
    """
    if value < 1:
        return str(value)
    result = ""
    while value:
        value, place = divmod(value - 1, len(LATIN))
        result = LATIN[place] + result
    return result


def repeated_letters(value: int) -> str:
    """Return `value` in letters as Word counts: a to z, then aa, bb; in digits below 1.

    >>> repeated_letters(26), repeated_letters(27), repeated_letters(28)
    ('z', 'aa', 'bb')
    """
    if value < 1:
        return str(value)
    times, place = divmod(value - 1, len(LATIN))
    return LATIN[place] * (times + 1)
