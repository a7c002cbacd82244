"""Reads and orders the printed numbers of provisions and divisions.

`12`, `12A`, `2 a`, `3bis`, `L. 11-1`, `IV`, `1er`, `second`. Not here: the words before and after a number (`recogniser.labels`).
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from legal_pipeline.numbering.numerals import HAN_SIGNS, LATIN_SUFFIXES, greek_value, han_value, roman_value
from legal_pipeline.text.alternation import alternation
from legal_pipeline.text.markup import LOWERED, RAISED
from legal_pipeline.text.normalise import ascii_figures

#: The number ends here: no letter follows.
_END = rf"(?![^\W\d{RAISED}])"
#: Behind the last number of a range, which is in a label: the block ends, or a heading or a remark in brackets follows.
RANGE_END = r"(?=\s*[.:]?\s*\Z|\s+[-–—](?:\s|\Z)|\s+\([^\W\d_])"
#: A Latin suffix (`3bis`), but not in "Art. 5 bis 7" and "Art. I bis Art. IX - repealed": there "bis" means "to".
#: With one capital only before a sign ("Artículo 4o Bis.-"): "§ 5 Bis zum Mai" begins a sentence.
_LATIN_SUFFIX = (
    r"(?:(?![A-ZÀ-Ý][a-zß-ÿ]+(?![^\W_])(?!\s*(?:[.:–—-]|\Z)))"
    rf"(?i:{alternation(LATIN_SUFFIXES)}){_END}(?!\s(?:[^\W\d_]{{1,8}}\.?\s)?(?:\d+|[IVXLC]+){RANGE_END}))"
)
#: Marks of an ordinal number after its digits: `1º`, `1er`, `2ème`, `1st`, `1o.-A`, `54.o`, `54. o` before a capital.
ORDINAL_MARK = (
    r"(?:[oº°]\.(?=-[A-Z]{1,2}(?![^\W\d]|\s[a-z]))|\.?[º°ª]|\.o(?![^\W_])|\. o(?=\s+[A-ZÀ-Ý]|\Z)|-(?:lea|ea|a)(?![^\W\d])|"
    r"(?:er|re|ère|ere|e|ème|eme|nd|nde|st|rd|th|o|ste|de)"
    rf"(?:(?![^\W\d])|(?={_LATIN_SUFFIX})))"
)
#: Letters in which inserted provisions are counted: Latin, Greek and Cyrillic, and Hebrew and Bengali, which have no capitals.
_CAPITALS, _SMALL = "A-ZÑΑ-ΩА-Яא-תক-হ", "a-zñα-ωа-я"
#: `5¹`, `5.¹`, and `5^1` where a text has no raised digits.
_RAISED = rf"(?:\.?[{RAISED}]+|\^\d{{1,3}}(?!\d))"
#: `5bis-1`, `12-bis.2`, `12 bis A`, `III bis-0`.
_AFTER_LATIN = rf"(?:(?<=[a-z]{{2}})(?:[-.]\d{{1,3}}(?!\d)|[ -][{_CAPITALS}]{{1,2}}(?![^\W\d]|\s[{_SMALL}]))(?!\s?[.]?\s?[{_SMALL}]))"
_SUFFIX = (
    rf"(?:[ -]?{_LATIN_SUFFIX}|/?[{_CAPITALS}]{{1,3}}{_END}|-[{_CAPITALS}]{{1,2}}(?![^\W\d]|\s[{_SMALL}])"
    rf"|[{_SMALL}]{{1,2}}{_END}|\.[{_SMALL}](?![^\W\d]|\))|[{_SMALL}](?={_LATIN_SUFFIX})|{_RAISED})"
)
#: "432B.0655", "1A-1", "2C:11-3": a section in a chapter or title with a letter; "480-1-.01", "420-7A-.03": a rule of an agency.
_IN_CHAPTER = (
    r"(?:\d{1,4}-?[A-Z]{1,2}(?:[:-]\d{1,4}(?=-))?[-.:]\d{1,5}(?:\.\d{1,3})?(?![\d-]|\.\d)"
    r"|\d{1,4}(?: ?-\d{1,3}){0,3}(?:-?[A-Z]{1,2})? ?-\.\d{1,3}(?!\d))"
)
#: Sections of some codes have five figures behind the sign: "§13981."; other words with such a number are addresses and amounts.
_OF_PROVISION = r"(?:(?<=§)\d{5}(?!\d)|(?<=§\s)\d{5}(?!\d)|\d{1,4})"
#: Further parts of a number; an inserted section of a code may have five figures with zeros before them (151.00393).
_PARTS = r"(?:(?:[-–.:/]\d{1,4}|\.0\d{4})(?!\d))*"
#: A number in digits with its possible prefix, further parts and suffix.
DIGITS = (
    rf"(?:{_IN_CHAPTER}{_END}|"
    # "Article V 1. The" is article V.
    rf"(?:(?![IVX]+ )[A-Z]{{1,2}}\*?\.?[ ]?\*{{0,2}}(?=\d))?{_OF_PROVISION}{ORDINAL_MARK}?{_PARTS}(?:{_SUFFIX})?"
    rf"(?:[ -]?{_LATIN_SUFFIX}|\. {_LATIN_SUFFIX}(?=\.))?{_AFTER_LATIN}?[{RAISED}]*)"
)
ROMAN = rf"[IVXLCDM]+(?:{ORDINAL_MARK})?(?:[ -]?{_LATIN_SUFFIX}{_AFTER_LATIN}?|(?:-[A-Z]|[AB]|(?<=[IVX])[a-h])?{_END})[{RAISED}]*"
#: Roman numerals typed with Greek or Cyrillic letters of the same shape, and Greek numerals (`ΙΑ΄`); possible only after a word.
OTHER_NUMERALS = rf"[ΙΧΜІХСМIVXLC]{{1,6}}{_END}|[Α-Ω]{{1,4}}[΄´ʹ’']?{_END}"
_LATIN_SHAPES = str.maketrans("ΙΧΜІХСМ", "IXMIXCM")
#: Han numerals and figures, as they are printed between a sign and a word (`第十条`).
HAN_OR_FIGURES = rf"[{HAN_SIGNS}]{{1,9}}|\d{{1,4}}(?!\d)"
LETTER = r"[A-Z](?![^\W\d])"
#: Some programs export small capitals as small letters: "sub-part a: Lamps".
SMALL_LETTER = r"[a-z](?=\s?:)"

_READ = re.compile(
    rf"(?P<series>[A-Z]{{1,2}}(?=\*?\.?[ ]?\*{{0,2}}\d))?\*?\.?[ ]?\*{{0,2}}(?P<digits>\d+)(?P<mark>{ORDINAL_MARK})?"
    rf"(?P<more>(?:(?:-\.|[-–.:/])\d+)*)[ ./-]?(?P<suffix>(?:{_LATIN_SUFFIX}|[{_CAPITALS}{_SMALL}]{{1,3}})?)[ -]?"
    rf"(?P<latin>{_LATIN_SUFFIX}?)[ .-]?(?P<after>(?:\d{{1,3}}|[{_CAPITALS}]{{1,2}})?)(?P<raised>(?:{_RAISED}|\(\d\d?\))?)"
)
#: The full stop of "35. bis", not that of "L. 35"; the space in "480 -1-.01", which a reader of the page has added.
_ADDED_INSIDE = re.compile(rf"(?<=[\doº°])\.(?=\s{_LATIN_SUFFIX})|(?<=[\dA-Z]) (?=-(?:\d{{1,3}}[A-Z]?-)*\.\d)")
#: "0.0302": a section of a code that was inserted between two sections with three figures.
_DECIMAL_FIGURES = 3
_DECIMAL = re.compile(r"\d\.0\d{3,4}\Z")
#: Some rules give each division a hundred numbers of its own.
_HUNDRED = 100
_PART_ABOVE = r"(\d+)(-?[A-Z]{1,2}| ?[a-z]| [A-Z])?(?:-\.|[-.:])"
_READ_IN_CHAPTER = re.compile(
    rf"(?=[\d.:-]+[ -]?[A-Za-z]{{1,2}}[-.:])(?P<above>(?:{_PART_ABOVE})+)(?P<section>\d+)(?: ?(?P<suffix>[a-z]))?"
)
_READ_ROMAN = re.compile(
    rf"(?P<roman>[IVXLCDM]+)(?P<mark>{ORDINAL_MARK})?[ -]?(?P<suffix>(?:{_LATIN_SUFFIX}|[A-Z]|[a-h])?)"
    rf"[ .-]?(?P<after>(?:(?<=[a-z][ .-])(?:\d{{1,3}}|[{_CAPITALS}]{{1,2}}))?)(?P<raised>[{RAISED}]*)"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `text` as cited (without the mark of an ordinal); `series` separates numbers that do not follow each other (`L`, `R`,
    Roman, Greek, letters); `key` orders the numbers of one series: pairs of a value and the rank of its suffix."""

    text: str
    series: str
    key: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def value(self) -> int:
        return self.key[0][0]

    @property
    def place(self) -> tuple[str, tuple[tuple[int, tuple[int, ...]], ...]]:
        """The series and the key: equal for `1`, `1er` and "first"."""
        return self.series, self.key

    @property
    def is_first(self) -> bool:
        """Whether a sequence can begin with this number: 1, 1A, I, A; of several parts, the last is 1."""
        return self.key[-1][0] <= 1

    @property
    def begins_hundred(self) -> bool:
        """Whether it is the first of a division whose provisions have a hundred or a thousand numbers of their own: 101, 2001, 45.301; or
        of a chapter of a code: 707-700."""
        last = self.key[-1][0]
        return (last > _HUNDRED and last % _HUNDRED == 1) or (len(self.key) > 1 and last > 0 and last % _HUNDRED == 0)

    @property
    def is_hundred(self) -> bool:
        """Whether it is 200, 4300 or the like, with which a chapter of a code may begin."""
        return len(self.key) == 1 and self.value > _HUNDRED and self.value % _HUNDRED == 0

    def follows(self, before: Number) -> int | None:
        """Return how many numbers are missing between `before` and this one: 0 if it is the next, None if it is not after `before`."""
        if self.series != before.series or self.key <= before.key:
            return None
        depth = next(
            (index for index, (a, b) in enumerate(zip(self.key, before.key, strict=False)) if a != b),
            min(len(self.key), len(before.key)),
        )
        if depth == len(before.key):  # 12 -> 12-1; 453-2 -> 453-2.5
            return 0 if self.key[depth][0] <= 1 or depth > 1 else 1
        (value, suffix), (old, old_suffix) = self.key[depth], before.key[depth]
        if value != old:
            # 49 follows the range 43–48, which has the same key as the number 43-48, which 44 follows.
            last = before.key[1][0] if len(before.key) == 2 and depth == 0 else 0
            return 0 if value == last + 1 and last > old else value - old - 1
        return 0 if len(suffix) >= len(old_suffix) or suffix[-1] == old_suffix[len(suffix) - 1] + 1 else 1


#: The number of what has none.
UNNUMBERED = Number("", "", ((0, ()),))


def _decimal(figures: str) -> tuple[int, tuple[int, ...]]:
    """Return value and suffix of the last part of a section of a code: .0655 is between .065 and .066."""
    return int(figures[:_DECIMAL_FIGURES]), tuple(map(int, figures[_DECIMAL_FIGURES:]))


def decimal_number(number: Number) -> Number:
    """Return a number of several parts with its last part as a decimal behind three figures: 151.1551 is between 151.155 and 151.156."""
    value, suffix = number.key[-1]
    section, further = _decimal(str(value))
    return dataclasses.replace(number, key=(*number.key[:-1], (section, further + suffix)))


@functools.lru_cache(maxsize=8192)
def read_number(text: str) -> Number | None:
    """Return the number in `text`, None if it is not a number. Numbers in words need a language (`words.Words.number`).

    >>> read_number("2 a").key, read_number("IV").series, read_number("1º").text
    (((2, (1,)),), 'roman', '1')
    """
    text = _ADDED_INSIDE.sub("", ascii_figures(text.strip().rstrip(".")))
    if match := _READ_ROMAN.fullmatch(text.translate(_LATIN_SHAPES)):
        roman = roman_value(match["roman"].lower())
        if roman is not None:
            shown = text.replace(match["mark"] or "", "", 1)
            return Number(shown, "roman", ((roman, _ranks(match["suffix"], match["after"], match["raised"])),))
    if match := _READ_IN_CHAPTER.fullmatch(text):
        above = [
            (int(part), _suffix_rank(letters.strip(" -"))) for part, letters in re.findall(_PART_ABOVE, match["above"])
        ]
        section, further = _decimal(match["section"])
        return Number(text, "", (*above, (section, further + _suffix_rank(match["suffix"] or ""))))
    if match := _READ.fullmatch(text):
        # Article 12e follows 12d: the letter is a suffix, although it also marks an ordinal ("2e").
        letter = "e" if match["mark"] == "e" else ""
        suffix = _ranks(letter, match["suffix"], match["latin"], match["after"], match["raised"])
        more = [int(part) for part in re.split(r"[-–.:/]", match["more"]) if part]
        values = [int(match["digits"]), *more]
        key = tuple((value, suffix if index == len(values) - 1 else ()) for index, value in enumerate(values))
        if _DECIMAL.search(text):
            key = (*key[:-1], _decimal(text.rpartition(".")[2]))
        mark = match["mark"] or ""
        shown = text.replace(mark, "", 1) if mark.rstrip(".")[-1:] in ("º", "°", "ª", "o") else text
        return Number(shown, match["series"] or "", key)
    if (han := han_value(text)) is not None:
        return Number(str(han), "", ((han, ()),))
    if greek := greek_value(text.rstrip("΄´ʹ’'").lower()):
        return Number(text, "greek", ((greek, ()),))
    return read_letter(text)


def inserted_number(parts: Sequence[str]) -> Number | None:
    """Return the number of a provision that is counted in parts: the first is that of the provision it was inserted behind.

    >>> inserted_number(("十", "二")).text, inserted_number(("3",)).key
    ('10-2', ((3, ()),))
    """
    values = [han_value(part) if part[:1] in HAN_SIGNS else int(part) for part in parts]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    return Number("-".join(map(str, known)), "", ((known[0], tuple(known[1:])),))


def range_number(text: str, first: Number | None, last: Number | None) -> Number | None:
    """Return the number of the provisions from `first` to `last`, printed as `text`; None unless `last` is higher in the series."""
    if first is None or last is None or first.series != last.series or last.key <= first.key:
        return None
    return Number(text, first.series, (first.key[0], last.key[0]))


def folded(word: str) -> str:
    """Return `word` for comparison without regard to case; the Turkish "İ" becomes "i" without a second dot."""
    return word.casefold().replace("i\u0307", "i")


def lowered(figures: str) -> int:
    """Return the value of `figures`, raised digits or normal ones."""
    return int(figures.translate(LOWERED))


def read_letter(text: str) -> Number | None:
    """Return the number of a single letter, also if it could be a Roman numeral (C, I); None for any other text."""
    if len(text) == 1 and text.isascii() and text.isalpha():
        return Number(text, "letter", ((ord(text.upper()) - 64, ()),))
    return None


def _ranks(*suffixes: str) -> tuple[int, ...]:
    return tuple(rank for suffix in suffixes for rank in _suffix_rank(suffix))


def _suffix_rank(suffix: str) -> tuple[int, ...]:
    if not suffix:
        return ()
    lower = suffix.lower()
    if lower in LATIN_SUFFIXES:
        return (LATIN_SUFFIXES[lower],)
    if (figures := suffix.strip(".^()")).isdigit():
        return (lowered(figures),)
    # "Ñ" is between N and O
    letters = lower.replace("ñ", "nz")
    return tuple(next(ord(letter) - ord(first) + 1 for first in "কאаαa" if letter >= first) for letter in letters)
