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
from typing import Any

from legal_pipeline.citations.acts_in_data import NEVER, any_of


class Nouns:
    """The nouns of a country, from the table `nouns` of its `citations`.

    `demonstratives` refer to a work with a noun, the pronouns `same_behind` without one ("recital 76 thereof"); `names_go_on` are patterns
    of words that make a noun the beginning of a name ("loi sur le travail"); `names` are (name, URI) of the country's works; where the
    language has `compounds`, a noun may be the end of a word in them. Raises `KeyError` for a row without `words`.
    """

    def __init__(
        self, data: Mapping[str, Any], demonstratives: Iterable[str], names: Iterable[tuple[str, str]]
    ) -> None:
        rows: Mapping[str, Mapping[str, Any]] = data.get("nouns", {})
        goes_on, pronouns = data.get("names_go_on", ()), any_of(data.get("same_behind", ()))
        pattern = any_of(word for row in rows.values() for word in row["words"])
        begins = "" if data.get("compounds") else r"(?<!\w)"
        #: A noun for a work, without a number after it.
        self.pattern = rf"{pattern}(?!-?\w| ?[(\d/]| [Nn][or°º]?\.? ?\d{''.join(f'|{each}' for each in goes_on)})"
        #: A noun with a demonstrative, after a provision, that refers to the work named before: "of the said Directive".
        self.demonstrated = rf"{any_of(demonstratives)} {pattern}|{pronouns}(?!\w)"
        #: A noun at the end of a word.
        self._word = re.compile(rf"{begins}{pattern}(?!\w)", re.IGNORECASE)
        #: Noun in lower case -> kind.
        self._kinds = {word.lower(): kind for kind, row in rows.items() for word in row["words"]}
        #: Kind -> pattern of URIs, for kinds that URIs show.
        self.works = {kind: re.compile(row["works"]) for kind, row in rows.items() if "works" in row}
        #: Kind -> kinds that its works also belong to: a code is also an Act.
        self._also: Mapping[str, Iterable[str]] = {kind: row["also"] for kind, row in rows.items() if "also" in row}
        #: Kind -> the default work where none is named, and a pattern of texts that may mean another work.
        self.unsaid: Mapping[str, tuple[str, re.Pattern[str]]] = {
            kind: (row["unsaid"], re.compile(row.get("others", NEVER))) for kind, row in rows.items() if "unsaid" in row
        }
        #: Pattern of the names of other works that contain a noun.
        self.others = other_works(rows)
        #: URI -> kinds, by the names in the country's data.
        self._named: dict[str, set[str]] = {}
        for name, uri in names:
            self._named.setdefault(uri, set()).update(self.kinds(None, name))

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


def other_works(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a pattern for the names of other works that contain one of the nouns in `rows`."""
    return "|".join(row["others"] for row in rows.values() if "others" in row) or NEVER
