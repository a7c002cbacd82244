"""The document type that the title of a law names: "Lamps Regulations 2031", "Real Decreto 9/2031 …", "Leuchtenverordnung".

The words are data: `stated.toml`, and `work_types` of a country. Not here: types that front matter states (`generic.stated`).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping
from typing import Any

from legal_pipeline.jurisdictions.jurisdiction import jurisdiction
from legal_pipeline.model.identity import UNDETERMINED
from legal_pipeline.model.slug import plain_letters
from legal_pipeline.system.data_files import data_file
from legal_pipeline.text.dates import months

#: Maximum number of words of an expression at the beginning of a title.
_WORDS = 6
#: Number of first words that may be a compound ("Leuchtenverordnung").
_COMPOUNDS = 4
#: Maximum number of letters of a word such as "n" or "z" in the number of a law.
_PARTICLE = 2
_WORD = re.compile(r"[^\W_]+")
_BRACKETED = re.compile(r"[(\[（［][^()\[\]（）［］]*[)\]）］]")


def type_of_title(title: str, country: str | None = None) -> str | None:
    """Return the type that `title` names by its last word, its first words or a compound among them; None if it names none.

    >>> [type_of_title(title) for title in ("The Lamps (Fees) Regulations, No. 5 of 2031", "Regulation of Lamps Act 2031", "Lamps")]
    ['regulation', 'act', None]
    """
    words = _WORD.findall(plain_letters(_BRACKETED.sub(" ", title)))
    tables = _tables()
    own: Mapping[str, str] = jurisdiction(country).section("work_types") if country else {}
    named = list(itertools.dropwhile(lambda word: _has_digit(word) or word in tables["numbering"], reversed(words)))
    last = named[0] if named else ""
    return (
        tables["ends"].get(last)
        or (tables["dated_ends"].get(last) if words and _has_digit(words[-1]) else None)
        or _first_words(words, own, tables)[-1]
        or _compound(words, tables["compounds"])
    )


def begins_with_article(title: str) -> bool:
    """Whether `title` begins with an article or another word before the word for a type: "O Decreto n.º 7/2031 aprovou …"."""
    first = _WORD.search(plain_letters(title))
    return first is not None and first.group() in _tables()["skipped"]


def names_no_subject(title: str, code: str = UNDETERMINED) -> bool:
    """Whether `title` names no subject: it is only a word for a type of law, perhaps with the number and date.

    `code` is the language of the date (ISO 639-3).

    >>> [names_no_subject(title) for title in ("LEGGE", "Decreto n. 7/2031", "LEY 7 DE 2031", "Ley de Faros 2031")]
    [True, True, True, False]
    """
    words = _WORD.findall(plain_letters(title))
    tables, named_months = _tables(), _months(code)
    skipped, count, _ = _first_words(words, {}, tables)
    rest = words[skipped + count :]
    return count > 0 and all(
        _has_digit(word) or len(word) <= _PARTICLE or word in tables["numbering"] or word in named_months
        for word in rest
    )


def _first_words(
    words: list[str], own: Mapping[str, str], tables: Mapping[str, Mapping[str, str]]
) -> tuple[int, int, str | None]:
    """Return the number of words before the longest known expression at the beginning (an article, a number), that of the expression and
    the type that it names; (0, 0, None) if there is none."""
    skipped = next((at for at, word in enumerate(words) if not (word in tables["skipped"] or _has_digit(word))), 0)
    for count in range(min(_WORDS, len(words) - skipped), 0, -1):
        named = "-".join(words[skipped : skipped + count])
        if found := own.get(named) or tables["begins"].get(named):
            return skipped, count, found
    return 0, 0, None


def _compound(words: list[str], compounds: Mapping[str, str]) -> str | None:
    """Return the type of the first of the first words that ends with the word of a type."""
    for word in [word for word in words if not _has_digit(word)][:_COMPOUNDS]:
        if ends := [end for end in compounds if word.endswith(end)]:
            return compounds[max(ends, key=len)]
    return None


@functools.cache
def _months(code: str) -> frozenset[str]:
    return frozenset(map(plain_letters, months(code)))


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


@functools.cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    data: Mapping[str, Any] = data_file(__package__, "stated.toml")
    named = data["titles"]

    def types(*tables: Mapping[str, list[str]]) -> dict[str, str]:
        return {plain_letters(word): kind for table in tables for kind, words in table.items() for word in words}

    begins = types(data["doc_types"], named["begins"])
    return {
        "begins": {word: kind for word, kind in begins.items() if word not in named["undecided"]},
        "ends": types(named["ends"]),
        "dated_ends": types(named["dated_ends"]),
        "compounds": types(named["compounds"]),
        "skipped": dict.fromkeys(named["skipped"], ""),
        "numbering": dict.fromkeys(named["numbering"], ""),
    }
