"""Kinds of works by the nouns that texts name them with: "that Directive", "des Gesetzbuchs", "of the Convention".

A row of a country's `citations.nouns` is a kind, named alike in all countries (`directive`), with its `words`. `works` is a pattern for
the URIs of its works; a work whose name has such a word is of the kind besides. `also` are kinds that its works are called too.
`unsaid` is the work that the noun means where the text has named none of the kind, unless it holds what `others` describes. Not here:
what a text has named (`resolve`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from legal_pipeline.citations.acts_in_data import any_of

_NEVER = r"(?!)"


@dataclass(frozen=True)
class Nouns:
    """The nouns of a country."""

    #: A noun for a work; no number stands behind it.
    pattern: str
    #: A noun with what says, behind a provision, that it is the work named before: "of the said Directive".
    demonstrated: str
    #: A noun where a word ends.
    _word: re.Pattern[str]
    #: Noun in lower case -> kind.
    _kinds: Mapping[str, str]
    #: Kind -> URIs of its works, of kinds whose URIs say so.
    works: Mapping[str, re.Pattern[str]]
    #: Kind -> kinds that its works are called too: a code is an Act.
    _also: Mapping[str, Iterable[str]]
    #: Kind -> the work meant where none is named, and what stands in texts that may mean another one.
    unsaid: Mapping[str, tuple[str, re.Pattern[str]]]
    #: URI -> kinds, by the names in the country's data.
    _named: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def kind(self, words: str) -> str:
        """The kind that the last noun of `words` is of; "" where there is none."""
        return next((self._kinds[found] for found in reversed(self._found(words))), "")

    def kinds(self, uri: str | None, words: str) -> tuple[str, ...]:
        """The kinds that a work is of: by its URI, or by the `words` that name it where the data do not know it."""
        known = [kind for kind, pattern in self.works.items() if uri is not None and pattern.search(uri)]
        known += sorted(self._named.get(uri or "", ()))
        known = known or [self._kinds[found] for found in self._found(words)]
        return tuple(dict.fromkeys((*known, *(each for kind in known for each in self._also.get(kind, ())))))

    def _found(self, words: str) -> list[str]:
        return [found.lower() for found in self._word.findall(words)]


def compile_nouns(
    rows: Mapping[str, Mapping[str, Any]],
    demonstratives: Iterable[str],
    goes_on: Iterable[str],
    names: Iterable[tuple[str, str]],
    *,
    has_compounds: bool,
) -> Nouns:
    """The nouns in `rows`.

    `goes_on` are patterns of what makes a noun the beginning of a name ("loi sur le travail"); `names` are (name, URI) of the country's
    works, in which a noun may be the end of a word where the language `has_compounds`. Raises `KeyError` for a row without `words`."""
    kinds = {word.lower(): kind for kind, row in rows.items() for word in row["words"]}
    pattern = any_of(word for row in rows.values() for word in row["words"])
    begins = "" if has_compounds else r"(?<!\w)"
    nouns = Nouns(
        rf"{pattern}(?!-?\w| ?[(\d/]| [Nn][or°º]?\.? ?\d{''.join(f'|{each}' for each in goes_on)})",
        rf"{any_of(demonstratives)} {pattern}",
        re.compile(rf"{begins}{pattern}(?!\w)", re.IGNORECASE),
        kinds,
        {kind: re.compile(row["works"]) for kind, row in rows.items() if "works" in row},
        {kind: row["also"] for kind, row in rows.items() if "also" in row},
        {kind: (row["unsaid"], re.compile(row.get("others", _NEVER))) for kind, row in rows.items() if "unsaid" in row},
    )
    named: dict[str, frozenset[str]] = {}
    for name, uri in names:
        named[uri] = named.get(uri, frozenset()) | {*nouns.kinds(None, name)}
    return Nouns(nouns.pattern, nouns.demonstrated, nouns._word, kinds, nouns.works, nouns._also, nouns.unsaid, named)
