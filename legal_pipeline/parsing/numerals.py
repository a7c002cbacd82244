"""Numbers as lists print them: letters and Roman numerals.

Not here: reading them (`building.enumeration`).
"""

from __future__ import annotations

_SIZES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_SIGNS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_LARGEST_ROMAN = 3999


def roman(value: int) -> str:
    """`value` as a Roman numeral in lower case; in digits outside 1 to 3,999, which have none.

    >>> roman(21), roman(1994), roman(4000)
    ('xxi', 'mcmxciv', '4000')
    """
    if not 0 < value <= _LARGEST_ROMAN:
        return str(value)
    result = ""
    for size, sign in zip(_SIZES, _SIGNS, strict=True):
        count, value = divmod(value, size)
        result += sign * count
    return result


def letters(value: int) -> str:
    """`value` as HTML counts in letters: a to z, then aa, ab; in digits below 1.

    >>> letters(26), letters(27), letters(703)
    ('z', 'aa', 'aaa')
    """
    if value < 1:
        return str(value)
    result = ""
    while value:
        value, place = divmod(value - 1, 26)
        result = chr(ord("a") + place) + result
    return result
