"""Compiles the words by which a language names articles, sections and divisions (`[provisions]` of its data).

Not here: reading blocks that begin with such a word (`recogniser.labels`).
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from legal_pipeline.languages.language import known_languages, language, lower_without_accents
from legal_pipeline.numbering.styles import SIGN
from legal_pipeline.parsing.recogniser.numbers import (
    DIGITS,
    HAN_OR_FIGURES,
    LETTER,
    OTHER_NUMERALS,
    RANGE_END,
    ROMAN,
    SMALL_LETTER,
    Number,
    folded,
    read_number,
)
from legal_pipeline.text.alternation import NEVER, alternation
from legal_pipeline.text.deferred_pattern import DeferredPattern
from legal_pipeline.text.markup import RAISED

#: Kinds of provisions.
PROVISION_KINDS = ("article", "section")
#: Kinds of divisions in their usual order, outermost first. A word that names several kinds names the first of these.
DIVISION_KINDS = ("book", "part", "division", "title", "chapter", "subdivision")
#: Kinds that end every division before them, at any level.
CLOSING_KINDS = ("schedule", "annex")
#: Kinds inside a provision: their labels are neither provisions nor divisions.
_INNER_KINDS = ("paragraph",)
#: Kinds that running text refers to by number.
_CITED_KINDS = ("article", "section", "paragraph", "subdivision")
_KINDS = (*PROVISION_KINDS, *DIVISION_KINDS, *CLOSING_KINDS, *_INNER_KINDS)
#: A word that a reference to several provisions does not have between them.
_WORDS_BESIDE = re.compile(r"[^\W\d_]{4,}")
#: Maximum length of the heading of an annex that names what the annex belongs to, in characters.
_ANNEXED_CHARS = 200
_SENTENCE_ENDS = re.compile(r"[.;:,]\Z|[.;:]\s[^\W\d_a-z]{1,2}[a-z]{3,}")
#: "Part-1", "CHAPTER – IV": a dash between a word and its number.
_DASHED = r"\s?[-–—]\s?(?=(?:\d{1,3}|[IVXLC]{1,7})[A-Z]?(?![\w-]))"
#: "Art. 23710" is 237¹⁰ in a text that has lost its raised digits.
_LOST_RAISED = r"\d{5}[a-z]?(?!\w)|"
#: "č. 212/2031 Sb.": the abbreviated name of a collection of laws behind a number.
_NUMBERED_ACT = re.compile(r"(?<=\d)(?:\s[^\W\d_]{1,4}\.){1,2}\Z")
#: "第 4-1 條": the number of an inserted article, before its word.
_INSERTED_BY_DASH = r"(?:[-－]\d{1,3})?"
_FIGURES_AND_WORD = re.compile(r"(\d+)\s?(\D+)")
#: What is before and behind a number that may be in brackets, perhaps with the mark of a note behind it: "مادة (٤)(١):".
_BRACKETED_NUMBER = (r"(?P<open>[(]\s?)?", r"(?(open)\s?[)](?:[(]\d{1,2}[)](?=\s*(?:[:.–-]|\Z)))?)")
#: The mark of a note behind the number of an inserted division: "Rozdział 2a4)".
_GLUED_MARK = r"(?:(?<=\d[a-z])\d{1,2}\)(?=\s*\Z))?"


class Words:
    """The compiled words of a language. Fields with a pattern match:

    - `before`, `behind`: a label whose word is before or after the number; `first` and `last` are the numbers of "5 och 6 §§".
    - `around`: a label with a sign before the number and the word behind it, in languages that print labels so ("第十条の二"). `more` has
      the numbers of an inserted provision, `last` that of a range; `continued` matches where a sentence continues.
    - `transitional`: words and number of a heading of transitional provisions, and the `sign` after them.
    - `closing`: a schedule without a number. `protocol`: words and number of a protocol to a treaty. `index`: the heading of an index.
    - `joined`: after a number, a second one that ends the label ("86 and 87"). `joins`: one that more may follow.
    - `references`: a reference to a provision. `continues`: words with which a reference continues.
    - `in_code`: the label of a section in a code or a chapter of one ("165.002", "NRS 432B.010", "1.04.010").
    - `announces`: the end of a provision below which a new wording of another law follows without quotation marks. `inserts`: the end of
      such a line in an item of an amending schedule.
    - `annexed`: words behind the number of an annex that name what it belongs to ("k vyhlášce č. 2").
    - `heading_label`: what a publisher prints before each heading.
    - `history`: the beginning of a publisher's notes on amendments ("Section 4: amended, on 1 July 2031, by …").
    - `explanation`: the heading of an explanation below the law, whose headings repeat the labels of the provisions.
    - `amending`: the words above the closing provisions of the acts that amended a law.
    - `unnumbered`: headings of divisions that have no number.

    The others hold:

    - `kinds`: the kinds of each word in lower case. `numbering`: the drafting style of lists (`numbering.styles`).
    - `ordinals`: the values of ordinals in words, with and without accents; 0 for a word in the place of a number.
    - `number_first`: kinds whose number precedes their word. `also`: words that name a provision only if no sentence continues behind the
      number.
    - `letters_apart`: whether a small letter behind a space belongs to the number of an article ("Art. 15 a").
    - `raised_sign`: for laws that raise the digits of inserted provisions (67¹): the sign that people write before these digits (67.1), ""
      if none. None for all other laws.
    - `schedule_paragraphs`: whether the numbers in a schedule are paragraphs, which are cited ("Sch. 1 para. 5").
    - `lead`: what may be before the number of a schedule ("THE FIRST SCHEDULE").
    - `set_apart`: words of articles that have numbers of their own anywhere in the law, with what is cited before these numbers.
    - `suffixes`: words behind the numbers of inserted provisions, as "bis" in other languages, with their ranks from 2 on.
    """

    def __init__(self, code: str) -> None:
        table = _table(code) or _table("eng")
        kinds = self.kinds = _kinds(table)
        known = language(code if _table(code) else "eng")
        spelled, cardinals = known.all_ordinals, known.cardinals
        self.language = code
        ordinals = self.ordinals = (
            _folded(cardinals) | _folded(spelled) | {folded(word): 0 for word in _spellings(table.get("named", ()))}
        )
        names = _any_of(kinds)
        ordinal = _any_of([*ordinals, *spelled])  # "Dreißigster" and "DREISSIGSTER"
        counted = rf"(?:{_any_of([*cardinals, *_folded(cardinals)]) or '(?!)'})(?![^\W\d])"
        raised = _LOST_RAISED if "raised_sign" in table else ""
        number = rf"{raised}{DIGITS}|{ROMAN}|{LETTER}" + (rf"|(?:{ordinal})(?![^\W\d])" if ordinal else "")
        # In `§ 2 a`, `§ 4-7 a`, `§ 8 A.` and `§ 8 A-1 a` the letter belongs to the number; in `Article 2 a` it may begin a list.
        ends, in_chapter = r"(?=\.(?:\s|$))", r"(?: ?[A-Z]| [a-z])-\d{1,3}"
        small = r" [a-z](?=\s*(?:[.:–—]|$|\s[^\W\d_]))(?![.:]?\))"
        lettered = rf"(?<=§ )\d{{1,4}}(?:{in_chapter}(?:{small}|{ends})|(?:[-–]\d{{1,4}})?(?:{small}| [A-Z]{ends}))"
        sign = re.escape(table.get("number_prefix", ""))
        if sign:  # such languages print a word and its number without a space: "附件二", "別表第一"
            number = rf"(?:{HAN_OR_FIGURES})(?![^\W\d])|{number}"
        called = "|".join(part for part in (_any_of(table.get("number_words", ())), sign) if part) or "(?!)"
        ends_word = "" if sign else r"(?![^\W\d])"
        called = rf"(?:(?:{called}){ends_word}\.?\s*|(?:n[or]?[.º°]|№)\s*)"
        suffixes = self.suffixes = {
            folded(form): rank for rank, forms in enumerate(table.get("suffixes", ()), 2) for form in forms
        }
        suffixed = rf"\d{{1,4}}\s?(?:{_any_of(suffixes)})(?![^\W\d])|" if suffixes else ""
        opens, closes = _BRACKETED_NUMBER if table.get("bracketed_numbers") else ("", "")
        self.before = re.compile(
            rf"(?P<word>{names}){_apart(table)}(?:{called}|a\s+(?=\d))?{opens}"
            rf"(?P<num>{suffixed}{lettered}|{number}|{counted}|{SMALL_LETTER}|{OTHER_NUMERALS}){closes}{_GLUED_MARK}"
        )
        joins = "|".join(map(re.escape, table.get("joins", ()))) or "(?!)"
        pair = rf"(?P<first>\d{{1,4}}(?:\s[a-z])?)\s(?:{joins})\s(?P<last>\d{{1,4}}(?:\s[a-z])?)(?=\s?{SIGN}{SIGN})"
        self.behind = re.compile(
            rf"(?P<num>{pair}|\d+\s[a-z](?=\.?\s)|\d+\(\d\d?\)|{number})(?P<dot>[.)]?)\s*{called}?"
            rf"(?P<word>{names})(?![^\W\d{RAISED}]|\.[^\W\d_])"
        )
        another = rf"\s+(?:{joins})\s+(?:(?:{names})\.?\s+)?(?P<num>{DIGITS}|{ROMAN})"
        transitional = _any_of(_spellings(table.get("transitional", ()))) or "(?!)"
        ends = _any_of(name for name in kinds if any(kind in CLOSING_KINDS for kind in kinds[name]))
        annexed = "|".join(table.get("annexed", ())) or "(?!)"
        self.annexed = re.compile(annexed)
        self.closing = re.compile(
            rf"(?P<word>{ends or '(?!)'})(?=\s*[.:]?\s*$|\s*[.:–—(\[-]|\s+[^\W\d_a-z]|\s+(?:{annexed}))"
        )
        protocol = _any_of(_spellings(table.get("protocol", ()))) or "(?!)"
        cited = _any_of(name for name in kinds if any(kind in _CITED_KINDS for kind in kinds[name]))
        #: `recogniser.recognise` sets it for the text that it reads.
        self.in_code: re.Pattern[str] | None = None
        self.around = _around(table, names) if sign else None
        self.begins_transitional = re.compile(transitional)
        self.transitional = DeferredPattern(rf"(?:{transitional})(?:\s+(?P<num>{number}))?(?P<sign>[\s.:–—-]*)")
        self.protocol = DeferredPattern(
            rf"(?:(?P<ordinal>{ordinal or '(?!)'})\s+)?(?:{protocol})"
            rf"(?:\s+(?:{called})?(?P<num>{DIGITS}|{ROMAN}))?(?![^\W_])"
        )
        self.index = re.compile(_any_of(_spellings(table.get("index", ()))) or "(?!)")
        self.joined, self.joins = DeferredPattern(rf"{another}{RANGE_END}"), DeferredPattern(another)
        self.references = re.compile(rf"(?<![^\W\d_])(?:{cited})\.?\s?\(?\d")
        self.continues = re.compile(rf"(?:{'|'.join(map(re.escape, table.get('continues', ()))) or '(?!)'})(?!\w)")
        self.unnumbered = re.compile(_any_of(table.get("unnumbered", ())) or "(?!)")
        self.announces, self.inserts, self.heading_label = (
            re.compile(table.get(key, NEVER)) for key in ("announces", "inserts", "heading_label")
        )
        self.history = re.compile(table.get("history", NEVER), re.IGNORECASE)
        self.explanation, self.amending = (
            re.compile("|".join(table.get(key, ())) or NEVER, re.IGNORECASE) for key in ("explanation", "amending")
        )
        self.numbering: str = table.get("numbering", "civil_law")
        self.also = frozenset(_spellings(table.get("also_section", ())))
        self.number_first: frozenset[str] = frozenset(table.get("number_first", ()))
        self.letters_apart: bool = table.get("letters_apart", False)
        self.raised_sign: str | None = table.get("raised_sign")
        self.schedule_paragraphs: bool = table.get("schedule_paragraphs", False)
        self.lead: str = table.get("lead", "")
        self.set_apart = {
            folded(form): shown for shown, forms in table.get("set_apart", {}).items() for form in _spellings(forms)
        }

    def is_reference(self, text: str) -> bool:
        """Whether `text` is only a reference to provisions, as below the heading of a schedule: "Regulation 3(2)", "[sections 4 and 5]"."""
        bare = text.strip(" ()[]")
        match = self.references.match(bare)
        return match is not None and not _WORDS_BESIDE.search(bare, match.end())

    def says_where_annexed(self, text: str, end: int) -> bool:
        """Whether `text`, behind the label of an annex that ends at `end`, only names what the annex belongs to, and is no sentence."""
        start = end + text.startswith(("(", "["), end)
        if len(text) > _ANNEXED_CHARS or self.annexed.match(text, start) is None:
            return False
        return _SENTENCE_ENDS.search(_NUMBERED_ACT.sub("", text)) is None

    def number(self, text: str) -> Number | None:
        """Return the number in `text`, in figures, Roman numerals ("Ier" is Roman I) or words; None if it is not a number.

        >>> words_of("deu").number("Einundzwanzigster").text, words_of("fra").number("Ier").series
        ('21', 'roman')
        """
        parts = _FIGURES_AND_WORD.fullmatch(text.strip()) if self.suffixes else None
        if parts and (rank := self.suffixes.get(folded(parts[2]))) and (inserted := read_number(parts[1])):
            return dataclasses.replace(inserted, text=f"{inserted.text} {parts[2]}", key=((inserted.value, (rank,)),))
        number = read_number(text)
        if number is not None and number.series == "roman":
            return number
        word = text.strip().rstrip(".")
        value = self.ordinal(word)
        return number if value is None else Number(str(value) if value else word, "", ((value, ()),))

    def ordinal(self, word: str) -> int | None:
        """Return the value of an ordinal in words, also of one that lacks some of its accents: "VIGESIMOSÉPTIMA"."""
        return self.ordinals.get(folded(word), self.ordinals.get(lower_without_accents(word)))

    def kinds_of(self, word: str) -> tuple[str, ...]:
        return self.kinds.get(folded(word).rstrip("."), ())


@functools.cache
def words_of(code: str) -> Words:
    """Return the words of the language `code` (ISO 639-3); those of English if the language has none."""
    return Words(code)


@functools.cache
def patterns(code: str, section: str, key: str) -> re.Pattern[str]:
    """Return the patterns under `key` in a section of a language's data as one, without case; it matches nothing if there are none."""
    return re.compile("|".join(language(code).section(section).get(key, ())) or NEVER, re.IGNORECASE)


def _apart(table: Mapping[str, Any]) -> str:
    """Return the pattern of what is between a word and its number."""
    if table.get("number_prefix"):
        return r"\s*"
    # "s. I" may be a label, "S.I." and "R.S.O." are not
    apart = rf"(?:(?<!\b\w)\.\s*|\.(?:\s+|(?=\d))|{_DASHED}|\s+|(?<=§))"
    return rf"(?:{apart}|(?={_any_of(table['number_words'])}))" if table.get("glued") else apart


@functools.cache
def provision_names(code: str) -> tuple[str, ...]:
    """Return the words of `kinds` in `words_of(code)` that name provisions."""
    kinds = _kinds(_table(code) or _table("eng"))
    return tuple(name for name, named in kinds.items() if not set(named).isdisjoint(PROVISION_KINDS))


def _kinds(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the kinds of each word in lower case, with and without accents."""
    kinds: dict[str, tuple[str, ...]] = {}
    for kind in _KINDS:
        listed = [*table.get(kind, ()), *table.get(f"also_{kind}", ())]
        if kind == "article":
            listed += [word for forms in table.get("set_apart", {}).values() for word in forms]
        for name in _spellings(word.casefold().rstrip(".") for word in listed):
            kinds[name] = (*kinds.get(name, ()), kind)
    kinds.setdefault(SIGN, ("section",))
    return kinds


def _around(table: Mapping[str, Any], names: str) -> re.Pattern[str]:
    """Return the pattern of a label between a sign and a word: "第十条", "第十条の二", "第四条から第六条まで"."""
    sign, inserted = re.escape(table["number_prefix"]), "|".join(map(re.escape, table.get("inserted", ()))) or "(?!)"
    more = rf"(?:\s?(?:{inserted})\s?(?:{HAN_OR_FIGURES}))"
    joins = "|".join(map(re.escape, table.get("joins", ()))) or "(?!)"
    ends = "|".join(map(re.escape, table.get("range_ends", ()))) or "(?!)"
    last = rf"(?:\s?(?:{joins})\s?{sign}\s?(?P<last>(?:{HAN_OR_FIGURES})\s?(?P=word){more}*)(?:{ends})?(?=\s|\Z))?"
    return re.compile(
        rf"{sign}\s?(?P<num>(?:{HAN_OR_FIGURES}){_INSERTED_BY_DASH})\s?(?P<word>{names})(?P<more>{more}*){last}(?P<continued>(?={_goes_on(table)}))?"
    )


def _goes_on(table: Mapping[str, Any]) -> str:
    """Return the pattern of what shows that a number between a sign and a word is a reference: certain words, or another sign.

    They must follow without a space: a provision may begin with such a word or with a reference ("第二条　中华人民共和国境内",
    "第五条　第三条の規定に違反した者は")."""
    sign = table["number_prefix"]
    words = "|".join(re.escape(word) for word in table.get("continues", ()) if word != sign) or "(?!)"
    return rf"(?:{words})" + (rf"|{re.escape(sign)}" if sign in table.get("continues", ()) else "")


def begins_with_number_and_word(line: str) -> bool:
    """Whether `line` begins with a number and a word of any language that prints the number first ("5. pants"), as a label does.

    A quotation mark may precede it. A small letter after the word continues a sentence: "5. panta otrajā daļā".
    """
    match = _number_first().match(line)
    return match is not None and not line[match.end() :].lstrip()[:1].islower()


@functools.cache
def _number_first() -> re.Pattern[str]:
    tables = [table for table in map(_table, known_languages()) if "number_first" in table]
    named = {word.rstrip(".") for table in tables for kind in table["number_first"] for word in table.get(kind, ())}
    ordinals = {word for table in tables for forms in table.get("ordinals", ()) for word in forms}
    names, spelled = (_any_of(_spellings(words)) for words in (named, ordinals))
    number = rf"{DIGITS}(?:\(\d\d?\))?\.?|{ROMAN}\.?|(?:{spelled})(?=\s)"
    return re.compile(rf"\s*[„“”«»\"]?\s?(?:{number})\s?(?:{SIGN}|(?:{names})(?![^\W\d])\.?)")


@functools.cache
def provision_alone() -> re.Pattern[str]:
    """Return the pattern of a line that is a provision's label in any language, a word with a capital and a number: "Art. 2"."""
    return re.compile(rf"\s*(?:{_provision_names()})\.?\s{DIGITS}\s*")


@functools.cache
def division_alone() -> re.Pattern[str]:
    """Return the pattern of a line that is a division's label in any language, a word and a number: "PART 2"."""
    listed = (word for code in known_languages() for kind in DIVISION_KINDS for word in _table(code).get(kind, ()))
    return re.compile(rf"(?:{_any_of(_spellings(word.rstrip('.') for word in listed))})\.?\s(?:{DIGITS}|{ROMAN})")


@functools.cache
def label_between() -> re.Pattern[str]:
    """Return the pattern of a label with a sign before the number and a word behind it, "第十条の二", with which no sentence continues."""
    found = []
    for table in map(_table, known_languages()):
        if "number_prefix" in table:
            named = [word for kind in _KINDS if kind not in _INNER_KINDS for word in table.get(kind, ())]
            sign, names, inserted = (
                "|".join(map(re.escape, listed)) or "(?!)"
                for listed in ([table["number_prefix"]], named, table.get("inserted", ()))
            )
            closing = "|".join(re.escape(word) for kind in CLOSING_KINDS for word in table.get(kind, ()))
            number = rf"\s?(?:{HAN_OR_FIGURES})"
            found.append(
                rf"{sign}{number}{_INSERTED_BY_DASH}\s?(?:{names})(?:\s?(?:{inserted}){number})*(?!{_goes_on(table)})\s*"
            )
            found.append(rf"(?:{closing})\s?(?:{sign})?{number}\s*\Z")
    return re.compile(rf"\s*(?:{'|'.join(found)})")


def heads_annex(line: str) -> bool:
    """Whether `line` begins as the heading of an annex that names what it belongs to, in any language."""
    named, codes = _annex_names()
    match = named.match(line)
    if match is None:
        return False
    return any(_annexed_to(code).match(line, match.end()) for code in codes.get(folded(match["name"]), ()))


@functools.cache
def _annex_names() -> tuple[re.Pattern[str], Mapping[str, Sequence[str]]]:
    """Return the pattern of the word for an annex in any language, and the languages of each word."""
    codes: dict[str, list[str]] = {}
    for code in known_languages():
        if "annexed" in _table(code):
            listed = (word.casefold().rstrip(".") for kind in CLOSING_KINDS for word in _table(code).get(kind, ()))
            for name in _spellings(listed):
                codes.setdefault(name, []).append(code)
    return re.compile(rf"\s*(?:{DIGITS}\.?\s)?(?P<name>{_any_of(codes)})(?=\.?\s)"), codes


@functools.cache
def _annexed_to(code: str) -> re.Pattern[str]:
    """Return the pattern of what follows the word for an annex in its heading: a number, and what the annex belongs to."""
    table = _table(code)
    called = "|".join(filter(None, (_any_of(table.get("number_words", ())), "n[or]?[.º°]?", "№")))
    number = rf"(?:(?:(?:{called})\.?\s?)?(?:{DIGITS}|[IVXLC]{{1,6}}|[A-Z])\s)?"
    return re.compile(rf"\.?\s{number}(?:{'|'.join(table['annexed'])})")


def begins_with_spelled_label(line: str) -> bool:
    """Whether `line` begins with a provision's label whose number is a word, in any language: "Artículo primero.-", "vigésimo primero"."""
    match = _spelled_label().match(line)
    if match is None:
        return False
    spelled = _spelled_numbers()
    words = folded(match["words"])
    # an ordinal may have a hyphen: "Vint-i-unena."
    for number in dict.fromkeys((words, words.partition("-")[0])):
        first, _, second = " ".join(number.split()).partition(" ")
        if f"{first} {second}".strip() in spelled or (first in spelled and second in spelled):
            return True
    return False


@functools.cache
def _spelled_label() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{_provision_names()})\.?\s(?P<words>[^\d.:–—]{{1,80}})(?:[.:–—]|\Z)")


@functools.cache
def _spelled_numbers() -> frozenset[str]:
    listed = (_table(code).get(key, ()) for code in known_languages() for key in ("ordinals", "ordinal_tens"))
    return frozenset(folded(form) for numbers in listed for forms in numbers for form in _spellings(forms))


def _provision_names() -> str:
    listed = (word for code in known_languages() for kind in PROVISION_KINDS for word in _table(code).get(kind, ()))
    forms = _spellings(word.rstrip(".") for word in listed)
    names = {form for word in forms for form in (word.capitalize(), word.upper())}
    return alternation(names)


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of `words` in upper and lower case; numbers beside them keep their case (`Part I`, not `part i`).

    Only the letters behind the first ignore case by a flag: `re` skips an alternative whose first letter, as a set of letters, is another.
    """
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(_either_case(word[0]), []).append(word[1:])
    found = [f"{first}(?i:{alternation(rest, _small_letter)})" for first, rest in sorted(by_first.items())]
    return f"(?:{'|'.join(found)})" if found else ""


def _either_case(letter: str) -> str:
    if letter == "i":
        return "[iIİ]"  # the capital of the Turkish "i" has a dot
    if letter.isalpha() and len(letter.upper()) == 1 and letter.lower() != letter.upper():
        return f"[{re.escape(letter.lower())}{re.escape(letter.upper())}]"
    return re.escape(letter)


def _small_letter(letter: str) -> str:
    return {"i": "[iİ]", " ": r"\s+"}.get(letter) or re.escape(letter.lower())


def _folded(ordinals: Mapping[str, int]) -> dict[str, int]:
    """Return `ordinals` as texts are compared: each word folded, with and without accents."""
    return {folded(form): value for word, value in ordinals.items() for form in (lower_without_accents(word), word)}


def _spellings(words: Iterable[str]) -> list[str]:
    """Return each of `words` with and without accents, because capitals are often printed without them."""
    return list(dict.fromkeys(form for word in words for form in (word, lower_without_accents(word))))


def _table(code: str) -> Mapping[str, Any]:
    return language(code).section("provisions")
