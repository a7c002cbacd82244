"""A query in the shortest form, the name of an act and numbers, as the citation of running text that it stands for: `burlg 7 abs 3` as
`§ 7 abs. 3 BUrlG`, `c civ 1240` as `article 1240 C. civ.`, `gdpr 6 1 f` as `Article 6(1)(f) GDPR`.

Such a query leaves out capitals, full stops and the word for the provision; the name may be before, behind or between the numbers. The
words for provisions and levels are those of the country's data, and the `citations.queries.levels` of a country whose grammar is code. Not
here: queries with other words, which `retrieval.query_form` reads.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.citations import Reference, find
from legal_pipeline.citations.levels import spelled
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.languages.language import lower_without_accents
from legal_pipeline.numbering.numerals import roman_value
from legal_pipeline.retrieval.act_names import NAMES, has_ending_of_act, named_works
from legal_pipeline.retrieval.query_form import USES_OF_WORDS, as_written, rows_with_words

#: A longer query is a sentence.
_MOST_WORDS = 14
#: A number with the letters, levels and signs that people write to it: "L1235-3", "6:2a", "203(b)(1)", "5°", "vi.45".
_NUMBER = re.compile(r"(?:[lrda]\.?|[ivx]{1,5}\.)?\d[\w.:/-]*[°º]?(?:\(\w{1,4}\))*", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
#: A level without a word for it: "f", "(b)", "iv", "§".
_LEVEL = re.compile(r"\(\w{1,4}\)|[ivx]{1,4}|i[a-f]|[a-zæøå]\)?|§{1,2}", re.IGNORECASE)
_BARE_LEVEL = re.compile(r"\(?(\d{1,2}[a-z]?|i[a-f]|[ivx]{1,4}|[a-z])\)?", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
#: The book before the number of an article: "vi.45".
_NUMERAL_OF_BOOK = re.compile(r"^[ivx]{1,5}(?=\.\d)")
_LETTER = re.compile(r"[A-Za-z]")
_SIGN = "§"
#: Where a word for a level and its number are written together: "abs3", "s34", "1st".
_WORD_AND_NUMBER = re.compile(r"(?<![\w.])(?P<word>[^\W\d_]+|§)(?=\d)|(?<=\d)(?P<behind>[^\W\d_]{2,}|§)")
#: Where a name and a number are written together: "äb7:1", "8asylg".
_NAME_AND_NUMBER = re.compile(r"(?<!\w)(?P<name>[^\W\d_]{2,})(?=\d)|(?<=\d)(?P<behind>[^\W\d_]{2,})(?!\w)")
#: The space between two levels without words: "II 1°".
_BETWEEN_LEVELS = re.compile(r"(?<=[\dIVX°]) (?=\d)|(?<=\d) (?=[^\W\d])|(?<=°) (?=\w)")
_NUMBER_OR_LETTER = re.compile(r"\d+|\b(?:[^\W\d_]|[ivx]{2,4})\b", re.IGNORECASE)
_NOT_LETTERS = re.compile(r"(?:[^\w§]|_)+")


def is_read(text: str, found: Sequence[Reference], country: Jurisdiction) -> bool:
    """Whether `text` need not be read as a short form: it is too long for one, or the grammar already read it completely.

    The grammar read it completely if `found` has a provision, a known work is named, and no number or single letter is outside these."""
    if len(text.split()) > _MOST_WORDS:
        return True
    named = named_works(text, country)
    spans = [*((cited.start, cited.end) for cited in found), *((name.start, name.end) for name in named)]
    return (
        any(cited.kind == "provision" for cited in found)
        and (bool(named) or any(cited.work_uri for cited in found))
        and all(any(start <= part.start() < end for start, end in spans) for part in _NUMBER_OR_LETTER.finditer(text))
    )


def citation_in_full(query: str, country: Jurisdiction) -> tuple[str, Sequence[Reference]] | None:
    """Return `query` as a citation in a text of `country`, and what the country's grammar finds in it.

    None unless the query is the name of an act in the country's data, the number of a provision and perhaps levels, in any order, and the
    grammar reads all of it."""
    if not _DIGIT.search(query) or len(query.split()) > _MOST_WORDS:
        return None
    for form in (*_in_full(query, country), *_with_brackets(query)):
        text = as_written(form, country)
        found = find(text, country, in_query=True)
        if any(_is_whole(citation, text) and citation.work_uri for citation in found):
            return text, found
    return _of_unknown_act(query, country)


def _is_whole(citation: Reference, text: str) -> bool:
    return citation.kind == "provision" and citation.start <= 1 and not text[citation.end :].strip(" .")


def _in_full(query: str, country: Jurisdiction) -> Iterator[str]:
    """Yield citations of a known act that `query` may stand for, the most likely first."""
    names = _names(country)
    apart = functools.partial(_apart, names)
    words = _NAME_AND_NUMBER.sub(apart, query.replace(",", " ")).split()
    never = country.section("citations").get("queries", {}).get("no_short_form")
    if not names or (never and re.search(never, query, re.IGNORECASE)):
        return
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            uris = names.get(_key(" ".join(words[start : start + length])), ())
            if uris and (parts := _parts([*words[:start], *words[start + length :]], country)):
                works = [country.section("works")[uri] for uri in uris]
                yield from (citation for work in works for citation in _citations(parts, country, work))
                return


def _of_unknown_act(query: str, country: Jurisdiction) -> tuple[str, Sequence[Reference]] | None:
    """Return the citation in full of a query with an unknown name that ends as names of acts do: "aftaleloven 36 stk 1"."""
    words = query.replace(",", " ").split()
    if not has_ending_of_act(query, country):
        return None
    other = [at for at, word in enumerate(words) if not _parts([word, "1"], country)]
    undated = [at for at in other if not _YEAR.fullmatch(words[at])]
    if not undated:
        return None
    start, end = other[0], other[-1] + 1
    beside = words[undated[-1 if end < len(words) else 0]]
    name, parts = " ".join(words[start:end]), _parts([*words[:start], *words[end:]], country)
    if not parts or not _NUMBER.fullmatch(parts[0]) or not has_ending_of_act(beside, country):
        return None
    for provision in _provisions(parts, country, {}):
        text = as_written(f"{provision} {name}", country)
        found = find(text, country, in_query=True)
        if any(_is_whole(citation, text.removesuffix(name)) for citation in found):
            return text, found
    return None


def _parts(words: Sequence[str], country: Jurisdiction) -> list[str]:
    """Return the number, the levels and their words in `words`, as the country's data have the words; empty if there is something else."""
    known = _words(country)
    apart = functools.partial(_apart, known)
    parts = [part for word in words for part in _WORD_AND_NUMBER.sub(apart, word).split()]
    number = next((part for part in parts if _NUMBER.fullmatch(part)), "")
    main = _main_form(country, {})
    # a sign that is the word for provisions is before the number; elsewhere it is behind it, or a level
    is_odd_sign = _SIGN in parts and (parts[0] == _SIGN) != (_SIGN in main.get("before", ()))
    if not number or _YEAR.fullmatch(number) or is_odd_sign:
        return []
    if not all(_NUMBER.fullmatch(part) or _LEVEL.fullmatch(part) or _key(part) in known for part in parts):
        return []
    return [_as_in_data(part, behind, known) for part, behind in zip(parts, [*parts[1:], ""], strict=True)]


def _as_in_data(part: str, behind: str, known: Mapping[str, str]) -> str:
    """Return a word as the data have it; a letter is a word only before a number."""
    is_word = len(part) > 1 or behind[:1].isdigit()
    return known.get(_key(part), part) if is_word and _key(part) else part


def _apart(known: Container[str], match: re.Match[str]) -> str:
    written = match.group()
    return (f" {written} " if match["behind"] else f"{written} ") if _key(written) in known else written


def _main_form(country: Jurisdiction, work: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of the kind of provision that a number beside the name of `work` is."""
    provisions: Mapping[str, Mapping[str, Any]] = country.section("provisions")
    return provisions.get(str(work.get("provision"))) or next(iter(provisions.values()), {"cite": "{number}"})


def _citations(parts: Sequence[str], country: Jurisdiction, work: Mapping[str, Any]) -> Iterator[str]:
    """Yield the citations of the provision `parts` of `work`, by its abbreviation and by its name."""
    names = [work[use][0] for use in NAMES if work.get(use)]
    for provision in _provisions(parts, country, work):
        yield from (citation for name in names for citation in (f"{provision} {name}", f"{name} {provision}"))


def _provisions(parts: Sequence[str], country: Jurisdiction, work: Mapping[str, Any]) -> Iterator[str]:
    """Yield `parts` as a provision of `work` in a text, the most likely first."""
    form = _main_form(country, work)
    written = str(form.get("spelled", form["cite"]))
    at = next(index for index, part in enumerate(parts) if _NUMBER.fullmatch(part))
    number = _NUMERAL_OF_BOOK.sub(lambda numeral: numeral.group().upper(), parts[at])
    levels = list(parts[at + 1 :])

    def first(number: str) -> list[str]:
        return [*parts[:at], number] if at else [written.format(number=number, pins="")]

    romans = [level.upper() if _ROMAN.fullmatch(level) else level for level in levels]
    has_romans = any(level.get("roman") for level in country.section("citations").get("levels", ()))
    if has_romans and romans != levels:
        yield " ".join((*first(number), *romans))
    for letter in dict.fromkeys((levels[0], levels[0].upper())) if levels and _LETTER.fullmatch(levels[0]) else ():
        yield " ".join((*first(f"{number} {letter}"), *levels[1:]))
        yield ", ".join((*first(f"{number} {letter}"), *romans[1:]))
    for below in dict.fromkeys((tuple(romans), tuple(levels))):
        yield " ".join((*first(number), *below))
        yield f"{' '.join(first(number))}, {_BETWEEN_LEVELS.sub(', ', ' '.join(below))}".rstrip(", ")
        yield " ".join((number, *below))
    if bare := list(itertools.takewhile(_BARE_LEVEL.fullmatch, levels)):
        if has_romans and _ROMAN.fullmatch(bare[0]):
            bare[0] = str(roman_value(bare[0].lower()))
        yield " ".join((*first(f"{number}{_in_brackets(bare)}"), *levels[len(bare) :]))
    yield from _with_brackets(" ".join((*first(number), *levels)))


def _in_brackets(levels: Sequence[str]) -> str:
    return "".join(_BARE_LEVEL.sub(r"(\1)", level) for level in levels)


def _with_brackets(query: str) -> Iterator[str]:
    """Yield the query with the levels at its end in brackets: `Art. 6(1)(f)` for `Art. 6 1 f`."""
    words = query.split()
    bare = list(itertools.takewhile(_BARE_LEVEL.fullmatch, reversed(words)))[::-1]
    at = len(words) - len(bare)
    if at and not _DIGIT.search(words[at - 1]):
        at += 1  # the first number is that of the word before it: "§ 5 a"
    head, levels = words[:at], words[at:]
    if levels and head and _DIGIT.search(head[-1]):
        yield f"{' '.join(head)}{_in_brackets(levels)}"


@functools.cache
def _names(country: Jurisdiction) -> dict[str, list[str]]:
    """Return the letters and digits of a name -> URIs, also of the name with its chapter in the revised edition: "labour act 28:01"."""
    found: dict[str, dict[str, None]] = {}
    for uri, work in country.section("works").items():
        named = [name for use in NAMES for name in work.get(use, ())]
        chapters = work.get("chapter", ())
        for name in (*named, *chapters, *(f"{name} {chapter}" for name in named for chapter in chapters)):
            found.setdefault(_key(name), {}).setdefault(uri)
    return {key: list(uris) for key, uris in found.items()}


@functools.cache
def _words(country: Jurisdiction) -> dict[str, str]:
    """Return the words for provisions and levels in the country's data, and the ordinals that number them, by their letters."""
    rows = rows_with_words(country)
    words = [word for row in rows for use in USES_OF_WORDS for word in row.get(use, ())]
    words += [word for row in rows for word in spelled(row)]
    words += country.section("citations").get("queries", {}).get("levels", ())
    return {key: word.strip() for word in words if (key := _key(word))}


@functools.lru_cache(maxsize=16384)
def _key(name: str) -> str:
    return _NOT_LETTERS.sub("", lower_without_accents(name.lower()))
