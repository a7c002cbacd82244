"""Search: dense and BM25 lists fused by rank, the provision that the query cites first. A query that is only a citation has no dense
list, and needs no embedding model.

Not here: the lists (`stores`), the reading of citations (`retrieval.citation_query`, `retrieval.cited`), the neighbours of a hit
(`retrieval.passages`) and the fields of a hit (`retrieval.hit`).
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from legal_pipeline.embedding.embedder import Embedder
from legal_pipeline.embedding.model_table import Embedders
from legal_pipeline.jurisdictions.countries import countries_asked_about, unions_of, without_countries
from legal_pipeline.retrieval import cited
from legal_pipeline.retrieval.citation_query import QueryCitations, read_citations
from legal_pipeline.retrieval.dense_lists import (
    Nearest,
    dense_list,
    dense_queries,
    interleaved,
    is_short,
    nearest,
    other_share,
    query_language,
)
from legal_pipeline.retrieval.filters import jurisdictions_of
from legal_pipeline.retrieval.folding import fold, group_languages
from legal_pipeline.retrieval.fusion import OF_QUESTIONS, OF_WORDS, DocumentShare, document_shares, reciprocal_ranks
from legal_pipeline.retrieval.hit import Hit, make_hit, weight
from legal_pipeline.retrieval.passages import PLACING, Passage, chunk_id_of, passages, with_beside
from legal_pipeline.retrieval.query_kind import is_question
from legal_pipeline.retrieval.query_text import verify_query
from legal_pipeline.retrieval.reranking import DEPTH, Reranker
from legal_pipeline.retrieval.vector_weights import UNWEIGHTED, VectorWeights
from legal_pipeline.stores import bm25
from legal_pipeline.stores.ranking import place
from legal_pipeline.stores.store import (
    DOCUMENT_ID,
    AnyOf,
    Condition,
    Payload,
    Query,
    RankedLists,
    ScoredPoint,
    Searchable,
)

#: Number of candidates from each list per hit that is shown, and their minimum and maximum.
_DEPTH_FACTOR, _MIN_DEPTH, _MAX_DEPTH = 5, 50, 3200

#: Many Acts have a § of the cited number; the act that the query names must be among the candidates.
_CITED_DEPTH = 200

#: Number of hits that are searched for per passage that is shown: the others are in earlier passages.
_HITS_PER_PASSAGE = 4

#: Significant decimals of a fused score; later decimals depend on the order in which ranks are added.
_DECIMALS = 9

#: Types of chunks that repeat a provision, or precede or follow the provisions, and the factor of their scores for a question: a
#: provision of about the same score answers better (docs/evaluation/results.md, "Plain questions").
_BESIDE_PROVISIONS = frozenset({"definition", "preamble", "transitional"})
_BESIDE_FACTOR = 0.8


@dataclass
class _Asking:
    """A query and its requests to the store. `nearest` is empty for a query that is not embedded; `language` is that of the query
    if models differ by language; `asked_about` are the jurisdictions that a question names, or else their unions, if the index has law of
    them, `unions` those whose law applies there in addition; `depth` is the number of points of the first general lists."""

    query: str
    store: Searchable
    collection: str
    languages: Sequence[str]
    filters: Sequence[Condition]
    depth: int
    nearest: Sequence[Nearest] = ()
    language: str | None = None
    asked_about: tuple[str, ...] = ()
    unions: tuple[str, ...] = ()
    requested: list[tuple[Query, RankedLists]] = field(default_factory=list)

    @property
    def law(self) -> tuple[str, ...]:
        """The jurisdictions whose law the question asks about."""
        return *self.asked_about, *self.unions

    def embed(self, models: Embedder | Embedders) -> None:
        embedders = models if isinstance(models, Embedders) else Embedders({}, models)
        named: tuple[str, ...] = ()
        if is_question(self.query) and not jurisdictions_of(self.filters):
            asked_about = countries_asked_about(self.query)
            if named := next(filter(self._has_law_of, asked_about), ()):
                self.asked_about, self.unions = named, unions_of(named)
            # a member whose own law is not in the index still has the law of its union
            elif named := next((codes for codes in asked_about if self._has_law_of(unions_of(codes))), ()):
                self.asked_about = unions_of(named)
        if embedders.by_language:
            self.language = query_language(self.query, self.languages, self._first_by_words)
        # a country's name is near to the provisions that name it, whatever they are about
        words = without_countries(self.query, named)
        if not any(map(str.isalnum, words)):
            words = self.query
        self.nearest = nearest(words, embedders, self.language, self.asked_about, self.unions, self._ask_first)

    def _has_law_of(self, jurisdictions: tuple[str, ...]) -> bool:
        of_law = [*self.filters, AnyOf("jurisdiction", jurisdictions)]
        return bool(jurisdictions and self.store.query(self.collection, filters=of_law, limit=1).unranked)

    def _first_by_words(self) -> tuple[ScoredPoint, ...]:
        (lists,) = self._answers([self._by_words((), self.depth)])
        return lists.sparse

    def _ask_first(self, ready: Sequence[Nearest]) -> None:
        """Request the general lists that need no vector but those of `ready`."""
        self._answers(self._separate(ready, (), self.depth))

    def ask(self, wanted: Sequence[tuple[Sequence[Condition], int]], unranked: Sequence[Query]) -> list[RankedLists]:
        """Return the lists for each of `wanted`, by vector and by words (conditions in addition to the filters, number of points), then
        those of `unranked`: all in one request, but for lists requested before and an index with few points in the query's language."""
        queries = [self._queries(conditions, limit) for conditions, limit in wanted]
        found = iter(self._answers([*(query for each in queries for query in each), *unranked]))
        answers = [[next(found) for _ in each] for each in queries]
        conditions, limit = wanted[0]
        if len(self.nearest) > 1 and not conditions and is_short(self.nearest, answers[0][:-1], limit):
            answers[0][:-1] = self._answers(dense_queries(self.nearest, self.filters, limit))
        return [*map(self._lists, answers), *found]

    def _answers(self, queries: Sequence[Query]) -> list[RankedLists]:
        """Return the answer of the store to each query, requested once."""
        missing = [query for query in queries if self._known(query) is None]
        if missing:
            self.requested += zip(missing, self.store.query_batch(self.collection, missing), strict=True)
        return [answer for query in queries if (answer := self._known(query)) is not None]

    def _known(self, query: Query) -> RankedLists | None:
        plain = replace(query, dense=None)
        same = (
            row for known, row in self.requested if known.dense is query.dense and replace(known, dense=None) == plain
        )
        return next(same, None)

    def _queries(self, conditions: Sequence[Condition], limit: int) -> list[Query]:
        if len(self.nearest) > 1:
            return self._separate(self.nearest, conditions, limit)
        by_words = self._by_words(conditions, limit)
        return [replace(by_words, dense=dense.vector, using=dense.using) for dense in self.nearest] or [by_words]

    def _separate(self, lists: Sequence[Nearest], conditions: Sequence[Condition], limit: int) -> list[Query]:
        # a cited provision may be another country's
        of_law = (AnyOf("jurisdiction", self.law),) if self.law and not conditions else ()
        by_vector = dense_queries(lists, [*self.filters, *conditions], limit, shared=not conditions)
        return [*by_vector, self._by_words((*conditions, *of_law), limit)]

    def _lists(self, answers: Sequence[RankedLists]) -> RankedLists:
        if len(answers) == 1:
            return answers[0]
        return RankedLists(dense_list(self.nearest, answers[:-1]), answers[-1].sparse)

    def _by_words(self, conditions: Sequence[Condition], limit: int) -> Query:
        return Query(text=self.query, languages=self.languages, filters=[*self.filters, *conditions], limit=limit)


@dataclass(frozen=True, slots=True)
class _Weights:
    """Weights of the ranks of lists: `vectors` by the language of the point. `language` is that of the query, if known,
    `asked_about` the jurisdictions whose law it asks about, `other_share` as in `dense_lists`, `beside` the factor of
    `_BESIDE_PROVISIONS`."""

    vectors: Mapping[str, float]
    language: str | None
    asked_about: Sequence[str]
    share: DocumentShare
    other_share: float
    beside: float

    def of_chunk(self, payload: Payload) -> float:
        return weight(payload) * (self.beside if payload.get("chunk_type") in _BESIDE_PROVISIONS else 1.0)

    def of(self, name: str, language: str) -> float:
        return 1.0 if name == "bm25" else self.vectors.get(language, 1.0)

    def is_other(self, payload: Payload) -> bool:
        if self.asked_about:
            return payload.get("jurisdiction") not in self.asked_about
        return self.language is not None and payload.get("language") != self.language


@dataclass(frozen=True, slots=True)
class _Candidate:
    payload: Payload
    score: float
    parts: Mapping[str, float]
    cited: cited.Citedness
    is_removed: bool

    @property
    def order(self) -> tuple[bool, bool, tuple[int, bool, bool, int], float, tuple[str, ...]]:
        """Order equal scores by document and path: the same on every machine, and after an index is rebuilt."""
        score = -round(self.score, _DECIMALS)
        return not _is_cited(self), self.is_removed, self.cited.order, score, place(self.payload)


@dataclass(frozen=True, slots=True)
class _Folded:
    """A candidate that is shown, and the candidates folded under it."""

    best: _Candidate
    other_languages: Sequence[_Candidate] = ()
    duplicates: Sequence[_Candidate] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The index that one search reads: `points` has the collections `collection` and `questions`; the latter is None without questions.

    `points` has only what readers may see: all of it is shown. `embedder` returns the embedders that the collections were made with, not
    those of the settings: while collections of other models are built, searches still use the old collections. A search that needs no
    vector does not call it. With a table of models instead of one model, each list by vector is of one model and language
    (`retrieval.dense_lists`). `vector_weights` are the weights of ranks by vector. A `reranker` reorders the best candidates that are not
    cited. `removed` returns those of some document ids that their source has removed: their chunks come last, cited chunks last among
    the cited.
    """

    points: Searchable
    embedder: Callable[[], Embedder | Embedders]
    collection: str = "legal_chunks"
    questions: str | None = None
    vector_weights: VectorWeights = UNWEIGHTED
    reranker: Reranker | None = None
    removed: Callable[[Collection[str]], Collection[str]] = lambda _: ()


def search(
    query: str,
    view: View,
    *,
    limit: int = 10,
    filters: Sequence[Condition] = (),
    languages: Sequence[str] = (),
    fold_duplicates: bool = False,
    passage_tokens: int = 0,
    today: datetime.date | None = None,
) -> list[Hit]:
    """Return the `limit` best chunks of `view` for `query`; all `filters` match each.

    A provision that the query cites (`2 kap. 3 § arbetsmiljölagen`) comes before all others: first the chunk with most of the cited text;
    of two wordings, the one in force `today`. If the query names no act, the cited provision of every act is meant. If the query is only
    the citation, no embedder is called: words alone rank the hits after the cited provisions.

    - `fold_duplicates`: hits of other documents that nearly repeat a hit are folded under it, and so is the same provision in other
      languages.
    - `passage_tokens`: each hit has the best neighbouring chunks that fit into this number of tokens with it; they are not hits themselves.

    Raises QueryError for a query that is too long or not text, and as `VectorStore.query`, `Embedder.embed_queries` and `Reranker.scores`.
    """
    verify_query(query)
    if limit < 1 or not query.strip():
        return []
    citations = read_citations(query, jurisdictions_of(filters))
    depth = max(_MIN_DEPTH, limit * _DEPTH_FACTOR)
    asking = _Asking(query, view.points, view.collection, languages, filters, depth)
    if not citations.is_bare:
        asking.embed(view.embedder())
    terms = bm25.query_terms(query, languages)
    day = today or datetime.date.today()
    share, beside = (OF_QUESTIONS, _BESIDE_FACTOR) if is_question(query) else (OF_WORDS, 1.0)
    others = other_share(query, asking.asked_about)
    weights = _Weights(view.vector_weights.of(query), asking.language, asking.law, share, others, beside)
    before = -1
    while True:
        # for a bare citation: the cited chunks need not share a word with the query
        first = [
            Query(filters=[*filters, *conditions], limit=max(depth, _CITED_DEPTH))
            for conditions in (cited.conditions_of_first(citations) if citations.is_bare else ())
        ]
        places = [(conditions, max(depth, _CITED_DEPTH)) for conditions in cited.conditions(citations)]
        general, *narrowed = asking.ask([((), depth), *places], first)
        asked: tuple[ScoredPoint, ...] = ()
        if view.questions is not None and not citations.is_bare:
            asked = _asked(asking, view.questions, depth, general)
        merged = _merge(general, narrowed, citations, asked, day, weights, view.removed)
        if citations.otherwise is not None and not any(map(_is_cited, merged)):
            citations = citations.otherwise
            continue
        candidates = sorted(merged, key=lambda candidate: candidate.order)
        if view.reranker is not None and not citations.is_bare:
            candidates = _reranked(candidates, query, view.reranker)
        sought = limit * _HITS_PER_PASSAGE if passage_tokens else limit
        folded = (
            _folded(candidates, sought)
            if fold_duplicates
            else [_Folded(candidate) for candidate in candidates[:sought]]
        )
        if passage_tokens:
            shown = passages(
                folded,
                lambda candidate: candidate.best.payload,
                limit,
                passage_tokens,
                functools.partial(_fetch, view, filters, fields=PLACING),
                scored=[(candidate.payload, candidate.score) for candidate in candidates],
                apart=lambda candidate: _is_cited(candidate.best),
                last=lambda candidate: candidate.best.is_removed,
            )
        else:
            shown = [Passage(candidate, [], 0.0) for candidate in folded]
        exhausted = len(general.sparse if citations.is_bare else general.dense) < depth or depth >= _MAX_DEPTH
        # more candidates that all repeat the hits so far are copies of one text
        if len(shown) >= limit or exhausted or len(shown) == before:
            break
        before = len(shown)
        depth *= 4
    texts = {chunk_id_of(candidate.payload): candidate.payload for candidate in candidates}
    whole = _with_texts(shown, texts, functools.partial(_fetch, view, filters))
    return [_hit(passage, terms) for passage in whole]


def _with_texts(
    shown: Sequence[Passage[_Folded]],
    known: Mapping[str, Payload],
    fetch: Callable[[Sequence[Condition], int], Sequence[Payload]],
) -> list[Passage[_Folded]]:
    """Return the passages with all fields of their neighbours, which were chosen by `PLACING` alone: `known` or fetched at once."""
    missing = [row for passage in shown for row in passage.beside if chunk_id_of(row) not in known]
    if missing:
        named = [tuple(sorted({str(row.get(name, "")) for row in missing})) for name in (DOCUMENT_ID, "chunk_id")]
        fetched = fetch([AnyOf(DOCUMENT_ID, named[0]), AnyOf("chunk_id", named[1])], len(missing))
        known = {**known, **{chunk_id_of(row): row for row in fetched}}
    # a neighbour that was withdrawn meanwhile is left out
    return [
        replace(passage, beside=[known[chunk_id_of(row)] for row in passage.beside if chunk_id_of(row) in known])
        for passage in shown
    ]


def _reranked(candidates: Sequence[_Candidate], query: str, reranker: Reranker) -> list[_Candidate]:
    """Reorder the best candidates that are neither cited nor removed; the list of scores stays the same, so that neighbours of a hit count
    as much as before."""
    best = [candidate for candidate in candidates if not (_is_cited(candidate) or candidate.is_removed)][:DEPTH]
    if not best:
        return list(candidates)
    texts = [
        f"{candidate.payload.get('title', '')}\n{candidate.payload.get('chunk_text', '')}".strip() for candidate in best
    ]
    scored = zip(best, reranker.scores(query, texts), strict=True)
    ranked = sorted(scored, key=lambda pair: -pair[1])
    moved = {
        id(candidate): replace(candidate, score=place.score, parts={**candidate.parts, "rerank": score})
        for (candidate, score), place in zip(ranked, best, strict=True)
    }
    return sorted(
        (moved.get(id(candidate), candidate) for candidate in candidates), key=lambda candidate: candidate.order
    )


def _folded(candidates: Sequence[_Candidate], limit: int) -> list[_Folded]:
    grouped = group_languages(candidates, lambda candidate: candidate.payload)
    pairs = fold(grouped, lambda pair: pair[0].payload, limit, apart=lambda pair: _is_cited(pair[0]))
    return [
        _Folded(best, others, [each for item, under in repeats for each in (item, *under)])
        for (best, others), repeats in pairs
    ]


def _hit(passage: Passage[_Folded], terms: frozenset[int]) -> Hit:
    best = passage.item.best
    return make_hit(
        best.payload,
        with_beside(best.score, passage.beside_score),
        {**best.parts, "beside": passage.beside_score},
        terms,
        [duplicate.payload for duplicate in passage.item.duplicates],
        passage.beside,
        [other.payload for other in passage.item.other_languages],
    )


def _is_cited(candidate: _Candidate) -> bool:
    return candidate.cited.exactness > 0


def _fetch(
    view: View,
    filters: Sequence[Condition],
    conditions: Sequence[Condition],
    limit: int,
    fields: Sequence[str] | None = None,
) -> list[Payload]:
    """Return chunks that match both `filters` and `conditions`."""
    (found,) = view.points.query_batch(
        view.collection, [Query(filters=[*filters, *conditions], limit=limit, fields=fields)]
    )
    return [point.payload for point in found.unranked]


def _asked(asking: _Asking, questions: str, limit: int, general: RankedLists) -> tuple[ScoredPoint, ...]:
    """Return the chunks that answer the questions nearest to the query, each once, scored by its nearest question."""
    # The centre is that of chunks, not of questions, so the plain vector is used: a query equal to a stored question has a similarity of 1.
    lists = [replace(dense, vector=dense.plain()) for dense in asking.nearest]
    near = dense_list(lists, asking.store.query_batch(questions, dense_queries(lists, asking.filters, limit)))
    best: dict[str, ScoredPoint] = {}
    for point in near:
        best.setdefault(str(point.payload.get("source_chunk_id", "")), point)
    known = {chunk_id_of(point.payload): point for point in (*general.dense, *general.sparse)}
    missing = [chunk_id for chunk_id in best if chunk_id not in known]
    if missing:
        documents = tuple(sorted({str(best[chunk_id].payload.get("document_id", "")) for chunk_id in missing}))
        narrowed = [*asking.filters, AnyOf("document_id", documents), AnyOf("chunk_id", tuple(missing))]
        found = asking.store.query(asking.collection, filters=narrowed, limit=len(missing)).unranked
        known.update((chunk_id_of(point.payload), point) for point in found)
    return tuple(
        ScoredPoint(known[chunk_id].id, point.score, known[chunk_id].payload)
        for chunk_id, point in best.items()
        if chunk_id in known
    )


def _merge(
    general: RankedLists,
    narrowed: Sequence[RankedLists],
    citations: QueryCitations,
    asked: Sequence[ScoredPoint],
    today: datetime.date,
    weights: _Weights,
    removed: Callable[[Collection[str]], Collection[str]],
) -> list[_Candidate]:
    """Return all points of the general lists and of the questions, and the cited points of the narrowed lists."""
    among = {p.id: p.payload for lists in (general, *narrowed) for p in (*lists.dense, *lists.sparse, *lists.unranked)}
    meant = cited.citedness(among, citations, today)
    candidates = {p.id: p.payload for p in (*general.dense, *general.sparse, *asked)}
    candidates.update((point_id, among[point_id]) for point_id in meant)
    # A cited provision may be below the depth of the general lists: then its rank in its narrowed list decides.
    # A cited chunk that shares no word with a bare citation (`AML`) has no rank at all.
    fused = dict.fromkeys(candidates, 0.0)
    for lists in narrowed:
        fused.update(_fused(lists, weights))
    fused.update(_fused(general, weights, asked))
    scores: dict[str, dict[str, float]] = {point_id: {} for point_id in candidates}
    for lists in (*narrowed, general):
        for label, points in (("dense", lists.dense), ("bm25", lists.sparse)):
            for rank, point in enumerate(points, start=1):
                if point.id in scores:
                    scores[point.id][label] = point.score
                    if lists is general:
                        scores[point.id][f"{label}_rank"] = float(rank)
    for rank, point in enumerate(asked, start=1):
        scores[point.id] |= {"question": point.score, "question_rank": float(rank)}
    documents = {point_id: str(payload.get(DOCUMENT_ID)) for point_id, payload in candidates.items()}
    gone = removed(set(documents.values()))
    own = {point_id: fused[point_id] for point_id, payload in candidates.items() if not weights.is_other(payload)}
    of_documents = document_shares(own, documents, weights.share.gather)
    # A cited chunk is meant, independent of its document's other chunks; a chunk of another language is placed by its rank.
    shares = {
        point_id: of_documents[documents[point_id]] if point_id in own and point_id not in meant else 1.0
        for point_id in candidates
    }
    return [
        _Candidate(
            payload,
            fused[point_id] * shares[point_id] ** weights.share.weight * weights.of_chunk(payload),
            {
                **scores[point_id],
                "rrf": fused[point_id],
                "document_share": shares[point_id],
                "retrieval_weight": weights.of_chunk(payload),
                "citation": float(meant.get(point_id, cited.NOT_CITED).exactness),
            },
            meant.get(point_id, cited.NOT_CITED),
            documents[point_id] in gone,
        )
        for point_id, payload in candidates.items()
    ]


def _fused(lists: RankedLists, weights: _Weights, asked: Sequence[ScoredPoint] = ()) -> dict[str, float]:
    """Return point id -> fused score.

    A point in another language than the query shares words with it only by chance, and a point of another country than the query names is
    not searched for by words: it gets the score of the query's own point whose place it takes (`dense_lists.other_share`)."""
    others = [point for point in lists.dense if weights.is_other(point.payload)]
    own = [point for point in lists.dense if not weights.is_other(point.payload)]
    named = {"dense": own, "bm25": lists.sparse, "question": asked}
    languages = {point.id: str(point.payload.get("language")) for points in named.values() for point in points}
    ranks = reciprocal_ranks({name: [point.id for point in points] for name, points in named.items()})
    fused = {
        point_id: sum(rank * weights.of(name, languages[point_id]) for name, rank in parts.items())
        for point_id, parts in ranks.items()
    }
    if others:
        places = {point.id: fused[point.id] for point in (*own, *lists.sparse) if not weights.is_other(point.payload)}
        for point, score in interleaved(others, sorted(places.values(), reverse=True), weights.other_share):
            fused[point.id] = max(fused.get(point.id, 0.0), score)
    return fused
