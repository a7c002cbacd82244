"""Sparse BM25 vectors by language, the same for every store; document frequencies are the store's part (`Modifier.IDF`).

Not here: dense vectors. The encoder is the one of `qdrant-edge-py`: Snowball stemmers, stop words, tokens hashed to 31 bits. It runs in
this process, so a server needs no inference service and both stores hold the same numbers.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.languages.language import known_languages, language
from legal_pipeline.stores.store import SparseVector

#: Raised when the same text would give another vector: stored collections say which one they hold.
BM25_VERSION = 3

#: Words of an ordinary chunk with its header: 110 at the mean over the statutes of the retrieval evaluation. The encoder's own 256 is of
#: longer texts, and takes long chunks for short ones (English mismatch@5 0.423 with it, 0.399 with 100, on the development half).
AVERAGE_WORDS = 100

_UNSTEMMED = ""
_WORD = re.compile(r"\w+")


@functools.cache
def stemmers() -> Mapping[str, str]:
    """ISO 639-3 -> the name of the Snowball stemmer, which is also that of PostgreSQL's text search configuration. Any other language is
    neither stemmed nor relieved of stop words."""
    found = {code: language(code).stemmer for code in known_languages()}
    return {code: name for code, name in found.items() if name is not None}


def document_vector(text: str, language: str) -> SparseVector:
    """Term weights of an indexed text: BM25 with k 1.2, b 0.75 and an expected length of `AVERAGE_WORDS`, without IDF."""
    sparse = edge_vector(text, language)
    pairs = sorted(zip(sparse.indices, sparse.values, strict=True))
    return SparseVector([index for index, _ in pairs], [float(value) for _, value in pairs])


def edge_vector(text: str, language: str) -> Any:
    """`document_vector` as `qdrant-edge-py` made it and takes it."""
    return _model(_known(language)).embed_document(unicodedata.normalize("NFC", text))


def query_terms(text: str, languages: Sequence[str] = ()) -> frozenset[int]:
    """The terms of a query, as each of `languages` stems them; with none given as every indexed language does.

    Reading a query in too many languages costs nothing: a word stemmed the wrong way is a term that no document has, and stop words
    of a stemmed language are in none of its documents.
    """
    normal = unicodedata.normalize("NFC", text)
    chosen = {_known(language) for language in languages} or {*stemmers(), _UNSTEMMED}
    return frozenset(index for language in chosen for index in _model(language).embed_query(normal).indices)


def query_vector(text: str, languages: Sequence[str] = ()) -> SparseVector:
    """`query_terms` with weight 1 each."""
    terms = sorted(query_terms(text, languages))
    return SparseVector(terms, [1.0] * len(terms))


def matching_words(text: str, language: str, terms: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Spans of the words of `text` that are among `terms`: what made the text match, inflected or not."""
    model = _model(_known(language))
    known: dict[str, bool] = {}
    for word in _WORD.finditer(text):
        written = word.group()
        if written not in known:
            known[written] = not terms.isdisjoint(model.embed_query(written).indices)
        if known[written]:
            yield word.span()


def _known(language: str) -> str:
    return language if language in stemmers() else _UNSTEMMED


@functools.cache
def _model(language: str) -> Any:
    from qdrant_edge import Bm25, Bm25Config, DisabledStemmer, StopwordsSet

    if language:
        return Bm25(Bm25Config(language=stemmers()[language], avg_len=AVERAGE_WORDS))
    # Without these two the encoder would take the text for English.
    none = StopwordsSet(languages=set(), custom=set())
    return Bm25(Bm25Config(stemmer=DisabledStemmer(), stopwords=none, avg_len=AVERAGE_WORDS))
