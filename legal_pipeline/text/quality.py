"""Measures how much of a text is garbled: replacement characters, mojibake, Devanagari broken by a legacy font mapping, and left mark-up.

Returns a score, with the threshold for manual review. Not here: repairing text, and the confidence of an OCR engine.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

from legal_pipeline.text.markup import character_references, tags

#: Above this share of garbled words a text is flagged `requires_manual_review`. Measured: English and Swedish
#: statutes score 0.000, a page of Hindi typed in Unicode 0.00, the text layers of Hindi PDFs with a broken font map 0.13 to 0.15.
REVIEW_THRESHOLD = 0.02
#: Fewer words than this give no reliable share.
MINIMUM_WORDS = 20
#: Number of mojibake words that requires a review of a text of any length: a long English Act has them only in its quotation marks. No
#: text of the corpus has any.
MOJIBAKE_WORDS = 3

_REPLACEMENT = re.compile(r"[\ufffd\ue000-\uf8ff]")
#: Characters that Windows-1252 shows for the bytes 80 to BF, which follow the first byte of a character in UTF-8 …
_SIGNS = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
#: … so that UTF-8 read as Windows-1252 shows as `Ã¤`, `Ã–`, `â€œ`, `à¤¸`. A capital before `Ã”` or a bare `Ã` is Portuguese ("MANHÃ”"); the
#: no-break space that `à` ends with is a space by now, so a bare Ã counts. Two pairs of Cyrillic are needed: one is also `Ñ”`.
#: Each alternative begins with one letter and looks back after it, so that all other letters are skipped fast.
_MOJIBAKE = re.compile(
    rf"Ã(?:(?<![A-ZÀ-Þ]Ã)(?:[{_SIGNS}]|(?!\w))|[{_SIGNS}](?=\w))|Â[\u00a0-\u00bf]|â€[{_SIGNS}]?|à[¤-ª¬®°-·].|ï¿½"
    rf"|Ð[{_SIGNS}][ÐÑ][{_SIGNS}]|Ñ[{_SIGNS}][ÐÑ][{_SIGNS}]"
)

_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_REPLACEMENT_OR_DEVANAGARI = re.compile(f"{_REPLACEMENT.pattern}|{_DEVANAGARI.pattern}")
_WORD = re.compile(r"[\u0900-\u097f\u200c\u200d]+")
_SIGN = "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
#: A vowel sign, a virama or a nasal without a consonant before it.
_ORPHAN = re.compile(rf"^[{_SIGN}]|[\u0904-\u0914\u0964-\u0970][\u093a\u093b\u093e-\u094d]")
#: Two vowel signs on one consonant, or a sign on a virama.
_DOUBLE = re.compile(r"[\u093e-\u094c][\u093e-\u094d]|\u094d[\u093e-\u094d\u0901-\u0903]|\u093c\u093c")
_VIRAMA_END = re.compile(r"\u094d[\u200c\u200d]?$")
#: Hindi words that correctly end in a virama.
_VIRAMA_WORDS = frozenset(
    ["अर्थात्", "पश्चात्", "श्रीमान्", "संवत्", "परिषद्", "संसद्", "विद्वान्", "सम्यक्", "पृथक्", "किंचित्", "महान्", "साक्षात्"]
)
#: Single letters that are words (letters that number clauses are in brackets, so they are not counted).
_ONE_LETTER_WORDS = frozenset(["व", "न", "ॐ"])
_LONE_CONSONANT = re.compile(r"^[\u0915-\u0939](?:\u093c)?$")


@dataclass(frozen=True)
class TextQuality:
    """Shares of all words, each 0 to 1; `score` is the share of words with any fault.

    `markup` are the HTML tags and character references in the text: a reader left them, and a search would find them.
    """

    text: str = field(repr=False)
    score: float
    replacement: float
    mojibake: float
    broken_devanagari: float
    markup: tuple[str, ...] = ()

    @property
    def requires_review(self) -> bool:
        return self.is_garbled or bool(self.markup)

    @property
    def is_garbled(self) -> bool:
        return (self.score > REVIEW_THRESHOLD and self.words >= MINIMUM_WORDS) or self.mojibake_words >= MOJIBAKE_WORDS

    @property
    def mojibake_words(self) -> int:
        return round(self.mojibake * self.words) if self.mojibake else 0

    @functools.cached_property
    def words(self) -> int:
        """Return the number of words of `text`; computed only on use, because most texts have no fault."""
        return len(self.text.split())

    def to_json(self) -> dict[str, float | int]:
        return {
            "words": self.words,
            "garbled": round(self.score, 4),
            "replacement": round(self.replacement, 4),
            "mojibake": round(self.mojibake, 4),
            "broken_devanagari": round(self.broken_devanagari, 4),
            "markup": len(self.markup),
        }


def measure(text: str) -> TextQuality:
    """Return the quality of `text`. Without a dictionary: only combinations that are impossible in the script are counted."""
    replacement, mojibake, devanagari, faulty = 0, 0, 0, 0
    # one search of the whole text shows that most texts have none of these signs
    is_suspect = not text.isascii() and (_REPLACEMENT_OR_DEVANAGARI.search(text) or _MOJIBAKE.search(text))
    tokens = text.split() if is_suspect else []
    for token in tokens:
        if token.isascii():
            continue
        bad_replacement = _REPLACEMENT.search(token) is not None
        bad_mojibake = _MOJIBAKE.search(token) is not None
        bad_devanagari = _DEVANAGARI.search(token) is not None and _is_broken(token)
        replacement += bad_replacement
        mojibake += bad_mojibake
        devanagari += bad_devanagari
        faulty += bad_replacement or bad_mojibake or bad_devanagari
    total = max(len(tokens), 1)
    markup = (*tags(text), *character_references(text))
    return TextQuality(text, faulty / total, replacement / total, mojibake / total, devanagari / total, markup)


def _is_broken(token: str) -> bool:
    for match in _WORD.finditer(token):
        word = match.group()
        if _ORPHAN.search(word) or _DOUBLE.search(word):
            return True
        if _VIRAMA_END.search(word) and word not in _VIRAMA_WORDS:
            return True
        if word == token.strip(",;:.।-–—“”‘’\"'") and _LONE_CONSONANT.match(word):
            return word not in _ONE_LETTER_WORDS
    return False
