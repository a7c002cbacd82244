"""The lists by vector of one query: one for each embedding model that reads its language, those of other languages or of other countries
than the query names apart, and all in one.

Vectors of two models cannot be compared, and of one model they are nearest in the language of the query: of 100 nearest chunks to an
English question 97 were English, whatever the model. So another language's chunks are asked for by themselves, and so is the law of a
country that a question names. Not here: the lists by words, and what ranks by vector weigh beside those by words (`retrieval.search`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.retrieval.centring import centred
from legal_pipeline.retrieval.fusion import RRF_K
from legal_pipeline.stores.store import AnyOf, Condition, Not, Query, RankedLists, ScoredPoint, Vector
from legal_pipeline.text.language import detect_language

#: How many chunks of other languages there are for one of the query's own, in the list of all.
OTHER_SHARE = 0.25

#: Of two equal scores the one of another language is behind.
_BEHIND = 0.9999

#: Hits by words whose language is taken for that of a query too short to say it.
_SPEAKING = 10


@dataclass(frozen=True)
class Nearest:
    """One list to be asked for: points whose vector `using` is near to `vector`, the query's `plain` one centred. Of two lists, the one
    with the larger `share` has so many more points among the first."""

    vector: Vector
    plain: Vector
    using: str
    conditions: tuple[Condition, ...] = ()
    share: float = 1.0


def query_language(query: str, languages: Sequence[str], by_words: Callable[[], Sequence[ScoredPoint]]) -> str | None:
    """The ISO 639-3 code: the one of `languages` that was given, else what the text says, else what most of the first hits by words are
    written in (`by_words`, called where nothing else says it); None where they do not say it either."""
    if len(languages) == 1:
        return languages[0]
    if (detected := detect_language(query).code) is not None:
        return detected
    spoken = Counter(str(point.payload.get("language")) for point in by_words()[:_SPEAKING])
    return spoken.most_common(1)[0][0] if spoken else None


def nearest(query: str, embedders: Embedders, language: str | None, asked_about: Sequence[str] = ()) -> list[Nearest]:
    """The lists for a query in `language` about the law of the jurisdictions `asked_about`, of all where none is given.

    A model that the table names for other languages alone is not asked: it cannot read the query. Where the language is not known every
    model is. The vector is that of the query less what all texts have in common (`retrieval.centring`).
    """
    found = []
    for using, embedder in embedders.by_vector.items():
        reads_all = embedders.other.name == embedder.name
        if language is not None and not reads_all and language not in embedders.named(embedder):
            continue
        plain = embedder.embed_queries([query]).vectors[0]
        vectors = centred(plain, embedder.name), plain
        if asked_about:
            own = AnyOf("jurisdiction", tuple(asked_about))
        elif language is None or not reads_all:
            found.append(Nearest(*vectors, using))
            continue
        elif embedders.of(language).name == embedder.name:
            own = AnyOf("language", (language,))
        else:
            found.append(Nearest(*vectors, using, share=OTHER_SHARE))
            continue
        found += [Nearest(*vectors, using, (own,)), Nearest(*vectors, using, (Not(own),), OTHER_SHARE)]
    return found


def interleaved(points: Sequence[ScoredPoint], scores: Sequence[float]) -> Iterator[tuple[ScoredPoint, float]]:
    """Points of other languages, the nearest first, with the scores that put one behind every few of the query's own, whose `scores` fall;
    behind all of them, and where there are none, scores fall as those of a list alone."""
    for rank, point in enumerate(points, start=1):
        place = round(rank / OTHER_SHARE)
        if not scores:
            yield point, 1.0 / (RRF_K + rank)
        elif place <= len(scores):
            yield point, scores[place - 1] * _BEHIND
        else:
            yield point, scores[-1] * (RRF_K + len(scores)) / (RRF_K + place) * _BEHIND


def dense_queries(lists: Sequence[Nearest], filters: Sequence[Condition], limit: int) -> list[Query]:
    """What a store is asked for `lists`; see `dense_list`."""
    return [
        Query(dense=dense.vector, filters=[*filters, *dense.conditions], limit=limit, using=dense.using)
        for dense in lists
    ]


def dense_list(lists: Sequence[Nearest], answers: Sequence[RankedLists]) -> tuple[ScoredPoint, ...]:
    """The points of all lists in one order: by rank in their list, divided by its share."""
    ranked = [
        (rank / dense.share, point)
        for dense, found in zip(lists, answers, strict=True)
        for rank, point in enumerate(found.dense, start=1)
    ]
    return tuple(point for _, point in sorted(ranked, key=lambda pair: pair[0]))
