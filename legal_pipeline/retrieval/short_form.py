"""A query in the shortest form, the name of an act and numbers, as the citations of running text that it may stand for: `burlg 7 abs 3` as
`§ 7 abs 3 BUrlG`, `c civ 1240` as `article 1240 C. civ.`, `gdpr 6 1 f` as `Article 6(1)(f) GDPR`.

Such a query leaves out capitals, full stops and the word for the provision; the name may be before, behind or between the numbers. The
words for provisions and levels are those of the country's data, and the `citations.queries.levels` of a country whose grammar is code. Not
here: queries with other words, which `retrieval.query_form` reads.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.citations import Reference, find
from legal_pipeline.citations.levels import spelled
from legal_pipeline.jurisdictions.jurisdiction import Jurisdiction
from legal_pipeline.languages.language import without_accents
from legal_pipeline.retrieval.act_names import NAMES, has_ending_of_act
from legal_pipeline.retrieval.query_form import as_written

#: A longer query is a sentence.
_MOST_WORDS = 14
#: A number with the letters, levels and signs that people write to it: "L1235-3", "6:2a", "203(b)(1)", "5°".
_NUMBER = re.compile(r"(?:[lrda]\.?)?\d[\w.:/-]*[°º]?(?:\(\w{1,4}\))*", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
#: A level without a word for it: "f", "(b)", "iv", "§".
_LEVEL = re.compile(r"\(\w{1,4}\)|[ivx]{1,4}|[a-zæøå]\)?|§{1,2}", re.IGNORECASE)
_BARE_LEVEL = re.compile(r"\(?(\d{1,2}|[ivx]{1,4}|[a-z])\)?", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})", re.IGNORECASE)
#: Where a word for a level and its number are written together: "abs3", "1st".
_TOGETHER = re.compile(r"(?P<word>[^\W\d_]{2,}|§)(?=\d)|(?<=\d)(?P<behind>[^\W\d_]{2,}|§)")
#: Letters of a French number: "r 421-1".
_LETTER_APART = re.compile(r"\b([lrd])\.? (?=\d{2,4}(?:-\d|\b))", re.IGNORECASE)
#: The space between two levels without words: "II 1°".
_LEVEL_BEHIND = re.compile(r"(?<=[\dIVX°]) (?=\d)|(?<=\d) (?=[^\W\d])|(?<=°) (?=\w)")
_LETTER = re.compile(r"[A-Za-z]")
_SIGN = "§"
_NOT_LETTERS = re.compile(r"(?:[^\w§]|_)+")
_FOUR_LETTERS_AND_A_NUMBER = re.compile(r"(?<=[^\W\d_]{4})(?=\d)")


def citation_in_full(query: str, country: Jurisdiction) -> tuple[str, Sequence[Reference]] | None:
    """Return `query` as a citation in a text of `country`, and what the country's grammar finds in it; None unless the query is a name of
    an act that the country's data have, a number of a provision and perhaps levels, in any order, and the grammar reads all of it."""
    for form in (*_in_full(query, country), *_with_brackets(query)):
        text = as_written(form, country)
        found = find(text, country, in_query=True)
        if any(_is_whole(citation, text) for citation in found):
            return text, found
    return _of_unknown_act(query, country)


def _in_brackets(levels: Sequence[str]) -> str:
    return "".join(_BARE_LEVEL.sub(r"(\1)", level) for level in levels)


def _with_brackets(query: str) -> Iterator[str]:
    """Yield the query with the levels at its end in brackets, as in `8 CFR 204.5 h 3 iv`."""
    words = query.split()
    levels = list(itertools.takewhile(_BARE_LEVEL.fullmatch, reversed(words)))[::-1]
    head = words[: len(words) - len(levels)]
    if levels and head and re.search(r"\d", head[-1]):
        yield f"{' '.join(head)}{_in_brackets(levels)}"


def _of_unknown_act(query: str, country: Jurisdiction) -> tuple[str, Sequence[Reference]] | None:
    """Return the citation in full of a query with a word that ends as names of acts do in place of a known name: "aftaleloven 36 stk 1"."""
    words = query.replace(",", " ").split()
    other = [at for at, word in enumerate(words) if not _parts([word, "1"], country)]
    if not other or len(words) > _MOST_WORDS:
        return None
    start, end = other[0], other[-1] + 1
    beside = words[end - 1] if end < len(words) else words[start]
    end += end < len(words) and _YEAR.fullmatch(words[end]) is not None
    name, parts = " ".join(words[start:end]), _parts([*words[:start], *words[end:]], country)
    if not parts or not _NUMBER.fullmatch(parts[0]) or not has_ending_of_act(beside, country):
        return None
    written = str(next(iter(country.section("provisions").values()), {}).get("cite", "{number}"))
    for provision in _provisions(parts, written):
        text = as_written(f"{provision} {name}", country)
        found = find(text, country, in_query=True)
        if any(citation.start <= 1 and not text[citation.end :].removesuffix(name).strip() for citation in found):
            return text, found
    return None


def _is_whole(citation: Reference, text: str) -> bool:
    is_all = citation.start <= 1 and not text[citation.end :].strip(" .")
    return is_all and citation.kind == "provision" and citation.work_uri is not None


def _in_full(query: str, country: Jurisdiction) -> Iterator[str]:
    """Yield citations that `query` may stand for, the most likely first."""
    words = _FOUR_LETTERS_AND_A_NUMBER.sub(" ", _LETTER_APART.sub(r"\1", query.replace(",", " "))).split()
    never = country.section("citations").get("queries", {}).get("no_short_form")
    is_short = len(words) <= _MOST_WORDS and not (never and re.search(never, query, re.IGNORECASE))
    names = _names(country) if is_short else {}
    for length in range(len(words) - 1, 0, -1) if names else ():
        for start in range(len(words) - length + 1):
            uris = names.get(_key(" ".join(words[start : start + length])), ())
            if uris and (parts := _parts([*words[:start], *words[start + length :]], country)):
                works = [country.section("works")[uri] for uri in uris]
                yield from (citation for work in works for citation in _citations(parts, country, work))
                return


def _parts(words: Sequence[str], country: Jurisdiction) -> list[str]:
    """Return the number, the levels and their words in `words`, as the country's data have the words; empty if there is something else."""
    known = _words(country)
    apart = functools.partial(_apart, known)
    parts = [part for word in words for part in _TOGETHER.sub(apart, word).split()]
    numbers = [part for part in parts if _NUMBER.fullmatch(part)]
    if not numbers or _YEAR.fullmatch(numbers[0]):
        return []
    main: Mapping[str, Any] = next(iter(country.section("provisions").values()), {})
    # with the sign before its number it is a citation in full
    is_in_full = parts[0] == _SIGN or (_SIGN in parts and _SIGN in main.get("before", ()))
    is_all = not is_in_full and all(
        _NUMBER.fullmatch(part) or _LEVEL.fullmatch(part) or _key(part) in known for part in parts
    )
    return (
        [_written(part, behind, known) for part, behind in zip(parts, [*parts[1:], ""], strict=True)] if is_all else []
    )


def _written(part: str, behind: str, known: Mapping[str, str]) -> str:
    """Return a word as the data have it; a letter is a word only before a number."""
    is_word = len(part) > 1 or behind[:1].isdigit()
    return known.get(_key(part), part) if is_word and _key(part) else part


def _apart(known: Mapping[str, str], match: re.Match[str]) -> str:
    is_known = _key(match.group()) in known
    return (f"{match['word']} " if match["word"] else f" {match['behind']} ") if is_known else match.group()


def _citations(parts: Sequence[str], country: Jurisdiction, work: Mapping[str, Any]) -> Iterator[str]:
    """Yield the citations of the provision `parts` of `work`, by its abbreviation and by its name."""
    provisions = country.section("provisions")
    form = provisions.get(str(work.get("provision"))) or next(iter(provisions.values()), {"cite": "{number}"})
    names = [work[use][0] for use in ("behind_provision", "names") if work.get(use)]
    for provision in _provisions(parts, str(form.get("spelled", form["cite"]))):
        yield from (citation for name in names for citation in (f"{provision} {name}", f"{name} {provision}"))


def _provisions(parts: Sequence[str], written: str) -> Iterator[str]:
    """Yield `parts` as a provision of a text, in which `written` is the form of a section or an article with its number."""
    at = next(index for index, part in enumerate(parts) if _NUMBER.fullmatch(part))
    number, levels = parts[at], parts[at + 1 :]

    def first(number: str) -> list[str]:
        return [*parts[:at], number] if at else [written.format(number=number, pins="")]

    romans = [level.upper() if _ROMAN.fullmatch(level) else level for level in levels]
    if levels and _LETTER.fullmatch(levels[0]):
        yield " ".join((*first(f"{number} {levels[0]}"), *levels[1:]))
        yield ", ".join((*first(f"{number} {levels[0]}"), *romans[1:]))
    for below in dict.fromkeys((tuple(romans), tuple(levels))):
        yield " ".join((*first(number), *below))
        yield f"{' '.join(first(number))}, {_LEVEL_BEHIND.sub(', ', ' '.join(below))}".rstrip(", ")
        yield " ".join((number, *below))
    if levels and all(map(_BARE_LEVEL.fullmatch, levels)):
        yield " ".join(first(f"{number}{_in_brackets(levels)}"))


@functools.cache
def _names(country: Jurisdiction) -> dict[str, list[str]]:
    """Return letters and digits of a name -> URIs."""
    found: dict[str, dict[str, None]] = {}
    for uri, work in country.section("works").items():
        for name in (name for use in NAMES for name in work.get(use, ())):
            found.setdefault(_key(name), {}).setdefault(uri)
    return {key: list(uris) for key, uris in found.items()}


@functools.cache
def _words(country: Jurisdiction) -> dict[str, str]:
    """Return the words for provisions and levels in the country's data, and the ordinals that number them, by their letters."""
    citations = country.section("citations")
    rows = (*country.section("provisions").values(), *citations.get("levels", ()))
    words = [word for row in rows for use in ("before", "several", "after") for word in row.get(use, ())]
    words += [word for row in rows for word in spelled(row)]
    return {
        key: word.strip() for word in (*words, *citations.get("queries", {}).get("levels", ())) if (key := _key(word))
    }


def _key(name: str) -> str:
    return _NOT_LETTERS.sub("", without_accents(name.lower()))
