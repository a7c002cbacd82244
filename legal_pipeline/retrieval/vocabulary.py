"""From words of everyday speech to the words of the law: a question's vector moves toward the terms that a statute uses for its subject.

A question says "throw me out of my flat", the law says "eviction", and small models do not put the two together. `languages/vocabularies`
has a file for each language, from general knowledge and for any body of law: each entry has phrases that people say (`asked`) and terms of
the law (`law`). Not here: the lists (`retrieval.dense_lists`).
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.retrieval.centring import centre_of
from legal_pipeline.stores import bm25
from legal_pipeline.stores.store import Vector
from legal_pipeline.system.data_files import data_file

#: Weight of the terms' vector, embedded as a passage, beside the question's; and how many entries count, those of the longest phrases
#: first. Chosen on the tuning half of the plain questions (docs/evaluation/results.md, "Words of the law").
WEIGHT = 0.3
MOST_ENTRIES = 4

#: Terms of an entry that are used, and the greatest distance, in words, between the words of a phrase in the question.
_MOST_TERMS = 4
_WINDOW = 8

_PACKAGE = "legal_pipeline.languages.vocabularies"


@dataclass(frozen=True, slots=True)
class _Phrase:
    """The words of a phrase as stems, or, if they end in "*", as beginnings of words; `length` in words and characters."""

    entry: str
    stems: frozenset[int]
    beginnings: tuple[str, ...]
    length: tuple[int, int]


def legal_terms(question: str, language: str | None) -> tuple[str, ...]:
    """Return the terms of the law for what `question`, in `language` (ISO 639-3), says in other words; empty if no phrase is known."""
    if language is None or not (entries := _entries(language)):
        return ()
    words = list(bm25.stemmed_words(question, language))
    said = {stem for _, stem in words}
    best: dict[str, tuple[int, int]] = {}
    for phrase in _phrases(language):
        if phrase.stems <= said and best.get(phrase.entry, (0, 0)) < phrase.length and _is_said(phrase, words):
            best[phrase.entry] = phrase.length
    longest = sorted(best, key=lambda name: best[name], reverse=True)[:MOST_ENTRIES]
    return tuple(dict.fromkeys(term for name in longest for term in entries[name]["law"][:_MOST_TERMS]))


def toward_the_law(vector: Vector, question: str, language: str | None, embedder: Embedder) -> Vector:
    """Return `vector` (dimension,) of `question`, moved toward its `legal_terms`, of unit length; unchanged if there are none, and for
    a model of which nothing was measured (`retrieval.centring`)."""
    if centre_of(embedder.name) is None or not (terms := legal_terms(question, language)):
        return vector
    moved = vector + WEIGHT * embedder.embed_passages([", ".join(terms)]).vectors[0]
    return np.asarray(moved / np.linalg.norm(moved), np.float32)


def _is_said(phrase: _Phrase, words: list[tuple[str, int | None]]) -> bool:
    places = [
        *([at for at, (_, stem) in enumerate(words) if stem == wanted] for wanted in phrase.stems),
        *([at for at, (word, _) in enumerate(words) if word.startswith(begin)] for begin in phrase.beginnings),
    ]
    first, *others = sorted(places, key=len)
    return any(all(any(abs(start - at) <= _WINDOW for at in other) for other in others) for start in first)


@functools.cache
def _phrases(language: str) -> tuple[_Phrase, ...]:
    return tuple(_read_phrases(language))


def _read_phrases(language: str) -> Iterator[_Phrase]:
    for name, entry in _entries(language).items():
        for phrase in entry["asked"]:
            words = phrase.split()
            whole = " ".join(word for word in words if not word.endswith("*"))
            stems = frozenset(stem for _, stem in bm25.stemmed_words(whole, language) if stem is not None)
            beginnings = tuple(word.removesuffix("*").lower() for word in words if word.endswith("*"))
            yield _Phrase(name, stems, beginnings, (len(words), len(phrase)))


def _entries(language: str) -> dict[str, dict[str, list[str]]]:
    if not (language.isalpha() and importlib.resources.files(_PACKAGE).joinpath(f"{language}.toml").is_file()):
        return {}
    return data_file(_PACKAGE, f"{language}.toml")
