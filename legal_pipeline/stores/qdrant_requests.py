"""Requests and filters for Qdrant: its client library and Edge have types of the same names and meaning.

Not here: what differs between the two (`stores.edge_points`, `stores.qdrant_server`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from legal_pipeline.stores import bm25
from legal_pipeline.stores.ranking import verify_indexed
from legal_pipeline.stores.store import SPARSE, AnyOf, Condition, DateRange, Either, Not, Query, Scalar

#: Ratio of candidates to hits with quantized vectors: the exact scores decide among the candidates.
_OVERSAMPLING = 2.0


class QdrantRequests(ABC):
    """Makes requests of the types of `types`: the module of a library."""

    def __init__(self, types: Any) -> None:
        self._types = types

    def of(self, query: Query, *, quantized: bool, with_payload: bool | list[str]) -> dict[str, Any]:
        """Return the request for each list of the answer. Raises ConfigurationError for a filter on a field without an index."""
        verify_indexed(query.filters)
        types = self._types
        given: dict[str, Any] = {
            "limit": query.limit,
            "filter": self.filter(query.filters, query.ids),
            "with_payload": with_payload,
        }
        if query.is_unranked:
            return {"unranked": types.QueryRequest(**given)}
        given["score_threshold"] = query.threshold
        found = {}
        if query.dense is not None:
            exact = types.QuantizationSearchParams(rescore=True, oversampling=_OVERSAMPLING)
            params = types.SearchParams(quantization=exact) if quantized else None
            found["dense"] = self._nearest(query.dense.tolist(), query.using, params=params, **given)
        terms = sorted(bm25.query_terms(query.text, query.languages)) if query.text is not None else []
        if terms:
            vector = types.SparseVector(indices=terms, values=[1.0] * len(terms))
            found["sparse"] = self._nearest(vector, SPARSE, **given)
        return found

    def filter(self, conditions: Sequence[Condition], ids: Sequence[str] | None = None) -> Any:
        """Return the filter that all conditions hold and the point is one of `ids`; None without conditions and ids."""
        if not conditions and ids is None:
            return None
        types = self._types
        must: list[Any] = [] if ids is None else [self._points(ids)]
        must_not: list[Any] = []
        for condition in conditions:
            if isinstance(condition, Either):
                either = [self.filter(each) or types.Filter() for each in condition.alternatives]
                must.append(types.Filter(should=either) if either else self._points(()))
            elif isinstance(condition, Not):
                must_not.append(self._condition(condition.condition))
            else:
                must.append(self._condition(condition))
        return types.Filter(must=must, must_not=must_not)

    def _condition(self, condition: AnyOf | DateRange) -> Any:
        types = self._types
        if isinstance(condition, AnyOf):
            found = self._any_of(condition.field, condition.values)
            return types.Filter(should=found) if found else self._points(())
        within = self._within(condition)
        return types.Filter(should=[within, self._absent(condition.field)]) if condition.or_absent else within

    def _any_of(self, name: str, values: Sequence[Scalar]) -> list[Any]:
        """Return one condition per kind of value: separate ones are tried in turn, and a server in strict mode limits their number."""
        types = self._types
        flags = [value for value in values if isinstance(value, bool)]
        words = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
        found = self._flags(name, flags) if flags else []
        return found + [
            types.FieldCondition(key=name, match=types.MatchAny(any=some)) for some in (words, numbers) if some
        ]

    @abstractmethod
    def _nearest(self, vector: Any, using: str, **given: Any) -> Any:
        """Return the request for the points whose vectors `using` are nearest."""

    @abstractmethod
    def _flags(self, name: str, flags: list[bool]) -> list[Any]:
        """Return the conditions of which one holds if the field has one of `flags`."""

    @abstractmethod
    def _within(self, condition: DateRange) -> Any: ...

    @abstractmethod
    def _absent(self, name: str) -> Any: ...

    @abstractmethod
    def _points(self, ids: Sequence[str]) -> Any:
        """Return the condition that the point is one of `ids`."""
