"""Text as a name in `[a-z0-9.-]`: a segment of a document id, of a work URI or of an eid.

Not here: composing ids and URIs (`model.identity`, `citations`).
"""

from __future__ import annotations

import re
import unicodedata

from legal_pipeline.languages.language import lower_without_accents

_NOT_SLUG = re.compile(r"[^a-z0-9.]+")
#: Letters that NFKD does not decompose.
_FOLD = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"})


def slug(text: str) -> str:
    """Return `text` in lower case with accents folded and all other characters as a hyphen.

    >>> slug("Þjóð"), slug("2 kap. 3 §")
    ('thjod', '2-kap.-3')
    """
    if text.isascii() and text.isalnum():
        return text.lower()
    return _NOT_SLUG.sub("-", plain_letters(text).encode("ascii", "ignore").decode("ascii")).strip("-.")


def plain_letters(text: str) -> str:
    """Return `text` in lower case without accents, and letters that have none to remove (ł, ø, ß) as those that people write for them.

    >>> plain_letters("Rozporządzenie Włóczni"), plain_letters("Άρθρο")
    ('rozporzadzenie wloczni', 'αρθρο')
    """
    return lower_without_accents(text.lower().translate(_FOLD))


#: Letters in which inserted provisions and points are counted, by their sound; Hebrew, as translations of its Acts do, by their place.
_ALPHABETS = (
    ("абвгдежзийклмнопрстуфхцчшщыэюяёіїєґђјљњћќѓџѕ",
     "a b v g d e zh z i j k l m n o p r s t u f h c ch sh shch y eh yu ya yo i yi ye g dj j lj nj cj kj gj dzh dz"),
    ("αβγδεϛζηθικλμνξοπρστυφχψω", "a b g d e st z h th i k l m n x o p r s t y f ch ps w"),
    ("אבגדהוזחטיכלמנסעפצקרשת", "a b c d e f g h i j k l m n o p q r s t u v"),
    ("أابجدهوزحطيكلمنسعفصقرشت", "a a b j d h w z hh t y k l m n s e f ss q r sh tt"),
    ("가나다라마바사아자차카타파하", "ga na da ra ma ba sa a ja cha ka ta pa ha"),
    ("イロハニホヘトチリヌルヲ", "i ro ha ni ho he to chi ri nu ru wo"),
    ("กขคงจฉชซ", "k kh kho ng ch chh cho s"),
    ("ñ", "ny"),
)  # fmt: skip
_LETTERS = {
    ord(letter): sound for letters, sounds in _ALPHABETS for letter, sound in zip(letters, sounds.split(), strict=True)
}
_LETTER_OF_NUMBER = re.compile(rf"(?:(?<=\d)|(?<![^\W\d_]))[{''.join(map(chr, _LETTERS))}]{{1,3}}(?!\w)")
_RAISED = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹])")
#: "10–12": several provisions with one number, which is not 1012.
_RANGE = re.compile(r"(?<=[\da-z])\s?[–—]\s?(?=\d)", re.IGNORECASE)
_PRINT_STYLE = re.compile(r"\s+|(?<=\d)-(?=[^\W\d_])")


def number_slug(number: str) -> str:
    """Return the printed number of a provision as in its eid: digits of every script as 0 to 9, raised digits apart, and letters of other
    scripts as Latin letters, so that two numbers never get one name. Spaces, and a hyphen between digits and letters, are only print style.

    >>> number_slug("12א"), number_slug("5¹"), number_slug("๑๒/๑"), number_slug("2 a"), number_slug("18-H Bis"), number_slug("10–12")
    ('12a', '5-1', '12-1', '2a', '18hbis', '10to12')
    """
    number = _PRINT_STYLE.sub("", _RANGE.sub("to", number))
    if number.isascii():
        return slug(number)
    figures = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in number)
    latin = _LETTER_OF_NUMBER.sub(lambda letters: letters[0].translate(_LETTERS), figures.lower())
    return slug(_RAISED.sub("-", latin))
