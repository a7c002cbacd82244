"""Sparse BM25 vectors by language, the same for every store; each store supplies the document frequencies (`Modifier.IDF`).

Not here: dense vectors. The encoder is that of `qdrant-edge-py`: Snowball stemmers, stop words, tokens hashed to 31 bits. It runs in
this process, so a server needs no inference service and both stores have the same numbers.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legal_pipeline.languages.language import known_languages, language

#: Raised when the same text would give another vector: stored collections record their version.
BM25_VERSION = 4

#: Words of an average chunk with its header: the mean over the statutes of the retrieval evaluation is 110. The encoder's default of 256
#: is for longer texts, and treats long chunks as short (English mismatch@5 0.423 with it, 0.399 with 100, on the development half).
AVERAGE_WORDS = 100

_UNSTEMMED = ""
_WORD = re.compile(r"\w+")
#: Scripts that print no spaces between words (Han, Kana, Thai, Lao, Burmese, Khmer), or print particles without a space (Hangul).
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+"
)


@functools.cache
def stemmers() -> Mapping[str, str]:
    """Return ISO 639-3 -> name of the Snowball stemmer, which is also the name of PostgreSQL's text search configuration.

    Other languages get no stemming and no stop words.
    """
    found = {code: language(code).stemmer for code in known_languages()}
    return {code: name for code, name in found.items() if name is not None}


def document_vector(text: str, language: str) -> dict[int, float]:
    """Return term -> weight of an indexed text, in the order of the terms: BM25 with k 1.2, b 0.75, an expected length of `AVERAGE_WORDS`,
    and without IDF."""
    sparse = edge_vector(text, language)
    return {index: float(value) for index, value in sorted(zip(sparse.indices, sparse.values, strict=True))}


def edge_vector(text: str, language: str) -> Any:
    """Return `document_vector` in the type of `qdrant-edge-py`."""
    return _model(_known(language)).embed_document(_spaced(unicodedata.normalize("NFC", text)))


def query_terms(text: str, languages: Sequence[str] = ()) -> frozenset[int]:
    """Return the terms of a query, stemmed for each of `languages`; if none is given, for every indexed language.

    Additional languages do no harm: a wrongly stemmed word is a term that no document has, and documents in a stemmed language have no stop
    words of that language.
    """
    normal = _spaced(unicodedata.normalize("NFC", text))
    chosen = {_known(language) for language in languages} or {*stemmers(), _UNSTEMMED}
    return frozenset(index for language in chosen for index in _model(language).embed_query(normal).indices)


def matching_words(text: str, language: str, terms: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words of `text` that are among `terms`: the words that made the text match, in any inflection."""
    model = _model(_known(language))
    known: dict[str, bool] = {}
    last = (0, 0)
    for start, end in _word_spans(text):
        written = text[start:end]
        if written not in known:
            known[written] = not terms.isdisjoint(model.embed_query(written).indices)
        if known[written]:
            if start < last[1]:  # two pairs of characters that overlap are one match
                start = last[0]
            elif last[1]:
                yield last
            last = (start, end)
    if last[1]:
        yield last


def _spaced(text: str) -> str:
    """Return `text` with each run of a script without spaces as its overlapping pairs of characters, which stand for words.

    >>> _spaced("民法第十条 Art. 2")
    ' 民法 法第 第十 十条  Art. 2'
    """
    if text.isascii() or not _UNSPACED.search(text):
        return text
    return _UNSPACED.sub(lambda run: f" {' '.join(_pairs(run.group()))} ", text)


def _pairs(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(max(len(run) - 1, 1))]


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words of `text`; in a script without spaces, those of the pairs of characters."""
    position = 0
    for run in () if text.isascii() else _UNSPACED.finditer(text):
        yield from (word.span() for word in _WORD.finditer(text, position, run.start()))
        yield from (
            (run.start() + place, run.start() + place + len(pair)) for place, pair in enumerate(_pairs(run.group()))
        )
        position = run.end()
    yield from (word.span() for word in _WORD.finditer(text, position))


def _known(language: str) -> str:
    return language if language in stemmers() else _UNSTEMMED


@functools.cache
def _model(language: str) -> Any:
    from qdrant_edge import Bm25, Bm25Config, DisabledStemmer, StopwordsSet

    if language:
        return Bm25(Bm25Config(language=stemmers()[language], avg_len=AVERAGE_WORDS))
    # Without these two the encoder would treat the text as English.
    none = StopwordsSet(languages=set(), custom=set())
    return Bm25(Bm25Config(stemmer=DisabledStemmer(), stopwords=none, avg_len=AVERAGE_WORDS))
