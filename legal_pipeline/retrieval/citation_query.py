"""Citations in a query: which provision or act it names, and whether a hit is it.

Not here: ranking (`retrieval.search`). Swedish forms so far; another jurisdiction is one more reader in `READERS`.
"""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from legal_pipeline.stores.store import AnyOf, Condition


@dataclass(frozen=True, slots=True)
class Citation:
    """A provision (or an act, if only `number` is given) that a query names.

    `section` is as cited (`3 a`), `chapter` None where the query names none. `words` are the words of the query beside the
    provision, by which an act may be named; they decide `names`.
    """

    jurisdiction: str
    chapter: str | None = None
    section: str | None = None
    number: str | None = None
    words: tuple[str, ...] = ()

    def conditions(self) -> tuple[Condition, ...]:
        """What points of the named provision fulfil in a store."""
        found: list[Condition] = [AnyOf("jurisdiction", (self.jurisdiction,))]
        if self.section is not None:
            found.append(AnyOf("section", _written(self.section)))
        if self.chapter is not None:
            found.append(AnyOf("chapter", _spellings(self.chapter)))
        if self.number is not None:
            found.append(AnyOf("number", (self.number, f"SFS {self.number}")))
        return tuple(found)

    def names(self, title: str) -> int:
        """How many words of the query are the act's title, in whatever inflection; 0 if the query does not name it so."""
        wanted = _title_words(title)
        words = tuple(map(_indefinite, self.words))
        if not wanted or not any(words[i : i + len(wanted)] == wanted for i in range(len(words))):
            return 0
        return len(wanted)

    @property
    def names_an_act(self) -> bool:
        """Whether the query names some act at all, known here or not: then the same § of other acts is no answer."""
        return self.number is not None or any(_is_act_name(word) for word in self.words)


Reader = Callable[[str], "Citation | None"]

_SWEDISH_PROVISION = re.compile(
    r"(?:(?P<chapter>\d+(?:\s?[a-zåäö](?![a-zåäö]))?)\s*kap\.?\s*,?\s*)?(?<![\d:])(?P<section>\d+(?:\s?[a-zåäö](?![a-zåäö]))?)\s*§§?",
    re.IGNORECASE,
)
_SFS_NUMBER = re.compile(r"(?:\bSFS\s*)?\b(?P<number>1[6-9]\d\d:\d+|20\d\d:\d+)\b(?!\s*§)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_BRACKETED = re.compile(r"\([^()]*\)")


def read_citation(query: str) -> Citation | None:
    """The first citation that a reader finds in `query`; None if it is words alone."""
    normal = unicodedata.normalize("NFC", query)
    return next((found for reader in READERS if (found := reader(normal)) is not None), None)


def _swedish(query: str) -> Citation | None:
    """`2 kap. 3 §`, `2 kap. 3 a § arbetsmiljölagen`, `3 § lagen (1982:80) om anställningsskydd`, `SFS 1977:1160`."""
    number = _SFS_NUMBER.search(query)
    rest = _SFS_NUMBER.sub(" ", query)
    provision = _SWEDISH_PROVISION.search(rest)
    if provision is None and number is None:
        return None
    rest = _SWEDISH_PROVISION.sub(" ", rest)
    return Citation(
        jurisdiction="se",
        chapter=_spaced(provision["chapter"]) if provision and provision["chapter"] else None,
        section=_spaced(provision["section"]) if provision else None,
        number=number["number"] if number else None,
        words=tuple(word.lower() for word in _WORD.findall(rest)),
    )


READERS: tuple[Reader, ...] = (_swedish,)


def _spaced(number: str) -> str:
    """`3a`, `3 A` -> `3 a`."""
    return re.sub(r"(\d)\s*([a-zåäö])", r"\1 \2", number.lower())


def _spellings(number: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((number, number.replace(" ", ""))))


def _written(section: str) -> tuple[str, ...]:
    """The forms that the payload's `section` may have: `3 a §`, `3 a`, `3a`."""
    return tuple(form for spelling in _spellings(section) for form in (f"{spelling} §", spelling))


@functools.cache
def _data() -> Mapping[str, Any]:
    text = resources.files("legal_pipeline.retrieval").joinpath("act_names_se.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def _definite() -> tuple[tuple[str, str], ...]:
    """(definite, indefinite) words, longest first."""
    pairs = ((str(definite), str(indefinite)) for indefinite, definite in _data()["definite"].items())
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _indefinite(word: str) -> str:
    """`arbetsmiljölagens` -> `arbetsmiljölag`; other words as they are."""
    for definite, indefinite in _definite():
        for ending in (f"{definite}s", definite, f"{indefinite}s"):
            if word.endswith(ending):
                return word[: -len(ending)] + indefinite
    return word


def _is_act_name(word: str) -> bool:
    """`arbetsmiljölagen`, `lagen`; not `bolagen`."""
    return word.endswith(tuple(_data()["naming"])) and not word.endswith(tuple(_data()["not_naming"]))


@functools.lru_cache(maxsize=4096)
def _title_words(title: str) -> tuple[str, ...]:
    bare = _BRACKETED.sub(" ", unicodedata.normalize("NFC", title)).lower()
    return tuple(_indefinite(word) for word in _WORD.findall(bare))
