"""What replacing points checks in any store: that the store did what it confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from legal_pipeline.errors import StoreError
from legal_pipeline.stores.replacement import VersionedPoints, replace_documents
from legal_pipeline.stores.store import DENSE, Condition, Point
from legal_pipeline_tests.stores.points import DIMENSION, act

OLD = {"1": "Denna lag gäller badplatser.", "2": "Badplatsen ska ha livboj."}
NEW = {"1": "Denna lag gäller badplatser.", "2": "Badplatsen ska ha livboj och stege."}
#: The vector of another embedding model.
OTHER = f"{DENSE}_other"


class ForgetfulTable(VersionedPoints):
    """A collection in memory. It reports no error for a write or a deletion, but carries out only those that are in `working`."""

    def __init__(self) -> None:
        self.points: dict[str, Point] = {}
        self.working = {"write", "delete"}

    @property
    def dimensions(self) -> Mapping[str, int]:
        return {DENSE: DIMENSION, OTHER: DIMENSION}

    def lock(self, document_ids: object) -> None:
        pass

    def _hashes(self, conditions: Sequence[Condition]) -> Iterator[tuple[str, str, str]]:
        return ((point.document_id, stored_id, point.row_hash) for stored_id, point in self.points.items())

    def write(self, points: Mapping[str, Point]) -> None:
        if "write" in self.working:
            self.points.update(points)

    def delete(self, ids: Sequence[str]) -> None:
        for stored_id in ids if "delete" in self.working else ():
            del self.points[stored_id]

    def count(self, document_id: str | None) -> int:
        return len(self.points)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("write", "a: 1 of 2 points are missing after writing"),
        ("delete", "a: 1 of 1 stale points are still there after deleting them"),
    ],
)
def test_a_store_that_confirms_what_it_has_not_done_is_an_error(broken: str, message: str) -> None:
    table = ForgetfulTable()
    replace_documents(table, {"a": act("a", OLD)}, None)
    assert sorted(point.text for point in table.points.values()) == sorted(OLD.values())
    table.working.remove(broken)
    with pytest.raises(StoreError, match=message):
        replace_documents(table, {"a": act("a", NEW)}, None)


@pytest.mark.parametrize("vector_name", [DENSE, OTHER])
@pytest.mark.parametrize(
    "vector", [np.zeros(DIMENSION), np.array([np.nan, *range(1, DIMENSION)])], ids=["no direction", "not finite"]
)
def test_the_point_with_a_bad_vector_is_the_one_that_is_named(vector: np.ndarray, vector_name: str) -> None:
    first, second = act("a", OLD)
    along_an_axis = replace(first, vector=np.eye(DIMENSION, dtype=np.float32)[0])
    bad = replace(second, vector=vector.astype(np.float32), vector_name=vector_name)
    with pytest.raises(StoreError, match=f"a: point {bad.id}: the vector is not finite or has no direction"):
        replace_documents(ForgetfulTable(), {"a": [along_an_axis, bad]}, None)


def test_an_id_that_two_documents_have_is_refused() -> None:
    table = ForgetfulTable()
    points = act("a", OLD)
    with pytest.raises(StoreError, match=f"b: point {points[0].id}: the id comes twice"):
        replace_documents(table, {"a": points, "b": [replace(points[0], document_id="b")]}, None)
    assert table.points == {}
