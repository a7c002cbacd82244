"""The vector lists of one query: one list per embedding model that reads its language; separate lists for other languages, or for
countries that the query does not name; and all merged into one.

Vectors of two models cannot be compared, and within one model chunks in the language of the query are nearest: of 100 nearest chunks to
an English question 97 were English, with every model. So chunks in other languages are queried separately, and so is the law of a
country that a question names. Not here: the lists by words, and the weights of vector ranks against word ranks (`retrieval.search`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from legal_pipeline.embedding.embedder import Embedder, question_reader
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.retrieval.centring import centred
from legal_pipeline.retrieval.fusion import RRF_K
from legal_pipeline.retrieval.query_kind import is_question
from legal_pipeline.stores.store import AnyOf, Condition, Not, Query, RankedLists, ScoredPoint, Vector
from legal_pipeline.text.language import detect_language

#: Number of chunks in other languages per chunk in the query's language, in the merged list, for a question that names no country. And of
#: chunks of a union's law per chunk of its member that a question names.
OTHER_SHARE = 0.25

#: The same for a query in words of the law: the law that has its words is in its language (docs/evaluation/results.md, "Citation queries").
#: And the number of chunks of other countries per chunk of the countries that a question names.
SMALL_OTHER_SHARE = 0.1

#: Factor that puts a point in another language after a point of equal score.
_BEHIND = 0.9999

#: Number of first hits by words whose languages decide the language of a query that is too short to detect.
_SPEAKING = 10


@dataclass(frozen=True)
class Nearest:
    """One list to request: points whose vector `using` is near to `vector`. `plain` computes the query's vector without adapter and
    centring. `share`: 1 for the main lists; a list with 0.25 gets one place for every four of a main list."""

    vector: Vector
    plain: Callable[[], Vector]
    using: str
    conditions: tuple[Condition, ...] = ()
    share: float = 1.0


def query_language(query: str, languages: Sequence[str], by_words: Callable[[], Sequence[ScoredPoint]]) -> str | None:
    """Return the ISO 639-3 code: of the only given language, else the language detected in the text, else the most frequent language of
    the first hits by words (`by_words`, called only in that case); None if there are no hits either."""
    if len(languages) == 1:
        return languages[0]
    if (detected := detect_language(query).code) is not None:
        return detected
    spoken = Counter(str(point.payload.get("language")) for point in by_words()[:_SPEAKING])
    return spoken.most_common(1)[0][0] if spoken else None


def nearest(
    query: str,
    embedders: Embedders,
    language: str | None,
    asked_about: Sequence[str] = (),
    unions: Sequence[str] = (),
    meanwhile: Callable[[Sequence[Nearest]], object] | None = None,
) -> list[Nearest]:
    """Return the lists for a query in `language` about the law of the jurisdictions `asked_about`, members of `unions`; of all
    jurisdictions if none is given. While other models still embed the query, `meanwhile` is called with the lists of the language's model.

    A model that the table names only for other languages is not used: it cannot read the query. If the language is not known, every
    model is used. The vector is that of the question, if the model has a question adapter, else the centred vector of the query
    (`retrieval.centring`).
    """
    used = {
        using: embedder
        for using, embedder in embedders.by_vector.items()
        if language is None or embedders.other.name == embedder.name or language in embedders.named(embedder)
    }

    others = other_share(query, asked_about)

    def lists(using: str) -> list[Nearest]:
        """Return the lists of one model, which is called."""
        embedder = used[using]
        vectors = _vector(query, embedder), lambda: _plain(query, embedder)
        if asked_about:
            of_unions = Nearest(*vectors, using, (AnyOf("jurisdiction", tuple(unions)),), OTHER_SHARE)
            return [
                *([of_unions] if unions else ()),
                Nearest(*vectors, using, (AnyOf("jurisdiction", tuple(asked_about)),)),
                Nearest(*vectors, using, (Not(AnyOf("jurisdiction", (*asked_about, *unions))),), others),
            ]
        if language is None or embedders.other.name != embedder.name:
            return [Nearest(*vectors, using)]
        if embedders.of(language).name != embedder.name:
            return [Nearest(*vectors, using, share=others)]
        own = AnyOf("language", (language,))
        return [Nearest(*vectors, using, (own,)), Nearest(*vectors, using, (Not(own),), others)]

    own = next(iter(used)) if language is None else embedders.vector_of(language)
    further = [using for using in used if using != own]
    if not further:
        return lists(own)
    # models release the interpreter's lock
    with ThreadPoolExecutor(len(further)) as threads:
        running = {using: threads.submit(lists, using) for using in further}
        of_own = lists(own)
        if meanwhile is not None:
            meanwhile(of_own)
        return [dense for using in used for dense in (of_own if using == own else running[using].result())]


def _vector(query: str, embedder: Embedder) -> Vector:
    reader = question_reader(embedder) if is_question(query) else None
    if reader is not None:
        asked: Vector = reader.embed_questions([query]).vectors[0]
        return asked
    return centred(_plain(query, embedder), embedder.name)


def _plain(query: str, embedder: Embedder) -> Vector:
    plain: Vector = embedder.embed_queries([query]).vectors[0]
    return plain


def other_share(query: str, asked_about: Sequence[str]) -> float:
    return OTHER_SHARE if is_question(query) and not asked_about else SMALL_OTHER_SHARE


def interleaved(
    points: Sequence[ScoredPoint], scores: Sequence[float], share: float
) -> Iterator[tuple[ScoredPoint, float]]:
    """Yield points of other languages, nearest first, with scores that place them between the points in the query's language.

    `scores` are those of the points in the query's language, in falling order. With a `share` of 0.25, one point is placed after every four
    of them. After the last of them, or if there are none, the scores fall by rank."""
    for rank, point in enumerate(points, start=1):
        place = round(rank / share)
        if not scores:
            yield point, 1.0 / (RRF_K + rank)
        elif place <= len(scores):
            yield point, scores[place - 1] * _BEHIND
        else:
            yield point, scores[-1] * (RRF_K + len(scores)) / (RRF_K + place) * _BEHIND


def dense_queries(
    lists: Sequence[Nearest], filters: Sequence[Condition], limit: int, *, shared: bool = False
) -> list[Query]:
    """Return the queries to the store for `lists`; see `dense_list`.

    If `shared`, a list with a small share requests fewer points than `limit`, because to read a point costs more than to find it."""
    return [
        Query(
            dense=dense.vector,
            filters=[*filters, *dense.conditions],
            limit=math.ceil(limit * dense.share) if shared else limit,
            using=dense.using,
        )
        for dense in lists
    ]


def is_short(lists: Sequence[Nearest], answers: Sequence[RankedLists], limit: int) -> bool:
    """Whether the main lists (share 1) have fewer than `limit` points. Then the other lists are needed with all their points."""
    return all(len(found.dense) < limit for dense, found in zip(lists, answers, strict=True) if dense.share == 1)


def dense_list(lists: Sequence[Nearest], answers: Sequence[RankedLists]) -> tuple[ScoredPoint, ...]:
    """Return the points of all lists, ordered by their rank divided by the share of their list."""
    ranked = [
        (rank / dense.share, point)
        for dense, found in zip(lists, answers, strict=True)
        for rank, point in enumerate(found.dense, start=1)
    ]
    return tuple(point for _, point in sorted(ranked, key=lambda pair: pair[0]))
