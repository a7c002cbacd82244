"""Kinds of works and the nouns that name them in texts: "that Directive", "des Gesetzbuchs", "of the Convention".

A row of a country's `citations.nouns` is a kind, with the same name in all countries (`directive`), and its `words`. `works` is a pattern
for the URIs of its works; a work whose name contains such a word is also of the kind. `also` are kinds that its works also belong to.
`unsaid` is the default work of the noun where the text has named no work of the kind, unless the text matches `others`: names of other
works that contain the noun ("UN Charter"), in which a short name ("Charter") is not the country's work. Not here: what a text has named
(`resolve`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from legal_pipeline.citations.acts_in_data import NEVER, any_of


@dataclass(frozen=True)
class Nouns:
    """The nouns of a country."""

    #: A noun for a work, without a number after it.
    pattern: str
    #: A noun with a demonstrative, after a provision, that refers to the work named before: "of the said Directive".
    demonstrated: str
    #: A noun at the end of a word.
    _word: re.Pattern[str]
    #: Noun in lower case -> kind.
    _kinds: Mapping[str, str]
    #: Kind -> pattern of URIs, for kinds that URIs show.
    works: Mapping[str, re.Pattern[str]]
    #: Kind -> kinds that its works also belong to: a code is also an Act.
    _also: Mapping[str, Iterable[str]]
    #: Kind -> the default work where none is named, and a pattern of texts that may mean another work.
    unsaid: Mapping[str, tuple[str, re.Pattern[str]]]
    #: Pattern of the names of other works that contain a noun.
    others: str
    #: URI -> kinds, by the names in the country's data.
    _named: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def kind(self, words: str) -> str:
        """Return the kind of the last noun of `words`; "" if there is none."""
        return next((self._kinds[found] for found in reversed(self._found(words))), "")

    def kinds(self, uri: str | None, words: str) -> tuple[str, ...]:
        """Return the kinds of a work: by its URI, or by the `words` that name it if the data do not have it."""
        known = [kind for kind, pattern in self.works.items() if uri is not None and pattern.search(uri)]
        known += sorted(self._named.get(uri or "", ()))
        known = known or [self._kinds[found] for found in self._found(words)]
        return tuple(dict.fromkeys((*known, *(each for kind in known for each in self._also.get(kind, ())))))

    def _found(self, words: str) -> list[str]:
        return [found.lower() for found in self._word.findall(words)]


def compile_nouns(data: Mapping[str, Any], demonstratives: Iterable[str], names: Iterable[tuple[str, str]]) -> Nouns:
    """Compile the `nouns` of a country's `citations`.

    `demonstratives` refer to a work with a noun, the pronouns `same_behind` without one ("recital 76 thereof"); `names_go_on` are patterns
    of words that make a noun the beginning of a name ("loi sur le travail"); `names` are (name, URI) of the country's works; where the
    language has `compounds`, a noun may be the end of a word in them. Raises `KeyError` for a row without `words`."""
    rows: Mapping[str, Mapping[str, Any]] = data.get("nouns", {})
    goes_on, pronouns = data.get("names_go_on", ()), any_of(data.get("same_behind", ()))
    kinds = {word.lower(): kind for kind, row in rows.items() for word in row["words"]}
    pattern = any_of(word for row in rows.values() for word in row["words"])
    begins = "" if data.get("compounds") else r"(?<!\w)"
    nouns = Nouns(
        rf"{pattern}(?!-?\w| ?[(\d/]| [Nn][or°º]?\.? ?\d{''.join(f'|{each}' for each in goes_on)})",
        rf"{any_of(demonstratives)} {pattern}|{pronouns}(?!\w)",
        re.compile(rf"{begins}{pattern}(?!\w)", re.IGNORECASE),
        kinds,
        {kind: re.compile(row["works"]) for kind, row in rows.items() if "works" in row},
        {kind: row["also"] for kind, row in rows.items() if "also" in row},
        {kind: (row["unsaid"], re.compile(row.get("others", NEVER))) for kind, row in rows.items() if "unsaid" in row},
        other_works(rows),
    )
    named: dict[str, frozenset[str]] = {}
    for name, uri in names:
        named[uri] = named.get(uri, frozenset()) | {*nouns.kinds(None, name)}
    return replace(nouns, _named=named)


def other_works(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a pattern for the names of other works that contain one of the nouns in `rows`."""
    return "|".join(row["others"] for row in rows.values() if "others" in row) or NEVER
